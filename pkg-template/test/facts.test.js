// Which columns of the table a note shows first.
import assert from "node:assert/strict";
import { test } from "node:test";
import { packageUrl } from "../testing/setup.js";

const { isMadeOf } = await import(packageUrl("element/facts.js"));

test("a result's column is made of the one whose name it has, however that is written", () => {
  assert.ok(isMadeOf("sum_amount", "amount"));
  assert.ok(isMadeOf("sum_сумма_операции", "Сумма операции"));
  assert.ok(isMadeOf("mean_Order_Total", "order total"));
  assert.ok(!isMadeOf("sum_amount", "Shop"));
});
