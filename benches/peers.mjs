// arquero and sql.js on the same questions, after the rounds of the other two, so that neither
// disturbs their ratios. One run each; a question is asked again only while it is quick. What takes
// longer than the bound is given up, with its tab, and stands as "> N s".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TABLES } from "./join.mjs";
import { PEER_QUESTIONS } from "./peer-questions.mjs";
import { JOINS, QUESTIONS } from "./questions.mjs";
import { SQLJS, median, same, tab } from "./stage.mjs";

export const PEERS = ["arquero", "sqljs"];
/** A question that takes longer is not asked again. */
const QUICK_MS = 2000;
/** A load is given so many times the bound of a question. */
const LOADS = 6;
/** All questions over the same tables together, with the loads, are given so many times the bound. */
const ALL = 20;

/** The versions, for the head of the columns. */
export async function versions() {
  const read = async (name) =>
    JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8")).version;
  return { arquero: `arquero ${await read("arquero")}`, sqljs: `sql.js ${await read("sql.js")}` };
}

/** The files that a page needs of a peer. */
export function files(site) {
  return {
    arquero: { wasm: [], js: [join(site, "arquero.js")] },
    sqljs: { wasm: [join(SQLJS, "sql-wasm.wasm")], js: [join(SQLJS, "worker.sql-wasm.js")] },
  };
}

const LATE = Symbol("late");

/** What `promise` gives within `seconds`, else {@link LATE}. */
async function within(promise, seconds) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000, LATE);
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error as an answer. */
const failure = (error) => ({
  failed: error.message.split("\n")[0].replace(/^page\.evaluate: /, ""),
});

/** A peer with its tables in a tab; opened anew after a question that did not end. */
class Peer {
  #tab;
  #debug;
  peaks = [];

  constructor(browser, url, name, tables, bound) {
    Object.assign(this, { browser, url, name, tables, bound });
  }

  /** Starts it and loads its tables, or says why there are none. */
  async open() {
    this.#tab = await tab(this.browser, this.url, this.name);
    this.#debug = await this.#tab.context.newCDPSession(this.#tab.page);
    const start = await this.#call("start").catch(failure);
    if (start === LATE || start.failed) return { lacks: "it did not start" };
    const loads = {};
    for (const [table, rows] of Object.entries(this.tables)) {
      const seconds = LOADS * this.bound;
      const load = await this.#call("load", [`/${table}.csv`, table], seconds).catch(failure);
      if (load === LATE) return { lacks: `${table} took longer than ${seconds} s to load` };
      if (load.failed) return { lacks: `${table} could not be loaded: ${load.failed}` };
      if (rows && load.rows !== rows) throw new Error(`${this.name} loaded ${load.rows} rows`);
      loads[table] = load.ms;
    }
    return { start, loads };
  }

  ask(question) {
    return this.#call("ask", [{ name: question.name, check: question.check }], this.bound);
  }

  #call(method, args = [], seconds = 60) {
    return within(
      this.#tab.page.evaluate(
        ([name, method, args]) => window[name][method](...args),
        [this.name, method, args],
      ),
      seconds,
    );
  }

  async close() {
    this.peaks.push(await this.#tab.peak());
    // A page that computes does not hear that it shall close.
    await within(this.#debug.send("Runtime.terminateExecution"), 5).catch(failure);
    await within(this.#tab.context.close(), 30).catch(failure);
  }
}

/** Asks a peer the questions over `tables` (their names, with the rows that must come). */
async function run(browser, url, name, tables, questions, { rounds, bound }) {
  const peer = new Peer(browser, url, name, tables, bound);
  const result = { cells: {}, times: {}, answers: {}, notes: [] };
  const end = Date.now() + ALL * bound * 1000;
  let opened = await peer.open();
  if (!opened.lacks) Object.assign(result, { start: opened.start, loads: opened.loads });
  for (const question of questions) {
    const how = PEER_QUESTIONS[name][question.name];
    const spent = Date.now() > end ? `not asked, after ${ALL * bound} s` : undefined;
    const why = opened.lacks ?? how.lacks ?? spent;
    if (why) {
      result.cells[question.name] = "–";
      result.notes.push(`${question.name}: ${why}`);
      continue;
    }
    const times = [];
    while (times.length < rounds && !(times.at(-1) > QUICK_MS)) {
      const answer = await peer.ask(question).catch(failure);
      if (answer === LATE || answer.failed) {
        result.cells[question.name] = answer === LATE ? `> ${bound} s` : "–";
        if (answer.failed) result.notes.push(`${question.name}: ${answer.failed}`);
        await peer.close();
        opened = await peer.open();
        break;
      }
      times.push(answer.ms);
      result.answers[question.name] = answer;
    }
    if (result.cells[question.name]) continue;
    result.times[question.name] = times;
    result.cells[question.name] = median(times).toFixed(1);
  }
  await peer.close();
  result.peak = Math.max(...peer.peaks);
  return result;
}

/**
 * The column of each peer: cells by the names of the rows, notes, peak memory, and the questions on
 * which it disagrees with `answers`.
 */
export async function runPeers(browser, url, rows, answers, options) {
  const columns = {};
  for (const name of PEERS) {
    console.error(name);
    const main = await run(browser, url, name, { t: rows }, QUESTIONS, options);
    const tables = Object.fromEntries(TABLES.map((table) => [table, undefined]));
    const joined = await run(browser, url, name, tables, JOINS, options);
    const own = { ...main.answers, ...joined.answers };
    columns[name] = {
      start: main.start?.toFixed(1) ?? "–",
      load: main.loads?.t.toFixed(1) ?? "–",
      cells: { ...main.cells, ...joined.cells },
      notes: [...main.notes, ...joined.notes],
      peak: main.peak,
      disagreements: Object.keys(own).filter((question) => !same(own[question], answers[question])),
    };
  }
  return columns;
}
