//! Whether what answered a question says only what the question says. In a conversation a model may
//! carry a period, a value or a group over from what was asked before; kept under the question alone,
//! that would answer something else the next time.

use super::ask::Scope;
use super::meaning::Marks;
use super::record::Kind;
use crate::planner::{Place, Role, Said, reads_as, said, stands_alone};
use crate::query::ast::{Expr, Node};
use crate::query::{Query, check, parse};
use crate::schema::TableSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether a question means the same after any other, over these tables.
pub fn alone(question: &str, scope: &Scope) -> bool {
    stands_alone(question, scope.tables())
}

/// Whether what answered a question may hold something from before it, where that is known: a number,
/// a text, a date, a group or a flag that the question does not say and that was said or found before.
/// What nobody said before (a model's own limit, or its own idea of *large*) was not carried over. Where
/// it is not known what was before, whatever the question does not say may be.
pub fn carries(
    question: &str,
    kind: Kind,
    script: &str,
    scope: &Scope,
    before: Option<&Before>,
) -> bool {
    let earlier = before.map(|before| Earlier::of(before, scope));
    !says(&Told { earlier, ..Told::of(question, scope) }, question, kind, script, scope)
}

/// Whether nothing but the question stands in what answered it: every number, text and date of it,
/// every group and every flag, is said, or it is what the planner reads.
fn says(told: &Told, question: &str, kind: Kind, script: &str, scope: &Scope) -> bool {
    if matches!(kind, Kind::Sql | Kind::Script) {
        return told.says_code(script);
    }
    let Ok(json) = serde_json::from_str::<Json>(script) else { return false };
    let query = |json: &Json| {
        Query::from_json(json).is_ok_and(|query| {
            let own = told.says_query(&query) && told.says_table(&query, scope.tables());
            own || reads_as(question, &query, scope.tables())
        })
    };
    match kind {
        Kind::Query => query(&json),
        Kind::Tool => told.says_json(&json["arguments"]),
        Kind::Calls => {
            let calls = json["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            calls.iter().all(|call| match call["tool"].as_str() {
                Some("query") => query(&call["arguments"]),
                Some("run_script") => {
                    call["arguments"]["script"].as_str().is_some_and(|code| told.says_code(code))
                }
                None => false,
                Some(_) => told.says_json(&call["arguments"]),
            })
        }
        Kind::Sql | Kind::Script => false,
    }
}

/// Whether what answered a question has a day or a period that the question does not say: *last month*
/// as two dates, which over later rows are those of another month.
pub fn dated(question: &str, kind: Kind, script: &str, scope: &Scope) -> bool {
    let told = Told::of(question, scope);
    // the planner, too, reads *this month* as the one of now
    let unsaid = dates(script).any(|date| !told.says_text(date));
    unsaid || (told.recent && !says(&told, question, kind, script, scope))
}

/// The dates, quarters and years in a text, as queries and scripts write them.
fn dates(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| {
        let year = word.get(..4).is_some_and(|year| {
            year.bytes().all(|b| b.is_ascii_digit()) && matches!(year.get(..2), Some("19" | "20"))
        });
        year && (word.len() == 4 || word.get(4..5) == Some("-"))
    })
}

/// What was asked in a conversation before a question, and what else was said and found there.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Before {
    /// The questions.
    pub asked: Vec<String>,
    /// The words of the answers.
    pub answered: Vec<String>,
    /// What was run, and what it gave.
    pub found: Vec<String>,
}

/// What a later answer could carry over.
struct Earlier {
    /// Numbers of the questions: limits carry over from there alone, since models set their own.
    asked: Vec<f64>,
    /// A question asked for one end.
    directed: bool,
    /// A question or an answer names a time.
    of_time: bool,
    /// What questions and answers name of the tables.
    marks: Vec<Marks>,
    /// The columns that stand in what was run.
    columns: BTreeSet<String>,
    numbers: Vec<f64>,
    /// Words of questions and answers, and their stems.
    spoken: BTreeSet<String>,
    /// Words of what was run and found.
    found: BTreeSet<String>,
}

impl Earlier {
    fn of(before: &Before, scope: &Scope) -> Self {
        let of = |texts: &[String]| -> Vec<Told> {
            texts.iter().map(|text| Told::of(text, scope)).collect()
        };
        let (asked, answered) = (of(&before.asked), of(&before.answered));
        let spoken = || before.asked.iter().chain(&before.answered);
        let all = || asked.iter().chain(&answered);
        let mut numbers: Vec<f64> = all().flat_map(|told| told.numbers.iter().copied()).collect();
        numbers.extend(spoken().chain(&before.found).flat_map(|text| self::numbers(text)));
        let words = |texts: &mut dyn Iterator<Item = &String>| -> BTreeSet<String> {
            let lower = texts.map(|text| text.to_lowercase());
            lower.flat_map(|text| parts(&text).map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        let names = scope.tables().iter().flat_map(|table| &table.columns);
        let found: Vec<String> = before.found.iter().map(|text| text.to_lowercase()).collect();
        let stems = all().flat_map(|told| told.stems.iter().cloned());
        Self {
            asked: asked.iter().flat_map(|told| told.numbers.iter().copied()).collect(),
            directed: asked.iter().any(|told| told.directed),
            of_time: all().any(|told| told.of_time),
            marks: spoken().map(|text| scope.marks_of(text)).collect(),
            columns: names
                .map(|column| column.name.to_lowercase())
                .filter(|name| found.iter().any(|text| text.contains(name)))
                .collect(),
            numbers,
            spoken: words(&mut spoken()).into_iter().chain(stems).collect(),
            found: words(&mut before.found.iter()),
        }
    }

    fn has_number(&self, number: f64) -> bool {
        has(&self.numbers, number)
    }

    /// Whether any part of a text was there.
    fn has_text(&self, text: &str) -> bool {
        parts(&text.to_lowercase()).any(|part| match part.parse::<f64>() {
            Ok(number) => self.has_number(number),
            Err(_) => self.found.contains(part) || self.has_word(part),
        })
    }

    /// Whether every part of a text was spoken of.
    fn spoke(&self, text: &str) -> bool {
        parts(&text.to_lowercase()).all(|part| match part.parse::<f64>() {
            Ok(number) => self.has_number(number),
            Err(_) => self.has_word(part),
        })
    }

    fn has_word(&self, word: &str) -> bool {
        self.spoken.contains(word) || said(word).iter().any(|at| self.spoken.contains(&at.stem))
    }

    /// Whether a column or a value was spoken of, or stands in what was run: who asked may have named
    /// it in another language.
    fn names(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.marks.iter().any(|marks| marks.name(&name)) || self.columns.contains(&name)
    }
}

fn has(numbers: &[f64], number: f64) -> bool {
    numbers.iter().any(|own| (own.abs() - number.abs()).abs() <= 1e-9 * own.abs())
}

/// The numbers of a text: whole ones and parts, and those whose digits are in groups as one.
fn numbers(text: &str) -> Vec<f64> {
    let digits: Vec<char> = text.chars().collect();
    let digit =
        |at: Option<usize>| at.and_then(|at| digits.get(at)).is_some_and(char::is_ascii_digit);
    let joined = |at: usize, c: char| {
        matches!(c, ',' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
            && digit(at.checked_sub(1))
            && (1..4).all(|by| digit(Some(at + by)))
            && !digit(Some(at + 4))
    };
    let places = digits.iter().enumerate();
    let whole: String = places.filter(|(at, c)| !joined(*at, **c)).map(|(_, c)| *c).collect();
    let decimal = whole.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let with_comma = whole.replace(',', ".");
    let comma = with_comma.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let some = decimal.chain(comma).map(|part| part.trim_matches('.'));
    some.chain(parts(text)).filter_map(|part| part.parse().ok()).collect()
}

/// Names of weekdays and months, as queries write them.
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Words for a day, which is no period of a question by itself.
const DAYS: [&str; 8] = ["day", "days", "daily", "date", "день", "дням", "дня", "дней"];

/// What a question says.
struct Told {
    numbers: Vec<f64>,
    stems: BTreeSet<String>,
    marks: Marks,
    /// It names a time.
    of_time: bool,
    /// It names one that moves with the rows or with the day.
    recent: bool,
    /// It says which end.
    directed: bool,
    times: Vec<String>,
    /// What was before it, where what was not there counts as said.
    earlier: Option<Earlier>,
}

impl Told {
    fn of(question: &str, scope: &Scope) -> Self {
        let places = said(question);
        let mut told = Self {
            numbers: Vec::new(),
            stems: BTreeSet::new(),
            marks: scope.marks_of(question),
            of_time: false,
            recent: false,
            directed: false,
            times: scope.tables().iter().filter_map(|table| table.time.clone()).collect(),
            earlier: None,
        };
        for (at, place) in places.iter().enumerate() {
            told.take(place, places.get(at + 1));
        }
        told
    }

    fn take(&mut self, place: &Said, next: Option<&Said>) {
        self.stems.insert(place.stem.clone());
        self.stems.insert(place.text.clone());
        self.of_time |= DAYS.contains(&place.text.as_str());
        let mut own: Vec<f64> = place.value.into_iter().collect();
        if place.place == Place::Number {
            // a date is its parts
            own.extend(parts(&place.text).filter_map(|part| part.parse::<f64>().ok()));
        }
        for phrase in &place.phrases {
            self.of_time |= phrase.role == Role::Period;
            self.recent |= ["Recent(", "LastFew"].iter().any(|of| phrase.broad.starts_with(of));
            self.directed |= phrase.role == Role::Direction;
            if phrase.role == Role::Number {
                own.extend(phrase.broad.parse::<f64>());
            }
            let of = |name: &str| {
                phrase.broad.strip_prefix(name)?.strip_suffix(')')?.parse::<usize>().ok()
            };
            if let Some(month) = of("Month(") {
                own.push(month as f64 + 1.0);
            }
            if let Some(quarter) = of("Quarter(") {
                own.push(quarter as f64);
                self.stems.insert(format!("q{quarter}"));
            }
            if let Some(half) = of("Half(") {
                self.stems.insert(format!("h{half}"));
            }
            if let Some(name) = of("Weekday(").and_then(|day| WEEKDAYS.get(day)) {
                self.stems.insert((*name).to_owned());
                self.stems.extend(name.get(..3).map(str::to_owned));
            }
        }
        let scale = next.into_iter().flat_map(|next| &next.phrases);
        let scale = scale.filter(|phrase| phrase.role == Role::Scale);
        for by in scale.filter_map(|phrase| phrase.broad.parse::<f64>().ok()) {
            let scaled: Vec<f64> = own.iter().map(|number| number * by).collect();
            own.extend(scaled);
        }
        self.numbers.extend(own);
    }

    /// Whether something was not there before, where that is known.
    fn is_own(&self, there: impl FnOnce(&Earlier) -> bool) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| !there(earlier))
    }

    fn says_number(&self, number: f64) -> bool {
        has(&self.numbers, number) || self.is_own(|earlier| earlier.has_number(number))
    }

    fn says_limit(&self, limit: u64) -> bool {
        let number = limit as f64;
        has(&self.numbers, number)
            || (limit == 1 && self.directed)
            || self
                .is_own(|earlier| has(&earlier.asked, number) || (limit == 1 && earlier.directed))
    }

    /// Whether a script or a statement has nothing of what was before: no number, no column or value
    /// that was spoken of, no text. Where that is not known nobody can tell what of it is the question's.
    fn says_code(&self, code: &str) -> bool {
        let Some(earlier) = &self.earlier else { return false };
        let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let texts = || quoted(code).filter(|text| !text.trim().is_empty());
        // 0 and 1 are of the code
        numbers(code).into_iter().all(|number| number <= 1.0 || self.says_number(number))
            && words.chain(texts()).all(|name| self.names(name) || !earlier.names(name))
            && texts().all(|text| self.says_parts(text) || !earlier.spoke(text))
    }

    /// Whether every word and number of a text is said.
    fn says_text(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        self.names(&lower)
            || self.is_own(|earlier| earlier.has_text(&lower))
            || self.says_parts(&lower)
    }

    fn says_parts(&self, text: &str) -> bool {
        parts(&text.to_lowercase()).all(|part| match part.parse::<f64>() {
            Ok(number) => has(&self.numbers, number),
            Err(_) => said(part).iter().all(|place| self.stems.contains(&place.stem)),
        })
    }

    /// Whether the name of a column or a value is said.
    fn names(&self, name: &str) -> bool {
        self.marks.name(&name.to_lowercase())
    }

    fn says_json(&self, json: &Json) -> bool {
        match json {
            Json::Null | Json::Bool(_) => true,
            Json::Number(number) => number.as_f64().is_some_and(|number| self.says_number(number)),
            Json::String(text) => self.says_text(text),
            Json::Array(list) => list.iter().all(|one| self.says_json(one)),
            Json::Object(fields) => {
                fields.iter().all(|(name, one)| name == "title" || self.says_json(one))
            }
        }
    }

    /// Of several tables the one that is read is named, or no other one can answer the same.
    fn says_table(&self, query: &Query, tables: &[Arc<TableSchema>]) -> bool {
        let Some(own) = &query.table else { return tables.len() < 2 };
        let others = || tables.iter().filter(|table| table.name != *own);
        let named = said(&own.replace('_', " "));
        named.iter().all(|place| self.stems.contains(&place.stem))
            || self.is_own(|earlier| earlier.has_text(own))
            || others().all(|table| {
                let query = Query { table: Some(table.name.clone()), ..query.clone() };
                check(&query, tables).is_err()
            })
    }

    fn says_query(&self, query: &Query) -> bool {
        let texts = query.map.iter().map(|(_, text)| text);
        let texts = texts.chain(query.select.iter().map(|s| &s.text)).chain(&query.sort);
        [&query.session, &query.period, &query.from]
            .into_iter()
            .flatten()
            .all(|text| self.says_text(text))
            && query.limit.is_none_or(|limit| self.says_limit(limit))
            && texts.chain(&query.group_by).all(|text| self.says_constants(text))
            && query.group_by.iter().all(|text| self.says_group(text, query))
            && query.filter.iter().all(|text| self.says_condition(text))
            && query.steps.iter().all(|step| self.says_query(step))
    }

    fn says_constants(&self, text: &str) -> bool {
        let plain = text.strip_suffix(" desc").or_else(|| text.strip_suffix(" asc"));
        parse(plain.unwrap_or(text)).is_ok_and(|expr| self.says_expr(&expr))
    }

    fn says_expr(&self, expr: &Expr) -> bool {
        match &expr.node {
            Node::Null | Node::Bool(_) | Node::Column(_) => true,
            Node::Int(number) => self.says_number(*number as f64),
            Node::Float(number) => self.says_number(*number),
            Node::Decimal(number) => self.says_number(number.to_f64()),
            Node::Text(text) => self.says_text(text),
            _ => children(expr).into_iter().all(|child| self.says_expr(child)),
        }
    }

    /// A group is said by the name of its column, or by a length of time where the column is the time.
    fn says_group(&self, text: &str, query: &Query) -> bool {
        let made = query.map.iter().find(|(name, _)| name == text).map(|(_, text)| text.as_str());
        parse(made.unwrap_or(text)).is_ok_and(|expr| self.says_columns(&expr))
    }

    fn says_columns(&self, expr: &Expr) -> bool {
        match &expr.node {
            Node::Column(name) => {
                self.names(name)
                    || (self.of_time && self.times.contains(name))
                    || self.is_own(|earlier| {
                        earlier.names(name) || (earlier.of_time && self.times.contains(name))
                    })
            }
            _ => children(expr).into_iter().all(|child| self.says_columns(child)),
        }
    }

    /// A condition without a number or a text, as on a flag, is said by the names of its columns.
    fn says_condition(&self, text: &str) -> bool {
        let Ok(expr) = parse(text) else { return false };
        let mut open = vec![&expr];
        while let Some(part) = open.pop() {
            match &part.node {
                Node::And(list) | Node::Or(list) => open.extend(list),
                Node::Not(inner) => open.push(inner),
                _ if !self.says_expr(part) => return false,
                _ if !has_constant(part) && !self.says_columns(part) => return false,
                _ => {}
            }
        }
        true
    }
}

/// What stands between quotes in code.
fn quoted(code: &str) -> impl Iterator<Item = &str> {
    let strings = ['\'', '"', '`'].map(|quote| code.split(quote).skip(1).step_by(2));
    strings.into_iter().flatten()
}

fn has_constant(expr: &Expr) -> bool {
    match &expr.node {
        Node::Int(_) | Node::Float(_) | Node::Decimal(_) | Node::Text(_) => true,
        _ => children(expr).into_iter().any(has_constant),
    }
}

fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.node {
        Node::Neg(inner) | Node::Not(inner) => vec![inner],
        Node::Arith(_, left, right) => vec![left, right],
        Node::Compare(first, rest) => {
            std::iter::once(first.as_ref()).chain(rest.iter().map(|(_, one)| one)).collect()
        }
        Node::In { value, list, .. } => std::iter::once(value.as_ref()).chain(list).collect(),
        Node::And(list) | Node::Or(list) => list.iter().collect(),
        Node::Call { args, .. } => args.iter().collect(),
        _ => Vec::new(),
    }
}

/// The words and numbers of a text.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty())
}
