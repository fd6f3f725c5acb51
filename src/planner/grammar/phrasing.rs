//! Productions for turns of English that no other part of the grammar reads: `airline-wise`,
//! `cheapest first`, `in descending order of fare`, `show everything`, `10 sample rows`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Target};
use super::super::token::{TokenKind, Unit};
use super::super::words::{Agg, Cmp, Concept};
use super::Way;
use crate::schema::Kind;

/// Rows that are shown where only a few are asked for.
const FEW: u64 = 10;

impl Lattice<'_> {
    pub(super) fn phrasings(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = self.groups_behind(at);
        ways.extend(self.first_of_adjective(at));
        ways.extend(self.extremes_of_aggregates(at));
        ways.extend(self.whole_table(at));
        ways.extend(self.totals_of_rows(at));
        ways.extend(self.more_than_other(at));
        ways.extend(self.records(at));
        ways.extend(self.higher_of_two(at));
        // `in descending order of fare`
        if ["of", "by"].contains(&self.word(at))
            && self.concepts_before(at).any(|(_, c)| matches!(c, Concept::Sorted(_)))
        {
            for (metrics, end, quality) in self.metrics(self.glue(at + 1)) {
                if let [metric] = metrics[..] {
                    ways.push((Item::SortedBy(metric), end, quality));
                }
            }
        }
        // `by donation count`
        if let Some(by) = self.take(at, Concept::By) {
            for (entity, end, quality) in self.entities(self.glue(by)) {
                let counted = ["count", "counts", "number", "numbers", "volume", "frequency"];
                if entity == Entity::Rows && counted.contains(&self.word(end)) {
                    ways.push((Item::Count(Target::Entity(entity)), end + 1, quality * 0.98));
                }
            }
        }
        // `percent inspected`, `% cancelled flights`
        if self.opens(at)
            && let Some((Unit::Percent, end)) = self.unit(at)
        {
            let next = self.glue(end);
            let flag = |(column, ..): (usize, usize, f64)| self.kind(column) == Some(Kind::Bool);
            if self.column_ways(next).any(flag) {
                ways.push((Item::Share, end, 0.97));
            }
        }
        ways.extend(self.broken_down(at));
        // `rank airlines by number of flights`
        const SORTS: [&str; 7] =
            ["rank", "sort", "order", "arrange", "ranking", "leaderboard", "ranked"];
        if SORTS.contains(&self.word(at)) && self.opens(at) {
            let next = self.glue(at + 1);
            let by = |(_, end, _): &Way<Dim>| self.take(*end, Concept::By).is_some();
            if self.dims(next).iter().any(by) {
                ways.push((Item::Sorted(true), next, 1.0));
            }
        }
        if self.take(at, Concept::RunnerUp).is_some_and(|end| !self.dims(end).is_empty()) {
            let end = self.take(at, Concept::RunnerUp).unwrap_or(at + 1);
            ways.push((Item::Nth(2), end, 1.0));
        }
        ways
    }

    /// `airline-wise`, `at the airline level`, `campaign by campaign`, `per-airline`.
    fn groups_behind(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (dim, end, quality) in self.dims(at) {
            let next = self.range_sign(end).unwrap_or(end);
            let plain = match dim {
                Dim::Column(column) => self.kind(column) == Some(Kind::Text),
                Dim::Part(_) => true,
            };
            if !plain {
                continue;
            }
            if ["wise", "wize"].contains(&self.word(next)) {
                ways.push((Item::Group(vec![dim]), next + 1, quality));
            }
            // `campaign totals`
            if ["totals", "averages", "counts", "sums"].contains(&self.word(end)) {
                ways.push((Item::Group(vec![dim]), end, quality * 0.97));
            }
            let level = ["level", "basis", "breakdown", "split"].contains(&self.word(next));
            let before = at.checked_sub(1).map(|b| self.word(b)).unwrap_or_default();
            let before = if before == "the" && at > 1 { self.word(at - 2) } else { before };
            let leads = ["at", "on", "a", "an", "with", "per", "-", "by"].contains(&before);
            if level && (leads || self.has_aggregate()) {
                ways.push((Item::Group(vec![dim]), next + 1, quality * 0.99));
            }
            if let Some(by) = self.take(end, Concept::By) {
                for (again, end, q) in self.dims(by) {
                    if again == dim {
                        ways.push((Item::Group(vec![dim]), end, quality * q));
                    }
                }
            }
        }
        // `per-airline`
        for (concept, end) in self.concepts(at) {
            if matches!(concept, Concept::By | Concept::Each)
                && let Some(next) = self.range_sign(end)
            {
                for (dim, end, quality) in self.dims(next) {
                    ways.push((Item::Group(vec![dim]), end, quality));
                }
            }
        }
        ways
    }

    pub(super) fn has_aggregate(&self) -> bool {
        (0..self.tokens.len())
            .any(|at| self.concepts(at).any(|(c, _)| matches!(c, Concept::Agg(_))))
    }

    /// `cheapest first`: the column by the adjective, the order by `first`.
    fn first_of_adjective(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let first = |at: usize| self.word(at) == "first";
        for (quality, end) in self.find(at, |c| match c {
            Concept::Superlative(quality, _) => Some(quality),
            _ => None,
        }) {
            if !first(end) {
                continue;
            }
            for (column, _, q) in self.by_quality(quality) {
                let measure = Some(Measure::Column(column));
                ways.push((Item::SortedBy(Metric { agg: None, measure, every: None }), end, q));
            }
        }
        if first(at) {
            for (_, concept) in self.concepts_before(at) {
                if let Concept::Superlative(quality, most) = concept {
                    let turned = self.by_quality(quality).first().is_some_and(|w| w.1);
                    ways.push((Item::Sorted(most != turned), at + 1, 1.0));
                }
            }
        }
        ways
    }

    /// `the maximum average delay`, `top airline by passengers`.
    fn extremes_of_aggregates(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let rank = |descending| {
            Item::Rank(Rank {
                number: None,
                descending,
                superlative: true,
                many: false,
                best: false,
            })
        };
        for (descending, end) in self.find(at, |c| match c {
            Concept::Agg(Agg::Max) => Some(true),
            Concept::Agg(Agg::Min) => Some(false),
            Concept::Top(descending) => Some(descending),
            _ => None,
        }) {
            let next = self.glue(end);
            let aggregate = self.concepts(next).any(|(c, _)| {
                matches!(c, Concept::Agg(Agg::Mean | Agg::Sum | Agg::Median) | Concept::Count)
            });
            if aggregate {
                ways.push((rank(descending), end, 0.98));
            }
            let top = self.concepts(at).any(|(c, _)| matches!(c, Concept::Top(_)));
            let single = |(dim, dim_end, _): &Way<Dim>| {
                let word = self.word(dim_end - 1);
                !word.ends_with('s')
                    && matches!(dim, Dim::Column(c) if self.kind(*c) == Some(Kind::Text))
            };
            if top && self.dims(end).iter().any(single) {
                ways.push((rank(descending), end, 0.97));
            }
        }
        ways
    }

    /// `show everything`, `all flights`, `a sample`: rows, and nothing else is asked.
    fn whole_table(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        if !self.opens(at) {
            return ways;
        }
        let whole = self.tokens.len();
        if self.take(at, Concept::Everything).is_some() {
            ways.push((Item::Rows(None), whole, 1.0));
        }
        for (entity, end, quality) in self.entities(at) {
            let asks = ["who", "what", "кто", "что", "те", "everyone", "everybody"];
            let asked = (at > 0 || self.tokens.len() == 1) && !asks.contains(&self.word(at));
            if entity == Entity::Rows && asked && self.closes(end) && !self.names_dim(at, end) {
                ways.push((Item::Rows(None), whole, quality));
            }
        }
        // `10 sample rows`, `a sample of 10 rows`
        let sample = ["sample", "preview", "examples", "example", "samples"];
        let mut place = at;
        let mut few = None;
        let mut sampled = false;
        for _ in 0..6 {
            let word = self.word(place);
            if sample.contains(&word) || word == "few" {
                sampled = true;
                place += 1;
            } else if ["head", "limit"].contains(&word) && place == 0 {
                place += 1;
            } else if ["a", "of", "the", "any", "some", "first", "top", "just", "random"]
                .contains(&word)
                || self.tokens.get(place).is_some_and(|t| t.is_symbol(":"))
            {
                sampled |= word == "some";
                // a drawing of lots no query makes
                if word == "random" {
                    return ways;
                }
                place += 1;
            } else if let Some((number, next)) = self.plain_count(place)
                && few.is_none()
            {
                few = Some(number);
                place = next;
            } else {
                break;
            }
        }
        let rows = self.entities(place).into_iter().find(|(e, ..)| *e == Entity::Rows);
        let worded = ["rows", "row", "records", "record", "lines", "entries", "observations"];
        let of_rows = worded.contains(&self.word(place));
        let ordered = (at..place).any(|i| ["first", "top"].contains(&self.word(i)));
        let end = rows.as_ref().map_or(place, |(_, end, _)| *end);
        let bare = place > at && rows.is_none();
        // `the first ten flights` are the earliest ones
        let fits = (rows.is_some() && (!ordered || of_rows))
            || (bare && (sampled || self.word(at) == "limit" || self.word(at) == "head"));
        if fits
            && self.closes(end)
            && (few.is_some() || sampled)
            && (few.is_some() || rows.is_none() || sampled)
        {
            ways.push((Item::Rows(Some(few.unwrap_or(FEW))), whole, 1.0));
        }
        ways
    }

    /// `break the average delay down by airline`: what opens it, and the groups.
    fn broken_down(&self, at: usize) -> Vec<Way<Item>> {
        const BREAKS: [&str; 6] = ["break", "split", "breaking", "splitting", "divide", "slice"];
        const APART: [&str; 4] = ["down", "out", "up", "apart"];
        const RUSSIAN: [&str; 8] = [
            "разбей",
            "разбейте",
            "разложи",
            "разложите",
            "разнеси",
            "раздели",
            "разделите",
            "распиши",
        ];
        let word = self.word(at);
        // `разбей среднюю оценку по жанрам`
        if RUSSIAN.contains(&word) && self.opens(at) {
            let grouped = (at + 2..self.tokens.len()).any(|i| self.take(i, Concept::By).is_some());
            return if grouped { vec![(Item::Noise, at + 1, 1.0)] } else { Vec::new() };
        }
        let by =
            |at: usize| APART.contains(&self.word(at)) && self.take(at + 1, Concept::By).is_some();
        // `break down the average delay by airline`
        if BREAKS.contains(&word)
            && self.opens(at)
            && APART.contains(&self.word(at + 1))
            && (at + 3..self.tokens.len()).any(|i| self.take(i, Concept::By).is_some())
        {
            return vec![(Item::Noise, at + 2, 1.0)];
        }
        if BREAKS.contains(&word) && self.opens(at) {
            let apart = (at + 2..self.tokens.len()).any(by);
            let split = word == "split"
                && (at + 2..self.tokens.len()).any(|i| self.take(i, Concept::By).is_some());
            return if apart || split { vec![(Item::Noise, at + 1, 1.0)] } else { Vec::new() };
        }
        let broken = (0..at).any(|i| BREAKS.contains(&self.word(i)) && self.opens(i));
        if broken && by(at) {
            return self.groupings(at + 1);
        }
        Vec::new()
    }

    /// `where is the rating higher, in comedy or drama`: the two are set side by side.
    fn higher_of_two(&self, at: usize) -> Vec<Way<Item>> {
        const MORE: [&str; 12] = [
            "higher",
            "lower",
            "more",
            "less",
            "bigger",
            "larger",
            "smaller",
            "greater",
            "выше",
            "ниже",
            "больше",
            "меньше",
        ];
        let next = self.word(at + 1);
        if !MORE.contains(&self.word(at)) || ["than", "чем"].contains(&next) {
            return Vec::new();
        }
        let or = |at: usize| {
            self.value_lists(at, None).into_iter().any(|(_, values, end, _)| {
                values.len() > 1
                    && self.closes(end)
                    && (at..end).any(|i| ["or", "или"].contains(&self.word(i)))
            })
        };
        let bounded = self.number(self.glue(at + 1)).is_some();
        let two = !bounded && (at + 1..self.tokens.len()).any(or);
        if two { vec![(Item::Compared, at + 1, 0.97)] } else { Vec::new() }
    }

    /// `all-time high`, `исторический минимум`: of bars the highest high and the lowest low, else of
    /// the measure that is named.
    fn records(&self, at: usize) -> Vec<Way<Item>> {
        let dash = |at: usize| self.range_sign(at).unwrap_or(at);
        let historic = ["historical", "historic", "record", "lifetime", "абсолютный"];
        let start = match self.word(at) {
            "all" if self.word(dash(at + 1)) == "time" => dash(at + 1) + 1,
            word if historic.contains(&word) || word.starts_with("историческ") => at + 1,
            _ => return Vec::new(),
        };
        let start = dash(start);
        let agg = match self.word(start) {
            "high" | "peak" | "maximum" | "максимум" | "пик" => Agg::Max,
            "low" | "bottom" | "minimum" | "минимум" | "дно" => Agg::Min,
            _ => return Vec::new(),
        };
        let metric = |measure| {
            Item::Metrics(vec![Metric { agg: Some(agg), measure: Some(measure), every: None }])
        };
        let end = start + 1;
        let said = self.measures(self.glue(end));
        if !said.is_empty() {
            return said.into_iter().map(|(m, end, q)| (metric(m), end, q)).collect();
        }
        let bars = self.schema.ohlcv.as_ref();
        let name = bars.map(|bars| if agg == Agg::Max { &bars.high } else { &bars.low });
        let column = self.schema.columns.iter().position(|c| Some(&c.name) == name);
        column.map(|c| (metric(Measure::Column(c)), end, 0.97)).into_iter().collect()
    }

    /// `more tickets sold than capacity`
    fn more_than_other(&self, at: usize) -> Vec<Way<Item>> {
        let cmp = match self.word(at) {
            "more" | "higher" | "greater" | "larger" | "bigger" => Cmp::Gt,
            "less" | "lower" | "smaller" | "fewer" => Cmp::Lt,
            _ => return Vec::new(),
        };
        let mut ways = Vec::new();
        for (one, end, q) in self.measures(self.glue(at + 1)) {
            if self.word(end) != "than" {
                continue;
            }
            for (other, end, r) in self.measures(self.glue(end + 1)) {
                if one != other {
                    let cond = Cond::Compare(one, cmp, Operand::Measure(other));
                    ways.push((Item::Filter(cond), end, q * r));
                }
            }
        }
        ways
    }

    fn plain_count(&self, at: usize) -> Option<(u64, usize)> {
        let (number, end) = self.plain_number(at)?;
        let year = matches!(
            self.tokens.get(at).map(|t| &t.kind),
            Some(TokenKind::Number { year: true, .. })
        );
        (!year && (1.0..=10_000.0).contains(&number) && number.fract() == 0.0)
            .then_some((number as u64, end))
    }

    /// `total flights`, where nothing of the table adds up as money does: how many.
    fn totals_of_rows(&self, at: usize) -> Vec<Way<Item>> {
        let Some(end) = self.take(at, Concept::Agg(Agg::Sum)) else { return Vec::new() };
        if !["total", "overall", "tot"].contains(&self.word(at)) || !self.of_money().is_empty() {
            return Vec::new();
        }
        let entities = self.entities(self.glue(end)).into_iter();
        entities
            .filter(|(entity, ..)| *entity == Entity::Rows)
            .map(|(entity, end, quality)| {
                (Item::Count(Target::Entity(entity)), end, quality * 0.92)
            })
            .collect()
    }

    /// The end of `onwards`, `on`, `until now` after a date.
    pub(super) fn onwards(&self, at: usize) -> Option<usize> {
        const ENDS: [&[&str]; 15] = [
            &["onwards"],
            &["onward"],
            &["forward"],
            &["forwards"],
            &["and", "onwards"],
            &["and", "later"],
            &["or", "later"],
            &["and", "after"],
            &["or", "after"],
            &["till", "now"],
            &["until", "now"],
            &["to", "date"],
            &["to", "now"],
            &["to", "the", "end"],
            &["and", "newer"],
        ];
        let fits =
            |list: &&&[&str]| list.iter().enumerate().all(|(i, word)| self.word(at + i) == *word);
        // `on Fridays` is something else
        if self.word(at) == "on" && self.closes(at + 1) {
            return Some(at + 1);
        }
        ENDS.iter().filter(fits).map(|list| at + list.len()).max()
    }
}
