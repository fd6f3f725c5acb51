// The built-in planner in Chromium, over a table of 200 columns and 10,000 distinct values: the time of
// each question of wide.json, from the page through the public API. It fails where the table is not as
// wide, or a question comes to another end than when it was first asked.
// Usage: cargo xtask bench-plan [--rounds N]
import { readFile } from "node:fs/promises";
import { serve } from "../tests/server.mjs";
import { launch, machine, median, option, report, site, tab } from "./stage.mjs";

const ROUNDS = option("--rounds", 20);
const ROWS = 2000;
const TARGET = 15;
const NAMES = ["city", "region", "status", "shop", "product group"];

/** The table of benches/plan.rs: days, fifty columns of text with 200 values each, 149 of numbers. */
function wide() {
  const texts = Array.from({ length: 50 }, (_, i) => `${NAMES[i % NAMES.length]} ${i}`);
  const numbers = Array.from({ length: 149 }, (_, i) => `amount ${i}`);
  const lines = [["day", ...texts, ...numbers].join(",")];
  for (let row = 0; row < ROWS; row += 1) {
    const day = new Date(Date.UTC(2019, 6, 1 + row)).toISOString().slice(0, 10);
    const values = texts.map((_, i) => `Value ${(row * 7 + i) % 200} of ${i}`);
    const amounts = numbers.map((_, i) => ((row * 31 + i * 17) % 9973) / 4 + 0.25);
    lines.push([day, ...values, ...amounts].join(","));
  }
  return lines.join("\n");
}

const questions = JSON.parse(await readFile("wide.json", "utf8"));
const { server, url } = await serve(await site());
const browser = await launch();
const asked = questions.map((question) => ({ question, times: [], statuses: new Set() }));
try {
  const { context, page } = await tab(browser, url, "plans");
  const { columns, values } = await page.evaluate((csv) => window.plans.start(csv), wide());
  if (columns !== 200 || values !== 10_000)
    throw new Error(`the table has ${columns} columns and ${values} values`);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { question, times, statuses } of asked) {
      const { took, status } = await page.evaluate((text) => window.plans.ask(text), question);
      times.push(took);
      statuses.add(status);
    }
  await context.close();
} finally {
  await browser.close();
  server.close();
}
for (const { question, statuses } of asked)
  if (statuses.size !== 1) throw new Error(`${question}: ${[...statuses].join(" and ")}`);

const ms = (value) => value.toFixed(1);
const row = (name, list) =>
  `| ${name} | ${ms(list[0])} | ${ms(median(list))} | ${ms(Math.max(...list))} |`;
const medians = asked.map(({ times }) => median(times));
const all = asked.flatMap(({ times }) => times);
await report("plan.md", [
  "## The planner over 200 columns and 10,000 distinct values",
  "",
  machine(browser),
  "",
  `Each question ${ROUNDS} times, one round after the other; a round trip to the worker, ms.`,
  "",
  "| question | first | median | slowest |",
  "|---|---:|---:|---:|",
  ...asked.map(({ question, times, statuses }) => row(`${question} (${[...statuses]})`, times)),
  "",
  `Median of all ${ms(median(all))} ms; by its median the slowest question takes ${ms(Math.max(...medians))} ms; the slowest of all ${ms(Math.max(...all))} ms. The target is ${TARGET} ms: ${all.filter((took) => took <= TARGET).length} of ${all.length} met it.`,
]);
