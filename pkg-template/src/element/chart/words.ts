// What a chart says in words, for those who do not see it, and what it leaves out, for everybody.

import type { Locale } from "../../types.js";
import { type Head, headText, valueName } from "../heads.js";
import type { Key } from "../texts.js";
import { text } from "./texts.js";
import {
  type CellFormat,
  codeText,
  isAmount,
  isCode,
  isCodeName,
  hasCents,
  isMoney,
  isNumeric,
} from "../table/format.js";
import { stepText } from "./calendar.js";
import type { Shown } from "../types.js";
import type { Drawing, Place, Point } from "./points.js";

/** A column as a head of a table calls it, with its unit. */
export function titleOf(columns: readonly Head[], name: string): string {
  return titled(columns, name, (title, unit) => `${title}, ${unit}`);
}

/** The columns as a drawing has them: of shares the measure is called so. */
export function drawnHeads(
  columns: readonly Head[],
  { choice, shares }: Drawing,
  locale: Locale,
): readonly Head[] {
  if (!shares) return columns;
  return columns.map((column) => {
    if (column.name !== choice.y[0]) return column;
    return { ...column, label: text(locale, "share_of", { y: headText(column) }), unit: "%" };
  });
}

/** A column within a sentence. */
function saidOf(columns: readonly Head[], name: string): string {
  return titled(columns, name, (title, unit) => `${title} (${unit})`);
}

function titled(
  columns: readonly Head[],
  name: string,
  join: (title: string, unit: string) => string,
): string {
  const about = columns.find((column) => column.name === name);
  if (!about) return name;
  return about.unit ? join(headText(about), about.unit) : headText(about);
}

/** A name along an axis or of a line, as people read it; `name` is the column that it is of. */
export function nameText(
  columns: readonly Head[],
  name: string | undefined,
  format: CellFormat,
  value: string,
): string {
  const about = columns.find((column) => column.name === name);
  if (!about) return value;
  if (about.kind === "date" || about.kind === "timestamp") return format.date(value);
  if (!isNumeric(about.kind)) return valueName(format.locale, about.names, value) ?? value;
  // Numbers have become texts on their way.
  const number = Number(value);
  const said = valueName(format.locale, about.names, number);
  if (said !== undefined) return said;
  if (value === "" || !Number.isFinite(number)) return value;
  if (isCode(about)) return codeText(value);
  return format.number(number, isAmount(about));
}

/** The places of an axis of names as they are written; as they are where two would be written alike. */
export function namesAlong(
  { choice, points }: Pick<Drawing, "choice" | "points">,
  columns: readonly Head[],
  format: CellFormat,
): Map<Place, string> {
  const places = [...new Set(points.map(({ x }) => x))];
  const names = places.map((place) => nameText(columns, choice.x, format, String(place)));
  const apart = new Set(names).size === names.length;
  return new Map(places.map((place, i) => [place, apart ? (names[i] ?? "") : String(place)]));
}

/** What tells lines or bars apart: a column by its head, or a value. */
export function seriesText(
  columns: readonly Head[],
  { choice }: Pick<Drawing, "choice">,
  format: CellFormat,
  series: string,
): string {
  if (choice.series !== undefined) return nameText(columns, choice.series, format, series);
  const about = columns.find(({ name }) => name === series);
  return about ? headText(about) : series;
}

/** Which of the columns that are drawn have parts of money: each is looked at once. */
const cents = new WeakMap<readonly Point[], Map<string, boolean>>();

function centsIn(points: readonly Point[], column: Head): boolean {
  const known = cents.get(points) ?? new Map<string, boolean>();
  cents.set(points, known);
  let has = known.get(column.name);
  if (has === undefined) {
    const all = points.map(({ y }) => y);
    known.set(column.name, (has = hasCents(column, all)));
  }
  return has;
}

/** The value of a point, by what it is of. */
export function amountText(
  { choice, points }: Pick<Drawing, "choice" | "points">,
  columns: readonly Head[],
  format: CellFormat,
  { y, series }: Pick<Point, "y" | "series">,
): string {
  if (y === null) return "null";
  const name = choice.series === undefined && choice.y.length > 1 ? series : choice.y[0];
  const about = columns.find((column) => column.name === name);
  return format.number(y, about !== undefined && isMoney(about), about && centsIn(points, about));
}

/** Columns to choose from: by their names, as people read them. */
export function named(columns: readonly Head[], names: string[]): [string, string][] {
  return names.map((name) => [name, columns.find((one) => one.name === name)?.label ?? name]);
}

/** A place along the axis. */
export function placeText(
  drawing: Drawing,
  format: CellFormat,
  place: Place,
  columns: readonly Head[] = [],
): string {
  if (drawing.step && typeof place === "number") {
    return stepText(format.locale, place, drawing.step);
  }
  if (typeof place !== "number") {
    return nameText(columns, drawing.choice.x, format, String(place));
  }
  if (drawing.along !== "time") return isCoded(drawing) ? codeText(place) : format.number(place);
  const iso = new Date(place).toISOString();
  return format.date(iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19));
}

/** Whether the numbers along the axis name something, as years do: they have no separator. */
export function isCoded({ choice, points }: Drawing): boolean {
  return (
    choice.kind === "line" &&
    points.every(
      ({ x }) =>
        typeof x === "number" &&
        Number.isInteger(x) &&
        (isCodeName(choice.x) || (x >= 1000 && x <= 2999)),
    )
  );
}

/** Whether groups of a result are of all years together: the engine says so where it tells the query in words. */
export function areTogether(shown: Shown | undefined): boolean {
  const words = shown && "explanation" in shown ? shown.explanation : "";
  return /\(all years together\)|\(все годы вместе\)/u.test(words);
}

/** What is drawn along what: the title of a chart. */
export function shownText(drawing: Drawing, columns: readonly Head[], format: CellFormat): string {
  const { choice, series } = drawing;
  const x = saidOf(columns, choice.x);
  if (choice.kind === "histogram") return text(format.locale, "say_histogram", { x });
  const y = choice.y.map((name) => saidOf(columns, name)).join(", ");
  const whole = text(format.locale, "chart_title", { x, y });
  const title = drawing.together ? text(format.locale, "chart_together", { title: whole }) : whole;
  if (series.length < 2 || choice.series === undefined) return title;
  return text(format.locale, "chart_title_split", {
    title,
    series: saidOf(columns, choice.series),
  });
}

/** The chart in some sentences: what it shows, of how much, its highest and its lowest. */
export function describe(drawing: Drawing, columns: readonly Head[], format: CellFormat): string {
  const { choice, points, series } = drawing;
  const locale: Locale = format.locale;
  const say = (key: Key, values: Record<string, string | number>): string =>
    text(locale, key, values);
  const there = points.filter((point): point is Point & { y: number } => point.y !== null);
  if (there.length === 0) return text(locale, "chart_empty");
  // Rows without a name are no group beside the others.
  const named = there.filter(({ empty }) => !empty);
  const ranked = named.length > 0 ? named : there;
  const [first] = ranked as [Point & { y: number }];
  const x = saidOf(columns, choice.x);
  const y = choice.y.map((name) => saidOf(columns, name)).join(", ");
  let highest = first;
  let lowest = first;
  for (const point of ranked) {
    if (point.y > highest.y) highest = point;
    if (point.y < lowest.y) lowest = point;
  }
  const at = (point: Point): string => {
    const place = placeText(drawing, format, point.x, columns);
    if (choice.kind === "histogram") return `${place}–${format.number(point.to ?? 0)}`;
    return series.length > 1
      ? `${place}, ${seriesText(columns, drawing, format, point.series)}`
      : place;
  };
  const extreme = (key: Key, point: Point & { y: number }): string =>
    // What stands in brackets itself has no more around it.
    say(key, { value: amountText(drawing, columns, format, point), place: at(point) })
      .replace("((", "(")
      .replace("))", ")");
  const together = drawing.together ? [text(locale, "say_together")] : [];
  if (choice.kind === "histogram") {
    const size = say("say_bins", {
      values: format.count(drawing.counted),
      count: format.count(points.length),
    });
    const last = points.at(-1)?.to ?? 0;
    const span = say("say_from_to", {
      from: placeText(drawing, format, points[0]?.x ?? null),
      to: format.number(last),
    });
    return sentences([
      `${say("say_histogram", { x })}: ${size}, ${span}`,
      extreme("say_fullest", highest),
      ...together,
    ]);
  }
  const apart =
    series.length > 1 && choice.series !== undefined
      ? say("say_series", {
          count: format.count(series.length),
          series: saidOf(columns, choice.series),
        })
      : "";
  const size =
    choice.kind === "bar"
      ? say("say_groups", { count: format.count(new Set(points.map((point) => point.x)).size) })
      : say("say_points", { count: format.count(drawing.counted) });
  const span =
    choice.kind === "line" && drawing.along !== "name" ? `, ${spanOf(drawing, format, say)}` : "";
  const head = `${say(`say_${choice.kind}`, { x, y })}${apart}: ${size}${span}`;
  const aside = there.filter((point) => !ranked.includes(point));
  const [empty] = aside;
  return sentences([
    head,
    ...(highest.y === lowest.y
      ? [say("say_equal", { value: amountText(drawing, columns, format, first) })]
      : highest.y < 0
        ? // Of expenses the largest is the lowest.
          [`${extreme("say_furthest", lowest)}; ${extreme("say_closest", highest)}`]
        : [extreme("say_highest", highest), extreme("say_lowest", lowest)]),
    ...(empty && aside.length === 1 ? [extreme("say_aside", empty)] : []),
    ...(aside.length > 1 ? [say("say_aside_several", { count: format.count(aside.length) })] : []),
    ...together,
  ]);
}

function spanOf(
  drawing: Drawing,
  format: CellFormat,
  say: (key: Key, values: Record<string, string>) => string,
): string {
  let from = Infinity;
  let to = -Infinity;
  for (const { x } of drawing.points) {
    if (typeof x !== "number") continue;
    from = Math.min(from, x);
    to = Math.max(to, x);
  }
  const { step } = drawing;
  return say("say_from_to", {
    from: step ? stepText(format.locale, from, step, true) : placeText(drawing, format, from),
    to: placeText(drawing, format, to),
  });
}

function sentences(list: string[]): string {
  return list.map((one) => `${one}.`).join(" ");
}

/** What was left out, a sentence each. */
export function omissions(
  drawing: Drawing,
  columns: readonly Head[],
  format: CellFormat,
): string[] {
  const { locale } = format;
  const count = (n: number): string => format.count(n);
  return drawing.omitted.map((one) => {
    switch (one.code) {
      case "groups":
      case "series":
        return text(locale, `note_${one.code}`, {
          shown: count(one.shown),
          all: count(one.all),
          left: count(one.all - one.shown),
          series: saidOf(columns, drawing.choice.series ?? ""),
        });
      case "thinned":
        return text(locale, "note_thinned", {
          rows: count(one.rows),
          points: count(one.points),
          stretch: count(one.stretch),
        });
      case "sampled":
        return text(locale, "note_sampled", { read: count(one.read), rows: count(one.rows) });
      case "empty":
        return text(locale, "note_empty", {
          count: count(one.count),
          x: saidOf(columns, drawing.choice.x),
        });
      case "nulls":
        return text(locale, "note_nulls", { count: count(one.count) });
      case "repeats":
        return text(locale, "note_repeats", { x: titleOf(columns, one.column) });
      case "units":
      case "measures":
      case "sizes":
        return text(locale, `note_${one.code}`, {
          first: saidOf(columns, drawing.choice.y[0] ?? ""),
          columns: one.columns.map((name) => saidOf(columns, name)).join(", "),
        });
      case "unordered":
        return text(locale, "note_unordered", { x: saidOf(columns, drawing.choice.x) });
      case "inexact":
      case "pie":
        return text(locale, `note_${one.code}`);
    }
  });
}
