// `pinhole/element/chart`: registers <pinhole-chart>. Nothing else happens on import, and nothing
// at all on a server.

import { define } from "./base.js";
import { ChartView } from "./chart/view.js";

export type {
  ChartChoice,
  ChartDetail,
  ChartKind,
  PinholeChartElement,
  PinholeElementEvents,
  Shown,
  TableHandle,
} from "./types.js";

define("pinhole-chart", ChartView);
