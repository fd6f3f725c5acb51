// Public types of the tools: a page's own ones, results, and definitions as providers take them.

import type { CallOptions, Diagnostic, Warning } from "./types.js";

/** How long a call of a tool takes: less than a moment, or as long as a query over the tables. */
export type Cost = "low" | "high";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  type: "object";
  properties?: Record<string, unknown>;
  required?: string[];
  [key: string]: unknown;
}

/** Plain data. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The schema of a tool's arguments, as definitions have it. */
export interface Parameters {
  type: "object";
  properties?: Record<string, { [keyword: string]: Json }>;
  required?: string[];
  [keyword: string]: unknown;
}

/** A tool of the page's own. */
export interface OwnTool<A = Record<string, unknown>> {
  /** 1 to 64 Latin letters, digits, `_` and `-`; no other tool has it. */
  name: string;
  /** What it is for, in words for a model. */
  description: string;
  /** JSON Schema (2020-12, or draft-07 where `$schema` says so) of the arguments. */
  inputSchema: ObjectSchema;
  /**
   * Runs with arguments that the schema takes. What it gives is the `output` of the result, for the
   * page. A model hears of it only where it is a `Result` of this engine: then the summary, as the
   * policy allows. Of anything else it hears that the tool ran.
   */
  execute(args: A, options: { signal: AbortSignal | undefined }): unknown;
  /** How long a call takes: `low` by default. */
  cost?: Cost;
}

/** A tool as Chat Completions define functions. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description: string; parameters: Parameters };
}

/** A tool as Responses define functions. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: Parameters;
  strict: false;
}

/** A tool as Messages define it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: Parameters;
}

/** A tool as the Model Context Protocol defines it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: Parameters;
  outputSchema: Parameters;
  /** Built-in tools read, and change nothing. */
  annotations?: { readOnlyHint: true };
  _meta: { cost: Cost };
}

/**
 * The outcome of a tool. All of it but `summary` is for the page: the adapters say what else a model
 * may hear.
 */
export interface ToolResult {
  ok: boolean;
  /** What a model may hear of it, as the policy allows. */
  summary: string;
  /** The result that a query gave. */
  result_id?: string | null;
  rows?: number | null;
  /**
   * What is for the person and no message to a model: what a tool of the page's own gave, the whole
   * answer of a tool for purchases, the `result_id` and `key` whose rows `source_rows` opens, the
   * report of `check_stats`, the questions of `suggest_questions`.
   */
  output?: unknown;
  warnings: Warning[];
  /** Everything that is wrong with the call. */
  error?: Diagnostic[] | null;
  /** What a script said as it failed: it may quote cells, and is for the person alone. */
  said?: string | null;
  /** What a tool of the page's own threw. */
  cause?: unknown;
}

/** The formats of definitions. */
export interface ToolFormats {
  "openai-chat": OpenAIChatTool;
  "openai-responses": OpenAIResponsesTool;
  anthropic: AnthropicTool;
  mcp: McpTool;
}

/** A tool as a model sees it, in the format of Chat Completions. */
export type ToolDefinition = OpenAIChatTool;

/** The tools that a model can call. */
export interface Tools {
  /** Runs a tool. Bad arguments and failed queries are results; a cancelled call rejects. */
  execute(name: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Names, descriptions and schemas of the arguments, in the format of Chat Completions. */
  definitions(): Promise<OpenAIChatTool[]>;
  /** The same in another format. */
  definitions<F extends keyof ToolFormats>(format: F): Promise<ToolFormats[F][]>;
  /** Adds a tool of the page's own. The function that it gives takes the tool away again. */
  register<A = Record<string, unknown>>(tool: OwnTool<A>): Promise<() => void>;
  /** Calls `run` whenever a tool was added or taken away. The function that it gives ends that. */
  watch(run: () => void): () => void;
}
