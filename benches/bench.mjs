// Pinhole against DuckDB-Wasm: the same CSV, the same Chromium, in turn, both through their public
// interfaces and their workers; then arquero and sql.js on the same questions. Prints medians and
// ratios as Markdown and writes results.{md,json}.
// Usage: cargo xtask bench [--rows N] [--rounds N] [--bound SECONDS]
import { cp, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { serve } from "../tests/server.mjs";
import { writeGroupby } from "./data.mjs";
import { checkJoin, prepareJoin, runJoin } from "./join.mjs";
import { ASKED, ENGINES as PARQUET, prepareParquet, runParquet } from "./parquet.mjs";
import { PEERS, files as peerFiles, runPeers, versions } from "./peers.mjs";
import { JOINS, QUESTIONS } from "./questions.mjs";
import {
  DUCKDB,
  PACKAGE,
  data,
  folder,
  geometricMean,
  launch,
  machine,
  mb,
  median,
  option,
  report,
  same,
  site as stage,
  tab,
} from "./stage.mjs";

const ROWS = option("--rows", 1_000_000);
const ROUNDS = option("--rounds", 5);
/** Seconds that a question may take in arquero and sql.js. */
const BOUND = option("--bound", 20);

async function prepare() {
  const site = await stage();
  const csv = await data(`groupby-${ROWS}.csv`, (path) => writeGroupby(path, ROWS));
  await cp(csv, join(site, "t.csv"));
  await prepareJoin(site);
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

async function run(browser, url, engine) {
  const { context, page, peak } = await tab(browser, url, engine);
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
  result.peak = await peak();
  await context.close();
  const joined = await runJoin(browser, url, engine, ROUNDS);
  Object.assign(result.questions, joined.questions);
  result.loadJoin = joined.loads.reduce((a, b) => a + b);
  return result;
}

const { site, bytes } = await prepare();
const { server, url } = await serve(site);
const browser = await launch();
const engines = ["pinhole", "duck"];
const all = { pinhole: [], duck: [] };
const parquet = Object.fromEntries(PARQUET.map((engine) => [engine, []]));
let peers;
let answers;
try {
  console.error("checking that the joins agree");
  answers = await checkJoin(browser, url, engines);
  for (let round = 0; round < ROUNDS; round++)
    for (const engine of engines) {
      console.error(`round ${round + 1} of ${ROUNDS}: ${engine}`);
      all[engine].push(await run(browser, url, engine));
    }
  await prepareParquet(browser, url, site, ROWS);
  for (let round = 0; round < ROUNDS; round++)
    for (const engine of PARQUET)
      parquet[engine].push(await runParquet(browser, url, engine, ROWS));
  Object.assign(answers, all.duck[0].answers);
  peers = await runPeers(browser, url, ROWS, answers, { rounds: ROUNDS, bound: BOUND });
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
for (const engine of PARQUET)
  for (const { answer } of parquet[engine])
    if (!same(answer, answers[ASKED.name]))
      disagreements.push(`${ASKED.name} of the Parquet file: ${engine} and DuckDB`);
for (const peer of PEERS)
  for (const name of peers[peer].disagreements) disagreements.push(`${name}: ${peer} and DuckDB`);

const START = "start (module to first query)";
const LOAD = `load CSV (${(bytes / 1e6).toFixed(0)} MB)`;
const medians = (engine) => ({
  [START]: median(all[engine].flatMap((r) => r.start)),
  [LOAD]: median(all[engine].flatMap((r) => r.load)),
  ...Object.fromEntries(
    [...QUESTIONS, ...JOINS].map(({ name }) => [
      name,
      median(all[engine].flatMap((r) => r.questions[name])),
    ]),
  ),
});
const ours = medians("pinhole");
const theirs = medians("duck");
const packageFiles = (await readdir(PACKAGE)).filter((f) => f.endsWith(".js"));
const files = {
  pinhole: {
    wasm: [join(PACKAGE, "pinhole_bg.wasm")],
    js: packageFiles.map((f) => join(PACKAGE, f)),
  },
  duck: {
    wasm: [join(DUCKDB, "duckdb-eh.wasm")],
    js: [join(site, "duckdb.js"), join(DUCKDB, "duckdb-browser-eh.worker.js")],
  },
  ...peerFiles(site),
};
const size = {};
for (const [name, kinds] of Object.entries(files))
  size[name] = { wasm: await sizes(kinds.wasm), js: await sizes(kinds.js) };

const ratio = (name) => ours[name] / theirs[name];
const geometric = geometricMean(QUESTIONS.map(({ name }) => ratio(name)));
const groupby = geometricMean(
  QUESTIONS.map(({ name }) => name)
    .filter((name) => /^q\d/.test(name))
    .map(ratio),
);
const heads = await versions();
const peerCell = (peer, name) => {
  const { start, load, cells } = peers[peer];
  return name === START ? start : name === LOAD ? load : cells[name];
};
const joined = answers[JOINS[0].name].page.reduce((sum, { lines }) => sum + lines, 0);
const row = (...cells) => `| ${cells.join(" | ")} |`;
const notes = PEERS.flatMap((peer) => peers[peer].notes.map((note) => `${heads[peer]}, ${note}`));
const parquetRow = (name, key) => {
  const [a, b] = PARQUET.map((engine) => median(parquet[engine].map((times) => times[key])));
  return row(name, a.toFixed(1), b.toFixed(1), (a / b).toFixed(2));
};
const lines = [
  `# pinhole and DuckDB-Wasm 1.32.0 (eh), ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}; medians of ${ROUNDS} rounds. Printed by \`cargo xtask bench\`.`,
  "",
  row("ms", "pinhole", "DuckDB-Wasm", "ratio", ...PEERS.map((peer) => heads[peer])),
  "|---|---:|---:|---:|---:|---:|",
  ...Object.keys(ours).map((name) =>
    row(
      name,
      ours[name].toFixed(1),
      theirs[name].toFixed(1),
      ratio(name).toFixed(2),
      ...PEERS.map((peer) => peerCell(peer, name)),
    ),
  ),
  row("geometric mean of q1 to q10", "", "", groupby.toFixed(2), "", ""),
  row("geometric mean of the questions but the join", "", "", geometric.toFixed(2), "", ""),
  "",
  `arquero and sql.js ran after the others, once, each question up to ${ROUNDS} times, and once where it took more than 2 s; "> N s" is where it was given up. arquero works on the page's thread; sql.js in its worker, its rows put in by INSERT statements that the page writes, as it reads no CSV, and its warnings of legacy functions (median, stdev) are silenced. The join has tables of its own: orders and lines of TPC-H's shape at scale 0.1 (150,000 and ${joined.toLocaleString("en")} rows), made by benches/data.mjs.`,
  ...(notes.length ? ["", "–:", ...notes.map((note) => `- ${note}`)] : []),
  "",
  row("ms", "pinhole", "DuckDB-Wasm 1.28.0", "ratio"),
  "|---|---:|---:|---:|",
  parquetRow("load Parquet, the first file of a tab", "first"),
  parquetRow("load Parquet, the second", "again"),
  "",
  "The Parquet file has the same table, written by DuckDB-Wasm 1.28.0, the last release that has the reader in its wasm. pinhole fetches its own reader with the first file, and that is in the time.",
  "",
  row("MB", "pinhole", "DuckDB-Wasm", ...PEERS.map((peer) => heads[peer])),
  "|---|---:|---:|---:|---:|",
  row(
    "peak memory of the tab",
    mb(median(all.pinhole.map((r) => r.peak))),
    mb(median(all.duck.map((r) => r.peak))),
    ...PEERS.map((peer) => mb(peers[peer].peak)),
  ),
  ...["wasm", "js"].flatMap((kind) =>
    ["raw", "gzip", "brotli"].map((form) =>
      row(
        `${kind} ${form}`,
        ...[...engines, ...PEERS].map((name) =>
          files[name][kind].length ? mb(size[name][kind][form]) : "–",
        ),
      ),
    ),
  ),
  "",
  ...(disagreements.length
    ? ["The engines disagree:", ...disagreements.map((d) => `- ${d}`)]
    : ["All engines gave the same answers to every question that they ended."]),
  "",
];
await report("results.md", lines);
await writeFile(
  join(folder, "out", "results.json"),
  JSON.stringify(
    {
      rows: ROWS,
      rounds: ROUNDS,
      ours,
      theirs,
      geometric,
      groupby,
      size,
      disagreements,
      all,
      parquet,
      peers,
    },
    null,
    1,
  ),
);
console.log(`written to ${join(folder, "out")}`);
if (disagreements.length) process.exitCode = 1;
