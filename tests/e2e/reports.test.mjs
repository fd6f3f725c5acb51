// What the report of a load says of how a file was written and of the rows that do not fit, and what
// else is guessed of times and widths, through the package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();

/** Loads texts, `[name, text, options]`, one after the other; what is known of each, by its name. */
async function loaded(scene, files, opening = {}) {
  return scene.run(
    async ({ Pinhole }, { files, opening }) => {
      const ph = await Pinhole.open(opening);
      const all = {};
      for (const [name, text, options = {}] of files) {
        const { columns, report } = await ph.load("t", new Blob([text]), options);
        const { rows } = await (await ph.query({ table: "t" })).table.page(0, 500);
        const kinds = columns.map(({ kind }) => kind);
        const notes = report.notes.map(({ code, text }) => [code, text]);
        all[name] = { report, kinds, notes, rows };
      }
      await ph.close();
      return all;
    },
    { files, opening },
  );
}

/** The same of each, for comparison. */
const each = (all, of) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, of(one)]));

test("the quote and the escape that were found are told, and so are those that are named", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await loaded(scene, [
    ["no quotes", "a,b\n1,x\n2,z\n"],
    ["doubled", 'a,b\n1,"x ""y"", z"\n2,u\n'],
    ["single", "a,b\n1,'x, y'\n2,'z'\n"],
    ["backslashes", 'a,b\n1,"x \\"y\\", z"\n2,"u"\n'],
    ["quote named", "a,b\n1,|x, y|\n2,z\n", { csv: { quote: "|" } }],
    ["no quote named", 'a,b\n1,"x"\n2,z\n', { csv: { quote: false } }],
    ["both named", "a,b\n1,'x\\'s, y'\n2,z\n", { csv: { quote: "'", escape: "\\" } }],
    ["JSON", '[{"a":1,"b":"x"}]'],
    ["lines of JSON", '{"a":1,"b":"x"}\n{"a":2,"b":"z"}\n'],
  ]);
  assert.deepEqual(
    each(got, ({ report, rows }) => [report.quote, report.escape, rows[0][1]]),
    {
      "no quotes": ['"', null, "x"],
      doubled: ['"', null, 'x "y", z'],
      single: ["'", null, "x, y"],
      backslashes: ['"', "\\", 'x "y", z'],
      "quote named": ["|", null, "x, y"],
      "no quote named": [null, null, '"x"'],
      "both named": ["'", "\\", "x's, y"],
      JSON: [undefined, undefined, "x"],
      "lines of JSON": [undefined, undefined, "x"],
    },
  );
  const guessed = Object.entries(got).filter(([, { notes }]) => notes.length > 0);
  assert.deepEqual(
    guessed.map(([name, { notes }]) => [name, notes.map(([code]) => code)]),
    [
      ["single", ["quote_guessed"]],
      ["backslashes", ["quote_guessed"]],
    ],
  );
});

test("rows that do not fit are told by the lines of the file, the first hundred of them", async (t) => {
  const scene = await open(t, { blank: true });
  const skip = { onBadRow: "skip" };
  // A title, an empty line, the header, a good row over two lines, and two rows that do not fit.
  const lines = [
    "A report",
    "",
    "a,b,c",
    "1,x,y",
    '2,"x',
    'y",z',
    "3",
    "4,x,y",
    "5,u,v,w",
    "6,x,y",
    "",
  ];
  const many = Array.from({ length: 300 }, (_, i) => (i % 2 ? `${i},x\n` : `${i}\n`)).join("");
  const got = await loaded(scene, [
    ...["\n", "\r\n", "\r"].map((end) => [JSON.stringify(end), lines.join(end), skip]),
    ["two lines skipped", lines.join("\n"), { ...skip, csv: { skip: 2 } }],
    ["a hundred and fifty", `a,b\n${many}`, skip],
    ["lines of JSON", '{"a":1}\n\n{"a":\n{"a":3}\nnope\n', skip],
  ]);
  const found = {
    count: 2,
    lines: [
      { line: 7, fields: 1, expected: 3 },
      { line: 9, fields: 4, expected: 3 },
    ],
  };
  for (const name of ['"\\n"', '"\\r\\n"', '"\\r"', "two lines skipped"]) {
    const { report, rows } = got[name];
    assert.deepEqual(report.bad_rows, found, name);
    assert.deepEqual(
      rows.map(([a]) => a),
      [1, 2, 4, 6],
      name,
    );
  }
  const { bad_rows: long } = got["a hundred and fifty"].report;
  assert.equal(long.count, 150);
  assert.deepEqual(
    long.lines,
    Array.from({ length: 100 }, (_, i) => ({ line: 2 + 2 * i, fields: 1, expected: 2 })),
  );
  const { report, rows } = got["lines of JSON"];
  assert.deepEqual(
    [report.bad_rows.count, report.bad_rows.lines.map(({ line }) => line)],
    [2, [3, 5]],
  );
  assert.deepEqual(rows, [[1], [3]]);
  // Where they are not skipped, the first is told by its line.
  const refused = await scene.run(async ({ Pinhole }, text) => {
    const ph = await Pinhole.open();
    const error = await ph.load("t", new Blob([text])).catch((error) => error);
    await ph.close();
    return [error.code, error.message];
  }, lines.join("\r\n"));
  assert.equal(refused[0], "bad_row");
  assert.match(refused[1], /\b7\b/);
});

test("seconds and milliseconds since 1970 are moments in a column of time alone", async (t) => {
  const scene = await open(t, { blank: true });
  const csv = (name, values) => `${name},x\n${values.map((v, i) => `${v},${i}\n`).join("")}`;
  const json = (name, values) => values.map((v, i) => `{"${name}":${v},"x":${i}}\n`).join("");
  const [s, ms] = [
    [1700000000, 1700000060],
    [1700000000000, 1700000060250],
  ];
  const inAll = (what, name, values, options = {}) => [
    [`CSV: ${what}`, csv(name, values), options],
    [`lines of JSON: ${what}`, json(name, values), options],
    [`JSON: ${what}`, `[${json(name, values).trim().replaceAll("\n", ",")}]`, options],
  ];
  const got = await loaded(scene, [
    ...inAll("seconds", "time", s),
    ...inAll("milliseconds", "time", ms),
    ...inAll("named", "n", ms, { time: "n" }),
    ...inAll("no time", "n", ms),
  ]);
  const moments = {
    seconds: ["2023-11-14T22:13:20", "2023-11-14T22:14:20"],
    milliseconds: ["2023-11-14T22:13:20", "2023-11-14T22:14:20.250"],
    named: ["2023-11-14T22:13:20", "2023-11-14T22:14:20.250"],
  };
  for (const [name, { kinds, notes, rows }] of Object.entries(got)) {
    const expected = moments[name.split(": ")[1]];
    assert.deepEqual(kinds, [expected ? "timestamp" : "int", "int"], name);
    assert.deepEqual(
      rows.map(([value]) => value),
      expected ?? ms,
      name,
    );
    assert.deepEqual(
      notes.map(([code]) => code),
      expected ? ["epoch_time"] : [],
      name,
    );
  }
});

test("an order of day and month that a file leaves open is that of the language, and noted in it", async (t) => {
  const scene = await open(t, { blank: true });
  const text = "d,x\n01/02/2024,1\n03/04/2024,2\n";
  const orders = {
    en: ["mdy", "2024-01-02", /^[\x20-\x7e]+month first$/],
    ru: ["dmy", "2024-02-01", /^[^a-z]*`d` [^a-z]*день, месяц, год$/],
  };
  for (const [locale, [dates, first, said]] of Object.entries(orders)) {
    const { open, points, named } = await loaded(
      scene,
      [
        ["open", text],
        ["points", text.replaceAll("/", ".")],
        ["named", text, { csv: { dates: "dmy" } }],
      ],
      { locale },
    );
    assert.deepEqual([open.report.dates, open.rows[0][0]], [dates, first], locale);
    assert.equal(open.notes.length, 1);
    assert.equal(open.notes[0][0], "date_order_guessed");
    assert.match(open.notes[0][1], said);
    for (const one of [points, named]) {
      assert.deepEqual([one.report.dates, one.rows[0][0], one.notes], ["dmy", "2024-02-01", []]);
    }
  }
});

const MONTHS = [
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
  "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
  "January February March April May June July August September October November December",
  "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
];

test("the names of all twelve months are dates", async (t) => {
  const scene = await open(t, { blank: true });
  const column = (names, write) =>
    `d,x\n${names
      .split(" ")
      .map((name, i) => `${write(name, i + 1)},${i}\n`)
      .join("")}`;
  const got = await loaded(
    scene,
    MONTHS.flatMap((names) => [
      [`${names}, whole`, column(names, (name) => `${name} 2020`)],
      [`${names}, days`, column(names, (name, n) => `${n} ${name} 2020`)],
      [
        `${names.toUpperCase()}, days`,
        column(names.toUpperCase(), (name, n) => `${n} ${name} 2020`),
      ],
    ]),
  );
  for (const [name, { kinds, rows }] of Object.entries(got)) {
    assert.equal(kinds[0], "date", name);
    assert.deepEqual(
      rows.map(([date]) => date),
      Array.from({ length: 12 }, (_, i) => {
        const month = String(i + 1).padStart(2, "0");
        return `2020-${month}-${name.endsWith("days") ? month : "01"}`;
      }),
      name,
    );
  }
});

test("whole numbers take four bytes where they fit, and eight where not, of any format", async (t) => {
  const scene = await open(t, { blank: true });
  const got = await scene.run(async ({ Pinhole }) => {
    const ph = await Pinhole.open();
    const numbers = (from) => Array.from({ length: 100_000 }, (_, i) => from + i);
    const all = {};
    for (const [what, from] of [
      ["few", 0],
      ["below zero", -(2 ** 31)],
      ["to the last", 2 ** 31 - 100_000],
      ["one more", 2 ** 31 - 99_999],
      ["many", 2 ** 40],
    ]) {
      const values = numbers(from);
      const json = values.map((n) => `{"n":${n}}`);
      const files = [`n\n${values.join("\n")}\n`, `[${json}]`, `${json.join("\n")}\n`];
      all[what] = [];
      for (const file of files) {
        const { report } = await ph.load("t", new Blob([file]));
        all[what].push(Math.round(report.memory_per_row));
      }
      // What the package writes of it says how wide it is.
      const arrow = await (await ph.query({ table: "t" })).table.toArrowIPC();
      const { report } = await ph.load("again", arrow);
      all[what].push(Math.round(report.memory_per_row));
    }
    await ph.close();
    return all;
  });
  assert.deepEqual(got, {
    few: [4, 4, 4, 4],
    "below zero": [4, 4, 4, 4],
    "to the last": [4, 4, 4, 4],
    "one more": [8, 8, 8, 8],
    many: [8, 8, 8, 8],
  });
});
