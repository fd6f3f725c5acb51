// What is asked of a model is stopped where its conversation ends, with what waits to be asked there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** Asks the model, which hangs, and once more, which waits; both are to be stopped by `leave`. */
async function asksOn(scene, leave) {
  await scene.load("purchases.csv", PURCHASES);
  await scene.begin("first?");
  while (scene.endpoint.bodies.length < 1) await scene.page.waitForTimeout(20);
  await scene.begin("second?");
  const stopped = scene.context.waitForEvent("requestfailed");
  await leave();
  await stopped;
  scene.endpoint.release();
  await scene.id("question").fill("third?");
  await scene.id("ask").click();
  await scene.id("answer").filter({ hasText: "And which?" }).waitFor();
  const asked = scene.endpoint.bodies.map((_, n) => scene.endpoint.contents(n, "user").at(-1));
  assert.equal(asked.length, 2, String(asked));
  assert.match(asked[1], /third\?/);
  await scene.id("live").filter({ hasText: "And which?" }).waitFor();
}

const HANGS = [{ ...say("Which ones?"), hang: 0 }, say("And which?")];

test("a new conversation stops what is asked in the one before, and what waits there", async (t) => {
  const scene = await open(t, { model: true, script: HANGS });
  await asksOn(scene, () => scene.id("new-chat").click());
  assert.equal(await scene.id("answer").count(), 1);
});

test("other settings stop what is asked under those of before, and what waits", async (t) => {
  const scene = await open(t, { model: true, script: HANGS });
  await asksOn(scene, async () => {
    await scene.id("settings-open").click();
    await scene.id("model").fill("another");
    await scene.id("settings-save").click();
  });
  assert.equal(scene.endpoint.requests[1].model, "another");
  const stopped = scene.id("answer").filter({ hasText: "Stopped." });
  assert.equal(await stopped.count(), 2);
});
