// Which chart fits what is shown, and what a person can choose instead.

import type { Result } from "../../result.js";
import type { ColumnInfo } from "../../types.js";
import type { ChartChoice, ChartKind, Shown } from "../types.js";
import { isAmount, isCode, isList, isNumeric } from "../table/format.js";

/** The kinds of charts, in the order in which they are offered. */
export const KINDS: ChartKind[] = ["bar", "line", "histogram"];
/** Rows of which bars are offered where nothing says that they are groups. */
const FEW = 50;

export function isTime(kind: string): boolean {
  return kind === "date" || kind === "timestamp";
}

export function numericOf(columns: readonly ColumnInfo[]): string[] {
  return columns.filter(({ kind }) => isNumeric(kind)).map(({ name }) => name);
}

/** Names of keys by parts of time, as queries and statements give them. */
const YEARS = /(?:^|_)(?:year|yr|год)(?:\(|$)/iu;
const PARTS = /(?:^|_)(?:month|monthname|quarter|week|месяц|квартал|неделя)(?:\(|$)/iu;

/** The columns of years and of their months, quarters or weeks, which together are one axis of time. */
export function monthsOf(
  columns: readonly ColumnInfo[],
): Pick<Required<ChartChoice>, "x" | "years"> | undefined {
  const [years, second] = columns.filter(({ name }) => YEARS.test(name));
  const [x, third] = columns.filter(({ name, kind }) => PARTS.test(name) && !isTime(kind));
  return years && x && !second && !third && isNumeric(years.kind)
    ? { x: x.name, years: years.name }
    : undefined;
}

/** The chart of groups by year and by month, apart by a third key: one line along time. */
function overMonths(
  result: Result,
  columns: readonly ColumnInfo[],
  keys: readonly ColumnInfo[],
  y: string[],
): ChartChoice | undefined {
  const axis = monthsOf(keys);
  const others = keys.filter(({ name }) => name !== axis?.x && name !== axis?.years);
  const [series] = others;
  if (!axis || others.length > 1 || y.length === 0) return undefined;
  // A few of them, the largest say, are no course of time.
  const kind = "limit" in result.query ? "bar" : "line";
  if (!series) return { kind, ...axis, y: sameUnit(columns, y) };
  return { kind, ...axis, y: y.slice(0, 1), series: series.name };
}

/** The column of numbers to show of a list: amounts before counts, and never ids. */
function counted(columns: readonly ColumnInfo[]): string | undefined {
  const numbers = columns.filter((column) => isNumeric(column.kind) && !isCode(column));
  return (numbers.find(isAmount) ?? numbers[0])?.name;
}

/** The column that rows are asked for in the order of. */
function ordering(result: Result | undefined, columns: readonly ColumnInfo[]): ColumnInfo[] {
  const by = [result?.query.sort ?? []].flat()[0]?.replace(/^-|\s.*/g, "");
  return columns.filter(({ name }) => name === by);
}

/** Why nothing is drawn of rows: there are none, one alone, or no numbers but those that name rows. */
export function whyNone(
  columns: readonly ColumnInfo[],
  total: number,
): "none" | "one" | "codes" | undefined {
  if (total === 0 || numericOf(columns).length === 0) return "none";
  if (counted(columns) === undefined) return "codes";
  return total === 1 ? "one" : undefined;
}

/** The chart that fits: what the engine says, else by the kinds of the columns. */
export function fitting(
  shown: Shown,
  columns: readonly ColumnInfo[],
  total: number,
): ChartChoice | undefined {
  if (total === 0) return undefined;
  const numbers = numericOf(columns);
  const [number] = numbers;
  if (number === undefined) return undefined;
  const result = "metadata" in shown ? shown : undefined;
  if (result && !result.table) return undefined;
  const grouped = result?.kind === "grouped";
  if (grouped) {
    const keys = result.columns.filter(({ role }) => role === "key");
    const measures = result.columns.filter(({ role }) => role !== "key");
    const months = overMonths(result, columns, keys, result.chart?.y ?? numericOf(measures));
    if (months) return months;
  }
  if (result?.chart) {
    const { kind, x, y, series } = result.chart;
    // What tells bars or lines apart is a measure or a column, never both.
    if (series === undefined) return { kind, x, y: sameUnit(columns, y) };
    // Months go along the axis, where none of them is left out.
    const turn = kind === "bar" && PARTS.test(series) && !PARTS.test(x);
    return { kind, x: turn ? series : x, y: y.slice(0, 1), series: turn ? x : series };
  }
  const stepped = result?.kind === "table" ? ofGroups(result, columns, total) : undefined;
  if (stepped) return stepped;
  const bought = result && ofPurchases(columns, total);
  if (bought) return bought;
  const roles = new Map(result?.columns.map(({ name, role }) => [name, role]));
  // What was computed says more than what was there.
  const made = columns.filter(({ name }) => ["mapped", "measure"].includes(roles.get(name) ?? ""));
  const shows = counted(ordering(result, columns)) ?? counted(made) ?? counted(columns);
  const time = columns.find(({ kind }) => isTime(kind));
  const y = numbers.filter((name) => name !== time?.name);
  // Times and one number of each, as the closes of days, go along the time.
  if (time && y.length > 0 && (!result || columns.length === 2))
    return { kind: "line", x: time.name, y: sameUnit(columns, y.slice(0, 1)) };
  if (!result) {
    const text = columns.find(({ kind }) => kind === "text");
    if (text && total <= FEW) return { kind: "bar", x: text.name, y: [shows ?? number] };
  }
  if (grouped || shows === undefined || total < 2) return undefined;
  return { kind: "histogram", x: shows, y: [] };
}

/** What bars show of goods and their categories, as the tools for purchases list them. */
const BOUGHT = ["purchase_count", "estimated_price", "amount"];

function ofPurchases(columns: readonly ColumnInfo[], total: number): ChartChoice | undefined {
  const { name: x = "" } = columns[0] ?? {};
  const y = BOUGHT.find((one) => columns.some(({ name }) => name === one));
  if (!/^(?:item|product)_name$/.test(x) || y === undefined || total < 2 || total > FEW) {
    return undefined;
  }
  return { kind: "bar", x, y: [y] };
}

/** The chart of groups that later steps, or a statement, made a table of: shares of a whole, changes. */
function ofGroups(
  result: Result,
  columns: readonly ColumnInfo[],
  total: number,
): ChartChoice | undefined {
  const { query, columns: own } = result;
  const stages = [query, ...(query.steps ?? [])].reverse();
  const by = [stages.find((one) => one.group_by !== undefined)?.group_by ?? []].flat();
  const others = columns.filter(({ kind }) => !isNumeric(kind) && !isList(kind));
  const mapped = own.every(({ role }) => role === "mapped");
  // A statement does not say what it groups by: a few names with their numbers are groups.
  const few = mapped && others.length === 1 && total <= FEW;
  const months = monthsOf(columns);
  if (
    months &&
    (by.length > 0 ? [months.x, months.years].every((one) => by.includes(one)) : mapped)
  ) {
    const apart = columns.filter(({ name, kind }) =>
      by.length > 0
        ? by.includes(name)
        : !isNumeric(kind) || [months.x, months.years].includes(name),
    );
    const rest = columns.filter((column) => !apart.includes(column));
    const line = overMonths(result, columns, apart, asked(result, numericOf(rest)));
    if (line && total > 1) return line;
  }
  const keys = by.length > 0 ? columns.filter(({ name }) => by.includes(name)) : few ? others : [];
  const [x, series] = keys.sort((a, b) => Number(isTime(b.kind)) - Number(isTime(a.kind)));
  const y = numericOf(columns.filter((column) => !keys.includes(column)));
  if (!x || keys.length > 2 || y.length === 0 || total < 2) return undefined;
  const drawn = sameUnit(columns, asked(result, y));
  const kind = isTime(x.kind) ? "line" : "bar";
  if (!series) return { kind, x: x.name, y: drawn };
  return { kind, x: x.name, y: drawn.slice(0, 1), series: series.name };
}

/** Of columns those that the last step computed of the groups: what was asked for. */
function asked({ query }: Result, y: string[]): string[] {
  const stages = [query, ...(query.steps ?? [])].reverse();
  const map = stages.find((one) => one.map !== undefined)?.map ?? {};
  const made = Array.isArray(map) ? map.map(([name]) => name) : Object.keys(map);
  const found = y.filter((name) => made.includes(name));
  return found.length > 0 ? found : y;
}

/** The columns that share the unit of the first: others need an axis of their own. */
export function sameUnit(columns: readonly ColumnInfo[], names: string[]): string[] {
  const unit = (name?: string) => columns.find((column) => column.name === name)?.unit ?? "";
  return names.filter((name) => unit(name) === unit(names[0]));
}

/** How many times as large as another a measure may be, to be read beside it on one axis. */
const APART = 20;

/** The measures that can be read on the axis of the first: beside much larger ones a line is flat. */
export function sameSize(
  names: readonly string[],
  points: readonly { y: number | null; series: string }[],
): string[] {
  const sizes = new Map<string, number>();
  for (const { y, series } of points)
    sizes.set(series, Math.max(sizes.get(series) ?? 0, Math.abs(y ?? 0)));
  const size = (name = ""): number => sizes.get(name) ?? 0;
  const first = size(names[0]);
  return names.filter((name) => {
    const [less, more] = [Math.min(first, size(name)), Math.max(first, size(name))];
    return less === 0 || more <= less * APART;
  });
}

/** A choice of another kind, with as much of the old one as it can have. */
export function turned(
  old: ChartChoice,
  kind: ChartKind,
  columns: readonly ColumnInfo[],
): ChartChoice | undefined {
  if (kind === old.kind) return old;
  const numbers = numericOf(columns);
  if (kind === "histogram") {
    const x = old.y[0] ?? counted(columns) ?? numbers[0];
    return x === undefined ? undefined : { kind, x, y: [] };
  }
  if (old.kind !== "histogram") return { ...old, kind };
  const time = columns.find((column) => isTime(column.kind));
  const text = columns.find(({ kind }) => !isNumeric(kind) && !isList(kind));
  const x =
    (kind === "line" ? (time ?? text) : (text ?? time)) ??
    columns.find(({ name, kind }) => !isList(kind) && name !== old.x);
  return x === undefined ? undefined : { kind, x: x.name, y: [old.x] };
}

/** Whether the columns of a choice are there. */
export function isPossible(choice: ChartChoice, columns: readonly ColumnInfo[]): boolean {
  const names = new Set(columns.map(({ name }) => name));
  const numbers = new Set(numericOf(columns));
  if (!names.has(choice.x) || !choice.y.every((name) => numbers.has(name))) return false;
  for (const one of [choice.series, choice.years]) {
    if (one !== undefined && !names.has(one)) return false;
  }
  return choice.kind === "histogram" ? numbers.has(choice.x) : choice.y.length > 0;
}

/** Whether the rows have an order that the question asked for. */
export function isSorted(shown: Shown | undefined): boolean {
  const query = shown && "metadata" in shown ? shown.query : undefined;
  if (!query) return false;
  if ("sql" in query) return /\border\s+by\b/iu.test(String(query.sql));
  return [query, ...(query.steps ?? [])].some(({ sort }) => sort !== undefined && sort.length > 0);
}
