// The virtual grid: only the rows and columns in sight are elements, and they are used again while
// scrolling. What the browser scrolls is a box of bounded height; where the table is taller, small
// moves go by pixels and large ones by share, so that every row of any table can be reached.

import type { ColumnInfo } from "../../types.js";
import { isNumeric } from "./format.js";
import { type Move, Selection } from "./selection.js";
import { Widths } from "./widths.js";

const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 32;
/** The height of a scroll bar. */
const BAR = 18;
/** Of what is in sight, the most that a first column takes which stays there. */
const PINNED = 0.5;
/** The tallest box that browsers scroll exactly. */
const TALLEST = 8_000_000;

/** How a cell is shown. */
export interface CellText {
  text: string;
  none: boolean;
}

/** What the grid asks and tells. */
export interface GridPort {
  readonly columns: ColumnInfo[];
  readonly total: number;
  /** A cell, where its row is there. */
  cell(row: number, column: number): CellText | undefined;
  /** Rows that are in sight. */
  want(from: number, to: number): void;
  /** The order of a column, and whether it can be asked for. */
  order(column: number): { sort: "asc" | "desc" | undefined; can: boolean; hint: string };
  sort(column: number): void;
  /** The current cell or the selection has changed. */
  moved(): void;
  /** Enter on a cell. */
  chosen?(): void;
}

interface Slot {
  row: HTMLElement;
  cells: { element: HTMLElement; column: number; text: string; look: string }[];
}

export class Grid {
  readonly selection: Selection;
  readonly #port: GridPort;
  readonly #widths: Widths;
  readonly #box = part("size");
  readonly #pane = part("pane");
  readonly #head = part("head", "rowgroup");
  readonly #headRow = part("head-row", "row");
  readonly #body = part("body", "rowgroup");
  readonly #slots: Slot[] = [];
  #heads: { element: HTMLElement; column: number }[] = [];
  readonly #watch: ResizeObserver;
  readonly #stop = new AbortController();
  /** The pixel of the whole table that is at the top. */
  #top = 0;
  /** Where the browser had scrolled to when the top was last set. */
  #scrolled = 0;
  /** Stands for `scrollend` where a browser has none. */
  #still: ReturnType<typeof setTimeout> | undefined;
  #width = 0;
  #height = 0;
  /** How far to the right the first column was last told to stand. */
  #pinnedAt = 0;
  #measured = false;
  /** How far to the right it was scrolled when it closed. */
  #left = 0;

  /** `before` had the same rows in another order: its columns are as wide here. */
  constructor(
    private readonly view: HTMLElement,
    port: GridPort,
    before?: Grid,
  ) {
    this.#port = port;
    this.#widths = before ? before.#widths : new Widths(port.columns, getComputedStyle(view));
    this.selection = new Selection(port.total, port.columns.length);
    this.#head.append(this.#headRow);
    this.#headRow.setAttribute("aria-rowindex", "1");
    this.#pane.append(this.#head, this.#body);
    this.#box.append(this.#pane);
    view.replaceChildren(this.#box);
    view.setAttribute("aria-rowcount", String(port.total + 1));
    view.setAttribute("aria-colcount", String(port.columns.length));
    const { signal } = this.#stop;
    view.addEventListener(
      "scroll",
      () => {
        this.#scroll();
      },
      { signal },
    );
    view.addEventListener(
      "scrollend",
      () => {
        this.#settle();
      },
      { signal },
    );
    view.addEventListener(
      "keydown",
      (event) => {
        this.#key(event);
      },
      { signal },
    );
    view.addEventListener(
      "pointerdown",
      (event) => {
        this.#press(event);
      },
      { signal },
    );
    this.#watch = new ResizeObserver(() => {
      this.#resize();
    });
    this.#watch.observe(view);
    view.scrollTop = 0;
    view.scrollLeft = 0;
    this.#resize();
    // The first rows of the order are what one looks for in it, in the column that one looked at.
    view.scrollLeft = before ? before.#left : 0;
  }

  close(): void {
    this.#left = this.view.scrollLeft;
    this.#stop.abort();
    this.#watch.disconnect();
    clearTimeout(this.#still);
    this.view.replaceChildren();
    this.view.removeAttribute("aria-activedescendant");
  }

  /** Rows have come, or the order has changed. */
  refresh(): void {
    if (this.#fit()) this.#layOut();
    this.#draw();
  }

  /** Makes a row the current one. */
  goTo(row: number): void {
    this.selection.to(
      Math.max(0, Math.min(row, this.#port.total - 1)),
      this.selection.column,
      false,
    );
    this.#reveal();
  }

  /** The rows in sight: the first, and the one after the last. */
  get inSight(): [from: number, to: number] {
    const from = Math.floor(this.#top / ROW_HEIGHT);
    const to = Math.ceil((this.#top + this.#bodyHeight) / ROW_HEIGHT);
    return [Math.min(from, this.#port.total), Math.min(to, this.#port.total)];
  }

  /** How much of the sight the first column takes that stays there while the others scroll. */
  get #pin(): number {
    const width = this.#widths.width(0);
    const scrolls = this.#port.columns.length > 1 && this.#widths.total > this.#width;
    return scrolls && width <= this.#width * PINNED ? width : 0;
  }

  /** Makes columns wide enough for what is in sight; whether one has changed. */
  #fit(): boolean {
    const [from, to] = this.inSight;
    const { columns } = this.#port;
    if (to > from && this.#port.cell(from, 0) === undefined) return false;
    const [first, end] = this.#measured
      ? this.#widths.within(this.view.scrollLeft, this.view.scrollLeft + this.#width)
      : [0, columns.length];
    this.#measured = true;
    const texts = (column: number): string[] => {
      const found: string[] = [];
      for (let row = from; row < to; row += 1) {
        const cell = this.#port.cell(row, column);
        if (cell) found.push(cell.text);
      }
      return found;
    };
    const pinned = first > 0 && this.#pin > 0 && this.#widths.measure(0, 1, texts);
    return this.#widths.measure(first, end, texts) || pinned;
  }

  get #bodyHeight(): number {
    return Math.max(0, this.#height - HEAD_HEIGHT);
  }

  /** How far the table goes beyond what is in sight. */
  get #beyond(): number {
    return Math.max(0, this.#port.total * ROW_HEIGHT - this.#bodyHeight);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.view;
    if (clientWidth === this.#width && clientHeight === this.#height) return;
    this.#width = clientWidth;
    this.#height = clientHeight;
    this.#widths.room(clientWidth);
    this.#layOut();
    this.#draw();
  }

  #layOut(): void {
    const full = HEAD_HEIGHT + this.#port.total * ROW_HEIGHT;
    // Below the rows there is room for a scroll bar, where columns are out of sight.
    const bar = this.#widths.total > this.#width ? BAR : 0;
    this.view.style.setProperty("--_content", `${full + bar}px`);
    this.#box.style.height = `${Math.max(Math.min(TALLEST, full), 1)}px`;
    this.#box.style.width = `${Math.max(this.#widths.total, 1)}px`;
    this.#pane.style.width = `${this.#width}px`;
    this.#pane.style.height = `${this.#height}px`;
    this.#top = Math.min(this.#top, this.#beyond);
    this.#settle();
  }

  /** The browser has scrolled. */
  #scroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.view;
    const room = scrollHeight - clientHeight;
    const moved = scrollTop - this.#scrolled;
    if (!("onscrollend" in window)) {
      clearTimeout(this.#still);
      this.#still = setTimeout(() => {
        this.#settle();
      }, 150);
    }
    this.#scrolled = scrollTop;
    if (moved !== 0) {
      const exact = this.#beyond <= room + 1;
      if (exact) this.#top = scrollTop;
      else if (scrollTop <= 0) this.#top = 0;
      else if (scrollTop >= room - 1) this.#top = this.#beyond;
      else if (Math.abs(moved) < this.#height) this.#top += moved;
      else this.#top = (scrollTop / room) * this.#beyond;
      this.#top = Math.max(0, Math.min(this.#top, this.#beyond));
    }
    this.#draw();
  }

  /** The scroll bar goes where the rows are. */
  #settle(): void {
    const room = this.view.scrollHeight - this.view.clientHeight;
    const beyond = this.#beyond;
    if (beyond <= room + 1) {
      if (Math.abs(this.view.scrollTop - this.#top) >= 1) this.view.scrollTop = this.#top;
    } else {
      const share = beyond === 0 ? 0 : this.#top / beyond;
      // The ends themselves are kept for the first and the last row.
      const inner = Math.max(2, Math.min(room - 2, share * room));
      this.view.scrollTop = this.#top <= 0 ? 0 : this.#top >= beyond ? room : inner;
    }
    this.#scrolled = this.view.scrollTop;
  }

  #draw(): void {
    const { columns, total } = this.#port;
    const left = this.view.scrollLeft;
    this.view.classList.toggle("more", left + this.#width < this.#widths.total - 1);
    const shown = this.#inView(left);
    this.#drawHead(shown, left);
    const first = Math.min(Math.floor(this.#top / ROW_HEIGHT), Math.max(0, total - 1));
    const count = Math.min(Math.ceil(this.#bodyHeight / ROW_HEIGHT) + 1, total - first);
    while (this.#slots.length > Math.max(count, 0)) this.#slots.pop()?.row.remove();
    this.#port.want(first, first + Math.max(count, 0));
    let current: HTMLElement | undefined;
    for (let i = 0; i < count; i += 1) {
      const row = first + i;
      const slot = (this.#slots[i] ??= this.#slot());
      const y = row * ROW_HEIGHT - this.#top;
      slot.row.style.transform = `translate(${-left}px, ${y}px)`;
      slot.row.setAttribute("aria-rowindex", String(row + 2));
      slot.row.style.width = `${Math.max(this.#widths.total, this.#width)}px`;
      slot.row.classList.toggle("odd", row % 2 === 1);
      for (const [at, column] of shown.entries()) {
        const cell = this.#drawCell(slot, at, row, column);
        if (this.selection.isAt(row, column)) current = cell;
      }
      while (slot.cells.length > shown.length) slot.cells.pop()?.element.remove();
    }
    if (this.selection.row === -1) {
      current = this.#heads.find(({ column }) => column === this.selection.column)?.element;
    }
    if (current && columns.length > 0) {
      this.view.setAttribute("aria-activedescendant", current.id);
    } else this.view.removeAttribute("aria-activedescendant");
  }

  /** The columns that are in sight: the first one stays there, and those below it are not. */
  #inView(left: number): number[] {
    const pin = this.#pin;
    this.#pane.classList.toggle("pinned", pin > 0 && left > 0);
    if (left !== this.#pinnedAt) this.#pane.style.setProperty("--_left", `${left}px`);
    this.#pinnedAt = left;
    const [first, end] = this.#widths.within(left + pin, left + this.#width);
    const columns = pin > 0 ? [0] : [];
    for (let column = pin > 0 ? Math.max(first, 1) : first; column < end; column += 1) {
      columns.push(column);
    }
    return columns;
  }

  #slot(): Slot {
    const row = part("row", "row");
    this.#body.append(row);
    return { row, cells: [] };
  }

  #drawCell(slot: Slot, at: number, row: number, column: number): HTMLElement {
    let cell = slot.cells[at];
    if (!cell) {
      cell = { element: part("", "gridcell"), column: -1, text: "", look: "" };
      slot.cells[at] = cell;
      slot.row.append(cell.element);
    }
    const { element } = cell;
    if (cell.column !== column || !this.#widths.same(element, column)) {
      cell.column = column;
      this.#widths.place(element, column);
      element.setAttribute("aria-colindex", String(column + 1));
    }
    const id = `cell-${row}-${column}`;
    if (element.id !== id) element.id = id;
    const shown = this.#port.cell(row, column);
    const text = shown?.text ?? "";
    if (cell.text !== text) {
      cell.text = text;
      element.textContent = text;
    }
    const numeric = isNumeric(this.#port.columns[column]?.kind ?? "");
    const selected = this.selection.has(row, column);
    const look = [
      "cell",
      column === 0 ? "first" : "",
      numeric ? "num" : "",
      shown?.none ? "none" : "",
      shown ? "" : "wait",
      selected ? "selected" : "",
      this.selection.isAt(row, column) ? "current" : "",
    ]
      .filter(Boolean)
      .join(" ");
    if (cell.look !== look) {
      cell.look = look;
      element.className = look;
      element.setAttribute("aria-selected", String(selected));
    }
    return element;
  }

  #drawHead(columns: number[], left: number): void {
    this.#headRow.style.transform = `translateX(${-left}px)`;
    this.#headRow.style.width = `${Math.max(this.#widths.total, this.#width)}px`;
    while (this.#heads.length > columns.length) this.#heads.pop()?.element.remove();
    for (const [at, column] of columns.entries()) {
      const about = this.#port.columns[column];
      if (!about) continue;
      let head = this.#heads[at];
      if (!head) {
        const element = part("", "columnheader");
        const grip = part("grip");
        element.append(part("label"), part("unit"), part("arrow"), grip);
        this.#headRow.append(element);
        head = { element, column: -1 };
        this.#heads[at] = head;
      }
      const { element } = head;
      const [label, unit, arrow] = element.children as unknown as HTMLElement[];
      head.column = column;
      element.id = `head-${column}`;
      element.dataset.column = String(column);
      this.#widths.place(element, column);
      element.setAttribute("aria-colindex", String(column + 1));
      const { sort, can, hint } = this.#port.order(column);
      if (label) label.textContent = `${about.label ?? about.name}${about.unit ? ", " : ""}`;
      if (unit) unit.textContent = about.unit ?? "";
      if (arrow) arrow.textContent = sort === "asc" ? "▲" : sort === "desc" ? "▼" : "";
      element.title = hint;
      const here = this.selection.row === -1 && this.selection.column === column;
      element.className = `cell ${column === 0 ? "first" : ""} ${
        isNumeric(about.kind) ? "num" : ""
      } ${can ? "can" : ""} ${here ? "current" : ""}`;
      if (sort) element.setAttribute("aria-sort", sort === "asc" ? "ascending" : "descending");
      else if (can) element.setAttribute("aria-sort", "none");
      else element.removeAttribute("aria-sort");
    }
  }

  /** Scrolls so that the current cell is in sight: what was `pointed` at in the first column is. */
  #reveal(pointed = false): void {
    const { row, column } = this.selection;
    if (row >= 0) {
      const y = row * ROW_HEIGHT;
      const lowest = y + ROW_HEIGHT - this.#bodyHeight;
      this.#top = Math.max(0, Math.min(Math.max(this.#top, lowest), y));
      this.#top = Math.min(this.#top, this.#beyond);
      this.#settle();
    }
    const [from, to] = this.#widths.span(column);
    const { scrollLeft } = this.view;
    const pin = this.#pin;
    const stays = pointed && pin > 0 && column === 0;
    if (from < scrollLeft + pin && !stays) this.view.scrollLeft = Math.max(0, from - pin);
    else if (to > scrollLeft + this.#width) {
      this.view.scrollLeft = Math.min(from - pin, to - this.#width);
    }
    this.#draw();
    this.#port.moved();
  }

  #key(event: KeyboardEvent): void {
    const { selection } = this;
    const command = event.ctrlKey || event.metaKey;
    if (event.altKey) {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      this.#widen(
        selection.column,
        this.#widths.width(selection.column) + (event.key === "ArrowLeft" ? -16 : 16),
      );
      return;
    }
    if ((event.key === "Enter" || event.key === " ") && !command) {
      event.preventDefault();
      if (selection.row === -1) this.#port.sort(selection.column);
      else this.#port.chosen?.();
      return;
    }
    const page = Math.max(1, Math.floor(this.#bodyHeight / ROW_HEIGHT) - 1);
    const move = selection.move(event.key as Move, { command, extend: event.shiftKey, page });
    if (!move) return;
    event.preventDefault();
    this.#reveal();
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const target = event.composedPath()[0];
    if (!(target instanceof Element)) return;
    const head = target.closest<HTMLElement>('[role="columnheader"]');
    if (head) {
      const column = Number(head.dataset.column);
      if (target.classList.contains("grip")) this.#drag(event, column);
      else this.#clickHead(event, column);
      return;
    }
    const at = this.#cellAt(event);
    if (!at || event.pointerType === "touch") {
      if (at) this.#tap(at);
      return;
    }
    this.selection.to(at.row, at.column, event.shiftKey);
    this.#reveal(true);
    const done = new AbortController();
    const { signal } = done;
    addEventListener(
      "pointermove",
      (moved) => {
        const to = this.#cellAt(moved);
        if (!to || this.selection.isAt(to.row, to.column)) return;
        this.selection.to(to.row, to.column, true);
        this.#reveal(true);
      },
      { signal },
    );
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(
        end,
        () => {
          done.abort();
        },
        { signal },
      );
    }
  }

  /** A finger that scrolls selects nothing; one that taps does. */
  #tap(at: { row: number; column: number }): void {
    const done = new AbortController();
    const { signal } = done;
    const end = (): void => {
      done.abort();
    };
    addEventListener("pointercancel", end, { signal });
    addEventListener(
      "pointerup",
      () => {
        end();
        this.selection.to(at.row, at.column, false);
        this.#reveal(true);
      },
      { signal },
    );
  }

  #clickHead(event: PointerEvent, column: number): void {
    const done = new AbortController();
    const { signal } = done;
    const { clientX } = event;
    addEventListener(
      "pointercancel",
      () => {
        done.abort();
      },
      { signal },
    );
    addEventListener(
      "pointerup",
      (up) => {
        done.abort();
        if (Math.abs(up.clientX - clientX) > 6) return;
        this.selection.to(-1, column, false);
        this.#reveal(true);
        this.#port.sort(column);
      },
      { signal },
    );
  }

  #drag(event: PointerEvent, column: number): void {
    event.preventDefault();
    const from = this.#widths.width(column) - event.clientX;
    const done = new AbortController();
    const { signal } = done;
    addEventListener(
      "pointermove",
      (moved) => {
        this.#widen(column, from + moved.clientX);
      },
      {
        signal,
      },
    );
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(
        end,
        () => {
          done.abort();
        },
        { signal },
      );
    }
  }

  #widen(column: number, width: number): void {
    this.#widths.set(column, width);
    this.#layOut();
    this.#draw();
  }

  #cellAt({ clientX, clientY }: PointerEvent): { row: number; column: number } | undefined {
    const box = this.view.getBoundingClientRect();
    const place = clientX - box.left - this.view.clientLeft;
    const x = place >= 0 && place < this.#pin ? place : place + this.view.scrollLeft;
    const y = clientY - box.top - this.view.clientTop - HEAD_HEIGHT;
    if (clientX - box.left > this.#width || clientY - box.top > this.#height) return undefined;
    const row = Math.floor((this.#top + y) / ROW_HEIGHT);
    const column = this.#widths.at(x);
    if (y < 0 || row >= this.#port.total || column === undefined) return undefined;
    return { row, column };
  }
}

function part(name: string, role?: string): HTMLElement {
  const element = document.createElement("div");
  if (name) element.className = name;
  if (role) element.setAttribute("role", role);
  return element;
}
