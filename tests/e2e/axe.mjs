// axe in a page, for every test that looks for what keeps people out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings in the page that are serious or worse, each with its elements. */
export async function serious(page) {
  // Through the protocol: the page's policy forbids a script that is written into it.
  await page.evaluate(SOURCE);
  return page.evaluate(async () => {
    // Colours in the middle of a transition are nobody's; what turns for ever has none.
    const ends = document
      .getAnimations()
      .filter((one) => one.effect.getComputedTiming().endTime < Infinity);
    await Promise.all(ends.map(({ finished }) => finished.catch(() => 0)));
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}
