// What a person chooses along the axis, and what tells the rows of one place apart then.

import type { ColumnInfo } from "../../types.js";
import type { ChartChoice, Shown } from "../types.js";
import { isAmount, isCode, isList, isNumeric } from "../table/format.js";
import { isTime, monthsOf } from "./shape.js";

/** The columns that may stand along the axis of a chart; a histogram along a name becomes bars. */
export function alongOf(columns: readonly ColumnInfo[], { x, y }: ChartChoice): string[] {
  const names = columns.filter(({ kind }) => !isList(kind)).map(({ name }) => name);
  // Values along themselves show nothing.
  return names.filter((name) => name === x || !y.includes(name));
}

/** A choice along another column: what told the marks apart changes places with the axis. */
export function along(chosen: ChartChoice, x: string, columns: readonly ColumnInfo[]): ChartChoice {
  const { years, ...old } = chosen;
  const about = columns.find(({ name }) => name === x);
  if (old.kind !== "histogram") {
    const before = years === undefined ? [old.x] : [old.x, years];
    const split = old.series ?? (before.includes(x) ? x : undefined);
    const series = split === x ? before.find((one) => one !== x) : undefined;
    return series === undefined ? { ...old, x } : { ...old, x, y: old.y.slice(0, 1), series };
  }
  if (!about || isNumeric(about.kind)) return { ...old, x };
  return { kind: isTime(about.kind) ? "line" : "bar", x, y: [old.x] };
}

/** Columns that may tell apart several rows with one place along the axis: keys of groups, else names. */
export function apartOf(
  { x, years, y }: ChartChoice,
  columns: readonly ColumnInfo[],
  shown: Shown | undefined,
): string[] {
  const own = shown && "metadata" in shown ? shown.columns : [];
  const keys = own.filter(({ role }) => role === "key").map(({ name }) => name);
  const names = columns.filter((column) => !isList(column.kind) && !isAmount(column));
  const others = names.filter((column) => !isNumeric(column.kind) || isCode(column));
  return others
    .map(({ name }) => name)
    .filter((name) => keys.length === 0 || keys.includes(name))
    .filter((name) => ![x, years, ...y].includes(name));
}

/** The value of a field that stands for the months of years, and the choice of them. */
export const MONTHS = "\u0000months";

export function alongMonths(old: ChartChoice, columns: readonly ColumnInfo[]): ChartChoice {
  const axis = monthsOf(columns);
  if (!axis) return old;
  const { series, ...rest } = old;
  const apart = series === undefined || [axis.x, axis.years].includes(series) ? {} : { series };
  const kind = old.kind === "histogram" ? "line" : old.kind;
  return { ...rest, kind, ...axis, ...apart, y: old.y.length > 0 ? old.y : [old.x] };
}

/** Whether the rows are groups by keys. */
export function isGrouped(shown: Shown | undefined): boolean {
  return shown !== undefined && "metadata" in shown && shown.kind === "grouped";
}
