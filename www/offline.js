// Lets the browser keep the page's own files: after the first visit it works without a network.

/** Starts keeping them. A browser that does not do so shows the page all the same. */
export function keepForOffline() {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("service-worker.js").catch(() => undefined);
}
