// How wide texts are in the picture: measured as the browser writes them, estimated where there is none.

let canvas: CanvasRenderingContext2D | null | undefined;

/** What a letter takes of the size of a text, where nothing can be measured. */
const LETTER = 0.58;
/** The same of letters outside of Latin, and of ideographs. */
const WIDE = 0.66;
const WIDEST = 1;

/** Pixels of a text in a font. */
export function widthOf(text: string, font: string, size = 12, weight = 400): number {
  canvas ??=
    typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
  if (!canvas) return estimated(text) * size;
  canvas.font = `${weight} ${size}px ${font || "sans-serif"}`;
  return canvas.measureText(text).width;
}

function estimated(text: string): number {
  let all = 0;
  for (const one of text) all += one < "\u0250" ? LETTER : one < "\u2e80" ? WIDE : WIDEST;
  return all;
}

/** The widest of texts. */
export function widestOf(texts: readonly string[], font: string, size = 12): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text, font, size)), 0);
}

/** A text in lines that have room; what is left after so many of them ends with dots. */
export function wrapped(
  text: string,
  room: number,
  most: number,
  { font, size, weight = 400 }: { font: string; size: number; weight?: number },
): string[] {
  const fits = (line: string): boolean => widthOf(line, font, size, weight) <= room;
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/\s+/u).flatMap(pieces)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && !fits(longer)) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? "";
  while (last.length > 1 && !fits(`${last}…`)) last = last.slice(0, -1).trimEnd();
  return [...lines.slice(0, most - 1), `${last}…`];

  /** A word that no line has room for, in parts. */
  function pieces(word: string): string[] {
    if (fits(word)) return [word];
    const found: string[] = [];
    let part = "";
    for (const one of word) {
      if (part !== "" && !fits(part + one)) {
        found.push(part);
        part = "";
      }
      part += one;
    }
    return [...found, part];
  }
}
