// What the engine holds, and that it answers small requests while it works on a large one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

/** How much the module's memory may still grow once it has seen every size it needs. */
const SLACK = 1 << 20;
/** What a heap in pieces may take more: less than three columns of the cancelled load. */
const COLUMNS = 4 << 20;

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

test("a long file is never in memory as a whole", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    // A thousand bytes a row, one and the same text: the table is small, the file is not.
    const line = `${"x".repeat(999)}\n`;
    const part = new TextEncoder().encode(line.repeat(1024));
    let left = 200;
    const source = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("word\n")),
      pull(controller) {
        if (left === 0) return controller.close();
        left -= 1;
        controller.enqueue(part.slice());
      },
    });
    const { wasm_bytes: before } = await ph.stats();
    const seen = [];
    const onProgress = ({ bytes, rows }) => seen.push([bytes, rows]);
    const { rows, report } = await ph.load("long", source, { onProgress });
    const { wasm_bytes: after } = await ph.stats();
    await ph.close();
    const grows = seen.every(
      ([bytes, rows], i) => !i || (bytes >= seen[i - 1][0] && rows >= seen[i - 1][1]),
    );
    return { rows, bytes: report.bytes, grown: after - before, grows };
  });
  assert.deepEqual([got.rows, got.bytes], [204_800, 5 + 204_800_000]);
  assert.ok(got.grown < 64 << 20, `${got.grown} bytes for a file of ${got.bytes}`);
  assert.ok(got.grows, "progress in bytes and rows");
});

test("a load and a query that are cancelled leave nothing", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i},${(i * 7919) % 100_003}\n`);
    const file = new Blob(["id,x\n", ...lines]);
    await ph.load("t", file);
    const heavy = { table: "t", map: { m: "rolling_median(x, 200)" }, sort: "m" };
    // The memory of WebAssembly never shrinks, and where a cancel falls is chance: what both take
    // when nobody cancels them is the measure, before and after.
    const whole = async () => {
      await ph.load("u", file);
      await ph.query(heavy).then((r) => r.release());
      await ph.drop("u");
      return (await ph.stats()).wasm_bytes;
    };
    const cancel = async (start) => {
      const stop = new AbortController();
      const onProgress = () => stop.abort();
      return start({ signal: stop.signal, onProgress }).catch((e) => e.code);
    };
    const codes = [];
    const size = [await whole(), await whole()];
    for (let round = 0; round < 24; round += 1) {
      codes.push(await cancel((options) => ph.load("u", file, options)));
      codes.push(await cancel((options) => ph.query(heavy, options)));
    }
    size.push(await whole());
    const { tables, results } = await ph.stats();
    return { codes, size, tables: tables.map(({ name }) => name), results };
  });
  assert.deepEqual(got.codes, Array(48).fill("cancelled"));
  assert.deepEqual([got.tables, got.results], [["t"], []]);
  // A column of the file is 1.6 MB: one that a round left would be 38 MB at the end.
  assert.ok(got.size[2] <= got.size[1] + COLUMNS, `${got.size} bytes`);
});

test("a load that is cancelled takes no more of its source than is under way", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const part = new TextEncoder().encode("1,2\n".repeat(1 << 17));
    let pulls = 0;
    let ended = false;
    // Half a megabyte at a time, without an end in sight.
    const source = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("a,b\n")),
      pull(controller) {
        pulls += 1;
        if (pulls > 2000) controller.close();
        else controller.enqueue(part.slice());
      },
      cancel: () => (ended = true),
    });
    const stop = new AbortController();
    let atStop = 0;
    const later = [];
    const onProgress = (progress) => {
      if (stop.signal.aborted) return later.push(progress);
      if (progress.bytes < 4 << 20) return;
      atStop = pulls;
      stop.abort();
    };
    const { code } = await ph
      .load("t", source, { signal: stop.signal, onProgress })
      .catch((error) => error);
    const taken = pulls - atStop;
    const { rows } = await ph.load("next", new Blob(["a\n1\n"]));
    const { tables, restarts } = await ph.stats();
    await ph.close();
    const names = tables.map(({ name }) => name);
    return { code, taken, ended, later: later.length, rows, names, restarts };
  });
  const { taken, ...rest } = got;
  // Four chunks on their way to the engine, one that is being filled and one that waits in the stream.
  assert.ok(taken <= 6, `${taken} chunks were taken after the cancel`);
  assert.deepEqual(rest, {
    code: "cancelled",
    ended: true,
    later: 0,
    rows: 1,
    names: ["next"],
    restarts: 0,
  });
});

test("one of two long queries is cancelled, and both tell how far they are", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const lines = Array.from({ length: 300_000 }, (_, i) => `${i},${(i * 7919) % 100_003}\n`);
    await ph.load("t", new Blob(["id,x\n", ...lines]));
    const heavy = { map: { m: "rolling_median(x, 200)" }, sort: "m" };
    const seen = [0, 0];
    const stop = new AbortController();
    const first = ph.query(heavy, {
      signal: stop.signal,
      onProgress: () => {
        seen[0] += 1;
        if (seen[1] > 0) stop.abort();
      },
    });
    const second = ph.query({ ...heavy, limit: 5 }, { onProgress: () => (seen[1] += 1) });
    const code = await first.catch((error) => error.code);
    const { rows } = await second;
    return {
      code,
      rows,
      both: seen.every((n) => n > 0),
      results: (await ph.stats()).results.length,
    };
  });
  assert.deepEqual(got, { code: "cancelled", rows: 5, both: true, results: 1 });
});

test("a page of ten million rows costs what one of ten thousand does, and no memory", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    /** What goes to the worker and comes from it, as texts. */
    let crossed = [];
    const text = (data) => JSON.stringify(data, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
    const worker = () => {
      const worker = new Worker("/pinhole/worker.js", { type: "module" });
      const send = worker.postMessage.bind(worker);
      worker.postMessage = (message, transfer) => {
        // Chunks of files are bytes, and none of them is a page.
        if (message.op !== "load_push") crossed.push(text(message));
        send(message, transfer);
      };
      worker.addEventListener("message", ({ data }) => crossed.push(text(data)));
      return worker;
    };
    const ph = await Pinhole.open({ worker });
    // Eight digits each: rows are of one length wherever they are.
    const part = (from) => Array.from({ length: 50_000 }, (_, i) => `${1e7 + from + i}\n`).join("");
    const parts = Array.from({ length: 200 }, (_, i) => new Blob([part(i * 50_000)]));
    await ph.load("t", new Blob(["id\n", ...parts]));
    await ph.load("few", new Blob(["id\n", parts[0].slice(0, 90_000)]));
    /** Pages from the first row on: what they sent and got, and the time that the middle one took. */
    const pages = async (result, step) => {
      const times = [];
      let right = 0;
      crossed = [];
      for (let i = 0; i < 100; i += 1) {
        const start = performance.now();
        const { rows } = await result.table.page(i * step, 50);
        times.push(performance.now() - start);
        const wanted = ([id], n) => Number(id) === 1e7 + i * step + n;
        if (rows.length === 50 && rows.every(wanted)) right += 1;
      }
      const length = crossed.reduce((sum, { length }) => sum + length, 0);
      const rows = crossed.reduce((sum, one) => sum + (one.match(/\[1\d{7}n?\]/g)?.length ?? 0), 0);
      const median = times.sort((a, b) => a - b)[50];
      return { right, messages: crossed.length, length, rows, median };
    };
    const few = await pages(await ph.query({ table: "few" }), 99);
    const long = await ph.query({ table: "t" });
    const { wasm_bytes: before } = await ph.stats();
    const many = await pages(long, 99_999);
    const { wasm_bytes: after } = await ph.stats();
    const { total } = await long.table.page(0, 1);
    await ph.close();
    return { few, many, grown: after - before, total };
  });
  const { few, many } = got;
  t.diagnostic(`${few.median} ms a page of a short result, ${many.median} of a long one`);
  t.diagnostic(`${few.length} characters in a hundred pages of a short result, ${many.length}`);
  assert.equal(got.total, 10_000_000);
  assert.deepEqual([few.right, many.right], [100, 100]);
  // A call and its reply a page, with the rows that were asked for and no others.
  assert.deepEqual([few.messages, many.messages], [200, 200]);
  assert.deepEqual([few.rows, many.rows], [5000, 5000]);
  // Numbers of calls, offsets and totals have a few digits more.
  const longer = many.length - few.length;
  assert.ok(longer >= 0 && longer < 200 * 10, `${longer} characters more`);
  assert.equal(got.grown, 0);
});
