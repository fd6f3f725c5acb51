// Tools of one's own and the browser's model context in real Chromium, on a plain page under a
// strict policy, with the engine in its worker.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CSV, PURCHASES, found } from "../e2e/secrets.mjs";
import { ALL_HIDDEN, EVERY, FEW, greedy, inPage, installed, onlyTold } from "./installed.mjs";

const { folder } = await installed("plain");
/** As it comes, and with its model context switched on. */
const SWITCHES = {
  "as it comes": [],
  "with its model context": ["--enable-features=WebMCP"],
};

/** Policies, and how many secrets may be told under each; scripts run under the last alone. */
const OPEN = { columns: { "people.email": "open" } };
const GREEDY = [
  [{ level: "schema" }, 0],
  [ALL_HIDDEN, 0],
  [{ columns: { "people.email": "hidden" } }, FEW],
  [OPEN, FEW],
];

/** What a page writes; it says what it found as JSON. */
const PAGE = `
import { Pinhole } from "./node_modules/pinhole/index.js";
import { aiTools } from "./node_modules/pinhole/ai.js";
import { overPort, registerModelContext, serveMcp } from "./node_modules/pinhole/mcp.js";

const seen = {};
try {
  const ph = await Pinhole.open({ policy: ${JSON.stringify(OPEN)} });
  const tables = { people: ${JSON.stringify(CSV)}, ...${JSON.stringify(PURCHASES)} };
  for (const [name, text] of Object.entries(tables)) await ph.load(name, new Blob([text]));

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
  // What \`source_rows\` asks for is opened here, whichever way the call came.
  seen.opened = [];
  let opens = () => undefined;
  const onResult = (tool, { ok, output }) => {
    if (tool === "source_rows" && ok) opens(output);
  };
  const opened = async (run) => {
    const asked = new Promise((resolve) => (opens = resolve));
    await run();
    const { result_id, key, rows } = await asked;
    const page = await (await ph.result(result_id)).source(key);
    seen.opened.push([key, rows, page.total, page.rows.length]);
  };
  const end = await registerModelContext(ph, { onResult, ...(seen.own ? {} : { context }) });
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
  seen.there = await settle(${EVERY.length + 1});
  const asked = { table: "people", group_by: "town", select: "count()" };
  const { result_id: result } = await ph.tools.execute("query", asked);
  const behind = { result, key: { town: "Riga" } };
  await opened(() => call("source_rows", behind));
  const { source_rows } = await aiTools(ph, { onResult });
  await opened(() => source_rows.execute(behind));
  await ph.setPolicy({ level: "schema" });
  const own = await ph.tools.execute("richest", { town: "Riga" });
  seen.rows = (await own.output.table.rows(0, 9)).length;
  seen.sent = [
    await call("richest", { town: "Riga" }),
    await call("richest", { town: "riga" }),
    await call("query", { table: "people", columns: ["name", "salary"], limit: 60 }),
    JSON.stringify(await (await aiTools(ph)).richest.execute({ town: "Oslo" })),
  ];
  const { port1, port2 } = new MessageChannel();
  const server = serveMcp(ph, overPort(port2), { onResult });
  const served = async (params) => {
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    port1.postMessage({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    return answer;
  };
  seen.sent.push(JSON.stringify(await served({ name: "richest", arguments: { town: "Kyiv" } })));

  // Every tool, for as much as there is, through each adapter: all that is handed on, and the
  // summary in it.
  await ph.setPolicy(${JSON.stringify(OPEN)});
  await opened(() => served({ name: "source_rows", arguments: behind }));
  const set = await aiTools(ph);
  const ways = {
    context: async (name, input) => {
      const text = await call(name, input);
      return [text, text];
    },
    set: async (name, input) => {
      const output = await set[name].execute(input);
      return [JSON.stringify(output), set[name].toModelOutput({ output }).value];
    },
    served: async (name, input) => {
      const answer = await served({ name, arguments: input });
      return [JSON.stringify(answer), answer.result.content[0].text];
    },
    itself: async (name, input) => {
      const { summary } = await ph.tools.execute(name, input);
      return [summary, summary];
    },
  };
  seen.greedy = [];
  for (const policy of ${JSON.stringify(GREEDY.map(([policy]) => policy))}) {
    await ph.setPolicy(policy);
    const heard = {};
    for (const [way, run] of Object.entries(ways)) {
      heard[way] = [];
      // The calls name results by the numbers that they have in a page of their own.
      const { result_id } = await ph.tools.execute("query", { table: "people", select: "count()" });
      const before = Number(result_id.slice(1));
      for (const [tool, { ...args }] of ${JSON.stringify(greedy(EVERY))}) {
        if (args.result) args.result = "r" + (before + Number(args.result.slice(1)));
        heard[way].push(await run(tool, args));
      }
    }
    seen.greedy.push(heard);
  }
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
    const { seen, problems } = await inPage(t, folder, PAGE, switches);
    t.diagnostic(`Chromium's own model context: ${seen.own}`);
    // The flag is that of this Chromium: where it is on, it is the browser's own that was used.
    if (switches.length > 0) assert.equal(seen.own, true);
    const { rows, there, left, worker } = seen;
    assert.deepEqual([rows, there, left, worker], [1, EVERY.length + 1, 0, true]);
    assert.equal(seen.opened.length, 3);
    for (const [key, told, total, shown] of seen.opened) {
      assert.deepEqual(key, { town: "Riga" });
      assert.ok(told > 0 && told === total && shown === Math.min(told, 100), `${told}`);
    }
    const [right, wrong, whole, ai, mcp] = seen.sent;
    for (const text of [right, whole, ai, mcp]) assert.match(text, /shown to the user as r\d+/);
    assert.equal(wrong, "Error:\n- /town: `town` has to match `^\\p{Lu}`");
    assert.deepEqual(found(seen.sent.join("\n")), []);
    assert.deepEqual(problems, []);
    for (const [i, [policy, most]] of GREEDY.entries()) {
      const { itself, ...ways } = seen.greedy[i];
      // Ids go on.
      const alike = (heard) => heard.map(([, text]) => text.replace(/\br\d+/g, "r"));
      for (const [way, heard] of Object.entries(ways)) {
        assert.deepEqual(alike(heard), alike(itself), way);
        const [sent, said] = [0, 1].map((place) => heard.map((one) => one[place]));
        onlyTold(sent.join("\n"), said, most);
      }
      const scripts = itself.filter(([text]) => text.includes("scripts run only where"));
      assert.equal(scripts.length, policy === OPEN ? 0 : 3);
    }
  });
}
