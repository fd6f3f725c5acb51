// <pinhole-ask> as its page changes it: another endpoint, another file, another engine, a transport of
// the page's own, taken away and put back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { say } from "./endpoint.mjs";
import { PURCHASES } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES, "more.csv": "town,people\nOslo,7\nBergen,3\n" };
const MODEL = `src="purchases.csv" open endpoint="${ENDPOINT}" model="scripted"`;
const HANGS = [say("It is so", { hang: 1 }), say("It is so", { hang: 1 })];

/** Does something with the element in the page. */
const does = (scene, change) => scene.page.locator("pinhole-ask").evaluate(change);

const turns = (scene) => scene.page.locator("pinhole-turn");

test("another endpoint cancels what the old one is asked, and so does another conversation", async (t) => {
  const html = page({ attributes: MODEL });
  const scene = await open(t, { html, files, script: HANGS });
  await scene.ready();
  const turn = await scene.begin("total amount by shop");
  await scene.id("working", turn).waitFor();
  await does(scene, (ask) => (ask.endpoint = "/v1/other"));
  await scene.settled(turn);
  assert.equal(await scene.id("error", turn).getAttribute("data-code"), "cancelled");
  await does(scene, (ask) => ask.clear());
  assert.equal(await turns(scene).count(), 0);
});

test("another file is loaded, and the answers of the old one go with it", async (t) => {
  const scene = await open(t, { files });
  await scene.ask("how many rows are there?");
  const named = () => does(scene, ({ ph }) => ph.tables().map(({ name }) => name));
  assert.deepEqual(await named(), ["purchases"]);
  await does(scene, (ask) => {
    window.told = new Promise((done) => {
      ask.addEventListener("pinhole-ready", ({ detail }) => done(detail.ph.tables()[0].name));
    });
    ask.src = "more.csv";
  });
  assert.equal(await scene.page.evaluate(() => window.told), "more");
  await scene.ready();
  assert.deepEqual(await named(), ["more"]);
  assert.equal(await turns(scene).count(), 0);
  await scene.ask("how many rows are there?");
  // What says the same changes nothing.
  await does(scene, async (ask) => {
    ask.loadOptions = { nulls: ["n/a"] };
    await ask.updateComplete;
  });
  await scene.ask("how many rows are there?");
  await does(scene, async (ask) => {
    ask.loadOptions = { nulls: ["n/a"] };
    await ask.updateComplete;
  });
  assert.equal(await turns(scene).count(), 1);
  assert.equal(scene.log.filter(({ url }) => url === "/more.csv").length, 2);
});

test("taken away and put back while open, it has an engine again", async (t) => {
  const scene = await open(t, { files });
  await scene.ready();
  const gone = scene.page.waitForEvent("worker").then(() => undefined);
  const closed = new Promise((done) => scene.page.workers()[0].once("close", done));
  await does(scene, (ask) => {
    window.ask = ask;
    ask.remove();
  });
  await closed;
  await scene.page.evaluate(() => document.body.append(window.ask));
  await gone;
  await scene.ask("how many rows are there?");
  // One that is only moved keeps its engine.
  await does(scene, (ask) => document.body.prepend(ask));
  await scene.ready();
  assert.equal(await turns(scene).count(), 1);
  assert.equal(scene.page.workers().length, 1);
});

test("an engine that is still on its way is closed when the page brings its own", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ask = document.querySelector("pinhole-ask");
    window.begin = async () => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new URL("purchases.csv", location.href));
      ask.show();
      await ask.updateComplete;
      ask.ph = ph;
    };`;
  const html = page({ attributes: "", script: true });
  const scene = await open(t, { html, files, module });
  const closed = new Promise((done) => {
    scene.page.on("worker", (worker) => worker.once("close", done));
  });
  await scene.page.waitForFunction(() => window.begin);
  await scene.page.evaluate(() => window.begin());
  await closed;
  await scene.ask("how many rows are there?");
  assert.equal(scene.page.workers().length, 1);
});

test("taken away, its questions end, though the engine is the page's own", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ph = await Pinhole.open();
    await ph.load("purchases", new URL("purchases.csv", location.href));
    window.ask = document.querySelector("pinhole-ask");
    Object.assign(window.ask, { ph, recall: "shop", endpoint: "${ENDPOINT}", model: "scripted" });
    window.ask.show();`;
  const html = page({ attributes: "", script: true });
  const scene = await open(t, { html, files, module, script: HANGS });
  await scene.ready();
  const turn = await scene.begin("total amount by shop");
  await scene.id("working", turn).waitFor();
  const code = await does(
    scene,
    (ask) =>
      new Promise((done) => {
        ask.addEventListener("pinhole-answer", ({ detail }) => done(detail.code));
        ask.remove();
      }),
  );
  assert.equal(code, "cancelled");
  await scene.page.evaluate(() => document.body.append(window.ask));
  await scene.ready();
  assert.equal(await turns(scene).count(), 0);
});

test("where the page's own code carries the requests, no host is named", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ph = await Pinhole.open();
    await ph.load("purchases", new URL("purchases.csv", location.href));
    const ask = document.querySelector("pinhole-ask");
    Object.assign(ask, { ph, chatOptions: { model: "m", transport: () => new Promise(() => {}) } });
    ask.show();`;
  const html = page({ attributes: "", script: true });
  const scene = await open(t, { html, files, module });
  await scene.ready();
  assert.match(await scene.id("privacy").innerText(), /^This page’s own code decides/);
  const turn = await scene.begin("total amount by shop");
  await scene.id("working", turn).filter({ hasText: "this page’s own code" }).waitFor();
  assert.doesNotMatch(await scene.id("panel").innerText(), /127\.0\.0\.1/);
  await scene.id("cancel", turn).click();
  await scene.settled(turn);
});
