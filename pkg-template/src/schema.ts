// JSON Schemas of a page's own tools: read when the tool is registered, kept to when it is called.
// Loaded with the first of them.

import { type Diagnostic, type Locale, hostError } from "./errors.js";
import { type OutputUnit, type Schema, Validator, dereference } from "./json-schema/index.js";
import type { ObjectSchema } from "./tool-types.js";

/** Problems of one call that are named. */
const MOST = 20;
/** Characters of a name or a value in a message. */
const LENGTH = 80;

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
/** Where schemas stand in a schema: one, a list of them, or one under each name. */
const ONE =
  "additionalItems additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties";
const LIST = "allOf anyOf items oneOf prefixItems";
const MAP = "$defs definitions dependentSchemas patternProperties properties";
const [ones, lists, maps] = [ONE, LIST, MAP].map((names) => new Set(names.split(" ")));

/** What a value breaks by a keyword; `{0}` is what the schema says there. */
const TEXTS: Record<string, readonly [en: string, ru: string]> = {
  type: ["has to be of type {0}", "должно иметь тип {0}"],
  enum: ["is none of the values allowed", "не входит в число допустимых значений"],
  const: ["has to be {0}", "должно быть равно {0}"],
  required: ["is missing", "не указано"],
  false: ["is unknown", "неизвестно"],
  minimum: ["has to be at least {0}", "должно быть не меньше {0}"],
  maximum: ["has to be at most {0}", "должно быть не больше {0}"],
  exclusiveMinimum: ["has to be more than {0}", "должно быть больше {0}"],
  exclusiveMaximum: ["has to be less than {0}", "должно быть меньше {0}"],
  multipleOf: ["has to be a multiple of {0}", "должно быть кратно {0}"],
  minLength: ["has to have {0} characters or more", "должно иметь не меньше {0} знаков"],
  maxLength: ["has to have {0} characters or fewer", "должно иметь не больше {0} знаков"],
  minItems: ["has to have {0} items or more", "должно иметь не меньше {0} элементов"],
  maxItems: ["has to have {0} items or fewer", "должно иметь не больше {0} элементов"],
  uniqueItems: ["has an item twice", "содержит один элемент дважды"],
  minProperties: ["has to have {0} fields or more", "должно иметь не меньше {0} полей"],
  maxProperties: ["has to have {0} fields or fewer", "должно иметь не больше {0} полей"],
  pattern: ["has to match {0}", "должно соответствовать {0}"],
  format: ["has to be written as {0}", "должно быть записано как {0}"],
};
const OTHER = ["does not fit the schema", "не подходит под схему"] as const;

/** Keywords that only say that something below them is wrong. */
const ABOVE = new Set(
  "$ref additionalItems additionalProperties allOf dependentSchemas if items patternProperties prefixItems properties unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
/** Keywords whose parts may each be wrong without the whole being so. */
const ANY = new Set(["anyOf", "oneOf", "not", "contains", "propertyNames"]);

/** The arguments of a tool, as its schema has them. */
export class Arguments {
  /** The schema as plain data. */
  readonly schema: ObjectSchema;
  readonly #marked: Schema;
  readonly #known: Record<string, unknown>;
  readonly #validator: Validator;

  /** Throws `bad_schema`, with the place, where it is no JSON Schema of an object. */
  constructor(schema: unknown, locale: Locale) {
    const bad = (place: string, cause?: unknown) =>
      hostError("bad_schema", locale, `#${place}`, cause);
    try {
      const text = JSON.stringify(schema);
      this.schema = JSON.parse(text) as ObjectSchema;
      // The validator marks the schema that it is given.
      this.#marked = JSON.parse(text) as Schema;
    } catch (error) {
      throw bad("", error);
    }
    const marked: unknown = this.#marked;
    if (!isObject(marked) || marked.type !== "object") throw bad("/type");
    const { $schema } = marked;
    try {
      this.#known = dereference(this.#marked);
    } catch (error) {
      throw bad("", error);
    }
    const wrong = wrongPlace(this.#marked, this.#known);
    if (wrong !== undefined) throw bad(wrong);
    const old = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
    this.#validator = new Validator(this.#marked, old ? "7" : "2020-12", false);
  }

  /** The arguments as plain data with the defaults of what is absent, or what is wrong with them. */
  read(
    given: unknown,
    locale: Locale,
  ): { args: Record<string, unknown> } | { wrong: Diagnostic[] } {
    let value: unknown;
    try {
      value = JSON.parse(typeof given === "string" ? given : JSON.stringify(given));
    } catch {
      const texts = ["the arguments are no JSON", "аргументы не являются JSON"] as const;
      return { wrong: [diagnostic("bad_argument", "", texts[index(locale)])] };
    }
    const { valid, errors } = this.#validator.validate(value);
    if (!valid) return { wrong: this.#wrong(errors, locale) };
    const args = value as Record<string, unknown>;
    for (const [name, schema] of Object.entries(this.schema.properties ?? {})) {
      if (Object.hasOwn(args, name) || !isObject(schema) || schema.default === undefined) continue;
      args[name] = structuredClone(schema.default);
    }
    return { args };
  }

  #wrong(errors: OutputUnit[], locale: Locale): Diagnostic[] {
    const above = errors.filter(({ keyword }) => ANY.has(keyword));
    const below = ({ keywordLocation: place }: OutputUnit) =>
      above.some(({ keywordLocation }) => place.startsWith(`${keywordLocation}/`));
    const own = errors.filter((error) => !ABOVE.has(error.keyword) && !below(error));
    return own.slice(0, MOST).map((error) => this.#diagnostic(error, locale));
  }

  #diagnostic({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, locale: Locale) {
    const missing = keyword === "required" ? /"(.*)"/.exec(error)?.[1] : undefined;
    const here = decodeURI(instanceLocation.slice(1)).replaceAll("%23", "#");
    const pointer = missing === undefined ? here : `${here}/${escape(missing)}`;
    const said = keyword === "false" ? undefined : this.#at(keywordLocation);
    const name = pointer.slice(pointer.lastIndexOf("/") + 1);
    const text = (TEXTS[keyword] ?? OTHER)[index(locale)];
    const value = Array.isArray(said) ? said.join(", ") : JSON.stringify(said);
    const message = text.replace("{0}", () =>
      cut(typeof said === "string" ? `\`${said}\`` : value),
    );
    const subject =
      name === "" ? ["the value", "значение"][index(locale)] : `\`${cut(unescape(name))}\``;
    const code =
      keyword === "required"
        ? "missing_argument"
        : keyword === "false"
          ? "unknown_argument"
          : "bad_argument";
    let choices: string[] = [];
    if (keyword === "enum" && Array.isArray(said)) choices = said.map((one) => plain(one));
    if (keyword === "false" && pointer.lastIndexOf("/") === 0)
      choices = Object.keys(this.schema.properties ?? {});
    return diagnostic(code, pointer, `${subject ?? ""} ${message}`, choices.slice(0, MOST));
  }

  /** What stands at a place of the schema that a pointer through references names. */
  #at(place: string): unknown {
    let value: unknown = this.#marked;
    for (const step of place.split("/").slice(1)) {
      if (!isObject(value) && !Array.isArray(value)) return undefined;
      const node = value as Schema;
      const name = unescape(decodeURI(step).replaceAll("%23", "#"));
      value = name === "$ref" ? this.#known[node.__absolute_ref__ as string] : node[name];
    }
    return value;
  }
}

/** The first place where a schema is none, as a JSON pointer. */
function wrongPlace(
  schema: unknown,
  known: Record<string, unknown>,
  place = "",
): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return place;
  const { type, required, pattern, $ref } = schema;
  const types = Array.isArray(type) ? (type as unknown[]) : [type ?? "object"];
  if (!types.every((one) => TYPES.includes(one as string))) return `${place}/type`;
  const names = required ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    return `${place}/required`;
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return `${place}/enum`;
  if (pattern !== undefined && !isPattern(pattern)) return `${place}/pattern`;
  if ($ref !== undefined && !(String(schema.__absolute_ref__) in known)) return `${place}/$ref`;
  for (const [name, value] of Object.entries(schema)) {
    const here = `${place}/${escape(name)}`;
    let inner: [string, unknown][] = [];
    if (maps?.has(name)) {
      if (!isObject(value)) return here;
      inner = Object.entries(value);
      if (name === "patternProperties" && !inner.every(([key]) => isPattern(key))) return here;
    } else if (lists?.has(name) && Array.isArray(value)) {
      inner = value.map((one, i) => [String(i), one]);
    } else if (ones?.has(name)) {
      const wrong = wrongPlace(value, known, here);
      if (wrong !== undefined) return wrong;
    } else if (lists?.has(name)) {
      return here;
    }
    for (const [key, one] of inner) {
      const wrong = wrongPlace(one, known, `${here}/${escape(key)}`);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function index(locale: Locale): 0 | 1 {
  return locale === "ru" ? 1 : 0;
}

function plain(value: unknown): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text;
}

function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescape(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

function diagnostic(
  code: string,
  pointer: string,
  message: string,
  choices: string[] = [],
): Diagnostic {
  return { code, message, pointer, span: null, choices, fix: null };
}
