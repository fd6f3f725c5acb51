// Conversations that the page keeps: after consent alone, opened again with their tables, exported,
// deleted; and the settings of an endpoint, its format and its key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { Answer, ENDPOINT, PATIENCE, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES, TOTALS } from "./tables.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

const QUESTION = "which shop has the highest total?";
const TRUE = "Vkusno has the highest total, 912.";
const KEY = "key-that-nobody-may-keep-0123456789";

const shown = TOTALS.map((row) => row.map(String));

/** What the device holds of conversations. */
const databases = (scene) => scene.page.evaluate(() => indexedDB.databases());

/** Everything the page has stored, as text. */
const stored = (scene) =>
  scene.page.evaluate(async () => {
    const open = (name) =>
      new Promise((done) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => done(request.result);
      });
    const all = (store) =>
      new Promise((done) => (store.getAll().onsuccess = (e) => done(e.target.result)));
    const found = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      const database = await open(name);
      for (const store of database.objectStoreNames) {
        found.push(await all(database.transaction(store).objectStore(store)));
      }
      database.close();
    }
    return JSON.stringify(found);
  });

/** Waits until the device holds a conversation with this question. */
async function kept(scene, question) {
  const found = () =>
    scene.page.evaluate(async (question) => {
      const done = (request) =>
        new Promise((yes) => (request.onsuccess = () => yes(request.result)));
      // Opening what is not there yet would make it.
      const there = await indexedDB.databases();
      if (!there.some(({ name }) => name === "pinhole")) return false;
      const database = await done(indexedDB.open("pinhole"));
      const chats = await done(database.transaction("chats").objectStore("chats").getAll());
      database.close();
      return chats.some(({ turns }) => turns.some((turn) => turn.question === question));
    }, question);
  for (const until = Date.now() + PATIENCE; !(await found());) {
    assert.ok(Date.now() < until, `${question} is not kept`);
  }
}

async function consent(scene) {
  await scene.id("history-show").click();
  await scene.id("history-keep").check();
  await scene.id("history-empty").waitFor();
  await scene.id("history-close").click();
}

test("nothing is kept before consent, which says what it is about", async (t) => {
  const scene = await open(t, { model: true, script: [call("query", BY_SHOP), say(TRUE)] });
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  assert.deepEqual(await databases(scene), []);
  await scene.id("history-show").click();
  const dialog = scene.id("history");
  assert.match(await dialog.innerText(), /full tables.*private storage.*until you delete them/s);
  assert.equal(await scene.id("history-keep").isChecked(), false);
  assert.match(
    await scene.id("history-empty").innerText(),
    /^No conversation is kept on this device/,
  );
  await scene.picture("60-consent");
});

test("that a reload loses a conversation is said once, with the way to keep it", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("total amount by shop");
  const note = scene.id("unkept");
  await note.filter({ hasText: "only until the page is closed or reloaded" }).waitFor();
  await scene.id("language-ru").click();
  await note.filter({ hasText: "пока страницу не закрыли" }).waitFor();
  await scene.picture("64-unkept");
  await scene.id("language-en").click();
  await scene.id("unkept-keep").click();
  await scene.id("history-keep-now").filter({ hasText: "Keep this one" }).click();
  await scene.id("history-name").filter({ hasText: "total amount by shop" }).waitFor();
  assert.equal(await scene.id("history-keep").isChecked(), true);
  await scene.id("history-close").click();
  assert.equal(await note.count(), 0);
  await scene.ask("total amount");
  assert.equal(await note.count(), 0);
});

test("consent below the first answer keeps that conversation, and it goes on", async (t) => {
  const script = [call("query", BY_SHOP), say(TRUE), say("Kuper is next."), say("Still Vkusno.")];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  assert.deepEqual(await databases(scene), []);
  assert.doesNotMatch(await stored(scene), /highest total/);
  await scene.id("unkept-keep").click();
  await scene.id("history-keep-now").click();
  await scene.id("history-item").waitFor();
  await kept(scene, QUESTION);
  await scene.picture("65-kept-under-way");
  await scene.id("history-close").click();
  await scene.ask("and the one after it?");
  // The model has heard the first question: it is the same conversation still.
  assert.ok(scene.endpoint.contents(2, "user").some((text) => text.includes(QUESTION)));
  await kept(scene, "and the one after it?");
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("history-item").filter({ hasText: "2 questions" }).waitFor();
  assert.equal(await scene.id("history-name").innerText(), QUESTION);
  // Its name opens it, as the button does.
  await scene.id("history-name").click();
  const answers = scene.id("answer");
  await answers.nth(1).waitFor();
  const old = await new Answer(scene, answers.nth(1)).settled();
  assert.equal(await old.text(), TRUE);
  assert.deepEqual(await old.rows(), shown);
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("question").fill("and now?");
  await scene.id("ask").click();
  await answers.first().filter({ hasText: "Still Vkusno" }).waitFor();
  assert.ok(scene.endpoint.contents(3, "assistant").includes(TRUE));
});

test("consent on the sample keeps its answer, with its rows", async (t) => {
  const scene = await open(t);
  await scene.id("penguins").click();
  await scene.id("suggestion").first().waitFor();
  const question = await scene.id("suggestion").first().innerText();
  await scene.id("suggestion").first().click();
  const first = await new Answer(scene, scene.id("answer").first()).settled();
  const [text, rows] = [await first.text(), await first.rows()];
  await scene.id("unkept-keep").click();
  await scene.id("history-keep").check();
  await scene.id("history-item").waitFor();
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("history-name").focus();
  await scene.page.keyboard.press("Enter");
  await scene.id("kept-note").waitFor();
  const old = await new Answer(scene, scene.id("answer").first()).settled();
  assert.equal(await old.text(), text);
  assert.equal(await old.id("answer-question").innerText(), question);
  assert.deepEqual(await old.rows(), rows);
});

test("the line about a reload is gone for good once it was read", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("total amount by shop");
  await scene.id("unkept-read").click();
  await scene.page.reload();
  await scene.ready();
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("question").fill("total amount");
  await scene.id("ask").click();
  await scene.id("answer").first().and(scene.page.locator("[data-state]")).waitFor();
  assert.equal(await scene.id("unkept").count(), 0);
  // The way to keep the conversation stays, as long as it is not kept.
  await scene.id("keep-chat").click();
  await scene.id("history-keep-now").click();
  await scene.id("history-item").waitFor();
  await scene.id("history-close").click();
  await scene.id("keep-chat").waitFor({ state: "hidden" });
  assert.equal(await scene.id("new-chat").isVisible(), true);
});

test("the first screen says how many conversations are kept, and leads to them", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  assert.equal(await scene.id("earlier").isVisible(), false);
  assert.equal(await scene.id("keep-chat").isVisible(), false);
  await scene.ask("total amount by shop");
  // One line at a time offers to keep it.
  assert.equal(await scene.id("keep-chat").isVisible(), false);
  await scene.id("unkept-keep").click();
  await scene.id("history-keep-now").click();
  await scene.id("history-item").waitFor();
  await scene.id("history-close").click();
  assert.equal(await scene.id("earlier").isVisible(), false);
  await scene.page.reload();
  const line = scene.id("earlier");
  await line.filter({ hasText: "Earlier conversations on this device: 1" }).waitFor();
  await scene.picture("68-earlier");
  await scene.id("language-ru").click();
  await line.filter({ hasText: "Прежние беседы на этом устройстве: 1" }).waitFor();
  await scene.id("earlier-open").click();
  await scene.id("history-open").click();
  await scene.id("kept-note").waitFor();
  await new Answer(scene, scene.id("answer").first()).settled();
  assert.equal(await line.isVisible(), false);
  await scene.id("new-chat").click();
  await line.waitFor();
  // What was deleted is not counted.
  await scene.id("earlier-open").click();
  await scene.id("history-delete").click();
  await scene.id("history-delete-sure").click();
  await scene.id("history-empty").waitFor();
  await scene.id("history-close").click();
  await line.waitFor({ state: "hidden" });
});

test("a conversation is kept, opened after a reload with its table, and goes on", async (t) => {
  // What was kept is not queried: the model has to ask again.
  const again = [call("query", BY_SHOP), say("Vkusno: 912.")];
  const script = [call("query", BY_SHOP), say(TRUE), ...again];
  const scene = await open(t, { model: true, script });
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  await kept(scene, QUESTION);
  await scene.page.reload();
  await scene.ready();
  // The ledger is kept from the next visit on: of this one's requests it says nothing, not that none were.
  const badge = scene.id("sent-open");
  await badge.filter({ hasText: /^Nothing sent since the page opened$/ }).waitFor();
  await scene.id("history-show").click();
  const item = scene.id("history-item");
  await item.waitFor();
  assert.equal(await scene.id("history-name").innerText(), QUESTION);
  assert.match(await item.innerText(), /1 question\b/);
  await scene.picture("61-history");

  const [file] = await Promise.all([
    scene.page.waitForEvent("download"),
    scene.id("history-export").click(),
  ]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  const exported = JSON.parse(Buffer.concat(parts).toString("utf8"));
  assert.deepEqual(Object.keys(exported.tables), ["0-r1"]);

  await scene.id("history-open").click();
  await scene.id("kept-note").filter({ hasText: "Load its table again" }).waitFor();
  assert.match(await scene.id("kept-note").innerText(), /It was about purchases\./);
  const chooser = scene.page.waitForEvent("filechooser");
  await scene.id("kept-load").click();
  await chooser;
  const old = await new Answer(scene, scene.id("answer").first()).settled();
  assert.equal(await old.text(), TRUE);
  await scene.picture("62-reopened");
  const [claim] = (await old.claims()).filter(({ text }) => text === "912");
  assert.equal(claim.verdict, "verified");
  // Its rows are there without the file, and a number still leads to them.
  await old.id("claim").filter({ hasText: "912" }).focus();
  await scene.id("claim-evidence").click();
  await old.id("kept-rows").waitFor();
  assert.deepEqual(await old.rows(), shown);
  await scene.picture("63-reopened-rows");
  await old.id("tab-sent").click();
  assert.equal(await old.id("ledger-entry").count(), 2);

  await scene.load("purchases.csv", PURCHASES);
  await scene
    .id("kept-note")
    .filter({ hasText: "goes on with it. It was about purchases." })
    .waitFor();
  await scene.id("question").fill("and once more?");
  await scene.id("ask").click();
  const next = scene.id("answer").first();
  await next.filter({ hasText: "Vkusno: 912" }).waitFor();
  const [told] = scene.endpoint.contents(2, "tool");
  assert.match(told, /shown to the user as r1/);
  await scene.page.reload();
  await badge.filter({ hasText: /^2 requests sent$/ }).waitFor();
});

for (const reducedMotion of ["no-preference", "reduce"]) {
  test(`what was opened is in sight and has the focus (motion: ${reducedMotion})`, async (t) => {
    const viewport = { width: 1280, height: 720 };
    const scene = await open(t, { reducedMotion, viewport });
    await consent(scene);
    await scene.load("purchases.csv", PURCHASES);
    for (const question of ["total amount by shop", "mean amount by shop"])
      await scene.ask(question);
    await kept(scene, "mean amount by shop");
    await scene.page.reload();
    await scene.ready();
    await scene.id("history-show").click();
    await scene.id("history-open").click();
    await scene.id("kept-note").waitFor();
    await new Answer(scene, scene.id("answer").nth(1)).settled();
    await scene.page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("#kept").getBoundingClientRect();
      const bar = document.querySelector(".bar-ground").getBoundingClientRect().bottom;
      return top >= bar && bottom < innerHeight / 2;
    });
    assert.equal(await scene.page.evaluate(() => document.activeElement.id), "kept");
    await scene.picture("66-reopened-in-sight");
  });
}

test("what is said of an opened conversation counts its tables", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  const say = (key, n) =>
    scene.page.evaluate(
      ([key, n]) => import("/i18n.js").then(({ t }) => t(key, { n, names: "a, b", when: "1 мая" })),
      [key, n],
    );
  assert.equal(await say("history_about", 1), "Беседа шла о таблице: a, b.");
  assert.equal(await say("history_about", 2), "Беседа шла о таблицах: a, b.");
  assert.match(await say("history_shown", 1), /загрузите таблицу снова/);
  assert.match(await say("history_shown", 5), /загрузите таблицы снова/);
});

test("what is opened again has its chart, its warnings and the rows that were looked at", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", `${PURCHASES}Zarya,\n`);
  const asked = "total amount by shop";
  const first = await scene.ask(asked);
  const said = async (answer) => [
    await answer.id("scope").innerText(),
    await answer.id("warnings").innerText(),
    await answer.id("interpretation").innerText(),
  ];
  const before = await said(first);
  assert.match(before[0], /4 groups · looked at all 8 rows/);
  await kept(scene, asked);
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("history-open").click();
  const again = await new Answer(scene, scene.id("answer").first()).settled();
  assert.deepEqual(await said(again), before);
  await again.id("tab-chart").click();
  await again.id("words").filter({ hasText: "Bars of sum of amount by shop" }).waitFor();
  await again.id("chart").locator("svg path").first().waitFor();
  assert.deepEqual(await again.rows(), shown);
});

test("one conversation is deleted, or all with the consent", async (t) => {
  const script = () => say("Which totals?");
  const scene = await open(t, { model: true, script });
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("first?");
  await scene.id("new-chat").click();
  assert.equal(await scene.id("answer").count(), 0);
  await scene.id("question").fill("second?");
  await scene.id("ask").click();
  await scene.id("answer").filter({ hasText: "Which totals?" }).waitFor();
  for (const question of ["first?", "second?"]) await kept(scene, question);
  await scene.id("history-show").click();
  await scene.id("history-item").nth(1).waitFor();
  await scene.id("history-delete").first().click();
  await scene.id("history-delete-sure").click();
  await scene.id("history-item").nth(1).waitFor({ state: "detached" });
  assert.match(await scene.id("history-name").innerText(), /first/);
  await scene.id("history-keep").click();
  await scene.id("history-stop").filter({ hasText: "so far: 1" }).waitFor();
  assert.equal(await scene.id("history-keep").isChecked(), true, "until it is sure");
  await scene.id("history-stop").getByRole("button", { name: "Cancel" }).click();
  assert.equal(await focused(scene), "history-keep");
  await scene.id("history-keep").click();
  await scene.id("history-stop-sure").click();
  await scene.id("history-empty").waitFor();
  assert.equal(await scene.id("history-keep").isChecked(), false);
  assert.equal(await focused(scene), "history-keep");
  assert.doesNotMatch(await stored(scene), /first\?|second\?/);
});

const focused = (scene) =>
  scene.page.evaluate(() => document.activeElement.dataset.testid ?? document.activeElement.id);

test("the question whether to delete holds the focus while it is pressed, which goes on from there", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  for (const question of ["total amount by shop", "mean amount by shop"]) {
    await scene.id("question").fill(question);
    await scene.id("ask").click();
    await kept(scene, question);
    await scene.id("new-chat").click();
  }
  await scene.id("history-show").click();
  for (const next of ["history-delete", "history-title"]) {
    await scene.id("history-delete").first().click();
    const sure = scene.id("history-delete-sure");
    const prevented = sure.evaluate((button) => {
      const pressed = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
      return !button.dispatchEvent(pressed);
    });
    assert.equal(await prevented, true);
    await sure.click();
    await scene.page.waitForFunction(
      (next) => [document.activeElement.dataset.testid, document.activeElement.id].includes(next),
      next,
    );
  }
});

/** Deletes the newest conversation of the list, for good; `opened`: the list is in sight. */
async function remove(scene, { opened } = {}) {
  if (!opened) await scene.id("history-show").click();
  const items = scene.id("history-item");
  await items.first().waitFor();
  const left = (await items.count()) - 1;
  await scene.id("history-delete").first().click();
  assert.match(await scene.id("history").innerText(), /forgotten below, too.* unless another/);
  await scene.picture("67-delete-for-good");
  await scene.id("history-delete-sure").click();
  await items.nth(left).waitFor({ state: "detached" });
}

test("a conversation that is deleted goes from the screen and stays deleted, with its questions", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  const [first, second] = ["total amount by shop", "mean amount by shop"];
  await scene.ask(first);
  await kept(scene, first);
  await remove(scene);
  await scene.id("history-deleted").filter({ hasText: "on the screen too" }).waitFor();
  await scene.id("history-empty").filter({ hasText: "No conversation is kept yet" }).waitFor();
  await scene.id("recall-empty").waitFor();
  assert.equal(await scene.id("live").textContent(), "", "nor is the answer read out again");
  await scene.picture("68-deleted");
  await scene.page.keyboard.press("Escape");
  assert.equal(await scene.id("answer").count(), 0);
  assert.doesNotMatch(await stored(scene), /total amount by shop/);
  await scene.id("question").fill(second);
  await scene.id("ask").click();
  // The conversation is kept before its question is.
  await scene.page.locator('[data-testid="answer"][aria-busy="false"]').waitFor();
  await kept(scene, second);
  await scene.id("history-show").click();
  await scene.id("history-item").filter({ hasText: "1 question" }).waitFor();
  assert.deepEqual(await scene.id("history-name").allInnerTexts(), [second]);
  assert.deepEqual(await scene.id("recall-question").allInnerTexts(), [second]);
  await scene.page.reload();
  await scene.ready();
  assert.doesNotMatch(await stored(scene), /total amount by shop/);
});

test("a question that another conversation asks too is not forgotten with this one", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  const [both, one] = ["total amount by shop", "mean amount by shop"];
  await scene.ask(both);
  await kept(scene, both);
  await scene.id("new-chat").click();
  for (const [n, question] of [one, "Total amount by shop?"].entries()) {
    await scene.id("question").fill(question);
    await scene.id("ask").click();
    await scene.id("answer").nth(n).waitFor();
    await kept(scene, question);
  }
  await remove(scene);
  await scene.id("recall-question").filter({ hasText: "mean" }).waitFor({ state: "detached" });
  assert.deepEqual(await scene.id("recall-question").allInnerTexts(), [both]);
  await remove(scene, { opened: true });
  await scene.id("recall-empty").waitFor();
});

test("one that was opened and is deleted goes from the screen, another one leaves it alone", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("total amount by shop");
  await kept(scene, "total amount by shop");
  await scene.id("new-chat").click();
  await scene.id("question").fill("mean amount by shop");
  await scene.id("ask").click();
  await kept(scene, "mean amount by shop");
  await scene.id("history-show").click();
  await scene.id("history-open").nth(1).click();
  await scene.id("kept-note").filter({ hasText: "goes on with it" }).waitFor();
  await remove(scene);
  assert.equal(await scene.id("history-deleted").count(), 0);
  // The list follows the deletion.
  await scene.id("recall-question").filter({ hasText: "mean" }).waitFor({ state: "detached" });
  await scene.id("recall-question").filter({ hasText: "total amount by shop" }).waitFor();
  assert.deepEqual(await scene.id("recall-question").allInnerTexts(), ["total amount by shop"]);
  await scene.page.keyboard.press("Escape");
  assert.equal(await scene.id("kept-note").count(), 1);
  await remove(scene);
  await scene.id("history-deleted").waitFor();
  await scene.id("recall-empty").waitFor();
  await scene.page.keyboard.press("Escape");
  assert.deepEqual([await scene.id("kept-note").count(), await scene.id("answer").count()], [0, 0]);
});

test("a question under way in a conversation that is deleted is stopped, and not kept", async (t) => {
  const script = [say("Which totals?"), { ...say("Which ones?"), hang: 0 }, say("And which?")];
  const scene = await open(t, { model: true, script });
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("first?");
  await kept(scene, "first?");
  await scene.begin("second?");
  await remove(scene);
  await scene.id("history-deleted").waitFor();
  await scene.page.keyboard.press("Escape");
  scene.endpoint.release();
  await scene.id("question").fill("third?");
  await scene.id("ask").click();
  await scene.id("answer").filter({ hasText: "And which?" }).waitFor();
  await kept(scene, "third?");
  assert.doesNotMatch(await stored(scene), /first\?|second\?/);
  // Nor does the model hear of it.
  assert.ok(!scene.endpoint.bodies.at(-1).includes("first?"));
});

test("a conversation that is opened stops what is asked in the one before", async (t) => {
  const script = [say("Which totals?"), { ...say("Which ones?"), hang: 0 }];
  const scene = await open(t, { model: true, script });
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("first?");
  await kept(scene, "first?");
  await scene.id("new-chat").click();
  await scene.id("question").fill("second?");
  await scene.id("ask").click();
  while (scene.endpoint.bodies.length < 2) await scene.page.waitForTimeout(20);
  const stopped = scene.context.waitForEvent("requestfailed");
  await scene.id("history-show").click();
  await scene.id("history-open").last().click();
  await stopped;
  await scene.id("kept-note").waitFor();
  assert.doesNotMatch(await scene.id("answers").innerText(), /second\?/);
});

test("an answer of the planner is kept and shown as it was", async (t) => {
  const scene = await open(t);
  await consent(scene);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const text = await answer.text();
  await kept(scene, "total amount by shop");
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("history-open").click();
  await scene.id("kept-note").waitFor();
  const old = await new Answer(scene, scene.id("answer").first()).settled();
  assert.equal(await old.text(), text);
  assert.match(await old.id("interpretation").innerText(), /total of amount, by shop/);
  assert.match(await old.id("answered-by").innerText(), /built-in planner/);
  assert.deepEqual(await old.rows(), shown);
});

for (const [name, wire] of Object.entries(WIRES)) {
  test(`settings: ${name} is chosen, its key is used and kept nowhere`, async (t) => {
    const script = [call("query", BY_SHOP), say(TRUE)];
    const scene = await open(t, { script });
    await scene.id("settings-open").click();
    await scene.id("endpoint").fill(wire.path);
    await scene.id("model").fill("scripted");
    await scene.id("wire").selectOption(name);
    assert.ok((await scene.id("endpoint").getAttribute("placeholder")).endsWith(wire.path));
    assert.ok((await scene.id("endpoint-example").innerText()).includes(wire.path));
    await scene.id("key-box").locator("summary").click();
    assert.equal(await scene.id("key").isVisible(), false, "before its risk is accepted");
    await scene.id("key-allow").check();
    await scene.id("key").fill(KEY);
    await scene.picture(`62-settings-${name}`);
    // One visit is enough, although the page reloads for the address.
    await Promise.all([scene.page.waitForEvent("load"), scene.id("settings-save").click()]);
    await scene.ready();
    const left = await scene.page.evaluate(() => [sessionStorage.getItem("pinhole.key"), name]);
    assert.deepEqual(left, [null, ""]);
    await consent(scene);
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.ask(QUESTION);
    assert.equal(await answer.text(), TRUE);
    const header = name === "anthropic" ? "x-api-key" : "authorization";
    for (const headers of scene.endpoint.headers) assert.ok(headers[header].endsWith(KEY));
    assert.equal(scene.endpoint.headers.length, 2);
    await kept(scene, QUESTION);
    const ledger = await answer.card.innerHTML();
    assert.ok(!ledger.includes(KEY));
    assert.ok(!(await stored(scene)).includes(KEY));
    for (const body of scene.endpoint.bodies) assert.ok(!body.includes(KEY));
    // A reload forgets it.
    await scene.page.reload();
    await scene.ready();
    await scene.load("purchases.csv", PURCHASES);
    scene.endpoint.script = [say("Which totals?")];
    await scene.id("question").fill("again?");
    await scene.id("ask").click();
    await scene.id("answer").filter({ hasText: "Which totals?" }).waitFor();
    assert.equal(scene.endpoint.headers.at(-1)[header], undefined);
  });
}

test("who asks, or goes elsewhere, while a conversation is being opened has it in order", async (t) => {
  const scene = await open(t, { settings: { keep: true } });
  await scene.load("purchases.csv", PURCHASES);
  const asked = ["average total by shop?", "total by shop?", "how many rows?"];
  for (const question of asked) await scene.ask(question);
  await kept(scene, asked.at(-1));
  const questions = () =>
    scene.id("answer").evaluateAll((all) => all.map((one) => one.querySelector("h2").innerText));
  // As soon as the conversation is named, before its answers are shown.
  const reopened = (then) =>
    scene.page.evaluate((then) => {
      const get = (id) => document.getElementById(id);
      const done = new Promise((done) => {
        new MutationObserver((_, watch) => {
          if (get("kept").childElementCount === 0) return;
          watch.disconnect();
          if (then) {
            get("question").value = then;
            get("ask-form").requestSubmit();
          } else {
            setTimeout(() => done(get("new-chat").click()));
          }
          if (then) done();
        }).observe(get("kept"), { childList: true });
      });
      document.querySelector('[data-testid="history-open"]').click();
      return done;
    }, then);
  await scene.page.reload();
  await scene.ready();
  await scene.load("purchases.csv", PURCHASES);
  const order = ["highest total?", ...asked.toReversed()];
  await scene.id("history-show").click();
  await scene.id("history-open").waitFor();
  await reopened(order[0]);
  const settled = scene.page.locator('[data-testid="answer"][aria-busy="false"]');
  await settled.nth(order.length - 1).waitFor();
  assert.deepEqual(await questions(), order);

  // A new conversation has nothing of it.
  await scene.id("history-show").click();
  await scene.id("history-open").first().waitFor();
  await reopened();
  await scene.id("question").fill("how many rows?");
  await scene.id("ask").click();
  await settled.filter({ hasText: "how many rows?" }).waitFor();
  assert.deepEqual(await questions(), ["how many rows?"]);
});

test("settings: an address that ends in /v1 is completed, and a key goes to no other server", async (t) => {
  const script = [call("query", BY_SHOP), say(TRUE)];
  const scene = await open(t, { script });
  await scene.id("settings-open").click();
  await scene.id("endpoint").fill("/v1/");
  await scene.id("model").fill("scripted");
  await scene.id("key-box").locator("summary").click();
  await scene.id("key-allow").check();
  await scene.id("key").fill(KEY);
  // What stands in the tab on the way says nothing of the key.
  await scene.page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, text) {
      const heard = this.getItem("heard") ?? "";
      setItem.call(this, "heard", `${heard} ${text}`);
      setItem.call(this, name, text);
    };
  });
  await Promise.all([scene.page.waitForEvent("load"), scene.id("settings-save").click()]);
  await scene.ready();
  const heard = await scene.page.evaluate(() => sessionStorage.getItem("heard"));
  assert.match(heard, /"half"/);
  assert.ok(!heard.includes(KEY));
  await scene.id("settings-open").click();
  assert.equal(await scene.id("endpoint").inputValue(), ENDPOINT);
  assert.equal(await scene.id("key").inputValue(), KEY);
  await scene.id("endpoint").fill("https://another.example/v1/chat/completions");
  assert.equal(await scene.id("key").inputValue(), "");
  await scene.id("endpoint").fill(ENDPOINT);
  assert.equal(await scene.id("key").inputValue(), KEY);
  await scene.id("settings-close").click();
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  assert.equal(await answer.text(), TRUE);
  for (const headers of scene.endpoint.headers) assert.ok(headers.authorization.endsWith(KEY));
});

test("an endpoint that refuses: what it said, and a way to the settings", async (t) => {
  const scene = await open(t, {
    settings: { endpoint: `${ENDPOINT}?missing`, model: "x" },
    script: [{ status: 404 }],
    expect: /Failed to load resource/,
  });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  assert.match(await answer.id("error-detail").innerText(), /scripted failure/);
  assert.match(await answer.id("error-hint").innerText(), /address and the name of the model/);
  await answer.id("error-settings").click();
  await scene.id("settings-save").waitFor();
  assert.match(await scene.id("endpoint").inputValue(), /missing/);
});
