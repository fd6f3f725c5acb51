// Tools of one's own and the browser's model context in real Chromium, on a plain page under a
// strict policy, with the engine in its worker.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { launch } from "../browser.mjs";
import { CSV, found } from "../e2e/secrets.mjs";
import { serve } from "../server.mjs";
import { installed } from "./installed.mjs";

const { folder } = await installed("plain");
/** As it comes, and with its model context switched on. */
const SWITCHES = { "as it comes": [], "with its model context": ["--enable-features=WebMCP"] };

/** What a page writes; it says what it found as JSON. */
const PAGE = `
import { Pinhole } from "./node_modules/pinhole/index.js";
import { aiTools } from "./node_modules/pinhole/ai.js";
import { overPort, registerModelContext, serveMcp } from "./node_modules/pinhole/mcp.js";

const seen = {};
try {
  const ph = await Pinhole.open({ policy: { level: "schema" } });
  await ph.load("people", new Blob([${JSON.stringify(CSV)}]));

  // The browser's own where this Chromium has it, else the interface as it is proposed: a name
  // once, gone with its signal.
  seen.own = "modelContext" in document;
  const tools = new Map();
  const context = {
    async registerTool(tool, { signal }) {
      if (tools.has(tool.name)) throw new Error("there already");
      tools.set(tool.name, tool);
      signal.addEventListener("abort", () => tools.delete(tool.name));
    },
    getTools: async () => [...tools.values()],
    executeTool: (tool, input) => tool.execute(input),
  };
  const place = seen.own ? document.modelContext : context;
  const call = async (name, input) => {
    const tool = (await place.getTools()).find((one) => one.name === name);
    return place.executeTool(tool, input);
  };
  const settle = async (count) => {
    for (let i = 0; i < 400 && (await place.getTools()).length !== count; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return (await place.getTools()).length;
  };
  const end = await registerModelContext(ph, seen.own ? {} : { context });
  await ph.tools.register({
    name: "richest",
    description: "Whoever earns the most",
    inputSchema: {
      type: "object",
      properties: { town: { type: "string", pattern: "^\\\\p{Lu}" } },
      required: ["town"],
    },
    async execute({ town }, { signal }) {
      const where = \`town == '\${town}'\`;
      return ph.query({ table: "people", where, sort: "salary desc", limit: 1 }, { signal });
    },
  });
  seen.there = await settle(8);
  const own = await ph.tools.execute("richest", { town: "Riga" });
  seen.rows = (await own.output.table.rows(0, 9)).length;
  seen.sent = [
    await call("richest", { town: "Riga" }),
    await call("richest", { town: "riga" }),
    await call("query", { table: "people", columns: ["name", "salary"], limit: 60 }),
    JSON.stringify(await (await aiTools(ph)).richest.execute({ town: "Oslo" })),
  ];
  const { port1, port2 } = new MessageChannel();
  const server = serveMcp(ph, overPort(port2));
  const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
  const params = { name: "richest", arguments: { town: "Kyiv" } };
  port1.postMessage({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  seen.sent.push(JSON.stringify(await answer));
  server.close();
  end();
  seen.left = await settle(0);
  seen.worker = (await ph.stats()).worker;
  await ph.close();
} catch (error) {
  seen.error = String(error.stack ?? error);
}
document.getElementById("out").textContent = JSON.stringify(seen);
`;

for (const [name, switches] of Object.entries(SWITCHES)) {
  test(`a page's own tool, the model context and MCP under a strict policy: ${name}`, async (t) => {
    await writeFile(join(folder, "main.js"), PAGE);
    const browser = await launch(...switches);
    const { server, url } = await serve(folder);
    t.after(async () => {
      server.close();
      await browser.close();
    });
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
      timeout: 120_000,
    });
    const seen = JSON.parse(await page.textContent("#out"));
    assert.equal(seen.error, undefined);
    t.diagnostic(`Chromium's own model context: ${seen.own}`);
    assert.deepEqual([seen.rows, seen.there, seen.left, seen.worker], [1, 8, 0, true]);
    const [right, wrong, greedy, ai, mcp] = seen.sent;
    for (const text of [right, greedy, ai, mcp]) assert.match(text, /shown to the user as r\d+/);
    assert.equal(wrong, "Error:\n- /town: `town` has to match `^\\p{Lu}`");
    assert.deepEqual(found(seen.sent.join("\n")), []);
    assert.deepEqual(
      problems.filter((problem) => !problem.includes("favicon")),
      [],
    );
  });
}
