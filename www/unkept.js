// A line below the first answer: where conversations are not kept, a reload loses them.

import { button, h, tx } from "./dom.js";
import { save, settings } from "./settings.js";

/**
 * Shows the line below `card`, unless it was read before; `keep()` opens where consent is given, and
 * `wasRead()` hears that the line is gone.
 */
export function showUnkept(card, keep, wasRead) {
  if (settings().unkept === false || !card.isConnected) return;
  const read = () => {
    save({ unkept: false });
    line.remove();
    wasRead();
    document.querySelector("#question").focus({ preventScroll: true });
  };
  const line = h(
    "p",
    { id: "unkept", class: "quiet small", testid: "unkept" },
    tx("unkept"),
    " ",
    button("unkept_keep", keep, { class: "plain", testid: "unkept-keep" }),
    button("unkept_read", read, { class: "plain", testid: "unkept-read" }),
  );
  card.after(line);
}
