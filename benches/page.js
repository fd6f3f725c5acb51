// Runs in the page: one engine a page, both through their public interfaces.
const ms = (start) => performance.now() - start;

/** A file in memory, before the clock starts. */
async function fileAt(url, name) {
  const bytes = await (await fetch(url)).blob();
  return new File([bytes], `${name}${url.slice(url.lastIndexOf("."))}`);
}

/** Rows as plain data. */
const plain = (rows) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "bigint" ? Number(value) : value,
      ]),
    ),
  );

window.pinhole = {
  async start(options = {}) {
    const start = performance.now();
    const { Pinhole } = await import("/pinhole/index.js");
    this.ph = await Pinhole.open(options);
    await this.ph.load("one", new TextEncoder().encode("a\n1\n"));
    await this.ph.query({ table: "one", select: "sum(a)" });
    this.ph.drop("one");
    return ms(start);
  },
  async load(url, options = {}, name = "t") {
    return this.read(await fileAt(url, name), options, name);
  },
  /** Loads what was picked on the page. */
  loadPicked() {
    return this.read(document.querySelector("input").files[0], {}, "t");
  },
  async read(file, options, name) {
    const start = performance.now();
    const table = await this.ph.load(name, file, options);
    return { ms: ms(start), rows: table.rows };
  },
  async ask(question) {
    const start = performance.now();
    const result = question.sql
      ? await this.ph.sql(question.sql)
      : await this.ph.query({ table: "t", ...question.pinhole });
    const page = result.table ? await result.table.rows(0, 50) : undefined;
    const took = ms(start);
    const rows = result.table ? result.table.length : 1;
    const value = page ? page[0][question.check] : (result.value ?? result.values[question.check]);
    result.release();
    return { ms: took, rows, value: Number(value), page: plain(page ?? []) };
  },
  /** The time of a result's summary, and of a query that passes over a column once. */
  async summarise({ all, pass }) {
    const result = await this.ph.query({ table: "t", ...all });
    const own = [];
    const once = [];
    for (let i = 0; i < 5; i++) {
      // A result that is fetched anew is summed up anew.
      let start = performance.now();
      await this.ph.result(result.id);
      own.push(ms(start));
      start = performance.now();
      const other = await this.ph.query({ table: "t", ...pass });
      once.push(ms(start));
      other.release();
    }
    result.release();
    return { own, pass: once };
  },
};

class Duck {
  /** Where a release of it stands. */
  constructor(folder) {
    this.folder = folder;
  }
  async start() {
    const start = performance.now();
    const duckdb = await import(`${this.folder}.js`);
    const worker = new Worker(`${this.folder}/duckdb-browser-eh.worker.js`);
    this.db = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
    this.protocol = duckdb.DuckDBDataProtocol.BROWSER_FILEREADER;
    await this.db.instantiate(`${this.folder}/duckdb-eh.wasm`);
    this.connection = await this.db.connect();
    await this.connection.query("SELECT sum(a) FROM (VALUES (1)) AS one(a)");
    return ms(start);
  }
  async load(url, options, name = "t") {
    return this.read(await fileAt(url, name), name);
  }
  /** Loads what was picked on the page. */
  loadPicked() {
    return this.read(document.querySelector("input").files[0], "t");
  }
  async read(file, name) {
    const start = performance.now();
    await this.db.registerFileHandle(file.name, file, this.protocol, true);
    const read = file.name.endsWith(".parquet") ? "read_parquet" : "read_csv_auto";
    await this.connection.query(`CREATE TABLE ${name} AS SELECT * FROM ${read}('${file.name}')`);
    const took = ms(start);
    const count = await this.connection.query(`SELECT count(*) AS n FROM ${name}`);
    return { ms: took, rows: Number(count.get(0).n) };
  }
  async ask(question) {
    const start = performance.now();
    const table = await this.connection.query(question.duckdb);
    const page = [];
    for (let i = 0; i < Math.min(50, table.numRows); i++) page.push(table.get(i).toJSON());
    const took = ms(start);
    return {
      ms: took,
      rows: table.numRows,
      value: Number(page[0][question.check]),
      page: plain(page),
    };
  }
  /** Gives a table to the person as a Parquet file. */
  async saveParquet(name) {
    await this.connection.query(`COPY ${name} TO 'out.parquet' (FORMAT PARQUET)`);
    const bytes = await this.db.copyFileToBuffer("out.parquet");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = `${name}.parquet`;
    link.click();
  }
}

window.duck = new Duck("/duckdb");
window.duckWithParquet = new Duck("/duckdb-with-parquet");
