// Every format of every fault over real HTTP: each ends in the right event, and the next question
// works.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, calls, fail, raw, say } from "./endpoint.mjs";
import { listener, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

const TRUE = "Vkusno has the highest total, 912.";
const COUNT = { table: "purchases", where: "amount > 100", select: "count()", title: "Over 100" };
/** What a browser says of connections that break, of its own. */
const NETWORK = /Failed to load resource|net::ERR/;

/** Asks questions in one conversation with an engine of its own; the events of each. */
function ask(scene, options, questions) {
  return scene.run(
    async ({ Pinhole }, { csv, options, questions }) => {
      globalThis.compiled ??= await WebAssembly.compileStreaming(fetch("/pinhole/pinhole_bg.wasm"));
      const ph = await Pinhole.open({ wasm: globalThis.compiled });
      await ph.load("purchases", new Blob([csv]));
      const chat = ph.chat(options);
      const all = [];
      for (const question of questions) {
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        all.push(events);
      }
      const proof = await ph.ledger.verify();
      await ph.close();
      return { all, proof };
    },
    { csv: PURCHASES, options, questions },
  );
}

for (const [name, wire] of Object.entries(WIRES)) {
  const options = { endpoint: wire.path, wire: name, model: "scripted" };

  /**
   * A page in which scripts are played: the events of the first question and all requests. The second
   * question must be answered.
   */
  const player = async (t) => {
    const scene = await open(t, { blank: true, expect: NETWORK });
    return async (turns, more = {}) => {
      const { endpoint } = scene;
      const before = endpoint.bodies.length;
      endpoint.script = [...turns, call("query", BY_SHOP), say(TRUE)];
      const { all, proof } = await ask(scene, { ...options, ...more }, ["the totals?", "again?"]);
      assert.deepEqual(proof, { ok: true });
      const done = all[1].at(-1);
      assert.deepEqual([done.type, done.answer, done.verdict], ["done", TRUE, "ok"], name);
      assert.deepEqual(endpoint.script, [], "every turn was played");
      const requests = endpoint.requests.slice(before);
      return { events: all[0], last: all[0].at(-1), requests };
    };
  };

  test(`${name}: a call, its result, a true answer`, async (t) => {
    const play = await player(t);
    for (const stream of [true, false]) {
      const { events, last, requests } = await play([call("query", BY_SHOP), say(TRUE)], {
        stream,
      });
      assert.deepEqual([last.type, last.answer, last.verdict], ["done", TRUE, "ok"]);
      assert.equal(events.filter(({ type }) => type === "data_block").length, 1);
      const [told] = wire.results(requests[1]);
      assert.match(told, /4 groups by shop/);
    }
  });

  test(`${name}: parallel calls, no ids, objects, the wrong reason`, async (t) => {
    const play = await player(t);
    const both = calls(["query", COUNT], ["query", BY_SHOP]);
    for (const odd of [{}, { ids: false }, { objects: true }, { finish: "stop" }]) {
      const { events, last, requests } = await play([{ ...both, ...odd }, say(TRUE)]);
      assert.deepEqual([last.type, last.answer], ["done", TRUE], JSON.stringify(odd));
      assert.equal(events.filter(({ type }) => type === "data_block").length, 2);
      assert.equal(wire.results(requests[1]).length, 2);
    }
  });

  test(`${name}: busy endpoints are asked again`, async (t) => {
    const play = await player(t);
    const start = Date.now();
    const { last, requests } = await play([
      fail(429, { "retry-after": "1" }),
      fail(500),
      say("Which totals?"),
    ]);
    assert.equal(last.answer, "Which totals?");
    assert.ok(Date.now() - start >= 2000, "a second as told, then a pause of its own");
    assert.equal(requests.length, 5);
    const down = await play(Array(4).fill(fail(500, { "retry-after": "0" })));
    assert.deepEqual([down.last.code, down.last.detail], ["endpoint_status", "scripted failure"]);
    // What is not implemented now is not in a second either.
    const never = await play([fail(501)]);
    assert.equal(never.last.code, "endpoint_status");
    assert.equal(never.requests.length, 3);
  });

  test(`${name}: streams that break, stand still, go slowly or anywhere`, async (t) => {
    const play = await player(t);
    const cut = await play([say("Here it is. More follows", { breakAfter: 5 })]);
    assert.equal(cut.last.code, "stream_broken");
    const slow = await play([say("Which totals?", { pause: 60 })]);
    assert.equal(slow.last.answer, "Which totals?");
    const pieces = await play([say("Какие суммы – все?", { bytes: 1 })]);
    assert.equal(pieces.last.answer, "Какие суммы – все?");
  });

  test(`${name}: what is no reply`, async (t) => {
    const play = await player(t);
    const html = await play([raw("<!doctype html><h1>Sign in</h1>")]);
    assert.deepEqual([html.last.code, html.last.detail], ["endpoint_not_json", "Sign in"]);
    const json = await play([raw('{"ok":true}', "application/json")]);
    assert.equal(json.last.code, "endpoint_not_json");
    const spoilt = await play([say("Which totals?", { spoil: true })]);
    assert.equal(spoilt.last.answer, "\ufffdhich totals?");
    const giant = await play([say("Which totals?", { pad: 9 << 20 })]);
    assert.equal(giant.last.code, "too_long");
    const long = await play([say("word ".repeat(20_000), { bytes: 1 << 16 })]);
    assert.equal(long.last.code, "too_long");
  });

  test(`${name}: redirects and endpoints elsewhere`, async (t) => {
    const play = await player(t);
    const other = await listener(t);
    const sent = await play([{ to: other.url }]);
    assert.equal(sent.last.code, "endpoint_unreachable");
    assert.deepEqual(other.seen, [], "nothing is sent on");
    const scene = await open(t, { blank: true, expect: NETWORK });
    const closed = { ...options, endpoint: "http://127.0.0.1:9/" };
    const { all } = await ask(scene, closed, ["the totals?"]);
    assert.equal(all[0].at(-1).code, "endpoint_unreachable");
  });
}
