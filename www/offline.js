// Lets the browser keep the page's own files: after the first visit it works without a network.

/**
 * Starts keeping them; `ready()` hears that all of them are kept. A browser that does not do so shows the
 * page all the same.
 */
export function keepForOffline(ready) {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("service-worker.js").catch(() => undefined);
  // It is active once its cache is full.
  void navigator.serviceWorker.ready.then(ready);
}
