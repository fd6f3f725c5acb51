// The texts of the editor of queries, in English and Russian.

import { withTexts } from "./texts.js";

export const QUERY_TEXTS = {
  query_label: [
    "The query in its canonical form; edit it and run it again",
    "Запрос в полной записи; его можно изменить и выполнить снова",
  ],
  query_sql: [
    "SQL runs here, too: `SELECT * FROM {table} LIMIT 10`",
    "Здесь выполняется и SQL: `SELECT * FROM {table} LIMIT 10`",
  ],
  run: ["Run", "Выполнить"],
  query_ok: ["Done: {text}", "Готово: {text}"],
  query_show: ["Show it in the data", "Показать в данных"],
  query_not_json: [
    "The query is not valid JSON: look at line {line}, column {column} (`{sign}`). A query stands in braces, SQL begins with SELECT or WITH.",
    "Запрос не похож на JSON: ошибка в строке {line}, позиция {column} (`{sign}`). Запрос стоит в фигурных скобках, SQL начинается с SELECT или WITH.",
  ],
  query_breaks_off: [
    "The query is not valid JSON: it breaks off, a bracket or a quote is missing at its end",
    "Запрос не похож на JSON: он обрывается, в конце не хватает скобки или кавычки",
  ],
  query_like_sql: [
    "`{word}` looks like SQL, which begins with SELECT or WITH here: `SELECT … FROM …`. Any other query stands in braces.",
    "`{word}` похоже на SQL, но он начинается здесь с SELECT или WITH: `SELECT … FROM …`. Другой запрос стоит в фигурных скобках.",
  ],
  place_at: ["Line {line}, column {column}", "Строка {line}, позиция {column}"],
  sql_quote_open: ["this quote is never closed", "эта кавычка не закрыта"],
  sql_bracket_open: ["this bracket is never closed", "эта скобка не закрыта"],
  sql_bracket_extra: ["this bracket closes nothing", "эта скобка ничего не закрывает"],
  sql_comma: ["nothing follows this comma", "после этой запятой ничего нет"],
  sql_ends: ["the statement breaks off here", "запрос здесь обрывается"],
  sql_meant: ["`{word}` may be meant", "возможно, это `{word}`"],
  query_changes: [
    "`{word}` is SQL that changes data. Only SELECT (or WITH … SELECT) is run here: the tables stay as they are.",
    "`{word}` – это SQL, который меняет данные. Здесь выполняется только SELECT (или WITH … SELECT): таблицы остаются как есть.",
  ],
  query_not_run: [
    "`{word}` is SQL that is not run here: only SELECT (or WITH … SELECT) is.",
    "SQL с `{word}` здесь не выполняется: только SELECT (или WITH … SELECT).",
  ],
  in_words: ["In words: {text}", "Словами: {text}"],
} satisfies Record<string, readonly [en: string, ru: string]>;

export const text = withTexts(QUERY_TEXTS);
