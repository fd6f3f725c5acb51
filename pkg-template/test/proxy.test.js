// The reference proxy over real HTTP: what it passes on, what it refuses, and that the key stays.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Redactor, startProxy } from "../dist/proxy.js";

const KEY = "sk-test-0123456789";
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** An endpoint that records what it gets and answers with `answer(request, response, body)`. */
async function endpoint(t, answer) {
  const seen = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      seen.push({ method: request.method, headers: request.headers, body });
      answer(request, response, body);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { to: `http://127.0.0.1:${server.address().port}/v1/chat`, seen };
}

async function proxy(t, answer, options = {}) {
  const behind = await endpoint(t, answer);
  const lines = [];
  const running = await startProxy(
    {
      to: behind.to,
      wire: "openai-chat",
      key: KEY,
      models: ["small", "large"],
      log: (line) => lines.push(line),
      ...options,
    },
    0,
  );
  t.after(() => running.close());
  return { url: running.url, seen: behind.seen, lines };
}

const ask = (url, body = { model: "small" }, init = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...init.headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    signal: init.signal,
    ...(init.duplex ? { duplex: init.duplex } : {}),
  });

const ok = (_, response) => {
  response.writeHead(200, {
    "content-type": "application/json",
    "set-cookie": "a=b",
    server: "secret/1.0",
  });
  response.end('{"ok":true}');
};

async function refused(response, status, words) {
  assert.equal(response.status, status);
  const { error } = await response.json();
  assert.match(error.message, words);
}

test("exactly the bytes are passed on, with the key and nothing else of the page", async (t) => {
  const { url, seen, lines } = await proxy(t, ok);
  const body = '{ "model" : "small",\n "messages": [{"role":"user","content":"вопрос"}] }';
  const response = await ask(url, body, {
    headers: { authorization: "Bearer of-the-page", cookie: "session=1", "x-more": "1" },
  });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { ok: true });
  assert.equal(response.headers.get("set-cookie"), null);
  assert.equal(response.headers.get("server"), null);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(seen[0].body.toString("utf8"), body);
  assert.equal(seen[0].headers.authorization, `Bearer ${KEY}`);
  for (const name of ["cookie", "x-more", "origin", "referer"]) {
    assert.equal(seen[0].headers[name], undefined, name);
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^POST 200 \d+ ms$/);
});

test("each format has its own way to carry the key", async (t) => {
  const { url, seen } = await proxy(t, ok, { wire: "anthropic" });
  await ask(url);
  assert.equal(seen[0].headers["x-api-key"], KEY);
  assert.equal(seen[0].headers["anthropic-version"], "2023-06-01");
  assert.equal(seen[0].headers.authorization, undefined);
  const open = await proxy(t, ok, { key: undefined });
  await ask(open.url);
  assert.equal(open.seen[0].headers.authorization, undefined);
});

test("a stream passes as it comes", async (t) => {
  let go;
  const gate = new Promise((done) => (go = done));
  const { url } = await proxy(t, async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n");
    await gate;
    response.end("data: two\n\n");
  });
  const response = await ask(url);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body.getReader();
  const first = await reader.read();
  assert.equal(Buffer.from(first.value).toString(), "data: one\n\n");
  go();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += Buffer.from(part.value).toString();
  }
  assert.equal(rest, "data: two\n\n");
});

test("a stream that breaks is broken for the page too", async (t) => {
  const { url } = await proxy(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n");
    setTimeout(() => response.destroy(), 20);
  });
  const response = await ask(url);
  await assert.rejects(response.text());
});

test("a page that leaves ends the request at the endpoint", async (t) => {
  let left;
  const gone = new Promise((done) => (left = done));
  const { url } = await proxy(t, (_, response) => {
    response.on("close", left);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: one\n\n");
  });
  const abort = new AbortController();
  const response = await ask(url, undefined, { signal: abort.signal });
  const reader = response.body.getReader();
  await reader.read();
  abort.abort();
  await gone;
});

test("only models on the list", async (t) => {
  const { url, seen } = await proxy(t, ok);
  for (const body of [{ model: "huge" }, {}, [], "null", { model: 5 }, { model: "small " }]) {
    await refused(await ask(url, body), 403, /model is not allowed; allowed: small, large/);
  }
  await refused(await ask(url, "{"), 400, /no JSON/);
  await refused(await ask(url, new Uint8Array([0x22, 0xff, 0x22])), 400, /no JSON/);
  assert.equal((await ask(url, { model: "large" })).status, 200);
  assert.equal(seen.length, 1);
});

test("only what is asked for as it should be", async (t) => {
  const { url, seen } = await proxy(t, ok);
  await refused(await fetch(new URL("/other", url), { method: "POST" }), 404, /nothing here/);
  await refused(await fetch(url), 405, /only POST/);
  const form = { "content-type": "text/plain" };
  await refused(await ask(url, undefined, { headers: form }), 415, /application\/json/);
  assert.equal(seen.length, 0);
});

test("requests that are too long, said beforehand or not", async (t) => {
  const { url, seen } = await proxy(t, ok, { maxBytes: 1000 });
  const long = JSON.stringify({ model: "small", text: "x".repeat(5000) });
  await refused(await ask(url, long), 413, /more than 1000 bytes/);
  const unsaid = new ReadableStream({
    start(controller) {
      for (let at = 0; at < long.length; at += 100) {
        controller.enqueue(new TextEncoder().encode(long.slice(at, at + 100)));
      }
      controller.close();
    },
  });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: unsaid,
    duplex: "half",
  });
  await refused(response, 413, /more than 1000 bytes/);
  assert.equal(seen.length, 0);
  assert.equal((await ask(url)).status, 200);
});

test("a client that asks too often is told how long to wait", async (t) => {
  const { url, seen } = await proxy(t, ok, { perMinute: 3 });
  const statuses = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await ask(url)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const response = await ask(url);
  const wait = Number(response.headers.get("retry-after"));
  assert.ok(wait >= 1 && wait <= 20, String(wait));
  assert.equal(seen.length, 3);
});

test("pages from elsewhere only where they are named", async (t) => {
  const friend = "https://page.example";
  const { url, seen } = await proxy(t, ok, { origins: [friend] });
  const from = (origin) => ask(url, undefined, { headers: { origin } });
  await refused(await from("https://other.example"), 403, /origin/);
  await refused(await from("null"), 403, /origin/);
  assert.equal(seen.length, 0);
  const named = await from(friend);
  assert.equal(named.headers.get("access-control-allow-origin"), friend);
  assert.equal(named.headers.get("access-control-allow-credentials"), null);
  const own = await from(new URL(url).origin);
  assert.equal(own.status, 200);
  assert.equal(own.headers.get("access-control-allow-origin"), null);
  const asked = await fetch(url, { method: "OPTIONS", headers: { origin: friend } });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get("access-control-allow-headers"), "content-type");
  const refusedToo = await fetch(url, {
    method: "OPTIONS",
    headers: { origin: "https://other.example" },
  });
  assert.equal(refusedToo.status, 403);
});

test("the key is never echoed", async (t) => {
  const { url } = await proxy(t, (_, response, body) => {
    const status = JSON.parse(body).model === "large" ? 401 : 400;
    response.writeHead(status, { "content-type": "application/json", "x-key": KEY });
    response.end(JSON.stringify({ error: { message: `bad key ${KEY} or ${KEY}${KEY}` } }));
  });
  for (const model of ["small", "large"]) {
    const response = await ask(url, { model });
    const all = JSON.stringify([...response.headers]) + (await response.text());
    assert.ok(!all.includes(KEY), all);
    assert.ok(!all.includes("0123456789"), all);
  }
  const response = await ask(url, { model: "large" });
  await refused(response, 401, /refuses the proxy's key/);
});

test("statuses and Retry-After of the endpoint pass; a long error is cut", async (t) => {
  const { url } = await proxy(t, (_, response) => {
    response.writeHead(429, { "retry-after": "7", "content-type": "text/plain" });
    response.end("x".repeat(100_000));
  });
  const response = await ask(url);
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "7"]);
  assert.equal((await response.text()).length, 16 * 1024);
});

test("endpoints that are dead, silent or send the request on", async (t) => {
  const dead = await proxy(t, ok, { to: "http://127.0.0.1:9/" });
  await refused(await ask(dead.url), 502, /cannot be reached/);
  const silent = await proxy(t, () => undefined, { timeout: 50 });
  await refused(await ask(silent.url), 504, /does not answer/);
  const other = await endpoint(t, ok);
  const sends = await proxy(t, (_, response) => {
    response.writeHead(307, { location: other.to });
    response.end();
  });
  await refused(await ask(sends.url), 502, /cannot be reached/);
  assert.equal(other.seen.length, 0, "the key goes nowhere else");
});

test("a key is found wherever the bytes are cut", () => {
  const text = `a sk-test sk-test-012345678 ${KEY}${KEY} sk-test-0123456`;
  const want = "a sk-test sk-test-012345678 ****** sk-test-0123456";
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size += 1) {
    const redactor = new Redactor(KEY);
    const parts = [];
    for (let at = 0; at < bytes.length; at += size) {
      parts.push(Buffer.from(redactor.push(bytes.subarray(at, at + size))));
    }
    parts.push(Buffer.from(redactor.finish()));
    assert.equal(Buffer.concat(parts).toString(), want, `by ${size}`);
  }
});

test("options that make no sense are refused", async () => {
  const options = { to: "https://x.example/", wire: "openai-chat", models: ["m"] };
  await assert.rejects(startProxy({ ...options, models: [] }, 0), /name the models/);
  await assert.rejects(startProxy({ ...options, to: "ftp://x.example/" }, 0), /cannot pass on/);
  await assert.rejects(startProxy({ ...options, to: "nowhere" }, 0));
});

test("the command line", async (t) => {
  const { to } = await endpoint(t, ok);
  const run = (...args) => promisify(execFile)(process.execPath, [CLI, ...args]);
  assert.match((await run("--help")).stdout, /npx pinhole proxy --to/);
  for (const [args, words] of [
    [["serve"], /no command serve/],
    [["proxy"], /--to says/],
    [["proxy", "--to", to], /--model names/],
    [["proxy", "--to", to, "--model", "m", "--wire", "smoke"], /one of openai-chat/],
    [["proxy", "--to", to, "--model", "m", "--port", "x"], /whole number/],
    [["proxy", "--key", KEY], /key/],
  ]) {
    const problem = await run(...args).catch((error) => error);
    assert.equal(problem.code, 1, args.join(" "));
    assert.match(problem.stderr, words);
  }
  const child = spawn(
    process.execPath,
    [CLI, "proxy", "--to", to, "--model", "small", "--port", "0", "--key-env", "MY_KEY"],
    { env: { ...process.env, MY_KEY: KEY } },
  );
  t.after(() => child.kill());
  let said = "";
  const listening = new Promise((done) => {
    child.stdout.on("data", (data) => {
      said += data;
      const url = /listening on (\S+),/.exec(said)?.[1];
      if (url) done(url);
    });
  });
  const response = await ask(await listening);
  assert.deepEqual(await response.json(), { ok: true });
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
  assert.match(said, /with a key/);
  assert.ok(!said.includes(KEY));
});
