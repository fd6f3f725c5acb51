// A loaded table as the page holds it: what is known of it, and how it grows and stays.

import type { KeepOptions, LoadOptions, Source, TableInfo } from "./types.js";

/** A loaded table, as it was when this was given. Its fields are plain data. */
export interface Table extends TableInfo {
  /** Adds rows to it: `ph.append` of its name. */
  append(source: Source, options?: LoadOptions): Promise<Table>;
  /** Keeps it on this device for later visits: `ph.keep` of its name. */
  keep(options?: KeepOptions): Promise<void>;
  /** What tells its rows from any others: `ph.print` of its name. */
  print(options?: { signal?: AbortSignal }): Promise<string>;
}

/** Who has the table. */
export interface Home {
  append(name: string, source: Source, options?: LoadOptions): Promise<Table>;
  keep(name: string, options?: KeepOptions): Promise<void>;
  print(name: string, options?: { signal?: AbortSignal }): Promise<string>;
}

/** The table that `info` describes. Only the data are fields of its own, so that it can be posted. */
export function tableOf(home: Home, info: TableInfo): Table {
  const methods: Pick<Table, "append" | "keep" | "print"> = {
    append: (source, options) => home.append(info.name, source, options),
    keep: (options) => home.keep(info.name, options),
    print: (options) => home.print(info.name, options),
  };
  return Object.assign(Object.create(methods) as Table, info);
}
