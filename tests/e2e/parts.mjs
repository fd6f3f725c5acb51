// What the tests of <pinhole-table> and <pinhole-chart> share: a page under a strict policy, an
// engine with tables in it, and axe.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { stage } from "./harness.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const PAGE = `<!doctype html><html lang="en"><head><title>parts</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/parts.css"></head><body><main><h1>Parts</h1><div id="place"></div></main></body></html>`;
const SHEET = `:root { color-scheme: light dark; } body { margin: 16px; font: 15px/1.5 system-ui;
background: light-dark(#fff, #1b1f22); color: light-dark(#1b1f23, #e8eaeb); }
h1 { font-size: 1.1em; margin: 0 0 12px; }`;

/** One browser for a file; the result opens a page for one test. */
export function parts() {
  const open = stage();
  return async (t, { width = 900, zone, ...options } = {}) => {
    const scene = await open(t, { blank: true, ...options });
    const { context, page } = scene;
    await context.route("**/strict.html", (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": POLICY },
        body: PAGE,
      }),
    );
    await context.route("**/parts.css", (route) =>
      route.fulfill({ contentType: "text/css", body: SHEET }),
    );
    await context.route("**/favicon.ico", (route) => route.fulfill({ status: 204, body: "" }));
    if (zone) {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setTimezoneOverride", { timezoneId: zone });
    }
    await page.setViewportSize({ width, height: 900 });
    await page.goto(new URL("/strict.html", scene.url).href);
    await page.evaluate(() => {
      window.violations = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
      window.heard = [];
      for (const type of ["pinhole-filter", "pinhole-sort", "pinhole-chart"]) {
        document.addEventListener(type, (event) => {
          window.heard.push({ type, detail: JSON.parse(JSON.stringify(event.detail)) });
          window.last = event.detail;
        });
      }
    });
    return new Part(scene);
  };
}

export class Part {
  constructor(scene) {
    this.scene = scene;
    this.page = scene.page;
  }

  /** Opens the engine with tables from CSV text, by name. */
  async engine(tables, options = {}) {
    await this.page.evaluate(
      async ({ tables, options }) => {
        const { Pinhole } = await import("/pinhole/index.js");
        window.ph = await Pinhole.open();
        for (const [name, text] of Object.entries(tables)) {
          await window.ph.load(name, new Blob([text]), options[name] ?? {});
        }
      },
      { tables, options },
    );
  }

  /**
   * Puts an element on the page. `make` runs there and gives its properties; `ph` is the engine.
   */
  async show(tag, make, given) {
    await this.page.evaluate(`(async () => {
      await import("/pinhole/element/${tag.slice(8)}.js");
      const properties = await (${make})(window.ph, ${JSON.stringify(given) ?? "undefined"});
      const element = document.createElement("${tag}");
      Object.assign(element, properties);
      document.querySelector("#place").replaceChildren(element);
      window.element = element;
    })()`);
    return this.page.locator(tag);
  }

  id(name) {
    return this.page.locator("#place").getByTestId(name);
  }

  /** A picture, axe without findings, and nothing that the policy forbids. */
  async state(name) {
    await this.scene.picture(name);
    assert.deepEqual(await serious(this.page), [], name);
    assert.deepEqual(await this.page.evaluate(() => window.violations), [], name);
  }

  heard(type) {
    return this.page.evaluate(
      (wanted) => window.heard.filter((one) => one.type === wanted).map(({ detail }) => detail),
      type,
    );
  }

  /** The text of what a button downloads. */
  async download(button) {
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.id(button).click(),
    ]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
  }
}
