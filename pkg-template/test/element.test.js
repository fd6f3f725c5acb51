// The elements as they are built: harmless where there is no document, whole in their folder, small.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { MOST, sizes } from "../bundle.js";
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
      /^(?:import|export)\b[^;'"]*?\bfrom\s*"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    );
    for (const [, fixed, late] of imports) assert.match(fixed ?? late, /^\.\.?\//, name);
    assert.doesNotMatch(text, /\beval\(|new Function\(/, name);
  }
  for (const name of ["lit", "marked", "dompurify"]) {
    assert.ok((await readFile(new URL(`../LICENSE-${name}`, folder), "utf8")).length > 500);
  }
});

test("the first import is small", async () => {
  const files = await sizes();
  const eager = files.filter((file) => file.eager);
  assert.ok(eager.length < files.length);
  const all = eager.reduce((sum, { gzip }) => sum + gzip, 0);
  assert.ok(all <= MOST, `${all} bytes`);
});
