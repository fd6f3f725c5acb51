// What was kept back, and why: what the gate told the model in a request's tool results, and the
// columns that the policy in force protects.

import type { LedgerEntry, Policy, TableInfo } from "../types.js";

/** How the gate says that something is withheld, in both languages: no name or value is taken for it. */
const SAID = new RegExp(
  [
    "the policy withholds (?:it|its values) from you",
    "this part reads something that the policy withholds: leave it out",
    "(?:is|are) withheld: (?:it has |those of )?fewer than \\d+ rows",
    "\\[withheld: the disclosure policy has changed since\\]",
    "политика не раскрывает (?:его вам|вам значения)",
    "эта часть читает то, что политика не раскрывает",
    "не раскрывается: (?:за ним|в ней) меньше \\d+ строк",
    "не раскрыто групп: \\d+;",
  ].join("|"),
);

/** Texts that tools gave, wherever the format of the endpoint puts them. */
function* toolTexts(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const { role, type, content, output } = value as Record<string, unknown>;
  if (role === "tool" || type === "tool_result") yield* texts(content);
  else if (type === "function_call_output") yield* texts(output);
  else for (const inner of Object.values(value)) yield* toolTexts(inner);
}

function* texts(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) yield* texts(inner);
  }
}

/** The lines of a request that say that something is withheld. */
export function saidWithheld({ body }: LedgerEntry): string[] {
  if (typeof body !== "string") return [];
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return [];
  }
  const lines = new Set<string>();
  for (const text of toolTexts(request)) {
    for (const line of text.split("\n")) if (SAID.test(line)) lines.add(line.trim());
  }
  return [...lines];
}

/** A column that is not open, and what the scanner took it for. */
export interface Protected {
  column: string;
  by: "hidden" | "aggregate";
  flag: string | undefined;
}

/** The columns that the policy protects. */
export function protectedColumns(tables: TableInfo[], policy: Required<Policy>): Protected[] {
  return tables.flatMap(({ name, columns, classes, flags }) =>
    columns.flatMap(({ name: column }) => {
      const by = policy.columns[`${name}.${column}`] ?? classes[column] ?? "open";
      if (by === "open") return [];
      const flag = flags.find((one) => one.column === column)?.kind;
      return [{ column: `${name}.${column}`, by, flag }];
    }),
  );
}
