// The page: starts the engine in the background, lets a table in, and puts questions to it.

import { answerCard } from "./answer.js";
import { h, translate, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language, onLanguage, setLanguage, t } from "./i18n.js";
import { ledgerView, sentLabel } from "./ledger-view.js";
import { setUpLoading } from "./loading.js";
import { Pinhole } from "./pinhole/index.js";
import { save, settings } from "./settings.js";
import { tableCard } from "./table-card.js";

/** What a model may receive; the page says it wherever something is sent. */
const LEVEL = "summary";

const $ = (id) => document.getElementById(id);

let opening = open();
let chat;
let planner;
let table;
let sent = 0;

function open() {
  const starting = Pinhole.open({ locale: language(), policy: { level: LEVEL } });
  starting.then(
    (ph) => {
      showEngine("engine_ready");
      ph.ledger.watch(() => {
        sent += 1;
        showState();
      });
    },
    (error) => {
      showEngine("engine_failed");
      $("loading").replaceChildren(errorCard(error));
    },
  );
  return starting;
}

/** The engine; one that could not start is tried again. */
async function engine() {
  try {
    return await opening;
  } catch {
    opening = open();
    return opening;
  }
}

function showEngine(key) {
  $("engine").dataset.state = key;
  $("engine").replaceChildren(tx(key));
}

function showState() {
  $("policy").textContent = t("policy", { level: LEVEL });
  $("sent").textContent = sentLabel(sent);
  $("sent").classList.toggle("some", sent > 0);
}

// Tables and questions

async function loaded(info) {
  const ph = await engine();
  const before = table;
  table = info;
  if (before && before.name !== info.name) await ph.drop(before.name);
  $("load").classList.add("small");
  $("tables").replaceChildren(tableCard(info, remove));
  $("asking").hidden = false;
  await suggest();
  $("question").focus({ preventScroll: true });
}

async function remove() {
  const ph = await engine();
  if (table) await ph.drop(table.name);
  forget();
  $("file").focus();
}

function forget() {
  table = undefined;
  $("load").classList.remove("small");
  $("tables").replaceChildren();
  $("asking").hidden = true;
}

async function suggest() {
  const ph = await engine();
  const questions = table ? await ph.suggest(table.name).catch(() => []) : [];
  $("suggestions").replaceChildren(
    ...questions.map((question) =>
      h(
        "button",
        {
          type: "button",
          class: "suggestion",
          testid: "suggestion",
          onclick: () => void ask(question),
        },
        question,
      ),
    ),
  );
}

function plannerChat(ph) {
  planner ??= ph.chat();
  return planner;
}

function mainChat(ph) {
  const { endpoint, model } = settings();
  if (!endpoint) return plannerChat(ph);
  chat ??= ph.chat({ endpoint, wire: "openai-chat", ...(model ? { model } : {}) });
  return chat;
}

async function ask(question, local = false) {
  const ph = await engine();
  let talk;
  try {
    talk = local ? plannerChat(ph) : mainChat(ph);
  } catch (error) {
    $("answers").prepend(h("div", { class: "card" }, errorCard(error)));
    return;
  }
  const { endpoint } = settings();
  const byModel = Boolean(endpoint) && !local;
  const card = answerCard(question, {
    ph,
    chat: talk,
    level: LEVEL,
    source: () =>
      byModel
        ? tx("answered_by_model", { host: new URL(endpoint, location.href).host })
        : tx("answered_by_planner"),
    askPlanner: byModel ? (again) => void ask(again, true) : undefined,
  });
  $("answers").prepend(card.element);
  await card.done;
  if (lost(ph)) {
    $("loading").replaceChildren(errorCard({ code: "tables_lost", message: t("tables_lost") }));
  }
}

/** Whether a restart of the engine lost the table; what is lost is not shown any more. */
function lost(ph) {
  if (!table || ph.tables().some(({ name }) => name === table.name)) return false;
  forget();
  return true;
}

$("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = $("question").value.trim();
  if (question === "") {
    $("question").focus();
    return;
  }
  $("question").value = "";
  void ask(question);
});

// Settings, ledger, language

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
}

$("settings-open").addEventListener("click", () => {
  const { endpoint, model, wire } = settings();
  $("endpoint").value = endpoint ?? "";
  $("model").value = model ?? "";
  $("wire").value = wire ?? "openai-chat";
  $("endpoint-error").textContent = "";
  $("settings").showModal();
});

$("settings-form").addEventListener("submit", (event) => {
  const endpoint = $("endpoint").value.trim();
  if (endpoint !== "" && !isAddress(endpoint)) {
    event.preventDefault();
    $("endpoint-error").textContent = t("endpoint_bad");
    $("endpoint").focus();
    return;
  }
  const changed = endpoint !== (settings().endpoint ?? "");
  save({ endpoint, model: $("model").value.trim(), wire: $("wire").value });
  chat = undefined;
  // The page's policy names the endpoint: it is written anew when the page loads.
  if (changed) location.reload();
});

function isAddress(text) {
  try {
    return /^https?:$/.test(new URL(text, location.href).protocol);
  } catch {
    return false;
  }
}

$("sent").addEventListener("click", async () => {
  const ph = await engine();
  ledgerView($("ledger-body"), await ph.ledger.entries(), ph, { level: LEVEL });
  $("ledger").showModal();
});

for (const choice of document.querySelectorAll("[data-language]")) {
  choice.addEventListener("click", () => {
    save({ language: choice.dataset.language });
    setLanguage(choice.dataset.language);
  });
}

function showLanguage() {
  for (const choice of document.querySelectorAll("[data-language]")) {
    choice.setAttribute("aria-pressed", String(choice.dataset.language === language()));
  }
  showState();
}

onLanguage(async (name) => {
  showLanguage();
  const ph = await engine();
  await ph.setLocale(name);
  await suggest();
});

showEngine("engine_starting");
translate();
showLanguage();
setUpLoading({ engine, loaded, failed: async () => lost(await engine()) });
