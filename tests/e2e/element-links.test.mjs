// <pinhole-ask> over nodes and links, functions that call functions: what it suggests is answered,
// names complete, and the page shows the links that an answer is about.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage, page } from "./element-page.mjs";
import { CALLS } from "./tables.mjs";

const open = elementStage();

const LINKS = CALLS.trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","));

/** A page with a list of the links, which marks those that the panel means. */
const LIST = page({ attributes: 'src="calls.csv" open', script: true }).replace(
  "<h1>Purchases</h1>",
  `<ul id="links">${LINKS.map(
    ([source, target, type]) =>
      `<li data-link="${source} ${target} ${type}">${source}: ${target}</li>`,
  ).join("")}</ul>`,
);
const MARK = `
document.addEventListener("pinhole-filter", async ({ detail }) => {
  const { columns, rows } = await detail.rows(0, 100);
  const name = (row) => ["source", "target", "type"].map((c) => row[columns.indexOf(c)]).join(" ");
  const meant = new Set(rows.map(name));
  for (const item of document.querySelectorAll("#links li")) {
    item.ariaCurrent = String(meant.has(item.dataset.link));
  }
  const { table, where, key } = detail;
  document.querySelector("#links").dataset.filter = JSON.stringify({ table, where, key });
});`;

const list = (t) => open(t, { html: LIST, module: MARK, files: { "calls.csv": CALLS } });

/** Presses the button of a table that filters; what the page was told, and what it marks. */
async function filtered(scene, turn, name) {
  const links = scene.page.locator("#links");
  await links.evaluate((element) => delete element.dataset.filter);
  await scene.id("filter", scene.id(name, turn)).click();
  await scene.page.locator("#links[data-filter]").waitFor();
  const marked = await links
    .locator('[aria-current="true"]')
    .evaluateAll((items) => items.map((item) => item.dataset.link.split(" ")));
  return { ...JSON.parse(await links.getAttribute("data-filter")), marked };
}

test("every suggestion is a question that is answered, each number proved", async (t) => {
  const scene = await list(t);
  await scene.ready();
  await scene.id("suggestion").first().waitFor();
  const suggestions = await scene.id("suggestion").allTextContents();
  assert.ok(suggestions.length >= 3, suggestions.join());
  for (const question of suggestions) {
    const turn = await scene.ask(question);
    assert.equal(await scene.id("turn", turn).getAttribute("data-state"), "done", question);
    const claims = await scene.claims(turn);
    assert.ok(claims.length > 0, question);
    for (const [text, verdict] of claims) {
      assert.match(verdict, /^(verified|derived)$/, `${question}: ${text}`);
    }
  }
  assert.ok(
    scene.log.every(({ method }) => method === "GET"),
    "nothing was sent",
  );
});

test("whom a function calls, and who calls it: the page marks those links", async (t) => {
  const scene = await list(t);
  const called = await scene.ask("what does api_auct call");
  await scene.id("tab-data", called).click();
  const calls = LINKS.filter(([source]) => source === "api_auct");
  assert.deepEqual(await scene.grid(called, "data", calls.length), calls);
  const told = await filtered(scene, called, "data");
  assert.equal(told.table, "calls");
  assert.match(told.where, /source == "api_auct"/);
  assert.deepEqual(told.marked, calls);

  // Whether the name calls or is called is open: both readings are offered, one is taken.
  const callers = await scene.ask("who calls helper_fn");
  const reading = scene.id("reading", callers);
  await reading.nth(1).waitFor();
  await reading.filter({ hasText: "where target = helper_fn" }).click();
  await scene.id("tab-data", callers).click();
  const links = LINKS.filter(([, target]) => target === "helper_fn");
  assert.deepEqual(await scene.grid(callers, "data", links.length), links);
  assert.deepEqual((await filtered(scene, callers, "data")).marked, links);
  await scene.picture("70-links");
  await scene.accessible("links");
});

test("a group of links: its rows, and the filter for it", async (t) => {
  const scene = await list(t);
  const turn = await scene.ask("how many rows by target");
  await scene.id("tab-data", turn).click();
  const data = scene.id("data", turn);
  await scene.grid(turn, "data", new Set(LINKS.map(([, target]) => target)).size);
  await data.locator(".body .cell").filter({ hasText: "ledger" }).click();
  const links = LINKS.filter(([, target]) => target === "ledger");
  assert.deepEqual(await scene.grid(turn, "source", links.length), links);
  const told = await filtered(scene, turn, "data");
  assert.deepEqual([told.key, told.marked], [{ target: "ledger" }, links]);
});

test("names and earlier questions complete", async (t) => {
  const scene = await list(t);
  await scene.ask("what does api_auct call");
  for (const [typed, offered] of [
    ["what does", "what does api_auct call"],
    ["how many rows by sou", "source"],
  ]) {
    await scene.id("question").fill(typed);
    await scene.id("completion").filter({ hasText: offered }).first().waitFor();
  }
});
