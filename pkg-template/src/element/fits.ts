// Which chart fits a result, if one does: whoever offers a chart asks here, and fetches none for it.

import type { Result } from "../result.js";
import { fitting } from "./chart/shape.js";
import type { ChartChoice } from "./types.js";

/** What <pinhole-chart> draws of a result at first; none where it has nothing to draw, or one row. */
export function chartOf(result: Result): ChartChoice | undefined {
  return result.rows > 1 ? fitting(result, result.columns, result.rows) : undefined;
}
