// What the page knows of its samples: words for their columns in both languages, and questions that
// the planner answers over them, one after the other.

import { SAMPLE } from "./sample.js";

/** Options of loading, by table. */
export const WORDS = {
  penguins: {
    synonyms: {
      table: ["penguin", "пингвин", "пингвины"],
      columns: {
        species: ["вид"],
        island: ["остров"],
        bill_length_mm: ["bill length", "beak length", "длина клюва"],
        bill_depth_mm: ["bill depth", "beak depth", "высота клюва", "глубина клюва"],
        flipper_length_mm: ["flipper length", "длина крыла", "длина плавника", "крыло", "плавник"],
        body_mass_g: ["body mass", "weight", "масса", "масса тела", "вес"],
        sex: ["пол"],
        year: ["год"],
      },
      values: {
        species: { Adelie: ["адели"], Gentoo: ["генту", "папуанский"] },
        sex: { male: ["самец", "самцы"], female: ["самка", "самки", "самок"] },
      },
    },
  },
  receipts: {
    synonyms: {
      table: ["чек", "чеки"],
      columns: { total: ["spending", "expenses", "расходы"], receipt_number: ["номер чека"] },
    },
  },
  receipt_items: {
    synonyms: { columns: { price: ["цена"], quantity: ["количество"] } },
  },
};

/** What columns are called on a Russian page: in English their names say it. */
const RUSSIAN = {
  bars: { timestamp: "время", volume: "объём" },
  penguins: {
    species: "вид",
    island: "остров",
    bill_length_mm: "длина клюва",
    bill_depth_mm: "высота клюва",
    flipper_length_mm: "длина крыла",
    body_mass_g: "масса",
    sex: "пол",
    year: "год",
  },
  receipts: {
    receipt_date: "дата",
    shop: "магазин",
    total: "расход",
    receipt_number: "номер чека",
  },
  receipt_items: { quantity: "количество", price: "цена" },
  items: { name: "товар", unit_of_measure: "единица", shop: "магазин" },
  products: { name: "категория" },
  labels: { name: "метка" },
};

/** Options of loading for a table of a sample, in the language of the page. */
export function wordsOf(table, language) {
  const labels = language === "ru" ? RUSSIAN[table] : undefined;
  return { ...WORDS[table], ...(labels ? { labels } : {}) };
}

/** In English and in Russian, by sample. */
export const QUESTIONS = {
  bars: [
    ["average gap by weekday", "средний гэп по дням недели"],
    ["how many days did the market fall more than 2%", "сколько дней рынок упал больше чем на 2%"],
    ["top 10 days by range", "топ-10 дней по диапазону"],
    ["average volume by hour", "средний объём по часам"],
    ["median range by month", "медианный диапазон по месяцам"],
    ["number of inside days by year", "число внутренних дней по годам"],
  ],
  penguins: [
    ["average body mass by species", "средняя масса по видам"],
    ["how many penguins by species and island", "сколько пингвинов по видам и островам"],
    ["average flipper length by sex", "средняя длина крыла по полу"],
    ["median bill length by island", "медиана длины клюва по островам"],
    ["top 5 penguins by body mass", "топ-5 пингвинов по массе"],
    ["penguins heavier than 6000 g", "пингвины тяжелее 6000 г"],
  ],
  household: [
    ["how much did I spend in December 2024?", "сколько я потратил в декабре 2024?"],
    ["top 3 shops by spending", "топ-3 магазина по расходам"],
    ["spending by month in 2024", "расходы по месяцам в 2024"],
    ["what do I buy most often?", "какие продукты я чаще всего покупаю?"],
    ["what did I buy in the last receipt?", "что я купил в последнем чеке?"],
    ["what do I need to buy this week?", "что мне нужно купить на этой неделе?"],
  ],
};

/** How many tables a sample has. */
const TABLES = { bars: 1, penguins: 1, household: 6 };

/**
 * The questions about the sample of the newest table, in `language`; nothing for a table of one's own
 * and where some of the sample is gone. `kept` has each table's sample, the newest last.
 */
export function sampleQuestions(kept, language) {
  const sample = kept.at(-1);
  const there = kept.filter((one) => one === sample).length;
  if (sample === undefined || there < TABLES[sample]) return undefined;
  return QUESTIONS[sample].map(([english, russian]) => (language === "ru" ? russian : english));
}

/** The button of the sample that has a table of this name. */
export function sampleOf(name) {
  if (name === SAMPLE.name) return "sample";
  if (name === "penguins") return "penguins";
  return Object.hasOwn(WORDS, name) ? "household" : undefined;
}
