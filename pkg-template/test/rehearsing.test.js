// Rehearsals on the engine's side: they go on while nobody asks, and stop before whatever works.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Rehearsing, until } from "../testing/setup.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A session whose rehearsal has so many stretches of work. */
function session(stretches) {
  const log = [];
  return {
    log,
    rehearse_begin: () => log.push("begin"),
    rehearse_pause: () => log.push("pause"),
    async rehearse(job) {
      log.push("go on");
      while (stretches > 0) {
        await job.pause();
        if (job.cancelled()) return false;
        stretches -= 1;
      }
      log.push("done");
      return true;
    },
  };
}

const nobody = {
  trapped: (error) => {
    throw error;
  },
};

test("it goes on to its end while nobody asks, once for each beginning", async () => {
  const engine = session(3);
  const rehearsing = new Rehearsing(engine, turn, nobody);
  rehearsing.begin();
  rehearsing.begin();
  assert.equal(
    rehearsing.beside("stats", () => 7),
    7,
  );
  await until(() => engine.log.includes("done"));
  assert.deepEqual(engine.log, ["begin", "begin", "go on", "done"]);
  rehearsing.beside("query", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(engine.log.length, 4, "there is nothing to do any more");
});

test("what works goes first, and it rests as long as anything does", async () => {
  const engine = session(Infinity);
  const rehearsing = new Rehearsing(engine, turn, nobody);
  rehearsing.begin();
  await until(() => engine.log.includes("go on"));
  let finish;
  const long = rehearsing.beside("tool_execute", () => {
    engine.log.push("call");
    return new Promise((resolve) => (finish = resolve));
  });
  assert.deepEqual(engine.log, ["begin", "go on", "pause", "call"], "at once");
  const wrong = () => {
    throw new Error("wrong");
  };
  assert.throws(() => rehearsing.beside("sql", wrong), { message: "wrong" });
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(engine.log.length, 4, "the long call goes on");
  finish("found");
  assert.equal(await long, "found");
  await until(() => engine.log.length > 4);
  assert.deepEqual(engine.log.slice(4), ["go on"]);
  await rehearsing.end();
  assert.deepEqual(engine.log.slice(5), ["pause"]);
  rehearsing.beside("query", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(engine.log.length, 6);
});

test("whoever waits for it hears when it is over, however it ends", async () => {
  const nobodyElse = () => undefined;
  const engine = session(3);
  const rehearsing = new Rehearsing(engine, turn, nobody);
  assert.equal(await rehearsing.over(nobodyElse), true, "nothing was begun");
  rehearsing.begin();
  const [first, second] = [rehearsing.over(nobodyElse), rehearsing.over(nobodyElse)];
  rehearsing.beside("query", () => undefined);
  assert.deepEqual(await Promise.all([first, second]), [true, true]);
  assert.equal(engine.log.at(-1), "done");
  // Begun anew in the middle: it is the new one that is waited for.
  const again = session(Infinity);
  const endless = new Rehearsing(again, turn, nobody);
  endless.begin();
  let stop;
  const over = [];
  const left = endless.over((run) => (stop = run)).catch((error) => over.push(error.name));
  const ended = endless.over(nobodyElse).then((done) => over.push(done));
  await until(() => again.log.includes("go on"));
  endless.begin();
  await until(() => again.log.filter((one) => one === "go on").length === 2);
  assert.deepEqual(over, []);
  stop();
  await left;
  assert.deepEqual(over, ["AbortError"], "the other waits on");
  await endless.end();
  await ended;
  assert.deepEqual(over, ["AbortError", true]);
  const broken = { ...session(0), rehearse: () => Promise.reject(new Error("broken")) };
  const failing = new Rehearsing(broken, turn, { trapped: () => true });
  failing.begin();
  assert.equal(await failing.over(nobodyElse), true);
});

test("what fails in it ends it, and is told to the engine's owner alone", async () => {
  const engine = { ...session(0), rehearse: () => Promise.reject(new Error("broken")) };
  const failures = [];
  const rehearsing = new Rehearsing(engine, turn, {
    trapped: (error) => failures.push(error.message) > 0,
  });
  rehearsing.begin();
  await until(() => failures.length > 0);
  assert.deepEqual(failures, ["broken"]);
  assert.equal(
    rehearsing.beside("query", () => 1),
    1,
  );
  await rehearsing.end();
});

test("nothing of it runs on in an instance that trapped", async () => {
  const engine = session(3);
  const tasks = {};
  const rehearsing = new Rehearsing(engine, turn, tasks);
  rehearsing.begin();
  const { length } = engine.log;
  tasks.dead = new WebAssembly.RuntimeError("unreachable");
  await new Promise((resolve) => setTimeout(resolve, 200));
  await rehearsing.end();
  assert.equal(engine.log.length, length);
});
