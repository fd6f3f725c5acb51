// Words of a question that a protected cell says too: on the page and in the panel it is said that
// they were masked, nothing of them leaves, and they are sent where the person wants it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";

const open = stage();
const openPanel = elementStage();

const CLIENTS = `client,email,amount\n${Array.from(
  { length: 24 },
  (_, i) => `c${i},zq${i}@example.org,${100 + i}\n`,
).join("")}`;
const CELL = "zq3@example.org";
const QUESTION = `how much did ${CELL} spend?`;

/** Whether each request so far has the cell in it. */
const told = (scene) => scene.endpoint.bodies.map((body) => body.toString("utf8").includes(CELL));

for (const locale of ["en-US", "ru-RU"]) {
  test(`${locale}: the page says what it masked, and sends it when it is told to`, async (t) => {
    const language = locale.slice(0, 2);
    const script = [say("I cannot see who that is."), say("Now I can.")];
    const scene = await open(t, { model: true, script, locale });
    await scene.load("clients.csv", CLIENTS);
    const answer = await scene.ask(QUESTION);
    assert.ok((await answer.id("masked").innerText()).includes(CELL));
    assert.deepEqual(told(scene), [false]);
    await scene.picture(`54-masked-${language}`);
    await answer.id("masked-send").click();
    const next = await (await scene.newest()).settled();
    assert.equal(await next.text(), "Now I can.");
    assert.deepEqual(told(scene), [false, true]);
  });

  test(`${locale}: the panel says what it masked, and sends it when it is told to`, async (t) => {
    const language = locale.slice(0, 2);
    const attributes = `src="clients.csv" open endpoint="${ENDPOINT}" model="scripted"`;
    const script = [say("I cannot see who that is."), say("Now I can.")];
    const html = page({ attributes, lang: language });
    const scene = await openPanel(t, { html, files: { "clients.csv": CLIENTS }, script });
    const turn = await scene.ask(QUESTION);
    assert.ok((await scene.id("masked", turn).innerText()).includes(CELL));
    assert.deepEqual(told(scene), [false]);
    await scene.picture(`39-masked-${language}`);
    await scene.id("masked-send", turn).click();
    const next = scene.page.locator("pinhole-turn").nth(1);
    await scene.settled(next);
    assert.equal((await scene.text(next)).trim(), "Now I can.");
    assert.deepEqual(told(scene), [false, true]);
  });
}
