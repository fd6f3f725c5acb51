// A CSV of a gigabyte, picked as a person picks a file, so that it is on the disk and not in the
// page: time, peak memory of the tab, and whether both engines read the same.
// Usage: cargo xtask bench --big [--rows N] [--rounds N]
import { stat } from "node:fs/promises";
import { serve } from "../tests/server.mjs";
import { writeGroupby } from "./data.mjs";
import { data, launch, machine, mb, median, option, report, site, tab } from "./stage.mjs";

/** 50 bytes a row. */
const ROWS = option("--rows", 20_000_000);
const ROUNDS = option("--rounds", 1);
const ENGINES = ["pinhole", "duck"];
const CHECK = {
  pinhole: { select: ["count()", "sum(v1)", "sum(v3)"] },
  duckdb: "SELECT count(*) AS count, sum(v1) AS sum_v1, sum(v3) AS sum_v3 FROM t",
  check: "sum_v3",
};

const csv = await data(`groupby-${ROWS}.csv`, (path) => writeGroupby(path, ROWS));
const { size } = await stat(csv);
const { server, url } = await serve(await site());
const browser = await launch();
const all = { pinhole: [], duck: [] };

async function run(engine) {
  const { context, page, peak } = await tab(browser, url, engine);
  try {
    await page.evaluate((name) => window[name].start(), engine);
    const before = await peak();
    await page.evaluate(() => {
      document.body.innerHTML = '<input type="file">';
    });
    await page.setInputFiles("input", csv);
    const load = await page.evaluate((name) => window[name].loadPicked(), engine);
    const answer = await page.evaluate(([name, q]) => window[name].ask(q), [engine, CHECK]);
    return { ...load, before, peak: await peak(), sum: answer.value };
  } catch (error) {
    return { failed: error.message.split("\n")[0].replace(/^page\.evaluate: /, "") };
  } finally {
    await context.close();
  }
}

try {
  for (let round = 0; round < ROUNDS; round++)
    for (const engine of ENGINES) {
      console.error(`round ${round + 1} of ${ROUNDS}: ${engine}`);
      all[engine].push(await run(engine));
    }
} finally {
  await browser.close();
  server.close();
}

const failed = ENGINES.map((engine) => all[engine].find((r) => r.failed)?.failed);
const of = (engine, read) => median(all[engine].map(read));
const row = (name, read, form) => {
  const [ours, theirs] = ENGINES.map((engine, i) => (failed[i] ? undefined : of(engine, read)));
  const cell = (value) => (value === undefined ? "–" : form(value));
  const both = ours !== undefined && theirs !== undefined;
  return `| ${name} | ${cell(ours)} | ${cell(theirs)} | ${both ? (ours / theirs).toFixed(2) : "–"} |`;
};
const lines = [
  `# A CSV of ${(size / 1e9).toFixed(2)} GB, ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}; medians of ${ROUNDS} rounds. Printed by \`cargo xtask bench --big\`.`,
  "",
  "| | pinhole | DuckDB-Wasm 1.32.0 (eh) | ratio |",
  "|---|---:|---:|---:|",
  row(
    "load, s",
    (r) => r.ms,
    (ms) => (ms / 1000).toFixed(1),
  ),
  row("peak memory of the tab, MB", (r) => r.peak, mb),
  row("of that before the load, MB", (r) => r.before, mb),
  `| rows | ${ENGINES.map((engine, i) => (failed[i] ? "–" : all[engine][0].rows.toLocaleString("en"))).join(" | ")} | |`,
  "",
  ...ENGINES.flatMap((engine, i) => (failed[i] ? [`${engine}: ${failed[i]}`, ""] : [])),
];
if (!failed.some(Boolean)) {
  const [a, b] = ENGINES.map((engine) => all[engine][0]);
  const agree = a.rows === b.rows && a.rows === ROWS && Math.abs(a.sum - b.sum) <= 1e-9 * b.sum;
  lines.push(agree ? "Both hold the same rows and sums." : "The engines disagree.", "");
  if (!agree) process.exitCode = 1;
}
await report("big.md", lines);
