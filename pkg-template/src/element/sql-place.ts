// Where in a query or in a statement of SQL something is wrong. The engine says the place of what is
// wrong in a query's texts; of a statement it says which name it does not know, or that it cannot read it.

import type { Diagnostic, Locale, Query } from "../types.js";
import { text } from "./query-texts.js";

/** A place in a text, with what stands around it on its line; lines of statements and columns count from 1. */
export interface Place {
  line: number;
  column: number;
  before: string;
  wrong: string;
  after: string;
  /** What may be wrong there, where nothing else says it. */
  why?: Why;
}

type Why =
  | { key: "sql_quote_open" | "sql_bracket_open" | "sql_bracket_extra" | "sql_comma" | "sql_ends" }
  | { key: "sql_meant"; word: string };

/** Characters around a place that are shown at most. */
const AROUND = 40;

const TOKEN =
  /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|(?<open>\/\*|['"`])|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|\d[\w.]*|[<>!=|:]+|[^\s]/gu;
/** What a statement cannot end with, nor a comma stand before. */
const GOES_ON =
  /^(?:select|distinct|from|where|by|and|or|not|on|join|having|limit|in|like|between|as|with|union|when|then|else|,|\(|[-+*/.=<>!|]+)$/iu;
const CLAUSE = /^(?:from|where|group|order|having|limit|union|join|\))$/iu;
/** Words that are often misspelt, where none of their name is in the statement. */
const OFTEN = ["SELECT", "FROM", "WHERE", "HAVING", "LIMIT", "JOIN", "UNION", "DISTINCT"];

interface Token {
  at: number;
  text: string;
  word: boolean;
  open: boolean;
}

/** The place that a diagnostic is about, in the query or the statement that it is of. */
export function placeOf(diagnostic: Diagnostic, source: Query | string): Place | undefined {
  const { code, pointer, span, message } = diagnostic;
  if (typeof source !== "string") {
    const value = span && valueAt(source, pointer);
    // The pointer names the field, which holds one line.
    return typeof value === "string" && span
      ? { ...placeAt(value, span[0], span[1]), line: 0 }
      : undefined;
  }
  const tokens = tokensOf(source);
  if (code === "sql_syntax") return unread(source, tokens);
  const [, name] = /`([^`]+)`/u.exec(message) ?? [];
  if (name === undefined) return undefined;
  const bare = (one: string) => one.replace(/^["`]|["`]$/gu, "").toLowerCase();
  const found = tokens.find((one) => bare(one.text) === bare(name));
  return found && placeAt(source, found.at, found.at + found.text.length);
}

/** The place in words; none where a field is its place. */
export function placeText(locale: Locale, { line, column, why }: Place): string {
  if (line === 0) return "";
  const where = text(locale, "place_at", { line, column });
  if (!why) return where;
  return `${where}: ${text(locale, why.key, "word" in why ? { word: why.word } : {})}`;
}

function valueAt(query: Query, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], query);
}

function placeAt(source: string, from: number, to: number, why?: Why): Place {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const next = source.indexOf("\n", from);
  const end = next < 0 ? source.length : next;
  const last = Math.min(Math.max(to, from), end);
  const before = source.slice(start, from);
  const after = source.slice(last, end);
  return {
    line: source.slice(0, start).split("\n").length,
    column: from - start + 1,
    before: before.length > AROUND ? `…${before.slice(-AROUND)}` : before,
    wrong: source.slice(from, last),
    after: after.length > AROUND ? `${after.slice(0, AROUND)}…` : after,
    ...(why ? { why } : {}),
  };
}

function tokensOf(source: string): Token[] {
  return [...source.matchAll(TOKEN)]
    .filter(({ 0: text }) => !/^(?:--|\/\*.)/su.test(text))
    .map(({ 0: text, index, groups }) => ({
      at: index,
      text,
      word: groups?.["word"] !== undefined,
      open: groups?.["open"] !== undefined,
    }));
}

/** Where a statement that cannot be read is likely to be wrong. */
function unread(source: string, tokens: Token[]): Place | undefined {
  const at = ({ at, text }: Token, why: Why) => placeAt(source, at, at + text.length, why);
  const open = tokens.find((one) => one.open);
  if (open) return at(open, { key: "sql_quote_open" });
  const brackets: Token[] = [];
  for (const one of tokens) {
    if (one.text === "(") brackets.push(one);
    if (one.text === ")" && !brackets.pop()) return at(one, { key: "sql_bracket_extra" });
  }
  const [bracket] = brackets;
  const wrong = misspelt(tokens);
  if (wrong) return at(wrong.token, { key: "sql_meant", word: wrong.word });
  if (bracket) return at(bracket, { key: "sql_bracket_open" });
  const last = tokens.at(-1);
  for (const [i, one] of tokens.entries()) {
    const next = tokens[i + 1];
    if (one.text === "," && next && CLAUSE.test(next.text)) return at(one, { key: "sql_comma" });
  }
  return last && GOES_ON.test(last.text) ? at(last, { key: "sql_ends" }) : undefined;
}

/** A word of SQL that is not spelled as it should be. */
function misspelt(tokens: Token[]): { token: Token; word: string } | undefined {
  const words = tokens.filter(({ word }) => word);
  for (const [i, token] of words.entries()) {
    const written = token.text.toUpperCase();
    const next = words[i + 1]?.text.toUpperCase();
    const [of] =
      next === "BY" ? ["GROUP", "ORDER", "PARTITION"].filter((one) => isNear(written, one)) : [];
    const other = OFTEN.find(
      (one) => isNear(written, one) && !words.some(({ text }) => text.toUpperCase() === one),
    );
    const word = of ?? other;
    if (word !== undefined && word !== written) return { token, word };
  }
  return undefined;
}

/** Whether a word is another one with a letter or two left out, put in, changed or swapped. */
export function isNear(word: string, other: string): boolean {
  const most = other.length > 5 ? 2 : 1;
  if (word === other || Math.abs(word.length - other.length) > most) return false;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= word.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = word[i - 1] === other[j - 1];
      let cost = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return (row[other.length] ?? 0) <= most;
}
