// The page's texts in English and Russian. `{name}` is filled in.

const TEXTS = {
  headline: [
    "Ask your table a question. It never leaves this page.",
    "Задайте вопрос своей таблице. Она не покинет эту страницу.",
  ],
  lede: [
    "Drop a file, ask in plain words, see the query that was run, the rows behind the answer, and every byte that was sent.",
    "Перетащите файл, спросите обычными словами и увидите выполненный запрос, строки за ответом и каждый отправленный байт.",
  ],
  language: ["Language", "Язык"],
  settings: ["Settings", "Настройки"],
  close: ["Close", "Закрыть"],
  cancel: ["Cancel", "Отменить"],
  policy: ["Policy: {level}", "Правило: {level}"],
  policy_hint: [
    "What a model may receive: summaries of results, never rows",
    "Что может получить модель: сводки результатов, но не строки",
  ],
  sent_none: ["Nothing sent", "Ничего не отправлено"],
  sent_some: ["Requests sent: {n}", "Отправлено запросов: {n}"],
  engine_starting: ["The engine is starting…", "Движок запускается…"],
  engine_ready: ["The engine is ready", "Движок готов"],
  engine_failed: ["The engine could not start", "Движок не запустился"],
  drop_title: ["Drop a CSV file here", "Перетащите сюда файл CSV"],
  drop_hint: ["It is read on this device.", "Он читается на этом устройстве."],
  choose: ["Choose a file", "Выбрать файл"],
  sample: ["Try sample data", "Взять пример данных"],
  sample_hint: [
    "A million minute bars of an imaginary index future, made in this page",
    "Миллион минутных баров вымышленного фьючерса на индекс, созданных на этой странице",
  ],
  url_label: ["or the address of a file", "или адрес файла"],
  url_load: ["Load", "Загрузить"],
  url_bad: ["This is not an address of a file", "Это не адрес файла"],
  host_title: ["Let this page reach {host}?", "Разрешить странице обращаться к {host}?"],
  host_text: [
    "It may reach only itself so far. The host is remembered, and the page reloads.",
    "Пока она обращается только к себе. Адрес запомнится, страница перезагрузится.",
  ],
  host_allow: ["Allow and load", "Разрешить и загрузить"],
  loading: ["Reading {name}", "Читаю {name}"],
  loading_finish: ["Finishing {name}", "Завершаю {name}"],
  loading_detail: ["{bytes} read, {rows} rows", "прочитано {bytes}, строк: {rows}"],
  loading_detail_total: ["{bytes} of {total}, {rows} rows", "{bytes} из {total}, строк: {rows}"],
  skip_bad_rows: [
    "Leave such rows out and load the rest",
    "Пропустить такие строки и загрузить остальное",
  ],
  load_cancelled: [
    "Loading was cancelled, nothing was kept",
    "Загрузка отменена, ничего не осталось",
  ],
  loaded: ["{name} is loaded: {rows} rows", "{name} загружена, строк: {rows}"],
  table: ["Table", "Таблица"],
  rows: ["Rows", "Строк"],
  columns: ["Columns", "Столбцов"],
  period: ["Period", "Период"],
  interval: ["Interval", "Шаг"],
  memory: ["Memory", "Память"],
  column: ["Column", "Столбец"],
  kind: ["Type", "Тип"],
  unit: ["Unit", "Единица"],
  time_column: ["time", "время"],
  series_column: ["series", "ряд"],
  remove: ["Remove", "Убрать"],
  show_columns: ["Columns and types", "Столбцы и типы"],
  load_notes: ["Notes on reading", "Замечания к чтению"],
  kind_int: ["integer", "целое"],
  kind_float: ["number", "число"],
  kind_bool: ["yes/no", "да/нет"],
  kind_text: ["text", "текст"],
  kind_date: ["date", "дата"],
  kind_timestamp: ["date and time", "дата и время"],
  ask_label: ["Your question", "Ваш вопрос"],
  ask_placeholder: [
    "e.g. average gap by weekday where gap is above 50",
    "напр.: средний гэп по дням недели, где гэп больше 50",
  ],
  ask: ["Ask", "Спросить"],
  suggestions: ["Questions to start with", "С чего начать"],
  answers: ["Answers", "Ответы"],
  answer_views: ["Views of the answer", "Виды ответа"],
  tab_answer: ["Answer", "Ответ"],
  tab_query: ["Query", "Запрос"],
  tab_data: ["Data", "Данные"],
  tab_sent: ["Sent", "Отправлено"],
  thinking: ["Working…", "Считаю…"],
  checking: ["The draft was wrong, it is being rewritten…", "Черновик неверен, переписываю…"],
  unchecked: ["not yet checked", "ещё не проверено"],
  understood: ["Understood as: {text}", "Понято так: {text}"],
  matched: ["from {matched} of {scanned} rows", "из {scanned} строк подошло {matched}"],
  timeframe_daily: ["read as daily bars", "прочитано как дневные бары"],
  timeframe: ["read as {name} bars", "прочитано как бары {name}"],
  warnings: ["Mind", "Учтите"],
  verdict_verified: ["verified", "проверено"],
  verdict_derived: ["derived", "выведено"],
  verdict_corrected: ["corrected", "исправлено"],
  verdict_contradicted: ["contradicted", "опровергнуто"],
  verdict_unverifiable: ["cannot be checked", "нельзя проверить"],
  claim_draft: ["the draft said {text}", "в черновике было {text}"],
  claim_actual: ["in the data: {text}", "в данных: {text}"],
  claims: ["Checked statements: {n}", "Проверенные утверждения: {n}"],
  no_numbers: ["No numbers to check in this answer.", "В этом ответе нет чисел для проверки."],
  readings: [
    "This can be read in several ways. Which one is meant?",
    "Это можно понять по-разному. Что имелось в виду?",
  ],
  no_query: ["No query was run for this answer.", "Для этого ответа запрос не выполнялся."],
  no_data: ["No rows belong to this answer.", "К этому ответу не относятся строки."],
  query_label: [
    "The query in its canonical form; edit it and run it again",
    "Запрос в канонической форме; измените и выполните снова",
  ],
  run: ["Run", "Выполнить"],
  query_ok: ["Done: {text}", "Готово: {text}"],
  query_not_json: ["This is not valid JSON: {text}", "Это не JSON: {text}"],
  edited: ["Result of the edited query", "Результат изменённого запроса"],
  apply_fix: ["Use {fix}", "Исправить на {fix}"],
  choices: ["Valid here:", "Допустимо:"],
  page_of: ["Rows {from}–{to} of {total}", "Строки {from}–{to} из {total}"],
  page_none: ["No rows", "Нет строк"],
  previous: ["Previous", "Назад"],
  next: ["Next", "Вперёд"],
  csv: ["Download CSV", "Скачать CSV"],
  group_hint: [
    "Choose a group to see the rows behind it.",
    "Выберите группу, чтобы увидеть её строки.",
  ],
  source_of: ["Rows behind {key}", "Строки группы {key}"],
  source_all: ["Rows that were counted", "Учтённые строки"],
  sent_nothing: ["Nothing was sent.", "Ничего не было отправлено."],
  sent_nothing_text: [
    "The answer was worked out in this page, without a model.",
    "Ответ получен на этой странице, без модели.",
  ],
  sent_request: ["Request {n}", "Запрос {n}"],
  sent_time: ["Time", "Время"],
  sent_endpoint: ["To", "Куда"],
  sent_bytes: ["Size", "Размер"],
  sent_body: ["The exact text", "Точный текст"],
  verify: ["Verify", "Проверить"],
  verified_ok: ["The chain of hashes holds.", "Цепочка хешей цела."],
  verified_bad: ["The chain breaks at request {n}.", "Цепочка нарушена на запросе {n}."],
  export: ["Export", "Выгрузить"],
  ledger_title: ["What left this page", "Что покинуло страницу"],
  endpoint: ["Model endpoint", "Адрес модели"],
  endpoint_hint: [
    "Empty: the built-in planner answers, and nothing is sent. The page reloads when this changes.",
    "Пусто: отвечает встроенный планировщик, ничего не отправляется. При изменении страница перезагрузится.",
  ],
  model: ["Model", "Модель"],
  wire: ["Format", "Формат"],
  save: ["Save", "Сохранить"],
  endpoint_bad: ["This is not an http(s) address", "Это не адрес http(s)"],
  answered_by_planner: ["answered by the built-in planner", "ответил встроенный планировщик"],
  answered_by_model: ["answered through {host}", "ответ через {host}"],
  ask_planner: ["Answer without the endpoint", "Ответить без модели"],
  error_title: ["That did not work", "Не получилось"],
  cancelled: ["Cancelled.", "Отменено."],
  tables_lost: [
    "The engine was restarted and the table could not be read again. Load it once more.",
    "Движок перезапущен, таблицу не удалось прочитать снова. Загрузите её ещё раз.",
  ],
  value: ["Value", "Значение"],
  null: ["no value", "нет значения"],
  footer: [
    "Files are read in this page and stay there. Without an endpoint nothing is sent at all.",
    "Файлы читаются на этой странице и остаются на ней. Без адреса модели не отправляется ничего.",
  ],
};

const listeners = new Set();
let current = document.documentElement.lang === "ru" ? "ru" : "en";

/** The page's language. */
export function language() {
  return current;
}

/** Changes the page's language. */
export function setLanguage(name) {
  current = name === "ru" ? "ru" : "en";
  document.documentElement.lang = current;
  for (const listener of listeners) listener(current);
}

/** Calls `listener` when the language changes. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** A text of the page. */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[current === "ru" ? 1 : 0] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
