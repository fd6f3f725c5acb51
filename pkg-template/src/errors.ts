// What can go wrong, as one error type; texts in English and Russian.

/** The language of generated texts. */
export type Locale = "en" | "ru";

/** One thing that is wrong with an input: what, where, what would be valid, and the plain fix. */
export interface Diagnostic {
  /** Stable name of the problem, snake_case. */
  code: string;
  /** One sentence in the locale; never holds a cell value. */
  message: string;
  /** JSON pointer of the field (`/map/gap`), empty for the whole input. */
  pointer: string;
  /** Half-open range in the field's text, in UTF-16 units. */
  span: [start: number, end: number] | null;
  /** What would be valid, closest first. */
  choices: string[];
  /** Text that replaces the span, or the field where there is no span. */
  fix: string | null;
}

/** A failure as plain data: what crosses the border of the engine. */
export interface Fault {
  code: string;
  message: string;
  diagnostics: Diagnostic[];
}

/** Every failure of this package. `name` is `AbortError` when the caller cancelled. */
export class PinholeError extends Error {
  /** Stable name of the failure, snake_case (`unknown_column`, `cancelled`, `engine_restarted`). */
  readonly code: string;
  /** All problems of the input, where the input is the reason. */
  readonly diagnostics: Diagnostic[];

  constructor(
    code: string,
    message: string,
    options: { diagnostics?: Diagnostic[]; cause?: unknown } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = code === "cancelled" ? "AbortError" : "PinholeError";
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
  }

  /** The failure as plain data. */
  toFault(): Fault {
    return { code: this.code, message: this.message, diagnostics: this.diagnostics };
  }
}

/** Whether a thrown value is a failure as plain data. */
export function isFault(value: unknown): value is Fault {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<Fault>).code === "string" &&
    typeof (value as Partial<Fault>).message === "string" &&
    !(value instanceof Error)
  );
}

/** Any thrown value as plain data. Unknown ones become `internal` with their own text. */
export function toFault(error: unknown): Fault {
  if (error instanceof PinholeError) return error.toFault();
  if (isFault(error)) {
    const { code, message, diagnostics } = error;
    return { code, message, diagnostics: Array.isArray(diagnostics) ? diagnostics : [] };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message, diagnostics: [] };
}

/** Any thrown value as the error type of this package. */
export function toError(error: unknown): PinholeError {
  if (error instanceof PinholeError) return error;
  const { code, message, diagnostics } = toFault(error);
  return new PinholeError(code, message, { diagnostics, cause: error });
}

/** Whether the engine died: its instance must not be used again. */
export function isTrap(error: unknown): boolean {
  // A stack that overflows inside the module surfaces as a RangeError.
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof RangeError && /call stack/i.test(error.message))
  );
}

const TEXTS = {
  cancelled: ["cancelled", "отменено"],
  closed: ["this engine was closed", "движок закрыт"],
  engine_restarted: [
    "the engine ran out of memory, failed or did not heed a cancel and was restarted, the next call works",
    "движку не хватило памяти, произошёл сбой или отменённая работа не остановилась; он перезапущен, повторите запрос",
  ],
  engine_failed: [
    "the engine failed and cannot be restarted without a worker",
    "сбой движка, без отдельного потока его нельзя перезапустить",
  ],
  worker_failed: ["the worker could not be started", "не удалось запустить отдельный поток"],
  wasm_failed: [
    "the WebAssembly module could not be loaded",
    "не удалось загрузить модуль WebAssembly",
  ],
  source_unreachable: ["the file could not be fetched", "не удалось получить файл"],
  source_status: [
    "the server answered `{0}` instead of the file",
    "сервер ответил `{0}` вместо файла",
  ],
  source_broken: ["reading the file broke off", "чтение файла оборвалось"],
  source_is_text: [
    "a text is an address: wrap a table's text in a Blob, `new Blob([text])`",
    "текст – это адрес: оберните текст таблицы в Blob, `new Blob([text])`",
  ],
  bad_source: [
    "`{0}` is nothing that can be loaded: pass a File, Blob, URL, Response, ReadableStream, bytes, an array of objects or an Arrow table",
    "`{0}` нельзя загрузить: нужен File, Blob, URL, Response, ReadableStream, байты, массив объектов или таблица Arrow",
  ],
  arrow_table: [
    "this Arrow table cannot write itself: pass `tableToIPC(table)`, a function of the library that made it",
    "эта таблица Arrow не записывает себя сама: передайте `tableToIPC(table)`, функцию её библиотеки",
  ],
  no_bytes: ["`{0}` of the table gave no bytes", "`{0}` таблицы не дал байтов"],
  empty_input: ["there are no rows", "нет ни одной строки"],
  row_not_object: [
    "the item at index {0} is not an object with named values",
    "элемент с индексом {0} – не объект с именованными значениями",
  ],
  row_too_deep: [
    "the row at index {0} contains itself or is nested too deeply",
    "строка с индексом {0} содержит саму себя или вложена слишком глубоко",
  ],
  not_kept: [
    "no table `{0}` is kept on this device",
    "на этом устройстве нет сохранённой таблицы `{0}`",
  ],
  cannot_keep: [
    "this browser gives the page no place to keep tables",
    "в этом браузере странице негде хранить таблицы",
  ],
  kept_failed: [
    "what is kept could not be read or changed, try again",
    "сохранённое не удалось прочитать или изменить, повторите попытку",
  ],
  storage_full: [
    "there is not enough room on this device to keep the table",
    "на этом устройстве не хватает места, чтобы сохранить таблицу",
  ],
  bad_option: ["the option `{0}` is not valid here", "параметр `{0}` здесь недопустим"],
  key_in_browser: [
    "a key in the page can be read by everyone who opens it: `{0}` needs `dangerouslyAllowBrowserKey: true`",
    "ключ на странице виден каждому, кто её откроет: для `{0}` нужно `dangerouslyAllowBrowserKey: true`",
  ],
  model_missing: [
    "no model is named for this endpoint, nothing was sent: set `model`",
    "для этого адреса не названа модель, ничего не отправлено: задайте `model`",
  ],
  endpoint_unreachable: ["the endpoint cannot be reached", "сервер модели недоступен"],
  endpoint_timeout: [
    "the endpoint sent nothing for {0} ms, ask again",
    "сервер модели не отвечал {0} мс, спросите ещё раз",
  ],
  stream_broken: [
    "the answer broke off, ask again to continue",
    "ответ оборвался, задайте вопрос ещё раз",
  ],
  history_off: [
    "conversations are kept only with `persist: true`",
    "беседы сохраняются только при `persist: true`",
  ],
  ledger_unavailable: ["the ledger cannot be read", "не удалось прочитать журнал"],
  unknown_chat: ["there is no conversation `{0}`", "нет беседы `{0}`"],
  later_chat: [
    "a later version saved the conversation `{0}`",
    "беседу `{0}` сохранила более новая версия",
  ],
  tool_exists: ["there is a tool `{0}` already", "инструмент `{0}` уже есть"],
  bad_tool_name: [
    "`{0}` cannot name a tool: 1 to 64 Latin letters, digits, `_` and `-` can",
    "`{0}` не может быть именем инструмента: нужно от 1 до 64 латинских букв, цифр, `_` и `-`",
  ],
  bad_schema: [
    "`inputSchema` is no JSON Schema of an object: see `{0}` in it",
    "`inputSchema` не является JSON Schema объекта: см. в ней `{0}`",
  ],
  tool_failed: ["the tool `{0}` failed", "сбой инструмента `{0}`"],
  unknown_question: ["there is no question `{0}`", "нет вопроса `{0}`"],
  not_planned: [
    "the question was not understood, ask it in other words",
    "вопрос не понят, задайте его иначе",
  ],
  found_results: ["Found {0} results. See the data.", "Найдено результатов: {0}. Смотрите данные."],
  recall_failed: [
    "What answered this question before does not run any more: {0}.",
    "Прежний ответ на этот вопрос больше не выполняется: {0}.",
  ],
  recall_full: [
    "there is not enough room on this device to keep the questions asked before",
    "на этом устройстве не хватает места для заданных вопросов",
  ],
  recall_blocked: [
    "another page holds the questions asked before, close it and try again",
    "заданные вопросы заняты другой страницей, закройте её и повторите",
  ],
  recall_later: [
    "a later version keeps the questions asked before",
    "заданные вопросы сохранены более новой версией",
  ],
  recall_damaged: [
    "questions asked before that cannot be read: {0}, they stay as they are and the others serve",
    "заданных вопросов, которые не читаются: {0}, они остаются как есть, остальные работают",
  ],
  recall_day: [
    "the days of this question were counted from {0}, ask it anew",
    "дни в этом вопросе отсчитаны от {0}, задайте его заново",
  ],
  recall_over: [
    "this question was answered over other rows, or under another policy or other settings, ask it anew",
    "на этот вопрос отвечали по другим строкам, при другой политике или других настройках, задайте его заново",
  ],
  recall_closed: [
    "these questions asked before were closed",
    "хранилище заданных вопросов закрыто",
  ],
  recall_kept: [
    "the question is still there, try again to forget it",
    "вопрос остался, попробуйте забыть его ещё раз",
  ],
  recall_unkept: [
    "the questions asked before cannot be kept on this device",
    "заданные вопросы нельзя сохранить на этом устройстве",
  ],
  script_no_execute: [
    "the script has no function `execute`: write `async function execute(contextCode)`",
    "в скрипте нет функции `execute`: напишите `async function execute(contextCode)`",
  ],
  script_forbidden: [
    "the script uses `{0}`, which scripts do not have",
    "скрипт использует `{0}`, а в скриптах этого нет",
  ],
  script_syntax: ["the script cannot be read: {0}", "скрипт не читается: {0}"],
  script_undefined: [
    "the variable `{0}` in the script is not defined",
    "переменная `{0}` в скрипте не определена",
  ],
  script_missing: [
    "the script reads `{0}` of something that is not there",
    "скрипт берёт `{0}` у того, чего нет",
  ],
  script_time: [
    "the script worked for more than 5 seconds and was ended",
    "скрипт работал дольше 5 секунд и остановлен",
  ],
  script_memory: [
    "the script needs more memory than the 32 MB that it may have",
    "скрипту не хватило 32 МБ памяти, которые ему даны",
  ],
  script_stack: [
    "the functions of the script call each other too deeply",
    "функции скрипта вызывают друг друга слишком глубоко",
  ],
  script_queries: ["the script asked more than {0} queries", "скрипт выполнил больше {0} запросов"],
  script_rows: [
    "a query of the script gave more than {0} rows: let the query aggregate them",
    "запрос скрипта дал больше {0} строк: агрегируйте их в запросе",
  ],
  script_too_large: [
    "the script returned more than 500 columns or 2,000,000 cells",
    "скрипт вернул больше 500 столбцов или 2 000 000 ячеек",
  ],
  script_endless_wait: [
    "the script waits for something that never comes",
    "скрипт ждёт того, что никогда не произойдёт",
  ],
  script_no_result: ["the script returned nothing", "скрипт ничего не вернул"],
  script_withheld: [
    "a model wrote this script: it runs only where the policy protects no column and its level is `summary` or `preview`",
    "этот скрипт написала модель: он выполняется, только если политика не защищает ни одного столбца, а её уровень – `summary` или `preview`",
  ],
  script_threw: ["the script failed: {0}", "сбой скрипта: {0}"],
  script_failed: ["the script could not be run", "скрипт не удалось выполнить"],
  script_crashed: [
    "the script broke its sandbox and was ended",
    "скрипт нарушил изоляцию и остановлен",
  ],
  unknown_result: [
    "the result `{0}` is not there any more, run the query again",
    "результата `{0}` больше нет, выполните запрос ещё раз",
  ],
} as const satisfies Record<string, readonly [en: string, ru: string]>;

/** Codes of failures that arise outside the wasm module. */
export type HostCode = keyof typeof TEXTS;

/** A failure that arises outside the wasm module, with its text in `locale`. */
export function hostError(
  code: HostCode,
  locale: Locale,
  detail?: string,
  cause?: unknown,
): PinholeError {
  const text = TEXTS[code][locale === "ru" ? 1 : 0].replace("{0}", detail ?? "");
  return new PinholeError(code, text, cause === undefined ? {} : { cause });
}

/** A failure of whatever keeps things, as the error type of this package. */
export function keptFailure(error: unknown, locale: Locale): PinholeError {
  return error instanceof PinholeError ? error : hostError("kept_failed", locale, undefined, error);
}

/** A failure for a developer. */
export function technical({ code, message, cause }: PinholeError): string {
  return `${code}: ${cause instanceof Error ? cause.message : message}`;
}

/** A failed question for the person: what is wrong with the query, by the names in it. */
export function human({ code, message, diagnostics }: PinholeError, locale: Locale): string {
  if (code.startsWith("script_")) return message;
  const what = diagnostics.map((diagnostic) => diagnostic.message).join("; ") || message;
  return hostError("recall_failed", locale, what).message;
}

/** Passes over failures of these codes. */
export function unless(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(toError(error).code)) throw error;
  };
}
