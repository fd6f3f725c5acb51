// Writes the receipts of households that do not exist, a folder of CSV for each seed:
// `node household.mjs FOLDER [--seeds N]`.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TABLES, csv, household } from "../www/household.js";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "20" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name the folder to write to");

for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  const own = join(folder, String(seed).padStart(3, "0"));
  await mkdir(own, { recursive: true });
  const tables = household({ seed });
  for (const name of TABLES) await writeFile(join(own, `${name}.csv`), csv(tables[name]));
}
