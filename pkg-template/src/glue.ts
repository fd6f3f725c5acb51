// The border to the wasm module: what its generated glue exports, by hand, with types.
// Everything that crosses is plain data with snake_case keys.

import type { Fault, Locale } from "./errors.js";
import type { PurchaseOptions, PurchaseReport } from "./purchases.js";
import type { RecallChanges } from "./recall-store.js";
import type {
  RecallBefore,
  RecallImported,
  RecallRecord,
  RecallSettings,
  RecallSuggestions,
} from "./recall-types.js";
import type { Cost, OpenAIChatTool, ToolResult } from "./tool-types.js";
import type {
  Check,
  Claim,
  Completions,
  Diagnostic,
  FunctionInfo,
  GivenTable,
  LedgerEntry,
  LedgerProof,
  Page,
  Plan,
  Policy,
  Query,
  Rendered,
  ResultInfo,
  Stats,
  StatsReport,
  StatsRequest,
  TableInfo,
} from "./types.js";

/** What a long call in the engine asks of its surroundings. */
export interface Job {
  /** Whether the caller has cancelled. */
  cancelled(): boolean;
  /** Tells how far it is; `total` is 0 where it is not known. */
  progress(done: number, total: number): void;
  /** Lets the event loop run: cancel messages arrive then. */
  pause(): Promise<void>;
  /** Runs a script in a sandbox; what it asks comes under this number. */
  script(number: number, script: string): Promise<GlueEnded>;
  /** Opens a file for a query whose memory is not enough, where there are such. */
  disk(): Promise<DiskFile | undefined>;
}

/** A file that is read and written at once. Both give how many bytes they did. */
export interface DiskFile {
  read(into: Uint8Array, at: number): number;
  write(bytes: Uint8Array, at: number): number;
  /** Nothing in it is needed any more. */
  clear(): void;
  /** It is not needed any more. */
  close(): void;
}

/** How the script of a model ended: the rows that it gave, in JSON, or why it gave none. */
export type GlueEnded = { rows: Uint8Array } | { fault: GlueScriptFault };

/** Why a script gave nothing. All but `said`, and what was refused, is told to a model. */
export interface GlueScriptFault {
  code: string;
  line?: number;
  column?: number;
  /** The number of what it asked in vain. */
  refused?: number;
  /** The name that it uses and does not have. */
  name?: string;
  /** For the person. */
  said: string;
}

/** What a script of a model asked and is not given. */
export interface GlueRefused {
  refused: number;
  /** What the script reads: no more than its author may. */
  told: string;
  fault: Fault;
}

/** An answer of an endpoint whose body is read on demand. */
export interface HostResponse {
  status: number;
  /** What the `Retry-After` header says, in seconds. */
  retry_after?: number;
  /** The next bytes, `undefined` at the end; rejects when the stream breaks. */
  read(): Promise<Uint8Array | undefined>;
}

/** What a conversation in the engine asks of its surroundings. */
export interface ChatHost {
  /** An event for the page. */
  emit(event: object): void;
  /** Whether a request may be sent: the entry that will stand for it on the ledger. */
  approve(entry: object): Promise<boolean>;
  /** Keeps a line of the ledger; lines that another page wrote meanwhile, where there are such. */
  keep(seq: number, line: string): Promise<string[] | undefined>;
  /** Sends a body to the endpoint; rejects when it cannot be reached. */
  send(body: string): Promise<HostResponse>;
  /** Milliseconds since 1970. */
  now(): number;
  cancelled(): boolean;
  pause(): Promise<void>;
  script(number: number, script: string): Promise<GlueEnded>;
  disk(): Promise<DiskFile | undefined>;
}

/** Options of {@link GlueSession}. */
export interface SessionOptions {
  memory_limit?: number;
  locale?: Locale;
  decimals?: "string" | "number";
  policy?: Policy;
  purchases?: PurchaseOptions;
  /** There is a sandbox for scripts of models. */
  scripts?: boolean;
  /** Queries whose memory is not enough may continue on a disk; for the engine's side, not for the module. */
  spill?: boolean;
  /** The lines of the ledger so far. */
  ledger?: string[];
  /** An engine of this page died before: what it had disclosed is not known any more. */
  restarted?: boolean;
}

/** Options of a conversation, as the module takes them. */
export interface GlueChatOptions {
  wire: string;
  model?: string;
  endpoint?: string;
  hold?: string;
  max_rounds?: number;
  stream?: boolean;
  /** Whether the model may write scripts. */
  scripts?: boolean;
  policy?: Policy;
  /** It was open before, in an engine that is no more. */
  again?: boolean;
  /** What `chat_record` gave: the conversation goes on from it. */
  record?: string;
}

/** What a look-up among questions asked before found; `unfit` fit the tables no longer. */
export type GlueFound = {
  unfit: { id: number; diagnostics: Diagnostic[] }[];
  /** The rows of the tables must be read first (`read_tables`): the same may find more then. */
  unread?: boolean;
} & (
  | { found: "run"; by: "exact" | "full_text"; recheck: boolean; record: RecallRecord }
  | ({ found: "suggest" } & RecallSuggestions)
  | { found: "nothing" }
);

/** What a call of a tool for purchases found. */
export interface GlueCalled {
  list: ResultInfo;
  totals?: ResultInfo;
  output: unknown;
}

/** The engine. Everything that fails throws or rejects with a `Fault`. */
export interface GlueSession {
  load_begin(name: string, options: object): number;
  load_push(load: number, bytes: Uint8Array): { bytes: number; rows: number };
  /** Does what takes long of a load; nothing has changed by then. */
  load_settle(load: number, job: Job): Promise<void>;
  load_finish(load: number): TableInfo;
  load_abort(load: number): void;
  /** Starts taking a table out. */
  keep_begin(name: string): number;
  /** The next bytes of it; nothing at the end. */
  keep_next(keep: number): Uint8Array | undefined;
  keep_end(keep: number): void;
  tables(): TableInfo[];
  drop(name: string): boolean;
  validate(query: Query): Diagnostic[];
  format(query: Query): Query;
  explain(query: Query): string;
  complete(query: Query, pointer: string, text: string, offset: number): Completions;
  functions(): FunctionInfo[];
  query(query: Query, options: { groups?: "all" }, job: Job): Promise<ResultInfo>;
  result(id: string): ResultInfo | undefined;
  release(id: string): boolean;
  rows(id: string, offset: number, limit: number): Page;
  source(id: string, key: object | null, offset: number, limit: number, job: Job): Promise<Page>;
  ipc(id: string): Uint8Array;
  sql(text: string, params: unknown, job: Job): Promise<ResultInfo>;
  plan(question: string, options: { table?: string; previous?: Query }): Plan;
  suggest(table: string): string[];
  check(
    text: string,
    ids: string[],
    options: { question?: string; tables?: GivenTable[] },
    job: Job,
  ): Promise<Check>;
  render(
    text: string,
    ids: string[],
    options: { locale?: Locale; tables?: GivenTable[] },
  ): Rendered;
  check_stats(request: StatsRequest): StatsReport;
  chat_open(options: GlueChatOptions): number;
  chat_ask(chat: number, question: string, host: ChatHost): Promise<void>;
  /** The person wants this text to be sent though a protected cell says the same. */
  chat_confirm(text: string): void;
  /** What to keep of a conversation that is not busy. */
  chat_record(chat: number): string | undefined;
  /** Notes a question that was answered without the conversation, with the result, if there is one. */
  chat_answered(chat: number, question: string, id: string | undefined): void;
  chat_clear(chat: number): void;
  chat_close(chat: number): void;
  /** Opens a table that was kept, an Arrow IPC stream, to be read and never queried. */
  block_open(bytes: Uint8Array): number;
  block_rows(block: number, offset: number, limit: number): Page;
  block_close(block: number): void;
  /** The answer to a question whose query gave this result: in earlier words that hold, or by template. */
  answer(
    id: string,
    question: string,
    words: string | undefined,
  ): { text: string; claims: Claim[] };
  /** The same of a question that a call of a tool answered, by its list and its totals. */
  answer_call(
    call: string,
    list: string,
    totals: string | undefined,
    question: string,
    words: string | undefined,
  ): { text: string; claims: Claim[] };
  /** Makes a call of a tool again; nothing where its days were counted from another day than today's. */
  call_again(
    call: string,
    question: string,
    day: string | undefined,
    job: Job,
  ): Promise<GlueCalled | undefined>;
  /** The same of a question that several calls answered. */
  answer_calls(
    ran: { calls: { call?: string; list: string; totals?: string }[] },
    question: string,
    words: string | undefined,
  ): { text: string; claims: Claim[] };
  /** What is another one once a table of the person came or went, or the policy changed. */
  standing(): string;
  /** Reads the rows of all tables, where that was not done yet: what several calls stand on. */
  read_tables(job: Job): Promise<void>;
  /** What tells the rows of a table from any others. */
  print(name: string, job: Job): Promise<string>;
  /** Whether a record may run as things are: how they stand, or what bars it. */
  recall_stands(record: RecallRecord): {
    standing?: string;
    bar?: "day" | "scripts" | "over" | "unread";
  };
  /** Whether scripts that a model wrote may run as things are. */
  scripts_run(): boolean;
  /** Rows for a script; 0 is the number of those that a person runs, even if a model wrote them. */
  script_ask(
    number: number,
    kind: "query" | "sql",
    asked: string,
    by_model: boolean,
    job: Job,
  ): Promise<Page | GlueRefused>;
  /** The day that a script takes for today, where the policy lets it be told; 0 as above. */
  script_day(number: number): string | undefined;
  /** Takes in what a script gave, rows in JSON; nothing where there is none. */
  script_result(rows: Uint8Array, job: Job): Promise<ResultInfo | undefined>;
  recall_open(options: { settings?: RecallSettings; embedder?: string }): number;
  recall_close(recall: number): void;
  /** Takes in what the store has; how many records could not be read. */
  recall_take_in(recall: number, records: RecallRecord[], gone: number[]): number;
  recall_ask(
    recall: number,
    context: string,
    question: string,
    vector: Float32Array | undefined,
    after: string | undefined,
  ): GlueFound;
  /** Whether a question means the same after any other. */
  recall_alone(question: string): boolean;
  /**
   * What of an answer, by its kind and what it is, the question does not say: whether anything may be
   * carried over from what was `before` it, where that is known, and whether there is a day or a
   * period of now.
   */
  recall_unsaid(
    question: string,
    answered: string,
    script: string,
    before: RecallBefore | undefined,
  ): { carried: boolean; dated: boolean };
  /** What stands before a next question, after this one and what answered it. */
  recall_after(before: string, question: string, answered: string): string;
  recall_suggest(
    recall: number,
    context: string,
    question: string,
    how: { limit?: number; threshold?: number },
    vector: Float32Array | undefined,
  ): RecallSuggestions & { unread?: boolean };
  recall_save(
    recall: number,
    context: string,
    kept: {
      question: string;
      kind: string;
      script: string;
      by_model?: boolean;
      /** What a call says of days was counted from the day that counts as today. */
      of_today?: boolean;
      /** It stands on the rows of the tables and the policy, if things stand so (`standing`). */
      since?: string;
      /** It answers the question after these alone (`recall_after`). */
      after?: string;
      is_valid: boolean;
      vector?: Float32Array;
    },
    now: string,
  ): number;
  recall_get(recall: number, context: string, id: number): RecallRecord | undefined;
  recall_list(recall: number, context: string): RecallRecord[];
  recall_update(
    recall: number,
    context: string,
    id: number,
    edit: { script?: string; is_valid?: boolean },
    now: string,
  ): boolean;
  recall_delete(recall: number, context: string, id: number): boolean;
  recall_finished(
    recall: number,
    context: string,
    id: number,
    ended: {
      ending: "answered" | "failed" | "clarify";
      result?: string;
      /** The totals of a call of a tool. */
      totals?: string;
      /** All results of several calls, in place of these. */
      results?: string[];
      human?: string;
      cached: boolean;
      /** What a model answered with `human`: its words are kept. */
      question?: string;
    },
    now: string,
  ): boolean;
  recall_without_vector(
    recall: number,
    context: string,
    most: number,
  ): { id: number; question: string }[];
  /** Questions without a vector as they may leave, and how many others wait for their tables. */
  recall_to_leave(
    recall: number,
    context: string,
    most: number,
  ): { texts: { id: number; text: string }[]; waiting: number };
  /** Questions on their way to an embedder elsewhere: what is on the ledger, a list of texts in JSON. */
  recall_leave(questions: string[], endpoint: string, host: ChatHost): Promise<string>;
  recall_fill(recall: number, context: string, id: number, vector: Float32Array): boolean;
  recall_fill_built_in(recall: number, context: string, most: number): number;
  /** The number under which a question is kept, where it is. */
  recall_number(context: string, question: string): number;
  /** Makes so many questions ready for the search by words; whether all are. */
  recall_prepare(recall: number, context: string, most: number): boolean;
  /** What the store does not have, and what to confirm once it has. */
  recall_pending(recall: number): { revision: number; changes: RecallChanges };
  recall_confirm(recall: number, revision: number): void;
  recall_export(recall: number, context: string): string;
  recall_import(recall: number, bytes: Uint8Array): RecallImported;
  tool_definitions(): { tool: OpenAIChatTool; cost: Cost }[];
  tool_execute(name: string, args: unknown, job: Job): Promise<ToolResult>;
  purchases_check(job: Job): Promise<PurchaseReport>;
  /** Begins to make what the first calls of the tools for purchases would make. */
  rehearse_begin(): void;
  /** Goes on with it; whether there is nothing to do any more. */
  rehearse(job: Job): Promise<boolean>;
  /** Lets go of what it has under way. */
  rehearse_pause(): void;
  ledger(): LedgerEntry[];
  ledger_verify(): LedgerProof;
  ledger_export(): string;
  set_policy(policy: Policy): void;
  policy(): Required<Policy>;
  set_locale(locale: Locale): void;
  stats(): Omit<Stats, "worker" | "restarts">;
  /** Gives the memory back. */
  free(): void;
}

/** The arguments of a call without the surroundings, which the worker provides. */
type Plain<A extends unknown[]> = A extends [...infer R, Job] | [...infer R, ChatHost] ? R : A;

/** Names of the engine's calls. */
export type Op = Exclude<keyof GlueSession, "free">;

/** What a call takes from the page. */
export type OpArgs<K extends Op> = K extends "chat_ask"
  ? [chat: number, question: string, ask: number]
  : K extends "recall_leave"
    ? [questions: string[], endpoint: string, ask: number]
    : Plain<Parameters<GlueSession[K]>>;

/** What a call gives to the page. */
export type OpResult<K extends Op> = Awaited<ReturnType<GlueSession[K]>>;

/**
 * The state of the module's instance, which is one for everything that is opened in a realm. The build
 * has the glue look at it (`join.js`): what the module does in a task has no caller to throw to.
 */
export interface GlueTasks {
  /** Takes what a task threw; whether it did. */
  trapped?: (error: unknown) => boolean;
  /** The trap that ended the instance: nothing of it runs any more. */
  dead?: unknown;
}

/** The generated glue as a module. */
export interface Glue {
  tasks: GlueTasks;
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  Session: new (options: SessionOptions) => GlueSession;
}
