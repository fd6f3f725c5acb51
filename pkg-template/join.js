// Joins the built package's modules into one file an entry point, and what several of them need into
// files beside them, so that a page without a bundler fetches a handful of files one after the other
// and not forty. What is imported at run time stays a file of its own. Nothing is minified: whoever
// wants to know what the package does can read it.
// Usage: node join.js FOLDER

import { build } from "esbuild";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);

/** What a page, a bundler or a command line names, and what the elements import. */
const ENTRIES = [
  "index",
  "ai",
  "cli",
  "differs",
  "errors",
  "mcp",
  "parquet-worker",
  "script-worker",
  "worker",
];
/** The glue of the wasm modules, as wasm-bindgen writes it. */
const GLUE = ["pinhole.js", "pinhole_parquet.js"];

const modules = (await readdir(folder)).filter(
  (name) => name.endsWith(".js") && !GLUE.includes(name),
);
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: ENTRIES.map((name) => `${name}.js`),
  outdir: folder,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  external: ["node:*", ...GLUE.map((name) => `./${name}`)],
  chunkNames: "[name]-[hash]",
  metafile: true,
  logLevel: "warning",
});
const kept = new Set(Object.keys(metafile.outputs));
for (const name of modules) if (!kept.has(name)) await rm(join(folder, name));
for (const name of ["json-schema", "quickjs"]) await rm(join(folder, name), { recursive: true });

/**
 * Where the glue calls a closure of the module that may change something: the event loop runs these, a
 * task or what follows a promise, and what they throw has no caller. A trap would be the page's uncaught
 * error, the end of a process of Node, and the call behind it would never settle.
 */
const CALL = `        try {
            return f(a, state.b, ...args);
        } finally {`;
/** The same, heard by the engine's side of the calls (`tasks`, src/service.ts), and never after a trap. */
const HEARD = `        try {
            return tasks.dead ? undefined : f(a, state.b, ...args);
        } catch (error) {
            if (!tasks.trapped?.(error)) throw error;
        } finally {`;

/** Where the glue hands a text over: of anything else it would read past the memory of the module. */
const TEXT = `function passStringToWasm0(arg, malloc, realloc) {
`;
/** The same, for texts alone. */
const ONLY_TEXT = `${TEXT}    if (typeof arg !== "string") {
        const is = arg === null ? "null" : Array.isArray(arg) ? "an array" : typeof arg;
        throw { code: "bad_option", message: "a text is expected here, not " + is };
    }
`;

const glue = join(folder, GLUE[0]);
let text = await readFile(glue, "utf8");
for (const [found, put] of [
  [CALL, HEARD],
  [TEXT, ONLY_TEXT],
]) {
  const parts = text.split(found);
  if (parts.length !== 2) throw new Error(`${glue} is made in another way: see join.js`);
  text = parts.join(put);
}
await writeFile(glue, `${text}\nexport const tasks = {};\n`);
