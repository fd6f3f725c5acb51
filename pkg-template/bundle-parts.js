// Puts <pinhole-table> and <pinhole-chart> into the built package with what they need from others
// (lit; Vega in a file of its own, fetched with the first chart), so that a page without a bundler
// needs nothing else. The package's own modules stay outside.

import { build } from "esbuild";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const types = join(here, "dist/element");
const out = join(here, "dist/parts");

/** The options of the build. */
export const OPTIONS = {
  absWorkingDir: here,
  entryPoints: ["src/element/table.ts", "src/element/chart.ts"],
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  legalComments: "none",
  format: "esm",
  platform: "browser",
  target: "es2022",
  chunkNames: "[name]-[hash]",
  // What a server lacks when it imports the package: nothing of it runs there.
  inject: ["part-shim.js"],
  // Vega without maps, trees, forces and clouds, and its expressions once instead of twice.
  alias: {
    vega: "./vega-subset.js",
    "vega-expression": "./node_modules/vega-expression",
  },
  logLevel: "warning",
};

/** The licences of what is inside, one after the other: each wants to go where its text goes. */
async function licences(inputs) {
  const folders = new Set(
    inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean),
  );
  const found = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(
      await readFile(join(here, folder, "package.json"), "utf8"),
    );
    const file = (await readdir(join(here, folder))).find((one) => /^licen[cs]e/i.test(one));
    if (!file) throw new Error(`${name} has no licence`);
    const text = await readFile(join(here, folder, file), "utf8");
    found.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return found.join(`\n${"-".repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(out, { recursive: true, force: true });
  const { metafile } = await build({ ...OPTIONS, metafile: true });
  for (const name of ["table.d.ts", "chart.d.ts", "parts.d.ts"]) {
    const text = await readFile(join(types, name), "utf8");
    if (/from "[^.]/.test(text)) throw new Error(`${name} shows the types of another package`);
    await writeFile(join(out, name), text);
  }
  await writeFile(join(here, "dist/LICENSE-parts"), await licences(Object.keys(metafile.inputs)));
}
