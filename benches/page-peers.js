// Runs in the page: arquero and sql.js, each as its documentation says. arquero works on the page's
// thread; sql.js has a worker.
import { PEER_QUESTIONS } from "./peer-questions.mjs";

const ms = (start) => performance.now() - start;
const textAt = async (url) => (await fetch(url)).text();

window.arquero = {
  tables: {},
  async start() {
    const start = performance.now();
    this.aq = await import("/arquero.js");
    this.aq
      .table({ a: [1] })
      .rollup({ sum: this.aq.op.sum("a") })
      .objects();
    return ms(start);
  },
  async load(url, name) {
    const text = await textAt(url);
    const start = performance.now();
    this.tables[name] = this.aq.fromCSV(text);
    return { ms: ms(start), rows: this.tables[name].numRows() };
  },
  async ask({ name, check }) {
    const { aq, tables } = this;
    const start = performance.now();
    const table = PEER_QUESTIONS.arquero[name]({ ...tables, aq, op: aq.op });
    const page = table.objects({ limit: 50 });
    return { ms: ms(start), rows: table.numRows(), value: Number(page[0][check]), page };
  },
};

window.sqljs = {
  /** One message to the worker and its answer. */
  call(message) {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) =>
        data.error ? reject(new Error(data.error)) : resolve(data.results);
      this.worker.onerror = (event) => reject(new Error(event.message));
      this.worker.postMessage({ id: 1, ...message });
    });
  },
  exec(sql) {
    return this.call({ action: "exec", sql });
  },
  async start() {
    const start = performance.now();
    this.worker = new Worker("/sqljs/worker.js");
    await this.call({ action: "open" });
    await this.exec("SELECT sum(a) FROM (SELECT 1 AS a)");
    return ms(start);
  },
  /**
   * There is no reader of CSV in it: the page cuts the lines (these files have no quotes) and sends
   * statements of 5,000 rows. A column is text where its first value is no number.
   */
  async load(url, name) {
    const text = await textAt(url);
    const start = performance.now();
    const next = text.indexOf("\n");
    const header = text.slice(0, next).split(",");
    const first = text.slice(next + 1, text.indexOf("\n", next + 1)).split(",");
    const isText = first.map((value) => value === "" || Number.isNaN(Number(value)));
    const types = first.map((value, i) =>
      isText[i] ? "TEXT" : /^-?\d+$/.test(value) ? "INTEGER" : "REAL",
    );
    await this.exec(`CREATE TABLE ${name} (${header.map((column, i) => `${column} ${types[i]}`)})`);
    await this.exec("BEGIN");
    let rows = 0;
    let tuples = [];
    const flush = async () => {
      if (tuples.length > 0) await this.exec(`INSERT INTO ${name} VALUES ${tuples.join()}`);
      tuples = [];
    };
    for (let at = next + 1; at < text.length;) {
      const found = text.indexOf("\n", at);
      const end = found < 0 ? text.length : found;
      const values = text.slice(at, end).split(",");
      tuples.push(`(${values.map((value, i) => (isText[i] ? `'${value}'` : value)).join()})`);
      rows += 1;
      at = end + 1;
      if (tuples.length === 5000) await flush();
    }
    await flush();
    await this.exec("COMMIT");
    return { ms: ms(start), rows };
  },
  async ask({ name, check }) {
    const start = performance.now();
    const [result] = await this.exec(PEER_QUESTIONS.sqljs[name]);
    const { columns, values } = result;
    const page = values
      .slice(0, 50)
      .map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    return { ms: ms(start), rows: values.length, value: Number(page[0][check]), page };
  },
};
