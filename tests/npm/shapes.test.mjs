// The shapes of the three formats against the providers' own packages: their clients read what the
// tests say that endpoints send, and their types take what the package sends.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { Endpoint, call, say } from "../e2e/endpoint.mjs";

const here = import.meta.dirname;
const run = promisify(execFile);

/** How each provider's client reads a stream: its text and its calls. */
const CLIENTS = {
  "openai-chat": async (origin) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });
    const messages = [{ role: "user", content: "q" }];
    const message = await client.chat.completions.stream({ model: "m", messages }).finalMessage();
    const calls = (message.tool_calls ?? []).map((c) => JSON.parse(c.function.arguments));
    return { text: message.content ?? "", calls };
  },
  "openai-responses": async (origin) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });
    const response = await client.responses.stream({ model: "m", input: "q" }).finalResponse();
    const calls = response.output.filter(({ type }) => type === "function_call");
    return { text: response.output_text, calls: calls.map((c) => JSON.parse(c.arguments)) };
  },
  anthropic: async (origin) => {
    const client = new Anthropic({ apiKey: "none", baseURL: origin, maxRetries: 0 });
    const messages = [{ role: "user", content: "q" }];
    const asked = client.messages.stream({ model: "m", max_tokens: 9, messages });
    const { content } = await asked.finalMessage();
    const text = content.filter(({ type }) => type === "text").map(({ text }) => text);
    const calls = content.filter(({ type }) => type === "tool_use").map(({ input }) => input);
    return { text: text.join(""), calls };
  },
};

async function serving(t, answer) {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    await answer(request, response, Buffer.concat(parts));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** The cases of a transcript: the bodies of replies, and the lines of what comes of them. */
async function transcript(name) {
  const text = await readFile(resolve(here, `../replay/${name}.txt`), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const bodies = [];
      const lines = [];
      for (const line of section.split("\n").slice(1)) {
        if (line.startsWith("< ")) bodies.push({ head: line.slice(2), body: "" });
        else if (line.startsWith("= ")) lines.push(line.slice(2));
        else if (/^[>!#]/.test(line) || bodies.length === 0) continue;
        else bodies.at(-1).body += `${line}\n`;
      }
      return { name: section.split("\n")[0], bodies, lines };
    });
}

for (const [name, read] of Object.entries(CLIENTS)) {
  test(`${name}: the client reads what the scripted endpoint sends`, async (t) => {
    const query = { table: "purchases", title: "Всё" };
    const script = [
      { ...call("query", query), text: "Let me look." },
      say("912 – да.", { bytes: 3 }),
    ];
    const endpoint = new Endpoint(script);
    const origin = await serving(t, (...all) => endpoint.answer(...all));
    assert.deepEqual(await read(origin), { text: "Let me look.", calls: [query] });
    assert.deepEqual(await read(origin), { text: "912 – да.", calls: [] });
  });

  test(`${name}: the client reads the transcripts`, async (t) => {
    let body;
    const origin = await serving(t, (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    });
    let read_ = 0;
    const proper = /^(a call|what the model thought|parallel|a wrong number|the same failure)/;
    for (const { name: title, bodies } of await transcript(name)) {
      if (!proper.test(title)) continue;
      for (const reply of bodies) {
        ({ body } = reply);
        const { text, calls } = await read(origin);
        assert.ok(text !== "" || calls.length > 0, title);
        read_ += 1;
      }
    }
    assert.ok(read_ >= 10, String(read_));
  });
}

test("the types take every request", async (t) => {
  const types = {
    "openai-chat": [
      "OpenAI.Chat.ChatCompletionCreateParams",
      "OpenAI.Chat.ChatCompletionMessageParam",
    ],
    "openai-responses": [
      "OpenAI.Responses.ResponseCreateParams",
      "OpenAI.Responses.ResponseInputItem",
    ],
    anthropic: ["Anthropic.MessageCreateParams", "Anthropic.MessageParam"],
  };
  const lines = [
    'import type OpenAI from "openai";',
    'import type Anthropic from "@anthropic-ai/sdk";',
    "export const all: unknown[] = [];",
  ];
  let taken = 0;
  for (const [name, [request, message]] of Object.entries(types)) {
    for (const { lines: came } of await transcript(name)) {
      for (const line of came) {
        const [kind, ...json] = line.split(" ");
        if (kind !== "request" && kind !== "sent") continue;
        // What other providers want back beside the format is not in its types.
        if (/extra_content|reasoning_content/.test(line)) continue;
        const type = kind === "request" ? request : message;
        lines.push(`const v${taken}: ${type} = ${json.join(" ")}; all.push(v${taken});`);
        taken += 1;
      }
    }
  }
  assert.ok(taken > 100, String(taken));
  const folder = await mkdtemp(join(tmpdir(), "pinhole-shapes-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve(here, "../node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const tsc = resolve(here, "../../pkg-template/node_modules/.bin/tsc");
  const check = (file) =>
    run(tsc, [
      ...["--noEmit", "--strict", "--skipLibCheck", "--preserveSymlinks"],
      ...["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"],
      join(folder, file),
    ]).catch((error) => error);
  await writeFile(join(folder, "right.ts"), lines.join("\n"));
  const right = await check("right.ts");
  assert.equal(right.code, undefined, right.stdout);
  // That the types say something at all: a field they do not know.
  const wrong = lines.map((line) => line.replace('"role":"user"', '"roles":"user"'));
  await writeFile(join(folder, "wrong.ts"), wrong.join("\n"));
  assert.ok((await check("wrong.ts")).code > 0);
});
