// What a request says of columns: the names and types that its own bytes hold, beside what the ledger
// knows of their values. A column of which nothing but its name left is one that left.

import type { LedgerEntry } from "../types.js";

/** How the engine tells a model of a table, and of a column of it. */
const TABLE = /^(?:table|таблица) `([^`]+)`: \d/;
const COLUMN = /^ {2}`([^`]+)`: ([\p{L}\d()]+)(.*)$/u;
const VALUES = /, (?:values|значения) "/;

type What = "name" | "aggregates" | "told" | "values";

const SAID: Record<What, readonly [en: string, ru: string]> = {
  name: ["name and type", "имя и тип"],
  aggregates: ["name, type, and aggregates", "имя, тип и агрегаты"],
  told: [
    "name, type, and what results or the range of dates say of its values",
    "имя, тип и то, что о значениях говорят результаты или границы дат",
  ],
  values: ["name, type, and values", "имя, тип и значения"],
};

/** What the engine calls the kinds of values, for the person. */
const KINDS: [told: string, en: string, ru: string][] = [
  ["integer", "integer", "целое"],
  ["int", "integer", "целое"],
  ["float", "number", "число"],
  ["number", "number", "число"],
  ["decimal", "decimal", "десятичное"],
  ["bool", "yes/no", "да/нет"],
  ["boolean", "yes/no", "да/нет"],
  ["text", "text", "текст"],
  ["date", "date", "дата"],
  ["timestamp", "date and time", "дата и время"],
  ["list", "list", "список"],
];

/** A kind in words: `decimal(2)` and `list(int)` with what they hold. */
function kindText(type: string, at: 0 | 1): string {
  const [, told = "", of] = /^([^()]+)(?:\((.+)\))?$/u.exec(type) ?? [];
  const words = KINDS.find(([name]) => name === told)?.[at + 1] ?? type;
  if (of === undefined || words === type) return words;
  return `${words}, ${/^\d+$/u.test(of) ? of : kindText(of, at)}`;
}

/** The texts of a request, wherever its format puts them. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) yield* textsIn(one);
}

function textsOf(body: string): string[] {
  try {
    return [...textsIn(JSON.parse(body))];
  } catch {
    return [body];
  }
}

/** The columns that the bytes name, with their types, and of which they list values. */
function columnsIn(body: string): Map<string, { type: string; values: boolean }> {
  const found = new Map<string, { type: string; values: boolean }>();
  for (const text of textsOf(body)) {
    let table: string | undefined;
    for (const line of text.split("\n")) {
      const column = table === undefined ? null : COLUMN.exec(line);
      if (!column) {
        table = TABLE.exec(line)?.[1];
        continue;
      }
      const [, name = "", type = "", more = ""] = column;
      const of = `${table ?? ""}.${name}`;
      found.set(of, { type, values: VALUES.test(more) || found.get(of)?.values === true });
    }
  }
  return found;
}

/** What left of columns, by how much did: a line each, `what: table.column (type), …`. */
export function toldOfColumns(
  { body, columns = [], withheld = [], level }: Pick<LedgerEntry, "body"> & Partial<LedgerEntry>,
  language: string,
): { what: string; columns: string }[] {
  const at = language === "ru" ? 1 : 0;
  const named = columnsIn(typeof body === "string" ? body : "");
  const apart = new Set(withheld.filter((one) => one.what === "values").map(({ of }) => of));
  const groups: Record<What, string[]> = { name: [], aggregates: [], told: [], values: [] };
  for (const name of new Set([...named.keys(), ...columns])) {
    const { type, values = false } = named.get(name) ?? {};
    const told = columns.includes(name);
    const rows = level === "preview" && !apart.has(name);
    const more = apart.has(name) || level === "aggregate" ? "aggregates" : "told";
    const what = values || (told && rows) ? "values" : told ? more : "name";
    groups[what].push(type === undefined ? name : `${name} (${kindText(type, at)})`);
  }
  return (Object.keys(SAID) as What[])
    .filter((what) => groups[what].length > 0)
    .map((what) => ({ what: SAID[what][at], columns: groups[what].join(", ") }));
}
