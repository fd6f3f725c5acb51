#!/usr/bin/env node
// `npx pinhole proxy`: the reference proxy from the command line.

import process from "node:process";
import { parseArgs } from "node:util";
import { type ProxyOptions, startProxy } from "./proxy.js";

const HELP = `pinhole proxy: keeps the key of a model's endpoint out of the page

  npx pinhole proxy --to <address> --model <name> [--model <name> …]

  --to <address>      where requests are passed on to: the endpoint's whole address
  --wire <format>     openai-chat (default), openai-responses or anthropic
  --model <name>      a model that may be asked for; give it once for each
  --key-env <name>    environment variable with the key (default PINHOLE_PROXY_KEY)
  --port <number>     port to listen on (default 8787)
  --host <name>       address to listen on (default 127.0.0.1: this machine alone)
  --path <path>       path to serve (default /api/chat)
  --origin <origin>   a page from elsewhere that may call; give it once for each
  --max-bytes <n>     most bytes of a request (default 262144)
  --per-minute <n>    most requests of one client in a minute (default 30)

The page: ph.chat({ endpoint: "http://127.0.0.1:8787/api/chat", wire, model }).
Put it behind the server of your page, so that both have one origin, before others use it.`;

const WIRES = ["openai-chat", "openai-responses", "anthropic"];

/** What is wrong with the arguments. */
class Wrong extends Error {}

async function main(args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const list = { type: "string", multiple: true } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      to: text,
      wire: text,
      model: list,
      "key-env": text,
      port: text,
      host: text,
      path: text,
      origin: list,
      "max-bytes": text,
      "per-minute": text,
      help: { type: "boolean" },
    },
  });
  if (values["help"] === true || positionals.length === 0) {
    console.log(HELP);
    return;
  }
  if (positionals[0] !== "proxy") throw new Wrong(`there is no command ${positionals[0] ?? ""}`);
  const one = (name: string) => values[name] as string | undefined;
  const number = (name: string) => {
    const given = one(name);
    if (given === undefined) return undefined;
    const value = Number(given);
    const least = name === "port" ? 0 : 1;
    if (!Number.isInteger(value) || value < least) {
      throw new Wrong(`--${name} must be a whole number from ${least}`);
    }
    return value;
  };
  const { to = "", wire = "openai-chat" } = { to: one("to"), wire: one("wire") };
  if (!to) throw new Wrong("--to says where requests go");
  if (!WIRES.includes(wire)) throw new Wrong(`--wire must be one of ${WIRES.join(", ")}`);
  const models = (values["model"] as string[] | undefined) ?? [];
  if (models.length === 0) throw new Wrong("--model names a model that may be asked for");
  const key = process.env[one("key-env") ?? "PINHOLE_PROXY_KEY"];
  const [path, maxBytes, perMinute] = [one("path"), number("max-bytes"), number("per-minute")];
  const options: ProxyOptions = {
    to,
    wire: wire as ProxyOptions["wire"],
    models,
    origins: (values["origin"] as string[] | undefined) ?? [],
    log: (line) => {
      console.log(line);
    },
    ...(key ? { key } : {}),
    ...(path === undefined ? {} : { path }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(perMinute === undefined ? {} : { perMinute }),
  };
  const proxy = await startProxy(options, number("port"), one("host"));
  console.log(`listening on ${proxy.url}, ${key ? "with a key" : "without a key"}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => void proxy.close());
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error("npx pinhole --help says how it is called");
  process.exitCode = 1;
}
