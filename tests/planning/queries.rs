//! Generated queries: expressions of every kind, steps over what the step before made, and which rows
//! they are about.

use super::tables::{Dice, KINDS, NUMBERS};
use chrono::Datelike;
use pinhole::query::check::{CheckedQuery, ResultKind, Timeframe};
use pinhole::query::functions::{self, Function, Gives, Stand, Takes};
use pinhole::query::{check_json, format};
use pinhole::schema::{Kind, TableSchema};
use pinhole::value::Value;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// What an expression may hold and read.
#[derive(Clone, Copy)]
struct Place<'a> {
    columns: &'a [(String, Kind)],
    windows: bool,
    aggregates: bool,
}

fn literal(dice: &mut Dice, kind: Kind) -> String {
    match kind {
        Kind::Int => (dice.below(7) as i64 - 2).to_string(),
        Kind::Float => format!("{}.5", dice.below(5)),
        Kind::Decimal(_) => {
            let big = "12345678901234567890";
            dice.pick(&["0.25", "-1.5", "0.1234567890123456789", "3", big]).to_string()
        }
        Kind::Bool => dice.pick(&["true", "false"]).to_string(),
        Kind::Text => format!("\"{}\"", dice.pick(&["a", "b", "Mon", "zz"])),
        Kind::Date | Kind::Timestamp => {
            format!("\"{}\"", dice.pick(&["2022-01-11", "2022-03-13", "2022-11-06"]))
        }
        // nothing asks for one
        Kind::List(_) => "null".into(),
    }
}

fn expr(dice: &mut Dice, kind: Kind, depth: usize, place: Place) -> String {
    let fitting: Vec<&(String, Kind)> = place.columns.iter().filter(|(_, k)| *k == kind).collect();
    if depth == 0 || dice.one_in(4) {
        return match fitting.is_empty() || (!kind.is_time() && dice.one_in(5)) {
            // A bare date is text: only a column or a call is one.
            true if kind.is_time() => "date()".into(),
            true => literal(dice, kind),
            false => format::name(&dice.pick(&fitting).0),
        };
    }
    let sub = |dice: &mut Dice, kind| expr(dice, kind, depth - 1, place);
    let number = |dice: &mut Dice| *dice.pick(&NUMBERS);
    match (kind, dice.below(4)) {
        (Kind::Int | Kind::Float | Kind::Decimal(_), 0) => {
            let op = *dice.pick(&["+", "-", "*", "/", "//", "%", "**"]);
            let (a, b) = (number(dice), number(dice));
            format!("({} {op} {})", sub(dice, a), sub(dice, b))
        }
        (Kind::Bool, 0) => {
            let kind = *dice.pick(&KINDS);
            let op = *dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let other = if kind.is_numeric() { number(dice) } else { kind };
            let right = if dice.one_in(2) { literal(dice, other) } else { sub(dice, other) };
            format!("({} {op} {right})", sub(dice, kind))
        }
        (Kind::Bool, 1) => {
            let op = *dice.pick(&["and", "or"]);
            format!("({} {op} not {})", sub(dice, Kind::Bool), sub(dice, Kind::Bool))
        }
        (Kind::Bool, 2) => {
            let kind = *dice.pick(&[Kind::Int, Kind::Text, Kind::Date, Kind::Decimal(2)]);
            let list = [literal(dice, kind), literal(dice, kind)].join(", ");
            format!("({} in [{list}])", sub(dice, kind))
        }
        _ => call(dice, kind, depth, place).unwrap_or_else(|| literal(dice, kind)),
    }
}

/// A call that may give `kind`.
fn call(dice: &mut Dice, kind: Kind, depth: usize, place: Place) -> Option<String> {
    let decimal = matches!(kind, Kind::Decimal(_));
    let may = |f: &&Function| {
        let stands = match f.stand {
            Stand::Row => true,
            Stand::Window => place.windows,
            Stand::Aggregate => place.aggregates,
        };
        let gives = match f.gives {
            // No function gives nothing but decimals: any number stands for one.
            Gives::Kind(gives) => gives == kind || decimal && gives.is_numeric(),
            Gives::Same(_) | Gives::Common(_) => true,
        };
        stands && gives
    };
    let all: Vec<&Function> = functions::all().filter(may).collect();
    let function = *all.get(dice.below(all.len()))?;
    Some(call_of(dice, function, kind, depth, place))
}

fn call_of(dice: &mut Dice, function: &Function, kind: Kind, depth: usize, place: Place) -> String {
    let inner =
        Place { aggregates: place.aggregates && function.stand != Stand::Aggregate, ..place };
    let (least, most) = function.arity();
    let most = most.unwrap_or(least + 2);
    let count = least + dice.below(most - least + 1);
    let lists = place.columns.iter().filter(|(_, kind)| kind.is_list() && function.lists);
    let lists: Vec<&(String, Kind)> = lists.collect();
    if count > 0
        && !lists.is_empty()
        && dice.one_in(2)
        && let (name, Kind::List(member)) = *dice.pick(&lists)
    {
        let mut args = vec![format::name(name)];
        args.extend((1..count).map(|_| expr(dice, member.kind(), depth - 1, inner)));
        return format!("{}({})", function.name, args.join(", "));
    }
    let args: Vec<String> = (0..count)
        .map(|i| {
            let Some(param) = function.params.get(i).or(function.params.last()) else {
                return "1".into();
            };
            let wanted = match param.takes {
                Takes::Any => match function.gives {
                    Gives::Same(n) if n == i => kind,
                    Gives::Common(from) if i >= from => kind,
                    _ => *dice.pick(&KINDS),
                },
                Takes::Number => *dice.pick(&NUMBERS),
                Takes::Bool => Kind::Bool,
                Takes::Text => Kind::Text,
                Takes::Time => *dice.pick(&[Kind::Date, Kind::Timestamp]),
                Takes::Clock => Kind::Timestamp,
                Takes::IntConst(least) => return (least + dice.below(4) as i64).to_string(),
                Takes::IntRange(least, most) => {
                    return (least + dice.below((most - least + 1) as usize) as i64).to_string();
                }
                Takes::NumberConst => return "1.5".into(),
                Takes::Fraction => return "0.25".into(),
                #[allow(unreachable_patterns, reason = "kinds of constants that families add")]
                _ => return "\"a.\"".into(),
            };
            expr(dice, wanted, depth - 1, inner)
        })
        .collect();
    format!("{}({})", function.name, args.join(", "))
}

/// What is mapped, filtered, grouped, sorted and cut in one step over `columns`.
fn step(dice: &mut Dice, columns: &[(String, Kind)]) -> Map<String, Json> {
    let mut columns = columns.to_vec();
    let mut query = Map::new();
    let mut map = Map::new();
    for i in 0..dice.below(3) {
        let kind = *dice.pick(&KINDS);
        let place = Place { columns: &columns, windows: true, aggregates: dice.one_in(3) };
        let text = expr(dice, kind, 3, place);
        map.insert(format!("m{i}"), json!(text));
        columns.retain(|(name, _)| *name != format!("m{i}"));
        columns.push((format!("m{i}"), kind));
    }
    if !map.is_empty() {
        query.insert("map".into(), Json::Object(map));
    }
    if dice.one_in(2) {
        let place = Place { columns: &columns, windows: true, aggregates: dice.one_in(3) };
        query.insert("where".into(), json!(expr(dice, Kind::Bool, 2, place)));
    }
    let rows = Place { columns: &columns, windows: false, aggregates: false };
    if dice.one_in(2) {
        let keys: Vec<String> = (0..=dice.below(2))
            .map(|_| {
                let kind = *dice.pick(&KINDS);
                expr(dice, kind, 1, rows)
            })
            .collect();
        query.insert("group_by".into(), json!(keys));
    }
    if dice.one_in(2) {
        let aggregates: Vec<&Function> =
            functions::all().filter(|f| f.stand == Stand::Aggregate).collect();
        let mut select = Map::new();
        for i in 0..=dice.below(3) {
            let function = *dice.pick(&aggregates);
            let kind = *dice.pick(&KINDS);
            let mut text = call_of(dice, function, kind, 2, rows);
            if dice.one_in(5) {
                text = format!("{text} / count()");
            }
            select.insert(format!("s{i}"), json!(text));
        }
        query.insert("select".into(), Json::Object(select));
    }
    if dice.one_in(3) {
        let by = if query.contains_key("select") {
            "s0".to_owned()
        } else {
            format::name(&dice.pick(&columns).0)
        };
        query.insert("sort".into(), json!(format!("{by}{}", dice.pick(&["", " desc"]))));
    }
    if dice.one_in(3) {
        query.insert("limit".into(), json!(1 + dice.below(5)));
    }
    query
}

/// A day, month, quarter, half or year that holds a day near those of the data.
fn unit(dice: &mut Dice, first: i32, last: i32) -> String {
    let days = (last - first).unsigned_abs() as usize;
    let day = first - 2 + dice.below(days + 5) as i32;
    let date = Value::Date(day).date().expect("a date");
    let (year, month) = (date.year(), date.month());
    match dice.below(8) {
        0 => format!("{year}"),
        1 => format!("{year}-H{}", 1 + date.month0() / 6),
        2 => format!("{year}-Q{}", 1 + date.month0() / 3),
        3 => format!("{year}-{month:02}"),
        _ => date.to_string(),
    }
}

/// A period of any form, mostly one with some of the rows.
fn period(dice: &mut Dice, schema: &TableSchema) -> String {
    let (first, last) = schema.dates().unwrap_or((19_000, 19_030));
    match dice.below(8) {
        0 => dice.pick(&["last_week", "last_month", "last_year"]).to_string(),
        1 | 2 => format!("last_{}", 1 + dice.below(4)),
        3 => unit(dice, first, last),
        4 => format!("{}:", unit(dice, first, last)),
        5 => format!(":{}", unit(dice, first, last)),
        6 => format!("{}:{}", unit(dice, first, first), unit(dice, last, last)),
        // The wrong way round, too: then it does not pass.
        _ => format!("{}:{}", unit(dice, first, last), unit(dice, first, last)),
    }
}

/// Which rows of the table the query is about, and as which bars: what fits the table of that.
fn frame(dice: &mut Dice, schema: &TableSchema, tables: &[Arc<TableSchema>]) -> Map<String, Json> {
    let mut drawn = Vec::new();
    let sessions = &schema.market.sessions;
    if !sessions.is_empty() && dice.one_in(3) {
        let name = &dice.pick(sessions).name;
        let name = if dice.one_in(3) { name.to_lowercase() } else { name.clone() };
        drawn.push(("session", json!(name)));
    }
    if dice.one_in(2) {
        drawn.push(("period", json!(period(dice, schema))));
    }
    if dice.one_in(4) {
        drawn.push(("lookback", json!(dice.one_in(3))));
    }
    if dice.one_in(2) {
        drawn.push(("from", json!(dice.pick(Timeframe::ALL).name())));
    }
    let mut query = Map::new();
    for (field, value) in drawn {
        query.insert(field.into(), value);
        if check_json(&Json::Object(query.clone()), tables).is_err() {
            query.remove(field);
        }
    }
    query
}

/// The columns that a query makes, as the next step sees them.
fn made(checked: &CheckedQuery) -> Vec<(String, Kind)> {
    checked.output().iter().map(|o| (o.column.name.clone(), o.column.kind)).collect()
}

/// A query and what its check says: up to four steps, each over what the one before it made, and
/// perhaps some of its columns in another order. Only the first step may be one that does not pass.
pub fn query(
    dice: &mut Dice,
    schema: &TableSchema,
    tables: &[Arc<TableSchema>],
) -> (Json, Option<CheckedQuery>) {
    let mut query = frame(dice, schema, tables);
    let rows = check_json(&Json::Object(query.clone()), tables).expect("rows");
    query.extend(step(dice, &made(&rows)));
    let Ok(mut checked) = check_json(&Json::Object(query.clone()), tables) else {
        return (Json::Object(query), None);
    };
    let mut steps: Vec<Json> = Vec::new();
    for _ in 0..dice.below(6) {
        if steps.len() == 3 {
            break;
        }
        let mut longer = query.clone();
        steps.push(Json::Object(step(dice, &made(&checked))));
        longer.insert("steps".into(), json!(steps));
        match check_json(&Json::Object(longer.clone()), tables) {
            Ok(passed) => (query, checked) = (longer, passed),
            Err(_) => drop(steps.pop()),
        }
    }
    let shown = matches!(checked.kind(), ResultKind::Table | ResultKind::Grouped);
    if shown && dice.one_in(3) {
        let mut names: Vec<String> = made(&checked).into_iter().map(|(name, _)| name).collect();
        for at in 0..names.len() {
            let other = dice.below(names.len());
            names.swap(at, other);
        }
        names.truncate(1 + dice.below(names.len()));
        let mut last = match steps.last_mut() {
            Some(Json::Object(last)) => last,
            _ => &mut query,
        };
        last.insert("columns".into(), json!(names));
        if !steps.is_empty() {
            last = &mut query;
            last.insert("steps".into(), json!(steps));
        }
        let query = Json::Object(query);
        let passed = check_json(&query, tables);
        return (query.clone(), Some(passed.unwrap_or_else(|e| panic!("{query} → {e:?}"))));
    }
    (Json::Object(query), Some(checked))
}
