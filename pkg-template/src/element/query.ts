// <pinhole-query>: the canonical query, highlighted and editable, with everything that is wrong with
// it at its place and the fix at a press.

import { type PropertyValues, css, html, nothing } from "lit";
import type { Pinhole } from "../index.js";
import type { Result } from "../result.js";
import type { CallOptions, Diagnostic, Progress, Query } from "../types.js";
import { PinholeElement, SHARED, rich } from "./base.js";
import { type Failure, errorCard, failureOf } from "./errors.js";
import { cellText, inWords } from "./facts.js";
import { placeOf, placeText } from "./sql-place.js";
import { type Written, cameTo, editable, sqlHint, written } from "./statement.js";
import { CONTROLS, TOKENS } from "./styles.js";
import { toldAs } from "./typed.js";

/** A name of a field, a text, a number, a word, and what stands between. */
const TOKEN =
  /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|\b(true|false|null)\b|[^"\d\w-]+|./gsu;

export class QueryEditor extends PinholeElement {
  static override properties = {
    ...SHARED,
    ph: { attribute: false },
    query: { attribute: false },
    explanation: {},
    text: { state: true },
    running: { state: true },
    progress: { state: true },
    problems: { state: true },
    failure: { state: true },
    done: { state: true },
    copied: { state: true },
  };

  declare ph: Pinhole | undefined;
  declare query: Query | undefined;
  /** The query in words. */
  declare explanation: string;
  declare private text: string;
  declare private running: AbortController | undefined;
  /** How far the query is. */
  declare private progress: Progress | undefined;
  declare private problems: Diagnostic[];
  declare private failure: Failure | undefined;
  /** What the problems are of. */
  #ran: Query | string | undefined;
  /** What ran last, as long as it stands there. */
  declare private done: Result | undefined;
  declare private copied: "copied" | "copy_failed" | undefined;

  static override styles = [
    TOKENS,
    CONTROLS,
    css`
      [data-testid="error-place"] {
        width: 100%;
        overflow-wrap: anywhere;
      }
      mark {
        background: none;
        color: inherit;
        font-weight: 700;
        text-decoration: wavy underline;
      }
      .editor {
        position: relative;
        border: 1px solid var(--_field-line);
        border-radius: 8px;
        background: var(--_raised);
      }
      .editor:focus-within {
        outline: 2px solid var(--_accent);
        outline-offset: 1px;
      }
      pre,
      textarea {
        width: 100%;
        margin: 0;
        padding: 0.7em 0.8em;
        border: 0;
        font-family: var(--_mono);
        font-size: 0.875em;
        line-height: 1.5;
        tab-size: 2;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        word-break: normal;
      }
      pre {
        min-height: 8em;
      }
      textarea {
        position: absolute;
        inset: 0;
        height: 100%;
        overflow: hidden;
        resize: none;
        background: none;
        color: transparent;
        caret-color: var(--_ink);
      }
      textarea:focus-visible {
        outline: none;
      }
      textarea::selection {
        background: var(--_accent);
        color: var(--_accent-ink);
      }
      progress {
        width: 7em;
        accent-color: var(--_accent);
      }
      .name {
        color: var(--_accent);
        font-weight: 600;
      }
      .string {
        color: var(--_derived);
      }
      .number,
      .word {
        color: var(--_corrected);
      }
    `,
  ];

  constructor() {
    super();
    this.explanation = "";
    this.text = "";
    this.problems = [];
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("query") as Query | undefined;
    // The same query, told anew in another language, leaves what is being written.
    const same = before && this.query && editable(before) === editable(this.query);
    if (changed.has("query") && this.query && !same) {
      this.text = editable(this.query);
      this.problems = [];
      this.failure = this.copied = undefined;
    }
    // It is said of the text as it stands, in the language that is there now.
    if (changed.has("locale") && this.failure?.code === "not_json") {
      const what = written(this.language, this.text);
      if ("wrong" in what) this.failure = { code: "not_json", message: what.wrong };
    }
  }

  protected override render(): unknown {
    if (!this.query) return html`<p class="quiet">${this.t("no_query")}</p>`;
    const hint = sqlHint(this.language, this.query);
    return html`<div class="stack">
      ${
        this.explanation && this.text === editable(this.query)
          ? html`<p class="quiet small" data-testid="query-words">
              ${this.t("in_words", { text: inWords(this.language, this.explanation) })}
            </p>`
          : nothing
      }
      <div class="editor" part="editor">
        <pre aria-hidden="true">${highlighted(this.text)}${"\n"}</pre>
        <textarea
          part="input"
          data-testid="query-text"
          aria-label=${this.t("query_label")}
          spellcheck="false"
          autocomplete="off"
          .value=${this.text}
          @input=${(event: InputEvent) => {
            this.text = (event.target as HTMLTextAreaElement).value;
            this.done = this.copied = undefined;
          }}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.run();
          }}
        ></textarea>
      </div>
      ${hint ? html`<p class="quiet small" data-testid="query-sql">${rich(hint)}</p>` : nothing}
      <div class="row">
        <button
          type="button"
          class="primary"
          data-testid="query-run"
          ?disabled=${this.running !== undefined}
          @click=${() => this.run()}
        >
          ${this.t("run")}
        </button>
        ${this.running ? this.#running(this.running, this.progress) : nothing}
        <button type="button" data-testid="query-copy" @click=${() => this.#copy()}>
          ${this.t("copy")}
        </button>
        <span class="quiet small" role="status" data-testid="query-outcome">
          ${this.copied ? this.t(this.copied) : nothing}
          ${this.done ? this.#done(this.done) : nothing}
        </span>
        ${
          this.done
            ? html`<button
                type="button"
                class="compact"
                data-testid="query-show"
                @click=${() => this.dispatchEvent(new CustomEvent("query-show"))}
              >
                ${this.t("query_show")}
              </button>`
            : nothing
        }
      </div>
      ${
        this.problems.length > 0
          ? errorCard(
              this.language,
              { code: "bad_query", message: "", diagnostics: this.problems },
              { ...(this.#asked ? { onFix: this.#mend } : {}), actions: this.#places() },
            )
          : nothing
      }
      ${this.failure ? errorCard(this.language, this.failure) : nothing}
    </div>`;
  }

  /** Where in the text that was run the problems are. */
  #places(): unknown {
    const places = this.problems.map((one) => placeOf(one, this.#ran ?? ""));
    if (!places.some(Boolean)) return undefined;
    return places.map((place) =>
      place
        ? html`<p class="small" data-testid="error-place">
            ${rich(placeText(this.language, place))}
            <code>${place.before}<mark>${place.wrong || "\u00a0"}</mark>${place.after}</code>
          </p>`
        : nothing,
    );
  }

  #running(running: AbortController, { done, total }: Progress = { done: 0, total: 0 }): unknown {
    const known = total > 0;
    return html`<progress
        aria-label=${this.t("phase_running")}
        max=${known ? total : nothing}
        value=${known ? done : nothing}
      ></progress>
      <button
        type="button"
        data-testid="query-cancel"
        @click=${() => {
          running.abort();
        }}
      >
        ${this.t("cancel")}
      </button>`;
  }

  #done(result: Result): unknown {
    const cell = (value: unknown, column: string): string => cellText(this.language, value, column);
    const size = cameTo(this.language, result, { count: (value) => this.n(value), cell });
    const between = result.kind === "scalar" ? "" : "·";
    return html`${this.t("query_ok", { text: inWords(this.language, toldAs(this.language, result)) })}
      ${between} <b class="strong" data-testid="query-size">${size}</b>`;
  }

  /** Runs what stands in the editor. */
  async run(): Promise<void> {
    const { ph } = this;
    const what = written(this.language, this.text);
    if (!ph || this.running) return;
    this.failure = this.done = this.copied = undefined;
    this.problems = [];
    if ("wrong" in what) {
      this.failure = { code: "not_json", message: what.wrong };
      return;
    }
    this.#ran = "sql" in what ? what.sql : what.query;
    const running = (this.running = new AbortController());
    this.dispatchEvent(new CustomEvent<AbortController>("query-runs", { detail: running }));
    try {
      const result = await this.#result(ph, what, {
        signal: running.signal,
        onProgress: (progress) => {
          this.progress = progress;
        },
      });
      if (!result) return;
      this.text = editable(result.query);
      this.done = result;
      this.dispatchEvent(new CustomEvent<Result>("query-ran", { detail: result }));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.diagnostics?.length) this.problems = failure.diagnostics;
      else this.failure = failure;
    } finally {
      this.running = this.progress = undefined;
    }
  }

  /** The result; none where the query has problems, which are told. */
  async #result(
    ph: Pinhole,
    what: Exclude<Written, { wrong: string }>,
    options: CallOptions,
  ): Promise<Result | undefined> {
    if ("sql" in what) return ph.sql(what.sql, what.params, options);
    this.problems = await ph.validate(what.query);
    return this.problems.length > 0 ? undefined : ph.query(what.query, options);
  }

  /** The query that stands in the editor; none where it is a statement or no query at all. */
  get #asked(): Query | undefined {
    const what = written(this.language, this.text);
    return "query" in what ? what.query : undefined;
  }

  /** Puts a diagnostic's fix into the text. */
  readonly #mend = ({ pointer, span, fix }: Diagnostic) => {
    const query = this.#asked;
    const path = pointer
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = path.pop();
    if (!query || last === undefined || fix === null) return;
    const parent = path.reduce<unknown>(
      (at, part) => (at as Record<string, unknown> | undefined)?.[part],
      query,
    ) as Record<string, unknown> | undefined;
    if (typeof parent !== "object") return;
    const old = parent[last];
    parent[last] =
      span && typeof old === "string" ? old.slice(0, span[0]) + fix + old.slice(span[1]) : fix;
    this.text = editable(query);
    void this.run();
  };

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copied = "copied";
    } catch {
      this.copied = "copy_failed";
    }
  }
}

/** The text in pieces by what they are; together they are the text. */
function highlighted(text: string): unknown {
  const pieces: unknown[] = [];
  for (const [piece, string, colon, number, word] of text.matchAll(TOKEN)) {
    if (string !== undefined) {
      const kind = colon === undefined ? "string" : "name";
      pieces.push(html`<span class=${kind}>${string}</span>`, colon ?? "");
    } else if (number !== undefined) pieces.push(html`<span class="number">${number}</span>`);
    else if (word !== undefined) pieces.push(html`<span class="word">${word}</span>`);
    else pieces.push(piece);
  }
  return pieces;
}
