// Columns that may tell of people, by what they and their table are called: the engine finds what looks
// like personal data and hides it, but a name may be of goods, and a salary of a town.

import { breakable, button, follow, h, tx } from "./dom.js";
import { t } from "./i18n.js";
import { asBefore, classOf, flagsOf } from "./policy.js";

/** What only people have. */
const OF_PEOPLE =
  /^(?:salar(?:y|ies)|wages?|payroll|birth\w*|dob|diagnos[ie]s|зарплат[аы]|зп|оклады?|рождени[ея]|диагноз)$/u;
/** What people have, and others. */
const OF_MANY =
  /^(?:names?|employees?|workers?|customers?|clients?|persons?|students?|members?|ages?|gender|sex|bonus(?:es)?|имена|возраст|пол|преми[яи])$/u;
/** What tables of people are called. */
const PEOPLE =
  /^(?:employees?|staff|personnel|people|persons?|customers?|clients?|patients?|students?|members?|users?|hr|сотрудник[аи]?|персонал|люди|кадры|клиенты|покупатели|пациенты|студенты|ученики|зарплат[аы])$/u;

/** The words of a name, in small letters. */
function wordsOf(name) {
  return name
    .replace(/([a-zа-яё])([A-ZА-ЯЁ])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

const has = (name, words) => wordsOf(name).some((word) => words.test(word));

/** The columns of a table that may be personal, of those that nothing is known of. */
export function maybePersonal(info) {
  const flagged = new Set(flagsOf(info).map(({ column }) => column));
  const names = info.columns.map(({ name }) => name).filter((name) => !flagged.has(name));
  const people = has(info.name, PEOPLE) || flagged.size > 0;
  const about = people || names.some((name) => has(name, OF_PEOPLE));
  return names.filter((name) => has(name, OF_PEOPLE) || (about && has(name, OF_MANY)));
}

/** How many columns of some tables may be personal, or look it, and are open to a model. */
export function openPersonal(tables) {
  const open = tables.map((info) => {
    const names = [...flagsOf(info).map(({ column }) => column), ...maybePersonal(info)];
    return names.filter((name) => classOf(info.name, name) === "open").length;
  });
  return open.reduce((sum, n) => sum + n, 0);
}

/**
 * Says which columns are protected as they were when their table was loaded before; nothing where none
 * are.
 */
export function rememberedNote(info) {
  if (asBefore(info.name).length === 0) return undefined;
  const note = h("div", { class: "as-before small", testid: "as-before" });
  return follow(note, () => {
    const now = asBefore(info.name);
    const lines = ["hidden", "aggregate"].map((name) => {
      const columns = now.filter((one) => one[1] === name).map(([column]) => column);
      if (columns.length === 0) return "";
      return h("p", {}, tx(`as_before_${name}`, { n: columns.length }), " ", codes(columns), ".");
    });
    note.replaceChildren(...lines);
    note.hidden = now.length === 0;
  });
}

/** Names of columns, one after the other. */
const codes = (names) =>
  names.flatMap((name, i) => [i > 0 ? ", " : "", h("code", {}, breakable(name))]);

/**
 * Says which columns may be personal as long as a model may see them, and leads to what it may see of
 * each: `choose(column, name)` sets a class, `review(column)` goes to that of a column. Nothing where
 * there are none.
 */
export function personalNote(info, { choose, review }) {
  const all = maybePersonal(info);
  if (all.length === 0) return undefined;
  let read = false;
  const note = h("div", { class: "maybe", role: "group", testid: "maybe-personal" });
  const done = () => {
    read = true;
    fill();
    document.querySelector("#question").focus({ preventScroll: true });
  };
  function fill() {
    const open = all.filter((column) => classOf(info.name, column) === "open");
    note.hidden = read || open.length === 0;
    if (note.hidden) return void note.replaceChildren();
    note.setAttribute("aria-label", t("flags"));
    const hide = async () => {
      for (const column of open) await choose(column, "hidden");
      document.querySelector("#question").focus({ preventScroll: true });
    };
    note.replaceChildren(
      h(
        "p",
        { testid: "maybe-text" },
        tx("maybe_personal", { n: open.length }),
        " ",
        codes(open),
        ". ",
        tx("maybe_open", { n: open.length }),
      ),
      h(
        "div",
        { class: "row" },
        button("maybe_review", () => review(open[0]), { class: "small", testid: "maybe-review" }),
        button(
          "maybe_hide",
          () => void hide(),
          { class: "small", testid: "maybe-hide" },
          { n: open.length },
        ),
        button("maybe_leave", done, { class: "small", testid: "maybe-leave" }),
      ),
    );
  }
  return follow(note, fill);
}
