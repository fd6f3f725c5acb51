// Pinhole against DuckDB-Wasm: the same CSV, the same Chromium, in turn, both through their public
// interfaces and their workers. Prints medians and ratios as Markdown and writes results.{md,json}.
// Usage: cargo xtask bench [--rows N] [--rounds N]
import { cp, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { serve } from "../tests/server.mjs";
import { writeGroupby } from "./data.mjs";
import { QUESTIONS } from "./questions.mjs";
import {
  DUCKDB,
  PACKAGE,
  folder,
  geometricMean,
  launch,
  machine,
  median,
  option,
  same,
  site as stage,
} from "./stage.mjs";

const ROWS = option("--rows", 1_000_000);
const ROUNDS = option("--rounds", 3);

async function prepare() {
  const site = await stage();
  const csv = join(folder, `groupby-${ROWS}.csv`);
  if (!existsSync(csv)) await writeGroupby(csv, ROWS);
  await cp(csv, join(site, "t.csv"));
  return { site, bytes: (await stat(csv)).size };
}

async function sizes(files) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const bytes = await readFile(file);
    sum.raw += bytes.length;
    sum.gzip += gzipSync(bytes, { level: 9 }).length;
    sum.brotli += brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
    }).length;
  }
  return sum;
}

/** Peak resident bytes of the renderers that came after `before`, from the kernel's own count. */
async function peak(pids) {
  let bytes = 0;
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    bytes += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

async function renderers(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id);
}

async function run(browser, url, engine) {
  const session = await browser.newBrowserCDPSession();
  const before = new Set(await renderers(session));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction((name) => window[name] !== undefined, engine);
  const result = { start: [], load: [], questions: {}, answers: {} };
  result.start.push(await page.evaluate((name) => window[name].start(), engine));
  const load = await page.evaluate((name) => window[name].load("/t.csv"), engine);
  if (load.rows !== ROWS) throw new Error(`${engine} loaded ${load.rows} rows`);
  result.load.push(load.ms);
  for (const question of QUESTIONS) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await page.evaluate(([name, q]) => window[name].ask(q), [engine, question]);
      times.push(answer.ms);
      result.answers[question.name] = { rows: answer.rows, value: answer.value };
    }
    result.questions[question.name] = times;
  }
  const mine = (await renderers(session)).filter((pid) => !before.has(pid));
  result.peak = await peak(mine);
  await context.close();
  return result;
}

const { site, bytes } = await prepare();
const { server, url } = await serve(site);
const browser = await launch();
const engines = ["pinhole", "duck"];
const all = { pinhole: [], duck: [] };
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const engine of engines) {
      console.error(`round ${round + 1} of ${ROUNDS}: ${engine}`);
      all[engine].push(await run(browser, url, engine));
    }
} finally {
  await browser.close();
  server.close();
}

const disagreements = [];
for (const { name } of QUESTIONS) {
  const [a, b] = engines.map((e) => all[e][0].answers[name]);
  if (!same(a, b))
    disagreements.push(`${name}: pinhole ${JSON.stringify(a)}, DuckDB ${JSON.stringify(b)}`);
}

const medians = (engine) => ({
  "start (module to first query)": median(all[engine].flatMap((r) => r.start)),
  [`load CSV (${(bytes / 1e6).toFixed(0)} MB)`]: median(all[engine].flatMap((r) => r.load)),
  ...Object.fromEntries(
    QUESTIONS.map(({ name }) => [name, median(all[engine].flatMap((r) => r.questions[name]))]),
  ),
});
const ours = medians("pinhole");
const theirs = medians("duck");
const packageFiles = (await readdir(PACKAGE)).filter((f) => f.endsWith(".js"));
const size = {
  pinhole: {
    wasm: await sizes([join(PACKAGE, "pinhole_bg.wasm")]),
    js: await sizes(packageFiles.map((f) => join(PACKAGE, f))),
  },
  duck: {
    wasm: await sizes([join(DUCKDB, "duckdb-eh.wasm")]),
    js: await sizes([join(site, "duckdb.js"), join(DUCKDB, "duckdb-browser-eh.worker.js")]),
  },
};
const ratios = Object.keys(ours).map((name) => ours[name] / theirs[name]);
const geometric = geometricMean(QUESTIONS.map(({ name }) => ours[name] / theirs[name]));
const mb = (n) => (n / 1e6).toFixed(2);
const lines = [
  `# pinhole and DuckDB-Wasm 1.32.0 (eh), ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}; medians of ${ROUNDS} rounds. Printed by \`cargo xtask bench\`.`,
  "",
  "| ms | pinhole | DuckDB-Wasm | ratio |",
  "|---|---:|---:|---:|",
  ...Object.keys(ours).map(
    (name, i) =>
      `| ${name} | ${ours[name].toFixed(1)} | ${theirs[name].toFixed(1)} | ${ratios[i].toFixed(2)} |`,
  ),
  `| geometric mean of the questions | | | ${geometric.toFixed(2)} |`,
  "",
  "| MB | pinhole | DuckDB-Wasm |",
  "|---|---:|---:|",
  `| peak memory of the tab | ${mb(median(all.pinhole.map((r) => r.peak)))} | ${mb(median(all.duck.map((r) => r.peak)))} |`,
  ...["wasm", "js"].flatMap((kind) =>
    ["raw", "gzip", "brotli"].map(
      (form) =>
        `| ${kind} ${form} | ${mb(size.pinhole[kind][form])} | ${mb(size.duck[kind][form])} |`,
    ),
  ),
  "",
  ...(disagreements.length
    ? ["The engines disagree:", ...disagreements.map((d) => `- ${d}`)]
    : ["Both engines gave the same answers to every question."]),
  "",
];
await mkdir(join(folder, "out"), { recursive: true });
await writeFile(join(folder, "out", "results.md"), lines.join("\n"));
await writeFile(
  join(folder, "out", "results.json"),
  JSON.stringify(
    { rows: ROWS, rounds: ROUNDS, ours, theirs, geometric, size, disagreements, all },
    null,
    1,
  ),
);
console.log(lines.join("\n"));
console.log(`written to ${join(folder, "out")}`);
if (disagreements.length) process.exitCode = 1;
