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
