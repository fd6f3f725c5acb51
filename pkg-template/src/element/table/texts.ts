// The texts of the table of all rows, in English and Russian.

import { withTexts } from "../texts.js";

export const TABLE_TEXTS = {
  grid: ["Rows of the result", "Строки результата"],
  size: [
    "{rows} {rows?row|rows} · {columns} {columns?column|columns}",
    "{rows} {rows?строка|строки|строк} · {columns} {columns?столбец|столбца|столбцов}",
  ],
  no_rows: ["No rows", "Нет строк"],
  no_rows_hint: [
    "Nothing in the table matches this query.",
    "В таблице нет ничего, что подходит под этот запрос.",
  ],
  no_rows_table: ["The table itself is empty.", "Сама таблица пуста."],
  copied_cells: [
    "Copied: {cells} {cells?cell|cells}",
    "{cells?Скопирована|Скопированы|Скопировано} {cells} {cells?ячейка|ячейки|ячеек}",
  ],
  copy_too_much: [
    "Not copied: more than {cells} {cells?cell is|cells are} selected. A download holds them all.",
    "Не скопировано: выделено больше {cells} {cells?ячейки|ячеек|ячеек}. В файле для скачивания будут все.",
  ],
  download: ["Download", "Скачать"],
  csv_excel: ["CSV for Excel", "CSV для Excel"],
  csv_excel_hint: [
    "Semicolons between the fields and decimal commas, as Excel reads it where numbers have a comma. A text that it would run as a formula begins with an apostrophe.",
    "Точка с запятой между полями и десятичная запятая: так читает CSV русский Excel. Текст, который он выполнил бы как формулу, начинается с апострофа.",
  ],
  writing: [
    "Writing {format}: {done} of {total} {total?row|rows}",
    "Запись {format}: {done} из {total} {total?строки|строк|строк}",
  ],
  raw: ["Raw JSON", "Исходный JSON"],
  raw_of: ["Rows {from}–{to} of {total}", "Строки {from}–{to} из {total}"],
  previous: ["Previous", "Назад"],
  next: ["Next", "Вперёд"],
  filter_all: ["Filter to all rows ({rows})", "Отобрать все строки ({rows})"],
  filter_rows: ["Filter to selected rows ({rows})", "Отобрать выделенные строки ({rows})"],
  filter_group: ["Filter to this group", "Отобрать эту группу"],
  filter_groups: ["Filter to selected groups ({rows})", "Отобрать выделенные группы ({rows})"],
  filtered: ["The page was told", "Странице передано"],
  place: ["Row {row} of {total}", "Строка {row} из {total}"],
  characters: ["{count} {count?character|characters}", "{count} {count?знак|знака|знаков}"],
  cut: ["the first {count} are shown", "показаны первые {count}"],
  sorting: ["Sorting by {column}…", "Сортировка: {column}…"],
  sort_hint: ["Sort by {column}", "Сортировать: {column}"],
  sort_not: [
    "Too many rows to sort in this page",
    "Слишком много строк для сортировки на этой странице",
  ],
} satisfies Record<string, readonly [en: string, ru: string]>;

export const text = withTexts(TABLE_TEXTS);
