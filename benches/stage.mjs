// What every comparison stands on: a site with the engines, a browser, processes, medians.
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

export const PACKAGE = process.env.PINHOLE_PACKAGE;
export const DUCKDB = "node_modules/@duckdb/duckdb-wasm/dist";
/** The last release that has the reader of Parquet in its wasm. */
export const DUCKDB_PARQUET = "node_modules/duckdb-wasm-with-parquet/dist";
export const SQLJS = "node_modules/sql.js/dist";
export const folder = join(tmpdir(), "pinhole-bench");

/** A number after `name` on the command line. */
export function option(name, fallback) {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export const geometricMean = (list) =>
  Math.exp(list.map(Math.log).reduce((a, b) => a + b) / list.length);

export const mb = (bytes) => (bytes / 1e6).toFixed(2);

/** A page script beside the engines. */
const PAGES = [
  "page.js",
  "page-peers.js",
  "page-stretch.js",
  "page-tools.js",
  "page-recall.js",
  "page-plan.js",
  "page-answers.js",
  "questions.mjs",
  "peer-questions.mjs",
];

/** The site: pages, the package, the peers; what is no module is bundled by esbuild. */
export async function site() {
  const site = join(folder, "site");
  await rm(site, { recursive: true, force: true });
  for (const peer of ["duckdb", "duckdb-with-parquet", "sqljs"])
    await mkdir(join(site, peer), { recursive: true });
  await cp(PACKAGE, join(site, "pinhole"), { recursive: true });
  for (const file of ["duckdb-eh.wasm", "duckdb-browser-eh.worker.js"]) {
    await cp(join(DUCKDB, file), join(site, "duckdb", file));
    await cp(join(DUCKDB_PARQUET, file), join(site, "duckdb-with-parquet", file));
  }
  for (const file of ["sql-wasm.wasm", "worker.sql-wasm.js"])
    await cp(join(SQLJS, file), join(site, "sqljs", file));
  // It warns at every group of what it calls legacy, median() among it, which takes most of the time.
  await writeFile(
    join(site, "sqljs", "worker.js"),
    'console.warn = () => undefined; importScripts("worker.sql-wasm.js");',
  );
  for (const [name, file] of [
    ["@duckdb/duckdb-wasm", "duckdb.js"],
    ["duckdb-wasm-with-parquet", "duckdb-with-parquet.js"],
    ["arquero", "arquero.js"],
  ])
    await build({
      stdin: { contents: `export * from "${name}";`, resolveDir: process.cwd() },
      bundle: true,
      minify: true,
      format: "esm",
      outfile: join(site, file),
      logLevel: "warning",
    });
  for (const file of PAGES) await cp(file, join(site, file));
  const scripts = PAGES.filter((file) => file.endsWith(".js")).map(
    (file) => `<script type="module" src="/${file}"></script>`,
  );
  await writeFile(
    join(site, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>bench</title>${scripts.join("")}`,
  );
  return site;
}

/** The file `name` of the data, made by `write(path)` where an earlier run has not. */
export async function data(name, write) {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  if (!existsSync(path)) {
    console.error(`writing ${path}`);
    await write(path);
  }
  return path;
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.PINHOLE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-quic",
    ],
  });
}

async function renderers(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id);
}

/** A new tab on which `engine` can be started; `peak()` tells the most memory it has had. */
export async function tab(browser, url, engine) {
  const session = await browser.newBrowserCDPSession();
  const before = new Set(await renderers(session));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction((name) => window[name] !== undefined, engine);
  return {
    context,
    page,
    /** Peak resident bytes of the renderers that came with the tab, from the kernel's own count. */
    async peak() {
      let bytes = 0;
      for (const pid of await renderers(session)) {
        if (before.has(pid)) continue;
        const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
        bytes += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
      }
      return bytes;
    },
  };
}

/** The machine and the build, for the line under a table's title. */
export function machine(browser) {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus()[0].model}, ${cpus().length} cores, ${memory} GiB; Chromium ${browser.version()}; wasm profile ${process.env.PINHOLE_PROFILE}`;
}

const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));

/** Whether two answers `{rows, value}` are the same. */
export function same(a, b) {
  return a.rows === b.rows && near(a.value, b.value);
}

/** Whether two answers are the same in every cell of their first rows. */
export function sameRows(a, b) {
  return (
    same(a, b) &&
    a.page.length === b.page.length &&
    b.page.every((row, i) =>
      Object.entries(row).every(([name, value]) =>
        typeof value === "number" ? near(a.page[i][name], value) : a.page[i][name] === value,
      ),
    )
  );
}

/** Writes the report beside its data and prints it. */
export async function report(name, lines) {
  await mkdir(join(folder, "out"), { recursive: true });
  await writeFile(join(folder, "out", name), lines.join("\n"));
  console.log(lines.join("\n"));
}
