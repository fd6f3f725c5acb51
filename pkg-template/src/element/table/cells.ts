// The cells of a table as the grid shows them: read as they are wanted, each column written in one way.

import { type Head, valueName } from "../called.js";
import type { Locale, ResultColumn } from "../../types.js";
import { Days } from "./days.js";
import { type CellFormat, hasCents, isCode, isMoney } from "./format.js";
import { RowCache, type RowSource } from "./rows.js";
import { text } from "./texts.js";

export class Cells {
  readonly rows: RowCache;
  /** How numbers of a column are written; whether they have parts is known when rows are there. */
  readonly #written: { code: boolean; money: boolean; cents: boolean }[];
  /** Columns that name groups. */
  readonly #named: boolean[];
  readonly #days: Days;
  readonly #format: CellFormat;

  /** `heads` are the columns as they are called; `changed` hears when rows have come, and why not. */
  constructor(
    source: RowSource,
    private readonly heads: readonly Head[],
    format: CellFormat,
    changed: (error?: unknown) => void,
  ) {
    const { columns } = source;
    this.#format = format;
    this.#written = columns.map((one) => {
      return { code: isCode(one), money: isMoney(one), cents: false };
    });
    this.#named = columns.map((column) => (column as Partial<ResultColumn>).role === "key");
    this.#days = new Days(columns);
    this.rows = new RowCache(source, changed, (rows) => {
      this.#days.see(rows);
      for (const [i, how] of this.#written.entries()) {
        const values = () => rows.map((row) => row[i]);
        const column = columns[i];
        how.cents ||= column?.kind === "float" && hasCents(column, values());
      }
    });
  }

  /** A cell as it is written; nothing where its row is not there yet. */
  cell(row: number, column: number): { text: string; none: boolean } | undefined {
    const values = this.rows.row(row);
    if (!values) return undefined;
    const locale: Locale = this.#format.locale;
    const value = values[column];
    const none = value === null || value === undefined;
    // A group of rows without a value has a name, too.
    if (none && this.#named[column]) return { text: text(locale, "missing"), none };
    const { kind = "text", names } = this.heads[column] ?? {};
    const shown = this.#days.shown(value, column);
    const said = valueName(locale, names, value);
    return { text: said ?? this.#format.cell(shown, kind, this.#written[column]), none };
  }
}
