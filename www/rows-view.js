// All rows of a result in one grid that scrolls: the element of the package, which comes when it is first
// wanted. The plain table of a hundred rows at a time is what a screen reader, the browser's own search
// and a printer take as it is.

import { button, follow, h } from "./dom.js";
import { language } from "./i18n.js";

/**
 * A grid over the rows of `result`, which `ph` sorts, in the order in which they are; below it a button
 * of the text `key` that goes `back(order)` to the plain table.
 */
export async function allRows({ ph, result }, { key, name, order, back }) {
  await import("./pinhole/element/table.js");
  let now = order;
  const onsort = ({ detail: { column, direction } }) =>
    (now = direction ? { column, direction } : undefined);
  const grid = h("pinhole-table", { ph, result, name, testid: "all-rows" });
  grid.addEventListener("pinhole-sort", onsort);
  if (order) grid.sortBy(order.column, order.direction);
  follow(grid, () => (grid.locale = language()));
  const pages = button(key, () => back(now), { testid: "data-paged" });
  return h("div", { class: "all-rows" }, grid, h("div", { class: "row pager" }, pages));
}
