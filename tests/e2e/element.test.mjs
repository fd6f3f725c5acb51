// <pinhole-ask> in a page of fifteen lines: a question without a model, numbers that lead to their
// rows, the query edited, the data filtered and downloaded, and nothing sent.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { PLAIN, elementStage, page } from "./element-page.mjs";
import { PURCHASES, TOTALS } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES };
const QUESTION = "total amount by shop";

async function nothingSent(scene) {
  assert.deepEqual(scene.endpoint.bodies, []);
  assert.ok(scene.log.every(({ method, body }) => method === "GET" && body.length === 0));
}

test("a page of fifteen lines answers a question, and nothing is sent", async (t) => {
  assert.ok(PLAIN.trimEnd().split("\n").length <= 15);
  const doc = await readFile(new URL("../../docs/element.md", import.meta.url), "utf8");
  assert.ok(doc.includes('<pinhole-ask src="purchases.csv"></pinhole-ask>'));
  const scene = await open(t, { html: PLAIN, files });
  await scene.id("launcher").waitFor();
  await scene.picture("1-closed");
  assert.ok(
    scene.log.every(({ url }) => !url.endsWith(".wasm")),
    "the engine waits until it is wanted",
  );
  await scene.accessible("closed");
  await scene.id("launcher").click();
  await scene.ready();
  assert.equal(await scene.id("about-table").textContent(), "purchases: 7 rows, 2 columns");
  await scene.id("suggestion").first().waitFor();
  await scene.picture("2-welcome");
  await scene.accessible("welcome");
  const turn = await scene.ask(QUESTION);
  await scene.picture("3-answer");
  await scene.accessible("answer");
  const text = await scene.text(turn);
  assert.match(text, /Vkusno/);
  assert.match(text, /912/);
  const claims = await scene.claims(turn);
  assert.ok(claims.length >= 2, text);
  assert.deepEqual(new Set(claims.map(([, verdict]) => verdict)), new Set(["verified"]));
  assert.doesNotMatch(await scene.unmarked(turn), /\d/);
  await scene.id("tab-sent", turn).click();
  await scene.id("nothing-sent", turn).waitFor();
  await scene.picture("4-sent-nothing");
  await scene.accessible("sent");
  await nothingSent(scene);
});

test("a number's note shows its fact and rows, by pointer and by keys", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask(QUESTION);
  const mark = scene.id("claim", scene.id("answer", turn)).filter({ hasText: "912" }).first();
  await mark.hover();
  const note = scene.id("claim-note", turn);
  await note.waitFor();
  await scene.id("claim-rows", turn).waitFor();
  assert.deepEqual(
    (await scene.rows(turn, "claim-rows")).map((row) => row.slice(0, 2)),
    [
      ["Vkusno", "500"],
      ["Vkusno", "412"],
    ],
  );
  const said = await note.innerText();
  assert.match(said, /verified/);
  assert.match(said, /shop = Vkusno/);
  assert.match(said, /sum of amount/);
  await scene.picture("5-note");
  await scene.accessible("note");
  await scene.page.mouse.move(5, 5);
  await note.waitFor({ state: "detached" });

  // By keys: the focus opens it, Enter goes in, Escape closes it and leaves the panel open.
  await mark.focus();
  await note.waitFor();
  assert.equal(await mark.getAttribute("aria-expanded"), "true");
  await scene.page.keyboard.press("Enter");
  assert.equal(await scene.focused(), "claim-evidence");
  await scene.page.keyboard.press("Escape");
  await note.waitFor({ state: "detached" });
  assert.equal(await scene.focused(), "claim");
  assert.ok(await scene.id("panel").isVisible());

  await mark.click();
  await scene.id("claim-evidence", turn).click();
  await scene.id("source-title", turn).filter({ hasText: "Rows behind shop = Vkusno" }).waitFor();
  assert.match(
    await scene.id("data", turn).locator(".where").textContent(),
    /^Row 3 of 4/,
    "the row of the number is the current one",
  );
  assert.deepEqual(await scene.grid(turn, "source", 2), [
    ["Vkusno", "500"],
    ["Vkusno", "412"],
  ]);
  await scene.picture("6-evidence");
  await scene.accessible("evidence");
});

test("an answer is copied without the signs of its marks", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask(QUESTION);
  const copied = () => scene.page.evaluate(() => navigator.clipboard.readText());
  const shown = scene.id("answer-text", scene.id("answer", turn));
  assert.match(await shown.textContent(), /912✓/);
  // What is selected: the text, its list of what was found, and the signs in both.
  await scene.id("answer", turn).evaluate((answer) => {
    const [text, counts] = [".text", ".counts"].map((one) => answer.shadowRoot.querySelector(one));
    getSelection().setBaseAndExtent(text, 0, counts, counts.childNodes.length);
  });
  await scene.page.keyboard.press("Control+C");
  const selected = await copied();
  assert.match(selected, /912/);
  assert.match(selected, /verified: \d/);
  assert.doesNotMatch(selected, /[✓ƒ✎✕⊘]/);
  // All of it at a press.
  const button = scene.id("answer-copy", turn);
  await button.getByRole("button", { name: "Copy answer" }).click();
  await button.getByText("Copied").waitFor();
  // As it was written: money has two digits on the screen.
  assert.equal(await copied(), (await scene.text(turn)).trim().replace("310.50", "310.5"));
  await scene.accessible("copied");
});

test("rows, groups, the filter for the page, and downloads", async (t) => {
  const scene = await open(t, { files });
  await scene.page.evaluate(() => {
    window.filters = [];
    document.addEventListener("pinhole-filter", async ({ detail }) => {
      const { table, where, key, keys, range, query } = detail;
      const page = await detail.rows();
      window.filters.push({ table, where, key, keys, range, page, of: query.table });
    });
  });
  const turn = await scene.ask("total amount by shop where amount is above 90");
  await scene.id("tab-data", turn).click();
  const data = scene.id("data", turn);
  const source = scene.id("source", turn);
  assert.deepEqual(await scene.grid(turn, "data", 3), [
    ["Kuper", "310.50"],
    ["Sever", "100.00"],
    ["Vkusno", "912.00"],
  ]);
  await scene.id("grid", data).press("Control+a");
  await scene.id("filter", data).click();
  await scene.page.waitForFunction(() => window.filters.length === 1);
  await data.locator(".body .cell").filter({ hasText: "Sever" }).click();
  await scene.id("source-title", turn).filter({ hasText: "Rows behind shop = Sever" }).waitFor();
  assert.deepEqual(await scene.grid(turn, "source", 1), [["Sever", "100"]]);
  await scene.id("filter", data).click();
  await scene.page.waitForFunction(() => window.filters.length === 2);
  // By keys, and from the rows behind the group.
  await scene.id("grid", data).press("ArrowUp");
  await scene.id("source-title", turn).filter({ hasText: "Rows behind shop = Kuper" }).waitFor();
  assert.deepEqual(await scene.grid(turn, "source", 2), [
    ["Kuper", "100.00"],
    ["Kuper", "210.50"],
  ]);
  await scene.id("filter", source).click();
  await scene.page.waitForFunction(() => window.filters.length === 3);
  await scene.id("grid", source).press("Home");
  await scene.id("grid", source).press("Shift+ArrowRight");
  await scene.id("filter", source).click();
  await scene.page.waitForFunction(() => window.filters.length === 4);
  const [all, group, behind, one] = await scene.page.evaluate(() => window.filters);
  assert.equal(all.table, "purchases");
  assert.match(all.where, /amount > 90/);
  assert.equal(all.key, undefined);
  assert.equal(all.page.total, 5);
  assert.deepEqual(group.key, { shop: "Sever" });
  assert.deepEqual(group.page.rows, [["Sever", 100]]);
  assert.deepEqual(
    all.keys.map(({ shop }) => shop),
    ["Kuper", "Sever", "Vkusno"],
  );
  assert.deepEqual(
    [behind, one].map(({ of, where, keys, range, page }) => [of, where, keys, range, page.total]),
    [
      ["purchases", all.where, [{ shop: "Kuper" }], undefined, 2],
      ["purchases", all.where, [{ shop: "Kuper" }], [0, 1], 1],
    ],
  );
  await scene.picture("7-data");
  await scene.accessible("data");
  const text = async (name) => {
    const [download] = await Promise.all([
      scene.page.waitForEvent("download"),
      scene.id(name, data).click(),
    ]);
    const parts = [];
    for await (const part of await download.createReadStream()) parts.push(part);
    return Buffer.concat(parts);
  };
  assert.equal(
    (await text("save-csv")).toString("utf8"),
    "\u{feff}shop,sum_amount\nKuper,310.5\nSever,100\nVkusno,912\n",
  );
  assert.deepEqual(JSON.parse(await text("save-json"))[2], { shop: "Vkusno", sum_amount: 912 });
  assert.ok((await text("save-arrow")).length > 100);
  await nothingSent(scene);
});

test("the query: shown, copied, mended, run again, with every number checked", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask(QUESTION);
  await scene.id("tab-query", turn).click();
  const editor = scene.id("query-text", turn);
  const query = JSON.parse(await editor.inputValue());
  assert.deepEqual([query.table, query.group_by].flat(), ["purchases", "shop"]);
  assert.ok((await turn.locator("pinhole-query pre .name").count()) >= 3, "it is highlighted");
  assert.equal(
    (await turn.locator("pinhole-query pre").textContent()).trimEnd(),
    await editor.inputValue(),
    "what is highlighted is what is edited",
  );
  await scene.picture("8-query");
  await scene.accessible("query");
  await scene.id("query-copy", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Copied" }).waitFor();
  assert.equal(
    await scene.page.evaluate(() => navigator.clipboard.readText()),
    await editor.inputValue(),
  );

  await editor.fill("{ nope");
  await scene.id("query-run", turn).click();
  await scene.id("error", turn).waitFor();
  await editor.fill(JSON.stringify({ ...query, where: "amuont > 90" }));
  await editor.press("Control+Enter");
  await scene.id("diagnostic", turn).waitFor();
  await scene.picture("9-query-wrong");
  await scene.accessible("a wrong query");
  await scene.id("fix", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Done" }).waitFor();
  assert.match(await editor.inputValue(), /amount > 90/);
  await scene.id("tab-answer", turn).click();
  const text = await scene.text(turn);
  assert.match(text, /by shop, 3 groups/);
  for (const [, verdict] of await scene.claims(turn)) assert.match(verdict, /verified|derived/);
});

test("a query that is cancelled says so, and leaves the answer as it was", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask(QUESTION);
  const before = await scene.text(turn);
  await scene.id("tab-query", turn).click();
  const editor = scene.id("query-text", turn);
  const first = await editor.inputValue();
  await editor.fill('{"select": "count()"}');
  // Both presses come before the worker's answer can.
  await turn.locator("pinhole-query").evaluate(async (element) => {
    const press = (name) => element.shadowRoot.querySelector(`[data-testid="${name}"]`).click();
    press("query-run");
    await element.updateComplete;
    press("query-cancel");
  });
  const error = scene.id("error", turn);
  await error.waitFor();
  assert.equal(await error.getAttribute("data-code"), "cancelled");
  await scene.accessible("a cancelled query");
  await scene.id("tab-answer", turn).click();
  assert.equal(await scene.text(turn), before);
  await scene.id("tab-query", turn).click();
  await editor.fill(first);
  await scene.id("query-run", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Done" }).waitFor();
  assert.equal(await error.count(), 0);
});

test("a changed query goes on while another tab is looked at", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask(QUESTION);
  await scene.id("tab-query", turn).click();
  await scene.id("query-text", turn).fill('{"select": "count()"}');
  // The other tab comes before the worker's answer can.
  await turn.evaluate(async (element) => {
    const editor = element.shadowRoot.querySelector("pinhole-query");
    editor.shadowRoot.querySelector('[data-testid="query-run"]').click();
    await editor.updateComplete;
    element.shadowRoot.querySelector('[data-testid="tab-data"]').click();
    await element.updateComplete;
    if (editor.isConnected) throw new Error("the editor is still there");
  });
  await scene.page.waitForFunction((element) => element.turn.edited, await turn.elementHandle());
  await scene.settled(turn);
  await scene.id("tab-query", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Done" }).waitFor();
  assert.equal(await scene.id("error", turn).count(), 0);
});

test("questions that cannot be read offer others, and vague ones their readings", async (t) => {
  const table = "shop,amount,weight\nKuper,100,2\nSever,45,3\nKuper,210.5,1\n";
  const scene = await open(t, { files: { "purchases.csv": table } });
  const declined = await scene.ask("why is the sky blue?");
  await scene.id("instead", declined).locator("button").first().waitFor();
  await scene.picture("10-declined");
  await scene.accessible("declined");
  const vague = await scene.ask("average by shop");
  await scene.id("reading", vague).first().waitFor();
  await scene.picture("11-readings");
  await scene.accessible("readings");
  const offered = await scene.id("reading", vague).first().innerText();
  await scene.id("reading", vague).first().click();
  await scene.id("counts", vague).waitFor();
  // It is told in the words of the offer.
  const told = scene.id("read-as", vague).filter({ hasText: offered });
  await told.filter({ hasText: /^\s*Understood as: / }).waitFor();
  // Earlier questions are folded, and open again.
  const first = scene.page.locator("pinhole-turn").first();
  const heading = scene.id("turn-question", first);
  assert.equal(await heading.getAttribute("aria-expanded"), "false");
  await heading.click();
  assert.equal(await heading.getAttribute("aria-expanded"), "true");
});

test("values and rows: a single number and a plain table", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask("total amount");
  const total = TOTALS.reduce((all, [, amount]) => all + amount, 0);
  assert.ok((await scene.text(turn)).replace(/[,\s]/g, "").includes(String(total)));
  await scene.id("tab-data", turn).click();
  await scene.id("values", turn).waitFor();
  assert.match(
    await scene.id("values", turn).textContent(),
    new RegExp(total.toLocaleString("en")),
  );
  assert.equal((await scene.grid(turn, "source", 7)).length, 7);
  await scene.picture("12-value");
});

test("loading shows its progress, can be cancelled, and tried again", async (t) => {
  let release;
  const hold = new Promise((done) => (release = done));
  const scene = await open(t, { files, hold });
  await scene.id("loading").waitFor();
  await scene.picture("13-loading");
  await scene.accessible("loading");
  await scene.id("load-cancel").click();
  await scene.id("error").waitFor();
  assert.equal(await scene.id("error").getAttribute("data-code"), "cancelled");
  release();
  await scene.id("again").click();
  await scene.ready();
});

test("a question that waits for the file is in sight, and what is typed meanwhile stays", async (t) => {
  let release;
  const hold = new Promise((done) => (release = done));
  const scene = await open(t, { files, hold });
  await scene.id("loading").waitFor();
  const question = scene.id("question");
  const ask = async (text) => {
    await question.fill(text);
    await scene.id("ask").click();
    await scene.id("waiting").filter({ hasText: text }).waitFor();
    assert.equal(await question.inputValue(), "");
  };
  await ask(QUESTION);
  await question.fill("total am");
  await scene.id("load-cancel").click();
  await scene.id("again").waitFor();
  assert.equal(await question.inputValue(), "total am");
  assert.equal(await scene.id("waiting").count(), 0);
  await scene.id("again").click();
  await scene.id("loading").waitFor();
  await ask(QUESTION);
  await scene.id("load-cancel").click();
  await scene.id("again").waitFor();
  assert.equal(await question.inputValue(), QUESTION, "it is put back where there is room");
  await scene.id("again").click();
  await scene.id("loading").waitFor();
  await ask(QUESTION);
  release();
  await scene.page.locator("pinhole-turn").waitFor();
  await scene.settled(scene.page.locator("pinhole-turn"));
  assert.equal(await scene.id("waiting").count(), 0);
});

test("a file that is not there, and a page without a table", async (t) => {
  const scene = await open(t, {
    html: page({ attributes: 'src="nothing.csv" open' }),
    expect: /404/,
  });
  await scene.id("error").waitFor();
  await scene.picture("14-no-file");
  await scene.accessible("no file");
  const bare = await open(t, { html: page({ attributes: "open" }) });
  await bare.id("no-tables").waitFor();
  await bare.picture("15-no-table");
  await bare.accessible("no table");
});

test("nothing moves while an answer comes in", async (t) => {
  const scene = await open(t, { files });
  await scene.ready();
  await scene.page.evaluate(() => {
    window.shift = 0;
    window.heed = (list) => {
      for (const { value } of list) window.shift += value;
    };
    window.observer = new PerformanceObserver((list) => window.heed(list.getEntries()));
    window.observer.observe({ type: "layout-shift" });
  });
  await scene.ask(QUESTION);
  const shift = await scene.page.evaluate(async () => {
    // Shifts are told after the frame that they are in.
    for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
    window.heed(window.observer.takeRecords());
    return window.shift;
  });
  assert.ok(shift < 0.02, String(shift));
});

test("columns are called by their labels in the chart's choices and over the rows of a group", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ph = await Pinhole.open({ locale: "ru" });
    await ph.load("purchases", new URL("purchases.csv", location.href), {
      labels: { shop: "Магазин", amount: "Сумма" },
    });
    const ask = document.querySelector("pinhole-ask");
    ask.ph = ph;
    ask.show();`;
  const html = page({ attributes: "", lang: "ru", script: true });
  const scene = await open(t, { html, files, module });
  const turn = await scene.ask("Сумма по Магазин");
  await scene.id("tab-chart", turn).click();
  const along = turn.locator("pinhole-chart").locator('[data-testid="x"] option');
  await along.first().waitFor({ state: "attached" });
  assert.equal((await along.first().textContent()).trim(), "Магазин");
  assert.equal(await along.first().getAttribute("value"), "shop");
  const words = scene.id("words", turn.locator("pinhole-chart"));
  await words.filter({ hasText: "по оси – Магазин" }).waitFor();
  await scene.picture("9-labels");
  await scene.id("tab-data", turn).click();
  await scene.grid(turn, "data", 4);
  await scene.id("data", turn).locator(".body .cell").filter({ hasText: "Sever" }).click();
  await scene.id("source-title", turn).filter({ hasText: "Магазин = Sever" }).waitFor();
});

test("a file that cannot be read is called by its name", async (t) => {
  const html = page({ attributes: 'src="data/bad.parquet" open' });
  const scene = await open(t, {
    html,
    files: { "data/bad.parquet": "\u0001\u0002\0\0\u0003\0\0" },
  });
  await scene.id("error").waitFor();
  assert.match(
    await scene.id("error").innerText(),
    /bad\.parquet could not be read[^]*name says Parquet/,
  );
  await scene.accessible("a broken file");
});

test("a table without rows is told as such, before a question and after", async (t) => {
  const scene = await open(t, { files: { "purchases.csv": "shop,amount\n" } });
  await scene.ready();
  await scene.id("table-empty").waitFor();
  await scene.accessible("an empty table");
  const unread = await scene.ask("total amount by shop");
  await scene.id("table-empty", unread).waitFor();
  const turn = await scene.ask("show all rows");
  assert.match(await scene.id("foot", turn).innerText(), /^the table has no rows/);
  await scene.id("tab-data", turn).click();
  const empty = scene.id("empty", scene.id("data", turn));
  assert.match(await empty.innerText(), /No rows\s+The table itself is empty\./);
});
