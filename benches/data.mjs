// What the comparisons read, as CSV. Seeded generators make every run read the same bytes.
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { rename } from "node:fs/promises";

/** mulberry32: 32-bit state, period 2^32, public domain (T. Ettinger). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const pad = (n, width) => String(n).padStart(width, "0");

/** A file that is written line by line. It has its name only once it is whole. */
class Csv {
  #path;
  #out;
  #lines;

  constructor(path, header) {
    this.#path = path;
    this.#out = createWriteStream(`${path}.part`);
    this.#lines = [header];
  }

  /** Adds a line; true where `flush` should be awaited. */
  add(line) {
    return this.#lines.push(line) >= 50_000;
  }

  async flush() {
    const text = this.#lines.splice(0).join("\n") + "\n";
    if (!this.#out.write(text)) await once(this.#out, "drain");
  }

  async end() {
    if (this.#lines.length > 0) await this.flush();
    this.#out.end();
    await once(this.#out, "close");
    await rename(`${this.#path}.part`, this.#path);
  }
}

/**
 * The group-by table of the db-benchmark (h2oai/db-benchmark, _data/groupby-datagen.R): N rows in K
 * groups. id1, id2: K texts; id3: N/K texts; id4, id5: 1..K; id6: 1..N/K; v1: 1..5; v2: 1..15;
 * v3: 0..100 with six decimals.
 */
export async function writeGroupby(path, rows = 1_000_000, groups = 100, seed = 108) {
  const next = random(seed);
  const pick = (n) => 1 + Math.floor(next() * n);
  const per = Math.max(1, Math.floor(rows / groups));
  const csv = new Csv(path, "id1,id2,id3,id4,id5,id6,v1,v2,v3");
  for (let i = 0; i < rows; i++) {
    const full = csv.add(
      `id${pad(pick(groups), 3)},id${pad(pick(groups), 3)},id${pad(pick(per), 10)},` +
        `${pick(groups)},${pick(groups)},${pick(per)},${pick(5)},${pick(15)},${(next() * 100).toFixed(6)}`,
    );
    if (full) await csv.flush();
  }
  await csv.end();
}

/**
 * Rows with a key each. k: 1..N, every number once, in no order; g: 100 texts; h: 1..N/100;
 * v: 0..1 with six decimals.
 */
export async function writeKeys(path, rows, seed = 11) {
  const next = random(seed);
  const csv = new Csv(path, "k,g,h,v");
  const many = Math.max(1, Math.floor(rows / 100));
  // A prime that does not divide the count goes through all remainders.
  const stride = [7919, 7927].find((prime) => rows % prime !== 0);
  for (let i = 0; i < rows; i++) {
    const full = csv.add(
      `${1 + ((i * stride) % rows)},g${pad(1 + Math.floor(next() * 100), 3)},` +
        `${1 + Math.floor(next() * many)},${next().toFixed(6)}`,
    );
    if (full) await csv.flush();
  }
  await csv.end();
}

const DAY = 86_400_000;
const FIRST = Date.UTC(1992, 0, 1) / DAY;
const LAST = Date.UTC(1998, 11, 31) / DAY;
const CURRENT = Date.UTC(1995, 5, 17) / DAY;
const PRIORITIES = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
const INSTRUCTIONS = ["DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"];
const MODES = ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"];
const WORDS =
  "foxes ideas theodolites pinto beans instructions dependencies excuses platelets asymptotes courts dolphins multipliers sauternes warthogs frets dinos attainments somas packages deposits requests accounts furiously sly careful blithe quick fluffy slow quiet ruthless thin close dogged daring sleep wake are cajole haggle nag use boost affix detect integrate".split(
    " ",
  );

/**
 * `orders` and `lineitem` with the columns, counts and ranges of TPC-H (specification 3.0, 4.2.3):
 * at scale 1, 1,500,000 orders with sparse keys and 1 to 7 lines each. Names, parts and dates are
 * drawn from the ranges of the specification, comments from its words, by our generator and not by
 * dbgen: the figures of TPC-H's own data are others.
 */
export async function writeOrders(ordersPath, linesPath, scale = 0.1, seed = 22) {
  const next = random(seed);
  const between = (low, high) => low + Math.floor(next() * (high - low + 1));
  const date = (day) => new Date(day * DAY).toISOString().slice(0, 10);
  const comment = (shortest, longest) => {
    const length = between(shortest, longest);
    let text = WORDS[between(0, WORDS.length - 1)];
    while (text.length < length) text += ` ${WORDS[between(0, WORDS.length - 1)]}`;
    return text.slice(0, length).trimEnd();
  };
  const [customers, parts, suppliers] = [150_000, 200_000, 10_000].map((n) => n * scale);
  const orders = new Csv(
    ordersPath,
    "o_orderkey,o_custkey,o_orderstatus,o_totalprice,o_orderdate,o_orderpriority,o_clerk,o_shippriority,o_comment",
  );
  const lines = new Csv(
    linesPath,
    "l_orderkey,l_partkey,l_suppkey,l_linenumber,l_quantity,l_extendedprice,l_discount,l_tax,l_returnflag,l_linestatus,l_shipdate,l_commitdate,l_receiptdate,l_shipinstruct,l_shipmode,l_comment",
  );
  for (let i = 0; i < 1_500_000 * scale; i++) {
    // Of 32 keys in a row the first eight are used.
    const key = Math.floor(i / 8) * 32 + (i % 8) + 1;
    // A third of the customers have no orders.
    let customer = between(1, customers);
    while (customer % 3 === 0) customer = between(1, customers);
    const ordered = between(FIRST, LAST - 151);
    const count = between(1, 7);
    let open = 0;
    let total = 0;
    for (let number = 1; number <= count; number++) {
      const part = between(1, parts);
      const quantity = between(1, 50);
      const cents = quantity * (90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000));
      const discount = between(0, 10);
      const tax = between(0, 8);
      const shipped = ordered + between(1, 121);
      const committed = ordered + between(30, 90);
      const received = shipped + between(1, 30);
      const returned = received <= CURRENT ? (next() < 0.5 ? "R" : "A") : "N";
      const late = shipped > CURRENT;
      if (late) open += 1;
      total += (cents * (100 - discount) * (100 + tax)) / 1e4;
      const line =
        `${key},${part},${between(1, suppliers)},${number},${quantity},${(cents / 100).toFixed(2)},` +
        `${(discount / 100).toFixed(2)},${(tax / 100).toFixed(2)},${returned},${late ? "O" : "F"},` +
        `${date(shipped)},${date(committed)},${date(received)},` +
        `${INSTRUCTIONS[between(0, 3)]},${MODES[between(0, 6)]},${comment(10, 43)}`;
      if (lines.add(line)) await lines.flush();
    }
    const status = open === 0 ? "F" : open === count ? "O" : "P";
    const order =
      `${key},${customer},${status},${(total / 100).toFixed(2)},${date(ordered)},` +
      `${PRIORITIES[between(0, 4)]},Clerk#${pad(between(1, 1000 * scale), 9)},0,${comment(19, 78)}`;
    if (orders.add(order)) await orders.flush();
  }
  await orders.end();
  await lines.end();
}
