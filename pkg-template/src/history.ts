// Conversations kept on this device, with the full tables of their results: what is written, read,
// exported and deleted. Only with the page's consent; where it is kept is the store's business.

import { pageOfDates } from "./dates.js";
import type { Engine } from "./engine.js";
import { type Locale, type PinholeError, hostError, keptFailure, toError } from "./errors.js";
import { checkOptions } from "./options.js";
import { abortable } from "./platform.js";
import { cancelled } from "./rpc.js";
import type { ChatEvent, Page, ResultInfo, RowOptions } from "./types.js";

/** The form that is written. */
const VERSION = 1;
/** Characters of the name of a conversation at most. */
const TITLE = 80;

/** What a result says of itself, beside its table: never its summary, which the policy of a moment cut. */
export type SavedResult = Pick<
  ResultInfo,
  "kind" | "explanation" | "metadata" | "columns" | "warnings" | "chart"
>;

/** A question and everything that came of it, texts joined. */
export interface SavedTurn {
  question: string;
  /** When it was asked: milliseconds since 1970. */
  at: number;
  events: ChatEvent[];
  /** Results of it whose tables are kept. */
  tables: string[];
  /** The names of these tables in the store; not there in what earlier versions kept. */
  blocks?: Record<string, string>;
  /** What these say of themselves; not there in what earlier versions kept. */
  results?: Record<string, SavedResult>;
}

/** A conversation in the list. */
export interface SavedHead {
  id: string;
  title: string;
  created: number;
  updated: number;
  turns: number;
}

/** A conversation as it is kept. */
export interface SavedChat {
  version: number;
  id: string;
  title: string;
  created: number;
  updated: number;
  turns: SavedTurn[];
  /** What the engine needs to go on with it. */
  record: string | undefined;
}

/** Where conversations are kept. A chat is put whole; a block once. */
export interface HistoryStore {
  list(): Promise<SavedHead[]>;
  get(id: string): Promise<SavedChat | undefined>;
  put(chat: SavedChat): Promise<void>;
  /** Keeps the table of a result under a name, as an Arrow IPC stream. */
  putBlock(id: string, block: string, bytes: Uint8Array): Promise<void>;
  block(id: string, block: string): Promise<Uint8Array | undefined>;
  /** Forgets a conversation and its tables. */
  delete(id: string): Promise<void>;
}

/** The head of a conversation. */
export function headOf({ id, title, created, updated, turns }: SavedChat): SavedHead {
  return { id, title, created, updated, turns: turns.length };
}

/** A store that lasts as long as the page: for tests, and for where nothing else is at hand. */
export class MemoryStore implements HistoryStore {
  readonly #chats = new Map<string, SavedChat>();
  readonly #blocks = new Map<string, Map<string, Uint8Array>>();

  list(): Promise<SavedHead[]> {
    return Promise.resolve([...this.#chats.values()].map(headOf));
  }

  get(id: string): Promise<SavedChat | undefined> {
    return Promise.resolve(structuredClone(this.#chats.get(id)));
  }

  put(chat: SavedChat): Promise<void> {
    this.#chats.set(chat.id, structuredClone(chat));
    return Promise.resolve();
  }

  putBlock(id: string, block: string, bytes: Uint8Array): Promise<void> {
    const blocks = this.#blocks.get(id) ?? new Map<string, Uint8Array>();
    this.#blocks.set(id, blocks.set(block, bytes.slice()));
    return Promise.resolve();
  }

  block(id: string, block: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#blocks.get(id)?.get(block)?.slice());
  }

  delete(id: string): Promise<void> {
    this.#chats.delete(id);
    this.#blocks.delete(id);
    return Promise.resolve();
  }
}

/** The table of a kept result. */
export class KeptTable {
  #opened: { generation: number; number: Promise<number> } | undefined;

  constructor(
    readonly id: string,
    private readonly engine: Engine,
    private readonly bytes: Uint8Array,
    private readonly locale: () => Locale,
  ) {}

  /** The table as an Arrow IPC stream. */
  toArrowIPC(): Uint8Array {
    return this.bytes.slice();
  }

  /** Rows as arrays, with the names and kinds of their columns. */
  async page(offset = 0, limit = 100, options: RowOptions = {}): Promise<Page> {
    checkOptions("table.page", options, this.locale());
    const { dates, signal } = options;
    await this.engine.ready;
    // Kept tables are read, never queried: nothing of them can reach a model.
    if (this.#opened?.generation !== this.engine.generation) {
      const number = this.engine.call("block_open", [this.bytes.slice()]);
      number.catch(() => (this.#opened = undefined));
      this.#opened = { generation: this.engine.generation, number };
    }
    const page = await this.engine.call("block_rows", [await this.#opened.number, offset, limit], {
      signal,
      onOrphan: () => undefined,
    });
    return (dates ?? this.engine.options.dates) === "date" ? pageOfDates(page) : page;
  }

  /** Gives the engine's memory back. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened?.generation !== this.engine.generation) return;
    await this.engine.call("block_close", [await opened.number]);
  }
}

/** A conversation that was opened again. */
export interface OpenedChat {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly updated: number;
  /** Everything the page was told, to be shown by the code that shows it live. */
  readonly turns: SavedTurn[];
  /** The table of a result that a turn gave; turns count from 0. */
  table(turn: number, result: string): Promise<KeptTable | undefined>;
  /** What the engine needs to go on with it. */
  readonly saved: SavedChat;
}

/** A conversation is called by its first question: titles are those of single results. */
function titleOf(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  if (line.length <= TITLE) return line;
  return `${line.slice(0, TITLE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The name of a table within its conversation: results count anew with every engine. */
function blockName(n: number, result: string, { blocks }: Partial<SavedTurn> = {}): string {
  return blocks?.[result] ?? `${n}-${result}`;
}

/** The conversations that are kept. */
export class History {
  #persist: boolean | HistoryStore = false;
  #store: HistoryStore | undefined;
  #makeStore: (() => HistoryStore) | undefined;
  /** Where there is what was kept under an earlier consent. */
  #before: () => HistoryStore;
  /** Conversations under way; those that a page lets go without an end are gone with it. */
  readonly #underWay = new Set<WeakRef<Recorder>>();
  /** Conversations that were deleted here: what is still being said in one is not kept. */
  readonly #gone = new Set<string>();
  /** Until what there was of them as the consent was given is kept. */
  #adopted: Promise<unknown> = Promise.resolve();
  /** The last failure to keep something; the conversation itself goes on. */
  problem: PinholeError | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly locale: () => Locale,
    persist: boolean | HistoryStore | undefined,
    private readonly onDevice: () => HistoryStore,
  ) {
    this.#before = onDevice;
    this.allow(persist ?? false);
  }

  /** Whether the page has consented. */
  get enabled(): boolean {
    return this.#makeStore !== undefined;
  }

  /**
   * Gives the page's consent, or takes it back. Conversations under way (asked something, not closed)
   * are kept from their first question on, with the tables that the engine still has, and so are those
   * that begin later; `list()` and the other calls wait until they are. After `false` nothing is kept
   * any more, of conversations under way neither. What was kept stays until it is deleted.
   */
  allow(persist: boolean | HistoryStore): void {
    if (persist === this.#persist) return;
    this.#persist = persist;
    this.#before = this.#makeStore ?? this.#before;
    this.#store = undefined;
    this.#makeStore =
      typeof persist === "object" ? () => persist : persist ? this.onDevice : undefined;
    this.#adopted = Promise.all([...this.#underWay].flatMap((one) => one.deref()?.consent() ?? []));
  }

  /** The conversations, the last used first; none without consent. */
  async list(): Promise<SavedHead[]> {
    await this.#adopted;
    if (!this.enabled) return [];
    const heads = await this.#ask(() => this.#open().list());
    return heads.sort((a, b) => b.updated - a.updated);
  }

  /** A conversation with everything that was shown. */
  async open(id: string): Promise<OpenedChat> {
    const saved = await this.#get(id);
    const { title, created, updated, turns } = saved;
    const table = async (turn: number, result: string) => {
      const bytes = await this.#ask(() =>
        this.#open().block(id, blockName(turn, result, turns[turn])),
      );
      return bytes && new KeptTable(result, this.engine, bytes, this.locale);
    };
    return { id, title, created, updated, turns, table, saved };
  }

  /** A conversation with its tables as one JSON text; tables are Arrow IPC in base64. */
  async export(id: string, options: { signal?: AbortSignal } = {}): Promise<string> {
    checkOptions("ph.history.export", options, this.locale());
    const { signal } = options;
    return abortable(this.#export(id, signal), signal);
  }

  async #export(id: string, signal: AbortSignal | undefined): Promise<string> {
    const saved = await this.#get(id);
    const tables: Record<string, string> = {};
    for (const [n, turn] of saved.turns.entries()) {
      for (const result of turn.tables) {
        if (signal?.aborted) throw cancelled(signal);
        const bytes = await this.#ask(() => this.#open().block(id, blockName(n, result, turn)));
        if (bytes) tables[blockName(n, result)] = base64(bytes);
      }
    }
    return JSON.stringify({ ...saved, tables });
  }

  /**
   * Forgets a conversation and its tables. Where it is still under way its next question begins another
   * one, which knows nothing of it. What was kept can be deleted when the consent is taken back, too.
   */
  async delete(id: string): Promise<void> {
    await this.#adopted;
    this.#gone.add(id);
    await this.#ask(() => (this.enabled ? this.#open() : this.#before()).delete(id));
  }

  /**
   * Keeps what one conversation says: in memory until the page consents. `standing` tells what the
   * engine needs to go on with it.
   */
  recorder(from: SavedChat | undefined, standing: () => Promise<string | undefined>): Recorder {
    return new Recorder(this.engine, from, {
      store: () => (this.enabled ? this.#open() : undefined),
      gone: (id) => this.#gone.has(id),
      standing,
      failed: (problem) => (this.problem = problem),
      begun: (recorder) => {
        this.#left(recorder);
        this.#underWay.add(new WeakRef(recorder));
      },
      left: (recorder) => {
        this.#left(recorder);
      },
    });
  }

  #left(recorder: Recorder): void {
    for (const one of this.#underWay) {
      const there = one.deref();
      if (!there || there === recorder) this.#underWay.delete(one);
    }
  }

  async #get(id: string): Promise<SavedChat> {
    await this.#adopted;
    if (!this.enabled) throw hostError("history_off", this.locale());
    const saved = await this.#ask(() => this.#open().get(id));
    if (!saved) throw hostError("unknown_chat", this.locale(), id);
    if (saved.version > VERSION) throw hostError("later_chat", this.locale(), id);
    return saved;
  }

  /** Asks a store, which may be the page's own: what it throws is no error of this package. */
  async #ask<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw keptFailure(error, this.locale());
    }
  }

  #open(): HistoryStore {
    if (!this.#makeStore) throw hostError("history_off", this.locale());
    return (this.#store ??= this.#makeStore());
  }
}

/** What a recorder needs of the history. */
interface Keeping {
  /** Where to keep now; nothing without consent. */
  store(): HistoryStore | undefined;
  /** Whether a conversation was deleted here. */
  gone(id: string): boolean;
  /** What the engine needs to go on with the conversation. */
  standing(): Promise<string | undefined>;
  failed(problem: PinholeError): void;
  /** The conversation is under way, or not any more. */
  begun(recorder: Recorder): void;
  left(recorder: Recorder): void;
}

/**
 * Keeps one conversation as it goes. What cannot be kept does not stop it. Without consent it is told
 * to nobody: texts and summaries are held in memory until the consent comes or the conversation ends.
 */
export class Recorder {
  #chat: SavedChat | undefined;
  #turn: SavedTurn | undefined;
  /** Where it is kept, once the page has consented. */
  #store: HistoryStore | undefined;
  /** Where it is known to be. */
  #kept: HistoryStore | undefined;
  /** How many of its questions are known to be there; what is there beyond them is another page's. */
  #known: number;
  /** Results of the question under way whose tables are on their way into the store. */
  #blocks: Promise<string | undefined>[] = [];
  /** Until what was said before the consent is in the store. */
  #adopted: Promise<void> = Promise.resolve();
  /** The engine that gave the results of a turn: another one gives their names to others. */
  readonly #engines = new WeakMap<SavedTurn, number>();

  constructor(
    private readonly engine: Engine,
    from: SavedChat | undefined,
    private readonly keeping: Keeping,
  ) {
    this.#chat = from && structuredClone(from);
    this.#store = keeping.store();
    this.#kept = from && this.#store;
    this.#known = from?.turns.length ?? 0;
  }

  /** The name under which it is kept; none before its first question. */
  get id(): string | undefined {
    return this.#chat?.id;
  }

  /** Whether what was kept of it has been deleted since, in another page of this origin too. */
  async deleted(): Promise<boolean> {
    const [chat, store] = [this.#chat, this.#kept];
    if (!chat || !store || store !== this.#store) return false;
    if (this.keeping.gone(chat.id)) return true;
    // A store that fails now has not forgotten it.
    return !(await store.get(chat.id).catch(() => chat));
  }

  /** A question is asked. */
  begin(question: string): void {
    this.keeping.begun(this);
    void this.consent();
    const at = Date.now();
    this.#turn = { question, at, events: [], tables: [] };
    this.#engines.set(this.#turn, this.engine.generation);
    this.#chat ??= {
      version: VERSION,
      id: newId(),
      title: titleOf(question),
      created: at,
      updated: at,
      turns: [],
      record: undefined,
    };
  }

  /** Something came of it. */
  event(event: ChatEvent): void {
    const turn = this.#turn;
    if (!turn || !this.#chat) return;
    const { events } = turn;
    const last = events.at(-1);
    if (event.type === "text" && last?.type === "text") last.delta += event.delta;
    else events.push(structuredClone(event));
    if (event.type === "done" || event.type === "error") this.#over(this.#chat, turn);
    // At once: the engine may not have the result for long.
    if (event.type === "data_block" && this.#store) {
      const { turns } = this.#chat;
      this.#blocks.push(this.#keep(this.#store, this.#chat, turns.length, turn, event.result_id));
    }
  }

  /** What was said is forgotten: another conversation begins. */
  async clear(): Promise<void> {
    await this.#adopted;
    this.#chat = this.#kept = undefined;
    this.#known = 0;
  }

  /** The consent is another one, or none: what was said is kept there, or nothing more of it. */
  consent(): Promise<void> {
    const store = this.keeping.store();
    if (store === this.#store) return this.#adopted;
    this.#store = store;
    this.#blocks = [];
    const chat = this.#chat;
    const turn = this.#turn;
    if (!store || !chat) return this.#adopted;
    if (turn && !chat.turns.includes(turn)) {
      const keep = (result: string) =>
        this.#keep(store, chat, chat.turns.length, turn, result, true);
      this.#blocks = resultsOf(turn).map(keep);
    }
    this.#adopted = this.#adopted.then(() => this.#adopt(store, chat));
    return this.#adopted;
  }

  /** The question is over. */
  async end(): Promise<void> {
    const chat = this.#chat;
    const turn = this.#turn;
    const store = this.#store;
    this.#turn = undefined;
    if (!chat || !turn) return;
    this.#over(chat, turn);
    if (!store) return;
    const record = this.keeping.standing();
    const kept = (await Promise.all(this.#blocks.splice(0))).filter((one) => one !== undefined);
    await this.#adopted;
    if (this.#keeps(store, chat)) turn.tables = [...new Set([...turn.tables, ...kept])];
    await this.#put(store, chat, record);
  }

  /** Nothing more of a question is to come: whoever was told so may consent at once. */
  #over(chat: SavedChat, turn: SavedTurn): void {
    if (chat.turns.includes(turn)) return;
    chat.turns.push(turn);
    chat.updated = Date.now();
  }

  /** No consent from now on is about this conversation. */
  leave(): void {
    this.keeping.left(this);
  }

  /** The conversation is closed. */
  async close(): Promise<void> {
    this.leave();
    await this.#adopted;
    if (!this.#store) this.#chat = undefined;
  }

  /** Whether the consent is still that for this store, and it was not deleted there. */
  #keeps(store: HistoryStore, { id }: SavedChat): boolean {
    return this.#store === store && this.keeping.store() === store && !this.keeping.gone(id);
  }

  /** Keeps the questions that are over, table by table. */
  async #adopt(store: HistoryStore, chat: SavedChat): Promise<void> {
    const over = [...chat.turns];
    if (over.length === 0) return;
    const record = this.keeping.standing();
    for (const [n, turn] of over.entries()) {
      const tables: string[] = [];
      for (const result of resultsOf(turn)) {
        if (!this.#keeps(store, chat)) break;
        if (await this.#keep(store, chat, n, turn, result, true)) tables.push(result);
      }
      if (this.#keeps(store, chat)) turn.tables = tables;
    }
    await this.#put(store, chat, record);
  }

  async #put(
    store: HistoryStore,
    chat: SavedChat,
    record: Promise<string | undefined>,
  ): Promise<void> {
    chat.record = (await record) ?? chat.record;
    try {
      const gone = await this.deleted();
      if (!gone && this.#keeps(store, chat)) {
        const there = (await store.get(chat.id))?.turns.slice(this.#known) ?? [];
        chat.turns.splice(this.#known, 0, ...there);
        this.#known += there.length;
        const turns = [...chat.turns];
        await store.put({ ...chat, turns });
        this.#known = turns.length;
        this.#kept = store;
        // Tables that were written before the consent was taken back are in no index.
      } else if (gone || !(await store.get(chat.id))) await store.delete(chat.id);
    } catch (error) {
      if (this.#keeps(store, chat)) this.keeping.failed(toError(error));
    }
  }

  /** Keeps a table; one of before the consent (`late`) only where it is still to be had. */
  async #keep(
    store: HistoryStore,
    chat: SavedChat,
    n: number,
    turn: SavedTurn,
    result: string,
    late = false,
  ): Promise<string | undefined> {
    // Another page that goes on with it may have a result of this name at this place.
    const own = turn.tables.includes(result) ? {} : { [result]: `${n}-${result}-${newId()}` };
    turn.blocks = { ...own, ...turn.blocks };
    const block = blockName(n, result, turn);
    try {
      const of = this.#engines.get(turn);
      if (late && of !== this.engine.generation) throw GONE;
      const how = of === undefined ? {} : { of };
      const info = await this.engine.call("result", [result], how).catch(() => undefined);
      const bytes = await this.engine.call("ipc", [result], how).catch((error: unknown) => {
        throw late ? GONE : error;
      });
      if (!this.#keeps(store, chat)) return undefined;
      if (info) turn.results = { ...turn.results, [result]: said(info) };
      await store.putBlock(chat.id, block, bytes);
      return result;
    } catch (error) {
      if (error !== GONE) this.keeping.failed(toError(error));
      // It may have been kept under an earlier consent.
      const before = turn.tables.includes(result) && store.block(chat.id, block);
      return before && (await before.catch(() => undefined)) ? result : undefined;
    }
  }
}

/** The engine has a result no more. */
const GONE = new Error("gone");

/** The results that were shown for a question. */
function resultsOf({ events }: SavedTurn): string[] {
  return [...new Set(events.flatMap((e) => (e.type === "data_block" ? [e.result_id] : [])))];
}

/** A name that no other conversation has; pages without TLS have no `crypto.randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function said(info: ResultInfo): SavedResult {
  const { kind, explanation, metadata, columns, warnings, chart = null } = info;
  return { kind, explanation, metadata, columns, warnings, chart };
}

/** Bytes in base64, piece by piece: a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.byteLength; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}
