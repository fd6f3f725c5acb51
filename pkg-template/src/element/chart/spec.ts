// The chart as Vega-Lite: plain data with every value in it, no address of anything, nothing that
// computes. Colours and sizes come from the page.

import type { Locale } from "../../types.js";
import type { Head } from "../heads.js";
import { text } from "./texts.js";
import type { CellFormat } from "../table/format.js";
import { seriesColours } from "./colours.js";
import { between, labelled, stepText } from "./calendar.js";
import { type Look, config, inLines, legendOf, namesOf, namesRoom } from "./look.js";
import { widestOf, widthOf, wrapped } from "./measure.js";
import type { Drawing, Point } from "./points.js";
import { everyNth, ticksOf } from "./ticks.js";
import { amountText, isCoded, namesAlong, placeText, seriesText, titleOf } from "./words.js";

/** What a spec is: JSON. */
export type Spec = Record<string, unknown>;

export type { Look } from "./look.js";

/** Dashes tell lines apart without colour. */
const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
  [1, 3],
  [12, 4],
  [4, 2],
  [10, 2, 2, 2],
  [3, 5],
  [6, 1],
];

/** Names longer than this, or more groups, are put on the left of horizontal bars. */
const LONG_NAME = 10;
const MANY = 12;
/** Pixels that the name of a month has need of; where there are fewer, it has three letters. */
const MONTHS = 64;
const SHORT_MONTH = "slice(datum.label, 0, 3)";
/** Ticks of the axis of numbers; its ends are made round for as many, so that no bar goes past the last. */
const TICKS = 6;

export function specOf(
  drawing: Drawing,
  columns: readonly Head[],
  format: CellFormat,
  look: Look,
): Spec {
  const { choice } = drawing;
  const body =
    choice.kind === "histogram"
      ? histogramSpec(drawing, columns, format, look)
      : choice.kind === "bar"
        ? barSpec(drawing, columns, format, look)
        : lineSpec(drawing, columns, format, look);
  const flat = "height" in body;
  const { legend, height } = legendOf(seriesNames(drawing, columns, format), look);
  return {
    background: look.ground,
    padding: 4,
    width: look.width,
    height,
    autosize: { type: flat ? "fit-x" : "fit", contains: "padding" },
    ...body,
    config: config(look, legend),
  };
}

/** What the axis of numbers takes of the width, and the distance from a name to the next. */
const AXIS = 70;
const APART = 8;

/** How many names as long as the longest of these stand side by side. */
function besides(names: readonly string[], look: Look): number {
  const each = Math.min(namesRoom(look), widestOf(names, look.font)) + APART;
  return Math.floor((look.width - AXIS) / each);
}

/** Pixels of a number along an axis, with the distance to the next, and of the title beside. */
const NUMBER = 72;
const BESIDE_AXIS = 30;

/** Pixels of the axis below lying bars, beside names as long as these. */
function below(names: readonly string[], look: Look): number {
  return look.width - BESIDE_AXIS - Math.min(namesRoom(look), widestOf(names, look.font));
}

/** How many numbers the axis below lying bars has room for. */
function numbersBelow(names: readonly string[], look: Look): number {
  return Math.min(TICKS, Math.max(2, Math.floor(below(names, look) / NUMBER)));
}

/** Lines of a name beside lying bars, and of the title below them, at most; pixels of a line. */
const LINES = 3;
const LINE = 13;

/** Names beside lying bars: one that has no room in a line goes on in others. */
function besideBars(names: readonly string[], look: Look): { most: number; axis: Spec } {
  const lines = names.map((name) =>
    wrapped(name, namesRoom(look), LINES, { font: look.font, size: 12 }),
  );
  const most = Math.max(1, ...lines.map(({ length }) => length));
  if (most === 1) return { most, axis: {} };
  // Vega writes the first line where a line alone would stand.
  const condition = [2, 3].map((n) => {
    const own = names.filter((_, i) => lines[i]?.length === n);
    const test = `indexof(${JSON.stringify(own)}, datum.label) >= 0`;
    return { test, value: (-LINE * (n - 1)) / 2 };
  });
  const labelOffset = { condition, value: 0 };
  return { most, axis: { ...inLines(names, lines), labelOffset, labelLineHeight: LINE } };
}

function colours(look: Look, series: string[]): Spec {
  return {
    domain: series,
    range: seriesColours(look.accent, look.dark, series.length),
  };
}

/** The values with their texts, so that nothing is formatted a second way. */
function values(drawing: Drawing, columns: readonly Head[], format: CellFormat): Spec[] {
  const names = namesAlong(drawing, columns, format);
  const order = new Map([...names.keys()].map((place, i) => [place, i]));
  const named = (point: Point): unknown => {
    if (drawing.step) return placeText(drawing, format, point.x, columns);
    return typeof point.x === "string" ? names.get(point.x) : point.x;
  };
  const all = [...drawing.points, ...gaps(drawing)];
  return all.map((point) => ({
    x: named(point),
    // Names have another order than the places that they name: a line joins them in that of the places.
    ...(drawing.step ? { t: point.x } : {}),
    ...(drawing.along === "name" ? { t: order.get(point.x) } : {}),
    ...(point.to === undefined ? {} : { to: point.to }),
    y: point.y,
    s: seriesText(columns, drawing, format, point.series),
    place: placeOf(drawing, format, point, columns),
    value: amountText(drawing, columns, format, point),
  }));
}

/** Places that a line has no point at: it is broken there, as a bar is missing. */
function gaps(drawing: Drawing): Point[] {
  const { choice, points, series, step, along, omitted } = drawing;
  const named = step !== undefined || along === "name";
  // Of a thinned line places are left out on purpose.
  if (choice.kind !== "line" || !named || omitted.some(({ code }) => code === "thinned")) return [];
  const places = step ? months(drawing) : [...new Set(points.map(({ x }) => x))];
  const there = new Set(points.map(({ x, series }) => JSON.stringify([x, series])));
  return series.flatMap((one) =>
    places
      .filter((x) => !there.has(JSON.stringify([x, one])))
      .map((x) => ({ x, y: null, series: one })),
  );
}

export function placeOf(
  drawing: Drawing,
  format: CellFormat,
  point: Point,
  columns: readonly Head[] = [],
): string {
  const from = placeText(drawing, format, point.x, columns);
  return point.to === undefined ? from : `${from}–${format.number(point.to)}`;
}

function tooltip(drawing: Drawing, columns: readonly Head[], locale: Locale): Spec[] {
  const { choice, series } = drawing;
  const y =
    choice.kind === "histogram"
      ? text(locale, "count")
      : choice.y.length === 1
        ? titleOf(columns, choice.y[0] ?? "")
        : text(locale, "chart_value");
  const of =
    choice.series === undefined ? text(locale, "chart_value") : titleOf(columns, choice.series);
  const name = { field: "s", type: "nominal", title: of };
  return [
    { field: "place", type: "nominal", title: titleOf(columns, choice.x) },
    ...(series.length > 1 ? [name] : []),
    { field: "value", type: "nominal", title: y },
  ];
}

/** The title of the axis of numbers. */
function measured(drawing: Drawing, columns: readonly Head[], locale: Locale): string {
  const { y, series } = drawing.choice;
  const [first] = y;
  if (first === undefined) return text(locale, "count");
  if (series !== undefined || y.length === 1) return titleOf(columns, first);
  const unit = columns.find(({ name }) => name === first)?.unit;
  return unit ?? text(locale, "chart_value");
}

/** The names of the lines, as the values have them. */
function seriesNames(drawing: Drawing, columns: readonly Head[], format: CellFormat): string[] {
  return drawing.series.map((one) => seriesText(columns, drawing, format, one));
}

/** The places along an axis of names, in their order. */
function placeNames(drawing: Drawing, columns: readonly Head[], format: CellFormat): string[] {
  const { step } = drawing;
  if (!step) return [...namesAlong(drawing, columns, format).values()];
  return months(drawing).map((at) => stepText(format.locale, at, step));
}

/** All months between the first and the last: one without a value keeps its place. */
function months({ points, step = "month" }: Drawing): number[] {
  const places = points.map(({ x }) => Number(x));
  const all = between(Math.min(...places), Math.max(...places), step);
  return step === "week" ? [...new Set([...all, ...places])].sort((a, b) => a - b) : all;
}

/** The axis of months: evenly named, from January on, as far as there is room. */
function monthAxis(
  drawing: Drawing,
  places: string[],
  format: CellFormat,
  look: Look,
): { type: string; scale: Spec; axis: Spec } {
  const { step = "month" } = drawing;
  const values = labelled(months(drawing), besides(places, look), step).map((at) =>
    stepText(format.locale, at, step),
  );
  return {
    type: "ordinal",
    scale: { domain: places },
    axis: { labelAngle: 0, grid: false, values },
  };
}

/** The legend has a title where a column tells the lines apart. */
function apart(drawing: Drawing, columns: readonly Head[], format: CellFormat, look: Look): Spec {
  const { choice } = drawing;
  const series = seriesNames(drawing, columns, format);
  if (series.length < 2) return {};
  const title = choice.series === undefined ? null : titleOf(columns, choice.series);
  return {
    field: "s",
    type: "nominal",
    title,
    sort: series,
    scale: colours(look, series),
    legend: inLines(series, namesOf(series, look)),
  };
}

/** Sizes of which an axis counts: thousands, millions and so on. */
const SIZES: [size: number, en: string, ru: string][] = [
  [1e12, "T", "\u00a0трлн"],
  [1e9, "B", "\u00a0млрд"],
  [1e6, "M", "\u00a0млн"],
  [1e3, "K", "\u00a0тыс."],
];
/** Numbers below this are written out. */
const WRITTEN_OUT = 1e5;

/** Large numbers of an axis in thousands or millions: all of them in the same. */
function shortened(drawing: Drawing, locale: Locale): Spec {
  const most = drawing.points.reduce((most, { y }) => Math.max(most, Math.abs(y ?? 0)), 0);
  if (most < WRITTEN_OUT) return {};
  const [size, en, ru] = SIZES.find(([size]) => most >= size) ?? [1, "", ""];
  const unit = JSON.stringify(locale === "ru" ? ru : en);
  const number = `format(datum.value / ${size}, ",~f")`;
  return { labelExpr: `datum.value === 0 ? "0" : ${number} + ${unit}` };
}

/** Pixels of the thinnest bar that stands upright. */
const THINNEST = 3;
/** A bar beside a much longer one is a line at least; what is zero is nothing. */
const THIN = { strokeWidth: 1.5 };
/** Between bars of a group: their edges, and a pixel; of thin bars half of their room at most. */
const BETWEEN = THIN.strokeWidth + 1;
/** What the groups leave of the room to each other. */
const GROUPS_APART = 0.25;

function edged(stroke: Spec): Spec {
  return { stroke, strokeOpacity: { condition: { test: "datum.y === 0", value: 0 }, value: 1 } };
}

function barSpec(drawing: Drawing, columns: readonly Head[], format: CellFormat, look: Look): Spec {
  const { locale } = format;
  const places = placeNames(drawing, columns, format);
  const about = columns.find(({ name }) => name === drawing.choice.x);
  const months = about?.names === "month" && !drawing.step;
  const many = drawing.series.length > 1;
  const longest = Math.max(...places.map((name) => name.length));
  // Names side by side have room each: none is left out.
  const fits = places.length <= besides(places, look);
  const { step } = drawing;
  // Time goes from left to right, as long as the bars can be seen.
  const flat = step
    ? places.length * drawing.series.length * THINNEST > look.width - AXIS
    : places.length > MANY || longest > LONG_NAME || !fits;
  const along = step && !flat ? monthAxis(drawing, places, format, look) : undefined;
  const beside = besideBars(flat && !months ? places : [], look);
  const names = {
    field: "x",
    type: "nominal",
    title: titleOf(columns, drawing.choice.x),
    // The order of the result: weekdays from Monday, months from January, or as it was sorted.
    sort: places,
    axis: {
      labelAngle: 0,
      ...(flat ? { labelOverlap: false, ...beside.axis } : {}),
      ...(months && look.width < MONTHS * places.length ? { labelExpr: SHORT_MONTH } : {}),
      grid: false,
      ticks: false,
      ...along?.axis,
    },
    scale: { paddingInner: GROUPS_APART, ...along?.scale },
  };
  const ticks = flat ? numbersBelow(places, look) : TICKS;
  const title = measured(drawing, columns, locale);
  const titleLimit = below(places, look);
  const bold = { font: look.font, size: 12, weight: 600 };
  const numbers = {
    field: "y",
    type: "quantitative",
    title: flat ? wrapped(title, titleLimit, LINES, bold) : title,
    axis: {
      tickCount: ticks,
      ...(flat ? { titleLimit } : {}),
      labelSeparation: 6,
      domain: false,
      ticks: false,
      ...shortened(drawing, locale),
    },
    scale: { nice: TICKS },
    stack: null,
  };
  const color = apart(drawing, columns, format, look);
  const room = beside.most > 1 ? beside.most * LINE + 8 : 26;
  const lying = many ? Math.max(9, room / drawing.series.length) : room - 2;
  const group = ((look.width - AXIS) / places.length) * (1 - GROUPS_APART);
  const each = flat ? lying : group / drawing.series.length;
  const offset = {
    field: "s",
    type: "nominal",
    sort: seriesNames(drawing, columns, format),
    scale: { paddingInner: Math.min(0.5, BETWEEN / each) },
  };
  const stroke = edged(many ? color : { value: look.accent });
  return {
    data: { values: values(drawing, columns, format) },
    mark: { type: "bar", cornerRadiusEnd: 2, ...THIN },
    encoding: {
      ...stroke,
      ...(flat ? { y: names, x: numbers } : { x: names, y: numbers }),
      ...(many ? { color, [flat ? "yOffset" : "xOffset"]: offset } : {}),
      tooltip: tooltip(drawing, columns, locale),
    },
    ...(flat ? { height: { step: lying, ...(many ? { for: "offset" } : {}) } } : {}),
  };
}

/** Ticks of time: a clock of 24 hours, days before months. */
const TIMES = {
  milliseconds: ".%L",
  seconds: "%H:%M:%S",
  minutes: "%H:%M",
  hours: "%H:%M",
  date: "%-d %b",
  day: "%-d %b",
  week: "%-d %b",
  month: "%b",
  quarter: "%b",
  year: "%Y",
};

/** Pixels that a day or a month has need of. */
const MOMENT = 58;

/** The axis of time: days, months and years evenly named, else hours as Vega names them. */
function timeAxis({ points }: Drawing, look: Look): Spec {
  const room = Math.floor((look.width - AXIS) / MOMENT);
  const ticks = ticksOf(
    points.map(({ x }) => (typeof x === "number" ? x : NaN)),
    room,
  );
  // A name that is moved into the picture would come too near to the next.
  return ticks
    ? {
        values: { signal: JSON.stringify(ticks.values) },
        labelExpr: ticks.labelExpr,
        labelFlush: false,
      }
    : { format: TIMES, tickCount: Math.max(3, Math.floor(look.width / 110)) };
}

function lineSpec(
  drawing: Drawing,
  columns: readonly Head[],
  format: CellFormat,
  look: Look,
): Spec {
  const { locale } = format;
  const { along, choice, points } = drawing;
  const series = seriesNames(drawing, columns, format);
  const title = titleOf(columns, choice.x);
  const places = placeNames(drawing, columns, format);
  const byKind = {
    time: {
      type: "temporal",
      scale: { type: "utc" },
      axis: { grid: false, ...timeAxis(drawing, look) },
    },
    number: {
      type: "quantitative",
      scale: { zero: false, nice: false },
      axis: { tickCount: 8, grid: false, ...(isCoded(drawing) ? { format: "d" } : {}) },
    },
    name: {
      type: "ordinal",
      sort: places,
      axis: {
        labelAngle: 0,
        grid: false,
        values: everyNth(places, look.width - AXIS, (name) =>
          Math.min(namesRoom(look), widthOf(name, look.font)),
        ),
      },
    },
  };
  const x = drawing.step ? monthAxis(drawing, places, format, look) : byKind[along];
  const many = series.length > 1;
  // A stroke shows the dashes of its line; around a circle they are ragged.
  const { legend, ...of } = apart(drawing, columns, format, look);
  const color = { ...of, legend: { ...(legend ?? {}), symbolType: "stroke", symbolSize: 400 } };
  const dash = { ...color, scale: { domain: series, range: DASHES.slice(0, series.length) } };
  return {
    data: { values: values(drawing, columns, format) },
    mark: {
      type: "line",
      // Few points are shown themselves.
      point: points.length <= 60 || gaps(drawing).length > 0,
      strokeJoin: "round",
      invalid: "break-paths-show-domains",
    },
    encoding: {
      x: { field: "x", title, ...x },
      y: {
        field: "y",
        type: "quantitative",
        title: measured(drawing, columns, locale),
        scale: { zero: false, nice: TICKS },
        axis: { tickCount: TICKS, domain: false, ticks: false, ...shortened(drawing, locale) },
      },
      ...(many ? { color, strokeDash: dash } : {}),
      order: { field: drawing.step || along === "name" ? "t" : "x", type: "quantitative" },
      tooltip: tooltip(drawing, columns, locale),
    },
  };
}

function histogramSpec(
  drawing: Drawing,
  columns: readonly Head[],
  format: CellFormat,
  look: Look,
): Spec {
  const { locale } = format;
  const { points } = drawing;
  const step = (points[0]?.to ?? 1) - Number(points[0]?.x ?? 0);
  return {
    data: { values: values(drawing, columns, format) },
    mark: { type: "bar", binSpacing: 1, ...THIN },
    encoding: {
      ...edged({ value: look.accent }),
      x: {
        field: "x",
        type: "quantitative",
        bin: { binned: true, step },
        title: titleOf(columns, drawing.choice.x),
        // A last number that is moved into the picture would stand on the one before.
        axis: {
          tickCount: 10,
          grid: false,
          labelAngle: 0,
          labelFlush: false,
          labelSeparation: 8,
        },
      },
      x2: { field: "to" },
      y: {
        field: "y",
        type: "quantitative",
        title: text(locale, "count"),
        scale: { nice: TICKS },
        axis: {
          tickCount: TICKS,
          tickMinStep: 1,
          domain: false,
          ticks: false,
          ...shortened(drawing, locale),
        },
      },
      tooltip: tooltip(drawing, columns, locale),
    },
  };
}
