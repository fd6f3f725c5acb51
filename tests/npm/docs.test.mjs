// The examples of docs/adapters.md, run as they stand: each prints what its comments say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { installed } from "./installed.mjs";

const require = createRequire(resolve(import.meta.dirname, "../../pkg-template/package.json"));
const ts = require("typescript");
const run = promisify(execFile);
const here = import.meta.dirname;
const { folder } = await installed("node");

/** The model of the examples: it asks once and answers. */
const MODEL = `
import { MockLanguageModelV4 } from "ai/test";
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const input = JSON.stringify({ table: "sales", group_by: "shop", select: "sum(amount)" });
const say = (content, unified) =>
  ({ content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] });
export const model = new MockLanguageModelV4({
  doGenerate: [
    say({ type: "tool-call", toolCallId: "c", toolName: "query", input }, "tool-calls"),
    say({ type: "text", text: "Vkusno sells the most." }, "stop"),
  ],
});
`;

const text = await readFile(resolve(here, "../../docs/adapters.md"), "utf8");
const examples = [...text.matchAll(/<!-- test: adapters -->\s*```[jt]s\n([\s\S]*?)```/g)];

before(async () => {
  await writeFile(join(folder, "model.js"), MODEL);
  for (const name of ["ai", "@modelcontextprotocol/client"]) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve(here, "../node_modules", name), link);
  }
});

test("there are examples of each adapter", () => {
  for (const name of [
    "pinhole/ai",
    "overPort",
    "overStreams",
    "registerModelContext",
    "register(",
  ]) {
    assert.ok(
      examples.some(([, code]) => code.includes(name)),
      name,
    );
  }
});

test("the AI SDK is that of the document, and has the name of the one before", async () => {
  const about = JSON.parse(await readFile(resolve(here, "../package.json"), "utf8"));
  const [, version] = /The example is of AI SDK (\d+)/.exec(text);
  assert.equal(about.devDependencies.ai.split(".")[0], version);
  const { isStepCount, stepCountIs } = await import("ai");
  assert.deepEqual([typeof isStepCount, stepCountIs === isStepCount], ["function", true]);
});

for (const [i, [, code]] of examples.entries()) {
  test(`example ${i + 1} prints what it says`, async () => {
    const file = join(folder, `example${i}.mjs`);
    // What is written in TypeScript runs without its types.
    const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    await writeFile(file, ts.transpileModule(code, { compilerOptions: target }).outputText);
    const running = run(process.execPath, [file], { cwd: folder, timeout: 120_000 });
    // A server that reads its input ends with it.
    running.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const { stdout } = await running;
    const expected = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((m) => m[1]);
    if (code.includes("process.stdin")) expected.push('{"jsonrpc":"2.0","id":1,"result":{}}');
    assert.ok(expected.length > 0);
    assert.deepEqual(stdout.trimEnd().split("\n"), expected);
  });
}
