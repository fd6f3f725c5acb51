// What a checked statement says of its fact, in words.

import { number } from "./dom.js";
import { t } from "./i18n.js";

/** A sign for each verdict: colour alone tells nothing to many people. */
export const SIGNS = {
  verified: "✓",
  derived: "ƒ",
  corrected: "✎",
  contradicted: "✕",
  unverifiable: "?",
};

/** What the page calls a claim's verdict: a replaced one is corrected, unless nothing is known of it. */
export function verdictOf(claim) {
  const replaced = claim.replaced !== undefined && claim.replaced !== null;
  return replaced && claim.verdict !== "unverifiable" ? "corrected" : claim.verdict;
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
  const [, name, statistic] = /^stats\.(.+)\.(min|max|mean)$/.exec(column) ?? [];
  return name ? t(`measure_${statistic}`, { column: name }) : column;
}

/** The exact value of a fact. */
export function valueText({ value }) {
  if (value === undefined || value === null) return undefined;
  return typeof value === "number" ? number(value, { maximumFractionDigits: 12 }) : String(value);
}
