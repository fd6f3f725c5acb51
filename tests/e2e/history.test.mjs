// Conversations that are kept on the device: over a reload, with their tables, until they are
// deleted, and never without consent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = stage();

const TRUE = "Vkusno has the highest total, 912.";
const FILES = "pinhole-history";

/** What the page's private file system holds of kept tables. */
const files = (scene) =>
  scene.page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    const found = [];
    const folder = await root.getDirectoryHandle(name).catch(() => undefined);
    if (!folder) return found;
    for await (const chat of folder.values()) {
      for await (const file of chat.values()) found.push([file.name, (await file.getFile()).size]);
    }
    return found;
  }, FILES);

/** Asks one question in a conversation of its own. */
const ask = (scene, persist) =>
  scene.run(
    async ({ Pinhole }, { csv, endpoint, persist }) => {
      const ph = await Pinhole.open({ persist });
      await ph.load("purchases", new Blob([csv]));
      const chat = ph.chat({ endpoint, model: "scripted" });
      for await (const event of chat.ask("the totals?")) if (event.type === "error") return event;
      await chat.close();
      const list = await ph.history.list();
      await ph.close();
      return list;
    },
    { csv: PURCHASES, endpoint: ENDPOINT, persist },
  );

test("a conversation is kept over a reload and goes on", async (t) => {
  const script = [call("query", BY_SHOP), say(TRUE), say("Vkusno: 912.")];
  const scene = await open(t, { blank: true, script });
  const [head] = await ask(scene, true);
  assert.deepEqual([head.title, head.turns], ["the totals?", 1]);
  const [[name, size]] = await files(scene);
  assert.match(name, /^0-r1-/);
  assert.ok(size > 0);
  await scene.page.reload();
  const got = await scene.run(
    async ({ Pinhole }, { csv, endpoint, id }) => {
      const ph = await Pinhole.open({ persist: true });
      const opened = await ph.history.open(id);
      const table = await opened.table(0, "r1");
      const bytes = table.toArrowIPC().length;
      const page = await table.page(0, 10);
      await ph.load("purchases", new Blob([csv]));
      const chat = ph.chat({ endpoint, model: "scripted", continue: opened });
      let last;
      for await (last of chat.ask("and the highest again?"));
      await chat.close();
      const proof = await ph.ledger.verify();
      const exported = JSON.parse(await ph.history.export(id));
      await ph.history.delete(id);
      const left = await ph.history.list();
      await ph.close();
      const events = opened.turns[0].events.map(({ type }) => type);
      return { events, bytes, page, last, proof, tables: exported.tables, left };
    },
    { csv: PURCHASES, endpoint: ENDPOINT, id: head.id },
  );
  assert.deepEqual(got.events.at(-1), "done");
  assert.equal(got.bytes, size);
  assert.equal(got.page.total, 4);
  assert.deepEqual(got.page.columns, ["shop", "sum_amount"]);
  assert.equal(got.last.type, "done");
  assert.deepEqual([got.proof, Object.keys(got.tables), got.left], [{ ok: true }, ["0-r1"], []]);
  assert.deepEqual(await files(scene), []);
  // The model hears what it said and that the person has the result, nothing of the result.
  const [told] = scene.endpoint.contents(2, "tool");
  assert.equal(told, "[query: rows shown to the user as r1 – query again for details]");
  assert.ok(scene.endpoint.contents(2, "assistant").includes(TRUE));
});

test("nothing is kept without consent", async (t) => {
  const scene = await open(t, { blank: true, script: [call("query", BY_SHOP), say(TRUE)] });
  assert.deepEqual(await ask(scene, false), []);
  assert.deepEqual(await files(scene), []);
  const databases = await scene.page.evaluate(() => indexedDB.databases());
  assert.deepEqual(databases, []);
});
