// Puts the elements into the built package with what they need from others (lit; marked, DOMPurify
// and Vega), so that a page without a bundler needs nothing else. What several entry points need is
// there once. What is imported at run time becomes a file of its own, fetched when it is wanted. The
// package's own modules stay outside.

import { build } from "esbuild";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const source = join(here, "src");
const out = join(here, "dist/element");

/** What a page imports. */
const ENTRIES = ["index", "table", "chart"];
/**
 * What the static page imports alone: texts, cells, marks and Markdown, which chart fits or is asked for, what a
 * request says of columns and withholds; and of the table how rows are read, sorted and written into files.
 */
const ALL = [
  ...ENTRIES,
  "all-texts",
  "facts",
  "heads",
  "hosts",
  "json-place",
  "marks",
  "markdown",
  "fits",
  "chart-words",
  "file-name",
  "sql-place",
  "statement",
  "told-columns",
  "withheld",
  "wrong",
  "rows",
  "sort",
  "save",
];
/** Modules of the table, which lie a folder deeper than what they are called. */
const OF_TABLE = ["rows", "sort", "save"];

/** How the elements are bundled. */
const OPTIONS = {
  absWorkingDir: here,
  entryPoints: ALL.map((name) => ({
    in: `src/element/${OF_TABLE.includes(name) ? "table/" : ""}${name}.ts`,
    out: name,
  })),
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
  inject: ["src/element/shim.js"],
  // Vega without maps, trees, forces and clouds, and its expressions once instead of twice.
  alias: {
    vega: "./vega-subset.js",
    "vega-expression": "./node_modules/vega-expression",
  },
  logLevel: "warning",
  plugins: [
    {
      name: "the package's own modules stay outside",
      setup({ onResolve }) {
        onResolve({ filter: /^\.\.\// }, ({ path, importer }) => {
          const file = relative(source, resolve(dirname(importer), path));
          const own = !file.includes("..") && !file.startsWith("element");
          return own ? { path: `../${file}`, external: true } : undefined;
        });
      },
    },
  ],
};

/** The declarations that an entry point leads to; those of lit are no part of the package. */
async function declarations(file, found = new Map()) {
  if (found.has(file)) return found;
  const text = await readFile(join(out, file), "utf8");
  found.set(file, text);
  for (const [, from] of text.matchAll(/from\s*"([^"]+)"/g)) {
    if (!from.startsWith(".")) throw new Error(`${file} shows the types of ${from}`);
    if (from.startsWith("./")) await declarations(from.slice(2).replace(/\.js$/, ".d.ts"), found);
  }
  return found;
}

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

/**
 * The bytes of each file, as it is and packed by gzip, and the entry points with whose import it
 * comes; none for what comes when it is wanted.
 */
export async function sizes() {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    metafile: true,
    write: false,
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [join(here, path), output]),
  );
  const eager = (entry) => {
    const paths = new Set();
    const follow = (path) => {
      if (paths.has(path) || !outputs.has(path)) return;
      paths.add(path);
      for (const { kind, path: next } of outputs.get(path).imports) {
        if (kind === "import-statement") follow(join(here, next));
      }
    };
    follow(join(out, `${entry}.js`));
    return paths;
  };
  const first = ALL.map((entry) => [entry, eager(entry)]);
  // The package's own modules that come with them.
  for (const [, paths] of first) {
    const own = [...paths].flatMap((path) => outputs.get(path).imports.filter(isOwn));
    for (const module of await together(own.map(({ path }) => resolve(out, path)))) {
      paths.add(module);
    }
  }
  const bundled = outputFiles.map(({ path, contents }) => [path, contents]);
  const own = [...new Set(first.flatMap(([, paths]) => [...paths]))].filter(
    (path) => !outputs.has(path),
  );
  const beside = await Promise.all(own.map(async (path) => [path, await readFile(path)]));
  return [...bundled, ...beside].map(([path, contents]) => ({
    name: relative(out, path),
    entries: first.filter(([, paths]) => paths.has(path)).map(([entry]) => entry),
    bytes: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
  }));
}

const isOwn = ({ kind, path, external }) =>
  external === true && kind === "import-statement" && path.startsWith(".");

/** Built modules, and all that they import at once. */
async function together(paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    const text = await readFile(path, "utf8");
    const next = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s*"(\.[^"]+)"/gm)];
    await together(
      next.map(([, from]) => resolve(dirname(path), from)),
      found,
    );
  }
  return found;
}

/** The most that the import of an entry point may take, packed. */
export const MOST = 60_000;

/** What the import of an entry point takes, packed. */
export function total(files, entry) {
  return files.reduce((sum, { entries, gzip }) => sum + (entries.includes(entry) ? gzip : 0), 0);
}

async function print() {
  const files = await sizes();
  for (const { name, entries, bytes, gzip } of files) {
    const when = entries.length > 0 ? `with ${entries.join(", ")}` : "when it is wanted";
    console.log(`${name}: ${bytes} bytes, ${gzip} packed, ${when}`);
  }
  for (const entry of ENTRIES) {
    const all = total(files, entry);
    console.log(`the import of ${entry}: ${all} packed, of ${MOST}`);
    if (all > MOST) process.exitCode = 1;
  }
}

if (process.argv[2] === "--size") await print();
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const types = new Map();
  for (const entry of ENTRIES) await declarations(`${entry}.d.ts`, types);
  // The modules that were compiled one by one are all in the bundle.
  await rm(out, { recursive: true });
  const { metafile } = await build({ ...OPTIONS, metafile: true });
  for (const [name, text] of types) await writeFile(join(out, name), text);
  const file = join(here, "dist/LICENSE-elements");
  await writeFile(file, await licences(Object.keys(metafile.inputs)));
}
