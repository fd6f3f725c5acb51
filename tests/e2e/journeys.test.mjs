// What the other files do not walk through: a page that listens before its engine is there, a large
// file of one's own, and a page that stands still while an answer comes in.
import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { HEADER, sampleDays } from "../../www/sample.js";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { gapsByWeekday } from "./oracle.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

/** Weeks of minute bars that are 100 MB. */
const WEEKS = 245;

function* bars() {
  yield HEADER;
  yield* sampleDays({ weeks: WEEKS });
}

test("the page listens before the engine is there, and reads the file once it is", async (t) => {
  const scene = await open(t, { blank: true });
  let arrive;
  const late = new Promise((done) => (arrive = done));
  await scene.context.route("**/pinhole_bg.wasm", async (route) => {
    await late;
    await route.continue();
  });
  await scene.page.goto(scene.url);
  await scene.id("headline").filter({ hasText: "Ask your table" }).waitFor();
  await scene.id("language-ru").click();
  await scene.id("headline").filter({ hasText: "Задайте вопрос" }).waitFor();
  await scene.id("language-en").click();
  for (const [opener, dialog, closer] of [
    ["settings-open", "settings", "settings-close"],
    ["policy", "policy-dialog", "policy-close"],
    ["sent-open", "ledger", "ledger-close"],
    ["history-show", "history", "history-close"],
  ]) {
    await scene.id(opener).click();
    await scene.id(dialog).waitFor();
    await scene.id(closer).click();
    await scene.id(dialog).waitFor({ state: "hidden" });
  }
  await scene.id("policy").click();
  await scene.id("policy-dialog").filter({ hasText: "The engine is starting" }).waitFor();
  await scene.picture("14-engine-on-its-way");
  await scene.id("policy-close").click();
  await scene.id("file-input").setInputFiles({
    name: "purchases.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(PURCHASES),
  });
  await scene.id("load-progress").waitFor();
  await scene.picture("16-load-under-way");
  // What takes long is told to people who listen, too.
  await scene
    .id("live")
    .filter({ hasText: /^Reading purchases\.csv\. 0% · 0 B of \d+ B, .* It can be cancelled\.$/ })
    .waitFor();
  const state = () => scene.page.locator("#engine").getAttribute("data-state");
  assert.notEqual(await state(), "engine_ready");
  assert.equal(await scene.id("table-card").count(), 0);
  await scene.id("policy").click();
  arrive();
  // What was opened too early is filled where it stands.
  await scene.id("level-summary").waitFor();
  await scene.id("policy-close").click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-rows").textContent(), "7");
});

test("a CSV of 100 MB of one's own: progress, an answer that is right, its rows, nothing sent", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-large-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "bars.csv");
  await pipeline(Readable.from(bars()), createWriteStream(path));
  const { size } = await stat(path);
  assert.ok(size > 95e6 && size < 110e6, `${size} bytes`);

  const scene = await open(t);
  await scene.id("file-input").setInputFiles(path);
  // It is said how far it is, it can be cancelled, and the page listens meanwhile.
  await scene.id("load-area").locator("progress").waitFor();
  await scene.id("load-cancel").waitFor();
  await scene.id("load-name").filter({ hasText: "Reading bars.csv" }).waitFor();
  await scene
    .id("load-detail")
    .filter({ hasText: /^[1-9]\d?% · \d+ MB of 1?\d\d MB, / })
    .waitFor();
  assert.equal(await scene.page.locator("#engine").isVisible(), false);
  await scene.id("language-ru").click();
  await scene.id("language-en").click();
  await scene.id("table-card").waitFor();
  const rows = (await scene.id("table-rows").textContent()).replace(/\D/g, "");
  assert.equal(Number(rows), WEEKS * 5 * 1380);

  const answer = await scene.ask("average gap by weekday where gap is above 50");
  const expected = gapsByWeekday(50, { weeks: WEEKS });
  const shown = await answer.rows();
  assert.deepEqual(
    shown.map(([weekday]) => weekday),
    expected.map(({ weekday }) => weekday),
  );
  for (const [i, [, mean]] of shown.entries()) {
    assert.ok(Math.abs(Number(mean) - expected[i].mean) < 1e-4, `${mean}, ${expected[i].mean}`);
  }
  await answer.id("group-row").first().click();
  await answer
    .id("source-range")
    .filter({ hasText: `of ${expected[0].count}` })
    .waitFor();
  await scene.picture("12-large");
  assert.ok(scene.log.every(({ method }) => method === "GET"));
});

test("nothing jumps while an answer comes in", async (t) => {
  const words = "Vkusno has the highest total, 912, and Zarya the lowest, 78.25. ";
  const text = `Here are the totals. ${words.repeat(6)}`;
  const script = [call("query", BY_SHOP), say(text, { hang: 7 })];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("suggestion").first().waitFor();
  const answer = await scene.begin("totals by shop?");
  await answer.id("draft-text").filter({ hasText: "Here are" }).waitFor();
  await scene.page.evaluate(() => {
    window.shifts = [];
    window.heed = (list) => {
      for (const { value, sources } of list) {
        window.shifts.push([value, ...sources.map(({ node }) => node?.nodeName)]);
      }
    };
    window.observer = new PerformanceObserver((list) => window.heed(list.getEntries()));
    window.observer.observe({ type: "layout-shift" });
  });
  scene.endpoint.release();
  await answer.settled();
  const shifts = await scene.page.evaluate(async () => {
    // Shifts are told after the frame that they are in.
    for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
    window.heed(window.observer.takeRecords());
    return window.shifts;
  });
  const sum = shifts.reduce((all, [value]) => all + value, 0);
  t.diagnostic(`layout shift ${sum.toFixed(4)} in ${shifts.length} parts`);
  assert.ok(sum < 0.05, JSON.stringify(shifts));
});

for (const width of [1100, 360]) {
  test(`nothing jumps while rows and a chart come in, ${width} pixels`, async (t) => {
    const scene = await open(t, { viewport: { width, height: 900 } });
    await scene.load("purchases.csv", PURCHASES);
    await scene.ask("how many rows by shop");
    const answer = await scene.ask("total amount by shop");
    // Where what is below stands, from the moment in which the tab is chosen.
    const moved = (tab, done) =>
      scene.page.evaluate(
        async ([tab, done]) => {
          const [newest, below] = document.querySelectorAll("[data-testid=answer]");
          const frame = () => new Promise(requestAnimationFrame);
          const top = () => Math.round(below.getBoundingClientRect().top + scrollY);
          newest.querySelector(`[data-testid=${tab}]`).click();
          const tops = [top()];
          const there = () => {
            const root = newest.querySelector("pinhole-chart")?.shadowRoot ?? newest;
            return root.querySelector(done)?.checkVisibility();
          };
          for (let calm = 0; calm < 5; calm = there() ? calm + 1 : 0) {
            await frame();
            if (tops.at(-1) !== top()) tops.push(top());
          }
          return tops;
        },
        [tab, done],
      );
    for (const [tab, done] of [
      ["tab-data", "[data-testid=data-table] tbody tr"],
      ["tab-chart", "svg path"],
    ]) {
      const tops = await moved(tab, done);
      t.diagnostic(`${tab}: ${tops.join(", ")}`);
      const most = Math.max(...tops) - Math.min(...tops);
      assert.ok(most <= 8, `${tab}: what is below stood at ${tops.join(", ")}`);
    }
    await scene.picture(`15-still-${width}`);
    assert.equal((await answer.state()).state, "done");
  });
}

test("an answer comes into sight where the window is small, as does a conversation that is opened", async (t) => {
  const viewport = { width: 360, height: 640 };
  const scene = await open(t, { viewport, settings: { keep: true } });
  await scene.load("purchases.csv", "shop,amount\nKuper,5\nSever,7\n");
  await scene.id("suggestion").first().waitFor();
  const answer = await scene.ask("total amount by shop");
  const place = (element) => element.evaluate((one) => one.getBoundingClientRect().toJSON());
  const bar = await place(scene.page.locator(".bar-ground"));
  const seen = await place(answer.card);
  assert.ok(
    seen.top >= bar.bottom && seen.top < viewport.height / 2,
    JSON.stringify({ bar, seen }),
  );
  // Where there is room, with the question above it.
  await scene.page.setViewportSize({ width: 1280, height: 640 });
  await scene.id("table-details").locator("summary").click();
  await scene.page.evaluate(() => scrollTo(0, 0));
  const wide = await scene.ask("max amount");
  const question = await place(scene.id("question"));
  const below = await place(wide.card);
  assert.ok(question.top > 0 && question.top < below.top && below.top < 480, JSON.stringify(below));
  await scene.page.setViewportSize(viewport);
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("history-open").first().click();
  await scene.id("kept-note").waitFor();
  const note = await place(scene.id("kept-note"));
  assert.ok(note.top > 0 && note.bottom < viewport.height, JSON.stringify(note));
});

test("nothing is shown before its texts are there", async (t) => {
  const scene = await open(t, { blank: true });
  let arrive;
  const late = new Promise((done) => (arrive = done));
  await scene.page.route("**/texts.js", async (route) => {
    await late;
    await route.continue();
  });
  await scene.page.goto(scene.url, { waitUntil: "commit" });
  const visibility = (wanted) =>
    scene.page.waitForFunction(
      (wanted) => document.body && getComputedStyle(document.body).visibility === wanted,
      wanted,
    );
  await visibility("hidden");
  arrive();
  await visibility("visible");
  await scene.ready();
});
