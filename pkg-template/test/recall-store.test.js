// Reading the questions asked before: in parts, one before the others where it is asked for, around
// what is damaged; and nothing that was forgotten or changed meanwhile comes back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD, calls, forget, reopened, scene } from "../testing/questions.js";
import { DeviceRecallStore, FakeWorker, MemoryRecallStore, fake, until } from "../testing/setup.js";

const CONTEXT = "CARL";

/** The number under which the stand-in for the engine keeps a question. */
const numbered = (question, more) => {
  const text = `${CONTEXT}|${question.toLowerCase()}`;
  const id = [...text].reduce((sum, c) => sum + c.codePointAt(), 0);
  return RECORD(id, CONTEXT, { question, ...more });
};

/** How often each record was used. */
const uses = (records) => Object.fromEntries(records.map(({ id, usage_count: n }) => [id, n]));

/** Everything that a store reads, part by part. */
async function parts(store) {
  const all = [];
  for await (const part of store.read(CONTEXT)) all.push(part);
  return all;
}

/** Records that cannot be read, alone or among others, until the test is over. */
function damage(t, ...damaged) {
  const { get, getAll } = IDBObjectStore.prototype;
  const { getAll: getAllOf } = IDBIndex.prototype;
  t.after(() => {
    Object.assign(IDBObjectStore.prototype, { get, getAll });
    IDBIndex.prototype.getAll = getAllOf;
  });
  const bad = () => {
    throw new DOMException("a file is missing", "NotReadableError");
  };
  IDBObjectStore.prototype.get = function (id) {
    return damaged.includes(id) ? bad() : get.call(this, id);
  };
  IDBObjectStore.prototype.getAll = function (range) {
    const within = damaged.some((id) => range.includes(id));
    return within ? bad() : getAll.call(this, range);
  };
  IDBIndex.prototype.getAll = bad;
}

/** Records that read as nothing at all, until the test is over. */
function emptied(t, ...ids) {
  const result = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "result");
  t.after(() => Object.defineProperty(IDBRequest.prototype, "result", result));
  const seen = (value) => (ids.includes(value?.id) ? null : value);
  const get = function () {
    const value = result.get.call(this);
    return Array.isArray(value) ? value.map(seen) : seen(value);
  };
  Object.defineProperty(IDBRequest.prototype, "result", { ...result, get });
}

/** A store in memory that gives its records one by one, each when it is let. */
class SlowStore extends MemoryRecallStore {
  asked = [];
  waits = false;
  #open = 0;
  #wake = () => undefined;
  #hear;

  /** Lets so many records through; one that is negative breaks off. */
  let(count) {
    this.#open += count;
    this.#wake();
  }

  async *read(context) {
    for (const record of await this.load(context)) {
      this.waits = this.#open === 0;
      while (this.#open === 0) await new Promise((wake) => (this.#wake = wake));
      if (this.#open < 0) {
        this.#open = 0;
        throw new DOMException("gone", "UnknownError");
      }
      this.#open -= 1;
      yield { records: [record], unread: 0 };
    }
  }

  async get(context, id) {
    this.asked.push(id);
    return (await this.load(context)).find((record) => record.id === id);
  }

  watch(hear) {
    this.#hear = hear;
    return () => (this.#hear = undefined);
  }

  /** Another page changes something. */
  async other(changes) {
    await this.apply(changes);
    this.#hear?.(changes);
  }
}

async function slow(t, ...records) {
  const store = new SlowStore();
  await store.apply({ put: records, gone: [] });
  const { ph, recall } = await scene(t, {}, { store });
  return { ph, recall, store };
}

test("a database is read in parts, and only its own data set", async () => {
  await forget();
  const store = new DeviceRecallStore();
  assert.deepEqual(await parts(store), []);
  const own = Array.from({ length: 1_200 }, (_, at) => RECORD(2 * at + 1, CONTEXT));
  await store.apply({ put: [...own, RECORD(4, "OTHER"), RECORD(2, "OTHER")], gone: [] });
  const read = await parts(store);
  assert.deepEqual(
    read.map(({ records, unread }) => [records.length, unread]),
    [250, 250, 250, 250, 200].map((count) => [count, 0]),
  );
  assert.deepEqual(
    read.flatMap(({ records }) => records),
    await store.load(CONTEXT),
  );
  assert.deepEqual(await store.get(CONTEXT, 3), RECORD(3, CONTEXT));
  assert.equal(await store.get(CONTEXT, 4), undefined);
  assert.equal(await store.get(CONTEXT, 5_000), undefined);
  // A small one among others is read by itself.
  const many = Array.from({ length: 1_300 }, (_, at) => RECORD(10_000 + at, "OTHER"));
  await store.apply({ put: many, gone: [] });
  assert.deepEqual(
    (await parts(store)).map(({ records }) => records.length),
    [1_200],
  );
});

test("what is damaged takes nothing else with it, stays where it is and is told", async (t) => {
  const { ph, recall } = await scene(t, { persist: true });
  const kept = [numbered("count one"), numbered("count two!"), RECORD(7, CONTEXT)];
  const odd = RECORD(8, CONTEXT, { question: 7 });
  const store = new DeviceRecallStore();
  await store.apply({ put: [...kept, odd], gone: [] });
  damage(t, 7);
  assert.deepEqual(
    (await recall.list()).map(({ question }) => question),
    ["count one", "count two!"],
  );
  assert.equal(recall.problem.code, "recall_damaged");
  assert.match(recall.problem.message, /: 2,/);
  // What is written does not make it good.
  assert.equal((await recall.ask("count one")).cached, true);
  await recall.save("another", { kind: "sql", script: "SELECT 1" });
  assert.equal(recall.problem.code, "recall_damaged");
  await ph.close();
  // The same among more records of others, where it is read at one go.
  const many = Array.from({ length: 20 }, (_, at) => RECORD(10_000 + at, "OTHER"));
  await store.apply({ put: many, gone: [] });
  const [{ records, unread }] = await parts(store);
  assert.deepEqual([records.length, unread], [4, 1]);
});

test("a record that reads as nothing takes no other with it", async (t) => {
  await forget();
  const store = new DeviceRecallStore();
  const kept = [RECORD(1, CONTEXT), RECORD(2, CONTEXT), RECORD(3, CONTEXT)];
  await store.apply({ put: [...kept, RECORD(4, "OTHER")], gone: [] });
  emptied(t, 2, 4);
  const numbers = (records) => records.map(({ id }) => id);
  let [{ records, unread }] = await parts(store);
  assert.deepEqual([numbers(records), unread], [[1, 3], 1]);
  assert.deepEqual(numbers(await store.load(CONTEXT)), [1, 3]);
  assert.equal(await store.get(CONTEXT, 2), undefined);
  // Among more records of others, and where it was forgotten between two looks.
  const many = Array.from({ length: 20 }, (_, at) => RECORD(10_000 + at, "OTHER"));
  await store.apply({ put: many, gone: [] });
  [{ records, unread }] = await parts(store);
  assert.deepEqual([numbers(records), unread], [[1, 3], 1]);
  const { recall } = await reopened(t, { persist: true });
  assert.deepEqual(numbers(await recall.list()), [1, 3]);
  assert.equal(recall.problem.code, "recall_damaged");
  assert.match(recall.problem.message, /: 1,/);
});

for (const [how, broken] of [
  ["damaged", damage],
  ["empty", emptied],
]) {
  test(`a data set is forgotten with what of it is ${how}, and only it`, async (t) => {
    const { recall } = await scene(t, { persist: true });
    const { recall: other } = await reopened(t, { persist: true });
    const store = new DeviceRecallStore();
    const twins = [numbered("count one"), RECORD(8, CONTEXT, { question: "Count ONE" })];
    const odd = RECORD(9, CONTEXT, { question: 7 });
    await store.apply({ put: [...twins, RECORD(7, CONTEXT), odd, RECORD(1, "OTHER")], gone: [] });
    broken(t, 7);
    assert.equal((await other.list()).length, 1);
    await recall.list();
    await recall.clear();
    const ids = await new Promise((done) => {
      const request = indexedDB.open("pinhole-recall");
      request.onsuccess = () => {
        const all = request.result.transaction("records").objectStore("records").getAllKeys();
        all.onsuccess = () => {
          request.result.close();
          done(all.result);
        };
      };
    });
    assert.deepEqual(ids, [1]);
    // Another page does not write them again.
    for (let i = 0; i < 200 && (await other.list()).length > 0; i += 1)
      await new Promise((r) => setTimeout(r, 5));
    assert.deepEqual(await other.list(), []);
  });
}

test("what cannot be cleared says so, and a store without a way to clear is emptied", async (t) => {
  const { recall } = await scene(t, { persist: true });
  await recall.save("one", { kind: "sql", script: "SELECT 1" });
  const { getAllKeys } = IDBIndex.prototype;
  t.after(() => (IDBIndex.prototype.getAllKeys = getAllKeys));
  IDBIndex.prototype.getAllKeys = () => {
    throw new DOMException("broken", "UnknownError");
  };
  await assert.rejects(recall.clear(), { code: "recall_unkept" });
  IDBIndex.prototype.getAllKeys = getAllKeys;
  await recall.clear();
  assert.deepEqual(await new DeviceRecallStore().load(CONTEXT), []);
  const plain = new MemoryRecallStore();
  await plain.apply({ put: [RECORD(1, CONTEXT), RECORD(2, "OTHER")], gone: [] });
  const store = {
    load: (context) => plain.load(context),
    apply: (changes) => plain.apply(changes),
  };
  await (await reopened(t, {}, { store })).recall.clear();
  assert.deepEqual(
    [(await plain.load(CONTEXT)).length, (await plain.load("OTHER")).length],
    [0, 1],
  );
  await plain.clear("OTHER");
  assert.deepEqual(await plain.load("OTHER"), []);
});

test("a database that fails as a whole is not taken for damaged records", async (t) => {
  const { recall } = await scene(t, { persist: true });
  await new DeviceRecallStore().apply({ put: [numbered("count one")], gone: [] });
  const { getAllKeys } = IDBIndex.prototype;
  t.after(() => (IDBIndex.prototype.getAllKeys = getAllKeys));
  IDBIndex.prototype.getAllKeys = () => {
    throw new DOMException("broken", "UnknownError");
  };
  assert.deepEqual(await recall.list(), []);
  assert.equal(recall.problem.code, "recall_unkept");
  const saved = recall.save("count one", { kind: "sql", script: "SELECT 1" });
  await assert.rejects(saved, { code: "recall_unkept" });
  IDBIndex.prototype.getAllKeys = getAllKeys;
  assert.equal((await recall.list()).length, 1);
  assert.equal(recall.problem, undefined);
});

test("vectors that lack are made after opening, and kept, unless the page has an embedder", async (t) => {
  for (const own of [false, true]) {
    const written = [];
    const store = {
      load: async () => [RECORD(1, CONTEXT), RECORD(2, CONTEXT)],
      apply: async ({ put }) => {
        written.push(...put.map(({ id, embedding }) => [id, embedding?.values]));
      },
    };
    const embed = async (texts) => texts.map(() => [1]);
    const { recall } = await scene(
      t,
      {},
      { store, ...(own ? { embedder: { dim: 1, embed } } : {}) },
    );
    assert.equal((await recall.list()).length, 2);
    if (!own) await until(() => written.length === 2);
    await recall.close();
    assert.deepEqual(written, own ? [] : [1, 2].map((id) => [id, [1]]));
  }
});

test("the same question does not wait for the others", async (t) => {
  const asked = numbered("count this");
  const { recall, store } = await slow(t, RECORD(1, CONTEXT), asked, RECORD(2, CONTEXT));
  const answer = await recall.ask("Count THIS");
  assert.deepEqual([answer.success, answer.cached, answer.by], [true, true, "exact"]);
  assert.deepEqual(store.asked, [asked.id]);
  assert.equal(calls("tables").length, 0);
  // By its number as well, which is how a suggestion is taken.
  assert.equal((await recall.get(asked.id)).usage_count, 1);
  assert.equal((await recall.execute(2)).success, true);
  // The use is kept, though the reading has only begun.
  const used = async () => (await store.get(CONTEXT, asked.id)).usage_count;
  assert.equal(await used(), 1);
  let listed = false;
  const list = recall.list().then((records) => {
    listed = true;
    return records;
  });
  store.let(2);
  await until(() => store.waits);
  assert.equal(listed, false);
  store.let(1);
  const records = await list;
  // Nor is it read over by what the store had before.
  assert.deepEqual(uses(records), { 1: 0, 2: 1, [asked.id]: 1 });
  assert.equal((await recall.ask("count this")).cached, true);
  assert.equal(await used(), 2);
});

test("what was answered before the others is not read over by a store that gives all at once", async (t) => {
  const asked = numbered("count this");
  const many = Array.from({ length: 600 }, (_, at) => RECORD(10_000 + at, CONTEXT));
  const store = new MemoryRecallStore();
  await store.apply({ put: [...many, asked], gone: [] });
  store.get = async (_, id) => (id === asked.id ? structuredClone(asked) : undefined);
  // The engine stays with the first of them until the question is answered.
  const { recall_take_in: takeIn } = fake.Session.prototype;
  t.after(() => (fake.Session.prototype.recall_take_in = takeIn));
  let begun = false;
  let go;
  const gate = new Promise((open) => (go = open));
  fake.Session.prototype.recall_take_in = async function (number, records, gone) {
    if (records.length > 1) {
      begun = true;
      await gate;
    }
    return takeIn.call(this, number, records, gone);
  };
  const { recall } = await scene(t, {}, { store });
  const list = recall.list();
  await until(() => begun);
  assert.equal((await recall.ask("count this")).cached, true);
  go();
  const records = await list;
  assert.deepEqual([records.length, uses(records)[asked.id]], [601, 1]);
});

test("a question that is not kept, or does not run, waits for the others", async (t) => {
  const failed = numbered("count failed", { is_valid: false });
  const { recall, store } = await slow(t, failed, RECORD(1, CONTEXT, { question: "Count other" }));
  store.let(2);
  const near = await recall.find("count failed");
  assert.deepEqual([near.found, near.suggestions.length], ["suggest", 1]);
  // It came with a number of its own.
  assert.equal((await recall.ask("count other")).cached, true);
  assert.equal(await recall.get(77), undefined);
});

test("of two records of one question the later one stays, whichever was read sooner", async (t) => {
  const old = numbered("count this");
  const later = { ...RECORD(5, CONTEXT), question: "Count this", updated_at: "2026-02" };
  const { recall, store } = await slow(t, old, later, RECORD(6, CONTEXT));
  assert.equal((await recall.ask("count this")).script_id, old.id);
  store.let(3);
  const known = (records) => records.map(({ id }) => id).sort();
  assert.deepEqual(known(await recall.list()), [5, 6]);
  // The store forgets the other, which would answer once this one is forgotten.
  for (let i = 0; i < 200 && (await store.load(CONTEXT)).length > 2; i += 1)
    await new Promise((r) => setTimeout(r, 5));
  assert.deepEqual(known(await store.load(CONTEXT)), [5, 6]);
  assert.equal((await recall.ask("count this")).script_id, 5);
});

test("what another page changes while all is read holds", async (t) => {
  const [gone, old] = [RECORD(1, CONTEXT), RECORD(2, CONTEXT)];
  const asked = numbered("count this");
  const { recall, store } = await slow(t, gone, old, asked);
  await recall.ask("count this");
  store.let(1);
  await until(() => store.waits);
  const changed = { ...old, usage_count: 9 };
  await store.other({ put: [changed, RECORD(3, "OTHER"), RECORD(4, CONTEXT)], gone: [1] });
  store.let(2);
  const records = await recall.list();
  assert.deepEqual(uses(records), { 2: 9, 4: 0, [asked.id]: 1 });
});

test("what another page forgets while all is read does not come back with its use", async (t) => {
  const asked = numbered("count this");
  const { recall, store } = await slow(t, RECORD(1, CONTEXT), asked, RECORD(2, CONTEXT));
  const found = await recall.find("count this");
  await store.other({ put: [], gone: [asked.id] });
  // The person has the answer, and nothing of it is kept.
  assert.equal((await recall.run(found.record, { by: found.by })).answer.success, true);
  assert.equal(await store.get(CONTEXT, asked.id), undefined);
  store.let(3);
  assert.deepEqual(uses(await recall.list()), { 1: 0, 2: 0 });
  assert.deepEqual(uses(await store.load(CONTEXT)), { 1: 0, 2: 0 });
});

test("what another page forgets while it is taken in is not answered from", async (t) => {
  for (const late of [false, true]) {
    const asked = numbered("count this");
    const { recall, store } = await slow(t, asked, RECORD(1, CONTEXT));
    const { recall_take_in: takeIn } = fake.Session.prototype;
    t.after(() => (fake.Session.prototype.recall_take_in = takeIn));
    const get = store.get.bind(store);
    store.get = async (context, id) => {
      const record = await get(context, id);
      if (!late) await store.other({ put: [], gone: [id] });
      return record;
    };
    fake.Session.prototype.recall_take_in = async function (number, records, gone) {
      if (late && records[0]?.id === asked.id) await store.other({ put: [], gone: [asked.id] });
      return takeIn.call(this, number, records, gone);
    };
    store.let(2);
    assert.equal((await recall.find("count this")).found, "suggest");
    assert.deepEqual(uses(await recall.list()), { 1: 0 });
    fake.Session.prototype.recall_take_in = takeIn;
  }
});

test("what another page forgets after a reading that broke off is not here any more", async (t) => {
  const [first, second] = [RECORD(1, CONTEXT), RECORD(2, CONTEXT)];
  const { recall, store } = await slow(t, first, second, RECORD(3, CONTEXT));
  const known = async () => (await recall.list()).map(({ id }) => id);
  store.let(2);
  const list = known();
  await until(() => store.waits);
  // Heard while it is read, and after.
  await store.other({ put: [], gone: [1] });
  store.let(-1);
  assert.deepEqual(await list, [2]);
  await store.other({ put: [], gone: [2] });
  store.let(-1);
  assert.deepEqual(await known(), []);
  store.let(3);
  assert.deepEqual(await known(), [3]);
  assert.equal(recall.problem, undefined);
});

test("a question found before the others and forgotten elsewhere stays forgotten", async (t) => {
  const asked = numbered("count this");
  const { recall, store } = await slow(t, RECORD(1, CONTEXT), asked);
  await recall.ask("count this");
  store.let(-1);
  await recall.list();
  await store.other({ put: [], gone: [asked.id] });
  store.let(1);
  assert.deepEqual(uses(await recall.list()), { 1: 0 });
  assert.equal(await store.get(CONTEXT, asked.id), undefined);
});

test("what is kept here after another page forgot the same stays", async (t) => {
  const asked = numbered("count this");
  const { recall, store } = await slow(t, asked, RECORD(1, CONTEXT));
  store.let(-1);
  await recall.list();
  await store.other({ put: [], gone: [asked.id] });
  store.let(-1);
  const saved = recall.save("count this", { kind: "sql", script: "SELECT 1" });
  await assert.rejects(saved, { code: "recall_unkept" });
  store.let(1);
  assert.equal((await recall.list()).length, 2);
});

test("what waits for a store while its engine dies goes into no other", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const store = new SlowStore();
  const asked = numbered("count this");
  await store.apply({ put: [asked], gone: [] });
  const { ph, recall } = await scene(t, { worker: () => new FakeWorker() }, { store });
  const saved = recall.save("mine", { kind: "sql", script: "SELECT 1" });
  await until(() => store.waits);
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  await ph.load("t", new Blob(["a\n1\n"]));
  // Its questions get the number that the others had.
  const others = new MemoryRecallStore();
  const other = ph.recall({ context: CONTEXT, store: others });
  await other.list();
  store.let(9);
  await assert.rejects(saved, { code: "engine_restarted" });
  await other.save("theirs", { kind: "sql", script: "SELECT 1" });
  const questions = async (one) => (await one.load(CONTEXT)).map(({ question }) => question);
  assert.deepEqual(await questions(others), ["theirs"]);
  // The next call works.
  await recall.save("mine", { kind: "sql", script: "SELECT 1" });
  assert.deepEqual(await questions(store), ["count this", "mine"]);
});

test("a reading that breaks off brings back nothing that was forgotten since", async (t) => {
  const [first, second] = [RECORD(1, CONTEXT), RECORD(2, CONTEXT)];
  const { recall, store } = await slow(t, first, second, RECORD(3, CONTEXT));
  store.let(1);
  const list = recall.list();
  await until(() => store.waits);
  store.let(-1);
  assert.deepEqual((await list).length, 1);
  assert.equal(recall.problem.code, "recall_unkept");
  // Every call tries again; this one breaks off as well, and what it does waits for the store.
  store.let(-1);
  await assert.rejects(recall.delete(1), { code: "recall_unkept" });
  store.let(3);
  assert.deepEqual(
    (await recall.list()).map(({ id }) => id),
    [2, 3],
  );
  await recall.update(2, { is_valid: true });
  assert.equal(await store.get(CONTEXT, 1), undefined);
  assert.equal(recall.problem, undefined);
});

test("a question that is forgotten is not answered again, whatever the store still has", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const asked = numbered("count this");
  const store = new SlowStore();
  await store.apply({ put: [asked], gone: [] });
  store.let(99);
  const { ph, recall } = await scene(t, { worker: () => new FakeWorker() }, { store });
  const { apply } = store;
  store.apply = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  await assert.rejects(recall.delete(asked.id), { code: "recall_full" });
  await assert.rejects(ph.query({ table: "trap" }), { code: "engine_restarted" });
  await ph.load("t", new Blob(["a\n1\n"]));
  assert.equal((await recall.find("count this")).found, "nothing");
  store.apply = apply;
  await recall.save("count more", { kind: "sql", script: "SELECT 1" });
  assert.equal(await store.get(CONTEXT, asked.id), undefined);
  assert.deepEqual(
    (await recall.list()).map(({ question }) => question),
    ["count more"],
  );
});

for (const [where, make] of [
  ["on the device", () => new DeviceRecallStore()],
  ["in memory", () => new MemoryRecallStore()],
]) {
  test(`a vector does not bring back ${where} what was forgotten`, async (t) => {
    t.after(forget);
    const store = make();
    await store.apply({ put: [RECORD(1, CONTEXT), RECORD(2, CONTEXT)], gone: [] });
    await store.clear(CONTEXT);
    const heard = [];
    const end = store.watch
      ? new DeviceRecallStore().watch((changes) => heard.push(changes))
      : () => 0;
    const stop = store.watch?.(() => undefined);
    await store.apply({ put: [RECORD(3, CONTEXT)], gone: [] });
    const put = [RECORD(1, CONTEXT), RECORD(3, CONTEXT), RECORD(4, CONTEXT)].map((record) => ({
      ...record,
      usage_count: 7,
    }));
    await store.apply({ put, gone: [], renewed: [1, 3] });
    const kept = await store.load(CONTEXT);
    assert.deepEqual(
      kept.map(({ id, usage_count }) => [id, usage_count]),
      [
        [3, 7],
        [4, 7],
      ],
    );
    await new Promise((r) => setTimeout(r, 20));
    // Nor do other pages hear of it.
    assert.deepEqual(
      heard.map((changes) => changes.put.map(({ id }) => id).sort()),
      store.watch ? [[3], [3, 4]] : [],
    );
    end();
    stop?.();
  });
}

test("closing does not wait for what is still to be read", async (t) => {
  const asked = numbered("count this");
  const { recall, store } = await slow(t, asked, RECORD(1, CONTEXT), RECORD(2, CONTEXT));
  await recall.ask("count this");
  store.let(1);
  await until(() => store.waits);
  const waits = recall.list();
  await recall.close();
  await assert.rejects(waits, { code: "recall_closed" });
  assert.equal((await store.load(CONTEXT)).length, 3);
  const again = await reopened(t, {}, { store });
  store.let(9);
  assert.equal((await again.recall.list()).length, 3);
});
