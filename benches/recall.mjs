// Questions asked before in Chromium: opening a database of 50,000 of them, exact look-ups and
// suggestions, timed from the page; the frames of the page while a script loops until it is ended; and
// how soon each script that attacks the sandbox is ended, with the frames of the page meanwhile.
// It fails where a question is not found, or an attack ends otherwise than it must.
// Usage: cargo xtask bench-recall [--records N] [--asked N] [--rounds N]
import { ATTACKS } from "../tests/e2e/attacks.mjs";
import { serve } from "../tests/server.mjs";
import { launch, machine, median, option, report, site, tab } from "./stage.mjs";

const RECORDS = option("--records", 50_000);
const ASKED = option("--asked", 200);
const ROUNDS = option("--rounds", 5);

const { server, url } = await serve(await site());
const browser = await launch();
const loops = [];
const attacks = new Map(ATTACKS.map(([name]) => [name, []]));
const times = { open: [], firstSuggest: [], exact: [], suggest: [], words: [] };
try {
  const { context, page } = await tab(browser, url, "recalls");
  const filled = await page.evaluate((records) => window.recalls.fill(records), RECORDS);
  if (filled.added !== RECORDS || filled.lacking !== 0 || filled.problem)
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
    const scripts = ATTACKS.map(([name, script]) => [name, script]);
    const ended = await page.evaluate((list) => window.recalls.attack(list), scripts);
    for (const [at, { name, took, gaps, error = "nothing" }] of ended.entries()) {
      const code = ATTACKS[at][2];
      const told = error.split(":")[0];
      if (code instanceof RegExp ? !code.test(told) : told !== code)
        throw new Error(`${name} was ended by ${error}`);
      attacks.get(name).push({ took, gap: Math.max(...gaps), code: told });
    }
  }
  await context.close();
} finally {
  await browser.close();
  server.close();
}

/** The least value that so large a share of the list does not exceed. */
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.ceil(list.length * share) - 1];
const ms = (value) => value.toFixed(value < 10 ? 2 : 0);
const row = (name, list, target) =>
  `| ${name} | ${ms(median(list))} | ${ms(at(list, 0.95))} | ${target} |`;
const vectors = median(times.suggest) - median(times.words);
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
  row("suggestions by words alone", times.words, "–"),
  `| the search of all vectors: the difference of the two | ${vectors.toFixed(2)} | – | 5 |`,
  row("the first suggestions, right after opening: all are read first", times.firstSuggest, "–"),
  row("between two frames, while a script loops until it is ended", gaps, "–"),
  "",
  `A script that loops was ended after ${ms(median(loops.map(({ took }) => took)))} ms (median); meanwhile the page drew ${median(loops.map((loop) => loop.gaps.length))} frames (median), and the longest time between two of them in any round was ${ms(Math.max(...gaps))} ms.`,
  "",
  "| attack | ended by | after, ms (median) | longest time between two frames in any round, ms |",
  "|---|---|---:|---:|",
  ...[...attacks].map(
    ([name, ends]) =>
      `| ${name} | \`${ends[0].code}\` | ${ms(median(ends.map(({ took }) => took)))} | ${ms(Math.max(...ends.map(({ gap }) => gap)))} |`,
  ),
]);
