// Lints of the TypeScript sources (with types) and of the tests (without).
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
          "AbortController AbortSignal Blob Event MessageChannel Buffer EventTarget ReadableStream Response TextDecoder",
          "TextEncoder URL WebAssembly console crypto globalThis performance process setImmediate",
          "fetch setTimeout structuredClone",
        ]
          .join(" ")
          .split(" ")
          .map((name) => [name, "readonly"]),
      ),
    },
  },
);
