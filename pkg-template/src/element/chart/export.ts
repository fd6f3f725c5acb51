// A chart as a file: it goes where no page stands around it, so that it says itself what it shows, and
// it is as wide as its names want.

import type { Head } from "../heads.js";
import type { CellFormat } from "../table/format.js";
import { type Look, namesRoom } from "./look.js";
import { widestOf, wrapped } from "./measure.js";
import type { Drawing } from "./points.js";
import { type Spec, specOf } from "./spec.js";
import { namesAlong, seriesText, shownText } from "./words.js";

/** Pixels of a file: narrower pages do not make it narrower, longer names make it wider. */
const LEAST = 960;
const MOST = 1600;
const HEIGHT = 400;
/** What is left free around the picture, and on the page. */
const PADDING = 16;
const ON_PAGE = 4;
/** What bars have beside their names at least. */
const BARS = 420;
/** Lines of a question at most, and of what is drawn. */
const LINES = 4;

export function exported(
  drawing: Drawing,
  columns: readonly Head[],
  format: CellFormat,
  page: Look,
  asked = "",
): Spec {
  const names = drawing.along === "name" ? [...namesAlong(drawing, columns, format).values()] : [];
  const series = drawing.series.map((one) => seriesText(columns, drawing, format, one));
  const beside = Math.ceil(widestOf(names, page.font)) + 8;
  const above = drawing.series.length > 1 ? Math.ceil(widestOf(series, page.font)) + 60 : 0;
  const wanted = Math.max(LEAST, beside + BARS, above);
  const width = Math.max(page.width, Math.min(MOST, wanted));
  const room = Math.max(namesRoom({ ...page, width }), Math.min(beside, width - BARS));
  // The parts of a picture have room as on a page that is as much narrower.
  const inner = width - 2 * (PADDING - ON_PAGE);
  const look = { ...page, width: inner, height: HEIGHT, names: room };
  const { font } = page;
  const lines = (text: string, size: number, weight: number): string[] =>
    wrapped(text, width - 2 * PADDING, LINES, { font, size, weight });
  const shown = shownText(drawing, columns, format);
  const question = asked.trim();
  return {
    ...specOf(drawing, columns, format, look),
    width,
    padding: PADDING,
    title: {
      text: lines(question || shown, 16, 600),
      ...(question ? { subtitle: lines(shown, 12, 400) } : {}),
      anchor: "start",
      frame: "bounds",
      offset: 12,
      font,
      fontSize: 16,
      fontWeight: 600,
      lineHeight: 21,
      color: page.ink,
      subtitleFont: font,
      subtitleFontSize: 12,
      subtitleLineHeight: 17,
      subtitleColor: page.quiet,
      subtitlePadding: 6,
    },
  };
}
