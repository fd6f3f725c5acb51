// The conversations that are kept on this device: the consent, the list, and one opened again.

import { button, download, focusNext, follow, frozen, h, moment, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { fileName } from "./pinhole/element/file-name.js";
import { save, settings } from "./settings.js";

/**
 * Shows the consent and the list in `panel`; `changed(keep)` hears of another consent, `show(opened)`
 * of a conversation that is to be shown; `underWay()` says whether there is one that a consent is about.
 * `questions()` counts the questions asked before, which are kept under the same consent;
 * `keepQuestions(keep)` moves them. `deleted(id)` hears of a conversation that is no more, and says whether
 * it was on the screen; `forgetQuestions(texts, others)` forgets what is remembered of its questions, but
 * not of `others`.
 */
export async function historyView(panel, ph, around) {
  const { changed, underWay, show, keepQuestions, questions, deleted, forgetQuestions } = around;
  const list = h("div", { testid: "history-list" });
  const problem = h("div", { role: "alert" });
  const failed = (error) => problem.replaceChildren(frozen(errorCard(error)));
  const sure = h("div", { role: "alert" });
  const box = h("input", {
    type: "checkbox",
    id: "history-keep",
    testid: "history-keep",
    checked: ph.history.enabled,
    "aria-describedby": "history-consent-text",
    onchange: () => void consent(box.checked).catch(failed),
  });

  async function set(keep) {
    box.ariaBusy = "true";
    try {
      await keepQuestions(keep);
      ph.history.allow(keep);
      save({ keep });
      box.checked = keep;
    } finally {
      box.ariaBusy = "false";
      // Also where the device did not forget them all.
      changed(keep);
    }
  }

  async function consent(keep) {
    sure.replaceChildren();
    const kept = keep ? [] : await ph.history.list();
    const asked = keep ? 0 : await questions();
    if (kept.length === 0 && asked === 0) {
      await set(keep);
      return fill();
    }
    // What is kept must not be forgotten in a place that nobody sees.
    box.checked = true;
    const stop = async () => {
      for (const { id } of kept) {
        await ph.history.delete(id);
        deleted(id);
      }
      // It stands until all is forgotten.
      await set(false);
      leave();
      await fill();
    };
    const leave = () => {
      sure.replaceChildren();
      box.focus();
    };
    sure.replaceChildren(
      h(
        "div",
        { class: "notice", testid: "history-stop" },
        h("p", {}, tx("history_stop", { n: kept.length })),
        asked > 0 ? h("p", {}, tx("recall_stop", { n: asked })) : "",
        h(
          "div",
          { class: "row" },
          button("history_stop_sure", () => void stop().catch(failed), {
            testid: "history-stop-sure",
          }),
          button("cancel", leave),
        ),
      ),
    );
    return undefined;
  }

  function keepThem() {
    const keep = async () => {
      await consent(true);
      box.focus();
    };
    const key = underWay() ? "history_keep_this" : "history_keep";
    return button(key, () => void keep().catch(failed), { testid: "history-keep-now" });
  }

  async function fill() {
    const heads = await ph.history.list();
    const { problem: last } = ph.history;
    list.replaceChildren(
      ...(last
        ? [h("p", { class: "warning" }, tx("history_problem", { text: last.message }))]
        : []),
      ...(heads.length === 0
        ? [
            h(
              "p",
              { class: "empty quiet", testid: "history-empty" },
              tx(ph.history.enabled ? "history_empty" : "history_off"),
              ...(ph.history.enabled ? [] : [keepThem()]),
            ),
          ]
        : heads.map(item)),
    );
  }

  /** What a conversation asked; nothing where it cannot be read. */
  async function questionsOf({ id }) {
    const { turns } = await ph.history.open(id).catch(() => ({ turns: [] }));
    return turns.map(({ question }) => question);
  }

  function item(head) {
    const when = h("span", { class: "quiet small" });
    follow(when, () => {
      const turns = t("history_turns", { n: number(head.turns) });
      when.textContent = `${moment(head.updated)} · ${turns}`;
    });
    const out = async () => {
      const text = await ph.history.export(head.id);
      download(`${fileName(head.title) || "conversation"}.json`, "application/json", [text]);
    };
    const open = () =>
      void ph.history
        .open(head.id)
        .then((opened) => show(opened))
        .catch(failed);
    const remove = button("history_delete", () => ask(), { testid: "history-delete" });
    const ask = () => {
      const yes = button("history_delete_sure", () => void gone().catch(failed), {
        class: "bad",
        testid: "history-delete-sure",
        "aria-describedby": "history-delete-text",
        // Safari gives no button the focus that is pressed: this one would lose it, and be gone.
        onmousedown: (event) => event.preventDefault(),
      });
      const text = { class: "quiet small", id: "history-delete-text" };
      const what = h("span", text, tx("history_delete_text"));
      remove.replaceWith(yes, what);
      yes.focus();
      yes.addEventListener("blur", () => {
        if (!yes.isConnected) return;
        what.remove();
        yes.replaceWith(remove);
      });
    };
    const gone = async () => {
      sure.replaceChildren();
      // One that cannot be read is deleted all the same.
      const texts = await questionsOf(head);
      await ph.history.delete(head.id);
      if (deleted(head.id)) {
        const said = { class: "notice", testid: "history-deleted" };
        sure.replaceChildren(h("p", said, tx("history_deleted")));
      }
      const n = [...list.querySelectorAll("article")].indexOf(article);
      await fill();
      focusNext(list, "history-delete", n);
      const others = await Promise.all((await ph.history.list()).map(questionsOf));
      await forgetQuestions(texts, others.flat());
    };
    const article = h(
      "article",
      { class: "request", testid: "history-item" },
      h(
        "h3",
        {},
        h(
          "button",
          { type: "button", class: "link", testid: "history-name", onclick: open },
          head.title,
        ),
      ),
      when,
      h(
        "div",
        { class: "row" },
        button("history_open", open, { class: "primary", testid: "history-open" }),
        button("export", () => void out().catch(failed), { testid: "history-export" }),
        remove,
      ),
    );
    return article;
  }

  panel.replaceChildren(
    h(
      "div",
      { class: "consent" },
      h("label", { class: "check strong", htmlFor: "history-keep" }, box, tx("history_consent")),
      h("p", { class: "small quiet", id: "history-consent-text" }, tx("history_consent_text")),
    ),
    sure,
    problem,
    list,
  );
  await fill().catch(failed);
}

/** The tables that an opened conversation asked about, by what their queries say. */
export function tablesOf({ turns }) {
  const names = turns.flatMap(({ events }) =>
    events.flatMap(({ input }) => (typeof input?.table === "string" ? [input.table] : [])),
  );
  return [...new Set(names)];
}

/** Whether conversations are kept: the person's word from an earlier visit. */
export function keeps() {
  return settings().keep === true;
}

/**
 * What a card needs to show turn `n` of an opened conversation: its events, and its results from
 * their kept tables.
 */
export function keptTurn(opened, n) {
  const blocks = new Map();
  const result = async (id, block) => {
    if (blocks.has(id)) return blocks.get(id);
    // A later turn may speak of an earlier one's result.
    const from = opened.turns.findLastIndex((turn, i) => i <= n && turn.tables.includes(id));
    const table = from < 0 ? undefined : await opened.table(from, id);
    const about = { ...blockOf(opened, from, id), ...block };
    const kept = table && (await keptResult(id, table, about, opened.turns[from].results?.[id]));
    blocks.set(id, kept);
    return kept;
  };
  const { question, events } = opened.turns[n];
  return { question, events: () => events, result };
}

function blockOf(opened, turn, id) {
  return opened.turns[turn].events.find((e) => e.type === "data_block" && e.result_id === id) ?? {};
}

/** A kept table in the place of a result, with what that `said` of itself, where it was kept. */
async function keptResult(id, table, { input, rows, summary }, said) {
  const { title, ...query } = input ?? {};
  // What its columns are called goes by their names and by the query.
  const { columns: names, kinds = [] } = await table.page(0, 1);
  return {
    id,
    kept: true,
    kind: summary?.type ?? "table",
    query,
    columns: names.map((name, i) => ({ name, kind: kinds[i] ?? "text" })),
    rows,
    warnings: [],
    ...said,
    table: { page: (offset, limit, options) => table.page(offset, limit, options) },
  };
}
