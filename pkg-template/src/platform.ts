// Small helpers over what browsers and Node have in common.

import { type HostCode, type Locale, PinholeError, hostError } from "./errors.js";
import { cancelled } from "./rpc.js";

/** The name of a value's built-in class, whatever realm it comes from. */
export function tag(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Whether this is Node (or something that has its file system). */
export function isNode(): boolean {
  const process = (globalThis as { process?: { versions?: { node?: string } } }).process;
  return process?.versions?.node !== undefined;
}

/** A module of Node, out of the sight of bundlers. */
export async function nodeModule<T>(name: string): Promise<T> {
  const specifier = `node:${name}`;
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ specifier)) as T;
}

/** A URL as the page would resolve it. */
export function resolveUrl(url: string | URL, locale: Locale): URL {
  const base = (globalThis as { document?: { baseURI?: string } }).document?.baseURI;
  try {
    return new URL(url, base ?? (globalThis as { location?: { href: string } }).location?.href);
  } catch (error) {
    throw hostError("bad_option", locale, String(url), error);
  }
}

/** A failure that says the system's name of its reason (`ENOENT`, `ECONNREFUSED`), where that has one. */
export function failure(code: HostCode, locale: Locale, reason: unknown): PinholeError {
  const failed = hostError(code, locale, undefined, reason);
  const { code: own, cause } = (reason ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const name = [own, cause?.code].find((one) => typeof one === "string");
  if (name === undefined) return failed;
  return new PinholeError(code, `${failed.message}: ${name}`, { cause: reason });
}

/** `promise`, or what `late` gives as a rejection once it has taken `ms`. */
export function timely<T>(
  promise: Promise<T>,
  ms: number | undefined,
  late: () => Error,
): Promise<T> {
  if (ms === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(late());
    }, ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** `promise`, or a rejection as soon as `signal` is aborted, where that is still `heard`. */
export function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  heard: () => boolean = () => true,
): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = () => {
      if (heard()) reject(cancelled(signal));
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", abort);
    });
  });
}
