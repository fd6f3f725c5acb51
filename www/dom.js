// Building elements, and texts that follow the language.

import { language, onLanguage, t } from "./i18n.js";
import { momentText, cellText as written } from "./pinhole/element/facts.js";
import { valueName } from "./pinhole/element/heads.js";

/**
 * An element. `props` are properties, or attributes where the name has a dash or is not a property;
 * `on…` are listeners; `class` and `testid` are short for what they say.
 */
export function h(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key === "testid") element.dataset.testid = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

/** A text of the page that changes with the language. */
export function tx(key, values) {
  const element = h("span");
  element.dataset.i18n = key;
  if (values) element.dataset.i18nValues = JSON.stringify(values);
  element.textContent = t(key, values);
  return element;
}

/** Elements that {@link fillSlowly} makes at a time. */
const PIECE = 50;

const fills = new WeakMap();
const turns = new WeakMap();

/** An element that `fill` fills, now and whenever the language changes while it is in the page. */
export function follow(element, fill) {
  fills.set(element, fill);
  element.dataset.follows = "";
  fill();
  return element;
}

/** Fills again what {@link follow} keeps up to date. */
export function refollow() {
  for (const element of document.querySelectorAll("[data-follows]")) fills.get(element)?.();
}

/** Fills `parent` with an element for each of `items`, some at a time: long lists block nothing. */
export function fillSlowly(parent, items, make) {
  const turn = {};
  turns.set(parent, turn);
  parent.replaceChildren();
  let at = 0;
  const go = () => {
    if (turns.get(parent) !== turn) return;
    parent.append(...items.slice(at, at + PIECE).map(make));
    at += PIECE;
    if (at < items.length) setTimeout(go);
  };
  go();
}

/**
 * Keeps an element's texts in the language that they have now; of a failure only what was said of it,
 * while its title and its buttons are the page's.
 */
export function frozen(element) {
  if (element.dataset.testid === "error") {
    const said = element.querySelectorAll(
      "[data-testid='error-message'], [data-testid='error-detail']",
    );
    for (const one of said) one.lang = language();
    return element;
  }
  element.lang = language();
  for (const text of element.querySelectorAll("[data-i18n]")) delete text.dataset.i18n;
  return element;
}

/** Text with what stands in backticks as code. */
export function rich(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}

/** Puts all texts under `root` into the page's language. */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-i18n]")) {
    const { i18n, i18nValues } = element.dataset;
    element.textContent = t(i18n, i18nValues ? JSON.parse(i18nValues) : undefined);
  }
  for (const name of ["placeholder", "aria-label", "title"]) {
    for (const element of root.querySelectorAll(`[data-i18n-${name}]`)) {
      element.setAttribute(name, t(element.getAttribute(`data-i18n-${name}`)));
    }
  }
}

/** A button with a text of the page. */
export function button(key, onclick, props = {}, values = undefined) {
  return h("button", { type: "button", onclick, ...props }, tx(key, values));
}

/** Says something to people who listen to the page. */
export function announce(text) {
  document.querySelector("#live").textContent = text;
}

/**
 * Gives the focus to what has taken the place of an item that is gone: to the `n`th button of this name in
 * `list`, where there is none to the heading of its dialog.
 */
export function focusNext(list, name, n) {
  const next = list.querySelectorAll(`[data-testid="${name}"]`)[n];
  const heading = list.closest("dialog").querySelector("h2");
  if (!next) heading.tabIndex = -1;
  (next ?? heading).focus();
}

/** A number as people of the page's language write it. */
export function number(value, options) {
  return new Intl.NumberFormat(language(), options).format(value);
}

/** A moment in the page's language, as the browser's region writes it. */
export function moment(at) {
  return momentText(language(), at);
}

/** Numbers, and the texts of decimals with a fraction: whole numbers as texts are codes. */
export function isNumber(value) {
  if (value === null || typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "string" && /^-?\d+\.\d+$/.test(value);
}

/**
 * A value for reading, of a column of this name: as the package's own elements write it. `names` says
 * which part of the calendar it names, `cents` that its column has parts of money.
 */
export function cellText(value, column, names, cents) {
  const named = valueName(language(), names, value);
  if (named !== undefined) return named;
  return Array.isArray(value) ? plain(value) : written(language(), value, column, cents);
}

/** A value as text, with all its digits; a list as JSON. */
export function plain(value) {
  if (!Array.isArray(value)) return String(value);
  const members = value.map((one) => (typeof one === "string" ? JSON.stringify(one) : String(one)));
  return `[${members.join(",")}]`;
}

/** A size in bytes. */
export function bytes(value) {
  const units = language() === "ru" ? ["Б", "КБ", "МБ", "ГБ"] : ["B", "KB", "MB", "GB"];
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${number(value, { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

/** A name of a column that may go on in the next line after an underscore or a point. */
export function breakable(name) {
  return name.split(/(?<=[_.(])/).flatMap((part, i) => (i > 0 ? [h("wbr"), part] : [part]));
}

/** The class of a head of this name: a long one takes some lines, and not one for each of its words. */
export const headClass = (name, right) =>
  [right ? "num" : "", name.length > 12 ? "named" : ""].filter(Boolean).join(" ");

/** What scrolls, in a frame that shows where there is more of it. */
export function scrolling(element) {
  const frame = h("span", { class: "edges" }, element);
  watchEdges(element, frame);
  return frame;
}

/** Marks `frame` as long as `element` has more to scroll to on the right, or below. */
export function watchEdges(element, frame = element) {
  const look = () => {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
    frame.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
    frame.classList.toggle("more-below", scrollTop + clientHeight < scrollHeight - 1);
    frame.classList.toggle("scrolled", scrollLeft > 0);
  };
  element.addEventListener("scroll", look, { passive: true });
  const sizes = new ResizeObserver(look);
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  return look;
}

/** Gives a file to the person. */
export function download(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Puts a text on the clipboard, which a page without TLS has none of: the key of what to say of it. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "copy_failed";
  }
}

/**
 * Tabs by the book: arrow keys move, one panel shows. Each of `list` is `{id, key, testid, shown}`;
 * `shown(panel)` fills its panel whenever it is shown. Gives the element, `show(id)`, `panel(id)`, and
 * `offer(id, there)` for a tab that is there at times.
 */
export function tabs(prefix, labelKey, list) {
  const panels = new Map();
  const buttons = list.map(({ id, key, testid }) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${prefix}-tab-${id}`,
        "aria-controls": `${prefix}-panel-${id}`,
        testid,
        onclick: () => show(id),
        onkeydown: move,
      },
      tx(key),
    ),
  );
  for (const { id, testid } of list) {
    panels.set(
      id,
      h("div", {
        role: "tabpanel",
        id: `${prefix}-panel-${id}`,
        "aria-labelledby": `${prefix}-tab-${id}`,
        tabIndex: 0,
        class: "panel",
        testid: testid.replace("tab-", "panel-"),
      }),
    );
  }
  const bar = h(
    "div",
    { role: "tablist", class: "tabs", "data-i18n-aria-label": labelKey },
    buttons,
  );
  bar.setAttribute("aria-label", t(labelKey));
  const element = h("div", {}, bar, ...panels.values());

  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const there = buttons.filter(({ hidden }) => !hidden);
    const at = there.indexOf(event.currentTarget);
    const to = Number.isFinite(step)
      ? (at + step + there.length) % there.length
      : step < 0
        ? 0
        : there.length - 1;
    there[to].focus();
    show(list[buttons.indexOf(there[to])].id);
  }

  function show(id) {
    list.forEach((tab, i) => {
      const chosen = tab.id === id;
      buttons[i].setAttribute("aria-selected", String(chosen));
      buttons[i].tabIndex = chosen ? 0 : -1;
      panels.get(tab.id).hidden = !chosen;
      if (chosen) tab.shown?.(panels.get(id));
    });
  }

  function offer(id, there) {
    const at = list.findIndex((tab) => tab.id === id);
    buttons[at].hidden = !there;
    if (panels.get(id).hidden) return;
    show(there ? id : list[0].id);
  }

  return { element, show, offer, panel: (id) => panels.get(id) };
}

onLanguage(() => {
  translate();
  refollow();
});
