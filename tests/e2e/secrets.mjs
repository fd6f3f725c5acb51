// A table of unique secrets, and whether one of them stands in a text: the canaries of the tests of
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

/** Every secret of the table as it would stand in a text. */
const SECRETS = PEOPLE.flatMap(({ name, email, salary, score }) => [
  name,
  name.toUpperCase(),
  email,
  email.toUpperCase(),
  String(salary),
  String(score),
]);

/** The secrets that stand in a text, whole. */
export function found(text) {
  const words = new Set(text.match(/[\p{L}\d]+(?:\.\d+)?/gu));
  return SECRETS.filter((secret) => words.has(secret));
}
