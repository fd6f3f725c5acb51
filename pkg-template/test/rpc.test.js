// The calls themselves, over two ports joined in place and over a real message channel.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PinholeError, rpc } from "../testing/setup.js";

const { Channel, Moved, pair } = rpc;

/** A caller and a server that answers by `handler`. */
function channels(handler) {
  const [a, b] = pair();
  const server = new Channel(b, handler);
  const caller = new Channel(a, () => {
    throw new PinholeError("internal", "nobody calls back");
  });
  return { caller, server };
}

test("values, events and failures come back in order", async () => {
  const { caller } = channels(async (op, args, context) => {
    if (op === "fail") throw { code: "bad", message: "no", diagnostics: [{ code: "bad" }] };
    if (op === "throw") throw new Error("oops");
    for (const arg of args) context.emit(arg);
    return args.length;
  });
  const events = [];
  const onEvent = (event) => events.push(event);
  assert.equal(await caller.call("count", [1, 2, 3], { onEvent }), 3);
  assert.deepEqual(events, [1, 2, 3]);
  await assert.rejects(caller.call("fail", []), (error) => {
    assert.ok(error instanceof PinholeError);
    assert.equal(error.code, "bad");
    assert.equal(error.diagnostics.length, 1);
    return true;
  });
  await assert.rejects(caller.call("throw", []), { code: "internal", message: "oops" });
});

test("both sides can call", async () => {
  const [a, b] = pair();
  const left = new Channel(a, (op) => `left ${op}`);
  const right = new Channel(b, async (op) => `${await right.call("x", [])}, right ${op}`);
  assert.equal(await left.call("y", []), "left x, right y");
});

test("a cancel runs the hooks; an orphan's value is handed over", async () => {
  let release;
  const cancelled = [];
  const { caller } = channels(
    (op, args, context) =>
      new Promise((resolve) => {
        context.onCancel(() => cancelled.push(context.cancelled()));
        release = resolve;
      }),
  );
  const abort = new AbortController();
  const orphans = [];
  const call = caller.call("slow", [], {
    signal: abort.signal,
    onOrphan: (value) => orphans.push(value),
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
  abort.abort("why");
  await assert.rejects(call, { code: "cancelled", cause: "why" });
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(cancelled, [true]);
  release("late");
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(orphans, ["late"]);
  await assert.rejects(caller.call("slow", [], { signal: abort.signal }), { code: "cancelled" });
});

test("closing rejects what is waited for and what comes later", async () => {
  const { caller } = channels(() => new Promise(() => undefined));
  const call = caller.call("slow", []);
  caller.close(new PinholeError("closed", "closed"));
  await assert.rejects(call, { code: "closed" });
  await assert.rejects(caller.call("later", []), { code: "closed" });
});

test("a side that dies says so", async () => {
  const { caller, server } = channels(() => undefined);
  const fault = await new Promise((resolve) => {
    caller.ondead = resolve;
    server.die({ code: "internal", message: "unreachable", diagnostics: [] });
  });
  assert.equal(fault.message, "unreachable");
});

test("buffers are moved over a real channel, and what cannot be cloned is refused", async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const reply = new Uint8Array([1, 2, 3]);
  new Channel(port2, (op, [bytes]) =>
    op === "give" ? new Moved(reply, [reply.buffer]) : bytes.byteLength,
  );
  const caller = new Channel(port1, () => undefined);
  const sent = new Uint8Array(8);
  assert.equal(await caller.call("take", [sent], { transfer: [sent.buffer] }), 8);
  assert.equal(sent.byteLength, 0);
  assert.equal((await caller.call("give", [])).byteLength, 3);
  assert.equal(reply.byteLength, 0);
  await assert.rejects(caller.call("take", [() => 1]), { code: "bad_option" });
});
