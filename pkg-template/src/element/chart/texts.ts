// The texts of the chart, in English and Russian.

import { withTexts } from "../texts.js";

export const CHART_TEXTS = {
  chart_kind: ["Chart", "График"],
  kind_bar: ["Bars", "Столбцы"],
  kind_line: ["Line", "Линия"],
  kind_histogram: ["Histogram", "Гистограмма"],
  chart_x: ["Along", "По оси"],
  chart_y: ["Values", "Значения"],
  chart_series: ["Split by", "Разбить по"],
  none: ["nothing", "ничего"],
  all_values: ["all ({count})", "все ({count})"],
  chart_wait: ["Drawing…", "Строится…"],
  chart_reading: [
    "Reading {done} of {total} {total?row|rows}",
    "Чтение: {done} из {total} {total?строки|строк|строк}",
  ],
  chart_none: ["This result has no chart", "Для этого результата нет графика"],
  chart_none_hint: [
    "A chart needs a column of numbers and at least one row.",
    "Для графика нужен столбец чисел и хотя бы одна строка.",
  ],
  chart_one: ["One row is no chart", "Из одной строки графика не выйдет"],
  chart_one_hint: [
    "There is nothing to compare its numbers with: they are in the data.",
    "Её числа не с чем сравнить: они есть в данных.",
  ],
  chart_codes: ["No numbers worth a chart", "Нет чисел для графика"],
  chart_codes_hint: [
    "The only numbers here name rows, as ids and codes do.",
    "Числа здесь только называют строки, как номера и коды.",
  ],
  chart_empty: ["There is nothing to draw", "Рисовать нечего"],
  chart_empty_hint: ["The chosen columns have no values.", "В выбранных столбцах нет значений."],
  chart_repeats: [
    "Several rows have the same value of {x}. Group the question by it, or choose another chart.",
    "Одно значение в столбце «{x}» стоит в нескольких строках. Спросите с группировкой по нему или выберите другой график.",
  ],
  values: ["Values as a table", "Значения таблицей"],
  save_svg: ["SVG", "SVG"],
  save_png: ["PNG", "PNG"],
  values_of: ["The first {shown} of {all}", "Первые {shown} из {all}"],
  chart_value: ["value", "значение"],
  count: ["count", "количество"],
  share_of: ["share of {y}", "доля: {y}"],
  chart_title: ["{y} by {x}", "{y}; по оси – {x}"],
  chart_together: ["{title}, all years together", "{title}; годы вместе"],
  chart_title_split: ["{title}, split by {series}", "{title}; разбивка – {series}"],
  // What the chart says in words
  say_bar: ["Bars of {y} by {x}", "Столбцы – {y}, по оси – {x}"],
  say_line: ["Line of {y} over {x}", "Линия – {y}, по оси – {x}"],
  say_histogram: ["Histogram of {x}", "Гистограмма – {x}"],
  say_series: [", {count} of {series}", " ({series}: {count})"],
  say_groups: ["{count} {count?group|groups}", "{count} {count?группа|группы|групп}"],
  say_points: ["{count} {count?point|points}", "{count} {count?точка|точки|точек}"],
  say_bins: [
    "{values} {values?value|values} in {count} {count?range|ranges}",
    "{values} {values?значение|значения|значений} в {count} {count?интервале|интервалах|интервалах}",
  ],
  say_from_to: ["from {from} to {to}", "с {from} по {to}"],
  say_highest: ["Highest: {value} at {place}", "Наибольшее: {value} ({place})"],
  say_lowest: ["Lowest: {value} at {place}", "Наименьшее: {value} ({place})"],
  say_furthest: [
    "Furthest below zero: {value} at {place}",
    "Дальше всего от нуля: {value} ({place})",
  ],
  say_closest: ["closest to it: {value} at {place}", "ближе всего к нему: {value} ({place})"],
  say_fullest: ["Most values: {value}, in {place}", "Больше всего значений: {value} ({place})"],
  say_aside_several: [
    "Set aside: {count} {count?group|groups} of an empty cell",
    "Отдельно: {count} {count?группа|группы|групп} с пустой ячейкой",
  ],
  say_aside: ["Set aside: {value} at {place}", "Отдельно: {value} ({place})"],
  say_together: ["All years are together here", "Годы здесь вместе"],
  say_equal: ["All are {value}", "Все равны {value}"],
  // What it leaves out
  note_pie: [
    "Bars in place of a pie: lengths compare better than slices.",
    "Столбцы вместо круга: длины сравнивать легче, чем доли круга.",
  ],
  note_unordered: [
    "The values of {x} have no order: the line joins them as they come, and its slope says nothing. Bars compare them better.",
    "У значений «{x}» нет порядка: линия соединяет их как придётся, и её наклон ничего не значит. Столбцы сравнивают их лучше.",
  ],
  note_groups: [
    "Shown: {shown} of {all} {all?group|groups}, the first in the order of the result. The other {left} {left?is|are} left out.",
    "{shown?Показана|Показаны|Показано} {shown} из {all} {all?группы|групп|групп}: первые по порядку результата. Не показано: {left}.",
  ],
  note_series: [
    "Shown: {shown} of {all} of {series}, the first in the order of the result. The other {left} {left?is|are} left out.",
    "Показано: {shown} из {all} ({series}), первые по порядку результата. Не показано: {left}.",
  ],
  note_thinned: [
    "{rows} {rows?row is|rows are} drawn as {points} {points?point|points}: the lowest and the highest of each stretch of about {stretch} {stretch?row|rows}.",
    "{rows} {rows?строка|строки|строк}, на линии {points} {points?точка|точки|точек}: наименьшее и наибольшее примерно из {stretch} {stretch?строки|строк|строк} подряд.",
  ],
  note_sampled: [
    "{read} of {rows} {rows?row|rows} {read?was|were} read, at even distances. What is between them is not in the chart.",
    "{read?Прочитана|Прочитаны|Прочитано} {read} из {rows} {rows?строки|строк|строк}, через равные промежутки. Того, что между ними, на графике нет.",
  ],
  note_nulls: [
    "Rows without a value, left out: {count}.",
    "Строки без значения не показаны: {count}.",
  ],
  note_empty: [
    "Rows without a value of {x} have no place along the axis and are left out: {count}.",
    "Строкам без значения «{x}» нет места на оси, они не показаны: {count}.",
  ],
  note_units: [
    "Left out, for their units differ: {columns}.",
    "Не показаны, у них другие единицы: {columns}.",
  ],
  note_sizes: [
    "Left out, for beside {first} they would be flat: {columns}. They can be chosen under “Values”.",
    "Не показаны: рядом с «{first}» их было бы не разглядеть: {columns}. Их можно выбрать в поле «Значения».",
  ],
  note_measures: [
    "One column of values is drawn at a time here. Others to choose: {columns}.",
    "Здесь рисуется один столбец значений. Можно выбрать и другой: {columns}.",
  ],
  note_repeats: [
    "No bars by {x}: several rows have the same value of it.",
    "Столбцов по {x} нет: у нескольких строк там одно и то же значение.",
  ],
  note_inexact: [
    "Positions are rounded to 15 digits; the table has the exact values.",
    "Положения точек округлены до 15 цифр; точные значения – в таблице.",
  ],
} satisfies Record<string, readonly [en: string, ru: string]>;

export const text = withTexts(CHART_TEXTS);
