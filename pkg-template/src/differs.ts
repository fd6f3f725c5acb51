// What a question that was asked before and the one that is asked differ in, in words.

import type { Locale } from "./errors.js";
import type { RecallSuggestion } from "./recall-types.js";

const NAMES: Record<string, readonly [en: string, ru: string]> = {
  not: ["a negation", "отрицание"],
  high: ["most, above", "больше, выше"],
  low: ["least, below", "меньше, ниже"],
  up: ["up", "рост"],
  down: ["down", "падение"],
  before: ["before", "до"],
  after: ["after", "после"],
  time: ["a period", "период"],
};
const MEASURE = ["what is counted", "что считается"] as const;

/** What a suggestion differs in from the question, for a person; nothing where both say the same. */
export function differences(
  suggestion: Pick<RecallSuggestion, "differs">,
  locale: Locale,
): string[] {
  const named = suggestion.differs.map((mark) => {
    if (mark.startsWith("#")) return mark.slice(1);
    if (mark.startsWith("name ")) return mark.slice("name ".length);
    const kind = mark.startsWith("time ") ? "time" : mark;
    const [en, ru] = (Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined) ?? MEASURE;
    return locale === "ru" ? ru : en;
  });
  return [...new Set(named)];
}
