// Questions asked before, in a real browser: answered at once over reloads and restarts, offered
// where they may be meant, never mistaken for one another.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launchIn } from "../browser.mjs";
import { serve } from "../server.mjs";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, CALLS, PURCHASES } from "./tables.mjs";

const open = stage();

const TRUE = "Vkusno has the highest total, 912.";

test("the same question makes no request the second time, over a reload", async (t) => {
  const scene = await open(t, { blank: true, script: [call("query", BY_SHOP), say(TRUE)] });
  const ask = (question, csv = PURCHASES) =>
    scene.run(
      async ({ Pinhole }, { csv, endpoint, question }) => {
        const ph = await Pinhole.open({ persist: true });
        await ph.load("purchases", new Blob([csv]));
        const recall = ph.recall({ context: "shops" });
        const chat = ph.chat({ endpoint, model: "scripted", recall });
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        const block = events.find(({ type }) => type === "data_block");
        const result = block && (await ph.result(block.result_id));
        const rows = await result?.table.rows(0, 10);
        const records = await recall.list();
        await ph.close();
        return { events, rows, records };
      },
      { csv, endpoint: ENDPOINT, question },
    );
  const first = await ask("the totals?");
  assert.equal(scene.endpoint.bodies.length, 2);
  const [kept] = first.records;
  assert.deepEqual([kept.question, kept.kind, kept.is_valid], ["the totals?", "query", true]);
  assert.equal(kept.last_result.human, TRUE);
  assert.equal(JSON.stringify(first.records).includes("Kuper"), false, "no row is kept");
  await scene.page.reload();
  const second = await ask("The totals");
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");
  const recalled = second.events[0];
  assert.deepEqual(
    [recalled.type, recalled.question, recalled.asked_at, recalled.by],
    ["recall", "the totals?", kept.created_at, "exact"],
  );
  assert.deepEqual(second.rows, first.rows);
  const done = second.events.at(-1);
  // How it was read, then the model's words with the numbers of now.
  assert.match(done.answer, /^Understood as: /);
  assert.ok(done.answer.endsWith(TRUE), done.answer);
  assert.equal(JSON.stringify(kept.last_result.words).includes("912"), false);
  assert.ok(done.claims.length > 0 && done.claims.every(({ verdict }) => verdict === "verified"));
  assert.equal(second.records[0].usage_count, 1);
  const more = await ask("the totals?", `${PURCHASES}Vkusno,88.5\n`);
  assert.match(more.events.at(-1).answer, /Vkusno has the highest total, 1,000\.5\.$/);
  // Words that do not hold any more are not told; they may hold again.
  const other = await ask("the totals?", `${PURCHASES}Kuper,5000\n`);
  assert.match(other.events.at(-1).answer, /^Understood as: .*Kuper/s);
  assert.doesNotMatch(other.events.at(-1).answer, /the highest total,/);
  assert.ok((await ask("the totals?")).events.at(-1).answer.endsWith(TRUE));
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");
});

test("a model hears what was answered from before, and goes on from there", async (t) => {
  const script = [call("query", BY_SHOP), say(TRUE), say("Highest of which?")];
  const scene = await open(t, { blank: true, script });
  await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const ask = async (chat, question) => {
        for await (const event of chat.ask(question)) if (event.type === "error") throw event;
      };
      const how = { endpoint, model: "scripted", recall };
      await ask(ph.chat(how), "the totals?");
      const chat = ph.chat(how);
      await ask(chat, "the totals?");
      await ask(chat, "and the highest?");
      await ph.close();
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  assert.equal(scene.endpoint.bodies.length, 3);
  const [answered] = scene.endpoint.contents(2, "assistant");
  assert.match(answered, /^\[answered on the device: \{.*"group_by"/);
  assert.ok(scene.endpoint.contents(2, "user").some((text) => text.includes("the totals?")));
});

test("another number, direction or name is another question", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const asked = async (question) => {
        const answer = await recall.ask(question);
        const { success, cached, human, suggestions = [] } = answer;
        const offered = suggestions.map(({ question, differs }) => ({ question, differs }));
        return { success, cached, human, offered, value: answer.result?.value };
      };
      return {
        first: await asked("how many purchases with amount above 100?"),
        number: await asked("how many purchases with amount above 400?"),
        direction: await asked("how many purchases with amount below 100?"),
        shop: await asked("total amount at Kuper"),
        name: await asked("total amount at Vkusno"),
        same: await asked("How many purchases with amount above 100"),
        worded: await recall.suggest("number of purchases with an amount over 100"),
        other: await ph.recall({ context: "other" }).suggest("how many purchases?"),
      };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual([got.first.success, got.first.cached], [true, false]);
  assert.deepEqual([got.number.cached, got.number.value === got.first.value], [false, false]);
  assert.deepEqual(
    [got.direction.cached, got.direction.value === got.first.value],
    [false, false],
    "the direction",
  );
  assert.deepEqual([got.shop.success, got.name.success, got.name.cached], [true, true, false]);
  assert.notEqual(got.name.value, got.shop.value);
  const [near] = got.number.offered;
  assert.match(near.question, /above 100/);
  assert.ok(near.differs.length >= 2, `differs in both numbers: ${near.differs.join(", ")}`);
  assert.deepEqual([got.same.cached, got.same.value], [true, got.first.value]);
  assert.match(got.worded.suggestions[0].question, /above 100/);
  assert.deepEqual(got.worded.suggestions[0].differs, []);
  assert.deepEqual(got.other.suggestions, []);
});

test("a question whose tables have changed is checked again", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const recall = ph.recall({ context: "shops" });
      const question = "total amount by shop";
      const { script_id } = await recall.ask(question);
      // Other rows of the same columns: it runs, over what is there now.
      await ph.load("purchases", new Blob(["shop,amount\nKuper,1\n"]));
      const changed = await recall.ask(question);
      const rows = await changed.result.table.rows(0, 10);
      // A column more does not matter, one less does.
      await ph.load("purchases", new Blob(["shop,amount,city\nKuper,1,A\n"]));
      const more = await recall.ask(question);
      await ph.load("purchases", new Blob(["shop,price\nKuper,1\n"]));
      const less = await recall.ask(question);
      return {
        changed: changed.cached,
        rows,
        more: more.cached,
        less: less.cached,
        record: await recall.get(script_id),
      };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual([got.changed, got.more, got.less], [true, true, false]);
  assert.deepEqual(got.rows.map(Object.values), [["Kuper", 1]]);
  assert.equal(got.record.is_valid, false);
});

test("a statement and a script answer questions over nodes and links", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("links", new Blob([csv]));
      const recall = ph.recall({ context: "CARL" });
      const sql = await recall.save("Какие функции вызывает api_auct?", {
        kind: "sql",
        script: "SELECT target FROM links WHERE source = 'api_auct' AND type = 'calls'",
      });
      const script = await recall.save("what does api_auct reach?", {
        kind: "script",
        script: `async function execute(contextCode) {
          const links = await DbService.queryRaw("SELECT source, target FROM links");
          const reached = new Map([["api_auct", 0]]);
          for (const [source, depth] of reached)
            for (const link of links)
              if (link.source === source && !reached.has(link.target))
                reached.set(link.target, depth + 1);
          reached.delete("api_auct");
          return [...reached].map(([name, depth]) => ({ name, depth }));
        }`,
      });
      const rows = async (answer) => answer.result.table.rows(0, 10);
      const first = await recall.execute(sql);
      const second = await recall.execute(script);
      const again = await recall.ask("Какие функции вызывает api_auct");
      // What an answer found becomes a filter over the table.
      const names = (await rows(second)).map(({ name }) => name);
      const within = await ph.sql(
        "SELECT source, target FROM links WHERE source IN ($names) ORDER BY source",
        { names },
      );
      const near = await recall.suggest("functions that api_auct reaches", { threshold: 0.1 });
      return {
        filtered: await within.table.rows(0, 10),
        near: near.suggestions.map(({ question }) => question),
        human: first.human,
        called: await rows(first),
        reached: await rows(second),
        arrow: (await second.result.table.toArrowIPC()).length,
        told: second.result.modelText,
        cached: again.cached,
        who: (await recall.ask("Какие функции вызывают api_auct?")).cached,
        lines: (await recall.export()).trim().split("\n").length,
        tables: ph.tables().map(({ name }) => name),
      };
    },
    { csv: CALLS },
  );
  assert.deepEqual(
    got.called.map(({ target }) => target),
    ["helper_fn", "validate_data", "save_result"],
  );
  assert.deepEqual(got.reached, [
    { name: "helper_fn", depth: 1 },
    { name: "validate_data", depth: 1 },
    { name: "save_result", depth: 1 },
    { name: "log", depth: 2 },
    { name: "ledger", depth: 2 },
  ]);
  assert.ok(got.arrow > 0);
  // Code does not know what a script made its columns of: nothing of them is for a model.
  assert.match(got.told, /^Result: shown to the user as r\d+; the policy withholds it from you$/);
  assert.deepEqual(got.filtered, [
    { source: "helper_fn", target: "log" },
    { source: "save_result", target: "ledger" },
    { source: "validate_data", target: "helper_fn" },
  ]);
  assert.ok(got.near.includes("what does api_auct reach?"), String(got.near));
  // Who calls whom is another question.
  assert.deepEqual([got.cached, got.who, got.lines], [true, false, 2]);
  assert.deepEqual(got.tables, ["links"]);
  assert.match(got.human, /^Понято так: /);
});

test("questions survive the end of the browser", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-profile-"));
  const { server, url } = await serve(process.env.PINHOLE_SITE, 0, (request, response) => {
    if (request.url !== "/blank.html") return false;
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>b</title>");
    return true;
  });
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const visit = async () => {
    const browser = await launchIn(folder);
    try {
      const page = await browser.newPage();
      await page.goto(new URL("blank.html", url).href);
      return await page.evaluate(async (csv) => {
        const { Pinhole } = await import("/pinhole/index.js");
        const ph = await Pinhole.open({ persist: true });
        await ph.load("purchases", new Blob([csv]));
        const recall = ph.recall({ context: "shops" });
        const { success, cached, asked_at } = await recall.ask("total amount by shop");
        const { problem } = recall;
        await ph.close();
        return { success, cached, asked_at, problem: problem?.code };
      }, PURCHASES);
    } finally {
      await browser.close();
    }
  };
  const first = await visit();
  assert.deepEqual([first.success, first.cached, first.problem], [true, false, undefined]);
  const second = await visit();
  assert.deepEqual([second.success, second.cached, second.problem], [true, true, undefined]);
  assert.ok(Date.parse(second.asked_at) < Date.now());
});

test("nothing is kept on the device without consent", async (t) => {
  const scene = await open(t, { blank: true });
  await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      await ph.recall({ context: "shops" }).ask("total amount by shop");
      await ph.close();
    },
    { csv: PURCHASES },
  );
  assert.deepEqual(await scene.page.evaluate(() => indexedDB.databases()), []);
});

const SHAPES = JSON.parse(
  await readFile(join(import.meta.dirname, "../recall/shapes.json"), "utf8"),
);

/** The fields of an answer as a service of this kind calls them, with their types; rows are a result. */
const shape = (answer) =>
  Object.entries(answer)
    .map(([name, value]) => {
      const own = name === "scriptId" ? "script_id" : name;
      return `${own}: ${own === "raw" ? "the result" : typeof value}`;
    })
    .sort();

test("answers have every field of the responses that such a service gives", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv, question, context, failing }) => {
      const ph = await Pinhole.open();
      await ph.load("links", new Blob([csv]));
      const recall = ph.recall({ context });
      const script = "SELECT source, target, type FROM links WHERE source = 'api_auct'";
      const answer = await recall.execute(await recall.save(question, { kind: "sql", script }));
      const wrong = await recall.save("another?", { kind: "script", script: failing });
      const failure = await recall.execute(wrong);
      const plain = ({ result: _, ...rest }) => JSON.parse(JSON.stringify(rest));
      return { answer: plain(answer), failure: plain(failure), rows: answer.result.rows };
    },
    {
      csv: CALLS,
      question: SHAPES.request.question,
      context: SHAPES.request.contextCode,
      failing: "async function execute(contextCode) { return rows.map((row) => row.id); }",
    },
  );
  assert.equal(got.rows, 3);
  for (const name of ["answer", "failure"]) {
    const own = shape(got[name]);
    const missing = shape(SHAPES[name]).filter((field) => !own.includes(field));
    assert.deepEqual(missing, [], `${name}: ${own}`);
    assert.equal(got[name].success, SHAPES[name].success);
  }
  assert.match(got.failure.error, /rows/);
});

test("a statement whose table is not loaded waits for it", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open({ locale: "en" });
      const recall = ph.recall({ context: "shops" });
      await ph.load("purchases", new Blob([csv]));
      const script = "SELECT shop, sum(amount) AS total FROM purchases GROUP BY shop";
      const id = await recall.save("what did each shop get?", { kind: "sql", script });
      const before = await recall.execute(id);
      ph.drop("purchases");
      await ph.load("other", new Blob(["a\n1\n"]));
      const without = await recall.execute(id);
      const asked = await recall.ask("what did each shop get?");
      const valid = (await recall.get(id)).is_valid;
      await ph.load("purchases", new Blob([csv]));
      const after = await recall.ask("what did each shop get?");
      const brief = ({ success, cached, error }) => [success, cached, error?.split(":")[0]];
      return { all: [before, without, asked, after].map(brief), valid };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual(got.all[0], [true, true, undefined]);
  assert.deepEqual(got.all[1], [false, true, "unknown_table"]);
  // Without it nothing else is taken for its answer.
  assert.equal(got.all[2][1], false);
  assert.deepEqual(got.all[3], [true, true, undefined]);
  assert.equal(got.valid, true);
});
