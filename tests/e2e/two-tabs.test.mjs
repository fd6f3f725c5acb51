// Two tabs of the page: where one sends to is its own affair until it is reloaded, and it says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** Saves an endpoint and a model in another tab. */
async function saveInAnother(scene, endpoint, model) {
  const tab = await scene.context.newPage();
  await tab.goto(scene.url);
  await tab.getByTestId("settings-open").click();
  await tab.getByTestId("endpoint").fill(endpoint);
  await tab.getByTestId("model").fill(model);
  await tab.getByTestId("settings-save").click();
  await tab.waitForFunction(
    (model) => JSON.parse(localStorage["pinhole.settings"] ?? "{}").model === model,
    model,
  );
  return tab;
}

test("a tab without an endpoint sends nothing to the one that another tab was given", async (t) => {
  const scene = await open(t, { script: [say("Which totals?")] });
  await scene.load("purchases.csv", PURCHASES);
  const note = scene.id("elsewhere");
  assert.equal(await note.isVisible(), false);
  await saveInAnother(scene, ENDPOINT, "scripted");
  await note.filter({ hasText: "Another tab has changed which model answers." }).waitFor();
  await scene.picture("98-elsewhere");
  const answer = await scene.ask("total amount by shop");
  assert.match(await answer.id("answered-by").innerText(), /built-in planner/);
  await scene.id("model-open").waitFor({ state: "hidden" });
  assert.equal(scene.endpoint.bodies.length, 0);
  await scene.id("language-ru").click();
  await note.filter({ hasText: "В другой вкладке" }).waitFor();
  await Promise.all([scene.page.waitForEvent("load"), scene.id("elsewhere-reload").click()]);
  // Its table comes back, and the endpoint is this tab's, too.
  await scene.id("table-card").waitFor();
  assert.equal(await note.isVisible(), false);
  await scene.id("question").fill("and now?");
  await scene.id("ask").click();
  await scene.id("answer").filter({ hasText: "Which totals?" }).waitFor();
  assert.equal(scene.endpoint.bodies.length, 1);
});

test("a tab keeps its own model, and saving its own settings is the last word", async (t) => {
  const scene = await open(t, { model: true, script: [say("One."), say("Two.")] });
  await scene.load("purchases.csv", PURCHASES);
  const tab = await saveInAnother(scene, ENDPOINT, "another");
  const note = scene.id("elsewhere");
  await note.waitFor();
  await scene.ask("first?");
  assert.equal(scene.endpoint.requests[0].model, "scripted");
  await scene.id("settings-open").click();
  assert.equal(await scene.id("model").inputValue(), "scripted");
  await scene.id("settings-save").click();
  await note.waitFor({ state: "hidden" });
  assert.equal(await tab.getByTestId("elsewhere").evaluate(({ hidden }) => hidden), false);
  await scene.ask("second?");
  assert.equal(scene.endpoint.requests[1].model, "scripted");
});
