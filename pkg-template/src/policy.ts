// What a page's policy says of a table that came after it.

import { type Diagnostic, type Locale, PinholeError } from "./errors.js";
import { closest, segment } from "./options.js";
import type { Policy, TableInfo } from "./types.js";

/** The closest names that are told, as the engine tells of a policy that comes after the table. */
const CHOICES = 8;

/**
 * The error of a policy that names columns which a new table does not have: what was meant would be
 * open, and nobody would know.
 */
export function strangeColumns(
  policy: Policy | undefined,
  { name, columns }: TableInfo,
  locale: Locale,
): PinholeError | undefined {
  const names = columns.map((column) => column.name);
  const diagnostics = Object.keys(policy?.columns ?? {}).flatMap((key): Diagnostic[] => {
    const [table = "", ...rest] = key.split(".");
    const column = rest.join(".");
    if (table !== name || names.includes(column)) return [];
    const message =
      locale === "ru"
        ? `политика называет \`${key}\`, а в таблице нет такого столбца`
        : `the policy names \`${key}\`, but the table has no such column`;
    const choices = closest(column, names).slice(0, CHOICES);
    const pointer = `/columns/${segment(key)}`;
    return [{ code: "unknown_column", message, pointer, span: null, choices, fix: null }];
  });
  if (diagnostics.length === 0) return undefined;
  const valid = locale === "ru" ? "допустимо" : "valid";
  const lines = diagnostics.map(
    ({ pointer, message, choices }) => `${pointer}: ${message}; ${valid}: ${choices.join(", ")}`,
  );
  return new PinholeError("unknown_column", lines.join("\n"), { diagnostics });
}
