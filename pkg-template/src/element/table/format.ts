// Cells as people read them: numbers and dates by language, nulls as null, texts on one line.

import type { ColumnInfo, Locale } from "../../types.js";

/** The longest text that a cell of the grid holds; the rest is in the line below. */
const LONGEST = 300;
const DIGITS = /^(-?)(\d+)(?:\.(\d+))?$/;
const MINUS = "\u2212";
const DATE = /^(-?\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(.*))?$/;

/** Whether values of a kind come as texts of digits. */
function isDecimal(kind: string): boolean {
  return kind.startsWith("decimal");
}

/** Kinds whose values are numbers. */
export function isNumeric(kind: string): boolean {
  return kind === "int" || kind === "float" || isDecimal(kind);
}

/** Kinds whose values are lists: they come as arrays and have no order. */
export function isList(kind: string): boolean {
  return kind.startsWith("list");
}

/** Whether a kind has nothing behind the point. */
export function isWhole(kind: string): boolean {
  return kind === "int" || kind === "decimal(0)";
}

/** Names of columns whose numbers name something: nobody counts with them. */
const CODE = /(?:^|[_\s])(?:ids?|key|code|years?|zip|ид|год|код|номер|инн|индекс)$/iu;
const CAMEL = /[a-zа-яё](?:Id|ID|Ids|Year)$/u;

/** Whether whole numbers of a column of this name are names of something, as years and ids are. */
export function isCodeName(name: string): boolean {
  return CODE.test(name) || CAMEL.test(name);
}

/** Whether a column's numbers are names of something: they have no groups of digits. */
export function isCode(column: ColumnInfo & { role?: string }): boolean {
  return isWhole(column.kind) && (column.role === "key" || isCodeName(column.name));
}

/** Units that are money, and words that names of columns of money have. */
const CURRENCY =
  /^(?:[$€£¥₽₴₸₺₹₩]|us\$|usd|eur|gbp|jpy|cny|chf|rub|uah|kzt|byn|pln|inr|try|руб(?:\.|л[ья]|лей)?|р\.)$/iu;
const MONEY =
  /(?:^|[_\s])(?:amounts?|prices?|costs?|revenues?|sales|salar(?:y|ies)|wages?|paid|spent|spending|income|profit|fees?|fares?|tips?|сумм[аы]|цен[аы]|стоимость|выручка|зарплата|оплата|доход|расход|прибыль)(?:$|[_\s])/iu;
/** How names of what is computed begin. */
const COMPUTED = /^(?:mean|avg|average|median|std|stddev|sum|total|percentile|p\d+)_/i;

/** Whether a column holds amounts of money that were computed: what a file holds is shown as it is. */
export function isMoney({ name, unit, role }: MoneyColumn): boolean {
  const made = COMPUTED.test(name) || role === "measure";
  return made && (CURRENCY.test(unit ?? "") || MONEY.test(name) || ONLY_TOTAL.test(name));
}

/** Totals, beside what money is called. */
const TOTAL = /(?:^|[_\s])(?:totals?|sum|итого|всего)(?:$|[_\s])/iu;

/** Whether a column holds amounts: what a list is about more than its counts. */
export function isAmount({ name, unit }: Pick<ColumnInfo, "name" | "unit">): boolean {
  return CURRENCY.test(unit ?? "") || MONEY.test(name) || TOTAL.test(name);
}

/** A name that says a total and nothing of what. */
const ONLY_TOTAL = /^(?:(?:mean|avg|median|min|max|sum|total)_)*(?:totals?|итого|всего)$/iu;

/**
 * Whether an amount of money has parts among these values of its column: all of the column are written
 * with two digits then, 12.50 and not 12.5.
 */
export function hasCents({ name, unit }: MoneyColumn, values: readonly unknown[]): boolean {
  const money = unit ? CURRENCY.test(unit) : MONEY.test(name) || ONLY_TOTAL.test(name);
  return money && values.some((one) => Number.isFinite(one) && !Number.isInteger(one));
}

type MoneyColumn = Pick<ColumnInfo, "name" | "unit"> & { role?: string };

/** Writes the cells of one table. */
export class CellFormat {
  readonly #whole: Intl.NumberFormat;
  readonly #part: Intl.NumberFormat;
  readonly #money: Intl.NumberFormat;
  readonly #small: Intl.NumberFormat;
  /** With two digits at least: money whose column has parts, rounded and as it is. */
  readonly #cents: Intl.NumberFormat;
  readonly #parts: Intl.NumberFormat;
  /** The character before the fraction. */
  readonly #point: string;

  constructor(readonly locale: Locale) {
    // Also of four digits, where a language may leave it out: a column is written in one way.
    const grouped = { useGrouping: true };
    this.#whole = new Intl.NumberFormat(locale, { ...grouped, maximumFractionDigits: 0 });
    this.#part = new Intl.NumberFormat(locale, { ...grouped, maximumFractionDigits: 4 });
    this.#money = new Intl.NumberFormat(locale, { ...grouped, maximumFractionDigits: 2 });
    this.#small = new Intl.NumberFormat(locale, { ...grouped, maximumSignificantDigits: 4 });
    const cents = { ...grouped, minimumFractionDigits: 2 };
    this.#cents = new Intl.NumberFormat(locale, { ...cents, maximumFractionDigits: 2 });
    this.#parts = new Intl.NumberFormat(locale, { ...cents, maximumFractionDigits: 4 });
    const parts = this.#part.formatToParts(0.5);
    this.#point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  }

  /** The value for the grid, on one line; what its numbers are says how they are written. */
  cell(value: unknown, kind: string, { code = false, money = false, cents = false } = {}): string {
    const text =
      code && value !== null && value !== undefined
        ? codeText(value)
        : this.value(value, kind, money, cents);
    const line = text.length > LONGEST ? `${cutText(text, LONGEST)}…` : text;
    return /[\n\r\t]/.test(line) ? line.replace(/[\n\r\t]+/g, " ⏎ ") : line;
  }

  /** The value for reading: long fractions are cut. */
  value(value: unknown, kind: string, money = false, cents = false): string {
    if (value === null || value === undefined) return "null";
    if (typeof value === "number") return this.number(value, money, cents);
    if (typeof value === "bigint") return signed(this.#whole.format(value));
    if (typeof value === "string") {
      if (kind === "date" || kind === "timestamp") return this.date(value);
      return isNumeric(kind) ? this.decimal(value) : value;
    }
    if (value instanceof Date) return this.date(dateText(value, kind));
    return exact(value);
  }

  /**
   * Of money nobody counts parts of a hundredth, unless there is little of it; `cents` says that its
   * column has parts.
   */
  number(value: number, money = false, cents = false): string {
    return signed(this.#number(value, money, cents));
  }

  #number(value: number, money: boolean, cents: boolean): string {
    if (!Number.isFinite(value)) return String(value);
    if (Number.isInteger(value)) return (cents ? this.#cents : this.#whole).format(value);
    const size = Math.abs(value);
    if (money && size >= 1) return (cents ? this.#cents : this.#money).format(value);
    if (size < 0.001) return size < 1e-6 ? value.toPrecision(4) : this.#small.format(value);
    return (cents ? this.#parts : this.#part).format(value);
  }

  /** A text of digits with all of them, never through a float. */
  decimal(text: string): string {
    const [, sign, whole, fraction] = DIGITS.exec(text.replace(MINUS, "-")) ?? [];
    if (whole === undefined) return text;
    const shown = `${sign ? MINUS : ""}${this.#whole.format(BigInt(whole))}`;
    return fraction === undefined ? shown : `${shown}${this.#point}${fraction}`;
  }

  count(value: number): string {
    return this.#whole.format(value);
  }

  /** ISO texts as they are in English, days first in Russian; nothing is converted. */
  date(text: string): string {
    const [, year, month, day, hour, minute, second, zone] = DATE.exec(text) ?? [];
    if (year === undefined) return text;
    const date = this.locale === "ru" ? `${day}.${month}.${year}` : `${year}-${month}-${day}`;
    if (hour === undefined) return date;
    const seconds = second === undefined || /^0+(\.0+)?$/.test(second) ? "" : `:${second}`;
    return `${date} ${hour}:${minute}${seconds}${zone ? ` ${zone}` : ""}`;
  }
}

/** With the sign of a number below zero as it is printed: a hyphen is no minus. */
export function signed(text: string): string {
  return text.replace(/^-/, MINUS);
}

/** A number that names something: no groups of digits, and a sign as other numbers have it. */
export function codeText(value: unknown): string {
  const text = exact(sure(value));
  return DIGITS.test(text) ? signed(text) : text;
}

/** The beginning of a text, without half a character at its end. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/**
 * A `Date` as the text that it was: what it shows in UTC is what the table's clock shows, and midnight
 * is a day, as of daily bars.
 */
export function dateText(value: Date, kind = "timestamp"): string {
  if (Number.isNaN(value.getTime())) return "";
  const text = value.toISOString().replace(/(?:T00:00:00)?\.000Z$|Z$/, "");
  return kind === "date" ? text.replace(/T.*/, "") : text;
}

/** The value in full, as a download has it. */
export function exact(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return dateText(value);
  if (typeof value === "object") return json(value);
  return `${value as string | number}`;
}

/** Digits that a float always has; those beyond are noise of its fractions where it was computed. */
const SURE = 15;

/** How a value leaves in a file or a copy: 0.1 + 0.2 is 0.3, and what a file held stays as it was. */
export function handedOn(value: unknown, column?: ColumnInfo & { role?: string }): unknown {
  const role = column?.role;
  const computed = role === "measure" || role === "mapped";
  if (!computed || typeof value !== "number" || Number.isInteger(value)) return value;
  return sure(value);
}

/** A value without the noise that a computed float may have; two of them stay two. */
export function sure(value: unknown): unknown {
  return typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value)
    ? Number(value.toPrecision(SURE))
    : value;
}

/** A decimal whose digits JSON is to hold. */
export class Digits {
  constructor(readonly text: string) {}

  /** The value of a cell: of a decimal its digits, else what it is. */
  static of(value: unknown, kind: string): unknown {
    const all = typeof value === "string" && isDecimal(kind) && DIGITS.test(value);
    return all ? new Digits(value) : value;
  }
}

/** JSON with big integers and decimals as numbers: they are exact in the text. */
export function json(value: unknown, indent?: number): string {
  const big: string[] = [];
  const mark = "\u0001big:";
  const text = JSON.stringify(
    value,
    (_, one: unknown) => {
      // A text that looks like what stands for a number is kept apart, too.
      if (typeof one === "string" && one.startsWith(mark)) big.push(JSON.stringify(one));
      else if (typeof one === "bigint") big.push(String(one));
      else if (one instanceof Digits) big.push(one.text);
      else return one;
      return `${mark}${big.length - 1}`;
    },
    indent,
  );
  if (big.length === 0) return text;
  return text.replace(/"\\u0001big:(\d+)"(?!:)/g, (whole, at: string) => big[Number(at)] ?? whole);
}

/** A kind for values whose column says none. */
export function kindOf(values: unknown[]): ColumnInfo["kind"] {
  const there = values.filter((value) => value !== null && value !== undefined);
  if (there.length === 0) return "text";
  const all = (is: (value: unknown) => boolean) => there.every(is);
  if (all((v) => typeof v === "bigint" || Number.isInteger(v))) return "int";
  if (all((v) => typeof v === "number" || typeof v === "bigint")) return "float";
  if (all((v) => typeof v === "boolean")) return "bool";
  const scale = scaleOf(there);
  if (scale !== undefined) return `decimal(${scale})`;
  if (all((v) => typeof v === "string" && /^\d{4}-\d\d-\d\d$/.test(v))) return "date";
  if (all((v) => v instanceof Date || (typeof v === "string" && DATE.test(v)))) return "timestamp";
  return "text";
}

/**
 * How many digits behind the point all texts have: those of decimals are as many in each. Whole
 * numbers as texts are codes.
 */
function scaleOf(values: unknown[]): number | undefined {
  const scale = (value: unknown): number =>
    typeof value === "string" ? (DIGITS.exec(value)?.[3]?.length ?? 0) : 0;
  const first = scale(values[0]);
  return first > 0 && values.every((value) => scale(value) === first) ? first : undefined;
}
