// Scripts that a model writes, in a real browser: what a model hears of them, what the person sees,
// that they run only where nothing is protected, and that where the policy is tightened as they run
// neither ids, errors nor time tell of what is withheld.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

const IN = (body) => `async function execute() {\n  ${body}\n}`;

/** Each shop's share of all, in per cent. */
const SHARES = IN(`const rows = await db.query({ table: "purchases", columns: ["shop", "amount"] });
  const [{ n }] = await db.sql("SELECT sum(amount) AS n FROM purchases", []);
  const shares = new Map();
  for (const { shop, amount } of rows) shares.set(shop, (shares.get(shop) ?? 0) + amount);
  return [...shares].map(([shop, sum]) => ({ shop, share: Math.round((sum / n) * 1000) / 10 }))`);

const PEOPLE = `name,salary
Zqann,1000
Zqbob,2000
`;

test("a tool runs a script of a model over open tables", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, shares, byShop, wrong, loop, forbidden }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const names = (await ph.tools.definitions()).map((tool) => tool.function.name);
      const run = (script) => ph.tools.execute("run_script", { script });
      const told = await run(shares);
      const result = await ph.result(told.result_id);
      const rows = await result.table.rows(0, 10);
      // Two queries were asked, and the next id is the next one.
      const next = await ph.tools.execute("query", byShop);
      const failures = [];
      for (const script of [wrong, loop, forbidden]) {
        const { ok, summary, said } = await run(script);
        failures.push({ ok, summary, said });
      }
      const last = await ph.tools.execute("query", byShop);
      const kept = (await ph.stats()).results.map(({ id }) => id);
      await ph.close();
      return {
        names,
        told,
        rows,
        query: result.query,
        ids: [next.result_id, last.result_id],
        failures,
        kept,
      };
    },
    {
      csv: PURCHASES,
      shares: SHARES,
      byShop: BY_SHOP,
      wrong: IN("throw new Error('Kuper paid 310.5')"),
      loop: IN("for (;;);"),
      forbidden: IN("return fetch('/stolen')"),
    },
  );
  assert.ok(got.names.includes("run_script"));
  assert.deepEqual([got.told.ok, got.told.result_id, got.told.rows], [true, "r1", 4]);
  assert.match(got.told.summary, /^Result: 4 rows/);
  assert.match(got.told.summary, /share: min=5\.4, max=63\.1/);
  assert.deepEqual(got.rows, [
    { shop: "Kuper", share: 21.5 },
    { shop: "Vkusno", share: 63.1 },
    { shop: "Sever", share: 10 },
    { shop: "Zarya", share: 5.4 },
  ]);
  assert.equal(got.query.script, SHARES);
  assert.deepEqual(got.ids, ["r2", "r6"]);
  assert.deepEqual(got.kept, ["r1", "r2", "r6"]);
  const [threw, looped, absent] = got.failures;
  assert.ok(!threw.ok && !looped.ok && !absent.ok);
  assert.match(threw.summary, /threw an error.*\(line 2, column \d+\)/);
  assert.doesNotMatch(threw.summary, /Kuper|310/);
  assert.match(threw.said, /Kuper paid 310\.5/);
  assert.match(looped.summary, /worked for too long/);
  assert.match(absent.summary, /does not|do not have: `fetch`/);
  assert.equal(scene.log.filter(({ url }) => url.includes("stolen")).length, 0);
});

test("what a script made of protected cells is heard of alike, after the same time", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, scripts }) => {
      const heard = [];
      for (const script of scripts) {
        const classes = (salary) => ({ "people.name": "open", "people.salary": salary });
        const ph = await Pinhole.open({
          policy: { columns: classes("open") },
          scriptWorker: () => {
            const worker = new Worker("/pinhole/script-worker.js", { type: "module" });
            const post = worker.postMessage.bind(worker);
            worker.postMessage = (message, transfer) => {
              if (message.k !== "done") return post(message, transfer);
              // The policy is tightened as the rows are on their way to the script.
              void ph.setPolicy({ columns: classes("hidden") }).then(() => post(message, transfer));
            };
            return worker;
          },
        });
        await ph.load("people", new Blob([csv]));
        const started = performance.now();
        const { ok, summary, said } = await ph.tools.execute("run_script", { script });
        const ms = performance.now() - started;
        const next = await ph.tools.execute("query", { table: "people", select: "count()" });
        const about = await ph.tools.execute("source_rows", { result: "r1" });
        const told = [summary, next.result_id, next.summary, about.summary];
        heard.push({ ok, said, told, ms });
        await ph.close();
      }
      return heard;
    },
    {
      csv: PEOPLE,
      scripts: [
        "return rows",
        "return []",
        "throw new Error(rows[0].name + ' earns ' + rows[0].salary)",
        "const s = Date.now; for (let i = 0; i < rows[0].salary * 1000; i += 1); return [{ a: 1 }]",
        "if (rows[0].salary > 500) for (;;);",
        "for (const row of rows) await db.sql('SELECT 1 AS a', []); return [{ a: 1 }]",
        "return db.query({ table: rows[0].name })",
        "return { error: 'clarify', message: rows[0].name + '?' }",
      ].map((body) => IN(`const rows = await db.query({ table: "people" }); ${body}`)),
    },
  );
  const [first] = got;
  assert.match(first.told[0], /r1; the policy withholds it from you/);
  assert.equal(first.told[1], "r2");
  for (const { told, ms } of got) {
    assert.deepEqual(told, first.told);
    // The sandbox ends a script after 5 seconds of work, the page after 5.5; the beat is 8.
    assert.ok(ms >= 7_900 && ms < 15_900, `told after ${Math.round(ms)} ms`);
  }
  assert.deepEqual(
    got.map(({ ok }) => ok),
    [true, true, false, true, false, false, false, false],
  );
  assert.match(got[2].said, /Zqann earns 1000/);
  // It is given nothing more from then on.
  for (const { said } of got.slice(5, 7)) assert.match(said, /scripts run only where the policy/);
  assert.equal(got[7].said, "Zqann?");
});

test("no script of a model runs where something is protected", async (t) => {
  const script = [call("run_script", { script: SHARES }), say("I cannot.")];
  const scene = await open(t, { blank: true, script });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint, shares }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const listed = async () => {
        const tools = await ph.tools.definitions();
        return tools.some((tool) => tool.function.name === "run_script");
      };
      const told = [];
      for (const policy of [{ columns: { "purchases.shop": "hidden" } }, { level: "aggregate" }]) {
        await ph.setPolicy(policy);
        const { ok, summary } = await ph.tools.execute("run_script", { script: shares });
        told.push({ listed: await listed(), ok, summary });
      }
      const chat = ph.chat({ endpoint, model: "scripted", scripts: true });
      for await (const event of chat.ask("shares?")) if (event.type === "error") throw event;
      await ph.setPolicy({});
      const open = await listed();
      await ph.close();
      return { told, open };
    },
    { csv: PURCHASES, endpoint: ENDPOINT, shares: SHARES },
  );
  for (const { listed, ok, summary } of got.told) {
    assert.deepEqual([listed, ok], [false, false]);
    assert.match(summary, /scripts run only where the policy protects no column/);
  }
  assert.ok(got.open);
  assert.doesNotMatch(String(scene.endpoint.bodies[0]), /run_script|# Scripts/);
  assert.match(String(scene.endpoint.bodies[1]), /scripts run only where the policy protects no/);
  assert.equal(scene.log.filter(({ url }) => url.includes("quickjs")).length, 0);
});

test("a conversation goes on to a script, and answers from it the next time", async (t) => {
  const words = "The largest share is 63.1 (Vkusno).";
  const args = { script: SHARES, title: "Share by shop" };
  const scene = await open(t, { blank: true, script: [call("run_script", args), say(words)] });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const ask = async (question) => {
        const chat = ph.chat({ endpoint, model: "scripted", recall, scripts: true });
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        return events;
      };
      const first = await ask("each shop's share of the total?");
      const second = await ask("Each shop's share of the total");
      const block = second.find(({ type }) => type === "data_block");
      const rows = await (await ph.result(block.result_id)).table.rows(0, 10);
      await ph.close();
      return { first, second, rows };
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  const done = got.first.at(-1);
  assert.deepEqual([done.type, done.answer, done.verdict], ["done", words, "ok"]);
  const block = got.first.find(({ type }) => type === "data_block");
  assert.deepEqual([block.tool, block.rows, block.input.script], ["run_script", 4, SHARES]);
  // Not one row was sent that the summary does not hold.
  for (const body of scene.endpoint.bodies) assert.doesNotMatch(String(body), /310\.5|78\.25/);
  assert.equal(scene.endpoint.bodies.length, 2, "the second time no request was made");
  const [recalled] = got.second;
  assert.deepEqual([recalled.type, recalled.by], ["recall", "exact"]);
  assert.equal(got.rows.length, 4);
});

test("a record's script of a model is given nothing once the policy is tightened", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, scripts }) => {
      const ids = [];
      for (const script of scripts) {
        let ph;
        let tighten = false;
        const opened = {
          scriptWorker: () => {
            const worker = new Worker("/pinhole/script-worker.js", { type: "module" });
            const post = worker.postMessage.bind(worker);
            worker.postMessage = (message, transfer) => {
              if (message.k !== "done" || !tighten) return post(message, transfer);
              tighten = false;
              const columns = { "people.name": "open", "people.salary": "hidden" };
              void ph.setPolicy({ columns }).then(() => post(message, transfer));
            };
            return worker;
          },
        };
        const columns = { "people.name": "open", "people.salary": "open" };
        ph = await Pinhole.open({ policy: { columns }, ...opened });
        await ph.load("people", new Blob([csv]));
        const recall = ph.recall({ context: "people" });
        const line = { context_code: "people", question: "who?", kind: "script", script };
        const own = await recall.save("who?", { kind: "script", script });
        const [record] = (await recall.export()).trim().split("\n");
        await recall.import(
          JSON.stringify({ ...JSON.parse(record), ...line, by_model: true, is_valid: true }),
        );
        const { by_model } = await recall.get(own);
        tighten = true;
        const code = await recall.execute(own).then(
          ({ success, error }) => `${success} ${error}`,
          (error) => error.code,
        );
        const next = await ph.tools.execute("query", { table: "people", select: "count()" });
        ids.push([by_model, code, next.result_id]);
        await ph.close();
      }
      return ids;
    },
    {
      csv: PEOPLE,
      scripts: [
        "return rows",
        "return []",
        "throw new Error(rows[0].name)",
        "return db.query({ table: 'people' })",
        "try { await db.query({ table: 'people' }) } catch { return rows }",
        "if (rows[0].salary > 500) for (;;);",
      ].map((body) => IN(`const rows = await db.query({ table: "people" }); ${body}`)),
    },
  );
  for (const heard of got) assert.deepEqual(heard, [true, "script_withheld", "r2"]);
});

test("scripts are for pages that let models write them", async (t) => {
  const script = [call("run_script", { script: SHARES }), say("I cannot.")];
  const scene = await open(t, { blank: true, script });
  const names = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open({ scripts: false });
      await ph.load("purchases", new Blob([csv]));
      const chat = ph.chat({ endpoint, model: "scripted", scripts: true });
      for await (const event of chat.ask("shares?")) if (event.type === "error") throw event;
      const tools = await ph.tools.definitions();
      await ph.close();
      return tools.map((tool) => tool.function.name);
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  assert.ok(!names.includes("run_script"));
  assert.doesNotMatch(String(scene.endpoint.bodies[0]), /run_script/);
  assert.match(String(scene.endpoint.bodies[1]), /there is no tool `run_script`/);
});

test("of many scripts at once a few work, the others wait, and a cancelled one goes", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, script }) => {
      // Counted where workers are made and ended: what the browser tells of them outside comes late.
      let working = 0;
      let most = 0;
      globalThis.Worker = class extends Worker {
        #script;
        constructor(url, options) {
          super(url, options);
          this.#script = String(url).includes("script-worker");
          if (this.#script) most = Math.max(most, (working += 1));
        }
        terminate() {
          if (this.#script) working -= 1;
          this.#script = false;
          super.terminate();
        }
      };
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const abort = new AbortController();
      const run = (signal) => ph.tools.execute("run_script", { script }, { signal });
      const all = Array.from({ length: 9 }, () => run());
      const last = run(abort.signal).catch(({ code }) => code);
      abort.abort();
      const ended = await Promise.all(all);
      const cancelled = await last;
      await ph.close();
      const ids = ended.map(({ result_id }) => result_id);
      return { ok: ended.map(({ ok }) => ok), ids, cancelled, most, working };
    },
    {
      csv: PURCHASES,
      script: IN(`const rows = await db.query({ table: "purchases", columns: ["amount"] });
        let n = 0;
        for (let i = 0; i < 1e6; i += 1) n += i;
        return [{ n, rows: rows.length }]`),
    },
  );
  assert.deepEqual(got.ok, Array(9).fill(true));
  assert.equal(new Set(got.ids).size, 9);
  assert.equal(got.cancelled, "cancelled");
  assert.ok(got.most >= 2 && got.most <= 4, `${got.most} at once`);
  assert.equal(got.working, 0);
});

test("a question on the page is answered by a script, where the policy allows it", async (t) => {
  const question = "what share of all does each shop have, in per cent?";
  const words = "Vkusno has the highest share, 63.1.";
  const script = [call("run_script", { script: SHARES }), say(words)];
  const scene = await open(t, { model: true, script: [...script, ...script] });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(question);
  assert.deepEqual(await answer.state(), { state: "done", verdict: "ok" });
  assert.equal(await answer.text(), words);
  assert.equal((await answer.rows()).length, 4);
  const again = await scene.ask(question);
  assert.equal(await again.id("recalled").count(), 1);
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");
});
