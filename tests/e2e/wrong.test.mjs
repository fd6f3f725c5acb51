// What was wrong in an answer is said below it in words: what was said, what the data has, and a way to
// the rows of that.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage, page, ENDPOINT } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();
const openPanel = elementStage();

const BY_SHOP = { table: "purchases", group_by: "shop", select: "sum(amount)" };
const LIE = "Kuper has the highest total with 999.";
const script = () => [call("query", BY_SHOP), ...Array(4).fill(say(LIE))];

test("a wrong name and a wrong number are said in words, in both languages", async (t) => {
  const scene = await open(t, {
    model: true,
    script: script(),
    viewport: { width: 360, height: 780 },
  });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("which shop has the highest total?");
  const wrong = answer.id("wrong");
  await wrong.filter({ hasText: "“Kuper” was said; by the data it is Vkusno" }).waitFor();
  assert.match(await wrong.innerText(), /“999” was said; by the data it is 912 · shop = Vkusno/);
  await scene.picture("wrong-narrow");
  await scene.id("language-ru").click();
  await wrong.filter({ hasText: "Было сказано «Kuper», по данным – Vkusno" }).waitFor();
  await answer.id("wrong-rows").first().click();
  assert.equal(await answer.id("tab-data").getAttribute("aria-selected"), "true");
  await answer.id("source-table").locator("tbody tr").first().waitFor();
  // What is right has no such lines.
  await answer.id("tab-query").click();
  const right = await scene.ask("SELECT count(*) AS n FROM purchases");
  assert.equal(await right.id("wrong").count(), 0);
});

test("the panel says it too", async (t) => {
  const attributes = `src="purchases.csv" endpoint="${ENDPOINT}" model="scripted" open`;
  const scene = await openPanel(t, {
    html: page({ attributes }),
    files: { "purchases.csv": PURCHASES },
    script: script(),
  });
  const turn = await scene.ask("which shop has the highest total?");
  const wrong = scene.id("wrong", turn);
  await wrong.filter({ hasText: "“Kuper” was said; by the data it is Vkusno" }).waitFor();
  await scene.picture("wrong");
  await scene.id("wrong-rows", turn).first().click();
  await scene.id("source", turn).or(scene.id("source-title", turn)).first().waitFor();
});

test("where a number could not be checked, the results of the answer are a press away", async (t) => {
  const script = [
    call("query", BY_SHOP),
    ...Array(4).fill(say("Vkusno leads with 912, which is 482 crates.")),
    say("Vkusno leads with 912."),
  ];
  const viewport = { width: 360, height: 780 };
  const scene = await open(t, { model: true, script, viewport });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("which shop leads, in crates?");
  const verdicts = (await answer.claims()).map(({ verdict }) => verdict);
  assert.ok(verdicts.includes("unverifiable"), verdicts.join());
  await answer.id("to-data").filter({ hasText: "See the data" }).waitFor();
  await scene.picture("to-data");
  await scene.id("language-ru").click();
  await answer.id("see-data").filter({ hasText: "посмотреть данные" }).click();
  assert.equal(await answer.id("tab-data").getAttribute("aria-selected"), "true");
  await answer.id("data-table").getByText("Vkusno").waitFor();
  await answer.id("panel-data").and(scene.page.locator(":focus")).waitFor();
  // What was checked has no such line.
  const right = await scene.ask("which shop leads?");
  assert.equal(await right.id("to-data").count(), 0);
});

/** A query of a column that is not there, and numbers all the same. */
const UNRUN = [
  call("query", { table: "purchases", select: "sum(price)" }),
  ...Array(4).fill(say("The total is 4321.5 over 17 purchases.")),
];

test("numbers without a query that ran are said to be such, and the planner is a press away", async (t) => {
  const scene = await open(t, { model: true, script: UNRUN });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount");
  const note = answer.id("unrun").filter({ hasText: "No query gave a result for this answer" });
  await note.waitFor();
  await scene.picture("unrun");
  const sent = scene.endpoint.bodies.length;
  await scene.id("language-ru").click();
  await answer.id("unrun").filter({ hasText: "сверить его числа не с чем" }).waitFor();
  await scene.id("language-en").click();
  await answer.id("ask-planner").click();
  await answer.settled();
  assert.equal(await answer.id("unrun").count(), 0);
  assert.match(await answer.id("answered-by").textContent(), /built-in planner/);
  const claims = await answer.claims();
  assert.ok(claims.length > 0 && claims.every(({ verdict }) => verdict === "verified"));
  assert.equal(scene.endpoint.bodies.length, sent, "nobody else was asked");
});

test("an answer with a result, and one that asks back, have no such note", async (t) => {
  const script = [
    call("query", BY_SHOP),
    say("Vkusno has the highest total, 912."),
    say("Which purchases do you mean?"),
  ];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const right = await scene.ask("which shop has the highest total?");
  const back = await scene.ask("and those?");
  for (const answer of [right, back]) assert.equal(await answer.id("unrun").count(), 0);
  await back.card.getByText("No query was run for this answer.").first().waitFor();
});

test("the panel says that no query was run, too", async (t) => {
  const attributes = `src="purchases.csv" open endpoint="${ENDPOINT}" model="scripted"`;
  const files = { "purchases.csv": PURCHASES };
  const scene = await openPanel(t, { html: page({ attributes }), files, script: UNRUN });
  await scene.ready();
  const turn = await scene.ask("total amount");
  await scene.id("unrun", turn).filter({ hasText: "No query was run" }).waitFor();
  await scene.picture("unrun-panel");
  const sent = scene.endpoint.bodies.length;
  await scene.id("ask_planner", turn).click();
  const next = scene.page.locator("pinhole-turn").filter({ hasText: "built-in planner" });
  await next.waitFor();
  assert.equal(await scene.id("unrun", next).count(), 0);
  assert.equal(scene.endpoint.bodies.length, sent);
});
