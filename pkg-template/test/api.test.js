// Loading, queries, results and errors over an engine in place.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  Pinhole,
  PinholeError,
  WASM,
  collect,
  fake,
  open,
  thrownIn,
  until,
} from "../testing/setup.js";

const CSV = "a\n1\n2\n";

/** A stream that gives `parts` and says when it was cancelled. */
function stream(parts, { end = true } = {}) {
  const state = { cancelled: false };
  const readable = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      if (end) controller.close();
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { readable, state };
}

test("every kind of source gives the same table", async (t) => {
  const ph = await open(t);
  const path = join(tmpdir(), `pinhole-source-${process.pid}.csv`);
  await writeFile(path, CSV);
  const bytes = new TextEncoder().encode(`xx${CSV}`);
  const sources = {
    blob: new Blob([CSV]),
    bytes: bytes.subarray(2),
    buffer: new TextEncoder().encode(CSV).buffer,
    stream: stream(["a\n1", "\n2\n"]).readable,
    buffers: ReadableStream.from([new TextEncoder().encode(CSV).buffer]),
    response: new Response(CSV),
    data: `data:text/csv,${encodeURIComponent(CSV)}`,
    url: new URL(`data:text/csv,${encodeURIComponent(CSV)}`),
    file: pathToFileURL(path),
  };
  for (const [name, source] of Object.entries(sources)) {
    const info = await ph.load(name, source);
    assert.equal(info.rows, 3, name);
    assert.equal(info.bytes, CSV.length, name);
  }
  assert.deepEqual(
    ph.tables().map((table) => table.name),
    Object.keys(sources),
  );
  assert.equal(bytes.byteLength, 2 + CSV.length, "the caller keeps the bytes");
  assert.equal(await ph.drop("blob"), true);
  assert.ok(!ph.tables().some((table) => table.name === "blob"));
});

test("large sources come in chunks, with progress", async (t) => {
  const ph = await open(t);
  const big = "1234567\n".repeat(200_000);
  for (const source of [new Blob([big]), stream([big]).readable, new TextEncoder().encode(big)]) {
    const seen = [];
    const info = await ph.load("big", source, { onProgress: (p) => seen.push(p) });
    assert.equal(info.bytes, big.length);
    assert.equal(info.rows, 200_000);
    assert.ok(seen.length >= 4);
    assert.equal(seen.at(-1).phase, "finishing");
    assert.deepEqual(
      seen.map((p) => p.bytes),
      seen.map((p) => p.bytes).sort((a, b) => a - b),
    );
  }
});

test("a size that more bytes come of than it says is not told on", async (t) => {
  const ph = await open(t);
  const big = "1234567\n".repeat(200_000);
  for (const [length, total] of [
    [big.length, big.length],
    // That of the packed bytes, where the page may not see that they are packed.
    [700_000, undefined],
  ]) {
    const seen = [];
    const source = new Response(big, { headers: { "content-length": String(length) } });
    const info = await ph.load("big", source, { onProgress: (p) => seen.push(p) });
    assert.equal(info.bytes, big.length);
    assert.equal(seen[0].total, length);
    assert.equal(seen.at(-1).total, total);
    for (const one of seen) assert.ok(!("total" in one) || one.bytes <= one.total);
  }
});

test("load options cross with snake_case keys", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]), { onBadRow: "skip", nulls: ["-"], onProgress: () => 0 });
  const [, , options] = fake.log.filter(([op]) => op === "load_begin").at(-1);
  assert.deepEqual(options, { nulls: ["-"], on_bad_row: "skip" });
});

test("bad sources and bad options reject with a code, and the next load works", async (t) => {
  const ph = await open(t);
  const used = new Response(CSV);
  await used.text();
  const taken = stream([CSV]).readable;
  taken.getReader();
  const read = new Response(CSV);
  read.body.getReader();
  const cases = [
    [used, {}, "bad_source"],
    [taken, {}, "bad_source"],
    [read, {}, "bad_source"],
    [stream([CSV]).readable.pipeThrough(new globalThis.TextDecoderStream()), {}, "bad_source"],
    [42, {}, "bad_source"],
    [null, {}, "bad_source"],
    [new Response("no", { status: 404 }), {}, "source_status"],
    ["http://", {}, "bad_option"],
    ["http://127.0.0.1:1/none.csv", {}, "source_unreachable"],
    [new URL("file:///no/such/file.csv"), {}, "source_unreachable"],
    [new Blob([CSV]), { format: "xlsx" }, "unsupported_format"],
    [
      new ReadableStream({
        pull() {
          throw new Error("gone");
        },
      }),
      {},
      "source_broken",
    ],
  ];
  for (const [source, options, code] of cases) {
    await assert.rejects(ph.load("t", source, options), (error) => {
      assert.ok(error instanceof PinholeError);
      assert.equal(error.code, code);
      return true;
    });
  }
  assert.deepEqual(ph.tables(), []);
  assert.equal((await ph.load("t", new Blob([CSV]))).rows, 3);
});

test("a path is told from an address, with what to pass in its place", async (t) => {
  const ph = await open(t);
  for (const path of ["./hunter2.csv", "hunter2.csv", "/tmp/hunter2.csv", "C:\\hunter2.csv"]) {
    for (const load of [() => ph.load("t", path), () => ph.append("t", path)]) {
      await assert.rejects(load(), (error) => {
        assert.equal(error.code, "bad_option");
        assert.match(error.message, /no URL: .*`pathToFileURL\(path\)`.*`await readFile\(path\)`/);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      });
    }
  }
  await ph.setLocale("ru");
  await assert.rejects(ph.load("t", "t.csv"), { message: /это не URL: .*`pathToFileURL\(path\)`/ });
});

test("what cannot be reached or read says the system's name of the reason", async (t) => {
  const ph = await open(t);
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  const none = `http://127.0.0.1:${port}/none`;
  for (const [source, message] of [
    [new URL("file:///no/such/file.csv"), "the file could not be fetched: ENOENT"],
    [`${none}.csv`, "the file could not be fetched: ECONNREFUSED"],
    [`${none}.parquet`, "the file could not be fetched: ECONNREFUSED"],
    [new URL(".", import.meta.url), "reading the file broke off: EISDIR"],
    [new Response("no", { status: 404 }), "the server answered `404` instead of the file"],
  ]) {
    await assert.rejects(ph.load("t", source), { message });
  }
  await ph.setLocale("ru");
  await assert.rejects(ph.load("t", "file:///no/such/file.csv"), {
    message: "не удалось получить файл: ENOENT",
  });
});

test("an append of another kind of values is told by the table, not by options that nobody gave", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  const { load_settle } = fake.Session.prototype;
  t.after(() => (fake.Session.prototype.load_settle = load_settle));
  const message = "not all values of column `a` can be read as that";
  const given = {
    code: "bad_option",
    message,
    pointer: "/types/a",
    span: null,
    choices: [],
    fix: "text",
  };
  fake.Session.prototype.load_settle = () => {
    throw { code: "bad_option", message, diagnostics: [given] };
  };
  const told = async (loading) => {
    const { code, message, diagnostics } = await loading.catch((error) => error);
    assert.equal(code, "bad_option");
    return { message, diagnostics };
  };
  const file = new Blob([CSV]);
  const own = await told(ph.append("t", file));
  assert.match(own.message, /^column `a` of the table is `int`, and not all values of the source/);
  assert.deepEqual(own.diagnostics, [{ ...given, message: own.message, pointer: "", fix: null }]);
  // A type that the call names is an option of it.
  const types = { a: "date" };
  for (const loading of [ph.append("t", file, { types }), ph.load("t", file, { types })]) {
    assert.deepEqual(await told(loading), { message, diagnostics: [given] });
  }
  await ph.setLocale("ru");
  assert.match((await told(ph.append("t", file))).message, /^в столбце `a` таблицы `int`/);
});

test("a cancelled load leaves nothing and rejects, whatever it waits for", async (t) => {
  const ph = await open(t);
  for (const [source, options] of [
    [stream(["a\n1\n"], { end: false }), {}],
    [{ readable: new Blob([CSV]), state: undefined }, { nulls: ["slow"] }],
  ]) {
    const abort = new AbortController();
    fake.log.length = 0;
    const loading = ph.load("t", source.readable, { ...options, signal: abort.signal });
    await until(() => fake.log.some(([op]) => op === "load_begin"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    // Neither ends by itself.
    abort.abort(new Error("enough"));
    await assert.rejects(loading, { code: "cancelled", name: "AbortError" });
    await until(() => fake.log.some(([op]) => op === "load_abort"));
    if (source.state) assert.equal(source.state.cancelled, true);
    assert.deepEqual(ph.tables(), []);
    assert.equal((await ph.load("t", new Blob([CSV]))).rows, 3);
    await ph.drop("t");
  }
  await assert.rejects(ph.load("t", new Blob([CSV]), { signal: AbortSignal.abort() }), {
    code: "cancelled",
  });
});

test("an append that is cancelled adds nothing, unless its rows are being put in their place", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  for (const [source, options] of [
    [stream(["a\n1\n"], { end: false }).readable, {}],
    [new Blob([CSV]), { nulls: ["slow"] }],
  ]) {
    const abort = new AbortController();
    fake.log.length = 0;
    const appending = ph.append("t", source, { ...options, signal: abort.signal });
    const begun = options.nulls ? "load_settle" : "load_begin";
    await until(() => fake.log.some(([op]) => op === begun));
    abort.abort();
    await assert.rejects(appending, { code: "cancelled", name: "AbortError" });
    await until(() => fake.log.some(([op]) => op === "load_abort"));
    assert.ok(!fake.log.some(([op]) => op === "load_finish"), "the table is as it was");
  }
  const abort = new AbortController();
  const { load_finish } = fake.Session.prototype;
  t.after(() => (fake.Session.prototype.load_finish = load_finish));
  fake.Session.prototype.load_finish = function (id) {
    abort.abort();
    return load_finish.call(this, id);
  };
  assert.equal((await ph.append("t", new Blob([CSV]), { signal: abort.signal })).rows, 3);
  assert.equal(abort.signal.aborted, true, "too late");
});

test("a result describes itself and reads its rows page by page", async (t) => {
  const ph = await open(t);
  const scalar = await ph.query({ select: "count()" });
  assert.equal(scalar.kind, "scalar");
  assert.equal(scalar.value, 3);
  assert.equal(scalar.table, undefined);
  assert.equal(scalar.modelText, "Result: 3 (from 3 of 3 rows)");
  assert.equal(scalar.metadata.rows_matched, 3);

  const grouped = await ph.sql("SELECT $1", [5n]);
  assert.deepEqual(fake.log.filter(([op]) => op === "sql").at(-1), ["sql", "SELECT $1", [5n]]);
  assert.deepEqual(await grouped.table.page(1, 1), {
    columns: ["a", "__proto__"],
    rows: [["y", 2]],
    total: 3,
  });
  const [row] = await grouped.table.rows(0, 1);
  assert.deepEqual(Object.entries(row), [
    ["a", "x"],
    ["__proto__", 1n],
  ]);
  let count = 0;
  for await (const batch of grouped.table.batches(2)) count += batch.rows.length;
  assert.equal(count, 3);
  assert.equal(new TextDecoder().decode(await grouped.table.toArrowIPC()), "ARROW");
  const source = await grouped.source({ dow: "Fri" }, { offset: 5, limit: 7 });
  assert.deepEqual(source.rows, [['{"dow":"Fri"}'], [5], [7]]);
  assert.equal((await ph.result(grouped.id)).id, grouped.id);
  assert.equal(await grouped.release(), true);
  await assert.rejects(grouped.table.page(), { code: "unknown_result" });
  assert.equal(await ph.result("r99"), undefined);
});

test("a result of another engine is no evidence here, whatever its id", async (t) => {
  const [ph, other] = [await open(t), await open(t)];
  const [own, alien] = [await ph.query({}), await other.query({})];
  assert.equal(own.id, alien.id);
  assert.deepEqual((await ph.check("3", [own])).ids, [own.id]);
  const unknown = { code: "unknown_result" };
  await assert.rejects(ph.check("3", [own, alien]), unknown);
  await assert.rejects(ph.render("3", [alien]), unknown);
  await assert.rejects(ph.checkStats({ stats: {}, data: alien }), unknown);
});

test("a failed query carries its diagnostics, and the next one works", async (t) => {
  const ph = await open(t);
  await assert.rejects(ph.query({ where: "nope > 1" }), (error) => {
    assert.equal(error.code, "unknown_column");
    assert.equal(error.name, "PinholeError");
    assert.deepEqual(error.diagnostics[0].span, [0, 4]);
    assert.equal(error.diagnostics[0].fix, "a");
    return true;
  });
  assert.equal((await ph.validate({ where: "nope > 1" }))[0].pointer, "/where");
  assert.equal((await ph.query({})).value, 3);
});

test("a query is cancelled, tells its progress, and leaves no result", async (t) => {
  const ph = await open(t);
  const abort = new AbortController();
  const seen = [];
  const running = ph.query(
    { table: "slow" },
    { signal: abort.signal, onProgress: (p) => seen.push(p) },
  );
  await until(() => seen.length > 0);
  abort.abort();
  await assert.rejects(running, { code: "cancelled", name: "AbortError" });
  assert.equal((await ph.query({})).id, "r1");
});

test("what is thrown where progress is told is the page's, and the call goes on", async (t) => {
  const ph = await open(t);
  const thrown = thrownIn(t);
  const onProgress = () => {
    throw new Error("the page's own");
  };
  assert.equal((await ph.query({}, { onProgress })).value, 3);
  assert.deepEqual(thrown.splice(0), ["the page's own"]);
  assert.equal((await ph.load("t", new Blob([CSV]), { onProgress })).rows, 3);
  assert.ok(thrown.length > 0);
});

test("what cannot be passed on is the caller's mistake", async (t) => {
  const ph = await open(t);
  await assert.rejects(ph.query({ table: "lost" }), { code: "unknown_table" });
  const seen = [];
  const onProgress = (progress) => seen.push(progress);
  const check = await ph.check("3 rows", ["r1"], { question: "how many?", onProgress });
  assert.deepEqual([check.ids, seen], [["r1"], [{ done: 1, total: 1 }]]);
  const r = await ph.query({});
  assert.deepEqual((await ph.plan("and now?", { previous: r })).options, { previous: r.query });
  assert.deepEqual(await ph.suggest("t"), ["how many rows has t?"]);
  assert.equal(await ph.explain({}), "count of t");
  assert.deepEqual(await ph.format({ limit: 1 }), { table: "t", limit: 1 });
  assert.equal((await ph.functions())[0].name, "count");
  assert.equal((await ph.tools.definitions())[0].function.name, "query");
  assert.equal((await ph.tools.execute("query", { a: 1 })).ok, true);
});

test("locale and policy reach the engine", async (t) => {
  const ph = await open(t, { locale: "ru", policy: { level: "schema" }, memoryLimit: 1000 });
  assert.deepEqual(fake.log.filter(([op]) => op === "open").at(-1)[1], {
    locale: "ru",
    policy: { level: "schema" },
    memory_limit: 1000,
    ledger: [],
  });
  await assert.rejects(ph.load("t", 42), /нельзя загрузить/);
  await ph.setLocale("en");
  await ph.setPolicy({ level: "aggregate" });
  assert.deepEqual(fake.log.slice(-2), [
    ["set_locale", "en"],
    ["set_policy", { level: "aggregate" }],
  ]);
  await assert.rejects(ph.load("t", 42), /nothing that can be loaded/);
});

test("a closed engine says so", async () => {
  const ph = await Pinhole.open({ wasm: WASM, worker: false });
  const running = ph.query({ table: "slow" });
  await Promise.all([ph.close(), assert.rejects(running, { code: "closed" })]);
  await assert.rejects(ph.query({}), { code: "closed" });
  await ph.close();
  assert.deepEqual(fake.log.at(-1), ["free"]);
  const used = await Pinhole.open({ wasm: WASM, worker: false });
  await used[Symbol.asyncDispose]();
  await assert.rejects(used.query({}), { code: "closed" });
});

test("without a worker, closing ends what runs before its session is freed", async (t) => {
  const other = await open(t);
  const { waits: before } = await other.stats();
  const ph = await Pinhole.open({ wasm: WASM, worker: false });
  const { chat_ask } = fake.Session.prototype;
  t.after(() => (fake.Session.prototype.chat_ask = chat_ask));
  fake.Session.prototype.chat_ask = async function (...args) {
    await chat_ask.apply(this, args);
    fake.log.push(["chat_ask is over"]);
  };
  const rejected = assert.rejects(ph.query({ table: "slow" }), { code: "closed" });
  const chat = ph.chat({ transport: () => new Promise(() => undefined) });
  const asking = collect(chat.ask("how many?"));
  await until(() => fake.log.at(-1)[0] === "chat_ask");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await ph.close();
  await rejected;
  assert.equal((await asking).at(-1).code, "closed");
  assert.deepEqual(fake.log.slice(-2), [["chat_ask is over"], ["free"]]);
  const { waits } = await other.stats();
  assert.deepEqual(waits, { running: 0, cancelled: before.cancelled + 1 });
});

test("a module that cannot be compiled is a clear error", async () => {
  for (const wasm of [
    new Uint8Array([1, 2, 3]),
    new Response("gone", { status: 404 }),
    new URL("file:///no/such.wasm"),
  ]) {
    await assert.rejects(Pinhole.open({ wasm, worker: false }), { code: "wasm_failed" });
  }
  const module = await WebAssembly.compile(WASM);
  for (const wasm of [module, new Response(WASM), WASM.buffer]) {
    await (await Pinhole.open({ wasm, worker: false })).close();
  }
});

test("tables of purchases are loaded under their names, then looked at", async (t) => {
  const purchases = { tables: { receipts: { table: "checks" } } };
  const ph = await Pinhole.open({ wasm: WASM, worker: false, purchases });
  t.after(() => ph.close());
  fake.log.length = 0;
  const csv = { receipt_items: new Blob([CSV]), receipts: new Blob([CSV]) };
  const report = await ph.loadPurchases(csv, { tables: { receipts: { nulls: ["-"] } } });
  assert.deepEqual(report, { tables: [], orphans: [], warnings: [] });
  assert.deepEqual(fake.log.at(-1), ["purchases_check", ["checks", "receipt_items"]]);
  assert.deepEqual(await ph.checkPurchases(), report);
  await assert.rejects(ph.loadPurchases({ recipts: new Blob([CSV]) }), { code: "bad_option" });
  await assert.rejects(ph.loadPurchases({}, { tables: { x: {} } }), { code: "bad_option" });
  const signal = AbortSignal.abort();
  await assert.rejects(ph.loadPurchases(csv, { signal }), { code: "cancelled" });
});

test("without a worker a trap is final and said", async (t) => {
  const ph = await open(t);
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_failed" });
  await assert.rejects(ph.query({}), { code: "engine_failed" });
});

test("without a worker a trap in a task ends every engine of the page, and only a trap does", async (t) => {
  const [ph, other] = [await open(t), await open(t)];
  const closed = await open(t);
  await closed.close();
  const waiting = other.query({ table: "slow" });
  waiting.catch(() => undefined);
  await assert.rejects(ph.query({ table: "trap in a task" }), { code: "engine_failed" });
  await assert.rejects(waiting, { code: "engine_failed" });
  for (const one of [ph, other]) await assert.rejects(one.query({}), { code: "engine_failed" });
  await assert.rejects(closed.query({}), { code: "closed" });
  // They have the module's one instance, and it is not used again.
  fake.log.length = 0;
  await assert.rejects(open(t, { locale: "ru" }), { code: "engine_failed", message: /[а-я]{4}/ });
  assert.deepEqual(fake.log, []);
  assert.equal(fake.tasks.trapped(new RangeError("Maximum call stack size exceeded")), true);
  assert.equal(fake.tasks.trapped(new RangeError("Invalid array length")), false);
  assert.equal(fake.tasks.trapped(new Error("unreachable")), false);
});
