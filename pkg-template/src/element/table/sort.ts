// Rows by the values of a column: by a new query where there is an engine, else in the page.

import type { ColumnInfo, Query } from "../../types.js";
import { isNumeric } from "./format.js";

export type Direction = "asc" | "desc";

/** Rows that may be sorted in the page. */
export const IN_PAGE = 10_000;
/** Steps that a query may have. */
const STEPS = 8;

/** The query whose result is that of `query` in another order; none where it cannot be written. */
export function sorted(query: Query, column: string, direction: Direction): Query | undefined {
  if ("sql" in query) return undefined;
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(column) ? column : `\`${column}\``;
  // A name with a backtick cannot be quoted.
  if (name.slice(1, -1).includes("`")) return undefined;
  const sort = direction === "desc" ? `${name} desc` : name;
  const steps = query.steps ?? [];
  const last = steps.at(-1) ?? query;
  if (last.limit === undefined) {
    return steps.length === 0
      ? { ...query, sort }
      : { ...query, steps: [...steps.slice(0, -1), { ...last, sort }] };
  }
  // What a limit kept is put in order by a step of its own, which alone may name the columns.
  if (steps.length >= STEPS) return undefined;
  const { columns, ...before } = last;
  const step: Query = { sort, ...(columns ? { columns } : {}) };
  return steps.length === 0
    ? { ...before, steps: [step] }
    : { ...query, steps: [...steps.slice(0, -1), before, step] };
}

/** The rows in order, as the engine has it: equal rows stay as they were, nulls come last. */
export function sortRows(
  rows: unknown[][],
  at: number,
  column: ColumnInfo,
  direction: Direction,
): unknown[][] {
  const turn = direction === "desc" ? -1 : 1;
  const compare = isNumeric(column.kind) ? numbers : texts;
  return rows.slice().sort((a, b) => {
    const [x, y] = [a[at], b[at]];
    const [noX, noY] = [isNone(x), isNone(y)];
    if (noX || noY) return Number(noX) - Number(noY);
    return turn * compare(x, y);
  });
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Numbers, big integers and texts of digits, each compared as exactly as it is given. */
function numbers(a: unknown, b: unknown): number {
  const [x, y] = [a, b] as (number | bigint | string)[] as [number, number];
  if (typeof a !== "string" && typeof b !== "string") {
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return decimals(String(x), String(y));
}

/** Decimals by their digits: a float would make near ones equal. */
function decimals(a: string, b: string): number {
  const [x, y] = [parts(a), parts(b)];
  if (x.sign !== y.sign) return x.sign - y.sign;
  const size =
    x.whole.length - y.whole.length || texts(x.whole, y.whole) || texts(x.fraction, y.fraction);
  return Math.sign(size) * (x.sign || 1);
}

function parts(text: string): { sign: number; whole: string; fraction: string } {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const digits = { whole: whole.replace(/^0+/, ""), fraction: fraction.replace(/0+$/, "") };
  const zero = digits.whole === "" && digits.fraction === "";
  return { sign: zero ? 0 : text.startsWith("-") ? -1 : 1, ...digits };
}

/** By Unicode code point. */
function texts(a: unknown, b: unknown): number {
  const [x, y] = [String(a), String(b)];
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i += 1) {
    const [p, q] = [x.charCodeAt(i), y.charCodeAt(i)];
    if (p === q) continue;
    // Halves of characters stand for what comes after U+FFFF.
    const [high, low] = [p >= 0xd800 && p < 0xe000, q >= 0xd800 && q < 0xe000];
    return high === low ? p - q : high ? 1 : -1;
  }
  return x.length - y.length;
}
