// Runs in the page: questions asked before, timed from the page through the public API. Every time is
// a round trip to the worker.

/** A question like no other: measures, groups and numbers in turn. */
function question(number) {
  const measures = [
    "average amount",
    "total sales",
    "median price",
    "number of orders",
    "highest volume",
    "средний чек",
    "сумма продаж",
    "доля возвратов",
    "максимальный объём",
    "число заказов",
  ];
  const groups = [
    "by shop",
    "per weekday",
    "by month",
    "by category",
    "in each city",
    "по магазинам",
    "по дням недели",
    "по месяцам",
    "по категориям",
    "в каждом городе",
  ];
  const measure = measures[number % 10];
  const group = groups[Math.floor(number / 10) % 10];
  return `${measure} ${group} where value is above ${Math.floor(number / 100) + 1}`;
}

const CONTEXT = "speed";

async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { took: performance.now() - start, value };
}

async function open() {
  const { Pinhole } = await import("/pinhole/index.js");
  const ph = await Pinhole.open({ locale: "en", persist: true });
  await ph.load("sales", new window.Blob(["shop,amount,value\nA,1,2\n"]));
  return { ph, recall: ph.recall({ context: CONTEXT }) };
}

const LOOP = "async function execute() { for (;;); }";

/** Runs scripts that the sandbox ends: by what and when each, and the times between frames meanwhile. */
async function attack(scripts) {
  const { ph } = await open();
  await ph.load("purchases", new window.Blob(["shop,amount\nKuper,100\nSever,45\n"]));
  const recall = ph.recall({ context: "attacks" });
  const ended = [];
  for (const [name, script] of scripts) {
    const id = await recall.save(name, { kind: "script", script });
    const gaps = [];
    let running = true;
    let last = performance.now();
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      if (running) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const { took, value } = await timed(() => recall.execute(id));
    running = false;
    // The wait in which it ended counts as well.
    gaps.push(performance.now() - last);
    ended.push({ name, took, gaps, error: value.error });
  }
  await recall.clear();
  await ph.close();
  return ended;
}

window.recalls = {
  /** Keeps so many questions with their vectors in the database of this browser. */
  async fill(records) {
    const { ph, recall } = await open();
    const lines = [];
    for (let number = 0; number < records; number += 1) {
      lines.push(
        JSON.stringify({
          context_code: CONTEXT,
          question: question(number),
          kind: "query",
          script: '{"table":"sales","group_by":"shop","select":"mean(amount)"}',
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z",
          is_valid: true,
          last_result: { raw: null, human: "An answer.", executed_at: "2026-01-01T00:00:00.000Z" },
        }),
      );
    }
    const { added, bad } = await recall.import(lines.join("\n"));
    // Some may be made after opening already; none is left.
    await recall.migrate();
    const lacking = await recall.migrate();
    const { problem } = recall;
    await ph.close();
    return { added, bad: bad.length, lacking, problem: problem?.message };
  },

  /** Reads them and looks questions up; the times in milliseconds. */
  async measure(records, asked) {
    const { ph, recall } = await open();
    const first = await timed(() => recall.find(question(7)));
    if (first.value.found !== "run") throw new Error("the first question was not found");
    const exact = [];
    const suggest = [];
    const firstSuggest = await timed(() => recall.suggest(`please tell ${question(1)}1`));
    for (let at = 0; at < asked; at += 1) {
      const number = Math.floor((at * records) / asked) + 7;
      const text = question(number % records);
      const found = await timed(() => recall.find(text));
      if (found.value.record?.question !== text) throw new Error(`not found: ${text}`);
      exact.push(found.took);
      const near = await timed(() => recall.suggest(`please tell ${text}${at}`));
      if (near.value.suggestions.length === 0) throw new Error(`nothing like: ${text}`);
      suggest.push(near.took);
    }
    await recall.close();
    // The same data set without vectors: what remains is the time of the search by words.
    const embedder = {
      name: "none",
      dim: 1,
      remote: true,
      embed: () => Promise.reject(new Error()),
    };
    const worded = ph.recall({ context: CONTEXT, embedder });
    await worded.suggest(question(0));
    const words = [];
    for (let at = 0; at < asked; at += 1) {
      const text = question((Math.floor((at * records) / asked) + 7) % records);
      const near = await timed(() => worded.suggest(`please tell ${text}${at}`));
      if (near.value.suggestions.some(({ by }) => by === "semantic"))
        throw new Error("a vector was searched");
      words.push(near.took);
    }
    await ph.close();
    return { open: first.took, firstSuggest: firstSuggest.took, exact, suggest, words };
  },

  /** Runs a script that loops until the sandbox ends it: how long, and the times between frames. */
  async loop() {
    const [{ took, gaps, error }] = await attack([["a loop", LOOP]]);
    if (!error?.startsWith("script_time")) throw new Error(`ended by ${error}`);
    return { took, gaps };
  },

  attack,
};
