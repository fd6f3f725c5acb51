// What people call the columns that a query made, and their values: `sum_total` is the sum of total, and
// `Mon` is пн in Russian. Only for the eye: queries, copies and files have the names of the engine.

import type { ColumnInfo, Locale, Query } from "../types.js";
import { type Calendar, type Head, headText, unitText } from "./called.js";
import { PURCHASES } from "./purchase-heads.js";
import { genitive, ofPhrase } from "./russian.js";

export { type Head, headText, valueName } from "./called.js";

type Both = readonly [en: string, ru: string];

/**
 * Calls of one argument, `{x}`; those of none where they are about the time or the price. In Russian `{x}` is
 * in the genitive.
 */
const CALLS: Record<string, Both> = {
  count: ["number of rows", "число строк"],
  pct: ["share", "доля"],
  mean: ["mean of {x}", "среднее {x}"],
  sum: ["sum of {x}", "сумма {x}"],
  min: ["minimum of {x}", "минимум {x}"],
  max: ["maximum of {x}", "максимум {x}"],
  median: ["median of {x}", "медиана {x}"],
  std: ["standard deviation of {x}", "стандартное отклонение {x}"],
  var: ["variance of {x}", "дисперсия {x}"],
  first: ["first value of {x}", "первое значение {x}"],
  last: ["last value of {x}", "последнее значение {x}"],
  count_distinct: ["different values of {x}", "разных значений {x}"],
  percentile: ["percentile {n} of {x}", "перцентиль {n} {x}"],
  rank: ["rank of {x}, %", "ранг {x}, %"],
  prev: ["previous {x}", "предыдущее значение {x}"],
  next: ["next {x}", "следующее значение {x}"],
  cumsum: ["sum of {x} so far", "сумма {x} нарастающим итогом"],
  cumcount: ["row number", "номер строки"],
  year: ["year", "год"],
  quarter: ["quarter", "квартал"],
  month: ["month", "месяц"],
  monthname: ["month", "месяц"],
  week: ["week", "неделя"],
  day: ["day of the month", "день месяца"],
  dayofweek: ["weekday", "день недели"],
  dayname: ["weekday", "день недели"],
  hour: ["hour", "час"],
  minute: ["minute", "минута"],
  date: ["day", "день"],
  time: ["time of day", "время суток"],
  gap: ["gap", "гэп"],
  gap_pct: ["gap", "гэп"],
  change: ["change", "изменение"],
  change_pct: ["change", "изменение"],
  range: ["range", "диапазон"],
  range_pct: ["range", "диапазон"],
  body: ["body", "тело бара"],
  upper_wick: ["upper shadow", "верхняя тень"],
  lower_wick: ["lower shadow", "нижняя тень"],
};

/** Names that the planner gives, or a statement, to what no single call says. */
const ALIASES: Record<string, Both> = {
  pct: ["share", "доля"],
  share: ["share", "доля"],
  year: ["year", "год"],
  quarter: ["quarter", "квартал"],
  month: ["month", "месяц"],
  week: ["week", "неделя"],
  weekday: ["weekday", "день недели"],
  day: ["day", "день"],
  hour: ["hour", "час"],

  share_pct: ["share", "доля"],
  change: ["change", "изменение"],
  change_pct: ["change", "изменение"],
  correlation: ["correlation", "корреляция"],
  spread: ["range", "размах"],
  run: ["run of rows", "строк подряд"],
};

/** Functions whose values are names, and of which. */
const NAMES: Record<string, Calendar> = {
  month: "month",
  monthname: "month",
  dayofweek: "weekday",
  dayname: "weekday",
  quarter: "quarter",
};

const LAST = /^last_(\d+)$/;

/** Names that a statement gives. */
const AS = /\bas\s+(["`]?)([\p{L}_][\p{L}\p{N}_]*)\1/giu;

const CALL = /^(\w+)\((?:([\p{L}\p{N}_]+|`[^`]*`)(?:, *(-?[\d.]+))?)?\)$/u;

/** A call of what columns put together give, and what such a formula consists of. */
const OF_FORMULA = /^(\w+)\((.+?)(?:, *(-?[\d.]+))?\)$/u;
const TOKEN = /`[^`]*`|[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[-+*/()]|\S/gu;
const SIGNS: Record<string, string> = { "*": " × ", "/": " / ", "+": " + ", "-": " − " };
/** How the planner names what two columns give. */
const PUT_TOGETHER = /_(?:plus|minus|times|per)_/u;

/** Columns put together by signs, as people write it; none of what is no such formula. */
function formulaText(text: string, called: (name: string) => string): string | undefined {
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let written = "";
  let wasName = false;
  for (const token of tokens) {
    const name = /^[`\p{L}_]/u.test(token);
    if (name || /^\d/.test(token)) {
      if (wasName) return undefined;
      written += name ? called(token.replaceAll("`", "")) : token;
    } else if (token === "(" || token === ")") {
      depth += token === "(" ? 1 : -1;
      // A function's parentheses are none of a formula.
      if (depth < 0 || (token === "(" && wasName)) return undefined;
      written += token;
    } else if (wasName && SIGNS[token] !== undefined) written += SIGNS[token];
    else return undefined;
    wasName = name || /^[\d)]/.test(token);
  }
  const signs = tokens.filter((token) => SIGNS[token] !== undefined);
  if (depth !== 0 || signs.length === 0) return undefined;
  return written;
}

/** A call of a column, of a formula or of nothing; `x` is what it is of, in words. */
function callOf(
  text: string,
  called: (name: string) => string,
): { call: string; of?: string; x: string; n: string | undefined } | undefined {
  const [, plain, column, n] = CALL.exec(text) ?? [];
  if (plain !== undefined) {
    if (column === undefined) return { call: plain, x: "", n };
    const of = column.replaceAll("`", "");
    return { call: plain, of, x: called(of), n };
  }
  const [, call, inner = "", share] = OF_FORMULA.exec(text) ?? [];
  const formula = formulaText(inner, called);
  if (call === undefined || formula === undefined) return undefined;
  return { call, x: /[+−]/u.test(formula) ? `(${formula})` : formula, n: share };
}

const list = (of: string | string[] | undefined): string[] => (of === undefined ? [] : [of].flat());

/** What the columns of a query are made by: the expression of each. */
function madeBy(query: Query, made = new Map<string, string>()): Map<string, string> {
  const { map = {}, group_by: by, select, steps = [] } = query;
  const named = Array.isArray(map) ? map : Object.entries(map);
  for (const [name, text] of named) made.set(name, text);
  for (const key of list(by)) if (CALL.test(key)) made.set(key, key);
  const plain = typeof select === "string" || Array.isArray(select);
  if (!plain) for (const [name, text] of Object.entries(select ?? {})) made.set(name, text);
  else {
    for (const text of list(select)) {
      const [, call = "", of] = CALL.exec(text) ?? [];
      made.set(
        of ? `${call}_${of.replaceAll("`", "")}` : text === "count()" ? "count" : text,
        text,
      );
    }
  }
  for (const step of steps) madeBy(step, made);
  return made;
}

/** What is known of how the columns were made. */
function madeOf(query: Query | { sql: string } | undefined): Map<string, string> {
  if (!query) return new Map();
  return "sql" in query ? givenBy(query.sql) : madeBy(query);
}

/** The names that a statement gives to what it computes: those of a table are not told from here. */
function givenBy(sql: string): Map<string, string> {
  return new Map(Array.from(sql.matchAll(AS), ([, , name = ""]) => [name, ""]));
}

/**
 * Whether a tool for purchases made a result: it reads the tables that are made for these. The shopping list
 * is computed, and known by its columns.
 */
function isOfPurchases(
  query: Query | { sql: string } | undefined,
  columns: readonly ColumnInfo[],
): boolean {
  if (query === undefined || !("sql" in query)) return false;
  return (
    /"pack |\bpack_/u.test(query.sql) || columns.some(({ name }) => name === "suggested_quantity")
  );
}

/** Whether the values of a column add up to a whole: sums and counts do, and means do not. */
export function addsUp(query: Query, name: string): boolean {
  const made = madeOf(query).get(name);
  return /^(?:sum|count|total)(?:[_(]|$)/iu.test(made ?? name) && !/^count_distinct/iu.test(name);
}

/**
 * Russian words after another: in the genitive, where they are words of ours or one regular noun, else in quotes,
 * as names are.
 */
function inflected(words: string, own: boolean): string {
  if (own && !words.startsWith("«")) return ofPhrase(words);
  return genitive(words) ?? `«${words}»`;
}

/** What a name says by itself, where it is one of those that everybody gives. */
function aliasText(name: string, at: 0 | 1): string {
  const last = LAST.exec(name)?.[1];
  if (last !== undefined) return at === 1 ? `последние ${last}` : `last ${last}`;
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name]?.[at] ?? name) : name;
}

/** Whether a name is what the planner or the engine calls what an expression gives. */
function isGiven(name: string, call: string, text: string): boolean {
  return (
    name === text ||
    name === call ||
    name.startsWith(`${call}_`) ||
    (call === "percentile" && /^p\d+_/.test(name)) ||
    (["monthname", "date"].includes(call) && name === (call === "date" ? "day" : "month")) ||
    (call === "dayname" && ["dow", "weekday"].includes(name)) ||
    (call === "dayofweek" && ["dow", "weekday"].includes(name))
  );
}

const tables = new Map<string, readonly ColumnInfo[]>();

/** Tells what the columns of a table are called, for the heads of what is computed of them. */
export function knowTable(name: string, columns: readonly ColumnInfo[]): void {
  tables.set(name, columns);
}

/**
 * The columns of a result as they are shown. What has a label keeps it, and so does a name that a person
 * or a model chose; two columns are never called the same.
 */
export function headsOf(locale: Locale, columns: readonly ColumnInfo[], query?: Query): Head[] {
  const at = locale === "ru" ? 1 : 0;
  const made = madeOf(query);
  const bought = isOfPurchases(query, columns);
  const known = (query && "table" in query && tables.get(query.table ?? "")) || [];
  const labels = new Map([...known, ...columns].map(({ name, label }) => [name, label]));
  const called = (name: string, depth = 0): string => {
    const label = labels.get(name);
    const text = made.get(name);
    if (bought && label === undefined) return PURCHASES[name]?.[at] ?? name;
    if (label !== undefined || text === undefined || depth > 3) return label ?? name;
    const deeper = (one: string): string => called(one, depth + 1);
    const whole = formulaText(text, deeper);
    if (whole !== undefined && (name === text || PUT_TOGETHER.test(name))) return whole;
    const { call = "", of, x = "", n } = callOf(text, deeper) ?? {};
    const words = CALLS[call];
    if (words && isGiven(name, call, text)) {
      const share = String(Math.round(Number(n) * 1000) / 10);
      const said = at === 1 && /[а-яё]/i.test(x) ? inflected(x, made.has(of ?? "")) : x;
      return words[at].replace("{x}", said).replace("{n}", share);
    }
    return aliasText(name, at);
  };
  const heads = columns.map((column): Head => {
    const { name, unit } = column;
    const [, call = ""] = CALL.exec(made.get(name) ?? "") ?? [];
    const words = withoutUnit(called(name), unit);
    // A share without its sign would be one of 1.
    const share = !unit && words !== name && name.endsWith("_pct") && column.label === undefined;
    const label = share ? `${words}, %` : words;
    return {
      ...column,
      ...(label === name ? {} : { label }),
      ...(unit ? { unit: unitText(locale, unit) } : {}),
      ...(Object.hasOwn(NAMES, call) ? { names: NAMES[call] } : {}),
    };
  });
  const count = (label: string) => heads.filter((one) => headText(one) === label).length;
  return heads.map((head, i) => {
    if (head.label === undefined || columns[i]?.label !== undefined) return head;
    if (count(head.label) < 2) return head;
    const own = { ...head };
    delete own.label;
    return own;
  });
}

/** `weight (kg)` with its unit beside it is weight. */
function withoutUnit(name: string, unit: string | undefined): string {
  if (!unit) return name;
  if (unit === "%") return name.replace(/(?<=.)[_ ](?:pct|percent)$/iu, "");
  for (const end of [`(${unit})`, `[${unit}]`]) {
    if (name.endsWith(end) && name.length > end.length) return name.slice(0, -end.length).trim();
  }
  return name;
}
