// What a file is called that a person saves of an answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "../dist/element/file-name.js";

test("a file is called after its question, in its own script", () => {
  for (const [question, name] of [
    ["Total amount by shop?", "total-amount-by-shop"],
    ["Сколько всего потрачено на йогурт?", "сколько-всего-потрачено-на-йогурт"],
    ["price > 3.5 in ../../etc/passwd", "price-3-5-in-etc-passwd"],
    ["SELECT * FROM my_table;", "select-from-my_table"],
    ["a\u0000b\\c:d", "a-b-c-d"],
    ["???", ""],
  ])
    assert.equal(fileName(question), name);
  assert.equal(fileName("Total amount", "2", "rows"), "total-amount-2-rows");
  assert.equal(fileName("???", "rows"), "rows");
});

test("a long question is cut between words, a long word anywhere", () => {
  const long = fileName(
    "average of the total amount by shop and category for the last three years",
  );
  assert.equal(long, "average-of-the-total-amount-by-shop-and-category-for-the");
  assert.equal(fileName("ы".repeat(100)), "ы".repeat(60));
});
