// What a table can be loaded from, and how.

import type { ColumnClass, Format, WantedType } from "./types.js";

/** Bytes of a file. */
export type Bytes = ArrayBuffer | Uint8Array;

/** A table that gives itself as Arrow IPC: one of arquero, or that of a result. */
export type ArrowTable =
  | { toArrowIPC(): Bytes | Promise<Bytes> }
  | { toIPC(): Bytes | Promise<Bytes> }
  | { serialize(): Bytes | Promise<Bytes> };

/**
 * What a table can be loaded from: a file, its address (strings are URLs), its bytes, rows as
 * objects, or a table of another library.
 */
export type Source =
  | Blob
  | URL
  | string
  | Response
  | ReadableStream<Uint8Array>
  | Bytes
  | Iterable<object>
  | AsyncIterable<object>
  | ArrowTable;

/** How far a load is. */
export interface LoadProgress {
  phase: "reading" | "finishing";
  bytes: number;
  rows: number;
  /** Size of the source, where it is known. */
  total?: number;
}

/** How a table is kept on this device. */
export interface KeepOptions {
  /** Hears after each piece how many bytes were read out of the table. */
  onProgress?: (progress: { bytes: number }) => void;
  signal?: AbortSignal;
}

/** How the clock of a table is read. */
export interface Market {
  /** The IANA zone that clock and dates are read in. */
  timezone?: string;
  /** Named times of the day, from the start up to the end; over midnight where the end is earlier. */
  sessions?: Record<string, [start: string, end: string]>;
  /** From this time of the day on a bar belongs to the next trading date. */
  day_start?: string;
  week_start?: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
}

/** How to read a file and what its columns mean. */
export interface LoadOptions {
  /** The format; by default it is found out from the first bytes. Rows and tables have their own. */
  format?: Format;
  /** How delimited text is written. */
  csv?: {
    delimiter?: string;
    /** What stands around fields with a delimiter or a line break inside; `false` for nothing. */
    quote?: string | false;
    /** Takes the meaning of the character after it; by default a quote inside is doubled. */
    escape?: string;
    /** Lines before the table. */
    skip?: number;
    header?: boolean;
    decimal?: "." | ",";
    /** Order of day, month and year where a file leaves it open. */
    dates?: "ymd" | "dmy" | "mdy";
    encoding?: string;
  };
  /** Only these columns are read. */
  columns?: string[];
  /** Texts that mean "no value". */
  nulls?: string[];
  /** The time column; `false` for none. */
  time?: string | false;
  /** The series column. */
  series?: string;
  /** The IANA zone that clock and dates are read in; in place of that of `market`. */
  timezone?: string;
  /** Sessions, trading days and weeks, or the name of a preset. */
  market?: Market | "futures-us-index" | "equities-us" | "crypto";
  /** What clock shows times that are written without a zone: that of `timezone`, or UTC. */
  timesIn?: "local" | "utc";
  /** How numeric columns outside open, high, low, close, volume are resampled. */
  resample?: Record<string, "first" | "last" | "sum" | "mean" | "min" | "max">;
  units?: Record<string, string>;
  labels?: Record<string, string>;
  /** Other words, in any language. */
  synonyms?: {
    table?: string[];
    columns?: Record<string, string[]>;
    /** Of values of text columns: `{ shop: { Kuper: ["Купер"] } }`. */
    values?: Record<string, Record<string, string[]>>;
  };
  /** Classes of columns for the policy. */
  classes?: Record<string, ColumnClass>;
  /** Types of columns that are not to be guessed. */
  types?: Record<string, WantedType>;
  /** What to do with a row that has the wrong number of fields, or a line that is no JSON. */
  onBadRow?: "error" | "skip";
  onProgress?: (progress: LoadProgress) => void;
  signal?: AbortSignal;
}
