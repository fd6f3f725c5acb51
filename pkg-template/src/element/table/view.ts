// <pinhole-table>: the rows of a result, with sorting, copying, downloads, raw JSON, and the filter
// for the page.

import { type PropertyValues, html, nothing } from "lit";
import type { Pinhole } from "../../index.js";
import type { Result } from "../../result.js";
import type { Locale } from "../../types.js";
import { PinholeElement, SHARED } from "../base.js";
import { giveFile } from "../download.js";
import { errorCard, failureOf, isCancel } from "../errors.js";
import { fileName } from "../file-name.js";
import { type Head, headText, headsOf } from "../heads.js";
import { PART_STYLES, TOKENS } from "../styles.js";
import type { Shown } from "../types.js";
import { Cells } from "./cells.js";
import { type Behind, filterDetail, filterLabel } from "./filter.js";
import { CellFormat, isList } from "./format.js";
import { Grid, type GridPort } from "./grid.js";
import { type Raw, inFull, rawView, readRaw } from "./raw.js";
import { type RowSource, batches, inMemory, openRows } from "./rows.js";
import { type FileKind, asObject, endingOf, fileOf, tabbed } from "./save.js";
import type { Selection } from "./selection.js";
import { type Direction, IN_PAGE, sortRows, sorted } from "./sort.js";
import { GRID } from "./styles.js";
import { type Work, formatName, toolbar, working } from "./toolbar.js";

/** Cells that are copied at most. */
const COPIED = 100_000;

export class TableView extends PinholeElement {
  static override properties = {
    ...SHARED,
    result: { attribute: false },
    ph: { attribute: false },
    name: {},
    asked: { attribute: false },
    source: { state: true },
    order: { state: true },
    failure: { state: true },
    work: { state: true },
    raw: { state: true },
    said: { state: true },
  };
  static override styles = [TOKENS, PART_STYLES, GRID];

  declare result: Shown | undefined;
  declare ph: Pinhole | undefined;
  declare name: string | undefined;
  /** The question that the rows answer, and what else is in a file's name. */
  declare asked: [question: string, ...parts: string[]] | undefined;
  /** The rows as they are shown. */
  declare private source: RowSource | undefined;
  declare private order: { column: number; direction: Direction } | undefined;
  declare private failure: unknown;
  declare private work: Work | undefined;
  /** The raw view, from this row. */
  declare private raw: Raw | undefined;
  declare private said: string;
  /** The rows as they were given. */
  #given: RowSource | undefined;
  /** The result that holds the rows in the chosen order. */
  #sorted: Result | undefined;
  /** The order that was asked for last, until it is there or given up. */
  #ordering: { column: number; direction: Direction | undefined } | undefined;
  /** The order to begin in. */
  #wish: { column: string; direction: Direction } | undefined;
  /** Those that the grid shows now. */
  #cells: Cells | undefined;
  /** The columns as they are called in the language. */
  #heads: Head[] = [];
  #grid: Grid | undefined;
  /** What the grid was made of. */
  #made: { given: RowSource | undefined; locale: Locale } | undefined;
  #format = new CellFormat("en");
  #turn = 0;
  /** Whether the current row is one that was chosen. */
  #moved = false;
  /** The row that the page has heard of last. */
  #told: number | undefined;
  /** The row to go to when the rows are there. */
  #goal: number | undefined;

  constructor() {
    super();
    this.said = "";
  }

  goTo(row: number): void {
    this.#goal = row;
    // Rows that were just given are there after the update.
    if (!this.isUpdatePending) this.#reach();
  }

  #reach(): void {
    if (!this.#grid || this.#goal === undefined) return;
    this.#grid.goTo(this.#goal);
    this.#goal = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.source && !this.#grid) this.requestUpdate("source");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.work?.stop.abort();
    this.#closeGrid();
    // Where it comes back, it shows the rows as they were given.
    this.#dropSorted();
    this.order = undefined;
    this.source = this.#given;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.#format.locale !== this.language) this.#format = new CellFormat(this.language);
    if (changed.has("result")) void this.#open();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("source") || changed.has("raw")) this.#showGrid();
    else if (changed.has("locale")) this.#renew();
    else if (changed.has("order") || changed.has("ph")) this.#grid?.refresh();
    this.#reach();
  }

  async #open(): Promise<void> {
    const turn = ++this.#turn;
    this.work?.stop.abort();
    this.work = undefined;
    this.#given = undefined;
    this.source = undefined;
    this.order = undefined;
    this.raw = undefined;
    this.failure = undefined;
    this.said = "";
    this.#ordering = undefined;
    this.#dropSorted();
    if (!this.result) return;
    try {
      const source = await openRows(this.result);
      if (turn !== this.#turn) return;
      this.#given = source;
      this.source = source;
      const { column, direction } = this.#wish ?? {};
      if (column !== undefined && direction) this.sortBy(column, direction);
    } catch (error) {
      if (turn === this.#turn) this.failure = error;
    }
  }

  #dropSorted(): void {
    const old = this.#sorted;
    this.#sorted = undefined;
    // The engine may be gone, and the result with it.
    if (old) old.release().catch(() => undefined);
  }

  #closeGrid(): void {
    this.#grid?.close();
    this.#cells?.rows.close();
    this.#grid = undefined;
    this.#cells = undefined;
  }

  /** The grid in another language, with the same row as the current one. */
  #renew(): void {
    const { row = -1 } = this.#grid?.selection ?? {};
    const told = this.#told;
    const moved = this.#moved;
    this.#showGrid();
    if (row < 0 || !moved) return;
    this.#told = told;
    this.#grid?.goTo(row);
  }

  #showGrid(): void {
    const made = { given: this.#given, locale: this.language };
    const before = this.#grid;
    const again = this.#made?.given === made.given && this.#made?.locale === made.locale;
    this.#made = made;
    this.#closeGrid();
    this.#moved = false;
    this.#told = undefined;
    const { source } = this;
    const view = this.renderRoot.querySelector<HTMLElement>(".view");
    if (!source || !view) return;
    const { result } = this;
    const query = result && "metadata" in result ? result.query : undefined;
    const heads = headsOf(this.language, source.columns, query);
    const cells = new Cells(source, heads, this.#format, (error) => {
      if (error !== undefined) this.failure = error;
      this.#grid?.refresh();
      this.#detail();
      if (this.#moved) this.#tellRow();
    });
    this.#heads = heads;
    this.#cells = cells;
    const moved = (): void => {
      this.said = "";
      this.#moved = true;
      this.#detail();
      this.#tellRow();
      this.requestUpdate();
    };
    const port: GridPort = {
      columns: heads,
      total: source.total,
      cell: (row, column) => cells.cell(row, column),
      want: (from, to) => {
        cells.rows.want(from, to);
      },
      order: (column) => this.#orderOf(column),
      sort: (column) => void this.#sort(column),
      moved,
      // The cell that the grid begins at is no choice before this.
      chosen: moved,
    };
    this.#grid = new Grid(view, port, again ? before : undefined);
    if (before) {
      this.#grid.selection.column = Math.min(before.selection.column, source.columns.length - 1);
    }
    this.#grid.refresh();
    this.#detail();
  }

  #orderOf(column: number): { sort: Direction | undefined; can: boolean; hint: string } {
    const about = this.source?.columns[column];
    const name = about?.name ?? "";
    const can = !isList(about?.kind ?? "") && this.#canSort(name);
    return {
      sort: this.order?.column === column ? this.order.direction : undefined,
      can,
      hint: this.#hint(column, can),
    };
  }

  /** What a press on a head does, and what the engine calls the column where that is another name. */
  #hint(column: number, can: boolean): string {
    const { name } = this.#heads[column] ?? { name: "" };
    const called = this.#called(column);
    const hint = can ? this.t("sort_hint", { column: called }) : this.t("sort_not");
    return called === name ? hint : `${hint} · ${name}`;
  }

  #called(column: number): string {
    const head = this.#heads[column];
    return head ? headText(head) : "";
  }

  #canSort(column: string): boolean {
    const total = this.#given?.total ?? 0;
    if (total < 2) return false;
    return total <= IN_PAGE || this.#queryIn(column, "asc") !== undefined;
  }

  #queryIn(column: string, direction: Direction): ReturnType<typeof sorted> {
    const { result } = this;
    return this.ph && result && "metadata" in result && result.table
      ? sorted(result.query, column, direction)
      : undefined;
  }

  /** Sorts by a column, once the rows are there: for whoever showed them in that order before. */
  sortBy(column: string, direction: Direction): void {
    const at = this.#given?.columns.findIndex(({ name }) => name === column);
    this.#wish = at === undefined ? { column, direction } : undefined;
    if (at !== undefined && at >= 0) void this.#sortIn(at, direction);
  }

  async #sort(column: number): Promise<void> {
    // A second press counts from the first, also while that one is still under way.
    const last = this.#ordering ?? this.order;
    const now = last?.column === column ? last.direction : undefined;
    await this.#sortIn(column, now === undefined ? "asc" : now === "asc" ? "desc" : undefined);
  }

  async #sortIn(column: number, direction: Direction | undefined): Promise<void> {
    const given = this.#given;
    const about = given?.columns[column];
    if (!given || !about || !this.#canSort(about.name)) return;
    const ordering = { column, direction };
    this.#ordering = ordering;
    const label = this.t("sorting", { column: this.#called(column) });
    await this.#during(label, async (work) => {
      let source = given;
      let made: Result | undefined;
      if (direction) {
        // The engine knows more of the order than the texts do: Monday comes before Friday.
        const query = this.#queryIn(about.name, direction);
        if (query && this.ph) {
          const { signal } = work.stop;
          made = await this.ph.query(query, { signal });
          source = { ...(await openRows(made)), columns: given.columns };
        } else {
          const rows: unknown[][] = [];
          for await (const some of batches(given, work.stop.signal)) rows.push(...some);
          source = inMemory(given.columns, sortRows(rows, column, about, direction));
          source.arrow = undefined;
        }
      }
      if (work.stop.signal.aborted) {
        void made?.release();
        return;
      }
      this.#dropSorted();
      this.#sorted = made;
      this.order = direction ? { column, direction } : undefined;
      this.source = source;
      this.raw = undefined;
      this.tell("pinhole-sort", { column: about.name, direction });
    });
    if (this.#ordering === ordering) this.#ordering = undefined;
  }

  /** Runs something that takes time; a cancel and a failure end it. */
  async #during(label: string, run: (work: Work) => Promise<void>): Promise<void> {
    this.work?.stop.abort();
    const work: Work = { label, stop: new AbortController() };
    this.work = work;
    this.failure = undefined;
    this.said = "";
    try {
      await run(work);
    } catch (error) {
      if (!isCancel(failureOf(error)) && this.work === work) this.failure = error;
    } finally {
      if (this.work === work) this.work = undefined;
    }
  }

  async #save(kind: FileKind): Promise<void> {
    const { source } = this;
    if (!source) return;
    const format = formatName(this.language, kind);
    const told = (done: number): string =>
      this.t("writing", {
        format,
        done: this.#format.count(done),
        total: this.#format.count(source.total),
      });
    await this.#during(told(0), async (work) => {
      const file = await fileOf(
        source,
        kind,
        (done) => {
          if (this.work !== work) return;
          work.label = told(done);
          work.part = source.total === 0 ? 1 : done / source.total;
          this.requestUpdate();
        },
        work.stop.signal,
        { locale: this.language, heads: this.#heads },
      );
      giveFile(`${this.#fileName}${endingOf(kind)}`, file);
    });
  }

  get #fileName(): string {
    const { result } = this;
    const asked = fileName(...(this.asked ?? [""]));
    return this.name ?? (asked || (result && "metadata" in result ? result.id : "rows"));
  }

  async #copy(): Promise<void> {
    const area = this.#grid?.selection.area;
    const { source } = this;
    if (!area || !source) return;
    const rows = area.rows[1] - area.rows[0];
    const cells = rows * (area.columns[1] - area.columns[0]);
    if (cells > COPIED) {
      this.said = this.t("copy_too_much", { cells: this.#format.count(COPIED) });
      return;
    }
    await this.#during(this.t("reading"), async () => {
      const read = await source.read(area.rows[0], rows);
      await navigator.clipboard.writeText(tabbed(source.columns, read, area.columns));
      this.said = this.t("copied_cells", { cells: this.#format.count(cells) });
    });
  }

  /** Copies at once what is there; what is not is read first. */
  #onCopy(event: ClipboardEvent): void {
    const area = this.#grid?.selection.area;
    const { source } = this;
    if (!area || !source || !event.clipboardData) return;
    event.preventDefault();
    const cells = (area.rows[1] - area.rows[0]) * (area.columns[1] - area.columns[0]);
    const rows: unknown[][] = [];
    for (let row = area.rows[0]; row < area.rows[1] && cells <= COPIED; row += 1) {
      const values = this.#cells?.rows.row(row);
      if (!values) break;
      rows.push(values);
    }
    if (rows.length < area.rows[1] - area.rows[0]) {
      void this.#copy();
      return;
    }
    event.clipboardData.setData("text/plain", tabbed(source.columns, rows, area.columns));
    this.said = this.t("copied_cells", { cells: this.#format.count(cells) });
  }

  async #showRaw(from: number): Promise<void> {
    const { source } = this;
    if (!source) return;
    await this.#during(this.t("reading"), async () => {
      this.raw = await readRaw(source, from);
    });
  }

  #toggleRaw(): void {
    if (this.raw) this.raw = undefined;
    else void this.#showRaw(this.#grid?.inSight[0] ?? 0);
  }

  /** What the rows are of, in the order in which they are shown; none where the page sorted them. */
  get #behind(): Behind | undefined {
    const { ph, result, order } = this;
    const of = order ? this.#sorted : result;
    return ph && of && "metadata" in of ? { ph, result: of } : undefined;
  }

  /** What the person selected; the cell that the grid begins at is no choice. */
  get #chosen(): Selection | undefined {
    return this.#moved ? this.#grid?.selection : undefined;
  }

  #filter(): void {
    const { result, source } = this;
    if (!result || !source) return;
    const selection = this.#chosen;
    void this.#during(this.t("reading"), async () => {
      const detail = await filterDetail(result, source, selection, this.#behind);
      this.tell("pinhole-filter", detail);
      this.said = this.t("filtered");
    });
  }

  /** Tells the page which row is the current one, as soon as it is there. */
  #tellRow(): void {
    const row = this.#grid?.selection.row ?? -1;
    const cells = row === this.#told ? undefined : this.#cells?.rows.row(row);
    if (!this.source || !cells) return;
    this.#told = row;
    const names = this.source.columns.map(({ name }) => name);
    this.tell("pinhole-row", { row, values: asObject(names, cells) });
  }

  /** The line below the grid: where the current cell is, and its value in full. */
  #detail(): void {
    const where = this.renderRoot.querySelector(".where");
    const what = this.renderRoot.querySelector(".what");
    const { source } = this;
    const selection = this.#grid?.selection;
    if (!where || !what || !source || !selection) return;
    const column = source.columns[selection.column];
    what.className = "what";
    what.textContent = "";
    if (selection.row < 0 || !column) {
      where.textContent = this.#called(selection.column);
      return;
    }
    const total = this.#format.count(source.total);
    const row = this.#format.count(selection.row + 1);
    const values = this.#cells?.rows.row(selection.row);
    where.textContent = `${this.t("place", { row, total })} · ${this.#called(selection.column)}`;
    if (!values) return;
    const value = values[selection.column];
    if (value === null || value === undefined) {
      what.classList.add("none");
      what.textContent = "null";
      return;
    }
    what.textContent = inFull(this.#format, value, column);
  }

  protected override render(): unknown {
    const { source, failure } = this;
    const retry = html`<button
      type="button"
      @click=${() => {
        this.failure = undefined;
        if (this.#cells) this.#cells.rows.retry();
        else void this.#open();
      }}
    >
      ${this.t("again")}
    </button>`;
    return html`${source ? this.#bar(source) : nothing}
      ${failure === undefined ? nothing : errorCard(this.language, failureOf(failure), { actions: retry })}
      ${source ? this.#rows(source) : this.#nothing()}
      <div class="said small quiet" role="status" data-testid="said">
        ${this.work ? this.#working(this.work) : this.said}
      </div>`;
  }

  #nothing(): unknown {
    if (this.failure !== undefined) return nothing;
    return html`<div class="empty quiet">${this.t(this.result ? "reading" : "no_result")}</div>`;
  }

  #bar(source: RowSource): unknown {
    const { result } = this;
    return toolbar(source, {
      format: this.#format,
      filter: result && filterLabel(this.language, this.#format, result, source, this.#chosen),
      busy: this.work !== undefined,
      raw: this.raw !== undefined,
      pressed: (button) => {
        if (button === "filter") this.#filter();
        else if (button === "copy") void this.#copy();
        else this.#toggleRaw();
      },
      save: (kind) => void this.#save(kind),
    });
  }

  #rows(source: RowSource): unknown {
    if (this.raw) {
      return rawView(this.#format, this.raw, source.total, (from) => void this.#showRaw(from));
    }
    return html`<div class="frame ${source.total === 0 ? "none" : ""}" part="frame">
        <div
          class="view"
          part="grid"
          role="grid"
          tabindex="0"
          aria-label=${this.t("grid")}
          aria-multiselectable="true"
          aria-readonly="true"
          data-testid="grid"
          @copy=${(event: ClipboardEvent) => {
            this.#onCopy(event);
          }}
        ></div>
        ${
          source.total > 0
            ? nothing
            : html`<div class="empty" data-testid="empty">
                <strong>${this.t("no_rows")}</strong>
                <span class="quiet small">${this.#why}</span>
              </div>`
        }
      </div>
      ${
        source.total === 0
          ? nothing
          : html`<div
              class="detail"
              part="detail"
              tabindex="0"
              role="group"
              aria-label=${this.t("value")}
            >
              <span class="where"></span><span class="what" data-testid="value"></span>
            </div>`
      }`;
  }

  /** Why a result has no rows. */
  get #why(): string {
    const { result } = this;
    if (!result || !("metadata" in result)) return "";
    return this.t(result.metadata.rows_scanned === 0 ? "no_rows_table" : "no_rows_hint");
  }

  #working(work: Work): unknown {
    return working(this.language, work, () => {
      work.stop.abort();
      if (this.work === work) this.work = undefined;
    });
  }
}
