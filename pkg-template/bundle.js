// Puts the elements into the built package with what they need from others (lit, marked,
// DOMPurify), so that a page without a bundler needs nothing else. What is imported at run time
// becomes a file of its own, fetched when it is wanted. The package's own modules stay outside.

import { build } from "esbuild";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, "dist/element");

/** How the elements are bundled. */
const OPTIONS = {
  absWorkingDir: here,
  entryPoints: ["src/element/index.ts"],
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  chunkNames: "[name]-[hash]",
  // What a server lacks when it imports the package: nothing of it runs there.
  inject: ["src/element/shim.js"],
  logLevel: "warning",
  plugins: [
    {
      name: "the package's own modules stay outside",
      setup({ onResolve }) {
        onResolve({ filter: /^\.\.\/[^/]+\.js$/ }, ({ path, importer }) =>
          importer.includes("node_modules") ? undefined : { path, external: true },
        );
      },
    },
  ],
};

/** The declarations that the entry point leads to; those of lit are no part of the package. */
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

/**
 * What a bundler makes of the elements: the bytes of each file, minified and packed by gzip, and
 * whether it comes with the first import or when it is wanted.
 */
export async function sizes() {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [join(here, path), output]),
  );
  const eager = new Set();
  const follow = (path) => {
    if (eager.has(path) || !outputs.has(path)) return;
    eager.add(path);
    for (const { kind, path: next } of outputs.get(path).imports) {
      if (kind === "import-statement") follow(join(here, next));
    }
  };
  follow(join(out, "index.js"));
  return outputFiles.map(({ path, contents }) => ({
    name: path.slice(out.length + 1),
    eager: eager.has(path),
    bytes: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
  }));
}

/** The most that the first import may take, packed. */
export const MOST = 60_000;

async function print() {
  const files = await sizes();
  let all = 0;
  for (const { name, eager, bytes, gzip } of files) {
    if (eager) all += gzip;
    console.log(`${name}: ${bytes} bytes, ${gzip} packed${eager ? "" : ", when it is wanted"}`);
  }
  console.log(`with the first import: ${all} packed, of ${MOST}`);
  if (all > MOST) process.exitCode = 1;
}

if (process.argv[2] === "--size") await print();
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const types = await declarations("index.d.ts");
  await rm(out, { recursive: true });
  await build(OPTIONS);
  for (const [name, text] of types) await writeFile(join(out, name), text);
  for (const name of ["lit", "marked", "dompurify"]) {
    await cp(join(here, `node_modules/${name}/LICENSE`), join(here, `dist/LICENSE-${name}`));
  }
}
