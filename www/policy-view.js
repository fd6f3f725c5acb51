// The policy in sight: the level with what it lets through, the class of each column, and what looks
// like personal data.

import { breakable, button, fillSlowly, follow, frozen, h, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { CLASSES, LEVELS, classOf, flagsOf, levelNow, setClass, setLevel } from "./policy.js";

/** What a model may receive, to be read and changed. `tables` are the loaded ones. */
export function policyView(panel, ph, tables) {
  const problem = h("div", { role: "alert" });
  const failed = (error) => problem.replaceChildren(frozen(errorCard(error)));
  panel.replaceChildren(
    h("p", { class: "quiet" }, tx("disclosure_text")),
    levels(ph, failed),
    problem,
    h("h3", {}, tx("columns_for_model")),
    ...(tables.length === 0
      ? [h("p", { class: "quiet", testid: "policy-no-tables" }, tx("no_tables"))]
      : tables.map((info) =>
          h(
            "section",
            { class: "policy-table", testid: "policy-table", "data-table": info.name },
            h("h4", {}, h("code", {}, info.name)),
            flagList(info, (column, name) => setClass(ph, info.name, column, name).catch(failed)),
            columnList(info, (column, name) => setClass(ph, info.name, column, name).catch(failed)),
          ),
        )),
  );
}

function columnList(info, choose) {
  const list = h("ul", { class: "policy-columns" });
  fillSlowly(list, info.columns, ({ name }) =>
    h(
      "li",
      {},
      h("code", {}, breakable(name)),
      classChoice(info.name, name, (to) => choose(name, to)),
    ),
  );
  return list;
}

function levels(ph, failed) {
  return h(
    "fieldset",
    { class: "levels", testid: "policy-levels" },
    h("legend", {}, tx("level")),
    LEVELS.map((name) => {
      const id = `level-${name}`;
      const input = h("input", {
        type: "radio",
        name: "level",
        id,
        value: name,
        testid: id,
        "aria-describedby": `${id}-text`,
        onchange: () => void setLevel(ph, name).catch(failed),
      });
      return h(
        "div",
        { class: "level" },
        follow(input, () => (input.checked = levelNow() === name)),
        h("label", { htmlFor: id, class: "strong" }, tx(`level_${name}`)),
        h("p", { class: "small quiet", id: `${id}-text` }, tx(`level_${name}_text`)),
      );
    }),
  );
}

/** A choice among the classes of a column. */
export function classChoice(table, column, choose) {
  const select = h(
    "select",
    {
      testid: "column-class",
      "data-column": column,
      onchange: () => void choose(select.value),
    },
    CLASSES.map((name) => h("option", { value: name }, tx(`class_${name}_text`))),
  );
  return follow(select, () => {
    select.setAttribute("aria-label", t("class_of", { column }));
    for (const option of select.options) option.textContent = t(`class_${option.value}_text`);
    select.value = classOf(table, column);
  });
}

/** How many columns of a table a model may not see whole: "2 hidden, 1 in aggregates only". */
export function classCounts(info) {
  const counts = h("span", { class: "quiet", testid: "table-classes" });
  return follow(counts, () => {
    const protect = protectedIn([info], "count");
    counts.textContent = ` · ${protect === "" ? t("class_all_open") : protect}`;
  });
}

/** The level, and how many columns of all tables are protected: what the page's header says. */
export function policyInShort(tables) {
  const level = t("policy", { level: t(`level_${levelNow()}`) });
  return [level, protectedIn(tables, "short")].filter(Boolean).join(" · ");
}

/** How many columns of some tables are protected, by class; nothing where all are open. */
function protectedIn(tables, form) {
  const classes = tables.flatMap((info) =>
    info.columns.map(({ name }) => classOf(info.name, name)),
  );
  const said = ["hidden", "aggregate"].map((name) => {
    const n = classes.filter((one) => one === name).length;
    return n === 0 ? undefined : t(`class_${name}_${form}`, { n: number(n) });
  });
  return said.filter(Boolean).join(", ");
}

/** What of a table looks like personal data, each with a way to open it; nothing for no flags. */
export function flagList(info, choose) {
  const flags = flagsOf(info);
  if (flags.length === 0) return undefined;
  const list = h("ul", { class: "flags", testid: "flags" });
  return follow(list, () => {
    list.setAttribute("aria-label", t("flags"));
    const focused = document.activeElement?.closest("[data-testid=flag]");
    const column = focused && list.contains(focused) ? focused.dataset.column : undefined;
    list.replaceChildren(...flags.map((flag) => flagItem(info.name, flag, choose)));
    if (column === undefined) return;
    const again = [...list.children].find((item) => item.dataset.column === column);
    again?.querySelector("button").focus();
  });
}

function flagItem(table, { column, kind, by }, choose) {
  const now = classOf(table, column);
  const hidden = now === "hidden";
  return h(
    "li",
    { testid: "flag", "data-column": column, "data-kind": kind, "data-class": now },
    h(
      "span",
      { testid: "flag-text" },
      h("code", {}, breakable(column)),
      ` ${t(`flag_${now}`, { kind: t(`flag_${kind}`), by: t(`by_${by}`) })}`,
    ),
    button(
      hidden ? "open_column" : "hide_column",
      () => void choose(column, hidden ? "open" : "hidden"),
      { class: "small", testid: hidden ? "flag-open" : "flag-hide" },
    ),
  );
}
