// Calls over a pair of ports, both ways: request, events, cancel, reply, with transferables.

import { type Fault, PinholeError, toFault } from "./errors.js";
import { tell } from "./listeners.js";

/** The part of Worker, DedicatedWorkerGlobalScope and in-place pairs that calls need. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** What a handler knows about the call it serves. */
export interface Context {
  /** Whether the caller cancelled. */
  cancelled: () => boolean;
  /** Runs when the caller cancels. */
  onCancel: (run: () => void) => void;
  /** Sends an event to the caller. */
  emit: (event: unknown) => void;
}

/** Serves calls by name. */
export type Handler = (op: string, args: unknown[], context: Context) => unknown;

/** A reply whose buffers are moved, not copied. */
export class Moved<T> {
  constructor(
    readonly value: T,
    readonly transfer: Transferable[],
  ) {}
}

type Message =
  | { k: "call"; id: number; op: string; args: unknown[] }
  | { k: "cancel"; id: number }
  | { k: "event"; id: number; event: unknown }
  | { k: "done"; id: number; value: unknown }
  | { k: "fail"; id: number; fault: Fault }
  | { k: "dead"; fault: Fault };

interface Pending {
  op: string;
  resolve: (value: unknown) => void;
  reject: (error: PinholeError) => void;
  event: ((event: never) => void) | undefined;
}

interface Serving {
  cancelled: boolean;
  hooks: (() => void)[];
}

/** How a call is made. */
export interface CallExtras<E, T> {
  transfer?: Transferable[];
  signal?: AbortSignal | undefined;
  onEvent?: (event: E) => void;
  /**
   * The call rejects at once when it is cancelled; a reply that comes all the same is given here.
   * Without it, a cancelled call waits for the other side to say how it ended.
   */
  onOrphan?: (value: T) => void;
}

/** One end of a pair of ports. */
export class Channel {
  #port: Port;
  #handler: Handler;
  #next = 1;
  #pending = new Map<number, Pending>();
  #serving = new Map<number, Serving>();
  #closed: PinholeError | undefined;
  #abandoned: PinholeError | undefined;
  /** Called when the other side says that it cannot go on. */
  ondead: ((fault: Fault) => void) | undefined;

  constructor(port: Port, handler: Handler) {
    this.#port = port;
    this.#handler = handler;
    port.onmessage = (event) => {
      this.#receive(event.data as Message);
    };
  }

  /** Calls `op` on the other side. */
  call<T, E = never>(op: string, args: unknown[], extras: CallExtras<E, T> = {}): Promise<T> {
    const { transfer = [], signal, onEvent, onOrphan } = extras;
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      const abort = () => {
        this.#port.postMessage({ k: "cancel", id } satisfies Message, []);
        if (onOrphan && signal) {
          this.#pending.set(id, {
            op,
            resolve: (value) => {
              onOrphan(value as T);
            },
            reject: () => undefined,
            event: undefined,
          });
          reject(cancelled(signal));
        }
      };
      const settle = () => signal?.removeEventListener("abort", abort);
      this.#pending.set(id, {
        op,
        resolve: (value) => {
          settle();
          resolve(value as T);
        },
        reject: (error) => {
          settle();
          // An engine that had to be replaced for a cancel to work has cancelled.
          const ended = error.code === "cancelled" || error.code === "engine_restarted";
          reject(signal?.aborted && ended ? cancelled(signal) : error);
        },
        event: onEvent,
      });
      try {
        this.#port.postMessage({ k: "call", id, op, args } satisfies Message, transfer);
        signal?.addEventListener("abort", abort, { once: true });
      } catch (error) {
        this.#pending.delete(id);
        reject(uncloneable(error));
      }
    });
  }

  /** Whether the reply to one of these is still to come. */
  waitsFor(ops: ReadonlySet<string>): boolean {
    return [...this.#pending.values()].some(({ op }) => ops.has(op));
  }

  /** Tells the other side that this one cannot go on. */
  die(fault: Fault): void {
    this.#port.postMessage({ k: "dead", fault } satisfies Message, []);
  }

  /**
   * Gives up what is under way both ways: calls reject with `error`, and end on the other side as
   * cancelled; what the other side waits for, and asks later, fails there.
   */
  abandon(error: PinholeError): void {
    this.#abandoned = error;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [id, { reject }] of pending) {
      this.#port.postMessage({ k: "cancel", id } satisfies Message, []);
      reject(error);
    }
    const served = [...this.#serving];
    this.#serving.clear();
    for (const [id, serving] of served) {
      this.#fail(id, error);
      this.#cancel(serving);
    }
  }

  /** Rejects everything that is waited for, and all later calls. */
  close(error: PinholeError): void {
    this.#closed = error;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    for (const serving of this.#serving.values()) this.#cancel(serving);
  }

  #receive(message: Message): void {
    if (this.#closed) return;
    switch (message.k) {
      case "call":
        if (this.#abandoned) this.#fail(message.id, this.#abandoned);
        else void this.#serve(message.id, message.op, message.args);
        break;
      case "cancel": {
        const serving = this.#serving.get(message.id);
        if (serving) this.#cancel(serving);
        break;
      }
      case "event":
        tell(this.#pending.get(message.id)?.event, message.event as never);
        break;
      case "done":
        this.#take(message.id)?.resolve(message.value);
        break;
      case "fail": {
        const { code, message: text, diagnostics } = message.fault;
        this.#take(message.id)?.reject(new PinholeError(code, text, { diagnostics }));
        break;
      }
      case "dead":
        this.ondead?.(message.fault);
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #cancel(serving: Serving): void {
    serving.cancelled = true;
    for (const hook of serving.hooks.splice(0)) hook();
  }

  async #serve(id: number, op: string, args: unknown[]): Promise<void> {
    const serving: Serving = { cancelled: false, hooks: [] };
    this.#serving.set(id, serving);
    let reply: Message;
    let transfer: Transferable[] = [];
    try {
      let value = await this.#handler(op, args, {
        cancelled: () => serving.cancelled,
        onCancel: (run) => {
          if (serving.cancelled) run();
          else serving.hooks.push(run);
        },
        emit: (event) => {
          if (!this.#closed && this.#serving.has(id))
            this.#port.postMessage({ k: "event", id, event } satisfies Message, []);
        },
      });
      if (value instanceof Moved) {
        transfer = value.transfer;
        value = value.value as unknown;
      }
      reply = { k: "done", id, value };
    } catch (error) {
      reply = { k: "fail", id, fault: toFault(error) };
    }
    if (!this.#serving.delete(id) || this.#closed) return;
    try {
      this.#port.postMessage(reply, transfer);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    this.#port.postMessage({ k: "fail", id, fault: toFault(error) } satisfies Message, []);
  }
}

/** What is given as it is now: what becomes of the page's object later does not count. */
export function copyOf<T>(given: T): T {
  try {
    return structuredClone(given);
  } catch (error) {
    throw uncloneable(error);
  }
}

/** What cannot be cloned (a function in a query) is the caller's mistake. */
function uncloneable(error: unknown): PinholeError {
  return new PinholeError("bad_option", String(error), { cause: error });
}

/** The error of a call that its caller cancelled. */
export function cancelled(signal: AbortSignal): PinholeError {
  return new PinholeError("cancelled", "cancelled", { cause: signal.reason });
}

/** Two ports joined in place: messages arrive in order, after the current task. */
export function pair(): [Port, Port] {
  const ports: [Port, Port] = [one(1), one(0)];
  function one(other: 0 | 1): Port {
    return {
      onmessage: null,
      postMessage(message) {
        queueMicrotask(() => ports[other].onmessage?.({ data: message } as MessageEvent));
      },
    };
  }
  return ports;
}
