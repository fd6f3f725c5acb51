// Tables on this device: Arrow IPC files in the page's private file system (OPFS), or in IndexedDB
// where a browser cannot write such files.

import { DeviceDatabase } from "./device-database.js";
import { type Locale, hostError, keptFailure } from "./errors.js";

const FOLDER = "pinhole-tables";
const ENDING = ".arrow";
const DATABASE = "pinhole-tables";
const FILES = "files";

/** A table that is kept on this device. */
export interface KeptTableInfo {
  name: string;
  /** Size of its file. */
  bytes: number;
  /** When it was kept: milliseconds since 1970. */
  at: number;
}

/** A file that is being written. Until it is closed, what had its name stays as it was. */
interface Writer {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** The kept tables of this origin. */
export class KeptTables {
  #place: Promise<Place> | undefined;

  constructor(private readonly locale: () => Locale) {}

  async list(): Promise<KeptTableInfo[]> {
    const files = await this.#files();
    return files.list().catch(this.#failed);
  }

  /** Writes the pieces that `next` gives into the file of a table. */
  async write(name: string, next: () => Promise<Uint8Array | undefined>): Promise<void> {
    const files = await this.#files();
    const file = await files.create(name).catch(this.#failed);
    try {
      for (let bytes = await next(); bytes; bytes = await next()) await file.write(bytes);
      await file.close();
    } catch (error) {
      await file.abort().catch(() => undefined);
      if (error instanceof DOMException && error.name === "QuotaExceededError") {
        throw hostError("storage_full", this.locale(), undefined, error);
      }
      return this.#failed(error);
    }
  }

  async open(name: string): Promise<Blob> {
    const files = await this.#files();
    const file = await files.open(name).catch(this.#failed);
    if (!file) throw hostError("not_kept", this.locale(), name);
    return file;
  }

  /** Whether there was one. */
  async delete(name: string): Promise<boolean> {
    const files = await this.#files();
    return files.delete(name).catch(this.#failed);
  }

  readonly #failed = (error: unknown): never => {
    throw keptFailure(error, this.locale());
  };

  #files(): Promise<Place> {
    this.#place ??= place().catch((error: unknown) => {
      this.#place = undefined;
      throw hostError("cannot_keep", this.locale(), undefined, error);
    });
    return this.#place;
  }
}

/** Where files can be kept. */
interface Place {
  list(): Promise<KeptTableInfo[]>;
  create(name: string): Promise<Writer>;
  open(name: string): Promise<Blob | undefined>;
  delete(name: string): Promise<boolean>;
}

async function place(): Promise<Place> {
  const writable =
    typeof FileSystemFileHandle !== "undefined" &&
    "createWritable" in FileSystemFileHandle.prototype;
  if (writable) {
    try {
      const root = await navigator.storage.getDirectory();
      return new Folder(await root.getDirectoryHandle(FOLDER, { create: true }));
    } catch {
      // Private windows of some browsers have no file system.
    }
  }
  const database = new DeviceDatabase(DATABASE, (made) => {
    made.createObjectStore(FILES, { keyPath: "name" });
  });
  await database.open();
  return new Database(database);
}

class Folder implements Place {
  constructor(private readonly folder: FileSystemDirectoryHandle) {}

  async list(): Promise<KeptTableInfo[]> {
    const found: KeptTableInfo[] = [];
    const entries = this.folder as unknown as AsyncIterable<[string, FileSystemHandle]>;
    for await (const [name, handle] of entries) {
      if (!name.endsWith(ENDING)) continue;
      const file = await (handle as FileSystemFileHandle).getFile();
      // One that is being written for the first time, or was given up, is no table yet.
      if (file.size === 0) continue;
      const table = decodeURIComponent(name.slice(0, -ENDING.length));
      found.push({ name: table, bytes: file.size, at: file.lastModified });
    }
    return found.sort((a, b) => b.at - a.at);
  }

  async create(name: string): Promise<Writer> {
    const handle = await this.folder.getFileHandle(fileName(name), { create: true });
    const writer = await handle.createWritable();
    return {
      write: (bytes) => writer.write(bytes as BufferSource),
      close: () => writer.close(),
      abort: async () => {
        await writer.abort();
        // A file that was made for this and never got a byte is no table.
        if ((await handle.getFile()).size === 0) await this.delete(name);
      },
    };
  }

  async open(name: string): Promise<Blob | undefined> {
    try {
      const file = await (await this.folder.getFileHandle(fileName(name))).getFile();
      return file.size === 0 ? undefined : file;
    } catch (error) {
      if (!isAbsence(error)) throw error;
      return undefined;
    }
  }

  async delete(name: string): Promise<boolean> {
    try {
      await this.folder.removeEntry(fileName(name));
      return true;
    } catch (error) {
      if (!isAbsence(error)) throw error;
      return false;
    }
  }
}

/** Whether a file is not there: any other failure is none to be silent about. */
export function isAbsence(error: unknown): boolean {
  return error instanceof DOMException && error.name === "NotFoundError";
}

/** Names of tables as names of files. */
function fileName(name: string): string {
  const safe = encodeURIComponent(name).replace(/[.*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return safe + ENDING;
}

interface Row {
  name: string;
  at: number;
  file: Blob;
}

class Database implements Place {
  constructor(private readonly database: DeviceDatabase) {}

  async list(): Promise<KeptTableInfo[]> {
    const rows = await this.database.run<Row[]>(FILES, "readonly", (files) => files.getAll());
    const found = rows.map(({ name, at, file }) => ({ name, bytes: file.size, at }));
    return found.sort((a, b) => b.at - a.at);
  }

  create(name: string): Promise<Writer> {
    const parts: BlobPart[] = [];
    return Promise.resolve({
      write: (bytes: Uint8Array) => {
        parts.push(bytes as BlobPart);
        return Promise.resolve();
      },
      close: async () => {
        const row: Row = { name, at: Date.now(), file: new Blob(parts) };
        await this.database.run(FILES, "readwrite", (files) => files.put(row));
      },
      abort: () => {
        parts.length = 0;
        return Promise.resolve();
      },
    });
  }

  async open(name: string): Promise<Blob | undefined> {
    return (await this.database.run<Row | undefined>(FILES, "readonly", (files) => files.get(name)))
      ?.file;
  }

  async delete(name: string): Promise<boolean> {
    const there = await this.open(name);
    await this.database.run(FILES, "readwrite", (files) => files.delete(name));
    return there !== undefined;
  }
}
