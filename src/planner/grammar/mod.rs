//! A typed grammar over a tagged question. Every production gives all the ways it can read the
//! tokens from a place on, each with a quality; the best ways through the whole question are kept.

mod abreast;
mod after;
mod asked;
mod asking;
mod beam;
mod bound;
mod chosen;
mod condition;
mod cross;
mod dates;
mod flow;
mod measure;
mod moment;
mod moved;
mod nothing;
mod number;
mod operand;
mod pattern;
mod phrase;
mod phrasing;
mod rank;
mod rows;
mod sized;
mod sold;
mod span;
mod value;
mod verb;
mod years;

pub(super) use abreast::whole_part;
pub(super) use number::{Quantity, unit_fits};
pub(super) use pattern::of_part;
pub(super) use span::period_text;
pub(super) use years::year_column;

use super::dictionary::same_noun;
use super::lattice::{BY_DICTIONARY, Lattice, Match, Tag};
use super::sketch::{Cond, Dim, Entity, Item, Measure};
use super::stem::{parts, stem};
use super::token::TokenKind;
use super::words::{Agg, Concept, Derived, Part};
use crate::schema::{DAY, Kind, TableSchema};

/// One way to read some tokens: what they say, one past the last of them, how surely.
pub(super) type Way<T> = (T, usize, f64);

/// One way to read the whole question.
#[derive(Debug, Clone)]
pub(super) struct Parse {
    /// Its parts in order, without noise.
    pub items: Vec<Item>,
    /// Product of the qualities of its parts, up to 1.
    pub quality: f64,
    /// Ranks parses: quality, less a little for every part.
    pub rank: f64,
    /// The question says `each`: of so many, so many of each group.
    pub of_each: bool,
}

impl Parse {
    /// Its conditions.
    pub fn filters(&self) -> impl Iterator<Item = &Cond> {
        self.items.iter().filter_map(|item| match item {
            Item::Filter(cond) => Some(cond),
            _ => None,
        })
    }
}

/// What is left of the confidence for every word that is not understood.
const UNKNOWN_WORD: f64 = 0.55;
/// The same where it is said again in brackets.
const GLOSSED: f64 = 0.97;
/// The same for a number, a date or a quoted value: a filter that would be dropped.
const UNKNOWN_VALUE: f64 = 0.3;
/// Light verbs that each may have a date of its own, by how they begin.
const EVENTS: [&str; 41] = [
    "arriv",
    "borrow",
    "signed",
    "rented",
    "treated",
    "issued",
    "submitted",
    "booked",
    "handled",
    "receive",
    "perform",
    "complete",
    "conduct",
    "collect",
    "produce",
    "attend",
    "visited",
    "published",
    "posted",
    "released",
    "came",
    "опубликов",
    "размещ",
    "размест",
    "выпу",
    "вышедш",
    "снят",
    "оформ",
    "выдан",
    "выдал",
    "выполн",
    "получ",
    "пров",
    "обслуж",
    "обработ",
    "filed",
    "lodged",
    "created",
    "подал",
    "подан",
    "присл",
];
/// Light verbs that before the rows say which of them are meant.
const ADJECTIVES: [&str; 11] = [
    "used",
    "issued",
    "submitted",
    "booked",
    "handled",
    "collected",
    "received",
    "produced",
    "given",
    "performed",
    "conducted",
];
/// Fewer parts are better, other things being equal.
const PER_ITEM: f64 = 0.9;

impl Lattice<'_> {
    /// The best ways to read the whole question, best first.
    pub fn parses(&self) -> Vec<Parse> {
        let of_each = (0..self.tokens.len()).any(|at| self.says_of_each(at));
        let mut parses = beam::parses(self.tokens.len(), |at| self.items(at));
        for parse in &mut parses {
            parse.of_each = of_each;
        }
        parses
    }

    /// Everything that could be read from token `at` on.
    fn items(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways: Vec<Way<Item>> = Vec::new();
        ways.extend(self.noise(at).into_iter().map(|(end, q)| (Item::Noise, end, q)));
        // `сколько длится` asks for the length of one, not of all
        let long = ["длит", "длят", "длил"].iter().any(|verb| self.word(at + 1).starts_with(verb));
        let doubt = if long && self.word(at) == "сколько" { 0.7 } else { 1.0 };
        ways.extend(self.metrics(at).into_iter().map(|(m, e, q)| (Item::Metrics(m), e, q * doubt)));
        ways.extend(self.counts(at));
        ways.extend(self.groupings(at));
        ways.extend(self.ranks(at));
        ways.extend(self.sells_most(at));
        ways.extend(self.filters(at).into_iter().map(|(c, e, q)| (Item::Filter(c), e, q)));
        ways.extend(
            self.entities(at)
                .into_iter()
                .filter(|&(_, end, _)| !(self.names_dim(at, end) && self.wants_dim(at)))
                .map(|(x, e, q)| {
                    // a word for a column of names as well: `top 10 products`
                    let free = self.column_ways(at).any(|(place, end, _)| {
                        let column = self.schema.columns.get(place);
                        end == e
                            && !self.is_of_rows(place, at, e)
                            && column.is_some_and(|c| c.kind == Kind::Text && c.values.is_none())
                    });
                    // `who borrowed the most`: one of the people, not a row
                    let who = x == Entity::Rows && (self.who_of_order(at) || self.asks_who(at));
                    let q = if self.is_before_rows(at, e) { q * 0.7 } else { q };
                    (Item::Entity(x), e, if free || who { q * 0.7 } else { q })
                }),
        );
        ways.extend(self.dims(at).into_iter().map(|(d, e, q)| {
            // `dairy products`: a word for the rows as well
            let rows = self.at(at).iter().any(|m| m.tag == Tag::Table && m.end == e);
            let named = matches!(d, Dim::Column(c) if self.is_of_rows(c, at, e));
            let sure = match (named, rows) {
                (true, _) => 0.4,
                (_, true) => 0.9,
                _ => 1.0,
            };
            (Item::Dim(d), e, q * sure)
        }));
        ways.extend(self.shares(at));
        ways.extend(self.chances(at));
        ways.extend(self.the_more(at));
        ways.extend(self.bar_extremes(at));
        ways.extend(self.shares_of_whole(at));
        ways.extend(self.shares_in(at));
        ways.extend(self.longest_streaks(at));
        ways.extend(self.lengths(at));
        ways.extend(self.sessions(at));
        ways.extend(self.changes(at));
        ways.extend(self.havings(at));
        ways.extend(self.apart(at));
        ways.extend(self.spreads(at));
        ways.extend(self.distributions(at));
        ways.extend(self.ordered_by(at));
        ways.extend(self.orders(at));
        ways.extend(self.many_of(at));
        ways.extend(self.places(at));
        ways.extend(self.people(at));
        ways.extend(self.places_asked(at));
        ways.extend(self.values_listed(at));
        ways.extend(self.shown_columns(at));
        ways.extend(self.lone_words(at));
        ways.extend(self.phrasings(at));
        ways.extend(self.abreast(at));
        ways.extend(self.change_of_two(at));
        ways.extend(self.moments_asked(at));
        ways.extend(self.at_an_end(at));
        ways.extend(self.of_account(at));
        ways.extend(self.over_time(at));
        let lost = match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Word) if self.is_glossed(at) => GLOSSED,
            Some(TokenKind::Word) if !self.is_value(at) => UNKNOWN_WORD,
            Some(TokenKind::Symbol) => 0.8,
            _ => UNKNOWN_VALUE,
        };
        ways.push((Item::Unknown(at), at + 1, lost));
        ways
    }

    pub(super) fn is_value_at(&self, at: usize) -> bool {
        self.is_value(at)
    }

    fn is_value(&self, at: usize) -> bool {
        self.at(at).iter().any(|m| matches!(m.tag, Tag::Value(..) | Tag::Held(..)))
    }

    /// Phrases at `at`: what each stands for, and its end.
    pub(super) fn concepts(&self, at: usize) -> impl Iterator<Item = (Concept, usize)> + '_ {
        self.at(at).iter().filter_map(|m| match m.tag {
            Tag::Concept(concept) => Some((concept, m.end)),
            _ => None,
        })
    }

    /// The ends of phrases at `at` that stand for something `wanted` accepts, with what it gives.
    pub(super) fn find<T>(
        &self,
        at: usize,
        wanted: impl Fn(Concept) -> Option<T>,
    ) -> Vec<(T, usize)> {
        self.concepts(at).filter_map(|(c, end)| wanted(c).map(|t| (t, end))).collect()
    }

    /// The furthest end of a phrase at `at` that stands for `concept`; light verbs are passed over
    /// as words without a meaning are.
    pub(super) fn take(&self, at: usize, concept: Concept) -> Option<usize> {
        let light = concept == Concept::Stop;
        self.concepts(at)
            .filter(|&(c, end)| {
                c == concept || (light && c == Concept::Light && !self.is_said(at, end))
            })
            .map(|(_, end)| end)
            .max()
    }

    /// Words from `at` to `end` name something of the table, may tell which of its dates is meant
    /// (`orders submitted in March`) or which of its rows (`used cars`).
    fn is_said(&self, at: usize, end: usize) -> bool {
        let named = |m: &Match| match m.tag {
            Tag::Value(..) => true,
            Tag::Column(column) => match self.kind(column) {
                Some(Kind::Bool) => true,
                Some(Kind::Date | Kind::Timestamp) => !self.is_time_column(column),
                _ => m.quality >= BY_DICTIONARY,
            },
            _ => false,
        };
        (at..end).any(|i| self.at(i).iter().any(named) || (self.many_dates && self.is_event(i)))
            || (end > 0
                && ADJECTIVES.contains(&self.word(end - 1))
                && self.entities(end).iter().any(|(entity, ..)| *entity == Entity::Rows))
    }

    /// A value or a flag of the table is called by one of the words from `at` to `end`.
    fn is_value_or_flag(&self, at: usize, end: usize) -> bool {
        let named = |m: &Match| match m.tag {
            Tag::Value(..) => true,
            Tag::Column(column) => m.quality >= 1.0 && self.kind(column) == Some(Kind::Bool),
            _ => false,
        };
        (at..end).any(|i| self.at(i).iter().any(named))
    }

    fn is_event(&self, at: usize) -> bool {
        EVENTS.iter().any(|verb| self.word(at).starts_with(verb))
    }

    /// Passes over words that bind and mean nothing (`of the`, `чем на`).
    pub(super) fn glue(&self, mut at: usize) -> usize {
        for _ in 0..4 {
            match self.take(at, Concept::Glue) {
                Some(end) => at = end,
                None => break,
            }
        }
        at
    }

    fn column_ways(&self, at: usize) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.at(at).iter().filter_map(|m| match m.tag {
            Tag::Column(column) => Some((column, m.end, m.quality)),
            _ => None,
        })
    }

    fn kind(&self, column: usize) -> Option<Kind> {
        self.schema.columns.get(column).map(|c| c.kind)
    }

    /// Something that sorts rows into groups.
    pub(super) fn dims(&self, at: usize) -> Vec<Way<Dim>> {
        let mut ways: Vec<Way<Dim>> = Vec::new();
        // `when do I shop most often` names no shop
        let done = ["i", "we", "they", "you"].contains(&self.word(at.wrapping_sub(1)))
            && self.word(at) == "shop";
        for (column, end, quality) in self.column_ways(at).filter(|_| !done) {
            let fit = match self.kind(column) {
                Some(Kind::Text | Kind::Bool) => 1.0,
                Some(Kind::Date) => 0.95,
                Some(Kind::Int) => 0.85,
                Some(Kind::Float | Kind::Decimal(_) | Kind::Timestamp) => 0.5,
                // nothing groups by lists
                Some(Kind::List(_)) | None => continue,
            };
            ways.push((Dim::Column(column), end, quality * fit));
        }
        ways.extend(self.part_of_date(at));
        if self.time_column().is_some() {
            // `by order date month`
            for (_, end, quality) in self.column_ways(at).filter(|w| self.is_time_column(w.0)) {
                if let Some((part, end)) = self.part(self.glue(end)) {
                    ways.push((Dim::Part(part), end, quality));
                }
            }
            for (part, end) in self.find(at, |c| match c {
                Concept::Part(part) => Some(part),
                _ => None,
            }) {
                // weeks of bars are bars of that length as a rule
                let week = part == Part::Week && self.schema.ohlcv.is_some();
                ways.push((Dim::Part(part), end, if week { 0.9 } else { 1.0 }));
            }
        }
        ways
    }

    /// The column whose parts are meant when none is named: the table's own, or its only one.
    pub(super) fn time_column(&self) -> Option<&str> {
        time_column(self.schema)
    }

    /// Rows or days.
    pub(super) fn entities(&self, at: usize) -> Vec<Way<Entity>> {
        let mut ways: Vec<Way<Entity>> = Vec::new();
        // `поступивших` of admissions
        let one_of = ["вших", "вшие", "нных", "нные"].iter().any(|e| self.word(at).ends_with(e));
        if one_of && self.is_own_verb(at) {
            ways.push((Entity::Rows, at + 1, 0.93));
        }
        for m in self.at(at) {
            let entity = match m.tag {
                Tag::Table if self.is_grouped_by(at, m.end) => continue,
                Tag::Table | Tag::Concept(Concept::Rows | Concept::Bars) => Entity::Rows,
                Tag::Concept(Concept::People) if self.of_people() => Entity::Rows,
                Tag::Concept(Concept::Times) => Entity::Times,
                // `how many sessions closed green`
                Tag::Concept(Concept::SessionWord)
                    if ["sessions", "сессий"].contains(&self.word(at)) =>
                {
                    Entity::Days
                }
                Tag::Concept(Concept::Part(Part::Day)) if self.time_column().is_some() => {
                    Entity::Days
                }
                // hours of hourly bars are rows
                Tag::Concept(Concept::Part(Part::Hour))
                    if self.schema.ohlcv.is_some() && self.schema.interval == Some(3600) =>
                {
                    let Some(frame) = of_part(Part::Hour) else { continue };
                    ways.push((Entity::Frames(frame), m.end, m.quality * 0.99));
                    continue;
                }
                // minutes of minute bars are rows
                Tag::Concept(Concept::Minutes)
                    if self.schema.ohlcv.is_some() && self.schema.interval == Some(60) =>
                {
                    ways.push((Entity::Rows, m.end, m.quality * 0.97));
                    continue;
                }
                // weeks of bars are rows, as days are
                Tag::Concept(Concept::Part(part @ (Part::Week | Part::Month | Part::Year)))
                    if self.schema.ohlcv.is_some() && self.schema.time.is_some() =>
                {
                    let Some(frame) = of_part(part) else { continue };
                    ways.push((Entity::Frames(frame), m.end, m.quality * 0.97));
                    continue;
                }
                _ => continue,
            };
            // `three funds` are series of the table, not rows, though it is called so
            let series = m.tag == Tag::Table
                && self.column_ways(at).any(|(column, end, q)| {
                    end == m.end && q >= BY_DICTIONARY && self.is_series(column)
                });
            let spent = m.tag == Tag::Table && self.is_spending(at);
            let quality = if series { m.quality * 0.85 } else { m.quality };
            ways.push((entity, m.end, if spent { quality * 0.8 } else { quality }));
        }
        ways
    }

    /// The data have dates of the year.
    pub(super) fn in_data(&self, year: i64) -> bool {
        let of = |day: i32| {
            let date = crate::value::Value::Date(day).date();
            date.map(|d| i64::from(chrono::Datelike::year(&d)))
        };
        self.schema.dates().is_some_and(|(first, last)| {
            of(first).is_some_and(|y| y <= year) && of(last).is_some_and(|y| year <= y)
        })
    }

    /// Rows are people: they have an age or a sex.
    fn of_people(&self) -> bool {
        self.schema.columns.iter().any(|c| {
            std::iter::once(&c.name).chain(&c.synonyms).flat_map(|name| parts(name)).any(|part| {
                ["age", "sex", "salary"].iter().any(|n| same_noun(&stem(&part), &stem(n)))
            })
        })
    }

    /// `of each studio` stands at `at`, or `with the highest score of each studio`.
    fn is_one_of_each(&self, at: usize) -> bool {
        self.take(at, Concept::Each).is_some() && self.has_order()
            || ["with", "с", "со"].contains(&self.word(at))
                && self.has_order()
                && (at..self.tokens.len()).any(|i| self.take(i, Concept::Each).is_some())
    }

    /// Words that say nothing here.
    fn noise(&self, at: usize) -> Vec<(usize, f64)> {
        let mut ways = Vec::new();
        for m in self.at(at) {
            match m.tag {
                // `с` of `с июня 2023` opens a period
                Tag::Concept(Concept::Stop) if self.opens_dates(at) => ways.push((m.end, 0.85)),
                // `с января`: from then on, not that month alone
                Tag::Concept(Concept::Stop) if self.opens_months(at) => ways.push((m.end, 0.6)),
                // `with and without a balcony` are told apart
                Tag::Concept(Concept::Stop) if self.is_either(at) => ways.push((m.end, 0.6)),
                // `where do we spend the most` asks for a place
                Tag::Concept(Concept::Stop) if self.asks_place(at) || self.asks_who(at) => {
                    ways.push((m.end, 0.7));
                }
                // `this hour`: not all of them
                Tag::Concept(Concept::Stop) if self.names_this(at) => ways.push((m.end, 0.6)),
                Tag::Concept(Concept::Stop) if self.is_event(at) && self.is_said(at, m.end) => {
                    ways.push((m.end, 0.6));
                }
                // `still open` names a value, `still employed` what the table does not say
                Tag::Concept(Concept::Stop)
                    if self.word(at) == "still"
                        && !self.at(m.end).iter().any(|state| match state.tag {
                            Tag::Value(..) => true,
                            Tag::Column(column) => self.kind(column) == Some(Kind::Bool),
                            _ => false,
                        }) => {}
                // `existing customers`, `made shots`: a value or a flag that is a common word
                Tag::Concept(Concept::Stop) if self.is_value_or_flag(at, m.end) => {
                    ways.push((m.end, 0.6));
                }
                Tag::Concept(Concept::Tie) if self.ties(m.end) => ways.push((m.end, 1.0)),
                // `сколько зрителей ушло с сеанса`
                Tag::Concept(Concept::Light)
                    if ["ушл", "уход"].iter().any(|verb| self.word(at).starts_with(verb))
                        && ["с", "со", "из", "от"].contains(&self.word(m.end)) => {}
                // `what happens after a fall`: what of it is not said
                Tag::Concept(Concept::Light) if self.is_unsaid_event(at) => {
                    ways.push((m.end, 0.6));
                }
                Tag::Concept(Concept::Light) => {
                    let said = self.is_said(at, m.end)
                        || (self.brought(at).is_some() && self.of_money().len() == 1);
                    ways.push((m.end, if said { 0.6 } else { 1.0 }));
                }
                Tag::Concept(
                    Concept::Stop
                    | Concept::Glue
                    | Concept::And
                    | Concept::Market
                    | Concept::SessionWord,
                ) => {
                    ways.push((m.end, 1.0));
                }
                // `какое животное весит больше всех` asks for one of them
                Tag::Table
                    if self.has_order()
                        && self.concepts_before(at).any(|(_, c)| c == Concept::Which) => {}
                // `the film with the highest score of each studio` is one
                Tag::Table if self.is_one_of_each(m.end) => {}
                // the `longest ride` is one
                Tag::Table
                    if self
                        .concepts_before(at)
                        .any(|(_, c)| matches!(c, Concept::Superlative(..) | Concept::Best(_))) => {
                }
                Tag::Table if self.is_before_rows(at, m.end) => ways.push((m.end, 0.7)),
                // `film with the smallest budget`, `the lowest budget film`: one of them
                Tag::Table if self.heads_order(at, m.end) || self.is_most_by(at, m.end) => {
                    ways.push((m.end, 0.7));
                }
                // `by sensor` in a table of sensors: the column with their numbers
                Tag::Table if self.is_grouped_by(at, m.end) => {}
                // `total amount of shops`; a bare `product` is what is asked for
                Tag::Table
                    if !self.names_dim(at, m.end)
                        || (!self.wants_dim(at)
                            && self.concepts_before(at).any(|(_, c)| {
                                matches!(c, Concept::Glue | Concept::Stop | Concept::Light)
                            })) =>
                {
                    ways.push((m.end, 0.99));
                }
                // `people hired each year`; not all of them `left`
                Tag::Column(column)
                    if self.is_time_column(column)
                        && (self.is_full(column) || self.of_times())
                        && !self.concepts_before(at).any(|(_, c)| c == Concept::Which)
                        && !self.concepts(at).any(|(c, _)| {
                            matches!(c, Concept::Part(_) | Concept::PerPart(_) | Concept::Every(_))
                        }) =>
                {
                    ways.push((m.end, 0.93));
                }
                _ => {}
            }
        }
        // `over 2022`: a year of the data rather than a bound
        if self.word(at) == "over"
            && let Some((year, _)) = self.year(at + 1)
            && self.in_data(year)
        {
            ways.push((at + 1, 0.9));
        }
        if self.is_own_verb(at)
            || self.is_counted_sale(at)
            || self.sets_sides(at)
            || self.is_done_then(at)
        {
            ways.push((at + 1, 0.95));
        }
        if self.does_most(at) || self.is_under(at) || self.ends_order(at) {
            ways.push((at + 1, 1.0));
        }
        // `dynamics of sales by month`: the groups say it
        let over_time = ["trend", "trends", "тренд", "dynamics", "evolution"];
        if (over_time.contains(&self.word(at)) || self.word(at).starts_with("динамик"))
            && self.of_times()
        {
            ways.push((self.glue(at + 1), 1.0));
        }
        ways.extend(self.how_it_changed(at).map(|end| (self.glue(end), 1.0)));
        // `sum instead of count`
        let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        let instead = match (word(at), word(at + 1)) {
            ("instead", "of") => Some(at + 2),
            ("вместо", _) => Some(at + 1),
            _ => None,
        };
        if let Some(next) = instead.map(|next| self.glue(next)) {
            ways.extend(self.metrics(next).into_iter().map(|(_, end, q)| (end, q)));
            ways.extend(self.counts(next).into_iter().map(|(_, end, q)| (end, q)));
            ways.extend(self.dims(next).into_iter().map(|(_, end, q)| (end, q)));
        }
        // `per purchase`; `per shop` is a grouping where there is such a column
        for start in self.introduced(at) {
            for (entity, end, quality) in self.entities(start) {
                if entity == Entity::Rows && !self.names_dim(start, end) {
                    ways.push((end, quality * 0.97));
                }
            }
        }
        ways
    }

    /// The words from `at` to `end` are the whole name of a column that rows are grouped by, even
    /// if they are the table's name too (`shop` in a table of shops). Numbers are left out: a
    /// column of them that is called like its table counts the rows (`order` in orders).
    pub(super) fn names_dim(&self, at: usize, end: usize) -> bool {
        self.column_ways(at).any(|(column, column_end, quality)| {
            column_end == end
                && quality >= BY_DICTIONARY
                && !self.is_of_rows(column, at, end)
                && matches!(self.kind(column), Some(Kind::Text | Kind::Bool | Kind::Date))
        })
    }

    /// Right behind `by` or `each`, and a column that is no number has it in its name.
    fn is_grouped_by(&self, at: usize, end: usize) -> bool {
        let grouped = |(_, c)| matches!(c, Concept::By | Concept::Each);
        let column = |(column, column_end, _)| {
            column_end == end && self.kind(column).is_some_and(|kind| !kind.is_time())
        };
        self.concepts_before(at).any(grouped) && self.column_ways(at).any(column)
    }

    /// Every row has a value in the column, as far as that is known.
    fn is_full(&self, column: usize) -> bool {
        self.schema.columns.get(column).and_then(|c| c.nulls).unwrap_or(0) == 0
    }

    /// Before `at` stands what a column goes on from: `by`, `each`, `category and`, `amount`.
    fn wants_dim(&self, at: usize) -> bool {
        let mut place = at;
        loop {
            let mut glue = None;
            for (start, concept) in self.concepts_before(place) {
                match concept {
                    Concept::By | Concept::Each | Concept::And => return true,
                    // `for each of the shops`
                    Concept::Glue => glue = Some(start),
                    _ => {}
                }
            }
            match glue {
                Some(start) => place = start,
                None => break,
            }
        }
        (0..at).any(|i| self.measures(i).iter().any(|&(_, end, _)| end == at))
    }

    /// Phrases that end right before `at`: where each begins, and what it stands for.
    pub(super) fn concepts_before(&self, at: usize) -> impl Iterator<Item = (usize, Concept)> + '_ {
        (0..at).flat_map(move |start| {
            self.concepts(start).filter(move |&(_, end)| end == at).map(move |(c, _)| (start, c))
        })
    }

    /// The ends of words at `at` that introduce a grouping.
    pub(super) fn introduced(&self, at: usize) -> Vec<usize> {
        // `за одну покупку`, `на одного пациента`
        let one = ["одну", "один", "одно", "одного"].contains(&self.word(at + 1));
        let one = one && ["за", "на"].contains(&self.word(at));
        let one = one.then_some(at + 2).into_iter();
        let said = self
            .concepts(at)
            .filter(|(c, _)| matches!(c, Concept::By | Concept::Each))
            .map(|(_, end)| self.glue(end));
        said.chain(one).collect()
    }
}

/// The points of a measure that is said in per cent.
fn in_points(derived: Derived) -> Derived {
    if derived == Derived::Return { Derived::Change } else { derived }
}

/// The column whose parts are meant when none is named: the table's own, or its only one.
pub(super) fn time_column(schema: &TableSchema) -> Option<&str> {
    if let Some(time) = &schema.time {
        return Some(time);
    }
    let mut columns = schema.columns.iter().filter(|c| c.kind.is_time());
    let first = columns.next()?;
    columns.next().is_none().then_some(first.name.as_str())
}

/// Every row is a day, or a day of one series.
pub(super) fn a_row_a_day(schema: &TableSchema) -> bool {
    let series = schema.series.as_ref().map(|name| {
        schema.column(name).and_then(|c| c.values.as_ref()).map_or(u64::MAX, |v| v.len() as u64)
    });
    let fits = schema.dates().is_none_or(|(first, last)| {
        let days = u64::try_from(i64::from(last) - i64::from(first) + 1).unwrap_or(0);
        schema.rows <= days.saturating_mul(series.unwrap_or(1))
    });
    schema.interval == Some(DAY) && fits
}

/// Aggregates that say nothing of the order of rows.
pub(super) fn is_extreme(agg: Agg) -> bool {
    matches!(agg, Agg::Min | Agg::Max)
}
