// What can be said of a script without running it: that it has no `execute`, and that it names
// what a script does not have. Words in strings, comments, regular expressions, properties and own
// names are none of these.

/** What scripts of other hosts reach for; none of it is there. */
const ABSENT = new Set(
  (
    "eval Function require import process child_process fs fetch XMLHttpRequest WebSocket " +
    "EventSource importScripts globalThis window document self navigator localStorage " +
    "sessionStorage indexedDB caches setTimeout setInterval setImmediate requestAnimationFrame " +
    "Worker SharedWorker WebAssembly Deno Bun"
  ).split(" "),
);

/** Before these a `/` begins a regular expression; after other words it divides. */
const BEFORE_REGEX = new Set(
  "return typeof case in of delete void throw new else do instanceof await yield".split(" "),
);

/** A word or a sign of the code. */
interface Token {
  text: string;
  word: boolean;
}

/** What is wrong with a script. */
export interface ScriptProblem {
  code: "script_no_execute" | "script_forbidden";
  /** The name that it uses. */
  name?: string;
}

/** The first thing that is wrong with a script, if anything is. */
export function checkScript(script: string): ScriptProblem | undefined {
  const tokens = tokensOf(script);
  const at = (i: number) => tokens[i]?.text;
  const own = declared(tokens);
  for (const [i, { text, word }] of tokens.entries()) {
    if (!word || !ABSENT.has(text)) continue;
    const property = at(i - 1) === "." || at(i - 1) === "?.";
    const key = at(i + 1) === ":" && at(i - 1) !== "?" && (at(i - 1) === "{" || at(i - 1) === ",");
    if (!property && !key && !own.has(text)) return { code: "script_forbidden", name: text };
  }
  const named = tokens.some(
    ({ text }, i) =>
      text === "execute" && (at(i - 1) === "function" || (at(i + 1) === "=" && own.has("execute"))),
  );
  return named ? undefined : { code: "script_no_execute" };
}

/** The names that a script gives to things of its own. */
function declared(tokens: Token[]): Set<string> {
  const names = new Set<string>();
  const at = (i: number) => tokens[i]?.text;
  for (const [i, { text, word }] of tokens.entries()) {
    if (!word) continue;
    const before = at(i - 1) ?? "";
    const declares = ["const", "let", "var", "function", "class", "*"].includes(before);
    if (declares && (before !== "*" || at(i - 2) === "function")) names.add(text);
    if (at(i + 1) === "=>") names.add(text);
  }
  // Parameters and what is taken apart: `(a, b) =>`, `function (a) {`, `const {a, b} =`, `catch (e)`.
  const ends = closings(tokens);
  /** Where the outermost of them ends that began so far: what is in between stands in one of them. */
  let until = 0;
  for (const [i, { text: open, word }] of tokens.entries()) {
    const named = [",", "(", "{", "[", ":", "..."].includes(at(i - 1) ?? "");
    if (word && i < until && named && at(i + 1) !== ":") names.add(open);
    if (open !== "(" && open !== "{" && open !== "[") continue;
    const end = ends.get(i) ?? tokens.length;
    const before = at(i - 1) ?? "";
    const pattern = open !== "(" && ["const", "let", "var"].includes(before);
    const heads =
      open === "(" && (before === "catch" || at(i - 2) === "function" || before === "function");
    const arrow = open === "(" && at(end + 1) === "=>";
    if (pattern || heads || arrow) until = Math.max(until, end);
  }
  return names;
}

/** Where each bracket that is opened is closed; of one that never is, nothing. */
function closings(tokens: Token[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { text }] of tokens.entries()) {
    if (text === "(" || text === "[" || text === "{") open.push(i);
    else if (text === ")" || text === "]" || text === "}") {
      const from = open.pop();
      if (from !== undefined) ends.set(from, i);
    }
  }
  return ends;
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const SPACE = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
const STRING = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const SIGN = /=>|\?\.(?!\d)|\.\.\.|===?|!==?|[^]/y;

/** The words and signs of a script; of a template only what is code within it. */
function tokensOf(script: string): Token[] {
  const tokens: Token[] = [];
  // Braces that are open, template by template.
  const templates: number[] = [];
  let at = 0;
  /** Up to here no regular expression ends: it would have to on its line. */
  let searched = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0];
    if (found) at += found.length;
    return found;
  };
  /** Passes over the text of a template, up to its end or to code within it. */
  const template = () => {
    while (at < script.length) {
      const c = script[at];
      at += c === "\\" ? 2 : 1;
      if (c === "`") return;
      if (c === "$" && script[at] === "{") {
        at += 1;
        templates.push(0);
        return;
      }
    }
  };
  while (at < script.length) {
    if (take(SPACE) !== undefined) continue;
    if (take(STRING) !== undefined || take(NUMBER) !== undefined) {
      tokens.push({ text: "0", word: false });
      continue;
    }
    const word = take(WORD);
    if (word !== undefined) {
      tokens.push({ text: word, word: true });
      continue;
    }
    const last = tokens.at(-1);
    const value = last && (last.word ? !BEFORE_REGEX.has(last.text) : /^[)\]}0]/.test(last.text));
    if (script[at] === "/" && !value && at >= searched) {
      if (take(REGEX) !== undefined) {
        tokens.push({ text: "0", word: false });
        continue;
      }
      const line = script.indexOf("\n", at);
      searched = line < 0 ? script.length : line;
    }
    const sign = take(SIGN) ?? "";
    if (sign === "`") {
      tokens.push({ text: "0", word: false });
      template();
      continue;
    }
    const open = templates.length - 1;
    if (open >= 0 && sign === "{") templates[open] = (templates[open] ?? 0) + 1;
    if (open >= 0 && sign === "}") {
      if (templates[open] === 0) {
        templates.pop();
        template();
        continue;
      }
      templates[open] = (templates[open] ?? 0) - 1;
    }
    tokens.push({ text: sign, word: false });
  }
  return tokens;
}
