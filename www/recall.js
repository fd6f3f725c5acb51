// The questions of this page that were asked before: where they are kept, what an answer from there
// shows, what is offered, and the list of them.

import { button, download, focusNext, follow, frozen, h, moment, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language, t } from "./i18n.js";
import { distinct } from "./pinhole/element/facts.js";
import { DeviceRecallStore, differences } from "./pinhole/index.js";
import { settings } from "./settings.js";

/** One data set: a question whose table is not loaded waits for it. */
const CONTEXT = "page";

const opened = new WeakMap();

function make(ph, device) {
  return ph.recall({ context: CONTEXT, ...(device ? { store: new DeviceRecallStore() } : {}) });
}

/** The questions asked before: on this device where the person consented, else as long as the page. */
export function recallOf(ph) {
  if (!opened.has(ph)) opened.set(ph, make(ph, settings().keep === true));
  return opened.get(ph);
}

/**
 * The same for a conversation, which goes on with them where they are kept elsewhere from some question
 * on: it is given them once, as it begins.
 */
export function recallForChat(ph) {
  const get = (_, name) => {
    const recall = recallOf(ph);
    const one = recall[name];
    return typeof one === "function" ? one.bind(recall) : one;
  };
  return new Proxy({}, { get });
}

/**
 * Keeps the questions on this device from now on, or forgets them there, with what of them cannot be
 * read; the page has them still.
 */
export async function keepQuestions(ph, keep) {
  const old = recallOf(ph);
  const next = make(ph, keep);
  try {
    await next.import(await old.export());
  } catch (error) {
    await next.close();
    throw error;
  }
  opened.set(ph, next);
  if (keep) return old.close();
  try {
    await old.clear();
  } catch (error) {
    // Some are on the device still, and so the consent stands.
    opened.set(ph, make(ph, true));
    await next.close();
    throw error;
  }
}

/**
 * Forgets these questions, with whatever answered them, after other questions too; but none that is
 * one of `others`.
 */
export async function forgetQuestions(ph, texts, others) {
  const recall = recallOf(ph);
  const numbers = new Set();
  for (const text of texts) numbers.add(await recall.number(text));
  for (const text of others) numbers.delete(await recall.number(text));
  for (const { id, question, after } of await recall.list()) {
    // One that stands after others has a number of its own.
    const number = after === undefined ? id : await recall.number(question);
    if (numbers.has(number)) await recall.delete(id);
  }
}

/** Text that names a moment in the page's language. */
function timed(key, at, values = {}) {
  const element = h("span");
  return follow(element, () => (element.textContent = t(key, { when: moment(at), ...values })));
}

/** Says that an answer comes from before; `afresh()` asks anew. */
export function recalledNote({ asked_at: askedAt }, afresh) {
  return h(
    "div",
    { class: "notice row between", testid: "recalled" },
    timed("recall_from", askedAt),
    afresh ? button("recall_fresh", afresh, { class: "small", testid: "recall-fresh" }) : "",
  );
}

/**
 * Questions that may be meant by what was `asked`: plainly to see, else behind one line (`answered`). Those that differ from
 * what was asked stand behind a click wherever others are to be seen.
 */
export function suggestionsView(found, asked, take, { answered, waiting }) {
  const suggestions = distinct(found, answered ? asked : "");
  const meant = answered ? [] : suggestions.filter(({ differs }) => differs.length === 0);
  const others = suggestions.filter((one) => !meant.includes(one));
  const item = ({ id, question, differs, last_result: last }) => {
    const what = h("span", { class: "quiet small", testid: "recall-differs" });
    if (differs.length > 0) {
      follow(what, () => {
        const names = differences({ differs }, language());
        what.textContent = names.length > 0 ? t("recall_differs", { what: names.join(", ") }) : "";
      });
    }
    const again = h(
      "button",
      {
        type: "button",
        class: "suggestion",
        testid: "recall-suggestion",
        onclick: () => take({ id, question }),
      },
      question,
    );
    if (last?.human) {
      follow(again, () => (again.title = t("recall_last", { text: last.human })));
    }
    return h("li", {}, again, what);
  };
  const list = (items) => h("ul", { class: "asked-before" }, items.map(item));
  return h(
    "div",
    { testid: "recall-suggestions" },
    meant.length > 0 ? h("p", { class: "small" }, tx("recall_meant")) : "",
    meant.length > 0 ? list(meant) : "",
    others.length > 0
      ? h(
          "details",
          { testid: "recall-alike", open: !answered && !waiting && meant.length === 0 },
          h("summary", { class: "small quiet" }, tx("recall_alike", { n: others.length })),
          list(others),
        )
      : "",
  );
}

/** Shows the list of questions in `panel`. */
export async function questionsView(panel, ph) {
  const recall = recallOf(ph);
  const list = h("div", { testid: "recall-list" });
  const told = h("div", { role: "alert", testid: "recall-told" });
  const failed = (error) => told.replaceChildren(frozen(errorCard(error)));
  const file = h("input", {
    type: "file",
    accept: ".jsonl,.ndjson,.json,application/jsonl",
    hidden: true,
    testid: "recall-file",
    onchange: () => void bring().catch(failed),
  });

  async function bring() {
    const [chosen] = file.files;
    if (!chosen) return;
    const { added, updated, kept, bad } = await recall.import(
      new Uint8Array(await chosen.arrayBuffer()),
    );
    file.value = "";
    const counts = { added, updated, kept, bad: bad.length };
    told.replaceChildren(h("p", { class: "small" }, tx("recall_imported", counts)));
    await fill();
  }

  async function fill() {
    const records = await recall.list();
    const { problem } = recall;
    save.disabled = records.length === 0;
    list.replaceChildren(
      ...(problem
        ? [h("p", { class: "warning" }, tx("recall_problem", { text: problem.message }))]
        : []),
      ...(records.length === 0
        ? [h("p", { class: "empty quiet", testid: "recall-empty" }, tx("recall_none"))]
        : records.map(item)),
    );
  }

  function item(record) {
    const { id, question, created_at: created, usage_count: used, script } = record;
    const forget = async () => {
      await recall.delete(id);
      const n = [...list.querySelectorAll("article")].indexOf(article);
      await fill();
      focusNext(list, "recall-forget", n);
    };
    const article = h(
      "article",
      { class: "request", testid: "recall-item" },
      h("h3", { testid: "recall-question" }, question),
      h(
        "p",
        { class: "quiet small" },
        timed("recall_about", created, { n: number(used) }),
        record.after === undefined ? "" : h("span", {}, " · ", tx("recall_after")),
        record.is_valid ? "" : h("span", {}, " · ", tx("recall_invalid")),
      ),
      h("details", {}, h("summary", { class: "small" }, tx("tab_query")), h("pre", {}, script)),
      h(
        "div",
        { class: "row" },
        button("recall_forget", () => void forget().catch(failed), { testid: "recall-forget" }),
      ),
    );
    return article;
  }

  const out = async () => {
    download("questions.jsonl", "application/jsonl", [await recall.export()]);
  };
  const save = button("export", () => void out().catch(failed), {
    testid: "recall-export",
  });
  panel.replaceChildren(
    h("h2", {}, tx("recall_title")),
    h(
      "p",
      { class: "small quiet" },
      tx("recall_text"),
      " ",
      tx(settings().keep === true ? "recall_device" : "recall_memory"),
    ),
    told,
    list,
    h(
      "div",
      { class: "row" },
      save,
      button("recall_import", () => file.click(), { testid: "recall-import" }),
      file,
    ),
    h("p", { class: "small quiet" }, tx("recall_trust")),
  );
  await fill().catch(failed);
}
