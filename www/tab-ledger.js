// The ledger of this tab: in memory, and, over a reload that the page does itself, line for line in
// what the tab remembers. It is taken from there once, so that it ends with any other reload.

const KEPT = "pinhole.ledger";

const carried = take();
let leaving = false;

/** Requests that no answer came to, by `nameOf`: whether they left, a browser does not say. */
export const unanswered = new Set(carried.unanswered);

/** Where the page keeps the ledger, unless that is on the device. */
export const tabLedger = {
  name: "memory",
  carried: carried.lines.length > 0,
  lines: async (from) => carried.lines.slice(from),
  keep: async (seq, line) => {
    if (seq <= carried.lines.length) return false;
    carried.lines.push(line);
    // What cannot be listed afterwards is not sent while the page is on its way.
    if (leaving && !write()) throw new Error("the ledger cannot be carried over the reload");
    return true;
  },
};

/** What the ledger holds, as its export has it. */
export const ledgerLines = () => carried.lines.map((line) => `${line}\n`);

/** Puts the ledger where the page finds it after its reload; whether there is room. */
export function putLedgerAway() {
  leaving = write();
  return leaving || carried.lines.length === 0;
}

/** The page stays. */
export function keepLedger() {
  leaving = false;
  forget();
}

function write() {
  if (carried.lines.length === 0 && unanswered.size === 0) return true;
  try {
    const unheard = [...unanswered];
    sessionStorage.setItem(KEPT, JSON.stringify({ lines: carried.lines, unanswered: unheard }));
    return true;
  } catch {
    return false;
  }
}

function take() {
  try {
    const { lines, unanswered: unheard } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    const texts = (list) => (Array.isArray(list) ? list.filter((one) => one === `${one}`) : []);
    return { lines: texts(lines), unanswered: texts(unheard) };
  } catch {
    return { lines: [], unanswered: [] };
  } finally {
    forget();
  }
}

function forget() {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Storage is switched off: nothing is there.
  }
}
