// The questions of a data set as one engine has them: read from the store in parts, one of them
// before the others where it is asked for.

import type { Engine } from "./engine.js";
import { type Locale, hostError } from "./errors.js";
import type { Op, OpArgs, OpResult } from "./glue.js";
import type { RecallChanges, RecallPart, RecallStore } from "./recall-store.js";
import type { RecallRecord, RecallSettings } from "./recall-types.js";

/** Records that are handed to the engine at a time: it serves other calls in between. */
const BATCH = 250;

/** Records that are made ready for a search at a time, some milliseconds of work. */
const READY = 200;

/** What a set of records needs of the page. */
export interface SetSurroundings {
  engine: Engine;
  store: RecallStore;
  context: string;
  locale(): Locale;
  /** What the store has not taken yet. */
  unsaved: () => RecallChanges;
  /** The page's own embedder makes the vectors. */
  embedded: boolean;
  /** Hears that vectors were made which the store does not have. */
  filled: () => void;
  /** Hears how a reading of the store ended, and how many records of it could not be read. */
  read: (failure: unknown, unread: number) => void;
}

/** The store failed, and not the engine. */
class Unreadable extends Error {}

/** The records of a data set in one engine, which reads them when they are first wanted. */
export class RecallSet {
  /** The engine that they are in. */
  readonly generation: number;
  /** Their number there. */
  readonly number: Promise<number>;
  /** All that the store has is there. */
  complete = false;
  /** The store could not be read the last time. */
  failed = false;
  readonly #around: SetSurroundings;
  #reading: Promise<void> | undefined;
  /** Records that were taken in before the others, by their numbers, until all are there. */
  readonly #sooner = new Map<number, Promise<RecallRecord | undefined>>();
  /** What others changed since the last reading began: it may have read what was before. */
  #heard: RecallChanges[] = [];
  #hearing: Promise<void> = Promise.resolve();
  #restored = false;
  #ended = false;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<undefined>((resolve) => {
    this.#stop = () => {
      resolve(undefined);
    };
  });

  constructor(around: SetSurroundings, options: { settings?: RecallSettings; embedder?: string }) {
    this.#around = around;
    this.generation = around.engine.generation;
    this.number = around.engine.call("recall_open", [options]);
    // Whoever waits for it hears of it.
    this.number.catch(() => undefined);
  }

  /** Their number once all are read; where the store cannot be read, with those that are there. */
  async whole(): Promise<number> {
    const number = await this.number;
    if (!this.complete) {
      this.#reading ??= this.#read(number).finally(() => (this.#reading = undefined));
      await this.#reading;
    }
    this.check();
    return number;
  }

  /** Throws where they are let go, or their engine died: a later one has others under their number. */
  check(): void {
    const locale = this.#around.locale();
    if (this.#ended) throw hostError("recall_closed", locale);
    if (this.generation !== this.#around.engine.generation)
      throw hostError("engine_restarted", locale);
  }

  /** Whether a record can be taken in before the others, which are not all there yet. */
  get early(): boolean {
    const { store, unsaved } = this.#around;
    const { put, gone } = unsaved();
    // What the store has is not the last word on what it did not take.
    return !this.complete && store.get !== undefined && put.length + gone.length === 0;
  }

  /** Takes a record in before the others; nothing where the store does not have it. */
  async sooner(id: number): Promise<RecallRecord | undefined> {
    const known = this.#sooner.get(id);
    if (known) return known;
    const taken = this.#take(id);
    this.#sooner.set(id, taken);
    const record = await taken.catch((error: unknown) => {
      this.#sooner.delete(id);
      throw error;
    });
    if (!record) this.#sooner.delete(id);
    return record;
  }

  /** Whether this record was taken in before the others. */
  has(id: number): boolean {
    return this.#sooner.has(id);
  }

  /** Takes in what others have changed, one change after the other. */
  heard(changes: RecallChanges): Promise<void> {
    const early = !this.complete;
    if (early) this.#heard.push(changes);
    const heard = this.#hearing.then(() => this.#hear(changes, early));
    this.#hearing = heard.catch(() => undefined);
    return heard;
  }

  /**
   * What is forgotten goes at once, as does what was there before the others: it can be run and
   * written meanwhile. The rest comes when all is read.
   */
  async #hear({ put, gone }: RecallChanges, early: boolean): Promise<void> {
    const number = await this.number;
    const now: RecallRecord[] = [];
    for (const record of put) if (!early || (await this.#taken(record.id))) now.push(record);
    // What is being taken in is there first.
    for (const id of gone) await this.#taken(id);
    await this.#change(number, { put: now, gone });
  }

  /** Whether this record is there before the others, once that is known. */
  async #taken(id: number): Promise<boolean> {
    return (await this.#sooner.get(id)?.catch(() => undefined)) !== undefined;
  }

  /** Whether the last that was heard of a record is that it was forgotten. */
  #forgotten(id: number): boolean {
    let forgotten = false;
    for (const { put, gone } of this.#heard) {
      if (put.some((record) => record.id === id)) forgotten = false;
      if (gone.includes(id)) forgotten = true;
    }
    return forgotten;
  }

  /** Lets them go. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#stop();
    await this.#reading?.catch(() => undefined);
    const { engine } = this.#around;
    if (this.generation !== engine.generation) return;
    await engine.call("recall_close", [await this.number]).catch(() => undefined);
  }

  async #take(id: number): Promise<RecallRecord | undefined> {
    const { store, context } = this.#around;
    const number = await this.number;
    // Where it cannot be read, the reading of all says so.
    const record = await store.get?.(context, id).catch(() => undefined);
    if (!record || this.#over || this.#forgotten(id)) return undefined;
    // It came with the others meanwhile, and may have been changed since.
    if (this.complete) return record;
    const unread = await this.#call("recall_take_in", [number, [record], []]);
    return unread === 0 && !this.#forgotten(id) ? record : undefined;
  }

  /** Calls the engine that they are in. */
  async #call<K extends Op>(op: K, args: OpArgs<K>): Promise<OpResult<K>> {
    this.check();
    return this.#around.engine.call(op, args);
  }

  /** Nothing is to be told to the engine any more. */
  get #over(): boolean {
    return this.#ended || this.generation !== this.#around.engine.generation;
  }

  /** Reads the store; where that fails, the next call tries again. */
  async #read(number: number): Promise<void> {
    // What was heard before is in the store, and what went is not here any more.
    await this.#hearing;
    this.#heard = [];
    const parts = this.#parts();
    // What was changed here since an earlier reading that failed.
    let changed = new Map<number, string>();
    try {
      changed = await this.#changed(number);
      let unread = 0;
      let coming = parts.next();
      for (;;) {
        const part = await Promise.race([coming, this.#stopped]);
        if (!part || part.done || this.#over) break;
        // The next part is read while the engine works on this one.
        coming = parts.next();
        coming.catch(() => undefined);
        unread += part.value.unread;
        unread += await this.#takeIn(number, part.value.records, changed);
      }
      if (this.#over) return;
      await this.#restore(number, true);
      await this.#catchUp(number, changed);
      this.complete = true;
      this.failed = false;
      this.#sooner.clear();
      this.#around.read(undefined, unread);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.failed = true;
      this.#around.read(error.cause, 0);
      await this.#restore(number, false);
      await this.#catchUp(number, changed);
      return;
    } finally {
      void parts.return(undefined).catch(() => undefined);
    }
    void this.#prepare(number).catch(() => undefined);
  }

  /** Hands records to the engine; how many it cannot read. */
  async #takeIn(
    number: number,
    records: RecallRecord[],
    changed: Map<number, string>,
  ): Promise<number> {
    let unread = 0;
    for (let at = 0; at < records.length && !this.#over; at += BATCH) {
      const some = await this.#unknown(records.slice(at, at + BATCH), changed);
      unread += await this.#call("recall_take_in", [number, some, []]);
    }
    return unread;
  }

  /** What the store has, in parts. */
  async *#parts(): AsyncGenerator<RecallPart, undefined> {
    const { store, context } = this.#around;
    try {
      if (store.read) yield* store.read(context);
      else yield { records: await store.load(context), unread: 0 };
    } catch (error) {
      throw new Unreadable("the store cannot be read", { cause: error });
    }
    return undefined;
  }

  /** What was changed after an earlier reading that failed: when, or for ever where it is gone. */
  async #changed(number: number): Promise<Map<number, string>> {
    const { put, gone } = (await this.#call("recall_pending", [number])).changes;
    return new Map([
      ...put.map(({ id, updated_at }) => [id, updated_at] as const),
      ...gone.map((id) => [id, "\uffff"] as const),
    ]);
  }

  /** Those that the engine does not have in a later form. */
  async #unknown(records: RecallRecord[], changed: Map<number, string>): Promise<RecallRecord[]> {
    const taken = new Set<number>();
    for (const id of this.#sooner.keys()) if (await this.#taken(id)) taken.add(id);
    return records.filter(({ id, updated_at }) => {
      const since = changed.get(id);
      return !taken.has(id) && (since === undefined || since < updated_at);
    });
  }

  /** Takes in what others have changed while the store was read. */
  async #catchUp(number: number, changed: Map<number, string>): Promise<void> {
    for (;;) {
      await this.#hearing;
      const next = this.#heard.shift();
      if (!next) return;
      const put = await this.#unknown(next.put, changed);
      await this.#change(number, { put, gone: next.gone });
    }
  }

  async #change(number: number, { put, gone }: RecallChanges): Promise<void> {
    const own = put.filter((record) => record.context_code === this.#around.context);
    await this.#call("recall_take_in", [number, own, gone]);
  }

  /**
   * Changes that the store had not taken when an earlier engine died. A record can be forgotten once
   * all are read.
   */
  async #restore(number: number, read: boolean): Promise<void> {
    if (this.#restored) return;
    this.#restored = read;
    const { context, unsaved } = this.#around;
    const { put: all, gone, renewed = [] } = unsaved();
    for (const id of read ? gone : []) await this.#call("recall_delete", [number, context, id]);
    const put: RecallRecord[] = [];
    for (const record of all) {
      // One that others have forgotten meanwhile stays forgotten.
      const known = read && renewed.includes(record.id);
      if (known && !(await this.#call("recall_get", [number, context, record.id]))) continue;
      put.push(record);
    }
    if (put.length > 0) {
      const lines = put.map((record) => JSON.stringify(record)).join("\n");
      await this.#call("recall_import", [number, new TextEncoder().encode(lines)]);
    }
  }

  /** Spares the first search the wait, in pieces that hold nothing else up. */
  async #prepare(number: number): Promise<void> {
    const { context, embedded, filled } = this.#around;
    // What the person asks meanwhile goes first.
    const pause = () => new Promise((resolve) => setTimeout(resolve));
    while (!(await this.#call("recall_prepare", [number, context, READY]))) await pause();
    if (embedded) return;
    // Vectors of the built-in embedder of an earlier version are not found any more.
    let made = 0;
    for (;;) {
      const some = await this.#call("recall_fill_built_in", [number, context, READY]);
      if (some === 0) break;
      made += some;
      await pause();
    }
    if (made > 0) filled();
  }
}

/** The moment, as records have it. */
export function moment(): string {
  return new Date().toISOString();
}
