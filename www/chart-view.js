// The Chart tab: the element of the package, which comes when a chart is first looked at, and Vega with
// it.

import { follow, frozen, h, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language } from "./i18n.js";

/** What each panel shows. A result's name is no mark of it: names begin again after a restart. */
const showing = new WeakMap();

/** Shows the chart of `result` in `panel`. */
export async function chartView(panel, result) {
  if (showing.get(panel) === result) return;
  showing.set(panel, result);
  panel.replaceChildren(h("p", { class: "working chart-wait" }, tx("chart_wait")));
  let shown;
  let failed = false;
  try {
    await import("./pinhole/element/chart.js");
    const chart = h("pinhole-chart", { result, name: result.id, testid: "chart" });
    shown = follow(chart, () => (chart.locale = language()));
  } catch (error) {
    failed = true;
    shown = frozen(errorCard(error));
  }
  // Another result may have come in between.
  if (showing.get(panel) !== result) return;
  panel.replaceChildren(shown);
  // The next look tries again.
  if (failed) showing.delete(panel);
}
