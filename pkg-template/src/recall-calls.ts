// Questions that several calls answered: which calls of a conversation are kept, and how they run
// again, one after the other, over the very rows that they were made over.

import type { Engine } from "./engine.js";
import { type Locale, hostError, toError } from "./errors.js";
import { PURCHASE_TOOLS } from "./purchases.js";
import type { Ran, RanStep, RecallKept } from "./recall-run.js";
import type { RecallRecord } from "./recall-types.js";
import type { ChatEvent, ResultInfo } from "./types.js";

type Block = Extract<ChatEvent, { type: "data_block" }>;

/** Calls that a record holds at most. */
const MOST = 8;

/** Tools whose results answer questions. */
const answers = (tool: string) =>
  tool === "query" || tool === "run_script" || PURCHASE_TOOLS.has(tool);

/** The day that stands still for a script may be another one by then, or one that is not told. */
const TELLS_TIME = /\bDate\b/;

/** A call, as a record has it. */
interface Call {
  tool: string;
  arguments?: unknown;
}

/** A call of a conversation, and what it gave. */
interface Made extends Omit<Call, "arguments"> {
  id: string;
  input: unknown;
  result: string;
  totals: string | undefined;
}

/** What a record runs, as events name it. */
export function calledAs(
  { kind, script }: RecallRecord,
  { query, explanation }: ResultInfo,
): { tool: string; input: unknown; title?: string } {
  if (kind === "tool") {
    const { tool, arguments: input = {} } = JSON.parse(script) as Call;
    return { tool, input };
  }
  const tool = kind === "script" ? "run_script" : kind;
  return { tool, input: kind === "query" ? query : { [kind]: script }, title: explanation };
}

/** What gave all results of an answer: one query, one script, one call of a tool, or several. */
export function keptOf(told: ChatEvent[]): Omit<RecallKept, "human" | "since"> | undefined {
  const calls = distinct(callsOf(told));
  const [first] = calls;
  if (!first) return undefined;
  // Which calls are known to have given something, or to have failed.
  const ended = new Set(
    told.flatMap((event) =>
      event.type === "data_block" || event.type === "tool_error" ? event.id : [],
    ),
  );
  const silent = told.some(
    (event) => event.type === "tool_call" && answers(event.name) && !ended.has(event.id),
  );
  if (calls.length === 1 && !silent) return single(first);
  const scripts = calls.filter(({ tool }) => tool === "run_script").map(scriptOf);
  const kept =
    calls.length <= MOST &&
    calls.every(({ tool }) => answers(tool)) &&
    scripts.every((script) => script !== undefined && !TELLS_TIME.test(script));
  if (!kept) return undefined;
  return {
    kind: "calls",
    script: JSON.stringify({ calls: calls.map(({ tool, input }) => ({ tool, arguments: input })) }),
    by_model: scripts.length > 0,
    results: calls.flatMap(({ result, totals }) =>
      totals === undefined ? [result] : [result, totals],
    ),
  };
}

function single(call: Made): Omit<RecallKept, "human" | "since"> | undefined {
  const { tool, input, result, totals } = call;
  if (PURCHASE_TOOLS.has(tool)) {
    return { kind: "tool", script: JSON.stringify({ tool, arguments: input }), result, totals };
  }
  if (tool === "query") return { kind: "query", script: JSON.stringify(input), result };
  const script = tool === "run_script" ? scriptOf(call) : undefined;
  return script === undefined ? undefined : { kind: "script", script, by_model: true, result };
}

function scriptOf({ input }: Made): string | undefined {
  const { script } = (input ?? {}) as { script?: unknown };
  return typeof script === "string" ? script : undefined;
}

/** The calls that gave something. The totals of a call are told before its list. */
function callsOf(told: ChatEvent[]): Made[] {
  const made: Made[] = [];
  let last: Block | undefined;
  for (const event of told) {
    if (event.type !== "data_block") continue;
    const { id, tool, input, result_id: result } = event;
    const same = last?.id === id && last.tool === tool;
    const totals = same && PURCHASE_TOOLS.has(tool) ? last?.result_id : undefined;
    if (totals !== undefined) made.pop();
    made.push({ id, tool, input, result, totals });
    last = event;
  }
  return made;
}

/** Each call once: over the same rows it gives the same again. */
function distinct(made: Made[]): Made[] {
  const seen = new Set<string>();
  return made.filter(({ tool, input }) => {
    // What a model called the data is no part of what it asked.
    const given = Object.entries(input ?? {}).filter(([name]) => name !== "title");
    const key = JSON.stringify([tool, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
    return !seen.has(key) && seen.add(key);
  });
}

/** One of the calls of a record as a record of its own, which stands on nothing for itself. */
function recordOf(record: RecallRecord, call: Call): RecallRecord {
  const own = { ...record, over: [] };
  const { tool, arguments: input = {} } = call;
  if (tool === "query") return { ...own, kind: "query", script: JSON.stringify(input) };
  if (tool !== "run_script") return { ...own, kind: "tool", script: JSON.stringify(call) };
  return { ...own, kind: "script", script: String((input as { script?: unknown }).script) };
}

/** Why calls may not run as things stand. */
const BARS = new Set<unknown>(["recall_over", "recall_day", "script_withheld"]);

/** Where a record runs. */
interface Around {
  engine: Engine;
  locale: Locale;
  signal: AbortSignal | undefined;
}

/** Runs the calls of a record by `start`, over one state of the tables or not at all. */
export async function runCalls(
  record: RecallRecord,
  around: Around,
  start: (record: RecallRecord) => Promise<Ran>,
): Promise<Ran> {
  const { calls } = JSON.parse(record.script) as { calls: Call[] };
  const steps: RanStep[] = [];
  await overOneState(record, around, steps, async () => {
    for (const call of calls) {
      const own = recordOf(record, call);
      const { info, totals, output } = await start(own);
      if (info) steps.push({ record: own, info, totals, output });
    }
  });
  const { info, totals, output } = steps.at(-1) ?? { info: undefined };
  return { info, totals, output, steps };
}

/** Runs what stands on the rows of the tables by `start`, over one state of them or not at all. */
export async function runStanding(
  record: RecallRecord,
  around: Around,
  start: (record: RecallRecord) => Promise<Ran>,
): Promise<Ran> {
  const own = { ...record, over: [] };
  const ran: Ran[] = [];
  await overOneState(record, around, ran, async () => {
    ran.push(await start(own));
  });
  return ran[0] ?? { info: undefined };
}

/** Does some work, whose results are noted in `ran`: where the tables change meanwhile, nobody hears. */
async function overOneState(
  record: RecallRecord,
  around: Around,
  ran: Ran[],
  work: () => Promise<void>,
): Promise<void> {
  const { engine, locale, signal } = around;
  const before = await stands(record, around);
  try {
    await work();
    if ((await stands(record, around)) !== before) throw hostError("recall_over", locale);
  } catch (error) {
    for (const id of resultsOf(ran)) engine.call("release", [id]).catch(() => undefined);
    if (signal?.aborted) throw error;
    // What fails as the tables change says nothing against what ran.
    const changed = await stands(record, around).then(
      (now) => now !== before,
      (why: unknown) => BARS.has(toError(why).code),
    );
    throw changed ? hostError("recall_over", locale) : error;
  }
}

/** The ids of all results, in the order in which words refer to them. */
export function resultsOf(ran: Ran[]): string[] {
  return ran.flatMap(({ info, totals }) => [info, totals].flatMap((one) => (one ? [one.id] : [])));
}

/** What the engine makes the answer of. */
export function ranCalls(steps: RanStep[]): {
  calls: { call?: string; list: string; totals?: string }[];
} {
  const calls = steps.map(({ record, info, totals }) => ({
    ...(record.kind === "tool" ? { call: record.script } : {}),
    list: info.id,
    ...(totals ? { totals: totals.id } : {}),
  }));
  return { calls };
}

/** How things stand as a record may run; throws what bars it. */
async function stands(record: RecallRecord, { engine, locale, signal }: Around): Promise<string> {
  let found = await engine.call("recall_stands", [record]);
  if (found.bar === "unread") {
    await engine.call("read_tables", [], { signal });
    found = await engine.call("recall_stands", [record]);
  }
  if (found.standing !== undefined) return found.standing;
  if (found.bar === "day") throw hostError("recall_day", locale, record.of_day);
  throw hostError(found.bar === "scripts" ? "script_withheld" : "recall_over", locale);
}
