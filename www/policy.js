// What a model may receive, as the person at the page wants it: the level, and the classes of
// columns. A column that looks like personal data is hidden until it is opened by hand.

import { save, settings } from "./settings.js";

export const LEVELS = ["schema", "aggregate", "summary", "preview"];
export const CLASSES = ["open", "aggregate", "hidden"];

/** Where the classes wait while the page reloads. */
const KEPT = "pinhole.classes";

let level = LEVELS.includes(settings().level) ? settings().level : "summary";
/** Classes that the person chose: table → column → class. */
let chosen = new Map();
/** What was protected before the page reloaded itself, and is not asked for again. */
let before = carried();
/** What looks like personal data: table → column → flag. */
const flagged = new Map();
/** The columns of the tables that are there. */
const columnsOf = new Map();
const watchers = new Set();
let last = Promise.resolve();

/** The classes that were chosen before the page reloaded itself: they wait until their tables come. */
function carried() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return kept.map(([table, columns, classes]) => ({ table, columns, classes: new Map(classes) }));
  } catch {
    return [];
  }
}

function keep(entries) {
  const kept = entries.map(({ table, columns, classes }) => [table, columns, [...classes]]);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Storage is switched off: the card of the table shows its classes.
  }
}

/** Whether an entry is of this table: of its name, or of its columns under another one. */
function isOf(entry, table) {
  const names = columnsOf.get(table);
  const same = names?.length === entry.columns.length;
  return entry.table === table || (same && names.every((name) => entry.columns.includes(name)));
}

/**
 * Reloads the page. What the person protected stays so for the tables that are loaded after it: the
 * reload is the page's own doing, and an endpoint may be there from now on.
 */
export async function reload() {
  // A class that was just chosen counts.
  await last.catch(() => undefined);
  const waits = before.filter((entry) => ![...columnsOf.keys()].some((t) => isOf(entry, t)));
  const entries = [...columnsOf].map(([table, columns]) => {
    const own = columns.map((name) => [
      name,
      chosen.get(table)?.get(name) ?? carriedOf(table, name),
    ]);
    return { table, columns, classes: own.filter(([, name]) => (name ?? "open") !== "open") };
  });
  keep([...waits, ...entries.filter(({ classes }) => classes.length > 0)]);
  location.reload();
}

/** How a column was protected before the reload. */
function carriedOf(table, column) {
  const all = before.filter((entry) => isOf(entry, table));
  return strictest(all.map(({ classes }) => classes.get(column)));
}

function strictest(classes) {
  return CLASSES.findLast((name) => classes.includes(name));
}

/** The level in force. */
export function levelNow() {
  return level;
}

/** What was flagged of a table: `{column, kind, by}` each; `info` or its report may have none. */
export function flagsOf(info) {
  const flags = info.flags ?? info.report?.flags;
  const names = new Set(info.columns.map(({ name }) => name));
  return Array.isArray(flags) ? flags.filter((flag) => names.has(flag?.column)) : [];
}

/** The class of a column: as it was chosen, otherwise the strictest of what is known of it. */
export function classOf(table, column) {
  return chosen.get(table)?.get(column) ?? unchosen(table, column);
}

function unchosen(table, column) {
  const flag = flagged.get(table)?.has(column) ? "hidden" : undefined;
  return strictest([flag, carriedOf(table, column)]) ?? "open";
}

/** The policy as the engine takes it. */
export function policy() {
  return policyOf({ level, chosen });
}

function policyOf({ level, chosen }) {
  const columns = {};
  const tables = new Set([...before.map(({ table }) => table), ...columnsOf.keys()]);
  for (const table of tables) {
    const all = before.filter((entry) => isOf(entry, table));
    const carried = all.flatMap(({ classes }) => [...classes.keys()]);
    for (const column of new Set([...(flagged.get(table)?.keys() ?? []), ...carried])) {
      columns[`${table}.${column}`] = unchosen(table, column);
    }
  }
  for (const [table, classes] of chosen) {
    for (const [column, name] of classes) columns[`${table}.${column}`] = name;
  }
  return { level, columns };
}

/** Calls `watcher` after each change. */
export function watchPolicy(watcher) {
  watchers.add(watcher);
}

/** A table is there: what is flagged of it is hidden from now on. */
export function tableCame(ph, info) {
  return change(ph, () => {
    flagged.set(info.name, new Map(flagsOf(info).map((flag) => [flag.column, flag])));
    columnsOf.set(
      info.name,
      info.columns.map(({ name }) => name),
    );
    const waits = carried().filter((entry) => !isOf(entry, info.name));
    keep(waits);
  });
}

/** A table is gone: another one of its name is another table. */
export function tableWent(ph, name) {
  return change(ph, (next) => {
    before = before.filter((entry) => !isOf(entry, name));
    flagged.delete(name);
    columnsOf.delete(name);
    next.chosen.delete(name);
  });
}

/** Sets the level; it is remembered on this device. */
export async function setLevel(ph, name) {
  await change(ph, (next) => (next.level = name));
  save({ level: name });
}

/** Sets the class of a column; it holds as long as the table is there, and over {@link reload}. */
export function setClass(ph, table, column, name) {
  return change(ph, ({ chosen }) => {
    chosen.set(table, new Map(chosen.get(table)).set(column, name));
  });
}

/** One change after the other; what the engine refuses is not shown as set. */
function change(ph, edit) {
  const made = last.then(async () => {
    const next = { level, chosen: new Map(chosen) };
    edit(next);
    await ph.setPolicy(policyOf(next));
    ({ level, chosen } = next);
    for (const watcher of watchers) watcher();
  });
  last = made.catch(() => undefined);
  return made;
}
