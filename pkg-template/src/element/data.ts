// <pinhole-data>: the rows of a result, those behind a group or a value, and the filter for the page.

import { type PropertyValues, css, html, nothing } from "lit";
import type { Pinhole } from "../index.js";
import type { Result } from "../result.js";
import type { Fact } from "../types.js";
import { PinholeElement, SHARED } from "./base.js";
import { cellText, keyText } from "./facts.js";
import type { Choice } from "./rows.js";
import { CONTROLS, TOKENS } from "./styles.js";
import { keysOf } from "./turn.js";
import type { FilterDetail } from "./types.js";

/** The table that a page can load beside: it scrolls through millions of rows. */
const GRID = "pinhole-table";

interface Grid {
  goTo?: (row: number) => void;
}

export class DataView extends PinholeElement {
  static override properties = {
    ...SHARED,
    results: { attribute: false },
    result: { attribute: false },
    ph: { attribute: false },
    fact: { attribute: false },
    key: { state: true },
    told: { state: true },
  };

  declare results: Result[];
  declare result: Result | undefined;
  /** The engine that a table of the page's sorts by. */
  declare ph: Pinhole | undefined;
  /** What is marked, where something is. */
  declare fact: Fact | undefined;
  /** The group whose rows are shown. */
  declare private key: Record<string, unknown> | undefined;
  /** Whether the page has been told. */
  declare private told: boolean;

  static override styles = [
    TOKENS,
    CONTROLS,
    css`
      .values {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6em 1.6em;
      }
      .values dt {
        color: var(--_quiet);
        font-size: 0.875em;
      }
      .values dd {
        font-size: 1.35em;
        font-weight: 600;
      }
      .values [aria-current] {
        border-radius: 6px;
        outline: 2px solid var(--_accent);
        outline-offset: 4px;
      }
    `,
  ];

  constructor() {
    super();
    this.results = [];
    this.told = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void customElements.whenDefined(GRID).then(() => {
      this.requestUpdate();
    });
  }

  protected override updated(changed: PropertyValues): void {
    const row = this.fact?.row;
    if (row == null || (!changed.has("fact") && !changed.has("result"))) return;
    this.renderRoot.querySelector<HTMLElement & Grid>(GRID)?.goTo?.(row);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("result")) this.key = undefined;
    if (changed.has("result") || changed.has("key")) this.told = false;
    if ((changed.has("fact") || changed.has("result")) && this.fact) void this.#openGroup();
  }

  /** Opens the rows of the group that the fact is of. */
  async #openGroup(): Promise<void> {
    const { fact, result } = this;
    if (!result?.table || result.kind !== "grouped" || fact?.row == null) return;
    const [row] = await result.table.rows(fact.row, 1);
    if (!row || this.fact !== fact || this.result !== result) return;
    this.key = Object.fromEntries(keysOf(result).map((name) => [name, row[name]]));
  }

  protected override render(): unknown {
    const { result } = this;
    if (!result) return html`<p class="quiet">${this.t("no_data")}</p>`;
    const grouped = result.kind === "grouped" && keysOf(result).length > 0;
    return html`<div class="stack">
      ${this.results.length > 1 ? this.#chooser() : nothing}
      <div class="row between">
        <span class="quiet small" role="status">
          ${this.told ? this.t("filtered") : grouped ? this.t("group_hint") : nothing}
        </span>
        <button
          type="button"
          class="compact"
          data-testid="filter"
          @click=${() => {
            this.#filter(result);
          }}
        >
          ${this.t(this.key ? "filter_group" : "filter")}
        </button>
      </div>
      ${result.table ? this.#table(result, grouped) : this.#values(result)}
    </div>`;
  }

  #chooser(): unknown {
    return html`<div class="row" role="group" aria-label=${this.t("results")}>
      ${this.results.map(
        (one) =>
          html`<button
            type="button"
            class="compact"
            data-testid="result"
            aria-pressed=${String(one === this.result)}
            @click=${() =>
              this.dispatchEvent(new CustomEvent<Result>("data-choose", { detail: one }))}
          >
            ${this.t("result_of", { id: one.id, rows: this.n(one.rows) })}
          </button>`,
      )}
    </div>`;
  }

  #table(result: Result, grouped: boolean): unknown {
    const { table } = result;
    if (!table) return nothing;
    const source = grouped && this.key ? this.#source(result, this.key) : nothing;
    if (customElements.get(GRID)) {
      return html`<pinhole-table
          data-testid="grid"
          .locale=${this.language}
          .ph=${this.ph}
          .result=${result}
          @pinhole-filter=${({ detail }: CustomEvent<FilterDetail>) => {
            if (detail.key) this.key = detail.key;
          }}
        ></pinhole-table>
        ${source}`;
    }
    return html`<pinhole-rows
        exportparts="table, scroll, error"
        data-testid="data"
        .locale=${this.language}
        .read=${this.#reader(result, "table")}
        .columns=${result.columns}
        .choosable=${grouped}
        .marked=${this.fact?.row ?? undefined}
        .name=${result.id}
        .ipc=${() => table.toArrowIPC()}
        @rows-choose=${({ detail }: CustomEvent<Choice>) => {
          const { columns, row } = detail;
          const keys = keysOf(result).map((name) => [name, row[columns.indexOf(name)]]);
          this.key = Object.fromEntries(keys) as Record<string, unknown>;
        }}
      ></pinhole-rows>
      ${source}`;
  }

  /** A single value or a few, and the rows that were counted. */
  #values(result: Result): unknown {
    const values = result.values ?? { [result.columns[0]?.name ?? this.t("value")]: result.value };
    return html`<dl class="values" data-testid="values">
        ${Object.entries(values).map(
          ([name, value]) =>
            html`<div aria-current=${this.fact?.column === name ? "true" : nothing}>
              <dt>${name}</dt>
              <dd>${cellText(value)}</dd>
            </div>`,
        )}
      </dl>
      ${this.#source(result, null)}`;
  }

  #source(result: Result, key: Record<string, unknown> | null): unknown {
    const title = key ? this.t("source_of", { key: keyText(key) }) : this.t("source_all");
    return html`<h3 data-testid="source-title">${title}</h3>
      <pinhole-rows
        data-testid="source"
        .locale=${this.language}
        .read=${this.#reader(result, key)}
        .name=${`${result.id}-source`}
      ></pinhole-rows>`;
  }

  /** One function for the same rows: another one is read anew. */
  #reader(result: Result, of: Record<string, unknown> | "table" | null) {
    const name = `${result.id} ${of === "table" ? of : JSON.stringify(of, plain)}`;
    if (this.#readers.of !== result) this.#readers = { of: result, by: new Map() };
    const known = this.#readers.by.get(name);
    if (known) return known;
    const read = (offset: number, limit: number) =>
      of === "table"
        ? (result.table?.page(offset, limit) ?? Promise.reject(new Error("no table")))
        : result.source(of, { offset, limit });
    this.#readers.by.set(name, read);
    return read;
  }
  #readers: {
    of: Result | undefined;
    by: Map<string, (o: number, l: number) => ReturnType<Result["source"]>>;
  } = { of: undefined, by: new Map() };

  #filter(result: Result): void {
    const { key } = this;
    const { query, metadata } = result;
    this.tell("pinhole-filter", {
      table: metadata.table,
      query,
      where: query.where,
      key,
      rows: (offset = 0, limit = 100) => result.source(key ?? null, { offset, limit }),
    });
    this.told = true;
  }
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
