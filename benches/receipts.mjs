// Receipts of many households as one set of tables: a million and a half lines over goods of twenty
// towns, each with the catalogue of ../www/household.js.

import { open } from "node:fs/promises";
import { join } from "node:path";
import { TABLES, csv, household } from "../www/household.js";

const TOWNS = 20;

/**
 * Writes the tables into `folder`, with at least `lines` lines of receipts; what is in them is the
 * result.
 */
export async function writeReceipts(folder, lines) {
  const files = {};
  for (const name of TABLES) files[name] = await open(join(folder, `${name}.csv`), "w");
  const there = {
    receipts: 0,
    receipt_items: 0,
    items: 0,
    products: 0,
    labels: 0,
    item_labels: 0,
  };
  const first = household({ seed: 1 });
  const offset = { item: first.items.length, product: first.products.length };
  const add = async (name, rows) => {
    const text = csv(rows);
    await files[name].write(there[name] ? text.slice(text.indexOf("\n") + 1) : text);
    there[name] += rows.length;
  };
  await add("labels", first.labels);
  for (let town = 0; town < TOWNS; town += 1) {
    const item = (id) => id + town * offset.item;
    const product = (id) => (id === "" ? "" : id + town * offset.product);
    await add(
      "products",
      first.products.map((row) => {
        return {
          id: product(row.id),
          name: row.name,
          parent_id: product(row.parent_id),
        };
      }),
    );
    await add(
      "items",
      first.items.map((row) => ({
        ...row,
        id: item(row.id),
        product_id: product(row.product_id),
      })),
    );
    await add(
      "item_labels",
      first.item_labels.map((row) => ({ ...row, item_id: item(row.item_id) })),
    );
  }
  let amount = 0;
  for (let seed = 1; there.receipt_items < lines; seed += 1) {
    const { receipts, receipt_items } = household({ seed });
    const before = there.receipts;
    const town = seed % TOWNS;
    await add(
      "receipts",
      receipts.map((row) => ({ ...row, id: row.id + before })),
    );
    await add(
      "receipt_items",
      receipt_items.map((row) => {
        amount += row.amount;
        const item_id = row.item_id + town * offset.item;
        return { ...row, receipt_id: row.receipt_id + before, item_id };
      }),
    );
  }
  for (const file of Object.values(files)) await file.close();
  return { rows: there, amount };
}
