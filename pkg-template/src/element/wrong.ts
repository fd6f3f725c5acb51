// What was wrong in a text, in plain words: what was said, what the data has, and where that is from.
// It comes with the first text that has something wrong.

import type { Claim, Fact, Locale } from "../types.js";
import {
  type HeadsOf,
  type Mark,
  claimText,
  entityText,
  markOf,
  measureText,
  valueText,
} from "./facts.js";
import { withTexts } from "./texts.js";

const text = withTexts({
  wrong_value: [
    "“{said}” was said; by the data it is {actual}",
    "Было сказано «{said}», по данным – {actual}",
  ],
  wrong_none: [
    "“{said}” was said; the data does not bear it out",
    "Было сказано «{said}», данные этого не подтверждают",
  ],
}) as (locale: Locale, key: string, values: Record<string, string>) => string;

/** Lines that a text has room for; the marks in it tell the others. */
const MOST = 4;

/** What was wrong at one place. */
export interface WrongLine {
  mark: Mark;
  text: string;
  /** What of the data says so. */
  about: string;
  fact: Fact | undefined;
}

/** What was wrong in a text, in its order; what was wrong twice is told once. */
export function wrongLines(locale: Locale, claims: readonly Claim[], heads?: HeadsOf): WrongLine[] {
  const lines = new Map<string, WrongLine>();
  for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
    const mark = markOf(claim);
    if (!isWrong(claim)) continue;
    const words = claim.replaced ?? claim.text;
    const write = (text: string): string =>
      isOfYears(claim) ? text : claimText(locale, rounded(text), claim);
    // What was said is quoted: a year in it may have been taken for an amount.
    const said = isYear(words) ? words : claimText(locale, words, claim);
    const actual =
      claim.actual == null
        ? ""
        : isYear(words) && isYear(claim.actual)
          ? claim.actual
          : write(claim.actual);
    const line = {
      mark,
      text: text(locale, actual ? "wrong_value" : "wrong_none", { said, actual }),
      about: claim.fact && actual ? aboutText(locale, claim.fact, actual, write, heads) : "",
      fact: claim.fact ?? undefined,
    };
    lines.set(`${line.text} ${line.about}`, line);
  }
  return [...lines.values()].slice(0, MOST);
}

/** Which row and which measure; the value too, where the text had something else of it. */
function aboutText(
  locale: Locale,
  fact: Fact,
  actual: string,
  write: (text: string) => string,
  heads?: HeadsOf,
): string {
  const measure = measureText(locale, fact, heads);
  const value =
    typeof fact.value === "number" ? write(String(fact.value)) : valueText(locale, fact);
  const what = value === undefined || value === actual ? measure : `${measure} = ${value}`;
  return [entityText(locale, fact, heads), what].filter(Boolean).join(", ");
}

/** Whether a claim was wrong, whatever became of it. */
export function isWrong(claim: Claim): boolean {
  return ["corrected", "withheld", "contradicted"].includes(markOf(claim));
}

/** A number that is most likely a year where nothing says what it is. */
function isYear(words: string): boolean {
  return /^(?:19[5-9]|20\d)\d$/.test(words);
}

const YEARS = /(?:^|[_\s])(?:years?|год[а-я]*)(?:[_\s(]|$)/iu;

/** Whether a claim is of years: computed ones too, and of columns that say more than that. */
function isOfYears({ fact, actual }: Claim): boolean {
  return fact != null && YEARS.test(fact.column) && /^\d{4}$/.test(actual ?? "");
}

/** Digits that nobody reads, of what was computed: two of a fraction are left, four of less than one. */
function rounded(words: string): string {
  return words.replace(/\d[\d,]*\.\d{5,}(?!\d)/g, (digits) => {
    const value = Number(digits.replace(/,/g, ""));
    if (value < 1) return value < 1e-4 ? digits : String(Number(value.toPrecision(4)));
    const short = value.toFixed(2);
    return digits.includes(",") ? short.replace(/\B(?=(?:\d{3})+\.)/g, ",") : short;
  });
}
