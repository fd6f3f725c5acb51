// axe in a page, for every test that looks for what keeps people out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that another colour scheme can break. */
export const COLOURS = ["color-contrast", "link-in-text-block"];

/** Findings in the page that are serious or worse, each with its elements; of some rules or of all. */
export async function serious(page, rules) {
  // Through the protocol: the page's policy forbids a script that is written into it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (rules) => {
    // Colours in the middle of a transition are nobody's; what turns for ever has none.
    const ends = document
      .getAnimations()
      .filter((one) => one.effect.getComputedTiming().endTime < Infinity);
    await Promise.all(ends.map(({ finished }) => finished.catch(() => 0)));
    // What the page's bar covers just now is no smaller for it.
    const bar = document.querySelector("header.bar-ground");
    bar?.style.setProperty("position", "static");
    const { violations } = await window.axe.run(document, {
      resultTypes: ["violations"],
      // Of WCAG 2.2, which axe does not look for unless it is told.
      ...(rules ? { runOnly: rules } : { rules: { "target-size": { enabled: true } } }),
    });
    bar?.style.removeProperty("position");
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, rules);
}
