// Puts other packages' modules into the built package, so that a page without a bundler needs
// nothing else: the validator of JSON Schema and QuickJS, as they are published, without links to
// maps that are not here and with the names that the files have here.

import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";

const here = (path) => new URL(path, import.meta.url);

/** Copies modules from `folder` by their names there and here; `names` tells where imports lead. */
async function vendor(folder, to, files, names = {}) {
  await mkdir(here(to), { recursive: true });
  for (const [from, name] of files) {
    let text = await readFile(here(`${folder}${from}`), "utf8");
    text = text.replace(/\n?\/\/# sourceMappingURL=.*$/m, "\n");
    for (const [old, own] of Object.entries(names)) text = text.replaceAll(`"${old}"`, `"${own}"`);
    await writeFile(here(`${to}${name}`), text);
  }
}

const schema = "node_modules/@cfworker/json-schema/dist/esm/";
const modules = (await readdir(here(schema))).filter((name) => name.endsWith(".js"));
await vendor(
  schema,
  "dist/json-schema/",
  modules.map((name) => [name, name]),
);

// The core's entry for synchronous modules names the file that it is in.
const core = "node_modules/quickjs-emscripten-core/dist/";
const entries = (await readdir(here(core))).filter((name) => /^module-[A-Z0-9]+\.mjs$/.test(name));
const entry = await readFile(here(`${core}${entries[0]}`), "utf8");
const chunk = /from"\.\/(chunk-[A-Z0-9]+\.mjs)"/.exec(entry)[1];
const variant = "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/";
const names = { "@jitl/quickjs-ffi-types": "./ffi-types.js" };
await vendor(core, "dist/quickjs/", [[chunk, "core.js"]], names);
await vendor(
  "node_modules/@jitl/quickjs-ffi-types/dist/",
  "dist/quickjs/",
  [["index.mjs", "ffi-types.js"]],
  names,
);
await vendor(
  variant,
  "dist/quickjs/",
  [
    ["ffi.mjs", "ffi.js"],
    ["emscripten-module.browser.mjs", "emscripten-module.js"],
  ],
  // Bundlers look for what is named here, beside the file that this is joined into.
  { ...names, "emscripten-module.wasm": "./quickjs.wasm" },
);
await cp(here(`${variant}emscripten-module.wasm`), here("dist/quickjs.wasm"));

for (const licence of ["LICENSE-cfworker-json-schema", "LICENSE-quickjs"]) {
  await cp(here(`licenses/${licence}`), here(`dist/${licence}`));
}
