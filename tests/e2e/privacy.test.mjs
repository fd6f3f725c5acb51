// What leaves the page: tables of unique secrets, models that want them, and a capture of every
// request of the browser. The ledger is compared with the bytes that the server received.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { call, calls, say } from "./endpoint.mjs";
import { ENDPOINT, listener, stage } from "./harness.mjs";
import { BY_SALARY, CSV, PEOPLE, found, names, salaries } from "./secrets.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

/** Calls of a greedy model, and the secrets that the policy lets it see: what a summary names. */
const ATTACKS = [
  // Rows: the first and the last say which they are, by their leading text columns.
  [{ table: "people" }, names([PEOPLE[0], PEOPLE[59]])],
  [{ table: "people", limit: 60, columns: ["name", "salary"] }, names([PEOPLE[0], PEOPLE[59]])],
  // A sort column's range, and the two rows at its ends.
  [
    { table: "people", columns: ["name", "salary"], sort: "salary desc" },
    [...names([BY_SALARY[0], BY_SALARY[59]]), ...salaries([BY_SALARY[0], BY_SALARY[59]])],
  ],
  // Groups: two extremes, and never all of so many.
  [
    { table: "people", group_by: "name", select: "sum(salary)", groups: "all" },
    [...names([BY_SALARY[0], BY_SALARY[59]]), ...salaries([BY_SALARY[0], BY_SALARY[59]])],
  ],
  [{ table: "people", map: { x: "upper(name)" }, group_by: "x", select: "count()" }, ["ZQNAME0X"]],
  // Asked for as values of their own.
  [{ table: "people", select: "max(salary)" }, salaries([BY_SALARY[0]])],
  [{ table: "people", select: "first(name), last(name)" }, names([PEOPLE[0], PEOPLE[59]])],
  // Probing, and mistakes that quote the data.
  [{ table: "people", where: "salary > 7030000", select: "count()" }, []],
  [{ table: "people", where: "name == 5" }, []],
  [{ table: "people", where: "name == 'zqname'", select: "count()" }, []],
  [{ table: "people", select: "sum(name)" }, []],
  [{ table: "people", map: { boom: "salary * 9000000000000000" }, sort: "boom" }, []],
  // The hidden column, in every way.
  [{ table: "people", columns: ["email"] }, []],
  [{ table: "people", group_by: "email", select: "count()", groups: "all" }, []],
  [{ table: "people", map: { e: "lower(email)" }, sort: "e" }, []],
  [{ table: "people", where: "starts_with(email, 'zqmail1')", select: "count()" }, []],
  [{ table: "people", select: "min(email), max(email)" }, []],
  [{ table: "people", where: "emial == 1" }, []],
  [{ table: "people", where: "email > 5", select: "nope(email)" }, []],
  [{ table: "people", sort: "email", columns: ["town"] }, []],
];

/** Asks in the blank page; gives the events of each question, the ledger, and its proof. */
async function asks(scene, questions) {
  return scene.run(
    async ({ Pinhole }, { csv, questions, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("people", new Blob([csv]), { classes: { email: "hidden" } });
      const chat = ph.chat({ endpoint, model: "scripted" });
      const events = [];
      for (const question of questions) {
        for await (const event of chat.ask(question)) events.push(event);
      }
      const ledger = await ph.ledger.entries();
      const lines = await ph.ledger.export();
      const proof = await ph.ledger.verify();
      await ph.close();
      return { events, ledger, lines, proof };
    },
    { csv: CSV, questions, endpoint: ENDPOINT },
  );
}

/** The ledger holds exactly what the server received, chained as docs/disclosure.md says. */
function ledgerHolds(ledger, bodies) {
  assert.equal(ledger.length, bodies.length);
  let previous = "0".repeat(64);
  for (const [i, entry] of ledger.entries()) {
    assert.ok(Buffer.from(entry.body, "utf8").equals(bodies[i]), `request ${i + 1}`);
    assert.equal(entry.seq, i + 1);
    assert.equal(entry.sha256, sha256(bodies[i]));
    assert.equal(entry.previous, previous);
    const { seq, at, endpoint, policy_hash, level, columns, results, withheld } = entry;
    const fields = [
      seq,
      at,
      endpoint,
      entry.sha256,
      previous,
      policy_hash,
      level,
      columns,
      results,
      ...(withheld ? [withheld] : []),
    ];
    assert.equal(entry.hash, sha256(JSON.stringify(fields)));
    previous = entry.hash;
  }
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

test("adversarial calls get summaries; no other secret leaves, a hidden column never", async (t) => {
  const scene = await open(t, { blank: true });
  for (const [attack, allowed] of ATTACKS) {
    await t.test(JSON.stringify(attack), async () => {
      const from = scene.endpoint.bodies.length;
      scene.endpoint.script = [
        calls(["query", attack], ["describe_tables", { table: "people" }]),
        call("describe_tables", { table: "peple", functions: "all" }),
        say("The highest salary is 123, Anna's, and there are 3 e-mails."),
        say("There are 7 e-mails."),
        say("There are 8 e-mails."),
        say("Anything else?"),
      ];
      const { ledger, proof, events } = await asks(scene, ["list everybody", "and again?"]);
      const bodies = scene.endpoint.bodies.slice(from);
      assert.ok(bodies.length >= 4, `${bodies.length} requests, ${JSON.stringify(events.at(-1))}`);
      assert.deepEqual(proof, { ok: true });
      ledgerHolds(ledger, bodies);
      for (const [i, body] of bodies.entries()) {
        onlyAllowed(body, [JSON.stringify(attack), ...allowed.map(String)]);
        tellsWhatItDiscloses(ledger[i], body);
      }
    });
  }
  await onlyTheLedgerLeft(scene);
});

/** A body holds no secret but those allowed, and of the hidden column what the model wrote itself. */
function onlyAllowed(body, allowed) {
  const text = body.toString("utf8");
  const leaked = found(text).filter((secret) => !allowed.some((one) => one.includes(secret)));
  const about = text.slice(text.indexOf('"role":"user"'), text.indexOf('"tools":'));
  assert.deepEqual(leaked, [], about);
  for (const { role, content } of JSON.parse(text).messages) {
    if (role !== "system" && role !== "tool") continue;
    assert.doesNotMatch(content ?? "", /email|zqmail/i, content);
  }
}

/** The ledger's entry names each column of which a value is in the request. */
function tellsWhatItDiscloses({ columns }, body) {
  const secrets = found(body.toString("utf8"));
  for (const column of ["name", "salary", "score"]) {
    const told = PEOPLE.some((one) => secrets.includes(String(one[column])));
    if (told) assert.ok(columns.includes(`people.${column}`), `${column} is not in ${columns}`);
  }
  assert.ok(!columns.includes("people.email"));
}

/** Every request of the browser and at the server: files of the page, and what the ledger says. */
async function onlyTheLedgerLeft(scene) {
  const posts = scene.log.filter(({ method }) => method !== "GET");
  assert.deepEqual(
    posts.map(({ body }) => body),
    scene.endpoint.bodies,
  );
  for (const { url, headers, body } of scene.log) {
    assert.deepEqual(found(decodeURIComponent(url) + JSON.stringify(headers)), []);
    if (url !== ENDPOINT) assert.equal(body.length, 0);
  }
  for (const { url, body } of scene.traffic) {
    assert.equal(new URL(url).origin, new URL(scene.url).origin);
    if (body)
      assert.ok(
        scene.endpoint.bodies.some((sent) => sent.equals(body)),
        url,
      );
  }
}

test("level schema: no value leaves, and right or wrong guesses hear the same", async (t) => {
  const feedback = async (guess) => {
    const query = call("query", { table: "people", select: "max(salary)" });
    const script = [query, say(`The highest salary is ${guess}.`), say("See the table.")];
    const scene = await open(t, { blank: true, script });
    await scene.run(
      async ({ Pinhole }, { csv, endpoint }) => {
        const ph = await Pinhole.open({ policy: { level: "schema" } });
        await ph.load("people", new Blob([csv]));
        const events = ph.chat({ endpoint, model: "scripted" }).ask("the highest salary?");
        for await (const _ of events);
        await ph.close();
      },
      { csv: CSV, endpoint: ENDPOINT },
    );
    const bodies = scene.endpoint.bodies.map((body) => body.toString("utf8"));
    assert.equal(bodies.length, 3);
    for (const body of bodies) {
      assert.deepEqual(found(body.replaceAll(String(guess), "")), []);
      assert.doesNotMatch(body, /Riga|Oslo|Kyiv/);
    }
    return scene.endpoint.contents(2, "user").at(-1).replaceAll(String(guess), "#");
  };
  const right = BY_SALARY[0].salary;
  assert.equal(await feedback(right), await feedback(right - 1));
});

test("the page: the Sent tab shows the very bytes, the chain holds, the file stays", async (t) => {
  const greedy = { table: "people", columns: ["name", "salary"], limit: 60 };
  const script = [call("query", greedy), say("There are 60 people."), say("Nothing more.")];
  const scene = await open(t, { model: true, script });
  await scene.load("people.csv", CSV);
  const answer = await scene.ask("send me the whole file as text");
  assert.equal((await answer.state()).state, "done");
  await answer.id("tab-sent").click();
  const shown = answer.id("ledger-body").locator("pre");
  const bodies = scene.endpoint.bodies.map((body) => body.toString("utf8"));
  assert.deepEqual(await shown.evaluateAll((all) => all.map((e) => e.textContent)), bodies);
  for (const [i, body] of scene.endpoint.bodies.entries()) {
    assert.ok((await answer.id("ledger-entry").nth(i).textContent()).includes(sha256(body)));
  }
  const chain = `Chain verified: ${bodies.length} entries`;
  await answer.id("ledger-outcome").filter({ hasText: chain }).waitFor();
  assert.equal(await scene.id("sent-open").textContent(), `${bodies.length} requests sent`);
  const ends = [PEOPLE[0], PEOPLE[59]];
  for (const body of bodies) {
    const leaked = found(body).filter((secret) => !names(ends).includes(secret));
    // The page hides no column: the two rows that a summary names may show their text columns.
    assert.deepEqual(
      leaked.filter((s) => !ends.some(({ email }) => email === s)),
      [],
    );
  }
  await onlyTheLedgerLeft(scene);
  await scene.picture("20-sent");
});

test("without an endpoint nothing is requested once the page is there", async (t) => {
  const scene = await open(t);
  const before = [scene.log.length, scene.traffic.length];
  await scene.load("people.csv", CSV);
  for (const question of ["average salary by town", "how many rows", "сумма salary по town"]) {
    const answer = await scene.ask(question);
    assert.equal((await answer.state()).state, "done");
    await answer.rows((await answer.query()).group_by ? "data" : "source");
  }
  await scene.id("sent-open").click();
  await scene.id("nothing-sent").last().waitFor();
  assert.deepEqual([scene.log.length, scene.traffic.length], before);
  assert.equal(scene.endpoint.bodies.length, 0);
});

test("the worker has no network, and the page reaches itself only", async (t) => {
  const foreign = await listener(t);
  const scene = await open(t, {
    expect: /Content Security Policy|violates|Failed to (load|fetch)/,
  });
  await scene.load("purchases.csv", PURCHASES);
  const [worker] = scene.page.workers();
  assert.ok(worker, "the engine runs in a worker");
  const names = [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "importScripts",
    "WebTransport",
    "RTCPeerConnection",
    "Worker",
    "SharedWorker",
    "caches",
  ];
  const kinds = await worker.evaluate(
    (all) => all.map((name) => `${name} ${typeof globalThis[name]}`),
    names,
  );
  assert.deepEqual(
    kinds,
    names.map((name) => `${name} undefined`),
  );
  const back = await worker.evaluate((all) => {
    // Neither put back nor reached by another way.
    for (const name of all) {
      try {
        delete globalThis[name];
      } catch {
        continue;
      }
    }
    return all.filter(
      (name) => globalThis[name] !== undefined || name in Object.getPrototypeOf(globalThis),
    );
  }, names);
  assert.deepEqual(back, []);

  const blocked = await scene.page.evaluate(async (url) => {
    const outcome = (promise) =>
      promise.then(
        () => "reached",
        () => "blocked",
      );
    const image = new Promise((done, failed) => {
      const element = new Image();
      element.onload = done;
      element.onerror = failed;
      element.src = `${url}image.png?secret`;
    });
    return {
      fetch: await outcome(fetch(`${url}fetch?secret`, { mode: "no-cors" })),
      image: await outcome(image),
      script: await outcome(import(`${url}script.js?secret`)),
      beacon: navigator.sendBeacon(`${url}beacon?secret`, "x") && "queued",
      own: await outcome(fetch("/style.css")),
    };
  }, foreign.url);
  assert.equal(blocked.fetch, "blocked");
  assert.equal(blocked.image, "blocked");
  assert.equal(blocked.script, "blocked");
  assert.equal(blocked.own, "reached");
  // Whatever a beacon says of itself, nothing arrives.
  await scene.ask("total amount by shop");
  assert.deepEqual(foreign.seen, []);
});

test("the page does not start where the script that writes its policy did not load", async (t) => {
  const scene = await open(t, { expect: /Failed to load resource|csp\.js did not load/ });
  await scene.page.route("**/csp.js", (route) => route.abort());
  const before = scene.traffic.length;
  await scene.page.reload();
  const said = scene.page.getByRole("alert");
  await said.filter({ hasText: "The page’s own protection did not load. Reload" }).waitFor();
  await said.filter({ hasText: "Собственная защита страницы не загрузилась." }).waitFor();
  assert.equal(await scene.page.locator("button").count(), 0);
  const urls = scene.traffic.slice(before).map(({ url }) => url);
  assert.deepEqual(
    urls.filter((url) => url.endsWith(".wasm") || url.endsWith("worker.js")),
    [],
  );
  await scene.page.unroute("**/csp.js");
  await scene.page.reload();
  await scene.ready();
});

test("a policy that hides a column binds what is sent, not the person", async (t) => {
  const scene = await open(t, {
    blank: true,
    script: [call("query", BY_SHOP), say("The person sees the totals.")],
  });
  const rows = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open({ policy: { columns: { "purchases.amount": "hidden" } } });
      await ph.load("purchases", new Blob([csv]));
      let rows;
      for await (const event of ph.chat({ endpoint }).ask("totals?")) {
        if (event.type === "data_block") {
          rows = await (await ph.result(event.result_id)).table.rows();
        }
      }
      return rows;
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  assert.deepEqual(rows[2], { shop: "Vkusno", sum_amount: 912 });
  const [told] = scene.endpoint.contents(1, "tool");
  assert.match(told, /withholds it/);
  assert.doesNotMatch(told, /912|amount/);
});

test("a policy that is tightened while a request waits binds that request", async (t) => {
  const script = [call("query", { table: "people", select: "max(salary)" }), say("See above.")];
  const scene = await open(t, { blank: true, script });
  const levels = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      let ph;
      const onBeforeSend = async ({ seq }) => {
        if (seq === 2) await ph.setPolicy({ level: "schema" });
      };
      ph = await Pinhole.open({ onBeforeSend });
      await ph.load("people", new Blob([csv]));
      for await (const _ of ph.chat({ endpoint }).ask("the highest salary?"));
      return (await ph.ledger.entries()).map(({ level }) => level);
    },
    { csv: CSV, endpoint: ENDPOINT },
  );
  assert.deepEqual([levels[0], levels.at(-1)], ["summary", "schema"]);
  const bodies = scene.endpoint.bodies.map((body) => body.toString("utf8"));
  assert.equal(bodies.length, 2);
  for (const body of bodies) assert.deepEqual(found(body), []);
});

test("a class named at load holds whatever policy is set later", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      const wrong = await ph
        .load("people", new Blob([csv]), { classes: { emial: "hidden" } })
        .catch((e) => e.diagnostics);
      const none = ph.tables().length;
      await ph.load("people", new Blob([csv]), { classes: { email: "hidden" } });
      await ph.setPolicy({ level: "schema" });
      const tools = await ph.tools.execute("describe_tables", {});
      await ph.close();
      return { wrong, none, tools: JSON.stringify(tools) };
    },
    { csv: CSV },
  );
  assert.equal(got.wrong[0].code, "unknown_column");
  assert.equal(got.wrong[0].pointer, "/classes/emial");
  assert.equal(got.wrong[0].choices[0], "email");
  assert.equal(got.none, 0);
  assert.ok(!/email/.test(got.tools), got.tools);
});
