// How <pinhole-chart> names its axes and series, what its files look like, and bars in place of a pie.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, notes, texts } from "./charts.mjs";
import { parts } from "./parts.mjs";

const open = parts();

test("names along an axis of months are even and apart at every width", async (t) => {
  const part = await open(t);
  const months = Array.from({ length: 40 }, (_, i) => [
    2021 + Math.floor((i + 2) / 12),
    (i + 2) % 12,
  ]);
  const columns = (kind, ...more) => [
    { name: "at", kind },
    { name: "v", kind: "int" },
    ...more.map((name) => ({ name, kind: "int" })),
  ];
  const line = { kind: "line", x: "at", y: ["v"] };
  const two = (n) => String(n).padStart(2, "0");
  const day = (i) => new Date(Date.UTC(2024, 0, 20 + i)).toISOString().slice(0, 10);
  const cases = {
    dates: [columns("date"), months.map(([y, m]) => [`${y}-${two(m + 1)}-01`, m])],
    days: [columns("date"), Array.from({ length: 45 }, (_, i) => [day(i), i % 7])],
    texts: [columns("text"), months.map(([y, m]) => [`${y}-${two(m + 1)}`, m])],
    years: [columns("int", "year"), months.map(([y, m]) => [m + 1, m, y]), { years: "year" }],
  };
  for (const width of [360, 520, 760, 1280]) {
    await part.page.setViewportSize({ width, height: 900 });
    for (const [name, [columns, rows, more]] of Object.entries(cases)) {
      await part.show(
        "pinhole-chart",
        `(ph, { choice, columns, rows }) => ({
          choice,
          locale: "ru",
          result: {
            length: rows.length,
            columns,
            rows: () => Promise.resolve(rows.map((row) =>
              Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])))),
          },
        })`,
        { choice: { ...line, ...more }, columns, rows },
      );
      await drawn(part, "line");
      const boxes = await part.page.evaluate(() =>
        [...window.element.shadowRoot.querySelectorAll(".drawing .role-axis-label")]
          .map((axis) =>
            [...axis.querySelectorAll("text")]
              .filter((text) => text.getAttribute("opacity") !== "0")
              .map((text) => text.getBoundingClientRect())
              .map(({ left, right, top }) => ({ left, right, top })),
          )
          // Of the two axes the one whose names stand side by side.
          .find(([one, other]) => other && Math.abs(one.top - other.top) < 1),
      );
      const where = `${name} at ${width}`;
      assert.ok(boxes.length >= 2, where);
      const gaps = boxes.slice(1).map(({ left }, i) => left - boxes[i].right);
      assert.ok(Math.min(...gaps) > 4, `${where}: ${gaps.join()}`);
      const middles = boxes.map(({ left, right }) => (left + right) / 2);
      const steps = middles.slice(1).map((at, i) => at - middles[i]);
      // Months have 28 to 31 days.
      const [least, most] = [Math.min(...steps), Math.max(...steps)];
      assert.ok(most <= least * 1.15 + 2, `${where}: ${steps.map(Math.round).join()}`);
    }
  }
});

test("bars in place of a pie are shares, with a word why, until another chart is chosen", async (t) => {
  const part = await open(t);
  const why = {
    en: "Bars in place of a pie: lengths compare better than slices.",
    ru: "Столбцы вместо круга: длины сравнивать легче, чем доли круга.",
  };
  for (const locale of ["en", "ru"]) {
    await part.show(
      "pinhole-chart",
      `(ph, locale) => ({
        choice: { kind: "bar", x: "shop", y: ["sum"], pie: "shares" },
        locale,
        result: {
          length: 2,
          columns: [{ name: "shop", kind: "text" }, { name: "sum", kind: "int" }],
          rows: () => Promise.resolve([{ shop: "a", sum: 30 }, { shop: "b", sum: 10 }]),
        },
      })`,
      locale,
    );
    assert.match(await drawn(part, "bar"), /sum \(%\).* 75 .* 25 /);
    assert.deepEqual(await notes(part), [why[locale]]);
    await part.state(`chart-pie-${locale}`);
    await part.id("kind").selectOption("line");
    await drawn(part, "line");
    await part.id("kind").selectOption("bar");
    assert.match(await drawn(part, "bar"), /30.*10/);
    assert.deepEqual(await notes(part), []);
  }
});

test("a file says what it shows, and cuts no name, however narrow the page is", async (t) => {
  const part = await open(t, { width: 360 });
  const long = "Молоко ультрапастеризованное 3,2 % «Домик в деревне» 950 г";
  const asked = "Сколько я потратил на самые дорогие товары за последние три месяца? ".repeat(3);
  await part.show(
    "pinhole-chart",
    `(ph, { long, asked }) => ({
      choice: { kind: "bar", x: "item", y: ["sum"] },
      asked,
      locale: "ru",
      result: {
        length: 2,
        columns: [{ name: "item", kind: "text" }, { name: "sum", kind: "int" }],
        rows: () => Promise.resolve([{ item: long, sum: 5 }, { item: "Хлеб", sum: -3 }]),
      },
    })`,
    { long, asked },
  );
  await drawn(part, "bar");
  assert.ok((await texts(part)).some((text) => /^Молоко.*…$/.test(text)));
  const seen = await part.page.evaluate(async () => {
    const box = document.createElement("div");
    box.innerHTML = await window.element.toSVG();
    document.body.append(box);
    const picture = box.querySelector("svg");
    const all = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")];
    const outside = texts.filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return left < all.left || right > all.right || top < all.top || bottom > all.bottom;
    });
    const title = [...picture.querySelectorAll(".role-title-text tspan")];
    const found = {
      width: all.width,
      texts: texts.map(({ textContent }) => textContent),
      outside: outside.map(({ textContent }) => textContent),
      title: title.map(({ textContent }) => textContent),
    };
    box.remove();
    return found;
  });
  assert.ok(seen.width >= 960, `${seen.width}`);
  assert.deepEqual(seen.outside, []);
  assert.ok(seen.texts.includes(long), seen.texts.join());
  assert.ok(seen.texts.includes("sum; по оси – item"), seen.texts.join());
  assert.ok(seen.title.length > 1, "wrapped");
  assert.equal(seen.title.join(" "), asked.trim());
  // Without a question it is what is drawn that gives the title.
  const plain = await part.page.evaluate(() => {
    window.element.asked = undefined;
    return window.element.toSVG();
  });
  assert.match(plain, />sum; по оси – item<\/text>/);
  assert.deepEqual(await part.page.evaluate(() => window.violations), []);
});

test("a legend of long names is whole on a phone, and takes nothing from the picture", async (t) => {
  const part = await open(t, { width: 360 });
  const shops = ["Супермаркет «Перекрёсток»", "Универсам «Пятёрочка»", "Ашан", "Вкусвилл", "Лента"];
  for (const kind of ["bar", "line"]) {
    await part.show(
      "pinhole-chart",
      `(ph, { shops, kind }) => ({
        choice: { kind, x: "place", y: ["sum"], series: "shop" },
        locale: "ru",
        result: {
          length: 2 * shops.length,
          columns: [
            { name: "place", kind: "text" },
            { name: "shop", kind: "text" },
            { name: "sum", kind: "int" },
          ],
          rows: () => Promise.resolve(["Казань и её окрестности", "Тверь"].flatMap((place) =>
            shops.map((shop, i) => ({ place, shop, sum: i + 1 })))),
        },
      })`,
      { shops, kind },
    );
    await drawn(part, kind);
    const seen = await part.page.evaluate(() => {
      const picture = window.element.shadowRoot.querySelector(".drawing svg");
      const all = picture.getBoundingClientRect();
      return [...picture.querySelectorAll(".role-legend-label text")].map((text) => {
        const { left, right } = text.getBoundingClientRect();
        return [text.textContent, left >= all.left && right <= all.right];
      });
    });
    assert.deepEqual(
      seen,
      shops.map((shop) => [shop, true]),
    );
    await part.state(`chart-legend-${kind}`);
  }
});

test("names that are longer than a phone go on in another line, of bars and of lines", async (t) => {
  const part = await open(t, { width: 360 });
  const goods = [
    "Безалкогольные напитки, чай, кофе и растворимый цикорий",
    "Бытовая химия, бумага и прочие расходные материалы",
    "Хлеб",
  ];
  const given = `(ph, { goods, choice }) => ({
    choice,
    locale: "ru",
    result: {
      length: 2 * goods.length,
      columns: [
        { name: "вид", kind: "text" },
        { name: "город", kind: "text" },
        { name: "сумма", kind: "int" },
      ],
      rows: () => Promise.resolve(["Казань и её окрестности", "Тверь"].flatMap((город) =>
        goods.map((вид, i) => ({ вид, город, сумма: i + 1 })))),
    },
  })`;
  const of = (role) =>
    part.page.evaluate((role) => {
      const picture = window.element.shadowRoot.querySelector(".drawing svg");
      const all = picture.getBoundingClientRect();
      const texts = [...picture.querySelectorAll(`.role-${role}-label text`)];
      const inside = texts.every((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return (
          left >= all.left && right <= all.right && top >= all.top - 1 && bottom <= all.bottom + 1
        );
      });
      const lines = (text) => {
        const parts = [...text.querySelectorAll("tspan")].map((one) => one.textContent);
        return parts.length > 0 ? parts.join(" ") : text.textContent;
      };
      return { names: texts.map(lines), inside };
    }, role);
  for (const kind of ["bar", "line"]) {
    const choice = { kind, x: "город", y: ["сумма"], series: "вид" };
    await part.show("pinhole-chart", given, { goods, choice });
    await drawn(part, kind);
    const { names, inside } = await of("legend");
    assert.deepEqual(names, goods);
    assert.ok(inside);
    await part.state(`chart-legend-lines-${kind}`);
  }
  const choice = { kind: "bar", x: "вид", y: ["сумма"], series: "город" };
  const shorter = ["Безалкогольные напитки, чай и кофе", "Бытовая химия, бумага и прочее", "Хлеб"];
  await part.show("pinhole-chart", given, { goods: shorter, choice });
  await part.page.waitForFunction(() =>
    [...window.element.shadowRoot.querySelectorAll(".role-axis-label text")].some((one) =>
      one.textContent.includes("Хлеб"),
    ),
  );
  const { names, inside } = await of("axis");
  for (const name of shorter) assert.ok(names.includes(name), names.join("; "));
  assert.ok(inside);
  await part.state("chart-names-lines");
});
