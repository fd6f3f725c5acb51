// The group-by table of the db-benchmark (h2oai/db-benchmark, _data/groupby-datagen.R): N rows in K
// groups. id1, id2: K texts; id3: N/K texts; id4, id5: 1..K; id6: 1..N/K; v1: 1..5; v2: 1..15;
// v3: 0..100 with six decimals. A seeded generator makes every run read the same bytes.
import { createWriteStream } from "node:fs";
import { once } from "node:events";

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

/** Writes the CSV to `path`. */
export async function writeGroupby(path, rows = 1_000_000, groups = 100, seed = 108) {
  const next = random(seed);
  const pick = (n) => 1 + Math.floor(next() * n);
  const pad = (n, width) => String(n).padStart(width, "0");
  const out = createWriteStream(path);
  out.write("id1,id2,id3,id4,id5,id6,v1,v2,v3\n");
  const per = Math.max(1, Math.floor(rows / groups));
  let chunk = [];
  for (let i = 0; i < rows; i++) {
    chunk.push(
      `id${pad(pick(groups), 3)},id${pad(pick(groups), 3)},id${pad(pick(per), 10)},` +
        `${pick(groups)},${pick(groups)},${pick(per)},${pick(5)},${pick(15)},${(next() * 100).toFixed(6)}`,
    );
    if (chunk.length === 50_000 || i === rows - 1) {
      if (!out.write(chunk.join("\n") + "\n")) await once(out, "drain");
      chunk = [];
    }
  }
  out.end();
  await once(out, "close");
}
