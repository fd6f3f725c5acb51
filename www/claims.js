// An answer's text with each checked statement marked by what the check found: a sign and a line
// under it beside the colour, and a note with the fact that it stands on.

import { attachNote } from "./claim-note.js";
import { follow, h, rich, tx } from "./dom.js";
import { SIGNS, entityText, measureText, valueText, verdictOf } from "./facts.js";
import { language, t } from "./i18n.js";
import { claimText, languageOf } from "./pinhole/element/facts.js";

let count = 0;

/**
 * The text with its marks. Offsets of the claims are UTF-16 units of `text`; `evidence(fact)` opens
 * the rows behind a fact, `source(fact, limit)` gives the first of them.
 */
export function markedText(text, claims, { evidence, source, testid = "answer-text" } = {}) {
  const shown = h("p", { class: "answer-text", testid });
  const notes = h("div", { hidden: true });
  const written = languageOf(text);
  let at = 0;
  for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
    if (claim.start < at || claim.end > text.length) continue;
    const words = text.slice(claim.start, claim.end);
    const marked = mark(claimText(written, words, claim), claim, notes, evidence, source);
    if (marked.firstChild.textContent !== words) marked.dataset.said = words;
    shown.append(...rich(text.slice(at, claim.start)), marked);
    at = claim.end;
  }
  shown.append(...rich(text.slice(at)));
  return h("div", { class: "marked" }, shown, notes);
}

function mark(words, claim, notes, evidence, source) {
  const verdict = verdictOf(claim);
  const id = `claim-${++count}`;
  const about = h("span", { id });
  follow(about, () => {
    about.textContent = describe(claim).join(". ");
  });
  notes.append(about);
  const element = h(
    "mark",
    {
      class: `claim ${verdict}`,
      tabIndex: 0,
      role: "button",
      testid: "claim",
      "data-verdict": verdict,
      "aria-describedby": id,
      "aria-expanded": "false",
    },
    words,
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
  );
  attachNote(element, words, claim, verdict, evidence, source);
  return element;
}

/** The list of all claims with the facts behind them, closed at first. */
export function claimList(claims) {
  if (claims.length === 0) return h("p", { class: "quiet small" }, tx("no_numbers"));
  const list = h("ul", { class: "claims" });
  follow(list, () => {
    list.replaceChildren(
      ...claims.map((claim) => {
        const verdict = verdictOf(claim);
        return h(
          "li",
          {},
          h("span", { class: `sign ${verdict}`, "aria-hidden": "true" }, SIGNS[verdict]),
          h("b", {}, claimText(language(), claim.text, claim)),
          ` ${describe(claim).join(" · ")}`,
        );
      }),
    );
  });
  return h(
    "details",
    { class: "claims-box", testid: "claims" },
    h("summary", {}, tx("claims", { n: claims.length })),
    list,
  );
}

/** What was found of a claim, in short lines. */
function describe(claim) {
  const lines = [t(`verdict_${verdictOf(claim)}`)];
  const fact = factText(claim.fact);
  if (fact) lines.push(fact);
  if (claim.formula) lines.push(claim.formula);
  if (claim.replaced) lines.push(t("claim_draft", { text: claim.replaced }));
  else if (claim.actual)
    lines.push(t("claim_actual", { text: claimText(language(), claim.actual, claim) }));
  return lines;
}

/** A fact as a line: where the value stands and what it is exactly. */
function factText(fact) {
  if (!fact) return "";
  const value = valueText(fact);
  const what = value === undefined ? measureText(fact) : `${measureText(fact)} = ${value}`;
  return [fact.result, entityText(fact), what].filter(Boolean).join(", ");
}
