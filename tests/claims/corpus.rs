//! Reads corpora of sentences: results to check against, true sentences with the places where they
//! can be made false, and false ones.
//!
//! `== title` opens a section. `table NAME rows N time COLUMN`, `column NAME KIND [unit U] [label L]
//! [~ synonym, …]`, `query JSON`, `counts scanned N matched N [before N]` and one `| cell | …` line a
//! row make the result; `beside TITLE` is the result of an earlier section that stands before it in the
//! same conversation; `? …` is the question of the lines below it. `- ` is a true sentence: `[n]`
//! is a number that must be found in it (`[~n]` stands for about n), `{kind:right|wrong}` a word
//! that a mutation of that kind turns into the wrong one. `x ` is a false sentence whose wrong
//! places stand in `<…>`. `\n` is a line break.

use pinhole::facts::Outcome;
use pinhole::query::{Query, check};
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::value::{Decimal, Table, Value};
use std::ops::Range;
use std::sync::Arc;

/// A result and what is said of it.
pub struct Section {
    /// Its title.
    pub title: String,
    /// The result.
    pub outcome: Outcome,
    /// The results before it, of which nothing is said.
    pub beside: Vec<Outcome>,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
}

/// A sentence of a corpus.
pub struct Sentence {
    /// The question it answers.
    pub question: String,
    /// Text and places, in order.
    pub parts: Vec<Part>,
    /// As it stands, it is true.
    pub truth: bool,
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words that stay.
    Plain(String),
    /// A number; `true` when the words say it is about that.
    Number(String, bool),
    /// Kind of mutation, the right words, the wrong ones.
    Choice(String, String, String),
    /// What is wrong in a false sentence.
    Wrong(String),
}

impl Part {
    /// The words as they stand.
    pub fn words(&self) -> &str {
        match self {
            Self::Plain(s) | Self::Number(s, _) | Self::Choice(_, s, _) | Self::Wrong(s) => s,
        }
    }
}

impl Sentence {
    /// The text, with part `changed` in other words, and where each part stands in it.
    pub fn text(&self, changed: Option<(usize, &str)>) -> (String, Vec<Range<usize>>) {
        let mut text = String::new();
        let mut places = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            let start = text.len();
            text.push_str(match changed {
                Some((at, words)) if at == i => words,
                _ => part.words(),
            });
            places.push(start..text.len());
        }
        (text, places)
    }
}

/// Every section of a corpus.
pub fn read(corpus: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    for (i, block) in corpus.split("\n== ").enumerate().skip(1) {
        sections.push(section(&format!("r{i}"), block, &sections));
    }
    sections
}

fn section(id: &str, block: &str, earlier: &[Section]) -> Section {
    let mut lines = block.lines();
    let title = lines.next().unwrap_or_default().to_owned();
    let mut schema = TableSchema::new("", Vec::new());
    let mut columns = Vec::new();
    let mut query = serde_json::Value::Null;
    let (mut scanned, mut matched, mut before) = (0, 0, None);
    let mut cells: Vec<Vec<&str>> = Vec::new();
    let mut sentences = Vec::new();
    let mut question = String::new();
    let mut beside = Vec::new();
    for line in lines.filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |name: &str| {
            words.iter().position(|w| *w == name).map(|i| words[i + 1].parse::<u64>().unwrap())
        };
        if let Some(rest) = line.strip_prefix("column ") {
            columns.push(column(rest));
        } else if line.starts_with("table ") {
            words[1].clone_into(&mut schema.name);
            schema.rows = number("rows").unwrap();
            schema.time = words.iter().position(|w| *w == "time").map(|i| words[i + 1].to_owned());
        } else if let Some(rest) = line.strip_prefix("query ") {
            query = serde_json::from_str(rest).unwrap();
        } else if line.starts_with("counts ") {
            scanned = number("scanned").unwrap();
            matched = number("matched").unwrap();
            before = number("before");
        } else if let Some(rest) = line.strip_prefix("| ") {
            cells.push(rest.split('|').map(str::trim).collect());
        } else if let Some(rest) = line.strip_prefix("beside ") {
            let named = earlier.iter().filter(|s| s.title.starts_with(rest));
            beside.extend(named.map(|s| s.outcome.clone()));
        } else if let Some(rest) = line.strip_prefix("? ") {
            rest.clone_into(&mut question);
        } else if let Some((kind, rest)) =
            line.split_once(' ').filter(|(k, _)| ["-", "x"].contains(k))
        {
            let parts = parts(&rest.replace("\\n", "\n"));
            sentences.push(Sentence { question: question.clone(), parts, truth: kind == "-" });
        } else {
            panic!("{title}: what is `{line}`?");
        }
    }
    schema.ohlcv = pinhole::schema::Ohlcv::detect(&columns);
    schema.columns = columns;
    if schema.ohlcv.is_some() {
        schema.interval = Some(60);
    }
    let parsed = Query::from_json(&query).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let checked = check(&parsed, &[Arc::new(schema)]).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let columns = checked.output().to_vec();
    let rows = cells
        .iter()
        .map(|row| {
            assert_eq!(row.len(), columns.len(), "{title}: {row:?}");
            row.iter().zip(&columns).map(|(cell, c)| value(cell, c.column.kind)).collect()
        })
        .collect();
    let table = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    let outcome = Outcome {
        id: id.to_owned(),
        query: Arc::new(checked),
        columns,
        rows: Arc::new(table),
        rows_scanned: scanned,
        rows_matched: matched,
        rows_before_limit: before,
        warnings: Vec::new(),
    };
    Section { title, outcome, beside, sentences }
}

fn column(line: &str) -> Column {
    let (line, synonyms) = line.split_once(" ~ ").unwrap_or((line, ""));
    let mut words = line.split(' ');
    let name = words.next().unwrap();
    let kind = words.next().unwrap();
    let kind = kind.parse().unwrap_or_else(|()| panic!("no kind `{kind}`"));
    let mut column = Column::new(name, kind);
    while let (Some(what), Some(word)) = (words.next(), words.next()) {
        match what {
            "unit" => column.unit = Some(word.to_owned()),
            "label" => column.label = Some(word.to_owned()),
            other => panic!("what is `{other}`?"),
        }
    }
    column.synonyms = synonyms.split(", ").filter(|s| !s.is_empty()).map(str::to_owned).collect();
    column
}

fn value(cell: &str, kind: Kind) -> Value {
    if cell == "null" {
        return Value::Null;
    }
    let date = || chrono::NaiveDate::parse_from_str(cell, "%Y-%m-%d").unwrap();
    match kind {
        Kind::Int => Value::Int(cell.parse().unwrap()),
        Kind::Float => Value::Float(cell.parse().unwrap()),
        Kind::Decimal(_) => Value::Decimal(Decimal::parse(cell).unwrap()),
        Kind::Bool => Value::Bool(cell == "true"),
        Kind::Text => Value::text(cell),
        Kind::Date => Value::from_date(date()),
        Kind::Timestamp => Value::from_datetime(date().and_hms_opt(0, 0, 0).unwrap()),
        Kind::List(_) => panic!("no claim is about lists"),
    }
}

fn parts(line: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['[', '{', '<']) {
        let close = match rest.as_bytes()[at] {
            b'[' => ']',
            b'{' => '}',
            _ => '>',
        };
        let Some(len) = rest[at..].find(close) else { break };
        if at > 0 {
            parts.push(Part::Plain(rest[..at].to_owned()));
        }
        let inner = &rest[at + 1..at + len];
        parts.push(match close {
            ']' => match inner.strip_prefix('~') {
                Some(about) => Part::Number(about.to_owned(), true),
                None => Part::Number(inner.to_owned(), false),
            },
            '}' => {
                let (kind, words) = inner.split_once(':').unwrap();
                let (right, wrong) = words.split_once('|').unwrap();
                Part::Choice(kind.to_owned(), right.to_owned(), wrong.to_owned())
            }
            _ => Part::Wrong(inner.to_owned()),
        });
        rest = &rest[at + len + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Plain(rest.to_owned()));
    }
    parts
}
