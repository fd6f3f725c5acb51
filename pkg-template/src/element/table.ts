// `pinhole/element/table`: registers <pinhole-table>. Nothing else happens on import, and nothing
// at all on a server.

import { define } from "./base.js";
import { TableView } from "./table/view.js";

export type {
  FilterDetail,
  PinholeElementEvents,
  PinholeTableElement,
  RowDetail,
  Shown,
  SortDetail,
  TableHandle,
} from "./types.js";

define("pinhole-table", TableView);
