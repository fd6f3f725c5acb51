// Fewer points for the same line: the lowest and the highest of each stretch, which are the ones
// that a line of so many points shows anyway. Every point that is left is a point of the line.

/** Which points are kept, in order; all of them where there are not too many. */
export function thinned(values: readonly (number | null)[], most: number): number[] {
  if (values.length <= most) return values.map((_, i) => i);
  const kept: number[] = [];
  // The first and the last are kept beside two for each stretch.
  const stretches = Math.max(1, Math.floor((most - 2) / 2));
  for (let i = 0; i < stretches; i += 1) {
    const from = Math.floor((i * values.length) / stretches);
    const to = Math.floor(((i + 1) * values.length) / stretches);
    kept.push(...extremes(values, from, to));
  }
  const last = values.length - 1;
  if (kept[0] !== 0) kept.unshift(0);
  if (kept.at(-1) !== last) kept.push(last);
  return kept;
}

/** The lowest and the highest, in their order; the first where there is no value: a gap. */
function extremes(values: readonly (number | null)[], from: number, to: number): number[] {
  let low: number | undefined;
  let high: number | undefined;
  for (let i = from; i < to; i += 1) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    if (low === undefined || value < (values[low] ?? Infinity)) low = i;
    if (high === undefined || value > (values[high] ?? -Infinity)) high = i;
  }
  if (low === undefined || high === undefined) return [from];
  return low === high ? [low] : low < high ? [low, high] : [high, low];
}
