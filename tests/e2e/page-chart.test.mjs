// The Chart tab of the page: there where a result has a chart, drawn by the package's element.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

test("numbers below lying bars stand apart on a phone, in both languages", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 800 } });
  await scene.load(
    "sales.csv",
    "shop,total\nBeriozka,226360.5\nHypermarket Ocean of the North,200112.25\nCorner,22487.6\n",
  );
  const answer = await scene.ask("total by shop");
  await answer.id("tab-chart").click();
  for (const language of ["en", "ru"]) {
    await scene.id(`language-${language}`).click();
    const drawing = answer.id("drawing");
    await drawing
      .locator("svg text")
      .filter({ hasText: language === "en" ? /^\d+K$/ : /^\d+\sтыс/ })
      .first()
      .waitFor();
    const boxes = await drawing.locator("svg text").evaluateAll((texts) =>
      texts
        .filter((text) => text.getAttribute("opacity") !== "0")
        .filter(({ textContent }) => /^\d+(?:K|\sтыс\.)?$/.test(textContent))
        .map((text) => text.getBoundingClientRect())
        .map(({ left, right }) => [left, right])
        .sort(([a], [b]) => a - b),
    );
    assert.ok(boxes.length >= 2, language);
    for (const [i, [left]] of boxes.slice(1).entries())
      assert.ok(left - boxes[i][1] >= 6, `${language}: ${JSON.stringify(boxes)}`);
  }
});

test("groups have a chart, in words too; it comes when it is looked at, and follows the page", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const fetched = () => scene.log.filter(({ url }) => /vega|chart\.js/.test(url)).length;
  assert.equal(fetched(), 0);
  await answer.id("tab-data").click();
  await scene.page.keyboard.press("ArrowRight");
  const words = answer.id("words");
  await words.filter({ hasText: "Bars of sum of amount by shop: 4 groups." }).waitFor();
  assert.match(await words.textContent(), /Highest: 912\.00 at Vkusno\. Lowest: 78\.25 at Zarya\./);
  await answer.id("chart").locator("svg path").first().waitFor();
  assert.ok(fetched() > 0);
  await scene.picture("95-chart");

  await scene.id("language-ru").click();
  await words.filter({ hasText: "Столбцы – сумма amount, по оси – shop" }).waitFor();
  await answer.id("tab-query").click();

  // The edited query has a chart of its own.
  await answer.edit({ table: "purchases", group_by: "shop", select: "count()" });
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-chart").click();
  await words.filter({ hasText: "число строк, по оси – shop" }).waitFor();
  assert.deepEqual(scene.endpoint.bodies, []);
  assert.ok(scene.log.every(({ method }) => method === "GET"));
});

test("what has no chart has no tab for it, and the keys pass it by", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  await answer.id("tab-chart").click();
  await answer.id("words").waitFor();
  await answer.edit({ table: "purchases", select: "sum(amount)" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  assert.equal(await answer.id("tab-chart").isVisible(), false);
  await answer.id("tab-data").click();
  await scene.page.keyboard.press("ArrowRight");
  await answer.id("nothing-sent").waitFor();
  await scene.page.keyboard.press("ArrowLeft");
  await scene.id("values", answer.id("panel-data")).waitFor();
});

test("a plain list has a histogram of its numbers", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("the 5 largest purchases by amount");
  await answer.id("tab-chart").click();
  await answer
    .id("words")
    .filter({ hasText: /Histogram of amount/ })
    .waitFor();
  await answer.id("chart").locator("svg path").first().waitFor();
});

test("a chart of few bars side by side is as high as they are", async (t) => {
  const scene = await open(t);
  const names = ["Nordrhein-Westfalen", "Baden-Württemberg", "Niedersachsen", "Hessen", "Sachsen"];
  await scene.load(
    "land.csv",
    `land,amount\n${names.map((one, i) => `${one},${i + 1}`).join("\n")}\n`,
  );
  const answer = await scene.ask("total amount by land");
  await answer.id("tab-chart").click();
  await answer.id("chart").locator("svg path").first().waitFor();
  const heights = await answer
    .id("drawing")
    .evaluate((one) =>
      [one, one.querySelector("svg")].map((of) => of.getBoundingClientRect().height),
    );
  assert.ok(heights[0] - heights[1] <= 4 && heights[0] < 260, heights.join(", "));
  await scene.picture("97-chart-few");
});

test("shares of groups open as bars, and a histogram of them goes back to the groups", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("share of amount by shop");
  await answer.id("tab-chart").click();
  const words = answer.id("words");
  await words.filter({ hasText: "Bars of share (%) by shop: 4 groups." }).waitFor();
  await answer.id("kind").selectOption("histogram");
  await words.filter({ hasText: "Histogram of share" }).waitFor();
  await answer.id("x").selectOption("shop");
  await words.filter({ hasText: "Bars of share (%) by shop: 4 groups." }).waitFor();
});

/** A measure that is a thousand times another. */
const FAR = `shop,kind,month,amount,count of visits
Kuper,food,1,51000,3
Vkusno,food,2,72000,5
Sever,drinks,1,43000,2
Zarya,drinks,2,66000,4
`;

test("measures of very different sizes begin with the first, and the other can be added", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.load("far.csv", FAR);
  const answer = await scene.ask("total amount and total count of visits by shop");
  await answer.id("tab-chart").click();
  const words = answer.id("words");
  await words.filter({ hasText: "Bars of sum of amount by shop: 4 groups." }).waitFor();
  const note = answer.id("note").filter({ hasText: /would be flat: sum of count of visits/ });
  await note.waitFor();
  await answer.id("y").selectOption({ label: "all (2)" });
  await words.filter({ hasText: "sum of amount, sum of count of visits" }).waitFor();
  assert.equal(await note.count(), 0);
  // The legend is whole at this width.
  const legend = answer.id("chart").locator("svg .role-legend");
  await legend.first().waitFor();
  const [box, of] = [legend.first(), answer.id("drawing")].map((one) => one.boundingBox());
  const [inner, outer] = [await box, await of];
  assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width);
  const names = await legend.locator("text").allTextContents();
  assert.deepEqual(names, ["sum of amount", "sum of count of visits"]);
  await scene.picture("96-chart-sizes");
});

test("groups of three keys say why they have no chart", async (t) => {
  const scene = await open(t);
  await scene.load("far.csv", FAR);
  const answer = await scene.ask("total amount by shop");
  await answer.edit({ table: "far", group_by: ["shop", "kind", "month"], select: "sum(amount)" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.id("tab-chart").click();
  const why = answer.id("chart-keys");
  await why.filter({ hasText: "groups by 3 columns (shop, kind, month)" }).waitFor();
  await scene.id("language-ru").click();
  await why.filter({ hasText: "это группы по 3 столбцам" }).waitFor();
});

test("groups by month and year are one line along time; ids are never drawn", async (t) => {
  const scene = await open(t);
  const rows = ["a", "b"].flatMap((shop, n) =>
    Array.from({ length: 24 }, (_, i) => {
      const month = String((i % 12) + 1).padStart(2, "0");
      return `${100 + i},${2023 + Math.floor(i / 12)}-${month}-05,${shop},${(i + 1) * 100 + n}\n`;
    }),
  );
  await scene.load("sales.csv", `id,date,shop,amount\n${rows.join("")}`);
  const answer = await scene.ask("total amount by month and year");
  await answer.id("tab-chart").click();
  const words = answer.id("words");
  await words
    .filter({
      hasText: "over month: 24 points, from Jan 2023 to Dec 2024. Highest: 4,801 at Dec 2024.",
    })
    .waitFor();
  assert.equal(await answer.id("kind").inputValue(), "line");
  const line = answer.id("chart").locator("svg .mark-line path").first();
  await line.waitFor();
  // From left to right, never back.
  const places = [...(await line.getAttribute("d")).matchAll(/[ML]([\d.]+),/g)].map(([, x]) => +x);
  assert.equal(places.length, 24);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  await scene.id("language-ru").click();
  await words.filter({ hasText: "с янв. 2023 по дек. 2024" }).waitFor();
  await scene.id("language-en").click();
  await scene.picture("96-chart-months");
  const both = await scene.ask("total amount by shop and month and year");
  await both.id("tab-chart").click();
  await both.id("words").filter({ hasText: "over month, 2 of shop: 48 points" }).waitFor();
  const list = await scene.ask("the 5 largest sales by amount");
  await list.id("tab-chart").click();
  await list.id("words").filter({ hasText: "Histogram of amount" }).waitFor();
});

test("a line over months of all years goes from January on, on the screen and in the file", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  const months = [3, 11, 1, 8, 12, 4, 2, 9, 5, 10, 7, 6, 1, 8];
  const rows = months.map((m, i) => `2024-${String(m).padStart(2, "0")}-05,${(i + 1) * 10}`);
  await scene.load("sales.csv", `date,revenue\n${rows.join("\n")}\n`);
  const answer = await scene.ask("сколько строк");
  const query = { table: "sales", group_by: "monthname(date)", select: "sum(revenue)" };
  await answer.edit(query);
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-chart").click();
  await answer.id("words").waitFor();
  const chart = answer.id("chart");
  await chart.getByLabel("График").selectOption("line");
  await answer
    .id("words")
    .filter({ hasText: /^Линия/ })
    .waitFor();
  await chart.locator('[data-drawn="line"]').waitFor();
  const svg = await chart.evaluate((element) => element.toSVG());
  const d = /class="[^"]*mark-line[^"]*"[^>]*>\s*<path[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? "";
  const along = [...d.matchAll(/[ML](-?[\d.]+)/g)].map(([, x]) => Number(x));
  assert.equal(along.length, 12, svg.slice(0, 3000));
  assert.deepEqual(
    along,
    [...along].sort((a, b) => a - b),
  );
  assert.ok(svg.indexOf(">январь<") < svg.indexOf(">февраль<"));
});

test("words for a chart alone open the chart of the last answer, of the kind that they name", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const say = async (question) => {
    await scene.id("question").fill(question);
    await scene.id("ask").click();
  };
  await say("show it as a line chart");
  await answer.id("words").filter({ hasText: "Line of sum of amount over shop" }).waitFor();
  await say("гистограмма");
  await answer.id("words").filter({ hasText: "Histogram of sum of amount" }).waitFor();
  await say("а столбиками?");
  await answer.id("words").filter({ hasText: "Bars of sum of amount" }).waitFor();
  assert.equal(await scene.id("answer").count(), 1);
  // Where nothing is worth drawing it is said why.
  const list = await scene.ask("how many purchases");
  await say("на графике");
  await list.id("panel-chart").or(list.id("chart")).first().waitFor();
  assert.equal(await scene.id("answer").count(), 2);
});

test("a question that asks for its chart in words opens it, of the kind that it names", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  for (const [question, kind] of [
    ["line chart of total amount by shop", "line"],
    ["столбчатая диаграмма total amount by shop", "bar"],
    ["plot total amount by shop", "bar"],
  ]) {
    const answer = await scene.ask(question);
    assert.equal(await answer.id("tab-chart").getAttribute("aria-selected"), "true", question);
    assert.equal(await answer.id("kind").inputValue(), kind, question);
    await answer.id("chart").locator(`[data-drawn=${kind}] svg path`).first().waitFor();
  }
  const plain = await scene.ask("total amount by shop");
  assert.equal(await plain.id("tab-answer").getAttribute("aria-selected"), "true");
});
