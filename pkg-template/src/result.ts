// A result: its small description here, its rows behind an id in the engine.

import { fromDates, pageOfDates, toDate } from "./dates.js";
import type { Engine } from "./engine.js";
import { type Locale, type PinholeError, hostError } from "./errors.js";
import type { Op, OpArgs, OpResult } from "./glue.js";
import { type Call, checkOptions } from "./options.js";
import type {
  CallOptions,
  Chart,
  Metadata,
  Page,
  Progress,
  Query,
  ResultColumn,
  ResultInfo,
  ResultKind,
  RowOptions,
  Warning,
} from "./types.js";

/** Rows that {@link ResultTable.batches} gives at a time. */
const BATCH = 10_000;

/** How a result reaches its rows. */
export class Rows {
  readonly #generation: number;

  constructor(
    private readonly engine: Engine,
    readonly locale: () => Locale,
    readonly id: string,
  ) {
    this.#generation = engine.generation;
  }

  /** Whether dates and times are handed out as `Date`. */
  get dates(): boolean {
    return this.engine.options.dates === "date";
  }

  /** Whether `engine` has them, as it runs now. */
  isOf(engine: Engine): boolean {
    return this.engine === engine && engine.generation === this.#generation;
  }

  /** Refuses options that a call does not take. */
  takes(call: Call, options: object): void {
    checkOptions(call, options, this.locale());
  }

  /** Rows as the caller wants them. */
  async page<K extends "rows" | "source">(
    op: K,
    args: OpArgs<K>,
    { dates, ...options }: CallOptions & RowOptions = {},
  ): Promise<Page> {
    const page: Page = await this.call(op, args, options);
    return (dates ?? this.engine.options.dates) === "date" ? pageOfDates(page) : page;
  }

  gone(): PinholeError {
    return hostError("unknown_result", this.locale(), this.id);
  }

  async call<K extends Op>(
    op: K,
    args: OpArgs<K>,
    options: CallOptions = {},
  ): Promise<OpResult<K>> {
    await this.engine.ready;
    // Ids start again with a new engine: the same id would be another result.
    if (!this.isOf(this.engine)) throw this.gone();
    const { signal, onProgress } = options;
    return this.engine.call<K, Progress>(op, args, {
      signal,
      ...(onProgress ? { onEvent: onProgress } : {}),
      onOrphan: () => undefined,
    });
  }
}

let rowsOf: (result: Result) => Rows;

/** What a result says of itself now, as the policy of the moment allows; it must be of `engine`. */
export async function infoOf(result: Result, engine: Engine): Promise<ResultInfo> {
  const rows = rowsOf(result);
  const info = rows.isOf(engine) ? await rows.call("result", [result.id]) : undefined;
  if (!info) throw rows.gone();
  return info;
}

/** The id of a result of `engine`: to any other it would name another result. */
export function idOf(result: Result, engine: Engine): string {
  const rows = rowsOf(result);
  if (!rows.isOf(engine)) throw rows.gone();
  return result.id;
}

/** The rows of a result: the whole evidence, read piece by piece. */
export class ResultTable {
  /** Columns with kinds, units and roles. */
  readonly columns: ResultColumn[];
  /** How many rows there are. */
  readonly length: number;

  constructor(
    private readonly behind: Rows,
    info: ResultInfo,
  ) {
    this.columns = info.columns;
    this.length = info.rows;
  }

  /** Rows as objects by column name. */
  async rows(
    offset = 0,
    limit = 100,
    options: RowOptions = {},
  ): Promise<Record<string, unknown>[]> {
    this.behind.takes("table.rows", options);
    const { columns, rows } = await this.page(offset, limit, options);
    return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  }

  /** Rows as arrays, with the names and kinds of their columns. */
  async page(offset = 0, limit = 100, options: RowOptions = {}): Promise<Page> {
    this.behind.takes("table.page", options);
    return this.behind.page("rows", [this.behind.id, offset, limit], options);
  }

  /** All rows, a few thousand at a time. After a cancel no more of them are read. */
  async *batches(size = BATCH, options: RowOptions = {}): AsyncGenerator<Page> {
    this.behind.takes("table.batches", options);
    // A size that gets nowhere would be one for ever.
    const step = Math.max(1, Math.floor(size) || BATCH);
    for (let at = 0; at < this.length; at += step) yield await this.page(at, step, options);
  }

  /** The table as an Arrow IPC stream. */
  async toArrowIPC(options: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    this.behind.takes("table.toArrowIPC", options);
    const { signal } = options;
    return this.behind.call("ipc", [this.behind.id], signal ? { signal } : {});
  }
}

/** The result of a query. */
export class Result {
  readonly id: string;
  readonly kind: ResultKind;
  /** The canonical query. */
  readonly query: Query;
  /** The query in words. */
  readonly explanation: string;
  readonly metadata: Metadata;
  readonly columns: ResultColumn[];
  /** Rows of the final table. */
  readonly rows: number;
  /** What a model may see, as data. */
  readonly summary: Record<string, unknown>;
  /** What a model may see, as text. */
  readonly modelText: string;
  readonly warnings: Warning[];
  /** The exact value of a scalar. */
  readonly value: unknown;
  /** The exact values of a dict. */
  readonly values: Record<string, unknown> | undefined;
  /** Which chart fits the result; none where numbers say it better. */
  readonly chart: Chart | undefined;
  /** The rows of a table or of groups. */
  readonly table: ResultTable | undefined;
  readonly #behind: Rows;

  static {
    rowsOf = (result) => result.#behind;
  }

  constructor(behind: Rows, info: ResultInfo) {
    this.#behind = behind;
    this.id = info.id;
    this.kind = info.kind;
    this.query = info.query;
    this.explanation = info.explanation;
    this.metadata = info.metadata;
    this.columns = info.columns;
    this.rows = info.rows;
    this.summary = info.summary;
    this.modelText = info.model_text;
    this.warnings = info.warnings;
    const kind = (name: string) =>
      behind.dates ? info.columns.find((column) => column.name === name)?.kind : undefined;
    this.value = toDate(info.value, kind(info.columns[0]?.name ?? ""));
    this.values =
      info.values &&
      Object.fromEntries(
        Object.entries(info.values).map(([name, value]) => [name, toDate(value, kind(name))]),
      );
    this.chart = info.chart ?? undefined;
    this.table =
      info.kind === "table" || info.kind === "grouped" ? new ResultTable(behind, info) : undefined;
  }

  /**
   * The rows that the result was made of; of one group when `key` names it (`{ dow: "Fri" }`).
   * A page of 100 unless told otherwise.
   */
  async source(
    key?: Record<string, unknown> | null,
    options: CallOptions & RowOptions & { offset?: number; limit?: number } = {},
  ): Promise<Page> {
    this.#behind.takes("result.source", options);
    const { offset = 0, limit = 100, ...rest } = options;
    const named = key ? fromDates(key, this.columns, this.#behind.locale()) : null;
    return this.#behind.page("source", [this.id, named, offset, limit], rest);
  }

  /** Gives the memory back. The result cannot be used any more. */
  release(): Promise<boolean> {
    return this.#behind.call("release", [this.id]);
  }
}
