// How wide the columns are, and which of them are in sight.

import type { ColumnInfo } from "../../types.js";
import { isNumeric } from "./format.js";

const NARROWEST = 48;
const WIDEST = 340;
/** Of what is in sight, and in pixels, what a column may take in a narrow table. */
const PART = 0.45;
const NARROW = 120;
/** Padding, and room for the arrow of the order. */
const AROUND = 22;
const ARROW = 16;
/** Kinds beside numbers whose values are seen whole. */
const WHOLE = new Set<string>(["date", "timestamp"]);
/** Before rows are there. */
const GUESS = 110;

export class Widths {
  /** Where each column begins; one more is where the last ends. */
  #starts: number[] = [0];
  readonly #widths: number[];
  /** Those that the person set. */
  readonly #own = new Set<number>();
  /** Those that were measured. */
  readonly #known = new Set<number>();
  /**
   * The most that a column of texts takes by itself, and any by its heading: of a narrow table less, so
   * that two are in sight. A moment or a number that is cut may be taken for another.
   */
  #most = WIDEST;
  #context: CanvasRenderingContext2D | null | undefined;
  /** Changes with every width: cells that were placed before are placed anew. */
  #turn = 0;
  readonly #placed = new WeakMap<HTMLElement, string>();

  constructor(
    private readonly columns: ColumnInfo[],
    private readonly style: CSSStyleDeclaration,
  ) {
    this.#widths = columns.map(() => GUESS);
    this.#sum();
  }

  get total(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** Says how wide what is in sight is. */
  room(width: number): void {
    this.#most = Math.max(NARROW, Math.min(WIDEST, Math.floor(width * PART)));
  }

  width(column: number): number {
    return this.#widths[column] ?? GUESS;
  }

  /** Where a column begins and ends. */
  span(column: number): [from: number, to: number] {
    const from = this.#starts[column] ?? 0;
    return [from, from + this.width(column)];
  }

  set(column: number, width: number): void {
    if (column >= this.#widths.length) return;
    this.#own.add(column);
    this.#widths[column] = Math.max(NARROWEST, Math.min(width, 2000));
    this.#sum();
  }

  /** Widths for the headings and these texts; what was wide enough before stays so. */
  measure(first: number, end: number, texts: (column: number) => string[]): boolean {
    this.#context ??= document.createElement("canvas").getContext("2d");
    const context = this.#context;
    // The shorthand `font` is empty where digits are tabular: it cannot say that.
    const { fontSize, fontFamily } = this.style;
    const size = (text: string, weight = 400): number => {
      if (!context) return text.length * 8;
      context.font = `${weight} ${fontSize} ${fontFamily}`;
      return context.measureText(text).width;
    };
    let changed = false;
    for (let i = first; i < end; i += 1) {
      const about = this.columns[i];
      if (!about || this.#own.has(i)) continue;
      const { name, label, unit, kind } = about;
      const head =
        size(`${label ?? name}${unit ? ", " : ""}`, 600) + (unit ? size(unit) + 6 : 0) + ARROW;
      const around = (wide: number, most: number): number =>
        Math.min(Math.ceil(wide) + AROUND, most);
      const widest = texts(i).reduce((most, text) => Math.max(most, size(text)), 0);
      const most = isNumeric(kind) || WHOLE.has(kind) ? WIDEST : this.#most;
      const fitting = Math.max(NARROWEST, around(head, this.#most), around(widest, most));
      const width = this.#known.has(i) ? Math.max(this.width(i), fitting) : fitting;
      this.#known.add(i);
      if (width === this.#widths[i]) continue;
      this.#widths[i] = width;
      changed = true;
    }
    if (changed) this.#sum();
    return changed;
  }

  /** The columns between two places: the first, and the one after the last. */
  within(from: number, to: number): [first: number, end: number] {
    const first = this.at(from) ?? 0;
    let end = first;
    while (end < this.#widths.length && (this.#starts[end] ?? 0) < to) end += 1;
    return [first, end];
  }

  /** The column at a place. */
  at(x: number): number | undefined {
    if (x < 0 || x >= this.total) return undefined;
    let low = 0;
    let high = this.#widths.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= x) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Whether a cell stands where its column is. */
  same(element: HTMLElement, column: number): boolean {
    return this.#placed.get(element) === `${this.#turn} ${column}`;
  }

  place(element: HTMLElement, column: number): void {
    if (this.same(element, column)) return;
    this.#placed.set(element, `${this.#turn} ${column}`);
    const [from, to] = this.span(column);
    element.style.left = `${from}px`;
    element.style.width = `${to - from}px`;
  }

  #sum(): void {
    this.#turn += 1;
    this.#starts = [0];
    for (const width of this.#widths) this.#starts.push(this.total + width);
  }
}
