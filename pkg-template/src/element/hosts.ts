// Hosts as people read them: Cyrillic instead of its codes, where nobody could take it for something
// else.

/** Letters of one label, and some that are not drawn as Latin ones are. */
const CYRILLIC = /^[а-яёіїєґў\d-]+$/u;
const OWN = /[бгджзийлпфцчшщъыьэюяёїєґ]/u;

/** The host of an address with its port. */
export function shownHost({ host }: { host: string }): string {
  return host.replace(/(^|\.)xn--([a-z\d-]+)/gu, (whole: string, before: string, code: string) => {
    const label = fromPunycode(code);
    // Letters of several alphabets, or such as look Latin, could stand for another host.
    return label && CYRILLIC.test(label) && OWN.test(label) ? before + label : whole;
  });
}

/** A label of a host as RFC 3492 writes it, without `xn--`; nothing where it is none. */
function fromPunycode(code: string): string | undefined {
  const cut = code.lastIndexOf("-");
  const points: number[] =
    cut > 0 ? Array.from(code.slice(0, cut), (one) => one.charCodeAt(0)) : [];
  let n = 128;
  let at = 0;
  let bias = 72;
  let place = cut + 1;
  while (place < code.length) {
    const from = at;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(code[place] ?? "?");
      place += 1;
      if (digit < 0) return undefined;
      at += digit * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const size = points.length + 1;
    bias = adapted(at - from, size, from === 0);
    n += Math.floor(at / size);
    at %= size;
    if (n > 0x10ffff) return undefined;
    points.splice(at, 0, n);
    at += 1;
  }
  return String.fromCodePoint(...points);
}

function adapted(delta: number, size: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / size);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
