// One question and what comes of it: the events of a conversation gathered into what is shown. No
// elements here: what shows a turn calls `changed` to hear of it.

import { hostError } from "../errors.js";
import type { Chat, Pinhole, Recall } from "../index.js";
import type { Result } from "../result.js";
import type {
  AskOptions,
  ChatEvent,
  Claim,
  Fact,
  LedgerEntry,
  Page,
  Query,
  Reading,
  RecallSuggestion,
} from "../types.js";
import { type Failure, failureOf } from "./errors.js";
import { AS_TEXT, keysOf } from "./keys.js";
import { readingEnd } from "./texts.js";
import type { Place } from "./sql-place.js";
import { statementIn } from "./typed.js";

/** What is being done. */
export type Phase = "planning" | "waiting" | "running" | "writing" | "checking";

/** A call of a tool other than `query`. */
export interface ToolCall {
  tool: string;
  input: unknown;
  /** The whole answer of a tool for purchases. */
  output: unknown;
}

/** What a turn needs of the conversation around it. */
export interface Around {
  ph: Pinhole;
  chat: Chat;
  /** Where the answers come from; none for the built-in planner, empty where the page's code asks. */
  host: string | undefined;
  /** Whether there is no model to ask for there. */
  unnamed?: boolean;
  /** Questions asked before, where they are kept. */
  recall: Recall | undefined;
  changed: () => void;
  /** Hears that a question was forgotten. */
  forgot: (question: string) => void;
  /** Hears that a reading that was chosen, or a changed query, has answered or failed. */
  answered: (turn: Turn) => void;
}

/** That a question was asked before, and when. */
export type Recalled = Extract<ChatEvent, { type: "recall" }>;

type Handlers = {
  [K in ChatEvent["type"]]: (event: Extract<ChatEvent, { type: K }>) => void | Promise<void>;
};

export class Turn {
  phase: Phase = "planning";
  state: "asking" | "done" | "error" = "asking";
  /** The text while it comes in, not yet checked. */
  draft = "";
  /** The SQL that was typed in place of a question: it runs as it stands. */
  readonly statement: string | undefined;
  answer: string | undefined;
  claims: Claim[] = [];
  verdict: "ok" | "rewrite" | undefined;
  /** Why it ended early, if so. */
  ended: string | undefined;
  /** How the question was understood, with its own claims. */
  reading: { text: string; claims: Claim[] } | undefined;
  title: string | undefined;
  /** Readings to choose from. */
  readings: Reading[] = [];
  /** Words that the model read a mask for. */
  masked: string[] = [];
  /** Results of the turn, and the one in sight. */
  results: Result[] = [];
  result: Result | undefined;
  entries: LedgerEntry[] = [];
  /** Where the answer comes from, if it was given before. */
  recalled: Recalled | undefined;
  /** Whether what answered it before is forgotten since. */
  forgotten = false;
  /** Why it could not be forgotten. */
  trouble: Failure | undefined;
  /** Questions asked before that may be meant. */
  suggestions: RecallSuggestion[] = [];
  failure: Failure | undefined;
  /** Where in the statement it is. */
  place: [words: string, place: Place] | undefined;
  /** Whether a query that the person changed gave the answer. */
  edited = false;
  /** Whether a query that the person took or changed gave it. */
  taken = false;
  /** The fact whose rows are shown. */
  fact: Fact | undefined;
  /** Whether that fact's result is not kept any more. */
  gone = false;
  /** The calls that gave results, by the ids of these. */
  readonly #calls = new Map<string, ToolCall>();
  #abort = new AbortController();
  #understood: string | undefined;

  constructor(
    readonly question: string,
    public around: Around,
  ) {
    this.#begin();
    this.statement = statementIn(question);
  }

  /** Whether the answer is in the planner's words: it answers, or what was asked before does. */
  get local(): boolean {
    return this.around.host === undefined || this.recalled !== undefined || this.taken;
  }

  get busy(): boolean {
    return this.state === "asking";
  }

  /** Whether the question has its answer: it was neither declined nor asked back, nor did it fail. */
  get answered(): boolean {
    return this.state === "done" && this.ended === undefined;
  }

  /** The query that was run last; none where a tool other than `query` gave the result. */
  get query(): Query | undefined {
    return this.call ? undefined : this.result?.query;
  }

  /** The call that gave the result in sight, where no query of the person's or the model's did. */
  get call(): ToolCall | undefined {
    const { result } = this;
    if (!result) return undefined;
    // Tools keep more results than the one that they name: all of them are made by statements.
    const last = "sql" in result.query ? [...this.#calls.values()].at(-1) : undefined;
    return this.edited ? undefined : (this.#calls.get(result.id) ?? last);
  }

  cancel(): void {
    this.#abort.abort();
  }

  #begin(): void {
    this.phase = this.around.host === undefined ? "planning" : "waiting";
  }

  /** Makes room for another answer to what failed, of whoever is there now; what was sent is kept. */
  anew(around: Around): this {
    this.around = around;
    this.#empty();
    this.taken = this.edited = false;
    this.masked = [];
    this.#begin();
    return this;
  }

  /** Asks, and gathers what comes; whether it was not replaced by another answer meanwhile. */
  async run(how: Omit<AskOptions, "signal"> = {}): Promise<boolean> {
    const { ph, chat, changed, recall } = this.around;
    const { statement } = this;
    const { signal } = this.#abort;
    // What the look-up sends is no event of the conversation.
    const elsewhere = recall?.remote;
    const unwatch =
      elsewhere === undefined
        ? undefined
        : ph.ledger.watch((entry) => {
            if (entry.endpoint === elsewhere && this.#goesOn(signal))
              this.entries = [...this.entries, entry];
          });
    try {
      if (statement !== undefined && how.result === undefined) {
        this.taken = true;
        this.phase = "running";
        how = { result: (await ph.sql(statement, [], { signal })).id };
      } else if (this.around.unnamed && (how.recalled ?? how.query ?? how.result) === undefined) {
        throw hostError("model_missing", ph.locale);
      }
      const events = chat.ask(this.question, { ...how, signal });
      for await (const event of events) {
        if (!this.#goesOn(signal)) return false;
        await this.#take(event);
        changed();
      }
    } catch (error) {
      const failure = failureOf(error);
      const place = statement === undefined ? undefined : await this.#locate(failure, statement);
      if (!this.#goesOn(signal)) return false;
      this.place = place;
      this.#fail(failure);
    } finally {
      unwatch?.();
    }
    changed();
    return this.#goesOn(signal);
  }

  /** Whether it is still what this signal ends. */
  #goesOn(signal: AbortSignal): boolean {
    return signal === this.#abort.signal;
  }

  /** Finds where in the statement it went wrong. */
  async #locate(
    { diagnostics: [problem] = [] }: Failure,
    statement: string,
  ): Promise<typeof this.place> {
    const late = await import("./sql-place.js").catch(() => undefined);
    const place = problem && late?.placeOf(problem, statement);
    return late && place && [late.placeText(this.around.ph.locale, place), place];
  }

  async #take(event: ChatEvent): Promise<void> {
    const handle = this.#handlers[event.type] as (event: ChatEvent) => void | Promise<void>;
    await handle(event);
  }

  readonly #handlers: Handlers = {
    text: ({ delta }) => {
      this.draft += delta;
      this.phase = "writing";
    },
    // What was said before a tool is called is a remark and no part of the answer.
    tool_call: ({ title }) => {
      this.draft = "";
      this.phase = "running";
      if (this.local) this.#understood = title ?? undefined;
    },
    tool_error: () => {
      this.phase = "waiting";
    },
    draft: ({ status }) => {
      if (status !== "rejected") return;
      this.draft = "";
      this.phase = "checking";
    },
    title: ({ title }) => {
      if (!this.local) this.title = title;
    },
    data_block: async ({ result_id: id, tool, input, output }) => {
      if (tool !== "query") this.#calls.set(id, { tool, input, output });
      const { signal } = this.#abort;
      const there = this.results.find((result) => result.id === id);
      const result = there ?? (await this.around.ph.result(id));
      if (!this.#goesOn(signal)) return;
      if (result) this.#show(result);
      this.phase = this.local ? "writing" : "waiting";
    },
    claims: () => undefined,
    readings: ({ readings }) => {
      this.readings = readings;
    },
    ledger: ({ entry }) => {
      this.entries = [...this.entries, entry];
    },
    masked: ({ texts }) => {
      this.masked = texts;
    },
    done: ({ answer, claims, verdict, ended }) => {
      this.#finish(answer, claims, verdict, ended ?? undefined);
    },
    recall: (event) => {
      this.recalled = event;
      this.phase = "running";
    },
    suggestions: ({ suggestions }) => {
      this.suggestions = suggestions;
    },
    error: (failure) => {
      this.#fail(failure);
    },
  };

  #show(result: Result): void {
    this.result = result;
    if (!this.results.includes(result)) this.results = [...this.results, result];
  }

  /** The planner's answer begins with how it read the question: that is shown in its own place. */
  #finish(text: string, claims: Claim[], verdict: "ok" | "rewrite", ended?: string): void {
    const head = this.local ? readingEnd(text, this.#understood) : 0;
    const rest = text.slice(head).trimStart();
    const from = text.length - rest.length;
    // A statement says itself what it does.
    const own = this.result && "sql" in this.result.query && !this.call;
    if (head > 0 && !own) {
      const inHead = claims.filter(({ end }) => end <= head);
      this.reading = { text: text.slice(0, head), claims: inHead };
    }
    this.answer = rest;
    this.claims = claims
      .filter(({ start }) => start >= from)
      .map((claim) => ({ ...claim, start: claim.start - from, end: claim.end - from }));
    this.verdict = verdict;
    this.ended = ended;
    this.state = "done";
  }

  #fail(failure: Failure): void {
    this.failure = failure;
    this.state = "error";
  }

  /** Answers anew with the result of a query that the person changed. */
  async replace(result: Result): Promise<void> {
    this.edited = true;
    if (await this.#answerWith({ result: result.id }, result)) this.around.answered(this);
  }

  /** Answers with a reading that was chosen; where that fails, the others can be. */
  async choose({ query }: Reading): Promise<void> {
    const { readings } = this;
    if (!(await this.#answerWith({ query }))) return;
    if (this.failure) this.readings = readings;
    this.around.changed();
    this.around.answered(this);
  }

  /** A result that is there already stays in sight. */
  async #answerWith(how: Pick<AskOptions, "query" | "result">, result?: Result): Promise<boolean> {
    this.#empty(result);
    this.taken = true;
    this.phase = "running";
    this.around.changed();
    return this.run(how);
  }

  /** Takes away what is said of something else. */
  #empty(result?: Result): void {
    this.cancel();
    this.#abort = new AbortController();
    Object.assign(this, { state: "asking", draft: "", claims: [] });
    this.result = result;
    this.results = result ? [result] : [];
    this.readings = [];
    this.suggestions = [];
    // It was the title of what is replaced.
    this.title = this.answer = this.verdict = this.place = undefined;
    this.reading = this.failure = this.ended = this.fact = this.recalled = undefined;
  }

  /** Forgets what answered the question before. */
  async forget(): Promise<void> {
    const { recall, changed, forgot } = this.around;
    if (!recall || !this.recalled) return;
    const { script_id: id, question } = this.recalled;
    this.trouble = undefined;
    try {
      if (!(await recall.delete(id)) && (await recall.get(id)))
        throw hostError("recall_kept", this.around.ph.locale);
      this.forgotten = true;
      for (const one of [question, this.question]) forgot(one);
    } catch (error) {
      this.trouble = failureOf(error);
    }
    changed();
  }

  /** Shows another result of the turn. */
  see(result: Result): void {
    this.result = result;
    this.fact = undefined;
    this.around.changed();
  }

  /** Finds the result of a fact and shows it; false where it is not kept any more. */
  async evidence(fact: Fact): Promise<boolean> {
    const found = await this.#resultOf(fact);
    this.gone = !found;
    if (found) {
      this.#show(found);
      this.fact = fact;
    }
    this.around.changed();
    return !this.gone;
  }

  /** The first rows behind a fact. */
  async source(fact: Fact, limit: number): Promise<Page | undefined> {
    const result = await this.#resultOf(fact);
    if (!result) return undefined;
    if (result.table && result.kind === "table") {
      return result.table.page(fact.row ?? 0, fact.row == null ? limit : 1, AS_TEXT);
    }
    const key = Object.keys(fact.key).length > 0 ? await this.#exactKey(result, fact) : null;
    return result.source(key, { limit, ...AS_TEXT });
  }

  /** The keys of a fact's group as the table has them: those of the fact may be written for people. */
  async #exactKey(result: Result, fact: Fact): Promise<Record<string, unknown>> {
    if (fact.row == null || !result.table) return fact.key;
    const { columns, rows } = await result.table.page(fact.row, 1, AS_TEXT);
    const [row] = rows;
    if (!row) return fact.key;
    return Object.fromEntries(keysOf(result).map((name) => [name, row[columns.indexOf(name)]]));
  }

  async #resultOf({ result: id }: Fact): Promise<Result | undefined> {
    const own = this.results.find((result) => result.id === id);
    return own ?? (await this.around.ph.result(id).catch(() => undefined));
  }

  /** Says again what the engine says, after another language was chosen. */
  async relabel(): Promise<void> {
    const { result } = this;
    const fresh = result && (await this.around.ph.result(result.id).catch(() => undefined));
    if (!fresh || this.result !== result) return;
    this.results = this.results.map((one) => (one === result ? fresh : one));
    this.result = fresh;
    this.around.changed();
  }
}
