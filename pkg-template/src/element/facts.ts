// What a checked statement says of its fact, in words; numbers, sizes and cells as people read them.

import type { Claim, Fact, Locale } from "../types.js";
import { type Head, headText, unitText, valueName } from "./called.js";
import {
  CellFormat,
  dateText,
  hasCents,
  isCodeName,
  isMoney,
  json,
  signed,
  sure,
} from "./table/format.js";
import { text } from "./texts.js";

// The static page takes what it needs of the elements from here.
export { isResting, watchPointer } from "./hover.js";
export { ofFile } from "./files.js";
export { areDays, dayOf } from "./table/days.js";
export { hasCents, sure };
export { unitText };
export { scopeText } from "./scope.js";
export { statementIn, toldAs } from "./typed.js";

/**
 * What the elements call a verdict: a claim that was replaced is corrected, or withheld where there is
 * no value to put in its place, unless nothing is known of it.
 */
export type Mark = Claim["verdict"] | "corrected" | "withheld";

/** A sign for each verdict: colour alone tells nothing to many people. */
export const SIGNS: Record<Mark, string> = {
  verified: "✓",
  derived: "ƒ",
  corrected: "✎",
  contradicted: "✕",
  withheld: "⊘",
  unverifiable: "?",
};

/** The verdicts, in the order in which they are counted. */
export const MARKS = Object.keys(SIGNS) as Mark[];

export function markOf(claim: Claim): Mark {
  if (claim.replaced === undefined || claim.verdict === "unverifiable") return claim.verdict;
  return claim.actual === undefined ? "withheld" : "corrected";
}

/** The text that says what a verdict means: what could not be checked may be of some fact. */
export function aboutKey(mark: Mark, { fact }: Claim): `about_${Mark | "perhaps"}` {
  return `about_${mark === "unverifiable" && fact ? "perhaps" : mark}`;
}

/** The columns of a fact's result as they are called, where that is known. */
export type HeadsOf = (fact: Fact) => readonly Head[];

const NO_HEADS: HeadsOf = () => [];

/** Which row a fact is of; empty for the whole result. */
export function entityText(locale: Locale, fact: Fact, heads = NO_HEADS): string {
  return keyText(locale, fact.key, heads(fact));
}

/** A group as words; columns and what they name are called as `heads` say. */
export function keyText(
  locale: Locale,
  key: Record<string, unknown>,
  heads: readonly Head[] = [],
): string {
  return Object.entries(key)
    .map(([name, shown]) => {
      const head = heads.find((one) => one.name === name);
      const value =
        valueName(locale, head?.names, shown) ?? dayText(locale, exactText(sure(shown)));
      return `${head ? headText(head) : name} = ${value || text(locale, "missing")}`;
    })
    .join(", ");
}

/** A date as the language writes it; any other text as it is. */
function dayText(locale: Locale, text: string): string {
  return locale === "ru" ? formatOf(locale).date(text) : text;
}

/** What a fact measures, in words where it is no column. */
export function measureText(locale: Locale, fact: Fact, heads = NO_HEADS): string {
  const { column } = fact;
  const called = (name: string): string => {
    const head = heads(fact).find((one) => one.name === name);
    return head ? headText(head) : name;
  };
  const count = /^rows(?:_matched|_scanned|_before_limit)?$/.exec(column)?.[0];
  if (count) return text(locale, `measure_${count as "rows"}`);
  const [, name, statistic] = /^stats\.(.+)\.(min|max|mean|sum)$/.exec(column) ?? [];
  if (name === undefined) return called(column);
  return text(locale, `measure_${statistic as "min" | "max" | "mean" | "sum"}`, {
    column: called(name),
  });
}

/** The exact value of a fact. */
export function valueText(locale: Locale, { value, column }: Fact): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && !isCodeName(column)) {
    // Digits beyond these are noise of the fractions of floats.
    const sure = Number.isInteger(value) ? value : Number(value.toPrecision(15));
    return number(locale, sure, { maximumFractionDigits: 12, useGrouping: true });
  }
  return cellText(locale, value, column);
}

/** Operands that are named one by one; of more it is said how many they are. */
const OPERANDS = 6;

/** What the formula of a claim is made of: each fact with its row. */
export function operandTexts(locale: Locale, { operands = [] }: Claim, heads = NO_HEADS): string[] {
  const texts = operands.slice(0, OPERANDS).map((fact) => {
    const what = `${measureText(locale, fact, heads)} = ${valueText(locale, fact) ?? "–"}`;
    return [entityText(locale, fact, heads), what].filter(Boolean).join(": ");
  });
  const more = operands.length - texts.length;
  return more > 0 ? [...texts, text(locale, "fact_more", { n: more })] : texts;
}

/** What was found of a claim, in short lines. */
export function describe(locale: Locale, claim: Claim, heads = NO_HEADS): string[] {
  const lines = [text(locale, `verdict_${markOf(claim)}`)];
  if (claim.fact) {
    const value = valueText(locale, claim.fact);
    const what = measureText(locale, claim.fact, heads);
    const of = [
      entityText(locale, claim.fact, heads),
      value === undefined ? what : `${what} = ${value}`,
    ];
    lines.push(of.filter(Boolean).join(", "));
  }
  if (claim.formula) lines.push(claim.formula);
  lines.push(...operandTexts(locale, claim, heads));
  if (claim.replaced !== undefined) {
    lines.push(`${text(locale, "fact_draft")} ${claim.replaced}`);
  } else if (claim.actual !== undefined) {
    lines.push(`${text(locale, "fact_actual")} ${claim.actual}`);
  }
  return lines;
}

/** Small words that names of columns and of goods rarely have. */
const SMALL = {
  en: "the of and in for by is are was were to with from at on".split(" "),
  ru: "и в на с по не за из от для это что".split(" "),
};

/**
 * The language of a text, which names columns and values of any: that of most of its small words, else
 * of its first letter or of most.
 */
export function languageOf(text: string): Locale {
  // The parts of `hired_on` are no words.
  const words = text.toLowerCase().split(/[^a-zа-яё_]+/u);
  const small = (of: string[]): number => words.filter((word) => of.includes(word)).length;
  const more = small(SMALL.ru) - small(SMALL.en);
  if (more !== 0) return more > 0 ? "ru" : "en";
  // The sign between a day and its time is no word.
  const said = text.replace(/\dT\d/g, "");
  const letters = (of: RegExp): number => said.match(of)?.length ?? 0;
  const russian = /^[^a-zа-яё]*[а-яё]/iu.test(text);
  return russian || letters(/[а-яё]/giu) > letters(/[a-z]/gi) ? "ru" : "en";
}

/**
 * The words of a checked statement: bare digits are written as their value is everywhere else, unless they
 * name something.
 */
export function claimText(locale: Locale, words: string, claim: Claim): string {
  if (claim.verdict === "unverifiable") return words;
  if (isMoment(words)) return formatOf(locale).date(words);
  const { fact } = claim;
  // What is derived may have no fact of its own: it is computed, and names nothing.
  const counted = fact
    ? !isCodeName(fact.column) && !Object.hasOwn(fact.key, fact.column)
    : claim.verdict === "derived" || claim.formula !== undefined;
  if (!counted) return words;
  const format = formatOf(locale);
  const said = format.decimal(words).replace(/^-(?=\d)/u, "\u2212");
  const { value, column: name = "" } = fact ?? {};
  // Of money as many digits as in a table.
  const cents = typeof value === "number" && hasCents({ name }, [value]);
  return cents && said === format.number(value) ? format.number(value, true, true) : said;
}

const DAY = /(?<![\p{L}\d-])(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\p{L}\d-])/gu;
const MONTH = /(?<=(?:^|\s)(?:с|по|за|до|в|даты)\s)(\d{4})-(0[1-9]|1[0-2])(?![\d-])/giu;
const MOMENT = /(?<![\p{L}\d-])(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?![\p{L}\d:-])/gu;
/** A unit, as a query's words have it beside a column. */
const UNIT = /(?<=\s)\[([a-z]+)\](?![\p{L}\d])/gu;
/** A part of the calendar as the query names it, and its value. */
const PART =
  /(?<![\p{L}«])(month|dow|месяц по «[^»]*»|день недели по «[^»]*») = ([A-Z][a-z]{2})(?!\p{L})/gu;
/** A count of rows and the like; what looks like a year after a preposition of time is one. */
const COUNT =
  /(?<![\p{L}\d.,:-]|\b(?:in|since|for|from|to|until)\s(?=(?:19|20)\d\d\s(?!of\s)))\d{4,}(?=\s(?:строк|бар|групп|из\s\d|(?:row|bar|group|line)s?\b|of\s\d))/giu;

/** A sentence of the engine with dates and counts as the language writes them; code stays as it is. */
export function inWords(locale: Locale, words: string): string {
  const format = formatOf(locale);
  const parts = words.split("`").map((part, i) => (i % 2 === 1 ? part : sentence(format, part)));
  return parts.join("`");
}

function sentence(format: CellFormat, words: string): string {
  // A moment without a time of day is a day.
  const said = words
    .replace(MOMENT, (_, day: string, time: string) =>
      format.date(/^00:00(?::00)?$/.test(time) ? day : `${day} ${time}`),
    )
    .replace(COUNT, (digits) => format.count(Number(digits)));
  if (format.locale !== "ru") return said;
  return said
    .replace(DAY, "$3.$2.$1")
    .replace(MONTH, "$2.$1")
    .replace(UNIT, (_, unit: string) => `[${unitText("ru", unit)}]`)
    .replace(PART, (whole, name: string, value: string) => {
      const called = { month: "месяц", dow: "день недели" }[name] ?? name;
      const word = valueName("ru", called.startsWith("м") ? "month" : "weekday", value);
      return word ? `${called} = ${word}` : whole;
    });
}

/** A number as people of the language write it. */
export function number(locale: Locale, value: number, options?: Intl.NumberFormatOptions): string {
  return signed(new Intl.NumberFormat(locale, options).format(value));
}

/** A moment as the person's browser writes it: in the order of its region, where the language is its own. */
export function momentText(locale: Locale, at: string | number): string {
  const own = navigator.languages.find((one) => one.split("-")[0] === locale);
  return new Date(at).toLocaleString(own ?? locale);
}

/** A size in bytes. */
export function bytes(locale: Locale, size: number): string {
  const units = locale === "ru" ? ["Б", "КБ", "МБ", "ГБ"] : ["B", "KB", "MB", "GB"];
  let value = size;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  const digits = { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 };
  return `${number(locale, value, digits)} ${units[unit] ?? ""}`;
}

const formats = new Map<Locale, CellFormat>();

/** How cells are written in a language. */
export function formatOf(locale: Locale): CellFormat {
  const format = formats.get(locale) ?? new CellFormat(locale);
  formats.set(locale, format);
  return format;
}

/**
 * A value for reading, of a column of this name: long fractions are cut; the exact value is in the title
 * and the download.
 */
export function cellText(locale: Locale, value: unknown, column = "", cents = false): string {
  if (value === null || value === undefined) return "–";
  const counted = typeof value === "number" || typeof value === "bigint";
  if (counted && !isCodeName(column)) {
    return formatOf(locale).value(value, "float", isMoney({ name: column }), cents);
  }
  if (isDecimal(value)) return formatOf(locale).decimal(value);
  return value instanceof Date || isMoment(value)
    ? dayText(locale, exactText(value))
    : exactText(value);
}

/** Whether a value is the text of a date: the engine writes them so where it is asked for texts. */
function isMoment(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d(?:[ T]|$)/.test(value);
}

/** A value in full. */
export function exactText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      if (value instanceof Date) return dateText(value);
      return value === null ? "" : json(value);
    default:
      return "";
  }
}

/** Whether a value is to stand as numbers do. */
export function isNumber(value: unknown): boolean {
  if (value === null || typeof value === "number" || typeof value === "bigint") return true;
  return isDecimal(value);
}

/** Whether a value is the text of a decimal with a fraction: whole numbers as texts are codes. */
function isDecimal(value: unknown): value is string {
  return typeof value === "string" && /^-?\d+\.\d+$/.test(value);
}

/** Whether a column of a result is made of one of the table's, by their names: `sum_order_total`. */
export function isMadeOf(column: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
  return plain(column).includes(plain(name));
}

/** What questions that are alike differ in at most: two things, each by what either of them says. */
const ALIKE = 4;

/**
 * The few questions asked before that a list has room for, each of them once, and none that has little in
 * common with what was asked; nor the one that was `answered`.
 */
export function distinct<T extends { question: string; differs: string[] }>(
  questions: readonly T[],
  answered = "",
): T[] {
  const plain = (question: string): string =>
    question
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const seen = new Set([plain(answered)]);
  return questions
    .filter(({ question, differs }) => {
      const words = plain(question);
      return differs.length <= ALIKE && !seen.has(words) && seen.add(words);
    })
    .slice(0, 3);
}
