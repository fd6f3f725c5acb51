// Anything that can be loaded, as chunks of bytes that may be moved to the worker.

import { type Locale, PinholeError, hostError } from "./errors.js";
import { type Places, placesOfBlob, placesOfUrl } from "./places.js";
import { abortable, failure, isNode, nodeModule, resolveUrl, tag } from "./platform.js";
import { type Rows, linesOf } from "./rows.js";
import type { LoadOptions, Source } from "./types.js";

/** Size of a chunk: small enough that a cancel gets through soon, large enough to be cheap. */
export const CHUNK = 512 * 1024;

/** An opened source. */
export interface Opened {
  /** Chunks whose buffers belong to nobody else. */
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Size in bytes, where it is known. */
  total?: number;
  /** The same file from any place, where that can be had. */
  places?: Places;
  /** Bytes of the source that were read so far, where the chunks are not the source's own. */
  bytes?: () => number;
}

/** Names of files that are read from their end. */
const PARQUET = /\.(parquet|parq|pq)$/i;

/**
 * Whether the source gives the same a second time. Whoever passes bytes, rows or a table of another
 * library may change them, and would not expect them to be kept.
 */
export function canReread(source: Source): boolean {
  return typeof source === "string" || tag(source) === "URL" || isBlob(source);
}

/** The format that the source has by its own nature; files say it by their bytes. */
export function formatOf(source: Source): LoadOptions["format"] {
  if (methodOf(source)) return "arrow";
  return isRows(source) ? "ndjson" : undefined;
}

/** Opens a source; URLs are fetched here, on the page's thread. */
export async function openSource(
  source: Source,
  signal: AbortSignal | undefined,
  locale: Locale,
  format?: LoadOptions["format"],
): Promise<Opened> {
  if (typeof source === "string" && /[\r\n]/.test(source)) {
    throw hostError("source_is_text", locale);
  }
  if (typeof source === "string" || tag(source) === "URL") {
    const url = addressOf(source as string | URL, locale);
    if (url.protocol === "file:" && isNode()) return ofFile(url, locale);
    if (format === "parquet" || (format === undefined && PARQUET.test(url.pathname))) {
      const got = await placesOfUrl(url, signal, locale);
      if (got instanceof Response) return ofResponse(got, signal, locale);
      if (got) return { chunks: ofBytes(new Uint8Array()), total: got.size, places: got };
    }
    let response: Response;
    try {
      response = await fetch(url, signal ? { signal } : {});
    } catch (error) {
      throw failure("source_unreachable", locale, error);
    }
    return ofResponse(response, signal, locale);
  }
  if (tag(source) === "Response") return ofResponse(source as Response, signal, locale);
  if (isBlob(source)) {
    const places = placesOfBlob(source, locale);
    return { chunks: ofBlob(source, locale), total: source.size, places };
  }
  if (tag(source) === "ArrayBuffer" || tag(source) === "SharedArrayBuffer") {
    const bytes = new Uint8Array(source as ArrayBuffer);
    return { chunks: ofBytes(bytes), total: bytes.byteLength };
  }
  if (ArrayBuffer.isView(source)) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    return { chunks: ofBytes(bytes), total: bytes.byteLength };
  }
  if (isStream(source)) return { chunks: ofStream(source, signal, locale) };
  const method = methodOf(source);
  if (method) return ofTable(source, method, signal, locale);
  if (isArrowTable(source)) throw hostError("arrow_table", locale);
  if (isRows(source)) return { chunks: ofRows(source, signal, locale) };
  throw hostError("bad_source", locale, tag(source));
}

const NO_ADDRESS = [
  "a text is an address, and this one is no URL: for a path in Node pass a `file:` URL, `pathToFileURL(path)` of `node:url`, or the bytes, `await readFile(path)` of `node:fs/promises`; for a table's text a Blob, `new Blob([text])`",
  "текст – это адрес, а это не URL: для пути в Node передайте URL `file:`, `pathToFileURL(path)` из `node:url`, или байты, `await readFile(path)` из `node:fs/promises`; для текста таблицы – Blob, `new Blob([text])`",
] as const;

/** The address of a file, or what to pass in the place of a path. The text may be a table's: it is not quoted. */
function addressOf(source: string | URL, locale: Locale): URL {
  let cause: unknown;
  try {
    const url = resolveUrl(source, locale);
    // A path of Windows, `C:\t.csv`, reads as an address whose scheme is `c:`.
    if (url.protocol.length > 2) return url;
  } catch (error) {
    cause = error;
  }
  throw new PinholeError("bad_option", NO_ADDRESS[locale === "ru" ? 1 : 0], { cause });
}

export function isBlob(source: unknown): source is Blob {
  return tag(source) === "Blob" || tag(source) === "File";
}

function isStream(source: unknown): source is ReadableStream<Uint8Array> {
  return (
    typeof source === "object" &&
    source !== null &&
    typeof (source as { getReader?: unknown }).getReader === "function"
  );
}

/** Methods by which tables of other libraries give themselves as Arrow IPC. */
const METHODS = ["toArrowIPC", "toIPC", "serialize"] as const;

type Method = (typeof METHODS)[number];

function methodOf(source: unknown): Method | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  return METHODS.find(
    (name) => typeof (source as Partial<Record<Method, unknown>>)[name] === "function",
  );
}

/** A table or a batch of a library whose writer is a function beside it. */
function isArrowTable(source: unknown): boolean {
  if (typeof source !== "object" || source === null) return false;
  const { schema, numRows } = source as { schema?: { fields?: unknown }; numRows?: unknown };
  return typeof numRows === "number" && Array.isArray(schema?.fields);
}

function isRows(source: unknown): source is Rows {
  if (typeof source !== "object" || source === null) return false;
  if (ArrayBuffer.isView(source) || isStream(source) || isArrowTable(source)) return false;
  return Symbol.iterator in source || Symbol.asyncIterator in source;
}

async function ofTable(
  source: unknown,
  method: Method,
  signal: AbortSignal | undefined,
  locale: Locale,
): Promise<Opened> {
  const table = source as Record<Method, () => unknown>;
  let bytes: unknown;
  try {
    bytes = await abortable(Promise.resolve(table[method]()), signal);
  } catch (error) {
    throw error instanceof PinholeError
      ? error
      : hostError("source_broken", locale, undefined, error);
  }
  if (tag(bytes) !== "ArrayBuffer" && !ArrayBuffer.isView(bytes)) {
    throw hostError("no_bytes", locale, method);
  }
  return openSource(bytes as ArrayBuffer | Uint8Array, signal, locale);
}

async function* ofRows(
  rows: Rows,
  signal: AbortSignal | undefined,
  locale: Locale,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for await (const lines of linesOf(rows, CHUNK, signal, locale)) {
    yield* ofBytes(encoder.encode(lines));
  }
}

function ofResponse(response: Response, signal: AbortSignal | undefined, locale: Locale): Opened {
  if (!response.ok) throw hostError("source_status", locale, String(response.status));
  if (response.bodyUsed) throw hostError("bad_source", locale, "used Response");
  if (!response.body) return { chunks: ofBytes(new Uint8Array()), total: 0 };
  const chunks = ofStream(response.body, signal, locale);
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  // With a content coding the header counts packed bytes, the stream gives unpacked ones.
  const packed = response.headers.has("content-encoding");
  return Number.isFinite(length) && !packed ? { chunks, total: length } : { chunks };
}

/** The little of Node's file system that is needed here. */
interface FileSystem {
  createReadStream(url: URL, options: { highWaterMark: number }): AsyncIterable<Uint8Array>;
  promises: { stat(url: URL): Promise<{ size: number }> };
}

async function ofFile(url: URL, locale: Locale): Promise<Opened> {
  const fs = await nodeModule<FileSystem>("fs");
  const { size } = await fs.promises.stat(url).catch((error: unknown) => {
    throw failure("source_unreachable", locale, error);
  });
  return { chunks: copies(), total: size };
  async function* copies(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      for await (const part of fs.createReadStream(url, { highWaterMark: CHUNK })) {
        yield Uint8Array.from(part);
      }
    } catch (error) {
      throw failure("source_broken", locale, error);
    }
  }
}

async function* ofBlob(blob: Blob, locale: Locale): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += CHUNK) {
    const part = blob.slice(at, at + CHUNK).arrayBuffer();
    // A file that changed or went away since it was chosen cannot be read.
    const buffer = await part.catch((error: unknown) => {
      throw hostError("source_broken", locale, undefined, error);
    });
    yield new Uint8Array(buffer);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- one shape for all sources
async function* ofBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Copies: what is moved to the worker is lost to the caller.
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    yield Uint8Array.from(bytes.subarray(at, at + CHUNK));
  }
}

/** A piece of a stream, which the page may have made of anything. */
function bytesOf(piece: unknown, locale: Locale): Uint8Array {
  if (ArrayBuffer.isView(piece)) {
    return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  }
  if (tag(piece) === "ArrayBuffer") return new Uint8Array(piece as ArrayBuffer);
  throw hostError("bad_source", locale, `ReadableStream of ${tag(piece)}`);
}

/** Gathers the stream's pieces, which may be any size, into chunks of our own. */
async function* ofStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  locale: Locale,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (stream.locked) throw hostError("bad_source", locale, "locked ReadableStream");
  const reader = stream.getReader();
  let chunk = new Uint8Array(CHUNK);
  let filled = 0;
  let ended = false;
  try {
    for (;;) {
      const { done, value: given } = await abortable(reader.read(), signal);
      if (done) break;
      const value = bytesOf(given, locale);
      for (let at = 0; at < value.byteLength;) {
        const part = value.subarray(at, at + CHUNK - filled);
        chunk.set(part, filled);
        filled += part.byteLength;
        at += part.byteLength;
        if (filled === CHUNK) {
          yield chunk;
          chunk = new Uint8Array(CHUNK);
          filled = 0;
        }
      }
    }
    ended = true;
    if (filled > 0) yield chunk.slice(0, filled);
  } catch (error) {
    throw error instanceof PinholeError
      ? error
      : hostError("source_broken", locale, undefined, error);
  } finally {
    if (!ended) reader.cancel().catch(() => undefined);
  }
}
