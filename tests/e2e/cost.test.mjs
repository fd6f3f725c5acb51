// What a conversation costs: twenty questions over a million rows, the tokens of the exact bytes that
// were sent, counted by a public tokenizer, beside what the same requests would take with the rows of
// each result as JSON in place of its summary. `cargo xtask bench-cost` runs this alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

/** Most tokens of the whole conversation. */
const BUDGET = 40_000;

const daily = { table: "bars", from: "daily" };
const gap = { ...daily, map: { gap: "gap()", dow: "dayname()" }, where: "gap > 50" };
const change = { ...daily, map: { change: "change_pct()" } };

/** Questions, the query a model would write, and its answer made of the summary's lines. */
const TALK = [
  [
    "How many trading days are there?",
    { ...daily, select: { days: "count()" }, title: "Number of trading days" },
    ({ value }) => `There are ${value} trading days.`,
  ],
  [
    "average gap by weekday when it is above 50?",
    { ...gap, group_by: ["dow"], select: { gap: "mean(gap)" }, title: "Mean gap by weekday" },
    ({ max, min }) =>
      `On daily bars with a gap above 50, the mean gap is highest on ${max.dow}, ${max.gap}, and lowest on ${min.dow}, ${min.gap}.`,
  ],
  [
    "only Fridays",
    {
      ...gap,
      where: 'gap > 50 and dow == "Fri"',
      select: { gap: "mean(gap)" },
      title: "Mean gap on Fridays",
    },
    ({ value }) => `On Fridays with a gap above 50, the mean gap is ${value}.`,
  ],
  [
    "which month has the widest daily range?",
    {
      ...daily,
      map: { range: "range()", month: "monthname()" },
      group_by: ["month"],
      select: { range: "mean(range)" },
      title: "Mean daily range by month",
    },
    ({ max, min }) =>
      `The mean daily range is largest in ${max.month}, ${max.range}, and smallest in ${min.month}, ${min.range}.`,
  ],
  [
    "and the five days with the widest range?",
    {
      ...daily,
      map: { range: "range()" },
      sort: ["range desc"],
      limit: 5,
      title: "Five days of widest range",
    },
    ({ stats }) =>
      `The five daily bars with the widest range are in the table; the largest is ${stats.range.max}.`,
  ],
  [
    "the five worst days?",
    { ...change, sort: ["change"], limit: 5, title: "Five worst days" },
    ({ stats }) =>
      `The five daily bars that fell most are in the table; the largest fall is ${stats.change.min}%.`,
  ],
  [
    "how often does a day close above its open?",
    { ...daily, select: { up: "pct(close > open)" }, title: "Share of rising days" },
    ({ value }) => `${value}% of daily bars close above their open.`,
  ],
  [
    "and in 2023 alone?",
    {
      ...daily,
      period: "2023",
      select: { up: "pct(close > open)" },
      title: "Share of rising days 2023",
    },
    ({ value }) => `${value}% of daily bars close above their open.`,
  ],
  [
    "at what hour is volume highest?",
    {
      table: "bars",
      map: { hour: "hour()" },
      group_by: ["hour"],
      select: { volume: "mean(volume)" },
      title: "Mean volume by hour",
    },
    ({ max, min }) =>
      `The mean volume a minute is highest at hour ${max.hour}, ${max.volume}, and lowest at hour ${min.hour}, ${min.volume}.`,
  ],
  [
    "show me every minute with a volume above 2500",
    {
      table: "bars",
      where: "volume > 2500",
      sort: ["volume desc"],
      title: "Minutes of high volume",
    },
    ({ rows }) => `There are ${rows} such minutes; they are in the table.`,
  ],
  [
    "which of them were in June 2024?",
    {
      table: "bars",
      period: "2024-06",
      where: "volume > 2500",
      sort: ["volume desc"],
      title: "High volume in June 2024",
    },
    ({ rows }) => `In June 2024 there were ${rows} of them; they are in the table.`,
  ],
  [
    "days with an RSI under 30?",
    { ...daily, map: { rsi: "rsi()" }, where: "rsi < 30", title: "Days with low RSI" },
    ({ rows }) => `On ${rows} daily bars the RSI was under 30; they are in the table.`,
  ],
  [
    "what does the day after look like?",
    {
      ...daily,
      map: { rsi: "rsi()", after: "next(change_pct())" },
      where: "rsi < 30",
      select: { after: "mean(after)" },
      title: "Mean change after low RSI",
    },
    ({ value }) => `On the day after, the mean change is ${value}%.`,
  ],
  [
    "the longest run of rising days?",
    {
      ...daily,
      map: { run: "streak(close > open)" },
      select: { run: "max(run)" },
      title: "Longest run of rising days",
    },
    ({ value }) => `The longest run of rising daily bars is ${value}.`,
  ],
  [
    "median daily volume by year",
    {
      ...daily,
      map: { year: "year()" },
      group_by: ["year"],
      select: { volume: "median(volume)" },
      groups: "all",
      title: "Median daily volume by year",
    },
    ({ max, min }) =>
      `The median daily volume is highest in ${max.year}, ${max.volume}, and lowest in ${min.year}, ${min.volume}.`,
  ],
  [
    "средний гэп по месяцам в 2024 году",
    {
      ...daily,
      period: "2024",
      map: { gap: "gap()", month: "monthname()" },
      group_by: ["month"],
      select: { gap: "mean(gap)" },
      title: "Средний гэп по месяцам 2024",
    },
    () => "Средний гэп дневных баров по месяцам – в таблице.",
  ],
  [
    "а медиана?",
    {
      ...daily,
      period: "2024",
      map: { gap: "gap()", month: "monthname()" },
      group_by: ["month"],
      select: { gap: "median(gap)" },
      title: "Медиана гэпа по месяцам 2024",
    },
    () => "Медиана гэпа дневных баров по месяцам – в таблице.",
  ],
  [
    "is there a link between range and volume?",
    {
      ...daily,
      map: { range: "range()" },
      select: { link: "correlation(range, volume)" },
      title: "Range and volume correlation",
    },
    ({ value }) => `The link is ${value}.`,
  ],
  [
    "list the hourly bars of the last ten days",
    {
      table: "bars",
      from: "1h",
      period: "last_10",
      columns: ["timestamp", "open", "close", "volume"],
      title: "Hourly bars, last ten days",
    },
    ({ rows }) => `There are ${rows} of them; they are in the table.`,
  ],
  [
    "and the highest close among them?",
    {
      table: "bars",
      from: "1h",
      period: "last_10",
      select: { close: "max(close)" },
      title: "Highest hourly close",
    },
    ({ value }) => `The highest close of these hourly bars is ${value}.`,
  ],
];

/** What a summary's text says: `value`, `rows`, `min`, `max` and `stats`. */
function read(summary) {
  const row = (name) => {
    const line = new RegExp(`^  ${name}: (.*)$`, "m").exec(summary)?.[1];
    return line && Object.fromEntries(line.split(", ").map((cell) => cell.split("=")));
  };
  const stats = {};
  for (const [, name, rest] of summary.matchAll(/^  (\w+): (min=.*)$/gm)) {
    stats[name] = Object.fromEntries(rest.split(", ").map((cell) => cell.split("=")));
  }
  return {
    value: /^Result: (?:\w+=)?([^ ,]+)/.exec(summary)?.[1],
    rows: /^Result: (\d+)/.exec(summary)?.[1],
    max: row("max"),
    min: row("min"),
    stats,
  };
}

/** What a request asks: the question that stands last in it. */
function asked(request) {
  const text = JSON.stringify(request);
  const at = ([question]) => text.lastIndexOf(JSON.stringify(question).slice(1, -1));
  return TALK.reduce((last, one) => (at(one) > at(last) ? one : last));
}

/** Whether a message holds what a tool answered, in any format. */
const isResult = ({ role, type, content }) =>
  role === "tool" || type === "function_call_output" || content?.[0]?.type === "tool_result";

/** Loads the sample and holds the conversation; what became of each question, and its rows. */
const hold = (scene, options) =>
  scene.run(
    async ({ Pinhole }, { options, questions }) => {
      const { sampleStream } = await import("/sample.js");
      const ph = await Pinhole.open();
      const { rows } = await ph.load("bars", sampleStream());
      const chat = ph.chat(options);
      const told = [];
      for (const question of questions) {
        const events = [];
        for await (const event of chat.ask(question)) events.push(event);
        const blocks = events.filter(({ type }) => type === "data_block");
        const tables = [];
        for (const { result_id } of blocks) {
          const result = await ph.result(result_id);
          const table = result.table;
          tables.push(table ? JSON.stringify(await table.rows(0, table.length)) : undefined);
        }
        told.push({ last: events.at(-1), tables });
      }
      const proof = await ph.ledger.verify();
      await ph.close();
      return { rows, told, proof };
    },
    { options, questions: TALK.map(([question]) => question) },
  );

for (const [name, wire] of Object.entries(WIRES)) {
  test(`${name}: twenty questions over a million rows`, async (t) => {
    let scene;
    const script = () => {
      const request = scene.endpoint.requests.at(-1);
      const [, query, answer] = asked(request);
      if (!isResult((request.messages ?? request.input).at(-1))) return call("query", query);
      return say(answer(read(wire.results(request).at(-1))));
    };
    scene = await open(t, { blank: true, script });
    const { rows, told, proof } = await hold(scene, {
      endpoint: wire.path,
      wire: name,
      model: "scripted",
    });
    assert.deepEqual(proof, { ok: true });
    assert.ok(rows >= 1_000_000);
    for (const [n, { last }] of told.entries()) {
      const { type, verdict, usage } = last;
      const got = [type, verdict, usage?.requests];
      assert.deepEqual(got, ["done", "ok", 2], `${TALK[n][0]} ${JSON.stringify(last)}`);
    }
    let sent = 0;
    let asRows = 0;
    for (const [n, body] of scene.endpoint.bodies.entries()) {
      const text = body.toString("utf8");
      const tokens = countTokens(text);
      sent += tokens;
      asRows += tokens;
      const results = wire.results(JSON.parse(text));
      const [table] = told[Math.floor(n / 2)].tables;
      if (n % 2 === 1 && table) {
        const summary = JSON.stringify(results.at(-1));
        asRows += countTokens(JSON.stringify(table)) - countTokens(summary);
      }
    }
    const requests = scene.endpoint.bodies.length;
    const line = `${requests} requests, ${sent} tokens sent (${Math.round(sent / requests)} a request); with results as JSON rows: ${asRows}`;
    console.log(`${name}: ${line}`);
    assert.ok(sent < BUDGET, line);
  });
}
