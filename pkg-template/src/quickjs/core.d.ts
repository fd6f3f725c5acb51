// The part of `quickjs-emscripten-core` that is used here; the build puts the package's own file
// into this folder.

export interface Handle {
  dispose(): void;
}

export type Outcome = { value: Handle; error?: undefined } | { error: Handle; value?: undefined };

export type PromiseState =
  { type: "pending" } | { type: "fulfilled"; value: Handle } | { type: "rejected"; error: Handle };

export interface Deferred {
  handle: Handle;
  resolve(value: Handle): void;
  reject(error: Handle): void;
}

export interface QuickJSContext {
  readonly undefined: Handle;
  evalCode(code: string, file?: string): Outcome;
  callFunction(fn: Handle, self: Handle, ...args: Handle[]): Outcome;
  newString(text: string): Handle;
  newNumber(value: number): Handle;
  newFunction(name: string, fn: (kind: Handle, query: Handle) => Handle): Handle;
  newPromise(): Deferred;
  newError(message: string): Handle;
  getString(handle: Handle): string;
  getProp(handle: Handle, name: string): Handle;
  typeof(handle: Handle): string;
  getPromiseState(handle: Handle): PromiseState;
}

export interface QuickJSRuntime {
  setMemoryLimit(bytes: number): void;
  setMaxStackSize(bytes: number): void;
  setInterruptHandler(interrupts: () => boolean): void;
  newContext(): QuickJSContext;
  /** Runs jobs until one throws what nothing catches, which is `error`. */
  executePendingJobs(most?: number): { value: number } | { error: Handle };
  hasPendingJob(): boolean;
}

export declare const QuickJSWASMModule: new (
  module: object,
  ffi: object,
) => { newRuntime(): QuickJSRuntime };
