// The secrets of a table, on every road that a person can take with an answer: its rows, its chart, its
// downloads, the question asked again, what is kept and exported, the events of the panel. None of them
// is a request, and what is one says nothing of the table.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { elementStage, page } from "./element-page.mjs";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";
import { CSV, PEOPLE, found } from "./secrets.mjs";

const open = stage();
const openPanel = elementStage();
const QUESTION = "average salary by town?";
const BY_TOWN = { table: "people", group_by: "town", select: "mean(salary)", title: "By town" };
const WORDS = "{{r1.max.town}} has the highest mean, {{r1.max.mean_salary}}.";
const TOWNS = ["Riga", "Oslo", "Kyiv"];
const means = TOWNS.map((town) => {
  const salaries = PEOPLE.filter((one) => one.town === town).map(({ salary }) => salary);
  return salaries.reduce((sum, salary) => sum + salary, 0) / salaries.length;
});

/** What a download holds, as text. */
async function saved(scene, press) {
  const [file] = await Promise.all([scene.page.waitForEvent("download"), press()]);
  return readFile(await file.path(), "utf8");
}

/** Nothing of the table is in what was requested: not a cell, not a mean, not a name of a town. */
function silent(log) {
  for (const { url, body } of log) {
    const text = `${decodeURIComponent(url)}\n${body ? body.toString("utf8") : ""}`;
    assert.deepEqual(found(text), []);
    assert.doesNotMatch(text, new RegExp(TOWNS.join("|")));
    for (const mean of means) assert.ok(!text.includes(String(Math.trunc(mean))), text);
  }
}

test("the page: rows, chart, downloads, recall, history and exports say nothing to the endpoint", async (t) => {
  const script = [call("query", BY_TOWN), say(WORDS), call("query", BY_TOWN), say("As before.")];
  const scene = await open(t, { model: true, script, settings: { level: "schema", keep: true } });
  await scene.load("people.csv", CSV);
  const answer = await scene.ask(QUESTION);
  assert.match(await answer.text(), /has the highest mean, [\d,. ]{6,}/);

  // The canary sings on the device.
  await answer.id("tab-data").click();
  await answer.id("group-row").first().click();
  await answer
    .id("source-table")
    .getByText(/zqname\d+x/)
    .first()
    .waitFor();
  const rows = await saved(scene, () => answer.id("source-csv").click());
  assert.ok(found(rows).length > 0);
  await answer.id("tab-chart").click();
  await answer.id("chart").locator("svg path").first().waitFor();
  const drawn = await saved(scene, () => answer.id("save-svg").click());
  assert.match(drawn, /Riga/);

  // Asked again it is answered from here, and nothing is sent.
  const sent = scene.endpoint.bodies.length;
  assert.equal(sent, 2);
  const again = await scene.ask(QUESTION);
  assert.equal(await again.id("recalled").count(), 1);
  assert.equal(scene.endpoint.bodies.length, sent);
  await scene.id("history-show").click();
  const questions = await saved(scene, () => scene.id("recall-export").click());
  assert.match(questions, /average salary by town/);
  const kept = await saved(scene, () => scene.id("history-export").click());
  assert.match(kept, /has the highest mean, \d/, "what is kept on the device has the answer");
  await scene.id("history-close").click();
  await scene.id("sent-open").click();
  await scene.id("ledger-entry", scene.id("ledger")).first().waitFor();
  const ledger = await saved(scene, () => scene.id("ledger-export", scene.id("ledger")).click());
  assert.deepEqual(found(ledger), []);
  await scene.id("ledger-close").click();

  // Opened after a reload, it goes on; what it was answered stays here.
  await scene.page.reload();
  await scene.ready();
  await scene.load("people.csv", CSV);
  await scene.id("history-show").click();
  await scene.id("history-open").click();
  await scene.id("kept-note").waitFor();
  await scene.id("question").fill("and once more, please?");
  await scene.id("ask").click();
  await scene.id("answer").first().filter({ hasText: "As before." }).waitFor();
  assert.equal(scene.endpoint.bodies.length, sent + 2);
  silent(scene.log);
  for (const { url } of scene.traffic) {
    assert.match(url, new RegExp(`^(?:blob:)?${new URL(scene.url).origin}/`));
  }
  await scene.picture("97-canary");
});

test("the panel: its events, tables and charts reach the page's script, and the endpoint hears of none", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const ph = await Pinhole.open({ policy: { level: "schema" } });
    await ph.load("people", new URL("people.csv", location.href));
    window.heard = {};
    for (const type of ["ask", "answer", "filter", "row", "sort"]) {
      document.addEventListener("pinhole-" + type, async ({ detail }) => {
        const rows = await detail?.rows?.(0, 100);
        const text = JSON.stringify([detail, rows], (_, v) => (typeof v === "bigint" ? String(v) : v));
        window.heard[type] = (window.heard[type] ?? "") + text;
      });
    }
    const ask = document.querySelector("pinhole-ask");
    ask.ph = ph;
    ask.chatOptions = { endpoint: "${ENDPOINT}", model: "scripted" };
    ask.show();`;
  const scene = await openPanel(t, {
    html: page({ attributes: "", script: true }),
    module,
    script: [call("query", BY_TOWN), say(WORDS), say("Nothing to add.")],
    files: { "people.csv": CSV },
  });
  const turn = await scene.ask(QUESTION);
  assert.match(await scene.text(turn), /has the highest mean, [\d,. ]{6,}/);
  await scene.id("tab-data", turn).click();
  await scene.grid(turn, "data", TOWNS.length);
  await scene.id("data", turn).locator(".body .cell").first().click();
  await scene.grid(turn, "source", 5);
  await scene.id("filter", scene.id("data", turn)).click();
  await scene.page.waitForFunction(() => window.heard.filter?.includes("zqname"));
  const csv = await saved(scene, () => scene.id("save-csv", scene.id("source", turn)).click());
  assert.ok(found(csv).length > 0);
  await scene.id("tab-chart", turn).click();
  await turn.locator("pinhole-chart").locator("svg path").first().waitFor();
  await scene.ask("is there anything else?");
  const heard = await scene.page.evaluate(() => window.heard);
  assert.match(heard.answer, /highest mean/);
  assert.equal(scene.endpoint.bodies.length, 3);
  silent(scene.log);
});
