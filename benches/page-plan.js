// Runs in the page: questions for the built-in planner, each timed from the page through the public
// API: a round trip to the worker.

window.plans = {
  /** Loads a CSV: how many columns it has, and how many values of them are known. */
  async start(csv) {
    const { Pinhole } = await import("/pinhole/index.js");
    this.ph = await Pinhole.open({ locale: "en" });
    const table = await this.ph.load("wide", new window.Blob([csv]));
    const values = table.report.columns.reduce((sum, { distinct }) => sum + (distinct ?? 0), 0);
    return { columns: table.columns.length, values };
  },

  /** Plans a question: the time in milliseconds, and what came of it. */
  async ask(question) {
    const start = performance.now();
    const { status } = await this.ph.plan(question);
    return { took: performance.now() - start, status };
  },
};
