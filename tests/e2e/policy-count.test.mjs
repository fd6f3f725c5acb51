// How many columns are protected is in the page's header, which stays in sight: over all tables, as
// classes are chosen and tables come and go, in both languages, wide and narrow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const CLIENTS = `client,email,phone,amount\n${Array.from(
  { length: 24 },
  (_, i) => `c${i},zq${i}@example.org,+49 151 2345 67${10 + i},${100 + i}\n`,
).join("")}`;

const SAID = {
  "en-US": {
    none: "Policy: summaries",
    two: "Policy: summaries · 2 hidden",
    more: "Policy: summaries · 2 hidden, 1 in aggregates only",
    three: "Policy: summaries · 3 hidden",
  },
  "ru-RU": {
    none: "Политика: сводки",
    two: "Политика: сводки · скрыто: 2",
    more: "Политика: сводки · скрыто: 2, агрегаты: 1",
    three: "Политика: сводки · скрыто: 3",
  },
};

for (const [locale, said] of Object.entries(SAID)) {
  for (const width of [1100, 360]) {
    const language = locale.slice(0, 2);

    test(`${language}, ${width} pixels: the header counts what is protected`, async (t) => {
      // Who sent something before this visit is told so, which takes more room.
      const settings = width === 360 ? { sent: true } : {};
      const scene = await open(t, { locale, viewport: { width, height: 740 }, settings });
      const chip = scene.id("policy");
      const says = (text) =>
        scene.page.waitForFunction(
          ([wanted]) => document.querySelector("#policy").textContent === wanted,
          [text],
        );
      const inSight = async () => {
        const { height } = scene.page.viewportSize();
        for (const one of [chip, scene.id("sent-open")]) {
          const box = await one.boundingBox();
          const there = box.x >= 0 && box.y >= 0 && box.x + box.width <= width;
          assert.ok(there && box.y + box.height < height / 3, JSON.stringify(box));
        }
      };
      await says(said.none);
      await scene.load("clients.csv", CLIENTS);
      await says(said.two);
      await inSight();

      // A class that is chosen in another table counts with them.
      await scene.load("purchases.csv", PURCHASES);
      await says(said.two);
      const card = scene.page.locator('[data-testid="table-card"][data-table="purchases"]');
      await scene.id("table-details", card).locator("summary").click();
      const amount = card.locator('select[data-column="amount"]');
      await amount.selectOption("aggregate");
      await says(said.more);
      await scene.ask(language === "ru" ? "сумма amount по shop" : "total amount by shop");
      await scene.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await scene.page.waitForFunction(() => scrollY > 100);
      await inSight();
      await scene.picture(`51-protected-${language}-${width}`);
      await amount.selectOption("hidden");
      await says(said.three);

      // A table that goes takes its own with it.
      await scene.id("table-drop", card).click();
      await says(said.two);
      await scene.id("table-drop").click();
      await says(said.none);
    });
  }
}

test("the count follows the language, the level and a flag that is opened", async (t) => {
  const scene = await open(t);
  const chip = (text) => scene.id("policy").getByText(text, { exact: true }).waitFor();
  await scene.load("clients.csv", CLIENTS);
  await chip("Policy: summaries · 2 hidden");
  await scene.id("language-ru").click();
  await chip("Политика: сводки · скрыто: 2");
  await scene.id("language-en").click();
  await scene.id("flag-open").first().click();
  await chip("Policy: summaries · 1 hidden");
  await scene.id("policy").click();
  await scene.id("level-schema").check();
  await chip("Policy: schema · 1 hidden");
});
