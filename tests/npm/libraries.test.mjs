// Tables of other libraries, made by the libraries themselves: what is loaded of them is what they
// hold, and they read what the package writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as flechette from "@uwdata/flechette";
import * as arrow from "apache-arrow";
import * as aq from "arquero";
import { installed } from "./installed.mjs";

const { load } = await installed("node");
const { Pinhole } = await load(".");

async function engine(t) {
  const ph = await Pinhole.open({ worker: false });
  t.after(() => ph.close());
  return ph;
}

/** Kinds and rows of what is loaded. */
async function read(ph, source) {
  const { columns, report } = await ph.load("t", source, { time: false });
  assert.equal(report.format, "arrow");
  const page = await (await ph.query({ table: "t" })).table.page();
  return {
    kinds: Object.fromEntries(columns.map(({ name, kind }) => [name, kind])),
    rows: page.rows,
  };
}

const moment = (text) => new Date(`${text}Z`);

/** A column of each kind, each with a value that is missing, and texts that come twice. */
const COLUMNS = {
  shop: ["Kuper", null, "Vkusno", "Kuper", "Ёлка"],
  amount: [100, 1.5, null, -2, 0.25],
  count: [1, 2, 3, null, 5],
  large: [1n, null, 2n ** 60n, -(2n ** 60n), 0n],
  paid: [true, false, null, true, false],
  at: [
    moment("1970-01-01T00:00:00"),
    null,
    moment("2024-02-29T12:30:00"),
    moment("2024-02-29T12:30:00.250"),
    moment("1969-12-31T23:59:59"),
  ],
  tags: [["a", "b"], [], null, ["c"], ["a"]],
};

const KINDS = {
  shop: "text",
  amount: "float",
  count: "int",
  large: "int",
  paid: "bool",
  at: "timestamp",
  tags: "list(text)",
};

/** The rows as the package gives them: a whole number that fits one is a number. */
const ROWS = COLUMNS.shop.map((_, i) =>
  Object.values(COLUMNS).map((values) => {
    const value = values[i];
    if (value instanceof Date) return value.getTime();
    return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }),
);

/** Moments in milliseconds, however many digits they are written with. */
const inTime = (rows) =>
  rows.map((row) =>
    row.map((value) => (/^\d{4}-.*T/.test(value) ? moment(value).getTime() : value)),
  );

test("arquero: a table as it is, and what was done to it", async (t) => {
  const ph = await engine(t);
  const table = aq.table(COLUMNS);
  const got = await read(ph, table);
  assert.deepEqual(got.kinds, KINDS);
  assert.deepEqual(inTime(got.rows), ROWS);
  assert.equal(table.numRows(), 5);
  const few = table
    .filter((row) => row.amount > 0)
    .orderby("amount")
    .select("shop", "amount");
  assert.deepEqual((await read(ph, few)).rows, [
    ["Ёлка", 0.25],
    [null, 1.5],
    ["Kuper", 100],
  ]);
  const sums = table.groupby("shop").rollup({ n: aq.op.count() });
  assert.deepEqual(
    new Map((await read(ph, sums)).rows),
    new Map(sums.objects().map(({ shop, n }) => [shop, n])),
  );
});

/** The columns in types of apache-arrow, which makes a dictionary of texts. */
function ofArrow(columns) {
  const { Bool, Field, Float64, Int32, Int64, List, TimestampMillisecond, Utf8, vectorFromArray } =
    arrow;
  const types = {
    amount: new Float64(),
    count: new Int32(),
    large: new Int64(),
    paid: new Bool(),
    at: new TimestampMillisecond(),
    tags: new List(new Field("item", new Utf8())),
  };
  const made = Object.entries(columns).map(([name, values]) => [
    name,
    vectorFromArray(values, types[name]),
  ]);
  return new arrow.Table(Object.fromEntries(made));
}

/** The first rows, and the others. */
const part = (from, to) =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, values]) => [name, values.slice(from, to)]),
  );

test("apache-arrow: a stream of a table with a dictionary and missing values", async (t) => {
  const ph = await engine(t);
  const table = ofArrow(COLUMNS);
  assert.ok(arrow.DataType.isDictionary(table.schema.fields[0].type));
  const got = await read(ph, arrow.tableToIPC(table));
  assert.deepEqual(got.kinds, KINDS);
  assert.deepEqual(inTime(got.rows), ROWS);
  // Two batches, each of which has a dictionary of its own.
  const two = ofArrow(part(0, 2)).concat(ofArrow(part(2, 5)));
  assert.equal(two.batches.length, 2);
  assert.deepEqual(await read(ph, arrow.tableToIPC(two)), got);
});

test("apache-arrow: a file, whose schema stands at its end alone", async (t) => {
  const ph = await engine(t);
  const table = ofArrow(COLUMNS);
  const got = await read(ph, arrow.tableToIPC(table, "file"));
  assert.deepEqual(got.kinds, KINDS);
  assert.deepEqual(inTime(got.rows), ROWS);
  const twice = await read(
    ph,
    arrow.tableToIPC(new arrow.Table([...table.batches, ...table.batches]), "file"),
  );
  assert.deepEqual(inTime(twice.rows), [...ROWS, ...ROWS]);
});

for (const format of ["file", "stream"]) {
  test(`flechette: a ${format}`, async (t) => {
    const ph = await engine(t);
    const { columnFromArray, dictionary, tableFromColumns, tableToIPC, utf8 } = flechette;
    const types = {
      shop: dictionary(utf8()),
      large: flechette.int64(),
      at: flechette.timestamp(flechette.TimeUnit.MILLISECOND),
    };
    const columns = Object.entries(COLUMNS).map(([name, values]) => [
      name,
      columnFromArray(values, types[name]),
    ]);
    const table = tableFromColumns(Object.fromEntries(columns));
    const got = await read(ph, tableToIPC(table, { format }));
    assert.deepEqual(got.kinds, KINDS);
    assert.deepEqual(inTime(got.rows), ROWS);
  });
}

test("tables whose writer is a function say which", async (t) => {
  const ph = await engine(t);
  const tables = [
    ofArrow(COLUMNS),
    ofArrow(COLUMNS).batches[0],
    flechette.tableFromArrays({ a: [1, 2] }),
  ];
  for (const table of tables) {
    await assert.rejects(ph.load("t", table), { code: "arrow_table", message: /tableToIPC/ });
  }
  assert.deepEqual(ph.tables(), []);
});

test("what the package writes is read by the libraries", async (t) => {
  const ph = await engine(t);
  await ph.load("t", aq.table(COLUMNS), { time: false });
  const { table } = await ph.query({ table: "t" });
  const bytes = await table.toArrowIPC();
  const names = Object.keys(COLUMNS);
  // Each has vectors, dates and numbers of its own.
  const value = (one) => (one?.toArray ? [...one] : one instanceof Date ? one.getTime() : one);
  const inOrder = (rows) => rows.map((row) => names.map((name) => value(row[name])));
  const expected = inOrder(
    COLUMNS.shop.map((_, i) => Object.fromEntries(names.map((name) => [name, COLUMNS[name][i]]))),
  );
  for (const rows of [
    aq.fromArrow(bytes, { useBigInt: true }).objects(),
    arrow.tableFromIPC(bytes).toArray(),
    flechette.tableFromIPC(bytes, { useBigInt: true }).toArray(),
  ]) {
    assert.deepEqual(inOrder(rows), expected);
  }
});
