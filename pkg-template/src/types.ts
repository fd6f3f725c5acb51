// Public types. JSON data (queries, results, tool results) has snake_case keys; options of methods
// are camelCase.

import type { Locale } from "./errors.js";
import type { FunctionFamily, FunctionName } from "./functions.js";
import type { HistoryStore } from "./history.js";
import type { LedgerStore } from "./ledger.js";
import type { Market } from "./load-types.js";
import type { PurchaseOptions } from "./purchases.js";

export type * from "./chat-types.js";
export type * from "./check-types.js";
export type { Diagnostic, Fault, Locale } from "./errors.js";
export type * from "./load-types.js";
export type * from "./recall-types.js";
export type {
  HistoryStore,
  OpenedChat,
  SavedChat,
  SavedHead,
  SavedResult,
  SavedTurn,
} from "./history.js";

/** A query: one flat JSON object. */
export interface Query {
  table?: string;
  session?: string;
  period?: string;
  from?: string;
  map?: Record<string, string> | [name: string, expression: string][];
  where?: string;
  group_by?: string | string[];
  select?: string | string[] | Record<string, string>;
  sort?: string | string[];
  limit?: number;
  columns?: string[];
  lookback?: boolean;
  steps?: Query[];
}

/**
 * What may leave the page. Names that it cannot have are refused, and so is a column that its table
 * does not have: with the policy where the table is there, else with the load of the table.
 */
export interface Policy {
  level?: "schema" | "aggregate" | "summary" | "preview";
  k?: number;
  /** Classes of columns, by `table.column`. */
  columns?: Record<string, "open" | "aggregate" | "hidden">;
}

/** The kind of a column's values; of decimals with the number of digits behind the point. */
export type Kind =
  | "int"
  | "float"
  | `decimal(${number})`
  | "bool"
  | "text"
  | "date"
  | "timestamp"
  | `list(${"int" | "float" | "bool" | "text"})`;

/** A column of a table. */
export interface ColumnInfo {
  name: string;
  kind: Kind;
  unit?: string;
  label?: string;
  /** Other words for it. */
  synonyms?: string[];
  /** Other words for some of its values. */
  value_synonyms?: [value: string, words: string[]][];
}

/** One remark of the load report. */
export interface LoadNote {
  code: string;
  /** The column it is about. */
  column?: string | null;
  text: string;
}

/** Formats that can be loaded. NDJSON is one JSON value a line. */
export type Format = "csv" | "json" | "ndjson" | "arrow" | "parquet";

/** The type of a column's values, as load reports name it. */
export type ColumnType =
  | "integer"
  | "number"
  | "decimal"
  | "boolean"
  | "text"
  | "date"
  | "timestamp"
  | `list of ${"integer" | "number" | "boolean" | "text"}`;

/** The type of a column's values, as load options name it: decimals with their digits behind the point. */
export type WantedType = Exclude<ColumnType, "decimal"> | `decimal(${number})`;

/** A column as the load report has it. */
export interface ColumnReport {
  name: string;
  type: ColumnType;
  /** Declared, or read from the name or the values. */
  unit: string | null;
  /** Rows without a value. */
  nulls: number;
  /** Distinct values of a text column, where they were counted. */
  distinct: number | null;
}

/** What reading a file found and did. */
export interface LoadReport {
  format: Format;
  /** What the file was packed with. */
  compression: "gzip" | "zstd" | null;
  /** The order of day and month in its dates, where they have one and the same. */
  dates?: "dmy" | "mdy" | null;
  /** The decimal character of its numbers where it is the comma. */
  decimal?: "," | null;
  /** The character encoding of delimited text and JSON, by its WHATWG name. */
  encoding?: string;
  /** Between the fields of delimited text. */
  delimiter?: string;
  /** Around fields of delimited text that have a delimiter or a line break inside. */
  quote?: string | null;
  /** What takes the meaning of the character after it, in delimited text. */
  escape?: string | null;
  /** Whether the first line of delimited text names the columns. */
  header?: boolean;
  rows: number;
  /** Bytes that were taken, packed where the file is. */
  bytes: number;
  columns: ColumnReport[];
  /** Guesses and repairs. */
  notes: LoadNote[];
  /**
   * Rows of the wrong length, and lines that are no JSON (they have no fields to count), that were
   * left out; the first 100 of them by line.
   */
  bad_rows: { count: number; lines: { line: number; fields: number; expected: number }[] };
  /** The time column. */
  time: string | null;
  /** The usual distance between rows, in seconds. */
  interval: number | null;
  /** First and last value of the time column, as ISO text. */
  range: [first: string, last: string] | null;
  /** Bytes that the table takes in memory. */
  memory: number;
  /** The same for one row, on average; `null` where there are no rows. */
  memory_per_row: number | null;
}

/** A loaded table. */
export interface TableInfo {
  name: string;
  rows: number;
  columns: ColumnInfo[];
  /** The time column. */
  time?: string | null;
  /** The series column (several instruments in one table). */
  series?: string | null;
  /** How its clock is read. */
  market?: Market;
  /** Changes when names, kinds or settings change, and not when rows are added. */
  fingerprint: string;
  /** Counts what was loaded under this name and appended to it. */
  version: number;
  /** The usual distance between rows, in seconds. */
  interval?: number | null;
  /** First and last value of the time column. */
  range?: [first: string, last: string] | null;
  report?: LoadReport;
  /** Memory that it takes. */
  bytes: number;
  /** Columns that seem to tell of people. They are hidden until the page names a class for them. */
  flags: ColumnFlag[];
  /** The class of each column under the policy in force. */
  classes: Record<string, ColumnClass>;
}

/** What may leave of a column. */
export type ColumnClass = "open" | "aggregate" | "hidden";

/** What the scanner found in a column. */
export interface ColumnFlag {
  column: string;
  /** What it seems to hold. */
  kind: "email" | "phone" | "card" | "iban" | "ip" | "national_id" | "person_name";
  /** What gave it away. */
  by: "name" | "content";
  /** How many of the values looked at hold such a thing, in per cent. */
  percent: number;
}

/** Rows as arrays of values, in the order of `columns`. */
export interface Page {
  columns: string[];
  /** The kind of each column's values; always there in rows of an engine. */
  kinds?: Kind[];
  rows: unknown[][];
  /** Rows that there are in all. */
  total: number;
}

/** Something that changed the meaning of a result. */
export interface Warning {
  code: string;
  message: string;
}

/** What was read for a result. */
export interface Metadata {
  table: string;
  session?: string | null;
  period?: string | null;
  timeframe?: string | null;
  /** Rows that entered `where`. */
  rows_scanned: number;
  /** Rows that left it. */
  rows_matched: number;
  /** Rows before `limit`, where it cut something. */
  rows_before_limit?: number | null;
}

/** A column of a result. */
export interface ResultColumn extends ColumnInfo {
  /** `key`, `measure`, or what else it stands for. */
  role: string;
}

/** The four kinds of results. */
export type ResultKind = "table" | "scalar" | "dict" | "grouped";

/** A result as plain data. Its rows stay in the engine, behind `id`. */
export interface ResultInfo {
  id: string;
  kind: ResultKind;
  /** The canonical query. */
  query: Query;
  explanation: string;
  metadata: Metadata;
  columns: ResultColumn[];
  rows: number;
  summary: Record<string, unknown>;
  model_text: string;
  warnings: Warning[];
  /** The exact value of a scalar. */
  value?: unknown;
  /** The exact values of a dict. */
  values?: Record<string, unknown>;
  /** Which chart fits; nothing where numbers say it better. */
  chart?: Chart | null;
}

/** A chart that fits a result, by the names of its columns. */
export interface Chart {
  /** A bar for every group, or a line over time. */
  kind: "bar" | "line";
  /** The column along its axis. */
  x: string;
  /** The columns of numbers. */
  y: string[];
  /** The column that tells lines or bars apart. */
  series?: string;
}

/** A function of the query language. */
export interface FunctionInfo {
  name: FunctionName;
  family: FunctionFamily;
  /** Where it may stand. */
  stand: "row" | "window" | "aggregate";
  signature: string;
  meaning: string;
  example: string;
  /** What it computes, as a formula or in the language itself. */
  definition: string | null;
  /** Where the definition comes from, and how others differ from it. */
  source: string | null;
}

/** One way to read a question. */
export interface Reading {
  query: Query;
  explanation: string;
  /** From 0 to 1. */
  confidence: number;
}

/** What the built-in planner makes of a question. */
export interface Plan {
  status: "ready" | "readings" | "declined";
  language: Locale;
  query?: Query;
  explanation: string;
  confidence: number;
  readings: Reading[];
  message?: string;
  notes: string[];
}

/** One outgoing request, recorded before it is sent. */
export interface LedgerEntry {
  /** Counts from 1. */
  seq: number;
  /** When it was recorded: milliseconds since 1970. */
  at: number;
  endpoint: string;
  /** The exact body; in hexadecimal digits where it is not text. */
  body: string | { hex: string };
  /** Hash of the body. */
  sha256: string;
  /** `hash` of the entry before it. */
  previous: string;
  /** Hash over the entry's fields. */
  hash: string;
  policy_hash: string;
  level: string;
  /** Columns (`table.column`) of whose values the request tells something. */
  columns: string[];
  /** Results that it tells of. */
  results: string[];
  /** What it keeps back, and why; left out where that is nothing. */
  withheld?: Withheld[];
}

/** Something that a request does not say: kinds and counts, never a value or a hidden name. */
export interface Withheld {
  what:
    | "columns"
    | "values"
    | "result"
    | "rows"
    | "groups"
    | "measure"
    | "names"
    | "words"
    | "claims"
    | "earlier";
  why:
    | "hidden"
    | "aggregate"
    | "use"
    | "sql"
    | "level"
    | "few_rows"
    | "differencing"
    | "unknown"
    | "cell"
    | "policy_changed"
    | "policy";
  /** The table, column (`table.column`), result (`r1`) or column of a result (`r1.mean`) it is of. */
  of?: string;
  /** How many there are of it, where they are counted. */
  count?: number;
}

/** Whether the chain of the ledger holds, and where it breaks. */
export interface LedgerProof {
  ok: boolean;
  seq?: number;
}

/** Memory, table by table. */
export interface Stats {
  tables: { name: string; rows: number; bytes: number }[];
  results: { id: string; rows: number; bytes: number }[];
  /** Size of the module's memory. */
  wasm_bytes: number;
  /** Whether the engine runs in a worker. */
  worker: boolean;
  /** How often it had to be replaced. */
  restarts: number;
}

/** How far a query is; `total` is 0 where it is not known. */
export interface Progress {
  done: number;
  total: number;
}

/** Options of calls that take long. */
export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** How rows are read. */
export interface RowOptions {
  signal?: AbortSignal;
  /** What dates and times are in these rows, in place of {@link OpenOptions.dates}. */
  dates?: "string" | "date";
}

/** Options of {@link Pinhole.open}. */
export interface OpenOptions {
  /** The module: where it is, or what it is. */
  wasm?: URL | string | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;
  /** `false` runs in place; a URL or a function says how to start the worker. */
  worker?: boolean | URL | string | (() => Worker);
  /** The module that reads Parquet, fetched with the first such file; as `wasm`. */
  parquetWasm?: OpenOptions["wasm"];
  /** The script of the worker that reads Parquet; as `worker`. */
  parquetWorker?: URL | string | (() => Worker);
  /** The module that scripts run in, fetched with the first of them; as `wasm`. */
  scriptWasm?: OpenOptions["wasm"];
  /** The script of the worker that scripts run in; as `worker`. */
  scriptWorker?: URL | string | (() => Worker);
  /**
   * Whether models may run scripts (`run_script`); default true where there are workers, else never.
   * They run only where the policy protects no column and its level is `summary` or `preview`.
   */
  scripts?: boolean;
  /** Bytes that tables, results and running queries may take together; default 2 GiB. */
  memoryLimit?: number;
  /**
   * Whether a query that needs more continues on the device's disk; default true. It writes what it
   * sorts and groups into a file of the page's private file system (OPFS) and empties it when it ends.
   * Only workers have such files.
   */
  spill?: boolean;
  policy?: Policy;
  locale?: Locale;
  /** What the tables of purchases are called. */
  purchases?: PurchaseOptions;
  /**
   * What decimals are in rows and values: strings with all their digits, unless they are to be the
   * nearest numbers.
   */
  decimals?: "string" | "number";
  /**
   * What dates and times are in rows (`rows()`, `page()`, `batches()`, `source()`), `value` and
   * `values`: ISO texts, unless they are to be `Date`s, which show in UTC what the table's clock shows,
   * to the millisecond.
   */
  dates?: "string" | "date";
  /**
   * Keeps conversations with their tables on this device: the page's consent. A store of one's own
   * keeps them elsewhere.
   */
  persist?: boolean | HistoryStore;
  /** Where the ledger is kept, in place of memory or, with `persist: true`, IndexedDB where the page may. */
  ledger?: LedgerStore;
  /** Sees each outgoing request before it is sent; `false` stops it. */
  onBeforeSend?: (entry: LedgerEntry) => boolean | undefined | Promise<boolean | undefined>;
}

/** What can stand at a place of a query. */
export interface Completions {
  /** The part of the text that a completion replaces, in UTF-16 units. */
  span: [number, number];
  /** Best first, at most 200. */
  items: Completion[];
}

/** One thing that can stand there. */
export interface Completion {
  /** What to show. */
  label: string;
  /** What to write in place of the span. */
  insert: string;
  kind: "column" | "function" | "operator" | "constant" | "name" | "value";
  /** A column's kind of values. */
  type?: string;
  unit?: string;
  /** A function's name with its parameters. */
  signature?: string;
  family?: string;
  /** The meaning in one line, a column's name for people, or the time of the day of a session. */
  detail?: string;
  /** A column's value, or a part of the time that the table has rows of. */
  value?: string;
}
