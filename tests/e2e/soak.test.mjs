// Five hundred questions in one page, with the planner and with a model: what they take is given back.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";

const open = stage();

const QUESTIONS = 500;
/** By then everything is compiled, and memory has grown to what a question takes. */
const WARM = 100;
/** What a collector may leave: the larger of a share of the baseline and a few megabytes. */
const SLACK = { share: 0.1, bytes: 4 << 20 };

const MB = 1 << 20;

/** Some thousand purchases. */
const purchases = () => {
  const shops = ["Kuper", "Lenta", "Sever", "Vkusno"];
  const rows = Array.from({ length: 20_000 }, (_, i) => `${shops[i % 4]},${(i * 37) % 1000}`);
  return `shop,amount\n${rows.join("\n")}\n`;
};

/** What a person would ask without a model. */
const PLANNER = [
  "total amount by shop",
  "how many rows where amount > 500",
  "average amount",
  "top 5 by amount",
  "rows where shop is Kuper",
];

/** What a model is asked, and does: a result of all rows, groups, a single value. */
const MODEL = [
  [
    { table: "purchases", sort: ["amount desc"], title: "All the purchases" },
    "They are in the table.",
  ],
  [
    {
      table: "purchases",
      group_by: ["shop"],
      select: { total: "sum(amount)" },
      title: "Totals by shop",
    },
    "The totals are in the table.",
  ],
  [
    {
      table: "purchases",
      where: "amount > 500",
      select: { n: "count()" },
      title: "Large purchases",
    },
    "The number is in the table.",
  ],
];

/** Bytes in use after the collector has run: scripts of the page and of its worker, and the tab. */
async function memory(scene) {
  const session = await scene.context.newCDPSession(scene.page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const engine = await scene.page.evaluate(() => window.soak.stats());
  return { page: usedSize, engine: engine.wasm_bytes, results: engine.results.length };
}

/** Resident bytes of the tab, from the kernel's own count. */
async function resident(pids) {
  let bytes = 0;
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    bytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

async function renderers(scene) {
  const session = await scene.context.browser().newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id);
}

/** Asks questions `from` up to `to`, a fifth of them of the model; how many were answered. */
const ask = (scene, from, to) =>
  scene.page.evaluate(
    async ({ planner, from, to }) => {
      const { ph, local, remote } = window.soak;
      let answered = 0;
      for (let n = from; n < to; n += 1) {
        const chat = n % 5 === 4 ? remote : local;
        const results = [];
        for await (const event of chat.ask(planner[n % planner.length])) {
          if (event.type === "data_block") results.push(event.result_id);
          if (event.type === "done") answered += 1;
        }
        // A page that is done with a result says so; until then the person may page through it.
        for (const id of results) await (await ph.result(id)).release();
      }
      return answered;
    },
    { planner: PLANNER, from, to },
  );

test(`${QUESTIONS} questions in one page leave its memory as it was`, async (t) => {
  let round = 0;
  const script = (serial) => {
    if (serial % 2 === 1) round += 1;
    const [query, answer] = MODEL[round % MODEL.length];
    return serial % 2 === 1 ? call("query", query) : say(answer);
  };
  const scene = await open(t, { blank: true, script });
  await scene.run(
    async ({ Pinhole }, { csv, endpoint }) => {
      const ph = await Pinhole.open();
      await ph.load("purchases", new Blob([csv]));
      const local = ph.chat();
      const remote = ph.chat({ endpoint, model: "scripted" });
      window.soak = { ph, local, remote, stats: () => ph.stats() };
    },
    { csv: purchases(), endpoint: ENDPOINT },
  );
  const tab = await renderers(scene);
  assert.equal(await ask(scene, 0, WARM), WARM);
  const before = { ...(await memory(scene)), tab: await resident(tab) };
  const warm = scene.endpoint.bodies.length;
  assert.equal(await ask(scene, WARM, QUESTIONS), QUESTIONS - WARM);
  const after = { ...(await memory(scene)), tab: await resident(tab) };
  const mb = (n) => `${(n / MB).toFixed(1)} MB`;
  const ledger = scene.endpoint.bodies.slice(warm).reduce((sum, body) => sum + body.length, 0);
  const line = (what) => `${what} ${mb(before[what])} → ${mb(after[what])}`;
  const lines = [line("page"), line("engine"), line("tab"), `ledger ${mb(ledger)}`].join(", ");
  console.log(`after ${WARM} and ${QUESTIONS} questions: ${lines}`);
  assert.deepEqual([before.results, after.results], [0, 0]);
  // The ledger is kept by design: the bytes of every request, in the engine and in the page.
  const kept = 4 * ledger;
  for (const what of ["page", "engine", "tab"]) {
    const most = Math.max(before[what] * (1 + SLACK.share), before[what] + SLACK.bytes) + kept;
    assert.ok(after[what] <= most, `${what}: ${lines}`);
  }
});
