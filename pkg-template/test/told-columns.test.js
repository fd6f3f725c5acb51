// What the ledger says that left of columns: whatever the bytes name is listed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toldOfColumns } from "../dist/element/told-columns.js";

const SCHEMA =
  'Rules.\ntable `люди`: 24 rows; time `дата` 2024-01-01 … 2024-03-01\n  `город`: text, values "Омск", "Тверь"\n' +
  '  `дата`: date\n  `оклад`: integer, unit "₽"\n\nMore `words`: here';
const BODIES = {
  chat: { messages: [{ role: "system", content: SCHEMA }] },
  responses: { instructions: SCHEMA, input: [] },
  messages: { system: [{ type: "text", text: SCHEMA }] },
};
const AGGREGATE = { what: "values", why: "aggregate", of: "люди.оклад" };

test("a column of which only the name and the type left is listed, in every format", () => {
  for (const body of Object.values(BODIES)) {
    const entry = {
      body: JSON.stringify(body),
      level: "summary",
      columns: ["люди.город", "люди.дата"],
      withheld: [AGGREGATE],
    };
    assert.deepEqual(toldOfColumns(entry, "ru"), [
      { what: "имя и тип", columns: "люди.оклад (целое)" },
      {
        what: "имя, тип и то, что о значениях говорят результаты или границы дат",
        columns: "люди.дата (дата)",
      },
      { what: "имя, тип и значения", columns: "люди.город (текст)" },
    ]);
  }
});

test("aggregates are told apart from values, and bytes that name nothing list nothing", () => {
  const body = JSON.stringify(BODIES.chat);
  const told = (level, columns) =>
    toldOfColumns({ body, level, columns, withheld: [AGGREGATE] }, "en");
  assert.deepEqual(told("preview", ["люди.оклад", "люди.дата"]), [
    { what: "name, type, and aggregates", columns: "люди.оклад (integer)" },
    { what: "name, type, and values", columns: "люди.город (text), люди.дата (date)" },
  ]);
  // What the ledger knows is listed even where the bytes name it in another way.
  const entry = { body: { hex: "00" }, level: "aggregate", columns: ["t.x"] };
  assert.deepEqual(toldOfColumns(entry, "en"), [
    { what: "name, type, and aggregates", columns: "t.x" },
  ]);
  assert.deepEqual(toldOfColumns({ body: "{}", level: "schema", columns: [] }, "en"), []);
});

test("kinds are words of the language, also of decimals and of lists", () => {
  const body = JSON.stringify({
    text: "table `t`: 2 rows\n  `a`: decimal(2)\n  `b`: list(int)\n  `c`: timestamp\n  `d`: bool\n  `e`: float",
  });
  const [ru, en] = ["ru", "en"].map(
    (one) => toldOfColumns({ body, level: "schema" }, one)[0].columns,
  );
  assert.equal(
    ru,
    "t.a (десятичное, 2), t.b (список, целое), t.c (дата и время), t.d (да/нет), t.e (число)",
  );
  assert.equal(
    en,
    "t.a (decimal, 2), t.b (list, integer), t.c (date and time), t.d (yes/no), t.e (number)",
  );
});
