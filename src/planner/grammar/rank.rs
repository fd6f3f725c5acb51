//! Productions for orders and extremes: `top 10`, `the longest ride`, `latest orders`, differences
//! of extremes, distributions.

use super::super::assemble::is_total;
use super::super::dictionary::same_noun;
use super::super::lattice::{Lattice, Tag};
use super::super::sketch::{Cond, Dim, Item, Measure, Rank};
use super::super::stem::{is_cyrillic, parts, stem};
use super::super::token::{Token, Unit};
use super::super::words::{Agg, Cmp, Concept, Part, Quality};
use super::{Quantity, Way};
use crate::query::ast::Arith;
use crate::schema::Kind;

impl Lattice<'_> {
    /// Columns that have what an adjective is about; true where more of them is less of it.
    pub(super) fn by_quality(&self, quality: Quality) -> Vec<(usize, bool, f64)> {
        let mut found: Vec<(usize, bool, f64)> = Vec::new();
        for (rank, &(noun, turned)) in quality.nouns().iter().enumerate() {
            for (column, q) in self.columns_of(noun) {
                if !found.iter().any(|&(c, ..)| c == column) {
                    found.push((column, turned, q * 0.9_f64.powi(rank.min(1) as i32)));
                }
            }
        }
        // `orders dearer than 1000` by what they came to, which has no name of a price
        const ORDERS: [&str; 5] = ["order", "invoice", "purchase", "receipt", "bill"];
        let ordered = |t: &Token| ORDERS.iter().any(|noun| same_noun(&t.stem, &stem(noun)));
        let mut came_to = None;
        if quality == Quality::Price
            && !found.is_empty()
            && let [only] = self.of_money()[..]
            && !found.iter().any(|&(column, ..)| column == only)
            && (self.schema.columns.get(only).is_some_and(is_total)
                || self.prices_of_one(quality).is_some())
            && self.tokens.iter().any(ordered)
        {
            found.push((only, false, 0.97));
            came_to = Some(only);
        }
        // of several prices the total
        let total = |&(column, ..): &(usize, bool, f64)| {
            came_to == Some(column) || self.schema.columns.get(column).is_some_and(is_total)
        };
        if quality == Quality::Price
            && found.iter().filter(|way| total(way)).count() == 1
            && let Some(at) = found.iter().position(total)
        {
            let way = found.remove(at);
            return std::iter::once((way.0, way.1, 0.97))
                .chain(found.into_iter().map(|(column, turned, _)| (column, turned, 0.8)))
                .collect();
        }
        // the first noun that is there is meant
        // of two prices neither is
        let price = quality == Quality::Price;
        // nor of two durations, `length of stay` and `waiting time`
        let spans = ["duration", "time", "length"].map(|noun| self.columns_of(noun));
        let mut spans: Vec<usize> = spans.iter().flatten().map(|&(column, _)| column).collect();
        spans.sort_unstable();
        spans.dedup();
        let many = quality == Quality::Length && spans.len() > 1;
        let lesser = if price || many { 0.97 } else { 0.9 };
        for (i, way) in found.iter_mut().enumerate() {
            way.2 = if i == 0 { 0.97 } else { 0.97 * lesser };
        }
        found
    }

    /// `top 10`, `топ-5`, `3 largest`, `highest`.
    pub(super) fn ranks(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let count = |at: usize| -> Option<(u64, usize)> {
            let (Quantity { mut value, mut unit, year, .. }, mut end) = self.number(at)?;
            // `top 5 days`, where a column is in days
            if matches!(unit, Some(Unit::Declared(_))) {
                ((value, end), unit) = (self.plain_number(at)?, None);
            }
            let of_time = year && self.part(end).is_some();
            (unit.is_none() && !of_time && (1.0..=1e6).contains(&value) && value.fract() == 0.0)
                .then_some((value as u64, end))
        };
        let rank = |number, descending, superlative| {
            Item::Rank(Rank { number, descending, superlative, many: false, best: false })
        };
        let most_of = |number: Option<u64>, descending| {
            let superlative = number.is_none();
            Item::Rank(Rank { number, descending, superlative, many: true, best: false })
        };
        let best = |number: Option<u64>, descending| {
            let superlative = number.is_none();
            Item::Rank(Rank { number, descending, superlative, many: false, best: true })
        };
        let by =
            |(number, end): (Option<u64>, usize), quality: Quality, most: bool, plural: bool| {
                let superlative = number.is_none() && !plural;
                let order =
                    self.price_of_order(quality, end).map(|column| vec![(column, false, 0.97)]);
                let of_one = self.prices_of_one(quality).filter(|_| order.is_none());
                let mut found = order.unwrap_or_else(|| self.by_quality(quality));
                if let Some(prices) = of_one {
                    found.retain(|(column, ..)| prices.contains(column));
                }
                found.into_iter().map(move |(column, turned, q)| {
                    let descending = most != turned;
                    let rank = Rank { number, descending, superlative, many: false, best: false };
                    (Item::RankBy(rank, Measure::Column(column)), q)
                })
            };
        // `тройка городов по выручке`
        let few = ["тройк", "четверк", "пятерк", "семерк", "десятк", "двадцатк"];
        if few.iter().any(|word| self.word(at).starts_with(word))
            && let Some((number, end)) = count(at)
        {
            ways.push((rank(Some(number), true, false), end, 0.9));
        }
        for (concept, end) in self.concepts(at) {
            match concept {
                // `самые старые` are old, where there is an age
                Concept::Ends(_)
                    if self.concepts(at).any(|(c, other)| {
                        other == end
                            && matches!(c, Concept::Superlative(quality, _)
                                if !self.by_quality(quality).is_empty())
                    }) => {}
                Concept::Top(descending) => {
                    let dash = self
                        .tokens
                        .get(end)
                        .is_some_and(|t| ["-", "–", "—"].iter().any(|dash| t.is_symbol(dash)));
                    if let Some((number, end)) = count(if dash { end + 1 } else { end }) {
                        ways.push((rank(Some(number), descending, false), end, 1.0));
                        // `top 5 longest rides`, `топ-3 самых популярных`
                        for (concept, end) in self.concepts(self.glue(end)) {
                            match concept {
                                Concept::Superlative(quality, most) => {
                                    let found = by((Some(number), end), quality, most, false);
                                    ways.extend(found.map(|(i, q)| (i, end, q)));
                                }
                                Concept::Popular(down) | Concept::Often(down) => {
                                    let most = Rank {
                                        number: Some(number),
                                        descending: down,
                                        superlative: false,
                                        many: true,
                                        best: false,
                                    };
                                    ways.push((Item::Popular(most), end, 1.0));
                                }
                                Concept::MostMany(down) => {
                                    ways.push((most_of(Some(number), down), end, 1.0));
                                }
                                Concept::Best(down) => {
                                    ways.push((best(Some(number), down), end, 1.0));
                                }
                                Concept::Most(down) if down != descending => {
                                    ways.push((rank(Some(number), down, false), end, 1.0));
                                }
                                _ => {}
                            }
                        }
                        // `top 5 largest`
                        if let Some(end) = self.take(end, Concept::Most(descending)) {
                            ways.push((rank(Some(number), descending, false), end, 1.0));
                        }
                    } else {
                        ways.push((rank(None, descending, false), end, 0.8));
                    }
                }
                Concept::Most(descending) => {
                    // `вторая по величине` ranks; `по величине скидки` may as well sort or group
                    let sized = self.word(at) == "по"
                        && !self.concepts_before(at).any(|(_, c)| matches!(c, Concept::Ordinal(_)));
                    let quality = if sized { 0.6 } else { 1.0 };
                    let one = !self.is_of_many_rows(at, end);
                    ways.push((rank(None, descending, one), end, quality));
                    if let Some((number, end)) = count(end) {
                        ways.push((rank(Some(number), descending, false), end, 1.0));
                    }
                    // `the highest number of votes`: the most votes
                    if let Some(end) = self.counted_column(end) {
                        ways.push((most_of(None, descending), end, 1.0));
                    }
                }
                Concept::Best(descending) => {
                    ways.push((best(None, descending), end, 1.0));
                    if let Some((number, end)) = count(end) {
                        ways.push((best(Some(number), descending), end, 1.0));
                    }
                }
                // `максимум продаж`, of rows: how many there are
                Concept::Agg(agg @ (Agg::Max | Agg::Min))
                    if ["максимум", "минимум", "maximum", "minimum"].contains(&self.word(at))
                        && self.at(end).iter().any(|m| m.tag == Tag::Table && m.quality >= 1.0) =>
                {
                    let descending = agg == Agg::Max;
                    let most = Rank {
                        number: None,
                        descending,
                        superlative: true,
                        many: true,
                        best: false,
                    };
                    ways.push((Item::Rank(most), end, 0.97));
                }
                // `film with the maximum budget`, `maximum average price`, `maximum number of`
                Concept::Agg(agg @ (Agg::Max | Agg::Min)) => {
                    let descending = agg == Agg::Max;
                    let next = self.glue(end);
                    let typical = |c: Concept| {
                        matches!(c, Concept::Agg(Agg::Mean | Agg::Median | Agg::Sum | Agg::Pct))
                    };
                    if self.headed(at) || self.concepts(next).any(|(c, _)| typical(c)) {
                        ways.push((rank(None, descending, true), end, 1.0));
                    }
                    if let Some(end) = self.counted_column(end) {
                        ways.push((most_of(None, descending), end, 1.0));
                    }
                    // `максимальные 5 продаж`
                    if self.is_plural_extreme(at)
                        && let Some((number, end)) = count(end)
                    {
                        ways.push((rank(Some(number), descending, false), end, 1.0));
                    }
                }
                // `первый по выручке`, `последняя по числу продаж`
                Concept::Ordinal(1) | Concept::Ends(true)
                    if self.take(end, Concept::By).is_some()
                        && ["ый", "ая", "ое", "ий", "яя", "ее"]
                            .iter()
                            .any(|ending| self.word(at).ends_with(ending)) =>
                {
                    let descending = concept == Concept::Ordinal(1);
                    ways.push((rank(None, descending, true), end, 0.97));
                }
                Concept::Superlative(quality, most) => {
                    let many = self.is_of_many_rows(at, end);
                    ways.extend(
                        by((None, end), quality, most, many).map(|(item, q)| (item, end, q)),
                    );
                    if let Some((number, end)) = count(end) {
                        let found = by((Some(number), end), quality, most, false);
                        ways.extend(found.map(|(item, q)| (item, end, q)));
                    }
                }
                Concept::Popular(_) if self.is_most_sold(at) => {}
                Concept::Popular(descending) => {
                    let most = Rank {
                        number: None,
                        descending,
                        superlative: true,
                        many: true,
                        best: false,
                    };
                    ways.push((Item::Popular(most), end, 1.0));
                }
                Concept::Often(descending) => {
                    let most = Rank {
                        number: None,
                        descending,
                        superlative: true,
                        many: true,
                        best: false,
                    };
                    ways.push((Item::Often(most), end, 1.0));
                }
                Concept::MostMany(descending) => {
                    let most = Rank {
                        number: None,
                        descending,
                        superlative: true,
                        many: true,
                        best: false,
                    };
                    // `чаще всего` is how many there are, whatever else has a number
                    let often = (at..end)
                        .any(|i| ["чаще", "реже", "often", "frequently"].contains(&self.word(i)));
                    ways.push((Item::Rank(most), end, if often { 0.8 } else { 1.0 }));
                    if self.is_done(end) {
                        ways.push((Item::Popular(most), end + 1, 0.97));
                    }
                }
                // `у кого больше продаж`
                Concept::Cmp(cmp @ (Cmp::Gt | Cmp::Lt))
                    if ["больше", "меньше", "more", "fewer"].contains(&self.word(at))
                        && end == at + 1
                        && self.more_of_which(at, end) =>
                {
                    let descending = cmp == Cmp::Gt;
                    let most = Rank {
                        number: None,
                        descending,
                        superlative: true,
                        many: true,
                        best: false,
                    };
                    ways.push((Item::Rank(most), end, 0.85));
                }
                Concept::Ends(last) => {
                    if let Some((number, end)) = count(end) {
                        // `first 10 rows`: of any table, and of no order
                        if !last && self.take(self.glue(end), Concept::Rows).is_some() {
                            ways.push((Item::Amount(number), end, 1.0));
                            continue;
                        }
                        // `the last 30 days` is a period, where a row is no day
                        let days = self.part(end).is_some_and(|(part, _)| part != Part::Hour)
                            && self.schema.ohlcv.is_none()
                            && !super::a_row_a_day(self.schema);
                        let quality = if days { 0.7 } else { 1.0 };
                        ways.push((Item::Ends { number: Some(number), last }, end, quality));
                    } else if let Some(&(_, noun, _)) = self.entities(self.glue(end)).first() {
                        // `latest order` is one, `last orders` are some
                        let folded = |at: usize| {
                            self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default()
                        };
                        let (word, noun) = (folded(end - 1), folded(noun - 1));
                        let one = if word.chars().any(is_cyrillic) {
                            ["ий", "яя", "ее", "ый", "ая", "ое", "юю", "ую"]
                                .iter()
                                .any(|e| word.ends_with(e))
                        } else {
                            !noun.ends_with('s')
                        };
                        let quality = if one { 1.0 } else { 0.8 };
                        // `first purchase date` asks for the date
                        let next = self.entities(self.glue(end)).first().map_or(end, |e| e.1);
                        let dated = ["date", "day", "time"].contains(&self.word(next));
                        let quality = if dated { quality * 0.75 } else { quality };
                        ways.push((Item::Ends { number: None, last }, end, quality));
                    }
                }
                _ => {}
            }
        }
        // `самая просматриваемая`: by what the column counts
        if self.is_very(at) && self.number_columns(at + 1).next().is_some() {
            ways.push((most_of(None, true), at + 1, 0.97));
        }
        if let Some((number, end)) = count(at) {
            if self.is_very(end) && self.number_columns(end + 1).next().is_some() {
                ways.push((most_of(Some(number), true), end + 1, 0.97));
            }
            for (descending, end) in self.find(end, |c| match c {
                Concept::Most(descending)
                | Concept::Top(descending)
                | Concept::MostMany(descending) => Some(descending),
                _ => None,
            }) {
                ways.push((rank(Some(number), descending, false), end, 1.0));
            }
            for (concept, end) in self.concepts(end) {
                match concept {
                    Concept::Best(descending) => {
                        ways.push((best(Some(number), descending), end, 1.0));
                    }
                    Concept::Superlative(quality, most) => {
                        ways.extend(
                            by((Some(number), end), quality, most, false).map(|(i, q)| (i, end, q)),
                        );
                    }
                    Concept::MostMany(descending) if self.is_done(end) => {
                        let most = Rank {
                            number: Some(number),
                            descending,
                            superlative: false,
                            many: true,
                            best: false,
                        };
                        ways.push((Item::Popular(most), end + 1, 0.97));
                    }
                    Concept::Popular(descending) => {
                        let most = Rank {
                            number: Some(number),
                            descending,
                            superlative: false,
                            many: true,
                            best: false,
                        };
                        ways.push((Item::Popular(most), end, 1.0));
                    }
                    Concept::Ends(false) if self.take(self.glue(end), Concept::Rows).is_some() => {
                        ways.push((Item::Amount(number), end, 1.0));
                    }
                    Concept::Ends(last) => {
                        ways.push((Item::Ends { number: Some(number), last }, end, 1.0));
                    }
                    // `5 максимальных продаж`
                    Concept::Agg(agg @ (Agg::Max | Agg::Min))
                        if self.is_plural_extreme(end - 1) =>
                    {
                        ways.push((rank(Some(number), agg == Agg::Max, false), end, 1.0));
                    }
                    _ => {}
                }
            }
            ways.push((Item::Bare(number), end, 0.9));
            // `5 days with the largest range`
            let next = self.glue(end);
            if !self.entities(next).is_empty() || !self.dims(next).is_empty() {
                // `which 2022 film`
                let year = self.year(at).is_some() && self.time_column().is_some();
                ways.push((Item::Amount(number), end, if year { 0.6 } else { 0.97 }));
            }
        }
        ways
    }

    /// `second highest`, `третий по выручке`: a place in the order that follows.
    pub(super) fn places(&self, at: usize) -> Vec<Way<Item>> {
        let found = self.find(at, |c| match c {
            Concept::Ordinal(place @ 2..) => Some(place),
            _ => None,
        });
        let ordered = |end: usize| {
            self.concepts(self.range_sign(end).unwrap_or(end)).any(|(c, _)| {
                matches!(
                    c,
                    Concept::Most(_)
                        | Concept::MostMany(_)
                        | Concept::Best(_)
                        | Concept::Popular(_)
                        | Concept::Superlative(..)
                        | Concept::By
                )
            })
        };
        found
            .into_iter()
            .filter(|&(_, end)| ordered(end))
            .map(|(place, end)| (Item::Nth(place), self.range_sign(end).unwrap_or(end), 1.0))
            .collect()
    }

    /// `the most alarms`, `fewest errors`: by how many rows are such.
    pub(super) fn many_of(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (descending, end) in self.find(at, |c| match c {
            Concept::MostMany(descending) => Some(descending),
            _ => None,
        }) {
            let rank =
                Rank { number: None, descending, superlative: true, many: true, best: false };
            let next = self.glue(end);
            for (column, end, quality) in self.column_ways(next) {
                if self.kind(column) == Some(Kind::Bool) {
                    let cond = Cond::Flag { column, wanted: true };
                    ways.push((Item::ManyOf(rank, cond), end, quality * 0.97));
                }
            }
            for (column, values, end, quality) in self.value_lists(next, None) {
                let cond = Cond::Values { column, values, negated: false };
                ways.push((Item::ManyOf(rank, cond), end, quality * 0.97));
            }
            // `who borrowed the most books`: a row is one of them
            if ["who", "кто"].contains(&self.word(0)) {
                for (column, end, quality) in self.column_ways(next) {
                    if self.kind(column) == Some(Kind::Text) {
                        ways.push((Item::Popular(rank), end, quality * 0.85));
                    }
                }
            }
        }
        ways
    }

    /// `who`, where one column names people.
    pub(super) fn people(&self, at: usize) -> Vec<Way<Item>> {
        const PEOPLE: &[&str] = &[
            "athlete",
            "donor",
            "worker",
            "nurse",
            "visitor",
            "rider",
            "contributor",
            "subscriber",
            "applicant",
            "technician",
            "reader",
            "member",
            "читатель",
            "посетитель",
            "employee",
            "customer",
            "client",
            "passenger",
            "user",
            "agent",
            "seller",
            "manager",
            "driver",
            "doctor",
            "teacher",
            "student",
            "player",
            "runner",
            "guest",
            "author",
            "cashier",
            "operator",
            "продавец",
            "менеджер",
            "водитель",
            "врач",
            "учитель",
            "ученик",
            "студент",
            "игрок",
            "бегун",
            "гость",
            "автор",
            "кассир",
            "исполнитель",
            "мастер",
            "специалист",
            "механизатор",
            "ветеринар",
            "тренер",
            "курьер",
            "агент",
            "пациент",
            "клиент",
            "покупатель",
            "заказчик",
            "сотрудник",
            "работник",
            "преподаватель",
            "инженер",
            "режиссер",
            "worker",
            "engineer",
            "coach",
            "courier",
            "technician",
            "instructor",
            "участник",
        ];
        if !["who", "кто"].contains(&self.word(at)) || ["of", "из"].contains(&self.word(at + 1))
        {
            return Vec::new();
        }
        let names = |name: &String| {
            let list = parts(name);
            // a product has a name too, but a column of that alone is more likely of people
            ["name", "имя"].iter().any(|n| list == [*n])
                || list.iter().any(|part| {
                    let part = stem(part);
                    PEOPLE.iter().any(|n| part == stem(n) || same_noun(&part, &stem(n)))
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

    /// `difference between the highest and lowest price`, `max minus min of price`
    pub(super) fn spreads(&self, at: usize) -> Vec<Way<Item>> {
        let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        let said = ["difference", "gap", "разница", "разницу", "разрыв", "разброс"];
        let between = ["between", "между", "of"];
        let mut start = at;
        let mut named = false;
        if said.contains(&word(at)) && between.contains(&word(at + 1)) {
            (start, named) = (self.glue(at + 2), true);
        }
        let extreme = |at: usize, wanted: Option<bool>| {
            self.find(at, |c| match c {
                Concept::Agg(Agg::Max) | Concept::Most(true) => Some(true),
                Concept::Agg(Agg::Min) | Concept::Most(false) => Some(false),
                _ => None,
            })
            .into_iter()
            .find(|(high, _)| wanted.is_none_or(|w| w == *high))
        };
        let Some((high, end)) = extreme(start, None) else { return Vec::new() };
        let mut ways = Vec::new();
        let mut places = vec![(end, None)];
        places.extend(self.measures(self.glue(end)).into_iter().map(|(m, e, _)| (e, Some(m))));
        for (end, first) in places {
            let minus = self.take(end, Concept::Math(Arith::Sub)).filter(|_| high);
            let joined = self.take(end, Concept::And).filter(|_| named);
            let Some(next) = minus.or(joined).map(|n| self.glue(n)) else { continue };
            let Some((_, end)) = extreme(next, Some(!high)) else { continue };
            for (measure, end, quality) in self.measures(self.glue(end)) {
                if first.is_none_or(|f| f == measure) {
                    ways.push((Item::Spread(measure), end, quality));
                }
            }
        }
        ways
    }

    /// `distribution of scores`, `score distribution`: how many rows have each.
    pub(super) fn distributions(&self, at: usize) -> Vec<Way<Item>> {
        let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        let said = |at: usize| ["distribution", "распределение", "breakdown"].contains(&word(at));
        let plain = |dim: &Dim| match dim {
            Dim::Column(column) => {
                !matches!(self.kind(*column), Some(Kind::Float | Kind::Decimal(_)))
            }
            Dim::Part(_) => true,
        };
        let mut ways = Vec::new();
        if said(at) {
            for (dim, end, quality) in self.dims(self.glue(at + 1)) {
                if plain(&dim) {
                    ways.push((Item::Distribution(dim), end, quality));
                }
            }
        }
        for (dim, end, quality) in self.dims(at) {
            if plain(&dim) && said(end) && !self.has_aggregate() {
                ways.push((Item::Distribution(dim), end + 1, quality));
            }
        }
        ways
    }
}
