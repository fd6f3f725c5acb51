// Conversations: events, requests on the page's thread, keys, approval, cancel, broken streams.

import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, endpoint, fake, open, thrownIn, until } from "../testing/setup.js";

const ADDRESS = "https://page.example/api/chat";

/** A transport that records its requests and answers with `answer`. */
function transport(answer) {
  const requests = [];
  const send = async (request, { signal }) => {
    requests.push(request);
    return answer(request, signal);
  };
  return { requests, send };
}

test("without an endpoint the planner answers and nothing is sent", async (t) => {
  const ph = await open(t);
  const events = await collect(ph.chat().ask("how many?"));
  assert.deepEqual(
    events.map((event) => event.type),
    ["text", "done"],
  );
  assert.deepEqual(await ph.ledger.entries(), []);
  assert.deepEqual(fake.log.filter(([op]) => op === "chat_open").at(-1)[1], { wire: "planner" });
});

test("the request carries the exact bytes and no more headers than content-type", async (t) => {
  const ph = await open(t);
  const { requests, send } = transport(() => new Response("two"));
  const seen = [];
  const stop = ph.ledger.watch((entry) => seen.push(entry));
  const chat = ph.chat({ endpoint: ADDRESS, transport: send, model: "m", maxRounds: 3 });
  const events = await collect(chat.ask("how many?"));
  assert.equal(events.at(-1).answer, "200 - two");
  assert.deepEqual(requests, [
    {
      url: ADDRESS,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"question":"how many?"}',
    },
  ]);
  assert.deepEqual(fake.log.filter(([op]) => op === "chat_open").at(-1)[1], {
    wire: "openai-chat",
    model: "m",
    max_rounds: 3,
    endpoint: ADDRESS,
  });
  assert.equal(seen.length, 1);
  assert.equal(seen[0].body, requests[0].body);
  assert.equal((await ph.ledger.entries()).length, 1);
  assert.equal((await ph.ledger.export()).trim().split("\n").length, 1);
  assert.deepEqual(await ph.ledger.verify(), { ok: true });
  stop();
  await collect(chat.ask("again?"));
  assert.equal(seen.length, 1);
});

test("a watcher of the ledger that throws takes no entry from the others, nor an event", async (t) => {
  const ph = await open(t);
  const thrown = thrownIn(t);
  const seen = [];
  ph.ledger.watch(() => {
    throw new Error("the page's own");
  });
  ph.ledger.watch((entry) => seen.push(entry.seq));
  const chat = ph.chat({ transport: async () => new Response("ok") });
  const events = await collect(chat.ask("how many?"));
  assert.deepEqual([seen, thrown], [[1], ["the page's own"]]);
  assert.ok(events.some(({ type }) => type === "ledger"));
  assert.equal(events.at(-1).type, "done");
});

test("closing a conversation cancels what is asked in it, and sends nothing more", async (t) => {
  const ph = await open(t);
  let ended = false;
  const { requests, send } = transport(
    (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended = true;
          reject(signal.reason);
        });
      }),
  );
  const chat = ph.chat({ transport: send });
  const asked = ["now", "then"].map((question) => collect(chat.ask(question)));
  await until(() => requests.length > 0);
  await chat.close();
  for (const events of await Promise.all(asked)) assert.equal(events.at(-1).code, "cancelled");
  assert.deepEqual([requests.length, ended], [1, true]);
  assert.deepEqual(fake.log.at(-1)[0], "chat_close");
});

test("the type of the body is sent once, however the page spells it", async (t) => {
  const ph = await open(t);
  const { requests, send } = transport(() => new Response("ok"));
  const headers = { "Content-Type": "application/json", "X-Own": "1" };
  const chat = ph.chat({ transport: send, headers, dangerouslyAllowBrowserKey: true });
  await collect(chat.ask("q"));
  assert.deepEqual(requests[0].headers, { "X-Own": "1", "content-type": "application/json" });
});

test("fetch is called as the endpoint's rules say", async (t) => {
  const ph = await open(t);
  const original = globalThis.fetch;
  t.after(() => (globalThis.fetch = original));
  let call;
  globalThis.fetch = async (url, init) => {
    call = { url: String(url), ...init };
    return new Response("ok");
  };
  await collect(ph.chat({ endpoint: ADDRESS }).ask("q"));
  assert.equal(call.url, ADDRESS);
  assert.equal(call.method, "POST");
  assert.equal(call.credentials, "same-origin");
  assert.equal(call.redirect, "error");
  assert.deepEqual(call.headers, { "content-type": "application/json" });
});

test("a key in the page needs the caller's word", async (t) => {
  const ph = await open(t);
  const { requests, send } = transport(() => new Response("ok"));
  const headers = { authorization: "Bearer s" };
  for (const options of [
    { endpoint: ADDRESS, headers },
    { transport: send, headers },
    { endpoint: "https://user:secret@page.example/" },
    { endpoint: `${ADDRESS}?api_key=s` },
    { endpoint: `${ADDRESS}?subscription-key=s` },
    { endpoint: `${ADDRESS}?client_secret=s` },
    { endpoint: `${ADDRESS}?q=sk-proj-0123456789abcdef` },
    { endpoint: "https://page.example/sk-0123456789abcdef/chat" },
    { endpoint: ADDRESS, headers, dangerouslyAllowBrowserKey: "true" },
  ]) {
    assert.throws(() => ph.chat(options), { code: "key_in_browser" });
  }
  const allowed = { transport: send, headers, dangerouslyAllowBrowserKey: true };
  const chat = ph.chat(allowed);
  assert.equal((await collect(chat.ask("q"))).at(-1).type, "done");
  assert.equal(requests[0].headers.authorization, "Bearer s");
  assert.ok(
    !JSON.stringify(fake.log, (_, v) => (typeof v === "bigint" ? `${v}` : v)).includes("Bearer"),
  );
  // Taken back between opening and asking: the request is not made.
  allowed.dangerouslyAllowBrowserKey = false;
  const last = (await collect(chat.ask("q"))).at(-1);
  assert.equal(last.code, "key_in_browser");
  assert.equal(requests.length, 1);

  const keyed = ph.chat({
    endpoint: `${ADDRESS}?key=s3cret`,
    transport: send,
    dangerouslyAllowBrowserKey: true,
  });
  await collect(keyed.ask("q"));
  const shown = () => fake.log.filter(([op]) => op === "chat_open").at(-1)[1].endpoint;
  assert.equal(shown(), ADDRESS);
  const inPath = "https://page.example/sk-0123456789abcdef/chat";
  const pathed = { endpoint: inPath, transport: send, dangerouslyAllowBrowserKey: true };
  await collect(ph.chat(pathed).ask("q"));
  assert.equal(shown(), "https://page.example/…");
  for (const endpoint of [`${ADDRESS}?monkey=1`, `${ADDRESS}/keynote?tokens=5`, `${ADDRESS}#key`]) {
    await collect(ph.chat({ endpoint, transport: send }).ask("q"));
    assert.equal(shown(), endpoint);
  }
});

test("wire and endpoint must fit each other", async (t) => {
  const ph = await open(t);
  for (const options of [
    { wire: "openai-chat" },
    { wire: "planner", endpoint: ADDRESS },
    { endpoint: "ftp://page.example/" },
    { endpoint: "not a url" },
    { endpoint: ADDRESS, timeout: 0 },
    { endpoint: ADDRESS, timeout: -5 },
    { endpoint: ADDRESS, timeout: Infinity },
    { endpoint: ADDRESS, timeout: "30s" },
  ]) {
    assert.throws(() => ph.chat(options), { code: "bad_option" });
  }
});

test("onBeforeSend can stop a request", async (t) => {
  const asked = [];
  const ph = await open(t, {
    onBeforeSend: async (entry) => {
      asked.push(entry.seq);
      return asked.length > 1;
    },
  });
  const { requests, send } = transport(() => new Response("ok"));
  const chat = ph.chat({ transport: send });
  assert.equal((await collect(chat.ask("one"))).at(-1).code, "send_refused");
  assert.equal(requests.length, 0);
  assert.equal((await collect(chat.ask("two"))).at(-1).type, "done");
  assert.deepEqual(asked, [1, 1]);
});

test("a dead endpoint and a broken stream are said, and the next question works", async (t) => {
  const ph = await open(t);
  let turn = 0;
  const { send } = transport(() => {
    turn += 1;
    if (turn === 1) throw new TypeError("Failed to fetch");
    if (turn > 2) return new Response("fine");
    let parts = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          parts += 1;
          if (parts === 1) controller.enqueue(new TextEncoder().encode("half"));
          else controller.error(new Error("reset"));
        },
      }),
    );
  });
  const chat = ph.chat({ transport: send });
  assert.equal((await collect(chat.ask("1"))).at(-1).code, "endpoint_unreachable");
  const broken = await collect(chat.ask("2"));
  assert.equal(broken.at(-1).code, "stream_broken");
  assert.ok(broken.some((event) => event.type === "text" && event.delta === "half"));
  assert.equal((await collect(chat.ask("3"))).at(-1).answer, "200 - fine");
  assert.equal((await collect(chat.ask("fault"))).at(-1).code, "internal");
});

test("Retry-After is read as seconds or as a date", async (t) => {
  const ph = await open(t);
  const { send } = transport(
    () => new Response("later", { status: 429, headers: { "retry-after": "0.01" } }),
  );
  assert.equal(
    (await collect(ph.chat({ transport: send }).ask("q"))).at(-1).answer,
    "429 0.01 later",
  );
  const now = Date.parse("2025-01-01T00:00:00Z");
  for (const [header, expected] of [
    [null, undefined],
    ["", undefined],
    ["7", 7],
    ["-3", 0],
    ["soon", undefined],
    ["Wed, 01 Jan 2025 00:00:09 GMT", 9],
    ["Tue, 31 Dec 2024 00:00:00 GMT", 0],
  ]) {
    assert.equal(endpoint.retryAfter(header, now), expected, String(header));
  }
});

test("a cancelled question ends, stops its request, and the next one works", async (t) => {
  const ph = await open(t);
  let aborted = 0;
  const { send } = transport(
    (request, signal) =>
      new Promise((resolve, reject) => {
        if (request.body.includes("next")) resolve(new Response("ok"));
        signal.addEventListener("abort", () => {
          aborted += 1;
          reject(signal.reason);
        });
      }),
  );
  const chat = ph.chat({ transport: send });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 30);
  // The endpoint never answers.
  const events = await collect(chat.ask("wait", { signal: abort.signal }));
  assert.equal(events.at(-1).code, "cancelled");
  assert.equal(aborted, 1);
  assert.equal((await collect(chat.ask("next"))).at(-1).type, "done");

  for await (const event of chat.ask("left early")) {
    assert.equal(event.type, "text");
    break;
  }
  assert.equal((await collect(chat.ask("next"))).at(-1).type, "done");
  const never = AbortSignal.abort();
  assert.equal((await collect(chat.ask("never", { signal: never }))).at(-1).code, "cancelled");
  assert.ok(!fake.log.some(([op, question]) => op === "chat_ask" && question === "never"));
});

test("an endpoint that sends nothing for too long is given up, and the next question works", async (t) => {
  const ph = await open(t, { locale: "ru" });
  const encoder = new TextEncoder();
  const ends = [];
  let answer;
  const { send } = transport((_request, signal) => {
    signal.addEventListener("abort", () => ends.push(signal.reason.code));
    return answer();
  });
  const chat = ph.chat({ transport: send, timeout: 100 });

  // It never answers, and does not care for its signal.
  answer = () => new Promise(() => {});
  const never = (await collect(chat.ask("1"))).at(-1);
  assert.deepEqual([never.code, ends], ["endpoint_timeout", ["endpoint_timeout"]]);
  assert.equal(never.message, "сервер модели не отвечал 100 мс, спросите ещё раз");

  // Its stream stands still.
  let left = false;
  answer = () =>
    new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(encoder.encode("half")),
        cancel: () => void (left = true),
      }),
    );
  const stood = await collect(chat.ask("2"));
  assert.equal(stood.at(-1).code, "endpoint_timeout");
  assert.ok(stood.some((event) => event.type === "text" && event.delta === "half"));
  assert.deepEqual([left, ends.length], [true, 2]);

  // One that goes on takes as long as it takes.
  let parts = 0;
  answer = () =>
    new Response(
      new ReadableStream({
        async pull(stream) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          parts += 1;
          if (parts > 6) stream.close();
          else stream.enqueue(encoder.encode(String(parts)));
        },
      }),
    );
  assert.equal((await collect(chat.ask("3"))).at(-1).answer, "200 - 123456");
  assert.equal(ends.filter((code) => code === "endpoint_timeout").length, 2);

  // A cancel is a cancel.
  answer = () => new Promise(() => {});
  const signal = AbortSignal.timeout(20);
  assert.equal((await collect(chat.ask("4", { signal }))).at(-1).code, "cancelled");
});

test("clear and close reach the conversation that was opened", async (t) => {
  const ph = await open(t);
  const chat = ph.chat();
  await chat.clear();
  await chat.close();
  await collect(chat.ask("q"));
  await chat.clear();
  await chat.close();
  const ops = fake.log.slice(-2).map(([op]) => op);
  assert.deepEqual(ops, ["chat_clear", "chat_close"]);
  assert.equal((await collect(chat.ask("q"))).at(-1).type, "done");
});
