// What a checked statement says of its fact, in words.

import { language } from "./i18n.js";
import {
  entityText as entityIn,
  measureText as measureIn,
  operandTexts as operandsIn,
  valueText as exactValue,
} from "./pinhole/element/facts.js";

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

/** Which row a fact is of; empty for the whole result. `heads(fact)` are the columns of its result. */
export function entityText(fact, heads) {
  return entityIn(language(), fact, heads);
}

/** What a fact measures, in words where it is no column. */
export function measureText(fact, heads) {
  return measureIn(language(), fact, heads);
}

/** What the formula of a claim is made of: each fact with its row. */
export function operandTexts(claim, heads) {
  return operandsIn(language(), claim, heads);
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
