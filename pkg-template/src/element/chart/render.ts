// Draws a spec with Vega, which is fetched with the first chart. Its expressions are interpreted,
// not compiled, so that the page needs no `unsafe-eval`; its loader loads nothing.

import type { Locale } from "../../types.js";
import type { Spec } from "./spec.js";
import { LOCALES } from "./locales.js";
import type { Logger } from "./vega.js";

/** A chart on the page. */
export interface Drawn {
  svg(): Promise<string>;
  png(scale: number): Promise<Blob>;
  close(): void;
}

const refuse = (): Promise<never> => Promise.reject(new Error("charts load nothing"));
const LOADER = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

export async function render(place: HTMLElement, spec: Spec, locale: Locale): Promise<Drawn> {
  const vega = await import("./vega.js");
  const compiled = vega.compile(spec, { logger: SILENT });
  // The part of the page that is drawn into is a new one: what was there goes only when this is
  // ready, so that nothing jumps.
  const box = document.createElement("div");
  // The element says what the chart shows.
  box.setAttribute("aria-hidden", "true");
  const view = new vega.View(vega.parse(compiled.spec, {}, { ast: true }), {
    container: box,
    renderer: "svg",
    loader: LOADER,
    logger: SILENT,
    locale: LOCALES[locale],
    expr: vega.expressionInterpreter,
  });
  await view.runAsync();
  place.replaceChildren(box);
  return {
    svg: () => view.toSVG(),
    png: async (scale) => {
      const canvas = await view.toCanvas(scale);
      return new Promise((done, fail) => {
        canvas.toBlob((blob) => {
          if (blob) done(blob);
          else fail(new Error("no picture"));
        }, "image/png");
      });
    },
    close: () => {
      view.finalize();
    },
  };
}

/** What Vega remarks on is ours to know, not the page's. */
const SILENT: Logger = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
};
