// The main job: a million minute bars, a question in plain words, an answer whose every number is
// proved, and nothing sent.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SAMPLE } from "../../www/sample.js";
import { stage } from "./harness.mjs";
import { gaps, gapsByWeekday, sampleText } from "./oracle.mjs";

const open = stage();

const QUESTION = "average gap by weekday where gap is above 50";
const QUESTION_RU = "средний гэп по дням недели, где гэп больше 50";
const QUERY = {
  table: "bars",
  from: "daily",
  map: { gap: "gap()", dow: "dayname()" },
  where: "gap > 50",
  group_by: ["dow"],
  select: ["mean(gap)"],
};
const MEANS = [118.89, 87.88, 98.09, 90.15, 113.98];

/** The weekdays as a page in Russian names them. */
const DAYS_RU = { Mon: "пн", Tue: "вт", Wed: "ср", Thu: "чт", Fri: "пт" };

/** Proves that an answer is the one of [`QUESTION`] on the whole sample. */
async function isRight(answer, called = {}) {
  const expected = gapsByWeekday(50);
  assert.deepEqual(
    expected.map(({ mean }) => Number(mean.toFixed(2))),
    MEANS,
  );
  assert.equal((await answer.state()).state, "done");
  const query = await answer.query();
  assert.equal(query.from, "daily");
  assert.deepEqual(comparable(query), comparable(QUERY));
  const rows = await answer.rows();
  assert.deepEqual(
    rows.map(([weekday, mean]) => [weekday, Number(Number(mean).toFixed(2))]),
    expected.map(({ weekday }, i) => [called[weekday] ?? weekday, MEANS[i]]),
  );
  const claims = await answer.claims();
  assert.ok(claims.length >= 2, `${claims.length} claims`);
  for (const { text, verdict } of claims) {
    assert.match(verdict, /^(verified|derived)$/, text);
  }
  await everyNumberIsAClaim(answer);
  return expected;
}

/** A query with every list written as one. */
function comparable(query) {
  const list = (value) => (Array.isArray(value) ? value : [value]);
  return { ...query, group_by: list(query.group_by), select: list(query.select) };
}

/** No digit stands outside a mark, but for the question's own number, which the answer repeats. */
async function everyNumberIsAClaim(answer) {
  const rest = await answer.unmarked();
  assert.doesNotMatch(rest.replace("gap > 50", ""), /\d/, rest);
}

async function nothingSent(scene, answer) {
  await answer.id("tab-sent").click();
  await answer.id("nothing-sent").waitFor();
  assert.deepEqual(scene.endpoint.bodies, []);
  assert.ok(scene.log.every(({ method }) => method === "GET"));
}

test("sample data: question, query, table, proved answer, nothing sent", async (t) => {
  const scene = await open(t);
  await scene.picture("1-start");
  await scene.sample();
  const loaded = scene.log.length;
  assert.equal(digits(await scene.id("table-rows").textContent()), String(SAMPLE.rows));
  const answer = await scene.ask(QUESTION);
  await scene.picture("2-answer");
  assert.match(await answer.id("interpretation").textContent(), /daily bars/);
  const expected = await isRight(answer);
  await scene.picture("3-data");
  const text = await answer.text();
  assert.ok(text.includes("118.8") && text.includes("87.8"), `highest and lowest: ${text}`);
  assert.match(await answer.id("answered-by").textContent(), /built-in planner/);

  // The Data tab: drill-down shows exactly the rows that were counted.
  const friday = expected.find(({ weekday }) => weekday === "Fri");
  const chosen = answer.id("group-row").filter({ hasText: "Fri" });
  await chosen.click();
  const grounds = (row) =>
    row.evaluate(({ cells }) => [
      ...new Set([...cells].map((cell) => getComputedStyle(cell).backgroundColor)),
    ]);
  assert.equal((await grounds(chosen)).length, 1, "all of the chosen row is marked");
  const other = answer.id("group-row").filter({ hasText: "Mon" });
  await other.hover();
  assert.notDeepEqual(await grounds(other), await grounds(chosen), "and no other row as it is");
  await answer.id("source-table").locator("tbody tr").first().waitFor();
  const sources = await answer.rows("source");
  assert.equal(sources.length, friday.count);
  const range = await answer.id("source-range").textContent();
  assert.match(range, new RegExp(`of ${friday.count}$`));
  const days = gaps().filter(({ weekday, gap }) => weekday === "Fri" && gap > 50);
  assert.deepEqual(
    sources.map(([time]) => time.slice(0, 10)),
    days.map(({ day }) => day),
  );
  await scene.picture("4-drill-down");

  await nothingSent(scene, answer);
  await scene.picture("5-sent");
  assert.equal(await scene.id("sent-open").textContent(), "Nothing sent");
  assert.equal(scene.log.length, loaded, "no request after the table was there");
});

test("sample data: the question and its follow-up in Russian", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.sample();
  const answer = await scene.ask(QUESTION_RU);
  assert.match(await answer.id("interpretation").textContent(), /дневны/);
  await isRight(answer, DAYS_RU);
  assert.match(await answer.text(), /гэп|gap/);
  await nothingSent(scene, answer);
  await scene.picture("6-russian");
  const next = await scene.ask("только по пятницам");
  assert.equal((await next.state()).state, "done");
  const friday = gapsByWeekday(50).find(({ weekday }) => weekday === "Fri");
  const { where } = await next.query();
  assert.match(where, /gap > 50/);
  assert.match(where, /Fri/);
  const shown = await next.text();
  assert.ok(shown.includes(friday.mean.toFixed(2).slice(0, -1).replace(".", ",")), shown);
  assert.match(await next.id("scope").textContent(), new RegExp(String(friday.count)));
});

test("the same bars as a CSV file", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-e2e-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const text = sampleText();
  assert.equal(Buffer.byteLength(text), SAMPLE.bytes);
  assert.equal(
    createHash("sha256").update(text).digest("hex"),
    "7c74624f1ec777a1bb28f99286499ebda1fea6758c1a1feca49acc0dc79a7eb1",
    "docs/sample-data.md names this hash",
  );
  const path = join(folder, "bars.csv");
  await writeFile(path, text);
  const scene = await open(t);
  await scene.load("bars.csv", { path });
  assert.equal(await scene.id("table-name").textContent(), "bars");
  const answer = await scene.ask(QUESTION);
  await isRight(answer);
  await nothingSent(scene, answer);
});

test("follow-ups, an edited query, a download, another language", async (t) => {
  const weeks = { weeks: 40 };
  const scene = await open(t);
  await scene.load("bars.csv", sampleText(weeks));
  const first = await scene.ask(QUESTION);
  assert.equal((await first.state()).state, "done");
  const next = await scene.ask("only Fridays");
  assert.equal((await next.state()).state, "done");
  const { where, from } = await next.query();
  assert.equal(from, "daily");
  assert.match(where, /gap > 50/);
  assert.match(where, /Fri/);

  // The first answer's query, edited: the table follows.
  await first.edit({ ...(await first.query()), where: "gap > 100" });
  await first.id("query-outcome").locator("p").waitFor();
  // What was asked for is not what is shown now.
  assert.equal(await first.id("answer-title").textContent(), "Result of the edited query");
  const expected = gapsByWeekday(100, weeks).filter(({ count }) => count > 0);
  const rows = await first.rows();
  assert.deepEqual(
    rows.map(([weekday]) => weekday),
    expected.map(({ weekday }) => weekday),
  );
  for (const [i, [, mean]] of rows.entries()) {
    assert.ok(Math.abs(Number(mean) - expected[i].mean) < 1e-4, `${mean}, ${expected[i].mean}`);
  }
  const [download] = await Promise.all([
    scene.page.waitForEvent("download"),
    first.id("data-csv").click(),
  ]);
  const parts = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  const lines = Buffer.concat(parts).toString("utf8").trimEnd().split("\n");
  assert.equal(lines[0], "\u{feff}dow,mean_gap");
  assert.equal(lines.length, expected.length + 1);

  await scene.id("language-ru").click();
  assert.match(await scene.id("sent-open").textContent(), /Ничего не отправлено/);
  const russian = await scene.ask("сколько дней гэп больше 50");
  const count = gapsByWeekday(50, weeks).reduce((all, { count }) => all + count, 0);
  assert.ok((await russian.text()).includes(String(count)), await russian.text());
  const claims = await russian.claims();
  assert.ok(claims.some(({ text, verdict }) => text === String(count) && verdict === "verified"));
  await scene.picture("7-follow-ups");
});

function digits(text) {
  return text.replace(/\D/g, "");
}
