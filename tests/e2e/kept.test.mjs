// Tables that grow, and tables that stay on the device: `append`, `keep`, `kept`, `reopen`, `forget`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

const FIRST = `time,zip,price
2024-03-01T10:00:00Z,01067,1.5
2024-03-01T10:02:00Z,80331,2
`;
const MORE = `price,zip,time
9,10115,2024-03-01T10:01:00Z
,01067,2024-03-01T10:03:00Z
`;

test("appended rows come into their order, and what does not fit adds nothing", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { first, more }) => {
      const ph = await Pinhole.open();
      const before = await ph.load("t", new Blob([first]), {
        timezone: "Europe/Berlin",
      });
      const after = await ph.append("t", new Blob([more]));
      const code = (promise) =>
        promise.then(
          () => "none",
          (error) => error.code,
        );
      const stopped = new AbortController();
      stopped.abort();
      const refused = [
        await code(ph.append("t", new Blob(["zip,cost\n1,2\n"]))),
        await code(ph.append("t", new Blob([more, "1,2\n"]))),
        await code(ph.append("t", new Blob([more]), { signal: stopped.signal })),
        await code(ph.append("nothing", new Blob([more]))),
      ];
      const rows = await (await ph.query({})).table.rows(0, 10);
      const groups = await ph.query({ group_by: "zip", select: "count()" });
      return {
        before,
        after,
        refused,
        rows,
        groups: groups.rows,
        tables: ph.tables(),
      };
    },
    { first: FIRST, more: MORE },
  );
  assert.deepEqual(
    got.rows.map(({ zip, price }) => [zip, price]),
    [
      ["01067", 1.5],
      ["10115", 9],
      ["80331", 2],
      ["01067", null],
    ],
  );
  assert.match(got.rows[1].time, /^2024-03-01T11:01/, "by the table's clock");
  assert.equal(got.groups, 3);
  assert.deepEqual([got.before.rows, got.after.rows], [2, 4]);
  assert.equal(got.after.fingerprint, got.before.fingerprint);
  assert.equal(got.after.version, got.before.version + 1);
  assert.deepEqual(got.refused, ["unknown_column", "bad_row", "cancelled", "unknown_table"]);
  assert.equal(got.tables[0].rows, 4, "what failed added nothing");
});

test("a kept table is there at the next visit, with its settings and classes", async (t) => {
  const scene = await open(t, { blank: true });
  const kept = await scene.run(
    async ({ Pinhole }, { first }) => {
      const ph = await Pinhole.open();
      const options = {
        timezone: "Europe/Berlin",
        units: { price: "EUR" },
        classes: { zip: "hidden" },
      };
      const info = await ph.load("Свечи/1", new Blob([first]), options);
      await ph.keep("Свечи/1");
      const rows = await (await ph.query({})).table.rows(0, 10);
      const list = await ph.kept();
      const missing = await ph.keep("nothing").catch((error) => error.code);
      await ph.close();
      return { info, rows, list, missing };
    },
    { first: FIRST },
  );
  await scene.page.reload();
  const again = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const list = await ph.kept();
    const seen = [];
    const info = await ph.reopen("Свечи/1", {
      onProgress: ({ rows }) => seen.push(rows),
    });
    const rows = await (await ph.query({})).table.rows(0, 10);
    const bars = await (
      await ph.query({ group_by: "zip", select: "mean(price)" })
    ).table.rows(0, 9);
    const gone = [await ph.forget("Свечи/1"), await ph.forget("Свечи/1")];
    const missing = await ph.reopen("Свечи/1").catch((error) => error.code);
    return {
      list,
      info,
      rows,
      bars,
      gone,
      missing,
      left: await ph.kept(),
      seen,
    };
  });
  assert.equal(kept.missing, "unknown_table");
  assert.deepEqual(
    kept.list.map(({ name }) => name),
    ["Свечи/1"],
  );
  assert.deepEqual(again.list, kept.list);
  assert.deepEqual(again.rows, kept.rows);
  assert.equal(again.bars.length, 2);
  const { version: _, ...before } = kept.info;
  const { version: __, ...after } = again.info;
  assert.deepEqual(after, before, "columns, units, clock, report, flags and classes");
  assert.equal(again.info.classes.zip, "hidden");
  assert.equal(again.seen.at(-1), 2);
  assert.deepEqual(again.gone, [true, false]);
  assert.equal(again.missing, "not_kept");
  assert.deepEqual(again.left, []);
});

test("after a restart of the engine a table has its appended rows, too", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { first, more }) => {
      let worker;
      const ph = await Pinhole.open({
        worker: () => {
          worker = new Worker("/pinhole/worker.js", { type: "module" });
          return worker;
        },
      });
      await ph.load("t", new Blob([first]));
      await ph.append("t", new Blob([more]));
      // What a worker says when its engine died.
      worker.dispatchEvent(
        new MessageEvent("message", {
          data: {
            k: "dead",
            fault: { code: "internal", message: "trap", diagnostics: [] },
          },
        }),
      );
      const result = await ph.query({ select: "count()" });
      return { rows: result.value, restarts: (await ph.stats()).restarts };
    },
    { first: FIRST, more: MORE },
  );
  assert.deepEqual(got, { rows: 4, restarts: 1 });
});
