// Failures as cards: what is wrong, what would be valid, the fix at a press, and what to do.

import { shownHost } from "./addresses.js";
import { h, rich, tx } from "./dom.js";
import { language, t } from "./i18n.js";
import { statusHint } from "./pinhole/element/all-texts.js";
import { placeOf, placeText } from "./pinhole/element/sql-place.js";
import { settings } from "./settings.js";

/** What to do, where the message alone does not say it. */
const HINTS = {
  stream_broken: "hint_broken_off",
  endpoint_not_json: "hint_not_json",
  source_unreachable: "hint_file_unreachable",
  source_status: "hint_file_status",
  source_broken: "hint_file_unreachable",
  unsupported_format: "hint_file_kind",
  not_text: "hint_file_kind",
  not_a_table: "hint_file_kind",
  empty_input: "hint_file_kind",
  broken_file: "hint_file_broken",
  wasm_failed: "hint_engine",
  worker_failed: "hint_engine",
  engine_failed: "hint_engine",
  storage_full: "hint_room",
  recall_full: "hint_room",
  internal: "hint_internal",
  engine_restarted: "hint_restarted",
};

/**
 * A card about a failure. `onFix(diagnostic)` is offered where a diagnostic has a plain fix; `title` is
 * what has failed, where that is known; `source` the query or the statement that it is about.
 * @param {{code?: string, message: string, diagnostics?: object[]}} error
 */
export function errorCard(error, { onFix, actions = [], title = tx("error_title"), source } = {}) {
  // What a person wanted is no failure.
  if (error.code === "cancelled") {
    return h(
      "div",
      {
        class: "stopped",
        role: "status",
        testid: "error",
        "data-code": error.code,
      },
      h("p", {}, tx("cancelled")),
      actions,
    );
  }
  const diagnostics = error.diagnostics ?? [];
  // The message of a failed input repeats its diagnostics: show the list alone.
  const single = diagnostics.length === 0;
  return h(
    "div",
    { class: "error", role: "alert", testid: "error", "data-code": error.code },
    h("p", { class: "error-title" }, title),
    single ? h("p", { testid: "error-message" }, sentence(error.message)) : undefined,
    error.detail
      ? h(
          "p",
          { class: "small", testid: "error-detail" },
          tx("endpoint_said", { text: error.detail }),
        )
      : undefined,
    single ? undefined : diagnosticList(diagnostics, { onFix, source }),
    hint(error),
    actions.length > 0 ? h("div", { class: "row" }, actions) : undefined,
  );
}

function hint(error) {
  const codes = [error.code, ...(error.diagnostics ?? []).map(({ code }) => code)];
  const known = (one) => /^endpoint_(status|unreachable)$/.test(one) || one in HINTS;
  const code = codes.find(known);
  if (!code) return undefined;
  const url = endpointUrl();
  const { host, origin, protocol } = url;
  const values = { host: shownHost(url), origin: location.origin };
  const key =
    code === "endpoint_unreachable"
      ? unreachable(origin, protocol, host)
      : code === "endpoint_status"
        ? statusHint(error.message)
        : HINTS[code];
  return h("p", { class: "small", testid: "error-hint" }, tx(key, values));
}

function endpointUrl() {
  try {
    return new URL(settings().endpoint ?? "", location.href);
  } catch {
    return location;
  }
}

/** A browser tells nothing of a request that failed: what it may have been depends on where it went. */
function unreachable(origin, protocol, host) {
  const here = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host);
  if (location.protocol === "https:" && protocol === "http:" && !here) return "hint_mixed";
  return origin === location.origin ? "hint_unreachable" : "hint_cross_origin";
}

/** All problems of an input. */
export function diagnosticList(diagnostics, { onFix, source } = {}) {
  return h(
    "ul",
    { class: "diagnostics", testid: "diagnostics" },
    diagnostics.map((diagnostic) =>
      h(
        "li",
        { testid: "diagnostic", "data-code": diagnostic.code },
        diagnostic.pointer ? h("code", { class: "pointer" }, diagnostic.pointer) : undefined,
        diagnostic.pointer ? " " : undefined,
        h("span", { testid: "error-message" }, sentence(diagnostic.message)),
        source === undefined ? undefined : placeView(diagnostic, source),
        choices(diagnostic),
        diagnostic.fix && onFix
          ? h(
              "button",
              {
                type: "button",
                class: "small",
                testid: "fix",
                onclick: () => onFix(diagnostic),
              },
              tx("apply_fix", { fix: diagnostic.fix }),
            )
          : undefined,
        diagnostic.fix && !onFix ? h("code", { class: "fix" }, diagnostic.fix) : undefined,
      ),
    ),
  );
}

/** The line on which something is wrong, with what it is marked. */
function placeView(diagnostic, source) {
  const place = placeOf(diagnostic, source);
  if (!place) return undefined;
  const { before, wrong, after } = place;
  return h(
    "p",
    { class: "small place", testid: "error-place" },
    rich(placeText(language(), place)),
    " ",
    h("code", {}, before, h("mark", {}, wrong || "\u00a0"), after),
  );
}

function choices({ choices: list = [], fix }) {
  if (list.length === 0 || (fix && list.length === 1)) return undefined;
  return h(
    "p",
    { class: "small quiet" },
    tx("choices"),
    " ",
    list.slice(0, 8).map((choice) => h("code", { class: "choice" }, choice)),
    list.length > 8 ? "…" : undefined,
  );
}

/** Messages are lower case without a full stop, and quote input in backticks. */
function sentence(message) {
  const parts = String(message || t("error_title")).split("`");
  return h(
    "span",
    {},
    parts.map((part, i) =>
      i % 2 === 1
        ? h("code", {}, part)
        : i === 0
          ? part.charAt(0).toUpperCase() + part.slice(1)
          : part,
    ),
  );
}
