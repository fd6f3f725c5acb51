// The MCP server with the official clients: that of the first generation of the SDK and the package
// that followed it, over a MessagePort and over the streams of a process.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  EmptyResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { CSV } from "../e2e/secrets.mjs";
import { BUILT_IN, POLICIES, greedy, installed, onlyTold, people } from "./installed.mjs";

const { about, folder, load } = await installed("node");
const pinhole = await load(".");
const { overPort, serveMcp } = await load("./mcp");

const ANYTHING = EmptyResultSchema;
const INFO = { name: "tests", version: "1" };
const CLIENTS = {
  "the SDK": {
    client: () => new OldClient(INFO),
    Stdio: OldStdio,
    changed: ToolListChangedNotificationSchema,
  },
  "the client package": {
    client: () => new NewClient(INFO),
    Stdio: NewStdio,
    changed: "notifications/tools/list_changed",
  },
  "the client package, asking for later revisions first": {
    client: () => new NewClient(INFO, { versionNegotiation: { mode: "auto" } }),
    Stdio: NewStdio,
    changed: "notifications/tools/list_changed",
  },
};

/** A client's end of a channel; `traffic` has all that the server sends. */
class PortTransport {
  traffic = [];

  constructor(port) {
    this.port = port;
  }

  async start() {
    this.port.onmessage = ({ data }) => {
      this.traffic.push(JSON.stringify(data));
      this.onmessage?.(data);
    };
  }

  async send(message) {
    this.port.postMessage(message);
  }

  async close() {
    this.port.close();
    this.onclose?.();
  }
}

async function connected(t, client, ph) {
  const { port1, port2 } = new MessageChannel();
  const server = serveMcp(ph, overPort(port2));
  const transport = new PortTransport(port1);
  await client.connect(transport);
  t.after(async () => {
    server.close();
    await client.close();
  });
  return transport;
}

for (const [name, { client: make, Stdio, changed }] of Object.entries(CLIENTS)) {
  for (const [policy, most] of POLICIES) {
    test(`${name}: summaries and no row, ${JSON.stringify(policy)}`, async (t) => {
      const ph = await people(t, pinhole, policy);
      const client = make();
      const { traffic } = await connected(t, client, ph);
      assert.deepEqual(client.getServerVersion(), { name: "pinhole", version: about.version });
      await client.ping();
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => [tool.name, tool.inputSchema.type, tool.annotations.readOnlyHint]),
        BUILT_IN.map((name) => [name, "object", true]),
      );
      const summaries = [];
      for (const [tool, args, error] of greedy(BUILT_IN)) {
        // The client holds the answer against the output schema.
        const said = await client.callTool({ name: tool, arguments: args });
        const [{ type, text }, ...more] = said.content;
        assert.deepEqual([type, more], ["text", []]);
        assert.equal(said.structuredContent.summary, text);
        assert.equal(said.isError === true, text.startsWith("Error:"));
        const told = error === "wrong" || (error === "fails" && most > 0);
        assert.equal(text.startsWith("Error:"), told, `${tool} ${JSON.stringify(args)}: ${text}`);
        summaries.push(text);
      }
      const nothing = await client.callTool({ name: "nothing", arguments: {} });
      assert.equal(nothing.isError, true);
      // No resource is there, none with rows.
      assert.equal(client.getServerCapabilities().resources, undefined);
      const read = { method: "resources/read", params: { uri: "pinhole://r1" } };
      await assert.rejects(async () => client.request(read, ANYTHING));
      assert.equal(JSON.parse(traffic.at(-1)).error.code, -32601);
      onlyTold(traffic.join("\n"), summaries, most);
    });
  }

  test(`${name}: a call is cancelled, and the list follows the page's tools`, async (t) => {
    const ph = await people(t, pinhole);
    const client = make();
    await connected(t, client, ph);
    let changes = 0;
    client.setNotificationHandler(changed, () => {
      changes += 1;
    });
    let heard;
    const remove = await ph.tools.register({
      name: "wait",
      description: "Waits",
      inputSchema: { type: "object", properties: { for: { type: "string" } } },
      execute: (_, { signal }) => new Promise(() => (heard = signal)),
    });
    await until(() => changes === 1);
    assert.equal((await client.listTools()).tools.length, BUILT_IN.length + 1);
    const abort = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, ...last(name, abort.signal));
    await until(() => heard);
    abort.abort("enough");
    await assert.rejects(call);
    await until(() => heard.aborted);
    const wrong = await client.callTool({ name: "wait", arguments: { for: 5 } });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /\/for: `for` has to be of type `string`/);
    remove();
    await until(() => changes === 2);
    assert.equal((await client.listTools()).tools.length, BUILT_IN.length);
  });

  test(`${name}: over the streams of a process`, async (t) => {
    const script = join(folder, "server.mjs");
    await writeFile(
      script,
      `import { Pinhole } from "pinhole";
       import { overStreams, serveMcp } from "pinhole/mcp";
       const ph = await Pinhole.open({ worker: false, policy: { level: "schema" } });
       await ph.load("people", new Blob([${JSON.stringify(CSV)}]));
       serveMcp(ph, overStreams(process.stdin, process.stdout));`,
    );
    const client = make();
    await client.connect(new Stdio({ command: process.execPath, args: [script] }));
    t.after(() => client.close());
    const [[tool, args]] = greedy(BUILT_IN);
    const said = await client.callTool({ name: tool, arguments: args });
    assert.match(said.content[0].text, /^Result: shown to the user as r1, columns /);
    assert.deepEqual(Object.keys(said.structuredContent), ["result_id", "summary"]);
  });
}

/** Where the options of a call stand: the first SDK has a schema before them. */
function last(name, signal) {
  return name === "the SDK" ? [undefined, { signal }] : [{ signal }];
}

async function until(condition) {
  for (let i = 0; i < 1000 && !condition(); i += 1) await new Promise((r) => setTimeout(r, 5));
  assert.ok(condition(), "never happened");
}
