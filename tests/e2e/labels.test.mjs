// How cells are called on the page and in the grid: moments that are all midnights are days, and a group
// of rows without a value has a name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";
import { parts } from "./parts.mjs";

const open = stage();
const openPart = parts();

const STAYS = `day,at,shop,amount
2024-01-15 00:00:00,2024-01-15 00:00:00,Kuper,1
2024-01-16 00:00:00,2024-01-16 08:30:00,,2
2024-01-17 00:00:00,2024-01-17 00:00:00,Kuper,3
`;

test("the page shows days without a time, and groups without a value as empty", async (t) => {
  const scene = await open(t);
  await scene.load("stays.csv", STAYS);
  const answer = await scene.ask("total amount by shop");
  assert.deepEqual(await answer.rows(), [
    ["Kuper", "4"],
    ["(empty)", "2"],
  ]);
  await answer.id("group-row").nth(1).click();
  assert.equal(await answer.id("source-title").innerText(), "Rows behind shop = (empty)");
  await answer.id("source-table").locator("tbody tr").first().waitFor();
  const [[day, at]] = await answer.rows("source");
  assert.equal(day, "2024-01-16");
  assert.match(at, /^2024-01-16.08:30/);
  await answer.edit({ table: "stays" });
  await answer.id("query-outcome").filter({ hasText: "Done" }).waitFor();
  const rows = await answer.rows();
  assert.deepEqual(
    rows.map((row) => row[0]),
    ["2024-01-15", "2024-01-16", "2024-01-17"],
  );
  // One time of day is enough for all of a column to have theirs.
  assert.match(rows[0][1], /00:00/);
  const cell = answer.id("data-table").locator("tbody td").first();
  assert.match(await cell.getAttribute("title"), /^2024-01-15.00:00/);
  await scene.load("days.csv", "day,amount\n2024-01-15 00:00:00,1\n2024-01-16 00:00:00,2\n");
  assert.equal(await scene.id("table-range").innerText(), "2024-01-15 – 2024-01-16");
});

test("so do the grid and the chart", async (t) => {
  const part = await openPart(t);
  await part.engine({ stays: STAYS });
  await part.show("pinhole-table", async (ph) => ({ result: await ph.query({ table: "stays" }) }));
  const cells = () => part.id("grid").locator(".body .cell").allTextContents();
  await part.id("grid").getByText("2024-01-15", { exact: true }).waitFor();
  assert.ok((await cells()).includes("2024-01-15 00:00"), "a column with a time of day");
  await part.show("pinhole-table", async (ph) => ({
    locale: "ru",
    result: await ph.query({ table: "stays", group_by: ["day", "shop"], select: "sum(amount)" }),
  }));
  await part.id("grid").getByText("(пусто)", { exact: true }).waitFor();
  assert.ok((await cells()).includes("15.01.2024"));
  await part.show("pinhole-chart", async (ph) => ({
    locale: "en",
    result: await ph.query({ table: "stays", group_by: "shop", select: "sum(amount)" }),
  }));
  await part.id("words").filter({ hasText: "Set aside: 2 at (empty)" }).waitFor();
});
