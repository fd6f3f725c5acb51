// The elements of the packed tarball: in a Vite build of their own page, and as types.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { launch } from "../browser.mjs";
import { serve } from "../server.mjs";
import { installed } from "./installed.mjs";

const run = promisify(execFile);
const here = import.meta.dirname;

const PAGE = `
import "pinhole/element";
import { Pinhole } from "pinhole";

const out = document.getElementById("out");
const ph = await Pinhole.open();
await ph.load("purchases", new Blob(["shop,amount\\nKuper,10\\nVkusno,25.5\\nKuper,4.5\\n"]));
const ask = document.createElement("pinhole-ask");
ask.ph = ph;
ask.addEventListener("pinhole-answer", ({ detail }) => {
  const { answer, claims } = detail;
  out.textContent = JSON.stringify([answer, claims.map(({ verdict }) => verdict)]);
});
document.body.append(ask);
await ask.ask("total amount by shop");
`;

test("a Vite build of a page with the panel", async () => {
  const { folder } = await installed("vite");
  await writeFile(join(folder, "main.js"), PAGE);
  await writeFile(join(folder, "purchases.js"), "");
  const vite = resolve(here, "../node_modules/vite/bin/vite.js");
  await run("node", [vite, "build", "--logLevel", "warn"], { cwd: folder });
  const assets = await readdir(join(folder, "dist/assets"));
  assert.ok(
    assets.some((name) => name.startsWith("markdown")),
    "what is wanted later is a file of its own",
  );
  const browser = await launch();
  const { server, url } = await serve(join(folder, "dist"));
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
      timeout: 120_000,
    });
    const [answer, verdicts] = JSON.parse(await page.textContent("#out"));
    assert.match(answer, /Vkusno/);
    assert.deepEqual(new Set(verdicts), new Set(["verified"]));
    assert.ok(await page.locator("pinhole-answer mark").first().isVisible());
  } finally {
    await browser.close();
    server.close();
  }
});

test("the types of the elements need no other package", async () => {
  const { folder } = await installed("node");
  const source = `
import { PinholeAsk, type FilterDetail, type PinholeAskElement } from "pinhole/element";
import type { PinholeTableElement } from "pinhole/element/table";
import type { ChartChoice } from "pinhole/element/chart";
import { Pinhole } from "pinhole";

const ask: PinholeAskElement = new PinholeAsk();
ask.ph = await Pinhole.open();
ask.dock = "right";
document.addEventListener("pinhole-filter", async ({ detail }) => {
  const { where, keys, rows }: FilterDetail = detail;
  const { total } = await rows(0, 10);
  console.log(where?.length, keys.length, total);
});
const table: PinholeTableElement = document.createElement("pinhole-table");
table.addEventListener("pinhole-row", ({ detail }) => console.log(detail.values));
const choice: ChartChoice = { kind: "bar", x: "shop", y: ["amount"] };
Object.assign(document.createElement("pinhole-chart"), { choice });
document.querySelector("pinhole-answer")?.claims.map(({ verdict }) => verdict);
// @ts-expect-error: there is no such side.
ask.dock = "top";
`;
  await writeFile(join(folder, "page.ts"), source);
  const options = {
    target: "ES2022",
    module: "NodeNext",
    lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
    types: [],
    strict: true,
    noEmit: true,
  };
  const config = JSON.stringify({ compilerOptions: options, files: ["page.ts"] });
  await writeFile(join(folder, "tsconfig.json"), config);
  const tsc = resolve(here, "../../pkg-template/node_modules/.bin/tsc");
  const said = await run(tsc, ["-p", folder]).then(
    () => "",
    ({ stdout }) => stdout,
  );
  assert.equal(said, "");
});
