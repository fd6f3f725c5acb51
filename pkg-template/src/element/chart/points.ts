// What is drawn: a bounded number of points, read piece by piece, and an account of everything that
// was left out. No value is made up: a point is a cell of a row, a bar of a histogram a count.

import type { ColumnInfo } from "../../types.js";
import type { ChartChoice } from "../types.js";
import { isNumeric, isWhole, json } from "../table/format.js";
import { type RowSource, batches } from "../table/rows.js";
import { bins } from "./bins.js";
import { type Step, beginning, calendarOrder, stepOf } from "./calendar.js";
import { isTime } from "./shape.js";
import { thinned } from "./thin.js";

/** Bounds of what is read and drawn. */
export const LIMITS = {
  /** Rows that are read; of more, stretches at even distances. */
  rows: 300_000,
  /** Rows in one such stretch. */
  stretch: 1000,
  /** Bars along the axis. */
  bars: 60,
  /** Lines, or bars of one group. */
  series: 10,
  /** Points of all lines together. */
  points: 4000,
};

/** A place along the axis: a moment or a number, or a name. Null is a missing value. */
export type Place = number | string | null;

export interface Point {
  x: Place;
  /** Where a bar of a histogram ends. */
  to?: number;
  y: number | null;
  /** The line or the group of bars. */
  series: string;
  /** It is of rows without a name: they are no group beside the others. */
  empty?: boolean;
}

/** What was left out, to be said. */
export type Omission =
  | { code: "groups" | "series"; shown: number; all: number }
  | { code: "thinned"; rows: number; points: number; stretch: number }
  | { code: "sampled"; read: number; rows: number }
  | { code: "nulls" | "empty"; count: number }
  | { code: "inexact" | "pie" | "unordered" }
  | { code: "units" | "measures" | "sizes"; columns: string[] }
  | { code: "repeats"; column: string };

export interface Drawing {
  choice: ChartChoice;
  /** How places are to be read. */
  along: "time" | "number" | "name";
  /** The places are months or quarters of years, by the moments at which they begin. */
  step?: Step;
  points: Point[];
  /** Names of the lines or groups, in the order of the result; one where nothing tells them apart. */
  series: string[];
  /** Values that were counted; of a histogram. */
  counted: number;
  omitted: Omission[];
  /** The values are shares of their sum, in percent. */
  shares?: boolean;
  /** Months, quarters or weeks of different years are one group each. */
  together?: boolean;
  /** Bars cannot be drawn: several rows have the same place. */
  repeats?: boolean;
}

/** How far the reading is. */
export type Told = (done: number, total: number) => void;

/** `sorted` says that the rows have an order that was asked for. */
export async function draw(
  source: RowSource,
  choice: ChartChoice,
  missing: string,
  told: Told,
  signal: AbortSignal,
  sorted = false,
): Promise<Drawing> {
  const drawing = await drawnOf(source, choice, missing, told, signal);
  const about = source.columns.find(({ name }) => name === choice.x);
  return joined(inShares(sorted ? drawing : inCalendar(drawing, missing)), about, missing);
}

/** A line through names that follow each other in nothing: its slope is to be read by nobody. */
function joined(drawing: Drawing, about: ColumnInfo | undefined, missing: string): Drawing {
  const { choice, points, omitted, along } = drawing;
  if (choice.kind !== "line" || along !== "name" || about?.kind !== "text") return drawing;
  const places = [...new Set(points.map(({ x }) => String(x)))];
  // Names with numbers are steps of something: ranges, quarters, sizes.
  const counted = places.every((place) => place === missing || /\d/u.test(place));
  if (places.length < 2 || counted || calendarOrder(places, missing)) return drawing;
  return { ...drawing, omitted: [{ code: "unordered" }, ...omitted] };
}

/** Bars in the place of a pie: shares where they are the whole, as values they add up to. */
function inShares(drawing: Drawing): Drawing {
  const { choice, points, omitted, repeats } = drawing;
  if (choice.pie === undefined || choice.kind !== "bar" || repeats) return drawing;
  const told: Drawing = { ...drawing, omitted: [{ code: "pie" }, ...omitted] };
  const all = points.reduce((sum, { y }) => sum + (y ?? 0), 0);
  const one = choice.y.length === 1 && choice.series === undefined;
  const whole = one && all > 0 && !omitted.some(({ code }) => code === "groups");
  if (choice.pie === "values" || !whole || points.some(({ y }) => (y ?? 0) < 0)) return told;
  const share = (y: number): number => {
    const part = (y / all) * 100;
    return part < 0.01 ? Number(part.toPrecision(2)) : Math.round(part * 100) / 100;
  };
  return {
    ...told,
    shares: true,
    points: points.map((point) => ({ ...point, y: point.y === null ? null : share(point.y) })),
  };
}

/** Months and weekdays follow each other as they do in a year and in a week. */
function inCalendar(drawing: Drawing, missing: string): Drawing {
  const { choice, points, series } = drawing;
  const places = drawing.along === "name" ? points.map(({ x }) => String(x)) : [];
  const along = calendarOrder(new Set(places), missing);
  const apart = choice.series === undefined ? undefined : calendarOrder(series, missing);
  return {
    ...drawing,
    points: along ? [...points].sort((a, b) => along(String(a.x), String(b.x))) : points,
    series: apart ? [...series].sort(apart) : series,
  };
}

async function drawnOf(
  source: RowSource,
  choice: ChartChoice,
  missing: string,
  told: Told,
  signal: AbortSignal,
): Promise<Drawing> {
  if (choice.years !== undefined && choice.kind !== "histogram") {
    const drawing = await lines(source, choice, missing, told, signal);
    if (drawing) return drawing;
    // These are no months of years: they are names that stand beside each other.
    const { years: series, ...other } = choice;
    return drawnOf(source, { series, ...other }, missing, told, signal);
  }
  if (choice.kind === "bar") return bars(source, choice, missing, signal);
  const line = choice.kind === "line" && (await lines(source, choice, missing, told, signal));
  return line || histogram(source, choice, told, signal);
}

function columnAt(source: RowSource, name: string): { at: number; about: ColumnInfo } {
  const at = source.columns.findIndex((column) => column.name === name);
  return { at, about: source.columns[at] ?? { name, kind: "text" } };
}

/** A number for a position; null where there is none. */
function numberOf(value: unknown, exactly: { lost: boolean }): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "bigint" && typeof value !== "string") return null;
  if (value === "") return null;
  const number = Number(value);
  if (!Number.isFinite(number)) return null;
  if (digitsOf(String(value)) > 15) exactly.lost = true;
  return number;
}

/** How many digits a number needs: zeros before the first and after the last of a fraction are none. */
function digitsOf(text: string): number {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return `${whole}${fraction.replace(/0+$/, "")}`.replace(/^0+/, "").length;
}

/** What a clock shows, as if it stood in Greenwich: nothing depends on the zone of this machine. */
export function momentOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== "string") return null;
  const iso = value.trim().replace(" ", "T");
  const dated = /^-?\d{4,6}-\d\d-\d\d$/.test(iso) ? `${iso}T00:00:00` : iso;
  const moment = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(dated) ? dated : `${dated}Z`);
  return Number.isNaN(moment) ? null : moment;
}

function nameOf(value: unknown, missing: string): string {
  if (value === null || value === undefined) return missing;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return json(value);
  return `${value as string | number}`;
}

async function bars(
  source: RowSource,
  choice: ChartChoice,
  missing: string,
  signal: AbortSignal,
): Promise<Drawing> {
  const x = columnAt(source, choice.x);
  const apart = choice.series === undefined ? undefined : columnAt(source, choice.series);
  const exactly = { lost: false };
  const places = new Set<string>();
  const names = new Set<string>(apart ? [] : choice.y);
  const seen = new Set<string>();
  const points: Point[] = [];
  let nulls = 0;
  const found = { repeats: false };
  const isEmpty = (value: unknown): boolean => value === null || value === undefined;
  for await (const rows of some(source, () => undefined, signal)) {
    for (const row of rows.rows) {
      const place = nameOf(row[x.at], missing);
      places.add(place);
      for (const measure of choice.y) {
        const series = apart ? nameOf(row[apart.at], missing) : measure;
        if (apart) names.add(series);
        if (places.size > LIMITS.bars && !has(places, place, LIMITS.bars)) continue;
        const id = JSON.stringify([place, series]);
        if (seen.has(id)) found.repeats = true;
        seen.add(id);
        const y = numberOf(row[columnAt(source, measure).at], exactly);
        // A bar that is not there has no place either: it is said how many there are.
        if (y === null) nulls += 1;
        else {
          const empty = isEmpty(row[x.at]) || (apart !== undefined && isEmpty(row[apart.at]));
          points.push({ x: place, y, series, ...(empty ? { empty } : {}) });
        }
      }
    }
    if (found.repeats) break;
  }
  const keptPlaces = new Set([...places].slice(0, LIMITS.bars));
  const keptNames = [...names].slice(0, LIMITS.series);
  const drawn = points.filter(
    ({ x: place, series }) => keptPlaces.has(String(place)) && keptNames.includes(series),
  );
  const omitted: Omission[] = [
    ...left("groups", keptPlaces.size, places.size),
    ...left("series", keptNames.length, names.size),
    ...(nulls > 0 ? [{ code: "nulls", count: nulls } as const] : []),
    ...(exactly.lost ? [{ code: "inexact" } as const] : []),
  ];
  return {
    choice,
    along: "name",
    points: drawn,
    series: keptNames,
    counted: drawn.length,
    omitted,
    ...(found.repeats ? { repeats: true } : {}),
  };
}

function has(all: Set<string>, one: string, within: number): boolean {
  let at = 0;
  for (const name of all) {
    if (at >= within) return false;
    if (name === one) return true;
    at += 1;
  }
  return false;
}

function left(code: "groups" | "series", shown: number, all: number): Omission[] {
  return all > shown ? [{ code, shown, all }] : [];
}

async function lines(
  source: RowSource,
  choice: ChartChoice,
  missing: string,
  told: Told,
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  const x = columnAt(source, choice.x);
  const years = choice.years === undefined ? undefined : columnAt(source, choice.years);
  const step = years && stepOf(x.about);
  const apart = choice.series === undefined ? undefined : columnAt(source, choice.series);
  const along = step || isTime(x.about.kind) ? "time" : isNumeric(x.about.kind) ? "number" : "name";
  const exactly = { lost: false };
  const all = new Map<string, { x: Place[]; y: (number | null)[]; empty?: boolean }>();
  if (!apart) for (const measure of choice.y) all.set(measure, { x: [], y: [] });
  const names = new Set<string>(all.keys());
  const measures = choice.y.map((name) => ({ name, at: columnAt(source, name).at }));
  let nulls = 0;
  let empty = 0;
  let read = 0;
  for await (const { rows } of some(source, told, signal)) {
    read += rows.length;
    for (const row of rows) {
      const value = row[x.at];
      const begun = step && beginning(row[years.at], value, step);
      if (step && !begun) return undefined;
      const nameless = value === null || value === undefined;
      const place = begun
        ? begun.at
        : along === "time"
          ? momentOf(value)
          : along === "number"
            ? numberOf(value, exactly)
            : // A line has no place for rows without a name, neither before the first nor after the last.
              nameless
              ? null
              : nameOf(value, missing);
      if (place === null && (begun || along === "name")) {
        empty += 1;
        continue;
      }
      for (const measure of measures.slice(0, apart ? 1 : undefined)) {
        const series = apart ? nameOf(row[apart.at], missing) : measure.name;
        names.add(series);
        let line = all.get(series);
        if (!line) {
          if (all.size >= LIMITS.series) continue;
          line = { x: [], y: [] };
          all.set(series, line);
        }
        const y = numberOf(row[measure.at], exactly);
        if (place === null || y === null) nulls += 1;
        if (place === null) continue;
        line.x.push(place);
        line.y.push(y);
        if (apart && (row[apart.at] === null || row[apart.at] === undefined)) line.empty = true;
      }
    }
  }
  const each = Math.floor(LIMITS.points / Math.max(1, all.size));
  const points: Point[] = [];
  let before = 0;
  let longest = 0;
  for (const [series, line] of [...all].slice(0, LIMITS.series)) {
    before += line.x.length;
    longest = Math.max(longest, line.x.length);
    // Numbers along the axis may come in any order; a line is drawn from left to right.
    for (const i of thinned(along === "name" ? line.y : ordered(line), each)) {
      const point = { x: line.x[i] ?? null, y: line.y[i] ?? null, series };
      points.push(line.empty ? { ...point, empty: true } : point);
    }
  }
  const omitted: Omission[] = [
    ...(read < source.total ? [{ code: "sampled", read, rows: source.total } as const] : []),
    ...(points.length < before
      ? [
          {
            code: "thinned",
            rows: before,
            points: points.length,
            stretch: Math.ceil(longest / Math.max(1, Math.floor(each / 2))),
          } as const,
        ]
      : []),
    ...left("series", Math.min(names.size, LIMITS.series), names.size),
    ...(empty > 0 ? [{ code: "empty", count: empty } as const] : []),
    ...(nulls > 0 ? [{ code: "nulls", count: nulls } as const] : []),
    ...(exactly.lost ? [{ code: "inexact" } as const] : []),
  ];
  const series = [...all.keys()].slice(0, LIMITS.series);
  const made: Drawing = { choice, along, points, series, counted: before, omitted };
  if (!step) return isZigzag(along, [...all.values()]) ? { ...made, repeats: true } : made;
  // A bar that is not there has no place.
  if (choice.kind === "bar") made.points = points.filter(({ y }) => y !== null);
  // A month has one value, or it is no place of a line.
  const places = new Set(points.map((point) => JSON.stringify([point.x, point.series])));
  return { ...made, step, ...(places.size < points.length ? { repeats: true } : {}) };
}

/** Of more points than these a few moments may come twice: that is no other chart. */
const ALL_APART = 1000;

/** Whether lines go up and down at one place: several rows have it. */
function isZigzag(along: Drawing["along"], lines: { x: Place[] }[]): boolean {
  let all = 0;
  let places = 0;
  for (const { x } of lines) {
    all += x.length;
    places += new Set(x).size;
  }
  const few = along === "name" || all <= ALL_APART;
  return places < (few ? all : all * 0.9);
}

/** Puts the points of a line into the order of their places; gives its values. */
function ordered(line: { x: Place[]; y: (number | null)[] }): (number | null)[] {
  const x = line.x as number[];
  if (x.every((place, i) => i === 0 || (x[i - 1] ?? place) <= place)) return line.y;
  const order = x.map((_, i) => i).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0));
  line.x = order.map((i) => line.x[i] ?? null);
  line.y = order.map((i) => line.y[i] ?? null);
  return line.y;
}

async function histogram(
  source: RowSource,
  choice: ChartChoice,
  told: Told,
  signal: AbortSignal,
): Promise<Drawing> {
  const { at, about } = columnAt(source, choice.x);
  const exactly = { lost: false };
  const values: number[] = [];
  let nulls = 0;
  let read = 0;
  for await (const { rows } of some(source, told, signal)) {
    read += rows.length;
    for (const row of rows) {
      const value = numberOf(row[at], exactly);
      if (value === null) nulls += 1;
      else values.push(value);
    }
  }
  const points = bins(values, isWhole(about.kind)).map(({ from, to, count }) => ({
    x: from,
    to,
    y: count,
    series: "",
  }));
  const omitted: Omission[] = [
    ...(read < source.total ? [{ code: "sampled", read, rows: source.total } as const] : []),
    ...(nulls > 0 ? [{ code: "nulls", count: nulls } as const] : []),
    ...(exactly.lost ? [{ code: "inexact" } as const] : []),
  ];
  return { choice, along: "number", points, series: [""], counted: values.length, omitted };
}

/** All rows, or stretches of them at even distances where there are too many. */
async function* some(
  source: RowSource,
  told: Told,
  signal: AbortSignal,
): AsyncGenerator<{ rows: unknown[][] }> {
  let done = 0;
  if (source.total <= LIMITS.rows) {
    for await (const rows of batches(source, signal)) {
      done += rows.length;
      told(done, source.total);
      yield { rows };
    }
    return;
  }
  const parts = Math.floor(LIMITS.rows / LIMITS.stretch);
  const last = source.total - LIMITS.stretch;
  for (let i = 0; i < parts; i += 1) {
    signal.throwIfAborted();
    const rows = await source.read(Math.round((i * last) / (parts - 1)), LIMITS.stretch);
    done += rows.length;
    told(done, LIMITS.rows);
    yield { rows };
  }
}
