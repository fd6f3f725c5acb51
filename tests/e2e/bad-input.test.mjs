// Bad files, bad queries, bad endpoints and people who change their minds: each gets a clear error,
// and the next question works.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { call, fail, raw, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES, TOTALS } from "./tables.mjs";

const open = stage();

const QUESTION = "total amount by shop";

/** The table can be loaded, and a question about it is answered. */
async function nextWorks(scene) {
  await scene.load("purchases.csv", PURCHASES);
  await nextQuestionWorks(scene);
}

async function nextQuestionWorks(scene) {
  const answer = await scene.ask(QUESTION);
  assert.equal((await answer.state()).state, "done", await answer.card.innerText());
  assert.deepEqual(
    await answer.rows(),
    TOTALS.map((row) => row.map(String)),
  );
}

// ---- files

const png = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
  deflateSync(Buffer.alloc(5000, 7)),
]);

test("rows that do not fit can be left out", async (t) => {
  const scene = await open(t);
  await scene.load("x.csv", "a,b\n1,2\n3,4,5\n6,7\n", "error");
  const area = scene.id("load-area");
  assert.doesNotMatch(await area.innerText(), /onBadRow/, "an option of the interface");
  await scene.id("skip-bad-rows", area).click();
  await scene.id("table-card").waitFor();
  assert.match(await scene.id("table-rows").innerText(), /2/);
});

const NOISE = Buffer.from([1, 2, 3, 0, 0, 129, 255, 3, 9, 8, 7, 0, 0, 141]);

test("a broken Parquet file is told by its name, in sight and with the focus", async (t) => {
  const scene = await open(t, { viewport: { width: 1100, height: 600 } });
  await scene.load("bad.parquet", NOISE, "error");
  const area = scene.id("load-area");
  const error = scene.id("error", area);
  assert.match(
    await error.innerText(),
    /^bad\.parquet could not be read\s+.*the name says Parquet/i,
  );
  assert.doesNotMatch(await error.innerText(), /not text/);
  assert.equal(await error.getAttribute("role"), "alert");
  const { y, height } = await error.boundingBox();
  assert.ok(y >= 0 && y + height <= 600 + 1, `${y} and ${height} high`);
  assert.ok(await error.evaluate((card) => document.activeElement === card));
  await scene.picture("bad-parquet");
  await scene.load("cut.parquet", "PAR1\x15\x04\x15\x10\0\0", "error");
  await scene.id("error", area).filter({ hasText: "cut.parquet could not be read" }).waitFor();
  // What is in a file counts, not what it is called.
  await scene.load("text.parquet", PURCHASES);
  assert.equal(await scene.id("table-format").innerText(), "CSV");
  const parquet = fileURLToPath(new URL("../formats/parquet/long.parquet", import.meta.url));
  await scene.load("r3.csv", await readFile(parquet));
  assert.equal(await scene.id("table-format").first().innerText(), "Parquet");
});

const FILES = [
  [
    "a row with too many fields",
    "x.csv",
    "a,b\n1,2\n3,4,5\n6,7\n",
    "bad_row",
    /line 3 has 3 fields/i,
  ],
  ["a row with too few fields", "x.csv", "a,b,c\n1,2,3\n4,5\n", "bad_row", /line 3 has 2 fields/i],
  ["an open quote", "x.csv", 'a,b\n1,"2\n3,4\n', "bad_row", /never closed/i],
  ["an empty file", "x.csv", "", "empty_input", /empty/i],
  ["a PNG image", "x.csv", png, "unsupported_format", /PNG image/],
  [
    "bytes that are no text",
    "x.csv",
    Buffer.from([1, 2, 0, 129, 255, 3, 0, 0, 141]),
    "not_text",
    /binary/i,
  ],
  [
    "a web page",
    "x.csv",
    "<!doctype html><html><body>hello</body></html>",
    "not_a_table",
    /not a table/,
  ],
];

for (const [what, name, content, code, text] of FILES) {
  test(`file: ${what}`, async (t) => {
    const scene = await open(t);
    await scene.load(name, content, "error");
    const area = scene.id("load-area");
    assert.match(await scene.id("error", area).innerText(), text);
    const diagnostic = scene.id("diagnostic", area).first();
    assert.equal(await diagnostic.getAttribute("data-code"), code);
    assert.equal(await scene.id("table-card").count(), 0);
    await nextWorks(scene);
  });
}

test("file: a bad one leaves the table that is there; errors speak Russian", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("purchases.csv", PURCHASES);
  await scene.load("x.csv", "a,b\n1,2\n3,4,5\n", "error");
  assert.match(
    await scene.id("load-area").innerText(),
    /строка 3: полей 3, а столбцов в таблице 2/i,
  );
  await nextQuestionWorks(scene);
});

test("file: an address that leads nowhere", async (t) => {
  const scene = await open(t, { expect: /404/ });
  await scene.id("url-input").fill("/nothing.csv");
  await scene.id("url-load").click();
  const error = scene.id("error", scene.id("load-area"));
  await error.waitFor();
  assert.equal(await error.getAttribute("data-code"), "source_status");
  assert.match(await error.innerText(), /404/);
  await nextWorks(scene);
});

for (const [locale, viewport] of [
  ["ru-RU", { width: 1280, height: 850 }],
  ["en-US", { width: 360, height: 740 }],
]) {
  test(`${viewport.width} pixels: a load is in sight from its start, and stays where it is`, async (t) => {
    const scene = await open(t, { locale, viewport });
    // From above all of it, as when a file is dropped.
    await scene.page.evaluate(() => document.querySelector("#sample").click());
    const card = scene.id("loading");
    await card.waitFor();
    const before = await card.boundingBox();
    const bar = await scene.page.locator(".bar-ground").boundingBox();
    const where = JSON.stringify(before);
    assert.ok(before.y >= bar.y + bar.height, where);
    assert.ok(before.y + before.height <= viewport.height, where);
    await scene
      .id("load-detail")
      .filter({ hasText: /[1-9][\d,\s]* (rows|строк)/ })
      .waitFor();
    assert.deepEqual(await card.boundingBox(), before);
    await scene.id("load-cancel").click();
    await scene.id("load-cancelled").waitFor();
  });
}

test("a load that is cancelled leaves nothing", async (t) => {
  const scene = await open(t);
  await scene.id("sample").click();
  await scene.id("load-cancel").click();
  await scene.id("load-cancelled").waitFor();
  assert.equal(await scene.id("table-card").count(), 0);
  await nextWorks(scene);
  // While rows come in.
  await scene.id("sample").click();
  await scene
    .id("load-detail")
    .filter({ hasText: /[1-9][\d,]* rows/ })
    .waitFor();
  await scene.id("load-cancel").click();
  await scene.id("load-cancelled").waitFor();
  assert.equal(await scene.id("table-name").textContent(), "purchases");
  await nextQuestionWorks(scene);
});

// ---- queries

const QUERIES = [
  [{ where: "amout > 5" }, "unknown_column", /amout/, "amount > 5"],
  [{ where: "amount > > 5" }, "syntax", /./],
  [{ where: "amount = 5" }, "single_equals", /==/, "amount == 5"],
  [{ where: "shop > 5" }, "type_mismatch", /./],
  [{ where: "amount + 1" }, "not_boolean", /./],
  [{ select: "summ(amount)" }, "unknown_function", /summ/],
  [{ table: "purchase" }, "unknown_table", /purchases/],
  [{ wher: "amount > 5" }, "unknown_field", /wher/],
  [{ limit: 0 }, "bad_limit", /./],
  [{ from: "daily" }, undefined, /./],
];

test("queries: each mistake is named, and the fix mends it", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  for (const [change, code, text, fixed] of QUERIES) {
    const query = {
      table: "purchases",
      group_by: "shop",
      select: "sum(amount)",
      ...change,
    };
    await answer.edit(query);
    const diagnostic = answer.id("diagnostic").first();
    await diagnostic.waitFor();
    const found = await answer
      .id("diagnostic")
      .evaluateAll((all) => all.map((d) => d.dataset.code));
    if (code) assert.ok(found.includes(code), `${JSON.stringify(change)}: ${found}`);
    assert.match(await diagnostic.innerText(), text);
    if (fixed) {
      await answer.id("fix").first().click();
      await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
      assert.equal((await answer.query()).where, fixed);
    }
    await answer.edit({
      table: "purchases",
      group_by: "shop",
      select: "sum(amount)",
    });
    await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  }
  // All problems at once, and text that is no query at all.
  await answer.edit({ where: "amout > 5 and nope(amount)", sort: "x" });
  await answer.id("diagnostic").first().waitFor();
  assert.equal(await answer.id("diagnostic").count(), 3);
  await answer.edit("{ not json");
  await answer.id("query-outcome").filter({ hasText: "not valid JSON" }).waitFor();
  assert.deepEqual(
    await answer.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  await nextQuestionWorks(scene);
});

test("a query that is cancelled keeps the old result", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  await answer.id("tab-query").click();
  await answer.id("query-text").fill('{"select": "count()"}');
  await answer.card.evaluate((card) => {
    card.querySelector('[data-testid="query-run"]').click();
    card.querySelector('[data-testid="query-cancel"]').click();
  });
  await answer.id("error").waitFor();
  assert.deepEqual(await answer.error(), {
    code: "cancelled",
    text: "Stopped.",
  });
  // It is what the person wanted, and looks so.
  assert.equal(await answer.card.locator(".error").count(), 0);
  await scene.picture("27-query-cancelled");
  assert.deepEqual(
    await answer.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  await nextQuestionWorks(scene);
});

test("a question that is not understood says so, a vague one is offered as readings", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  for (const question of ["colourless green ideas sleep furiously", "?!", "ыыы"]) {
    const answer = await scene.ask(question);
    assert.equal((await answer.state()).state, "done");
    assert.ok((await answer.text()).length > 10);
    assert.deepEqual(await answer.claims(), []);
  }
  const vague = await scene.ask("how does amount look by shop");
  await vague.id("reading").first().waitFor();
  await scene.picture("26-readings");
  await vague.id("reading").filter({ hasText: "total of amount, by shop" }).click();
  // It is an answer as any other: words for a person, each number checked, and it can be gone on with.
  await vague.id("claims").waitFor();
  await vague.settled();
  // It is told in the words of the offer.
  const told = vague.id("interpretation");
  assert.equal(await told.textContent(), "Understood as: total of amount, by shop");
  assert.match(await vague.text(), /Vkusno/);
  assert.ok((await vague.claims()).every(({ verdict }) => verdict === "verified"));
  assert.deepEqual(
    await vague.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  const only = await scene.ask("only Kuper");
  assert.deepEqual(await only.query(), {
    ...(await vague.query()),
    where: 'shop == "Kuper"',
  });
  await nextQuestionWorks(scene);
});

test("what answers a chosen reading is for the person, whatever the policy tells a model", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("policy").click();
  await scene.id("level-schema").check();
  await scene.id("policy-close").click();
  const vague = await scene.ask("how does amount look by shop");
  await vague.id("reading").filter({ hasText: "total of amount, by shop" }).click();
  await vague.id("claims").waitFor();
  assert.match(await vague.text(), /912/);
  assert.doesNotMatch(await vague.text(), /withh/);
  // So is what answers a changed query, and what is asked next goes on from that.
  await vague.edit({ group_by: "shop", select: "count()" });
  await vague.id("answer-title").filter({ hasText: "edited query" }).waitFor();
  await vague.settled();
  assert.doesNotMatch(await vague.text(), /withh/);
  const only = await scene.ask("only Kuper");
  assert.match(JSON.stringify(await only.query()), /count\(\)/);
});

// ---- endpoints

/** Whose the fault is, and so what to do. */
const HINTS = {
  401: /key is missing or is not accepted/,
  429: /Wait a little/,
  500: /fault is the service’s/,
};
const RETRIES = Array(4);
const ENDPOINTS = [
  [
    "too busy for ever",
    RETRIES.fill(fail(429, { "retry-after": "0" })),
    4,
    "endpoint_status",
    /429/,
  ],
  ["too busy for an hour", [fail(429, { "retry-after": "3600" })], 1, "endpoint_status", /429/],
  ["broken", Array(4).fill(fail(500, { "retry-after": "0" })), 4, "endpoint_status", /500/],
  ["closed", [fail(401)], 1, "endpoint_status", /401/],
  [
    "a web page",
    [raw("<!doctype html><h1>Welcome</h1>")],
    1,
    "endpoint_not_json",
    /no answer of a model/i,
  ],
  ["some JSON", [raw('{"hello": 1}', "application/json")], 1, "endpoint_not_json", /no answer/i],
  ["nothing", [raw("", "text/plain")], 1, "endpoint_not_json", /no answer/i],
  [
    "a broken stream",
    [say("Let me see. And then the", { breakAfter: 3 })],
    1,
    "stream_broken",
    /broke off/i,
  ],
  ["no words", [say(" ")], 1, "not_understood", /no answer/i],
];

for (const [what, script, requests, code, text] of ENDPOINTS) {
  test(`endpoint: ${what}`, async (t) => {
    const scene = await open(t, {
      model: true,
      script,
      expect: /Failed to load resource/,
    });
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.ask(QUESTION);
    assert.equal((await answer.state()).state, "error");
    const error = await answer.error();
    assert.equal(error.code, code);
    assert.match(error.text, text);
    if (code === "endpoint_status") {
      const [, hint] = Object.entries(HINTS).find(([status]) => error.text.includes(status));
      assert.match(await answer.id("error-hint").innerText(), hint);
    }
    assert.equal(scene.endpoint.bodies.length, requests);
    await scene.picture(`28-endpoint-${what.replaceAll(" ", "-")}`);
    scene.endpoint.script = [call("query", BY_SHOP), say("The highest total is 912.")];
    await nextQuestionWorks(scene);
    // The person need not wait for the endpoint: the question was answered meanwhile, and that
    // answer is run again here. Where it was not, the planner answers ("endpoint: dead").
    if (/^(endpoint|stream)_/.test(code)) {
      await answer.id("tab-answer").click();
      await answer.id("ask-planner").click();
      const local = await answer.settled();
      assert.match(await local.id("answered-by").textContent(), /answered as before/);
      assert.deepEqual(
        await local.rows(),
        TOTALS.map((row) => row.map(String)),
      );
      // Other questions went on with the model, and so does the next.
      assert.equal(await scene.id("alone").isVisible(), false);
    }
  });
}

test("endpoint: busy for a while is asked again", async (t) => {
  const script = [
    fail(429, { "retry-after": "1" }),
    fail(503),
    call("query", BY_SHOP),
    say("The highest total is 912."),
  ];
  const scene = await open(t, {
    model: true,
    script,
    expect: /Failed to load resource/,
  });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  assert.equal(await answer.text(), "The highest total is 912.");
  const [first, second, third] = scene.endpoint.bodies;
  assert.ok(first.equals(second) && second.equals(third), "the same bytes again");
  await answer.id("tab-sent").click();
  assert.equal(await answer.id("ledger-entry").count(), 4);
});

test("endpoint: dead", async (t) => {
  const settings = { endpoint: "http://127.0.0.1:9/v1", model: "none" };
  const scene = await open(t, { settings, expect: /Failed to load|ERR_|CORS/ });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  assert.equal((await answer.state()).state, "error");
  const error = await answer.error();
  assert.equal(error.code, "endpoint_unreachable");
  assert.match(error.text, /cannot be reached/);
  await scene.picture("29-endpoint-dead");
  // Whether the request left, the page cannot know: it is not counted as sent.
  await scene
    .id("sent-open")
    .filter({ hasText: /^1 request unanswered$/ })
    .waitFor();
  await scene.id("sent-open").click();
  await scene.id("ledger-silent").waitFor();
  await scene.id("ledger-close").click();
  // The planner answers in the place of the failure, and says that it does.
  await answer.id("ask-planner").click();
  const local = await answer.settled();
  assert.equal(await scene.id("answer").count(), 1);
  assert.equal(await scene.id("ask-planner").count(), 0);
  assert.match(await local.id("answered-by").textContent(), /built-in planner/);
  await scene.picture("29-endpoint-dead-planner");
  assert.deepEqual(
    await local.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  // So it goes on in this conversation, until the person says otherwise.
  const alone = scene.id("alone").filter({ hasText: "answered without the model" });
  await alone.waitFor();
  const next = await scene.ask("mean amount by shop");
  assert.match(await next.id("answered-by").textContent(), /built-in planner/);
  await scene.id("sent-open").filter({ hasText: "1 request unanswered" }).waitFor();
  await scene.id("alone-end").click();
  await alone.waitFor({ state: "hidden" });
  const again = await scene.ask("highest amount by shop");
  assert.equal((await again.error()).code, "endpoint_unreachable");
  // Another conversation begins with the model.
  await again.id("ask-planner").click();
  await alone.waitFor();
  await scene.id("new-chat").click();
  await alone.waitFor({ state: "hidden" });
});

test("an answer is cancelled while the model is silent, and while it speaks", async (t) => {
  for (const turn of [say("x", { hang: 0 }), say("Here it is. One moment. And", { hang: 4 })]) {
    const scene = await open(t, { model: true, script: [turn] });
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.begin(QUESTION);
    if (turn.hang > 0) await answer.id("draft-text").filter({ hasText: "Here it is." }).waitFor();
    else await scene.id("sent-open").filter({ hasText: "1 request sent" }).waitFor();
    await answer.id("answer-cancel").click();
    await answer.settled();
    assert.deepEqual(await answer.error(), {
      code: "cancelled",
      text: "Stopped.",
    });
    scene.endpoint.script = [call("query", BY_SHOP), say("The highest total is 912.")];
    await nextQuestionWorks(scene);
    const roles = scene.endpoint.requests[1].messages.map(({ role }) => role);
    assert.deepEqual(roles, ["system", "user", "assistant", "user"]);
  }
});

test("settings: an endpoint is checked, saved and reached", async (t) => {
  const scene = await open(t, {
    script: [call("query", BY_SHOP), say("The highest total is 912.")],
  });
  await scene.id("settings-open").click();
  // A host alone would be taken for a path of this server.
  for (const text of ["javascript:alert(1)", "api.example.org/v1", "localhost:8080/v1", "/a b"]) {
    await scene.id("endpoint").fill(text);
    await scene.id("settings-save").click();
    assert.match(await scene.id("endpoint-error").textContent(), /not an http/, text);
  }
  await scene.id("endpoint").fill(ENDPOINT);
  assert.equal(await scene.id("model-open").isVisible(), false);
  // Without the name of a model nothing could be asked.
  await scene.id("settings-save").click();
  assert.match(await scene.id("model-error").textContent(), /Name the model/);
  assert.equal(await scene.id("endpoint-error").textContent(), "");
  await scene.id("model").fill("scripted");
  await Promise.all([scene.page.waitForEvent("load"), scene.id("settings-save").click()]);
  await scene.ready();
  const there = new URL(scene.url).host;
  await scene
    .id("model-open")
    .filter({ hasText: `${there} · scripted` })
    .waitFor();
  await nextWorks(scene);
  assert.equal(scene.endpoint.bodies.length, 2);
});

test("settings: an endpoint without a model is not asked", async (t) => {
  const scene = await open(t, { settings: { endpoint: ENDPOINT }, script: [say("Never asked.")] });
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("question").fill(QUESTION);
  await scene.id("ask").click();
  assert.match(await scene.id("model-error").textContent(), /Name the model/);
  await scene.picture("30-no-model");
  await scene.id("settings-close").click();
  assert.equal(await scene.id("question").inputValue(), QUESTION);
  assert.equal(await scene.id("answer").count(), 0);
  assert.equal(scene.endpoint.bodies.length, 0);
});

// ---- the engine

test("an engine that dies is replaced, and the table is read again", async (t) => {
  const scene = await open(t, { expect: /RuntimeError|unreachable/ });
  await scene.load("purchases.csv", PURCHASES);
  await nextQuestionWorks(scene);
  const [worker] = scene.page.workers();
  const next = scene.page.waitForEvent("worker");
  await worker
    .evaluate(() => {
      const rejected = Promise.reject(new WebAssembly.RuntimeError("unreachable"));
      setTimeout(() => rejected);
    })
    .catch(() => undefined);
  await next;
  await nextQuestionWorks(scene);
  assert.equal(scene.page.workers().length, 1);
});

test("an engine that dies: what ran is told, what can be read again is there again", async (t) => {
  const scene = await open(t, { blank: true });
  const outcome = await scene.run(async ({ Pinhole }) => {
    const { sampleStream } = await import("/sample.js");
    let worker;
    const start = () => {
      worker = new Worker("/pinhole/worker.js", { type: "module" });
      return worker;
    };
    // As a trap inside the engine is told.
    const fault = { code: "internal", message: "unreachable", diagnostics: [] };
    const die = () => worker.onmessage({ data: { k: "dead", fault } });
    const ph = await Pinhole.open({ worker: start });
    await ph.load("bars", sampleStream({ weeks: 52 }));
    await ph.load("kept", new Blob(["a\n1\n2\n"]));
    const sum = { table: "kept", select: "sum(a)" };
    const old = await ph.query({ table: "kept" });
    let deaths = 0;
    const running = await ph
      .query(
        {
          table: "bars",
          group_by: "timestamp",
          select: ["median(close)", "median(open)"],
        },
        { onProgress: () => deaths++ === 0 && die() },
      )
      .catch((e) => e.code);
    const next = await ph.query(sum);
    const stale = await old.table.rows().catch((e) => e.code);
    const lost = await ph.query({ table: "bars", select: "count()" }).catch((e) => e.code);
    // A call that is about to be made when the engine dies waits for the new one.
    const about = ph.query(sum);
    die();
    const { restarts } = await ph.stats();
    return {
      running,
      values: [next.value, (await about).value],
      stale,
      lost,
      tables: ph.tables().map(({ name }) => name),
      restarts,
    };
  });
  assert.deepEqual(outcome, {
    running: "engine_restarted",
    values: [3, 3],
    stale: "unknown_result",
    lost: "unknown_table",
    tables: ["kept"],
    restarts: 2,
  });
});

test("towers and circles are refused, and the engine lives on", async (t) => {
  const scene = await open(t, { blank: true });
  const outcome = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    await ph.load("t", new Blob(["a,b\n1,2\n2,3\n"]));
    const code = (query) =>
      ph.query(query).then(
        (result) => result.rows,
        (e) => e.diagnostics?.[0]?.code ?? e.code,
      );
    const sql = (text) =>
      ph.sql(text).then(
        (result) => result.rows,
        (e) => e.diagnostics?.[0]?.code ?? e.code,
      );
    const circle = { table: "t" };
    circle.where = circle;
    const got = {
      chain: await code({ table: "t", where: `${"a == ".repeat(1040)}a` }),
      or: await code({
        table: "t",
        where: Array(900).fill("a == 1").join(" or "),
      }),
      most: await code({
        table: "t",
        where: Array(256).fill("(a == 1 or b == 9)").join(" and "),
      }),
      circle: await code(circle),
      tower: await code(JSON.parse(`${'{"where":'.repeat(5000)}1${"}".repeat(5000)}`)),
      // Statements at the guard's bounds run, those beyond are refused.
      sum: await sql(`SELECT ${"1 + ".repeat(140)}1 AS n`),
      nested: await sql(`SELECT ${"(".repeat(20)}1${")".repeat(20)} AS n`),
      tallest: await sql(`SELECT ${"1 + ".repeat(2000)}1 AS n`),
      deepest: await sql(`SELECT ${"(".repeat(500)}1${")".repeat(500)} AS n`),
      next: (await ph.query({ table: "t", select: "sum(a)" })).value,
      restarts: (await ph.stats()).restarts,
    };
    await ph.close();
    return got;
  });
  assert.deepEqual(outcome, {
    chain: "too_many",
    or: "too_many",
    most: 1,
    circle: "not_an_object",
    tower: "bad_option",
    sum: 1,
    nested: 1,
    tallest: "too_deep",
    deepest: "too_deep",
    next: 3,
    restarts: 0,
  });
});

test("an engine that could not start is started once more, whoever waits for it", async (t) => {
  const scene = await open(t, { expect: /Failed to load resource/ });
  let wanted = 0;
  let failFirst;
  const held = new Promise((done) => (failFirst = done));
  await scene.page.route("**/pinhole_bg.wasm", async (route) => {
    wanted += 1;
    if (wanted > 1) return route.continue();
    await held;
    return route.abort();
  });
  await scene.page.reload();
  // Each of these waits for the engine, and so does the page itself.
  await scene.id("history-show").click();
  await scene.id("history-close").click();
  for (const language of ["language-ru", "language-en"]) await scene.id(language).click();
  failFirst();
  await scene.ready();
  assert.equal(wanted, 2);
  await scene.load("sales.csv", "shop,amount\nKuper,5\n");
  assert.match(await (await scene.ask("total amount")).text(), /5/);
  assert.equal(wanted, 2);
});
