// A model's Markdown as safe elements. Fetched with the first such text. Markup in the text is
// shown as it is written; there are no images, forms or styles, and links lead to http(s) alone and
// show their whole address.

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
    (token as Tokens.Link).title = null;
  },
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    // An address that holds a number of the data would tell it to its host: it is a text.
    link({ href, text, tokens }) {
      if (href.search(MARKERS) < 0) return false;
      const shown = this.parser.parseInline(tokens);
      return text === href ? shown : `${shown} (${escaped(href)})`;
    },
    // Headings of the answer stand below those of the panel.
    heading({ tokens, depth }) {
      const level = depth > 2 ? 4 : 3;
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/** The whole address after a link, in its own direction whatever the words before it do. */
function address(href: string): HTMLElement {
  const element = document.createElement("code");
  element.dir = "ltr";
  element.className = "quiet small";
  element.textContent = `(${href})`;
  return element;
}

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
    // Where it leads is read before it is followed: words alone would hide what it carries.
    if (link.textContent !== link.href) link.after(" ", address(link.href));
    link.setAttribute("rel", "noopener noreferrer nofollow");
    link.setAttribute("target", "_blank");
  }
  return { nodes: clean, unseen };
};
