// The Parquet rows: the same table as a Parquet file. DuckDB-Wasm 1.32.0 has its reader in an
// extension that it fetches from a host of DuckDB's; 1.28.0 is the last release that has it in its
// wasm, so the row compares with that one. It writes the file as well.
import { existsSync } from "node:fs";
import { cp, rename } from "node:fs/promises";
import { join } from "node:path";
import { QUESTIONS } from "./questions.mjs";
import { folder, tab } from "./stage.mjs";

/** Means, which every release gives as plain numbers. */
export const ASKED = QUESTIONS.find(({ name }) => name.startsWith("q4"));
export const ENGINES = ["pinhole", "duckWithParquet"];

/** Writes the site's table to `path`, as the peer does (Snappy, its own row groups), where it is not. */
export async function writeParquet(browser, url, path) {
  if (existsSync(path)) return;
  console.error(`writing ${path}`);
  const { context, page } = await tab(browser, url, "duckWithParquet");
  await page.evaluate(() => window.duckWithParquet.start());
  await page.evaluate(() => window.duckWithParquet.load("/t.csv"));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.evaluate(() => window.duckWithParquet.saveParquet("t")),
  ]);
  await download.saveAs(`${path}.part`);
  await rename(`${path}.part`, path);
  await context.close();
}

/** Puts the table onto the site as Parquet. */
export async function prepareParquet(browser, url, site, rows) {
  const path = join(folder, `groupby-${rows}.parquet`);
  await writeParquet(browser, url, path);
  await cp(path, join(site, "t.parquet"));
}

/** Loads it in a tab of its own, twice: pinhole fetches its reader with the first one. */
export async function runParquet(browser, url, engine, rows) {
  const { context, page } = await tab(browser, url, engine);
  await page.evaluate((name) => window[name].start(), engine);
  const times = [];
  for (const name of ["t", "again"]) {
    const load = await page.evaluate(
      ([e, t]) => window[e].load("/t.parquet", {}, t),
      [engine, name],
    );
    if (load.rows !== rows) throw new Error(`${engine} loaded ${load.rows} rows of Parquet`);
    times.push(load.ms);
  }
  const answer = await page.evaluate(([e, q]) => window[e].ask(q), [engine, ASKED]);
  await context.close();
  return { first: times[0], again: times[1], answer };
}
