// Keeps the page's own files, so that it works without a network after the first visit. Kept is code
// alone, by its ending: no table that was loaded from an address, and nothing of another origin. The
// network comes first, so that a page that reaches it is never an old one. The page's own sample is
// one of its files.

const NAME = "pinhole-page";
const HOME = new URL("./", self.location.href);
/** The page itself and its files. */
const CODE = /(?:\/|\.(?:html|js|css|svg|wasm|webmanifest))$/;
const SAMPLE = new URL("penguins.csv", HOME).pathname;

function isCode({ origin, pathname, search }) {
  const own = origin === HOME.origin && pathname.startsWith(HOME.pathname);
  return own && search === "" && (CODE.test(pathname) || pathname === SAMPLE);
}

self.addEventListener("install", (event) => event.waitUntil(gather()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isCode(new URL(url))) event.respondWith(answer(event));
});

/** What a file names of other files: attributes, imports, and addresses beside a module. */
const NAMES = {
  html: /\s(?:src|href)="([^"]+)"/g,
  js: /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"(\.{1,2}\/[^"]+)"/g,
};

/** Fetches everything that the page leads to: also what it would fetch later, as the reader of Parquet. */
async function gather() {
  const cache = await caches.open(NAME);
  const found = new Set([HOME.href]);
  for (const address of found) {
    const response = await fetch(address);
    // A text that looks like an import and is none leads nowhere.
    if (!response.ok) continue;
    const [, ending = "html"] = /\.(\w+)$/.exec(new URL(address).pathname) ?? [];
    const names = NAMES[ending];
    const text = names ? await response.clone().text() : "";
    await cache.put(address, response);
    for (const [, name] of names ? text.matchAll(names) : []) {
      const next = new URL(name, address);
      if (isCode(next)) found.add(next.href);
    }
  }
}

async function answer(event) {
  const { request } = event;
  const cache = await caches.open(NAME);
  const kept = await cache.match(request.url, { ignoreVary: true });
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected && !isSame(kept, response)) {
      event.waitUntil(cache.put(request.url, response.clone()));
    }
    return response;
  } catch (error) {
    const page = request.mode === "navigate" ? await cache.match(HOME.href) : undefined;
    const answered = kept ?? page;
    if (!answered) throw error;
    return answered;
  }
}

/** Whether the server says that what is kept is what it gave now: large files are not written twice. */
function isSame(kept, response) {
  const tag = ["etag", "last-modified"].find((name) => response.headers.has(name));
  return tag !== undefined && kept?.headers.get(tag) === response.headers.get(tag);
}
