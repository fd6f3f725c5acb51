// The Data tab: the whole evidence, and the rows behind a group or a value.

import { cellText, follow, h, tx } from "./dom.js";
import { language, t } from "./i18n.js";
import { keyText } from "./pinhole/element/facts.js";
import { fileName } from "./pinhole/element/file-name.js";
import { headsOf, headText } from "./pinhole/element/heads.js";
import { exactOf, pages } from "./pages-view.js";

/**
 * Shows the rows of `shown` in `panel`, one of the `results` of the answer to `question`. `fact` is marked, and the
 * rows behind it are opened; `choose(result)` shows another result.
 */
export function dataView(panel, { ph, question, results, shown, fact, choose }) {
  const at = results.indexOf(shown);
  const named = (...parts) =>
    fileName(question, ...(at > 0 ? [`${at + 1}`] : []), ...parts) || shown.id;
  panel.replaceChildren(
    results.length > 1 ? chooser(results, shown, choose) : "",
    shown.kept ? h("p", { class: "quiet small", testid: "kept-rows" }, tx("kept_rows")) : "",
    ...(shown.table ? tableOf(ph, shown, fact, named) : valuesOf(ph, shown, fact, named)),
  );
}

function chooser(results, shown, choose) {
  return h(
    "div",
    {
      class: "row results",
      role: "group",
      testid: "results",
      "data-i18n-aria-label": "results",
      "aria-label": t("results"),
    },
    results.map((result) =>
      resultButton(result, { pressed: result === shown, onclick: () => choose(result) }),
    ),
  );
}

function resultButton(result, { pressed, onclick }) {
  return h(
    "button",
    { type: "button", class: "small", "aria-pressed": String(pressed), testid: "result", onclick },
    tx("result_of", { id: result.id, rows: result.rows }),
  );
}

/** A table or groups, and below them the rows behind the group that is chosen. */
function tableOf(ph, result, fact, named) {
  const columns = result.columns ?? [];
  const keys = columns.filter((column) => column.role === "key").map(({ name }) => name);
  const grouped = result.kind === "grouped" && keys.length > 0 && hasSource(result);
  const below = h("div");
  const open = (names, row) => {
    const key = Object.fromEntries(keys.map((name) => [name, row[names.indexOf(name)]]));
    const title = h("h3", { testid: "source-title" });
    follow(title, () => {
      const shown = keyText(language(), key, headsOf(language(), columns, result.query));
      title.textContent = t("source_of", { key: shown });
    });
    below.replaceChildren(
      title,
      pages({
        testid: "source",
        columns: [],
        known: knownOf(ph, result),
        query: result.query,
        read: (offset, limit) => result.source(key, { offset, limit }),
        name: named("rows"),
      }),
    );
    below.scrollIntoView({ block: "nearest" });
  };
  // What is said of all groups, as how many there are, stands on all their rows.
  if (grouped && fact && !Number.isInteger(fact.row)) below.append(...sourceOf(ph, result, named));
  return [
    grouped && result.rows > 0 ? h("p", { class: "quiet small group-hint" }, tx("group_hint")) : "",
    pages({
      testid: "data",
      columns,
      query: result.query,
      read: (offset, limit) => result.table.page(offset, limit),
      name: named(),
      awaited: result.rows,
      before: result.metadata?.rows_before_limit,
      // What was kept is read by its pages alone.
      whole: result.table.rows ? { ph, result } : undefined,
      nothing: nothingOf(result),
      open: grouped ? open : undefined,
      row: Number.isInteger(fact?.row) ? fact.row : undefined,
    }),
    below,
  ];
}

/** Why there are no rows. */
function nothingOf({ metadata }) {
  return metadata?.rows_scanned === 0 ? "no_rows_table" : "no_rows_hint";
}

/** A single value or a few, and the rows that were counted. */
function valuesOf(ph, result, fact, named) {
  const values = result.values ?? { [result.columns[0]?.name ?? t("value")]: result.value };
  const list = h("dl", { class: "values", testid: "values" });
  follow(list, () => {
    const heads = headsOf(language(), result.columns ?? [], result.query);
    list.replaceChildren(
      ...Object.entries(values).map(([name, value]) => {
        const head = heads.find((one) => one.name === name);
        const called = head ? [headText(head), head.unit].filter(Boolean).join(", ") : name;
        return h(
          "div",
          { "aria-current": fact?.column === name ? "true" : undefined },
          h("dt", called === name ? {} : { title: name }, called),
          h("dd", { title: exactOf(value, name) }, cellText(value, name)),
        );
      }),
    );
  });
  return [list, ...(hasSource(result) ? sourceOf(ph, result, named) : [])];
}

/** Whether the rows behind a result can be read: of statements and of what was kept they are not there. */
function hasSource(result) {
  return Boolean(result.source) && !("sql" in result.query);
}

function sourceOf(ph, result, named) {
  return [
    h("h3", {}, tx("source_all")),
    pages({
      testid: "source",
      columns: [],
      known: knownOf(ph, result),
      query: result.query,
      awaited: result.metadata?.rows_matched,
      nothing: nothingOf(result),
      read: (offset, limit) => result.source(null, { offset, limit }),
      name: named("rows"),
    }),
  ];
}

/** The columns that rows behind a result may have: a page of rows names them and says no kinds. */
function knownOf(ph, { metadata, columns }) {
  const table = ph.tables().find(({ name }) => name === metadata?.table);
  return [...(table?.columns ?? []), ...(columns ?? [])];
}
