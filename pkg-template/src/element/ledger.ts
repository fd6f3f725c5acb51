// <pinhole-ledger>: what left the page, each request with its exact bytes, what was withheld and why,
// and whether the chain of hashes holds.

import { type PropertyValues, css, html, nothing } from "lit";
import type { Pinhole } from "../index.js";
import type { LedgerEntry, LedgerProof, Policy, TableInfo } from "../types.js";
import { PinholeElement, SHARED } from "./base.js";
import { giveFile } from "./download.js";
import { type Failure, errorCard, failureOf } from "./errors.js";
import { bytes, momentText } from "./facts.js";
import { CONTROLS, TOKENS } from "./styles.js";
import { isKey } from "./texts.js";
import type { toldOfColumns } from "./told-columns.js";
import { type Protected, protectedColumns, withheldLines } from "./withheld.js";

/** What is told of columns: it comes with the first request that is looked at. */
let toldOf: typeof toldOfColumns | undefined;

export class LedgerView extends PinholeElement {
  static override properties = {
    ...SHARED,
    ph: { attribute: false },
    entries: { attribute: false },
    all: { state: true },
    proof: { state: true },
    policy: { state: true },
    failure: { state: true },
  };

  declare ph: Pinhole | undefined;
  declare entries: LedgerEntry[] | undefined;
  declare private all: LedgerEntry[];
  declare private proof: (LedgerProof & { n: number }) | undefined;
  declare private policy: { is: Required<Policy>; tables: TableInfo[] } | undefined;
  declare private failure: Failure | undefined;
  #unwatch: (() => void) | undefined;

  static override styles = [
    TOKENS,
    CONTROLS,
    css`
      .request {
        display: grid;
        gap: 0.6em;
        padding: 0.7em 0.8em;
        border: 1px solid var(--_line);
        border-radius: 8px;
      }
      summary {
        cursor: pointer;
        font-weight: 500;
      }
      pre {
        max-height: 18em;
        margin-block-start: 0.4em;
        padding: 0.6em 0.8em;
        overflow: auto;
        border-radius: 8px;
        background: var(--_raised);
        white-space: pre-wrap;
      }
      .hash {
        font-size: 0.8em;
      }
    `,
  ];

  constructor() {
    super();
    this.all = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("ph") || changed.has("entries")) this.#follow();
  }

  /** Follows the ledger as it grows. */
  #follow(): void {
    this.#unwatch?.();
    this.#unwatch = this.ph?.ledger.watch(() => void this.#read());
    if (this.ph) void this.#read();
  }

  async #read(): Promise<void> {
    const { ph } = this;
    if (!ph) return;
    try {
      const [all, is] = await Promise.all([ph.ledger.entries(), ph.policy()]);
      if (ph !== this.ph) return;
      this.all = all;
      this.policy = { is, tables: ph.tables() };
      await this.#verify();
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  async #verify(): Promise<void> {
    const { ph } = this;
    if (!ph) return;
    try {
      const proof = await ph.ledger.verify();
      this.proof = { ...proof, n: proof.ok ? this.all.length : (proof.seq ?? 0) };
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  async #export(): Promise<void> {
    try {
      if (!this.ph) return;
      const lines = await this.ph.ledger.export();
      giveFile("pinhole-ledger.jsonl", new Blob([lines], { type: "application/x-ndjson" }));
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  protected override render(): unknown {
    const entries = this.entries ?? this.all;
    return html`<div class="stack">
      ${this.ph ? this.#tools(this.ph) : nothing}
      ${entries.length === 0 ? this.#nothing() : entries.map((entry) => this.#request(entry))}
      ${this.policy ? this.#withheld(this.policy.is, this.policy.tables) : nothing}
      ${this.failure ? errorCard(this.language, this.failure) : nothing}
    </div>`;
  }

  #nothing(): unknown {
    return html`<div data-testid="nothing-sent">
      <p class="strong">${this.t("sent_nothing")}</p>
      <p class="quiet">${this.t(this.entries ? "sent_nothing_text" : "sent_nothing_ledger")}</p>
    </div>`;
  }

  #tools(ph: Pinhole): unknown {
    const { proof } = this;
    const none = proof?.ok === true && proof.n === 0;
    const key = proof?.ok === false ? "chain_bad" : "chain_ok";
    const kept = ph.ledger.kept === "indexeddb" ? "ledger_device" : "ledger_memory";
    const chain = proof ? `${this.t(key, { n: this.n(proof.n) })} · ${this.t(kept)}` : nothing;
    return html`<div class="row between">
      <span
        class="small ${none ? "quiet" : proof?.ok === false ? "bad" : "good"}"
        role="status"
        data-testid="ledger-outcome"
        data-state=${proof ? (proof.ok ? "ok" : "broken") : "unknown"}
      >
        ${none ? this.t("chain_none") : chain}
      </span>
      <span class="row">
        <button
          type="button"
          class="compact"
          data-testid="ledger-verify"
          ?disabled=${none}
          @click=${() => this.#verify()}
        >
          ${this.t("verify")}
        </button>
        <button
          type="button"
          class="compact"
          data-testid="ledger-export"
          ?disabled=${none}
          @click=${() => this.#export()}
        >
          ${this.t("export")}
        </button>
      </span>
    </div>`;
  }

  #request(entry: LedgerEntry): unknown {
    const { body } = entry;
    const shown = typeof body === "string" ? body : body.hex;
    const size =
      typeof body === "string" ? new TextEncoder().encode(body).length : body.hex.length / 2;
    const level = `level_${entry.level}`;
    const list = (values: string[]) =>
      values.length > 0 ? html`<code>${values.join(", ")}</code>` : "–";
    const kept = withheldLines(entry, this.language);
    if (!toldOf)
      void import("./told-columns.js").then((late) => {
        toldOf = late.toldOfColumns;
        this.requestUpdate();
      });
    const told = toldOf?.(entry, this.language) ?? [];
    return html`<article class="request" part="request" data-testid="ledger-entry">
      <h3>${this.t("sent_request", { n: entry.seq })}</h3>
      <dl class="facts small">
        <dt>${this.t("sent_time")}</dt>
        <dd>${momentText(this.language, entry.at)}</dd>
        <dt>${this.t("sent_endpoint")}</dt>
        <dd><code>${entry.endpoint}</code></dd>
        <dt>${this.t("sent_bytes")}</dt>
        <dd>${this.t("sent_size", { size: bytes(this.language, size), n: this.n(size) })}</dd>
        <dt>${this.t("sent_level")}</dt>
        <dd data-testid="ledger-level">${isKey(level) ? this.t(level) : entry.level}</dd>
        <dt>${this.t("sent_columns")}</dt>
        <dd data-testid="said-columns">
          ${
            told.length > 0
              ? told.map(({ what, columns }) => html`<div>${what}: <code>${columns}</code></div>`)
              : "–"
          }
        </dd>
        <dt>${this.t("sent_results")}</dt>
        <dd>${list(entry.results)}</dd>
        ${
          kept.length > 0
            ? html`<dt>${this.t("withheld")}</dt>
                <dd data-testid="said-withheld">
                  ${kept.map((line) => html`<div>${line}</div>`)}
                </dd>`
            : nothing
        }
        <dt>SHA-256</dt>
        <dd><code class="hash">${entry.sha256}</code></dd>
        <dt>${this.t("sent_previous")}</dt>
        <dd><code class="hash">${entry.previous}</code></dd>
      </dl>
      <details>
        <summary>${this.t(typeof body === "string" ? "sent_body" : "sent_hex")}</summary>
        <pre tabindex="0" role="group" aria-label=${this.t("sent_body")} data-testid="ledger-body">
${shown}</pre>
      </details>
    </article>`;
  }

  /** What the policy keeps back, now: a request's own level stands with it. */
  #withheld(policy: Required<Policy>, tables: TableInfo[]): unknown {
    const { k } = policy;
    const line = ({ column, by, flag }: Protected) => {
      const kind = `flag_${flag ?? ""}`;
      const why = isKey(kind) ? ` (${this.t("withheld_flag", { kind: this.t(kind) })})` : "";
      return html`<li>${this.t(`withheld_${by}`, { column, k })}${why}</li>`;
    };
    return html`<div class="small" data-testid="withheld">
      <p class="strong">${this.t("withheld")}</p>
      <p class="quiet">${this.t("withheld_now")}</p>
      <ul>
        <li>${this.t(`withheld_level_${policy.level}`, { k })}</li>
        ${protectedColumns(tables, policy).map(line)}
      </ul>
    </div>`;
  }
}
