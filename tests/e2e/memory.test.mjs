// What the engine holds, and that it answers small requests while it works on a large one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

/** How much the module's memory may still grow once it has seen every size it needs. */
const SLACK = 1 << 20;

test("a hundred tables loaded, asked and dropped leave no more than ten do", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `${i},w${i % 97},${(i * 7919) % 1009}.5`,
    );
    const file = new Blob([`id,word,x\n${lines.join("\n")}\n`]);
    const size = [];
    let groups = 0;
    for (let round = 0; round < 100; round += 1) {
      await ph.load("t", file);
      const grouped = await ph.query({ group_by: "word", select: "mean(x)" });
      const sorted = await ph.query({
        map: { y: "x * 2" },
        sort: "y desc",
        limit: 1000,
      });
      groups += grouped.rows;
      await grouped.release();
      await sorted.release();
      await ph.drop("t");
      if (round % 10 === 9) size.push((await ph.stats()).wasm_bytes);
    }
    const { tables, results } = await ph.stats();
    return { size, groups, tables, results };
  });
  assert.equal(got.groups, 9700);
  assert.deepEqual([got.tables, got.results], [[], []]);
  const [first, last] = [got.size[0], got.size.at(-1)];
  assert.ok(last <= first + SLACK, `${got.size} bytes`);
});

test("pages, cancels and small requests get through while a long query runs", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const lines = Array.from({ length: 1_000_000 }, (_, i) => `${i},${(i * 7919) % 100_003}`);
    await ph.load("t", new Blob([`id,x\n${lines.join("\n")}\n`]));
    const small = await ph.query({ limit: 1 });
    const done = [];
    const heavy = {
      map: { m: "rolling_median(x, 50)", y: "m * 2" },
      sort: ["y desc", "m"],
    };
    const asked = [];
    const long = ph
      .query(heavy, {
        onProgress: () => {
          if (asked.length > 0) return;
          asked.push(
            small.table.rows(0, 1).then((found) => done.push(["rows", found.length])),
            ph.result(small.id).then((result) => done.push(["result", result.rows])),
            ph.validate({ where: "x >" }).then((found) => done.push(["validate", found.length])),
          );
        },
      })
      .then(() => done.push(["long"]));
    await long;
    await Promise.all(asked);
    const stop = new AbortController();
    const cancelled = ph.query(heavy, { signal: stop.signal });
    stop.abort();
    const code = await cancelled.catch((error) => error.code);
    const next = await ph.query({ select: "count()" });
    return { done, code, next: next.value };
  });
  assert.deepEqual(got.done.at(-1), ["long"], "the long one ends last");
  assert.deepEqual(got.done.slice(0, -1).sort(), [
    ["result", 1],
    ["rows", 1],
    ["validate", 1],
  ]);
  assert.equal(got.code, "cancelled");
  assert.equal(got.next, 1_000_000);
});
