// The page's language, and its texts in it.

import { fill } from "./pinhole/element/all-texts.js";
import { RECALL_TEXTS } from "./recall-texts.js";
import { TEXTS } from "./texts.js";

const ALL = { ...TEXTS, ...RECALL_TEXTS };

const listeners = new Set();
let current = document.documentElement.lang === "ru" ? "ru" : "en";

/** The page's language. */
export function language() {
  return current;
}

/** Changes the page's language. */
export function setLanguage(name) {
  current = name === "ru" ? "ru" : "en";
  document.documentElement.lang = current;
  for (const listener of listeners) listener(current);
}

/** Calls `listener` when the language changes. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** A text of the page. */
export function t(key, values = {}) {
  const text = ALL[key]?.[current === "ru" ? 1 : 0] ?? key;
  const said = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? value.toLocaleString(current) : value,
  ]);
  return fill(text, Object.fromEntries(said));
}
