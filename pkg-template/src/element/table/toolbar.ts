// What stands around the rows of a table: the buttons above them, and what is under way below.

import { html, nothing } from "lit";
import type { Locale } from "../../types.js";
import type { CellFormat } from "./format.js";
import type { RowSource } from "./rows.js";
import { type FileKind, writesCommas } from "./save.js";
import { text } from "./texts.js";

/** What files are called. */
const FORMATS = { csv: "CSV", json: "JSON", arrow: "Arrow" };

export function formatName(locale: Locale, kind: FileKind): string {
  return kind === "excel" ? text(locale, "csv_excel") : FORMATS[kind];
}

/** Something that takes time and can be cancelled. */
export interface Work {
  label: string;
  /** From 0 to 1, where it is known. */
  part?: number | undefined;
  stop: AbortController;
}

/** What the buttons say and do. */
export interface Toolbar {
  format: CellFormat;
  /** What the button of the filter says; none where the page has nothing to filter by. */
  filter: string | undefined;
  /** Something is under way. */
  busy: boolean;
  /** The raw view is open. */
  raw: boolean;
  pressed: (button: "filter" | "copy" | "raw") => void;
  save: (kind: FileKind) => void;
}

export function toolbar(source: RowSource, told: Toolbar): unknown {
  const { format } = told;
  const { locale } = format;
  const empty = source.total === 0;
  const kinds: FileKind[] = [
    "csv",
    ...(writesCommas(locale) ? (["excel"] as const) : []),
    "json",
    ...(source.arrow ? (["arrow"] as const) : []),
  ];
  return html`<div class="bar" part="toolbar">
    <span class="quiet small" data-testid="size">
      ${text(locale, "size", {
        rows: format.count(source.total),
        columns: format.count(source.columns.length),
      })}
    </span>
    <span class="space"></span>
    ${
      empty || told.filter === undefined
        ? nothing
        : html`<button
            type="button"
            part="filter"
            data-testid="filter"
            @click=${() => {
              told.pressed("filter");
            }}
          >
            ${told.filter}
          </button>`
    }
    <button
      type="button"
      data-testid="copy"
      ?disabled=${empty}
      @click=${() => {
        told.pressed("copy");
      }}
    >
      ${text(locale, "copy")}
    </button>
    <span class="saves">
      <span class="quiet small" aria-hidden="true">${text(locale, "download")}</span>
      ${kinds.map(
        (kind) =>
          html`<button
            type="button"
            data-testid="save-${kind}"
            aria-label=${text(locale, "download_as", { format: formatName(locale, kind) })}
            title=${kind === "excel" ? text(locale, "csv_excel_hint") : nothing}
            ?disabled=${told.busy}
            @click=${() => {
              told.save(kind);
            }}
          >
            ${formatName(locale, kind)}
          </button>`,
      )}
    </span>
    <button
      type="button"
      data-testid="raw"
      aria-pressed=${String(told.raw)}
      ?disabled=${empty}
      @click=${() => {
        told.pressed("raw");
      }}
    >
      ${text(locale, "raw")}
    </button>
  </div>`;
}

/** What is under way, with a button that ends it. */
export function working(locale: Locale, work: Work, cancel: () => void): unknown {
  return html`<progress
      aria-label=${work.label}
      max="1"
      .value=${work.part ?? 0}
      ?hidden=${work.part === undefined}
    ></progress>
    ${work.label}
    <button type="button" data-testid="cancel" @click=${cancel}>${text(locale, "cancel")}</button>`;
}
