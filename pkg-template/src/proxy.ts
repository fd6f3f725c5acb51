// A reference proxy: keeps the key of a model's endpoint out of the page. It passes on exactly the
// bytes that the page's ledger holds, and nothing else: no cookie, no header, no key in either
// direction. For Node; small on purpose, to be read and changed.

import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";

/** How the proxy works. */
export interface ProxyOptions {
  /** Where requests are passed on to: the whole address of the model's endpoint. */
  to: string;
  /** Its format: says how the key is written. */
  wire: "openai-chat" | "openai-responses" | "anthropic";
  /** The key, if the endpoint wants one. Stays here. */
  key?: string;
  /** Models that may be asked for; no other is. */
  models: string[];
  /** The path that is served; default `/api/chat`. */
  path?: string;
  /** Origins of pages that may call from elsewhere; the proxy's own is always one. */
  origins?: string[];
  /** Most bytes of a request; default 256 KiB. */
  maxBytes?: number;
  /** Most requests of one client in a minute; default 30. */
  perMinute?: number;
  /** Most milliseconds until the endpoint begins to answer; default 120 000. */
  timeout?: number;
  /** Told of each request once it is over: never its content. */
  log?: (line: string) => void;
}

/** A proxy that listens. */
export interface RunningProxy {
  /** Its address, with the path. */
  url: string;
  close(): Promise<void>;
}

const MAX_BYTES = 256 * 1024;
const PER_MINUTE = 30;
const TIMEOUT = 120_000;
/** Clients that the limit remembers at a time. */
const MOST_CLIENTS = 10_000;
/** Bytes of an error of the endpoint that are passed on. */
const MOST_ERROR = 16 * 1024;

/** A refusal, as the page's conversation reads it: `error.message` goes to the person. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** Starts a proxy; port 0 takes a free one. */
export async function startProxy(
  options: ProxyOptions,
  port = 8787,
  host = "127.0.0.1",
): Promise<RunningProxy> {
  const target = new URL(options.to);
  if (target.protocol !== "https:" && target.protocol !== "http:") {
    throw new TypeError(`cannot pass on to ${target.protocol}`);
  }
  if (options.models.length === 0) throw new TypeError("name the models that may be asked for");
  const path = options.path ?? "/api/chat";
  const limit = new RateLimit(options.perMinute ?? PER_MINUTE);
  const server: Server = createServer((request, response) => {
    const begun = Date.now();
    void serve(request, response, options, path, limit).then((status) => {
      options.log?.(`${request.method ?? "?"} ${status} ${Date.now() - begun} ms`);
    });
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  const own = server.address()?.port ?? port;
  return {
    url: `http://${host}:${own}${path}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

/** Answers one request; its status, 0 where the client left. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
  path: string,
  limit: RateLimit,
): Promise<number> {
  let cors: Record<string, string> = {};
  try {
    cors = crossOrigin(request, options.origins ?? []);
    if ((request.url ?? "").split("?")[0] !== path) throw new Refusal(404, "there is nothing here");
    if (request.method === "OPTIONS") {
      response.writeHead(204, { ...cors, "content-length": 0 });
      response.end();
      return 204;
    }
    if (request.method !== "POST") throw new Refusal(405, "only POST", { allow: "POST, OPTIONS" });
    limit.take(request.socket.remoteAddress ?? "", Date.now());
    const body = await readBody(request, options.maxBytes ?? MAX_BYTES);
    checkBody(body, options.models);
    return await passOn(body, response, options, cors);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      // The answer broke off: the page must not take it for a whole one.
      response.destroy();
      return 0;
    }
    const refusal = error instanceof Refusal ? error : new Refusal(500, "the proxy failed");
    request.resume();
    response.writeHead(refusal.status, {
      ...cors,
      ...refusal.headers,
      "content-type": "application/json",
      "cache-control": "no-store",
    });
    response.end(JSON.stringify({ error: { message: refusal.message } }));
    return refusal.status;
  }
}

/**
 * Who may call: pages of the proxy's own origin, and those that are named. Browsers say where a
 * page is from; what says nothing is no browser.
 */
function crossOrigin(request: IncomingMessage, origins: string[]): Record<string, string> {
  const { origin, host } = request.headers;
  if (origin === undefined) return {};
  if (origins.includes(origin)) {
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type",
      // A page may read how long it should wait.
      "access-control-expose-headers": "retry-after",
      vary: "origin",
    };
  }
  const own = origin === `http://${host ?? ""}` || origin === `https://${host ?? ""}`;
  if (!own) throw new Refusal(403, "pages of this origin may not use the proxy");
  return {};
}

/** The body, as long as it is not too long. */
async function readBody(request: IncomingMessage, most: number): Promise<Uint8Array> {
  // A form of a foreign page cannot send this type without asking first.
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal(415, "the body must be application/json");
  }
  const tooLong = new Refusal(413, `the request has more than ${most} bytes`, {
    connection: "close",
  });
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLong;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.byteLength;
    // What is too long is read to its end all the same, or the client would not hear of it.
    if (length > most) parts.length = 0;
    else parts.push(part);
  }
  if (length > most) throw tooLong;
  const body = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.byteLength;
  }
  return body;
}

/** The body must be a request for a model on the list. It is passed on as it is. */
function checkBody(body: Uint8Array, models: string[]): void {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, "the body is no JSON");
  }
  const model = (value as { model?: unknown } | null)?.model;
  if (typeof model !== "string" || !models.includes(model)) {
    throw new Refusal(403, `this model is not allowed; allowed: ${models.join(", ")}`);
  }
}

/** What the endpoint is told beside the body. */
function headersFor({ wire, key }: ProxyOptions): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (wire === "anthropic") {
    headers["anthropic-version"] = "2023-06-01";
    if (key) headers["x-api-key"] = key;
  } else if (key) {
    headers["authorization"] = `Bearer ${key}`;
  }
  return headers;
}

async function passOn(
  body: Uint8Array,
  response: ServerResponse,
  options: ProxyOptions,
  cors: Record<string, string>,
): Promise<number> {
  const abort = new AbortController();
  // A page that leaves ends the request at the endpoint too.
  response.on("close", () => {
    abort.abort();
  });
  const timer = setTimeout(() => {
    abort.abort();
  }, options.timeout ?? TIMEOUT);
  let answer: Response;
  try {
    answer = await fetch(options.to, {
      method: "POST",
      headers: headersFor(options),
      body: body as BodyInit,
      signal: abort.signal,
      // The key goes to this address and nowhere else.
      redirect: "error",
    });
  } catch {
    if (response.destroyed) return 0;
    throw abort.signal.aborted
      ? new Refusal(504, "the endpoint does not answer")
      : new Refusal(502, "the endpoint cannot be reached");
  } finally {
    clearTimeout(timer);
  }
  if (answer.status === 401 || answer.status === 403) {
    // Such errors like to quote the key.
    await answer.body?.cancel();
    throw new Refusal(answer.status, "the endpoint refuses the proxy's key");
  }
  const headers: Record<string, string> = {
    ...cors,
    "content-type": answer.headers.get("content-type") ?? "application/octet-stream",
    "cache-control": "no-store",
    // Servers before this one are not to collect the stream.
    "x-accel-buffering": "no",
  };
  const wait = answer.headers.get("retry-after");
  if (wait !== null) headers["retry-after"] = wait;
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  const redactor = new Redactor(options.key);
  let left = answer.ok ? Infinity : MOST_ERROR;
  const reader = answer.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || left <= 0) break;
    const part = redactor.push(value.subarray(0, left));
    left -= value.byteLength;
    // A page that reads slowly slows the endpoint down.
    if (part.byteLength > 0 && !response.write(part)) await drained(response);
    if (response.destroyed) return 0;
  }
  await reader?.cancel();
  response.end(redactor.finish());
  return answer.status;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    response.once("drain", done);
    response.once("close", done);
  });
}

/** Takes the key out of whatever passes, wherever the bytes are cut. */
export class Redactor {
  readonly #key: Uint8Array;
  #held = new Uint8Array(0);

  constructor(key: string | undefined) {
    this.#key = new TextEncoder().encode(key ?? "");
  }

  /** What of the bytes so far can go on: all but an end that may be the beginning of the key. */
  push(bytes: Uint8Array): Uint8Array {
    const key = this.#key;
    if (key.byteLength === 0) return bytes;
    const all = new Uint8Array(this.#held.byteLength + bytes.byteLength);
    all.set(this.#held);
    all.set(bytes, this.#held.byteLength);
    let length = 0;
    let at = 0;
    while (at < all.byteLength) {
      const same = matches(all, at, key);
      if (at + same === all.byteLength && same < key.byteLength) break;
      if (same === key.byteLength) {
        const stars = Math.min(3, key.byteLength);
        all.fill(0x2a, length, length + stars);
        length += stars;
        at += key.byteLength;
      } else {
        all[length++] = all[at++] as number;
      }
    }
    this.#held = all.slice(at);
    return all.subarray(0, length);
  }

  /** The rest. */
  finish(): Uint8Array {
    return this.#held;
  }
}

/** How many bytes of `key` stand in `all` at `at`. */
function matches(all: Uint8Array, at: number, key: Uint8Array): number {
  let same = 0;
  while (same < key.byteLength && at + same < all.byteLength && all[at + same] === key[same]) {
    same += 1;
  }
  return same;
}

/** A bucket a client: full at first, filled again as time goes by. */
class RateLimit {
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(private readonly perMinute: number) {}

  take(client: string, now: number): void {
    const before = this.#buckets.get(client) ?? { left: this.perMinute, at: now };
    const filled = before.left + ((now - before.at) * this.perMinute) / 60_000;
    const left = Math.min(this.perMinute, filled) - 1;
    this.#buckets.delete(client);
    this.#buckets.set(client, { left: Math.max(left, 0), at: now });
    if (this.#buckets.size > MOST_CLIENTS) {
      // The one that was not heard of for longest.
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    if (left < 0) {
      const seconds = Math.max(1, Math.ceil((-left * 60) / this.perMinute));
      throw new Refusal(429, "too many requests", { "retry-after": String(seconds) });
    }
  }
}
