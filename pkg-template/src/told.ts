// What of a tool's result may go to a model, by whatever road: the text that the gate made, and
// nothing that does not stand in it.

import { toError } from "./errors.js";
import { tell } from "./listeners.js";
import type { ToolResult, Tools } from "./tool-types.js";

/** What an adapter hands on. */
export interface Told {
  /** The result in the page: `ph.result(id)`. */
  result_id?: string;
  /** The text for the model. */
  summary: string;
  /** Its rows, where the summary says how many. */
  rows?: number;
}

/** What every adapter can be told. */
export interface AdapterOptions {
  /**
   * Called in the page with each result, whole, before the adapter hands its part on: to show rows, or to
   * open those that `source_rows` was asked for (`result.output`). Nothing of it goes to a model; a
   * call that is cancelled has no result.
   */
  onResult?: (tool: string, result: ToolResult) => unknown;
}

const WITHHELD = /^(?:Result: shown to the user as|Результат: показан пользователю как) (r\d+)/;
/** What the engine says of a result alike whether it is withheld, failed, forgotten or never was. */
const UNAVAILABLE = /^(?:Not available|Недоступно): /;
const COUNTED =
  /^(?:Result: (\d+)(?: of \d+)? (?:rows?|groups?)|Результат: (\d+)(?: из \d+)? (?:строк|групп))/;

/**
 * Calls a tool for a model: what it may hear, and whether it may hear that the call failed. Rejects
 * only when it is cancelled.
 */
export async function callFor(
  tools: Tools,
  name: string,
  args: unknown,
  signal: AbortSignal | undefined,
  { onResult }: AdapterOptions,
): Promise<{ said: Told; failed: boolean }> {
  try {
    const result = await tools.execute(name, args, signal ? { signal } : {});
    tell(onResult, name, result);
    const { ok, summary } = result;
    const failed = !ok && !WITHHELD.test(summary) && !UNAVAILABLE.test(summary);
    return { said: told(result), failed };
  } catch (error) {
    if (signal?.aborted) throw error;
    // The engine died or was closed: its own words are for the page.
    return { said: { summary: `Error:\n- ${toError(error).code}` }, failed: true };
  }
}

/**
 * What a model may hear of a result. The number of rows of a withheld result would tell of values
 * that the policy keeps back, and so would the failure of a query that is withheld: it reads like
 * one that is.
 */
function told(result: ToolResult): Told {
  const { summary } = result;
  const withheld = WITHHELD.exec(summary)?.[1];
  const id = result.ok ? (result.result_id ?? undefined) : withheld;
  const counted = COUNTED.exec(summary);
  const rows = counted ? Number(counted[1] ?? counted[2]) : undefined;
  return {
    ...(id === undefined ? {} : { result_id: id }),
    summary,
    ...(rows !== undefined && rows === result.rows ? { rows } : {}),
  };
}
