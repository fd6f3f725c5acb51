// The groups of a result.

import type { Result } from "../result.js";

/** The columns that name the groups of a result. */
export function keysOf(result: Result): string[] {
  return result.columns.filter(({ role }) => role === "key").map(({ name }) => name);
}

/** How rows are read: dates as texts, whatever the page wants them to be, since those are exact. */
export const AS_TEXT = { dates: "string" } as const;
