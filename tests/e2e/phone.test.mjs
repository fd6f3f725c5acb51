// The page where there is little room, and under a pointer that rests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { PURCHASES } from "./tables.mjs";

const open = stage();

/** Sales of eight cities with long names over some days, and more columns than a phone shows. */
function sales() {
  const cities = "Amsterdam Barcelona Bucharest Edinburgh Frankfurt Ljubljana Marseille Stockholm";
  const lines = ["day,city,amount,discount,quantity,weight"];
  for (let i = 0; i < 40; i += 1) {
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    lines.push([day, cities.split(" ")[i % 8], i, i / 4, i % 5, i / 2].join());
  }
  return `${lines.join("\n")}\n`;
}

test("360 pixels: dates stay on a line, columns are not cut, bars have their names", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.load("sales.csv", sales());
  await scene.id("table-details").locator("summary").click();
  await scene.id("table-column").nth(5).waitFor();
  const cut = await scene
    .id("table-details")
    .locator(".columns")
    .evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => [
      scrollHeight - clientHeight,
      scrollWidth - clientWidth,
    ]);
  assert.deepEqual(cut, [0, 0]);
  await scene.id("table-details").locator("summary").click();
  await scene.id("table-look").locator("summary").click();
  const cell = scene.id("look-table").locator("tbody td").first();
  await cell.waitFor();
  const lines = await cell.evaluate((td) => {
    const range = document.createRange();
    range.selectNodeContents(td);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  assert.equal(lines, 1);
  await scene.picture("phone-rows");
  const answer = await scene.ask("total amount by city");
  await answer.id("tab-chart").click();
  await answer.id("chart").locator("svg path").first().waitFor();
  const names = await answer.id("chart").locator("svg text").allTextContents();
  for (const name of ["Amsterdam", "Barcelona", "Edinburgh", "Stockholm"])
    assert.ok(names.includes(name), names.join());
  await scene.picture("phone-chart");
});

test("360 pixels: that more samples stand beside those in sight is shown, on either side", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.load("few.csv", "shop,amount\nKuper,1\n");
  const strip = scene.id("sample").locator("..");
  const faded = () =>
    strip.evaluate((row) => {
      const style = getComputedStyle(row);
      const some = style.maskImage !== "none";
      return ["--before", "--after"].map((side) => some && style.getPropertyValue(side) !== "0rem");
    });
  for (const colorScheme of ["light", "dark"]) {
    await scene.page.emulateMedia({ colorScheme });
    await strip.evaluate((row) => (row.scrollLeft = 0));
    await strip.and(scene.page.locator(".more-right:not(.scrolled)")).waitFor();
    assert.deepEqual(await faded(), [false, true], colorScheme);
    await scene.picture(`phone-samples-${colorScheme}`);
    await strip.evaluate((row) => (row.scrollLeft = 1000));
    await strip.and(scene.page.locator(".scrolled:not(.more-right)")).waitFor();
    assert.deepEqual(await faded(), [true, false], colorScheme);
  }
  const { scrollWidth, clientWidth } = await scene.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  assert.ok(scrollWidth <= clientWidth, "the page itself is not scrolled sideways");
  await scene.page.setViewportSize({ width: 1100, height: 900 });
  await strip.and(scene.page.locator(":not(.more-right, .scrolled)")).waitFor();
  assert.deepEqual(await faded(), [false, false]);
});

test("360 pixels: that there are more columns is shown beside the numbers, not over them", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  const lines = ["name,amount_one,amount_two,count_of_all"];
  for (let i = 0; i < 6; i += 1)
    lines.push(`item ${i},${123_456.25 + i},${654_321.75 + i},${1_234_567 + i}`);
  await scene.load("wide.csv", `${lines.join("\n")}\n`);
  const answer = await scene.ask("show all rows");
  await answer.edit({ table: "wide" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  await answer.rows();
  // It is no wider than the padding of a cell, and what is below it shines through.
  const look = (table) =>
    table.evaluate((one) => {
      const frame = one.closest(".edges");
      const { width, opacity, backgroundImage } = getComputedStyle(frame, "::after");
      const cell = one.tBodies[0].rows[0].cells[2];
      return {
        more: frame.classList.contains("more-right") && opacity === "1",
        over: parseFloat(width) - parseFloat(getComputedStyle(cell).paddingRight),
        solid: /rgb\(/.test(backgroundImage),
      };
    });
  const { more, over, solid } = await look(answer.id("data-table"));
  await scene.picture("phone-edge");
  assert.ok(more, "there is a column out of sight");
  assert.ok(over <= 0 && !solid, `${over} ${solid}`);
  await answer.id("data-table").evaluate((one) => (one.closest(".scroll").scrollLeft = 500));
  await answer.card.locator(".edges:not(.more-right) [data-testid=data-table]").waitFor();
});

for (const locale of ["en-US", "ru-RU"]) {
  test(`${locale}, 360 pixels: beside a table the samples stand in one line, and each can be taken`, async (t) => {
    const scene = await open(t, { locale, viewport: { width: 360, height: 740 } });
    await scene.load("purchases.csv", PURCHASES);
    const names = ["sample", "household", "penguins"];
    const line = scene.page.locator("#load .drop .row");
    const tops = await line.evaluate((row) =>
      [...row.children].map((one) => Math.round(one.getBoundingClientRect().top)),
    );
    assert.equal(new Set(tops).size, 1, tops.join());
    const { x, width } = await scene.page.locator("#load").boundingBox();
    for (const name of names) {
      await scene.id(name).scrollIntoViewIfNeeded();
      const box = await scene.id(name).boundingBox();
      assert.ok(box.x >= x && box.x + box.width <= x + width, name);
      const cut = await scene.id(name).evaluate((one) => one.scrollWidth - one.clientWidth);
      assert.ok(cut <= 0, name);
    }
    const over = await scene.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(over <= 360, `${over}`);
    await scene.picture(`phone-samples-${locale}`);
    await scene.id("penguins").click();
    await scene.id("table-card").nth(1).waitFor();
  });
}

test("360 pixels: the host of the endpoint is read whole, beside the policy and what was sent", async (t) => {
  const settings = { endpoint: "https://api.example.com/v1/chat/completions", model: "some-model" };
  for (const locale of ["en-US", "ru-RU"]) {
    const scene = await open(t, { locale, settings, viewport: { width: 360, height: 740 } });
    const chip = scene.id("model-open");
    const [text, edge] = await chip.evaluate((one) => {
      const range = document.createRange();
      range.setStart(one.firstChild, 0);
      range.setEnd(one.firstChild, "api.example.com".length);
      const { paddingRight } = getComputedStyle(one);
      const { right } = one.getBoundingClientRect();
      return [range.getBoundingClientRect().right, right - parseFloat(paddingRight)];
    });
    assert.ok(text <= edge + 1, `${locale}: ${text} ${edge}`);
    for (const name of ["policy", "sent-open"]) {
      const { x, width } = await scene.id(name).boundingBox();
      assert.ok(x >= 0 && x + width <= 360, `${locale}: ${name}`);
    }
    await scene.picture(`phone-host-${locale}`);
  }
});

test("360 pixels: the line of a table among several stays in its card, with its notes", async (t) => {
  const scene = await open(t, { locale: "ru-RU", viewport: { width: 360, height: 740 } });
  for (let i = 0; i < 2; i += 1) {
    await scene.load(`small${i}.csv`, "a,b\n1,2\n");
  }
  await scene.id("sample").click();
  await scene.id("table-card").nth(2).waitFor();
  const line = scene.id("table-line").first();
  await line.filter({ hasText: "замечание" }).waitFor();
  const box = await line.boundingBox();
  const card = await scene.id("table-card").first().boundingBox();
  assert.ok(box.x >= card.x && box.x + box.width <= card.x + card.width, JSON.stringify(box));
  const over = await scene.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(over <= 360, `${over}`);
  await scene.picture("phone-lines");
});

test("360 pixels: a long Russian word is broken as one, and names of columns are not", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.load("long.csv", "вид,n\nчастнопредпринимательского,1\nб,2\n");
  await scene.id("table-look").locator("summary").click();
  const cell = scene.id("look-table").locator("tbody td").first();
  await cell.waitFor();
  const of = (place) =>
    place.evaluate((one) => [one.closest("[lang]").lang, getComputedStyle(one).hyphens]);
  assert.deepEqual(await of(cell), ["ru", "auto"]);
  await scene.picture("phone-long-word");
  await scene.id("table-details").locator("summary").click();
  const code = scene.id("table-column").locator("code").first();
  assert.equal((await of(code))[1], "manual");
});

test("a number that comes to stand under a resting pointer opens no note", async (t) => {
  const scene = await open(t);
  await scene.load("purchases.csv", PURCHASES);
  const answer = await scene.ask("total amount by shop");
  const mark = answer.id("claim").filter({ hasText: "912" }).first();
  const { mouse } = scene.page;
  const { x, y, width, height } = await mark.boundingBox();
  await mouse.move(x + width / 2, y + height + 200, { steps: 3 });
  // The browser tells of a mark that comes below the pointer as of a pointer that comes to a mark.
  await mark.evaluate(
    (element) =>
      new Promise((done) => {
        const here = ({ screenX, screenY }) => {
          const at = { pointerType: "mouse", screenX, screenY };
          setTimeout(() => {
            element.dispatchEvent(new PointerEvent("pointerenter", at));
            element.dispatchEvent(new PointerEvent("pointermove", at));
            done();
          });
        };
        addEventListener("pointerdown", here, { once: true });
        dispatchEvent(
          new PointerEvent("pointerdown", { pointerType: "mouse", screenX: 300, screenY: 300 }),
        );
      }),
  );
  // As long as a note would take to open, and more.
  await scene.page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
  assert.equal(await scene.id("claim-note").count(), 0);
  await mouse.move(x + width / 2, y + height / 2);
  await scene.id("claim-note").waitFor();
  const note = await scene.id("claim-note").boundingBox();
  assert.ok(note.y >= y + height || note.y + note.height <= y, "the number itself stays in sight");
});

for (const [locale, width] of [
  ["ru-RU", 320],
  ["ru-RU", 360],
  ["en-US", 320],
]) {
  test(`${locale}, ${width} pixels: the names of all five tabs of an answer are read whole`, async (t) => {
    const scene = await open(t, { locale, viewport: { width, height: 740 } });
    await scene.load("purchases.csv", PURCHASES);
    const answer = await scene.ask("total amount by shop");
    const tabs = await answer.card.locator('[role="tab"]:visible').all();
    assert.equal(tabs.length, 5);
    const bar = await answer.card.locator('[role="tablist"]').boundingBox();
    for (const tab of tabs) {
      const { x, width: wide } = await tab.boundingBox();
      assert.ok(x >= bar.x && x + wide <= bar.x + bar.width, await tab.innerText());
      const cut = await tab.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(cut <= 0, await tab.innerText());
    }
    if (width === 360) {
      // Whichever is chosen, and bold for it, they stand in one line.
      const [first, ...others] = await Promise.all(tabs.map((tab) => tab.boundingBox()));
      assert.deepEqual(
        others.map(({ y }) => y),
        others.map(() => first.y),
      );
      await answer.id("tab-sent").click();
      assert.equal((await answer.id("tab-sent").boundingBox()).y, first.y);
      await answer.id("tab-answer").click();
    }
    await scene.picture(`phone-tabs-${locale}-${width}`);
  });
}

for (const settings of [{}, { endpoint: "/v1/chat/completions", model: "scripted" }]) {
  const bar = settings.model ? "a bar of three lines" : "the bar";
  test(`360 pixels: the way to another conversation is not cut by ${bar} above it`, async (t) => {
    const viewport = { width: 360, height: 740 };
    const scene = await open(t, { locale: "ru-RU", settings, viewport });
    await scene.load("purchases.csv", PURCHASES);
    await scene.ask(settings.model ? "SELECT count(*) FROM purchases" : "total amount by shop");
    const ground = await scene.page.locator(".bar-ground").boundingBox();
    const button = await scene.id("new-chat").boundingBox();
    assert.ok(button.y >= ground.y + ground.height, `${button.y}, ${ground.y + ground.height}`);
    await scene.picture(`phone-new-chat-${settings.model ?? "none"}`);
  });
}

test("360 pixels: three suggestions at first, and the others at a press", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 } });
  await scene.id("penguins").click();
  await scene.id("suggestion").first().waitFor();
  const shown = () => scene.id("suggestion").filter({ visible: true }).count();
  assert.equal(await shown(), 3);
  await scene.picture("phone-suggestions");
  await scene.id("suggestions-more").click();
  assert.equal(await shown(), 6);
  assert.equal(await scene.id("suggestions-more").isVisible(), false);
  await scene.id("suggestion").nth(3).and(scene.page.locator(":focus")).waitFor();
  await scene.page.setViewportSize({ width: 1100, height: 900 });
  await scene.id("language-ru").click();
  await scene.id("suggestion").filter({ hasText: "пингвинов" }).first().waitFor();
  assert.equal(await shown(), 6);
});

test("360 pixels: a moment is seen whole in the grid of all rows, where a text may be cut", async (t) => {
  const scene = await open(t, { locale: "ru-RU", viewport: { width: 360, height: 740 } });
  const lines = ["ordered_at,note,amount"];
  for (let i = 0; i < 120; i += 1)
    lines.push(`2024-03-${10 + (i % 20)} ${10 + (i % 9)}:45,${"long ".repeat(20)}${i},${i}`);
  await scene.load("orders.csv", `${lines.join("\n")}\n`);
  const answer = await scene.ask("show all rows");
  await answer.edit({ table: "orders" });
  await answer.id("query-outcome").filter({ hasText: "Готово" }).waitFor();
  await answer.id("tab-data").click();
  await answer.id("data-all").click();
  const row = answer.id("all-rows").locator('.body [role="row"]').nth(2);
  await row.locator(".cell").nth(1).waitFor();
  const cut = await row
    .locator(".cell")
    .evaluateAll((cells) => cells.slice(0, 2).map((one) => one.scrollWidth > one.clientWidth));
  assert.deepEqual(cut, [false, true]);
  await scene.picture("phone-moments");
});

test("360 pixels: the question begins in sight below six tables, and what saves the settings stays there", async (t) => {
  const scene = await open(t, { viewport: { width: 360, height: 740 }, locale: "ru-RU" });
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  await scene.id("question").and(scene.page.locator(":focus")).waitFor();
  const end = async (name) => {
    const { y, height } = await scene.id(name).boundingBox();
    return y + height;
  };
  const { y } = await scene.id("question").boundingBox();
  assert.ok(y + 24 < 740, `${y}`);
  await scene.id("settings-open").click();
  assert.ok((await end("settings-save")) <= 740);
  await scene.picture("phone-settings");
  // What the keys come to is not under it.
  const focused = () => scene.page.evaluate(() => document.activeElement.dataset.testid);
  for (let n = 0; (await focused()) !== "settings-close"; n += 1) {
    assert.ok(n < 40, "the keys come to its end");
    const below = await scene.page.evaluate(() => {
      const { bottom } = document.activeElement.getBoundingClientRect();
      return (
        bottom - document.querySelector("#settings-form > .row.end").getBoundingClientRect().top
      );
    });
    assert.ok(below <= 0, `${await focused()} is covered`);
    await scene.page.keyboard.press("Tab");
  }
});
