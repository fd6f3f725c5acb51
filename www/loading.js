// Getting a table in: file, drop, address or sample, with progress and cancel.

import { shownHost, shownName } from "./addresses.js";
import { announce, button, bytes, follow, frozen, h, number, tx } from "./dom.js";
import { reload } from "./carry.js";
import { errorCard } from "./errors.js";
import { language, t } from "./i18n.js";
import { ofFile } from "./pinhole/element/facts.js";
import { tableExpected, tableLacks } from "./policy.js";
import { SAMPLE, sampleStream } from "./sample.js";
import { wordsOf } from "./samples.js";
import { save, settings } from "./settings.js";

/** The sample by the clock of its exchange, whose trading day begins at 18:00 the day before. */
const sampleSource = () => sampleStream({ zone: "new-york" });
const SAMPLE_CLOCK = { market: "futures-us-index" };

/** A public data set beside this script: docs/sample-data.md names its authors. */
const PENGUINS = new URL("./penguins.csv", import.meta.url);
const PENGUINS_READ = {
  nulls: ["NA"],
  units: { bill_length_mm: "mm", bill_depth_mm: "mm", flipper_length_mm: "mm", body_mass_g: "g" },
};

const PENDING = "pinhole.pending-url";

/** Milliseconds after which a load is told to people who listen, and after which again. */
const TOLD = 1000;
const TOLD_AGAIN = 10_000;

/**
 * Wires the load area up. `engine()` gives the engine when it is there; `loaded(info, sample, chosen,
 * shown)` hears of a new table, and which sample it is of, and calls `shown()` once its card is there;
 * `failed()` hears of a load that did not work; `remove(name)` lets a table go.
 * Loads wait for what is `back`. Gives `loading()`, the name of what is being read, and `ofSample(name,
 * sample)` for a table that is there already.
 */
export function setUpLoading({ engine, loaded, failed, remove, back }) {
  const zone = document.querySelector("#load");
  const area = document.querySelector("#loading");
  const file = document.querySelector("#file");
  const url = document.querySelector("#url");
  let running;
  let reading;
  /** The tables that samples are in, by the name of their file: taking one again replaces it. */
  const taken = new Map();

  /** Loads a file as a table of its own name, one of `sample` or the person's; whether it worked. */
  async function load(file, source, total, options = {}, sample = undefined) {
    running?.abort();
    const abort = new AbortController();
    running = abort;
    const wanted = tableName(file);
    reading = wanted;
    // A person knows a file by its name; a sample has none.
    const progress = progressCard(sample ? wanted : file, total, () => abort.abort());
    area.replaceChildren(progress.element);
    bringUp(progress.element);
    try {
      await back;
      const ph = await engine();
      const name = freeName(wanted, ph.tables(), sample ? taken.get(file) : undefined);
      await tableExpected(ph, name, wanted);
      const read = () =>
        ph.load(name, source(), {
          ...options,
          signal: abort.signal,
          onProgress: progress.show,
        });
      const info = await read().catch(async (error) => {
        if (await tableLacks(ph, name, error)) return read();
        throw error;
      });
      for (const [of, table] of taken) if (table === name) taken.delete(of);
      if (sample) taken.set(file, name);
      progress.read();
      announce(t("loaded", { name: info.name, rows: number(info.rows) }));
      // The bar stays as long as nothing is there in its place; another load may have its own by then.
      await loaded(info, name === wanted ? sample : undefined, undefined, () => {
        if (running !== abort) return;
        area.replaceChildren(...(name === wanted ? [] : [sameName(wanted, name, file)]));
      });
      return true;
    } catch (error) {
      if (running !== abort) return false;
      if (error.code === "cancelled") {
        const said = { class: "quiet", testid: "load-cancelled", role: "status" };
        area.replaceChildren(h("p", said, tx("load_cancelled")));
      } else {
        const again = () => load(file, source, total, { onBadRow: "skip" });
        const card = badRows(ofFile(language(), asFailure(error), file), file, again);
        area.replaceChildren(card);
        bringUp(card, true);
      }
      await failed().catch(() => undefined);
      return false;
    } finally {
      progress.quiet();
      if (running === abort) running = undefined;
    }
  }

  /** Says that a table of this name was there, and offers to let that one go. */
  function sameName(old, name, file) {
    return h(
      "div",
      { class: "card notice", testid: "same-name", role: "status" },
      h("p", {}, tx("same_name", { old, name, file })),
      button(
        "replace_old",
        async () => {
          area.replaceChildren();
          await remove(old);
        },
        { testid: "replace-old" },
        { old },
      ),
    );
  }

  async function loadFiles(files) {
    for (const one of files) {
      if (!(await load(one.name, () => one, one.size))) break;
    }
  }

  /**
   * Receipts of a household that does not exist: six tables, which the tools for purchases read. Their
   * names are in the page's language of now, and stay when it changes.
   */
  async function loadHousehold() {
    const { TABLES, csv, household } = await import("./household.js");
    const tables = household({ language: language() });
    for (const name of TABLES) {
      const file = new Blob([csv(tables[name])], { type: "text/csv" });
      const words = wordsOf(name, language());
      if (!(await load(`${name}.csv`, () => file, file.size, words, "household"))) break;
    }
  }

  function loadUrl(text) {
    let address;
    try {
      address = new URL(text.trim(), location.href);
    } catch {
      address = undefined;
    }
    if (text.trim() === "" || !address || !/^https?:$/.test(address.protocol)) {
      const card = frozen(errorCard({ code: "bad_url", message: t("url_bad") }));
      area.replaceChildren(card);
      bringUp(card, false);
      return;
    }
    const { hosts = [], endpoint } = settings();
    const reachable = [location.href, endpoint ?? location.href, ...hosts].map(
      (known) => new URL(known, location.href).origin,
    );
    if (reachable.includes(address.origin)) {
      void load(shownName(address.pathname.split("/").pop()), () => address.href);
      return;
    }
    area.replaceChildren(
      h(
        "div",
        { class: "card ask-host", testid: "host-card", role: "alert" },
        h("p", { class: "strong" }, tx("host_title", { host: shownHost(address) })),
        h("p", { class: "quiet" }, tx("host_text")),
        h(
          "div",
          { class: "row" },
          button(
            "host_allow",
            () =>
              void reload(() => {
                save({ hosts: [...new Set([...hosts, address.origin])] });
                sessionStorage.setItem(PENDING, address.href);
              }),
            { class: "primary", testid: "host-allow" },
          ),
          button("cancel", () => area.replaceChildren(), {
            testid: "host-cancel",
          }),
        ),
      ),
    );
  }

  file.addEventListener("change", () => {
    void loadFiles([...file.files]);
    // The same file can be chosen again.
    file.value = "";
  });
  document.querySelector("#sample").addEventListener("click", () => {
    const read = { ...SAMPLE_CLOCK, ...wordsOf(SAMPLE.name, language()) };
    void load(SAMPLE.name, sampleSource, SAMPLE.bytes, read, "bars");
  });
  document.querySelector("#household").addEventListener("click", () => void loadHousehold());
  document.querySelector("#penguins").addEventListener("click", () => {
    const read = { ...PENGUINS_READ, ...wordsOf("penguins", language()) };
    void load("penguins.csv", () => PENGUINS, undefined, read, "penguins");
  });
  document.querySelector("#url-form").addEventListener("submit", (event) => {
    event.preventDefault();
    loadUrl(url.value);
  });

  let depth = 0;
  const hover = (step) => {
    depth = step === 0 ? 0 : Math.max(0, depth + step);
    zone.classList.toggle("over", depth > 0);
  };
  document.addEventListener("dragenter", () => hover(1));
  document.addEventListener("dragleave", () => hover(-1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    hover(0);
    void loadFiles([...(event.dataTransfer?.files ?? [])]);
  });

  const pending = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  if (pending) void back.then(() => loadUrl(pending));

  return {
    loading: () => (running ? reading : undefined),
    ofSample: (name, sample) => taken.set(sample === "bars" ? SAMPLE.name : `${name}.csv`, name),
  };
}

/** Brings a load, or what has failed, into sight: the area for it may be below the window's edge. */
function bringUp(card, focus = false) {
  if (focus) {
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
  }
  card.scrollIntoView({ block: "nearest" });
}

/** The parts of an error that are told. */
const asFailure = ({ code, message, diagnostics }) => ({ code, message, diagnostics });

/** The failure of a file; one of a row can be gone past, which an option of the interface says otherwise. */
function badRows(error, name, skip) {
  const title = tx("file_failed", { name: name || "–" });
  if (error.code !== "bad_row") return frozen(errorCard(error, { title }));
  const diagnostics = error.diagnostics.map(({ fix, ...diagnostic }) => diagnostic);
  const actions = [button("skip_bad_rows", () => void skip(), { testid: "skip-bad-rows" })];
  return frozen(errorCard({ ...error, diagnostics }, { title, actions }));
}

/** Of a packed file, and of what is in it. */
const PACKED = /\.(gz|gzip|zst|zstd)$/i;
const ENDING = /\.([a-z0-9]{1,5}|ndjson|geojson|feather|parquet)$/i;

/** A table's name from a file's: letters, digits and underscores of any script. */
function tableName(fileName) {
  const stem = decodeName(fileName ?? "")
    .replace(PACKED, "")
    .replace(ENDING, "");
  const name = stem.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^_+|_+$/g, "");
  return /^\p{L}/u.test(name) ? name : `table_${name}`.replace(/_$/, "");
}

/** The name, or the name with a number where a table has it; `own` may be taken again. */
function freeName(name, tables, own) {
  const taken = new Set(tables.map((table) => table.name.toLowerCase()));
  if (own !== undefined) taken.delete(own.toLowerCase());
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name}_${n}`;
  return free;
}

function decodeName(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function progressCard(name, size, cancel) {
  const bar = h("progress", { max: 1, testid: "load-progress" });
  const label = h("p", { class: "strong", testid: "load-name" });
  const detail = h("p", { class: "quiet small", testid: "load-detail" });
  let last = { phase: "reading", bytes: 0, rows: 0 };
  const draw = () => {
    const total = last.total ?? size;
    const part = total ? Math.min(1, last.bytes / total) : undefined;
    label.textContent = t(last.phase === "finishing" ? "loading_finish" : "loading", { name });
    const read = t(total ? "loading_detail_total" : "loading_detail", {
      bytes: bytes(last.bytes),
      total: total ? bytes(total) : "",
      rows: number(last.rows),
    });
    // What is nearly all is not all.
    const percent = { style: "percent", maximumFractionDigits: 0 };
    const share = () => number(Math.floor(part * 100) / 100, percent);
    detail.textContent = part === undefined ? read : `${share()} · ${read}`;
    if (last.phase === "finishing" || part === undefined) bar.removeAttribute("value");
    else bar.value = part;
    bar.setAttribute("aria-label", label.textContent);
  };
  follow(label, draw);
  // Of a load that is soon done it is enough to hear that it is.
  const tell = () => {
    announce(`${label.textContent}. ${detail.textContent}. ${t("loading_stop")}`);
    telling = setTimeout(tell, TOLD_AGAIN);
  };
  let telling = setTimeout(tell, TOLD);
  const stop = button("cancel", cancel, { testid: "load-cancel" });
  return {
    element: h(
      "section",
      { class: "card loading", testid: "loading" },
      h("div", { class: "row between" }, label, stop),
      bar,
      detail,
    ),
    show(progress) {
      last = progress;
      draw();
    },
    /** All is read: from now on there is nothing to cancel. */
    read() {
      stop.disabled = true;
      clearTimeout(telling);
    },
    quiet: () => clearTimeout(telling),
  };
}
