// The rule of k, the masks, the scanner and the ledger in a browser: what a model that computes,
// subtracts and provokes errors gets to see at the levels and classes that protect rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, calls, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";

const open = stage();

// 15 people in Riga, 12 in Oslo, 8 in Kyiv, 4 in Bern, 3 in Graz. Names and salaries are secrets
// that occur nowhere else; sums are of another size.
const TOWNS = [
  ["Riga", 15],
  ["Oslo", 12],
  ["Kyiv", 8],
  ["Bern", 4],
  ["Graz", 3],
].flatMap(([town, n]) => Array.from({ length: n }, () => town));
const PEOPLE = TOWNS.map((town, id) => ({
  id,
  name: `zqname${id}x`,
  town,
  salary: 7_000_003 + ((id * 37 + 11) % 42) * 1013 + ((id * id) % 17),
}));
const CSV = ["id,name,town,salary", ...PEOPLE.map((p) => Object.values(p).join(","))].join("\n");
const SECRETS = PEOPLE.flatMap(({ name, salary }) => [name, String(salary)]);

const sum = (people) => people.reduce((total, { salary }) => total + salary, 0);
const of = (town) => PEOPLE.filter((one) => one.town === town);

/** One conversation of one question in which the model makes each of these calls in turn. */
async function hear(t, policy, queries, { load = {}, csv = CSV, end = say("Done.") } = {}) {
  const rounds = queries.map((query) =>
    Array.isArray(query)
      ? calls(...query.map((one) => ["query", { table: "people", ...one }]))
      : call("query", { table: "people", ...query }),
  );
  const scene = await open(t, {
    blank: true,
    script: [...rounds, end, end, end],
  });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint, policy, load }) => {
      const ph = await Pinhole.open({ policy });
      await ph.load("people", new Blob([csv]), load);
      const chat = ph.chat({ endpoint, model: "scripted", maxRounds: 30 });
      const events = [];
      for await (const event of chat.ask("what do they earn?")) events.push(event);
      const proof = await ph.ledger.verify();
      await ph.close();
      return { last: events.at(-1), proof };
    },
    { csv, endpoint: ENDPOINT, policy, load },
  );
  assert.equal(got.last.type, "done", JSON.stringify(got.last));
  assert.deepEqual(got.proof, { ok: true });
  assert.deepEqual(scene.problems, []);
  return {
    told: scene.endpoint.contents(rounds.length, "tool"),
    bodies: scene.endpoint.bodies,
  };
}

/** No secret in what the program said; the model's own words are its own. */
function noSecret(told) {
  for (const text of told) {
    const leaked = SECRETS.filter((secret) => text.includes(secret));
    assert.deepEqual(leaked, [], text);
  }
}

const WITHHELD = /withholds it from you/;

test("level aggregate: groups of k rows are told, small ones and differences are not", async (t) => {
  const { told } = await hear(t, { level: "aggregate" }, [
    { group_by: "town", select: { total: "sum(salary)" }, groups: "all" },
    { select: "sum(salary)" },
    { where: "town != 'Graz'", select: "sum(salary)" },
    { where: "town == 'Bern'", select: "mean(salary)" },
    { where: "id < 41", select: "sum(salary)" },
    { where: "town == 'Riga'", select: "sum(salary)" },
    { columns: ["name", "salary"] },
    { sort: "salary desc", limit: 1 },
    { group_by: "name", select: "max(salary)" },
  ]);
  assert.match(told[0], new RegExp(`Riga[^;\n]*${sum(of("Riga"))}`));
  assert.match(told[0], new RegExp(`Kyiv[^;\n]*${sum(of("Kyiv"))}`));
  assert.match(told[0], /2 groups are withheld/);
  assert.doesNotMatch(told[0], /Bern|Graz/);
  assert.match(told[1], new RegExp(String(sum(PEOPLE))));
  // Without Graz is the total less three people; Bern alone is four.
  assert.match(told[2], WITHHELD);
  assert.match(told[3], WITHHELD);
  assert.match(told[4], WITHHELD);
  assert.match(told[5], new RegExp(String(sum(of("Riga")))));
  noSecret(told);
});

test("class aggregate: a column leaves inside aggregates alone, however it is asked for", async (t) => {
  const { told } = await hear(
    t,
    { columns: { "people.salary": "aggregate", "people.name": "hidden" } },
    [
      [{ group_by: "town", select: "mean(salary)", groups: "all" }, { select: "max(salary)" }],
      { where: "salary > 7020000", select: "count()" },
      { map: { double: "salary * 2" }, select: "sum(double)" },
      { group_by: "salary" },
      { sort: "salary desc", limit: 1, columns: ["id"] },
      { where: "town == 'Riga'", select: "count()" },
    ],
  );
  const mean = sum(of("Oslo")) / 12;
  assert.match(told[0], new RegExp(`Oslo[^;\n]*${Math.trunc(mean)}`));
  for (const text of told.slice(1, 6)) assert.match(text, WITHHELD);
  assert.match(told[6], /15/);
  noSecret(told);
});

test("class aggregate: what was told before rows were appended counts for the rows that came", async (t) => {
  const mean = call("query", { table: "people", select: "mean(salary)" });
  const scene = await open(t, {
    blank: true,
    script: Array.from({ length: 3 }, () => [mean, say("Done.")]).flat(),
  });
  const rows = (ids) => `id,name,town,salary\n${ids.map((i) => `${i},n${i},Riga,${i}`).join("\n")}`;
  await scene.run(
    async ({ Pinhole }, { csv, more, endpoint }) => {
      const ph = await Pinhole.open({ policy: { columns: { "people.salary": "aggregate" } } });
      await ph.load("people", new Blob([csv]));
      const chat = ph.chat({ endpoint, model: "scripted" });
      const ask = async () => {
        for await (const event of chat.ask("what do they earn?")) void event;
      };
      await ask();
      for (const text of more) {
        await ph.append("people", new Blob([text]));
        await ask();
      }
      await ph.close();
    },
    { csv: CSV, more: [rows([100]), rows([101, 102, 103, 104])], endpoint: ENDPOINT },
  );
  const told = [1, 3, 5].map((request) => scene.endpoint.contents(request, "tool").at(-1));
  assert.doesNotMatch(told[0], WITHHELD);
  assert.match(told[1], WITHHELD);
  assert.doesNotMatch(told[2], WITHHELD);
  assert.deepEqual(scene.problems, []);
});

test("level preview: the first rows of open columns, nothing of the others", async (t) => {
  const { told } = await hear(t, { level: "preview", columns: { "people.name": "hidden" } }, [
    { columns: ["id", "town", "salary"] },
    { columns: ["id", "name"] },
  ]);
  assert.match(told[0], /PREVIEW \(first 5 rows\):/);
  for (const { salary } of PEOPLE.slice(0, 5)) assert.ok(told[0].includes(String(salary)));
  assert.match(told[1], WITHHELD);
  assert.doesNotMatch(told.join(), /zqname/);
});

test("a query that fails on a hidden cell reads like one that ends", async (t) => {
  const bodies = [];
  for (const secret of ["1", "9000000000000000000"]) {
    const csv = `id,code\n1,${secret}\n2,1\n3,1\n`;
    const policy = { columns: { "people.code": "hidden" } };
    const queries = [{ select: { x: "sum(code * 4)" } }, { select: "count()" }];
    const heard = await hear(t, policy, queries, { csv });
    bodies.push(heard.bodies.map((body) => body.toString("utf8")));
  }
  assert.match(bodies[0].at(-1), WITHHELD);
  assert.deepEqual(bodies[0], bodies[1]);
});

test("protected cells in what the person types are masked until the person says otherwise", async (t) => {
  const scene = await open(t, {
    blank: true,
    script: [say("Yes."), say("Yes.")],
  });
  const masked = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open({
        policy: { columns: { "people.name": "hidden" } },
      });
      await ph.load("people", new Blob([csv]));
      const found = [];
      for (const options of [{}, { confirm: ["zqname7x"] }]) {
        const chat = ph.chat({ endpoint, model: "scripted" });
        for await (const event of chat.ask("is ZQNAME7X from Riga?", options)) {
          if (event.type === "masked") found.push(event.texts);
        }
      }
      await ph.close();
      return found;
    },
    { csv: CSV, endpoint: ENDPOINT },
  );
  assert.deepEqual(masked, [["ZQNAME7X"]]);
  assert.deepEqual(scene.endpoint.contents(0, "user"), ["is [hidden] from Riga?"]);
  assert.deepEqual(scene.endpoint.contents(1, "user"), ["is ZQNAME7X from Riga?"]);
});

test("what the scanner flags is hidden until the page names a class for it", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const rows = Array.from({ length: 20 }, (_, i) => `p${i}@example.org,${i % 3}\n`);
    const table = await ph.load("people", new Blob(["contact,n\n", ...rows]));
    const tools = async () => JSON.stringify(await ph.tools.execute("describe_tables", {}));
    const before = { policy: await ph.policy(), told: await tools() };
    await ph.setPolicy({ level: "summary" });
    const still = (await ph.policy()).columns;
    await ph.setPolicy({ columns: { "people.contact": "open" } });
    const after = { classes: ph.tables()[0].classes, told: await tools() };
    const wrong = await ph.setPolicy({ columns: { "people.nope": "hidden" } }).catch((e) => e);
    await ph.close();
    return { table, before, still, after, wrong: wrong.diagnostics[0] };
  });
  assert.deepEqual(got.table.flags, [
    { column: "contact", kind: "email", by: "content", percent: 100 },
  ]);
  assert.deepEqual(got.table.classes, { contact: "hidden", n: "open" });
  assert.deepEqual(got.before.policy.columns, { "people.contact": "hidden" });
  assert.doesNotMatch(got.before.told, /contact|example/);
  assert.deepEqual(got.still, { "people.contact": "hidden" });
  assert.deepEqual(got.after.classes, { contact: "open", n: "open" });
  assert.match(got.after.told, /contact/);
  assert.deepEqual([got.wrong.code, got.wrong.pointer], ["unknown_column", "/columns/people.nope"]);
});

test("the ledger: nothing that was refused, kept over a reload, one chain for two pages", async (t) => {
  const scene = await open(t, { blank: true, script: () => say("Yes.") });
  const ask = () =>
    scene.run(
      async ({ Pinhole }, { endpoint }) => {
        const open = (allowed) =>
          Pinhole.open({
            persist: true,
            onBeforeSend: () => allowed !== false,
          });
        const [one, two, none] = await Promise.all([open(true), open(true), open(false)]);
        for (const ph of [one, two, none, one, two]) {
          for await (const _ of ph.chat({ endpoint, model: "scripted" }).ask("hello?"));
        }
        const { ledger } = two;
        const got = {
          kept: ledger.kept,
          entries: (await ledger.entries()).map(({ seq, previous, hash }) => [seq, previous, hash]),
          proof: await ledger.verify(),
          lines: (await ledger.export()).trimEnd().split("\n").length,
        };
        await Promise.all([one, two, none].map((ph) => ph.close()));
        return got;
      },
      { endpoint: ENDPOINT },
    );
  for (const expected of [4, 8]) {
    const got = await ask();
    assert.equal(got.kept, "indexeddb");
    assert.deepEqual(got.proof, { ok: true });
    assert.deepEqual(
      got.entries.map(([seq]) => seq),
      Array.from({ length: expected }, (_, i) => i + 1),
    );
    for (const [i, [, previous]] of got.entries.entries()) {
      if (i > 0) assert.equal(previous, got.entries[i - 1][2]);
    }
    assert.equal(got.lines, expected);
    assert.equal(scene.endpoint.bodies.length, expected);
    await scene.page.reload();
  }
});

test("the ledger is watched, and a line that was rewritten on the device shows", async (t) => {
  const scene = await open(t, { blank: true, script: () => say("Yes.") });
  const watched = await scene.run(
    async ({ Pinhole }, { endpoint }) => {
      const ph = await Pinhole.open({ persist: true });
      const seen = [];
      const stop = ph.ledger.watch(({ seq, body }) => seen.push([seq, body]));
      const chat = ph.chat({ endpoint, model: "scripted" });
      for (const question of ["one?", "two?", "three?"]) {
        if (question === "three?") stop();
        for await (const _ of chat.ask(question));
      }
      const entries = (await ph.ledger.entries()).map(({ seq, body }) => [seq, body]);
      await ph.close();
      return { seen, entries };
    },
    { endpoint: ENDPOINT },
  );
  assert.equal(watched.entries.length, 3);
  assert.deepEqual(watched.seen, watched.entries.slice(0, 2));
  const { before, after } = await scene.run(async ({ Pinhole }) => {
    const verify = async () => {
      const ph = await Pinhole.open({ persist: true });
      const proof = await ph.ledger.verify();
      await ph.close();
      return proof;
    };
    const before = await verify();
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open("pinhole-ledger");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction("lines", "readwrite");
    const lines = transaction.objectStore("lines");
    lines.get(2).onsuccess = ({ target }) => lines.put(target.result.replace("two?", "2?"), 2);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    return { before, after: await verify() };
  });
  assert.deepEqual(before, { ok: true });
  assert.deepEqual(after, { ok: false, seq: 2 });
});

test("the ledger cannot be written: nothing is sent", async (t) => {
  const scene = await open(t, { blank: true, script: [say("Yes.")] });
  const last = await scene.run(
    async ({ Pinhole }, { endpoint }) => {
      const full = () => Promise.reject(new Error("full"));
      const ledger = {
        name: "full",
        lines: () => Promise.resolve([]),
        keep: full,
      };
      const ph = await Pinhole.open({ ledger });
      let last;
      for await (const event of ph.chat({ endpoint }).ask("hello?")) last = event;
      await ph.close();
      return last;
    },
    { endpoint: ENDPOINT },
  );
  assert.deepEqual([last.type, last.code], ["error", "ledger_unavailable"]);
  assert.equal(scene.endpoint.bodies.length, 0);
});

test("after an engine died the chain goes on, and nothing more leaves under the rule of k", async (t) => {
  const query = { table: "people", group_by: "town", select: "mean(salary)" };
  const script = () =>
    [call("query", query), say("Done.")][scene.endpoint.bodies.length % 2 ? 0 : 1];
  const scene = await open(t, { blank: true, script });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      let worker;
      const start = () => (worker = new Worker("/pinhole/worker.js", { type: "module" }));
      const ph = await Pinhole.open({
        worker: start,
        policy: { level: "aggregate" },
      });
      await ph.load("people", new Blob([csv]));
      const ask = async () => {
        for await (const _ of ph.chat({ endpoint, model: "scripted" }).ask("means?"));
      };
      await ask();
      const fault = {
        code: "internal",
        message: "unreachable",
        diagnostics: [],
      };
      worker.onmessage({ data: { k: "dead", fault } });
      await ask();
      const seqs = (await ph.ledger.entries()).map(({ seq }) => seq);
      const proof = await ph.ledger.verify();
      await ph.close();
      return { seqs, proof };
    },
    { csv: CSV, endpoint: ENDPOINT },
  );
  assert.deepEqual(got.seqs, [1, 2, 3, 4]);
  assert.deepEqual(got.proof, { ok: true });
  assert.match(scene.endpoint.contents(1, "tool")[0], /Kyiv/);
  assert.match(scene.endpoint.contents(3, "tool")[0], WITHHELD);
});

test("a policy that is tightened while a tool runs binds what is told of it", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const rows = Array.from({ length: 400_000 }, (_, i) => `${(i * 7919) % 400_009},q${i % 90}\n`);
    await ph.load("t", new Blob(["x,word\n", ...rows]));
    const query = { map: { r: "rank(x)" }, sort: "x desc", limit: 5 };
    const open = await ph.tools.execute("query", query);
    const running = ph.tools.execute("query", query);
    await ph.setPolicy({ level: "schema" });
    const shut = await running;
    await ph.close();
    return { open: open.summary, shut: shut.summary };
  });
  assert.match(got.open, /400/);
  assert.doesNotMatch(got.shut, /400|q\d/);
});

test("a table that is loaded again with less protected opens nothing found in the one before", async (t) => {
  const query = { table: "people", group_by: "town", select: "max(salary)" };
  const script = () =>
    [call("query", query), say("Done.")][scene.endpoint.bodies.length % 2 ? 0 : 1];
  const scene = await open(t, { blank: true, script });
  await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("people", new Blob([csv]), { classes: { salary: "hidden" } });
      const chat = ph.chat({ endpoint, model: "scripted" });
      const ask = async (question) => {
        for await (const _ of chat.ask(question));
      };
      await ask("maxima?");
      // Other people, whose salaries may be told.
      const others = csv.replaceAll(/,70\d+/g, ",123").replaceAll("zqname", "other");
      await ph.load("people", new Blob([others]), { classes: { salary: "open", name: "open" } });
      await ask("and now?");
      await ph.close();
    },
    { csv: CSV, endpoint: ENDPOINT },
  );
  assert.equal(scene.endpoint.bodies.length, 4);
  for (const body of scene.endpoint.bodies)
    for (const secret of SECRETS) assert.ok(!JSON.stringify(body).includes(secret), secret);
  assert.match(scene.endpoint.contents(1, "tool")[0], WITHHELD);
  const retold = scene.endpoint.contents(2, "tool");
  assert.equal(retold.length, 1);
  assert.match(retold[0], WITHHELD);
  assert.match(scene.endpoint.contents(3, "tool").at(-1), /max_salary=123/);
});
