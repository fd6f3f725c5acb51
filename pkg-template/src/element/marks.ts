// An answer's text as nodes, each checked statement in a `mark`. Claims are named by offsets into
// the text, which Markdown does not keep: their places travel through it as private characters.

import type { Claim, Locale } from "../types.js";
import { SIGNS, claimText, inWords, languageOf, markOf } from "./facts.js";
import { text as words } from "./texts.js";

const START = "\ue000";
const END = "\ue001";
/** The number of a claim, as one character. */
const FIRST = 0xe100;
/** Characters that stay on one line, with the sign after them. */
const SHORT = 24;
const MOST = 0x1800;

/** Everything that stands for a mark. */
export const MARKERS = /[\ue000-\uf8ff]/g;

/** Turns text into nodes. `unseen` are parts of the text that a reader never sees, as addresses. */
export type Render = (text: string) => { nodes: DocumentFragment; unseen: string };

/** Claims in the order of the text; one that begins within another, or outside the text, is none. */
function inOrder(text: string, claims: Claim[]): Claim[] {
  const sorted: Claim[] = [];
  let at = 0;
  for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
    if (claim.start < at || claim.end > text.length || claim.end <= claim.start) continue;
    sorted.push(claim);
    at = claim.end;
  }
  return sorted.slice(0, MOST);
}

/**
 * The text with its marks, the claims by the number of their mark, and those of them that are in
 * sight: an address that a link hides may have some too.
 */
export function markedNodes(
  locale: Locale,
  text: string,
  claims: Claim[],
  render: Render,
): { nodes: DocumentFragment; shown: Claim[]; seen: Claim[] } {
  const shown = inOrder(text, claims);
  // One character for another: offsets stay.
  const own = text.replace(MARKERS, "\ufffd");
  let marked = "";
  let at = 0;
  for (const [i, { start, end }] of shown.entries()) {
    marked += `${own.slice(at, start)}${START}${String.fromCharCode(FIRST + i)}${own.slice(start, end)}${END}`;
    at = end;
  }
  marked += own.slice(at);
  const rendered = render(marked);
  let { nodes } = rendered;
  // A claim that is nowhere was lost on the way: the text is shown as it was written.
  const there = new Set([...numbersIn(nodes.textContent), ...numbersIn(rendered.unseen)]);
  if (there.size < shown.length) ({ nodes } = plain(marked));
  const seen = wrap(locale, nodes, shown, render === plain);
  return { nodes, shown, seen: shown.filter((_, i) => seen.has(i)) };
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\ue000(.)/g)].map(([, one = ""]) => one.charCodeAt(0));
}

/** Text as it is written, but for what stands in backticks. */
export function plain(text: string): ReturnType<Render> {
  const nodes = document.createDocumentFragment();
  const parts = text.split("`");
  for (const [i, part] of parts.entries()) {
    const code = i % 2 === 1 && parts.length % 2 === 1;
    if (!code) nodes.append(i > 0 && parts.length % 2 === 0 ? `\`${part}` : part);
    else {
      const element = document.createElement("code");
      element.textContent = part;
      nodes.append(element);
    }
  }
  return { nodes, unseen: "" };
}

/** Puts marks in place of their characters; the numbers of those that are there. `own` words are no model's. */
function wrap(locale: Locale, nodes: DocumentFragment, claims: Claim[], own: boolean): Set<number> {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const written = languageOf(texts.map(({ data }) => data).join(""));
  let open: number | undefined;
  const seen = new Set<number>();
  for (const node of texts) {
    const pieces: Node[] = [];
    const code = node.parentElement?.localName === "code";
    for (const piece of node.data.split(/(\ue000[\ue100-\uf8ff]|\ue001)/)) {
      if (piece.startsWith(START)) open = piece.charCodeAt(1) - FIRST;
      else if (piece === END) open = undefined;
      else if (piece !== "") {
        const claim = open === undefined ? undefined : claims[open];
        pieces.push(
          claim && open !== undefined
            ? mark(locale, claimText(written, piece, claim), claim, open, !seen.has(open))
            : document.createTextNode(own && !code ? inWords(written, piece) : piece),
        );
        if (open !== undefined) seen.add(open);
      }
    }
    node.replaceWith(...pieces);
  }
  return seen;
}

/** A statement that is cut in two by the markup has two marks, the first of which takes the focus. */
function mark(
  locale: Locale,
  piece: string,
  claim: Claim,
  number: number,
  first: boolean,
): HTMLElement {
  const verdict = markOf(claim);
  const element = document.createElement("mark");
  element.className = `claim ${verdict}${claim.text.length <= SHORT ? " short" : ""}`;
  element.setAttribute("part", `claim claim-${verdict}`);
  element.dataset["claim"] = String(number);
  element.dataset["verdict"] = verdict;
  element.dataset["testid"] = "claim";
  element.append(piece);
  if (!first) return element;
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  element.setAttribute("aria-expanded", "false");
  element.setAttribute("aria-describedby", `about-${number}`);
  const sign = document.createElement("span");
  sign.className = "sign";
  sign.title = words(locale, `verdict_${verdict}`);
  sign.setAttribute("aria-hidden", "true");
  sign.append(SIGNS[verdict]);
  element.append(sign);
  return element;
}
