// <pinhole-ask> with questions asked before: said where the answer comes from there, asked afresh,
// forgotten, offered where they may be meant; by keys, in both languages, and only where the page
// wants it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES };
const LOCAL = 'src="purchases.csv" open';
const MODEL = `${LOCAL} endpoint="${ENDPOINT}" model="scripted"`;
const QUESTION = "total amount by shop?";
const TRUE = "Vkusno has the highest total, 912.";
const ANSWER = [call("query", BY_SHOP), say(TRUE)];

const panel = (t, attributes, options = {}) =>
  open(t, { html: page({ attributes, ...options.page }), files, ...options });

test("the same question is answered as before, which is said, and afresh when wanted", async (t) => {
  const scene = await panel(t, `${MODEL} recall="shops"`, {
    script: [...ANSWER, ...ANSWER],
  });
  await scene.ready();
  await scene.page.evaluate(() => {
    window.heard = [];
    document.addEventListener("pinhole-answer", ({ detail }) => window.heard.push(detail.asked_at));
  });
  const first = await scene.ask(QUESTION);
  assert.equal((await scene.text(first)).trim(), TRUE);
  assert.equal(await scene.id("recalled", first).count(), 0);
  assert.equal(scene.endpoint.bodies.length, 2);
  // A new conversation has the questions still.
  await scene.id("clear").click();
  const again = await scene.ask("Total amount by shop");
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");
  assert.match(await scene.id("recalled-text", again).innerText(), /^Asked before, first on .*\d/);
  assert.match(await scene.id("foot", again).innerText(), /answered as before$/);
  const read = await scene.id("read-as", again).evaluate((answer) => answer.text);
  assert.match(read, /^Understood as: /);
  assert.match(await scene.text(again), /Vkusno/);
  assert.ok((await scene.claims(again)).every(([, verdict]) => verdict === "verified"));
  assert.match(await scene.id("said").textContent(), /^answered as before: /);
  await scene.picture("60-recalled");
  await scene.accessible("recalled");
  await scene.id("tab-sent", again).click();
  assert.equal(await scene.id("ledger-entry", again).count(), 0);
  await scene.id("tab-answer", again).click();
  await scene.id("recall-fresh", again).click();
  const fresh = scene.page.locator("pinhole-turn").nth(1);
  await scene.settled(fresh);
  assert.equal((await scene.text(fresh)).trim(), TRUE);
  assert.equal(scene.endpoint.bodies.length, 4);
  const heard = await scene.page.evaluate(() => window.heard.map((at) => typeof at));
  assert.deepEqual(heard, ["undefined", "string", "undefined"]);
});

test("a question is forgotten by keys, and is not answered from before any more", async (t) => {
  const scene = await panel(t, `${LOCAL} recall="shops"`);
  await scene.ask(QUESTION);
  const again = await scene.ask(QUESTION);
  await scene.id("recall-fresh", again).focus();
  await scene.page.keyboard.press("Tab");
  assert.equal(await scene.focused(), "recall-forget");
  await scene.page.keyboard.press("Enter");
  await scene.id("recalled-text", again).filter({ hasText: "Forgotten" }).waitFor();
  assert.equal(await scene.id("recall-forget", again).count(), 0);
  assert.equal(await scene.focused(), "recall-fresh");
  await scene.accessible("forgotten");
  // Nor is it completed.
  await scene.id("question").fill("total am");
  await scene.id("completion").first().waitFor();
  const earlier = scene.id("completion").and(scene.page.locator('[data-kind="earlier"]'));
  assert.equal(await earlier.filter({ hasText: QUESTION }).count(), 0);
  await scene.page.keyboard.press("Escape");
  const anew = await scene.ask(QUESTION);
  assert.equal(await scene.id("recalled", anew).count(), 0);
  assert.match(await scene.text(anew), /Vkusno/);
});

test("the same in other words is offered, and runs when it is taken", async (t) => {
  const scene = await panel(t, `${MODEL} recall="shops"`, {
    script: [...ANSWER, ...ANSWER],
  });
  await scene.ask(QUESTION);
  const worded = await scene.ask("what is the total amount per shop, please?");
  assert.equal(scene.endpoint.bodies.length, 4, "what is offered does not run unasked");
  assert.equal((await scene.text(worded)).trim(), TRUE);
  const offer = scene.id("recall-suggestion", worded);
  // An answer that is there needs no other question: one line below it is enough.
  assert.equal(await offer.isVisible(), false);
  const line = scene.id("recall-alike", worded).locator("summary");
  assert.equal((await line.innerText()).trim(), "Similar questions asked before: 1");
  await scene.picture("61-offered-line");
  await line.click();
  assert.equal((await offer.innerText()).trim(), QUESTION);
  await scene.picture("61-offered");
  await scene.accessible("offered");
  await offer.click();
  const taken = scene.page.locator("pinhole-turn").nth(2);
  await scene.settled(taken);
  assert.equal(scene.endpoint.bodies.length, 4, "no request was made");
  assert.equal(await scene.id("recalled", taken).count(), 1);
});

test("a question that was declined shows those that it is like", async (t) => {
  const scene = await panel(t, `${LOCAL} recall="shops"`);
  await scene.ask(QUESTION);
  const declined = await scene.ask("total margin by shop");
  assert.equal(await scene.id("answer-copy", declined).count(), 0, "it was declined");
  assert.equal(await scene.id("recall-suggestion", declined).first().isVisible(), true);
  await scene.picture("61-declined");
  await scene.accessible("declined");
});

test("what differs is named, in Russian too", async (t) => {
  const scene = await panel(t, `${LOCAL} recall="shops"`, {
    page: { lang: "ru" },
  });
  await scene.ask("how many purchases with amount above 100?");
  const other = await scene.ask("how many purchases with amount above 400?");
  assert.equal(await scene.id("recalled", other).count(), 0);
  const alike = scene.id("recall-alike", other).locator("summary");
  assert.match(await alike.innerText(), /^Похожие вопросы, заданные раньше: 1$/);
  await alike.focus();
  await scene.page.keyboard.press("Enter");
  const differs = await scene.id("recall-differs", other).first().innerText();
  assert.match(differs, /^отличия: /);
  assert.ok(differs.includes("100") && differs.includes("400"), differs);
  await scene.accessible("alike");
  // Of a conversation only the first question is kept.
  const again = await scene.ask("how many purchases with amount above 100?");
  assert.match(await scene.id("recalled-text", again).innerText(), /^Этот вопрос уже задавали/);
  assert.equal((await scene.id("recall-forget", again).innerText()).trim(), "Забыть");
});

test("the page's own questions serve, and without them none are kept", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ph = await Pinhole.open({ locale: "en" });
    await ph.load("purchases", new URL("purchases.csv", location.href));
    window.recall = ph.recall({ context: "own" });
    const ask = document.querySelector("pinhole-ask");
    ask.ph = ph;
    ask.show();`;
  const scene = await panel(t, "", { module, page: { script: true } });
  await scene.ask(QUESTION);
  assert.equal(await scene.id("recalled", await scene.ask(QUESTION)).count(), 0);
  await scene.page.evaluate(() => {
    document.querySelector("pinhole-ask").recall = window.recall;
  });
  await scene.ask(QUESTION);
  assert.equal(await scene.id("recalled", await scene.ask(QUESTION)).count(), 1);
  const questions = await scene.page.evaluate(async () => {
    const records = await window.recall.list();
    return records.map(({ question, usage_count }) => [question, usage_count]);
  });
  assert.deepEqual(questions, [[QUESTION, 1]]);
});

const ELSEWHERE = `
  import { Pinhole } from "/pinhole/index.js";
  const { lang: locale } = document.documentElement;
  const policy = { columns: { "purchases.shop": "hidden" } };
  const ph = await Pinhole.open({ locale, policy });
  await ph.load("purchases", new URL("purchases.csv", location.href));
  const embed = async (texts) => texts.map((text) => [text.length, 1, 2]);
  const embedder = { name: "vectors.example", dim: 3, remote: true, embed };
  const ask = document.querySelector("pinhole-ask");
  Object.assign(ask, { ph, recall: ph.recall({ context: "shops", embedder }) });
  ask.show();`;

for (const [lang, said] of [
  ["en", /^Questions go to vectors\.example, protected values masked/],
  ["ru", /^Вопросы отправляются в vectors\.example, защищённые значения/],
]) {
  test(`${lang}: questions that go to an embedder are not said to stay here`, async (t) => {
    const html = page({ attributes: "", script: true, lang });
    const scene = await open(t, { html, files, module: ELSEWHERE });
    await scene.ready();
    assert.match(await scene.id("privacy").innerText(), said);
    const turn = await scene.ask("total amount of Vkusno");
    await scene.id("tab-sent", turn).click();
    const entry = scene.id("ledger-entry", turn);
    assert.equal(await entry.count(), 1);
    assert.match(await entry.textContent(), /vectors\.example/);
    assert.match(await entry.textContent(), /\["total amount of \[hidden\]"\]/);
    assert.equal(await scene.id("nothing-sent", turn).count(), 0);
    // Of a model's page both are said.
    await scene.page.evaluate(() => (document.querySelector("pinhole-ask").endpoint = "/v1"));
    await scene.id("privacy").filter({ hasText: "127.0.0.1" }).waitFor();
    assert.match(await scene.id("privacy").innerText(), /vectors\.example[^;]*\.$/);
  });
}
