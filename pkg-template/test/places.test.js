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

test("a range that is no part of the file as it is has the whole file asked for", async (t) => {
  const range = { "content-range": "bytes 4464-69999/70000" };
  const tail = new Uint8Array(65_536);
  // What browsers make of a part of packed bytes, where the page may not see that they are packed.
  const undecodable = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("decoding failed")),
  });
  const answers = {
    "other bytes than the header says": new Response(tail.subarray(1), {
      status: 206,
      headers: range,
    }),
    "packed bytes": new Response(tail, {
      status: 206,
      headers: { ...range, "content-encoding": "gzip" },
    }),
    "packed bytes that nobody told of": new Response(undecodable, { status: 206, headers: range }),
    "not the end": new Response(tail, {
      status: 206,
      headers: { "content-range": "bytes 0-65535/70000" },
    }),
    "no place": new Response(tail, { status: 206 }),
    "an unknown size": new Response(tail, {
      status: 206,
      headers: { "content-range": "bytes 4464-69999/*" },
    }),
    ...Object.fromEntries(
      [403, 404, 416, 500, 501].map((status) => [status, new Response("no", { status })]),
    ),
  };
  let answer;
  t.mock.method(globalThis, "fetch", () => Promise.resolve(answer));
  const url = new URL("https://data.example/x.parquet");
  for (const [name, one] of Object.entries(answers)) {
    answer = one;
    assert.equal(await placesOfUrl(url, undefined, "en"), undefined, name);
  }
  answer = new Response(tail, { status: 206, headers: range });
  assert.equal((await placesOfUrl(url, undefined, "en")).size, 70_000);
});

test("a load that is cancelled while the end of a file comes is cancelled", async (t) => {
  const stop = new AbortController();
  const never = new ReadableStream({ pull: () => stop.abort(new Error("over")) });
  const range = { "content-range": "bytes 4464-69999/70000" };
  t.mock.method(globalThis, "fetch", () =>
    Promise.resolve(new Response(never, { status: 206, headers: range })),
  );
  const url = new URL("https://data.example/x.parquet");
  await assert.rejects(placesOfUrl(url, stop.signal, "en"));
});
