// The Query tab where a tool other than `query` gave the answer: what it was called with, and all
// that it found.

import { h, tx } from "./dom.js";

/** Shows a call, as the event of its result tells it, in `panel`. */
export function callView(panel, { tool, input, output }) {
  panel.replaceChildren(
    h("p", { class: "small quiet" }, tx("call_label")),
    h("pre", { testid: "call-text", tabindex: 0 }, `${tool} ${JSON.stringify(input, null, 2)}`),
    ...(output === undefined
      ? []
      : [
          h(
            "details",
            { testid: "call-output" },
            h("summary", {}, tx("call_output")),
            h("pre", { tabindex: 0 }, JSON.stringify(output, null, 2)),
          ),
        ]),
  );
}
