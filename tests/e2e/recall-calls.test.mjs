// Questions about purchases that a tool answered before, in a real browser: made again over the tables
// of now, told in the words of then, and told to no model; on another day the model is asked anew.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";

const open = stage();

const TABLES = ["receipts", "receipt_items", "items", "products", "labels", "item_labels"];
const file = (name) => readFileSync(new URL(`../purchases/${name}.csv`, import.meta.url), "utf8");
const FILES = Object.fromEntries(TABLES.map((name) => [name, file(name)]));
const MORE = { ...FILES, receipts: `${FILES.receipts}9001,Kuper,2024-12-14,17.3,N-more\n` };

const QUESTION = "Сколько я потратил в декабре?";
const DECEMBER = { date_from: "2024-12-01", date_to: "2024-12-31" };

/** What receipts of December come to, as DuckDB has it, and with one more. */
const WORDS = "Чеков: 10, на сумму 2268.8.";
const TOTAL = /2\s?268[.,]8/;
const TOTAL_OF_MORE = /2\s?286[.,]1/;

/** Asks a page with purchases its questions, one conversation after the other where it says `new`. */
const ask = (
  scene,
  questions,
  { files = FILES, day = "2024-12-31", policy, persist = true } = {},
) =>
  scene.run(
    async ({ Pinhole }, { files, day, policy, persist, endpoint, questions }) => {
      const purchases = { reference_date: day };
      const ph = await Pinhole.open({ persist, purchases, ...(policy ? { policy } : {}) });
      const blobs = Object.entries(files).map(([name, csv]) => [name, new Blob([csv])]);
      await ph.loadPurchases(Object.fromEntries(blobs));
      const recall = ph.recall({ context: "household" });
      const how = { endpoint, model: "scripted", recall };
      let chat = ph.chat(how);
      const asked = [];
      for (const question of questions) {
        if (question === "new") {
          chat = ph.chat(how);
          continue;
        }
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        const facts = (events.at(-1).claims ?? []).flatMap(({ fact }) => fact?.result ?? []);
        const kept = await Promise.all(facts.map((id) => ph.result(id)));
        asked.push({ events, facts: kept.map((result) => result?.id) });
      }
      const records = await recall.list();
      const lines = await recall.export();
      await ph.close();
      return { asked, records, lines };
    },
    { files, day, policy, persist, endpoint: ENDPOINT, questions },
  );

const blocks = ({ events }) => events.filter(({ type }) => type === "data_block");

test("a question about purchases makes no request the second time, until the day is another", async (t) => {
  const scene = await open(t, {
    blank: true,
    script: [call("get_receipts", DECEMBER), say(WORDS)],
  });
  const first = await ask(scene, [QUESTION]);
  assert.equal(first.asked[0].events.at(-1).answer, WORDS);
  assert.equal(scene.endpoint.bodies.length, 2);
  const [record] = first.records;
  assert.deepEqual([record.kind, record.is_valid, record.of_day], ["tool", true, "2024-12-31"]);
  assert.deepEqual(JSON.parse(record.script), { tool: "get_receipts", arguments: DECEMBER });
  assert.equal(JSON.stringify(first.records).includes("499.5"), false, "no row is kept");

  await scene.page.reload();
  const second = await ask(scene, ["сколько я потратил в декабре"]);
  const [recalled, called] = second.asked[0].events;
  assert.deepEqual([recalled.type, recalled.by, called.name], ["recall", "exact", "get_receipts"]);
  // The totals, then the list with the whole answer, which is what it was.
  const [totals, list] = blocks(second.asked[0]);
  assert.deepEqual([totals.output, list.output], [undefined, blocks(first.asked[0])[1].output]);
  const { answer, claims } = second.asked[0].events.at(-1);
  // How it was read, then the numbers of now.
  assert.match(answer, /^Понято так: сумма чеков, с 01.12.2024 по 31.12.2024\n\n/);
  assert.match(answer, TOTAL);
  assert.ok(claims.length >= 2 && claims.every(({ verdict }) => verdict === "verified"));
  const results = [list.result_id, totals.result_id];
  assert.ok(
    second.asked[0].facts.every((id) => results.includes(id)),
    second.asked[0].facts,
  );

  const more = await ask(scene, [QUESTION], { files: MORE });
  assert.match(more.asked[0].events.at(-1).answer, TOTAL_OF_MORE);
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");

  // A year later `December` is another one: the model says which.
  const later = { date_from: "2025-12-01", date_to: "2025-12-31" };
  scene.endpoint.script = [call("get_receipts", later), say("No receipt matches.")];
  const other = await ask(scene, [QUESTION], { day: "2025-12-31" });
  assert.equal(scene.endpoint.bodies.length, 4);
  assert.deepEqual(JSON.parse(other.records[0].script).arguments, later);
  assert.deepEqual([other.records.length, other.records[0].of_day], [1, "2025-12-31"]);
});

test("no model hears what a call of before found, and what it hears is masked", async (t) => {
  // The look at the keys of the tables has taken two ids.
  const words = "You spent {{r4.total_amount}} in all.";
  const spent = "how much did I spend?";
  const script = [call("get_receipts", {}), say(words), say("Of which shop?")];
  const scene = await open(t, { blank: true, script });
  const policy = { level: "schema" };
  const questions = [spent, "new", spent, "and in November?"];
  const got = await ask(scene, questions, { policy, persist: false });
  const [first, second] = got.asked.map(({ events }) => events.at(-1).answer);
  for (const answer of [first, second]) assert.match(answer, /21,?582\.7/);
  assert.equal(scene.endpoint.bodies.length, 3);
  assert.deepEqual(scene.endpoint.contents(2, "assistant"), ["[answered on the device]"]);
  const sent = scene.endpoint.bodies.map((body) => body.toString("utf8")).join("\n");
  for (const secret of ["21582.7", "21,582.7", "Kuper", "N-101"])
    assert.equal(sent.includes(secret), false, secret);
});

test("a call is taken out, brought back, changed and made by its number", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }, files) => {
    const ph = await Pinhole.open({ locale: "en" });
    const blobs = Object.entries(files).map(([name, csv]) => [name, new Blob([csv])]);
    await ph.loadPurchases(Object.fromEntries(blobs));
    const recall = ph.recall({ context: "household" });
    const kept = (tool, args) => ({
      kind: "tool",
      script: JSON.stringify({ tool, arguments: args }),
    });
    const brief = ({ success, cached, human, error, output, totals, result }) => ({
      ...{ success, cached, human, error: error?.split(":")[0] },
      ...{ total: output?.summary?.total_receipts, rows: result?.rows, totals: totals?.values },
    });
    const wrong = await recall.save("q", kept("sql", { text: "SELECT 1" })).catch((e) => e.code);
    const id = await recall.save("my two latest receipts?", kept("get_receipts", { limit: 2 }));
    const ran = brief(await recall.execute(id));
    const lines = await recall.export();
    await recall.delete(id);
    const imported = await recall.import(lines);
    const again = brief(await recall.ask("My two latest receipts"));
    const change = async (call) => recall.update(id, { script: call.script });
    await change(kept("get_receipts", { limit: "two" }));
    const spoilt = brief(await recall.execute(id));
    await change(kept("get_labels", {}));
    const labels = brief(await recall.execute(id));
    const near = await recall.suggest("show my two latest receipts", { threshold: 0.1 });
    // Without a table that it needs it waits.
    ph.drop("labels");
    const lost = brief(await recall.execute(id));
    const { is_valid } = await recall.get(id);
    await ph.close();
    const suggested = near.suggestions.map(({ question }) => question);
    return {
      wrong,
      ran,
      imported: imported.added,
      again,
      spoilt,
      labels,
      suggested,
      lost,
      is_valid,
    };
  }, FILES);
  assert.equal(got.wrong, "unknown_tool");
  assert.deepEqual([got.ran.success, got.ran.rows, got.ran.total], [true, 2, 122]);
  assert.equal(got.ran.totals.total_receipts, 122);
  assert.match(
    got.ran.human,
    /^Understood as: receipts \(limit: 2\)\n\nReceipts: 122, for 21,?582\.7, /,
  );
  assert.deepEqual([got.imported, got.again.cached, got.again.total], [1, true, 122]);
  assert.deepEqual([got.spoilt.success, got.labels.success], [false, true]);
  assert.match(got.labels.human, /^Understood as: labels\n\nLabels: /);
  assert.deepEqual(got.suggested, ["my two latest receipts?"]);
  assert.deepEqual(
    [got.lost.success, got.lost.error, got.is_valid],
    [false, "unknown_table", true],
  );
});
