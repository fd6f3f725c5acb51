// Rows given as objects, as lines of JSON. What JSON.stringify refuses (big integers) or writes as
// nothing (maps, sets) or as an object (arrays of numbers) is why they are written by hand.

import { type HostCode, type Locale, PinholeError, hostError } from "./errors.js";
import { abortable, tag } from "./platform.js";

/** The deepest nesting in a row. An object that contains itself goes beyond any. */
const DEEPEST = 64;
/** Names of fields that are kept as they are written. */
const NAMES = 4096;

/** Rows one after another: an array, or anything that gives objects in turn. */
export type Rows = Iterable<object> | AsyncIterable<object>;

/** The rows as text, one a line, in parts of about `size` characters. */
export async function* linesOf(
  rows: Rows,
  size: number,
  signal: AbortSignal | undefined,
  locale: Locale,
): AsyncGenerator<string> {
  const lines = new Lines(locale);
  try {
    if (Symbol.iterator in rows) {
      for (const row of rows) if (lines.add(row) >= size) yield lines.take();
    } else {
      for await (const row of stoppable(rows, signal)) {
        if (lines.add(row) >= size) yield lines.take();
      }
    }
  } catch (error) {
    throw error instanceof PinholeError
      ? error
      : hostError("source_broken", locale, undefined, error);
  }
  if (lines.count === 0) throw hostError("empty_input", locale);
  yield lines.take();
}

/** The rows, until a cancel: then no further row is waited for. */
async function* stoppable(
  rows: AsyncIterable<object>,
  signal: AbortSignal | undefined,
): AsyncGenerator<object> {
  const iterator = rows[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const step = await abortable(Promise.resolve(iterator.next()), signal);
      if (step.done === true) break;
      yield step.value;
    }
    ended = true;
  } finally {
    if (!ended) iterator.return?.().then(undefined, () => undefined);
  }
}

/** Rows as text. */
class Lines {
  /** How many there have been. */
  count = 0;
  #text = "";
  readonly #names = new Map<string, string>();

  constructor(private readonly locale: Locale) {}

  /** Adds a row; how long the text is by now. */
  add(row: unknown): number {
    const fields = hasToJson(row) && tag(row) !== "Date" ? row.toJSON() : row;
    if (typeof fields !== "object" || fields === null || isList(fields) || tag(fields) === "Date") {
      throw this.#fault("row_not_object");
    }
    this.#text += `${this.#object(fields, 1)}\n`;
    this.count += 1;
    return this.#text.length;
  }

  /** The text, which starts anew. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Says which row it is, and nothing of what is in it. */
  #fault(code: HostCode): PinholeError {
    return hostError(code, this.locale, String(this.count));
  }

  /** The value; nothing where there is none to write, as of functions. */
  #value(value: unknown, depth: number): string | undefined {
    switch (typeof value) {
      case "string":
        return quoted(value);
      case "number":
        return Number.isFinite(value) ? String(value) : "null";
      case "boolean":
      case "bigint":
        return String(value);
      case "object":
        return value === null ? "null" : this.#nested(value, depth + 1);
      default:
        return undefined;
    }
  }

  #nested(value: object, depth: number): string | undefined {
    if (depth > DEEPEST) throw this.#fault("row_too_deep");
    switch (tag(value)) {
      case "Date": {
        const date = value as Date;
        return Number.isNaN(date.getTime()) ? "null" : quoted(date.toISOString());
      }
      case "String":
      case "Number":
      case "Boolean":
      case "BigInt":
        return this.#value(value.valueOf(), depth);
    }
    // Node's buffers have a form of their own that is no list.
    if (hasToJson(value) && !ArrayBuffer.isView(value)) return this.#value(value.toJSON(), depth);
    if (isList(value)) {
      const items: string[] = [];
      for (const item of value) items.push(this.#value(item, depth) ?? "null");
      return `[${items.join()}]`;
    }
    return this.#object(value, depth);
  }

  #object(value: object, depth: number): string {
    let text = "";
    for (const key of Object.keys(value)) {
      const field = this.#value((value as Record<string, unknown>)[key], depth);
      if (field !== undefined) text += `${text === "" ? "" : ","}${this.#name(key)}${field}`;
    }
    return `{${text}}`;
  }

  #name(key: string): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `${quoted(key)}:`;
      if (this.#names.size < NAMES) this.#names.set(key, name);
    }
    return name;
  }
}

/** The text as JSON; halves of characters, which are no Unicode, become U+FFFD. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  return json.includes("\\ud") ? JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")) : json;
}

function isList(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { toJSON?: unknown }).toJSON === "function"
  );
}
