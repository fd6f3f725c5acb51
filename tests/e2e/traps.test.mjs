// Ends of the real module, forced: memory that the browser refuses, a stack that is too small, a panic,
// and a query that hears no cancel. Each ends the engine; the call says so, tables are read again, and
// the next call works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { limited } from "../wasm-limits.mjs";
import { stage } from "./harness.mjs";

// Without a window Chromium has no handler for the traps of wasm: a stack that overflows ends the page.
const open = stage({ whole: true });

const TRAPS = /RuntimeError|unreachable|out of bounds|panicked|memory allocation/;

/** Opens the package with a module of other limits, loads a table, and runs `work(ph, code)`. */
function run(scene, limits, work) {
  return scene.run(
    `async ({ Pinhole }, limits) => {
      const whole = new Uint8Array(await (await fetch("/pinhole/pinhole_bg.wasm")).arrayBuffer());
      const ph = await Pinhole.open({ wasm: await (${limited})(whole, limits) });
      const code = (call) => call.then(({ rows, value }) => value ?? rows, (error) => error.code);
      await ph.load("s", new Blob(["a,b\\n1,2\\n2,3\\n"]));
      const got = await (${work})(ph, code);
      const { restarts } = await ph.stats();
      const tables = ph.tables().map(({ name }) => name);
      await ph.close();
      return { ...got, restarts, tables };
    }`,
    limits,
  );
}

test("memory that the browser refuses: a query and a load say so, and the next call works", async (t) => {
  const scene = await open(t, { blank: true, expect: TRAPS });
  const got = await run(scene, { pages: 1000 }, async (ph, code) => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i},${(i * 7919) % 1009}\n`);
    const loaded = await code(ph.load("t", new Blob(["id,x\n", ...lines])));
    const heavy = {
      table: "t",
      map: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, `x * ${i}.5`])),
      sort: "m3",
    };
    const query = await code(ph.query(heavy));
    const again = await code(ph.query({ table: "t", select: "count()" }));
    const words = Array.from({ length: 1_200_000 }, (_, i) => `${"w".repeat(80)}${i}\n`);
    const load = await code(ph.load("big", new Blob(["word\n", ...words])));
    const next = await code(ph.query({ table: "s", select: "sum(b)" }));
    return { loaded, query, again, load, next };
  });
  assert.deepEqual(got, {
    loaded: 400_000,
    query: "engine_restarted",
    again: 400_000,
    load: "engine_restarted",
    next: 5,
    restarts: 2,
    tables: ["s", "t"],
  });
});

test("a stack that overflows: the call says so, and the next one works", async (t) => {
  const scene = await open(t, { blank: true, expect: TRAPS });
  const got = await run(scene, { stack: 1 << 17 }, async (ph, code) => {
    const conditions = Array(256).fill("(a == 1 or b == 9)").join(" and ");
    const deep = await code(ph.query({ table: "s", where: conditions }));
    const next = await code(ph.query({ table: "s", select: "sum(b)" }));
    const nested = await code(ph.sql(`SELECT ${"1 + ".repeat(140)}1 AS n`));
    const last = await code(ph.query({ table: "s", select: "count()" }));
    return { deep, next, nested, last };
  });
  assert.deepEqual(got, {
    deep: "engine_restarted",
    next: 5,
    nested: "engine_restarted",
    last: 2,
    restarts: 2,
    tables: ["s"],
  });
});

test("a panic: the call says so, and the next one works", async (t) => {
  const scene = await open(t, { blank: true, expect: TRAPS });
  const got = await scene.run(async ({ Pinhole }) => {
    // A clock with a time that no calendar has, of which the crate for dates panics: a query asks for
    // the time when it begins.
    const script = `
      import "${location.origin}/pinhole/worker.js";
      const { getTime } = Date.prototype;
      const clock = new BroadcastChannel("clock");
      let broken = false;
      clock.onmessage = () => {
        broken = true;
        clock.postMessage("broken");
      };
      Date.prototype.getTime = function () {
        return broken ? 9e18 : getTime.call(this);
      };
    `;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const ph = await Pinhole.open({
      worker: () => new Worker(url, { type: "module" }),
    });
    const code = (call) =>
      call.then(
        ({ value }) => value,
        (error) => error.code,
      );
    await ph.load("s", new Blob(["a,b\n1,2\n2,3\n"]));
    const before = await code(ph.sql("SELECT sum(b) AS b FROM s"));
    const clock = new BroadcastChannel("clock");
    const heard = new Promise((done) => (clock.onmessage = done));
    clock.postMessage("break");
    await heard;
    const panicked = await code(ph.sql("SELECT max(b) AS b FROM s"));
    const next = await code(ph.sql("SELECT sum(b) AS b FROM s"));
    const { restarts } = await ph.stats();
    const tables = ph.tables().map(({ name }) => name);
    await ph.close();
    return { before, panicked, next, restarts, tables };
  });
  assert.deepEqual(got, {
    before: 5,
    panicked: "engine_restarted",
    next: 5,
    restarts: 1,
    tables: ["s"],
  });
});

test("without a worker a trap inside a query is told, final, and no error of the page's", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    `async ({ Pinhole }, limits) => {
      const whole = new Uint8Array(await (await fetch("/pinhole/pinhole_bg.wasm")).arrayBuffer());
      const options = { wasm: await (${limited})(whole, limits), worker: false };
      const code = (call) => call.then(({ value }) => value, (error) => error.code);
      const [ph, other] = [await Pinhole.open(options), await Pinhole.open(options)];
      for (const one of [ph, other]) await one.load("s", new Blob(["a,b\\n1,2\\n2,3\\n"]));
      const count = () => ph.query({ select: "count()" });
      const where = Array(256).fill("(a == 1 or b == 9)").join(" and ");
      const before = await code(count());
      const [deep, beside] = await Promise.all([ph.query({ where }), count()].map(code));
      const after = [await code(count()), await code(other.query({})), await code(Pinhole.open(options))];
      return { before, deep, beside, after };
    }`,
    { stack: 1 << 17 },
  );
  const failed = "engine_failed";
  assert.deepEqual(got, {
    before: 2,
    deep: failed,
    beside: failed,
    after: [failed, failed, failed],
  });
});

test("a query that gives no turn: a cancel replaces the engine, and its tables are read again", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const code = (call) =>
      call.then(
        ({ rows, value }) => value ?? rows,
        (error) => error.code,
      );
    const lines = Array.from({ length: 300_000 }, (_, i) => `${i},${(i * 7919) % 1009}\n`);
    await ph.load("t", new Blob(["id,x\n", ...lines]));
    const small = await ph.query({ limit: 1 });
    // No pair matches, so that a batch is compared with all of the table in one go.
    const pairs = "SELECT count(*) AS n FROM t AS a JOIN t AS b ON a.id + b.x < 0";
    const stop = new AbortController();
    const stuck = code(ph.sql(pairs, undefined, { signal: stop.signal }));
    const second = () => new Promise((done) => setTimeout(done, 1000, "silence"));
    while ((await Promise.race([ph.stats(), second()])) !== "silence");
    const behind = code(ph.query({ select: "sum(id)" }));
    stop.abort();
    const got = { stuck: await stuck, behind: await behind };
    got.next = await code(ph.query({ select: "count()" }));
    got.old = await code(small.table.page());
    got.restarts = (await ph.stats()).restarts;
    got.tables = ph.tables().map(({ name }) => name);
    await ph.close();
    return got;
  });
  assert.deepEqual(got, {
    stuck: "cancelled",
    behind: "engine_restarted",
    next: 300_000,
    old: "unknown_result",
    restarts: 1,
    tables: ["t"],
  });
});
