// What the foot of an answer says of the rows behind it: groups beside the rows that were looked at, and
// no number where the engine counts something else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";

const open = stage();

/** 60 sales of six shops, one of which has no name; every fourth has no discount. */
function sales() {
  const shops = ["Kuper", "Vkusno", "Lavka", "Sever", "Zarya", ""];
  const lines = ["shop,city,amount,discount"];
  for (let i = 0; i < 60; i += 1) {
    lines.push([shops[i % 6], i % 4 > 1 ? "Perm" : "Tver", i, i % 4 === 0 ? "" : i % 7].join());
  }
  return `${lines.join("\n")}\n`;
}

/** Runs a query of the Query tab; what the foot says then. */
async function scopeOf(scene, answer, query) {
  await answer.edit(query);
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.settled();
  await answer.id("tab-answer").click();
  return (await answer.id("scope").textContent()).replace(/ · $/, "");
}

test("groups are told apart from the rows that they are of", async (t) => {
  const scene = await open(t);
  await scene.load("sales.csv", sales());
  const answer = await scene.ask("average amount by shop");
  const own = async () => (await answer.id("scope").textContent()).replace(/ · $/, "");
  assert.equal(await own(), "6 groups · looked at all 60 rows");
  const by = { table: "sales", group_by: "shop", select: "sum(amount)" };
  for (const [query, wanted] of [
    [{ ...by, where: "amount >= 30" }, "6 groups · 30 of 60 rows match"],
    [{ ...by, sort: "sum_amount desc", limit: 2 }, "2 of 6 groups · looked at all 60 rows"],
    // The last step has six rows, the answer is of sixty.
    [
      { ...by, steps: [{ select: "max(sum_amount)" }] },
      "computed in steps from a table of 60 rows",
    ],
    [{ ...by, steps: [{ where: "sum_amount > 290" }] }, /^\d groups · looked at all 60 rows$/],
    [{ table: "sales", where: "amount < 0" }, "0 of 60 rows match"],
    // A mean of 45 values: the rows were looked at, and it is not said that all of them count.
    [{ table: "sales", select: "mean(discount)" }, "looked at all 60 rows"],
  ]) {
    const said = await scopeOf(scene, answer, query);
    if (wanted instanceof RegExp) assert.match(said, wanted);
    else assert.equal(said, wanted);
  }
  await scene.id("language-ru").click();
  await answer.id("scope").filter({ hasText: "просмотрены все строки: 60" }).waitFor();
});

test("receipts: rows of tables that have nothing in common are not added up", async (t) => {
  const scene = await open(t);
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  const answer = await scene.ask("how much did we spend by category?");
  assert.equal((await answer.state()).state, "done");
  assert.doesNotMatch(await answer.id("scope").textContent(), /rows|match/);
});

test("a list that was cut says of how many", async (t) => {
  const script = [call("get_receipts", { limit: 10 }), say("These are the last receipts.")];
  const scene = await open(t, { model: true, script });
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  const answer = await scene.ask("which receipts are there?");
  const foot = await answer.id("scope").textContent();
  const [, all] = /^10 of ([\d,]+) rows · $/.exec(foot) ?? assert.fail(foot);
  // The totals come first, then the list.
  await answer.id("tab-data").click();
  const range = answer.id("data-range");
  await range.filter({ hasText: `Showing 10 of ${all} rows` }).waitFor();
  await scene.picture("cut-list");
  await scene.id("language-ru").click();
  const ru = all.replace(",", "\u00a0");
  await range.filter({ hasText: `Показано 10 из ${ru} строк` }).waitFor();
  await answer.id("tab-answer").click();
  await answer
    .id("scope")
    .filter({ hasText: `10 из ${ru} строк` })
    .waitFor();
});

test("nothing that matches, and a table without rows, are told as such", async (t) => {
  const scene = await open(t);
  await scene.load("sales.csv", sales());
  const none = await scene.ask("total amount by shop where amount > 1000");
  assert.equal((await none.id("scope").textContent()).replace(/ · $/, ""), "0 of 60 rows match");
  await none.id("tab-data").click();
  const range = none.id("data-range").filter({ hasText: "Nothing in the table matches" });
  await range.waitFor();
  assert.equal(await none.id("panel-data").getByText("Choose a group").count(), 0);
  const one = await scene.ask("average amount where amount > 1000");
  await one.id("tab-data").click();
  await one.id("source-range").filter({ hasText: "Nothing in the table matches" }).waitFor();
  await scene.id("table-drop").click();
  await scene.id("table-card").waitFor({ state: "detached" });
  await scene.load("nothing.csv", "shop,amount\n");
  const unread = await scene.ask("total amount by shop");
  await unread.id("answer-table-empty").waitFor();
  const rows = await scene.ask("how many rows");
  assert.match(await rows.id("scope").textContent(), /^the table has no rows/);
  await rows.id("tab-data").click();
  await rows.id("source-range").filter({ hasText: "The table itself is empty" }).waitFor();
});
