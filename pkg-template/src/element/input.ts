// <pinhole-input>: the question, as an ARIA combobox. Arrow keys choose a completion, Enter takes it
// into the input for editing, and Enter again asks.

import { css, html, nothing } from "lit";
import { PinholeElement, SHARED, breakable } from "./base.js";
import type { Option } from "./completion.js";
import { CONTROLS, TOKENS } from "./styles.js";
import type { Kind } from "../types.js";

const AFTER = 80;
const LONGEST = 2000;

export class QuestionInput extends PinholeElement {
  static override properties = {
    ...SHARED,
    complete: { attribute: false },
    placeholder: {},
    options: { state: true },
    active: { state: true },
  };
  static override shadowRootOptions = { mode: "open" as const, delegatesFocus: true };

  declare complete: ((text: string, caret: number) => Promise<Option[]>) | undefined;
  declare placeholder: string;
  declare private options: Option[];
  /** The option that Enter would take. */
  declare private active: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  static override styles = [
    TOKENS,
    CONTROLS,
    css`
      form {
        position: relative;
        display: flex;
        gap: 0.5em;
      }
      input {
        flex: 1;
        min-width: 0;
        min-height: 2.6em;
        padding: 0.4em 0.75em;
        border: 1px solid var(--_field-line);
        border-radius: 8px;
        background: var(--_ground);
        color: inherit;
        font: inherit;
      }
      input::placeholder {
        color: var(--_quiet);
        opacity: 1;
      }
      input:placeholder-shown {
        text-overflow: ellipsis;
      }
      button {
        min-height: 2.6em;
      }
      ul {
        position: absolute;
        inset-inline: 0;
        bottom: calc(100% + 0.4em);
        z-index: 4;
        max-height: 16em;
        margin: 0;
        padding: 0.3em;
        overflow: auto;
        border: 1px solid var(--_line);
        border-radius: 10px;
        background: var(--_ground);
        box-shadow: 0 8px 28px rgb(0 0 0 / 22%);
        list-style: none;
      }
      li {
        display: flex;
        justify-content: space-between;
        gap: 1em;
        padding: 0.35em 0.6em;
        border-radius: 6px;
        cursor: pointer;
      }
      li[aria-selected="true"] {
        background: var(--_accent-soft);
        outline: 2px solid var(--_accent);
        outline-offset: -2px;
      }
      li .quiet {
        flex: none;
        max-width: 45%;
        text-align: end;
      }
      li[aria-selected="true"] .quiet {
        color: var(--_ink);
      }
    `,
  ];

  constructor() {
    super();
    this.placeholder = "";
    this.options = [];
  }

  get value(): string {
    return this.#input?.value ?? "";
  }

  set value(text: string) {
    if (this.#input) this.#input.value = text;
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  protected override render(): unknown {
    const open = this.options.length > 0;
    const chosen = this.active === undefined ? nothing : `option-${this.active}`;
    return html`<form
      @submit=${(event: Event) => {
        event.preventDefault();
        this.#ask();
      }}
    >
      <input
        part="input"
        type="text"
        role="combobox"
        autocomplete="off"
        maxlength=${LONGEST}
        data-testid="question"
        aria-label=${this.t("ask_label")}
        aria-autocomplete="list"
        aria-expanded=${String(open)}
        aria-controls="options"
        aria-activedescendant=${chosen}
        placeholder=${this.placeholder}
        @input=${this.#typed}
        @keydown=${this.#keys}
        @blur=${this.#close}
      />
      <button class="primary" part="ask" data-testid="ask">${this.t("ask")}</button>
      <ul
        id="options"
        part="completions"
        role="listbox"
        aria-label=${this.t("completions")}
        data-testid="completions"
        ?hidden=${!open}
        @mousedown=${(event: Event) => {
          // The focus stays in the input. A finger may scroll: only a click takes.
          event.preventDefault();
        }}
      >
        ${this.options.map((option, i) => this.#option(option, i))}
      </ul>
      <div class="unseen" role="status">
        ${open ? this.t("completions_some", { n: this.options.length }) : nothing}
      </div>
    </form>`;
  }

  #option(option: Option, i: number): unknown {
    return html`<li
      id="option-${i}"
      role="option"
      data-testid="completion"
      data-kind=${option.kind}
      aria-selected=${String(i === this.active)}
      @click=${() => {
        this.#take(option);
      }}
    >
      <span>${breakable(option.label)}</span>
      <span class="quiet small">${this.#about(option)}</span>
    </li>`;
  }

  #about({ kind, detail, type }: Option): string {
    if (!type) return this.t(`kind_${kind}`);
    const name = isDecimal(type) ? "decimal" : isList(type) ? "list" : type;
    return [detail, this.t(`type_${name}`)].filter(Boolean).join(", ");
  }

  readonly #typed = () => {
    clearTimeout(this.#timer);
    this.active = undefined;
    if (this.value.trim() === "") this.#close();
    else this.#timer = setTimeout(() => void this.#look(), AFTER);
  };

  async #look(): Promise<void> {
    const turn = ++this.#turn;
    const { value } = this;
    const caret = this.#input?.selectionStart ?? value.length;
    const options = (await this.complete?.(value, caret)) ?? [];
    if (turn !== this.#turn || !this.matches(":focus-within")) return;
    this.options = options;
  }

  readonly #keys = (event: KeyboardEvent) => {
    const open = this.options.length > 0;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (open) this.#move(event.key === "ArrowDown" ? 1 : -1);
      else void this.#look();
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      this.#close();
    } else if (event.key === "Enter" && this.active !== undefined) {
      const option = this.options[this.active];
      if (!option) return;
      event.preventDefault();
      this.#take(option);
    }
  };

  /** From the last one the next is none, so that the text as it was typed can be reached. */
  #move(step: number): void {
    const places = this.options.length + 1;
    const at = ((this.active ?? -1) + 1 + step + places) % places;
    this.active = at === 0 ? undefined : at - 1;
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    });
  }

  #take({ text, caret }: Option): void {
    this.value = text;
    this.#input?.setSelectionRange(caret, caret);
    this.#close();
  }

  readonly #close = () => {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.active = undefined;
    this.options = [];
  };

  #ask(): void {
    const question = this.value.trim();
    this.#close();
    if (question === "") return;
    this.value = "";
    this.dispatchEvent(new CustomEvent<string>("input-ask", { detail: question }));
  }
}

function isDecimal(type: Kind): type is `decimal(${number})` {
  return type.startsWith("decimal(");
}

function isList(type: Kind): type is Extract<Kind, `list(${string})`> {
  return type.startsWith("list(");
}
