//! Tables with several columns of times and no time of their own (`order_date`, `ship_date`): a
//! question that needs one (`revenue by quarter`) is read by each of them, and the person chooses.

use super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::sketch::{Cond, Dim, Measure, Select, Sketch};
use super::stem::parts;
use super::token::{Token, TokenKind};
use super::words::{Agg, Part};
use super::{Context, Found, READY, Ranked, explain};
use crate::error::Locale;
use crate::query::Query;
use crate::schema::TableSchema;
use crate::value::Value;
use chrono::Datelike;
use std::sync::Arc;

/// Columns that are tried at most, in their order: more readings are not offered.
const TRIED: usize = super::MOST_READINGS;
/// The confidence of a reading by one of them, at most: which is meant, only the person knows.
const ONE_OF_SEVERAL: f64 = READY - 0.01;
/// A column by which a question is read surer than by any other, by this share, is the one it names.
const NAMED: f64 = 0.15;

/// What is left of a reading by another date than the one that every row has.
const UNUSUAL: f64 = 0.85;

/// Adds the readings of a question by each column of times, where the table has several and none
/// is its own. A question that goes on from a query goes on with the column of that query.
pub(super) fn read(
    found: &mut Found,
    tokens: &[Token],
    schema: &Arc<TableSchema>,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
    language: Locale,
) {
    if schema.time.is_some() {
        return;
    }
    let times: Vec<&str> =
        schema.columns.iter().filter(|c| c.kind.is_time()).map(|c| c.name.as_str()).collect();
    if times.len() < 2 {
        return;
    }
    let before: Vec<&str> = context
        .previous
        .map(|query| times.iter().copied().filter(|time| names(query, time)).collect())
        .unwrap_or_default();
    let said = said(tokens, schema);
    let chosen = context.times.and_then(|chosen| chosen.get(&schema.name));
    let chosen = chosen.and_then(|chosen| times.iter().copied().find(|time| time == chosen));
    let usual = if said.is_empty() { usual(tokens, schema) } else { None };
    let tried: Vec<&str> = match (said.as_slice(), before.as_slice(), chosen) {
        ([one], ..) | ([], [one], _) => vec![*one],
        ([], _, Some(one)) => vec![one],
        _ => times.into_iter().take(TRIED).collect(),
    };
    // what each column gives, and how sure its best reading is
    let mut ways: Vec<(&str, Vec<Ranked>, f64)> = Vec::new();
    let known = std::mem::take(&mut found.readings);
    for time in tried {
        let by = Arc::new(by_one(schema, time));
        found.read(tokens, &by, tables, context, language);
        let read = std::mem::take(&mut found.readings);
        let sure = read.iter().map(|r| r.reading.confidence).fold(0.0, f64::max);
        ways.push((time, read, sure));
    }
    found.readings = known;
    let sures: Vec<f64> = ways.iter().map(|(.., sure)| *sure).collect();
    for (place, (time, read, sure)) in ways.into_iter().enumerate() {
        // the words of the question name it: by the others they are not understood
        let others = sures.iter().enumerate().filter(|(other, _)| *other != place);
        let named = others.map(|(_, other)| *other).all(|other| other < sure * (1.0 - NAMED));
        for mut ranked in read {
            let own = ranked.reading.confidence;
            ranked.reading.confidence = match usual {
                Some(usual) if usual == time => own,
                Some(_) => own.min(ONE_OF_SEVERAL) * UNUSUAL,
                None if named => own,
                None => own.min(ONE_OF_SEVERAL),
            };
            ranked.rank *= ranked.reading.confidence / own;
            if names(&ranked.reading.query, time) {
                let explanation = &mut ranked.reading.explanation;
                *explanation = explain::by_time(explanation, schema, time, language);
            }
            found.readings.push(ranked);
        }
    }
}

/// `by year by order date`: the column says by which date the years are, it makes no groups of days.
pub(super) fn by_one_part(mut sketch: Sketch, tokens: &[Token], schema: &TableSchema) -> Sketch {
    const BY: [&str; 3] = ["by", "per", "по"];
    const DAYS: [&str; 6] = ["day", "days", "daily", "день", "дням", "дни"];
    let count = |list: &[&str]| tokens.iter().filter(|t| list.contains(&t.folded.as_str())).count();
    let listed = count(&["and", "и"]) > 0 || tokens.iter().any(|t| t.is_symbol(","));
    let part = |dim: &Dim| matches!(dim, Dim::Part(part) if *part != Part::Day);
    // of a stretch of time the date that is named says by which column it is
    let within = sketch.filters.iter().any(|c| matches!(c, Cond::Period(..) | Cond::Recent(_)))
        && sketch.groups.len() > 1;
    let by = sketch.groups.iter().any(part) || within;
    if count(&BY) < 2 || listed || count(&DAYS) > 0 || !by {
        return sketch;
    }
    sketch.groups.retain(|dim| match dim {
        Dim::Part(part) => *part != Part::Day,
        Dim::Column(column) => schema.columns.get(*column).is_none_or(|c| !c.kind.is_time()),
    });
    sketch
}

/// Words by which the same month of all years is meant.
const TOGETHER: [&str; 12] = [
    "typical",
    "typically",
    "seasonal",
    "seasonally",
    "seasonality",
    "usual",
    "usually",
    "calendar",
    "сезонность",
    "сезонности",
    "обычно",
    "календарным",
];

/// The last value of a month is that of a month of one year: groups of several years have none. A
/// line goes from one month to the next, over the years.
pub(super) fn of_each_year(mut sketch: Sketch, tokens: &[Token], schema: &TableSchema) -> Sketch {
    let line = tokens.windows(2).any(|pair| {
        let [first, second] = [&pair[0], &pair[1]].map(|t| t.folded.as_str());
        first == "line" && ["chart", "graph", "plot"].contains(&second)
            || first.starts_with("линейн") && second.starts_with("график")
            || first.starts_with("линейн") && second.starts_with("диаграмм")
            || first == "over" && second == "time"
    });
    const TREND: [&str; 4] = ["trend", "evolution", "тренд", "динамик"];
    let trend = tokens.iter().any(|t| TREND.iter().any(|said| t.folded.starts_with(said)));
    let line = line || trend && !sketch.filters.iter().any(Cond::is_moment);
    let end = |select: &Select| matches!(select, Select::Agg(Agg::First | Agg::Last, _));
    // `which month did I spend the most` asks for one month, not for what it is in every year
    let added = |select: &Select| matches!(select, Select::Count | Select::Agg(Agg::Sum, _));
    let best = sketch.limit == Some(1)
        && sketch.select.iter().all(added)
        && !sketch.filters.iter().any(Cond::is_moment);
    // what adds up by month is read as a course, as a pivot of dates shows it
    let course = schema.ohlcv.is_none()
        && sketch.limit.is_none()
        && sketch.select.iter().all(added)
        && !sketch.filters.iter().any(Cond::is_moment)
        && !tokens.iter().any(|t| TOGETHER.contains(&t.folded.as_str()));
    let part = |dim: &Dim| matches!(dim, Dim::Part(Part::Month | Part::Quarter | Part::Week));
    let year = |day: i32| Value::Date(day).date().map(|date| date.year());
    let several = schema.dates().is_some_and(|(first, last)| year(first) != year(last));
    if several
        && !sketch.select.is_empty()
        && (line || best || course || sketch.select.iter().all(end))
        && sketch.groups.iter().any(part)
        && !sketch.groups.contains(&Dim::Part(Part::Year))
    {
        sketch.groups.push(Dim::Part(Part::Year));
    }
    sketch
}

/// `balance on 2024-03-15`: the last one until then, whether anything happened that day or not.
pub(super) fn until(mut sketch: Sketch, tokens: &[Token], schema: &TableSchema) -> Sketch {
    const ACCOUNT: [&str; 4] = ["balanc", "баланс", "остат", "сальдо"];
    let account = |column: usize| {
        let names = schema.columns.get(column).map(|c| parts(&c.name)).unwrap_or_default();
        names.iter().any(|part| ACCOUNT.iter().any(|begin| part.starts_with(begin)))
    };
    let [Select::Agg(Agg::Last, Measure::Column(column))] = sketch.select[..] else {
        return sketch;
    };
    let dated = tokens.iter().any(|t| matches!(t.kind, TokenKind::Date(_)));
    if dated && sketch.groups.is_empty() && account(column) {
        for filter in &mut sketch.filters {
            if let Cond::Period(first @ Some(_), last) = filter
                && *first == *last
            {
                *first = None;
            }
        }
    }
    sketch
}

/// Beginnings of the words of a name for when something began.
const BEGINS: [&str; 6] = ["start", "begin", "began", "pickup", "depart", "нача"];
/// And of those for when it ended.
const ENDS: [&str; 8] = ["end", "finish", "stop", "dropoff", "arriv", "оконч", "конец", "заверш"];

/// A word of a column's name begins with one of these.
fn says(name: &str, list: &[&str]) -> bool {
    parts(name).iter().any(|part| list.iter().any(|begin| part.starts_with(begin)))
}

/// `orders by month`: of several dates the first, where every row has it and none of the others, which
/// are of what comes of some rows later. A word of what those are of may mean them.
fn usual<'a>(tokens: &[Token], schema: &'a TableSchema) -> Option<&'a str> {
    let mut times = schema.columns.iter().filter(|c| c.kind.is_time());
    let first = times.next().filter(|c| c.nulls == Some(0))?;
    let later: Vec<&str> = times.map(|c| c.name.as_str()).collect();
    let gaps = |c: &&str| schema.column(c).is_some_and(|c| c.nulls.is_some_and(|nulls| nulls > 0));
    let lattice = Lattice::new(schema, tokens);
    let of_later = |t: &Token| {
        let dates = lattice.dates_of(&t.folded);
        dates
            .iter()
            .filter_map(|&c| schema.columns.get(c))
            .any(|c| later.contains(&c.name.as_str()))
    };
    // what begins and ends is of the time when it began
    let ends = |c: &&str| says(&first.name, &BEGINS) && says(c, &ENDS);
    let later_ones = later.iter().all(|c| gaps(c) || ends(c));
    let clear = later_ones && !tokens.iter().any(of_later);
    (clear && !later.is_empty()).then_some(first.name.as_str())
}

/// The columns of times that the question names wholly.
fn said<'a>(tokens: &[Token], schema: &'a TableSchema) -> Vec<&'a str> {
    let lattice = Lattice::new(schema, tokens);
    let named = |at: usize| lattice.at(at).iter().filter(|m| m.quality >= BY_DICTIONARY);
    let columns = (0..tokens.len()).flat_map(named).filter_map(|m| match m.tag {
        Tag::Column(column) => schema.columns.get(column).filter(|c| c.kind.is_time()),
        _ => None,
    });
    // `shipped in December`: the date of what was done
    let done = (0..tokens.len()).filter_map(|at| schema.columns.get(lattice.date_done(at)?));
    let mut names: Vec<&str> = columns.chain(done).map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The table of a query and the one of its several columns of times that the query is by, where
/// the table has no time of its own.
pub(super) fn time_of(query: &Query, tables: &[Arc<TableSchema>]) -> Option<(String, String)> {
    let table = match (&query.table, tables) {
        (Some(name), _) => tables.iter().find(|t| t.name == *name)?,
        (None, [only]) => only,
        _ => return None,
    };
    let times = || table.columns.iter().filter(|c| c.kind.is_time());
    if table.time.is_some() || times().count() < 2 {
        return None;
    }
    let mut named = times().filter(|c| names(query, &c.name));
    let one = named.next()?;
    named.next().is_none().then(|| (table.name.clone(), one.name.clone()))
}

/// The table with one column of times, as if it had no other: a question that names another one is
/// not understood by this.
fn by_one(schema: &TableSchema, time: &str) -> TableSchema {
    let mut by = schema.clone();
    by.columns.retain(|column| !column.kind.is_time() || column.name == time);
    by
}

/// An expression of the query names the column, and does more than ask whether it is there.
fn names(query: &Query, column: &str) -> bool {
    let texts = query
        .map
        .iter()
        .map(|(_, text)| text)
        .chain(&query.filter)
        .chain(&query.group_by)
        .chain(query.select.iter().map(|s| &s.text))
        .chain(&query.sort);
    texts.into_iter().any(|text| {
        let asked = [format!("isnull({column})"), format!("isnull(`{column}`)")];
        let rest = asked.iter().fold(text.clone(), |text, asked| text.replace(asked, ""));
        rest.contains(column)
    })
}
