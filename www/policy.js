// What a model may receive, as the person at the page wants it: the level, and the classes of
// columns. A column that looks like personal data is hidden until it is opened by hand.

import { expectedOf, remember, rememberedOf } from "./remembered.js";
import { save, settings } from "./settings.js";

export const LEVELS = ["schema", "aggregate", "summary", "preview"];
export const CLASSES = ["open", "aggregate", "hidden"];

/** Where the classes wait while the page reloads. */
const KEPT = "pinhole.classes";

/** What is in force. A change is made in a copy, which takes its place once the engine has it. */
let now = {
  level: LEVELS.includes(settings().level) ? settings().level : "summary",
  /** Classes that the person chose: table → column → class. */
  chosen: new Map(),
  /** What was protected before the page reloaded itself, by the tables of then. */
  before: carried(),
  /** What a table has of that, in a copy of its own: table → column → class. */
  inherited: new Map(),
  /** What looks like personal data: table → column → flag. */
  flagged: new Map(),
  /** The columns of the tables that are there. */
  columnsOf: new Map(),
  /** What tables that are being read are called where they come from, and what is known of them. */
  expected: new Map(),
  /** What tables are called where they come from. */
  calledOf: new Map(),
  /** What they had when they were loaded before: table → column → class. */
  again: new Map(),
};
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

/**
 * The entries whose own table has not come. One of another name with the same columns has a copy of
 * the classes, and the entry waits on: that may have been another file.
 */
function waiting({ before, columnsOf }) {
  return before.filter(({ table }) => !columnsOf.has(table));
}

/** Whether an entry is of this table: of its name, or of its columns under another one. */
function isOf(entry, table, names) {
  const same = names.length === entry.columns.length;
  return entry.table === table || (same && names.every((name) => entry.columns.includes(name)));
}

/**
 * What a table of these columns is given of before the reload and of when it was loaded before, and keeps
 * while it is there.
 */
function inherit({ before, inherited, again }, table, names) {
  const known = before.filter((entry) => isOf(entry, table, names)).map(({ classes }) => classes);
  const all = [inherited.get(table) ?? new Map(), again.get(table), ...known];
  const classes = names.map((name) => [name, strictest(all.map((one) => one.get(name)))]);
  return new Map(classes.filter(([, name]) => name !== undefined));
}

/** The classes that the person chose for a table's columns: `[column, class]` each. */
export function chosenOf(table) {
  return [...(now.chosen.get(table) ?? [])];
}

/**
 * Puts away, before the page reloads itself, what the person protected: it stays so for the tables that
 * are loaded after it, for an endpoint may be there from then on.
 */
export async function putAway() {
  // A class that was just chosen counts.
  await last.catch(() => undefined);
  const entries = [...now.columnsOf].map(([table, columns]) => {
    return { table, columns, classes: protectedOf(table) };
  });
  keep([...waiting(now), ...entries.filter(({ classes }) => classes.length > 0)]);
}

/** What the person protected of a table: `[column, class]` each. */
function protectedOf(table) {
  const { chosen, inherited, columnsOf } = now;
  const own = columnsOf
    .get(table)
    .map((name) => [name, chosen.get(table)?.get(name) ?? inherited.get(table)?.get(name)]);
  return own.filter(([, name]) => (name ?? "open") !== "open");
}

/** Remembers what is protected of the tables that are there, or of one, where that may be. */
export function rememberTables(tables = [...now.columnsOf.keys()]) {
  for (const table of tables) {
    const columns = now.columnsOf.get(table);
    if (columns) remember(now.calledOf.get(table) ?? table, columns, protectedOf(table));
  }
}

/** The columns that have the class of when their table was loaded before: `[column, class]` each. */
export function asBefore(table) {
  const known = [...(now.again.get(table) ?? [])];
  return known.filter(([column, name]) => classOf(table, column) === name);
}

function strictest(classes) {
  return CLASSES.findLast((name) => classes.includes(name));
}

/** The strictest class of each column. */
function strictestOf(entries) {
  const classes = new Map();
  for (const [column, name] of entries)
    classes.set(column, strictest([name, classes.get(column)]) ?? "hidden");
  return classes;
}

/** The level in force. */
export function levelNow() {
  return now.level;
}

/** What was flagged of a table: `{column, kind, by}` each; `info` or its report may have none. */
export function flagsOf(info) {
  const flags = info.flags ?? info.report?.flags;
  const names = new Set(info.columns.map(({ name }) => name));
  return Array.isArray(flags) ? flags.filter((flag) => names.has(flag?.column)) : [];
}

/** The class of a column: as it was chosen, otherwise the strictest of what is known of it. */
export function classOf(table, column) {
  return now.chosen.get(table)?.get(column) ?? unchosen(now, table, column);
}

function unchosen({ flagged, inherited }, table, column) {
  const flag = flagged.get(table)?.has(column) ? "hidden" : undefined;
  return strictest([flag, inherited.get(table)?.get(column)]) ?? "open";
}

/** The policy as the engine takes it. */
export function policy() {
  return policyOf(now);
}

function policyOf(state) {
  const { level, chosen, inherited, flagged, columnsOf } = state;
  const columns = {};
  // Until the table is there nobody knows what else is to be said of a column: a milder class would
  // stand against a flag of the load.
  for (const { table, classes, lacks } of waiting(state)) {
    const names = [...classes.keys()].filter((column) => !lacks?.(column));
    for (const column of names) columns[`${table}.${column}`] = "hidden";
  }
  for (const [table, { names, lacks }] of state.expected) {
    for (const column of names) if (!lacks?.(column)) columns[`${table}.${column}`] = "hidden";
  }
  for (const table of columnsOf.keys()) {
    const known = [flagged, inherited].flatMap((of) => [...(of.get(table)?.keys() ?? [])]);
    for (const column of known) columns[`${table}.${column}`] = unchosen(state, table, column);
  }
  for (const [table, classes] of chosen) {
    // A table that a restart lost may come back with other columns.
    const there = columnsOf.get(table) ?? [...classes.keys()];
    for (const column of there.filter((one) => classes.has(one))) {
      columns[`${table}.${column}`] = classes.get(column);
    }
  }
  return { level, columns };
}

/** Calls `watcher` after each change. */
export function watchPolicy(watcher) {
  watchers.add(watcher);
}

/**
 * A table is about to be read, from what is `called` so: what was protected of it when it was loaded
 * before is hidden from its first row on.
 */
export async function tableExpected(ph, table, called) {
  const names = now.columnsOf.has(table) ? new Set() : expectedOf(called);
  const told = names.size > 0 || now.expected.get(table)?.names.size > 0;
  await change(ph, (next) => next.expected.set(table, { called, names }), told);
}

/**
 * A table is there: what is flagged of it is hidden from now on. One that was there before the page
 * reloaded itself has the classes that were `chosen` for it.
 */
export function tableCame(ph, info, chosen = []) {
  const names = info.columns.map(({ name }) => name);
  return change(ph, (next) => {
    const called = next.expected.get(info.name)?.called ?? info.name;
    next.expected.delete(info.name);
    next.calledOf.set(info.name, called);
    next.again.set(info.name, strictestOf(rememberedOf(called, names)));
    next.inherited.set(info.name, inherit(next, info.name, names));
    next.flagged.set(info.name, new Map(flagsOf(info).map((flag) => [flag.column, flag])));
    next.columnsOf.set(info.name, names);
    if (chosen.length > 0) next.chosen.set(info.name, new Map(chosen));
  });
}

/**
 * Whether a load was refused because this table lacks columns that one of its name had before a reload
 * or a restart. They are no more of it then; what else is known of it waits on.
 */
export async function tableLacks(ph, table, { code, diagnostics }) {
  const pointer = (column) =>
    `/columns/${`${table}.${column}`.replace(/~/g, "~0").replace(/\//g, "~1")}`;
  const wrong = code === "unknown_column" ? diagnostics.map((one) => one.pointer) : [];
  if (!wrong.some((one) => one.startsWith(pointer("")))) return false;
  const lacks = (column) => wrong.includes(pointer(column));
  const rest = (classes) => new Map([...classes].filter(([column]) => !lacks(column)));
  await change(ph, (next) => {
    // Another table of these columns may still come under another name.
    next.before = next.before.map((entry) => (entry.table === table ? { ...entry, lacks } : entry));
    for (const of of [next.chosen, next.inherited, next.flagged])
      if (of.has(table)) of.set(table, rest(of.get(table)));
    if (next.expected.has(table)) next.expected.set(table, { ...next.expected.get(table), lacks });
    const there = next.columnsOf.get(table)?.filter((name) => !lacks(name));
    if (there) next.columnsOf.set(table, there);
  });
  return true;
}

/** A table is gone: another one of its name is another table, and other tables keep what they have. */
export function tableWent(ph, name) {
  return change(ph, (next) => {
    next.before = next.before.filter(({ table }) => table !== name);
    for (const of of OF_TABLES) next[of].delete(name);
  });
}

/** Sets the level; it is remembered on this device. */
export async function setLevel(ph, name) {
  await change(ph, (next) => (next.level = name));
  save({ level: name });
}

/**
 * Sets the class of a column; it holds as long as the table is there, over {@link putAway}, and where the
 * page may keep something for when the same file is loaded again.
 */
export async function setClass(ph, table, column, name) {
  await change(ph, ({ chosen }) => {
    chosen.set(table, new Map(chosen.get(table)).set(column, name));
  });
  rememberTables([table]);
}

/** What is known of each table. */
const OF_TABLES = ["chosen", "inherited", "flagged", "columnsOf", "expected", "calledOf", "again"];

/**
 * One change after the other; what the engine refuses is neither shown as set nor kept. It is not `told`
 * of what changes nothing for it.
 */
function change(ph, edit, told = true) {
  const made = last.then(async () => {
    const { level, before } = now;
    const copies = Object.fromEntries(OF_TABLES.map((name) => [name, new Map(now[name])]));
    const next = { level, before, ...copies };
    edit(next);
    if (told) await ph.setPolicy(policyOf(next));
    now = next;
    keep(waiting(now));
    for (const watcher of watchers) watcher();
  });
  last = made.catch(() => undefined);
  return made;
}
