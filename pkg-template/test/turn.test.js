// A question of the panel that was asked before, as it is gathered from the events: what is said of
// it, asked afresh, forgotten, offered. The part is built by itself: it needs no document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { calls, scene } from "../testing/questions.js";
import { differences } from "../testing/setup.js";

const { outputFiles } = await build({
  stdin: {
    contents: 'export * from "./turn.ts"; export * from "./completion.ts";',
    resolveDir: fileURLToPath(new URL("../src/element", import.meta.url)),
  },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  logLevel: "error",
});
const { Completion, Turn } = await import(
  `data:text/javascript;base64,${btoa(outputFiles[0].text)}`
);

const TRANSPORT = async () => new Response("model");

/** What asks questions of one conversation, each as a turn of the panel. */
async function panel(t, options) {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ recall, ...options });
  const forgotten = [];
  const ask = async (question, how) => {
    let changes = 0;
    const turn = new Turn(question, {
      ph,
      chat,
      recall,
      host: options ? "model.example" : undefined,
      changed: () => (changes += 1),
      forgot: (one) => forgotten.push(one),
      answered: () => undefined,
    });
    await turn.run(how);
    assert.ok(changes > 0);
    return turn;
  };
  return { recall, ask, forgotten };
}

test("a question asked before says so, and is in the planner's words", async (t) => {
  const { ask } = await panel(t, { transport: TRANSPORT, model: "m" });
  const first = await ask("block");
  assert.deepEqual([first.state, first.recalled, first.local], ["done", undefined, false]);
  const again = await ask("Block");
  assert.equal(calls("chat_ask").length, 1);
  assert.deepEqual([again.state, again.local, again.answer], ["done", true, "3 for Block"]);
  assert.deepEqual([again.recalled.question, again.recalled.by], ["block", "exact"]);
  assert.ok(!Number.isNaN(Date.parse(again.recalled.asked_at)));
  assert.equal(again.result.id, again.results[0].id);
  const fresh = await ask("block", { fresh: true });
  assert.deepEqual([calls("chat_ask").length, fresh.recalled], [2, undefined]);
  // A query of the person's own is no answer from before.
  again.title = "Blocks";
  await again.replace(again.result, true);
  assert.deepEqual([again.recalled, again.title, again.edited], [undefined, undefined, true]);
});

test("what answered is forgotten when the person wants it, or says why not", async (t) => {
  const { recall, ask, forgotten } = await panel(t, { transport: TRANSPORT, model: "m" });
  const first = await ask("block");
  await first.forget();
  assert.deepEqual([first.forgotten, (await recall.list()).length], [false, 1]);
  const turn = await ask("BLOCK");
  const { delete: remove } = recall;
  recall.delete = () =>
    Promise.reject(Object.assign(new Error("no room"), { code: "recall_full" }));
  await turn.forget();
  assert.deepEqual([turn.forgotten, turn.trouble.code, turn.state], [false, "recall_full", "done"]);
  // Nothing was forgotten, and the record is there still.
  recall.delete = async () => false;
  await turn.forget();
  assert.deepEqual([turn.forgotten, turn.trouble.code], [false, "recall_kept"]);
  recall.delete = remove;
  await turn.forget();
  assert.deepEqual([turn.forgotten, turn.trouble], [true, undefined]);
  assert.deepEqual(await recall.list(), []);
  assert.deepEqual(forgotten, ["block", "BLOCK"]);
  assert.equal((await ask("block")).recalled, undefined);
});

test("what was forgotten is not completed, though a kept conversation holds it", async () => {
  const turns = ["total one", "total two"].map((question) => ({
    question,
    events: [{ type: "done" }],
  }));
  const history = { enabled: true, list: async () => [{ id: "a" }], open: async () => ({ turns }) };
  const ph = {
    locale: "en",
    history,
    suggest: async () => [],
    complete: async () => ({ items: [] }),
  };
  const completion = new Completion(ph);
  const offered = async () => {
    const options = await completion.options("total", 5, { name: "t", version: 1, columns: [] });
    return options.map(({ label }) => label);
  };
  assert.deepEqual(await offered(), ["total one", "total two"]);
  completion.forget("total one");
  assert.deepEqual(await offered(), ["total two"]);
  completion.remember("total one");
  assert.deepEqual(await offered(), ["total one", "total two"]);
});

test("questions that may be meant are offered, and the one that is taken answers", async (t) => {
  const { ask } = await panel(t, { transport: TRANSPORT, model: "m" });
  await ask("block");
  const other = await ask("in other words");
  const [offered] = other.suggestions;
  assert.deepEqual([other.recalled, offered.question], [undefined, "block"]);
  const taken = await ask(offered.question, { recalled: offered.id });
  assert.deepEqual([taken.recalled.script_id, taken.suggestions], [offered.id, []]);
});

test("a query that is run while a model answers takes its place, and nothing of the old comes late", async () => {
  let release;
  const held = new Promise((done) => (release = done));
  const signals = [];
  const told = [];
  const chat = {
    async *ask(question, { result, signal }) {
      signals.push(signal);
      if (result === undefined) await held;
      yield { type: "data_block", result_id: result ?? "old", tool: "query" };
      yield { type: "done", answer: result ?? "old", claims: [], verdict: "ok" };
    },
  };
  const turn = new Turn("block", {
    ph: { locale: "en", result: async (id) => ({ id, query: {} }) },
    chat,
    host: "model.example",
    changed: () => undefined,
    answered: ({ answer }) => told.push(answer),
  });
  const old = turn.run();
  await turn.replace({ id: "new", query: {} });
  release();
  assert.equal(await old, false);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  assert.deepEqual([turn.answer, turn.state, turn.results.length], ["new", "done", 1]);
  assert.deepEqual(told, ["new"]);
});

test("differences have names in both languages", () => {
  const differs = [
    "#100",
    "name shop",
    "time 2024",
    "not",
    "high",
    "low",
    "Agg(Sum)",
    "Agg(Mean)",
    "constructor",
    "not",
    "#1.5",
    "time Month",
    "time Month(3)",
  ];
  assert.deepEqual(differences({ differs }, "en"), [
    "numbers (100, 1.5)",
    "“shop”",
    "period",
    "by month",
    "sum",
    "mean",
    "a negation",
    "highest or lowest, above or below",
  ]);
  assert.deepEqual(differences({ differs }, "ru"), [
    "числа (100, 1,5)",
    "«shop»",
    "период",
    "по месяцам",
    "сумма",
    "среднее",
    "отрицание",
    "больше или меньше",
  ]);
  assert.deepEqual(differences({ differs: [] }, "en"), []);
  // "sales before March" and "sales after March"; "по" and "от" are said of no date alone.
  assert.deepEqual(differences({ differs: ["after", "before"] }, "en"), ["before or after a date"]);
  assert.deepEqual(differences({ differs: ["before", "name shop"] }, "ru"), ["«shop»"]);
  assert.deepEqual(differences({ differs: ["before"] }, "ru"), []);
});
