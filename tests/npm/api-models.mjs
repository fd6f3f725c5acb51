// What each option of a conversation, of checks and of questions asked before does, shown by what
// leaves the page and what comes of it.

import { QUESTION, TOTALS, all, asks, fails, is, load, ok, says, talk } from "./api-kit.mjs";
import { WIRES } from "../e2e/wires.mjs";

const CALL = {
  calls: [{ name: "query", arguments: JSON.stringify({ table: "purchases", ...TOTALS }) }],
};
const ANSWER = { text: "Vkusno has 912." };

/** What a request of each format has of the question. */
const ASKED = {
  "openai-chat": ({ messages }) => messages.some(({ role }) => role === "user"),
  "openai-responses": ({ input }) => input.some(({ role }) => role === "user"),
  anthropic: ({ messages, max_tokens }) => messages.length > 0 && max_tokens > 0,
};

/** A piece of a reply as a server-sent event. */
const frame = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A reply as server-sent events, a piece at each pull; `pulled` hears of each. */
function events(pieces, pulled) {
  const frames = [...pieces.map((content) => frame({ content })), frame({}, "stop")];
  const body = new ReadableStream(
    {
      pull: async (controller) => {
        // Whoever reads the conversation has its turn first.
        await new Promise((done) => setTimeout(done));
        pulled(pieces.length + 1 - frames.length);
        controller.enqueue(new TextEncoder().encode(frames.shift()));
        if (frames.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export const MODELS = {
  "chat: each wire has its own requests and replies, streamed and whole": async ({ open }) => {
    const ph = await open();
    await load(ph);
    for (const [wire, format] of Object.entries(WIRES)) {
      for (const stream of [false, true]) {
        const bodies = [];
        const turns = [CALL, ANSWER];
        const transport = async ({ body }) => {
          bodies.push(JSON.parse(body));
          const turn = turns[bodies.length - 1];
          const serial = bodies.length;
          if (!stream) return Response.json(format.whole(turn, serial));
          const text = [...format.frames(turn, serial)].join("");
          return new Response(text, { headers: { "content-type": "text/event-stream" } });
        };
        const chat = ph.chat({ wire, model: "the-model", stream, transport });
        const done = (await all(chat.ask(QUESTION))).at(-1);
        is([done.type, done.answer, done.verdict], ["done", "Vkusno has 912.", "ok"], wire);
        is(bodies.length, 2);
        for (const body of bodies) {
          is(
            [body.model, body.stream ?? false, ASKED[wire](body)],
            ["the-model", stream, true],
            wire,
          );
        }
        ok(
          format.results(bodies[1])[0].includes("912"),
          "the summary goes back in the wire's own form",
        );
        await chat.close();
      }
    }
  },

  "chat: endpoint is asked by fetch, with the page's headers alone": async ({ open, places }) => {
    const ph = await open();
    await load(ph);
    for (const [wire, { path }] of Object.entries(WIRES)) {
      const endpoint = new URL(path.slice(1), places.origin);
      const chat = ph.chat({
        endpoint: wire === "anthropic" ? endpoint.href : endpoint,
        wire,
        model: "m",
      });
      const done = (await all(chat.ask(QUESTION))).at(-1);
      is([done.type, done.answer], ["done", "Vkusno has 912."], wire);
      is((await ph.ledger.entries()).at(-1).endpoint, endpoint.href);
      await chat.close();
    }
    await fails(() => ph.chat({ endpoint: `${places.origin}v1?api_key=x` }), "key_in_browser");
    await fails(() => ph.chat({ endpoint: "ftp://127.0.0.1/v1" }), "bad_option");
    await fails(() => ph.chat({ wire: "planner", endpoint: "/v1" }), "bad_option");
  },

  "chat: timeout ends what stands still; a refusal keeps its status": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const stuck = (text, init) =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
        }),
        init,
      );
    const answers = [
      () => new Promise(() => undefined),
      () => stuck(frame({ content: "Let me see. " })),
      () => stuck("no", { status: 400 }),
    ];
    const chat = ph.chat({ model: "m", timeout: 300, transport: () => answers.shift()() });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push((await all(chat.ask("anything?"))).at(-1).code);
    is(codes, ["endpoint_timeout", "endpoint_timeout", "endpoint_status"]);
    is((await all(ph.chat().ask(QUESTION))).at(-1).type, "done");
  },

  "chat: headers reach the transport, and never the ledger": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const headers = { authorization: "Bearer the-key", "x-tenant": "7" };
    await fails(() => ph.chat({ transport: () => undefined, headers }), "key_in_browser");
    const own = { headers, dangerouslyAllowBrowserKey: true };
    const endpoint = "https://models.example/v1/chat";
    const { ask, requests } = talk(ph, [says("Yes.")], { ...own, endpoint });
    await ask("anything?");
    is([requests[0].url, requests[0].method], [endpoint, "POST"]);
    is((await ph.ledger.entries())[0].endpoint, endpoint);
    is(requests[0].headers, { ...headers, "content-type": "application/json" });
    ok(!(await ph.ledger.export()).includes("the-key"), "the ledger has no key");
  },

  "chat: hold says what is shown before it is checked": async ({ open }) => {
    const shown = {};
    for (const hold of ["none", "numbers", "answer"]) {
      const ph = await open();
      await load(ph);
      let text = "";
      const atPull = [];
      let request = 0;
      const chat = ph.chat({
        model: "m",
        hold,
        transport: async () => {
          request += 1;
          if (request === 1)
            return new Response([...WIRES["openai-chat"].frames(CALL, 1)].join(""));
          if (request > 2) return events(["Vkusno has 912."], () => undefined);
          return events(["Let me see. ", "Vkusno has 921", "."], () => atPull.push(text));
        },
      });
      for await (const event of chat.ask(QUESTION)) {
        if (event.type === "tool_call") text = "";
        if (event.type === "text") text += event.delta;
        if (event.type === "done")
          is([event.answer, event.verdict], ["Vkusno has 912.", "ok"], hold);
      }
      shown[hold] = atPull.slice(0, 3);
    }
    is(shown, {
      none: ["", "Let me see. ", "Let me see. Vkusno has 921"],
      // A sentence is over when the next one begins.
      numbers: ["", "", "Let me see. "],
      answer: ["", "", ""],
    });
  },

  "chat: maxRounds ends the calls": async ({ open }) => {
    const ph = await open();
    await load(ph);
    for (const maxRounds of [1, 2]) {
      const wants = (i) => asks({ table: "purchases", where: `amount > ${i}`, select: "count()" });
      const { ask, requests } = talk(ph, [1, 2, 3, 4, 5].map(wants), { maxRounds });
      const done = (await ask("how many?")).at(-1);
      is([done.type, done.usage.rounds, done.ended], ["done", maxRounds, "too_many_rounds"]);
      is(requests.length, maxRounds + 1);
      is(JSON.parse(requests.at(-1).body).tool_choice, "none", "the last one may not call");
    }
  },

  "chat: clear forgets what was said": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const { ask, chat, requests } = talk(ph, [says("Well."), says("Fine."), says("Good.")]);
    await ask("the first question?");
    await ask("the second question?");
    ok(requests[1].body.includes("the first question?"), "a follow-up tells what was said");
    await chat.clear();
    await ask("the third question?");
    ok(!/the (first|second) question/.test(requests[2].body), "after `clear` it does not");
  },

  "chat: readings ask back, and a reading runs": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const events = await all(ph.chat().ask("how does amount look by shop"));
    const { readings } = events.find(({ type }) => type === "readings");
    ok(readings.length > 1, "several");
    for (const { query, explanation, confidence } of readings) {
      ok(explanation && confidence > 0 && confidence <= 1, "said");
      is(await ph.validate(query), []);
    }
    const plan = await ph.plan("how does amount look by shop");
    is([plan.status, plan.readings.length], ["readings", readings.length]);
  },

  "chat: a reading that is taken answers, a changed query too, and what follows goes on": async ({
    open,
  }) => {
    const ph = await open();
    await load(ph);
    const vague = "how does amount look by shop";
    const chat = ph.chat();
    const { readings } = (await all(chat.ask(vague))).find(({ type }) => type === "readings");
    const [{ query }] = readings;
    const events = await all(chat.ask(vague, { query }));
    const types = events.map(({ type }) => type);
    is(types, ["tool_call", "data_block", "text", "claims", "draft", "done"]);
    const { answer, claims, verdict } = events.at(-1);
    ok(answer.startsWith("Understood as: "), answer);
    is([verdict, claims.every((claim) => claim.verdict === "verified")], ["ok", true]);
    const [{ input }] = (await all(chat.ask("only Kuper"))).filter((e) => e.type === "tool_call");
    const kuper = ({ table, ...rest }) => ({ table, where: 'shop == "Kuper"', ...rest });
    is(input, kuper(events[0].input));

    const own = await ph.query({ table: "purchases", group_by: "shop", select: "count()" });
    const told = await all(chat.ask(vague, { result: own.id }));
    is(told.find(({ type }) => type === "data_block").result_id, own.id);
    const [next] = (await all(chat.ask("only Kuper"))).filter((e) => e.type === "tool_call");
    is(next.input, kuper(own.query));

    // What cannot be run says why; the next question works.
    const [failed] = await all(chat.ask(vague, { query: { select: "mean(amuont)" } }));
    is([failed.type, failed.code], ["error", "unknown_column"]);
    const [gone] = await all(chat.ask(vague, { result: "r999" }));
    is([gone.type, gone.code], ["error", "unknown_result"]);
    is((await all(chat.ask("total amount"))).at(-1).type, "done");
    is(await ph.ledger.entries(), []);
  },

  "chat: events of a tool that fails and of a draft that is wrong": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const wrong = asks({ table: "purchases", where: "amuont > 1", select: "count()" });
    const right = asks({ table: "purchases", ...TOTALS });
    const lie = says("Vkusno has 921.");
    const { ask } = talk(ph, [wrong, right, lie, says("Vkusno has 912.")]);
    const events = await ask(QUESTION);
    const drafts = events.filter(({ type }) => type === "draft");
    is(
      drafts.map(({ n, status }) => [n, status]),
      [
        [1, "rejected"],
        [2, "final"],
      ],
    );
    const block = events.find(({ type }) => type === "data_block");
    is([block.tool, block.rows], ["query", 4]);
    is((await (await ph.result(block.result_id)).table.rows(0, 1))[0], {
      shop: "Kuper",
      sum_amount: 310.5,
    });
    const failed = events.find(({ type }) => type === "tool_error");
    ok(failed?.message.includes("amuont"), "the failed call says why");
  },

  "check: a number that follows from others has its formula": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const r = await ph.query(TOTALS);
    const { verdict, claims } = await ph.check("Vkusno sold for 912, 867 more than Sever.", [r]);
    const derived = claims.find((claim) => claim.verdict === "derived");
    is([verdict, derived?.text], ["ok", "867"]);
    ok(/Vkusno.*-.*Sever/.test(derived.formula), derived.formula);
    is(
      derived.operands.map(({ value }) => value),
      [912, 45],
    );
    const given = { name: "sales", rows: [{ shop: "Kuper", amount: 7 }] };
    is((await ph.check("Kuper sold for 8.", [given])).claims[0].actual, "7");
    is((await ph.check("Vkusno has 912.", [r.id])).verdict, "ok", "by its id");
    const stop = AbortSignal.abort();
    await fails(() => ph.check("Vkusno has 912.", [r], { signal: stop }), "cancelled");
  },

  "render, checkStats: formats, languages, attempts": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const { id } = await ph.query(TOTALS);
    const text = `{{${id}[shop=Kuper].sum_amount:.1f}}`;
    is((await ph.render(text, [id])).text, "310.5");
    is((await ph.render(text, [id], { locale: "ru" })).text, "310,5");
    const { text: left, issues } = await ph.render(`{{${id}.nope}}`, [id]);
    is([left, issues.length], [`{{${id}.nope}}`, 1]);
    const data = [{ sum_amount: 912 }];
    const wrong = { stats: { sum_amount: 5 }, data, intent: "data" };
    const first = await ph.checkStats(wrong);
    is([first.status, first.auto_approved, first.issues.length], ["rewrite", false, 1]);
    const last = await ph.checkStats({ ...wrong, attempts: 3 });
    is([last.status, last.auto_approved], ["ok", true], "the drafts are used up");
  },

  "recall: an embedder is asked, and finds what means the same": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const given = [];
    const embedder = {
      name: "by-topic",
      dim: 2,
      embed: async (texts) => {
        given.push(...texts);
        const topic = { money: [1, 0], spent: [0.9, 0.44], rows: [0.2, 0.98] };
        return texts.map((text) => topic[/money|spent|rows/.exec(text)[0]]);
      },
    };
    const recall = ph.recall({ context: "SHOPS", embedder });
    const script = JSON.stringify({ table: "purchases", ...TOTALS });
    const id = await recall.save("where does the money go?", { kind: "query", script });
    is(given, ["where does the money go?"]);
    ok((await recall.execute(id)).success, "it runs");
    is((await recall.get(id)).embedding.embedder, "by-topic");
    const other = await recall.save("how many rows?", {
      kind: "sql",
      script: "SELECT count(*) AS n FROM purchases",
    });
    is((await recall.execute(other)).result.value, 6);
    const found = await recall.suggest("what was spent in the shops?");
    ok(given.includes("what was spent in the shops?"), "asked for the question");
    is(
      found.suggestions.map((one) => [one.id, one.by]),
      [[id, "semantic"]],
    );
    const ids = async (how) =>
      (await recall.suggest("what was spent?", how)).suggestions.map((one) => one.id);
    is(await ids({ threshold: 0.95 }), [], "less like it than asked for");
    is(await ids({ threshold: 0.1 }), [id, other], "the likest first");
    is(await ids({ threshold: 0.1, limit: 1 }), [id]);
    is(await recall.update(id, { script: JSON.stringify({ select: "count()" }) }), true);
    is((await recall.execute(id)).result.value, 6, "what it was changed to");
    await fails(() => ph.recall({ context: "SHOPS", embedder: { dim: 2 } }), "bad_option");
    const elsewhere = ph.recall({ context: "AWAY", embedder: { ...embedder, remote: true } });
    await elsewhere.suggest("what was spent at Kuper?", { embed: true });
    const [entry] = await ph.ledger.entries();
    is([entry.endpoint, JSON.parse(entry.body)], ["by-topic", ["what was spent at Kuper?"]]);
    const vague = ph.recall({ context: "MORE", embedder: { ...embedder, dim: 3 } });
    await vague.suggest("what was spent?");
    is(vague.problem?.code, "bad_option", "a vector of another length");
  },

  "tools: a result for the page, a cancel, an input that does not fit": async ({ open }) => {
    const ph = await open();
    await load(ph);
    const told = await ph.tools.execute("query", { table: "purchases", ...TOTALS });
    ok(told.summary.includes("912") && told.rows === 4, told.summary);
    const whole = await ph.result(told.result_id);
    is((await whole.table.rows(0, 9)).length, 4, "the full result, in the page");
    const { output } = await ph.tools.execute("source_rows", {
      result: told.result_id,
      key: { shop: "Kuper" },
    });
    is((await whole.source(output.key)).rows.length, output.rows);
    await ph.tools.register({
      name: "big",
      description: "Purchases of at least this amount",
      inputSchema: {
        type: "object",
        properties: { least: { type: "number" } },
        required: ["least"],
      },
      execute: ({ least }, { signal }) =>
        ph.query(
          { table: "purchases", where: `amount >= ${least}`, select: "count()" },
          { signal },
        ),
    });
    const done = await ph.tools.execute("big", { least: 400 });
    is([done.ok, done.output.value], [true, 2]);
    ok(done.summary.startsWith("Result: 2"), done.summary);
    const unfit = await ph.tools.execute("big", { least: "much" });
    is([unfit.ok, unfit.error[0].code], [false, "bad_argument"]);
    const stop = { signal: AbortSignal.abort() };
    await fails(() => ph.tools.execute("query", { table: "purchases" }, stop), "cancelled");
  },
};
