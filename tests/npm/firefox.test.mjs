// The packed tarball in Firefox ESR: a plain page under its strict policy, a conversation, and the page
// of fifteen lines that docs/element.md shows.
import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "puppeteer-core";
import { serve } from "../server.mjs";
import { CSV } from "./api-kit.mjs";
import { installed } from "./installed.mjs";

const { folder } = await installed("plain");
const PATIENCE = 180_000;

const TALK = `
import { Pinhole } from "./node_modules/pinhole/index.js";
const out = document.getElementById("out");
try {
  const ph = await Pinhole.open();
  await ph.load("purchases", new URL("purchases.csv", location.href));
  const seen = [];
  for await (const event of ph.chat().ask("total amount by shop")) seen.push(event);
  const { type, answer, verdict, claims } = seen.at(-1);
  const verdicts = [...new Set(claims.map((claim) => claim.verdict))];
  const { worker } = await ph.stats();
  out.textContent = JSON.stringify({ type, answer, verdict, verdicts, worker });
  await ph.close();
} catch (error) {
  out.textContent = JSON.stringify({ error: String(error.stack ?? error) });
}
`;

let browser;
let server;
let url;

before(async () => {
  await cp(join(import.meta.dirname, "fixtures/purchases.js"), join(folder, "purchases.js"));
  await writeFile(join(folder, "purchases.csv"), CSV);
  ({ server, url } = await serve(folder));
  browser = await launch({
    browser: "firefox",
    executablePath: process.env.PINHOLE_FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
  });
});

after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a page; errors of it fail the test. */
async function open(t, path) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(new URL(path, url).href, { waitUntil: "domcontentloaded" });
  return page;
}

/** What a fixture leaves once it is done. */
async function left(page) {
  const out = await page.waitForFunction(() => document.getElementById("out").textContent);
  return JSON.parse(await out.jsonValue());
}

test("it is Firefox", async () => {
  assert.match(await browser.version(), /^firefox\//i);
});

test("a plain page under a strict policy: CSV, Parquet and a script", async (t) => {
  const totals = [
    { shop: "Kuper", sum_amount: 14.5 },
    { shop: "Vkusno", sum_amount: 25.5 },
  ];
  assert.deepEqual(await left(await open(t, "index.html")), [totals, totals, totals]);
});

test("a conversation, its numbers checked, in a worker", async (t) => {
  const html = await readFile(join(folder, "index.html"), "utf8");
  await writeFile(join(folder, "talk.html"), html.replace("main.js", "talk.js"));
  await writeFile(join(folder, "talk.js"), TALK);
  const { answer, ...rest } = await left(await open(t, "talk.html"));
  assert.match(answer ?? "", /912/);
  assert.deepEqual(rest, { type: "done", verdict: "ok", verdicts: ["verified"], worker: true });
});

test("the page of fifteen lines with the panel: opened, asked by keys, answered", async (t) => {
  const docs = await readFile(join(import.meta.dirname, "../../docs/element.md"), "utf8");
  const html = /```html\n(<!doctype html>[\s\S]*?)```/.exec(docs)[1];
  assert.ok(html.trim().split("\n").length <= 15);
  const here = html.replace('src="pinhole/', 'src="node_modules/pinhole/');
  assert.notEqual(here, html);
  await writeFile(join(folder, "ask.html"), here);
  const page = await open(t, "ask.html");
  await page.evaluate(() => {
    addEventListener("pinhole-answer", ({ detail }) => {
      window.told = detail.claims.map(({ verdict }) => verdict);
    });
  });
  await page.locator('>>> [data-testid="launcher"]').click();
  await page.waitForFunction(() => {
    const { shadowRoot } = document.querySelector("pinhole-ask");
    return shadowRoot.querySelector('[data-testid="panel"]')?.dataset.stage === "ready";
  });
  // The panel took the focus.
  await page.keyboard.type("total amount by shop");
  await page.keyboard.press("Enter");
  const told = await (await page.waitForFunction(() => window.told)).jsonValue();
  assert.ok(told.length > 0 && told.every((verdict) => verdict === "verified"), told.join());
  const marks = await page.$$eval(">>> mark", (all) => all.map((mark) => mark.firstChild.data));
  assert.ok(marks.includes("912"), marks.join());
});
