// What stands in the box of a query: a query as JSON, a statement of SQL, or neither.

import type { Result } from "../result.js";
import type { Locale, Query } from "../types.js";
import { jsonPlace } from "./json-place.js";
import { text } from "./query-texts.js";
import { isNear } from "./sql-place.js";

/** A statement with its parameters, as results of `ph.sql` have it. */
interface Statement {
  sql: string;
  params?: unknown[] | Record<string, unknown>;
}

/** What was written, or what is wrong with it. */
export type Written = { query: Query } | Statement | { wrong: string };

/** Comments and blanks before the first word of a statement. */
const BEFORE = String.raw`^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*`;
const SQL = new RegExp(String.raw`${BEFORE}(?:select|with)\b`, "isu");
/** The first word, where more stands behind it. */
const LETTERS = new RegExp(String.raw`${BEFORE}(\p{L}+)\s+\S`, "su");
/** Statements that change tables, and others that are no questions: by their first words. */
const OTHER = new RegExp(
  String.raw`${BEFORE}(?:(?<changes>delete|update|insert|replace|merge|truncate|drop|alter|create|rename|copy|grant|revoke|vacuum)|explain|describe|pragma|attach|detach)\s+["\x60[*\p{L}_]`,
  "isu",
);

export function written(locale: Locale, words: string): Written {
  // One semicolon behind it is a habit.
  if (SQL.test(words)) return { sql: words.trim().replace(/;\s*$/u, "") };
  const other = OTHER.exec(words);
  if (other) {
    const key = other.groups?.changes === undefined ? "query_not_run" : "query_changes";
    const [word = ""] = /\p{L}+(?=\s+\S$)/u.exec(other[0]) ?? [];
    return { wrong: text(locale, key, { word: word.toUpperCase() }) };
  }
  const [, begins] = LETTERS.exec(words) ?? [];
  if (begins && (/^from$/iu.test(begins) || isNear(begins.toUpperCase(), "SELECT")))
    return { wrong: text(locale, "query_like_sql", { word: begins }) };
  try {
    const query: unknown = JSON.parse(words);
    return isStatement(query) ? query : { query: query as Query };
  } catch {
    const place = jsonPlace(words);
    const key = place.sign === "" ? "query_breaks_off" : "query_not_json";
    return { wrong: text(locale, key, { ...place }) };
  }
}

function isStatement(query: unknown): query is Statement {
  if (typeof query !== "object" || query === null || !("sql" in query)) return false;
  return typeof query.sql === "string";
}

/** A query as it is edited: a statement that takes nothing is its own text. */
export function editable(query: Query): string {
  return isStatement(query) && query.params === undefined
    ? query.sql
    : JSON.stringify(query, null, 2);
}

/** That SQL runs in the box, with a statement over the query's table; none where there is SQL already. */
export function sqlHint(locale: Locale, { table }: Query): string {
  if (table === undefined) return "";
  const name = /^[a-z_][a-z0-9_]*$/.test(table) ? table : `"${table.replaceAll('"', '""')}"`;
  return text(locale, "query_sql", { table: name });
}

/** What a query came to, in a word or two: its value, or how much it is. */
export function cameTo(
  locale: Locale,
  { kind, rows, value, columns }: Pick<Result, "kind" | "rows" | "value" | "columns">,
  say: { count: (value: number) => string; cell: (value: unknown, column: string) => string },
): string {
  if (kind === "scalar") return `= ${say.cell(value, columns[0]?.name ?? "")}`;
  const key =
    kind === "grouped" ? "scope_groups" : kind === "table" ? "scope_made" : "scope_values";
  const size = kind === "dict" ? columns.length : rows;
  return text(locale, key, { rows: say.count(size) });
}
