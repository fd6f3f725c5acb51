// A worker that reads one Parquet file and ends with it. It takes the compiled module from the
// page, and once it runs it has no way to the network.

import { cutNetwork, inWorker } from "./network.js";
import { serveParquet } from "./parquet-service.js";
import init, { ParquetReader } from "./pinhole_parquet.js";
import type { Port } from "./rpc.js";

if (inWorker()) {
  serveParquet(globalThis as unknown as Port, { default: init, ParquetReader }, cutNetwork);
}
