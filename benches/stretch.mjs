// The longest stretch in which the worker takes no message, for what works on ten million rows, and
// the time from a cancel to the worker's next answer: both from the page, through the public API.
// Usage: cargo xtask bench-stretch [--rows N] [--rounds N]
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../tests/server.mjs";
import { writeKeys } from "./data.mjs";
import { data, launch, machine, option, report, site, tab } from "./stage.mjs";

const ROWS = option("--rows", 10_000_000);
const ROUNDS = option("--rounds", 3);

/** What is run, the target in ms, and whether the answer is right. */
const CASES = [
  {
    name: "load CSV",
    what: { load: "/keys.csv" },
    target: 100,
    right: ({ rows }) => rows === ROWS,
  },
  {
    name: "scan: filter and count",
    what: { query: { table: "t", where: "k * 2 > 1000", select: "count()" } },
    target: 100,
    right: ({ value }) => value === ROWS - 500,
  },
  {
    name: "group by 100 texts",
    what: { query: { table: "t", group_by: "g", select: ["sum(v)", "count()"] } },
    target: 100,
    right: ({ rows }) => rows === 100,
  },
  {
    name: `group by ${(ROWS / 100).toLocaleString("en")} numbers`,
    what: { query: { table: "t", group_by: "h", select: ["mean(v)", "max(k)"] } },
    target: 100,
    right: ({ rows }) => rows > 0 && rows <= ROWS / 100,
  },
  {
    name: "join with itself by key",
    what: {
      sql: "SELECT count(*) AS n, sum(a.v * b.v) AS s FROM t AS a JOIN t AS b ON a.k = b.k",
    },
    target: 1000,
    right: ({ first }) => Number(first.n) === ROWS,
  },
  {
    name: "sort by key",
    what: { query: { table: "t", sort: "k" } },
    target: 1000,
    right: ({ rows, first }) => rows === ROWS && first.k === 1,
  },
];

const root = await site();
await cp(await data(`keys-${ROWS}.csv`, (path) => writeKeys(path, ROWS)), join(root, "keys.csv"));
const { server, url } = await serve(root);
const browser = await launch();
const found = CASES.map(() => ({ took: [], longest: [], answered: [], rejected: [], failed: "" }));
const idle = [];

/** One case in a tab: run to its end, then cancelled. */
async function measure(page, { name, what, right }, into, cancels) {
  const whole = await page.evaluate((w) => window.stretch.whole(w), what);
  if (!right(whole)) throw new Error(`${name}: a wrong answer, ${JSON.stringify(whole)}`);
  into.took.push(whole.took);
  into.longest.push(whole.longest);
  if (!cancels) return;
  const cancelled = await page.evaluate(
    ([w, took]) => window.stretch.cancelled(w, took),
    [what, whole.took],
  );
  into.answered.push(...cancelled.answered);
  into.rejected.push(...cancelled.rejected);
}

try {
  for (let round = 0; round < ROUNDS; round++) {
    console.error(`round ${round + 1} of ${ROUNDS}`);
    const { context, page } = await tab(browser, url, "stretch");
    idle.push(await page.evaluate(() => window.stretch.start()));
    for (const [i, one] of CASES.entries()) {
      console.error(`  ${one.name}`);
      try {
        await measure(page, one, found[i], true);
      } catch (error) {
        // What an engine refuses (its memory is bounded) is said in the table, a wrong answer is not.
        if (/a wrong answer/.test(error.message)) throw error;
        found[i].failed = error.message.split("\n")[0].replace(/^page\.evaluate: /, "");
        // A load that was cancelled has left no table, and an engine that died has none.
        const tables = await page.evaluate(() => window.stretch.ph.tables().map((t) => t.name));
        if (!tables.includes("t")) break;
      }
    }
    await context.close();
  }
} finally {
  await browser.close();
  server.close();
}

const most = (list) => (list.length ? Math.max(...list).toFixed(0) : "–");
const lines = [
  `# Stretches without a message taken: pinhole, ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}; ${ROUNDS} rounds, the longest of all. Printed by \`cargo xtask bench-stretch\`.`,
  "",
  "| ms | time | longest stretch | target | | from a cancel to the next answer | to its rejection | cancels |",
  "|---|---:|---:|---:|---|---:|---:|---:|",
  ...CASES.map(({ name, target }, i) => {
    const { took, longest, answered, rejected, failed } = found[i];
    if (failed && !took.length) return `| ${name} | – | – | ${target} | ${failed} | – | – | 0 |`;
    const met = Math.max(...longest) <= target ? "met" : "missed";
    return `| ${name} | ${most(took)} | ${most(longest)} | ${target} | ${failed || met} | ${most(answered)} | ${most(rejected)} | ${answered.length} |`;
  }),
  "",
  `While it runs, the page reads one row of a small result again and again; the longest round trip less an idle one (${Math.max(...idle).toFixed(2)} ms) is the stretch. Each is then cancelled at five moments, from a tenth to nine tenths of its time. The table has a key, a text of 100 values, a number of ${(ROWS / 100).toLocaleString("en")} and a fraction (benches/data.mjs).`,
  "",
];
await report("stretch.md", lines);
