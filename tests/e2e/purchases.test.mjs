// Questions about receipts in the page: a scripted model calls the tools for purchases, its numbers
// are checked, and what they stand on is in sight.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { household } from "../../www/household.js";
import { plainNumbers, stage } from "./harness.mjs";

const open = stage();

const TABLES = ["receipts", "receipt_items", "items", "products", "labels", "item_labels"];
const file = (name) => readFileSync(new URL(`../purchases/${name}`, import.meta.url), "utf8");

/** What DuckDB says of a call: a case of the native tests. */
function expected(tool, args) {
  for (const section of file("cases.txt").split("\n## ").slice(1)) {
    const end = section.indexOf("\n");
    const [, name, given] = /^(\w+) (\{.*\})$/.exec(section.slice(0, end)) ?? [];
    if (name === tool && given && JSON.stringify(JSON.parse(given)) === JSON.stringify(args)) {
      return JSON.parse(section.slice(end));
    }
  }
  throw new Error(`no case ${tool} ${JSON.stringify(args)}`);
}

const MILK = {
  product_name: "молоко",
  date_from: "2024-11-01",
  date_to: "2024-11-30",
  group_by_item: true,
};

/** Question, tool, arguments, what the model says of the whole answer. */
const QUESTIONS = [
  [
    "Сколько я потратил в декабре?",
    "get_receipts",
    { date_from: "2024-12-01", date_to: "2024-12-31" },
    ({ summary }) => `Чеков: ${summary.total_receipts}, на сумму ${summary.total_amount}.`,
  ],
  [
    "Что мне нужно купить на этой неделе?",
    "generate_shopping_list",
    {},
    ({ summary }) => `В списке ${summary.total_items} позиций на ${summary.estimated_total}.`,
  ],
  [
    "Какие категории у меня есть?",
    "get_products",
    {},
    ({ total_products }) => `Категорий верхнего уровня: ${total_products}.`,
  ],
  [
    "How much milk did I buy last month?",
    "get_receipt_items",
    MILK,
    ({ total_items, grand_total_amount }) =>
      `Items: ${total_items}, for ${grand_total_amount} in all.`,
  ],
];

/** The same but for the last digits of sums. */
function isLike(found, wanted) {
  if (typeof wanted === "number") {
    assert.ok(Math.abs(found - wanted) < 1e-6, `${found} is not ${wanted}`);
  } else if (wanted !== null && typeof wanted === "object") {
    for (const [name, value] of Object.entries(wanted)) isLike(found[name], value);
  } else {
    assert.equal(found, wanted);
  }
}

test("a model answers through the tools, with checked numbers and the whole evidence", async (t) => {
  const script = QUESTIONS.flatMap(([, tool, args, answer]) => [
    call(tool, args),
    say(answer(expected(tool, args))),
  ]);
  const scene = await open(t, { model: true, script });
  for (const name of TABLES) await scene.load(`${name}.csv`, file(`${name}.csv`));
  for (const [question, tool, args, words] of QUESTIONS) {
    const wanted = expected(tool, args);
    const answer = await scene.ask(question);
    assert.deepEqual(await answer.state(), { state: "done", verdict: "ok" }, question);
    assert.equal(await answer.text(), words(wanted));
    const claims = await answer.claims();
    assert.ok(claims.length > 0, question);
    for (const { verdict, text } of claims) assert.match(verdict, /^(verified|derived)$/, text);
    await answer.id("tab-query").click();
    assert.ok((await answer.id("call-text").textContent()).startsWith(`${tool} {`));
    await answer.id("call-output").locator("summary").click();
    isLike(JSON.parse(await answer.id("call-output").locator("pre").textContent()), wanted);
    const list = Object.values(wanted).find((part) => Array.isArray(part));
    assert.equal((await answer.rows()).length, list.length, question);
    // The fact of a number opens where it stands.
    await answer.id("tab-answer").click();
    await answer.id("claim").first().click();
  }
  // The seven, `query`, `describe_tables`, and `run_script`, since nothing is protected.
  assert.equal(scene.endpoint.requests[0].tools.length, 10);
  await scene.picture("60-purchases");
});

for (const [locale, none] of [
  ["en-US", "No rows belong to this answer."],
  ["ru-RU", "К этому ответу не относятся строки."],
]) {
  test(`${locale}: who looks for the rows before a call has found them sees them come`, async (t) => {
    const words = { ...say("Well."), hang: 0 };
    const script = [{ ...call("get_receipts", {}), hang: 0 }, words];
    const scene = await open(t, { locale, model: true, script });
    for (const name of TABLES) await scene.load(`${name}.csv`, file(`${name}.csv`));
    const answer = await scene.begin("show my receipts");
    await answer.id("tab-data").click();
    await answer.id("panel-data").filter({ hasText: none }).waitFor();
    // Nobody leaves the tab in between.
    while (scene.endpoint.bodies.length < 1) await scene.page.waitForTimeout(20);
    scene.endpoint.release();
    await answer.id("data-table").locator("tbody tr").first().waitFor();
    assert.equal(await answer.id("panel-data").filter({ hasText: none }).count(), 0);
  });
}

test("a withheld call tells the endpoint nothing, and the page everything", async (t) => {
  const script = [call("get_receipts", {}), say("You spent {{r2.total_amount}} in all.")];
  const scene = await open(t, {
    model: true,
    script,
    settings: { level: "schema" },
  });
  for (const name of TABLES) await scene.load(`${name}.csv`, file(`${name}.csv`));
  const { summary } = expected("get_receipts", {});
  const answer = await scene.ask("how much did I spend?");
  assert.equal(
    await answer.text(),
    `You spent ${summary.total_amount.toLocaleString("en")} in all.`,
  );
  const [told] = scene.endpoint.contents(1, "tool");
  assert.match(told, /^Result: shown to the user as r1; the policy withholds it from you/);
  for (const body of scene.endpoint.bodies) {
    assert.ok(!body.toString("utf8").includes(String(summary.total_amount)));
  }
});

test("without a model the planner answers through the tools", async (t) => {
  const scene = await open(t);
  for (const name of TABLES) await scene.load(`${name}.csv`, file(`${name}.csv`));
  for (const [question, words] of [
    [
      "Сколько я потратил в декабре?",
      ({ summary }) =>
        `Потрачено: ${summary.total_amount}; чеков: ${summary.total_receipts}, в среднем ${summary.average_receipt}.`,
    ],
    ["Что мне нужно купить на этой неделе?", () => /^Купить: 6, примерно на 527\.55: /],
    ["Какие категории у меня есть?", () => /^Категорий: 4, /],
    [
      "How much milk did I buy last month?",
      () => /^Nothing of such a name was bought \(in that time or shop/,
    ],
    ["Сколько молока я купил в ноябре?", () => /^Всего на 1434\.7: /],
  ]) {
    const answer = await scene.ask(question);
    assert.equal((await answer.state()).state, "done", question);
    const [, tool, args] = QUESTIONS.find(([same]) => same === question) ?? [];
    const wanted = words(tool && args ? expected(tool, args) : undefined);
    const text = plainNumbers(await answer.text());
    if (typeof wanted === "string") assert.equal(text, wanted);
    else assert.match(text, wanted);
    for (const { verdict } of await answer.claims()) assert.equal(verdict, "verified");
    await answer.id("tab-query").click();
    assert.match(await answer.id("call-text").textContent(), /^(get|generate)_/);
  }
  assert.deepEqual(scene.endpoint.requests, []);
});

test("the sample receipts are six tables that the tools read", async (t) => {
  const scene = await open(t);
  await scene.id("household").click();
  await scene
    .id("table-card")
    .nth(TABLES.length - 1)
    .waitFor();
  const answer = await scene.ask("сколько я потратил в марте 2024?");
  assert.equal((await answer.state()).state, "done");
  const told = plainNumbers(await answer.text());
  assert.match(told, /^Потрачено: [\d.]+; чеков: \d+, в среднем [\d.]+\.$/);
  const tables = household();
  const receipts = tables.receipts.filter(({ receipt_date: d }) => d.startsWith("2024-03"));
  const ids = new Set(receipts.map(({ id }) => id));
  const lines = tables.receipt_items.filter((line) => ids.has(line.receipt_id));
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  const [, shown] = /^Потрачено: ([\d.]+)/.exec(told);
  assert.ok(Math.abs(Number(shown) - sum) < 0.01, `${shown} is not ${sum}`);
  // It is written as in a table and a note: by the language of the answer.
  const written = new Intl.NumberFormat("ru", {
    maximumFractionDigits: 2,
  }).format(sum);
  assert.ok((await answer.id("claim").first().textContent()).startsWith(written), written);
});

/** What was spent below a category of the sample receipts, by plain loops. */
function sampleSum(tables, category, month) {
  const byId = (rows) => new Map(rows.map((row) => [row.id, row]));
  const [products, items, receipts] = [tables.products, tables.items, tables.receipts].map(byId);
  const isBelow = (id) => {
    const product = products.get(id);
    return product !== undefined && (product.name === category || isBelow(product.parent_id));
  };
  const lines = tables.receipt_items.filter(
    ({ receipt_id, item_id }) =>
      receipts.get(receipt_id).receipt_date.startsWith(month) &&
      isBelow(items.get(item_id).product_id),
  );
  assert.ok(lines.length > 0, category);
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

for (const [language, asked] of [
  [
    "en",
    [
      ["how much did I spend on bread in March 2024?", "Bread", "2024-03"],
      ["how much milk did I buy in November?", "Milk", "2024-11"],
      ["how much did I spend on vegetables in 2024?", "Vegetables", "2024"],
      ["how much did I spend on dairy in 2024", "Dairy", "2024"],
    ],
  ],
  [
    "ru",
    [
      ["сколько я потратил на хлеб в марте 2024?", "Хлеб", "2024-03"],
      ["сколько молока я купил в ноябре?", "Молоко", "2024-11"],
      ["сколько я потратил на овощи в 2024?", "Овощи", "2024"],
    ],
  ],
]) {
  test(`goods of the sample receipts are asked by their names (${language})`, async (t) => {
    const scene = await open(t, { locale: language });
    await scene.id("household").click();
    await scene
      .id("table-card")
      .nth(TABLES.length - 1)
      .waitFor();
    const tables = household({ language });
    for (const [question, category, month] of asked) {
      const answer = await scene.ask(question);
      assert.equal((await answer.state()).state, "done", question);
      const text = plainNumbers(await answer.text());
      const sum = sampleSum(tables, category, month);
      const told = text.match(/\d+(?:\.\d+)?/g).map(Number);
      assert.ok(
        told.some((number) => Math.abs(number - sum) < 0.01),
        `${question}: ${sum} is not in ${text}`,
      );
      for (const { verdict } of await answer.claims()) assert.equal(verdict, "verified", question);
      const other = language === "en" ? /[а-яё]/i : /Milk|Bread|Ocean|Birch/;
      assert.doesNotMatch(await answer.text(), other, question);
    }
    const [labels, shop] =
      language === "en"
        ? [/For breakfast/, "which items are there in the shop Birch?"]
        : [/Для завтрака/, "какие товары есть в магазине Берёзка?"];
    const question = language === "en" ? "which labels are there?" : "какие метки у меня есть?";
    assert.match(await (await scene.ask(question)).text(), labels);
    const there = await (await scene.ask(shop)).text();
    assert.match(there, language === "en" ? /Bread Borodinsky 400 g/ : /Батон нарезной 400 г/);
    assert.deepEqual(scene.endpoint.requests, []);
  });
}
