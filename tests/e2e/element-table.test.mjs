// <pinhole-table> in a real browser under a strict policy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parts } from "./parts.mjs";

const open = parts();

const SHOPS = ["Kuper", "Vkusno", "Lavka", "<b onclick=alert(1)>Bold & Co</b>"];

/** Purchases with a missing amount in every tenth row. */
function purchases(rows) {
  const lines = ["id,day,shop,amount,note"];
  for (let i = 0; i < rows; i += 1) {
    const amount = i % 10 === 9 ? "" : ((i * 7919) % 100003) / 100;
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    lines.push(`${i},${day},${SHOPS[i % 4]},${amount},n${i}`);
  }
  return `${lines.join("\n")}\n`;
}

const PURCHASES = { buys: { units: { amount: "EUR" } } };

/** The texts of the rows in sight. */
function rows(part) {
  return part.page.evaluate(() =>
    [...window.element.shadowRoot.querySelectorAll('.body [role="row"]')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    ),
  );
}

/** Waits until the current cell is there, with its text. */
async function current(part) {
  return part.page.evaluate(() => {
    const view = window.element.shadowRoot.querySelector(".view");
    const id = view.getAttribute("aria-activedescendant");
    return id && window.element.shadowRoot.getElementById(id).textContent;
  });
}

async function arrives(part, text) {
  await part.page.waitForFunction((wanted) => {
    const root = window.element.shadowRoot;
    const id = root?.querySelector(".view")?.getAttribute("aria-activedescendant");
    return id && root.getElementById(id)?.textContent === wanted;
  }, text);
}

test("rows of a query: kinds, units, nulls, texts that look like HTML, and the keyboard", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(5000) }, PURCHASES);
  const table = await part.show("pinhole-table", async (ph) => ({
    ph,
    result: await ph.query({ table: "buys" }),
  }));
  const grid = part.id("grid");
  await grid.getByText("n0", { exact: true }).waitFor();
  assert.equal(await table.getByRole("grid").count(), 1);
  assert.equal(await grid.getAttribute("aria-rowcount"), "5001");
  assert.equal(await grid.getAttribute("aria-colcount"), "5");
  assert.match(await part.id("size").textContent(), /5,000 rows · 5 columns/);
  const shown = await rows(part);
  assert.deepEqual(shown[0], ["0", "2024-01-01", "Kuper", "0.00", "n0"]);
  assert.equal(shown[3][2], SHOPS[3]);
  assert.equal(await table.locator("b").count(), 0, "no element comes from a cell");
  assert.equal(shown[9][3], "null");
  assert.ok(shown.length < 30, `${shown.length} rows are elements`);
  assert.match(await part.page.locator(".head").textContent(), /amount, EUR/);
  const look = await grid.getByText("79.19", { exact: true }).evaluate((cell) => {
    const { textAlign, fontVariantNumeric } = getComputedStyle(cell);
    return { textAlign, fontVariantNumeric };
  });
  assert.deepEqual(look, { textAlign: "end", fontVariantNumeric: "tabular-nums" });
  const [head, first] = await part.page.evaluate(() =>
    [".head", '.body [role="row"]'].map((one) => {
      const { top, bottom } = window.element.shadowRoot.querySelector(one).getBoundingClientRect();
      return { top, bottom };
    }),
  );
  assert.equal(first.top, head.bottom, "the first row is below the headings");
  await part.state("table-rows");

  await grid.focus();
  const { keyboard } = part.page;
  for (const [key, text] of [
    ["ArrowDown", "1"],
    ["ArrowRight", "2024-01-02"],
    ["End", "n1"],
    ["Home", "1"],
    ["Control+End", "n4999"],
    ["ArrowUp", "n4998"],
    ["Control+Home", "0"],
    ["ArrowUp", "id"],
    ["ArrowDown", "0"],
    ["Control+ArrowDown", "4999"],
    ["Control+ArrowUp", "0"],
  ]) {
    await keyboard.press(key);
    await arrives(part, text);
  }
  const sight = (await rows(part)).length;
  await keyboard.press("PageDown");
  const [paged] = [Number(await current(part))];
  assert.ok(paged > 5 && paged < sight, `a page down is row ${paged}`);
  await keyboard.press("PageUp");
  await arrives(part, "0");
  assert.match(await part.page.locator(".detail").textContent(), /Row 1 of 5,000 · id\s*0/);
});

test("sorting, in the page and by a query", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(30_000) }, PURCHASES);
  const show = (limit) =>
    part.show(
      "pinhole-table",
      async (ph, most) => ({
        ...(most === 500 ? {} : { ph }),
        result: await ph.query({ table: "buys", ...(most ? { limit: most } : {}) }),
      }),
      limit,
    );
  const byAmount = (direction, limit) =>
    part.page.evaluate(
      async ([sort, most]) => {
        const query = most
          ? { table: "buys", limit: most, steps: [{ sort }] }
          : { table: "buys", sort };
        const result = await window.ph.query(query);
        const found = await result.table.rows(0, 1e6);
        return found.map(({ id }) => String(id));
      },
      [direction === "desc" ? "amount desc" : "amount", limit],
    );
  for (const limit of [undefined, 12_000, 500]) {
    await show(limit);
    await part.id("grid").getByText("n0", { exact: true }).waitFor();
    const head = part.page.getByRole("columnheader", { name: /^amount/ });
    for (const direction of ["asc", "desc"]) {
      await head.click();
      await part.page.waitForFunction(
        (wanted) =>
          window.heard.at(-1)?.detail.direction === wanted &&
          !window.element.shadowRoot.querySelector(".cell.wait"),
        direction,
      );
      const sort = direction === "asc" ? "ascending" : "descending";
      assert.equal(await head.getAttribute("aria-sort"), sort);
      const expected = (await byAmount(direction, limit)).map(String);
      const ids = (await rows(part)).map(([id]) => id);
      assert.deepEqual(ids, expected.slice(0, ids.length), `${direction} of ${limit ?? "all"}`);
      await part.id("grid").focus();
      await part.page.keyboard.press("Control+End");
      await part.page.keyboard.press("Home");
      await arrives(part, expected.at(-1));
    }
    await head.click();
    await part.page.waitForFunction(() => window.heard.at(-1)?.detail.direction === undefined);
    await part.page.evaluate(() => window.element.goTo(0));
    await arrives(part, "0.00");
    await part.page.evaluate(() => (window.heard = []));
  }
  assert.deepEqual(await part.page.evaluate(() => window.violations), []);
});

test("copying, downloads and raw JSON hold the exact values", async (t) => {
  const part = await open(t);
  await part.scene.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const big = 2n ** 62n;
  const text = `id,price,who\n${big},0.1,"a ""b"", c"\n2,,"line\none"\n3,2.5,=SUM(A1)\n`;
  await part.engine({ odd: text });
  await part.show("pinhole-table", async (ph) => ({
    name: "odd",
    result: await ph.query({ table: "odd" }),
  }));
  const grid = part.id("grid");
  await grid.getByText("=SUM(A1)").waitFor();
  await grid.focus();
  await part.page.keyboard.press("Control+a");
  const pasted = [
    [String(big), "0.1", '"a ""b"", c"'],
    ["2", "", '"line\none"'],
    ["3", "2.5", "'=SUM(A1)"],
  ];
  const tabs = pasted.map((row) => row.join("\t")).join("\n");
  await part.page.keyboard.press("Control+c");
  await part.id("said").getByText("9").waitFor();
  assert.equal(await part.page.evaluate(() => navigator.clipboard.readText()), tabs);
  await part.page.keyboard.press("Control+Home");
  await part.page.keyboard.press("Shift+ArrowDown");
  await part.id("copy").click();
  await part.id("said").getByText("2").waitFor();
  assert.equal(await part.page.evaluate(() => navigator.clipboard.readText()), `${big}\n2`);

  const csv = await part.download("save-csv");
  assert.equal(csv.name, "odd.csv");
  assert.equal(csv.bytes.toString(), `\u{feff}${text}`);
  const json = await part.download("save-json");
  const lines = [
    `{"id":${big},"price":0.1,"who":"a \\"b\\", c"}`,
    '{"id":2,"price":null,"who":"line\\none"}',
    '{"id":3,"price":2.5,"who":"=SUM(A1)"}',
  ];
  assert.equal(json.bytes.toString(), `[\n${lines.join(",\n")}\n]\n`);
  const arrow = await part.download("save-arrow");
  assert.equal(arrow.name, "odd.arrow");
  const back = await part.page.evaluate(
    async (bytes) => {
      const { rows } = await window.ph.load("back", new Uint8Array(bytes));
      return rows;
    },
    [...arrow.bytes],
  );
  assert.equal(back, 3);

  await part.id("raw").click();
  const raw = await part.id("raw-text").textContent();
  assert.equal(raw, `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]`);
  await part.state("table-raw");
  await part.id("raw").click();
  await grid.getByText("=SUM(A1)").waitFor();
});

test("the filter names groups, selected rows, or all of them", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(400) }, PURCHASES);
  await part.show("pinhole-table", async (ph) => ({
    result: await ph.query({
      table: "buys",
      where: "amount > 100",
      group_by: "shop",
      select: "sum(amount)",
    }),
  }));
  // Nobody has selected anything: what the button says is what the page is told.
  await part.id("grid").getByText("Vkusno").waitFor();
  await part.id("filter").getByText("Filter to all rows (4)").click();
  await part.page.waitForFunction(() => window.heard.length === 1);
  const [all] = await part.heard("pinhole-filter");
  assert.deepEqual([all.key, all.keys, all.range], [undefined, [], undefined]);
  const every = await part.page.evaluate(() => window.last.rows(0, 1));
  const matched = purchases(400)
    .split("\n")
    .filter((line) => Number(line.split(",")[3]) > 100);
  assert.equal(every.total, matched.length);
  await part.id("filter").getByText("Filter to all rows (4)").waitFor();
  await part.page.evaluate(() => window.heard.splice(0));
  await part.id("grid").getByText("Vkusno").click();
  await part.id("filter").getByText("Filter to this group").click();
  await part.id("said").getByText("The page was told").waitFor();
  const [group] = await part.heard("pinhole-filter");
  assert.equal(group.table, "buys");
  assert.equal(group.where, "amount > 100");
  assert.deepEqual(group.key, { shop: "Vkusno" });
  const behind = await part.page.evaluate(async () => {
    const page = await window.last.rows(0, 1000);
    const at = page.columns.indexOf("shop");
    return { total: page.total, shops: [...new Set(page.rows.map((row) => row[at]))] };
  });
  assert.ok(behind.total > 10);
  assert.deepEqual(behind.shops, ["Vkusno"]);
  await part.id("grid").focus();
  await part.page.keyboard.press("Shift+ArrowUp");
  await part.id("filter").getByText("Filter to selected groups (2)").click();
  await part.page.waitForFunction(() => window.heard.length === 2);
  const two = (await part.heard("pinhole-filter"))[1];
  assert.equal(two.keys.length, 2);
  const both = await part.page.evaluate(async () => (await window.last.rows(5, 1000)).rows.length);
  assert.ok(both > behind.total - 5);

  await part.show("pinhole-table", async (ph) => ({ result: await ph.query({ table: "buys" }) }));
  await part.id("filter").getByText("Filter to all rows (400)").waitFor();
  await part.id("grid").getByText("n2", { exact: true }).click();
  await part.id("grid").focus();
  await part.page.keyboard.press("Shift+ArrowDown");
  await part.id("filter").getByText("Filter to selected rows (2)").click();
  await part.page.waitForFunction(() => window.heard.length === 3);
  const some = (await part.heard("pinhole-filter"))[2];
  assert.deepEqual(some.range, [2, 4]);
  const ids = await part.page.evaluate(async () =>
    (await window.last.rows()).rows.map(([id]) => id),
  );
  assert.deepEqual(ids, [2, 3]);
});

test("the filter knows the rows by columns that the query left out", async (t) => {
  const part = await open(t);
  await part.engine({ buys: purchases(400) }, PURCHASES);
  const select = async (text, query) => {
    await part.show(
      "pinhole-table",
      "async (ph, query) => ({ ph, result: await ph.query(query) })",
      {
        table: "buys",
        columns: ["shop", "amount"],
        ...query,
      },
    );
    await part.id("grid").getByText(text, { exact: true }).click();
    await part.id("grid").focus();
    await part.page.keyboard.press("Shift+ArrowDown");
  };
  const press = async () => {
    const { length } = await part.heard("pinhole-filter");
    await part.id("filter").click();
    await part.page.waitForFunction(
      (n) => window.heard.filter(({ type }) => type === "pinhole-filter").length > n,
      length,
    );
    return part.page.evaluate(async () => {
      const { columns, rows, total } = await window.last.rows(0, 1000);
      return { columns, total, ids: rows.map((row) => row[columns.indexOf("id")]), rows };
    });
  };
  // The row of 79.19 is the second one.
  await select("79.19");
  const plain = await press();
  assert.deepEqual(plain.columns, ["shop", "amount", "id", "day", "note"]);
  assert.deepEqual(plain.ids, [1, 2]);
  assert.deepEqual(plain.rows[0], ["Vkusno", 79.19, 1, "2024-01-02", "n1"]);
  assert.equal(plain.total, 2);
  // The last rows of a list, each page of them, and what is beyond its end.
  const pages = await part.page.evaluate(async () => {
    const ids = async (...place) => {
      const { columns, rows } = await window.last.rows(...place);
      return rows.map((row) => row[columns.indexOf("id")]);
    };
    return [await ids(1, 1), await ids(1, 5), await ids(2, 5)];
  });
  assert.deepEqual(pages, [[2], [2], []]);

  // Of a list that is cut, and of one that the person has sorted since.
  const least = { where: "amount < 500", sort: "amount", limit: 3 };
  await select("0.00", least);
  const ids = await part.page.evaluate(async (query) => {
    const { table } = await window.ph.query({ table: "buys", ...query });
    return (await table.rows()).map(({ id }) => id);
  }, least);
  assert.equal(ids.length, 3);
  assert.deepEqual((await press()).ids, ids.slice(0, 2));
  const head = part.page.getByRole("columnheader", { name: /amount/ });
  await head.click();
  await head.click();
  // The grid is made anew with its rows: the head of before is gone by then.
  await head.and(part.page.locator("[aria-sort='descending']")).waitFor();
  await part.page.keyboard.press("Control+Home");
  await part.page.keyboard.press("Shift+ArrowDown");
  assert.deepEqual((await press()).ids, [ids[2], ids[1]]);

  // Rows that are loaded anew are others: nothing of them is said of those in sight.
  await part.page.evaluate(async () => {
    await window.ph.drop("buys");
    await window.ph.load("buys", new Blob(["id,shop,amount\n7,Other,1\n8,Other,2\n9,Other,3\n"]));
  });
  assert.deepEqual((await press()).columns, ["shop", "amount"]);
});

test("0 rows, 1 row, 200 columns, long cells, a scalar, Russian, dark, 360 pixels", async (t) => {
  const part = await open(t);
  const names = Array.from({ length: 200 }, (_, i) => `column_${i}`);
  const wide = `${names.join()}\n${Array.from({ length: 50 }, (_, r) => names.map((_, c) => r * 200 + c).join()).join("\n")}\n`;
  const long = `id,text\n1,${"много слов ".repeat(2000)}\n2,short\n`;
  await part.engine({ buys: purchases(200), wide, long }, PURCHASES);
  await part.show("pinhole-table", async (ph) => ({
    result: await ph.query({ table: "buys", where: "amount > 1e9" }),
  }));
  await part.id("empty").waitFor();
  await part.state("table-0-rows");
  await part.show("pinhole-table", async (ph) => ({
    result: await ph.query({ table: "buys", where: "id == 7" }),
  }));
  await part.id("grid").getByText("n7", { exact: true }).waitFor();
  await part.state("table-1-row");
  await part.show("pinhole-table", async (ph) => ({
    result: await ph.query({ table: "buys", select: ["mean(amount)", "count()"] }),
  }));
  await part.id("grid").getByText("200", { exact: true }).waitFor();

  await part.show("pinhole-table", async (ph) => ({ result: await ph.query({ table: "wide" }) }));
  await part.id("grid").getByText("column_0", { exact: true }).waitFor();
  await part.page.waitForFunction(() => !window.element.shadowRoot.querySelector(".cell.wait"));
  const cells = await part.page.evaluate(
    () => window.element.shadowRoot.querySelectorAll('[role="gridcell"]').length,
  );
  assert.ok(cells < 600, `${cells} cells are elements`);
  await part.state("table-200-columns");
  await part.id("grid").focus();
  await part.page.keyboard.press("End");
  await arrives(part, "199");
  await part.page.keyboard.press("Control+End");
  await arrives(part, "9,999");
  await part.scene.picture("table-200-columns-end");

  await part.page.emulateMedia({ colorScheme: "dark" });
  await part.page.setViewportSize({ width: 360, height: 700 });
  await part.show("pinhole-table", async (ph) => ({
    locale: "ru",
    result: await ph.query({ table: "long" }),
  }));
  await part.id("grid").getByText("short", { exact: true }).waitFor();
  await part.id("grid").focus();
  await part.page.keyboard.press("ArrowRight");
  await part
    .id("value")
    .getByText(/\d знак/)
    .waitFor();
  await part.state("table-long-ru-dark-360");
  await part.page.emulateMedia({ colorScheme: "light" });
  await part.show("pinhole-table", async (ph) => ({
    locale: "ru",
    result: await ph.query({ table: "buys" }),
  }));
  await part.id("grid").getByText("01.01.2024").first().waitFor();
  await part.state("table-ru-360");
});

test("a handle of ten million rows: every row can be reached, few are read", async (t) => {
  const part = await open(t);
  await part.show("pinhole-table", () => {
    window.reads = [];
    return {
      result: {
        length: 10_000_000,
        columns: [
          { name: "i", kind: "int" },
          { name: "word", kind: "text" },
        ],
        rows: (offset, limit) => {
          window.reads.push([offset, limit]);
          const size = Math.min(limit, 10_000_000 - offset);
          return Promise.resolve(
            Array.from({ length: size }, (_, i) => ({ i: offset + i, word: `w${offset + i}` })),
          );
        },
      },
    };
  });
  const grid = part.id("grid");
  await grid.getByText("w0", { exact: true }).waitFor();
  await grid.focus();
  const { keyboard } = part.page;
  await keyboard.press("Control+End");
  await arrives(part, "w9999999");
  for (let i = 0; i < 3; i += 1) await keyboard.press("ArrowUp");
  await arrives(part, "w9999996");
  await part.page.evaluate(() => window.element.goTo(5_000_000));
  await arrives(part, "w5000000");
  await keyboard.press("ArrowDown");
  await arrives(part, "w5000001");
  // A small turn of the wheel goes on by pixels, a drag of the scroll bar by its share.
  const first = () =>
    part.page.evaluate(() =>
      Number(window.element.shadowRoot.querySelector('.body [role="row"]').ariaRowIndex),
    );
  const before = await first();
  await grid.hover();
  await part.page.mouse.wheel(0, 280);
  await part.page.waitForFunction(
    (wanted) =>
      Number(window.element.shadowRoot.querySelector('.body [role="row"]').ariaRowIndex) === wanted,
    before + 10,
  );
  await part.page.evaluate(() => {
    const view = window.element.shadowRoot.querySelector(".view");
    view.scrollTop = (view.scrollHeight - view.clientHeight) / 4;
  });
  await part.page.waitForFunction(() => {
    const row = window.element.shadowRoot.querySelector('.body [role="row"]');
    return Math.abs(Number(row.ariaRowIndex) - 2_500_000) < 1000;
  });
  await part.page.waitForFunction(() => !window.element.shadowRoot.querySelector(".cell.wait"));
  const { reads, count } = await part.page.evaluate(() => ({
    reads: window.reads.reduce((all, [, limit]) => all + limit, 0),
    count: window.element.shadowRoot.querySelectorAll('[role="gridcell"]').length,
  }));
  assert.ok(reads < 20_000, `${reads} rows were read`);
  assert.ok(count < 200, `${count} cells are elements`);
  await part.state("table-10-million");
});

test("a row to go to is reached when the rows are there, and the page hears of it once", async (t) => {
  const part = await open(t);
  await part.page.evaluate(() => {
    window.rows = [];
    document.addEventListener("pinhole-row", ({ detail }) => window.rows.push(detail));
  });
  const make = () => ({
    result: {
      length: 5000,
      columns: [{ name: "n", kind: "int" }],
      rows: async (offset, limit) => Array.from({ length: limit }, (_, i) => ({ n: offset + i })),
    },
  });
  const table = await part.show("pinhole-table", make);
  await arrives(part, "0");
  assert.deepEqual(await part.page.evaluate(() => window.rows), [], "nothing was chosen yet");
  await part.page.evaluate(async () => {
    const { result } = window.element;
    // Before it is drawn at all, and again over rows of another result.
    const early = document.createElement("pinhole-table");
    Object.assign(early, { result });
    early.goTo(4321);
    document.querySelector("#place").replaceChildren(early);
    window.element = early;
  });
  await arrives(part, "4,321");
  await part.page.evaluate(() => {
    window.element.result = { ...window.element.result };
    window.element.goTo(1234);
  });
  await arrives(part, "1,234");
  await table.locator(".view").press("ArrowUp");
  await arrives(part, "1,233");
  await part.page.waitForFunction(() => window.rows.length === 3);
  assert.deepEqual(
    await part.page.evaluate(() => window.rows),
    [4321, 1234, 1233].map((n) => ({ row: n, values: { n } })),
  );
});

test("a handle without a length, a failure and another try, a download that is cancelled", async (t) => {
  const part = await open(t);
  await part.show("pinhole-table", () => ({
    result: {
      rows: (offset, limit) =>
        Promise.resolve(
          Array.from({ length: Math.max(0, Math.min(limit, 1234 - offset)) }, (_, i) => ({
            n: offset + i,
          })),
        ),
    },
  }));
  await part.id("size").getByText("1,234").waitFor();
  await part.show("pinhole-table", () => {
    let tries = 0;
    return {
      result: {
        length: 1,
        columns: [{ name: "n", kind: "int" }],
        rows: () => {
          tries += 1;
          return tries === 2
            ? Promise.reject(new Error("the rows are not there"))
            : Promise.resolve([{ n: 42 }]);
        },
      },
    };
  });
  await part.id("error").getByText("the rows are not there").waitFor();
  // The button stands in its card.
  const [card, again] = await Promise.all(
    [part.id("error"), part.page.getByText("Try again")].map((one) => one.boundingBox()),
  );
  assert.ok(again.x >= card.x && again.y >= card.y, JSON.stringify({ card, again }));
  assert.ok(again.y + again.height <= card.y + card.height, JSON.stringify({ card, again }));
  await part.state("table-failure");
  await part.page.getByRole("button", { name: "Try again" }).click();
  await part.id("grid").getByText("42", { exact: true }).waitFor();
  await part.show("pinhole-table", () => ({
    result: {
      length: 1_000_000,
      columns: [{ name: "n", kind: "int" }],
      rows: async (offset, limit) => {
        if (offset > 20_000) await new Promise(() => {});
        return Array.from({ length: limit }, (_, i) => ({ n: offset + i }));
      },
    },
  }));
  await part.id("grid").getByText("7", { exact: true }).waitFor();
  await part.id("save-csv").click();
  await part
    .id("said")
    .getByText(/Writing CSV: [1-9]/)
    .waitFor();
  await part.state("table-writing");
  await part.id("cancel").click();
  await part.page.waitForFunction(
    () => !window.element.shadowRoot.querySelector('[data-testid="save-csv"]').disabled,
  );
});

test("rows in another order are shown from the first, and from the column that was looked at", async (t) => {
  const part = await open(t);
  const names = Array.from({ length: 30 }, (_, i) => (i === 0 ? "shop" : `column_${i}`));
  const line = (r) => names.map((_, c) => (c === 0 ? `shop ${r}` : ((r * 7) % 200) + c)).join();
  const wide = `${names.join()}\n${Array.from({ length: 200 }, (_, r) => line(r)).join("\n")}\n`;
  await part.engine({ wide });
  await part.show("pinhole-table", async (ph) => ({
    ph,
    result: await ph.query({ table: "wide" }),
  }));
  const grid = part.id("grid");
  await grid.getByText("shop 1", { exact: true }).waitFor();
  for (const [direction, first] of [
    ["ascending", "shop 0"],
    ["descending", "shop 57"],
  ]) {
    await grid.evaluate((view) => view.scrollTo(700, 3000));
    await part.page.locator('.body [aria-rowindex="112"]').waitFor();
    const head = part.page.getByRole("columnheader", { name: /^column_9/ });
    await head.click();
    await head.and(part.page.locator(`[aria-sort=${direction}]`)).waitFor();
    await part.page.waitForFunction(
      (wanted) =>
        window.element.shadowRoot.getElementById("cell-0-0")?.textContent === wanted &&
        window.element.shadowRoot.querySelector(".pane").style.getPropertyValue("--_left"),
      first,
    );
    assert.deepEqual(
      await grid.evaluate((view) => [view.scrollLeft, view.scrollTop]),
      [700, 0],
      direction,
    );
  }
});

test("the first column stays in sight beside those that scroll", async (t) => {
  const part = await open(t);
  const names = Array.from({ length: 40 }, (_, i) => (i === 0 ? "shop" : `column_${i}`));
  const line = (r) => names.map((_, c) => (c === 0 ? `shop ${r}` : r * 100 + c)).join();
  const wide = `${names.join()}\n${Array.from({ length: 60 }, (_, r) => line(r)).join("\n")}\n`;
  await part.engine({ wide, few: "shop,amount\nKuper,1\n" });
  await part.show("pinhole-table", async (ph) => ({ result: await ph.query({ table: "wide" }) }));
  const grid = part.id("grid");
  await grid.getByText("shop 1", { exact: true }).waitFor();
  /** Where a cell stands in the grid, what is drawn in its middle, and how far the grid is scrolled. */
  const seen = (id) =>
    part.page.evaluate((wanted) => {
      const root = window.element.shadowRoot;
      const [view, cell] = [root.querySelector(".view"), root.getElementById(wanted)];
      const [around, box] = [view.getBoundingClientRect(), cell.getBoundingClientRect()];
      const top = root.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return {
        left: box.left - around.left,
        right: box.right - around.left,
        onTop: cell === top || cell.contains(top),
        ground: getComputedStyle(cell).backgroundColor,
        scrolled: view.scrollLeft,
      };
    }, id);
  const scroll = async (left, top = 0) => {
    await grid.evaluate((view, to) => view.scrollTo(...to), [left, top]);
    await part.page.waitForFunction((to) => {
      const pane = window.element.shadowRoot.querySelector(".pane");
      return pane.style.getPropertyValue("--_left") === `${to}px`;
    }, left);
  };
  await scroll(777);
  for (const id of ["head-0", "cell-0-0", "cell-3-0"]) {
    const { left, onTop, ground } = await seen(id);
    assert.equal(left, 0, `${id} stands at the edge`);
    assert.ok(onTop, `nothing covers ${id}`);
    assert.doesNotMatch(ground, /rgba\(.*, 0\)/, `nothing shines through ${id}`);
  }
  const order = await part.page.evaluate(() =>
    [...window.element.shadowRoot.querySelector(".body").firstChild.children].map((cell) =>
      Number(cell.getAttribute("aria-colindex")),
    ),
  );
  assert.equal(order[0], 1);
  assert.ok(order[1] > 5, "columns below it are no elements");
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  await part.state("table-first-column");

  // Where it is pressed, there it is: the grid does not scroll back.
  await grid.getByText("shop 2", { exact: true }).click();
  await arrives(part, "shop 2");
  assert.equal((await seen("cell-2-0")).scrolled, 777);
  await part.page.locator(".detail").getByText("shop 2").waitFor();
  // The cell that the keys go to is not below it.
  await scroll(777);
  await grid.focus();
  await part.page.keyboard.press("End");
  await arrives(part, "239");
  for (let column = 38; column > 0; column -= 1) {
    await part.page.keyboard.press("ArrowLeft");
    const pin = await seen("head-0");
    const { left, onTop } = await seen(`cell-2-${column}`);
    assert.ok(onTop && left >= pin.right - 1, `column ${column} is in sight`);
  }
  await part.page.keyboard.press("Home");
  await arrives(part, "shop 2");
  assert.equal((await seen("cell-2-0")).scrolled, 0);

  // A column that would fill a narrow grid scrolls with the others; where all fit, none is held.
  await part.page.setViewportSize({ width: 360, height: 700 });
  await scroll(300);
  assert.equal((await seen("head-0")).left, 0);
  await grid.focus();
  await part.page.keyboard.press("Home");
  for (let i = 0; i < 12; i += 1) await part.page.keyboard.press("Alt+ArrowRight");
  await scroll(200);
  assert.equal((await seen("head-0")).left, -200);
  await part.show("pinhole-table", async (ph) => ({ result: await ph.query({ table: "few" }) }));
  await grid.getByText("Kuper", { exact: true }).waitFor();
  assert.equal(await part.page.locator(".pinned").count(), 0);
});
