// Stands in for the generated glue: a session whose tables count lines and whose behaviour is
// chosen by the names in the calls. `log` holds the calls in order.

import { mix, rows, today } from "./recalls.js";

export const log = [];
export const live = { sessions: 0 };
/** Calls that wait for a cancel, and how many had one; `stats()` has them, from a worker as well. */
const waits = { running: 0, cancelled: 0 };
/** What a tool gives, by the table that it is asked about. */
export const told = new Map();
/** Whether scripts of models may run, look by look; afterwards they may. */
export const scripts = [];
/** Whether such a script is given nothing, though it may run. */
export const refusing = { now: false };

/** What the check says of answers of models. */
export const verdict = { now: "ok" };
/** Whether it has the table of no result any more. */
export const noTables = { now: false };
export { rows, today };

export default async function init({ module_or_path: module }) {
  if (!(module instanceof WebAssembly.Module)) throw new Error("no module");
}

/** As the build adds it to the glue. */
export const tasks = {};

const fault = (code, message, diagnostics = []) => ({ code, message, diagnostics });
const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
/** A task of the module in the glue, which traps: its call never settles. */
const trapInTask = () => {
  queueMicrotask(() => {
    try {
      trap();
    } catch (error) {
      if (!tasks.trapped?.(error)) throw error;
    }
  });
  return new Promise(() => undefined);
};

export class Session {
  #loads = new Map();
  #tables = new Map();
  #results = new Map();
  #chats = new Map();
  #blocks = new Map();
  #ledger = [];
  #next = 1;
  constructor(options) {
    live.sessions += 1;
    log.push(["open", options]);
    this.#ledger = (options.ledger ?? []).map((line) => JSON.parse(line));
  }

  free() {
    log.push(["free"]);
  }

  load_begin(name, options) {
    if (options.format === "xlsx") throw fault("unsupported_format", "no `xlsx` here");
    const id = this.#next++;
    this.#loads.set(id, { name, options, bytes: 0, rows: 0 });
    log.push(["load_begin", name, options]);
    return id;
  }

  load_push(id, bytes) {
    const load = this.#loads.get(id);
    const text = new TextDecoder().decode(bytes);
    if (text.includes("TRAP")) trap();
    load.bytes += bytes.length;
    load.rows += text.split("\n").length - 1;
    log.push(["load_push", id, text]);
    return { bytes: load.bytes, rows: load.rows };
  }

  async load_settle(id, job) {
    const load = this.#loads.get(id);
    log.push(["load_settle", id]);
    if (load.options.nulls?.includes("slow")) await this.#wait(job);
  }

  load_finish(id) {
    const load = this.#loads.get(id);
    log.push(["load_finish", id]);
    this.#loads.delete(id);
    const info = {
      name: load.name,
      rows: load.rows,
      columns: [{ name: "a", kind: "int" }],
      bytes: load.bytes,
      report: { notes: [] },
      flags: [],
    };
    this.#tables.set(load.name, info);
    return info;
  }

  load_abort(id) {
    log.push(["load_abort", id]);
    this.#loads.delete(id);
  }

  loads() {
    return this.#loads.size;
  }

  tables() {
    return [...this.#tables.values()];
  }

  drop(name) {
    return this.#tables.delete(name);
  }

  validate(query) {
    return query.where === "nope > 1"
      ? [
          {
            code: "unknown_column",
            message: "unknown column `nope`",
            pointer: "/where",
            span: [0, 4],
            choices: ["a"],
            fix: "a",
          },
        ]
      : [];
  }

  format(query) {
    return { table: "t", ...query };
  }

  explain() {
    return "count of t";
  }

  functions() {
    return [{ name: "count" }];
  }

  async query(query, options, job) {
    log.push(["query", query, options]);
    if (query.table === "trap") trap();
    if (query.table === "trap in a task") return trapInTask();
    if (query.table === "lost") throw fault("unknown_table", "unknown table `lost`");
    if (query.table === "slow") await this.#wait(job);
    if (query.table === "stuck") for (;;);
    const bad = this.validate(query);
    if (bad.length > 0) throw fault(bad[0].code, bad[0].message, bad);
    job.progress(1, 1);
    const id = `r${this.#results.size + 1}`;
    const grouped = query.group_by !== undefined;
    const info = {
      id,
      kind: grouped ? "grouped" : "scalar",
      query: this.format(query),
      explanation: this.explain(),
      metadata: { table: "t", rows_scanned: 3, rows_matched: 3 },
      columns: [{ name: "count", kind: "int", role: "measure" }],
      rows: grouped ? 3 : 1,
      summary: { type: "scalar", value: 3 },
      model_text: "Result: 3 (from 3 of 3 rows)",
      warnings: [],
      ...(grouped ? {} : { value: 3 }),
    };
    this.#results.set(id, info);
    return info;
  }

  result(id) {
    return this.#results.get(id);
  }

  release(id) {
    log.push(["release", id]);
    return this.#results.delete(id);
  }

  rows(id, offset, limit) {
    if (!this.#results.has(id)) throw fault("unknown_result", `unknown result \`${id}\``);
    const rows = [
      ["x", 1n],
      ["y", 2],
      ["z", null],
    ];
    return { columns: ["a", "__proto__"], rows: rows.slice(offset, offset + limit), total: 3 };
  }

  async source(id, key, offset, limit, job) {
    job.progress(1, 2);
    return { columns: ["key"], rows: [[JSON.stringify(key)], [offset], [limit]], total: 3 };
  }

  ipc(id) {
    if (noTables.now) throw fault("unknown_result", `unknown result \`${id}\``);
    return new Uint8Array([65, 82, 82, 79, 87]);
  }

  async sql(text, params, job) {
    log.push(["sql", text, params]);
    return this.query({ group_by: "a" }, {}, job);
  }

  plan(question, options) {
    const query = question.startsWith("count") ? { query: { table: "t" } } : {};
    return { status: "ready", question, options, ...query };
  }

  answer(id, question, words) {
    log.push(["answer", question, words]);
    if (question.includes("wordless")) throw fault("internal", "no words");
    return { text: `3 for ${question}`, claims: [{ start: 0, end: 1, text: "3" }] };
  }

  answer_call(call, list, totals, question, words) {
    log.push(["answer_call", JSON.parse(call).tool, list, totals, question, words]);
    return { text: `122 for ${question}`, claims: [{ start: 0, end: 3, text: "122" }] };
  }

  answer_calls({ calls }, question, words) {
    log.push(["answer_calls", calls, question, words]);
    return { text: `${calls.length} for ${question}`, claims: [{ start: 0, end: 1, text: "2" }] };
  }

  standing() {
    return String(rows.changes);
  }

  async read_tables() {
    log.push(["read_tables"]);
    rows.unread = false;
  }

  async call_again(call, question, day, job) {
    log.push(["call_again", JSON.parse(call), day]);
    if (rows.moves) rows.changes += 1;
    if (day !== undefined && day !== today.now) return undefined;
    const { tool, arguments: { shop } = {} } = JSON.parse(call);
    if (shop === "nope") throw fault("unknown_table", "this tool needs a table `receipts`");
    const list = await this.query({ group_by: "a" }, {}, job);
    const output = { receipts: [], tool };
    if (tool === "get_labels") return { list, output };
    return { list, totals: await this.query({ table: "t" }, {}, job), output };
  }

  scripts_run() {
    return scripts.shift() ?? true;
  }

  script_day(number) {
    log.push(["script_day", number]);
    return today.told;
  }

  async script_ask(number, kind, asked, by_model, job) {
    const given = JSON.parse(asked);
    log.push(["script_ask", number, kind, given]);
    // As a script of a model that a person runs, where the policy was tightened as it ran.
    if (by_model && number === 0 && refusing.now)
      throw fault("withheld_by_policy", "scripts run only where the policy protects no column");
    if (number > 0 && given.where?.includes("nope")) {
      const known = { ...fault("unknown_column", "unknown column `nope`; there is `salary`") };
      return { refused: 0, told: "Error:\n- unknown column `nope`", fault: known };
    }
    const { id } = await (kind === "query" ? this.query(given, {}, job) : this.sql(...given, job));
    const page = this.rows(id, 0, 10_001);
    this.release(id);
    return page;
  }

  async script_result(rows, job) {
    log.push(["id"]);
    if (rows.length === 0) return undefined;
    log.push(["script_result", new TextDecoder().decode(rows)]);
    return this.query({ group_by: "a" }, {}, job);
  }

  chat_answered(chat, question, id) {
    log.push(["chat_answered", question, id]);
  }

  suggest(table) {
    return [`how many rows has ${table}?`];
  }

  check(text, ids, options, job) {
    job.progress(1, 1);
    return { verdict: "ok", claims: [], feedback: "", text, ids, options };
  }

  chat_open(options) {
    const id = this.#next++;
    this.#chats.set(id, { ...options });
    log.push(["chat_open", options]);
    return id;
  }

  async chat_ask(chat, question, host) {
    const options = this.#chats.get(chat);
    options.asked = (options.asked ?? 0) + 1;
    log.push(["chat_ask", question]);
    if (rows.moves) rows.changes += 1;
    if (question === "trap") trap();
    if (question === "fault") throw fault("internal", "broken");
    if (question === "script") {
      const script = "async function execute() { return db.query({ group_by: 'a' }); }";
      const block = { tool: "run_script", input: { script }, rows: 3, summary: {} };
      host.emit({ type: "data_block", id: "c1", result_id: "r1", ...block });
    }
    if (question.startsWith("call")) {
      const spent = (id, list, totals, more = {}) => {
        const input = { date_from: "2024-11-01", title: "what I spent", ...more };
        const block = { tool: "get_receipts", input, rows: 3, summary: {} };
        host.emit({ type: "tool_call", id, name: "get_receipts", input });
        host.emit({ type: "data_block", id, result_id: totals, ...block });
        host.emit({ type: "data_block", id, result_id: list, output: {}, ...block });
      };
      if (question.includes("failed")) {
        host.emit({ type: "tool_call", id: "c0", name: "get_receipts", input: {} });
        host.emit({ type: "tool_error", id: "c0", message: "no" });
      }
      // A call that found nothing, so that another one was made.
      if (question.includes("again"))
        host.emit({ type: "tool_call", id: "c0", name: "get_items", input: {} });
      spent("c1", "r1", "r2");
      if (question.includes("same")) spent("c2", "r3", "r4", { title: "the same" });
      if (question.includes("twice")) {
        const asked = { tool: "query", input: { where: "shop == 'k'" }, rows: 3, summary: {} };
        host.emit({ type: "data_block", id: "c2", result_id: "r3", ...asked });
      }
      if (question.includes("many"))
        for (let n = 0; n < 8; n += 1) spent(`m${n}`, `r${n}`, `t${n}`, { limit: n });
    }
    if (question === "block" || question === "and block") {
      host.emit({ type: "title", title: "A block" });
      const block = { tool: "query", input: {}, rows: 3, summary: {} };
      host.emit({ type: "data_block", id: "c1", result_id: "r1", ...block });
      host.emit({ type: "text", delta: "its " });
    }
    if (/^(carried|lately) block$/.test(question)) {
      const input = { where: question.split(" ")[0] };
      const block = { tool: "query", input, rows: 3, summary: {} };
      host.emit({ type: "data_block", id: "c1", result_id: "r1", ...block });
    }
    host.emit({ type: "text", delta: "one " });
    if (options.wire === "planner") {
      host.emit({ type: "done", answer: "one ", claims: [], verdict: "ok" });
      return;
    }
    const body = JSON.stringify({ question });
    const entry = { seq: this.#ledger.length + 1, endpoint: options.endpoint, body };
    if (!(await host.approve(entry))) {
      host.emit({ type: "error", code: "send_refused", message: "refused" });
      return;
    }
    const others = await host.keep(entry.seq, JSON.stringify(entry));
    if (others) throw fault("internal", "another page writes");
    this.#ledger.push(entry);
    host.emit({ type: "ledger", entry });
    let answer;
    try {
      const response = await host.send(body);
      answer = `${response.status} ${response.retry_after ?? "-"} `;
      for (let part = await response.read(); part; part = await response.read()) {
        answer += new TextDecoder().decode(part);
        host.emit({ type: "text", delta: new TextDecoder().decode(part) });
      }
    } catch (error) {
      const code = host.cancelled() ? "cancelled" : error.code;
      host.emit({ type: "error", code: code ?? "unknown", message: "send failed" });
      return;
    }
    host.emit({ type: "done", answer, claims: [], verdict: verdict.now });
  }

  async recall_leave(questions, endpoint, host) {
    log.push(["recall_leave", questions, endpoint]);
    const body = JSON.stringify(questions.map((text) => text.replaceAll("Anna", "[hidden]")));
    const entry = { seq: this.#ledger.length + 1, endpoint, body };
    if (!(await host.approve(entry))) throw fault("send_refused", "refused");
    await host.keep(entry.seq, JSON.stringify(entry));
    this.#ledger.push(entry);
    host.emit({ type: "ledger", entry });
    return body;
  }

  chat_record(chat) {
    const { asked = 0, record } = this.#chats.get(chat);
    log.push(["chat_record", chat]);
    return `${record ?? ""}${"q".repeat(asked)}`;
  }

  block_open(bytes) {
    const id = this.#next++;
    this.#blocks.set(id, bytes);
    return id;
  }

  block_rows(block, offset, limit) {
    const rows = [...this.#blocks.get(block)].map((byte) => [byte]);
    return { columns: ["byte"], rows: rows.slice(offset, offset + limit), total: rows.length };
  }

  block_close(block) {
    log.push(["block_close", block]);
    this.#blocks.delete(block);
  }

  chat_clear(chat) {
    log.push(["chat_clear", chat]);
  }

  chat_close(chat) {
    log.push(["chat_close", chat]);
  }

  tool_definitions() {
    const parameters = { type: "object", properties: { table: { type: "string" } } };
    const run = { name: "query", description: "Runs", parameters };
    return [{ tool: { type: "function", function: run }, cost: "high" }];
  }

  async tool_execute(name, args, job) {
    log.push(["tool_execute", name, args]);
    if (args.table === "trap") trap();
    if (args.table === "slow") await this.#wait(job);
    if (name === "run_script") {
      const ended = await job.script(7, args.script);
      log.push(["ended", ended]);
      const { said = null } = ended.fault ?? {};
      return { ok: "rows" in ended, summary: "withheld", warnings: [], error: null, said };
    }
    const given = told.get(args.table) ?? { ok: name === "query", summary: "Result: 3 (from 3)" };
    return { result_id: null, rows: null, warnings: [], error: null, ...given };
  }

  async purchases_check(job) {
    log.push(["purchases_check", [...this.#tables.keys()]]);
    await job.pause();
    return { tables: [], orphans: [], warnings: [] };
  }

  ledger() {
    return this.#ledger;
  }

  ledger_verify() {
    return { ok: true };
  }

  ledger_export() {
    return this.#ledger.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  }

  set_policy(policy) {
    log.push(["set_policy", policy]);
  }

  set_locale(locale) {
    log.push(["set_locale", locale]);
  }

  stats() {
    return { tables: [], results: [], wasm_bytes: 65536, waits: { ...waits } };
  }

  async #wait(job) {
    waits.running += 1;
    try {
      for (let i = 0; i < 100_000; i += 1) {
        if (job.cancelled()) {
          waits.cancelled += 1;
          throw fault("cancelled", "cancelled");
        }
        job.progress(i, 100_000);
        await job.pause();
      }
      throw fault("internal", "nobody cancelled");
    } finally {
      waits.running -= 1;
    }
  }
}

mix(Session, log);
