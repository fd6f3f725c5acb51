// A conversation of the page through `npx pinhole proxy`: the key stays outside the page, and what
// a browser refuses is told as what it may be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { listener, stage } from "./harness.mjs";
import { KEY, proxy, withPort } from "./proxy.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

const TRUE = "Vkusno has the highest total, 912.";

/** A page whose endpoint is the proxy. */
async function page(t, url, wire, more = {}) {
  const settings = { endpoint: url, model: "scripted", wire };
  const scene = await open(t, { settings, ...more });
  await scene.load("purchases.csv", PURCHASES);
  return scene;
}

for (const [wire, { results }] of Object.entries(WIRES)) {
  test(`${wire}: a question through the proxy, its key at the endpoint alone`, async (t) => {
    // The address of the page is known before the proxy starts, as it is in life.
    const script = [call("query", BY_SHOP), say(TRUE)];
    const { endpoint, url, scene } = await withPort(async (port) => {
      const args = ["--origin", `http://127.0.0.1:${port}`];
      const there = await proxy(t, { wire, script, args });
      return { ...there, scene: await page(t, there.url, wire, { port }) };
    });
    const answer = await scene.ask("which shop has the highest total?");
    assert.deepEqual(await answer.state(), { state: "done", verdict: "ok" });
    assert.equal(await answer.text(), TRUE);
    assert.match(results(endpoint.requests[1])[0], /4 groups by shop/);
    const header = wire === "anthropic" ? "x-api-key" : "authorization";
    for (const headers of endpoint.headers) {
      assert.ok(headers[header].endsWith(KEY));
      for (const name of ["cookie", "origin", "referer"]) assert.ok(!(name in headers), name);
    }
    // The ledger holds what arrived, byte for byte, and nowhere in the page is the key.
    await answer.id("tab-sent").click();
    const shown = await answer
      .id("ledger-body")
      .locator("pre")
      .evaluateAll((all) => all.map((pre) => pre.textContent));
    assert.deepEqual(
      shown,
      endpoint.bodies.map((body) => body.toString("utf8")),
    );
    const all = await scene.page.content();
    assert.ok(!all.includes(KEY));
    for (const { url: to, body } of scene.traffic) {
      assert.ok(!to.includes(KEY) && !body?.includes(KEY));
    }
  });
}

test("a proxy that does not allow the page: said as what it may be, and a way on", async (t) => {
  const { endpoint, url } = await proxy(t, { script: () => say("Never heard.") });
  const scene = await page(t, url, "openai-chat", { expect: /CORS|Failed to load|ERR_/ });
  const answer = await scene.ask("which shop has the highest total?");
  assert.equal((await answer.state()).state, "error");
  const error = await answer.error();
  assert.equal(error.code, "endpoint_unreachable");
  const origin = new URL(scene.url).origin;
  assert.match(error.text, /CORS/);
  assert.ok(error.text.includes(`--origin ${origin}`), error.text);
  assert.ok(error.text.includes(new URL(url).host));
  assert.equal(endpoint.bodies.length, 0, "nothing of the page's reached the endpoint");
  await scene.picture("70-cors");
  await answer.id("ask-planner").click();
  const local = await answer.settled();
  assert.equal((await local.state()).state, "done");
});

test("with a proxy of another origin saved the page still reaches no third host", async (t) => {
  const foreign = await listener(t);
  const { endpoint, url, scene } = await withPort(async (port) => {
    const args = ["--origin", `http://127.0.0.1:${port}`];
    const there = await proxy(t, { script: () => say("Never asked."), args });
    const expect = /Content Security Policy|violates|Failed to (load|fetch)|ERR_|CORS/;
    return { ...there, scene: await page(t, there.url, "openai-chat", { port, expect }) };
  });
  const [third, saved] = await scene.page.evaluate(
    async ([foreign, url]) => {
      const blocked = new Promise((done) => {
        addEventListener("securitypolicyviolation", ({ blockedURI }) => done(blockedURI));
      });
      const outcome = (host) => fetch(host, { mode: "no-cors" }).then(() => "reached");
      return [await outcome(foreign).catch(() => blocked), await outcome(url)];
    },
    [foreign.url, url],
  );
  assert.deepEqual([third, saved, foreign.seen], [foreign.url, "reached", []]);
  assert.equal(endpoint.bodies.length, 0);
});

test("a model that the proxy does not allow: its own words are shown", async (t) => {
  const scene = await withPort(async (port) => {
    const args = ["--origin", `http://127.0.0.1:${port}`];
    const { url } = await proxy(t, { script: [], args });
    const settings = { endpoint: url, model: "another", wire: "openai-chat" };
    return open(t, { settings, port, expect: /403/ });
  });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("which shop has the highest total?");
  assert.equal((await answer.error()).code, "endpoint_status");
  assert.match(await answer.id("error-detail").innerText(), /not allowed; allowed: scripted/);
});
