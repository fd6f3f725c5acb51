// What columns that queries made are called, what their values name, and where a text is no JSON.

import assert from "node:assert/strict";
import { test } from "node:test";
import { headText, headsOf, knowTable, valueName } from "../dist/element/heads.js";
import { jsonPlace } from "../dist/element/json-place.js";

const called = (locale, query, columns) => headsOf(locale, columns, query).map(headText);
const float = (...names) => names.map((name) => ({ name, kind: "float" }));

test("columns that a query makes are called in both languages, others as they are", () => {
  const query = {
    map: { dow: "dayname()", month: "monthname()", mine: "close / open" },
    group_by: ["dow", "month", "quarter()"],
    select: ["count()", "sum(total)", "mean(цена)", "count_distinct(shop)"],
  };
  const columns = float(
    ..."dow month quarter() count sum_total mean_цена count_distinct_shop max_speed mine".split(
      " ",
    ),
  );
  assert.deepEqual(called("en", query, columns), [
    "weekday",
    "month",
    "quarter",
    "number of rows",
    "sum of total",
    "mean of цена",
    "different values of shop",
    "max_speed",
    "mine",
  ]);
  assert.deepEqual(called("ru", query, columns), [
    "день недели",
    "месяц",
    "квартал",
    "число строк",
    "сумма total",
    "среднее цены",
    "разных значений shop",
    "max_speed",
    "mine",
  ]);
});

test("steps, shares, percentiles and names that somebody chose", () => {
  const steps = [{ map: { share_pct: "count / sum(count) * 100" } }];
  const shares = { group_by: "shop", select: "count()", steps };
  const share = { name: "share_pct", kind: "float", unit: "%" };
  assert.deepEqual(called("ru", shares, [...float("shop", "count"), share]), [
    "shop",
    "число строк",
    "доля",
  ]);
  // A statement says no units: a share without its sign would be one of 1.
  const sql = { sql: "SELECT month, x AS share_pct, y AS last_7, z as mine FROM t" };
  const given = float("month", "share_pct", "last_7", "mine");
  assert.deepEqual(called("en", sql, given), ["month", "share, %", "last 7", "mine"]);
  assert.deepEqual(called("ru", sql, given), ["month", "доля, %", "последние 7", "mine"]);
  const named = { sql: "SELECT d AS month FROM t" };
  assert.deepEqual(called("ru", named, float("month")), ["месяц"]);
  const chosen = { select: { p90_total: "percentile(total, 0.9)", Turnover: "sum(total)" } };
  assert.deepEqual(called("en", chosen, float("p90_total", "Turnover")), [
    "percentile 90 of total",
    "Turnover",
  ]);
  // A step over groups: a sum of counts.
  const over = { select: "count()", steps: [{ select: "mean(count)" }] };
  assert.deepEqual(called("ru", over, float("mean_count")), ["среднее числа строк"]);
  assert.deepEqual(called("ru", { sql: "select sum(x) as count" }, float("count")), ["count"]);
});

test("Russian words after another are in the genitive, where they are regular or ours", () => {
  const columns = "выручка|Скидка|вес|стоимость|расход|место|КПД|участок|Штраф за день|продажи";
  const query = { select: columns.split("|").map((name) => `sum(\`${name}\`)`) };
  const made = float(...columns.split("|").map((name) => `sum_${name}`));
  assert.deepEqual(called("ru", { select: query.select.filter((one) => !/ /.test(one)) }, made), [
    "сумма выручки",
    "сумма скидки",
    "сумма веса",
    "сумма стоимости",
    "сумма расхода",
    "сумма места",
    "сумма «КПД»",
    "сумма «участок»",
    "sum_Штраф за день",
    "сумма «продажи»",
  ]);
  const bars = {
    map: { change: "change()", gap: "gap()", range: "range()", upper: "upper_wick()" },
    select: ["sum(change)", "mean(gap)", "median(range)", "mean(upper_wick)", "prev(close)"],
  };
  assert.deepEqual(called("ru", bars, float("sum_change", "mean_gap", "median_range", "range")), [
    "сумма изменения",
    "среднее гэпа",
    "медиана диапазона",
    "диапазон",
  ]);
  const twice = {
    map: { last: "last_hour" },
    group_by: "shop",
    select: { sum_body: "sum(body)", mean_total: "mean(total)" },
    steps: [{ select: { max_mean_total: "max(mean_total)" } }],
  };
  assert.deepEqual(called("ru", twice, float("max_mean_total")), ["максимум среднего total"]);
});

test("what the tools for purchases find is called in words", () => {
  const sql = { sql: 'SELECT purchase_count FROM "pack bought" b' };
  const columns = float("item_name", "total_amount", "own_one");
  assert.deepEqual(called("en", sql, columns), ["item", "amount", "own_one"]);
  assert.deepEqual(called("ru", sql, columns), ["товар", "сумма", "own_one"]);
  assert.deepEqual(called("ru", { sql: "SELECT a FROM b" }, columns), [
    "item_name",
    "total_amount",
    "own_one",
  ]);
  const list = { sql: "SELECT item FROM item_labels" };
  assert.deepEqual(called("en", list, float("item_name", "suggested_quantity")), [
    "item",
    "quantity to buy",
  ]);
});

test("what columns give that are put together is called by its formula", () => {
  const query = {
    map: { open_minus_close: "open - close", mine: "open * close", day_times: "hour(at) * 2" },
    group_by: "shop",
    select: {
      sum_unit_price_times_quantity: "sum(unit_price * quantity)",
      mean_a_plus_b: "mean(a + b)",
      sum_цена_times_количество: "sum(цена * `количество`)",
      Turnover: "sum(unit_price * quantity)",
      max_net: "max((a - b) / c)",
      min_of_both: "min(a) - min(b)",
      sum_if: "sum(if(a > 1, b, 0))",
      sum_odd: "sum(-a * 2)",
    },
  };
  const columns = float(
    "open_minus_close",
    "mine",
    "day_times",
    ...Object.keys(query.select),
    "price_per_kg",
  );
  assert.deepEqual(called("en", query, columns), [
    "open − close",
    "mine",
    "day_times",
    "sum of unit_price × quantity",
    "mean of (a + b)",
    "sum of цена × количество",
    "Turnover",
    "maximum of ((a − b) / c)",
    "min_of_both",
    "sum_if",
    "sum_odd",
    "price_per_kg",
  ]);
  assert.deepEqual(called("ru", query, columns).slice(3, 6), [
    "сумма unit_price × quantity",
    "среднее (a + b)",
    "сумма «цена × количество»",
  ]);
  // As the engine names it where nobody did, and with a number beside it.
  const plain = { select: ["sum(a * b)", "percentile(a / b, 0.9)"] };
  assert.deepEqual(called("en", plain, float(...plain.select)), [
    "sum of a × b",
    "percentile 90 of a / b",
  ]);
});

test("labels stay, units are said once, and no two columns are called the same", () => {
  const columns = [
    { name: "weight (kg)", kind: "float", unit: "kg" },
    { name: "sum_total", kind: "float", label: "Выручка" },
  ];
  const heads = headsOf("ru", columns, { select: "sum(total)" });
  assert.deepEqual(heads[0], { ...columns[0], label: "weight", unit: "кг" });
  assert.equal(headText(heads[1]), "Выручка");
  assert.equal(headsOf("en", columns)[0].unit, "kg");
  // The names of the engine are behind them.
  assert.deepEqual(
    heads.map(({ name }) => name),
    ["weight (kg)", "sum_total"],
  );
  const twice = { map: { month: "monthname()", "monthname()": "monthname()" } };
  assert.deepEqual(called("en", twice, float("month", "monthname()")), ["month", "monthname()"]);
});

test("what is computed of a labelled column has its label", () => {
  knowTable("checks", [{ name: "total", kind: "float", label: "Расход" }]);
  const query = { table: "checks", group_by: "shop", select: ["sum(total)", "max(other)"] };
  const columns = float("shop", "sum_total", "max_other");
  assert.deepEqual(called("ru", query, columns), ["shop", "сумма расхода", "максимум other"]);
  assert.deepEqual(called("ru", { ...query, table: "others" }, columns)[1], "сумма total");
});

test("months, weekdays and quarters are named", () => {
  const names = (query, name) => headsOf("en", float(name), query)[0].names;
  assert.equal(names({ map: { month: "month()" } }, "month"), "month");
  assert.equal(names({ map: { month: "round(x)" } }, "month"), undefined);
  assert.equal(valueName("ru", "month", "Jan"), "январь");
  // Facts have the names of the prose.
  assert.equal(valueName("ru", "month", "February"), "февраль");
  assert.equal(valueName("en", "month", "февраль"), "Feb");
  assert.equal(valueName("en", "weekday", "воскресенье"), "Sun");
  assert.equal(valueName("en", "month", 12), "Dec");
  assert.equal(valueName("ru", "weekday", "Mon"), "пн");
  assert.equal(valueName("en", "weekday", 6), "Sun");
  assert.equal(valueName("ru", "quarter", 3), "III кв.");
  assert.equal(valueName("en", "quarter", 3n), "Q3");
  for (const wrong of ["Brumaire", 13, 0, -1, null, 1.5]) {
    assert.equal(valueName("ru", "month", wrong), undefined, String(wrong));
  }
  assert.equal(valueName("ru", undefined, "Mon"), undefined);
});

test("the place where a text stops being JSON", () => {
  const at = (text) => {
    const { line, column, sign } = jsonPlace(text);
    return `${line}:${column}${sign}`;
  };
  assert.equal(at('{"a": 1,}'), "1:9}");
  assert.equal(at('{\n  "a": [1, 2\n}'), "3:1}");
  assert.equal(at('{\n  "a": x\n}'), "2:8x");
  assert.equal(at('{"a" 1}'), "1:61");
  assert.equal(at('{"a": 1'), "1:8");
  assert.equal(at(""), "1:1");
  assert.equal(at('{"a": 1} x'), "1:10x");
  assert.equal(at("{'a': 1}"), "1:2'");
  assert.equal(at("[".repeat(200_000)).endsWith("["), true);
});

test("a share of a file has its sign and no code for it", () => {
  const [head] = headsOf("ru", [{ name: "скидка_pct", kind: "int", unit: "%" }]);
  assert.deepEqual([head.label, head.unit], ["скидка", "%"]);
});
