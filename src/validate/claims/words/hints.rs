//! Adjectives that say by what things are compared: `the cheapest` is of prices.

use super::super::lex::Token;
use super::Table;

const PRICE: &[&str] = &[
    "price",
    "cost",
    "fare",
    "amount",
    "fee",
    "rent",
    "tariff",
    "spending",
    "spent",
    "цена",
    "стоимость",
    "сумма",
    "тариф",
    "чек",
    "траты",
    "расходы",
];
const WARMTH: &[&str] = &["temperature", "temp", "температура"];
const AGE: &[&str] = &["age", "возраст"];
const WEIGHT: &[&str] = &["weight", "mass", "вес", "масса"];
const LENGTH: &[&str] = &[
    "length",
    "distance",
    "duration",
    "km",
    "minutes",
    "hours",
    "seconds",
    "days",
    "time",
    "delay",
    "wait",
    "длина",
    "расстояние",
    "длительность",
    "продолжительность",
    "время",
    "срок",
    "ожидание",
];
const SPEED: &[&str] = &[
    "speed",
    "velocity",
    "time",
    "minutes",
    "hours",
    "seconds",
    "duration",
    "latency",
    "delay",
    "скорость",
    "время",
    "длительность",
];
const RAIN: &[&str] = &["rain", "rainfall", "precipitation", "осадки", "дождь"];
const RATING: &[&str] = &["rating", "score", "stars", "рейтинг", "оценка"];
const WIDTH: &[&str] = &["range", "gap", "spread", "width", "диапазон", "размах", "гэп", "ширина"];
const WEALTH: &[&str] = &["income", "gdp", "salary", "доход", "ввп", "зарплата"];
const PEOPLE: &[&str] = &["population", "inhabitants", "население"];
const VOLUME: &[&str] = &["volume", "turnover", "объем"];
const TRAINING: &[&str] = &["experience", "опыт"];

/// By what an adjective compares: words of the measures it may mean.
const HINTS: Table<&[&str]> = &[
    ("priciest", PRICE),
    ("pricier", PRICE),
    ("costliest", PRICE),
    ("costlier", PRICE),
    ("cheap*", PRICE),
    ("expensive", PRICE),
    ("most expensive", PRICE),
    ("least expensive", PRICE),
    ("дорог*", PRICE),
    ("дороже", PRICE),
    ("дешев*", PRICE),
    ("сам* дорог*", PRICE),
    ("сам* дешев*", PRICE),
    ("warm*", WARMTH),
    ("cold*", WARMTH),
    ("hot*", WARMTH),
    ("cool*", WARMTH),
    ("тепл*", WARMTH),
    ("холодн*", WARMTH),
    ("жарк*", WARMTH),
    ("сам* тепл*", WARMTH),
    ("сам* холодн*", WARMTH),
    ("сам* жарк*", WARMTH),
    ("old*", AGE),
    ("young*", AGE),
    ("старше", AGE),
    ("моложе", AGE),
    ("сам* стар*", AGE),
    ("сам* молод*", AGE),
    ("heavi*", WEIGHT),
    ("light*", WEIGHT),
    ("тяжел*", WEIGHT),
    ("легче", WEIGHT),
    ("сам* тяжел*", WEIGHT),
    ("сам* легк*", WEIGHT),
    ("long*", LENGTH),
    ("short*", LENGTH),
    ("дольше*", LENGTH),
    ("длинн*", LENGTH),
    ("коротк*", LENGTH),
    ("короче", LENGTH),
    ("сам* длинн*", LENGTH),
    ("сам* долг*", LENGTH),
    ("сам* коротк*", LENGTH),
    ("fast*", SPEED),
    ("slow*", SPEED),
    ("quick*", SPEED),
    ("быстр*", SPEED),
    ("медленн*", SPEED),
    ("сам* быстр*", SPEED),
    ("сам* медленн*", SPEED),
    ("wettest", RAIN),
    ("wetter", RAIN),
    ("rainiest", RAIN),
    ("driest", RAIN),
    ("drier", RAIN),
    ("сам* сух*", RAIN),
    ("сам* дождлив*", RAIN),
    ("best rated", RATING),
    ("worst rated", RATING),
    ("highest rated", RATING),
    ("lowest rated", RATING),
    ("top rated", RATING),
    ("wid*", WIDTH),
    ("narrow*", WIDTH),
    ("широк*", WIDTH),
    ("узк*", WIDTH),
    ("шире*", WIDTH),
    ("сам* широк*", WIDTH),
    ("сам* узк*", WIDTH),
    ("richest", WEALTH),
    ("poorest", WEALTH),
    ("most populous", PEOPLE),
    ("least populous", PEOPLE),
    ("heaviest volume", VOLUME),
    ("most experienced", TRAINING),
    ("least experienced", TRAINING),
    ("сам* опытн*", TRAINING),
];

/// The words of the measures that the adjective at `at` may compare by.
pub(in super::super) fn hint(tokens: &[Token], at: usize) -> Option<&'static [&'static str]> {
    super::find(HINTS, tokens, at).map(|(words, _)| words)
}
