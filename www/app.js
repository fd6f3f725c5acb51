// The page: starts the engine in the background, lets tables in, and puts questions to them.

import "./guarded.js";
import { shownHost } from "./addresses.js";
import { answerCard } from "./answer.js";
import { bringBack, setUpCarrying } from "./carry.js";
import {
  announce,
  breakable,
  button,
  frozen,
  h,
  moment,
  refollow,
  translate,
  tx,
  watchEdges,
} from "./dom.js";
import { awaitEarlier, showEarlier } from "./earlier.js";
import { errorCard } from "./errors.js";
import { historyView, keeps, keptTurn, tablesOf } from "./history-view.js";
import { language, onLanguage, setLanguage, t } from "./i18n.js";
import { ledgerView, noteUnanswered, sentLabel } from "./ledger-view.js";
import { setUpLoading } from "./loading.js";
import { forgetRemembered } from "./remembered.js";
import { keepForOffline } from "./offline.js";
import { chartAsked } from "./pinhole/element/chart-words.js";
import { statementIn } from "./pinhole/element/facts.js";
import { knowTable } from "./pinhole/element/heads.js";
import { Pinhole } from "./pinhole/index.js";
import {
  forgetQuestions,
  keepQuestions,
  questionsView,
  recallForChat,
  recallOf,
} from "./recall.js";
import {
  levelNow,
  policy,
  rememberTables,
  setClass,
  tableCame,
  tableWent,
  watchPolicy,
} from "./policy.js";
import { policyInShort, policyView } from "./policy-view.js";
import {
  chatOptions,
  hasEndpoint,
  openSettings,
  setUpSettings,
  showEndpoint,
} from "./settings-view.js";
import { sampleOf, sampleQuestions } from "./samples.js";
import { save, settings } from "./settings.js";
import { tabLedger } from "./tab-ledger.js";
import { tableCard } from "./table-card.js";
import { showUnkept } from "./unkept.js";

const $ = (id) => document.getElementById(id);

/** Characters that the field of a question has room for on a phone. */
const SHORT = 24;
/** Suggestions that a phone shows at first: what is asked and its answer come before the rest. */
const FIRST = 3;

let opening = open();
let chat;
let planner;
/** The cards of the tables in sight, the newest last. */
const tables = new Map();
/** What is known of them. */
const infos = new Map();
/** The samples that tables are of. */
const samples = new Map();
/** Cards of answers, to be put into another language. */
let cards = [];
let sent = 0;
/** The conversation that was opened again, as long as it is shown. */
let reopened;
/** The person does without the model in this conversation. */
let alone = false;
/** Whether the engine is there. */
let ready = false;

function open() {
  const starting = Pinhole.open({
    locale: language(),
    policy: policy(),
    persist: keeps(),
    // What was sent before the page reloaded itself is listed with what is sent after it.
    ledger: keeps() && !tabLedger.carried ? undefined : tabLedger,
  });
  starting.then(
    (ph) => {
      ready = true;
      showEngine("engine_ready");
      keepForOffline(() => $("offline").replaceChildren(tx("offline_ready")));
      ph.ledger.watch(() => void count(ph));
      void count(ph);
      void showKeeping(ph);
    },
    (error) => {
      showEngine("engine_failed");
      $("loading").replaceChildren(frozen(errorCard(error)));
    },
  );
  return starting;
}

/** What the ledger holds: a kept one goes on where it ended. */
async function count(ph) {
  sent = (await ph.ledger.entries()).length;
  if (sent > 0 && !settings().sent) save({ sent: true });
  showState();
}

/** The engine; one that could not start is tried again. */
async function engine() {
  const tried = opening;
  try {
    return await tried;
  } catch {
    // All who waited for it wait for one and the same.
    if (opening === tried) opening = open();
    return opening;
  }
}

function showEngine(key) {
  $("engine").dataset.state = key;
  $("engine").replaceChildren(tx(key));
}

function showState() {
  $("policy").textContent = policyInShort([...infos.values()]);
  $("policy").title = t(`level_${levelNow()}_text`);
  showEndpoint($("model-open"));
  $("alone").hidden = !(alone && hasEndpoint());
  $("sent").textContent = sentLabel(sent);
  $("sent").classList.toggle("some", sent > 0);
}

// Tables and questions

async function loaded(info, sample, chosen, shown) {
  const ph = await engine();
  await tableCame(ph, info, chosen);
  takeAway(info.name);
  const card = tableCard(info, {
    remove: () => void remove(info.name),
    choose: (column, name) => setClass(ph, info.name, column, name).catch(problem),
    engine,
  });
  knowTable(info.name, info.columns);
  tables.set(info.name, card);
  infos.set(info.name, info);
  samples.set(info.name, sample);
  $("tables").prepend(card);
  shown?.();
  showTables();
  await suggest();
  $("question").focus({ preventScroll: true });
}

/** Takes a table's card away; what is open in it lets go of its rows. */
function takeAway(name) {
  for (const one of tables.get(name)?.querySelectorAll("details[open]") ?? []) one.open = false;
  tables.get(name)?.remove();
  tables.delete(name);
}

async function remove(name) {
  const ph = await engine();
  await ph.drop(name);
  await forget(ph, name);
  await suggest();
  $(tables.size > 0 ? "question" : "file").focus();
}

async function forget(ph, name, dropped = true) {
  takeAway(name);
  infos.delete(name);
  // What a restart lost is to be loaded once more, and what was protected of it stays so.
  if (dropped) await tableWent(ph, name).catch(problem);
  showTables();
}

function showTables() {
  const some = tables.size > 0;
  document.body.classList.toggle("working-on", some);
  $("load").classList.toggle("small", some);
  $("asking").hidden = !some;
  showReopened();
  showState();
}

function problem(error) {
  $("loading").replaceChildren(frozen(errorCard(error)));
}

/** Questions about the sample that was loaded last. */
function ofSample() {
  const kept = [...tables.keys()].map((name) => samples.get(name));
  return sampleQuestions(kept, language());
}

async function suggest() {
  const ph = await engine();
  const asked = cards.length;
  const newest = [...tables.keys()].at(-1);
  // Of a table without rows there is nothing to ask.
  const none = newest === undefined || infos.get(newest)?.rows === 0;
  const questions = ofSample() ?? (none ? [] : await ph.suggest(newest).catch(() => []));
  // The shortest where none is short: a field of a phone holds no long one.
  const short = [...questions].sort((a, b) => a.length - b.length)[0];
  const example = questions[0]?.length <= SHORT ? questions[0] : short;
  $("question").placeholder = example ? t("placeholder", { question: example }) : "";
  // Whoever asked meanwhile reads an answer below them: it stays in its place.
  const read = cards.length > asked ? $("answers") : undefined;
  const top = read?.getBoundingClientRect().top;
  const more = () => {
    $("suggestions").classList.remove("few");
    $("suggestions").children[FIRST].focus();
  };
  // One is not hidden for the sake of a button.
  const few = questions.length > FIRST + 1;
  $("suggestions").classList.toggle("few", few);
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
        breakable(question),
      ),
    ),
    ...(few
      ? [button("suggestions_more", more, { class: "plain small", testid: "suggestions-more" })]
      : []),
  );
  if (read) scrollBy({ top: read.getBoundingClientRect().top - top, behavior: "instant" });
}

function plannerChat(ph) {
  planner ??= ph.chat({ recall: recallForChat(ph) });
  return planner;
}

function mainChat(ph) {
  if (!hasEndpoint()) return plannerChat(ph);
  chat ??= ph.chat({ ...chatOptions(), recall: recallForChat(ph) });
  return chat;
}

/** A kept conversation is deleted: where it is on the screen it goes from there too, and that is said. */
function deleted(id) {
  if (![reopened, chat, planner].some((one) => one?.id === id)) return false;
  clearAnswers();
  return true;
}

/** Stops what is asked, and what waits to be: nothing of it is sent any more. */
function stopAll() {
  for (const card of cards) card.stop();
}

/** Conversations under way end; the next question begins another. */
function endChats() {
  stopAll();
  for (const one of [chat, planner]) one?.close().catch(() => undefined);
  chat = planner = undefined;
}

async function ask(question, local = false, how = {}) {
  const ph = await engine();
  const drawn = chartAsked(question);
  const last = cards.at(-1);
  if (drawn && last?.chart(drawn.kind)) return void reveal(last.element);
  const statement = statementIn(question);
  let byModel = hasEndpoint() && !local && !alone;
  if (byModel && !statement && !settings().model) {
    // Nothing is lost: it is asked again once the model has a name.
    if ($("question").value === "") $("question").value = question;
    openSettings("model");
    return;
  }
  let talk;
  try {
    talk = byModel ? mainChat(ph) : plannerChat(ph);
  } catch (error) {
    $("answers").prepend(h("div", { class: "card" }, frozen(errorCard(error))));
    return;
  }
  const withoutModel = (signal) => {
    [byModel, local, talk] = [false, true, plannerChat(ph)];
    // Whoever went on with the model meanwhile wants it still.
    if (cards.at(-1) === card) doAlone(true);
    return talk.ask(question, { signal });
  };
  const card = show(question, {
    ph,
    local: !byModel || statement !== undefined,
    statement,
    events: (signal) =>
      statement ? ran(ph, talk, statement, signal) : asked(talk, question, { ...how, signal }),
    answerWith: (what, signal) => talk.ask(question, { ...what, signal }),
    result: (id) => ph.result(id),
    source: () => (statement ? "" : answeredBy(byModel)),
    instead: () => ([...tables.keys()].every((name) => samples.get(name)) ? ofSample() : undefined),
    ask: (other) => void ask(other, local),
    afresh: () => void ask(question, local, { fresh: true }),
    recalled: (taken) => void ask(taken.question, local, { recalled: taken.id }),
    askPlanner: byModel && !statement ? withoutModel : undefined,
    unanswered: (entries) => {
      noteUnanswered(entries);
      showState();
    },
    confirm: (again, texts) => void ask(again, local, { confirm: texts }),
    settings: openSettings,
  });
  reveal(card.element);
  await card.done;
  // A reload loses what was asked: that is said below the first answer.
  if (!ph.history.enabled && cards.length === 1)
    showUnkept(card.element, toHistory, () => void showKeeping(ph));
  await showKeeping(ph);
  await lost(ph);
}

/**
 * Asks once all tables are back after a reload: what is protected of one that is missing would not be
 * masked in the question.
 */
async function* asked(talk, question, how) {
  await back;
  yield* talk.ask(question, how);
}

/** What a statement of SQL gives, told as an answer; nothing is sent for it. */
async function* ran(ph, talk, statement, signal) {
  const { id } = await ph.sql(statement, [], { signal });
  yield* talk.ask(statement, { result: id, signal });
}

/**
 * Brings what was asked for into sight where it is under the bar, or most of it would be below the
 * window's edge: with the question above it where there is room for both.
 */
function reveal(element) {
  const topOf = (one) => one.getBoundingClientRect().top;
  const bar = document.querySelector(".bar-ground").getBoundingClientRect().bottom;
  if (topOf(element) >= bar && topOf(element) <= innerHeight * 0.5) return;
  const asking = $("asking");
  const both = !asking.hidden && topOf(element) - topOf(asking) < innerHeight * 0.45;
  (both ? asking : element).scrollIntoView({ block: "start" });
}

function answeredBy(byModel, endpoint = settings().endpoint) {
  return byModel
    ? tx("by_model", { host: shownHost(new URL(endpoint, location.href)) })
    : tx("by_planner");
}

/** Shows an answer as the `n`th of the conversation, which is the last unless others came meanwhile. */
function show(question, around, n = cards.length) {
  const card = answerCard(question, around);
  if (n < cards.length) cards[n].element.after(card.element);
  else $("answers").prepend(card.element);
  cards.splice(n, 0, card);
  $("new-chat").hidden = false;
  $("earlier").hidden = true;
  return card;
}

/** Whether a restart of the engine lost a table; what is lost is not shown any more. */
async function lost(ph) {
  const there = new Set(ph.tables().map(({ name }) => name));
  const gone = [...tables.keys()].filter((name) => !there.has(name));
  for (const name of gone) await forget(ph, name, false);
  if (gone.length > 0) problem({ code: "tables_lost", message: t("tables_lost") });
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

// Conversations

/** Does without the model from now on, or asks it again. */
function doAlone(yes) {
  alone = yes;
  showState();
}

$("alone-end").addEventListener("click", () => {
  doAlone(false);
  $("question").focus();
});

const toHistory = () => $("history-show").click();
$("keep-chat").addEventListener("click", toHistory);

/**
 * Where nothing is on the screen yet, says how many conversations are on the device; where one is that
 * is not kept, and no line says so, offers to keep it.
 */
async function showKeeping(ph) {
  $("keep-chat").hidden = ph.history.enabled || cards.length === 0 || $("unkept") !== null;
  const heads = keeps() ? await ph.history.list().catch(() => []) : [];
  showEarlier(cards.length > 0 || reopened ? [] : heads, toHistory);
}

$("history").addEventListener("close", () => void engine().then(showKeeping, () => undefined));

function clearAnswers() {
  endChats();
  doAlone(false);
  cards = [];
  reopened = undefined;
  $("answers").replaceChildren();
  $("kept").replaceChildren();
  // What was read out of the last answer goes with it.
  announce("");
  $("new-chat").hidden = true;
}

$("new-chat").addEventListener("click", () => {
  clearAnswers();
  $("question").focus();
  void engine().then(showKeeping, () => undefined);
});

/** Says which conversation was opened, what it was about, and how to load that again. */
function showReopened() {
  if (!reopened) return;
  const names = tablesOf(reopened);
  const lacking = names.filter((name) => !tables.has(name));
  const there = names.length > 0 ? lacking.length === 0 : tables.size > 0;
  const when = moment(reopened.created);
  const [sample] = lacking.map(sampleOf).filter(Boolean);
  const key = lacking.length > 1 ? "history_load_several" : "history_load";
  $("kept").replaceChildren(
    h(
      "div",
      { class: "card notice", testid: "kept-note" },
      h(
        "p",
        {},
        tx(there ? "history_go_on" : "history_shown", { when, n: Math.max(names.length, 1) }),
        names.length > 0
          ? [" ", tx("history_about", { names: names.join(", "), n: names.length })]
          : [],
      ),
      there
        ? undefined
        : h(
            "div",
            { class: "row" },
            button(key, () => $("file").click(), { class: "primary", testid: "kept-load" }),
            sample ? button(sample, () => $(sample).click(), { testid: "kept-sample" }) : [],
          ),
    ),
  );
}

/** Shows a conversation that was kept; the next question goes on with it. */
async function reopen(opened) {
  const ph = await engine();
  $("history").close();
  clearAnswers();
  const recall = recallForChat(ph);
  const begun = hasEndpoint()
    ? (chat = ph.chat({ ...chatOptions(), recall, continue: opened }))
    : (planner = ph.chat({ recall, continue: opened }));
  void begun;
  reopened = opened;
  showReopened();
  // The focus would go back to the button that opened the list.
  $("kept").focus({ preventScroll: true });
  reveal($("kept"));
  for (const [n, turn] of opened.turns.entries()) {
    const kept = keptTurn(opened, n);
    const request = turn.events.find(({ type }) => type === "ledger")?.entry;
    const around = {
      ph,
      kept: true,
      local: !request,
      events: kept.events,
      answerWith: (what, signal) => mainChat(ph).ask(turn.question, { ...what, signal }),
      result: kept.result,
      source: () => answeredBy(Boolean(request), request?.endpoint),
      ask: (other) => void ask(other),
    };
    await show(turn.question, around, n).done;
    // Another conversation was begun or opened meanwhile.
    if (reopened !== opened) return;
  }
  $("asking").hidden = tables.size === 0;
  // Until its answers were there the page had no room to scroll that far; who has gone on stays there.
  if ([$("kept"), document.body].includes(document.activeElement)) reveal($("kept"));
}

opens("history-show", "history", "history-body", async (ph, show) => {
  show();
  const questions = () => questionsView($("recall-body"), ph);
  await Promise.all([
    historyView($("history-body"), ph, {
      changed: (keep) => {
        // The conversation on the screen is kept, too, and goes on.
        if (!keep) endChats();
        if (keep) rememberTables();
        else forgetRemembered();
        if (ph.history.enabled) $("unkept")?.remove();
        void questions();
      },
      underWay: () => Boolean(chat ?? planner),
      show: reopen,
      keepQuestions: (keep) => keepQuestions(ph, keep),
      questions: async () => (await recallOf(ph).list()).length,
      deleted,
      forgetQuestions: async (...texts) => {
        await forgetQuestions(ph, ...texts);
        await questions();
      },
    }),
    questions(),
  ]);
});

// Settings, policy, ledger, language

/**
 * Opens a dialog by a button. `fill(ph, show)` calls `show` when there is something to see; before
 * the engine is there, the dialog says so at once.
 */
function opens(opener, name, body, fill) {
  const dialog = $(name);
  $(opener).addEventListener("click", async () => {
    const early = !ready;
    if (early) {
      $(body).replaceChildren(h("p", { class: "working" }, tx("engine_starting")));
      dialog.showModal();
    }
    try {
      // Whoever closed it meanwhile does not see it again.
      await fill(await engine(), () => early || dialog.open || dialog.showModal());
    } catch (error) {
      $(body).replaceChildren(frozen(errorCard(error)));
      if (!early && !dialog.open) dialog.showModal();
    }
  });
}

for (const dialog of document.querySelectorAll("dialog")) {
  watchEdges(dialog);
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
}

// On a phone the ways to another table stand in one line, which is scrolled.
watchEdges(document.querySelector("#load .drop .row"));

setUpSettings(
  () => {
    stopAll();
    chat?.close().catch(() => undefined);
    chat = undefined;
    doAlone(false);
  },
  () => [...infos.values()],
);

opens("policy", "policy-dialog", "policy-body", (ph, show) => {
  const shown = ph.tables().filter(({ name }) => tables.has(name));
  policyView($("policy-body"), ph, shown);
  show();
});

watchPolicy(() => {
  showState();
  refollow();
});

opens("sent", "ledger", "ledger-body", async (ph, show) => {
  ledgerView($("ledger-body"), await ph.ledger.entries(), ph, true);
  show();
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
  await Promise.all([suggest(), ...cards.map((card) => card.relabel())]);
});

showEngine("engine_starting");
translate();
showLanguage();
if (keeps()) awaitEarlier();
delete document.body.dataset.untold;

setUpCarrying({
  engine,
  tables: () => [...tables.keys()].map((name) => ({ name, sample: samples.get(name) })),
  loading: () => loading.loading(),
  came: async (info, { name, sample, chosen }) => {
    if (sample) loading.ofSample(name, sample);
    await loaded(info, sample, chosen);
  },
});
// Without an engine nothing comes back, and nothing else is loaded either.
const back = bringBack().catch(() => undefined);
const loading = setUpLoading({
  engine,
  loaded,
  remove,
  back,
  failed: async () => lost(await engine()),
});
