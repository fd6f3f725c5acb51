// The packed tarball in an application of its own, for tests that use it beside other packages.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { CSV, found } from "../e2e/secrets.mjs";

const run = promisify(execFile);
const tarball = process.env.PINHOLE_TARBALL;

/** A fixture with the tarball in it, for as long as the file's tests run. */
export async function installed(fixture) {
  assert.ok(tarball, "PINHOLE_TARBALL names the packed tarball");
  const folder = await mkdtemp(join(tmpdir(), "pinhole-installed-"));
  after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, "fixtures", fixture), folder, { recursive: true });
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", tarball], { cwd: folder });
  const home = join(folder, "node_modules/pinhole");
  const { default: about } = await import(pathToFileURL(join(home, "package.json")), {
    with: { type: "json" },
  });
  /** A module of the package by the name that its `exports` give it. */
  const load = (name) => import(pathToFileURL(join(home, about.exports[name].default)));
  return { folder, home, about, load };
}

/** An engine in place with the table of secrets in it. */
export async function people(t, { Pinhole }, policy = {}) {
  const ph = await Pinhole.open({ worker: false, policy });
  t.after(() => ph.close());
  await ph.load("people", new Blob([CSV]), { classes: { email: "hidden" } });
  return ph;
}

/** The engine's tools where no table is one of purchases. */
export const BUILT_IN = [
  "describe_tables",
  "query",
  "sql",
  "source_rows",
  "check_stats",
  "suggest_questions",
  "function_reference",
];

/** Calls that ask for as much as there is. */
export const GREEDY = [
  ["query", { table: "people", columns: ["name", "salary"], limit: 60 }],
  ["query", { table: "people", where: "email != 'a'", select: "count()" }],
  ["query", { table: "people", group_by: "name", select: "max(salary)", groups: "all" }],
  ["query", { table: "people", map: { x: "9223372036854775807 + salary" }, select: "sum(x)" }],
  ["query", { table: "people", where: "nope > 1" }],
  ["describe_tables", {}],
];

/** Policies, and how many of the table's secrets may be told under each: none, or few. */
export const POLICIES = [
  [{ level: "schema" }, 0],
  [{ level: "summary", columns: { "people.name": "hidden", "people.salary": "hidden" } }, 0],
  [{}, 12],
];

/** No secret but what the summaries say, and of those few. */
export function onlyTold(sent, summaries, most) {
  const told = new Set(summaries.flatMap(found));
  assert.deepEqual(
    found(sent).filter((secret) => !told.has(secret)),
    [],
  );
  assert.ok(told.size <= most, `${told.size} secrets are told`);
  assert.equal(told.size > 0, most > 0);
}
