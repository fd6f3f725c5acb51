// Runs in the page: the tools for purchases, each call timed from the page through the public API.

/** So often, in ms, it is looked whether the engine answers; and so long it has to answer at once. */
const LOOK = 10;
const REST = 1000;
/** An answer that takes longer has waited for something. */
const AT_ONCE = 4;
/** The longest that is waited for. */
const AT_MOST = 120_000;

window.tools = {
  async start(urls, rehearse, rehearsed = false) {
    const { Pinhole } = await import("/pinhole/index.js");
    this.ph = await Pinhole.open({ locale: "en", purchases: { rehearse } });
    return this.ph.loadPurchases(urls, { rehearsed });
  },

  /** Loads the tables, and calls a tool as soon as `loadPurchases` says that they are there. */
  async startAndCall(urls, rehearsed, name, args) {
    const fit = await this.start(urls, true, rehearsed);
    return { fit, ...(await this.call(name, args)) };
  },

  /**
   * Waits until the engine has nothing to do: when that was, in ms from now, and the longest that a
   * small call waited until then.
   */
  async rested() {
    const start = performance.now();
    let [busy, longest] = [start, 0];
    while (performance.now() - busy < REST) {
      if (performance.now() - start > AT_MOST) throw new Error("the engine never rests");
      const asked = performance.now();
      await this.ph.policy();
      const took = performance.now() - asked;
      if (took > AT_ONCE) busy = performance.now();
      longest = Math.max(longest, took);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return { took: busy - start, longest };
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
