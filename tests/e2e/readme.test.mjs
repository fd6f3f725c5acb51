// The page of the package's README, as it stands there: a file, a question, a checked answer.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

const LIE = "Vkusno has the highest total, 921.";
const TRUE = "Vkusno has the highest total, 912.";

test("the page of the README holds a conversation", async (t) => {
  const readme = await readFile(
    resolve(import.meta.dirname, "../../pkg-template/README.md"),
    "utf8",
  );
  const html = /```html\n([\s\S]*?)```/.exec(readme)?.[1];
  const lines = /<script type="module">\n([\s\S]*?)<\/script>/.exec(html)[1].trim().split("\n");
  assert.ok(lines.length <= 22, `${lines.length} lines`);
  const query = call("query", { ...BY_SHOP, table: "data" });
  const scene = await open(t, { blank: true, script: [query, say(LIE), say(TRUE)] });
  // An endpoint of the page's own; here it is the scripted one.
  const body = html.replace("/api/chat", WIRES.anthropic.path);
  assert.notEqual(body, html);
  await scene.context.route("**/readme.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><link rel="icon" href="data:," />${body}`,
    }),
  );
  await scene.page.goto(new URL("/readme.html", scene.url).href);
  await scene.page.waitForFunction(() => document.querySelector("#file").onchange !== null);
  const file = { name: "p.csv", mimeType: "text/csv", buffer: Buffer.from(PURCHASES) };
  await scene.page.locator("#file").setInputFiles(file);
  await scene.page.locator("#question:enabled").fill("which shop has the highest total?");
  await scene.page.locator("#question").press("Enter");
  await scene.page.waitForFunction(
    (wanted) => document.querySelector("#answer").textContent === wanted,
    TRUE,
  );
  assert.equal(scene.endpoint.requests.length, 3);
});

test("the README shows the page and the panel", async () => {
  const root = resolve(import.meta.dirname, "../..");
  const readme = await readFile(resolve(root, "README.md"), "utf8");
  const shown = [...readme.matchAll(/!\[([^\]]+)\]\((docs\/images\/[^)]+\.png)\)/g)];
  assert.deepEqual(shown.map(([, , path]) => path).sort(), [
    "docs/images/page.png",
    "docs/images/panel.png",
  ]);
  for (const [, words, path] of shown) {
    assert.ok(words.length > 20, words);
    const picture = await readFile(resolve(root, path));
    assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from("PNG")], path);
    const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
    assert.ok(width >= 600 && height >= 400, `${path}: ${width} by ${height}`);
  }
});
