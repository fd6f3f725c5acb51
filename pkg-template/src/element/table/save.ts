// Rows as files. Each part goes into a blob of its own as it is written: the browser keeps those
// outside the page's memory, on disk where they are large, so that the page holds one part at a time.

import type { ColumnInfo, Locale } from "../../types.js";
import { type Head, headText, valueName } from "../called.js";
import { Digits, exact, handedOn, isNumeric, json } from "./format.js";
import { type RowSource, batches } from "./rows.js";

/** What a download can be; `excel` is CSV as a spreadsheet of a region with decimal commas reads it. */
export type FileKind = "csv" | "excel" | "json" | "arrow";

export const MEDIA: Record<FileKind, string> = {
  csv: "text/csv;charset=utf-8",
  excel: "text/csv;charset=utf-8",
  json: "application/json",
  arrow: "application/vnd.apache.arrow.stream",
};

/** Without it Excel reads a CSV in the code page of the machine. Readers of UTF-8 leave it out. */
const BYTE_ORDER_MARK = "\u{feff}";

/** What columns and values are called on the screen; programs read names. */
export interface Called {
  locale: Locale;
  heads: readonly Head[];
}

/** All rows as one file; `told` hears how many are written. `called` is for people: of `excel` alone. */
export async function fileOf(
  source: RowSource,
  kind: FileKind,
  told: (rows: number) => void,
  signal: AbortSignal,
  called?: Called,
): Promise<Blob> {
  const type = MEDIA[kind];
  if (kind === "arrow") {
    if (!source.arrow) throw new TypeError("no Arrow of this table");
    const bytes = await source.arrow({ signal });
    signal.throwIfAborted();
    return new Blob([bytes as BlobPart], { type });
  }
  const { locale = "en", heads = [] } = (kind === "excel" && called) || {};
  const shown = source.columns.map((column) => heads.find(({ name }) => name === column.name));
  const names = source.columns.map((column, i) => {
    const head: Pick<Head, "name" | "label" | "unit"> = shown[i] ?? { name: column.name };
    return [headText(head), head.unit].filter(Boolean).join(", ");
  });
  const named = (row: unknown[]): unknown[] =>
    row.map((value, i) => valueName(locale, shown[i]?.names, value) ?? value);
  const line = kind === "excel" ? excelLine(source.columns) : csvLine;
  // What a column is called is a text, whatever its values are.
  const head = kind === "excel" ? excelText(names) : csvLine(names);
  const blobs = [new Blob([kind === "json" ? "[\n" : BYTE_ORDER_MARK + head])];
  let done = 0;
  for await (const rows of batches(source, signal)) {
    blobs.push(
      new Blob([
        kind === "json"
          ? jsonRows(source.columns, rows, done)
          : rows.map((row) => line(named(handed(source.columns, row)))).join(""),
      ]),
    );
    done += rows.length;
    told(done);
  }
  signal.throwIfAborted();
  if (kind === "json") blobs.push(new Blob(["\n]\n"]));
  return new Blob(blobs, { type });
}

/** What a spreadsheet would take for a formula is left as it is: programs read this file. */
export function csvLine(values: readonly unknown[]): string {
  return lineOf(values.map(exact), ",", /[",\r\n]/);
}

/**
 * Lines between whose fields stands a semicolon, with decimal commas: a spreadsheet takes both from the
 * region, and where numbers have a comma it puts a line of the other kind into one cell.
 */
export function excelLine(
  columns: readonly Pick<ColumnInfo, "kind">[],
): (values: readonly unknown[]) => string {
  const numeric = columns.map(({ kind }) => isNumeric(kind));
  const moments = columns.map(({ kind }) => kind === "timestamp");
  return (values) => {
    const cells = values.map((value, i) => {
      const said = exact(value);
      // With the letter of ISO 8601 between them a date and a time are a text there.
      const text = moments[i] ? said.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ") : said;
      // A name in place of a code is no number.
      return numeric[i] && NUMBER.test(text) ? text.replace(".", ",") : text;
    });
    return excelText(cells);
  };
}

/** A line of numbers, and of texts that stay texts. */
function excelText(cells: string[]): string {
  return lineOf(cells.map(asText), ";", /[";\r\n]/);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** How cells begin that a spreadsheet takes for a formula, after OWASP; a minus begins numbers, too. */
const FORMULA = /^[=+@\t\r\n\uff1d\uff0b\uff20\uff0d]|^-(?!\d+(?:[.,]\d+)?(?:e[-+]?\d+)?$)/iu;

/** A text that a spreadsheet leaves a text: what came in a file of others is never to be run. */
function asText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function lineOf(texts: string[], between: string, special: RegExp): string {
  const cells = texts.map((text) =>
    special.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
  );
  // A lone empty cell would be an empty line, which readers leave out.
  return cells.length === 1 && cells[0] === "" ? '""\n' : `${cells.join(between)}\n`;
}

/** Whether spreadsheets here are likely to want decimal commas: by the language, or the browser's. */
export function writesCommas(locale: Locale): boolean {
  const here = typeof navigator === "undefined" ? [] : [navigator.language];
  return [locale, ...here].some((one) => {
    try {
      return (0.5).toLocaleString(one).includes(",");
    } catch {
      return false;
    }
  });
}

/** How a file's name ends: two kinds of CSV lie beside each other. */
export function endingOf(kind: FileKind): string {
  return kind === "excel" ? "-excel.csv" : `.${kind}`;
}

/** Rows as lines of a JSON array; `before` of them are written already. */
export function jsonRows(
  columns: readonly ColumnInfo[],
  rows: unknown[][],
  before: number,
): string {
  const lines = rows.map((row) => jsonRow(columns, row));
  return (before > 0 && lines.length > 0 ? ",\n" : "") + lines.join(",\n");
}

/** A row as a JSON object on one line. */
export function jsonRow(columns: readonly ColumnInfo[], row: unknown[]): string {
  const values = handed(columns, row);
  const cells = columns.map(({ name, kind }, i) => [name, Digits.of(values[i], kind)] as const);
  return json(Object.fromEntries(cells));
}

export function asObject(names: string[], row: unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, row[i]]));
}

/** The values of a row as they leave. */
function handed(columns: readonly ColumnInfo[], row: unknown[]): unknown[] {
  return row.map((value, i) => handedOn(value, columns[i]));
}

/**
 * The cells of some columns as a spreadsheet takes them from the clipboard, where it would run a text
 * as a formula at once. One cell alone is as likely to go into a text, and stays as it is.
 */
export function tabbed(
  columns: readonly ColumnInfo[],
  rows: unknown[][],
  [from, to]: [from: number, to: number] = [0, columns.length],
): string {
  const lone = rows.length === 1 && to - from === 1;
  return rows
    .map((row) =>
      handed(columns, row)
        .slice(from, to)
        .map((value) => {
          const text = lone ? exact(value) : asText(exact(value));
          return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        })
        .join("\t"),
    )
    .join("\n");
}
