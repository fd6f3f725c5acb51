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
/** Loads are given so many times the bound of a question. */
const LOADS = 6;

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

/** A peer with its tables in a tab; opened anew after a question that did not end. */
class Peer {
  #tab;
  #debug;
  peaks = [];

  constructor(browser, url, name, tables, bound) {
    Object.assign(this, { browser, url, name, tables, bound });
  }

  /** Starts it and loads its tables, or says why that failed. */
  async open() {
    this.#tab = await tab(this.browser, this.url, this.name);
    this.#debug = await this.#tab.context.newCDPSession(this.#tab.page);
    const start = await this.#call("start");
    const loads = {};
    for (const [table, rows] of Object.entries(this.tables)) {
      const load = await this.#call("load", [`/${table}.csv`, table], LOADS * this.bound);
      if (load === LATE) return { late: LOADS * this.bound };
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
    await within(this.#debug.send("Runtime.terminateExecution"), 5);
    await within(this.#tab.context.close(), 30);
  }
}

/** Asks a peer the questions over `tables` (their names, with the rows that must come). */
async function run(browser, url, name, tables, questions, { rounds, bound }) {
  const peer = new Peer(browser, url, name, tables, bound);
  const result = { cells: {}, times: {}, answers: {}, notes: [] };
  let opened = await peer.open();
  if (!opened.late) Object.assign(result, { start: opened.start, loads: opened.loads });
  for (const question of questions) {
    const how = PEER_QUESTIONS[name][question.name];
    if (opened.late || (typeof how === "string" && name === "arquero")) {
      const why = opened.late ? `its tables took longer than ${opened.late} s to load` : how;
      result.cells[question.name] = "–";
      result.notes.push(`${question.name}: ${why}`);
      continue;
    }
    const times = [];
    while (times.length < rounds && !(times.at(-1) > QUICK_MS)) {
      const answer = await peer.ask(question).catch((error) => ({ error }));
      if (answer === LATE || answer.error) {
        result.cells[question.name] = answer === LATE ? `> ${bound} s` : "–";
        if (answer.error)
          result.notes.push(`${question.name}: ${answer.error.message.split("\n")[0]}`);
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
      load: main.loads ? main.loads.t.toFixed(1) : `> ${LOADS * options.bound} s`,
      cells: { ...main.cells, ...joined.cells },
      notes: [...main.notes, ...joined.notes],
      peak: main.peak,
      disagreements: Object.keys(own).filter((question) => !same(own[question], answers[question])),
    };
  }
  return columns;
}
