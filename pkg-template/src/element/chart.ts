// `pinhole/element/chart`: registers <pinhole-chart>. Nothing else happens on import, and nothing
// at all on a server.

import { ChartView } from "./chart/view.js";
import { register } from "./part.js";

export type {
  ChartChoice,
  ChartDetail,
  ChartKind,
  PinholeChartElement,
  PinholePartEvents,
  Shown,
  TableHandle,
} from "./parts.js";

register("pinhole-chart", ChartView);
