// Scripts: for what one query cannot say. Run in a sandbox that is fetched when it is first needed,
// in a worker that lives as long as the script; what it asks for, the engine answers here.

import { type HostCode, type Locale, PinholeError, hostError } from "./errors.js";
import { abortable, resolveUrl } from "./platform.js";
import { Clarify } from "./recall.js";
import { Channel, pair } from "./rpc.js";
import { checkScript } from "./script-check.js";
import type { ScriptCall, ScriptEnd } from "./script-service.js";
import type { OpArgs } from "./glue.js";
import type { OpenOptions, Page, Query } from "./types.js";
import { compile } from "./wasm.js";

/** Rows that a query may give to a script. */
export const MOST_SCRIPT_ROWS = 10_000;

/**
 * Milliseconds that a script may work between two signs of life. The sandbox ends it before, at 5
 * seconds; this is for one that the sandbox cannot end.
 */
const PATIENCE = 7_000;

/** What a script needs of the page around it. */
export interface ScriptSurroundings {
  opening: OpenOptions;
  /** Whether it has a worker of its own. */
  threaded: boolean;
  locale: Locale;
  signal: AbortSignal | undefined;
  /** Runs what a script asks for: its first rows. */
  run<K extends "query" | "sql">(op: K, args: OpArgs<K>): Promise<Page>;
}

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
 * Throws {@link Clarify} where it asks the person back.
 */
export async function runScript(
  script: string,
  context: string,
  around: ScriptSurroundings,
): Promise<Uint8Array | undefined> {
  const { locale, signal } = around;
  const wrong = checkScript(script);
  if (wrong) throw failure(wrong.code, wrong.name ?? "", locale);
  const module = await abortable(moduleOf(around), signal);
  /** What the engine said of the queries that failed, by the text that the script reads. */
  const refused = new Map<string, PinholeError>();
  const end = await run({ module, script, context, now: Date.now() }, around, refused);
  if ("failed" in end) {
    const own = end.failed === "script_threw" ? refused.get(end.detail) : undefined;
    throw own ?? failure(end.failed, end.detail, locale);
  }
  return rowsOf(end.returned, locale);
}

/** Runs a script in its worker, and ends the worker with it. */
async function run(
  call: ScriptCall,
  around: ScriptSurroundings,
  refused: Map<string, PinholeError>,
): Promise<ScriptEnd> {
  const { locale, signal } = around;
  let asked = 0;
  let clock: ReturnType<typeof setTimeout> | undefined;
  let late: (() => void) | undefined;
  const tick = () => {
    clearTimeout(clock);
    // While it waits for rows, the time is the engine's.
    if (asked === 0) clock = setTimeout(() => late?.(), PATIENCE);
  };
  const answer = async (op: string, args: unknown[]) => {
    if (op !== "ask") throw new PinholeError("internal", `no call \`${op}\``);
    asked += 1;
    tick();
    try {
      return await ask(args as [kind: "query" | "sql", query: string], around);
    } catch (error) {
      if (error instanceof PinholeError) refused.set(error.message, error);
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
    clearTimeout(clock);
    stop();
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

/** Rows in JSON for what a script asks. */
async function ask(
  [kind, asked]: [kind: "query" | "sql", query: string],
  around: ScriptSurroundings,
): Promise<string> {
  const given: unknown = JSON.parse(asked);
  const page =
    kind === "query"
      ? await around.run("query", [given as Query, {}])
      : await around.run("sql", given as [text: string, params: unknown]);
  // A part of the rows would pass for all of them.
  if (page.rows.length > MOST_SCRIPT_ROWS)
    throw failure("script_rows", String(MOST_SCRIPT_ROWS), around.locale);
  const { columns, rows } = page;
  return JSON.stringify({ columns, rows }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** What a script returned, as rows. */
function rowsOf(returned: string | undefined, locale: Locale): Uint8Array | undefined {
  const value: unknown = returned === undefined ? null : JSON.parse(returned);
  if (value === null) throw failure("script_no_result", "", locale);
  if (isObject(value) && value["error"] === "clarify") {
    const message = value["message"];
    throw new Clarify(typeof message === "string" ? message : "");
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) return undefined;
  const rows = list.map((item) => {
    const cells = isObject(item) ? Object.entries(item) : [["value", item] as const];
    // What is nested is shown as it is written.
    const plain = cells.map(([name, cell]) => [
      name,
      typeof cell === "object" && cell !== null ? JSON.stringify(cell) : cell,
    ]);
    return Object.fromEntries(plain) as Record<string, unknown>;
  });
  return new TextEncoder().encode(JSON.stringify(rows));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A failed script: its texts for the person, and for a developer as the cause. */
function failure(code: string, detail: string, locale: Locale): PinholeError {
  const technical = new Error(hostError(code as HostCode, "en", detail).message);
  return hostError(code as HostCode, locale, detail, technical);
}
