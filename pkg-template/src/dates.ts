// Dates and times as `Date`, for pages that want them so. What a table's clock shows is what the
// `Date` shows in UTC: no zone is added to it and none taken off.

import { type Locale, hostError } from "./errors.js";
import type { ColumnInfo, Page } from "./types.js";

/** Finer parts of a second than a `Date` has. */
const FINER = /(\.\d{3})\d+$/;

/** A value of a column of this kind, as a `Date` where it is one. */
export function toDate(value: unknown, kind: string | undefined): unknown {
  if (typeof value !== "string" || (kind !== "date" && kind !== "timestamp")) return value;
  // A bar of a day or longer is shown as its date.
  const date = new Date(value.includes("T") ? `${value.replace(FINER, "$1")}Z` : value);
  return Number.isNaN(date.getTime()) ? value : date;
}

/** The page with its dates and times as `Date`s. */
export function pageOfDates(page: Page): Page {
  const { kinds = [] } = page;
  return { ...page, rows: page.rows.map((row) => row.map((value, i) => toDate(value, kinds[i]))) };
}

/** A group's key as the engine has it. */
export function fromDates(
  key: Record<string, unknown>,
  columns: readonly ColumnInfo[],
  locale: Locale,
): Record<string, unknown> {
  const text = (name: string, date: Date) => {
    if (Number.isNaN(date.getTime())) throw hostError("bad_option", locale, `key.${name}`);
    const day = columns.find((column) => column.name === name)?.kind === "date";
    return date.toISOString().replace(day ? /T.*/ : /(\.000)?Z$/, "");
  };
  return Object.fromEntries(
    Object.entries(key).map(([name, value]) => [
      name,
      value instanceof Date ? text(name, value) : value,
    ]),
  );
}
