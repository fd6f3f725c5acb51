// What each option of opening, loading and reading does, shown by what comes of it.

import { CSV, QUESTION, TOTALS, all, fails, is, load, ok, says, talk } from "./api-kit.mjs";

const file = (text) => new Blob([text]);

/** Minute bars of two days, from 08:58 to 09:01 in UTC, with a column of its own. */
const MINUTES = `t,open,high,low,close,volume,x\n${["05", "06"]
  .flatMap((day, d) =>
    ["08:58", "08:59", "09:00", "09:01"].map(
      (minute, i) =>
        `2024-01-${day}T${minute}:00Z,${10 + i},${12 + i},${9 + i},11,5,${4 * d + i}\n`,
    ),
  )
  .join("")}`;

/** Many rows, for what takes a while. */
const long = (rows = 200_000) =>
  file(
    `id,x\n${Array.from({ length: rows }, (_, i) => `${i},${(i * 7919) % 10_007}`).join("\n")}\n`,
  );
const HEAVY = { map: { m: "rolling_median(x, 200)" }, sort: "m" };

const columnOf = async (ph, table, column) =>
  (await (await ph.query({ table, columns: [column] })).table.page(0, 20)).rows.map(([one]) => one);

export const OPTIONS = {
  "open: memoryLimit refuses what needs more, and the engine goes on": async ({ open }) => {
    const ph = await open({ memoryLimit: 1 << 16 });
    const error = await fails(() => ph.load("t", long(20_000)), "memory_limit");
    ok(/\d/.test(error.message), "it says how much");
    await load(ph);
    is((await ph.query({ select: "sum(amount)" })).value, 1345.75);
    const free = await open();
    is((await free.load("t", long(20_000))).rows, 20_000, "without a limit");
  },

  "an option that no call has is refused by name, functions too": async ({ api, open }) => {
    const wrong = await fails(
      () => api.Pinhole.open({ polciy: { level: "schema" } }),
      "bad_option",
    );
    is(wrong.diagnostics[0].choices[0], "policy");
    const ph = await open();
    // A function cannot be sent to a worker: the name is told, not that.
    const { message } = await fails(
      () => ph.load("t", file("a\n1\n"), { onProgres() {} }),
      "bad_option",
    );
    ok(
      message.startsWith("`ph.load` has no option `onProgres`, did you mean `onProgress`?"),
      message,
    );
    await load(ph);
    const rest = { append: true, kept: true };
    await fails(() => ph.load("purchases", file(CSV), rest), "bad_option");
    is(
      (await ph.query({ select: "count()" })).value,
      CSV.trim().split("\n").length - 1,
      "untouched",
    );
    is((await all(ph.chat().ask(QUESTION, { singal: 1 })))[0].code, "bad_option");
  },

  "a policy with a slip is refused, before its table is there as well": async ({ api, open }) => {
    const slips = [
      [{ levl: "schema" }, "unknown_field"],
      [{ level: "shema" }, "unknown_policy"],
      [{ columns: { "purchases.shop": "hiden" } }, "unknown_policy"],
      [{ columns: { shop: "hidden" } }, "unknown_policy"],
    ];
    const ph = await open({
      policy: { columns: { "purchases.shpo": "hidden", "later.x": "hidden" } },
    });
    for (const [policy, code] of slips) {
      await fails(() => open({ policy }), code);
      await fails(() => ph.setPolicy(policy), code);
      is((await all(ph.chat({ policy }).ask(QUESTION))).at(-1).code, code);
    }
    const late = await fails(() => load(ph), "unknown_column");
    is(ph.tables(), []);
    is((await ph.stats()).tables, [], "it is gone");
    const { pointer, choices } = late.diagnostics[0];
    is(
      [late.diagnostics.length, pointer, choices],
      [1, "/columns/purchases.shpo", ["shop", "amount"]],
    );
    // As it is told where the table came first.
    const other = await open();
    await load(other);
    const early = await fails(
      () => other.setPolicy({ columns: { "purchases.shpo": "hidden" } }),
      "unknown_column",
    );
    is(late.message, early.message.replace("amount, shop", "shop, amount"));
    await ph.setPolicy({ columns: { "purchases.shop": "hidden", "later.x": "hidden" } });
    is((await load(ph)).tables()[0].classes, { shop: "hidden", amount: "open" });
    // Another table in its place need not have them.
    const { classes } = await ph.load("purchases", file("a,amount\n1,2\n"));
    is(classes, { a: "open", amount: "open" });
  },

  "open: policy and onBeforeSend decide what leaves": async ({ open }) => {
    const hidden = await open({ policy: { columns: { "purchases.shop": "hidden" } } });
    await load(hidden);
    const { modelText, table } = await hidden.query(TOTALS);
    ok(!/Kuper|Vkusno|912/.test(modelText), modelText);
    is((await table.rows(0, 1))[0].shop, "Kuper", "the person sees it");
    const ph = await open({ onBeforeSend: () => false });
    await load(ph);
    const { ask, requests } = talk(ph, [says("Never asked.")]);
    const { type, code } = (await ask(QUESTION)).at(-1);
    is([type, code, requests.length, await ph.ledger.entries()], ["error", "send_refused", 0, []]);
  },

  "open: locale says everything in Russian, and setLocale changes it": async ({ open }) => {
    const ph = await open({ locale: "ru" });
    await load(ph);
    const totals = { table: "purchases", ...TOTALS };
    const explained = await ph.explain(totals);
    ok(/[а-я]{4}/.test(explained), explained);
    const error = await fails(() => ph.query({ where: "amuont > 1" }), "unknown_column");
    ok(/[а-я]{4}/.test(error.message) && error.diagnostics.length === 1, error.message);
    const text = "a,b\n1,\n2,5\n";
    await ph.load("t", file(text));
    const { warnings } = await ph.query({ table: "t", select: "mean(b)" });
    ok(warnings.length > 0 && /[а-я]{4}/.test(warnings[0].message), "warnings");
    const planned = await ph.plan("сумма amount по shop", { table: "purchases" });
    ok(/[а-я]{4}/.test(planned.explanation), planned.explanation);
    await ph.setLocale("en");
    ok(/^[\x20-\x7e]+$/.test(await ph.explain(totals)), "in English");
  },

  "open: worker by its address, by a function, or none": async ({ open, device, places }) => {
    const opened = [];
    if (device) {
      opened.push([true, { worker: places.worker }], [true, { worker: places.worker.href }]);
      const worker = () => new Worker(places.worker, { type: "module" });
      opened.push([true, { worker }]);
    }
    opened.push([false, { worker: false }]);
    for (const [threaded, options] of opened) {
      const ph = await open(options);
      await load(ph);
      is([(await ph.stats()).worker, (await ph.query(TOTALS)).rows], [threaded, 4]);
      await ph.close();
    }
  },

  "open: persist keeps conversations and the ledger on the device": async ({ open, device }) => {
    if (!device) return;
    const ph = await open({ persist: true });
    await load(ph);
    const { ask, chat } = talk(ph, [says("Well.")]);
    await ask("first?");
    await chat.close();
    const [entry] = await ph.ledger.entries();
    await ph.close();
    const later = await open({ persist: true });
    const [head] = await later.history.list();
    is((await later.history.open(head.id)).turns[0].question, "first?");
    is(await later.ledger.entries(), [entry]);
    is(await later.ledger.verify(), { ok: true });
    await later.history.delete(head.id);
  },

  "an engine that dies: the call says so, the next one works": async ({ open, device, places }) => {
    if (!device) return;
    let worker;
    const ph = await open({
      worker: () => (worker = new Worker(places.worker, { type: "module" })),
    });
    await load(ph);
    await ph.load("t", long());
    // What a worker says when its engine died, here once a query is under way.
    const data = { k: "dead", fault: { code: "internal", message: "out of memory" } };
    let dead = false;
    const onProgress = () => {
      if (!dead) worker.dispatchEvent(new MessageEvent("message", { data }));
      dead = true;
    };
    const running = ph.query({ table: "t", ...HEAVY }, { onProgress });
    await fails(() => running, "engine_restarted");
    is((await ph.query({ table: "purchases", ...TOTALS })).rows, 4, "its table is read again");
    is((await ph.query({ table: "t", select: "count()" })).value, 200_000, "and the other");
    is((await ph.stats()).restarts, 1);
  },

  "load: format, csv, nulls, types, columns": async ({ open }) => {
    const ph = await open();
    const text = "id;zip;x\n1;01067;1,5\n2;80331;n/a\n";
    const all_ = await ph.load("all", file(text), {
      csv: { delimiter: ";", decimal: "," },
      nulls: ["n/a"],
      types: { zip: "text", id: "number" },
    });
    is(
      all_.columns.map(({ name, kind }) => [name, kind]),
      [
        ["id", "float"],
        ["zip", "text"],
        ["x", "float"],
      ],
    );
    is(await columnOf(ph, "all", "x"), [1.5, null]);
    is(await columnOf(ph, "all", "zip"), ["01067", "80331"]);
    const plain_ = await ph.load("plain", file("id,zip\n1,7\n"), { types: { zip: "integer" } });
    is(plain_.columns[1].kind, "int");
    const some = await ph.load("some", file("id,zip\n1,7\n"), { columns: ["zip"] });
    is(
      some.columns.map(({ name }) => name),
      ["zip"],
    );
    const lines = '{"a":1}\n{"a":2}\n';
    is((await ph.load("lines", file(lines), { format: "ndjson" })).report.format, "ndjson");
    const told = await ph.load("told", file(lines), { format: "csv", csv: { header: false } });
    is([told.report.format, told.rows], ["csv", 2], "the format that is named");
    const { report } = await ph.load("no", file("x;y\n1;2\n"), { csv: { delimiter: "," } });
    is(report.columns.length, 1, "the delimiter that is named");
  },

  "load: onBadRow": async ({ open }) => {
    const ph = await open();
    const bad = () => file("a,b\n1,2\n3\n4,5\n");
    await fails(() => ph.load("t", bad()), "bad_row");
    is(ph.tables(), []);
    const { rows, report } = await ph.load("t", bad(), { onBadRow: "skip" });
    is([rows, report.bad_rows], [2, { count: 1, lines: [{ line: 3, fields: 1, expected: 2 }] }]);
  },

  "load: time, timezone, timesIn, market, resample, series": async ({ open }) => {
    const ph = await open();
    const market = { sessions: { morning: ["10:00", "12:00"] } };
    const t = await ph.load("bars", file(MINUTES), {
      timezone: "Europe/Berlin",
      market,
      resample: { x: "sum" },
    });
    is([t.time, t.interval, t.market.timezone], ["t", 60, "Europe/Berlin"]);
    const [first] = await columnOf(ph, "bars", "t");
    ok(/^2024-01-05T09:58/.test(first), first);
    const morning = { table: "bars", session: "morning" };
    is((await ph.query({ ...morning, select: "count()" })).value, 4, "rows of the session");
    const daily = await ph.query({ ...morning, from: "daily", columns: ["open", "x"] });
    is((await daily.table.page()).rows, [
      [12, 5],
      [12, 13],
    ]);
    await ph.load("mean", file(MINUTES), { resample: { x: "max" } });
    const most = await ph.query({ table: "mean", from: "daily", columns: ["x"] });
    is((await most.table.page()).rows, [[3], [7]]);
    await fails(() => ph.query({ table: "mean", session: "morning" }), "unknown_session");
    const utc = "t,x\n2024-07-01 10:00:00,1\n";
    const berlin = { timezone: "Europe/Berlin" };
    await ph.load("local", file(utc), { ...berlin, timesIn: "local" });
    await ph.load("utc", file(utc), { ...berlin, timesIn: "utc" });
    const shown = [...(await columnOf(ph, "local", "t")), ...(await columnOf(ph, "utc", "t"))];
    is(
      shown.map((one) => one.slice(11, 16)),
      ["10:00", "12:00"],
    );
    is((await ph.load("none", file(MINUTES), { time: false })).time ?? null, null);
    const preset = await ph.load("preset", file(MINUTES), { market: "equities-us" });
    is([preset.market.timezone, "RTH" in preset.market.sessions], ["America/New_York", true]);
    const two =
      "t,s,x\n2024-01-01T00:00:00Z,A,1\n2024-01-01T00:00:00Z,B,5\n2024-01-01T00:01:00Z,A,3\n";
    await ph.load("two", file(two), { series: "s" });
    const lag = await ph.query({ table: "two", map: { d: "x - prev(x)" }, where: 's == "A"' });
    is(
      (await lag.table.rows()).map(({ d }) => d),
      [null, 2],
      "a look-back stays in its series",
    );
  },

  "load: units, labels, synonyms, classes": async ({ open }) => {
    const ph = await open();
    const t = await ph.load("bars", file("s,p,who\nA,5,q@example.org\nB,7,r@example.org\n"), {
      units: { p: "EUR" },
      labels: { p: "Price paid" },
      synonyms: { table: ["deals"], columns: { p: ["cost"] }, values: { s: { A: ["alpha"] } } },
      classes: { who: "open", s: "hidden" },
    });
    is(
      [t.columns[1].unit, t.columns[1].label, t.columns[1].synonyms],
      ["EUR", "Price paid", ["cost"]],
    );
    for (const name of ["cost", "price paid"]) {
      const { query } = await ph.plan(`total ${name}`, { table: "bars" });
      is(query?.select, "sum(p)", name);
    }
    const { query } = await ph.plan("total cost of alpha", { table: "bars" });
    is([query?.select, query?.where], ["sum(p)", 's == "A"']);
    is(t.classes, { s: "hidden", p: "open", who: "open" });
    const withheld = await ph.query({ group_by: "s", select: "sum(p)" });
    ok(!/[AB]\b.*[57]/.test(withheld.modelText), withheld.modelText);
    const { who } = (await ph.load("flagged", file("who\nq@example.org\n"))).classes;
    is(who, "hidden", "what seems to tell of people, where no class is named");
  },

  "load: progress, and a cancel under way": async ({ open }) => {
    const ph = await open();
    const seen = [];
    await ph.load("t", long(), { onProgress: (progress) => seen.push({ ...progress }) });
    const last = seen.at(-1);
    is([last.phase, last.rows, last.total === last.bytes], ["finishing", 200_000, true]);
    ok(
      seen.some(({ phase }) => phase === "reading"),
      "reading",
    );
    const stop = new AbortController();
    const never = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("id,x\n1,2\n")),
    });
    const loading = ph.load("t", never, { signal: stop.signal });
    setTimeout(() => stop.abort("enough"), 20);
    const error = await fails(() => loading, "cancelled");
    is([error.name, error.cause], ["AbortError", "enough"]);
    is((await ph.query({ table: "t", select: "count()" })).value, 200_000, "the table before");
  },

  "append: a cancel adds nothing, wherever it comes": async ({ open }) => {
    const ph = await open();
    await ph.load("t", file("a\n1\n2\n"));
    const more = () => file("a\n7\n8\n9\n");
    const aborted = { signal: AbortSignal.abort() };
    await fails(() => ph.append("t", more(), aborted), "cancelled");
    const hanging = new AbortController();
    const never = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("a\n5\n")),
    });
    const waiting = ph.append("t", never, { signal: hanging.signal });
    setTimeout(() => hanging.abort(), 20);
    await fails(() => waiting, "cancelled");
    const late = new AbortController();
    const onProgress = ({ phase }) => phase === "finishing" && late.abort();
    await fails(() => ph.append("t", more(), { signal: late.signal, onProgress }), "cancelled");
    is((await ph.query({ select: "sum(a)" })).value, 3, "nothing was added");
    is(ph.tables()[0].rows, 2);
    const after = await ph.append("t", more(), { signal: new AbortController().signal });
    is([after.rows, (await ph.query({ select: "sum(a)" })).value], [5, 27]);
    // Whenever it is heard: all rows or none, and what the call says is so.
    let { rows } = await ph.load("t", long(50_000));
    for (const delay of [0, 1, 5, 20, 80]) {
      const soon = new AbortController();
      const { signal } = soon;
      const begun = ({ phase }) => phase === "finishing" && setTimeout(() => soon.abort(), delay);
      const ended = await ph.append("t", long(50_000), { signal, onProgress: begun }).then(
        (table) => table.rows,
        ({ code }) => code,
      );
      rows = ended === "cancelled" ? rows : rows + 50_000;
      is((await ph.query({ select: "count()" })).value, rows, `${ended} after ${delay} ms`);
      is(ph.tables()[0].rows, rows);
    }
  },

  "keep: progress, and a cancel": async ({ open, device }) => {
    if (!device) return;
    const ph = await open();
    const t = await ph.load("long", long());
    const seen = [];
    await t.keep({ onProgress: ({ bytes }) => seen.push(bytes) });
    const [kept] = await ph.kept();
    is([kept.name, seen.length > 0, seen.at(-1)], ["long", true, kept.bytes]);
    is(
      seen,
      [...seen].sort((a, b) => a - b),
      "it grows",
    );
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    await fails(() => ph.keep("long", { signal: stop.signal, onProgress }), "cancelled");
    await fails(() => ph.keep("long", { signal: AbortSignal.abort() }), "cancelled");
    is((await ph.kept()).length, 1, "what was kept stays");
    is((await ph.reopen("long")).rows, 200_000);
    is(await ph.forget("long"), true);
  },

  "checkStats, history and recall: a signal": async ({ api, open }) => {
    const ph = await open({ persist: new api.MemoryStore() });
    await load(ph);
    const recall = ph.recall({ context: "signals" });
    await recall.ask(QUESTION);
    const lines = await recall.export({ signal: new AbortController().signal });
    const chat = ph.chat();
    await all(chat.ask(QUESTION));
    await chat.close();
    const [{ id }] = await ph.history.list();
    const stats = { stats: { sum_amount: 912 }, data: [{ sum_amount: 912 }] };
    const other = ph.recall({ context: "others" });
    const renamed = lines.replaceAll("signals", "others");
    for (const call of [
      (how) => ph.checkStats({ ...stats, intent: "data", attempts: 0 }, how),
      (how) => ph.history.export(id, how),
      (how) => recall.export(how),
      (how) => other.import(renamed, how),
    ]) {
      const error = await fails(() => call({ signal: AbortSignal.abort("enough") }), "cancelled");
      is([error.name, error.cause], ["AbortError", "enough"]);
    }
    is(await other.list(), [], "nothing was taken in");
    const { signal } = new AbortController();
    is((await ph.checkStats({ ...stats, intent: "data", attempts: 0 }, { signal })).status, "ok");
    is(JSON.parse(await ph.history.export(id, { signal })).turns.length, 1);
    is((await other.import(renamed, { signal })).added, 1);
    const late = new AbortController();
    const asked = recall.export({ signal: late.signal });
    late.abort();
    await fails(() => asked, "cancelled");
  },

  "append: options that have no effect are named": async ({ open }) => {
    const ph = await open();
    await ph.load("t", file("a,b\n1,2\n"), { units: { a: "kg" } });
    const unheard = async (options) => {
      const { report } = await ph.append("t", file("a,b\n7,8\n"), options);
      return report.notes.filter(({ code }) => code === "options_unheard");
    };
    for (const options of [{}, { units: { a: "kg" } }, { nulls: ["-"] }])
      is(await unheard(options), [], JSON.stringify(options));
    const [note, ...others] = await unheard({ series: "b", labels: { b: "Price" } });
    is(others, []);
    ok(/`series`, `labels`/.test(note.text), note.text);
    await fails(() => ph.append("t", file("a,b\n7,8\n"), { units: { a: "g" } }), "type_mismatch");
  },

  "append: a table that is dropped meanwhile takes no rows": async ({ open }) => {
    const ph = await open();
    await ph.load("t", file("a\n1\n2\n"));
    const onProgress = ({ phase }) => phase === "finishing" && void ph.drop("t");
    await fails(() => ph.append("t", file("a\n7\n"), { onProgress }), "unknown_table");
    is((await ph.stats()).tables, []);
  },

  "query: progress, and a cancel under way": async ({ open }) => {
    const ph = await open();
    await ph.load("t", long());
    let seen = 0;
    const result = await ph.query(HEAVY, { onProgress: ({ done }) => (seen += Number(done >= 0)) });
    ok(seen > 0, "progress");
    await result.release();
    const stop = new AbortController();
    const running = ph.query(HEAVY, { signal: stop.signal, onProgress: () => stop.abort() });
    const error = await fails(() => running, "cancelled");
    is(error.name, "AbortError");
    const by_sql = new AbortController();
    const sql = "SELECT x, count(*) AS n FROM t GROUP BY x ORDER BY n DESC, x";
    const asked = ph.sql(sql, [], { signal: by_sql.signal });
    by_sql.abort();
    await fails(() => asked, "cancelled");
    is((await ph.query({ select: "count()" })).value, 200_000, "the next one");
  },

  "query: groups, a warning, a session's metadata": async ({ open }) => {
    const ph = await open();
    await ph.load("bars", file(MINUTES), { market: { sessions: { all: ["08:00", "10:00"] } } });
    const { metadata } = await ph.query({ session: "all", from: "daily", select: "count()" });
    is([metadata.session, metadata.timeframe, metadata.rows_scanned], ["all", "daily", 2]);
    await load(ph);
    const few = await ph.query({ table: "purchases", ...TOTALS });
    const every = await ph.query({ table: "purchases", ...TOTALS }, { groups: "all" });
    ok(!few.modelText.includes("Zarya") || few.modelText !== every.modelText, "fewer by default");
    ok(
      ["Kuper", "Sever", "Vkusno", "Zarya"].every((shop) => every.modelText.includes(shop)),
      "all",
    );
    await ph.load("gaps", file("a,b\n1,\n2,5\n"));
    const { warnings } = await ph.query({ table: "gaps", select: "mean(b)" });
    ok(
      warnings.some(({ code, message }) => code && message.includes("1")),
      "a value is missing",
    );
  },

  "a result's rows: a signal, batches, dates by option": async ({ open }) => {
    const ph = await open();
    await ph.load("t", long(5_000));
    const { table } = await ph.query({});
    const aborted = { signal: AbortSignal.abort("enough") };
    for (const read of [
      () => table.toArrowIPC(aborted),
      () => table.page(0, 1, aborted),
      () => table.rows(0, 1, aborted),
      () => all(table.batches(10, aborted)),
    ]) {
      const error = await fails(read, "cancelled");
      is([error.name, error.cause], ["AbortError", "enough"]);
    }
    const stop = new AbortController();
    const bytes = table.toArrowIPC({ signal: stop.signal });
    stop.abort();
    await fails(() => bytes, "cancelled");
    const seen = [];
    const ends = new AbortController();
    await fails(async () => {
      for await (const { rows } of table.batches(1000, { signal: ends.signal })) {
        seen.push(rows.length);
        if (seen.length === 2) ends.abort();
      }
    }, "cancelled");
    is(seen, [1000, 1000], "no batch after the cancel");
    const sizes = (await all(table.batches(2000))).map(({ rows }) => rows.length);
    is(sizes, [2000, 2000, 1000]);
    const ipc = await table.toArrowIPC({ signal: new AbortController().signal });
    is((await ph.load("again", ipc)).rows, 5_000);
  },

  "dates: in every kind of rows, and otherwise for one reading": async ({ api, open }) => {
    const text = "day,at,n\n2024-02-29,2024-02-29T12:30:00,1\n,,2\n";
    const day = "2024-02-29T00:00:00.000Z";
    const persist = new api.MemoryStore();
    for (const dates of ["date", "string"]) {
      const ph = await open({ dates, persist });
      await ph.load("t", file(text));
      const r = await ph.query({ columns: ["day", "at"] });
      const [batch] = await all(r.table.batches(5));
      const pages = [await r.table.page(), batch, await r.source(null, { limit: 5 })];
      for (const { kinds, rows } of pages) {
        is(kinds.slice(0, 2), ["date", "timestamp"]);
        is(
          rows[0].slice(0, 2).map((one) => one instanceof Date),
          [dates === "date", dates === "date"],
        );
        is(rows[1].slice(0, 2), [null, null]);
      }
      if (dates === "date") is(pages[0].rows[0][0], day);
      const other = dates === "date" ? "string" : "date";
      const turned = [
        (await r.table.page(0, 1, { dates: other })).rows[0][0],
        (await r.table.rows(0, 1, { dates: other }))[0].day,
        (await r.source(null, { limit: 1, dates: other })).rows[0][0],
        (await all(r.table.batches(5, { dates: other })))[0].rows[0][0],
      ];
      for (const one of turned) is(one, other === "date" ? new Date(day) : "2024-02-29");
      const chat = ph.chat();
      await all(chat.ask("total n by day"));
      await chat.close();
      const [head] = await ph.history.list();
      const opened = await ph.history.open(head.id);
      const kept = await opened.table(0, opened.turns[0].tables[0]);
      const { kinds, rows } = await kept.page();
      is(kinds[0], "date");
      const there = rows.map(([one]) => one).find((one) => one !== null);
      is(there instanceof Date, dates === "date", "of a kept table");
    }
  },

  "load: an address of a server": async ({ open, places }) => {
    const ph = await open();
    for (const address of [places.csv, places.csv.href]) {
      const t = await ph.load("t", address);
      is([t.rows, t.columns.length], [6, 2]);
    }
    is((await ph.query({ select: "sum(amount)" })).value, 1345.75);
    ok(CSV.length > 0, "the file that is served");
  },
};
