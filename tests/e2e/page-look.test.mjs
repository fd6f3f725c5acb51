// The rows of a loaded table, looked at before anything is asked: by mouse and by keys, in both
// languages, page by page and in one grid, and let go again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serious } from "./axe.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const ROWS = 250;
const MANY = `n,name\n${Array.from({ length: ROWS }, (_, i) => `${i},row ${i}\n`).join("")}`;

const SAID = {
  en: { line: /^Look at the rows · 250 rows · 2 columns$/, range: "Rows 1–100 of 250" },
  ru: { line: /^Посмотреть строки · 250 строк · 2 столбца$/, range: "Строки 1–100 из 250" },
};

for (const [locale, width] of [
  ["en-US", 1280],
  ["ru-RU", 390],
]) {
  const said = SAID[locale.slice(0, 2)];
  test(`${locale}: the rows open by keys, a hundred at a time or all in one grid`, async (t) => {
    const scene = await open(t, { locale, viewport: { width, height: 800 } });
    await scene.load("many.csv", MANY);
    const line = scene.id("table-look").locator("summary");
    assert.match(await line.innerText(), said.line);
    // A load ends with the focus in the field for questions.
    await scene.page.waitForFunction(() => document.activeElement?.id === "question");
    await line.focus();
    await scene.page.keyboard.press("Enter");
    await scene.id("look-range").filter({ hasText: said.range }).waitFor();
    const cells = scene.id("look-table").locator("tbody tr");
    assert.equal(await cells.count(), 100);
    assert.deepEqual(await cells.first().locator("td").allTextContents(), ["0", "row 0"]);
    await scene.picture(`97-look-${locale}`);
    assert.deepEqual(await serious(scene.page), []);
    await scene.id("look-next").click();
    await cells.first().getByText("row 100").waitFor();
    await scene.id("look-all").click();
    await scene
      .id("all-rows")
      .locator("[data-testid='grid']")
      .getByText("row 1", { exact: true })
      .waitFor();
    await scene.picture(`97-look-grid-${locale}`);
    // Closed, it keeps nothing in the page.
    await line.click();
    await scene.id("all-rows").waitFor({ state: "detached" });
    await line.click();
    await scene.id("look-range").filter({ hasText: said.range }).waitFor();
    // No question was asked, nothing was sent.
    assert.equal(await scene.id("answer").count(), 0);
    assert.match(await scene.id("sent-open").innerText(), /Nothing|Ничего/);
  });
}

test("the rows are those of the table as it is, and go with it", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const look = scene.id("table-look");
  await look.locator("summary").click();
  await scene.id("look-table").getByText("412").waitFor();
  await scene.id("look-sort").filter({ hasText: "amount" }).click();
  await scene.id("look-table").locator('th[aria-sort="ascending"]').waitFor();
  const first = scene.id("look-table").locator("tbody tr").first();
  assert.deepEqual(await first.locator("td").allTextContents(), ["Sever", "45.00"]);
  assert.equal(await scene.id("look-order").count(), 0, "without a time the order is the file's");
  await scene.id("table-drop").click();
  await look.waitFor({ state: "detached" });
  // With a time it is not, and that is said.
  await scene.load("days.csv", "day,amount\n2024-02-03,3\n2024-02-01,1\n2024-02-02,2\n");
  await look.locator("summary").click();
  await scene.id("look-order").filter({ hasText: "keeps its rows in the order of day," }).waitFor();
  await scene.id("table-drop").click();
  await look.waitFor({ state: "detached" });
  await scene.load("empty.csv", "shop,amount\n");
  await scene.id("table-empty").waitFor();
  assert.equal(await look.count(), 0, "there is nothing to look at");
});

test("six tables leave the question in sight; each shows its details at a press", async (t) => {
  const scene = await open(t, { viewport: { width: 1280, height: 800 } });
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  const { y, height } = await scene.id("question").boundingBox();
  assert.ok(y + height < 600, `the question is at ${y}`);
  const card = scene.id("table-card").nth(1);
  const line = scene.id("table-line", card);
  assert.match(await line.textContent(), /186 rows · 5 columns/);
  assert.equal(await line.getAttribute("aria-label"), "receipts: 186 rows · 5 columns");
  assert.equal(await scene.id("table-bytes", card).isVisible(), false);
  await line.click();
  assert.equal(await line.getAttribute("aria-expanded"), "true");
  await scene.id("table-details", card).locator("summary").click();
  await scene.id("table-column", card).first().waitFor();
  await scene.picture("52-six-tables");
  // One press hides all of it again.
  await line.click();
  assert.equal(await line.getAttribute("aria-expanded"), "false");
  assert.equal(await scene.id("table-details", card).isVisible(), false);
  // Two tables stand as they did.
  for (let n = 0; n < 4; n += 1) {
    const left = 5 - n;
    await scene.id("table-drop").first().click();
    await scene.page.waitForFunction(
      (left) => document.querySelectorAll('[data-testid="table-card"]').length === left,
      left,
    );
  }
  assert.ok(await scene.id("table-bytes").first().isVisible());
  assert.equal(await scene.id("table-line").first().isVisible(), false);
});

test("cells that keep a column from being numbers are told by their rows", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  const odd = { 8: "n/a", 10: "нет", 31: "" };
  const rows = Array.from({ length: 60 }, (_, i) => `S${i % 5},${odd[i + 1] ?? `${i}.5`}\n`);
  await scene.load("sales.csv", `shop,amount\n${rows.join("")}`);
  const notes = scene.id("table-notes");
  await notes.locator("code", { hasText: "amount" }).waitFor();
  const cells = scene.id("note-cells");
  await cells.filter({ hasText: "Не числа: 2 ячейки, строки 8, 10. Очистите" }).waitFor();
  assert.doesNotMatch(await notes.textContent(), /`|nulls/);
  await scene.picture("53-odd-cells");
});

test("groups by what was computed have no noise in their names", async (t) => {
  const scene = await open(t);
  await scene.load("ab.csv", "a,b\n0.1,0.2\n0.1,0.2\n0.5,0.1\n");
  const answer = await scene.ask("SELECT a + b AS k, count(*) AS n FROM ab GROUP BY a + b");
  const rows = await answer.rows();
  assert.deepEqual(rows.map(([key]) => key).sort(), ["0.3", "0.6"]);
  await answer.id("tab-query").click();
  await answer.id("query-run").click();
  await answer
    .id("query-outcome")
    .filter({ hasText: "SQL of your own, run as it stands · 2 groups" })
    .waitFor();
});
