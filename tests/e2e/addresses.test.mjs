// Files by their address: of the page's own server at once, of another one when the person has said
// so. The page's policy knows the hosts that were allowed and no other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../server.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** A server of files that pages elsewhere may read, and the paths that were asked for. */
async function elsewhere(t) {
  const seen = [];
  const { server, url } = await serve(import.meta.dirname, 0, (request, response) => {
    seen.push(request.url);
    const headers = { "access-control-allow-origin": "*", "content-type": "text/csv" };
    response.writeHead(200, headers).end(PURCHASES);
    return true;
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, seen };
}

async function load(scene, address) {
  await scene.id("url-input").fill(address);
  await scene.id("url-load").click();
}

test("a file of the page's own server", async (t) => {
  const scene = await open(t);
  await load(scene, "penguins.csv");
  await scene.id("table-card").waitFor();
  assert.deepEqual(
    [await scene.id("table-name").textContent(), await scene.id("table-rows").textContent()],
    ["penguins", "344"],
  );
  const answer = await scene.ask("average body_mass_g by species");
  assert.equal((await answer.rows()).length, 3);
});

test("a file elsewhere: asked first, then loaded; every other host stays out of reach", async (t) => {
  const expect = /Content Security Policy|violates|Failed to (load|fetch)/;
  const files = await elsewhere(t);
  const other = await elsewhere(t);
  const scene = await open(t, { expect });
  const address = `${files.url}data/purchases.csv`;
  await load(scene, address);
  await scene
    .id("host-card")
    .filter({ hasText: new URL(files.url).host })
    .waitFor();
  await scene.picture("13-host");
  await scene.id("host-cancel").click();
  await scene.id("host-card").waitFor({ state: "detached" });
  const reached = (url) =>
    scene.page.evaluate(
      (address) =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      url,
    );
  assert.equal(await reached(address), false);
  assert.deepEqual(files.seen, [], "nothing was asked for before the person has said so");

  await load(scene, address);
  await scene.id("host-allow").click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-rows").textContent(), "7");
  assert.deepEqual(files.seen, ["/data/purchases.csv"]);
  const answer = await scene.ask("total amount by shop");
  assert.match(await answer.text(), /912/);
  assert.equal(await reached(other.url), false);
  assert.deepEqual(other.seen, []);
  assert.deepEqual(files.seen, ["/data/purchases.csv"], "the question went nowhere");

  // It is remembered, for this host alone.
  await scene.page.reload();
  await scene.ready();
  await load(scene, address);
  await scene.id("table-card").waitFor();
  assert.equal(files.seen.length, 2);
  await scene.id("table-drop").click();
  await load(scene, `${other.url}purchases.csv`);
  await scene.id("host-card").waitFor();
  assert.deepEqual(other.seen, []);
});

test("a host that was allowed is seen, and refused once it was removed", async (t) => {
  const expect = /Content Security Policy|violates|Failed to (load|fetch)/;
  const files = await elsewhere(t);
  const other = await elsewhere(t);
  const hosts = [files.url, other.url].map((url) => new URL(url).origin);
  const scene = await open(t, { expect, settings: { hosts } });
  const reached = (url) =>
    scene.page.evaluate(
      (address) =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      url,
    );
  assert.deepEqual([await reached(files.url), await reached(other.url)], [true, true]);
  await load(scene, `${files.url}purchases.csv`);
  await scene.id("table-card").waitFor();
  await scene.id("settings-open").click();
  assert.deepEqual(
    await scene.id("host").evaluateAll((list) => list.map(({ dataset }) => dataset.origin)),
    hosts,
  );
  await scene.picture("14-hosts");
  const first = scene.page.locator(`[data-origin="${hosts[0]}"]`);
  await Promise.all([scene.page.waitForEvent("load"), scene.id("host-remove", first).click()]);
  await scene.ready();

  // The table is there, its server is not to be had, the other one is.
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-name").textContent(), "purchases");
  const before = files.seen.length;
  assert.deepEqual([await reached(files.url), await reached(other.url)], [false, true]);
  assert.equal(files.seen.length, before);
  await scene.id("settings-open").click();
  const left = scene.id("host");
  assert.equal(await left.getAttribute("data-origin"), hosts[1]);
  await Promise.all([scene.page.waitForEvent("load"), scene.id("host-remove", left).click()]);
  await scene.ready();
  await scene.id("settings-open").click();
  await scene.id("hosts-none").waitFor();
  await scene.id("settings-close").click();
  assert.equal(await reached(other.url), false);

  // Who wants the file again is asked again.
  await scene.id("table-drop").click();
  await scene.id("table-card").waitFor({ state: "detached" });
  await load(scene, `${files.url}purchases.csv`);
  await scene.id("host-card").waitFor();
  assert.equal(files.seen.length, before);
});

test("what is no address of a file is said, in both languages", async (t) => {
  const scene = await open(t);
  for (const [language, said] of [
    ["en", /begins with https:/],
    ["ru", /начинается с https:/],
  ]) {
    await scene.id(`language-${language}`).click();
    for (const address of ["", "ftp://example.org/a.csv", "javascript:alert(1)", "https://"]) {
      await load(scene, address);
      const error = scene.page.locator(
        '[data-testid="load-area"] [data-testid="error"]:not([data-seen])',
      );
      await error.waitFor();
      assert.equal(await error.getAttribute("data-code"), "bad_url", address);
      assert.match(await error.innerText(), said);
      // The next one is another card.
      await error.evaluate((card) => card.setAttribute("data-seen", ""));
    }
  }
});

test("Cyrillic hosts and names of files are read as they are written, mixed ones by their codes", async (t) => {
  const scene = await open(t, { expect: /404|Failed to load/ });
  const asked = (host) => scene.id("host-card").filter({ hasText: `Let this page reach ${host}?` });
  for (const [address, host] of [
    ["http://пример.рф:8080/a.csv", "пример.рф:8080"],
    ["https://банк-2.com/a.csv", "банк-2.com"],
    // Cyrillic letters that are drawn as Latin ones, alone and between Latin ones.
    ["https://сере.com/a.csv", "xn--e1aa6ac.com"],
    ["https://bаnk.com/a.csv", "xn--bnk-6cd.com"],
  ]) {
    await load(scene, address);
    await asked(host).waitFor();
  }
  await load(scene, "нет такого.csv");
  const failed = scene.id("load-area").locator('[data-testid="error"]');
  await failed.filter({ hasText: "нет такого.csv" }).waitFor();
});
