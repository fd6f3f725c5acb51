// The page and the panel in Russian, and in another language than a moment ago: what the page says of
// columns, dates and mistakes follows; questions and answers stay as they were said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage, page } from "./element-page.mjs";
import { say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";

const open = stage();
const openPanel = elementStage();

const SHOPS = ["Vkusno", "Sever", "Kuper"];
/** A purchase a day of 2023, by shop. */
const SALES = `day,shop,total\n${Array.from({ length: 365 }, (_, i) => {
  const day = new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10);
  return `${day},${SHOPS[i % 3]},${((i * 3700) % 9100) + 0.5}\n`;
}).join("")}`;

const heads = (answer) => answer.id("data-table").locator("th").allInnerTexts();

test("columns, months and dates are Russian in Russian, and follow the language", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("sales.csv", SALES);
  assert.equal(await scene.id("table-range").innerText(), "01.01.2023 – 31.12.2023");
  const answer = await scene.ask("сумма total по месяцам");
  const prose = await answer.id("answer-text").innerText();
  const marks = await answer.claims();
  assert.ok(marks.length > 1 && marks.every(({ verdict }) => verdict === "verified"));
  const [months] = await answer.rows();
  assert.equal(months[0], "январь");
  assert.deepEqual(await heads(answer), ["месяц", "сумма total"]);
  const sort = answer.id("data-sort").last();
  assert.equal(await sort.getAttribute("title"), "Сортировать: сумма total · sum_total");
  await answer.id("group-row").first().click();
  await answer.id("source-title").filter({ hasText: "месяц = январь" }).waitFor();
  const behind = answer.id("source-table").locator("tbody tr").first().locator("td");
  await behind.first().waitFor();
  assert.deepEqual(await behind.allTextContents(), ["01.01.2023", "Vkusno", "0,50", "январь"]);
  // The exact value is behind it, and in what is copied or saved.
  assert.equal(await behind.first().getAttribute("title"), "2023-01-01");

  await scene.id("language-en").click();
  await answer.id("source-title").filter({ hasText: "month = Jan" }).waitFor();
  assert.deepEqual(await heads(answer), ["month", "sum of total"]);
  assert.equal((await behind.allTextContents())[0], "2023-01-01");
  // What was chosen stays chosen, and what was said stays said.
  const chosen = answer.id("data-table").locator('tr[aria-current="true"]');
  assert.equal(await chosen.locator("td").first().innerText(), "Jan");
  await answer.id("tab-answer").click();
  assert.equal(await answer.id("answer-text").innerText(), prose);
  await answer.id("claim").nth(1).focus();
  const note = scene.id("claim-note");
  await note.getByText("month = Mar").waitFor();
  await scene.id("language-ru").click();
  await note.waitFor({ state: "detached" });
  await answer.id("claim").nth(1).focus();
  await note.getByText("месяц = март").waitFor();
  await note.locator("th").filter({ hasText: "месяц" }).waitFor();
  await note.locator("td").filter({ hasText: "март" }).first().waitFor();
  await scene.id("language-en").click();
  assert.equal(await scene.id("table-range").innerText(), "2023-01-01 – 2023-12-31");
  await answer.id("tab-data").click();
  await answer.id("data-all").click();
  const grid = scene.id("all-rows");
  await grid.getByText("sum of total", { exact: true }).waitFor();
  await scene.id("language-ru").click();
  await grid.getByText("сумма total", { exact: true }).waitFor();
  await grid.getByText("февраль", { exact: true }).first().waitFor();
  await scene.picture("98-language");
});

test("what a statement gives has Russian moments, and units are Russian where columns are listed", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  const rows = Array.from({ length: 90 }, (_, i) => {
    const at = new Date(Date.UTC(2024, 3, 1 + i, 9, 30 + (i % 20))).toISOString().slice(0, 19);
    return `${at},${i / 2}`;
  });
  await scene.load("trips.csv", `started,distance (km)\n${rows.join("\n")}\n`);
  await scene.id("table-details").locator("summary").click();
  const unit = scene.id("table-column").locator(".unit").last();
  assert.equal(await unit.innerText(), "км");
  const months = await scene.ask(
    "SELECT date_trunc('month', started) AS m, count(*) AS n FROM trips GROUP BY 1 ORDER BY 1",
  );
  const text = await months.id("answer-text").innerText();
  assert.match(text, /01\.04\.2024/);
  assert.doesNotMatch(text, /\dT\d/);
  const last = await scene.ask("SELECT max(started) AS last FROM trips");
  await last.id("answer-text").filter({ hasText: "29.06.2024 09:39" }).waitFor();
  await last.edit({ table: "trips", select: "sum(`distance (km)`)" });
  await last.id("query-outcome").filter({ hasText: "[км]" }).waitFor();
  // How many rows a limit left out is named in words, too.
  const top = await scene.ask("последние 3 строки");
  await top.id("claim").filter({ hasText: "90" }).first().focus();
  await scene.id("claim-note").filter({ hasText: "число строк без ограничения" }).waitFor();
  await scene.id("language-en").click();
  assert.equal(await unit.innerText(), "km");
});

test("the bar has one line at 1280 pixels in Russian, whatever stands in it", async (t) => {
  const settings = {
    endpoint: "/v1/chat/completions",
    model: "a-model-with-a-long-name-4.5",
    sent: true,
    keep: true,
  };
  const scene = await open(t, {
    locale: "ru-RU",
    viewport: { width: 1280, height: 800 },
    settings,
  });
  const lines = () =>
    scene.page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".bar button, .brand")].map((one) =>
        one.getBoundingClientRect(),
      );
      const [middle] = boxes.map(({ top, bottom }) => (top + bottom) / 2);
      return boxes.filter(({ top, bottom }) => top > middle || bottom < middle).length;
    });
  await scene.id("sent-open").filter({ hasText: "С открытия ничего не отправлено" }).waitFor();
  assert.equal(await lines(), 0);
  await scene.load("staff.csv", "name,salary,town\nAnna,42000,Bonn\nBill,51000,Graz\n");
  await scene.id("maybe-hide").click();
  await scene.id("policy").filter({ hasText: "скрыто: 2" }).waitFor();
  assert.equal(await lines(), 0);
  await scene.picture("81-bar-ru");
});

test("a share is called a share in both languages", async (t) => {
  const scene = await open(t);
  await scene.load("sales.csv", SALES);
  const answer = await scene.ask("share of rows where total above 5000 by shop");
  await answer.rows();
  assert.deepEqual(await heads(answer), ["shop", "share, %"]);
  await scene.id("language-ru").click();
  await answer.id("data-table").locator("th").filter({ hasText: "доля, %" }).waitFor();
  const [file] = await Promise.all([
    scene.page.waitForEvent("download"),
    answer.id("data-csv").click(),
  ]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  assert.match(Buffer.concat(parts).toString(), /^\u{feff}shop,share_pct\n/u);
});

test("text that is no query is told by its place, in the language that there is", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("sales.csv", SALES);
  const answer = await scene.ask("сумма total по shop");
  await answer.edit('{\n  "table": "sales",\n}');
  const outcome = answer.id("query-outcome");
  await outcome.filter({ hasText: "ошибка в строке 3, позиция 1 (})" }).waitFor();
  assert.doesNotMatch(await outcome.innerText(), /[a-z]{3,}(?<!JSON)/);
  await scene.id("language-en").click();
  await outcome.filter({ hasText: "look at line 3, column 1 (})" }).waitFor();
  await answer.edit('{"table": "sales"');
  await outcome.filter({ hasText: "it breaks off" }).waitFor();
});

test("how a question was read stands there once, in whichever language", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("sales.csv", SALES);
  const edited = await scene.ask("sum of total by shop");
  await edited.edit({ table: "sales", group_by: "shop", select: "count()" });
  await edited.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await edited.id("tab-answer").click();
  const again = await scene.ask("sum of total by shop");
  const read = async () => {
    const texts = await Promise.all([edited, again].map((one) => one.card.innerText()));
    return texts.map((text) => text.match(/Understood as|Понято так/g)?.length);
  };
  assert.deepEqual(await read(), [1, 1]);
  await scene.id("language-en").click();
  await edited.id("tab-query").filter({ hasText: "Query" }).waitFor();
  await again.id("scope").filter({ hasText: "groups" }).waitFor();
  assert.deepEqual(await read(), [1, 1]);
});

test("what a question asked before differs in is said plainly", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("sales.csv", SALES);
  await scene.ask("сумма total по месяцам");
  const other = await scene.ask("средний total по дням недели");
  const differs = other.id("recall-differs").first();
  const said = "отличия: по месяцам, по дням недели, среднее";
  await differs.waitFor({ state: "attached" });
  assert.equal(await differs.textContent(), said);
  await scene.id("language-en").click();
  await differs
    .filter({ hasText: "differs in: by month, by weekday, mean" })
    .waitFor({ state: "attached" });
});

test("earlier turns of the panel follow the language", async (t) => {
  const scene = await openPanel(t, {
    html: page({ attributes: 'src="sales.csv" open locale="en"' }),
    files: { "sales.csv": SALES },
  });
  const first = await scene.ask("sum of total by month");
  const prose = await scene.text(first);
  await scene.id("tab-data", first).click();
  await first.getByText("sum of total", { exact: true }).waitFor();
  const second = await scene.ask("sum of total by weekday");
  await scene.id("tab-query", second).click();
  await scene.id("query-text", second).fill("{");
  await scene.id("query-run", second).click();
  await second.getByText("it breaks off").waitFor();
  await scene.id("turn-question", first).click();
  await scene.page.evaluate(() => (document.querySelector("pinhole-ask").locale = "ru"));
  await first.getByText("сумма total", { exact: true }).waitFor();
  await first.getByText("январь", { exact: true }).waitFor();
  await second.getByText("он обрывается").waitFor();
  await scene.id("tab-answer", first).click();
  assert.equal(await scene.text(first), prose);
  await scene.id("claim", first).first().focus();
  await scene.id("claim-note", first).getByText("Показатель").waitFor();
  await scene.picture("98-language");
});

test("dates and counts in what the page says are Russian, and a statement is answered in Russian", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  const day = (i) => new Date(Date.UTC(2024, 0, 1 + (i % 400))).toISOString().slice(0, 10);
  const rows = Array.from({ length: 2000 }, (_, i) => `${day(i)},Омск,${i % 7 ? i : ""}`);
  await scene.load("sales.csv", `дата,город,выручка\n${rows.join("\n")}\n`);
  const answer = await scene.ask("выручка по городам");
  await answer
    .id("warnings")
    .filter({ hasText: /из 2\u00a0000 строк/ })
    .waitFor();
  const none = await scene.ask("выручка за 2020 год");
  await none.id("warnings").filter({ hasText: "с 01.01.2024 по 03.02.2025" }).waitFor();
  assert.doesNotMatch(await none.id("panel-answer").innerText(), /\d{4}-\d\d-\d\d/);
  const own = await scene.ask("SELECT город, sum(выручка) AS total FROM sales GROUP BY город");
  assert.match(await own.text(), /1\D? групп/);
});

test("the panel names a Cyrillic host in its letters, with its codes in the title", async (t) => {
  const attributes = 'src="sales.csv" endpoint="https://пример.рф/v1" model="m" open';
  const scene = await openPanel(t, { html: page({ attributes }), files: { "sales.csv": SALES } });
  await scene.ready();
  const said = scene.id("privacy").filter({ hasText: "Summaries go to пример.рф;" });
  await said.waitFor();
  assert.equal(await said.getAttribute("title"), "xn--e1afmkfd.xn--p1ai");
  // Letters that could be taken for Latin ones keep their codes.
  await scene.page.locator("pinhole-ask").evaluate((one) => (one.endpoint = "https://сор.рф/v1"));
  await scene.id("privacy").filter({ hasText: "xn--n1aeb.рф" }).waitFor();
});

test("a time is written as in the browser's region, where the language is its own", async (t) => {
  for (const [locale, pattern] of [
    ["en-GB", /^\d\d\/\d\d\/20\d\d, \d\d:\d\d:\d\d$/],
    ["en-US", /^\d+\/\d+\/20\d\d, .* [AP]M$/],
    ["de-DE", /^\d+\/\d+\/20\d\d, .* [AP]M$/],
  ]) {
    const scene = await open(t, { locale, model: true, script: [say("Nothing to say.")] });
    await scene.load("sales.csv", SALES);
    const answer = await scene.ask("total by shop");
    await answer.id("tab-sent").click();
    const time = answer.id("ledger-entry").first().locator("dd").first();
    assert.match((await time.innerText()).replace(/\s/g, " "), pattern, locale);
  }
});
