// The elements as they are built: harmless where there is no document, whole in their folder, small.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { MOST, sizes, total } from "../bundle.js";
import { packageUrl } from "../testing/setup.js";

const folder = new URL("../dist/element/", import.meta.url);

test("a server imports them, and nothing happens", async () => {
  const before = Object.getOwnPropertyNames(globalThis);
  const { PinholeAsk, PinholeAnswer, PinholeLedger } = await import(packageUrl("element/index.js"));
  for (const element of [PinholeAsk, PinholeAnswer, PinholeLedger]) {
    assert.equal(typeof element, "function");
  }
  const more = Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name));
  assert.deepEqual(
    more.filter((name) => !/^(?:lit|reactiveElement)[A-Z]/.test(name)),
    [],
  );
});

test("they need nothing that is not in the package", async () => {
  const names = await readdir(folder);
  const scripts = names.filter((name) => name.endsWith(".js"));
  assert.ok(scripts.length > 1, "what is heavy comes when it is wanted");
  for (const name of names.filter((one) => /\.(?:js|d\.ts)$/.test(one))) {
    const text = await readFile(new URL(name, folder), "utf8");
    const imports = text.matchAll(
      /(?:^|;)(?:import|export)\b(?:[^;'"]*?\bfrom|)\s*"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    );
    for (const [, fixed, late] of imports) assert.match(fixed ?? late, /^\.\.?\//, name);
    // Vega could compile its expressions; charts run under a policy that forbids it.
    const compiles = /\beval\(|new Function\(/.test(text);
    assert.ok(!compiles || name.startsWith("vega"), name);
  }
  const licences = await readFile(new URL("../LICENSE-elements", folder), "utf8");
  for (const name of ["lit", "marked", "dompurify", "vega-lite", "vega-view"]) {
    assert.match(licences, new RegExp(`^${name} \\d.*\\(.+\\)$`, "m"));
  }
});

test("the first imports are small, share what they need, and Vega is in none", async () => {
  const files = await sizes();
  for (const entry of ["index", "table", "chart"]) {
    const all = total(files, entry);
    assert.ok(all > 0 && all <= MOST, `${entry}: ${all} bytes`);
  }
  // The reader of Markdown is an entry of the static page, and comes late there, too.
  const late = files.filter(({ entries }) => entries.every((entry) => entry === "markdown"));
  assert.deepEqual(late.map(({ name }) => name.split(/[-.]/)[0]).sort(), [
    "editor",
    "markdown",
    "recalled",
    "vega",
    "wrong",
  ]);
  const first = ["index", "table", "chart"];
  assert.ok(files.some(({ entries }) => first.every((entry) => entries.includes(entry))));
});
