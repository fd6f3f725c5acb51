// The query language on bars, against DuckDB-Wasm's SQL for the same in the same Chromium: ten years
// of minute bars to daily bars of a session, and five windows over ten million rows with a grouped
// select. Usage: cargo xtask bench-bars [--rounds N] [--years N] [--rows N]
import { createWriteStream, existsSync } from "node:fs";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../tests/server.mjs";
import { random } from "./data.mjs";
import { folder, geometricMean, launch, machine, median, option, same, site } from "./stage.mjs";

const ROUNDS = option("--rounds", 3);
const MINUTES = Math.round(option("--years", 10) * 361_000);
const ROWS = option("--rows", 10_000_000);

const SESSION = "CAST(time AS TIME) >= TIME '09:30' AND CAST(time AS TIME) < TIME '17:00'";
const LAG = (n) => `lag(close, ${n}) OVER w`;
const FULL = (call, n) =>
  `CASE WHEN count(close) OVER (ROWS ${n - 1} PRECEDING) = ${n} THEN ${call} OVER (ROWS ${n - 1} PRECEDING) END`;

const TABLES = [
  {
    name: `${(MINUTES / 1e6).toFixed(1)} million minute bars`,
    rows: MINUTES,
    options: { market: "futures-us-index" },
    questions: [
      {
        name: "to daily bars of the session",
        // A second run would read the bars that the first one kept.
        fresh: true,
        pinhole: {
          session: "RTH",
          from: "daily",
          select: "count(), mean(close)",
        },
        duckdb: `SELECT count(*) AS count, avg(close) AS mean_close FROM (
          SELECT CAST(time AS DATE) AS day, arg_min(open, time) AS open, max(high) AS high,
                 min(low) AS low, arg_max(close, time) AS close, sum(volume) AS volume
          FROM t WHERE ${SESSION} GROUP BY 1)`,
        check: "mean_close",
      },
    ],
  },
  {
    name: `${(ROWS / 1e6).toFixed(1)} million rows`,
    rows: ROWS,
    options: {},
    // A result of all rows: its summary tells the range and the mean of `change`. The pass beside it is
    // over a column of the same type.
    summary: {
      all: { map: { change: "close - open" }, columns: ["time", "change"] },
      pass: {
        select: { a: "min(close)", b: "max(close)", c: "mean(close)" },
      },
    },
    questions: [
      {
        name: "five windows and a grouped select",
        pinhole: {
          map: {
            p: "prev(close)",
            mean: "rolling_mean(close, 20)",
            top: "rolling_max(high, 50)",
            total: "rolling_sum(volume, 10)",
            change: "close - prev(close, 5)",
          },
          where: "close > mean",
          group_by: "hour()",
          select: {
            n: "count()",
            m: "mean(change)",
            t: "max(top)",
            v: "mean(total)",
            q: "mean(p)",
          },
        },
        duckdb: `SELECT hour(time) AS h, count(*) AS n, avg(change) AS m, max(top) AS t, avg(total) AS v, avg(p) AS q
          FROM (SELECT time, close, ${LAG(1)} AS p, ${FULL("avg(close)", 20)} AS mean,
                  ${FULL("max(high)", 50)} AS top, ${FULL("sum(volume)", 10)} AS total,
                  close - ${LAG(5)} AS change
                FROM t WINDOW w AS (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))
          WHERE close > mean GROUP BY 1 ORDER BY 1`,
        check: "m",
      },
    ],
  },
];

/** Minute bars around the clock but for an hour a day, from 2010 on. */
async function write(path, rows) {
  const next = random(7);
  const out = createWriteStream(path);
  out.write("time,open,high,low,close,volume\n");
  let price = 4000 * 4;
  let minute = Date.UTC(2010, 0, 4, 18) / 60_000;
  let chunk = [];
  for (let i = 0; i < rows; i++) {
    const open = price + Math.floor(next() * 5) - 2;
    const close = open + Math.floor(next() * 13) - 6;
    const high = Math.max(open, close) + Math.floor(next() * 5);
    const low = Math.min(open, close) - Math.floor(next() * 5);
    price = Math.max(4000, close);
    const time = new Date(minute * 60_000).toISOString().slice(0, 16).replace("T", " ");
    const [o, h, l, c] = [open, high, low, close].map((ticks) => ticks / 4);
    chunk.push(`${time},${o},${h},${l},${c},${1 + Math.floor(next() * 999)}`);
    minute += 1;
    // from 17:00 to 18:00 there is no trading
    if (minute % 1440 === 17 * 60) minute += 60;
    if (chunk.length === 50_000 || i === rows - 1) {
      if (!out.write(chunk.join("\n") + "\n")) await once(out, "drain");
      chunk = [];
    }
  }
  out.end();
  await once(out, "close");
}

const engines = ["pinhole", "duck"];

async function run(browser, url, engine, table) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction((name) => window[name] !== undefined, engine);
  await page.evaluate((name) => window[name].start(), engine);
  const load = await page.evaluate(
    ([name, options]) => window[name].load("/t.csv", options),
    [engine, table.options],
  );
  if (load.rows !== table.rows) throw new Error(`${engine} loaded ${load.rows} rows`);
  const result = { load: load.ms, questions: {} };
  for (const question of table.questions) {
    const times = [];
    for (let i = 0; i < (question.fresh ? 1 : 2); i++) {
      const answer = await page.evaluate(([name, q]) => window[name].ask(q), [engine, question]);
      times.push(answer.ms);
      result.questions[question.name] = {
        times,
        rows: answer.rows,
        value: answer.value,
      };
    }
  }
  if (engine === "pinhole" && table.summary) {
    result.summary = await page.evaluate((q) => window.pinhole.summarise(q), table.summary);
  }
  await context.close();
  return result;
}

const root = await site();
const { server, url } = await serve(root);
const browser = await launch();
const lines = [
  "# Bars: pinhole and DuckDB-Wasm 1.32.0 (eh)",
  "",
  `${machine(browser)}; medians of ${ROUNDS} rounds. Printed by \`cargo xtask bench-bars\`.`,
  "",
  "| ms | pinhole | DuckDB-Wasm | ratio |",
  "|---|---:|---:|---:|",
];
const ratios = [];
try {
  for (const table of TABLES) {
    const csv = join(folder, `bars-${table.rows}.csv`);
    if (!existsSync(csv)) await write(csv, table.rows);
    await cp(csv, join(root, "t.csv"));
    const all = { pinhole: [], duck: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const engine of engines) {
        console.error(`${table.name}, round ${round + 1} of ${ROUNDS}: ${engine}`);
        all[engine].push(await run(browser, url, engine, table));
      }
    const row = (name, read) => {
      const [ours, theirs] = engines.map((engine) => median(all[engine].flatMap(read)));
      lines.push(
        `| ${table.name}: ${name} | ${ours.toFixed(1)} | ${theirs.toFixed(1)} | ${(ours / theirs).toFixed(2)} |`,
      );
      return ours / theirs;
    };
    row("load CSV", (r) => r.load);
    if (table.summary) {
      const [own, pass] = ["own", "pass"].map((part) =>
        median(all.pinhole.flatMap((r) => r.summary[part])),
      );
      lines.push(
        `| ${table.name}: the summary of a result of all rows, beside a query of min, max and mean | ${own.toFixed(1)} | (${pass.toFixed(1)}, pinhole) | ${(own / pass).toFixed(2)} |`,
      );
    }
    for (const { name } of table.questions) {
      ratios.push(row(name, (r) => r.questions[name].times));
      const [a, b] = engines.map((engine) => all[engine][0].questions[name]);
      if (!same(a, b)) {
        lines.push("", `The engines disagree on ${name}: ${JSON.stringify([a, b])}`);
        process.exitCode = 1;
      }
    }
  }
} finally {
  await browser.close();
  server.close();
}
lines.push(`| geometric mean of the questions | | | ${geometricMean(ratios).toFixed(2)} |`, "");
await mkdir(join(folder, "out"), { recursive: true });
await writeFile(join(folder, "out", "bars.md"), lines.join("\n"));
console.log(lines.join("\n"));
