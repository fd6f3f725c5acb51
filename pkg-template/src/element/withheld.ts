// What was kept back, and why: what the ledger says of a request, and the columns that the policy in
// force protects.

import type { LedgerEntry, Policy, TableInfo, Withheld } from "../types.js";

type Both = [en: string, ru: string];

const WHAT: Partial<Record<string, Both>> = {
  columns: ["columns of {of}: {n}", "столбцы {of}: {n}"],
  values: ["values of {of}", "значения {of}"],
  result: ["all of {of}", "весь {of}"],
  rows: ["the rows of {of}", "строки {of}"],
  groups: ["groups of {of}: {n}", "группы {of}: {n}"],
  measure: ["{of}", "{of}"],
  names: ["names and values in an error message", "имена и значения в сообщении об ошибке"],
  words: ["words that you typed: {n}", "слова, которые вы написали: {n}"],
  claims: ["facts behind claims of the model: {n}", "факты за утверждениями модели: {n}"],
  earlier: ["earlier parts of the conversation: {n}", "прежние части беседы: {n}"],
} satisfies Record<Withheld["what"], Both>;

const WHY: Partial<Record<string, Both>> = {
  hidden: ["because of hidden columns", "из-за скрытых столбцов"],
  aggregate: ["told in aggregates alone", "раскрываются только в агрегатах"],
  use: [
    "a protected column may stand alone under an aggregate, nowhere else",
    "защищённый столбец может стоять только один под агрегатом",
  ],
  sql: [
    "a statement over protected columns, or how many rows stand behind its values is not known",
    "запрос к защищённым столбцам, или неизвестно, сколько строк за его значениями",
  ],
  level: ["the level of the policy", "уровень политики"],
  few_rows: [
    "too few rows stand behind it, or it would give such away",
    "за этим слишком мало строк, или это выдало бы такие строки",
  ],
  differencing: [
    "with earlier results it would tell of too few rows",
    "вместе с прежними результатами это раскрыло бы слишком малое число строк",
  ],
  unknown: [
    "what stands behind it is not known, or no longer",
    "что за этим стоит, неизвестно или уже забыто",
  ],
  cell: ["a protected cell says the same", "то же стоит в защищённой ячейке"],
  policy_changed: ["the policy has changed since", "с тех пор политика изменилась"],
  policy: ["the policy", "политика"],
} satisfies Record<Withheld["why"], Both>;

/** Columns are not kept back because of hidden columns: they are these. */
const HIDDEN: Both = ["hidden by the policy", "скрыты политикой"];

/** What a request keeps back, a line each, in the language of the person. */
export function withheldLines({ withheld = [] }: LedgerEntry, language: string): string[] {
  const at = language === "ru" ? 1 : 0;
  const number = new Intl.NumberFormat(language);
  return withheld.map(({ what, why, of, count }) => {
    const values: Record<string, string> = { of: of ?? "", n: number.format(count ?? 1) };
    // What a newer engine names is shown as it names it.
    const subject = WHAT[what]?.[at] ?? `${what} {of}`;
    const said = subject.replace(/\{(of|n)\}/g, (_, name: string) => values[name] ?? "");
    const reason = what === "columns" && why === "hidden" ? HIDDEN : WHY[why];
    return `${said} – ${reason?.[at] ?? why}`;
  });
}

/** A column that is not open, and what the scanner took it for. */
export interface Protected {
  column: string;
  by: "hidden" | "aggregate";
  flag: string | undefined;
}

/** The columns that the policy protects. */
export function protectedColumns(tables: TableInfo[], policy: Required<Policy>): Protected[] {
  return tables.flatMap(({ name, columns, classes, flags }) =>
    columns.flatMap(({ name: column }) => {
      const by = policy.columns[`${name}.${column}`] ?? classes[column] ?? "open";
      if (by === "open") return [];
      const flag = flags.find((one) => one.column === column)?.kind;
      return [{ column: `${name}.${column}`, by, flag }];
    }),
  );
}
