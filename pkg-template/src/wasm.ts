// Finding and compiling the wasm module, on the page's thread.

import { type Locale, PinholeError, hostError } from "./errors.js";
import { isNode, nodeModule, resolveUrl, tag } from "./platform.js";
import type { OpenOptions } from "./types.js";

/** Compiles the module that `source` names; by default the one beside this file. */
export async function compile(
  source: OpenOptions["wasm"],
  locale: Locale,
): Promise<WebAssembly.Module> {
  try {
    if (tag(source) === "WebAssembly.Module") return source as WebAssembly.Module;
    if (tag(source) === "ArrayBuffer" || ArrayBuffer.isView(source)) {
      return await WebAssembly.compile(source as BufferSource);
    }
    if (tag(source) === "Response") return await fromResponse(source as Response, locale);
    const url =
      source === undefined
        ? new URL("./pinhole_bg.wasm", import.meta.url)
        : resolveUrl(source as string | URL, locale);
    if (url.protocol === "file:" && isNode()) {
      const fs = await nodeModule<{ readFile(url: URL): Promise<BufferSource> }>("fs/promises");
      return await WebAssembly.compile(await fs.readFile(url));
    }
    return await fromResponse(await fetch(url, { credentials: "same-origin" }), locale);
  } catch (error) {
    throw error instanceof PinholeError
      ? error
      : hostError("wasm_failed", locale, undefined, error);
  }
}

async function fromResponse(response: Response, locale: Locale): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw hostError(
      "wasm_failed",
      locale,
      undefined,
      new Error(`status ${response.status} of ${response.url}`),
    );
  }
  // Streaming needs the right type; hosts that do not know .wasm send something else.
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
