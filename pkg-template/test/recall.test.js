// Questions asked before: where they are kept, what runs, what is told, and that nothing is lost
// when the store fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD, calls, forget, reopened, scene } from "../testing/questions.js";
import {
  DeviceRecallStore,
  FakeWorker,
  MemoryRecallStore,
  collect,
  fake,
  until,
} from "../testing/setup.js";

for (const [name, make] of [
  ["in memory", () => new MemoryRecallStore()],
  ["on the device", () => new DeviceRecallStore()],
]) {
  test(`a store ${name} keeps data sets apart`, async () => {
    await forget();
    const store = make();
    assert.deepEqual(await store.load("CARL"), []);
    const put = [RECORD(1, "CARL"), RECORD(2, "OTHER"), RECORD(3, "CARL")];
    await store.apply({ put, gone: [] });
    await store.apply({ put: [RECORD(1, "CARL", { usage_count: 7 })], gone: [3, 99] });
    assert.deepEqual(await store.load("CARL"), [RECORD(1, "CARL", { usage_count: 7 })]);
    assert.deepEqual(await store.load("OTHER"), [RECORD(2, "OTHER")]);
    // Nothing of a change that cannot be made as a whole is made.
    const bad = { ...RECORD(4, "CARL"), script: () => undefined };
    await assert.rejects(async () => store.apply({ put: [RECORD(5, "CARL"), bad], gone: [2] }));
    assert.deepEqual((await store.load("CARL")).length, 1);
    assert.deepEqual((await store.load("OTHER")).length, 1);
  });
}

test("the second time neither the planner nor a model is asked", async (t) => {
  const { recall } = await scene(t);
  const first = await recall.ask("count the rows");
  assert.deepEqual([first.success, first.cached, first.raw], [true, false, "r1"]);
  assert.equal(first.human, "3 for count the rows");
  assert.equal(first.result.id, "r1");
  const second = await recall.ask("Count the ROWS");
  assert.deepEqual([second.success, second.cached, second.by], [true, true, "exact"]);
  assert.equal(second.script_id, first.script_id);
  assert.ok(!Number.isNaN(Date.parse(second.asked_at)));
  // The rows are those of now: it has run again.
  assert.equal(second.raw, "r2");
  const [record] = await recall.list();
  assert.deepEqual([record.usage_count, record.is_valid, record.kind], [1, true, "query"]);
  assert.deepEqual([record.last_result.raw, record.last_result.human], ["r2", second.human]);
  const anew = await recall.ask("count the rows", { fresh: true });
  assert.deepEqual([anew.cached, (await recall.get(record.id)).usage_count], [false, 1]);
});

test("what is not known is offered beside what the planner says", async (t) => {
  const { recall } = await scene(t);
  await recall.ask("count the rows");
  const answer = await recall.ask("unheard of");
  assert.deepEqual([answer.success, answer.error, answer.cached], [false, "not_understood", false]);
  assert.ok(answer.human.length > 0);
  assert.deepEqual(
    answer.suggestions.map(({ question }) => question),
    ["count the rows"],
  );
  const { suggestions } = await recall.suggest("rows?", { limit: 1, threshold: 0.2 });
  assert.equal(suggestions[0].similarity, 0.9);
  assert.equal((await recall.ask("count wordless")).human, "Found 1 results. See the data.");
});

test("questions are listed, changed, run, forgotten, taken out and brought back", async (t) => {
  const { ph, recall } = await scene(t);
  const id = await recall.save("all rows?", { kind: "sql", script: "SELECT 1" });
  assert.equal((await recall.get(id)).is_valid, false);
  assert.equal((await recall.execute(id)).success, true);
  assert.deepEqual(calls("sql"), [["sql", "SELECT 1", []]]);
  assert.equal(await recall.update(id, { is_valid: false }), true);
  assert.equal(await recall.update(id + 1, {}), false);
  const lines = await recall.export();
  const other = ph.recall({ context: "OTHER" });
  assert.deepEqual(await other.list(), []);
  assert.equal(await other.get(id), undefined);
  await assert.rejects(other.execute(id), { code: "unknown_question" });
  assert.equal(await recall.delete(id), true);
  assert.equal(await recall.delete(id), false);
  assert.equal((await recall.import(lines)).added, 1);
  assert.equal((await recall.list()).length, 1);
});

test("what runs no more says so in the language of the page", async (t) => {
  const { ph, recall } = await scene(t);
  const kept = { kind: "query", script: '{"where":"nope > 1"}' };
  const id = await recall.save("which?", kept);
  for (const [locale, human] of [
    ["en", /does not run any more: unknown column `nope`/],
    ["ru", /больше не выполняется: unknown column `nope`/],
  ]) {
    await ph.setLocale(locale);
    const { success, error, human: told, script, script_id, cached } = await recall.execute(id);
    assert.deepEqual([success, script_id, cached, script], [false, id, true, kept.script]);
    assert.match(error, /^unknown_column: /);
    assert.match(told, human);
  }
  assert.equal((await recall.get(id)).is_valid, false);
});

test("a cancelled run says nothing against what ran", async (t) => {
  const { recall } = await scene(t);
  const id = await recall.save("slow?", { kind: "query", script: '{"table":"slow"}' });
  await recall.update(id, { is_valid: true });
  const abort = new AbortController();
  const run = recall.execute(id, { signal: abort.signal });
  await until(() => calls("query").length > 0);
  abort.abort();
  await assert.rejects(run, { code: "cancelled" });
  assert.equal((await recall.get(id)).is_valid, true);
});

test("questions outlive the page with its consent, and only then", async (t) => {
  for (const persist of [true, false]) {
    const { ph, recall } = await scene(t, { persist });
    await recall.ask("count the rows");
    await ph.close();
    const again = await reopened(t, { persist });
    assert.equal((await again.recall.ask("count the rows")).cached, persist);
    await again.ph.close();
  }
});

test("questions that are closed stay closed, and a conversation goes on without them", async (t) => {
  const { ph, recall } = await scene(t, { persist: true });
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  await collect(chat.ask("block"));
  const [{ id }] = await recall.list();
  const found = await recall.find("block");
  await Promise.all([recall.close(), recall.close()]);
  for (const call of [
    () => recall.ask("block"),
    () => recall.find("block"),
    () => recall.suggest("block"),
    () => recall.list(),
    () => recall.get(id),
    () => recall.save("q", { kind: "sql", script: "SELECT 1" }),
    () => recall.update(id, { is_valid: false }),
    () => recall.delete(id),
    () => recall.execute(id),
    () => recall.export(),
    () => recall.import(""),
    () => recall.migrate(),
  ]) {
    await assert.rejects(call, { code: "recall_closed" });
  }
  // What was under way gives its answer, and keeps nothing.
  const { answer } = await recall.run(found.record, { by: found.by });
  assert.equal(answer.success, true);
  fake.log.length = 0;
  assert.equal((await collect(chat.ask("block"))).at(-1).type, "done");
  assert.equal((await collect(chat.ask("block", { recalled: id }))).at(-1).type, "done");
  assert.equal(calls("chat_ask").length, 2);
  assert.deepEqual(calls("recall_open"), []);
  const [kept] = await new DeviceRecallStore().load("CARL");
  assert.equal(kept.usage_count, 0);
});

test("questions outlive the engine", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const { ph, recall } = await scene(t, { worker: () => new FakeWorker() });
  assert.equal((await recall.ask("count the rows")).cached, false);
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  await ph.load("t", new Blob(["a\n1\n"]));
  assert.equal((await recall.ask("count the rows")).cached, true);
});

test("a store that is full loses nothing", async (t) => {
  const { recall } = await scene(t, { persist: true });
  await recall.ask("count before");
  const { put } = IDBObjectStore.prototype;
  t.after(() => (IDBObjectStore.prototype.put = put));
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  // The person has an answer; the page can say that it is not kept.
  assert.equal((await recall.ask("count meanwhile")).success, true);
  assert.equal(recall.problem.code, "recall_full");
  const saved = recall.save("q", { kind: "sql", script: "SELECT 1" });
  await assert.rejects(saved, { code: "recall_full" });
  const kept = async () => {
    const records = await new DeviceRecallStore().load("CARL");
    return records.map(({ question }) => question).sort();
  };
  assert.deepEqual(await kept(), ["count before"]);
  IDBObjectStore.prototype.put = put;
  assert.equal((await recall.ask("count meanwhile")).cached, true);
  assert.equal(recall.problem, undefined);
  assert.deepEqual(await kept(), ["count before", "count meanwhile", "q"]);
});

test("a store that was deleted underneath is made anew, and stays cleared", async (t) => {
  const { ph, recall } = await scene(t, { persist: true });
  await recall.ask("count before");
  await forget();
  assert.equal((await recall.ask("count before")).cached, true);
  await recall.ask("count after");
  assert.equal(recall.problem, undefined);
  await ph.close();
  const again = await reopened(t, { persist: true });
  const questions = (await again.recall.list()).map(({ question }) => question);
  assert.deepEqual(questions.sort(), ["count after", "count before"]);
});

test("a store of a later version, or one that is held, is left as it is", async (t) => {
  const { open: openDatabase } = indexedDB;
  for (const [code, break_] of [
    ["recall_later", (name) => openDatabase.call(indexedDB, name, 99)],
    ["recall_blocked", undefined],
  ]) {
    await forget();
    if (break_) {
      await new Promise((done, fail) => {
        const request = break_("pinhole-recall");
        request.onsuccess = () => {
          request.result.close();
          done();
        };
        request.onerror = fail;
      });
    } else {
      indexedDB.open = (name, version) => {
        if (name !== "pinhole-recall") return openDatabase.call(indexedDB, name, version);
        const request = {};
        queueMicrotask(() => request.onblocked());
        return request;
      };
    }
    const { recall } = await reopened(t, { persist: true });
    assert.equal((await recall.ask("count the rows")).success, true);
    assert.equal((await recall.ask("count the rows")).cached, true);
    assert.equal(recall.problem.code, code);
    indexedDB.open = openDatabase;
    if (break_) continue;
    // As soon as it is let go, everything is written.
    await recall.ask("count the rows");
    assert.equal(recall.problem, undefined);
    assert.equal((await new DeviceRecallStore().load("CARL")).length, 1);
  }
  await forget();
});

test("two pages that are open know of each other's questions", async (t) => {
  const { recall } = await scene(t, { persist: true });
  const { recall: other } = await reopened(t, { persist: true });
  assert.deepEqual(await other.list(), []);
  const { script_id } = await recall.ask("count the rows");
  for (let i = 0; i < 200 && (await other.list()).length === 0; i += 1)
    await new Promise((r) => setTimeout(r, 5));
  assert.equal((await other.ask("count the rows")).cached, true);
  await other.delete(script_id);
  for (let i = 0; i < 200 && (await recall.list()).length > 0; i += 1)
    await new Promise((r) => setTimeout(r, 5));
  assert.deepEqual(await recall.list(), []);
});

test("an embedder of the page gives the vectors", async (t) => {
  const seen = [];
  const embedder = {
    dim: 2,
    embed: async (texts) => {
      seen.push(...texts);
      return texts.map((text) => (text === "broken" ? [1] : [0.5, 1]));
    },
  };
  const { ph, recall } = await scene(t, {}, { embedder });
  await recall.ask("count the rows");
  const { suggestions } = await recall.suggest("something");
  assert.deepEqual([suggestions[0].similarity, seen.at(-1)], [0.5, "something"]);
  assert.equal((await recall.suggest("broken")).suggestions[0].similarity, 0.9);
  assert.equal(recall.problem.code, "bad_option");
  await recall.import(`${JSON.stringify(RECORD(7, "CARL"))}\n`);
  assert.deepEqual([await recall.migrate(), await recall.migrate()], [1, 0]);
  assert.deepEqual((await recall.get(7)).embedding.values, [0.5, 1]);
  const built = ph.recall({ context: "BUILT" });
  await built.import(`${JSON.stringify(RECORD(8, "BUILT"))}\n`);
  // Whichever was first, this call or what is done after opening.
  await built.migrate();
  assert.deepEqual((await built.get(8)).embedding.values, [1]);
  assert.equal(await built.migrate(), 0);
  for (const [wrong, code] of [
    [{ embedder: { ...embedder, remote: true } }, "bad_option"],
    [{ embedder: { dim: 2 } }, "bad_option"],
    [{ context: "" }, "bad_option"],
  ]) {
    assert.throws(() => ph.recall({ context: "X", ...wrong }), { code });
  }
});

test("an embedder elsewhere gets what the ledger has, once that is approved", async (t) => {
  const seen = [];
  const embedder = {
    name: "vectors.example",
    dim: 2,
    remote: true,
    embed: async (texts) => {
      seen.push(texts);
      return texts.map(() => [0.5, 1]);
    },
  };
  let allow = true;
  const asked = [];
  const onBeforeSend = (entry) => {
    asked.push(entry.body);
    return allow;
  };
  const { ph, recall } = await scene(t, { onBeforeSend }, { embedder });
  // Whoever shows where questions go is told.
  assert.deepEqual(
    [recall.remote, ph.recall({ context: "here" }).remote],
    [embedder.name, undefined],
  );
  await recall.ask("count the rows of Anna");
  // A question leaves once, though it is looked up and kept.
  assert.deepEqual(seen, [["count the rows of [hidden]"]]);
  assert.deepEqual(asked, ['["count the rows of [hidden]"]']);
  const [entry] = await ph.ledger.entries();
  assert.deepEqual([entry.endpoint, entry.body], ["vectors.example", asked[0]]);
  // What is known word for word need not leave.
  assert.equal((await recall.ask("Count the rows of Anna")).cached, true);
  assert.equal(seen.length, 1);
  // What is stopped does not leave; words are searched all the same.
  allow = false;
  assert.equal((await recall.suggest("something", { embed: true })).suggestions.length, 1);
  assert.deepEqual([seen.length, recall.problem.code], [1, "send_refused"]);
  const lines = [RECORD(7, "CARL"), { ...RECORD(8, "CARL"), question: "of a table elsewhere" }];
  await recall.import(lines.map((record) => `${JSON.stringify(record)}\n`).join(""));
  await assert.rejects(recall.migrate(), { code: "send_refused" });
  allow = true;
  // Records whose tables are not there wait.
  assert.deepEqual([await recall.migrate(), await recall.migrate()], [1, 0]);
  assert.deepEqual(seen.at(-1), [RECORD(7, "CARL").question]);
  assert.equal((await recall.get(8)).embedding, undefined);
});

test("a cancelled question does not leave, and one that is stopped is shown once", async (t) => {
  const seen = [];
  const embedder = {
    name: "vectors.example",
    dim: 2,
    remote: true,
    embed: async (texts) => {
      seen.push(texts);
      return texts.map(() => [0.5, 1]);
    },
  };
  const asked = [];
  let decide;
  const onBeforeSend = ({ body }) => {
    asked.push(body);
    return new Promise((done) => (decide = done));
  };
  const { ph, recall } = await scene(t, { onBeforeSend }, { embedder });
  const chat = ph.chat({ recall });
  const question = "count the rows";
  for (const call of [
    (signal) => recall.ask(question, { signal }),
    (signal) => recall.ask(question, { signal, fresh: true }),
    (signal) => recall.suggest(question, { signal, embed: true }),
    (signal) => recall.save(question, { kind: "sql", script: "SELECT 1" }, { signal }),
    async (signal) => {
      const { code, message } = (await collect(chat.ask(question, { signal }))).at(-1);
      throw Object.assign(new Error(message), { code });
    },
  ]) {
    asked.length = 0;
    const abort = new AbortController();
    const ended = call(abort.signal);
    await until(() => asked.length === 1);
    abort.abort();
    await assert.rejects(ended, { code: "cancelled" });
    decide(true);
    await assert.rejects(call(AbortSignal.abort()), { code: "cancelled" });
  }
  assert.deepEqual([seen, await ph.ledger.entries(), await recall.list()], [[], [], []]);
  // What is typed is not asked for, and the words are searched.
  asked.length = 0;
  await recall.suggest("count the");
  assert.equal(asked.length, 0);
  // Looking a question up and keeping its answer are one question to whoever decides.
  const answer = recall.ask(question);
  await until(() => asked.length === 1);
  decide(false);
  assert.equal((await answer).success, true);
  assert.deepEqual([asked.length, recall.problem.code], [1, "send_refused"]);
  const migrated = new AbortController();
  await recall.import(`${JSON.stringify(RECORD(7, "CARL"))}\n`);
  const ended = recall.migrate({ signal: migrated.signal });
  await until(() => asked.length === 2);
  migrated.abort();
  await assert.rejects(ended, { code: "cancelled" });
  // Nor does anything leave for questions that were closed meanwhile.
  const late = recall.suggest("something else", { embed: true });
  await until(() => asked.length === 3);
  await recall.close();
  decide(true);
  await assert.rejects(late, { code: "recall_closed" });
  await assert.rejects(recall.suggest("more", { embed: true }), { code: "recall_closed" });
  assert.deepEqual([seen, asked.length], [[], 3]);
});

const TRANSPORT = async () => new Response("model");

test("a conversation answers the same question without its model", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  await collect(chat.ask("block"));
  const [{ last_result: first }, ...more] = structuredClone(await recall.list());
  assert.deepEqual([first.words, more], [`words of ${first.human}`, []]);
  fake.log.length = 0;
  const events = await collect(chat.ask("Block"));
  assert.deepEqual(
    events.map(({ type }) => type),
    ["recall", "tool_call", "data_block", "text", "claims", "draft", "done"],
  );
  const [{ asked_at, question, by }, , block] = events;
  assert.deepEqual([question, by, asked_at.length], ["block", "exact", 24]);
  assert.deepEqual(calls("chat_ask"), []);
  // Its words are tried on what it came to now, and stay.
  assert.deepEqual(calls("answer"), [["answer", "Block", first.words]]);
  assert.equal((await recall.list())[0].last_result.words, first.words);
  // The model hears of it when the next question comes.
  assert.deepEqual(calls("chat_answered"), [["chat_answered", "Block", block.result_id]]);
  const [record] = await recall.list();
  const anew = await collect(chat.ask("block", { fresh: true }));
  assert.deepEqual([calls("chat_ask").length, anew.at(-1).type], [1, "done"]);
  // Nothing but this question was asked: its new answer takes the place of the old one.
  assert.notEqual((await recall.get(record.id)).last_result.human, record.last_result.human);
});

test("a conversation answers from the script that a model wrote before", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall, scripts: true });
  await collect(chat.ask("script"));
  assert.equal(calls("chat_open").at(-1)[1].scripts, true);
  // In place, what is listed is what is changed below.
  const [record] = structuredClone(await recall.list());
  assert.deepEqual([record.kind, record.is_valid], ["script", true]);
  assert.match(record.script, /^async function execute/);
  // What it is given is what it was given as the model wrote it.
  const told = "async function execute(code) { return [{ code }] }";
  await recall.update(record.id, { script: told, is_valid: true });
  fake.log.length = 0;
  await collect(chat.ask("Script"));
  assert.deepEqual(calls("script_result"), [["script_result", '[{"code":""}]']]);
  await recall.update(record.id, { script: record.script, is_valid: true });
  fake.log.length = 0;
  const events = await collect(chat.ask("Script"));
  assert.deepEqual(calls("chat_ask"), []);
  const [{ asked_at, by }, call, block] = events;
  assert.deepEqual([by, asked_at.length], ["exact", 24]);
  assert.deepEqual(
    [call.name, block.tool, block.input.script],
    ["run_script", "run_script", record.script],
  );
  // It runs over the tables as they are now, and what it asks takes no id.
  assert.deepEqual(calls("script_ask"), [["script_ask", 0, "query", { group_by: "a" }]]);
  const anew = await collect(chat.ask("script", { fresh: true }));
  assert.deepEqual([calls("chat_ask").length, anew.at(-1).type], [1, "done"]);
});

test("a conversation answers from the call of a tool that it made before", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  await collect(chat.ask("call"));
  const [record] = structuredClone(await recall.list());
  assert.deepEqual([record.kind, record.is_valid, record.by_model], ["tool", true, undefined]);
  assert.deepEqual(JSON.parse(record.script).tool, "get_receipts");
  assert.deepEqual([record.of_day, record.last_result.raw], ["2024-12-15", ["r1", "r2"]]);
  fake.log.length = 0;
  const events = await collect(chat.ask("Call"));
  assert.deepEqual(calls("chat_ask"), []);
  const input = { date_from: "2024-11-01", title: "what I spent" };
  assert.deepEqual(calls("call_again"), [
    ["call_again", { tool: "get_receipts", arguments: input }, "2024-12-15"],
  ]);
  // Its totals, then its list with the whole answer, as any conversation shows a call.
  const blocks = events.filter(({ type }) => type === "data_block");
  assert.deepEqual(
    blocks.map(({ tool, input: given, result_id, output }) => [tool, given, result_id, output]),
    [
      ["get_receipts", input, "r2", undefined],
      ["get_receipts", input, "r1", { receipts: [], tool: "get_receipts" }],
    ],
  );
  const [{ name }] = events.filter(({ type }) => type === "tool_call");
  assert.deepEqual([name, events.at(-1).answer], ["get_receipts", "122 for Call"]);
  // The words of the model go along, and no query is left to be changed.
  assert.deepEqual(calls("answer_call"), [
    ["answer_call", "get_receipts", "r1", "r2", "Call", record.last_result.words],
  ]);
  assert.deepEqual(calls("chat_answered"), [["chat_answered", "Call", undefined]]);
  const answer = await recall.execute(record.id);
  assert.deepEqual(
    [answer.raw, answer.result.id, answer.totals.id, answer.output.tool],
    ["r3", "r3", "r4", "get_receipts"],
  );
});

test("a call whose days were counted from another day is made by the model anew", async (t) => {
  const { ph, recall } = await scene(t);
  t.after(() => (fake.today.now = "2024-12-15"));
  await collect(ph.chat({ transport: TRANSPORT, model: "m", recall }).ask("call"));
  const [{ id }] = await recall.list();
  const { record } = await recall.find("call");
  fake.today.now = "2024-12-16";
  fake.log.length = 0;
  await assert.rejects(recall.execute(id), { code: "recall_day", message: /from 2024-12-15,/ });
  assert.equal((await recall.get(id)).is_valid, true);
  // As it is found the day changes: the question goes on as if it had not been found.
  recall.find = async () => ({ found: "run", by: "exact", record, unfit: [] });
  await collect(ph.chat({ transport: TRANSPORT, model: "m", recall }).ask("call"));
  assert.equal(calls("chat_ask").length, 1);
  delete recall.find;
  assert.equal((await recall.get(id)).of_day, "2024-12-16");
  assert.equal((await recall.ask("call")).cached, true);
});

test("a call that the page keeps is made whatever the day, and one that fails says so", async (t) => {
  const { recall } = await scene(t);
  t.after(() => (fake.today.now = "2024-12-15"));
  const call = (tool, args) => JSON.stringify({ tool, arguments: args });
  const labels = { kind: "tool", script: call("get_labels", { date_from: "2024-11-01" }) };
  const id = await recall.save("labels?", labels);
  fake.today.now = "2024-12-17";
  const { success, totals, human } = await recall.execute(id);
  assert.deepEqual([success, totals, human], [true, undefined, "122 for labels?"]);
  const lost = await recall.save("lost?", {
    kind: "tool",
    script: call("get_receipts", { shop: "nope" }),
  });
  const failed = await recall.execute(lost);
  assert.deepEqual([failed.success, failed.error.split(":")[0]], [false, "unknown_table"]);
  const lines = (await recall.export()).trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).kind),
    ["tool", "tool"],
  );
});

test("a conversation hears of every answer that was given without it", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  for (const [question, body] of [
    ["no row?", "return []"],
    ["a question back?", "return { error: 'clarify', message: 'which?' }"],
  ]) {
    const script = `async function execute() { ${body} }`;
    const id = await recall.save(question, { kind: "script", script });
    await recall.update(id, { is_valid: true });
    await chat.clear();
    fake.log.length = 0;
    const events = await collect(chat.ask(question));
    assert.equal(events.at(-1).type, "done");
    assert.deepEqual(calls("chat_ask"), []);
    assert.deepEqual(calls("chat_answered"), [["chat_answered", question, undefined]]);
  }
});

test("a script that a model wrote is no answer where the policy does not let it run", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall, scripts: true });
  await collect(chat.ask("script"));
  const [record] = await recall.list();
  assert.equal(record.by_model, true);
  // Before it runs, and where the policy was tightened as it ran, whatever came of it.
  for (const [looks, asked, released] of [
    [[false], 0, 0],
    [[true, false], 1, 1],
  ]) {
    fake.log.length = 0;
    fake.scripts.push(...looks);
    const events = await collect(chat.ask("Script"));
    assert.equal(events.at(-1).type, "done");
    assert.ok(!events.some(({ type }) => type === "recall"));
    assert.equal(calls("chat_ask").length, 1);
    assert.deepEqual(calls("chat_answered"), []);
    assert.equal(calls("script_ask").length, asked);
    const given = calls("script_result").length;
    assert.equal(given, released);
  }
  fake.scripts.push(false);
  await assert.rejects(recall.execute(record.id), { code: "script_withheld" });
  fake.scripts.push(false);
  assert.equal((await recall.ask("script")).error, "not_understood");
  // It was given nothing for a while, though it may run before and after: whether it went on without
  // or not, nothing came of it, and an id is taken.
  fake.refusing.now = true;
  const without = "async function execute() { try { await db.query({}) } catch { return [1] } }";
  const script = String(record.script);
  for (const tried of [script, without]) {
    await recall.update(record.id, { script: tried, is_valid: true });
    fake.log.length = 0;
    await assert.rejects(recall.execute(record.id), { code: "script_withheld" });
    assert.deepEqual([calls("script_result").length, calls("id").length], [0, 1]);
  }
  fake.refusing.now = false;
  await recall.update(record.id, { script, is_valid: true });
  // Nothing is held against it.
  const kept = await recall.get(record.id);
  assert.deepEqual([kept.is_valid, kept.usage_count], [true, 0]);
  // A script of the page's own runs under any policy.
  const own = await recall.save("of the page", { kind: "script", script: record.script });
  fake.scripts.push(false);
  assert.equal((await recall.execute(own)).success, true);
  fake.scripts.length = 0;
  assert.equal((await recall.get(own)).by_model, undefined);
});

test("a question that goes on is answered from before after the same questions alone", async (t) => {
  const { ph, recall } = await scene(t);
  const talk = (more = {}) => ph.chat({ transport: TRANSPORT, model: "m", recall, ...more });
  const asked = () => calls("chat_ask").map(([, question]) => question);
  const kept = async () =>
    structuredClone(await recall.list()).filter(({ after }) => after !== undefined);
  const further = "and block";
  const ask = async (chat, ...questions) => {
    const began = [];
    for (const question of questions) began.push((await collect(chat.ask(question)))[0]);
    return began;
  };
  await ask(talk(), "block", further, further);
  // Right after itself it may mean something else: it is asked of the model, and kept as such.
  assert.deepEqual(asked(), ["block", further, further]);
  const records = await kept();
  assert.deepEqual(
    records.map(({ question, over, embedding }) => [question, over, embedding]),
    [
      [further, ["1"], undefined],
      [further, ["1"], undefined],
    ],
  );
  assert.equal(new Set(records.map(({ after }) => after)).size, 2);
  // In another conversation the same questions are answered alike.
  fake.log.length = 0;
  const told = await ask(talk(), "Block", further, further);
  assert.deepEqual(
    told.slice(1).map(({ type, script_id }) => [type, script_id]),
    records.map(({ id }) => ["recall", id]),
  );
  assert.deepEqual(asked(), []);
  // Not under a policy of one's own, nor after another question, or one without data.
  await ask(talk({ policy: { level: "facts" } }), "block", further);
  await ask(talk(), "call", further);
  await ask(talk(), "first", further);
  assert.deepEqual(asked(), [further, "call", further, "first", further]);
  // Over other rows, also where they came in the middle.
  t.after(() => Object.assign(fake.rows, { now: "1", changes: 1 }));
  fake.log.length = 0;
  const before = (await kept()).length;
  const sixth = talk();
  await ask(sixth, "block");
  Object.assign(fake.rows, { now: "2", changes: 2 });
  await ask(sixth, further);
  assert.deepEqual([asked(), (await kept()).length], [[further], before]);
  fake.log.length = 0;
  await ask(talk(), "block", further);
  assert.deepEqual(asked(), [further]);
  // Where it begins a conversation it is kept for any turn, and offered in another one.
  await ask(talk(), further);
  fake.log.length = 0;
  const last = talk();
  const [, offer] = await ask(last, "something else", further);
  assert.deepEqual([offer.type, offer.suggestions[0].question], ["suggestions", further]);
  assert.equal(calls("chat_ask").length, 2);
  await last.clear();
  assert.equal((await collect(last.ask(further)))[0].type, "recall");
});

test("an answer given afresh later takes the place of no answer for any turn", async (t) => {
  const { ph, recall } = await scene(t);
  const talk = () => ph.chat({ transport: TRANSPORT, model: "m", recall });
  for (const question of ["block", "and block"]) await collect(talk().ask(question));
  const [first] = structuredClone(await recall.list());
  const chat = talk();
  for (const question of ["block", "and block"]) await collect(chat.ask(question));
  await collect(chat.ask("and block", { fresh: true }));
  await collect(chat.ask("carried block"));
  await collect(chat.ask("block"));
  await collect(chat.ask("carried block", { fresh: true }));
  const any = (await recall.list()).filter(({ after }) => after === undefined);
  assert.deepEqual(
    any.map(({ question }) => question),
    ["block", "and block"],
  );
  assert.deepEqual([any[0].id, any[0].script], [first.id, first.script]);
});

test("a question that failed can be asked again, and one after it is not known", async (t) => {
  const { ph, recall } = await scene(t);
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  for (const question of ["fault", "fault", "carried block", "and block"])
    await collect(chat.ask(question));
  assert.deepEqual(await recall.list(), []);
  const abort = new AbortController();
  const again = ph.chat({ transport: TRANSPORT, model: "m", recall });
  abort.abort();
  await collect(again.ask("carried block", { signal: abort.signal }));
  await collect(again.ask("carried block"));
  const [record] = await recall.list();
  assert.deepEqual([record.question, record.after], ["carried block", undefined]);
});

test("a later question that stands alone is kept, and answered from before at any turn", async (t) => {
  const { ph, recall } = await scene(t, { persist: true });
  const talk = (questions) => ph.chat({ transport: TRANSPORT, model: "m", recall: questions });
  const chat = talk(recall);
  for (const question of ["first", "block"]) await collect(chat.ask(question));
  assert.deepEqual(
    (await recall.list()).map(({ question }) => question),
    ["block"],
  );
  // In this conversation, and in another one after another question.
  assert.equal((await collect(chat.ask("Block")))[0].type, "recall");
  const other = talk(recall);
  await collect(other.ask("first"));
  assert.equal((await collect(other.ask("block")))[0].type, "recall");
  assert.equal(calls("chat_ask").length, 3);
  await ph.close();
  const again = await reopened(t, { persist: true });
  const later = again.ph.chat({ transport: TRANSPORT, model: "m", recall: again.recall });
  await collect(later.ask("first"));
  assert.equal((await collect(later.ask("block")))[0].type, "recall");
  assert.deepEqual(calls("chat_ask"), [["chat_ask", "first"]]);
});

test("an answer that carries something over is kept for these questions alone", async (t) => {
  const { ph, recall } = await scene(t);
  const talk = () => ph.chat({ transport: TRANSPORT, model: "m", recall });
  const chat = talk();
  for (const question of ["block", "carried block"]) await collect(chat.ask(question));
  assert.deepEqual(calls("recall_unsaid").at(-1).slice(1), [
    "carried block",
    "query",
    '{"where":"carried"}',
    { asked: ["block"], answered: ["200 - model\nits one model"], found: ["{}"] },
  ]);
  const record = structuredClone(await recall.list()).at(-1);
  assert.deepEqual([record.question, typeof record.after], ["carried block", "string"]);
  // It stands alone, so right after itself it asks the same, and afresh it takes its own place.
  fake.log.length = 0;
  const [again] = await collect(chat.ask("Carried block"));
  assert.deepEqual([again.type, again.script_id], ["recall", record.id]);
  await collect(chat.ask("carried block", { fresh: true }));
  assert.equal((await recall.list()).length, 2);
  const other = talk();
  for (const question of ["block", "carried block"]) await collect(other.ask(question));
  const asked = () => calls("chat_ask").map(([, question]) => question);
  assert.deepEqual(asked(), ["carried block"]);
  // After others it may carry over something else.
  await collect(other.ask("and block"));
  await collect(other.ask("carried block"));
  assert.deepEqual(asked().slice(1), ["and block", "carried block"]);
  // One that is valid no more is no answer.
  fake.log.length = 0;
  const third = talk();
  await recall.update(record.id, { is_valid: false });
  for (const question of ["block", "carried block"]) await collect(third.ask(question));
  assert.deepEqual(asked(), ["carried block"]);
});

test("a period that the question does not name stands on the rows of now", async (t) => {
  const { ph, recall } = await scene(t);
  t.after(() => (fake.rows.now = "1"));
  const ask = async () =>
    (await collect(ph.chat({ transport: TRANSPORT, model: "m", recall }).ask("lately block")))[0];
  await ask();
  const [{ id, over, after }] = structuredClone(await recall.list());
  assert.deepEqual([over, after], [["1"], undefined]);
  assert.equal((await ask()).type, "recall");
  fake.rows.now = "2";
  await assert.rejects(recall.execute(id), { code: "recall_over" });
  assert.notEqual((await ask()).type, "recall");
  const records = await recall.list();
  assert.deepEqual([records.length, records[0].over, records[0].is_valid], [1, ["2"], true]);
  assert.equal((await ask()).type, "recall");
});

test("of an answer that did not pass the check the query is kept, and not its words", async (t) => {
  const { ph, recall } = await scene(t);
  fake.verdict.now = "rewrite";
  t.after(() => (fake.verdict.now = "ok"));
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  assert.equal((await collect(chat.ask("block"))).at(-1).verdict, "rewrite");
  const [record] = await recall.list();
  assert.deepEqual(
    [record.is_valid, record.last_result.human, record.last_result.words],
    [true, "3 for block", undefined],
  );
  fake.log.length = 0;
  const events = await collect(chat.ask("block"));
  assert.deepEqual([events[0].type, calls("chat_ask")], ["recall", []]);
  assert.deepEqual([events.at(-1).verdict, calls("answer")[0].at(-1)], ["ok", undefined]);
});

test("an answer that fails now is asked of the model again", async (t) => {
  const { ph, recall } = await scene(t);
  const id = await recall.save("block", { kind: "query", script: '{"where":"nope > 1"}' });
  await recall.update(id, { is_valid: true });
  const chat = ph.chat({ transport: TRANSPORT, model: "m", recall });
  const events = await collect(chat.ask("block"));
  assert.equal(calls("chat_ask").length, 1);
  assert.equal(events.at(-1).type, "done");
  // Its answer takes the place of the one that failed.
  const record = await recall.get(id);
  assert.deepEqual([record.is_valid, record.script], [true, "{}"]);
});
