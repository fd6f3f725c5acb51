// The reader's side of the calls: one file, step by step. The same in a worker and in place.

import { PinholeError, isTrap } from "./errors.js";
import type { ParquetGlue, ParquetReader } from "./parquet-glue.js";
import { Channel, Moved, type Port } from "./rpc.js";

/** What a reader's call gives: a piece of the stream, the places that are needed, or the end. */
export type Stepped = Uint8Array<ArrayBuffer> | Float64Array | undefined;

/** Serves the page's calls on `port`. `opened` runs once the module is there. */
export function serveParquet(port: Port, glue: ParquetGlue, opened?: () => void): Channel {
  let reader: ParquetReader | undefined;
  return new Channel(port, async (op, args) => {
    try {
      switch (op) {
        case "open": {
          const [module, size, columns] = args as [WebAssembly.Module, number, string[]?];
          await glue.default({ module_or_path: module });
          reader = new glue.ParquetReader(size, columns);
          opened?.();
          return undefined;
        }
        case "push": {
          const [start, bytes] = args as [number, ArrayBuffer];
          reader?.push(start, new Uint8Array(bytes));
          return undefined;
        }
        case "step": {
          const got = reader?.step();
          if (!(got instanceof Uint8Array)) return got;
          const own = got.byteLength === got.buffer.byteLength ? got : got.slice();
          return new Moved(own, [own.buffer as ArrayBuffer]);
        }
        case "close":
          reader?.free();
          reader = undefined;
          return undefined;
        default:
          throw new PinholeError("internal", `no call \`${op}\``);
      }
    } catch (error) {
      // the module throws codes; the page has the texts
      if (typeof error === "string") throw new PinholeError(error, error);
      if (isTrap(error)) {
        reader = undefined;
        throw new PinholeError("trap", String(error), { cause: error });
      }
      throw error;
    }
  });
}
