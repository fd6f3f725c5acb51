// Lints of the TypeScript sources (with types), of the tests and of the benchmarks (without).
import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/**"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["test/**/*.js", "testing/**/*.js", "*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "AbortController AbortSignal Blob Event MessageChannel btoa Buffer EventTarget ReadableStream Response TextDecoder",
          "TextEncoder URL WebAssembly console crypto globalThis performance process setImmediate",
          "fetch setTimeout structuredClone queueMicrotask indexedDB IDBIndex IDBObjectStore IDBRequest DOMException",
        ]
          .join(" ")
          .split(" ")
          .map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    // From the repository's root: they are scripts of Node and of pages.
    files: ["benches/*.{js,mjs}"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "AbortController Blob File TextEncoder Worker clearTimeout console document fetch performance",
          "PerformanceObserver ReadableStream URL process requestAnimationFrame setTimeout window",
        ]
          .join(" ")
          .split(" ")
          .map((name) => [name, "readonly"]),
      ),
    },
  },
);
