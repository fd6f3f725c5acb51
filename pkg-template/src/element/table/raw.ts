// The rows of a table as JSON, a hundred at a time, and a value of it in full.

import { html } from "lit";
import type { ColumnInfo } from "../../types.js";
import { type CellFormat, cutText, exact, handedOn } from "./format.js";
import type { RowSource } from "./rows.js";
import { jsonRow } from "./save.js";
import { text } from "./texts.js";

/** Rows that the raw view shows at a time. */
const RAW = 100;
/** Characters of a value that are shown at most. */
const VALUE = 5_000;

/** Rows as JSON, from this one. */
export interface Raw {
  from: number;
  text: string;
}

export async function readRaw(source: RowSource, from: number): Promise<Raw> {
  const start = Math.max(0, Math.min(from, source.total - 1));
  const rows = await source.read(start, RAW);
  const lines = rows.map((row) => `  ${jsonRow(source.columns, row)}`);
  return { from: start, text: `[\n${lines.join(",\n")}\n]` };
}

export function rawView(
  format: CellFormat,
  raw: Raw,
  total: number,
  show: (from: number) => void,
): unknown {
  const { locale } = format;
  const { from } = raw;
  const to = Math.min(from + RAW, total);
  const step = (label: "previous" | "next", at: number, off: boolean): unknown =>
    html`<button
      type="button"
      ?disabled=${off}
      @click=${() => {
        show(at);
      }}
    >
      ${text(locale, label)}
    </button>`;
  return html`<pre class="raw" part="raw" tabindex="0" data-testid="raw-text">${raw.text}</pre>
    <div class="bar detail">
      ${step("previous", from - RAW, from === 0)} ${step("next", to, to >= total)}
      <span class="quiet">
        ${
          total === 1
            ? text(locale, "place", { row: format.count(1), total: format.count(1) })
            : text(locale, "raw_of", {
                from: format.count(from + 1),
                to: format.count(to),
                total: format.count(total),
              })
        }
      </span>
    </div>`;
}

/** A value as a file has it; of a very long one the beginning, with its length. */
export function inFull(
  format: CellFormat,
  value: unknown,
  column: ColumnInfo & { role?: string },
): string {
  const whole = exact(handedOn(value, column));
  if (whole.length <= VALUE) return whole;
  const count = (n: number): string => format.count(n);
  const note = `${text(format.locale, "characters", { count: count(whole.length) })}, ${text(
    format.locale,
    "cut",
    { count: count(VALUE) },
  )}`;
  return `${cutText(whole, VALUE)}… (${note})`;
}
