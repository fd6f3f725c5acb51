// What the table and the chart share: the language, the look, files for the person, the texts.

import { LitElement, css, html, nothing } from "lit";
import type { Locale } from "../types.js";
import type { PinholePartEvents } from "./parts.js";
import { type PartKey, partText } from "./part-texts.js";

export abstract class PinholePart extends LitElement {
  declare locale: Locale | undefined;

  /** The language of the texts: the element's own, else that of the page around it. */
  get language(): Locale {
    return /^ru\b/i.test(this.locale ?? languageAround(this)) ? "ru" : "en";
  }

  protected t(key: PartKey, values?: Record<string, string | number>): string {
    return partText(this.language, key, values);
  }

  /** Tells the page something. */
  protected tell<K extends keyof PinholePartEvents>(
    type: K,
    detail: PinholePartEvents[K]["detail"],
  ): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/** `lang` of what is around the element, through shadow roots. */
function languageAround(element: Element): string {
  let at: Element | undefined = element;
  while (at) {
    const named = at.closest<HTMLElement>("[lang]");
    if (named) return named.lang;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  return "";
}

/** A failure as a card, with what can be done about it. */
export function failureCard(language: Locale, error: unknown, actions?: unknown): unknown {
  const said = error instanceof Error ? error.message : String(error);
  return html`<div class="error" part="error" role="alert" data-testid="error">
    <strong>${partText(language, "failed")}</strong>
    <span>${said}</span>
    ${actions ?? nothing}
  </div>`;
}

/** Whether it is what the person wanted. */
export function isCancel(error: unknown): boolean {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === "AbortError" || code === "cancelled";
}

/** Gives a file to the person. */
export function giveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

/** Registers an element, once; a server has no registry. */
export function register(name: string, element: CustomElementConstructor): void {
  if (typeof customElements === "undefined" || customElements.get(name)) return;
  customElements.define(name, element);
}

/** The tokens that a page can set, light and dark by its `color-scheme`, and the controls. */
export const LOOK = css`
  :host {
    --_ground: var(--pinhole-ground, light-dark(#ffffff, #1b1f22));
    --_raised: var(--pinhole-raised, light-dark(#f6f6f3, #14181a));
    --_ink: var(--pinhole-ink, light-dark(#1b1f23, #e8eaeb));
    --_quiet: var(--pinhole-quiet, light-dark(#5b636b, #a2abb3));
    --_line: var(--pinhole-line, light-dark(#dcdcd6, #343a3f));
    --_field-line: var(--pinhole-field-line, light-dark(#84898d, #737d85));
    --_accent: var(--pinhole-accent, light-dark(#0f6b5c, #57c7ae));
    --_accent-ink: var(--pinhole-accent-ink, light-dark(#ffffff, #06231d));
    --_accent-soft: var(--pinhole-accent-soft, light-dark(#e2f1ed, #173730));
    --_bad: var(--pinhole-bad, light-dark(#a8201a, #ff9b93));
    --_bad-soft: var(--pinhole-bad-soft, light-dark(#fbe4e2, #401c1a));
    --_note: var(--pinhole-corrected, light-dark(#8a4b00, #f2bd77));
    --_note-soft: var(--pinhole-corrected-soft, light-dark(#fdeed6, #3c2a10));
    --_mono: var(--pinhole-mono, ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace);
    display: block;
    color: var(--_ink);
    background: var(--_ground);
    font: var(--pinhole-font, 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif);
    font-variant-numeric: tabular-nums;
    text-align: start;
  }
  @supports not (color: light-dark(#000, #fff)) {
    :host {
      --_ground: var(--pinhole-ground, #ffffff);
      --_raised: var(--pinhole-raised, #f6f6f3);
      --_ink: var(--pinhole-ink, #1b1f23);
      --_quiet: var(--pinhole-quiet, #5b636b);
      --_line: var(--pinhole-line, #dcdcd6);
      --_field-line: var(--pinhole-field-line, #84898d);
      --_accent: var(--pinhole-accent, #0f6b5c);
      --_accent-ink: var(--pinhole-accent-ink, #ffffff);
      --_accent-soft: var(--pinhole-accent-soft, #e2f1ed);
      --_bad: var(--pinhole-bad, #a8201a);
      --_bad-soft: var(--pinhole-bad-soft, #fbe4e2);
      --_note: var(--pinhole-corrected, #8a4b00);
      --_note-soft: var(--pinhole-corrected-soft, #fdeed6);
    }
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4em 0.5em;
    padding-block-end: 0.5em;
  }
  .space {
    flex: 1;
  }
  .quiet {
    color: var(--_quiet);
  }
  .small {
    font-size: 0.875em;
  }
  button,
  select {
    min-height: 1.9em;
    padding: 0.1em 0.6em;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_ground);
    color: inherit;
    font: inherit;
    font-size: 0.875em;
    font-weight: 500;
    cursor: pointer;
  }
  select {
    max-width: 14em;
    border-color: var(--_field-line);
    font-weight: 400;
  }
  button:hover:enabled {
    border-color: var(--_accent);
  }
  button[aria-pressed="true"] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .error {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3em 0.8em;
    align-items: center;
    margin-block: 0.4em;
    padding: 0.6em 0.8em;
    border-radius: 8px;
    background: var(--_bad-soft);
    overflow-wrap: anywhere;
  }
  .error strong {
    color: var(--_bad);
  }
  progress {
    accent-color: var(--_accent);
    width: 8em;
  }
`;
