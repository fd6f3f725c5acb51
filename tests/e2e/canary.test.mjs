// The whole road of a conversation with a table of secrets: a request that is tried again, drafts
// that are rewritten, an answer that the code corrects, follow-ups, the kept conversation, the same
// opened again after a reload; in every format, and through the proxy. All traffic is captured.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, fail, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { KEY, proxy, withPort } from "./proxy.mjs";
import { BY_SALARY, CSV, PEOPLE, found, names, salaries } from "./secrets.mjs";
import { WIRES } from "./wires.mjs";

const open = stage();

const MOST = BY_SALARY[0].salary;
const LIE = `The highest salary is ${MOST + 1}.`;
const GREEDY = { table: "people", columns: ["name", "salary"], limit: 60 };

/** Retry, two rewrites and a third lie, a greedy call; then, opened again, a greedy call more. */
const script = () => [
  fail(500, { "retry-after": "0" }),
  call("query", { table: "people", select: "max(salary)" }),
  say(LIE),
  say(LIE),
  say(LIE),
  call("query", GREEDY),
  say("The table has it all."),
  call("query", { ...GREEDY, sort: "score desc" }),
  say("Again, see the table."),
];

/** Asks in a conversation that is kept, or in the one that was kept before. */
function converse(scene, options, policy, questions, again = false) {
  return scene.run(
    async ({ Pinhole }, { csv, options, policy, questions, again }) => {
      const ph = await Pinhole.open({ persist: true, policy });
      await ph.load("people", new Blob([csv]), { classes: { email: "hidden" } });
      const [head] = again ? await ph.history.list() : [];
      const opened = head && (await ph.history.open(head.id));
      const chat = ph.chat({ ...options, model: "scripted", ...(opened && { continue: opened }) });
      const ends = [];
      for (const question of questions) {
        let last;
        for await (last of chat.ask(question));
        ends.push(last);
      }
      await chat.close();
      const kept = opened && (await ph.history.export(head.id));
      const sent = (await ph.ledger.entries()).map(({ body }) => body);
      const proof = await ph.ledger.verify();
      await ph.close();
      return { ends, kept, sent, proof };
    },
    { csv: CSV, options, policy, questions, again },
  );
}

/** Walks the whole road; every body that was sent, as text. */
async function road(scene, endpoint, options, policy) {
  const first = await converse(scene, options, policy, ["the highest salary?", "and everybody?"]);
  // The canary sings: the person got the true number, in place of the model's.
  assert.equal(
    first.ends[0].answer,
    `The highest salary is ${MOST}.`,
    JSON.stringify(first.ends[0]),
  );
  assert.equal(first.ends[1].type, "done");
  await scene.page.reload();
  const later = await converse(scene, options, policy, ["and by score?"], true);
  assert.equal(later.ends[0].type, "done", JSON.stringify(later.ends[0]));
  assert.ok(later.kept.includes(String(MOST)), "the answer is kept on the device");
  const bodies = endpoint.bodies.map((body) => body.toString("utf8"));
  assert.equal(bodies.length, 9, "every turn of the script was played");
  // The ledger is kept too: it goes on where it ended.
  assert.deepEqual(first.sent, bodies.slice(0, first.sent.length));
  assert.deepEqual(later.sent, bodies);
  assert.deepEqual([first.proof, later.proof], [{ ok: true }, { ok: true }]);
  // Whatever the browser sent is what the ledger holds.
  for (const { url, body } of scene.traffic) {
    assert.deepEqual(found(decodeURIComponent(url)), []);
    if (body)
      assert.ok(
        endpoint.bodies.some((sent) => sent.equals(body)),
        url,
      );
  }
  for (const body of bodies) assert.doesNotMatch(body, /zqmail|email/i);
  return bodies;
}

/** No value leaves, whatever the road. */
function nothingLeft(bodies) {
  for (const body of bodies) assert.deepEqual(found(body), []);
}

/** Not even the values of a column that holds no secret. */
function noValueLeft(bodies) {
  nothingLeft(bodies);
  for (const body of bodies) assert.doesNotMatch(body, /Riga|Oslo|Kyiv/);
}

const BY_SCORE = [...PEOPLE].sort((a, b) => b.score - a.score);

/** What is allowed and nothing else: `rows` with name and score, and these numbers. */
function only(bodies, rows, numbers) {
  const scores = rows.map(({ score }) => score);
  const allowed = new Set([...names(rows), ...[...scores, ...numbers].map(String)]);
  for (const body of bodies) {
    assert.deepEqual(
      found(body).filter((secret) => !allowed.has(secret)),
      [],
    );
  }
}

/** Each summary names the rows at its ends and its extremes, and no other. */
const ENDS = [PEOPLE[0], PEOPLE[59], BY_SCORE[0], BY_SCORE[59]];
const onlySummaries = (bodies) => only(bodies, ENDS, [MOST]);

/** No row, not the first or the last: of open columns the extremes. */
const onlyExtremes = (bodies) => only(bodies, [], [MOST, BY_SCORE[0].score, BY_SCORE[59].score]);

/** A preview has the first five rows too, and between what the numbers are. */
function onlyPreviews(bodies) {
  const rows = [...PEOPLE.slice(0, 5), ...BY_SCORE.slice(0, 5)];
  only(bodies, [...ENDS, ...rows], [...salaries(rows), MOST, BY_SALARY.at(-1).salary]);
  assert.ok(bodies.some((body) => body.includes("PREVIEW (first 5 rows)")));
}

const ROAD = "over retry, rewrite, correction, history, reopening";
const POLICIES = [
  ["level schema", { level: "schema" }, noValueLeft],
  ["level aggregate", { level: "aggregate" }, onlyExtremes],
  ["class aggregate", { columns: { "people.salary": "aggregate" } }, nothingLeft],
  ["level summary", { level: "summary" }, onlySummaries],
  ["level preview", { level: "preview" }, onlyPreviews],
];

for (const [wire, { path }] of Object.entries(WIRES)) {
  const options = { endpoint: path, wire };

  for (const [name, policy, holds] of POLICIES) {
    test(`${wire}: ${name}, ${ROAD}`, async (t) => {
      const scene = await open(t, { blank: true, script: script(), expect: /500/ });
      holds(await road(scene, scene.endpoint, options, policy));
    });
  }
}

test("through the proxy: the same road, and the key nowhere in the page", async (t) => {
  const { endpoint, url, scene } = await withPort(async (port) => {
    const args = ["--origin", `http://127.0.0.1:${port}`];
    const there = await proxy(t, { script: script(), args });
    return { ...there, scene: await open(t, { blank: true, port, expect: /500/ }) };
  });
  const options = { endpoint: url, wire: "openai-chat" };
  noValueLeft(await road(scene, endpoint, options, { level: "schema" }));
  for (const { url: to, body } of scene.traffic) {
    assert.ok(!to.includes(KEY) && !body?.includes(KEY));
    const { origin } = new URL(to);
    assert.ok([new URL(scene.url).origin, new URL(url).origin].includes(origin), to);
  }
  for (const headers of endpoint.headers) assert.equal(headers.authorization, `Bearer ${KEY}`);
});
