// A static file server for the demo, the tests and the benchmark: one folder, right media types,
// no cache. Usage: node server.mjs <folder> [port]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".csv": "text/csv; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
};

/** Serves `folder`; `extra(request, response)` may answer first by returning true. */
export function serve(folder, port = 0, extra = () => false) {
  const root = resolve(folder);
  const server = createServer(async (request, response) => {
    if (await extra(request, response)) return;
    if (request.url === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = normalize(join(root, path.endsWith("/") ? `${path}index.html` : path));
    const found = file.startsWith(root + sep) && (await stat(file).catch(() => undefined));
    if (!found || !found.isFile()) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": found.size,
      "cache-control": "no-store",
    });
    if (request.method === "HEAD") response.end();
    // The module is large: few pieces cost less than many.
    else createReadStream(file, { highWaterMark: 1 << 20 }).pipe(response);
  });
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      done({ server, url: `http://127.0.0.1:${server.address().port}/` });
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder = ".", port = "8000"] = process.argv.slice(2);
  const { url } = await serve(folder, Number(port));
  console.log(`open ${url}`);
}
