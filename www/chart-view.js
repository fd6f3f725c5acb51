// The Chart tab: the element of the package, which comes when a chart is first looked at, and Vega with
// it.

import { follow, frozen, h, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language, t } from "./i18n.js";
import { choiceOf } from "./pinhole/element/chart-words.js";
import { tooManyKeys } from "./pinhole/element/fits.js";
import { headsOf, headText } from "./pinhole/element/heads.js";

/** What each panel shows. A result's name is no mark of it: names begin again after a restart. */
const showing = new WeakMap();
/** What was asked for in words, while the element still comes. */
const wanted = new WeakMap();

/** Shows the chart of `result`, which answers `question`, in `panel`, of another `kind` than fits best where that is asked for. */
export async function chartView(panel, question, result, kind) {
  const choice = choiceOf(result, kind);
  if (choice) wanted.set(result, choice);
  if (showing.get(panel) === result) {
    const there = panel.querySelector("pinhole-chart");
    if (there && choice) there.choice = choice;
    return;
  }
  showing.set(panel, result);
  const keys = tooManyKeys(result);
  if (keys.length > 0) {
    const why = h("p", { class: "quiet", testid: "chart-keys" });
    const fill = () => {
      const heads = headsOf(language(), keys, result.query);
      const columns = heads.map(headText).join(", ");
      why.textContent = t("chart_keys", { n: keys.length, columns });
    };
    panel.replaceChildren(follow(why, fill));
    return;
  }
  panel.replaceChildren(h("p", { class: "working chart-wait" }, tx("chart_wait")));
  let shown;
  let failed = false;
  try {
    await import("./pinhole/element/chart.js");
    const chart = h("pinhole-chart", {
      result,
      choice: wanted.get(result),
      asked: question,
      testid: "chart",
    });
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
