// A conversation: questions in, events out. The loop runs in the engine; every request is made
// here, on the page's thread.

import { type Endpoint, makeEndpoint, retryAfter } from "./endpoint.js";
import type { Engine } from "./engine.js";
import { type Locale, PinholeError, hostError, toError } from "./errors.js";
import type { GlueChatOptions, HostResponse } from "./glue.js";
import type { Recorder, SavedChat } from "./history.js";
import { checkOptions } from "./options.js";
import { abortable, timely } from "./platform.js";
import { Recalling } from "./recalling.js";
import { type Context, Moved, cancelled, copyOf } from "./rpc.js";
import type {
  AskOptions,
  ChatEvent,
  ChatOptions,
  LedgerEntry,
  Query,
  ResultInfo,
} from "./types.js";

/** What a conversation needs of the page around it. */
export interface Surroundings {
  engine: Engine;
  locale(): Locale;
  /** Asks whoever may stop a request. */
  approve(entry: LedgerEntry): Promise<boolean>;
  /** Keeps a line of the ledger; lines that another page wrote meanwhile, where there are such. */
  keep(seq: number, line: string): Promise<string[] | undefined>;
  /** Hears of each entry of the ledger. */
  recorded(entry: LedgerEntry): void;
  /** Keeps a conversation once the page has consented; `standing` tells where it stands. */
  recorder(from: SavedChat | undefined, standing: () => Promise<string | undefined>): Recorder;
}

/** An answer that is being read. */
interface Stream {
  reader: ReadableStreamDefaultReader<Uint8Array>;
  /** It is no refusal, whose status is what to tell. */
  ok: boolean;
  /** Gives the request up. */
  end: (reason: Error) => void;
}

/** A question under way. */
interface Ask {
  abort: AbortController;
  endpoint: Endpoint | undefined;
  locale: Locale;
  streams: Map<number, Stream>;
  /** A failure of ours that the engine only knows as "unreachable". */
  failure: PinholeError | undefined;
}

/** Questions under way, by the number that the engine calls them. */
export class Asks {
  #asks = new Map<number, Ask>();
  #next = 1;
  #nextStream = 1;

  add(ask: Ask): number {
    const number = this.#next++;
    this.#asks.set(number, ask);
    return number;
  }

  /** Ends a question: what it still reads is given up. */
  remove(number: number): void {
    const ask = this.#asks.get(number);
    this.#asks.delete(number);
    for (const { reader } of ask?.streams.values() ?? []) reader.cancel().catch(() => undefined);
  }

  /** Lets something leave that is no question of a conversation, as `run` says. */
  async leave(
    around: Surroundings,
    signal: AbortSignal | undefined,
    run: (ask: number, onEvent: (event: ChatEvent) => void) => Promise<string>,
  ): Promise<string> {
    if (signal?.aborted) throw cancelled(signal);
    const abort = new AbortController();
    const stop = () => {
      abort.abort(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    const number = this.add({
      abort,
      endpoint: undefined,
      locale: around.locale(),
      streams: new Map(),
      failure: undefined,
    });
    try {
      return await run(number, (event) => {
        if (event.type === "ledger") around.recorded(event.entry);
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      this.remove(number);
    }
  }

  /** Serves what the engine asks of the page while it works on a question. */
  async serve(
    op: string,
    args: unknown[],
    context: Context,
    around: Surroundings,
  ): Promise<unknown> {
    const ask = this.#asks.get(args[0] as number);
    if (!ask || ask.abort.signal.aborted || context.cancelled()) {
      throw new PinholeError("cancelled", "cancelled");
    }
    switch (op) {
      case "approve":
        // Whoever decides may take long; a cancel does not wait for them.
        return abortable(around.approve(args[1] as LedgerEntry), ask.abort.signal);
      case "keep":
        return around.keep(args[1] as number, args[2] as string);
      case "send":
        return this.#send(ask, args[1] as string);
      case "read":
        return this.#read(ask, args[1] as number);
      default:
        throw new PinholeError("internal", `no call \`${op}\``);
    }
  }

  async #send(ask: Ask, body: string): Promise<Omit<HostResponse, "read"> & { stream: number }> {
    // The answer to an earlier request is not read to its end any more.
    for (const { reader } of ask.streams.values()) reader.cancel().catch(() => undefined);
    ask.streams.clear();
    const request = new AbortController();
    const { signal } = ask.abort;
    const stop = () => {
      request.abort(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    const end = (reason: Error) => {
      request.abort(reason);
    };
    let response: Response;
    try {
      if (!ask.endpoint) throw hostError("bad_option", ask.locale, "endpoint");
      const sent = ask.endpoint.send(body, request.signal);
      response = await timely(sent, ask.endpoint.timeout, () => {
        // An answer that comes all the same is not read.
        sent.then(({ body }) => body?.cancel()).catch(() => undefined);
        return silent(ask, end);
      });
    } catch (error) {
      if (error instanceof PinholeError) ask.failure = error;
      throw error instanceof PinholeError
        ? error
        : hostError("endpoint_unreachable", ask.locale, undefined, error);
    }
    const stream = this.#nextStream++;
    const { ok } = response;
    if (response.body) ask.streams.set(stream, { reader: response.body.getReader(), ok, end });
    const after = retryAfter(response.headers.get("retry-after"), Date.now());
    const head = { status: response.status, stream };
    return after === undefined ? head : { ...head, retry_after: after };
  }

  async #read(ask: Ask, stream: number): Promise<Moved<Uint8Array> | undefined> {
    const from = ask.streams.get(stream);
    if (!from) return undefined;
    const { reader, ok, end } = from;
    try {
      const { done, value } = await timely(reader.read(), ask.endpoint?.timeout, () => {
        reader.cancel().catch(() => undefined);
        return silent(ask, end);
      });
      if (!done) {
        // A copy: the buffer may belong to a transport of the page.
        const own = Uint8Array.from(value);
        return new Moved(own, [own.buffer]);
      }
      ask.streams.delete(stream);
      return undefined;
    } catch (error) {
      ask.streams.delete(stream);
      if (error instanceof PinholeError && ok) ask.failure = error;
      throw hostError("stream_broken", ask.locale, undefined, error);
    }
  }
}

/** Gives a request up that was not answered in time. */
function silent({ endpoint, locale }: Ask, end: (reason: Error) => void): PinholeError {
  const error = hostError("endpoint_timeout", locale, String(endpoint?.timeout));
  end(error);
  return error;
}

/** A conversation. */
export class Chat {
  readonly #around: Surroundings;
  readonly #asks: Asks;
  readonly #endpoint: Endpoint | undefined;
  readonly #wire: GlueChatOptions;
  readonly #recorder: Recorder;
  readonly #recalling: Recalling | undefined;
  /** Where a kept conversation ended, until it is opened in the engine. */
  #record: string | undefined;
  #opened: { generation: number; number: Promise<number> } | undefined;
  /** It has been open once: a new engine takes its rules as they are. */
  #begun = false;
  #last: Promise<unknown> = Promise.resolve();
  /** Cancels each question that is asked or waits for its turn. */
  readonly #stops = new Set<() => void>();
  /** The queries of the readings that were offered last, and in which words each was. */
  #offered = new Map<string, string>();

  constructor(options: ChatOptions, around: Surroundings, asks: Asks) {
    this.#around = around;
    this.#asks = asks;
    this.#endpoint = makeEndpoint(options, around.locale());
    const { model, hold, maxRounds, stream, scripts, policy, recall } = options;
    const turns = options.continue?.turns.length ?? 0;
    this.#recalling = recall && new Recalling(recall, turns, policy !== undefined);
    this.#recorder = around.recorder(options.continue?.saved, () => this.#standing());
    this.#record = options.continue?.saved.record;
    const wire = options.wire ?? (this.#endpoint ? "openai-chat" : "planner");
    if ((wire === "planner") !== (this.#endpoint === undefined)) {
      throw hostError("bad_option", around.locale(), `wire: ${wire}`);
    }
    this.#wire = {
      wire,
      ...(model === undefined ? {} : { model }),
      ...(hold === undefined ? {} : { hold }),
      ...(maxRounds === undefined ? {} : { max_rounds: maxRounds }),
      ...(stream === undefined ? {} : { stream }),
      ...(scripts === undefined ? {} : { scripts }),
      ...(policy === undefined ? {} : { policy: copyOf(policy) }),
      ...(this.#endpoint ? { endpoint: this.#endpoint.shown } : {}),
    };
  }

  /** What `ph.history` calls it, where it is kept; nothing before its first question. */
  get id(): string | undefined {
    return this.#recorder.id;
  }

  /**
   * Asks a question. The events end with `done` or `error`; whatever fails is an `error` event.
   * Leaving the loop early cancels the question. Questions are answered one after the other.
   */
  async *ask(question: string, options: AskOptions = {}): AsyncGenerator<ChatEvent> {
    try {
      checkOptions("chat.ask", options, this.#around.locale());
    } catch (error) {
      yield toEvent(toError(error));
      return;
    }
    const queue = new Queue<ChatEvent>();
    const abort = new AbortController();
    const ask: Ask = {
      abort,
      endpoint: this.#endpoint,
      locale: this.#around.locale(),
      streams: new Map(),
      failure: undefined,
    };
    const stop = () => {
      abort.abort(options.signal?.reason);
      queue.push(toEvent(cancelled(abort.signal)));
      queue.end();
    };
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    this.#stops.add(stop);
    const previous = this.#last;
    this.#last = (async () => {
      await previous;
      try {
        for (const text of options.confirm ?? []) {
          await this.#around.engine.call("chat_confirm", [text]);
        }
        if (!abort.signal.aborted) await this.#run(question, ask, queue, options);
      } catch (error) {
        queue.push(toEvent(toError(error)));
      }
      queue.end();
    })();
    try {
      for await (const event of queue) {
        yield event;
        if (event.type === "done" || event.type === "error") break;
      }
    } finally {
      options.signal?.removeEventListener("abort", stop);
      this.#stops.delete(stop);
      queue.end();
      abort.abort();
    }
  }

  /** Forgets what was said. What was kept stays; what follows is kept as another conversation. */
  async clear(): Promise<void> {
    await this.#last;
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await this.#recorder.clear();
    this.#recalling?.clear();
    this.#record = undefined;
    if (this.#opened?.generation !== this.#around.engine.generation) return;
    await this.#around.engine.call("chat_clear", [await this.#opened.number]);
  }

  /** Ends the conversation and gives its memory back. Questions under way are cancelled. */
  async close(): Promise<void> {
    this.#recorder.leave();
    for (const stop of this.#stops) stop();
    await this.#last;
    await this.#recorder.close();
    const opened = this.#opened;
    this.#opened = undefined;
    this.#begun = false;
    if (opened?.generation !== this.#around.engine.generation) return;
    await this.#around.engine.call("chat_close", [await opened.number]);
  }

  async #run(
    question: string,
    ask: Ask,
    queue: Queue<ChatEvent>,
    { fresh, recalled, query, result }: AskOptions,
  ): Promise<void> {
    const { engine } = this.#around;
    await engine.ready;
    // What was deleted is not told again, nor gone on with.
    if (await this.#recorder.deleted()) await this.#forget();
    // A new engine has no conversation: it is opened again, with an empty memory.
    if (this.#opened?.generation !== engine.generation) {
      const again = this.#begun ? { again: true } : {};
      if (this.#begun) this.#recalling?.clear(this.#record !== undefined);
      const record = this.#record === undefined ? {} : { record: this.#record };
      const number = engine.call("chat_open", [{ ...this.#wire, ...record, ...again }]);
      number.catch(() => (this.#opened = undefined));
      this.#opened = { generation: engine.generation, number };
    }
    const { generation: of } = this.#opened;
    const chat = await this.#opened.number;
    this.#begun = true;
    const number = this.#asks.add(ask);
    this.#recorder.begin(question);
    const tell = (event: ChatEvent) => {
      this.#recorder.event(event);
      queue.push(event);
    };
    const { signal } = ask.abort;
    const told: ChatEvent[] = [];
    try {
      if (query !== undefined || result !== undefined) {
        const show = (event: ChatEvent) => {
          told.push(event);
          if (event.type !== "done") tell(event);
        };
        const since = this.#recalling ? await engine.call("standing", [], { of }) : "";
        const title = query && this.#offered.get(JSON.stringify(query));
        const how = { signal, of, locale: ask.locale, title };
        const info = await answerFrom(engine, question, { query, result }, how, show);
        // A follow-up builds on it as on any other answer.
        await engine.call("chat_answered", [chat, question, info.id], { of });
        if (title !== undefined) await this.#recalling?.keep(question, told, since, signal);
        else await this.#recalling?.note(question, told);
        for (const event of told) if (event.type === "done") tell(event);
        return;
      }
      const known = fresh
        ? undefined
        : await this.#recalling?.answer(question, signal, tell, recalled);
      if (known !== undefined) {
        // A follow-up builds on it as on any other answer; what it came to is no part of that.
        await engine.call("chat_answered", [chat, question, known.result], { of });
        tell(known.done);
        return;
      }
      const since = this.#recalling ? await engine.call("standing", [], { of }) : "";
      await engine.call<"chat_ask", ChatEvent>("chat_ask", [chat, question, number], {
        signal,
        of,
        onEvent: (event) => {
          if (event.type === "ledger") this.#around.recorded(event.entry);
          const shown = event.type === "error" && ask.failure ? toEvent(ask.failure) : event;
          told.push(shown);
          if (shown.type === "readings")
            this.#offered = new Map(
              shown.readings.map(({ query, explanation }) => [JSON.stringify(query), explanation]),
            );
          // The end is told once what it says is kept: a question asked right after finds it.
          if (shown.type !== "done" || !this.#recalling) tell(shown);
        },
      });
      await this.#recalling?.keep(question, told, since, signal);
      const done = told.find((event) => event.type === "done");
      if (done && this.#recalling) tell(done);
    } catch (error) {
      this.#recorder.event(toEvent(toError(error)));
      await this.#recalling?.failed(question, told);
      throw error;
    } finally {
      this.#asks.remove(number);
      await this.#recorder.end();
    }
  }

  /** Where the conversation stands; an engine that died has nothing to say. */
  async #standing(): Promise<string | undefined> {
    const { engine } = this.#around;
    const opened = this.#opened;
    if (opened?.generation !== engine.generation) return undefined;
    const of = opened.generation;
    const record = await opened.number
      .then((chat) => engine.call("chat_record", [chat], { of }))
      .catch(() => undefined);
    this.#record = record ?? this.#record;
    return record;
  }
}

/**
 * Answers a question from a query or a result, by template: nothing leaves for it. A reading that was
 * taken is told in the words in which it was offered, its `title`.
 */
async function answerFrom(
  engine: Engine,
  question: string,
  { query, result }: { query: Query | undefined; result: string | undefined },
  how: { signal: AbortSignal; of: number; locale: Locale; title: string | undefined },
  tell: (event: ChatEvent) => void,
): Promise<ResultInfo> {
  const { signal, of, locale } = how;
  const info =
    result === undefined
      ? await engine.call("query", [query ?? {}, {}], { signal, of })
      : await engine.call("result", [result], { of });
  if (!info) throw hostError("unknown_result", locale, result);
  const about = { id: `taken_${info.id}`, input: info.query };
  tell({ type: "tool_call", name: "query", title: how.title ?? info.explanation, ...about });
  const { id: result_id, rows, summary } = info;
  tell({ type: "data_block", tool: "query", result_id, rows, summary, ...about });
  // A statement is in no language that people speak: the engine's own is theirs.
  const spoken = "sql" in info.query && /^\s*(?:select|with)\b/iu.test(question) ? "" : question;
  const said = await engine.call("answer", [info.id, spoken, undefined], { of });
  const { text, claims } = how.title === undefined ? said : readAs(how.title, said);
  tell({ type: "text", delta: text });
  tell({ type: "claims", claims });
  tell({ type: "draft", n: 1, status: "final" });
  tell({ type: "done", answer: text, claims, verdict: "ok" });
  return info;
}

/** The answer with another word for how the question was read: that is what it begins with. */
function readAs<Said extends { text: string; claims: { start: number; end: number }[] }>(
  words: string,
  said: Said,
): Said {
  const { text, claims } = said;
  const [before] = /^(?:Understood as|Понято так): /u.exec(text) ?? [];
  const end = text.indexOf("\n\n");
  if (before === undefined || end < 0) return said;
  const by = before.length + words.length - end;
  return {
    ...said,
    text: before + words + text.slice(end),
    claims: claims
      .filter(({ start }) => start >= end)
      .map((claim) => ({ ...claim, start: claim.start + by, end: claim.end + by })),
  };
}

function toEvent({ code, message, diagnostics }: PinholeError): ChatEvent {
  return { type: "error", code, message, diagnostics };
}

/** What is pushed comes out in order, when it is asked for. */
class Queue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
