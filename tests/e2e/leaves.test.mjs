// The page that says what leaves and how to check it: found from the first screen, in both languages,
// true in the names that it uses, and as closed to the network as the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { COLOURS, serious } from "./axe.mjs";
import { listener, stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();
const LANGUAGES = [
  ["en", "What leaves this page", "What is not promised"],
  ["ru", "Что покидает эту страницу", "Чего мы не обещаем"],
];

/** Goes there by the link of the first screen. It opens beside the page, which keeps what it has. */
async function follow(scene, link = scene.id("leaves")) {
  const opened = scene.context.waitForEvent("page");
  await link.click();
  const page = await opened;
  await page.waitForURL(/leaves\.html$/);
  assert.equal(await page.evaluate(() => opener), null);
  const first = scene.page;
  scene.page = page;
  return first;
}

test("the first screen leads there; it speaks the language of the page, and another when told", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  assert.match(await scene.id("leaves").textContent(), /проверить \(откроется в новой вкладке\)$/);
  await follow(scene);
  await scene.page.setViewportSize({ width: 1100, height: 900 });
  for (const [language, title, last] of [...LANGUAGES].reverse()) {
    await scene.id(`language-${language}`).click();
    const article = scene.id(`leaves-${language}`);
    await article.getByRole("heading", { name: title }).waitFor();
    await article.getByRole("heading", { name: last }).waitFor();
    assert.equal(await scene.page.title(), `${title} – pinhole`);
    assert.equal(await scene.page.getByRole("heading", { level: 1 }).count(), 1);
    assert.equal(await scene.page.evaluate(() => document.documentElement.lang), language);
    for (const [colorScheme, rules] of [["light"], ["dark", COLOURS]]) {
      await scene.page.emulateMedia({ colorScheme });
      assert.deepEqual(await serious(scene.page, rules), [], `${language}, ${colorScheme}`);
      await scene.picture(`95-${language}-${colorScheme}-leaves`);
    }
    await scene.page.setViewportSize({ width: 360, height: 740 });
    const wide = await scene.page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 360, language);
    await scene.picture(`95-${language}-360-leaves`);
    await scene.page.setViewportSize({ width: 1100, height: 900 });
  }
  // The choice holds on the page that it leads back to.
  await scene.id("back").click();
  await scene.ready();
  await scene.id("headline").filter({ hasText: "Ask your table" }).waitFor();
  // Who works on a table still finds it, at the end.
  await scene.load("purchases.csv", PURCHASES);
  const before = await follow(scene, scene.page.locator("footer a"));
  await scene.page.close();
  assert.ok(await scene.id("table-card", before).isVisible());
});

test("the names of levels, classes and buttons are those of the page", async (t) => {
  const scene = await open(t);
  await follow(scene);
  const found = await scene.page.evaluate(async () => {
    const { TEXTS } = await import("/texts.js");
    const levels = ["schema", "aggregate", "summary", "preview"].map((l) => TEXTS[`level_${l}`]);
    const said = ["sent_none", "verify", "export", "class_aggregate"].map((key) => TEXTS[key]);
    const values = TEXTS.level_summary_text.map((text) =>
      /(names|имён).*(types|типов).* 20/.test(text),
    );
    return ["en", "ru"].map((language, at) => {
      const article = document.querySelector(`article[lang=${language}]`);
      const text = article.textContent.replace(/\s+/g, " ");
      const terms = [...article.querySelectorAll("dt")].map((term) => term.textContent);
      const missing = said.map((both) => both[at]).filter((words) => !text.includes(words));
      return { terms, levels: levels.map((both) => both[at]), missing, values };
    });
  });
  for (const { terms, levels, missing, values } of found) {
    assert.deepEqual(values, [true, true]);
    assert.deepEqual(terms, levels);
    assert.deepEqual(missing, []);
  }
});

test("it reaches nothing but itself, and says the same about the page", async (t) => {
  const scene = await open(t, { expect: /Content Security Policy|Refused|Failed to load/ });
  const other = await listener(t);
  await follow(scene);
  const refused = await scene.page.evaluate(
    (url) =>
      fetch(url).then(
        () => "reached",
        () => "refused",
      ),
    other.url,
  );
  assert.equal(refused, "refused");
  assert.deepEqual(other.seen, []);
  const hosts = scene.traffic.map(({ url }) => new URL(url).origin);
  assert.deepEqual(
    [...new Set(hosts)].filter((origin) => origin !== other.url.replace(/\/$/, "")),
    [new URL(scene.url).origin],
  );
});
