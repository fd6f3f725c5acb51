// Moments that are all midnights are days: their column is shown without a time of day.

import type { ColumnInfo } from "../../types.js";

const MIDNIGHT = /^(-?\d{4,6}-\d\d-\d\d)[ T]00:00(?::00(?:\.0+)?)?$/;

/** The day of a moment without a time of day; of any other value nothing. */
export function dayOf(value: unknown): string | undefined {
  return typeof value === "string" ? MIDNIGHT.exec(value)?.[1] : undefined;
}

/** Whether none of these values of a column has a time of day. */
export function areDays(values: readonly unknown[]): boolean {
  const there = values.filter((value) => value !== null && value !== undefined);
  return there.length > 0 && there.every((value) => dayOf(value) !== undefined);
}

/** The columns of moments of which none with a time of day has been seen so far. */
export class Days {
  readonly #columns: Set<number>;

  constructor(columns: readonly ColumnInfo[]) {
    const moments = columns.flatMap(({ kind }, at) => (kind === "timestamp" ? [at] : []));
    this.#columns = new Set(moments);
  }

  /** Looks at rows that have come. */
  see(rows: readonly unknown[][]): void {
    for (const at of this.#columns) {
      const timed = (value: unknown): boolean =>
        value !== null && value !== undefined && dayOf(value) === undefined;
      if (rows.some((row) => timed(row[at]))) this.#columns.delete(at);
    }
  }

  /** A value as it is shown. */
  shown(value: unknown, column: number): unknown {
    return this.#columns.has(column) ? (dayOf(value) ?? value) : value;
  }
}
