// How long the check of a long answer takes in Chromium, over a result of a million rows.
// Usage: cargo xtask bench-claims [--rows N] [--runs N]
import { serve } from "../tests/server.mjs";
import { launch, machine, median, option, report, site, tab } from "./stage.mjs";

const ROWS = option("--rows", 1_000_000);
const RUNS = option("--runs", 15);

const { server, url } = await serve(await site());
const browser = await launch();
let got;
try {
  const { context, page } = await tab(browser, url, "answers");
  got = await page.evaluate(([rows, runs]) => window.answers.measure(rows, runs), [ROWS, RUNS]);
  await context.close();
} finally {
  await browser.close();
  server.close();
}
if (got.rows !== ROWS || got.claims < 40)
  throw new Error(`not what was asked: ${JSON.stringify(got)}`);

const ms = (value) => value.toFixed(1);
const [first, ...later] = got.times;
await report("answers.md", [
  `## An answer of ${got.words} words with ${got.claims} numbers, evidence of ${got.rows} rows`,
  "",
  machine(browser),
  "",
  `first check ${ms(first)} ms; median of ${later.length} more ${ms(median(later))} ms (target 50); ` +
    `first check of a second result of as many rows ${ms(got.another)} ms`,
]);
