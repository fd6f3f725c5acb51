// Tables over a reload that the page does itself: they come back as they were, what was put on the device
// for that is taken off it, and what cannot be kept is named before anything is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const HARVEST = "plant,zqyield\nzqfern,3\nzqmoss,9\nzqfern,5\n";
const PEOPLE = "email,spent\nzq0@example.org,3\nzq1@example.org,4\n";

/** Types another endpoint into the settings, and saves. */
async function save(scene, address = ENDPOINT) {
  await scene.id("settings-open").click();
  await scene.id("endpoint").fill(address);
  await scene.id("model").fill("scripted");
  await scene.id("settings-save").click();
}

async function saved(scene, address = ENDPOINT) {
  await Promise.all([scene.page.waitForEvent("load"), save(scene, address)]);
  await scene.ready();
}

/** The names of the tables on the device, and what the page notes of its own. */
const device = (scene) =>
  scene.page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("pinhole-tables", { create: true });
    const names = [];
    for await (const name of folder.keys()) names.push(name);
    const notes = [localStorage, sessionStorage].map((one) => one.getItem("pinhole.carried"));
    return { names, notes };
  });
const NOTHING = { names: [], notes: [null, null] };

/** Waits until the device has nothing of the page's own. */
const cleared = (scene) =>
  scene.page.waitForFunction(() =>
    [localStorage, sessionStorage].every((one) => !one.getItem("pinhole.carried")),
  );

const names = (scene) => scene.id("table-name").allTextContents();

async function setClass(scene, column, name) {
  const card = scene.page.locator("[data-testid=table-card]", {
    has: scene.page.locator(`[data-testid="flag"][data-column="${column}"]`),
  });
  const place = (await card.count()) > 0 ? card : scene.id("table-card").first();
  const details = scene.id("table-details", place);
  // Of three tables and more each is a line.
  if (!(await details.isVisible())) await scene.id("table-line", place).click();
  if (!(await details.evaluate((element) => element.open)))
    await details.locator("summary").click();
  await place.locator(`[data-testid="column-class"][data-column="${column}"]`).selectOption(name);
}

const classes = (scene) =>
  scene.page.evaluate(() => import("/policy.js").then(({ policy }) => policy().columns));

/** From now on the device refuses to keep these tables, or all. */
const refuse = (scene, names) =>
  scene.run(({ Pinhole }, names) => {
    const { keep } = Pinhole.prototype;
    Pinhole.prototype.keep = function (name, options) {
      if (names && !names.includes(name)) return keep.call(this, name, options);
      return Promise.reject(Object.assign(new Error("no"), { code: "storage_full" }));
    };
  }, names);

const endpoint = (scene) =>
  scene.page.evaluate(() => JSON.parse(localStorage.getItem("pinhole.settings") ?? "{}").endpoint);

test("tables come back with their classes, answers in the history, and nothing stays", async (t) => {
  const scene = await open(t, { settings: { keep: true } });
  await scene.load("clients.csv", PEOPLE);
  await setClass(scene, "email", "aggregate");
  await scene.id("penguins").click();
  await scene.id("table-card").nth(1).waitFor();
  await scene.load("harvest.csv", HARVEST);
  await setClass(scene, "plant", "hidden");
  await scene.id("policy").filter({ hasText: "1 hidden" }).waitFor();
  const before = await classes(scene);
  assert.deepEqual(before, { "clients.email": "aggregate", "harvest.plant": "hidden" });
  const answer = await scene.ask("total zqyield of harvest");
  assert.match(await answer.text(), /17/);
  const order = await names(scene);
  assert.deepEqual(order, ["harvest", "penguins", "clients"]);

  await saved(scene);
  await scene.id("table-card").nth(2).waitFor();
  await cleared(scene);
  assert.deepEqual(await names(scene), order);
  assert.deepEqual(await classes(scene), before);
  assert.deepEqual(await device(scene), NOTHING);
  assert.ok(scene.log.every(({ method }) => method === "GET"));
  // A sample that came back is the sample: taken again it replaces itself.
  await scene.id("penguins").click();
  await scene.id("live").filter({ hasText: "penguins is loaded: 344" }).waitFor();
  assert.equal(await scene.id("table-card").count(), 3);

  // The answer of before is in the history, and what is opened there goes on.
  await scene.id("history-show").click();
  await scene.id("history-open").click();
  await scene.id("kept-note").filter({ hasText: "Your next question goes on" }).waitFor();
  await scene.id("answer-text").filter({ hasText: "17" }).waitFor();

  // What is asked of a table that came back is answered, under its classes.
  scene.endpoint.script = [
    call("query", { table: "harvest", group_by: "plant", select: "sum(zqyield)" }),
    say("See the table."),
  ];
  const again = await scene.ask("and by plant?");
  assert.deepEqual(await again.rows(), [
    ["zqfern", "8"],
    ["zqmoss", "9"],
  ]);
  const bodies = scene.log.filter(({ method }) => method === "POST").map(({ body }) => `${body}`);
  assert.equal(bodies.length, 2);
  for (const body of bodies) assert.doesNotMatch(body, /zqfern|zqmoss/);
});

test("tables that cannot be kept are named, and the person decides", async (t) => {
  const scene = await open(t);
  await scene.load("harvest.csv", HARVEST);
  await scene.load("clients.csv", PEOPLE);
  await refuse(scene, ["clients"]);
  await save(scene);
  await scene.id("carry-lost").waitFor();
  assert.deepEqual(await scene.id("carry-lost").locator("li").allTextContents(), ["clients"]);
  await scene.picture("97-carry-lost");

  // Who stays has lost nothing, and can go on with the settings.
  await scene.id("carry-stay").click();
  await cleared(scene);
  assert.deepEqual(await device(scene), NOTHING);
  assert.equal(await endpoint(scene), undefined);
  assert.equal(await scene.id("endpoint").inputValue(), ENDPOINT);
  await scene.id("settings-save").and(scene.page.locator(":focus")).waitFor();
  await scene.page.keyboard.press("Enter");
  await scene.id("carry-lost").waitFor();
  await scene.page.keyboard.press("Escape");
  await scene.id("carry").waitFor({ state: "detached" });
  assert.equal(await scene.id("settings").isVisible(), true);
  assert.deepEqual(await names(scene), ["clients", "harvest"]);

  await scene.id("settings-save").click();
  await Promise.all([scene.page.waitForEvent("load"), scene.id("carry-go").click()]);
  await scene.ready();
  await scene.id("table-card").waitFor();
  await cleared(scene);
  assert.deepEqual(await names(scene), ["harvest"]);
  assert.equal(await endpoint(scene), ENDPOINT);
  assert.deepEqual(await device(scene), NOTHING);
});

test("what is asked while tables come back waits until what is protected of them is there", async (t) => {
  const scene = await open(t, { script: [say("Which one?")] });
  await scene.load("harvest.csv", HARVEST);
  await scene.load("clients.csv", PEOPLE);
  await scene.id("policy").filter({ hasText: "1 hidden" }).waitFor();
  // The table with what is protected comes last, and not before it may.
  await scene.page.addInitScript(() => {
    const may = new Promise((go) => (window.letBack = go));
    import("/pinhole/index.js").then(({ Pinhole }) => {
      const { reopen } = Pinhole.prototype;
      Pinhole.prototype.reopen = async function (name) {
        if (name === "clients") await may;
        return reopen.call(this, name);
      };
    });
  });
  await saved(scene);
  await scene.id("table-card").waitFor();
  await scene.id("carry-back").waitFor();
  await scene.id("question").fill("what did zq0@example.org spend?");
  await scene.id("ask").click();
  const card = scene.id("answer");
  await card.waitFor();
  assert.equal(await card.getAttribute("aria-busy"), "true");
  assert.equal(scene.endpoint.bodies.length, 0);
  await scene.page.evaluate(() => window.letBack());
  await card.filter({ hasText: "Which one?" }).waitFor();
  assert.equal(scene.endpoint.bodies.length, 1);
  assert.doesNotMatch(`${scene.endpoint.bodies[0]}`, /zq0@example/);
});

test("where nothing is loaded, nothing is asked", async (t) => {
  const scene = await open(t);
  await refuse(scene);
  await saved(scene);
  assert.equal(await endpoint(scene), ENDPOINT);
});

test("what another page keeps under the name of a table stays as it is", async (t) => {
  const scene = await open(t);
  const kept = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    await ph.load("harvest", new Blob(["a\n1\n"]));
    await ph.keep("harvest");
    const kept = await ph.kept();
    await ph.close();
    return kept;
  });
  await scene.load("harvest.csv", HARVEST);
  await save(scene);
  await scene.id("carry-lost").filter({ hasText: "harvest" }).waitFor();
  await Promise.all([scene.page.waitForEvent("load"), scene.id("carry-go").click()]);
  await scene.ready();
  const now = await scene.run(async ({ Pinhole }) => (await Pinhole.open()).kept());
  assert.deepEqual(now, kept);
  assert.equal(await scene.id("table-card").count(), 0);
});

test("a reload that takes long can be cancelled, and changes nothing", async (t) => {
  const scene = await open(t);
  await scene.load("harvest.csv", HARVEST);
  await scene.load("clients.csv", PEOPLE);
  // The second one takes for ever.
  await scene.run(({ Pinhole }) => {
    const { keep } = Pinhole.prototype;
    Pinhole.prototype.keep = function (name, options) {
      if (name === "harvest") return keep.call(this, name, options);
      return new Promise((_, fail) => {
        options.signal.addEventListener("abort", () => fail(options.signal.reason));
      });
    };
  });
  await save(scene);
  await scene.id("carry-label").filter({ hasText: "clients" }).waitFor();
  await scene.id("carry-cancel").click();
  await scene.id("carry").waitFor({ state: "detached" });
  await cleared(scene);
  assert.deepEqual(await device(scene), NOTHING);
  assert.equal(await endpoint(scene), undefined);
  assert.equal((await names(scene)).length, 2);
});

test("what a tab put there and never fetched is taken off the device by a later one", async (t) => {
  const scene = await open(t);
  await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    for (const name of ["left", "own"]) {
      await ph.load(name, new Blob(["a\n1\n"]));
      await ph.keep(name);
    }
    const [left] = (await ph.kept()).filter(({ name }) => name === "left");
    localStorage.setItem("pinhole.carried", JSON.stringify([left]));
    await ph.close();
  });
  // Its tab may be on the way yet.
  await scene.page.reload();
  await scene.ready();
  assert.equal((await device(scene)).names.length, 2);
  await scene.context.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 7_200_000;
  });
  await scene.page.reload();
  await scene.ready();
  await cleared(scene);
  assert.deepEqual((await device(scene)).names, ["own.arrow"]);
});

test("a question is asked of the page as it was, in Russian as well", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("purchases.csv", PURCHASES);
  await refuse(scene);
  await save(scene);
  await scene.id("carry").filter({ hasText: "Перезагрузить и потерять таблицы?" }).waitFor();
  await scene.id("carry-lost").filter({ hasText: "purchases" }).waitFor();
});

const BY_PLANT = { table: "harvest", group_by: "plant", select: "sum(zqyield)" };

/** The bodies of all requests to a model, as the server got them. */
const bodies = (scene) =>
  scene.log.filter(({ method }) => method === "POST").map(({ body }) => `${body}`);

/** Opens the ledger: the numbers of its requests, their bodies, and what it says of itself. */
async function ledger(scene) {
  await scene.id("sent-open").click();
  await scene.id("ledger-outcome").and(scene.page.locator("[data-state]")).waitFor();
  const entries = scene.id("ledger-entry");
  const found = {
    heads: await entries.locator("h3").allTextContents(),
    bodies: await entries.locator("pre").allTextContents(),
    outcome: await scene.id("ledger-outcome").innerText(),
  };
  await scene.id("ledger-close").click();
  return found;
}

test("the ledger comes back with the page, goes on as one chain, and stays nowhere", async (t) => {
  const script = [call("query", BY_PLANT), say("See the table."), say("As before.")];
  const scene = await open(t, { model: true, script });
  await scene.load("harvest.csv", HARVEST);
  await scene.ask("yield by plant");
  await scene.id("sent-open").filter({ hasText: "2 requests sent" }).waitFor();
  await saved(scene, `.${ENDPOINT}`);
  await scene.id("table-card").waitFor();
  await scene.id("sent-open").filter({ hasText: "2 requests sent" }).waitFor();
  const back = await ledger(scene);
  assert.deepEqual(back.bodies, bodies(scene));
  assert.match(back.outcome, /2 .*kept until the page is left/);
  const noted = () => scene.page.evaluate(() => Object.keys(sessionStorage).join());
  assert.doesNotMatch(await noted(), /ledger/);
  await scene.id("question").fill("and now?");
  await scene.id("ask").click();
  await scene.id("answer").filter({ hasText: "As before." }).waitFor();
  const after = await ledger(scene);
  assert.equal(after.heads.length, 3);
  assert.deepEqual(after.bodies, bodies(scene));
  assert.match(after.outcome, /3 .*kept until the page is left/);
  // Any other reload forgets it, as before.
  await scene.page.reload();
  await scene.ready();
  await scene
    .id("sent-open")
    .filter({ hasText: /^Nothing sent since the page opened$/ })
    .waitFor();
});

test("a request that nobody answered is told so after the reload, too", async (t) => {
  const scene = await open(t, {
    settings: { endpoint: "http://127.0.0.1:9/v1", model: "none" },
    expect: /ERR_|Failed to load/,
  });
  await scene.load("harvest.csv", HARVEST);
  await scene.ask("yield by plant");
  await scene.id("sent-open").filter({ hasText: "1 request unanswered" }).waitFor();
  await saved(scene);
  await scene.id("sent-open").filter({ hasText: "1 request unanswered" }).waitFor();
});

test("a ledger that has no room is told before the reload, and can be saved", async (t) => {
  const script = [call("query", BY_PLANT), say("See the table.")];
  const scene = await open(t, { model: true, script });
  await scene.load("harvest.csv", HARVEST);
  await scene.ask("yield by plant");
  await scene.page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
      if (key === "pinhole.ledger") throw new DOMException("full", "QuotaExceededError");
      return setItem.call(this, key, text);
    };
  });
  await save(scene, `.${ENDPOINT}`);
  await scene.id("carry-ledger").filter({ hasText: "2 requests, is too long" }).waitFor();
  assert.equal(await scene.id("carry-lost").count(), 0);
  await scene.picture("98-carry-ledger");
  const [file] = await Promise.all([
    scene.page.waitForEvent("download"),
    scene.id("carry-ledger-save").click(),
  ]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  const exported = `${Buffer.concat(parts)}`.trimEnd().split("\n");
  const lines = exported.map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ body }) => body),
    bodies(scene),
  );
  await scene.id("carry-stay").click();
  await scene.id("carry").waitFor({ state: "detached" });
  assert.equal(await endpoint(scene), ENDPOINT);
  await scene.id("settings-save").click();
  await Promise.all([scene.page.waitForEvent("load"), scene.id("carry-go").click()]);
  await scene.ready();
  assert.equal(await endpoint(scene), `.${ENDPOINT}`);
  await scene.id("sent-open").filter({ hasText: "Nothing sent since" }).waitFor();
});
