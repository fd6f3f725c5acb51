// The schemas of the answers of the tools for purchases: they are schemas, the examples of the
// specification fit them and so do the answers that DuckDB computed; each with one thing wrong does not.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";

const root = join(import.meta.dirname, "../..");
const read = (path) => readFile(join(root, path), "utf8");
const schemas = JSON.parse(await read("docs/purchases.schema.json"));
const specified = JSON.parse(await read("tests/purchases/specified.json"));
const formats = { date: /^\d{4}-\d{2}-\d{2}$/ };

const ajv = new Ajv2020({ allowUnionTypes: true, formats });
const checks = Object.fromEntries(
  Object.entries(schemas).map(([tool, schema]) => [tool, ajv.compile(schema)]),
);

test("each tool has a schema, of 2020-12 and of draft-07", () => {
  assert.deepEqual(
    Object.keys(schemas),
    specified.map(({ name }) => name),
  );
  for (const [tool, { $schema, ...schema }] of Object.entries(schemas)) {
    assert.equal($schema, "https://json-schema.org/draft/2020-12/schema");
    const older = new Ajv({ allowUnionTypes: true, formats });
    assert.equal(older.validateSchema(schema), true, `${tool}: ${older.errorsText()}`);
    older.compile(schema);
  }
});

/** A value with one thing wrong, for each thing in it. */
function* spoilt(value) {
  yield Array.isArray(value) || value === null || typeof value !== "object" ? { x: 1 } : [];
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield { ...value, nobody: 1 };
  for (const [name, member] of Object.entries(value)) {
    for (const other of spoilt(member)) {
      yield Array.isArray(value) ? value.with(name, other) : { ...value, [name]: other };
    }
  }
}

test("the examples that were specified fit, and no spoilt one does", () => {
  for (const { name, answers } of specified) {
    for (const answer of answers) {
      const fits = checks[name];
      assert.equal(fits(answer), true, `${name}: ${ajv.errorsText(fits.errors)}`);
      for (const other of spoilt(answer)) {
        assert.equal(fits(other), false, `${name}: ${JSON.stringify(other)}`);
      }
    }
  }
});

test("the answers that DuckDB computed fit", async () => {
  const cases = (await read("tests/purchases/cases.txt")).split("\n## ").slice(1);
  assert.ok(cases.length > 90);
  for (const text of cases) {
    const end = text.indexOf("\n");
    const tool = text.slice(0, text.indexOf(" "));
    const answer = JSON.parse(text.slice(end));
    // Sentences are checked by themselves and are not in the cases.
    for (const entry of answer.shopping_list ?? []) entry.reason = "";
    const fits = checks[tool];
    assert.equal(fits(answer), true, `${text.slice(0, end)}: ${ajv.errorsText(fits.errors)}`);
  }
});
