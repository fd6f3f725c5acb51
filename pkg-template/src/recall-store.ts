// Where questions asked before are kept: IndexedDB on this device, or memory.

import type { RecallRecord } from "./recall-types.js";

/** What has changed since the store was last up to date. */
export interface RecallChanges {
  /** Records to keep, in place of those with their numbers. */
  put: RecallRecord[];
  /** Numbers of records to forget. */
  gone: number[];
}

/** Keeps records. */
export interface RecallStore {
  /** The records of a data set. */
  load(context: string): Promise<RecallRecord[]>;
  /** Keeps what has changed: all of it, or nothing. */
  apply(changes: RecallChanges): Promise<void>;
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

  apply({ put, gone }: RecallChanges): Promise<void> {
    for (const record of structuredClone(put)) this.#records.set(record.id, record);
    for (const id of gone) this.#records.delete(id);
    return Promise.resolve();
  }
}

const DATABASE = "pinhole-recall";
const VERSION = 1;
const RECORDS = "records";
const BY_CONTEXT = "context";

/** The database is in use by a page that does not let it go. */
export class BlockedError extends Error {}

/** A store in IndexedDB, which pages of the same origin share. */
export class DeviceRecallStore implements RecallStore {
  #database: Promise<IDBDatabase> | undefined;
  #channel: BroadcastChannel | undefined;

  load(context: string): Promise<RecallRecord[]> {
    return this.#run("readonly", (records) => records.index(BY_CONTEXT).getAll(context));
  }

  async apply(changes: RecallChanges): Promise<void> {
    await this.#run("readwrite", (records) => {
      for (const record of changes.put) records.put(record);
      for (const id of changes.gone) records.delete(id);
    });
    this.#channel?.postMessage(changes);
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
      void this.#database?.then((database) => {
        database.close();
      });
      this.#database = undefined;
    };
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
    const opened = (this.#database ??= openDatabase());
    // The next call tries again.
    opened.catch(() => {
      if (this.#database === opened) this.#database = undefined;
    });
    return opened;
  }
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

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    let blocked = false;
    request.onupgradeneeded = () => {
      const records = request.result.createObjectStore(RECORDS, { keyPath: "id" });
      records.createIndex(BY_CONTEXT, "context_code");
    };
    request.onblocked = () => {
      blocked = true;
      reject(new BlockedError("another page holds the database"));
    };
    request.onsuccess = () => {
      const database = request.result;
      // A page with a later version, or one that deletes the database, can go on.
      database.onversionchange = () => {
        database.close();
      };
      if (blocked) database.close();
      else resolve(database);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("the database cannot be opened"));
    };
  });
}
