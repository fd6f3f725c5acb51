// The texts of the elements in English and Russian. `{name}` is filled in. Those of elements that come
// when they are first shown come with them.

import type { Locale } from "../types.js";
import type { CHART_TEXTS } from "./chart/texts.js";
import type { QUERY_TEXTS } from "./query-texts.js";
import type { RECALLED_TEXTS } from "./recalled-texts.js";
import type { TABLE_TEXTS } from "./table/texts.js";

export const TEXTS = {
  // The panel
  title: ["Ask the data", "Вопросы к данным"],
  launcher: ["Ask", "Спросить"],
  close: ["Close", "Закрыть"],
  dock: ["Dock to the side", "Прикрепить сбоку"],
  float: ["Undock", "Открепить"],
  move: ["Move: arrow keys", "Переместить: стрелки"],
  resize: ["Resize: arrow keys", "Изменить размер: стрелки"],
  moved: ["{x} from the left, {y} from the top", "{x} слева, {y} сверху"],
  resized: ["{width} wide, {height} high", "ширина {width}, высота {height}"],
  new_chat: ["New conversation", "Новая беседа"],
  privacy_local: [
    "Answered in this page. Nothing is sent.",
    "Ответы получены на этой странице. Ничего не отправляется.",
  ],
  privacy_model: [
    "Summaries go to {host}; the table stays in this page.",
    "На {host} отправляются сводки; таблица остаётся на этой странице.",
  ],
  privacy_page: [
    "This page’s own code decides where summaries go; the table stays in this page.",
    "Куда отправляются сводки, решает код самой страницы; таблица остаётся на ней.",
  ],
  privacy_embedder: [
    "Questions go to {name}, protected values masked; the table stays in this page.",
    "Вопросы отправляются в {name}, защищённые значения в них скрыты; таблица остаётся на этой странице.",
  ],
  privacy_embedder_too: ["Questions go to {name}, too.", "Вопросы отправляются и в {name}."],
  host_page: ["this page’s own code", "код самой страницы"],
  // Starting and loading
  starting: ["The engine is starting…", "Движок запускается…"],
  loading: ["Reading {name}", "Читаю {name}"],
  loading_detail: [
    "{bytes} read, {rows} {rows?row|rows}",
    "прочитано {bytes}, {rows} {rows?строка|строки|строк}",
  ],
  loading_detail_total: [
    "{bytes} of {total}, {rows} {rows?row|rows}",
    "{bytes} из {total}, {rows} {rows?строка|строки|строк}",
  ],
  cancel: ["Cancel", "Отменить"],
  again: ["Try again", "Попробовать снова"],
  no_tables: ["No table is loaded yet.", "Таблица ещё не загружена."],
  welcome: ["Ask in plain words", "Спросите обычными словами"],
  welcome_text: [
    "Each number of an answer is checked against the data and leads to the rows behind it.",
    "Каждое число в ответе сверено с данными и ведёт к строкам, из которых получено.",
  ],
  about_table: [
    "{name}: {rows} {rows?row|rows}, {columns} {columns?column|columns}",
    "{name}: {rows} {rows?строка|строки|строк}, {columns} {columns?столбец|столбца|столбцов}",
  ],
  // The question
  ask_label: ["Your question", "Ваш вопрос"],
  ask: ["Ask", "Спросить"],
  placeholder: ["e.g. {question}", "напр.: {question}"],
  completions: ["Completions", "Подсказки"],
  kind_earlier: ["asked before", "уже спрашивали"],
  kind_suggestion: ["suggestion", "подсказка"],
  kind_column: ["column", "столбец"],
  type_int: ["integer", "целое"],
  type_float: ["number", "число"],
  type_decimal: ["exact decimal", "точное десятичное"],
  type_bool: ["yes/no", "да/нет"],
  type_text: ["text", "текст"],
  type_date: ["date", "дата"],
  type_timestamp: ["date and time", "дата и время"],
  type_list: ["list", "список"],
  completions_some: [
    "{n} {n?completion|completions}, arrow keys to choose",
    "{n} {n?подсказка|подсказки|подсказок}, выбор стрелками",
  ],
  suggestions: ["Questions to start with", "С чего начать"],
  // A question and its answer
  conversation: ["Conversation", "Беседа"],
  answer_views: ["Views of the answer", "Разделы ответа"],
  tab_answer: ["Answer", "Ответ"],
  tab_query: ["Query", "Запрос"],
  tab_data: ["Data", "Данные"],
  tab_chart: ["Chart", "График"],
  tab_sent: ["Sent", "Отправлено"],
  phase_planning: ["Working out the query…", "Составляю запрос…"],
  phase_waiting: ["Waiting for {host}…", "Жду ответа: {host}…"],
  phase_running: ["Running the query…", "Выполняю запрос…"],
  phase_checking: [
    "The draft failed the check, waiting for another…",
    "Черновик не прошёл проверку, жду другой…",
  ],
  unchecked: ["not yet checked", "ещё не проверено"],
  sql_own: ["SQL of your own, run as it stands", "Ваш SQL, выполнен как есть"],
  understood: ["Understood as: {text}", "Понято так: {text}"],
  scope_one_rows: ["looked at the only row", "просмотрена единственная строка"],
  scope_one_bars: ["looked at the only bar", "просмотрен единственный бар"],
  scope_all_rows: ["looked at all {scanned} rows", "просмотрены все строки: {scanned}"],
  scope_all_bars: ["looked at all {scanned} bars", "просмотрены все бары: {scanned}"],
  scope_some_rows: [
    "{matched} of {scanned} {scanned?row|rows} {matched?matches|match}",
    "{matched?подходит|подходят|подходят} {matched} из {scanned} {scanned?строки|строк|строк}",
  ],
  scope_some_bars: [
    "{matched} of {scanned} {scanned?bar|bars} {matched?matches|match}",
    "{matched?подходит|подходят|подходят} {matched} из {scanned} {scanned?бара|баров|баров}",
  ],
  scope_none_rows: ["no rows", "ни одной строки"],
  scope_none_bars: ["no bars", "ни одного бара"],
  scope_empty: ["the table has no rows", "в таблице нет строк"],
  scope_time: [" in the time asked for", " за запрошенное время"],
  scope_groups: ["{rows} {rows?group|groups}", "{rows} {rows?группа|группы|групп}"],
  scope_groups_of: [
    "{rows} of {all} {all?group|groups}",
    "{rows} из {all} {all?группы|групп|групп}",
  ],
  scope_made: ["{rows} {rows?row|rows}", "{rows} {rows?строка|строки|строк}"],
  scope_made_of: ["{rows} of {all} {all?row|rows}", "{rows} из {all} {all?строки|строк|строк}"],
  scope_values: ["{rows} {rows?value|values}", "{rows} {rows?значение|значения|значений}"],
  scope_steps: ["computed in steps", "вычислено по шагам"],
  scope_steps_of: [
    "computed in steps from a table of {size} {size?row|rows}",
    "вычислено по шагам из таблицы, строк в ней: {size}",
  ],
  by_planner: ["answered by the built-in planner", "ответил встроенный планировщик"],
  by_model: ["answered through {host}", "ответ через {host}"],
  by_recall: ["answered as before", "ответ найден среди прежних"],
  warnings: ["Please note", "Учтите"],
  readings: [
    "This can be read in several ways. Which one is meant?",
    "Это можно понять по-разному. Что имелось в виду?",
  ],
  instead: ["Questions that can be asked", "Что можно спросить"],
  count_verified: ["verified: {n}", "проверено: {n}"],
  count_derived: ["derived: {n}", "вычислено: {n}"],
  count_corrected: ["corrected: {n}", "исправлено: {n}"],
  count_contradicted: ["contradicted: {n}", "опровергнуто: {n}"],
  count_withheld: ["withheld: {n}", "скрыто: {n}"],
  count_unverifiable: ["cannot be checked: {n}", "нельзя проверить: {n}"],
  masked: [
    "A protected cell says the same as words of your question: {texts}. The model reads a mask in their place.",
    "Слова вопроса совпадают с защищённой ячейкой: {texts}. Модель видит вместо них маску.",
  ],
  masked_send: ["Ask again with these words", "Спросить снова с этими словами"],
  ask_planner: ["Answer without a model", "Ответить без модели"],
  result_gone: [
    "This result is not kept any more. Ask again to see its rows.",
    "Этот результат уже не хранится. Спросите ещё раз, чтобы увидеть строки.",
  ],
  edited: ["Result of the edited query", "Результат изменённого запроса"],
  copy: ["Copy", "Копировать"],
  copy_answer: ["Copy answer", "Копировать ответ"],
  copied: ["Copied", "Скопировано"],
  copy_failed: ["The browser did not allow it", "Браузер не разрешил"],
  // A number's mark
  verdict_verified: ["verified", "проверено"],
  verdict_derived: ["derived", "вычислено"],
  verdict_corrected: ["corrected", "исправлено"],
  verdict_contradicted: ["contradicted", "опровергнуто"],
  verdict_withheld: ["withheld", "скрыто"],
  verdict_unverifiable: ["cannot be checked", "нельзя проверить"],
  about_verified: ["The data says exactly this.", "В данных именно это значение."],
  about_derived: [
    "It follows from the data by the formula below.",
    "Вычислено по данным, формула ниже.",
  ],
  about_corrected: [
    "The draft was wrong here; the value from the data was put in its place.",
    "Здесь черновик ошибался; подставлено значение из данных.",
  ],
  about_contradicted: ["The data says otherwise.", "В данных другое значение."],
  about_withheld: [
    "The draft was wrong here, and there is no value to put in its place.",
    "Здесь черновик ошибался, а подставить нечего.",
  ],
  about_unverifiable: [
    "It could not be held against the results: do not rely on it.",
    "Сверить это с результатами не удалось: не полагайтесь на это число.",
  ],
  about_perhaps: [
    "It could not be held against the results beyond doubt: do not rely on it. Perhaps it was said of this:",
    "Сверить это с результатами наверняка не удалось: не полагайтесь на это число. Возможно, оно об этом:",
  ],
  fact_of: ["Of", "О чём"],
  fact_whole: ["the whole result", "весь результат"],
  fact_measure: ["Measure", "Показатель"],
  fact_value: ["Exact value", "Точное значение"],
  fact_result: ["Result", "Результат"],
  fact_formula: ["Formula", "Формула"],
  fact_operands: ["Made of", "Из чего"],
  fact_more: ["and {n} more", "и ещё {n}"],
  fact_draft: ["The draft said", "В черновике было"],
  fact_actual: ["In the data", "В данных"],
  fact_rows: ["Show the rows behind it", "Показать строки"],
  fact_first_rows: ["First rows behind it", "Первые строки за этим числом"],
  fact_rows_of: ["({shown}\u00a0of\u00a0{all})", "({shown}\u00a0из\u00a0{all})"],
  fact_about: ["What {text} stands on", "На чём основано {text}"],
  measure_rows: ["number of rows in the result", "число строк результата"],
  measure_rows_matched: ["rows that matched", "строк подошло"],
  measure_rows_scanned: ["rows that were looked through", "строк просмотрено"],
  measure_rows_before_limit: ["number of rows without the limit", "число строк без ограничения"],
  measure_min: ["minimum of {column}", "минимум {column}"],
  measure_max: ["maximum of {column}", "максимум {column}"],
  measure_sum: ["sum of {column}", "сумма {column}"],
  measure_mean: ["mean of {column}", "среднее {column}"],
  // The query
  call_label: ["The tool and what it was called with", "Инструмент и его аргументы"],
  call_output: ["All that it found", "Полный ответ инструмента"],
  no_query: ["No query was run for this answer.", "Для этого ответа запрос не выполнялся."],
  apply_fix: ["Use {fix}", "Исправить на {fix}"],
  choices: ["Valid here:", "Допустимо:"],
  // The data
  no_data: ["No rows belong to this answer.", "К этому ответу не относятся строки."],
  results: ["Results of this answer", "Результаты этого ответа"],
  result_of: ["{id}: {rows} {rows?row|rows}", "{id}: {rows} {rows?строка|строки|строк}"],
  group_hint: [
    "Choose a group to see the rows behind it.",
    "Выберите группу, чтобы увидеть её строки.",
  ],
  source_of: ["Rows behind {key}", "Строки группы {key}"],
  source_all: ["Rows that were counted", "Учтённые строки"],
  value: ["Value", "Значение"],
  // The table of all rows
  reading: ["Reading…", "Чтение…"],
  table_empty: [
    "The file names its columns and has no rows: there is nothing to compute yet. Load one with rows.",
    "В файле есть названия столбцов, но нет строк: считать пока нечего. Загрузите файл со строками.",
  ],
  no_result: ["Nothing to show yet", "Пока нечего показать"],
  download_as: ["Download as {format}", "Скачать как {format}"],
  chart_keys: [
    "No chart here: these are groups by {n} columns ({columns}), and a chart has room for two. Ask for groups by one or two of them.",
    "Графика здесь нет: это группы по {n} столбцам ({columns}), а на графике помещаются два. Спросите с группировкой по одному-двум из них.",
  ],
  range: ["range", "интервал"],
  missing: ["(empty)", "(пусто)"],
  // The ledger
  sent_nothing: ["Nothing was sent.", "Ничего не было отправлено."],
  sent_nothing_text: [
    "The answer was worked out in this page, without a model.",
    "Ответ получен на этой странице, без модели.",
  ],
  sent_nothing_ledger: ["No request has left this page.", "Ни один запрос не покинул страницу."],
  sent_request: ["Request {n}", "Запрос {n}"],
  sent_time: ["Time", "Время"],
  sent_endpoint: ["To", "Куда"],
  sent_bytes: ["Size", "Размер"],
  sent_size: ["{size} ({n} {n?byte|bytes})", "{size} ({n} {n?байт|байта|байт})"],
  sent_level: ["Level", "Уровень"],
  sent_columns: ["Tells of columns", "О столбцах"],
  sent_results: ["Tells of results", "О результатах"],
  sent_previous: ["Hash before", "Предыдущий хеш"],
  sent_body: ["The exact text", "Точный текст"],
  sent_hex: ["The exact bytes, in hexadecimal", "Точные байты, шестнадцатеричные"],
  withheld: ["Withheld", "Не раскрыто"],
  withheld_hidden: [
    "{column}: hidden, neither its name nor its values are sent",
    "{column}: скрыт, ни имя, ни значения не отправляются",
  ],
  withheld_aggregate: [
    "{column}: only inside aggregates over at least {k} {k?row|rows}",
    "{column}: только внутри агрегатов не менее чем по {k} {k?строке|строкам|строкам}",
  ],
  withheld_flag: ["looks like {kind}", "похоже на {kind}"],
  withheld_level_schema: [
    "Level “schema”: no values of results",
    "Уровень «схема»: никаких значений результатов",
  ],
  withheld_level_aggregate: [
    "Level “aggregates”: no single rows, aggregates over at least {k} {k?row|rows}",
    "Уровень «агрегаты»: без отдельных строк, агрегаты не менее чем по {k} {k?строке|строкам|строкам}",
  ],
  withheld_level_summary: [
    "Level “summaries”: all rows but the first and the last of a result",
    "Уровень «сводки»: все строки результата, кроме первой и последней",
  ],
  withheld_level_preview: [
    "Level “previews”: all rows but the first five",
    "Уровень «образцы»: все строки, кроме первых пяти",
  ],
  withheld_now: ["By the policy now in force", "По действующей политике"],
  level_schema: ["schema", "схема"],
  level_aggregate: ["aggregates", "агрегаты"],
  level_summary: ["summaries", "сводки"],
  level_preview: ["previews", "образцы"],
  flag_email: ["e-mail addresses", "адреса электронной почты"],
  flag_phone: ["phone numbers", "номера телефонов"],
  flag_card: ["card numbers", "номера карт"],
  flag_iban: ["bank account numbers", "номера счетов"],
  flag_ip: ["IP addresses", "IP-адреса"],
  flag_national_id: ["personal numbers", "личные номера"],
  flag_person_name: ["names of people", "имена людей"],
  chain_none: ["Nothing to verify yet.", "Проверять пока нечего."],
  chain_ok: [
    "Chain verified: {n} {n?entry|entries}",
    "Цепочка проверена: {n} {n?запись|записи|записей}",
  ],
  chain_bad: ["The chain breaks at entry {n}", "Цепочка нарушена на записи {n}"],
  ledger_memory: ["kept until the page is left", "журнал хранится, пока открыта страница"],
  ledger_device: ["kept on this device", "журнал хранится на этом устройстве"],
  verify: ["Verify", "Проверить"],
  export: ["Export", "Выгрузить"],
  // Failures
  endpoint_said: ["The server said: {text}", "Ответ сервера: {text}"],
  error_title: ["That did not work", "Не получилось"],
  file_failed: ["{name} could not be read", "Не удалось прочитать {name}"],
  file_other: [
    "the name says {format}, but the file does not begin as {format} does: it is damaged, or something else",
    "по имени это {format}, но начинается файл иначе: он повреждён или это что-то другое",
  ],
  cancelled: ["Stopped.", "Остановлено."],
  hint_endpoint: [
    "Is the endpoint running, and does it let this page read its answers (CORS)?",
    "Работает ли сервер модели и разрешает ли он этой странице читать ответы (CORS)?",
  ],
  hint_key: [
    "The key is missing or is not accepted: check it, and that it may use this model.",
    "Ключа нет или он не подходит: проверьте ключ и его права на эту модель.",
  ],
  hint_busy: [
    "Too many requests for now, or the limit of the account is used up. Wait a little and ask again.",
    "Слишком много запросов, или исчерпан лимит учётной записи. Подождите немного и спросите ещё раз.",
  ],
  hint_server: [
    "The fault is the service’s, not yours. Ask again later.",
    "Сбой на стороне сервиса, от вас он не зависит. Спросите позже.",
  ],
  hint_missing: [
    "Check the address and the name of the model.",
    "Проверьте адрес и название модели.",
  ],
  hint_refused: [
    "Check the model and the format of the requests.",
    "Проверьте модель и формат запросов.",
  ],
  hint_broken_off: [
    "The connection broke off on the way. Ask again.",
    "Связь оборвалась. Спросите ещё раз.",
  ],
  hint_file: [
    "Check the address of the file. Its server must let this page read it (CORS).",
    "Проверьте адрес файла. Его сервер должен разрешать чтение этой странице (CORS).",
  ],
  hint_restarted: [
    "Ask again, or ask for less: fewer columns, a shorter period.",
    "Спросите ещё раз или сузьте вопрос: меньше столбцов, короче период.",
  ],
  hint_internal: [
    "This should not happen. Reload the page if it happens again.",
    "Такого быть не должно. Если это повторится, перезагрузите страницу.",
  ],
  hint_room: [
    "Delete conversations, questions or files that you do not need.",
    "Удалите ненужные беседы, вопросы или файлы.",
  ],
  hint_engine: [
    "Reload the page. It needs a current browser with WebAssembly.",
    "Перезагрузите страницу. Нужен современный браузер с WebAssembly.",
  ],
} satisfies Record<string, readonly [en: string, ru: string]>;

/** The name of a text. */
export type Key =
  | keyof typeof TEXTS
  | keyof typeof TABLE_TEXTS
  | keyof typeof CHART_TEXTS
  | keyof typeof QUERY_TEXTS
  | keyof typeof RECALLED_TEXTS;

/** What is filled in. */
export type Values = Record<string, string | number | undefined>;

/** A value, or a word by it: `{rows} {rows?row|rows}` is `1 row`, and `0 rows`; Russian has three. */
const PLACE = /\{(\w+)(?:\?([^}]*))?\}/g;
/** Which of the words, by how many there are: one and more, or one, few and many. */
const FORMS: Record<number, [rules: Intl.PluralRules, forms: Intl.LDMLPluralRule[]]> = {
  2: [new Intl.PluralRules("en"), ["one", "other"]],
  3: [new Intl.PluralRules("ru"), ["one", "few", "many"]],
};

/** Fills values in. */
export function fill(words: string, values: Values): string {
  return words.replace(PLACE, (_, name: string, by?: string) => {
    const value = String(values[name] ?? "");
    if (by === undefined) return value;
    const choice = by.split("|");
    const [rules, forms] = FORMS[choice.length] ?? [];
    // Whole numbers, with what stands between their digits.
    const form = rules?.select(Number(value.replace(/\D/g, ""))) ?? "other";
    return choice[forms?.indexOf(form) ?? -1] ?? choice.at(-1) ?? "";
  });
}

/** The texts that are there: those above, and those that came with an element. */
const there: Partial<Record<string, readonly [en: string, ru: string]>> = { ...TEXTS };

/** Adds the texts of an element that comes when it is first shown; `text` knows them from then on. */
export function withTexts(texts: typeof there): typeof text {
  Object.assign(there, texts);
  return text;
}

/** Fills a text in. */
export function text(locale: Locale, key: Key, values: Values = {}): string {
  const said = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? value.toLocaleString(locale) : value,
  ]);
  return fill(there[key]?.[locale === "ru" ? 1 : 0] ?? key, Object.fromEntries(said) as Values);
}

/** Whether there is a text of this name: parts of names come from data. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(there, key);
}

/** The words before a reading, in each language. */
const BEFORE_READING = TEXTS.understood.map((words) => words.replace("{text}", ""));

/**
 * Where the reading ends that an answer of the planner begins with, 0 where it begins with none. It is in
 * the language of the question, which need not be that of the page, nor that of `title`.
 */
export function readingEnd(answer: string, title: string | undefined): number {
  const end = answer.indexOf("\n\n");
  const head = answer.slice(0, Math.max(end, 0));
  const named = title !== undefined && title !== "" && head.includes(title);
  return named || BEFORE_READING.some((words) => head.startsWith(words)) ? head.length : 0;
}

/** Whether a title says more than the question that it stands below: some are how that begins. */
export function saysMore(title: string, question: string): boolean {
  const plain = (words: string): string => words.replace(/\s+/g, " ").trim().toLowerCase();
  return title !== "" && !plain(question).startsWith(plain(title).replace(/…$/, ""));
}

/** What to do about a status of the endpoint, by what it says of whose the fault is. */
export function statusHint(message: string): Key {
  // The message ends with it in either language; no other number stands there.
  const status = Number(/(\d{3})\)\s*$/.exec(message)?.[1] ?? 0);
  if (status === 401 || status === 403) return "hint_key";
  if (status === 404) return "hint_missing";
  if (status === 429) return "hint_busy";
  return status >= 500 ? "hint_server" : "hint_refused";
}
