// Questions that several calls answered, in a real browser: made again over the same rows without a
// request, told in the words of then; over other rows, under another policy or on another day the
// model is asked anew.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { call, calls, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

const QUESTION = "Which shop has the highest total, and how many purchases are that?";
/** What the second call asks follows from what the first one found. */
const OF_SHOP = { table: "purchases", where: "shop == 'Vkusno'", select: "count()" };
const WORDS = "Vkusno has the highest total, 912. These are 2 purchases. It is far ahead.";
const SCRIPT = [call("query", BY_SHOP), call("query", OF_SHOP), say(WORDS)];

/**
 * Opens a page, loads its tables (`more` is appended), and asks its questions in one conversation
 * after the other; what came of them, and the records.
 */
const ask = (scene, questions, given = {}) =>
  scene.run(
    async ({ Pinhole }, { files, more, policy, own, scripts, purchases, questions, endpoint }) => {
      const options = { persist: true, purchases, ...(policy ? { policy } : {}) };
      const ph = await Pinhole.open(options);
      for (const [name, csv] of Object.entries(files)) await ph.load(name, new Blob([csv]));
      for (const [name, csv] of Object.entries(more)) await ph.append(name, new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const asked = [];
      for (const question of questions) {
        const how = { endpoint, model: "scripted", recall, scripts };
        const chat = ph.chat({ ...how, ...(own ? { policy: own } : {}) });
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        const ids = events.flatMap(({ type, result_id }) =>
          type === "data_block" ? result_id : [],
        );
        const results = await Promise.all(ids.map((id) => ph.result(id)));
        const rows = await Promise.all(
          results.map((result) => result.table?.rows(0, 10) ?? result.value),
        );
        asked.push({ events, ids, rows });
      }
      const records = await recall.list();
      const [{ id } = {}] = records;
      const ran = id && (await recall.execute(id).catch(({ code }) => ({ code })));
      const executed = ran && {
        code: ran.code,
        human: ran.human,
        steps: ran.steps?.map(({ tool, input, result }) => [tool, input.table, result.rows]),
      };
      const lines = await recall.export();
      await ph.close();
      return { asked, records, executed, lines };
    },
    {
      ...{ files: { purchases: PURCHASES }, more: {}, scripts: false, purchases: {} },
      ...{ ...given, questions, endpoint: ENDPOINT },
    },
  );

const answer = ({ events }) => events.at(-1).answer;
const kinds = ({ events }) => events.map(({ type }) => type);

test("two calls, one of which follows from the other, are made again without a request", async (t) => {
  const scene = await open(t, { blank: true, script: SCRIPT });
  const first = await ask(scene, [QUESTION, QUESTION.toLowerCase()]);
  assert.equal(scene.endpoint.bodies.length, 3);
  const [record] = first.records;
  assert.deepEqual([record.kind, record.is_valid, record.usage_count], ["calls", true, 1]);
  assert.equal(JSON.parse(record.script).calls.length, 2);
  assert.equal(record.over.length, 2);
  // What of the words is a cell of a result is kept as a reference into that result.
  const { words } = record.last_result;
  assert.match(words, /\{\{r1\[shop=Vkusno\][^}]*\}\}.*\{\{r2[^}]*\}\} purchases/);
  assert.deepEqual([words.includes("912"), record.last_result.raw.length], [false, 2]);
  const [asked, again] = first.asked;
  assert.equal(answer(asked), WORDS);
  assert.deepEqual(
    kinds(again).filter((type) => type !== "ledger"),
    [
      ...["recall", "tool_call", "data_block", "tool_call", "data_block"],
      ...["text", "claims", "draft", "done"],
    ],
  );
  assert.deepEqual(again.rows, asked.rows);
  assert.match(answer(again), /^Understood as: .*; .*\n\n/);
  assert.ok(answer(again).endsWith(WORDS), answer(again));
  // Each number is a cell of the results that were shown just now.
  const { claims } = again.events.at(-1);
  const facts = claims.map(({ fact }) => fact?.result).filter(Boolean);
  assert.deepEqual([...new Set(facts)].sort(), [...again.ids].sort());
  assert.ok(claims.every(({ verdict }) => ["verified", "derived"].includes(verdict)));

  // After a reload, over the same bytes.
  await scene.page.reload();
  const second = await ask(scene, [QUESTION]);
  assert.equal(second.asked[0].events[0].type, "recall");
  assert.ok(answer(second.asked[0]).endsWith(WORDS));
  assert.deepEqual(second.executed.steps, [
    ["query", "purchases", 4],
    ["query", "purchases", 1],
  ]);
  assert.equal(scene.endpoint.bodies.length, 3, "no request was made");

  // With a row more another shop is ahead, and the second call would be of another one.
  const more = { purchases: "shop,amount\nKuper,5000\n" };
  const now = "Kuper has the highest total, 5310.5. These are 3 purchases.";
  const kuper = { ...OF_SHOP, where: "shop == 'Kuper'" };
  scene.endpoint.script = [call("query", BY_SHOP), call("query", kuper), say(now)];
  const third = await ask(scene, [QUESTION, QUESTION], { more });
  assert.equal(scene.endpoint.bodies.length, 6);
  assert.equal(kinds(third.asked[0]).includes("recall"), false);
  assert.equal(third.asked[1].events[0].type, "recall");
  assert.match(answer(third.asked[1]), /Kuper has the highest total, 5,?310\.5\. These are 3/);
  // Its answer took the place of the former, which is not found over the former rows any more.
  assert.deepEqual([third.records.length, third.records[0].id], [1, record.id]);
  scene.endpoint.script = [...SCRIPT];
  const fourth = await ask(scene, [QUESTION]);
  assert.equal(scene.endpoint.bodies.length, 9);
  assert.equal(answer(fourth.asked[0]), WORDS);
});

test("one cell, another table, another policy: what several calls stand on is all of it", async (t) => {
  const scene = await open(t, { blank: true, script: SCRIPT });
  await ask(scene, [QUESTION]);
  const cell = PURCHASES.replace("Zarya,78.25", "Zarya,78.26");
  assert.notEqual(cell, PURCHASES);
  let requests = 3;
  for (const given of [
    { files: { purchases: cell } },
    { files: { purchases: PURCHASES, notes: "a\n1\n" } },
    { policy: { level: "preview" } },
    { purchases: { reference_date: "2024-12-31" } },
  ]) {
    scene.endpoint.script = [...SCRIPT];
    const { asked, executed } = await ask(scene, [QUESTION], given);
    assert.equal(kinds(asked[0]).includes("recall"), false, JSON.stringify(given));
    requests += 3;
    assert.equal(scene.endpoint.bodies.length, requests, JSON.stringify(given));
    // It is another one by now, over these.
    assert.equal(executed.code, undefined);
    const again = await ask(scene, [QUESTION], given);
    assert.equal(again.asked[0].events[0].type, "recall");
    const other = await ask(scene, []);
    assert.equal(other.executed.code, "recall_over", JSON.stringify(given));
    assert.equal(other.records[0].is_valid, true);
  }
  assert.equal(scene.endpoint.bodies.length, requests);
});

test("what a model hears of it is a query where its policy is the page's, and no result", async (t) => {
  const script = [...SCRIPT, say("Of which?"), say("Of which?")];
  const scene = await open(t, { blank: true, script });
  await ask(scene, [QUESTION]);
  const follow = (own) =>
    scene.run(
      async ({ Pinhole }, { csv, endpoint, question, own }) => {
        const ph = await Pinhole.open({ persist: true });
        await ph.load("purchases", new Blob([csv]));
        const recall = ph.recall({ context: "shops" });
        const how = { endpoint, model: "scripted", recall };
        const chat = ph.chat({ ...how, ...(own ? { policy: own } : {}) });
        for (const text of [question, "and the lowest?"])
          for await (const event of chat.ask(text)) if (event.type === "error") throw event;
        await ph.close();
      },
      { csv: PURCHASES, endpoint: ENDPOINT, question: QUESTION, own },
    );
  await follow();
  const [told] = scene.endpoint.contents(3, "assistant");
  assert.match(told, /^\[answered on the device: \{.*Vkusno/);
  // One that may be told less than the page hears of no value that a call of then found.
  await follow({ level: "schema" });
  assert.deepEqual(scene.endpoint.contents(4, "assistant"), ["[answered on the device]"]);
  assert.equal(scene.endpoint.bodies.length, 5);
  for (const body of scene.endpoint.bodies.slice(3)) assert.equal(body.includes("912"), false);
  assert.equal(scene.endpoint.bodies[4].includes("Vkusno"), false);
});

const HOUSEHOLD = ["receipts", "receipt_items", "items", "products"];
const file = (name) => readFileSync(new URL(`../purchases/${name}.csv`, import.meta.url), "utf8");
const FILES = Object.fromEntries(HOUSEHOLD.map((name) => [name, file(name)]));

test("calls of tools and queries among them count days from the day that they were counted from", async (t) => {
  const question = "How much did I spend in December, and how many items are there?";
  const spent = { date_from: "2024-12-01", date_to: "2024-12-31" };
  const all = { table: "items", select: "count()" };
  const words = "You spent 2268.8 in all. There are 14 items.";
  // Both at once, and one of them once more.
  const round = calls(["get_receipts", spent], ["query", all]);
  const script = [round, call("query", { ...all, title: "again" }), say(words)];
  const scene = await open(t, { blank: true, script });
  const purchases = { reference_date: "2024-12-31" };
  const first = await ask(scene, [question, question], { files: FILES, purchases });
  assert.equal(scene.endpoint.bodies.length, 3);
  const [record] = first.records;
  assert.deepEqual([record.kind, record.of_day], ["calls", "2024-12-31"]);
  assert.deepEqual(
    JSON.parse(record.script).calls.map(({ tool }) => tool),
    ["get_receipts", "query"],
  );
  const again = first.asked[1];
  const blocks = again.events.filter(({ type }) => type === "data_block");
  assert.deepEqual(
    blocks.map(({ tool, output }) => [tool, output !== undefined]),
    [
      ["get_receipts", false],
      ["get_receipts", true],
      ["query", false],
    ],
  );
  assert.match(answer(again), /You spent 2,?268\.8 in all\. There are 14 items\.$/);
  // Another day: December may be another one.
  scene.endpoint.script = [...script];
  const later = { reference_date: "2025-01-01" };
  const other = await ask(scene, [question], { files: FILES, purchases: later });
  assert.equal(scene.endpoint.bodies.length, 6);
  assert.deepEqual([other.records.length, other.records[0].of_day], [1, "2025-01-01"]);
});

test("a script is among them where scripts of models may run, and tells no time", async (t) => {
  const total = `async function execute() {
    const rows = await db.query({ table: "purchases", select: "sum(amount)" });
    return rows;
  }`;
  const words = "Vkusno has the highest total, 912.";
  const script = [call("query", BY_SHOP), call("run_script", { script: total }), say(words)];
  const scene = await open(t, { blank: true, script });
  const first = await ask(scene, [QUESTION, QUESTION], { scripts: true });
  assert.equal(scene.endpoint.bodies.length, 3);
  assert.deepEqual([first.records[0].kind, first.records[0].by_model], ["calls", true]);
  assert.ok(answer(first.asked[1]).endsWith(words));
  assert.deepEqual(first.asked[1].rows, first.asked[0].rows);
  // One that goes by the clock may find another thing each time.
  const timed = total.replace(
    "return rows",
    "return rows.map((row) => ({ ...row, at: Date.now() }))",
  );
  scene.endpoint.script = [
    call("query", BY_SHOP),
    call("run_script", { script: timed }),
    say(words),
  ];
  const other = await ask(scene, ["Which shop is ahead now?"], { scripts: true });
  assert.equal(other.records.length, 1);
});

test("they are taken out and brought back, and the page's own run over any rows", async (t) => {
  const scene = await open(t, { blank: true, script: SCRIPT });
  const { lines } = await ask(scene, [QUESTION]);
  const got = await scene.run(
    async ({ Pinhole }, { csv, lines, question, own }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const later = lines.replace('"kind":"calls"', '"kind":"dreams"');
      const imported = [await recall.import(later), await recall.import(lines)];
      const same = await recall.ask(question);
      const near = await recall.suggest(`${question} Please`, { threshold: 0.1 });
      const wrong = await recall.save("q", { kind: "calls", script: "{}" }).catch((e) => e.code);
      const id = await recall.save("mine?", { kind: "calls", script: own });
      const mine = await recall.execute(id);
      await ph.append("purchases", new Blob(["shop,amount\nKuper,5000\n"]));
      const gone = await recall.suggest(`${question} Please`, { threshold: 0.1 });
      const other = await recall.ask("mine");
      await ph.close();
      return {
        imported: imported.map(({ added, bad }) => [added, bad.length]),
        same: [same.cached, same.human],
        near: near.suggestions.map(({ question }) => question),
        gone: gone.suggestions.map(({ question }) => question),
        wrong,
        mine: [mine.human, mine.steps.length],
        other: [other.cached, other.human],
      };
    },
    {
      csv: PURCHASES,
      lines,
      question: QUESTION,
      own: JSON.stringify({
        calls: [BY_SHOP, OF_SHOP].map((query) => ({ tool: "query", arguments: query })),
      }),
    },
  );
  assert.deepEqual(got.imported, [
    [0, 1],
    [1, 0],
  ]);
  assert.equal(got.same[0], true);
  assert.ok(got.same[1].endsWith(WORDS), got.same[1]);
  assert.deepEqual(got.near, [QUESTION]);
  assert.equal(got.gone.includes(QUESTION), false);
  assert.equal(got.wrong, "malformed_arguments");
  // Each by its own template, one after the other.
  assert.equal(got.mine[1], 2);
  assert.match(got.mine[0], /^Understood as: .*\n\n.*912.*\n\nUnderstood as: .*\n\n/s);
  assert.equal(got.other[0], true);
  assert.match(got.other[1], /5,?310\.5/);
});
