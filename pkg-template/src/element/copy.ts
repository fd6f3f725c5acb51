// <pinhole-copy>: a button that puts a text on the clipboard, and says whether it did.

import { type PropertyValues, css, html, nothing } from "lit";
import { PinholeElement, SHARED } from "./base.js";
import { CONTROLS, TOKENS } from "./styles.js";

export class CopyButton extends PinholeElement {
  static override properties = {
    ...SHARED,
    text: { attribute: false },
    label: { attribute: false },
    outcome: { state: true },
  };

  declare text: string;
  /** What stands on the button; else that it copies. */
  declare label: string | undefined;
  declare private outcome: "copied" | "copy_failed" | undefined;

  static override styles = [
    TOKENS,
    CONTROLS,
    css`
      :host {
        display: inline-flex;
        flex-direction: row-reverse;
        align-items: center;
        gap: 0.5em;
      }
      button {
        flex: none;
      }
    `,
  ];

  constructor() {
    super();
    this.text = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("text")) this.outcome = undefined;
  }

  protected override render(): unknown {
    return html`<button type="button" class="compact" @click=${() => this.#copy()}>
        ${this.label ?? this.t("copy")}
      </button>
      <span class="quiet small" role="status">
        ${this.outcome ? this.t(this.outcome) : nothing}
      </span>`;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.outcome = "copied";
    } catch {
      this.outcome = "copy_failed";
    }
  }
}
