// The pictures of the README, taken from the real page and the real panel. Usage, with
// PINHOLE_CHROMIUM where it is not /usr/bin/chromium: node screenshots.mjs <built page>
import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const [site] = process.argv.slice(2);
assert.ok(site, "name the folder of the built page");
const folder = resolve(import.meta.dirname, "../docs/images");
/** Pictures are read on slow lines too. */
const MOST = 150_000;
const QUESTION = "average gap by weekday where gap is above 50";

const PANEL = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Penguins</title>
<link rel="icon" href="icon.svg"><style>body { margin: 1.5rem; font: 16px/1.5 system-ui; }
main { max-width: 18rem; } h1 { line-height: 1.2; }</style>
<script type="module" src="pinhole/element/index.js"></script></head>
<body><main><h1>Penguins of the Palmer Archipelago</h1>
<p>344 birds of three species, measured on three islands from 2007 to 2009.</p></main>
<pinhole-ask src="penguins.csv" open storage-key=""></pinhole-ask></body></html>`;

await mkdir(folder, { recursive: true });
const browser = await launch();
const { server, url } = await serve(site, 0, (request, response) => {
  if (request.url !== "/panel.html") return false;
  response.writeHead(200, { "content-type": "text/html" }).end(PANEL);
  return true;
});
try {
  const context = await browser.newContext({
    locale: "en-US",
    colorScheme: "light",
    reducedMotion: "reduce",
    viewport: { width: 1000, height: 744 },
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  const id = (name) => page.locator(`[data-testid="${name}"]`);
  const keep = async (name) => {
    const path = join(folder, name);
    await page.screenshot({ path });
    const { size } = await stat(path);
    assert.ok(size < MOST, `${name} has ${size} bytes`);
    console.log(`${path}: ${size} bytes`);
  };

  await page.goto(url);
  await id("sample").click();
  await id("table-card").waitFor();
  await id("question").fill(QUESTION);
  await id("ask").click();
  const answer = id("answer").and(page.locator('[data-state="done"]'));
  await answer.waitFor();
  await page.evaluate(() => document.querySelector("#asking").scrollIntoView({ block: "start" }));
  await page.mouse.move(0, 0);
  await keep("page.png");

  await page.setViewportSize({ width: 800, height: 720 });
  await page.goto(new URL("panel.html", url).href);
  await id("panel").and(page.locator('[data-stage="ready"]')).waitFor();
  await id("question").fill("average bill_length_mm by species");
  await id("ask").click();
  await id("turn").and(page.locator('[data-state="done"]')).waitFor();
  await id("claim").nth(1).focus();
  await id("claim-rows").waitFor();
  await keep("panel.png");
} finally {
  await browser.close();
  server.close();
}
