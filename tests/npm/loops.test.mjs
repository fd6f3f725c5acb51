// A loop of one's own around each provider's client: the definitions in its format, a scripted
// endpoint that calls every tool, and what of the tables stands in what the endpoint receives.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { Endpoint, call, say } from "../e2e/endpoint.mjs";
import { BUILT_IN, POLICIES, greedy, installed, onlyTold, people } from "./installed.mjs";

const { load } = await installed("node");
const pinhole = await load(".");

const DONE = "See the table.";
const QUESTION = { role: "user", content: "everybody?" };

/** Asks until nothing more is called; `run` gives what a tool says. Gives the answer. */
const LOOPS = {
  "openai-chat": async (origin, tools, run) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });
    const messages = [QUESTION];
    for (;;) {
      const asked = { model: "m", messages, tools, stream: false };
      const { message } = (await client.chat.completions.create(asked)).choices[0];
      messages.push(message);
      if (!message.tool_calls) return message.content;
      for (const { id, function: made } of message.tool_calls) {
        const content = await run(made.name, JSON.parse(made.arguments));
        messages.push({ role: "tool", tool_call_id: id, content });
      }
    }
  },
  "openai-responses": async (origin, tools, run) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });
    const input = [QUESTION];
    for (;;) {
      const asked = { model: "m", input, tools, stream: false };
      const { output, output_text } = await client.responses.create(asked);
      input.push(...output);
      const made = output.filter(({ type }) => type === "function_call");
      if (made.length === 0) return output_text;
      for (const { call_id, name, arguments: args } of made) {
        const said = await run(name, JSON.parse(args));
        input.push({ type: "function_call_output", call_id, output: said });
      }
    }
  },
  anthropic: async (origin, tools, run) => {
    const client = new Anthropic({ apiKey: "none", baseURL: origin, maxRetries: 0 });
    const messages = [QUESTION];
    for (;;) {
      const asked = { model: "m", max_tokens: 9, messages, tools, stream: false };
      const { content } = await client.messages.create(asked);
      messages.push({ role: "assistant", content });
      const made = content.filter(({ type }) => type === "tool_use");
      if (made.length === 0) return content[0].text;
      const results = [];
      for (const { id, name, input } of made)
        results.push({ type: "tool_result", tool_use_id: id, content: await run(name, input) });
      messages.push({ role: "user", content: results });
    }
  },
};

for (const [format, loop] of Object.entries(LOOPS)) {
  for (const [policy, most] of POLICIES) {
    test(`${format}: the endpoint receives the summaries and nothing else: ${JSON.stringify(policy)}`, async (t) => {
      const ph = await people(t, pinhole, policy);
      const calls = greedy(BUILT_IN);
      const endpoint = new Endpoint([...calls.map(([tool, args]) => call(tool, args)), say(DONE)]);
      const server = createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        await endpoint.answer(request, response, Buffer.concat(parts));
      });
      await new Promise((done) => server.listen(0, "127.0.0.1", done));
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      const summaries = [];
      const run = async (name, args) => {
        const { summary } = await ph.tools.execute(name, args);
        summaries.push(summary);
        return summary;
      };
      const origin = `http://127.0.0.1:${server.address().port}`;
      assert.equal(await loop(origin, await ph.tools.definitions(format), run), DONE);
      assert.equal(summaries.length, calls.length);
      const bodies = endpoint.bodies.map(String);
      assert.deepEqual(
        JSON.parse(bodies[0]).tools.map((tool) => (tool.function ?? tool).name),
        BUILT_IN,
      );
      for (const summary of summaries) assert.ok(bodies.at(-1).includes(JSON.stringify(summary)));
      onlyTold(bodies.join("\n"), summaries, most);
    });
  }
}

test("every tool is cancelled, and nothing is left of its call", async (t) => {
  const ph = await people(t, pinhole);
  for (const [tool, args] of greedy(BUILT_IN)) {
    const call = ph.tools.execute(tool, args, { signal: AbortSignal.abort() });
    await assert.rejects(call, { code: "cancelled" }, tool);
  }
  const { result_id } = await ph.tools.execute("query", { table: "people", select: "count()" });
  assert.equal(result_id, "r1");
  assert.deepEqual(
    (await ph.stats()).results.map(({ id }) => id),
    ["r1"],
  );
});
