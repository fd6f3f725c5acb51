// What can be taken from the page by the clipboard: a query as it stands, and an answer's words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const clipboard = (scene) => scene.page.evaluate(() => navigator.clipboard.readText());

test("the query is copied as it stands, and it is said where it could not be", async (t) => {
  const scene = await open(t);
  await scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const query = await answer.query();
  await answer.id("query-copy").click();
  await answer.id("query-outcome").filter({ hasText: "Copied" }).waitFor();
  assert.deepEqual(JSON.parse(await clipboard(scene)), query);

  // Also one that was edited and not run.
  await answer.id("query-text").fill('{"select": "count()"}');
  await answer.id("query-copy").focus();
  await scene.page.keyboard.press("Enter");
  assert.equal(await clipboard(scene), '{"select": "count()"}');

  await scene.id("language-ru").click();
  await answer.id("query-copy").filter({ hasText: "Копировать" }).waitFor();
  await scene.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
  });
  await answer.id("query-copy").click();
  await answer.id("query-outcome").filter({ hasText: "Браузер не разрешил" }).waitFor();
});

test("without a clipboard, as on a page without TLS, it is said that nothing was copied", async (t) => {
  const scene = await open(t);
  await scene.page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
  });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  await answer.id("answer-copy").click();
  await answer.id("answer-copy").filter({ hasText: "did not allow" }).waitFor();
  await answer.id("tab-query").click();
  await answer.id("query-copy").click();
  await answer.id("query-outcome").filter({ hasText: "did not allow" }).waitFor();
});

test("an answer that is selected is copied without the signs of its numbers", async (t) => {
  const scene = await open(t);
  await scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const signs = await answer.card.locator(".claim .sign").allTextContents();
  assert.ok(signs.length > 0 && signs.every((sign) => sign.trim() !== ""));
  await answer.id("answer-text").evaluate((element) => {
    getSelection().selectAllChildren(element);
  });
  await scene.page.keyboard.press("Control+c");
  const text = await clipboard(scene);
  assert.match(text, /912/);
  for (const sign of signs) assert.ok(!text.includes(sign.trim()), `${sign} in ${text}`);
  // The button gives the whole of it.
  await answer.id("answer-copy").click();
  await answer.id("answer-copy").filter({ hasText: "Copied" }).waitFor();
  assert.match(await clipboard(scene), /912/);
  const declined = await scene.ask("colourless green ideas");
  assert.equal(await declined.id("answer-copy").count(), 0);
});
