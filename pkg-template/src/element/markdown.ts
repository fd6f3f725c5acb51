// A model's Markdown as safe elements. Fetched with the first such text. Markup in the text is
// shown as it is written; there are no images, forms or styles, and links lead to http(s) alone.

import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";
import { MARKERS, type Render } from "./marks.js";

const TAGS = [
  "a",
  "blockquote",
  "br",
  "code",
  "del",
  "em",
  "h3",
  "h4",
  "hr",
  "li",
  "ol",
  "p",
  "pre",
  "strong",
  "table",
  "tbody",
  "td",
  "th",
  "thead",
  "tr",
  "ul",
];

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** Addresses and titles, as they were written. */
let unseen = "";

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  walkTokens(token) {
    if (token.type !== "link" && token.type !== "image" && token.type !== "def") return;
    const { href, title } = token as Tokens.Link;
    unseen += `${href} ${title ?? ""}`;
    (token as Tokens.Link).href = href.replace(MARKERS, "");
    (token as Tokens.Link).title = null;
  },
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    // Headings of the answer stand below those of the panel.
    heading({ tokens, depth }) {
      const level = depth > 2 ? 4 : 3;
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/** The text as elements; the marks of claims stay in it as the characters that they are. */
export const markdown: Render = (text) => {
  unseen = "";
  const clean = DOMPurify.sanitize(marked.parse(text) as string, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of clean.querySelectorAll("a")) {
    if (!link.hasAttribute("href")) link.replaceWith(...link.childNodes);
    link.setAttribute("rel", "noopener noreferrer nofollow");
    link.setAttribute("target", "_blank");
  }
  return { nodes: clean, unseen };
};
