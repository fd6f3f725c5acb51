// Rehearsals of the tools for purchases in a real browser: what first calls would make is made while
// nobody asks, whoever asks goes first, and nothing but the time tells of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TABLES, csv, household } from "../../www/household.js";
import { stage } from "./harness.mjs";

const open = stage();

const tables = household();
const FILES = Object.fromEntries(TABLES.map((name) => [name, csv(tables[name])]));

const CALLS = [
  ["get_receipts", {}],
  ["get_receipt_items", { limit: 5 }],
  ["generate_shopping_list", { min_confidence: "low" }],
  ["get_purchase_statistics", { include_prediction: true }],
  ["get_items", { search: "хлеб", include_purchase_stats: true }],
  ["get_products", { include_children: true }],
  ["get_labels", {}],
];

/** Makes every call over the household, some time after it was loaded: all that the page hears. */
const asked = (scene, purchases, wait) =>
  scene.run(
    async ({ Pinhole }, { files, calls, purchases, wait }) => {
      const ph = await Pinhole.open({ purchases });
      const blobs = Object.entries(files).map(([name, text]) => [name, new Blob([text])]);
      const fit = await ph.loadPurchases(Object.fromEntries(blobs));
      await new Promise((resolve) => setTimeout(resolve, wait));
      const results = [];
      for (const [tool, args] of calls) results.push(await ph.tools.execute(tool, args));
      const { value } = await ph.sql("SELECT count(*) AS n FROM receipts");
      const { tables, results: kept } = await ph.stats();
      const ledger = await ph.ledger.entries();
      await ph.close();
      return JSON.stringify([fit, results, Number(value), tables, kept, ledger]);
    },
    { files: FILES, calls: CALLS, purchases, wait },
  );

test("calls right after loading, in the middle and afterwards are answered as without one", async (t) => {
  const scene = await open(t, { blank: true });
  const plain = await asked(scene, { rehearse: false }, 0);
  assert.ok(!plain.includes('"ok":false'), plain.slice(0, 2000));
  for (const wait of [0, 60, 90, 150, 400, 3000]) {
    assert.equal(await asked(scene, {}, wait), plain, `after ${wait} ms`);
  }
});

/** In place, where the test sees the stretches of a rehearsal: what they were told. */
const watched = (scene, files, act) =>
  scene.run(
    async ({ Pinhole }, { files, act }) => {
      const { Session } = await import("/pinhole/pinhole.js");
      const seen = { stretches: [], going: 0, begun: undefined };
      const { rehearse } = Session.prototype;
      const first = new Promise((resolve) => (seen.begun = resolve));
      Session.prototype.rehearse = async function (job) {
        seen.going += 1;
        seen.begun();
        try {
          const done = await rehearse.call(this, job);
          seen.stretches.push(done);
          return done;
        } finally {
          seen.going -= 1;
        }
      };
      const until = async (holds) => {
        const start = performance.now();
        while (!holds() && performance.now() - start < 60_000)
          await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const ph = await Pinhole.open({
        worker: false,
        purchases: { rehearse: true },
      });
      const blobs = Object.entries(files).map(([name, text]) => [name, new Blob([text])]);
      await ph.loadPurchases(Object.fromEntries(blobs));
      const before = seen.stretches.length + seen.going;
      await first;
      let said;
      if (act === "ask") {
        const result = await ph.tools.execute("get_receipts", { limit: 1 });
        said = [result.ok, result.result_id, [...seen.stretches]];
        await until(() => seen.stretches.includes(true));
      } else if (act === "query") {
        const { value } = await ph.sql("SELECT count(*) AS n FROM items");
        said = [Number(value), [...seen.stretches]];
        await until(() => seen.stretches.includes(true));
      } else if (act === "drop") {
        await ph.drop("receipt_items");
        await until(() => seen.stretches.includes(true));
        const result = await ph.tools.execute("get_receipts", {});
        said = [result.ok, result.error?.[0]?.code];
      } else if (act === "append") {
        await ph.append(
          "receipts",
          new Blob(["id,shop,receipt_date,total,receipt_number\n99999,X,2024-01-01,1,N\n"]),
        );
        const { output } = await ph.tools.execute("get_receipts", {});
        said = output.summary.total_receipts;
      }
      await ph.close();
      const { going, stretches } = seen;
      return { before, going, stretches, said };
    },
    { files, act },
  );

test("whoever asks in the middle goes first, and it goes on afterwards", async (t) => {
  const scene = await open(t, { blank: true });
  const { before, said, stretches } = await watched(scene, FILES, "ask");
  assert.equal(before, 0, "loading does not wait for it");
  assert.deepEqual(said.slice(0, 2), [true, "r3"]);
  assert.ok(!said[2].includes(true), "it was not done by then");
  assert.deepEqual([stretches[0], stretches.at(-1)], [false, true]);
  await scene.page.reload();
  const query = await watched(scene, FILES, "query");
  assert.equal(query.said[0], tables.items.length);
  assert.deepEqual([query.stretches[0], query.stretches.at(-1)], [false, true]);
});

test("loading waits for it where the page asks for that", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { files, calls }) => {
      const { Session } = await import("/pinhole/pinhole.js");
      const seen = { over: [], begun: () => undefined };
      const { rehearse } = Session.prototype;
      Session.prototype.rehearse = async function (job) {
        seen.begun();
        const over = await rehearse.call(this, job);
        seen.over.push(over);
        return over;
      };
      const blobs = Object.entries(files).map(([name, text]) => [name, new Blob([text])]);
      const load = async (purchases, options) => {
        const ph = await Pinhole.open({ worker: false, purchases });
        return [ph, await ph.loadPurchases(Object.fromEntries(blobs), options)];
      };
      const rehearsed = [];
      // Where none begins by itself, it begins one.
      for (const rehearse of [true, false]) {
        seen.over.length = 0;
        const [ph, report] = await load({ rehearse }, { rehearsed: true });
        const before = seen.over.at(-1);
        for (const [tool, args] of calls) await ph.tools.execute(tool, args);
        const { results } = await ph.stats();
        rehearsed.push([report.orphans.length, before, results.length]);
        await ph.close();
      }
      // Whoever does not wait any more has the tables all the same.
      const abort = new AbortController();
      seen.begun = () => abort.abort();
      const ph = await Pinhole.open({
        worker: false,
        purchases: { rehearse: true },
      });
      const { signal } = abort;
      const options = { rehearsed: true, signal };
      const cancelled = await ph.loadPurchases(Object.fromEntries(blobs), options).then(
        () => "done",
        (error) => error.name,
      );
      const { ok } = await ph.tools.execute("get_receipts", {});
      await ph.close();
      // Without the tables there is nothing to wait for.
      const few = await Pinhole.open({ worker: false });
      const { labels, products } = Object.fromEntries(blobs);
      const failed = await few.loadPurchases({ labels, products }, { rehearsed: true }).then(
        () => "done",
        (error) => error.code,
      );
      await few.close();
      return { rehearsed, cancelled, ok, failed };
    },
    { files: FILES, calls: CALLS },
  );
  const both = [0, true, CALLS.length * 2];
  assert.deepEqual(got.rehearsed, [both, both]);
  assert.deepEqual([got.cancelled, got.ok, got.failed], ["AbortError", true, "unknown_table"]);
});

test("a table that comes or goes ends it, and so does the end of the engine", async (t) => {
  const scene = await open(t, { blank: true });
  const dropped = await watched(scene, FILES, "drop");
  assert.deepEqual(dropped.said, [false, "unknown_table"]);
  await scene.page.reload();
  const appended = await watched(scene, FILES, "append");
  assert.equal(appended.said, tables.receipts.length + 1);
  await scene.page.reload();
  const closed = await watched(scene, FILES, "close");
  assert.deepEqual([closed.going, closed.stretches], [0, [false]]);
});
