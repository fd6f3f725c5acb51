/// <reference lib="esnext.disposable" preserve="true" />
// The package: questions about tables, answered in the page, with what leaves it in one place.
// Importing does nothing; `Pinhole.open` starts the engine.

import { Asks, Chat, type Surroundings } from "./chat.js";
import { DeviceStore } from "./device-store.js";
import { Engine, type Owner, isThreaded } from "./engine.js";
import { type Locale, hostError, toError } from "./errors.js";
import { evidenceOf } from "./evidence.js";
import type { OpArgs, OpResult, SessionOptions } from "./glue.js";
import { History } from "./history.js";
import { DeviceLedger, Ledger, type LedgerStore, MemoryLedger, keepLine } from "./ledger.js";
import { KeptTables, type KeptTableInfo } from "./kept.js";
import { tell } from "./listeners.js";
import { type LoadKind, load, unlikeTable } from "./loading.js";
import { type Call, checkObject, checkOpening, checkOptions } from "./options.js";
import { abortable } from "./platform.js";
import { strangeColumns } from "./policy.js";
import {
  type LoadPurchasesOptions,
  PURCHASE_TABLES,
  type PurchaseReport,
  type PurchaseTable,
  named,
  rehearse,
  rehearsed,
  unknownTable,
} from "./purchases.js";
import { Recall } from "./recall.js";
import { DeviceRecallStore, MemoryRecallStore } from "./recall-store.js";
import type { RecallOptions } from "./recall-types.js";
import { Result, Rows, idOf } from "./result.js";
import { cancelled, copyOf } from "./rpc.js";
import { Scripting } from "./scripting.js";
import { canReread, isBlob } from "./source.js";
import { type Table, tableOf } from "./table.js";
import type { Tools } from "./tool-types.js";
import { Registry } from "./tools.js";
import type {
  CallOptions,
  ChatOptions,
  Check,
  Completions,
  Diagnostic,
  FunctionInfo,
  GivenTable,
  KeepOptions,
  LedgerEntry,
  LoadOptions,
  OpenOptions,
  Plan,
  Policy,
  Progress,
  Query,
  Rendered,
  ResultInfo,
  Source,
  Stats,
  StatsReport,
  StatsRequest,
  TableInfo,
} from "./types.js";

export { Chat } from "./chat.js";
export { differences } from "./differs.js";
export { PinholeError } from "./errors.js";
export type * from "./functions.js";
export { History, KeptTable, MemoryStore } from "./history.js";
export type { KeptTableInfo } from "./kept.js";
export { Ledger, type LedgerStore } from "./ledger.js";
export { Recall } from "./recall.js";
export {
  DeviceRecallStore,
  MemoryRecallStore,
  type RecallChanges,
  type RecallPart,
  type RecallStore,
} from "./recall-store.js";
export { Result, ResultTable } from "./result.js";
export type { Table } from "./table.js";
export type * from "./purchases.js";
export type * from "./tool-types.js";
export type * from "./types.js";

/** A table that was loaded, and how to load it again. */
interface Held {
  info: TableInfo;
  /** The first is loaded, the others are appended. */
  again: Again[] | undefined;
}

/** One of the sources of a table. What is kept on this device is opened anew: it may be rewritten. */
interface Again {
  source: Source | undefined;
  options: LoadOptions & LoadKind;
}

/** A query, or a result whose query is meant. */
export type Previous = Query | Result;

/** An engine with its tables. */
export class Pinhole {
  readonly tools: Tools;
  readonly ledger: Ledger;
  /** The conversations that are kept on this device. */
  readonly history: History;
  readonly #engine: Engine;
  readonly #options: OpenOptions;
  readonly #scripting: Scripting;
  readonly #asks = new Asks();
  readonly #recalls = new Set<Recall>();
  readonly #held = new Map<string, Held>();
  /** What the engine had when it died. */
  #lost: [name: string, held: Held][] = [];
  readonly #cleaning = new Map<string, Promise<unknown>>();
  readonly #watchers = new Set<(entry: LedgerEntry) => void>();
  readonly #kept = new KeptTables(() => this.#locale);
  #lines: LedgerStore;
  #locale: Locale;
  #policy: Policy | undefined;
  #restarts = 0;
  /** There was a conversation. */
  #talks = false;

  private constructor(options: OpenOptions) {
    this.#options = options;
    this.#locale = options.locale ?? "en";
    this.#policy = copyOf(options.policy);
    this.#lines =
      options.ledger ?? (options.persist === true ? new DeviceLedger() : new MemoryLedger());
    const owner: Owner = {
      session: () => this.#session(),
      resume: async () => {
        const ledger = await this.#recorded();
        return { ledger, ...(this.#restarts > 0 ? { restarted: true } : {}) };
      },
      handler: (op, args, context) =>
        op === "script"
          ? this.#scripting.forModel(args as [number: number, script: string], context)
          : this.#asks.serve(op, args, context, this.#around),
      died: () => {
        this.#restarts += 1;
        this.#lost = [...this.#held];
        this.#held.clear();
      },
      restorable: () => this.#restorable(),
      restore: (call) => this.#restore(call),
    };
    this.#engine = new Engine(options, owner);
    this.#scripting = new Scripting(this.#engine, () => this.#locale);
    this.history = new History(
      this.#engine,
      () => this.#locale,
      options.persist,
      () => new DeviceStore(),
    );
    this.tools = new Registry({
      engine: this.#engine,
      locale: () => this.#locale,
      run: (name, args, extras) => this.#long("tool_execute", [name, args], extras),
    });
    this.ledger = new Ledger(this.#engine, () => this.#lines, this.#watchers);
  }

  /** Starts an engine: in a worker where there are workers, else in place. */
  static async open(options: OpenOptions = {}): Promise<Pinhole> {
    checkOpening(options);
    const pinhole = new Pinhole(options);
    await pinhole.#engine.ready;
    return pinhole;
  }

  /**
   * Loads a table under a name, which replaces what had that name. Strings are URLs. A load that
   * fails or is cancelled leaves nothing behind; a cancel that comes when all is read and ready to be
   * put in its place is too late.
   */
  async load(name: string, source: Source, options: LoadOptions = {}): Promise<Table> {
    this.#takes("ph.load", options);
    return tableOf(this, await this.#load(name, source, options));
  }

  /**
   * Loads tables of purchases under the names that they are mapped to, one after the other, then
   * says whether they fit together: nothing is left out where they do not. `tables` are options of
   * single tables; `rehearsed` waits until nothing is left to make for the first calls of the tools.
   */
  async loadPurchases(
    sources: Partial<Record<PurchaseTable, Source>>,
    options: LoadPurchasesOptions = {},
  ): Promise<PurchaseReport> {
    this.#takes("ph.loadPurchases", options);
    checkObject("sources", sources, this.#locale);
    const { tables = {}, rehearsed: wait = false, ...common } = options;
    const wrong = unknownTable(sources, tables);
    if (wrong !== undefined) throw hostError("bad_option", this.#locale, wrong);
    for (const own of Object.values(tables)) this.#takes("ph.load", own);
    for (const table of PURCHASE_TABLES) {
      const source = sources[table];
      if (source === undefined) continue;
      const name = this.#options.purchases?.tables?.[table]?.table ?? table;
      await this.#load(name, source, { ...common, ...tables[table] });
    }
    const { signal } = common;
    const report = await this.checkPurchases(signal ? { signal } : {});
    if (wait) await rehearsed(this.#engine, signal);
    return report;
  }

  /**
   * Whether the loaded tables of purchases fit together: ids that are missing or repeat, rows that
   * name others which are not there. Rejects where a table or a column is missing.
   */
  async checkPurchases(options: CallOptions = {}): Promise<PurchaseReport> {
    this.#takes("ph.checkPurchases", options);
    return this.#long("purchases_check", [], options);
  }

  /**
   * Adds rows to the table of this name: columns are matched by name, rows come into time order.
   * Kinds, time zone and market are the table's. A source that fails or is cancelled adds nothing.
   */
  async append(name: string, source: Source, options: LoadOptions = {}): Promise<Table> {
    this.#takes("ph.append", options);
    return tableOf(this, await this.#load(name, source, { ...options, append: true }));
  }

  /**
   * Keeps a table on this device, as it is now, for later visits of this page's origin. Nothing of
   * it is sent anywhere.
   */
  async keep(name: string, options: KeepOptions = {}): Promise<void> {
    this.#takes("ph.keep", options);
    const { signal, onProgress } = options;
    // From then on the file is being put in its place: it is not taken out again.
    let read = false;
    let bytes = 0;
    const heard = () => !read;
    const stop = () => {
      if (heard() && signal?.aborted) throw cancelled(signal);
    };
    const run = (async () => {
      stop();
      const keep = await this.#engine.call("keep_begin", [name]);
      const { generation: of } = this.#engine;
      const held = this.#held.get(name);
      try {
        await this.#kept.write(name, async () => {
          stop();
          const next = await this.#engine.call("keep_next", [keep], { of });
          stop();
          read = next === undefined;
          if (next) tell(onProgress, { bytes: (bytes += next.byteLength) });
          return next;
        });
        this.#rewritten(name, held);
      } finally {
        await this.#engine.call("keep_end", [keep], { of }).catch(() => undefined);
      }
    })();
    try {
      await abortable(run, signal, heard);
    } catch (error) {
      throw toError(error);
    }
  }

  /** The tables that are kept on this device, the latest first. */
  kept(): Promise<KeptTableInfo[]> {
    return this.#kept.list();
  }

  /** Loads a kept table, with the settings and the policy classes that it was kept with. */
  async reopen(
    name: string,
    options: Pick<LoadOptions, "classes" | "onProgress" | "signal"> = {},
  ): Promise<Table> {
    this.#takes("ph.reopen", options);
    return tableOf(this, await this.#load(name, undefined, { ...options, kept: true }));
  }

  /** Removes a kept table from this device; whether there was one. What is loaded stays. */
  async forget(name: string): Promise<boolean> {
    const there = await this.#kept.delete(name);
    this.#rewritten(name, undefined);
    return there;
  }

  /** The loaded tables. */
  tables(): Table[] {
    return [...this.#held.values()].map((held) => tableOf(this, held.info));
  }

  /**
   * What tells the rows of a table from any others, in their order: the same for the same table loaded
   * again or kept and reopened, another one after an append. It stays here as the rows do.
   */
  async print(name: string, options: { signal?: AbortSignal } = {}): Promise<string> {
    this.#takes("ph.print", options);
    return this.#engine.call("print", [name], options);
  }

  /** Drops a table and gives its memory back. */
  async drop(name: string): Promise<boolean> {
    const dropped = await this.#engine.call("drop", [name]);
    this.#held.delete(name);
    return dropped;
  }

  /** Runs a query. `groups: "all"` lists every group in the summary, up to 24. */
  async query(query: Query, options: CallOptions & { groups?: "all" } = {}): Promise<Result> {
    this.#takes("ph.query", options);
    const { groups, ...extras } = options;
    return this.#result(await this.#long("query", [query, groups ? { groups } : {}], extras));
  }

  /** Runs one read-only SQL statement with bound parameters. */
  async sql(
    text: string,
    params: unknown[] | Record<string, unknown> = [],
    options: CallOptions = {},
  ): Promise<Result> {
    this.#takes("ph.sql", options);
    return this.#result(await this.#long("sql", [text, params], options));
  }

  /** A result by its id, while the engine has it. */
  async result(id: string): Promise<Result | undefined> {
    const info = await this.#engine.call("result", [id]);
    return info ? this.#result(info) : undefined;
  }

  /** All problems of a query; empty when it can run. */
  validate(query: Query): Promise<Diagnostic[]> {
    return this.#engine.call("validate", [query]);
  }

  /** The canonical form of a query. */
  format(query: Query): Promise<Query> {
    return this.#engine.call("format", [query]);
  }

  /** A query in words. */
  explain(query: Query): Promise<string> {
    return this.#engine.call("explain", [query]);
  }

  /**
   * What can stand at `offset` (UTF-16 units) of `text`, which is being written in the field that
   * `pointer` names (`/where` unless told otherwise; `/map/gap`, `/group_by/0`); `query` is the rest
   * of it so far. Values of columns are among the completions: they are for the person at this page.
   */
  async complete(
    text: string,
    offset: number,
    place: { pointer?: string; query?: Query } = {},
  ): Promise<Completions> {
    this.#takes("ph.complete", place);
    const { pointer = "/where", query = {} } = place;
    return this.#engine.call("complete", [query, pointer, text, offset]);
  }

  /** The functions of the query language. */
  functions(): Promise<FunctionInfo[]> {
    return this.#engine.call("functions", []);
  }

  /** What the built-in planner makes of a question, without running it. */
  async plan(
    question: string,
    options: { table?: string; previous?: Previous } = {},
  ): Promise<Plan> {
    this.#takes("ph.plan", options);
    const { table, previous } = options;
    const query = previous instanceof Result ? previous.query : previous;
    return this.#engine.call("plan", [
      question,
      { ...(table === undefined ? {} : { table }), ...(query ? { previous: query } : {}) },
    ]);
  }

  /** Questions that the planner can answer about a table. */
  suggest(table: string): Promise<string[]> {
    return this.#engine.call("suggest", [table]);
  }

  /**
   * Checks every number of a text against results, or against tables that no query made. What it
   * says of everything, where a result has groups alone or its first rows, is computed from the rows
   * behind the result. `question` is what the text answers: it says what `Monday: 78` is about.
   * `feedback` is in the language of the engine.
   */
  async check(
    text: string,
    results: (Result | GivenTable | string)[],
    options: CallOptions & { question?: string } = {},
  ): Promise<Check> {
    this.#takes("ph.check", options);
    const { question, signal, onProgress } = options;
    const { ids, tables } = evidenceOf(results, this.#locale, this.#engine);
    const how = { ...(question === undefined ? {} : { question }), ...tables };
    const onOrphan = () => undefined;
    const { generation: of } = this.#engine;
    return this.#engine.call<"check", Progress>("check", [text, ids, how], {
      signal,
      ...(onProgress ? { onEvent: onProgress } : {}),
      onOrphan,
      of,
    });
  }

  /**
   * Fills in references (`{{r1.mean_gap:.1f}}`) from results: numbers that code puts in, written as in
   * `locale`, that of the engine unless told otherwise.
   */
  async render(
    text: string,
    results: (Result | GivenTable | string)[],
    options: { locale?: Locale } = {},
  ): Promise<Rendered> {
    this.#takes("ph.render", options);
    const { ids, tables } = evidenceOf(results, this.#locale, this.#engine);
    const { generation: of } = this.#engine;
    return this.#engine.call("render", [text, ids, { ...options, ...tables }], { of });
  }

  /** Checks numbers that are reported by field against the rows they are said of. */
  async checkStats(
    request: Omit<StatsRequest, "data"> & { data: StatsRequest["data"] | Result },
    options: { signal?: AbortSignal } = {},
  ): Promise<StatsReport> {
    this.#takes("ph.checkStats", options);
    checkObject("request", request, this.#locale);
    const { signal } = options;
    const data = request.data instanceof Result ? idOf(request.data, this.#engine) : request.data;
    const onOrphan = () => undefined;
    const { generation: of } = this.#engine;
    return this.#engine.call("check_stats", [{ ...request, data }], { signal, onOrphan, of });
  }

  /** Opens a conversation. Throws when the options would put a key into the page unasked. */
  chat(options: ChatOptions = {}): Chat {
    this.#takes("ph.chat", options);
    this.#talks = true;
    return new Chat(options, this.#around, this.#asks);
  }

  /**
   * The questions of one data set that were asked before. They are kept on this device with
   * `persist: true`, or in a store of one's own; else as long as the page.
   */
  recall(options: RecallOptions): Recall {
    this.#takes("ph.recall", options);
    const { persist } = this.#options;
    const store =
      options.store ?? (persist === true ? new DeviceRecallStore() : new MemoryRecallStore());
    const recall = new Recall(options, store, {
      engine: this.#engine,
      locale: () => this.#locale,
      tables: () => this.#held.size,
      result: (info) => this.#result(info),
      run: (op, args, extras) => this.#long(op, args, extras),
      script: async (text, context, { by_model = false, ...extras }) => {
        const { signal } = extras;
        const how = { by_model, ...(signal ? { signal } : {}) };
        const rows = await this.#scripting.run(text, context, how);
        return this.#long("script_result", [rows], extras);
      },
      leave: (texts, endpoint, signal) =>
        this.#asks.leave(this.#around, signal, (ask, onEvent) =>
          this.#engine.call("recall_leave", [texts, endpoint, ask], { onEvent, signal }),
        ),
    });
    this.#recalls.add(recall);
    return recall;
  }

  /** The language of diagnostics, warnings and generated texts. */
  get locale(): Locale {
    return this.#locale;
  }

  /** Changes the language of generated texts. */
  async setLocale(locale: Locale): Promise<void> {
    this.#locale = locale;
    await this.#engine.call("set_locale", [locale]);
  }

  /**
   * Says anew what may leave the page: the whole policy. What it does not name is as in the default,
   * so a class that was set before and is to hold has to be in it again. Columns that the scanner flagged stay hidden unless the policy
   * names a class for them; classes that a load named hold in any case.
   */
  async setPolicy(policy: Policy): Promise<void> {
    const own = copyOf(policy);
    await this.#engine.call("set_policy", [own]);
    this.#policy = own;
    for (const info of await this.#engine.call("tables", [])) {
      const held = this.#held.get(info.name);
      if (held) held.info = info;
    }
  }

  /** The policy in force: what the page set, what its loads named, what the scanner flagged. */
  policy(): Promise<Required<Policy>> {
    return this.#engine.call("policy", []);
  }

  /** Memory, table by table. */
  async stats(): Promise<Stats> {
    const stats = await this.#engine.call("stats", []);
    return { ...stats, worker: this.#engine.threaded, restarts: this.#restarts };
  }

  /** Ends the engine. Everything that runs rejects with `closed`. */
  async close(): Promise<void> {
    await Promise.all([...this.#recalls].map((recall) => recall.close().catch(() => undefined)));
    await this.#engine.close();
    this.#held.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Refuses options that a call does not take. */
  #takes(call: Call, options: object): void {
    checkOptions(call, options, this.#locale);
  }

  /** The kept file of a table is another one now: that of `same`, where it is the table still. */
  #rewritten(name: string, same: Held | undefined): void {
    const held = this.#held.get(name);
    if (!held?.again) return;
    if (held === same) held.again = [{ source: undefined, options: { kept: true } }];
    else if (held.again.some(({ options }) => options.kept)) held.again = undefined;
  }

  /** What a table is read from: what the page gave, or the file that is kept of it now. */
  async #source(name: string, source: Source | undefined, { kept }: LoadKind): Promise<Source> {
    return kept ? this.#kept.open(name) : (source as Source);
  }

  /**
   * Whether a new engine would be as good as this one. The files of its tables are at hand (an address
   * may give nothing by now), no load is under way, no conversation would lose its memory, and there
   * is no guard that has to count on what it does not know any more.
   */
  #restorable(): boolean {
    const atHand = ({ source, options }: Again) => options.kept === true || isBlob(source);
    const tables = [...this.#held.values()];
    return (
      !this.#talks &&
      this.#policy === undefined &&
      this.#cleaning.size === 0 &&
      tables.every(({ info, again }) => info.flags.length === 0 && again?.every(atHand) === true)
    );
  }

  /** Loads of one name run one after the other, in the order of their calls. */
  async #load(
    name: string,
    source: Source | undefined,
    options: LoadOptions & LoadKind,
  ): Promise<TableInfo> {
    const { signal, onProgress, ...given } = options;
    const again = copyOf(given);
    const before = this.#cleaning.get(name) ?? Promise.resolve();
    let placing = false;
    const run = (async () => {
      await before;
      await this.#engine.ready;
      if (signal?.aborted) throw cancelled(signal);
      const opened = await this.#source(name, source, again);
      const { call } = this.#engine;
      const how = {
        ...again,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      };
      const info = await load(this.#engine, call, name, opened, how, this.#locale, () => {
        placing = true;
      });
      // One that takes the place of another is under the rules of that one.
      const strange = this.#held.has(name)
        ? undefined
        : strangeColumns(this.#policy, info, this.#locale);
      if (strange) {
        await call("drop", [name]);
        throw strange;
      }
      const own = again.kept || canReread(opened) ? [{ source, options: again }] : undefined;
      const first = again.append ? this.#held.get(name)?.again : [];
      this.#held.set(name, { info, again: first && own ? [...first, ...own] : undefined });
      if (!again.append) rehearse(name, this.#held, this.#engine);
      return info;
    })();
    const cleaned = run.catch(() => undefined);
    this.#cleaning.set(name, cleaned);
    void cleaned.then(() => {
      if (this.#cleaning.get(name) === cleaned) this.#cleaning.delete(name);
    });
    try {
      // What is read is either all in its place or not at all: the caller is told which.
      return await abortable(run, signal, () => !placing);
    } catch (error) {
      const failed = toError(error);
      const columns = again.append ? (this.#held.get(name)?.info.columns ?? []) : [];
      throw unlikeTable(failed, columns, again, this.#locale);
    }
  }

  /**
   * The ledger so far. A page that may keep nothing on the device has it in memory, as long as nothing
   * is in it yet.
   */
  async #recorded(): Promise<string[]> {
    try {
      return await this.#lines.lines(0);
    } catch (error) {
      if (this.#restarts > 0 || !(this.#lines instanceof DeviceLedger))
        throw hostError("ledger_unavailable", this.#locale, undefined, error);
      this.#lines = new MemoryLedger();
      return [];
    }
  }

  #session(): SessionOptions {
    const { memoryLimit, spill, decimals, purchases, scripts = true } = this.#options;
    return {
      locale: this.#locale,
      ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
      ...(spill === undefined ? {} : { spill }),
      ...(decimals ? { decimals } : {}),
      ...(this.#policy ? { policy: this.#policy } : {}),
      ...(purchases ? { purchases: named(purchases) } : {}),
      // A script that cannot be ended otherwise ends with its worker.
      ...(scripts && isThreaded(this.#options) ? { scripts } : {}),
    };
  }

  get #around(): Surroundings {
    return {
      engine: this.#engine,
      locale: () => this.#locale,
      approve: async (entry) => (await this.#options.onBeforeSend?.(entry)) !== false,
      keep: (seq, line) => keepLine(this.#lines, seq, line),
      recorded: (entry) => {
        for (const watcher of this.#watchers) tell(watcher, entry);
      },
      recorder: (from, standing) => this.history.recorder(from, standing),
    };
  }

  #result(info: ResultInfo): Result {
    return new Result(new Rows(this.#engine, () => this.#locale, info.id), info);
  }

  async #long<
    K extends "call_again" | "purchases_check" | "query" | "script_result" | "sql" | "tool_execute",
  >(op: K, args: OpArgs<K>, options: CallOptions = {}): Promise<OpResult<K>> {
    const { signal, onProgress } = options;
    return this.#engine.call<K, Progress>(op, args, {
      signal,
      ...(onProgress ? { onEvent: onProgress } : {}),
      onOrphan: (value) => {
        if (!value) return;
        const id = "result_id" in value ? value.result_id : "id" in value ? value.id : undefined;
        const ids = "list" in value ? [value.list.id, value.totals?.id] : [id];
        for (const id of ids)
          if (typeof id === "string") this.#engine.call("release", [id]).catch(() => undefined);
      },
    });
  }

  async #restore(call: Engine["call"]): Promise<void> {
    for (const [name, { again }] of this.#lost.splice(0)) {
      if (!again) continue;
      try {
        for (const { source, options } of again) {
          const opened = await this.#source(name, source, options);
          const info = await load(this.#engine, call, name, opened, options, this.#locale);
          this.#held.set(name, { info, again });
        }
      } catch {
        // A file is gone, or it is what killed the engine: the table is not there any more.
        this.#held.delete(name);
        await call("drop", [name]).catch(() => undefined);
      }
    }
  }
}
