//! Questions that a table can answer, made from its schema and tried on the planner itself.

use super::assemble::Table;
use super::dictionary::same_noun;
use super::lattice::may_name;
use super::naming::{Called, called};
use super::restated::{product, restated};
use super::sketch::Measure;
use super::stem::{parts, stem};
use super::token::{TokenKind, tokenise};
use super::{Context, Status, attempt, without_values};
use crate::disclose::{Sample, scan};
use crate::error::Locale;
use crate::schema::{Column, Kind, TableSchema};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Most questions.
const MOST: usize = 6;
/// Values of a column that make good groups; more are names, of people at worst.
const FEW: usize = 24;
/// Columns that share a word with a question and are not named in it: of more than these the word
/// names none.
const SHARING: usize = 8;

/// Three to six questions in `locale` that the planner answers over this table; fewer where the
/// table has too little to ask about.
pub fn suggest(table: &TableSchema, locale: Locale) -> Vec<String> {
    let candidates = candidates(table, locale);
    // as the planner reads them where not by their own words
    let told = |question: &String| restated(question, table).unwrap_or_else(|| question.clone());
    let read: Vec<String> = candidates.iter().map(told).collect();
    let tables = [Arc::new(read_by(table, &read))];
    let context = Context { table: Some(&table.name), locale: Some(locale), ..Context::default() };
    let mut chosen: Vec<String> = Vec::new();
    for (question, read) in candidates.into_iter().zip(read) {
        if chosen.len() == MOST {
            break;
        }
        if chosen.contains(&question) {
            continue;
        }
        if attempt(&read, &tables, &context).plan.status == Status::Ready {
            chosen.push(question);
        }
    }
    chosen
}

/// What of the table the questions can be about: the rest of many columns and values makes no
/// difference to how they are read, and most of the time that reading them takes.
fn read_by(table: &TableSchema, questions: &[String]) -> TableSchema {
    let mut kept = without_values(table);
    let tokens = tokenise(&questions.join(" "));
    let said = tokens.iter().filter(|t| t.kind != TokenKind::Symbol);
    let words: HashSet<String> = said.flat_map(|t| parts(&t.raw)).map(|part| stem(&part)).collect();
    let mut known: HashMap<String, bool> = HashMap::new();
    let mut said = |part: String| {
        *known.entry(part).or_insert_with_key(|part| {
            let part = stem(part);
            words.contains(&part) || words.iter().any(|word| same_noun(word, &part))
        })
    };
    let named = may_name(&tokens);
    let bars = table.ohlcv.as_ref();
    let of_bars = |name: &String| {
        bars.is_some_and(|o| [&o.open, &o.high, &o.low, &o.close].contains(&name))
            || bars.is_some_and(|o| o.volume.as_ref() == Some(name))
            || table.series.as_ref() == Some(name)
    };
    let mut sharing = 0;
    let mut columns = Vec::new();
    for (column, slim) in table.columns.iter().zip(kept.columns) {
        let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        let found: Vec<Vec<bool>> =
            names.map(|name| parts(name).into_iter().map(&mut said).collect()).collect();
        let whole = found.iter().any(|name| name.iter().all(|said| *said));
        let shares = found.iter().flatten().any(|said| *said);
        sharing += usize::from(shares && !whole);
        let values = column
            .values
            .as_ref()
            .map(|list| list.iter().filter(|value| named(value)).cloned().collect::<Vec<String>>());
        let synonyms = column.value_synonyms.clone();
        let has_values = values.as_ref().is_some_and(|list| !list.is_empty());
        let needed = column.kind.is_time() || of_bars(&column.name);
        if whole || (shares && sharing <= SHARING) || needed || has_values {
            columns.push(Column { values, value_synonyms: synonyms, ..slim });
        }
    }
    kept.columns = columns;
    kept
}

/// Numbers of rows or of people say nothing when they are added up.
fn is_id(name: &str) -> bool {
    super::stem::is_number_of(name)
}

/// It tells of people, as far as its name and values show: nothing to propose a question about.
fn is_personal(column: &Column) -> bool {
    let values = column.values.as_deref().unwrap_or_default();
    let sample = |name: &str| !scan(&[Sample { name, kind: column.kind, values }]).is_empty();
    sample(&column.name) || column.label.as_deref().is_some_and(sample)
}

/// The column is called a sum already.
fn is_sum(name: &str) -> bool {
    name.starts_with("сумма") && !name.contains(char::is_whitespace)
}

/// The year that the data ends in.
fn last_year(table: &TableSchema) -> Option<i32> {
    use chrono::Datelike;
    crate::value::Value::Date(table.dates()?.1).date().map(|d| d.year())
}

/// Questions worth trying, the best first.
fn candidates(table: &TableSchema, locale: Locale) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let en = locale == Locale::En;
    let mut ask = |english: String, russian: String| list.push(if en { english } else { russian });
    let bars = table.ohlcv.is_some() && table.time.is_some();
    if bars {
        ask("average gap by weekday".into(), "средний гэп по дням недели".into());
        ask(
            "how many days did the market fall more than 2%".into(),
            "сколько дней рынок упал больше чем на 2%".into(),
        );
        ask("top 10 days by range".into(), "топ-10 дней по диапазону".into());
        if let Some(volume) = table.ohlcv.as_ref().and_then(|o| o.volume.as_ref()) {
            if table.is_intraday() {
                ask(format!("average {volume} by hour"), "средний объём по часам".into());
            } else {
                ask(format!("average {volume} by month"), "средний объём по месяцам".into());
            }
        }
        ask("median range by month".into(), "медианный диапазон по месяцам".into());
        ask("how many inside days by year".into(), "сколько внутренних дней по годам".into());
    }
    // of an account: what was spent on what, which a total of both sides does not tell
    let texts = || table.columns.iter().filter(|c| c.kind == Kind::Text && !is_personal(c));
    if !bars && table.columns.iter().any(|c| c.signed) {
        const KINDS: [&str; 4] = ["categor", "kind", "категор", "стать"];
        let kind = |c: &&Column| KINDS.iter().any(|k| c.name.to_lowercase().contains(k));
        if let Some(group) = texts().find(kind).or_else(|| texts().next()) {
            let Called { name, by, .. } = called(group, locale);
            ask(format!("spending by {name}"), format!("расходы по {by}"));
        }
        ask("10 biggest expenses".into(), "10 самых больших трат".into());
        if table.time.is_some() {
            ask("income and spending by month".into(), "доходы и расходы по месяцам".into());
        }
    }
    // of orders: what they come to, which no column has
    let first = texts().next().map(|c| called(c, locale));
    if let (Some(Called { name, by, .. }), Some(_)) =
        (first, product::of_quantity_and_price("revenue", &tokenise("revenue"), table))
    {
        ask(format!("revenue by {name}"), format!("выручка по {by}"));
    }
    let in_bars = |c: &Column| {
        table.ohlcv.as_ref().is_some_and(|o| {
            [&o.open, &o.high, &o.low, &o.close].contains(&&c.name)
                || o.volume.as_ref() == Some(&c.name)
        })
    };
    let numbers = Table::new(table);
    let total = table.columns.iter().enumerate().find(|(number, c)| {
        c.kind.is_numeric()
            && !in_bars(c)
            && !is_id(&c.name)
            && numbers.adds_up(Measure::Column(*number))
            && !is_personal(c)
    });
    let total = total.map(|(_, c)| called(c, locale));
    let measures: Vec<Called> = table
        .columns
        .iter()
        .filter(|c| c.kind.is_numeric() && !in_bars(c) && !is_id(&c.name) && !is_personal(c))
        .take(3)
        .map(|c| called(c, locale))
        .collect();
    let mut groups: Vec<&Column> = table
        .columns
        .iter()
        .filter(|c| c.kind == Kind::Text && (c.values.is_some() || table.columns.len() < 20))
        .filter(|c| !is_id(&c.name))
        .collect();
    // few values make a better group than a name that each row has
    let few = |c: &&Column| c.values.as_ref().is_some_and(|values| values.len() <= FEW);
    if groups.iter().any(few) {
        groups.retain(few);
    }
    groups.sort_by_key(|c| c.values.is_none());
    // the values of no more columns are looked through than are asked about
    let groups: Vec<&Column> = groups.into_iter().filter(|c| !is_personal(c)).take(3).collect();
    let groups: Vec<(Called, &Column)> =
        groups.into_iter().map(|c| (called(c, locale), c)).collect();
    for (Called { name, .. }, (group, _)) in measures.iter().zip(groups.iter().cycle()) {
        ask(
            format!("average {name} by {}", group.name),
            format!("{name} в среднем по {}", group.by),
        );
    }
    let total = total.as_ref().or(measures.first());
    if let (Some(measure), Some((group, column))) = (total, groups.first()) {
        ask(
            format!("which {} has the highest total {}", group.name, measure.name),
            if is_sum(&measure.name) {
                format!("{} с наибольшей суммой", group.name)
            } else {
                format!("{} с наибольшей суммой {}", group.name, measure.of)
            },
        );
        if let Some(value) = column.values.iter().flatten().next() {
            ask(format!("how many rows for \"{value}\""), format!("сколько строк: «{value}»"));
        }
    }
    if table.time.is_some()
        && let Some(Called { name, .. }) = measures.first()
        && let Some(year) = last_year(table)
    {
        ask(format!("average {name} in {year}"), format!("{name} в среднем за {year} год"));
    }
    if table.time.is_some()
        && let Some(Called { name, of, .. }) = total
    {
        // no `сумма суммы`
        let total = if is_sum(name) { name.clone() } else { format!("сумма {of}") };
        ask(format!("total {name} by month"), format!("{total} по месяцам"));
    }
    for Called { name, of, .. } in &measures {
        ask(format!("highest {name}"), format!("максимум {of}"));
    }
    for (Called { name, by, .. }, _) in &groups {
        ask(format!("how many rows by {name}"), format!("сколько строк по {by}"));
    }
    ask("how many rows".into(), "сколько строк".into());
    list
}
