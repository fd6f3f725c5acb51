// Options that a call does not have: refused before anything happens, with what was likely meant.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Pinhole, WASM, aiTools, collect, fake, mcp, open } from "../testing/setup.js";

const CSV = "a\n1\n2\n";

/** Every call that takes options, each with one that it does not have, and with the nearest one. */
function calls(ph) {
  const file = new Blob([CSV]);
  const recall = ph.recall({ context: "shops" });
  const port = { send() {}, onmessage: undefined };
  return {
    "Pinhole.open": [() => Pinhole.open({ wasm: WASM, worker: false, polciy: {} }), "policy"],
    "Pinhole.open({ purchases })": [
      () => Pinhole.open({ wasm: WASM, purchases: { table: {} } }),
      "tables",
    ],
    "Pinhole.open({ purchases: { tables } })": [
      () => Pinhole.open({ wasm: WASM, purchases: { tables: { recipts: {} } } }),
      "receipts",
    ],
    "ph.load": [() => ph.load("t", file, { onProgres: () => 0 }), "onProgress"],
    "ph.append": [() => ph.append("t", file, { on_bad_row: "skip" }), "onBadRow"],
    "ph.loadPurchases": [() => ph.loadPurchases({ items: file }, { rehersed: true }), "rehearsed"],
    "ph.checkPurchases": [() => ph.checkPurchases({ abortSignal: undefined }), "signal"],
    "ph.keep": [() => ph.keep("t", { onprogress: () => 0 }), "onProgress"],
    "ph.reopen": [() => ph.reopen("t", { clases: {} }), "classes"],
    "ph.print": [() => ph.print("t", { signl: undefined }), "signal"],
    "ph.query": [() => ph.query({}, { group: "all" }), "groups"],
    "ph.sql": [() => ph.sql("SELECT 1", [], { singal: undefined }), "signal"],
    "ph.complete": [() => ph.complete("a", 1, { pointr: "/where" }), "pointer"],
    "ph.plan": [() => ph.plan("how many?", { tabel: "t" }), "table"],
    "ph.check": [() => ph.check("1", [], { qestion: "?" }), "question"],
    "ph.render": [() => ph.render("1", [], { locales: "ru" }), "locale"],
    "ph.checkStats": [() => ph.checkStats({ stats: {}, data: [] }, { signals: 1 }), "signal"],
    "ph.chat": [() => ph.chat({ max_rounds: 3 }), "maxRounds"],
    "ph.recall": [() => ph.recall({ context: "a", setings: {} }), "settings"],
    "recall.ask": [() => recall.ask("how many?", { frehs: true }), "fresh"],
    "recall.suggest": [() => recall.suggest("how many?", { limits: 3 }), "limit"],
    "recall.save": [() => recall.save("q", { kind: "sql", script: "" }, { signl: 1 }), "signal"],
    "recall.execute": [() => recall.execute(1, { onProgres: () => 0 }), "onProgress"],
    "recall.export": [() => recall.export({ signl: 1 }), "signal"],
    "recall.import": [() => recall.import("", { signl: 1 }), "signal"],
    "recall.migrate": [() => recall.migrate({ signl: 1 }), "signal"],
    "ph.tools.execute": [() => ph.tools.execute("query", {}, { abortSignal: 1 }), "signal"],
    "ph.tools.register": [
      () =>
        ph.tools.register({
          name: "now",
          description: "The time",
          inputSchema: { type: "object" },
          excute: () => 0,
        }),
      "execute",
    ],
    "ph.history.export": [() => ph.history.export("c", { signl: 1 }), "signal"],
    aiTools: [() => aiTools(ph, { onresult: () => 0 }), "onResult"],
    serveMcp: [() => mcp.serveMcp(ph, port, { nam: "x" }), "name"],
    registerModelContext: [() => mcp.registerModelContext(ph, { contxt: {} }), "context"],
  };
}

test("what a call does not take is refused by name, with what it does take", async (t) => {
  const ph = await open(t);
  fake.log.length = 0;
  for (const [name, [call, nearest]] of Object.entries(calls(ph))) {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => assert.fail(`${name} took it`),
        (error) => error,
      );
    assert.equal(error.code, "bad_option", name);
    const [{ code, pointer, choices, message }, ...rest] = error.diagnostics;
    assert.deepEqual([code, choices[0], rest], ["bad_option", nearest, []], name);
    const wrong = pointer.slice(1);
    assert.ok(error.message.startsWith(message), error.message);
    assert.ok(message.includes(`\`${name}\` has no option \`${wrong}\``), message);
    assert.ok(message.includes(`did you mean \`${nearest}\`?`), message);
    assert.ok(error.message.endsWith(` valid: ${choices.join(", ")}`), error.message);
  }
  // The engine was asked nothing.
  assert.deepEqual(fake.log, []);
});

test("what should be an object and is none is refused by its name", async (t) => {
  const ph = await open(t);
  const r = await ph.query({ group_by: "a" });
  for (const [name, call] of Object.entries({
    request: () => ph.checkStats(undefined),
    sources: () => ph.loadPurchases(null),
    tool: () => ph.tools.register(),
    "key.day": () => r.source({ day: new Date(NaN) }),
  })) {
    await assert.rejects(call(), { code: "bad_option", message: new RegExp(`\`${name}\``) });
  }
});

test("what an option cannot be is refused with what it can", async (t) => {
  const opening = Pinhole.open({ wasm: WASM, worker: false, dates: "x", decimals: "string" });
  await assert.rejects(opening, ({ code, message, diagnostics }) => {
    assert.equal(code, "bad_option");
    assert.deepEqual(
      diagnostics.map(({ pointer, choices }) => [pointer, choices]),
      [["/dates", ["string", "date"]]],
    );
    assert.match(message, /`dates` of `Pinhole\.open` cannot be this; valid: string, date$/);
    return true;
  });
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  const result = await ph.query({ table: "t", group_by: "a" });
  await assert.rejects(result.table.rows(0, 1, { dates: "Date" }), { code: "bad_option" });
  // A tool may be of a class, which has fields of its own.
  class Clock {
    name = "now";
    description = "The time";
    inputSchema = { type: "object" };
    now = 5;
    execute() {
      return this.now;
    }
  }
  (await ph.tools.register(new Clock()))();
});

test("rows, batches and sources of a result, too", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  const result = await ph.query({ table: "t", group_by: "a" });
  for (const call of [
    () => result.source(null, { ofset: 50 }),
    () => result.table.rows(0, 10, { date: "date" }),
    () => result.table.page(0, 10, { date: "date" }),
    () => result.table.batches(10, { date: "date" }).next(),
    () => result.table.toArrowIPC({ signl: 1 }),
  ]) {
    await assert.rejects(call(), { code: "bad_option", message: /did you mean/ });
  }
  assert.equal((await result.source(null, { offset: 0, limit: 1 })).rows.length > 0, true);
});

test("a question is told as an event, and the next one works", async (t) => {
  const ph = await open(t);
  const chat = ph.chat();
  const events = await collect(chat.ask("how many?", { confrim: ["a"] }));
  assert.deepEqual(
    events.map(({ type, code, diagnostics }) => [type, code, diagnostics[0].choices[0]]),
    [["error", "bad_option", "confirm"]],
  );
  assert.ok(!fake.log.some(([op, question]) => op === "chat_ask" && question === "how many?"));
  assert.equal((await collect(chat.ask("and now?"))).at(-1).type, "done");
});

test("all that is wrong is said at once, in the page's language", async (t) => {
  const ph = await open(t, { locale: "ru" });
  const loading = ph.load("t", new Blob([CSV]), { tiem: "a", "a/b": 1, append: true });
  await assert.rejects(loading, ({ code, message, diagnostics }) => {
    assert.equal(code, "bad_option");
    assert.deepEqual(
      diagnostics.map(({ pointer }) => pointer),
      ["/tiem", "/a~1b", "/append"],
    );
    const [first, second, ...rest] = message.split("\n");
    assert.match(
      first,
      /^у `ph\.load` нет параметра `tiem`, возможно, это `time`; допустимо: time, /,
    );
    assert.match(second, /^у `ph\.load` нет параметра `a\/b`; допустимо: /);
    assert.equal(rest.length, 1);
    return true;
  });
  await assert.rejects(Pinhole.open({ locale: "ru", x: 1 }), { message: /^у `Pinhole\.open` нет/ });
  // What is like nothing is not guessed at.
  await assert.rejects(ph.loadPurchases({}, { tables: { items: { colour: "red" } } }), {
    message: /^у `ph\.load` нет параметра `colour`/,
  });
});

test("what are no options is refused", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob([CSV]));
  for (const given of [null, "all", 5, [], () => 0]) {
    await assert.rejects(ph.query({ table: "t" }, given), {
      code: "bad_option",
      message: "`ph.query` takes its options as an object",
    });
  }
  assert.equal((await ph.query({ table: "t" }, undefined)).rows > 0, true);
});
