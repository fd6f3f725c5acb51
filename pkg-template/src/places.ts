// Files that can be read from any place.

import { type Locale, hostError } from "./errors.js";
import { abortable, failure } from "./platform.js";

/** Bytes at the end that are asked for first. */
const TAIL = 64 * 1024;

/** Ranges of a file on a server that lie closer than this are fetched as one. */
const NEAR = 256 * 1024;

/** A file that can be read from any place. */
export interface Places {
  size: number;
  /** Ranges that lie closer than this are better read as one. */
  near: number;
  /**
   * The bytes from `start` to before `end`, in a buffer that belongs to nobody else. Nobody waits
   * for them any more once `signal` is aborted.
   */
  read(start: number, end: number, signal?: AbortSignal): Promise<ArrayBuffer>;
}

/** A file or a Blob. */
export function placesOfBlob(blob: Blob, locale: Locale): Places {
  return {
    size: blob.size,
    near: 0,
    read: (start, end) =>
      blob
        .slice(start, end)
        .arrayBuffer()
        .catch((error: unknown) => {
          throw hostError("source_broken", locale, undefined, error);
        }),
  };
}

/** Bytes that came one after the other. */
export function placesOfParts(parts: Uint8Array[]): Places {
  const starts: number[] = [];
  let size = 0;
  for (const part of parts) {
    starts.push(size);
    size += part.byteLength;
  }
  return {
    size,
    near: 0,
    read: (start, end) => {
      const bytes = new Uint8Array(end - start);
      parts.forEach((part, i) => {
        const at = (starts[i] ?? 0) - start;
        const inside = part.subarray(Math.max(0, -at), Math.max(0, end - start - at));
        if (inside.byteLength > 0) bytes.set(inside, Math.max(0, at));
      });
      return Promise.resolve(bytes.buffer);
    },
  };
}

/**
 * A file on a server that gives parts of it, with its end already there; the whole answer where the
 * server gives it whole; nothing where it has to be asked for the whole file.
 */
export async function placesOfUrl(
  url: URL,
  signal: AbortSignal | undefined,
  locale: Locale,
): Promise<Places | Response | undefined> {
  // Past the browser's cache, which would put parts of two versions under the mark of the first.
  const ask = (range: string, stop: AbortSignal | undefined) =>
    fetch(url, {
      headers: { range: `bytes=${range}` },
      cache: "no-store",
      ...(stop ? { signal: stop } : {}),
    });
  let response: Response;
  try {
    response = await ask(`-${TAIL}`, signal);
  } catch {
    // A server of another origin that does not allow the header looks as if it were not there.
    signal?.throwIfAborted();
    return undefined;
  }
  if (response.status === 200) return response;
  // Servers of other origins may keep the size to themselves; coded bytes have other places.
  const [, first, last, all] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  const [start, end, size] = [Number(first), Number(last) + 1, Number(all)];
  const usable =
    response.status === 206 && end === size && !response.headers.has("content-encoding");
  let tail: ArrayBuffer | undefined;
  try {
    if (usable) tail = await read(response, signal);
  } catch {
    // A part of packed bytes cannot be unpacked, and a page may not see that they are packed.
    signal?.throwIfAborted();
  }
  if (tail?.byteLength !== end - start) {
    if (!usable) response.body?.cancel().catch(() => undefined);
    return undefined;
  }
  const version = response.headers.get("etag") ?? response.headers.get("last-modified");

  async function read(response: Response, stop?: AbortSignal): Promise<ArrayBuffer> {
    try {
      return await abortable(response.arrayBuffer(), stop);
    } catch (error) {
      stop?.throwIfAborted();
      throw hostError("source_broken", locale, undefined, error);
    }
  }

  return {
    size,
    near: NEAR,
    read: async (from, to, stop = signal) => {
      if (from >= start) return tail.slice(from - start, to - start);
      let part: Response;
      try {
        part = await ask(`${from}-${to - 1}`, stop);
      } catch (error) {
        stop?.throwIfAborted();
        throw failure("source_unreachable", locale, error);
      }
      if (part.status !== 206 && part.status !== 200) {
        throw hostError("source_status", locale, String(part.status));
      }
      const place = part.headers.get("content-range");
      if (part.status === 206 && place !== null && place !== `bytes ${from}-${to - 1}/${size}`) {
        part.body?.cancel().catch(() => undefined);
        throw hostError("source_broken", locale);
      }
      const now = part.headers.get("etag") ?? part.headers.get("last-modified");
      const bytes = await read(part, stop);
      // A server that gives the whole file all the same.
      const own = part.status === 200 && bytes.byteLength === size ? bytes.slice(from, to) : bytes;
      if (now !== version || own.byteLength !== to - from) {
        throw hostError("source_broken", locale);
      }
      return own;
    },
  };
}

/** Ranges in order, those that are near to each other joined. */
export function join(ranges: [number, number][], near: number): [number, number][] {
  const joined: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start - last[1] <= near) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
