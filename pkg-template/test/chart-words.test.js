// Which words ask for a chart of the answer before, and for nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chartAsked } from "../dist/element/chart-words.js";

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
