// What a text is checked against: results of the engine, and tables that no query made.

import type { Engine } from "./engine.js";
import { type Locale, hostError } from "./errors.js";
import { Result, idOf } from "./result.js";
import type { GivenTable } from "./types.js";

/**
 * The ids of results of `engine`, and the tables that are no results. What is neither is refused by the place
 * where it stands, and by nothing of what it holds.
 */
export function evidenceOf(
  results: readonly (Result | GivenTable | string)[],
  locale: Locale,
  engine: Engine,
): { ids: string[]; tables: { tables?: GivenTable[] } } {
  const ids: string[] = [];
  const tables: GivenTable[] = [];
  if (!Array.isArray(results)) throw hostError("bad_option", locale, "results");
  for (const [i, result] of results.entries()) {
    if (typeof result === "string") ids.push(result);
    else if (result instanceof Result) ids.push(idOf(result, engine));
    else tables.push(tableOf(result, `results[${i}]`, locale));
  }
  return { ids, tables: tables.length > 0 ? { tables } : {} };
}

function tableOf(given: unknown, place: string, locale: Locale): GivenTable {
  if (!isObject(given)) throw hostError("bad_option", locale, place);
  const { name, rows } = given;
  if (typeof name !== "string") throw hostError("bad_option", locale, `${place}.name`);
  // A table without rows has no columns: nothing can be checked against it.
  if (!Array.isArray(rows) || rows.length === 0) {
    throw hostError("bad_option", locale, `${place}.rows`);
  }
  const plain = rows.map((row: unknown, i) => {
    if (!isObject(row)) throw hostError("bad_option", locale, `${place}.rows[${i}]`);
    return Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, plainOf(cell)]));
  });
  return { name, rows: plain };
}

/** A cell as JSON has it, and big integers: the engine reads rows that are given as such. */
function plainOf(cell: unknown): unknown {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : cell.toISOString();
  // No claim is about what has parts of its own.
  return typeof cell === "object" ? null : cell;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
