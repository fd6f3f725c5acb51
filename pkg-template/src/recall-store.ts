// Where questions asked before are kept: IndexedDB on this device, or memory.

import { type Locale, PinholeError, hostError } from "./errors.js";
import type { RecallRecord } from "./recall-types.js";

/** What has changed since the store was last up to date. */
export interface RecallChanges {
  /** Records to keep, in place of those with their numbers. */
  put: RecallRecord[];
  /** Numbers of records to forget. */
  gone: number[];
  /**
   * Numbers of those in `put` of which only what follows from them is new (a vector, that it fits no
   * more). Where the store does not have one of them, somebody has forgotten it: it stays forgotten.
   */
  renewed?: number[];
}

/** Some of the records of a data set. */
export interface RecallPart {
  records: RecallRecord[];
  /** How many beside them are damaged, and stay as they are. */
  unread: number;
}

/** Keeps records. */
export interface RecallStore {
  /** The records of a data set. */
  load(context: string): Promise<RecallRecord[]>;
  /** The same in parts, so that thousands of them hold nothing up. */
  read?: (context: string) => AsyncIterable<RecallPart>;
  /** One record: a question asked before is answered while the others are still read. */
  get?: (context: string, id: number) => Promise<RecallRecord | undefined>;
  /** Keeps what has changed: all of it, or nothing. */
  apply(changes: RecallChanges): Promise<void>;
  /** Forgets a data set, with what of it cannot be read. */
  clear?: (context: string) => Promise<void>;
  /** Hears of what others change in the same place, until what it gives is called. */
  watch?(hear: (changes: RecallChanges) => void): () => void;
}

/** A store that lasts as long as the page. */
export class MemoryRecallStore implements RecallStore {
  readonly #records = new Map<number, RecallRecord>();

  load(context: string): Promise<RecallRecord[]> {
    const own = [...this.#records.values()].filter((record) => record.context_code === context);
    return Promise.resolve(structuredClone(own));
  }

  apply({ put, gone, renewed = [] }: RecallChanges): Promise<void> {
    const known = new Set(renewed.filter((id) => this.#records.has(id)));
    for (const record of structuredClone(put))
      if (known.has(record.id) || !renewed.includes(record.id))
        this.#records.set(record.id, record);
    for (const id of gone) this.#records.delete(id);
    return Promise.resolve();
  }

  clear(context: string): Promise<void> {
    for (const [id, record] of this.#records)
      if (record.context_code === context) this.#records.delete(id);
    return Promise.resolve();
  }
}

const DATABASE = "pinhole-recall";
const VERSION = 1;
const RECORDS = "records";
const BY_CONTEXT = "context";

/** Records that are read at a time: some milliseconds of the page's thread. */
const PAGE = 250;

/**
 * How long a database may take to open, in milliseconds. One whose deletion waits for another page
 * says nothing at all as long as it waits.
 */
const PATIENCE = 5_000;

/** What a database gives for a record: nothing where it is damaged in a way that is no error. */
type Read = RecallRecord | null | undefined;

/** The database is in use by a page that does not let it go. */
export class BlockedError extends Error {}

/** What a failure of a store is to whoever hears of it. */
export function storeFailure(error: unknown, locale: Locale): PinholeError {
  if (error instanceof PinholeError) return error;
  if (error instanceof BlockedError) return hostError("recall_blocked", locale, undefined, error);
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return hostError("recall_full", locale, undefined, error);
  if (name === "VersionError") return hostError("recall_later", locale, undefined, error);
  return hostError("recall_unkept", locale, undefined, error);
}

/** A store in IndexedDB, which pages of the same origin share. */
export class DeviceRecallStore implements RecallStore {
  #database: Promise<IDBDatabase> | undefined;
  /** It did not open in time, and nothing has been heard of it since: nobody waits for it again. */
  #silent = false;
  #channel: BroadcastChannel | undefined;

  async load(context: string): Promise<RecallRecord[]> {
    return (await this.#all(context)).filter((record) => record != null);
  }

  async *read(context: string): AsyncGenerator<RecallPart> {
    const ids = await this.#run<number[]>("readonly", (records) =>
      records.index(BY_CONTEXT).getAllKeys(context),
    );
    const all = await this.#run<number>("readonly", (records) => records.count());
    // Between those of a small data set lie too many of others to read these as well.
    const apart = ids.length * 2 < all;
    const size = apart ? ids.length : PAGE;
    for (let at = 0; at < ids.length; at += size) {
      yield await this.#page(context, ids.slice(at, at + size), apart);
    }
  }

  async get(context: string, id: number): Promise<RecallRecord | undefined> {
    const record = await this.#run<RecallRecord | undefined>("readonly", (records) =>
      records.get(id),
    );
    return record?.context_code === context ? record : undefined;
  }

  async apply(changes: RecallChanges): Promise<void> {
    const renewed = new Set(changes.renewed);
    let put: RecallRecord[] = [];
    await this.#run("readwrite", (records) => {
      put = changes.put.filter(({ id }) => !renewed.has(id));
      for (const record of put) records.put(record);
      for (const id of changes.gone) records.delete(id);
      for (const record of changes.put) {
        if (!renewed.has(record.id)) continue;
        const there = records.getKey(record.id);
        there.onsuccess = () => {
          if (there.result === undefined) return;
          records.put(record);
          put.push(record);
        };
      }
      return undefined;
    });
    this.#channel?.postMessage({ put, gone: changes.gone } satisfies RecallChanges);
  }

  async clear(context: string): Promise<void> {
    const gone: number[] = [];
    await this.#run("readwrite", (records) => {
      const ids = records.index(BY_CONTEXT).getAllKeys(context);
      // Their keys are read and nothing else of them: what is damaged goes as well.
      ids.onsuccess = () => {
        for (const id of ids.result as number[]) {
          gone.push(id);
          records.delete(id);
        }
      };
      return ids;
    });
    // Other pages would write them again.
    const channel = this.#channel ?? new BroadcastChannel(DATABASE);
    channel.postMessage({ put: [], gone } satisfies RecallChanges);
    if (channel !== this.#channel) channel.close();
  }

  watch(hear: (changes: RecallChanges) => void): () => void {
    const channel = new BroadcastChannel(DATABASE);
    channel.onmessage = (event) => {
      hear(event.data as RecallChanges);
    };
    // In Node it would keep the process alive.
    (channel as { unref?: () => void }).unref?.();
    this.#channel = channel;
    return () => {
      channel.close();
      if (this.#channel === channel) this.#channel = undefined;
      // One that never came needs no end.
      this.#database?.then(
        (database) => {
          database.close();
        },
        () => undefined,
      );
      this.#database = undefined;
    };
  }

  /** The records with these numbers, which follow one another. */
  async #page(context: string, ids: number[], apart: boolean): Promise<RecallPart> {
    const part: RecallPart = { records: [], unread: 0 };
    try {
      const range = () => IDBKeyRange.bound(ids[0], ids.at(-1));
      const records = await (apart
        ? this.#all(context)
        : this.#run<Read[]>("readonly", (store) => store.getAll(range())));
      const readable = records.filter((record) => record != null);
      if (readable.length === records.length) {
        part.records = readable.filter(({ context_code: own }) => own === context);
        return part;
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    // One that is damaged takes none of the others with it.
    for (const id of ids) {
      try {
        const record = await this.#run<Read>("readonly", (store) => store.get(id));
        if (record?.context_code === context) part.records.push(record);
        // It is there, and nothing can be read of it.
        else if (!record && (await this.#has(id))) part.unread += 1;
      } catch (error) {
        if (!isDamage(error)) throw error;
        part.unread += 1;
      }
    }
    return part;
  }

  #all(context: string): Promise<Read[]> {
    return this.#run("readonly", (records) => records.index(BY_CONTEXT).getAll(context));
  }

  async #has(id: number): Promise<boolean> {
    return (await this.#run<unknown>("readonly", (records) => records.getKey(id))) !== undefined;
  }

  async #run<T>(
    mode: IDBTransactionMode,
    work: (records: IDBObjectStore) => IDBRequest | undefined,
  ): Promise<T> {
    const opened = this.#open();
    try {
      return await transact(await opened, mode, work);
    } catch (error) {
      // The database was deleted, or closed by the browser, since it was opened.
      if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      if (this.#database === opened) this.#database = undefined;
      return transact(await this.#open(), mode, work);
    }
  }

  #open(): Promise<IDBDatabase> {
    if (this.#silent) return Promise.reject(held());
    const opened = (this.#database ??= openDatabase((silent) => (this.#silent = silent)));
    // The next call tries again.
    opened.catch(() => {
      if (this.#database === opened) this.#database = undefined;
    });
    return opened;
  }
}

/** Whether a record cannot be read, and not the whole database. */
function isDamage(error: unknown): boolean {
  return error instanceof DOMException && ["DataError", "NotReadableError"].includes(error.name);
}

function transact<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (records: IDBObjectStore) => IDBRequest | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(RECORDS, mode);
    let request: IDBRequest | undefined;
    transaction.oncomplete = () => {
      resolve(request?.result as T);
    };
    // Nothing of it is kept then.
    transaction.onabort = () => {
      reject(transaction.error ?? new Error("the transaction was aborted"));
    };
    try {
      request = work(transaction.objectStore(RECORDS));
    } catch (error) {
      transaction.abort();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function held(): BlockedError {
  return new BlockedError("another page holds the database");
}

/** Opens the database. `silent` hears when it says nothing for too long, and when it says something. */
function openDatabase(silent: (is: boolean) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    let late = false;
    const giveUp = () => {
      late = true;
      silent(true);
      reject(held());
    };
    // Where it was this page that stood still, what the database said is heard before that.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, 0);
    }, PATIENCE);
    const heard = () => {
      clearTimeout(timer);
      silent(false);
    };
    request.onupgradeneeded = () => {
      const records = request.result.createObjectStore(RECORDS, { keyPath: "id" });
      records.createIndex(BY_CONTEXT, "context_code");
    };
    request.onblocked = () => {
      heard();
      late = true;
      reject(held());
    };
    request.onsuccess = () => {
      heard();
      const database = request.result;
      // A page with a later version, or one that deletes the database, can go on.
      database.onversionchange = () => {
        database.close();
      };
      if (late) database.close();
      else resolve(database);
    };
    request.onerror = () => {
      heard();
      reject(request.error ?? new Error("the database cannot be opened"));
    };
  });
}
