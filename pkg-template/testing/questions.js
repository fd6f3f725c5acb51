// Pages with questions asked before, over a database that Node has in memory.

import "fake-indexeddb/auto";
import { fake, open } from "./setup.js";

/** A record as it is kept. */
export const RECORD = (id, context_code, more = {}) => ({
  id,
  context_code,
  question: `question ${id}`,
  kind: "query",
  script: '{"table":"t"}',
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  usage_count: 0,
  is_valid: true,
  schema_fingerprint: "",
  policy_hash: "",
  language_version: "1",
  ...more,
});

/** A page with a table, and its questions; the database is a fresh one. */
export async function scene(t, options = {}, recall = {}) {
  await forget();
  return reopened(t, options, recall);
}

/** The same over the database as it is. */
export async function reopened(t, options = {}, recall = {}) {
  const ph = await open(t, options);
  await ph.load("t", new Blob(["a\n1\n"]));
  fake.log.length = 0;
  return { ph, recall: ph.recall({ context: "CARL", ...recall }) };
}

/** Deletes the database, as a person does who clears a site's data. */
export const forget = () =>
  new Promise((done, fail) => {
    const request = indexedDB.deleteDatabase("pinhole-recall");
    request.onsuccess = done;
    request.onerror = fail;
  });

/** What the engine was called with under a name. */
export const calls = (name) => fake.log.filter(([called]) => called === name);
