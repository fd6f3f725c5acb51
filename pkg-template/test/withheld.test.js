// What a request says is withheld: read from the very bytes, in each format and both languages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { saidWithheld } from "../dist/element/withheld.js";

const LINES = [
  "Result: shown to the user as r2; the policy withholds it from you: fewer than 5 rows stand behind it",
  "2 groups are withheld: those of fewer than 5 rows, and what would give them away",
  "1 group is withheld: it has fewer than 5 rows",
  "`sum` is withheld: fewer than 5 rows stand behind it",
  "[withheld: the disclosure policy has changed since]",
  "Result: shown to the user as r2 (columns: shop); the policy withholds its values from you",
  "Результат: показан пользователю как r2 (столбцы: shop); политика не раскрывает вам значения",
  "where: this part reads something that the policy withholds: leave it out",
  "where: эта часть читает то, что политика не раскрывает: уберите её",
  "Результат: показан пользователю как r2; политика не раскрывает его вам",
  "1 группа не раскрывается: в ней меньше 5 строк",
  "`sum` не раскрывается: за ним меньше 5 строк",
  "не раскрыто групп: 3; в них меньше 5 строк, или они выдали бы такие",
];
/** Names and values that speak of it and are none of the gate's words. */
const OTHERS = [
  "Result: 4 groups by tax_withheld (from 24 of 24 rows)",
  "What was withheld: sum_tax_withheld = 12",
  "столбец «не раскрыто», сумма 12",
];

const entry = (body) => ({ body: typeof body === "string" ? body : JSON.stringify(body) });
const FORMATS = {
  "Chat Completions": (text) => ({
    messages: [
      { role: "user", content: LINES[2] },
      { role: "tool", content: text },
    ],
  }),
  Responses: (text) => ({
    input: [
      { role: "user", content: LINES[2] },
      { type: "function_call_output", output: text },
    ],
  }),
  Messages: (text) => ({
    messages: [
      { role: "user", content: [{ type: "text", text: LINES[2] }] },
      { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text }] }] },
    ],
  }),
};

for (const [format, request] of Object.entries(FORMATS)) {
  test(`${format}: the gate's words alone, from what tools gave`, () => {
    const all = [...OTHERS, ...LINES, ...LINES].join("\n  ");
    assert.deepEqual(saidWithheld(entry(request(all))), LINES);
    assert.deepEqual(saidWithheld(entry(request(OTHERS.join("\n")))), []);
  });
}

test("what is no text or no JSON says nothing", () => {
  assert.deepEqual(saidWithheld({ body: { hex: "00ff" } }), []);
  assert.deepEqual(saidWithheld(entry("{ nope")), []);
});
