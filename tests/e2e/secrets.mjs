// Tables of unique secrets, and whether one of them stands in a text: the canaries of the tests of
// what leaves the page.

// Sixty people. Every cell but the town is a secret that occurs nowhere else; salaries are in no
// order, so that the extremes are not the first and last rows.
export const PEOPLE = Array.from({ length: 60 }, (_, i) => ({
  name: `zqname${i}x`,
  email: `zqmail${i}x`,
  town: ["Riga", "Oslo", "Kyiv"][i % 3],
  salary: 7_000_003 + ((i * 37 + 11) % 60) * 1013,
  score: 90_001 + ((i * 23 + 5) % 60) * 7 + 0.125,
}));
const COLUMNS = Object.keys(PEOPLE[0]);
export const CSV = [COLUMNS, ...PEOPLE.map(Object.values)]
  .map((row) => `${row.join(",")}\n`)
  .join("");
export const BY_SALARY = [...PEOPLE].sort((a, b) => b.salary - a.salary);
export const salaries = (people) => people.map(({ salary }) => salary);
export const names = (people) => people.map(({ name }) => name);

// Thirty receipts of two lines, and thirty shops, goods, categories and labels: more than are listed
// as the known values of a column. Every name and every amount is a secret as well.
const THIRTY = Array.from({ length: 30 }, (_, i) => i);
const day = (i) => new Date(Date.UTC(2024, 9, 1 + 3 * i)).toISOString().slice(0, 10);
const TOTALS = THIRTY.map((i) => 8_000_003.75 + ((i * 7 + 5) % 30) * 2003);
const AMOUNTS = [...THIRTY, ...THIRTY].map((_, i) => 500_003.25 + ((i * 17 + 3) % 60) * 1009);
const csv = (head, rows) => [head, ...rows].map((row) => `${row.join(",")}\n`).join("");

/** Tables of purchases by their names. */
export const PURCHASES = {
  receipts: csv(
    ["id", "shop", "receipt_date", "total"],
    THIRTY.map((i) => [i + 1, `zqshop${i}x`, day(i), TOTALS[i]]),
  ),
  receipt_items: csv(
    ["receipt_id", "item_id", "quantity", "amount"],
    AMOUNTS.map((amount, i) => [Math.floor(i / 2) + 1, (i % 30) + 1, 2, amount]),
  ),
  items: csv(
    ["id", "name", "product_id"],
    THIRTY.map((i) => [i + 1, `zqitem${i}x`, i + 1]),
  ),
  products: csv(
    ["id", "name", "parent_id"],
    THIRTY.map((i) => [i + 1, `zqgroup${i}x`, i < 25 ? "" : i - 24]),
  ),
  labels: csv(
    ["id", "name"],
    THIRTY.map((i) => [i + 1, `zqlabel${i}x`]),
  ),
  item_labels: csv(
    ["item_id", "label_id"],
    THIRTY.map((i) => [i + 1, i + 1]),
  ),
};
const NAMES = ["shop", "item", "group", "label"].flatMap((of) => THIRTY.map((i) => `zq${of}${i}x`));

/** Every secret of the tables as it would stand in a text. */
const SECRETS = PEOPLE.flatMap(({ name, email, salary, score }) => [
  name,
  name.toUpperCase(),
  email,
  email.toUpperCase(),
  String(salary),
  String(score),
]).concat(
  NAMES,
  NAMES.map((name) => name.toUpperCase()),
  TOTALS.map(String),
  AMOUNTS.map(String),
);

/** The secrets that stand in a text, whole. */
export function found(text) {
  const words = new Set(text.match(/[\p{L}\d]+(?:\.\d+)?/gu));
  return SECRETS.filter((secret) => words.has(secret));
}
