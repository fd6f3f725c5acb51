// The Query tab: the canonical query, editable, with everything that is wrong with it.

import { button, cellText, copyText, follow, frozen, h, number, rich, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language, t } from "./i18n.js";
import { inWords, toldAs } from "./pinhole/element/facts.js";
import { cameTo, editable, sqlHint, written } from "./pinhole/element/statement.js";

/**
 * Shows `query` in `panel` below the element `words`; `run(ask, signal)` runs an edited one, which
 * `ask(options)` asks the engine `ph` for, and gives its result; `show()` shows the rows of that.
 * @param {(ask: (options: object) => Promise<object>, signal: AbortSignal) => Promise<object>} run
 */
export function queryView(panel, query, { ph, run, show, words }) {
  const id = `${panel.id}-text`;
  const text = h("textarea", {
    id,
    testid: "query-text",
    spellcheck: false,
    value: editable(query),
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void go();
    },
  });
  const fit = () => {
    text.rows = Math.min(24, Math.max(6, text.value.split("\n").length + 1));
  };
  // The words are those of the query that ran: of another one they say nothing.
  let told = text.value;
  const changed = () => {
    fit();
    words.hidden = text.value !== told;
  };
  text.addEventListener("input", changed);
  changed();
  const hint = h("p", { class: "small quiet", testid: "query-sql" });
  follow(hint, () => hint.replaceChildren(...rich(sqlHint(language(), query))));
  const out = h("div", { testid: "query-outcome", role: "status" });
  const onward = h("div", { class: "onward" });
  let abort;
  const start = button("run", () => void go(), { class: "primary", testid: "query-run" });
  const stop = button("cancel", () => abort?.abort(), { testid: "query-cancel", hidden: true });
  const copy = button("copy", () => void copied(), { testid: "query-copy" });

  async function copied() {
    out.replaceChildren(h("p", { class: "quiet" }, tx(await copyText(text.value))));
  }

  async function go() {
    onward.replaceChildren();
    // what the run before came to is said of none that goes on
    out.replaceChildren();
    const what = written(language(), text.value);
    if (what.wrong) {
      const typed = text.value;
      const card = h("div");
      const fill = () => {
        const message = written(language(), typed).wrong;
        card.replaceChildren(errorCard({ code: "not_json", message }));
      };
      out.replaceChildren(follow(card, fill));
      return;
    }
    const edited = what.query;
    // A statement has no fields that a fix could stand in.
    const mending = edited
      ? { onFix: (d) => mend(edited, d), source: edited }
      : { source: what.sql };
    abort = new AbortController();
    // What is disabled loses the focus.
    const pressed = document.activeElement === start;
    start.disabled = true;
    stop.hidden = false;
    try {
      const problems = edited ? await ph.validate(edited) : [];
      if (problems.length > 0) {
        const failure = { code: "bad_query", message: "", diagnostics: problems };
        out.replaceChildren(frozen(errorCard(failure, mending)));
        return;
      }
      const result = await run(
        (options) =>
          edited ? ph.query(edited, options) : ph.sql(what.sql, what.params ?? [], options),
        abort.signal,
      );
      told = text.value = editable(result.query);
      changed();
      done(result);
    } catch (error) {
      out.replaceChildren(frozen(errorCard(error, mending)));
    } finally {
      start.disabled = false;
      const at = document.activeElement;
      if (pressed && (at === document.body || at === stop)) start.focus();
      stop.hidden = true;
    }
  }

  /** What ran and what it came to, and beside it the way to its rows. */
  function done(result) {
    const size = cameTo(language(), result, { count: number, cell: cellText });
    const between = result.kind === "scalar" ? " " : " · ";
    const told = [
      tx("query_ok", { text: inWords(language(), toldAs(language(), result)) }),
      between,
    ];
    out.replaceChildren(frozen(h("p", {}, told, h("b", { testid: "query-size" }, size))));
    onward.replaceChildren(button("query_show", show, { class: "small", testid: "query-show" }));
  }

  /** Puts a diagnostic's fix into the text. */
  function mend(edited, { pointer, span, fix }) {
    const path = pointer
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = path.pop();
    if (last === undefined) return;
    const parent = path.reduce((at, part) => at?.[part], edited);
    if (parent === null || typeof parent !== "object") return;
    const old = parent[last];
    parent[last] =
      span && typeof old === "string" ? old.slice(0, span[0]) + fix + old.slice(span[1]) : fix;
    text.value = editable(edited);
    changed();
    void go();
  }

  panel.replaceChildren(
    words,
    h("label", { htmlFor: id, class: "small quiet" }, tx("query_label")),
    text,
    hint,
    h("div", { class: "row" }, start, stop, copy),
    out,
    onward,
  );
}
