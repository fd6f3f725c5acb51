// Months, quarters and weeks of years as one axis of time: groups by year and by month follow each other.

import type { ColumnInfo } from "../../types.js";
import { monthNumber } from "../called.js";

/** What the places along an axis last. */
export type Step = "month" | "quarter" | "week";

const WEEK = 7 * 24 * 3600 * 1000;

const QUARTER = /^(?:q|кв\.? ?)?([1-4])$/iu;

/** A month by its number or its name, from 0; none where it is no month. */
function monthOf(value: unknown): number | undefined {
  const number = Number(value);
  if (value !== "" && Number.isInteger(number)) {
    return number >= 1 && number <= 12 ? number - 1 : undefined;
  }
  return typeof value === "string" ? monthNumber(value) : undefined;
}

/**
 * The place of a week among those of its year, as a moment: its number says when it begins to a few days,
 * which is as much as a year and a week tell of the days around New Year.
 */
function weekOf(year: number, week: unknown): number | undefined {
  const number = Number(week);
  return week !== "" && Number.isInteger(number) && number >= 1 && number <= 53
    ? Date.UTC(year, 0, 1) + (number - 1) * WEEK
    : undefined;
}

/** The number of a week by that moment. */
function weekAt(at: number): number {
  return Math.round((at - Date.UTC(new Date(at).getUTCFullYear(), 0, 1)) / WEEK) + 1;
}

/**
 * The moment at which a month, a quarter or a week of a year begins; null where either is missing, and nothing
 * where these are no years and months.
 */
export function beginning(
  year: unknown,
  part: unknown,
  step: Step,
): { at: number | null } | undefined {
  if (year === null || year === undefined || part === null || part === undefined) {
    return { at: null };
  }
  const number = Number(year);
  if (year === "" || !Number.isInteger(number) || number < 1000 || number > 2999) return undefined;
  if (step === "week") {
    const week = weekOf(number, part);
    return week === undefined ? undefined : { at: week };
  }
  const quarter = QUARTER.exec(`${part as string | number}`)?.[1];
  const month =
    step === "month"
      ? monthOf(part)
      : quarter === undefined
        ? undefined
        : (Number(quarter) - 1) * 3;
  if (month === undefined) return undefined;
  return { at: Date.UTC(number, month, 1) };
}

/** What a column of parts of years has, by its name. */
export function stepOf({ name }: Pick<ColumnInfo, "name">): Step {
  if (/week|недел/iu.test(name)) return "week";
  return /quarter|квартал/iu.test(name) ? "quarter" : "month";
}

/** All beginnings between two moments, both among them. */
export function between(from: number, to: number, step: Step): number[] {
  const start = new Date(from);
  const months = step === "month" ? 1 : 3;
  const all: number[] = [];
  if (step === "week") {
    for (let year = start.getUTCFullYear(); Date.UTC(year, 0, 1) <= to; year += 1) {
      // Few years have a 53rd: it is there where it has a value.
      for (let n = 0; n < 52; n += 1) all.push(Date.UTC(year, 0, 1) + n * WEEK);
    }
    return all.filter((at) => at >= from && at <= to);
  }
  for (let i = 0; i < 4000; i += 1) {
    const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + i * months, 1);
    if (at > to) break;
    all.push(at);
  }
  return all;
}

/** Those of them that a picture has room to name: whole parts of years, from January on. */
export function labelled(all: readonly number[], room: number, step: Step): number[] {
  if (step === "week") return labelledWeeks(all, room);
  const months = step === "month" ? 1 : 3;
  const every = [1, 2, 3, 6, 12, 24, 60, 120, 600].filter((n) => n % months === 0);
  const by = (n: number): number[] =>
    all.filter((at) => {
      const date = new Date(at);
      return (date.getUTCFullYear() * 12 + date.getUTCMonth()) % n === 0;
    });
  const named = every.map(by).find(({ length }) => length <= Math.max(1, room)) ?? [];
  return named.length > 0 ? named : all.slice(0, 1);
}

function labelledWeeks(all: readonly number[], room: number): number[] {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return [];
  const by = (weeks: number, years: number): number[] =>
    all.filter((at) => {
      const year = new Date(at).getUTCFullYear();
      return year % years === 0 && weekAt(at) <= 52 && (weekAt(at) - 1) % weeks === 0;
    });
  const steps: [weeks: number, years: number][] = [1, 2, 4, 13, 26].map((n) => [n, 1]);
  steps.push(...[1, 2, 5, 10, 50].map((n): [number, number] => [52, n]));
  const named = steps.map(([weeks, years]) => by(weeks, years));
  const fits = named.find(({ length }) => length > 0 && length <= Math.max(1, room));
  return fits ?? all.slice(0, 1);
}

/**
 * A month as people write it: `Jan 2023`, «янв. 2023»; a quarter `Q1 2023`; a week `W12 2023`. With `since` as it stands
 * behind «с»: «июня 2023».
 */
export function stepText(locale: string, at: number, step: Step, since = false): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (step === "week") {
    return locale === "ru" ? `${weekAt(at)} нед. ${year}` : `W${weekAt(at)} ${year}`;
  }
  if (step === "quarter") {
    const number = Math.floor(date.getUTCMonth() / 3);
    return locale === "ru"
      ? `${["I", "II", "III", "IV"][number] ?? ""} кв. ${year}`
      : `Q${number + 1} ${year}`;
  }
  const said = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { ...options, year: "numeric", timeZone: "UTC" })
      .formatToParts(date)
      .find(({ type }) => type === "month")?.value ?? "";
  const short = said({ month: "short" });
  // A whole Russian name has another case with a day: июнь, июня.
  const whole = since && locale === "ru" && !short.endsWith(".");
  return `${whole ? said({ month: "long", day: "numeric" }) : short} ${year}`;
}

/** What people and files call the months and the weekdays, in order, without dots and capitals. */
function calendarNames(unit: "month" | "weekday"): Map<string, number> {
  const days = unit === "weekday";
  const found = new Map<string, number>();
  for (const locale of ["en", "ru"]) {
    for (const style of ["short", "long"] as const) {
      // With a day a Russian month has another case: январь, января.
      for (const more of days ? [{}] : [{}, { day: "numeric" } as const]) {
        const format = new Intl.DateTimeFormat(locale, { [unit]: style, ...more, timeZone: "UTC" });
        for (let i = 0; i < (days ? 7 : 12); i += 1) {
          // 2024 began on a Monday.
          const parts = format.formatToParts(
            days ? Date.UTC(2024, 0, 1 + i) : Date.UTC(2024, i, 1),
          );
          found.set(plain(parts.find(({ type }) => type === unit)?.value ?? ""), i);
        }
      }
    }
  }
  return found;
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, "");
}

let known: Map<string, number>[] | undefined;

/** Orders names that are all months, or all weekdays; `other` is none of them and comes last. */
export function calendarOrder(
  names: Iterable<string>,
  other: string,
): ((a: string, b: string) => number) | undefined {
  const all = [...names].filter((name) => name !== other);
  known ??= [calendarNames("month"), calendarNames("weekday")];
  const numbers = known.find((one) => all.every((name) => one.has(plain(name))));
  if (!numbers || all.length < 2) return undefined;
  const at = (name: string): number => numbers.get(plain(name)) ?? Infinity;
  return (a, b) => (a === b ? 0 : at(a) - at(b));
}
