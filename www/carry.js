// Tables over a reload that the page does itself, for an endpoint or a file host that its policy is to
// name: they are kept on this device for as long as that takes, and forgotten once they are back. The
// ledger of what was sent comes along.

import { button, download, frozen, h, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { t } from "./i18n.js";
import { chosenOf, putAway } from "./policy.js";
import { keepLedger, ledgerLines, putLedgerAway } from "./tab-ledger.js";

/** What this tab brings back, and what any tab has on the device for that. */
const KEPT = "pinhole.carried";
/** How long, in milliseconds, a table may wait there for its tab: some are closed and never come back. */
const PATIENCE = 3_600_000;

let around;

/**
 * Says what the page has: `engine()`, `tables()` with the name and the sample of each, `loading()` for
 * the name of what is being read, and `came(info, table)` for a table that is back.
 */
export function setUpCarrying(page) {
  around = page;
}

/**
 * Reloads the page with its tables and its ledger, after `save()`. What cannot be kept is named, and the
 * person decides: where it is not to be lost, nothing is saved.
 */
export async function reload(save) {
  const tables = around.tables();
  const busy = around.loading();
  const put = tables.length > 0 ? await keepAll(tables) : { kept: [], lost: [] };
  if (!put) return;
  const lost = [...put.lost, ...(busy === undefined ? [] : [busy])];
  const cut = !putLedgerAway();
  if ((lost.length > 0 || cut) && !(await mayGo(lost, cut))) {
    keepLedger();
    await forget(await around.engine(), put.kept);
    return;
  }
  save();
  await putAway();
  const carried = put.kept.map((table) => ({ ...table, chosen: chosenOf(table.name) }));
  write(sessionStorage, carried);
  location.reload();
}

/** Keeps tables on the device: those that are, and the names of those that are not. None: cancelled. */
async function keepAll(tables) {
  const abort = new AbortController();
  const label = h("p", { testid: "carry-label", role: "status" });
  const close = question(
    "carry_title",
    () => abort.abort(),
    label,
    h("progress", { "data-i18n-aria-label": "carry_title", "aria-label": t("carry_title") }),
    h(
      "div",
      { class: "row end" },
      button("cancel", () => abort.abort(), { testid: "carry-cancel" }),
    ),
  );
  const put = { kept: [], lost: [] };
  const ph = await around.engine();
  // What another page of this origin keeps under a name stays as it is.
  const taken = new Set((await ph.kept().catch(() => [])).map(({ name }) => name));
  for (const { name, sample } of tables) {
    if (abort.signal.aborted) break;
    label.replaceChildren(tx("carry_keeping", { name }));
    if (taken.has(name) || !isRemembered()) {
      put.lost.push(name);
      continue;
    }
    try {
      await ph.keep(name, { signal: abort.signal });
      const { bytes, at } = (await ph.kept()).find((one) => one.name === name);
      write(localStorage, [...read(localStorage), { name, bytes, at }]);
      put.kept.push({ name, sample, bytes, at });
    } catch {
      put.lost.push(name);
    }
  }
  close();
  if (!abort.signal.aborted) return put;
  await forget(ph, put.kept);
  return undefined;
}

/** Whether the page may reload although these tables are lost, or the ledger (`cut`). */
function mayGo(names, cut) {
  return new Promise((decide) => {
    const answer = (yes) => {
      close();
      decide(yes);
    };
    const lines = ledgerLines();
    const saveLedger = () => download("pinhole-ledger.jsonl", "application/x-ndjson", lines);
    const tables = [
      h("p", {}, tx("carry_lost", { n: number(names.length) })),
      h(
        "ul",
        { testid: "carry-lost" },
        names.map((name) => h("li", {}, h("code", {}, name))),
      ),
    ];
    const ledger = [
      h("p", { testid: "carry-ledger" }, tx("carry_ledger", { n: number(lines.length) })),
      h("div", {}, button("carry_ledger_save", saveLedger, { testid: "carry-ledger-save" })),
    ];
    const close = question(
      names.length > 0 ? "carry_lost_title" : "carry_ledger_title",
      () => answer(false),
      ...(names.length > 0 ? tables : []),
      ...(cut ? ledger : []),
      h(
        "div",
        { class: "row end" },
        button("cancel", () => answer(false), { testid: "carry-stay" }),
        button("carry_go", () => answer(true), { class: "primary", testid: "carry-go" }),
      ),
    );
  });
}

/** Shows a dialog, which Escape leaves by `out`; what closes it. */
function question(title, out, ...content) {
  const dialog = h(
    "dialog",
    { class: "carry", testid: "carry", "aria-labelledby": "carry-title" },
    h("h2", { id: "carry-title" }, tx(title)),
    ...content,
  );
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    out();
  });
  document.body.append(dialog);
  dialog.showModal();
  return () => {
    // Closed first, so that the focus goes back.
    dialog.close();
    dialog.remove();
  };
}

/** Brings back what this tab has carried over its reload, and takes it off the device. */
export async function bringBack() {
  const mine = read(sessionStorage);
  const area = document.querySelector("#loading");
  const said = h("p", { class: "working", role: "status", testid: "carry-back" }, tx("carry_back"));
  if (mine.length > 0) area.before(said);
  const ph = await around.engine();
  const gone = [];
  for (const [i, table] of mine.entries()) {
    const there = await ours(ph, [table]).catch(() => []);
    try {
      if (there.length === 0) throw new Error("another table has its place");
      await around.came(await ph.reopen(table.name), table);
    } catch {
      gone.push(table.name);
    }
    await forget(ph, there).catch(() => undefined);
    // What is back is brought back once, also where the page is reloaded meanwhile.
    write(sessionStorage, mine.slice(i + 1));
  }
  said.remove();
  if (gone.length > 0) {
    const message = t("carry_gone", { names: gone.join(", ") });
    area.prepend(frozen(errorCard({ code: "tables_lost", message })));
  }
  const old = read(localStorage).filter(({ at }) => Date.now() - at > PATIENCE);
  await forget(ph, old).catch(() => undefined);
}

/** Those of some tables that are on the device as they were put there. */
async function ours(ph, tables) {
  if (tables.length === 0) return [];
  const kept = await ph.kept();
  return tables.filter((table) => kept.some((one) => isSame(one, table)));
}

async function forget(ph, tables) {
  for (const { name } of await ours(ph, tables)) await ph.forget(name);
  if (tables.length === 0) return;
  const others = read(localStorage).filter((one) => !tables.some((table) => isSame(one, table)));
  write(localStorage, others);
}

function isSame(a, b) {
  return a.name === b.name && a.bytes === b.bytes && a.at === b.at;
}

/** Whether this tab can remember over a reload what it carries. */
function isRemembered() {
  try {
    sessionStorage.setItem(KEPT, "[]");
    sessionStorage.removeItem(KEPT);
    return true;
  } catch {
    return false;
  }
}

function read(storage) {
  try {
    const found = JSON.parse(storage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function write(storage, tables) {
  if (tables.length > 0) storage.setItem(KEPT, JSON.stringify(tables));
  else storage.removeItem(KEPT);
}
