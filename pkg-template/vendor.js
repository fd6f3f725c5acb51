// Puts the validator of JSON Schema into the built package, so that a page without a bundler needs
// nothing else: its modules as they are published, without links to maps that are not here.

import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";

const from = new URL("node_modules/@cfworker/json-schema/dist/esm/", import.meta.url);
const to = new URL("dist/json-schema/", import.meta.url);
const licence = "LICENSE-cfworker-json-schema";

await mkdir(to, { recursive: true });
for (const name of await readdir(from)) {
  if (!name.endsWith(".js")) continue;
  const text = await readFile(new URL(name, from), "utf8");
  await writeFile(new URL(name, to), text.replace(/\n?\/\/# sourceMappingURL=.*$/m, "\n"));
}
await cp(
  new URL(`licenses/${licence}`, import.meta.url),
  new URL(`dist/${licence}`, import.meta.url),
);
