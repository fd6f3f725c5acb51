// What was wrong in an answer, below it: line by line, each with the way to its rows.

import { html, nothing } from "lit";
import type { Claim, Fact, Locale } from "../types.js";
import { type HeadsOf, SIGNS } from "./facts.js";
import { text } from "./texts.js";
import { wrongLines } from "./wrong.js";

export function wrongView(
  locale: Locale,
  claims: readonly Claim[],
  heads: HeadsOf | undefined,
  rows: (fact: Fact) => void,
): unknown {
  return html`<ul class="wrong small" data-testid="wrong">
    ${wrongLines(locale, claims, heads).map(
      (line) =>
        html`<li class=${line.mark}>
          <span class="sign" aria-hidden="true">${SIGNS[line.mark]}</span>
          <span>
            <b>${line.text}</b>
            ${line.about ? html`<span class="quiet">· ${line.about}</span>` : nothing}
            ${
              line.fact
                ? html`<button
                    type="button"
                    class="compact"
                    data-testid="wrong-rows"
                    @click=${() => {
                      if (line.fact) rows(line.fact);
                    }}
                  >
                    ${text(locale, "fact_rows")}
                  </button>`
                : nothing
            }
          </span>
        </li>`,
    )}
  </ul>`;
}
