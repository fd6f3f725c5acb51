// The samples of the page, asked in both languages: the public data set whole and with its units, the
// receipts with the names of the page's language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stage } from "./harness.mjs";

const open = stage();
const [head, ...lines] = readFileSync(new URL("../../www/penguins.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(","));
const column = (line, name) => line[head.indexOf(name)];

/** Mean body mass by species, by plain loops. */
function masses() {
  const all = new Map();
  for (const line of lines) {
    const mass = column(line, "body_mass_g");
    if (mass === "NA") continue;
    const name = column(line, "species");
    all.set(name, [...(all.get(name) ?? []), Number(mass)]);
  }
  return [...all].map(([name, values]) => [
    name,
    values.reduce((sum, value) => sum + value, 0) / values.length,
  ]);
}

test("penguins: loaded from beside the page, and asked", async (t) => {
  const scene = await open(t);
  await scene.id("penguins").click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.id("table-rows").textContent(), "344");
  const about = await scene.id("table-card").textContent();
  assert.doesNotMatch(about, /\bNA\b/);
  const answer = await scene.ask("average body_mass_g by species");
  const rows = await answer.rows();
  const expected = masses();
  assert.equal(rows.length, expected.length);
  for (const [name, mean] of expected) {
    const [, shown] = rows.find(([species]) => species === name);
    assert.ok(Math.abs(Number(shown) - mean) < 1e-3, `${name}: ${shown}, ${mean}`);
  }
  for (const { verdict } of await answer.claims()) assert.match(verdict, /^(verified|derived)$/);
  await answer.id("tab-answer").click();
  await scene.picture("81-penguins");

  await scene.id("language-ru").click();
  const russian = await scene.ask("максимум flipper_length_mm по island");
  const longest = Math.max(
    ...lines.map((line) => Number(column(line, "flipper_length_mm"))).filter((n) => n > 0),
  );
  assert.match(await russian.text(), new RegExp(`Biscoe.*${longest}`, "s"));
  assert.deepEqual(scene.endpoint.bodies, []);
  assert.ok(scene.log.every(({ method }) => method === "GET"));
});

/** Asks the six questions that are offered in a language by pressing each; what the page answers. */
async function askOffered(scene, russian) {
  const first = scene.id("suggestion").filter({ hasText: russian ? /[а-я]/ : /[a-z]/ });
  await first.nth(5).waitFor();
  const questions = await scene.id("suggestion").allTextContents();
  for (const question of questions) {
    assert.equal(/[а-яё]/.test(question), russian, question);
    await scene.id("suggestion").getByText(question, { exact: true }).click();
    const answer = await (await scene.newest()).settled();
    assert.equal((await answer.state()).state, "done", question);
    assert.equal(await answer.id("reading").count(), 0, `${question} is read in one way`);
    const claims = await answer.claims();
    assert.ok(claims.length > 0, question);
    for (const { verdict } of claims) assert.match(verdict, /^(verified|derived)$/, question);
  }
}

for (const [language, locale] of [
  ["English", "en-US"],
  ["Russian", "ru-RU"],
]) {
  for (const [sample, tables] of [
    ["sample", 1],
    ["household", 6],
    ["penguins", 1],
  ]) {
    test(`${sample}: every question that is offered is answered, in ${language}`, async (t) => {
      const scene = await open(t, { locale });
      await scene.id(sample).click();
      await scene
        .id("table-card")
        .nth(tables - 1)
        .waitFor();
      await askOffered(scene, locale === "ru-RU");
      assert.ok(scene.log.every(({ method }) => method === "GET"));
    });
  }
}

for (const [before, after, shop, other] of [
  ["en", "ru", /Ocean Hypermarket/, /Океан/],
  ["ru", "en", /Гипермаркет Океан/, /Ocean/],
]) {
  test(`receipts that were loaded in ${before} stay so, and are asked in ${after}`, async (t) => {
    const scene = await open(t, { locale: before });
    await scene.id("household").click();
    await scene.id("table-card").nth(5).waitFor();
    await scene.id(`language-${after}`).click();
    await askOffered(scene, after === "ru");
    const said = await (await scene.ask("top 3 shops by spending")).text();
    assert.match(said, shop);
    assert.doesNotMatch(said, other);
    // Taken again, the sample has the names of the page's language of now.
    await scene.id("table-card").evaluateAll((cards) => {
      for (const card of cards) card.dataset.before = "";
    });
    await scene.id("household").click();
    await scene.page.waitForFunction(() => document.querySelector("[data-before]") === null);
    await scene.id("loading").waitFor({ state: "detached" });
    assert.equal(await scene.id("table-card").count(), 6);
    const anew = await (await scene.ask("top 3 shops by spending")).text();
    assert.match(anew, other);
    assert.doesNotMatch(anew, shop);
  });
}

test("a sample that is taken again replaces itself, and another file stands beside it", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.load("penguins.csv", "shop,amount\nKuper,5\nSever,7\n");
  const own = await scene.id("suggestion").allTextContents();
  assert.ok(own.every((question) => !question.includes("пингвин")));
  for (let times = 0; times < 2; times += 1) {
    await scene.id("penguins").click();
    await scene.id("same-name").waitFor();
    await scene.page.waitForFunction(
      () => document.querySelectorAll('[data-table="penguins_2"]').length === 1,
    );
    await scene.id("loading").waitFor({ state: "detached" });
  }
  assert.equal(await scene.id("table-card").count(), 2);
});

test("words of both languages reach the columns of a sample", async (t) => {
  const scene = await open(t, { locale: "ru-RU" });
  await scene.id("penguins").click();
  await scene.id("table-card").waitFor();
  for (const [question, expected] of [
    ["сколько пингвинов?", /^344 /],
    ["самый тяжёлый пингвин", /6300/],
    ["average weight by sex", /4,545\.68.*3,862\.27|3,862\.27.*4,545\.68/s],
  ]) {
    const answer = await scene.ask(question);
    assert.match(await answer.text(), expected, question);
  }
  // Its columns have words for names, and so has what is computed of them.
  const mean = await scene.ask("средняя масса по видам");
  assert.match(await mean.text(), /Среднее массы по видам/);
  await mean.rows();
  const heads = await mean.id("data-table").locator("th").allInnerTexts();
  assert.deepEqual(
    heads.map((head) => head.replace(/\s+/g, " ").trim()),
    ["вид", "среднее массы, г"],
  );
  const unread = await scene.ask("какой у них любимый цвет?");
  const instead = await unread.id("instead").getByRole("button").allTextContents();
  assert.ok(instead.includes("средняя масса по видам"), instead.join(", "));
});

test("beside a table, where the small print is not, each button says what its sample is", async (t) => {
  const scene = await open(t);
  await scene.id("penguins").click();
  await scene.id("table-card").waitFor();
  assert.equal(await scene.page.locator(".sample-text").isVisible(), false);
  assert.equal(await scene.id("sample").innerText(), "Try minute bars");
  for (const [language, words] of [
    ["en", [/minute bars of an imaginary/, /imaginary household/, /measured in the Antarctic/]],
    ["ru", [/минутных баров вымышленного/, /Чеки вымышленной семьи/, /измеренных в Антарктике/]],
  ]) {
    await scene.id(`language-${language}`).click();
    for (const [i, name] of ["sample", "household", "penguins"].entries())
      assert.match(await scene.id(name).getAttribute("title"), words[i]);
  }
});
