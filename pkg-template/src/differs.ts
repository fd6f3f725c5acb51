// What a question that was asked before and the one that is asked differ in, in words.

import type { Locale } from "./errors.js";
import type { RecallSuggestion } from "./recall-types.js";

type Both = readonly [en: string, ru: string];

/** What a difference is about, in the order in which they are told. */
const ABOUT = {
  numbers: ["numbers", "числа"],
  names: ["columns or values", "столбцы или значения"],
  period: ["period", "период"],
  grouping: ["grouping", "группировка"],
  measure: ["what is computed", "что считается"],
  not: ["a negation", "отрицание"],
  order: ["highest or lowest, above or below", "больше или меньше"],
  way: ["rise or fall", "рост или падение"],
  side: ["before or after a date", "до или после даты"],
} satisfies Record<string, Both>;
type About = keyof typeof ABOUT;

/** Directions and the like: both ends are told by one line. */
const ENDS: Record<string, About> = {
  not: "not",
  high: "order",
  low: "order",
  up: "way",
  down: "way",
  before: "side",
  after: "side",
};

/** Parts of time that rows are grouped by, or that tell a period. */
const PARTS: Record<string, Both> = {
  Year: ["by year", "по годам"],
  Quarter: ["by quarter", "по кварталам"],
  Month: ["by month", "по месяцам"],
  Week: ["by week", "по неделям"],
  Weekday: ["by weekday", "по дням недели"],
  Hour: ["by hour", "по часам"],
};

const AGGREGATES: Record<string, Both> = {
  "Agg(Mean)": ["mean", "среднее"],
  "Agg(Sum)": ["sum", "сумма"],
  "Agg(Min)": ["minimum", "минимум"],
  "Agg(Max)": ["maximum", "максимум"],
  "Agg(Median)": ["median", "медиана"],
  "Agg(Std)": ["standard deviation", "стандартное отклонение"],
  "Agg(Var)": ["variance", "дисперсия"],
  "Agg(First)": ["first value", "первое значение"],
  "Agg(Last)": ["last value", "последнее значение"],
  "Agg(Pct)": ["share", "доля"],
  "Agg(Correlation)": ["correlation", "корреляция"],
  Count: ["number of rows", "число строк"],
  Distinct: ["different values", "разные значения"],
  Percentile: ["percentile", "перцентиль"],
};

/** What a mark is about, and how it is called where it has a name. */
function read(mark: string, at: 0 | 1): [About, string | undefined] {
  const own = <T>(of: Record<string, T>, key: string): T | undefined =>
    Object.hasOwn(of, key) ? of[key] : undefined;
  if (mark.startsWith("#")) {
    return ["numbers", at === 1 ? mark.slice(1).replace(".", ",") : mark.slice(1)];
  }
  if (mark.startsWith("name ")) {
    const name = mark.slice("name ".length);
    return ["names", at === 1 ? `«${name}»` : `“${name}”`];
  }
  if (mark.startsWith("time ")) {
    const part = own(PARTS, mark.slice("time ".length));
    return part ? ["grouping", part[at]] : ["period", undefined];
  }
  const end = own(ENDS, mark);
  return end ? [end, undefined] : ["measure", own(AGGREGATES, mark)?.[at]];
}

/**
 * What a suggestion differs in from the question, for a person: `numbers (100, 400)`, `by month`,
 * `period`. What has a name is told by it. Nothing where both say the same.
 */
export function differences(
  suggestion: Pick<RecallSuggestion, "differs">,
  locale: Locale,
): string[] {
  const at = locale === "ru" ? 1 : 0;
  const found = new Map<About, Set<string>>();
  for (const mark of suggestion.differs) {
    const [about, name] = read(mark, at);
    const names = found.get(about) ?? new Set();
    found.set(about, name === undefined ? names : names.add(name));
  }
  // Prepositions stand for the sides of a date, and before other words too: only where nothing but the
  // side differs is it sure that there is a date.
  const sides = new Set(suggestion.differs);
  if (sides.size > 2 || !sides.has("before") || !sides.has("after")) found.delete("side");
  return Object.entries(ABOUT).flatMap(([about, words]) => {
    const names = found.get(about as About);
    if (!names) return [];
    if (names.size === 0) return [words[at]];
    return about === "numbers" ? [`${words[at]} (${[...names].join(", ")})`] : [...names];
  });
}
