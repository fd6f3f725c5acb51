// Rows given as objects, and tables of other libraries: what of them reaches the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeWorker, Pinhole, PinholeError, WASM, fake, open } from "../testing/setup.js";

/** The options that the last load began with, and the texts of its chunks. */
function loaded() {
  const begin = fake.log.findLastIndex(([op]) => op === "load_begin");
  const chunks = fake.log.slice(begin).filter(([op]) => op === "load_push");
  return { options: fake.log[begin][2], chunks: chunks.map(([, , text]) => text) };
}

/** The lines that rows become. */
async function lines(ph, rows) {
  await ph.load("t", rows);
  const { chunks } = loaded();
  const text = chunks.join("");
  assert.ok(text.endsWith("\n"));
  return text.slice(0, -1).split("\n");
}

/** A class whose instances say how they are written. */
class Money {
  constructor(cents) {
    this.cents = cents;
  }
  toJSON() {
    return this.cents / 100;
  }
}

test("objects become lines of JSON, value by value", async (t) => {
  const ph = await open(t);
  const nested = { b: { c: [1, { d: "x" }] } };
  const cases = [
    [{ a: 1, b: -0.5, c: 1e21, d: -0 }, '{"a":1,"b":-0.5,"c":1e+21,"d":0}'],
    [
      { a: Number.NaN, b: Infinity, c: -Infinity, d: null },
      '{"a":null,"b":null,"c":null,"d":null}',
    ],
    [
      { a: true, b: false, c: 'Ёлка "x"\n\u2028' },
      '{"a":true,"b":false,"c":"Ёлка \\"x\\"\\n\u2028"}',
    ],
    [
      { a: 9007199254740993n, b: -(2n ** 70n) },
      '{"a":9007199254740993,"b":-1180591620717411303424}',
    ],
    [{ a: new Date(0), b: new Date(Number.NaN) }, '{"a":"1970-01-01T00:00:00.000Z","b":null}'],
    [{ a: undefined, b: () => 1, c: Symbol("x"), d: 1 }, '{"d":1}'],
    [{ a: [1, undefined, Number.NaN, [2n]] }, '{"a":[1,null,null,[2]]}'],
    [nested, '{"b":{"c":[1,{"d":"x"}]}}'],
    [{ a: new Map([["k", 1n]]), b: new Set(["x", 2]) }, '{"a":[["k",1]],"b":["x",2]}'],
    [{ a: new Uint8Array([1, 2]), b: new BigInt64Array([3n]) }, '{"a":[1,2],"b":[3]}'],
    [{ a: Buffer.from([7]), b: new Float32Array([0.5, Number.NaN]) }, '{"a":[7],"b":[0.5,null]}'],
    [{ a: new Money(250), b: Object(5), c: Object("x") }, '{"a":2.5,"b":5,"c":"x"}'],
    [{ 'quoted "name"': 1, "": 2, "a.b": 3 }, '{"quoted \\"name\\"":1,"":2,"a.b":3}'],
    [{ a: "x\ud800y", b: "😀" }, '{"a":"x\ufffdy","b":"😀"}'],
    [{ a: "\\ud800" }, '{"a":"\\\\ud800"}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [Object.assign(Object.create({ inherited: 1 }), { own: 2 }), '{"own":2}'],
    [{ toJSON: () => ({ a: 1n }) }, '{"a":1}'],
    [{}, "{}"],
  ];
  const got = await lines(
    ph,
    cases.map(([row]) => row),
  );
  assert.deepEqual(
    got,
    cases.map(([, line]) => line),
  );
  for (const line of got) assert.ok(JSON.parse(line));
});

test("one object may stand in many rows and places; it is no circle", async (t) => {
  const ph = await open(t);
  const shared = { x: 1 };
  assert.deepEqual(await lines(ph, [{ a: shared, b: shared }, { a: [shared, shared] }]), [
    '{"a":{"x":1},"b":{"x":1}}',
    '{"a":[{"x":1},{"x":1}]}',
  ]);
});

test("rows say their format themselves; files do only when the caller does", async (t) => {
  const ph = await open(t);
  const format = async (source, options) => {
    await ph.load("t", source, options);
    return loaded().options.format;
  };
  assert.equal(await format([{ a: 1 }]), "ndjson");
  assert.equal(await format([{ a: 1 }], { format: "json" }), "ndjson");
  assert.equal(await format({ toArrowIPC: () => new Uint8Array(8) }), "arrow");
  assert.equal(await format(new Blob(["[]"])), undefined);
  assert.equal(await format(new Blob(["[]"]), { format: "json" }), "json");
  await ph.load("t", [{ a: 1 }], { onBadRow: "skip", time: false });
  assert.deepEqual(loaded().options, { format: "ndjson", on_bad_row: "skip", time: false });
});

test("many rows come in chunks, from anything that gives objects", async (t) => {
  const ph = await open(t);
  const COUNT = 60_000;
  const row = (i) => ({ id: i, name: `Ёж ${i}`, amount: i / 4 });
  function* one() {
    for (let i = 0; i < COUNT; i += 1) yield row(i);
  }
  async function* later() {
    yield* one();
  }
  for (const source of [[...one()], one(), later(), new Set(one())]) {
    const seen = [];
    const info = await ph.load("t", source, { onProgress: (p) => seen.push(p) });
    assert.equal(info.rows, COUNT);
    assert.ok(seen.length >= 5, `${seen.length}`);
    assert.equal(seen[0].total, undefined);
    const { chunks } = loaded();
    for (const chunk of chunks) assert.ok(Buffer.byteLength(chunk) <= 512 * 1024);
    const last = JSON.parse(chunks.join("").trimEnd().split("\n").at(-1));
    assert.deepEqual(last, row(COUNT - 1));
  }
});

test("rows that cannot be written are named by their index and not quoted", async (t) => {
  const ph = await open(t);
  const circle = { secret: "hunter2" };
  circle.self = [circle];
  let tower = {};
  for (let i = 0; i < 100_000; i += 1) tower = { tower };
  const trap = {
    get secret() {
      throw new Error("hunter2");
    },
  };
  function* broken() {
    yield { a: 1 };
    throw new Error("hunter2");
  }
  const cases = [
    [[], "empty_input", /no rows/],
    [new Set(), "empty_input", /no rows/],
    [[{ a: 1 }, circle], "row_too_deep", /index 1/],
    [[tower], "row_too_deep", /index 0/],
    [[{ a: 1 }, { a: 2 }, 3], "row_not_object", /index 2/],
    [[null], "row_not_object", /index 0/],
    [[["hunter2"]], "row_not_object", /index 0/],
    [[new Date()], "row_not_object", /index 0/],
    [[1, 2, 3], "row_not_object", /index 0/],
    [new Map([["hunter2", 1]]), "row_not_object", /index 0/],
    // A hole counts.
    [Object.assign([], { 1: { a: 1 } }), "row_not_object", /index 0/],
    [[trap], "source_broken", /broke off/],
    [broken(), "source_broken", /broke off/],
  ];
  for (const [source, code, text] of cases) {
    await assert.rejects(ph.load("t", source), (error) => {
      assert.ok(error instanceof PinholeError);
      assert.equal(error.code, code);
      assert.match(error.message, text);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
    assert.equal(fake.log.at(-1)[0], "load_abort");
  }
  assert.deepEqual(ph.tables(), []);
  assert.equal((await ph.load("t", [{ a: 1 }])).rows, 1);
  await ph.setLocale("ru");
  await assert.rejects(ph.load("t", []), { message: "нет ни одной строки" });
});

test("a cancel does not wait for the next row", async (t) => {
  const ph = await open(t);
  let returned = false;
  const rows = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => {
        returned = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const abort = new AbortController();
  const loading = ph.load("t", rows, { signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  await assert.rejects(loading, { code: "cancelled" });
  assert.equal((await ph.load("t", [{ a: 1 }])).rows, 1);
  assert.equal(returned, true);
});

test("tables of other libraries give themselves as Arrow", async (t) => {
  const ph = await open(t);
  const text = "ARROW1\n";
  const bytes = new TextEncoder().encode(text);
  const tables = [
    { toArrowIPC: () => bytes },
    { toArrowIPC: async () => bytes },
    { toIPC: () => bytes.buffer },
    { serialize: () => bytes },
    // Like one of arquero: a table, and rows.
    { toArrowIPC: () => bytes, numRows: () => 1, *[Symbol.iterator]() {} },
  ];
  for (const table of tables) {
    assert.equal((await ph.load("t", table)).bytes, bytes.length);
    assert.deepEqual(loaded(), { options: { format: "arrow" }, chunks: [text] });
    assert.equal(bytes.length, text.length, "the caller keeps the bytes");
  }
  const { table } = await ph.query({ group_by: "a" });
  assert.equal((await ph.load("again", table)).name, "again");
  assert.deepEqual(loaded(), { options: { format: "arrow" }, chunks: ["ARROW"] });
});

test("tables that give no bytes, or cannot write themselves, are told apart", async (t) => {
  const ph = await open(t);
  const arrow = { schema: { fields: [] }, numRows: 2, *[Symbol.iterator]() {} };
  const broken = () => {
    throw new Error("hunter2");
  };
  const cases = [
    [{ toArrowIPC: () => "text" }, "no_bytes", /`toArrowIPC`/],
    [{ serialize: async () => ({}) }, "no_bytes", /`serialize`/],
    [{ toIPC: broken }, "source_broken", /broke off/],
    [arrow, "arrow_table", /`tableToIPC\(table\)`/],
    [{ a: [1, 2], b: [3, 4] }, "bad_source", /array of objects/],
    [() => [{ a: 1 }], "bad_source", /`Function`/],
  ];
  for (const [source, code, message] of cases) {
    await assert.rejects(ph.load("t", source), { code, message });
  }
  assert.deepEqual(ph.tables(), []);
});

test("after a trap only files and addresses are read again", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const ph = await Pinhole.open({ wasm: WASM, worker: () => new FakeWorker() });
  t.after(() => ph.close());
  await ph.load("rows", [{ a: 1 }]);
  await ph.load("file", new Blob(["a\n1\n"]));
  await ph.load("table", (await ph.query({ group_by: "a" })).table);
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  assert.equal((await ph.query({})).value, 3);
  assert.deepEqual(
    ph.tables().map(({ name }) => name),
    ["file"],
  );
});
