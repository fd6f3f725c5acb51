// What a question can be completed with: questions asked before, questions that the planner can
// answer, and names of columns. Nothing of it leaves the page.

import type { Pinhole } from "../index.js";
import type { ChatEvent, Kind, Query, TableInfo } from "../types.js";

/** One thing that can be taken into the input. */
export interface Option {
  kind: "earlier" | "suggestion" | "column";
  /** What is shown. */
  label: string;
  /** More about a column: what it is called, its unit, and its kind. */
  detail: string;
  type?: Kind;
  /** What the input holds afterwards, and where the caret is. */
  text: string;
  caret: number;
}

const EARLIER = 5;
const SUGGESTED = 3;
const COLUMNS = 6;
/** Conversations of the history that are looked through. */
const CHATS = 20;

export class Completion {
  /** Questions that had an answer, the last first. */
  readonly #asked: string[] = [];
  /** Questions that kept conversations may hold still. */
  readonly #forgotten = new Set<string>();
  #suggestions: { table: string; questions: Promise<string[]> } | undefined;
  #kept: Promise<string[]> | undefined;

  constructor(readonly ph: Pinhole) {}

  /** Remembers a question that was answered. */
  remember(question: string): void {
    this.forget(question);
    this.#asked.unshift(question);
  }

  /** Does not offer a question as an earlier one any more. */
  forget(question: string): void {
    const at = this.#asked.indexOf(question);
    if (at >= 0) this.#asked.splice(at, 1);
    this.#forgotten.add(question);
  }

  /** Questions to start with. */
  suggestions({ name, version }: TableInfo): Promise<string[]> {
    const table = `${name} ${version} ${this.ph.locale}`;
    if (this.#suggestions?.table !== table) {
      const questions = this.ph.suggest(name).catch(() => []);
      this.#suggestions = { table, questions };
    }
    return this.#suggestions.questions;
  }

  /** What fits the text up to the caret. */
  async options(text: string, caret: number, table: TableInfo): Promise<Option[]> {
    const [suggestions, kept, columns] = await Promise.all([
      this.suggestions(table),
      (this.#kept ??= this.#keptQuestions()),
      this.#columns(text, caret, table),
    ]);
    const words = wordsOf(text);
    const fits = (question: string) =>
      question !== text.trim() && words.every((word) => question.toLowerCase().includes(word));
    const whole = (kind: Option["kind"], questions: string[], most: number) =>
      questions
        .filter(fits)
        .slice(0, most)
        .map((label) => ({ kind, label, detail: "", text: label, caret: label.length }));
    const held = kept.filter((question) => !this.#forgotten.has(question));
    const earlier = whole("earlier", [...new Set([...this.#asked, ...held])], EARLIER);
    const known = new Set(earlier.map(({ label }) => label));
    const suggested = whole("suggestion", suggestions, SUGGESTED).filter(
      ({ label }) => !known.has(label),
    );
    return [...earlier, ...columns, ...suggested];
  }

  /** Names of columns that the word before the caret may become. */
  async #columns(text: string, caret: number, table: TableInfo): Promise<Option[]> {
    const word = /[\p{L}\p{N}_]+$/u.exec(text.slice(0, caret))?.[0];
    if (!word) return [];
    const query: Query = { table: table.name };
    const place = { pointer: "/where", query };
    const { items } = await this.ph.complete(word, word.length, place).catch(() => ({ items: [] }));
    const names = items.filter(({ kind }) => kind === "column").map(({ label }) => label);
    // Words in the middle of a name or a label count too: people do not know how it begins.
    const low = word.toLowerCase();
    const inside = table.columns.filter(
      ({ name, label = "" }) =>
        name.toLowerCase().includes(low) || label.toLowerCase().includes(low),
    );
    const known = new Map(table.columns.map((column) => [column.name, column]));
    const found = [...new Set([...names, ...inside.map(({ name }) => name)])];
    return found
      .filter((name) => known.has(name) && name !== word)
      .slice(0, COLUMNS)
      .map((name) => {
        const { label = "", kind, unit = "" } = known.get(name) ?? {};
        const start = caret - word.length;
        const detail = [label, unit].filter(Boolean).join(", ");
        const completed = `${text.slice(0, start)}${name}${text.slice(caret)}`;
        return {
          kind: "column" as const,
          label: name,
          detail,
          ...(kind ? { type: kind } : {}),
          text: completed,
          caret: start + name.length,
        };
      });
  }

  /** Questions of the conversations that are kept on this device. */
  async #keptQuestions(): Promise<string[]> {
    const { history } = this.ph;
    if (!history.enabled) return [];
    try {
      const heads = (await history.list()).slice(0, CHATS);
      const chats = await Promise.all(heads.map(({ id }) => history.open(id)));
      return chats.flatMap(({ turns }) =>
        turns.filter(({ events }) => answered(events.at(-1))).map(({ question }) => question),
      );
    } catch {
      return [];
    }
  }
}

/** Whether a turn came to an answer: one that was declined or cut off ends otherwise. */
function answered(last: ChatEvent | undefined): boolean {
  return last?.type === "done" && !last.ended;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
