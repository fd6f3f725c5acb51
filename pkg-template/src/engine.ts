// The page's side of the calls: starts the engine, in a worker or in place, and replaces it when
// it dies.

import { sweepEnded } from "./disk.js";
import { type HostCode, type Locale, PinholeError, hostError } from "./errors.js";
import type { Glue, Op, OpArgs, OpResult, SessionOptions } from "./glue.js";
import { abortable, resolveUrl } from "./platform.js";
import { type CallExtras, Channel, type Handler, pair } from "./rpc.js";
import { serve } from "./service.js";
import type { OpenOptions } from "./types.js";
import { compile } from "./wasm.js";

/** What the engine needs of its owner. */
export interface Owner {
  /** Options of a new session: they may change while the page runs. */
  session(): SessionOptions;
  /** What a new engine has to know of earlier ones. */
  resume(): Promise<SessionOptions>;
  /** Serves what the engine asks of the page. */
  handler: Handler;
  /** The engine died: what it held is gone. */
  died(): void;
  /** Whether everything that the engine holds can be brought back. */
  restorable(): boolean;
  /** Brings back what a new engine lacks. */
  restore(call: Engine["call"]): Promise<void>;
}

/** Whether an engine of these options runs in a worker. */
export function isThreaded({ worker }: OpenOptions): boolean {
  return worker !== false && typeof Worker !== "undefined";
}

/**
 * How long an engine may take no message after a cancel, in ms, before it is replaced. Its steps are
 * far shorter; what is not is a step that has no end in sight.
 */
const PATIENCE = 5_000;

/** Calls that are one step however long they take, and that nobody may break off. */
const WHOLE: ReadonlySet<string> = new Set<Op>([
  "load_push",
  "load_settle",
  "load_finish",
  "keep_begin",
  "keep_next",
  "recall_import",
  "ipc",
]);

const after = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** A running engine. */
export class Engine {
  /** Counts the instances: what an earlier one gave out means nothing to this one. */
  generation = 0;
  #channel: Channel | undefined;
  #worker: Worker | undefined;
  #module: WebAssembly.Module | undefined;
  #ready: Promise<void>;
  #restoring = false;
  #closed = false;

  constructor(
    readonly options: OpenOptions,
    private readonly owner: Owner,
  ) {
    this.#ready = this.#start();
    // Whoever waits for it hears of it; until then it is not unhandled.
    this.#ready.catch(() => undefined);
  }

  /** Whether it runs in a worker. */
  get threaded(): boolean {
    return isThreaded(this.options);
  }

  /** When the engine can be called. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  get #locale(): Locale {
    return this.owner.session().locale ?? "en";
  }

  /** Calls the engine: where `of` counts an earlier one, which gave out a number, not at all. */
  readonly call = async <K extends Op, E = never>(
    op: K,
    args: OpArgs<K>,
    extras: CallExtras<E, OpResult<K>> & { of?: number } = {},
  ): Promise<OpResult<K>> => {
    let ready: Promise<void> | undefined;
    // An engine that dies while this waits is replaced: then the new one is waited for.
    while (ready !== this.#ready) {
      ready = this.#ready;
      await abortable(ready, extras.signal);
    }
    if (extras.of !== undefined && extras.of !== this.generation) {
      throw hostError("engine_restarted", this.#locale);
    }
    return this.#direct(op, args, extras);
  };

  /** Ends the engine. Calls that run reject with `closed`. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const error = hostError("closed", this.#locale);
    if (!this.threaded) {
      // No worker ends with it: what runs is told to end, or its session would stay.
      this.#channel?.abandon(error);
      await this.#channel?.call("close", []).catch(() => undefined);
    }
    this.#end(error);
    this.#ready = Promise.reject(error);
    this.#ready.catch(() => undefined);
  }

  #direct<K extends Op, E>(
    op: K,
    args: OpArgs<K>,
    extras?: CallExtras<E, OpResult<K>>,
  ): Promise<OpResult<K>> {
    const channel = this.#channel;
    if (!channel || this.#closed) return Promise.reject(hostError("closed", this.#locale));
    const called = channel.call(op, args, extras);
    const signal = extras?.signal;
    if (signal && this.threaded) {
      const watch = () => void this.#heeds(channel);
      signal.addEventListener("abort", watch, { once: true });
      const over = () => {
        signal.removeEventListener("abort", watch);
      };
      called.then(over, over);
    }
    return called;
  }

  /** Replaces an engine that does not hear a cancel, where nothing is lost by it but results. */
  async #heeds(channel: Channel): Promise<void> {
    const answer = channel.call("stats", []).then(
      () => true,
      () => true,
    );
    const silence = async () => {
      await after(PATIENCE);
      // Where it was the page that stood still, the answer has come and is taken in this turn.
      await after(0);
      return false;
    };
    const heard = await Promise.race([answer, silence()]);
    if (heard || this.#channel !== channel || this.#closed) return;
    if (channel.waitsFor(WHOLE) || !this.owner.restorable()) return;
    this.#replace(new Error("a cancelled call did not end"));
  }

  async #start(): Promise<void> {
    // The worker loads its script while the module is compiled.
    const module = this.#module
      ? Promise.resolve(this.#module)
      : compile(this.options.wasm, this.#locale);
    module.catch(() => undefined);
    try {
      const failed = this.threaded ? this.#startWorker() : undefined;
      if (!failed) await this.#startInPlace();
      this.#module = await (failed ? Promise.race([module, failed]) : module);
      if (this.#closed || !this.#channel) return;
      const resumed = await this.owner.resume();
      const session = { ...this.owner.session(), ...resumed };
      const open = this.#channel.call("open", [this.#module, session]);
      await (failed ? Promise.race([open, failed]) : open);
    } catch (error) {
      this.#end(error instanceof PinholeError ? error : hostError("worker_failed", this.#locale));
      throw error;
    }
  }

  /** The promise never resolves; it rejects when the worker's script cannot be run. */
  #startWorker(): Promise<never> {
    const { worker: how } = this.options;
    let worker: Worker;
    try {
      if (typeof how === "function") worker = how();
      else if (typeof how === "string" || how instanceof URL)
        worker = new Worker(resolveUrl(how, this.#locale), { type: "module" });
      else worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    } catch (error) {
      throw hostError("worker_failed", this.#locale, undefined, error);
    }
    this.#worker = worker;
    this.#connect(new Channel(worker, this.owner.handler));
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        const why = event.message ? new Error(event.message) : undefined;
        reject(hostError("worker_failed", this.#locale, undefined, why));
      });
    });
    failed.catch(() => undefined);
    return failed;
  }

  async #startInPlace(): Promise<void> {
    const glue = (await import("./pinhole.js")) as Glue;
    const [here, there] = pair();
    serve(there, glue);
    this.#connect(new Channel(here, this.owner.handler));
  }

  #connect(channel: Channel): void {
    this.#channel = channel;
    this.generation += 1;
    channel.ondead = (fault) => {
      if (this.#channel === channel) this.#replace(new Error(fault.message));
    };
  }

  #end(error: PinholeError): void {
    this.#channel?.close(error);
    this.#channel = undefined;
    if (this.#worker) {
      this.#worker.terminate();
      void sweepEnded();
    }
    this.#worker = undefined;
  }

  #replace(cause: Error): void {
    const code: HostCode = this.threaded ? "engine_restarted" : "engine_failed";
    const error = hostError(code, this.#locale, undefined, cause);
    this.#end(error);
    this.owner.died();
    if (!this.threaded) {
      this.#ready = Promise.reject(error);
    } else {
      // An engine that dies while tables are read again comes back without them.
      const restore = !this.#restoring;
      this.#ready = this.#start().then(async () => {
        if (!restore) return;
        this.#restoring = true;
        const { generation } = this;
        try {
          await this.owner.restore((op, args, extras) =>
            this.generation === generation ? this.#direct(op, args, extras) : Promise.reject(error),
          );
        } finally {
          this.#restoring = false;
        }
      });
    }
    this.#ready.catch(() => undefined);
  }
}
