// The colours of series: the first five are five times as far apart as what is just told apart, any two
// three times, for people of any sight (in OKLab, of the colours as they are seen with protanopia,
// deuteranopia and tritanopia too), and each has a contrast of 3 to the ground.

const LIGHT = [
  "#d67b19",
  "#51138e",
  "#a876f2",
  "#642f09",
  "#68889f",
  "#834ba8",
  "#9d6300",
  "#193d4d",
  "#58437a",
  "#838383",
];
const DARK = [
  "#be5a0a",
  "#8059bb",
  "#f9e361",
  "#a795ff",
  "#f59740",
  "#c0e8fd",
  "#5f8c94",
  "#d6b4f0",
  "#be885b",
  "#ebebeb",
];
/** Nearer to the page's own colour, one of ours is left out. */
const NEAR = 0.1;

/** Colours for series: the page's own, and as many of ours as are wanted. */
export function seriesColours(accent: string, dark: boolean, count: number): string[] {
  const own = oklab(accent);
  const others = (dark ? DARK : LIGHT).filter((one) => {
    const colour = oklab(one);
    return !own || !colour || Math.hypot(...own.map((at, i) => at - (colour[i] ?? 0))) >= NEAR;
  });
  return [accent, ...others].slice(0, count);
}

/** `#rrggbb`, or `rgb(…)` as computed styles have it, in OKLab. */
function oklab(colour: string): [number, number, number] | undefined {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : colour.startsWith("rgb")
      ? (colour.match(/[\d.]+/g) ?? []).map(Number)
      : [];
  const linear = (part: number): number =>
    part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const [r, g, b] = parts.map(linear);
  if (r === undefined || g === undefined || b === undefined) return undefined;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
