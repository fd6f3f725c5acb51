// One load: from a source, chunk by chunk, into a table of the engine.

import type { Engine } from "./engine.js";
import { type Locale, PinholeError } from "./errors.js";
import { tell } from "./listeners.js";
import { segment } from "./options.js";
import { cancelled } from "./rpc.js";
import { withoutParquet } from "./parquet.js";
import { formatOf, openSource } from "./source.js";
import type { ColumnInfo, LoadOptions, LoadProgress, Source, TableInfo } from "./types.js";

/** Chunks under way to the engine at a time. */
const WINDOW = 4;

/** What the engine is told of a load beside the options of the page. */
export interface LoadKind {
  /** The rows go to the table that is there. */
  append?: true;
  /** The source is a table that was kept on the device. */
  kept?: true;
}

/**
 * Reads `source` into the table `name`. When it fails or is cancelled, nothing of it is left, and a
 * table of this name is as it was. All that takes long is done when `placing` is called: from then on
 * a cancel is too late, and what was read is put in its place.
 * `call` is how the engine is reached: while it is restored, the ordinary way is closed.
 */
export async function load(
  engine: Engine,
  call: Engine["call"],
  name: string,
  source: Source,
  options: LoadOptions & LoadKind,
  locale: Locale,
  placing: () => void = () => undefined,
): Promise<TableInfo> {
  const { signal, onProgress, onBadRow, ...rest } = options;
  const format = formatOf(source) ?? rest.format;
  const wire = {
    ...rest,
    ...(format === undefined ? {} : { format: format === "parquet" ? "arrow" : format }),
    ...(onBadRow === undefined ? {} : { on_bad_row: onBadRow }),
  };
  const id = await call("load_begin", [name, wire]);
  // A new engine knows nothing of this load, and may give its number to another.
  const { generation: of } = engine;
  const underWay: Promise<void>[] = [];
  try {
    const { threaded, options: opening } = engine;
    const host = { threaded, options: opening, locale };
    const opened = await openSource(source, signal, locale, format);
    const { chunks, total, bytes } = await withoutParquet(
      opened,
      { ...options, ...(format === undefined ? {} : { format }) },
      host,
    );
    const progress: LoadProgress = { phase: "reading", bytes: 0, rows: 0 };
    if (total !== undefined) progress.total = total;
    const push = async (chunk: Uint8Array<ArrayBuffer>) => {
      const at = await call("load_push", [id, chunk], { transfer: [chunk.buffer], of });
      Object.assign(progress, at, bytes ? { bytes: bytes() } : {});
      // A server's length is that of packed bytes, which a page of another origin may not know.
      if (progress.total !== undefined && progress.bytes > progress.total) delete progress.total;
      if (!signal?.aborted) tell(onProgress, { ...progress });
    };
    for await (const chunk of chunks) {
      stop(signal);
      const pushed = push(chunk);
      pushed.catch(() => undefined);
      underWay.push(pushed);
      if (underWay.length >= WINDOW) await underWay.shift();
    }
    await Promise.all(underWay);
    stop(signal);
    progress.phase = "finishing";
    tell(onProgress, { ...progress });
    await call("load_settle", [id], {
      signal,
      of,
      onEvent: () => {
        if (!signal?.aborted) tell(onProgress, { ...progress });
      },
      onOrphan: () => undefined,
    });
    stop(signal);
    placing();
    return await call("load_finish", [id], { of });
  } catch (error) {
    await call("load_abort", [id], { of }).catch(() => undefined);
    stop(signal);
    throw error;
  }
}

/**
 * A failed append in terms of the table that is there: its kinds hold, and they are none of `types` that
 * the page gave.
 */
export function unlikeTable(
  error: PinholeError,
  columns: ColumnInfo[],
  { types = {} }: LoadOptions,
  locale: Locale,
): PinholeError {
  const diagnostics = error.diagnostics.map((one) => {
    const column = columns.find(({ name }) => one.pointer === `/types/${segment(name)}`);
    if (!column || Object.hasOwn(types, column.name)) return one;
    const { name, kind } = column;
    const message =
      locale === "ru"
        ? `в столбце \`${name}\` таблицы \`${kind}\`, и не все значения источника можно так прочитать: исправьте источник или загрузите таблицу заново с типом в \`types\`, который подходит обоим, например \`text\``
        : `column \`${name}\` of the table is \`${kind}\`, and not all values of the source can be read as that: correct the source, or load the table anew with a type in \`types\` that takes both, as \`text\` does`;
    return { ...one, message, pointer: "", choices: [], fix: null };
  });
  if (diagnostics.every((one, i) => one === error.diagnostics[i])) return error;
  const message = diagnostics.map((one) => one.message).join("\n");
  return new PinholeError(error.code, message, { diagnostics, cause: error });
}

function stop(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(signal);
}
