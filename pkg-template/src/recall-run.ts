// Running a record: its results, or why there are none.

import { hostError, unless } from "./errors.js";
import type { RecallSurroundings } from "./recall-around.js";
import { calledAs, runCalls, runStanding } from "./recall-calls.js";
import type { RecallAnswer, RecallRecord } from "./recall-types.js";
import type { CallOptions, Query, ResultInfo } from "./types.js";

/** Failures that say nothing of what ran. */
export const NOT_ITS_FAULT = new Set([
  "cancelled",
  "closed",
  "recall_closed",
  "recall_day",
  "recall_over",
  "tables_changed",
  "script_withheld",
  "engine_restarted",
  "engine_failed",
  "memory_limit",
  "wasm_failed",
  "worker_failed",
]);

/** A script's question back to the person. */
export class Clarify extends Error {}

/** Runs of records that came to nothing though nothing is wrong with them: as if there were none. */
export const notAsThingsAre = unless(
  "script_withheld",
  "recall_day",
  "recall_over",
  "tables_changed",
);

/** What a record gave: a result, or the list, the totals and the whole answer of a call. */
export interface Ran {
  info: ResultInfo | undefined;
  totals?: ResultInfo | undefined;
  output?: unknown;
  /** Of several calls what each gave; the last is what is named above. */
  steps?: RanStep[];
}

/** What one of several calls gave, and the call as a record of its own. */
export interface RanStep extends Ran {
  info: ResultInfo;
  record: RecallRecord;
}

/** A record that ran. */
export interface RecallRun extends Ran {
  answer: RecallAnswer;
  record: RecallRecord;
}

/** An answer to be kept: what gave it, its results, and its words. */
export interface RecallKept extends Pick<RecallRecord, "kind" | "script" | "by_model"> {
  result?: string;
  totals?: string | undefined;
  /** All results of several calls, in place of these. */
  results?: string[];
  /** The words of a model; without them it is told by template. */
  human: string | undefined;
  /** How things stood when it was asked. */
  since: string;
  /** It stands on the rows of now: it has a day or a value that the question does not say. */
  stands?: boolean;
  /** It answers the question after what was asked before alone. */
  after?: string | undefined;
}

/** Runs a record over the tables as they are. */
export async function start(
  around: RecallSurroundings,
  context: string,
  record: RecallRecord,
  question: string,
  call: CallOptions,
): Promise<Ran> {
  const { kind, script, by_model, of_day: day } = record;
  if (kind === "calls" || record.over?.length) {
    const { engine } = around;
    const surroundings = { engine, locale: around.locale(), signal: call.signal };
    const run = kind === "calls" ? runCalls : runStanding;
    return run(record, surroundings, (own) => start(around, context, own, question, call));
  }
  if (kind === "tool") {
    // Days that a model counted are those of the day that it counted from.
    const called = await around.run("call_again", [script, question, day], call);
    if (!called) throw hostError("recall_day", around.locale(), day);
    const { list: info, totals, output } = called;
    return { info, totals, output };
  }
  if (kind === "script" && by_model) return { info: await ofModel(around, script, call) };
  if (kind === "script") return { info: await around.script(script, context, call) };
  if (kind === "sql") return { info: await around.run("sql", [script, []], call) };
  return { info: await around.run("query", [JSON.parse(script) as Query, {}], call) };
}

/** What an answer shows of it. */
export function shownOf(
  around: RecallSurroundings,
  { info, totals, output, steps }: Ran,
): Partial<RecallAnswer> {
  const beside = (ran: Ran) => ({
    ...(ran.totals ? { totals: around.result(ran.totals) } : {}),
    ...(ran.output === undefined ? {} : { output: ran.output }),
  });
  const each = steps?.map((step) => {
    const { tool, input } = calledAs(step.record, step.info);
    return { tool, input, raw: step.info.id, result: around.result(step.info), ...beside(step) };
  });
  return {
    ...(info ? { raw: info.id, result: around.result(info) } : {}),
    ...beside({ info, totals, output }),
    ...(each ? { steps: each } : {}),
  };
}

/** Runs a script that a model wrote. Where the policy was tightened meanwhile, nothing came of it. */
async function ofModel(
  around: RecallSurroundings,
  script: string,
  call: CallOptions,
): Promise<ResultInfo | undefined> {
  const { engine } = around;
  const withheld = async () => !(await engine.call("scripts_run", []));
  const failure = hostError("script_withheld", around.locale());
  if (await withheld()) throw failure;
  // With what it had as the model wrote it: no tool knows of data sets.
  const run = around.script(script, "", { ...call, by_model: true });
  const info = await run.catch(() => undefined);
  if (!(await withheld())) return run;
  if (info) await engine.call("release", [info.id]);
  throw failure;
}
