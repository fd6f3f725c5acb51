// The Chart tab: the element of the package, which comes when a chart is first looked at, and Vega with
// it.

import { follow, frozen, h, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language } from "./i18n.js";

/** Shows the chart of `result` in `panel`. */
export async function chartView(panel, result) {
  if (panel.dataset.result === result.id) return;
  panel.dataset.result = result.id;
  panel.replaceChildren(h("p", { class: "working" }, tx("chart_wait")));
  let shown;
  try {
    await import("./pinhole/element/chart.js");
    const chart = h("pinhole-chart", { result, name: result.id, testid: "chart" });
    shown = follow(chart, () => (chart.locale = language()));
  } catch (error) {
    delete panel.dataset.result;
    shown = frozen(errorCard(error));
  }
  // Another result may have come in between.
  if ((panel.dataset.result ?? result.id) === result.id) panel.replaceChildren(shown);
}
