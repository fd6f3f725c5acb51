// Where in a query or in a statement of SQL something is wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, placeText } from "../dist/element/sql-place.js";

const unread = { code: "sql_syntax", message: "this is no valid SQL statement", pointer: "" };
const at = (diagnostic, source) => {
  const place = placeOf({ span: null, ...diagnostic }, source);
  return place && [placeText("en", place), place.wrong];
};

test("a statement that cannot be read is shown where it is likely to be wrong", () => {
  for (const [sql, where, wrong] of [
    ["SELECT shop, sum(amount FROM a", "Line 1, column 17: this bracket is never closed", "("],
    ["SELECT shop) FROM a", "Line 1, column 12: this bracket closes nothing", ")"],
    ["SELECT * FROM a WHERE s = 'x", "Line 1, column 27: this quote is never closed", "'"],
    ["SELECT shop,\nFROM a", "Line 1, column 12: nothing follows this comma", ","],
    ["SELECT shop\nFROM a WHERE", "Line 2, column 8: the statement breaks off here", "WHERE"],
    ["SELECT shop FORM a", "Line 1, column 13: `FROM` may be meant", "FORM"],
    ["SELECT shop FROM a GRUP BY shop", "Line 1, column 20: `GROUP` may be meant", "GRUP"],
    ["SELEC shop FROM a", "Line 1, column 1: `SELECT` may be meant", "SELEC"],
    // What stands in a text or a comment is no part of the statement.
    ["SELECT ')' -- (\nFROM a WHERE", "Line 2, column 8: the statement breaks off here", "WHERE"],
  ])
    assert.deepEqual(at(unread, sql), [where, wrong], sql);
  assert.equal(at(unread, "SELECT a b c FROM t"), undefined);
  assert.equal(at(unread, ""), undefined);
});

test("a name that is not known is shown where it stands", () => {
  const unknown = { code: "unknown_column", message: "unknown column `amout`; valid: amount" };
  assert.deepEqual(at(unknown, "select shop,\n  Amout\nfrom a"), ["Line 2, column 3", "Amout"]);
  assert.deepEqual(at(unknown, 'select "amout" from a'), ["Line 1, column 8", '"amout"']);
  assert.equal(at(unknown, "select 'amout' from a"), undefined);
  assert.equal(at({ code: "memory", message: "too large" }, "select 1"), undefined);
});

test("what is wrong in a query is shown in its field", () => {
  const place = placeOf(
    { code: "unknown_column", message: "", pointer: "/then/0/where", span: [0, 5] },
    { table: "a", then: [{ where: "amout > 1" }] },
  );
  assert.deepEqual([place.before, place.wrong, place.after], ["", "amout", " > 1"]);
  assert.equal(placeText("en", place), "");
  assert.equal(placeOf({ message: "", pointer: "/table", span: null }, { table: "a" }), undefined);
});

test("of a long line what stands around it is shown", () => {
  const sql = `select ${"a, ".repeat(100)}amout, ${"a, ".repeat(100)}a from t`;
  const place = placeOf({ code: "unknown_column", message: "unknown column `amout`" }, sql);
  assert.equal(place.wrong, "amout");
  assert.ok(place.before.length < 50 && place.after.length < 50);
  assert.ok(place.before.startsWith("…") && place.after.endsWith("…"));
});
