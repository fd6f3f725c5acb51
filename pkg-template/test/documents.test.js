// What the documents list of the elements is what their types have.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const read = (path) => readFile(new URL(path, import.meta.url), "utf8");
const types = await read("../src/element/types.ts");
const readme = await read("../README.md");
const docs = await read("../../docs/element.md");
const parts = await read("../../docs/element-parts.md");

/** The names in an interface. */
function fieldsOf(name) {
  const [, body] = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(types);
  return [...body.matchAll(/^ {2}"?([\w-]+)"?[?(:]/gm)].map(([, field]) => field);
}

/** The events with the fields of their details. */
const events = [...types.matchAll(/^ {2}"(pinhole-\w+)": CustomEvent<(\w+)>;/gm)].map(
  ([, event, detail]) => [event, fieldsOf(detail)],
);

/** The row of a table that begins with this name. */
const rowOf = (text, name) =>
  text
    .split("\n")
    .find((line) => line.startsWith("| ") && line.split("|")[1].includes(`\`${name}\``));

test("the README has every event with all that its detail has", () => {
  assert.ok(events.length >= 9);
  for (const [event, fields] of events) {
    const row = rowOf(readme, event);
    assert.ok(row, event);
    for (const field of fields)
      assert.match(row, new RegExp(`\`${field}\\b`), `${event}: ${field}`);
  }
});

test("the document of the elements has every event, and the fields of its own", () => {
  for (const [event, fields] of events) {
    const row = rowOf(docs, event);
    assert.ok(row, event);
    const text = row.includes("element-parts.md") ? parts : row;
    for (const field of fields)
      assert.match(text, new RegExp(`\\b${field}\\b`), `${event}: ${field}`);
  }
});

test("both name every property of the panel", () => {
  const names = { noLauncher: "no-launcher", storageKey: "storage-key" };
  const fields = fieldsOf("PinholeAskElement");
  assert.ok(fields.length >= 18, fields.join());
  for (const field of fields) {
    const name = new RegExp(`\`${names[field] ?? field}\\b`);
    assert.match(readme, name, field);
    assert.match(docs, name, field);
  }
});
