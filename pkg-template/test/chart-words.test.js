// Which words ask for a chart of the answer before, and for nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chartAsked, wishOf } from "../dist/element/chart-words.js";

test("words for a chart alone, of a kind where one is named", () => {
  for (const one of ["as a chart", "Покажи график!", "plot", "нарисуй это на графике, пожалуйста"])
    assert.deepEqual(chartAsked(one), {}, one);
  for (const one of ["графиком", "диаграммой"]) assert.deepEqual(chartAsked(one), {}, one);
  assert.deepEqual(chartAsked("as bars"), { kind: "bar" });
  assert.deepEqual(chartAsked("в виде линии"), { kind: "line" });
  assert.deepEqual(chartAsked("histogram"), { kind: "histogram" });
});

test("a question that says more is a question", () => {
  for (const one of ["show bars", "chart of sales by month", "show me", "line", "график продаж"])
    assert.equal(chartAsked(one), undefined, one);
});

test("a question about data may ask for its chart besides", () => {
  const column = (name, kind, role) => ({ name, kind, role });
  const grouped = {
    metadata: {},
    kind: "grouped",
    table: {},
    query: { table: "t" },
    rows: 4,
    columns: [column("shop", "text", "key"), column("sum_amount", "float", "measure")],
    chart: { kind: "bar", x: "shop", y: ["sum_amount"] },
  };
  for (const [question, wish] of [
    ["line chart of sales by month", { kind: "line" }],
    ["Draw a bar graph of sales by shop", { kind: "bar" }],
    ["column charts of sales", { kind: "bar" }],
    ["show sales by shop as a chart", {}],
    ["Линейный график продаж по месяцам", { kind: "line" }],
    ["построй столбчатую диаграмму продаж", { kind: "bar" }],
    ["продажи по месяцам линейным графиком", { kind: "line" }],
    ["продажи по месяцам в виде графика", {}],
  ])
    assert.deepEqual(wishOf(question, grouped), wish, question);
  for (const question of [
    "sales by shop",
    "sales of charts",
    "pie chart of sales",
    "рабочий график по сменам",
    "outline charts",
    "as charted",
  ])
    assert.equal(wishOf(question, grouped), undefined, question);
  // Neither where there is nothing to draw, nor where lines would be of something else.
  const rows = { ...grouped, kind: "table", chart: undefined };
  assert.equal(wishOf("line chart of sales", rows), undefined);
  assert.equal(wishOf("line chart of sales", { ...grouped, rows: 1 }), undefined);
});
