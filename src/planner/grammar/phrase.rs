//! Productions for what is asked: aggregates, counts, groups, orders.

use super::super::lattice::{BY_DICTIONARY, Lattice, Tag, is_id};
use super::super::sketch::{Dim, Entity, Item, Measure, Metric, Target};
use super::super::stem::is_cyrillic;
use super::super::token::{TokenKind, Unit};
use super::super::words::{Agg, Concept, Part};
use super::Way;
use crate::schema::Kind;

/// Members of a list that one production takes.
const LIST: usize = 4;
/// Ways that a list keeps, best first.
const WAYS: usize = 24;

/// Light verbs that say how much as often as how many, by how they begin.
const GAINS: [&str; 17] = [
    "принес",
    "принос",
    "дает",
    "дают",
    "дал",
    "получ",
    "собра",
    "набра",
    "заня",
    "занима",
    "ушло",
    "достается",
    "вышло",
    "вышли",
    "потребовалось",
    "понадобилось",
    "составля",
];

/// An aggregate that may stand before a measure.
fn as_agg(concept: Concept) -> Option<Agg> {
    match concept {
        Concept::Agg(agg) if !matches!(agg, Agg::Pct | Agg::Correlation) => Some(agg),
        _ => None,
    }
}

impl Lattice<'_> {
    /// `average gap`, `max and min close`, `mean of open and close`, `gap`.
    pub(super) fn metrics(&self, at: usize) -> Vec<Way<Vec<Metric>>> {
        let mut ways: Vec<Way<Vec<Metric>>> = Vec::new();
        let headed = self.headed(at);
        for (aggs, end) in self.aggs(at, LIST) {
            let bare = aggs.iter().map(|&a| Metric { agg: Some(a), measure: None, every: None });
            // `last week` is a stretch of time, not the last one of each week
            let ends = matches!(aggs[..], [Agg::First | Agg::Last]) && self.part(end).is_some();
            // `сколько чеков`: how many of them, not how much they come to
            let counted = self.word(at) == "сколько"
                && self.entities(self.glue(end)).iter().any(|(e, ..)| *e == Entity::Rows);
            let fit = match (ends, counted) {
                (true, _) => 0.5,
                (_, true) => 0.6,
                _ => 1.0,
            };
            ways.push((bare.collect(), end, fit));
            // `film with the maximum budget`: the film, not the budget
            let of_row = headed && matches!(aggs[..], [Agg::Max | Agg::Min]);
            let (next, every) = self.every(self.glue(end));
            // `average number of items`
            if let Some(counted) = self.take(next, Concept::Count) {
                for (measure, end, quality) in self.measures(self.glue(counted)) {
                    ways.push((cross(&aggs, &[measure], every), end, quality * 0.98));
                }
            }
            for (measures, end, quality) in self.measure_list(next) {
                // nobody adds days up from date to date: `сколько дней между`
                let days = measures.iter().any(|m| matches!(m, Measure::Days(..)));
                if days && aggs.contains(&Agg::Sum) {
                    continue;
                }
                // `сколько клиентов` are no sum of their numbers
                let id = |m: &Measure| matches!(m, Measure::Column(c) if self.is_id(*c));
                let many = [at, at.saturating_sub(1)].iter().any(|&i| self.word(i) == "сколько");
                if many && measures.iter().any(id) {
                    continue;
                }
                // the first floor is a place, not what comes first
                let place = matches!(aggs[..], [Agg::First | Agg::Last])
                    && matches!(measures[..], [Measure::Column(c)] if self.counts_up(c));
                let quality = if place || of_row { quality * 0.6 } else { quality };
                ways.push((cross(&aggs, &measures, every), end, quality));
            }
            // `standard deviation of ride duration`
            for (entity, end, q) in self.entities(next) {
                if entity == Entity::Rows {
                    for (measures, end, quality) in self.measure_list(end) {
                        ways.push((cross(&aggs, &measures, every), end, quality * q * 0.99));
                    }
                }
            }
            // `среднее по объему`
            if (at..end).any(|i| self.word(i).chars().any(is_cyrillic))
                && let Some(end) = self.take(end, Concept::By)
            {
                for (measure, end, quality) in self.measures(end) {
                    ways.push((cross(&aggs, &[measure], None), end, quality * 0.8));
                }
            }
        }
        // `on an average day`, `в обычный день`
        if at > 0 && ["a", "an", "в", "за"].contains(&self.word(at - 1)) {
            for (agg, end) in self.find(at, as_agg) {
                if matches!(agg, Agg::Mean | Agg::Median)
                    && let Some((part, end)) = self.part(end)
                {
                    let metric = Metric { agg: Some(agg), measure: None, every: Some(part) };
                    ways.push((vec![metric], end, 0.97));
                }
            }
        }
        // one word that names both, `сумма` over a column of amounts
        for (agg, end) in self.find(at, as_agg) {
            for (measure, measure_end, quality) in self.measures(at) {
                if measure_end == end && !super::is_extreme(agg) {
                    ways.push((cross(&[agg], &[measure], None), end, quality.min(0.95)));
                }
            }
        }
        // `how long is a ride`
        for (quality, end) in self.find(at, |c| match c {
            Concept::How(quality) => Some(quality),
            _ => None,
        }) {
            if let Some((column, q)) = self.asked_of(quality, end) {
                let measure = Some(Measure::Column(column));
                ways.push((vec![Metric { agg: None, measure, every: None }], end, q));
                // `how long do they wait`: as a rule, if it is to be one number
                let mean = Metric { agg: Some(Agg::Mean), measure, every: None };
                ways.push((vec![mean], end, q * 0.75));
            }
        }
        let (next, every) = self.every(at);
        for (measures, end, quality) in self.measure_list(next) {
            ways.push((
                measures.iter().map(|&m| Metric { agg: None, measure: Some(m), every }).collect(),
                end,
                quality,
            ));
            // `revenue by city`, of what is called a price
            if let ([measure @ Measure::Column(_)], None) = (&measures[..], every)
                && self.is_income(at)
            {
                ways.push((cross(&[Agg::Sum], &[*measure], None), end, quality));
            }
            // `cost per visit`: of one
            if let [measure] = measures[..] {
                for start in self.introduced(end) {
                    for (entity, end, q) in self.entities(start) {
                        if entity == Entity::Rows && !self.names_dim(start, end) {
                            ways.push((cross(&[Agg::Mean], &[measure], every), end, quality * q));
                        }
                    }
                }
            }
            // `gap average`
            if let [measure] = measures[..] {
                for (agg, end) in self.find(end, as_agg) {
                    ways.push((cross(&[agg], &[measure], every), end, quality * 0.95));
                }
            }
        }
        ways
    }

    /// One or more aggregates: `min and max`.
    fn aggs(&self, at: usize, most: usize) -> Vec<(Vec<Agg>, usize)> {
        let mut ways = Vec::new();
        let plain = self.find(at, as_agg).into_iter().chain(self.percentile(at));
        // `lowest, average and highest`: a superlative only in such a list
        let extreme = self.find(at, |c| match c {
            Concept::Most(true) => Some(Agg::Max),
            Concept::Most(false) => Some(Agg::Min),
            _ => None,
        });
        let extreme = extreme.into_iter().map(|(agg, end)| (agg, end, most < LIST));
        for (agg, end, alone) in plain.map(|(agg, end)| (agg, end, true)).chain(extreme) {
            if alone {
                ways.push((vec![agg], end));
            }
            if most > 1
                && let Some(next) = self.take(end, Concept::And)
            {
                for (mut more, end) in self.aggs(self.glue(next), most - 1) {
                    more.insert(0, agg);
                    ways.push((more, end));
                }
            }
        }
        ways
    }

    /// `95th percentile of`, `p95`, `90-й перцентиль`.
    fn percentile(&self, at: usize) -> Option<(Agg, usize)> {
        let token = self.tokens.get(at)?;
        let agg = |share: f64| {
            (share > 0.0 && share < 100.0).then_some(Agg::Percentile((share * 10.0).round() as u16))
        };
        let digits = |text: &str| text.parse::<f64>().ok();
        if let Some(share) = token.folded.strip_prefix('p').and_then(digits) {
            return Some((agg(share)?, self.glue(at + 1)));
        }
        // `percentile 90`
        if let Some(end) = self.take(at, Concept::Percentile)
            && let Some(&TokenKind::Number { value, unit: None, .. }) =
                self.tokens.get(end).map(|t| &t.kind)
        {
            return Some((agg(value)?, self.glue(end + 1)));
        }
        let (share, mut next) = match token.kind {
            TokenKind::Number { value, unit: None | Some(Unit::Percent), .. } => (value, at + 1),
            TokenKind::Word => {
                let ordinal = ["st", "nd", "rd", "th"];
                let number = ordinal.iter().find_map(|s| token.folded.strip_suffix(s));
                (number.and_then(digits)?, at + 1)
            }
            _ => return None,
        };
        // `90-й`
        if let Some(end) = self.range_sign(next) {
            let ending = self.tokens.get(end)?.folded.as_str();
            if ["й", "го", "ый", "му", "м", "th"].contains(&ending) {
                next = end + 1;
            }
        }
        let end = self.take(next, Concept::Percentile)?;
        Some((agg(share)?, self.glue(end)))
    }

    /// One or more measures: `open and close`.
    fn measure_list(&self, at: usize) -> Vec<Way<Vec<Measure>>> {
        let mut ways = Vec::new();
        for (measure, end, quality) in self.measures(at) {
            ways.push((vec![measure], end, quality));
            if let Some(next) = self.take(end, Concept::And) {
                for (more, end, q) in self.measures(self.glue(next)) {
                    ways.push((vec![measure, more], end, quality * q));
                }
            }
        }
        ways
    }

    /// An adjective of time before a measure.
    pub(super) fn every(&self, at: usize) -> (usize, Option<Part>) {
        let found = self.find(at, |c| match c {
            Concept::Every(part) => Some(part),
            _ => None,
        });
        match found.into_iter().max_by_key(|&(_, end)| end) {
            Some((part, end)) => (end, Some(part)),
            None => (at, None),
        }
    }

    fn is_light(&self, at: usize) -> bool {
        self.concepts(at).any(|(c, _)| c == Concept::Light)
    }

    /// The numbers of a column only tell people or things apart.
    fn is_id(&self, column: usize) -> bool {
        self.schema.columns.get(column).is_some_and(|c| is_id(&c.name))
    }

    /// `how many days`, `number of different shops`, `сколько раз`.
    pub(super) fn counts(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for ((), end) in self.find(at, |c| (c == Concept::Count).then_some(())) {
            // `количество` alone may as well be the quantity
            let column = self
                .at(at)
                .iter()
                .any(|m| matches!(m.tag, Tag::Column(_)) && m.quality >= BY_DICTIONARY);
            let spread = ["distribution", "распределение", "breakdown"].contains(&self.word(at));
            // `сколько получили` asks how much
            let gained = GAINS.iter().any(|verb| self.word(end).starts_with(verb))
                && self.is_light(end)
                && !self.counted(end + 1);
            // `на сколько` asks by how much
            let by =
                at > 0 && self.word(at) == "сколько" && ["на", "во"].contains(&self.word(at - 1));
            // `с числом билетов менее 10` is about a column
            let having = at > 0
                && self.word(at - 1) == "с"
                && ["числом", "количеством"].contains(&self.word(at));
            let quality = match (column, gained || by || having) {
                (_, true) => 0.7,
                (true, _) => 0.75,
                _ => 0.97,
            };
            ways.push((Item::Count(Target::Unsaid), end, quality));
            let next = self.glue(end);
            // `сколько видов` of a column of them, though it is a word for different ones too
            let kinds = self.take(next, Concept::Distinct).is_some();
            for (column, end, q) in self.column_ways(next) {
                if kinds && q >= BY_DICTIONARY && self.kind(column) == Some(Kind::Text) {
                    let dim = Dim::Column(column);
                    ways.push((Item::Count(Target::Distinct(dim)), end, q * 0.97));
                }
            }
            // `how many days between order date and ship date`: of one row, or of all
            for (measure, end, q) in self.measures(next) {
                if matches!(measure, Measure::Days(..)) {
                    let metric = Metric { agg: None, measure: Some(measure), every: None };
                    ways.push((Item::Metrics(vec![metric]), end, q * 0.97));
                }
            }
            let (next, distinct) = match self.take(next, Concept::Distinct) {
                Some(end) => (end, true),
                None => (next, false),
            };
            if !distinct {
                for (entity, end, quality) in self.entities(next) {
                    ways.push((Item::Count(Target::Entity(entity)), end, quality));
                }
            }
            // `number of passengers`: all of them
            if !distinct {
                ways.extend(self.counted_units(next));
                for (measure, end, quality) in self.measures(next) {
                    let Measure::Column(column) = measure else { continue };
                    // `how many riders` are no sum of their numbers
                    let id = self.is_id(column);
                    if !spread && !id && !self.is_what_sums_are_of(column, next, end) {
                        let metric =
                            Metric { agg: Some(Agg::Sum), measure: Some(measure), every: None };
                        ways.push((Item::Metrics(vec![metric]), end, quality * 0.9));
                    }
                }
            }
            for (dim, end, quality) in self.dims(next) {
                // `how many days` counts days of the table, not dates; `how many cancelled` filters
                let flag = match dim {
                    Dim::Column(column) => self.kind(column) == Some(Kind::Bool),
                    Dim::Part(part) => part == Part::Day,
                };
                if (flag && !distinct) || spread {
                    continue;
                }
                // different numbers and moments are counted only when it is said, but for those of
                // people and things
                let plain = match dim {
                    Dim::Column(column) => {
                        self.kind(column) == Some(Kind::Text) || self.is_id(column)
                    }
                    Dim::Part(_) => true,
                };
                // weeks of bars are rows
                let hourly = self.schema.interval == Some(3600);
                let framed = self.schema.ohlcv.is_some()
                    && (matches!(dim, Dim::Part(Part::Week | Part::Month | Part::Year))
                        || (hourly && dim == Dim::Part(Part::Hour)));
                let quality = if framed && !distinct { quality * 0.8 } else { quality };
                let fit = match (distinct, plain) {
                    (true, true) => 1.0,
                    (true, false) => 1.1,
                    (false, true) => 0.97,
                    (false, false) => 0.6,
                };
                ways.push((Item::Count(Target::Distinct(dim)), end, (quality * fit).min(1.0)));
            }
        }
        for ((), end) in self.find(at, |c| (c == Concept::Distinct).then_some(())) {
            for (dim, end, quality) in self.dims(end) {
                // `distinct clubs`, with nothing else: how many of them
                let lone = at == 0;
                let quality = if lone { quality * 0.8 } else { quality * 0.6 };
                ways.push((Item::Count(Target::Distinct(dim)), end, quality));
            }
        }
        ways
    }

    /// `by shop and category`, `по дням недели`, `monthly`; `by volume` is an order.
    pub(super) fn groupings(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::By | Concept::Each => {
                    let next = self.glue(end);
                    for (dims, end, quality) in self.dim_list(next, LIST) {
                        // `for each distance`: numbers too
                        // `по гарантии` is the name of a column of yes and no
                        let flag = self.column_ways(at).any(|(column, flag_end, q)| {
                            flag_end == end
                                && q >= BY_DICTIONARY
                                && dims[..] == [Dim::Column(column)]
                        });
                        if flag {
                            ways.push((Item::Group(dims), end, quality * 0.7));
                            continue;
                        }
                        let sure = concept == Concept::Each && quality < 0.85 && dims.len() == 1;
                        let quality = if sure { (quality * 1.7).min(0.9) } else { quality };
                        // `every cancelled flight`: of all of them
                        let flag = matches!(dims[..], [Dim::Column(c)]
                            if self.kind(c) == Some(Kind::Bool))
                            && ["every", "each"].contains(&self.word(at))
                            && !self.entities(end).is_empty();
                        let quality = if flag { quality * 0.6 } else { quality };
                        // `average volume per day` of intraday bars is of daily bars
                        let daily = dims[..] == [Dim::Part(Part::Day)]
                            && self.schema.ohlcv.is_some()
                            && self.schema.is_intraday()
                            && self.take(at, Concept::PerPart(Part::Day)).is_some();
                        let quality = if daily { quality * 0.7 } else { quality };
                        ways.push((Item::Group(dims), end, quality));
                    }
                    // `top 3 airlines by number of passengers`: by all of them
                    let ranked = self.has_order() || self.is_sorted();
                    if concept == Concept::By
                        && ranked
                        && let Some(counted) = self.take(next, Concept::Count)
                        && self.entities(self.glue(counted)).is_empty()
                    {
                        for (column, end, quality) in self.number_columns(self.glue(counted)) {
                            let measure = Some(Measure::Column(column));
                            let metric = Metric { agg: Some(Agg::Sum), measure, every: None };
                            ways.push((Item::OrderBy(metric), end, quality));
                        }
                    }
                    // `by number of rooms`
                    if !ranked && let Some(counted) = self.take(next, Concept::Count) {
                        for (dim, end, quality) in self.dims(self.glue(counted)) {
                            if matches!(dim, Dim::Column(c) if self.kind(c) == Some(Kind::Int)) {
                                ways.push((Item::Group(vec![dim]), end, quality * 1.05));
                            }
                        }
                    }
                    if concept == Concept::By {
                        for (metrics, end, quality) in self.metrics(next) {
                            if let [metric] = metrics[..] {
                                ways.push((Item::OrderBy(metric), end, quality));
                            }
                        }
                        for (item, end, quality) in self.counts(next) {
                            // `top 3 countries by number of customers`
                            let distinct = ranked
                                && self.take(next, Concept::Count).is_some()
                                && matches!(item, Item::Count(Target::Distinct(Dim::Column(_))));
                            let plain =
                                matches!(item, Item::Count(Target::Entity(_) | Target::Unsaid));
                            if plain || distinct {
                                ways.push((item, end, quality));
                            }
                        }
                    }
                }
                // `средний чек на мастера`
                Concept::Glue
                    if self.word(at) == "на"
                        && (0..at).any(|i| self.metrics(i).iter().any(|w| w.1 == at)) =>
                {
                    for (dims, end, quality) in self.dim_list(end, 1) {
                        let named = matches!(dims[..], [Dim::Column(c)] if self.kind(c) == Some(Kind::Text));
                        let value = self.is_value_at(end) || self.is_value_at(at + 1);
                        if named && !value && quality >= BY_DICTIONARY {
                            ways.push((Item::Group(dims), end, quality * 0.9));
                        }
                    }
                }
                Concept::ByPart(part) if self.time_column().is_some() => {
                    ways.push((Item::Group(vec![Dim::Part(part)]), end, 1.0));
                }
                Concept::Every(part)
                    if (part != Part::Day
                        || (self.schema.ohlcv.is_none()
                            && !self.on_average()
                            && self.closes(end)))
                        && self.time_column().is_some()
                        && self.take(end, Concept::Bars).is_none() =>
                {
                    let weeks = part == Part::Week && self.schema.ohlcv.is_some();
                    let quality = if weeks { 0.7 } else { 0.97 };
                    ways.push((Item::Group(vec![Dim::Part(part)]), end, quality));
                }
                _ => {}
            }
        }
        ways
    }

    fn dim_list(&self, at: usize, most: usize) -> Vec<Way<Vec<Dim>>> {
        let mut ways = Vec::new();
        for (dim, end, quality) in self.dims(at) {
            ways.push((vec![dim], end, quality));
            if most > 1
                && let Some(next) = self.take(end, Concept::And)
            {
                let next = self.glue(next);
                // `by shop and by category`
                let next = self.take(next, Concept::By).unwrap_or(next);
                for (mut more, end, q) in self.dim_list(next, most - 1) {
                    more.insert(0, dim);
                    ways.push((more, end, quality * q));
                }
            }
        }
        ways.sort_by(|a, b| b.2.total_cmp(&a.2));
        ways.truncate(WAYS);
        ways
    }

    /// `share of days`, `correlation between volume and range`.
    pub(super) fn shares(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Agg(Agg::Pct) => ways.push((Item::Share, end, 1.0)),
                // `return rate`
                Concept::Rate if self.ends_with_flag(at) => ways.push((Item::Share, end, 0.98)),
                Concept::Agg(Agg::Correlation) => {
                    let mut starts = vec![self.glue(end)];
                    starts.extend(self.take(end, Concept::Between));
                    // `correlate the number of items with total`
                    let counted = starts.first().and_then(|&s| self.take(s, Concept::Count));
                    starts.extend(counted.map(|end| self.glue(end)));
                    for start in starts {
                        let (start, _) = self.every(self.each_of(start));
                        for (a, end, q) in self.measures(start) {
                            let end = self.of_the_day(end);
                            // `corr volume trades`
                            let (next, fit) =
                                self.correlated(end).map_or((end, 0.9), |next| (next, 1.0));
                            let (next, _) = self.every(self.uncounted(next));
                            for (b, end, r) in self.measures(next) {
                                let end = self.of_the_day(end);
                                ways.push((Item::Correlation(a, b), end, q * r * fit));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        // `does salary correlate with age`, `volume and range correlated`
        let word = |at: usize| {
            self.take(at, Concept::Agg(Agg::Correlation))
                .or_else(|| self.take(self.glue(at), Concept::Agg(Agg::Correlation)))
        };
        let asks = ["насколько", "как", "how"].contains(&self.word(at));
        let (at, _) = self.every(if asks { at + 1 } else { at });
        for (a, end, q) in self.measures(at) {
            let end = self.of_the_day(end);
            let apart = self.correlated(end).map(|next| (next, true));
            let between = word(end).and_then(|end| self.correlated(end)).map(|next| (next, false));
            let with = word(end).map(|end| (self.glue(end), false));
            for (next, behind) in apart.into_iter().chain(between).chain(with) {
                let (next, _) = self.every(self.uncounted(next));
                for (b, end, r) in self.measures(next) {
                    let end = self.of_the_day(end);
                    let end = if behind { self.correlation_behind(end) } else { Some(end) };
                    ways.extend(end.map(|end| (Item::Correlation(a, b), end, q * r)));
                }
            }
        }
        ways
    }

    /// Passes over `the number of` before a measure.
    fn uncounted(&self, at: usize) -> usize {
        let counted = self.take(at, Concept::Count).map(|end| self.glue(end));
        counted.filter(|&end| !self.measures(end).is_empty()).unwrap_or(at)
    }

    /// A column of yes and no ends before `at`.
    fn ends_with_flag(&self, at: usize) -> bool {
        (0..at).any(|i| {
            self.column_ways(i)
                .any(|(column, end, _)| end == at && self.kind(column) == Some(Kind::Bool))
        })
    }

    /// Words that are an item by themselves.
    pub(super) fn lone_words(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        // `everything but horror`, `все, кроме Омска`: the rows
        let all = ["everything", "everyone", "anything", "all", "все", "всё", "всех"];
        let comma = usize::from(self.tokens.get(at + 1).is_some_and(|t| t.is_symbol(",")));
        if all.contains(&self.word(at)) && self.take(at + 1 + comma, Concept::Not).is_some() {
            ways.push((Item::Entity(Entity::Rows), at + 1, 0.97));
        }
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Every(part) => {
                    // `flights daily` are of each day
                    let grouped = part == Part::Day
                        && self.schema.ohlcv.is_none()
                        && !self.on_average()
                        && self.closes(end);
                    ways.push((Item::Every(part), end, if grouped { 0.7 } else { 1.0 }));
                }
                Concept::Unit(Unit::Percent) => ways.push((Item::Percent, end, 1.0)),
                Concept::Which => {
                    // `кто перевез больше всего` asks for what no column may tell
                    let of = ["of", "из"].contains(&self.word(end));
                    let quality = if self.asks_who(at) && end == at + 1 && !of { 0.7 } else { 1.0 };
                    ways.push((Item::Which, end, quality));
                    // `at what moment`
                    for (column, end, quality) in self.column_ways(end) {
                        if self.is_time_column(column) {
                            ways.push((Item::When, end, quality));
                        }
                    }
                }
                Concept::Apart
                    if self.word(at).starts_with("compar")
                        || self.word(at).starts_with("сравн") =>
                {
                    ways.push((Item::Compared, end, 1.0));
                }
                // `the longest delay and when`, `… и когда он был`
                Concept::When if at > 0 && self.only_was(end) => {
                    ways.push((Item::When, self.tokens.len(), 1.0));
                }
                Concept::When if at == 0 => {
                    let day = ["day", "день"].contains(&self.word(end - 1));
                    ways.push((if day { Item::WhichDay } else { Item::When }, end, 1.0));
                    ways.push((Item::Noise, end, 0.78));
                }
                Concept::When => ways.push((Item::Noise, end, 1.0)),
                _ => {}
            }
        }
        ways
    }
}

fn cross(aggs: &[Agg], measures: &[Measure], every: Option<Part>) -> Vec<Metric> {
    measures
        .iter()
        .flat_map(|&measure| {
            aggs.iter().map(move |&agg| Metric { agg: Some(agg), measure: Some(measure), every })
        })
        .collect()
}
