// Queries whose memory is not enough continue on the device's disk, and leave nothing there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE, stage } from "./harness.mjs";

const open = stage();

/** Room for queries beside the table: too little for the names that are sorted and grouped. */
const ROOM = 14 * 2 ** 20;
/** How often a query is begun anew that ended before anything could happen in the midst of it. */
const TRIES = 10;

/** Gives the page `disk`: a file of so many rows, and what is there in its private file system. */
function disk(patience) {
  const sizesNow = async () => {
    const root = await navigator.storage.getDirectory();
    const sizes = [];
    const folder = await root.getDirectoryHandle("pinhole-spill").catch(() => undefined);
    for await (const handle of folder?.values() ?? []) {
      // One that is deleted just now is gone.
      const file = await handle.getFile().catch(() => undefined);
      if (file) sizes.push(file.size);
    }
    return sizes;
  };
  globalThis.disk = {
    sizesNow,
    /** The sizes of the files, once they are as wanted; else what they are when patience ends. */
    async sizes(wanted) {
      const end = performance.now() + patience;
      for (;;) {
        const sizes = await sizesNow();
        if (wanted(sizes) || performance.now() > end) return sizes;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    file(rows) {
      const lines = Array.from({ length: rows }, (_, i) => {
        const mixed = (i * 7919) % 400_009;
        return `${mixed},name ${String(mixed % 130_003).padStart(9, "0")},${(mixed % 997) / 8}`;
      });
      return new Blob([`id,name,price\n${lines.join("\n")}\n`]);
    },
  };
}

/** An empty page that has `disk`. */
async function blank(t) {
  const scene = await open(t, { blank: true });
  await scene.page.evaluate(disk, PATIENCE);
  return scene;
}

test("a query over its memory continues on the disk, unless the page says no", async (t) => {
  const scene = await blank(t);
  const got = await scene.run(
    async ({ Pinhole }, { room }) => {
      const { disk } = globalThis;
      const rows = 400_000;
      const file = disk.file(rows);
      const asked = {
        group_by: "name",
        select: ["count()", "sum(price)", "max(id)"],
        sort: ["sum_price desc", "name"],
        limit: 50,
      };
      const answer = async (options) => {
        const ph = await Pinhole.open(options);
        const { memory } = (await ph.load("sales", file)).report;
        const found = { memory };
        try {
          const grouped = await ph.query(asked);
          const sorted = await ph.query({ sort: ["name", "price desc"], columns: ["id"] });
          const few = await sorted.table.rows(rows - 3, 3);
          found.groups = (await grouped.table.rows(0, 50)).map((row) => Object.values(row));
          found.last = few.map((row) => row.id);
        } catch (error) {
          found.code = error.code;
        }
        found.left = await disk.sizesNow();
        await ph.close();
        // No engine is opened, which would delete what others left.
        found.after = await disk.sizes((sizes) => sizes.length === 0);
        return found;
      };
      const wide = await answer({});
      const memoryLimit = wide.memory + room;
      const narrow = await answer({ memoryLimit });
      const refused = await answer({ memoryLimit, spill: false });
      return { wide, narrow, refused };
    },
    { room: ROOM },
  );
  assert.equal(got.wide.groups.length, 50);
  assert.deepEqual(got.wide.left, [], "no file is made for what fits into memory");
  assert.equal(got.refused.code, "memory_limit");
  assert.deepEqual(got.refused.left, [], "nor where the page says no");
  assert.deepEqual(got.narrow.groups, got.wide.groups);
  assert.deepEqual(got.narrow.last, got.wide.last);
  assert.deepEqual(got.narrow.left, [0], "the file of this page, emptied");
  assert.deepEqual(got.narrow.after, [], "what a closed engine has left is deleted");
});

/** Ends a query by `how` while it is on the disk: its code, and the files before and after it. */
async function endedInTheMidst(t, how) {
  const scene = await blank(t);
  return scene.run(
    async ({ Pinhole }, { how, room, tries }) => {
      const { disk } = globalThis;
      const file = disk.file(400_000);
      const some = (sizes) => sizes.some((size) => size > 0);
      const measured = await Pinhole.open();
      const { memory } = (await measured.load("sales", file)).report;
      await measured.close();
      for (let i = 0; i < tries; i += 1) {
        const ph = await Pinhole.open({ memoryLimit: memory + room });
        await ph.load("sales", file);
        const abort = new AbortController();
        const asked = { sort: ["name", "price desc"], columns: ["id"] };
        let ended = false;
        const running = ph.query(asked, { signal: abort.signal }).then(
          () => "done",
          ({ code }) => code,
        );
        void running.then(() => (ended = true));
        const during = await disk.sizes((sizes) => ended || some(sizes));
        if (how === "cancel") abort.abort();
        else await ph.close();
        const code = await running;
        const emptied = await disk.sizes((sizes) => !some(sizes));
        // The engine goes on where it was not closed.
        const count = how === "cancel" ? (await ph.query({ select: "count()" })).value : undefined;
        await ph.close();
        const after = await disk.sizes((sizes) => sizes.length === 0);
        if (some(during) && code !== "done") return { code, emptied, count, after };
      }
      return undefined;
    },
    { how, room: ROOM, tries: TRIES },
  );
}

test("a query that is cancelled on the disk leaves nothing there", async (t) => {
  const got = await endedInTheMidst(t, "cancel");
  assert.deepEqual(got, { code: "cancelled", emptied: [0], count: 400_000, after: [] });
});

test("an engine that is closed with a query on the disk leaves nothing there", async (t) => {
  const got = await endedInTheMidst(t, "close");
  assert.equal(got?.code, "closed");
  assert.deepEqual(got.after, []);
});

test("so does a tool for purchases", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const [receipts, items] = [40_000, 20_011];
    const day = (n) => new Date(Date.UTC(2024, n % 12, 1 + (n % 28))).toISOString().slice(0, 10);
    const rows = (count, row) => Array.from({ length: count }, (_, n) => row(n)).join("\n");
    const tables = {
      products: "id,name,parent_id\n1,Food,\n",
      items: `id,name,product_id\n${rows(items, (n) => `${n},item ${n},1`)}\n`,
      receipts: `id,receipt_date\n${rows(receipts, (n) => `${n},${day(n)}`)}\n`,
      receipt_items: `receipt_id,item_id,quantity,amount\n${rows(
        receipts,
        (n) => `${n},${(n * 7919) % items},1,${n % 97}`,
      )}\n`,
    };
    const args = { period_days: 400, min_purchase_count: 1 };
    const answer = async (options) => {
      const ph = await Pinhole.open({ ...options, purchases: { rehearse: false } });
      for (const [name, text] of Object.entries(tables)) await ph.load(name, new Blob([text]));
      const held = (await ph.stats()).tables.reduce((sum, { bytes }) => sum + bytes, 0);
      const { output, error } = await ph.tools.execute("get_purchase_statistics", args);
      await ph.close();
      return { held, output: JSON.stringify(output), code: error?.[0]?.code };
    };
    const wide = await answer({});
    // The least memory that is enough with a disk is not enough without one.
    for (let halves = 8; halves < 28; halves += 1) {
      const memoryLimit = wide.held + halves * 2 ** 19;
      const narrow = await answer({ memoryLimit });
      if (narrow.code === undefined)
        return { wide, narrow, refused: await answer({ memoryLimit, spill: false }) };
      if (narrow.code !== "memory_limit") return { wide, narrow };
    }
    return { wide };
  });
  assert.equal(got.wide.code, undefined);
  assert.ok(got.narrow, "no memory was enough");
  assert.equal(got.narrow.code, undefined);
  assert.equal(got.narrow.output, got.wide.output);
  assert.equal(got.refused.code, "memory_limit");
});
