//! `are there missing values`, `есть ли пропуски`: how many cells of each column are empty.

use super::{Asked, Made, WHOLE, begins, one_of};
use crate::error::Text;
use crate::planner::naming::{MISSING, NONE_WORDS};
use crate::planner::stem::{parts, stem};
use crate::query::{Query, Selected, format};
use crate::schema::Column;

/// Words beside those that ask.
const BESIDE: &str = "is are there any how many do does have has we the a in of this that it here all \
    number count some what which where with show me list by per each every column columns cell cells \
    field fields value values entries entry got contain contains and or \
    есть ли в во сколько число количество какие какой каких где у нас по каждом каждый каждому все \
    всего значений значения значение ячейки ячеек ячейка столбец столбце столбцах столбцам столбцы \
    колонка колонке колонках колонкам колонки поля полях полям имеются имеется эти этой этих покажи \
    тут здесь и или";
/// Words that say by themselves that cells are empty.
const EMPTY: [&str; 4] = ["missing", "пропуск", "пропущен", "незаполн"];
/// The same, as whole words.
const NULLS: &str = "nan nans nulls";
/// Words that say it beside one for cells.
const BARE: [&str; 5] = ["empty", "blank", "null", "пуст", "отсутств"];
const CELLS: [&str; 8] = ["value", "cell", "field", "entr", "значен", "ячейк", "ячеек", "пол"];
/// Columns that are told at most.
const MOST: usize = 12;
/// Columns whose cells are added up at most.
const MOST_ADDED: usize = 100;

impl Asked<'_> {
    /// `how many rows have missing values`, `сколько строк с пропусками`: rows that lack any value.
    pub(super) fn rows_missing(&self) -> Option<Made> {
        const BESIDE: &str = "how many rows records have has are with any a some there contain values value cells \
                              сколько строк записей с есть содержат имеют значениями значения ячейками ячейки у \
                              которых";
        let words = self.words()?;
        let rows = words.iter().any(|w| one_of("rows records строк записей", w));
        let lack = |w: &str| {
            one_of("missing empty blank null nulls nan gaps incomplete", w)
                || begins(&["пропуск", "пуст", "незаполнен"], w)
        };
        let counted = words.starts_with(&["how", "many"]) || words.first() == Some(&"сколько");
        let all = words.iter().all(|w| one_of(BESIDE, w) || lack(w));
        if !counted
            || !rows
            || !words.iter().any(|w| lack(w))
            || !all
            || self.leans()
            || self.goes_well()
        {
            return None;
        }
        let gaps: Vec<String> = self
            .table
            .columns
            .iter()
            .filter(|c| c.nulls != Some(0))
            .map(|c| format!("isnull({})", format::name(&c.name)))
            .collect();
        if gaps.is_empty() {
            return Some(Made::Told(text!(
                "No row of this table lacks a value.",
                "В этой таблице нет строк без значений."
            )));
        }
        let query = Query {
            filter: Some(gaps.join(" or ")),
            select: vec!["count()".into()],
            ..Query::default()
        };
        Some(Made::Query(
            query,
            text!(
                "number of rows that lack a value in any column",
                "число строк, где хотя бы в одном столбце нет значения"
            ),
        ))
    }

    pub(super) fn missing(&self) -> Option<Made> {
        let words = self.words()?;
        let bare = words.iter().any(|w| begins(&BARE, w));
        let cells = words.iter().any(|w| begins(&CELLS, w));
        let says = |word: &str| begins(&EMPTY, word) || one_of(NULLS, word);
        let empty = words.iter().any(|w| says(w)) || bare && cells;
        if !empty {
            return None;
        }
        let known = |word: &str| {
            one_of(BESIDE, word) || one_of(WHOLE, word) || says(word) || begins(&BARE, word)
        };
        let rest: Vec<&str> = words.iter().copied().filter(|w| !known(w)).collect();
        let about = words.iter().any(|word| one_of(WHOLE, word));
        if rest.is_empty() && self.leans() && !about {
            return None;
        }
        // a column of that name says it in a way of its own
        let named = |c: &Column, word: &str| {
            std::iter::once(&c.name)
                .chain(&c.label)
                .chain(&c.synonyms)
                .any(|name| parts(name).iter().any(|p| stem(p) == stem(word)))
        };
        // and so has a value, or a table of what is missing
        let said = |word: &&str| {
            (says(word) || begins(&BARE, word))
                && (parts(&self.table.name).iter().any(|p| stem(p) == stem(word))
                    || self.table.columns.iter().any(|c| {
                        let value = |v: &String| parts(v).iter().any(|p| stem(p) == stem(word));
                        named(c, word) || c.values.iter().flatten().any(value)
                    }))
        };
        if words.iter().any(said) {
            return None;
        }
        let all: Vec<&Column> = self.table.columns.iter().collect();
        let of: Vec<&Column> = if rest.is_empty() {
            all
        } else {
            // `in the salary column`: the one that the other words name
            let fits = |c: &&Column| rest.iter().all(|word| named(c, word));
            let mut fitting = self.table.columns.iter().filter(fits);
            match (fitting.next(), fitting.next()) {
                (Some(one), None) => vec![one],
                _ => return None,
            }
        };
        let missing = |c: &Column| {
            let name = format::name(&c.name);
            format!("count() - count({name})")
        };
        let told = |c: &&Column| Selected {
            alias: Some(format!("{MISSING}{}", c.name)),
            text: missing(c),
        };
        if let [one] = of[..] {
            let name = one.name.clone();
            let query = Query { select: vec![told(&one)], ..Query::default() };
            let said = text!(
                "number of missing values in {name}",
                "число пустых значений в столбце «{name}»"
            );
            return Some(Made::Query(query, with_words(said, &of)));
        }
        let count = of.len();
        let mut gaps: Vec<&Column> =
            of.iter().copied().filter(|c| c.nulls.is_none_or(|n| n > 0)).collect();
        if gaps.is_empty() {
            // one sum over all columns says that none is missing
            if count > MOST_ADDED {
                return None;
            }
            let cells: Vec<String> =
                of.iter().map(|c| format!(" - count({})", format::name(&c.name))).collect();
            let alias = Some(MISSING.trim_end_matches('_').to_owned());
            let text = format!("count() * {count}{}", cells.concat());
            let select = vec![Selected { alias, text }];
            let query = Query { select, ..Query::default() };
            let said = text!(
                "number of missing values in all {count} columns together",
                "число пустых значений во всех столбцах вместе, их {count}"
            );
            return Some(Made::Query(query, with_words(said, &of)));
        }
        let with = gaps.len();
        gaps.sort_by_key(|c| std::cmp::Reverse(c.nulls));
        gaps.truncate(MOST);
        let select = gaps.iter().map(told).collect();
        let query = Query { select, ..Query::default() };
        let said = match (with > MOST, with == count) {
            (true, _) => text!(
                "number of missing values in the {MOST} columns with the most, of {with} that have some",
                "число пустых значений в {MOST} столбцах, где их больше всего; всего с пропусками: {with}"
            ),
            (false, true) => text!(
                "number of missing values in each column",
                "число пустых значений в каждом столбце"
            ),
            (false, false) => text!(
                "number of missing values in each column that has some ({with} of {count} columns)",
                "число пустых значений в каждом столбце, где они есть (столбцов: {with} из {count})"
            ),
        };
        Some(Made::Query(query, with_words(said, &of)))
    }
}

/// Texts that may stand for what is missing, or for Namibia, are values of the table: it is said that
/// they are not counted.
fn with_words(said: Text, of: &[&Column]) -> Text {
    let told = of.iter().filter_map(|c| {
        let none = |value: &&String| NONE_WORDS.contains(&value.to_lowercase().as_str());
        let value = c.values.iter().flatten().find(none)?;
        Some((format!("“{value}” in {}", c.name), format!("«{value}» в столбце «{}»", c.name)))
    });
    let (en, ru): (Vec<_>, Vec<_>) = told.unzip();
    if en.is_empty() {
        return said;
    }
    let Text { en: said_en, ru: said_ru } = said;
    let (en, ru) = (en.join(", "), ru.join(", "));
    text!(
        "{said_en}; the text {en} is a value and not counted",
        "{said_ru}; текст {ru} — значение и не считается"
    )
}
