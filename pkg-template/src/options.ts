// The options that each call takes. One that there is not is refused, since what is misspelt would
// else quietly not hold: a policy as little as a limit.

import { type Diagnostic, type Locale, PinholeError, hostError } from "./errors.js";
import { PURCHASE_TABLES, type PurchaseOptions } from "./purchases.js";
import type { RecallOptions } from "./recall-types.js";
import type { OwnTool } from "./tool-types.js";
import type {
  AskOptions,
  CallOptions,
  ChatOptions,
  KeepOptions,
  LoadOptions,
  OpenOptions,
  RowOptions,
} from "./types.js";

/** The names of all options of a type: the compiler misses none of them, and none too many. */
const of = <T>(names: Record<keyof T, 1>): string[] => Object.keys(names);

const SIGNAL = ["signal"];
const CALL = of<CallOptions>({ signal: 1, onProgress: 1 });
const ROWS = of<RowOptions>({ signal: 1, dates: 1 });
const LOAD = of<LoadOptions>({
  format: 1,
  csv: 1,
  columns: 1,
  nulls: 1,
  time: 1,
  series: 1,
  timezone: 1,
  market: 1,
  timesIn: 1,
  resample: 1,
  units: 1,
  labels: 1,
  synonyms: 1,
  classes: 1,
  types: 1,
  onBadRow: 1,
  onProgress: 1,
  signal: 1,
});
const OPEN = of<OpenOptions>({
  wasm: 1,
  worker: 1,
  parquetWasm: 1,
  parquetWorker: 1,
  scriptWasm: 1,
  scriptWorker: 1,
  scripts: 1,
  memoryLimit: 1,
  spill: 1,
  policy: 1,
  locale: 1,
  purchases: 1,
  decimals: 1,
  dates: 1,
  persist: 1,
  ledger: 1,
  onBeforeSend: 1,
});
const CHAT = of<ChatOptions>({
  endpoint: 1,
  transport: 1,
  wire: 1,
  model: 1,
  policy: 1,
  hold: 1,
  continue: 1,
  recall: 1,
  maxRounds: 1,
  timeout: 1,
  stream: 1,
  scripts: 1,
  headers: 1,
  dangerouslyAllowBrowserKey: 1,
});
const ASK = of<AskOptions>({
  signal: 1,
  confirm: 1,
  fresh: 1,
  recalled: 1,
  query: 1,
  result: 1,
});
const ADAPTER = ["onResult"];

/** What each call takes, by the name that a page calls it by. */
const KNOWN = {
  "Pinhole.open": OPEN,
  "Pinhole.open({ purchases })": of<PurchaseOptions>({
    tables: 1,
    reference_date: 1,
    rehearse: 1,
  }),
  "Pinhole.open({ purchases: { tables } })": [...PURCHASE_TABLES],
  "ph.load": LOAD,
  "ph.append": LOAD,
  "ph.loadPurchases": [...LOAD, "tables", "rehearsed"],
  "ph.checkPurchases": CALL,
  "ph.keep": of<KeepOptions>({ signal: 1, onProgress: 1 }),
  "ph.reopen": ["classes", "onProgress", "signal"],
  "ph.print": SIGNAL,
  "ph.query": [...CALL, "groups"],
  "ph.sql": CALL,
  "ph.complete": ["pointer", "query"],
  "ph.plan": ["table", "previous"],
  "ph.check": [...CALL, "question"],
  "ph.render": ["locale"],
  "ph.checkStats": SIGNAL,
  "ph.chat": CHAT,
  "chat.ask": ASK,
  "ph.recall": of<RecallOptions>({ context: 1, embedder: 1, settings: 1, store: 1 }),
  "recall.ask": [...CALL, "fresh"],
  "recall.suggest": ["limit", "threshold", "embed", "signal"],
  "recall.save": SIGNAL,
  "recall.execute": CALL,
  "recall.export": SIGNAL,
  "recall.import": SIGNAL,
  "recall.migrate": SIGNAL,
  "ph.tools.execute": CALL,
  "ph.tools.register": of<OwnTool>({
    name: 1,
    description: 1,
    inputSchema: 1,
    execute: 1,
    cost: 1,
  }),
  "ph.history.export": SIGNAL,
  "result.source": [...CALL, "dates", "offset", "limit"],
  "table.rows": ROWS,
  "table.page": ROWS,
  "table.batches": ROWS,
  "table.toArrowIPC": SIGNAL,
  aiTools: ADAPTER,
  serveMcp: [...ADAPTER, "name", "version"],
  registerModelContext: [...ADAPTER, "context", "signal"],
} as const satisfies Record<string, readonly string[]>;

/** What options of these names can be, in whichever call. */
const VALUES: Record<string, readonly string[]> = {
  dates: ["string", "date"],
  decimals: ["string", "number"],
};

/** A call that takes options. */
export type Call = keyof typeof KNOWN;

/** Refuses options that the call does not take, all of them at once, and what are no options. */
export function checkOptions(call: Call, given: unknown, locale: Locale | undefined): void {
  if (given === undefined) return;
  const russian = locale === "ru";
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const message = russian
      ? `\`${call}\` принимает параметры объектом`
      : `\`${call}\` takes its options as an object`;
    throw new PinholeError("bad_option", message, { diagnostics: [problem(message, "", [])] });
  }
  const known: readonly string[] = KNOWN[call];
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  const others = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const choices = known.includes(name) && Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    if (!choices || value === undefined || choices.includes(value as string)) return [];
    const message = russian
      ? `\`${name}\` у \`${call}\` не может быть таким`
      : `\`${name}\` of \`${call}\` cannot be this`;
    return [problem(message, `/${segment(name)}`, [...choices])];
  });
  if (strange.length + others.length === 0) return;
  const unknown = strange.map((name) => {
    const choices = closest(name, known);
    const [nearest = ""] = choices;
    const near = distance(name, nearest) <= Math.max(2, name.length / 3);
    const hint = russian ? `, возможно, это \`${nearest}\`` : `, did you mean \`${nearest}\`?`;
    const message = russian
      ? `у \`${call}\` нет параметра \`${name}\``
      : `\`${call}\` has no option \`${name}\``;
    const pointer = `/${segment(name)}`;
    return problem(near ? message + hint : message, pointer, choices);
  });
  const diagnostics = [...unknown, ...others];
  const valid = russian ? "допустимо" : "valid";
  const lines = diagnostics.map(
    ({ message, choices }) =>
      `${message}${message.endsWith("?") ? "" : ";"} ${valid}: ${choices.join(", ")}`,
  );
  throw new PinholeError("bad_option", lines.join("\n"), { diagnostics });
}

/** Refuses what should be an object, and is none: `name` is what it is called. */
export function checkObject(name: string, given: unknown, locale: Locale): void {
  if (typeof given !== "object" || given === null) throw hostError("bad_option", locale, name);
}

/** The same of the options of {@link Pinhole.open}, and of those inside them that stay on this side. */
export function checkOpening(given: OpenOptions): void {
  // The language is one of them.
  const locale = (given as OpenOptions | null)?.locale;
  checkOptions("Pinhole.open", given, locale);
  checkOptions("Pinhole.open({ purchases })", given.purchases, locale);
  checkOptions("Pinhole.open({ purchases: { tables } })", given.purchases?.tables, locale);
}

function problem(message: string, pointer: string, choices: string[]): Diagnostic {
  return { code: "bad_option", message, pointer, span: null, choices, fix: null };
}

/** A name as a segment of a JSON pointer. */
export function segment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names, those most like `wanted` first. */
export function closest(wanted: string, names: readonly string[]): string[] {
  const far = new Map(names.map((name) => [name, distance(wanted, name)]));
  return [...names].sort((a, b) => (far.get(a) ?? 0) - (far.get(b) ?? 0));
}

/**
 * How many letters of one name are to be changed, added, left out or swapped with the next one to get
 * the other, whatever their case. A name inside the other is near (`abortSignal`).
 */
function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === b) return 0;
  if (b.length > 3 && a.includes(b)) return 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (list: number[], k: number) => list[k] ?? Infinity;
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
