// The sandbox's side of the calls: one script, then it ends. The same in a worker and in place.

import { PinholeError } from "./errors.js";
import { Channel, type Port } from "./rpc.js";
import { type Place, ScriptFailure, runInSandbox } from "./script-sandbox.js";

/** What a script is run with. */
export interface ScriptCall {
  module: WebAssembly.Module;
  script: string;
  context: string;
  now: number;
}

/** How a script ended: what it returned, in JSON, or why it failed, and where. */
export type ScriptEnd =
  { returned: string | undefined } | { failed: string; detail: string; place?: Place | undefined };

/** Serves the page's calls on `port`. */
export function serveScript(port: Port): Channel {
  const channel: Channel = new Channel(port, async (op, args, context): Promise<ScriptEnd> => {
    if (op !== "run") throw new PinholeError("internal", `no call \`${op}\``);
    const { module, script, ...about } = args[0] as ScriptCall;
    context.emit("started");
    try {
      const ask = (kind: "query" | "sql", query: string) =>
        channel.call<string>("ask", [kind, query]);
      return { returned: await runInSandbox(module, script, { ...about, ask }) };
    } catch (error) {
      if (error instanceof ScriptFailure) {
        const { code, detail, place } = error;
        return { failed: code, detail, place };
      }
      return { failed: "script_crashed", detail: String(error) };
    }
  });
  return channel;
}
