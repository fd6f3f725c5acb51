// The texts of the table and the chart in English and Russian. `{name}` is filled in.

import type { Locale } from "../types.js";

const TEXTS = {
  failed: ["That did not work", "Не получилось"],
  retry: ["Try again", "Повторить"],
  cancel: ["Cancel", "Отменить"],
  // The table
  grid: ["Rows of the result", "Строки результата"],
  reading: ["Reading…", "Чтение…"],
  size: ["Rows: {rows} · columns: {columns}", "Строк: {rows} · столбцов: {columns}"],
  no_rows: ["No rows", "Нет строк"],
  no_rows_hint: [
    "Nothing in the table matches this query.",
    "В таблице нет ничего, что подходит под этот запрос.",
  ],
  no_result: ["Nothing to show yet", "Пока нечего показать"],
  copy: ["Copy", "Скопировать"],
  copied: ["Copied: {cells} cells", "Скопировано ячеек: {cells}"],
  copy_too_much: [
    "Not copied: more than {cells} cells are selected. A download holds them all.",
    "Не скопировано: выделено больше {cells} ячеек. В файле для скачивания будут все.",
  ],
  download: ["Download", "Скачать"],
  download_as: ["Download as {format}", "Скачать как {format}"],
  writing: ["Writing {format}: {done} of {total} rows", "Запись {format}: {done} из {total} строк"],
  raw: ["Raw JSON", "Исходный JSON"],
  raw_of: ["Rows {from}–{to} of {total}", "Строки {from}–{to} из {total}"],
  previous: ["Previous", "Назад"],
  next: ["Next", "Вперёд"],
  filter_all: ["Filter to all {rows} rows", "Отобрать все строки ({rows})"],
  filter_rows: ["Filter to {rows} selected rows", "Отобрать выделенные строки ({rows})"],
  filter_group: ["Filter to this group", "Отобрать эту группу"],
  filter_groups: ["Filter to {rows} selected groups", "Отобрать выделенные группы ({rows})"],
  filtered: ["The page was told", "Странице передано"],
  place: ["Row {row} of {total}", "Строка {row} из {total}"],
  characters: ["{count} characters", "знаков: {count}"],
  cut: ["the first {count} are shown", "показаны первые {count}"],
  sorting: ["Sorting by {column}…", "Сортировка по {column}…"],
  sort_hint: ["Sort by {column}", "Сортировать по {column}"],
  sort_not: [
    "Too many rows to sort in this page",
    "Слишком много строк для сортировки на этой странице",
  ],
  widen: ["Column width", "Ширина столбца"],
  // The chart
  chart_kind: ["Chart", "Диаграмма"],
  kind_bar: ["Bars", "Столбцы"],
  kind_line: ["Line", "Линия"],
  kind_histogram: ["Histogram", "Гистограмма"],
  chart_x: ["Along", "По оси"],
  chart_y: ["Values", "Значения"],
  chart_series: ["Apart by", "Различать по"],
  none: ["nothing", "ничего"],
  all_values: ["all ({count})", "все ({count})"],
  chart_wait: ["Drawing…", "Рисуется…"],
  chart_reading: ["Reading {done} of {total} rows", "Чтение: {done} из {total} строк"],
  chart_none: ["This result has no chart", "Для этого результата нет диаграммы"],
  chart_none_hint: [
    "A chart needs a column of numbers and at least one row.",
    "Для диаграммы нужен столбец чисел и хотя бы одна строка.",
  ],
  chart_empty: ["There is nothing to draw", "Рисовать нечего"],
  chart_empty_hint: ["The chosen columns have no values.", "В выбранных столбцах нет значений."],
  chart_repeats: [
    "Several rows have the same value of {x}. Group the question by it to see bars, or choose another chart.",
    "У нескольких строк одно и то же значение {x}. Сгруппируйте вопрос по нему или выберите другую диаграмму.",
  ],
  values: ["Values as a table", "Значения таблицей"],
  save_svg: ["SVG", "SVG"],
  save_png: ["PNG", "PNG"],
  values_of: ["The first {shown} of {all}", "Первые {shown} из {all}"],
  value: ["value", "значение"],
  count: ["count", "количество"],
  range: ["range", "промежуток"],
  missing: ["(missing)", "(нет значения)"],
  // What the chart says in words
  say_bar: ["Bars of {y} by {x}", "Столбцы: {y} по {x}"],
  say_line: ["Line of {y} over {x}", "Линия: {y} по {x}"],
  say_histogram: ["Histogram of {x}", "Гистограмма: {x}"],
  say_series: [", {count} of {series}", " ({series}: {count})"],
  say_groups: ["{count} groups", "групп: {count}"],
  say_points: ["{count} points", "точек: {count}"],
  say_bins: ["{values} values in {count} ranges", "значений: {values}, промежутков: {count}"],
  say_from_to: ["from {from} to {to}", "с {from} по {to}"],
  say_highest: ["Highest: {value} at {place}", "Наибольшее: {value} при {place}"],
  say_lowest: ["Lowest: {value} at {place}", "Наименьшее: {value} при {place}"],
  say_fullest: ["Most values: {value}, in {place}", "Больше всего значений: {value}, {place}"],
  say_equal: ["All are {value}", "Все равны {value}"],
  // What it leaves out
  note_groups: [
    "Shown: {shown} of {all} groups, the first in the order of the result. The other {left} are left out.",
    "Показано групп: {shown} из {all}, первые по порядку результата. Остальные ({left}) не показаны.",
  ],
  note_series: [
    "Shown: {shown} of {all} of {series}, the first in the order of the result. The other {left} are left out.",
    "Показано: {shown} из {all} ({series}), первые по порядку результата. Остальные ({left}) не показаны.",
  ],
  note_thinned: [
    "{rows} rows are drawn as {points} points: the lowest and the highest of each stretch of about {stretch} rows.",
    "Строк: {rows}, точек на линии: {points} — наименьшее и наибольшее из каждых примерно {stretch} строк.",
  ],
  note_sampled: [
    "{read} of {rows} rows were read, at even distances. What is between them is not in the chart.",
    "Прочитано строк: {read} из {rows}, через равные промежутки. Того, что между ними, на диаграмме нет.",
  ],
  note_nulls: [
    "Rows without a value, left out: {count}.",
    "Строки без значения не показаны: {count}.",
  ],
  note_units: [
    "Left out, for their units differ: {columns}.",
    "Не показаны, так как единицы другие: {columns}.",
  ],
  note_inexact: [
    "Positions are rounded to 15 digits; the table has the exact values.",
    "Положения округлены до 15 цифр; точные значения есть в таблице.",
  ],
} satisfies Record<string, [string, string]>;

export type PartKey = keyof typeof TEXTS;

/** A text with its values filled in. */
export function partText(
  locale: Locale,
  key: PartKey,
  values: Record<string, string | number> = {},
): string {
  const [en, ru] = TEXTS[key];
  return (locale === "ru" ? ru : en).replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : whole,
  );
}
