// Files for queries whose memory is not enough, in the page's private file system (OPFS). They hold
// parts of tables for as long as a query runs, and nothing between two of them.

import type { DiskFile } from "./glue.js";

const FOLDER = "pinhole-spill";

/**
 * How often what an engine left is looked for once it has ended, and after how many milliseconds the
 * second time: each pause is twice the one before, since a busy machine may take long to end a worker.
 */
const SWEEPS = 10;
const SWEEP_PAUSE = 200;

/** A file as workers alone can open it: the `FileSystemSyncAccessHandle` of browsers. */
interface SyncAccess {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  close(): void;
}

type Openable = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccess> };

/** A new file, where this is a worker whose browser has such files. */
export async function openDisk(): Promise<DiskFile | undefined> {
  const possible =
    typeof FileSystemFileHandle !== "undefined" &&
    "createSyncAccessHandle" in FileSystemFileHandle.prototype;
  if (!possible) return undefined;
  // Another page may sweep the first away before it is open.
  return (await newFile().catch(() => undefined)) ?? (await newFile().catch(() => undefined));
}

async function newFile(): Promise<DiskFile> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  const name = crypto.randomUUID();
  const file = await folder.getFileHandle(name, { create: true });
  const handle = await (file as Openable).createSyncAccessHandle().catch(async (error: unknown) => {
    await folder.removeEntry(name).catch(() => undefined);
    throw error;
  });
  return {
    read: (into, at) => handle.read(into, { at }),
    write: (bytes, at) => handle.write(bytes, { at }),
    clear: () => {
      quietly(() => {
        handle.truncate(0);
      });
    },
    close: () => {
      quietly(() => {
        handle.close();
      });
      void folder.removeEntry(name).catch(() => undefined);
    },
  };
}

/** Does what may fail where a person has deleted the page's files meanwhile. */
function quietly(deed: () => void): void {
  try {
    deed();
  } catch {
    // There is nothing left to clear.
  }
}

/** Deletes what is left of engines that ended while a query ran; how many files others have open. */
export async function sweepDisk(): Promise<number> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER);
    const names = (folder as unknown as { keys(): AsyncIterable<string> }).keys();
    const found: string[] = [];
    for await (const name of names) found.push(name);
    const gone = found.map((name) =>
      folder.removeEntry(name).then(
        () => 0,
        () => 1,
      ),
    );
    return (await Promise.all(gone)).reduce<number>((sum, open) => sum + open, 0);
  } catch {
    // There was never one, or there is no such file system.
    return 0;
  }
}

/** The same for an engine that was ended just now: its file is free a moment later. */
export async function sweepEnded(): Promise<void> {
  for (let i = 0; i < SWEEPS && (await sweepDisk()) > 0; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, SWEEP_PAUSE * 2 ** i));
  }
}
