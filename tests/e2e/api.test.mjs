// The package's public functions in a real page: `import("/pinhole/index.js")` on an empty page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { sampleText } from "./oracle.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

/** Every kind of value, with an integer beyond 2^53 and gaps. */
const KINDS = `id,price,ok,name,day,at
1,1.5,true,Ёлка,2024-02-29,2024-02-29 12:30:00
9007199254740993,-0.25,false,"a ""b"", c",2024-03-01,2024-03-01 00:00:00
3,,true,,2024-03-02,2024-03-02 23:59:59
`;

test("validate, format, explain, functions", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole, PinholeError }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const bad = { where: "ёж > 1 and amout > 5", group_by: "shopp", selct: "count()" };
      const formatted = await ph.format({ select: "sum( amount )", group_by: ["shop"] });
      const error = await ph.query(bad).catch((e) => e);
      await ph.setLocale("ru");
      const russian = await ph.validate({ where: "amout > 5" });
      await ph.setLocale("en");
      return {
        none: await ph.validate({ select: "sum(amount)" }),
        problems: await ph.validate(bad),
        formatted,
        again: await ph.format(formatted),
        explanation: await ph.explain(formatted),
        thrown: error instanceof PinholeError && error.diagnostics.length,
        russian: russian[0].message,
        functions: (await ph.functions()).map((f) => f.name),
        notAnObject: (await ph.validate("count()"))[0].code,
      };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual(got.none, []);
  const columns = got.problems.filter(({ code }) => code === "unknown_column");
  const [hedgehog, amount] = columns.filter(({ pointer }) => pointer === "/where");
  assert.deepEqual(hedgehog.span, [0, 2], "UTF-16 units");
  assert.deepEqual(amount.span, [11, 16]);
  assert.equal(amount.fix, "amount");
  assert.match(amount.message, /`amout`/);
  assert.ok(columns.some(({ pointer }) => pointer.startsWith("/group_by")));
  assert.ok(
    got.problems.some(({ code, pointer }) => code === "unknown_field" && pointer === "/selct"),
  );
  assert.equal(got.thrown, got.problems.length);
  assert.deepEqual(got.again, got.formatted);
  assert.deepEqual(got.formatted, { table: "purchases", group_by: "shop", select: "sum(amount)" });
  assert.match(got.explanation, /amount/);
  assert.match(got.russian, /столб/);
  for (const name of ["mean", "gap", "prev", "round", "dayname"]) {
    assert.ok(got.functions.includes(name), name);
  }
  assert.equal(got.notAnObject, "not_an_object");
});

test("results A to E, their values and their rows", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, kinds }) => {
      const ph = await Pinhole.open();
      const info = await ph.load("purchases", new Blob([csv]));
      const A = await ph.query({ where: "amount > 100", sort: "amount desc" });
      const B = await ph.query({ where: "amount > 100", select: "sum(amount)" });
      const C = await ph.query({ select: { total: "sum(amount)", n: "count()" } });
      const D = await ph.query({ group_by: "shop" });
      const E = await ph.query({ group_by: "shop", select: "sum(amount), count()", limit: 2 });
      const plain = ({ id, kind, rows, summary, value, values, metadata, warnings }) => ({
        id,
        kind,
        rows,
        summary,
        value,
        values,
        metadata,
        warnings,
      });
      const sources = async (result, key) => (await result.source(key)).total;
      const batches = [];
      for await (const page of D.table.batches(3)) batches.push(page.rows.length);
      const results = {
        info: { name: info.name, rows: info.rows, kinds: info.columns.map((c) => c.kind) },
        A: plain(A),
        B: plain(B),
        C: plain(C),
        D: plain(D),
        E: plain(E),
        rowsA: await A.table.rows(),
        rowsE: await E.table.rows(),
        noTable: [B.table, C.table],
        charts: [A, B, C, D, E].map(({ chart }) => chart),
        text: D.modelText,
        sources: [await sources(B), await sources(C), await sources(D, { shop: "Kuper" })],
        page: (await D.source({ shop: "Vkusno" }, { offset: 1, limit: 1 })).rows,
        batches,
      };
      await ph.load("kinds", new Blob([kinds]));
      const all = await ph.query({ table: "kinds" });
      const { rows } = await all.table.page();
      results.values = rows.map((row) => row.map((v) => (typeof v === "bigint" ? `${v}n` : v)));
      results.kinds = ph
        .tables()
        .find(({ name }) => name === "kinds")
        .columns.map((c) => c.kind);
      const bytes = await all.table.toArrowIPC();
      results.arrow = { length: bytes.length, head: [...bytes.slice(0, 4)] };
      results.released = await all.release();
      results.gone = await all.table.rows().catch((error) => error.code);
      return results;
    },
    { csv: PURCHASES, kinds: KINDS },
  );
  assert.deepEqual(got.info, { name: "purchases", rows: 7, kinds: ["text", "float"] });
  assert.deepEqual(
    ["A", "B", "C", "D", "E"].map((k) => got[k].kind),
    ["table", "scalar", "dict", "grouped", "grouped"],
  );
  assert.deepEqual(
    got.rowsA.map(({ amount }) => amount),
    [500, 412, 210.5],
  );
  assert.equal(got.B.value, 1122.5);
  assert.deepEqual([got.B.metadata.rows_scanned, got.B.metadata.rows_matched], [7, 3]);
  assert.deepEqual(got.C.values, { total: 1445.75, n: 7 });
  assert.equal(got.D.rows, 4);
  assert.match(got.text, /^Result: 4 groups by shop \(from 7 of 7 rows\)/);
  assert.deepEqual(got.rowsE, [
    { shop: "Kuper", sum_amount: 310.5, count: 2 },
    { shop: "Sever", sum_amount: 145, count: 2 },
  ]);
  assert.equal(got.E.metadata.rows_before_limit, 4);
  assert.deepEqual(got.noTable, [undefined, undefined]);
  assert.deepEqual(got.charts, [
    undefined,
    undefined,
    undefined,
    { kind: "bar", x: "shop", y: ["count"] },
    { kind: "bar", x: "shop", y: ["sum_amount", "count"] },
  ]);
  assert.deepEqual(got.sources, [3, 7, 2]);
  assert.deepEqual(got.page, [["Vkusno", 412]]);
  assert.deepEqual(got.batches, [3, 1]);
  assert.deepEqual(got.kinds, ["int", "float", "bool", "text", "date", "timestamp"]);
  const [first, second, third] = got.values;
  assert.deepEqual(first.slice(0, 5), [1, 1.5, true, "Ёлка", "2024-02-29"]);
  assert.match(first[5], /^2024-02-29T12:30(:00)?$/);
  assert.deepEqual(second.slice(0, 4), ["9007199254740993n", -0.25, false, 'a "b", c']);
  assert.deepEqual(third.slice(0, 4), [3, null, true, null]);
  assert.ok(got.arrow.length > 500);
  assert.deepEqual(got.arrow.head, [255, 255, 255, 255], "the mark of an Arrow stream");
  assert.equal(got.released, true);
  assert.equal(got.gone, "unknown_result");
});

test("a load that is cancelled leaves the table of its name as it was", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    // In place the order of messages is fixed.
    const ph = await Pinhole.open({ worker: false });
    const bytes = (text) => new Blob([text]);
    await ph.load("t", bytes("a\n1\n2\n"));
    // The call is on its way after a few microtasks, and the engine listens after a task.
    const afterwards = async (then) => {
      for (let i = 0; i < 8; i++) await null;
      then();
    };
    // At the first word of its end, and right after the engine was told to end it.
    const cancel = async (name, later) => {
      const stop = new AbortController();
      const onProgress = ({ phase }) => {
        if (phase !== "finishing") return;
        if (later) void afterwards(() => stop.abort());
        else stop.abort();
      };
      const load = ph.load(name, bytes("a\n7\n8\n9\n"), { signal: stop.signal, onProgress });
      return load.then(
        () => "loaded",
        (error) => error.code,
      );
    };
    const ends = [await cancel("t", false), await cancel("t", true), await cancel("new", true)];
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
    const sum = (await ph.query({ table: "t", select: "sum(a)" })).value;
    const names = ph.tables().map(({ name }) => name);
    await ph.close();
    return { ends, sum, names };
  });
  assert.deepEqual(got, { ends: ["cancelled", "cancelled", "cancelled"], sum: 3, names: ["t"] });
});

test("a signal cancels a query that runs, and one that has not begun", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const { sampleStream } = await import("/sample.js");
    const ph = await Pinhole.open();
    let progress = 0;
    await ph.load("bars", sampleStream({ weeks: 52 }), { onProgress: () => (progress += 1) });
    const heavy = { group_by: "timestamp", select: ["median(close)", "median(open)", "std(high)"] };
    const early = await ph.query(heavy, { signal: AbortSignal.abort() }).catch((e) => e);
    const abort = new AbortController();
    let since;
    const late = await ph
      .query(heavy, {
        signal: abort.signal,
        onProgress: () => {
          since ??= performance.now();
          abort.abort("enough");
        },
      })
      .catch((e) => e);
    const rejected = performance.now() - since;
    const next = await ph.query({ select: "count()" });
    return {
      progress,
      early: [early.name, early.code],
      late: [late.name, late.code, late.cause],
      rejected,
      free: performance.now() - since,
      next: next.value,
      results: (await ph.stats()).results.length,
    };
  });
  assert.ok(got.progress > 2);
  assert.deepEqual(got.early, ["AbortError", "cancelled"]);
  assert.deepEqual(got.late, ["AbortError", "cancelled", "enough"]);
  assert.equal(got.next, 52 * 5 * 1380);
  assert.equal(got.results, 1, "nothing of the cancelled queries is kept");
  const [rejected, free] = [got.rejected, got.free].map((ms) => ms.toFixed(0));
  t.diagnostic(`rejected after ${rejected} ms, next query answered after ${free} ms`);
});

test("dropping tables gives their memory back", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      const sizes = [];
      let loaded;
      for (let i = 0; i < 6; i += 1) {
        await ph.load("bars", new Blob([csv]));
        loaded = await ph.stats();
        const result = await ph.query({ group_by: "hour()", select: "mean(close)" });
        await result.release();
        await ph.drop("bars");
        sizes.push((await ph.stats()).wasm_bytes);
      }
      const { tables, results, worker } = await ph.stats();
      return { loaded: loaded.tables, tables, results, worker, sizes, list: ph.tables() };
    },
    { csv: sampleText({ weeks: 12 }) },
  );
  const [{ name, rows, bytes }] = got.loaded;
  assert.deepEqual([name, rows], ["bars", 12 * 5 * 1380]);
  assert.ok(bytes > 1_000_000);
  assert.deepEqual([got.tables, got.results, got.list], [[], [], []]);
  assert.equal(got.worker, true);
  assert.equal(got.sizes[5], got.sizes[2], `memory does not grow with each load: ${got.sizes}`);
});

test("check, plan, suggest and tools", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, query }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const { title, ...plain } = query;
      const result = await ph.query(plain);
      const check = async (text) => {
        const { verdict, claims, feedback } = await ph.check(text, [result]);
        return { verdict, feedback, claims: claims.map((c) => [c.text, c.verdict, c.actual]) };
      };
      return {
        right: await check("Vkusno sold for 912."),
        wrong: await check("Vkusno sold for 921."),
        other: await check("Kuper sold for 912."),
        none: await check("It went well."),
        unknown: await ph.check("5", ["r99"]).catch((e) => e.code),
        plan: await ph.plan("total amount by shop"),
        suggest: await ph.suggest("purchases"),
        noTable: await ph.suggest("purchase").catch((e) => e.code),
        definitions: (await ph.tools.definitions()).length,
        tool: await ph.tools.execute("query", query),
        badTool: await ph.tools.execute("query", { table: "purchases", where: "amout > 1" }),
        noTool: await ph.tools.execute("nothing", {}),
        title,
      };
    },
    { csv: PURCHASES, query: BY_SHOP },
  );
  assert.equal(got.right.verdict, "ok");
  assert.ok(got.right.claims.some(([text, verdict]) => text === "912" && verdict === "verified"));
  assert.equal(got.wrong.verdict, "rewrite");
  assert.deepEqual(
    got.wrong.claims.find(([text]) => text === "921"),
    ["921", "contradicted", "912"],
  );
  assert.match(got.wrong.feedback, /921/);
  assert.equal(got.other.verdict, "rewrite");
  assert.deepEqual(got.none, { verdict: "ok", feedback: "", claims: [] });
  assert.equal(got.unknown, "unknown_result");
  assert.equal(got.plan.status, "ready");
  assert.equal([got.plan.query.group_by].flat()[0], "shop");
  assert.ok(got.suggest.length > 0);
  assert.equal(got.noTable, "unknown_table");
  assert.equal(got.definitions, 8);
  assert.deepEqual([got.tool.ok, got.tool.rows], [true, 4]);
  assert.deepEqual([got.badTool.ok, got.noTool.ok], [false, false]);
  assert.match(JSON.stringify(got.badTool.error), /unknown_column/);
  assert.match(JSON.stringify(got.noTool.error), /unknown_tool/);
});

test("tools about results: rows behind them, numbers checked, nothing of what is withheld", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const call = (name, args) => ph.tools.execute(name, args);
      const by = { group_by: "shop", select: "sum(amount)" };
      await call("query", { table: "purchases", ...by });
      const key = { shop: "Vkusno" };
      const behind = await call("source_rows", { result: "r1", key });
      const result = await ph.result(behind.output.result_id);
      const rows = await result.source(behind.output.key);
      const stats = { sum_amount: 990 };
      const said = {
        sql: await call("sql", { text: "SELECT count(*) AS n FROM purchases" }),
        part: await call("source_rows", { result: "r1", key: {} }),
        stats: await call("check_stats", { result: "r1", row: key, stats }),
        questions: await call("suggest_questions", {}),
        functions: await call("function_reference", { family: "lag" }),
      };
      const own = await ph.query({ table: "purchases", ...by });
      await ph.setPolicy({ columns: { "purchases.amount": "hidden" } });
      const unheard = [];
      for (const id of ["r1", own.id, "r99"]) {
        const { summary } = await call("check_stats", { result: id, stats });
        unheard.push(summary.replaceAll(id, "ID"));
      }
      return {
        behind,
        rows: rows.total,
        said,
        unheard,
      };
    },
    { csv: PURCHASES },
  );
  const { behind, rows, said, unheard } = got;
  assert.equal(rows, behind.rows);
  assert.equal(behind.summary, `Rows behind this group of r1: ${rows}; the user can open them`);
  assert.deepEqual([said.sql.summary, said.sql.result_id], ["Result: 7 (from 7 of 7 rows)", "r2"]);
  assert.equal(said.part.error[0].pointer, "/key");
  assert.match(
    said.stats.summary,
    /0 right, 1 wrong\nValidation errors:\n- sum_amount: reported 990, actual 912$/,
  );
  assert.equal(said.stats.output.status, "rewrite");
  assert.ok(said.questions.output[0].questions.length > 0);
  assert.match(said.functions.summary, /prev\(/);
  assert.match(unheard[0], /^Not available: ID/);
  assert.equal(new Set(unheard).size, 1);
});

test("plan: a word that names a column is not used up by a table of the same name", async (t) => {
  const scene = await open(t, { blank: true });
  const plans = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      const plans = [];
      for (const table of ["shops", "shop", "amounts"]) {
        await ph.load(table, new Blob([csv]));
        plans.push(await ph.plan("total amount by shop", { table }));
        await ph.drop(table);
      }
      return plans;
    },
    { csv: PURCHASES },
  );
  const query = { group_by: "shop", select: "sum(amount)" };
  assert.deepEqual(
    plans.map(({ query }) => query),
    [query, query, query],
  );
});

test("moments keep their time of day however far apart the rows are", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const file = "d,n\n2023-12-31 17:06,1\n2024-01-02 10:00,2\n2024-01-04 12:00,5\n";
    await ph.load("t", new Blob([file]));
    const rows = await (await ph.query({})).table.rows();
    return [...rows.map(({ d }) => d), (await ph.query({ select: "max(d)" })).value];
  });
  assert.deepEqual(got, [
    "2023-12-31T17:06:00",
    "2024-01-02T10:00:00",
    "2024-01-04T12:00:00",
    "2024-01-04T12:00:00",
  ]);
});

test("the module is fetched once, by the page, which compiles it while it comes and hands it over", async (t) => {
  const scene = await open(t, { blank: true });
  const compiled = await scene.run(async ({ Pinhole }) => {
    const seen = [];
    for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) {
      const own = WebAssembly[name];
      WebAssembly[name] = (...args) => {
        seen.push(name);
        return own.apply(WebAssembly, args);
      };
    }
    const ph = await Pinhole.open();
    const { worker } = await ph.stats();
    await ph.close();
    return { seen, worker };
  });
  assert.deepEqual(compiled, { seen: ["compileStreaming"], worker: true });
  const fetched = scene.log.filter(({ url }) => url.endsWith(".wasm"));
  assert.deepEqual(
    fetched.map(({ url, headers }) => [url, new URL(headers.referer).pathname]),
    [["/pinhole/pinhole_bg.wasm", "/blank.html"]],
  );
});
