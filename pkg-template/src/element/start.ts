// What the panel shows before the first question: how far the engine and the file are, what can be
// asked, or why nothing can.

import { html, nothing } from "lit";
import type { Locale, TableInfo } from "../types.js";
import { breakable } from "./base.js";
import { errorCard } from "./errors.js";
import { bytes, number } from "./facts.js";
import type { Stage } from "./source.js";
import { text } from "./texts.js";

/** What a person can do there. */
interface Actions {
  again: () => void;
  cancel: () => void;
  ask: (question: string) => void;
}

/** A question cannot be asked yet, or not at all; those that wait for it stand above. */
export function unready(
  locale: Locale,
  stage: Stage,
  actions: Actions,
  waiting: string[],
): unknown {
  return [
    ...waiting.map(
      (question) => html`<p class="strong" data-testid="waiting">${breakable(question)}</p>`,
    ),
    why(locale, stage, actions),
  ];
}

function why(locale: Locale, stage: Stage, { again, cancel }: Actions): unknown {
  switch (stage.is) {
    case "failed": {
      const retry = html`<button type="button" class="compact" data-testid="again" @click=${again}>
        ${text(locale, "again")}
      </button>`;
      const { file: name } = stage;
      const title = name ? text(locale, "file_failed", { name }) : undefined;
      return errorCard(locale, stage.failure, { actions: retry, title });
    }
    case "loading":
      return loading(locale, stage, cancel);
    default:
      return html`<p class="quiet" role="status" data-testid="starting">
        ${text(locale, "starting")}
      </p>`;
  }
}

function loading(
  locale: Locale,
  { name, progress }: Extract<Stage, { is: "loading" }>,
  cancel: () => void,
): unknown {
  const total = progress?.total;
  const read = progress?.bytes ?? 0;
  const detail = text(locale, total === undefined ? "loading_detail" : "loading_detail_total", {
    bytes: bytes(locale, read),
    total: bytes(locale, total ?? 0),
    rows: number(locale, progress?.rows ?? 0),
  });
  return html`<div class="welcome" data-testid="loading">
    <p role="status">${text(locale, "loading", { name })}</p>
    <progress
      aria-label=${text(locale, "loading", { name })}
      max=${total ?? nothing}
      value=${total === undefined ? nothing : read}
    ></progress>
    <div class="row between">
      <span class="quiet small">${detail}</span>
      <button type="button" class="compact" data-testid="load-cancel" @click=${cancel}>
        ${text(locale, "cancel")}
      </button>
    </div>
  </div>`;
}

/** There is nothing to ask about, though there is a table. */
export function emptyNote(locale: Locale): unknown {
  return html`<p class="warning small" data-testid="table-empty">
    ${text(locale, "table_empty")}
  </p>`;
}

/** A question can be asked: about what, and which ones. */
export function welcome(
  locale: Locale,
  table: TableInfo | undefined,
  questions: string[],
  { ask }: Actions,
): unknown {
  if (!table) {
    return html`<p class="quiet" data-testid="no-tables">${text(locale, "no_tables")}</p>`;
  }
  const about = text(locale, "about_table", {
    name: table.name,
    rows: number(locale, table.rows),
    columns: number(locale, table.columns.length),
  });
  return html`<div class="welcome" data-testid="welcome">
    <h3>${text(locale, "welcome")}</h3>
    <p class="quiet">${text(locale, "welcome_text")}</p>
    <p class="small" data-testid="about-table">${about}</p>
    ${table.rows === 0 ? emptyNote(locale) : nothing}
    <div class="suggestions" role="group" aria-label=${text(locale, "suggestions")}>
      ${questions.map(
        (question) =>
          html`<button
            type="button"
            part="suggestion"
            data-testid="suggestion"
            @click=${() => {
              ask(question);
            }}
          >
            ${breakable(question)}
          </button>`,
      )}
    </div>
  </div>`;
}
