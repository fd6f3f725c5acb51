// The groups of a result.

import type { Result } from "../result.js";

/** The columns that name the groups of a result. */
export function keysOf(result: Result): string[] {
  return result.columns.filter(({ role }) => role === "key").map(({ name }) => name);
}
