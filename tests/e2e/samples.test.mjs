// The public data set among the page's samples: whole, with its units, asked in both languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();
const [head, ...lines] = readFileSync(new URL("../../www/penguins.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(","));
const column = (line, name) => line[head.indexOf(name)];

/** Mean body mass by species, by plain loops. */
function masses() {
  const all = new Map();
  for (const line of lines) {
    const mass = column(line, "body_mass_g");
    if (mass === "NA") continue;
    const name = column(line, "species");
    all.set(name, [...(all.get(name) ?? []), Number(mass)]);
  }
  return [...all].map(([name, values]) => [
    name,
    values.reduce((sum, value) => sum + value, 0) / values.length,
  ]);
}

test("penguins: loaded from beside the page, and asked", async (t) => {
  const scene = await open(t);
  await scene.id("penguins").click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-rows").textContent(), "344");
  const about = await scene.id("table-card").textContent();
  assert.doesNotMatch(about, /\bNA\b/);
  const answer = await scene.ask("average body_mass_g by species");
  const rows = await answer.rows();
  const expected = masses();
  assert.equal(rows.length, expected.length);
  for (const [name, mean] of expected) {
    const [, shown] = rows.find(([species]) => species === name);
    assert.ok(Math.abs(Number(shown) - mean) < 1e-3, `${name}: ${shown}, ${mean}`);
  }
  for (const { verdict } of await answer.claims()) assert.match(verdict, /^(verified|derived)$/);
  await answer.id("tab-answer").click();
  await scene.picture("81-penguins");

  await scene.id("language-ru").click();
  const russian = await scene.ask("максимум flipper_length_mm по island");
  const longest = Math.max(
    ...lines.map((line) => Number(column(line, "flipper_length_mm"))).filter((n) => n > 0),
  );
  assert.match(await russian.text(), new RegExp(`Biscoe.*${longest}`, "s"));
  assert.deepEqual(scene.endpoint.bodies, []);
  assert.ok(scene.log.every(({ method }) => method === "GET"));
});
