// A scripted endpoint behind the proxy of the package, started from the command line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { Endpoint } from "./endpoint.mjs";
import { WIRES } from "./wires.mjs";

/** The key that the proxy is given. */
export const KEY = "key-of-the-proxy-0123456789abcdef";

/** A port that nobody listens on. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Gives `work` a port for the page: the proxy is told its address before it listens. With another one
 * where somebody took it in between.
 */
export async function withPort(work) {
  for (let left = 5; ; left -= 1) {
    try {
      return await work(await freePort());
    } catch (error) {
      if (error.code !== "EADDRINUSE" || left === 1) throw error;
    }
  }
}

/** A scripted endpoint on a machine of its own, and the command-line proxy before it. */
export async function proxy(t, { wire = "openai-chat", script, args = [] }) {
  const endpoint = new Endpoint(script);
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    await endpoint.answer(request, response, Buffer.concat(parts));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const to = `http://127.0.0.1:${server.address().port}${WIRES[wire].path}`;
  const cli = join(process.env.PINHOLE_SITE, "pinhole", "cli.js");
  const given = [
    "proxy",
    "--to",
    to,
    "--wire",
    wire,
    "--model",
    "scripted",
    "--port",
    "0",
    ...args,
  ];
  const child = spawn(process.execPath, [cli, ...given], {
    env: { ...process.env, PINHOLE_PROXY_KEY: KEY },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  let said = "";
  const url = await new Promise((done, failed) => {
    const hear = (data) => {
      said += data;
      const [, found] = /listening on (\S+),/.exec(said) ?? [];
      if (found) done(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => failed(new Error(`the proxy did not start: ${said}`)));
  });
  return { endpoint, url };
}
