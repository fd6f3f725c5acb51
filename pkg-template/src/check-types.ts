// Checked texts: claims with their facts, tables to check against, numbers reported by field.

import type { Diagnostic } from "./errors.js";

/** What the code found of one claim in a text. */
export type Verdict = "verified" | "derived" | "contradicted" | "unverifiable";

/** Where a number comes from: a cell of a result, or something said of the whole. */
export interface Fact {
  /** The result's id. */
  result: string;
  /** The row of its table, counted from 0; none for a fact about the whole. */
  row?: number | null;
  /** The group keys of that row. */
  key: Record<string, unknown>;
  /** The column, a count (`rows`, `rows_matched`), or `stats.<column>.<min|max|mean>`. */
  column: string;
  /** The exact value. */
  value: unknown;
}

/** One claim of a text. */
export interface Claim {
  /** UTF-16 offsets into the text. */
  start: number;
  end: number;
  text: string;
  verdict: Verdict;
  /** The actual value, where the evidence says otherwise. */
  actual?: string;
  /** The fact that it was bound to. */
  fact?: Fact;
  /** The formula that it follows by. */
  formula?: string;
  /** The facts that the formula is made of, each with its row; left out where they are many. */
  operands?: Fact[];
  /** The words of the draft, where the code replaced them. */
  replaced?: string;
}

/** A table that no query made, to check texts against. */
export interface GivenTable {
  /** What facts and references call it (`{{sales[shop=Kuper].amount}}`). */
  name: string;
  /** Its rows, by the names of the columns. */
  rows: Record<string, unknown>[];
}

/** Findings about a text. */
export interface Check {
  /** On the whole: `rewrite` where a claim is contradicted or unverifiable. */
  verdict: "ok" | "rewrite";
  claims: Claim[];
  /** For the person: what is wrong, with actual values, whatever the policy keeps from a model. */
  feedback: string;
  /**
   * The same for a model that wrote the text, as far as the policy lets it know: where something is
   * withheld, its lines are the same whether a withheld number was right. In English.
   */
  modelFeedback: string;
}

/** A text whose references are filled in. */
export interface Rendered {
  /** A reference that cannot be filled in stands as it was written. */
  text: string;
  /** One claim a reference, `verified` with its fact, or `unverifiable`. */
  claims: Claim[];
  /** What cannot be filled in, with the references that are valid; spans are of the text given. */
  issues: Diagnostic[];
}

/** Numbers reported by field, and the rows they are said of. */
export interface StatsRequest {
  stats: Record<string, number | string | null>;
  /**
   * Rows, or the id of a result; `{ rows, granularity, matches_count }` says the same with the number
   * of matches beside the rows.
   */
  data: string | Record<string, unknown> | Record<string, unknown>[];
  intent?: "data" | "pattern" | "concept";
  /** Drafts already rejected; the check of the fourth ends the loop. */
  attempts?: number;
  matches_count?: number;
  /** How far a number may be from the actual one, in place of the defaults. */
  tolerances?: Record<string, 0 | { absolute: number } | { relative: number }>;
}

/** What became of reported numbers. */
export interface StatsReport {
  /** What the `verdict` of {@link Check} is to a text. */
  status: "ok" | "rewrite";
  issues: string[];
  feedback: string;
  /** Fields that are missing on one side. */
  unchecked: string[];
  /** The drafts were used up: this `ok` does not say that the numbers are right. */
  auto_approved: boolean;
  note?: string;
}
