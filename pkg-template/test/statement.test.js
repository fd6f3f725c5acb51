// What stands in the box of a query: a query, a statement that asks, or one that is not run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "../dist/element/facts.js";

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
