// The texts of the elements in English and Russian. `{name}` is filled in.

import type { Locale } from "../types.js";

const TEXTS = {
  // The panel
  title: ["Ask the data", "Спросите данные"],
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
    "Сводки уходят на {host}; таблица остаётся на этой странице.",
  ],
  // Starting and loading
  starting: ["The engine is starting…", "Движок запускается…"],
  loading: ["Reading {name}", "Читаю {name}"],
  loading_detail: ["{bytes} read, {rows} rows", "прочитано {bytes}, строк: {rows}"],
  loading_detail_total: ["{bytes} of {total}, {rows} rows", "{bytes} из {total}, строк: {rows}"],
  cancel: ["Cancel", "Отменить"],
  again: ["Try again", "Попробовать снова"],
  no_tables: ["No table is loaded yet.", "Таблица ещё не загружена."],
  welcome: ["Ask in plain words", "Спросите обычными словами"],
  welcome_text: [
    "Each number of an answer is checked against the data and leads to the rows behind it.",
    "Каждое число в ответе сверено с данными и ведёт к строкам, из которых получено.",
  ],
  about_table: [
    "{name}: {rows} rows, {columns} columns",
    "{name}: строк {rows}, столбцов {columns}",
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
  type_bool: ["yes/no", "да/нет"],
  type_text: ["text", "текст"],
  type_date: ["date", "дата"],
  type_timestamp: ["date and time", "дата и время"],
  completions_some: ["{n} completions, arrow keys to choose", "подсказок: {n}, выбор стрелками"],
  suggestions: ["Questions to start with", "С чего начать"],
  // A question and its answer
  conversation: ["Conversation", "Беседа"],
  answer_views: ["Views of the answer", "Виды ответа"],
  tab_answer: ["Answer", "Ответ"],
  tab_query: ["Query", "Запрос"],
  tab_data: ["Data", "Данные"],
  tab_chart: ["Chart", "График"],
  tab_sent: ["Sent", "Отправлено"],
  phase_planning: ["Working out the query…", "Составляю запрос…"],
  phase_waiting: ["Waiting for {host}…", "Жду ответа {host}…"],
  phase_running: ["Running the query…", "Выполняю запрос…"],
  phase_checking: ["The draft was wrong, it is being rewritten…", "Черновик неверен, переписываю…"],
  unchecked: ["not yet checked", "ещё не проверено"],
  understood: ["Understood as: {text}", "Понято так: {text}"],
  scope_all: ["all {scanned} rows", "все строки: {scanned}"],
  scope_some: ["from {matched} of {scanned} rows", "из {scanned} строк подошло {matched}"],
  by_planner: ["answered by the built-in planner", "ответил встроенный планировщик"],
  by_model: ["answered through {host}", "ответ через {host}"],
  warnings: ["Mind", "Учтите"],
  readings: [
    "This can be read in several ways. Which one is meant?",
    "Это можно понять по-разному. Что имелось в виду?",
  ],
  instead: ["Questions that can be asked", "Что можно спросить"],
  no_numbers: ["No numbers to check in this answer.", "В этом ответе нет чисел для проверки."],
  count_verified: ["verified: {n}", "проверено: {n}"],
  count_derived: ["derived: {n}", "выведено: {n}"],
  count_corrected: ["corrected: {n}", "исправлено: {n}"],
  count_contradicted: ["contradicted: {n}", "опровергнуто: {n}"],
  count_unverifiable: ["cannot be checked: {n}", "нельзя проверить: {n}"],
  masked: [
    "A protected cell says the same as words of your question: {texts}. The model reads a mask in their place.",
    "Слова вопроса совпадают с защищённой ячейкой: {texts}. Модель видит вместо них маску.",
  ],
  masked_send: ["Ask again with these words", "Спросить снова с этими словами"],
  ask_planner: ["Answer without the endpoint", "Ответить без модели"],
  result_gone: [
    "This result is not kept any more. Ask again to see its rows.",
    "Этот результат уже не хранится. Спросите ещё раз, чтобы увидеть строки.",
  ],
  edited: ["Result of the edited query", "Результат изменённого запроса"],
  copy: ["Copy", "Копировать"],
  copied: ["Copied", "Скопировано"],
  copy_failed: ["The browser did not allow it", "Браузер не разрешил"],
  // A number's mark
  verdict_verified: ["verified", "проверено"],
  verdict_derived: ["derived", "выведено"],
  verdict_corrected: ["corrected", "исправлено"],
  verdict_contradicted: ["contradicted", "опровергнуто"],
  verdict_unverifiable: ["cannot be checked", "нельзя проверить"],
  about_verified: ["The data says exactly this.", "Ровно это стоит в данных."],
  about_derived: [
    "It follows from the data by the formula below.",
    "Следует из данных по формуле ниже.",
  ],
  about_corrected: [
    "The draft was wrong here; the value from the data was put in its place.",
    "Здесь черновик ошибался; подставлено значение из данных.",
  ],
  about_contradicted: ["The data says otherwise.", "В данных другое."],
  about_unverifiable: [
    "Nothing in the results says this: do not rely on it.",
    "В результатах этого нет: не полагайтесь на это число.",
  ],
  fact_of: ["Of", "О чём"],
  fact_whole: ["the whole result", "весь результат"],
  fact_measure: ["Measure", "Показатель"],
  fact_value: ["Exact value", "Точное значение"],
  fact_result: ["Result", "Результат"],
  fact_formula: ["Formula", "Формула"],
  fact_draft: ["The draft said", "В черновике было"],
  fact_actual: ["In the data", "В данных"],
  fact_rows: ["Show the rows behind it", "Показать строки"],
  fact_first_rows: ["First rows behind it", "Первые строки основания"],
  fact_about: ["What {text} stands on", "На чём основано {text}"],
  measure_rows: ["number of rows in the result", "число строк результата"],
  measure_rows_matched: ["rows that matched", "подошедшие строки"],
  measure_rows_scanned: ["rows that were looked through", "просмотренные строки"],
  measure_min: ["lowest {column}", "наименьшее {column}"],
  measure_max: ["highest {column}", "наибольшее {column}"],
  measure_mean: ["mean of {column}", "среднее {column}"],
  // The query
  no_query: ["No query was run for this answer.", "Для этого ответа запрос не выполнялся."],
  query_label: [
    "The query in its canonical form; edit it and run it again",
    "Запрос в канонической форме; измените и выполните снова",
  ],
  run: ["Run", "Выполнить"],
  query_ok: ["Done: {text}", "Готово: {text}"],
  query_not_json: ["This is not valid JSON: {text}", "Это не JSON: {text}"],
  in_words: ["In words: {text}", "Словами: {text}"],
  apply_fix: ["Use {fix}", "Исправить на {fix}"],
  choices: ["Valid here:", "Допустимо:"],
  // The data
  no_data: ["No rows belong to this answer.", "К этому ответу не относятся строки."],
  results: ["Results of this answer", "Результаты этого ответа"],
  result_of: ["{id}: {rows} rows", "{id}, строк: {rows}"],
  rows_of: ["Rows {from}–{to} of {total}", "Строки {from}–{to} из {total}"],
  rows_none: ["No rows", "Нет строк"],
  previous: ["Previous", "Назад"],
  next: ["Next", "Вперёд"],
  table: ["Rows", "Строки"],
  null: ["no value", "нет значения"],
  group_hint: [
    "Choose a group to see the rows behind it.",
    "Выберите группу, чтобы увидеть её строки.",
  ],
  source_of: ["Rows behind {key}", "Строки группы {key}"],
  source_all: ["Rows that were counted", "Учтённые строки"],
  value: ["Value", "Значение"],
  download: ["Download", "Скачать"],
  filter: ["Apply as a filter", "Применить как фильтр"],
  filter_group: ["Filter by this group", "Фильтр по этой группе"],
  filtered: ["The page has been told.", "Странице передано."],
  no_chart: [
    "This result is read better as numbers than as a chart.",
    "Этот результат лучше читать числами, чем графиком.",
  ],
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
  sent_level: ["Level", "Уровень"],
  sent_columns: ["Tells of columns", "Говорит о столбцах"],
  sent_results: ["Tells of results", "Говорит о результатах"],
  sent_previous: ["Hash before", "Предыдущий хеш"],
  sent_body: ["The exact text", "Точный текст"],
  sent_hex: ["The exact bytes, in hexadecimal", "Точные байты, шестнадцатеричные"],
  withheld: ["Withheld", "Не раскрыто"],
  withheld_hidden: [
    "{column}: hidden, neither its name nor its values are sent",
    "{column}: скрыт, ни имя, ни значения не отправляются",
  ],
  withheld_aggregate: [
    "{column}: only inside aggregates over at least {k} rows",
    "{column}: только внутри агрегатов не менее чем по {k} строкам",
  ],
  withheld_flag: ["looks like {kind}", "похоже на {kind}"],
  withheld_level_schema: [
    "Level “schema”: no values of results",
    "Уровень «схема»: никаких значений результатов",
  ],
  withheld_level_aggregate: [
    "Level “aggregates”: no single rows, aggregates over at least {k} rows",
    "Уровень «агрегаты»: без отдельных строк, агрегаты не менее чем по {k} строкам",
  ],
  withheld_level_summary: [
    "Level “summaries”: all rows but the first and the last of a result",
    "Уровень «сводки»: все строки результата, кроме первой и последней",
  ],
  withheld_level_preview: [
    "Level “previews”: all rows but the first five",
    "Уровень «образцы»: все строки, кроме первых пяти",
  ],
  withheld_now: ["By the policy now in force", "По действующему правилу"],
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
  chain_ok: ["Chain verified: {n} entries", "Цепочка проверена, записей: {n}"],
  chain_bad: ["The chain breaks at entry {n}", "Цепочка нарушена на записи {n}"],
  ledger_memory: ["kept until the page is left", "хранится, пока открыта страница"],
  ledger_device: ["kept on this device", "хранится на этом устройстве"],
  verify: ["Verify", "Проверить"],
  export: ["Export", "Выгрузить"],
  // Failures
  error_title: ["That did not work", "Не получилось"],
  cancelled: ["Cancelled.", "Отменено."],
  hint_endpoint: [
    "Is the endpoint running, and does it let this page read its answers (CORS)?",
    "Работает ли сервер модели и разрешает ли он этой странице читать ответы (CORS)?",
  ],
  hint_file: [
    "Check the address of the file. Its server must let this page read it (CORS).",
    "Проверьте адрес файла. Его сервер должен разрешать чтение этой странице (CORS).",
  ],
  hint_engine: [
    "Reload the page. It needs a current browser with WebAssembly.",
    "Перезагрузите страницу. Нужен современный браузер с WebAssembly.",
  ],
} satisfies Record<string, readonly [en: string, ru: string]>;

/** The name of a text. */
export type Key = keyof typeof TEXTS;

/** What is filled in. */
export type Values = Record<string, string | number | undefined>;

/** Fills a text in. */
export function text(locale: Locale, key: Key, values: Values = {}): string {
  return TEXTS[key][locale === "ru" ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ""),
  );
}

/** Whether there is a text of this name: parts of names come from data. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(TEXTS, key);
}
