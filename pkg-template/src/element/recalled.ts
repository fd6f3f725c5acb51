// What a turn shows of questions asked before: that its answer comes from there, and the questions
// that may be meant. It comes with the first turn that has any of that.

import { html, nothing, type TemplateResult } from "lit";
import { differences } from "../differs.js";
import type { Locale, RecallSuggestion } from "../types.js";
import { errorCard } from "./errors.js";
import { distinct, momentText } from "./facts.js";
import { text } from "./recalled-texts.js";
import type { Turn } from "./turn.js";

/** Says that an answer comes from before, and what can be done about it. */
export function recalledNote(
  locale: Locale,
  turn: Turn,
  { afresh, forget }: { afresh: () => void; forget: () => void },
): unknown {
  const { recalled, forgotten, trouble } = turn;
  if (!recalled) return nothing;
  const when = momentText(locale, recalled.asked_at);
  return html`<div class="note stack" part="recalled" data-testid="recalled">
    <p class="small" role="status" data-testid="recalled-text">
      ${text(locale, forgotten ? "recall_forgotten" : "recall_from", { when })}
    </p>
    ${trouble ? errorCard(locale, trouble) : nothing}
    <div class="row">
      <button type="button" class="compact" data-testid="recall-fresh" @click=${afresh}>
        ${text(locale, "recall_fresh")}
      </button>
      ${
        forgotten
          ? nothing
          : html`<button
              type="button"
              class="compact"
              data-testid="recall-forget"
              title=${text(locale, "recall_forget_hint")}
              @click=${forget}
            >
              ${text(locale, "recall_forget")}
            </button>`
      }
    </div>
  </div>`;
}

/** Says what is wrong with the place where questions are kept. */
export function keepingNote(locale: Locale, { state, around }: Turn): unknown {
  const message = around.recall?.problem?.message;
  if (state !== "done" || message === undefined) return nothing;
  return html`<p class="warning small" data-testid="recall-problem">
    ${text(locale, "recall_problem", { text: message })}
  </p>`;
}

/**
 * Questions that may be meant: plainly to see where there is no answer yet or none at all, else behind
 * one line. Those that differ from what was asked stand behind a click wherever others are to be seen.
 */
export function suggestionsView(
  locale: Locale,
  turn: Turn,
  take: (suggestion: RecallSuggestion) => void,
): unknown {
  const { busy, local, answered } = turn;
  const suggestions = distinct(turn.suggestions, answered ? turn.question : "");
  // What is computed here is there at once.
  if (suggestions.length === 0 || (busy && local)) return nothing;
  const meant = answered ? [] : suggestions.filter(({ differs }) => differs.length === 0);
  const others = suggestions.filter((one) => !meant.includes(one));
  const list = (some: RecallSuggestion[]): TemplateResult =>
    html`<ul class="asked-before">
      ${some.map((one) => item(locale, one, take))}
    </ul>`;
  return html`<div class="stack" part="asked-before" data-testid="recall-suggestions">
    ${
      meant.length > 0
        ? html`<p class="small">${text(locale, "recall_meant")}</p>
            ${list(meant)}`
        : nothing
    }
    ${
      others.length > 0
        ? html`<details
            data-testid="recall-alike"
            ?open=${!busy && !answered && meant.length === 0 && turn.readings.length < 2}
          >
            <summary class="small quiet">
              ${text(locale, "recall_alike", { n: others.length })}
            </summary>
            ${list(others)}
          </details>`
        : nothing
    }
  </div>`;
}

function item(
  locale: Locale,
  suggestion: RecallSuggestion,
  take: (suggestion: RecallSuggestion) => void,
): TemplateResult {
  const { id, question, last_result: last } = suggestion;
  const what = differences(suggestion, locale).join(", ");
  return html`<li>
    <button
      type="button"
      class="compact"
      data-testid="recall-suggestion"
      title=${last?.human ? text(locale, "recall_last", { text: last.human }) : nothing}
      aria-describedby=${what ? `differs-${id}` : nothing}
      @click=${() => {
        take(suggestion);
      }}
    >
      ${question}
    </button>
    ${
      what
        ? html`<span class="quiet small" id="differs-${id}" data-testid="recall-differs">
            ${text(locale, "recall_differs", { what })}
          </span>`
        : nothing
    }
  </li>`;
}
