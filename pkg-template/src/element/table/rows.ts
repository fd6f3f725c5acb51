// Rows behind the grid: opened from whatever the page gives, read in blocks, the last ones kept.

import type { ColumnInfo, Page } from "../../types.js";
import { AS_TEXT } from "../keys.js";
import type { Shown } from "../types.js";
import { kindOf } from "./format.js";

/** Rows that a download reads at a time. */
const BATCH = 10_000;
/** Cells that one block of the grid should have. */
const CELLS = 20_000;
/** Blocks that are kept. */
const KEPT = 48;

/** Rows that can be read anywhere. */
export interface RowSource {
  readonly columns: ColumnInfo[];
  readonly total: number;
  read(offset: number, limit: number): Promise<unknown[][]>;
  arrow?: ((options: { signal: AbortSignal }) => Promise<Uint8Array>) | undefined;
}

/** What the page gave, as rows. */
export async function openRows(of: Shown): Promise<RowSource> {
  if ("metadata" in of) {
    const { table, columns, rows: total } = of;
    if (!table) {
      const values = of.values;
      const row = values ? columns.map(({ name }) => values[name]) : [of.value];
      return inMemory(columns, [row]);
    }
    return {
      columns,
      total,
      read: async (offset, limit) => (await table.page(offset, limit, AS_TEXT)).rows,
      arrow: (options) => table.toArrowIPC(options),
    };
  }
  const first = of.page ? await of.page(0, 100, AS_TEXT) : pageOf(await of.rows(0, 100, AS_TEXT));
  const names = (of.page ? undefined : of.columns?.map(({ name }) => name)) ?? first.columns;
  const columns = names.map(
    (name, i) =>
      of.columns?.find((column) => column.name === name) ?? {
        name,
        kind: kindOf(first.rows.map((row) => row[i])),
      },
  );
  const read = async (offset: number, limit: number): Promise<unknown[][]> => {
    if (of.page) return (await of.page(offset, limit, AS_TEXT)).rows;
    const rows = await of.rows(offset, limit, AS_TEXT);
    return rows.map((row) => names.map((name) => row[name]));
  };
  const total =
    of.length ?? (of.page ? first.total : await lengthOf(first.rows.length, 100, of.rows.bind(of)));
  const arrow = of.toArrowIPC?.bind(of);
  return { columns, total, read, arrow };
}

/** Rows that are there already. */
export function inMemory(columns: readonly ColumnInfo[], rows: unknown[][]): RowSource {
  return {
    columns: columns.slice(),
    total: rows.length,
    read: (offset, limit) => Promise.resolve(rows.slice(offset, offset + limit)),
  };
}

/** All rows, some thousands at a time; stops between two of them. */
export async function* batches(
  source: RowSource,
  signal?: AbortSignal,
): AsyncGenerator<unknown[][]> {
  // Wide rows come in smaller parts: what is in memory at once has a bound.
  const size = Math.max(100, Math.min(BATCH, Math.floor(200_000 / (source.columns.length || 1))));
  for (let at = 0; at < source.total; at += size) {
    signal?.throwIfAborted();
    yield await source.read(at, size);
  }
}

function pageOf(rows: Record<string, unknown>[]): Page {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((name) => row[name])), total: rows.length };
}

/** How many rows there are, where nothing says it: doubled steps, then halves. */
async function lengthOf(
  first: number,
  asked: number,
  rows: (offset: number, limit: number) => Promise<unknown[]>,
): Promise<number> {
  if (first < asked) return first;
  const there = async (row: number) => (await rows(row, 1)).length > 0;
  let low = first;
  let high = first;
  while (await there(high)) {
    low = high + 1;
    high *= 2;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await there(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows near what is shown. One block is read at a time; what is not wanted any more is not read. */
export class RowCache {
  readonly size: number;
  readonly #blocks = new Map<number, unknown[][]>();
  #wanted: [from: number, to: number] = [0, 0];
  #reading = false;
  #failed = false;
  #closed = false;

  constructor(
    private readonly source: RowSource,
    private readonly told: (error?: unknown) => void,
    private readonly came: (rows: unknown[][]) => void,
  ) {
    this.size = Math.max(20, Math.min(400, Math.floor(CELLS / (source.columns.length || 1))));
  }

  /** A row, where it is there. */
  row(at: number): unknown[] | undefined {
    const number = Math.floor(at / this.size);
    return this.#blocks.get(number)?.[at - number * this.size];
  }

  /** Reads these rows, and a block further. */
  want(from: number, to: number): void {
    this.#wanted = [from, to];
    void this.#read();
  }

  /** Reads again what failed. */
  retry(): void {
    this.#failed = false;
    void this.#read();
  }

  close(): void {
    this.#closed = true;
    this.#blocks.clear();
  }

  async #read(): Promise<void> {
    if (this.#reading || this.#failed) return;
    this.#reading = true;
    try {
      for (let block = this.#next(); block !== undefined; block = this.#next()) {
        const rows = await this.source.read(block * this.size, this.size);
        this.#keep(block, rows);
        this.came(rows);
        this.#tell();
      }
    } catch (error) {
      this.#failed = true;
      this.#tell(error);
    } finally {
      this.#reading = false;
    }
  }

  #tell(error?: unknown): void {
    if (!this.#closed) this.told(error);
  }

  /** The next block to read: the wanted ones, then their neighbours. */
  #next(): number | undefined {
    if (this.#closed) return undefined;
    const [from, to] = this.#wanted;
    const first = Math.floor(from / this.size);
    const last = Math.floor(Math.max(from, to - 1) / this.size);
    const end = Math.ceil(this.source.total / this.size);
    const order: number[] = [];
    for (let at = first; at <= last; at += 1) order.push(at);
    order.push(last + 1, first - 1);
    for (const at of order) {
      if (at >= 0 && at < end && !this.#blocks.has(at)) return at;
    }
    return undefined;
  }

  #keep(block: number, rows: unknown[][]): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, rows);
    const [from, to] = this.#wanted;
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= KEPT) break;
      const near = (old + 2) * this.size > from && (old - 1) * this.size < to;
      if (!near) this.#blocks.delete(old);
    }
  }
}
