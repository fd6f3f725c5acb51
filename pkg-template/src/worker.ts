// The worker: the engine and nothing else. It takes the compiled module from the page, and once it
// runs it has no way to the network.

import { isTrap, toFault } from "./errors.js";
import { cutNetwork, inWorker } from "./network.js";
import init, { Session, tasks } from "./pinhole.js";
import type { Port } from "./rpc.js";
import { serve } from "./service.js";

if (inWorker()) {
  const glue = { default: init, Session, tasks };
  const channel = serve(globalThis as unknown as Port, glue, cutNetwork);
  // What traps outside of calls and tasks, where memory is given back, reaches the global scope only.
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
