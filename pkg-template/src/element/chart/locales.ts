// How axes write numbers and dates, by language, as d3 takes it.

import type { Locale } from "../../types.js";

interface Names {
  number: {
    decimal: string;
    thousands: string;
    grouping: number[];
    currency: [string, string];
    minus?: string;
  };
  time: {
    dateTime: string;
    date: string;
    time: string;
    periods: [string, string];
    days: string[];
    shortDays: string[];
    months: string[];
    shortMonths: string[];
  };
}

/** Names from the browser's own data: 2024 began on a Monday. */
function names(locale: Locale, options: Intl.DateTimeFormatOptions, count: number): string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const days = options.weekday !== undefined;
  // Sunday comes first here.
  const at = (i: number): number => (days ? Date.UTC(2023, 11, 31 + i) : Date.UTC(2024, i, 1));
  return Array.from({ length: count }, (_, i) => format.format(at(i)).replace(/\.$/, ""));
}

function namesOf(locale: Locale): Names["time"] {
  return {
    dateTime: locale === "ru" ? "%-d %b %Y %H:%M" : "%b %-d, %Y %H:%M",
    date: locale === "ru" ? "%d.%m.%Y" : "%Y-%m-%d",
    time: "%H:%M:%S",
    periods: ["AM", "PM"],
    days: names(locale, { weekday: "long" }, 7),
    shortDays: names(locale, { weekday: "short" }, 7),
    months: names(locale, { month: "long" }, 12),
    shortMonths: names(locale, { month: "short" }, 12),
  };
}

export const LOCALES: Record<Locale, Names> = {
  en: {
    number: { decimal: ".", thousands: ",", grouping: [3], currency: ["", ""] },
    time: namesOf("en"),
  },
  ru: {
    number: { decimal: ",", thousands: "\u00a0", grouping: [3], currency: ["", ""] },
    time: namesOf("ru"),
  },
};
