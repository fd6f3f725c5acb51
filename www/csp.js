// The first script of the page, and a classic one, so that it runs before anything else: writes the
// policy that lets the page reach itself, the saved endpoint, and the saved file hosts. Settings
// that change these reload the page.
(function () {
  "use strict";
  function origin(text) {
    try {
      const url = new URL(text, location.href);
      return /^https?:$/.test(url.protocol) ? url.origin : undefined;
    } catch {
      return undefined;
    }
  }
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem("pinhole.settings") ?? "{}") ?? {};
  } catch {
    // Nothing is saved, or it cannot be read: the page reaches only itself.
  }
  const hosts = Array.isArray(saved.hosts) ? saved.hosts : [];
  const reach = [saved.endpoint ?? "", ...hosts]
    .map(origin)
    .filter((o) => o && o !== location.origin);
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    ["connect-src 'self'", ...new Set(reach)].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  document.head.append(policy);
  const language = saved.language ?? (/^ru\b/i.test(navigator.language) ? "ru" : "en");
  document.documentElement.lang = language === "ru" ? "ru" : "en";
})();
