// Keeps the page's own files, so that it works without a network after the first visit. Kept is code
// alone, by its ending: no table that was loaded from an address, and nothing of another origin. The
// network comes first, so that a page that reaches it is never an old one. The page's own sample is
// one of its files.
//
// Each build has a cache of its own, filled with all its files before the build takes over: what is
// shown without a network is of one build, and what only an earlier one had is gone.

/** Of this build alone: `cargo xtask` writes a hash of all its files here (xtask/src/build.rs). */
const BUILD = "unbuilt";
const HOME = new URL("./", self.location.href);
/** The caches of this page, of other builds too; pages beside it have caches of their own. */
const OURS = `pinhole-page ${HOME.pathname} `;
const NAME = OURS + BUILD;
/** The one cache that there was before each build had its own. */
const FORMER = "pinhole-page";
/** The page itself and its files. */
const CODE = /(?:\/|\.(?:html|js|css|svg|wasm|webmanifest))$/;
const SAMPLE = new URL("penguins.csv", HOME).pathname;

function isCode({ origin, pathname, search }) {
  const own = origin === HOME.origin && pathname.startsWith(HOME.pathname);
  return own && search === "" && (CODE.test(pathname) || pathname === SAMPLE);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isCode(new URL(url))) event.respondWith(answer(event.request));
});

async function install() {
  try {
    await gather();
  } catch (error) {
    // Half a build is none: the one before stays, and the next visit tries again.
    await caches.delete(NAME);
    throw error;
  }
  await self.skipWaiting();
}

async function takeOver() {
  const names = await caches.keys();
  const old = names.filter((name) => name === FORMER || (name.startsWith(OURS) && name !== NAME));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

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
    // The browser's own cache may hold a file of an earlier build.
    const response = await fetch(address, { cache: "no-cache" });
    // A text that looks like an import and is none leads nowhere.
    if (response.status === 404) continue;
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
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

/** From the network, or as it is kept where nothing answers there or the server itself fails. */
async function answer(request) {
  const came = fetch(request);
  const response = await came.catch(() => undefined);
  if (response?.status < 500) return response;
  const cache = await caches.open(NAME);
  const kept = await cache.match(request.url, { ignoreVary: true });
  const page = request.mode === "navigate" ? await cache.match(HOME.href) : undefined;
  return kept ?? page ?? came;
}
