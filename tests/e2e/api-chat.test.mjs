// The package's conversations in a real page: what is held back, who may stop a request, and where
// it goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES, TOTALS } from "./tables.mjs";

const open = stage();

const LIE = "Here they are. Vkusno has 921.";
const TRUE = "Here they are. Vkusno has 912.";

for (const [hold, seesLie] of [
  ["numbers", false],
  ["answer", false],
  ["none", true],
]) {
  test(`chat holds back: ${hold}`, async (t) => {
    const scene = await open(t, {
      blank: true,
      script: [call("query", BY_SHOP), say(LIE), say(TRUE)],
    });
    const events = await chat(scene, { endpoint: ENDPOINT, hold });
    const texts = events.filter(({ type }) => type === "text").map(({ delta }) => delta);
    assert.equal(texts.join("").includes("921"), seesLie, texts.join("|"));
    if (hold === "answer") assert.equal(texts.length, 1);
    const final = events.findLastIndex(
      ({ type, status }) => type === "draft" && status === "rejected",
    );
    const shown = events.slice(final + 1).filter(({ type }) => type === "text");
    assert.equal(shown.map(({ delta }) => delta).join(""), TRUE);
    const done = events.at(-1);
    assert.deepEqual([done.type, done.answer, done.verdict], ["done", TRUE, "ok"]);
    assert.deepEqual([done.usage.drafts, done.usage.requests, done.usage.rounds], [2, 3, 1]);
  });
}

/** Loads the shops and asks one question; gives its events. */
function chat(scene, options) {
  return scene.run(
    async ({ Pinhole }, { csv, options }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const events = [];
      for await (const event of ph.chat(options).ask("totals by shop?")) events.push(event);
      return events;
    },
    { csv: PURCHASES, options },
  );
}

test("at level schema the model writes references, and the person reads values", async (t) => {
  const words = "{{r1.max.shop}} has the highest total, {{r1.max.sum_amount}}.";
  const scene = await open(t, { blank: true, script: [call("query", BY_SHOP), say(words)] });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open({ policy: { level: "schema" } });
      await ph.load("purchases", new Blob([csv]));
      const events = [];
      const chat = ph.chat({ endpoint, model: "scripted" });
      for await (const event of chat.ask("totals by shop?")) events.push(event);
      await ph.close();
      return events;
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  const done = got.at(-1);
  assert.deepEqual(
    [done.type, done.answer, done.verdict],
    ["done", "Vkusno has the highest total, 912.", "ok"],
  );
  const number = done.claims.find(({ text }) => text === "912");
  assert.equal(number.fact.result, "r1");
  const shown = got.filter(({ type }) => type === "text").map(({ delta }) => delta);
  assert.equal(shown.join(""), done.answer);
  for (const body of scene.endpoint.bodies) assert.doesNotMatch(String(body), /912|Vkusno/);
});

test("whoever approves requests can stop them; keys are not taken unasked", async (t) => {
  const scene = await open(t, { blank: true, script: [say("Hello.")] });
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      let allow = false;
      const seen = [];
      const ph = await Pinhole.open({
        onBeforeSend: (entry) => {
          seen.push(entry.seq);
          return allow;
        },
      });
      await ph.load("purchases", new Blob([csv]));
      const talk = ph.chat({ endpoint, model: "scripted" });
      const last = async () => {
        let event;
        for await (event of talk.ask("hello?"));
        return event;
      };
      const refused = await last();
      allow = true;
      const done = await last();
      const thrown = (options) => {
        try {
          ph.chat(options);
          return "taken";
        } catch (error) {
          return error.code;
        }
      };
      return {
        refused: [refused.type, refused.code],
        done: [done.type, done.answer],
        seen,
        keys: [
          thrown({ endpoint, headers: { authorization: "x" } }),
          thrown({ endpoint: `${endpoint}?api_key=x` }),
          thrown({ endpoint: "ftp://x" }),
          thrown({ wire: "openai-chat" }),
        ],
      };
    },
    { csv: PURCHASES, endpoint: ENDPOINT },
  );
  assert.deepEqual(got.refused, ["error", "send_refused"]);
  assert.deepEqual(got.done, ["done", "Hello."]);
  // What was refused takes no number.
  assert.deepEqual(got.seen, [1, 1]);
  assert.equal(scene.endpoint.bodies.length, 1);
  assert.deepEqual(got.keys, ["key_in_browser", "key_in_browser", "bad_option", "bad_option"]);
});

test("without a worker, and with a transport instead of an endpoint", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { csv }) => {
      const ph = await Pinhole.open({ worker: false });
      await ph.load("purchases", new Blob([csv]));
      const result = await ph.query({ group_by: "shop", select: "sum(amount)" });
      const { rows } = await result.table.page();
      const sent = [];
      const transport = async (request) => {
        sent.push(request);
        const message = { role: "assistant", content: "There are 7 purchases." };
        return Response.json({ choices: [{ index: 0, message, finish_reason: "stop" }] });
      };
      let last;
      for await (last of ph
        .chat({ transport, stream: false })
        .ask("how many rows are in purchases?"));
      const { worker } = await ph.stats();
      await ph.close();
      const closed = await ph.query({}).catch((e) => e.code);
      return { rows, worker, closed, sent, last };
    },
    { csv: PURCHASES },
  );
  assert.deepEqual(got.rows, TOTALS);
  assert.equal(got.worker, false);
  assert.equal(got.closed, "closed");
  assert.equal(scene.page.workers().length, 0);
  assert.equal(got.last.type, "done", JSON.stringify(got.last));
  assert.equal(JSON.parse(got.sent[0].body).stream, false);
  assert.deepEqual(got.sent[0].headers, { "content-type": "application/json" });
});
