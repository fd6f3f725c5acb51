// SQL where a question is typed: a statement runs as it stands, and nobody reads it as words.

import type { Result } from "../result.js";
import type { Locale } from "../types.js";
import { text } from "./texts.js";

const WITH = /^\s*with\s+(?:recursive\s+)?["`\p{L}_][^()]*?(?:\([^)]*\)\s*)?as\s*\(\s*select\b/iu;
const SELECT = /^\s*(\p{L}+)\b(.+?)\bfrom\s*["`(\p{L}_]/isu;
/** What stands in a list of columns, and in no sentence: a star, a call, a name in quotes, a computation. */
const COMPUTED = /\*|\w\(|\)\s*$|["`]|\b(?:as|case|distinct)\b|[\w)]\s*[-+/]\s*[\w(]/iu;
/** A column, and what it is called; articles and the like begin no column. */
const NAMED =
  /^\s*(?!(?:the|an?|my|every|each|all|any)\s+\S|(?:all|any|everything)\s*$)[\p{L}\p{N}_.]+(?:\s+[\p{L}_]\w*)?\s*$/iu;

/** Whether a word is `select` but for one letter; the engine then says what was meant. */
function isSelect(word: string): boolean {
  const select = "select";
  let [from, to] = [0, 0];
  while (from < 6 && word[from] === select[from]) from += 1;
  while (to < 6 - from && word.at(-1 - to) === select.at(-1 - to)) to += 1;
  const [left, more] = [6 - from - to, word.length - from - to];
  // One letter is lacking, one too many or another one, or two have changed places.
  const swapped = left === 2 && word[from] === select[from + 1] && word[from + 1] === select[from];
  return Math.max(left, more) < 2 || (more === 2 && swapped);
}

/** The statement that was typed in place of a question, if one was. */
export function statementIn(words: string): string | undefined {
  const [, first = "", list] = SELECT.exec(words) ?? [];
  const columns = isSelect(first.toLowerCase()) ? (list?.split(",") ?? []) : [];
  const lists = columns.every((one) => COMPUTED.test(one) || NAMED.test(one));
  return (columns.length > 0 && lists) || WITH.test(words)
    ? words.trim().replace(/\s*;$/u, "")
    : undefined;
}

/** How a result says what made it; a statement says it itself. */
export function toldAs(locale: Locale, result: Pick<Result, "query" | "explanation">): string {
  return "sql" in result.query ? text(locale, "sql_own") : result.explanation;
}
