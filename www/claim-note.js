// The note of a checked number: opens on hover, on focus and at a press, says which fact the number
// stands on, and leads to its rows. Escape closes it; one is open at a time.

import {
  breakable,
  button,
  cellText,
  h,
  headClass,
  isNumber,
  number,
  scrolling,
  tx,
} from "./dom.js";
import { SIGNS, entityText, factsBehind, measureText, operandTexts, valueText } from "./facts.js";
import { language, onLanguage, t } from "./i18n.js";
import { aboutKey, claimText, isMadeOf, isResting, watchPointer } from "./pinhole/element/facts.js";
import { headText } from "./pinhole/element/heads.js";

const OPEN_AFTER = 150;
const CLOSE_AFTER = 250;
/** Rows and columns of the evidence that a note has room for. */
const ROWS = 3;
const COLUMNS = 4;
/** On a phone a group and its number. */
const FEW = 2;
/** Pixels between a mark and its note, and of the height that a note with its rows may always have. */
const GAP = 4;
const LEAST = 400;

let open;

watchPointer();

/** Closes the note that is open. */
function close() {
  const closing = open;
  // Before the note goes: where it had the focus, going closes it.
  open = undefined;
  closing?.note.remove();
  closing?.mark.setAttribute("aria-expanded", "false");
}

/**
 * Gives a mark its note; `evidence(fact)` opens the rows of a fact, `source(fact, limit)` gives the
 * first of them, `heads(fact)` says what the columns of its result are called.
 */
export function attachNote(mark, words, claim, verdict, { evidence, source, heads }) {
  let timer;
  const later = (work, ms) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
  const isOpen = () => open?.mark === mark;
  const show = () => {
    clearTimeout(timer);
    if (isOpen() || !mark.isConnected) return;
    close();
    const note = noteOf(words, claim, verdict, evidence, heads);
    note.addEventListener("pointerenter", () => clearTimeout(timer));
    note.addEventListener("pointerleave", leave);
    note.addEventListener("focusout", blur);
    note.addEventListener("keydown", keys);
    // What scrolls would cut it.
    (mark.closest("table, pre") ?? mark).after(note);
    mark.setAttribute("aria-expanded", "true");
    open = { mark, note };
    place(mark, note);
    if (!claim.fact || !source) return;
    void showRows(claim, { source, heads }, note, () => open?.note === note && place(mark, note));
  };
  const focused = () =>
    mark === document.activeElement || open?.note.contains(document.activeElement);
  const leave = () => later(() => isOpen() && !focused() && close(), CLOSE_AFTER);
  const blur = ({ relatedTarget }) => {
    if (!isOpen() || relatedTarget === mark || open.note.contains(relatedTarget)) return;
    close();
  };
  const keys = (event) => {
    if (event.key === "Escape" && isOpen()) {
      event.stopPropagation();
      clearTimeout(timer);
      if (open.note.contains(document.activeElement)) mark.focus();
      close();
    } else if (event.target === mark && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (isOpen()) open.note.querySelector("button")?.focus();
      else show();
    }
  };
  // A pointer that rests where a mark comes to stand asks for nothing until it moves.
  let waits = false;
  const comes = (event) => {
    if (event.pointerType !== "mouse") return;
    waits = isResting(event);
    if (!waits) later(show, OPEN_AFTER);
  };
  mark.addEventListener("pointerenter", comes);
  mark.addEventListener("pointermove", (event) => {
    if (waits) comes(event);
  });
  mark.addEventListener("pointerleave", () => {
    waits = false;
    leave();
  });
  mark.addEventListener("focus", show);
  mark.addEventListener("blur", blur);
  mark.addEventListener("click", show);
  mark.addEventListener("keydown", keys);
}

/** Puts the first rows behind a claim into its note, one fact after the other. */
async function showRows(claim, { source, heads }, note, placed) {
  const facts = factsBehind(claim);
  // The result is gone: the fact itself still stands.
  const pages = await Promise.all(facts.map((of) => source(of, ROWS).catch(() => undefined)));
  let last = note.querySelector(".note-facts");
  facts.forEach((of, i) => {
    if (!note.isConnected || !pages[i] || pages[i].rows.length === 0) return;
    const rows = firstRows(of, pages[i], facts.length > 1, heads?.(of));
    last.after(rows);
    last = rows;
    placed();
    // Whoever goes by keys scrolls it, too; what needs no scrolling is no stop.
    const scroll = rows.querySelector(".scroll");
    if (scroll.scrollWidth > scroll.clientWidth) scroll.tabIndex = 0;
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});
onLanguage(close);
document.addEventListener("pointerdown", ({ target }) => {
  if (open && !open.note.contains(target) && !open.mark.contains(target)) close();
});

function noteOf(words, claim, verdict, evidence, heads) {
  const { fact, formula, replaced, actual } = claim;
  const value = fact && valueText(fact);
  const line = (key, text) =>
    text ? [h("span", { class: "note-name" }, tx(key)), h("span", {}, breakable(text))] : [];
  return h(
    "span",
    {
      class: "claim-note",
      role: "group",
      tabIndex: -1,
      testid: "claim-note",
      "aria-label": t("fact_about", { text: words }),
    },
    h(
      "span",
      { class: "note-head" },
      h("span", { class: `sign ${verdict}`, "aria-hidden": "true" }, SIGNS[verdict]),
      h("b", {}, tx(`verdict_${verdict}`)),
    ),
    h("span", { class: "note-about" }, tx(aboutKey(verdict, claim))),
    h(
      "span",
      { class: "note-facts" },
      fact ? line("fact_of", entityText(fact, heads) || t("fact_whole")) : [],
      fact ? line("fact_measure", measureText(fact, heads)) : [],
      line("fact_value", value),
      line("fact_formula", formula),
      line("fact_operands", operandTexts(claim, heads).join("; ")),
      line("fact_draft", replaced),
      replaced ? [] : line("fact_actual", actual && claimText(language(), actual, claim)),
      fact ? line("fact_result", fact.result) : [],
    ),
    fact && evidence
      ? button(
          "fact_rows",
          () => {
            close();
            evidence(fact);
          },
          { class: "small", testid: "claim-evidence" },
        )
      : undefined,
  );
}

/**
 * The first rows that a fact stands on: what it is of and the column that the number is of come
 * first, for on a phone the rest is out of sight.
 */
function firstRows(fact, { columns, rows, total, of }, named, heads = []) {
  const { key } = fact;
  // A query may call it as it likes: `{ weight: "mean(body_mass_g)" }`.
  const column = typeof of === "string" ? of : fact.column;
  const headOf = (i) => heads.find(({ name }) => name === columns[i]) ?? { name: columns[i] };
  const rank = (i) => (columns[i] in key ? 0 : isMadeOf(column, columns[i]) ? 1 : 2);
  const shown = columns
    .map((_, i) => i)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, matchMedia("(max-width: 34rem)").matches ? FEW : COLUMNS);
  const right = shown.map((i) => rows.every((row) => isNumber(row[i])));
  const line = (name, texts) =>
    h(
      "tr",
      {},
      texts.map((text, i) =>
        h(
          name,
          {
            class:
              name === "th" ? headClass(columns[shown[i]], right[i]) : right[i] ? "num" : undefined,
          },
          text,
        ),
      ),
    );
  return h(
    "span",
    { class: "note-rows", testid: "claim-rows" },
    h(
      "span",
      { class: "quiet small" },
      named ? `${entityText(fact, () => heads)}: ` : "",
      tx("fact_first_rows"),
      " ",
      tx("fact_rows_of", { shown: number(rows.length), all: number(total) }),
    ),
    scrolling(
      h(
        "span",
        { class: "scroll", role: "group", "aria-label": t("fact_first_rows") },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            line(
              "th",
              shown.map((i) => breakable(headText(headOf(i)))),
            ),
          ),
          h(
            "tbody",
            {},
            rows.map((row) =>
              line(
                "td",
                shown.map((i) => cellText(row[i], columns[i], headOf(i).names)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Where the room above a mark begins: neither the bar nor the field for questions is ever covered. */
function ceiling() {
  const held = document.querySelectorAll(".bar-ground, #ask-form");
  return Math.max(0, ...Array.from(held, (one) => one.getBoundingClientRect().bottom));
}

/**
 * Under the mark, or above it where there is more room, and where neither has enough beside it; within
 * the text's width, and no higher than what is in sight there: the rest of it is scrolled.
 */
function place(mark, note) {
  const around = note.offsetParent.getBoundingClientRect();
  const [first] = mark.getClientRects();
  const over = ceiling();
  const room = innerHeight - over - 2 * GAP;
  const below = innerHeight - first.bottom - 2 * GAP;
  const above = first.top - over - 2 * GAP;
  note.style.maxHeight = "";
  const { offsetWidth: width, offsetHeight: wanted } = note;
  const up = wanted > below && above > below;
  const most = Math.max(above, below);
  const sides = [first.right + GAP - around.left, first.left - GAP - width - around.left];
  const side = sides.find((left) => wanted > most && left >= 0 && left + width <= around.width);
  const left = side ?? Math.max(0, Math.min(first.left - around.left, around.width - width));
  note.style.left = `${left}px`;
  // Where there is no room on any side, it lies over its mark.
  const limit = side === undefined ? Math.max(most, Math.min(LEAST, room)) : room;
  const height = Math.min(wanted, limit);
  if (height < wanted) note.style.maxHeight = `${height}px`;
  const top = up ? first.top - GAP - height : first.bottom + GAP;
  const held = Math.max(over + GAP, Math.min(top, innerHeight - GAP - height));
  // A mark that is out of sight keeps its note.
  note.style.top = `${(above < 0 || below < 0 ? top : held) - around.top}px`;
}
