// Lets the tests run the real worker script in a thread of Node: a global scope such as browsers
// give their workers, then the script itself.

import { parentPort, workerData } from "node:worker_threads";

class WorkerGlobalScope {}
Object.setPrototypeOf(globalThis, WorkerGlobalScope.prototype);
globalThis.WorkerGlobalScope = WorkerGlobalScope;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = () => undefined;

await import(workerData);
parentPort.on("message", (data) => globalThis.onmessage({ data }));
