// The policy in the page: its level and the classes of columns are shown, changed and obeyed, and
// what looks like personal data is hidden until it is opened by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { ENDPOINT, stage } from "./harness.mjs";

const open = stage();

// Words that the prompt's own examples do not have.
const HARVEST = "plant,zqyield\nzqfern,11\nzqmoss,70007\nzqfern,5\n";
const BY_PLANT = { table: "harvest", group_by: "plant", select: "sum(zqyield)", title: "Harvest" };

const CLIENTS = `client,email,phone,amount\n${Array.from(
  { length: 24 },
  (_, i) => `c${i},zq${i}@example.org,+49 151 2345 67${10 + i},${100 + i}\n`,
).join("")}`;

/** An endpoint that nobody is to ask. */
const NOWHERE = "http://127.0.0.1:9/v1";

/** The texts of the requests so far. */
const bodies = (scene) => scene.endpoint.bodies.map((body) => body.toString("utf8"));

async function openPolicy(scene) {
  await scene.id("policy").click();
  await scene.id("policy-dialog").waitFor();
}

test("the level is in sight, each with a sentence, and binds the next request", async (t) => {
  const script = [call("query", BY_PLANT), say("See the table."), say("See the table.")];
  const scene = await open(t, { model: true, script });
  await scene.load("harvest.csv", HARVEST);
  assert.equal(await scene.id("policy").textContent(), "Policy: summaries");
  await openPolicy(scene);
  const sentences = await scene
    .id("policy-levels")
    .locator("p")
    .evaluateAll((all) => all.map((p) => p.textContent));
  assert.equal(new Set(sentences).size, 4);
  await scene.picture("50-policy");
  await scene.id("level-schema").check();
  await scene.id("policy").filter({ hasText: "Policy: schema" }).waitFor();
  await scene.id("policy-close").click();
  const answer = await scene.ask("which plant gave most?");
  await answer.id("tab-sent").click();
  assert.match(await answer.id("ledger-policy").textContent(), /schema/);
  assert.match(await answer.id("ledger-entry").first().textContent(), /Levelschema/);
  for (const body of bodies(scene)) assert.doesNotMatch(body, /zqfern|zqmoss|70007/);
  // It is remembered.
  await scene.page.reload();
  await scene.ready();
  assert.equal(await scene.id("policy").textContent(), "Policy: schema");
});

test("a column's class is changed at the table or in the panel, and obeyed", async (t) => {
  const script = [call("query", BY_PLANT), say("See the table.")];
  const scene = await open(t, { model: true, script });
  await scene.load("harvest.csv", HARVEST);
  const counts = scene.id("table-classes");
  assert.equal((await counts.textContent()).trim(), "· all open");
  await scene.id("table-details").locator("summary").click();
  const choice = scene.id("column-class", scene.id("table-card"));
  await choice.nth(1).waitFor();
  assert.deepEqual(await choice.evaluateAll((all) => all.map((select) => select.value)), [
    "open",
    "open",
  ]);
  await choice.nth(1).selectOption("hidden");
  await openPolicy(scene);
  const inPanel = scene.id("column-class", scene.id("policy-dialog")).nth(1);
  await scene.page.waitForFunction(
    (select) => select.value === "hidden",
    await inPanel.elementHandle(),
  );
  assert.match(await inPanel.getAttribute("aria-label"), /zqyield/);
  assert.equal((await counts.textContent()).trim(), "· 1 hidden from the model");
  await scene.id("policy-close").click();
  const answer = await scene.ask("totals?");
  assert.ok(bodies(scene).length >= 2);
  for (const body of bodies(scene)) {
    const { messages } = JSON.parse(body);
    const told = messages.filter(({ role }) => role === "system" || role === "tool");
    for (const { content } of told) assert.doesNotMatch(content, /70007|zqyield/);
  }
  // The person sees everything.
  assert.deepEqual((await answer.rows()).at(-1), ["zqmoss", "70007"]);
});

test("the ledger says that its chain holds, and is exported as JSON Lines", async (t) => {
  const script = [call("query", BY_PLANT), say("zqmoss gave the most, 70007.")];
  const scene = await open(t, { model: true, script });
  await scene.load("harvest.csv", HARVEST);
  await scene.id("sent-open").click();
  await scene.id("ledger-outcome").filter({ hasText: "Nothing to verify" }).waitFor();
  await scene.id("ledger-close").click();
  await scene.ask("which plant gave most?");
  await scene.id("sent-open").click();
  const dialog = scene.id("ledger");
  const outcome = scene.id("ledger-outcome", dialog);
  await outcome.filter({ hasText: "Chain verified: 2 entries" }).waitFor();
  assert.equal(await outcome.getAttribute("data-state"), "ok");
  await scene.picture("51-ledger");
  const [file] = await Promise.all([
    scene.page.waitForEvent("download"),
    scene.id("ledger-export", dialog).click(),
  ]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  const lines = Buffer.concat(parts).toString("utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).body),
    bodies(scene),
  );
  // A broken chain is said where it breaks.
  const broken = await scene.page.evaluate(async () => {
    const { ledgerView } = await import("/ledger-view.js");
    const panel = document.createElement("div");
    const entries = [{ seq: 1 }, { seq: 2 }];
    const ledger = { entries: async () => entries, verify: async () => ({ ok: false, seq: 2 }) };
    ledgerView(panel, [], { ledger });
    const outcome = panel.querySelector("[data-testid=ledger-outcome]");
    while (!outcome.dataset.state) await new Promise(requestAnimationFrame);
    return outcome.textContent;
  });
  assert.match(broken, /^The chain breaks at entry 2/);
  // A ledger that is not kept knows nothing of the time before a reload, and the page does not claim it.
  await scene.id("ledger-close").click();
  await scene.page.reload();
  await scene.ready();
  await scene
    .id("sent-open")
    .filter({ hasText: /^Nothing sent since the page opened$/ })
    .waitFor();
});

test("a request lists what it keeps back, and no column that is called so", async (t) => {
  const paid = CLIENTS.replace("amount", "tax_withheld");
  const script = [
    call("query", { table: "clients", select: "sum(tax_withheld)" }),
    call("query", { table: "clients", select: "max(email)" }),
    say("See the table."),
  ];
  const scene = await open(t, { model: true, script });
  await scene.load("clients.csv", paid);
  const answer = await scene.ask("who paid most?");
  await answer.id("tab-sent").click();
  const requests = answer.id("ledger-entry");
  await requests.nth(2).waitFor();
  const said = [];
  for (const request of await requests.all()) {
    said.push(await scene.id("said-withheld", request).locator("div").allTextContents());
  }
  const columns = "columns of clients: 2 – hidden by the policy";
  const result = "all of r2 – because of hidden columns";
  assert.deepEqual(said, [[columns], [columns], [columns, result]]);
  assert.match(bodies(scene)[1], /tax_withheld/, "the column is told of");
  // The model gave its call no title: the question is not said twice.
  assert.equal(await answer.id("answer-title").textContent(), "");
  await scene.picture("53-withheld");
});

test("a request lists every column whose name left, and what more of it did", async (t) => {
  const asked = { table: "pay", group_by: "town", select: "mean(оклад)" };
  const scene = await open(t, {
    model: true,
    script: [call("query", asked), say("See the table.")],
  });
  const rows = Array.from({ length: 24 }, (_, i) => `zqtown${i % 2},${100 + i},${i}\n`);
  await scene.load("pay.csv", `town,оклад,floor\n${rows.join("")}`);
  await scene.id("table-details").locator("summary").click();
  await scene.id("column-class", scene.id("table-card")).nth(1).selectOption("aggregate");
  await scene.id("table-classes").filter({ hasText: "aggregates" }).waitFor();
  const answer = await scene.ask("who is paid most?");
  await answer.id("tab-sent").click();
  const requests = answer.id("ledger-entry");
  await requests.nth(1).waitFor();
  const said = [];
  for (const request of await requests.all()) {
    said.push(await scene.id("said-columns", request).locator("div").allTextContents());
  }
  assert.match(bodies(scene)[0], /`оклад`: integer/);
  assert.deepEqual(said, [
    [
      "name and type: pay.оклад (integer), pay.floor (integer)",
      "name, type, and values: pay.town (text)",
    ],
    [
      "name and type: pay.floor (integer)",
      "name, type, and aggregates: pay.оклад (integer)",
      "name, type, and values: pay.town (text)",
    ],
  ]);
});

test("flags are shown with what tells them, and opened by a press", async (t) => {
  const scene = await open(t);
  const seen = await scene.page.evaluate(async () => {
    const { flagList } = await import("/policy-view.js");
    const { classOf, policy, setClass, tableCame } = await import("/policy.js");
    const { refollow } = await import("/dom.js");
    const { setLanguage } = await import("/i18n.js");
    const set = [];
    const ph = { setPolicy: async (policy) => void set.push(policy) };
    const columns = ["id", "email", "имя"].map((name) => ({ name, kind: "text" }));
    const flags = [
      { column: "email", kind: "email", by: "content" },
      { column: "имя", kind: "person_name", by: "name" },
      { column: "gone", kind: "ip", by: "content" },
    ];
    const info = { name: "people", columns, flags };
    const choose = (column, name) => setClass(ph, "people", column, name).then(refollow);
    const none = flagList({ name: "t", columns }, choose) === undefined;
    await tableCame(ph, info);
    const list = flagList(info, choose);
    document.body.append(list);
    const texts = () => [...list.children].map((li) => li.textContent);
    const before = texts();
    const first = [classOf("people", "email"), classOf("people", "id")];
    list.querySelector("button").focus();
    list.querySelector("button").click();
    while (!list.querySelector("[data-testid=flag-hide]")) {
      await new Promise(requestAnimationFrame);
    }
    const opened = texts()[0];
    const focus = document.activeElement.dataset.testid;
    setLanguage("ru");
    const russian = texts()[1];
    setLanguage("en");
    list.remove();
    return { none, before, first, opened, focus, russian, set, now: policy() };
  });
  assert.equal(seen.none, true, "a table without flags has no list");
  assert.deepEqual(seen.before, [
    "email looks like e-mail addresses (from its content): hidden from the model until you open itOpen",
    "имя looks like names of people (from its name): hidden from the model until you open itOpen",
  ]);
  assert.deepEqual(seen.first, ["hidden", "open"]);
  assert.match(seen.opened, /you opened it to the modelHide$/);
  assert.equal(seen.focus, "flag-hide");
  assert.match(seen.russian, /имя похоже на имена людей \(по названию\): скрыт/);
  const columns = (email) => ({ "people.email": email, "people.имя": "hidden" });
  assert.deepEqual(
    seen.set.map((policy) => policy.columns),
    [columns("hidden"), columns("open")],
  );
  assert.deepEqual(seen.now.columns, columns("open"));
});

test("a file with addresses and phones: flagged, hidden from the model, opened by hand", async (t) => {
  const query = { table: "clients", columns: ["client", "email"], limit: 3, title: "Clients" };
  const script = () => call("query", query);
  const scene = await open(t, { model: true, script });
  await scene.load("clients.csv", CLIENTS);
  const flags = scene.id("flag", scene.id("table-card"));
  await flags.first().waitFor();
  const kinds = await flags.evaluateAll((all) => all.map((flag) => flag.dataset));
  const found = Object.fromEntries(kinds.map(({ column, kind }) => [column, kind]));
  assert.equal(found.email, "email");
  assert.equal(found.phone, "phone");
  assert.match(await flags.first().innerText(), /e-mail addresses/);
  await scene.picture("52-flags");
  scene.endpoint.script = [call("query", query), say("See the table.")];
  await scene.ask("who are they?");
  for (const body of bodies(scene)) {
    assert.doesNotMatch(body, /zq\d+@|\+49/);
    const { messages } = JSON.parse(body);
    for (const { role, content } of messages) {
      if (role === "system" || role === "tool") assert.doesNotMatch(content, /email|phone/);
    }
  }
  await scene.id("flag-open").first().click();
  await scene.id("flag-hide").first().waitFor();
  scene.endpoint.script = [call("query", query), say("See the table.")];
  await scene.ask("and now?");
  assert.match(bodies(scene).at(-1), /zq0@example\.org/);
  assert.doesNotMatch(bodies(scene).at(-1), /\+49/);
});

/** Gives a column of the first table a class, where that is chosen at the table. */
async function setClass(scene, column, name, label) {
  const details = scene.id("table-details").first();
  if (!(await details.evaluate((element) => element.open)))
    await details.locator("summary").click();
  const chooser = scene.page.locator(`[data-testid="column-class"][data-column="${column}"]`);
  await chooser.first().selectOption(name);
  await scene.id("table-classes").first().filter({ hasText: label }).waitFor();
}

/** Saves another endpoint, for which the page reloads itself; its tables are lost. */
async function saveEndpoint(scene, address) {
  await scene.run(({ Pinhole }) => {
    Pinhole.prototype.keep = () => Promise.reject(new Error("nothing is kept"));
  });
  await scene.id("settings-open").click();
  await scene.id("endpoint").fill(address);
  await scene.id("model").fill("scripted");
  await scene.id("settings-save").click();
  await Promise.all([scene.page.waitForEvent("load"), scene.id("carry-go").click()]);
  await scene.ready();
}

/** What the newest table's card says of its classes. */
const classes = (scene) => scene.id("table-classes").first().textContent();

/** A page that reloaded itself for the endpoint after `plant` of harvest.csv was hidden. */
async function reloaded(t) {
  const scene = await open(t);
  await scene.load("harvest.csv", HARVEST);
  await setClass(scene, "plant", "hidden", "1 hidden");
  await saveEndpoint(scene, ENDPOINT);
  return scene;
}

/** Asks the scripted endpoint, which asks of the table, and gives all that it was sent. */
async function sent(scene, query, question = "totals?") {
  scene.endpoint.script = [call("query", query), say("See the table.")];
  const before = bodies(scene).length;
  await scene.ask(question);
  const all = bodies(scene).slice(before);
  assert.equal(all.length, 2, "the call's result was sent");
  return all;
}

/** Nothing of `plant` is told of the table, and of the other column there is something. */
async function plantIsHidden(scene, table) {
  for (const body of await sent(scene, { ...BY_PLANT, table })) {
    assert.doesNotMatch(body, /zqfern|zqmoss/);
    assert.match(body, /zqyield/);
  }
}

async function drop(scene) {
  await scene.id("table-drop").click();
  await scene.id("table-card").waitFor({ state: "detached" });
}

test("what was protected stays so where another endpoint reloads the page", async (t) => {
  const scene = await reloaded(t);
  await scene.load("harvest.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "harvest");
  // A table of that name that is loaded later is another one.
  await drop(scene);
  await scene.load("harvest.csv", HARVEST);
  assert.match(await classes(scene), /all open/);
  assert.match((await sent(scene, BY_PLANT, "and now?")).at(-1), /zqmoss/);
});

test("what was protected waits for its table, under whatever name it comes", async (t) => {
  const scene = await reloaded(t);
  // The person reloads once more before the table is there.
  await scene.page.reload();
  await scene.ready();
  await scene.load("other.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "other");
  // What is opened by hand is open.
  await setClass(scene, "plant", "open", "all open");
  const byOther = { ...BY_PLANT, table: "other" };
  assert.match((await sent(scene, byOther, "and now?")).at(-1), /zqmoss/);
});

test("a file of that name without the column is taken, and the other one is protected still", async (t) => {
  const scene = await reloaded(t);
  await scene.load("harvest.csv", "sort,zqyield\nrye,1\n");
  assert.match(await classes(scene), /all open/);
  await scene.load("other.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "other");
});

test("a table that goes takes nothing of another one's protection with it", async (t) => {
  const scene = await reloaded(t);
  await scene.load("harvest.csv", HARVEST);
  await scene.load("harvest.csv", HARVEST);
  const names = await scene.id("table-name").allTextContents();
  assert.deepEqual(names, ["harvest_2", "harvest"]);
  assert.match(await classes(scene), /1 hidden/);
  await scene.id("replace-old").click();
  await scene.id("table-card").nth(1).waitFor({ state: "detached" });
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "harvest_2");
});

test("a table of another name leaves the protection to the one that it was of", async (t) => {
  const scene = await reloaded(t);
  await scene.load("other.csv", HARVEST);
  await drop(scene);
  await scene.load("harvest.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "harvest");
});

test("a table of another name uses no protection up, over reloads either", async (t) => {
  const scene = await open(t, { settings: { endpoint: NOWHERE, model: "none" } });
  await scene.load("harvest.csv", HARVEST);
  await setClass(scene, "plant", "hidden", "1 hidden");
  await saveEndpoint(scene, `${NOWHERE}/2`);
  await scene.load("other.csv", HARVEST);
  await scene.page.reload();
  await scene.ready();
  await scene.load("other.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await setClass(scene, "plant", "open", "all open");
  await saveEndpoint(scene, ENDPOINT);
  await scene.load("harvest.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await plantIsHidden(scene, "harvest");
});

test("a class of before the reload opens no column that looks personal", async (t) => {
  const people = "email,spent\nzq0@example.org,3\nzq1@example.org,4\n";
  const scene = await open(t, { settings: { endpoint: NOWHERE, model: "none" } });
  await scene.load("clients.csv", people);
  await setClass(scene, "email", "aggregate", "1 for aggregates only");
  await saveEndpoint(scene, ENDPOINT);
  // A load looks for flags before the page hears of the table: nothing milder may wait for it.
  const waits = await scene.page.evaluate(() =>
    import("/policy.js").then(({ policy }) => policy().columns),
  );
  assert.deepEqual(waits, { "clients.email": "hidden" });
  await scene.load("clients.csv", people);
  assert.match(await classes(scene), /1 hidden/);
  const query = { table: "clients", group_by: "email", select: "sum(spent)" };
  for (const body of await sent(scene, query)) {
    assert.doesNotMatch(body, /zq\d@/);
    assert.match(body, /spent/);
  }
});

test("what the engine refuses is neither shown nor kept, and said", async (t) => {
  const scene = await reloaded(t);
  const refused = await scene.page.evaluate(async () => {
    const { classOf, setClass, tableCame } = await import("/policy.js");
    const ph = { setPolicy: () => Promise.reject(new Error("no")) };
    const columns = ["plant", "zqyield"].map((name) => ({ name, kind: "text" }));
    const stored = () => sessionStorage.getItem("pinhole.classes");
    const before = stored();
    const came = tableCame(ph, { name: "harvest", columns, flags: [{ column: "zqyield" }] });
    const said = [await came.catch(({ message }) => message)];
    said.push(await setClass(ph, "harvest", "plant", "hidden").catch(({ message }) => message));
    const now = columns.map(({ name }) => classOf("harvest", name));
    return { said, now, kept: before !== null && before === stored() };
  });
  assert.deepEqual(refused, { said: ["no", "no"], now: ["open", "open"], kept: true });
  await scene.load("harvest.csv", HARVEST);
  assert.match(await classes(scene), /1 hidden/);
  await scene.page.evaluate(async () => {
    const { Pinhole } = await import("/pinhole/index.js");
    Pinhole.prototype.setPolicy = () => Promise.reject(new Error("zqrefused"));
  });
  await drop(scene);
  await scene.id("error", scene.id("load-area")).filter({ hasText: "zqrefused" }).waitFor();
});
