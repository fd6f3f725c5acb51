// Questions asked before within a conversation: which are answered from there, which answers are
// kept.

import { unless } from "./errors.js";
import type { Recall } from "./recall.js";
import { calledAs, keptOf } from "./recall-calls.js";
import { type RecallRun, notAsThingsAre } from "./recall-run.js";
import type { RecallRecord } from "./recall-types.js";
import { cancelled } from "./rpc.js";
import type { ChatEvent } from "./types.js";

type Done = Extract<ChatEvent, { type: "done" }>;

/** An answer from before. */
interface Known {
  done: Done;
  /** Its result, where a query can build on it. */
  result: string | undefined;
}

/**
 * What a conversation has of questions asked before. A question may mean something else after other
 * questions. So a later one is kept only where it stands alone and nothing that was carried over from
 * the others is in what answered it, and answered from before only where it stands alone or was asked
 * in this conversation already, in the same words. For others what is found is offered.
 */
export class Recalling {
  /** Questions since the conversation began. */
  #turns: number;
  /** Those that stood on others. */
  #others = 0;
  /** Records that stand for questions of this conversation. */
  readonly #own = new Set<number>();
  #calls = 0;

  constructor(
    private readonly recall: Recall,
    turns: number,
    /** A policy of the conversation's own may keep from its model which day counts as today. */
    private readonly apart: boolean,
  ) {
    this.#turns = this.#others = turns;
  }

  /** Another conversation begins. */
  clear(): void {
    this.#turns = this.#others = 0;
    this.#own.clear();
  }

  /**
   * Tells the answer that was given before, if there is one; its end is left to be told. A person who
   * took a suggestion names its record.
   */
  async answer(
    question: string,
    signal: AbortSignal,
    tell: (event: ChatEvent) => void,
    chosen?: number,
  ): Promise<Known | undefined> {
    const taken =
      chosen === undefined ? undefined : await this.recall.get(chosen).catch(unlessClosed);
    if (taken) return this.#run(question, taken, "exact", signal, tell);
    const found = await this.recall.find(question, signal).catch(unlessClosed);
    if (!found) return undefined;
    if (signal.aborted) throw cancelled(signal);
    if (found.found === "suggest") {
      const { high_confidence, suggestions } = found;
      tell({ type: "suggestions", high_confidence, suggestions });
    }
    if (found.found !== "run") return undefined;
    const { record, by } = found;
    if (this.#turns > 0 && !this.#own.has(record.id)) {
      const same = by === "exact" && (await this.#alone(question));
      if (!same) {
        tell(offer(record, by));
        return undefined;
      }
    }
    return this.#run(question, record, by, signal, tell);
  }

  async #run(
    question: string,
    record: RecallRecord,
    by: "exact" | "full_text",
    signal: AbortSignal,
    tell: (event: ChatEvent) => void,
  ): Promise<Known | undefined> {
    const run = this.recall.run(record, { question, by, signal });
    const ran = await run.catch(notAsThingsAre);
    if (!ran) return undefined;
    const { answer } = ran;
    // What failed is not found again: the question is open.
    if (!answer.success && answer.error !== "clarify") return undefined;
    this.#turns += 1;
    this.#own.add(record.id);
    const { id: script_id, created_at: asked_at, usage_count } = record;
    tell({ type: "recall", script_id, question: record.question, asked_at, by, usage_count });
    this.#show(ran, tell);
    const { human, claims = [] } = answer;
    tell({ type: "text", delta: human });
    tell({ type: "claims", claims });
    tell({ type: "draft", n: 1, status: "final" });
    const ended = answer.error === "clarify" ? { ended: "clarify" } : {};
    const done: Done = { type: "done", answer: human, claims, verdict: "ok", ...ended };
    return { done, result: this.#toBuildOn(ran) };
  }

  /**
   * The result whose query a later question can change: of a call of a tool none is left. Of several
   * calls it is the last, where all are queries. A value in it may be one that an earlier call found,
   * so a conversation with a policy of its own, which may not tell that, hears of none.
   */
  #toBuildOn({ record, info, steps }: RecallRun): string | undefined {
    const told = steps
      ? !this.apart && steps.every((step) => step.record.kind === "query")
      : record.kind !== "tool";
    return told ? info?.id : undefined;
  }

  /** Keeps what answered a question that was asked when things stood so. */
  async keep(
    question: string,
    told: ChatEvent[],
    since: string,
    signal: AbortSignal,
  ): Promise<void> {
    const first = this.#turns === 0 || (await this.#again(question, signal).catch(() => false));
    this.#turns += 1;
    if (!first) this.#others += 1;
    const done = told.find((event): event is Done => event.type === "done");
    const answered = done?.verdict === "ok" && (done.ended ?? undefined) === undefined;
    const kept = keptOf(told);
    if (!answered || !kept || !(first || (await this.#alone(question, kept)))) return;
    if (this.apart && (kept.kind === "tool" || kept.kind === "calls")) return;
    try {
      const { answer: human } = done;
      this.#own.add(await this.recall.keep(question, { ...kept, human, since }, signal));
    } catch {
      // The answer is given all the same; a question too long to keep is asked anew.
    }
  }

  /** Whether a question, and what answered it, stands on none before it; not where nobody can tell. */
  #alone(...asked: Parameters<Recall["alone"]>): Promise<boolean> {
    return this.recall.alone(...asked).catch(() => false);
  }

  /** Whether nothing but this question was asked so far. */
  async #again(question: string, signal: AbortSignal): Promise<boolean> {
    if (this.#others > 0 || this.#own.size !== 1) return false;
    const found = await this.recall.find(question, signal, false);
    return found.found === "run" && this.#own.has(found.record.id);
  }

  #show(
    { record, info, totals, output, steps }: RecallRun,
    tell: (event: ChatEvent) => void,
  ): void {
    for (const step of steps ?? (info ? [{ record, info, totals, output }] : [])) {
      this.#calls += 1;
      const id = `recall_${this.#calls}`;
      const { tool, input, title } = calledAs(step.record, step.info);
      tell({ type: "tool_call", id, name: tool, input, ...(title === undefined ? {} : { title }) });
      const about = { type: "data_block", id, tool, input } as const;
      // As a conversation shows a call: its totals, then its list.
      for (const shown of step.totals ? [step.totals, step.info] : [step.info]) {
        const { id: result_id, rows, summary } = shown;
        const is_list = shown === step.info && step.output !== undefined;
        const whole = is_list ? { output: step.output } : {};
        tell({ ...about, result_id, rows, summary, ...whole });
      }
    }
  }
}

/** A conversation goes on without questions that were closed. */
const unlessClosed = unless("recall_closed");

function offer(record: RecallRecord, by: "exact" | "full_text"): ChatEvent {
  const { id, question, usage_count, is_valid, last_result = null } = record;
  const about = { id, question, usage_count, is_valid, last_result };
  return {
    type: "suggestions",
    high_confidence: true,
    suggestions: [{ ...about, similarity: 1, by, differs: [] }],
  };
}
