// Runs a script in QuickJS: a JavaScript engine with a heap of its own inside WebAssembly, which
// has nothing of the page or of this worker but the one function that hands out rows.

import loadQuickJS from "./quickjs/emscripten-module.js";
import {
  type Handle,
  type Outcome,
  type QuickJSContext,
  type QuickJSRuntime,
  QuickJSWASMModule,
} from "./quickjs/core.js";
import { QuickJSFFI } from "./quickjs/ffi.js";

/** What a script may take. */
export interface ScriptLimits {
  /** Milliseconds that it works itself; waiting for rows does not count. */
  ms: number;
  /** Bytes of its heap. */
  memory: number;
  /** Bytes of its stack. */
  stack: number;
  queries: number;
}

export const LIMITS: ScriptLimits = {
  ms: 5_000,
  memory: 32 * 1024 * 1024,
  stack: 256 * 1024,
  queries: 20,
};

/** Jobs between two looks at the clock: promises that never end are jobs without end. */
const JOBS = 100;

/** What a script is told of where it runs. */
export interface ScriptHost {
  /** The name of the data set. */
  context: string;
  /** What the script takes for the present moment, in milliseconds since 1970. */
  now: number;
  /** Rows in JSON, for a query in JSON; rejects with the text that the script reads. */
  ask(kind: "query" | "sql", query: string): Promise<string>;
  limits?: ScriptLimits;
}

/** A place in a script, from 1. */
export interface Place {
  line: number;
  column?: number;
}

/** How a script failed: a code, the words that belong to it, and where, as far as it says. */
export class ScriptFailure extends Error {
  constructor(
    readonly code: string,
    readonly detail = "",
    readonly place?: Place,
  ) {
    super(`${code}: ${detail}`);
  }
}

/**
 * What a script finds when it starts. It keeps the functions that it needs before the script can
 * change them; what the script then breaks, it breaks for itself. The clock stands still and chance
 * repeats itself, so that a script gives the same over the same data.
 */
const PRELUDE = `(function (ask, now) {
  "use strict";
  const { parse, stringify } = JSON;
  const { construct } = Reflect;
  const Failure = Error;
  const Moment = Date;
  function FixedDate(...parts) {
    if (!new.target) return construct(Moment, [now]).toString();
    return construct(Moment, parts.length === 0 ? [now] : parts, new.target);
  }
  Object.defineProperty(FixedDate, "name", { value: "Date" });
  FixedDate.prototype = Moment.prototype;
  FixedDate.parse = Moment.parse;
  FixedDate.UTC = Moment.UTC;
  FixedDate.now = () => now;
  Moment.prototype.constructor = FixedDate;
  globalThis.Date = FixedDate;
  let seed = 1;
  Math.random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  const run = async (kind, query) => {
    // What is refused fails where it was asked.
    const { stack } = new Failure();
    let answer;
    try {
      answer = await ask(kind, stringify(query));
    } catch (error) {
      error.stack = stack;
      throw error;
    }
    const { columns, rows } = parse(answer);
    return rows.map((row) => {
      const object = {};
      for (let i = 0; i < columns.length; i += 1)
        Object.defineProperty(object, columns[i], {
          value: row[i], enumerable: true, configurable: true, writable: true,
        });
      return object;
    });
  };
  const sql = (text, params = []) => run("sql", [text, params]);
  globalThis.db = Object.freeze({ query: (query) => run("query", query), sql });
  globalThis.DbService = Object.freeze({ queryRaw: sql });
  const digits = (key, value) => (typeof value === "bigint" ? String(value) : value);
  return (value) => stringify(value, digits);
})`;

/** Runs a script: what it returned, in JSON; nothing where it returned nothing. */
export async function runInSandbox(
  module: WebAssembly.Module,
  script: string,
  host: ScriptHost,
): Promise<string | undefined> {
  // An instance for each script: whatever becomes of it, nothing is left to the next.
  const loaded = await loadQuickJS({
    instantiateWasm: (imports, done) => {
      void WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
  });
  loaded.type = "sync";
  const runtime = new QuickJSWASMModule(loaded, new QuickJSFFI(loaded)).newRuntime();
  return new Sandbox(runtime, host).run(script);
}

/** One script at work. */
class Sandbox {
  readonly #limits: ScriptLimits;
  readonly #vm: QuickJSContext;
  /** Why it ends: set once, and from then on nothing of it runs. */
  #failure: ScriptFailure | undefined;
  /** Milliseconds that it may still work. */
  #left: number;
  #until = 0;
  #asked = 0;
  /** What it waits for. */
  readonly #answers = new Set<Promise<void>>();

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly host: ScriptHost,
  ) {
    this.#limits = host.limits ?? LIMITS;
    this.#left = this.#limits.ms;
    runtime.setMemoryLimit(this.#limits.memory);
    runtime.setMaxStackSize(this.#limits.stack);
    runtime.setInterruptHandler(() => this.#over());
    this.#vm = runtime.newContext();
  }

  async run(script: string): Promise<string | undefined> {
    const vm = this.#vm;
    const prelude = this.#value(() => vm.evalCode(PRELUDE, "prelude.js"));
    const ask = vm.newFunction("ask", (kind, query) => this.#ask(kind, query));
    const now = vm.newNumber(this.host.now);
    const finish = this.#value(() => vm.callFunction(prelude, vm.undefined, ask, now));
    this.#value(() => vm.evalCode(script, "script.js"));
    const named = 'typeof execute === "function" ? execute : undefined';
    const execute = this.#value(() => vm.evalCode(named, "call.js"));
    if (vm.typeof(execute) !== "function") throw new ScriptFailure("script_no_execute");
    const context = vm.newString(this.host.context);
    const returned = this.#value(() => vm.callFunction(execute, vm.undefined, context));
    for (;;) {
      const pending = this.#jobs();
      // What is no promise counts as fulfilled: a script need not be asynchronous.
      const state = vm.getPromiseState(returned);
      if (state.type === "rejected") throw this.#thrown(state.error);
      if (state.type === "fulfilled") {
        const text = this.#value(() => vm.callFunction(finish, vm.undefined, state.value));
        return vm.typeof(text) === "string" ? vm.getString(text) : undefined;
      }
      if (pending) continue;
      if (this.#answers.size === 0) throw new ScriptFailure("script_endless_wait");
      await Promise.race(this.#answers);
    }
  }

  /** Whether it has to end. */
  #over(): boolean {
    if (performance.now() > this.#until) this.#fail(new ScriptFailure("script_time"));
    return this.#failure !== undefined;
  }

  #fail(failure: ScriptFailure): void {
    this.#failure ??= failure;
  }

  /** Lets the script work, for as long as it has left. */
  #work<T>(run: () => T): T {
    const started = performance.now();
    this.#until = started + this.#left;
    try {
      return run();
    } catch (error) {
      // The machine itself gave up: its own stack was full before that of the script, or a trap.
      const deep = error instanceof RangeError;
      this.#fail(new ScriptFailure(deep ? "script_stack" : "script_crashed", String(error)));
      throw this.#failure ?? error;
    } finally {
      this.#over();
      this.#left -= performance.now() - started;
    }
  }

  /** What some work gives; what it throws, thrown here. */
  #value(run: () => Outcome): Handle {
    const outcome = this.#work(run);
    if (this.#failure) throw this.#failure;
    if (outcome.error) throw this.#thrown(outcome.error);
    return outcome.value;
  }

  /** Runs some of what waits; whether there is more. */
  #jobs(): boolean {
    const ran = this.#work(() => this.runtime.executePendingJobs(JOBS));
    if (this.#failure) throw this.#failure;
    if ("error" in ran) throw this.#thrown(ran.error);
    return this.runtime.hasPendingJob();
  }

  #field(handle: Handle, name: string): string {
    const value = this.#vm.getProp(handle, name);
    return this.#vm.typeof(value) === "string" ? this.#vm.getString(value) : "";
  }

  /** What a script threw, as a failure. Its own words are only words. */
  #thrown(handle: Handle): ScriptFailure {
    const kind = this.#vm.typeof(handle);
    const text = kind === "string" ? this.#vm.getString(handle) : kind;
    const told = this.#work(() =>
      kind === "object"
        ? failureOf(
            this.#field(handle, "name"),
            this.#field(handle, "message"),
            placeOf(this.#field(handle, "stack")),
          )
        : failureOf("", text),
    );
    // Reading it may have been a trap of the script's.
    return this.#failure ?? told;
  }

  #ask(kind: Handle, query: Handle): Handle {
    const vm = this.#vm;
    const promise = vm.newPromise();
    const { queries } = this.#limits;
    this.#asked += 1;
    if (this.#asked > queries) this.#fail(new ScriptFailure("script_queries", `${queries}`));
    if (this.#failure) return promise.handle;
    const op = vm.getString(kind) === "sql" ? "sql" : "query";
    const settle = (run: () => void) => {
      if (!this.#failure) this.#work(run);
    };
    const answer = this.host
      .ask(op, vm.getString(query))
      .then(
        (rows) => {
          settle(() => {
            promise.resolve(vm.newString(rows));
          });
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          settle(() => {
            promise.reject(vm.newError(message));
          });
        },
      )
      // What broke is the failure of the script by now.
      .catch(() => undefined)
      .finally(() => this.#answers.delete(answer));
    this.#answers.add(answer);
    return promise.handle;
  }
}

const UNDEFINED = /^'?([\p{ID_Start}$_][\p{ID_Continue}$]*)'? is not defined$/u;
const MISSING = /^cannot read property '(.*)' of (undefined|null)$/;

/** What an error says, as a code with the name that it is about. */
function failureOf(name: string, message: string, place?: Place): ScriptFailure {
  const undefinedName = UNDEFINED.exec(message)?.[1];
  if (name === "ReferenceError" && undefinedName !== undefined)
    return new ScriptFailure("script_undefined", undefinedName, place);
  if (name === "SyntaxError") return new ScriptFailure("script_syntax", message, place);
  if (name === "InternalError" && /out of memory|too long/.test(message))
    return new ScriptFailure("script_memory");
  if (/stack overflow|call stack size/.test(message) && name !== "Error")
    return new ScriptFailure("script_stack");
  const missing = MISSING.exec(message)?.[1];
  if (name === "TypeError" && missing !== undefined)
    return new ScriptFailure("script_missing", missing, place);
  return new ScriptFailure("script_threw", message, place);
}

/** The innermost place of the script itself in a stack. */
function placeOf(stack: string): Place | undefined {
  const [, line, column] = /\bscript\.js:(\d+)(?::(\d+))?/.exec(stack) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}
