// <pinhole-turn>: a question with the views of its answer as tabs.

import { type PropertyValues, html, nothing } from "lit";
import { cache } from "lit/directives/cache.js";
import type { Result } from "../result.js";
import type { Fact } from "../types.js";
import { PinholeElement, SHARED, breakable, rich } from "./base.js";
import { CALL_STYLES, callView } from "./call.js";
import { type Head, headText, headsNow } from "./called.js";
import { errorCard, isCancel } from "./errors.js";
import { inWords } from "./facts.js";
import { chartOf, tooManyKeys } from "./fits.js";
import { hostNow } from "./host.js";
import { CONTROLS, TOKENS } from "./styles.js";
import { part } from "./late.js";
import { emptyNote } from "./start.js";
import { type Turn } from "./turn.js";
import { scopeText } from "./scope.js";
import { saysMore } from "./texts.js";
import { TURN_STYLES } from "./turn-styles.js";
import type { ChartChoice, EvidenceDetail } from "./types.js";

/** What shows questions asked before, once it is there. */
let before: typeof import("./recalled.js") | undefined;

const TABS = ["answer", "query", "data", "chart", "sent"] as const;
type Tab = (typeof TABS)[number];

export class TurnView extends PinholeElement {
  static override properties = {
    ...SHARED,
    turn: { attribute: false },
    revision: { type: Number },
    folded: { type: Boolean, reflect: true },
    tab: { state: true },
    wish: { state: true },
  };

  declare turn: Turn | undefined;
  /** Counts what was heard of the turn. */
  declare revision: number;
  /** Whether only the question is shown. */
  declare folded: boolean;
  declare private tab: Tab;
  /** The chart that was asked for in words. */
  declare private wish: { result: Result; choice: ChartChoice | undefined } | undefined;

  /** The edited query that runs: it goes on while another tab is looked at. */
  #running: AbortController | undefined;

  static override styles = [TOKENS, CONTROLS, TURN_STYLES, CALL_STYLES];

  constructor() {
    super();
    this.revision = 0;
    this.folded = false;
    this.tab = "answer";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("turn")) this.tab = "answer";
    if (this.folded) this.#running?.abort();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // One that is only moved comes back at once.
    setTimeout(() => {
      if (!this.isConnected) this.#running?.abort();
    });
  }

  protected override render(): unknown {
    const { turn } = this;
    if (!turn) return nothing;
    return html`<article
      aria-busy=${String(turn.busy)}
      data-testid="turn"
      data-state=${turn.state}
      data-verdict=${turn.verdict ?? nothing}
    >
      <h3 class="heading">
        <button
          type="button"
          class="question"
          part="question"
          data-testid="turn-question"
          aria-expanded=${String(!this.folded)}
          @click=${() => (this.folded = !this.folded)}
        >
          ${breakable(turn.question)}
        </button>
      </h3>
      ${this.folded ? nothing : this.#body(turn)}
    </article>`;
  }

  #body(turn: Turn): unknown {
    const { result } = turn;
    const wished = this.wish?.result === result;
    // Where a chart has no room, or one was asked for, the tab says why there is none.
    const drawn = result && (wished || (chartOf(result) ?? tooManyKeys(result)[0]));
    const tabs = TABS.filter((tab) => tab !== "chart" || drawn);
    const tab = tabs.includes(this.tab) ? this.tab : "answer";
    const key = (event: KeyboardEvent) => {
      const at = tabs.indexOf(tab);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.tab = tabs.at(to % tabs.length) ?? "answer";
      void this.updateComplete.then(() => {
        this.renderRoot.querySelector<HTMLElement>('[role="tab"][tabindex="0"]')?.focus();
      });
    };
    return html`<div class="tabs" role="tablist" part="tabs" aria-label=${this.t("answer_views")}>
        ${tabs.map(
          (name) =>
            html`<button
              type="button"
              role="tab"
              id="tab-${name}"
              part="tab"
              data-testid="tab-${name}"
              aria-controls="panel"
              aria-selected=${String(name === tab)}
              tabindex=${name === tab ? 0 : -1}
              @click=${() => (this.tab = name)}
              @keydown=${key}
            >
              ${this.t(`tab_${name}`)}
            </button>`,
        )}
      </div>
      <div
        class="panel"
        id="panel"
        role="tabpanel"
        part="panel"
        tabindex="0"
        aria-labelledby="tab-${tab}"
        data-testid="panel-${tab}"
      >
        ${cache(tab === "query" && !turn.call ? this.#query(turn) : nothing)}
        ${this.#panel(turn, tab)}
      </div>`;
  }

  #panel(turn: Turn, tab: Tab): unknown {
    const { ph } = turn.around;
    const { result, language } = { result: turn.result, language: this.language };
    switch (tab) {
      case "answer":
        return this.#answer(turn);
      case "query":
        return turn.call ? callView(language, turn.call) : nothing;
      case "data":
        return html`<pinhole-data
          exportparts="toolbar, frame, grid, detail, raw, error"
          .locale=${language}
          .ph=${ph}
          .asked=${turn.question}
          .results=${turn.results}
          .result=${result}
          .fact=${turn.fact}
          @data-choose=${({ detail }: CustomEvent<Result>) => {
            turn.see(detail);
          }}
        ></pinhole-data>`;
      case "chart":
        if (result && tooManyKeys(result)[0]) return this.#noChart(result);
        return part(
          language,
          () => import("./chart.js"),
          html`<pinhole-chart
            exportparts="toolbar, figure, drawing, caption, error"
            .locale=${language}
            .result=${result}
            .asked=${turn.question}
            .choice=${this.wish?.result === result ? this.wish?.choice : undefined}
          ></pinhole-chart>`,
        );
      case "sent":
        return html`<pinhole-ledger
          exportparts="request, error"
          .locale=${language}
          .ph=${ph}
          .entries=${turn.entries}
        ></pinhole-ledger>`;
    }
  }

  #noChart(result: Result): unknown {
    const keys = tooManyKeys(result);
    const heads = this.#called(result);
    const columns = keys.map(({ name }) => {
      const head = heads.find((one) => one.name === name);
      return head ? headText(head) : name;
    });
    return html`<p class="quiet" data-testid="chart-keys">
      ${this.t("chart_keys", { n: keys.length, columns: columns.join(", ") })}
    </p>`;
  }

  /** The query in its editor, which stays as it is while another tab is looked at. */
  #query(turn: Turn): unknown {
    const { result, around } = turn;
    const editor = html`<pinhole-query
      exportparts="editor, input: query-input, error"
      .locale=${this.language}
      .ph=${around.ph}
      .query=${result?.query ?? (turn.statement && { sql: turn.statement })}
      .explanation=${result && !("sql" in result.query) ? result.explanation : ""}
      @query-runs=${({ detail }: CustomEvent<AbortController>) => (this.#running = detail)}
      @query-ran=${({ detail }: CustomEvent<Result>) => void turn.replace(detail)}
      @query-show=${() => void this.#showData()}
    ></pinhole-query>`;
    return html`${part(this.language, () => import("./editor.js"), editor)}`;
  }

  #answer(turn: Turn): unknown {
    const { reading, result, edited, gone, masked, failure } = turn;
    const source = (fact: Fact, limit: number) => turn.source(fact, limit);
    const evidence = ({ detail }: CustomEvent<EvidenceDetail>) => void this.#evidence(turn, detail);
    const explained = !reading && !turn.call && result?.explanation;
    const own = result && "sql" in result.query;
    const byPlanner = turn.around.host === undefined;
    const asked = this.#before(turn);
    return html`<div class="stack">
      ${asked?.recalledNote(this.language, turn, {
        afresh: () => {
          this.#ask({ question: turn.question, byPlanner, fresh: true });
        },
        forget: () => void this.#forget(turn),
      })}
      ${turn.title && saysMore(turn.title, turn.question) ? html`<p class="quiet small">${turn.title}</p>` : nothing}
      ${
        reading
          ? html`<pinhole-answer
              class="quiet small"
              data-testid="read-as"
              .locale=${this.language}
              .text=${reading.text}
              .claims=${[]}
            ></pinhole-answer>`
          : nothing
      }
      ${
        explained
          ? html`<p class="quiet small" data-testid="understood">
              ${own ? this.t("sql_own") : this.t("understood", { text: inWords(this.language, explained) })}
            </p>`
          : nothing
      }
      ${edited ? html`<p class="quiet small">${this.t("edited")}</p>` : nothing}
      ${this.#text(turn, source, evidence)} ${this.#unrun(turn)}
      ${turn.busy ? this.#working(turn) : nothing} ${failure ? this.#failure(turn) : nothing}
      ${
        gone
          ? html`<p class="warning" role="alert" data-testid="result-gone">
              ${this.t("result_gone")}
            </p>`
          : nothing
      }
      ${masked.length > 0 ? this.#masked(turn) : nothing}
      ${turn.readings.length > 0 ? this.#readings(turn) : nothing}
      ${
        result && result.warnings.length > 0
          ? html`<div class="warning" data-testid="warnings">
              <b>${this.t("warnings")}</b>
              <ul>
                ${result.warnings.map(
                  ({ code, message }) =>
                    html`<li data-code=${code}>${rich(inWords(this.language, message))}</li>`,
                )}
              </ul>
            </div>`
          : nothing
      }
      ${asked?.suggestionsView(this.language, turn, ({ id, question }) => {
        this.#ask({ question, byPlanner, recalled: id });
      })}
      ${turn.state === "done" ? this.#foot(turn) : nothing}
      ${asked?.keepingNote(this.language, turn)}
    </div>`;
  }

  /** What shows the questions asked before that this turn may be about. */
  #before({ around, recalled }: Turn): typeof before {
    if (before ?? !(around.recall ?? recalled)) return before;
    void import("./recalled.js").then(
      (module) => {
        before = module;
        this.requestUpdate();
      },
      () => undefined,
    );
    return undefined;
  }

  /** Where the answer comes from, as people read it. */
  #host(turn: Turn): string {
    const { host } = turn.around;
    if (!host) return this.t("host_page");
    return hostNow(host, () => {
      this.requestUpdate();
    });
  }

  #working(turn: Turn): unknown {
    const host = this.#host(turn);
    const key = turn.phase === "writing" ? "unchecked" : (`phase_${turn.phase}` as const);
    return html`<p class="working quiet" role="status" data-testid="working">
      ${this.t(key, { host })}
      <button
        type="button"
        class="compact"
        data-testid="cancel"
        @click=${() => {
          turn.cancel();
        }}
      >
        ${this.t("cancel")}
      </button>
    </p>`;
  }

  #text(
    turn: Turn,
    source: (fact: Fact, limit: number) => Promise<unknown>,
    evidence: (event: CustomEvent<EvidenceDetail>) => void,
  ): unknown {
    const text = turn.answer ?? turn.draft;
    if (text === "") return nothing;
    // What the planner could not read ends with questions that can be asked instead.
    const lists = turn.local && turn.ended === "not_understood";
    const [head = "", ...questions] = lists ? text.split("\n- ") : [text];
    // Where there is nothing to ask about, no other question helps.
    const tables = lists ? turn.around.ph.tables() : [];
    const empty = tables.length > 0 && tables.every(({ rows }) => rows === 0);
    return html`<pinhole-answer
        exportparts="text, claim, claim-verified, claim-derived, claim-corrected, claim-contradicted, claim-withheld, claim-unverifiable, note, counts"
        data-testid="answer"
        .locale=${this.language}
        .text=${head}
        .claims=${turn.claims}
        .markdown=${!turn.local}
        .draft=${turn.answer === undefined}
        .source=${source}
        .heads=${(fact: Fact) => this.#heads(turn, fact)}
        @pinhole-evidence=${evidence}
      ></pinhole-answer>
      ${empty ? emptyNote(this.language) : nothing}
      ${questions.length > 0 ? this.#instead(questions) : nothing}`;
  }

  /** What the columns of a fact's result are called. */
  #heads({ results }: Turn, fact: Fact): readonly Head[] {
    const result = results.find(({ id }) => id === fact.result);
    return result ? this.#called(result) : [];
  }

  /** What the columns of a result are called. */
  #called(result: Result): readonly Head[] {
    return headsNow(this.language, result, () => {
      this.requestUpdate();
    });
  }

  #instead(questions: string[]): unknown {
    return html`<div
      class="choices"
      role="group"
      data-testid="instead"
      aria-label=${this.t("instead")}
    >
      ${questions.map(
        (question) =>
          html`<button
            type="button"
            class="compact"
            @click=${() => {
              this.#ask({ question: question.trim() });
            }}
          >
            ${breakable(question.trim())}
          </button>`,
      )}
    </div>`;
  }

  #readings(turn: Turn): unknown {
    // The answer's text asks which one is meant.
    return html`<div
      class="choices"
      role="group"
      data-testid="readings"
      aria-label=${this.t("readings")}
    >
      ${turn.readings.map(
        (reading) =>
          html`<button
            type="button"
            data-testid="reading"
            @click=${() => void turn.choose(reading)}
          >
            ${inWords(this.language, reading.explanation)}
          </button>`,
      )}
    </div>`;
  }

  #masked(turn: Turn): unknown {
    return html`<div class="warning" role="alert" data-testid="masked">
      <p>${this.t("masked", { texts: turn.masked.join(", ") })}</p>
      <div class="row">
        <button
          type="button"
          class="compact"
          data-testid="masked-send"
          @click=${() => {
            this.#ask({ question: turn.question, confirm: turn.masked });
          }}
        >
          ${this.t("masked_send")}
        </button>
      </div>
    </div>`;
  }

  #failure(turn: Turn): unknown {
    const { failure } = turn;
    if (!failure) return nothing;
    const local = turn.around.host === undefined;
    const [where, place] = turn.place ?? [];
    const actions = html`${
      place
        ? html`<p class="small place" data-testid="error-place">
            ${rich(where ?? "")}
            <code>${place.before}<mark>${place.wrong}</mark>${place.after}</code>
          </p>`
        : nothing
    }${this.#again(turn, "again", local)}
    ${local || isCancel(failure) ? nothing : this.#again(turn, "ask_planner", true)}`;
    return errorCard(this.language, failure, { actions });
  }

  #again({ question }: Turn, key: "ask_planner" | "again", byPlanner: boolean): unknown {
    return html`<button
      type="button"
      class="compact"
      data-testid=${key}
      @click=${() => {
        this.#ask({ question, byPlanner });
        // The button goes with what failed.
        void this.#showData("answer");
      }}
    >
      ${this.t(key)}
    </button>`;
  }

  /** That a model has numbers and no query behind them: a list of marks alone says it too mildly. */
  #unrun(turn: Turn): unknown {
    const { answered, claims, local, result } = turn;
    if (!answered || local || result || !claims[0]) return nothing;
    if (claims.some(({ verdict }) => verdict !== "unverifiable")) return nothing;
    return html`<div class="warning" data-testid="unrun">
      <div class="row">${this.t("no_query")} ${this.#again(turn, "ask_planner", true)}</div>
    </div>`;
  }

  #foot(turn: Turn): unknown {
    const { host, ph } = turn.around;
    const scope = turn.result
      ? scopeText(this.language, turn.result, ph.tables(), (value) => this.n(value))
      : "";
    const local = host === undefined || turn.taken;
    const answered = local ? this.t("by_planner") : this.t("by_model", { host: this.#host(turn) });
    const by = turn.recalled ? this.t("by_recall") : answered;
    return html`<div class="row between">
      <p class="quiet small" data-testid="foot">
        ${[scope, turn.edited || turn.statement ? "" : by].filter(Boolean).join(" · ")}
      </p>
      ${turn.answer && !(turn.local && turn.ended) ? this.#copy(turn.answer) : nothing}
    </div>`;
  }

  /** The answer as it was written: Markdown of a model stays Markdown, and no mark is in it. */
  #copy(answer: string): unknown {
    return html`<pinhole-copy
      data-testid="answer-copy"
      .locale=${this.language}
      .text=${answer}
      .label=${this.t("copy_answer")}
    ></pinhole-copy>`;
  }

  #ask(detail: AskAgain): void {
    this.dispatchEvent(new CustomEvent<AskAgain>("turn-ask", { detail }));
  }

  async #forget(turn: Turn): Promise<void> {
    await turn.forget();
    // The button goes with what it forgot.
    const next = this.renderRoot.querySelector<HTMLElement>('[data-testid="recall-fresh"]');
    if (turn.forgotten) next?.focus();
  }

  async #evidence(turn: Turn, { fact }: EvidenceDetail): Promise<void> {
    await this.#showData((await turn.evidence(fact)) ? "data" : this.tab);
  }

  /** Shows the chart of a result, of a choice where there is one, and goes on there where `there` says so. */
  async draw(result: Result, choice: ChartChoice | undefined, there = true): Promise<void> {
    this.folded &&= !there;
    this.wish = { result, choice };
    if (there) await this.#showData("chart");
    else if (this.tab === "answer") this.tab = "chart";
  }

  /** Shows the rows, and goes on there. */
  async #showData(tab: Tab = "data"): Promise<void> {
    this.tab = tab;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#panel")?.focus();
  }
}

/** A question that a turn asks for. */
export interface AskAgain {
  question: string;
  /** Words to send as they are. */
  confirm?: string[];
  /** Whether the built-in planner is to answer, whatever the endpoint. */
  byPlanner?: boolean;
  /** Whether what answered it before is not looked at. */
  fresh?: boolean;
  /** The record of a question asked before that is to answer. */
  recalled?: number;
}
