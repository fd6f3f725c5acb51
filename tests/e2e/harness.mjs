// What the tests of the page share: a server with a log of every request, a scripted endpoint, a
// fresh browser context a test, and the page's parts by what they are for.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { launch, launchWhole } from "../browser.mjs";
import { serve } from "../server.mjs";
import { serious } from "./axe.mjs";
import { Endpoint } from "./endpoint.mjs";

const site = process.env.PINHOLE_SITE;
const pictures = process.env.PINHOLE_SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

/** Longest wait for anything: machines that build at the same time are slow. */
export const PATIENCE = Number(process.env.PINHOLE_PATIENCE ?? 180_000);

/** Where the scripted endpoint is. */
export const ENDPOINT = "/v1/chat/completions";

/** The module is checked where it is built and packed: the many pages here do without. */
export const LAZY = "--js-flags=--wasm-lazy-validation";

/** An empty page of the same origin, for tests of the package alone. */
const BLANK = "/blank.html";

/**
 * One browser for a file; the result opens a scene in it for one test. `whole`: Chromium with everything
 * that it has.
 */
export function stage({ whole = false } = {}) {
  let browser;
  before(async () => {
    assert.ok(site, "PINHOLE_SITE names the folder of the built page");
    browser = await (whole ? launchWhole : launch)(LAZY);
  });
  after(() => browser?.close());
  return async (t, options = {}) => {
    const scene = await Scene.open(browser, options);
    t.after(() => scene.close());
    return scene;
  };
}

/** A server of its own, for things that are to stay unreachable, and the log of what reached it. */
export async function listener(t) {
  const seen = [];
  const { server, url } = await serve(site, 0, (request, response) => {
    seen.push(request.url);
    response.writeHead(200, { "access-control-allow-origin": "*" }).end("export {};");
    return true;
  });
  t.after(() => shut(server));
  return { url, seen };
}

function shut(server) {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
}

async function readAll(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** Keeps a picture of the page, where PINHOLE_SCREENSHOTS names a folder for them. */
export async function picture(page, name, options = {}) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), ...options });
}

/** One test's page with everything around it. */
export class Scene {
  /** Every request that reached the server: `{method, url, headers, body}`. */
  log = [];
  /** Every request that the browser made, workers included. */
  traffic = [];
  /** Errors of the page that no test expects. */
  problems = [];
  #answers = 0;

  /**
   * @param {{script?: object[] | Function, model?: boolean, locale?: string, blank?: boolean,
   *   settings?: object, expect?: RegExp, port?: number, offline?: boolean, viewport?: object,
   *   reducedMotion?: string}} options `model` saves the scripted endpoint as a setting; `expect`
   *   matches errors that belong to the test; `offline` lets the page keep its files.
   */
  static async open(browser, options) {
    const { script = [], model = false, locale = "en-US", blank = false } = options;
    const { expect, port = 0, offline = false } = options;
    const scene = new Scene();
    scene.endpoint = new Endpoint(script);
    const { server, url } = await serve(site, port, async (request, response) => {
      const { method, headers } = request;
      const body = await readAll(request);
      scene.log.push({ method, url: request.url, headers, body });
      if (request.url === BLANK) {
        response.writeHead(200, { "content-type": "text/html" });
        response.end('<!doctype html><link rel="icon" href="data:,"><title>blank</title>');
        return true;
      }
      return scene.endpoint.answer(request, response, body);
    });
    scene.server = server;
    scene.url = url;
    scene.context = await browser.newContext({
      locale,
      viewport: options.viewport ?? { width: 1100, height: 900 },
      colorScheme: "light",
      reducedMotion: options.reducedMotion ?? "no-preference",
      // Files that are kept would be requests of no test.
      serviceWorkers: offline ? "allow" : "block",
    });
    scene.context.setDefaultTimeout(PATIENCE);
    scene.context.on("request", (request) => {
      scene.traffic.push({ url: request.url(), body: request.postDataBuffer() });
    });
    const settings = {
      ...(model ? { endpoint: ENDPOINT, model: "scripted" } : {}),
      ...options.settings,
    };
    if (Object.keys(settings).length > 0) {
      await scene.context.addInitScript((saved) => {
        localStorage.getItem("pinhole.settings") ?? localStorage.setItem("pinhole.settings", saved);
      }, JSON.stringify(settings));
    }
    scene.page = await scene.context.newPage();
    const problem = (text) => {
      if (!expect?.test(text)) scene.problems.push(text);
    };
    scene.page.on("pageerror", (error) => problem(String(error.stack ?? error)));
    scene.page.on("console", (message) => {
      if (message.type() === "error") problem(message.text());
    });
    await scene.page.goto(new URL(blank ? BLANK : "/", url).href);
    if (!blank) await scene.ready();
    return scene;
  }

  /** Takes the server away. */
  unplug() {
    return shut(this.server);
  }

  async close() {
    this.endpoint.release();
    await this.context.close();
    await shut(this.server);
    assert.deepEqual(this.problems, [], "errors in the page");
  }

  /** A part of the page by its test id. */
  id(name, within = this.page) {
    return within.locator(`[data-testid="${name}"]`);
  }

  /** Waits for the engine. */
  async ready() {
    await this.page.waitForFunction(
      () => document.querySelector("#engine")?.dataset.state === "engine_ready",
    );
  }

  /** Runs `work(package, given)` in the page; what it gives must be plain data. */
  run(work, given) {
    const argument = JSON.stringify(given) ?? "undefined";
    return this.page.evaluate(
      `import("/pinhole/index.js").then((pinhole) => (${work})(pinhole, ${argument}))`,
    );
  }

  /** Gives the page a file; text, or a path. Waits for the table unless told what else to expect. */
  async load(name, content, wanted = "table-card") {
    const old = await this.id("table-card").count();
    const file =
      content instanceof Buffer || typeof content === "string"
        ? { name, mimeType: "text/csv", buffer: Buffer.from(content) }
        : content.path;
    await this.id("file-input").setInputFiles(file);
    const place = wanted === "error" ? this.id("load-area") : this.page;
    await this.id(wanted, place)
      .nth(wanted === "table-card" ? old : 0)
      .waitFor();
  }

  /** Takes the sample data. */
  async sample() {
    await this.id("sample").click();
    await this.id("table-card").waitFor();
  }

  /** Asks without waiting for the answer's end. */
  async begin(question) {
    await this.id("question").fill(question);
    await this.id("ask").click();
    return this.newest();
  }

  /** The answer that was asked for last, once its card is there. */
  async newest() {
    this.#answers += 1;
    const n = this.#answers;
    await this.page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-testid="answer"]').length >= wanted,
      n,
    );
    await this.id("answer")
      .first()
      .evaluate((element, number) => (element.dataset.number = number), n);
    return new Answer(this, this.page.locator(`[data-number="${n}"]`));
  }

  /** Asks and waits for the answer's end. */
  async ask(question) {
    const answer = await this.begin(question);
    return answer.settled();
  }

  /** A picture of the whole page; axe has nothing serious to say of what is pictured. */
  async picture(name) {
    await picture(this.page, name, { fullPage: true });
    assert.deepEqual(await serious(this.page), [], name);
  }
}

/** A text with its numbers as JavaScript writes them: no groups, and a point in either language. */
export function plainNumbers(text) {
  const russian = /[а-яё]/i.test(text);
  return text
    .replace(/(\d)[\u00a0\u202f](?=\d{3})/g, "$1")
    .replace(/(\d),(?=\d)/g, russian ? "$1." : "$1");
}

/** The card of an answer. */
export class Answer {
  constructor(scene, card) {
    this.scene = scene;
    this.card = card;
  }

  id(name) {
    return this.scene.id(name, this.card);
  }

  async settled() {
    await this.scene.page.waitForFunction(
      (card) => card.getAttribute("aria-busy") === "false",
      await this.card.elementHandle(),
    );
    return this;
  }

  /** `done` or `error`, and the verdict on the model's last draft. */
  async state() {
    return this.card.evaluate(({ dataset: { state, verdict } }) => ({ state, verdict }));
  }

  /** The text as a person reads it, without the marks' signs; numbers as they were said. */
  text() {
    return this.#textWithout(".sign, .claim-note");
  }

  /** What of the text is not marked. */
  unmarked() {
    return this.#textWithout("mark, .claim-note");
  }

  #textWithout(selector) {
    return this.id("answer-text").evaluate((element, unwanted) => {
      const copy = element.cloneNode(true);
      for (const one of copy.querySelectorAll("mark[data-said]")) {
        one.firstChild.textContent = one.dataset.said;
      }
      for (const one of copy.querySelectorAll(unwanted)) one.remove();
      return copy.textContent;
    }, selector);
  }

  /** The marked statements: `{text, verdict, about}`. */
  async claims() {
    return this.id("claim").evaluateAll((marks) =>
      marks.map((mark) => ({
        text: mark.dataset.said ?? mark.firstChild.textContent,
        verdict: mark.dataset.verdict,
        about: document.getElementById(mark.getAttribute("aria-describedby")).textContent,
      })),
    );
  }

  /** The query as the Query tab shows it. */
  async query() {
    await this.id("tab-query").click();
    return JSON.parse(await this.id("query-text").inputValue());
  }

  /** Puts a query into the Query tab and runs it. */
  async edit(query) {
    await this.id("tab-query").click();
    await this.id("query-text").fill(typeof query === "string" ? query : JSON.stringify(query));
    await this.id("query-run").click();
  }

  /** The Data tab's table as texts; numbers as a program writes them. */
  async rows(name = "data") {
    await this.id("tab-data").click();
    await this.id(`${name}-table`).locator("tbody tr").first().waitFor();
    return this.id(`${name}-table`)
      .locator("tbody tr")
      .evaluateAll((rows) => {
        const russian = document.documentElement.lang === "ru";
        const point = (text) =>
          russian ? text.replace(/\u00a0/g, "").replace(",", ".") : text.replace(/,/g, "");
        // Parts of money have two digits.
        const bare = (text) => point(text).replace(/\.00$|(?<=\.\d)0$/, "");
        return rows.map((row) =>
          [...row.cells].map((cell) =>
            cell.classList.contains("num") ? bare(cell.textContent) : cell.textContent,
          ),
        );
      });
  }

  /** What went wrong: code and text. */
  async error() {
    const card = this.id("error").first();
    return { code: await card.getAttribute("data-code"), text: await card.innerText() };
  }
}
