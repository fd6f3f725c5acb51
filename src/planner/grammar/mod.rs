//! A typed grammar over a tagged question. Every production gives all the ways it can read the
//! tokens from a place on, each with a quality; the best ways through the whole question are kept.

mod asked;
mod beam;
mod chosen;
mod condition;
mod flow;
mod moment;
mod number;
mod operand;
mod pattern;
mod phrase;
mod rank;
mod span;
mod value;

pub(super) use number::{Quantity, unit_fits};
pub(super) use pattern::of_part;
pub(super) use span::period_text;

use super::dictionary::{Nature, nature, same_noun};
use super::lattice::{BY_DICTIONARY, Lattice, Match, Tag};
use super::sketch::{Dim, Entity, Item, Measure};
use super::stem::{parts, stem};
use super::token::{TokenKind, Unit};
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
}

/// What is left of the confidence for every word that is not understood.
const UNKNOWN_WORD: f64 = 0.55;
/// The same where it is said again in brackets.
const GLOSSED: f64 = 0.97;
/// The same for a number, a date or a quoted value: a filter that would be dropped.
const UNKNOWN_VALUE: f64 = 0.3;
/// Light verbs that each may have a date of its own, by how they begin.
const EVENTS: [&str; 25] = [
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
    "оформ",
    "выдан",
    "выдал",
    "выполн",
    "получ",
    "пров",
    "обслуж",
    "обработ",
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
        beam::parses(self.tokens.len(), |at| self.items(at))
    }

    /// Everything that could be read from token `at` on.
    fn items(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways: Vec<Way<Item>> = Vec::new();
        ways.extend(self.noise(at).into_iter().map(|(end, q)| (Item::Noise, end, q)));
        ways.extend(self.metrics(at).into_iter().map(|(m, e, q)| (Item::Metrics(m), e, q)));
        ways.extend(self.counts(at));
        ways.extend(self.groupings(at));
        ways.extend(self.ranks(at));
        ways.extend(self.filters(at).into_iter().map(|(c, e, q)| (Item::Filter(c), e, q)));
        ways.extend(
            self.entities(at)
                .into_iter()
                .filter(|&(_, end, _)| !(self.names_dim(at, end) && self.wants_dim(at)))
                .map(|(x, e, q)| {
                    // a word for a column of names as well: `top 10 products`
                    let free = self.column_ways(at).any(|(column, end, _)| {
                        let column = self.schema.columns.get(column);
                        end == e
                            && column.is_some_and(|c| c.kind == Kind::Text && c.values.is_none())
                    });
                    // `who borrowed the most`: one of the people, not a row
                    let who = x == Entity::Rows && (self.who_of_order(at) || self.asks_who(at));
                    (Item::Entity(x), e, if free || who { q * 0.7 } else { q })
                }),
        );
        ways.extend(self.dims(at).into_iter().map(|(d, e, q)| {
            // `dairy products`: a word for the rows as well
            let rows = self.at(at).iter().any(|m| m.tag == Tag::Table && m.end == e);
            (Item::Dim(d), e, if rows { q * 0.9 } else { q })
        }));
        ways.extend(self.shares(at));
        ways.extend(self.shares_of_whole(at));
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
        ways.extend(self.lone_words(at));
        let lost = match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Word) if self.is_glossed(at) => GLOSSED,
            Some(TokenKind::Word) if !self.is_value(at) => UNKNOWN_WORD,
            Some(TokenKind::Symbol) => 0.8,
            _ => UNKNOWN_VALUE,
        };
        ways.push((Item::Unknown(at), at + 1, lost));
        ways
    }

    fn is_value(&self, at: usize) -> bool {
        self.at(at).iter().any(|m| matches!(m.tag, Tag::Value(..)))
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

    /// Something with a number in every row.
    pub(super) fn measures(&self, at: usize) -> Vec<Way<Measure>> {
        let known = self.measures.get(at).map(|cell| cell.get_or_init(|| self.measures_at(at)));
        known.cloned().unwrap_or_default()
    }

    fn measures_at(&self, at: usize) -> Vec<Way<Measure>> {
        let mut ways: Vec<Way<Measure>> = Vec::new();
        for (column, end, quality) in self.column_ways(at) {
            if self.kind(column).is_some_and(Kind::is_numeric) {
                ways.push((Measure::Column(column), end, quality));
                // `amount spent`: one column by two words
                for (again, end, q) in self.column_ways(end) {
                    if again == column {
                        ways.push((Measure::Column(column), end, quality * q));
                    }
                }
                // `close price`
                if let Some(end) = self.take(end, Concept::Price) {
                    ways.push((Measure::Column(column), end, quality));
                }
            }
        }
        // `what did surgery bring in`
        if let Some(end) = self.brought(at)
            && let [column] = self.of_money()[..]
        {
            ways.push((Measure::Column(column), end, 0.95));
        }
        // `the most money`, `больше денег`
        if self.take(at, Concept::Money).is_some()
            && let [column] = self.of_money()[..]
        {
            ways.push((Measure::Column(column), at + 1, 0.95));
        }
        if let Some(end) = self.take(at, Concept::Price) {
            // `цена закрытия`
            let next = self.glue(end);
            for (column, end, quality) in self.column_ways(next) {
                if self.is_bar_price(column) {
                    ways.push((Measure::Column(column), end, quality));
                }
            }
            if let Some(close) = self.close() {
                ways.push((Measure::Column(close), end, 0.74));
            }
        }
        ways.extend(self.derived(at));
        ways.extend(self.indicators(at));
        // `percentage change`, `процентное изменение`
        if let Some((Unit::Percent, end)) = self.unit(at) {
            for (measure, end, quality) in self.derived(end) {
                if let Measure::Derived(derived, _) = measure {
                    ways.push((Measure::Derived(derived, true), end, quality));
                }
            }
        }
        // `gap in percent`
        let more: Vec<Way<Measure>> = ways
            .iter()
            .filter_map(|&(measure, end, quality)| {
                let (unit, end) = self.unit(end)?;
                match (measure, unit) {
                    (Measure::Derived(d, _), Unit::Percent) => {
                        Some((Measure::Derived(d, true), end, quality))
                    }
                    (Measure::Derived(d, _), Unit::Points) => {
                        Some((Measure::Derived(in_points(d), false), end, quality))
                    }
                    (Measure::Column(c), unit) if unit_fits(self.schema, c, unit) => {
                        Some((measure, end, quality))
                    }
                    _ => None,
                }
            })
            .collect();
        ways.extend(more);
        // `price times quantity`
        let made: Vec<Way<Measure>> = ways
            .iter()
            .flat_map(|&(left, end, quality)| {
                self.find(self.glue(end), |c| match c {
                    Concept::Math(op) => Some(op),
                    _ => None,
                })
                .into_iter()
                .flat_map(move |(op, end)| {
                    let Measure::Column(a) = left else { return Vec::new() };
                    self.number_columns(self.glue(end))
                        .filter(|&(b, ..)| a != b)
                        .map(|(b, end, q)| (Measure::Math(op, a, b), end, quality * q))
                        .collect()
                })
            })
            .collect();
        ways.extend(made);
        ways
    }

    /// Columns of money that adds up.
    pub(super) fn of_money(&self) -> Vec<usize> {
        let money = |name: &String| {
            let last = parts(name).into_iter().rev().find_map(|p| nature(&stem(&p)));
            last == Some(Nature::Money)
        };
        (0..self.schema.columns.len())
            .filter(|&i| {
                self.schema.columns.get(i).is_some_and(|c| {
                    c.kind.is_numeric()
                        && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(money)
                })
            })
            .collect()
    }

    fn number_columns(&self, at: usize) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.column_ways(at).filter(|&(c, ..)| self.kind(c).is_some_and(Kind::is_numeric))
    }

    fn derived(&self, at: usize) -> Vec<Way<Measure>> {
        self.find(at, |c| match c {
            Concept::Derived(d) => Some(Measure::Derived(d, d == Derived::Return)),
            Concept::DerivedPercent(d) => Some(Measure::Derived(d, true)),
            _ => None,
        })
        .into_iter()
        .map(|(measure, end)| (measure, end, 1.0))
        .collect()
    }

    /// The close of bars.
    pub(super) fn close(&self) -> Option<usize> {
        let close = &self.schema.ohlcv.as_ref()?.close;
        self.schema.columns.iter().position(|c| c.name == *close)
    }

    fn is_bar_price(&self, column: usize) -> bool {
        let Some(bars) = &self.schema.ohlcv else { return false };
        self.schema
            .columns
            .get(column)
            .is_some_and(|c| [&bars.open, &bars.high, &bars.low, &bars.close].contains(&&c.name))
    }

    /// Something that sorts rows into groups.
    pub(super) fn dims(&self, at: usize) -> Vec<Way<Dim>> {
        let mut ways: Vec<Way<Dim>> = Vec::new();
        for (column, end, quality) in self.column_ways(at) {
            let fit = match self.kind(column) {
                Some(Kind::Text | Kind::Bool) => 1.0,
                Some(Kind::Date) => 0.95,
                Some(Kind::Int) => 0.85,
                Some(Kind::Float | Kind::Decimal(_) | Kind::Timestamp) => 0.5,
                None => continue,
            };
            ways.push((Dim::Column(column), end, quality * fit));
        }
        if self.time_column().is_some() {
            for (part, end) in self.find(at, |c| match c {
                Concept::Part(part) => Some(part),
                _ => None,
            }) {
                ways.push((Dim::Part(part), end, 1.0));
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
        for m in self.at(at) {
            let entity = match m.tag {
                Tag::Table | Tag::Concept(Concept::Rows | Concept::Bars) => Entity::Rows,
                Tag::Concept(Concept::People) if self.of_people() => Entity::Rows,
                Tag::Concept(Concept::Times) => Entity::Times,
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
            ways.push((entity, m.end, m.quality));
        }
        ways
    }

    /// Rows are people: they have an age or a sex.
    fn of_people(&self) -> bool {
        self.schema.columns.iter().any(|c| {
            std::iter::once(&c.name).chain(&c.synonyms).flat_map(|name| parts(name)).any(|part| {
                ["age", "sex", "salary"].iter().any(|n| same_noun(&stem(&part), &stem(n)))
            })
        })
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
                // `where do we spend the most` asks for a place
                Tag::Concept(Concept::Stop) if self.asks_place(at) || self.asks_who(at) => {
                    ways.push((m.end, 0.7));
                }
                // `this hour`: not all of them
                Tag::Concept(Concept::Stop) if self.names_this(at) => ways.push((m.end, 0.6)),
                Tag::Concept(Concept::Stop) if self.is_event(at) && self.is_said(at, m.end) => {
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
                // the `longest ride` is one
                Tag::Table
                    if self
                        .concepts_before(at)
                        .any(|(_, c)| matches!(c, Concept::Superlative(..))) => {}
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
                // `people hired each year`
                Tag::Column(column)
                    if self.is_time_column(column)
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
                && matches!(self.kind(column), Some(Kind::Text | Kind::Bool | Kind::Date))
        })
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
