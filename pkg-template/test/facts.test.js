// Which columns of the table a note shows first, and the language that numbers are written in.
import assert from "node:assert/strict";
import { test } from "node:test";
import { packageUrl } from "../testing/setup.js";

const { cellText, claimText, distinct, inWords, isMadeOf, languageOf, valueText } = await import(
  packageUrl("element/facts.js")
);

test("a result's column is made of the one whose name it has, however that is written", () => {
  assert.ok(isMadeOf("sum_amount", "amount"));
  assert.ok(isMadeOf("sum_сумма_операции", "Сумма операции"));
  assert.ok(isMadeOf("mean_Order_Total", "order total"));
  assert.ok(!isMadeOf("sum_amount", "Shop"));
});

test("a text is in the language of its small words, whatever it names", () => {
  for (const text of [
    "Lines: 3, for 1920.18: Йогурт Ягодка клубника – 111.9; Хлеб ржаной – 105.25.",
    "Total of «Сумма заказа» by «Город»: Омск – 5; Тверь – 7.",
    "912",
  ])
    assert.equal(languageOf(text), "en", text);
  for (const text of [
    "Revenue by region выросла на 5 в марте",
    "Сумма amount по shop: Kuper – 9",
    "Sales в марте",
    "Выручка: 912",
    "Первая строка: name Irina Smith, department IT, salary 97746, hired_on 2015-10-04.",
  ])
    assert.equal(languageOf(text), "ru", text);
});

test("sentences of the engine have Russian dates and counts in Russian, and code stays", () => {
  const said = (words) => inWords("ru", words);
  assert.equal(said("где month = Apr"), "где месяц = апрель");
  assert.equal(said("где месяц по «Дата» = May, b"), "где месяц по «Дата» = май, b");
  assert.equal(said("где dow = Mon"), "где день недели = пн");
  assert.equal(said("где month = Aprilia, «month = Apr»"), "где month = Aprilia, «month = Apr»");
  assert.equal(
    said("в `2024-01-05` нет строк: данные идут с 2024-01-01 по 2025-02-03"),
    "в `2024-01-05` нет строк: данные идут с 01.01.2024 по 03.02.2025",
  );
  assert.equal(said("где даты с 2024-03 по 2024-04-15"), "где даты с 03.2024 по 15.04.2024");
  assert.equal(said("в 286 из 2000 строк"), "в 286 из 2\u00a0000 строк");
  assert.equal(
    said("за 2024 год, 2024-13-01, a-2024-01-01, 2010-12"),
    "за 2024 год, 2024-13-01, a-2024-01-01, 2010-12",
  );
  assert.equal(inWords("en", "from 2024-01-01, 2000 rows"), "from 2024-01-01, 2,000 rows");
  assert.equal(
    inWords("en", "matches none of 1076400 rows; no value in 1205 of 10000 rows"),
    "matches none of 1,076,400 rows; no value in 1,205 of 10,000 rows",
  );
  assert.equal(inWords("en", "no value in 2000 of 3000 rows"), "no value in 2,000 of 3,000 rows");
  assert.equal(
    inWords("en", "`2000 rows`, since 2024 rows are"),
    "`2000 rows`, since 2024 rows are",
  );
  // Moments of statements come as programs write them, and units as they stand in the file.
  assert.equal(
    said("групп: 2024-04-01T00:00:00 – 31; 2024-04-02T09:30:00, `2024-04-02T09:30:00`, aT00:00"),
    "групп: 01.04.2024 – 31; 02.04.2024 09:30, `2024-04-02T09:30:00`, aT00:00",
  );
  assert.equal(
    inWords("en", "groups: 2024-04-02T09:30:05 – 31"),
    "groups: 2024-04-02 09:30:05 – 31",
  );
  assert.equal(said("число строк, где даты 2023-04"), "число строк, где даты 04.2023");
  assert.equal(
    said("сумма distance [km] под именем [kg]ab"),
    "сумма distance [км] под именем [kg]ab",
  );
  assert.equal(languageOf("Last: 2024-11-30T03:33:00 (700 строк)."), "ru");
  const claim = { verdict: "verified", fact: { column: "day", key: {} } };
  assert.equal(claimText("ru", "2024-01-01T09:30:00", claim), "01.01.2024 09:30");
  assert.equal(claimText("en", "2024-01-01T09:30:00", claim), "2024-01-01 09:30");
  assert.equal(claimText("ru", "2024-01-01", claim), "01.01.2024");
  assert.equal(claimText("en", "2024-01-01", claim), "2024-01-01");
});

test("a value in full has no noise of floats, and below zero a minus", () => {
  const fact = (value) => ({ value, column: "sum_total", key: {} });
  const plain = (words) => words.replace(/\s/gu, " ");
  assert.equal(plain(valueText("ru", fact(7861010.240000003))), "7 861 010,24");
  assert.equal(valueText("en", fact(-0.1182)), "\u22120.1182");
  assert.equal(plain(valueText("en", fact(2 ** 53 - 1))), "9,007,199,254,740,991");
  assert.equal(plain(cellText("ru", -7428.25, "sum_total")), "\u22127 428,25");
  assert.equal(cellText("en", "-0.50"), "\u22120.50");
});

test("what was wrong is told in words, once, with what the data has", async () => {
  const { wrongLines } = await import(packageUrl("element/wrong.js"));
  const fact = { result: "r1", key: { shop: "Kuper" }, column: "sum_amount", value: 1459 };
  const of = (start, replaced, actual, verdict = "verified") => ({
    start,
    end: start + 5,
    text: actual ?? replaced,
    verdict,
    replaced,
    actual,
    fact,
  });
  const right = { start: 0, end: 4, text: "four", verdict: "verified" };
  const claims = [of(20, "1900", "1459"), right, of(10, "1900", "1459"), of(30, "7", undefined)];
  assert.deepEqual(
    wrongLines("en", claims).map(({ mark, text, about }) => [mark, text, about]),
    [
      ["corrected", "“1,900” was said; by the data it is 1,459", "shop = Kuper, sum_amount"],
      ["withheld", "“7” was said; the data does not bear it out", ""],
    ],
  );
  const [, none] = wrongLines("ru", claims);
  assert.equal(none.text, "Было сказано «7», данные этого не подтверждают");
  assert.deepEqual(wrongLines("en", [right]), []);
});

test("notes of corrections group no year and have no noise of doubles", async () => {
  const { wrongLines } = await import(packageUrl("element/wrong.js"));
  const line = (locale, replaced, actual, column = "sum_amount", value = Number(actual)) => {
    const fact = { result: "r1", key: {}, column, value };
    const claim = { start: 0, end: 4, text: actual, verdict: "verified", replaced, actual, fact };
    const [{ text, about }] = wrongLines(locale, [claim]);
    return `${text} | ${about}`.replace(/[\u00a0\u202f]/gu, " ");
  };
  assert.match(line("ru", "5", "7919937.59999999"), /по данным – 7 919 937,60 \| sum_amount$/);
  assert.match(line("en", "5", "60541.6666666667"), /it is 60,541\.67 \|/);
  assert.match(line("en", "5", "60,999.9999999"), /it is 61,000\.00 \|/);
  assert.match(line("ru", "5", "66.281461766633"), /по данным – 66,28 \| sum_amount$/);
  assert.match(line("en", "5", "0.123456789"), /it is 0\.1235 \|/);
  assert.match(line("ru", "5", "12.5"), /по данным – 12,50 \| sum_amount$/);
  assert.match(line("ru", "2023", "1459"), /«2023», по данным – 1 459 /);
  assert.match(line("ru", "2023", "2024"), /«2023», по данным – 2024 /);
  assert.match(line("en", "5", "2023", "mean_year"), /it is 2023 /);
  assert.match(line("ru", "5", "2023", "max_год выпуска"), /по данным – 2023 /);
});

test("of questions asked before a list has three at most, each of them once", () => {
  const asked = (question, differs = []) => ({ question, differs });
  const of = (...questions) => distinct(questions.map((question) => asked(question)));
  const said = (...questions) => of(...questions).map(({ question }) => question);
  assert.deepEqual(
    said("Total by shop?", "total by  shop", "Сумма по городам", "сумма по городам!"),
    ["Total by shop?", "Сумма по городам"],
  );
  assert.deepEqual(said("above 100", "above 400", "a", "b"), ["above 100", "above 400", "a"]);
  // The question itself is none of them once it is answered, nor is one that has little in common.
  const found = [
    asked("Total by shop"),
    asked("Mean by city", ["Agg(Sum)", "Agg(Mean)", "name shop", "name city"]),
    asked("Mean by month above 5", ["Agg(Sum)", "Agg(Mean)", "name shop", "time Month", "#5"]),
  ];
  const left = (...args) => distinct(...args).map(({ question }) => question);
  assert.deepEqual(left(found), ["Total by shop", "Mean by city"]);
  assert.deepEqual(left(found, "total by shop?"), ["Mean by city"]);
});

test("amounts of money in an answer have two digits of parts, as in its table", () => {
  const said = (locale, text, column, value) =>
    claimText(locale, text, { verdict: "verified", text, fact: { key: {}, column, value } });
  assert.equal(said("en", "14.3821", "mean_price", 14.38214), "14.38");
  assert.equal(said("en", "31,819.7", "sum_revenue", 31819.7), "31,819.70");
  assert.equal(said("ru", "2\u00a0515,119", "mean_total", 2515.119), "2\u00a0515,12");
  assert.equal(said("en", "-9.5", "sum_amount", -9.5), "\u22129.50");
  // What is no money, what is less than one, and what somebody rounded stay as they are.
  assert.equal(said("en", "14.3821", "mean_speed", 14.38214), "14.3821");
  assert.equal(said("en", "0.0153", "mean_price", 0.01534), "0.0153");
  assert.equal(said("en", "14.4", "mean_price", 14.38214), "14.4");
  assert.equal(said("en", "14", "mean_price", 14.38214), "14");
});
