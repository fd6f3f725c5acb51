//! Words of the functions that read better in words than as a call. The others are told by their
//! call and the meaning that the function table gives them.

use super::words::Tight;
use crate::query::check::{Node, Typed};
use crate::query::functions::Function;
use crate::value::Value;

/// The words of a call, with places for its arguments (see `Speaker::worded`).
pub(super) struct Wording {
    pub en: &'static str,
    pub ru: &'static str,
    pub tight: Tight,
}

const fn phrase(en: &'static str, ru: &'static str) -> Wording {
    Wording { en, ru, tight: Tight::Phrase }
}

const fn word(en: &'static str, ru: &'static str) -> Wording {
    Wording { en, ru, tight: Tight::Word }
}

const fn condition(en: &'static str, ru: &'static str) -> Wording {
    Wording { en, ru, tight: Tight::Comparison }
}

/// `contains(lower(email), "anna")`: a text is found in whatever case, and the words need not say how.
pub(super) fn whatever_the_case(function: &Function, args: &[Typed]) -> Option<[Typed; 2]> {
    let [Typed { node: Node::Call { function: lower, args: of }, .. }, part] = args else {
        return None;
    };
    let Node::Literal(Value::Text(text)) = &part.node else { return None };
    let found = ["contains", "starts_with", "ends_with"].contains(&function.name)
        && lower.name == "lower"
        && !text.chars().any(char::is_uppercase);
    let [of] = &of[..] else { return None };
    found.then(|| [of.clone(), part.clone()])
}

/// The words of a call, where it has some of its own.
pub(super) fn wording(function: &Function, args: &[Typed]) -> Option<Wording> {
    let constant = |i: usize| match args.get(i).map(|x| &x.node) {
        Some(Node::Literal(Value::Int(n))) => Some(*n),
        _ => None,
    };
    Some(match (function.name, args.len()) {
        // numbers
        ("abs", 1) => phrase("absolute value of {0}", "модуль {0}"),
        ("sqrt", 1) => phrase("square root of {0}", "квадратный корень из {0}"),
        ("log", 1) => phrase("natural logarithm of {0}", "натуральный логарифм {0}"),
        ("log10", 1) => phrase("decimal logarithm of {0}", "десятичный логарифм {0}"),
        ("sign", 1) => phrase("sign of {0}", "знак {0}"),
        ("floor", 1) => phrase("{0} rounded down", "{0} с округлением вниз"),
        ("ceil", 1) => phrase("{0} rounded up", "{0} с округлением вверх"),
        ("round", 2) if constant(1) == Some(0) => {
            phrase("{0} rounded to whole numbers", "{0} с округлением до целых")
        }
        ("round", 2) if constant(1) == Some(1) => {
            phrase("{0} rounded to 1 decimal", "{0} с округлением до 1 знака")
        }
        ("round", 2) if constant(1).is_some_and(|n| n > 0) => {
            phrase("{0} rounded to {1} decimals", "{0} с округлением до {1} знаков")
        }
        ("min_of", _) => phrase("smallest of ({*})", "наименьшее из ({*})"),
        ("max_of", _) => phrase("largest of ({*})", "наибольшее из ({*})"),
        ("coalesce", _) => phrase("first of ({*}) that is not missing", "первое непустое из ({*})"),
        ("if", 3) => Wording {
            en: "{1} where {?0}, otherwise {2}",
            ru: "{1}, если {?0}, иначе {2}",
            tight: Tight::Clause,
        },
        ("isnull", 1) => condition("{0} is missing", "{0} пусто"),
        // text
        ("lower", 1) => phrase("{0} in lower case", "{0} строчными буквами"),
        ("upper", 1) => phrase("{0} in upper case", "{0} прописными буквами"),
        ("trim", 1) => phrase("{0} without white space at its ends", "{0} без пробелов по краям"),
        ("length", 1) => phrase("length of {0}", "длина {0}"),
        ("contains", 2) => condition("{0} contains {1}", "{0} содержит {1}"),
        ("starts_with", 2) => condition("{0} starts with {1}", "{0} начинается с {1}"),
        ("ends_with", 2) => condition("{0} ends with {1}", "{0} кончается на {1}"),
        // time
        ("year", 1) => phrase("year of {0}", "год по {0}"),
        ("quarter", 1) => phrase("quarter of {0}", "квартал по {0}"),
        ("month" | "monthname", 1) => phrase("month of {0}", "месяц по {0}"),
        ("week", 1) => phrase("week of {0}", "неделя по {0}"),
        ("day", 1) => phrase("day of the month of {0}", "день месяца по {0}"),
        ("dayofweek", 1) => {
            phrase("weekday of {0} from 0 for Monday", "день недели по {0} с 0 для понедельника")
        }
        ("dayname", 1) => phrase("weekday of {0}", "день недели по {0}"),
        ("hour", 1) => phrase("hour of {0}", "час по {0}"),
        ("minute", 1) => phrase("minute of {0}", "минута по {0}"),
        ("date", 1) => phrase("date of {0}", "дата по {0}"),
        ("time", 1) => phrase("time of day of {0}", "время суток по {0}"),
        ("days_between", 2) => phrase("days from {0} to {1}", "число дней от {0} до {1}"),
        // rows before and after
        ("prev", 2) if constant(1) == Some(1) => word("previous {0}", "предыдущее {0}"),
        ("next", 2) if constant(1) == Some(1) => word("next {0}", "следующее {0}"),
        ("prev", 2) => phrase("{0} from {#1} before", "{0} за {#1} до этой"),
        ("next", 2) => phrase("{0} from {#1} after", "{0} через {#1}"),
        ("rolling_mean", 2) => phrase("mean of {0} over {#1}", "среднее {0} за {#1}"),
        ("rolling_sum", 2) => phrase("sum of {0} over {#1}", "сумма {0} за {#1}"),
        ("rolling_min", 2) => phrase("minimum of {0} over {#1}", "минимум {0} за {#1}"),
        ("rolling_max", 2) => phrase("maximum of {0} over {#1}", "максимум {0} за {#1}"),
        ("rolling_median", 2) => phrase("median of {0} over {#1}", "медиана {0} за {#1}"),
        ("rolling_std", 2) => {
            phrase("standard deviation of {0} over {#1}", "стандартное отклонение {0} за {#1}")
        }
        ("rolling_count", 2) => {
            phrase("number of the last {#1} where ({?0})", "число строк за {#1}, где ({?0})")
        }
        ("cumsum", 1) => phrase("sum of {0} so far", "сумма {0} до этой строки"),
        ("cummax", 1) => phrase("maximum of {0} so far", "максимум {0} до этой строки"),
        ("cummin", 1) => phrase("minimum of {0} so far", "минимум {0} до этой строки"),
        ("cumcount", 0) => phrase("row number", "номер строки"),
        ("streak", 1) => phrase("rows in a row where ({?0})", "строк подряд, где ({?0})"),
        ("bars_since", 1) => phrase("rows since ({?0})", "строк с тех пор, как ({?0})"),
        ("rank", 1) => phrase("percentile rank of {0}", "процентильный ранг {0}"),
        ("rising", 2) => condition(
            "{0} is above each of the {#1} before",
            "{0} больше, чем в каждой строке за {#1} до этой",
        ),
        ("falling", 2) => condition(
            "{0} is below each of the {#1} before",
            "{0} меньше, чем в каждой строке за {#1} до этой",
        ),
        ("crossover", 2) => condition("{0} crosses above {1}", "{0} пересекает {1} снизу вверх"),
        ("crossunder", 2) => condition("{0} crosses below {1}", "{0} пересекает {1} сверху вниз"),
        // aggregates
        ("count", 0) => phrase("number of rows", "число строк"),
        ("count", 1) => phrase("number of values of {0}", "число значений {0}"),
        ("count_distinct", 1) => {
            phrase("number of different values of {0}", "число разных значений {0}")
        }
        ("mean", 1) => phrase("mean of {0}", "среднее {0}"),
        ("sum", 1) => phrase("sum of {0}", "сумма {0}"),
        ("min", 1) => phrase("minimum of {0}", "минимум {0}"),
        ("max", 1) => phrase("maximum of {0}", "максимум {0}"),
        ("std", 1) => phrase("standard deviation of {0}", "стандартное отклонение {0}"),
        ("var", 1) => phrase("variance of {0}", "дисперсия {0}"),
        ("median", 1) => phrase("median of {0}", "медиана {0}"),
        ("percentile", 2) => phrase("{1} quantile of {0}", "квантиль {1} для {0}"),
        ("first", 1) => phrase("first value of {0}", "первое значение {0}"),
        ("last", 1) => phrase("last value of {0}", "последнее значение {0}"),
        ("pct", 1) => phrase("share of rows where ({?0})", "доля строк, где ({?0})"),
        ("correlation", 2) => phrase("correlation of {0} with {1}", "корреляция {0} с {1}"),
        ("argmin", 2) => phrase("{0} at the minimum of {1}", "{0} там, где {1} минимально"),
        ("argmax", 2) => phrase("{0} at the maximum of {1}", "{0} там, где {1} максимально"),
        ("wavg", 2) => phrase("mean of {0} weighted by {1}", "среднее {0} с весом {1}"),
        _ => return None,
    })
}

/// The words of a call under `not`, where they differ from `not (...)`.
pub(super) fn denied(function: &Function) -> Option<Wording> {
    Some(match function.name {
        "isnull" => condition("{0} is not missing", "{0} не пусто"),
        "contains" => condition("{0} does not contain {1}", "{0} не содержит {1}"),
        "starts_with" => condition("{0} does not start with {1}", "{0} не начинается с {1}"),
        "ends_with" => condition("{0} does not end with {1}", "{0} не кончается на {1}"),
        _ => return None,
    })
}
