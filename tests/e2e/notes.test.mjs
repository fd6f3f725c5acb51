// The page to someone who checks: each number's note with its fact and rows, one reading of the
// question, one language at a time, and files that are called the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serious } from "./axe.mjs";
import { call, say } from "./endpoint.mjs";
import { stage } from "./harness.mjs";
import { BY_SHOP, PURCHASES, TOTALS } from "./tables.mjs";

const open = stage();

const QUESTION = "total amount by shop";
const LIE = "Vkusno has the highest total, 921.";

/** The mark with this text. */
const mark = (answer, text) => answer.id("claim").filter({ hasText: text }).first();

/** The note's facts: name and value. */
const facts = (note) =>
  note.locator(".note-facts").evaluate((element) => {
    const texts = [...element.children].map((child) => child.textContent);
    return Object.fromEntries(
      texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1]]] : [])),
    );
  });

test("a number's note: on focus and hover, with its fact, closed by Escape", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  const note = scene.id("claim-note");
  const number = mark(answer, "310.5");
  await number.focus();
  await note.waitFor();
  assert.deepEqual(await facts(note), {
    Of: "shop = Kuper",
    Measure: "sum of amount",
    "Exact value": "310.5",
    Result: "r1",
  });
  // The rows it stands on are there without a press.
  const behind = note.locator('[data-testid="claim-rows"] tbody tr');
  await behind.first().waitFor();
  assert.deepEqual(await behind.allInnerTexts(), ["Kuper\t100", "Kuper\t210.5"]);
  // What is seen is also said: the verdict is a word and a sign, not a colour alone.
  assert.match(await note.innerText(), /verified/);
  const about = await number.evaluate((element) => ({
    described: document.getElementById(element.getAttribute("aria-describedby")).textContent,
    expanded: element.getAttribute("aria-expanded"),
    sign: element.querySelector(".sign").textContent,
  }));
  assert.match(about.described, /^verified\. r1, shop = Kuper, sum of amount = 310\.5/);
  assert.deepEqual([about.expanded, about.sign], ["true", "✓"]);
  await scene.picture("40-note");
  await scene.page.keyboard.press("Escape");
  assert.equal(await note.count(), 0);
  assert.equal(await number.getAttribute("aria-expanded"), "false");
  assert.ok(await number.evaluate((element) => element === document.activeElement));

  // The pointer opens it and leaves it; from the keyboard the button is the next stop.
  await scene.page.mouse.move(0, 0);
  await answer.id("answer-question").click();
  await mark(answer, "912").hover();
  await note.filter({ hasText: "Vkusno" }).waitFor();
  await scene.page.mouse.move(0, 0);
  await note.waitFor({ state: "detached" });
  await number.focus();
  await note.waitFor();
  await scene.page.keyboard.press("Tab");
  assert.ok(await scene.id("claim-evidence").evaluate((e) => e === document.activeElement));
  await scene.page.keyboard.press("Escape");
  assert.ok(await number.evaluate((element) => element === document.activeElement));
});

test("a number leads to its group and the rows behind it", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  await mark(answer, "310.5").focus();
  await scene.id("claim-evidence").press("Enter");
  const group = answer.id("group-row").and(scene.page.locator('[aria-current="true"]'));
  await group.filter({ hasText: "Kuper" }).waitFor();
  assert.ok(await group.evaluate((element) => element === document.activeElement));
  // The ring around a row goes around its first cell, too, which lies over the others.
  const ring = (cell) => cell.evaluate((element) => getComputedStyle(element).boxShadow);
  const cells = group.locator("td");
  assert.match(await ring(cells.first()), /0px 3px 0px .*0px -3px 0px .* 3px 0px 0px/);
  assert.match(await ring(cells.last()), /0px 3px 0px .*0px -3px 0px .*-3px 0px 0px/);
  await scene.picture("41-ring");
  await answer.id("source-table").locator("tbody tr").first().waitFor();
  assert.deepEqual(await answer.rows("source"), [
    ["Kuper", "100"],
    ["Kuper", "210.5"],
  ]);
  // How many groups there are stands on the rows of all, and who goes there by keys is there.
  await answer.id("tab-answer").click();
  await mark(answer, /^4/).focus();
  await scene.id("claim-evidence").click();
  await answer.id("source-table").locator("tbody tr").nth(6).waitFor();
  assert.ok(await answer.id("panel-data").evaluate((e) => e === document.activeElement));
  assert.equal((await answer.rows("source")).length, 7);
  // A number about the whole leads to all rows.
  const count = await scene.ask("how many rows");
  await mark(count, "7").focus();
  await scene.id("claim-evidence").click();
  assert.equal((await count.rows("source")).length, 7);
});

test("a difference shows the rows of both groups", async (t) => {
  const words = "Vkusno sold for 912, 767 more than Sever.";
  const scene = await open(t, { model: true, script: [call("query", BY_SHOP), say(words)] });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  await mark(answer, "767").focus();
  const note = scene.id("claim-note");
  const behind = note.locator('[data-testid="claim-rows"]');
  await behind.nth(1).waitFor();
  assert.equal(await behind.count(), 2);
  assert.deepEqual(await behind.nth(0).locator("tbody tr").allInnerTexts(), [
    "Vkusno\t500",
    "Vkusno\t412",
  ]);
  assert.deepEqual(await behind.nth(1).locator("tbody tr").allInnerTexts(), [
    "Sever\t45",
    "Sever\t100",
  ]);
  assert.match(await behind.nth(0).innerText(), /^shop = Vkusno/);
});

test("a note shows the column that its number is of, whatever a query calls it", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.id("penguins").click();
  await scene.id("table-card").waitFor();
  const answer = await scene.ask("how many rows");
  const select = { weight: "mean(body_mass_g)" };
  await answer.edit({ table: "penguins", group_by: "species", select });
  await answer.id("query-outcome").filter({ hasText: "3 groups" }).waitFor();
  await answer.id("tab-answer").click();
  await mark(answer, /^3,700/).focus();
  const rows = scene.id("claim-rows");
  await rows.waitFor();
  // Of eight columns a phone has room for two.
  assert.deepEqual(await rows.locator("th").allTextContents(), ["species", "body_mass_g"]);
  assert.deepEqual(await rows.locator("tbody tr").first().locator("td").allTextContents(), [
    "Adelie",
    "3,750",
  ]);
});

test("every verdict has a sign of its own; a corrected number says what it was", async (t) => {
  const script = [call("query", BY_SHOP), say(LIE), say(LIE), say(LIE)];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("which shop has the highest total?");
  const corrected = answer.id("claim").and(scene.page.locator('[data-verdict="corrected"]'));
  await corrected.focus();
  const note = scene.id("claim-note");
  await note.waitFor();
  const shown = await facts(note);
  assert.equal(shown["The draft said"], "921");
  assert.equal(shown["Exact value"], "912");
  const signs = await scene.page.evaluate(async () => {
    const { SIGNS } = await import("/facts.js");
    return Object.values(SIGNS);
  });
  assert.equal(new Set(signs).size, 6);
  const lines = await scene.page.evaluate(
    (verdicts) => {
      const all = verdicts.map((verdict) => {
        const element = document.createElement("mark");
        element.className = `claim ${verdict}`;
        document.body.append(element);
        const { borderBottomStyle, textDecorationLine } = getComputedStyle(element);
        element.remove();
        return `${borderBottomStyle} ${textDecorationLine}`;
      });
      return new Set(all).size;
    },
    ["verified", "derived", "corrected", "withheld", "contradicted", "unverifiable"],
  );
  assert.equal(lines, 6);
});

test("a number that could not be checked is not called absent; what it may be of is said so", async (t) => {
  const words = "The ratio was 912 among customers. Kuper fetched roughly 900 bicycles.";
  const script = [call("query", BY_SHOP), say(words), say(words), say(words)];
  const scene = await open(t, { model: true, script });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("which shop has the highest total?");
  const note = scene.id("claim-note");
  await mark(answer, "900").focus();
  await note.filter({ hasText: "Perhaps it was said of this" }).waitFor();
  assert.equal((await facts(note)).Of, "shop = Kuper");
  // 912 stands in the results, of another shop.
  await mark(answer, "912").focus();
  await note.filter({ hasText: "could not be held against the results: do not" }).waitFor();
  assert.deepEqual(await facts(note), {});
});

test("how the question was read is said once, and in one language", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  const panel = answer.id("panel-answer");
  const once = async (pattern) => {
    const text = await panel.innerText();
    assert.equal(text.match(pattern)?.length, 1, text);
  };
  await once(/total of amount, by shop/gi);
  await once(/(read|understood) as/gi);
  assert.match(await answer.id("scope").textContent(), /all 7 rows/);
  await answer.id("tab-query").click();
  assert.match(await answer.id("query-words").textContent(), /In words: .*shop/i);
  await answer.id("tab-answer").click();

  await scene.id("language-ru").click();
  await scene.id("suggestion").filter({ hasText: /[а-я]/ }).first().waitFor();
  assert.match(await answer.id("scope").textContent(), /все строки: 7/);
  // The answer stays as it was written; what frames it is in the page's language, all of it.
  assert.match(await answer.text(), /Highest/);
  await answer.id("tab-query").click();
  await answer
    .id("query-words")
    .filter({ hasText: /Словами: [А-Я]/ })
    .waitFor();
  assert.doesNotMatch(await answer.id("query-words").textContent(), /[a-z]{3,} (the|of|by) /);
  const frame = await scene.page.evaluate(() => {
    const shown = document.body.cloneNode(true);
    const own = "code, pre, textarea, script, .answer-text, .meaning, h2, [hidden], .suggestion";
    for (const one of shown.querySelectorAll(own)) one.remove();
    const told = "dialog, .claims-box, .languages, #live, [data-testid=query-words]";
    for (const one of shown.querySelectorAll(told)) one.remove();
    return shown.textContent;
  });
  assert.doesNotMatch(frame.replace(/pinhole|CSV|Arrow|Parquet|https/g, ""), /[a-z]{4,}/);
  const claims = await answer.claims();
  assert.match(claims[0].about, /проверено/);
});

test("a second file of the same name stands beside the first, and the page says so", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  await scene.load("purchases.csv", "shop,amount\nKuper,1\n");
  const notice = scene.id("same-name");
  assert.match(await notice.innerText(), /purchases already.*as purchases_2/s);
  assert.deepEqual(await scene.id("table-name").allTextContents(), ["purchases_2", "purchases"]);
  // Where a question fits both tables the person chooses.
  const both = await scene.ask("total amount by shop");
  const choice = both.id("reading");
  await choice.getByText("total of amount, by shop, in purchases", { exact: true }).click();
  await both.id("counts").or(both.id("claims")).waitFor();
  assert.deepEqual(
    await both.rows(),
    TOTALS.map((row) => row.map(String)),
  );
  const other = await scene.ask("how many rows in purchases_2");
  assert.match(await other.text(), /^1 row/);
  await scene.id("replace-old").click();
  await scene.id("table-name").nth(1).waitFor({ state: "detached" });
  assert.deepEqual(await scene.id("table-name").allTextContents(), ["purchases_2"]);
  const left = await scene.ask("how many rows");
  assert.match(await left.text(), /^1 row/);
});

test("what is not understood offers questions that are", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("colourless green ideas sleep furiously");
  const instead = answer.id("instead").locator("button");
  assert.ok((await instead.count()) > 2);
  await scene.picture("45-declined");
  await instead.first().click();
  const next = await (await scene.newest()).settled();
  assert.equal((await next.state()).state, "done");
  assert.ok((await next.claims()).length > 0);
});

test("a note covers neither the field for questions nor its button", async (t) => {
  for (const viewport of [
    { width: 1100, height: 420 },
    { width: 360, height: 500 },
  ]) {
    const scene = await open(t, { viewport });
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.ask("total amount by shop");
    await scene.id("ask-form").evaluate((form) => form.scrollIntoView());
    await answer.id("claim").first().hover();
    const note = scene.id("claim-note");
    await scene.id("claim-rows").waitFor();
    const [over, form] = [await note.boundingBox(), await scene.id("ask-form").boundingBox()];
    assert.ok(over.y >= form.y + form.height || form.y + form.height <= 0);
  }
});

/** The number has the focus, and its lower edge stands at this part of the window. */
const standAt = (number, part) =>
  number.evaluate((element, part) => {
    document.body.style.paddingBottom = "100vh";
    const { bottom } = element.getBoundingClientRect();
    scrollTo({ top: scrollY + bottom - innerHeight * part, behavior: "instant" });
    element.focus({ preventScroll: true });
  }, part);

for (const viewport of [
  { width: 1100, height: 420 },
  { width: 360, height: 740 },
  { width: 360, height: 420 },
]) {
  const { width, height } = viewport;
  test(`${width} × ${height}: a note stays in sight wherever its number stands`, async (t) => {
    const scene = await open(t, { viewport });
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.ask("total amount by shop");
    const number = mark(answer, "310.5");
    const note = scene.id("claim-note");
    for (const part of [0.35, 0.65, 0.97]) {
      await standAt(number, part);
      await scene.id("claim-rows").waitFor();
      const { x, y, width: wide, height: high } = await note.boundingBox();
      const bar = await scene.page.locator(".bar-ground").boundingBox();
      const where = JSON.stringify({ part, x, y, wide, high });
      assert.ok(y >= bar.y + bar.height && y + high <= height && high >= 100, where);
      assert.ok(x >= 0 && x + wide <= width, where);
      // What has no room is scrolled to.
      const rows = scene.id("claim-evidence");
      await rows.scrollIntoViewIfNeeded();
      const button = await rows.boundingBox();
      assert.ok(button.y >= y && button.y + button.height <= y + high, where);
      await scene.picture(`note-${width}-${height}-${part}`);
      await scene.page.keyboard.press("Escape");
      await number.evaluate((element) => element.blur());
    }
  });
}

for (const [locale, viewport, question] of [
  ["ru-RU", { width: 1280, height: 850 }, "средняя масса по видам"],
  ["en-US", { width: 360, height: 740 }, "average body mass by species"],
]) {
  test(`${viewport.width} pixels: a note shows three rows wherever its number stands`, async (t) => {
    const scene = await open(t, { locale, viewport });
    await scene.id("penguins").click();
    await scene.id("table-card").waitFor();
    const answer = await scene.ask(question);
    const number = mark(answer, /^3.733/);
    for (const part of [0.3, 0.55, 0.62, 0.8]) {
      await standAt(number, part);
      await scene.id("claim-rows").waitFor();
      const seen = await scene.id("claim-note").evaluate((note) => {
        const box = note.getBoundingClientRect();
        const mark = document.activeElement.getBoundingClientRect();
        const button = note.querySelector(":scope > button").getBoundingClientRect();
        const frame = note.querySelector(".scroll").getBoundingClientRect();
        const end = Math.min(button.top, frame.bottom, box.bottom) + 0.5;
        const rows = [...note.querySelectorAll("tr")].map((row) => row.getBoundingClientRect());
        return {
          rows: rows.filter(({ bottom }) => bottom <= end).length,
          lines: Math.round(rows[0].height / rows[1].height),
          inside: box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth,
          covers:
            box.left < mark.right &&
            mark.left < box.right &&
            box.top < mark.bottom &&
            mark.top < box.bottom,
        };
      });
      // A phone has no room beside a number: there it may be covered.
      const covers = viewport.width < 400 && seen.covers;
      assert.deepEqual(seen, { rows: 4, lines: 1, inside: true, covers }, `at ${part}`);
      await scene.page.keyboard.press("Escape");
      await number.evaluate((element) => element.blur());
    }
    // What is beside the columns in sight is reached by keys.
    if (viewport.width < 400) return;
    await number.focus();
    const scroll = scene.id("claim-rows").locator(".scroll[tabindex='0']");
    await scroll.waitFor();
    await scene.page.keyboard.press("Tab");
    assert.ok(await scroll.evaluate((element) => element === document.activeElement));
    assert.deepEqual(await serious(scene.page), []);
  });
}

test("a note stands at its number, in any paragraph of an answer", async (t) => {
  const words = "Vkusno sold for 912.\n\n- Kuper sold for 310.5.";
  const scene = await open(t, { model: true, script: [call("query", BY_SHOP), say(words)] });
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask(QUESTION);
  for (const text of ["912", "310.5"]) {
    const number = mark(answer, text);
    await number.evaluate((element) => {
      element.scrollIntoView({ block: "start", behavior: "instant" });
      element.focus({ preventScroll: true });
    });
    await scene.id("claim-rows").waitFor();
    const [note, own] = [await scene.id("claim-note").boundingBox(), await number.boundingBox()];
    const [under, over] = [note.y - own.y - own.height, own.y - note.y - note.height];
    const gap = Math.max(under, over);
    assert.ok(gap > 0 && gap < 10, `${text}: ${gap} away`);
    await scene.page.keyboard.press("Escape");
  }
});
