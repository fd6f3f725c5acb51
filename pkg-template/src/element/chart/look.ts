// The look of a picture: fonts, colours, the legend, and what room names have.

import { widestOf, wrapped } from "./measure.js";
import type { Spec } from "./spec.js";

/** The look of the page. */
export interface Look {
  ink: string;
  quiet: string;
  line: string;
  ground: string;
  accent: string;
  font: string;
  dark: boolean;
  width: number;
  /** Of a file: how high it is, and what room the names of an axis have. */
  height?: number;
  names?: number;
}

export const HEIGHT = 300;

/** What of the picture the names of an axis may take, at most. */
const NAMES = 0.42;
const LONGEST = 320;

export function namesRoom({ width, names }: Look): number {
  return names ?? Math.min(LONGEST, Math.round(width * NAMES));
}

/** What stands beside a name in the legend, with the distance to the next. */
const SIGN = 38;
/** Columns of the legend at most, and rows for which a picture has room as it is. */
const BESIDE = 8;
const ROWS = 3;
const ROW = 19;

/** Lines of a name that is longer than the picture at most. */
const LINES = 3;
/** What Vega and the browser may measure a name differently. */
const SLACK = 2;

/** The room of the legend, and how many names stand side by side in it. */
function beside(names: readonly string[], look: Look): { room: number; columns: number } {
  const room = look.width - 12;
  const each = Math.ceil(widestOf(names, look.font)) + SLACK + SIGN;
  return { room, columns: Math.max(1, Math.min(BESIDE, names.length, Math.floor(room / each))) };
}

/** The names of the legend, in lines where one is longer than the picture. */
export function namesOf(names: readonly string[], look: Look): string[][] {
  const { room, columns } = beside(names, look);
  const own = Math.floor(room / columns) - SIGN - SLACK;
  return names.map((name) => wrapped(name, own, LINES, { font: look.font, size: 12 }));
}

/**
 * As many names side by side as the longest leaves room for; what is longer than the picture goes on in
 * another line. With more lines than a few the picture is higher.
 */
export function legendOf(names: readonly string[], look: Look): { legend: Spec; height: number } {
  const { room, columns } = beside(names, look);
  const lines = namesOf(names, look).reduce((all, one) => all + one.length, 0);
  const rows = names.length > 1 ? Math.ceil(lines / columns) : 0;
  return {
    legend: {
      columns,
      labelLimit: Math.floor(room / columns) - SIGN,
      titleLimit: room,
      // From the edge of the picture on, not from the axis: names beside it take room, too.
      layout: { top: { frame: "bounds" } },
    },
    height: (look.height ?? HEIGHT) + Math.max(0, rows - ROWS) * ROW,
  };
}

/** Names in lines as Vega writes them: an expression that gives those of a name. */
export function inLines(names: readonly string[], lines: readonly string[][]): Spec {
  const long = names.flatMap((name, i) => {
    const own = lines[i] ?? [];
    const is = `datum.label === ${JSON.stringify(name)} ? ${JSON.stringify(own)} : `;
    return own.length > 1 ? [is] : [];
  });
  return long.length > 0 ? { labelExpr: `${long.join("")}datum.label` } : {};
}

/** What of the picture the title of an axis may take: a longer one is cut, with dots, not by the edge. */
const TITLE = { x: 0.5, y: 0.8 };

export function config(look: Look, legend: Spec): Spec {
  const text = {
    labelColor: look.quiet,
    titleColor: look.ink,
    labelFont: look.font,
    titleFont: look.font,
  };
  return {
    // The element itself says what the chart shows: a mark each would be read one by one.
    aria: false,
    font: look.font,
    view: { stroke: null },
    axis: {
      ...text,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 600,
      titlePadding: 8,
      labelPadding: 6,
      labelLimit: namesRoom(look),
      // Else the title would stand at 200 pixels, within longer names.
      maxExtent: namesRoom(look) + 40,
      gridColor: look.line,
      domainColor: look.line,
      tickColor: look.line,
      // Of names that have no room every second one stays: what is left is as even as before.
      labelOverlap: "parity",
    },
    axisX: { titleLimit: Math.round(look.width * TITLE.x) },
    axisY: { titleLimit: Math.round((look.height ?? HEIGHT) * TITLE.y) },
    legend: {
      ...text,
      labelFontSize: 12,
      titleFontSize: 12,
      orient: "top",
      ...legend,
      symbolStrokeWidth: 2,
    },
    bar: { color: look.accent },
    line: { color: look.accent, strokeWidth: 2 },
    point: { color: look.accent, filled: true, size: 40 },
  };
}
