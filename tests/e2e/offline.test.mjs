// The page without a network: kept by its service worker after the first visit, code and no data.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launchIn } from "../browser.mjs";
import { serve } from "../server.mjs";
import { listener, stage } from "./harness.mjs";

const open = stage();
const SALES = "shop,amount\nKuper,10\nVkusno,25.5\nKuper,4.5\n";

/** Waits until the files are kept; their paths. */
function kept(scene) {
  return scene.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const [name, ...others] = await caches.keys();
    if (!name || others.length > 0) throw new Error(`caches: ${[name, ...others]}`);
    const cache = await caches.open(name);
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });
}

test("after one visit it starts, reads a file and answers with the server gone", async (t) => {
  const scene = await open(t, {
    offline: true,
    expect: /Failed to load resource|ERR_|Content Security Policy/,
  });
  const other = await listener(t);
  const code = await kept(scene);
  await scene.id("offline").filter({ hasText: "Ready offline." }).waitFor();
  for (const name of [
    "",
    "app.js",
    "style.css",
    "icon.svg",
    "household.js",
    "household-names.js",
    "leaves.html",
    "pinhole/worker.js",
  ]) {
    assert.ok(code.includes(`/${name}`), name);
  }
  const wasm = code.filter((path) => path.endsWith(".wasm")).sort();
  assert.deepEqual(wasm, [
    "/pinhole/pinhole_bg.wasm",
    "/pinhole/pinhole_parquet_bg.wasm",
    "/pinhole/quickjs.wasm",
  ]);

  // What comes from addresses is not kept, be it of this origin or of another.
  await scene.page.evaluate(async (foreign) => {
    await Promise.all([
      fetch("/v1/table.csv"),
      fetch("/app.js?x=1"),
      fetch("/", { method: "HEAD" }),
    ]);
    await fetch(foreign).catch(() => undefined);
  }, other.url);
  const later = await kept(scene);
  assert.deepEqual(
    later.filter((path) => !code.includes(path)).filter((path) => path !== "/csp.js"),
    [],
  );
  for (const path of later) assert.match(path, /^\/[\w/.-]*$/);
  assert.deepEqual(other.seen, [], "nothing of another origin");
  for (const { method } of scene.log.filter(({ url }) => code.includes(url))) {
    assert.match(method, /^(GET|HEAD)$/);
  }

  await scene.unplug();
  await scene.page.reload();
  await scene.ready();
  await scene.load("sales.csv", SALES);
  await scene.id("penguins").click();
  await scene.id("table-card").nth(1).waitFor();
  const answer = await scene.ask("total amount by shop");
  assert.match(await answer.text(), /Vkusno.*25\.5|25\.5.*Vkusno/s);
  await scene.picture("80-offline");

  // What leaves is said there, too.
  await scene.id("answers").waitFor();
  const opened = scene.context.waitForEvent("page");
  await scene.page.locator("footer a").click();
  const leaves = await opened;
  await leaves.getByTestId("leaves-en").getByRole("heading", { level: 1 }).waitFor();
  await leaves.close();

  // The page by its other name.
  await scene.page.goto(new URL("index.html", scene.url).href);
  await scene.ready();
});

/** The page in a browser with a profile: a window that keeps nothing installs nothing. */
async function profiled(t, extra) {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-profile-"));
  const { server, url } = await serve(process.env.PINHOLE_SITE, 0, extra);
  const context = await launchIn(folder);
  t.after(async () => {
    await context.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(
    () => document.querySelector("#engine").dataset.state === "engine_ready",
  );
  const unplug = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { page, unplug, session: await context.newCDPSession(page) };
}

test("after an update one visit is enough: without a network there is the new build alone", async (t) => {
  // Two builds of one site: a script that is another one, which leads to a part of its own.
  let build = "one";
  const own = await readFile(join(process.env.PINHOLE_SITE, "service-worker.js"), "utf8");
  const named = /const BUILD = "\w+";/;
  assert.match(own, named);
  const files = () => ({
    "/service-worker.js": own.replace(named, `const BUILD = "${build}";`),
    "/offline.js": `import { part } from "./part-${build}.js";
      globalThis.build = [part, "${build}"];
      export const keepForOffline = () => navigator.serviceWorker.register("service-worker.js");`,
    [`/part-${build}.js`]: `export const part = "${build}";`,
  });
  const { page, unplug } = await profiled(t, (request, response) => {
    const text = files()[request.url];
    if (text === undefined) return false;
    response.writeHead(200, { "content-type": "text/javascript", "cache-control": "max-age=600" });
    response.end(text);
    return true;
  });
  const parts = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const kept = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      );
      return { caches: names.length, parts: kept.flat().filter((url) => url.includes("/part-")) };
    });
  /** Waits until a build has taken over: its cache is the only one. */
  const rules = (name) =>
    page.evaluate(async (name) => {
      for (;;) {
        const { active } = await navigator.serviceWorker.ready;
        const [one, ...others] = await caches.keys();
        const alone = others.length === 0 && one?.endsWith(` ${name}`);
        if (alone && active.state === "activated") return;
        await new Promise((done) => setTimeout(done, 100));
      }
    }, name);
  const home = new URL("/", page.url());
  await rules("one");
  assert.deepEqual((await parts()).parts, [new URL("part-one.js", home).href]);
  // What a build of before had, when all shared one cache.
  await page.evaluate(() => caches.open("pinhole-page"));

  build = "two";
  await page.reload();
  await rules("two");
  const { caches: count, parts: kept } = await parts();
  assert.deepEqual([count, kept], [1, [new URL("part-two.js", home).href]]);
  await unplug();
  await page.reload();
  await page.waitForFunction(
    () => document.querySelector("#engine").dataset.state === "engine_ready",
  );
  assert.deepEqual(await page.evaluate(() => globalThis.build), ["two", "two"]);
});

test("a server that fails for a while leaves the build before in place, and the page up", async (t) => {
  let [build, failing] = ["one", () => false];
  const own = await readFile(join(process.env.PINHOLE_SITE, "service-worker.js"), "utf8");
  const { page } = await profiled(t, (request, response) => {
    if (failing(request.url)) {
      response.writeHead(503).end("busy");
      return true;
    }
    if (request.url !== "/service-worker.js") return false;
    response.writeHead(200, { "content-type": "text/javascript" });
    response.end(own.replace(/const BUILD = "\w+";/, `const BUILD = "${build}";`));
    return true;
  });
  const keeps = (name) =>
    page.evaluate(async (name) => {
      const { active } = await navigator.serviceWorker.ready;
      while (active.state !== "activated")
        await new Promise((done) => active.addEventListener("statechange", done, { once: true }));
      const names = await caches.keys();
      return names.length === 1 && names[0].endsWith(` ${name}`);
    }, name);
  assert.equal(await keeps("one"), true);

  // One file of the next build does not come: it is not half installed.
  build = "two";
  failing = (url) => url === "/penguins.csv";
  await page.evaluate(async () => {
    const found = await navigator.serviceWorker.getRegistration();
    const next = new Promise((done) => {
      found.addEventListener("updatefound", () => done(found.installing), { once: true });
    });
    await found.update();
    const worker = await next;
    while (worker.state !== "redundant")
      await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  });
  assert.equal(await keeps("one"), true);

  failing = () => true;
  await page.reload();
  await page.waitForFunction(
    () => document.querySelector("#engine").dataset.state === "engine_ready",
  );
  const status = await page.evaluate(async () => (await fetch("nothing.js")).status);
  assert.equal(status, 503, "of what is not kept it says what came");
});

test("it can be installed", async (t) => {
  const { session } = await profiled(t);
  const { errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const about = JSON.parse(data);
  assert.equal(about.start_url, "./");
  assert.equal(about.display, "standalone");
  assert.equal(about.icons[0].src, "icon.svg");
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors, []);
});

test("without its icon it cannot be, and that is seen", async (t) => {
  const { session } = await profiled(t, (request, response) => {
    if (request.url !== "/icon.svg") return false;
    response.writeHead(404).end();
    return true;
  });
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.notDeepEqual(installabilityErrors, []);
});
