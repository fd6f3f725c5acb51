// Questions asked before: found by the engine, run here, kept in a store.

import { PinholeError, human, hostError, technical, toError, unless } from "./errors.js";
import type { GlueFound, GlueSession, Op, OpArgs, OpResult } from "./glue.js";
import { type Call, checkOptions } from "./options.js";
import { abortable } from "./platform.js";
import type { RecallSurroundings } from "./recall-around.js";
import { ranCalls, resultsOf } from "./recall-calls.js";
import {
  Clarify,
  NOT_ITS_FAULT,
  type Ran,
  type RecallKept,
  type RecallRun,
  notAsThingsAre,
  shownOf,
  start,
} from "./recall-run.js";
import { RecallSet, moment } from "./recall-set.js";
import { type RecallChanges, type RecallStore, storeFailure } from "./recall-store.js";
import type {
  RecallAnswer,
  RecallBefore,
  RecallImported,
  RecallOptions,
  RecallRecord,
  RecallSuggestions,
} from "./recall-types.js";
import { cancelled } from "./rpc.js";
import type { CallOptions } from "./types.js";

/** Vectors that are made at a time: the engine serves other calls in between. */
const BATCH = 1_000;

type RecallOp = Extract<Op, `recall_${string}`>;
type After<A extends unknown[]> = A extends [recall: number, ...rest: infer R] ? R : never;

/** The questions of one data set. */
export class Recall {
  readonly context: string;
  /** The name of the embedder elsewhere that questions leave for; none where they all stay. */
  readonly remote: string | undefined;
  #problem: PinholeError | undefined;
  /** Why the last question has no vector. */
  #unmade: PinholeError | undefined;
  readonly #around: RecallSurroundings;
  readonly #options: RecallOptions;
  readonly #store: RecallStore;
  readonly #unwatch: (() => void) | undefined;
  #set: RecallSet | undefined;
  /** What of the store cannot be read. */
  #damage: PinholeError | undefined;
  /** What the store has not taken yet: it outlives an engine that dies. */
  #unsaved: RecallChanges = { put: [], gone: [] };
  #flushing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #closed = false;
  /** What an embedder elsewhere said last; nothing where it was not asked or failed. */
  #last: { question: string; vector: Float32Array | undefined } | undefined;

  constructor(options: RecallOptions, store: RecallStore, around: RecallSurroundings) {
    const { context, embedder } = options;
    if (typeof context !== "string" || context === "")
      throw hostError("bad_option", around.locale(), "context");
    if (embedder) {
      const { dim, name, remote } = embedder;
      if (!Number.isInteger(dim) || typeof embedder.embed !== "function")
        throw hostError("bad_option", around.locale(), "embedder");
      // The ledger says where questions went.
      if (remote && !name) throw hostError("bad_option", around.locale(), "embedder.name");
    }
    this.context = context;
    this.remote = embedder?.remote ? embedder.name : undefined;
    this.#options = options;
    this.#store = store;
    this.#around = around;
    this.#unwatch = store.watch?.((changes) => {
      void this.#set?.heard(changes).catch(() => undefined);
    });
  }

  /**
   * The last failure to read or to write the store, else why the last question has no vector; the
   * records in memory serve on.
   */
  get problem(): PinholeError | undefined {
    return this.#problem ?? this.#unmade;
  }

  /**
   * Answers a question: as it was answered before, else by the built-in planner, whose answer is
   * kept. `fresh` does not look at earlier answers.
   */
  async ask(
    question: string,
    options: CallOptions & { fresh?: boolean } = {},
  ): Promise<RecallAnswer> {
    this.#takes("recall.ask", options);
    const { fresh, ...call } = options;
    const found = fresh ? undefined : await this.find(question, call.signal);
    if (found?.found === "run") {
      const run = this.run(found.record, { ...call, question, by: found.by });
      const answer = (await run.catch(notAsThingsAre))?.answer;
      // What failed is not found again: the question is open.
      if (answer?.success || answer?.error === "clarify") return answer;
    }
    const offered =
      found?.found === "suggest"
        ? { suggestions: found.suggestions, high_confidence: found.high_confidence }
        : {};
    return { ...(await this.#plan(question, call)), ...offered };
  }

  /**
   * Questions like this one, whether or not they ask the same. Nothing runs, and nothing leaves for
   * an embedder elsewhere unless `embed` says so: what is typed may not be meant to be asked.
   */
  async suggest(
    question: string,
    options: { limit?: number; threshold?: number; embed?: boolean; signal?: AbortSignal } = {},
  ): Promise<RecallSuggestions> {
    this.#takes("recall.suggest", options);
    const { limit, threshold, embed = !this.#options.embedder?.remote, signal } = options;
    const how = {
      ...(limit === undefined ? {} : { limit }),
      ...(threshold === undefined ? {} : { threshold }),
    };
    const vector = embed ? await this.#vector(question, signal, true) : undefined;
    const args: After<OpArgs<"recall_suggest">> = [this.context, question, how, vector];
    return this.#known(() => this.#call("recall_suggest", args), signal);
  }

  /** The records of this data set, last changed first. */
  list(): Promise<RecallRecord[]> {
    return this.#call("recall_list", [this.context]);
  }

  async get(id: number): Promise<RecallRecord | undefined> {
    const set = await this.#records();
    if (!set.early || !(await set.sooner(id))) return this.#call("recall_get", [this.context, id]);
    read(set);
    return this.#ask(set, "recall_get", [await set.number, this.context, id]);
  }

  /** Keeps what answers a question; it is found once it ran (`execute`). Gives its number. */
  async save(
    question: string,
    kept: { kind: RecallRecord["kind"]; script: string },
    options: { signal?: AbortSignal } = {},
  ): Promise<number> {
    this.#takes("recall.save", options);
    const { signal } = options;
    const id = await this.#save(question, kept.kind, kept.script, { signal });
    await this.#flush(true);
    return id;
  }

  /** Changes what answers a question, or whether it is found; whether there is such a record. */
  async update(id: number, edit: { script?: string; is_valid?: boolean }): Promise<boolean> {
    const there = await this.#call("recall_update", [this.context, id, edit, moment()]);
    await this.#flush(true);
    return there;
  }

  /** Forgets a question; whether there was one. */
  async delete(id: number): Promise<boolean> {
    const there = await this.#call("recall_delete", [this.context, id]);
    await this.#flush(true);
    return there;
  }

  /** Runs what answered a question, over the tables as they are now. */
  async execute(id: number, options: CallOptions = {}): Promise<RecallAnswer> {
    this.#takes("recall.execute", options);
    const record = await this.get(id);
    if (!record) throw hostError("unknown_question", this.#around.locale(), String(id));
    return (await this.run(record, options)).answer;
  }

  /** The records as text, one JSON object a line. */
  async export(options: { signal?: AbortSignal } = {}): Promise<string> {
    this.#takes("recall.export", options);
    return abortable(this.#call("recall_export", [this.context]), options.signal);
  }

  /**
   * Takes in such lines, all of them or, where that was cancelled in time, none. What is imported runs
   * once its question is asked: import what you trust.
   */
  async import(
    lines: string | Uint8Array,
    options: { signal?: AbortSignal } = {},
  ): Promise<RecallImported> {
    this.#takes("recall.import", options);
    const { signal } = options;
    const bytes = typeof lines === "string" ? new TextEncoder().encode(lines) : lines;
    const read = this.#records().then((set) => set.whole());
    await abortable(read, signal);
    const imported = await this.#call("recall_import", [bytes]);
    await this.#flush(true);
    return imported;
  }

  /** Makes the vectors that records lack, as after a change of the embedder; how many. */
  async migrate(options: { signal?: AbortSignal } = {}): Promise<number> {
    this.#takes("recall.migrate", options);
    const { signal } = options;
    let made = 0;
    for (;;) {
      if (signal?.aborted) throw cancelled(signal);
      const some = await this.#fillSome(signal);
      if (some === 0) break;
      made += some;
    }
    await this.#flush(true);
    return made;
  }

  /** Lets the records in memory go. What is kept stays; every later call rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes these, and forgets all that is kept of the data set, with what of it cannot be read. */
  async clear(): Promise<void> {
    await this.close();
    const store = this.#store;
    try {
      if (store.clear) {
        await store.clear(this.context);
      } else {
        const gone = (await store.load(this.context)).map(({ id }) => id);
        await store.apply({ put: [], gone });
      }
    } catch (error) {
      throw storeFailure(error, this.#around.locale());
    }
  }

  #takes(call: Call, options: object): void {
    checkOptions(call, options, this.#around.locale());
  }

  async #close(): Promise<void> {
    if (this.#set) await this.#flush(false);
    this.#closed = true;
    this.#unwatch?.();
    // What was under way may have opened them again.
    await this.#set?.end();
    this.#set = undefined;
  }

  /** Looks a question up, `after` what was asked before it. Nothing runs. */
  async find(
    question: string,
    signal?: AbortSignal,
    { after }: { after?: string | undefined } = {},
  ): Promise<GlueFound> {
    this.#open();
    // Without tables nothing could run, and no record could be told from one that fits no more.
    await this.#around.engine.ready;
    if (this.#around.tables() === 0) return { found: "nothing", unfit: [] };
    const same = after === undefined ? await this.#same(question, signal) : undefined;
    if (same) return same;
    const { remote = false } = this.#options.embedder ?? {};
    const look = async (vector: Float32Array | undefined) => {
      const args: After<OpArgs<"recall_ask">> = [this.context, question, vector, after];
      const found = await this.#known(() => this.#call("recall_ask", args), signal);
      if (found.unfit.length > 0) await this.#flush(false);
      return found;
    };
    // What is found without it need not leave.
    const known = remote ? await look(undefined) : undefined;
    if (known?.found === "run") return known;
    const vector = await this.#vector(question, signal, true);
    return known && !vector ? known : look(vector);
  }

  /** Whether a question means the same after any other. */
  alone(question: string): Promise<boolean> {
    return this.#around.engine.call("recall_alone", [question]);
  }

  /** What of an answer its question does not say, and was not there `before` it. */
  unsaid(
    question: string,
    { kind, script }: Pick<RecallKept, "kind" | "script">,
    before?: RecallBefore,
  ): Promise<{ carried: boolean; dated: boolean }> {
    return this.#around.engine.call("recall_unsaid", [question, kind, script, before]);
  }

  /** What stands before a next question, after this one and what answered it. */
  after(before: string, question: string, answered: string): Promise<string> {
    return this.#around.engine.call("recall_after", [before, question, answered]);
  }

  /** How things stand: another text once a table came or went, or the policy changed. */
  standing(): Promise<string> {
    return this.#around.engine.call("standing", []);
  }

  /** What tells a question from others, however it is typed. */
  number(question: string): Promise<number> {
    return this.#around.engine.call("recall_number", [this.context, question]);
  }

  /** The same question, while the others are still read: for it alone nobody waits. */
  async #same(question: string, signal?: AbortSignal): Promise<GlueFound | undefined> {
    const set = await this.#records();
    if (!set.early) return undefined;
    const id = await this.number(question);
    if (!(await set.sooner(id))?.is_valid) return undefined;
    const number = await set.number;
    const args: OpArgs<"recall_ask"> = [number, this.context, question, undefined, undefined];
    const found = await this.#known(() => this.#ask(set, "recall_ask", args), signal);
    if (found.unfit.length > 0) await this.#flush(false);
    if (found.found !== "run" || found.by !== "exact") return undefined;
    read(set);
    return found;
  }

  /** Looks again once the rows of the tables are known, where a look-up had to know them. */
  async #known<T extends { unread?: boolean }>(
    look: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let found = await look();
    if (found.unread) {
      await this.#around.engine.call("read_tables", [], { signal });
      found = await look();
    }
    delete found.unread;
    return found;
  }

  /** Runs a record; what fails is an answer, too. */
  async run(
    record: RecallRecord,
    options: CallOptions & { question?: string; by?: "exact" | "full_text"; cached?: boolean },
  ): Promise<RecallRun> {
    const { question = record.question, by, cached = true, ...call } = options;
    const about = {
      script_id: record.id,
      cached,
      ...(cached ? { asked_at: record.created_at } : {}),
      ...(by ? { by } : {}),
    };
    const locale = this.#around.locale();
    try {
      const ran = await start(this.#around, this.context, record, question, call);
      const { info, totals, steps } = ran;
      const told = await this.#human(ran, question, record, cached);
      // Of two large results one may be let go before it is noted: the answer stands all the same.
      await this.#finished(record.id, {
        ending: "answered",
        human: told.human,
        cached,
        ...(steps
          ? { results: resultsOf(steps) }
          : { ...(info ? { result: info.id } : {}), ...(totals ? { totals: totals.id } : {}) }),
      }).catch(unless("unknown_result"));
      const all = shownOf(this.#around, ran);
      return { answer: { success: true, ...told, ...all, ...about }, record, ...ran };
    } catch (error) {
      if (error instanceof Clarify) {
        await this.#finished(record.id, { ending: "clarify", cached });
        const answer = { success: false, error: "clarify", human: error.message, ...about };
        return { answer, record, info: undefined };
      }
      const failure = toError(error);
      if (NOT_ITS_FAULT.has(failure.code)) throw failure;
      // What waits for a table that is not loaded is as good as it was.
      if (failure.code !== "unknown_table") {
        await this.#finished(record.id, { ending: "failed", cached });
      }
      const answer = {
        success: false,
        error: technical(failure),
        human: human(failure, locale),
        diagnostics: failure.diagnostics,
        script: record.script,
        ...about,
      };
      return { answer, record, info: undefined };
    }
  }

  /** Keeps the query, the script or the calls that answered a question, and what they gave. */
  async keep(question: string, kept: RecallKept, signal: AbortSignal): Promise<number> {
    const { kind, script, by_model = false, result, totals, results, since, after } = kept;
    // Several calls stand on the rows that they were made over.
    const stands = kind === "calls" || kept.stands === true;
    if (stands) await this.#around.engine.call("read_tables", [], { signal });
    // A conversation counts the days of its calls from today.
    const own = { by_model, of_today: kind === "tool" || kind === "calls" };
    const of = { ...(stands ? { since } : {}), ...(after === undefined ? {} : { after }) };
    const id = await this.#save(question, kind, script, { ...own, ...of, signal });
    const { human } = kept;
    const gave = {
      ...(result === undefined ? {} : { result }),
      ...(totals === undefined ? {} : { totals }),
      ...(results === undefined ? {} : { results }),
    };
    // Words that did not pass the check are not said again.
    const said =
      human === undefined ? { human: await this.#template(question, kept) } : { human, question };
    await this.#finished(id, { ending: "answered", ...said, ...gave, cached: false });
    return id;
  }

  /** What gave an answer, in the words of the template. */
  async #template(
    question: string,
    { kind, script, result, totals, results }: RecallKept,
  ): Promise<string> {
    const { engine } = this.#around;
    const last = result ?? results?.at(-1);
    if (last === undefined) return "";
    const told =
      kind === "tool"
        ? engine.call("answer_call", [script, last, totals, question, undefined])
        : engine.call("answer", [last, question, undefined]);
    return told.then(
      ({ text }) => text,
      () => "",
    );
  }

  async #plan(question: string, call: CallOptions): Promise<RecallAnswer> {
    const { engine } = this.#around;
    const since = await this.standing();
    const plan = await engine.call("plan", [question, {}]);
    if (plan.status !== "ready" || !plan.query) {
      const human = plan.message ?? hostError("not_planned", this.#around.locale()).message;
      const { readings } = plan;
      return { success: false, error: "not_understood", human, cached: false, readings };
    }
    const script = JSON.stringify(plan.query);
    // The month of now is another one over later rows.
    const { dated } = await this.unsaid(question, { kind: "query", script });
    if (dated) await engine.call("read_tables", [], call);
    const id = await this.#save(question, "query", script, dated ? { ...call, since } : call);
    const record = await this.get(id);
    if (!record) throw hostError("unknown_question", this.#around.locale(), String(id));
    return (await this.run(record, { ...call, cached: false })).answer;
  }

  /** The answer in earlier words or by template; where even that fails, how many rows there are. */
  async #human(
    { info, totals, steps }: Ran,
    question: string,
    { kind, script, over, last_result }: RecallRecord,
    cached: boolean,
  ): Promise<Pick<RecallAnswer, "human" | "claims">> {
    // What was said of several results holds of the same ones alone.
    const hold = cached && (!steps || (over ?? []).length > 0);
    const words = hold ? last_result?.words : undefined;
    try {
      if (info) {
        const { engine } = this.#around;
        const { text, claims } = await (steps
          ? engine.call("answer_calls", [ranCalls(steps), question, words])
          : kind === "tool"
            ? engine.call("answer_call", [script, info.id, totals?.id, question, words])
            : engine.call("answer", [info.id, question, words]));
        return { human: text, claims };
      }
    } catch (error) {
      if (NOT_ITS_FAULT.has(toError(error).code)) throw error;
    }
    const count = String(info?.rows ?? 0);
    return { human: hostError("found_results", this.#around.locale(), count).message };
  }

  async #save(
    question: string,
    kind: RecallRecord["kind"],
    script: string,
    how: {
      by_model?: boolean;
      of_today?: boolean;
      since?: string;
      after?: string;
      signal?: AbortSignal | undefined;
    },
  ): Promise<number> {
    const { by_model = false, of_today = false, since, after, signal } = how;
    // What answers after certain questions alone is found by no search.
    const vector = after === undefined ? await this.#vector(question, signal) : undefined;
    const own = {
      ...(by_model ? { by_model } : {}),
      ...(of_today ? { of_today } : {}),
      ...(since === undefined ? {} : { since }),
      ...(after === undefined ? {} : { after }),
      ...(vector ? { vector } : {}),
    };
    const kept = { question, kind, script, is_valid: false, ...own };
    return this.#call("recall_save", [this.context, kept, moment()]);
  }

  async #finished(id: number, ended: Parameters<GlueSession["recall_finished"]>[3]): Promise<void> {
    // The answer holds all the same.
    if (this.#closing) return;
    const set = await this.#records();
    const number = await (set.has(id) ? set.number : set.whole());
    await this.#ask(set, "recall_finished", [number, this.context, id, ended, moment()]);
    await this.#flush(false);
  }

  async #fillSome(signal: AbortSignal | undefined): Promise<number> {
    const { embedder } = this.#options;
    if (!embedder) return this.#call("recall_fill_built_in", [this.context, BATCH]);
    const lacking = await this.#lacking();
    if (lacking.length === 0) return 0;
    const texts = lacking.map(({ text }) => text);
    const vectors = await this.#embed(texts, signal);
    let made = 0;
    for (const [at, { id }] of lacking.entries()) {
      const vector = this.#checked(vectors[at]);
      if (await this.#call("recall_fill", [this.context, id, vector])) made += 1;
    }
    // A vector that is zero fills nothing: the same would come again.
    return made < lacking.length ? 0 : made;
  }

  /** Questions without a vector; for an embedder elsewhere as they may leave. */
  async #lacking(): Promise<{ id: number; text: string }[]> {
    if (this.#options.embedder?.remote)
      return (await this.#call("recall_to_leave", [this.context, 100])).texts;
    const lacking = await this.#call("recall_without_vector", [this.context, 100]);
    return lacking.map(({ id, question }) => ({ id, text: question }));
  }

  /** What the page's own embedder makes of texts; one elsewhere gets what the ledger has of them. */
  async #embed(texts: string[], signal: AbortSignal | undefined): Promise<ArrayLike<number>[]> {
    const { embedder } = this.#options;
    if (!embedder) return [];
    // What they wait for may be long, and nothing leaves for records that are closed.
    this.#open();
    const { name = "", remote } = embedder;
    let given = texts;
    if (remote) {
      given = JSON.parse(await this.#around.leave(texts, name, signal)) as string[];
      // Whoever approved may have taken long.
      this.#open();
      if (signal?.aborted) throw cancelled(signal);
    }
    return abortable(embedder.embed(given, signal ? { signal } : {}), signal);
  }

  /** The vector of a question by the page's own embedder. Without it, only words are searched. */
  async #vector(
    question: string,
    signal: AbortSignal | undefined,
    anew = false,
  ): Promise<Float32Array | undefined> {
    const { embedder } = this.#options;
    if (!embedder) return undefined;
    // A question that is looked up is kept next: it leaves once, and is refused once.
    const last = this.#last?.question === question ? this.#last : undefined;
    if (last && (last.vector || !anew)) return last.vector;
    let vector: Float32Array | undefined;
    let failure: PinholeError | undefined;
    try {
      vector = this.#checked((await this.#embed([question], signal))[0]);
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal);
      failure = toError(error);
    }
    this.#unmade = failure;
    if (embedder.remote) this.#last = { question, vector };
    return vector;
  }

  #checked(vector: ArrayLike<number> | undefined): Float32Array {
    if (vector?.length !== this.#options.embedder?.dim)
      throw hostError("bad_option", this.#around.locale(), "embedder.dim");
    return Float32Array.from(vector as ArrayLike<number>);
  }

  /** Calls the engine with the number of these records there, once all are read. */
  async #call<K extends RecallOp>(op: K, args: After<OpArgs<K>>): Promise<OpResult<K>> {
    this.#open();
    const set = await this.#records();
    const number = await set.whole();
    return this.#ask(set, op, [number, ...args] as unknown as OpArgs<K>);
  }

  /** Calls the engine that has these records. */
  async #ask<K extends RecallOp>(set: RecallSet, op: K, args: OpArgs<K>): Promise<OpResult<K>> {
    set.check();
    return this.#around.engine.call(op, args);
  }

  /** Throws once these are closed. */
  #open(): void {
    if (this.#closing) throw hostError("recall_closed", this.#around.locale());
  }

  /** The records in the engine. */
  async #records(): Promise<RecallSet> {
    const { engine } = this.#around;
    await engine.ready;
    if (this.#closed) throw hostError("recall_closed", this.#around.locale());
    // A new engine has no records: it is given them again.
    if (this.#set?.generation !== engine.generation) {
      const { embedder, settings } = this.#options;
      const set = new RecallSet(
        {
          engine,
          store: this.#store,
          context: this.context,
          locale: () => this.#around.locale(),
          unsaved: () => this.#unsaved,
          embedded: embedder !== undefined,
          filled: () => {
            void this.#flush(false);
          },
          read: (failure, unread) => {
            this.#read(failure, unread);
          },
        },
        {
          ...(settings ? { settings } : {}),
          ...(embedder ? { embedder: embedder.name ?? `own-${embedder.dim}` } : {}),
        },
      );
      set.number.catch(() => {
        if (this.#set === set) this.#set = undefined;
      });
      this.#set = set;
    }
    return this.#set;
  }

  /** The store was read, or could not be. */
  #read(failure: unknown, unread: number): void {
    this.#damage =
      unread > 0 ? hostError("recall_damaged", this.#around.locale(), String(unread)) : undefined;
    this.#problem =
      failure === undefined ? this.#damage : storeFailure(failure, this.#around.locale());
    // Of two records of one question the store still has both.
    if (failure === undefined) void this.#flush(false);
  }

  /**
   * Writes out what has changed, one writing after the other. What cannot be written stays for the
   * next time; `tell` says so to whoever asked for the change.
   */
  #flush(tell: boolean): Promise<void> {
    const flushed = this.#flushing.then(async () => {
      const { engine } = this.#around;
      const set = await this.#records();
      const number = await set.number;
      const { revision, changes } = await this.#ask(set, "recall_pending", [number]);
      if (changes.put.length === 0 && changes.gone.length === 0) return;
      try {
        // A record that is there must not be written over by one that does not know of it.
        if (set.failed && this.#problem) throw this.#problem;
        await this.#store.apply(changes);
      } catch (error) {
        this.#unsaved = changes;
        this.#problem = storeFailure(error, this.#around.locale());
        throw this.#problem;
      }
      this.#unsaved = { put: [], gone: [] };
      this.#problem = this.#damage;
      // A later engine has other records under this number.
      if (set.generation === engine.generation)
        await this.#ask(set, "recall_confirm", [number, revision]);
    });
    this.#flushing = flushed.catch(() => undefined);
    return tell ? flushed : this.#flushing;
  }
}

/** Reads the others, too; whoever needs them waits, and hears why they do not come. */
function read(set: RecallSet): void {
  void set.whole().catch(() => undefined);
}
