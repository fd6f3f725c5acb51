// Exact decimals, which arrive as texts of digits, are numbers in the table, the chart and the panel.
import assert from "node:assert/strict";
import { test } from "node:test";
import { elementStage, page } from "./element-page.mjs";
import { parts } from "./parts.mjs";

const open = parts();
const panel = elementStage();

const SALES = "shop,price\nKuper,9.50\nVkusno,10.25\nKuper,100.00\nZarya,-0.30\nLavka,\n";
const EXACT = { sales: { types: { price: "decimal(2)" }, units: { price: "EUR" } } };

/** The texts of the second column. */
function prices(part) {
  return part.page.evaluate(() =>
    [...window.element.shadowRoot.querySelectorAll('.body [role="row"]')]
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => row.children[1].textContent),
  );
}

test("aligned, sorted, chosen, copied and downloaded with every digit", async (t) => {
  const part = await open(t);
  await part.engine({ sales: SALES }, EXACT);
  const upwards = ["−0.30", "9.50", "10.25", "100.00", "null"];
  for (const byEngine of [true, false]) {
    await part.show(
      "pinhole-table",
      async (ph, engine) => ({
        ...(engine ? { ph } : {}),
        result: await ph.query({ table: "sales" }),
      }),
      byEngine,
    );
    const cell = part.id("grid").getByText("10.25", { exact: true });
    await cell.waitFor();
    assert.equal(await cell.evaluate((one) => getComputedStyle(one).textAlign), "end");
    const head = part.page.getByRole("columnheader", { name: /^price/ });
    for (const wanted of [upwards, [...upwards.slice(0, 4).reverse(), "null"]]) {
      await head.click();
      await part.page.waitForFunction(
        (first) =>
          window.element.shadowRoot.querySelector('.body [aria-rowindex="2"]')?.children[1]
            ?.textContent === first,
        wanted[0],
      );
      assert.deepEqual(await prices(part), wanted);
    }
    await head.click();
    await part.id("grid").getByText("Kuper", { exact: true }).first().waitFor();
  }
  const csv = await part.download("save-csv");
  assert.equal(csv.bytes.toString("utf8"), `\u{feff}${SALES}`);
  const json = (await part.download("save-json")).bytes.toString("utf8");
  assert.match(json, /"price":9\.50\}/, "all digits, and a number");
  assert.deepEqual(
    JSON.parse(json).map(({ price }) => price),
    [9.5, 10.25, 100, -0.3, null],
  );

  // A group by a decimal leads to its rows.
  await part.show("pinhole-table", async (ph) => ({
    ph,
    result: await ph.query({ table: "sales", group_by: "price", select: "count()" }),
  }));
  await part.id("grid").getByText("10.25", { exact: true }).click();
  await part.id("filter").filter({ hasText: "this group" }).click();
  await part.page.waitForFunction(() => window.heard.at(-1)?.type === "pinhole-filter");
  const behind = await part.page.evaluate(async () => {
    const { key, rows } = window.last;
    return { key, rows: await rows() };
  });
  assert.deepEqual(behind.key, { price: "10.25" });
  assert.equal(behind.rows.total, 1);
});

test("drawn as numbers", async (t) => {
  const part = await open(t);
  await part.engine({ sales: SALES }, EXACT);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({ table: "sales", group_by: "shop", select: "sum(price)" }),
  }));
  await part.id("drawing").locator("svg").waitFor();
  assert.match(await part.id("words").textContent(), /Highest: 109\.50 at Kuper\. Lowest: −0\.30/);
  await part.state("chart-decimals");
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({ table: "sales" }),
    choice: { kind: "histogram", x: "price", y: [] },
  }));
  await part.id("drawing").locator("svg").waitFor();
  assert.match(await part.id("words").textContent(), /4 values/);
});

test("in the panel: marked, in its note, and in the rows behind it", async (t) => {
  const scene = await panel(t, {
    html: page({ attributes: 'lang="ru" no-launcher', script: true }),
    files: {},
    module: `
      import { Pinhole } from "./pinhole/index.js";
      const ask = document.querySelector("pinhole-ask");
      const ph = await Pinhole.open({ locale: "ru" });
      await ph.load("sales", new Blob([${JSON.stringify(SALES)}]), ${JSON.stringify(EXACT.sales)});
      ask.ph = ph;
      ask.show();`,
  });
  const turn = await scene.ask("сумма price по shop");
  const claim = scene.id("claim", turn).filter({ hasText: "109" }).first();
  await claim.focus();
  await scene.id("claim-rows", turn).waitFor();
  const note = scene.id("claim-note", turn);
  assert.match(await note.textContent(), /109,50/);
  assert.equal(await note.locator("td.num", { hasText: "9,50" }).count(), 1);
  await scene.picture("47-decimal-note");
  await scene.id("claim-evidence", turn).click();
  await scene.id("source-title", turn).waitFor();
  const rows = await scene.grid(turn, "source", 2);
  assert.deepEqual(
    rows.map((row) => row.at(-1)),
    ["9,50", "100,00"],
  );
  const align = await scene
    .id("source", turn)
    .locator(".body .cell", { hasText: "9,50" })
    .evaluate((one) => getComputedStyle(one).textAlign);
  assert.equal(align, "end");
  await scene.picture("48-decimal-rows");
});
