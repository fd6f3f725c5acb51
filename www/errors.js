// Failures as cards: what is wrong, what would be valid, and the fix at a press.

import { h, tx } from "./dom.js";
import { t } from "./i18n.js";

/**
 * A card about a failure. `onFix(diagnostic)` is offered where a diagnostic has a plain fix.
 * @param {{code?: string, message: string, diagnostics?: object[]}} error
 */
export function errorCard(error, { onFix, actions = [] } = {}) {
  const diagnostics = error.diagnostics ?? [];
  // The message of a failed input repeats its diagnostics: show the list alone.
  const single = diagnostics.length === 0;
  return h(
    "div",
    { class: "error", role: "alert", testid: "error", "data-code": error.code },
    h("p", { class: "error-title" }, tx(error.code === "cancelled" ? "cancelled" : "error_title")),
    single && error.code !== "cancelled"
      ? h("p", { testid: "error-message" }, sentence(error.message))
      : undefined,
    single ? undefined : diagnosticList(diagnostics, onFix),
    actions.length > 0 ? h("div", { class: "row" }, actions) : undefined,
  );
}

/** All problems of an input. */
export function diagnosticList(diagnostics, onFix) {
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
