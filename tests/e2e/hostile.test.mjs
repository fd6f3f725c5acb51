// Files out of all proportion through the real module in Chromium, where a mistake is a trap: each is
// a table or an error, and no engine dies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ARROW_FILE, ARROW_STREAM } from "./files.mjs";
import { stage } from "./harness.mjs";
import { bare, columns, lying } from "./lying.mjs";

const open = stage();

/**
 * Loads files, `[name, bytes]`, one after the other and then a sound one: what came of each by its
 * name, the rows or the error's code twice (its own and that of what it says) and text. No engine dies.
 */
async function outcomes(scene, files) {
  const given = files.map(([name, bytes]) => [name, bytes.toString("base64")]);
  const { all, next, restarts } = await scene.run(async ({ Pinhole }, files) => {
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
  }, given);
  assert.deepEqual([next, restarts], [1, 0]);
  assert.equal(Object.keys(all).length, files.length);
  return all;
}

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
    Object.entries(lies).map(([name, said]) => [`${codec}: ${name}`, lying(codec, bytes, said)]),
  );
  const got = await outcomes(scene, files);
  // What nothing depends on is let pass: the bytes are there.
  const harmless = /: (truth|bytes)$|^(none|snappy): page$/;
  for (const [name, one] of Object.entries(got)) {
    if (harmless.test(name)) {
      assert.equal(one, 4, name);
    } else {
      assert.deepEqual(one.slice(0, 2), ["broken_file", "broken_file"], name);
      assert.match(one[2], /^the Parquet file (is damaged: |could not be read: it is damaged, )/);
    }
  }
});

/** Sizes that no file has, and one that is 1 where only 32 bits of it are looked at. */
const SIZES = [2n ** 62n, 2n ** 31n, 2n ** 32n + 1n];

const sized = (bytes, at, size) => {
  const patched = Buffer.from(bytes);
  patched.writeBigUInt64LE(size, at);
  return patched;
};

/** Where eight bytes on a place of eight are this number. */
function placesOf(bytes, number) {
  const found = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    if (bytes.readBigUInt64LE(at) === number) found.push(at);
  }
  return found;
}

test("zstd that lies about its sizes is told, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  // A frame's magic, what stands in its head, its window where it has one, the size of its content.
  const frame = (head, window, size) => {
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, head, ...window, ...Buffer.alloc(8)]);
    return sized(bytes, bytes.length - 8, size);
  };
  // The last block of a frame, as it is: a table of one row.
  const block = Buffer.from([(4 << 3) | 1, 0, 0, ...Buffer.from("a\n1\n")]);
  const heads = {
    "a window of 128 MiB": [0b1100_0000, [0b1000_1000]],
    "a window of 2 TiB": [0b1100_0000, [0b1111_1000]],
    "one piece": [0b1110_0000, []],
  };
  const files = [2n ** 40n, ...SIZES].flatMap((size) =>
    Object.entries(heads).flatMap(([what, head]) => [
      [`${what}, ${size}, no block`, frame(...head, size)],
      [`${what}, ${size}, a block`, Buffer.concat([frame(...head, size), block])],
    ]),
  );
  const truth = Buffer.concat([frame(...heads["one piece"], 4n), block]);
  assert.deepEqual(await outcomes(scene, [["truth", truth]]), { truth: 1 });
  for (const [name, one] of Object.entries(await outcomes(scene, files))) {
    assert.deepEqual(one.slice(0, 2), ["broken_file", "broken_file"], name);
    assert.match(one[2], /zstd/, name);
  }
});

test("Arrow that lies about its sizes is told, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  const made = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const rows = Array.from({ length: 4096 }, (_, i) => `${i / 8}\n`).join("");
    await ph.load("t", new Blob(["n\n", rows]));
    const bytes = await (await ph.query({})).table.toArrowIPC();
    await ph.close();
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  });
  const plain = Buffer.from(made, "base64");
  // The buffer of the only column says how long it is, and so does its batch.
  const lengths = placesOf(plain, 4096n * 8n);
  assert.ok(lengths.length >= 1, "a length of the buffer");
  const lies = lengths.flatMap((at) =>
    SIZES.map((size) => [`${at}: ${size}`, sized(plain, at, size)]),
  );
  // Buffers that are packed begin with their size; behind it is the mark of the packing.
  const folder = join(import.meta.dirname, "../formats/files");
  for (const [name, magic] of [
    ["pyarrow-stream-zstd.arrows", 0xfd2fb528],
    ["pyarrow-zstd.feather", 0xfd2fb528],
    ["pyarrow-lz4.feather", 0x184d2204],
  ]) {
    const bytes = readFileSync(join(folder, name));
    const at =
      bytes.findIndex((_, i) => i % 8 === 0 && i > 8 && bytes.readUInt32LE(i) === magic) - 8;
    assert.ok(at > 0, name);
    lies.push(...SIZES.map((size) => [`${name}: ${size}`, sized(bytes, at, size)]));
  }
  const truth = await outcomes(scene, [["truth", plain]]);
  assert.deepEqual(truth, { truth: 4096 });
  for (const [name, one] of Object.entries(await outcomes(scene, lies))) {
    assert.deepEqual(one.slice(0, 2), ["broken_file", "broken_file"], name);
    assert.match(one[2], /Arrow/, name);
  }
  // Any eight bytes at all: what does not matter is let pass.
  const all = Object.entries({ file: ARROW_FILE, stream: ARROW_STREAM }).flatMap(([name, bytes]) =>
    SIZES.flatMap((size) =>
      Array.from({ length: bytes.length >> 3 }, (_, i) => [
        `${name} at ${i * 8}: ${size}`,
        sized(bytes, i * 8, size),
      ]),
    ),
  );
  const codes = /^(broken_file|not_a_table|unsupported_format|not_text|empty_input)$/;
  for (const [name, one] of Object.entries(await outcomes(scene, all))) {
    if (typeof one === "number") assert.equal(one, 7, name);
    else assert.match(one[0], codes, name);
  }
});

test("Arrow and Parquet without columns, with many, and with one name for several", async (t) => {
  const scene = await open(t, { blank: true });
  const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
  const files = {
    "Parquet without columns": columns([]),
    "Arrow without columns": bare(),
    "Arrow without columns, of three rows": bare(3),
    "Arrow without columns, of 2^40 rows": bare(2 ** 40),
    "10,000 columns": columns(names),
    "10,000 columns of one name": columns(Array(10_000).fill("a")),
    "one name for several": columns(["a", "b", "a", "", "a"]),
  };
  const got = await scene.run(
    async ({ Pinhole }, files) => {
      const ph = await Pinhole.open();
      const asked = async (source) => {
        const { rows, columns, report } = await ph.load("t", source);
        const sort = `\`${columns[0].name}\``;
        const result = await ph.query({ table: "t", columns: [columns.at(-1).name], sort });
        const values = (await result.table.page()).rows.map(([value]) => Number(value));
        const all = await ph.query({ table: "t" });
        const width = (await all.table.page(0, 1)).rows[0].length;
        return {
          size: `${rows} x ${columns.length}`,
          width,
          values,
          names: columns.length < 10 ? columns.map(({ name }) => name) : [],
          notes: report.notes.length > 0,
          result: all,
        };
      };
      const told = (source) =>
        asked(source).then(
          ({ result, ...rest }) => rest,
          (error) => error.diagnostics?.[0]?.code ?? error.code,
        );
      const all = {};
      for (const [name, content] of Object.entries(files)) {
        const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
        all[name] = await told(new Blob([bytes]));
      }
      // The same in Arrow, as the package writes it.
      const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
      const { result } = await asked(new Blob([`${names}\n`, `${names.map((_, i) => i % 7)}\n`]));
      const arrow = await result.table.toArrowIPC();
      all["10,000 columns of Arrow"] = await told(arrow);
      await ph.load("two", new Blob(["first,other\n0,1\n2,3\n"]));
      const two = await (await ph.query({ table: "two" })).table.toArrowIPC();
      const text = Array.from(two, (byte) => String.fromCharCode(byte)).join("");
      const again = Uint8Array.from(text.replaceAll("other", "first"), (c) => c.charCodeAt(0));
      all["one name in Arrow"] = await told(again);
      const { restarts } = await ph.stats();
      await ph.close();
      return { all, restarts };
    },
    Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, bytes.toString("base64")]),
    ),
  );
  assert.equal(got.restarts, 0);
  const wide = { size: "4 x 10000", width: 10_000, values: [0, 1, 2, 3], names: [], notes: false };
  assert.deepEqual(got.all, {
    "Parquet without columns": "not_a_table",
    "Arrow without columns": "not_a_table",
    "Arrow without columns, of three rows": "not_a_table",
    "Arrow without columns, of 2^40 rows": "not_a_table",
    "10,000 columns": wide,
    "10,000 columns of one name": { ...wide, notes: true },
    "one name for several": {
      size: "4 x 5",
      width: 5,
      values: [0, 1, 2, 3],
      names: ["a", "b", "a_2", "column_4", "a_3"],
      notes: true,
    },
    "10,000 columns of Arrow": { ...wide, size: "1 x 10000", values: [9999 % 7] },
    "one name in Arrow": {
      size: "2 x 2",
      width: 2,
      values: [1, 3],
      names: ["first", "first_2"],
      notes: true,
    },
  });
});
