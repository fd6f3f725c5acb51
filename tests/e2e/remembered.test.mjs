// Columns that a person protected stay protected when the same file is loaded again: before anything
// could be sent of them, only where the page may keep something, and until it is told to forget.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";

const open = stage();

const STAFF = "person,town,zqpay\nAnna,Bonn,42000\nBill,Graz,51000\nCleo,Bonn,47000\n";
const KEPT = { settings: { keep: true } };

/** Sets the class of a column at the table that was loaded last. */
async function protect(scene, column, name) {
  const card = scene.id("table-card").first();
  const details = scene.id("table-details", card);
  if (!(await details.evaluate((one) => one.open))) await details.locator("summary").click();
  const choice = card.locator(`select[data-column="${column}"]`);
  await choice.selectOption(name);
  const { page } = scene;
  await page.waitForFunction((select) => !select.disabled, await choice.elementHandle());
}

const policy = (scene, said) => scene.id("policy").filter({ hasText: said }).waitFor();

async function again(scene) {
  await scene.page.reload();
  await scene.ready();
}

const stored = (scene) => scene.page.evaluate(() => localStorage.getItem("pinhole.settings") ?? "");

test("what was hidden is hidden again before the file is read, and it is said", async (t) => {
  const script = [
    call("query", { table: "staff", group_by: "town", select: "count()" }),
    say("Bonn has 2."),
  ];
  const scene = await open(t, { model: true, script, ...KEPT });
  await scene.load("staff.csv", STAFF);
  assert.equal(await scene.id("as-before").count(), 0);
  await protect(scene, "zqpay", "hidden");
  await policy(scene, "1 hidden");
  await protect(scene, "person", "aggregate");
  await policy(scene, "1 in aggregates only");
  assert.doesNotMatch(await stored(scene), /42000|Anna|Bonn/, "nothing of what is in them");
  await again(scene);
  assert.equal(await scene.id("policy").textContent(), "Policy: summaries");
  // What the engine is told, and when.
  await scene.run(({ Pinhole }) => {
    window.order = [];
    for (const name of ["setPolicy", "load"]) {
      const own = Pinhole.prototype[name];
      Pinhole.prototype[name] = function (...given) {
        window.order.push(name === "load" ? name : given[0].columns);
        return own.apply(this, given);
      };
    }
  });
  await scene.load("staff.csv", STAFF);
  const order = await scene.page.evaluate(() => window.order);
  const reading = order.indexOf("load");
  assert.deepEqual(
    order.slice(0, reading).at(-1),
    { "staff.zqpay": "hidden", "staff.person": "hidden" },
    "before it is read",
  );
  assert.deepEqual(order.at(-1), { "staff.zqpay": "hidden", "staff.person": "aggregate" });
  const note = scene.id("as-before");
  assert.equal(
    (await note.innerText()).replace(/\s+/g, " "),
    "The column hidden last time stays hidden: zqpay. As last time, for aggregates only: person.",
  );
  await scene.picture("54-as-before");
  await scene.id("language-ru").click();
  await note
    .filter({ hasText: "Столбец, скрытый в прошлый раз, остаётся скрытым: zqpay." })
    .waitFor();
  await scene.id("language-en").click();
  await scene.ask("how many are in each town?");
  const bodies = scene.endpoint.bodies.map(String);
  assert.equal(bodies.length, 2);
  for (const body of bodies) assert.doesNotMatch(body, /zqpay|42000/);
  // Opened by hand, it is open from then on.
  await protect(scene, "zqpay", "open");
  await note.filter({ hasNotText: "zqpay" }).waitFor();
  await again(scene);
  await scene.load("staff.csv", STAFF);
  await policy(scene, "1 in aggregates only");
  assert.doesNotMatch(await scene.id("policy").textContent(), /hidden/);
});

test("another file of the name keeps what it has of it, and one of another name has nothing", async (t) => {
  const scene = await open(t, KEPT);
  await scene.load("staff.csv", STAFF);
  await protect(scene, "zqpay", "hidden");
  await protect(scene, "town", "hidden");
  await policy(scene, "2 hidden");
  await again(scene);
  await scene.load("staff.csv", "person,zqpay,age\nAnna,42000,33\n");
  await policy(scene, "1 hidden");
  assert.match(await scene.id("as-before").innerText(), /zqpay\.$/);
  await scene.load("others.csv", STAFF);
  assert.equal(await scene.id("as-before").count(), 1);
  assert.match(await scene.id("policy").textContent(), /· 1 hidden$/);
  // The first one has lost nothing.
  await again(scene);
  await scene.load("staff.csv", STAFF);
  await policy(scene, "2 hidden");
});

test("without consent nothing of it is kept, and it is forgotten in the settings or with the consent", async (t) => {
  const scene = await open(t);
  await scene.load("staff.csv", STAFF);
  await protect(scene, "zqpay", "hidden");
  await policy(scene, "1 hidden");
  assert.doesNotMatch(await stored(scene), /zqpay|staff/);
  // Consent is about what is there, too.
  const consent = async (keep) => {
    await scene.id("history-show").click();
    await scene.id("history-keep").setChecked(keep);
    await scene.page.locator('#history-keep[aria-busy="false"]').waitFor();
    await scene.id("history-close").click();
  };
  await consent(true);
  await scene.page.waitForFunction(() => localStorage["pinhole.settings"].includes("zqpay"));
  await scene.id("settings-open").click();
  const said = scene.id("remembered");
  await said.filter({ hasText: "Remembered of this table: staff" }).waitFor();
  await scene.picture("55-remembered");
  await scene.id("remembered-forget").click();
  await said.filter({ hasText: "None is remembered." }).waitFor();
  await scene.id("settings-close").click();
  assert.doesNotMatch(await stored(scene), /zqpay|staff/);
  await policy(scene, "1 hidden");
  await protect(scene, "zqpay", "aggregate");
  await policy(scene, "1 in aggregates only");
  assert.match(await stored(scene), /zqpay/);
  await consent(false);
  assert.doesNotMatch(await stored(scene), /zqpay|staff/);
  await again(scene);
  await scene.load("staff.csv", STAFF);
  assert.equal(await scene.id("as-before").count(), 0);
  assert.equal(await scene.id("policy").textContent(), "Policy: summaries");
});
