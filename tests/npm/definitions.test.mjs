// The definitions in every format, and the tool set of the AI SDK, against the types of the packages
// that take them; their schemas against the schema of schemas.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { PURCHASES } from "../e2e/secrets.mjs";
import { EVERY, inPage, installed } from "./installed.mjs";

const run = promisify(execFile);
const here = import.meta.dirname;
const { folder, home } = await installed("plain");

const OWN = {
  name: "weather",
  description: "The weather",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string", enum: ["Oslo"] }, days: { $ref: "#/$defs/n" } },
    required: ["city"],
    $defs: { n: { type: "integer", default: 3 } },
  },
  cost: "high",
};

const FORMATS = {
  "openai-chat": "OpenAI.Chat.ChatCompletionTool",
  "openai-responses": "OpenAI.Responses.FunctionTool",
  anthropic: "Anthropic.Tool",
  mcp: "Mcp.Tool",
};

const HEAD = `import type OpenAI from "openai";
import type Anthropic from "@anthropic-ai/sdk";
import type * as Mcp from "@modelcontextprotocol/client";
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { type ToolSet, generateText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { type OwnTool, Pinhole } from "pinhole";
import { aiTools } from "pinhole/ai";
import { overPort, overStreams, registerModelContext, serveMcp } from "pinhole/mcp";
const ph = await Pinhole.open();
`;

/** What a page writes, with the packages' own types on the other side. */
const USES = `
export const chat: OpenAI.Chat.ChatCompletionTool[] = await ph.tools.definitions();
export const again: OpenAI.Chat.ChatCompletionTool[] = await ph.tools.definitions("openai-chat");
export const responses: OpenAI.Responses.Tool[] = await ph.tools.definitions("openai-responses");
export const messages: Anthropic.ToolUnion[] = await ph.tools.definitions("anthropic");
export const mcp: Mcp.Tool[] = await ph.tools.definitions("mcp");
export const first: ListToolsResult["tools"] = await ph.tools.definitions("mcp");
export const set: ToolSet = await aiTools(ph);
const clock = tool({ description: "The time", inputSchema: (await aiTools(ph)).query!.inputSchema, execute: () => "now" });
void generateText({ model: new MockLanguageModelV4(), tools: { ...(await aiTools(ph)), clock }, prompt: "q" });
const typed: OwnTool<{ city: string }> = {
  name: "weather",
  description: "The weather",
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
  execute: async ({ city }, { signal }) => fetch(city, { signal: signal ?? null }),
};
const remove: () => void = await ph.tools.register(typed);
remove();
const { port1 } = new MessageChannel();
serveMcp(ph, overPort(port1)).close();
serveMcp(ph, overStreams([] as never, { write: (text: string) => text.length }));
const end: (() => void) | undefined = await registerModelContext(ph, { signal: new AbortController().signal });
end?.();
`;

/** Compiles a file; what the compiler says against it. */
async function compile(t, text) {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-types-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve(here, "../node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "file.ts"), text);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"],
    types: [],
    paths: {
      pinhole: [join(home, "index.d.ts")],
      "pinhole/*": [join(home, "*.d.ts")],
    },
  };
  const config = JSON.stringify({ compilerOptions, files: ["file.ts"] });
  await writeFile(join(folder, "tsconfig.json"), config);
  const tsc = resolve(here, "../../pkg-template/node_modules/.bin/tsc");
  return run(tsc, ["-p", folder]).then(
    () => "",
    ({ stdout }) => stdout,
  );
}

test("the list has every tool of the registry", async () => {
  const source = await readFile(resolve(here, "../../src/tools/mod.rs"), "utf8");
  const [, entries] = /^const TOOLS: &\[Tool\] = &\[([^\]]+)\];$/mu.exec(source);
  const names = [...entries.matchAll(/::([A-Z_]+),/gu)].map(([, name]) => name.toLowerCase());
  assert.deepEqual(names, EVERY);
});

/** A page with every tool there is: one where scripts run, nothing is protected, with purchases. */
const PAGE = `
import { Pinhole } from "./node_modules/pinhole/index.js";
const seen = {};
try {
  const ph = await Pinhole.open();
  for (const [name, text] of Object.entries(${JSON.stringify(PURCHASES)}))
    await ph.load(name, new Blob([text]));
  await ph.tools.register({ ...${JSON.stringify(OWN)}, execute: () => "sunny" });
  for (const format of ${JSON.stringify(Object.keys(FORMATS))})
    seen[format] = await ph.tools.definitions(format);
  await ph.close();
} catch (error) {
  seen.error = String(error.stack ?? error);
}
document.getElementById("out").textContent = JSON.stringify(seen);
`;

async function definitions(t) {
  const { seen, problems } = await inPage(t, folder, PAGE);
  assert.deepEqual(problems, []);
  return seen;
}

test("the packages' types take every definition, and what a page writes", async (t) => {
  const lines = [];
  for (const [format, list] of Object.entries(await definitions(t))) {
    assert.equal(list.length, EVERY.length + 1);
    for (const one of list) {
      const name = `v${lines.length}`;
      lines.push(`export const ${name}: ${FORMATS[format]} = ${JSON.stringify(one)};`);
    }
  }
  // That the types say something at all: the same with a field that they do not know, and what no
  // page may write. An error that is expected and does not come is an error.
  const wrong = lines.map((line) =>
    line.replace('"description":', '"describing":').replace("const v", "const w"),
  );
  wrong.push('await ph.tools.definitions("gemini");', 'await ph.tools.register({ name: "x" });');
  const expected = wrong.map((line) => `// @ts-expect-error\n${line}`);
  assert.equal(await compile(t, [HEAD, USES, ...lines, ...expected].join("\n")), "");
});

test("the schemas are schemas, of 2020-12 and of draft-07", async (t) => {
  const { mcp } = await definitions(t);
  assert.deepEqual(
    mcp.map(({ name }) => name),
    [...EVERY, OWN.name],
  );
  for (const make of [() => new Ajv({ strict: false }), () => new Ajv2020({ strict: false })]) {
    for (const { name, inputSchema, outputSchema } of mcp) {
      for (const schema of [inputSchema, outputSchema]) {
        const ajv = make();
        assert.equal(ajv.validateSchema(schema), true, `${name}: ${ajv.errorsText()}`);
        ajv.compile(schema);
      }
    }
  }
});
