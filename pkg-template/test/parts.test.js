// The pure parts of <pinhole-table> and <pinhole-chart>: texts of cells, orders, files, points,
// ranges, specs. They are bundled as the package bundles them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

async function module(path) {
  const { outputFiles } = await build({
    stdin: {
      contents: path.map((one) => `export * from "./src/element/${one}.ts";`).join("\n"),
      resolveDir: new URL("..", import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: "esm",
  });
  const [{ contents }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(contents).toString("base64")}`);
}

const table = await module([
  "table/filter",
  "table/format",
  "table/sort",
  "table/save",
  "table/rows",
  "table/selection",
]);
const chart = await module([
  "chart/along",
  "chart/points",
  "chart/bins",
  "chart/thin",
  "chart/spec",
  "chart/shape",
  "chart/words",
  "fits",
  "table/format",
]);

/** Rows of plain data as a source. */
const source = (columns, rows) =>
  table.inMemory(
    columns.map(([name, kind, unit]) => ({ name, kind, ...(unit ? { unit } : {}) })),
    rows,
  );
const idle = () => undefined;
const draw = (from, choice) =>
  chart.draw(from, choice, "(missing)", idle, new AbortController().signal);

test("importing the elements on a server does nothing", async () => {
  for (const part of ["table", "chart"]) {
    assert.deepEqual(Object.keys(await import(`../dist/element/${part}.js`)), []);
  }
  assert.equal(globalThis.customElements, undefined);
});

test("measures far from the first in size are not drawn beside it", () => {
  const points = [
    { series: "sum", y: 40_000 },
    { series: "mean", y: 2_000 },
    { series: "count", y: 9 },
    { series: "none", y: null },
  ];
  assert.deepEqual(chart.sameSize(["sum", "mean", "count"], points), ["sum", "mean"]);
  assert.deepEqual(chart.sameSize(["count", "sum", "none"], points), ["count", "none"]);
});

test("groups of more than two keys have no room in a chart", () => {
  const key = (name) => ({ name, kind: "text", role: "key" });
  const result = (...keys) => ({ kind: "grouped", rows: 9, table: {}, columns: keys.map(key) });
  const names = (of) => chart.tooManyKeys(of).map(({ name }) => name);
  assert.deepEqual(names(result("a", "b", "c")), ["a", "b", "c"]);
  assert.deepEqual(names(result("a", "b")), []);
});

test("numbers that name something have no groups of digits", () => {
  const code = (name, kind = "int", role) => table.isCode({ name, kind, role });
  for (const name of ["id", "receipt_id", "shopId", "Year", "birth_year", "zip", "год"])
    assert.ok(code(name), name);
  for (const name of ["amount", "paid", "void", "ideas", "yearly", "grid"])
    assert.ok(!code(name), name);
  assert.ok(code("hour", "int", "key"));
  assert.ok(!code("price", "float", "key"));
  const en = new table.CellFormat("en");
  assert.equal(en.cell(2024, "int", { code: true }), "2024");
  assert.equal(en.cell(null, "int", { code: true }), "null");
  // One sign for all: a hyphen is no minus, whatever a number names, and however it came.
  assert.equal(en.cell(-7, "int", { code: true }), "\u22127");
  assert.equal(en.cell("-7-9", "text", { code: true }), "-7-9");
  for (const minus of ["-", "\u2212"]) assert.equal(en.decimal(`${minus}1234.5`), "\u22121,234.5");
});

test("computed money has two digits behind the point, what a file holds has its own", () => {
  const money = (name, unit, role) => table.isMoney({ name, unit, role });
  for (const [name, unit] of [
    ["mean_price", undefined],
    ["sum_Сумма", undefined],
    ["avg_order_amount", undefined],
    ["mean_fare_total", "€"],
  ])
    assert.ok(money(name, unit), name);
  assert.ok(money("x", "RUB", "measure"));
  assert.ok(!money("price", "€"));
  assert.ok(!money("mean_weight", "kg"));
  assert.ok(!money("mean_pricey"));
  const en = new table.CellFormat("en");
  assert.equal(en.cell(12.3456, "float", { money: true }), "12.35");
  assert.equal(en.cell(0.0345, "float", { money: true }), "0.0345");
  assert.equal(en.cell(310.5, "float", { money: true }), "310.5");
});

test("amounts of money have two digits where their column has parts", () => {
  const has = (name, values, unit) => table.hasCents({ name, unit }, values);
  assert.ok(has("amount", [12, 12.5]));
  assert.ok(has("sum_total", [12.5]));
  assert.ok(has("итого", [12.5]));
  assert.ok(has("x", [0.5], "€"));
  assert.ok(!has("amount", [12, 13, null]));
  assert.ok(!has("weight", [12.5]));
  assert.ok(!has("total_hours", [12.5]));
  assert.ok(!has("price", [12.5], "kg"));
  const en = new table.CellFormat("en");
  const ru = new table.CellFormat("ru");
  const cents = { cents: true };
  assert.equal(en.cell(1012.5, "float", cents), "1,012.50");
  assert.equal(ru.cell(12, "float", cents), "12,00");
  assert.equal(en.cell(12.3456, "float", cents), "12.3456");
  assert.equal(en.cell(12.3456, "float", { ...cents, money: true }), "12.35");
  assert.equal(en.cell(null, "float", cents), "null");
});

test("cells are written by language, exactly where they are whole", () => {
  const en = new table.CellFormat("en");
  const ru = new table.CellFormat("ru");
  for (const [value, kind, english, russian] of [
    [null, "float", "null", "null"],
    [2024, "int", "2,024", "2 024"],
    [2268.8, "float", "2,268.8", "2 268,8"],
    [1234567, "int", "1,234,567", "1 234 567"],
    [2n ** 62n, "int", "4,611,686,018,427,387,904", "4 611 686 018 427 387 904"],
    [
      "12345678901234567890.120",
      "decimal(3)",
      "12,345,678,901,234,567,890.120",
      "12 345 678 901 234 567 890,120",
    ],
    ["-0.50", "decimal(2)", "\u22120.50", "\u22120,50"],
    ["1234", "decimal(0)", "1,234", "1 234"],
    [`0.${"1".repeat(38)}`, "decimal(38)", `0.${"1".repeat(38)}`, `0,${"1".repeat(38)}`],
    [0.1 + 0.2, "float", "0.3", "0,3"],
    [0.00001234, "float", "0.00001234", "0,00001234"],
    [1e-9, "float", "1.000e-9", "1.000e-9"],
    [NaN, "float", "NaN", "NaN"],
    ["2024-02-29", "date", "2024-02-29", "29.02.2024"],
    ["2024-02-29 09:30:00", "timestamp", "2024-02-29 09:30", "29.02.2024 09:30"],
    ["2024-02-29T09:30:05.250", "timestamp", "2024-02-29 09:30:05.250", "29.02.2024 09:30:05.250"],
    ["2024-02-29", "text", "2024-02-29", "2024-02-29"],
    [new Date("2024-02-29"), "date", "2024-02-29", "29.02.2024"],
    // A daily bar is shown as its date, and no zone is put behind a time of the table's clock.
    [new Date("2024-02-29"), "timestamp", "2024-02-29", "29.02.2024"],
    [new Date("2024-02-29T09:30Z"), "timestamp", "2024-02-29 09:30", "29.02.2024 09:30"],
    [
      new Date("2024-02-29T00:00:00.250Z"),
      "timestamp",
      "2024-02-29 00:00:00.250",
      "29.02.2024 00:00:00.250",
    ],
    [new Date(NaN), "timestamp", "", ""],
    ["two\nlines", "text", "two ⏎ lines", "two ⏎ lines"],
    [true, "bool", "true", "true"],
    [["a", null, "b,c"], "list(text)", '["a",null,"b,c"]', '["a",null,"b,c"]'],
    [[1, 2n ** 62n], "list(int)", "[1,4611686018427387904]", "[1,4611686018427387904]"],
    [[], "list(float)", "[]", "[]"],
  ]) {
    assert.equal(en.cell(value, kind), english);
    assert.equal(ru.cell(value, kind).replace(/\u00a0|\u202f/g, " "), russian);
  }
  assert.equal(en.cell("😀".repeat(400), "text").length, 301);
});

test("rows are sorted as the engine sorts them", () => {
  const sort = (values, kind, direction = "asc") =>
    table
      .sortRows(
        values.map((value, i) => [value, i]),
        0,
        { name: "c", kind },
        direction,
      )
      .map(([value]) => value);
  assert.deepEqual(sort([2, null, 1, 10n, 1.5], "float"), [1, 1.5, 2, 10n, null]);
  assert.deepEqual(sort([2, null, 1], "float", "desc"), [2, 1, null]);
  assert.deepEqual(
    sort(
      ["10", "-0.5", "9.99", "-2", "0.0", "12345678901234567891", "12345678901234567890"],
      "decimal(1)",
    ),
    ["-2", "-0.5", "0.0", "9.99", "10", "12345678901234567890", "12345678901234567891"],
  );
  assert.deepEqual(sort(["b", "B", "", "я", "\u{1f600}", "\uffee"], "text"), [
    "",
    "B",
    "b",
    "я",
    "\uffee",
    "\u{1f600}",
  ]);
});

test("an order is asked for without changing which rows there are", () => {
  const by = (query) => table.sorted(query, "x", "desc");
  assert.deepEqual(by({ table: "t" }), { table: "t", sort: "x desc" });
  assert.deepEqual(by({ table: "t", sort: "y" }), { table: "t", sort: "x desc" });
  assert.deepEqual(by({ table: "t", limit: 5, sort: "y", columns: ["x"] }), {
    table: "t",
    limit: 5,
    sort: "y",
    steps: [{ sort: "x desc", columns: ["x"] }],
  });
  assert.deepEqual(by({ table: "t", steps: [{ where: "x > 1", limit: 2 }] }).steps, [
    { where: "x > 1", limit: 2 },
    { sort: "x desc" },
  ]);
  assert.equal(by({ sql: "SELECT 1" }), undefined);
  assert.equal(by({ limit: 1, steps: Array(8).fill({ limit: 1 }) }), undefined);
  assert.deepEqual(table.sorted({ table: "t" }, "dayname()", "asc").sort, "`dayname()`");
  assert.equal(table.sorted({ table: "t" }, "a`b", "asc"), undefined);
});

test("rows are asked for with all their columns, and no more rows than are meant", () => {
  const columns = ["x"];
  assert.equal(table.widened({ table: "t" }, 9), undefined);
  assert.equal(table.widened({ sql: "SELECT 1" }, 9), undefined);
  assert.deepEqual(table.widened({ table: "t", sort: "x", columns }, 9), {
    table: "t",
    sort: "x",
    limit: 9,
  });
  assert.equal(table.widened({ table: "t", limit: 5, columns }, 9).limit, 5);
  assert.deepEqual(
    table.widened({ table: "t", limit: 50, steps: [{ limit: 20 }, { sort: "x", columns }] }, 9),
    { table: "t", limit: 50, steps: [{ limit: 20 }, { sort: "x", limit: 9 }] },
  );
});

test("files hold exact values", async () => {
  const big = 2n ** 62n;
  assert.equal(
    table.csvLine([big, null, 'a "b"', "1,5", "x\ny"]),
    `${big},,"a ""b""","1,5","x\ny"\n`,
  );
  assert.equal(table.csvLine([null]), '""\n');
  const dates = [new Date("2024-02-29"), new Date("2024-02-29T09:30Z")];
  assert.equal(table.csvLine(dates), "2024-02-29,2024-02-29T09:30:00\n");
  assert.equal(
    table.jsonRows(
      [
        { name: "n", kind: "int" },
        { name: "t", kind: "text" },
        { name: "d", kind: "decimal(2)" },
        { name: "c", kind: "text" },
      ],
      [[big, '\u0001big:0"', "10.50", "10.50"]],
      3,
    ),
    `,\n{"n":${big},"t":"\\u0001big:0\\"","d":10.50,"c":"10.50"}`,
  );
  // Nothing that a text or a name holds is taken for what stands for a number.
  for (const one of ["\u0001big:0", "\u0001big:1", '"\u0001big:0"', "\\u0001big:0"]) {
    const said = table.json({ n: big, [one]: one, list: [one] }, 2);
    assert.deepEqual(JSON.parse(said), { n: Number(big), [one]: one, list: [one] });
    assert.match(said, new RegExp(`"n": ${big},`));
  }
  // A spreadsheet of a region with decimal commas: texts that look like numbers stay texts.
  const line = table.excelLine([{ kind: "float" }, { kind: "decimal(2)" }, { kind: "text" }]);
  assert.equal(line([-1.5, "10.50", "10.50"]), "-1,5;10,50;10.50\n");
  assert.equal(line([1e-7, null, "a;b"]), '1e-7;;"a;b"\n');
  assert.equal(line(["v.1", "x", "a,b"]), "v.1;x;a,b\n");
  // Excel takes a date and a time for such with a space between them alone.
  const moments = table.excelLine([{ kind: "timestamp" }, { kind: "text" }, { kind: "timestamp" }]);
  const at = "2025-04-10T05:16:00";
  assert.equal(moments([at, at, null]), `2025-04-10 05:16:00;${at};\n`);
  assert.equal(moments(["ts", "b", "Tea"]), "ts;b;Tea\n");
  assert.equal(table.csvLine([at]), `${at}\n`);
  assert.deepEqual([table.writesCommas("ru"), table.endingOf("excel")], [true, "-excel.csv"]);
  // There a text is no formula; numbers are numbers, and programs read texts as they are.
  const texts = [
    "=1+1",
    "+7",
    "@a",
    "\ta",
    "\ra",
    "-1+2",
    "-",
    "＝1",
    "-1,5",
    "-2.5e-7",
    "a=b",
    "",
  ];
  const guarded = table.excelLine(texts.map(() => ({ kind: "text" })));
  assert.equal(guarded(texts), "'=1+1;'+7;'@a;'\ta;\"'\ra\";'-1+2;'-;'＝1;-1,5;-2.5e-7;a=b;\n");
  assert.equal(line(["=a", -Infinity, null]), "'=a;'-Infinity;\n");
  assert.equal(table.csvLine(["=1+1", "@a", "-1+2"]), "=1+1,@a,-1+2\n");
  const rows = source(
    [["n", "int"]],
    Array.from({ length: 25_000 }, (_, i) => [i]),
  );
  const told = [];
  const file = await table.fileOf(rows, "csv", (n) => told.push(n), new AbortController().signal);
  assert.deepEqual(told, [10_000, 20_000, 25_000]);
  assert.equal((await file.text()).split("\n").length, 25_002);
  // Excel takes a CSV for UTF-8 by this mark alone.
  const bytes = new Uint8Array(await file.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  await assert.rejects(table.fileOf(rows, "json", idle, AbortSignal.abort()), /abort/i);
});

test("computed floats leave without the noise of their fractions, what a file held as it was", async () => {
  const columns = [
    { name: "a", kind: "float", role: "source" },
    { name: "b", kind: "float", role: "measure" },
    { name: "c", kind: "float", role: "mapped" },
    { name: "d", kind: "int", role: "measure" },
  ];
  const row = [0.1 + 0.2, 0.1 + 0.2, 1e4 / 3, 2 ** 53 - 1];
  const rows = table.inMemory(columns, [row, [null, 1e300, -1e-7 / 3, 5]]);
  const text = async (kind) => (await table.fileOf(rows, kind, idle, AbortSignal.any([]))).text();
  assert.equal(
    await text("csv"),
    "a,b,c,d\n0.30000000000000004,0.3,3333.33333333333,9007199254740991\n" +
      ",1e+300,-3.33333333333333e-8,5\n",
  );
  assert.match(await text("excel"), /^0,30000000000000004;0,3;/m);
  assert.match(await text("json"), /"a":0.30000000000000004,"b":0.3,/);
  assert.equal(table.tabbed(columns, [row]).slice(0, 23), "0.30000000000000004\t0.3");
  assert.equal(table.tabbed(columns, [row], [1, 2]), "0.3");
});

test("what goes into a spreadsheet is no formula there: headings, names of codes, copied cells", async () => {
  const columns = [
    { name: "-1+1", kind: "int" },
    { name: "=a", kind: "text" },
  ];
  const rows = table.inMemory(columns, [[-5, "=1+1"]]);
  const file = await table.fileOf(rows, "excel", idle, AbortSignal.any([]));
  assert.equal(await file.text(), "'-1+1;'=a\n-5;'=1+1\n");
  assert.equal(table.excelLine(columns)(["-2+cmd", "-5"]), "'-2+cmd;-5\n");
  assert.equal(table.tabbed(columns, [[-5, "=1+1"]]), "-5\t'=1+1");
  assert.equal(table.tabbed(columns, [[-5, "@a"]], [1, 2]), "@a", "a lone cell is as it is");
});

test("a file for people has the words of the screen, a file for programs has names", async () => {
  const columns = [
    { name: "month", kind: "text", role: "key" },
    { name: "sum_total", kind: "float", role: "measure", unit: "₽" },
  ];
  const rows = table.inMemory(columns, [
    ["Jan", -1.5],
    [null, 2],
  ]);
  const heads = [
    { ...columns[0], label: "месяц", names: "month" },
    { ...columns[1], label: "сумма total" },
  ];
  const text = async (kind) => {
    const file = await table.fileOf(rows, kind, idle, AbortSignal.any([]), { locale: "ru", heads });
    return file.text();
  };
  assert.equal(await text("excel"), "месяц;сумма total, ₽\nянварь;-1,5\n;2\n");
  assert.equal(await text("csv"), "month,sum_total\nJan,-1.5\n,2\n");
});

test("kinds that nobody says come from the values, and a page's names come first", async () => {
  for (const [values, kind] of [
    [["10.50", null, "-0.25"], "decimal(2)"],
    [["10.50", "9.5"], "text"],
    [["10", "20"], "text"],
    [["10.50", "a"], "text"],
    [[1, 2n], "int"],
    [[null], "text"],
  ]) {
    assert.equal(
      table.kindOf(values),
      kind,
      JSON.stringify(values, (_, v) => String(v)),
    );
  }
  const page = () => Promise.resolve({ columns: ["b", "c"], rows: [["1.5", 7]], total: 1 });
  const known = [
    { name: "a", kind: "text" },
    { name: "b", kind: "decimal(1)", unit: "EUR" },
  ];
  const { columns } = await table.openRows({ rows: idle, page, columns: known });
  assert.deepEqual(columns, [known[1], { name: "c", kind: "int" }]);
});

test("a handle without a length is measured by reading", async () => {
  for (const length of [0, 1, 99, 100, 101, 12_345]) {
    let calls = 0;
    const rows = (offset, limit) => {
      calls += 1;
      const size = Math.max(0, Math.min(limit, length - offset));
      return Promise.resolve(Array.from({ length: size }, (_, i) => ({ i: offset + i })));
    };
    assert.equal((await table.openRows({ rows })).total, length);
    assert.ok(calls < 40);
  }
});

test("histograms count every value once, in round ranges", () => {
  for (const [values, whole, expected] of [
    [[], true, []],
    [[5], true, [[5, 6, 1]]],
    [
      [1, 2, 2, 3],
      true,
      [
        [1, 2, 1],
        [2, 3, 2],
        [3, 4, 1],
      ],
    ],
    [[0, 0.5, 1], false, null],
    [[-0.3, 0.1, 0.3, 0.7], false, null],
    [[1e300, -1e300], false, null],
    [[1e-9, 3e-9], false, null],
    [Array.from({ length: 1000 }, (_, i) => i / 10), false, null],
    [Array.from({ length: 1000 }, (_, i) => (i * i) % 7919), true, null],
  ]) {
    const made = chart.bins(values, whole);
    if (expected)
      assert.deepEqual(
        made.map(({ from, to, count }) => [from, to, count]),
        expected,
      );
    assert.equal(
      made.reduce((all, { count }) => all + count, 0),
      values.length,
    );
    assert.ok(made.length <= 42, `${made.length}`);
    for (const [i, { from, to, count }] of made.entries()) {
      assert.ok(from < to);
      if (i > 0) assert.equal(from, made[i - 1].to);
      const last = i === made.length - 1;
      const inside = values.filter((v) => v >= from && (v < to || (last && v <= to)));
      assert.equal(count, inside.length, `${from}–${to} of ${values.length}`);
    }
  }
});

test("a thinned line keeps its extremes, its ends and its gaps", () => {
  const values = Array.from({ length: 100_000 }, (_, i) =>
    i > 50_000 && i < 60_000 ? null : Math.sin(i / 3000),
  );
  values[12_345] = 50;
  values[77_777] = -50;
  const kept = chart.thinned(values, 1000);
  assert.ok(kept.length <= 1000);
  for (const at of [0, 12_345, 77_777, 99_999]) assert.ok(kept.includes(at), `${at}`);
  assert.ok(
    kept.some((i) => values[i] === null),
    "the gap",
  );
  assert.ok(kept.every((at, i) => i === 0 || at > kept[i - 1]));
  assert.deepEqual(chart.thinned([3, 1, 2], 10), [0, 1, 2]);
});

test("charts are chosen by the engine's word, else by the columns", () => {
  const columns = [
    { name: "at", kind: "timestamp" },
    { name: "shop", kind: "text" },
    { name: "a", kind: "float", unit: "EUR" },
    { name: "b", kind: "int" },
  ];
  const handle = { rows: idle };
  assert.deepEqual(chart.fitting(handle, columns, 10), { kind: "line", x: "at", y: ["a"] });
  assert.deepEqual(chart.fitting(handle, columns.slice(1), 10), {
    kind: "bar",
    x: "shop",
    y: ["a"],
  });
  assert.deepEqual(chart.fitting(handle, columns.slice(1), 99), {
    kind: "histogram",
    x: "a",
    y: [],
  });
  assert.equal(chart.fitting(handle, columns.slice(1, 2), 99), undefined);
  assert.equal(chart.fitting(handle, columns, 0), undefined);
  const result = {
    metadata: {},
    kind: "grouped",
    table: {},
    query: {},
    columns: [],
    chart: { kind: "bar", x: "shop", y: ["a", "b"] },
  };
  assert.deepEqual(chart.fitting(result, columns, 3), { kind: "bar", x: "shop", y: ["a"] });
  assert.equal(chart.fitting({ ...result, chart: undefined }, columns, 3), undefined);
  const plain = { ...result, columns: [{ role: "source" }], kind: "table", chart: undefined };
  assert.deepEqual(chart.fitting(plain, columns, 3), {
    kind: "histogram",
    x: "a",
    y: [],
  });
  const bar = { kind: "bar", x: "shop", y: ["a"] };
  const lists = [{ name: "tags", kind: "list(text)" }, ...columns];
  assert.deepEqual(chart.alongOf(lists, bar), chart.alongOf(columns, bar));
  assert.deepEqual(chart.turned(bar, "histogram", columns), { kind: "histogram", x: "a", y: [] });
  assert.deepEqual(chart.turned({ kind: "histogram", x: "a", y: [] }, "line", columns), {
    kind: "line",
    x: "at",
    y: ["a"],
  });
  // A histogram along a name becomes bars of what it showed, along a time a line.
  const spread = { kind: "histogram", x: "a", y: [] };
  assert.deepEqual(chart.along(spread, "shop", columns), bar);
  assert.deepEqual(chart.along(spread, "at", columns), { kind: "line", x: "at", y: ["a"] });
  assert.deepEqual(chart.along(spread, "b", columns), { ...spread, x: "b" });
  assert.deepEqual(chart.along(bar, "at", columns), { ...bar, x: "at" });
  assert.equal(chart.isPossible(bar, columns), true);
  assert.equal(chart.isPossible({ ...bar, y: ["shop"] }, columns), false);
});

test("groups that a step made a table of open as bars by group, of what the step made", () => {
  const role = "mapped";
  const share = { name: "share_pct", kind: "float", unit: "%", role };
  const shop = { name: "shop", kind: "text", role };
  const query = {
    table: "t",
    group_by: "shop",
    select: "sum(a)",
    steps: [{ map: { share_pct: "sum_a / sum(sum_a) * 100" } }, { sort: "share_pct" }],
  };
  const result = {
    metadata: {},
    kind: "table",
    table: {},
    query,
    rows: 5,
    columns: [shop, { name: "sum_a", kind: "float", role }, share],
  };
  const bars = { kind: "bar", x: "shop", y: ["share_pct"] };
  assert.deepEqual(chart.chartOf(result), bars);
  const day = { name: "day", kind: "date", role };
  const both = { ...query, group_by: ["shop", "day"] };
  const columns = [shop, day, share];
  assert.deepEqual(chart.chartOf({ ...result, query: both, columns }), {
    kind: "line",
    x: "day",
    y: ["share_pct"],
    series: "shop",
  });
  // A statement says no groups: a few names with a number each are some.
  const said = { ...result, query: { sql: "…" }, columns: [shop, share] };
  assert.deepEqual(chart.chartOf(said), bars);
  assert.equal(chart.chartOf({ ...said, rows: 99 }).kind, "histogram");
});

test("a plain list has a chart as well, of what is counted; a single row has none", () => {
  const list = {
    metadata: {},
    kind: "table",
    table: {},
    query: { table: "t" },
    rows: 10,
    columns: [
      { name: "shop", kind: "text", role: "source" },
      { name: "receipt_id", kind: "int", role: "source" },
      { name: "amount", kind: "float", role: "source" },
    ],
  };
  assert.deepEqual(chart.chartOf(list), { kind: "histogram", x: "amount", y: [] });
  assert.equal(chart.chartOf({ ...list, rows: 1 }), undefined);
  assert.equal(chart.chartOf({ ...list, rows: 0 }), undefined);
  assert.equal(chart.chartOf({ ...list, columns: list.columns.slice(0, 1) }), undefined);
  const ids = list.columns.slice(0, 2);
  assert.equal(chart.chartOf({ ...list, columns: ids }), undefined);
  assert.equal(chart.whyNone(ids, 10), "codes");
  assert.equal(chart.whyNone(list.columns, 1), "one");
  assert.equal(chart.whyNone(ids.slice(0, 1), 10), "none");
  assert.equal(chart.whyNone(list.columns, 10), undefined);
  // Of a list that a statement made, too: amounts come before counts, and ids never.
  const made = (name, kind) => ({ name, kind, role: "mapped" });
  const receipts = [made("id", "int"), made("items_count", "int"), made("total", "float")];
  const sql = { ...list, query: { sql: "…" }, columns: receipts };
  assert.deepEqual(chart.chartOf(sql), { kind: "histogram", x: "total", y: [] });
  const said = { kind: "bar", x: "shop", y: ["amount"] };
  assert.deepEqual(chart.chartOf({ ...list, kind: "grouped", chart: said }), said);
  assert.equal(chart.chartOf({ ...list, kind: "grouped" }), undefined);
  assert.equal(chart.chartOf({ ...list, kind: "scalar", table: undefined }), undefined);
});

test("decimals are drawn as numbers", async () => {
  const sums = source(
    [
      ["shop", "text"],
      ["sum", "decimal(20)"],
      ["pieces", "decimal(0)"],
    ],
    [
      ["a", `9.50${"0".repeat(18)}`, "3"],
      ["b", `10.25${"0".repeat(18)}`, "4"],
    ],
  );
  const fits = chart.fitting({ rows: idle }, sums.columns, 2);
  assert.deepEqual(fits, { kind: "bar", x: "shop", y: ["sum"] });
  const bars = await draw(sums, fits);
  assert.deepEqual(
    bars.points.map(({ y }) => y),
    [9.5, 10.25],
  );
  assert.deepEqual(bars.omitted, [], "zeros at the end are no digits that are lost");
  const counted = await draw(sums, { kind: "histogram", x: "pieces", y: [] });
  assert.deepEqual(
    counted.points.map(({ x, to, y }) => [x, to, y]),
    [
      [3, 4, 1],
      [4, 5, 1],
    ],
    "whole numbers have whole ranges",
  );
  const lost = source([["x", "decimal(2)"]], [["1234567890123456.78"]]);
  assert.deepEqual((await draw(lost, { kind: "histogram", x: "x", y: [] })).omitted, [
    { code: "inexact" },
  ]);
});

test("what is drawn is bounded, and every omission is said", async () => {
  const columns = [
    ["x", "text"],
    ["y", "float", "EUR"],
  ];
  const many = source(
    columns,
    Array.from({ length: 100 }, (_, i) => [`g${i}`, i === 3 ? null : i]),
  );
  const bars = await draw(many, { kind: "bar", x: "x", y: ["y"] });
  // What has no value has no place among the bars.
  assert.equal(bars.points.length, 59);
  assert.ok(bars.points.every(({ x }) => x !== "g3"));
  assert.deepEqual(bars.omitted, [
    { code: "groups", shown: 60, all: 100 },
    { code: "nulls", count: 1 },
  ]);
  const twice = source(columns, [
    ["a", 1],
    ["a", 2],
  ]);
  assert.equal((await draw(twice, { kind: "bar", x: "x", y: ["y"] })).repeats, true);

  const format = new chart.CellFormat("en");
  assert.deepEqual(chart.omissions(bars, many.columns, format), [
    "Shown: 60 of 100 groups, the first in the order of the result. The other 40 are left out.",
    "Rows without a value, left out: 1.",
  ]);
  assert.equal(
    chart.describe(bars, many.columns, format),
    "Bars of y (EUR) by x: 59 groups. Highest: 59 at g59. Lowest: 0 at g0.",
  );

  // By their labels, where they have them.
  const labelled = many.columns.map((one) => ({
    ...one,
    label: { x: "Город", y: "Сумма" }[one.name],
  }));
  assert.match(
    chart.describe(bars, labelled, new chart.CellFormat("ru")),
    /^Столбцы – Сумма \(EUR\), по оси – Город: 59 групп\. /,
  );
  assert.deepEqual(chart.named(labelled, ["y", "z"]), [
    ["y", "Сумма"],
    ["z", "z"],
  ]);

  const times = source(
    [
      ["t", "timestamp"],
      ["y", "int"],
    ],
    [
      ["2024-03-31 02:30:00", 2n ** 60n],
      ["2024-01-01 00:00:00", 1],
    ],
  );
  const line = await draw(times, { kind: "line", x: "t", y: ["y"] });
  assert.deepEqual(
    line.points.map(({ x }) => x),
    [Date.UTC(2024, 0, 1), Date.UTC(2024, 2, 31, 2, 30)],
  );
  assert.deepEqual(line.omitted, [{ code: "inexact" }]);
  assert.equal(
    chart.describe(line, times.columns, format),
    "Line of y over t: 2 points, from 2024-01-01 to 2024-03-31 02:30. " +
      "Highest: 1,152,921,504,606,847,000 at 2024-03-31 02:30. Lowest: 1 at 2024-01-01.",
  );
  const lines = source(
    [
      ["t", "date"],
      ["s", "text"],
      ["y", "int"],
    ],
    Array.from({ length: 60 }, (_, i) => [`2024-01-0${1 + Math.floor(i / 12)}`, `s${i % 12}`, i]),
  );
  const apart = await draw(lines, { kind: "line", x: "t", y: ["y"], series: "s" });
  assert.equal(apart.series.length, 10);
  assert.deepEqual(apart.omitted, [{ code: "series", shown: 10, all: 12 }]);
});

test("a spec is plain data without an address, weekdays in the order of the week", async () => {
  const look = {
    ink: "#000",
    quiet: "#555",
    line: "#ddd",
    ground: "#fff",
    accent: "#07c",
    font: "x",
    dark: false,
    width: 600,
  };
  const format = new chart.CellFormat("en");
  const rows = source(
    [
      ["day", "text"],
      ["n", "int"],
    ],
    [
      ["Wed", 3],
      ["Mon", 1],
      [null, 2],
    ],
  );
  for (const kind of ["bar", "line", "histogram"]) {
    const choice = kind === "histogram" ? { kind, x: "n", y: [] } : { kind, x: "day", y: ["n"] };
    const drawing = await draw(rows, choice);
    const spec = chart.specOf(drawing, rows.columns, format, look);
    assert.deepEqual(JSON.parse(JSON.stringify(spec)), spec, kind);
    assert.doesNotMatch(JSON.stringify(spec), /http|url|href|"expr"|"signal"|\$schema/, kind);
    // The ends of the axis are those of its ticks.
    assert.ok(spec.encoding.y.axis.tickCount === spec.encoding.y.scale.nice, kind);
    // A line has no place for rows without a name.
    const days = ["Mon", "Wed", ...(kind === "bar" ? ["(missing)"] : [])];
    if (kind !== "histogram") assert.deepEqual(spec.encoding.x.sort, days);
  }
});
