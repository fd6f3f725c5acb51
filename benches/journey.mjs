// A person's way through the page with a large file of their own, timed, with the tasks of the page's
// main thread that took over 50 ms: while it starts, while a CSV of 100 MB is read, while questions about
// it are answered, drawn and looked through, and while the same rows are read as Parquet. Then the frames of a table of ten million rows (scroll.mjs).
// Usage: cargo xtask bench-page [--weeks N] [--rounds N] [--rows N] [--seconds N]
import { createWriteStream, existsSync } from "node:fs";
import { cp, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { serve } from "../tests/server.mjs";
import { HEADER, sampleDays } from "../www/sample.js";
import { writeParquet } from "./parquet.mjs";
import { scrolled } from "./scroll.mjs";
import {
  PACKAGE,
  data,
  folder,
  launch,
  machine,
  mb,
  median,
  option,
  report,
  site,
} from "./stage.mjs";

/** Weeks of minute bars: these are 100 MB. */
const WEEKS = option("--weeks", 245);
const ROUNDS = option("--rounds", 3);
/** What the browser calls a long task, in ms. */
const LONG = 50;
const PATIENCE = 600_000;

/** Five sessions a week of 23 hours. */
const ROWS = WEEKS * 5 * 23 * 60;

function* bars() {
  yield HEADER;
  yield* sampleDays({ weeks: WEEKS });
}

const file = await data(`bars-${WEEKS}.csv`, async (path) => {
  await pipeline(Readable.from(bars()), createWriteStream(`${path}.part`));
  await rename(`${path}.part`, path);
});

const root = join(folder, "page");
await rm(root, { recursive: true, force: true });
await mkdir(root, { recursive: true });
await cp("../www", root, { recursive: true });
await cp(PACKAGE, join(root, "pinhole"), { recursive: true });
const { server, url } = await serve(root);
const browser = await launch();

/** The same rows as Parquet, which DuckDB-Wasm writes. */
const parquet = join(folder, `weeks-${WEEKS}.parquet`);
if (!existsSync(parquet)) {
  const stage = await site();
  await cp(file, join(stage, "t.csv"));
  const peers = await serve(stage);
  await writeParquet(browser, peers.url, parquet);
  peers.server.close();
}

/** Keeps what the browser tells of long tasks. Runs in the page before anything else. */
function watch() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      window.longTasks.push({ startTime, duration });
  }).observe({ type: "longtask", buffered: true });
}

/** The steps of the way; each ends when a person sees that it has. */
const STEPS = [
  [
    "start: until the engine is ready",
    async ({ page }) => {
      await page.goto(url);
      await page.locator('#engine[data-state="engine_ready"]').waitFor();
    },
  ],
  [`load of a CSV of ${mb((await stat(file)).size)} MB`, (tab) => load(tab, file)],
  ["“average gap by weekday”", (tab) => ask(tab, "average gap by weekday")],
  [
    "its chart, with Vega",
    async ({ id }) => {
      await id("tab-chart").first().click();
      await id("chart").first().locator("svg path").first().waitFor();
    },
  ],
  ["“top 1000 by volume”", (tab) => ask(tab, "top 1000 by volume")],
  [
    "the rows of that answer, page by page",
    async ({ page, id }) => {
      await id("tab-data").first().click();
      const range = id("data-range").first();
      for (const from of [101, 201, 301]) {
        await id("data-next").first().click();
        await range.filter({ hasText: new RegExp(`\\b${from}–`) }).waitFor();
      }
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    },
  ],
  [
    "what was sent, the policy, the conversations",
    async ({ id }) => {
      for (const [opener, closer] of [
        ["sent-open", "ledger-close"],
        ["policy", "policy-close"],
        ["history-show", "history-close"],
      ]) {
        await id(opener).click();
        await id(closer).click();
      }
    },
  ],
  [
    `load of the same rows as Parquet, ${mb((await stat(parquet)).size)} MB, with its reader`,
    (tab) => load(tab, parquet),
  ],
];

/** Gives the page a file and waits until a question about it can be asked. */
async function load({ page, id }, path) {
  const there = await id("table-card").count();
  await id("file-input").setInputFiles(path);
  await id("table-card").nth(there).waitFor();
  await id("suggestion").first().waitFor();
  const shown = (await id("table-rows").first().textContent()).replace(/\D/g, "");
  if (Number(shown) !== ROWS) throw new Error(`${shown} rows in place of ${ROWS}`);
  await page.waitForFunction(() => document.activeElement.id === "question");
}

async function ask({ page, id }, question) {
  await id("question").fill(question);
  await id("ask").click();
  const over = page.locator('[data-testid="answer"][aria-busy="false"]');
  const answer = over.filter({ hasText: question });
  await answer.waitFor();
  const state = await answer.getAttribute("data-state");
  if (state !== "done") throw new Error(`${question}: ${await answer.innerText()}`);
}

const found = STEPS.map(() => ({ took: [], long: [] }));
let frames;
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    console.error(`round ${round + 1} of ${ROUNDS}`);
    const context = await browser.newContext({
      locale: "en-US",
      viewport: { width: 1100, height: 900 },
      serviceWorkers: "block",
    });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(watch);
    const page = await context.newPage();
    const tab = { page, id: (name) => page.locator(`[data-testid="${name}"]`) };
    for (const [i, [, work]] of STEPS.entries()) {
      const from = i === 0 ? 0 : await page.evaluate(() => performance.now());
      await work(tab);
      const [to, tasks] = await page.evaluate(async () => {
        const now = performance.now();
        // The observer hears of a task after it is over.
        await new Promise((done) => setTimeout(done, 100));
        return [now, window.longTasks];
      });
      found[i].took.push(to - from);
      const within = tasks.filter(({ startTime }) => startTime >= from && startTime < to);
      found[i].long.push(...within.map(({ duration }) => duration));
    }
    await context.close();
  }
  console.error("a table that is scrolled");
  frames = await scrolled(browser);
} finally {
  await browser.close();
  server.close();
}

const rows = STEPS.map(([name], i) => {
  const { took, long } = found[i];
  const longest = long.length > 0 ? Math.max(...long).toFixed(0) : "–";
  const met = long.length === 0 ? "met" : "missed";
  return `| ${name} | ${median(took).toFixed(0)} | ${long.length} | ${longest} | ${met} |`;
});
await report("page.md", [
  `# The page with ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}; ${ROUNDS} rounds. Printed by \`cargo xtask bench-page\`.`,
  "",
  `| | ms, median | tasks over ${LONG} ms, all rounds | longest, ms | none over ${LONG} |`,
  "|---|---:|---:|---:|---|",
  ...rows,
  "",
  "The tasks are those of the page's main thread, as its long-task observer tells them.",
  "",
  ...frames,
  "",
]);
