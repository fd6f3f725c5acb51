// What the lines of the API are tried with: tables, a scripted model, and ways to say what is wrong
// that run in Node and on a page alike.

export const CSV =
  "shop,amount\nKuper,100\nVkusno,500\nSever,45\nKuper,210.5\nZarya,78.25\nVkusno,412\n";
export const TOTALS = { group_by: "shop", select: "sum(amount)" };
export const QUESTION = "total amount by shop";

/** Daily bars of two weeks: gaps of 60 on Mondays, of 10 else. */
export const BARS = `time,open,high,low,close,volume\n${Array.from({ length: 14 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + i));
  const open = 1000 + (day.getUTCDay() === 1 ? 60 : 10);
  return `${day.toISOString().slice(0, 10)},${open},${open + 5},${open - 5},1000,7\n`;
}).join("")}`;

/** A chat completion of one turn. */
const turn = (message, finish_reason) =>
  JSON.stringify({
    id: "x",
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content: null, ...message }, finish_reason },
    ],
  });
export const asks = (args) =>
  turn(
    {
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "query", arguments: JSON.stringify(args) },
        },
      ],
    },
    "tool_calls",
  );
export const says = (content) => turn({ content }, "stop");

export const plain = (value) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one));

export function is(actual, expected, what = "value") {
  if (plain(actual) !== plain(expected)) {
    throw new Error(`${what}: ${plain(actual)} in place of ${plain(expected)}`);
  }
}

export function ok(condition, what) {
  if (!condition) throw new Error(what);
}

export async function fails(work, code) {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (reason) => reason,
    );
  is(error?.code, code, "code");
  return error;
}

export async function all(events) {
  const list = [];
  for await (const event of events) list.push(event);
  return list;
}

export async function load(ph, name = "purchases") {
  const t = await ph.load(name, new Blob([CSV]));
  return name === "t" ? t : ph;
}

/** A conversation with a model that says what `replies` have, in turn. */
export function talk(ph, replies, options = {}, answer = undefined) {
  const requests = [];
  const chat = ph.chat({
    stream: false,
    model: "m",
    ...options,
    transport: async (request) => {
      requests.push(request);
      return answer?.() ?? new Response(replies[requests.length - 1]);
    },
  });
  return { chat, requests, ask: (question) => all(chat.ask(question)) };
}
