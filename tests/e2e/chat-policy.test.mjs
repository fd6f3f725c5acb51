// A policy for one conversation: it may be told less than the page allows, never more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();
const SCRIPT = [call("query", BY_SHOP), say("See the table.")];
const QUESTION = "what did Vkusno take, of all?";

/**
 * Asks by a conversation for each of `chats`, one after the other. A chat is its policy and, where
 * the page's changes before it is asked, that one. Gives the last event of each.
 */
function ask(scene, policy, chats) {
  return scene.run(
    async ({ Pinhole }, { csv, endpoint, policy, chats, question }) => {
      const ph = await Pinhole.open({ policy });
      await ph.load("purchases", new Blob([csv]));
      const last = [];
      const opened = new Map();
      for (const { own, page } of chats) {
        if (page) await ph.setPolicy(page);
        const key = JSON.stringify(own);
        if (!opened.has(key)) {
          opened.set(key, ph.chat({ endpoint, model: "scripted", ...(own && { policy: own }) }));
        }
        let event;
        for await (event of opened.get(key).ask(question));
        const pointers = event.diagnostics?.map(({ code, pointer }) => `${code} ${pointer}`);
        last.push({ type: event.type, code: event.code, pointers });
      }
      const ledger = await ph.ledger.entries();
      await ph.close();
      return { last, ledger };
    },
    { csv: PURCHASES, endpoint: ENDPOINT, policy, chats, question: QUESTION },
  );
}

test("a conversation is told less than the page allows, and stays so when the page opens", async (t) => {
  const script = [...SCRIPT, ...SCRIPT, ...SCRIPT, ...SCRIPT];
  const scene = await open(t, { blank: true, script });
  const schema = { level: "schema" };
  const hidden = { columns: { "purchases.shop": "hidden" } };
  const { last, ledger } = await ask(scene, { level: "summary" }, [
    {},
    { own: schema },
    { own: schema, page: { level: "preview" } },
    { own: hidden },
  ]);
  assert.deepEqual(
    last.map(({ type }) => type),
    ["done", "done", "done", "done"],
  );
  const bodies = scene.endpoint.bodies.map(String);
  assert.equal(bodies.length, 8);
  const told = bodies.map((body) => /912/.test(body));
  assert.deepEqual(told, [false, true, false, false, false, false, false, false]);
  // A column that this conversation hides is not named, and a cell of it is masked in the question.
  for (const body of bodies.slice(6)) {
    assert.doesNotMatch(body, /Vkusno|Kuper/);
    assert.match(body, /what did \[hidden\] take/);
  }
  assert.match(bodies[4], /what did Vkusno take/);
  const levels = ledger.map(({ level }) => level);
  assert.deepEqual(levels.slice(0, 6), [
    "summary",
    "summary",
    "schema",
    "schema",
    "schema",
    "schema",
  ]);
  const hashes = new Set(ledger.map((entry) => entry.policy_hash));
  assert.equal(hashes.size, 3, "two conversations have a policy of their own");
  const words = ledger[6].withheld.filter(({ what }) => what === "words");
  assert.deepEqual(words, [{ what: "words", why: "cell", count: 1 }]);
});

test("a script of a model runs where its conversation's own policy lets it, too", async (t) => {
  const body = `await db.query({ table: "purchases", columns: ["shop"], limit: 3 })`;
  const run = call("run_script", { script: `async function execute() { return ${body} }` });
  const scene = await open(t, { blank: true, script: [run, say("Done."), run, say("Done.")] });
  const blocks = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const found = [];
      for (const policy of [{ k: 9 }, { columns: { "purchases.amount": "hidden" } }]) {
        const chat = ph.chat({ endpoint, model: "scripted", scripts: true, policy });
        const events = [];
        for await (const event of chat.ask("some shops?")) events.push(event);
        found.push(events.filter(({ type }) => type === "data_block").map(({ rows }) => rows));
      }
      await ph.close();
      return found;
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  assert.deepEqual(blocks, [[3], []]);
  const [offered, told, barred, refused] = scene.endpoint.bodies.map(String);
  assert.match(offered, /"name":"run_script"/);
  assert.match(told, /Result: 3 rows/);
  assert.doesNotMatch(barred, /"name":"run_script"/);
  assert.match(refused, /scripts run only where the policy protects no column/);
});

test("the page's policy binds a conversation that was opened under a looser one", async (t) => {
  const scene = await open(t, { blank: true, script: [...SCRIPT, ...SCRIPT] });
  const own = { level: "summary", k: 9 };
  const { last, ledger } = await ask(scene, { level: "preview" }, [
    { own },
    { own, page: { level: "schema" } },
  ]);
  assert.deepEqual(
    last.map(({ type }) => type),
    ["done", "done"],
  );
  assert.deepEqual(
    ledger.map(({ level }) => level),
    ["summary", "summary", "schema", "schema"],
  );
  for (const body of scene.endpoint.bodies.slice(2)) assert.doesNotMatch(String(body), /912/);
});

test("what would loosen the page's policy is refused, rule by rule, and nothing is sent", async (t) => {
  const scene = await open(t, { blank: true, script: SCRIPT });
  const page = { level: "aggregate", k: 7, columns: { "purchases.shop": "hidden" } };
  const looser = { level: "preview", k: 5, columns: { "purchases.shop": "open" } };
  const { last } = await ask(scene, page, [
    { own: looser },
    { own: { level: "everything" } },
    { own: { columns: { "purchases.shoop": "hidden" } } },
  ]);
  assert.deepEqual(
    last.map(({ type, pointers }) => [type, pointers]),
    [
      [
        "error",
        ["looser_policy /level", "looser_policy /k", "looser_policy /columns/purchases.shop"],
      ],
      ["error", ["unknown_policy /level"]],
      ["error", ["unknown_column /columns/purchases.shoop"]],
    ],
  );
  assert.equal(last[0].code, "looser_policy");
  assert.equal(scene.endpoint.bodies.length, 0);
});
