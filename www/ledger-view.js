// What was sent: each request with its exact bytes, and whether the chain of hashes holds.

import {
  breakable,
  button,
  bytes,
  download,
  follow,
  frozen,
  h,
  moment,
  number,
  tx,
} from "./dom.js";
import { errorCard } from "./errors.js";
import { language, t } from "./i18n.js";
import { toldOfColumns } from "./pinhole/element/told-columns.js";
import { withheldLines } from "./pinhole/element/withheld.js";
import { levelNow } from "./policy.js";
import { settings } from "./settings.js";
import { unanswered } from "./tab-ledger.js";

const nameOf = ({ seq, sha256 }) => `${seq} ${sha256}`;

/** Hears that no server answered these requests. */
export function noteUnanswered(entries) {
  for (const entry of entries) unanswered.add(nameOf(entry));
}

/**
 * Shows `entries` in `panel`. With `ph` the whole ledger is verified at once and can be exported;
 * entries of a conversation that was kept belong to a ledger that is no more. `whole` says that they
 * are all that the page sent, not one question's.
 */
export function ledgerView(panel, entries, ph, whole = false) {
  const level = h("span", { class: "chip", testid: "ledger-policy" });
  follow(level, () => (level.textContent = t("policy", { level: t(`level_${levelNow()}`) })));
  const chain = ph && tools(ph);
  panel.replaceChildren(
    h("div", { class: "row between" }, level, chain?.buttons ?? ""),
    chain?.outcome ?? "",
    ...(entries.length === 0
      ? [
          h(
            "div",
            { class: "empty", testid: "nothing-sent" },
            h("p", { class: "strong" }, tx("sent_nothing")),
            h("p", { class: "quiet" }, tx(whole ? "ledger_empty" : "sent_nothing_text")),
          ),
        ]
      : entries.map((entry) => request(entry, ph && unanswered.has(nameOf(entry))))),
  );
}

/** The state of the chain, and the export. */
function tools(ph) {
  const outcome = h("div", { testid: "ledger-outcome", role: "status" });
  const failed = (error) => outcome.replaceChildren(frozen(errorCard(error)));
  const verify = async () => {
    try {
      const entries = await ph.ledger.entries();
      const { ok, seq } = await ph.ledger.verify();
      const n = ok ? entries.length : seq;
      // There is nothing to verify and nothing to save.
      for (const one of buttons.children) one.disabled = ok && entries.length === 0;
      const mark = ok ? "good" : "bad";
      outcome.className = `chain ${entries.length === 0 && ok ? "quiet" : mark}`;
      outcome.dataset.state = ok ? "ok" : "broken";
      outcome.replaceChildren(
        ...(entries.length === 0
          ? [tx("chain_none")]
          : [
              tx(ok ? "chain_ok" : "chain_bad", { n }),
              ", ",
              tx(ph.ledger.kept === "indexeddb" ? "ledger_device" : "ledger_memory"),
            ]),
      );
    } catch (error) {
      failed(error);
    }
  };
  const save = async () => {
    try {
      download("pinhole-ledger.jsonl", "application/x-ndjson", [await ph.ledger.export()]);
    } catch (error) {
      failed(error);
    }
  };
  void verify();
  const buttons = h(
    "div",
    { class: "row" },
    button("verify", verify, { testid: "ledger-verify" }),
    button("export", save, { testid: "ledger-export" }),
  );
  return { buttons, outcome };
}

function request(entry, silent) {
  const text = typeof entry.body === "string";
  const body = text ? entry.body : entry.body.hex;
  const size = text ? new TextEncoder().encode(body).length : body.length / 2;
  const fact = (key, value) => h("div", {}, h("dt", {}, tx(key)), value);
  const code = (value, props) => h("dd", {}, h("code", props, value));
  const list = (values) =>
    values?.length > 0 ? code(breakable(values.join(", "))) : h("dd", {}, "–");
  const withheld = entry.withheld ?? [];
  return h(
    "article",
    { class: "request", testid: "ledger-entry" },
    h("h3", {}, tx("sent_request", { n: entry.seq })),
    silent ? h("p", { class: "small", testid: "ledger-silent" }, tx("sent_silent")) : "",
    h(
      "dl",
      { class: "facts" },
      fact(
        "sent_time",
        followed((dd) => (dd.textContent = moment(entry.at))),
      ),
      fact("sent_endpoint", code(entry.endpoint)),
      fact(
        "sent_bytes",
        followed((dd) => (dd.textContent = t("sent_size", { size: bytes(size), n: number(size) }))),
      ),
      fact(
        "sent_level",
        followed((dd) => (dd.textContent = t(`level_${entry.level}`))),
      ),
      h("div", { class: "whole" }, h("dt", {}, tx("sent_columns")), columnsTold(entry)),
      fact("sent_results", list(entry.results)),
      withheld.length > 0
        ? h("div", { class: "whole" }, h("dt", {}, tx("withheld")), keptBack(entry))
        : "",
      h("div", {}, h("dt", {}, "SHA-256"), h("dd", {}, h("code", { class: "hash" }, entry.sha256))),
      fact("sent_previous", code(entry.previous, { class: "hash" })),
    ),
    h(
      "details",
      { testid: "ledger-body" },
      h("summary", {}, tx("sent_body")),
      h("pre", { tabIndex: 0 }, body),
    ),
  );
}

/** What the request says of columns: their names and types are something, too. */
function columnsTold(entry) {
  const lines = h("dd", { testid: "said-columns" });
  return follow(lines, () => {
    const told = toldOfColumns(entry, language());
    lines.replaceChildren(
      ...told.map(({ what, columns }) =>
        h("div", {}, `${what}: `, h("code", {}, breakable(columns))),
      ),
      told.length === 0 ? "–" : "",
    );
  });
}

/** What the request does not say, and why. */
function keptBack(entry) {
  const lines = h("dd", { testid: "said-withheld" });
  return follow(lines, () =>
    lines.replaceChildren(...withheldLines(entry, language()).map((line) => h("div", {}, line))),
  );
}

function followed(fill) {
  const element = h("dd");
  return follow(element, () => fill(element));
}

/** The text of the page's own counter of requests. */
export function sentLabel(count) {
  const silent = Math.min(unanswered.size, count);
  // A ledger that is not kept says nothing of the visits before.
  if (count === 0) return t(settings().sent ? "sent_none_since" : "sent_none");
  const sent = t("sent_some", { n: number(count - silent) });
  if (silent === 0) return sent;
  return count === silent
    ? t("sent_only_silent", { n: number(silent) })
    : `${sent}, ${t("sent_also_silent", { n: number(silent) })}`;
}
