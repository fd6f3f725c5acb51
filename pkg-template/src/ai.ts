// The tools as a set for the AI SDK: plain objects, without that package. Whatever leaves the page
// with the messages is what the policy lets a model know.

import type { Locale } from "./errors.js";
import { checkOptions } from "./options.js";
import { type AdapterOptions, type Told, callFor } from "./told.js";
import type { Parameters, Tools } from "./tool-types.js";

export type { AdapterOptions, Told } from "./told.js";

/** A schema as libraries exchange them (Standard Schema, Standard JSON Schema). */
export interface AiSchema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "pinhole";
    readonly types?: { readonly input: T; readonly output: T };
    validate(value: unknown): { value: T };
    readonly jsonSchema: {
      input(options: { readonly target: string }): Record<string, unknown>;
      output(options: { readonly target: string }): Record<string, unknown>;
    };
  };
}

/** A tool as the AI SDK takes it. */
export interface AiTool {
  description: string;
  inputSchema: AiSchema<Record<string, unknown>>;
  execute(
    input: Record<string, unknown>,
    options?: { abortSignal?: AbortSignal | undefined },
  ): Promise<Told>;
  toModelOutput(options: { output: Told }): { type: "text"; value: string };
}

/**
 * The tools of `ph` by name. `toModelOutput` is also exported by itself, for a server that turns
 * the page's messages into those of a model and has no engine.
 */
export async function aiTools(
  ph: { readonly tools: Tools; readonly locale?: Locale },
  options: AdapterOptions = {},
): Promise<Record<string, AiTool>> {
  checkOptions("aiTools", options, ph.locale);
  const definitions = await ph.tools.definitions();
  return Object.fromEntries(
    definitions.map(({ function: { name, description, parameters } }): [string, AiTool] => [
      name,
      {
        description,
        inputSchema: schemaOf(parameters),
        execute: async (input, { abortSignal } = {}) =>
          (await callFor(ph.tools, name, input, abortSignal, options)).said,
        toModelOutput,
      },
    ]),
  );
}

/** What a model gets of a tool's output: the summary. */
export function toModelOutput({ output }: { output: Told }): { type: "text"; value: string } {
  return { type: "text", value: output.summary };
}

/** What is wrong with arguments is the tool's to say, all of it at once. */
function schemaOf(parameters: Parameters): AiSchema<Record<string, unknown>> {
  const schema = () => structuredClone(parameters);
  return {
    "~standard": {
      version: 1,
      vendor: "pinhole",
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}
