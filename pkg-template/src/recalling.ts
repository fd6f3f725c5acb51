// Questions asked before within a conversation: which are answered from there, which answers are
// kept.

import { unless } from "./errors.js";
import type { Recall } from "./recall.js";
import { calledAs, keptOf } from "./recall-calls.js";
import { type RecallKept, type RecallRun, notAsThingsAre } from "./recall-run.js";
import type { RecallBefore, RecallRecord } from "./recall-types.js";
import { cancelled } from "./rpc.js";
import type { ChatEvent } from "./types.js";

type Done = Extract<ChatEvent, { type: "done" }>;

/** An answer from before. */
interface Known {
  done: Done;
  /** Its result, where a query can build on it. */
  result: string | undefined;
}

/** A question that was asked, and what was said and found of it. */
interface Turn {
  number: number;
  question: string;
  answer: string;
  found: string[];
}

/**
 * What a conversation has of questions asked before. A question may mean something else after other
 * questions. So a later one is kept for any turn only where it stands alone and nothing that may be
 * carried over from the others is in what answered it. Others are kept with what was asked before
 * them, and answered from before after the same questions, with the same answers, over the same rows.
 */
export class Recalling {
  /** Questions since the conversation began. */
  #turns = 0;
  /** What tells the first of them from others, and whether another one was asked. */
  #first: number | undefined;
  #others = false;
  /** What was asked so far, and what answered it; nothing where that is not known. */
  #before: string | undefined = "";
  /** How things stood as it was asked: over other rows it would be another course of questions. */
  #stands: string | undefined;
  /** The last question, and what answered it. */
  #last: { number: number; answered: string | undefined } | undefined;
  /** The record of the last question, where it stands after others. */
  #latest: { id: number; after: string } | undefined;
  /** All that was asked so far; nothing where that is not known. */
  #told: Turn[] | undefined = [];
  /** Records for any turn that stand for questions of this conversation. */
  readonly #own = new Set<number>();
  #calls = 0;

  constructor(
    private readonly recall: Recall,
    turns: number,
    /** A policy of the conversation's own may keep from its model which day counts as today. */
    private readonly apart: boolean,
  ) {
    this.clear(turns > 0);
  }

  /** Another conversation begins, or goes on from one of which it is not known what was asked. */
  clear(goesOn = false): void {
    this.#turns = goesOn ? 1 : 0;
    this.#first = undefined;
    this.#others = goesOn;
    this.#before = goesOn ? undefined : "";
    this.#told = goesOn ? undefined : [];
    this.#stands = this.#last = this.#latest = undefined;
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
    const course = await this.#course(question).catch(unlessClosed);
    // What is known word for word does not leave for an embedder.
    const same = await this.#same(question).catch(unlessClosed);
    const again = same && (await this.#run(question, same, "exact", signal, tell));
    if (again) return again;
    const after = this.#turns > 0 && !this.apart ? course : undefined;
    const found = await this.recall.find(question, signal, { after }).catch(unlessClosed);
    if (!found) return undefined;
    if (signal.aborted) throw cancelled(signal);
    if (found.found === "suggest") {
      const { high_confidence, suggestions } = found;
      tell({ type: "suggestions", high_confidence, suggestions });
    }
    if (found.found !== "run") return undefined;
    const { record, by } = found;
    if (await this.#holds(record, by, question))
      return this.#run(question, record, by, signal, tell);
    tell(offer(record, by));
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

  /** What was asked so far; not over other rows, nor after another question that failed. */
  async #course(question: string): Promise<string | undefined> {
    const stands = await this.recall.standing();
    const failed = this.#last?.answered === undefined ? this.#last?.number : undefined;
    const other = failed !== undefined && failed !== (await this.recall.number(question));
    if (other || (this.#stands ?? stands) !== stands) this.#before = undefined;
    this.#stands = stands;
    return this.#before;
  }

  /** The record of the same question right before, where that stands alone but for its answer. */
  async #latestOf(question: string): Promise<{ id: number; after: string } | undefined> {
    const latest = this.#latest;
    if (!latest || this.#last?.number !== (await this.recall.number(question))) return undefined;
    return (await this.#alone(question)) ? latest : undefined;
  }

  async #same(question: string): Promise<RecallRecord | undefined> {
    const latest = await this.#latestOf(question);
    const record = latest && (await this.recall.get(latest.id));
    return record?.is_valid ? record : undefined;
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
    const given = [record.script, JSON.stringify(record.last_result?.raw ?? null)];
    await this.#pass(question, record, { answer: answer.human, found: given });
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
    const done = told.find((event): event is Done => event.type === "done");
    const kept = (done?.ended ?? undefined) === undefined ? keptOf(told) : undefined;
    let record: RecallRecord | undefined;
    if (done && kept) {
      // What did not pass the check is not said again; what it was said of holds.
      const human = done.verdict === "ok" ? done.answer : undefined;
      // The answer is given all the same; a question too long to keep is asked anew.
      record = await this.#keep(question, { ...kept, human, since }, signal).catch(() => undefined);
    }
    await this.#pass(question, record, toldBy(told), done !== undefined);
  }

  /** A question was answered by what is not kept for it: a query of the person's own. */
  note(question: string, told: ChatEvent[]): Promise<void> {
    return this.#pass(question, undefined, toldBy(told));
  }

  /** A question broke off: it can be asked again. */
  failed(question: string, told: ChatEvent[]): Promise<void> {
    return this.#pass(question, undefined, toldBy(told), false);
  }

  async #keep(
    question: string,
    kept: RecallKept,
    signal: AbortSignal,
  ): Promise<RecallRecord | undefined> {
    const course = await this.#course(question);
    const called = kept.kind === "tool" || kept.kind === "calls";
    const { carried, dated } = await this.recall.unsaid(
      question,
      kept,
      await this.#toldBefore(question),
    );
    // Which day counts as today its model may not know.
    if (this.apart && (called || dated)) return undefined;
    let after: string | undefined;
    if (carried && !(await this.#isFirst(question))) {
      if (this.apart) return undefined;
      after = (await this.#latestOf(question))?.after ?? course;
      if (after === undefined) return undefined;
    }
    // A call counts its days from a day of its own.
    const stands = after !== undefined || (dated && !called);
    const id = await this.recall.keep(question, { ...kept, after, stands }, signal);
    return this.recall.get(id);
  }

  /** What was said and found before a question, but for what it was answered itself. */
  async #toldBefore(question: string): Promise<RecallBefore | undefined> {
    const number = await this.recall.number(question);
    const others = this.#told?.filter((turn) => turn.number !== number);
    return (
      others && {
        asked: others.map((turn) => turn.question),
        answered: others.map(({ answer }) => answer),
        found: others.flatMap(({ found }) => found),
      }
    );
  }

  /** Whether nothing but this question was asked so far. */
  async #isFirst(question: string): Promise<boolean> {
    if (this.#turns === 0) return true;
    return !this.#others && this.#first === (await this.recall.number(question));
  }

  /**
   * Takes note of a question and of the record that answered it, if one did. What nothing was kept of
   * may be answered otherwise the next time, so that nobody knows what later ones stand on; but one that
   * failed can be asked again.
   */
  async #pass(
    question: string,
    record: RecallRecord | undefined,
    told: Pick<Turn, "answer" | "found">,
    ended = true,
  ): Promise<void> {
    this.#turns += 1;
    const number = await this.recall.number(question).catch(() => -1);
    this.#told?.push({ number, question, ...told });
    this.#first ??= number;
    this.#others ||= number !== this.#first;
    const answered = record ? answeredBy(record) : ended ? "" : undefined;
    const same = this.#last?.number === number && this.#last.answered === answered;
    this.#last = { number, answered };
    this.#latest = undefined;
    if (record?.after !== undefined) this.#latest = { id: record.id, after: record.after };
    else if (record) this.#own.add(record.id);
    // The same once more changes nothing.
    if (same || answered === undefined || this.#before === undefined) return;
    this.#before = record
      ? await this.recall.after(this.#before, question, answered).catch(() => undefined)
      : undefined;
  }

  /** Whether a question means the same after any other; not where nobody can tell. */
  #alone(question: string): Promise<boolean> {
    return this.recall.alone(question).catch(() => false);
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
function answeredBy({ kind, script, last_result }: RecallRecord): string {
  return [kind, script, last_result?.words ?? ""].join("\n");
}

/** What a conversation heard of a question. */
function toldBy(told: ChatEvent[]): Pick<Turn, "answer" | "found"> {
  const done = told.find((event): event is Done => event.type === "done");
  const found = told.flatMap((event) => {
    if (event.type === "tool_call") return JSON.stringify(event.input);
    return event.type === "data_block" ? JSON.stringify(event.summary) : [];
  });
  const said = told.map((event) => (event.type === "text" ? event.delta : "")).join("");
  return { answer: `${done?.answer ?? ""}\n${said}`, found };
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
