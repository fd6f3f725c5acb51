// An answer's text with each checked statement marked by what the check found.

import { h, number, tx } from "./dom.js";
import { onLanguage, t } from "./i18n.js";

const SIGNS = { verified: "✓", derived: "ƒ", corrected: "✎", contradicted: "✕", unverifiable: "?" };

/** What the page calls a claim's verdict: a replaced one is corrected. */
export function verdictOf(claim) {
  return claim.replaced !== undefined && claim.replaced !== null ? "corrected" : claim.verdict;
}

/** The text with its marks. Offsets of the claims are UTF-16 units of `text`. */
export function markedText(text, claims) {
  const element = h("p", { class: "answer-text", testid: "answer-text" });
  let at = 0;
  for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
    if (claim.start < at || claim.end > text.length) continue;
    element.append(text.slice(at, claim.start), mark(text.slice(claim.start, claim.end), claim));
    at = claim.end;
  }
  element.append(text.slice(at));
  return element;
}

function mark(text, claim) {
  const verdict = verdictOf(claim);
  const element = h(
    "mark",
    { class: `claim ${verdict}`, tabIndex: 0, testid: "claim", "data-verdict": verdict },
    text,
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
  );
  const explain = () => {
    element.title = describe(claim).join("\n");
  };
  explain();
  onLanguage(explain);
  return element;
}

/** The list of all claims with the facts behind them, closed at first. */
export function claimList(claims) {
  if (claims.length === 0) return h("p", { class: "quiet small" }, tx("no_numbers"));
  const list = h("ul", { class: "claims" });
  const fill = () => {
    list.replaceChildren(
      ...claims.map((claim) => {
        const verdict = verdictOf(claim);
        return h(
          "li",
          {},
          h("span", { class: `sign ${verdict}`, "aria-hidden": "true" }, SIGNS[verdict]),
          h("b", {}, claim.text),
          ` ${describe(claim).join(" · ")}`,
        );
      }),
    );
  };
  fill();
  onLanguage(fill);
  return h(
    "details",
    { class: "claims-box", testid: "claims" },
    h("summary", {}, tx("claims", { n: claims.length })),
    list,
  );
}

function describe(claim) {
  const lines = [t(`verdict_${verdictOf(claim)}`)];
  const fact = factText(claim.fact);
  if (fact) lines.push(fact);
  if (claim.formula) lines.push(claim.formula);
  if (claim.replaced) lines.push(t("claim_draft", { text: claim.replaced }));
  else if (claim.actual) lines.push(t("claim_actual", { text: claim.actual }));
  return lines;
}

/** A fact as a line: where the value stands and what it is exactly. */
function factText(fact) {
  if (!fact) return "";
  if (typeof fact === "string") return fact;
  const { result, key, column, value } = fact;
  const pairs = Array.isArray(key) ? key : Object.entries(key ?? {});
  const where = pairs.map(([name, shown]) => `${name}=${shown}`).join(", ");
  const shown = typeof value === "number" ? number(value, { maximumFractionDigits: 12 }) : value;
  const what = shown === undefined || shown === null ? column : `${column} = ${shown}`;
  return [result, where, what].filter(Boolean).join(", ");
}
