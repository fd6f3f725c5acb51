// A page's own tools: registered, listed, called; what of them is for a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fake, open } from "../testing/setup.js";

const SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", enum: ["Oslo", "Riga"] },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    tags: { type: "array", items: { $ref: "#/$defs/tag" }, maxItems: 2, uniqueItems: true },
    when: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    "a/b~c": { type: "string", pattern: "^x" },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: { tag: { type: "string", minLength: 2 } },
};

const weather = (execute = () => "sunny") => ({
  name: "weather",
  description: "The weather",
  inputSchema: SCHEMA,
  execute,
});

test("a tool is listed beside the engine's, called, and taken away", async (t) => {
  const ph = await open(t);
  let changes = 0;
  const unwatch = ph.tools.watch(() => (changes += 1));
  const calls = [];
  const remove = await ph.tools.register(
    weather((...all) => calls.push(all) && { sky: "zqsunny" }),
  );
  const names = async () => (await ph.tools.definitions()).map((one) => one.function.name);
  assert.deepEqual(await names(), ["query", "weather"]);
  const result = await ph.tools.execute("weather", { city: "Oslo" });
  assert.deepEqual(result, {
    ok: true,
    summary: "The tool `weather` ran: its output is for the user and is not told to you",
    output: { sky: "zqsunny" },
    warnings: [],
    error: null,
  });
  assert.deepEqual(calls, [[{ city: "Oslo", days: 3 }, { signal: undefined }]]);
  assert.equal((await ph.tools.execute("weather", '{"city":"Riga","days":1}')).ok, true);
  assert.deepEqual(calls[1][0], { city: "Riga", days: 1 });
  remove();
  remove();
  assert.deepEqual(await names(), ["query"]);
  assert.equal(changes, 2);
  assert.equal((await ph.tools.execute("weather", {})).ok, false);
  unwatch();
  await ph.tools.register(weather());
  assert.equal(changes, 2);
});

test("every problem of the arguments is said at once, and nothing runs", async (t) => {
  const ph = await open(t);
  let ran = 0;
  await ph.tools.register(weather(() => (ran += 1)));
  const cases = [
    [{}, ["missing_argument /city: `city` is missing"]],
    ["{", ["bad_argument : the arguments are no JSON"]],
    [[], ["bad_argument : the value has to be of type `object`"]],
    [
      { city: "Zqparis", days: 0.5, tags: ["ab", "c", "c"], zqx: 1 },
      [
        "bad_argument /city: `city` is none of the values allowed (Oslo, Riga)",
        "bad_argument /days: `days` has to be of type `integer`",
        "bad_argument /days: `days` has to be at least 1",
        "bad_argument /tags: `tags` has an item twice",
        "bad_argument /tags: `tags` has to have 2 items or fewer",
        "bad_argument /tags/1: `1` has to have 2 characters or more",
        "bad_argument /tags/2: `2` has to have 2 characters or more",
        "unknown_argument /zqx: `zqx` is unknown (city, days, tags, when, a/b~c)",
      ],
    ],
    [
      { city: "Oslo", when: 5, "a/b~c": "y" },
      [
        "bad_argument /a~1b~0c: `a/b~c` has to match `^x`",
        "bad_argument /when: `when` does not fit the schema",
      ],
    ],
  ];
  for (const [args, expected] of cases) {
    const { ok, summary, error } = await ph.tools.execute("weather", args);
    assert.equal(ok, false);
    const said = error.map(({ code, pointer, message, choices }) => {
      const valid = choices.length > 0 ? ` (${choices.join(", ")})` : "";
      return `${code} ${pointer}: ${message}${valid}`;
    });
    assert.deepEqual(said.sort(), expected.sort());
    assert.equal(summary.split("\n").length, 1 + error.length);
    // A value is the caller's: it is not quoted.
    assert.doesNotMatch(summary, /zqparis/i);
  }
  await ph.setLocale("ru");
  const { summary } = await ph.tools.execute("weather", { days: 20 });
  assert.equal(
    summary,
    "Ошибка:\n- /city: `city` не указано\n- /days: `days` должно быть не больше 14",
  );
  assert.equal(ran, 0);
});

test("a tool that cannot be registered is a clear error, and leaves its name free", async (t) => {
  const ph = await open(t);
  const loop = { type: "object" };
  loop.properties = { loop };
  const schemas = [
    [undefined, ""],
    [null, "/type"],
    [loop, ""],
    ["object", "/type"],
    [{}, "/type"],
    [{ type: ["object", "null"] }, "/type"],
    [{ type: "object", properties: { a: { type: "text" } } }, "/properties/a/type"],
    [{ type: "object", properties: { a: 1 } }, "/properties/a"],
    [{ type: "object", properties: [] }, "/properties"],
    [{ type: "object", required: "a" }, "/required"],
    [{ type: "object", required: [1] }, "/required"],
    [{ type: "object", anyOf: {} }, "/anyOf"],
    [{ type: "object", properties: { "a/b": { enum: "x" } } }, "/properties/a~1b/enum"],
    [{ type: "object", items: [{ type: 3 }] }, "/items/0/type"],
    [{ type: "object", not: { pattern: "(" } }, "/not/pattern"],
    [{ type: "object", patternProperties: { "(": true } }, "/patternProperties"],
    [{ type: "object", properties: { a: { $ref: "#/$defs/b" } } }, "/properties/a/$ref"],
    [
      { type: "object", properties: { a: { $ref: "https://example.com/s" } } },
      "/properties/a/$ref",
    ],
  ];
  for (const [inputSchema, place] of schemas) {
    await assert.rejects(ph.tools.register({ ...weather(), inputSchema }), (error) => {
      assert.equal(error.code, "bad_schema", JSON.stringify(place));
      assert.ok(error.message.includes(`\`#${place}\``), error.message);
      return true;
    });
  }
  for (const [change, code] of [
    [{ name: "query" }, "tool_exists"],
    [{ name: "" }, "bad_tool_name"],
    [{ name: "a b" }, "bad_tool_name"],
    [{ name: "погода" }, "bad_tool_name"],
    [{ name: "x".repeat(65) }, "bad_tool_name"],
    [{ name: undefined }, "bad_tool_name"],
    [{ description: "" }, "bad_option"],
    [{ execute: undefined }, "bad_option"],
    [{ cost: "free" }, "bad_option"],
  ]) {
    await assert.rejects(ph.tools.register({ ...weather(), ...change }), { code });
  }
  const both = await Promise.allSettled([
    ph.tools.register(weather()),
    ph.tools.register(weather()),
  ]);
  assert.deepEqual(
    both.map(({ status, reason }) => reason?.code ?? status),
    ["fulfilled", "tool_exists"],
  );
  await ph.setLocale("ru");
  await assert.rejects(ph.tools.register(weather()), /инструмент `weather` уже есть/);
  await assert.rejects(ph.tools.definitions("gemini"), { code: "bad_option" });
});

test("a schema is the page's: it is not changed, and later changes do not count", async (t) => {
  const ph = await open(t);
  const inputSchema = Object.freeze({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { pair: { items: [{ type: "number" }, { type: "string" }] } },
  });
  const before = JSON.stringify(inputSchema);
  const tool = { ...weather(), inputSchema, execute: () => tool.name };
  await ph.tools.register(tool);
  Object.assign(tool, { name: "other", description: "Other", execute: undefined });
  const { ok, output } = await ph.tools.execute("weather", { pair: [1, "a"] });
  assert.deepEqual([ok, output], [true, "other"]);
  assert.equal((await ph.tools.definitions()).at(-1).function.description, "The weather");
  const { error } = await ph.tools.execute("weather", { pair: ["a", 1] });
  assert.deepEqual(
    error.map(({ pointer }) => pointer),
    ["/pair/0", "/pair/1"],
  );
  inputSchema.properties.pair.items = [];
  assert.equal((await ph.tools.execute("weather", { pair: ["a", 1] })).ok, false);
  const { parameters } = (await ph.tools.definitions()).at(-1).function;
  assert.equal(JSON.stringify(parameters), before);
  parameters.type = "array";
  assert.equal((await ph.tools.definitions()).at(-1).function.parameters.type, "object");
});

test("what a tool throws is for the page, what it gives of the engine passes the gate", async (t) => {
  const ph = await open(t);
  const cause = new Error("row 5 says zqsecret");
  for (const execute of [
    () => {
      throw cause;
    },
    () => Promise.reject(cause),
  ]) {
    const remove = await ph.tools.register(weather(execute));
    const result = await ph.tools.execute("weather", { city: "Oslo" });
    assert.equal(result.ok, false);
    assert.equal(result.cause, cause);
    assert.equal(result.summary, "Error:\n- the tool `weather` failed");
    assert.deepEqual(
      result.error.map(({ code }) => code),
      ["tool_failed"],
    );
    remove();
  }
  const other = await open(t);
  await other.query({});
  let made;
  await ph.tools.register(weather((_, { signal }) => made(signal)));
  const execute = () => ph.tools.execute("weather", { city: "Oslo" });
  made = () => ph.query({});
  const result = await execute();
  const { ok, summary, result_id, rows, output } = result;
  assert.deepEqual([ok, result_id, rows], [true, "r1", 1]);
  assert.equal(summary, "Result: 3 (from 3 of 3 rows)");
  assert.equal(output.value, 3);
  // A result of another engine, or one that is gone, has nothing that could be told.
  made = () => other.result("r1");
  assert.equal((await execute()).error[0].code, "tool_failed");
  made = async () => {
    const gone = await ph.query({});
    await gone.release();
    return gone;
  };
  assert.equal((await execute()).ok, false);
  // A copy of a result is not one.
  made = async () => ({ ...(await ph.query({})) });
  assert.match((await execute()).summary, /is not told to you$/);
});

test("a call is cancelled at once, and its tool hears of it", async (t) => {
  const ph = await open(t);
  let heard;
  await ph.tools.register(weather((_, { signal }) => new Promise(() => (heard = signal))));
  const abort = new AbortController();
  const call = ph.tools.execute("weather", { city: "Oslo" }, { signal: abort.signal });
  abort.abort("enough");
  await assert.rejects(call, { code: "cancelled", name: "AbortError" });
  assert.equal(heard.aborted, true);
  await assert.rejects(ph.tools.execute("weather", { city: "Oslo" }, { signal: abort.signal }), {
    code: "cancelled",
  });
});

test("the formats say the same in other shapes", async (t) => {
  const ph = await open(t);
  await ph.tools.register({ ...weather(), cost: "high" });
  const [, chat] = await ph.tools.definitions("openai-chat");
  assert.deepEqual(await ph.tools.definitions(), await ph.tools.definitions("openai-chat"));
  const { name, description, parameters } = chat.function;
  assert.deepEqual(
    { type: chat.type, name, description, parameters },
    {
      type: "function",
      name: "weather",
      description: "The weather",
      parameters: SCHEMA,
    },
  );
  const last = async (format) => (await ph.tools.definitions(format)).at(-1);
  assert.deepEqual(await last("openai-responses"), {
    type: "function",
    name,
    description,
    parameters,
    strict: false,
  });
  assert.deepEqual(await last("anthropic"), { name, description, input_schema: parameters });
  const [query, own] = await ph.tools.definitions("mcp");
  assert.deepEqual(query.annotations, { readOnlyHint: true });
  assert.deepEqual(query._meta, { cost: "high" });
  const { outputSchema, ...rest } = own;
  await ph.tools.register({
    ...weather(),
    name: "any",
    inputSchema: { type: "object", properties: { a: true, b: false, c: { type: "null" } } },
  });
  const any = (await ph.tools.definitions("mcp")).at(-1).inputSchema;
  assert.deepEqual(any.properties, { a: {}, b: { not: {} }, c: { type: "null" } });
  assert.deepEqual(rest, { name, description, inputSchema: parameters, _meta: { cost: "high" } });
  assert.deepEqual(outputSchema.required, ["summary"]);
});

test("the engine's tools are called as before", async (t) => {
  const ph = await open(t);
  fake.log.length = 0;
  await ph.tools.execute("query", { table: "t" });
  assert.deepEqual(fake.log, [["tool_execute", "query", { table: "t" }]]);
});
