// What the records of questions need of the page around them.

import type { Engine } from "./engine.js";
import type { Locale } from "./errors.js";
import type { OpArgs, OpResult } from "./glue.js";
import type { Result } from "./result.js";
import type { CallOptions, ResultInfo } from "./types.js";

/** What the records need of the page around them. */
export interface RecallSurroundings {
  engine: Engine;
  locale(): Locale;
  /** How many tables are loaded. */
  tables(): number;
  result(info: ResultInfo): Result;
  run<K extends "query" | "sql" | "call_again">(
    op: K,
    args: OpArgs<K>,
    options: CallOptions,
  ): Promise<OpResult<K>>;
  /** Runs a script: its result, or nothing where it gave no row. Throws `Clarify`. */
  script(
    text: string,
    context: string,
    options: CallOptions & { by_model?: boolean },
  ): Promise<ResultInfo | undefined>;
  /** Lets texts leave for an embedder under this name: what the ledger has of them, in JSON. */
  leave(texts: string[], endpoint: string, signal: AbortSignal | undefined): Promise<string>;
}
