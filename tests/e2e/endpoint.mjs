// A scripted endpoint that speaks every format with real server-sent events over real HTTP, each at
// its own path. A script is a list of turns, or a function that makes each turn from the request;
// every request is kept as it was received.

import { WIRES } from "./wires.mjs";

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
// silent after n frames until the client leaves, `bytes: n` sends pieces of n bytes, cut anywhere,
// `pause: ms` waits between frames, `spoil: true` puts bytes that are no text into the first word,
// `pad: n` begins with n bytes of comments, `to: url` sends the request on. What a request without
// `stream` gets is whole. wires.mjs has what is special to a format.

/** Frames joined and cut again every `size` bytes, in the middle of characters too. */
function* recut(list, size) {
  const all = Buffer.from([...list].join(""), "utf8");
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** Frames with bytes that are no UTF-8 in place of the text's first letter. */
function* spoilt(list, text) {
  let done = false;
  for (const frame of list) {
    const at = done ? -1 : frame.indexOf(`"${text.slice(0, 3)}`);
    if (at < 0) {
      yield frame;
      continue;
    }
    done = true;
    const bytes = Buffer.from(frame, "utf8");
    bytes[Buffer.byteLength(frame.slice(0, at)) + 1] = 0xff;
    yield bytes;
  }
}

/** An endpoint at the paths of all formats. */
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
    const wire = Object.values(WIRES).find(({ path }) => request.url.startsWith(path));
    if (!wire) return false;
    this.bodies.push(body);
    this.headers.push(request.headers);
    const serial = this.bodies.length;
    const next = typeof this.script === "function" ? this.script(serial) : this.script.shift();
    const turn = next ?? say("I have nothing more to say.");
    if (turn.to) {
      response.writeHead(307, { location: turn.to }).end();
    } else if (turn.status) {
      response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
      response.end(JSON.stringify(wire.error("scripted failure")));
    } else if (turn.raw !== undefined) {
      response.writeHead(200, { "content-type": turn.type }).end(turn.raw);
    } else if (JSON.parse(body).stream === false) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wire.whole(turn, serial)));
    } else {
      await this.#stream(wire, turn, serial, response);
    }
    return true;
  }

  async #stream(wire, turn, serial, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    if (turn.pad) response.write(`: ${"x".repeat(turn.pad)}\n\n`);
    let all = wire.frames(turn, serial);
    if (turn.spoil) all = spoilt(all, turn.text);
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
      await new Promise((done) => {
        if (turn.pause) setTimeout(done, turn.pause);
        else setImmediate(done);
      });
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
