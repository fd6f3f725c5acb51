// The real worker script in a thread: transfers, cancel, traps and the new engine after them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeWorker, Pinhole, WASM, fake, packageUrl, rpc } from "../testing/setup.js";

const { serve } = await import(packageUrl("service.js"));

// Node has no workers as browsers do; the package asks whether there are any.
globalThis.Worker = FakeWorker;

const CSV = "a\n1\n2\n";

async function open(t, options = {}) {
  const ph = await Pinhole.open({ wasm: WASM, worker: () => new FakeWorker(), ...options });
  t.after(() => ph.close());
  return ph;
}

test("loads and queries in a worker", async (t) => {
  const ph = await open(t);
  const big = "1234567\n".repeat(200_000);
  const info = await ph.load("t", new Blob([big]));
  assert.equal(info.rows, 200_000);
  const r = await ph.query({ group_by: "a" });
  assert.deepEqual((await r.table.page()).rows[0], ["x", 1n]);
  assert.equal((await r.table.toArrowIPC()).byteLength, 5);
  const stats = await ph.stats();
  assert.equal(stats.worker, true);
  assert.equal(stats.restarts, 0);
});

/** The engine's side of the calls over a session that gives `bytes`, with all that leaves it. */
async function leaving(t, bytes) {
  const [here, there] = rpc.pair();
  const sent = [];
  const send = there.postMessage;
  there.postMessage = (message, transfer) => {
    sent.push([message, transfer]);
    send(message);
  };
  class Session extends fake.Session {
    ipc() {
      return bytes;
    }
    keep_next() {
      return bytes;
    }
  }
  serve(there, { ...fake, Session });
  const caller = new rpc.Channel(here, () => undefined);
  await caller.call("open", [new WebAssembly.Module(WASM), { spill: false }]);
  t.after(() => caller.call("close", []));
  return { caller, sent };
}

test("Arrow is moved out of the worker, and with it nothing of the engine", async (t) => {
  const content = [65, 82, 82, 79, 87, 49];
  const own = Uint8Array.from(content);
  const part = Uint8Array.from([0, ...content, 0]).subarray(1, -1);
  for (const bytes of [own, part]) {
    const { caller, sent } = await leaving(t, bytes);
    for (const [op, args] of [
      ["ipc", ["r1"]],
      ["keep_next", [1]],
    ]) {
      assert.deepEqual([...(await caller.call(op, args))], content);
      const [{ k, value }, transfer] = sent.at(-1);
      assert.equal(k, "done");
      assert.equal(transfer.length, 1, `${op} moves its bytes`);
      assert.equal(transfer[0], value.buffer);
      assert.equal(value.buffer.byteLength, content.length, "a view's other bytes stay");
    }
    await caller.call("stats", []);
    assert.deepEqual(sent.at(-1)[1], [], "small replies have nothing to move");
  }
});

test("a cancel reaches a worker that is busy", async (t) => {
  const ph = await open(t);
  const abort = new AbortController();
  const waits = async (wanted) => {
    for (let i = 0; i < 10_000; i += 1) {
      const { waits } = await ph.stats();
      if (waits.running === wanted) return waits;
    }
    return assert.fail(`never ${wanted}`);
  };
  const running = ph.query({ table: "slow" }, { signal: abort.signal });
  running.catch(() => undefined);
  await waits(1);
  abort.abort();
  await assert.rejects(running, { code: "cancelled" });
  // Nothing runs on behind the call that was given up, and it did not end by itself.
  assert.deepEqual(await waits(0), { running: 0, cancelled: 1 });
  assert.equal((await ph.stats()).restarts, 0, "and the worker is the same");
  assert.equal((await ph.query({})).value, 3);
});

/** A query that gives no turn to anything, once it runs. */
async function stuckQuery(ph) {
  const abort = new AbortController();
  const stuck = ph.query({ table: "stuck" }, { signal: abort.signal });
  stuck.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { abort, stuck };
}

test("an engine that does not hear a cancel is replaced, its files are read again", async (t) => {
  const ph = await open(t);
  await ph.load("file", new Blob([CSV]));
  const { abort, stuck } = await stuckQuery(ph);
  const behind = ph.query({ group_by: "a" });
  behind.catch(() => undefined);
  abort.abort();
  await assert.rejects(stuck, { code: "cancelled" });
  await assert.rejects(behind, { code: "engine_restarted" });
  assert.equal((await ph.query({})).value, 3);
  const { restarts } = await ph.stats();
  assert.equal(restarts, 1);
  assert.deepEqual(
    ph.tables().map((table) => table.name),
    ["file"],
  );
});

test("an engine with a table that cannot be read again is not replaced for a cancel", async (t) => {
  const ph = await open(t);
  await ph.load("bytes", new TextEncoder().encode(CSV));
  const { abort, stuck } = await stuckQuery(ph);
  const behind = ph.query({ group_by: "a" });
  behind.catch(() => undefined);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  abort.abort();
  await assert.rejects(stuck, { code: "cancelled" });
  t.mock.timers.tick(60_000);
  const turns = async () => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    return "still running";
  };
  assert.equal(await Promise.race([behind, turns()]), "still running");
  assert.equal(ph.tables().length, 1);
});

test("after a trap the engine is new, files are read again, old results are refused", async (t) => {
  const ph = await open(t);
  await ph.load("file", new Blob([CSV]));
  await ph.load("bytes", new TextEncoder().encode(CSV));
  const before = await ph.query({ group_by: "a" });
  const other = ph.query({ table: "slow" });
  other.catch(() => undefined);
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  await assert.rejects(other, { code: "engine_restarted" });

  const after = await ph.query({ group_by: "a" });
  assert.equal(after.id, before.id, "ids start again");
  await assert.rejects(before.table.page(), { code: "unknown_result" });
  assert.equal((await after.table.page()).total, 3);
  for (const used of [
    () => ph.check("3", [before]),
    () => ph.render("3", [after, before]),
    () => ph.checkStats({ stats: {}, data: before }),
  ])
    await assert.rejects(used(), { code: "unknown_result" });
  assert.deepEqual((await ph.check("3", [after])).ids, [after.id]);
  assert.deepEqual(
    ph.tables().map((table) => table.name),
    ["file"],
  );
  assert.equal((await ph.stats()).restarts, 1);
});

test("a new engine has the rules as they were set, whatever became of the page's objects", async (t) => {
  const told = [];
  class Watched extends FakeWorker {
    postMessage(message, transfer) {
      if (message.op === "open") told.push(structuredClone(message.args[1].policy));
      if (message.op === "load_begin") told.push(structuredClone(message.args[1].classes));
      super.postMessage(message, transfer);
    }
  }
  const policy = { level: "schema" };
  const classes = { a: "hidden" };
  const ph = await open(t, { worker: () => new Watched(), policy });
  await ph.load("t", new Blob([CSV]), { classes });
  policy.level = "preview";
  classes.a = "open";
  const next = { columns: { "t.a": "hidden" } };
  const trap = () => assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  await trap();
  await ph.setPolicy(next);
  next.columns["t.a"] = "open";
  await trap();
  await ph.query({});
  const [schema, hidden] = [{ level: "schema" }, { a: "hidden" }];
  const set = { columns: { "t.a": "hidden" } };
  assert.deepEqual(told, [schema, hidden, schema, hidden, set, hidden]);
  const bad = { classes: { a: () => 0 } };
  await assert.rejects(ph.load("t", new Blob([CSV]), bad), { code: "bad_option" });
});

test("a trap in a task of the worker is a trap", async (t) => {
  const ph = await open(t);
  await ph.load("file", new Blob([CSV]));
  await assert.rejects(ph.query({ table: "trap in a task" }), { code: "engine_restarted" });
  assert.equal((await ph.query({})).value, 3);
  assert.equal((await ph.stats()).restarts, 1);
});

test("a file that kills the engine does not kill it again", async (t) => {
  const ph = await open(t);
  await ph.load("good", new Blob([CSV]));
  await assert.rejects(ph.load("bad", new Blob(["TRAP\n"])), { code: "engine_restarted" });
  assert.equal((await ph.query({})).value, 3);
  assert.deepEqual(
    ph.tables().map((table) => table.name),
    ["good"],
  );
});

test("a conversation goes on after a trap", async (t) => {
  const ph = await open(t);
  const chat = ph.chat();
  const ask = async (question) => {
    const events = [];
    for await (const event of chat.ask(question)) events.push(event);
    return events.at(-1);
  };
  assert.equal((await ask("hello")).type, "done");
  assert.equal((await ask("trap")).code, "engine_restarted");
  assert.equal((await ask("hello")).type, "done");
});

test("a worker that does not start is a clear error", async () => {
  class Broken extends FakeWorker {
    constructor() {
      super();
      setTimeout(() => {
        this.dispatchEvent(Object.assign(new Event("error"), { message: "blocked" }));
      }, 5);
    }
    postMessage() {
      return undefined;
    }
  }
  await assert.rejects(Pinhole.open({ wasm: WASM, worker: () => new Broken() }), {
    code: "worker_failed",
  });
  const refuse = () => {
    throw new Error("no workers here");
  };
  await assert.rejects(Pinhole.open({ wasm: WASM, worker: refuse }), { code: "worker_failed" });
});

test("the worker script does nothing outside a worker", async () => {
  const before = globalThis.fetch;
  await import(packageUrl("worker.js"));
  assert.equal(globalThis.fetch, before);
});
