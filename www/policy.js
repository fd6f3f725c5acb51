// What a model may receive, as the person at the page wants it: the level, and the classes of
// columns. A column that looks like personal data is hidden until it is opened by hand.

import { save, settings } from "./settings.js";

export const LEVELS = ["schema", "aggregate", "summary", "preview"];
export const CLASSES = ["open", "aggregate", "hidden"];

/** Where the classes wait while the page reloads. */
const KEPT = "pinhole.classes";

let level = LEVELS.includes(settings().level) ? settings().level : "summary";
/** Classes that the person chose: table → column → class. */
let chosen = carried();
/** What looks like personal data: table → column → flag. */
const flagged = new Map();
const watchers = new Set();
let last = Promise.resolve();

/** The classes that were chosen before the page reloaded itself. */
function carried() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    sessionStorage.removeItem(KEPT);
    return new Map(kept.map(([table, classes]) => [table, new Map(classes)]));
  } catch {
    return new Map();
  }
}

/**
 * Reloads the page. What the person protected stays so for the tables that are loaded after it: the
 * reload is the page's own doing, and an endpoint may be there from now on.
 */
export async function reload() {
  // A class that was just chosen counts.
  await last.catch(() => undefined);
  const protect = ([, name]) => name !== "open";
  const kept = [...chosen].map(([table, classes]) => [table, [...classes].filter(protect)]);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Storage is switched off: the card of the table shows its classes.
  }
  location.reload();
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

/** The class of a column. */
export function classOf(table, column) {
  return chosen.get(table)?.get(column) ?? (flagged.get(table)?.has(column) ? "hidden" : "open");
}

/** The policy as the engine takes it. */
export function policy() {
  return policyOf(level, chosen);
}

function policyOf(level, chosen) {
  const columns = {};
  for (const [table, flags] of flagged) {
    for (const column of flags.keys()) columns[`${table}.${column}`] = "hidden";
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
  });
}

/** A table is gone: another one of its name is another table. */
export function tableWent(ph, name) {
  return change(ph, (next) => {
    flagged.delete(name);
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
    await ph.setPolicy(policyOf(next.level, next.chosen));
    ({ level, chosen } = next);
    for (const watcher of watchers) watcher();
  });
  last = made.catch(() => undefined);
  return made;
}
