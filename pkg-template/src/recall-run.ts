// What came of running a record: its results, or why there are none.

import { unless } from "./errors.js";
import type { RecallAnswer, RecallRecord } from "./recall-types.js";
import type { ResultInfo } from "./types.js";

/** Failures that say nothing of what ran. */
export const NOT_ITS_FAULT = new Set([
  "cancelled",
  "closed",
  "recall_closed",
  "recall_day",
  "script_withheld",
  "engine_restarted",
  "engine_failed",
  "memory_limit",
  "wasm_failed",
  "worker_failed",
]);

/** A script's question back to the person. */
export class Clarify extends Error {}

/** Runs of records that came to nothing though nothing is wrong with them: as if there were none. */
export const notAsThingsAre = unless("script_withheld", "recall_day");

/** What a record gave: a result, or the list, the totals and the whole answer of a call. */
export interface Ran {
  info: ResultInfo | undefined;
  totals?: ResultInfo | undefined;
  output?: unknown;
}

/** A record that ran. */
export interface RecallRun extends Ran {
  answer: RecallAnswer;
  record: RecallRecord;
}

/** An answer to be kept: what gave it, its results, and its words. */
export interface RecallKept extends Pick<RecallRecord, "kind" | "script"> {
  result: string;
  totals?: string | undefined;
  human: string;
}
