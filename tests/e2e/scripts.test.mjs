// Scripts that attack, in a real browser: each ends within its limits with a clear error, reaches
// nothing, holds up neither the page nor the engine, and the next one works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACKS, IN } from "./attacks.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** Counts the frames of the page between two messages to or from the sandbox's worker. */
function watchFrames() {
  const gaps = [];
  let last = performance.now();
  let stretch = 0;
  let longest = 0;
  let waiting = false;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    if (waiting) stretch += 1;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const heard = (more) => {
    longest = Math.max(longest, stretch);
    stretch = 0;
    waiting = more;
  };
  const Own = globalThis.Worker;
  globalThis.Worker = class extends Own {
    #isSandbox;
    constructor(url, options) {
      super(url, options);
      this.#isSandbox = String(url).endsWith("script-worker.js");
      if (this.#isSandbox) this.addEventListener("message", () => heard(true));
    }
    postMessage(...args) {
      super.postMessage(...args);
      if (this.#isSandbox) heard(true);
    }
    terminate() {
      super.terminate();
      if (this.#isSandbox) heard(false);
    }
  };
  globalThis.frames = {
    /** The most frames of one wait, and the longest time between two, since the last call. */
    take() {
      const gap = Math.max(0, ...gaps.splice(0));
      const most = longest;
      longest = 0;
      return { most, gap };
    },
  };
}

test("attacks end with a clear error, and the page and the next script go on", async (t) => {
  const scene = await open(t, { blank: true });
  await scene.page.evaluate(watchFrames);
  const got = await scene.run(
    async ({ Pinhole }, { csv, attacks, harmless }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "attacks" });
      const ended = [];
      for (const [name, script] of attacks) {
        const id = await recall.save(name, { kind: "script", script });
        const started = performance.now();
        frames.take();
        const answer = await recall.execute(id);
        const { most, gap } = frames.take();
        const ms = performance.now() - started;
        const next = await recall.save("harmless", { kind: "script", script: harmless });
        const after = await recall.execute(next);
        const { success, error, human } = answer;
        ended.push({ name, success, error, human, ms, most, gap, after: after.result?.rows });
      }
      const left = await ph.query({ table: "purchases", select: "count()" });
      return { ended, left: left.value };
    },
    {
      csv: PURCHASES,
      attacks: ATTACKS.map(([name, script]) => [name, script]),
      harmless: IN("return (await db.query({ table: 'purchases' })).map(({ shop }) => ({ shop }))"),
    },
  );
  for (const [i, [name, , code]] of ATTACKS.entries()) {
    const { success, error, human, after, most } = got.ended[i];
    const told = error.split(":")[0];
    if (code instanceof RegExp) assert.match(told, code, `${name}: ${error}`);
    else assert.equal(told, code, `${name}: ${error}`);
    assert.deepEqual([success, after], [false, 7], name);
    assert.ok(human.length > 10, name);
    // On the page's own thread, a loop would let no frame come before it is ended.
    if (code === "script_time") assert.ok(most > 1, `${name}: ${most} frames while it ran`);
  }
  assert.equal(got.left, 7);
  assert.equal(scene.log.filter(({ url }) => url.includes("stolen")).length, 0);
  const figures = got.ended.map(
    ({ name, ms, most, gap }) =>
      `${name} ${Math.round(ms)} ms, ${most} frames meanwhile, ${Math.round(gap)} ms at most between two`,
  );
  t.diagnostic(figures.join("; "));
});

test("a script that the sandbox cannot end is ended with its worker, and a cancel ends any", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, stuck, loop }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "attacks" });
      // Filling an array of holes is one step of the machine, too long to be asked within.
      const id = await recall.save("stuck", { kind: "script", script: stuck });
      const { success, error } = await recall.execute(id);
      const abort = new AbortController();
      const next = await recall.save("loop", { kind: "script", script: loop });
      setTimeout(() => abort.abort(), 200);
      const cancelled = await recall.execute(next, { signal: abort.signal }).catch((e) => e.code);
      return { success, error, cancelled };
    },
    {
      csv: PURCHASES,
      stuck: IN("const a = []; for (;;) a.push(new Array(4e5).fill(1));"),
      loop: IN("for (;;);"),
    },
  );
  assert.equal(got.success, false);
  assert.match(got.error, /^script_(time|memory)/);
  assert.equal(got.cancelled, "cancelled");
});

test("what a script reaches and changes is its own, and gone with it", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, scripts }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "reach" });
      const rows = [];
      for (const [at, script] of scripts.entries()) {
        const id = await recall.save(`script ${at}`, { kind: "script", script });
        const { success, error, result } = await recall.execute(id);
        rows.push(success ? await result.table.rows(0, 200) : error);
      }
      const left = await ph.query({ table: "purchases", select: "count()" });
      const here = [{}.polluted, [].polluted, (() => 0).polluted].filter((x) => x !== undefined);
      return { rows, left: left.value, here };
    },
    {
      csv: PURCHASES,
      scripts: [
        // Names of the world behind the sandbox's back doors, and what host functions are made by.
        IN(`const make = [].map.constructor;
          const world = make('return this')();
          const names = new Set(Object.getOwnPropertyNames(world));
          for (const host of [db, db.query, db.sql, DbService.queryRaw])
            for (let one = host; one; one = Object.getPrototypeOf(one))
              for (const name of Object.getOwnPropertyNames(one)) names.add(name);
          return [...names].sort().map((name) => ({ name }));`),
        IN(`return [{ a: typeof db.query.constructor('return this')().fetch,
          b: typeof (async () => 0).constructor('return this')().then,
          c: String(await (async () => 0).constructor('return typeof this.postMessage')()) }]`),
        IN(`Object.prototype.polluted = 1;
          Array.prototype.polluted = 1;
          (() => 0).constructor.prototype.polluted = 1;
          Array.prototype.map = undefined;
          JSON.stringify = () => '[{"a": "forged"}]';
          return [{ a: 'own' }];`),
        IN("return [{ a: String({}.polluted), b: [1].map((x) => x + 1)[0] }]"),
      ],
    },
  );
  const [names, constructors, polluted, after] = got.rows;
  assert.ok(got.rows.every(Array.isArray), JSON.stringify(got.rows.slice(1)));
  const reached = new Set(names.map(({ name }) => name));
  for (const name of [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebAssembly",
    "postMessage",
    "importScripts",
    "indexedDB",
    "self",
    "navigator",
    "location",
    "setTimeout",
    "process",
    "require",
  ])
    assert.equal(reached.has(name), false, name);
  assert.deepEqual(constructors, [{ a: "undefined", b: "function", c: "undefined" }]);
  assert.deepEqual(
    polluted.map(({ a }) => a),
    ["own"],
  );
  assert.deepEqual(after, [{ a: "undefined", b: 2 }]);
  assert.deepEqual([got.left, got.here], [7, []]);
});

test("the sandbox is fetched with the first script, and its worker has no network", async (t) => {
  const scene = await open(t, { blank: true });
  const fetched = () => scene.log.filter(({ url }) => /quickjs|script-/.test(url)).length;
  await scene.run(
    async ({ Pinhole }, { csv }) => {
      globalThis.ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      await ph.recall({ context: "x" }).ask("total amount by shop");
    },
    { csv: PURCHASES },
  );
  assert.equal(fetched(), 0);
  const rows = await scene.run(async (_, script) => {
    const recall = ph.recall({ context: "y" });
    const id = await recall.save("all", { kind: "script", script });
    const { result } = await recall.execute(id);
    await ph.close();
    return result.rows;
  }, IN("return db.sql('SELECT shop FROM purchases WHERE amount > $1', [200])"));
  assert.equal(rows, 3);
  assert.ok(fetched() > 0);
});
