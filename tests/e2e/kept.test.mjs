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
  // What is reopened holds the pieces of the file that its rows lie in.
  const { version: _, bytes: loaded, ...before } = kept.info;
  const { version: __, bytes: reopened, ...after } = again.info;
  assert.ok(reopened >= loaded && loaded > 0, `${loaded} and ${reopened} bytes`);
  assert.deepEqual(after, before, "columns, units, clock, report, flags and classes");
  assert.equal(again.info.classes.zip, "hidden");
  assert.equal(again.seen.at(-1), 2);
  assert.deepEqual(again.gone, [true, false]);
  assert.equal(again.missing, "not_kept");
  assert.deepEqual(again.left, []);
});

test("the print of a table changes with its rows, and stays when it is kept", async (t) => {
  const scene = await open(t, { blank: true });
  const kept = await scene.run(
    async ({ Pinhole }, { first, more }) => {
      const ph = await Pinhole.open();
      const table = await ph.load("t", new Blob([first]));
      const prints = [await table.print()];
      prints.push(await (await ph.load("t", new Blob([first]))).print());
      await ph.keep("t");
      prints.push(await ph.print("t"));
      await table.append(new Blob([more]));
      prints.push(await ph.print("t"));
      const stopped = new AbortController();
      stopped.abort();
      const code = (promise) =>
        promise.then(
          () => "none",
          (error) => error.code,
        );
      const refused = [
        await code(ph.print("nothing")),
        await code(ph.print("t", { signal: stopped.signal })),
      ];
      await ph.close();
      return { prints, refused };
    },
    { first: FIRST, more: MORE },
  );
  await scene.page.reload();
  const again = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const print = await (await ph.reopen("t")).print();
    await ph.forget("t");
    return print;
  });
  const [first, loaded, same, longer] = kept.prints;
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.deepEqual([loaded, same, again], [first, first, first]);
  assert.notEqual(longer, first);
  assert.deepEqual(kept.refused, ["unknown_table", "cancelled"]);
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

test("what values mean holds for the rows that are appended", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const file = (text) => new Blob([text]);
    const column = async (table, name) =>
      (await (await ph.query({ table })).table.rows(0, 10)).map((row) => row[name]);
    await ph.load("days", file("d,v\n31/12/2023,1\n15/01/2024,2\n"));
    await ph.append("days", file("d,v\n01/02/2024,9\n"));
    await ph.keep("days");
    await ph.reopen("days");
    await ph.append("days", file("d,v\n03/02/2024,9\n"));
    const zone = { timezone: "Europe/Berlin", timesIn: "utc" };
    await ph.load("times", file("time,v\n2024-07-01 10:00:00,1\n"), zone);
    await ph.append("times", file("time,v\n2024-07-01 10:00:00,1\n"));
    await ph.load("nulls", file("k,v\na,-999\nb,5\n"), { nulls: ["-999"] });
    await ph.append("nulls", file("k,v\nc,-999\n"));
    await ph.load("prices", file("p\n$5\n$6\n"));
    const unit = await ph.append("prices", file("p\n€100\n")).catch((error) => error.code);
    const minutes = (from) =>
      file("time,close\n" + [0, 2, 4].map((m) => `2024-07-01 10:0${from + m}:00,1\n`).join(""));
    const even = await ph.load("bars", minutes(0));
    const all = await ph.append("bars", minutes(1));
    return {
      days: await column("days", "d"),
      times: await column("times", "time"),
      nulls: await column("nulls", "v"),
      unit,
      interval: [even.interval, all.interval],
    };
  });
  assert.deepEqual(got.days, ["2023-12-31", "2024-01-15", "2024-02-01", "2024-02-03"]);
  assert.equal(got.times[0], got.times[1]);
  assert.deepEqual(got.nulls, [null, 5, null]);
  assert.equal(got.unit, "type_mismatch");
  assert.deepEqual(got.interval, [120, 60]);
});

test("classes of a kept table stay, loads keep their order, and a rewritten file is no loss", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    let worker;
    const ph = await Pinhole.open({
      worker: () => {
        worker = new Worker("/pinhole/worker.js", { type: "module" });
        return worker;
      },
    });
    const die = () => {
      const fault = { code: "internal", message: "unreachable", diagnostics: [] };
      worker.onmessage({ data: { k: "dead", fault } });
    };
    const file = (text) => new Blob([text]);
    const classes = { e: "hidden", v: "aggregate" };
    await ph.load("h", file("e,v\n1,2\n"), { classes });
    await ph.keep("h");
    await ph.drop("h");
    const again = await ph.reopen("h", { classes: { v: "open" } });
    const [, both] = await Promise.all([ph.reopen("h"), ph.append("h", file("e,v\n3,4\n"))]);
    await ph.keep("h");
    die();
    const count = await ph.query({ select: "count()" });
    await ph.append("h", file("e,v\n5,6\n"));
    die();
    const more = await ph.query({ select: "count()" });
    await ph.forget("h");
    return { classes: again.classes, both: both.rows, counts: [count.value, more.value] };
  });
  assert.deepEqual(got.classes, { e: "hidden", v: "open" });
  assert.equal(got.both, 2);
  assert.deepEqual(got.counts, [2, 3]);
});
