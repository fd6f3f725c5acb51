// Which words ask for a chart of the answer before, and for nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chartAsked, choiceOf, wishOf } from "../dist/element/chart-words.js";

test("words for a chart alone, of a kind where one is named", () => {
  for (const one of ["as a chart", "Покажи график!", "plot", "нарисуй это на графике, пожалуйста"])
    assert.deepEqual(chartAsked(one), {}, one);
  for (const one of ["графиком", "диаграммой"]) assert.deepEqual(chartAsked(one), {}, one);
  assert.deepEqual(chartAsked("as bars"), { kind: "bar" });
  assert.deepEqual(chartAsked("в виде линии"), { kind: "line" });
  assert.deepEqual(chartAsked("histogram"), { kind: "histogram" });
  for (const one of ["as a pie chart", "Show it as a pie", "круговая диаграмма", "В виде пирога"])
    assert.deepEqual(chartAsked(one), { kind: "pie" }, one);
});

test("a question that says more is a question", () => {
  for (const one of [
    "show bars",
    "chart of sales by month",
    "show me",
    "line",
    "график продаж",
    "pies",
    "пироги",
  ])
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
    ["построй график продаж по месяцам", {}],
    ["сделай диаграмму продаж по магазинам", {}],
    ["график: продажи по месяцам", {}],
    ["Draw a chart of sales by month", {}],
    ["monthly sales chart?", {}],
    ["pie chart of sales by shop", { kind: "pie" }],
    ["sales by shop as a pie", { kind: "pie" }],
    ["sales by shop as bars", { kind: "bar" }],
    ["sales by month as a line?", { kind: "line" }],
    ["продажи по магазинам столбиками", { kind: "bar" }],
    ["a donut chart of sales by shop", { kind: "pie" }],
    ["круговая диаграмма продаж по магазинам", { kind: "pie" }],
    ["продажи по магазинам в виде кольцевой диаграммы", { kind: "pie" }],
  ])
    assert.deepEqual(wishOf(question, grouped), wish, question);
  for (const question of [
    "sales by shop",
    "sales of charts",
    "рабочий график по сменам",
    "outline charts",
    "as charted",
    "sales as a pie-maker",
    "sales as bars of chocolate",
    "sales of pies",
    "продажи пирогов",
  ])
    assert.equal(wishOf(question, grouped), undefined, question);
  // Neither where there is nothing to draw, nor where lines would be of something else.
  const rows = { ...grouped, kind: "table", chart: undefined };
  assert.equal(wishOf("line chart of sales", rows), undefined);
  assert.equal(wishOf("line chart of sales", { ...grouped, rows: 1 }), undefined);
});

test("a pie is drawn as bars: of shares where the values add up to a whole", () => {
  const column = (name, kind, role) => ({ name, kind, role });
  const result = (query, measure, more) => ({
    metadata: {},
    kind: "grouped",
    table: {},
    query: { table: "t", group_by: "shop", ...query },
    rows: 4,
    columns: [column("shop", "text", "key"), column(measure, "float", "measure")],
    chart: { kind: "bar", x: "shop", y: [measure] },
    ...more,
  });
  const bars = { kind: "bar", x: "shop" };
  const pie = (query, measure, more) => choiceOf(result(query, measure, more), "pie");
  assert.deepEqual(pie({ select: "sum(amount)" }, "sum_amount"), {
    ...bars,
    y: ["sum_amount"],
    pie: "shares",
  });
  assert.equal(pie({ select: { Turnover: "sum(amount)" } }, "Turnover").pie, "shares");
  assert.equal(pie({ select: "count()" }, "count").pie, "shares");
  for (const [query, measure] of [
    [{ select: "mean(amount)" }, "mean_amount"],
    [{ select: "count_distinct(item)" }, "count_distinct_item"],
    [{ select: { total: "max(amount)" } }, "total"],
    // The three largest are no whole.
    [{ select: "sum(amount)", limit: 3 }, "sum_amount"],
    [{ select: "sum(amount)", steps: [{ limit: 3 }] }, "sum_amount"],
    [{ sql: "SELECT shop, sum(amount) AS sum_amount FROM t GROUP BY 1 LIMIT 3" }, "sum_amount"],
  ])
    assert.equal(pie(query, measure).pie, "values", JSON.stringify(query));
  const line = { chart: { kind: "line", x: "shop", y: ["sum_amount", "sum_tips"] } };
  assert.deepEqual(pie({ select: "sum(amount)" }, "sum_amount", line).y, ["sum_amount"]);
  assert.equal(choiceOf(result({}, "sum_amount", { rows: 1 }), "pie"), undefined);
});
