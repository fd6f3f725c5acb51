// Draws a spec with Vega, which is fetched with the first chart. Its expressions are interpreted,
// not compiled, so that the page needs no `unsafe-eval`; its loader loads nothing.

import type { Locale } from "../../types.js";
import type { Spec } from "./spec.js";
import { LOCALES } from "./locales.js";
import type { Logger, View } from "./vega.js";

/** A chart on the page. */
export interface Drawn {
  close(): void;
}

/** A chart for a file. */
export interface Picture {
  svg(): Promise<string>;
  png(scale: number): Promise<Blob>;
}

const refuse = (): Promise<never> => Promise.reject(new Error("charts load nothing"));
const LOADER = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

async function viewOf(
  spec: Spec,
  locale: Locale,
  where: { container: HTMLElement; renderer: "svg" } | { renderer: "none" },
): Promise<View> {
  const vega = await import("./vega.js");
  const compiled = vega.compile(spec, { logger: SILENT });
  const view = new vega.View(vega.parse(compiled.spec, {}, { ast: true }), {
    ...where,
    loader: LOADER,
    logger: SILENT,
    locale: LOCALES[locale],
    expr: vega.expressionInterpreter,
  });
  return view.runAsync();
}

export async function render(place: HTMLElement, spec: Spec, locale: Locale): Promise<Drawn> {
  // The part of the page that is drawn into is a new one: what was there goes only when this is
  // ready, so that nothing jumps.
  const box = document.createElement("div");
  // The element says what the chart shows.
  box.setAttribute("aria-hidden", "true");
  const view = await viewOf(spec, locale, { container: box, renderer: "svg" });
  place.replaceChildren(box);
  return {
    close: () => {
      view.finalize();
    },
  };
}

/** Draws a spec for a file: nothing of it is on the page. */
export async function picture(spec: Spec, locale: Locale): Promise<Picture> {
  const view = await viewOf(spec, locale, { renderer: "none" });
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
