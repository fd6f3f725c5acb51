// The border to the reader of Parquet: what its generated glue exports, by hand, with types.

/** Reads one file. What fails throws the code of the failure, a string. */
export interface ParquetReader {
  /** Takes bytes of the file from the place `start`. */
  push(start: number, bytes: Uint8Array): void;
  /**
   * The next piece of an Arrow stream, the places that it needs (beginnings and ends in turn), or
   * nothing at the end.
   */
  step(): Uint8Array | Float64Array | undefined;
  free(): void;
}

/** The generated glue as a module. */
export interface ParquetGlue {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  ParquetReader: new (size: number, columns?: string[]) => ParquetReader;
}
