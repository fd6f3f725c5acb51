// <pinhole-rows>: rows a page at a time, and their download. Shows the rows behind a fact, and the
// table of a result where the page has not loaded <pinhole-table>.

import { type PropertyValues, css, html, nothing } from "lit";
import type { Page, ResultColumn } from "../types.js";
import { PinholeElement, SHARED } from "./base.js";
import { type Kept, csvOf, jsonOf, save } from "./download.js";
import { errorCard, failureOf, type Failure } from "./errors.js";
import { cellText, exactText, isNumber } from "./facts.js";
import { CONTROLS, TABLE_STYLES, TOKENS } from "./styles.js";

const PAGE = 100;
const NUMERIC = new Set(["int", "float"]);

/** How rows are read. */
export type Read = (offset: number, limit: number) => Promise<Page>;

/** A row that was chosen. */
export interface Choice {
  columns: string[];
  row: unknown[];
}

export class PagedRows extends PinholeElement {
  static override properties = {
    ...SHARED,
    read: { attribute: false },
    columns: { attribute: false },
    choosable: { type: Boolean },
    marked: { type: Number },
    name: {},
    ipc: { attribute: false },
    page: { state: true },
    offset: { state: true },
    failure: { state: true },
    chosen: { state: true },
  };

  declare read: Read | undefined;
  declare columns: ResultColumn[];
  /** Whether a row can be chosen. */
  declare choosable: boolean;
  /** The row that is marked, where there is one; its page is shown first. */
  declare marked: number | undefined;
  /** The name of the file of a download. */
  declare name: string;
  /** Gives the rows as Arrow IPC, where they can be had so. */
  declare ipc: (() => Promise<Uint8Array>) | undefined;
  declare private page: Page | undefined;
  declare private offset: number;
  declare private failure: Failure | undefined;
  declare private chosen: number | undefined;
  #turn = 0;

  static override styles = [
    TOKENS,
    CONTROLS,
    TABLE_STYLES,
    css`
      tr.choice {
        cursor: pointer;
      }
      tr.choice:hover td,
      tr[aria-current] td {
        background: var(--_accent-soft);
      }
      .pager {
        margin-block-start: 0.5em;
      }
      .scroll {
        min-height: 6em;
      }
    `,
  ];

  constructor() {
    super();
    this.columns = [];
    this.choosable = false;
    this.name = "rows";
    this.offset = 0;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("read") && !changed.has("marked")) return;
    this.chosen = undefined;
    const at = this.marked ?? 0;
    void this.#go(at - (at % PAGE));
  }

  async #go(to: number): Promise<void> {
    if (!this.read) return;
    const turn = ++this.#turn;
    try {
      const page = await this.read(to, PAGE);
      if (turn !== this.#turn) return;
      this.page = page;
      this.offset = to;
      this.failure = undefined;
    } catch (error) {
      if (turn === this.#turn) this.failure = failureOf(error);
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("page") && this.marked !== undefined) {
      this.renderRoot.querySelector("tr[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  }

  protected override render(): unknown {
    const total = this.page?.total ?? 0;
    const to = Math.min(this.offset + PAGE, total);
    return html`<div
        class="scroll"
        part="scroll"
        tabindex="0"
        role="group"
        aria-label=${this.t("table")}
      >
        ${this.page ? this.#table(this.page) : nothing}
      </div>
      <div class="row between pager">
        <div class="row">
          ${
            total > PAGE
              ? html`${this.#button("previous", this.offset === 0, () => this.#go(this.offset - PAGE))}
                ${this.#button("next", to >= total, () => this.#go(this.offset + PAGE))}`
              : nothing
          }
          <span class="quiet small" role="status" data-testid="range">
            ${
              !this.page
                ? nothing
                : total === 0
                  ? this.t("rows_none")
                  : this.t("rows_of", {
                      from: this.n(this.offset + 1),
                      to: this.n(to),
                      total: this.n(total),
                    })
            }
          </span>
        </div>
        ${total > 0 ? this.#downloads() : nothing}
      </div>
      ${this.failure ? errorCard(this.language, this.failure) : nothing}`;
  }

  #button(key: "previous" | "next", disabled: boolean, go: () => Promise<void>): unknown {
    return html`<button
      type="button"
      class="compact"
      data-testid=${key}
      ?disabled=${disabled}
      @click=${go}
    >
      ${this.t(key)}
    </button>`;
  }

  #downloads(): unknown {
    const one = (kind: Kept) =>
      html`<button
        type="button"
        class="compact"
        data-testid="download-${kind}"
        aria-label="${this.t("download")} ${kind.toUpperCase()}"
        @click=${() => this.#save(kind)}
      >
        ${kind.toUpperCase()}
      </button>`;
    return html`<div class="row">
      <span class="quiet small">${this.t("download")}</span>
      ${one("csv")} ${one("json")} ${this.ipc ? one("arrow") : nothing}
    </div>`;
  }

  async #save(kind: Kept): Promise<void> {
    if (!this.read) return;
    try {
      if (kind === "arrow") {
        if (this.ipc) save(this.name, kind, [new Uint8Array(await this.ipc())]);
        return;
      }
      save(this.name, kind, await (kind === "csv" ? csvOf(this.read) : jsonOf(this.read)));
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  #table({ columns, rows }: Page): unknown {
    const about = columns.map((name) => this.columns.find((column) => column.name === name));
    const right = columns.map((_, i) => {
      const kind = about[i]?.kind;
      return kind ? NUMERIC.has(kind) : rows.every((row) => isNumber(row[i]));
    });
    return html`<table part="table" data-testid="table">
      <thead>
        <tr>
          ${columns.map(
            (name, i) =>
              html`<th scope="col" class=${right[i] ? "num" : ""}>
                ${name}${
                  about[i]?.unit ? html` <span class="quiet">${about[i].unit}</span>` : nothing
                }
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row, i) => this.#row(columns, row, this.offset + i, right))}
      </tbody>
    </table>`;
  }

  #row(columns: string[], row: unknown[], at: number, right: boolean[]): unknown {
    const cells = row.map((value, i) => this.#cell(value, right[i] ?? false));
    const current = at === this.marked || at === this.chosen ? "true" : nothing;
    if (!this.choosable)
      return html`<tr aria-current=${current}>
        ${cells}
      </tr>`;
    const choose = () => {
      this.chosen = at;
      this.dispatchEvent(new CustomEvent<Choice>("rows-choose", { detail: { columns, row } }));
    };
    return html`<tr
      class="choice"
      tabindex="0"
      data-testid="choice"
      aria-current=${current}
      @click=${choose}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      }}
    >
      ${cells}
    </tr>`;
  }

  #cell(value: unknown, right: boolean): unknown {
    if (value === null || value === undefined) {
      return html`<td class="none ${right ? "num" : ""}" title=${this.t("null")}>–</td>`;
    }
    const shown = cellText(value);
    const exact = exactText(value);
    // Long texts wrap; dates, names and numbers stay on one line.
    const kind = right ? "num" : shown.length > 32 ? "long" : "";
    return html`<td class=${kind} title=${shown === exact ? nothing : exact}>${shown}</td>`;
  }
}
