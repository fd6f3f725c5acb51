// Sample data: the receipts of a household that does not exist, over two years, made by a seeded
// generator. The same options give the same bytes in every engine: the arithmetic is restricted to
// what IEEE 754 fixes (no sin, exp, log). docs/household.md describes the model and says where its
// parameters come from; CATALOGUE, in household-catalogue.js, is what can be bought, by its Russian
// name, and household-names.js has the English ones.

import { CATALOGUE, LABELS, SHOPS } from "./household-catalogue.js";
import { inEnglish } from "./household-names.js";

/** The tables in the order in which they name each other. */
export const TABLES = ["products", "items", "labels", "item_labels", "receipts", "receipt_items"];

const DAY = 86_400_000;

/** Trips a week, and how they fall on the days from Monday to Sunday. */
const TRIPS = 1.9;
const WEEK = [29, 29, 31, 32, 37, 41, 38];

/** The share of large trips on working days and at weekends. */
const LARGE = { workday: 0.25, weekend: 0.7 };

/** Of a trip: what is looked ahead to, what stock is bought for, and what is remembered. */
const TRIP = {
  large: { horizon: 5, cover: 9, remembered: 0.85, impulse: 0.012 },
  small: { horizon: 2, cover: 4, remembered: 0.6, impulse: 0.006 },
};

/** The chance that the brand of the last time is bought again. */
const LOYALTY = 0.75;

/** Of an item in a week: the chance of a promotion, its price, and how much more is bought. */
const PROMOTION = { chance: 0.08, price: 0.8, quantity: 1.5 };

/** Prices: growth in each of the two years, and the chance of a new price in four weeks. */
const GROWTH = [0.0816, 0.0952];
const REPRICED = 0.35;

/** Days away in summer, and receipts whose total is not legible. */
const AWAY = 14;
const NO_TOTAL = 0.03;

/** Mulberry32: small, quick, and exact integers only. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const round = (x, digits) => Math.round(x * digits) / digits;
const iso = (day) => new Date(day).toISOString().slice(0, 10);

/** One of `list`, by weight. */
function choose(next, list, weight) {
  const weights = list.map(weight);
  let left = next() * weights.reduce((sum, w) => sum + w, 0);
  return list.find((_, i) => (left -= weights[i]) < 0) ?? list.at(-1);
}

/** The catalogue with ids: categories, items (one for each shop that has the goods), labels. */
function catalogue() {
  const products = [];
  const items = [];
  const needs = [];
  const category = (name, parent) => {
    products.push({ id: products.length + 1, name, parent_id: parent ?? "" });
    return products.length;
  };
  for (const [root, groups] of Object.entries(CATALOGUE)) {
    const top = category(root);
    for (const [group, leaves] of Object.entries(groups)) {
      const middle = category(group, top);
      for (const [leaf, need] of Object.entries(leaves)) {
        const product_id = category(leaf, middle);
        const own = need.goods.flatMap(([name, size, price, ...labels]) =>
          SHOPS.filter((shop) => !need.shops || need.shops.includes(shop.name)).map((shop) => {
            const item = {
              id: items.length + 1,
              name,
              product_id,
              unit: need.unit,
              shop: shop.name,
            };
            items.push({ ...item, size, price: price * shop.price, labels });
            return items.at(-1);
          }),
        );
        needs.push({ ...need, own, stock: 0, last: new Map() });
      }
    }
  }
  return { products, items, needs };
}

/** Whether a need is there in a month. */
function season({ months }, month) {
  return !months || months.includes(month) ? 1 : 0;
}

/** The price of every item in each stretch of four weeks: it stays until it is set anew. */
function prices(next, items, stretches) {
  return new Map(
    items.map((item) => {
      let price = item.price;
      let level = 1;
      const list = [];
      for (let at = 0; at < stretches; at += 1) {
        level *= 1 + GROWTH[Math.min(Math.floor(at / 13), 1)] / 13;
        if (at === 0 || next() < REPRICED) {
          price = round(item.price * level * (0.96 + 0.08 * next()), 1) - 0.1;
        }
        list.push(Math.max(price, 1.9));
      }
      return [item.id, list];
    }),
  );
}

/**
 * The rows of every table. The language is that of the names: nothing else depends on it.
 * @param {{seed?: number, from?: string, days?: number, language?: "en" | "ru"}} [options]
 * @returns {Record<string, object[]>}
 */
export function household({ language = "ru", ...options } = {}) {
  const tables = made(options);
  return language === "en" ? inEnglish(tables) : tables;
}

function made({ seed = 1, from = "2023-01-02", days = 728 }) {
  const next = random(seed);
  const { products, items, needs } = catalogue();
  const start = Date.parse(`${from}T00:00:00Z`);
  const priced = prices(next, items, Math.ceil(days / 28) + 1);
  const receipts = [];
  const receipt_items = [];
  const week = WEEK.reduce((sum, w) => sum + w, 0);
  const years = Math.ceil(days / 364) + 1;
  // Between the middle of June and the middle of August.
  const away = Array.from({ length: years }, () => 165 + Math.floor(next() * 50));
  for (const need of needs) need.stock = need.weekly * next();
  let promoted = new Set();

  for (let day = 0; day < days; day += 1) {
    const date = new Date(start + day * DAY);
    const weekday = (date.getUTCDay() + 6) % 7;
    const month = date.getUTCMonth() + 1;
    const ofYear = Math.floor((date - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY);
    if (weekday === 0 || day === 0) {
      const list = items.filter(() => next() < PROMOTION.chance);
      promoted = new Set(list.map(({ id }) => id));
    }
    const leave = away[date.getUTCFullYear() - new Date(start).getUTCFullYear()];
    if (ofYear >= leave && ofYear < leave + AWAY) continue;
    const festive = month === 12 && date.getUTCDate() >= 20;
    for (const need of needs) {
      if (day < (need.since ?? 0) || day > (need.until ?? days)) continue;
      const used = (need.weekly / 7) * season(need, month) * (0.5 + next());
      need.stock = Math.max(0, need.stock - used * (festive && need.festive ? 2 : 1));
    }
    if (next() >= (TRIPS * WEEK[weekday]) / week) continue;
    const large = next() < (weekday > 4 ? LARGE.weekend : LARGE.workday);
    const trip = large ? TRIP.large : TRIP.small;
    const shop = choose(next, SHOPS, (one) => (large ? one.large : one.small));
    const lines = bought(next, needs, {
      day,
      days,
      month,
      shop,
      trip,
      promoted,
      festive,
    });
    if (lines.length === 0) continue;
    const id = receipts.length + 1;
    let total = 0;
    for (const { item, quantity, cheap } of lines) {
      const list = priced.get(item.id)[Math.floor(day / 28)];
      const price = round(cheap ? list * PROMOTION.price : list, 100);
      const amount = round(price * quantity, 100);
      total = round(total + amount, 100);
      receipt_items.push({
        receipt_id: id,
        item_id: item.id,
        quantity,
        price,
        amount,
      });
    }
    receipts.push({
      id,
      shop: shop.name,
      receipt_date: iso(start + day * DAY),
      total: next() < NO_TOTAL ? "" : total,
      receipt_number: `N-${String(id).padStart(5, "0")}`,
    });
  }
  return {
    products,
    items: items.map(({ id, name, product_id, unit, shop }) => {
      return { id, name, product_id, unit_of_measure: unit, shop };
    }),
    labels: LABELS.map((name, i) => ({ id: i + 1, name })),
    item_labels: items.flatMap(({ id, labels }) =>
      labels.map((name) => ({
        item_id: id,
        label_id: LABELS.indexOf(name) + 1,
      })),
    ),
    receipts,
    receipt_items,
  };
}

/** What a trip brings: needs that would not last, as far as they are remembered, and impulses. */
function bought(next, needs, { day, days, month, shop, trip, promoted, festive }) {
  const lines = [];
  for (const need of needs) {
    const there = need.own.filter((item) => item.shop === shop.name);
    const wanted = day >= (need.since ?? 0) && day <= (need.until ?? days);
    const rate = (need.weekly / 7) * season(need, month) * (festive && need.festive ? 2 : 1);
    const luck = next();
    if (there.length === 0 || !wanted || rate === 0) continue;
    const short = need.stock < rate * trip.horizon;
    if (short ? luck >= trip.remembered : luck >= trip.impulse) continue;
    const last = there.find(({ name }) => name === need.last.get(shop.name));
    const cheap = there.find(({ id }) => promoted.has(id));
    const loyal = last && next() < LOYALTY;
    const item = loyal ? last : (cheap ?? choose(next, there, ({ size }) => 1 / (1 + size)));
    const less = promoted.has(item.id);
    const missing = Math.max(rate * trip.cover - need.stock, 0) * (less ? PROMOTION.quantity : 1);
    const packs = missing / item.size;
    const quantity =
      need.unit === "кг" ? Math.max(0.2, round(packs * (0.85 + 0.3 * next()), 1000)) : whole(packs);
    need.stock += quantity * item.size;
    need.last.set(shop.name, item.name);
    lines.push({ item, quantity, cheap: less });
  }
  return lines;
}

/** Packs are bought whole, one at least, and no more than can be carried. */
function whole(packs) {
  return Math.min(Math.max(1, Math.round(packs)), 12);
}

/** A table as CSV. */
export function csv(rows) {
  const names = Object.keys(rows[0]);
  const cell = (value) => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (row) => `${names.map((name) => cell(row[name])).join(",")}\n`;
  return `${names.join(",")}\n${rows.map(line).join("")}`;
}
