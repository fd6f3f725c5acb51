// Questions asked before within a conversation: which are answered from there, which answers are
// kept.

import { unless } from "./errors.js";
import type { Recall } from "./recall.js";
import { calledAs, keptOf } from "./recall-calls.js";
import { type RecallKept, type RecallRun, notAsThingsAre } from "./recall-run.js";
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
 * questions. So a later one is kept for any turn only where it stands alone and nothing that was
 * carried over from the others is in what answered it. Others are kept with what was asked before
 * them, and answered from before after the same questions, with the same answers, over the same rows.
 */
export class Recalling {
  /** Questions since the conversation began. */
  #turns: number;
  /** Those that stood on others. */
  #others = 0;
  /** What was asked so far, and what answered it; nothing where that is not known. */
  #before: string | undefined;
  #last: string | undefined;
  /** Records for any turn that stand for questions of this conversation. */
  readonly #own = new Set<number>();
  /** Those that stand after others, by the numbers of their questions. */
  readonly #after = new Map<number, { id: number; after: string }>();
  #calls = 0;

  constructor(
    private readonly recall: Recall,
    turns: number,
    /** A policy of the conversation's own may keep from its model which day counts as today. */
    private readonly apart: boolean,
  ) {
    this.#turns = this.#others = turns;
    this.#before = turns === 0 ? "" : undefined;
  }

  /** Another conversation begins. */
  clear(): void {
    this.#turns = this.#others = 0;
    this.#before = "";
    this.#last = undefined;
    this.#own.clear();
    this.#after.clear();
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
    const after = this.#turns > 0 && !this.apart ? this.#before : undefined;
    const found = await this.recall.find(question, signal, { after }).catch(unlessClosed);
    if (!found) return undefined;
    if (signal.aborted) throw cancelled(signal);
    const by = found.found === "run" ? found.by : "exact";
    const known =
      found.found === "run" && (await this.#holds(found.record, by, question))
        ? found.record
        : await this.#earlier(question);
    const ran = known && (await this.#run(question, known, by, signal, tell));
    if (ran) return ran;
    if (found.found === "suggest") {
      const { high_confidence, suggestions } = found;
      tell({ type: "suggestions", high_confidence, suggestions });
    }
    if (found.found === "run" && found.record !== known) tell(offer(found.record, by));
    return undefined;
  }

  /** Whether what was found answers the question at this turn. */
  async #holds(
    { id, after }: RecallRecord,
    by: "exact" | "full_text",
    question: string,
  ): Promise<boolean> {
    if (this.#turns === 0 || after !== undefined || this.#own.has(id)) return true;
    return by === "exact" && (await this.#alone(question));
  }

  /** What answered the same question earlier in this conversation, where it stands alone. */
  async #earlier(question: string): Promise<RecallRecord | undefined> {
    const known = await this.#standing(question);
    const record = known && (await this.recall.get(known.id).catch(unlessClosed));
    return record?.is_valid ? record : undefined;
  }

  async #standing(question: string): Promise<{ id: number; after: string } | undefined> {
    if (this.#after.size === 0 || !(await this.#alone(question))) return undefined;
    return this.#after.get(await this.recall.number(question));
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
    await this.#note(question, record);
    await this.#pass(question, answeredBy(record));
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
    if (!first) this.#others += 1;
    const done = told.find((event): event is Done => event.type === "done");
    const kept = (done?.ended ?? undefined) === undefined ? keptOf(told) : undefined;
    let record: RecallRecord | undefined;
    if (done && kept) {
      // What did not pass the check is not said again; what it was said of holds.
      const human = done.verdict === "ok" ? done.answer : undefined;
      const given = { ...kept, human, since };
      // The answer is given all the same; a question too long to keep is asked anew.
      record = await this.#keep(question, given, first, signal).catch(() => undefined);
    }
    await this.#pass(question, record ? answeredBy(record) : (done?.answer ?? ""));
  }

  async #keep(
    question: string,
    kept: RecallKept,
    first: boolean,
    signal: AbortSignal,
  ): Promise<RecallRecord | undefined> {
    const called = kept.kind === "tool" || kept.kind === "calls";
    if (this.apart && called) return undefined;
    const { carried, dated } = await this.recall.unsaid(question, kept);
    let after: string | undefined;
    if (!first && carried) {
      if (this.apart) return undefined;
      after = (await this.#standing(question))?.after ?? this.#before;
      if (after === undefined) return undefined;
    }
    // A call counts its days from a day of its own.
    const stands = after !== undefined || (dated && !called);
    const id = await this.recall.keep(question, { ...kept, after, stands }, signal);
    const record = await this.recall.get(id);
    if (record) await this.#note(question, record);
    return record;
  }

  /** Takes note of a record that stands for a question of this conversation. */
  async #note(question: string, { id, after }: RecallRecord): Promise<void> {
    if (after === undefined) this.#own.add(id);
    else this.#after.set(await this.recall.number(question), { id, after });
  }

  /** Takes note of a question and of what answered it. The same once more changes nothing. */
  async #pass(question: string, answered: string): Promise<void> {
    this.#turns += 1;
    if (this.#before === undefined) return;
    try {
      const turn = `${await this.recall.number(question)} ${answered}`;
      if (turn !== this.#last)
        this.#before = await this.recall.after(this.#before, question, answered);
      this.#last = turn;
    } catch {
      this.#before = undefined;
    }
  }

  /** Whether a question means the same after any other; not where nobody can tell. */
  #alone(question: string): Promise<boolean> {
    return this.recall.alone(question).catch(() => false);
  }

  /** Whether nothing but this question was asked so far. */
  async #again(question: string, signal: AbortSignal): Promise<boolean> {
    if (this.#others > 0 || this.#own.size !== 1) return false;
    const found = await this.recall.find(question, signal, { all: false });
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

/** What answered a question, as later ones stand on it. */
function answeredBy({ kind, script }: RecallRecord): string {
  return `${kind}\n${script}`;
}

function offer(record: RecallRecord, by: "exact" | "full_text"): ChatEvent {
  const { id, question, usage_count, is_valid, last_result = null } = record;
  const about = { id, question, usage_count, is_valid, last_result };
  return {
    type: "suggestions",
    high_confidence: true,
    suggestions: [{ ...about, similarity: 1, by, differs: [] }],
  };
}
