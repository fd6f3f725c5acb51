// One question with its answer: a card that fills while events come in.

import { claimList, markedText } from "./claims.js";
import { dataView } from "./data-view.js";
import { announce, button, h, number, tabs, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { ledgerView } from "./ledger-view.js";
import { queryView } from "./query-view.js";

let count = 0;

/**
 * Asks `question` and shows what comes.
 * @param {{ph: object, chat: object, level: string, source: Function, askPlanner?: Function}} around
 * @returns {{element: HTMLElement, done: Promise<void>}}
 */
export function answerCard(question, around) {
  const { ph, chat, level } = around;
  const prefix = `answer-${++count}`;
  const abort = new AbortController();
  const entries = [];
  let result;

  const heading = h("h2", { testid: "answer-question" }, question);
  const title = h("p", { class: "quiet small", testid: "answer-title" });
  const stop = button("cancel", () => abort.abort(), { testid: "answer-cancel" });
  const views = tabs(prefix, "answer_views", [
    { id: "answer", key: "tab_answer", testid: "tab-answer" },
    { id: "query", key: "tab_query", testid: "tab-query" },
    { id: "data", key: "tab_data", testid: "tab-data", shown: showData },
    { id: "sent", key: "tab_sent", testid: "tab-sent", shown: showSent },
  ]);
  const element = h(
    "article",
    { class: "card answer", testid: "answer", "aria-busy": "true" },
    h("div", { class: "row between top" }, h("div", {}, heading, title), stop),
    views.element,
  );

  const meaning = h("p", { class: "meaning", testid: "interpretation" });
  const body = h("div", { class: "answer-body" }, h("p", { class: "working" }, tx("thinking")));
  const warnings = h("div");
  const after = h("div");
  const by = h("p", { class: "quiet small", testid: "answered-by" }, around.source());
  views.panel("answer").append(meaning, body, warnings, after, by);
  views.panel("query").append(h("p", { class: "quiet" }, tx("no_query")));
  views.panel("data").append(h("p", { class: "quiet" }, tx("no_data")));
  views.show("answer");

  function showData(panel) {
    if (!result || panel.dataset.result === result.id) return;
    panel.dataset.result = result.id;
    dataView(panel, result);
  }

  function showSent(panel) {
    ledgerView(panel, entries, ph, { level });
  }

  function take(next, note) {
    result = next;
    element.dataset.result = next.id;
    meaning.replaceChildren(...interpretation(next));
    warnings.replaceChildren(...warningList(next.warnings ?? []));
    // A query that was edited stays in its view, which says how it went.
    if (note !== "edited") {
      queryView(views.panel("query"), next.query, runEdited, (query) => ph.validate(query));
    }
    if (note) {
      body.replaceChildren(
        h("p", { class: "quiet small" }, tx(note)),
        h("pre", { testid: "model-text" }, next.modelText),
      );
      after.replaceChildren();
    }
  }

  async function runEdited(query, signal) {
    const next = await ph.query(query, { signal });
    take(next, "edited");
    title.replaceChildren();
    return next;
  }

  function fail(error) {
    const unreachable = /^(endpoint|stream)_/.test(error.code ?? "");
    const actions =
      unreachable && around.askPlanner
        ? [button("ask_planner", () => around.askPlanner(question), { testid: "ask-planner" })]
        : [];
    body.replaceChildren(errorCard(error, { actions }));
    element.dataset.state = "error";
  }

  const drawing = draftView(body);
  const handlers = {
    text: ({ delta }) => drawing.add(delta),
    // What was said before a tool is called is a remark and no part of the answer.
    tool_call: () => drawing.clear(),
    draft: ({ status }) => {
      if (status === "rejected") drawing.reject();
    },
    title: (event) => title.replaceChildren(event.title ?? event.text ?? ""),
    data_block: async (event) => {
      const next = await ph.result(event.result_id);
      if (next) take(next);
    },
    readings: ({ readings }) => {
      after.replaceChildren(readingList(readings, choose));
    },
    ledger: ({ entry }) => entries.push(entry),
    done: (event) => {
      const text = event.answer ?? drawing.text();
      body.replaceChildren(markedText(text, event.claims ?? []));
      if (!after.hasChildNodes()) after.append(claimList(event.claims ?? []));
      element.dataset.state = "done";
      element.dataset.verdict = event.verdict ?? "";
      announce(text);
    },
    error: fail,
  };

  async function choose(reading) {
    try {
      take(await ph.query(reading.query), undefined);
      body.replaceChildren(h("pre", { testid: "model-text" }, result.modelText));
    } catch (error) {
      fail(error);
    }
  }

  const done = (async () => {
    try {
      for await (const event of chat.ask(question, { signal: abort.signal })) {
        await handlers[event.type]?.(event);
      }
    } catch (error) {
      fail(error);
    }
    stop.remove();
    element.setAttribute("aria-busy", "false");
  })();
  return { element, done };
}

/** The text while it comes in: not yet checked, and said so. */
function draftView(body) {
  let text = "";
  const shown = h("p", { class: "answer-text draft", testid: "draft-text" });
  return {
    text: () => text,
    add(delta) {
      text += delta;
      shown.textContent = text;
      if (!shown.isConnected)
        body.replaceChildren(shown, h("p", { class: "quiet small" }, tx("unchecked")));
    },
    clear() {
      text = "";
      body.replaceChildren(h("p", { class: "working" }, tx("thinking")));
    },
    reject() {
      text = "";
      body.replaceChildren(h("p", { class: "working" }, tx("checking")));
    },
  };
}

/** How the question was understood, and how much of the table it is about. */
function interpretation({ explanation, metadata }) {
  const parts = [];
  if (explanation) parts.push(tx("understood", { text: explanation }));
  const frame = metadata?.timeframe;
  if (frame) {
    parts.push(tx(frame === "daily" ? "timeframe_daily" : "timeframe", { name: frame }));
  }
  if (metadata) {
    const { rows_matched: matched, rows_scanned: scanned } = metadata;
    parts.push(tx("matched", { matched: number(matched), scanned: number(scanned) }));
  }
  return parts.flatMap((part, i) => (i > 0 ? [" · ", part] : [part]));
}

function warningList(warnings) {
  if (warnings.length === 0) return [];
  return [
    h(
      "div",
      { class: "warning", testid: "warnings" },
      h("b", {}, tx("warnings")),
      h(
        "ul",
        {},
        warnings.map((warning) => h("li", { "data-code": warning.code }, warning.message)),
      ),
    ),
  ];
}

function readingList(readings, choose) {
  return h(
    "div",
    { class: "readings", testid: "readings", role: "group", "aria-label": t("readings") },
    readings.map((reading) =>
      h(
        "button",
        { type: "button", testid: "reading", onclick: () => void choose(reading) },
        reading.explanation,
      ),
    ),
  );
}
