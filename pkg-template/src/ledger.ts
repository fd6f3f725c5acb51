// The record of what left the page: the engine writes it, lines are kept here, on the page's side,
// so that they outlive an engine that dies, and on the device where the page consents.

import { DeviceDatabase } from "./device-database.js";
import type { Engine } from "./engine.js";
import type { LedgerEntry, LedgerProof } from "./types.js";

/** Where the lines of a ledger are kept. */
export interface LedgerStore {
  /** What it is, for the person. */
  readonly name: string;
  /** The lines after the first `from`, in order. */
  lines(from: number): Promise<string[]>;
  /** Keeps line number `seq`, which counts from 1; false where that number is taken already. */
  keep(seq: number, line: string): Promise<boolean>;
}

/** A store that lasts as long as the page. */
export class MemoryLedger implements LedgerStore {
  readonly name = "memory";
  readonly #lines: string[] = [];

  lines(from: number): Promise<string[]> {
    return Promise.resolve(this.#lines.slice(from));
  }

  keep(seq: number, line: string): Promise<boolean> {
    if (seq <= this.#lines.length) return Promise.resolve(false);
    this.#lines.push(line);
    return Promise.resolve(true);
  }
}

const DATABASE = "pinhole-ledger";
const LINES = "lines";

/** A store in IndexedDB, which pages of the same origin share: one chain for all of them. */
export class DeviceLedger implements LedgerStore {
  readonly name = "indexeddb";
  readonly #database = new DeviceDatabase(DATABASE, (database) => {
    database.createObjectStore(LINES);
  });

  async lines(from: number): Promise<string[]> {
    const range = IDBKeyRange.lowerBound(from, true);
    return this.#database.run<string[]>(LINES, "readonly", (lines) => lines.getAll(range));
  }

  async keep(seq: number, line: string): Promise<boolean> {
    try {
      // `add`, not `put`: what is written stays. On the disk before the request is sent.
      const add = (lines: IDBObjectStore) => {
        const added = lines.add(line, seq);
        const before = lines.getKey(seq - 1);
        // Where those before it were deleted underneath, the chain would have a hole for ever.
        before.onsuccess = () => {
          if (seq > 1 && before.result === undefined) lines.transaction.abort();
        };
        return added;
      };
      await this.#database.run(LINES, "readwrite", add, { durability: "strict" });
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === "ConstraintError") return false;
      throw error;
    }
  }
}

/** What left the page. */
export class Ledger {
  constructor(
    private readonly engine: Engine,
    private readonly store: () => LedgerStore,
    private readonly watchers: Set<(entry: LedgerEntry) => void>,
  ) {}

  /** Where it is kept: `memory` or `indexeddb`, or what a store of one's own calls itself. */
  get kept(): string {
    return this.store().name;
  }

  /** Every request that was made, oldest first. */
  entries(): Promise<LedgerEntry[]> {
    return this.engine.call("ledger", []);
  }

  /** Whether the chain of hashes holds. */
  verify(): Promise<LedgerProof> {
    return this.engine.call("ledger_verify", []);
  }

  /** The ledger as JSON Lines. */
  export(): Promise<string> {
    return this.engine.call("ledger_export", []);
  }

  /** Calls `watcher` with each new entry; the result stops that. */
  watch(watcher: (entry: LedgerEntry) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Keeps a line, or gives the lines that another page wrote meanwhile. */
export async function keepLine(
  store: LedgerStore,
  seq: number,
  line: string,
): Promise<string[] | undefined> {
  return (await store.keep(seq, line)) ? undefined : store.lines(seq - 1);
}
