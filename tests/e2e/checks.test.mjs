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

/** A table that no query made. */
const SALES = [
  { shop: "Kuper", amount: 25 },
  { shop: "Vkusno", amount: 31.5 },
];

test("a text is checked against a table that the page gives in place of a result", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, rows }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const sales = { name: "sales", rows };
      const right = await ph.check("The amount at Kuper was 25.", [sales]);
      const wrong = await ph.check("The amount at Kuper was 31.5.", [sales]);
      const unknown = await ph.check("The price at Kuper was 70.", [sales]);
      const russian = await ph.check("Наибольшее значение amount – 31,5.", [sales]);
      // As rows of this package hold whole numbers, and as code holds days.
      const exact = [{ name: "sales", rows: [{ shop: "Kuper", amount: 25n }] }];
      const big = await ph.check("The amount at Kuper was 26.", exact);
      const days = [
        { day: new Date("2024-03-01T00:00:00Z"), amount: 25 },
        { day: new Date("2024-03-02T00:00:00Z"), amount: 31.5 },
      ];
      const dated = await ph.check("On March 2, 2024 the amount was 31.5.", [
        { name: "daily", rows: days },
      ]);
      // Beside a result, each by its name.
      const totals = await ph.query({ group_by: "shop", select: "sum(amount)" });
      const both = await ph.check("The total at Sever is 145; the amount at Kuper was 25.", [
        totals,
        sales,
      ]);
      const filled = await ph.render("{{sales[shop=Kuper].amount}}", [sales]);
      const next = await ph.query({ select: "count()" });
      await ph.close();
      return { right, wrong, unknown, russian, big, dated, both, filled, next: next.id };
    },
    { csv: PURCHASES, rows: SALES },
  );
  const verdicts = ({ claims }) => claims.map(({ text, verdict }) => [text, verdict]);
  assert.equal(got.right.verdict, "ok");
  const [{ fact, verdict }] = got.right.claims;
  assert.equal(verdict, "verified");
  assert.deepEqual([fact.result, fact.key, fact.column], ["sales", { shop: "Kuper" }, "amount"]);
  assert.equal(got.wrong.verdict, "rewrite");
  const [wrong] = got.wrong.claims;
  assert.deepEqual([wrong.verdict, Number(wrong.actual)], ["contradicted", 25]);
  assert.ok(got.wrong.feedback.length > 0);
  assert.equal(got.unknown.claims[0].verdict, "unverifiable");
  assert.equal(got.russian.claims.at(-1).verdict, "verified", JSON.stringify(got.russian.claims));
  assert.deepEqual(verdicts(got.big), [["26", "contradicted"]]);
  assert.equal(got.dated.claims.at(-1).verdict, "verified", JSON.stringify(got.dated.claims));
  assert.deepEqual(
    got.both.claims.map(({ text, verdict, fact }) => [text, verdict, fact?.result]),
    [
      ["145", "verified", "r1"],
      ["25", "verified", "sales"],
    ],
  );
  assert.equal(got.filled.text, "25");
  // A table that was given takes no id and is not kept.
  assert.equal(got.next, "r2");
});

test("a table that is none gives an error that says so, and the next check works", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }, rows) => {
    const ph = await Pinhole.open();
    const loop = { shop: "Kuper" };
    loop.self = loop;
    const sales = { name: "sales", rows };
    const bad = {
      "results[0]": [[null], [25], [[sales]]],
      "results[1].name": [
        [sales, { rows }],
        [sales, Promise.resolve(sales)],
      ],
      "results[0].rows": [
        [{ name: "sales" }],
        [{ name: "sales", rows: [] }],
        [{ name: "sales", rows: "Kuper,25" }],
      ],
      "results[0].rows[1]": [
        [{ name: "sales", rows: [rows[0], 31.5] }],
        [{ name: "sales", rows: [rows[0], ["Vkusno", 31.5]] }],
      ],
      results: [undefined, sales],
      "need a name of their own": [
        [{ name: "", rows }],
        [{ name: "sales", rows: [{}] }],
        [{ name: "sales", rows: [{ "": 25 }] }],
      ],
      "two results are called `sales`": [[sales, sales]],
      r9: [["r9"]],
      "could not be cloned": [[{ name: "sales", rows: [{ shop: () => 1 }] }]],
    };
    const text = "The amount at Kuper was 25.";
    const errors = [];
    for (const [words, given] of Object.entries(bad).flatMap(([w, all]) =>
      all.map((g) => [w, g]),
    )) {
      const { name, code, message } = await ph.check(text, given).catch((e) => e);
      const { claims } = await ph.check(text, [sales]);
      errors.push({ words, name, code, message, later: claims[0]?.verdict });
    }
    await ph.setLocale("ru");
    const russian = await ph.check(text, [{ name: "sales", rows: [] }]).catch((e) => e.message);
    // What has parts is no number: the rest of the row is read.
    const parts = await ph.check(text, [{ name: "sales", rows: [{ ...rows[0], loop }] }]);
    const { restarts } = await ph.stats();
    await ph.close();
    return { errors, russian, parts: parts.claims[0]?.verdict, restarts };
  }, SALES);
  assert.equal(got.errors.length, 18);
  for (const { words, name, code, message, later } of got.errors) {
    assert.equal(name, "PinholeError", `${words}: ${message}`);
    assert.equal(code, words === "r9" ? "unknown_result" : "bad_option", message);
    assert.ok(message.includes(words), `${words}: ${message}`);
    assert.doesNotMatch(message, /Kuper|31\.5/, "a cell in an error");
    assert.equal(later, "verified", words);
  }
  assert.equal(got.russian, "параметр `results[0].rows` здесь недопустим");
  assert.equal(got.parts, "verified");
  assert.equal(got.restarts, 0);
});
