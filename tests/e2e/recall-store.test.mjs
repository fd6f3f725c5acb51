// The database of questions asked before, in a real browser: full, deleted underneath, of a later
// version, with records of an older shape. Nothing is lost that was not asked to go.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const SCRIPT = JSON.stringify({ table: "purchases", select: "sum(amount)" });

/** A page with a table and its questions as `recall`. */
const begin = (scene) =>
  scene.run(async ({ Pinhole }, csv) => {
    globalThis.ph = await Pinhole.open({ persist: true });
    await ph.load("purchases", new Blob([csv]));
    globalThis.recall = ph.recall({ context: "shops" });
    globalThis.questions = async () => (await recall.list()).map(({ question }) => question).sort();
    globalThis.save = (question, script) =>
      recall.save(question, { kind: "query", script }).then(
        () => undefined,
        ({ code }) => code,
      );
  }, PURCHASES);

/** Loads the page anew: what is asked then comes from the database. */
async function reload(scene) {
  await scene.page.reload();
  await begin(scene);
}

const ask = (scene, work, given) => scene.page.evaluate(work, given);

test("a full database loses nothing, and takes all once there is room", async (t) => {
  const scene = await open(t, { blank: true });
  const session = await scene.context.newCDPSession(scene.page);
  const { origin } = new URL(scene.url);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 200_000 });
  await begin(scene);
  assert.equal(await ask(scene, (script) => save("first", script), SCRIPT), undefined);
  const big = SCRIPT.padEnd(390_000);
  assert.equal(await ask(scene, (script) => save("second", script), big), "recall_full");
  const meanwhile = await ask(scene, async () => {
    const { id } = (await recall.list()).find(({ question }) => question === "second");
    const { success, result } = await recall.execute(id);
    return { success, value: result.value, problem: recall.problem?.code, all: await questions() };
  });
  assert.deepEqual([meanwhile.success, meanwhile.all], [true, ["first", "second"]]);
  assert.equal(meanwhile.value, 1445.75);
  assert.equal(meanwhile.problem, "recall_full");
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  assert.equal(await ask(scene, (script) => save("third", script), SCRIPT), undefined);
  assert.equal(await ask(scene, () => recall.problem?.code), undefined);
  await reload(scene);
  assert.deepEqual(await ask(scene, () => questions()), ["first", "second", "third"]);
});

test("a database that is deleted underneath is made anew and stays cleared", async (t) => {
  const scene = await open(t, { blank: true });
  await begin(scene);
  await ask(scene, (script) => save("first", script), SCRIPT);
  await ask(
    scene,
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.deleteDatabase("pinhole-recall");
        request.onsuccess = done;
        request.onerror = request.onblocked = fail;
      }),
  );
  assert.equal(await ask(scene, (script) => save("second", script), SCRIPT), undefined);
  assert.deepEqual(await ask(scene, () => questions()), ["first", "second"]);
  await reload(scene);
  assert.deepEqual(await ask(scene, () => questions()), ["second"]);
});

/** Opens the database by hand, makes its place where it is new, and puts records in. */
const prepare = (scene, version, records) =>
  ask(
    scene,
    ([version, records]) =>
      new Promise((done, fail) => {
        const request = indexedDB.open("pinhole-recall", version);
        request.onupgradeneeded = () => {
          const store = request.result.createObjectStore("records", { keyPath: "id" });
          store.createIndex("context", "context_code");
        };
        request.onerror = fail;
        request.onsuccess = () => {
          const database = request.result;
          const transaction = database.transaction("records", "readwrite");
          for (const record of records) transaction.objectStore("records").put(record);
          transaction.oncomplete = () => {
            database.close();
            done();
          };
        };
      }),
    [version, records],
  );

/** Every record as the database has it. */
const stored = (scene) =>
  ask(
    scene,
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.open("pinhole-recall");
        request.onerror = fail;
        request.onsuccess = () => {
          const database = request.result;
          const all = database.transaction("records").objectStore("records").getAll();
          all.onsuccess = () => {
            done({ version: database.version, records: all.result });
            database.close();
          };
        };
      }),
  );

test("a database of a later version is left as it is", async (t) => {
  const scene = await open(t, { blank: true });
  await prepare(scene, 99, [{ id: 1, context_code: "shops", later: true }]);
  await begin(scene);
  assert.equal(await ask(scene, (script) => save("first", script), SCRIPT), "recall_later");
  const answer = await ask(scene, async () => {
    const { id } = (await recall.list())[0];
    return (await recall.execute(id)).success;
  });
  assert.equal(answer, true);
  const { version, records } = await stored(scene);
  assert.deepEqual([version, records], [99, [{ id: 1, context_code: "shops", later: true }]]);
});

test("records of an older shape are read, and what cannot be read stays where it is", async (t) => {
  const scene = await open(t, { blank: true });
  const old = { context_code: "shops", script: SCRIPT, is_valid: true };
  const length = Math.hypot(3, 4) / 30_000;
  const values = [3, 4].map((value) => Math.round(value / length));
  await prepare(scene, 1, [
    { id: 11, question: "total amount", ...old },
    { id: 12, question: "another one", ...old, embedding: { embedder: "own-2", values } },
    { id: 13, question: 7, ...old },
  ]);
  await begin(scene);
  assert.deepEqual(await ask(scene, () => questions()), ["another one", "total amount"]);
  const told = await ask(scene, () => ({
    code: recall.problem?.code,
    text: recall.problem?.message,
  }));
  assert.equal(told.code, "recall_damaged");
  assert.match(told.text, /: 1,/);
  const got = await ask(scene, async () => {
    const { cached, success } = await recall.ask("Total amount?");
    // What the opening has not made yet.
    await recall.migrate();
    return { cached, success };
  });
  assert.deepEqual(got, { cached: true, success: true });
  const { records } = await stored(scene);
  const makers = records.filter(({ id }) => id !== 13).map(({ embedding }) => embedding.embedder);
  assert.ok(makers.length === 2 && makers.every((maker) => /^built-in-/.test(maker)), `${makers}`);
  assert.equal(records.find(({ id }) => id === 13).question, 7);
  const read = records.find(({ id }) => id === 11);
  assert.deepEqual([read.usage_count, read.is_valid], [1, true]);
  assert.equal(typeof read.embedding.values, "string");
});

test("the same question is answered while ten thousand others are read, and none is lost", async (t) => {
  const scene = await open(t, { blank: true });
  await begin(scene);
  const count = 10_000;
  const filled = await ask(
    scene,
    async ([count, script]) => {
      const at = "2026-01-01T00:00:00.000Z";
      const about = { context_code: "shops", kind: "query", script, is_valid: true };
      const lines = Array.from({ length: count }, (_, number) =>
        JSON.stringify({
          ...about,
          question: `total above ${number}`,
          created_at: at,
          updated_at: at,
        }),
      );
      const { added } = await recall.import(lines.join("\n"));
      return { added, problem: recall.problem?.code };
    },
    [count, SCRIPT],
  );
  assert.deepEqual(filled, { added: count, problem: undefined });
  await reload(scene);
  const read = await ask(scene, async () => {
    const order = [];
    const all = recall.list().then((records) => order.push("all") && records.length);
    const one = recall.ask("Total above 777?").then((answer) => order.push("one") && answer);
    const { cached, by, script_id } = await one;
    return { cached, by, script_id, count: await all, order };
  });
  assert.deepEqual([read.cached, read.by, read.count], [true, "exact", count]);
  assert.deepEqual(read.order, ["one", "all"]);
  const used = await ask(scene, async (id) => (await recall.get(id)).usage_count, read.script_id);
  assert.equal(used, 1);
  await reload(scene);
  // Forgotten is forgotten, whichever way it is looked for.
  const gone = await ask(
    scene,
    async (id) => {
      const { usage_count: used } = await recall.get(id);
      await recall.delete(id);
      await recall.close();
      globalThis.recall = ph.recall({ context: "shops" });
      const { found } = await recall.find("total above 777");
      return { used, found, left: (await questions()).length, record: await recall.get(id) };
    },
    read.script_id,
  );
  assert.deepEqual([gone.used, gone.left, gone.record], [1, count - 1, undefined]);
  assert.notEqual(gone.found, "run");
});
