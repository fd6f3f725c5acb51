// Elements that come when they are first shown: what stands in their place until they are there, or
// where they do not come.

import { html, noChange, nothing } from "lit";
import { AsyncDirective } from "lit/async-directive.js";
import { directive } from "lit/directive.js";
import type { Locale } from "../types.js";
import { errorCard, failureOf } from "./errors.js";
import { text } from "./texts.js";

class Part extends AsyncDirective {
  #state: "new" | "there" | { error: unknown } = "new";
  #shown: [language: Locale, load: () => Promise<unknown>, element: unknown] | undefined;

  override render(language: Locale, load: () => Promise<unknown>, element: unknown): unknown {
    this.#shown = [language, load, element];
    if (this.#state === "new") void this.#load(load);
    return this.#now();
  }

  protected override reconnected(): void {
    this.setValue(this.#now());
  }

  async #load(load: () => Promise<unknown>): Promise<void> {
    try {
      await load();
      this.#state = "there";
    } catch (error) {
      this.#state = { error };
    }
    if (this.isConnected) this.setValue(this.#now());
  }

  #now(): unknown {
    if (!this.#shown) return noChange;
    const [language, load, element] = this.#shown;
    if (this.#state === "there") return element;
    if (this.#state === "new") return html`<p class="quiet">${text(language, "reading")}</p>`;
    const actions = html`<button
      type="button"
      class="compact"
      data-testid="again"
      @click=${() => {
        this.#state = "new";
        this.setValue(nothing);
        void this.#load(load);
      }}
    >
      ${text(language, "again")}
    </button>`;
    return errorCard(language, failureOf(this.#state.error), { actions });
  }
}

/** Shows `element` once `load` has brought what defines it. */
export const part = directive(Part);
