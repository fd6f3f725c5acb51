// Parquet through the package and on the page: files of other programs hold what other readers see
// in them; of files on servers only what is needed is fetched; damaged files fail alone.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();
const folder = join(import.meta.dirname, "../formats/parquet");

const FILES = readdirSync(join(folder, "files"))
  .sort()
  .map((name) => ({
    name,
    bytes: readFileSync(join(folder, "files", name)),
    ...expectation(readFileSync(join(folder, "expected", `${name}.txt`), "utf8")),
  }));

const file = (name) => FILES.find((file) => file.name === name).bytes;

/** Kinds and rows of an expected file; tests/formats/make.py says what it is made of. */
function expectation(text) {
  const [header, ...lines] = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("//"));
  const columns = header.split("\t").map((cell) => cell.split(/:(?=[a-z]+(?:\(\w+\))?$)/));
  const rows = lines.map((line) =>
    line.split("\t").map((cell, i) => {
      const kind = columns[i][1];
      if (cell === "∅") return null;
      if (kind === "int") return BigInt(cell).toString();
      if (kind.startsWith("decimal")) return cell;
      if (kind === "float") return Number(cell);
      if (kind === "bool") return cell === "true";
      return kind === "text" || kind.startsWith("list") ? JSON.parse(cell) : moment(cell);
    }),
  );
  return { columns, rows };
}

/** Moments are written with as many digits as they have. */
function moment(text) {
  return text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** Runs in the page: loads bytes and gives what the table holds. */
const LOAD = `async (ph, source, options) => {
  const info = await ph.load("t", source, options);
  const result = await ph.query({ table: "t" });
  const { rows } = await result.table.page(0, 10000);
  const columns = info.columns.map(({ name, kind }) => [name, kind]);
  const plain = (v, i) => v !== null && columns[i][1] === "int" ? String(v) : v;
  return { columns, rows: rows.map((row) => row.map(plain)), report: info.report };
}`;

test("files of other programs hold what other readers see in them", async (t) => {
  const scene = await open(t, { blank: true });
  assert.ok(FILES.length >= 26);
  const got = await scene.run(
    `async ({ Pinhole }, files) => {
      const load = ${LOAD};
      const ph = await Pinhole.open();
      const all = [];
      for (const file of files) {
        const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
        all.push(await load(ph, new Blob([bytes])));
      }
      await ph.close();
      return all;
    }`,
    FILES.map(({ bytes }) => bytes.toString("base64")),
  );
  got.forEach(({ columns, rows, report }, i) => {
    const { name, bytes, columns: wanted, rows: expected } = FILES[i];
    assert.deepEqual(columns, wanted, name);
    assert.deepEqual([report.format, report.bytes], ["parquet", bytes.length], name);
    assert.equal(rows.length, expected.length, name);
    rows.forEach((row, r) => {
      row.forEach((value, c) => {
        const kind = wanted[c][1];
        const own = kind === "timestamp" && value !== null ? moment(value) : value;
        const other = expected[r][c];
        const close = kind === "float" && Math.abs(own - other) <= 1e-12 * Math.abs(other);
        if (!close) assert.deepEqual(own, other, `${name}: row ${r} of ${wanted[c][0]}`);
      });
    });
  });
});

test("every kind of source gives the same table, and columns can be chosen", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    `async ({ Pinhole }, file) => {
      const load = ${LOAD};
      const ph = await Pinhole.open();
      const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
      const stream = () => new Blob([bytes]).stream();
      const sources = {
        file: new File([bytes], "x.bin"), bytes, buffer: bytes.slice().buffer,
        stream: stream(), response: new Response(stream()),
      };
      const all = {};
      for (const [name, source] of Object.entries(sources)) all[name] = await load(ph, source);
      const progress = [];
      const two = await load(ph, new Blob([bytes]), {
        columns: ["n", "shop"], onProgress: (p) => progress.push(p),
      });
      const said = await load(ph, new Blob([bytes]), { format: "parquet" });
      const appended = await ph.append("t", new Blob([bytes]));
      const csv = await load(ph, new Blob(["PARENT_ID,PAR1\\n1,a\\n"]));
      await ph.close();
      const own = await Pinhole.open({ worker: false });
      all.place = await load(own, bytes);
      await own.close();
      return { all, two, said, csv: csv.report, appended: appended.rows, progress };
    }`,
    file("pyarrow-none.parquet").toString("base64"),
  );
  const { said } = got;
  for (const [name, table] of Object.entries(got.all)) assert.deepEqual(table, said, name);
  assert.equal(said.rows.length, 24);
  assert.equal(got.appended, 48);
  assert.deepEqual([got.csv.format, got.csv.rows], ["csv", 1]);
  assert.deepEqual(got.two.columns, [
    ["n", "int"],
    ["shop", "text"],
  ]);
  assert.deepEqual(
    got.two.rows,
    said.rows.map((row) => [row[3], row[7]]),
  );
  const total = file("pyarrow-none.parquet").length;
  assert.ok(
    got.progress.every(
      (p, i, all) => p.total === total && p.bytes <= total && p.bytes >= (all[i - 1]?.bytes ?? 0),
    ),
  );
});

test("its reader is fetched with the first such file, and once", async (t) => {
  const scene = await open(t, { blank: true });
  const modules = () => scene.traffic.filter(({ url }) => url.endsWith("parquet_bg.wasm")).length;
  const run = (work) =>
    scene.run(
      `async ({ Pinhole }, { file, csv }) => {
        const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
        globalThis.ph ??= await Pinhole.open();
        await (${work})(globalThis.ph, new Blob([bytes]), new Blob([csv]));
      }`,
      { file: file("pandas.parquet").toString("base64"), csv: PURCHASES },
    );
  await run("(ph, parquet, csv) => ph.load('csv', csv)");
  assert.equal(modules(), 0);
  await run("(ph, parquet) => ph.load('a', parquet).then(() => ph.load('b', parquet))");
  assert.equal(modules(), 1);
});

/**
 * A server of another origin that gives parts of a file as `how` says. `refused`, `later` and `gone`
 * are its answers to the first range, to those after it and to who asks for the whole; what is `coded`
 * is packed, and its ranges are those of the packed file.
 */
async function ranges(t, file, how = {}) {
  const log = [];
  let served = 0;
  const content = how.coded ? gzipSync(file) : file;
  const coding = how.coded ? { "content-encoding": "gzip" } : {};
  const server = createServer((request, response) => {
    const { range } = request.headers;
    const cors = { "access-control-allow-origin": "*" };
    if (request.method === "OPTIONS") {
      response.writeHead(how.noRange ? 403 : 204, {
        ...cors,
        "access-control-allow-headers": "range",
      });
      response.end();
      return;
    }
    log.push(range ?? "whole");
    const status = range === undefined ? how.gone : log.length > 1 ? how.later : how.refused;
    if (status) {
      response.writeHead(status, cors).end("refused");
      return;
    }
    const expose = { "access-control-expose-headers": "content-range, etag" };
    const etag = how.changes && served++ > 0 ? '"2"' : '"1"';
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
    if (range === undefined || how.whole) {
      response.writeHead(200, { ...cors, ...coding, "content-length": content.length });
      response.end(content);
      return;
    }
    const start = from === "" ? Math.max(0, content.length - Number(to)) : Number(from);
    const end = from === "" || to === "" ? content.length : Number(to) + 1;
    response.writeHead(206, {
      ...cors,
      ...expose,
      ...coding,
      etag,
      ...(how.hidden ? {} : { "content-range": `bytes ${start}-${end - 1}/${content.length}` }),
    });
    response.end(content.subarray(start, end));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, log };
}

/** A file of several row groups that is much longer than what is asked for first. */
const LONG = readFileSync(join(folder, "long.parquet"));

test("of a file on a server only what is needed is fetched, or the whole where it must be", async (t) => {
  const scene = await open(t, { blank: true, expect: /CORS|ERR_FAILED|Failed to load/ });
  const load = (url, options = {}) =>
    scene.run(
      `async ({ Pinhole }, { url, options }) => {
        const ph = await Pinhole.open();
        try {
          const { rows, report } = await ph.load("t", url, options);
          const sum = await ph.query({ select: "sum(n)" });
          return [rows, report.format, report.bytes, sum.value];
        } catch (e) {
          return e.code;
        } finally {
          await ph.close();
        }
      }`,
      { url, options },
    );
  const table = [20_000, "parquet", LONG.length, 199_990_000];
  const check = async (how, path, options, expected, asked) => {
    const { url, log } = await ranges(t, LONG, how);
    assert.deepEqual(await load(url + path, options), expected, JSON.stringify([how, path]));
    asked(log);
  };
  const first = "bytes=-65536";
  const isWhole = (log) => assert.deepEqual(log.at(-1), "whole");
  await check({}, "/x.parquet", {}, table, (log) => {
    assert.equal(log[0], first);
    assert.ok(log.length > 1 && log.slice(1).every((range) => /^bytes=\d+-\d+$/.test(range)));
  });
  let few;
  await check({}, "/x.pq", { columns: ["n"] }, table, (log) => {
    const bytes = (range) =>
      /(\d+)-(\d+)/
        .exec(range)
        ?.slice(1)
        .reduce((a, b) => b - a + 1);
    few = log.slice(1).reduce((sum, range) => sum + bytes(range), 0);
  });
  assert.ok(few < LONG.length / 4, `${few} of ${LONG.length} bytes`);
  await check({}, "/x", { format: "parquet" }, table, (log) => assert.equal(log[0], first));
  await check({}, "/x", {}, table, (log) => assert.deepEqual(log, ["whole"]));
  await check({ whole: true }, "/x.parquet", {}, table, (log) => assert.deepEqual(log, [first]));
  await check({ hidden: true }, "/x.parquet", {}, table, isWhole);
  await check({ noRange: true }, "/x.parquet", {}, table, (log) =>
    assert.deepEqual(log, ["whole"]),
  );
  await check({ changes: true }, "/x.parquet", {}, "source_broken", () => undefined);
});

test("ranges that are refused or packed give way to the whole file; a short file is one request", async (t) => {
  const scene = await open(t, { blank: true, expect: /Failed to load/ });
  const load = (url) =>
    scene.run(async ({ Pinhole }, url) => {
      const ph = await Pinhole.open();
      try {
        const { rows, report } = await ph.load("t", url);
        const sum = await ph.query({ select: "sum(n)" });
        return [rows, report.format, report.bytes, sum.value];
      } catch (e) {
        return [e.code, /\d+/.exec(e.message)?.[0]];
      } finally {
        await ph.close();
      }
    }, url);
  const check = async (how, expected, asked, content = LONG) => {
    const { url, log } = await ranges(t, content, how);
    assert.deepEqual(await load(`${url}/x.parquet`), expected, JSON.stringify(how));
    assert.deepEqual(log.slice(0, asked.length), asked, JSON.stringify(how));
    // Only ranges that come are followed by more of them.
    if (!how.later) assert.equal(log.length, asked.length, JSON.stringify(how));
  };
  const table = [20_000, "parquet", LONG.length, 199_990_000];
  const { bytes: short, rows } = FILES.find(({ name }) => name === "pyarrow-none.parquet");
  const sum = rows.reduce((all, row) => all + Number(row[3]), 0);
  const few = [24, "parquet", short.length, sum];
  const first = "bytes=-65536";
  for (const refused of [416, 403, 501]) {
    await check({ refused }, table, [first, "whole"]);
    await check({ refused }, few, [first, "whole"], short);
    await check({ refused, gone: 403 }, ["source_status", "403"], [first, "whole"]);
  }
  await check({ refused: 403, gone: 501 }, ["source_status", "501"], [first, "whole"]);
  await check({ later: 416 }, ["source_status", "416"], [first]);
  await check({ coded: true }, table, [first, "whole"]);
  await check({ coded: true }, few, [first, "whole"], short);
  await check({}, few, [first], short);
});

test("damaged files are errors, fail alone, and the next file loads", async (t) => {
  const scene = await open(t, { blank: true });
  const whole = file("pyarrow-snappy.parquet");
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const damaged = [5, 8, 11, 12, 100, 900, whole.length - 1].map((n) => whole.subarray(0, n));
  for (const name of ["pyarrow-snappy.parquet", "duckdb-zstd.parquet", "pyarrow-nested.parquet"]) {
    for (let i = 0; i < 25; i += 1) {
      const bytes = Buffer.from(file(name));
      for (let n = 0; n < 3; n += 1) bytes[4 + random(bytes.length - 12)] ^= 1 + random(255);
      damaged.push(bytes);
    }
  }
  const got = await scene.run(
    async ({ Pinhole }, { damaged, csv }) => {
      const ph = await Pinhole.open();
      const all = [];
      for (const content of damaged) {
        const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
        const got = await ph.load("t", new Blob([bytes])).then(
          () => "loaded",
          (e) => [e.code, e.message],
        );
        all.push(got);
      }
      const { rows } = await ph.load("next", new Blob([csv]));
      const { restarts } = await ph.stats();
      await ph.close();
      return { all, rows, restarts };
    },
    { damaged: damaged.map((bytes) => bytes.toString("base64")), csv: PURCHASES },
  );
  assert.equal(got.rows, 7);
  assert.equal(got.restarts, 0, "the engine lived on");
  const codes = /^(broken_file|unsupported_format|not_a_table|not_text|empty_input)$/;
  for (const one of got.all) {
    if (one === "loaded") continue;
    assert.match(one[0], codes, one[1]);
    assert.doesNotMatch(one[1], /Вкусно|Kuper|bread/);
  }
  assert.ok(
    got.all.slice(0, 7).every((one) => one !== "loaded"),
    "files that were cut short",
  );
});

test("a load of Parquet is cancelled at once and leaves nothing", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }, content) => {
    const ph = await Pinhole.open();
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    const cancel = new AbortController();
    const error = await ph
      .load("t", new Blob([bytes]), { signal: cancel.signal, onProgress: () => cancel.abort() })
      .catch((e) => e);
    const left = ph.tables().length;
    const { rows } = await ph.load("t", new Blob([bytes]));
    await ph.close();
    return { code: error.code, name: error.name, left, rows };
  }, LONG.toString("base64"));
  assert.deepEqual(got, { code: "cancelled", name: "AbortError", left: 0, rows: 20_000 });
});

test("page: a Parquet file is dropped, named and asked about; a packed one is told", async (t) => {
  const scene = await open(t);
  await scene.load("receipts.parquet", file("pyarrow-zstd.parquet"));
  assert.equal(await scene.id("table-rows").textContent(), "24");
  assert.match(await scene.id("table-card").textContent(), /Parquet/);
  const answer = await scene.ask("how many rows by shop");
  assert.match(await answer.text(), /12/);
  await scene.picture("14-parquet");
  await scene.load("x.parquet.gz", gzipSync(file("pandas.parquet")), "error");
});
