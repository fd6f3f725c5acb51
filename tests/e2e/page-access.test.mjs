// The page to people who use it otherwise than with a mouse on a wide screen in daylight: on a phone,
// by keys alone, in the dark, in Russian, without things that move, and through a screen reader.
import assert from "node:assert/strict";
import { test } from "node:test";
import { COLOURS, serious } from "./axe.mjs";
import { call, fail, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** What the scanner flags, and a column of a long name. */
const AMOUNT = "an_amount_that_has_quite_a_long_name";
const SHOPS = ["Kuper", "Sever", "Vkusno", "Zarya"];
const CLIENTS = `shop,email,phone,${AMOUNT}\n${Array.from(
  { length: 24 },
  (_, i) => `${SHOPS[i % 4]},zq${i}@example.org,+49 151 2345 67${10 + i},${100 + i}\n`,
).join("")}`;
const TOTALS = {
  table: "clients",
  group_by: "shop",
  select: `sum(${AMOUNT})`,
  title: "Totals by shop",
};
const TRUE = "Zarya has the highest total, 678.";
const LIE = "Zarya has the highest total, 687.";
const SCRIPT = [call("query", TOTALS), say(LIE), say(LIE), say(LIE), fail(404)];

/** Walks through the page; the name of each state that it comes to. */
async function* states(scene) {
  const shut = (name) => scene.id(name).click();
  yield "first";
  await scene.id("settings-open").click();
  await scene.id("key-box").locator("summary").click();
  await scene.id("key-allow").check();
  yield "settings";
  await shut("settings-close");
  await scene.id("sent-open").click();
  await scene.id("nothing-sent", scene.id("ledger")).waitFor();
  yield "ledger-empty";
  await shut("ledger-close");
  await scene.load("bad.csv", "a,b\n1,2\n3,4,5\n", "error");
  yield "file-error";
  await scene.load("clients.csv", CLIENTS);
  await scene.id("flag").first().waitFor();
  await scene.id("table-details").locator("summary").click();
  await scene.id("suggestion").first().waitFor();
  yield "table";
  await scene.id("policy").click();
  await scene.id("policy-table").waitFor();
  yield "policy";
  await shut("policy-close");
  const answer = await scene.ask("which shop has the highest total?");
  assert.equal(await answer.text(), TRUE);
  yield "answer";
  await answer.id("claim").first().focus();
  await scene.id("claim-note").waitFor();
  yield "note";
  await scene.page.keyboard.press("Escape");
  await answer.id("tab-query").click();
  yield "query";
  await answer.edit({ ...(await answer.query()), where: "amuont > 1" });
  await answer.id("diagnostic").first().waitFor();
  yield "query-error";
  await answer.id("tab-data").click();
  await answer.id("group-row").nth(1).click();
  await answer.id("source-table").locator("tbody tr").first().waitFor();
  yield "data";
  await answer.id("tab-chart").click();
  await answer.id("chart").locator("svg path").first().waitFor();
  yield "chart";
  await answer.id("tab-sent").click();
  await answer.id("ledger-entry").first().waitFor();
  yield "sent";
  const failed = await scene.ask("and again?");
  assert.equal((await failed.state()).state, "error");
  yield "error";
  await scene.id("sent-open").click();
  await scene.id("ledger-entry", scene.id("ledger")).first().waitFor();
  await scene.id("ledger-outcome", scene.id("ledger")).filter({ hasText: /\d/ }).waitFor();
  yield "ledger";
  await shut("ledger-close");
  await scene.id("history-show").click();
  await scene.id("history-empty").waitFor();
  yield "history";
  await shut("history-close");
}

/** What of a state is to be seen on a phone, as {@link phone} finds it. */
const PHONE = {
  "ledger-empty": { idle: [true, true] },
  table: { outside: 0 },
  policy: { goesOn: true },
  answer: { lines: 1 },
  note: { outside: 0 },
  "query-error": { words: 0, titles: 1 },
  data: { outside: 0, goesOn: true, stays: true },
};

/** Runs in the page. */
function phone(state) {
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.offsetParent);
  const id = (name) => `[data-testid="${name}"]`;
  /** How many are not in sight of what scrolls around them, from side to side. */
  const outside = (cells) =>
    cells.filter((cell) => {
      const [box, own] = [cell.closest(".scroll"), cell].map((one) => one.getBoundingClientRect());
      return own.left < box.left - 1 || own.right > box.right + 1;
    }).length;
  switch (state) {
    case "ledger-empty":
      return {
        idle: [...all(id("ledger-verify")), ...all(id("ledger-export"))].map((b) => b.disabled),
      };
    case "table":
      return { outside: outside(all(id("column-class"))) };
    case "policy":
      return { goesOn: document.querySelector("dialog[open]").classList.contains("more-below") };
    case "answer":
      return { lines: new Set(all(".answer [role=tab]").map((tab) => tab.offsetTop)).size };
    case "note":
      return { outside: outside(all(`${id("claim-rows")} td.num`)) };
    case "query-error":
      return { words: all(id("query-words")).length, titles: all(".error-title").length };
    case "data": {
      const source = document.querySelector(id("source-table"));
      const box = source.closest(".scroll");
      box.scrollLeft = 60;
      const stays =
        source.rows[1].cells[0].getBoundingClientRect().left - box.getBoundingClientRect().left;
      box.scrollLeft = 0;
      return {
        outside: outside(all(`${id("data-table")} td`)),
        goesOn: box.parentElement.classList.contains("more-right"),
        stays: Math.abs(stays) <= 1,
      };
    }
    default:
      return {};
  }
}

const begin = (t, options) =>
  open(t, { model: true, script: [...SCRIPT], expect: /Failed to load resource/, ...options });

for (const locale of ["en-US", "ru-RU"]) {
  const language = locale.slice(0, 2);

  test(`${language}: axe has nothing serious to say, in the light and in the dark`, async (t) => {
    const scene = await begin(t, { locale });
    for await (const state of states(scene)) {
      for (const [colorScheme, rules] of [["light"], ["dark", COLOURS]]) {
        await scene.page.emulateMedia({ colorScheme });
        assert.deepEqual(await serious(scene.page, rules), [], `${state}, ${colorScheme}`);
        await scene.picture(`90-${language}-${colorScheme}-${state}`);
      }
    }
  });

  test(`${language}: at 360 pixels nothing is cut off and every control is reached`, async (t) => {
    const scene = await begin(t, { locale, viewport: { width: 360, height: 740 } });
    for await (const state of states(scene)) {
      await scene.picture(`91-${language}-360-${state}`);
      // The names of the tabs have one line in Russian too, and none of them is cut.
      assert.deepEqual(await scene.page.evaluate(phone, state), PHONE[state] ?? {}, state);
      assert.deepEqual(await scene.page.evaluate(outOfReach), [], state);
    }
  });
}

/** What a finger does not reach. Runs in the page. */
function outOfReach() {
  const found = [];
  // What is open above the rest is closed before that is reached.
  const root = document.querySelector("dialog[open], .claim-note") ?? document.body;
  for (const one of [document.documentElement, root]) {
    if (one.scrollWidth > one.clientWidth) {
      found.push(`${one.id || one.localName}: ${one.scrollWidth} wide in ${one.clientWidth}`);
    }
  }
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== root; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const before = scrollY;
  for (const control of root.querySelectorAll(wanted)) {
    if (control.disabled || !control.checkVisibility()) continue;
    if (control.closest("header")) scrollTo(0, 0);
    else control.scrollIntoView({ block: "center", inline: "center" });
    // Of what wraps around the end of a line, the first line.
    const [{ left, right, top, bottom }] = control.getClientRects();
    const name = control.dataset.testid ?? control.id ?? control.textContent;
    if ((left < 0 || right > innerWidth) && !scrolls(control)) {
      found.push(`${name}: from ${left} to ${right}`);
    }
    const within = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
    const hit = document.elementFromPoint(
      within(left, right, innerWidth),
      within(top, bottom, innerHeight),
    );
    if (!hit || !control.contains(hit)) found.push(`${name}: under ${hit?.outerHTML.slice(0, 80)}`);
  }
  if (scrollX !== 0) found.push(`the page scrolls sideways to ${scrollX}`);
  scrollTo(0, before);
  return found;
}

/** What has the focus: its test id and text, whether a person sees where that is, and what lies over it. */
const focused = (scene) =>
  scene.page.evaluate(() => {
    const element = document.activeElement;
    const rings = [element, element.nextElementSibling].filter(Boolean).map(getComputedStyle);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    // A field that is there for the reader alone is seen as its label.
    const seen = element.closest("label") ?? element;
    const [first] = seen.getClientRects();
    const hit = document.elementFromPoint(
      (Math.max(first.left, 0) + Math.min(first.right, innerWidth)) / 2,
      (Math.max(first.top, 0) + Math.min(first.bottom, innerHeight)) / 2,
    );
    return {
      over: seen.contains(hit) ? undefined : (hit?.outerHTML.slice(0, 80) ?? "nothing"),
      id: element.dataset.testid ?? element.id,
      text: element.textContent,
      ring: rings.some((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2),
      there: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    };
  });

/** Presses a key until the control has the focus; on the way the focus is always in sight. */
async function go(scene, id, { key = "Tab", text = "" } = {}) {
  const passed = [];
  for (let i = 0; i < 80; i += 1) {
    await scene.page.keyboard.press(key);
    const at = await focused(scene);
    if (at.id !== "") {
      assert.ok(at.ring, `the focus on ${at.id} is not seen`);
      assert.ok(at.there, `${at.id} is out of sight`);
      assert.equal(at.over, undefined, `${at.id} is covered`);
    }
    if (at.id === id && at.text.includes(text)) return;
    passed.push(at.id);
  }
  assert.fail(`${id} is not reached: ${passed}`);
}

const back = (scene, id) => go(scene, id, { key: "Shift+Tab" });

test("the whole job by keys alone", async (t) => {
  const scene = await open(t);
  const { keyboard } = scene.page;
  const at = async () => (await focused(scene)).id;
  // The page's thread hears that somebody waits for a chooser, and a key takes another way to it: asked
  // for together, the key may come first, and the chooser is closed unseen.
  scene.page.on("filechooser", () => undefined);
  await go(scene, "file-input");
  const [chooser] = await Promise.all([
    scene.page.waitForEvent("filechooser"),
    keyboard.press("Space"),
  ]);
  const buffer = Buffer.from(PURCHASES);
  await chooser.setFiles({ name: "purchases.csv", mimeType: "text/csv", buffer });
  await scene.id("suggestion").first().waitFor();
  await scene.page.waitForFunction(() => document.activeElement.id === "question");
  await keyboard.type("total amount by shop");
  await keyboard.press("Enter");
  const answer = await (await scene.newest()).settled();
  assert.match(await answer.text(), /912/);

  await scene.picture("92-keys");
  // A number, its note, the rows behind it.
  await go(scene, "claim", { text: "912" });
  await scene.id("claim-note").waitFor();
  await go(scene, "claim-evidence");
  await keyboard.press("Enter");
  await scene.page.waitForFunction(() => document.activeElement.dataset.testid === "group-row");
  const behind = async (rows) => {
    await answer
      .id("source-table")
      .locator("tbody")
      .getByText(rows[0][1], { exact: true })
      .waitFor();
    const all = answer.id("source-table").locator("tbody tr");
    assert.deepEqual(
      await all.evaluateAll((list) => list.map((row) => [...row.cells].map((c) => c.textContent))),
      rows,
    );
  };
  await behind([
    ["Vkusno", "500"],
    ["Vkusno", "412"],
  ]);
  await back(scene, "group-row");
  await keyboard.press("Enter");
  await behind([
    ["Sever", "45"],
    ["Sever", "100"],
  ]);

  // The query, changed and run again.
  await back(scene, "tab-data");
  await keyboard.press("ArrowLeft");
  assert.equal(await at(), "tab-query");
  await go(scene, "query-text");
  await keyboard.press("Control+a");
  await keyboard.type('{"select": "count()"}');
  await go(scene, "query-run");
  await keyboard.press("Enter");
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.id("query-run").and(scene.page.locator(":focus")).waitFor();
  await back(scene, "tab-query");
  await keyboard.press("End");
  assert.equal(await at(), "tab-sent");
  await answer.id("nothing-sent").waitFor();

  // What is above: each opens with Enter, closes with Escape, and gives the focus back.
  for (const [opener, dialog] of [
    ["settings-open", "settings"],
    ["history-show", "history"],
    ["sent-open", "ledger"],
    ["policy", "policy-dialog"],
  ]) {
    await back(scene, opener);
    await keyboard.press("Enter");
    await scene.id(dialog).waitFor();
    if (opener === "policy") {
      await go(scene, "level-summary");
      await keyboard.press("ArrowUp");
      assert.equal(await at(), "level-aggregate");
    }
    await keyboard.press("Escape");
    await scene.id(dialog).waitFor({ state: "hidden" });
    assert.equal(await at(), opener);
  }
  await scene.id("policy").filter({ hasText: "Policy: aggregates" }).waitFor();
  await go(scene, "language-ru");
  await keyboard.press("Enter");
  await scene.id("policy").filter({ hasText: "агрегаты" }).waitFor();
  await go(scene, "table-drop");
  await keyboard.press("Enter");
  await scene.id("table-card").waitFor({ state: "detached" });
  await scene.page.waitForFunction(() => document.activeElement.id === "file");
});

/** What moves in the page after `work`, which runs there. */
const moving = (scene, work = () => undefined) =>
  scene.page.evaluate(`(() => {
    document.getAnimations();
    (${work})();
    const running = document.getAnimations().filter(({ playState }) => playState === "running");
    return running.map(({ effect: { target, pseudoElement: part } }) => target.className + (part ?? ""));
  })()`);

test("going through a long page by keys, nothing that has the focus is under the bar", async (t) => {
  for (const width of [1100, 360]) {
    const scene = await open(t, { viewport: { width, height: 600 } });
    await scene.load("clients.csv", CLIENTS);
    for (const question of ["total an_amount by shop", "how many rows by shop"]) {
      const answer = await scene.ask(question);
      await answer.id("tab-data").click();
      await answer.id("group-row").first().waitFor();
    }
    await scene.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await scene.page.locator("footer a").focus();
    // Upwards, what comes into sight comes in below the bar.
    await back(scene, "file-input");
    await go(scene, "data-csv");
  }
});

test("who wants no motion sees none, and others see that it works", async (t) => {
  const script = () => say("x", { hang: 0 });
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const scene = await open(t, { model: true, script, reducedMotion });
    const over = await moving(scene, () => document.dispatchEvent(new DragEvent("dragenter")));
    await scene.page.evaluate(() => document.dispatchEvent(new DragEvent("dragleave")));
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.begin("total amount by shop");
    await scene.id("sent-open").filter({ hasText: "1" }).waitFor();
    // The place to drop files has changed its colour with the load, for a moment.
    await scene.page.waitForFunction(() => !document.querySelector(".drop").getAnimations().length);
    const expected = reducedMotion === "reduce" ? [[], []] : [["drop"], ["working::before"]];
    assert.deepEqual([over, await moving(scene)], expected, reducedMotion);
    await scene.picture(`93-motion-${reducedMotion}`);
    await answer.id("answer-cancel").click();
    await answer.settled();
  }
});
