// The database of questions asked before in a real browser, held by another page or denied: the
// person is told, questions go on in memory, nothing is lost, and all is written once it is let go.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launchIn } from "../browser.mjs";
import { serve } from "../server.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** Another tab of the same site, an empty page. */
async function beside(scene) {
  const page = await scene.context.newPage();
  await page.goto(new URL("/blank.html", scene.url).href);
  return page;
}

/** Opens the database by hand, as an older page would that never lets go; `release()` does. */
const hold = (page) =>
  page.evaluate(
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.open("pinhole-recall", 1);
        request.onerror = fail;
        request.onsuccess = () => {
          globalThis.release = () => request.result.close();
          done();
        };
      }),
  );

/** A page with a table, its questions, and `ask(question)` for what came of one. */
function begin(csv) {
  return import("/pinhole/index.js").then(async ({ DeviceRecallStore, Pinhole }) => {
    globalThis.ph = await Pinhole.open({ locale: "en" });
    await ph.load("purchases", new Blob([csv]));
    globalThis.recall = ph.recall({ context: "shops", store: new DeviceRecallStore() });
    globalThis.ask = async (question) => {
      const { success, cached } = await recall.ask(question);
      const { problem } = recall;
      return { success, cached, problem: problem?.code, told: problem?.message };
    };
    globalThis.questions = async () => (await recall.list()).map(({ question }) => question).sort();
  });
}

const FIRST = "total amount by shop";
const SECOND = "average amount by shop";

/** What came of asking both, the first of them twice. */
const asked = (page) =>
  page.evaluate(
    async ([first, second]) => [await ask(first), await ask(first), await ask(second)],
    [FIRST, SECOND],
  );

/** All was answered, the same question without the planner, and the person is told why it is not kept. */
function inMemory(got, code, words) {
  assert.deepEqual(
    got.map(({ success, cached, problem }) => [success, cached, problem]),
    [
      [true, false, code],
      [true, true, code],
      [true, false, code],
    ],
  );
  for (const { told } of got) assert.match(told, words);
}

/** Once it is let go the next question is written, with those before it, and a new page has them. */
async function goesOn(scene) {
  await scene.page.waitForFunction(async (first) => !(await ask(first)).problem, FIRST, {
    polling: 200,
  });
  // What waited is written a moment after the database is there.
  await scene.page.waitForFunction(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open("pinhole-recall");
        opening.onerror = () => done(false);
        opening.onsuccess = () => {
          const database = opening.result;
          const count = database.transaction("records").objectStore("records").count();
          count.onsuccess = () => {
            database.close();
            done(count.result >= 2);
          };
        };
      }),
    undefined,
    { polling: 200 },
  );
  await scene.page.reload();
  await scene.page.evaluate(begin, PURCHASES);
  assert.deepEqual(await scene.page.evaluate(() => questions()), [SECOND, FIRST]);
  const { cached, problem } = await scene.page.evaluate((first) => ask(first), FIRST);
  assert.deepEqual([cached, problem], [true, undefined]);
}

test("a later version waits for an older page that holds the database, and goes on after it", async (t) => {
  const scene = await open(t, { blank: true });
  const older = await beside(scene);
  await hold(older);
  // The package of some later day, with the next version of the database.
  await scene.page.addInitScript(() => {
    const own = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name, version) => own(name, name === "pinhole-recall" ? 2 : version);
  });
  await scene.page.reload();
  await scene.page.evaluate(begin, PURCHASES);
  inMemory(await asked(scene.page), "recall_blocked", /^another page holds the questions/);
  await older.evaluate(() => release());
  await goesOn(scene);
});

/** A deletion of the database that waits for another page; `release()` of what it gives lets go. */
async function deleting(scene) {
  const older = await beside(scene);
  await hold(older);
  const page = await beside(scene);
  await page.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.deleteDatabase("pinhole-recall").onblocked = () => done();
      }),
  );
  return older;
}

test("a database whose deletion waits for another page holds nothing up", async (t) => {
  const scene = await open(t, { blank: true });
  const older = await deleting(scene);
  await scene.page.evaluate(begin, PURCHASES);
  inMemory(await asked(scene.page), "recall_blocked", /^another page holds the questions/);
  await older.evaluate(() => release());
  await goesOn(scene);
});

test("the page says why questions are not kept, and lists them all the same", async (t) => {
  const scene = await open(t, { settings: { keep: true } });
  await scene.load("purchases.csv", PURCHASES);
  await deleting(scene);
  await scene.page.bringToFront();
  await scene.ask(FIRST);
  const again = await scene.ask(FIRST);
  assert.equal(await again.id("recalled").count(), 1);
  await scene.id("history-show").click();
  await scene.id("recall-item").waitFor();
  assert.equal(await scene.id("recall-question").innerText(), FIRST);
  assert.match(await scene.id("recall-list").innerText(), /another page holds the questions/);
});

test("a page lets a later version have the database, and goes on in memory", async (t) => {
  const scene = await open(t, { blank: true });
  await scene.page.evaluate(begin, PURCHASES);
  const kept = await scene.page.evaluate((first) => ask(first), FIRST);
  assert.deepEqual([kept.success, kept.problem], [true, undefined]);
  const later = await beside(scene);
  const stored = await later.evaluate(
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.open("pinhole-recall", 2);
        request.onblocked = request.onerror = fail;
        request.onsuccess = () => {
          const records = request.result.transaction("records").objectStore("records").getAll();
          records.onsuccess = () => done(records.result.map(({ question }) => question));
        };
      }),
  );
  assert.deepEqual(stored, [FIRST]);
  const after = await scene.page.evaluate((second) => ask(second), SECOND);
  assert.deepEqual([after.success, after.problem], [true, "recall_later"]);
  assert.deepEqual(await scene.page.evaluate(() => questions()), [SECOND, FIRST]);
  const again = await scene.page.evaluate((first) => ask(first), FIRST);
  assert.deepEqual([again.success, again.cached], [true, true]);
});

test("where the browser denies a site its storage, questions go on in memory", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-profile-"));
  // As a person sets it who blocks all cookies: IndexedDB goes with them.
  await mkdir(join(folder, "Default"), { recursive: true });
  const denied = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(folder, "Default/Preferences"), JSON.stringify(denied));
  const { server, url } = await serve(process.env.PINHOLE_SITE, 0, (request, response) => {
    if (request.url !== "/blank.html") return false;
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>b</title>");
    return true;
  });
  const browser = await launchIn(folder);
  t.after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  await page.goto(new URL("blank.html", url).href);
  const opened = await page.evaluate(
    () =>
      new Promise((done) => {
        try {
          const request = indexedDB.open("mine");
          request.onsuccess = () => done("opened");
          request.onerror = () => done("denied");
        } catch {
          done("denied");
        }
      }),
  );
  assert.equal(opened, "denied");
  await page.evaluate(begin, PURCHASES);
  inMemory(await asked(page), "recall_unkept", /cannot be kept on this device/);
  assert.deepEqual(await page.evaluate(() => questions()), [SECOND, FIRST]);
});
