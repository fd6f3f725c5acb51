// What stands in the box of a query: a query, a statement that asks, or one that is not run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { statementIn, toldAs } from "../dist/element/facts.js";
import { sqlHint, written } from "../dist/element/statement.js";

test("a query and a statement that asks are run as they are", () => {
  assert.deepEqual(written("en", '{"table":"t"}'), { query: { table: "t" } });
  assert.deepEqual(written("en", "-- all\nselect 1;"), { sql: "-- all\nselect 1" });
});

test("a statement that changes data is told as one, by its first word", () => {
  for (const [words, word] of [
    ["delete from t where x = 1", "DELETE"],
    ["/* all */ drop table t", "DROP"],
    ['Update "My table" set x = 1', "UPDATE"],
  ]) {
    assert.match(written("en", words).wrong, new RegExp(`^\`${word}\` is SQL that changes data`));
    assert.match(written("ru", words).wrong, new RegExp(`^\`${word}\` – это SQL`));
  }
  assert.match(written("en", "explain select 1").wrong, /`EXPLAIN` is SQL that is not run here/);
});

test("what is neither is told by its place", () => {
  for (const words of ["drop", "{ table }", "deleted from t"])
    assert.match(written("en", words).wrong, /not valid JSON/, words);
});

test("a misspelt statement is told as SQL, and what would be one", () => {
  for (const words of ["SELEC shop FROM a", "slect * from t", "from a select shop"]) {
    const [first] = words.split(" ");
    assert.match(
      written("en", words).wrong,
      new RegExp(`^\`${first}\` looks like SQL, which begins`),
    );
    assert.match(written("ru", words).wrong, /начинается здесь с SELECT/);
  }
});

test("SQL typed as a question is told from a question that begins like SQL", () => {
  for (const sql of [
    "select * from t",
    "SELECT shop, sum(amount) AS total FROM t GROUP BY shop",
    "select a from t where b > 1",
    "select distinct a, b c from t",
    "select a*2, round(b, 2) from t",
    'select "My column" from "My table"',
    "select t.a from (select a from t) t",
    "with x as (select 1 as a) select a from x",
    "with x (a) as (select 1) select a from x",
    "select count(*)\nfrom t",
  ]) {
    assert.equal(statementIn(sql), sql);
    assert.equal(statementIn(` ${sql} ; `), sql);
  }
  for (const words of [
    "select the top 5 shops from sales",
    "select all from sales",
    "select everything from sales",
    "select the 5 largest purchases, sorted by amount, from the sales",
    "with discounts, how many sales came from Berlin",
    "with a discount as a rule, how many come from Berlin",
    "how many rows select from t",
    "selected shops from sales",
    "total amount by shop",
    "select 1",
    "выбери магазины из таблицы",
  ])
    assert.equal(statementIn(words), undefined, words);
});

test("a misspelt statement that is typed as a question is no question", () => {
  for (const first of [
    "selec",
    "SELET",
    "slect",
    "SELECTT",
    "selcet",
    "selekt",
    "elect",
    "Selects",
  ]) {
    const sql = `${first} shop, sum(amount) FROM t`;
    assert.equal(statementIn(sql), sql);
    assert.equal(statementIn(`${first} the top 5 shops from sales`), undefined);
  }
  for (const words of ["detect shop from t", "selected shop from t", "collect a from t"])
    assert.equal(statementIn(words), undefined, words);
});

test("a statement of one's own says no more of itself, and a query says how SQL begins", () => {
  assert.equal(toldAs("en", { query: { table: "t" }, explanation: "sum of a" }), "sum of a");
  const own = { query: { sql: "select 1" }, explanation: "Run a read-only SQL statement" };
  assert.equal(toldAs("en", own), "SQL of your own, run as it stands");
  assert.equal(toldAs("ru", own), "Ваш SQL, выполнен как есть");
  assert.match(sqlHint("en", { table: "t" }), /`SELECT \* FROM t LIMIT 10`/);
  assert.match(sqlHint("ru", { table: "Чеки 1" }), /`SELECT \* FROM "Чеки 1" LIMIT 10`/);
  assert.equal(sqlHint("en", { sql: "select 1" }), "");
});
