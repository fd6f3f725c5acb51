// Where scripts meet the engine: those of records, and those that a model writes. What runs them is
// fetched with the first of them.

import type { Engine } from "./engine.js";
import { type Locale, PinholeError, hostError } from "./errors.js";
import type { GlueEnded } from "./glue.js";
import type { Context } from "./rpc.js";
import type { ScriptSurroundings } from "./script.js";

/** The scripts of one engine. */
export class Scripting {
  constructor(
    private readonly engine: Engine,
    private readonly locale: () => Locale,
  ) {}

  /** Runs a script over the tables; the rows that it gave, for `script_result`. */
  async run(
    text: string,
    context: string,
    { by_model = false, signal }: { by_model?: boolean; signal?: AbortSignal },
  ): Promise<Uint8Array> {
    const { runScript } = await import("./script.js");
    const nothing = new Uint8Array();
    const run = runScript(text, context, this.#around(0, signal, by_model));
    const rows = await run.catch(async (error: unknown) => {
      // An id is taken all the same: those of later results do not tell how it ended.
      await this.engine.call("script_result", [nothing]).catch(() => undefined);
      throw error;
    });
    // An answer of no rows counts as one, too.
    return rows ?? nothing;
  }

  /** Runs a script that a model wrote, for the engine. */
  async forModel([number, script]: [number, string], context: Context): Promise<GlueEnded> {
    const abort = new AbortController();
    context.onCancel(() => {
      abort.abort();
    });
    const { signal } = abort;
    try {
      const { runForModel } = await import("./script.js");
      return await runForModel(script, this.#around(number, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      // Without its sandbox no script runs.
      const why = error instanceof PinholeError ? error : hostError("script_failed", this.locale());
      return { fault: { code: "script_failed", said: why.message } };
    }
  }

  #around(number: number, signal?: AbortSignal, by_model = true): ScriptSurroundings {
    const { engine } = this;
    return {
      opening: engine.options,
      threaded: engine.threaded,
      locale: this.locale(),
      signal,
      day: () => engine.call("script_day", [number]),
      ask: (kind, asked, ended) =>
        engine.call("script_ask", [number, kind, asked, by_model], { signal: ended }),
    };
  }
}
