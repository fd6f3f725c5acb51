// <pinhole-data>: the rows of a result and those behind a group or a value, each as <pinhole-table>.

import { type PropertyValues, css, html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import type { Pinhole } from "../index.js";
import type { Result } from "../result.js";
import type { Fact, Locale, Page } from "../types.js";
import { PinholeElement, SHARED } from "./base.js";
import { type Head, headText, headsNow } from "./called.js";
import { cellText, keyText } from "./facts.js";
import { AS_TEXT, keysOf } from "./keys.js";
import { part } from "./late.js";
import { CONTROLS, TOKENS } from "./styles.js";
import type {
  FilterDetail,
  PinholeElementEvents,
  PinholeTableElement,
  TableHandle,
} from "./types.js";

/** How long, in milliseconds, another group is the current one before its rows are read. */
const REST = 150;

export class DataView extends PinholeElement {
  static override properties = {
    ...SHARED,
    results: { attribute: false },
    result: { attribute: false },
    ph: { attribute: false },
    asked: { attribute: false },
    fact: { attribute: false },
    key: { state: true },
  };

  declare results: Result[];
  declare result: Result | undefined;
  /** The engine that the table sorts by. */
  declare ph: Pinhole | undefined;
  /** The question. */
  declare asked: string;
  /** What is marked, where something is. */
  declare fact: Fact | undefined;
  /** The group whose rows are shown. */
  declare private key: Record<string, unknown> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #marked: { fact: Fact; result: Result | undefined } | undefined;
  #read: { result: Result; name: string; handle: TableHandle } | undefined;

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
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("result")) return;
    clearTimeout(this.#soon);
    this.key = undefined;
  }

  protected override render(): unknown {
    const { result } = this;
    if (!result) return html`<p class="quiet">${this.t("no_data")}</p>`;
    return html`<div class="stack">
      ${this.results.length > 1 ? this.#chooser() : nothing}
      ${part(
        this.language,
        () => import("./table.js"),
        result.table ? this.#table(result) : this.#values(result),
      )}
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

  #table(result: Result): unknown {
    // The rows behind the groups of a statement are not kept.
    const grouped =
      result.kind === "grouped" && keysOf(result).length > 0 && !("sql" in result.query);
    return html`<pinhole-table
        exportparts="toolbar, frame, grid, detail, raw, error"
        data-testid="data"
        .locale=${this.language}
        .ph=${this.ph}
        .result=${result}
        .asked=${this.#named(result)}
        ${ref(this.#mark)}
        @pinhole-row=${({ detail }: PinholeElementEvents["pinhole-row"]) => {
          if (grouped) this.#choose(result, detail.values);
        }}
      ></pinhole-table>
      ${
        !grouped
          ? nothing
          : result.rows === 0
            ? nothing
            : this.key
              ? this.#source(result, this.key)
              : html`<p class="quiet small">${this.t("group_hint")}</p>`
      }`;
  }

  /** Makes the row of the fact the current one, once for each table and fact. */
  readonly #mark = (element?: Element) => {
    if (!element) return;
    const { fact, result } = this;
    if (fact?.row == null || (this.#marked?.fact === fact && this.#marked.result === result))
      return;
    this.#marked = { fact, result };
    const { row } = fact;
    // After what this update sets of the table.
    queueMicrotask(() => {
      (element as PinholeTableElement).goTo(row);
    });
  };

  /** Shows the rows of a group; while the arrow keys are held, those in between are not read. */
  #choose(result: Result, values: Record<string, unknown>): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(
      () => {
        this.key = Object.fromEntries(keysOf(result).map((name) => [name, values[name]]));
      },
      this.key ? REST : 0,
    );
  }

  /** A single value or a few, and the rows that were counted. */
  #values(result: Result): unknown {
    const heads = this.#heads(result);
    const values = result.values ?? { [result.columns[0]?.name ?? this.t("value")]: result.value };
    const called = (name: string): string => {
      const head = heads.find((one) => one.name === name);
      return head ? [headText(head), head.unit].filter(Boolean).join(", ") : name;
    };
    return html`<dl class="values" data-testid="values">
        ${Object.entries(values).map(
          ([name, value]) =>
            html`<div aria-current=${this.fact?.column === name ? "true" : nothing}>
              <dt title=${called(name) === name ? nothing : name}>${called(name)}</dt>
              <dd>${cellText(this.language, value, name)}</dd>
            </div>`,
        )}
      </dl>
      ${"sql" in result.query ? nothing : this.#source(result, null)}`;
  }

  #heads(result: Result): readonly Head[] {
    return headsNow(this.language, result, () => {
      this.requestUpdate();
    });
  }

  #source(result: Result, key: Record<string, unknown> | null): unknown {
    const title = key
      ? this.t("source_of", {
          key: keyText(this.language, key, this.#heads(result)),
        })
      : this.t("source_all");
    return html`<h3 data-testid="source-title">${title}</h3>
      <pinhole-table
        exportparts="toolbar, frame, grid, detail, raw, error"
        data-testid="source"
        .locale=${this.language}
        .result=${this.#handle(result, key)}
        .asked=${this.#named(result, "rows")}
        @pinhole-row=${(event: Event) => {
          event.stopPropagation();
        }}
        @pinhole-filter=${(event: PinholeElementEvents["pinhole-filter"]) => {
          event.stopPropagation();
          this.#filter(result, key, event.detail);
        }}
      ></pinhole-table>`;
  }

  /** What its files are called after: results of one answer have names of their own. */
  #named(result: Result, ...parts: string[]): string[] {
    const at = this.results.indexOf(result);
    return [this.asked, ...(at > 0 ? [`${at + 1}`] : []), ...parts];
  }

  /** One handle for the same rows: another one is read anew. */
  #handle(result: Result, key: Record<string, unknown> | null): TableHandle {
    const { language } = this;
    const name = JSON.stringify([language, key], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    if (this.#read?.result === result && this.#read.name === name) return this.#read.handle;
    const page = (offset: number, limit: number): Promise<Page> =>
      result.source(key, { offset, limit, ...AS_TEXT });
    const rows = async (offset: number, limit: number): Promise<Record<string, unknown>[]> => {
      const { columns, rows: found } = await page(offset, limit);
      return found.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    };
    const handle = { rows, page, columns: this.#known(result, language) };
    this.#read = { result, name, handle };
    return handle;
  }

  /** The columns that rows behind a result may have: a page of rows names them and says no kinds. */
  #known({ metadata, columns, query }: Result, language: Locale): readonly Head[] {
    const table = this.ph?.tables().find(({ name }) => name === metadata.table);
    const known = { columns: [...(table?.columns ?? []), ...columns], query };
    return headsNow(language, known, () => {
      this.#read = undefined;
      this.requestUpdate();
    });
  }

  /** What the rows behind a group or a value do not know themselves: the query that they are of. */
  #filter(result: Result, key: Record<string, unknown> | null, detail: FilterDetail): void {
    const { query, metadata } = result;
    this.tell("pinhole-filter", {
      ...detail,
      table: metadata.table,
      query,
      where: query.where,
      key: key ?? undefined,
      keys: key ? [key] : [],
    });
  }
}
