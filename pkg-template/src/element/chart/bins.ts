// Ranges of a histogram: round bounds, about twenty of them, and fewer of few values.

export interface Bin {
  from: number;
  /** Not included, but for the last. */
  to: number;
  count: number;
}

/** How many ranges there should be at most. */
const WANTED = 20;
const MOST = 40;

export function bins(values: readonly number[], whole: boolean): Bin[] {
  if (values.length === 0) return [];
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const wanted = Math.min(WANTED, Math.ceil(2 * Math.sqrt(values.length)));
  const step = stepOf(low, high, whole, wanted);
  const first = Math.floor(low / step);
  // Whole numbers stand in the middle of nothing: each range holds those from its start on.
  const count = Math.min(Math.max(1, Math.floor(high / step) - first + 1), MOST + 2);
  const edge = (i: number): number => tidy((first + i) * step);
  const made = Array.from({ length: count }, (_, i) => ({
    from: edge(i),
    to: edge(i + 1),
    count: 0,
  }));
  // A highest value on the last bound belongs to the range that ends there.
  const closed = !whole && count > 1 && made.at(-1)?.from === high;
  if (closed) made.pop();
  for (const value of values) {
    let at = Math.floor(value / step) - first;
    at = Math.max(0, Math.min(at, made.length - 1));
    // A division of floats may miss the bound by one.
    if (value < (made[at]?.from ?? -Infinity) && at > 0) at -= 1;
    else if (at < made.length - 1 && value >= (made[at]?.to ?? Infinity)) at += 1;
    const bin = made[at];
    if (bin) bin.count += 1;
  }
  return made;
}

/** A width of 1, 2 or 5 times a power of ten; whole for whole numbers. */
function stepOf(low: number, high: number, whole: boolean, wanted: number): number {
  const range = high - low;
  if (range === 0) return whole ? 1 : 10 ** Math.floor(Math.log10(Math.abs(low) || 1));
  const rough = range / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5, 10].find((n) => n * power >= rough) ?? 10;
  const step = nice * power;
  if (!Number.isFinite(step) || step === 0) return range;
  return whole ? Math.max(1, Math.round(step)) : step;
}

/** Without the last digits of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
