// The current cell and the rectangle that is selected. Row -1 is the row of the headings.

/** Keys that move. */
export type Move =
  | "ArrowUp"
  | "ArrowDown"
  | "ArrowLeft"
  | "ArrowRight"
  | "Home"
  | "End"
  | "PageUp"
  | "PageDown"
  | "a"
  | "A"
  | "ф"
  | "Ф"
  | "Escape";

/** A rectangle of cells; the ends are not included. */
export interface Area {
  rows: [from: number, to: number];
  columns: [from: number, to: number];
}

export class Selection {
  row: number;
  column = 0;
  #anchor: { row: number; column: number };

  constructor(
    private readonly rows: number,
    private readonly columns: number,
  ) {
    this.row = rows > 0 ? 0 : -1;
    this.#anchor = { row: this.row, column: 0 };
  }

  /** The cells that are selected; none while a heading is the current cell. */
  get area(): Area | undefined {
    if (this.row < 0) return undefined;
    const { row, column } = this.#anchor;
    return {
      rows: [Math.min(row, this.row), Math.max(row, this.row) + 1],
      columns: [Math.min(column, this.column), Math.max(column, this.column) + 1],
    };
  }

  /** Whether more than the current cell is selected. */
  get extended(): boolean {
    return this.row >= 0 && (this.#anchor.row !== this.row || this.#anchor.column !== this.column);
  }

  isAt(row: number, column: number): boolean {
    return row === this.row && column === this.column;
  }

  has(row: number, column: number): boolean {
    if (this.row < 0) return false;
    const a = this.#anchor;
    const inRows =
      a.row <= this.row ? row >= a.row && row <= this.row : row >= this.row && row <= a.row;
    return (
      inRows &&
      (a.column <= this.column
        ? column >= a.column && column <= this.column
        : column >= this.column && column <= a.column)
    );
  }

  /** Goes to a cell; `extend` keeps the other end of the selection where it was. */
  to(row: number, column: number, extend: boolean): void {
    this.row = row;
    this.column = column;
    if (!extend || this.#anchor.row < 0 || row < 0) this.#anchor = { row, column };
  }

  /** What a key does; whether it was one that moves. */
  move(key: Move, how: { command: boolean; extend: boolean; page: number }): boolean {
    const { command, extend, page } = how;
    const [lastRow, lastColumn] = [this.rows - 1, this.columns - 1];
    let { row, column } = this;
    switch (key) {
      case "ArrowUp":
        row = command ? Math.min(row, 0) : row - 1;
        break;
      case "ArrowDown":
        row = command ? lastRow : row + 1;
        break;
      case "ArrowLeft":
        column = command ? 0 : column - 1;
        break;
      case "ArrowRight":
        column = command ? lastColumn : column + 1;
        break;
      case "Home":
        column = 0;
        if (command) row = 0;
        break;
      case "End":
        column = lastColumn;
        if (command) row = lastRow;
        break;
      case "PageUp":
        row = Math.max(0, row - page);
        break;
      case "PageDown":
        row += page;
        break;
      case "Escape":
        if (!this.extended) return false;
        break;
      default:
        // Select all, on an English and on a Russian keyboard.
        if (!command || !/^[aф]$/i.test(key) || this.rows === 0) return false;
        this.#anchor = { row: 0, column: 0 };
        this.row = lastRow;
        this.column = lastColumn;
        return true;
    }
    row = Math.max(extend && this.row >= 0 ? 0 : -1, Math.min(row, lastRow));
    this.to(row, Math.max(0, Math.min(column, lastColumn)), extend && key !== "Escape");
    return true;
  }
}
