// What a checked statement says of its fact, in words.

import { language, t } from "./i18n.js";
import { valueText as exactValue } from "./pinhole/element/facts.js";

/** A sign for each verdict: colour alone tells nothing to many people. */
export const SIGNS = {
  verified: "✓",
  derived: "ƒ",
  corrected: "✎",
  contradicted: "✕",
  withheld: "⊘",
  unverifiable: "?",
};

/**
 * What the page calls a claim's verdict: a replaced one is corrected, or withheld where there is no
 * value to put in its place, unless nothing is known of it.
 */
export function verdictOf(claim) {
  const replaced = claim.replaced !== undefined && claim.replaced !== null;
  if (!replaced || claim.verdict === "unverifiable") return claim.verdict;
  return claim.actual === undefined || claim.actual === null ? "withheld" : "corrected";
}

/** Which row a fact is of; empty for the whole result. */
export function entityText({ key }) {
  return Object.entries(key ?? {})
    .map(([name, shown]) => `${name} = ${shown}`)
    .join(", ");
}

/** What a fact measures, in words where it is no column. */
export function measureText({ column }) {
  if (["rows", "rows_matched", "rows_scanned"].includes(column)) return t(`measure_${column}`);
  const [, name, statistic] = /^stats\.(.+)\.(min|max|mean|sum)$/.exec(column) ?? [];
  return name ? t(`measure_${statistic}`, { column: name }) : column;
}

/** Operands that are named one by one. */
const OPERANDS = 6;

/** What the formula of a claim is made of: each fact with its row. */
export function operandTexts({ operands = [] }) {
  const texts = operands.slice(0, OPERANDS).map((fact) => {
    const what = `${measureText(fact)} = ${valueText(fact) ?? "–"}`;
    return [entityText(fact), what].filter(Boolean).join(": ");
  });
  const more = operands.length - texts.length;
  return more > 0 ? [...texts, t("fact_more", { n: more })] : texts;
}

/**
 * The facts whose rows a claim's note shows: the one it stands on, or of a difference or a ratio the
 * two it is made of.
 */
export function factsBehind({ fact, formula, operands = [] }) {
  const named = operands.filter(({ key }) => Object.keys(key ?? {}).length > 0);
  const compares = /\] *[-/] /.test(formula ?? "");
  return compares && named.length > 1 ? named.slice(0, 2) : [fact];
}

/** The exact value of a fact. */
export function valueText(fact) {
  return exactValue(language(), fact);
}
