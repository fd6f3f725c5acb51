// The examples of the elements' documents, as they stand there, on pages with the packed tarball.
import assert from "node:assert/strict";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "../browser.mjs";
import { serve } from "../server.mjs";
import { installed } from "./installed.mjs";

const CSV = "id,shop,amount\n1,Kuper,10\n2,Vkusno,25.5\n3,Kuper,4.5\n";
const { folder, home } = await installed("plain");

/** The examples of a document, by their language. */
async function examples(name, language) {
  const text = await readFile(resolve(import.meta.dirname, "../../docs", name), "utf8");
  const found = text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"));
  return [...found].map(([, code]) => code);
}

let browser, server, url;
before(async () => {
  await symlink(home, join(folder, "pinhole"));
  for (const name of ["purchases.csv", "sales.csv"]) await writeFile(join(folder, name), CSV);
  browser = await launch();
  ({ server, url } = await serve(folder));
});
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** What an element shows. */
const shown = (element) => element.evaluate((one) => one.shadowRoot.textContent);

/** Opens a page with this text; what goes wrong in it fails the test. */
async function open(t, name, html) {
  await writeFile(join(folder, name), html);
  const page = await browser.newPage();
  page.setDefaultTimeout(240_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error.stack ?? error)));
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(new URL(name, url).href);
  return page;
}

test("the page of fifteen lines answers a question", async (t) => {
  const [html, ...rest] = await examples("element.md", "html");
  assert.deepEqual([rest.length, html.trimEnd().split("\n").length <= 15], [0, true]);
  const page = await open(t, "fifteen.html", html);
  await page.locator("pinhole-ask button").first().click();
  const input = page.getByRole("combobox");
  await input.fill("total amount by shop");
  await input.press("Enter");
  const answer = page.locator("pinhole-answer").filter({ hasText: "Vkusno" });
  await answer.locator("mark").first().waitFor();
  assert.match(await shown(answer), /Vkusno.*25\.5/s);
});

test("an engine, the filter and an answer of the page's own", async (t) => {
  const scripts = await examples("element.md", "js");
  assert.equal(scripts.length, 3);
  const body = (code) => code.replace(/^import .*;\n/gm, "");
  const imports = scripts.join("").match(/^import .*;\n/gm);
  // Imports are those of a bundler.
  const map = { pinhole: "./pinhole/index.js", "pinhole/element": "./pinhole/element/index.js" };
  const page = await open(
    t,
    "own.html",
    `<!doctype html><title>own</title>
     <script type="importmap">${JSON.stringify({ imports: map })}</script>
     <script type="module">
       ${imports.join("")}
       const file = new File([${JSON.stringify(CSV)}], "purchases.csv");
       const highlight = (ids) => (window.highlighted = ids);
       ${body(scripts[0]).replace(/ask\.chatOptions = .*\n/, "")}
       ${body(scripts[1])}
       const text = "Kuper sold for 14.5.";
       const result = await ph.query({ group_by: "shop", select: "sum(amount)" });
       ${body(scripts[2])}
       window.ph = ph;
     </script>`,
  );
  await page.waitForFunction(() => window.ph);
  const alone = page.locator("body > pinhole-answer");
  await alone.locator("mark").first().waitFor();
  assert.match(await shown(alone), /Kuper sold for 14\.5/);
  await page.evaluate(async () => {
    const ask = document.querySelector("pinhole-ask");
    await ask.ask("rows where shop is Kuper");
    const result = await window.ph.query({ where: 'shop == "Kuper"' });
    const rows = (offset, limit) => result.table.page(offset, limit);
    ask.dispatchEvent(new CustomEvent("pinhole-filter", { bubbles: true, detail: { rows } }));
  });
  await page.waitForFunction(() => window.highlighted);
  assert.deepEqual(await page.evaluate(() => window.highlighted), [1, 3]);
});

test("the table and the chart stand alone", async (t) => {
  const [html] = await examples("element-parts.md", "html");
  const page = await open(t, "parts.html", `<!doctype html><title>parts</title>${html}`);
  await page.locator("pinhole-chart svg, pinhole-chart canvas").first().waitFor();
  assert.match(await shown(page.locator("pinhole-table")), /Vkusno/);
});
