// Tables of purchases: what they are called, and whether they fit together.

import type { Engine } from "./engine.js";
import type { LoadOptions, Warning } from "./types.js";

/** The tables of purchases by their default names, each after those that it names rows of. */
export const PURCHASE_TABLES = [
  "products",
  "items",
  "labels",
  "item_labels",
  "receipts",
  "receipt_items",
] as const;

/** A table of purchases. */
export type PurchaseTable = (typeof PURCHASE_TABLES)[number];

/** The tools for purchases. */
export const PURCHASE_TOOLS: ReadonlySet<string> = new Set([
  "get_receipts",
  "get_receipt_items",
  "get_products",
  "get_items",
  "get_labels",
  "get_purchase_statistics",
  "generate_shopping_list",
]);

/** How the tools for purchases read the tables. */
export interface PurchaseOptions {
  /** Other names of tables, and of columns by their default names. */
  tables?: Partial<
    Record<PurchaseTable, { table?: string; columns?: Readonly<Record<string, string>> }>
  >;
  /** The day that counts as today (`2024-12-31`); without it, that of the latest receipt. */
  reference_date?: string;
  /**
   * Whether what the first call of each tool would make and keep is made as soon as the tables are
   * there, while nothing else is asked for; default true where the engine runs in a worker, else
   * false.
   */
  rehearse?: boolean;
}

/** Tables without which there are no tools for purchases but that of labels. */
const NEEDED: readonly PurchaseTable[] = ["products", "items", "receipts", "receipt_items"];

/**
 * Begins a rehearsal after the load of a table that makes those of purchases complete, or is another
 * one of them. Nobody waits for it.
 */
export function rehearse(
  name: string,
  loaded: ReadonlyMap<string, unknown>,
  engine: Pick<Engine, "call" | "options" | "threaded">,
): void {
  const { tables = {} } = engine.options.purchases ?? {};
  const called = (table: PurchaseTable) => tables[table]?.table ?? table;
  const complete =
    PURCHASE_TABLES.some((table) => called(table) === name) &&
    NEEDED.every((table) => loaded.has(called(table)));
  if (rehearses(engine) && complete) engine.call("rehearse_begin", []).catch(() => undefined);
}

function rehearses({ options, threaded }: Pick<Engine, "options" | "threaded">): boolean {
  return options.purchases?.rehearse ?? threaded;
}

/** Waits for the rehearsal of the tables as they are, which begins here where none does by itself. */
export async function rehearsed(
  engine: Pick<Engine, "call" | "options" | "threaded">,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!rehearses(engine)) await engine.call("rehearse_begin", [], { signal });
  await engine.call("rehearse", [], { signal });
}

/** What the engine is told of the tables of purchases. */
export function named(options: PurchaseOptions): PurchaseOptions {
  const names = { ...options };
  delete names.rehearse;
  return names;
}

/** Whether the loaded tables of purchases fit together. Tables and columns go by default names. */
export interface PurchaseReport {
  /** The tables whose rows others name. */
  tables: {
    table: PurchaseTable;
    /** What it is called here. */
    name: string;
    rows: number;
    /** Rows that nothing can name. */
    without_id: number;
    /** Rows with an id that an earlier row has: the tools refuse to count rows twice. */
    repeated_ids: number;
  }[];
  /** Rows of `table` whose `column` names a row that table `names` does not have. They stay. */
  orphans: { table: PurchaseTable; column: string; names: PurchaseTable; rows: number }[];
  /** The same in words. */
  warnings: Warning[];
}

/** Options of {@link Pinhole.loadPurchases}. */
export interface LoadPurchasesOptions extends LoadOptions {
  /** Options of single tables. */
  tables?: Partial<Record<PurchaseTable, LoadOptions>>;
  /**
   * Waits also for the rehearsal, so that the first call of a tool has nothing to make. Without
   * it (the default) the tables are there sooner, and whoever asks at once waits for what that call
   * needs and no more.
   */
  rehearsed?: boolean;
}

/** A name among those that is no table of purchases. */
export function unknownTable(...given: object[]): string | undefined {
  const known: readonly string[] = PURCHASE_TABLES;
  return given.flatMap((names) => Object.keys(names)).find((name) => !known.includes(name));
}
