//! Questions that a query answers by what they ask of any table, whatever its columns mean: which dates
//! it covers, where cells are empty, how many rows are of the one kind and how many of the other. Every
//! word of such a question has to be known; one that names something else is left to the grammar.

mod against;
mod among;
mod apart;
mod both;
mod busiest;
mod but_year;
mod clock;
mod covers;
mod drawdown;
mod each;
mod first_time;
mod groups;
mod mail;
mod missing;
mod moment;
mod named;
mod pace;
mod place;
mod quotient;
mod ratio;
mod running;
mod same_period;
mod scatter;
mod so_many;
mod sorted;
mod spread;
mod there;
mod those;
mod times_as;
mod weekends;

pub(super) use same_period::is_said as same_period_is_said;

use super::dictionary::same_noun;
use super::explain;
use super::stem::{is_cyrillic, parts, stem};
use super::token::{Token, TokenKind, tokenise};
use super::{Context, Plan, Status, chosen, explain_query, language};
use crate::error::{Locale, Text};
use crate::query::{Query, check};
use crate::schema::TableSchema;
use std::ops::Range;
use std::sync::Arc;

/// How sure such a reading is.
const SURE: f64 = 0.9;

/// A question and the one table that it can be about.
struct Asked<'a> {
    tokens: &'a [Token],
    table: &'a TableSchema,
    previous: Option<&'a Query>,
    tables: &'a [Arc<TableSchema>],
    context: &'a Context<'a>,
}

/// What such a question is answered by.
enum Made {
    /// A query, and how the question was understood.
    Query(Query, Text),
    /// One that may be meant.
    Offered(Query, Text),
    /// Each of them may be meant.
    Several(Vec<(Query, Text)>),
    /// What no query says, in words.
    Told(Text),
}

impl Made {
    fn offered(self) -> Self {
        match self {
            Self::Query(query, said) => Self::Offered(query, said),
            other => other,
        }
    }
}

/// The plan of a question of this kind over the only table that can be meant.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let pointed = there::read(question, tables, context);
    let plan = pointed
        .or_else(|| but_year::read(question, tables, context))
        .or_else(|| first_time::read(question, tables, context))
        .or_else(|| sorted::read(question, tables, context))
        .or_else(|| scatter::read(question, tables, context));
    if plan.is_some() {
        return plan;
    }
    let tokens = tokenise(question);
    let language = language::detect(&tokens, context.locale, tables);
    let plan = |(mut query, said): (Query, Text)| {
        if tables.len() > 1 {
            let own = chosen(tables, context).next()?;
            query.table.get_or_insert_with(|| own.name.clone());
        }
        check(&query, tables).ok()?;
        Some(Plan {
            status: Status::Ready,
            language,
            query: Some(query),
            explanation: said.get(language).to_owned(),
            confidence: SURE,
            readings: Vec::new(),
            message: None,
            notes: Vec::new(),
        })
    };
    let several = || chosen(tables, context).nth(1).is_some();
    if let Some(made) = each::lines_of_each(&tokens, tables).filter(|_| several()) {
        return plan(made);
    }
    let mut all = chosen(tables, context);
    let asked =
        |table| Asked { tokens: &tokens, table, previous: context.previous, tables, context };
    let made = match (all.next(), all.next()) {
        (Some(table), None) => asked(table).made(question),
        (Some(_), Some(_)) => {
            let before = context.previous.and_then(|query| query.table.as_deref())?;
            asked(tables.iter().find(|table| table.name == before)?).those()
        }
        _ => None,
    };
    match made? {
        Made::Query(query, said) => plan((query, said)),
        Made::Offered(query, said) => plan((query, said)).map(super::to_choose),
        Made::Several(all) => super::restated::one_of(all.into_iter().filter_map(plan)),
        Made::Told(said) => Some(super::declined(language, Some(said.get(language).to_owned()))),
    }
}

/// The plan of a query that a question comes to, explained as any other.
fn ready(
    query: Query,
    language: Locale,
    notes: Vec<Text>,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let checked = check(&query, tables).ok()?;
    let many = chosen(tables, context).nth(1).is_some();
    let explanation = explain::of_query(&checked, many, language)
        .unwrap_or_else(|| explain_query(&checked, language));
    Some(Plan {
        status: Status::Ready,
        language,
        query: Some(query),
        explanation,
        confidence: SURE,
        readings: Vec::new(),
        message: None,
        notes,
    })
}

/// The question without the tokens of a range.
fn cut(question: &str, tokens: &[Token], range: &Range<usize>) -> String {
    let words = |part: Option<&[Token]>| {
        let part = part.unwrap_or_default();
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return String::new() };
        question.get(first.span.start..last.span.end).unwrap_or_default().to_owned()
    };
    let said = format!("{} {}", words(tokens.get(..range.start)), words(tokens.get(range.end..)));
    said.trim_matches(|c: char| c.is_whitespace() || c == ',' || c == '?').to_owned()
}

impl Asked<'_> {
    /// What the question is answered by, if it is one of these.
    fn made(&self, question: &str) -> Option<Made> {
        self.those()
            .or_else(|| self.place())
            .or_else(|| self.so_many())
            .or_else(|| self.mean_per())
            .or_else(|| self.each_makes())
            .or_else(|| self.days_without())
            .or_else(|| self.moment())
            .or_else(|| self.covers())
            .or_else(|| self.rows_missing())
            .or_else(|| self.missing())
            .or_else(|| self.both())
            .or_else(|| self.weekends())
            .or_else(|| self.same_period())
            .or_else(|| self.against())
            .or_else(|| self.another_month())
            .or_else(|| self.also_by())
            .or_else(|| self.count_and_money())
            .or_else(|| self.difference())
            .or_else(|| self.how_much_more())
            .or_else(|| self.times_as())
            .or_else(|| self.is_higher())
            .or_else(|| self.weekdays_compared())
            .or_else(|| self.compared())
            .or_else(|| self.all_compared())
            .or_else(|| self.biggest())
            .or_else(|| self.years_of_bars())
            .or_else(|| self.drawdown())
            .or_else(|| self.whole_change())
            .or_else(|| self.closes())
            .or_else(|| self.quotient())
            .or_else(|| self.time_of_day())
            .or_else(|| self.among())
            .or_else(|| self.ratio())
            .or_else(|| self.pace())
            .or_else(|| self.each())
            .or_else(|| self.named(question))
            .or_else(|| self.busiest())
            .or_else(|| self.running_total())
            .or_else(|| self.grown())
            .or_else(|| self.spread())
            .or_else(|| self.by_address(question))
            .or_else(|| self.revenue())
    }

    /// A word by its stem is for the table's rows, or for what is done in them.
    fn is_of_rows(&self, said: &str) -> bool {
        let of = |part: &String| {
            let part = stem(part);
            part == said || same_noun(&part, said)
        };
        parts(&self.table.name).iter().chain(&self.table.synonyms).any(of)
            || one_of("row record строк запис", said)
    }

    /// A query in the words of both languages.
    fn told(&self, query: &Query) -> Option<Text> {
        let checked = check(query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        Some(Text { en: en?, ru: ru? })
    }

    /// Its words, without signs; `None` where it has anything else in it.
    fn words(&self) -> Option<Vec<&str>> {
        let said = self.tokens.iter().filter(|t| t.kind != TokenKind::Symbol);
        said.map(|t| (t.kind == TokenKind::Word).then_some(t.folded.as_str())).collect()
    }

    fn is_russian(&self) -> bool {
        self.tokens.iter().any(|t| t.folded.chars().any(is_cyrillic))
    }

    /// The query of a question in other words, asked for itself, where it is understood beyond doubt.
    fn ready(&self, question: &str) -> Option<Query> {
        let alone = Context { previous: None, ..*self.context };
        let planned = |question: &str| {
            let plan = super::attempt(question, self.tables, &alone).plan;
            plan.query.filter(|_| plan.status == Status::Ready)
        };
        let restated = || planned(&super::restated::restated(question, self.table)?);
        planned(question).or_else(restated)
    }

    /// The question before was about a part of the rows, which a question without a word for the whole
    /// may go on from.
    fn leans(&self) -> bool {
        self.previous.is_some_and(|query| {
            query.filter.is_some() || query.period.is_some() || !query.steps.is_empty()
        })
    }
}

/// One of the words that are listed in a text.
fn one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// A word begins so.
fn begins(list: &[&str], word: &str) -> bool {
    list.iter().any(|begin| word.starts_with(begin))
}

/// Words for the whole table.
const WHOLE: &str = "data dataset table file data-set records данные данных данными таблица таблице \
                     таблицы таблицу файл файле файла выгрузка выгрузке набор";
