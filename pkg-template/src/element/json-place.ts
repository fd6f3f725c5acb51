// Where a text stops being JSON: browsers say it in English, each in its own words, and some not at all.

const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/uy;

/** A place in a text, counted from 1; `sign` is what stands there, nothing at the text's end. */
export interface JsonPlace {
  line: number;
  column: number;
  sign: string;
}

/** The first place at which a text cannot be JSON. */
export function jsonPlace(text: string): JsonPlace {
  let at = 0;
  const pass = (what: RegExp): boolean => {
    what.lastIndex = at;
    const found = what.exec(text)?.[0];
    at += found?.length ?? 0;
    return found !== undefined;
  };
  const take = (sign: string): boolean => {
    pass(SPACE);
    if (!text.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  const scalar = (): boolean => {
    pass(SPACE);
    return pass(SCALAR);
  };
  const name = (): boolean => {
    pass(SPACE);
    return text.startsWith('"', at) && scalar() && take(":");
  };
  const members = (end: string, one: () => boolean): boolean => {
    if (take(end)) return true;
    do if (!one()) return false;
    while (take(","));
    return take(end);
  };
  const value = (): boolean =>
    take("{") ? members("}", () => name() && value()) : take("[") ? members("]", value) : scalar();
  try {
    value();
    pass(SPACE);
  } catch {
    // Nested deeper than the stack: the place is as far as this came.
  }
  const lines = text.slice(0, at).split("\n");
  const [sign = ""] = text.slice(at);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, sign };
}
