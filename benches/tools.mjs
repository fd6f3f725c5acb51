// The tools for purchases over a million and a half lines of receipts: the time of a call, from the
// page through the public API. It fails where a call does, or an answer is not what the generator
// counted. First calls are timed three times: of an engine that has just loaded the tables and does
// nothing else before, one call each, where loading does not wait for the rehearsal and where it does
// (`rehearsed: true`); and one after the other where nothing is rehearsed. The target is met where the
// first call after loading with `rehearsed` and the others meet it, both by their medians.
// Usage: cargo xtask bench-tools [--lines N] [--rounds N] [--calls N]
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../tests/server.mjs";
import { TABLES } from "../www/household.js";
import { writeReceipts } from "./receipts.mjs";
import { data, launch, machine, median, option, report, site, tab } from "./stage.mjs";

const LINES = option("--lines", 1_500_000);
const ROUNDS = option("--rounds", 3);
const CALLS = option("--calls", 5);
const TARGET = 100;

const path = await data(`receipts-${LINES}`, async (folder) => {
  await mkdir(folder, { recursive: true });
  const counted = await writeReceipts(folder, LINES);
  await writeFile(join(folder, "counted.json"), JSON.stringify(counted));
});
const { rows, amount } = JSON.parse(await readFile(join(path, "counted.json"), "utf8"));
const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));

const CASES = [
  ["get_receipts", {}, (o) => o.summary.total_receipts === rows.receipts],
  [
    "get_receipts",
    { date_from: "2024-11-01", date_to: "2024-11-30", shop: "берез" },
    (o) => o.summary.total_receipts > 0 && o.summary.total_receipts < rows.receipts / 20,
  ],
  [
    "get_receipt_items",
    {},
    (o) => o.total_items === rows.receipt_items && near(o.total_amount, amount),
  ],
  [
    "get_receipt_items",
    { product_name: "молоко", group_by_item: true },
    (o) => o.total_items > 0 && o.total_items < rows.items / 5,
  ],
  ["get_products", { include_children: true }, (o) => o.total_products === rows.products / 12.5],
  ["get_items", { search: "хлеб", include_purchase_stats: true }, (o) => o.total_items > 0],
  ["get_labels", {}, (o) => o.total_labels === rows.labels],
  ["get_purchase_statistics", {}, (o) => o.statistics.length === 20],
  [
    "get_purchase_statistics",
    { period_days: 10_000, group_by: "shop" },
    (o) => near(o.summary.total_spent, amount),
  ],
  ["get_purchase_statistics", { include_prediction: true }, (o) => o.statistics.length === 20],
  ["generate_shopping_list", {}, (o) => Array.isArray(o.shopping_list)],
];

const root = await site();
await cp(path, join(root, "receipts"), { recursive: true });
const { server, url } = await serve(root);
const browser = await launch();
const found = CASES.map(() => ({ alone: [], first: [], rehearsed: [], warm: [], later: [] }));
const rests = { took: [], longest: [] };
const failed = new Map();
const urls = Object.fromEntries(TABLES.map((name) => [name, `/receipts/${name}.csv`]));

/** Notes what a call of a case came to; one that fails is not made again. */
async function timed(i, into, call) {
  if (failed.has(i)) return;
  try {
    const { took, output } = await call();
    if (!CASES[i][2](output)) failed.set(i, "a wrong answer");
    found[i][into].push(took);
  } catch (error) {
    failed.set(i, error.message.split("\n").slice(0, 2).join(" "));
  }
}

function fits({ orphans }) {
  if (orphans.length > 0) throw new Error(`orphans: ${JSON.stringify(orphans)}`);
}

/** Every case in turn, in a new tab: the first call, then the others; after a rehearsal, where there is one. */
async function inTurn(rehearse, first, calls) {
  const { context, page } = await tab(browser, url, "tools");
  fits(await page.evaluate(([s, how]) => window.tools.start(s, how), [urls, rehearse]));
  if (rehearse) {
    const { took, longest } = await page.evaluate(() => window.tools.rested());
    rests.took.push(took);
    rests.longest.push(longest);
  }
  for (const [i, [name, args]] of CASES.entries()) {
    for (let call = 0; call < calls; call++) {
      await timed(i, call === 0 ? first : "later", () =>
        page.evaluate(([tool, given]) => window.tools.call(tool, given), [name, args]),
      );
    }
  }
  await context.close();
}

/** Each case as the first thing that is asked of a new engine, which waits for the rehearsal or not. */
async function alone(rehearsed) {
  for (const [i, [name, args]] of CASES.entries()) {
    const { context, page } = await tab(browser, url, "tools");
    await timed(i, rehearsed ? "rehearsed" : "alone", async () => {
      const { fit, ...call } = await page.evaluate(
        ([s, wait, tool, given]) => window.tools.startAndCall(s, wait, tool, given),
        [urls, rehearsed, name, args],
      );
      fits(fit);
      return call;
    });
    await context.close();
  }
}

try {
  for (let round = 0; round < ROUNDS; round++) {
    console.error(`round ${round + 1} of ${ROUNDS}`);
    await alone(false);
    await alone(true);
    await inTurn(false, "first", 1);
    await inTurn(true, "warm", CALLS);
  }
} finally {
  await browser.close();
  server.close();
}

const lines = [
  `# The tools for purchases over ${rows.receipt_items.toLocaleString("en")} lines`,
  "",
  `${machine(browser)}; ${ROUNDS} rounds of ${CALLS} calls. Printed by \`cargo xtask bench-tools\`.`,
  "",
  "| ms | first of a new engine | first in turn | first after a rehearsal | median of the others | target | |",
  "|---|---:|---:|---:|---:|---:|---|",
  ...CASES.map(([name, args], i) => {
    const given = Object.keys(args).length > 0 ? ` ${JSON.stringify(args)}` : "";
    const call = `\`${name}${given}\``;
    if (failed.has(i)) return `| ${call} | | | | | ${TARGET} | failed: ${failed.get(i)} |`;
    const { alone, first, rehearsed, later } = found[i];
    const cells = [alone, first, rehearsed, later].map((list) => median(list).toFixed(0));
    const met = Math.max(median(rehearsed), median(later)) <= TARGET ? "met" : "missed";
    return `| ${call} | ${cells.join(" | ")} | ${TARGET} | ${met} |`;
  }),
  "",
  `The rehearsal was over ${median(rests.took).toFixed(0)} ms after loading; meanwhile a small call waited ${Math.max(...rests.longest).toFixed(0)} ms at most.`,
  "",
  `${rows.receipts.toLocaleString("en")} receipts, ${rows.items.toLocaleString("en")} items, ${rows.products.toLocaleString("en")} categories (benches/receipts.mjs).`,
  "",
];
await report("tools.md", lines);
if (failed.size > 0) process.exitCode = 1;
