// "Apply to filter": which rows the person means, as the page can use it.

import type { Pinhole } from "../../index.js";
import type { Result } from "../../result.js";
import type { Locale, Page, Query } from "../../types.js";
import { AS_TEXT, keysOf } from "../keys.js";
import { text } from "./texts.js";
import type { FilterDetail, Shown } from "../types.js";
import { type CellFormat, exact } from "./format.js";
import type { RowSource } from "./rows.js";
import type { Selection } from "./selection.js";

/** Groups that one event names at most. */
const GROUPS = 1000;

/** The columns that name the groups, where rows are groups. */
function groupsOf(result: Shown): string[] {
  return "metadata" in result && result.kind === "grouped" ? keysOf(result) : [];
}

/** The rows that are meant: of groups those selected, else a selection of more than one cell. */
function rowsOf(
  result: Shown,
  source: RowSource,
  selection: Selection | undefined,
): [from: number, to: number] | undefined {
  const area = selection?.area;
  if (!area || source.total === 0) return undefined;
  if (groupsOf(result).length > 0) {
    return area.rows[1] - area.rows[0] > GROUPS ? undefined : area.rows;
  }
  return selection.extended ? area.rows : undefined;
}

/** What the button says: exactly which rows it is about. */
export function filterLabel(
  locale: Locale,
  format: CellFormat,
  result: Shown,
  source: RowSource,
  selection: Selection | undefined,
): string {
  const rows = rowsOf(result, source, selection);
  const grouped = groupsOf(result).length > 0;
  const count = (n: number): string => format.count(n);
  if (!rows) return text(locale, "filter_all", { rows: count(source.total) });
  const size = rows[1] - rows[0];
  if (grouped && size === 1) return text(locale, "filter_group");
  return text(locale, grouped ? "filter_groups" : "filter_rows", { rows: count(size) });
}

/** Where rows have all their columns: the engine, and the result whose rows are those in sight. */
export interface Behind {
  ph: Pinhole;
  result: Result;
}

/** The event's detail. */
export async function filterDetail(
  result: Shown,
  source: RowSource,
  selection: Selection | undefined,
  behind: Behind | undefined,
): Promise<FilterDetail> {
  const range = rowsOf(result, source, selection);
  const [from, to] = range ?? [0, source.total];
  const page = async (offset = 0, limit = 100): Promise<Page> => {
    const count = Math.max(0, Math.min(limit, to - from - offset));
    const columns = source.columns.map(({ name }) => name);
    const shown: Page = {
      columns,
      rows: await source.read(from + offset, count),
      total: to - from,
    };
    return behind && count > 0 ? withAll(shown, from + offset, behind) : shown;
  };
  if (!("metadata" in result)) {
    const none = { table: undefined, query: undefined, where: undefined, key: undefined };
    return { ...none, keys: [], range, rows: page };
  }
  const { query, metadata } = result;
  const names = groupsOf(result);
  const given = names.length > 0 && range ? await source.read(from, to - from) : [];
  const places = names.map((name) => source.columns.findIndex((column) => column.name === name));
  const keys = given.map((row) =>
    Object.fromEntries(names.map((name, i) => [name, row[places[i] ?? -1]])),
  );
  const grouped = names.length > 0 || !result.table;
  const one = keys.length === 1 ? keys[0] : undefined;
  return {
    table: metadata.table,
    query,
    where: query.where,
    key: one,
    keys,
    range,
    rows: grouped
      ? (offset = 0, limit = 100) => sourceOf(result, one ? [one] : keys, offset, limit)
      : page,
  };
}

/** The query with all columns of its first `end` rows; none where it has them, and for SQL. */
export function widened(query: Query, end: number): Query | undefined {
  if ("sql" in query) return undefined;
  const steps = query.steps ?? [];
  const { columns, limit = end, ...last } = steps.at(-1) ?? query;
  if (!columns) return undefined;
  const wide = { ...last, limit: Math.min(limit, end) };
  return steps.length === 0 ? wide : { ...query, steps: [...steps.slice(0, -1), wide] };
}

/**
 * Rows with the columns that the query left out behind those that it shows: a page may know its rows
 * by a column that nobody wants to read. Where the table is gone or another one since, nothing is added.
 */
async function withAll(shown: Page, from: number, { ph, result }: Behind): Promise<Page> {
  const query = result.kind === "table" && widened(result.query, from + shown.rows.length);
  if (!query) return shown;
  const all = await ph.query(query).catch(() => undefined);
  if (!all) return shown;
  try {
    const page = await all.table?.page(from, shown.rows.length, AS_TEXT);
    if (page?.rows.length !== shown.rows.length) return shown;
    const places = shown.columns.map((name) => page.columns.indexOf(name));
    const same = shown.rows.every((row, i) =>
      row.every((cell, at) => exact(cell) === exact(page.rows[i]?.[places[at] ?? -1])),
    );
    if (!same) return shown;
    const others = page.columns.map((_, at) => at).filter((at) => !places.includes(at));
    const order = [...places, ...others];
    return {
      columns: order.map((at) => page.columns[at] ?? ""),
      rows: page.rows.map((row) => order.map((at) => row[at])),
      total: shown.total,
    };
  } finally {
    void all.release().catch(() => undefined);
  }
}

/** The rows behind groups, one group after the other; behind no groups, those of the whole result. */
async function sourceOf(
  result: Extract<Shown, { metadata: unknown }>,
  keys: Record<string, unknown>[],
  offset: number,
  limit: number,
): Promise<Page> {
  if (keys.length <= 1) return result.source(keys[0] ?? null, { offset, limit, ...AS_TEXT });
  const found: Page = { columns: [], rows: [], total: 0 };
  for (const key of keys) {
    const skip = Math.max(0, offset - found.total);
    const page = await result.source(key, {
      offset: skip,
      limit: Math.max(0, limit - found.rows.length),
      ...AS_TEXT,
    });
    found.columns = page.columns;
    found.rows.push(...page.rows);
    found.total += page.total;
  }
  return found;
}
