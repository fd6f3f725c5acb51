// What is known of the loaded table.

import {
  breakable,
  button,
  bytes,
  fillSlowly,
  follow,
  h,
  number,
  rich,
  scrolling,
  tx,
} from "./dom.js";
import { language, t } from "./i18n.js";
import { areDays, dayOf, formatOf, unitText } from "./pinhole/element/facts.js";
import { oddCells } from "./odd-cells.js";
import { personalNote, rememberedNote } from "./personal.js";
import { classChoice, classCounts, flagList } from "./policy-view.js";
import { tableRows } from "./table-rows.js";

const INTERVALS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** Columns that need no scroller of their own on a phone. */
const FEW = 12;

/** A column of numbers that is text because of some of its cells. */
const ODD = "not_all_numbers";

const FORMATS = { csv: "CSV", json: "JSON", ndjson: "NDJSON", arrow: "Arrow", parquet: "Parquet" };

/**
 * A card about `info`; `remove` drops the table, `choose(column, name)` sets the class of a column,
 * `engine()` gives the engine that has its rows.
 */
export function tableCard(info, { remove, choose, engine }) {
  const facts = h("dl", { class: "facts" });
  const columns = h("tbody", { role: "rowgroup" });
  const notes = h("ul", { class: "notes" });
  const units = info.columns.some(({ unit }) => unit);
  const fill = () => {
    facts.replaceChildren(
      fact("rows", number(info.rows), "table-rows"),
      fact("columns", number(info.columns.length), "table-columns"),
      ...(info.range ? [fact("period", range(info.range), "table-range")] : []),
      ...(info.interval ? [fact("interval", interval(info.interval), "table-interval")] : []),
      ...(info.report ? [fact("file_format", written(info.report), "table-format")] : []),
      ...(info.bytes ? [fact("memory", bytes(info.bytes), "table-bytes")] : []),
    );
    notes.replaceChildren(
      ...(info.report?.notes ?? []).map((note) =>
        h("li", { "data-code": note.code }, rich(noteText(note)), placesOf(note)),
      ),
    );
  };
  const found = new Map();
  /** Which cells a note is about, once that is known. */
  function placesOf({ code, column }) {
    if (code !== ODD) return "";
    const place = h("p", { class: "small", testid: "note-cells" });
    if (!found.has(column))
      found.set(
        column,
        engine().then((ph) => oddCells(ph, info, column)),
      );
    found.get(column).then(
      ({ count, rows, looked }) => {
        const first = rows.map((row) => number(row)).join(", ");
        const of = looked < info.rows ? ` ${t("note_looked", { rows: number(looked) })}` : "";
        place.textContent = `${t("note_cells", { n: count, rows: first })}${count > rows.length ? "…" : "."}${of} ${t("note_do")}`;
        place.hidden = count === 0;
      },
      // What is known of the column stands there already.
      () => undefined,
    );
    return place;
  }
  follow(facts, fill);
  const details = h(
    "details",
    {
      testid: "table-details",
      // Only who opens it needs it: a table may have thousands of columns.
      ontoggle: fillColumns,
    },
    h("summary", {}, tx("show_columns"), classCounts(info)),
    scrolling(
      h(
        "div",
        {
          class: info.columns.length > FEW ? "scroll columns" : "scroll columns few",
          role: "group",
          tabIndex: 0,
          "data-i18n-aria-label": "show_columns",
          "aria-label": t("show_columns"),
        },
        // Its parts are named: on a phone they do not stand as a table's do.
        h(
          "table",
          { role: "table" },
          h(
            "thead",
            { role: "rowgroup" },
            h(
              "tr",
              { role: "row" },
              ["column", "kind", units ? "unit" : [], "for_model"]
                .flat()
                .map((key) => h("th", { scope: "col", role: "columnheader" }, tx(key))),
            ),
          ),
          columns,
        ),
      ),
    ),
  );
  /** Shows what a model may see of each column, and goes to the choice for one. */
  function review(column) {
    details.open = true;
    fillColumns();
    // Of many columns some come later.
    const choices = [...columns.querySelectorAll("select")];
    const choice = choices.find((one) => one.dataset.column === column) ?? choices[0];
    choice.scrollIntoView({ block: "center" });
    choice.focus({ preventScroll: true });
  }
  function fillColumns() {
    if (details.open && !columns.hasChildNodes()) {
      fillSlowly(columns, info.columns, (column) => columnRow(info, column, units, choose));
    }
  }
  const line = oneLine(info);
  const element = h(
    "section",
    {
      class: "card table-card",
      testid: "table-card",
      "data-table": info.name,
      "aria-label": info.name,
    },
    h(
      "div",
      { class: "row between" },
      h("h2", { testid: "table-name" }, info.name),
      line,
      button("remove", remove, { class: "plain", testid: "table-drop" }),
    ),
    facts,
    info.rows === 0
      ? h("p", { class: "warning", testid: "table-empty" }, tx("table_empty"))
      : undefined,
    flagList(info, choose),
    rememberedNote(info),
    personalNote(info, { choose, review }),
    info.rows > 0 ? tableRows(info, engine) : undefined,
    details,
    (info.report?.notes ?? []).length > 0
      ? h(
          "details",
          // What keeps a column from being computed with is not to be missed.
          {
            class: "load-notes",
            testid: "table-notes",
            open: info.report.notes.some(({ code }) => code === ODD),
          },
          h("summary", {}, tx("load_notes"), ` (${info.report.notes.length})`),
          notes,
        )
      : undefined,
  );
  const isOpen = () =>
    element.classList.contains("open") ||
    element.querySelector(":scope > details[open]:not(.load-notes)") !== null;
  const said = () => line.setAttribute("aria-expanded", String(isOpen()));
  line.addEventListener("click", () => {
    element.classList.toggle("open", !isOpen());
    if (!element.classList.contains("open"))
      for (const one of element.querySelectorAll(":scope > details[open]:not(.load-notes)"))
        one.open = false;
    said();
  });
  // That of a part is no bubble: it is heard on its way down.
  element.addEventListener("toggle", said, true);
  return element;
}

/** What is said of one of several tables in its line, which shows and hides the rest of its card. */
function oneLine(info) {
  const line = h("button", {
    type: "button",
    class: "plain line",
    testid: "table-line",
    "aria-expanded": "false",
  });
  const notes = info.report?.notes?.length ?? 0;
  return follow(line, () => {
    const size = t("size", { rows: number(info.rows), columns: number(info.columns.length) });
    line.textContent = notes > 0 ? `${size} · ${t("notes_count", { n: notes })}` : size;
    line.setAttribute("aria-label", `${info.name}: ${line.textContent}`);
  });
}

function unitCell({ unit = "" }) {
  const cell = h("td", { role: "cell", class: "unit" });
  return follow(cell, () => (cell.textContent = unitText(language(), unit)));
}

function columnRow(info, column, units, choose) {
  return h(
    "tr",
    { testid: "table-column", role: "row" },
    h(
      "td",
      { role: "cell" },
      column.label ? `${column.label} ` : "",
      h("code", {}, breakable(column.name)),
      role(info, column),
    ),
    h("td", { role: "cell" }, tx(`kind_${column.kind.split("(")[0]}`)),
    units ? unitCell(column) : undefined,
    h(
      "td",
      { role: "cell" },
      classChoice(info.name, column.name, (name) => choose(column.name, name)),
    ),
  );
}

function fact(key, value, testid) {
  return h("div", {}, h("dt", {}, tx(key)), h("dd", { testid }, value));
}

function role(info, column) {
  if (column.name === info.time) return h("span", { class: "tag" }, tx("time_column"));
  if (column.name === info.series) return h("span", { class: "tag" }, tx("series_column"));
  return undefined;
}

/** First and last moment, without a time of day where both have none. */
function range([from, to]) {
  const short = (moment) => formatOf(language()).date(String(moment));
  if (areDays([from, to])) return `${short(dayOf(from))} – ${short(dayOf(to))}`;
  return `${short(from)} – ${short(to)}`;
}

/** The format of the file, with what is unusual in how it was written. */
function written({ format, delimiter, encoding, compression }) {
  const usual = [undefined, null, ",", "\t"];
  const name = delimiter === "\t" ? "TSV" : (FORMATS[format] ?? format);
  const between = usual.includes(delimiter) ? "" : ` (${delimiter === " " ? "␣" : delimiter})`;
  const rest = [encoding === "utf-8" ? undefined : encoding, compression].filter(Boolean);
  return [name + between, ...rest].join(" · ");
}

/** How far rows are apart: in one unit where it has few of them, else in all it takes. */
function interval(seconds) {
  const say = (n, unit) => number(n, { style: "unit", unit, unitDisplay: "long" });
  const [size, unit] = INTERVALS.find(([size]) => seconds % size === 0) ?? [1, "second"];
  if (unit === "day" || seconds / size < 120) return say(seconds / size, unit);
  let rest = seconds;
  const parts = INTERVALS.map(([size, unit]) => {
    const n = size === 1 ? rest : Math.floor(rest / size);
    rest -= n * size;
    return n > 0 ? say(n, unit) : undefined;
  });
  return parts.filter(Boolean).join(" ");
}

function noteText(note) {
  // The engine names an option, which a page has no place for.
  if (note.code === ODD) return t("note_odd", { column: note.column });
  const text = note.message ?? note.text ?? note.code;
  return typeof text === "string" ? text : (text[language()] ?? note.code);
}
