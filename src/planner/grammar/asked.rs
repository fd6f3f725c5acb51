//! Productions for what a question word asks for: `how long do they wait`, `how many minutes`,
//! `where do we spend the most`, `who borrowed the most books`.

use super::super::dictionary::same_noun;
use super::super::lattice::Lattice;
use super::super::sketch::{Dim, Item, Measure, Metric};
use super::super::stem::{parts, stem};
use super::super::token::{TokenKind, Unit};
use super::super::words::{Agg, Concept, Quality};
use super::number::unit_of;
use super::{Quantity, Way};
use crate::schema::Kind;

/// Nouns of columns that say where.
const PLACES: [&str; 42] = [
    "shop",
    "city",
    "town",
    "country",
    "region",
    "district",
    "station",
    "airport",
    "branch",
    "gym",
    "hotel",
    "office",
    "place",
    "location",
    "venue",
    "site",
    "zone",
    "area",
    "warehouse",
    "restaurant",
    "cafe",
    "school",
    "clinic",
    "library",
    "market",
    "stadium",
    "island",
    "остров",
    "филиал",
    "склад",
    "зал",
    "отель",
    "гостиница",
    "офис",
    "район",
    "станция",
    "зона",
    "ресторан",
    "кафе",
    "школа",
    "адрес",
    "площадка",
];

/// Words for people, by how they begin.
const PERSONS: [&str; 45] = [
    "donor",
    "giver",
    "athlete",
    "subscriber",
    "visitor",
    "attendee",
    "player",
    "pupil",
    "applicant",
    "resident",
    "tourist",
    "patient",
    "people",
    "person",
    "men",
    "women",
    "children",
    "kids",
    "passenger",
    "customer",
    "client",
    "employee",
    "worker",
    "member",
    "student",
    "guest",
    "user",
    "runner",
    "driver",
    "adults",
    "girls",
    "boys",
    "пациент",
    "мужчин",
    "женщин",
    "дет",
    "люд",
    "человек",
    "пассажир",
    "клиент",
    "сотрудник",
    "ученик",
    "студент",
    "гост",
    "пользовател",
];

/// Participles that no ending shows.
const PARTICIPLES: [&str; 10] =
    ["read", "sold", "bought", "seen", "worn", "driven", "taken", "eaten", "spoken", "chosen"];

/// Nobody is older.
const OLDEST: f64 = 120.0;
/// Words between `how long` and what is asked.
const REACH: usize = 7;

/// Units of columns that have what an adjective is about.
fn units(quality: Quality) -> &'static [&'static str] {
    match quality {
        Quality::Length => &["min", "h", "s", "days", "day", "nights"],
        Quality::Distance => &["km", "m", "mi"],
        Quality::Weight => &["kg", "g", "t", "lb"],
        Quality::Age => &["years"],
        Quality::Warmth => &["°c", "°f", "c"],
        Quality::Speed => &["m/s", "km/h", "mph"],
        Quality::Height | Quality::Width | Quality::Depth => &["cm", "m"],
        Quality::Thickness => &["mm", "cm"],
        Quality::Price | Quality::Pay => &[],
    }
}

impl Lattice<'_> {
    /// What `how long` asks for: the column of it that is named behind, or the likeliest one.
    pub(super) fn asked_of(&self, quality: Quality, end: usize) -> Option<(usize, f64)> {
        let fits = |column: usize| {
            let unit = self.schema.columns.get(column).and_then(unit_of);
            unit.is_some_and(|unit| units(quality).contains(&unit.as_str()))
                || quality
                    .nouns()
                    .iter()
                    .any(|(noun, _)| self.columns_of(noun).iter().any(|&(c, _)| c == column))
        };
        let mut named: Vec<usize> = (end..self.tokens.len().min(end + REACH))
            .flat_map(|at| self.number_columns(at))
            .map(|(column, ..)| column)
            .filter(|&column| fits(column))
            .collect();
        named.sort_unstable();
        named.dedup();
        if let [column] = named[..] {
            return Some((column, 0.97));
        }
        let found = self.by_quality(quality);
        // of two durations neither
        let fit = match &found[..] {
            [(_, _, one), (_, _, two), ..] if *two > one * 0.92 => 0.75,
            _ => 1.0,
        };
        found.first().map(|&(column, _, q)| (column, q * fit))
    }

    /// `how many minutes do they wait`: the sum of what is in minutes.
    pub(super) fn counted_units(&self, at: usize) -> Option<Way<Item>> {
        let (Unit::Declared(column), end) = self.declared_unit(at)? else { return None };
        let unit = |c: usize| self.schema.columns.get(c).and_then(unit_of);
        let same: Vec<usize> =
            (0..self.schema.columns.len()).filter(|&c| unit(c) == unit(column)).collect();
        let mut named: Vec<usize> = (end..self.tokens.len())
            .flat_map(|at| self.number_columns(at))
            .map(|(column, ..)| column)
            .filter(|column| same.contains(column))
            .collect();
        named.sort_unstable();
        named.dedup();
        let of_time = self.part(at).is_some();
        let (column, quality) = match (&named[..], &same[..]) {
            ([column], _) => (*column, 0.93),
            ([], [column]) if !of_time => (*column, 0.85),
            _ => return None,
        };
        let measure = Some(Measure::Column(column));
        let metric = Metric { agg: Some(Agg::Sum), measure, every: None };
        // `how many hours does it take`: of one, or of all
        let quality = if self.on_average() { quality } else { quality * 0.75 };
        Some((Item::Metrics(vec![metric]), end, quality))
    }

    /// The end of `bring in`, of money.
    pub(super) fn brought(&self, at: usize) -> Option<usize> {
        let verb = ["bring", "brings", "brought"].contains(&self.word(at));
        let end = (verb && self.word(at + 1) == "in").then_some(at + 2)?;
        // `brought in the fewest gifts`: how many of them
        let most = self.find(self.glue(end), |c| match c {
            Concept::MostMany(_) => Some(()),
            _ => None,
        });
        let counted = most.iter().any(|&((), end)| !self.entities(self.glue(end)).is_empty());
        (!counted).then_some(end)
    }

    /// An average is asked for somewhere.
    pub(super) fn on_average(&self) -> bool {
        let mean = |(c, _): (Concept, usize)| c == Concept::Agg(Agg::Mean);
        (0..self.tokens.len()).any(|at| self.concepts(at).any(mean))
    }

    /// `картой (card)`: the word at `at` is said again in brackets, as the table has it.
    pub(super) fn is_glossed(&self, at: usize) -> bool {
        let sign = |at: usize, sign: &str| self.tokens.get(at).is_some_and(|t| t.is_symbol(sign));
        sign(at + 1, "(")
            && self.is_value(at + 2)
            && self.at(at + 2).iter().any(|m| sign(m.end, ")"))
    }

    /// `borrowed` of `most borrowed book`: a participle that says what happens most.
    pub(super) fn is_done(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let word = token.folded.as_str();
        let done = (word.len() > 4 && word.ends_with("ed")) || PARTICIPLES.contains(&word);
        let plain = self.column_ways(at).all(|(column, ..)| {
            matches!(self.kind(column), Some(Kind::Text | Kind::Date | Kind::Timestamp))
        });
        let named = self.dims(self.glue(at + 1)).iter().any(|(dim, _, q)| {
            matches!(dim, Dim::Column(c) if self.kind(*c) == Some(Kind::Text)) && *q > 0.8
        });
        done && token.kind == TokenKind::Word && plain && !self.is_value(at) && named
    }

    /// An order of something is asked for.
    pub(super) fn has_order(&self) -> bool {
        let orders = |c: Concept| {
            matches!(
                c,
                Concept::Most(_)
                    | Concept::MostMany(_)
                    | Concept::Often(_)
                    | Concept::Popular(_)
                    | Concept::Superlative(..)
                    | Concept::Best(_)
                    | Concept::Top(_)
            )
        };
        (0..self.tokens.len()).any(|at| self.concepts(at).any(|(c, _)| orders(c)))
    }

    /// What comes out is in an order that is said, or only the first ones of it.
    pub(super) fn is_sorted(&self) -> bool {
        let orders = |c: Concept| {
            matches!(
                c,
                Concept::Top(_) | Concept::Sorted(_) | Concept::SortBy | Concept::Ordinal(2..)
            )
        };
        (0..self.tokens.len()).any(|at| self.concepts(at).any(|(c, _)| orders(c)))
    }

    /// `where`, `где` that asks for a place, and opens no condition.
    pub(super) fn asks_place(&self, at: usize) -> bool {
        let word = self.word(at);
        let asked = match word {
            "where" => {
                ["do", "does", "did", "is", "are", "was", "were"].contains(&self.word(at + 1))
            }
            "где" | "куда" => true,
            _ => false,
        };
        at == 0 && asked && self.has_order()
    }

    /// The column of places that `where` asks for.
    pub(super) fn places_asked(&self, at: usize) -> Vec<Way<Item>> {
        if !self.asks_place(at) {
            return Vec::new();
        }
        let names = |name: &String| {
            parts(name).iter().any(|part| {
                let part = stem(part);
                PLACES.iter().any(|n| part == stem(n) || same_noun(&part, &stem(n)))
            })
        };
        let found: Vec<usize> = (0..self.schema.columns.len())
            .filter(|&i| {
                self.schema.columns.get(i).is_some_and(|c| {
                    c.kind == Kind::Text
                        && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(names)
                })
            })
            .collect();
        let quality = if found.len() == 1 { 0.95 } else { 0.7 };
        found.into_iter().map(|c| (Item::Dim(Dim::Column(c)), at + 1, quality)).collect()
    }

    /// `who spends the most`: of whom no column may tell.
    pub(super) fn asks_who(&self, at: usize) -> bool {
        at == 0 && ["who", "кто"].contains(&self.word(at)) && self.has_order()
    }

    /// `who` at `at` asks for the first of people, which a column names.
    pub(super) fn who_of_order(&self, at: usize) -> bool {
        ["who", "кто"].contains(&self.word(at)) && self.has_order() && !self.people(at).is_empty()
    }

    /// The age that a number without a unit bounds after a word for people (`women over 60`), and
    /// how sure it is that they are people.
    pub(super) fn aged(&self, at: usize, amounts: &[Quantity]) -> (Option<usize>, f64) {
        let ages = amounts
            .iter()
            .all(|a| a.unit.is_none() && a.scale == 1.0 && (1.0..=OLDEST).contains(&a.value));
        let ties = ["who", "are", "were", "is", "that", "aged", "в", "возрасте", "старше"];
        let mut before = at;
        while before > 0 && before + 3 > at && ties.contains(&self.word(before - 1)) {
            before -= 1;
        }
        let Some(noun) = before.checked_sub(1).filter(|_| ages) else { return (None, 1.0) };
        let person = PERSONS.iter().any(|p| self.word(noun).starts_with(p));
        let [(age, _)] = self.columns_of("age")[..] else { return (None, 1.0) };
        let doubt = if self.is_value(noun) { 0.75 } else { 1.0 };
        (person.then_some(age), doubt)
    }

    /// The word at `at` tells a sign: `positive` of any number, `up` of bars.
    pub(super) fn has_sign(&self, at: usize) -> bool {
        let signs = ["positive", "negative", "положительн", "отрицательн"];
        self.schema.ohlcv.is_some() || signs.iter().any(|sign| self.word(at).starts_with(sign))
    }
}
