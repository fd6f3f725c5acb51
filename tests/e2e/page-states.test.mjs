// What a table can be that no designer has in mind: two hundred columns with long names, one row, none.
// Wide and narrow, in both languages; nothing is cut off, and nothing that axe takes for serious.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serious } from "./axe.mjs";
import { stage } from "./harness.mjs";

const open = stage();
const NAMES = Array.from({ length: 200 }, (_, i) =>
  i === 0 ? "район" : `показатель_${i}_достопримечательность`,
);
const LONG = "превысокомногорассмотрительствующий".repeat(3);
const WIDE = [
  NAMES,
  ...[LONG, "Б", "В"].map((name, r) => [name, ...NAMES.slice(1).map((_, i) => r * 1000 + i)]),
]
  .map((row) => `${row.join(",")}\n`)
  .join("");
const EMPTY = "shop,amount\n";
const ONE = "shop,amount\nKuper,1234567.891\n";

/** What a page without rows says, in the table's card, in an answer and in its Data tab. */
const SAID = {
  en: {
    file: "names its columns and has no rows",
    warning: /there were no rows/,
    empty: "No rows. The table itself is empty.",
    unmatched: "No rows. Nothing in the table matches this query.",
  },
  ru: {
    file: "есть названия столбцов, но нет строк",
    warning: /строк нет/,
    empty: "Нет строк. Сама таблица пуста.",
    unmatched: "Нет строк. В таблице нет ничего, что подходит под этот запрос.",
  },
};

/** Whether the page itself scrolls sideways, and what of it sticks out. */
const sideways = (scene) =>
  scene.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );

for (const [locale, width] of [
  ["en-US", 1100],
  ["ru-RU", 1100],
  ["en-US", 360],
  ["ru-RU", 360],
]) {
  const language = locale.slice(0, 2);
  const russian = language === "ru";
  const said = SAID[language];

  test(`${language}, ${width} pixels: 200 columns, one row, none`, async (t) => {
    const scene = await open(t, { locale, viewport: { width, height: 800 } });
    const look = async (name) => {
      await scene.picture(`98-${language}-${width}-${name}`);
      assert.equal(await sideways(scene), 0, name);
      assert.deepEqual(await serious(scene.page), [], name);
    };
    await scene.load("wide.csv", WIDE);
    await scene.id("table-details").locator("summary").click();
    await scene.id("suggestion").first().waitFor();
    await look("wide-table");
    await scene.id("table-details").locator("summary").click();
    const drop = async () => {
      await scene.id("table-drop").click();
      await scene.id("table-card").waitFor({ state: "detached" });
    };
    const edit = async (answer, query) => {
      await answer.edit(query);
      await answer
        .id("query-outcome")
        .filter({ hasText: /Done|Готово/ })
        .waitFor();
    };
    const wide = await scene.ask("сумма показатель_5_достопримечательность по район");
    await look("wide-answer");
    await edit(wide, { table: "wide" });
    const rows = await wide.rows();
    assert.deepEqual([rows.length, rows[0].length], [3, 200]);
    await look("wide-rows");
    await drop();

    await scene.load("one.csv", ONE);
    const one = await scene.ask(russian ? "сумма amount по shop" : "total amount by shop");
    assert.match(await one.text(), /Kuper/);
    assert.equal((await one.rows()).length, 1);
    await look("one-row");
    await drop();

    await scene.load("empty.csv", EMPTY);
    await scene.id("table-empty").filter({ hasText: said.file }).waitFor();
    assert.equal(await scene.id("suggestion").count(), 0, "there is nothing to ask");
    const none = await scene.ask(russian ? "сколько строк по shop" : "how many rows by shop");
    assert.match(await none.id("warnings").textContent(), said.warning);
    assert.equal(await none.id("tab-chart").isVisible(), false);
    await look("no-rows");
    await edit(none, { table: "empty" });
    await none.id("tab-data").click();
    await none.id("data-range").filter({ hasText: said.empty }).waitFor();
    // There is no page to turn and nothing to download.
    for (const idle of ["data-table", "data-previous", "data-next", "data-csv"]) {
      assert.equal(await none.id(idle).isVisible(), false, idle);
    }
    await look("no-rows-data");
    await drop();

    await scene.load("one.csv", ONE);
    await edit(none, { table: "one", where: "amount < 0" });
    await none.id("tab-data").click();
    await none.id("data-range").filter({ hasText: said.unmatched }).waitFor();
    await look("no-rows-match");
  });
}

test("the rows follow a query that ends while they are looked at", async (t) => {
  const scene = await open(t);
  await scene.load("one.csv", "shop,amount\nKuper,5\nSever,7\n");
  const answer = await scene.ask("total amount by shop");
  assert.equal((await answer.rows()).length, 2);
  await answer.id("tab-query").click();
  await answer.id("query-text").fill(JSON.stringify({ table: "one", where: "amount > 5" }));
  // At once: the result comes when its place is in sight.
  await answer.card.evaluate((card) => {
    card.querySelector('[data-testid="query-run"]').click();
    card.querySelector('[data-testid="tab-data"]').click();
  });
  await answer.id("data-range").filter({ hasText: "Row 1 of 1" }).waitFor();
  assert.equal(await answer.id("data-table").locator("tbody tr").count(), 1);
});
