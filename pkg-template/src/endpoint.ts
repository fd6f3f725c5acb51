// Where a conversation's requests go, and the one place where they are made.

import { type Locale, hostError } from "./errors.js";
import { resolveUrl } from "./platform.js";
import type { ChatOptions, Transport } from "./types.js";

/** Parameters in an address that carry a key, by the last word of their name. */
const KEY_PARAMETER =
  /(^|[-_.])(api[-_]?key|key|token|secret|auth|authorization|password|passwd|bearer|sig|signature)$/i;

/** Values that look like a key wherever they stand: `sk-…` and what providers have made of it. */
const KEY_VALUE = /^(sk|pk|rk|key|gsk|xai|hf|AIza|Bearer)[-_ ]?[\w-]{16,}$/;

/** A checked target of requests. Keys stay inside. */
export interface Endpoint {
  /** The address as the ledger may know it: without anything secret. */
  readonly shown: string;
  /** How long it may send nothing, in ms. */
  readonly timeout: number | undefined;
  /** Sends a body; rejects when nothing answers. */
  send(body: string, signal: AbortSignal): Promise<Response>;
}

/** Checks the options and makes the target; `undefined` without endpoint and transport. */
export function makeEndpoint(options: ChatOptions, locale: Locale): Endpoint | undefined {
  guard(options, locale);
  const { endpoint, transport, headers, timeout } = options;
  // Timers of browsers hold no more, and end at once.
  if (timeout !== undefined && !(timeout > 0 && timeout < 2 ** 31)) {
    throw hostError("bad_option", locale, `timeout: ${String(timeout)}`);
  }
  if (endpoint === undefined && !transport) return undefined;
  const url = endpoint === undefined ? undefined : resolveUrl(endpoint, locale);
  if (url && url.protocol !== "https:" && url.protocol !== "http:") {
    throw hostError("bad_option", locale, `endpoint: ${url.protocol}`);
  }
  return {
    shown: url ? withoutSecrets(url) : "transport",
    timeout,
    async send(body, signal) {
      guard(options, locale);
      const all = { ...withoutType(headers), "content-type": "application/json" };
      return transport
        ? await byTransport(transport, url, all, body, signal)
        : await byFetch(url as URL, all, body, signal);
    },
  };
}

/** The page's headers without that of the body's type, however it is spelt: it would be sent twice. */
function withoutType(headers: Record<string, string> = {}): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
  return Object.fromEntries(others);
}

/** Whatever is a key needs the caller's explicit word. */
function guard(options: ChatOptions, locale: Locale): void {
  if (options.dangerouslyAllowBrowserKey === true) return;
  if (options.headers && Object.keys(options.headers).length > 0) {
    throw hostError("key_in_browser", locale, "headers");
  }
  if (options.endpoint !== undefined && hasSecret(resolveUrl(options.endpoint, locale))) {
    throw hostError("key_in_browser", locale, "endpoint");
  }
}

function hasSecret(url: URL): boolean {
  if (url.username !== "" || url.password !== "" || hasSecretPath(url)) return true;
  return [...url.searchParams].some(
    ([name, value]) => KEY_PARAMETER.test(name) || KEY_VALUE.test(value),
  );
}

function hasSecretPath(url: URL): boolean {
  return url.pathname.split("/").some((part) => KEY_VALUE.test(part));
}

function withoutSecrets(url: URL): string {
  if (!hasSecret(url)) return url.href;
  return hasSecretPath(url) ? `${url.origin}/…` : url.origin + url.pathname;
}

function byFetch(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers,
    body,
    signal,
    credentials: "same-origin",
    cache: "no-store",
    // The ledger names where the bytes went: nobody may send them on.
    redirect: "error",
    referrerPolicy: "same-origin",
  });
}

function byTransport(
  transport: Transport,
  url: URL | undefined,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const request = { method: "POST" as const, headers, body };
  return transport(url ? { ...request, url: url.href } : request, { signal });
}

/** Seconds that a `Retry-After` header asks for: a number, or a date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
