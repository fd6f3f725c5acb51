// The part of `@cfworker/json-schema` that is used here; the build puts the package's own files
// into this folder, so that pages without a bundler find it.

export type Schema = Record<string, unknown>;

export interface OutputUnit {
  keyword: string;
  /** A pointer into the schema, through `$ref`. */
  keywordLocation: string;
  /** A pointer into the value. */
  instanceLocation: string;
  error: string;
}

export declare class Validator {
  constructor(schema: Schema, draft: "7" | "2020-12", shortCircuit: boolean);
  /** Throws where the schema has a reference to nowhere. */
  validate(instance: unknown): { valid: boolean; errors: OutputUnit[] };
}

/** The schemas by their absolute addresses; marks each in place with its own and its `$ref`'s. */
export declare function dereference(schema: Schema): Record<string, unknown>;
