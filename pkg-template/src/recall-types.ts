// Questions asked before, as the page sees them.

import type { Diagnostic } from "./errors.js";
import type { RecallStore } from "./recall-store.js";
import type { Result } from "./result.js";
import type { Claim, Reading } from "./types.js";

/**
 * What answers a question: a query in JSON, a SQL statement, a script, a call of a tool for purchases
 * (`{"tool": "get_receipts", "arguments": {}}`), or several calls in their order (`{"calls": [...]}`),
 * whose tools are also `query` and `run_script`.
 */
export type RecallKind = "query" | "sql" | "script" | "tool" | "calls";

/** What the last successful run gave: a summary, never the rows. */
export interface RecallResult {
  /** The summary; of a call with totals, those of its list and of them; of several calls, all. */
  raw: unknown;
  human: string;
  executed_at: string;
  /** The words of a model's answer, with references in place of its numbers. */
  words?: string;
}

/** A question asked before, with what answered it. */
export interface RecallRecord {
  id: number;
  /** The data set that it belongs to; others never see it. */
  context_code: string;
  question: string;
  kind: RecallKind;
  script: string;
  /** A model wrote the script: it runs only where the policy protects nothing. */
  by_model?: boolean;
  /**
   * The day that counted as today as a model wrote days into a call: while another one does, the
   * question is not found, since `last month` is another month then.
   */
  of_day?: string;
  /**
   * What several calls of a model stand on, since each may follow from what an earlier one found, and
   * a query with a day or a value that the question does not say: the loaded tables, each with a hash
   * of all its rows, and the settings for purchases. Over anything else the question is not found.
   * Absent from what the page saved: it runs over any rows.
   */
  over?: string[];
  /**
   * What was asked before it in its conversation, as a hash, where it means something else after other
   * questions: it is answered from before after the same ones alone, and never suggested.
   */
  after?: string;
  created_at: string;
  updated_at: string;
  /** How often it was run from here. */
  usage_count: number;
  /** It ran, and did not fail since: others are not found. */
  is_valid: boolean;
  last_result?: RecallResult;
  /** `values` is Base64 of 16-bit numbers, the lower byte first; a list is read as well. */
  embedding?: { embedder: string; values: string | number[] };
  schema_fingerprint: string;
  policy_hash: string;
  language_version: string;
}

/** Makes vectors of questions, in place of the built-in embedder. */
export interface Embedder {
  /** Vectors of different names are not compared. The ledger names one that is elsewhere by it. */
  name?: string;
  /** The length of its vectors. */
  dim: number;
  /**
   * It sends texts away. Then it is given them as they may leave (protected cells are masked), once
   * that is approved and on the ledger; it must send no others. While the policy protects columns of
   * a table that is not loaded, it is given none. Needs a `name`.
   */
  remote?: boolean;
  embed(texts: string[], options?: { signal?: AbortSignal }): Promise<ArrayLike<number>[]>;
}

/** What the look-up goes by. */
export interface RecallSettings {
  /** Suggestions at most; 5. */
  suggest_limit?: number;
  /** The least likeness of a suggestion by meaning; 0.8. */
  similarity_threshold?: number;
  /** From this likeness on one is suggested alone; 0.95. */
  auto_use_threshold?: number;
  /** The least share of its own score that a suggestion by words has; 0.1. */
  fulltext_threshold?: number;
}

/** Options of `ph.recall`. */
export interface RecallOptions {
  /** The name of the data set: questions of others are neither found nor listed. */
  context: string;
  embedder?: Embedder;
  settings?: RecallSettings;
  /** Where records are kept; by default on this device with `persist: true`, else in memory. */
  store?: RecallStore;
}

/** A question that was asked before and may be meant. */
export interface RecallSuggestion {
  id: number;
  question: string;
  similarity: number;
  by: "exact" | "semantic" | "full_text";
  /** What only one of the two questions has: numbers, periods, directions, names. */
  differs: string[];
  usage_count: number;
  is_valid: boolean;
  last_result: RecallResult | null;
}

/** Questions that may be meant; none of them has run. */
export interface RecallSuggestions {
  /** There is one, and it is as good as the same question. */
  high_confidence: boolean;
  suggestions: RecallSuggestion[];
}

/** What one of several calls gave. */
export interface RecallStep {
  tool: string;
  /** The canonical query, or the arguments of another tool. */
  input: unknown;
  raw: string;
  result: Result;
  totals?: Result;
  output?: unknown;
}

/** What came of a question. */
export interface RecallAnswer {
  success: boolean;
  /** The answer, or what went wrong, for the person. */
  human: string;
  /** The numbers of `human`, with where each comes from. */
  claims?: Claim[];
  /** The id of the result. */
  raw?: string;
  /** The result; of a call of a tool, its list. */
  result?: Result;
  /** The totals of a call of a tool. */
  totals?: Result;
  /** The whole answer of a tool, in a shape of its own. */
  output?: unknown;
  /** Where several calls answered: what each gave, in their order. The last is what is named above. */
  steps?: RecallStep[];
  /** The record that ran. */
  script_id?: number;
  /** It was asked before: no planner and no model worked on it. */
  cached: boolean;
  /** How it was found. */
  by?: "exact" | "full_text";
  /** When it was first asked. */
  asked_at?: string;
  /** Questions that may have been meant. */
  suggestions?: RecallSuggestion[];
  high_confidence?: boolean;
  /** What went wrong, for a developer; `clarify` where a script asks the person back. */
  error?: string;
  diagnostics?: Diagnostic[];
  /** What was to run. */
  script?: string;
  /** Ways to read a question that the planner is not sure of. */
  readings?: Reading[];
}

/** What became of the lines of an import. */
export interface RecallImported {
  added: number;
  updated: number;
  /** Records here that are later than the imported ones. */
  kept: number;
  /** Lines that are no records; they are passed over. */
  bad: { line: number; diagnostic: Diagnostic }[];
}

/** What was said and found in a conversation before a question, a text for each. */
export interface RecallBefore {
  asked: string[];
  /** The words of answers. */
  answered: string[];
  /** What was run, and what it gave. */
  found: string[];
}
