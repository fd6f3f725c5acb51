// The package's documented API on the packed tarball: in Node without a worker, and in Chromium with
// one.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { launch } from "../browser.mjs";
import { Endpoint, call, say } from "../e2e/endpoint.mjs";
import { serve } from "../server.mjs";
import { CSV, TOTALS } from "./api-kit.mjs";
import { LINES, runLine } from "./api.mjs";
import { installed } from "./installed.mjs";

const run = promisify(execFile);
const { folder, home, load } = await installed("plain");
const api = await load(".");

/** Every other request is answered by a call, the next by the answer. */
const endpoint = new Endpoint((serial) =>
  serial % 2 === 1 ? call("query", { table: "purchases", ...TOTALS }) : say("Vkusno has 912."),
);
let server;
let url;

before(async () => {
  await writeFile(join(folder, "purchases.csv"), CSV);
  ({ server, url } = await serve(folder, 0, async (request, response) => {
    if (request.method !== "POST") return false;
    const parts = [];
    for await (const part of request) parts.push(part);
    return endpoint.answer(request, response, Buffer.concat(parts));
  }));
});

after(() => {
  server.closeAllConnections();
  server.close();
});

test("Node, without a worker", async (t) => {
  const path = join(home, "pinhole_bg.wasm");
  const bytes = async () => Uint8Array.from(await readFile(path));
  const wasm = { address: pathToFileURL(path), bytes };
  const places = { csv: pathToFileURL(join(folder, "purchases.csv")), origin: url };
  for (const name of Object.keys(LINES)) {
    await t.test(name, () =>
      runLine(name, api, { options: { worker: false }, device: false, wasm, places }),
    );
  }
});

test("Chromium, with a worker", async (t) => {
  // Where they are in the repository, so that they find each other.
  await mkdir(join(folder, "tests/npm"), { recursive: true });
  await mkdir(join(folder, "tests/e2e"), { recursive: true });
  for (const name of ["api", "api-kit", "api-options", "api-models"].map(
    (one) => `npm/${one}.mjs`,
  )) {
    await cp(join(import.meta.dirname, "..", name), join(folder, "tests", name));
  }
  await cp(join(import.meta.dirname, "../e2e/wires.mjs"), join(folder, "tests/e2e/wires.mjs"));
  const html = await readFile(join(folder, "index.html"), "utf8");
  await writeFile(join(folder, "api.html"), html.replace("main.js", "api-page.js"));
  await writeFile(
    join(folder, "api-page.js"),
    `import * as api from "./node_modules/pinhole/index.js";
     import { runLine } from "./tests/npm/api.mjs";
     const at = (path) => new URL(path, location.href);
     const address = at("node_modules/pinhole/pinhole_bg.wasm");
     const bytes = async () => new Uint8Array(await (await fetch(address)).arrayBuffer());
     const worker = at("node_modules/pinhole/worker.js");
     const places = { csv: at("purchases.csv"), origin: at("/").href, worker };
     window.line = (name) =>
       runLine(name, api, { device: true, wasm: { address, bytes }, places }).then(
         () => "",
         (error) => String(error.code ?? "") + " " + String(error.stack ?? error),
       );
     document.getElementById("out").textContent = "ready";`,
  );
  const browser = await launch();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(new URL("api.html", url).href);
  await page.getByText("ready").waitFor();
  for (const name of Object.keys(LINES)) {
    await t.test(name, async () => {
      assert.equal(await page.evaluate((name) => window.line(name), name), "");
    });
  }
});

/** What a server has of an entry point that it imports, and what that has done by then. */
const ON_A_SERVER = `
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  const asked = new Set();
  for (const name of ["window", "document", "customElements"]) {
    const set = (value) => { throw new Error(name + " is set to " + value); };
    Object.defineProperty(globalThis, name, { configurable: true, get: () => void asked.add(name), set });
  }
  const found = Object.keys(await import(process.argv[1]));
  const own = ["window", "document", "customElements"];
  const left = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name) && !own.includes(name));
  console.log(JSON.stringify({ found, left, asked: [...asked] }));
`;

test("importing does nothing on a server: every entry point, those of the elements too", async () => {
  const { exports } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const names = Object.keys(exports).filter((name) => exports[name].default);
  assert.ok(names.length >= 9, names.join(", "));
  for (const name of names) {
    const args = ["--input-type=module", "-e", ON_A_SERVER, name.replace(".", "pinhole")];
    // It ends by itself: nothing runs on.
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, timeout: 60_000 });
    const { found, left, asked } = JSON.parse(stdout);
    // lit counts its own versions.
    const other = left.filter((one) => !/^(lit|reactiveElement)\w*(Versions|Metadata)$/.test(one));
    assert.deepEqual([other, stderr], [[], ""], name);
    if (!name.startsWith("./element")) assert.deepEqual(asked, [], name);
    if (name === ".") assert.ok(found.includes("Pinhole"));
    if (name === "./element") assert.ok(found.includes("PinholeAsk"));
  }
});

const LIMITS = pathToFileURL(join(import.meta.dirname, "../wasm-limits.mjs")).href;

/** A query that overflows the stack of the module, which is smaller than it is, and one after it. */
const TRAPPED = `
  import { readFile } from "node:fs/promises";
  const [, home, limits] = process.argv;
  const { Pinhole } = await import(home + "index.js");
  const { limited } = await import(limits);
  const wasm = await limited(await readFile(new URL(home + "pinhole_bg.wasm")), { stack: 1 << 17 });
  const ph = await Pinhole.open({ wasm, worker: false });
  await ph.load("s", new Blob(["a,b\\n1,2\\n"]));
  const code = (call) => call.then(() => "none", (error) => error.code);
  const where = Array(256).fill("(a == 1 or b == 9)").join(" and ");
  console.log(await code(ph.query({ where })), await code(ph.query({})));
  await ph.close();
  // What the module held must not be given back to it: that would trap once more, with no caller.
  for (let i = 0; i < 5; i += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
`;

test("Node: a trap inside a query is told and final, and the process goes on", async () => {
  const args = ["--expose-gc", "--input-type=module", "-e", TRAPPED];
  const { stdout, stderr } = await run(
    process.execPath,
    [...args, "--", pathToFileURL(`${home}/`).href, LIMITS],
    { timeout: 120_000 },
  );
  assert.deepEqual([stdout, stderr], ["engine_failed engine_failed\n", ""]);
});
