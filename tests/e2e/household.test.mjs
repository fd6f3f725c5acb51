// The receipts of the household that does not exist: the same bytes everywhere, and what
// docs/household.md says of them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SHOPS } from "../../www/household-catalogue.js";
import { TABLES, csv, household } from "../../www/household.js";

const all = household();
const hash = (tables) =>
  createHash("sha256")
    .update(TABLES.map((name) => csv(tables[name])).join(""))
    .digest("hex");
const by = (rows, key = "id") => new Map(rows.map((row) => [row[key], row]));

test("the same seed gives the bytes that the document names, another seed others", () => {
  const text = readFileSync(new URL("../../docs/household.md", import.meta.url), "utf8");
  assert.ok(text.includes(hash(all)), `docs/household.md names this hash: ${hash(all)}`);
  for (const name of TABLES) {
    const rows = all[name].length.toLocaleString("en");
    assert.match(text, new RegExp(`\\| \`${name}\` +\\| +${rows} \\|`), `${name}: ${rows} rows`);
  }
  assert.notEqual(hash(household({ seed: 8 })), hash(all));
});

test("the tables fit together", () => {
  const [products, items, labels, receipts] = ["products", "items", "labels", "receipts"].map(
    (name) => by(all[name]),
  );
  for (const { parent_id } of all.products) assert.ok(parent_id === "" || products.has(parent_id));
  for (const { product_id } of all.items) assert.ok(products.has(product_id));
  for (const { item_id, label_id } of all.item_labels) {
    assert.ok(items.has(item_id) && labels.has(label_id));
  }
  for (const line of all.receipt_items) {
    assert.ok(receipts.has(line.receipt_id) && items.has(line.item_id));
    assert.equal(items.get(line.item_id).shop, receipts.get(line.receipt_id).shop);
    assert.ok(line.quantity > 0 && line.price > 0);
    assert.ok(Math.abs(line.amount - line.quantity * line.price) <= 0.0051);
    if (items.get(line.item_id).unit_of_measure === "шт") assert.ok(line.quantity % 1 === 0);
  }
  const depth = ({ parent_id }) => (parent_id === "" ? 1 : 1 + depth(products.get(parent_id)));
  assert.deepEqual(new Set(all.products.map(depth)), new Set([1, 2, 3]));
  for (const { product_id } of all.items) assert.equal(depth(products.get(product_id)), 3);
});

test("two years, every shop and label, seasons, changing prices, holidays", () => {
  const receipts = by(all.receipts);
  const days = all.receipts.map(({ receipt_date }) => Date.parse(receipt_date) / 86_400_000);
  assert.ok(days.at(-1) - days[0] > 700);
  const gaps = days.slice(1).map((day, i) => day - days[i]);
  assert.ok(Math.min(...gaps) > 0 && gaps.filter((gap) => gap >= 14).length >= 2);
  assert.deepEqual(
    new Set(all.receipts.map(({ shop }) => shop)),
    new Set(SHOPS.map(({ name }) => name)),
  );
  assert.deepEqual(
    new Set(all.item_labels.map(({ label_id }) => label_id)),
    new Set(all.labels.map(({ id }) => id)),
  );
  const blank = all.receipts.filter(({ total }) => total === "").length;
  assert.ok(blank > 0 && blank < all.receipts.length / 10);
  const lines = (name) => {
    const ids = new Set(all.items.filter((item) => item.name === name).map(({ id }) => id));
    const own = all.receipt_items.filter(({ item_id }) => ids.has(item_id));
    return own.map((line) => ({
      ...line,
      date: receipts.get(line.receipt_id).receipt_date,
    }));
  };
  for (const { date } of lines("Арбуз")) assert.match(date, /-0[89]-/);
  for (const { date } of lines("Корм для кошки 12×75 г")) assert.ok(date > "2023-06-30");
  for (const { date } of lines("Подгузники 50 шт")) assert.ok(date < "2023-11-01");
  const mean = (list) => list.reduce((sum, { price }) => sum + price, 0) / list.length;
  const bread = lines("Хлеб Бородинский 400 г");
  const [early, late] = ["2023", "2024"].map((y) => bread.filter(({ date }) => date.startsWith(y)));
  assert.ok(mean(late) > mean(early) * 1.03, `${mean(early)} ${mean(late)}`);
});
