// The tools for the browser's own agent, by the proposed WebMCP interface
// (https://webmachinelearning.github.io/webmcp/), where the browser has it.

import { type Locale, toError } from "./errors.js";
import { checkOptions } from "./options.js";
import { type AdapterOptions, callFor } from "./told.js";
import type { McpTool, Parameters, Tools } from "./tool-types.js";

/** A tool as the browser takes it. */
export interface ModelContextTool {
  name: string;
  description: string;
  inputSchema: Parameters;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /** Chromium says by a signal that nobody waits any more. */
  execute(input: object, options?: { signal?: AbortSignal }): Promise<string>;
}

/** The part of the browser's `ModelContext` that is needed. */
export interface ModelContext {
  /** Older proposals give nothing and know no signal. */
  registerTool(tool: ModelContextTool, options: { signal: AbortSignal }): unknown;
  /** Of older proposals. */
  unregisterTool?(name: string): unknown;
}

/** Options of {@link registerModelContext}. */
export interface ModelContextOptions extends AdapterOptions {
  /** Takes the tools away again when it is aborted. */
  signal?: AbortSignal;
  /** Another place to register at than `document.modelContext` or `navigator.modelContext`. */
  context?: ModelContext;
}

/**
 * Registers the tools of `ph` with the browser, and those that the page registers later. Gives the
 * function that takes them away again; `undefined` where the browser has no model context.
 */
export async function registerModelContext(
  ph: { readonly tools: Tools; readonly locale?: Locale },
  options: ModelContextOptions = {},
): Promise<(() => void) | undefined> {
  checkOptions("registerModelContext", options, ph.locale);
  const { signal } = options;
  const context = options.context ?? contextOf("document") ?? contextOf("navigator");
  if (typeof context?.registerTool !== "function" || signal?.aborted) return undefined;
  const there = new Map<string, AbortController>();
  let ended = false;

  const remove = (name: string) => {
    there.get(name)?.abort();
    if (there.delete(name)) context.unregisterTool?.(name);
  };
  const add = async ({ name, description, inputSchema, annotations }: McpTool) => {
    const own = new AbortController();
    there.set(name, own);
    const tool: ModelContextTool = {
      name,
      description,
      inputSchema,
      // A summary may quote cells, and whoever wrote those is not the page.
      annotations: {
        readOnlyHint: annotations?.readOnlyHint === true,
        untrustedContentHint: true,
      },
      execute: async (input, { signal: asked } = {}) => {
        const ended = asked ? AbortSignal.any([own.signal, asked]) : own.signal;
        return (await callFor(ph.tools, name, input, ended, options)).said.summary;
      },
    };
    // Waits no longer than the tool stays: its promise may reject when the signal is aborted.
    try {
      await context.registerTool(tool, { signal: own.signal });
    } catch (error) {
      if (own.signal.aborted) return;
      there.delete(name);
      throw error;
    }
  };
  const sync = async () => {
    const tools = await ph.tools.definitions("mcp");
    if (ended) return;
    for (const name of [...there.keys()]) {
      if (!tools.some((tool) => tool.name === name)) remove(name);
    }
    await Promise.all(tools.filter((tool) => !there.has(tool.name)).map(add));
  };
  const end = () => {
    ended = true;
    unwatch();
    signal?.removeEventListener("abort", end);
    for (const name of [...there.keys()]) remove(name);
  };

  let last: Promise<void> = sync();
  const unwatch = ph.tools.watch(() => {
    // The browser may refuse a later tool: it is the page's all the same.
    last = last.then(sync).catch(() => undefined);
  });
  signal?.addEventListener("abort", end, { once: true });
  try {
    await last;
  } catch (error) {
    end();
    throw toError(error);
  }
  return end;
}

function contextOf(holder: "document" | "navigator"): ModelContext | undefined {
  const global = globalThis as Record<string, unknown>;
  const { modelContext } = (global[holder] ?? {}) as { modelContext?: ModelContext };
  return modelContext;
}
