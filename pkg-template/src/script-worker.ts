// A worker that runs one script and ends with it. It takes the compiled module from the page and
// has no way to the network, whatever a script could find outside its sandbox.

import { cutNetwork, inWorker } from "./network.js";
import type { Port } from "./rpc.js";
import { serveScript } from "./script-service.js";

if (inWorker()) {
  cutNetwork();
  serveScript(globalThis as unknown as Port);
}
