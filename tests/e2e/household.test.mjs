// The receipts of the household that does not exist: the same bytes everywhere, and what
// docs/household.md says of them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CATALOGUE, LABELS, SHOPS } from "../../www/household-catalogue.js";
import { TABLES, csv, household } from "../../www/household.js";

const all = household();
const hash = (tables) =>
  createHash("sha256")
    .update(TABLES.map((name) => csv(tables[name])).join(""))
    .digest("hex");
const by = (rows, key = "id") => new Map(rows.map((row) => [row[key], row]));

test("the same seed gives the bytes that the document names, another seed others", () => {
  const text = readFileSync(new URL("../../docs/household.md", import.meta.url), "utf8");
  for (const tables of [all, household({ language: "en" })]) {
    assert.ok(text.includes(hash(tables)), `docs/household.md names this hash: ${hash(tables)}`);
  }
  for (const name of TABLES) {
    const rows = all[name].length.toLocaleString("en");
    assert.match(text, new RegExp(`\\| \`${name}\` +\\| +${rows} \\|`), `${name}: ${rows} rows`);
  }
  assert.notEqual(hash(household({ seed: 8 })), hash(all));
});

/** Where the tables have names, in either language. */
const NAMED = {
  products: ["name"],
  items: ["name", "unit_of_measure", "shop"],
  labels: ["name"],
  receipts: ["shop"],
};

test("in English the same rows have other names, and no name is left in Russian", () => {
  const english = household({ language: "en" });
  assert.deepEqual(Object.keys(english), Object.keys(all));
  const without = (rows, columns) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([c]) => !columns.includes(c))),
    );
  for (const name of TABLES) {
    const columns = NAMED[name] ?? [];
    assert.doesNotMatch(csv(english[name]), /\p{Script=Cyrillic}/u, name);
    assert.deepEqual(Object.keys(english[name][0]), Object.keys(all[name][0]), name);
    assert.deepEqual(without(english[name], columns), without(all[name], columns), name);
    for (const column of columns) {
      const pairs = all[name].map((row, i) => [row[column], english[name][i][column]]);
      const there = new Map(pairs);
      const back = new Map(pairs.map(([russian, other]) => [other, russian]));
      // One name of each for one of the other: what is told apart in one language is in both.
      for (const [russian, other] of pairs) {
        assert.match(other, /[a-z]/i, `${name}.${column}: ${russian}`);
        assert.equal(there.get(russian), other, `${name}.${column}: ${russian} has two names`);
        assert.equal(back.get(other), russian, `${name}.${column}: ${other} stands for two names`);
      }
    }
  }
  assert.deepEqual(household({ language: "ru" }), all);
  const seeded = household({ seed: 8, language: "en" });
  assert.deepEqual(seeded.receipt_items, household({ seed: 8 }).receipt_items);
});

test("the English names have the sizes and shares of the Russian ones", () => {
  const english = household({ language: "en" });
  const numbers = (text) => text.match(/\d+(?:[.,]\d+)?%?/g)?.map((n) => n.replace(",", ".")) ?? [];
  // The class of eggs is a word in English.
  const sizes = (name) => numbers(name.replace(/ С[01](?= )/, ""));
  for (const [i, { name }] of english.items.entries()) {
    assert.deepEqual(numbers(name), sizes(all.items[i].name), name);
  }
});

test("each name of the catalogue is in the tables, and so has an English one", () => {
  const names = (rows) => new Set(rows.map(({ name }) => name));
  const groups = Object.values(CATALOGUE);
  const leaves = groups.flatMap((group) => Object.values(group));
  const categories = [CATALOGUE, ...groups, ...leaves].flatMap((level) => Object.keys(level));
  const goods = leaves.flatMap((level) => Object.values(level).flatMap((need) => need.goods));
  assert.deepEqual(names(all.products), new Set(categories));
  assert.deepEqual(names(all.items), new Set(goods.map(([name]) => name)));
  assert.deepEqual(names(all.labels), new Set(LABELS));
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
