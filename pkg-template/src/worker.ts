// The worker: the engine and nothing else. It takes the compiled module from the page, and once it
// runs it has no way to the network.

import { isTrap, toFault } from "./errors.js";
import init, { Session } from "./pinhole.js";
import type { Port } from "./rpc.js";
import { serve } from "./service.js";

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

function cutNetwork(): void {
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

const scope = globalThis as { WorkerGlobalScope?: new () => object };
if (scope.WorkerGlobalScope && globalThis instanceof scope.WorkerGlobalScope) {
  const channel = serve(globalThis as unknown as Port, { default: init, Session }, cutNetwork);
  // A trap inside a task of the engine's own reaches no caller, only the global scope.
  const check = (error: unknown) => {
    if (isTrap(error)) channel.die(toFault(error));
  };
  addEventListener("error", (event: ErrorEvent) => {
    check(event.error);
  });
  addEventListener("unhandledrejection", (event) => {
    check(event.reason);
  });
}
