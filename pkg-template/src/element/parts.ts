// What <pinhole-table> and <pinhole-chart> show to a page: their properties, and the details of
// their events. The classes stay inside, so that the types of the package need no other package.

import type { Pinhole } from "../index.js";
import type { Result } from "../result.js";
import type { ColumnInfo, Locale, Page, Query } from "../types.js";

/** Rows that can be read piece by piece: `result.table`, or anything like it. */
export interface TableHandle {
  /** Rows as objects by column name. */
  rows(offset: number, limit: number): Promise<Record<string, unknown>[]>;
  /** Rows as arrays; used in place of `rows` where it is there. */
  page?(offset: number, limit: number): Promise<Page>;
  /** All rows, some thousands at a time. */
  batches?(size?: number): AsyncIterable<Page>;
  /** Names, kinds and units; else they are taken from the first rows. */
  readonly columns?: readonly ColumnInfo[];
  /** How many rows there are; else it is found by reading. */
  readonly length?: number;
  /** The table as an Arrow IPC stream. */
  toArrowIPC?(): Promise<Uint8Array>;
}

/** What the elements show. */
export type Shown = Result | TableHandle;

/** The rows of a result: scrolled, sorted, copied, downloaded. */
export interface PinholeTableElement extends HTMLElement {
  /** What is shown. */
  result: Shown | undefined;
  /** The engine, which sorts by a new query; without it up to 10,000 rows are sorted in the page. */
  ph: Pinhole | undefined;
  /** The language; else that of the page. */
  locale: Locale | undefined;
  /** The name of downloaded files, without its ending; else the id of the result. */
  name: string | undefined;
  /** Scrolls to a row, counted from 0, and makes it the current one. */
  goTo(row: number): void;
}

/** The kinds of charts. */
export type ChartKind = "bar" | "line" | "histogram";

/** A chart by the names of its columns. */
export interface ChartChoice {
  kind: ChartKind;
  /** The column along the axis; of a histogram, the column that is counted. */
  x: string;
  /** The columns of numbers; none for a histogram. */
  y: string[];
  /** The column that tells lines or bars apart. */
  series?: string;
}

/** A chart of a result. */
export interface PinholeChartElement extends HTMLElement {
  /** What is shown. */
  result: Shown | undefined;
  /** The language; else that of the page. */
  locale: Locale | undefined;
  /** What is drawn; else what fits the result. A person can change it. */
  choice: ChartChoice | undefined;
  /** The name of exported files, without its ending; else the id of the result. */
  name: string | undefined;
  /** The chart as SVG text. */
  toSVG(): Promise<string>;
  /** The chart as a PNG image, `scale` times as large as on the page. */
  toPNG(scale?: number): Promise<Blob>;
}

/** `pinhole-filter`: the person wants the page to show these rows. */
export interface RowsFilterDetail {
  /** The table that the query reads; none for a handle. */
  table: string | undefined;
  /** The canonical query of the result. */
  query: Query | undefined;
  /** The rows that the query took, as an expression of the query language. */
  where: string | undefined;
  /** The group that is current, by its keys. */
  key: Record<string, unknown> | undefined;
  /** All groups that are selected. */
  keys: Record<string, unknown>[];
  /** The rows that are selected, counted from 0 as they are shown; the second is not included. */
  range: [from: number, to: number] | undefined;
  /** Reads the rows themselves: those behind the groups, or those that are selected. */
  rows: (offset?: number, limit?: number) => Promise<Page>;
}

/** `pinhole-sort`: the person sorted by a column. */
export interface SortDetail {
  column: string;
  direction: "asc" | "desc" | undefined;
}

/** `pinhole-chart`: the person chose another chart. */
export interface ChartDetail {
  choice: ChartChoice;
}

/** The events of the two elements; all of them bubble to the page. */
export interface PinholePartEvents {
  "pinhole-filter": CustomEvent<RowsFilterDetail>;
  "pinhole-sort": CustomEvent<SortDetail>;
  "pinhole-chart": CustomEvent<ChartDetail>;
}
