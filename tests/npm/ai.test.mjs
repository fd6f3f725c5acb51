// The tool set in the real AI SDK, with its mock model: what the model gets, what a page sends to
// its server, and that the types fit.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import {
  AbstractChat,
  DefaultChatTransport,
  convertToModelMessages,
  generateText,
  isStepCount,
  lastAssistantMessageIsCompleteWithToolCalls,
  pipeUIMessageStreamToResponse,
  streamText,
  toUIMessageStream,
} from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { BUILT_IN, POLICIES, greedy, installed, onlyTold, people } from "./installed.mjs";

const { about, load } = await installed("node");
const { aiTools, toModelOutput } = await load("./ai");
const pinhole = await load(".");

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = (unified) => ({ finishReason: { unified, raw: undefined }, usage });
const callOf = ([toolName, input], i) => ({
  type: "tool-call",
  toolCallId: `c${i}`,
  toolName,
  input: JSON.stringify(input),
});
const DONE = "See the table.";

/** The tool results in a prompt. */
function resultsIn(prompt) {
  return prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
}

for (const [policy, most] of POLICIES) {
  const name = JSON.stringify(policy);
  const calls = greedy(BUILT_IN);

  test(`the model gets the summaries and nothing else: ${name}`, async (t) => {
    const ph = await people(t, pinhole, policy);
    const replies = [
      ...calls.map((call, i) => ({
        content: [callOf(call, i)],
        ...finish("tool-calls"),
        warnings: [],
      })),
      { content: [{ type: "text", text: DONE }], ...finish("stop"), warnings: [] },
    ];
    const model = new MockLanguageModelV4({ doGenerate: replies });
    const tools = await aiTools(ph);
    const { text, steps } = await generateText({
      model,
      tools,
      prompt: "everybody?",
      stopWhen: isStepCount(calls.length + 1),
    });
    assert.equal(text, DONE);
    const outputs = steps.flatMap((step) => step.toolResults.map(({ output }) => output));
    assert.equal(outputs.length, calls.length);
    for (const output of outputs) {
      const allowed = ["result_id", "summary", "rows"];
      assert.deepEqual(
        Object.keys(output).filter((key) => !allowed.includes(key)),
        [],
      );
      // How many rows a withheld result has is withheld, too.
      const counted = /^Result: (\d+)(?: of \d+)? (?:row|group)/.exec(output.summary)?.[1];
      assert.equal(output.rows, counted && Number(counted));
    }
    // The rows are there, for the page.
    const all = await ph.result(outputs[0].result_id);
    assert.equal((await all.table.rows(0, 100)).length, 60);
    const { prompt, tools: given } = model.doGenerateCalls.at(-1);
    assert.deepEqual(
      resultsIn(prompt).map(({ output }) => output),
      outputs.map(({ summary }) => ({ type: "text", value: summary })),
    );
    assert.deepEqual(
      given.map(({ type, name, inputSchema }) => [type, name, inputSchema.type]),
      BUILT_IN.map((name) => ["function", name, "object"]),
    );
    // What an object of names may hold is still said.
    const { properties } = given[1].inputSchema;
    assert.deepEqual(properties.map.additionalProperties, { type: "string" });
    onlyTold(JSON.stringify(model.doGenerateCalls), outputs.map(toText), most);
  });

  test(`a page's messages to its server hold no cell: ${name}`, async (t) => {
    const ph = await people(t, pinhole, policy);
    const tools = await aiTools(ph);
    const { bodies, prompts, api } = await server(t, tools, calls);
    const summaries = [];
    const failures = [];
    const chat = new PageChat({
      transport: new DefaultChatTransport({ api }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: async ({ toolCall: { toolName: tool, toolCallId, input } }) => {
        const output = await tools[tool].execute(input);
        summaries.push(output.summary);
        void chat.addToolOutput({ tool, toolCallId, output });
      },
      onError: (error) => failures.push(error),
    });
    await chat.sendMessage({ text: "everybody?" });
    await chat.settled();
    assert.deepEqual(failures, []);
    assert.equal(chat.messages.at(-1).parts.at(-1).text, DONE);
    assert.equal(bodies.length, calls.length + 1);
    for (const summary of summaries) {
      assert.ok(bodies.at(-1).includes(JSON.stringify(summary)), "the summaries travel");
    }
    onlyTold(bodies.join("\n"), summaries, most);
    // The server makes the same messages for the model of them, without an engine.
    assert.deepEqual(
      resultsIn(prompts().at(-1)).map(({ output }) => output),
      summaries.map((value) => ({ type: "text", value })),
    );
    onlyTold(JSON.stringify(prompts()), summaries, most);
  });
}

test("the package needs no other, that SDK neither", () => {
  const kinds = Object.keys(about).filter((key) => /dependencies$/iu.test(key));
  assert.deepEqual(kinds, ["devDependencies"]);
});

test("a call that is aborted ends the generation", async (t) => {
  const ph = await people(t, pinhole);
  const abort = new AbortController();
  let heard;
  await ph.tools.register({
    name: "wait",
    description: "Waits",
    inputSchema: { type: "object" },
    execute: (_, { signal }) =>
      new Promise(() => {
        heard = signal;
        abort.abort();
      }),
  });
  const content = [callOf(["wait", {}], 0)];
  const model = new MockLanguageModelV4({
    doGenerate: [{ content, ...finish("tool-calls"), warnings: [] }],
  });
  const tools = await aiTools(ph);
  const asked = { model, tools, prompt: "q", abortSignal: abort.signal, stopWhen: isStepCount(2) };
  await assert.rejects(generateText({ ...asked, maxRetries: 0 }), { name: "AbortError" });
  assert.equal(heard.aborted, true);
});

test("in Russian the same is handed on", async (t) => {
  const ph = await people(t, pinhole, { columns: { "people.salary": "hidden" } });
  await ph.setLocale("ru");
  const { query } = await aiTools(ph);
  const given = async (input) => {
    const { summary, ...also } = await query.execute({ table: "people", ...input });
    return [summary.split(/[:;]/)[0], also];
  };
  assert.deepEqual(await given({ limit: 7 }), ["Результат", { result_id: "r1", rows: 7 }]);
  const towns = { group_by: "town", select: "count()" };
  assert.deepEqual(await given(towns), ["Результат", { result_id: "r2", rows: 3 }]);
  assert.deepEqual(await given({ where: "salary > 1" }), ["Результат", { result_id: "r3" }]);
  const fails = { map: { x: "9223372036854775807 + salary" }, select: "sum(x)" };
  assert.deepEqual(await given(fails), ["Результат", { result_id: "r4" }]);
  assert.deepEqual(await given({ where: "nope > 1" }), ["Ошибка", {}]);
});

test("of a page's own tool the model hears what the gate says of a result, or that it ran", async (t) => {
  const ph = await people(t, pinhole);
  const inputSchema = { type: "object" };
  const rows = () => ph.query({ table: "people", sort: "salary desc", limit: 5 });
  const give = {
    result: rows,
    rows: async () => (await rows()).table.rows(0, 5),
    copy: async () => structuredClone((await rows()).summary),
    text: async () => JSON.stringify(await (await rows()).table.rows(0, 5)),
    thrown: async () => {
      throw new Error(JSON.stringify(await (await rows()).table.rows(0, 5)));
    },
    mean: () => ph.query({ table: "people", select: "mean(salary)" }),
  };
  for (const [name, execute] of Object.entries(give))
    await ph.tools.register({ name, description: name, inputSchema, execute });
  const tools = await aiTools(ph);
  const said = async (name) => (await tools[name].execute({})).summary;
  assert.match(await said("result"), /^Result: 5 of 60 rows/);
  assert.match(await said("mean"), /^Result: 7\d{6}/);
  for (const name of ["rows", "copy", "text"]) {
    assert.deepEqual(await tools[name].execute({}), {
      summary: `The tool \`${name}\` ran: its output is for the user and is not told to you`,
    });
  }
  assert.equal(await said("thrown"), "Error:\n- the tool `thrown` failed");
  // The policy of the moment counts, and what the rule of k has not counted is withheld.
  await ph.setPolicy({ columns: { "people.salary": "hidden" } });
  const withheld = /^Result: shown to the user as r\d+; the policy withholds it from you$/;
  assert.match(await said("result"), withheld);
  await ph.setPolicy({ level: "aggregate" });
  assert.match(await said("mean"), withheld);
});

function toText({ summary }) {
  return summary;
}

/** The endpoint of an application: it has the tools without what runs them. */
async function server(t, tools, calls) {
  const known = Object.fromEntries(
    Object.entries(tools).map(([name, { description, inputSchema }]) => [
      name,
      { description, inputSchema, toModelOutput },
    ]),
  );
  const bodies = [];
  const chunks = [
    ...calls.map((call, i) => [callOf(call, i), { type: "finish", ...finish("tool-calls") }]),
    [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: DONE },
      { type: "text-end", id: "t" },
      { type: "finish", ...finish("stop") },
    ],
  ];
  const model = new MockLanguageModelV4({
    doStream: chunks.map((list) => ({
      stream: simulateReadableStream({
        chunks: [{ type: "stream-start", warnings: [] }, ...list],
      }),
    })),
  });
  const listening = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    bodies.push(Buffer.concat(parts).toString("utf8"));
    const { messages } = JSON.parse(bodies.at(-1));
    const said = await convertToModelMessages(messages, { tools: known });
    const { stream } = streamText({ model, messages: said, tools: known });
    await pipeUIMessageStreamToResponse({
      response,
      stream: toUIMessageStream({ stream, tools: known, originalMessages: messages }),
    });
  });
  await new Promise((done) => listening.listen(0, "127.0.0.1", done));
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return {
    bodies,
    api: `http://127.0.0.1:${listening.address().port}/api/chat`,
    prompts: () => model.doStreamCalls.map(({ prompt }) => prompt),
  };
}

/** A page's chat, as the SDK's bindings of frameworks make it. */
class PageChat extends AbstractChat {
  constructor(options) {
    const state = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => (state.messages = [...state.messages, message]),
      popMessage: () => (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) => {
        state.messages = state.messages.with(index, structuredClone(message));
      },
      snapshot: (thing) => structuredClone(thing),
    };
    super({ ...options, state });
  }

  /** Waits until the last reply is there. */
  async settled() {
    for (let i = 0; i < 2000; i += 1) {
      const last = this.messages.at(-1)?.parts.at(-1);
      if (this.status === "error" || (last?.type === "text" && last.text === DONE)) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
