// An embedder that is elsewhere, in a real browser: it gets what the ledger has, with protected cells
// masked, and nothing of tables that are not loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

const PEOPLE = `name,shop
Zqanna Petrova,Kuper
Zqboris Ivanov,Sever
`;

test("questions leave for an embedder masked, approved and on the ledger", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(
    async ({ Pinhole }, { purchases, people }) => {
      const sent = [];
      const approved = [];
      let allow = true;
      const ph = await Pinhole.open({
        policy: { columns: { "people.name": "hidden" } },
        onBeforeSend: (entry) => {
          approved.push(entry.body);
          return allow;
        },
      });
      await ph.load("purchases", new Blob([purchases]));
      await ph.load("people", new Blob([people]));
      const embedder = {
        name: "vectors.example",
        dim: 3,
        remote: true,
        embed: async (texts) => {
          sent.push(texts);
          return texts.map((text) => [text.length, 1, 2]);
        },
      };
      const script = JSON.stringify({
        table: "purchases",
        group_by: "shop",
        select: "sum(amount)",
      });
      const recall = ph.recall({ context: "shops", embedder });
      const kept = await recall.save("what did zqanna petrova spend?", { kind: "query", script });
      const known = await recall.execute(kept);
      const exact = await recall.ask("What did Zqanna Petrova spend");
      const leftSoFar = sent.length;
      allow = false;
      const other = await recall.save("and Zqboris Ivanov by shop?", { kind: "query", script });
      const refused = recall.problem?.code;
      allow = true;
      await ph.drop("people");
      const without = await recall.migrate();
      await recall.suggest("and what of Zqboris Ivanov?", { embed: true });
      const unknown = recall.problem?.code;
      const sentWithout = sent.slice(leftSoFar);
      await ph.load("people", new Blob([people]));
      const withTable = await recall.migrate();
      // What is typed leaves only where the page says so.
      const typed = "what of Zqanna Petrova by day?";
      await recall.suggest(typed);
      const sentTyped = [sent.length];
      await recall.suggest(typed, { embed: true });
      sentTyped.push(sent.pop()[0]);
      const records = [await recall.get(kept), await recall.get(other)];
      const entries = await ph.ledger.entries();
      const proof = await ph.ledger.verify();
      await ph.close();
      return {
        known: known.success,
        exact: exact.cached,
        leftSoFar,
        refused,
        without,
        unknown,
        sentWithout,
        sentTyped,
        withTable,
        sent,
        approved,
        records,
        entries,
        proof,
      };
    },
    { purchases: PURCHASES, people: PEOPLE },
  );
  assert.deepEqual([got.known, got.exact, got.leftSoFar], [true, true, 1]);
  assert.equal(got.refused, "send_refused");
  // Without the table of names nobody could tell them in the question.
  assert.deepEqual([got.without, got.sentWithout, got.withTable], [0, [], 1]);
  assert.equal(got.unknown, "withheld_by_policy");
  assert.deepEqual(got.sentTyped, [2, "what of [hidden] by day?"]);
  assert.deepEqual(got.sent, [["what did [hidden] spend?"], ["and [hidden] by shop?"]]);
  assert.deepEqual(
    got.entries.slice(0, 2).map(({ body }) => body),
    got.sent.map((texts) => JSON.stringify(texts)),
  );
  assert.deepEqual([got.proof.ok, got.entries[0].endpoint], [true, "vectors.example"]);
  for (const body of got.approved) assert.doesNotMatch(body, /zqanna|zqboris/i);
  assert.deepEqual(
    got.records.map(({ question, masked }) => [question, masked]),
    [
      ["what did zqanna petrova spend?", "what did [hidden] spend?"],
      ["and Zqboris Ivanov by shop?", "and [hidden] by shop?"],
    ],
  );
});
