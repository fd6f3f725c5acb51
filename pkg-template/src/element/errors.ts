// Failures as cards: what is wrong, what would be valid, the fix at a press, and what to do.

import { html, nothing, type TemplateResult } from "lit";
import type { Diagnostic, Locale } from "../types.js";
import { rich } from "./base.js";
import { type Key, statusHint, text } from "./texts.js";

/** A failure as the package or an event of a conversation tells it. */
export interface Failure {
  code: string;
  message: string;
  detail?: string | null | undefined;
  diagnostics?: Diagnostic[] | undefined;
}

/** What to do, where the message alone does not say it. */
const HINTS: Record<string, Key> = {
  endpoint_unreachable: "hint_endpoint",
  stream_broken: "hint_broken_off",
  source_unreachable: "hint_file",
  source_status: "hint_file",
  source_broken: "hint_file",
  wasm_failed: "hint_engine",
  worker_failed: "hint_engine",
  engine_failed: "hint_engine",
  engine_restarted: "hint_restarted",
  storage_full: "hint_room",
  recall_full: "hint_room",
  internal: "hint_internal",
};

/** Whatever was thrown, as a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error) {
    const { message, name } = error;
    const { code, diagnostics } = error as Error & Partial<Failure>;
    // Errors of the browser have a number in its place.
    if (typeof code === "string") return { code, message, diagnostics };
    return { code: name === "AbortError" ? "cancelled" : "internal", message, diagnostics };
  }
  return { code: "internal", message: String(error) };
}

/** Whether it is what a person wanted. */
export function isCancel({ code }: Failure): boolean {
  return code === "cancelled";
}

/** A card about a failure, with what can be done beside it. */
export function errorCard(
  locale: Locale,
  failure: Failure,
  options: {
    onFix?: (diagnostic: Diagnostic) => void;
    actions?: unknown;
    title?: string | undefined;
  } = {},
): TemplateResult {
  const { code, message, detail, diagnostics = [] } = failure;
  const hint = code === "endpoint_status" ? statusHint(message) : HINTS[code];
  // What a person wanted is no failure.
  if (isCancel(failure)) {
    return html`<div
      class="stopped"
      part="error"
      role="status"
      data-testid="error"
      data-code=${code}
    >
      <span>${text(locale, "cancelled")}</span>
      ${options.actions ?? nothing}
    </div>`;
  }
  const title = options.title ?? text(locale, "error_title");
  return html`<div class="error" part="error" role="alert" data-testid="error" data-code=${code}>
    <p class="error-title">${title}</p>
    ${
      diagnostics.length > 0
        ? nothing
        : html`<p data-testid="error-message">${sentence(message || title)}</p>`
    }
    ${detail ? html`<p class="small" data-testid="error-detail">${text(locale, "endpoint_said", { text: detail })}</p>` : nothing}
    ${diagnostics.length > 0 ? diagnosticList(locale, diagnostics, options.onFix) : nothing}
    ${hint ? html`<p class="small">${text(locale, hint)}</p>` : nothing}
    ${options.actions ? html`<div class="row">${options.actions}</div>` : nothing}
  </div>`;
}

/** All problems of an input. */
export function diagnosticList(
  locale: Locale,
  diagnostics: Diagnostic[],
  onFix?: (diagnostic: Diagnostic) => void,
): TemplateResult {
  return html`<ul class="diagnostics" data-testid="diagnostics">
    ${diagnostics.map((diagnostic) => {
      const { code, pointer, message, choices, fix } = diagnostic;
      return html`<li data-testid="diagnostic" data-code=${code}>
        ${pointer ? html`<code>${pointer}</code> ` : nothing}${sentence(message)}
        ${
          choices.length > (fix ? 1 : 0)
            ? html`<p class="small">
                ${text(locale, "choices")}
                ${choices.slice(0, 8).map((choice) => html`<code>${choice}</code> `)}
                ${choices.length > 8 ? "…" : nothing}
              </p>`
            : nothing
        }
        ${
          fix && onFix
            ? html`<button
                type="button"
                class="compact"
                data-testid="fix"
                @click=${() => {
                  onFix(diagnostic);
                }}
              >
                ${text(locale, "apply_fix", { fix })}
              </button>`
            : nothing
        }
      </li>`;
    })}
  </ul>`;
}

/** Messages are lower case without a full stop, and quote input in backticks. */
export function sentence(message: string): unknown {
  return rich(message.charAt(0).toUpperCase() + message.slice(1));
}
