// Scripts: what is said of them before they run, what their sandbox ends, what they can do, and
// what becomes of what they give.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { checkScript, fake, open, packageUrl, sandbox } from "../testing/setup.js";

const IN = (body) => `async function execute(contextCode) { ${body} }`;

test("a script is told what it lacks before it runs", () => {
  for (const [script, name] of [
    [IN("return eval('1')"), "eval"],
    [IN("return new Function('return 1')()"), "Function"],
    [IN("return require('fs')"), "require"],
    [`import x from "fs"; ${IN("")}`, "import"],
    [IN("return await import('fs')"), "import"],
    [IN("return process.env"), "process"],
    [IN("return fs.readFileSync('x')"), "fs"],
    [IN("return fetch('/x')"), "fetch"],
    [IN("globalThis.x = 1"), "globalThis"],
    [IN("return `${window.name}`"), "window"],
    [IN("return a / fetch / b"), "fetch"],
    [IN("return { fetch }"), "fetch"],
    [IN("return x ? self : 1"), "self"],
    [IN("setTimeout(() => 1)"), "setTimeout"],
    [IN("/* process */ return document"), "document"],
    [IN("return `${`${fetch}`}`"), "fetch"],
  ]) {
    assert.deepEqual(checkScript(script), { code: "script_forbidden", name }, script);
  }
  for (const script of ["", "const x = 1", "// function execute", "`function execute`"]) {
    assert.deepEqual(checkScript(script), { code: "script_no_execute" }, script);
  }
});

test("nothing is held against a script for how its words look", () => {
  for (const body of [
    "return 'import x from y; eval(1); process.exit()'",
    'return db.sql("SELECT process, fetch FROM imports")',
    "return `import ${1} process`",
    "const refs = 1, buffs = 2, evaluated = 3; return refs + buffs + evaluated",
    "return [1].map(function (x) { return x })",
    "// eval, require, fetch\nreturn 1 /* process */",
    "return row.process + row?.window",
    "return { process: 1, fetch: 2 }.process",
    "const process = (rows) => rows; return process([])",
    "return [1].map((process) => process)",
    "return [1].map(document => document + 1)",
    "const { window, a: [self] } = {}; return window ?? self",
    "function fetch(global) { return global } return fetch(1)",
    "return /process|eval(/.test('x') ? 1 : 2".replace("eval(", "eval\\("),
    "try { throw 1 } catch (window) { return window }",
    "return 4 / 2 / 1",
    "const s = '\\'eval'; return \"\\\"eval\"",
    "for (const document of []) { return document }",
    "const важно = 1; return важно",
  ]) {
    const script = IN(body);
    assert.equal(checkScript(script), undefined, body);
  }
  assert.equal(checkScript("const execute = async (contextCode) => 1"), undefined);
});

/** What long scripts are made of: signs whose end never comes, but for the last. */
const PARTS = ["(", "[", "{", "(a,", "(a = (b) => ", "const {a:", "/[a", "= /[", "`${", "()"];
/** Their characters: so many that to look at the rest for each of them takes far longer than is waited. */
const LONG = 600_000;
const ENDLESS = 60_000;

/** A program that says what is said of a script: of a part so many times, then an `execute`. */
const SAYS = `
  const [url, part, times, end] = process.argv.slice(1);
  const { checkScript } = await import(url);
  console.log(JSON.stringify(checkScript(part.repeat(times) + end) ?? null));
`;

/** What is said of such a script, in a process that is ended after a while: a loop hears nothing. */
function saidOf(part, times) {
  const given = [packageUrl("script-check.js"), part, String(times), `\n${IN("return fetch(1)")}`];
  const program = ["--input-type=module", "--eval", SAYS, "--", ...given];
  const ended = spawnSync(process.execPath, program, {
    encoding: "utf8",
    timeout: ENDLESS,
    killSignal: "SIGKILL",
  });
  assert.equal(ended.error, undefined, `${part}: no end within ${ENDLESS} ms`);
  assert.equal(ended.status, 0, ended.stderr);
  return JSON.parse(ended.stdout);
}

test("what is said of a script takes no longer than reading it", () => {
  for (const part of PARTS) {
    const times = LONG / part.length;
    assert.deepEqual(saidOf(part, times), { code: "script_forbidden", name: "fetch" }, part);
  }
});

const module = WebAssembly.compile(await readFile(new URL(packageUrl("quickjs.wasm"))));

/** Runs a script by itself; its queries give two rows. */
async function run(script, more = {}) {
  const asked = [];
  const ask = async (kind, query) => {
    asked.push([kind, JSON.parse(query)]);
    if (query.includes("bad")) throw new Error("unknown column `bad`");
    const rows = [
      [1, "x"],
      [2, "y"],
    ];
    return JSON.stringify({ columns: ["a", "__proto__"], rows });
  };
  const limits = { ...sandbox.LIMITS, ms: 600_000, ...more };
  const host = { context: "CARL", now: 86_400_000, ask, limits };
  try {
    return { asked, text: await sandbox.runInSandbox(await module, script, host) };
  } catch (error) {
    assert.ok(error instanceof sandbox.ScriptFailure, String(error));
    return { asked, code: error.code, detail: error.detail, place: error.place };
  }
}

test("a script asks and computes", async () => {
  const script = IN(`
    const rows = await db.query({ table: "t" });
    const more = await Promise.all([db.sql("SELECT $1", [5]), DbService.queryRaw("SELECT 2")]);
    return { sum: rows.reduce((sum, row) => sum + row.a, 0), more: more.flat().length,
      own: Object.hasOwn(rows[0], "__proto__"), contextCode, big: 2n ** 64n,
      today: new Date().toISOString().slice(0, 10), now: Date.now(), then: new Date(0).getTime() };
  `);
  const { asked, text } = await run(script);
  assert.deepEqual(asked, [
    ["query", { table: "t" }],
    ["sql", ["SELECT $1", [5]]],
    ["sql", ["SELECT 2", []]],
  ]);
  assert.deepEqual(JSON.parse(text), {
    sum: 3,
    more: 4,
    own: true,
    contextCode: "CARL",
    big: "18446744073709551616",
    today: "1970-01-02",
    now: 86_400_000,
    then: 0,
  });
  // The same over the same data: neither the clock nor chance tells two runs apart.
  const chance = IN("return [Math.random(), new (new Date().constructor)().getTime(), Date()]");
  assert.deepEqual((await run(chance)).text, (await run(chance)).text);
});

test("a failure says where in the script it is", async () => {
  const lines = (...body) => ["async function execute() {", ...body, "}"].join("\n");
  for (const [script, line, code] of [
    [lines("const a = 1;", "throw new Error('no: ' + a);"), 3, "script_threw"],
    [lines("await null;", "return missing;"), 3, "script_undefined"],
    [lines("let a;", "await null;", "return a.b;"), 4, "script_missing"],
    [lines("const f = () => {", "throw new Error('x');", "};", "f();"), 3, "script_threw"],
    [lines("", "", "const = 5;"), 4, "script_syntax"],
    [lines("await db.sql('ok');", "return db.sql('bad');"), 3, "script_threw"],
    [lines("await db.sql('ok');", "await db.query({ table: 'bad' });"), 3, "script_threw"],
  ]) {
    const failed = await run(script);
    assert.deepEqual([failed.code, failed.place?.line], [code, line], script);
  }
  // What has no place says so.
  for (const body of [
    "throw 5",
    "throw { message: 'x', stack: 4 }",
    "return new Promise(() => {})",
  ])
    assert.equal((await run(IN(body))).place, undefined, body);
});

test("the limits are those of the documents", () => {
  const megabytes = 1024 * 1024;
  assert.deepEqual(sandbox.LIMITS, {
    ms: 5_000,
    memory: 32 * megabytes,
    stack: megabytes / 4,
    queries: 20,
  });
});

test("a script that goes wrong ends within its limits", async () => {
  for (const [what, script, code] of [
    ["a loop", IN("for (;;);"), "script_time"],
    ["a loop outside", `for (;;); ${IN("")}`, "script_time"],
    ["a loop in a regular expression", IN("/^(a+)+$/.test('a'.repeat(50) + 'b')"), "script_time"],
    ["a loop in a getter", IN("return { get a() { for (;;); } }"), "script_time"],
    ["a loop in a thrown getter", IN("throw { get message() { for (;;); } }"), "script_time"],
    ["a loop that catches", IN("for (;;) try { for (;;); } catch {}"), "script_time"],
    ["a loop that ends with another", IN("try { for (;;); } finally { for (;;); }"), "script_time"],
    ["promises without end", IN("for (;;) await null;"), "script_time"],
    ["a loop in a proxy", IN("return new Proxy({}, { ownKeys() { for (;;); } })"), "script_time"],
    ["text without end", IN("let s = 'x'; for (;;) s += s;"), "script_memory"],
    ["arrays without end", IN("const a = []; for (;;) a.push([1, 2, 3]);"), "script_memory"],
    ["a bomb of bytes", IN("return new Uint8Array(1e9).length"), "script_memory"],
    ["calls without end", IN("const f = () => f() + 1; return f();"), "script_stack"],
    ["calls in a getter", IN("const o = { get a() { return this.a } }; o.a"), "script_stack"],
    [
      "queries without end",
      IN("for (let i = 0; i < 10000; i += 1) await db.sql('x')"),
      "script_queries",
    ],
    [
      "all queries at once",
      IN("await Promise.all(Array.from({ length: 10000 }, () => db.sql('x')))"),
      "script_queries",
    ],
    ["a wait without end", IN("return new Promise(() => {})"), "script_endless_wait"],
    ["no function", "const execute = 1", "script_no_execute"],
    ["no JavaScript", "async function execute( {", "script_syntax"],
    ["a module", IN("return await import('fs')"), "script_threw"],
  ]) {
    // On a busy machine, too, it is not time that ends the others.
    const ms = code === "script_time" ? 400 : 600_000;
    assert.equal((await run(script, { ms })).code, code, what);
    assert.equal((await run(IN("return 1"))).text, "1", `after ${what}`);
  }
});

test("a script reaches nothing outside its sandbox", async () => {
  const names = "process fetch window self document require WebAssembly setTimeout console Worker";
  for (const reach of [
    "globalThis",
    "(0, eval)('this')",
    "(() => {}).constructor('return this')()",
    "(async () => {}).constructor('return this')() instanceof Promise ? globalThis : globalThis",
    "db.query.constructor('return this')()",
    "DbService.queryRaw.constructor('return globalThis')()",
    "(await db.query({})).constructor.constructor('return this')()",
    "contextCode.constructor.constructor('return this')()",
    "(await db.sql('bad').catch((error) => error)).constructor.constructor('return this')()",
  ]) {
    const script = IN(
      `const there = ${reach}; return "${names}".split(" ").filter((name) => name in there)`,
    );
    assert.equal((await run(script)).text, "[]", reach);
  }
  const polluted = `Object.prototype.polluted = 1; Array.prototype.map = 1; JSON.stringify = 1;
    Promise.prototype.then = 1; ${IN("return 1")}`;
  assert.equal((await run(polluted)).text, "1");
  assert.equal({}.polluted, undefined);
  assert.equal((await run(IN("return typeof Object.prototype.polluted"))).text, '"undefined"');
  assert.equal((await run(IN("db.query = 1; return typeof db.query"))).text, '"function"');
});

/** A page, and its answer to a question that a script answers. */
async function asked(t, script, locale = "en") {
  const ph = await open(t, { locale });
  await ph.load("t", new Blob(["a\n1\n"]));
  const recall = ph.recall({ context: "CARL" });
  const id = await recall.save("which?", { kind: "script", script });
  fake.log.length = 0;
  const answer = await recall.execute(id);
  const given = fake.log.find(([name]) => name === "script_result");
  return { answer, record: await recall.get(id), rows: given && JSON.parse(given[1]) };
}

test("what a script gives becomes a result", async (t) => {
  for (const [body, expected] of [
    [
      "const [a] = await db.query({ group_by: 'a' }); return [{ ...a, n: 1 }]",
      [{ a: "x", ["__proto__"]: "1", n: 1 }],
    ],
    ["return { n: 1, list: [1, 2] }", [{ n: 1, list: "[1,2]" }]],
    ["return 5", [{ value: 5 }]],
    ["return ['a', null]", [{ value: "a" }, { value: null }]],
  ]) {
    const { answer, record, rows } = await asked(t, IN(body));
    assert.deepEqual([answer.success, answer.raw, record.is_valid], [true, answer.raw, true], body);
    assert.deepEqual(
      rows.map((row) => Object.entries(row)),
      expected.map((row) => Object.entries(row)),
      body,
    );
  }
  const { answer, rows } = await asked(t, IN("return []"));
  assert.deepEqual([answer.success, answer.raw, rows], [true, undefined, undefined]);
  assert.equal(answer.human, "Found 0 results. See the data.");
});

test("a script may ask the person back", async (t) => {
  const body = "return { error: 'clarify', message: 'which Petrov?' }";
  const { answer, record } = await asked(t, IN(body));
  assert.deepEqual([answer.success, answer.error], [false, "clarify"]);
  assert.equal(answer.human, "which Petrov?");
  assert.deepEqual([record.is_valid, record.last_result], [false, undefined]);
});

test("a script that fails says so for the developer and for the person", async (t) => {
  for (const [body, error, en, ru] of [
    [
      "return rows.length",
      "script_undefined: the variable `rows` in the script is not defined",
      /the variable `rows`/,
      /переменная `rows` в скрипте не определена/,
    ],
    ["return fetch('/')", /^script_forbidden: /, /uses `fetch`/, /использует `fetch`/],
    ["let a; return a.b", /^script_missing: /, /reads `b`/, /берёт `b`/],
    [
      "return db.query({ where: 'nope > 1' })",
      /^unknown_column: /,
      /unknown column `nope`/,
      /unknown column `nope`/,
    ],
    ["throw new Error('so')", /^script_threw: the script failed: so/, /failed: so/, /сбой.*: so/],
    ["return undefined", /^script_no_result/, /returned nothing/, /ничего не вернул/],
  ]) {
    for (const [locale, human] of [
      ["en", en],
      ["ru", ru],
    ]) {
      const { answer, record } = await asked(t, IN(body), locale);
      assert.match(answer.error, new RegExp(error), body);
      assert.match(answer.human, human, body);
      assert.equal(answer.script, IN(body));
      assert.deepEqual([answer.success, record.is_valid], [false, false]);
    }
  }
});

test("a query that gives a script too many rows fails as a whole", async (t) => {
  const { Session } = fake;
  const { rows } = Session.prototype;
  t.after(() => (Session.prototype.rows = rows));
  Session.prototype.rows = (id, offset, limit) => {
    const list = Array.from({ length: limit }, (_, i) => [i]);
    return { columns: ["a"], rows: list, total: 1e6 };
  };
  const { answer } = await asked(t, IN("return db.query({})"));
  assert.match(answer.error, /^script_rows: .* more than 10000 rows/);
});

test("a script gives no more than a table holds", async (t) => {
  const wide = (n) =>
    `return [Object.fromEntries(Array.from({ length: ${n} }, (_, i) => ["c" + i, i]))]`;
  assert.equal((await asked(t, IN(wide(500)))).answer.success, true);
  const sparse = "return Array.from({ length: 4001 }, (_, i) => ({ ['c' + (i % 500)]: i }))";
  for (const body of [wide(501), sparse]) {
    const { answer, rows } = await asked(t, IN(body));
    assert.match(answer.error, /^script_too_large: .* 500 columns or 2,000,000 cells/, body);
    assert.equal(rows, undefined);
  }
});

test("the clock of a script is the day of the engine, or a fixed one: the same on any day", async (t) => {
  const ph = await open(t);
  await ph.load("t", new Blob(["a\n1\n"]));
  const recall = ph.recall({ context: "CARL" });
  const given = async (script) => {
    fake.log.length = 0;
    await recall.execute(await recall.save("when", { kind: "script", script: IN(script) }));
    const called = (name) => fake.log.filter(([op]) => op === name);
    return [called("script_day"), JSON.parse(called("script_result")[0][1])];
  };
  const now = "return new Date().toISOString()";
  const { today } = fake;
  const { told } = today;
  t.after(() => (today.told = told));
  const asked = [["script_day", 0]];
  assert.deepEqual(await given(now), [asked, [{ value: "2024-12-15T00:00:00.000Z" }]]);
  today.told = undefined;
  assert.deepEqual(await given(now), [asked, [{ value: "2000-01-01T00:00:00.000Z" }]]);
  // One that does not name the time has not read the day.
  today.told = told;
  assert.deepEqual(await given("return [].map.constructor('return this')()['Da' + 'te'].now()"), [
    [],
    [{ value: 946684800000 }],
  ]);
});

/** What the engine hears of the script of a model, and what the page has of the call. */
async function called(t, script, options) {
  const ph = await open(t);
  fake.log.length = 0;
  const result = await ph.tools.execute("run_script", { script }, options);
  return { result, ended: fake.log.find(([name]) => name === "ended")[1] };
}

test("the script of a model runs for the engine, under its number", async (t) => {
  const query =
    "const rows = await db.query({ group_by: 'a' }); return rows.map(({ a }) => ({ a }))";
  const { result, ended } = await called(t, IN(query));
  assert.equal(result.ok, true);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(ended.rows)), [
    { a: "x" },
    { a: "y" },
    { a: "z" },
  ]);
  const asked = fake.log.filter(([name]) => name === "script_ask");
  assert.deepEqual(asked, [["script_ask", 7, "query", { group_by: "a" }]]);
  const none = await called(t, IN("return []"));
  assert.deepEqual(none.ended, { rows: new Uint8Array() });
});

test("of a failure it is told apart what is for the person", async (t) => {
  for (const [body, expected] of [
    [
      "throw new Error('zq ' + 1000)",
      { code: "script_threw", line: 1, said: "the script failed: zq 1000" },
    ],
    [
      "return fetch('/')",
      {
        code: "script_forbidden",
        name: "fetch",
        said: "the script uses `fetch`, which scripts do not have",
      },
    ],
    ["return { error: 'clarify', message: 'zq?' }", { code: "clarify", said: "zq?" }],
    ["return", { code: "script_no_result", said: "the script returned nothing" }],
    [
      "return db.query({ where: 'nope > 1' })",
      {
        code: "script_threw",
        line: 1,
        refused: 0,
        said: "unknown column `nope`; there is `salary`",
      },
    ],
  ]) {
    const { result, ended } = await called(t, IN(body));
    const { column, ...fault } = ended.fault;
    assert.deepEqual(fault, expected, body);
    assert.equal(column === undefined, expected.line === undefined, body);
    assert.deepEqual([result.ok, result.said], [false, expected.said]);
  }
  // What the script itself reads of it is what a model may.
  const reads = "try { await db.query({ where: 'nope' }) } catch (e) { return [{ m: e.message }] }";
  const { ended } = await called(t, IN(reads));
  const rows = new TextDecoder().decode(ended.rows);
  assert.match(rows, /unknown column `nope`/);
  assert.doesNotMatch(rows, /salary/);
});

test("a cancelled call ends the script of a model", async (t) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  const script = IN("return db.query({ table: 'slow' })");
  const ended = called(t, script, { signal: abort.signal });
  await assert.rejects(ended, { code: "cancelled" });
});

test("where there is no sandbox the script has failed, and the call goes on", async (t) => {
  const ph = await open(t, { scriptWasm: new Uint8Array([1, 2, 3]), locale: "ru" });
  fake.log.length = 0;
  const result = await ph.tools.execute("run_script", { script: IN("return 1") });
  const [, { fault }] = fake.log.find(([name]) => name === "ended");
  assert.deepEqual([result.ok, fault.code], [false, "script_failed"]);
  assert.match(result.said, /не удалось загрузить модуль WebAssembly/);
});

test("what a script does not wait for ends with it", async (t) => {
  const { prototype } = fake.Session;
  const { script_ask: ask } = prototype;
  t.after(() => (prototype.script_ask = ask));
  prototype.script_ask = async function (...args) {
    try {
      return await ask.apply(this, args);
    } catch (error) {
      fake.log.push(["ask_failed", error.code]);
      throw error;
    }
  };
  for (const [body, ok] of [
    ["db.query({ table: 'slow' }); await db.query({}); return [{ a: 1 }]", true],
    ["db.query({ table: 'slow' }); await db.query({}); throw new Error('x')", false],
  ]) {
    const { result } = await called(t, IN(body));
    assert.equal(result.ok, ok, body);
    // The engine hears how the script ended when nothing of it is at work any more.
    const order = fake.log.filter(([name]) => name === "ask_failed" || name === "ended");
    assert.deepEqual(order[0], ["ask_failed", "cancelled"], body);
    assert.equal(order[1][0], "ended", body);
  }
});

test("an engine hears whether models may run scripts", async (t) => {
  const told = async (options) => {
    fake.log.length = 0;
    await open(t, options);
    return fake.log.find(([name]) => name === "open")[1].scripts;
  };
  // In place there is no worker that a script could end with.
  assert.equal(await told({}), undefined);
  assert.equal(await told({ scripts: true }), undefined);
});
