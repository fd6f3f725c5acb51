// Questions asked before, on the page: answered at once and said so, asked afresh, offered where they
// may be meant, listed and forgotten; kept over the end of the browser.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launchIn } from "../browser.mjs";
import { serve } from "../server.mjs";
import { Endpoint, call, say } from "./endpoint.mjs";
import { ENDPOINT, PATIENCE, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

const QUESTION = "total amount by shop?";
const TRUE = "Vkusno has the highest total, 912.";
const ANSWER = [call("query", BY_SHOP), say(TRUE)];

const above = (number, count) => [
  call("query", { table: "purchases", where: `amount > ${number}`, select: "count()" }),
  say(`There are ${count} of them.`),
];

test("the same question is answered as before, which is said, and afresh when wanted", async (t) => {
  const scene = await open(t, { model: true, script: [...ANSWER, ...ANSWER] });
  await scene.load("purchases.csv", PURCHASES);
  const first = await scene.ask(QUESTION);
  assert.equal(await first.text(), TRUE);
  assert.equal(await first.id("recalled").count(), 0);
  assert.equal(scene.endpoint.bodies.length, 2);
  const again = await scene.ask("Total amount by shop");
  assert.equal(scene.endpoint.bodies.length, 2, "no request was made");
  assert.match(await again.id("recalled").innerText(), /^Asked before, first on .*\d/);
  assert.equal(await again.id("answered-by").innerText(), "answered as before");
  assert.match(await again.text(), /Vkusno/);
  assert.match(await again.id("reading-text").innerText(), /^Understood as: /);
  assert.ok((await again.claims()).every(({ verdict }) => verdict === "verified"));
  assert.deepEqual((await again.rows()).length, 4);
  await again.id("tab-answer").click();
  await scene.picture("70-recalled");
  await again.id("recall-fresh").click();
  const fresh = await (await scene.newest()).settled();
  assert.equal(scene.endpoint.bodies.length, 4);
  assert.equal(await fresh.text(), TRUE);
});

test("the same in other words is offered, and runs when it is taken", async (t) => {
  const scene = await open(t, { model: true, script: [...ANSWER, ...ANSWER] });
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  const worded = await scene.ask("what is the total amount per shop, please?");
  assert.equal(scene.endpoint.bodies.length, 4, "what is offered does not run unasked");
  assert.equal(await worded.text(), TRUE);
  const offer = worded.id("recall-suggestion");
  // An answer that is there needs no other question: one line below it is enough.
  assert.equal(await offer.isVisible(), false);
  const line = worded.id("recall-alike").locator("summary");
  assert.equal(await line.innerText(), "Similar questions asked before: 1");
  const topOf = async (one) => (await one.boundingBox()).y;
  assert.ok((await topOf(line)) > (await topOf(worded.id("answer-text"))));
  await scene.picture("71-suggested-line");
  await line.click();
  assert.equal(await offer.innerText(), QUESTION);
  await scene.picture("71-suggested");
  await offer.click();
  const taken = await (await scene.newest()).settled();
  assert.equal(scene.endpoint.bodies.length, 4, "no request was made");
  assert.equal(await taken.id("recalled").count(), 1);
  assert.equal(await taken.id("answer-question").innerText(), QUESTION);
});

test("what may be meant is plainly to see while a model is waited for", async (t) => {
  const [query, said] = ANSWER;
  const script = [...ANSWER, { ...query, hang: 0 }, said];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  const worded = await scene.begin("what is the total amount per shop, please?");
  await worded.id("recall-suggestion").waitFor();
  await scene.picture("71-suggested-waiting");
  scene.endpoint.release();
  await worded.settled();
  assert.equal(await worded.id("recall-suggestion").isVisible(), false);
});

test("a question that was declined shows those that it is like", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask(QUESTION);
  const answered = await scene.ask("mean amount by shop");
  assert.equal(await answered.id("recall-suggestion").first().isVisible(), false);
  const declined = await scene.ask("total margin by shop");
  assert.equal(await declined.id("answer-copy").count(), 0, "it was declined");
  assert.equal(await declined.id("recall-suggestion").first().isVisible(), true);
  await scene.picture("71-suggested-declined");
});

test("a list of similar questions has three at most, each of them once", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  for (const what of ["total", "mean", "highest", "lowest", "median"])
    await scene.ask(`${what} amount by shop`);
  const declined = await scene.ask("total margin by shop");
  const offers = await declined.id("recall-suggestion").allInnerTexts();
  assert.equal(offers.length, 3, String(offers));
  assert.equal(new Set(offers).size, 3);
  assert.match(await declined.id("recall-alike").locator("summary").innerText(), /: 3$/);
  // Where the answer is there it is one line.
  const answered = await scene.ask("number of purchases by shop");
  for (const offer of await answered.id("recall-suggestion").all())
    assert.equal(await offer.isVisible(), false);
});

test("another number is another question, and what differs is named", async (t) => {
  const script = [...above(100, 3), ...above(400, 2)];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("how many purchases with amount above 100?");
  const other = await scene.ask("how many purchases with amount above 400?");
  assert.equal(scene.endpoint.bodies.length, 4);
  assert.match(await other.text(), /2/);
  assert.equal(await other.id("recalled").count(), 0);
  await other.id("recall-alike").locator("summary").click();
  const differs = await other.id("recall-differs").first().innerText();
  assert.ok(differs.includes("100") && differs.includes("400"), differs);
});

test("the same questions in their order make no request, nor one that stands alone at any turn", async (t) => {
  const second = "How many purchases with amount above 100?";
  const before = call("query", { table: "purchases", where: "amount < 100", select: "count()" });
  const script = [...ANSWER, ...above(100, 3)];
  for (let n = 0; n < 2; n += 1) script.push(before, say("There are 2 of them."));
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const requests = () => scene.endpoint.bodies.length;
  const asked = async (question) => {
    const answer = await scene.ask(question);
    return [await answer.id("recalled").count(), requests()];
  };
  assert.deepEqual(await asked(QUESTION), [0, 2]);
  assert.deepEqual(await asked(second), [0, 4]);
  assert.deepEqual(await asked(second), [1, 4], "no request was made");
  const on = "and those below it?";
  assert.deepEqual(await asked(on), [0, 6]);
  assert.deepEqual(await asked(on), [0, 8], "it is asked anew");
  await scene.id("history-show").click();
  await scene.id("history-keep").check();
  await scene.page.locator('#history-keep[aria-busy="false"]').waitFor();
  await scene.page.reload();
  await scene.ready();
  await scene.load("purchases.csv", PURCHASES);
  await scene.id("question").fill(second);
  await scene.id("ask").click();
  await scene.page.locator('[data-testid="answer"][aria-busy="false"]').waitFor();
  assert.deepEqual([await scene.id("recalled").count(), requests()], [1, 8]);
  // Another conversation that goes the same way.
  await scene.id("new-chat").click();
  const answers = scene.page.locator('[data-testid="answer"][aria-busy="false"]');
  for (const [n, question] of [QUESTION, second, on, on].entries()) {
    await scene.id("question").fill(question);
    await scene.id("ask").click();
    await answers.nth(n).waitFor();
    assert.deepEqual([await scene.id("recalled").count(), requests()], [n + 1, 8], question);
  }
});

test("a limit of the model's own is not carried over, what was asked before may be", async (t) => {
  const query = (more) => call("query", { table: "purchases", select: "sum(amount)", ...more });
  const top = query({ group_by: "shop", sort: "sum_amount desc", limit: 3 });
  const kuper = query({ where: "shop == 'Kuper'" });
  const script = [kuper, say("It is 310.5."), ...above(100, 3), top, say(TRUE)];
  script.push(...above(200, 3));
  script.push(kuper, say("It is 310.5."), kuper, say("It is 310.5."));
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const asked = async (question) => {
    const answer = await scene.ask(question);
    return [await answer.id("recalled").count(), scene.endpoint.bodies.length];
  };
  assert.deepEqual(await asked("total amount of Kuper"), [0, 2]);
  assert.deepEqual(await asked("how many purchases with amount above 100?"), [0, 4]);
  assert.deepEqual(await asked(QUESTION), [0, 6]);
  assert.deepEqual(await asked("how many purchases with amount above 200?"), [0, 8]);
  assert.deepEqual(await asked(QUESTION), [1, 8], "no request was made");
  // The shop is of the first question: after others it may be another one.
  assert.deepEqual(await asked("total amount?"), [0, 10]);
  assert.deepEqual(await asked("how many purchases with amount above 100?"), [1, 10]);
  assert.deepEqual(await asked("total amount?"), [0, 12]);
});

test("questions are listed, forgotten, exported and imported", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("total amount by shop");
  await scene.id("history-show").click();
  const item = scene.id("recall-item");
  await item.waitFor();
  assert.equal(await scene.id("recall-question").innerText(), "total amount by shop");
  const [file] = await Promise.all([
    scene.page.waitForEvent("download"),
    scene.id("recall-export").click(),
  ]);
  const lines = await readFile(await file.path(), "utf8");
  assert.equal(JSON.parse(lines).question, "total amount by shop");
  await scene.id("recall-forget").click();
  await scene.id("recall-empty").waitFor();
  // The focus is not lost with the button.
  assert.equal(await scene.page.evaluate(() => document.activeElement.id), "history-title");
  const buffer = Buffer.from(`${lines}not a record\n`);
  await scene
    .id("recall-file")
    .setInputFiles({ name: "questions.jsonl", mimeType: "application/jsonl", buffer });
  await scene.id("recall-told").filter({ hasText: "Added: 1" }).waitFor();
  assert.match(await scene.id("recall-told").innerText(), /unreadable lines: 1/);
  await item.waitFor();
  await scene.picture("72-questions");
  await scene.id("history-close").click();
  const again = await scene.ask("total amount by shop");
  assert.equal(await again.id("recalled").count(), 1);
});

test("without consent the history says that questions are in this tab alone, and they are", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.ask("total amount by shop");
  await scene.id("history-show").click();
  await scene.id("recall-item").waitFor();
  const history = scene.id("history");
  const said = await history.innerText();
  assert.doesNotMatch(said, /nothing is kept/i);
  assert.match(said, /No conversation is kept on this device:/);
  assert.match(said, /They are in this tab alone, until it is closed or reloaded/);
  await scene.picture("72-questions-unkept");
  await scene.id("history-close").click();
  await scene.id("language-ru").click();
  await scene.id("history-show").click();
  await scene.id("recall-item").waitFor();
  assert.match(await history.innerText(), /Они есть только в этой вкладке/);
  const stored = await scene.page.evaluate(async () => [
    (await indexedDB.databases()).map(({ name }) => name),
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  ]);
  assert.ok(!stored[0].includes("pinhole-recall"), String(stored[0]));
  assert.ok(!stored[1].includes("total amount"), stored[1]);
  await scene.page.reload();
  await scene.ready();
  await scene.id("history-show").click();
  await scene.id("recall-empty").waitFor();
});

/** In the page: how many records the device has, with one more where it is given. */
function records(more) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("pinhole-recall");
    opening.onerror = failed;
    opening.onsuccess = () => {
      const database = opening.result;
      const work = database.transaction("records", "readwrite");
      const store = work.objectStore("records");
      if (more) store.put(more);
      const count = store.count();
      work.oncomplete = () => {
        database.close();
        done(count.result);
      };
    };
  });
}

/** Waits until the consent is in the browser's files, which it writes some seconds after it was given. */
async function consentWritten(folder) {
  const store = join(folder, "Default", "Local Storage", "leveldb");
  for (const end = Date.now() + PATIENCE; ;) {
    const logs = (await readdir(store)).filter((name) => name.endsWith(".log"));
    const texts = await Promise.all(logs.map((name) => readFile(join(store, name), "latin1")));
    if (texts.some((text) => text.includes('"keep":true'))) return;
    assert.ok(Date.now() < end, "the consent was not written");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("with consent they survive the end of the browser, and go when it is taken back", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "pinhole-profile-"));
  const endpoint = new Endpoint([...ANSWER, ...ANSWER]);
  const { server, url } = await serve(process.env.PINHOLE_SITE, 0, async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    return endpoint.answer(request, response, Buffer.concat(parts));
  });
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const visit = async (work) => {
    const browser = await launchIn(folder);
    browser.setDefaultTimeout(PATIENCE);
    try {
      const page = await browser.newPage();
      await page.addInitScript(
        (saved) => {
          localStorage.getItem("pinhole.settings") ??
            localStorage.setItem("pinhole.settings", saved);
        },
        JSON.stringify({ endpoint: ENDPOINT, model: "scripted" }),
      );
      await page.goto(url);
      await page.waitForFunction(
        () => document.querySelector("#engine").dataset.state === "engine_ready",
      );
      const id = (name) => page.locator(`[data-testid="${name}"]`);
      return await work(page, id);
    } finally {
      await browser.close();
    }
  };
  const ask = async (page, id) => {
    const buffer = Buffer.from(PURCHASES);
    const before = await id("answer").count();
    if (before === 0) {
      await id("file-input").setInputFiles({ name: "purchases.csv", mimeType: "text/csv", buffer });
      await id("table-card").waitFor();
    }
    await id("question").fill(QUESTION);
    await id("ask").click();
    await page.waitForFunction(
      (n) =>
        document.querySelectorAll('[data-testid="answer"][aria-busy="false"]').length === n + 1,
      before,
    );
    return id("answer").first().locator('[data-testid="recalled"]').count();
  };
  await visit(async (page, id) => {
    assert.equal(await ask(page, id), 0);
    // What was asked before the consent is kept with it.
    await id("history-show").click();
    await id("recall-item").waitFor();
    await id("history-keep").check();
    await page.locator('#history-keep[aria-busy="false"]').waitFor();
    assert.equal(await id("recall-list").locator("article").count(), 1);
    // The conversation goes on, with what is on the device now.
    await id("history-close").click();
    assert.equal(await ask(page, id), 1);
    await consentWritten(folder);
  });
  assert.equal(endpoint.bodies.length, 2);
  await visit(async (page, id) => {
    assert.equal(await ask(page, id), 1);
    await id("history-show").click();
    await id("recall-item").waitFor();
    // What cannot be read is not in the list, and goes with the others.
    const odd = { id: 9, context_code: "page", question: 7 };
    assert.equal(await page.evaluate(records, odd), 2);
    await id("history-keep").click();
    await id("history-stop").filter({ hasText: "Questions with what answered them: 1" }).waitFor();
    await id("history-stop-sure").click();
    await id("history-stop").waitFor({ state: "detached" });
    assert.equal(await id("history-keep").isChecked(), false);
    assert.equal(await page.evaluate(records), 0);
  });
  assert.equal(endpoint.bodies.length, 2, "no request the second time");
  await visit(async (page, id) => {
    assert.equal(await ask(page, id), 0);
  });
  assert.equal(endpoint.bodies.length, 4);
});
