// Questions that several calls answered: which are kept, over what they run again, what is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, reopened, scene } from "../testing/questions.js";
import { collect, fake, until } from "../testing/setup.js";

const TRANSPORT = () => Promise.resolve(new Response("ok"));

/** A conversation of a page. */
const chatOf = ({ ph, recall }, more = {}) =>
  ph.chat({ transport: TRANSPORT, model: "m", recall, ...more });

/** A page whose tables have other rows afterwards, and none of that is left for the next test. */
async function page(t, ...options) {
  t.after(() => {
    Object.assign(fake.rows, { now: "1", changes: 1, unread: false, moves: false });
    fake.today.now = "2024-12-15";
  });
  return scene(t, ...options);
}

const SPENT = { date_from: "2024-11-01", title: "what I spent" };

test("what of several calls is kept, and as what", async (t) => {
  const around = await page(t);
  for (const [question, kind, steps] of [
    ["call twice", "calls", 2],
    // One call that found nothing, and one in its place: it stands on the former.
    ["call again", "calls", 1],
    // The same call once more gives the same once more.
    ["call same", "tool", 0],
    ["call failed", "tool", 0],
    ["call many", undefined, 0],
  ]) {
    await collect(chatOf(around).ask(question));
    const record = (await around.recall.list()).find((one) => one.question === question);
    assert.equal(record?.kind, kind, question);
    if (kind !== "calls") continue;
    const { calls: kept } = JSON.parse(record.script);
    assert.equal(kept.length, steps);
    assert.deepEqual(kept[0], { tool: "get_receipts", arguments: SPENT });
    assert.deepEqual([record.over, record.of_day, record.is_valid], [["1"], "2024-12-15", true]);
  }
  // What a model was told under the policy of a conversation is not known of the page's.
  await collect(chatOf(around, { policy: { level: "schema" } }).ask("call twice apart"));
  assert.equal((await around.recall.list()).length, 4);
});

test("they run again one after the other, and are told like any other", async (t) => {
  const around = await page(t, { persist: true });
  await collect(chatOf(around).ask("call twice"));
  const [{ last_result }] = await around.recall.list();
  assert.deepEqual([last_result.raw, typeof last_result.words], [["r1", "r2", "r3"], "string"]);
  await around.ph.close();
  fake.rows.unread = true;
  const again = await reopened(t, { persist: true });
  const events = await collect(chatOf(again).ask("Call TWICE"));
  assert.deepEqual(calls("chat_ask"), []);
  assert.equal(calls("read_tables").length, 1);
  assert.deepEqual(
    events.map(({ type, id, name, result_id, output }) => [type, id, name ?? result_id, !!output]),
    [
      ["recall", undefined, undefined, false],
      ["tool_call", "recall_1", "get_receipts", false],
      ["data_block", "recall_1", "r2", false],
      ["data_block", "recall_1", "r1", true],
      ["tool_call", "recall_2", "query", false],
      ["data_block", "recall_2", "r3", false],
      ["text", undefined, undefined, false],
      ["claims", undefined, undefined, false],
      ["draft", undefined, undefined, false],
      ["done", undefined, undefined, false],
    ],
  );
  assert.equal(events.at(-1).answer, "2 for Call TWICE");
  const [[, ran, question, words]] = calls("answer_calls");
  const call = JSON.stringify({ tool: "get_receipts", arguments: SPENT });
  assert.deepEqual(ran, [{ call, list: "r1", totals: "r2" }, { list: "r3" }]);
  assert.deepEqual([question, words], ["Call TWICE", last_result.words]);
  // What a tool found is told to no model, nor a query that may follow from it.
  assert.deepEqual(calls("chat_answered"), [["chat_answered", "Call TWICE", undefined]]);
  const [record] = await again.recall.list();
  assert.deepEqual([record.usage_count, record.is_valid], [1, true]);
  const answer = await again.recall.execute(record.id);
  assert.deepEqual([answer.raw, answer.result.id], ["r6", "r6"]);
  assert.deepEqual(
    answer.steps.map(({ tool, raw, totals, output }) => [tool, raw, totals?.id, !!output]),
    [
      ["get_receipts", "r4", "r5", true],
      ["query", "r6", undefined, false],
    ],
  );
});

test("over other rows, or on another day, the model is asked and its answer takes the place", async (t) => {
  const around = await page(t);
  const { recall } = around;
  await collect(chatOf(around).ask("call twice"));
  const [{ id }] = await recall.list();
  for (const [change, code] of [
    [() => (fake.rows.now = "2"), "recall_over"],
    [() => (fake.today.now = "2024-12-16"), "recall_day"],
  ]) {
    change();
    fake.log.length = 0;
    await assert.rejects(recall.execute(id), { code });
    assert.deepEqual([calls("query").length, (await recall.get(id)).is_valid], [0, true]);
    const events = await collect(chatOf(around).ask("call twice"));
    assert.equal(calls("chat_ask").length, 1);
    assert.ok(!events.some(({ type }) => type === "recall"));
    fake.log.length = 0;
    assert.equal((await collect(chatOf(around).ask("call twice")))[0].type, "recall");
    assert.deepEqual([calls("chat_ask").length, (await recall.list()).length], [0, 1]);
  }
});

test("where tables change as they run nothing comes of it", async (t) => {
  const around = await page(t);
  const { recall } = around;
  await collect(chatOf(around).ask("call twice"));
  const [{ id }] = await recall.list();
  fake.log.length = 0;
  fake.rows.moves = true;
  await assert.rejects(recall.execute(id), { code: "recall_over" });
  await until(() => calls("release").length === 3);
  assert.deepEqual(
    [(await recall.get(id)).usage_count, (await recall.get(id)).is_valid],
    [0, true],
  );
  // Nor is anything kept of an answer during which they changed.
  await recall.delete(id);
  assert.equal((await collect(chatOf(around).ask("call twice"))).at(-1).type, "done");
  assert.deepEqual(await recall.list(), []);
});

test("calls that the page saves run over any rows, and one that fails says so", async (t) => {
  const around = await page(t);
  const { recall } = around;
  const query = { tool: "query", arguments: { group_by: "a" } };
  const labels = { tool: "get_labels", arguments: { date_from: "2024-11-01" } };
  const script = JSON.stringify({ calls: [query, labels] });
  const id = await recall.save("labels?", { kind: "calls", script });
  fake.rows.now = "2";
  fake.today.now = "2024-12-17";
  const answer = await recall.execute(id);
  assert.deepEqual([answer.success, answer.steps.length, answer.human], [true, 2, "2 for labels?"]);
  assert.equal((await recall.ask("Labels?")).cached, true);
  const wrong = { tool: "query", arguments: { where: "nope > 1" } };
  await recall.update(id, { script: JSON.stringify({ calls: [query, wrong] }) });
  fake.log.length = 0;
  const failed = await recall.execute(id);
  assert.deepEqual([failed.success, failed.error.split(":")[0]], [false, "unknown_column"]);
  await until(() => calls("release").length === 1);
  assert.equal((await recall.get(id)).is_valid, false);
  // The model hears of the last query, where all are queries.
  await recall.update(id, { script: JSON.stringify({ calls: [query, query] }), is_valid: true });
  fake.log.length = 0;
  await collect(chatOf(around).ask("labels?"));
  const [[, , told]] = calls("chat_answered");
  assert.match(told, /^r\d+$/);
  await collect(chatOf(around, { policy: { level: "schema" } }).ask("labels?"));
  assert.deepEqual(calls("chat_answered").at(-1), ["chat_answered", "labels?", undefined]);
});
