// All rows of a result on the page: a hundred at a time, or in one grid that scrolls through them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

const ROWS = 20_000;
const MANY = `id,amount\n${Array.from({ length: ROWS }, (_, i) => `${i},${(i * 7919) % 10_007}\n`).join("")}`;

/** The rows of the grid that are in sight, once those there are have come. */
const seen = (grid) =>
  grid.locator('.body [role="row"]').evaluateAll((rows) =>
    rows
      .filter((one) => one.checkVisibility() && !one.querySelector(".cell.wait"))
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((one) => [...one.querySelectorAll(".cell")].map((cell) => cell.textContent)),
  );

for (const width of [1100, 360]) {
  test(`all rows in one grid and back, by keys, ${width} pixels`, async (t) => {
    const scene = await open(t, { viewport: { width, height: 800 } });
    const { keyboard } = scene.page;
    await scene.load("many.csv", MANY);
    const answer = await scene.ask("top 5000 by amount");
    await answer.edit({ table: "many" });
    await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
    await answer.id("tab-data").click();
    await answer.id("data-range").filter({ hasText: "1–100 of 20,000" }).waitFor();
    assert.equal(await answer.id("all-rows").count(), 0);
    await answer.id("data-all").focus();
    await keyboard.press("Enter");

    const grid = answer.id("all-rows");
    await grid.locator(".body .cell").first().waitFor();
    assert.equal(await answer.id("data-table").count(), 0);
    await answer.id("data-paged").and(scene.page.locator(":focus")).waitFor();
    assert.equal(await scene.id("filter", grid).isVisible(), false, "nothing here is filtered");
    // The last row is a key away, and comes.
    await scene.id("grid", grid).focus();
    await keyboard.press("Control+End");
    await grid.getByText("19999", { exact: true }).first().waitFor();
    assert.equal((await seen(grid)).at(-1)[0], "19999");
    await scene.picture(`96-all-rows-${width}`);
    const wide = await scene.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} wide`);

    // It follows the language, and so do the pages that it gives way to.
    await scene.id("language-ru").click();
    await answer.id("data-paged").filter({ hasText: "По сто строк" }).waitFor();
    await answer.id("data-paged").click();
    await answer.id("data-all").filter({ hasText: "Листать все строки" }).waitFor();
    await answer.id("data-all").and(scene.page.locator(":focus")).waitFor();
    await answer.id("data-next").filter({ hasText: "Вперёд" }).click();
    await answer.id("data-table").getByText("100", { exact: true }).waitFor();
    assert.ok(scene.log.every(({ method }) => method === "GET"));
  });
}

test("what fits one page has no grid", async (t) => {
  const scene = await open(t);
  await scene.load("few.csv", "id,amount\n1,5\n2,7\n");
  const answer = await scene.ask("total amount by id");
  assert.equal((await answer.rows()).length, 2);
  assert.equal(await answer.id("data-all").isVisible(), false);
});
