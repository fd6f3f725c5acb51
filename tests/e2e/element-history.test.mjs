// <pinhole-ask> over an engine that keeps conversations: what it completes after a reload.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES };

const QUESTION = "total amount by shop?";
const DECLINED = "colourless green ideas sleep furiously about shops";
const CUT_OFF = "which shop is the cheapest of all?";

/** An engine at a time over one store, as visits of a page are. */
const MODULE = `
  import { MemoryStore, Pinhole } from "/pinhole/index.js";
  const ask = document.querySelector("pinhole-ask");
  const store = (window.store = new MemoryStore());
  window.visit = async () => {
    const before = ask.ph;
    const ph = await Pinhole.open({ locale: "en", persist: store });
    await ph.load("purchases", new URL("purchases.csv", location.href));
    ask.ph = ph;
    ask.show();
    await before?.close();
  };
  await window.visit();`;

/** Waits until the store has so many questions. */
const kept = (scene, count) =>
  scene.page.waitForFunction(async (count) => {
    const heads = await window.store.list();
    return heads.reduce((sum, { turns }) => sum + turns, 0) === count;
  }, count);

/** The questions that are offered as earlier ones once there are any. */
async function earlier(scene, typed) {
  const options = scene.id("completion").and(scene.page.locator('[data-kind="earlier"]'));
  await scene.id("question").fill(typed);
  await options.first().waitFor();
  return options.evaluateAll((all) => all.map((one) => one.querySelector("span").textContent));
}

test("of kept conversations the questions that were answered are completed", async (t) => {
  const html = page({ attributes: "", script: true });
  const scene = await open(t, { html, files, module: MODULE });
  await scene.ask(QUESTION);
  const declined = await scene.ask(DECLINED);
  assert.equal(await scene.claims(declined).then((all) => all.length), 0);
  await kept(scene, 2);
  await scene.page.evaluate(() => window.visit());
  await scene.ready();
  const offered = await earlier(scene, "shop");
  assert.deepEqual(offered, [QUESTION]);
  await scene.picture("25-completion-kept");
});

test("consent that a page gives later is about the conversation of the panel, too", async (t) => {
  const module = `
    import { MemoryStore, Pinhole } from "/pinhole/index.js";
    const store = (window.store = new MemoryStore());
    const ph = await Pinhole.open({ locale: "en" });
    await ph.load("purchases", new URL("purchases.csv", location.href));
    const ask = document.querySelector("pinhole-ask");
    ask.ph = ph;
    ask.show();
    window.consent = () => ph.history.allow(store);`;
  const html = page({ attributes: "", script: true });
  const scene = await open(t, { html, files, module });
  await scene.ask(QUESTION);
  assert.deepEqual(await scene.page.evaluate(() => window.store.list()), []);
  await scene.page.evaluate(() => window.consent());
  await kept(scene, 1);
  await scene.ask("total amount?");
  await kept(scene, 2);
  const turns = await scene.page.evaluate(async () => {
    const [{ id }, ...more] = await window.store.list();
    const chat = await window.store.get(id);
    return [more.length, chat.turns.map(({ question, tables }) => [question, tables.length])];
  });
  assert.deepEqual(turns, [
    0,
    [
      [QUESTION, 1],
      ["total amount?", 1],
    ],
  ]);
});

test("a question whose rounds came to an end is not completed after a reload", async (t) => {
  const html = page({ attributes: "", script: true });
  const options = { endpoint: ENDPOINT, model: "scripted", maxRounds: 2 };
  const module = `
    document.querySelector("pinhole-ask").chatOptions = ${JSON.stringify(options)};
    ${MODULE}`;
  // The second question is asked for rows again and again.
  const replies = [call("query", BY_SHOP), say("Vkusno has 912.")];
  const script = (serial) => replies[serial - 1] ?? call("query", { ...BY_SHOP, limit: serial });
  const scene = await open(t, { html, files, module, script });
  await scene.ask(QUESTION);
  await scene.ask(CUT_OFF);
  await kept(scene, 2);
  const ended = await scene.page.evaluate(async () => {
    const [{ id }] = await window.store.list();
    return (await window.store.get(id)).turns.map(({ events }) => events.at(-1).ended ?? null);
  });
  assert.deepEqual([ended[0], typeof ended[1]], [null, "string"]);
  await scene.page.evaluate(() => window.visit());
  await scene.ready();
  assert.deepEqual(await earlier(scene, "shop"), [QUESTION]);
});
