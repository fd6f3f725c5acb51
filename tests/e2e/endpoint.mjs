// A scripted endpoint that speaks OpenAI chat completions with real server-sent events over real
// HTTP. A script is a list of turns, or a function that makes each turn from the request; every
// request is kept as it was received.

/** One turn that calls a tool: `call("query", {...})`; arguments may be any text. */
export const call = (name, args) => calls([name, args]);

/** One turn that calls several tools. */
export const calls = (...list) => ({
  calls: list.map(([name, args]) => ({
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  })),
});

/** One turn that says something; `extra` as below. */
export const say = (text, extra = {}) => ({ text, ...extra });

/** One turn that fails with a status. */
export const fail = (status, headers = {}) => ({ status, headers });

/** One turn that answers with something else than a reply. */
export const raw = (body, type = "text/html") => ({ raw: body, type });

// What else a turn may have: `breakAfter: n` ends the connection after n frames, `hang: n` stays
// silent after n frames until the client leaves, `bytes: n` sends pieces of n bytes, cut anywhere.

function chunk(delta, finish = null) {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices })}\n\n`;
}

function* frames(turn, serial) {
  yield chunk({ role: "assistant", content: "" });
  for (const piece of (turn.text ?? "").match(/[\s\S]{1,7}/gu) ?? []) {
    yield chunk({ content: piece });
  }
  for (const [index, { name, arguments: args }] of (turn.calls ?? []).entries()) {
    const id = `call_${serial}_${index}`;
    yield chunk({
      tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
    });
    for (const piece of args.match(/[\s\S]{1,11}/gu) ?? []) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield ": a comment\n\n";
  yield chunk({}, turn.calls ? "tool_calls" : "stop");
  yield "data: [DONE]\n\n";
}

/** Frames joined and cut again every `size` bytes, in the middle of characters too. */
function* recut(list, size) {
  const all = Buffer.from([...list].join(""), "utf8");
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** An endpoint at `/v1/chat/completions`. */
export class Endpoint {
  /** Bodies as received, in order: the exact bytes. */
  bodies = [];
  /** Headers as received, in order. */
  headers = [];
  #waiting = new Set();

  constructor(script) {
    this.script = typeof script === "function" ? script : [...script];
  }

  /** The bodies as parsed requests. */
  get requests() {
    return this.bodies.map((body) => JSON.parse(body.toString("utf8")));
  }

  /** The contents of request `n`'s messages in a role. */
  contents(n, role) {
    return this.requests[n].messages
      .filter((message) => message.role === role)
      .map((message) => message.content);
  }

  /** Lets every turn that hangs go. */
  release() {
    for (const go of this.#waiting) go();
  }

  /** Answers a request whose body has been read; false when it is for someone else. */
  async answer(request, response, body) {
    if (!request.url.startsWith("/v1/chat/completions")) return false;
    this.bodies.push(body);
    this.headers.push(request.headers);
    const serial = this.bodies.length;
    const next = typeof this.script === "function" ? this.script(serial) : this.script.shift();
    const turn = next ?? say("I have nothing more to say.");
    if (turn.status) {
      response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
      response.end(JSON.stringify({ error: { message: "scripted failure" } }));
    } else if (turn.raw !== undefined) {
      response.writeHead(200, { "content-type": turn.type }).end(turn.raw);
    } else {
      await this.#stream(turn, serial, response);
    }
    return true;
  }

  async #stream(turn, serial, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const all = frames(turn, serial);
    let sent = 0;
    for (const frame of turn.bytes ? recut(all, turn.bytes) : all) {
      if (turn.breakAfter === sent) {
        response.destroy();
        return;
      }
      if (turn.hang === sent) await this.#silence(response);
      response.write(frame);
      sent += 1;
      // Each piece has a packet of its own.
      await new Promise((done) => setImmediate(done));
    }
    response.end();
  }

  async #silence(response) {
    response.flushHeaders();
    await new Promise((done) => {
      this.#waiting.add(done);
      response.once("close", done);
    });
  }
}
