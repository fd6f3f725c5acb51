// A line on the first screen: how many conversations of before are on this device, and the way to them.

import { button, number, tx } from "./dom.js";

const line = document.querySelector("#earlier");

/** Keeps the line's place, so that nothing moves when it is known what it says. */
export function awaitEarlier() {
  line.hidden = false;
}

/** Says how many of `heads` there are; nothing where there are none. `open()` shows them. */
export function showEarlier(heads, open) {
  line.hidden = heads.length === 0;
  // Who has come by the keyboard stays there.
  if (line.hidden || line.dataset.n === String(heads.length)) return;
  line.dataset.n = heads.length;
  line.replaceChildren(
    tx("earlier", { n: number(heads.length) }),
    " ",
    button("history_open", open, { class: "plain", testid: "earlier-open" }),
  );
}
