// The sample data's answers, worked out without the engine: from the generator, by plain loops.
import { HEADER, sampleDays } from "../../www/sample.js";

const NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The file as text. */
export function sampleText(options) {
  return HEADER + [...sampleDays(options)].join("");
}

/** Daily gaps (open less the last close): `{day, weekday, gap}` each; the first day has none. */
export function gaps(options) {
  const found = [];
  let last;
  for (const text of sampleDays(options)) {
    const lines = text.trimEnd().split("\n");
    const [time, open] = lines[0].split(",");
    const day = time.slice(0, 10);
    const weekday = NAMES[new Date(`${day}T00:00:00Z`).getUTCDay()];
    if (last !== undefined) found.push({ day, weekday, gap: Number(open) - last });
    last = Number(lines.at(-1).split(",")[4]);
  }
  return found;
}

/** Mean and number of the gaps above a threshold, by weekday from Monday on. */
export function gapsByWeekday(above, options) {
  const all = gaps(options).filter(({ gap }) => gap > above);
  return NAMES.slice(1, 6).map((weekday) => {
    const of = all.filter((one) => one.weekday === weekday).map(({ gap }) => gap);
    return { weekday, count: of.length, mean: of.reduce((a, b) => a + b, 0) / of.length };
  });
}
