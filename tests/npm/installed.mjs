// The packed tarball in an application of its own, for tests that use it beside other packages.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { launch } from "../browser.mjs";
import { CSV, PURCHASES, found } from "../e2e/secrets.mjs";
import { serve } from "../server.mjs";

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

/** Writes the script of a page under a strict policy; what it leaves as JSON, and what went wrong. */
export async function inPage(t, folder, text, switches = []) {
  await writeFile(join(folder, "main.js"), text);
  const browser = await launch(...switches);
  const { server, url } = await serve(folder);
  t.after(async () => {
    server.close();
    await browser.close();
  });
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(url);
  await page.waitForFunction(() => document.getElementById("out").textContent !== "", null, {
    timeout: 240_000,
  });
  const seen = JSON.parse(await page.textContent("#out"));
  assert.equal(seen.error, undefined);
  return { seen, problems: problems.filter((problem) => !problem.includes("favicon")) };
}

/** An engine in place with the tables of secrets in it. */
export async function people(t, { Pinhole }, policy = {}) {
  const ph = await Pinhole.open({ worker: false, policy });
  t.after(() => ph.close());
  await ph.load("people", new Blob([CSV]), { classes: { email: "hidden" } });
  for (const [name, text] of Object.entries(PURCHASES)) await ph.load(name, new Blob([text]));
  return ph;
}

const DATA = [
  "describe_tables",
  "query",
  "sql",
  "source_rows",
  "check_stats",
  "suggest_questions",
  "function_reference",
];

const FOR_PURCHASES = [
  "get_receipts",
  "get_receipt_items",
  "get_products",
  "get_items",
  "get_labels",
  "get_purchase_statistics",
  "generate_shopping_list",
];

/** The engine's tools where no script of a model runs: something is protected, or there is no worker. */
export const BUILT_IN = [...DATA, ...FOR_PURCHASES];

/** All of them. */
export const EVERY = [...DATA, "run_script", ...FOR_PURCHASES];

const script = (body) => ({ script: `async function execute() {\n  ${body}\n}` });
const ALL_ROWS = 'const rows = await db.query({ table: "people", sort: "salary desc" });';
const EMAILS = "SELECT min(email) AS a, max(name || ' ' || email) AS b FROM people";

/**
 * Calls that ask for as much as there is. Of some a model hears an error: `wrong` under every policy,
 * `fails` where the policy protects nothing of what the call reads, since they fail of the rows.
 */
const GREEDY = [
  ["query", { table: "people", columns: ["name", "salary"], limit: 60 }],
  ["query", { table: "people", where: "email != 'a'", select: "count()" }],
  ["query", { table: "people", group_by: "name", select: "max(salary)", groups: "all" }],
  [
    "query",
    { table: "people", map: { x: "9223372036854775807 + salary" }, select: "sum(x)" },
    "fails",
  ],
  ["query", { table: "people", where: "nope > 1" }, "wrong"],
  ["describe_tables", { functions: "all" }],
  ["sql", { text: "SELECT * FROM people ORDER BY salary DESC" }],
  ["sql", { text: EMAILS }],
  ["sql", { text: "SELECT sum(CAST(name AS INT)) AS x FROM people" }, "fails"],
  ["sql", { text: "SELECT max(salary) AS top FROM people" }],
  ["source_rows", { result: "r1" }],
  ["source_rows", { result: "r3", key: { name: "nobody" } }, "fails"],
  ["check_stats", { result: "r8", stats: { top: 1 } }],
  ["check_stats", { result: "r1", stats: { count: 1, salary: 1 }, intent: "pattern" }],
  ["suggest_questions", {}],
  ["function_reference", { family: "all" }],
  ["run_script", script(`${ALL_ROWS} return rows`)],
  ["run_script", script(`${ALL_ROWS} throw new Error(JSON.stringify(rows))`), "fails"],
  ["run_script", script(`${ALL_ROWS} return db.query({ table: rows[0].name })`), "fails"],
  ["get_receipts", { limit: 1000, order_by: "total_desc" }],
  ["get_receipts", { limit: 0 }, "wrong"],
  ["get_receipt_items", { limit: 1000, item_name: "zq" }],
  ["get_receipt_items", { limit: 1000, product_name: "zq", group_by_item: true }],
  ["get_products", { search: "zq", include_children: true }],
  ["get_items", { limit: 1000, search: "zq", include_purchase_stats: true }],
  ["get_labels", { label_name: "zq", items_limit: 1000 }],
  [
    "get_purchase_statistics",
    { period_days: 36_500, limit: 1000, min_purchase_count: 1, include_prediction: true },
  ],
  ["get_purchase_statistics", { period_days: 36_500, group_by: "shop", min_purchase_count: 1 }],
  ["generate_shopping_list", { days_ahead: 36_500, min_confidence: "low", budget_limit: 9e9 }],
  ["generate_shopping_list", { include_labels: ["zq"] }, "fails"],
];

/** The calls of the tools that are there; there is one of each. */
export function greedy(offered) {
  const calls = GREEDY.filter(([tool]) => offered.includes(tool));
  assert.deepEqual(new Set(calls.map(([tool]) => tool)), new Set(offered));
  return calls;
}

const HIDDEN = [
  ["people", "name", "email", "salary", "score"],
  ["receipts", "shop", "total"],
  ["receipt_items", "amount"],
  ["items", "name"],
  ["products", "name"],
  ["labels", "name"],
].flatMap(([table, ...columns]) => columns.map((name) => [`${table}.${name}`, "hidden"]));

/** The policy that hides everything that is a secret. */
export const ALL_HIDDEN = { level: "summary", columns: Object.fromEntries(HIDDEN) };

/** A few names of each list and the extremes of its numbers: so many of 450 secrets may be told. */
export const FEW = 75;

/** Policies, and how many of the secrets may be told under each: none, or few. */
export const POLICIES = [
  [{ level: "schema" }, 0],
  [ALL_HIDDEN, 0],
  [{}, FEW],
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
