// One question with its answer: a card that fills while events come in, live or from a conversation
// that was kept.

import { callView } from "./call-view.js";
import { chartView } from "./chart-view.js";
import { claimList, markdownRender, markedText, wrongList } from "./claims.js";
import { dataView } from "./data-view.js";
import {
  announce,
  breakable,
  button,
  copyText,
  follow,
  frozen,
  h,
  number,
  rich,
  tabs,
  tx,
} from "./dom.js";
import { errorCard } from "./errors.js";
import { verdictOf } from "./facts.js";
import { language, t } from "./i18n.js";
import { ledgerView } from "./ledger-view.js";
import { wishOf } from "./pinhole/element/chart-words.js";
import { chartOf, tooManyKeys } from "./pinhole/element/fits.js";
import { headsOf } from "./pinhole/element/heads.js";
import { inWords, scopeText } from "./pinhole/element/facts.js";
import { isWrong } from "./pinhole/element/wrong.js";
import { readingEnd, saysMore } from "./pinhole/element/all-texts.js";
import { queryView } from "./query-view.js";
import { recalledNote, suggestionsView } from "./recall.js";

let count = 0;

/** Milliseconds that a button says what came of it. */
const SAID = 2000;

/**
 * Shows a question and what comes of it.
 * @param {{
 *   ph: object, events: (signal: AbortSignal) => AsyncIterable<object>,
 *   result: (id: string, block: object) => Promise<object | undefined>, source: () => Node,
 *   local?: boolean, kept?: boolean, ask: (question: string) => void,
 *   askPlanner?: (signal: AbortSignal) => AsyncIterable<object>, unanswered?: (entries: object[]) => void,
 *   instead?: () => string[] | undefined,
 *   confirm?: (question: string, texts: string[]) => void, settings?: Function,
 *   statement?: string, afresh?: () => void, recalled?: (taken: {id: number, question: string}) => void,
 * }} around `local`: the built-in planner answers; `kept`: it was said before; `instead`: questions to
 * offer for one that was not understood; `statement`: the SQL that was typed in place of a question; `recalled` runs what answered a question before.
 * @returns {{element: HTMLElement, done: Promise<void>, stop: () => void, relabel: () => Promise<void>, chart: (kind?: string) => boolean}}
 */
export function answerCard(question, around) {
  const { ph, kept } = around;
  const prefix = `answer-${++count}`;
  let abort;
  const entries = [];
  const results = [];
  let result;
  /** The result that the Data tab shows. */
  let shown;
  let fact;
  /** How the planner says that it read the question. */
  let reading;
  /** A tool other than `query` gave the result. */
  let called = false;
  /** The planner's words answer: it was asked, or what it once planned. */
  let local = around.local;
  /** The person changed the query. */
  let editing = false;
  /** The person did without the endpoint. */
  let planned = false;
  /** Requests that no answer came to so far. */
  let waiting = [];

  const heading = h("h2", { testid: "answer-question" }, question);
  const title = h("p", { class: "quiet small", testid: "answer-title" });
  const stop = button("cancel", () => abort.abort(), { testid: "answer-cancel" });
  const views = tabs(prefix, "answer_views", [
    { id: "answer", key: "tab_answer", testid: "tab-answer" },
    { id: "query", key: "tab_query", testid: "tab-query" },
    { id: "data", key: "tab_data", testid: "tab-data", shown: showData },
    { id: "chart", key: "tab_chart", testid: "tab-chart", shown: showChart },
    { id: "sent", key: "tab_sent", testid: "tab-sent", shown: showSent },
  ]);
  const top = h("div", { class: "row between top" }, h("div", {}, heading, title));
  const element = h(
    "article",
    { class: "card answer", testid: "answer", "aria-busy": "true" },
    top,
    views.element,
  );

  const meaning = h("div", { class: "meaning", testid: "interpretation" });
  const words = h("p", { class: "quiet small", testid: "query-words" });
  const body = h("div", { class: "answer-body" }, h("p", { class: "working" }, tx("thinking")));
  const warnings = h("div");
  const after = h("div", { class: "after" });
  const gone = h("div", { role: "alert" });
  const before = h("div");
  /** Questions that may be meant. */
  const earlier = h("div");
  let offered = [];
  const scope = h("span", { testid: "scope" });
  const by = h("span", { testid: "answered-by" }, around.source());
  /** The text of the answer as it was written. */
  let written = "";
  const copy = button("copy_answer", () => void copied(), {
    class: "small",
    testid: "answer-copy",
  });
  const foot = h("div", { class: "row between foot" }, h("p", { class: "quiet small" }, scope, by));
  views.panel("answer").append(before, meaning, body, gone, warnings, after, earlier, foot);
  if (around.statement) editor({ sql: around.statement });
  else views.panel("query").append(h("p", { class: "quiet" }, tx("no_query")));
  views.panel("data").append(h("p", { class: "quiet" }, tx("no_data")));
  views.show("answer");
  views.offer("chart", false);
  follow(scope, showScope);

  async function copied() {
    copy.replaceChildren(tx(await copyText(written)));
    setTimeout(() => copy.replaceChildren(tx("copy_answer")), SAID);
  }

  /** Makes a result the one that the tabs are about. */
  function turnTo(next) {
    result = next;
    // Where a chart has no room the tab says why.
    const drawn = chartOf(next) !== undefined || tooManyKeys(next).length > 0;
    // An earlier version kept no more than the rows.
    views.offer("chart", next.metadata !== undefined && drawn);
  }

  function showScope() {
    const text = result ? scopeText(language(), result, ph.tables(), (value) => number(value)) : "";
    const told = by.textContent !== "";
    scope.textContent = text && told ? `${text} · ` : text;
  }

  function showData(panel) {
    // Not by its name: names begin again after a restart.
    if (!result || (shown === result && !fact)) return;
    shown = result;
    dataView(panel, { ph: around.ph, question, results, shown: result, fact, choose });
    fact = undefined;
  }

  /** Shows the rows, and goes on there. */
  function toData() {
    views.show("data");
    views.panel("data").focus();
  }

  function showChart(panel) {
    void chartView(panel, question, result);
  }

  /** Shows the chart of the answer, of a kind where it can be drawn so; whether there is a result. */
  function chart(kind) {
    if (!result?.metadata) return false;
    views.offer("chart", true);
    views.show("chart");
    void chartView(views.panel("chart"), question, result, kind);
    views.panel("chart").focus();
    return true;
  }

  function choose(next) {
    turnTo(next);
    showData(views.panel("data"));
  }

  function showSent(panel) {
    ledgerView(panel, entries, kept ? undefined : ph);
  }

  /** Opens the Data tab where a fact stands. */
  async function evidence(about) {
    const found = results.find(({ id }) => id === about.result) ?? (await lookUp(about.result));
    if (!found) {
      gone.replaceChildren(h("p", { class: "warning", testid: "result-gone" }, tx("result_gone")));
      return;
    }
    if (!results.includes(found)) results.push(found);
    turnTo(found);
    fact = about;
    toData();
  }

  /** The first rows behind a fact. */
  async function source(about, limit) {
    const found = results.find(({ id }) => id === about.result) ?? (await lookUp(about.result));
    if (!found) return undefined;
    if (found.table && found.kind === "table") {
      return found.table.page(about.row ?? 0, about.row == null ? limit : 1);
    }
    const rows = await found.source(Object.keys(about.key).length > 0 ? about.key : null, {
      limit,
    });
    return { ...rows, of: found.query?.select?.[about.column] };
  }

  /** What the columns of a fact's result are called. */
  function heads(about) {
    const found = results.find(({ id }) => id === about.result);
    return found ? headsOf(language(), found.columns ?? [], found.query) : [];
  }

  function lookUp(id) {
    return around.result(id, {}).catch(() => undefined);
  }

  function take(next, call) {
    turnTo(next);
    called = call !== undefined;
    if (!results.includes(next)) results.push(next);
    element.dataset.result = next.id;
    label();
    // Whoever looks for the rows by then sees them; the chart follows by its offer.
    if (!views.panel("data").hidden) showData(views.panel("data"));
    const panel = views.panel("query");
    // The text that was changed stays where it is being changed.
    if (editing) return;
    if (call) callView(panel, call);
    else editor(next.query);
  }

  /** Shows a query where it can be changed and run again. */
  function editor(query) {
    queryView(views.panel("query"), query, { ph, run: runEdited, show: toData, words });
  }

  function toQuery() {
    views.show("query");
    views.panel("query").querySelector("textarea").focus();
  }

  /** What the engine says of the result, in the page's language. */
  function label() {
    showScope();
    const own = "sql" in (result.query ?? {});
    const explanation = called || own ? "" : inWords(language(), result.explanation);
    if (own && !called) {
      reading = undefined;
      meaning.replaceChildren(tx("sql_own"));
    } else if (!reading) {
      meaning.replaceChildren(...(explanation ? [tx("understood", { text: explanation })] : []));
    }
    words.replaceChildren(...(explanation ? [tx("in_words", { text: explanation })] : []));
    warnings.replaceChildren(...warningList(result.warnings ?? []));
  }

  /** Another answer takes the place of what stands there. */
  function begin() {
    reading = undefined;
    called = false;
    local = true;
    offered = [];
    for (const part of [title, meaning, gone, before, warnings, after, earlier])
      part.replaceChildren();
    by.replaceChildren(tx("by_planner"));
    copy.remove();
    results.length = 0;
    drawing.clear();
  }

  /** Answers with what was taken or changed. */
  async function answerAgain(what) {
    await gather((stopped) => around.answerWith(what, stopped));
  }

  /** Answers without the endpoint, in the place of what went wrong with it. */
  async function askPlanner() {
    planned = true;
    begin();
    views.panel("answer").focus();
    await gather(around.askPlanner);
  }

  /** What a query gave that the person changed, told as an answer. */
  async function runEdited(ask, signal) {
    const next = await ask({ signal });
    begin();
    title.replaceChildren(tx("edited"));
    by.replaceChildren();
    editing = true;
    await answerAgain({ result: next.id });
    editing = false;
    return next;
  }

  async function chooseReading({ query }, readings) {
    begin();
    await answerAgain({ query });
    // The others can still be taken.
    if (element.dataset.state === "error")
      after.replaceChildren(readingList(readings, chooseReading));
  }

  function offer(how) {
    if (offered.length === 0) return;
    earlier.replaceChildren(suggestionsView(offered, question, around.recalled, how));
  }

  function fail(error) {
    const mayAsk = around.askPlanner && !planned && error.code !== "cancelled";
    if (error.code === "endpoint_unreachable") around.unanswered?.(waiting);
    const aboutEndpoint = /^(endpoint|stream)_/.test(error.code ?? "");
    const actions = [
      around.statement
        ? button("edit_statement", toQuery, { testid: "edit-statement" })
        : undefined,
      mayAsk
        ? button("ask_planner", () => void askPlanner(), { testid: "ask-planner" })
        : undefined,
      aboutEndpoint && around.settings
        ? button("open_settings", around.settings, { testid: "error-settings" })
        : undefined,
    ].filter(Boolean);
    body.replaceChildren(frozen(errorCard(error, { actions, source: around.statement })));
    offer({});
    element.dataset.state = "error";
  }

  async function finish({ answer, claims = [], verdict, ended }) {
    const text = answer ?? drawing.text();
    const mine = abort;
    // Only a model writes Markdown.
    const render = local ? undefined : await markdownRender().catch(() => undefined);
    if (abort !== mine) return;
    // The reading is shown once, in its own place.
    const end = local ? readingEnd(text, reading) : 0;
    const [head, rest] = [text.slice(0, end), text.slice(end).trimStart()];
    // It stays as it was said; a statement says itself what it does.
    const statement = !called && "sql" in (result?.query ?? {});
    reading ??= statement ? undefined : head || undefined;
    const from = text.length - rest.length;
    const own = (claim) => ({ ...claim, start: claim.start - from, end: claim.end - from });
    if (head && !statement) {
      const inHead = claims.filter(({ end }) => end <= head.length);
      meaning.replaceChildren(
        markedText(head, inHead, { evidence, source, heads, testid: "reading-text" }),
      );
    } else if (reading) {
      meaning.replaceChildren(tx("understood", { text: inWords(language(), reading) }));
    }
    const rows = local && ended === "not_understood" ? rest.split("\n- ") : [rest];
    const others = rows.length > 1 ? (around.instead?.() ?? rows.slice(1)) : [];
    body.replaceChildren(
      markedText(rows[0], claims.filter(({ start }) => start >= from).map(own), {
        evidence,
        source,
        heads,
        render,
      }),
      ...(ended === "not_understood" && nothingThere(ph)
        ? [h("p", { class: "warning", testid: "answer-table-empty" }, tx("table_empty"))]
        : []),
      ...(others.length > 0 ? [questionList(others, around.ask)] : []),
    );
    if (!after.hasChildNodes() && ended !== "not_understood") {
      const unrun = !local && ended == null && results.length === 0;
      after.append(
        unrun ? unrunNote(claims, around.askPlanner && (() => void askPlanner())) : "",
        wrongList(claims, heads, evidence),
        local || !result ? "" : toCompare(claims, toData),
        claimList(claims, heads),
      );
    }
    // Readings to choose from come first.
    const readings = after.querySelectorAll("[data-testid=reading]").length;
    offer({ answered: ended == null, waiting: readings > 1 });
    written = rest;
    // What asks back or declines is nothing to take along.
    if (ended == null) foot.append(copy);
    element.dataset.state = "done";
    element.dataset.verdict = verdict ?? "";
    // One that was taken off the page is not read out.
    if (kept || !element.isConnected) return;
    announce([rows[0], ...others].join("\n"));
    // Words of the question ask for its chart: nobody has gone elsewhere yet.
    const wish = ended == null && result?.metadata && wishOf(question, result);
    if (!wish || views.panel("answer").hidden) return;
    views.show("chart");
    void chartView(views.panel("chart"), question, result, wish.kind);
  }

  const drawing = draftView(body);
  const handlers = {
    text: ({ delta }) => drawing.add(delta),
    // What was said before a tool is called is a remark and no part of the answer.
    tool_call: (event) => {
      drawing.clear();
      if (local) reading = event.title ?? undefined;
    },
    draft: ({ status }) => {
      if (status === "rejected") drawing.reject();
    },
    title: (event) => {
      const said = event.title ?? event.text ?? "";
      if (!local) title.replaceChildren(saysMore(said, question) ? said : "");
    },
    data_block: async (event) => {
      const mine = abort;
      const next = await around.result(event.result_id, event);
      if (next && abort === mine) take(next, event.tool === "query" ? undefined : event);
    },
    masked: ({ texts }) => {
      const confirm = around.confirm && (() => around.confirm(question, texts));
      gone.replaceChildren(
        h(
          "div",
          { class: "warning", testid: "masked" },
          h("p", {}, tx("masked", { texts: texts.join(", ") })),
          confirm ? button("masked_send", confirm, { class: "small", testid: "masked-send" }) : "",
        ),
      );
    },
    recall: (event) => {
      local = true;
      before.replaceChildren(recalledNote(event, kept ? undefined : around.afresh));
      by.replaceChildren(tx("answered_from_before"));
    },
    suggestions: ({ suggestions }) => {
      offered = around.recalled ? suggestions : [];
      // What is computed here is there at once.
      if (!local) offer({ waiting: true });
    },
    readings: ({ readings }) => {
      after.replaceChildren(readingList(readings, chooseReading));
    },
    ledger: ({ entry }) => {
      entries.push(entry);
      waiting.push(entry);
    },
    done: finish,
    error: fail,
  };

  /** After another language was chosen: what the engine says again, in it. */
  async function relabel() {
    if (!result || result.kept) return;
    const fresh = await ph.result(result.id).catch(() => undefined);
    if (!fresh || fresh.id !== result.id) return;
    results.splice(results.indexOf(result), 1, fresh);
    turnTo(fresh);
    label();
  }

  /**
   * Shows what comes, until it ends, the person stops it, or another answer takes its place: what is
   * under way then is stopped, and what still comes of it is shown nowhere.
   */
  async function gather(events) {
    abort?.abort();
    const mine = (abort = new AbortController());
    element.setAttribute("aria-busy", "true");
    delete element.dataset.state;
    top.append(stop);
    try {
      for await (const event of events(mine.signal)) {
        if (abort !== mine) return;
        if (event.type !== "ledger" && event.type !== "error") waiting = [];
        await handlers[event.type]?.(event);
      }
    } catch (error) {
      if (abort === mine) fail(error);
    }
    if (abort !== mine) return;
    stop.remove();
    element.setAttribute("aria-busy", "false");
  }

  const done = gather(around.events);
  return { element, done, stop: () => abort.abort(), relabel, chart };
}

/**
 * That a model answered and no query of it gave anything: in sight where numbers stand on that, which
 * have only their marks else.
 */
function unrunNote(claims, askPlanner) {
  if (claims.length === 0) return h("p", { class: "quiet small" }, tx("no_query"));
  if (claims.some(({ verdict }) => verdict !== "unverifiable")) return "";
  return h(
    "div",
    { class: "warning", testid: "unrun" },
    h("p", {}, tx("unrun")),
    askPlanner ? button("ask_planner", askPlanner, { class: "small", testid: "ask-planner" }) : "",
  );
}

/**
 * The way to what a model's answer stands on, where a number of it has none of its own: what could not be
 * checked, and what was wrong with no row to say so.
 */
function toCompare(claims, open) {
  const lost = (claim) => verdictOf(claim) === "unverifiable" || (isWrong(claim) && !claim.fact);
  if (!claims.some(lost)) return "";
  return h(
    "p",
    { class: "small to-data", testid: "to-data" },
    h("span", { class: "quiet" }, tx("to_compare")),
    " ",
    button("see_data", open, { class: "plain", testid: "see-data" }),
  );
}

/** Whether there are tables and no rows in them: no question helps then. */
function nothingThere(ph) {
  const tables = ph.tables();
  return tables.length > 0 && tables.every(({ rows }) => rows === 0);
}

/** Questions that can be asked instead. */
function questionList(questions, ask) {
  return h(
    "div",
    { class: "suggestions", testid: "instead" },
    questions.map((question) =>
      h(
        "button",
        { type: "button", class: "suggestion", onclick: () => ask(question.trim()) },
        breakable(question.trim()),
      ),
    ),
  );
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
      body.replaceChildren(h("p", { class: "working" }, tx("phase_checking")));
    },
  };
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
        warnings.map((warning) =>
          h("li", { "data-code": warning.code }, rich(inWords(language(), warning.message))),
        ),
      ),
    ),
  ];
}

function readingList(readings, choose) {
  return h(
    "div",
    {
      class: "readings",
      testid: "readings",
      role: "group",
      "data-i18n-aria-label": "readings",
      "aria-label": t("readings"),
    },
    readings.map((reading) =>
      h(
        "button",
        { type: "button", testid: "reading", onclick: () => void choose(reading, readings) },
        inWords(language(), reading.explanation),
      ),
    ),
  );
}
