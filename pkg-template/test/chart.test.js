// Charts of groups by parts of time, of groups without a name, and of numbers as names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

const PARTS = [
  "chart/along",
  "chart/bins",
  "chart/calendar",
  "chart/points",
  "chart/spec",
  "chart/shape",
  "chart/words",
  "fits",
  "table/format",
  "table/rows",
];
const { outputFiles } = await build({
  stdin: {
    contents: PARTS.map((one) => `export * from "./src/element/${one}.ts";`).join("\n"),
    resolveDir: new URL("..", import.meta.url).pathname,
  },
  bundle: true,
  write: false,
  format: "esm",
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const chart = await import(`data:text/javascript;base64,${code}`);

const source = (columns, rows) =>
  chart.inMemory(
    columns.map(([name, kind]) => ({ name, kind })),
    rows,
  );
const draw = (from, choice) =>
  chart.draw(from, choice, "(missing)", () => undefined, new AbortController().signal);

test("groups by year and by month are one line along time, whatever their order", async () => {
  const key = (name, kind) => ({ name, kind, role: "key" });
  const year = key("year", "int");
  const month = key("month", "text");
  const city = key("city", "text");
  const sum = { name: "sum_total", kind: "float", role: "measure" };
  const result = (columns, more) => ({
    metadata: {},
    kind: "grouped",
    table: {},
    query: { table: "t" },
    rows: 24,
    columns,
    chart: { kind: "line", x: "year", y: ["sum_total"], series: "month" },
    ...more,
  });
  const line = { kind: "line", x: "month", years: "year", y: ["sum_total"] };
  assert.deepEqual(chart.chartOf(result([year, month, sum])), line);
  assert.deepEqual(chart.chartOf(result([month, year, sum])), line);
  const cities = result([city, month, year, sum], { chart: undefined });
  assert.deepEqual(chart.chartOf(cities), { ...line, series: "city" });
  assert.deepEqual(chart.tooManyKeys(cities), []);
  // The largest of them are no course of time, and more keys than these have no room.
  const top = result([year, month, sum], { query: { table: "t", limit: 3 } });
  assert.equal(chart.chartOf(top).kind, "bar");
  const four = result([city, key("shop", "text"), month, year, sum], { chart: undefined });
  assert.equal(chart.chartOf(four), undefined);
  // A statement's, too.
  const mapped = [year, month, sum].map((one) => ({ ...one, role: "mapped" }));
  const sql = result(mapped, { kind: "table", chart: undefined, query: { sql: "…" } });
  assert.deepEqual(chart.chartOf(sql), line);
  // What a person chooses instead, and back.
  const columns = [year, month, city, sum];
  const other = chart.along(line, "year", columns);
  assert.deepEqual(other, { kind: "line", x: "year", y: ["sum_total"], series: "month" });
  assert.deepEqual(chart.alongMonths(other, columns), line);
  assert.equal(chart.isPossible(line, columns), true);
  assert.equal(chart.isPossible(line, columns.slice(1)), false);

  const kinds = columns.map(({ name, kind }) => [name, kind]);
  const names = [
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
  ];
  const rows = names
    .flatMap((name, i) => [2022, 2023, 2024].map((of) => [of, name, "a", of * 12 + i - 24263]))
    .filter(([of, name]) => of !== 2023 || name !== "Feb");
  const drawing = await draw(source(kinds, [...rows, [null, "Jan", "a", 5]]), line);
  assert.equal(drawing.points.length, 35);
  const values = drawing.points.map(({ y }) => y);
  assert.deepEqual(
    values,
    [...values].sort((a, b) => a - b),
  );
  assert.deepEqual(drawing.omitted, [{ code: "empty", count: 1 }]);
  const [en, ru] = ["en", "ru"].map((locale) => new chart.CellFormat(locale));
  assert.equal(
    chart.describe(drawing, columns, en),
    "Line of sum_total over month: 35 points, from Jan 2022 to Dec 2024. " +
      "Highest: 36 at Dec 2024. Lowest: 1 at Jan 2022.",
  );
  assert.match(chart.describe(drawing, columns, ru), /с янв\. 2022 по дек\. 2024/);
  const look = { ink: "", quiet: "", line: "", ground: "", accent: "#07c", font: "", width: 600 };
  const { x } = chart.specOf(drawing, columns, en, look).encoding;
  // The month without rows keeps its place, and the names have room.
  assert.equal(x.scale.domain.length, 36);
  assert.equal(x.scale.domain[13], "Feb 2023");
  assert.deepEqual(x.axis.values, [
    "Jan 2022",
    "Jul 2022",
    "Jan 2023",
    "Jul 2023",
    "Jan 2024",
    "Jul 2024",
  ]);

  // By numbers and by quarters, a line for each city.
  const numbers = source(kinds, [
    [2024, 2, "b", 4],
    [2024, 1, "a", 3],
    [2023, 12, "b", 2],
    [2023, 12, "a", 1],
  ]);
  const apart = await draw(numbers, { ...line, series: "city" });
  assert.deepEqual(apart.series, ["b", "a"]);
  assert.deepEqual(
    apart.points.map(({ x, y }) => [chart.placeText(apart, en, x), y]),
    [
      ["Dec 2023", 2],
      ["Feb 2024", 4],
      ["Dec 2023", 1],
      ["Jan 2024", 3],
    ],
  );
  const quarters = source(
    [
      ["year", "int"],
      ["quarter", "int"],
      ["n", "int"],
    ],
    [
      [2024, 1, 2],
      [2023, 4, 1],
    ],
  );
  const drawn = await draw(quarters, { kind: "bar", x: "quarter", years: "year", y: ["n"] });
  assert.deepEqual(
    drawn.points.map(({ x }) => chart.placeText(drawn, en, x)),
    ["Q4 2023", "Q1 2024"],
  );
  const weeks = source(
    [
      ["year", "int"],
      ["week", "int"],
      ["n", "int"],
    ],
    [
      [2024, 1, 5],
      [2023, 53, 4],
      [2023, 50, 1],
      [2024, 3, 6],
    ],
  );
  const weekly = await draw(weeks, { kind: "line", x: "week", years: "year", y: ["n"] });
  assert.deepEqual([weekly.along, weekly.repeats, weekly.series], ["time", undefined, ["n"]]);
  assert.deepEqual(
    weekly.points.map(({ x }) => [chart.placeText(weekly, en, x), chart.stepText("ru", x, "week")]),
    [
      ["W50 2023", "50 нед. 2023"],
      ["W53 2023", "53 нед. 2023"],
      ["W1 2024", "1 нед. 2024"],
      ["W3 2024", "3 нед. 2024"],
    ],
  );
  // Rows of one month twice are none of a line, and what is no month is a name.
  const twice = source(kinds, [...rows, rows[0]]);
  assert.equal((await draw(twice, line)).repeats, true);
  const no = await draw(source(kinds, [[2024, "spring", "a", 1]]), line);
  assert.deepEqual([no.along, no.step, no.choice.series], ["name", undefined, "year"]);
});

test("a group without a name is no extreme of the others, and has no place on a line", async () => {
  const groups = source(
    [
      ["shop", "text"],
      ["n", "int"],
    ],
    [
      ["a", 5],
      ["b", 9],
      [null, 1],
    ],
  );
  const [en, ru] = ["en", "ru"].map((locale) => new chart.CellFormat(locale));
  const bars = await draw(groups, { kind: "bar", x: "shop", y: ["n"] });
  assert.equal(
    chart.describe(bars, groups.columns, en),
    "Bars of n by shop: 3 groups. Highest: 9 at b. Lowest: 5 at a. Set aside: 1 at (missing).",
  );
  assert.doesNotMatch(chart.describe(bars, groups.columns, ru), /\(\(/);
  const twice = source(
    [
      ["shop", "text"],
      ["kind", "text"],
      ["n", "int"],
    ],
    [
      ["a", "x", 5],
      ["b", "x", 9],
      ["a", null, 1],
      ["b", null, 2],
    ],
  );
  const pairs = await draw(twice, { kind: "bar", x: "shop", y: ["n"], series: "kind" });
  assert.match(
    chart.describe(pairs, twice.columns, en),
    /Lowest: 5 at a, x\. Set aside: 2 groups of an empty cell\.$/,
  );
  const line = await draw(groups, { kind: "line", x: "shop", y: ["n"] });
  assert.deepEqual(
    line.points.map(({ x }) => x),
    ["a", "b"],
  );
  assert.deepEqual(chart.omissions(line, groups.columns, en).slice(1), [
    "Rows without a value of shop have no place along the axis and are left out: 1.",
  ]);
});

test("a line through names that have no order says so, and bars do not", async () => {
  const columns = [
    ["group", "text"],
    ["n", "int"],
  ];
  const notes = async (kind, ...names) => {
    const from = source(
      columns,
      names.map((name, i) => [name, i]),
    );
    const drawing = await draw(from, { kind, x: "group", y: ["n"] });
    return ["en", "ru"].map((locale) =>
      chart.omissions(drawing, from.columns, new chart.CellFormat(locale)).join(" "),
    );
  };
  const [en, ru] = await notes("line", "Kuper", "Sever", "Zarya");
  assert.match(en, /^The values of group have no order: .* Bars compare them better\.$/);
  assert.match(ru, /^У значений «group» нет порядка: /);
  assert.deepEqual(await notes("bar", "Kuper", "Sever", "Zarya"), ["", ""]);
  // Months, weekdays and what has numbers in its name follow each other.
  assert.deepEqual(await notes("line", "March", "January"), ["", ""]);
  assert.deepEqual(await notes("line", "2024-Q1", "2024-Q2"), ["", ""]);
  assert.deepEqual(await notes("line", "18–24 years", "25–34 years", "65+"), ["", ""]);
});

test("numbers along an axis of names are written as elsewhere, unless two would be alike", async () => {
  const columns = [
    ["total", "float"],
    ["n", "int"],
  ];
  const format = new chart.CellFormat("en");
  const names = async (...totals) => {
    const from = source(
      columns,
      totals.map((total, i) => [total, i]),
    );
    const bars = await draw(from, { kind: "bar", x: "total", y: ["n"] });
    return [...chart.namesAlong(bars, from.columns, format).values()];
  };
  assert.deepEqual(await names(20822463.270000003, 0.5), ["20,822,463.27", "0.5"]);
  assert.deepEqual(await names(0.00001, 0.123456, 0.123457), ["0.00001", "0.123456", "0.123457"]);
  // Below zero there is a minus, whatever a number names.
  const ids = source(
    [
      ["id", "int"],
      ["n", "int"],
    ],
    [
      [-5, 1],
      [1000, -2],
    ],
  );
  const bars = await draw(ids, { kind: "bar", x: "id", y: ["n"] });
  assert.deepEqual([...chart.namesAlong(bars, ids.columns, format).values()], ["\u22125", "1000"]);
  const line = await draw(ids, { kind: "line", x: "id", y: ["n"] });
  assert.equal(chart.placeText(line, format, -5, ids.columns), "\u22125");
  assert.equal(chart.amountText(line, ids.columns, format, line.points[1]), "\u22122");
});

test("months and weekdays stand in the order of the calendar, unless another was asked for", async () => {
  const columns = [
    ["month", "text"],
    ["shop", "text"],
    ["n", "int"],
  ];
  const rows = [
    ["август", "b", 8],
    ["апрель", "b", 4],
    ["Январь", "a", 1],
    ["март", "a", 3],
    ["август", "a", 9],
  ];
  const heads = columns.map(([name, kind]) => ({ name, kind }));
  const ru = new chart.CellFormat("ru");
  const look = { ink: "", quiet: "", line: "", ground: "", accent: "#07c", font: "", width: 600 };
  const months = ["Январь", "март", "апрель", "август"];
  for (const kind of ["line", "bar"]) {
    const drawing = await draw(source(columns, rows), {
      kind,
      x: "month",
      y: ["n"],
      series: "shop",
    });
    assert.deepEqual([...new Set(drawing.points.map(({ x }) => x))], months);
    const spec = chart.specOf(drawing, heads, ru, look);
    assert.deepEqual(spec.encoding.x.sort, months);
    // A line joins the places in the order in which they stand.
    if (kind === "line") assert.equal(spec.encoding.order.field, "t");
    const placed = spec.data.values.map(({ x, t }) => [x, t]);
    assert.ok(placed.every(([x, t]) => months[t] === x));
  }
  // Lines of months, too, in the legend.
  const apart = await draw(source(columns, rows.slice(0, 4)), {
    kind: "bar",
    x: "shop",
    y: ["n"],
    series: "month",
  });
  assert.deepEqual(apart.series, months);
  const days = source(
    [
      ["day", "text"],
      ["n", "int"],
    ],
    [
      ["Wed", 3],
      [null, 9],
      ["Fri", 5],
      ["Mon", 1],
    ],
  );
  const choice = { kind: "bar", x: "day", y: ["n"] };
  const placesOf = ({ points }) => points.map(({ x }) => x);
  assert.deepEqual(placesOf(await draw(days, choice)), ["Mon", "Wed", "Fri", "(missing)"]);
  const none = new AbortController().signal;
  const asked = await chart.draw(days, choice, "(missing)", () => undefined, none, true);
  assert.deepEqual(placesOf(asked), ["Wed", "(missing)", "Fri", "Mon"]);
  const of = (query) => chart.isSorted({ metadata: {}, query });
  assert.equal(of({ table: "t", group_by: "monthname(d)" }), false);
  assert.equal(of({ table: "t", group_by: "monthname(d)", steps: [{ sort: "n desc" }] }), true);
  assert.equal(of({ sql: "SELECT m, sum(n) FROM t GROUP BY m" }), false);
  assert.equal(of({ sql: "SELECT m, sum(n) FROM t GROUP BY m ORDER  BY 2" }), true);
});

test("another key along the axis changes places with the split", async () => {
  const columns = [
    ["department", "text"],
    ["position", "text"],
    ["pay", "float"],
  ].map(([name, kind]) => ({ name, kind }));
  const split = { kind: "bar", x: "department", y: ["pay"], series: "position" };
  const other = { kind: "bar", x: "position", y: ["pay"], series: "department" };
  assert.deepEqual(chart.along(split, "position", columns), other);
  assert.deepEqual(chart.along(other, "department", columns), split);
  const months = { kind: "line", x: "month", years: "year", y: ["pay"] };
  assert.deepEqual(chart.along(months, "year", columns), {
    kind: "line",
    x: "year",
    y: ["pay"],
    series: "month",
  });
  assert.deepEqual(chart.alongOf(columns, split), ["department", "position"]);
  assert.deepEqual(chart.apartOf({ kind: "bar", x: "position", y: ["pay"] }, columns, undefined), [
    "department",
  ]);
});

test("a line never goes up and down at one place", async () => {
  for (const [kind, place] of [
    ["text", (i) => `p${i % 2}`],
    ["int", (i) => i % 2],
    ["date", (i) => `2024-01-0${1 + (i % 2)}`],
  ]) {
    const rows = [0, 1, 2, 3].map((i) => [place(i), `d${i > 1}`, i]);
    const from = source(
      [
        ["place", kind],
        ["department", "text"],
        ["pay", "float"],
      ],
      rows,
    );
    const line = { kind: "line", x: "place", y: ["pay"] };
    assert.equal((await draw(from, line)).repeats, true, kind);
    const apart = await draw(from, { ...line, series: "department" });
    assert.equal(apart.repeats, undefined, kind);
    assert.equal(apart.points.length, 4);
  }
});

test("a line has a gap where a series has no point, and its legend strokes", async () => {
  const columns = [
    ["place", "text"],
    ["shop", "text"],
    ["sum", "int"],
  ];
  const from = source(columns, [
    ["a", "s", 1],
    ["b", "s", 2],
    ["c", "s", 3],
    ["a", "t", 4],
    ["c", "t", 5],
  ]);
  const drawing = await draw(from, { kind: "line", x: "place", y: ["sum"], series: "shop" });
  const heads = columns.map(([name, kind]) => ({ name, kind, label: name }));
  const look = { accent: "#07c", font: "serif", dark: false, width: 600 };
  const spec = chart.specOf(drawing, heads, new chart.CellFormat("en"), look);
  assert.deepEqual(
    spec.data.values.filter(({ y }) => y === null).map(({ x, s }) => [x, s]),
    [["b", "t"]],
  );
  assert.equal(drawing.points.length, 5);
  assert.equal(spec.encoding.color.legend.symbolType, "stroke");
});

test("bars in place of a pie are shares of what is there, with a word why", async () => {
  const columns = [
    ["shop", "text"],
    ["sum_total", "float"],
  ];
  const heads = columns.map(([name, kind]) => ({ name, kind, label: name.replace("_", " of ") }));
  const [en, ru] = ["en", "ru"].map((locale) => new chart.CellFormat(locale));
  const choice = { kind: "bar", x: "shop", y: ["sum_total"], pie: "shares" };
  const rows = [
    ["a", 30],
    ["b", 60],
    ["c", null],
    ["d", 0.001],
  ];
  const shares = await draw(source(columns, rows), choice);
  assert.deepEqual(
    shares.points.map(({ y }) => y),
    [33.33, 66.67, 0.0011],
  );
  const named = chart.drawnHeads(heads, shares, "en");
  assert.equal(
    chart.describe(shares, named, en),
    "Bars of share of sum of total (%) by shop: 3 groups. Highest: 66.67 at b. Lowest: 0.0011 at d.",
  );
  assert.equal(
    chart.omissions(shares, named, en)[0],
    "Bars in place of a pie: lengths compare better than slices.",
  );
  assert.equal(
    chart.omissions(shares, named, ru)[0],
    "Столбцы вместо круга: длины сравнивать легче, чем доли круга.",
  );
  assert.equal(
    chart.titleOf(chart.drawnHeads(heads, shares, "ru"), "sum_total"),
    "доля: sum of total, %",
  );
  // Debts have no share, nor what does not add up; the reason is told all the same.
  for (const [one, of] of [
    [[...rows, ["e", -1]], choice],
    [rows, { ...choice, pie: "values" }],
    [Array.from({ length: 61 }, (_, i) => [`s${i}`, 1]), choice],
  ]) {
    const values = await draw(source(columns, one), of);
    assert.equal(values.shares, undefined);
    assert.equal(values.points[0].y, one[0][1]);
    assert.equal(values.omitted[0].code, "pie");
    assert.equal(chart.drawnHeads(heads, values, "en"), heads);
  }
});
test("of values below zero a chart says which is furthest from it, not which is highest", async () => {
  const [en, ru] = ["en", "ru"].map((locale) => new chart.CellFormat(locale));
  const kinds = [
    ["month", "text"],
    ["spent", "int"],
    ["who", "text"],
  ];
  const rows = [
    ["A", -117_921, "x"],
    ["B", -397_951, "y"],
  ];
  const groups = source(kinds, rows);
  const bars = await draw(groups, { kind: "bar", x: "month", y: ["spent"] });
  assert.match(
    chart.describe(bars, groups.columns, en),
    /: 2 groups\. Furthest below zero: −397,951 at B; closest to it: −117,921 at A\.$/,
  );
  assert.match(
    chart.describe(bars, groups.columns, ru),
    /\. Дальше всего от нуля: −397\s951 \(B\); ближе всего к нему: −117\s921 \(A\)\.$/,
  );
  const split = await draw(groups, { kind: "bar", x: "month", y: ["spent"], series: "who" });
  assert.match(
    chart.describe(split, groups.columns, en),
    /Furthest below zero: −397,951 at B, y; closest to it: −117,921 at A, x\./,
  );
  const mixed = source(kinds, [...rows, ["C", 0, "x"]]);
  const some = await draw(mixed, { kind: "bar", x: "month", y: ["spent"] });
  assert.match(
    chart.describe(some, mixed.columns, en),
    /Highest: 0 at C\. Lowest: −397,951 at B\./,
  );
});

test("months stand in Russian as the words around them want", async () => {
  const ru = new chart.CellFormat("ru");
  const at = (month) => Date.UTC(2023, month, 1);
  const since = (month) => chart.stepText("ru", at(month), "month", true);
  assert.deepEqual([2, 4, 5, 7].map(since), ["марта 2023", "мая 2023", "июня 2023", "авг. 2023"]);
  assert.equal(chart.stepText("ru", at(5), "quarter", true), "II кв. 2023");
  assert.equal(chart.stepText("en", at(5), "month", true), "Jun 2023");
  const groups = source(
    [
      ["year", "int"],
      ["month", "int"],
      ["n", "int"],
    ],
    [
      [2023, 6, 1],
      [2025, 8, 2],
    ],
  );
  const line = { kind: "line", x: "month", years: "year", y: ["n"] };
  const drawing = await draw(groups, line);
  assert.match(chart.describe(drawing, groups.columns, ru), /с июня 2023 по авг\. 2025/);
});

test("bars of a group stand apart by more than their edges", async () => {
  const en = new chart.CellFormat("en");
  const look = { ink: "", quiet: "", line: "", ground: "", accent: "#07c", font: "", width: 600 };
  const names = [..."abcde"];
  const groups = source(
    [
      ["shop", "text"],
      ["n", "int"],
      ["who", "text"],
    ],
    ["s", "t", "u"].flatMap((shop) => names.map((who, i) => [shop, i + 1, who])),
  );
  const bars = await draw(groups, { kind: "bar", x: "shop", y: ["n"], series: "who" });
  const { encoding, mark } = chart.specOf(bars, groups.columns, en, look);
  const each = ((600 - 70) / 3) * (1 - encoding.x.scale.paddingInner) * (1 / names.length);
  const { paddingInner } = encoding.xOffset.scale;
  assert.ok(paddingInner * each > mark.strokeWidth && paddingInner <= 0.5, `${paddingInner}`);
});

test("of groups of all years together the words and the title of a file say so", async () => {
  const columns = [
    ["month", "text"],
    ["sum_total", "float"],
  ];
  const rows = [
    ["Jan", 1.5],
    ["Feb", 2],
  ];
  const drawing = await draw(source(columns, rows), { kind: "bar", x: "month", y: ["sum_total"] });
  const heads = columns.map(([name, kind]) => ({ name, kind }));
  const [en, ru] = ["en", "ru"].map((locale) => new chart.CellFormat(locale));
  assert.doesNotMatch(chart.describe(drawing, heads, en), /years/);
  drawing.together = chart.areTogether({ explanation: "Group by month (all years together)." });
  assert.match(chart.describe(drawing, heads, en), /All years are together here\.$/);
  assert.match(chart.describe(drawing, heads, ru), /Годы здесь вместе\.$/);
  assert.equal(chart.shownText(drawing, heads, en), "sum_total by month, all years together");
  assert.match(chart.shownText(drawing, heads, ru), /годы вместе/);
  assert.ok(chart.areTogether({ explanation: "Сгруппировать по month (все годы вместе)." }));
  assert.ok(!chart.areTogether({ explanation: "Group by month." }));
  assert.ok(!chart.areTogether({ name: "t" }));
});

test("what the tools for purchases list are bars by its names, of few values a histogram is coarse", () => {
  const column = ([name, kind]) => ({ name, kind, role: "mapped" });
  const result = (columns, rows) => ({
    metadata: {},
    kind: "table",
    table: {},
    query: { sql: "…" },
    rows,
    columns: columns.map(column),
  });
  const item = ["item_name", "text"];
  const category = ["product_name", "text"];
  const shop = ["shop", "text"];
  const often = result([category, ["purchase_count", "int"], ["total_amount", "float"], shop], 20);
  assert.deepEqual(chart.chartOf(often), { kind: "bar", x: "product_name", y: ["purchase_count"] });
  const lines = result([item, category, ["price", "float"], ["amount", "float"]], 11);
  assert.deepEqual(chart.chartOf(lines), { kind: "bar", x: "item_name", y: ["amount"] });
  assert.equal(chart.chartOf({ ...lines, rows: 90 }).kind, "histogram");
  assert.ok(chart.bins([1005.67, 1007.87, 1007.93, 1008.05, 1008.48], false).length <= 5);
});

test("months go along the axis whatever their order, and a list is drawn by what orders it", () => {
  const key = (name, kind) => ({ name, kind, role: "key" });
  const sum = { name: "sum_total", kind: "float", role: "measure" };
  const grouped = (columns, drawn) => ({
    metadata: {},
    kind: "grouped",
    table: {},
    query: {},
    rows: 40,
    columns,
    chart: { kind: "bar", y: ["sum_total"], ...drawn },
  });
  const both = [key("shop", "text"), key("month", "text"), sum];
  const line = { kind: "bar", x: "month", y: ["sum_total"], series: "shop" };
  assert.deepEqual(chart.chartOf(grouped(both, { x: "shop", series: "month" })), line);
  assert.deepEqual(chart.chartOf(grouped(both, { x: "month", series: "shop" })), line);
  const other = { x: "shop", series: "town" };
  assert.equal(chart.chartOf(grouped([...both, key("town", "text")], other)).x, "shop");

  const column = (name) => ({ name, kind: "float", role: "source" });
  const list = (sort) => ({
    metadata: {},
    kind: "table",
    table: {},
    query: { sort },
    rows: 5,
    columns: ["length", "mass", "price"].map(column),
  });
  assert.equal(chart.chartOf(list("-mass")).x, "mass");
  assert.equal(chart.chartOf(list(["mass desc"])).x, "mass");
  assert.equal(chart.chartOf(list(undefined)).x, "price");
});
