// The Data tab: the whole evidence, 100 rows at a time or in one grid, with the rows behind a group and a
// download.

import {
  breakable,
  button,
  cellText,
  download,
  follow,
  frozen,
  h,
  headClass,
  isNumber,
  number,
  plain,
  scrolling,
  translate,
  tx,
} from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { allRows } from "./rows-view.js";

const PAGE = 100;
const NUMERIC = /^(int|float|decimal)/;

/**
 * Shows the rows of `shown` in `panel`, one of the `results` of an answer. `fact` is marked, and the
 * rows behind it are opened; `choose(result)` shows another result.
 */
export function dataView(panel, { ph, results, shown, fact, choose }) {
  panel.replaceChildren(
    results.length > 1 ? chooser(results, shown, choose) : "",
    shown.kept ? h("p", { class: "quiet small", testid: "kept-rows" }, tx("kept_rows")) : "",
    ...(shown.table ? tableOf(ph, shown, fact) : valuesOf(shown, fact)),
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
function tableOf(ph, result, fact) {
  const columns = result.columns ?? [];
  const keys = columns.filter((column) => column.role === "key").map(({ name }) => name);
  const grouped = result.kind === "grouped" && keys.length > 0 && Boolean(result.source);
  const below = h("div");
  const open = (names, row) => {
    const key = Object.fromEntries(keys.map((name) => [name, row[names.indexOf(name)]]));
    const shown = keys.map((name) => `${name} = ${keyText(key[name])}`).join(", ");
    below.replaceChildren(
      h("h3", { testid: "source-title" }, tx("source_of", { key: shown })),
      pages({
        testid: "source",
        columns: [],
        read: (offset, limit) => result.source(key, { offset, limit }),
        name: `${result.id}-source`,
      }),
    );
    below.scrollIntoView({ block: "nearest" });
  };
  return [
    grouped ? h("p", { class: "quiet small group-hint" }, tx("group_hint")) : "",
    pages({
      testid: "data",
      columns,
      read: (offset, limit) => result.table.page(offset, limit),
      name: result.id,
      awaited: result.rows,
      // What was kept is read by its pages alone.
      whole: result.table.rows ? { ph, result } : undefined,
      nothing: result.metadata?.rows_scanned === 0 ? "no_rows_table" : "no_rows_hint",
      open: grouped ? open : undefined,
      row: Number.isInteger(fact?.row) ? fact.row : undefined,
    }),
    below,
  ];
}

/** A single value or a few, and the rows that were counted. */
function valuesOf(result, fact) {
  const values = result.values ?? { [result.columns[0]?.name ?? t("value")]: result.value };
  return [
    h(
      "dl",
      { class: "values", testid: "values" },
      Object.entries(values).map(([name, value]) =>
        h(
          "div",
          { "aria-current": fact?.column === name ? "true" : undefined },
          h("dt", {}, name),
          h("dd", { title: exactOf(value, name) }, cellText(value, name)),
        ),
      ),
    ),
    h("h3", {}, tx("source_all")),
    pages({
      testid: "source",
      columns: [],
      awaited: result.metadata?.rows_matched,
      read: (offset, limit) => result.source(null, { offset, limit }),
      name: `${result.id}-source`,
    }),
  ];
}

/**
 * A table that is read page by page; it begins where the row `mark` is, which is marked. Where it is
 * known how many rows are `awaited`, they have their place before they come; `nothing` says why there
 * are none. More rows than a page of the result `whole` can be put into one grid.
 */
function pages({ testid, columns, read, name, awaited, whole, nothing, open, row: mark }) {
  let offset = mark === undefined ? 0 : mark - (mark % PAGE);
  let total = awaited;
  let turn = 0;
  const head = h("tr");
  const body = h("tbody");
  const where = h("span", { class: "quiet", testid: `${testid}-range`, role: "status" });
  const problem = h("div");
  const previous = button("previous", () => go(offset - PAGE), { testid: `${testid}-previous` });
  const next = button("next", () => go(offset + PAGE), { testid: `${testid}-next` });
  const csv = button("csv", save, { testid: `${testid}-csv` });
  const all = button("rows_all", () => void showAll(), { testid: `${testid}-all`, hidden: true });
  const table = h("table", { testid: `${testid}-table` }, h("thead", {}, head), body);

  function label() {
    where.textContent =
      total === undefined
        ? ""
        : total === 0
          ? [`${t("no_rows")}.`, nothing && t(nothing)].filter(Boolean).join(" ")
          : total === 1
            ? t("place", { row: number(1), total: number(1) })
            : t("raw_of", {
                from: number(offset + 1),
                to: number(Math.min(offset + PAGE, total)),
                total: number(total),
              });
    const none = total === 0;
    for (const one of [edge, csv]) one.hidden = none;
    pager.classList.toggle("empty", none);
    // Of one page none is turned.
    for (const one of [previous, next]) one.hidden = !(total > PAGE);
    previous.disabled = offset === 0;
    next.disabled = !(offset + PAGE < total);
    csv.disabled = !total;
    all.hidden = !whole || !(total > PAGE);
  }

  async function showAll() {
    all.disabled = true;
    try {
      const grid = await allRows(whole, showPages);
      view.replaceChildren(grid);
      grid.querySelector("button").focus({ preventScroll: true });
    } catch (error) {
      problem.replaceChildren(frozen(errorCard(error)));
    }
    all.disabled = false;
  }

  function showPages() {
    view.replaceChildren(edge, pager, problem);
    // The language may be another one by now.
    translate(view);
    label();
    all.focus({ preventScroll: true });
  }

  async function go(to) {
    const mine = ++turn;
    try {
      const page = await read(to, PAGE);
      if (mine !== turn) return;
      offset = to;
      total = page.total;
      fill(page);
      problem.replaceChildren();
    } catch (error) {
      problem.replaceChildren(frozen(errorCard(error)));
      // What never came has no number and needs no place.
      if (!head.hasChildNodes()) total = undefined;
      place.style.removeProperty("--awaited");
    }
    label();
  }

  function fill(page) {
    const kinds = page.columns.map((column) => columns.find((c) => c.name === column));
    const right = page.columns.map((_, i) =>
      kinds[i] ? NUMERIC.test(kinds[i].kind) : page.rows.every((row) => isNumber(row[i])),
    );
    head.replaceChildren(
      ...page.columns.map((column, i) =>
        h(
          "th",
          { scope: "col", class: headClass(column, right[i]) },
          breakable(column),
          kinds[i]?.unit ? h("span", { class: "quiet" }, ` ${kinds[i].unit}`) : undefined,
        ),
      ),
    );
    body.replaceChildren(
      ...page.rows.map((row, i) => {
        const cells = row.map((value, i) => cell(value, page.columns[i], kinds[i], right[i]));
        if (!open) {
          const marked = offset + i === mark;
          return h("tr", marked ? { "aria-current": "true", tabIndex: -1 } : {}, cells);
        }
        const choose = () => {
          for (const other of body.children) other.removeAttribute("aria-current");
          element.setAttribute("aria-current", "true");
          open(page.columns, row);
        };
        const element = h(
          "tr",
          {
            class: "choice-row",
            tabIndex: 0,
            testid: "group-row",
            onclick: choose,
            onkeydown: (event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              choose();
            },
          },
          cells,
        );
        return element;
      }),
    );
  }

  async function save() {
    csv.disabled = true;
    try {
      const parts = [];
      for (let at = 0; at < total; at += 10_000) {
        const page = await read(at, 10_000);
        if (at === 0) parts.push(line(page.columns));
        parts.push(page.rows.map(line).join(""));
      }
      download(`${name}.csv`, "text/csv;charset=utf-8", parts);
    } catch (error) {
      problem.replaceChildren(frozen(errorCard(error)));
    }
    csv.disabled = false;
  }

  const place = h("div", { class: "scroll rows", tabIndex: 0, role: "group" }, table);
  place.style.setProperty("--awaited", Math.min(PAGE, awaited ?? 0));
  const pager = h(
    "div",
    { class: "row between pager" },
    h("div", { class: "row" }, previous, next, where),
    h("div", { class: "row" }, all, csv),
  );
  const edge = scrolling(place);
  const view = h("div", {}, edge, pager, problem);
  follow(where, label);
  const first = offset;
  void go(first).then(() => {
    const row = mark === undefined ? undefined : body.rows[mark - first];
    if (!row) return;
    if (open) row.click();
    row.scrollIntoView({ block: "nearest" });
    row.focus({ preventScroll: true });
  });
  return view;
}

function cell(value, column, about, right) {
  if (value === null || value === undefined) {
    return h("td", { class: right ? "num none" : "none", title: t("null") }, "–");
  }
  // The whole numbers of a key are names of something: nobody counts with them.
  const code = about?.role === "key" && !Array.isArray(value) && NUMERIC.test(about.kind);
  const text = code ? plain(value) : cellText(value, column);
  // Long texts wrap; dates, names and numbers stay on one line.
  const kind = right ? "num" : text.length > 32 ? "long" : "";
  return h("td", { class: kind, title: exactOf(value, column) }, text);
}

/** The value in full, where it is not what is shown. */
function exactOf(value, column) {
  if (value === null || value === undefined) return undefined;
  const exact = plain(value);
  return cellText(value, column) === exact ? undefined : exact;
}

function keyText(value) {
  return value === null || value === undefined ? "–" : plain(value);
}

/** One line of CSV; what a spreadsheet would take for a formula is left as it is: exact data. */
function line(values) {
  return `${values
    .map((value) => {
      const text = value === null || value === undefined ? "" : plain(value);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(",")}\n`;
}
