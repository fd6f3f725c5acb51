// The adapters over a stand-in for the engine: what they hand on of each kind of result, the MCP
// server message by message, and the browser's model context.

import assert from "node:assert/strict";
import { test } from "node:test";
import { aiTools, fake, mcp, open, toModelOutput, until, thrownIn } from "../testing/setup.js";

const SHOWN = "shown to the user as r7";
const RU = "Результат: показан пользователю как r7; политика не раскрывает его вам";
const MINE = { rows: 4, result_id: "r7" };
const ERROR = [{ code: "integer_overflow", message: "zqsecret" }];

/** What the engine gives, and what is handed on of it. */
const CASES = {
  "Result: 4 rows (from 4 of 9 rows)": [MINE, MINE],
  "Result: 4 of 9 groups by a (from 4 of 9 rows)": [MINE, MINE],
  "Результат: 4 строки (по 4 из 9 строк)": [MINE, MINE],
  "Результат: 4 из 21 группы по a (по 4 из 21 строки)": [MINE, MINE],
  "Result: 1 row (from 1 of 9 rows)": [
    { rows: 1, result_id: "r7" },
    { rows: 1, result_id: "r7" },
  ],
  // The summary says less than the page knows: so does what is handed on.
  "Result: 3 groups by a (from 4 of 9 rows)": [MINE, { result_id: "r7" }],
  "Result: 80 (from 80 of 500 rows)": [{ rows: 1, result_id: "r7" }, { result_id: "r7" }],
  [`Result: ${SHOWN}; the policy withholds it from you`]: [MINE, { result_id: "r7" }],
  [`Result: ${SHOWN}, columns \`a\` (text); …`]: [MINE, { result_id: "r7" }],
  [RU]: [MINE, { result_id: "r7" }],
  "table `t`: 9 rows": [{}, {}],
  // A failure that would tell something reads like a result that is withheld.
  [`Result: ${SHOWN}; the policy withholds it from you: few`]: [
    { ok: false, error: ERROR },
    { result_id: "r7" },
  ],
  [`${RU}: за ним меньше 5 строк`]: [{ ok: false, error: ERROR }, { result_id: "r7" }],
  // Whether a result is withheld, failed or never was is not told, by no mark of an error either.
  "Not available: r7 is no result that you were told in full, or it is too long ago": [
    { ok: false, result_id: null, error: ERROR },
    {},
  ],
  "Недоступно: r7 – не результат, который вам раскрыли целиком, или это было давно": [
    { rows: 4, result_id: null },
    {},
  ],
  "Error:\n- /where: unknown column": [{ ok: false, error: ERROR }, {}, true],
};

function given(summary) {
  const [result] = CASES[summary];
  fake.told.set("told", { ok: true, summary, output: "zqsecret", ...result });
}

/** A server of `ph`, what it sends, and how to send to it. */
function served(t, ph, options) {
  const { port1, port2 } = new MessageChannel();
  const got = [];
  port1.onmessage = ({ data }) => got.push(data);
  const server = mcp.serveMcp(ph, mcp.overPort(port2), options);
  t.after(() => {
    server.close();
    port1.close();
  });
  const send = (message) => port1.postMessage(message);
  const ask = async (method, params, id = got.length + 100) => {
    send({ jsonrpc: "2.0", id, method, params });
    await until(() => got.some((one) => one.id === id));
    return got.find((one) => one.id === id);
  };
  return { got, send, ask, server };
}

test("the AI SDK's tools hand on what the summary says and no more", async (t) => {
  const ph = await open(t);
  const { query } = await aiTools(ph);
  const { jsonSchema, validate, version } = query.inputSchema["~standard"];
  assert.equal(version, 1);
  assert.deepEqual(validate({ a: 1 }), { value: { a: 1 } });
  const schema = jsonSchema.input({ target: "draft-07" });
  assert.equal(schema.type, "object");
  schema.type = "changed";
  assert.equal(jsonSchema.output({ target: "draft-2020-12" }).type, "object");
  for (const [summary, [, also]] of Object.entries(CASES)) {
    given(summary);
    const output = await query.execute({ table: "told" });
    assert.deepEqual(output, { summary, ...also }, summary);
    assert.deepEqual(query.toModelOutput({ output }), { type: "text", value: summary });
    assert.deepEqual(toModelOutput({ output }), { type: "text", value: summary });
  }
});

test("the page gets each result whole, whichever adapter the call came by", async (t) => {
  const ph = await open(t);
  const got = [];
  const onResult = (...one) => got.push(one);
  const context = new FakeModelContext();
  const end = await mcp.registerModelContext(ph, { context, onResult });
  t.after(end);
  const { query } = await aiTools(ph, { onResult });
  const { ask } = served(t, ph, { onResult });
  const summary = "Rows behind r1: 4; the user can open them";
  const output = { result_id: "r1", key: { shop: "zqsecret" }, rows: 4 };
  const result = {
    ok: true,
    summary,
    result_id: null,
    rows: null,
    output,
    warnings: [],
    error: null,
  };
  fake.told.set("told", result);
  const args = { table: "told" };
  const said = [
    await query.execute(args),
    (await ask("tools/call", { name: "query", arguments: args })).result,
    await context.tools.get("query").execute(args),
  ];
  assert.deepEqual(got, Array(3).fill(["query", result]));
  assert.ok(!JSON.stringify(said).includes("zqsecret"));
  // What failed is a result, too; what was cancelled is none.
  given("Error:\n- /where: unknown column");
  await query.execute(args);
  assert.deepEqual([got.length, got[3][1].error], [4, ERROR]);
  const abort = new AbortController();
  const slow = query.execute({ table: "slow" }, { abortSignal: abort.signal });
  abort.abort();
  await assert.rejects(slow, { name: "AbortError" });
  assert.equal(got.length, 4);
});

test("what the page's listener throws is the page's, and the call goes on", async (t) => {
  const ph = await open(t);
  const thrown = thrownIn(t);
  const onResult = () => {
    throw new Error("the page's own");
  };
  const { query } = await aiTools(ph, { onResult });
  given("table `t`: 9 rows");
  assert.deepEqual(await query.execute({ table: "told" }), { summary: "table `t`: 9 rows" });
  assert.deepEqual(thrown, ["the page's own"]);
});

test("an engine that dies is told by its code, a cancelled call rejects", async (t) => {
  const ph = await open(t);
  const { query } = await aiTools(ph);
  const abort = new AbortController();
  const slow = query.execute({ table: "slow" }, { abortSignal: abort.signal });
  abort.abort();
  await assert.rejects(slow, { name: "AbortError" });
  assert.deepEqual(await query.execute({ table: "trap" }), { summary: "Error:\n- engine_failed" });
});

test("MCP: the handshake, the list and each kind of result", async (t) => {
  const ph = await open(t);
  const { ask } = served(t, ph, { name: "tables", version: "2" });
  for (const [asked, settled] of [
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2024-11-05"],
    ["2099-01-01", "2025-11-25"],
  ]) {
    const { result } = await ask("initialize", { protocolVersion: asked });
    assert.deepEqual(result, {
      protocolVersion: settled,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "tables", version: "2" },
    });
  }
  assert.deepEqual((await ask("ping")).result, {});
  const { result } = await ask("tools/list");
  assert.deepEqual(result, { tools: await ph.tools.definitions("mcp") });
  for (const [summary, [, also, failed]] of Object.entries(CASES)) {
    given(summary);
    const { result } = await ask("tools/call", { name: "query", arguments: { table: "told" } });
    assert.deepEqual(result, {
      content: [{ type: "text", text: summary }],
      structuredContent: { summary, ...also },
      ...(failed ? { isError: true } : {}),
    });
  }
  const dead = await ask("tools/call", { name: "query", arguments: { table: "trap" } });
  assert.deepEqual(dead.result.structuredContent, { summary: "Error:\n- engine_failed" });
  assert.equal(dead.result.isError, true);
  assert.equal((await ask("tools/list")).error.message, "engine_failed");
});

test("MCP: what is no request is refused, and there are no resources", async (t) => {
  const ph = await open(t);
  const { ask, send, got } = served(t, ph);
  for (const method of ["resources/list", "resources/read", "prompts/list", "server/discover"]) {
    assert.equal((await ask(method)).error.code, -32601, method);
  }
  for (const params of [undefined, {}, { name: 5 }, []]) {
    assert.equal((await ask("tools/call", params)).error.code, -32602);
  }
  got.length = 0;
  // Answers and notifications are taken without a word.
  send({ jsonrpc: "2.0", id: 1, result: {} });
  send({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
  send({ jsonrpc: "2.0", method: "notifications/cancelled" });
  const bad = [[], "text", null, 5, {}, { id: null, method: "ping" }, { id: 7 }, { id: {} }];
  for (const message of bad) send(message);
  await until(() => got.length === bad.length);
  assert.deepEqual(
    got.map(({ id, error }) => [id, error.code]),
    bad.map((message) => [message?.id === 7 ? 7 : null, -32600]),
  );
});

test("MCP: a cancelled call gets no answer and runs no longer", async (t) => {
  const ph = await open(t);
  const { ask, send, got, server } = served(t, ph);
  const signals = [];
  await ph.tools.register({
    name: "wait",
    description: "Waits",
    inputSchema: { type: "object" },
    execute: (_, { signal }) => new Promise(() => signals.push(signal)),
  });
  await until(() => got.some((one) => one.method === "notifications/tools/list_changed"));
  for (const id of [1, "b"]) {
    send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait" } });
  }
  await until(() => signals.length === 2);
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await until(() => signals[0].aborted);
  assert.equal(signals[1].aborted, false);
  await ask("ping");
  assert.ok(!got.some(({ id }) => id === 1 || id === "b"));
  server.close();
  assert.equal(signals[1].aborted, true);
});

test("MCP over streams: lines in pieces, broken lines, the last without its end", async (t) => {
  const ph = await open(t);
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    "{broken",
    "",
    '{"jsonrpc":"2.0","id":"Ё","method":"nothing"}',
    '{"jsonrpc":"2.0","id":3,"method":"ping"}',
  ];
  const bytes = new TextEncoder().encode(lines.join("\n"));
  async function* input() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const written = [];
  const output = { write: (text) => written.push(text) };
  mcp.serveMcp(ph, mcp.overStreams(input(), output));
  await until(() => written.length === 4);
  assert.ok(written.every((text) => text.endsWith("\n")));
  const got = written.map((text) => JSON.parse(text));
  assert.deepEqual(got, [
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "no JSON" } },
    { jsonrpc: "2.0", id: "Ё", error: { code: -32601, message: "no method `nothing`" } },
    { jsonrpc: "2.0", id: 3, result: {} },
  ]);
  async function* texts() {
    yield "{}\n";
    throw new Error("gone");
  }
  mcp.serveMcp(ph, mcp.overStreams(texts(), output)).close();
});

/** The browser's interface as the proposal has it. */
class FakeModelContext {
  tools = new Map();

  async registerTool(tool, { signal } = {}) {
    assert.match(tool.name, /^[A-Za-z0-9_.-]{1,128}$/);
    assert.ok(tool.description);
    JSON.parse(JSON.stringify(tool.inputSchema));
    signal?.throwIfAborted();
    if (this.tools.has(tool.name)) throw new Error("there already");
    this.tools.set(tool.name, tool);
    signal?.addEventListener("abort", () => this.tools.delete(tool.name));
  }
}

/** The same of earlier proposals: no promise, no signal, a method that takes a tool away. */
class EarlierModelContext {
  tools = new Map();

  registerTool(tool) {
    this.tools.set(tool.name, tool);
  }

  unregisterTool(name) {
    if (!this.tools.delete(name)) throw new Error("not there");
  }
}

const own = { name: "own", description: "Own", inputSchema: { type: "object" }, execute: () => 1 };

test("the browser's model context: the tools come, follow the page's, and go", async (t) => {
  for (const context of [new FakeModelContext(), new EarlierModelContext()]) {
    const ph = await open(t);
    const names = () => [...context.tools.keys()];
    const end = await mcp.registerModelContext(ph, { context });
    assert.deepEqual(names(), ["query"]);
    const remove = await ph.tools.register(own);
    await until(() => names().length === 2);
    const { annotations, execute } = context.tools.get("own");
    assert.deepEqual(annotations, { readOnlyHint: false, untrustedContentHint: true });
    assert.match(await execute({}), /is not told to you$/);
    for (const summary of Object.keys(CASES)) {
      given(summary);
      assert.equal(await context.tools.get("query").execute({ table: "told" }), summary);
    }
    const abort = new AbortController();
    const slow = context.tools.get("query").execute({ table: "slow" }, { signal: abort.signal });
    abort.abort();
    await assert.rejects(slow, { name: "AbortError" });
    remove();
    await until(() => names().length === 1);
    assert.deepEqual(names(), ["query"]);
    end();
    end();
    assert.deepEqual(names(), []);
    await ph.tools.register(own);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(names(), []);
  }
});

test("the browser's model context: found where it is, and nothing where it is not", async (t) => {
  const ph = await open(t);
  assert.equal(await mcp.registerModelContext(ph), undefined);
  const context = new FakeModelContext();
  t.after(() => delete globalThis.document);
  globalThis.document = { modelContext: context };
  const signal = AbortSignal.abort();
  assert.equal(await mcp.registerModelContext(ph, { signal }), undefined);
  const abort = new AbortController();
  assert.ok(await mcp.registerModelContext(ph, { signal: abort.signal }));
  assert.equal(context.tools.size, 1);
  abort.abort();
  assert.equal(context.tools.size, 0);
  // A name that the page itself has taken: nothing is left behind.
  await context.registerTool({ ...own, name: "query" });
  await ph.tools.register(own);
  await assert.rejects(mcp.registerModelContext(ph), /there already/);
  assert.deepEqual([...context.tools.keys()], ["query"]);
});
