// Names along the axes of charts and in their legends: even, and none of them cut without need.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

const PARTS = ["chart/calendar", "chart/look", "chart/measure", "chart/spec", "chart/ticks"];
const { outputFiles } = await build({
  stdin: {
    contents: [...PARTS, "table/format"]
      .map((one) => `export * from "./src/element/${one}.ts";`)
      .join("\n"),
    resolveDir: new URL("..", import.meta.url).pathname,
  },
  bundle: true,
  write: false,
  format: "esm",
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const chart = await import(`data:text/javascript;base64,${code}`);

const DAY = 86_400_000;
const day = (text) => Date.parse(`${text}T00:00:00Z`);
const days = (from, count) => Array.from({ length: count }, (_, i) => day(from) + i * DAY);
const firsts = (year, month, count) =>
  Array.from({ length: count }, (_, i) => Date.UTC(year, month + i, 1));
const named = (moments, room) =>
  chart.ticksOf(moments, room)?.values.map((at) => new Date(at).toISOString().slice(0, 10));

test("days along an axis of time are evenly named, over the end of a month too", () => {
  assert.deepEqual(named(days("2024-01-20", 20), 10), [
    "2024-01-20",
    "2024-01-22",
    "2024-01-24",
    "2024-01-26",
    "2024-01-28",
    "2024-01-30",
    "2024-02-01",
    "2024-02-03",
    "2024-02-05",
    "2024-02-07",
  ]);
  // Weeks begin on Mondays, before 1970 too.
  assert.deepEqual(named(days("2024-01-10", 45), 4), ["2024-01-15", "2024-01-29", "2024-02-12"]);
  assert.deepEqual(named(days("1969-12-20", 28), 5), [
    "1969-12-22",
    "1969-12-29",
    "1970-01-05",
    "1970-01-12",
  ]);
  assert.deepEqual(named(days("2024-05-05", 1), 9), ["2024-05-05"]);
  assert.equal(chart.ticksOf([], 9), undefined);
  // Of some hours Vega's own names are even.
  const hours = days("2024-05-05", 1).flatMap((at) => [at, at + 3.6e6, at + 9e6]);
  assert.equal(chart.ticksOf(hours, 9), undefined);
});

test("months and years along an axis of time are evenly named at every width", () => {
  const months = (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth();
  for (const moments of [
    firsts(2021, 2, 40),
    firsts(2024, 0, 10),
    days("2024-01-10", 300),
    firsts(1907, 4, 1300),
  ]) {
    for (let room = 2; room < 30; room += 1) {
      const { values } = chart.ticksOf(moments, room);
      assert.ok(values.length >= 2 && values.length <= room, `${values.length} of ${room}`);
      if (values[0] === moments[0] && values[1] === moments.at(-1)) continue;
      const steps = new Set(values.slice(1).map((at, i) => months(at) - months(values[i])));
      assert.equal(steps.size, 1, `${room}: ${[...steps].join()}`);
      assert.ok(values.every((at) => months(at) % [...steps][0] === 0));
    }
  }
  assert.deepEqual(named(firsts(2021, 2, 40), 4), ["2022-01-01", "2023-01-01", "2024-01-01"]);
  // As many months as are there, not as their number over the years would leave.
  const steps = chart.labelled(firsts(2021, 2, 40), 3, "month");
  assert.deepEqual(
    steps.map((at) => new Date(at).getUTCFullYear()),
    [2022, 2023, 2024],
  );
});

test("of names every second, third and so on is left, and months as quarters", () => {
  const letters = [..."abcdefg"];
  const every = (names, pixels) => chart.everyNth(names, pixels, () => 12);
  assert.deepEqual(every(letters, 7 * 20), letters);
  assert.deepEqual(every(letters, 7 * 20 - 1), [..."aceg"]);
  assert.deepEqual(every(letters, 0), ["a"]);
  assert.deepEqual(every([], 100), []);
  const year = Array.from({ length: 12 }, (_, i) => i);
  assert.deepEqual(every(year, 150), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(every(year, 50), [0, 6]);
  assert.deepEqual(every(year, 1), [0]);
  // A wide name among narrow ones takes only from the distance to those beside it.
  const width = (name) => name.length * 10;
  assert.deepEqual(chart.everyNth(["a", "b", "cccc", "d", "e"], 5 * 33, width).length, 5);
});

test("a legend has as many columns as its names leave room for", () => {
  const names = ["Супермаркет «Перекрёсток»", "Универсам «Пятёрочка»", "Вкусвилл", "Ашан", "Лента"];
  const columns = (width, all = names) => {
    const { legend } = chart.legendOf(all, { font: "", width });
    const longest = chart.widestOf(all, "");
    // One that is longer than the picture has no room anywhere.
    if (legend.columns > 1) assert.ok(legend.labelLimit >= longest, `${width}`);
    assert.ok((legend.labelLimit + 38) * legend.columns <= width, `${width}`);
    return legend.columns;
  };
  assert.equal(columns(360), 1);
  assert.equal(columns(560), 2);
  assert.equal(columns(1280), 5);
  assert.equal(columns(500, ["Rent", "Food", "Fuel", "Books", "Toys"]), 5);
  assert.equal(columns(360, ["a", "b"]), 2);
  // Cyrillic letters are wider than Latin ones.
  assert.ok(chart.widthOf("магазин", "") > chart.widthOf("magazin", ""));
  // Rows of the legend take nothing from the picture.
  const heights = [300, 560, 1280].map(
    (width) => chart.legendOf([...names, ...names], { font: "", width }).height,
  );
  assert.deepEqual(heights, [300 + 7 * 19, 300 + 2 * 19, 300]);
});

test("a text is wrapped at its words, and a word that no line has room for within", () => {
  const font = { font: "", size: 10 };
  assert.deepEqual(chart.wrapped("one two three", 45, 9, font), ["one two", "three"]);
  assert.deepEqual(chart.wrapped("abcdefgh i", 25, 9, font), ["abcd", "efgh", "i"]);
  assert.deepEqual(chart.wrapped("one two three four", 45, 2, font), ["one two", "three…"]);
  assert.deepEqual(chart.wrapped("", 45, 2, font), [""]);
});

test("of weeks those are named that cut a year into whole parts", () => {
  const day = 24 * 3600 * 1000;
  const two = [2023, 2024].flatMap((year) =>
    Array.from({ length: 52 }, (_, n) => Date.UTC(year, 0, 1) + n * 7 * day),
  );
  assert.deepEqual(chart.between(two[0], two.at(-1), "week"), two);
  const named = (room) =>
    chart.labelled(two, room, "week").map((at) => chart.stepText("en", at, "week"));
  const quarters = ["W1", "W14", "W27", "W40"];
  assert.deepEqual(
    named(10),
    [2023, 2024].flatMap((y) => quarters.map((w) => `${w} ${y}`)),
  );
  assert.deepEqual(named(2), ["W1 2023", "W1 2024"]);
  assert.equal(named(0).length, 1);
});
