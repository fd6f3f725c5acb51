// The tools as a server of the Model Context Protocol, over a port or over streams: the handshake,
// the list, calls and their cancelling. There are no resources, so there is none with rows.

import { type Locale, toError } from "./errors.js";
import { checkOptions } from "./options.js";
import { type AdapterOptions, callFor } from "./told.js";
import type { Tools } from "./tool-types.js";

export {
  registerModelContext,
  type ModelContext,
  type ModelContextOptions,
} from "./model-context.js";
export type { AdapterOptions, Told } from "./told.js";

/** The revisions that have the same handshake and the same tools, the latest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** The version of this package. */
const VERSION = "0.1.0";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** Carries messages: plain objects, in order. */
export interface McpTransport {
  send(message: object): void;
  /** Starts; `take` gets each message, and `undefined` for one that cannot be read. */
  start(take: (message: unknown) => void): void;
  close(): void;
}

/** The part of a MessagePort that is needed. */
export interface McpPort {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close?(): void;
}

/** Messages over one end of a `MessageChannel`, a worker or what looks like them. */
export function overPort(port: McpPort): McpTransport {
  return {
    send: (message) => {
      port.postMessage(message);
    },
    start: (take) => {
      port.onmessage = (event) => {
        take(event.data);
      };
    },
    close: () => {
      port.onmessage = null;
      port.close?.();
    },
  };
}

/** Messages as lines of JSON, such as `process.stdin` and `process.stdout` carry. */
export function overStreams(
  input: AsyncIterable<Uint8Array | string>,
  output: { write(text: string): unknown },
): McpTransport {
  let reading = true;
  const line = (text: string, take: (message: unknown) => void) => {
    if (text.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = undefined;
    }
    take(message);
  };
  return {
    send: (message) => {
      output.write(`${JSON.stringify(message)}\n`);
    },
    start: (take) => {
      void (async () => {
        const decoder = new TextDecoder();
        let rest = "";
        for await (const part of input) {
          if (!reading) return;
          rest += typeof part === "string" ? part : decoder.decode(part, { stream: true });
          const lines = rest.split("\n");
          rest = lines.pop() ?? "";
          for (const text of lines) line(text, take);
        }
        line(rest, take);
      })().catch(() => undefined);
    },
    close: () => {
      reading = false;
    },
  };
}

interface Request {
  id: string | number;
  method: string;
  params: Record<string, unknown>;
}

/** Serves the tools of `ph` until `close` is called, which cancels the calls that run. */
export function serveMcp(
  ph: { readonly tools: Tools; readonly locale?: Locale },
  transport: McpTransport,
  options: AdapterOptions & { name?: string; version?: string } = {},
): { close(): void } {
  checkOptions("serveMcp", options, ph.locale);
  const { name = "pinhole", version = VERSION } = options;
  const running = new Map<string | number, AbortController>();
  let closed = false;
  const send = (message: object) => {
    if (!closed) transport.send({ jsonrpc: "2.0", ...message });
  };
  const refuse = (id: string | number | null, code: number, message: string) => {
    send({ id, error: { code, message } });
  };

  const call = async ({ id, params }: Request) => {
    const { name: tool, arguments: args = {} } = params;
    if (typeof tool !== "string") {
      refuse(id, INVALID_PARAMS, "`name` is the name of a tool");
      return;
    }
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const { said, failed } = await callFor(ph.tools, tool, args, abort.signal, options);
      // Nobody waits for the answer to a call that was cancelled.
      if (abort.signal.aborted) return;
      const content = [{ type: "text", text: said.summary }];
      const error = failed ? { isError: true } : {};
      send({ id, result: { content, structuredContent: said, ...error } });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    } finally {
      if (running.get(id) === abort) running.delete(id);
    }
  };

  const serve = async (request: Request): Promise<void> => {
    const { id, method, params } = request;
    switch (method) {
      case "initialize": {
        const asked = params.protocolVersion;
        const protocolVersion = REVISIONS.find((one) => one === asked) ?? REVISIONS[0];
        const capabilities = { tools: { listChanged: true } };
        send({ id, result: { protocolVersion, capabilities, serverInfo: { name, version } } });
        break;
      }
      case "ping":
        send({ id, result: {} });
        break;
      case "tools/list":
        send({ id, result: { tools: await ph.tools.definitions("mcp") } });
        break;
      case "tools/call":
        await call(request);
        break;
      default:
        refuse(id, METHOD_NOT_FOUND, `no method \`${method}\``);
    }
  };

  transport.start((message) => {
    if (closed) return;
    if (message === undefined) {
      refuse(null, PARSE_ERROR, "no JSON");
      return;
    }
    if (!isObject(message)) {
      refuse(null, INVALID_REQUEST, "no request");
      return;
    }
    const { id, method } = message;
    // An answer: nothing is asked of the client.
    if (method === undefined && ("result" in message || "error" in message)) return;
    const params = isObject(message.params) ? message.params : {};
    if (id === undefined && typeof method === "string") {
      if (method === "notifications/cancelled")
        running.get(params.requestId as string | number)?.abort(params.reason);
      return;
    }
    const known = typeof id === "string" || typeof id === "number";
    if (!known || typeof method !== "string") {
      refuse(known ? id : null, INVALID_REQUEST, "no request");
      return;
    }
    serve({ id, method, params }).catch((error: unknown) => {
      refuse(id, INTERNAL_ERROR, toError(error).code);
    });
  });

  const unwatch = ph.tools.watch(() => {
    send({ method: "notifications/tools/list_changed" });
  });
  return {
    close: () => {
      closed = true;
      unwatch();
      transport.close();
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
