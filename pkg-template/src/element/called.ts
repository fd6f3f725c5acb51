// What columns and their values are called, as far as it is known: the words for what a query made come
// with the first result, and names stand as they are until then.

import type { ColumnInfo, Locale, Query } from "../types.js";
import type { headsOf } from "./heads.js";

/** A column as it is shown. */
export interface Head extends ColumnInfo {
  /** What its values name, where they are parts of the calendar. */
  names?: Calendar | undefined;
}

/** Parts of the calendar that values name. */
export type Calendar = "month" | "weekday" | "quarter";

const QUARTERS = ["I", "II", "III", "IV"];

let words: typeof headsOf | undefined;

/** The columns of a result as they are called now; `changed` hears when more is known. */
export function headsNow(
  locale: Locale,
  { columns, query }: { columns: readonly ColumnInfo[]; query: Query },
  changed: () => void,
): readonly Head[] {
  if (words) return words(locale, columns, query);
  void import("./heads.js").then(
    (heads) => {
      words = heads.headsOf;
      changed();
    },
    // Names are told as the engine writes them.
    () => undefined,
  );
  return columns;
}

/** What a column is called. */
export function headText({ label, name }: Pick<ColumnInfo, "label" | "name">): string {
  return label ?? name;
}

const UNITS: Record<string, string> = {
  kg: "кг",
  g: "г",
  km: "км",
  m: "м",
  cm: "см",
  mm: "мм",
  l: "л",
  ml: "мл",
  h: "ч",
  min: "мин",
  s: "с",
  ms: "мс",
  pcs: "шт.",
};

/** A unit as the language writes it; what is none of the usual ones stays. */
export function unitText(locale: Locale, unit: string): string {
  return locale === "ru" && Object.hasOwn(UNITS, unit) ? (UNITS[unit] ?? unit) : unit;
}

/** The names of months or of weekdays; 2024 began on a Monday. */
function namesIn(locale: Locale, names: "month" | "weekday", style: "short" | "long"): string[] {
  const days = names === "weekday";
  const format = new Intl.DateTimeFormat(locale, { [names]: style, timeZone: "UTC" });
  const at = (i: number): number => (days ? Date.UTC(2024, 0, 1 + i) : Date.UTC(2024, i, 1));
  return Array.from({ length: days ? 7 : 12 }, (_, i) => format.format(at(i)));
}

const known = new Map<string, { numbers: Map<string, number>; words: string[] }>();

/** The numbers of all names, and what they are called in a language. */
function calendar(
  locale: Locale,
  names: "month" | "weekday",
): { numbers: Map<string, number>; words: string[] } {
  const key = `${locale} ${names}`;
  let found = known.get(key);
  if (!found) {
    const all = [
      namesIn("en", names, "short"),
      namesIn("en", names, "long"),
      namesIn("ru", names, "long"),
    ];
    const numbers = new Map(all.flatMap((list) => list.map((name, i) => [name, i])));
    const style = locale === "ru" && names === "month" ? "long" : "short";
    found = { numbers, words: namesIn(locale, names, style) };
    known.set(key, found);
  }
  return found;
}

/** The number of a month that is named in English or in Russian, from 0. */
export function monthNumber(name: string): number | undefined {
  return calendar("en", "month").numbers.get(name);
}

/** A value that names a part of the calendar, in words; none where it names nothing. */
export function valueName(
  locale: Locale,
  names: Head["names"],
  value: unknown,
): string | undefined {
  if (names === undefined || value === null || value === undefined) return undefined;
  if (names === "quarter") {
    const number = QUARTERS[Number(value) - 1];
    if (number === undefined) return undefined;
    return locale === "ru" ? `${number} кв.` : `Q${Number(value)}`;
  }
  const { numbers, words } = calendar(locale, names);
  if (typeof value === "string") return words[numbers.get(value) ?? -1];
  // Weekdays are counted from 0.
  return words[Number(value) - (names === "weekday" ? 0 : 1)];
}
