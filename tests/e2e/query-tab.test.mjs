// The Query tab of the page: what came of a run is told there and leads to its rows, and a statement of
// SQL runs as it is written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES, TOTALS } from "./tables.mjs";

const open = stage();
const openElement = elementStage();

const SQL = "SELECT shop, sum(amount) AS total FROM purchases GROUP BY shop ORDER BY shop;";

test("a run tells what it came to, and goes on to the rows", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  await answer.edit({ table: "purchases", group_by: "shop", select: "max(amount)" });
  await answer.id("query-size").filter({ hasText: "4 groups" }).waitFor();
  assert.equal(await answer.id("query-outcome").getAttribute("role"), "status");
  await answer.id("query-show").focus();
  await scene.page.keyboard.press("Enter");
  await answer.id("data-table").locator("tbody tr").nth(3).waitFor();
  assert.equal(await answer.id("tab-data").getAttribute("aria-selected"), "true");
  const focused = () => scene.page.evaluate(() => document.activeElement.dataset.testid);
  assert.equal(await focused(), "panel-data");
  await answer.edit({ table: "purchases", select: "sum(amount)" });
  await answer.id("query-size").filter({ hasText: "= 1,445.75" }).waitFor();
  await scene.picture("query-ran");
});

test("a query that is changed while the model still answers takes the place of its answer", async (t) => {
  const script = [
    call("query", BY_SHOP),
    { ...say("Vkusno has 5,000,000."), hang: 0 },
    call("query", BY_SHOP),
    say("Vkusno has 912."),
  ];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.begin("which shop has the highest total?");
  await answer.id("tab-query").click();
  await answer.id("query-text").waitFor();
  while (scene.endpoint.bodies.length < 2) await scene.page.waitForTimeout(20);
  const left = scene.context.waitForEvent("requestfailed");
  await answer.edit({ table: "purchases", select: "max(amount)" });
  await answer.id("query-size").filter({ hasText: "= 500" }).waitFor();
  await left;
  await answer.settled();
  scene.endpoint.release();
  assert.equal(await answer.id("answer-cancel").count(), 0);
  await answer.id("tab-answer").click();
  assert.match(await answer.text(), /500/);
  const said = await answer.card.innerText();
  assert.doesNotMatch(said, /Vkusno|Stopped/);
  // The next question is the next request: the model was not asked on.
  const next = await scene.ask("and now?");
  assert.equal(scene.endpoint.bodies.length, 4);
  assert.equal(await next.text(), "Vkusno has 912.");
  assert.equal(await answer.card.innerText(), said);
});

test("misspelt SQL in place of a question is told as SQL, with the word that was meant", async (t) => {
  const wrong = SQL.replace("SELECT", "SELEC");
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(wrong);
  assert.match((await answer.error()).text, /SELECT[^]*SELEC\b/);
  assert.equal(await answer.id("instead").count(), 0);
  await answer.id("edit-statement").click();
  await answer.edit(SQL);
  await answer.id("query-size").filter({ hasText: "4 groups" }).waitFor();
  const panel = await openElement(t, { files: { "purchases.csv": PURCHASES } });
  const turn = await panel.ask(wrong);
  assert.match(await panel.id("error-place", turn).innerText(), /SELECT/);
});

test("SQL runs as it is written; what is neither is told once", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  await answer.id("tab-query").click();
  assert.match(await answer.id("query-sql").innerText(), /SELECT \* FROM purchases LIMIT 10/);
  await answer.edit(SQL);
  await answer.id("query-size").filter({ hasText: "4 groups" }).waitFor();
  assert.equal(await answer.id("query-text").inputValue(), SQL.slice(0, -1));
  assert.match(await answer.text(), /912/);
  assert.deepEqual(
    await answer.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  // The rows behind groups of a statement are not kept: none is offered.
  assert.equal(await answer.id("group-row").count(), 0);
  await answer.edit(
    "with big as (select * from purchases where amount > 400) select count(*) from big",
  );
  await answer.id("query-size").filter({ hasText: "= 2" }).waitFor();
  await answer.id("tab-data").click();
  await answer.id("values").waitFor();
  assert.equal(await answer.id("source-table").count(), 0);
  await answer.id("tab-query").click();
  await scene.picture("query-sql");
  for (const [text, pattern] of [
    ["SELECT nope FROM purchases", /nope/],
    ["deleted purchases", /^[^]*not valid JSON[^]*SELECT or WITH\.$/],
    ["delete from purchases", /DELETE is SQL that changes data\. Only SELECT/],
    ['{\n  "table": "purchases",,\n}', /line 2, column \d+/],
  ]) {
    await answer.edit(text);
    const error = answer.id("query-outcome").locator('[data-testid="error"]');
    await error.filter({ hasText: pattern }).waitFor();
    const said = await error.innerText();
    assert.ok((said.match(/valid JSON/g) ?? []).length <= 1, said);
  }
});

test("SQL that is typed as a question runs as it stands, and nothing is sent for it", async (t) => {
  const scene = await open(t, { model: true, script: [] });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(SQL);
  assert.match(await answer.text(), /912/);
  assert.equal(await answer.id("interpretation").innerText(), "SQL of your own, run as it stands");
  assert.equal(await answer.id("scope").innerText(), "4 groups");
  assert.equal(await answer.id("answered-by").innerText(), "");
  await answer.id("tab-query").click();
  assert.equal(await answer.id("query-text").inputValue(), SQL.slice(0, -1));
  assert.equal(await answer.id("query-words").innerText(), "");
  await scene.picture("query-typed");
  // What is wrong with it is said, and it can be put right where it stands.
  const wrong = await scene.ask("select nope from purchases");
  assert.match((await wrong.error()).text, /nope/);
  await wrong.id("edit-statement").click();
  assert.equal(await wrong.id("query-text").inputValue(), "select nope from purchases");
  await wrong.edit("select max(amount) from purchases");
  await wrong.id("query-size").filter({ hasText: "= 500" }).waitFor();
  assert.deepEqual(scene.endpoint.bodies, []);
});

test("the panel runs SQL that is typed as a question, too", async (t) => {
  const scene = await openElement(t, { files: { "purchases.csv": PURCHASES } });
  const turn = await scene.ask(SQL);
  await scene.id("understood", turn).filter({ hasText: "SQL of your own" }).waitFor();
  assert.equal(await scene.id("foot", turn).innerText(), "4 groups");
  await scene.id("tab-query", turn).click();
  await scene.id("query-run", turn).waitFor();
  assert.equal(await scene.id("query-text", turn).inputValue(), SQL.slice(0, -1));
  assert.equal(await scene.id("query-words", turn).count(), 0);
  const wrong = await scene.ask("select nope from purchases");
  await scene.id("error", wrong).filter({ hasText: "nope" }).waitFor();
  await scene.id("tab-query", wrong).click();
  await scene.id("query-run", wrong).waitFor();
  assert.equal(await scene.id("query-text", wrong).inputValue(), "select nope from purchases");
});

test("the panel runs SQL, and leads from a run to the rows", async (t) => {
  const scene = await openElement(t, { files: { "purchases.csv": PURCHASES } });
  const turn = await scene.ask("total amount by shop");
  await scene.id("tab-query", turn).click();
  await scene.id("query-text", turn).fill(SQL);
  await scene.id("query-run", turn).click();
  await scene.id("query-size", turn).filter({ hasText: "4 groups" }).waitFor();
  assert.equal(await scene.id("query-text", turn).inputValue(), SQL.slice(0, -1));
  await scene.picture("query-sql");
  await scene.id("query-show", turn).click();
  assert.equal((await scene.grid(turn, "data", 4)).length, 4);
  assert.equal(await scene.focused(), "panel-data");
  await scene.id("data", turn).locator(".body .cell").first().click();
  assert.equal(await scene.id("source-title", turn).count(), 0);
  await scene.id("tab-query", turn).click();
  await scene.id("query-text", turn).fill("deleted purchases");
  await scene.id("query-run", turn).click();
  const said = await scene.id("error-message", turn).innerText();
  assert.equal(said.match(/JSON/g).length, 1, said);
});

test("a statement that went wrong is shown with the place, typed as a question or here", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  for (const [statement, where, wrong] of [
    ["SELECT shop, sum(amuont) AS total FROM purchases", "Line 1, column 18", "amuont"],
    ["SELECT shop, sum(amount FROM purchases", "Line 1, column 17: this bracket", "("],
  ]) {
    const answer = await scene.ask(statement);
    const place = answer.id("error-place");
    assert.ok((await place.textContent()).startsWith(where), statement);
    assert.equal(await place.locator("mark").textContent(), wrong);
    await scene.picture(`48-place-${wrong === "(" ? "bracket" : "name"}`);
  }
  const answer = await scene.ask("total amount by shop");
  await answer.edit({ table: "purchases", where: "amout > 1" });
  await answer.id("error-place").locator("mark", { hasText: "amout" }).waitFor();
  await answer.edit("SELEC shop FROM purchases");
  await answer
    .id("query-outcome")
    .filter({ hasText: /SELEC looks like SQL, which begins with SELECT/ })
    .waitFor();
});
