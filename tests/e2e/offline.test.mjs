// The page without a network: kept by its service worker after the first visit, code and no data.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
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
    const cache = await caches.open("pinhole-page");
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
  for (const name of [
    "",
    "app.js",
    "style.css",
    "icon.svg",
    "household.js",
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
  await scene.page.locator("footer a").click();
  await scene.id("leaves-en").getByRole("heading", { level: 1 }).waitFor();

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
  return { page, session: await context.newCDPSession(page) };
}

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
