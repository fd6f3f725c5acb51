// The compiled sources with the stand-in for the engine beside them, laid out as the package is.

import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";

const here = new URL(".", import.meta.url);
const folder = await mkdtemp(join(tmpdir(), "pinhole-test-"));
await cp(fileURLToPath(new URL("../dist/", here)), folder, { recursive: true });
await cp(fileURLToPath(here), folder, { recursive: true });
const file = (name) => pathToFileURL(join(folder, name)).href;

/** The smallest module there is. */
export const WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

export const { Pinhole, PinholeError, Result, Chat } = await import(file("index.js"));
export const rpc = await import(file("rpc.js"));
export const { Rehearsing } = await import(file("rehearsing.js"));
export const endpoint = await import(file("endpoint.js"));
export const { MemoryStore, MemoryRecallStore, differences } = await import(file("index.js"));
export const { DeviceRecallStore } = await import(file("recall-store.js"));
export const { checkScript } = await import(file("script-check.js"));
export const { openDisk } = await import(file("disk.js"));
export const sandbox = await import(file("script-sandbox.js"));
export const { DeviceLedger } = await import(file("ledger.js"));
export const { DeviceStore } = await import(file("device-store.js"));
export const { aiTools, toModelOutput } = await import(file("ai.js"));
export const mcp = await import(file("mcp.js"));
export const fake = await import(file("pinhole.js"));
export const packageUrl = file;

/** An engine in place; closed when the test ends, and if it trapped, the next test has a new one. */
export async function open(t, options = {}) {
  const ph = await Pinhole.open({ wasm: WASM, worker: false, ...options });
  t.after(async () => {
    await ph.close();
    delete fake.tasks.dead;
  });
  return ph;
}

/** A thread of Node that looks to the package like a worker of a browser. */
export class FakeWorker extends EventTarget {
  onmessage = null;
  #thread = new Thread(new URL("thread.js", here), { workerData: file("worker.js") });

  constructor() {
    super();
    this.#thread.on("message", (data) => this.onmessage?.({ data }));
    this.#thread.on("error", (error) => {
      this.dispatchEvent(Object.assign(new Event("error"), { message: String(error) }));
    });
  }

  postMessage(message, transfer) {
    this.#thread.postMessage(message, transfer);
  }

  terminate() {
    void this.#thread.terminate();
  }
}

/** All events of a question. */
export async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Waits until `condition` holds. */
export async function until(condition) {
  for (let i = 0; i < 500 && !condition(); i += 1) await new Promise((r) => setTimeout(r, 2));
  if (!condition()) throw new Error("never happened");
}

/** The messages of what listeners of the page throw, which would end the process, until the test is over. */
export function thrownIn(t) {
  const thrown = [];
  const queue = globalThis.queueMicrotask;
  t.after(() => (globalThis.queueMicrotask = queue));
  globalThis.queueMicrotask = (run) =>
    queue(() => {
      try {
        run();
      } catch (error) {
        thrown.push(error.message);
      }
    });
  return thrown;
}
