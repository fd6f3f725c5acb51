// Parquet: made an Arrow stream by a reader that is fetched when it is first needed, in a worker
// that lives as long as the load.

import { type Locale, PinholeError, hostError } from "./errors.js";
import type { ParquetGlue } from "./parquet-glue.js";
import { type Stepped, serveParquet } from "./parquet-service.js";
import { type Places, join, placesOfParts } from "./places.js";
import { abortable, resolveUrl } from "./platform.js";
import { Channel, cancelled, pair } from "./rpc.js";
import type { Opened } from "./source.js";
import type { LoadOptions, OpenOptions } from "./types.js";
import { compile } from "./wasm.js";

/** The mark that a Parquet file begins with, and what follows in each. */
const MAGIC = [0x50, 0x41, 0x52, 0x31, 0x15];

/** The last byte of the mark where the file is encrypted; the length behind it ends with a zero. */
const ENCRYPTED = 0x45;

/** What became of files that could not be read: code and texts, by what the reader says. */
const FAILURES = {
  not_parquet: [
    "broken_file",
    "the file does not end as a Parquet file does: it was cut short or is none",
    "файл не кончается как файл Parquet: он обрезан или это не Parquet",
  ],
  broken: [
    "broken_file",
    "the Parquet file is damaged: what it says of itself does not fit its bytes",
    "файл Parquet повреждён: его описание не сходится с его байтами",
  ],
  trap: [
    "broken_file",
    "the Parquet file could not be read: it is damaged, or a part of it takes more memory than there is",
    "файл Parquet не удалось прочитать: он повреждён или его части не хватает памяти",
  ],
  encrypted: [
    "unsupported_format",
    "the Parquet file is encrypted, which is not read: save it without encryption",
    "файл Parquet зашифрован; такие не читаются: сохраните его без шифрования",
  ],
  unsupported: [
    "unsupported_format",
    "the Parquet file uses a compression, an encoding or a type that is not read",
    "в файле Parquet есть сжатие, кодировка или тип, которые не читаются",
  ],
} as const satisfies Record<string, readonly [code: string, en: string, ru: string]>;

/** Where the reader comes from and where it runs. */
export interface ParquetHost {
  /** Whether it has a worker of its own. */
  threaded: boolean;
  options: OpenOptions;
  locale: Locale;
}

/** Whether a file that begins so is Parquet. */
function isParquet(head: Uint8Array): boolean {
  const plain = MAGIC.every((byte, i) => head[i] === byte);
  const encrypted =
    head[3] === ENCRYPTED &&
    head[7] === 0 &&
    MAGIC.slice(0, 3).every((byte, i) => head[i] === byte);
  return plain || encrypted;
}

/** The compiled module, once it was fetched: a page opens many files. */
const modules = new WeakMap<OpenOptions, Promise<WebAssembly.Module>>();

function moduleOf({ options, locale }: ParquetHost): Promise<WebAssembly.Module> {
  let module = modules.get(options);
  if (!module) {
    const own = options.parquetWasm ?? new URL("./pinhole_parquet_bg.wasm", import.meta.url);
    module = compile(own, locale);
    modules.set(options, module);
    // The next file tries again.
    module.catch(() => modules.delete(options));
  }
  return module;
}

/** A reader, and what ends it. */
interface Reading {
  channel: Channel;
  end: () => void;
}

function startWorker({ options, locale }: ParquetHost): Reading {
  const { parquetWorker: how } = options;
  let worker: Worker;
  try {
    if (typeof how === "function") worker = how();
    else if (how !== undefined) worker = new Worker(resolveUrl(how, locale), { type: "module" });
    else worker = new Worker(new URL("./parquet-worker.js", import.meta.url), { type: "module" });
  } catch (error) {
    throw hostError("worker_failed", locale, undefined, error);
  }
  const channel = new Channel(worker, () => undefined);
  // Its script cannot be run.
  worker.addEventListener("error", (event) => {
    const why = event.message ? new Error(event.message) : undefined;
    channel.close(hostError("worker_failed", locale, undefined, why));
  });
  const end = () => {
    channel.close(hostError("closed", locale));
    worker.terminate();
  };
  return { channel, end };
}

/** The module in place failed: there is no second instance of it. */
let failedInPlace = false;

async function startInPlace({ locale }: ParquetHost): Promise<Reading> {
  if (failedInPlace) throw hostError("engine_failed", locale);
  const glue = (await import("./pinhole_parquet.js")) as ParquetGlue;
  const [here, there] = pair();
  serveParquet(there, glue);
  const channel = new Channel(here, () => undefined);
  const end = () => {
    void channel.call("close", []).catch(() => undefined);
    queueMicrotask(() => {
      channel.close(hostError("closed", locale));
    });
  };
  return { channel, end };
}

/** The source as the engine reads it: a Parquet file as an Arrow stream, any other as it is. */
export async function withoutParquet(
  opened: Opened,
  { format, columns, signal }: LoadOptions,
  host: ParquetHost,
): Promise<Opened> {
  if (format !== undefined && format !== "parquet") return opened;
  const chunks = opened.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  const head = first.done ? new Uint8Array() : first.value;
  // a file that nothing was fetched of yet: it is known by its name
  const remote = first.done === true && (opened.places?.size ?? 0) > 0;
  if (format !== "parquet" && !remote && !isParquet(head)) {
    return { ...opened, chunks: again(first, chunks) };
  }
  let { places } = opened;
  if (places) await chunks.return?.();
  else places = placesOfParts(await gather(again(first, chunks), signal));
  let bytes = 0;
  const told = (all: number) => (bytes = all);
  return {
    chunks: arrowOf(places, columns, host, signal, told),
    total: places.size,
    bytes: () => bytes,
  };
}

type Chunk = Uint8Array<ArrayBuffer>;

/** What an iterator gives, with the first that was taken. */
async function* again(
  first: IteratorResult<Chunk>,
  rest: AsyncIterator<Chunk>,
): AsyncGenerator<Chunk> {
  try {
    for (let got = first; !got.done; got = await rest.next()) yield got.value;
  } finally {
    await rest.return?.();
  }
}

async function gather(
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal | undefined,
): Promise<Chunk[]> {
  const parts: Chunk[] = [];
  for await (const chunk of chunks) {
    if (signal?.aborted) throw cancelled(signal);
    parts.push(chunk);
  }
  return parts;
}

/**
 * The file as an Arrow stream; of all columns, or of those with these names. `told` hears how many
 * of its bytes were read.
 */
async function* arrowOf(
  places: Places,
  columns: string[] | undefined,
  host: ParquetHost,
  signal: AbortSignal | undefined,
  told: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { locale } = host;
  const module = await abortable(moduleOf(host), signal);
  const { channel, end } = host.threaded ? startWorker(host) : await startInPlace(host);
  const call = <T>(op: string, args: unknown[], transfer: Transferable[] = []) =>
    abortable(channel.call<T>(op, args, { transfer }), signal);
  let bytes = 0;
  // Ranges under way end with the load: when one of them fails, and when it is cancelled.
  const over = new AbortController();
  const stop = () => {
    over.abort(signal?.reason);
  };
  signal?.addEventListener("abort", stop, { once: true });
  const bring = async (start: number, end: number) => {
    const part = await abortable(places.read(start, end, over.signal), signal);
    bytes += part.byteLength;
    // the end is asked for twice where rows lie in it
    told(Math.min(bytes, places.size));
    await call("push", [start, part], [part]);
  };
  try {
    await call("open", [module, places.size, columns]);
    let next = call<Stepped>("step", []);
    for (;;) {
      const got = await next;
      if (got === undefined) return;
      if (got instanceof Float64Array) {
        const ranges: [number, number][] = [];
        for (let i = 0; i + 1 < got.length; i += 2) ranges.push([got[i] ?? 0, got[i + 1] ?? 0]);
        await Promise.all(join(ranges, places.near).map((range) => bring(...range)));
        next = call("step", []);
      } else {
        // The reader makes the next piece while the engine takes this one.
        next = call("step", []);
        next.catch(() => undefined);
        yield got;
      }
    }
  } catch (error) {
    failedInPlace ||= !host.threaded && error instanceof PinholeError && error.code === "trap";
    throw failure(error, locale);
  } finally {
    signal?.removeEventListener("abort", stop);
    over.abort();
    end();
  }
}

function failure(error: unknown, locale: Locale): unknown {
  if (!(error instanceof PinholeError) || !(error.code in FAILURES)) return error;
  const [code, en, ru] = FAILURES[error.code as keyof typeof FAILURES];
  const message = locale === "ru" ? ru : en;
  const diagnostic = { code, message, pointer: "", span: null, choices: [], fix: null };
  return new PinholeError(code, message, { diagnostics: [diagnostic], cause: error });
}
