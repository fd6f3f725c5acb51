// What the tests of the elements share: pages that hold <pinhole-ask> under a strict policy, served
// with the built package, and the panel's parts by what they are for.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "../browser.mjs";
import { serve } from "../server.mjs";
import { serious } from "./axe.mjs";
import { Endpoint } from "./endpoint.mjs";
import { ENDPOINT, LAZY, PATIENCE, picture } from "./harness.mjs";

const site = process.env.PINHOLE_SITE;

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The simplest page: docs/element.md shows it. */
export const PLAIN = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>Purchases</title>
    <script type="module" src="pinhole/element/index.js"></script>
  </head>
  <body>
    <h1>Purchases</h1>
    <pinhole-ask src="purchases.csv"></pinhole-ask>
  </body>
</html>
`;

/** The same page with other attributes of the element, or another language. */
export function page({ attributes = 'src="purchases.csv" open', lang = "en", script = "" } = {}) {
  return PLAIN.replace('src="purchases.csv"', attributes)
    .replace('lang="en"', `lang="${lang}"`)
    .replace("</body>", `${script && '<script type="module" src="page.js"></script>'}</body>`);
}

/** One browser for a file; the result opens a scene in it for one test. */
export function elementStage() {
  let browser;
  before(async () => {
    assert.ok(site, "PINHOLE_SITE names the folder of the built page");
    browser = await launch(LAZY);
  });
  after(() => browser?.close());
  return async (t, options = {}) => {
    const scene = await Scene.open(browser, options);
    t.after(() => scene.close());
    return scene;
  };
}

/** One test's page with the element in it. */
class Scene {
  /** Every request that reached the server. */
  log = [];
  /** Errors of the page that no test expects. */
  problems = [];

  /**
   * @param {{html?: string, files?: Record<string, string>, script?: object[] | Function,
   *   module?: string, expect?: RegExp, viewport?: object, colorScheme?: string,
   *   reducedMotion?: string, hold?: Promise<void>}} options `files` are served beside the package,
   *   `module` is the page's own script, `hold` keeps the files back until it resolves.
   */
  static async open(browser, options) {
    const { html = page(), files = {}, script = [], module = "", expect, hold } = options;
    const scene = new Scene();
    scene.endpoint = new Endpoint(script);
    const { server, url } = await serve(site, 0, async (request, response) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      const body = Buffer.concat(parts);
      scene.log.push({ method: request.method, url: request.url, body });
      const give = (type, text) => {
        response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
        response.end(text);
        return true;
      };
      if (request.url === "/page.html") return give("text/html", html);
      if (request.url === "/page.js") return give("text/javascript", module);
      const file = files[decodeURIComponent(request.url.slice(1))];
      if (file !== undefined) {
        await hold;
        return give("text/csv", file);
      }
      if (request.url === "/favicon.ico") return give("image/png", "");
      return scene.endpoint.answer(request, response, body);
    });
    scene.server = server;
    scene.url = url;
    scene.context = await browser.newContext({
      viewport: options.viewport ?? { width: 1100, height: 800 },
      colorScheme: options.colorScheme ?? "light",
      reducedMotion: options.reducedMotion ?? "no-preference",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    scene.context.setDefaultTimeout(PATIENCE);
    scene.page = await scene.context.newPage();
    const problem = (text) => {
      if (!expect?.test(text)) scene.problems.push(text);
    };
    scene.page.on("pageerror", (error) => problem(String(error.stack ?? error)));
    scene.page.on("console", (message) => {
      if (message.type() === "error") problem(message.text());
    });
    scene.page.on("dialog", (dialog) => {
      problem(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await scene.page.goto(new URL("page.html", url).href);
    return scene;
  }

  async close() {
    this.endpoint.release();
    await this.context.close();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    assert.deepEqual(this.problems, [], "errors in the page");
  }

  /** A part by its test id, in whichever element it is. */
  id(name, within = this.page) {
    return within.locator(`[data-testid="${name}"]`);
  }

  /** Waits until a question can be asked. */
  async ready() {
    await this.id("panel").and(this.page.locator('[data-stage="ready"]')).waitFor();
  }

  /** Asks; the turn that was begun. */
  async begin(question) {
    const turns = await this.page.locator("pinhole-turn").count();
    await this.id("question").fill(question);
    await this.id("ask").click();
    const turn = this.page.locator("pinhole-turn").nth(turns);
    await turn.waitFor();
    return turn;
  }

  /** Asks and waits for the end. */
  async ask(question) {
    await this.ready();
    const turn = await this.begin(question);
    await this.settled(turn);
    return turn;
  }

  async settled(turn) {
    await this.id("turn", turn).and(this.page.locator('[aria-busy="false"]')).waitFor();
  }

  /** The answer as a person reads it, without the signs. */
  async text(turn) {
    return this.id("answer", turn)
      .locator(".text")
      .evaluate((element) => {
        const copy = element.cloneNode(true);
        for (const sign of copy.querySelectorAll(".sign")) sign.remove();
        return copy.textContent;
      });
  }

  /** The marked statements with their verdicts. */
  claims(turn) {
    return this.id("answer", turn)
      .locator("mark")
      .evaluateAll((marks) =>
        marks.map((mark) => [mark.firstChild.textContent, mark.dataset.verdict]),
      );
  }

  /** What of the answer is not marked. */
  async unmarked(turn) {
    return this.id("answer", turn)
      .locator(".text")
      .evaluate((element) => {
        const copy = element.cloneNode(true);
        for (const mark of copy.querySelectorAll("mark")) mark.remove();
        return copy.textContent;
      });
  }

  /** A table as texts. */
  rows(within, name) {
    return this.id(name, within)
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  }

  /** The rows of a <pinhole-table> that are in sight, as texts, once `count` of them are there. */
  async grid(within, name, count) {
    const table = this.id(name, within);
    const row = table.locator('.body [role="row"]');
    await row.nth(count - 1).waitFor();
    await table.locator(".body .cell").first().waitFor();
    await this.page.waitForFunction(
      (element) => !element.shadowRoot.querySelector(".cell.wait"),
      await table.elementHandle(),
    );
    return row.evaluateAll((rows) =>
      rows
        .filter((one) => one.checkVisibility())
        .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map((one) => [...one.querySelectorAll(".cell")].map((cell) => cell.textContent)),
    );
  }

  /** What has the focus: the test id of it, through shadow roots. */
  focused() {
    return this.page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.dataset.testid ?? at?.localName;
    });
  }

  /** No finding of axe that is serious or worse. */
  async accessible(state) {
    assert.deepEqual(await serious(this.page), [], state);
  }

  /** A picture of what is in sight; axe has nothing serious to say of what is pictured. */
  async picture(name) {
    await picture(this.page, `element-${name}`);
    await this.accessible(name);
  }
}

export { ENDPOINT };
