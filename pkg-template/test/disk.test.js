// The files that queries continue in, over a private file system that stands in for a browser's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDisk } from "../testing/setup.js";

/** A folder of files; `asked` counts the files that were opened for reading and writing at once. */
function fileSystem(t, open) {
  const files = new Set();
  const asked = { files: 0 };
  class FileSystemFileHandle {
    createSyncAccessHandle() {
      asked.files += 1;
      return open();
    }
  }
  const folder = {
    getFileHandle: async (name) => {
      files.add(name);
      return new FileSystemFileHandle();
    },
    removeEntry: async (name) => void files.delete(name),
  };
  const storage = { getDirectory: async () => ({ getDirectoryHandle: async () => folder }) };
  for (const [name, value] of Object.entries({ FileSystemFileHandle, navigator: { storage } })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else delete globalThis[name];
    });
  }
  return { files, asked };
}

test("a file that cannot be opened does not stay", async (t) => {
  const refuse = () => Promise.reject(new Error("no"));
  const { files, asked } = fileSystem(t, refuse);
  assert.equal(await openDisk(), undefined);
  assert.deepEqual([asked.files, files.size], [2, 0]);
});

test("a file goes with what holds it open", async (t) => {
  const closed = [];
  const { files } = fileSystem(t, async () => ({ close: () => closed.push(true) }));
  const disk = await openDisk();
  assert.equal(files.size, 1);
  disk.close();
  assert.deepEqual([closed.length, files.size], [1, 0]);
});
