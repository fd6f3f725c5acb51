// Queries whose memory is not enough go on on the device's disk, and leave nothing there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

test("a query over its memory goes on on the disk, unless the page says no", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const rows = 400_000;
    const lines = Array.from({ length: rows }, (_, i) => {
      const mixed = (i * 7919) % 400_009;
      return `${mixed},name ${String(mixed % 130_003).padStart(9, "0")},${(mixed % 997) / 8}`;
    });
    const file = new Blob([`id,name,price\n${lines.join("\n")}\n`]);
    const left = async () => {
      const root = await navigator.storage.getDirectory();
      const sizes = [];
      try {
        for await (const handle of (await root.getDirectoryHandle("pinhole-spill")).values())
          sizes.push((await handle.getFile()).size);
      } catch (error) {
        if (error.name !== "NotFoundError") throw error;
      }
      return sizes;
    };
    const asked = {
      group_by: "name",
      select: ["count()", "sum(price)", "max(id)"],
      sort: ["sum_price desc", "name"],
      limit: 50,
    };
    const answer = async (options) => {
      const ph = await Pinhole.open(options);
      const table = await ph.load("sales", file);
      try {
        const [grouped, sorted] = [
          await ph.query(asked),
          await ph.query({ sort: ["name", "price desc"], columns: ["id"] }),
        ];
        const few = await sorted.table.rows(rows - 3, 3);
        return {
          memory: table.report.memory,
          groups: (await grouped.table.rows(0, 50)).map((row) => Object.values(row)),
          last: few.map((row) => row.id),
          left: await left(),
        };
      } catch (error) {
        return { memory: table.report.memory, code: error.code, left: await left() };
      } finally {
        await ph.close();
      }
    };
    const wide = await answer({});
    const memoryLimit = wide.memory + 14 * 2 ** 20;
    const narrow = await answer({ memoryLimit });
    const refused = await answer({ memoryLimit, spill: false });
    // Each new page sweeps; the browser may take a while to see that the old worker has gone.
    while ((await left()).length > 0) {
      const ph = await Pinhole.open();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await ph.close();
    }
    return { wide, narrow, refused };
  });
  assert.equal(got.wide.groups.length, 50);
  assert.deepEqual(got.wide.left, [], "no file is made for what fits into memory");
  assert.equal(got.refused.code, "memory_limit");
  assert.deepEqual(got.narrow.groups, got.wide.groups);
  assert.deepEqual(got.narrow.last, got.wide.last);
  assert.ok(
    got.narrow.left.every((size) => size === 0),
    `${got.narrow.left} bytes are left`,
  );
  assert.equal(got.narrow.left.length, 1, "the file of this page");
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
