// What was sent: each request with its exact bytes, and whether the chain of hashes holds.

import { button, bytes, download, h, number, tx } from "./dom.js";
import { errorCard } from "./errors.js";
import { language, onLanguage, t } from "./i18n.js";

/** Shows `entries` in `panel`, with buttons that act on the whole ledger of `ph`. */
export function ledgerView(panel, entries, ph, { level }) {
  const outcome = h("p", { testid: "ledger-outcome", role: "status" });
  const verify = async () => {
    try {
      const { ok, seq } = await ph.ledger.verify();
      outcome.className = ok ? "good" : "bad";
      outcome.replaceChildren(tx(ok ? "verified_ok" : "verified_bad", { n: seq }));
    } catch (error) {
      outcome.replaceChildren(errorCard(error));
    }
  };
  const save = async () => {
    try {
      download("pinhole-ledger.jsonl", "application/x-ndjson", [await ph.ledger.export()]);
    } catch (error) {
      outcome.replaceChildren(errorCard(error));
    }
  };
  panel.replaceChildren(
    h(
      "div",
      { class: "row between" },
      h("span", { class: "chip", testid: "ledger-policy" }, tx("policy", { level })),
      h(
        "div",
        { class: "row" },
        button("verify", verify, { testid: "ledger-verify" }),
        button("export", save, { testid: "ledger-export" }),
      ),
    ),
    outcome,
    ...(entries.length === 0
      ? [
          h(
            "div",
            { class: "empty", testid: "nothing-sent" },
            h("p", { class: "strong" }, tx("sent_nothing")),
            h("p", { class: "quiet" }, tx("sent_nothing_text")),
          ),
        ]
      : entries.map(request)),
  );
}

function request(entry) {
  const text = typeof entry.body === "string";
  const body = text ? entry.body : entry.body.hex;
  const size = text ? new TextEncoder().encode(body).length : body.length / 2;
  const when = h("dd");
  const length = h("dd");
  const fill = () => {
    when.textContent = new Date(entry.at).toLocaleString(language());
    length.textContent = `${bytes(size)} (${number(size)})`;
  };
  fill();
  onLanguage(fill);
  return h(
    "article",
    { class: "request", testid: "ledger-entry" },
    h("h3", {}, tx("sent_request", { n: entry.seq })),
    h(
      "dl",
      { class: "facts" },
      h("div", {}, h("dt", {}, tx("sent_time")), when),
      h("div", {}, h("dt", {}, tx("sent_endpoint")), h("dd", {}, h("code", {}, entry.endpoint))),
      h("div", {}, h("dt", {}, tx("sent_bytes")), length),
      h("div", {}, h("dt", {}, "SHA-256"), h("dd", {}, h("code", { class: "hash" }, entry.sha256))),
    ),
    h(
      "details",
      { testid: "ledger-body" },
      h("summary", {}, tx("sent_body")),
      h("pre", { tabIndex: 0 }, body),
    ),
  );
}

/** The text of the page's own counter of requests. */
export function sentLabel(count) {
  return count === 0 ? t("sent_none") : t("sent_some", { n: number(count) });
}
