// Which chart fits a result, if one does: whoever offers a chart asks here, and fetches none for it.

import type { Result } from "../result.js";
import type { ResultColumn } from "../types.js";
import { fitting, turned, whyNone } from "./chart/shape.js";
import type { ChartChoice } from "./types.js";

/** What <pinhole-chart> draws of a result at first; none where it has nothing to draw, or one row. */
export function chartOf(result: Result): ChartChoice | undefined {
  return result.rows > 1 ? fitting(result, result.columns, result.rows) : undefined;
}

export { turned, whyNone };

/** The keys of groups for which a chart has no room; none where there is one, or there is nothing to draw. */
export function tooManyKeys(result: Result): ResultColumn[] {
  if (result.rows < 2 || result.kind !== "grouped" || chartOf(result)) return [];
  const keys = result.columns.filter(({ role }) => role === "key");
  return keys.length > 2 ? keys : [];
}
