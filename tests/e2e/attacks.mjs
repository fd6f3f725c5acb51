// Scripts that attack the sandbox, over the table `purchases`: the tests hold that each ends as it must,
// the benchmark measures how soon and what the page feels of it.

/** A script with this body. */
export const IN = (body) => `async function execute(contextCode) { ${body} }`;

/** Name, script, and by what it ends: what the sandbox must end by itself within its 5 seconds. */
export const ATTACKS = [
  ["a loop", IN("for (;;);"), "script_time"],
  ["a loop in a regular expression", IN("/^(a+)+$/.test('a'.repeat(60) + 'b')"), "script_time"],
  ["a loop in a getter", IN("return { get a() { for (;;); } }"), "script_time"],
  ["promises without end", IN("for (;;) await null;"), "script_time"],
  ["arrays without end", IN("const a = []; for (;;) a.push([1, 2, 3]);"), "script_memory"],
  ["a bomb of bytes", IN("return new Uint8Array(1e9).length"), "script_memory"],
  ["text without end", IN("let s = 'x'; for (;;) s += s;"), "script_memory"],
  ["calls without end", IN("const f = () => f() + 1; return f();"), "script_stack"],
  [
    "10,000 queries",
    IN("for (let i = 0; i < 10000; i += 1) await db.query({ table: 'purchases', limit: 1 })"),
    "script_queries",
  ],
  ["the page", IN("return globalThis.document.title"), "script_forbidden"],
  ["the network", IN("return fetch('/stolen')"), "script_forbidden"],
  ["a module", IN("return import('/stolen.js')"), "script_forbidden"],
  [
    "a module by a trick",
    IN("return (0, [].map.constructor)('return import(\"/stolen\")')()"),
    "script_threw",
  ],
  ["SQL that writes", IN("return db.sql('DROP TABLE purchases')"), /^sql_not_read_only$/],
  [
    "SQL that writes, behind a SELECT",
    IN("return db.sql('SELECT 1; DELETE FROM purchases')"),
    /^sql_not_read_only$/,
  ],
];
