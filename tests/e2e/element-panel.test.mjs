// The panel of <pinhole-ask>: by keys alone, moved, resized, docked and remembered, on a phone, in
// Russian, in the dark, without motion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage, page } from "./element-page.mjs";
import { PURCHASES } from "./tables.mjs";

const open = elementStage();
const files = { "purchases.csv": PURCHASES };

function box(scene) {
  return scene.id("panel").boundingBox();
}

test("by keys alone: opened, completed, asked, read and closed", async (t) => {
  const html = page({ attributes: 'src="purchases.csv"' }).replace(
    "<h1>",
    '<button id="before">Before</button><h1>',
  );
  const scene = await open(t, { html, files });
  const { keyboard } = scene.page;
  await scene.page.locator("#before").focus();
  await keyboard.press("Tab");
  assert.equal(await scene.focused(), "launcher");
  await keyboard.press("Enter");
  await scene.id("panel").waitFor();
  assert.equal(await scene.focused(), "question", "the panel takes the focus at once");
  await scene.ready();

  // Part of a column's name completes to it; the first Enter takes it, the second asks.
  await keyboard.type("total am");
  const completion = scene.id("completion");
  await completion.first().waitFor();
  const input = scene.id("question");
  assert.equal(await input.getAttribute("aria-expanded"), "true");
  await keyboard.press("ArrowDown");
  await scene.page.waitForFunction(
    () =>
      document
        .querySelector("pinhole-ask")
        .shadowRoot.querySelector("pinhole-input")
        .shadowRoot.querySelector("input")
        .getAttribute("aria-activedescendant") === "option-0",
  );
  await scene.picture("20-completion");
  await scene.accessible("completion");
  const columns = await completion.evaluateAll((all) => all.map(({ dataset }) => dataset.kind));
  assert.ok(columns.includes("column"), columns.join());
  for (let at = columns.indexOf("column"); at > 0; at -= 1) await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  assert.equal(await input.inputValue(), "total amount");
  assert.equal(await input.getAttribute("aria-expanded"), "false");
  assert.equal(await scene.page.locator("pinhole-turn").count(), 0, "nothing is asked yet");
  await keyboard.type(" by shop");
  await keyboard.press("Enter");
  const turn = scene.page.locator("pinhole-turn").first();
  await scene.settled(turn);
  assert.match(await scene.text(turn), /912/);

  // An earlier question is offered again.
  await keyboard.type("shop");
  await completion.and(scene.page.locator('[data-kind="earlier"]')).first().waitFor();
  await keyboard.press("ArrowUp");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  assert.equal(await input.inputValue(), "total amount by shop");

  // Escape closes what is open: the list first, then the panel; the focus returns.
  await keyboard.type(" am");
  await completion.first().waitFor();
  await keyboard.press("Escape");
  await completion.first().waitFor({ state: "hidden" });
  assert.ok(await scene.id("panel").isVisible());
  await keyboard.press("Escape");
  await scene.id("launcher").waitFor();
  assert.equal(await scene.focused(), "launcher");
  await keyboard.press("Enter");
  await scene.id("panel").waitFor();
  assert.equal(await scene.focused(), "question", "the panel takes the focus");

  // A button that goes away with its press leaves the focus to the question.
  await scene.id("clear").click();
  await scene.id("suggestion").first().press("Enter");
  await scene.settled(turn);
  await scene.page.waitForFunction(
    () =>
      document.querySelector("pinhole-ask").shadowRoot.activeElement?.localName === "pinhole-input",
  );

  // The tabs by arrows.
  await scene.id("tab-answer", turn).focus();
  await keyboard.press("ArrowRight");
  assert.equal(await scene.focused(), "tab-query");
  await scene.id("query-text", turn).waitFor();
  await keyboard.press("End");
  assert.equal(await scene.focused(), "tab-sent");
});

test("a finger that scrolls the completions takes none, a press takes one", async (t) => {
  const scene = await open(t, { html: page(), files });
  await scene.ready();
  await scene.id("suggestion").first().waitFor();
  const suggestion = (await scene.id("suggestion").first().innerText()).trim();
  const question = scene.id("question");
  await question.fill(suggestion.slice(0, -1));
  const option = scene.id("completion").filter({ hasText: suggestion });
  await option.waitFor();
  await option.dispatchEvent("pointerdown", { pointerType: "touch" });
  await option.dispatchEvent("pointercancel", { pointerType: "touch" });
  assert.equal(await question.inputValue(), suggestion.slice(0, -1));
  await option.click();
  assert.equal(await question.inputValue(), suggestion);
  assert.equal(await scene.focused(), "question");
  assert.equal(await scene.id("completion").count(), 0);
});

test("the focus goes back to what the page opened it with", async (t) => {
  const html = page({ attributes: 'src="purchases.csv" no-launcher', script: true }).replace(
    "<h1>",
    '<button id="own">Ask about purchases</button><h1>',
  );
  const module = `
    const ask = document.querySelector("pinhole-ask");
    window.toggles = [];
    ask.addEventListener("pinhole-toggle", ({ detail }) => window.toggles.push(detail.open));
    document.querySelector("#own").addEventListener("click", () => ask.show());`;
  const scene = await open(t, { html, files, module });
  assert.equal(await scene.id("launcher").count(), 0);
  await scene.page.locator("#own").click();
  await scene.ready();
  await scene.page.keyboard.press("Escape");
  await scene.id("panel").waitFor({ state: "hidden" });
  await scene.page.waitForFunction(() => document.activeElement?.id === "own");
  assert.deepEqual(await scene.page.evaluate(() => window.toggles), [true, false]);
  // It is no dialog that takes the page: what is behind stays in reach.
  await scene.page.locator("#own").click();
  await scene.page.locator("#own").focus();
  await scene.page.keyboard.press("Escape");
  assert.ok(await scene.id("panel").isVisible(), "the key was not meant for it");
});

test("closed and opened again, nothing in it is lost", async (t) => {
  const lines = Array.from({ length: 300 }, (_, i) => `${i},${(i * 7919) % 1009}\n`);
  const table = `id,amount\n${lines.join("")}`;
  const scene = await open(t, { files: { "purchases.csv": table } });
  const { keyboard } = scene.page;
  const again = async () => {
    await keyboard.press("Escape");
    await scene.id("panel").waitFor({ state: "hidden" });
    assert.equal(await scene.focused(), "launcher");
    await scene.accessible("closed");
    await keyboard.press("Enter");
    await scene.id("panel").waitFor();
    assert.equal(await scene.focused(), "question");
  };
  const turn = await scene.ask("top 200 by amount");
  // An edited query, in the tab in which it stands.
  await scene.id("tab-query", turn).click();
  const query = scene.id("query-text", turn);
  await query.fill('{ "table": "purchases" }');
  await again();
  assert.equal(await query.inputValue(), '{ "table": "purchases" }');
  await scene.id("tab-data", turn).click();
  await scene.grid(turn, "data", 2);
  await scene.id("tab-query", turn).click();
  assert.equal(await query.inputValue(), '{ "table": "purchases" }');
  await scene.id("query-run", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Done" }).waitFor();
  // A question that is not asked yet, the order of the rows, and where they are scrolled to.
  await scene.id("tab-data", turn).click();
  const data = scene.id("data", turn);
  const head = data.getByRole("columnheader", { name: /amount/ });
  await head.click();
  // The grid is made anew with its rows: the head of before is gone by then.
  await head.and(data.locator("[aria-sort='ascending']")).waitFor();
  await keyboard.press("Control+End");
  await data.locator(".where").filter({ hasText: "Row 300 of 300" }).waitFor();
  await scene.id("question").fill("total amount where id is");
  const places = () =>
    scene.page.evaluate(() => {
      const found = [];
      const visit = (root) => {
        for (const one of root.querySelectorAll("*")) {
          if (one.scrollTop > 0) found.push(`${one.className} ${one.scrollTop}`);
          if (one.shadowRoot) visit(one.shadowRoot);
        }
      };
      visit(document);
      return found;
    });
  const before = await places();
  assert.ok(
    before.some((place) => place.startsWith("view")),
    before.join(),
  );
  const rows = await scene.grid(turn, "data", 2);
  await scene.id("question").focus();
  await again();
  assert.equal(await scene.id("question").inputValue(), "total amount where id is");
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(await scene.grid(turn, "data", 2), rows);
  assert.deepEqual(await places(), before);
  // Another conversation begins with nothing of it.
  await scene.id("clear").click();
  assert.equal(await scene.page.locator("pinhole-turn").count(), 0);
});

test("moved, resized and docked, by keys and pointer, and remembered", async (t) => {
  const scene = await open(t, { files });
  await scene.ready();
  const first = await box(scene);
  await scene.id("move").focus();
  for (let i = 0; i < 4; i += 1) await scene.page.keyboard.press("Shift+ArrowLeft");
  await scene.page.keyboard.press("ArrowUp");
  const moved = await box(scene);
  assert.equal(moved.x, first.x - 256);
  assert.equal(moved.y, first.y - 16);
  assert.match(await scene.id("said").textContent(), /from the left/);
  await scene.id("resize").focus();
  await scene.page.keyboard.press("Shift+ArrowRight");
  await scene.page.keyboard.press("ArrowUp");
  const resized = await box(scene);
  assert.deepEqual([resized.width, resized.height], [moved.width + 64, moved.height - 16]);

  // The pointer: by the header, and by the corner; never out of the window.
  const drag = async (from, to) => {
    await scene.page.mouse.move(...from);
    await scene.page.mouse.down();
    await scene.page.mouse.move(...to, { steps: 4 });
    await scene.page.mouse.up();
  };
  await drag([resized.x + 60, resized.y + 20], [resized.x - 40, resized.y + 50]);
  const dragged = await box(scene);
  assert.deepEqual([dragged.x, dragged.y], [resized.x - 100, resized.y + 30]);
  const corner = [dragged.x + dragged.width - 6, dragged.y + dragged.height - 6];
  await drag(corner, [corner[0] - 50, corner[1] - 90]);
  const smaller = await box(scene);
  assert.deepEqual([smaller.width, smaller.height], [dragged.width - 50, dragged.height - 90]);
  await drag([smaller.x + 60, smaller.y + 20], [-500, -500]);
  const kept = await box(scene);
  assert.ok(kept.x >= 0 && kept.y >= 0);

  await scene.page.reload();
  await scene.ready();
  assert.deepEqual(await box(scene), kept, "its place is remembered");
  await scene.id("dock").click();
  const docked = await box(scene);
  assert.equal(docked.height, 800);
  assert.equal(docked.x + docked.width, 1100);
  await scene.id("resize").focus();
  await scene.page.keyboard.press("Shift+ArrowLeft");
  assert.equal((await box(scene)).width, docked.width + 64);
  await scene.picture("21-docked");
  await scene.accessible("docked");
  await scene.page.reload();
  await scene.id("float").waitFor();
  await scene.id("float").click();
  await scene.id("move").focus();
  await scene.page.keyboard.press("Home");
  assert.deepEqual(await box(scene), first);
  // A smaller window keeps it inside.
  await scene.page.setViewportSize({ width: 700, height: 500 });
  await scene.page.waitForFunction(() => {
    const { right, bottom } = document
      .querySelector("pinhole-ask")
      .shadowRoot.querySelector(".panel")
      .getBoundingClientRect();
    return right <= 700 && bottom <= 500;
  });
});

test("on a phone of 360 pixels", async (t) => {
  const scene = await open(t, { files, viewport: { width: 360, height: 640 } });
  const turn = await scene.ask("total amount by shop");
  assert.deepEqual(await box(scene), { x: 0, y: 0, width: 360, height: 640 });
  assert.ok(!(await scene.id("dock").isVisible()));
  const wide = () =>
    scene.page.evaluate(() => {
      const root = document.querySelector("pinhole-ask").shadowRoot;
      const { scrollWidth, clientWidth } = root.querySelector(".body");
      return scrollWidth - clientWidth;
    });
  await scene.picture("22-phone");
  for (const tab of ["query", "data", "chart", "sent", "answer"]) {
    await scene.id(`tab-${tab}`, turn).click();
    await scene.id(`panel-${tab}`, turn).waitFor();
    assert.ok((await wide()) <= 0, `${tab} is as wide as the window`);
    await scene.accessible(`phone, ${tab}`);
  }
  await scene.id("claim", turn).first().click();
  await scene.id("claim-note", turn).waitFor();
  await scene.picture("23-phone-note");
  const note = await scene.id("claim-note", turn).boundingBox();
  assert.ok(note.x >= 0 && note.x + note.width <= 360);
  const body = await scene.page.locator("pinhole-ask .body").boundingBox();
  assert.ok(note.y >= body.y && note.y + note.height <= body.y + body.height);
});

test("in Russian", async (t) => {
  const html = page({ lang: "ru", attributes: 'src="purchases.csv" open' });
  const scene = await open(t, { html, files });
  const turn = await scene.ask("сумма amount по shop");
  assert.match(await scene.text(turn), /912/);
  assert.equal(
    await scene
      .id("tab-answer", turn)
      .textContent()
      .then((s) => s.trim()),
    "Ответ",
  );
  assert.match(await scene.id("foot", turn).textContent(), /встроенный планировщик/);
  await scene.picture("24-russian");
  await scene.accessible("Russian");
  await scene.id("tab-data", turn).click();
  await scene.grid(turn, "data", 4);
  await scene.picture("25-russian-data");
  // Another language on the way: what is said follows.
  await scene.page.evaluate(() => (document.querySelector("pinhole-ask").locale = "en"));
  await scene.id("tab-answer", turn).filter({ hasText: "Answer" }).waitFor();
  await scene.id("privacy").filter({ hasText: "Nothing is sent" }).waitFor();
});

for (const [lang, width] of [
  ["ru", 360],
  ["ru", 1100],
  ["en", 360],
]) {
  test(`${lang}, ${width} pixels: the names of all tabs are read whole`, async (t) => {
    const html = page({ attributes: 'src="purchases.csv" open', lang });
    const scene = await open(t, { html, files, viewport: { width, height: 740 } });
    const turn = await scene.ask("total amount by shop");
    const tabs = turn.locator('[role="tab"]');
    assert.equal(await tabs.count(), 5);
    const bar = await turn.locator('[role="tablist"]').boundingBox();
    const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()));
    for (const box of boxes) assert.ok(box.x >= bar.x && box.x + box.width <= bar.x + bar.width);
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 1, "on one line");
    for (const tab of await tabs.all()) {
      const cut = await tab.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(cut <= 0, await tab.innerText());
    }
    await scene.picture(`16-tabs-${lang}-${width}`);
  });
}

test("in the dark, and without motion", async (t) => {
  const scene = await open(t, { files, colorScheme: "dark", reducedMotion: "reduce" });
  const ground = () =>
    scene.id("panel").evaluate((panel) => getComputedStyle(panel).backgroundColor);
  const turn = await scene.ask("total amount by shop");
  assert.equal(await ground(), "rgb(27, 31, 34)");
  await scene.picture("26-dark");
  await scene.accessible("dark answer");
  for (const tab of ["query", "data", "chart", "sent"]) {
    await scene.id(`tab-${tab}`, turn).click();
    await scene.id(`panel-${tab}`, turn).waitFor();
    // A chart is drawn some time after its words are there.
    if (tab === "chart") await scene.id("drawing", turn).locator("svg path").first().waitFor();
    await scene.accessible(`dark, ${tab}`);
    await scene.picture(`27-dark-${tab}`);
  }
  assert.equal(
    await scene.id("panel").evaluate((panel) => getComputedStyle(panel).animationName),
    "none",
  );
  await scene.page.evaluate(() =>
    document.querySelector("pinhole-ask").setAttribute("theme", "light"),
  );
  assert.equal(await ground(), "rgb(255, 255, 255)");
});

test("in forced colours what is current and selected is told from the rest", async (t) => {
  const scene = await open(t, { html: page(), files });
  await scene.page.emulateMedia({ forcedColors: "active" });
  const turn = await scene.ask("total amount by shop");
  const ground = (one) => one.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.notEqual(
    await ground(scene.id("tab-answer", turn)),
    await ground(scene.id("tab-data", turn)),
  );
  await scene.id("tab-data", turn).click();
  const table = turn.locator("pinhole-table").first();
  const cells = table.locator(".body .cell:not(.wait)");
  await cells.nth(2).waitFor();
  await cells.nth(0).click();
  await scene.page.keyboard.press("Shift+ArrowDown");
  const current = table.locator(".cell.current");
  assert.equal(await current.evaluate((cell) => getComputedStyle(cell).outlineStyle), "solid");
  assert.notEqual(
    await ground(table.locator(".body .cell.selected").first()),
    await ground(cells.nth(1)),
  );
  await scene.picture("45-forced-colours-data");
  await scene.id("tab-chart", turn).click();
  await turn.locator(".drawing svg path").first().waitFor();
  const colours = await turn
    .locator(".probe")
    .evaluate((probe) =>
      ["ink", "ground", "accent"].map(
        (name) => getComputedStyle(probe.querySelector(`.${name}`)).color,
      ),
    );
  assert.equal(new Set(colours).size, 3, colours.join());
  await scene.picture("45-forced-colours");
});

test("a page's own colours and parts", async (t) => {
  const html = page({ script: true });
  const module = `
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "pinhole-ask { --pinhole-accent: rgb(120, 20, 90); --pinhole-radius: 0px }" +
        "pinhole-ask::part(header) { background: rgb(250, 240, 250) }" +
        "pinhole-ask::part(claim) { letter-spacing: 1px }",
    );
    document.adoptedStyleSheets.push(sheet);`;
  const scene = await open(t, { html, files, module });
  const turn = await scene.ask("total amount by shop");
  const style = (name, property) =>
    scene
      .id(name)
      .first()
      .evaluate((element, key) => getComputedStyle(element)[key], property);
  assert.equal(await style("ask", "backgroundColor"), "rgb(120, 20, 90)");
  assert.equal(await style("panel", "borderTopLeftRadius"), "0px");
  assert.equal(await style("claim", "letterSpacing"), "1px");
  assert.equal(
    await scene.page.locator("header").evaluate((one) => getComputedStyle(one).backgroundColor),
    "rgb(250, 240, 250)",
  );
  assert.ok(await turn.isVisible());
});

test("wide tables, long words, one row and none", async (t) => {
  const names = Array.from({ length: 200 }, (_, i) => `показатель_${i}_достопримечательность`);
  const long = "превысокомногорассмотрительствующий".repeat(4);
  const rows = [
    [long, ...names.slice(1).map((_, i) => i)],
    ["б", ...names.slice(1).map(() => 7)],
  ];
  const table = [names, ...rows].map((row) => `${row.join(",")}\n`).join("");
  const scene = await open(t, {
    html: page({ lang: "ru", attributes: 'src="purchases.csv" open' }),
    files: { "purchases.csv": table },
    viewport: { width: 360, height: 640 },
  });
  const spills = () =>
    scene.page.evaluate(() => {
      const body = document.querySelector("pinhole-ask").shadowRoot.querySelector(".body");
      return body.scrollWidth - body.clientWidth;
    });
  const looks = async (name) => {
    assert.ok((await spills()) <= 0, `${name} spills over`);
    await scene.picture(name);
    await scene.accessible(name);
  };
  await scene.ready();
  await looks("40-wide-welcome");
  await scene.id("question").fill("показатель");
  await scene.id("completion").first().waitFor();
  await looks("41-wide-completion");
  const turn = await scene.ask(`сумма показатель_5_достопримечательность по ${names[0]}`);
  await looks("42-wide-answer");
  await scene.id("tab-query", turn).click();
  await scene.id("query-text", turn).fill(JSON.stringify({ table: "purchases" }));
  await scene.id("query-run", turn).click();
  await scene.id("query-outcome", turn).filter({ hasText: "Готово" }).waitFor();
  await scene.id("tab-data", turn).click();
  await scene.grid(turn, "data", 2);
  const grid = scene.id("grid", scene.id("data", turn));
  assert.equal(await grid.getAttribute("aria-colcount"), "200");
  await looks("43-wide-data");
  const sides = (locator) =>
    locator.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return { left, right };
    });
  const [value, around] = [
    await sides(scene.id("value", scene.id("data", turn))),
    await sides(grid),
  ];
  assert.ok(value.left >= around.left - 1, "the value of the current cell is in sight");
  assert.ok(value.right <= around.right + 1, "beside or below a long name");
  for (const [where, count] of [
    [`${names[1]} == 7`, 1],
    [`${names[1]} > 1000`, 0],
  ]) {
    await scene.id("tab-query", turn).click();
    await scene.id("query-text", turn).fill(JSON.stringify({ table: "purchases", where }));
    await scene.id("query-run", turn).click();
    await scene.id("query-outcome", turn).filter({ hasText: "Готово" }).waitFor();
    await scene.id("tab-data", turn).click();
    const size = scene.id("size", scene.id("data", turn));
    await size.filter({ hasText: count === 1 ? "1 строка ·" : "0 строк ·" }).waitFor();
    await looks(`44-rows-${count}`);
    await scene.id("tab-answer", turn).click();
    await looks(`45-answer-rows-${count}`);
  }
});

test("the table and the chart come when they are shown", async (t) => {
  const scene = await open(t, { html: page(), files, expect: /ERR_FAILED/ });
  const fetched = (name) => scene.log.some(({ url }) => url.includes(`/element/${name}`));
  const turn = await scene.ask("total amount by shop");
  assert.ok(fetched("index.js"));
  assert.ok(!fetched("table.js") && !fetched("chart.js"));
  // Where it does not come, the tab says so, and tries again.
  await scene.page.route("**/element/table.js", (route) => route.abort());
  await scene.id("tab-data", turn).click();
  await scene.id("error", turn).waitFor();
  await scene.accessible("the table does not come");
  await scene.page.unroute("**/element/table.js");
  await scene.id("again", turn).click();
  assert.equal((await scene.grid(turn, "data", 4)).length, 4);
  assert.ok(!fetched("chart.js") && !fetched("vega"));
  await scene.id("tab-chart", turn).click();
  await scene.id("drawing", turn).locator("svg").waitFor();
  assert.match(await scene.id("words", turn).textContent(), /912/);
  await scene.picture("46-chart");
  await scene.accessible("chart");
  // A number's row is the current one, however often it is asked for.
  for (const [text, place] of [
    ["912", /^Row 3 of 4/],
    ["310.5", /^Row 1 of 4/],
  ]) {
    await scene.id("tab-answer", turn).click();
    await scene.id("claim", turn).filter({ hasText: text }).first().click();
    await scene.id("claim-evidence", turn).click();
    await scene.id("source-title", turn).waitFor();
    assert.match(await scene.id("data", turn).locator(".where").textContent(), place);
  }
});

test("a plain list has a chart: how its numbers are spread", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask("top 5 by amount");
  await scene.id("tab-chart", turn).click();
  await scene.id("drawing", turn).locator("svg path").first().waitFor();
  assert.match(await scene.id("words", turn).textContent(), /^Histogram of amount: 5 values/);
  await scene.picture("47-list-chart");
  // One number, and one row, have none.
  const one = await scene.ask("top 1 by amount");
  assert.equal(await scene.id("tab-chart", one).count(), 0);
  const total = await scene.ask("total amount");
  assert.equal(await scene.id("tab-chart", total).count(), 0);
});

test("words for a chart alone open the chart of the last answer, of the kind that they name", async (t) => {
  const scene = await open(t, { files });
  const say = async (question) => {
    await scene.id("question").fill(question);
    await scene.id("ask").click();
  };
  const turn = await scene.ask("total amount by shop");
  await say("show it as a line chart");
  const words = scene.id("words", turn);
  await words.filter({ hasText: "Line of sum of amount over shop" }).waitFor();
  assert.equal(await scene.id("question").inputValue(), "");
  await scene.picture("48-asked-chart");
  await say("гистограмма");
  await words.filter({ hasText: "Histogram of sum of amount" }).waitFor();
  await say("графиком");
  await words.filter({ hasText: "sum of amount by shop" }).waitFor();
  // Another answer has its own tab, and where nothing is worth drawing that says why.
  const total = await scene.ask("total amount");
  assert.ok(await scene.id("answer", total).isVisible());
  await say("as a chart");
  await scene.id("none", total).waitFor();
  assert.equal(await scene.page.locator("pinhole-turn").count(), 2);
});

test("a question that asks for its chart in words opens it, and keeps the focus where it is", async (t) => {
  const scene = await open(t, { files });
  for (const [question, kind] of [
    ["line chart of total amount by shop", "line"],
    ["столбчатая диаграмма total amount by shop", "bar"],
  ]) {
    const turn = await scene.ask(question);
    await scene.id("drawing", turn).locator("svg path").first().waitFor();
    assert.equal(await scene.id("kind", turn).inputValue(), kind, question);
    assert.equal(await scene.page.evaluate(() => document.activeElement?.localName), "pinhole-ask");
  }
  const plain = await scene.ask("total amount by shop");
  assert.equal(await scene.id("tab-answer", plain).getAttribute("aria-selected"), "true");
});

test("files of an answer are called after its question", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask("total amount by shop");
  const saved = async (press) => {
    const [file] = await Promise.all([scene.page.waitForEvent("download"), press.click()]);
    return file.suggestedFilename();
  };
  await scene.id("tab-data", turn).click();
  const data = scene.id("data", turn);
  assert.equal(await saved(scene.id("save-csv", data)), "total-amount-by-shop.csv");
  await scene.id("tab-chart", turn).click();
  await scene.id("drawing", turn).locator("svg").waitFor();
  assert.equal(await saved(scene.id("save-svg", turn)), "total-amount-by-shop.svg");
});

test("a statement that went wrong is shown with the place, typed as a question or edited", async (t) => {
  const scene = await open(t, { files });
  const turn = await scene.ask("SELECT shop, sum(amount FROM purchases");
  const place = scene.id("error-place", turn);
  assert.match(await place.textContent(), /^\s*Line 1, column 17: this bracket is never closed/);
  await scene.picture("49-place");
  await scene.id("tab-query", turn).click();
  await scene.id("query-text", turn).fill("SELECT shopp FROM purchases");
  await scene.id("query-run", turn).click();
  await place.locator("mark", { hasText: "shopp" }).waitFor();
});
