// Types of the generated glue for the sources beside it; the build puts pinhole_parquet.js there.
import type { ParquetReader as Reader } from "./parquet-glue.js";

export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
export const ParquetReader: new (size: number, columns?: string[]) => Reader;
