// What the elements show to a page: their properties, and the details of their events. The classes
// themselves stay inside, so that the types of the package need no other package.

import type { Pinhole } from "../index.js";
import type {
  ChatOptions,
  Claim,
  Fact,
  LedgerEntry,
  LoadOptions,
  Locale,
  Page,
  Query,
} from "../types.js";

/** Where the panel is: over the page, or along one of its sides. */
export type Dock = "none" | "left" | "right";

/** The panel that answers questions. Properties named like attributes are set by them too. */
export interface PinholeAskElement extends HTMLElement {
  /** The engine. Without one the element opens its own when it is first shown. */
  ph: Pinhole | undefined;
  /** The language; else that of the engine, else that of the page. */
  locale: Locale | undefined;
  /** The address of a file, loaded into an engine of the element's own. */
  src: string | undefined;
  /** The name of the table from `src` (by default that of the file), or the one to ask about. */
  table: string | undefined;
  /** How `src` is read. */
  loadOptions: LoadOptions | undefined;
  /** An endpoint that answers; without one the built-in planner does. */
  endpoint: string | undefined;
  /** The model and the wire format of `endpoint`. */
  model: string | undefined;
  wire: ChatOptions["wire"];
  /** All options of the conversation, in place of `endpoint`, `model` and `wire`. */
  chatOptions: ChatOptions | undefined;
  /** What stands in the header. */
  heading: string | undefined;
  /** Whether the panel is shown. */
  open: boolean;
  dock: Dock;
  /** Whether the panel has no button of its own that opens it. */
  noLauncher: boolean;
  /** The name under which its place is remembered; empty for not at all. */
  storageKey: string;
  /** Opens the panel and gives it the focus. */
  show(): void;
  /** Closes it; the focus goes back to where it was. */
  hide(): void;
  /** Asks a question; resolves when it is answered or has failed. */
  ask(question: string): Promise<void>;
  /** Begins another conversation. */
  clear(): void;
}

/** The text of an answer with every number marked. */
export interface PinholeAnswerElement extends HTMLElement {
  /** The text. */
  text: string;
  /** What was found of it, by offsets into the text. */
  claims: Claim[];
  /** Whether the text is Markdown: that of a model is, that of the planner is not. */
  markdown: boolean;
  /** Whether it is still being written, and not checked yet. */
  draft: boolean;
  locale: Locale | undefined;
  /** Gives the rows behind a fact, for its note. */
  source: ((fact: Fact, limit: number) => Promise<Page | undefined>) | undefined;
}

/** What left the page, request by request. */
export interface PinholeLedgerElement extends HTMLElement {
  /** The engine whose ledger is shown, verified and exported; it is followed as it grows. */
  ph: Pinhole | undefined;
  /** These entries in place of all. */
  entries: LedgerEntry[] | undefined;
  locale: Locale | undefined;
}

/** `pinhole-ready`: the engine can be asked. */
export interface ReadyDetail {
  ph: Pinhole;
}

/** `pinhole-ask`: a question was asked. */
export interface AskDetail {
  question: string;
}

/** `pinhole-answer`: a question was answered, or `code` says why not. */
export interface AnswerDetail {
  question: string;
  answer: string | undefined;
  claims: Claim[];
  verdict: "ok" | "rewrite" | undefined;
  /** The canonical query that was run last. */
  query: Query | undefined;
  code: string | undefined;
}

/** `pinhole-filter`: the person wants the page to show what the answer is about. */
export interface FilterDetail {
  /** The table of the query. */
  table: string;
  /** The canonical query of the result. */
  query: Query;
  /** Which rows: an expression of the query language; none for all of them. */
  where: string | undefined;
  /** The group that was chosen, by its keys. */
  key: Record<string, unknown> | undefined;
  /** Reads the rows themselves. */
  rows: (offset?: number, limit?: number) => Promise<Page>;
}

/** `pinhole-toggle`: the panel was opened, closed, docked or undocked. */
export interface ToggleDetail {
  open: boolean;
  dock: Dock;
  /** The width that a docked panel takes. */
  width: number;
}

/** `pinhole-evidence` of an answer: the person wants the rows behind a fact. */
export interface EvidenceDetail {
  fact: Fact;
}

/** The events of the elements; all of them bubble to the page. */
export interface PinholeElementEvents {
  "pinhole-ready": CustomEvent<ReadyDetail>;
  "pinhole-ask": CustomEvent<AskDetail>;
  "pinhole-answer": CustomEvent<AnswerDetail>;
  "pinhole-filter": CustomEvent<FilterDetail>;
  "pinhole-toggle": CustomEvent<ToggleDetail>;
  "pinhole-evidence": CustomEvent<EvidenceDetail>;
}
