// The public functions of the packed tarball, each used as its documentation has it. The same body
// runs in Node without a worker and on a plain page in Chromium with one.

import {
  BARS,
  CSV,
  QUESTION,
  TOTALS,
  all,
  asks,
  fails,
  is,
  load,
  ok,
  plain,
  says,
  talk,
} from "./api-kit.mjs";
import { MODELS } from "./api-models.mjs";
import { OPTIONS } from "./api-options.mjs";

/**
 * The functions of the API by name. `open(options)` gives an engine that is closed afterwards, `api`
 * is the package, `device` says whether tables can stay on this device, `wasm` where the module is
 * and what its bytes are, `places` where there is what a server gives.
 */
export const LINES = {
  ...OPTIONS,
  ...MODELS,

  "Pinhole.open: options, await using": async ({ api, open }) => {
    const seen = [];
    const ph = await open({
      memoryLimit: 1 << 28,
      policy: { level: "aggregate", k: 2 },
      locale: "ru",
      onBeforeSend: (entry) => void seen.push(entry.seq),
    });
    is((await ph.policy()).level, "aggregate");
    is(ph.locale, "ru");
    const [diagnostic] = await (await load(ph)).validate({ where: "amuont > 1" });
    ok(/столб/.test(diagnostic.message), diagnostic.message);
    const { ask } = talk(ph, [says("Готово.")]);
    await ask("что?");
    is(seen, [1], "requests that were seen");
    ok(typeof ph[Symbol.asyncDispose] === "function", "await using");
    await ph[Symbol.asyncDispose]();
    const gone = await fails(() => ph.query({}), "closed");
    ok(gone instanceof api.PinholeError, "a PinholeError");
  },

  "Pinhole.open: where the module comes from": async ({ open, wasm }) => {
    const bytes = await wasm.bytes();
    const sources = [wasm.address, bytes, bytes.buffer, await WebAssembly.compile(bytes)];
    if (wasm.address.protocol !== "file:") {
      sources.push(wasm.address.href, await fetch(wasm.address));
    }
    for (const source of sources) {
      const ph = await open({ wasm: source });
      is((await load(ph, "t")).rows, 6);
      await ph.close();
    }
    await fails(() => open({ wasm: bytes.slice(0, 100) }), "wasm_failed");
  },

  "load: options": async ({ open }) => {
    const ph = await open();
    const text =
      "t;x;s;who\n05.01.2024 09:00;1,5;A;q@example.org\n05.01.2024 09:01;n/a;A;r@example.org\n";
    let progress = 0;
    const t = await ph.load("bars", new Blob([`${text}06.01.2024 09:00;9\n`]), {
      format: "csv",
      csv: { delimiter: ";", decimal: ",", dates: "dmy" },
      nulls: ["n/a"],
      time: "t",
      timezone: "Europe/Berlin",
      series: "s",
      market: { sessions: { morning: ["09:00", "12:00"] } },
      resample: { x: "mean" },
      units: { x: "EUR" },
      labels: { x: "Price" },
      synonyms: {
        table: ["deals"],
        columns: { x: ["цена"] },
        values: { s: { A: ["альфа"] } },
      },
      classes: { who: "hidden" },
      columns: ["t", "x", "s", "who"],
      types: { s: "text" },
      onBadRow: "skip",
      onProgress: () => (progress += 1),
      signal: new AbortController().signal,
    });
    is([t.name, t.rows, t.time, t.series], ["bars", 2, "t", "s"]);
    is(t.classes, { t: "open", x: "open", s: "open", who: "hidden" });
    is(t.report.bad_rows.count, 1, "rows left out");
    const { kind, unit, label, synonyms } = t.columns[1];
    is([kind, unit, label, synonyms], ["float", "EUR", "Price", ["цена"]]);
    ok(progress > 0, "progress");
    const { query } = await ph.plan("how many rows in альфа?");
    is(query.where, 's == "A"');
    const values = { x: { 1: ["one"] } };
    const wrong = () => ph.load("u", new Blob([text]), { synonyms: { values } });
    await fails(wrong, "bad_option");
    await fails(() => ph.load("u", new Blob([text]), { colour: "red" }), "bad_option");
    await fails(() => ph.load("u", new Blob([text]), { signal: AbortSignal.abort() }), "cancelled");
    is(
      ph.tables().map(({ name }) => name),
      ["bars"],
    );
  },

  "load: every kind of source": async ({ open }) => {
    const ph = await open();
    const bytes = new TextEncoder().encode(CSV);
    const first = await ph.load("bytes", bytes);
    const result = await ph.query({ table: "bytes" });
    const ipc = await result.table.toArrowIPC();
    const rows = await result.table.rows(0, 10);
    const url = `data:text/csv,${encodeURIComponent(CSV)}`;
    const sources = {
      file: new File([CSV], "f.csv"),
      blob: new Blob([CSV]),
      ...(globalThis.document ? {} : { address: url, url: new URL(url) }),
      response: new Response(CSV),
      stream: new Blob([CSV]).stream(),
      buffer: bytes.slice().buffer,
      ipc,
      table: result.table,
      to_ipc: { toIPC: () => ipc },
      objects: rows,
      generated: (async function* () {
        yield* rows;
      })(),
    };
    for (const [name, source] of Object.entries(sources)) {
      const t = await ph.load(name, source);
      is([t.rows, t.columns], [6, first.columns], name);
      is(await ph.drop(name), true, name);
    }
    is(bytes.byteLength, CSV.length, "the caller keeps the bytes");
  },

  "a table: report, append, keep, reopen, drop": async ({ open, device }) => {
    const ph = await open();
    const t = await load(ph, "t");
    is(
      [t.name, t.rows, t.report.format, t.classes],
      ["t", 6, "csv", { shop: "open", amount: "open" }],
    );
    const longer = await t.append(new Blob(["amount,shop\n1,Sever\n"]));
    is([t.rows, longer.rows, longer.version], [6, 7, t.version + 1]);
    is(structuredClone(longer), ph.tables()[0], "plain data");
    const print = await longer.print();
    is(/^[0-9a-f]{32}$/.test(print), true, "a print of the rows");
    is(await ph.print("t"), print);
    if (device) {
      await longer.keep();
      await ph.drop("t");
      is((await ph.reopen("t")).rows, 7, "rows kept");
      is(await ph.print("t"), print, "of the same rows");
      is(await ph.forget("t"), true);
    } else {
      await fails(() => longer.keep(), "cannot_keep");
    }
    is((await ph.load("t", new Blob(["a\n1\n"]))).rows, 1, "the same name replaces");
    await ph.drop("t");
    is(ph.tables(), []);
  },

  "query: the example, options, a cancel": async ({ open }) => {
    const ph = await open();
    await ph.load("trades", new Blob([BARS]));
    const r = await ph.query(
      {
        from: "daily",
        map: { gap: "gap()", dow: "dayname()" },
        where: "gap > 50",
        group_by: "dow",
        select: "mean(gap)",
      },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    is(await r.table.rows(0, 50), [{ dow: "Mon", mean_gap: 60 }]);
    is((await r.source({ dow: "Mon" })).total, 1, "rows behind");
    is(r.metadata.timeframe, "daily");
    await fails(() => ph.query({}, { signal: AbortSignal.abort() }), "cancelled");
  },

  "a result: fields, rows, Arrow, batches, source, release": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const r = await ph.query(TOTALS);
    is([r.id, r.kind, r.rows], ["r1", "grouped", 4]);
    is(r.query, {
      table: "purchases",
      group_by: "shop",
      select: "sum(amount)",
    });
    is(
      [r.metadata.session ?? null, r.metadata.timeframe ?? null, r.metadata.rows_scanned],
      [null, null, 6],
    );
    ok(typeof r.summary === "object" && r.modelText.startsWith("Result: 4 groups"), r.modelText);
    is(r.warnings, []);
    is(await r.table.rows(1, 1), [{ shop: "Sever", sum_amount: 45 }]);
    is((await r.table.page(0, 1)).rows, [["Kuper", 310.5]]);
    const sizes = [];
    for await (const batch of r.table.batches(3)) sizes.push(batch.rows.length);
    is(sizes, [3, 1]);
    const ipc = await r.table.toArrowIPC();
    ok(ipc instanceof Uint8Array && ipc.length > 100, "Arrow");
    is((await r.source({ shop: "Kuper" })).rows, [
      ["Kuper", 100],
      ["Kuper", 210.5],
    ]);
    is((await ph.query({ select: "sum(amount)" })).value, 1345.75);
    is((await ph.query({ select: { n: "count()", most: "max(amount)" } })).values, {
      n: 6,
      most: 500,
    });
    is((await ph.result("r1")).modelText, r.modelText);
    is(await r.release(), true);
    is(await ph.result("r1"), undefined);
    await fails(() => r.table.rows(), "unknown_result");
  },

  "values: integers, decimals, dates, nulls": async ({ open }) => {
    const text = "i,d,day,at,none\n9007199254740993,1.10,2024-02-29,2024-02-29T12:30:00,\n5,,,,x\n";
    const read = async (options) => {
      const ph = await open(options);
      await ph.load("t", new Blob([text]), { types: { d: "decimal(2)" } });
      return (await (await ph.query({})).table.page()).rows;
    };
    const [first, second] = await read({});
    is(first.slice(0, 3), [9007199254740993n, "1.10", "2024-02-29"]);
    ok(/^2024-02-29T12:30/.test(first[3]), first[3]);
    is(second, [5, null, null, null, "x"]);
    is((await read({ decimals: "number" }))[0][1], 1.1);
    const ph = await open({ dates: "date" });
    await ph.load("t", new Blob([text]));
    const [row, none] = await (await ph.query({ columns: ["day", "at"] })).table.rows();
    ok(row.day instanceof Date && row.at instanceof Date, "dates");
    is([row.day, row.at], ["2024-02-29T00:00:00.000Z", "2024-02-29T12:30:00.000Z"]);
    is([none.day, none.at], [null, null]);
    const last = await ph.query({ select: { last: "max(day)", n: "count()" } });
    is(last.values, { last: row.day, n: 2 });
    is((await ph.query({ select: "max(at)" })).value, row.at);
    const groups = await ph.query({ group_by: "at", select: "count()" });
    is((await groups.source({ at: row.at })).total, 1, "rows behind a moment");
    const days = await ph.query({ group_by: "day", select: "count()" });
    is((await days.source({ day: row.day })).total, 1, "rows behind a day");
  },

  "values: what goes out as Arrow comes back as it was": async ({ open }) => {
    const text =
      "i,d,day,at,who\n9007199254740993,1.10,2024-02-29,2024-02-29T12:30:00,Kuper\n5,,,,\n" +
      "-7,-20.05,1969-12-31,1969-12-31T23:59:59.250,Север\n";
    const kinds = ["int", "decimal(2)", "date", "timestamp", "text"];
    for (const options of [{}, { dates: "date" }, { decimals: "number" }]) {
      const what = plain(options);
      const ph = await open(options);
      await ph.load("out", new Blob([text]), {
        types: { d: "decimal(2)" },
        time: false,
      });
      const { table } = await ph.query({ table: "out" });
      const first = await table.page();
      is(first.kinds, kinds, what);
      const back = await ph.load("back", await table.toArrowIPC(), {
        time: false,
      });
      is(
        back.columns.map(({ kind }) => kind),
        kinds,
        what,
      );
      const again = await ph.query({ table: "back" });
      is(await again.table.page(), first, what);
      is(await again.table.rows(), await table.rows(), what);
      // The option is about JavaScript: in Arrow a decimal stays one.
      is(
        (
          await ph.query({
            table: "back",
            where: "d == -20.05",
            select: "count()",
          })
        ).value,
        1,
      );
      const [{ d, day }] = await again.table.rows(2, 1);
      is(d, options.decimals ? -20.05 : "-20.05", what);
      is(day instanceof Date, options.dates === "date", what);
    }
  },

  "sql with parameters, result": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const r = await ph.sql("SELECT shop FROM purchases WHERE amount > $1 ORDER BY amount", [400]);
    is(await r.table.rows(), [{ shop: "Vkusno" }, { shop: "Vkusno" }]);
    await fails(() => ph.sql("DROP TABLE purchases"), "sql_not_read_only");
    const by = "SELECT shop, sum(amount) AS total FROM purchases GROUP BY shop";
    ok((await ph.sql(by)).modelText.includes(" groups by shop "), "the key of a statement");
    const unnamed = await ph.sql("SELECT sum(amount) AS total FROM purchases GROUP BY shop");
    ok(!unnamed.modelText.includes(" by "), unnamed.modelText);
  },

  "validate, format, explain, functions, complete": async ({ open }) => {
    const ph = await open();
    await load(ph);
    is(await ph.validate(TOTALS), []);
    const [problem] = await ph.validate({ where: "amuont > 1" });
    is(
      [problem.code, problem.pointer, problem.span, problem.choices[0], problem.fix],
      ["unknown_column", "/where", [0, 6], "amount", "amount"],
    );
    ok(problem.message.includes("amuont"), problem.message);
    is(await ph.format({ select: " sum(amount) " }), {
      table: "purchases",
      select: "sum(amount)",
    });
    ok((await ph.explain(TOTALS)).includes("amount"), "in words");
    ok(
      (await ph.functions()).some(({ name, signature }) => name === "mean" && signature),
      "mean",
    );
    const { span, items } = await ph.complete("amo", 3);
    is([span, items[0].insert], [[0, 3], "amount"]);
    const there = await ph.complete("sh", 2, {
      pointer: "/group_by",
      query: {},
    });
    is(there.items[0].insert, "shop");
  },

  "check, checkStats, render": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const r = await ph.query(TOTALS);
    const good = await ph.check("Vkusno has 912.", [r], { question: QUESTION });
    is([good.verdict, good.feedback], ["ok", ""]);
    const [claim] = good.claims;
    is([claim.start, claim.end, claim.text, claim.verdict], [11, 14, "912", "verified"]);
    is([claim.fact.key, claim.fact.value], [{ shop: "Vkusno" }, 912]);
    const bad = await ph.check("Vkusno has 921.", [r]);
    is(
      [bad.verdict, bad.claims[0].verdict, bad.claims[0].actual],
      ["rewrite", "contradicted", "912"],
    );
    ok(bad.feedback.includes("921"), bad.feedback);
    ok(bad.modelFeedback.includes("912"), bad.modelFeedback);
    // The text states another condition than the query had.
    const large = await ph.query({ where: "amount > 100", ...TOTALS });
    const stale = await ph.check("With amounts above 120, Vkusno has 912.", [large]);
    ok(stale.modelFeedback.includes("another condition: where amount > 100"), stale.modelFeedback);
    // A model is told no more than the policy lets it know.
    await ph.setPolicy({ level: "schema" });
    const withheld = await ph.check("Vkusno has 921.", [r]);
    ok(withheld.feedback.includes("912"), withheld.feedback);
    ok(!withheld.modelFeedback.includes("912"), withheld.modelFeedback);
    const right = await ph.check("Vkusno has 912.", [r]);
    is(right.modelFeedback, withheld.modelFeedback.replace("921", "912"));
    await ph.setPolicy({});
    const stats = {
      stats: { sum_amount: 912 },
      data: [{ sum_amount: 912 }],
      intent: "data",
    };
    is((await ph.checkStats({ ...stats, attempts: 0 })).status, "ok");
    is((await ph.checkStats({ ...stats, stats: { sum_amount: 5 } })).status, "rewrite");
    const n = await ph.query({ select: "count()" });
    const rendered = await ph.render(`There were {{${n.id}}} rows`, [n], {
      locale: "en",
    });
    is([rendered.text, rendered.issues], ["There were 6 rows", []]);
  },

  "whole numbers beyond 2^53 are exact, and what is no text is refused": async ({ open }) => {
    const ph = await open();
    await ph.load("ids", new Blob(["id,u\n1152921504606846977,a\n9007199254740993,a\n"]));
    is((await ph.query({ select: "max(id)" })).value, 1152921504606846977n);
    const grouped = await ph.query({ group_by: "u", select: "sum(id)" });
    is((await grouped.table.page(0, 1)).rows[0][1], 1161928703861587970n);
    ok(grouped.modelText.includes("1161928703861587970"), grouped.modelText);
    is((await ph.sql("SELECT max(id) AS most FROM ids")).value, 1152921504606846977n);
    for (const call of [() => ph.check(5, [grouped]), () => ph.plan(5), () => ph.sql({})]) {
      const code = await call().then(
        () => "none",
        (error) => error.code,
      );
      is(code, "bad_option");
    }
    is((await ph.query({ select: "count()" })).value, 2);
    const sizes = [];
    for await (const { rows } of grouped.table.batches(0)) sizes.push(rows.length);
    is(sizes, [1]);
  },

  "plan: ready, from the query before, declined": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const first = await ph.plan(QUESTION, { table: "purchases" });
    is([first.status, first.query.select], ["ready", "sum(amount)"]);
    ok(first.explanation && first.confidence > 0.5, "explained");
    const r = await ph.query(first.query);
    for (const previous of [first.query, r]) {
      const next = await ph.plan("only Kuper", { previous });
      ok(next.query?.where?.includes("Kuper"), plain(next));
    }
    const unknown = await fails(() => ph.plan(QUESTION, { table: "purchase" }), "unknown_table");
    is(unknown.diagnostics?.[0]?.choices ?? unknown.choices, ["purchases"]);
    const none = await ph.plan("what is the meaning of life?");
    is(none.status, "declined");
    ok(none.message, "says why");
    ok((await ph.suggest("purchases")).length > 0, "suggestions");
  },

  "chat: the planner": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const chat = ph.chat({ wire: "planner" });
    const done = (await all(chat.ask(QUESTION))).at(-1);
    is([done.type, done.verdict], ["done", "ok"]);
    ok(done.answer.includes("912"), done.answer);
    is(await ph.ledger.entries(), []);
    await chat.clear();
  },

  "chat: a model, its events, hold, rounds, transport": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const { ask, requests } = talk(
      ph,
      [asks({ table: "purchases", ...TOTALS }), says("Vkusno has 912.")],
      {
        hold: "answer",
        maxRounds: 3,
        model: "m",
      },
    );
    const events = await ask(QUESTION);
    const types = new Set(events.map(({ type }) => type));
    for (const type of ["ledger", "tool_call", "data_block", "text", "claims", "draft", "done"]) {
      ok(types.has(type), `no event ${type}`);
    }
    const done = events.at(-1);
    is([done.answer, done.verdict, done.usage.requests], ["Vkusno has 912.", "ok", 2]);
    is(
      done.claims.map(({ verdict }) => verdict),
      ["verified"],
    );
    const [sent] = requests;
    is([sent.method, sent.headers["content-type"]], ["POST", "application/json"]);
    const entries = await ph.ledger.entries();
    is(
      entries.map(({ body }) => body),
      requests.map(({ body }) => body),
      "the ledger has the very bytes",
    );
  },

  "chat: a policy of its own, and what it keeps back": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const stricter = talk(ph, [says("See the table.")], {
      policy: { level: "schema" },
    });
    is((await stricter.ask(QUESTION)).at(-1).type, "done");
    const [entry] = await ph.ledger.entries();
    is(entry.level, "schema");
    ok(
      entry.withheld.some(({ what, why }) => what === "values" && why === "level"),
      "the ledger says what is kept back",
    );
    const looser = talk(ph, [], { policy: { level: "preview" } });
    const { type, code } = (await looser.ask(QUESTION)).at(-1);
    is([type, code, looser.requests.length], ["error", "looser_policy", 0]);
  },

  "chat: every wire, keys, a failure, a cancel": async ({ open }) => {
    const ph = await open();
    await load(ph);
    for (const wire of ["openai-chat", "openai-responses", "anthropic"]) {
      const { ask } = talk(ph, [], { wire, model: "m" }, () => new Response("", { status: 404 }));
      const failed = (await ask("anything?")).at(-1);
      is([failed.type, typeof failed.code, typeof failed.message], ["error", "string", "string"]);
    }
    const key = { headers: { authorization: "Bearer x" } };
    await fails(() => ph.chat({ endpoint: "/v1", ...key }), "key_in_browser");
    const transport = () => Promise.resolve(new Response(says("Yes.")));
    ph.chat({
      transport,
      ...key,
      dangerouslyAllowBrowserKey: true,
      stream: false,
    });
    const abort = new AbortController();
    const hangs = (_, { signal }) =>
      new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    const chat = ph.chat({ transport: hangs, model: "m" });
    const events = [];
    for await (const event of chat.ask("anything?", { signal: abort.signal })) {
      events.push(event);
      if (event.type === "ledger") abort.abort();
    }
    const { type, code } = events.at(-1);
    is([type, code], ["error", "cancelled"]);
  },

  "history: list, open, go on, export, delete": async ({ api, open }) => {
    const ph = await open({ persist: new api.MemoryStore() });
    await load(ph);
    const chat = ph.chat();
    await all(chat.ask(QUESTION));
    await chat.close();
    const [head] = await ph.history.list();
    is(head.turns, 1);
    const opened = await ph.history.open(head.id);
    is(opened.turns[0].question, QUESTION);
    is((await (await opened.table(0, "r1")).page(0, 1)).rows, [["Kuper", 310.5]]);
    const longer = ph.chat({ continue: opened });
    is((await all(longer.ask("only Kuper"))).at(-1).type, "done");
    await longer.close();
    ok(JSON.parse(await ph.history.export(head.id)).turns.length === 2, "exported");
    await ph.history.delete(head.id);
    is(await ph.history.list(), []);
  },

  "tools: execute, definitions, register": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const done = await ph.tools.execute("query", {
      table: "purchases",
      ...TOTALS,
    });
    is([done.ok, done.result_id, done.rows, done.warnings], [true, "r1", 4, []]);
    ok(done.summary.startsWith("Result: 4 groups"), done.summary);
    const wrong = await ph.tools.execute("query", {
      table: "purchases",
      where: "amuont > 1",
    });
    is([wrong.ok, wrong.error[0].code], [false, "unknown_column"]);
    const away = await ph.tools.register({
      name: "double",
      description: "Twice the number",
      inputSchema: {
        type: "object",
        properties: { n: { type: "number" } },
        required: ["n"],
      },
      execute: ({ n }) => ({ twice: 2 * n }),
    });
    is((await ph.tools.execute("double", { n: 4 })).output, { twice: 8 });
    for (const format of ["openai-chat", "openai-responses", "anthropic", "mcp"]) {
      ok(plain(await ph.tools.definitions(format)).includes('"double"'), format);
    }
    away();
    ok(!plain(await ph.tools.definitions("anthropic")).includes('"double"'), "taken away");
  },

  "recall: ask, suggest, list, get, update, delete, execute, export, import": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const recall = ph.recall({ context: "CARL" });
    const first = await recall.ask(QUESTION);
    const again = await recall.ask(QUESTION);
    is([first.success, first.cached, again.cached], [true, false, true]);
    const id = again.script_id;
    const near = await recall.suggest(QUESTION, { limit: 1, threshold: 0.1 });
    is(
      near.suggestions.map((one) => one.id),
      [id],
    );
    is(
      (await recall.list()).map(({ question }) => question),
      [QUESTION],
    );
    is((await recall.get(id)).kind, "query");
    is(await recall.update(id, { is_valid: false }), true);
    ok((await recall.execute(id)).success, "runs");
    const lines = await recall.export();
    is(await recall.delete(id), true);
    is(await recall.get(id), undefined);
    const { added, bad } = await recall.import(lines);
    is([added, bad], [1, []]);
    const own = ph.recall({
      context: "OWN",
      embedder: {
        dim: 2,
        embed: async (texts) => texts.map((text) => [text.length, 1]),
      },
    });
    is((await own.ask(QUESTION)).success, true);
  },

  "ledger: entries, verify, export, watch; stats": async ({ open, device }) => {
    const ph = await open();
    await load(ph);
    const seen = [];
    const unwatch = ph.ledger.watch(({ seq }) => seen.push(seq));
    const { ask } = talk(ph, [says("Well."), says("Well.")]);
    await ask("first?");
    unwatch();
    await ask("second?");
    is(seen, [1]);
    const [one, two] = await ph.ledger.entries();
    is([one.seq, two.previous === one.hash, one.level], [1, true, "summary"]);
    is(await ph.ledger.verify(), { ok: true });
    is((await ph.ledger.export()).trim().split("\n").length, 2);
    const { tables, results, wasm_bytes, worker, restarts } = await ph.stats();
    is(
      [tables[0].name, tables[0].rows, results, worker, restarts],
      ["purchases", 6, [], device, 0],
    );
    ok(wasm_bytes > 1_000_000, "memory");
  },
};

/** Runs one of them over `api`, the package. */
export async function runLine(name, api, { options = {}, device, wasm, places }) {
  const opened = [];
  const open = async (more = {}) => {
    const ph = await api.Pinhole.open({ ...options, ...more });
    opened.push(ph);
    return ph;
  };
  try {
    await LINES[name]({ api, open, device, wasm, places });
  } finally {
    for (const ph of opened) await ph.close();
  }
}
