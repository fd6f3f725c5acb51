//! The look-up: exact, then by meaning, then by words. An exact hit runs; a hit by words runs when
//! it asks the same word by word; anything else is only offered, with what it differs in.

use super::Recall;
use super::context::Context;
use super::embed::embed;
use super::meaning::{Marks, Names, in_order, sequence};
use super::normal::{key, normalise};
use super::record::{Embedding, Kind, LANGUAGE_VERSION, LastResult, Record};
use crate::error::{Code, Diagnostic};
use crate::query::check_json;
use crate::schema::TableSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is loaded at the time of a question.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    tables: Vec<Arc<TableSchema>>,
    names: Names,
    /// One of each table with its rows, sorted: another file of the same columns has another.
    prints: Vec<String>,
    fingerprint: String,
    policy_hash: String,
    /// Scripts that a model wrote may run.
    pub(super) scripts: bool,
    /// The day that counts as today, where that is known.
    day: Option<String>,
    /// What lists of calls stand on, once the rows of all tables are known.
    pub(super) over: Option<Vec<String>>,
    /// A look-up had to know it and did not.
    pub(super) unread: Cell<bool>,
    /// The marks of questions that were looked at closely: as a person types, the same come up.
    marks: RefCell<HashMap<String, Rc<Marks>>>,
}

/// What the schema of a table knows of its rows, as a hash.
fn digest(table: &TableSchema) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    hash.update(format!("{}\u{1f}{:?}", table.rows, table.range));
    for column in &table.columns {
        hash.update(format!("\u{1e}{:?}\u{1f}{:?}", column.nulls, column.values));
    }
    hash.finalize().iter().take(8).fold(String::new(), |hex, b| hex + &format!("{b:02x}"))
}

/// Questions whose marks are remembered.
const REMEMBERED: usize = 2_000;

impl Scope {
    /// The tables and the hash of the policy in force. Make it once for many questions.
    pub fn new(tables: &[Arc<TableSchema>], policy_hash: impl Into<String>) -> Self {
        let mut prints: Vec<String> =
            tables.iter().map(|t| format!("{}:{}", t.name, t.fingerprint())).collect();
        prints.sort();
        let fingerprint = prints.join(",");
        let mut prints: Vec<String> = tables
            .iter()
            .map(|table| format!("{}:{}:{}", table.name, table.fingerprint(), digest(table)))
            .collect();
        prints.sort();
        Self {
            tables: tables.to_vec(),
            names: Names::of(tables),
            fingerprint,
            prints,
            policy_hash: policy_hash.into(),
            scripts: false,
            day: None,
            over: None,
            unread: Cell::default(),
            marks: RefCell::default(),
        }
    }

    /// Whether it is made of these very tables, this policy, and whether scripts may run.
    pub fn is_of(&self, tables: &[Arc<TableSchema>], policy_hash: &str, scripts: bool) -> bool {
        self.tables.len() == tables.len()
            && self.tables.iter().zip(tables).all(|(own, other)| Arc::ptr_eq(own, other))
            && self.policy_hash == policy_hash
            && self.scripts == scripts
    }

    fn marks(&self, question: &str) -> Rc<Marks> {
        let mut known = self.marks.borrow_mut();
        if let Some(marks) = known.get(question) {
            return Rc::clone(marks);
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let marks = Rc::new(Marks::of(question, &self.names));
        known.insert(question.to_owned(), Rc::clone(&marks));
        marks
    }

    /// The tables.
    pub(super) fn tables(&self) -> &[Arc<TableSchema>] {
        &self.tables
    }

    /// What of a question carries its meaning over these tables.
    pub(super) fn marks_of(&self, question: &str) -> Marks {
        Marks::of(question, &self.names)
    }

    /// The same, with whether scripts that a model wrote may run: else their records are not found.
    #[must_use]
    pub fn with_scripts(self, scripts: bool) -> Self {
        Self { scripts, ..self }
    }

    /// The same, with the day that counts as today: calls whose days were counted from another one
    /// are not found.
    #[must_use]
    pub fn with_day(self, day: Option<String>) -> Self {
        Self { day, ..self }
    }

    /// A query with the name of its table, where it has none and only one is meant: another table
    /// may be loaded when it runs again.
    pub(super) fn named<'a>(&self, kind: Kind, script: &'a str) -> Cow<'a, str> {
        let ([table], Kind::Query) = (self.tables.as_slice(), kind) else {
            return Cow::Borrowed(script);
        };
        match serde_json::from_str(script) {
            Ok(Json::Object(mut query)) if query.get("table").is_none_or(Json::is_null) => {
                query.insert("table".to_owned(), Json::String(table.name.clone()));
                Cow::Owned(Json::Object(query).to_string())
            }
            _ => Cow::Borrowed(script),
        }
    }

    /// Changes with names, kinds and settings of the tables, not with their rows.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// One of each table, with what is known of its rows: sorted.
    pub(super) fn prints(&self) -> &[String] {
        &self.prints
    }

    /// The day that counts as today, where that is known.
    pub fn day(&self) -> Option<&str> {
        self.day.as_deref()
    }

    /// The policy in force.
    pub fn policy_hash(&self) -> &str {
        &self.policy_hash
    }
}

/// A question to look up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The data set.
    pub context_code: &'a str,
    /// As it was typed.
    pub question: &'a str,
    /// Its vector, where the embedder is not the built-in one; without it the search by meaning is
    /// left out.
    pub vector: Option<&'a [f32]>,
    /// What was asked before it, by [`super::after`]: what answered it after the same questions runs.
    pub after: Option<&'a str>,
}

/// How a record was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// It is the same question.
    Exact,
    /// Its vector is near.
    Semantic,
    /// It has the same words.
    FullText,
}

/// A question that was asked before and may be meant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suggestion {
    /// The number of its record.
    pub id: u64,
    /// As it was asked.
    pub question: String,
    /// The cosine, or the share of its own score in full text; from 0 to 1.
    pub similarity: f64,
    /// How it was found.
    pub by: By,
    /// What only one of the two questions has: numbers, periods, directions, names.
    pub differs: Vec<String>,
    /// How often it was run from here.
    pub usage_count: u64,
    /// Always true: others are not found.
    pub is_valid: bool,
    /// What it gave when it last ran, unless the policy was another one then.
    pub last_result: Option<LastResult>,
}

/// Questions that may be meant, the likeliest first. None of them runs unasked.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Suggestions {
    /// There is one, and it is as good as the same question.
    pub high_confidence: bool,
    /// At most so many as the settings say.
    pub suggestions: Vec<Suggestion>,
}

/// What a look-up found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Run this record.
    Run {
        /// Its number.
        id: u64,
        /// How it was found.
        by: By,
        /// The tables or the language changed since it was checked, and what it holds is not a
        /// query that could be checked here: the host checks it before it runs.
        recheck: bool,
    },
    /// Nothing is sure; these may be meant. They do not stop the planner or the model.
    Suggest(Suggestions),
    /// Nothing was found.
    Nothing,
}

/// A record that no longer fits the tables and was set invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfit {
    /// Its number.
    pub id: u64,
    /// Why.
    pub problems: Vec<Diagnostic>,
}

/// The outcome of a look-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What to do.
    pub found: Found,
    /// Records that were found on the way and fit no longer.
    pub unfit: Vec<Unfit>,
}

/// Records that were found and do not run.
#[derive(Default)]
struct Passed {
    /// They fit no longer.
    unfit: Vec<Unfit>,
    /// Their table is not loaded.
    waiting: Vec<u64>,
    /// Another table may be meant by now.
    unsure: Vec<u64>,
}

/// Records that are looked at more closely after a search.
const CLOSELY: usize = 30;
/// What each difference takes from the place of a suggestion.
const DIFFERENCE: f64 = 0.85;

/// A record that a search found, and how well.
struct Candidate<'a> {
    record: &'a Record,
    similarity: f64,
    by: By,
    differs: Vec<String>,
}

/// The marks of the question that is asked, and what the records it was held against differ in:
/// both searches find most of them.
struct Own<'a> {
    marks: Marks,
    scope: &'a Scope,
    known: RefCell<HashMap<u64, Vec<String>>>,
}

impl<'a> Own<'a> {
    fn new(question: &str, scope: &'a Scope) -> Self {
        Self { marks: Marks::of(question, &scope.names), scope, known: RefCell::default() }
    }

    fn differs(&self, record: &Record) -> Vec<String> {
        let mut known = self.known.borrow_mut();
        let differs = known.entry(record.id).or_insert_with(|| {
            let marks = self.scope.marks(&record.question);
            self.marks.differing(&marks).into_iter().map(str::to_owned).collect()
        });
        differs.clone()
    }
}

impl Candidate<'_> {
    fn agrees(&self) -> bool {
        self.differs.is_empty()
    }

    fn place(&self) -> f64 {
        self.similarity * DIFFERENCE.powi(self.differs.len() as i32)
    }
}

impl Recall {
    /// Looks a question up. Nothing runs here: the host runs what is found and tells the outcome to
    /// [`Recall::finished`]. A query that no longer passes the check is set invalid on the way.
    pub fn ask(&mut self, asked: Asked<'_>, scope: &Scope) -> Answer {
        let mut passed = Passed::default();
        // after the same questions first, then what holds after any
        for after in asked.after.into_iter().map(Some).chain([None]) {
            let exact = self
                .of_key(asked.context_code, &key(asked.question, after))
                .filter(|r| r.is_valid && scope.lets_run(r))
                .map(|r| r.id);
            if let Some(id) = exact
                && let Some(recheck) = self.fits(asked, id, scope, &mut passed)
            {
                return Answer {
                    found: Found::Run { id, by: By::Exact, recheck },
                    unfit: passed.unfit,
                };
            }
        }
        let settings = self.settings;
        self.prepare(asked.context_code, usize::MAX);
        let own = Own::new(asked.question, scope);
        // a record that turns out unfit is not found again, and the search starts without it
        while let Some(context) = self.contexts.get(asked.context_code) {
            let mut near = self.by_meaning(context, asked, settings.similarity_threshold, &own);
            let mut worded = by_words(context, asked.question, settings.fulltext_threshold, &own);
            for list in [&mut near, &mut worded] {
                list.retain(|candidate| !passed.waiting.contains(&candidate.record.id));
            }
            let decided = near.iter().any(Candidate::agrees);
            let runs = if decided { None } else { same(&worded, asked.question, &passed.unsure) };
            let Some(id) = runs else {
                let list = self.offered(asked, near, worded, settings.suggest_limit, scope);
                let found =
                    if list.suggestions.is_empty() { Found::Nothing } else { Found::Suggest(list) };
                return Answer { found, unfit: passed.unfit };
            };
            if let Some(recheck) = self.fits(asked, id, scope, &mut passed) {
                let found = Found::Run { id, by: By::FullText, recheck };
                return Answer { found, unfit: passed.unfit };
            }
        }
        Answer { found: Found::Nothing, unfit: passed.unfit }
    }

    /// Questions like this one, whether or not they ask the same. `limit` and `threshold` are those
    /// of the settings where they are `None`.
    pub fn suggest(
        &mut self,
        asked: Asked<'_>,
        limit: Option<usize>,
        threshold: Option<f64>,
        scope: &Scope,
    ) -> Suggestions {
        self.prepare(asked.context_code, usize::MAX);
        let Some(context) = self.contexts.get(asked.context_code) else {
            return Suggestions::default();
        };
        let settings = &self.settings;
        let near = threshold.unwrap_or(settings.similarity_threshold);
        let worded = threshold.unwrap_or(settings.fulltext_threshold);
        let own = Own::new(asked.question, scope);
        let near = self.by_meaning(context, asked, near, &own);
        let worded = by_words(context, asked.question, worded, &own);
        self.offered(asked, near, worded, limit.unwrap_or(settings.suggest_limit), scope)
    }

    /// Makes at most so many questions of a data set ready for the search by words, and says whether
    /// all are. A search does the rest by itself; a host that calls this between its other work
    /// spares the first search the wait.
    pub fn prepare(&mut self, context_code: &str, most: usize) -> bool {
        self.contexts.get_mut(context_code).is_none_or(|context| context.index(most))
    }

    /// True or false where a record can run, by whether the host has to check it first; otherwise
    /// it is set invalid, waits where all that it lacks is a table that is not loaded, or is only
    /// offered where another table may be meant by now.
    fn fits(
        &mut self,
        asked: Asked<'_>,
        id: u64,
        scope: &Scope,
        passed: &mut Passed,
    ) -> Option<bool> {
        let record = self.get(asked.context_code, id)?;
        let same = record.schema_fingerprint == scope.fingerprint
            && record.language_version == LANGUAGE_VERSION;
        if same {
            return Some(false);
        }
        if record.kind != Kind::Query {
            return Some(true);
        }
        let checked = match serde_json::from_str(&record.script) {
            Ok(json) => check_json(&json, &scope.tables).map(|_| {
                if another_fits(record, json, asked.question, scope) {
                    passed.unsure.push(id);
                }
            }),
            Err(_) => Err(vec![Diagnostic::new(
                Code::NotAnObject,
                text!("a query is an object in JSON", "запрос — это объект JSON"),
            )]),
        };
        let Err(problems) = checked else {
            return (!passed.unsure.contains(&id)).then_some(false);
        };
        if problems.iter().all(|problem| problem.code == Code::UnknownTable) {
            passed.waiting.push(id);
            return None;
        }
        self.renew(asked.context_code, id, |record| record.is_valid = false);
        passed.unfit.push(Unfit { id, problems });
        None
    }

    fn by_meaning<'a>(
        &self,
        context: &'a Context,
        asked: Asked<'_>,
        threshold: f64,
        own: &Own<'_>,
    ) -> Vec<Candidate<'a>> {
        let vector = match asked.vector {
            Some(vector) => Embedding::new(Arc::clone(&self.embedder), vector),
            None if self.has_built_in() => embed(asked.question),
            None => None,
        };
        let Some(vector) = vector else { return Vec::new() };
        candidates(context.near(&vector, threshold), By::Semantic, own)
    }

    /// Those that agree and are near come first, then all by how well they were found and how much
    /// they differ. One that is nearly the same stands alone.
    fn offered(
        &self,
        asked: Asked<'_>,
        near: Vec<Candidate<'_>>,
        worded: Vec<Candidate<'_>>,
        limit: usize,
        scope: &Scope,
    ) -> Suggestions {
        let (mut list, mut rest): (Vec<_>, Vec<_>) = near.into_iter().partition(Candidate::agrees);
        sort(&mut list);
        let high_confidence = list.first().is_some_and(|c| {
            c.similarity >= self.settings.auto_use_threshold
                && in_order(asked.question, &c.record.question)
        });
        if high_confidence {
            list.truncate(1);
        } else {
            rest.extend(worded);
            sort(&mut rest);
            for candidate in rest {
                if !list.iter().any(|c| c.record.id == candidate.record.id) {
                    list.push(candidate);
                }
            }
            list.truncate(limit);
        }
        let suggestions = list.into_iter().map(|c| suggestion(c, scope)).collect();
        Suggestions { high_confidence, suggestions }
    }
}

/// True where a table that was not there when the record last ran can answer the same query, and the
/// question does not say which is meant.
fn another_fits(record: &Record, mut query: Json, question: &str, scope: &Scope) -> bool {
    let Some(own) = query.get("table").and_then(Json::as_str).map(str::to_owned) else {
        return false;
    };
    let words = normalise(question);
    let named = |name: &str| !name.is_empty() && words.contains(&normalise(name));
    let known: Vec<&str> = record
        .schema_fingerprint
        .split(',')
        .filter_map(|print| print.rsplit_once(':').map(|(name, _)| name))
        .collect();
    if known.is_empty() || named(&own) {
        return false;
    }
    scope.tables.iter().filter(|t| t.name != own && !known.contains(&t.name.as_str())).any(|t| {
        query["table"] = Json::String(t.name.clone());
        check_json(&query, &scope.tables).is_ok()
    })
}

fn suggestion(candidate: Candidate<'_>, scope: &Scope) -> Suggestion {
    let Candidate { record, similarity, by, differs } = candidate;
    let allowed = record.policy_hash == scope.policy_hash;
    Suggestion {
        id: record.id,
        question: record.question.clone(),
        similarity,
        by,
        differs,
        usage_count: record.usage_count,
        is_valid: record.is_valid,
        last_result: record.last_result.clone().filter(|_| allowed),
    }
}

fn by_words<'a>(
    context: &'a Context,
    question: &str,
    threshold: f64,
    own: &Own<'_>,
) -> Vec<Candidate<'a>> {
    let runs = |record: &Record| own.scope.lets_run(record);
    candidates(context.worded(question, threshold, CLOSELY, runs), By::FullText, own)
}

/// The best of what a search found, with what each differs in.
fn candidates<'a>(mut found: Vec<(&'a Record, f64)>, by: By, own: &Own<'_>) -> Vec<Candidate<'a>> {
    found.retain(|(record, _)| own.scope.lets_run(record));
    let better = |a: &(&Record, f64), b: &(&Record, f64)| {
        b.1.total_cmp(&a.1)
            .then_with(|| b.0.usage_count.cmp(&a.0.usage_count))
            .then_with(|| a.0.id.cmp(&b.0.id))
    };
    if found.len() > CLOSELY {
        found.select_nth_unstable_by(CLOSELY, better);
        found.truncate(CLOSELY);
    }
    found.sort_by(better);
    let candidate =
        |(record, similarity)| Candidate { record, similarity, by, differs: own.differs(record) };
    found.into_iter().map(candidate).collect()
}

fn sort(list: &mut [Candidate<'_>]) {
    list.sort_by(|a, b| {
        b.place()
            .total_cmp(&a.place())
            .then_with(|| b.record.usage_count.cmp(&a.record.usage_count))
            .then_with(|| a.record.id.cmp(&b.record.id))
    });
}

/// The best hit by words that asks the same word by word.
fn same(worded: &[Candidate<'_>], question: &str, passed: &[u64]) -> Option<u64> {
    let asked = sequence(question);
    if asked.is_empty() {
        return None;
    }
    worded
        .iter()
        .filter(|c| c.agrees() && !passed.contains(&c.record.id))
        .find(|c| sequence(&c.record.question) == asked)
        .map(|c| c.record.id)
}
