// What the ledger says that a request keeps back, in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { protectedColumns, withheldLines } from "../dist/element/withheld.js";

const KEPT = [
  { what: "columns", why: "hidden", of: "people", count: 1200 },
  { what: "values", why: "aggregate", of: "people.salary" },
  { what: "values", why: "level", of: "people" },
  { what: "result", why: "few_rows", of: "r2" },
  { what: "groups", why: "few_rows", of: "r3", count: 2 },
  { what: "measure", why: "few_rows", of: "r3.max_salary" },
  { what: "words", why: "cell", count: 1 },
];

test("each thing has its line, in the language of the person", () => {
  assert.deepEqual(withheldLines({ withheld: KEPT }, "en"), [
    "columns of people: 1,200 – hidden by the policy",
    "values of people.salary – told in aggregates alone",
    "values of people – the level of the policy",
    "all of r2 – too few rows stand behind it, or it would give such away",
    "groups of r3: 2 – too few rows stand behind it, or it would give such away",
    "r3.max_salary – too few rows stand behind it, or it would give such away",
    "words that you typed: 1 – a protected cell says the same",
  ]);
  const russian = withheldLines({ withheld: KEPT }, "ru");
  assert.equal(russian.length, KEPT.length);
  assert.equal(russian[0].replace(/\s/g, " "), "столбцы people: 1 200 – скрыты политикой");
  for (const line of russian)
    assert.doesNotMatch(line, /\{|undefined|[a-z]{3,} [a-z]{3,} [a-z]{3,}/);
});

test("a request that keeps nothing back has no line, and one of a newer engine has its own words", () => {
  assert.deepEqual(withheldLines({}, "en"), []);
  const newer = { withheld: [{ what: "pictures", why: "size", of: "r1" }] };
  assert.deepEqual(withheldLines(newer, "ru"), ["pictures r1 – size"]);
});

test("the columns that a policy protects, with what the scanner took them for", () => {
  const tables = [
    {
      name: "people",
      columns: [{ name: "email" }, { name: "salary" }, { name: "city" }],
      classes: { email: "hidden" },
      flags: [{ column: "email", kind: "email" }],
    },
  ];
  const policy = { columns: { "people.salary": "aggregate" } };
  assert.deepEqual(protectedColumns(tables, policy), [
    { column: "people.email", by: "hidden", flag: "email" },
    { column: "people.salary", by: "aggregate", flag: undefined },
  ]);
});
