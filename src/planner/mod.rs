//! Questions without a model: a question in English or Russian becomes a checked query over the
//! loaded tables, or readings to choose from, or an honest refusal. Nothing leaves the device.
//!
//! question → tokens → candidates per place (lattice) → parses of a typed grammar → sketches →
//! checked queries, each with a confidence → [`Plan`]. The answer is made from the result by
//! [`answer`], every number put in by code.

mod about;
mod answer;
mod assemble;
pub mod bought;
mod build;
mod chart;
mod dictionary;
mod doubts;
mod elsewhere;
mod explain;
mod follow;
mod frames;
mod functions;
mod grammar;
mod language;
mod lattice;
mod moves;
mod naming;
mod phrases;
mod restated;
mod russian;
mod said;
mod same;
mod signed;
mod sketch;
mod stem;
mod suggest;
mod talked;
mod times;
mod token;
mod traders;
mod uncounted;
mod which;
mod whole;
mod words;

#[cfg(test)]
mod tests;

pub use answer::answer;
pub use chart::{Chart, ChartKind, chart};
pub(crate) use restated::{one_of, to_choose};
pub(crate) use said::{Phrase, Place, Role, Said, phrases_hash, said};
pub use suggest::suggest;
pub use talked::plan;
pub use whole::{is_whole, reads_as, stands_alone};

use crate::error::{Diagnostic, Locale, Text};
use crate::query::explain::{explain as explain_query, years_together};
use crate::query::{Query, check};
use crate::schema::{Column, TableSchema};
use grammar::Parse;
use lattice::{BY_DICTIONARY, Lattice, Tag};
use sketch::{Cond, Dim, Entity, Item, Sketch, Target};
use std::collections::BTreeMap;
use std::sync::Arc;
use token::{Token, TokenKind, tokenise};

/// A reading this sure is run unasked.
pub const READY: f64 = 0.75;
/// The best reading must rank higher than the next one by this share.
const MARGIN: f64 = 0.08;
/// Readings less sure than this are not offered.
const OFFERED: f64 = 0.28;
/// What is left of the rank of readings over a table where another one is named more plainly.
const UNNAMED: f64 = 0.85;
/// What is left of the confidence where a question goes on from a query that it does not fit.
const NO_PLACE: f64 = 0.75;
/// What is left of it where times are counted in a table without any, among others.
const UNTIMED: f64 = 0.8;
/// Verbs of what happens at a time, by how they begin.
const VISITS: [&str; 7] = ["visit", "бываю", "бываем", "хожу", "ходим", "посеща", "езжу"];
/// What is left of it by a question with a word that is not understood.
const STRANGE: f64 = 0.6;
/// What is left of a change of the query before by a question that asks of the table's rows.
const WHOLE: f64 = 0.82;
/// What is left of the best reading of a question that says of what and of which rows it asks, for
/// a change of the query before: it is read by itself first.
const OWN: f64 = 0.9;
/// Readings that are offered at most.
const MOST_READINGS: usize = 3;
/// A reading that is less sure than the best by more than this leaves out what the best one reads.
const NEAR: f64 = 0.6;
/// Longer questions, in tokens, are declined.
const LONGEST: usize = 200;
/// Longer questions, in characters, are declined before they are cut into tokens.
const MOST_CHARACTERS: usize = 2000;

/// What the planner made of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Understood: run `query`.
    Ready,
    /// Understood in several ways, or not surely: offer `readings`.
    Readings,
    /// Not understood; `message` says what.
    Declined,
}

/// What surrounds a question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The table that is meant; every table where it is `None`.
    pub table: Option<&'a str>,
    /// The query of the question before, for follow-ups (`only Fridays`).
    pub previous: Option<&'a Query>,
    /// The language of the page, for questions whose words tell none.
    pub locale: Option<Locale>,
    /// By table, the column of times that the person chose where the table has several.
    pub times: Option<&'a BTreeMap<String, String>>,
}

/// One way to understand a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// A query that passes the check.
    pub query: Query,
    /// How it was understood, in the question's language.
    pub explanation: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// What has to be said of how it was read beside `explanation`.
    pub notes: Vec<Text>,
}

/// The outcome of planning.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What to do.
    pub status: Status,
    /// The question's language.
    pub language: Locale,
    /// The query to run, when ready.
    pub query: Option<Query>,
    /// How the question was understood, when ready.
    pub explanation: String,
    /// Confidence of the best reading, from 0 to 1.
    pub confidence: f64,
    /// The best readings, when they are to be chosen from; best first.
    pub readings: Vec<Reading>,
    /// What to tell the person, when not ready.
    pub message: Option<String>,
    /// What has to be said of how the question was read beside `explanation`, when ready.
    pub notes: Vec<Text>,
}

fn plan_over(question: &str, tables: &[Arc<TableSchema>], context: &Context<'_>) -> Plan {
    // the time of a reading grows with the question: the rest of a long one is not even cut
    if let Some((end, _)) = question.char_indices().nth(MOST_CHARACTERS) {
        let tokens = tokenise(question.get(..end).unwrap_or_default());
        let language = language::detect(&tokens, context.locale, tables);
        return declined(language, Some(language::nothing(language, false, false)));
    }
    let said = restated::with_ten(question);
    let question = said.as_deref().unwrap_or(question);
    let mut only = chosen(tables, context);
    let only = (only.next(), only.next());
    let only = only.0.filter(|_| only.1.is_none());
    let value = only.and_then(|table| restated::only_a_value(question, table));
    let question = value.as_deref().unwrap_or(question);
    if let Some(plan) = frames::read(question, tables, context) {
        return plan;
    }
    let meant = only.and_then(|table| restated::meant(question, table));
    // such a question says all of what it asks
    let whole = Context { previous: None, ..*context };
    let goes_on = || follow::goes_on(&tokenise(question));
    let alone = meant.is_some() && !goes_on() || follow::compares_two(question);
    let context = if alone { &whole } else { context };
    let question = meant.as_deref().unwrap_or(question);
    let told = follow::end_of_groups(question, context.previous, || chosen(tables, context));
    let question = told.unwrap_or(question);
    let mut attempt = attempt(question, tables, context);
    // `average order value` after another question is one of its own, in whatever words
    if let (Some(_), false) = (context.previous, follow::goes_on(&tokenise(question)))
        && let Some(table) = chosen(tables, context).next()
        && let Some(said) =
            restated::product::of_quantity_and_price(question, &tokenise(question), table)
    {
        let alone = Context { previous: None, ..*context };
        let own = self::attempt(&said, tables, &alone);
        if own.plan.status == Status::Ready {
            attempt = own;
        }
    }
    let tokens = tokenise(question);
    if restated::versus::bounds_a_year(&tokens, attempt.plan.query.as_ref())
        || uncounted::of_none(&tokens, attempt.plan.query.as_ref())
    {
        attempt.plan = to_choose(attempt.plan);
    }
    if attempt.plan.status != Status::Ready
        && let Some(both) = restated::versus::of_both_years(&tokens)
            .or_else(|| restated::versus::of_difference(&tokens))
    {
        let other = self::attempt(&both, tables, context);
        let offers = other.plan.status == Status::Readings && attempt.plan.readings.is_empty();
        if other.plan.status == Status::Ready || offers {
            attempt = other;
        }
    }
    let mut latin = chosen(tables, context).filter_map(|t| restated::in_latin(question, t));
    if attempt.plan.status != Status::Ready
        && let (Some((said, sure)), None) = (latin.next(), latin.next())
    {
        let other = plan(&said, tables, context);
        if other.status == Status::Ready {
            return if sure { other } else { to_choose(other) };
        }
    }
    let mut all = chosen(tables, context);
    if let (Some(table), None) = (all.next(), all.next()) {
        if attempt.plan.status != Status::Ready
            && let Some(said) = restated::restated(question, table)
        {
            let other = self::attempt(&said, tables, context);
            if restated::is_better(&other, &attempt, question) {
                attempt = other;
            }
        }
        // `by how much did it grow in 2025` may as well ask how it went within the year
        if attempt.plan.status != Status::Ready
            && table.ohlcv.is_none()
            && let Some(said) = restated::versus::of_the_year_before(question, &tokenise(question))
        {
            let other = self::attempt(&said, tables, context);
            if other.plan.status == Status::Ready {
                attempt = restated::offered(other);
            }
        }
        uncounted::tell(&mut attempt.plan, &tokenise(question), table);
    }
    if attempt.plan.status == Status::Declined && attempt.plan.message.is_none() {
        let suggestions: Vec<String> = chosen(tables, context)
            .next()
            .map(|t| suggest(t, attempt.plan.language))
            .unwrap_or_default();
        // `list all columns`: no query answers that, but it is known
        let names = chosen(tables, context).next().filter(|_| about::asks_columns(question));
        let listed = names.map(|t| language::columns(attempt.plan.language, t, &suggestions));
        attempt.plan.message = Some(listed.unwrap_or_else(|| {
            language::declined(
                attempt.plan.language,
                &attempt.unknown,
                attempt.problem.as_ref().map(|d| d.message.get(attempt.plan.language)),
                &suggestions,
            )
        }));
    }
    attempt.plan
}

/// The language that a question is in; `fallback` where its words tell none.
pub fn language(question: &str, fallback: Locale) -> Locale {
    language::detect(&token::tokenise(question), Some(fallback), &[])
}

/// The tables that can be meant.
fn chosen<'a>(
    tables: &'a [Arc<TableSchema>],
    context: &Context<'a>,
) -> impl Iterator<Item = &'a Arc<TableSchema>> {
    let wanted = context.table;
    tables.iter().filter(move |t| wanted.is_none_or(|name| t.name == name))
}

/// A plan, and what a refusal has to say.
struct Attempt {
    /// A declined plan has no message yet, unless there was nothing to plan.
    plan: Plan,
    /// Words that were not understood.
    unknown: Vec<String>,
    /// Why the nearest query failed the check.
    problem: Option<Diagnostic>,
}

/// A plan of nothing.
fn declined(language: Locale, message: Option<String>) -> Plan {
    Plan {
        status: Status::Declined,
        language,
        query: None,
        explanation: String::new(),
        confidence: 0.0,
        readings: Vec::new(),
        message,
        notes: Vec::new(),
    }
}

fn attempt(question: &str, tables: &[Arc<TableSchema>], context: &Context<'_>) -> Attempt {
    let tokens = tokenise(question);
    let language = language::detect(&tokens, context.locale, tables);
    let mut plan = declined(language, None);
    let words = tokens.iter().filter(|t| t.kind != TokenKind::Symbol).count();
    let no_table = chosen(tables, context).next().is_none();
    if no_table || words == 0 || tokens.len() > LONGEST {
        plan.message = Some(language::nothing(language, no_table, words == 0));
        return Attempt { plan, unknown: Vec::new(), problem: None };
    }
    let none = tokens.iter().find(|t| t.kind == TokenKind::NoDate);
    let none = none.map(|token| language::no_date(language, &token.raw));
    if let Some(message) = none.or_else(|| about::view(&tokens, language)) {
        plan.message = Some(message);
        return Attempt { plan, unknown: Vec::new(), problem: None };
    }
    // of one table: of several the planner cannot tell which is meant
    let mut all = chosen(tables, context);
    if let (Some(table), None) = (all.next(), all.next())
        && context.previous.is_none()
        && about::is_about(&tokens, table)
    {
        plan.message = Some(about::columns(language, table, &suggest(table, language)));
        return Attempt { plan, unknown: Vec::new(), problem: None };
    }
    let mut found = Found { readings: Vec::new(), unknown: None, problems: Vec::new() };
    let slim: Vec<Arc<TableSchema>> = tables.iter().map(|t| Arc::new(without_values(t))).collect();
    for schema in chosen(tables, context) {
        found.read(&tokens, schema, &slim, context, language);
    }
    if found.readings.iter().all(|r| r.reading.confidence < READY) {
        for schema in chosen(tables, context) {
            times::read(&mut found, &tokens, schema, &slim, context, language);
        }
    }
    found.readings.retain(|r| r.reading.confidence >= OFFERED);
    let named = found.readings.iter().map(|r| r.named).max().unwrap_or(0);
    for ranked in found.readings.iter_mut().filter(|r| r.named < named) {
        ranked.rank *= UNNAMED;
    }
    // of `how many rows` the table with the most of them
    let of = |name: &String| tables.iter().find(|t| *name == t.name).map(|t| t.rows);
    let rows = |r: &Ranked| r.reading.query.table.as_ref().and_then(of);
    found.readings.sort_by(|a, b| b.rank.total_cmp(&a.rank).then_with(|| rows(b).cmp(&rows(a))));
    found.readings = one_of_each(found.readings, tables);
    let (unknown, _) = found.unknown.unwrap_or_default();
    let unknown: Vec<String> =
        unknown.iter().filter_map(|&i| tokens.get(i)).map(|t| t.raw.clone()).collect();
    let problem = found.problems.into_iter().next();
    let Some(best) = found.readings.first() else {
        return Attempt { plan, unknown, problem };
    };
    plan.confidence = best.reading.confidence;
    let clear = found.readings.get(1).is_none_or(|r| r.rank <= best.rank * (1.0 - MARGIN));
    if plan.confidence >= READY && clear {
        plan.status = Status::Ready;
        plan.explanation.clone_from(&best.reading.explanation);
        plan.notes.clone_from(&best.reading.notes);
        plan.query = Some(best.reading.query.clone());
    } else {
        let least = plan.confidence * NEAR;
        found.readings.retain(|r| r.reading.confidence >= least);
        found.readings.truncate(MOST_READINGS);
        told_apart(&mut found.readings, &slim, language);
        plan.status = Status::Readings;
        plan.message = Some(language::choose(language, &unknown, found.readings.len()));
        plan.readings = found.readings.into_iter().map(|r| r.reading).collect();
    }
    Attempt { plan, unknown, problem }
}

/// Of readings that give the same rows one, the best first.
fn one_of_each(readings: Vec<Ranked>, tables: &[Arc<TableSchema>]) -> Vec<Ranked> {
    let mut kept: Vec<(String, Ranked)> = Vec::new();
    for ranked in readings {
        let mut query = ranked.reading.query.clone();
        // the only table need not be named
        if let ([only], None) = (tables, &query.table) {
            query.table = Some(only.name.clone());
        }
        let meaning = same::meaning(&query);
        match kept.iter_mut().find(|(seen, _)| *seen == meaning) {
            Some((_, old)) => old.or_else(ranked),
            None => kept.push((meaning, ranked)),
        }
    }
    kept.into_iter().map(|(_, ranked)| ranked).collect()
}

/// Readings that were understood in the same words say what else their queries do.
fn told_apart(readings: &mut [Ranked], tables: &[Arc<TableSchema>], language: Locale) {
    let words: Vec<String> = readings.iter().map(|r| r.reading.explanation.clone()).collect();
    for (Ranked { reading, .. }, own) in readings.iter_mut().zip(&words) {
        let again = words.iter().filter(|other| *other == own).count() > 1;
        if let (true, Ok(checked)) = (again, check(&reading.query, tables)) {
            reading.explanation = explain_query(&checked, language);
        }
    }
}

/// The table without the values of its columns: the check does not read them, and copies columns.
fn without_values(schema: &TableSchema) -> TableSchema {
    let columns = schema.columns.iter().map(|c| Column {
        name: c.name.clone(),
        kind: c.kind,
        unit: c.unit.clone(),
        label: c.label.clone(),
        synonyms: c.synonyms.clone(),
        values: None,
        value_synonyms: Vec::new(),
        nulls: c.nulls,
        signed: c.signed,
        fraction: c.fraction,
    });
    TableSchema {
        name: schema.name.clone(),
        columns: columns.collect(),
        rows: schema.rows,
        time: schema.time.clone(),
        series: schema.series.clone(),
        ohlcv: schema.ohlcv.clone(),
        market: schema.market.clone(),
        resample: schema.resample.clone(),
        interval: schema.interval,
        range: schema.range.clone(),
        timed: schema.timed,
        gaps: schema.gaps.clone(),
        version: schema.version,
        grown_from: schema.grown_from,
        synonyms: schema.synonyms.clone(),
        computed: schema.computed,
    }
}

/// A reading, and how it ranks among others: its confidence, less for every part of its parse, so
/// that of two ways to say the same the one that reads more words together comes first.
struct Ranked {
    reading: Reading,
    rank: f64,
    /// How many words name its table wholly.
    named: usize,
}

impl Ranked {
    /// Two ways to the same rows: as sure as the surer, and as high as the higher of them.
    fn or_else(&mut self, other: Self) {
        self.rank = self.rank.max(other.rank);
        if other.reading.confidence > self.reading.confidence {
            self.reading = other.reading;
        }
    }
}

/// It names a measure, and which rows it is of.
fn says_what_and_which(parse: &Parse) -> bool {
    let measure =
        |i: &Item| matches!(i, Item::Metrics(list) if list.iter().any(|m| m.measure.is_some()));
    parse.items.iter().any(measure) && parse.items.iter().any(|i| matches!(i, Item::Filter(_)))
}

/// The explanation, and which words were taken for the values that have them.
fn with_held(
    explanation: String,
    lattice: &Lattice<'_>,
    filters: &[Cond],
    language: Locale,
) -> String {
    match lattice.held_in(filters, language) {
        Some(told) => format!("{explanation} ({told})"),
        None => explanation,
    }
}

/// Its groups are parts of time.
fn is_by_time(sketch: &Sketch) -> bool {
    sketch.groups.iter().any(|dim| matches!(dim, Dim::Part(_)))
}

/// The table of a query and the column of times that it is by, where the table has several of them
/// and none is its own.
pub(crate) fn time_of(query: &Query, tables: &[Arc<TableSchema>]) -> Option<(String, String)> {
    times::time_of(query, tables)
}

/// It names a measure or the table's rows, and of which rows or groups.
fn says_its_own(parse: &Parse, table: bool) -> bool {
    let about = |i: &Item| match i {
        Item::Metrics(list) => list.iter().any(|m| m.measure.is_some()),
        Item::Entity(Entity::Rows) => true,
        _ => false,
    };
    let part = |i: &Item| match i {
        Item::Filter(cond) => !cond.is_implied(),
        Item::Group(_) | Item::Every(_) | Item::Bars(_) => true,
        // `monthly spending`
        Item::Metrics(list) => list.iter().any(|m| m.every.is_some()),
        _ => false,
    };
    let grouped = |i: &Item| matches!(i, Item::Group(_) | Item::Every(_));
    let items = || parse.items.iter();
    let chosen = |i: &Item| matches!(i, Item::Filter(cond) if !cond.is_implied());
    items().any(about) && items().any(part) || table && items().any(grouped) && items().any(chosen)
}

/// What reading a question over the tables has found so far.
struct Found {
    readings: Vec<Ranked>,
    /// Tokens that the best parse of all did not understand, and its quality.
    unknown: Option<(Vec<usize>, f64)>,
    problems: Vec<Diagnostic>,
}

impl Found {
    fn read(
        &mut self,
        tokens: &[Token],
        schema: &Arc<TableSchema>,
        tables: &[Arc<TableSchema>],
        context: &Context<'_>,
        language: Locale,
    ) {
        let lattice = Lattice::new(schema, tokens);
        let naming = || {
            lattice.matches.iter().enumerate().flat_map(|(at, list)| {
                list.iter().filter(|m| m.tag == Tag::Table).map(move |m| (m.end - at, m.quality))
            })
        };
        // with several tables, one that is not named has to be told from the others by its columns
        let many = tables.len() > 1;
        let unsaid = many && context.table.is_none() && naming().next().is_none();
        let fit = if unsaid { 0.95 } else { 1.0 };
        // `products` are no rows of a table beside one of that name, where no column is called so
        let foreign = many && context.table.is_none() && elsewhere::is_named(&lattice, tables);
        let fit = if foreign { fit * STRANGE } else { fit };
        // `receipts` is the name of one table, and a part of that of `receipt_items`
        let whole = naming().filter(|(_, quality)| *quality >= BY_DICTIONARY);
        let named = whole.map(|(length, _)| length).max().unwrap_or(0);
        let parses = lattice.parses();
        let money = signed::money(&lattice);
        let measures = assemble::Table::new(schema);
        if let Some(best) = parses.first()
            && self.unknown.as_ref().is_none_or(|(_, q)| best.quality > *q)
        {
            let unknown = best
                .items
                .iter()
                .filter_map(|i| match i {
                    Item::Unknown(token) => Some(*token),
                    _ => None,
                })
                .filter(|&t| tokens.get(t).is_some_and(talked::is_telling))
                .collect();
            self.unknown = Some((unknown, best.quality));
        }
        let goes_on = context.previous.is_some() && follow::goes_on(tokens);
        // `and the median?` is about the table that was asked about
        let before = context.previous.and_then(|query| query.table.as_deref());
        let elsewhere = goes_on && named == 0 && before.is_some_and(|name| name != schema.name);
        let fit = if elsewhere { fit * STRANGE } else { fit };
        let all: Vec<_> = parses.iter().map(|p| assemble::sketches(p, &measures)).collect();
        let ready = |parse: &Parse, sketches: &[Sketch]| {
            sketches.iter().any(|s| parse.quality * s.quality >= READY)
        };
        let of_all_time = follow::of_all_time(tokens);
        let asked = follow::is_asked(tokens);
        // `volatility by year` of bars: of what they return, whatever was asked before
        let volatile = schema.ohlcv.is_some()
            && tokens
                .iter()
                .any(|t| ["volatil", "волатил"].iter().any(|v| t.folded.starts_with(v)));
        // a question that says what it is about, or all of the time, is none that goes on
        let says = |(parse, sketches): (&Parse, &Vec<Sketch>)| {
            let own =
                follow::has_subject(parse, tokens) || follow::counts_rows(parse, tokens, schema);
            (of_all_time || own) && ready(parse, sketches)
        };
        let own = !goes_on
            && (volatile || follow::by_how_much(tokens) || parses.iter().zip(&all).any(says));
        let (in_total, of_them) = (follow::in_total(tokens), follow::of_them(tokens));
        let on_another = follow::on_another(tokens);
        let said = follow::Said { goes_on, of_all_time, in_total, of_them, on_another };
        let leans = goes_on || whole::points_back(tokens);
        let times =
            |i: &Item| matches!(i, Item::Count(Target::Entity(Entity::Times)) | Item::Often(_));
        let visited = tokens.iter().any(|t| VISITS.iter().any(|v| t.folded.starts_with(v)));
        let mut second = Vec::new();
        for (parse, sketches) in parses.iter().zip(all) {
            // what happened so many times has a time
            let happened = visited || parse.items.iter().any(times);
            let untimed = many && schema.time.is_none() && happened;
            let fit = if untimed { fit * UNTIMED } else { fit };
            let elliptic = context.previous.is_some() && follow::is_elliptic(parse, tokens);
            // a whole question stands alone, unless it begins as one that goes on
            let whole = own || !goes_on && !elliptic && ready(parse, &sketches);
            let before = context.previous.filter(|_| !whole);
            let changed = before.and_then(|p| follow::follow(parse, p, schema, said));
            let changed = changed.zip(before).map(|(query, before)| {
                let query = signed::turned(query, tokens, schema);
                let query = signed::of_another(query, before, schema);
                moves::other_end(query, before, schema)
            });
            // `patients by ward` after an average by ward counts them: it changes nothing of that
            let named_again = !goes_on && naming().any(|(_, q)| q >= lattice::IMPLIED);
            let changed = changed.filter(|q| !(named_again && Some(q) == context.previous));
            let mut follows = false;
            if let Some(query) = changed {
                let values = |i: &&Item| matches!(i, Item::Filter(Cond::Values { .. }));
                let several = parse.items.iter().filter(values).count() > 1;
                let whole =
                    !goes_on && asked && (named > 0 || several || says_what_and_which(parse));
                // a word of another matter makes it doubtful that the one before goes on
                let strange = !goes_on && parse.items.iter().any(|i| matches!(i, Item::Unknown(_)));
                let fit = fit * if strange { STRANGE } else { 1.0 };
                let by_itself = !leans && says_its_own(parse, named > 0);
                let fit = fit * follow::CHANGED * if whole { WHOLE } else { 1.0 };
                if let Ok(checked) = check(&query, tables) {
                    follows = !by_itself;
                    let explanation = explain::of_query(&checked, many, language)
                        .unwrap_or_else(|| explain_query(&checked, language));
                    let filters: Vec<Cond> = parse.filters().cloned().collect();
                    let explanation = with_held(explanation, &lattice, &filters, language);
                    let notes = language::goes_on();
                    let confidence = parse.quality * fit;
                    let reading = Reading { query, explanation, confidence, notes };
                    let ranked = Ranked { reading, rank: parse.rank * fit, named };
                    if by_itself {
                        second.push(ranked);
                    } else {
                        self.add(ranked, tables);
                    }
                }
            }
            for sketch in sketches {
                let sketch = signed::narrowed(sketch, tokens, &money, schema);
                let sketch = signed::sold(sketch, &lattice, &measures);
                let sketch = which::of_a_number(sketch, &lattice);
                let sketch = times::by_one_part(sketch, tokens, schema);
                let sketch = times::of_each_year(sketch, tokens, schema);
                let sketch = times::until(sketch, tokens, schema);
                if follows && (goes_on || elliptic || sketch.quality < READY) {
                    // a part of a question goes with the one before it
                    continue;
                }
                // a condition that the query before has no place for is no list of its own
                // nor is a question of its own that drops what the query before was narrowed to
                let narrowed =
                    context.previous.is_some_and(|p| p.filter.is_some() || p.period.is_some());
                let lost =
                    goes_on && (sketch.is_listing() || (narrowed && sketch.filters.is_empty()));
                let fit = fit * sketch.quality * if lost { NO_PLACE } else { 1.0 };
                let confidence = parse.quality * fit;
                if confidence < OFFERED {
                    continue;
                }
                if let Some(mut query) = build::build(&sketch, schema, many) {
                    let sides = signed::both_sides(&mut query, &sketch, tokens, schema);
                    let years = is_by_time(&sketch)
                        && check(&query, tables).is_ok_and(|q| years_together(&q));
                    let explanation = explain::explain(&sketch, schema, many, years, language);
                    let explanation =
                        if sides { signed::in_words(&explanation, language) } else { explanation };
                    let explanation = if moves::by_size(&mut query, tokens, schema) {
                        moves::in_words(&explanation, language)
                    } else {
                        explanation
                    };
                    let explanation = with_held(explanation, &lattice, &sketch.filters, language);
                    let reading = Reading { query, explanation, confidence, notes: Vec::new() };
                    self.add(Ranked { reading, rank: parse.rank * fit, named }, tables);
                }
            }
        }
        self.add_behind(second, tables);
    }

    /// Adds changes of the query before behind what the question says by itself.
    fn add_behind(&mut self, changes: Vec<Ranked>, tables: &[Arc<TableSchema>]) {
        let best = self.readings.iter().max_by(|a, b| a.rank.total_cmp(&b.rank));
        let own = best.map(|r| (r.reading.confidence * OWN, r.rank * OWN));
        for mut change in changes {
            if let Some((confidence, rank)) = own {
                change.reading.confidence = change.reading.confidence.min(confidence);
                change.rank = change.rank.min(rank);
            }
            self.add(change, tables);
        }
    }

    /// Keeps a query that passes the check, once, as it ranks best.
    fn add(&mut self, new: Ranked, tables: &[Arc<TableSchema>]) {
        if new.reading.query.filter.as_deref().is_some_and(follow::is_met_by_none) {
            return;
        }
        if let Some(old) = self.readings.iter_mut().find(|r| r.reading.query == new.reading.query) {
            old.or_else(new);
            return;
        }
        match check(&new.reading.query, tables) {
            Ok(_) => self.readings.push(new),
            Err(problems) => self.problems.extend(problems),
        }
    }
}
