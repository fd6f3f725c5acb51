// The registry of tools: the engine's, and the page's own beside them.

import type { Engine } from "./engine.js";
import { type Diagnostic, type Locale, hostError, toError } from "./errors.js";
import { tell } from "./listeners.js";
import { checkObject, checkOptions } from "./options.js";
import { abortable } from "./platform.js";
import { Result, infoOf } from "./result.js";
import { cancelled } from "./rpc.js";
import type { Arguments } from "./schema.js";
import type {
  Cost,
  OpenAIChatTool,
  OwnTool,
  Parameters,
  ToolFormats,
  ToolResult,
  Tools,
} from "./tool-types.js";
import type { CallOptions } from "./types.js";

/** What providers take as the name of a function. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What every tool gives through an adapter. */
const TOLD: Parameters = {
  type: "object",
  properties: {
    result_id: { type: "string", description: "the result, in the page" },
    summary: { type: "string" },
    rows: { type: "integer" },
  },
  required: ["summary"],
  additionalProperties: false,
};

interface Own {
  tool: Required<Omit<OwnTool<never>, "inputSchema">>;
  args: Arguments;
}

/** What the registry needs of the page around it. */
export interface ToolSurroundings {
  engine: Engine;
  locale(): Locale;
  /** Runs a tool of the engine. */
  run(name: string, args: unknown, options: CallOptions | undefined): Promise<ToolResult>;
}

/** The engine's tools and the page's own, under one name each. */
export class Registry implements Tools {
  /** A name without a tool is being registered. */
  readonly #own = new Map<string, Own | undefined>();
  readonly #watchers = new Set<() => void>();

  constructor(private readonly around: ToolSurroundings) {}

  async execute(name: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
    checkOptions("ph.tools.execute", options, this.around.locale());
    const own = this.#own.get(name);
    return own ? this.#run(own, args, options) : this.around.run(name, args, options);
  }

  definitions(): Promise<OpenAIChatTool[]>;
  definitions<F extends keyof ToolFormats>(format: F): Promise<ToolFormats[F][]>;
  async definitions(format: keyof ToolFormats = "openai-chat"): Promise<object[]> {
    if (!Object.hasOwn(FORMATS, format))
      throw hostError("bad_option", this.around.locale(), format);
    const write = FORMATS[format];
    const builtIn = await this.around.engine.call("tool_definitions", []);
    const own = [...this.#own.values()].filter((one) => one !== undefined);
    return [
      ...builtIn.map(({ tool, cost }) => write(tool.function, cost, true)),
      ...own.map(({ tool: { name, description, cost }, args }) => {
        const parameters = structuredClone(args.schema) as Parameters;
        return write({ name, description, parameters }, cost, false);
      }),
    ];
  }

  async register<A = Record<string, unknown>>(tool: OwnTool<A>): Promise<() => void> {
    const locale = this.around.locale();
    checkObject("tool", tool, locale);
    // An instance of a class has fields of its own beside those of a tool.
    if (isPlain(tool)) checkOptions("ph.tools.register", tool, locale);
    const { name } = tool;
    if (typeof name !== "string" || !NAME.test(name))
      throw hostError("bad_tool_name", locale, name);
    const { description, execute, cost = "low" } = tool as Partial<OwnTool<A>>;
    const wrong =
      typeof description !== "string" || description === ""
        ? "description"
        : typeof execute !== "function"
          ? "execute"
          : !["low", "high"].includes(cost)
            ? "cost"
            : undefined;
    if (wrong !== undefined) throw hostError("bad_option", locale, wrong);
    if (this.#own.has(name)) throw hostError("tool_exists", locale, name);
    this.#own.set(name, undefined);
    try {
      const [builtIn, schema] = await Promise.all([
        this.around.engine.call("tool_definitions", []),
        import("./schema.js"),
      ]);
      if (builtIn.some(({ tool }) => tool.function.name === name))
        throw hostError("tool_exists", locale, name);
      const args = new schema.Arguments(tool.inputSchema, locale);
      // What becomes of the page's object later does not count.
      const bound = tool.execute.bind(tool);
      const own = { name, description: tool.description, cost, execute: bound };
      this.#own.set(name, { tool: own, args });
    } catch (error) {
      this.#own.delete(name);
      throw toError(error);
    }
    const own = this.#own.get(name);
    this.#changed();
    return () => {
      if (this.#own.get(name) !== own) return;
      this.#own.delete(name);
      this.#changed();
    };
  }

  watch(run: () => void): () => void {
    const watcher = () => {
      run();
    };
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  #changed(): void {
    for (const watcher of this.#watchers) tell(watcher);
  }

  async #run({ tool, args }: Own, given: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const { signal } = options;
    const { name } = tool;
    const locale = this.around.locale();
    if (signal?.aborted) throw cancelled(signal);
    try {
      const read = args.read(given, locale);
      if ("wrong" in read) return failed(read.wrong, locale);
      const output: unknown = await abortable(
        Promise.resolve(tool.execute(read.args as never, { signal })),
        signal,
      );
      if (!(output instanceof Result)) {
        return { ok: true, summary: ran(name, locale), output, warnings: [], error: null };
      }
      const { model_text, rows, warnings } = await infoOf(output, this.around.engine);
      const about = { summary: model_text, result_id: output.id, rows, warnings };
      return { ok: true, ...about, output, error: null };
    } catch (cause) {
      if (signal?.aborted) throw cancelled(signal);
      // What was thrown may quote cells: it is for the page.
      const { code, message } = hostError("tool_failed", locale, name);
      return { ...failed([{ ...NOTHING, code, message }], locale), cause };
    }
  }
}

function isPlain(value: object): boolean {
  const made: unknown = Object.getPrototypeOf(value);
  return made === Object.prototype || made === null;
}

const NOTHING = { pointer: "", span: null, choices: [], fix: null };

type Fn = OpenAIChatTool["function"];

/** How each format writes a tool; a built-in one reads, and changes nothing. */
const FORMATS: {
  [F in keyof ToolFormats]: (tool: Fn, cost: Cost, builtIn: boolean) => ToolFormats[F];
} = {
  "openai-chat": (tool) => ({ type: "function", function: tool }),
  "openai-responses": (tool) => ({ type: "function", ...tool, strict: false }),
  anthropic: ({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }),
  mcp: ({ name, description, parameters }, cost, builtIn) => ({
    name,
    description,
    inputSchema: withObjects(parameters),
    outputSchema: structuredClone(TOLD),
    ...(builtIn ? { annotations: { readOnlyHint: true } } : {}),
    _meta: { cost },
  }),
};

/** The same with no `true` or `false` for the schema of an argument: clients know objects alone. */
function withObjects(parameters: Parameters): Parameters {
  if (!parameters.properties) return parameters;
  const properties = { ...parameters.properties };
  for (const [name, schema] of Object.entries<unknown>(properties)) {
    if (typeof schema === "boolean") properties[name] = schema ? {} : { not: {} };
  }
  return { ...parameters, properties };
}

/** All that a model hears of a value that is not the engine's. */
function ran(name: string, locale: Locale): string {
  return locale === "ru"
    ? `Инструмент \`${name}\` выполнен: результат показан пользователю, вам он не раскрывается`
    : `The tool \`${name}\` ran: its output is for the user and is not told to you`;
}

/** A call that came to nothing, as the engine words it. */
function failed(error: Diagnostic[], locale: Locale): ToolResult {
  const [head, valid] = locale === "ru" ? ["Ошибка:", "допустимо"] : ["Error:", "valid"];
  const lines = error.map(({ pointer, message, choices }) => {
    const place = pointer === "" ? "" : `${pointer}: `;
    return `- ${place}${message}${choices.length > 0 ? `; ${valid}: ${choices.join(", ")}` : ""}`;
  });
  return { ok: false, summary: [head, ...lines].join("\n"), warnings: [], error };
}
