// The rows of a loaded table, before anything is asked: fetched when they are wanted, let go when not.

import { follow, frozen, h, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { pages } from "./pages-view.js";

/** What the rows are in the order of. */
function orderOf({ time, columns }) {
  const column = columns.find(({ name }) => name === time)?.label ?? time;
  return h("p", { class: "quiet small", testid: "look-order" }, tx("rows_in_time", { column }));
}

/** A line that opens the rows of the table `info`; `engine()` gives the engine. */
export function tableRows(info, engine) {
  const size = h("span", { class: "quiet", testid: "table-size" });
  follow(size, () => {
    const values = { rows: number(info.rows), columns: number(info.columns.length) };
    size.textContent = ` · ${t("size", values)}`;
  });
  const place = h("div", { class: "look-rows", testid: "table-look-rows" });
  let result;

  async function open() {
    const waiting = h("p", { class: "working" }, tx("reading"));
    place.replaceChildren(waiting);
    try {
      const ph = await engine();
      const found = await ph.query({ table: info.name });
      // Closed meanwhile, or closed and opened again.
      if (!waiting.isConnected) return await found.release();
      result = found;
      place.replaceChildren(
        pages({
          testid: "look",
          columns: found.columns,
          known: info.columns,
          read: (offset, limit) => found.table.page(offset, limit),
          name: info.name,
          awaited: found.rows,
          whole: { ph, result: found },
          nothing: "no_rows_table",
        }),
        // A file may have them in another order.
        info.time ? orderOf(info) : "",
      );
    } catch (error) {
      if (waiting.isConnected) place.replaceChildren(frozen(errorCard(error)));
    }
    return undefined;
  }

  function close() {
    place.replaceChildren();
    void result?.release().catch(() => undefined);
    result = undefined;
  }

  const element = h(
    "details",
    { testid: "table-look", ontoggle: () => (element.open ? void open() : close()) },
    h("summary", {}, tx("look_rows"), size),
    place,
  );
  return element;
}
