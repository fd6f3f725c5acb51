// Cells that keep a column from being numbers: how many there are, and in which rows the first ones stand.

/** Rows that are looked at, and how many at a time. */
const LOOKED = 200_000;
const PIECE = 10_000;
/** Rows that are named. */
const NAMED = 5;

/** A number with its sign, its currency or its percent, and with groups of digits. */
const NUMBER =
  /^\s*[-+\u2212(]?\s*[\p{Sc}]?\s*[-+\u2212]?(?:\d[\d\s.,'\u2019]*|[.,]\d+)(?:e[-+]?\d+)?\s*[%\p{Sc}]?\)?\s*$/iu;

/** `{count, rows, looked}` of a column: `looked` says how many rows that is of. */
export async function oddCells(ph, info, column) {
  const result = await ph.query({ table: info.name });
  const rows = [];
  let count = 0;
  const looked = Math.min(info.rows, LOOKED);
  try {
    const at = info.columns.findIndex(({ name }) => name === column);
    for (let from = 0; from < looked; from += PIECE) {
      const page = await result.table.page(from, Math.min(PIECE, looked - from));
      const place = page.columns.indexOf(info.columns[at].name);
      page.rows.forEach((row, i) => {
        const value = row[place];
        if (typeof value !== "string" || NUMBER.test(value)) return;
        count += 1;
        if (rows.length < NAMED) rows.push(from + i + 1);
      });
    }
  } finally {
    await result.release().catch(() => undefined);
  }
  return { count, rows, looked };
}
