// Each example of the READMEs and of the documents as a TypeScript file, checked strictly against the
// types of the packed tarball: what is shown is what the package takes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { installed } from "./installed.mjs";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const modules = resolve(import.meta.dirname, "../node_modules");
const { folder } = await installed("node");

/** What an example takes from the page around it, by its name. */
const AROUND = {
  ph: `declare const ph: import("pinhole").Pinhole;`,
  chat: `declare const chat: import("pinhole").Chat;`,
  result: `declare const result: import("pinhole").Result;`,
  recall: `declare const recall: import("pinhole").Recall;`,
  file: "declare const file: File;",
  signal: "declare const signal: AbortSignal;",
  abort: "declare const abort: AbortController;",
  question: "declare const question: string;",
  text: "declare const text: string;",
  endpoint: "declare const endpoint: string;",
  model: "declare const model: string;",
  show: "declare function show(what: unknown): void;",
  highlight: "declare function highlight(ids: unknown[]): void;",
  products: `declare const products: Blob, items: Blob, receipts: Blob, receipt_items: Blob;`,
  aiTools: `import { aiTools } from "pinhole/ai";`,
  tools: `declare const tools: Record<string, import("pinhole/ai").AiTool>;`,
  useChat: `import { lastAssistantMessageIsCompleteWithToolCalls } from "ai";
declare function useChat(options: {
  sendAutomaticallyWhen: typeof lastAssistantMessageIsCompleteWithToolCalls;
  onToolCall(call: {
    toolCall: { toolName: string; toolCallId: string; input: Record<string, unknown> };
  }): Promise<void>;
}): { messages: unknown[]; addToolOutput(output: object): void };`,
  // What a script of `db.query` has around it.
  db: `declare const db: {
  query(query: import("pinhole").Query): Promise<Record<string, unknown>[]>;
  sql(text: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
};`,
};

/** An example that is no statement: what it is the value of. */
const VALUES = [[/^\{\n {2}format: "csv"/, `import("pinhole").LoadReport`]];

/** The code with what it lacks: names of the page, the package's class, the type of a plain value. */
function complete(code) {
  // A script has no types; this is what it is called with.
  code = code.replace(
    "async function execute(contextCode)",
    "async function execute(contextCode: string)",
  );
  const value = VALUES.find(([of]) => of.test(code));
  if (value) return `export const value: Partial<${value[1]}> = ${code}`;
  const own = (name) =>
    new RegExp(
      `(const|let|function|function\\*) ${name}\\b|(const|let|import) [{[][^=;]*\\b${name}\\b`,
    );
  const needs = (name) => new RegExp(`(?<![.\\w"'])${name}\\b(?!: )`).test(code);
  const around = Object.keys(AROUND).filter((name) => needs(name) && !own(name).test(code));
  if (needs("Pinhole") && !own("Pinhole").test(code)) {
    around.unshift("Pinhole");
  }
  const lines = around.map((name) => AROUND[name] ?? `import { Pinhole } from "pinhole";`);
  return `${lines.join("\n")}\n${code}\nexport {};\n`;
}

/** The examples of a file, each with the line that it begins at. */
async function examplesOf(path) {
  const text = await readFile(join(root, path), "utf8");
  return [...text.matchAll(/^```(?:js|ts)\n([\s\S]*?)^```/gm)].map((found) => ({
    place: `${path}:${text.slice(0, found.index).split("\n").length + 1}`,
    code: found[1],
  }));
}

const docs = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md")).sort();
const paths = ["README.md", "pkg-template/README.md", ...docs.map((name) => `docs/${name}`)];
const examples = (await Promise.all(paths.map(examplesOf))).flat();

test("each example of the documents is TypeScript that compiles strictly", async (t) => {
  assert.ok(examples.length >= 35, String(examples.length));
  for (const name of ["ai", "@modelcontextprotocol/client", "@types/node", "@types/react"]) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(modules, name), link);
  }
  await mkdir(join(folder, "www"));
  for (const name of ["household", "sample"]) {
    await writeFile(join(folder, "www", `${name}.d.ts`), WWW[name]);
  }
  await writeFile(join(folder, "model.d.ts"), MODEL);
  const names = new Map();
  for (const [i, { place, code }] of examples.entries()) {
    const name = `example${i}.ts`;
    const text = complete(code);
    // The line of the document is that of the file, less what stands before it.
    const before = text.slice(0, Math.max(0, text.indexOf(code))).split("\n").length;
    const [path, line] = place.split(":");
    names.set(name, (at) => `${path}:${Number(line) + at - before}`);
    await writeFile(join(folder, name), text);
  }
  // That anything is looked at: a misspelt field of a query is no example of ours.
  const misspelt = complete('await ph.query({ wheer: "a > 1" });');
  await writeFile(join(folder, "example.ts"), misspelt);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
  const tsc = join(root, "pkg-template/node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).catch(
    (error) => error,
  );
  const [, control] = /^(example\.ts.*'wheer'.*\n)/m.exec(stdout) ?? [];
  assert.ok(control, stdout);
  const wrong = stdout
    .replace(control, "")
    .replace(/^(example\d+\.ts)\((\d+),\d+\)/gm, (_, name, line) => names.get(name)(Number(line)));
  t.diagnostic(`${examples.length} examples`);
  assert.equal(wrong, "");
});

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"],
    types: ["node"],
    skipLibCheck: true,
  },
  include: ["example*.ts"],
};

/** The model of docs/adapters.md, which its own test scripts. */
const MODEL = `export declare const model: import("ai").LanguageModel;\n`;

/** The modules of the repository that examples name. */
const WWW = {
  household: `export declare const TABLES: ("products" | "items" | "labels" | "item_labels" | "receipts" | "receipt_items")[];
export declare function household(options: { seed: number; from: string; days: number; language: "en" | "ru" }): Record<string, object[]>;
export declare function csv(rows: object[]): string;
`,
  sample: `export declare const HEADER: string;
export declare function sampleDays(): Iterable<string>;
export declare function sampleStream(): ReadableStream<Uint8Array>;
`,
};
