// Questions asked before within a conversation: which are answered from there, which answers are
// kept.

import { unless } from "./errors.js";
import { PURCHASE_TOOLS } from "./purchases.js";
import type { Recall } from "./recall.js";
import { type RecallKept, type RecallRun, notAsThingsAre } from "./recall-run.js";
import type { RecallRecord } from "./recall-types.js";
import { cancelled } from "./rpc.js";
import type { ChatEvent } from "./types.js";

type Done = Extract<ChatEvent, { type: "done" }>;
type Block = Extract<ChatEvent, { type: "data_block" }>;

/** An answer from before. */
interface Known {
  done: Done;
  /** Its result, where a query can build on it. */
  result: string | undefined;
}

/**
 * What a conversation has of questions asked before. A question may mean something else after other
 * questions: only the first of a conversation is kept, and only it, or the same question again, is
 * answered from before. For later ones what is found is offered.
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
      tell(offer(record, by));
      return undefined;
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
    const { answer, info } = ran;
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
    // Of a call of a tool no query is left that could be changed.
    return { done, result: record.kind === "tool" ? undefined : info?.id };
  }

  /** Keeps what answered a question, where one query, one script or one call of a tool did. */
  async keep(question: string, told: ChatEvent[], signal: AbortSignal): Promise<void> {
    const alone = this.#turns === 0 || (await this.#again(question).catch(() => false));
    this.#turns += 1;
    if (!alone) this.#others += 1;
    const done = told.find((event): event is Done => event.type === "done");
    const answered = done?.verdict === "ok" && (done.ended ?? undefined) === undefined;
    const kept = keptOf(told);
    if (!alone || !answered || !kept || (this.apart && kept.kind === "tool")) return;
    try {
      const { answer: human } = done;
      this.#own.add(await this.recall.keep(question, { ...kept, human }, signal));
    } catch {
      // The answer is given all the same; a question too long to keep is asked anew.
    }
  }

  /** Whether nothing but this question was asked so far. */
  async #again(question: string): Promise<boolean> {
    if (this.#others > 0 || this.#own.size !== 1) return false;
    const found = await this.recall.find(question, undefined, false);
    return found.found === "run" && this.#own.has(found.record.id);
  }

  #show({ record, info, totals, output }: RecallRun, tell: (event: ChatEvent) => void): void {
    if (!info) return;
    this.#calls += 1;
    const id = `recall_${this.#calls}`;
    const { tool, input, title } = calledAs(record, info);
    tell({ type: "tool_call", id, name: tool, input, ...(title === undefined ? {} : { title }) });
    const about = { type: "data_block", id, tool, input } as const;
    // As a conversation shows a call: its totals, then its list.
    for (const shown of totals ? [totals, info] : [info]) {
      const { id: result_id, rows, summary } = shown;
      const whole = shown === info && output !== undefined ? { output } : {};
      tell({ ...about, result_id, rows, summary, ...whole });
    }
  }
}

/** What a record runs, as events name it. */
function calledAs(
  { kind, script }: RecallRecord,
  { query, explanation }: NonNullable<RecallRun["info"]>,
): { tool: string; input: unknown; title?: string } {
  if (kind === "tool") {
    const { tool, arguments: input = {} } = JSON.parse(script) as Call;
    return { tool, input };
  }
  const tool = kind === "script" ? "run_script" : kind;
  return { tool, input: kind === "query" ? query : { [kind]: script }, title: explanation };
}

/** What gave all results of an answer, where one query, one script or one call of a tool did. */
function keptOf(told: ChatEvent[]): Omit<RecallKept, "human"> | undefined {
  const blocks = told.filter((event): event is Block => event.type === "data_block");
  // The list of a call comes after its totals.
  const list = blocks.pop();
  if (!list) return undefined;
  const { id, tool, input, result_id: result } = list;
  const made = { result, totals: blocks[0]?.result_id };
  if (PURCHASE_TOOLS.has(tool)) {
    // What a later call asks may follow from what an earlier one found.
    const failed = new Set(told.flatMap((event) => (event.type === "tool_error" ? event.id : [])));
    const another = told.some(
      (event) =>
        event.type === "tool_call" &&
        PURCHASE_TOOLS.has(event.name) &&
        event.id !== id &&
        !failed.has(event.id),
    );
    if (another || blocks.length > 1 || blocks.some((block) => block.id !== id)) return undefined;
    return { kind: "tool", script: JSON.stringify({ tool, arguments: input }), ...made };
  }
  if (blocks.length > 0) return undefined;
  if (tool === "query") return { kind: "query", script: JSON.stringify(input), result };
  const { script } = (input ?? {}) as { script?: unknown };
  if (tool !== "run_script" || typeof script !== "string") return undefined;
  return { kind: "script", script, result };
}

/** A call of a tool, as a record has it. */
interface Call {
  tool: string;
  arguments?: unknown;
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
