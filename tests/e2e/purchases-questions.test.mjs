// Every kind of question that the tools for purchases are for, asked in the page about the sample
// receipts in Russian: a scripted model calls the tools, its numbers are checked, the whole evidence is shown.
// What the tools have to find, DuckDB and the rules in Python found: tests/purchases/household.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { call, say } from "./endpoint.mjs";
import { plainNumbers, stage } from "./harness.mjs";

const open = stage();

const CASES = JSON.parse(
  readFileSync(new URL("../purchases/household.json", import.meta.url), "utf8"),
);

const rub = (x) =>
  `${x.toLocaleString("ru", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ₽`;
const plain = (x) => x.toLocaleString("ru", { maximumFractionDigits: 3 });
const day = (iso) => iso.split("-").reverse().join(".");
const each = (list, words) => list.map(words).join(", ");

/** What the model says of the whole answers of its calls, by question. */
const SAID = {
  "Покажи мои чеки за последнюю неделю": ({ summary }) =>
    `За последнюю неделю чеков: ${summary.total_receipts}, на сумму ${rub(summary.total_amount)}.`,
  "Какая дата последнего чека?": ({ receipts: [last] }) =>
    `Последний чек – от ${day(last.date)}, на ${rub(last.total)}.`,
  "Сколько я потратил в декабре?": ({ summary }) =>
    `Вы потратили ${rub(summary.total_amount)} в ${summary.total_receipts} чеках, средний чек – ${rub(summary.average_receipt)}.`,
  "В каких магазинах я покупал?": ({ statistics: list }) =>
    `Магазинов: ${list.length}. ${each(list, (s) => `${s.shop} – ${rub(s.total_amount)}`)}.`,
  "Что я купил в последнем чеке?": (_, { total_items: n, total_amount: sum }) =>
    `В последнем чеке позиций: ${n}, на сумму ${rub(sum)}.`,
  "Сколько молока я купил за месяц?": ({ total_items: n, grand_total_amount: sum }) =>
    `Всего товаров: ${n}, на ${rub(sum)}.`,
  "How much milk did I buy last month?": ({ total_items: n, grand_total_amount: sum }) =>
    `Items: ${n}, for ${sum} in all.`,
  "Покажи все покупки категории 'Молочные продукты'": ({ total_items: n, total_amount: sum }) =>
    `Таких покупок ${plain(n)} на сумму ${rub(sum)}.`,
  "Какие категории продуктов у меня есть?": ({ total_products: n }) =>
    `Категорий верхнего уровня: ${n}.`,
  "Какие категории у меня есть?": ({ total_products: n }) => `У вас ${n} категорий.`,
  "Покажи подкатегории 'Молочные продукты'": (_, { products, total_products: n }) =>
    `Подкатегорий: ${n}. ${each(products, (p) => `${p.name} – ${p.items_count}`)}.`,
  "Сколько товаров в каждой категории?": ({ products }) =>
    `${each(products.slice(0, 2), (p) => `${p.name} – ${p.items_count}`)}.`,
  "Какие товары я покупаю в категории 'Молоко'?": ({ total_items: n }) => `Товаров: ${n}.`,
  "Найди все товары со словом 'сыр'": ({ total_items: n }) => `Таких товаров ${n}.`,
  "Какие товары есть в магазине Берёзка?": ({ total_items: n }) => `В этом магазине ${n} товаров.`,
  "Какие метки у меня есть?": ({ labels, total_labels: n }) =>
    `Меток: ${n}. ${each(labels, (l) => `${l.name} – ${l.items_count}`)}.`,
  "Какие товары помечены как 'Для завтрака'?": ({ labels: [label] }) =>
    `Метка «${label.name}» – на ${label.items_count} товарах.`,
  "Какие продукты я чаще всего покупаю?": ({ statistics: [first] }) =>
    `${first.product_name} – ${first.purchase_count} покупок на ${rub(first.total_amount)}, доля ${plain(first.percent_of_total)}%.`,
  "Предскажи мои следующие покупки": ({ statistics: [first], summary }) =>
    `${first.product_name} – ${day(first.prediction.next_purchase_date)}. Разных товаров: ${summary.total_unique_items}.`,
  "Сколько я трачу в месяц на молочные продукты?": ({ summary }) =>
    `На молочные продукты за месяц ушло ${rub(summary.total_spent)}.`,
  "Сформируй корзину для следующей закупки": ({ shopping_list: [first], summary }) =>
    `В корзине позиций: ${summary.total_items}, примерно на ${rub(summary.estimated_total)}. Первой – ${first.item_name}: ${plain(first.suggested_quantity)}.`,
  "Что мне нужно купить на этой неделе?": ({ summary }) =>
    `В списке ${summary.total_items} позиций на ${rub(summary.estimated_total)}.`,
};

const pairs = (list, name, number) => {
  const shown = list.slice(0, 10).map((entry) => `${entry[name]} – ${entry[number]}`);
  return `${shown.join("; ")}${list.length > 10 ? "; и другие" : ""}.`;
};
const goods = (list) => [...new Set(list.map(({ name }) => name))].slice(0, 10).join("; ");

/** How the planner's answer begins, from the same whole answers; what is not here needs a model. */
const PLANNED = {
  "Покажи мои чеки за последнюю неделю": ({ summary: all }) =>
    `Чеков: ${all.total_receipts}, на ${all.total_amount}, в среднем ${all.average_receipt}.`,
  "Какая дата последнего чека?": ({ receipts: [last] }) =>
    `Последний чек – от ${last.date}, на ${last.total}.`,
  "Сколько я потратил в декабре?": ({ summary: all }) =>
    `Потрачено: ${all.total_amount}; чеков: ${all.total_receipts}, в среднем `,
  "В каких магазинах я покупал?": ({ statistics: list }) =>
    `Магазины, чеков с товарами в каждом: ${pairs(list, "shop", "purchase_count")}`,
  "Что я купил в последнем чеке?": (_, { items, total_items: n, total_amount: sum }) =>
    `Позиций: ${n}, на ${sum}: ${pairs(items, "item_name", "amount")}`,
  "Покажи все покупки категории 'Молочные продукты'": ({ items, total_items, total_amount }) =>
    `Позиций: ${total_items}, на ${total_amount}: ${pairs(items, "item_name", "amount")}`,
  "Какие категории продуктов у меня есть?": ({ products, total_products: n }) =>
    `Категорий: ${n}, товаров в каждой: ${pairs(products, "name", "items_count")}`,
  "Какие категории у меня есть?": ({ products, total_products: n }) =>
    `Категорий: ${n}, товаров в каждой: ${pairs(products, "name", "items_count")}`,
  "Покажи подкатегории 'Молочные продукты'": (_, { products }) =>
    `Подкатегории, товаров в каждой: ${pairs(products, "name", "items_count")}`,
  "Сколько товаров в каждой категории?": ({ products, total_products: n }) =>
    `Категорий: ${n}, товаров в каждой: ${pairs(products, "name", "items_count")}`,
  "Какие товары я покупаю в категории 'Молоко'?": ({ items, total_items: n }) =>
    `Товаров: ${n}: ${goods(items)}`,
  "Найди все товары со словом 'сыр'": ({ items, total_items: n }) =>
    `Товаров: ${n}: ${goods(items)}`,
  "Какие товары есть в магазине Берёзка?": ({ items, total_items: n }) =>
    `Товаров: ${n}: ${goods(items)}`,
  "Какие метки у меня есть?": ({ labels, total_labels: n }) =>
    `Меток: ${n}, товаров с каждой: ${pairs(labels, "name", "items_count")}`,
  "Какие товары помечены как 'Для завтрака'?": ({ labels, total_labels: n }) =>
    `Меток: ${n}, товаров с каждой: ${pairs(labels, "name", "items_count")}`,
  "Какие продукты я чаще всего покупаю?": ({ statistics: list }) =>
    `Чаще всего, по числу чеков: ${pairs(list, "product_name", "purchase_count")}`,
  "Сформируй корзину для следующей закупки": ({ summary: all }) =>
    `Купить: ${all.total_items}, примерно на ${all.estimated_total}: `,
  "Что мне нужно купить на этой неделе?": ({ summary: all }) =>
    `Купить: ${all.total_items}, примерно на ${all.estimated_total}: `,
};

/** The same but for the last digits of sums, and for sentences that DuckDB does not make. */
function isSame(found, wanted, at) {
  if (typeof wanted === "number") {
    assert.ok(Math.abs(found - wanted) < 1e-6, `${at}: ${found} is not ${wanted}`);
  } else if (wanted !== null && typeof wanted === "object") {
    const names = (of) => Object.keys(of).filter((name) => name !== "reason");
    assert.deepEqual(names(found).sort(), names(wanted).sort(), at);
    for (const name of names(wanted)) isSame(found[name], wanted[name], `${at}/${name}`);
  } else {
    assert.equal(found, wanted, at);
  }
}

/** Every text in an answer: names may hold digits, and dates are compared as words. */
function* texts(value) {
  if (typeof value === "string") {
    yield value;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) yield day(value);
  } else if (value !== null && typeof value === "object") {
    for (const part of Object.values(value)) yield* texts(part);
  }
}

test("each question is answered through the tools, with checked numbers and the whole evidence", async (t) => {
  const words = ({ question, calls }) => SAID[question](...calls.map(({ answer }) => answer));
  assert.deepEqual(CASES.map(({ question }) => question).sort(), Object.keys(SAID).sort());
  const scene = await open(t, { model: true, locale: "ru-RU" });
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  for (const one of CASES) {
    const { question, calls } = one;
    scene.endpoint.script = calls.map(({ tool, arguments: args }) => call(tool, args));
    scene.endpoint.script.push(say(words(one)));
    const answer = await scene.ask(question);
    assert.equal(await answer.text(), words(one), question);
    const claims = await answer.claims();
    assert.ok(claims.length > 0, question);
    for (const { verdict, text } of claims) {
      assert.match(verdict, /^(verified|derived)$/, `${question}: ${text}`);
    }
    assert.deepEqual(await answer.state(), { state: "done", verdict: "ok" }, question);
    // No number without a mark but in names and dates.
    let rest = await answer.unmarked();
    const names = [...texts(calls)].sort((a, b) => b.length - a.length);
    for (const name of names) rest = rest.replaceAll(name, "");
    assert.doesNotMatch(rest, /\d/, question);

    const { tool, arguments: args, answer: wanted } = calls.at(-1);
    await answer.id("tab-query").click();
    const shown = await answer.id("call-text").textContent();
    assert.ok(shown.startsWith(`${tool} {`), shown);
    assert.deepEqual(JSON.parse(shown.slice(tool.length)), args);
    await answer.id("call-output").locator("summary").click();
    isSame(
      JSON.parse(await answer.id("call-output").locator("pre").textContent()),
      wanted,
      question,
    );
    const list = Object.values(wanted).find((part) => Array.isArray(part));
    assert.equal((await answer.rows()).length, list.length, question);
  }
  await scene.picture("61-purchases-questions");
});

test("without a model the planner answers them through the same tools", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.id("household").click();
  await scene.id("table-card").nth(5).waitFor();
  for (const { question, calls } of CASES.filter(({ question: q }) => q in PLANNED)) {
    const answer = await scene.ask(question);
    const wanted = plainNumbers(PLANNED[question](...calls.map((one) => one.answer)));
    const text = plainNumbers(await answer.text());
    assert.ok(text.startsWith(wanted), `${question}\n${text}\n${wanted}`);
    const claims = await answer.claims();
    assert.ok(claims.length > 0, question);
    for (const { verdict } of claims) assert.equal(verdict, "verified", question);
    await answer.id("tab-query").click();
    assert.match(await answer.id("call-text").textContent(), new RegExp(`^${calls.at(-1).tool} `));
    assert.equal(await answer.id("call-output").count(), 1, question);
  }
  assert.deepEqual(scene.endpoint.requests, []);
});
