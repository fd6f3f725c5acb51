// What the elements show to a page: their properties, and the details of their events. The classes
// themselves stay inside, so that the types of the package need no other package.

import type { Pinhole, Recall } from "../index.js";
import type { Result } from "../result.js";
import type {
  ChatOptions,
  Claim,
  ColumnInfo,
  Fact,
  LedgerEntry,
  LoadOptions,
  Locale,
  Page,
  Query,
  Reading,
  RowOptions,
} from "../types.js";

/** Where the panel is: over the page, or along one of its sides. */
export type Dock = "none" | "left" | "right";

/** The panel that answers questions. Properties named like attributes are set by them too. */
export interface PinholeAskElement extends HTMLElement {
  /** The engine. Without one the element opens its own when it is first shown. */
  ph: Pinhole | undefined;
  /** The language; else that of the engine, else that of the page. */
  locale: Locale | undefined;
  /** The address of a file, loaded into an engine of the element's own. */
  src: string | undefined;
  /** The name of the table from `src` (by default that of the file), or the one to ask about. */
  table: string | undefined;
  /** How `src` is read. */
  loadOptions: LoadOptions | undefined;
  /** An endpoint that answers; without one the built-in planner does. */
  endpoint: string | undefined;
  /** The model and the wire format of `endpoint`. */
  model: string | undefined;
  wire: ChatOptions["wire"];
  /** All options of the conversation, in place of `endpoint`, `model` and `wire`. */
  chatOptions: ChatOptions | undefined;
  /**
   * Questions asked before, which are answered at once: those of `ph.recall`, or the name of a data
   * set, for which the panel keeps them as `ph.recall({ context })` does. Without it none are kept.
   */
  recall: Recall | string | undefined;
  /** What stands in the header. */
  heading: string | undefined;
  /** Whether the panel is shown. */
  open: boolean;
  dock: Dock;
  /** Whether the panel has no button of its own that opens it. */
  noLauncher: boolean;
  /** The name under which its place is remembered; empty for not at all. */
  storageKey: string;
  /** Opens the panel and gives it the focus. */
  show(): void;
  /** Closes it; the focus goes back to where it was. */
  hide(): void;
  /** Asks a question; resolves when it is answered or has failed. */
  ask(question: string): Promise<void>;
  /** Begins another conversation. */
  clear(): void;
}

/** The text of an answer with every number marked. */
export interface PinholeAnswerElement extends HTMLElement {
  /** The text. */
  text: string;
  /** What was found of it, by offsets into the text. */
  claims: Claim[];
  /** Whether the text is Markdown: that of a model is, that of the planner is not. */
  markdown: boolean;
  /** Whether it is still being written, and not checked yet. */
  draft: boolean;
  locale: Locale | undefined;
  /** Gives the rows behind a fact, for its note. */
  source: ((fact: Fact, limit: number) => Promise<Page | undefined>) | undefined;
}

/** What left the page, request by request. */
export interface PinholeLedgerElement extends HTMLElement {
  /** The engine whose ledger is shown, verified and exported; it is followed as it grows. */
  ph: Pinhole | undefined;
  /** These entries in place of all. */
  entries: LedgerEntry[] | undefined;
  locale: Locale | undefined;
}

/** Rows that can be read piece by piece: `result.table`, or anything like it. */
export interface TableHandle {
  /** Rows as objects by column name. Dates may be texts or `Date`s; texts are asked for. */
  rows(offset: number, limit: number, options?: RowOptions): Promise<Record<string, unknown>[]>;
  /** Rows as arrays; used in place of `rows` where it is there. */
  page?(offset: number, limit: number, options?: RowOptions): Promise<Page>;
  /** All rows, some thousands at a time. */
  batches?(size?: number): AsyncIterable<Page>;
  /**
   * Names, kinds and units; else they are taken from the first rows. With `page`, which says the
   * names, they may be of more columns or of fewer.
   */
  readonly columns?: readonly ColumnInfo[];
  /** How many rows there are; else it is found by reading. */
  readonly length?: number;
  /** The table as an Arrow IPC stream. */
  toArrowIPC?(options?: { signal?: AbortSignal }): Promise<Uint8Array>;
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
  /** The column of the years whose months or quarters `x` has: together they are the axis. */
  years?: string;
  /** Bars in the place of a pie: of shares, where the values add up to a whole, else of the values. */
  pie?: "shares" | "values";
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

/** `pinhole-ready`: the engine can be asked. */
export interface ReadyDetail {
  ph: Pinhole;
}

/** `pinhole-ask`: a question was asked. */
export interface AskDetail {
  question: string;
}

/** `pinhole-answer`: a question was answered, or `code` says why not. */
export interface AnswerDetail {
  question: string;
  answer: string | undefined;
  claims: Claim[];
  verdict: "ok" | "rewrite" | undefined;
  /** The canonical query that was run last. */
  query: Query | undefined;
  /** When it was first asked, where what answered it then was run again. */
  asked_at: string | undefined;
  code: string | undefined;
  /** Why there is no answer: `not_understood` where it was asked back or declined. */
  ended: string | undefined;
  /** Readings to choose from; one that is taken is told by another event. */
  readings: Reading[];
}

/** `pinhole-filter`: the person wants the page to show these rows. */
export interface FilterDetail {
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
  /**
   * Reads the rows themselves: those behind the groups, or those that are selected. Of a plain list
   * they have the columns that its query left out as well, where the table has its engine.
   */
  rows: (offset?: number, limit?: number) => Promise<Page>;
}

/** `pinhole-row` of a table: another row is the current one. */
export interface RowDetail {
  /** Its number as the rows are shown, counted from 0. */
  row: number;
  /** Its cells by column name. */
  values: Record<string, unknown>;
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

/** `pinhole-toggle`: the panel was opened, closed, docked or undocked. */
export interface ToggleDetail {
  open: boolean;
  dock: Dock;
  /** The width that a docked panel takes. */
  width: number;
}

/** `pinhole-evidence` of an answer: the person wants the rows behind a fact. */
export interface EvidenceDetail {
  fact: Fact;
}

/** The events of the elements; all of them bubble to the page. */
export interface PinholeElementEvents {
  "pinhole-ready": CustomEvent<ReadyDetail>;
  "pinhole-ask": CustomEvent<AskDetail>;
  "pinhole-answer": CustomEvent<AnswerDetail>;
  "pinhole-filter": CustomEvent<FilterDetail>;
  "pinhole-row": CustomEvent<RowDetail>;
  "pinhole-sort": CustomEvent<SortDetail>;
  "pinhole-chart": CustomEvent<ChartDetail>;
  "pinhole-toggle": CustomEvent<ToggleDetail>;
  "pinhole-evidence": CustomEvent<EvidenceDetail>;
}

declare global {
  interface HTMLElementTagNameMap {
    "pinhole-ask": PinholeAskElement;
    "pinhole-answer": PinholeAnswerElement;
    "pinhole-ledger": PinholeLedgerElement;
    "pinhole-table": PinholeTableElement;
    "pinhole-chart": PinholeChartElement;
  }
  interface GlobalEventHandlersEventMap {
    "pinhole-ready": PinholeElementEvents["pinhole-ready"];
    "pinhole-ask": PinholeElementEvents["pinhole-ask"];
    "pinhole-answer": PinholeElementEvents["pinhole-answer"];
    "pinhole-filter": PinholeElementEvents["pinhole-filter"];
    "pinhole-row": PinholeElementEvents["pinhole-row"];
    "pinhole-sort": PinholeElementEvents["pinhole-sort"];
    "pinhole-chart": PinholeElementEvents["pinhole-chart"];
    "pinhole-toggle": PinholeElementEvents["pinhole-toggle"];
    "pinhole-evidence": PinholeElementEvents["pinhole-evidence"];
  }
}
