// Files out of all proportion through the real module in Chromium, where a mistake is a trap: each is
// a table or an error, and no engine dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { stage } from "./harness.mjs";
import { lying } from "./lying.mjs";

const open = stage();

test("a table of 2,000 columns is asked in every way", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const names = Array.from({ length: 2000 }, (_, i) => `c${i}`);
    const row = (first) => names.map((_, i) => (i + first) % 7).join(",");
    const info = await ph.load("w", new Blob([`${names}\n${row(0)}\n${row(1)}\n`]));
    const code = (call) =>
      call.then(
        ({ rows }) => rows,
        (e) => e.diagnostics?.[0]?.code ?? e.code,
      );
    const all = await ph.query({});
    const [first] = (await all.table.page(0, 1)).rows;
    const got = {
      columns: info.columns.length,
      width: first.length,
      last: first.at(-1),
      sums: await code(ph.query({ select: names.slice(0, 1000).map((name) => `sum(${name})`) })),
      more: await code(ph.query({ select: names.map((name) => `sum(${name})`) })),
      sorted: await code(ph.query({ map: { x: "c0 + c1999" }, sort: "c1999 desc" })),
      groups: await code(ph.query({ group_by: names.slice(0, 16), select: "count()" })),
      sql: await code(ph.sql("SELECT * FROM w ORDER BY c1999 DESC")),
      distinct: await code(ph.sql("SELECT DISTINCT * FROM w")),
      arrow: (await all.table.toArrowIPC()).length > 2000,
      restarts: (await ph.stats()).restarts,
    };
    await ph.close();
    return got;
  });
  assert.deepEqual(got, {
    columns: 2000,
    width: 2000,
    last: 1999 % 7,
    sums: 1,
    more: "too_many",
    sorted: 2,
    groups: 2,
    sql: 2,
    distinct: 2,
    arrow: true,
    restarts: 0,
  });
});

test("hostile files are tables or errors, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const names = (n) => Array.from({ length: n }, (_, i) => `c${i}`);
    const keys = (n) => JSON.stringify([Object.fromEntries(names(n).map((name) => [name, 1]))]);
    const x = "x".repeat(20 << 20);
    const files = {
      "10,000 columns": [`${names(10_000)}\n${names(10_000).map((_, i) => i % 7)}\n`],
      "10,000 columns of one name": [`${"a,".repeat(9_999)}a\n${"1,".repeat(9_999)}1\n`],
      "10,000 keys": [keys(10_000)],
      "10,001 keys": [keys(10_001)],
      "a key twice": ['[{"a":1,"a":2}]'],
      "no rows": ["a,b\n"],
      "no columns": ["\n\n"],
      "no bytes": [""],
      "empty objects": ["[{},{}]"],
      "a zero byte": ["a,b\n1,\0\n"],
      "a million zero bytes": [new Uint8Array(1 << 20)],
      "a zero byte far behind": ["a,b\n", "1,2\n".repeat(50_000), "3,\0\n"],
      "an escaped zero in JSON": ['[{"a":"\\u0000x"}]'],
      "a zero byte in JSON": ['[{"a":"\0"}]'],
      "a field of 20 MB": ["a,b\n1,", x, "\n"],
      "a quoted field of 20 MB": ['a,b\n1,"', x, '"\n'],
      "a string of 20 MB": ['[{"a":"', x, '"}]'],
      "a name of 5 MB": [x.slice(0, 5 << 20), ",b\n1,2\n"],
      "a million delimiters": [",".repeat(1_000_000)],
      "another magic": ["ARROW2\0\0............"],
      "half a magic": ["PAR1\x15\x04"],
    };
    const all = {};
    for (const [name, parts] of Object.entries(files)) {
      all[name] = await ph.load("t", new Blob(parts)).then(
        ({ rows, columns }) => `${rows} x ${columns.length}`,
        (error) => error.diagnostics?.[0]?.code ?? error.code,
      );
    }
    await ph.load("next", new Blob(["a\n1\n"]));
    const { restarts } = await ph.stats();
    await ph.close();
    return { all, restarts };
  });
  assert.equal(got.restarts, 0);
  assert.deepEqual(got.all, {
    "10,000 columns": "1 x 10000",
    "10,000 columns of one name": "1 x 10000",
    "10,000 keys": "1 x 10000",
    "10,001 keys": "not_a_table",
    "a key twice": "1 x 1",
    "no rows": "0 x 2",
    "no columns": "empty_input",
    "no bytes": "empty_input",
    "empty objects": "empty_input",
    "a zero byte": "not_text",
    "a million zero bytes": "not_text",
    "a zero byte far behind": "50001 x 2",
    "an escaped zero in JSON": "1 x 1",
    "a zero byte in JSON": "broken_file",
    "a field of 20 MB": "1 x 2",
    "a quoted field of 20 MB": "1 x 2",
    "a string of 20 MB": "1 x 1",
    "a name of 5 MB": "1 x 2",
    "a million delimiters": "not_a_table",
    "another magic": "not_text",
    "half a magic": "broken_file",
  });
});

test("files that take more memory than there is are errors, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const roomy = await Pinhole.open();
    const rows = "1,2\n".repeat(1 << 20);
    await roomy.load("t", new Blob(["a,b\n", rows]));
    const arrow = await (await roomy.query({})).table.toArrowIPC();
    await roomy.close();
    const zipped = new Blob(["a,b\n", rows, rows]).stream();
    const gzip = await new Response(zipped.pipeThrough(new CompressionStream("gzip"))).blob();
    const keys = Array.from({ length: 1000 }, (_, i) => `"c${i}":1`);
    const files = {
      "gzip of short rows": gzip,
      "short rows": new Blob(["a,b\n", rows, rows]),
      Arrow: new Blob([arrow]),
      objects: new Blob(["[", '{"a":1},'.repeat(1 << 20), "{}]"]),
      "empty objects after a wide one": new Blob([`{${keys}}\n`, "{}\n".repeat(1 << 18)]),
      "a field": new Blob(["a,b\n1,", "x".repeat(12 << 20), "\n"]),
    };
    const ph = await Pinhole.open({ memoryLimit: 8 << 20 });
    const all = { size: gzip.size < 1 << 16 };
    for (const [name, file] of Object.entries(files)) {
      const error = await ph.load("t", file).catch((error) => error);
      all[name] = [error.code, error.diagnostics?.[0]?.message.includes("of 8 MiB")];
    }
    const { rows: next } = await ph.load("next", new Blob(["a\n1\n"]));
    const { restarts } = await ph.stats();
    const tables = ph.tables().map(({ name }) => name);
    await ph.close();
    return { all, next, restarts, tables };
  });
  const refused = ["memory_limit", true];
  assert.deepEqual(got, {
    all: {
      size: true,
      "gzip of short rows": refused,
      "short rows": refused,
      Arrow: refused,
      objects: refused,
      "empty objects after a wide one": refused,
      "a field": refused,
    },
    next: 1,
    restarts: 0,
    tables: ["next"],
  });
});

test("Parquet that lies about its sizes is told or read, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  const numbers = Buffer.from(Int32Array.of(1, 2, 3, 4).buffer);
  const data = {
    none: numbers,
    // a length, then one literal of sixteen bytes
    snappy: Buffer.concat([Buffer.of(16, 15 << 2), numbers]),
    gzip: gzipSync(numbers),
    // a frame without a size of its own, with one block that is stored
    zstd: Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, (16 << 3) | 1, 0, 0), numbers]),
    // one literal of sixteen bytes
    lz4: Buffer.concat([Buffer.of(0xf0, 1), numbers]),
  };
  const [most, huge] = [2 ** 31 - 1, 2n ** 62n];
  const lies = {
    truth: {},
    page: { page: most },
    "negative page": { page: -1 },
    "packed page": { packed: most },
    values: { values: most },
    part: { part: 2 ** 31 },
    bytes: { bytes: 2 ** 31 },
    rows: { rows: 2 ** 31 },
    "huge rows": { rows: huge, all: huge },
    all: {
      page: most,
      packed: most,
      values: most,
      all: huge,
      bytes: huge,
      part: huge,
      rows: huge,
    },
  };
  const files = Object.entries(data).flatMap(([codec, bytes]) =>
    Object.entries(lies).map(([name, said]) => [
      `${codec}: ${name}`,
      lying(codec, bytes, said).toString("base64"),
    ]),
  );
  const got = await scene.run(async ({ Pinhole }, files) => {
    const ph = await Pinhole.open();
    const all = {};
    for (const [name, content] of files) {
      const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
      all[name] = await ph.load("t", new Blob([bytes])).then(
        ({ rows }) => rows,
        (error) => [error.code, error.diagnostics?.[0]?.code, error.message],
      );
    }
    const { rows: next } = await ph.load("next", new Blob(["a\n1\n"]));
    const { restarts } = await ph.stats();
    await ph.close();
    return { all, next, restarts };
  }, files);
  assert.deepEqual([got.next, got.restarts], [1, 0]);
  // What nothing depends on is let pass: the bytes are there.
  const harmless = /: (truth|bytes)$|^(none|snappy): page$/;
  for (const [name, one] of Object.entries(got.all)) {
    if (harmless.test(name)) {
      assert.equal(one, 4, name);
    } else {
      assert.deepEqual(one.slice(0, 2), ["broken_file", "broken_file"], name);
      assert.match(one[2], /^the Parquet file (is damaged: |could not be read: it is damaged, )/);
    }
  }
});
