// Where the time of the questions goes: Chromium's CPU profile of the engine, which runs on the
// page's thread for it (`worker: false`), so that the page's profiler sees it. The package must have
// the names in its wasm, which is why the task builds one of its own.
// Usage: cargo xtask bench-profile [--rows N] [--only TEXT]
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../tests/server.mjs";
import { writeGroupby } from "./data.mjs";
import { prepareJoin, TABLES } from "./join.mjs";
import { JOINS, QUESTIONS } from "./questions.mjs";
import { data, launch, machine, option, report, site, tab } from "./stage.mjs";

const ROWS = option("--rows", 1_000_000);
const AT = process.argv.indexOf("--only");
const ONLY = AT < 0 ? "" : process.argv[AT + 1];
/** A question is asked again until it has run this long: short ones need samples, too. */
const LEAST_MS = 1000;
/** Functions shown of each. */
const SHOWN = 8;

const root = await site();
await cp(
  await data(`groupby-${ROWS}.csv`, (path) => writeGroupby(path, ROWS)),
  join(root, "t.csv"),
);
await prepareJoin(root);
const { server, url } = await serve(root);
const browser = await launch();

/** Rust's names without their hashes, so that copies of one function count as one. */
const short = (name) => (name || "(anonymous)").replace(/::h[0-9a-f]{16}(\.\d+)?$/, "");

/** Time in each function itself, in ms, the longest first. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, short(callFrame.functionName)]));
  const times = new Map();
  samples.forEach((id, i) => {
    const name = names.get(id);
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i] / 1000);
  });
  for (const other of ["(idle)", "(program)", "(root)"]) times.delete(other);
  return [...times].sort((a, b) => b[1] - a[1]);
}

const lines = [
  `# Where the time goes: pinhole, ${ROWS.toLocaleString("en")} rows`,
  "",
  `${machine(browser)}. Chromium's CPU profile, shares of the time in functions themselves. Printed by \`cargo xtask bench-profile\`.`,
];

async function profiled(session, name, run) {
  await session.send("Profiler.start");
  const took = await run();
  const { profile } = await session.send("Profiler.stop");
  const times = selfTimes(profile);
  const all = times.reduce((sum, [, ms]) => sum + ms, 0);
  lines.push("", `## ${name}: ${took.toFixed(1)} ms`, "");
  for (const [what, ms] of times.slice(0, SHOWN))
    lines.push(`- ${((100 * ms) / all).toFixed(1)} % \`${what}\``);
}

try {
  const { page, context } = await tab(browser, url, "pinhole");
  const session = await context.newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.setSamplingInterval", { interval: 500 });
  await profiled(session, "start", () =>
    page.evaluate(() => window.pinhole.start({ worker: false })),
  );
  for (const table of ["t", ...TABLES])
    await profiled(session, `load ${table}`, async () => {
      const load = await page.evaluate(
        ([path, name]) => window.pinhole.load(path, {}, name),
        [`/${table}.csv`, table],
      );
      return load.ms;
    });
  for (const question of [...QUESTIONS, ...JOINS].filter(({ name }) => name.includes(ONLY)))
    await profiled(session, question.name, () =>
      page.evaluate(
        async ([q, least]) => {
          const times = [];
          while (times.reduce((a, b) => a + b, 0) < least)
            times.push((await window.pinhole.ask(q)).ms);
          return times.sort((a, b) => a - b)[times.length >> 1];
        },
        [question, LEAST_MS],
      ),
    );
} finally {
  await browser.close();
  server.close();
}
await report("profile.md", [...lines, ""]);
