//! The stats check: numbers that a model reports by field, against the rows they are said of.
//!
//! Rows come in three forms. *Period*: one row that already holds `open_price`. *Aggregated*: one
//! row with `trading_days` and a column such as `avg_volume`. Anything else is *rows* of bars and is
//! aggregated first. Nothing here is a claim about prose; that is [`super::claims`].

mod said;

use crate::schema::Kind;
use crate::summary::display;
use crate::value::{Rows, Value};
pub use said::{ERRORS, feedback, issue};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::cmp::Ordering;

/// Drafts that may be rejected; the check of the next one ends the loop.
pub const MAX_ATTEMPTS: u32 = 3;

/// Doubles up to this size are within the range of whole numbers.
const MOST_WHOLE: f64 = 9e18;

/// The note of a report that ended the loop.
pub const NOTE: &str = "max validation attempts reached";

/// What the question was after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Numbers of the data.
    #[default]
    Data,
    /// How often a pattern occurs: only `matches_count` is checked.
    Pattern,
    /// An explanation: there is nothing to check.
    Concept,
}

/// How far a reported number may be from the actual one. Bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// Not at all.
    Exact,
    /// By this much.
    Absolute(f64),
    /// By this part of the actual value, at least by this much (`0.01 · max(1, |actual|)`).
    Relative(f64),
}

impl Tolerance {
    /// Whether `reported` is near enough to `actual`.
    fn allows(self, reported: f64, actual: f64) -> bool {
        let most = match self {
            Self::Exact => 0.0,
            Self::Absolute(by) => by,
            Self::Relative(part) => part * actual.abs().max(1.0),
        };
        // Decimal bounds are not exact in binary: what rounds to the bound is on it.
        let slack = if most == 0.0 { 0.0 } else { 1e-9 * actual.abs().max(1.0) };
        (reported - actual).abs() <= most + slack
    }
}

/// The tolerances of the fields that are known by name.
pub const TOLERANCES: &[(&str, Tolerance)] = &[
    ("change_pct", Tolerance::Absolute(0.5)),
    ("trading_days", Tolerance::Exact),
    ("open_price", Tolerance::Absolute(0.01)),
    ("close_price", Tolerance::Absolute(0.01)),
    ("max_price", Tolerance::Absolute(0.01)),
    ("min_price", Tolerance::Absolute(0.01)),
    ("total_volume", Tolerance::Exact),
    ("change_points", Tolerance::Absolute(0.01)),
];

/// What is checked.
pub struct Request<'a> {
    /// The numbers reported, by field.
    pub stats: &'a Map<String, Json>,
    /// The rows they are said of.
    pub rows: &'a dyn Rows,
    /// How often the pattern occurs, where the data say so.
    pub matches_count: Option<u64>,
    /// What the question was after.
    pub intent: Intent,
    /// Drafts already rejected.
    pub attempts: u32,
    /// Tolerances beside [`TOLERANCES`], and before them.
    pub tolerances: &'a [(&'a str, Tolerance)],
}

/// Whether the numbers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// They do, or there is nothing to check, or the loop has ended.
    Ok,
    /// They do not.
    Rewrite,
}

/// The findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether the numbers stand.
    pub status: Status,
    /// `close_price: reported 17500, actual 17449.5`, in the order of the report.
    pub issues: Vec<String>,
    /// `Validation errors:` and one `- issue` a line; empty without issues.
    pub feedback: String,
    /// Fields that are missing on one side.
    pub unchecked: Vec<String>,
    /// The drafts were used up: ok ends the loop and does not say that the numbers are right.
    pub auto_approved: bool,
    /// [`NOTE`] where the drafts were used up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// Checks reported numbers.
pub fn check(request: &Request) -> Report {
    let mut report = Report {
        status: Status::Ok,
        issues: Vec::new(),
        feedback: String::new(),
        unchecked: Vec::new(),
        auto_approved: false,
        note: None,
    };
    if request.intent == Intent::Concept || request.stats.is_empty() {
        return report;
    }
    for Finding { field, reported, actual } in findings(request) {
        match actual {
            Actual::Unknown => report.unchecked.push(field.to_owned()),
            Actual::Same => {}
            Actual::Other(actual) => {
                report.issues.push(issue(field, &shown(reported), &display(&actual, false)));
            }
        }
    }
    report.feedback = feedback(&report.issues);
    if !report.issues.is_empty() {
        report.status = Status::Rewrite;
    }
    if request.attempts >= MAX_ATTEMPTS {
        report.status = Status::Ok;
        report.auto_approved = true;
        report.note = Some(NOTE);
    }
    report
}

/// What the data say of one field.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<'a> {
    /// Its name.
    pub field: &'a str,
    /// What was reported.
    pub reported: &'a Json,
    /// What is so.
    pub actual: Actual,
}

/// What is so.
#[derive(Debug, Clone, PartialEq)]
pub enum Actual {
    /// One side says nothing: it was not checked.
    Unknown,
    /// What was reported, as far as the tolerance goes.
    Same,
    /// This.
    Other(Value),
}

/// Every reported field beside what the data say, in the order of the report.
pub fn findings<'a>(request: &Request<'a>) -> Vec<Finding<'a>> {
    let find = |(field, reported): (&'a String, &'a Json)| {
        let skipped = request.intent == Intent::Pattern && field != "matches_count";
        let wanted = !skipped && !reported.is_null();
        let actual = wanted.then(|| actual(request, field)).flatten();
        let actual = match actual {
            None => Actual::Unknown,
            Some(actual) if agrees(request, field, reported, &actual) => Actual::Same,
            Some(actual) => Actual::Other(actual),
        };
        Finding { field, reported, actual }
    };
    let nothing = request.intent == Intent::Concept;
    request.stats.iter().filter(|_| !nothing).map(find).collect()
}

/// What was reported, for reading.
pub fn shown(reported: &Json) -> String {
    match (reported.as_i64(), reported.as_f64()) {
        _ if reported.is_string() => reported.as_str().unwrap_or_default().to_owned(),
        (Some(i), _) => i.to_string(),
        (None, Some(x)) => display(&Value::float(x), false),
        _ => reported.to_string(),
    }
}

fn agrees(request: &Request, field: &str, reported: &Json, actual: &Value) -> bool {
    let number = reported
        .as_f64()
        .or_else(|| reported.as_str().and_then(|s| s.trim().parse::<f64>().ok()))
        .filter(|x| x.is_finite());
    match (number, actual.as_f64()) {
        (Some(said), Some(value)) => {
            let tolerance = tolerance(request, field, actual);
            match (whole(reported), actual) {
                // Whole numbers are compared as such: a double does not hold all of them.
                (Some(a), Value::Int(b)) if tolerance == Tolerance::Exact || a == *b => a == *b,
                (None, Value::Int(b)) if tolerance == Tolerance::Exact => {
                    // Of a text the double may be another number.
                    let most = if reported.is_string() { 2_f64.powi(53) } else { MOST_WHOLE };
                    said.fract() == 0.0 && said.abs() < most && said as i64 == *b
                }
                // A sum of doubles is shown shorter than it is: `0.3` is exact for 0.30000000000000004.
                _ if tolerance == Tolerance::Exact => {
                    (said - value).abs() <= 1e-12 * value.abs()
                        || display(&Value::float(said), false) == display(actual, false)
                }
                _ => tolerance.allows(said, value),
            }
        }
        (None, None) => reported.as_str().is_some_and(|s| s == display(actual, false)),
        _ => false,
    }
}

/// A whole number as it was reported: a number, or its digits with or without zeros of a fraction.
fn whole(reported: &Json) -> Option<i64> {
    let text = || {
        let text = reported.as_str()?.trim();
        let (digits, zeros) = text.split_once('.').unwrap_or((text, ""));
        zeros.bytes().all(|b| b == b'0').then(|| digits.parse().ok())?
    };
    reported.as_i64().or_else(text)
}

fn tolerance(request: &Request, field: &str, actual: &Value) -> Tolerance {
    let named = |list: &[(&str, Tolerance)]| list.iter().find(|(f, _)| *f == field).map(|x| x.1);
    named(request.tolerances).or_else(|| named(TOLERANCES)).unwrap_or(match actual {
        Value::Int(_) => Tolerance::Exact,
        _ => Tolerance::Relative(0.01),
    })
}

/// The form of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A row that holds `open_price`.
    Period,
    /// One row of aggregates.
    Aggregated,
    /// Anything else.
    Bars,
}

/// Which form rows have.
pub fn form(rows: &dyn Rows) -> Form {
    let prefixes = ["corr_", "avg_", "stddev_", "total_", "sum_", "min_", "max_"];
    let prefixed = || rows.columns().iter().any(|c| prefixes.iter().any(|p| c.name.starts_with(p)));
    if rows.column("open_price").is_some() {
        Form::Period
    } else if rows.len() == 1 && rows.column("trading_days").is_some() && prefixed() {
        Form::Aggregated
    } else {
        Form::Bars
    }
}

/// What the data say of a field; `None` where they say nothing.
fn actual(request: &Request, field: &str) -> Option<Value> {
    let rows = request.rows;
    if field == "matches_count" && request.intent == Intent::Pattern {
        return match request.matches_count {
            Some(n) => i64::try_from(n).ok().map(Value::Int),
            None => named(rows, field),
        };
    }
    match form(rows) {
        Form::Period | Form::Aggregated => named(rows, field),
        Form::Bars => aggregated(rows, field).or_else(|| {
            // A single row may hold anything else.
            (rows.len() == 1).then(|| named(rows, field)).flatten()
        }),
    }
}

/// The cell of the first row.
fn named(rows: &dyn Rows, field: &str) -> Option<Value> {
    let value = rows.value(0, rows.column(field)?);
    (!value.is_null()).then_some(value)
}

/// What bars say of a field of the report.
fn aggregated(rows: &dyn Rows, field: &str) -> Option<Value> {
    let column = |name: &str| rows.columns().iter().position(|c| c.name.eq_ignore_ascii_case(name));
    let (open, close) = (column("open"), column("close"));
    // A table without prices has no days of trading.
    open.or(close)?;
    let ends = || -> Option<(f64, f64)> {
        let order = in_time(rows);
        let first = order.iter().find_map(|&r| rows.value(r, open?).as_f64())?;
        let last = order.iter().rev().find_map(|&r| rows.value(r, close?).as_f64())?;
        Some((first, last))
    };
    let extreme = |name: &str, want: Ordering| {
        let column = column(name)?;
        let values = (0..rows.len()).map(|r| rows.value(r, column)).filter(|v| !v.is_null());
        values.reduce(|a, b| if b.total_cmp(&a) == want { b } else { a })
    };
    match field {
        "trading_days" => i64::try_from(rows.len()).ok().map(Value::Int),
        "open_price" => ends().map(|(a, _)| Value::float(a)),
        "close_price" => ends().map(|(_, b)| Value::float(b)),
        "max_price" => extreme("high", Ordering::Greater),
        "min_price" => extreme("low", Ordering::Less),
        "total_volume" => total(rows, column("volume")?),
        "change_points" => ends().map(|(a, b)| Value::float(b - a)),
        "change_pct" => {
            ends().filter(|(a, _)| *a != 0.0).map(|(a, b)| Value::float((b / a - 1.0) * 100.0))
        }
        _ => None,
    }
}

/// The sum of a column: whole as long as its cells are.
fn total(rows: &dyn Rows, column: usize) -> Option<Value> {
    let cells: Vec<Value> =
        (0..rows.len()).map(|r| rows.value(r, column)).filter(|v| !v.is_null()).collect();
    if cells.is_empty() {
        return None;
    }
    let whole: Option<i128> =
        cells.iter().map(|v| if let Value::Int(i) = v { Some(i128::from(*i)) } else { None }).sum();
    match whole.and_then(|w| i64::try_from(w).ok()) {
        Some(sum) => Some(Value::Int(sum)),
        None => Some(Value::float(cells.iter().filter_map(Value::as_f64).sum())),
    }
}

/// The rows by their full time, day and clock; as they stand where they have none.
fn in_time(rows: &dyn Rows) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let columns = rows.columns();
    let named = |name: &str| columns.iter().position(|c| c.name.eq_ignore_ascii_case(name));
    // A day alone does not order bars of minutes that have their moment beside it.
    let time = [Kind::Timestamp, Kind::Date]
        .iter()
        .find_map(|kind| columns.iter().position(|c| c.kind == *kind))
        .or_else(|| ["timestamp", "datetime", "date"].iter().find_map(|n| named(n)));
    if let Some(column) = time {
        // A date beside its clock in two columns.
        let clock = named("time").filter(|c| *c != column);
        let clock_of = |row: usize| clock.map_or(Value::Null, |c| rows.value(row, c));
        order.sort_by(|&a, &b| {
            rows.value(a, column)
                .total_cmp(&rows.value(b, column))
                .then_with(|| clock_of(a).total_cmp(&clock_of(b)))
        });
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{Intent, NOTE, Report, Request, Status, Tolerance, check};
    use crate::schema::{Column, Kind};
    use crate::value::{Table, Value};
    use serde_json::{Value as Json, json};

    fn table(columns: &[(&str, Kind)], rows: Vec<Vec<Value>>) -> Table {
        Table { columns: columns.iter().map(|(n, k)| Column::new(*n, *k)).collect(), rows }
    }

    fn bars() -> Table {
        let row = |at: &str, [o, h, l, c]: [f64; 4], v: i64| {
            vec![
                Value::text(at),
                Value::Float(o),
                Value::Float(h),
                Value::Float(l),
                Value::Float(c),
                Value::Int(v),
            ]
        };
        let names = ["open", "high", "low", "close"];
        let mut columns = vec![("timestamp", Kind::Text)];
        columns.extend(names.map(|n| (n, Kind::Float)));
        columns.push(("volume", Kind::Int));
        // Two bars of one day, the later first: a date alone would not order them.
        table(
            &columns,
            vec![
                row("2024-01-02T16:00", [17_100.0, 17_460.0, 17_090.0, 17_449.5], 700),
                row("2024-01-02T09:30", [17_019.0, 17_120.0, 16_990.25, 17_100.0], 300),
            ],
        )
    }

    fn run(stats: &Json, rows: &Table, intent: Intent, attempts: u32) -> Report {
        check(&Request {
            stats: stats.as_object().expect("an object"),
            rows,
            matches_count: None,
            intent,
            attempts,
            tolerances: &[("score", Tolerance::Absolute(2.0))],
        })
    }

    #[test]
    fn the_moment_orders_bars_that_have_a_day_too() {
        let row = |clock: &str, close: f64| {
            let at = format!("2024-01-02T{clock}:00");
            let at = chrono::NaiveDateTime::parse_from_str(&at, "%Y-%m-%dT%H:%M:%S").unwrap();
            let day = Value::from_date(at.date());
            let price = Value::Float(close);
            vec![day, Value::from_datetime(at), price.clone(), price, Value::Float(0.1)]
        };
        let columns = [
            ("date", Kind::Date),
            ("timestamp", Kind::Timestamp),
            ("open", Kind::Float),
            ("close", Kind::Float),
            ("volume", Kind::Float),
        ];
        let rows = table(&columns, vec![row("16:00", 3.0), row("09:30", 1.0), row("12:00", 2.0)]);
        // The volume is 0.30000000000000004.
        let right = json!({"close_price": 3, "total_volume": 0.3});
        assert_eq!(run(&right, &rows, Intent::Data, 0).status, Status::Ok);
        for wrong in [json!({"close_price": 2}), json!({"total_volume": 0.31})] {
            assert_eq!(run(&wrong, &rows, Intent::Data, 0).status, Status::Rewrite, "{wrong}");
        }
    }

    #[test]
    fn bars_are_aggregated_by_full_time() {
        let right = json!({"open_price": 17019, "close_price": 17449.5, "max_price": 17460.0,
            "min_price": 16990.25, "total_volume": 1000, "trading_days": 2,
            "change_points": 430.5, "change_pct": 2.53});
        let report = run(&right, &bars(), Intent::Data, 0);
        assert_eq!((report.status, report.issues.len()), (Status::Ok, 0), "{report:?}");
        for (field, wrong, issue) in [
            ("close_price", json!(17500), "close_price: reported 17500, actual 17449.5"),
            ("open_price", json!(17100), "open_price: reported 17100, actual 17019"),
            ("total_volume", json!(1001), "total_volume: reported 1001, actual 1000"),
            ("trading_days", json!(3), "trading_days: reported 3, actual 2"),
            ("change_pct", json!(3.1), "change_pct: reported 3.1, actual 2.5295"),
        ] {
            let report = run(&json!({ field: wrong }), &bars(), Intent::Data, 0);
            assert_eq!(report.status, Status::Rewrite);
            assert_eq!(report.feedback, format!("Validation errors:\n- {issue}"));
        }
    }

    #[test]
    fn tolerances_are_inclusive() {
        for (field, reported, ok) in [
            ("close_price", 17449.51, true),
            ("close_price", 17449.49, true),
            ("close_price", 17449.52, false),
            ("change_pct", 2.03, true),
            ("change_pct", 2.02, false),
        ] {
            let report = run(&json!({ field: reported }), &bars(), Intent::Data, 0);
            assert_eq!(report.issues.is_empty(), ok, "{field} {reported}");
        }
        let one = |name: &str, value: Value| {
            let kind = value.kind().expect("a value");
            table(&[(name, kind)], vec![vec![value]])
        };
        for (name, actual, reported, ok) in [
            ("mean", Value::Float(200.0), json!(202.0), true),
            ("mean", Value::Float(200.0), json!(202.1), false),
            ("mean", Value::Float(0.2), json!(0.21), true),
            ("mean", Value::Float(0.2), json!(0.2101), false),
            ("n", Value::Int(200), json!(201), false),
            ("n", Value::Int(9_007_199_254_740_993), json!(9_007_199_254_740_993_i64), true),
            ("n", Value::Int(9_007_199_254_740_993), json!(9_007_199_254_740_992_i64), false),
            ("n", Value::Int(9_007_199_254_740_993), json!("9007199254740992"), false),
            ("n", Value::Int(9_007_199_254_740_993), json!("9007199254740993"), true),
            ("n", Value::Int(9_007_199_254_740_993), json!(9_007_199_254_740_992.0), false),
            ("n", Value::Int(9_007_199_254_740_992), json!("9007199254740993.0"), false),
            ("n", Value::Int(9_007_199_254_740_993), json!(" 9007199254740993.00"), true),
            ("n", Value::Int(9_007_199_254_740_994), json!("9007199254740993.5"), false),
            ("n", Value::Int(80), json!(80.0), true),
            ("n", Value::Int(80), json!(80.4), false),
            ("score", Value::Float(10.0), json!(12.0), true),
            ("score", Value::Float(10.0), json!(12.1), false),
            ("name", Value::text("Kuper"), json!("Kuper"), true),
            ("name", Value::text("Kuper"), json!("Vkusno"), false),
            ("name", Value::text("Kuper"), json!(5), false),
        ] {
            let report = run(&json!({ name: reported }), &one(name, actual), Intent::Data, 0);
            assert_eq!(report.issues.is_empty(), ok, "{name} {reported}");
        }
    }

    #[test]
    fn three_forms_of_data() {
        let period = table(
            &[("open_price", Kind::Float), ("close_price", Kind::Float), ("open", Kind::Float)],
            vec![vec![Value::Float(17_019.0), Value::Float(17_449.0), Value::Float(1.0)]],
        );
        let aggregated = table(
            &[("trading_days", Kind::Int), ("avg_volume", Kind::Float)],
            vec![vec![Value::Int(5601), Value::Float(319_342.0)]],
        );
        for (rows, stats, ok) in [
            (&period, json!({"open_price": 17019.0}), true),
            (&period, json!({"open_price": 1.0}), false),
            (&aggregated, json!({"trading_days": 5601, "avg_volume": 320_000}), true),
            (&aggregated, json!({"trading_days": 1}), false),
        ] {
            assert_eq!(run(&stats, rows, Intent::Data, 0).issues.is_empty(), ok, "{stats}");
        }
    }

    #[test]
    fn each_prefix_makes_one_row_aggregated_and_two_rows_bars() {
        for prefix in ["corr_", "avg_", "stddev_", "total_", "sum_", "min_", "max_"] {
            let name = format!("{prefix}volume");
            let columns = [("trading_days", Kind::Int), (name.as_str(), Kind::Float)];
            let row = || vec![Value::Int(3), Value::Float(7.0)];
            let one = table(&columns, vec![row()]);
            let report = run(&json!({"trading_days": 2}), &one, Intent::Data, 0);
            assert_eq!(report.issues, ["trading_days: reported 2, actual 3"], "{prefix}");
            let two = table(&columns, vec![row(), row()]);
            let report = run(&json!({"trading_days": 2}), &two, Intent::Data, 0);
            assert_eq!(report.unchecked, ["trading_days"], "{prefix}: rows, and no bars");
        }
        // Without such a column one row of bars is a row of bars.
        let bar = table(
            &[("trading_days", Kind::Int), ("open", Kind::Float), ("close", Kind::Float)],
            vec![vec![Value::Int(9), Value::Float(1.0), Value::Float(2.0)]],
        );
        assert!(run(&json!({"trading_days": 1}), &bar, Intent::Data, 0).issues.is_empty());
    }

    #[test]
    fn the_order_of_the_rules() {
        let wrong = json!({"close_price": 1, "matches_count": 9});
        // A concept has nothing to check, whatever the attempts.
        let report = run(&wrong, &bars(), Intent::Concept, 3);
        assert!(!report.auto_approved && report.note.is_none() && report.unchecked.is_empty());
        // No stats: nothing to approve.
        assert!(!run(&json!({}), &bars(), Intent::Data, 3).auto_approved);
        // The attempts come before the pattern, and keep its issues.
        let found = |attempts| {
            check(&Request {
                stats: wrong.as_object().expect("an object"),
                rows: &bars(),
                matches_count: Some(5),
                intent: Intent::Pattern,
                attempts,
                tolerances: &[],
            })
        };
        for (attempts, status) in [(2, Status::Rewrite), (3, Status::Ok)] {
            let report = found(attempts);
            assert_eq!(report.status, status);
            assert_eq!(report.issues, ["matches_count: reported 9, actual 5"]);
            assert_eq!(report.unchecked, ["close_price"]);
            assert_eq!(
                report.feedback,
                "Validation errors:\n- matches_count: reported 9, actual 5"
            );
        }
    }

    #[test]
    fn issues_stand_in_the_order_of_the_report() {
        let wrong = json!({"close_price": 17500, "trading_days": 5, "open_price": 17019});
        let report = run(&wrong, &bars(), Intent::Data, 0);
        assert_eq!(
            report.feedback,
            "Validation errors:\n- close_price: reported 17500, actual 17449.5\n\
             - trading_days: reported 5, actual 2"
        );
    }

    #[test]
    fn what_is_missing_is_listed() {
        let report = run(
            &json!({"close_price": null, "sharpe": 1.2, "open_price": 17019}),
            &bars(),
            Intent::Data,
            0,
        );
        assert_eq!(report.unchecked, ["close_price", "sharpe"]);
        assert_eq!(report.status, Status::Ok);
        let none = table(&[("open", Kind::Float)], Vec::new());
        let report = run(&json!({"trading_days": 1, "open_price": 2}), &none, Intent::Data, 0);
        assert_eq!(report.issues, ["trading_days: reported 1, actual 0"]);
        assert_eq!(report.unchecked, ["open_price"]);
    }

    #[test]
    fn intents() {
        let wrong = json!({"close_price": 1, "matches_count": 4});
        assert_eq!(run(&wrong, &bars(), Intent::Concept, 0).issues.len(), 0);
        assert_eq!(run(&json!({}), &bars(), Intent::Data, 0).status, Status::Ok);
        let report = run(&wrong, &bars(), Intent::Pattern, 0);
        assert_eq!(report.unchecked, ["close_price", "matches_count"]);
        let found = check(&Request {
            stats: wrong.as_object().expect("an object"),
            rows: &bars(),
            matches_count: Some(5),
            intent: Intent::Pattern,
            attempts: 0,
            tolerances: &[],
        });
        assert_eq!(found.issues, ["matches_count: reported 4, actual 5"]);
    }

    #[test]
    fn the_loop_ends_and_says_so() {
        let wrong = json!({"close_price": 1});
        for attempts in 0..5 {
            let report = run(&wrong, &bars(), Intent::Data, attempts);
            let ended = attempts >= 3;
            assert_eq!(report.auto_approved, ended);
            assert_eq!(report.note, ended.then_some(NOTE));
            assert_eq!(report.status, if ended { Status::Ok } else { Status::Rewrite });
            assert_eq!(report.issues.len(), 1, "the issues are kept");
        }
    }
}
