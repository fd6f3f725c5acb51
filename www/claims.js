// An answer's text with each checked statement marked by what the check found: a sign and a line
// under it beside the colour, and a note with the fact that it stands on.

import { attachNote } from "./claim-note.js";
import { button, follow, h, tx } from "./dom.js";
import { SIGNS, entityText, measureText, valueText, verdictOf } from "./facts.js";
import { language, t } from "./i18n.js";
import { claimText } from "./pinhole/element/facts.js";
import { isWrong, wrongLines } from "./pinhole/element/wrong.js";
import { markedNodes, plain } from "./pinhole/element/marks.js";

let count = 0;

/** Fetches what renders a model's Markdown. */
export async function markdownRender() {
  return (await import("./pinhole/element/markdown.js")).markdown;
}

/**
 * The text with its marks. Offsets of the claims are UTF-16 units of `text`; `evidence(fact)` opens
 * the rows behind a fact, `source(fact, limit)` gives the first of them, `heads(fact)` the columns of its
 * result as they are called; `render` turns a text with markup into nodes.
 */
export function markedText(
  text,
  claims,
  { evidence, source, heads, render, testid = "answer-text" } = {},
) {
  const { nodes, shown: stated } = markedNodes(language(), text, claims, render ?? plain);
  // Markdown ends its last block with a line break.
  if (render && nodes.lastChild?.textContent.trim() === "") nodes.lastChild.remove();
  for (const sign of nodes.querySelectorAll("mark .sign")) sign.removeAttribute("title");
  const notes = h("div", { hidden: true });
  for (const mark of nodes.querySelectorAll("mark[role]")) {
    const claim = stated[Number(mark.dataset.claim)];
    const id = `claim-${++count}`;
    const about = h("span", { id });
    follow(about, () => {
      about.textContent = describe(claim, heads).join(". ");
    });
    notes.append(about);
    mark.setAttribute("aria-describedby", id);
    const words = mark.firstChild.textContent;
    const said = text.slice(claim.start, claim.end);
    if (words !== said) mark.dataset.said = said;
    attachNote(mark, words, claim, verdictOf(claim), { evidence, source, heads });
  }
  const shown = render
    ? h("div", { class: "answer-text markdown", testid }, nodes)
    : h("p", { class: "answer-text", testid }, nodes);
  return h("div", { class: "marked" }, shown, notes);
}

/** The list of all claims with the facts behind them, closed at first. */
export function claimList(claims, heads) {
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
          ` ${describe(claim, heads).join(" · ")}`,
        );
      }),
    );
  });
  const summary = h("summary");
  return h(
    "details",
    { class: "claims-box", testid: "claims" },
    follow(summary, () => {
      summary.textContent = t("claims", { n: claims.length, found: counted(claims) });
    }),
    list,
  );
}

/** What was wrong, in words and in sight; `evidence(fact)` opens the rows that say so. */
export function wrongList(claims, heads, evidence) {
  if (!claims.some(isWrong)) return "";
  const list = h("ul", { class: "wrong", testid: "wrong" });
  return follow(list, () => {
    list.replaceChildren(
      ...wrongLines(language(), claims, heads).map(({ mark, text, about, fact }) =>
        h(
          "li",
          {},
          h("span", { class: `sign ${mark}`, "aria-hidden": "true" }, SIGNS[mark]),
          h(
            "span",
            {},
            h("b", {}, text),
            about ? h("span", { class: "quiet" }, ` · ${about}`) : "",
            " ",
            fact
              ? button("fact_rows", () => void evidence(fact), {
                  class: "plain",
                  testid: "wrong-rows",
                })
              : "",
          ),
        ),
      ),
    );
  });
}

const FOUND = {
  confirmed: ["verified", "derived"],
  corrected: ["corrected"],
  withheld: ["withheld"],
  contradicted: ["contradicted"],
  unchecked: ["unverifiable"],
};

/** How many were confirmed, how many corrected, and so on: a list of numbers alone is no praise of them. */
function counted(claims) {
  const verdicts = claims.map(verdictOf);
  const parts = Object.entries(FOUND).map(([name, of]) => {
    const n = verdicts.filter((verdict) => of.includes(verdict)).length;
    // The sign is that of the marks in the text.
    return n === 0 ? undefined : `${SIGNS[of[0]]} ${t(`claims_${name}`, { n })}`;
  });
  return parts.filter(Boolean).join(", ");
}

/** What was found of a claim, in short lines. */
function describe(claim, heads) {
  const lines = [t(`verdict_${verdictOf(claim)}`)];
  const fact = factText(claim.fact, heads);
  if (fact) lines.push(fact);
  if (claim.formula) lines.push(claim.formula);
  if (claim.replaced) lines.push(t("claim_draft", { text: claim.replaced }));
  else if (claim.actual)
    lines.push(t("claim_actual", { text: claimText(language(), claim.actual, claim) }));
  return lines;
}

/** A fact as a line: where the value stands and what it is exactly. */
function factText(fact, heads) {
  if (!fact) return "";
  const value = valueText(fact);
  const measure = measureText(fact, heads);
  const what = value === undefined ? measure : `${measure} = ${value}`;
  return [fact.result, entityText(fact, heads), what].filter(Boolean).join(", ");
}
