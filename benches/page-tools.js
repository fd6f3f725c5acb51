// Runs in the page: the tools for purchases, each call timed from the page through the public API.

window.tools = {
  async start(urls) {
    const { Pinhole } = await import("/pinhole/index.js");
    this.ph = await Pinhole.open({ locale: "en" });
    return this.ph.loadPurchases(urls);
  },

  /** Calls a tool: the time, and its whole answer. */
  async call(name, args) {
    const start = performance.now();
    const result = await this.ph.tools.execute(name, args);
    const took = performance.now() - start;
    if (!result.ok) throw new Error(`${name}: ${result.summary}`);
    await this.ph.result(result.result_id);
    return { took, output: result.output };
  },
};
