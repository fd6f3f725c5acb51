// The examples of the package's README, as they stand there: each runs on a page with the packed
// tarball, beside what the README says that a page has.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { launch } from "../browser.mjs";
import { Endpoint, call, say } from "../e2e/endpoint.mjs";
import { serve } from "../server.mjs";
import { installed } from "./installed.mjs";

const readme = await readFile(resolve(import.meta.dirname, "../../pkg-template/README.md"), "utf8");
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

/** Daily bars of two weeks: gaps of 60 on Mondays and Fridays, of 10 else. */
const BARS = `time,open,high,low,close,volume\n${Array.from({ length: 14 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + i));
  const open = 1000 + ([1, 5].includes(day.getUTCDay()) ? 60 : 10);
  return `${day.toISOString().slice(0, 10)},${open},${open + 5},${open - 5},1000,7\n`;
}).join("")}`;
/** What somebody picked, by what the example does with it. */
const FILES = [
  [/ph\.load\("trades"/, "when,price\n2024-01-05,1.5\n2024-01-06\n"],
  [/ph\.load\("people"/, "name,salary\nAda,5\nBo,6\n"],
  [/./, BARS],
];

/** The example as a function of what the page has. Its own imports stay imports. */
function modulesOf(code, file) {
  const imports = [];
  const body = code.replace(/^import .*;\n/gm, (line) => {
    imports.push(line.replace(/"pinhole(\/\w+)?"/, (_, part) => `"${at(part)}"`));
    return "";
  });
  const opens = code.includes("const ph =");
  if (!opens) {
    imports.push(`import { Pinhole } from "${at()}";\n`);
  }
  const own = opens
    ? ""
    : `const ph = await Pinhole.open({ persist: ${code.includes("ph.history")} });
       await ph.load("bars", new Blob([${JSON.stringify(BARS)}]));
       if (${code.includes("ph.history")}) {
         const before = ph.chat();
         for await (const event of before.ask("average close by dayname")) void event;
         await before.close();
       }`;
  return `${imports.join("")}
    const file = new File([${JSON.stringify(file)}], "table.csv");
    const question = "what is the mean gap?";
    const { signal } = new AbortController();
    try {
      ${own}
      await (async () => { ${body} })();
      document.getElementById("out").textContent = "done";
    } catch (error) {
      document.getElementById("out").textContent = \`\${error.code} \${error.stack}\`;
    }`;
}

const at = (part) => `./node_modules/pinhole${part ?? "/index"}.js`;

test("each example of the package's README runs", async (t) => {
  assert.ok(examples.length >= 9, String(examples.length));
  const { folder } = await installed("plain");
  const html = await readFile(join(folder, "index.html"), "utf8");
  const asked = call("query", { from: "daily", map: { gap: "gap()" }, select: "mean(gap)" });
  const endpoint = new Endpoint((serial) => (serial % 2 === 1 ? asked : say("It is small.")));
  const { server, url } = await serve(folder, 0, async (request, response) => {
    if (request.method !== "POST") return false;
    assert.equal(request.url, "/api/chat");
    request.url = "/v1/chat/completions";
    return endpoint.answer(request, response, await buffer(request));
  });
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  for (const [i, code] of examples.entries()) {
    await t.test(
      code.split("\n").find((line) => /await|const/.test(line)),
      async () => {
        const [, file] = FILES.find(([of]) => of.test(code));
        await writeFile(join(folder, "example.html"), html.replace("main.js", `example${i}.js`));
        await writeFile(join(folder, `example${i}.js`), modulesOf(code, file));
        const context = await browser.newContext();
        const page = await context.newPage();
        const problems = [];
        page.on("pageerror", (error) => problems.push(String(error)));
        await page.goto(new URL("example.html", url).href);
        await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
          timeout: 120_000,
        });
        assert.equal(await page.textContent("#out"), "done");
        assert.deepEqual(problems, []);
        await context.close();
      },
    );
  }
  assert.ok(endpoint.bodies.length >= 2, "the conversation was held");
});
