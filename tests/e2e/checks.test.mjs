// The checks that need no conversation: references filled in, numbers reported by field, claims with
// the language of the reader.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

test("references are filled in from results, with the problems of those that cannot be", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const totals = await ph.query({ group_by: "shop", select: "sum(amount)" });
      const text = "Ё: {{r1[shop=Vkusno].sum_amount:.1f}} of {{r1.nope}}";
      const en = await ph.render(text, [totals]);
      const ru = await ph.render("{{r1[shop=Vkusno].sum_amount:.1f}}", [totals.id], {
        locale: "ru",
      });
      const check = await ph.check(en.text.replace(" of {{r1.nope}}", ""), [totals]);
      const none = await ph.render("x", ["r9"]).catch((e) => e.code);
      await ph.close();
      return { en, ru, check, none };
    },
    { csv: PURCHASES },
  );
  assert.equal(got.en.text, "Ё: 912.0 of {{r1.nope}}");
  assert.deepEqual(
    got.en.claims.map(({ text, verdict }) => [text, verdict]),
    [
      ["912.0", "verified"],
      ["{{r1.nope}}", "unverifiable"],
    ],
  );
  const [{ start, end, fact }] = got.en.claims;
  assert.equal(got.en.text.slice(start, end), "912.0");
  assert.deepEqual(fact.key, { shop: "Vkusno" });
  const [issue] = got.en.issues;
  assert.ok(issue.choices.length > 0 && issue.message.length > 0, JSON.stringify(issue));
  assert.ok(issue.span[0] >= "Ё: {{r1[shop=Vkusno].sum_amount:.1f}} of {{".length, issue.span);
  assert.equal(got.ru.text, "912,0");
  assert.equal(got.none, "unknown_result");
});

test("what is said of everything is computed from the rows behind groups", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const groups = await ph.query({ group_by: "shop", select: "mean(amount)" });
      const whole = await ph.query({ select: "mean(amount)" });
      const mean = Number(whole.value);
      const text = `The overall mean amount is ${mean.toFixed(2)}.`;
      const right = await ph.check(text, [groups]);
      const wrong = await ph.check(text.replace(/[\d.]+\.$/, `${(mean * 2).toFixed(2)}.`), [
        groups,
      ]);
      const next = await ph.query({ select: "count()" });
      // The table is another one by now.
      await ph.load("purchases", new Blob([csv, "Kuper,1\n"]));
      const later = await ph.check(text, [groups]);
      const stop = new AbortController();
      stop.abort();
      const cancelled = await ph
        .check(text, [groups], { signal: stop.signal })
        .catch((e) => e.code);
      await ph.close();
      return { right, wrong, later, mean, ids: [groups.id, whole.id, next.id], cancelled };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual(
    got.right.claims.map(({ verdict, formula }) => [verdict, formula]),
    [["derived", "mean_amount over all rows of the query"]],
  );
  assert.equal(got.right.verdict, "ok");
  const [wrong] = got.wrong.claims;
  assert.equal(wrong.verdict, "contradicted");
  assert.ok(Math.abs(Number(wrong.actual) - got.mean) < 0.1, wrong.actual);
  assert.equal(got.later.claims[0].verdict, "unverifiable");
  // a check takes no id
  assert.deepEqual(got.ids, ["r1", "r2", "r3"]);
  assert.equal(got.cancelled, "cancelled");
});

test("numbers reported by field are checked against rows or a result", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const bars = [
        { timestamp: "2024-01-02", open: 10, high: 12, low: 9, close: 11, volume: 5 },
        { timestamp: "2024-01-01", open: 8, high: 11, low: 7, close: 10, volume: 6 },
      ];
      const stats = { open_price: 8, close_price: 12, total_volume: 11, other: 1 };
      const data = await ph.checkStats({ stats, data: bars });
      const named = await ph.checkStats({
        stats: { ...stats, matches_count: 2 },
        data: { rows: bars, granularity: "daily", matches_count: 2 },
      });
      const spent = await ph.checkStats({ stats, data: bars, attempts: 3 });
      const own = await ph.checkStats({
        stats: { close_price: 12 },
        data: bars,
        tolerances: { close_price: { absolute: 2 } },
      });
      const one = await ph.query({ select: { total: "sum(amount)", rows: "count()" } });
      const result = await ph.checkStats({ stats: { ...one.values, total: 1 }, data: one });
      const wrong = await ph.checkStats({ stats, data: [1] }).catch((e) => e.diagnostics[0]);
      await ph.close();
      return { data, named, spent, own, result, wrong };
    },
    { csv: PURCHASES },
  );
  assert.equal(got.data.status, "rewrite");
  assert.deepEqual(got.named.issues, got.data.issues);
  assert.deepEqual(got.data.issues, ["close_price: reported 12, actual 11"]);
  assert.equal(got.data.feedback, "Validation errors:\n- close_price: reported 12, actual 11");
  assert.deepEqual(got.data.unchecked, ["other"]);
  assert.deepEqual([got.spent.status, got.spent.auto_approved], ["ok", true]);
  assert.equal(got.spent.note, "max validation attempts reached");
  assert.equal(got.own.status, "ok");
  assert.equal(got.result.issues.length, 1, JSON.stringify(got.result));
  assert.equal(got.wrong.pointer, "/data/0");
});
