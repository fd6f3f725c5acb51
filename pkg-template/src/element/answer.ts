// <pinhole-answer>: the text of an answer with each checked statement marked by what the check found:
// a sign and a line under it beside the colour, and a note with the fact that it stands on.

import { type PropertyValues, html, nothing } from "lit";
import type { Claim, Fact, Page } from "../types.js";
import { ANSWER_STYLES } from "./answer-styles.js";
import { valueName } from "./called.js";
import { PinholeElement, SHARED, breakable } from "./base.js";
import {
  type HeadsOf,
  MARKS,
  SIGNS,
  aboutKey,
  cellText,
  claimText,
  describe,
  entityText,
  isMadeOf,
  isNumber,
  markOf,
  measureText,
  operandTexts,
  valueText,
} from "./facts.js";
import { type Render, markedNodes, plain } from "./marks.js";
import { isResting, watchPointer } from "./hover.js";
import { CONTROLS, SIGN_STYLES, TABLE_STYLES, TOKENS } from "./styles.js";

const OPEN_AFTER = 150;
const CLOSE_AFTER = 250;
/** Pixels between a mark and its note, and between the note and the edge of what is in sight. */
const GAP = 4;
/** Pixels that a note has at least. */
const LEAST = 160;
/** Rows and columns of the evidence that a note has room for. */
const ROWS = 3;
const COLUMNS = 4;

let wrongView: typeof import("./wrong-view.js").wrongView | undefined;
let markdown: Render | undefined;
let loading: Promise<unknown> | undefined;

/** Fetches the reader of Markdown, once. */
export function loadMarkdown(): Promise<unknown> {
  return (loading ??= import("./markdown.js").then(
    (module) => (markdown = module.markdown),
    () => (loading = undefined),
  ));
}

export class Answer extends PinholeElement {
  static override properties = {
    ...SHARED,
    text: {},
    claims: { attribute: false },
    markdown: { type: Boolean },
    draft: { type: Boolean, reflect: true },
    source: { attribute: false },
    heads: { attribute: false },
    opened: { state: true },
    rows: { state: true },
  };

  declare text: string;
  declare claims: Claim[];
  declare markdown: boolean;
  declare draft: boolean;
  declare source: ((fact: Fact, limit: number) => Promise<Page | undefined>) | undefined;
  /** What the columns of a fact's result are called. */
  declare heads: HeadsOf | undefined;
  /** The mark whose note is open. */
  declare private opened: number | undefined;
  /** The first rows behind its fact. */
  declare private rows: Page | undefined;
  #nodes: DocumentFragment | undefined;
  #shown: Claim[] = [];
  /** Those of them that are in sight. */
  #seen: Claim[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the pointer rests on a mark that came to it. */
  #waits = false;

  static override styles = [TOKENS, CONTROLS, SIGN_STYLES, TABLE_STYLES, ANSWER_STYLES];

  constructor() {
    super();
    this.text = "";
    this.claims = [];
    this.markdown = false;
    this.draft = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    watchPointer();
    document.addEventListener("pointerdown", this.#outside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.#outside);
    clearTimeout(this.#timer);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!["text", "claims", "markdown", "locale"].some((name) => changed.has(name))) return;
    if (this.markdown && !markdown)
      void loadMarkdown().then(() => (this.claims = [...this.claims]));
    const render = (this.markdown && markdown) || plain;
    const { nodes, shown, seen } = markedNodes(this.language, this.text, this.claims, render);
    this.#nodes = nodes;
    this.#shown = shown;
    this.#seen = seen;
    this.opened = undefined;
  }

  protected override render(): unknown {
    // The nodes are handed over once: later updates leave them where they are.
    return html`<div
        class="text ${this.markdown && markdown ? "" : "plain"}"
        part="text"
        data-testid="answer-text"
        @pointerover=${this.#over}
        @pointermove=${this.#moves}
        @pointerout=${this.#leave}
        @focusin=${this.#focus}
        @focusout=${this.#blur}
        @click=${this.#focus}
        @keydown=${this.#keys}
      ></div>
      <div hidden>
        ${this.#shown.map(
          (claim, i) =>
            html`<span id="about-${i}"
              >${describe(this.language, claim, this.heads).join(". ")}</span
            >`,
        )}
      </div>
      ${this.opened === undefined ? nothing : this.#note(this.opened)}
      ${this.draft ? nothing : [this.#wrong(), this.#counts()]}`;
  }

  /** What was wrong, said in words: a sign alone does not tell who comes to it first. */
  #wrong(): unknown {
    if (this.#seen.every((claim) => /^[vdu]/.test(markOf(claim)))) return nothing;
    if (wrongView)
      return wrongView(this.language, this.#seen, this.heads, (fact) => {
        this.tell("pinhole-evidence", { fact });
      });
    void import("./wrong-view.js").then(
      (module) => {
        wrongView = module.wrongView;
        this.requestUpdate();
      },
      () => undefined,
    );
    return nothing;
  }

  protected override updated(changed: PropertyValues): void {
    if (this.#nodes) {
      this.renderRoot.querySelector(".text")?.replaceChildren(this.#nodes);
      this.#nodes = undefined;
    }
    if (!changed.has("opened") && !changed.has("rows")) return;
    for (const mark of this.renderRoot.querySelectorAll<HTMLElement>("mark[role]")) {
      mark.setAttribute("aria-expanded", String(mark.dataset["claim"] === String(this.opened)));
    }
    this.#place();
  }

  #counts(): unknown {
    const counts = MARKS.map((mark) => ({
      mark,
      n: this.#seen.filter((claim) => markOf(claim) === mark).length,
    })).filter(({ n }) => n > 0);
    if (counts.length === 0) return nothing;
    return html`<ul class="counts small" part="counts" data-testid="counts">
      ${counts.map(
        ({ mark, n }) =>
          html`<li class=${mark}>
            <span class="sign" aria-hidden="true">${SIGNS[mark]}</span>
            <span class="quiet">${this.t(`count_${mark}`, { n })}</span>
          </li>`,
      )}
    </ul>`;
  }

  #note(number: number): unknown {
    const claim = this.#shown[number];
    if (!claim) return nothing;
    const { fact, formula, replaced, actual } = claim;
    const verdict = markOf(claim);
    const line = (name: string, value: string | undefined) =>
      value
        ? html`<dt>${name}</dt>
            <dd>${value}</dd>`
        : nothing;
    return html`<div
      class="note ${verdict}"
      part="note"
      role="group"
      tabindex="-1"
      data-testid="claim-note"
      aria-label=${this.t("fact_about", { text: claim.text })}
      @pointerenter=${() => {
        clearTimeout(this.#timer);
      }}
      @pointerleave=${this.#leave}
      @focusout=${this.#blur}
      @keydown=${this.#keys}
    >
      <p>
        <span class="sign" aria-hidden="true">${SIGNS[verdict]}</span>
        <b class="mark-ink">${this.t(`verdict_${verdict}`)}</b>
      </p>
      <div class="more" @scroll=${this.#fade}>
        <p>${this.t(aboutKey(verdict, claim))}</p>
        <dl class="facts">
          ${fact ? line(this.t("fact_value"), valueText(this.language, fact)) : nothing}
          ${line(this.t("fact_formula"), formula)}
          ${fact ? line(this.t("fact_of"), entityText(this.language, fact, this.heads) || this.t("fact_whole")) : nothing}
          ${fact ? line(this.t("fact_measure"), measureText(this.language, fact, this.heads)) : nothing}
          ${line(this.t("fact_operands"), operandTexts(this.language, claim, this.heads).join("; "))}
          ${line(this.t("fact_draft"), replaced)}
          ${replaced === undefined ? line(this.t("fact_actual"), actual && claimText(this.language, actual, claim)) : nothing}
          ${fact ? line(this.t("fact_result"), fact.result) : nothing}
        </dl>
        ${fact && this.rows ? this.#firstRows(fact, this.rows) : nothing}
      </div>
      ${
        fact
          ? html`<button
              type="button"
              class="compact"
              data-testid="claim-evidence"
              @click=${() => {
                this.#close();
                this.tell("pinhole-evidence", { fact });
              }}
            >
              ${this.t("fact_rows")}
            </button>`
          : nothing
      }
    </div>`;
  }

  #firstRows(fact: Fact, { columns, rows, total }: Page): unknown {
    const { column, key } = fact;
    if (rows.length === 0) return nothing;
    const heads = this.heads?.(fact) ?? [];
    const headOf = (i: number) => heads.find(({ name }) => name === columns[i]);
    // What it is of and the column that the number is of come first: of the rest there may be no room.
    const rank = (name = "") => (name in key ? 0 : isMadeOf(column, name) ? 1 : 2);
    const shown = columns
      .map((_, i) => i)
      .sort((a, b) => rank(columns[a]) - rank(columns[b]))
      .slice(0, COLUMNS);
    return html`<p class="quiet">
        ${this.t("fact_first_rows")}
        ${this.t("fact_rows_of", { shown: this.n(rows.length), all: this.n(total) })}
      </p>
      <div class="scroll" tabindex="0" role="group" aria-label=${this.t("fact_first_rows")}>
        <table data-testid="claim-rows">
          <thead>
            <tr>
              ${shown.map(
                (i) =>
                  html`<th scope="col" class=${rows.every((row) => isNumber(row[i])) ? "num" : ""}>
                    ${breakable(headOf(i)?.label ?? columns[i] ?? "")}
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => {
              const cells = shown.map((i): [string, boolean] => [
                valueName(this.language, headOf(i)?.names, row[i]) ??
                  cellText(this.language, row[i], columns[i]),
                isNumber(row[i]),
              ]);
              return html`<tr>
                ${cells.map(([cell, num]) => html`<td class=${num ? "num" : ""}>${cell}</td>`)}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>`;
  }

  #claimAt(event: Event): number | undefined {
    const mark = (event.target as Element).closest<HTMLElement>("mark[data-claim]");
    return mark ? Number(mark.dataset["claim"]) : undefined;
  }

  #mark(number: number | undefined): HTMLElement | null {
    return this.renderRoot.querySelector(`mark[role][data-claim="${number}"]`);
  }

  #open(number: number): void {
    clearTimeout(this.#timer);
    if (this.opened === number) return;
    this.opened = number;
    this.rows = undefined;
    const fact = this.#shown[number]?.fact;
    if (!fact || !this.source) return;
    void this.source(fact, ROWS).then(
      (rows) => {
        if (this.opened === number) this.rows = rows;
      },
      // The result is gone: the fact itself still stands.
      () => undefined,
    );
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.opened = undefined;
  }

  /** Whether the open note, or its mark, has the focus. */
  #focused(): boolean {
    const active = (this.renderRoot as ShadowRoot).activeElement;
    return (
      active !== null && (active.closest(".note") !== null || active === this.#mark(this.opened))
    );
  }

  readonly #over = (event: PointerEvent) => {
    const number = this.#claimAt(event);
    if (number === undefined || event.pointerType !== "mouse") return;
    // A pointer that rests where a mark comes to stand asks for nothing until it moves.
    this.#waits = isResting(event);
    if (this.#waits) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#open(number);
    }, OPEN_AFTER);
  };

  readonly #moves = (event: PointerEvent) => {
    if (this.#waits) this.#over(event);
  };

  readonly #leave = () => {
    this.#waits = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#focused()) this.#close();
    }, CLOSE_AFTER);
  };

  readonly #focus = (event: Event) => {
    const number = this.#claimAt(event);
    if (number !== undefined) this.#open(number);
  };

  readonly #blur = ({ relatedTarget }: FocusEvent) => {
    const to = relatedTarget instanceof Element ? relatedTarget : null;
    if (to && (to.closest(".note") || to.closest("mark"))) return;
    this.#leave();
  };

  readonly #keys = (event: KeyboardEvent) => {
    if (event.key === "Escape" && this.opened !== undefined) {
      event.stopPropagation();
      const mark = this.#mark(this.opened);
      if (this.#focused()) mark?.focus();
      this.#close();
      return;
    }
    const number = this.#claimAt(event);
    if (number === undefined || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    if (this.opened === number) this.renderRoot.querySelector<HTMLElement>(".note button")?.focus();
    else this.#open(number);
  };

  readonly #outside = (event: Event) => {
    if (this.opened !== undefined && !event.composedPath().includes(this)) this.#close();
  };

  /**
   * Under the mark, or above it where there is more room; within the text's width, and no higher than
   * what is in sight there.
   */
  #place(): void {
    const note = this.renderRoot.querySelector<HTMLElement>(".note");
    const first = this.#mark(this.opened)?.getClientRects()[0];
    if (!note || !first) return;
    const room = this.#room();
    const below = room.bottom - first.bottom - 2 * GAP;
    const over = first.top - room.top - 2 * GAP;
    note.style.maxHeight = "";
    note.classList.remove("wide");
    note.classList.toggle("wide", note.offsetHeight > Math.max(below, over));
    const wanted = note.offsetHeight;
    const above = wanted > below && over > below;
    // Where both are low, it lies over its mark.
    const most = Math.max(above ? over : below, Math.min(LEAST, room.bottom - room.top - 2 * GAP));
    note.style.maxHeight = `${most}px`;
    const height = Math.min(wanted, most);
    const top = above ? first.top - GAP - height : first.bottom + GAP;
    const held = Math.max(room.top + GAP, Math.min(top, room.bottom - GAP - height));
    const around = this.getBoundingClientRect();
    // A mark that is out of sight keeps its note.
    note.style.top = `${(over < 0 || below < 0 ? top : held) - around.top}px`;
    const left = Math.min(first.left - around.left, around.width - note.offsetWidth);
    note.style.left = `${Math.max(0, left)}px`;
    this.#fade();
  }

  /** What of a note is not in sight is reached by keys, and fades out where it is cut. */
  readonly #fade = () => {
    const more = this.renderRoot.querySelector<HTMLElement>(".note .more");
    if (!more) return;
    const { scrollTop, clientHeight, scrollHeight } = more;
    more.tabIndex = scrollHeight > clientHeight ? 0 : -1;
    more.classList.toggle("cut", scrollTop + clientHeight < scrollHeight - 1);
  };

  /** What is in sight of what scrolls around this element. */
  #room(): { top: number; bottom: number } {
    for (let at: Node | null = this.parentNode; at;) {
      if (at instanceof HTMLElement && /auto|scroll/.test(getComputedStyle(at).overflowY)) {
        const { top, bottom } = at.getBoundingClientRect();
        return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) };
      }
      at = at instanceof ShadowRoot ? at.host : ((at as Element).assignedSlot ?? at.parentNode);
    }
    return { top: 0, bottom: innerHeight };
  }
}
