// Columns that may be personal by what they are called: the page says so when the table is there, and
// leads to what a model may see of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

const STAFF = `name,department,salary
Anna Smith,Sales,42000
Bill Gray,IT,51000
`;
const GOODS = "name,price\nApple,10\nPear,12\n";

test("columns that may be personal are said at once, and can be hidden or reviewed", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 780 } });
  await scene.load("employees.csv", STAFF);
  const note = scene.id("maybe-personal");
  assert.equal(
    await scene.id("maybe-text").innerText(),
    "2 columns may be personal: name, salary. Nothing hides them from a model so far.",
  );
  await scene.picture("personal-narrow");
  const wide = await scene.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide}`);
  await scene.id("language-ru").click();
  await note.filter({ hasText: "2 столбца могут быть личными данными: name, salary." }).waitFor();
  await scene.picture("personal-narrow-ru");
  await scene.id("language-en").click();
  // It goes to the choice for the first of them.
  await scene.id("maybe-review").click();
  const focused = () => scene.page.evaluate(() => document.activeElement.dataset.column);
  assert.equal(await focused(), "name");
  await scene.page.keyboard.press("End");
  await note.filter({ hasText: "1 column may be personal: salary." }).waitFor();
  await scene.id("maybe-hide").click();
  await note.waitFor({ state: "hidden" });
  await scene.id("policy").filter({ hasText: "2 hidden" }).waitFor();
});

test("one press hides them all, by keys alone too", async (t) => {
  const scene = await open(t);
  await scene.load("employees.csv", STAFF);
  const hide = scene.id("maybe-hide");
  assert.equal(await hide.innerText(), "Hide these columns");
  await scene.id("language-ru").click();
  await hide.filter({ hasText: "Скрыть эти столбцы" }).waitFor();
  await scene.id("language-en").click();
  await scene.id("maybe-review").focus();
  await scene.page.keyboard.press("Tab");
  assert.equal(
    await scene.page.evaluate(() => document.activeElement.dataset.testid),
    "maybe-hide",
  );
  await scene.page.keyboard.press("Enter");
  await scene.id("policy").filter({ hasText: "2 hidden" }).waitFor();
  await scene.id("maybe-personal").waitFor({ state: "hidden" });
  // The focus is where the next thing is done.
  await scene.page.waitForFunction(() => document.activeElement?.id === "question");
});

test("the line can be read and left, and goods have none", async (t) => {
  const scene = await open(t);
  await scene.load("goods.csv", GOODS);
  assert.equal(await scene.id("maybe-personal").count(), 0);
  await scene.load("staff.csv", STAFF);
  await scene.id("maybe-leave").click();
  await scene.id("maybe-personal").waitFor({ state: "hidden" });
  await scene.id("language-ru").click();
  assert.equal(await scene.id("maybe-personal").isVisible(), false);
  for (const sample of ["penguins", "household"]) {
    await scene.id(sample).click();
    await scene.id("suggestion").first().waitFor();
  }
  assert.equal(await scene.id("maybe-personal").filter({ visible: true }).count(), 0);
});

test("where an endpoint is entered it is said what a model gets, and what of it is unprotected", async (t) => {
  const scene = await open(t);
  const gets = scene.id("endpoint-gets");
  const said = async () => (await gets.textContent()).replace(/\s+/g, " ");
  const opened = async () => {
    await scene.id("settings-open").click();
    return said();
  };
  assert.equal(
    await opened(),
    "A model there gets names, types and a short summary of each result (level “summaries”). See and change",
  );
  await scene.id("settings-close").click();
  // The scanner hides the addresses; what is called like people's is open.
  const mails =
    "name,email,salary\nAnna Smith,zq1@example.org,42000\nBill Gray,zq2@example.org,51000\n";
  await scene.load("employees.csv", mails);
  assert.match(await opened(), /Open to it, though perhaps personal: 2 columns\. See and change$/);
  await scene.picture("settings-gets");
  // It leads to where that is changed, and the focus comes back with the new count.
  await scene.id("gets-review").click();
  const dialog = scene.id("policy-dialog");
  await dialog.locator("select[data-column=salary]").selectOption("hidden");
  await scene.id("level-aggregate").check();
  await gets.filter({ hasText: "aggregates over at least 5 rows" }).waitFor();
  await scene.id("policy-close").click();
  assert.match(await said(), /\(level “aggregates”\)\. Open to it.*: 1 column\./);
  await scene.id("gets-review").and(scene.page.locator(":focus")).waitFor();
  // What a person opens by hand counts, too.
  await scene.id("gets-review").click();
  await dialog.locator("select[data-column=email]").selectOption("open");
  await gets.filter({ hasText: "2 columns" }).waitFor();
  await scene.id("policy-close").click();
  await scene.id("settings-close").click();
  await scene.id("language-ru").click();
  await scene.id("settings-open").click();
  await gets.filter({ hasText: "Ей открыты столбцы, похожие на личные данные: 2." }).waitFor();
});
