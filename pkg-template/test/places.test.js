// Files that are read from any place: what is asked for is what comes, wherever the parts end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { packageUrl } from "../testing/setup.js";

const { join, placesOfBlob, placesOfParts, placesOfUrl } = await import(packageUrl("places.js"));

test("every range of parts and of a blob is those bytes", async () => {
  const all = Uint8Array.from({ length: 23 }, (_, i) => i);
  const cuts = [[23], [1, 22], [5, 0, 9, 9], Array(23).fill(1)];
  for (const sizes of cuts) {
    let at = 0;
    const parts = sizes.map((size) => all.subarray(at, (at += size)));
    for (const places of [placesOfParts(parts), placesOfBlob(new Blob(parts), "en")]) {
      assert.equal(places.size, 23);
      for (let start = 0; start <= 23; start += 1) {
        for (let end = start; end <= 23; end += 1) {
          const got = new Uint8Array(await places.read(start, end));
          assert.deepEqual(got, all.slice(start, end), `${sizes}: ${start}..${end}`);
        }
      }
    }
  }
});

test("ranges that lie near to each other are one", () => {
  const check = (ranges, near, joined) => assert.deepEqual(join(ranges, near), joined);
  check([], 5, []);
  const far = [
    [0, 10],
    [20, 30],
  ];
  check(far, 9, far);
  check(far, 10, [[0, 30]]);
  check(
    [
      [20, 30],
      [0, 10],
      [5, 22],
    ],
    0,
    [[0, 30]],
  );
  check(
    [
      [0, 30],
      [5, 6],
    ],
    0,
    [[0, 30]],
  );
  check(
    [
      [0, 10],
      [10, 20],
    ],
    0,
    [[0, 20]],
  );
});

test("a range under way ends when nobody waits for it", async (t) => {
  const asked = [];
  t.mock.method(globalThis, "fetch", (_, { headers, signal }) => {
    asked.push([headers.range, signal]);
    if (asked.length === 1) {
      const range = { "content-range": "bytes 4464-69999/70000" };
      return Promise.resolve(new Response(new Uint8Array(65_536), { status: 206, headers: range }));
    }
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const places = await placesOfUrl(new URL("https://data.example/x.parquet"), undefined, "en");
  assert.equal(places.size, 70_000);
  const over = new AbortController();
  const range = places.read(0, 10, over.signal);
  over.abort(new Error("over"));
  await assert.rejects(range, /over/);
  assert.equal(asked[1][0], "bytes=0-9");
  assert.ok(asked[1][1].aborted);
});
