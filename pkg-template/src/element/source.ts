// An engine of the element's own, for pages that bring none: opened when it is first wanted, with
// the file of the `src` attribute as its table.

import type { Pinhole } from "../index.js";
import type { LoadOptions, LoadProgress, Locale } from "../types.js";
import { type Failure, failureOf, isCancel } from "./errors.js";
import { ofFile } from "./files.js";

/** What is being done before a question can be asked. */
export type Stage =
  | { is: "starting" }
  | { is: "loading"; name: string; progress: LoadProgress | undefined }
  | { is: "failed"; failure: Failure; file?: string | undefined }
  | { is: "ready" };

/** What the element says of itself when the engine is opened. */
export interface Wish {
  locale: Locale;
  src: string | undefined;
  table: string | undefined;
  options: LoadOptions | undefined;
}

export class OwnEngine {
  ph: Pinhole | undefined;
  stage: Stage = { is: "starting" };
  #abort: AbortController | undefined;
  #running: Promise<void> | undefined;

  constructor(private readonly changed: () => void) {}

  /** Opens the engine and loads the file; once, but anew after a failure. */
  open(wish: Wish): Promise<void> {
    return (this.#running ??= this.#open(wish).finally(() => {
      if (this.stage.is === "failed") this.#running = undefined;
    }));
  }

  /** Stops the loading. */
  cancel(): void {
    this.#abort?.abort();
  }

  async close(): Promise<void> {
    this.#abort?.abort();
    // An engine that is on its way comes first.
    await this.#running;
    await this.ph?.close();
  }

  async #open({ locale, src, table, options }: Wish): Promise<void> {
    const abort = (this.#abort = new AbortController());
    let file: string | undefined;
    try {
      this.#say({ is: "starting" });
      if (!this.ph) {
        const { Pinhole } = await import("../index.js");
        this.ph = await Pinhole.open({ locale });
      }
      if (src !== undefined) {
        const name = table ?? tableName(src);
        file = fileName(src);
        this.#say({ is: "loading", name, progress: undefined });
        await this.ph.load(name, new URL(src, document.baseURI), {
          ...options,
          signal: abort.signal,
          onProgress: (progress) => {
            this.#say({ is: "loading", name, progress });
          },
        });
      }
      this.#say({ is: "ready" });
    } catch (error) {
      const thrown = failureOf(error);
      const failure = file === undefined ? thrown : ofFile(locale, thrown, file);
      const stopped = abort.signal.aborted && !isCancel(failure);
      this.#say({
        is: "failed",
        failure: stopped ? { ...failure, code: "cancelled" } : failure,
        file,
      });
    }
  }

  #say(stage: Stage): void {
    this.stage = stage;
    this.changed();
  }
}

/** The name of a table, from that of its file. */
export function tableName(src: string): string {
  const name = fileName(src).replace(/\.[^.]*(?:\.(?:gz|zst))?$/i, "");
  return name.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^(?=\p{N})/u, "t") || "data";
}

function fileName(src: string): string {
  return decode(new URL(src, "http://localhost/").pathname.split("/").at(-1) ?? "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
