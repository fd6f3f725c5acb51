// How smoothly <pinhole-table> scrolls a table in the worker: the gaps between frames while it is
// turned, flung and dragged, beside those of the same page at rest, and what the main thread did.
// A part of journey.mjs, whose options `--rows N` and `--seconds N` are for it.
import { createReadStream, existsSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { serve } from "../tests/server.mjs";
import { PACKAGE, option } from "./stage.mjs";

const ROWS = option("--rows", 10_000_000);
const SECONDS = option("--seconds", 5);
/** Beyond this a frame of a screen of 60 a second was dropped, in ms. */
const SLOW = 25;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const HTML =
  '<!doctype html><title>scroll</title><link rel="icon" href="data:,"><div id="place"></div>';

/** The package beside an empty page. */
function site(request, response) {
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
}

/** Loads the rows and shows them; how many, and the seconds until they are seen. Runs in the page. */
async function show(rows) {
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
}

/** Scrolls in one way for a while; the gaps between frames. Runs in the page. */
async function scroll({ way, seconds }) {
  const view = window.table.shadowRoot.querySelector(".view");
  const long = [];
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) long.push(entry.duration);
  });
  watch.observe({ type: "longtask" });
  const gaps = [];
  let empty = 0;
  const start = performance.now();
  let last = start;
  view.scrollTop = 0;
  await new Promise(requestAnimationFrame);
  while (performance.now() - start < seconds * 1000) {
    const room = view.scrollHeight - view.clientHeight;
    if (way === "turned") view.scrollTop += 30;
    if (way === "flung") view.scrollTop += 350;
    if (way === "dragged") {
      view.scrollTop = room * Math.abs(Math.sin((performance.now() - start) / 1500));
    }
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
    if (view.querySelectorAll(".cell.wait").length > 0) empty += 1;
  }
  // The observer hears of a task after it is over.
  await new Promise((done) => setTimeout(done, 100));
  watch.disconnect();
  gaps.shift();
  return { gaps, long: long.length, empty };
}

/** The table of the report. */
export async function scrolled(browser) {
  const { server, url } = await serve(PACKAGE, 0, site);
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  page.setDefaultTimeout(0);
  try {
    await page.goto(url);
    const { rows, seconds } = await page.evaluate(show, ROWS);
    const lines = [
      `## A table of ${rows.toLocaleString("en")} rows, scrolled`,
      "",
      `Loaded and shown in ${seconds.toFixed(1)} s; each way for ${SECONDS} s.`,
      "",
      `| | frames | median ms | 95 % | longest | over ${SLOW} ms | tasks over 50 ms | frames with rows not there yet |`,
      "|---|---:|---:|---:|---:|---:|---:|---:|",
    ];
    for (const way of ["at rest", "turned", "flung", "dragged"]) {
      const { gaps, long, empty } = await page.evaluate(scroll, { way, seconds: SECONDS });
      gaps.sort((a, b) => a - b);
      const at = (part) => gaps[Math.floor(part * (gaps.length - 1))].toFixed(1);
      const slow = gaps.filter((gap) => gap > SLOW).length;
      lines.push(
        `| ${way} | ${gaps.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${slow} | ${long} | ${empty} |`,
      );
    }
    return lines;
  } finally {
    await page.close();
    server.close();
  }
}
