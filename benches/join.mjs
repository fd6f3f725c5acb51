// The join row: lines with their orders, SQL in every engine, tables in a tab of their own so that
// they count for nobody's memory.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { writeOrders } from "./data.mjs";
import { JOINS } from "./questions.mjs";
import { data, sameRows, tab } from "./stage.mjs";

/** TPC-H's scale factor. */
const SCALE = 0.1;
export const TABLES = ["orders", "lineitem"];

/** Puts the two tables onto the site. */
export async function prepareJoin(site) {
  const name = (table) => `${table}-${SCALE}.csv`;
  const lines = await data(name("lineitem"), (path) =>
    writeOrders(path.replace("lineitem", "orders"), path, SCALE),
  );
  const paths = { orders: lines.replace("lineitem", "orders"), lineitem: lines };
  for (const table of TABLES) await cp(paths[table], join(site, `${table}.csv`));
}

/** Loads the tables in `engine` and asks each question `rounds` times. */
export async function runJoin(browser, url, engine, rounds) {
  const { context, page } = await tab(browser, url, engine);
  await page.evaluate((name) => window[name].start(), engine);
  const result = { loads: [], questions: {}, answers: {} };
  for (const table of TABLES) {
    const load = await page.evaluate(
      ([name, t]) => window[name].load(`/${t}.csv`, {}, t),
      [engine, table],
    );
    result.loads.push(load.ms);
  }
  for (const question of JOINS) {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const answer = await page.evaluate(([name, q]) => window[name].ask(q), [engine, question]);
      times.push(answer.ms);
      result.answers[question.name] = answer;
    }
    result.questions[question.name] = times;
  }
  await context.close();
  return result;
}

/** Before anything is timed: both engines give the same rows, or there is no benchmark. */
export async function checkJoin(browser, url, engines) {
  const results = [];
  for (const engine of engines) results.push(await runJoin(browser, url, engine, 1));
  for (const { name } of JOINS) {
    const [a, b] = results.map((result) => result.answers[name]);
    if (!sameRows(a, b)) throw new Error(`the engines disagree on ${name}`);
  }
  return results[1].answers;
}
