// The texts of the elements and of the page: the same is filled in in both languages, words by number.

import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXTS, fill } from "../dist/element/texts.js";

test("both languages say the same values", () => {
  const names = (words) => [...new Set(words.match(/\{\w+/g) ?? [])].sort();
  for (const [key, [english, russian]] of Object.entries(TEXTS)) {
    assert.deepEqual(names(english), names(russian), key);
  }
});

test("a word goes by its number", () => {
  const [rows] = TEXTS.about_table;
  const about = (rows_, columns) => fill(rows, { name: "t", rows: rows_, columns });
  assert.equal(about("1", 1), "t: 1 row, 1 column");
  assert.equal(about("0", "2"), "t: 0 rows, 2 columns");
  assert.equal(about("1,001", 21), "t: 1,001 rows, 21 columns");
  assert.equal(fill("{a}{b?|s} {c}", { a: "1", b: "" }), "1s ");
});
