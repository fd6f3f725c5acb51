// A table of rows, 100 at a time or in one grid: sorted by a press on a name, and saved whole.

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
import { language, t } from "./i18n.js";
import { headsOf, headText } from "./pinhole/element/heads.js";
import { writesCommas } from "./pinhole/element/save.js";
import { areDays, dayOf, hasCents, sure } from "./pinhole/element/facts.js";
import { IN_PAGE, sortRows, sorted } from "./pinhole/element/sort.js";
import { allRows } from "./rows-view.js";

const PAGE = 100;
const NUMERIC = /^(int|float|decimal)/;
/** What a download can be: the ending of its name, and what it is called. */
const FILES = { csv: "CSV", excel: undefined, json: "JSON", arrow: "Arrow" };

/** What a kind of file is called. */
const fileName = (kind) => FILES[kind] ?? t("csv_excel");

/**
 * A table that is read page by page; it begins where the row `mark` is, which is marked. `known` has the
 * kinds of columns that `columns` does not show. Where it is known how many rows are `awaited`, they have
 * their place before they come; `nothing` says why there are none. The rows of the result `whole` can be
 * put into one grid, and its engine sorts them. `query` is what made the columns, and `before` how many
 * rows there were before its limit.
 */
export function pages(of) {
  const { testid, columns, known = columns, read, name, awaited, whole, nothing, open } = of;
  const { query, before } = of;
  const mark = of.row;
  let offset = mark === undefined ? 0 : mark - (mark % PAGE);
  let total = awaited;
  let turn = 0;
  /** The order that the rows are being put in. */
  let wanted;
  /** The column and the direction that the rows are sorted by, and the rows in that order. */
  let order;
  let ordered;
  /** The rows as they were given, once a sort or a download has opened them. */
  let given;
  /** What takes time and can be cancelled. */
  let work;
  /** What the columns are called, and in which language. */
  let headed;
  /** The page of rows in sight, and the language that it is written in. */
  let filled;
  const head = h("tr");
  const body = h("tbody");
  const where = h("span", { class: "quiet", testid: `${testid}-range`, role: "status" });
  const problem = h("div");
  const working = h("div", { class: "row small quiet job", testid: `${testid}-work` });
  const previous = button("previous", () => go(offset - PAGE), { testid: `${testid}-previous` });
  const next = button("next", () => go(offset + PAGE), { testid: `${testid}-next` });
  const saves = Object.fromEntries(Object.keys(FILES).map((kind) => [kind, saveButton(kind)]));
  const saving = h(
    "div",
    { class: "row" },
    h("span", { class: "quiet small", "aria-hidden": "true" }, tx("download")),
    Object.values(saves),
  );
  const all = button("rows_all", () => void showAll(), { testid: `${testid}-all`, hidden: true });
  const table = h("table", { testid: `${testid}-table` }, h("thead", {}, head), body);

  /** What people call a column. */
  function called(column) {
    const about = heads().find((one) => one.name === column);
    return about ? headText(about) : column;
  }

  /** The columns as the page's language calls them. */
  function heads() {
    if (headed?.language !== language()) {
      headed = {
        language: language(),
        heads: [...headsOf(language(), columns, query), ...headsOf(language(), known, query)],
      };
    }
    return headed.heads;
  }

  function saveButton(kind) {
    const save = () => void during(told(kind, 0), (job) => write(kind, job));
    const made = h("button", { type: "button", testid: `${testid}-${kind}`, onclick: save });
    return follow(made, () => {
      made.textContent = fileName(kind);
      made.setAttribute("aria-label", t("download_as", { format: fileName(kind) }));
      if (kind !== "excel") return;
      made.title = t("csv_excel_hint");
      made.hidden = !writesCommas(language());
    });
  }

  /** Which rows are in sight, and how many there were before a limit. */
  function range() {
    const cut = before > total;
    if (cut && total <= PAGE) {
      return t("rows_shown", { shown: number(total), all: number(before) });
    }
    const said =
      total === 1
        ? t("place", { row: number(1), total: number(1) })
        : t("raw_of", {
            from: number(offset + 1),
            to: number(Math.min(offset + PAGE, total)),
            total: number(total),
          });
    return cut ? `${said} · ${t("rows_cut", { all: number(before) })}` : said;
  }

  function label() {
    if (filled && filled.language !== language()) fill(filled.page);
    where.textContent =
      total === undefined
        ? ""
        : total === 0
          ? [`${t("no_rows")}.`, nothing && t(nothing)].filter(Boolean).join(" ")
          : range();
    const none = total === 0;
    for (const one of [edge, saving]) one.hidden = none;
    pager.classList.toggle("empty", none);
    // Of one page none is turned.
    for (const one of [previous, next]) one.hidden = !(total > PAGE);
    previous.disabled = offset === 0;
    next.disabled = !(offset + PAGE < total);
    for (const one of Object.values(saves)) one.disabled = !total || work !== undefined;
    saves.arrow.hidden = !hasArrow();
    all.hidden = !whole || !total;
    all.replaceChildren(tx(total > PAGE ? "rows_all" : "rows_grid"));
    const hint = (one) => {
      const { column } = one.dataset;
      const words = t("sort_hint", { column: called(column) });
      one.title = called(column) === column ? words : `${words} · ${column}`;
    };
    head.querySelectorAll("button").forEach(hint);
  }

  async function showAll() {
    all.disabled = true;
    try {
      const key = total > PAGE ? "rows_paged" : "rows_plain";
      const grid = await allRows(whole, { key, name, order, back: showPages });
      view.replaceChildren(grid);
      grid.querySelector("button").focus({ preventScroll: true });
    } catch (error) {
      fail(error);
    }
    all.disabled = false;
  }

  function showPages(as) {
    view.replaceChildren(edge, pager, working, problem);
    // The language may be another one by now.
    translate(view);
    label();
    all.focus({ preventScroll: true });
    // They stand as they stood in the grid.
    if (as?.column !== order?.column || as?.direction !== order?.direction)
      sortIn(as?.column, as?.direction);
  }

  function fail(error) {
    problem.replaceChildren(frozen(errorCard(error)));
  }

  /** Does something that takes time, one after the other; the person may cancel it. */
  async function during(text, run) {
    work?.stop.abort();
    const stop = new AbortController();
    const words = h("span", { role: "status" }, text);
    const bar = h("progress", { max: 1, "aria-label": text });
    const show = (text, part) => {
      words.textContent = text;
      bar.setAttribute("aria-label", text);
      bar.value = part;
    };
    const mine = (work = { stop, signal: stop.signal, show });
    const end = () => {
      if (work !== mine) return;
      work = undefined;
      working.replaceChildren();
      label();
    };
    const cancelled = () => {
      stop.abort();
      // What it waits for may take a while yet.
      end();
    };
    const cancel = button("cancel", cancelled, { class: "small", testid: `${testid}-cancel` });
    working.replaceChildren(bar, words, cancel);
    problem.replaceChildren();
    label();
    try {
      await run(mine);
    } catch (error) {
      if (!stop.signal.aborted) fail(error);
    }
    end();
  }

  /** Whether the rows as they stand can be had as Arrow: the engine writes it. */
  function hasArrow() {
    return ordered ? ordered.source.arrow !== undefined : whole !== undefined;
  }

  async function openGiven() {
    const { openRows } = await import("./pinhole/element/rows.js");
    given ??= await openRows(whole?.result ?? { page: read, columns: known });
    return given;
  }

  function told(kind, done) {
    const values = { format: fileName(kind), done: number(done), total: number(total ?? 0) };
    return t("writing", values);
  }

  async function write(kind, { signal, show }) {
    const { MEDIA, endingOf, fileOf } = await import("./pinhole/element/save.js");
    const source = ordered?.source ?? (await openGiven());
    const file = await fileOf(
      source,
      kind,
      (done) => show(told(kind, done), done / source.total),
      signal,
      { locale: language(), heads: heads() },
    );
    download(`${name}${endingOf(kind)}`, MEDIA[kind], [file]);
  }

  function queryIn(column, direction) {
    const { result } = whole ?? {};
    return result?.metadata && sorted(result.query, column, direction);
  }

  function canSort(column, about) {
    if (!(total > 1) || about?.kind.startsWith("list")) return false;
    return total <= IN_PAGE || queryIn(column, "asc") !== undefined;
  }

  /** Sorts by a column: upwards, downwards, and as the rows were given. */
  function sort(column) {
    // a second press while the rows are still put in order is meant after the first
    const last = wanted ?? order;
    const now = last?.column === column ? last.direction : undefined;
    const direction = now === undefined ? "asc" : now === "asc" ? "desc" : undefined;
    const focus = () =>
      [...head.querySelectorAll("button")].find((one) => one.dataset.column === column)?.focus();
    sortIn(column, direction, focus);
  }

  function sortIn(column, direction, then = () => undefined) {
    const text = t("sorting", { column: called(column ?? order.column) });
    const mine = (wanted = { column, direction });
    void during(text, async (job) => {
      const made =
        direction &&
        (await inOrder(column, direction, job).finally(() => {
          if (wanted === mine) wanted = undefined;
        }));
      if (wanted === mine) wanted = undefined;
      if (job.signal.aborted) {
        void made?.drop();
        return;
      }
      void ordered?.drop();
      ordered = made;
      order = direction && { column, direction };
      await go(0);
      then();
    });
  }

  async function inOrder(column, direction, { signal }) {
    const { batches, inMemory, openRows } = await import("./pinhole/element/rows.js");
    const source = await openGiven();
    // The engine knows more of the order than the texts do: Monday comes before Friday.
    const query = queryIn(column, direction);
    if (query) {
      const made = await whole.ph.query(query, { signal });
      return {
        source: { ...(await openRows(made)), columns: source.columns },
        read: (offset, limit) => made.table.page(offset, limit),
        drop: () => made.release().catch(() => undefined),
      };
    }
    const rows = [];
    for await (const some of batches(source, signal)) rows.push(...some);
    const names = source.columns.map((one) => one.name);
    const at = names.indexOf(column);
    const put = inMemory(source.columns, sortRows(rows, at, source.columns[at], direction));
    const page = async (offset, limit) => ({
      columns: names,
      rows: await put.read(offset, limit),
      total: put.total,
    });
    return { source: put, read: page, drop: () => undefined };
  }

  async function go(to) {
    const mine = ++turn;
    try {
      const page = await (ordered?.read ?? read)(to, PAGE);
      if (mine !== turn) return;
      offset = to;
      total = page.total;
      fill(page);
      // Other rows are read from their beginning; to the right it stays where it is.
      place.scrollTop = 0;
      problem.replaceChildren();
    } catch (error) {
      fail(error);
      // What never came has no number and needs no place.
      if (!head.hasChildNodes()) total = undefined;
      place.style.removeProperty("--awaited");
    }
    label();
  }

  function fill(page) {
    const current = [...body.rows].findIndex((row) => row.hasAttribute("aria-current"));
    const again = filled?.page === page;
    filled = { page, language: language() };
    const shown = heads();
    const kinds = page.columns.map((column) => {
      const there = columns.some((one) => one.name === column);
      return there ? shown.find((one) => one.name === column) : undefined;
    });
    const names = page.columns.map((column) => shown.find((one) => one.name === column)?.names);
    const right = page.columns.map((_, i) =>
      kinds[i] ? NUMERIC.test(kinds[i].kind) : page.rows.every((row) => isNumber(row[i])),
    );
    const days = page.columns.map((column, i) => {
      const about = kinds[i] ?? known.find(({ name }) => name === column);
      return about?.kind === "timestamp" && areDays(page.rows.map((row) => row[i]));
    });
    const cents = page.columns.map((name, i) => {
      const { unit, kind } = kinds[i] ?? known.find((one) => one.name === name) ?? {};
      return (
        kind === "float" &&
        hasCents(
          { name, unit },
          page.rows.map((row) => row[i]),
        )
      );
    });
    head.replaceChildren(...page.columns.map((column, i) => headCell(column, kinds[i], right[i])));
    body.replaceChildren(
      ...page.rows.map((row, i) => {
        const cells = row.map((value, i) =>
          cell(value, page.columns[i], kinds[i], right[i], {
            names: names[i],
            day: days[i],
            cents: cents[i],
          }),
        );
        if (!open) {
          const marked = !order && offset + i === mark;
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
    // The same rows in another language.
    if (again && open && current >= 0) body.rows[current].setAttribute("aria-current", "true");
  }

  function headCell(column, about, right) {
    const words = [
      ...breakable(called(column)),
      about?.unit ? h("span", { class: "quiet" }, `, ${about.unit}`) : undefined,
    ];
    const can = canSort(column, about ?? known.find((one) => one.name === column));
    const direction = order?.column === column ? order.direction : undefined;
    return h(
      "th",
      {
        scope: "col",
        class: headClass(called(column), right),
        "aria-sort": direction && (direction === "asc" ? "ascending" : "descending"),
      },
      can
        ? h(
            "button",
            {
              type: "button",
              class: "sort",
              testid: `${testid}-sort`,
              "data-column": column,
              onclick: () => sort(column),
            },
            h("span", {}, words),
          )
        : words,
    );
  }

  const place = h("div", { class: "scroll rows", tabIndex: 0, role: "group" }, table);
  place.style.setProperty("--awaited", Math.min(PAGE, awaited ?? 0));
  const pager = h(
    "div",
    { class: "row between pager" },
    h("div", { class: "row" }, previous, next, where),
    h("div", { class: "row" }, all, saving),
  );
  const edge = scrolling(place);
  const view = h("div", {}, edge, pager, working, problem);
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

/** A cell; `names` are those of its values, and `day` says that its column has no time of day. */
function cell(value, column, about, right, { names, day, cents }) {
  if (value === null || value === undefined) {
    // A group of rows without a value has a name, too.
    const words = about?.role === "key" ? tx("missing") : "–";
    return h("td", { class: right ? "num none" : "none", title: t("null") }, words);
  }
  // The whole numbers of a key are names of something: nobody counts with them.
  const code = about?.role === "key" && !Array.isArray(value) && NUMERIC.test(about.kind);
  const shown = day ? dayOf(value) : value;
  const text = code && !names ? plain(sure(value)) : cellText(shown, column, names, cents);
  // Long texts wrap; dates, names and numbers stay on one line.
  const kind = right ? "num" : text.length > 32 ? "long" : isDated(text) ? "dated" : "";
  const title = day ? plain(value) : exactOf(value, column, names);
  // A long Russian word is broken as one on an English page, too.
  const lang = /[а-яё]{14}/iu.test(text) ? "ru" : undefined;
  return h("td", { class: kind, title, lang }, text);
}

/** Whether a text is a moment: no line breaks in it. */
const isDated = (text) => /^(\d{4}-\d\d(-\d\d.*)?|\d\d\.\d\d\.\d{4}.*)$/.test(text);

/** The value in full, where it is not what is shown. */
export function exactOf(value, column, names) {
  if (value === null || value === undefined) return undefined;
  const exact = plain(value);
  return cellText(value, column, names) === exact ? undefined : exact;
}
