// What takes a worker's ways out of it.

/** Everything by which a worker could open a connection or start something that could. */
const NETWORK = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "EventSource",
  "WebTransport",
  "RTCPeerConnection",
  "importScripts",
  "Worker",
  "SharedWorker",
  "caches",
  "FontFace",
  "Notification",
];

/** Removes them from this worker, for good. */
export function cutNetwork(): void {
  for (const name of NETWORK) {
    for (
      let at = globalThis as object | null;
      at;
      at = Object.getPrototypeOf(at) as object | null
    ) {
      Reflect.deleteProperty(at, name);
    }
    Object.defineProperty(globalThis, name, {
      value: undefined,
      configurable: false,
      writable: false,
    });
  }
}

/** Whether this script runs as a worker's. */
export function inWorker(): boolean {
  const scope = globalThis as { WorkerGlobalScope?: new () => object };
  return scope.WorkerGlobalScope !== undefined && globalThis instanceof scope.WorkerGlobalScope;
}
