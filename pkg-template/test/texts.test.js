// The texts of the elements and of the page: the same is filled in in both languages, words by number.

import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXTS, fill, readingEnd, saysMore, statusHint, text } from "../dist/element/all-texts.js";

test("both languages say the same values", () => {
  const names = (words) => [...new Set(words.match(/\{\w+/g) ?? [])].sort();
  for (const [key, [english, russian]] of Object.entries(TEXTS)) {
    assert.deepEqual(names(english), names(russian), key);
  }
});

test("a title that is how the question begins says no more than it", () => {
  const question = "How much did I spend\u00a0in December?";
  assert.equal(saysMore("How much did I spend in…", question), false);
  assert.equal(saysMore("Total amount by shop", "total amount by shop?"), false);
  assert.equal(saysMore("", question), false);
  assert.equal(saysMore("Spending of December", question), true);
});

test("an answer's reading is found in the language of the question, whatever the page's", () => {
  const answer = "Understood as: sum of qty.\n\nTotal 9.";
  assert.equal(readingEnd(answer, "сумма qty."), 26);
  assert.equal(readingEnd(answer, undefined), 26);
  assert.equal(readingEnd("Понято так: всё\n\nИтого 9.", "all"), 15);
  assert.equal(readingEnd("Total 9.\n\nMore.", "all"), 0);
  assert.equal(readingEnd("Understood as: all", "all"), 0);
});

test("a word goes by its number", () => {
  const [rows] = TEXTS.about_table;
  const about = (rows_, columns) => fill(rows, { name: "t", rows: rows_, columns });
  assert.equal(about("1", 1), "t: 1 row, 1 column");
  assert.equal(about("0", "2"), "t: 0 rows, 2 columns");
  assert.equal(about("1,001", 21), "t: 1,001 rows, 21 columns");
  assert.equal(fill("{a}{b?|s} {c}", { a: "1", b: "" }), "1s ");
});

test("Russian has a word for one, for few and for many", () => {
  const rows = (n) => text("ru", "about_table", { name: "т", rows: n, columns: 1 });
  assert.equal(rows("1"), "т: 1 строка, 1 столбец");
  assert.equal(rows("3"), "т: 3 строки, 1 столбец");
  assert.equal(rows("11"), "т: 11 строк, 1 столбец");
  assert.equal(rows("1\u00a0021"), "т: 1\u00a0021 строка, 1 столбец");
  assert.equal(rows("1\u00a0000"), "т: 1\u00a0000 строк, 1 столбец");
});

test("numbers that are given as numbers have groups of digits", () => {
  const about = (locale, n) => text(locale, "about_table", { name: "t", rows: n, columns: 2 });
  assert.equal(about("ru", 2000), "t: 2\u00a0000 строк, 2 столбца");
  assert.equal(about("en", 2000), "t: 2,000 rows, 2 columns");
});

test("each place that counts has a word for every form of its language", () => {
  for (const [key, pair] of Object.entries(TEXTS)) {
    for (const [i, words] of pair.entries()) {
      for (const [, forms] of words.matchAll(/\{\w+\?([^}]*)\}/g)) {
        assert.equal(forms.split("|").length, [2, 3][i], `${key}: ${forms}`);
      }
    }
  }
});

test("what to do about a status says whose the fault is", () => {
  const of = (status) => statusHint(`the endpoint answered (status ${status})`);
  assert.deepEqual([401, 403, 404, 400, 429, 500, 503].map(of), [
    "hint_key",
    "hint_key",
    "hint_missing",
    "hint_refused",
    "hint_busy",
    "hint_server",
    "hint_server",
  ]);
  assert.equal(statusHint("сбой на сервере модели (статус 502)"), "hint_server");
});
