// How smoothly <pinhole-table> scrolls a table in the worker: the gaps between frames while it is
// turned, flung and dragged, beside those of the same page at rest, and what the main thread did.
// Usage: PINHOLE_PACKAGE=<built package> node benches/scroll.mjs [--rows N] [--seconds N]
import { createReadStream, existsSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { launch } from "../tests/browser.mjs";
import { serve } from "../tests/server.mjs";

const PACKAGE = process.env.PINHOLE_PACKAGE;
const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const ROWS = option("--rows", 10_000_000);
const SECONDS = option("--seconds", 5);
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const HTML =
  '<!doctype html><title>scroll</title><link rel="icon" href="data:,"><div id="place"></div>';

const { server, url } = await serve(PACKAGE, 0, (request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/") {
    response.writeHead(200, { "content-type": "text/html" }).end(HTML);
    return true;
  }
  const file = join(PACKAGE, path.replace("/pinhole/", "/"));
  if (!existsSync(file)) return false;
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
  return true;
});
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  page.setDefaultTimeout(0);
  await page.goto(url);
  const loaded = await page.evaluate(async (rows) => {
    const { Pinhole } = await import("/pinhole/index.js");
    await import("/pinhole/element/table.js");
    const ph = await Pinhole.open();
    const start = performance.now();
    let at = 0;
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      pull(controller) {
        if (at === 0) controller.enqueue(encoder.encode("id,price,qty,shop,note\n"));
        const lines = [];
        for (const end = Math.min(rows, at + 20_000); at < end; at += 1) {
          lines.push(`${at},${(at % 9973) / 100},${at % 17},shop${at % 100},n${at % 1000}\n`);
        }
        controller.enqueue(encoder.encode(lines.join("")));
        if (at >= rows) controller.close();
      },
    });
    await ph.load("t", body, { format: "csv" });
    const result = await ph.query({ table: "t" });
    const table = document.createElement("pinhole-table");
    Object.assign(table, { ph, result });
    document.querySelector("#place").replaceChildren(table);
    while (!table.shadowRoot.querySelector(".cell:not(.wait)")) {
      await new Promise(requestAnimationFrame);
    }
    window.table = table;
    return { rows: result.rows, seconds: (performance.now() - start) / 1000 };
  }, ROWS);
  console.log(`${loaded.rows.toLocaleString("en")} rows, loaded in ${loaded.seconds.toFixed(1)} s`);
  console.log(
    "| | frames | median ms | 95 % | longest | over 25 ms | tasks over 50 ms | rows seen empty |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|---:|");
  for (const name of ["at rest", "turned", "flung", "dragged"]) {
    const found = await page.evaluate(
      async ({ name, seconds }) => {
        const view = window.table.shadowRoot.querySelector(".view");
        const long = [];
        const watch = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) long.push(entry.duration);
        });
        watch.observe({ type: "longtask" });
        const gaps = [];
        let empty = 0;
        let frames = 0;
        const start = performance.now();
        let last = start;
        view.scrollTop = 0;
        await new Promise(requestAnimationFrame);
        while (performance.now() - start < seconds * 1000) {
          const room = view.scrollHeight - view.clientHeight;
          if (name === "turned") view.scrollTop += 30;
          if (name === "flung") view.scrollTop += 350;
          if (name === "dragged") {
            view.scrollTop = room * Math.abs(Math.sin((performance.now() - start) / 1500));
          }
          const now = await new Promise(requestAnimationFrame);
          gaps.push(now - last);
          last = now;
          frames += 1;
          const waits = view.querySelectorAll(".cell.wait").length;
          if (waits > 0) empty += 1;
        }
        watch.disconnect();
        gaps.shift();
        gaps.sort((a, b) => a - b);
        const at = (part) => gaps[Math.floor(part * (gaps.length - 1))];
        return {
          frames,
          median: at(0.5),
          p95: at(0.95),
          longest: at(1),
          slow: gaps.filter((gap) => gap > 25).length,
          long: long.length,
          empty,
        };
      },
      { name, seconds: SECONDS },
    );
    const { frames, median, p95, longest, slow, long, empty } = found;
    const ms = (value) => value.toFixed(1);
    console.log(
      `| ${name} | ${frames} | ${ms(median)} | ${ms(p95)} | ${ms(longest)} | ${slow} | ${long} | ${empty} frames |`,
    );
  }
} finally {
  await browser.close();
  server.close();
}
