// The key that is sent to the endpoint: in memory alone. Over the reload that a new address takes it
// goes in two halves, random bytes in the tab's name and what the key differs from them by in what the
// tab remembers. Neither says anything of it, and both are taken from there as soon as the page is back.

const KEPT = "pinhole.key";
/** How long, in milliseconds, a reload may take: who comes back later types it again. */
const PATIENCE = 60_000;

let key = take();

/** The key; empty for none. */
export function keyNow() {
  return key;
}

/** Changes the key; empty for none. */
export function setKey(next) {
  key = next;
}

/** Puts a key where the page finds it after its reload. */
export function putKeyAway(next) {
  if (next === "") return;
  const bytes = new TextEncoder().encode(next);
  const random = crypto.getRandomValues(new Uint8Array(bytes.length));
  try {
    const half = [...differing(bytes, random)];
    sessionStorage.setItem(KEPT, JSON.stringify({ half, at: Date.now() }));
    window.name = JSON.stringify([...random]);
  } catch {
    // Storage is switched off: it is typed again.
  }
}

function take() {
  try {
    const kept = sessionStorage.getItem(KEPT);
    if (kept === null) return "";
    sessionStorage.removeItem(KEPT);
    const { half, at } = JSON.parse(kept);
    const random = JSON.parse(window.name);
    window.name = "";
    if (!(Date.now() - at < PATIENCE) || half.length !== random.length) return "";
    return new TextDecoder().decode(differing(half, random));
  } catch {
    return "";
  }
}

function differing(bytes, others) {
  return Uint8Array.from(bytes, (byte, i) => byte ^ others[i]);
}
