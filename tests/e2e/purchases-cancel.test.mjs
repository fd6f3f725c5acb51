// Calls of the tools for purchases that are cancelled as they run, in a real browser: nothing of them
// is left, and the next call is answered like the first of an engine that knows of none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

const CALLS = [
  ["generate_shopping_list", { min_confidence: "low" }],
  [
    "get_purchase_statistics",
    { period_days: 36_500, min_purchase_count: 1, include_prediction: true },
  ],
];

test("a call that is cancelled as it runs leaves no result and no loss", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }, calls) => {
    // Enough that a call goes on for long after it first says how far it is.
    const [receipts, items] = [60_000, 3_000];
    const day = (n) => new Date(Date.UTC(2023, 0, 1 + (n % 700))).toISOString().slice(0, 10);
    const rows = (count, row) => Array.from({ length: count }, (_, n) => row(n)).join("\n");
    const tables = {
      products: "id,name,parent_id\np1,Food,\np2,Milk,p1\n",
      items: `id,name,product_id\n${rows(items, (n) => `${n},Item ${n},p${(n % 2) + 1}`)}\n`,
      receipts: `id,shop,receipt_date,total\n${rows(receipts, (n) => `${n},Shop ${n % 9},${day(n)},`)}\n`,
      receipt_items: `receipt_id,item_id,quantity,amount\n${rows(
        receipts * 5,
        (n) => `${n % receipts},${(n * 7919) % items},${(n % 3) + 1},${(n % 97) + 1}`,
      )}\n`,
    };
    const files = Object.entries(tables).map(([name, text]) => [name, new Blob([text])]);
    const seen = [];
    for (const [name, args] of calls) {
      const ph = await Pinhole.open({ purchases: { rehearse: false } });
      await ph.loadPurchases(Object.fromEntries(files));
      const abort = new AbortController();
      let progress = 0;
      const onProgress = () => {
        progress += 1;
        abort.abort();
      };
      const { signal } = abort;
      const call = ph.tools.execute(name, args, { signal, onProgress });
      const error = await call.then(
        () => "done",
        (error) => error.name,
      );
      const left = (await ph.stats()).results;
      const again = await ph.tools.execute(name, args);
      const kept = (await ph.stats()).results.length;
      await ph.close();
      const fresh = await Pinhole.open({ purchases: { rehearse: false } });
      await fresh.loadPurchases(Object.fromEntries(files));
      const first = await fresh.tools.execute(name, args);
      await fresh.close();
      const same = JSON.stringify(again.output) === JSON.stringify(first.output);
      seen.push({
        progress,
        error,
        left,
        ok: [again.ok, first.ok],
        kept,
        same,
      });
    }
    return seen;
  }, CALLS);
  for (const [i, { progress, error, left, ok, kept, same }] of got.entries()) {
    const [name] = CALLS[i];
    assert.ok(progress > 0, `${name} was over before it said how far it is`);
    assert.equal(error, "AbortError", name);
    assert.deepEqual(left, [], name);
    assert.deepEqual([ok, kept, same], [[true, true], 2, true], name);
  }
});
