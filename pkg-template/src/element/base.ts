// What all elements share: language, texts, the look, and events for the page.

import { LitElement, css, html, type TemplateResult } from "lit";
import type { Locale } from "../types.js";
import { TOKENS } from "./styles.js";
import { number } from "./facts.js";
import { type Key, type Values, text } from "./texts.js";
import type { PinholeElementEvents } from "./types.js";

/** The properties that every element has. */
export const SHARED = { locale: { reflect: true } } as const;

export abstract class PinholeElement extends LitElement {
  static override properties: Record<string, object> = SHARED;
  static override styles = [TOKENS, css``];

  declare locale: Locale | undefined;

  /** The language of the texts: the element's own, else that of the page around it. */
  get language(): Locale {
    return /^ru\b/i.test(this.locale ?? languageAround(this)) ? "ru" : "en";
  }

  protected t(key: Key, values?: Values): string {
    return text(this.language, key, values);
  }

  protected n(value: number): string {
    return number(this.language, value);
  }

  /** Tells the page something. */
  protected tell<K extends keyof PinholeElementEvents>(
    type: K,
    detail: PinholeElementEvents[K]["detail"],
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

/** Text with what stands in backticks as code. */
export function rich(words: string): unknown {
  const parts = words.split("`");
  if (parts.length % 2 === 0) return words;
  return parts.map((part, i): string | TemplateResult =>
    i % 2 === 1 ? html`<code>${part}</code>` : part,
  );
}

/** Text whose names of columns may go on in the next line after an underscore. */
export function breakable(words: string): unknown {
  const parts = words.match(/[^_]*_|[^_]+$/g) ?? [words];
  return parts.map((part, i): string | TemplateResult => (i > 0 ? html`<wbr />${part}` : part));
}

/** Registers an element, once; a server has no registry. */
export function define(name: string, element: CustomElementConstructor): void {
  if (typeof customElements === "undefined" || customElements.get(name)) return;
  customElements.define(name, element);
}
