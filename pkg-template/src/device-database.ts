// A database on this device: IndexedDB, opened when it is first used, and again where it was lost.

/** One that is made with its stores at the first use. */
export class DeviceDatabase {
  #opened: Promise<IDBDatabase> | undefined;

  constructor(
    private readonly name: string,
    private readonly make: (database: IDBDatabase) => void,
  ) {}

  /** What a request to one of its stores gives, once its transaction is over. */
  async run<T>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest,
    options: IDBTransactionOptions = {},
  ): Promise<T> {
    const opened = this.open();
    try {
      return await transact<T>(await opened, store, mode, work, options);
    } catch (error) {
      // It was deleted, or closed by the browser, since it was opened.
      if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
      if (this.#opened === opened) this.#opened = undefined;
      return transact<T>(await this.open(), store, mode, work, options);
    }
  }

  /** The database; where it does not open, the next call tries again. */
  open(): Promise<IDBDatabase> {
    const opened = (this.#opened ??= openDatabase(this.name, this.make));
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }
}

function transact<T>(
  database: IDBDatabase,
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
  options: IDBTransactionOptions,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(store, mode, options);
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => {
      resolve(request.result as T);
    };
    transaction.onabort = () => {
      // The failure of the request says more than that of the transaction, unless it only follows it.
      const own = request.error?.name === "AbortError" ? null : request.error;
      const why: unknown = own ?? transaction.error;
      reject(why instanceof Error ? why : new Error("the transaction was aborted"));
    };
  });
}

function openDatabase(name: string, make: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      make(request.result);
    };
    request.onsuccess = () => {
      // Another page with a later version, or one that deletes it, can go on.
      request.result.onversionchange = () => {
        request.result.close();
      };
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("the database cannot be opened"));
    };
  });
}
