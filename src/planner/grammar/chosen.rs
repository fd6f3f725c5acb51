//! Productions for groups that are chosen or told apart: `clubs with more than 100 results`,
//! `separately for men and women`, `from Arbat to Gorky Park`.

use super::super::dictionary::same_noun;
use super::super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::super::sketch::{Cond, Entity, Item, Measure, Metric, Target};
use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::super::words::{Agg, Cmp, Concept};
use super::Way;
use crate::schema::Kind;

/// Nouns of the column that something goes from.
const ORIGINS: [&str; 8] =
    ["start", "from", "origin", "source", "departure", "pickup", "откуда", "отправление"];
/// Nouns of the column that it goes to.
const DESTINATIONS: [&str; 8] =
    ["end", "to", "destination", "dest", "arrival", "dropoff", "куда", "прибытие"];

impl Lattice<'_> {
    /// `more than 100 results`, `average age above 45`, `число заказов больше 3000`: of groups.
    pub(super) fn havings(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (cmp, amount, end) in self.single_bounds(at) {
            if amount.unit.is_some() {
                continue;
            }
            // `older than 70 who gave` is said of the rows themselves
            let compared = self.concepts(at).any(|(c, _)| matches!(c, Concept::Comparative(..)));
            for (entity, end, quality) in self.entities(self.glue(end)) {
                if compared || ["who", "кто"].contains(&self.word(end - 1)) {
                    continue;
                }
                // `members who came more than 50 times`
                let times = entity == Entity::Times && self.schema.ohlcv.is_none();
                if entity == Entity::Rows || times {
                    let item = Item::Having { of: None, cmp, number: amount.value };
                    ways.push((item, end, quality));
                }
            }
        }
        for (item, end, quality) in self.counts(at) {
            // `how many people older than 40` counts rows
            let compared =
                self.find(self.is(end), |c| matches!(c, Concept::Comparative(..)).then_some(()));
            if !matches!(item, Item::Count(_)) || !compared.is_empty() {
                continue;
            }
            // `с количеством больше 2000`: a column of that name
            if item == Item::Count(Target::Unsaid)
                && self.column_ways(at).any(|w| w.1 == end && self.is_quantity(w.0))
            {
                continue;
            }
            for (cmp, amount, end) in self.single_bounds(self.is(end)) {
                if amount.unit.is_none() {
                    let item = Item::Having { of: None, cmp, number: amount.value };
                    ways.push((item, end, quality));
                }
            }
        }
        // `cities with revenue over 100,000`: of what they bring together, or of one row
        let money = self.of_money();
        for (measure, end, quality) in self.measures(at) {
            // of a quantity the sum: one row of it is no city
            if matches!(measure, Measure::Column(c) if self.is_quantity(c)) {
                for (cmp, amount, end) in self.single_bounds(self.is(end)) {
                    let of = Some((Agg::Sum, measure));
                    ways.push((Item::Having { of, cmp, number: amount.value }, end, quality * 0.9));
                }
                continue;
            }
            if matches!(measure, Measure::Column(c) if money.contains(&c)) {
                for (cmp, amount, end) in self.single_bounds(self.is(end)) {
                    let of = Some((Agg::Sum, measure));
                    ways.push((
                        Item::Having { of, cmp, number: amount.value },
                        end,
                        quality * 0.74,
                    ));
                }
            }
        }
        // `cities with more than 2000 quantity`
        for (cmp, amount, end) in self.single_bounds(at) {
            for (measure, end, quality) in self.measures(self.glue(end)) {
                if matches!(measure, Measure::Column(c) if self.is_quantity(c)) {
                    let of = Some((Agg::Sum, measure));
                    ways.push((Item::Having { of, cmp, number: amount.value }, end, quality * 0.9));
                }
            }
        }
        for (metrics, end, quality) in self.metrics(at) {
            let [Metric { agg: Some(agg), measure: Some(measure), .. }] = metrics[..] else {
                continue;
            };
            if agg == Agg::Pct {
                continue;
            }
            // `average amount of orders is above 5000`
            let mut places = vec![self.is(end)];
            places.extend(
                self.entities(self.glue(end))
                    .into_iter()
                    .filter(|(entity, ..)| *entity == Entity::Rows)
                    .map(|(_, end, _)| self.is(end)),
            );
            for (cmp, amount, end) in places.into_iter().flat_map(|p| self.single_bounds(p)) {
                let of = Some((agg, measure));
                // `average discount over 5%` of parts of one
                let part = matches!(measure, Measure::Column(c) if self.is_fraction(c))
                    && amount.unit == Some(crate::planner::token::Unit::Percent);
                let number = if part { amount.value / 100.0 } else { amount.value };
                ways.push((Item::Having { of, cmp, number }, end, quality));
            }
        }
        ways
    }

    /// It is called a quantity and nothing more.
    fn is_quantity(&self, column: usize) -> bool {
        let named = |name: &String| {
            let name = parts(name);
            matches!(&name[..], [one] if ["quantity", "qty", "количество"].contains(&one.as_str()))
        };
        self.schema.columns.get(column).is_some_and(|c| {
            c.kind.is_numeric()
                && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(named)
        })
    }

    /// Passes over `is`, `was`.
    fn is(&self, at: usize) -> usize {
        self.glue(at)
    }

    /// `with and without`, `с и без`
    pub(super) fn is_either(&self, at: usize) -> bool {
        let [first, and, second] = [at, at + 1, at + 2].map(|at| self.word(at));
        let and = ["and", "и", "or", "или", "vs", "versus", "/"].contains(&and);
        and && ((["with", "с", "со"].contains(&first) && ["without", "без"].contains(&second))
            || (["without", "без"].contains(&first) && ["with", "с", "со"].contains(&second)))
    }

    /// `protected and unprotected`, `non-sequels`: the same flag, denied by a beginning or a word.
    fn denied_again(&self, column: usize, at: usize) -> Option<usize> {
        self.filters(at).into_iter().find_map(|(cond, end, _)| match cond {
            Cond::Flag { column: c, wanted: false } if c == column => Some(end),
            _ => None,
        })
    }

    /// `men and women separately`, `returned vs not returned`, `сравни Казань и Самару`.
    pub(super) fn apart(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        if let Some(next) = self.take(at, Concept::Apart) {
            let next = self.glue(next);
            for (column, values, end, quality) in self.value_lists(next, None) {
                if values.len() > 1 {
                    let values = self.unless_all(column, values);
                    ways.push((Item::Apart { column, values }, end, quality));
                }
            }
        }
        // `average cost of men and women`: every value there is
        for (column, values, end, quality) in self.value_lists(at, None) {
            if values.len() > 1 && self.unless_all(column, values).is_empty() {
                let item = Item::Apart { column, values: Vec::new() };
                ways.push((item, end, quality * 0.97));
            }
        }
        // `men and women separately`
        for (column, values, end, quality) in self.value_lists(at, None) {
            if let Some(end) = self.take(end, Concept::Apart).filter(|_| values.len() > 1) {
                let values = self.unless_all(column, values);
                ways.push((Item::Apart { column, values }, end, quality));
            }
        }
        // `with and without a balcony`
        if self.is_either(at) {
            for (column, end, quality) in self.column_ways(self.glue(at + 3)) {
                if self.kind(column) == Some(Kind::Bool) {
                    ways.push((Item::Apart { column, values: Vec::new() }, end, quality));
                }
            }
        }
        // `гарантийные и негарантийные`, `дождь и без дождя`
        for (column, end, quality) in self.column_ways(at) {
            if self.kind(column) != Some(Kind::Bool) {
                continue;
            }
            let Some(next) = self.take(end, Concept::And).map(|next| self.glue(next)) else {
                continue;
            };
            let mut ends: Vec<usize> = self
                .denied_flags(next)
                .into_iter()
                .filter(|(cond, ..)| *cond == Cond::Flag { column, wanted: false })
                .map(|(_, end, _)| end)
                .collect();
            if ["without", "not", "без", "не"].contains(&self.word(next)) {
                let again = self.column_ways(self.glue(next + 1)).filter(|w| w.0 == column);
                ends.extend(again.map(|(_, end, _)| end));
            }
            for end in ends {
                let end = self.take(end, Concept::Apart).unwrap_or(end);
                ways.push((Item::Apart { column, values: Vec::new() }, end, quality * 0.97));
            }
        }
        for m in self.at(at) {
            match &m.tag {
                Tag::Value(column, value) => {
                    // `private patients vs public patients`
                    let noun = |end| self.entities(end).first().map_or(end, |&(_, end, _)| end);
                    let versus = self.take(m.end, Concept::Versus);
                    let versus = versus.or_else(|| self.take(noun(m.end), Concept::Versus));
                    let Some(next) = versus else { continue };
                    for other in self.at(self.glue(next)) {
                        if let Tag::Value(c, second) = &other.tag
                            && c == column
                            && second != value
                        {
                            let values = vec![value.clone(), second.clone()];
                            let values = self.unless_all(*column, values);
                            let item = Item::Apart { column: *column, values };
                            ways.push((item, noun(other.end), m.quality * other.quality));
                        }
                    }
                }
                // `returned vs not returned`
                Tag::Column(column) if self.kind(*column) == Some(Kind::Bool) => {
                    // `returned orders vs not returned`
                    let noun = self.entities(m.end).first().map_or(m.end, |&(_, end, _)| end);
                    let next = self
                        .take(noun, Concept::Versus)
                        .or_else(|| self.take(noun, Concept::And))
                        .or_else(|| self.take(noun, Concept::Or));
                    if let Some(end) = next.and_then(|n| self.denied_again(*column, self.glue(n))) {
                        let item = Item::Apart { column: *column, values: Vec::new() };
                        ways.push((item, end, m.quality));
                        continue;
                    }
                    let Some(not) = next.and_then(|n| self.take(self.glue(n), Concept::Not)) else {
                        continue;
                    };
                    let named: Vec<_> = self.column_ways(self.glue(not)).collect();
                    let again = named.iter().copied().find(|&(c, ..)| c == *column);
                    // `late but not fined`: something else is not so
                    if again.is_none() && !named.is_empty() {
                        continue;
                    }
                    let end = again.map_or(not, |(_, end, _)| end);
                    let item = Item::Apart { column: *column, values: Vec::new() };
                    ways.push((item, end, m.quality));
                }
                _ => {}
            }
        }
        ways
    }

    /// None where these are all the values that the column has.
    pub(super) fn unless_all(&self, column: usize, values: Vec<String>) -> Vec<String> {
        let all = self.schema.columns.get(column).and_then(|c| c.values.as_ref());
        if all.is_some_and(|all| all.iter().all(|v| values.contains(v))) {
            return Vec::new();
        }
        values
    }

    /// `from Arbat`, `to Gorky Park`, `started at Arbat`: the value of one of two columns that have
    /// the same values, by where it comes from or goes to.
    pub(super) fn routes(&self, at: usize) -> Vec<Way<Cond>> {
        let word = self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        let from = ["from", "из", "от", "с", "leaving", "departing"].contains(&word);
        let to = ["to", "в", "во", "на", "до", "arriving", "into"].contains(&word);
        let stem_of = self.tokens.get(at).map(|t| t.stem.as_str()).unwrap_or_default();
        let starts = same_noun(stem_of, &stem("start"));
        let ends = same_noun(stem_of, &stem("end"));
        let (from, to) = (from || starts, to || ends);
        if !from && !to {
            return self.between_places(at);
        }
        let nouns: &[&str] = if from { &ORIGINS } else { &DESTINATIONS };
        let next = self.glue(at + 1);
        // `started at Arbat`
        let next =
            if starts || ends { self.take(next, Concept::Stop).unwrap_or(next) } else { next };
        let next = self.glue(next);
        let mut ways = Vec::new();
        for (column, values, end, quality) in self.value_lists(next, None) {
            let shared = self
                .at(next)
                .iter()
                .any(|m| matches!(&m.tag, Tag::Value(c, v) if *c != column && values.contains(v)));
            if shared && self.is_called(column, nouns) {
                ways.push((Cond::Values { column, values, negated: false }, end, quality));
            }
        }
        ways
    }

    /// `Berlin to Oslo`, `Berlin – Oslo`: from one place to another, by two columns of the same.
    fn between_places(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        for first in self.at(at) {
            let Tag::Value(from, start) = &first.tag else { continue };
            let to = ["to", "в", "-", "–", "—", "→", ">"].contains(&self.word(first.end));
            if !to || !self.is_called(*from, &ORIGINS) {
                continue;
            }
            for second in self.at(first.end + 1) {
                let Tag::Value(to, end) = &second.tag else { continue };
                if from == to || start == end || !self.is_called(*to, &DESTINATIONS) {
                    continue;
                }
                let side = |column: usize, value: &String| Cond::Values {
                    column,
                    values: vec![value.clone()],
                    negated: false,
                };
                let both = Cond::All(vec![side(*from, start), side(*to, end)]);
                ways.push((both, second.end, first.quality * second.quality));
            }
        }
        ways
    }

    /// A name of the column has one of these nouns.
    pub(super) fn is_called(&self, column: usize, nouns: &[&str]) -> bool {
        self.schema.columns.get(column).is_some_and(|c| {
            std::iter::once(&c.name).chain(c.label.as_ref()).chain(&c.synonyms).any(|name| {
                parts(name).iter().any(|part| {
                    let part = stem(part);
                    nouns.iter().any(|n| part == stem(n) || same_noun(&part, &stem(n)))
                })
            })
        })
    }

    /// `without rating`, `rating is missing`, `нет оценки`; `has a rating` is not read.
    pub(super) fn missing(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        // an id is always there
        let column = |at: usize| {
            self.column_ways(at)
                .filter(|&(c, ..)| self.kind(c) != Some(Kind::Bool))
                .collect::<Vec<_>>()
        };
        for (column, end, quality) in column(at) {
            let next = self.glue(end);
            let (next, negated) = match self.take(next, Concept::Not) {
                Some(end) => (self.glue(end), true),
                None => (next, false),
            };
            // `is not given` says it in one
            let said = self
                .take(end, Concept::Missing)
                .or_else(|| self.take(self.glue(end), Concept::Missing));
            if let Some(end) = said {
                ways.push((Cond::Missing { column, negated: false }, end, quality));
            } else if let Some(end) = self.take(next, Concept::Missing) {
                ways.push((Cond::Missing { column, negated }, end, quality));
            }
        }
        if let Some(end) = self.take(at, Concept::Missing) {
            for (column, end, quality) in column(self.glue(end)) {
                ways.push((Cond::Missing { column, negated: false }, end, quality));
            }
        }
        // `где указана оценка`, `rating is given`
        let bare = |end: usize| {
            self.bounds_at(end).is_empty()
                && self.number(self.glue(end)).is_none()
                && !self.is_value_at(self.glue(end))
        };
        // `есть` says it of what is spoken of before
        let there = |at: usize| ["есть", "имеется", "имеются"].contains(&self.word(at));
        let spoken = at > 0
            && ["где", "которых", "которого", "которой", "которым"].contains(&self.word(at - 1));
        if let Some(end) = self.take(at, Concept::Present).filter(|_| spoken || !there(at)) {
            for (column, end, quality) in column(self.glue(end)).into_iter().filter(|w| bare(w.1)) {
                ways.push((Cond::Missing { column, negated: true }, end, quality * 0.9));
            }
        }
        for (column, end, quality) in column(at) {
            let told = self.take(end, Concept::Present).filter(|_| !there(end));
            if let Some(end) = told.filter(|&end| bare(end)) {
                ways.push((Cond::Missing { column, negated: true }, end, quality * 0.9));
            }
        }
        // `with a complaint`, `у которых есть жалоба`: of what is written or not, and no more said
        if let Some(next) = self.has_some(at) {
            for (column, end, quality) in self.column_ways(next) {
                let free = self
                    .schema
                    .columns
                    .get(column)
                    .is_some_and(|c| c.kind == Kind::Text && c.values.is_none());
                let said = self.word(end) == "of"
                    || self.is_value(end)
                    || self.tokens.get(end).is_some_and(|t| t.kind == TokenKind::Quoted)
                    || self.concepts(end).any(|(c, _)| {
                        matches!(
                            c,
                            Concept::Contains | Concept::Missing | Concept::Cmp(_) | Concept::Not
                        )
                    });
                if free && quality >= BY_DICTIONARY && !said && !self.has_order() {
                    ways.push((Cond::Missing { column, negated: true }, end, quality * 0.95));
                }
            }
        }
        let word = self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        if ["without", "no", "без", "нет"].contains(&word) {
            for (column, end, quality) in column(self.glue(at + 1)) {
                let (cond, sure) = self.none_of(column);
                ways.push((cond, end, quality * sure));
            }
        }
        // `где скидки нет`
        for (column, end, quality) in column(at) {
            if self.word(end) == "нет" && self.column_ways(end + 1).next().is_none() {
                let (cond, sure) = self.none_of(column);
                ways.push((cond, end + 1, quality * sure));
            }
        }
        ways
    }

    /// The end of `with a`, `that have any`, `у которых есть`.
    pub(super) fn has_some(&self, at: usize) -> Option<usize> {
        let mut next = match (self.word(at), self.word(at + 1)) {
            ("with" | "having" | "с" | "со", _) => at + 1,
            ("has" | "have" | "had", _) if at > 0 => at + 1,
            ("которых" | "которого" | "которой" | "где", "есть") => {
                at + 2
            }
            _ => return None,
        };
        while ["a", "an", "any", "some", "at", "least", "one", "the"].contains(&self.word(next)) {
            next += 1;
        }
        Some(next)
    }

    /// `first place`, `второй этаж`: a whole number by its word.
    pub(super) fn ordinals(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        for (number, end) in self.find(at, |c| match c {
            Concept::Ordinal(number) => Some(number),
            _ => None,
        }) {
            for (column, end, quality) in self.column_ways(self.glue(end)) {
                if self.counts_up(column) {
                    let measure = super::Measure::Column(column);
                    let operand = super::super::sketch::Operand::Number(number as f64);
                    ways.push((Cond::Compare(measure, Cmp::Eq, operand), end, quality));
                }
            }
        }
        ways
    }

    /// A whole number that is a place in an order (`place`, `этаж`), not an amount.
    pub(super) fn counts_up(&self, column: usize) -> bool {
        const PLACES: [&str; 16] = [
            "place",
            "position",
            "rank",
            "floor",
            "level",
            "grade",
            "stage",
            "round",
            "lap",
            "week",
            "этаж",
            "уровень",
            "этап",
            "круг",
            "тур",
            "класс",
        ];
        self.schema.columns.get(column).is_some_and(|c| {
            c.kind == Kind::Int
                && std::iter::once(&c.name).chain(c.label.as_ref()).chain(&c.synonyms).any(|name| {
                    parts(name).iter().any(|part| {
                        let part = stem(part);
                        PLACES.iter().any(|p| part == stem(p) || same_noun(&part, &stem(p)))
                    })
                })
        })
    }
}
