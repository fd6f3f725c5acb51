// The Query tab: the canonical query, editable, with everything that is wrong with it.

import { button, follow, frozen, h, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { jsonPlace } from "./pinhole/element/json-place.js";

/**
 * Shows `query` in `panel` below the element `words`; `run(query, signal)` runs an edited one and
 * gives its result.
 * @param {(query: object, signal: AbortSignal) => Promise<{explanation: string}>} run
 */
export function queryView(panel, query, run, validate, words) {
  const id = `${panel.id}-text`;
  const text = h("textarea", {
    id,
    testid: "query-text",
    spellcheck: false,
    value: pretty(query),
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
  const out = h("div", { testid: "query-outcome", role: "status" });
  let abort;
  const start = button("run", () => void go(), { class: "primary", testid: "query-run" });
  const stop = button("cancel", () => abort?.abort(), { testid: "query-cancel", hidden: true });
  const copy = button("copy", () => void copied(), { testid: "query-copy" });

  async function copied() {
    const key = await navigator.clipboard.writeText(text.value).then(
      () => "copied",
      () => "copy_failed",
    );
    out.replaceChildren(h("p", { class: "quiet" }, tx(key)));
  }

  async function go() {
    let edited;
    try {
      edited = JSON.parse(text.value);
    } catch {
      const place = jsonPlace(text.value);
      const key = place.sign === "" ? "query_breaks_off" : "query_not_json";
      const card = h("div");
      const fill = () =>
        card.replaceChildren(errorCard({ code: "not_json", message: t(key, place) }));
      out.replaceChildren(follow(card, fill));
      return;
    }
    abort = new AbortController();
    // What is disabled loses the focus.
    const pressed = document.activeElement === start;
    start.disabled = true;
    stop.hidden = false;
    try {
      const problems = await validate(edited);
      if (problems.length > 0) {
        const failure = {
          code: "bad_query",
          message: "",
          diagnostics: problems,
        };
        out.replaceChildren(frozen(errorCard(failure, { onFix: (d) => mend(edited, d) })));
        return;
      }
      const result = await run(edited, abort.signal);
      told = text.value = pretty(result.query);
      changed();
      out.replaceChildren(
        frozen(h("div", {}, h("p", {}, tx("query_ok", { text: result.explanation })))),
      );
    } catch (error) {
      out.replaceChildren(frozen(errorCard(error, { onFix: (d) => mend(edited, d) })));
    } finally {
      start.disabled = false;
      const at = document.activeElement;
      if (pressed && (at === document.body || at === stop)) start.focus();
      stop.hidden = true;
    }
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
    text.value = pretty(edited);
    changed();
    void go();
  }

  panel.replaceChildren(
    words,
    h("label", { htmlFor: id, class: "small quiet" }, tx("query_label")),
    text,
    h("div", { class: "row" }, start, stop, copy),
    out,
  );
}

/** A field a line; lists and short objects stay on theirs. */
function pretty(query) {
  return JSON.stringify(query, null, 2);
}
