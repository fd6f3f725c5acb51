// The panel where a tool for purchases gave the result: what it was called with, all that it found,
// its rows, and numbers that lead there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";

const open = elementStage();
const TABLES = ["receipts", "receipt_items", "items", "products", "labels", "item_labels"];
const files = Object.fromEntries(
  TABLES.map((name) => [
    `${name}.csv`,
    readFileSync(new URL(`../purchases/${name}.csv`, import.meta.url), "utf8"),
  ]),
);
const DECEMBER = { date_from: "2024-12-01", date_to: "2024-12-31" };
const MODULE = `
  import { Pinhole } from "./pinhole/index.js";
  const ask = document.querySelector("pinhole-ask");
  const ph = await Pinhole.open();
  for (const name of ${JSON.stringify(TABLES)})
    await ph.load(name, new URL(name + ".csv", location.href));
  window.said = [];
  ask.addEventListener("pinhole-answer", ({ detail }) => window.said.push(detail.query ?? null));
  ask.ph = ph;
  ask.show();`;

test("the call in place of a query, its rows, and its numbers", async (t) => {
  const scene = await open(t, {
    html: page({ attributes: `no-launcher endpoint="${ENDPOINT}" model="scripted"`, script: true }),
    files,
    module: MODULE,
    script: [call("get_receipts", DECEMBER), say("You spent {{r2.total_amount}} in all.")],
  });
  const turn = await scene.ask("How much did I spend in December?");
  const claims = await scene.claims(turn);
  assert.deepEqual(
    claims.map(([, verdict]) => verdict),
    ["verified"],
  );
  assert.equal(await scene.id("understood", turn).count(), 0, "no query was understood");
  await scene.picture("49-tool-answer");
  await scene.accessible("the answer of a tool");

  await scene.id("tab-query", turn).click();
  const text = await scene.id("call-text", turn).textContent();
  assert.ok(text.startsWith("get_receipts {"), text);
  assert.deepEqual(JSON.parse(text.slice("get_receipts ".length)), DECEMBER);
  assert.equal(await scene.id("query-text", turn).count(), 0);
  await scene.id("call-output", turn).locator("summary").click();
  const output = JSON.parse(await scene.id("call-output", turn).locator("pre").textContent());
  assert.ok(output.summary.total_receipts > 0);
  const copied = async (name) => {
    await scene.id(name, turn).getByRole("button", { name: "Copy" }).click();
    await scene.id(name, turn).getByText("Copied").waitFor();
    return scene.page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("call-copy"), text);
  assert.deepEqual(JSON.parse(await copied("call-output-copy")), output);
  await scene.picture("50-tool-call");
  await scene.accessible("the call of a tool");

  await scene.id("tab-data", turn).click();
  const rows = output.receipts ?? Object.values(output).find(Array.isArray);
  const size = scene.id("size", scene.id("data", turn));
  await size.filter({ hasText: `${rows.length} rows ` }).waitFor();
  await scene.picture("51-tool-rows");

  // The number is one of a result without rows: its values, and no rows that nobody keeps.
  await scene.id("tab-answer", turn).click();
  await scene.id("claim", turn).click();
  await scene.id("claim-evidence", turn).click();
  const values = scene.id("values", turn);
  await values.locator("[aria-current]").waitFor();
  assert.match(await values.textContent(), new RegExp(String(output.summary.total_receipts)));
  assert.equal(await scene.id("source", turn).count(), 0);
  await scene.picture("52-tool-values");
  await scene.accessible("the values of a tool");
  await scene.id("tab-query", turn).click();
  assert.ok((await scene.id("call-text", turn).textContent()).startsWith("get_receipts {"));
  assert.deepEqual(await scene.page.evaluate(() => window.said), [null]);
});
