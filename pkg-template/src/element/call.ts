// The Query tab where a tool other than `query` gave the result: what it was called with, and all
// that it found.

import { css, html, nothing } from "lit";
import type { Locale } from "../types.js";
import { text } from "./texts.js";
import type { ToolCall } from "./turn.js";

export const CALL_STYLES = css`
  .call {
    max-height: 24em;
    margin: 0;
    padding: 0.7em 0.8em;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.875em;
    line-height: 1.5;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .found summary {
    cursor: pointer;
    font-weight: 500;
  }
  .found .call {
    margin-block: 0.4em;
  }
`;

/** A call, as the event of its result tells it. */
export function callView(locale: Locale, { tool, input, output }: ToolCall): unknown {
  const label = text(locale, "call_label");
  const found = text(locale, "call_output");
  const shown = (value: unknown): string => JSON.stringify(value, null, 2);
  const call = `${tool} ${shown(input ?? {})}`;
  const copy = (id: string, what: string): unknown =>
    html`<pinhole-copy data-testid=${id} .locale=${locale} .text=${what}></pinhole-copy>`;
  return html`<div class="stack">
    <div class="row between">
      <p class="quiet small">${label}</p>
      ${copy("call-copy", call)}
    </div>
    <pre class="call" tabindex="0" role="group" aria-label=${label} data-testid="call-text">
${call}</pre>
    ${
      output === undefined
        ? nothing
        : html`<details class="found" data-testid="call-output">
            <summary>${found}</summary>
            <pre class="call" tabindex="0" role="group" aria-label=${found}>${shown(output)}</pre>
            ${copy("call-output-copy", shown(output))}
          </details>`
    }
  </div>`;
}
