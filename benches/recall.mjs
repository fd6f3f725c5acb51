// Questions asked before in Chromium: opening a database of 50,000 of them, exact look-ups and
// suggestions, timed from the page; and the frames of the page while a script loops until it is ended.
// It fails where a question is not found.
// Usage: cargo xtask bench-recall [--records N] [--asked N] [--rounds N]
import { serve } from "../tests/server.mjs";
import { launch, machine, median, option, report, site, tab } from "./stage.mjs";

const RECORDS = option("--records", 50_000);
const ASKED = option("--asked", 200);
const ROUNDS = option("--rounds", 5);

const { server, url } = await serve(await site());
const browser = await launch();
const loops = [];
const times = { open: [], firstSuggest: [], exact: [], suggest: [] };
try {
  const { context, page } = await tab(browser, url, "recalls");
  const filled = await page.evaluate((records) => window.recalls.fill(records), RECORDS);
  if (filled.added !== RECORDS || filled.made !== RECORDS || filled.problem)
    throw new Error(`not all are kept: ${JSON.stringify(filled)}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    console.error(`round ${round + 1} of ${ROUNDS}`);
    await page.reload();
    await page.waitForFunction(() => window.recalls !== undefined);
    const got = await page.evaluate(
      ([records, asked]) => window.recalls.measure(records, asked),
      [RECORDS, ASKED],
    );
    for (const [name, list] of Object.entries(times)) list.push(...[got[name]].flat());
    loops.push(await page.evaluate(() => window.recalls.loop()));
  }
  await context.close();
} finally {
  await browser.close();
  server.close();
}

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * share)];
const ms = (value) => value.toFixed(value < 10 ? 2 : 0);
const row = (name, list, target) =>
  `| ${name} | ${ms(median(list))} | ${ms(at(list, 0.95))} | ${target} |`;
const gaps = loops.flatMap((loop) => loop.gaps);
await report("recall.md", [
  `## ${RECORDS} questions asked before`,
  "",
  machine(browser),
  "",
  "| | median, ms | 95 of 100 under, ms | target, ms |",
  "|---|---:|---:|---:|",
  row("open and answer the first exact look-up", times.open, 500),
  row("exact look-up", times.exact, 1),
  row("suggestions", times.suggest, 20),
  row("the first suggestions, right after opening: all are read first", times.firstSuggest, "–"),
  row("between two frames, while a script loops until it is ended", gaps, "–"),
  "",
  `A script that loops was ended after ${ms(median(loops.map(({ took }) => took)))} ms (median); meanwhile the page drew ${median(loops.map((loop) => loop.gaps.length))} frames (median), and the longest time between two of them in any round was ${ms(Math.max(...gaps))} ms.`,
]);
