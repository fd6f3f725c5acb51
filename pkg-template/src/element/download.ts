// Rows as files for the person: CSV and JSON, read some thousands at a time, and Arrow as it comes.

import type { Read } from "./rows.js";
import { exactText } from "./facts.js";

/** What a download can be. */
export type Kept = "csv" | "json" | "arrow";

const TYPES: Record<Kept, string> = {
  csv: "text/csv;charset=utf-8",
  json: "application/json",
  arrow: "application/vnd.apache.arrow.stream",
};
const AT_A_TIME = 10_000;

async function* pages(read: Read): AsyncGenerator<{ columns: string[]; rows: unknown[][] }> {
  let total = 1;
  for (let at = 0; at < total; at += AT_A_TIME) {
    const page = await read(at, AT_A_TIME);
    total = page.total;
    yield page;
  }
}

/** What a spreadsheet would take for a formula is left as it is: exact data. */
export async function csvOf(read: Read): Promise<string[]> {
  const parts: string[] = [];
  for await (const { columns, rows } of pages(read)) {
    if (parts.length === 0) parts.push(line(columns));
    parts.push(rows.map(line).join(""));
  }
  return parts;
}

/** An array of objects; what is too large for a number of JSON is a text. */
export async function jsonOf(read: Read): Promise<string[]> {
  const lines: string[] = [];
  for await (const { columns, rows } of pages(read)) {
    for (const row of rows) {
      const entries = columns.map((name, i) => [name, row[i]] as const);
      lines.push(
        JSON.stringify(Object.fromEntries(entries), (_, value: unknown) =>
          typeof value === "bigint" ? String(value) : value,
        ),
      );
    }
  }
  return [`[\n${lines.join(",\n")}\n]\n`];
}

function line(values: unknown[]): string {
  const cells = values.map((value) => {
    const text = exactText(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(",")}\n`;
}

/** Gives a file to the person. */
export function save(name: string, kind: Kept | "jsonl", parts: BlobPart[]): void {
  const type = kind === "jsonl" ? "application/x-ndjson" : TYPES[kind];
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.${kind}`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
