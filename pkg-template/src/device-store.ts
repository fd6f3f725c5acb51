// Conversations on this device: an index in IndexedDB, tables as files of the page's private file
// system (OPFS), or in IndexedDB too where a browser cannot write such files.

import { DeviceDatabase } from "./device-database.js";
import { type HistoryStore, type SavedChat, type SavedHead, headOf } from "./history.js";
import { isAbsence } from "./kept.js";

const DATABASE = "pinhole";
const CHATS = "chats";
const BLOCKS = "blocks";
const FOLDER = "pinhole-history";

/** A store that stays on the device. Opened when it is first used. */
export class DeviceStore implements HistoryStore {
  readonly #database = new DeviceDatabase(DATABASE, (database) => {
    database.createObjectStore(CHATS, { keyPath: "id" });
    database.createObjectStore(BLOCKS);
  });
  #folder: Promise<FileSystemDirectoryHandle | undefined> | undefined;

  async list(): Promise<SavedHead[]> {
    const chats = await this.#database.run<SavedChat[]>(CHATS, "readonly", (chats) =>
      chats.getAll(),
    );
    return chats.map(headOf);
  }

  get(id: string): Promise<SavedChat | undefined> {
    return this.#database.run(CHATS, "readonly", (chats) => chats.get(id));
  }

  async put(chat: SavedChat): Promise<void> {
    await this.#database.run(CHATS, "readwrite", (chats) => chats.put(chat));
  }

  async putBlock(id: string, block: string, bytes: Uint8Array): Promise<void> {
    const folder = await this.#chatFolder(id, true);
    if (!folder) {
      await this.#database.run(BLOCKS, "readwrite", (blocks) => blocks.put(bytes, [id, block]));
      return;
    }
    const file = await folder.getFileHandle(fileName(block), { create: true });
    const writer = await file.createWritable();
    try {
      await writer.write(bytes as BufferSource);
      await writer.close();
    } catch (error) {
      // Half a table is none.
      await writer.abort().catch(() => undefined);
      await folder.removeEntry(fileName(block)).catch(() => undefined);
      throw error;
    }
  }

  async block(id: string, block: string): Promise<Uint8Array | undefined> {
    const folder = await this.#chatFolder(id, false);
    try {
      const handle = await folder?.getFileHandle(fileName(block));
      if (handle) return new Uint8Array(await (await handle.getFile()).arrayBuffer());
    } catch {
      // It may have been kept before the browser could write files.
    }
    return this.#database.run(BLOCKS, "readonly", (blocks) => blocks.get([id, block]));
  }

  async delete(id: string): Promise<void> {
    // The index first: what is not in it is not there, whatever becomes of the files.
    await this.#database.run(CHATS, "readwrite", (chats) => chats.delete(id));
    const all = IDBKeyRange.bound([id], [id, []]);
    await this.#database.run(BLOCKS, "readwrite", (blocks) => blocks.delete(all));
    const folder = await this.#files();
    await folder?.removeEntry(fileName(id), { recursive: true }).catch((error: unknown) => {
      if (!isAbsence(error)) throw error;
    });
  }

  /** The folder of all tables, where files can be written. */
  #files(): Promise<FileSystemDirectoryHandle | undefined> {
    return (this.#folder ??= (async () => {
      const can =
        typeof FileSystemFileHandle !== "undefined" &&
        "createWritable" in FileSystemFileHandle.prototype;
      if (!can) return undefined;
      try {
        const root = await navigator.storage.getDirectory();
        return await root.getDirectoryHandle(FOLDER, { create: true });
      } catch {
        return undefined;
      }
    })());
  }

  async #chatFolder(id: string, create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
    try {
      return await (await this.#files())?.getDirectoryHandle(fileName(id), { create });
    } catch {
      return undefined;
    }
  }
}

/** Ids as names of files: letters, digits and dashes as they are. */
function fileName(id: string): string {
  return encodeURIComponent(id).replace(/[.*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
