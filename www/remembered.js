// What a person protected of a table, remembered on this device until the same file is loaded again:
// the names of the columns and their classes, and nothing of what is in them. Only where the person
// lets the page keep conversations.

import { save, settings } from "./settings.js";

/** Tables that are remembered; the oldest go first. */
const MOST = 100;

/** @returns {{table: string, print: string, classes: [column: string, name: string][]}[]} */
function records() {
  const { keep, columns } = settings();
  const all = keep === true && Array.isArray(columns) ? columns : [];
  return all.filter((one) => Array.isArray(one?.classes));
}

/**
 * Tells tables of one name apart, by what their columns are called. The kinds are not in it: a file that
 * has grown may have others, and what is hidden of it is not to open for that.
 */
function printOf(columns) {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (const character of JSON.stringify(columns)) {
    const code = character.codePointAt(0);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The columns that any table of this name had protected: which one it is shows when it is there. */
export function expectedOf(table) {
  const own = records().filter((one) => one.table === table);
  return new Set(own.flatMap(({ classes }) => classes.map(([column]) => column)));
}

/**
 * The classes that were set for a table of these columns: `[column, class]` each. Where the name is known
 * and other columns have come, what is left of each stays protected.
 */
export function rememberedOf(table, columns) {
  const own = records().filter((one) => one.table === table);
  const same = own.find(({ print }) => print === printOf(columns));
  const classes = (same ? [same] : own).flatMap((one) => one.classes);
  return classes.filter(([column]) => columns.includes(column));
}

/** Remembers what is protected of a table of these columns. */
export function remember(table, columns, classes) {
  if (settings().keep !== true) return;
  const print = printOf(columns);
  const others = records().filter((one) => one.table !== table || one.print !== print);
  // That nothing is protected counts where another table of this name says otherwise.
  const said = classes.length > 0 || others.some((one) => one.table === table);
  const all = [...others, ...(said ? [{ table, print, classes }] : [])];
  save({ columns: all.length > 0 ? all.slice(-MOST) : undefined });
}

/** The tables that something is remembered of. */
export function rememberedTables() {
  const some = records().filter(({ classes }) => classes.length > 0);
  return [...new Set(some.map(({ table }) => table))];
}

/** Forgets them all; what is protected now stays so as long as its table is there. */
export function forgetRemembered() {
  save({ columns: undefined });
}
