// Every format that is read, through the package and on the page, and files that are none: each is a
// clear error, and the next load works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ARROW_FILE, ARROW_KINDS, ARROW_STREAM, ZSTD_CSV } from "./files.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES, TOTALS } from "./tables.mjs";

const open = stage();

const QUESTION = "total amount by shop";

/** The purchases as objects. */
const ROWS = PURCHASES.trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","))
  .map(([shop, amount]) => ({ shop, amount: Number(amount) }));

const JSON_TEXT = JSON.stringify(ROWS);
const NDJSON = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("");
const GEOJSON = JSON.stringify({
  type: "FeatureCollection",
  features: ROWS.map((properties, i) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [i, 50] },
    properties,
  })),
});
const NO_TEXT = { encoding: undefined, delimiter: undefined, header: undefined };
const UTF8 = { encoding: "utf-8" };
const UTF16 = { encoding: "utf-16le" };
const TEXT = { ...UTF8, delimiter: ",", header: true };

/** Files of the same seven purchases: name, content, format and packing, how text was written. */
const FILES = [
  ["purchases.csv", PURCHASES, "csv", null, TEXT],
  ["purchases.tsv", PURCHASES.replaceAll(",", "\t"), "csv", null, { ...TEXT, delimiter: "\t" }],
  ["purchases.csv.gz", gzipSync(PURCHASES), "csv", "gzip", TEXT],
  ["purchases.csv.zst", ZSTD_CSV, "csv", "zstd", TEXT],
  ["purchases.json", JSON_TEXT, "json", null, UTF8],
  ["purchases.json", JSON.stringify(ROWS, undefined, 2), "json", null, UTF8],
  ["purchases.json", JSON.stringify({ status: "ok", data: ROWS, pages: 1 }), "json", null, UTF8],
  ["purchases.json", `\ufeff${JSON_TEXT}`, "json", null, UTF8],
  ["purchases.json", Buffer.from(`\ufeff${JSON_TEXT}`, "utf16le"), "json", null, UTF16],
  ["purchases.json.gz", gzipSync(JSON_TEXT), "json", "gzip", UTF8],
  ["purchases.ndjson", NDJSON, "ndjson", null, UTF8],
  ["purchases.ndjson", Buffer.from(`\ufeff${NDJSON}`, "utf16le"), "ndjson", null, UTF16],
  ["purchases.jsonl.gz", gzipSync(NDJSON), "ndjson", "gzip", UTF8],
  ["purchases.arrow", ARROW_FILE, "arrow", null],
  ["purchases.arrows", ARROW_STREAM, "arrow", null],
  ["purchases.arrow.gz", gzipSync(ARROW_FILE), "arrow", "gzip"],
];

/** Files as they can be handed to the page's side of a test. */
const base64 = (content) => Buffer.from(content).toString("base64");

test("files of every format give the same table, and say what they are", async (t) => {
  const scene = await open(t, { blank: true });
  const files = FILES.map(([name, content]) => [name, base64(content)]);
  const got = await scene.run(async ({ Pinhole }, files) => {
    const ph = await Pinhole.open();
    const all = [];
    for (const [name, content] of files) {
      const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
      const { rows, columns, report } = await ph.load("purchases", new File([bytes], name));
      const result = await ph.query({ group_by: "shop", select: "sum(amount)" });
      const page = await result.table.page();
      all.push({ rows, columns, report, totals: page.rows, size: bytes.length });
    }
    await ph.close();
    return all;
  }, files);
  got.forEach(({ rows, columns, report, totals, size }, i) => {
    const [name, , format, compression, dialect] = FILES[i];
    assert.deepEqual(totals, TOTALS, name);
    assert.equal(rows, 7, name);
    assert.deepEqual(
      columns.map((column) => [column.name, column.kind]),
      [
        ["shop", "text"],
        ["amount", "float"],
      ],
      name,
    );
    const { encoding, delimiter, header } = report;
    assert.deepEqual([report.format, report.compression], [format, compression], name);
    assert.deepEqual({ encoding, delimiter, header }, { ...NO_TEXT, ...dialect }, name);
    assert.deepEqual([report.rows, report.bytes], [7, size], name);
    assert.deepEqual(report.bad_rows, { count: 0, lines: [] }, name);
    assert.deepEqual(
      report.columns.map((column) => [column.name, column.type, column.nulls]),
      [
        ["shop", "text", 0],
        ["amount", "number", 0],
      ],
      name,
    );
  });
});

test("the format can be said, and what does not fit it is told", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { json, ndjson }) => {
      const ph = await Pinhole.open();
      const code = (text, format) =>
        ph.load("t", new Blob([text]), { format }).then(
          ({ rows, report }) => [rows, report.format],
          (e) => e.diagnostics[0]?.code ?? e.code,
        );
      const got = {
        json: await code(json, "json"),
        ndjson: await code(ndjson, "ndjson"),
        csv: await code("[x],y\n1,2\n", "csv"),
        parquet: await code(json.padEnd(200), "parquet"),
        nonsense: await code(json, "xlsx"),
        arrow: await code(json, "arrow"),
        tables: ph.tables().length,
      };
      await ph.close();
      return got;
    },
    { json: JSON_TEXT, ndjson: NDJSON },
  );
  const { arrow, ...rest } = got;
  assert.deepEqual(rest, {
    json: [7, "json"],
    ndjson: [7, "ndjson"],
    csv: [1, "csv"],
    parquet: "broken_file",
    nonsense: "unsupported_format",
    tables: 1,
  });
  assert.match(arrow, /^(broken_file|unsupported_format|not_a_table)$/);
});

/** Loads a source of `text` in the page and gives kinds, rows and notes. */
function read(scene, text, options = {}) {
  return scene.run(
    async ({ Pinhole }, { text, options }) => {
      const ph = await Pinhole.open();
      const info = await ph.load("t", new Blob([text]), options);
      const result = await ph.query({ table: "t" });
      const { columns, rows } = await result.table.page(0, 100);
      await ph.close();
      return {
        names: columns,
        kinds: info.columns.map(({ kind }) => kind),
        rows: rows.map((row) => row.map((v) => (typeof v === "bigint" ? `${v}n` : v))),
        notes: info.report.notes,
        time: info.time ?? null,
      };
    },
    { text, options },
  );
}

test("JSON: nested objects, lists, texts, dates and mixtures", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await read(
    scene,
    JSON.stringify([
      {
        id: 1,
        who: { name: "Ёлка", at: { city: "Riga" } },
        zip: "7",
        on: "2024-01-02",
        tags: ["a"],
      },
      { id: 2, who: { name: "b" }, zip: "12", on: "2024-01-03", tags: [], mixed: 5, ok: true },
      { id: 9007199254740992, zip: null, on: null, mixed: "x", ok: false },
    ]).replace("9007199254740992", "9007199254740993"),
  );
  const byName = Object.fromEntries(
    got.names.map((name, i) => [name, { kind: got.kinds[i], values: got.rows.map((r) => r[i]) }]),
  );
  assert.deepEqual(Object.keys(byName).sort(), [
    "id",
    "mixed",
    "ok",
    "on",
    "tags",
    "who.at.city",
    "who.name",
    "zip",
  ]);
  assert.deepEqual(byName.id, { kind: "int", values: [1, 2, "9007199254740993n"] });
  assert.deepEqual(byName["who.name"], { kind: "text", values: ["Ёлка", "b", null] });
  assert.deepEqual(byName["who.at.city"], { kind: "text", values: ["Riga", null, null] });
  assert.deepEqual(byName.zip, { kind: "text", values: ["7", "12", null] }, "strings stay text");
  assert.deepEqual(byName.on, { kind: "date", values: ["2024-01-02", "2024-01-03", null] });
  assert.deepEqual(byName.tags, { kind: "list(text)", values: [["a"], [], null] });
  assert.equal(byName.mixed.kind, "text");
  assert.deepEqual(byName.mixed.values, [null, "5", "x"]);
  assert.deepEqual(byName.ok, { kind: "bool", values: [null, true, false] });
  assert.equal(got.time, "on");
  assert.ok(
    got.notes.some(({ column }) => column === "mixed"),
    JSON.stringify(got.notes),
  );
});

test("JSON: a list of numbers, and the properties of GeoJSON", async (t) => {
  const scene = await open(t, { blank: true });
  const numbers = await read(scene, "[1, 2.5, null]");
  assert.deepEqual([numbers.names, numbers.kinds], [["value"], ["float"]]);
  assert.deepEqual(numbers.rows, [[1], [2.5], [null]]);
  const got = await scene.run(async ({ Pinhole }, text) => {
    const ph = await Pinhole.open();
    const info = await ph.load("purchases", new File([text], "x.geojson"));
    const result = await ph.query({ group_by: "shop", select: "sum(amount)" });
    const totals = (await result.table.page()).rows;
    await ph.close();
    return { totals, rows: info.rows, names: info.columns.map(({ name }) => name) };
  }, GEOJSON);
  assert.deepEqual([got.rows, got.totals], [7, TOTALS]);
  for (const name of ["shop", "amount"]) assert.ok(got.names.includes(name), `${got.names}`);
});

test("Arrow: every kind of column", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }, content) => {
    const ph = await Pinhole.open();
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    const info = await ph.load("t", bytes);
    const { rows, columns } = await (await ph.query({ table: "t" })).table.page();
    const select = { price: "sum(price)", inside: "sum(`pos.x`)" };
    const total = await ph.query({ table: "t", select });
    await ph.close();
    const near = await Pinhole.open({ decimals: "number" });
    await near.load("t", bytes);
    const price = await near.query({ table: "t", columns: ["price"] });
    const sum = await near.query({ table: "t", select: "sum(price)" });
    const numbers = [...(await price.table.page()).rows.flat(), sum.value];
    await near.close();
    return {
      numbers,
      left: bytes.length,
      names: columns,
      kinds: Object.fromEntries(info.columns.map(({ name, kind }) => [name, kind])),
      rows: rows.map((row) => row.map((v) => (typeof v === "bigint" ? `${v}n` : v))),
      notes: info.report.notes.map(({ column, text }) => `${column}: ${text}`),
      total: total.values,
    };
  }, base64(ARROW_KINDS));
  assert.equal(got.left, ARROW_KINDS.length, "the caller keeps the bytes");
  assert.deepEqual(got.kinds, {
    id: "int",
    price: "decimal(2)",
    ok: "bool",
    name: "text",
    day: "date",
    at: "timestamp",
    took: "float",
    "pos.x": "int",
    "pos.y": "float",
    tags: "list(text)",
  });
  const at = (name) => got.rows.map((row) => row[got.names.indexOf(name)]);
  assert.deepEqual(at("id"), [1, "9007199254740993n", null]);
  assert.deepEqual(at("price"), ["1.50", "-0.25", null]);
  assert.deepEqual(got.numbers, [1.5, -0.25, null, 1.25], "decimals as numbers");
  assert.deepEqual(at("ok"), [true, false, null]);
  assert.deepEqual(at("name"), ["Ёлка", "b", null]);
  assert.deepEqual(at("day"), ["2024-02-29", "2024-03-01", null]);
  assert.match(at("at")[0], /^2024-02-29T12:30/);
  assert.deepEqual(at("took"), [1.5, 0.25, null], "seconds");
  assert.deepEqual(
    [at("pos.x"), at("pos.y")],
    [
      [1, 2, null],
      [0.5, 1.5, null],
    ],
  );
  assert.deepEqual(at("tags"), [["a", "b"], [], null]);
  assert.ok(
    got.notes.some((note) => /\braw\b/.test(note)),
    `the column left out is noted: ${got.notes}`,
  );
  assert.deepEqual(got.total, { price: "1.25", inside: 3 });
});

test("objects, and tables that write themselves as Arrow", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { rows, arrow }) => {
      const ph = await Pinhole.open();
      const sums = { group_by: "shop", select: "sum(amount)" };
      const totals = async (table) =>
        (await (await ph.query({ table, ...sums })).table.page()).rows;
      const info = await ph.load("purchases", rows);
      async function* later() {
        yield* rows;
      }
      await ph.load("later", later());
      // What a library such as arquero has.
      const bytes = Uint8Array.from(atob(arrow), (c) => c.charCodeAt(0));
      const library = await ph.load("library", { toArrowIPC: () => bytes });
      const result = await ph.query({ table: "purchases", ...sums });
      const again = await ph.load("again", result.table);
      const kinds = await ph.load("kinds", [
        { at: new Date("2024-02-29T12:30:00Z"), n: 9007199254740993n, x: 0.5, who: { name: "a" } },
        { at: new Date("2024-03-01T00:00:00Z"), n: 2n, x: Number.NaN, who: { name: "b" } },
        { at: new Date("2024-03-02T00:00:00Z"), n: 3n, x: Infinity, no: undefined },
      ]);
      const all = await (await ph.query({ table: "kinds" })).table.page();
      const circle = {};
      circle.circle = circle;
      const code = (source) => ph.load("bad", source).catch(({ code }) => code);
      const got = {
        report: info.report,
        totals: [await totals("purchases"), await totals("later"), await totals("library")],
        library: library.report.format,
        again: [again.rows, again.columns.map(({ name }) => name)],
        kinds: Object.fromEntries(kinds.columns.map(({ name, kind }) => [name, kind])),
        names: all.columns,
        values: all.rows.map((row) => row.map((v) => (typeof v === "bigint" ? `${v}n` : v))),
        time: kinds.time,
        errors: [await code([]), await code([circle]), await code([1]), await code({ a: [1] })],
        tables: ph.tables().map(({ name }) => name),
      };
      await ph.close();
      return got;
    },
    { rows: ROWS, arrow: base64(ARROW_STREAM) },
  );
  assert.deepEqual(got.totals, [TOTALS, TOTALS, TOTALS]);
  assert.deepEqual([got.report.format, got.report.compression], ["ndjson", null]);
  assert.equal("delimiter" in got.report, false);
  assert.equal(got.library, "arrow");
  assert.deepEqual(got.again, [4, ["shop", "sum_amount"]]);
  assert.deepEqual(got.kinds, { at: "timestamp", n: "int", x: "float", "who.name": "text" });
  const at = (name) => got.values.map((row) => row[got.names.indexOf(name)]);
  assert.match(at("at")[0], /^2024-02-29T12:30/);
  assert.deepEqual(at("n"), ["9007199254740993n", 2, 3]);
  assert.deepEqual(at("x"), [0.5, null, null]);
  assert.deepEqual(at("who.name"), ["a", "b", null]);
  assert.equal(got.time, "at");
  assert.deepEqual(got.errors, ["empty_input", "row_too_deep", "row_not_object", "bad_source"]);
  assert.deepEqual(got.tables, ["purchases", "later", "library", "again", "kinds"]);
});

// ---- on the page

/** Drops a file where a person would. */
async function drop(scene, name, content) {
  const transfer = await scene.page.evaluateHandle(
    ([name, content]) => {
      const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, base64(content)],
  );
  await scene.id("drop-zone").dispatchEvent("drop", { dataTransfer: transfer });
}

/** The table can be asked about. */
async function isAnswered(scene) {
  const answer = await scene.ask(QUESTION);
  assert.equal((await answer.state()).state, "done", await answer.card.innerText());
  assert.deepEqual(
    await answer.rows(),
    TOTALS.map((row) => row.map(String)),
  );
}

for (const [name, content, format] of [
  ["purchases.json", JSON_TEXT, "JSON"],
  ["purchases.arrow", ARROW_FILE, "Arrow"],
  ["purchases.csv.gz", gzipSync(PURCHASES), "CSV · gzip"],
  ["purchases.geojson", GEOJSON, "JSON"],
  ["purchases.tsv", PURCHASES.replaceAll(",", "\t"), "TSV"],
  ["purchases.txt", PURCHASES.replaceAll(",", ";"), "CSV (;)"],
]) {
  test(`page: ${name} is dropped and asked about`, async (t) => {
    const scene = await open(t);
    await drop(scene, name, content);
    await scene.id("table-card").waitFor();
    assert.equal(await scene.id("table-name").textContent(), "purchases");
    assert.equal(await scene.id("table-format").textContent(), format);
    await isAnswered(scene);
    assert.ok(scene.log.every(({ method }) => method === "GET"));
  });
}

test("page: what can be chosen is said in both languages", async (t) => {
  for (const [locale, words] of [
    ["en-US", /CSV, TSV, JSON, NDJSON, Arrow or Parquet/],
    ["ru-RU", /CSV, TSV, JSON, NDJSON, Arrow или Parquet/],
  ]) {
    const scene = await open(t, { locale });
    assert.match(await scene.id("drop-zone").innerText(), words);
    const accept = await scene.id("file-input").getAttribute("accept");
    for (const ending of [".csv", ".json", ".ndjson", ".arrow", ".gz", ".zst"]) {
      assert.ok(accept.split(",").includes(ending), ending);
    }
  }
});

test("page: a line that is no JSON can be left out", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.ndjson", `${NDJSON}{"shop": }\n`, "error");
  await scene.id("skip-bad-rows", scene.id("load-area")).click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-rows").textContent(), "7");
  await isAnswered(scene);
});

// ---- files that cannot be read

/** JSON whose third line is wrong. */
const BROKEN_JSON =
  '[\n{"shop": "a", "amount": 1},\n{"shop": "b", "amount": },\n{"shop": "c"}\n]\n';
const packed = gzipSync(PURCHASES.repeat(500));

const BAD = [
  ["a gzip file that ends early", packed.subarray(0, packed.length >> 1), /^broken_file$/, /gzip/],
  ["a gzip file without its end", packed.subarray(0, -5), /^broken_file$/, /gzip/],
  ["a zstd file that ends early", ZSTD_CSV.subarray(0, 40), /^broken_file$/, /zstd/],
  ["an Arrow file that ends early", ARROW_FILE.subarray(0, 936), /^broken_file$/, /Arrow/],
  ["an Arrow stream that ends early", ARROW_STREAM.subarray(0, 928), /^broken_file$/, /Arrow/],
  ["an empty list", "[]", /^empty_input$/, /rows|empty/i],
  ["broken JSON", BROKEN_JSON, /^broken_file$/, /line 3/i],
  ["JSON that ends early", JSON_TEXT.slice(0, -20), /^broken_file$/, /line 1|end/i],
  ["a broken line of NDJSON", `${NDJSON}{"shop": }\n${NDJSON}`, /^bad_row$/, /line 8/i],
  ["a tower of lists", "[".repeat(200_000), /^(broken_file|too_deep)$/, /./],
  ["a Parquet file that ends early", "PAR1\x15\x04\x15\x10\x00\x00", /^broken_file$/, /Parquet/],
  ["a packed Parquet file", gzipSync("PAR1\x15\x04\x15\x10"), /^unsupported_format$/, /Parquet/],
  ["a packed image", gzipSync(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1")), /^unsupp/, /PNG/],
  ["packed zeros", gzipSync(Buffer.alloc(64 << 20)), /^(not_text|not_a_table)$/, /./],
];

test("bad files: each is a clear error, and the next load works", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { files, csv }) => {
      const ph = await Pinhole.open();
      const all = [];
      for (const content of files) {
        const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
        const error = await ph.load("t", new Blob([bytes])).catch((e) => e);
        const { rows } = await ph.load("next", new Blob([csv]));
        await ph.drop("next");
        all.push({
          code: error.diagnostics?.[0]?.code ?? error.code ?? "loaded",
          message: error.message,
          rows,
        });
      }
      const { restarts, tables } = await ph.stats();
      await ph.close();
      return { all, restarts, tables };
    },
    { files: BAD.map(([, content]) => base64(content)), csv: PURCHASES },
  );
  got.all.forEach(({ code, message, rows }, i) => {
    const [what, , codes, text] = BAD[i];
    assert.match(code ?? "", codes, what);
    assert.match(message, text, what);
    assert.doesNotMatch(message, /Kuper|Vkusno|Zarya/, what);
    assert.equal(rows, 7, what);
  });
  assert.equal(got.restarts, 0);
  assert.deepEqual(got.tables, []);
});

for (const [what, name, content, code, hint] of [
  ["broken JSON", "x.json", Buffer.from(BROKEN_JSON), "broken_file", /again/],
  ["a gzip file that ends early", "x.csv.gz", packed.subarray(0, 60), "broken_file", /again/],
  [
    "a Parquet file that ends early",
    "x.parquet",
    Buffer.from("PAR1\x15\x04\x15\x10\0\0"),
    "broken_file",
    /again/,
  ],
  ["a packed Parquet file", "x.gz", gzipSync("PAR1\x15\x04\x15\x10"), "unsupported_format"],
]) {
  test(`page: ${what} is told with what to do, and the next file loads`, async (t) => {
    const scene = await open(t);
    await scene.load(name, content, "error");
    const area = scene.id("load-area");
    assert.equal(await scene.id("diagnostic", area).first().getAttribute("data-code"), code);
    assert.match(
      await scene.id("error-hint", area).textContent(),
      hint ?? /JSON, NDJSON, Arrow and Parquet/,
    );
    assert.equal(await scene.id("table-card").count(), 0);
    await drop(scene, "purchases.json", JSON_TEXT);
    await scene.id("table-card").waitFor();
    await isAnswered(scene);
  });
}
