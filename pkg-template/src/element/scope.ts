// What stands behind an answer, for its foot: the groups it has and the rows that were looked at, where
// the engine says how many. Rows that were looked at need not have a value each.

import type { Result } from "../result.js";
import type { Locale, Query, TableInfo } from "../types.js";
import { text } from "./texts.js";

/** What is known of a result; of one that was kept, nothing is. */
type Known = Pick<Result, "query" | "kind" | "rows"> & Partial<Pick<Result, "metadata">>;

/** The words; `tables` are those of the engine, `count` writes a number. */
export function scopeText(
  locale: Locale,
  { metadata, query, kind, rows }: Known,
  tables: readonly TableInfo[],
  count: (value: number) => string,
): string {
  if (!metadata) return "";
  const say = (key: Parameters<typeof text>[1], values = {}): string => text(locale, key, values);
  const all = metadata.rows_before_limit ?? rows;
  const made = { rows: count(rows), all: count(all) };
  const cut = all > rows ? "_of" : "";
  const groups = kind === "grouped" && rows > 0 ? [say(`scope_groups${cut}`, made)] : [];
  // A statement reads tables that need not have a row in common: their sum is no number of anything.
  if ("sql" in query) {
    return kind === "table" ? say(`scope_made${cut}`, made) : groups.join("");
  }
  if (!countsSource(query, kind === "grouped")) {
    const { rows: size } = tables.find(({ name }) => name === metadata.table) ?? {};
    const own = kind === "table" ? [say(`scope_made${cut}`, made)] : groups;
    const from =
      size === undefined ? say("scope_steps") : say("scope_steps_of", { size: count(size) });
    return [...own, from].join(" · ");
  }
  const { timeframe, period, session, rows_scanned: scanned, rows_matched: matched } = metadata;
  const framed = Boolean(period ?? session);
  if (scanned === 0 && !framed && !timeframe) return say("scope_empty");
  const bars = timeframe ? "bars" : "rows";
  const which =
    matched === scanned ? (scanned > 1 ? "all" : scanned === 1 ? "one" : "none") : "some";
  const looked = say(`scope_${which}_${bars}`, {
    matched: count(matched),
    scanned: count(scanned),
  });
  return [...groups, looked + (framed ? say("scope_time") : "")].join(" · ");
}

/** Whether the counts of a result are of rows of its table, and not of what a step before made. */
function countsSource(query: Query, grouped: boolean): boolean {
  const steps = query.steps ?? [];
  if (steps.length === 0) return true;
  const aggregates = ({ group_by, select }: Query): boolean =>
    group_by !== undefined || select !== undefined;
  // Groups that are filtered, sorted or cut afterwards have the counts of their own step.
  return grouped && aggregates(query) && !steps.some(aggregates);
}
