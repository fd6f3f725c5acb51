// Sample data: minute bars of an index future that does not exist, made by a seeded generator.
// The same options give the same bytes in every engine: the arithmetic is restricted to what
// IEEE 754 fixes (no sin, exp, log). docs/sample-data.md describes the model.

/** The first row of the file. */
export const HEADER = "timestamp,open,high,low,close,volume\n";

/** What the default options give; shown while the data is made, and checked by a test. */
export const SAMPLE = Object.freeze({ name: "bars", rows: 1_076_400, bytes: 63_934_097 });

const MINUTES = 23 * 60; // of a session; the 24th hour is the daily break
const TICKS = 4; // quarter points
const FIRST_MONDAY = Date.UTC(2022, 0, 3);
const DAY = 86_400_000;
const FRACTION = [".00", ".25", ".50", ".75"];

/** Hours that the clock of a zone is ahead of the session's first minute. */
const ZONES = { frankfurt: 0, "new-york": -6 };

/** How lively each hour of the session is, from its start (18:00 in New York, 00:00 in Frankfurt). */
const SHAPE = [
  0.55, 0.6, 0.5, 0.4, 0.35, 0.3, 0.3, 0.35, 0.55, 0.75, 0.7, 0.6, 0.55, 0.65, 0.9, 1.6, 2.3, 1.7,
  1.2, 1.0, 1.1, 1.5, 1.9,
];

/** Standard deviation of the jump over the break before each weekday, in points at a price of 15,000. */
const BREAK = [95, 48, 55, 52, 61];

/** Mulberry32: small, quick, and exact integers only. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Near enough to a standard normal: four uniform numbers, scaled. */
function bell(next) {
  return (next() + next() + next() + next() - 2) * Math.sqrt(3);
}

function price(ticks) {
  return Math.trunc(ticks / TICKS) + FRACTION[ticks % TICKS];
}

const pad = (n) => (n < 10 ? `0${n}` : `${n}`);

/**
 * The rows of the file as text, one trading day at a time, without the header.
 * @param {{seed?: number, weeks?: number, zone?: "frankfurt" | "new-york"}} [options]
 */
export function* sampleDays({ seed = 11, weeks = 156, zone = "frankfurt" } = {}) {
  const shift = ZONES[zone];
  if (shift === undefined) throw new RangeError(`no zone \`${zone}\``);
  const next = random(seed);
  let last = 15_000 * TICKS;
  let mood = 1; // how lively the day is; wanders slowly between 0.6 and 1.8
  for (let day = 0; day < weeks * 5; day += 1) {
    const weekday = day % 5;
    const midnight = FIRST_MONDAY + (Math.floor(day / 5) * 7 + weekday) * DAY;
    mood = Math.min(1.8, Math.max(0.6, mood + 0.08 * (1.05 - mood) + 0.11 * bell(next)));
    const level = last / (15_000 * TICKS);
    // One jump in five is a large one: news over the break.
    const news = next() < 0.2 ? 2 : 0.8;
    let open = last + BREAK[weekday] * TICKS * level * mood * news * bell(next);
    const drift = 0.0042 * level * TICKS;
    const clock = dayClock(midnight, shift);
    let text = "";
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const lively = SHAPE[Math.trunc(minute / 60)] * mood;
      const scale = 3.1 * TICKS * level * lively;
      const first = Math.max(TICKS, Math.round(open));
      const move = scale * bell(next) + drift;
      const close = Math.max(TICKS, Math.round(first + move));
      const high = Math.max(first, close) + Math.trunc(next() * next() * scale * 1.5);
      const low = Math.min(first, close) - Math.trunc(next() * next() * scale * 1.5);
      const effort = 0.35 + next() + Math.abs(move) / scale;
      const volume = Math.trunc(90 * lively * lively * effort);
      last = close;
      open = close + (next() < 0.5 ? 0 : next() < 0.5 ? 1 : -1);
      text += `${clock(minute)},${price(first)},${price(high)},${price(Math.max(TICKS, low))},${price(close)},${volume}\n`;
    }
    yield text;
  }
}

/** Writes the timestamp of a minute of the session that starts at `midnight`, `shift` hours on. */
function dayClock(midnight, shift) {
  const dates = [midnight, midnight - DAY].map((ms) => new Date(ms).toISOString().slice(0, 10));
  return (minute) => {
    const at = minute + shift * 60;
    const inDay = at < 0 ? at + 1440 : at;
    return `${dates[at < 0 ? 1 : 0]} ${pad(Math.trunc(inDay / 60))}:${pad(inDay % 60)}:00`;
  };
}

/** How long the making may hold the thread up, in milliseconds. */
const SLICE = 12;

/**
 * The file as a stream of bytes, made as fast as it is read; the page keeps its turns in between.
 * @param {Parameters<typeof sampleDays>[0]} [options]
 * @returns {ReadableStream<Uint8Array>}
 */
export function sampleStream(options) {
  const days = sampleDays(options);
  const encoder = new TextEncoder();
  let since = performance.now();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(HEADER));
    },
    async pull(controller) {
      if (performance.now() - since > SLICE) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      const { done, value } = days.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
