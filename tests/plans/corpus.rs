//! Reads the corpus: tables, questions, what each must become. See `docs/questions.md`.

use pinhole::query::Query;
use pinhole::schema::{Column, Kind, Market, TableSchema};
use pinhole::value::Value;
use std::sync::Arc;

/// What a question must become.
#[derive(Debug, Clone)]
pub enum Answer {
    /// This query.
    Query(Box<Query>),
    /// Nothing may run: it is declined, or readings are offered.
    Unrun,
}

/// One question.
#[derive(Debug)]
pub struct Case {
    pub question: String,
    /// The query before, for a follow-up.
    pub previous: Option<Query>,
    /// It says the same as the question above it.
    pub paraphrase: bool,
    /// Any of these is right; the first is what the question says most plainly.
    pub answers: Vec<Answer>,
    pub line: usize,
}

/// A table and the questions about it.
#[derive(Debug)]
pub struct Set {
    pub schema: Arc<TableSchema>,
    pub cases: Vec<Case>,
}

/// Reads a file of the corpus.
pub fn read(text: &str) -> Vec<Set> {
    let mut sets: Vec<Set> = Vec::new();
    let mut header: Option<TableSchema> = None;
    // cases whose answer is being read, and the first answer of the block before
    let mut open: Vec<Case> = Vec::new();
    let mut previous: Option<Query> = None;
    let mut answered = true;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.starts_with('#') {
            continue;
        }
        let Some((key, value)) = line.split_once(": ") else {
            assert!(line.is_empty(), "line {}: {line}", number + 1);
            continue;
        };
        if matches!(key, "Q" | "F") {
            if answered {
                close(&mut sets, &mut open);
            }
            if let Some(schema) = header.take() {
                sets.push(Set { schema: Arc::new(schema), cases: Vec::new() });
            }
            if key == "F" {
                assert!(previous.is_some(), "line {}: nothing to follow", number + 1);
            }
            open.push(Case {
                question: value.to_owned(),
                previous: if key == "F" { previous.clone() } else { None },
                paraphrase: !answered && key == "Q",
                answers: Vec::new(),
                line: number + 1,
            });
            answered = false;
            continue;
        }
        match key {
            "A" | "or" => {
                let answer = match value {
                    "declined" | "readings" => Answer::Unrun,
                    json => {
                        let json = serde_json::from_str(json).expect("JSON of a query");
                        Answer::Query(Box::new(Query::from_json(&json).expect("a query")))
                    }
                };
                if key == "A" {
                    previous = match &answer {
                        Answer::Query(query) => Some((**query).clone()),
                        Answer::Unrun => None,
                    };
                }
                for case in &mut open {
                    case.answers.push(answer.clone());
                }
                answered = true;
            }
            "table" => {
                close(&mut sets, &mut open);
                header = Some(TableSchema::new(value, Vec::new()));
                previous = None;
            }
            _ => head(header.as_mut().expect("a table"), key, value, number + 1),
        }
    }
    close(&mut sets, &mut open);
    sets
}

fn close(sets: &mut [Set], open: &mut Vec<Case>) {
    if let Some(set) = sets.last_mut() {
        set.cases.append(open);
    }
}

/// A line of a table's header.
fn head(schema: &mut TableSchema, key: &str, value: &str, line: usize) {
    let list = |text: &str, cut: char| -> Vec<String> {
        text.split(cut).map(|s| s.trim().to_owned()).collect()
    };
    match key {
        "synonyms" => schema.synonyms = list(value, ','),
        "rows" => schema.rows = value.parse().expect("a number of rows"),
        "time" => schema.time = Some(value.to_owned()),
        "series" => schema.series = Some(value.to_owned()),
        // a column of both sides, which is written above it
        "signed" => {
            let column = schema.columns.iter_mut().find(|c| c.name == value);
            column.expect("a column of that name").signed = true;
        }
        "interval" => schema.interval = Some(value.parse().expect("seconds")),
        "market" => schema.market = Market::preset(value).expect("a preset"),
        "range" => {
            let (first, last) = value.split_once(" .. ").expect("two moments");
            schema.range = Some((moment(first), moment(last)));
        }
        "column" => {
            let (name, rest) = value.split_once(' ').expect("a name and a kind");
            let (kind, mut rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let kind = match kind {
                "integer" => Kind::Int,
                "number" => Kind::Float,
                "boolean" => Kind::Bool,
                "text" => Kind::Text,
                "date" => Kind::Date,
                "timestamp" => Kind::Timestamp,
                other => panic!("line {line}: no kind `{other}`"),
            };
            let mut column = Column::new(name, kind);
            while let Some((option, after)) = rest.split_once('=') {
                // a value goes on up to the next option, or up to its closing quote
                let (text, next) = if let Some(quoted) = after.strip_prefix('"') {
                    quoted.split_once('"').expect("a closing quote")
                } else {
                    let end = ["values=", "unit=", "label=", "synonyms=", "called=", "nulls="]
                        .iter()
                        .filter_map(|o| after.find(&format!(" {o}")))
                        .min()
                        .unwrap_or(after.len());
                    after.split_at(end)
                };
                match option.trim() {
                    "unit" => column.unit = Some(text.to_owned()),
                    "nulls" => column.nulls = Some(text.parse().expect("a number of rows")),
                    "label" => column.label = Some(text.to_owned()),
                    "synonyms" => column.synonyms = list(text, ','),
                    "values" => column.values = Some(list(text, '|')),
                    // `Adelie=адели;Gentoo=генту,папуанский`
                    "called" => {
                        let words = text.split(';').map(|one| {
                            let (value, words) = one.split_once('=').expect("a value, its words");
                            (value.to_owned(), list(words, ','))
                        });
                        column.value_synonyms = words.collect();
                    }
                    other => panic!("line {line}: no option `{other}`"),
                }
                rest = next;
            }
            schema.columns.push(column);
            schema.ohlcv = pinhole::schema::Ohlcv::detect(&schema.columns);
        }
        other => panic!("line {line}: no header `{other}`"),
    }
}

fn moment(text: &str) -> Value {
    use chrono::{NaiveDate, NaiveDateTime};
    if let Ok(moment) = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M") {
        return Value::from_datetime(moment);
    }
    Value::from_date(NaiveDate::parse_from_str(text, "%Y-%m-%d").expect("a date or moment"))
}
