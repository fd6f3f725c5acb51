// What is said of a file that could not be read, where its name tells more than its bytes.

import type { Locale } from "../types.js";
import { text } from "./texts.js";

/** What formats of bytes are called, by the ending of a file's name. */
const ENDINGS: [format: string, ending: RegExp][] = [
  ["Parquet", /\.(?:parquet|parq|pq)$/i],
  ["Arrow", /\.(?:arrows?|feather|ipc)$/i],
];

/** The failure of a load: bytes that are no text are none to whom the name promised another format. */
export function ofFile<F extends { code: string; message: string }>(
  locale: Locale,
  failure: F,
  file: string,
): F {
  const [format] = ENDINGS.find(([, ending]) => ending.test(file)) ?? [];
  if (failure.code !== "not_text" || format === undefined) return failure;
  const message = text(locale, "file_other", { format });
  const code = "broken_file";
  const diagnostics = [{ code, message, pointer: "", span: null, choices: [], fix: null }];
  return { ...failure, code, message, diagnostics };
}
