// The engine's side of the calls: owns the session, runs what the page asks for. The same in a
// worker and in place.

import { openDisk, sweepDisk } from "./disk.js";
import { PinholeError, hostError, isTrap, toFault } from "./errors.js";
import type {
  ChatHost,
  Glue,
  GlueEnded,
  GlueSession,
  GlueTasks,
  HostResponse,
  Job,
  SessionOptions,
} from "./glue.js";
import { Rehearsing } from "./rehearsing.js";
import { Channel, type Context, Moved, type Port } from "./rpc.js";

/** Least milliseconds between two progress events of a call. */
const PROGRESS_INTERVAL = 50;

type Method = (...args: unknown[]) => unknown;

/** Calls that take a {@link Job} as their last argument. */
const LONG = new Set([
  "call_again",
  "check",
  "load_settle",
  "print",
  "purchases_check",
  "query",
  "read_tables",
  "script_ask",
  "script_result",
  "source",
  "sql",
  "tool_execute",
]);

/** Calls that return at once. */
const SHORT = new Set(
  (
    "keep_begin keep_next keep_end render check_stats load_begin load_push load_finish load_abort tables drop validate format explain complete functions result release " +
    "rows plan suggest chat_open chat_record chat_clear chat_close block_open block_rows " +
    "block_close tool_definitions ledger ledger_verify " +
    "ledger_export set_policy policy set_locale stats chat_confirm chat_answered answer answer_call answer_calls scripts_run script_day standing " +
    "recall_open recall_close recall_take_in recall_ask recall_alone recall_unsaid recall_after recall_suggest recall_save recall_get " +
    "recall_list recall_update recall_delete recall_finished recall_without_vector recall_to_leave recall_fill " +
    "recall_fill_built_in recall_number recall_prepare recall_pending recall_confirm recall_stands recall_export recall_import"
  ).split(" "),
);

/**
 * Whom the module's instance serves in this realm: a trap ends it for all of them. They stay when it has,
 * so that no session is given back to an instance that must not run.
 */
const served = new Set<Channel>();

/** Ends the instance, where `error` says that it trapped; whether it does. */
function trapped(tasks: GlueTasks, error: unknown): boolean {
  if (!isTrap(error)) return false;
  tasks.dead ??= error;
  for (const channel of served) channel.die(toFault(error));
  return true;
}

/** Serves the page's calls on `port`. `opened` runs once the session is there. */
export function serve(port: Port, glue: Glue, opened?: () => void): Channel {
  const { tasks } = glue;
  let session: GlueSession | undefined;
  let rehearsing: Rehearsing | undefined;
  let disk: Job["disk"] = () => Promise.resolve(undefined);
  /** Calls under way: a session that one of them borrows cannot be freed. */
  const running = new Set<Promise<unknown>>();

  const channel: Channel = new Channel(port, async (op, args, context) => {
    try {
      const asked = () => run(op, args, context);
      const given = rehearsing ? rehearsing.beside(op, asked) : asked();
      if (!(given instanceof Promise) || op === "close") return await given;
      running.add(given);
      try {
        return await given;
      } finally {
        running.delete(given);
      }
    } catch (error) {
      trapped(tasks, error);
      throw error;
    }
  });

  const run = (op: string, args: unknown[], context: Context): unknown => {
    if (op === "open") {
      const [module, { spill = true, ...options }] = args as [WebAssembly.Module, SessionOptions];
      if (spill) disk = openDisk;
      if (tasks.dead)
        throw hostError("engine_failed", options.locale ?? "en", undefined, tasks.dead);
      served.add(channel);
      tasks.trapped = (error) => trapped(tasks, error);
      // Not at once: a page's own thread may not instantiate large modules in one go.
      return glue.default({ module_or_path: module }).then(() => {
        session = new glue.Session(options);
        rehearsing = new Rehearsing(session, pause, tasks);
        opened?.();
        void sweepDisk();
      });
    }
    if (tasks.dead) throw new PinholeError("internal", "the module trapped", { cause: tasks.dead });
    if (op === "close") {
      const [closed, ended] = [session, rehearsing?.end()];
      session = rehearsing = undefined;
      return Promise.allSettled([ended, ...running]).then(() => {
        served.delete(channel);
        closed?.free();
      });
    }
    if (!session) throw new PinholeError("internal", `no session for \`${op}\``);
    if (op === "ipc" || op === "keep_next") {
      const bytes =
        op === "ipc" ? session.ipc(args[0] as string) : session.keep_next(args[0] as number);
      if (!bytes) return undefined;
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
      return new Moved(own, [own.buffer as ArrayBuffer]);
    }
    if (op === "chat_ask") {
      const [chat, question, ask] = args as [number, string, number];
      return session.chat_ask(chat, question, host(channel, ask, context, disk));
    }
    if (op === "recall_leave") {
      const [questions, endpoint, ask] = args as [string[], string, number];
      return session.recall_leave(questions, endpoint, host(channel, ask, context, disk));
    }
    if (op === "rehearse_begin") {
      rehearsing?.begin();
      return undefined;
    }
    // The page waits for it: it goes on by itself.
    if (op === "rehearse") return rehearsing?.over(context.onCancel);
    if (!SHORT.has(op) && !LONG.has(op)) throw new PinholeError("internal", `no call \`${op}\``);
    const methods = session as unknown as Record<string, Method>;
    return methods[op]?.(...(LONG.has(op) ? [...args, job(channel, context, disk)] : args));
  };
  return channel;
}

/** Has the page run a script, as long as the call goes on that it is for. */
function sandbox(channel: Channel, context: Context): Job["script"] {
  return (number, script) => {
    const abort = new AbortController();
    context.onCancel(() => {
      abort.abort();
    });
    return channel.call<GlueEnded>("script", [number, script], { signal: abort.signal });
  };
}

function job(channel: Channel, context: Context, disk: Job["disk"]): Job {
  let last = 0;
  return {
    cancelled: context.cancelled,
    progress: (done, total) => {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL && done !== total) return;
      last = now;
      context.emit({ done, total });
    },
    pause,
    script: sandbox(channel, context),
    disk,
  };
}

function host(channel: Channel, ask: number, context: Context, disk: Job["disk"]): ChatHost {
  return {
    emit: context.emit,
    approve: (entry) => channel.call<boolean>("approve", [ask, entry]),
    keep: (seq, line) => channel.call<string[] | undefined>("keep", [ask, seq, line]),
    send: async (body) => {
      const { stream, ...head } = await channel.call<
        Omit<HostResponse, "read"> & { stream: number }
      >("send", [ask, body]);
      return { ...head, read: () => channel.call<Uint8Array | undefined>("read", [ask, stream]) };
    },
    now: () => Date.now(),
    cancelled: context.cancelled,
    pause,
    script: sandbox(channel, context),
    disk,
  };
}

/**
 * Lets the event loop run once. A message to ourselves is quicker than a timer, which browsers
 * hold back by 4 ms when timers nest.
 */
const pause: () => Promise<void> = (() => {
  const immediate = (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate;
  if (immediate)
    return () =>
      new Promise((resolve) => {
        immediate(resolve);
      });
  let ports: MessageChannel | undefined;
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      if (!ports) {
        ports = new MessageChannel();
        ports.port1.onmessage = () => waiting.shift()?.();
      }
      waiting.push(resolve);
      ports.port2.postMessage(null);
    });
})();
