// Runs in the page: how long the worker goes without taking a message, seen from outside. While
// something long runs the page reads one row of a small result, again and again; a round trip that
// is longer than an idle one waited for the worker.
const now = () => performance.now();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** The moments of a query at which it is cancelled, as parts of its time. */
const MOMENTS = [0.1, 0.3, 0.5, 0.7, 0.9];

window.stretch = {
  async start() {
    const { Pinhole } = await import("/pinhole/index.js");
    this.ph = await Pinhole.open();
    await this.ph.load("one", new TextEncoder().encode("a\n1\n"));
    this.small = await this.ph.query({ table: "one", limit: 1 });
    const trips = [];
    for (let i = 0; i < 300; i++) trips.push(await this.trip());
    this.idle = trips.sort((a, b) => a - b)[150];
    return this.idle;
  },

  async trip() {
    const start = now();
    await this.small.table.rows(0, 1);
    return now() - start;
  },

  run({ load, query, sql }, signal) {
    if (load) return this.ph.load("t", load, { signal });
    return sql ? this.ph.sql(sql, [], { signal }) : this.ph.query(query, { signal });
  },

  /** Runs `what` to its end: its time, and the longest stretch in it. */
  async whole(what) {
    const start = now();
    let over = false;
    let took = 0;
    const work = this.run(what).finally(() => {
      over = true;
      took = now() - start;
    });
    work.catch(() => undefined);
    let longest = 0;
    while (!over) longest = Math.max(longest, await this.trip());
    const result = await work;
    const rows = result.rows;
    const value = result.value ?? null;
    const first = result.table ? (await result.table.rows(0, 1))[0] : (result.values ?? null);
    await result.release?.();
    return { took, longest: Math.max(0, longest - this.idle), rows, value, first };
  },

  /** Cancels `what` at several moments: how long the worker then takes to answer a small request. */
  async cancelled(what, took) {
    const answered = [];
    const rejected = [];
    for (const moment of MOMENTS) {
      const stop = new AbortController();
      const work = this.run(what, stop.signal);
      let at = 0;
      const ended = work.then(
        async (result) => {
          await result.release?.();
          return undefined;
        },
        (error) => {
          if (error.name !== "AbortError") throw error;
          return now() - at;
        },
      );
      ended.catch(() => undefined);
      await sleep(moment * took);
      at = now();
      stop.abort();
      const trip = await this.trip();
      const after = await ended;
      // It had come to its end before.
      if (after === undefined) continue;
      answered.push(Math.max(0, trip - this.idle));
      rejected.push(after);
    }
    return { answered, rejected };
  },
};
