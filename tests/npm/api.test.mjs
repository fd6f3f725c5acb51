// The package's documented API, nearly every function, on the packed tarball: in Node without a worker,
// and in Chromium with one.
import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "../browser.mjs";
import { serve } from "../server.mjs";
import { LINES, runLine } from "./api.mjs";
import { installed } from "./installed.mjs";

const { folder, home, load } = await installed("plain");
/** What is there before anything of the package is imported. */
const before = new Set(Object.getOwnPropertyNames(globalThis));
const api = await load(".");

test("Node, without a worker", async (t) => {
  const path = join(home, "pinhole_bg.wasm");
  const bytes = async () => Uint8Array.from(await readFile(path));
  const wasm = { address: pathToFileURL(path), bytes };
  for (const name of Object.keys(LINES)) {
    await t.test(name, () =>
      runLine(name, api, { options: { worker: false }, device: false, wasm }),
    );
  }
});

test("Chromium, with a worker", async (t) => {
  await cp(join(import.meta.dirname, "api.mjs"), join(folder, "api.mjs"));
  const html = await readFile(join(folder, "index.html"), "utf8");
  await writeFile(join(folder, "api.html"), html.replace("main.js", "api-page.js"));
  await writeFile(
    join(folder, "api-page.js"),
    `import * as api from "./node_modules/pinhole/index.js";
     import { runLine } from "./api.mjs";
     const address = new URL("./node_modules/pinhole/pinhole_bg.wasm", location.href);
     const bytes = async () => new Uint8Array(await (await fetch(address)).arrayBuffer());
     window.line = (name) =>
       runLine(name, api, { device: true, wasm: { address, bytes } }).then(
         () => "",
         (error) => String(error.code ?? "") + " " + String(error.stack ?? error),
       );
     document.getElementById("out").textContent = "ready";`,
  );
  const browser = await launch();
  const { server, url } = await serve(folder);
  t.after(async () => {
    await browser.close();
    server.close();
  });
  const page = await browser.newPage();
  await page.goto(new URL("api.html", url).href);
  await page.getByText("ready").waitFor();
  for (const name of Object.keys(LINES)) {
    await t.test(name, async () => {
      assert.equal(await page.evaluate((name) => window.line(name), name), "");
    });
  }
});

test("importing does nothing: each entry point but those of the elements, on a server", async () => {
  const { exports } = JSON.parse(
    await readFile(join(folder, "node_modules/pinhole/package.json"), "utf8"),
  );
  const names = Object.keys(exports).filter(
    (name) => exports[name].default && !name.startsWith("./element"),
  );
  assert.ok(names.length >= 6, names.join(", "));
  for (const name of names) assert.ok(await load(name), name);
  assert.deepEqual(
    Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name)),
    [],
  );
});
