// `pinhole/element/table`: registers <pinhole-table>. Nothing else happens on import, and nothing
// at all on a server.

import { register } from "./part.js";
import { TableView } from "./table/view.js";

export type {
  PinholePartEvents,
  PinholeTableElement,
  RowsFilterDetail,
  Shown,
  SortDetail,
  TableHandle,
} from "./parts.js";

register("pinhole-table", TableView);
