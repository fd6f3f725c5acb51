// Which places along an axis are named: evenly far from each other, as many as there is room for.

const DAY = 86_400_000;
/** Numbers of days and of months from one name to the next. */
const DAYS = [1, 2, 3, 4, 7, 14];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000];

/** Over more days than these months are named. */
const LONG = 100;

/** Names along an axis of time, and how each is written: as Vega's expressions say it. */
export interface Ticks {
  values: number[];
  labelExpr: string;
}

/**
 * Days, months or years between the first and the last of some moments. None where the axis shows hours:
 * those are evenly far from each other by themselves.
 */
export function ticksOf(moments: readonly number[], room: number): Ticks | undefined {
  const there = moments.filter((at) => Number.isFinite(at));
  if (there.length === 0) return undefined;
  const first = there.reduce((a, b) => Math.min(a, b));
  const last = there.reduce((a, b) => Math.max(a, b));
  const whole = there.every((at) => at % DAY === 0);
  if (!whole && last - first < Math.max(2, room / 2) * DAY) return undefined;
  const most = Math.max(2, room);
  const monthly = there.every((at) => new Date(at).getUTCDate() === 1);
  const daily = last - first <= LONG * DAY && !(monthly && last > first);
  for (const step of daily ? DAYS : []) {
    if ((last - first) / DAY / step > most) continue;
    const values = days(first, last, step);
    if (values.length <= most) return { values, labelExpr: "utcFormat(datum.value, '%-d %b')" };
  }
  for (const step of MONTHS) {
    if ((last - first) / (DAY * 31) / step > most) continue;
    const values = months(first, last, step);
    if (values.length > most) continue;
    // Too short for a name of its own: where it begins and where it ends.
    if (values.length < 2) break;
    return { values, labelExpr: step % 12 === 0 ? YEAR : MONTH };
  }
  const ends = last - first > 366 * DAY ? "'%b %Y'" : "'%-d %b'";
  return { values: [...new Set([first, last])], labelExpr: `utcFormat(datum.value, ${ends})` };
}

const YEAR = "utcFormat(datum.value, '%Y')";
/** A January is its year; the first name says the year, too. */
const MONTH =
  "utcmonth(datum.value) === 0 ? utcFormat(datum.value, '%Y') : " +
  "utcFormat(datum.value, datum.index === 0 ? '%b %Y' : '%b')";

/** Weeks begin on Mondays, other steps with the first day. */
function days(first: number, last: number, step: number): number[] {
  const begin = Math.ceil(first / DAY);
  // The first day of 1970 was a Thursday.
  const start = step % 7 === 0 ? begin + ((11 - (begin % 7)) % 7) : begin;
  const all: number[] = [];
  for (let day = start; day * DAY <= last; day += step) all.push(day * DAY);
  return all;
}

function months(first: number, last: number, step: number): number[] {
  const date = new Date(first);
  const begin = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const all: number[] = [];
  for (let month = Math.floor(begin / step) * step; ; month += step) {
    const at = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (at > last) return all;
    if (at >= first) all.push(at);
  }
}

/** Pixels from one name to the next, at least. */
const GAP = 8;

/**
 * Names that an axis of so many pixels has room for, by the width of each: all, or every second, third
 * and so on.
 */
export function everyNth<T>(names: readonly T[], pixels: number, width: (name: T) => number): T[] {
  const each = pixels / Math.max(1, names.length);
  const widths = names.map(width);
  const by = (step: number): number[] => widths.filter((_, i) => i % step === 0);
  const fits = (step: number): boolean =>
    by(step).every((one, i, all) => i === 0 || ((all[i - 1] ?? 0) + one) / 2 + GAP <= step * each);
  let step = 1;
  while (step < names.length && !fits(step)) step += 1;
  // Months of a year are named so that the same ones are in every year.
  const whole = [1, 2, 3, 4, 6].find((n) => n >= step);
  if (names.length % 12 === 0 && whole !== undefined && fits(whole)) step = whole;
  return names.filter((_, i) => i % step === 0);
}
