// Scripts: for what one query cannot say. Run in a sandbox that is fetched when it is first needed,
// in a worker that lives as long as the script; what it asks for, the engine answers here.

import { type HostCode, type Locale, PinholeError, hostError } from "./errors.js";
import type { GlueEnded, GlueRefused } from "./glue.js";
import { abortable, resolveUrl } from "./platform.js";
import { Clarify } from "./recall-run.js";
import { Channel, pair } from "./rpc.js";
import { checkScript } from "./script-check.js";
import type { ScriptCall, ScriptEnd } from "./script-service.js";
import type { Place } from "./script-sandbox.js";
import type { OpenOptions, Page } from "./types.js";
import { compile } from "./wasm.js";

/** Rows that a query may give to a script. */
export const MOST_SCRIPT_ROWS = 10_000;

/** Columns and cells that a script may give: a table holds every column of every row. */
const MOST_COLUMNS = 500;
const MOST_CELLS = 2_000_000;

/**
 * Milliseconds that a script may work, all in all. The sandbox ends it before, at 5 seconds; this is
 * for one that the sandbox cannot end. What the engine waits for is longer (`BEAT_MS` there).
 */
const PATIENCE = 5_500;

/** What a script needs of the page around it. */
export interface ScriptSurroundings {
  opening: OpenOptions;
  /** Whether it has a worker of its own. */
  threaded: boolean;
  locale: Locale;
  signal: AbortSignal | undefined;
  /** The day that it takes for today, where one is told. */
  day(): Promise<string | undefined>;
  /**
   * Runs what a script asks for, in JSON: its first rows, or why it is given none. `signal` ends it
   * with the script.
   */
  ask(kind: "query" | "sql", asked: string, signal: AbortSignal): Promise<Page | GlueRefused>;
}

/** What a script asked in vain. */
interface Vain {
  error: PinholeError;
  /** What the engine calls it, where the script is one of a model. */
  number?: number;
}

/** How a script ended. */
type Ended =
  | { rows: Uint8Array | undefined }
  | { clarify: string }
  | { failed: string; detail: string; place?: Place | undefined; vain?: Vain | undefined };

/** The compiled module, once it was fetched. */
const modules = new WeakMap<OpenOptions, Promise<WebAssembly.Module>>();

function moduleOf({ opening, locale }: ScriptSurroundings): Promise<WebAssembly.Module> {
  let module = modules.get(opening);
  if (!module) {
    module = compile(opening.scriptWasm ?? new URL("./quickjs.wasm", import.meta.url), locale);
    modules.set(opening, module);
    // The next script tries again.
    module.catch(() => modules.delete(opening));
  }
  return module;
}

/**
 * Runs a script: the rows that it gave, an array of objects in JSON; nothing where there is no row.
 * Throws {@link Clarify} where it asks the person back, and `script_withheld` where a model wrote it
 * and the policy was tightened as it ran.
 */
export async function runScript(
  script: string,
  context: string,
  around: ScriptSurroundings,
): Promise<Uint8Array | undefined> {
  let withheld: PinholeError | undefined;
  const ask: ScriptSurroundings["ask"] = async (...asked) => {
    try {
      return await around.ask(...asked);
    } catch (error) {
      if (error instanceof PinholeError && error.code === "withheld_by_policy")
        withheld = hostError("script_withheld", around.locale);
      throw error;
    }
  };
  const ended = await attempt(script, context, { ...around, ask });
  // The policy did not give it all that it asked: whatever it made of the rest is no answer.
  if (withheld) throw withheld;
  if ("rows" in ended) return ended.rows;
  if ("clarify" in ended) throw new Clarify(ended.clarify);
  throw ended.vain?.error ?? failure(ended.failed, ended.detail, around.locale);
}

/**
 * Runs a script that a model wrote. What is wrong with it is told apart into what its author may
 * hear and what is for the person alone.
 */
export async function runForModel(script: string, around: ScriptSurroundings): Promise<GlueEnded> {
  const ended = await attempt(script, "", around);
  if ("rows" in ended) return { rows: ended.rows ?? new Uint8Array() };
  if ("clarify" in ended) return { fault: { code: "clarify", said: ended.clarify } };
  const { failed, detail, place = {}, vain } = ended;
  if (vain?.number !== undefined) {
    const { error, number } = vain;
    return { fault: { code: failed, ...place, refused: number, said: error.message } };
  }
  const error = vain?.error ?? failure(failed, detail, around.locale);
  const named = failed === "script_forbidden" ? { name: detail } : {};
  return { fault: { code: error.code, ...place, ...named, said: error.message } };
}

async function attempt(
  script: string,
  context: string,
  around: ScriptSurroundings,
): Promise<Ended> {
  const wrong = checkScript(script);
  if (wrong) return { failed: wrong.code, detail: wrong.name ?? "" };
  const module = await abortable(moduleOf(around), around.signal);
  /** What the engine said of the queries that failed, by the text that the script reads. */
  const refused = new Map<string, Vain>();
  const now = await nowOf(script, around);
  const end = await run({ module, script, context, now }, around, refused);
  if ("returned" in end) return endOf(end.returned);
  const vain = end.failed === "script_threw" ? refused.get(end.detail) : undefined;
  return { ...end, vain };
}

/** The moment for scripts where no day is known, so that a script gives the same on any day. */
const NO_DAY = "2000-01-01";

/**
 * The moment that stands still for a script: the day that the tools for purchases count as today. One
 * that never names the time has not read it either.
 */
async function nowOf(script: string, around: ScriptSurroundings): Promise<number> {
  const known = /\bDate\b/.test(script) ? await around.day() : undefined;
  return Date.parse(`${known ?? NO_DAY}T00:00:00Z`);
}

/** Runs a script in its worker, and ends the worker with it, and all that it still asks. */
async function run(
  call: ScriptCall,
  around: ScriptSurroundings,
  refused: Map<string, Vain>,
): Promise<ScriptEnd> {
  const { locale, signal } = around;
  const abort = new AbortController();
  const asks: Promise<unknown>[] = [];
  let asked = 0;
  let clock: ReturnType<typeof setTimeout> | undefined;
  let late: (() => void) | undefined;
  let left = PATIENCE;
  let since: number | undefined;
  const tick = () => {
    clearTimeout(clock);
    if (since !== undefined) left -= performance.now() - since;
    since = undefined;
    // While it waits for rows, the time is the engine's.
    if (asked > 0) return;
    since = performance.now();
    clock = setTimeout(() => late?.(), Math.max(left, 0));
  };
  const answer = async (op: string, args: unknown[]) => {
    if (op !== "ask") throw new PinholeError("internal", `no call \`${op}\``);
    asked += 1;
    tick();
    try {
      const [kind, asked] = args as [kind: "query" | "sql", asked: string];
      const ask = around.ask(kind, asked, abort.signal);
      asks.push(ask);
      const given = await ask;
      if (!("refused" in given)) return rowsFor(given, locale);
      // What it reads of the failure is no more than its author may.
      const { fault, told, refused: number } = given;
      const { code, message, diagnostics } = fault;
      refused.set(told, { error: new PinholeError(code, message, { diagnostics }), number });
      throw new PinholeError(code, told);
    } catch (error) {
      if (error instanceof PinholeError && !refused.has(error.message))
        refused.set(error.message, { error });
      throw error;
    } finally {
      asked -= 1;
      tick();
    }
  };
  const { channel, stop } = around.threaded
    ? startWorker(around, answer)
    : await startInPlace(locale, answer);
  try {
    const ended = channel.call<ScriptEnd>("run", [call], { onEvent: tick });
    const overdue = new Promise<ScriptEnd>((resolve) => {
      late = () => {
        resolve({ failed: "script_time", detail: "" });
      };
    });
    return await abortable(Promise.race([ended, overdue]), signal);
  } finally {
    stop();
    // What it did not wait for would run on, under a number that is no script's any more.
    abort.abort();
    await Promise.allSettled(asks);
    clearTimeout(clock);
  }
}

type Answer = (op: string, args: unknown[]) => unknown;

interface Running {
  channel: Channel;
  stop: () => void;
}

function startWorker({ opening, locale }: ScriptSurroundings, answer: Answer): Running {
  const { scriptWorker: how } = opening;
  let worker: Worker;
  try {
    if (typeof how === "function") worker = how();
    else if (how !== undefined) worker = new Worker(resolveUrl(how, locale), { type: "module" });
    else worker = new Worker(new URL("./script-worker.js", import.meta.url), { type: "module" });
  } catch (error) {
    throw hostError("worker_failed", locale, undefined, error);
  }
  const channel = new Channel(worker, answer);
  // Its script cannot be run.
  worker.addEventListener("error", (event) => {
    const why = event.message ? new Error(event.message) : undefined;
    channel.close(hostError("worker_failed", locale, undefined, why));
  });
  const stop = () => {
    channel.close(hostError("closed", locale));
    worker.terminate();
  };
  return { channel, stop };
}

async function startInPlace(locale: Locale, answer: Answer): Promise<Running> {
  const { serveScript } = await import("./script-service.js");
  const [here, there] = pair();
  const service = serveScript(there);
  const channel = new Channel(here, answer);
  const stop = () => {
    channel.close(hostError("closed", locale));
    service.close(hostError("closed", locale));
  };
  return { channel, stop };
}

/** Rows in JSON for what a script asked. */
function rowsFor({ columns, rows }: Page, locale: Locale): string {
  // A part of the rows would pass for all of them.
  if (rows.length > MOST_SCRIPT_ROWS)
    throw failure("script_rows", String(MOST_SCRIPT_ROWS), locale);
  return JSON.stringify({ columns, rows }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** What a script returned, as rows. */
function endOf(returned: string | undefined): Ended {
  const value: unknown = returned === undefined ? null : JSON.parse(returned);
  if (value === null) return { failed: "script_no_result", detail: "" };
  if (isObject(value) && value["error"] === "clarify") {
    const message = value["message"];
    return { clarify: typeof message === "string" ? message : "" };
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) return { rows: undefined };
  if (isTooLarge(list)) return { failed: "script_too_large", detail: "" };
  const rows = list.map((item) => {
    const cells = isObject(item) ? Object.entries(item) : [["value", item] as const];
    // What is nested is shown as it is written.
    const plain = cells.map(([name, cell]) => [
      name,
      typeof cell === "object" && cell !== null ? JSON.stringify(cell) : cell,
    ]);
    return Object.fromEntries(plain) as Record<string, unknown>;
  });
  return { rows: new TextEncoder().encode(JSON.stringify(rows)) };
}

/** Whether rows are more than a table of them may hold. */
function isTooLarge(list: unknown[]): boolean {
  const columns = new Set<string>();
  return list.some((item) => {
    for (const name of isObject(item) ? Object.keys(item) : ["value"]) columns.add(name);
    return columns.size > MOST_COLUMNS || list.length * Math.max(columns.size, 1) > MOST_CELLS;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A failed script: its texts for the person, and for a developer as the cause. */
function failure(code: string, detail: string, locale: Locale): PinholeError {
  const technical = new Error(hostError(code as HostCode, "en", detail).message);
  return hostError(code as HostCode, locale, detail, technical);
}
