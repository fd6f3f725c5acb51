// <pinhole-chart> in a real browser under a strict policy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, notes, texts } from "./charts.mjs";
import { parts } from "./parts.mjs";

const open = parts();

const SHOPS = ["Kuper", "Vkusno", "Lavka"];

/** A purchase every six hours from a Monday on. */
function purchases(rows) {
  const lines = ["at,shop,amount,items"];
  for (let i = 0; i < rows; i += 1) {
    const at = new Date(Date.UTC(2024, 0, 1, 6 * i)).toISOString().slice(0, 19).replace("T", " ");
    const amount = i % 97 === 5 ? "" : (((i * 7919) % 1009) / 10 + (i % 28) * 3).toFixed(1);
    lines.push(`${at},${SHOPS[i % 3]},${amount},${1 + ((i * 31) % 9)}`);
  }
  return `${lines.join("\n")}\n`;
}

const UNITS = { buys: { units: { amount: "EUR" } } };

test("bars by group, in the order of the week, with words and values", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(2000) }, UNITS);
  const rows = await part.page.evaluate(async () => {
    window.result = await window.ph.query({
      table: "buys",
      group_by: "dayname()",
      select: "mean(amount)",
    });
    return window.result.table.rows(0, 10);
  });
  const chart = await part.show("pinhole-chart", () => ({ result: window.result }));
  const words = await drawn(part, "bar");
  const means = rows.map(({ mean_amount }) => mean_amount);
  const days = Object.values(rows).map((row) => Object.values(row)[0]);
  assert.deepEqual(days, ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
  // Computed money has cents, all of it, and no more.
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const most = Math.max(...means);
  const least = Math.min(...means);
  assert.equal(
    words,
    `Bars of mean of amount (EUR) by weekday: 7 groups. ` +
      `Highest: ${format.format(most)} at ${days[means.indexOf(most)]}. ` +
      `Lowest: ${format.format(least)} at ${days[means.indexOf(least)]}.`,
  );
  assert.equal(await chart.getByRole("img").getAttribute("aria-label"), words);
  const seen = await texts(part);
  assert.deepEqual(
    seen.filter((text) => days.includes(text)),
    days,
  );
  assert.ok(seen.includes("mean of amount, EUR"), seen.join());
  await part.id("values").click();
  const listed = await part.id("values-table").locator("tbody tr").allInnerTexts();
  assert.deepEqual(
    listed.map((row) => row.split(/\s+/)[0]),
    days,
  );
  await part.state("chart-bars");
});

test("a line over time does not depend on the zone of the machine; Russian and dark", async (t) => {
  const part = await open(t, { zone: "America/New_York" });
  await part.engine({ buys: purchases(1200) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({
      table: "buys",
      group_by: ["date()", "shop"],
      select: "sum(amount)",
    }),
  }));
  const words = await drawn(part, "line");
  assert.match(
    words,
    /^Line of sum of amount \(EUR\) over day, 3 of shop: 900 points, from 2024-01-01 to 2024-10-26\./,
  );
  await part.state("chart-lines");
  await part.page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await part.page.evaluate(() => (window.element.locale = "ru"));
  await part.page.waitForFunction(() =>
    [...window.element.shadowRoot.querySelectorAll("svg text")].some((one) =>
      /янв|февр|март/.test(one.textContent),
    ),
  );
  assert.match(await part.id("words").textContent(), /с 01\.01\.2024 по 26\.10\.2024/);
  await part.state("chart-lines-ru-dark");
});

test("in Russian the columns of a query, weekdays and large numbers are Russian", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(2000) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    locale: "ru",
    result: await ph.query({
      table: "buys",
      map: { dow: "dayname()", cents: "amount * 10000" },
      group_by: "dow",
      select: ["sum(cents)"],
    }),
  }));
  const words = await drawn(part, "bar");
  assert.match(
    words,
    /^Столбцы – сумма cents, по оси – день недели: 7 групп\. Наибольшее: [\d\u00a0,]+ \(/,
  );
  const seen = await texts(part);
  const axis = ["день недели", "сумма cents", "пн", "вс", "0"];
  assert.deepEqual(
    axis.filter((text) => !seen.includes(text)),
    [],
    seen.join(),
  );
  assert.ok(
    seen.some((text) => /^\d+(,\d+)?\u00a0млн$/.test(text)),
    seen.join(),
  );
  // Back in English everything is, and the choice of a column too.
  await part.page.evaluate(() => (window.element.locale = "en"));
  await part.id("words").filter({ hasText: "Bars of sum of cents by weekday: 7 groups" }).waitFor();
  await part.page.waitForFunction(() =>
    [...window.element.shadowRoot.querySelectorAll("svg text")].some((one) =>
      /^\d+(\.\d+)?M$/.test(one.textContent),
    ),
  );
  assert.ok((await texts(part)).includes("Mon"));
  assert.deepEqual(await part.id("x").locator("option").allTextContents(), ["weekday"]);
  await part.state("chart-large-numbers");
});

test("a histogram of rows, and what a person changes", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(2000) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({ table: "buys", columns: ["shop", "amount", "items"] }),
  }));
  const words = await drawn(part, "histogram");
  assert.match(words, /^Histogram of amount \(EUR\): 1,979 values in \d+ ranges/);
  assert.deepEqual(await notes(part), ["Rows without a value, left out: 21."]);
  await part.state("chart-histogram");
  await part.id("x").selectOption("items");
  await part.page.waitForFunction(() =>
    window.element.shadowRoot.querySelector('[data-testid="words"]').textContent.includes("items"),
  );
  assert.match(await drawn(part, "histogram"), /2,000 values in 9 ranges, from 1 to 10/);
  await part.id("kind").selectOption("bar");
  await part.id("repeats").getByText("Several rows have the same value of shop").waitFor();
  const chosen = await part.heard("pinhole-chart");
  assert.deepEqual(
    chosen.map(({ choice }) => choice.kind),
    ["histogram", "bar"],
  );
});

test("too many groups, lines, rows and units are bounded, and it is said", async (t) => {
  const part = await open(t);
  const handle = (length, row) =>
    `({ length: ${length}, columns: columns, rows: (offset, limit) => {
      window.read = (window.read ?? 0) + limit;
      return Promise.resolve(Array.from({ length: Math.min(limit, ${length} - offset) },
        (_, i) => (${row})(offset + i)));
    } })`;
  const show = (columns, length, row, choice) =>
    part.show(
      "pinhole-chart",
      `async (ph, given) => { const columns = given.columns; return { choice: given.choice, result: ${handle(length, row)} }; }`,
      { columns, choice },
    );
  const text = { name: "name", kind: "text" };
  const value = { name: "value", kind: "float" };
  await show([text, value], 150, "(i) => ({ name: `a rather long name ${i}`, value: i })", {
    kind: "bar",
    x: "name",
    y: ["value"],
  });
  await drawn(part, "bar");
  assert.deepEqual(await notes(part), [
    "Shown: 60 of 150 groups, the first in the order of the result. The other 90 are left out.",
  ]);
  await part.scene.picture("chart-many-bars");

  const at = { name: "at", kind: "timestamp" };
  const moment = "new Date(1.7e12 + i * 6e4).toISOString().slice(0, 19)";
  await show(
    [at, value],
    100_000,
    `(i) => ({ at: ${moment}, value: i === 54321 ? 999 : Math.sin(i / 9000) })`,
  );
  const words = await drawn(part, "line");
  assert.match(words, /100,000 points.*Highest: 999 at/);
  const [thin] = await notes(part);
  assert.match(
    thin,
    /^100,000 rows are drawn as \d,?\d+ points: the lowest and the highest of each stretch of about \d+ rows\.$/,
  );
  await part.state("chart-thinned");

  await part.page.evaluate(() => (window.read = 0));
  await show([at, value], 5_000_000, `(i) => ({ at: ${moment}, value: i % 1000 })`);
  await drawn(part, "line");
  assert.match((await notes(part))[0], /^300,000 of 5,000,000 rows were read/);
  assert.ok((await part.page.evaluate(() => window.read)) < 310_000);

  const kind = { name: "kind", kind: "text" };
  await show(
    [at, kind, value],
    260,
    `(i) => ({ at: ${moment}, kind: "k" + (i % 13), value: i + 20 * (i % 13) })`,
    { kind: "line", x: "at", y: ["value"], series: "kind" },
  );
  await drawn(part, "line");
  assert.match((await notes(part))[0], /^Shown: 10 of 13 of kind/);
  await part.state("chart-many-lines");
});

test("the title of an axis never leaves the picture", async (t) => {
  const part = await open(t);
  const long = "a column of numbers whose name goes on and on and on and then on for a while";
  for (const [places, width] of [
    [4, 900],
    [40, 360],
  ]) {
    await part.page.setViewportSize({ width, height: 900 });
    await part.show(
      "pinhole-chart",
      `(ph, { long, places }) => ({
        choice: { kind: "bar", x: "group of " + long, y: [long] },
        result: {
          length: places,
          columns: [{ name: "group of " + long, kind: "text" }, { name: long, kind: "int" }],
          rows: (offset, limit) => Promise.resolve(Array.from({ length: places },
            (_, i) => ({ ["group of " + long]: "g" + i, [long]: i + 1 })).slice(offset, offset + limit)),
        },
      })`,
      { long, places },
    );
    await drawn(part, "bar");
    const outside = await part.page.evaluate(() => {
      const picture = window.element.shadowRoot.querySelector(".drawing svg");
      const all = picture.getBoundingClientRect();
      return [...picture.querySelectorAll("text")]
        .filter((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return left < all.left || right > all.right || top < all.top || bottom > all.bottom;
        })
        .map((text) => text.textContent);
    });
    assert.deepEqual(outside, [], `${places} groups, ${width} pixels`);
    // Below lying bars it goes on in other lines; beside upright ones it is cut.
    const whole = places === 4 ? /^a column of numbers.*…$/ : /^a column of numbers.*for a ?while$/;
    const all = await texts(part);
    assert.ok(
      all.some((text) => whole.test(text)),
      all.join("; "),
    );
  }
});

test("columns of other units stay out, with a word, and can be chosen", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(400) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({
      table: "buys",
      group_by: "shop",
      select: ["sum(amount)", "sum(items)", "max(items)"],
    }),
  }));
  await drawn(part, "bar");
  assert.deepEqual(await notes(part).then((list) => list.filter((one) => /units/.test(one))), [
    "Left out, for their units differ: sum of items, maximum of items.",
  ]);
  await part.id("y").selectOption("sum_items");
  await part.page.waitForFunction(() =>
    window.element.shadowRoot
      .querySelector('[data-testid="words"]')
      .textContent.includes("Bars of sum of items"),
  );
  await part.page.evaluate(() => {
    window.element.choice = { kind: "bar", x: "shop", y: ["sum_items", "max_items"] };
  });
  await part.page.waitForFunction(() =>
    [...window.element.shadowRoot.querySelectorAll("svg text")].some(
      (one) => one.textContent === "maximum of items",
    ),
  );
  await part.state("chart-grouped-bars");
});

test("export as SVG and PNG; no request, no address, and Vega comes with the first chart", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(300) }, UNITS);
  await part.page.evaluate(() => import("/pinhole/element/chart.js"));
  const fetched = () => part.scene.log.map(({ url }) => url).filter((url) => /vega/.test(url));
  assert.deepEqual(fetched(), []);
  await part.show("pinhole-chart", async (ph) => ({
    name: "shops",
    result: await ph.query({ table: "buys", group_by: "shop", select: "sum(amount)" }),
  }));
  await drawn(part, "bar");
  assert.equal(fetched().length, 1);
  const before = part.scene.log.length;
  const svg = await part.download("save-svg");
  assert.equal(svg.name, "shops.svg");
  const text = svg.bytes.toString();
  assert.match(text, /^<svg[^>]*><title>Bars of sum of amount \(EUR\) by shop: 3 groups\./);
  assert.match(text, />sum of amount \(EUR\) by shop<\/text>/);
  assert.deepEqual(
    [...text.matchAll(/https?:\/\/[^"' )]+/g)]
      .map(([address]) => address)
      .filter((a) => !a.startsWith("http://www.w3.org/")),
    [],
  );
  assert.doesNotMatch(text, /data:|href/);
  const png = await part.download("save-png");
  assert.equal(png.name, "shops.png");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  const size = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
  assert.ok(size[0] > 1000 && size[1] > 400, `${size}`);
  assert.equal(part.scene.log.length, before, "nothing was requested");
  assert.deepEqual(await part.page.evaluate(() => window.violations), []);
});

test("the colours are those of the page, whatever changes them", async (t) => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const part = await open(t, { reducedMotion });
    await part.engine({ buys: purchases(300) }, UNITS);
    await part.show("pinhole-chart", async (ph) => ({
      result: await ph.query({ table: "buys", group_by: "shop", select: "sum(amount)" }),
    }));
    await drawn(part, "bar");
    const [white, dark] = ["rgb(255, 255, 255)", "rgb(27, 31, 34)"];
    const ground = () =>
      part.page.evaluate(async () => {
        const svg = await window.element.toSVG();
        return new DOMParser()
          .parseFromString(svg, "image/svg+xml")
          .querySelector("rect")
          .getAttribute("fill");
      });
    const becomes = async (colour, change) => {
      // The picture on the page, drawn anew by itself, and an export in the moment of the change.
      await part.page.evaluate(change);
      await part.page.waitForFunction((wanted) => {
        const picture = window.element.shadowRoot.querySelector(".drawing svg");
        return getComputedStyle(picture).backgroundColor === wanted;
      }, colour);
      assert.equal(await ground(), colour);
    };
    assert.equal(await ground(), white);
    await part.page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        ".night { color-scheme: dark } .paper { --pinhole-ground: rgb(250, 240, 230) }",
      );
      document.adoptedStyleSheets.push(sheet);
    });
    await becomes(dark, () => document.documentElement.classList.add("night"));
    await part.state(`chart-night-${reducedMotion}`);
    await becomes(white, () => window.element.setAttribute("theme", "light"));
    await becomes("rgb(250, 240, 230)", () => document.body.classList.add("paper"));
    await becomes(white, () => document.body.classList.remove("paper"));
    await becomes(dark, () => window.element.removeAttribute("theme"));
    const atOnce = await part.page.evaluate(() => {
      document.documentElement.classList.remove("night");
      return window.element.toSVG();
    });
    assert.ok(atOnce.includes(white) && !atOnce.includes(dark), "exported in the same moment");
    await part.page.emulateMedia({ colorScheme: "dark", reducedMotion });
    await becomes(dark, () => undefined);
    await part.page.close();
  }
});

test("reading that is cancelled is stopped, and goes on when wanted", async (t) => {
  const part = await open(t);
  await part.show("pinhole-chart", () => {
    let held = false;
    return {
      result: {
        length: 50_000,
        columns: [{ name: "n", kind: "int" }],
        rows: async (offset, limit) => {
          if (offset > 0 && !held) {
            held = true;
            await new Promise((done) => (window.release = done));
          }
          const there = Math.max(0, Math.min(limit, 50_000 - offset));
          return Array.from({ length: there }, (_, i) => ({ n: offset + i }));
        },
      },
    };
  });
  await part.page.waitForFunction(() => window.release);
  await part.id("cancel").click();
  await part.page.evaluate(() => window.release());
  await part.id("error").getByText("Stopped.").waitFor();
  assert.equal(await part.id("none").count(), 0);
  await part.page.getByRole("button", { name: "Try again" }).click();
  await drawn(part, "histogram");
});

test("nothing to draw, another width, another result", async (t) => {
  const part = await open(t, { width: 360 });
  await part.engine({ buys: purchases(300) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({ table: "buys", where: "amount > 1e9" }),
  }));
  await part.id("none").getByText("This result has no chart").waitFor();
  await part.state("chart-none");
  await part.page.evaluate(async () => {
    window.element.result = await window.ph.query({
      table: "buys",
      group_by: "dayname()",
      select: ["min(amount)", "max(amount)"],
    });
  });
  await drawn(part, "bar");
  await part.state("chart-360");
  await part.page.setViewportSize({ width: 700, height: 800 });
  await part.page.waitForFunction(
    () => window.element.shadowRoot.querySelector(".drawing svg").clientWidth > 600,
  );
  await part.page.evaluate(async () => {
    window.element.result = await window.ph.query({ table: "buys", select: "count()" });
  });
  await part.id("none").waitFor();
});

test("the chart that is there first can be drawn: one of two measures by two keys, a spread without bars", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(2000) }, UNITS);
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({
      table: "buys",
      group_by: ["dayname()", "shop"],
      select: ["sum(amount)", "mean(items)"],
    }),
  }));
  assert.match(await drawn(part, "bar"), /^Bars of sum of amount \(EUR\) by weekday, 3 of shop/);
  assert.deepEqual(await notes(part), [
    "One column of values is drawn at a time here. Others to choose: mean of items.",
  ]);
  await part.id("y").selectOption("mean_items");
  await part.page.waitForFunction(() =>
    window.element.shadowRoot
      .querySelector('[data-testid="words"]')
      .textContent.includes("mean of items"),
  );
  await drawn(part, "bar");

  // Names that repeat have no bars of their own.
  await part.show("pinhole-chart", async () => ({
    result: {
      length: 6,
      rows: () => Promise.resolve(["a", "b", "a", "b", "a", "c"].map((name, n) => ({ name, n }))),
    },
  }));
  assert.match(await drawn(part, "histogram"), /^Histogram of n: 6 values/);
  assert.deepEqual(await notes(part), ["No bars by name: several rows have the same value of it."]);
});

test("colours of series are told apart by people of any sight, in light and dark", async (t) => {
  const part = await open(t);
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  await part.show(
    "pinhole-chart",
    async (ph, given) => ({
      choice: { kind: "bar", x: "n", y: ["v"], series: "s" },
      result: {
        length: given.length,
        columns: [
          { name: "n", kind: "text" },
          { name: "s", kind: "text" },
          { name: "v", kind: "float" },
        ],
        rows: () => Promise.resolve(given.map((s, i) => ({ n: "all", s, v: i + 1 }))),
      },
    }),
    names,
  );
  for (const [scheme, ground] of [
    ["light", [255, 255, 255]],
    ["dark", [27, 31, 34]],
  ]) {
    await part.page.emulateMedia({ colorScheme: scheme });
    await part.page.waitForFunction(
      (dark) =>
        getComputedStyle(window.element).color.startsWith(dark ? "rgb(232" : "rgb(27") &&
        window.element.shadowRoot.querySelector(".drawing")?.dataset.drawn === "bar",
      scheme === "dark",
    );
    const found = () =>
      part.page.evaluate(() =>
        [...window.element.shadowRoot.querySelectorAll(".mark-symbol.role-legend-symbol path")].map(
          (mark) => {
            const probe = document.createElement("i");
            probe.style.color = mark.getAttribute("fill");
            document.body.append(probe);
            const rgb = getComputedStyle(probe).color.match(/\d+/g).map(Number);
            probe.remove();
            return rgb.slice(0, 3);
          },
        ),
      );
    let colours = await found();
    for (const until = Date.now() + 20_000; Date.now() < until; colours = await found()) {
      const dark = colours.length > 0 && luminance(colours[0]) > 0.3;
      if (colours.length === names.length && dark === (scheme === "dark")) break;
    }
    assert.equal(colours.length, names.length);
    await part.state(`chart-colours-${scheme}`);
    for (const colour of colours) assert.ok(contrast(colour, ground) >= 3, `${scheme} ${colour}`);
    for (const [n, least] of [
      [5, 0.1],
      [10, 0.06],
    ]) {
      for (let i = 0; i < n; i += 1) {
        for (let j = 0; j < i; j += 1) {
          const far = apart(colours[i], colours[j]);
          assert.ok(far > least, `${scheme}: ${colours[i]} and ${colours[j]} are ${far} apart`);
        }
      }
    }
  }
});

const linear = (part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const luminance = (colour) => {
  const [r, g, b] = colour.map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** Linear colours as people see them: as they are, and after Machado et al. (2009), severity 1. */
const SIGHTS = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

function oklab([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** How far two colours are apart for those who see least of it. */
function apart(one, other) {
  const seen = (colour, sight) => {
    const rgb = colour.map(linear);
    return oklab(
      sight.map((row) =>
        Math.min(
          1,
          Math.max(
            0,
            row.reduce((all, by, i) => all + by * rgb[i], 0),
          ),
        ),
      ),
    );
  };
  return Math.min(
    ...SIGHTS.map((sight) => {
      const [a, b] = [seen(one, sight), seen(other, sight)];
      return Math.hypot(...a.map((at, i) => at - b[i]));
    }),
  );
}

test("another key along the axis changes places with the split, and several rows of a bar are split", async (t) => {
  const part = await open(t);
  const rows = ["dept,position,pay,heads"];
  for (const [dept, at] of [
    ["Sales", 100],
    ["Office", 200],
  ])
    for (const [i, position] of ["lead", "clerk", "trainee"].entries())
      rows.push(`${dept},${position},${at + i},${1 + i}`);
  await part.engine({ staff: `${rows.join("\n")}\n` });
  await part.show("pinhole-chart", async (ph) => ({
    result: await ph.query({
      table: "staff",
      group_by: ["dept", "position"],
      select: ["sum(pay)", "sum(heads)"],
    }),
  }));
  await drawn(part, "bar");
  const state = () =>
    part.page.evaluate(() =>
      Object.fromEntries(
        ["x", "y", "series"].map((id) => [
          id,
          window.element.shadowRoot.querySelector(`[data-testid="${id}"]`)?.value,
        ]),
      ),
    );
  assert.deepEqual(await state(), { x: "dept", y: "sum_pay", series: "position" });
  assert.ok(!(await part.id("x").locator("option").allTextContents()).includes("sum of pay"));
  await part.id("x").selectOption("position");
  await part.id("words").filter({ hasText: "by position, 2 of dept: 3 groups" }).waitFor();
  assert.deepEqual(await state(), { x: "position", y: "sum_pay", series: "dept" });
  await part.id("kind").selectOption("line");
  await drawn(part, "line");
  await part.id("x").selectOption("dept");
  await part.id("words").filter({ hasText: "over dept, 3 of position: 6 points" }).waitFor();
  // No split was asked for: it is said why there is nothing to see.
  await part.id("series").selectOption("");
  await part.id("repeats").getByText("Several rows have the same value of dept").waitFor();
  assert.equal((await state()).series, "");
  // Along another key there is one again.
  await part.id("x").selectOption("position");
  await part.id("words").filter({ hasText: "over position, 2 of dept: 6 points" }).waitFor();
  assert.deepEqual(await state(), { x: "position", y: "sum_pay", series: "dept" });
});
