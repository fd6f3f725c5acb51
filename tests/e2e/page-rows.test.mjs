// All rows of a result on the page: a hundred at a time, or in one grid that scrolls through them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tableFromIPC } from "apache-arrow";
import { PATIENCE, stage } from "./harness.mjs";

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
    await answer.id("data-all").filter({ hasText: "Показать все строки" }).waitFor();
    await answer.id("data-all").and(scene.page.locator(":focus")).waitFor();
    await answer.id("data-next").filter({ hasText: "Вперёд" }).click();
    await answer.id("data-table").getByText("100", { exact: true }).waitFor();
    assert.ok(scene.log.every(({ method }) => method === "GET"));
  });
}

const FEW = `day,shop,amount
2024-01-02,"Kuper, the 1st",10.5
2024-01-01,Vkusno,7
2024-01-03,Sever,
`;

/** What a press saves: the name of the file and its bytes. */
async function saved(scene, press) {
  const [file] = await Promise.all([scene.page.waitForEvent("download"), press()]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  return [file.suggestedFilename(), Buffer.concat(parts)];
}

/** The rows of a few, all of them as they are. */
async function few(t, options) {
  const scene = await open(t, options);
  await scene.load("few.csv", FEW);
  const answer = await scene.ask("total amount by shop");
  await answer.edit({ table: "few" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.id("tab-data").click();
  await answer.id("data-table").getByText("Sever").waitFor();
  return { scene, answer };
}

const column = (answer, n, name = "data") =>
  answer.id(`${name}-table`).locator(`tbody td:nth-child(${n})`).allTextContents();

/** The heads that say an order, and which. */
const orders = (answer) =>
  answer
    .id("data-table")
    .locator("th[aria-sort]")
    .evaluateAll((heads) => heads.map((one) => [one.textContent, one.ariaSort]));

test("few rows are saved as CSV, JSON and Arrow, and shown raw", async (t) => {
  const { scene, answer } = await few(t);
  assert.equal(await answer.id("data-excel").isVisible(), false);
  const [name, csv] = await saved(scene, () => answer.id("data-csv").click());
  assert.equal(name, "total-amount-by-shop.csv");
  assert.equal(
    csv.toString(),
    '\u{feff}day,shop,amount\n2024-01-01,Vkusno,7\n2024-01-02,"Kuper, the 1st",10.5\n2024-01-03,Sever,\n',
  );
  const [other, json] = await saved(scene, () => answer.id("data-json").click());
  assert.equal(other, "total-amount-by-shop.json");
  assert.deepEqual(JSON.parse(json.toString()), [
    { day: "2024-01-01", shop: "Vkusno", amount: 7 },
    { day: "2024-01-02", shop: "Kuper, the 1st", amount: 10.5 },
    { day: "2024-01-03", shop: "Sever", amount: null },
  ]);
  const [third, arrow] = await saved(scene, () => answer.id("data-arrow").click());
  assert.equal(third, "total-amount-by-shop.arrow");
  const table = tableFromIPC(arrow);
  assert.deepEqual(
    [table.numRows, table.schema.fields.map((field) => field.name)],
    [3, ["day", "shop", "amount"]],
  );
  assert.equal(await answer.id("data-work").innerText(), "");
  for (const [kind, said] of [
    ["csv", "Download as CSV"],
    ["arrow", "Download as Arrow"],
  ]) {
    assert.equal(await answer.id(`data-${kind}`).getAttribute("aria-label"), said);
  }

  await answer.id("data-all").filter({ hasText: "As a grid" }).click();
  const grid = answer.id("all-rows");
  await grid.locator(".body .cell").first().waitFor();
  await scene.id("raw", grid).click();
  await scene.id("raw-text", grid).filter({ hasText: "Kuper, the 1st" }).waitFor();
  await answer.id("data-paged").filter({ hasText: "As a plain table" }).click();
  await answer.id("data-table").getByText("Sever").waitFor();
});

test("few rows are sorted by keys and mouse, and saved in that order", async (t) => {
  const { scene, answer } = await few(t);
  const by = (name) => answer.id("data-sort").filter({ hasText: name });
  assert.deepEqual(await orders(answer), []);
  await by("amount").focus();
  const steps = [
    [["Vkusno", "Kuper, the 1st", "Sever"], [["amount", "ascending"]]],
    [["Kuper, the 1st", "Vkusno", "Sever"], [["amount", "descending"]]],
    [["Vkusno", "Kuper, the 1st", "Sever"], []],
  ];
  for (const [shops, order] of steps) {
    await scene.page.keyboard.press("Enter");
    await scene.page.waitForFunction(
      (wanted) =>
        wanted ===
        JSON.stringify(
          [...document.querySelectorAll("[data-testid=data-table] th[aria-sort]")].map((one) => [
            one.textContent,
            one.ariaSort,
          ]),
        ),
      JSON.stringify(order),
    );
    assert.deepEqual(await column(answer, 2), shops);
    await by("amount").and(scene.page.locator(":focus")).waitFor();
  }
  await by("shop").click();
  await answer.id("data-table").locator('th[aria-sort="ascending"]').waitFor();
  assert.deepEqual(await column(answer, 2), ["Kuper, the 1st", "Sever", "Vkusno"]);
  await scene.picture("98-sorted");
  const [, csv] = await saved(scene, () => answer.id("data-csv").click());
  assert.match(csv.toString(), /^\ufeffday.*\n.*Kuper.*\n.*Sever.*\n.*Vkusno/);
});

test("the order of the rows is kept in the grid and on the way back", async (t) => {
  const { scene, answer } = await few(t);
  const sort = (name) => answer.id("data-sort").and(scene.page.locator(`[data-column=${name}]`));
  await sort("amount").click();
  await answer.id("data-table").locator('th[aria-sort="ascending"]').waitFor();
  await sort("amount").click();
  await answer.id("data-table").locator('th[aria-sort="descending"]').waitFor();
  await answer.id("data-all").click();
  const grid = answer.id("all-rows");
  const heads = grid.getByRole("columnheader");
  await heads.filter({ hasText: "amount" }).and(grid.locator('[aria-sort="descending"]')).waitFor();
  const shops = async () => (await seen(grid)).map((row) => row[1]);
  const want = async (wanted) => {
    for (const until = Date.now() + PATIENCE; String(await shops()) !== String(wanted);)
      assert.ok(Date.now() < until, String(await shops()));
  };
  await want(["Kuper, the 1st", "Vkusno", "Sever"]);
  // Sorted there in another way, it comes back so.
  await heads.filter({ hasText: "shop" }).click();
  await want(["Kuper, the 1st", "Sever", "Vkusno"]);
  await answer.id("data-paged").click();
  await answer.id("data-table").locator('th[aria-sort="ascending"]').waitFor();
  assert.deepEqual(await orders(answer), [["shop", "ascending"]]);
  assert.equal((await answer.rows())[1][1], "Sever");
});

test("a CSV begins with the mark that Excel looks for, and is read back as it was", async (t) => {
  const scene = await open(t);
  await scene.load("лавки.csv", "магазин,сумма\nВкусно,7.5\nЁлочка,10\n");
  const answer = await scene.ask("сумма по магазин");
  const [name, csv] = await saved(scene, async () => {
    await answer.id("tab-data").click();
    await answer.id("data-csv").click();
  });
  assert.deepEqual([...csv.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const rows = await answer.rows();
  await scene.load(name, csv);
  const card = scene.id("table-card").first();
  await scene.id("table-details", card).locator("summary").click();
  await scene.id("table-column", card).nth(1).waitFor();
  const names = await scene.id("table-column", card).locator("code").allTextContents();
  assert.deepEqual(names, ["магазин", "sum_сумма"]);
  await answer.edit({ table: await card.getAttribute("data-table") });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  assert.deepEqual(await answer.rows(), rows);
});

test("groups are sorted with the rows behind them, which are sorted and saved too", async (t) => {
  const scene = await open(t);
  await scene.load("few.csv", "shop,amount_paid\na,1\nb,9\na,3\nb,2\n");
  const answer = await scene.ask("total amount_paid by shop");
  await answer.rows();
  assert.deepEqual(await answer.id("data-sort").allTextContents(), ["shop", "sum of amount_paid"]);
  await answer.id("data-sort").filter({ hasText: "amount" }).click();
  await answer.id("data-sort").filter({ hasText: "amount" }).click();
  await answer.id("data-table").locator('th[aria-sort="descending"]').waitFor();
  assert.deepEqual(await column(answer, 1), ["b", "a"]);
  await answer.id("group-row").first().click();
  await answer.id("source-table").locator("tbody tr").nth(1).waitFor();
  assert.deepEqual(await column(answer, 2, "source"), ["9", "2"]);
  await answer.id("source-sort").filter({ hasText: "amount" }).click();
  await answer.id("source-table").locator('th[aria-sort="ascending"]').waitFor();
  assert.deepEqual(await column(answer, 2, "source"), ["2", "9"]);
  const [, json] = await saved(scene, () => answer.id("source-json").click());
  assert.deepEqual(JSON.parse(json.toString()), [
    { shop: "b", amount_paid: 2 },
    { shop: "b", amount_paid: 9 },
  ]);
  assert.equal(await answer.id("source-arrow").isVisible(), false);
});

test("many rows are sorted by the engine, and a download says how far it is and ends at a press", async (t) => {
  const scene = await open(t);
  await scene.load("many.csv", MANY);
  const answer = await scene.ask("top 5000 by amount");
  await answer.edit({ table: "many" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.id("tab-data").click();
  await answer.id("data-range").filter({ hasText: "1–100 of 20,000" }).waitFor();
  await answer.id("data-next").click();
  await answer.id("data-range").filter({ hasText: "101–200" }).waitFor();
  // Other rows, and those of another order, are shown from the first.
  const box = answer.id("data-table").locator("..");
  await box.evaluate((one) => (one.scrollTop = 900));
  await answer.id("data-next").click();
  await answer.id("data-range").filter({ hasText: "201–300" }).waitFor();
  assert.equal(await box.evaluate((one) => one.scrollTop), 0);
  await box.evaluate((one) => (one.scrollTop = 900));
  await answer.id("data-sort").filter({ hasText: "amount" }).click();
  await answer.id("data-table").locator('th[aria-sort="ascending"]').waitFor();
  await answer.id("data-range").filter({ hasText: "1–100 of 20,000" }).waitFor();
  assert.equal(await box.evaluate((one) => one.scrollTop), 0);
  const amounts = Array.from({ length: ROWS }, (_, i) => (i * 7919) % 10_007);
  amounts.sort((a, b) => a - b);
  assert.deepEqual(
    (await column(answer, 2)).map((text) => Number(text.replace(",", ""))),
    amounts.slice(0, 100),
  );

  // What is asked of the worker waits until it may go on.
  await scene.page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    globalThis.held = [];
    Worker.prototype.postMessage = function (...given) {
      if (globalThis.held) globalThis.held.push(() => postMessage.apply(this, given));
      else postMessage.apply(this, given);
    };
  });
  const go = () =>
    scene.page.evaluate(() => {
      const { held } = globalThis;
      globalThis.held = undefined;
      for (const one of held) one();
    });
  const downloads = [];
  scene.page.on("download", (file) => downloads.push(file));
  await answer.id("data-csv").click();
  await answer.id("data-work").filter({ hasText: "Writing CSV: 0 of 20,000 rows" }).waitFor();
  assert.equal(await answer.id("data-json").isDisabled(), true);
  await answer.id("data-cancel").click();
  assert.equal(await answer.id("data-work").innerText(), "");
  await go();
  const [, csv] = await saved(scene, () => answer.id("data-csv").click());
  const lines = csv.toString().trimEnd().split("\n");
  assert.equal(lines.length, ROWS + 1);
  assert.deepEqual(
    lines.slice(1).map((line) => Number(line.split(",")[1])),
    amounts,
  );
  assert.equal(downloads.length, 1, "what was cancelled gave no file");
});

test("a Russian page saves a CSV for Excel too: semicolons, decimal commas, and read back", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("few.csv", FEW);
  const answer = await scene.ask("сумма amount по shop");
  await answer.edit({ table: "few" });
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-data").click();
  const press = answer.id("data-excel").filter({ hasText: "CSV для Excel" });
  const [name, bytes] = await saved(scene, () => press.click());
  assert.equal(name, "сумма-amount-по-shop-excel.csv");
  const text = "\u{feff}day;shop;amount\n2024-01-01;Vkusno;7\n2024-01-02;Kuper, the 1st;10,5\n";
  assert.ok(bytes.toString().startsWith(text), bytes.toString());
  await scene.load("back.csv", bytes.toString());
  const back = await scene.ask("сумма amount в back");
  assert.match(await back.text(), /17[,.]5/);
  // It is for people: with the names and the months of the screen.
  await answer.edit({ table: "few", group_by: "monthname(day)", select: "sum(amount)" });
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-data").click();
  const [, groups] = await saved(scene, () => press.click());
  assert.match(groups.toString(), /^\u{feff}месяц;сумма amount\nянварь;\d/u);
  // A date and a time are no text in it, and stay ISO 8601 in the file for programs.
  await scene.load("times.csv", "ts,n\n2025-04-10T05:16:00,1\n2025-04-10T05:17:30,2\n");
  await answer.edit({ table: "times" });
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-data").click();
  const [, moments] = await saved(scene, () => press.click());
  assert.match(moments.toString(), /^2025-04-10 05:16:00;1\n2025-04-10 05:17:30;2$/m);
  const [, plain] = await saved(scene, () => answer.id("data-csv").click());
  assert.match(plain.toString(), /^2025-04-10T05:16:00,1$/m);
  // Its spreadsheets are the same on a page in English.
  await scene.id("language-en").click();
  await answer.id("data-excel").filter({ hasText: "CSV for Excel" }).waitFor();
});
