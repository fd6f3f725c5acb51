// Which columns of the table a note shows first, and the language that numbers are written in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { packageUrl } from "../testing/setup.js";

const { isMadeOf, languageOf } = await import(packageUrl("element/facts.js"));

test("a result's column is made of the one whose name it has, however that is written", () => {
  assert.ok(isMadeOf("sum_amount", "amount"));
  assert.ok(isMadeOf("sum_сумма_операции", "Сумма операции"));
  assert.ok(isMadeOf("mean_Order_Total", "order total"));
  assert.ok(!isMadeOf("sum_amount", "Shop"));
});

test("a text is in the language of its small words, whatever it names", () => {
  for (const text of [
    "Lines: 3, for 1920.18: Йогурт Ягодка клубника – 111.9; Хлеб ржаной – 105.25.",
    "Total of «Сумма заказа» by «Город»: Омск – 5; Тверь – 7.",
    "912",
  ])
    assert.equal(languageOf(text), "en", text);
  for (const text of [
    "Revenue by region выросла на 5 в марте",
    "Сумма amount по shop: Kuper – 9",
    "Sales в марте",
    "Выручка: 912",
  ])
    assert.equal(languageOf(text), "ru", text);
});
