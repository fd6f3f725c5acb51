// <pinhole-ask>: a panel over the page that answers questions about its tables. It floats, docks and
// fills small windows; it takes the keyboard only while it has the focus.

import { type PropertyValues, html, nothing, svg } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Chat, Pinhole, Recall } from "../index.js";
import type { ChatOptions, LoadOptions, Locale, TableInfo } from "../types.js";
import { loadMarkdown } from "./answer.js";
import { ASK_STYLES } from "./ask-styles.js";
import { PinholeElement, SHARED } from "./base.js";
import { Completion } from "./completion.js";
import { type Failure, errorCard, failureOf } from "./errors.js";
import { hostNow } from "./host.js";
import { watchPointer } from "./hover.js";
import type { QuestionInput } from "./input.js";
import { Placement } from "./panel.js";
import { OwnEngine, type Stage } from "./source.js";
import { unready, welcome } from "./start.js";
import { CONTROLS, TOKENS } from "./styles.js";
import { Turn } from "./turn.js";
import type { AskAgain, TurnView } from "./turn-view.js";
import type { Dock } from "./types.js";

const ICONS = {
  move: svg`<path d="M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3" />`,
  dock: svg`<path d="M4 5h16v14H4zM14 5v14" />`,
  float: svg`<path d="M4 5h16v14H4zM8 9h8v6H8z" />`,
  clear: svg`<path d="M5 4h14v12H9l-4 4zM12 7v6M9 10h6" />`,
  close: svg`<path d="M6 6l12 12M18 6L6 18" />`,
  resize: svg`<path d="M20 8L8 20M20 15l-5 5" />`,
};

export class Ask extends PinholeElement {
  static override properties = {
    ...SHARED,
    ph: { attribute: false },
    src: {},
    table: {},
    // A page may write the same options anew each time that it renders.
    loadOptions: {
      attribute: false,
      hasChanged: (now: unknown, before: unknown) => JSON.stringify(now) !== JSON.stringify(before),
    },
    endpoint: {},
    model: {},
    wire: {},
    chatOptions: { attribute: false },
    recall: {},
    heading: {},
    open: { type: Boolean, reflect: true },
    dock: { reflect: true },
    noLauncher: { type: Boolean, attribute: "no-launcher" },
    storageKey: { attribute: "storage-key" },
    turns: { state: true },
    revision: { state: true },
    starters: { state: true },
    waiting: { state: true },
    said: { state: true },
    failure: { state: true },
  };
  static override styles = [TOKENS, CONTROLS, ASK_STYLES];

  declare ph: Pinhole | undefined;
  declare src: string | undefined;
  declare table: string | undefined;
  declare loadOptions: LoadOptions | undefined;
  declare endpoint: string | undefined;
  declare model: string | undefined;
  declare wire: ChatOptions["wire"];
  declare chatOptions: ChatOptions | undefined;
  declare recall: Recall | string | undefined;
  declare heading: string | undefined;
  declare open: boolean;
  declare dock: Dock;
  declare noLauncher: boolean;
  declare storageKey: string;
  declare private turns: Turn[];
  /** Counts changes of the turns. */
  declare private revision: number;
  /** Questions to start with. */
  declare private starters: string[];
  /** Questions that wait for the engine and its table. */
  declare private waiting: string[];
  /** What is said to people who listen. */
  declare private said: string;
  declare private failure: Failure | undefined;
  #own: OwnEngine | undefined;
  /** The conversations under way, by the host that answers; none for the built-in planner. */
  #chats = new Map<string | undefined, Chat>();
  /** The questions asked before that the panel keeps itself, by the name of their data set. */
  #kept: { ph: Pinhole; context: string; recall: Recall } | undefined;
  #completion: Completion | undefined;
  /** Whether the panel was open once: closed again, it keeps what is in it. */
  #made = false;
  /** Whether the focus is in the panel; what is taken away with the focus does not say so. */
  #inside = false;
  /** What had the focus before the panel. */
  #before: HTMLElement | undefined;
  readonly #placement = new Placement(this, (what) => {
    const { x, y, width, height } = this.#placement.place;
    this.said = this.t(what, { x, y, width, height });
    if (what === "resized" && this.dock !== "none") this.#toggled();
  });

  constructor() {
    super();
    this.open = false;
    this.dock = "none";
    this.noLauncher = false;
    this.storageKey = "pinhole-ask";
    this.turns = [];
    this.revision = 0;
    this.starters = [];
    this.waiting = [];
    this.said = "";
  }

  override get language(): Locale {
    return this.locale ?? (this.#own ? super.language : (this.ph?.locale ?? super.language));
  }

  get panel(): HTMLElement | null {
    return this.open ? (this.renderRoot.querySelector<HTMLElement>(".panel") ?? null) : null;
  }

  get #stage(): Stage {
    return this.#own?.stage ?? { is: this.ph ? "ready" : "starting" };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Where it is before there is an answer counts, too.
    watchPointer();
    this.#placement.recall();
    // It was taken away, and its engine with it.
    if (this.hasUpdated && this.open) void this.#ready();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved comes back at once.
    setTimeout(() => {
      if (!this.isConnected) this.#leave();
    });
  }

  show(): void {
    const active = deepest(document.activeElement);
    if (!this.open && active && !this.renderRoot.contains(active)) this.#before = active;
    this.open = true;
    void this.updateComplete.then(() => {
      this.#input?.focus({ preventScroll: true });
    });
  }

  hide(): void {
    if (!this.open) return;
    const inside = this.shadowRoot?.activeElement != null;
    this.open = false;
    this.#inside = false;
    const before = this.#before;
    this.#before = undefined;
    if (!inside) return;
    void this.updateComplete.then(() => {
      if (before?.isConnected && before !== document.body) before.focus();
      else this.renderRoot.querySelector<HTMLElement>(".launcher")?.focus();
    });
  }

  clear(): void {
    this.#endChats();
    this.turns = [];
    this.failure = undefined;
  }

  async ask(question: string): Promise<void> {
    this.open = true;
    this.waiting = [...this.waiting, question];
    await this.#ready();
    this.waiting = this.waiting.filter((one) => one !== question);
    if (this.#stage.is === "ready") {
      if (!(await this.#draws(question))) await this.#ask({ question });
      // What was typed meanwhile stays.
    } else if (this.#input?.value === "") this.#input.value = question;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const another =
      (changed.has("ph") && this.ph !== this.#own?.ph) ||
      (this.#own && (changed.has("src") || changed.has("table") || changed.has("loadOptions")));
    if (another) this.#leave();
    if (
      ["endpoint", "model", "wire", "chatOptions", "recall"].some((name) =>
        changed.has(name as keyof Ask),
      )
    ) {
      this.#endChats();
    }
    if (this.open && (changed.has("open") || another)) void this.#ready();
    if (changed.has("locale") && this.hasUpdated) void this.#relabel();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("open") && (changed.get("open") !== undefined || this.open)) this.#toggled();
    setTimeout(this.#keepFocus);
  }

  readonly #left = (event: FocusEvent) => {
    const [from] = event.composedPath();
    const to = event.relatedTarget;
    // It may be taken away, too, before its turn comes below.
    if (to instanceof Node && this.renderRoot.contains(to)) return;
    // What was taken away with the focus is gone a moment later.
    setTimeout(() => {
      if (from instanceof Node && !from.isConnected) this.#keepFocus();
      else this.#inside = this.panel?.contains(this.shadowRoot?.activeElement ?? null) ?? false;
    });
  };

  /** Where what had the focus is not there any more, the question has it. */
  readonly #keepFocus = () => {
    const lost = this.#inside && this.open && document.activeElement === document.body;
    if (lost) this.#input?.focus({ preventScroll: true });
  };

  /** Conversations end, with what they are asking; the next question begins another. */
  #endChats(): void {
    for (const turn of this.turns) turn.cancel();
    for (const chat of this.#chats.values()) chat.close().catch(() => undefined);
    this.#chats.clear();
  }

  /** Ends all that needs the engine; one of its own closes with its table. */
  #leave(): void {
    const own = this.#own;
    this.clear();
    void this.#kept?.recall.close().catch(() => undefined);
    this.#kept = this.#own = undefined;
    if (!own) return;
    if (this.ph === own.ph) this.ph = undefined;
    own.close().catch(() => undefined);
  }

  async #relabel(): Promise<void> {
    if (this.#own?.ph) await this.#own.ph.setLocale(this.language);
    await Promise.all(this.turns.map((turn) => turn.relabel()));
    await this.#start();
  }

  /** Waits for an engine with its table, the page's or an own one. */
  async #ready(): Promise<void> {
    if (!this.ph || this.ph === this.#own?.ph) {
      const own = (this.#own ??= new OwnEngine(() => {
        this.requestUpdate();
      }));
      const { src, table, loadOptions: options } = this;
      await own.open({ locale: this.language, src, table, options });
      if (own !== this.#own || own.stage.is !== "ready" || !own.ph) return;
      this.ph = own.ph;
    }
    const { ph } = this;
    if (this.#completion?.ph !== ph) {
      this.#completion = new Completion(ph);
      this.tell("pinhole-ready", { ph });
    }
    await this.#start();
  }

  async #start(): Promise<void> {
    const table = this.#about();
    this.starters = table ? ((await this.#completion?.suggestions(table)) ?? []) : [];
    this.requestUpdate();
  }

  /** The table that questions are likely to be about: the one that is named, or the last. */
  #about(): TableInfo | undefined {
    const tables = this.ph?.tables() ?? [];
    return tables.find(({ name }) => name === this.table) ?? tables.at(-1);
  }

  get #input(): QuestionInput | null {
    return this.renderRoot.querySelector<QuestionInput>("pinhole-input");
  }

  /** Where the answers come from; none for the built-in planner, empty where the page's code asks. */
  get #host(): string | undefined {
    const { endpoint, transport } = this.#options;
    if (endpoint !== undefined) return new URL(endpoint, document.baseURI).host;
    return transport ? "" : undefined;
  }

  /** What leaves the page, and where it goes. */
  #privacy(host: string | undefined): string {
    const recall = this.recall ?? this.#options.recall;
    const name = typeof recall === "object" ? recall.remote : undefined;
    if (host === undefined)
      return name ? this.t("privacy_embedder", { name }) : this.t("privacy_local");
    const said = host ? this.t("privacy_model", { host }) : this.t("privacy_page");
    return name ? `${said} ${this.t("privacy_embedder_too", { name })}` : said;
  }

  get #options(): ChatOptions {
    if (this.chatOptions) return this.chatOptions;
    const { endpoint, model, wire } = this;
    if (!endpoint) return {};
    return { endpoint, ...(model ? { model } : {}), ...(wire ? { wire } : {}) };
  }

  /** Questions asked before: those of the page, or under a name those of the panel's own. */
  #recall(ph: Pinhole): Recall | undefined {
    const { recall } = this;
    if (recall && typeof recall !== "string") return recall;
    const kept = this.#kept;
    if (kept?.ph === ph && kept.context === recall) return kept.recall;
    this.#kept = undefined;
    void kept?.recall.close().catch(() => undefined);
    if (!recall) return this.#options.recall;
    this.#kept = { ph, context: recall, recall: ph.recall({ context: recall }) };
    return this.#kept.recall;
  }

  /** Asks; where the question has failed `before`, in the place of that. */
  async #ask({ question, byPlanner, ...how }: AskAgain, before?: Turn): Promise<void> {
    const { ph } = this;
    if (!ph) return;
    const host = byPlanner ? undefined : this.#host;
    this.failure = undefined;
    let turn: Turn;
    try {
      const recall = this.#recall(ph);
      const options = {
        ...(host === undefined ? {} : this.#options),
        ...(recall ? { recall } : {}),
      };
      const chat = this.#chats.get(host) ?? ph.chat(options);
      this.#chats.set(host, chat);
      const changed = () => (this.revision += 1);
      const forgot = (one: string) => this.#completion?.forget(one);
      const answered = (one: Turn) => {
        this.#answered(one);
      };
      const unnamed = host !== undefined && !(this.chatOptions ?? this.model);
      const around = { ph, chat, host, unnamed, recall, changed, forgot, answered };
      const failed = before?.failure && before.question === question;
      turn = failed ? before.anew(around) : new Turn(question, around);
    } catch (error) {
      this.failure = failureOf(error);
      return;
    }
    if (host !== undefined) void loadMarkdown();
    this.turns = [...new Set([...this.turns, turn])];
    this.tell("pinhole-ask", { question });
    void this.updateComplete.then(() => {
      this.#views.find((view) => view.turn === turn)?.scrollIntoView({ block: "start" });
    });
    if (!(await turn.run(how))) return;
    if (turn.state === "done" && !turn.ended) this.#completion?.remember(question);
    this.#answered(turn);
    const { result } = turn;
    if (!result || turn.ended || turn.state !== "done") return;
    const words = await import("./chart-words.js").catch(() => undefined);
    const wish = words?.wishOf(question, result);
    const view = this.#views.find((one) => one.turn === turn);
    if (wish) await view?.draw(result, words?.choiceOf(result, wish.kind), false);
  }

  get #views(): TurnView[] {
    return [...this.renderRoot.querySelectorAll<TurnView>("pinhole-turn")];
  }

  /** Opens the chart of the last answer, where the words ask for it alone. */
  async #draws(question: string): Promise<boolean> {
    const result = this.turns.at(-1)?.result;
    if (!result) return false;
    const words = await import("./chart-words.js").catch(() => undefined);
    const asked = words?.chartAsked(question);
    const view = this.#views.at(-1);
    if (!words || !asked || !view) return false;
    await view.draw(result, words.choiceOf(result, asked.kind));
    return true;
  }

  /** Tells the page what came of a question, or of what was taken in its place. */
  #answered(turn: Turn): void {
    const { question, answer, claims, verdict, query, failure, ended, readings, recalled } = turn;
    if (answer !== undefined) this.said = recalled ? `${this.t("by_recall")}: ${answer}` : answer;
    this.tell("pinhole-answer", {
      question,
      answer,
      claims,
      verdict,
      query,
      ended,
      readings,
      asked_at: recalled?.asked_at,
      code: failure?.code,
    });
  }

  #toggled(): void {
    const { open, dock } = this;
    this.tell("pinhole-toggle", { open, dock, width: this.#placement.place.width });
  }

  protected override render(): unknown {
    this.#made ||= this.open;
    return html`${this.#made ? this.#panel() : nothing}
    ${this.open || this.noLauncher ? nothing : this.#launcher()}`;
  }

  #launcher(): unknown {
    return html`<button
      type="button"
      class="launcher"
      part="launcher"
      data-testid="launcher"
      aria-haspopup="dialog"
      @click=${() => {
        this.show();
      }}
    >
      ${this.t("launcher")}
    </button>`;
  }

  #panel(): unknown {
    const docked = this.dock !== "none";
    const host = this.#host;
    const shown =
      host &&
      hostNow(host, () => {
        this.requestUpdate();
      });
    return html`<section
      class="panel ${docked ? `docked ${this.dock}` : ""}"
      part="panel"
      role="dialog"
      aria-modal="false"
      aria-labelledby="title"
      data-testid="panel"
      data-stage=${this.#stage.is}
      ?inert=${!this.open}
      @focusin=${() => {
        this.#inside = true;
      }}
      @focusout=${this.#left}
      lang=${this.language}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        this.hide();
      }}
    >
      <header part="header" @pointerdown=${this.#drag}>
        <h2 id="title" part="title">${this.heading ?? this.t("title")}</h2>
        ${
          docked
            ? nothing
            : this.#icon("move", "only-wide", undefined, (event) => {
                this.#placement.key(event, "move");
              })
        }
        ${this.#icon(docked ? "float" : "dock", "only-wide", () => {
          this.dock = docked ? "none" : "right";
          this.#placement.remember();
          this.#toggled();
        })}
        ${
          this.turns.length > 0
            ? this.#icon("clear", "", () => {
                this.clear();
                this.#input?.focus();
              })
            : nothing
        }
        ${this.#icon("close", "", () => {
          this.hide();
        })}
      </header>
      <div class="body" part="body" tabindex="0" role="region" aria-label=${this.t("conversation")}>
        ${this.#body()}
      </div>
      <footer part="footer">
        <pinhole-input
          exportparts="input, ask, completions"
          .locale=${this.language}
          .placeholder=${
            this.starters[0] ? this.t("placeholder", { question: this.starters[0] }) : ""
          }
          .complete=${this.#complete}
          @input-ask=${({ detail }: CustomEvent<string>) => void this.ask(detail)}
        ></pinhole-input>
        <p
          class="quiet small"
          data-testid="privacy"
          title=${shown === host ? nothing : (host ?? "")}
        >
          ${this.#privacy(shown)}
        </p>
      </footer>
      <button
        type="button"
        class="resize"
        part="resize"
        data-testid="resize"
        aria-label=${this.t("resize")}
        title=${this.t("resize")}
        @pointerdown=${(event: PointerEvent) => {
          this.#placement.drag(event, "resize");
        }}
        @keydown=${(event: KeyboardEvent) => {
          this.#placement.key(event, "resize");
        }}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">${ICONS.resize}</svg>
      </button>
      <div class="unseen" role="status" data-testid="said">${this.said}</div>
    </section>`;
  }

  #icon(
    name: Exclude<keyof typeof ICONS, "resize">,
    kind: string,
    press?: () => void,
    key?: (event: KeyboardEvent) => void,
  ): unknown {
    const label = this.t(name === "clear" ? "new_chat" : name);
    return html`<button
      type="button"
      class="icon ${kind}"
      part="tool"
      data-testid=${name}
      aria-label=${label}
      title=${label}
      @click=${press ?? (() => undefined)}
      @keydown=${key ?? (() => undefined)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>
    </button>`;
  }

  readonly #complete = async (text: string, caret: number) => {
    const table = this.#about();
    return table ? ((await this.#completion?.options(text, caret, table)) ?? []) : [];
  };

  readonly #drag = (event: PointerEvent) => {
    const { target } = event;
    const tool = target instanceof Element ? target.closest("button") : null;
    // The move button is a handle too.
    if (tool === null || tool.dataset["testid"] === "move") this.#placement.drag(event, "move");
  };

  #body(): unknown {
    const stage = this.#stage;
    const locale = this.language;
    const actions = {
      again: () => void this.#ready(),
      cancel: () => this.#own?.cancel(),
      ask: (question: string) => void this.#ask({ question }),
    };
    const first = this.turns.length === 0;
    return html`${stage.is === "ready" ? nothing : unready(locale, stage, actions, this.waiting)}
    ${this.failure ? errorCard(locale, this.failure) : nothing}
    ${
      stage.is === "ready" && first
        ? welcome(locale, this.#about(), this.starters, actions)
        : nothing
    }
    ${repeat(
      this.turns,
      (turn) => turn,
      (turn, i) =>
        html`<pinhole-turn
          exportparts="question, tabs, tab, panel: turn-panel, text, recalled, asked-before, claim, claim-verified, claim-derived, claim-corrected, claim-contradicted, claim-withheld, claim-unverifiable, note, counts, toolbar, frame, grid, detail, raw, figure, drawing, caption, request, error, editor, query-input"
          .locale=${locale}
          .turn=${turn}
          .revision=${this.revision}
          .folded=${i < this.turns.length - 1}
          @turn-ask=${({ detail }: CustomEvent<AskAgain>) => void this.#ask(detail, turn)}
        ></pinhole-turn>`,
    )}`;
  }
}

/** What has the focus, through shadow roots that are open. */
function deepest(element: Element | null): HTMLElement | undefined {
  let at = element;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement ? at : undefined;
}
