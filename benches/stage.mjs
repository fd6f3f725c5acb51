// What every comparison stands on: a site with both engines, a browser, medians.
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

export const PACKAGE = process.env.PINHOLE_PACKAGE;
export const DUCKDB = "node_modules/@duckdb/duckdb-wasm/dist";
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

/** The site: a page, the package, DuckDB-Wasm bundled by esbuild. */
export async function site() {
  const site = join(folder, "site");
  await rm(site, { recursive: true, force: true });
  await mkdir(join(site, "duckdb"), { recursive: true });
  await cp(PACKAGE, join(site, "pinhole"), { recursive: true });
  for (const file of ["duckdb-eh.wasm", "duckdb-browser-eh.worker.js"])
    await cp(join(DUCKDB, file), join(site, "duckdb", file));
  await build({
    stdin: { contents: 'export * from "@duckdb/duckdb-wasm";', resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: "esm",
    outfile: join(site, "duckdb.js"),
    logLevel: "warning",
  });
  await cp("page.js", join(site, "page.js"));
  await writeFile(
    join(site, "index.html"),
    '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/page.js"></script>',
  );
  return site;
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

/** The machine and the build, for the line under a table's title. */
export function machine(browser) {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus()[0].model}, ${cpus().length} cores, ${memory} GiB; Chromium ${browser.version()}; wasm profile ${process.env.PINHOLE_PROFILE}`;
}

/** Whether two answers `{rows, value}` are the same. */
export function same(a, b) {
  return a.rows === b.rows && Math.abs(a.value - b.value) <= 1e-6 * Math.max(1, Math.abs(b.value));
}
