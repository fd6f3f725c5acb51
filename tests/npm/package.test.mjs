// The packed tarball, installed as a user installs it, into small applications that load a table
// and run a query.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { createServer } from "vite";
import webpack from "webpack";
import { launch } from "../browser.mjs";
import { Endpoint, call, say } from "../e2e/endpoint.mjs";
import { serve } from "../server.mjs";
import { vectors } from "../wasm-vectors.mjs";

const run = promisify(execFile);
const tarball = process.env.PINHOLE_TARBALL;
const here = import.meta.dirname;
const template = resolve(here, "../../pkg-template");
const expected = [
  { shop: "Kuper", sum_amount: 14.5 },
  { shop: "Vkusno", sum_amount: 25.5 },
];

let work;
let browser;

before(async () => {
  assert.ok(tarball, "PINHOLE_TARBALL names the packed tarball");
  work = await mkdtemp(join(tmpdir(), "pinhole-npm-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await rm(work, { recursive: true, force: true });
});

const fixtures = new Map();

/** A fixture with the tarball in it: installed once, for all tests that look at it. */
function fixture(name) {
  if (!fixtures.has(name)) fixtures.set(name, install(name));
  return fixtures.get(name);
}

async function install(name) {
  const folder = join(work, name);
  await cp(join(here, "fixtures", name), folder, { recursive: true });
  for (const shared of ["purchases.js", "element.js"]) {
    await cp(join(here, "fixtures", shared), join(folder, shared));
  }
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", tarball], { cwd: folder });
  return folder;
}

/** Whether an application answers; a `bundled` one has the elements in it as well. */
async function answers(folder, bundled = false) {
  const { server, url } = await serve(folder);
  try {
    await answersAt(url, bundled);
  } finally {
    server.close();
  }
}

async function answersAt(url, bundled) {
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (m) => m.type() === "error" && problems.push(m.text()));
  page.on("pageerror", (e) => problems.push(String(e)));
  // None of the fixtures has an icon, and not every server passes over that.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  try {
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
      timeout: 120_000,
    });
    const said = await page.textContent("#out");
    const [csv, fromParquet, fromScript, panel] = said.startsWith("[") ? JSON.parse(said) : [said];
    assert.deepEqual([csv, fromParquet, fromScript], [expected, expected, expected]);
    if (bundled) {
      assert.match(panel.answer, /Vkusno.*25\.5/);
      assert.deepEqual(panel.rows, ["Kuper", "14.50", "Vkusno", "25.50"]);
      assert.match(panel.words, /^Bars of sum of amount by shop: 2 groups/);
    }
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

test("publint finds nothing", async () => {
  const folder = await fixture("node");
  await run(join(template, "node_modules/.bin/publint"), [
    "--strict",
    join(folder, "node_modules/pinhole"),
  ]);
});

test("the types resolve as they are published", async () => {
  await run(join(template, "node_modules/.bin/attw"), [
    "--profile",
    "esm-only",
    "--exclude-entrypoints",
    "./pinhole_bg.wasm",
    "./pinhole_parquet_bg.wasm",
    "./quickjs.wasm",
    "--no-emoji",
    tarball,
  ]);
});

/** The files that come with the import of an entry point, and their texts. */
async function imported(entry) {
  const folder = join(await fixture("node"), "node_modules/pinhole");
  const seen = new Map();
  const visit = async (file) => {
    if (seen.has(file)) return;
    const text = await readFile(join(folder, file), "utf8");
    seen.set(file, text);
    for (const [, next] of text.matchAll(/\b(?:from|import)\s*"(\.\/[^"]+)"/g)) {
      await visit(join(dirname(file), next));
    }
  };
  await visit(entry);
  return seen;
}

test("nothing that a worker loads imports at run time", async () => {
  for (const [entry, holds, what] of [
    ["worker.js", "pinhole_bg.wasm", "the engine's glue"],
    ["parquet-worker.js", "pinhole_parquet_bg.wasm", "that of the reader of Parquet"],
    ["script-worker.js", "quickjs.wasm", "the sandbox of scripts"],
  ]) {
    const seen = await imported(entry);
    for (const [file, text] of seen) {
      assert.doesNotMatch(text, /\bimport\s*\(/, `${file} imports at run time`);
    }
    const all = [...seen.values()].join("");
    assert.ok(all.includes(holds), `${entry} leads to ${what}`);
  }
});

test("a page without a bundler fetches a handful of files", async () => {
  for (const entry of ["index.js", "worker.js"]) {
    const files = [...(await imported(entry)).keys()];
    assert.ok(files.length <= 10, `${entry} comes in ${files.join(", ")}`);
  }
});

test("the modules work on several values at once", async () => {
  const folder = join(await fixture("node"), "node_modules/pinhole");
  for (const name of ["pinhole_bg.wasm", "pinhole_parquet_bg.wasm"]) {
    const { functions, wide } = vectors(await readFile(join(folder, name)));
    // Crates that have vectors of their own bring a few functions, whatever the build is for.
    assert.ok(functions > 1000 && wide > functions / 200, `${name}: ${wide} of ${functions}`);
  }
});

test("a plain page under a strict policy", async () => {
  await answers(await fixture("plain"));
});

test("a Vite build, unconfigured", async () => {
  const folder = await fixture("vite");
  const vite = resolve(here, "../node_modules/vite/bin/vite.js");
  await run("node", [vite, "build", "--logLevel", "warn"], { cwd: folder });
  const assets = await readdir(join(folder, "dist/assets"));
  assert.equal(assets.filter((f) => f.endsWith(".wasm")).length, 3, "the build carries the wasm");
  await answers(join(folder, "dist"), true);
});

test("Vite's development server, unconfigured", async () => {
  const folder = await fixture("vite");
  const server = await createServer({
    root: folder,
    logLevel: "warn",
    clearScreen: false,
    server: { host: "127.0.0.1", port: 0 },
  });
  try {
    await server.listen();
    await answersAt(`http://127.0.0.1:${server.httpServer.address().port}/`, true);
  } finally {
    await server.close();
  }
});

test("a webpack build, unconfigured", async () => {
  const folder = await fixture("webpack");
  const stats = await new Promise((done, fail) => {
    const options = { mode: "production", context: folder, entry: "./main.js" };
    webpack({ ...options, output: { path: join(folder, "dist") } }, (error, made) => {
      if (error) fail(error);
      else done(made.toJson({ all: false, errors: true, assets: true }));
    });
  });
  assert.deepEqual(stats.errors, []);
  assert.equal(stats.assets.filter(({ name }) => name.endsWith(".wasm")).length, 3);
  await cp(join(folder, "index.html"), join(folder, "dist/index.html"));
  await answers(join(folder, "dist"), true);
});

/** The scripts that the package starts as workers. */
const WORKERS = ["worker", "parquet-worker", "script-worker"];

test("an esbuild build, which is told where everything is", async () => {
  const folder = await fixture("esbuild");
  const { build } = createRequire(join(template, "package.json"))("esbuild");
  const { warnings } = await build({
    absWorkingDir: folder,
    entryPoints: [
      { in: "main.js", out: "main" },
      // Where nothing looks for them by itself.
      ...WORKERS.map((name) => ({ in: `pinhole/${name}`, out: `workers/${name}` })),
    ],
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    loader: { ".wasm": "file" },
    logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  await cp(join(folder, "index.html"), join(folder, "dist/index.html"));
  await answers(join(folder, "dist"), true);
});

/** What the examples of the README print. */
const PRINTED = [
  [
    /Result: 2 groups by shop \(from 3 of 3 rows\)/,
    /contradicted 14\.5/,
    /Kuper – 14\.5; Vkusno – 25\.5/,
    /\n0$/,
  ],
  [
    /^Vkusno sold the most, 25\.5\. ok\n/,
    /\n\S+\/v1\/chat\/completions \{"model":"my-model",.*"which shop sold the most\?"/,
  ],
];

test("the README's examples, as they stand there", async () => {
  const readme = await readFile(resolve(here, "../../README.md"), "utf8");
  const examples = [...readme.matchAll(/<!-- test: readme -->\s*```js\n([\s\S]*?)```/g)];
  assert.equal(examples.length, readme.match(/```js\n/g).length, "each is marked");
  assert.equal(examples.length, PRINTED.length);
  const folder = await fixture("plain");
  const html = await readFile(join(folder, "index.html"), "utf8");
  const query = { table: "purchases", group_by: "shop", select: "sum(amount)" };
  const endpoint = new Endpoint([call("query", query), say("Vkusno sold the most, 25.5.")]);
  const { server, url } = await serve(folder, 0, async (request, response) => {
    if (request.method !== "POST") return false;
    return endpoint.answer(request, response, await buffer(request));
  });
  try {
    for (const [i, [, code]] of examples.entries()) {
      await writeFile(join(folder, "readme.html"), html.replace("main.js", `readme${i}.js`));
      await writeFile(
        join(folder, `readme${i}.js`),
        code.replace('"pinhole"', '"./node_modules/pinhole/index.js"') +
          '\ndocument.getElementById("out").textContent = "done";\n',
      );
      const page = await browser.newPage();
      const said = [];
      page.on("console", (m) => said.push(m.text()));
      page.on("pageerror", (e) => said.push(String(e)));
      await page.goto(new URL("readme.html", url).href);
      await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
        timeout: 120_000,
      });
      for (const printed of PRINTED[i]) assert.match(said.join("\n"), printed);
      await page.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.equal(endpoint.bodies.length, 2);
});

test("Node without a worker", async () => {
  const folder = await fixture("node");
  const { stdout } = await run("node", ["main.js"], { cwd: folder });
  assert.deepEqual(stdout.trim().split("\n").map(JSON.parse), [expected, expected, expected]);
});
