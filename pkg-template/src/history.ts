// Conversations kept on this device, with the full tables of their results: what is written, read,
// exported and deleted. Only with the page's consent; where it is kept is the store's business.

import { pageOfDates } from "./dates.js";
import type { Engine } from "./engine.js";
import { type Locale, PinholeError, hostError, toError } from "./errors.js";
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
function blockName(turn: number, result: string): string {
  return `${turn}-${result}`;
}

/** The conversations that are kept. */
export class History {
  #store: HistoryStore | undefined;
  #makeStore: (() => HistoryStore) | undefined;
  /** The last failure to keep something; the conversation itself goes on. */
  problem: PinholeError | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly locale: () => Locale,
    persist: boolean | HistoryStore | undefined,
    private readonly onDevice: () => HistoryStore,
  ) {
    this.allow(persist ?? false);
  }

  /** Whether the page has consented. */
  get enabled(): boolean {
    return this.#makeStore !== undefined;
  }

  /**
   * Gives the page's consent, or takes it back. Conversations that are opened from now on are kept;
   * after `false` nothing is kept any more, of conversations under way neither. What was kept stays
   * until it is deleted.
   */
  allow(persist: boolean | HistoryStore): void {
    this.#store = undefined;
    this.#makeStore =
      typeof persist === "object" ? () => persist : persist ? this.onDevice : undefined;
  }

  /** The conversations, the last used first; none without consent. */
  async list(): Promise<SavedHead[]> {
    if (!this.enabled) return [];
    return (await this.#open().list()).sort((a, b) => b.updated - a.updated);
  }

  /** A conversation with everything that was shown. */
  async open(id: string): Promise<OpenedChat> {
    const saved = await this.#get(id);
    const { title, created, updated, turns } = saved;
    const table = async (turn: number, result: string) => {
      const bytes = await this.#open().block(id, blockName(turn, result));
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
    for (const [turn, { tables: results }] of saved.turns.entries()) {
      for (const name of results.map((result) => blockName(turn, result))) {
        if (signal?.aborted) throw cancelled(signal);
        const bytes = await this.#open().block(id, name);
        if (bytes) tables[name] = base64(bytes);
      }
    }
    return JSON.stringify({ ...saved, tables });
  }

  /** Forgets a conversation and its tables. */
  async delete(id: string): Promise<void> {
    if (this.enabled) await this.#open().delete(id);
  }

  /** Keeps what one conversation says; nothing without consent. */
  recorder(from?: SavedChat): Recorder | undefined {
    if (!this.enabled) return undefined;
    const store = this.#open();
    // Another store is another consent.
    const allowed = () => this.#store === store;
    return new Recorder(store, this.engine, from, allowed, (problem) => (this.problem = problem));
  }

  async #get(id: string): Promise<SavedChat> {
    if (!this.enabled) throw hostError("history_off", this.locale());
    const saved = await this.#open().get(id);
    if (!saved) throw hostError("unknown_chat", this.locale(), id);
    if (saved.version > VERSION) throw hostError("later_chat", this.locale(), id);
    return saved;
  }

  #open(): HistoryStore {
    if (!this.#makeStore) throw hostError("history_off", this.locale());
    return (this.#store ??= this.#makeStore());
  }
}

/** Keeps one conversation as it goes. What cannot be kept does not stop it. */
export class Recorder {
  #chat: SavedChat | undefined;
  #turn: SavedTurn | undefined;
  /** Results whose tables are on their way into the store. */
  #blocks: Promise<string | undefined>[] = [];

  constructor(
    private readonly store: HistoryStore,
    private readonly engine: Engine,
    from: SavedChat | undefined,
    private readonly allowed: () => boolean,
    private readonly failed: (problem: PinholeError) => void,
  ) {
    this.#chat = from && structuredClone(from);
  }

  /** A question is asked. */
  begin(question: string): void {
    const at = Date.now();
    this.#turn = { question, at, events: [], tables: [] };
    this.#chat ??= {
      version: VERSION,
      id: crypto.randomUUID(),
      title: titleOf(question),
      created: at,
      updated: at,
      turns: [],
      record: undefined,
    };
  }

  /** Something came of it. */
  event(event: ChatEvent): void {
    const events = this.#turn?.events;
    if (!events || !this.#chat) return;
    const last = events.at(-1);
    if (event.type === "text" && last?.type === "text") last.delta += event.delta;
    else events.push(structuredClone(event));
    // At once: the engine may not have the result for long.
    if (event.type === "data_block") {
      this.#blocks.push(this.#keep(this.#chat.id, this.#chat.turns.length, event.result_id));
    }
  }

  /** What was said is forgotten: another conversation begins. */
  clear(): void {
    this.#chat = undefined;
  }

  /** What the engine needs to go on. */
  get record(): string | undefined {
    return this.#chat?.record;
  }

  /** The question is over. `record` is what the engine needs to go on. */
  async end(record: string | undefined): Promise<void> {
    const chat = this.#chat;
    const turn = this.#turn;
    this.#turn = undefined;
    if (!chat || !turn) return;
    const kept = await Promise.all(this.#blocks.splice(0));
    if (!this.allowed()) {
      // Tables that were written before the consent was taken back are not in the index.
      if (chat.turns.length === 0) await this.store.delete(chat.id).catch(() => undefined);
      return;
    }
    turn.tables = kept.filter((result) => result !== undefined);
    chat.turns.push(turn);
    chat.updated = Date.now();
    chat.record = record ?? chat.record;
    try {
      await this.store.put(chat);
    } catch (error) {
      this.failed(toError(error));
    }
  }

  async #keep(chat: string, turn: number, result: string): Promise<string | undefined> {
    const of = this.#turn;
    if (!this.allowed()) return undefined;
    try {
      const info = await this.engine.call("result", [result]).catch(() => undefined);
      const bytes = await this.engine.call("ipc", [result]);
      if (!this.allowed()) return undefined;
      if (info && of) of.results = { ...of.results, [result]: said(info) };
      await this.store.putBlock(chat, blockName(turn, result), bytes);
      return result;
    } catch (error) {
      this.failed(toError(error));
      return undefined;
    }
  }
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
