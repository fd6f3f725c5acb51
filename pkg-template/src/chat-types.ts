// Conversations: what they are opened with, what they are asked, and what they tell the page.

import type { Claim } from "./check-types.js";
import type { Diagnostic } from "./errors.js";
import type { OpenedChat } from "./history.js";
import type { Recall } from "./recall.js";
import type { RecallSuggestions } from "./recall-types.js";
import type { LedgerEntry, Policy, Query, Reading } from "./types.js";

/** A request to an endpoint, as a transport gets it. */
export interface TransportRequest {
  url?: string;
  method: "POST";
  headers: Record<string, string>;
  body: string;
}

/** Sends a request in place of `fetch`. */
export type Transport = (
  request: TransportRequest,
  options: { signal: AbortSignal },
) => Promise<Response>;

/** Options of {@link Pinhole.chat}. Without endpoint and transport the built-in planner answers. */
export interface ChatOptions {
  endpoint?: string | URL;
  transport?: Transport;
  /** The format that the endpoint speaks. */
  wire?: "planner" | "openai-chat" | "openai-responses" | "anthropic";
  model?: string;
  /**
   * Rules for this conversation beside those of `OpenOptions.policy`: it may be told less, never
   * more. A rule that is looser than that of the page is refused (`looser_policy`), and of each rule
   * the stricter one holds, also when the page's policy changes later.
   */
  policy?: Policy;
  /** What is held back until it is checked. */
  hold?: "numbers" | "none" | "answer";
  /** A kept conversation to go on with. */
  continue?: OpenedChat;
  /** Questions asked before: the same question is answered from there, new answers are kept. */
  recall?: Recall;
  /** Tool rounds a question may take. */
  maxRounds?: number;
  /**
   * How long the endpoint may send nothing, in ms: until its answer begins, and from one piece of it to
   * the next. Then the request is given up and the question ends with `endpoint_timeout`. Without it
   * there is no limit, since a model on one's own machine may take minutes to load; where the stream
   * stands still, the question waits until it is cancelled. Whole answers (`stream: false`) begin when
   * they are complete. For a limit on the whole question pass `signal: AbortSignal.timeout(ms)` to `ask`.
   */
  timeout?: number;
  /** Whether to ask for a stream; default true. */
  stream?: boolean;
  /**
   * Whether the model may write scripts for what no query can say; default false. What they are goes
   * with every request. Where `OpenOptions.scripts` says no, there are none.
   */
  scripts?: boolean;
  /** Further headers; they stay in memory. Need `dangerouslyAllowBrowserKey`. */
  headers?: Record<string, string>;
  dangerouslyAllowBrowserKey?: boolean;
}

/** Options of {@link Chat.ask}. */
export interface AskOptions {
  signal?: AbortSignal;
  /** Texts to send as they are, though a protected cell says the same: the person wants it. */
  confirm?: string[];
  /** Does not look at what was asked before: the model, or the planner, answers anew. */
  fresh?: boolean;
  /** The number of a record that was suggested and that the person took: it answers. */
  recalled?: number;
  /** A query that answers: of `readings` the one that the person took. Nothing leaves for it. */
  query?: Query;
  /** The id of a result that answers: of a query that the person changed and ran. */
  result?: string;
}

/** What a question has cost. */
export interface Usage {
  requests: number;
  rounds: number;
  drafts: number;
  input_tokens: number;
  output_tokens: number;
}

/**
 * What a conversation tells the page. The `text` since the last `tool_call` or `draft` is the draft
 * that is being written; text before a `tool_call` is a remark and no part of the answer.
 */
export type ChatEvent =
  | { type: "text"; delta: string }
  | { type: "tool_call"; id: string; name: string; input: unknown; title?: string | null }
  | { type: "tool_error"; id: string; message: string }
  | {
      type: "data_block";
      id: string;
      tool: string;
      /** The canonical query, or the arguments of another tool. */
      input: unknown;
      result_id: string;
      rows: number;
      summary: unknown;
      /** The whole answer of a tool for purchases: for the person, no message to a model. */
      output?: unknown;
    }
  | { type: "claims"; claims: Claim[] }
  | { type: "draft"; n: number; status: "rejected" | "final" }
  | { type: "title"; title: string }
  | { type: "readings"; readings: Reading[] }
  | { type: "ledger"; entry: LedgerEntry }
  /** The question was asked before: what answered it then runs now, without a model. */
  | {
      type: "recall";
      script_id: number;
      question: string;
      /** When it was first asked. */
      asked_at: string;
      by: "exact" | "full_text";
      usage_count: number;
    }
  /** Questions asked before that may be meant; none of them has run. */
  | ({ type: "suggestions" } & RecallSuggestions)
  /** Words of the question that a protected cell says too: the model reads a mask in their place. */
  | { type: "masked"; texts: string[] }
  | {
      type: "done";
      answer: string;
      claims: Claim[];
      /** On the whole; each claim has its own. */
      verdict: "ok" | "rewrite";
      /** Why it ended before the model was done, if so. */
      ended?: string | null;
      usage?: Usage;
    }
  | {
      type: "error";
      code: string;
      message: string;
      /** The endpoint's own words, untrusted. */
      detail?: string | null;
      diagnostics?: Diagnostic[];
    };
