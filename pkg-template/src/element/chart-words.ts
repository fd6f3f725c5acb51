// A question that asks for nothing but a chart of the answer before: "as a chart", «покажи на графике».

import type { Result } from "../result.js";
import { chartOf, turned } from "./fits.js";
import { addsUp } from "./heads.js";
import type { ChartChoice, ChartKind } from "./types.js";

const CHART = /^(?:charts?|graphs?|plot|diagram|график\p{L}*|диаграмм\p{L}*)$/u;
/** What a question may name; a pie is drawn as bars. */
export type AskedKind = ChartKind | "pie";

const PIE = String.raw`pies?|donuts?|doughnuts?`;
const KINDS: readonly [kind: AskedKind, names: RegExp][] = [
  ["pie", new RegExp(String.raw`^(?:${PIE}|кругов\p{L}*|кольцев\p{L}*|пирог\p{L}*)$`, "u")],
  ["histogram", /^(?:histogram|гистограмм\p{L}*)$/u],
  ["line", /^(?:lines?|лини[яюейи]\p{L}*|линейн\p{L}*)$/u],
  ["bar", /^(?:bars?|columns?|столб(?:ц|ик|чат)\p{L}*)$/u],
];
const AS = /^(?:as|виде|как)$/u;
const AROUND =
  /^(?:please|show|draw|display|make|give|see|me|it|this|that|them|the|a|an|as|in|on|with|form|of|and|now|а|теперь|лучше|пожалуйста|покажи|покажите|показать|нарисуй|нарисуйте|построй|постройте|выведи|сделай|дай|мне|это|его|их|на|в|виде|как)$/u;

/** The chart that is asked for, by its kind where one is named; nothing where the question says more. */
export function chartAsked(question: string): { kind?: AskedKind } | undefined {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const kindOf = (word: string) => KINDS.find(([, names]) => names.test(word))?.[0];
  const kind = words.map(kindOf).find(Boolean);
  const rest = words.filter((word) => !CHART.test(word) && !kindOf(word));
  if (!rest.every((word) => AROUND.test(word))) return undefined;
  // "Show bars" may be about a table of that name.
  const sure = words.some((word) => CHART.test(word)) || kind === "histogram";
  // «столбиками», «линией»: the case says as.
  const as = (word: string) => AS.test(word) || (kindOf(word) && /(?:ами|[ое]й|ом)$/u.test(word));
  if (!sure && !(kind && words.some(as))) return undefined;
  return kind ? { kind } : {};
}

const PICTURE = String.raw`(?:charts?|graphs?|plots?|diagrams?)`;
const WISHES: readonly RegExp[] = [
  new RegExp(String.raw`\b(lines?|bars?|columns?|${PIE})[\s-]+${PICTURE}\b`, "iu"),
  new RegExp(String.raw`\bas\s+an?\s+(${PIE})(?![\p{L}-])`, "iu"),
  new RegExp(String.raw`\bas\s+(?:an?\s+|the\s+)?${PICTURE}(?!\p{L})`, "iu"),
  /\bas\s+(?:an?\s+)?(bars?|columns|lines?)[\s?.!]*$/iu,
  /(?<!\p{L})(лине[йи]н\p{L}*|столб(?:чат|цов|иков)\p{L}*|кругов\p{L}*|кольцев\p{L}*)\s+(?:график|диаграмм)\p{L}*/iu,
  /(?<!\p{L})(столб(?:ик|ц)ами|линией)(?!\p{L})/iu,
  /^(?:plot|chart|график)[\s:]/iu,
  /^(?:draw|make|построй(?:те)?|нарисуй(?:те)?|сделай(?:те)?)\s+(?:an?\s+|the\s+)?(?:chart|graph|plot|график|диаграмму)\s/iu,
  /\s(?:chart|graph)[\s?.!]*$/iu,
  /(?<!\p{L})(histogram|гистограмм\p{L}*)\s/iu,
  /(?<!\p{L})(?:в\s+виде\s+(?:графика|диаграммы)|графиком|диаграммой)(?!\p{L})/iu,
];

/**
 * The chart that a question about data asks for besides, by its kind where one is named; nothing where
 * the result has no such chart: how numbers are spread is neither a line nor bars, and a histogram.
 */
export function wishOf(question: string, result: Result): { kind?: AskedKind } | undefined {
  const found = WISHES.map((wish) => wish.exec(question)).find(Boolean);
  const fits = found && chartOf(result);
  if (!fits) return undefined;
  const word = found[1]?.toLowerCase();
  if (word === undefined) return {};
  if (/^(?:hist|гист)/u.test(word)) return { kind: "histogram" };
  const kind = /^(?:line|лин)/u.test(word)
    ? "line"
    : /^(?:bar|col|столб)/u.test(word)
      ? "bar"
      : "pie";
  return fits.kind === "histogram" ? undefined : { kind };
}

/** What is to be drawn of a result in a chart of a kind; none where that does not go. */
export function choiceOf(result: Result, kind: AskedKind | undefined): ChartChoice | undefined {
  const fits = kind && chartOf(result);
  if (kind !== "pie") return fits && turned(fits, kind, result.columns);
  const bars = fits && turned(fits, "bar", result.columns);
  if (!bars) return undefined;
  const y = bars.y.slice(0, 1);
  const [name = ""] = y;
  const whole = !isCut(result) && addsUp(result.query, name) && bars.series === undefined;
  return { ...bars, y, pie: whole ? "shares" : "values" };
}

/** Whether some groups are left out by their number: what is shown is no whole then. */
function isCut({ query }: Result): boolean {
  if ("sql" in query) return /\b(?:limit|offset|fetch)\b/iu.test(String(query.sql));
  return [query, ...(query.steps ?? [])].some(({ limit }) => limit !== undefined);
}
