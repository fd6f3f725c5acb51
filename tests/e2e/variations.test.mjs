// Thirty questions for each of the page's samples, in two languages and in other words than those
// that the page offers. Each was written before it was asked; beside it stands what it means. No
// endpoint is there: the planner answers, with checked numbers and what it understood in sight.
// Those marked as offered can be meant in two ways, and the person is to choose; those marked as
// unanswered are still offered as readings or declined. Both are said too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { stage } from "./harness.mjs";

const open = stage();
const VARIATIONS = JSON.parse(readFileSync(new URL("variations.json", import.meta.url), "utf8"));

/** What the page says instead of an answer. */
const UNSURE =
  /I did not understand|Непонятно|Did you mean|Which of these|Имелось в виду|Что из этого/;

/** What the page understood and did, as its Query tab shows it. */
async function understood(answer, question) {
  assert.equal((await answer.state()).state, "done", question);
  assert.equal(await answer.id("reading").count(), 0, `${question}: readings are offered`);
  const claims = await answer.claims();
  assert.ok(claims.length > 0, `${question}: no number is told`);
  for (const { verdict } of claims) assert.match(verdict, /^(verified|derived)$/, question);
  await answer.id("tab-query").click();
  if ((await answer.id("call-text").count()) === 0) return answer.query();
  const text = await answer.id("call-text").textContent();
  const at = text.indexOf(" ");
  return { tool: text.slice(0, at), arguments: JSON.parse(text.slice(at)) };
}

/** The values of what queries give, over the sample that the page loads. */
async function results(t, sample, queries) {
  const scene = await open(t, { blank: true });
  return scene.run(
    async ({ Pinhole }, { sample, queries }) => {
      const { WORDS } = await import("/samples.js");
      const ph = await Pinhole.open();
      if (sample === "bars") {
        const { sampleStream } = await import("/sample.js");
        await ph.load("bars", sampleStream());
      } else if (sample === "penguins") {
        const file = await fetch("/penguins.csv").then((response) => response.blob());
        await ph.load("penguins", file, WORDS.penguins);
      } else {
        const { TABLES, csv, household } = await import("/household.js");
        const tables = household();
        for (const name of TABLES) await ph.load(name, new Blob([csv(tables[name])]), WORDS[name]);
      }
      const found = [];
      for (const query of queries) {
        const result = await ph.query(query);
        const rows = result.table ? await result.table.rows(0, 1000) : [[result.value]];
        const values = rows.map((row) => Object.values(row).map(String));
        found.push(query.sort ? values : values.map(String).sort());
        await result.release();
      }
      return found;
    },
    { sample, queries },
  );
}

for (const [sample, button, tables] of [
  ["bars", "sample", 1],
  ["penguins", "penguins", 1],
  ["household", "household", 6],
]) {
  test(`${sample}: what it is asked in other words is answered`, async (t) => {
    const scene = await open(t);
    await scene.id(button).click();
    await scene
      .id("table-card")
      .nth(tables - 1)
      .waitFor();
    const asked = [];
    const wrong = [];
    let unanswered = 0;
    for (const [question, meant, state] of VARIATIONS[sample]) {
      const answer = await scene.ask(question);
      if (state !== undefined) {
        unanswered += 1;
        assert.equal((await answer.claims()).length, 0, `${question} is answered: unmark it`);
        assert.match(await answer.text(), UNSURE, question);
        const readings = await answer.id("reading").count();
        assert.ok(readings > 0 || state !== "offered", `${question}: nothing is offered`);
        continue;
      }
      const got = await understood(answer, question).catch((error) => wrong.push(error.message));
      if (typeof got === "object") asked.push({ question, meant, got });
    }
    assert.deepEqual(scene.endpoint.requests, []);
    const isCall = ({ meant, got }) => meant.tool !== undefined || got.tool !== undefined;
    for (const { question, meant, got } of asked.filter(isCall)) {
      if (!isDeepStrictEqual(got, meant)) wrong.push(`${question}: ${JSON.stringify(got)}`);
    }
    const queries = asked.filter((one) => !isCall(one));
    const pairs = queries.flatMap(({ meant, got }) => [meant, got]);
    const found = await results(t, sample, pairs);
    queries.forEach(({ question, got }, at) => {
      const same = JSON.stringify(found[2 * at]) === JSON.stringify(found[2 * at + 1]);
      if (!same) wrong.push(`${question}: ${JSON.stringify(got)}`);
    });
    const all = VARIATIONS[sample].length;
    const answered = all - unanswered - wrong.length;
    t.diagnostic(`${sample}: ${answered} of ${all} answered as they are meant`);
    assert.deepEqual(wrong, []);
  });
}
