// Conversations that are kept: what is written, opened again, exported and deleted, and what is not.

import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DeviceLedger,
  DeviceStore,
  FakeWorker,
  MemoryStore,
  PinholeError,
  collect,
  fake,
  open,
  until,
} from "../testing/setup.js";

const ARROW = [65, 82, 82, 79, 87];

/** Files as a browser's private file system has them, in memory. */
function fileSystem() {
  class FileSystemFileHandle {
    bytes = new Uint8Array();
    async createWritable() {
      if (this.broken) throw new Error("no room");
      let written;
      return {
        write: async (bytes) => (written = bytes.slice()),
        close: async () => (this.bytes = written),
        abort: async () => undefined,
      };
    }
    async getFile() {
      return new Blob([this.bytes]);
    }
  }
  class Folder {
    entries = new Map();
    #get(name, create, make) {
      if (!this.entries.has(name)) {
        if (!create) throw new DOMException(name, "NotFoundError");
        this.entries.set(name, make());
      }
      return this.entries.get(name);
    }
    async getDirectoryHandle(name, { create = false } = {}) {
      return this.#get(name, create, () => new Folder());
    }
    async getFileHandle(name, { create = false } = {}) {
      return this.#get(name, create, () => new FileSystemFileHandle());
    }
    async removeEntry(name) {
      if (this.locked) throw new DOMException(name, "NoModificationAllowedError");
      if (!this.entries.delete(name)) throw new DOMException(name, "NotFoundError");
    }
  }
  return { FileSystemFileHandle, root: new Folder() };
}

/** The device with files and without. */
function withFiles(t) {
  const { FileSystemFileHandle, root } = fileSystem();
  const { storage } = globalThis.navigator ?? {};
  globalThis.FileSystemFileHandle = FileSystemFileHandle;
  const navigator = globalThis.navigator ?? (globalThis.navigator = {});
  Object.defineProperty(navigator, "storage", {
    value: { getDirectory: async () => root },
    configurable: true,
  });
  t.after(() => {
    delete globalThis.FileSystemFileHandle;
    Object.defineProperty(navigator, "storage", { value: storage, configurable: true });
  });
  return root;
}

/** A browser whose databases do not open, until the result is called or the test is over. */
function refuseIndexedDB(t, error) {
  const factory = Object.getPrototypeOf(indexedDB);
  const { open: opening } = factory;
  const work = () => {
    factory.open = opening;
  };
  t.after(work);
  factory.open = () => {
    throw error;
  };
  return work;
}

const SAVED = (id, more = {}) => ({
  version: 1,
  id,
  title: `title of ${id}`,
  created: 1,
  updated: 2,
  turns: [{ question: "q", at: 1, events: [{ type: "text", delta: "a" }], tables: ["r1"] }],
  record: '{"version":1}',
  ...more,
});

/** What every store does. */
async function check(store) {
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.get("a"), undefined);
  assert.equal(await store.block("a", "0-r1"), undefined);
  const bytes = new Uint8Array([1, 2, 3, 0, 255]);
  await store.put(SAVED("a"));
  await store.put(SAVED("a/../b", { updated: 9 }));
  await store.putBlock("a", "0-r1", bytes);
  await store.putBlock("a/../b", "0-r1", new Uint8Array([9]));
  await store.putBlock("a", "0-r2", new Uint8Array());
  assert.deepEqual(await store.get("a"), SAVED("a"));
  assert.deepEqual([...(await store.block("a", "0-r1"))], [1, 2, 3, 0, 255]);
  assert.deepEqual([...(await store.block("a/../b", "0-r1"))], [9]);
  assert.deepEqual([...(await store.block("a", "0-r2"))], []);
  await store.put(SAVED("a", { title: "another" }));
  const heads = (await store.list()).map(({ id, title, turns }) => [id, title, turns]);
  assert.deepEqual(heads.sort(), [
    ["a", "another", 1],
    ["a/../b", "title of a/../b", 1],
  ]);
  await store.delete("a");
  await store.delete("never there");
  assert.equal(await store.get("a"), undefined);
  assert.equal(await store.block("a", "0-r1"), undefined);
  assert.deepEqual([...(await store.block("a/../b", "0-r1"))], [9]);
  await store.delete("a/../b");
  assert.deepEqual(await store.list(), []);
}

test("a store in memory", () => check(new MemoryStore()));

test("a store on the device without files", () => check(new DeviceStore()));

test("a store on the device with files", async (t) => {
  const root = withFiles(t);
  await check(new DeviceStore());
  const folder = root.entries.get("pinhole-history");
  assert.equal(folder.entries.size, 0, "nothing of what was deleted is left");
  // What was kept before there were files is still found; another page sees what this one wrote.
  const store = new DeviceStore();
  await store.put(SAVED("c"));
  await store.putBlock("c", "0-r1", new Uint8Array([7]));
  assert.deepEqual([...(await new DeviceStore().block("c", "0-r1"))], [7]);
  const file = folder.entries.get("c").entries.get("0-r1");
  file.broken = true;
  await assert.rejects(store.putBlock("c", "0-r1", new Uint8Array([8])), /no room/);
  await store.delete("c");
});

test("a database that does not open, or was deleted, is opened again", async (t) => {
  const [store, ledger] = [new DeviceStore(), new DeviceLedger()];
  const work = refuseIndexedDB(t, new DOMException("not now", "UnknownError"));
  await assert.rejects(store.list(), /not now/);
  await assert.rejects(ledger.lines(0), /not now/);
  work();
  for (let i = 0; i < 2; i += 1) {
    await store.put(SAVED("a"));
    assert.deepEqual([await ledger.keep(1, "line"), await ledger.keep(1, "x")], [true, false]);
    assert.equal(await ledger.keep(2, "next"), true);
    assert.deepEqual([(await store.list()).length, await ledger.lines(0)], [1, ["line", "next"]]);
    for (const name of ["pinhole", "pinhole-ledger"])
      await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
    assert.deepEqual([await store.list(), await ledger.lines(0)], [[], []]);
    await assert.rejects(ledger.keep(2, "a line after none"));
    assert.deepEqual(await ledger.lines(0), []);
  }
  await new Promise((resolve) => (indexedDB.deleteDatabase("pinhole-ledger").onsuccess = resolve));
});

test("nothing is kept without consent", async (t) => {
  const ph = await open(t);
  await collect(ph.chat().ask("block"));
  assert.equal(ph.history.enabled, false);
  assert.deepEqual(await ph.history.list(), []);
  for (const call of ["open", "export"]) {
    await assert.rejects(ph.history[call]("a"), { code: "history_off" });
  }
  await ph.history.delete("a");
  assert.ok(!fake.log.some(([op]) => op === "chat_record"));
  assert.deepEqual(
    await globalThis.indexedDB.databases().then((all) => all.length),
    1,
    "of the tests above",
  );
});

test("what cannot be deleted or read is said, and is there for another try", async (t) => {
  const root = withFiles(t);
  const tables = await root.getDirectoryHandle("pinhole-tables", { create: true });
  (await tables.getFileHandle("t.arrow", { create: true })).bytes = new Uint8Array([1]);
  const ph = await open(t, { persist: true });
  assert.equal(await ph.forget("u"), false);
  tables.locked = true;
  await assert.rejects(ph.forget("t"), { code: "kept_failed" });
  tables.locked = false;
  assert.deepEqual([await ph.forget("t"), await ph.forget("t")], [true, false]);

  const store = new DeviceStore();
  await store.putBlock("a", "0-r1", new Uint8Array([1]));
  const chats = root.entries.get("pinhole-history");
  chats.locked = true;
  await assert.rejects(ph.history.delete("a"), { code: "kept_failed" });
  chats.locked = false;
  await ph.history.delete("a");
  assert.equal(chats.entries.size, 0);

  refuseIndexedDB(t, new DOMException("not now", "UnknownError"));
  const broken = await open(t, { persist: true });
  for (const call of ["list", "open", "export", "delete"])
    await assert.rejects(broken.history[call]("a"), { code: "kept_failed" }, call);
});

test("a page that may keep nothing on the device has its ledger in memory, and says so", async (t) => {
  refuseIndexedDB(t, new DOMException("not in a private window", "SecurityError"));
  const ph = await open(t, { persist: true });
  assert.equal(ph.ledger.kept, "memory");
  const chat = ph.chat({ transport: async () => new Response("ok") });
  assert.equal((await collect(chat.ask("how many?"))).at(-1).type, "done");
  assert.equal((await ph.ledger.entries()).length, 1);
  const broken = { name: "own", lines: async () => Promise.reject(new Error("no")) };
  await assert.rejects(open(t, { ledger: broken }), { code: "ledger_unavailable" });
});

test("consent that is given later is about the conversation under way, too", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t);
  const closed = ph.chat();
  await collect(closed.ask("closed"));
  await closed.close();
  const chat = ph.chat();
  await collect(chat.ask("block"));
  await collect(chat.ask("how many?"));
  assert.deepEqual(await store.list(), []);
  ph.history.allow(store);
  const [head, ...more] = await ph.history.list();
  assert.deepEqual([head.title, head.turns, more.length], ["block", 2, 0]);
  const [first, second] = (await ph.history.open(head.id)).turns;
  assert.deepEqual(
    [first, second].map(({ question, tables, events }) => [question, tables, events.at(-1).type]),
    [
      ["block", ["r1"], "done"],
      ["how many?", [], "done"],
    ],
  );
  const opened = await ph.history.open(head.id);
  assert.deepEqual([...(await (await opened.table(0, "r1")).toArrowIPC())], ARROW);
  assert.equal(opened.saved.record, "qq");
  // It goes on being kept, and the same consent once more changes nothing.
  ph.history.allow(store);
  await collect(chat.ask("block"));
  await chat.close();
  const after = await ph.history.open(head.id);
  assert.deepEqual(
    after.turns.map(({ tables }) => tables),
    [["r1"], [], ["r1"]],
  );
  assert.equal(after.saved.record, "qqq");
});

test("what is closed right after the consent is kept; what was forgotten or let go is not", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t);
  const cleared = ph.chat();
  await collect(cleared.ask("cleared"));
  await cleared.clear();
  const unasked = ph.chat();
  const closing = ph.chat();
  await collect(closing.ask("block"));
  ph.history.allow(store);
  await Promise.all([closing.clear(), closing.close()]);
  const [head, ...more] = await ph.history.list();
  assert.deepEqual([head.title, more], ["block", []]);
  assert.equal((await ph.history.open(head.id)).saved.record, "q");
  await collect(unasked.ask("later"));
  await unasked.close();
  assert.deepEqual((await ph.history.list()).map(({ title }) => title).sort(), ["block", "later"]);
});

test("a question under way as the consent comes is kept whole", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t);
  const chat = ph.chat();
  await collect(chat.ask("block"));
  for await (const { type } of chat.ask("block"))
    if (type === "data_block") ph.history.allow(store);
  await chat.close();
  const [{ id }] = await ph.history.list();
  const { turns, saved } = await ph.history.open(id);
  assert.deepEqual(
    turns.map(({ tables, events }) => [tables, events.at(-1).type]),
    [
      [["r1"], "done"],
      [["r1"], "done"],
    ],
  );
  assert.deepEqual([saved.record, saved.turns.length], ["qq", 2]);
});

test("tables that the engine has no more are left out, and what it calls the same is none of them", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const store = new MemoryStore();
  const names = [];
  store.putBlock = (id, name, bytes) => {
    names.push(name);
    return MemoryStore.prototype.putBlock.call(store, id, name, bytes);
  };
  const ph = await open(t, { worker: () => new FakeWorker() });
  const chat = ph.chat();
  await collect(chat.ask("block"));
  assert.equal((await collect(chat.ask("trap"))).at(-1).code, "engine_restarted");
  ph.history.allow(store);
  await collect(chat.ask("block"));
  await chat.close();
  const [{ id }] = await ph.history.list();
  const { turns } = await ph.history.open(id);
  assert.deepEqual(
    turns.map(({ question, tables }) => [question, tables]),
    [
      ["block", []],
      ["trap", []],
      ["block", ["r1"]],
    ],
  );
  assert.deepEqual(
    names.map((name) => name.slice(0, 5)),
    ["2-r1-"],
  );
  assert.equal(ph.history.problem, undefined, "nothing is amiss");
});

test("consent that is taken back as tables are written leaves nothing", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t);
  const chat = ph.chat();
  await collect(chat.ask("block"));
  const { putBlock } = store;
  const written = [];
  store.putBlock = async (...args) => {
    await putBlock.apply(store, args);
    written.push(args.slice(0, 2));
    ph.history.allow(false);
  };
  ph.history.allow(store);
  await ph.history.list();
  await chat.close();
  assert.equal(written.length, 1);
  assert.deepEqual([await store.list(), await store.block(...written[0])], [[], undefined]);
});

test("consent can be taken back and given anew", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t, { persist: store });
  const kept = ph.chat();
  await collect(kept.ask("block"));
  assert.equal((await ph.history.list()).length, 1);
  const late = ph.chat();
  const asking = collect(late.ask("block"));
  ph.history.allow(false);
  await asking;
  await late.close();
  await collect(kept.ask("how many?"));
  assert.equal(ph.history.enabled, false);
  assert.deepEqual(await ph.history.list(), []);
  const left = await store.list();
  assert.deepEqual(
    left.map(({ turns }) => turns),
    [1],
    "nothing is added any more",
  );
  await store.put(SAVED("a"));
  await ph.history.delete("a");
  assert.equal(await store.get("a"), undefined, "what was kept can be deleted");
  // The engine may have let a table go that was kept before.
  fake.noTables.now = true;
  t.after(() => (fake.noTables.now = false));
  ph.history.allow(store);
  const [{ id, turns }, ...more] = await ph.history.list();
  assert.deepEqual([turns, more], [2, []]);
  const opened = await ph.history.open(id);
  assert.deepEqual(opened.turns[0].tables, ["r1"]);
  assert.ok(await opened.table(0, "r1"));
  await ph.history.delete(id);
  assert.deepEqual(await ph.history.list(), []);
});

test("two pages that go on with one conversation take nothing from each other", async (t) => {
  const store = new MemoryStore();
  const first = await open(t, { persist: store });
  const begun = first.chat();
  await collect(begun.ask("how many?"));
  await begun.close();
  const pages = [await open(t, { persist: store }), await open(t, { persist: store })];
  const chats = [];
  for (const ph of pages) {
    const chat = ph.chat({ continue: await ph.history.open(begun.id) });
    chats.push(chat);
  }
  const { ipc } = fake.Session.prototype;
  t.after(() => (fake.Session.prototype.ipc = ipc));
  let puts = 0;
  store.put = async (chat) => {
    await MemoryStore.prototype.put.call(store, chat);
    puts += 1;
  };
  const ask = async (i, question) => {
    fake.Session.prototype.ipc = () => new Uint8Array([i]);
    await collect(chats[i].ask(question));
    await until(() => puts > 0);
    puts = 0;
  };
  await ask(0, "block");
  await ask(1, "and block");
  await ask(0, "and again?");
  const opened = await first.history.open(begun.id);
  assert.deepEqual(
    opened.turns.map(({ question, tables }) => [question, tables]),
    [
      ["how many?", []],
      ["block", ["r1"]],
      ["and block", ["r1"]],
      ["and again?", []],
    ],
  );
  for (const i of [0, 1])
    assert.deepEqual([...(await opened.table(i + 1, "r1")).toArrowIPC()], [i]);
  const { tables } = JSON.parse(await first.history.export(begun.id));
  assert.deepEqual(Object.keys(tables), ["1-r1", "2-r1"]);
  assert.equal((await first.history.list()).length, 1);
});

test("a conversation is kept with its tables and opened again", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t, { persist: store });
  const chat = ph.chat();
  await collect(chat.ask("block"));
  await collect(chat.ask("how many?"));
  await chat.close();
  const [head, ...more] = await ph.history.list();
  // By the question, not by a title that an answer has.
  assert.deepEqual([head.title, head.turns, more.length], ["block", 2, 0]);
  const opened = await ph.history.open(head.id);
  const [first, second] = opened.turns;
  assert.deepEqual(
    first.events.map(({ type }) => type),
    ["title", "data_block", "text", "done"],
  );
  assert.equal(first.events[2].delta, "its one ");
  assert.deepEqual([first.question, first.tables], ["block", ["r1"]]);
  assert.deepEqual([second.question, second.tables], ["how many?", []]);
  const table = await opened.table(0, "r1");
  assert.deepEqual([...table.toArrowIPC()], ARROW);
  assert.deepEqual(await table.page(1, 2), { columns: ["byte"], rows: [[82], [82]], total: 5 });
  await table.close();
  await table.close();
  assert.equal(fake.log.filter(([op]) => op === "block_close").length, 1);
  assert.equal(await opened.table(1, "r1"), undefined);

  // It goes on, in another engine, where it ended; results that are called the same are not mixed.
  const later = await open(t, { persist: store });
  const again = later.chat({ continue: await later.history.open(head.id) });
  await collect(again.ask("block"));
  await again.close();
  const given = fake.log.filter(([op]) => op === "chat_open").at(-1)[1];
  assert.deepEqual(given, { wire: "planner", record: "qq" });
  const after = await later.history.open(head.id);
  assert.deepEqual([after.turns.length, after.saved.record], [3, "qqq"]);
  assert.ok((await after.table(0, "r1")) && (await after.table(2, "r1")));

  const exported = JSON.parse(await later.history.export(head.id));
  assert.deepEqual(Object.keys(exported.tables), ["0-r1", "2-r1"]);
  assert.deepEqual([...Buffer.from(exported.tables["0-r1"], "base64")], ARROW);
  assert.equal(exported.turns.length, 3);
  await later.history.delete(head.id);
  assert.deepEqual(await later.history.list(), []);
  await assert.rejects(later.history.open(head.id), { code: "unknown_chat" });
});

test("what a result says of itself is kept beside its table, and nothing that a model was told", async (t) => {
  const ph = await open(t, { persist: new MemoryStore() });
  const { id } = await ph.query({ table: "t", group_by: "a" });
  assert.equal(id, "r1");
  await collect(ph.chat().ask("block"));
  const [head] = await ph.history.list();
  const [{ results }] = (await ph.history.open(head.id)).turns;
  assert.deepEqual(Object.keys(results), ["r1"]);
  const { kind, metadata, columns, ...rest } = results.r1;
  assert.deepEqual(Object.keys(rest).sort(), ["chart", "explanation", "warnings"]);
  assert.deepEqual([kind, metadata.rows_scanned, columns[0].role], ["grouped", 3, "measure"]);
});

test("clearing begins another conversation; the one used last is first", async (t) => {
  const ph = await open(t, { persist: new MemoryStore() });
  const chat = ph.chat();
  await collect(chat.ask("first"));
  await chat.clear();
  await new Promise((done) => setTimeout(done, 5));
  await collect(chat.ask("second"));
  await chat.close();
  const heads = await ph.history.list();
  assert.deepEqual(
    heads.map(({ title, turns }) => [title, turns]),
    [
      ["second", 1],
      ["first", 1],
    ],
  );
});

/** Waits until a conversation has so many questions. */
async function held(store, id, turns) {
  for (let n = 0; (await store.get(id))?.turns.length !== turns; n += 1) {
    assert.ok(n < 5_000, `${id} is not kept`);
    await new Promise((done) => setTimeout(done, 1));
  }
}

test("a conversation that is deleted stays so, and its next question begins another", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t, { persist: store });
  const elsewhere = (id) => store.delete(id);
  for (const remove of [(id) => ph.history.delete(id), elsewhere]) {
    const chat = ph.chat();
    assert.equal(chat.id, undefined);
    await collect(chat.ask("block"));
    const { id } = chat;
    await held(store, id, 1);
    const name = (await store.get(id)).turns[0].blocks.r1;
    assert.deepEqual([...(await store.block(id, name))], ARROW);
    await remove(id);
    await collect(chat.ask("later"));
    await chat.close();
    const [head, ...more] = await ph.history.list();
    assert.deepEqual([head.title, head.turns, more.length], ["later", 1, 0]);
    assert.ok(chat.id === head.id && head.id !== id);
    assert.equal(await store.block(id, name), undefined);
    // The engine has forgotten it as well: nothing of it is in what the other goes on with.
    const told = fake.log.map(([op]) => op).filter((op) => /^chat_(ask|clear)$/.test(op));
    assert.deepEqual(told.slice(-3), ["chat_ask", "chat_clear", "chat_ask"]);
    await ph.history.delete(head.id);
  }
});

test("one that is deleted while a question is under way, or before it goes on, is not kept again", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t, { persist: store });
  const chat = ph.chat();
  await collect(chat.ask("first"));
  const { id } = chat;
  await held(store, id, 1);
  const opened = await ph.history.open(id);
  for await (const { type } of chat.ask("block"))
    if (type === "data_block") await ph.history.delete(id);
  await chat.close();
  assert.deepEqual(await ph.history.list(), []);
  assert.equal(await store.block(id, "1-r1"), undefined);
  const again = ph.chat({ continue: opened });
  assert.equal(again.id, id);
  await collect(again.ask("second"));
  await again.close();
  assert.deepEqual(
    (await ph.history.list()).map(({ title, turns }) => [title, turns]),
    [["second", 1]],
  );
  assert.equal(fake.log.filter(([op]) => op === "chat_open").at(-1)[1].record, undefined);
});

test("failed and cancelled questions are kept as what they are", async (t) => {
  const ph = await open(t, { persist: new MemoryStore() });
  const send = async () => {
    throw new TypeError("Failed to fetch");
  };
  const chat = ph.chat({ transport: send });
  await collect(chat.ask("one"));
  const never = (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const waiting = ph.chat({ transport: never });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 20);
  await collect(waiting.ask("two", { signal: abort.signal }));
  await chat.close();
  await waiting.close();
  const heads = await ph.history.list();
  const ends = await Promise.all(
    heads.map(async ({ id }) => (await ph.history.open(id)).turns[0].events.at(-1).code),
  );
  assert.deepEqual(ends.sort(), ["cancelled", "endpoint_unreachable"]);
});

test("keys are never kept", async (t) => {
  const store = new MemoryStore();
  const ph = await open(t, { persist: store });
  const chat = ph.chat({
    endpoint: "https://page.example/api?key=s3cret-in-url",
    transport: async () => new Response("ok"),
    headers: { authorization: "Bearer s3cret" },
    dangerouslyAllowBrowserKey: true,
  });
  await collect(chat.ask("q"));
  await chat.close();
  const [{ id }] = await ph.history.list();
  const exported = await ph.history.export(id);
  assert.ok(exported.includes('"question":"q"') && !exported.includes("s3cret"), exported);
});

test("what cannot be kept is noted and stops nothing", async (t) => {
  const store = new MemoryStore();
  store.put = () => Promise.reject(new Error("no room"));
  const ph = await open(t, { persist: store });
  const chat = ph.chat();
  assert.equal((await collect(chat.ask("q"))).at(-1).type, "done");
  await chat.close();
  assert.ok(ph.history.problem instanceof PinholeError);
  assert.match(ph.history.problem.message, /no room/);
  // Saved by a later version: said, not misread.
  const other = new MemoryStore();
  await other.put(SAVED("x", { version: 9 }));
  const later = await open(t, { persist: other });
  await assert.rejects(later.history.open("x"), { code: "later_chat" });
});

test("after the engine was replaced the conversation goes on from what was kept", async (t) => {
  globalThis.Worker = FakeWorker;
  t.after(() => delete globalThis.Worker);
  const store = new MemoryStore();
  const ph = await open(t, { persist: store, worker: () => new FakeWorker() });
  const chat = ph.chat();
  for (const question of ["one", "two"]) await collect(chat.ask(question));
  assert.equal((await collect(chat.ask("trap"))).at(-1).code, "engine_restarted");
  assert.equal((await collect(chat.ask("three"))).at(-1).type, "done");
  await chat.close();
  const [{ id }] = await ph.history.list();
  const { turns, saved } = await ph.history.open(id);
  assert.deepEqual(
    turns.map(({ question, events }) => [question, events.at(-1).type]),
    [
      ["one", "done"],
      ["two", "done"],
      ["trap", "error"],
      ["three", "done"],
    ],
  );
  assert.equal(saved.record, "qqq", "the new engine was given what was kept");
});
