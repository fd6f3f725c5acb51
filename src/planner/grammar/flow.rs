//! Productions for what is done with groups: their change, their share in the whole, their order.

use super::super::lattice::{BY_DICTIONARY, Lattice};
use super::super::sketch::{Cond, Dim, Entity, Item, Measure, Metric};
use super::super::token::Unit;
use super::super::words::{Agg, Concept, Part};
use super::Way;
use crate::schema::Kind;

impl Lattice<'_> {
    /// `change against the previous month`, `month over month`, `изменение к предыдущему году`.
    pub(super) fn changes(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let mut starts = vec![(at, false, false)];
        for (percent, end) in self.find(at, |c| match c {
            Concept::Difference(percent) => Some(percent),
            _ => None,
        }) {
            starts.push((end, percent, true));
            // `change in percent`, `change of it`
            if let Some((Unit::Percent, end)) = self.unit(self.over_stop(end)) {
                starts.push((end, true, true));
            }
        }
        // `% change to previous month`
        if let Some((Unit::Percent, end)) = self.unit(at)
            && let Some((_, end)) = self.difference(end)
        {
            starts.push((end, true, true));
        }
        // `growth of sales by year`: of what is no market, against the group before
        const GROWTH: [&str; 5] = ["growth", "рост", "роста", "прирост", "прироста"];
        if GROWTH.contains(&self.word(at))
            && self.schema.ohlcv.is_none()
            && self.column_ways(at).next().is_none()
            && self.is_by_time()
        {
            ways.push((Item::Change { percent: false, part: None }, at + 1, 0.97));
        }
        for (start, percent, said) in starts {
            let quality = if said { 1.0 } else { 0.97 };
            for (concept, end) in self.concepts(start) {
                match concept {
                    Concept::Previous => {
                        let part = self.part(self.glue(end));
                        let after = part.map_or(end, |(_, end)| end);
                        let part = part.map(|(part, _)| part);
                        ways.push((Item::Change { percent, part }, after, quality));
                    }
                    Concept::Over(part) => {
                        ways.push((Item::Change { percent, part: Some(part) }, end, quality));
                    }
                    _ => {}
                }
            }
            // said apart from what it is against: `percent change of total amount month over month`
            if said {
                ways.push((Item::Differ { percent }, start, 0.99));
            }
        }
        ways
    }

    /// Something is asked for by a part of time.
    fn is_by_time(&self) -> bool {
        (0..self.tokens.len()).any(|at| {
            self.concepts(at).any(|(concept, end)| match concept {
                Concept::ByPart(_) => true,
                Concept::By | Concept::Each => {
                    let dims = self.dims(self.glue(end));
                    dims.iter().any(|(dim, ..)| matches!(dim, Dim::Part(_)))
                }
                _ => false,
            })
        })
    }

    fn difference(&self, at: usize) -> Option<(bool, usize)> {
        self.find(at, |c| match c {
            Concept::Difference(percent) => Some(percent),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }

    pub(super) fn part(&self, at: usize) -> Option<(Part, usize)> {
        self.find(at, |c| match c {
            Concept::Part(part) => Some(part),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }

    /// Glue and one word that means nothing.
    fn over_stop(&self, at: usize) -> usize {
        let at = self.glue(at);
        self.glue(self.take(at, Concept::Stop).unwrap_or(at))
    }

    /// `share of each category in total amount`, `доля каждого магазина в сумме`.
    pub(super) fn shares_of_whole(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let starts = self.find(at, |c| (c == Concept::Agg(Agg::Pct)).then_some(()));
        for ((), end) in starts {
            let next = self.over_stop(end);
            for (dim, end, q) in self.each_dim(next) {
                for (measure, end, r) in self.totals(self.over_stop(end)) {
                    ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                }
            }
            // `share of revenue by city`, `процент заказов по городам`
            for (measure, end, q) in self.totals(next) {
                let place = self.over_stop(end);
                for by in [end, place].into_iter().filter_map(|at| self.take(at, Concept::By)) {
                    for (dim, end, r) in self.dims(self.glue(by)) {
                        ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                    }
                }
            }
            // `share of each species`: in the number of rows, where no money is meant instead
            let sure = if self.of_money().is_empty() { 0.93 } else { 0.72 };
            for (dim, end, q) in self.each_dim(next) {
                if self.closes(end) {
                    ways.push((Item::ShareOf { dim, measure: None }, end, q * sure));
                }
            }
            // `уровень отмен` is a rate, `уровень продаж` none of their share
            let rate = ["уровень", "частота", "частоту", "вероятность"].contains(&self.word(at));
            for (entity, end, q) in self.entities(next) {
                if entity != Entity::Rows || rate {
                    continue;
                }
                // `share of readings that falls on each status`
                let place = self.over_stop(self.over_stop(end));
                let each = [end, place].into_iter().find_map(|at| self.take(at, Concept::Each));
                for by in each.into_iter().chain(self.take(end, Concept::By)) {
                    for (dim, end, r) in self.dims(self.glue(by)) {
                        ways.push((Item::ShareOf { dim, measure: None }, end, q * r * 0.97));
                    }
                }
            }
            for (measure, end, q) in self.totals(next) {
                // `goes to each category`, `составляет каждый магазин`
                let mut place = self.over_stop(self.over_stop(end));
                if self.each_dim(place).is_empty() {
                    place += 1;
                }
                for (dim, end, r) in self.each_dim(place) {
                    ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                }
            }
        }
        ways
    }

    /// `share of Berlin in sales`, `share of quantity from Berlin`, `Berlin's share of sales`.
    pub(super) fn shares_in(&self, at: usize) -> Vec<Way<Item>> {
        let share = |at: usize| {
            self.find(at, |c| (c == Concept::Agg(Agg::Pct)).then_some(())).into_iter().map(|w| w.1)
        };
        let of =
            |column: usize, values: Vec<String>| Cond::Values { column, values, negated: false };
        let mut ways = Vec::new();
        for end in share(at) {
            let next = self.over_stop(end);
            for (column, values, end, q) in self.value_lists(next, None) {
                let cond = of(column, values);
                let place = self.over_stop(end);
                for (measure, end, r) in self.totals(place) {
                    ways.push((Item::ShareIn(cond.clone(), Some(measure)), end, q * r * 0.97));
                }
                for (entity, end, r) in self.entities(place) {
                    if entity == Entity::Rows {
                        ways.push((Item::ShareIn(cond.clone(), None), end, q * r * 0.97));
                    }
                }
            }
            // `what share of sales comes from Berlin`, `приходится на Берлин`
            for (measure, end, q) in self.totals(next) {
                let first = self.over_stop(end);
                let places = [first, self.over_stop(first), self.glue(end + 1)];
                let mut found: Vec<Way<Item>> = Vec::new();
                for place in places {
                    for (column, values, end, r) in self.value_lists(place, None) {
                        let item = Item::ShareIn(of(column, values), Some(measure));
                        if !found.iter().any(|(old, ..)| *old == item) {
                            found.push((item, end, q * r * 0.97));
                        }
                    }
                }
                ways.extend(found);
            }
        }
        // `Berlin's share of sales`
        for (column, values, end, q) in self.value_lists(at, None) {
            for end in share(end) {
                for (measure, end, r) in self.totals(self.over_stop(end)) {
                    let item = Item::ShareIn(of(column, values.clone()), Some(measure));
                    ways.push((item, end, q * r * 0.97));
                }
            }
        }
        ways
    }

    fn each_dim(&self, at: usize) -> Vec<Way<Dim>> {
        let start = self.take(at, Concept::Stop).unwrap_or(at);
        let mut found = Vec::new();
        for place in [at, start] {
            if let Some(end) = self.take(place, Concept::Each) {
                found.extend(self.dims(self.glue(end)));
            }
        }
        found.dedup();
        found
    }

    /// A measure, or the total of one.
    fn totals(&self, at: usize) -> Vec<Way<Measure>> {
        let mut found = self.measures(at);
        // `total`, `in the total sum of`
        let mut place = at;
        for _ in 0..3 {
            let Some(end) = self.take(place, Concept::Agg(Agg::Sum)) else { break };
            place = self.glue(end);
            found.extend(self.measures(place));
        }
        found
    }

    /// `sorted by rating`, `отсортируй тарифы по оценке`; `by the fall`; `show them`.
    pub(super) fn ordered_by(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        if let Some(end) = self.take(at, Concept::SortBy) {
            // `sorted by date`
            let next = self.glue(end);
            let times = self.column_ways(next).filter(|&(column, ..)| self.is_time_column(column));
            ways.extend(times.map(|(_, end, quality)| (Item::ByTime(false), end, quality)));
            const DATES: [&str; 6] = ["date", "time", "day", "дате", "времени", "датам"];
            let other = !self.measures(next).is_empty();
            if self.time_column().is_some() && !other && DATES.contains(&self.word(next)) {
                ways.push((Item::ByTime(false), next + 1, 1.0));
            }
            // `films ranked by budget`: the largest first
            let ranked = ["rank", "ранжир"].iter().any(|w| self.word(at).starts_with(w));
            let by = self.take(at + 1, Concept::By).is_some();
            if ranked && by {
                ways.push((Item::Sorted(true), at + 1, 1.0));
            }
            // rows in that order, not groups
            let rows = |i: usize| {
                let named = self.entities(i);
                named.iter().any(|&(entity, end, _)| entity == Entity::Rows && end <= at)
            };
            let fit = if ranked && by && (0..at).any(rows) { 0.7 } else { 1.0 };
            for (metrics, end, quality) in self.metrics(self.glue(end)) {
                if let [metric] = metrics[..] {
                    ways.push((Item::SortedBy(metric), end, quality * fit));
                }
            }
            // `sorted by name`, `by release date`, `by number of votes`
            let sorted = |column: usize| {
                let measure = Some(Measure::Column(column));
                Item::SortedBy(Metric { agg: None, measure, every: None })
            };
            for (column, end, quality) in self.column_ways(self.glue(end)) {
                let kind = self.kind(column).filter(|_| !self.is_time_column(column));
                if kind.is_some_and(|k| k == Kind::Text || k.is_time()) {
                    ways.push((sorted(column), end, quality));
                }
            }
            if let (Some(_), Some((_, end))) = (self.time_column(), self.part(next)) {
                ways.push((Item::ByTime(false), end, 0.97));
            }
            if let Some(counted) = self.take(self.glue(end), Concept::Count) {
                for (column, end, quality) in self.number_columns(self.glue(counted)) {
                    ways.push((sorted(column), end, quality));
                }
            }
        }
        // `отсортируй тарифы по средней оценке`
        let sort = [
            "sort",
            "rank",
            "order",
            "ranking",
            "arrange",
            "отсортируй",
            "отсортируйте",
            "отсортировать",
            "упорядочи",
            "упорядочить",
            "сортируй",
            "ранжируй",
            "рейтинг",
            "расположи",
            "расставь",
        ];
        // where a column is called `рейтинг`, it is that
        let measured = self.number_columns(at).next().is_some();
        if sort.contains(&self.word(at)) && !measured {
            for (entity, end, quality) in self.entities(self.over_stop(at + 1)) {
                let Some(by) = self.take(end, Concept::By) else { continue };
                if entity != Entity::Rows {
                    continue;
                }
                for (column, end, q) in self.column_ways(self.glue(by)) {
                    if self.kind(column) != Some(Kind::Bool) {
                        let measure = Some(Measure::Column(column));
                        let metric = Metric { agg: None, measure, every: None };
                        ways.push((Item::SortedRows(metric), end, quality * q));
                    }
                }
            }
            for (dim, end, quality) in self.dims(self.over_stop(at + 1)) {
                let Some(by) = self.take(end, Concept::By) else { continue };
                // `rank airlines by number of flights` sorts what it counts
                let counted = self.glue(by);
                if self.counts(counted).is_empty() && self.entities(counted).is_empty() {
                    ways.push((Item::Ranked(dim), end, quality));
                }
            }
        }
        if let Some(end) = self.take(at, Concept::By)
            && self.schema.ohlcv.is_some()
        {
            for (up, end) in self.find(self.glue(end), |c| match c {
                Concept::Move(up) => Some(up),
                _ => None,
            }) {
                ways.push((Item::ByMove(up), end, 1.0));
            }
        }
        if let Some(end) = self.take(at, Concept::Listing) {
            ways.push((Item::Listing, end, 1.0));
        }
        if let Some(end) = self.take(at, Concept::Reverse) {
            ways.push((Item::Reverse, end, 1.0));
        }
        ways
    }

    /// `show title and score of`, `with their scores`: columns of rows.
    pub(super) fn shown_columns(&self, at: usize) -> Vec<Way<Item>> {
        const VERBS: &[&str] = &[
            "show",
            "list",
            "give",
            "display",
            "print",
            "output",
            "get",
            "return",
            "select",
            "tell",
            "покажи",
            "покажите",
            "выведи",
            "выведите",
            "перечисли",
            "перечислите",
            "дай",
            "дайте",
            "отобрази",
            "отобразите",
            "выдай",
            "показать",
            "вывести",
        ];
        const BESIDE: &[(&str, &str)] = &[
            ("with", "their"),
            ("with", "its"),
            ("with", "his"),
            ("with", "her"),
            ("and", "their"),
            ("and", "its"),
            ("along", "with"),
            ("together", "with"),
            ("с", "их"),
            ("со", "их"),
            ("и", "их"),
            ("вместе", "с"),
            ("с", "указанием"),
        ];
        let beside = BESIDE.contains(&(self.word(at), self.word(at + 1)));
        if !beside && !VERBS.contains(&self.word(at)) {
            return Vec::new();
        }
        let mut next = if beside { at + 2 } else { at + 1 };
        if self.word(at + 1) == "with" && ["their", "its"].contains(&self.word(at + 2)) {
            next += 1;
        }
        for _ in 0..3 {
            let here = self.glue(next);
            next = self.take(here, Concept::Stop).unwrap_or(here);
        }
        let mut columns: Vec<usize> = Vec::new();
        let (mut end, mut sure) = (next, 1.0);
        loop {
            let best = self
                .column_ways(self.glue(next))
                .filter(|&(.., quality)| quality >= BY_DICTIONARY)
                .max_by(|a, b| a.1.cmp(&b.1).then(a.2.total_cmp(&b.2)));
            let Some((column, after, quality)) = best else { break };
            if columns.contains(&column) {
                return Vec::new();
            }
            columns.push(column);
            (end, sure) = (after, sure * quality);
            // `a, b, and c`
            let Some(mut more) = self.take(after, Concept::And) else { break };
            more = self.take(more, Concept::And).unwrap_or(more);
            next = more;
        }
        let number = |&c: &usize| self.kind(c).is_some_and(Kind::is_numeric);
        // numbers alone are more likely to be added up
        let enough = if beside { 1 } else { 2 };
        if columns.len() < enough || (!beside && columns.iter().all(number)) {
            return Vec::new();
        }
        vec![(Item::Columns(columns), end, sure)]
    }

    /// The column whose alphabet is meant: a text column that is named, or the only one of names.
    fn named_by(&self) -> Option<(usize, f64)> {
        let text = |column: usize| self.kind(column) == Some(Kind::Text);
        let mut said: Vec<usize> = (0..self.tokens.len())
            .filter(|&at| !self.is_value(at))
            .flat_map(|at| self.column_ways(at))
            .filter(|&(column, _, quality)| text(column) && quality >= BY_DICTIONARY)
            .map(|(column, ..)| column)
            .collect();
        said.sort_unstable();
        said.dedup();
        let names: Vec<usize> = (0..self.schema.columns.len())
            .filter(|&c| text(c) && self.schema.columns.get(c).is_some_and(|c| c.values.is_none()))
            .collect();
        match (&said[..], &names[..]) {
            ([column], _) | ([], [column]) => Some((*column, 0.97)),
            ([column, ..], _) | ([], [column, ..]) => Some((*column, 0.6)),
            _ => None,
        }
    }

    /// `newest orders first`: true for the newest, the end of that word, and where `first` stands.
    fn newest_first(&self, at: usize) -> Option<(bool, usize, usize)> {
        const NEW: [&str; 3] = ["newest", "latest", "recent"];
        const OLD: [&str; 2] = ["oldest", "earliest"];
        self.time_column()?;
        let most = usize::from(self.word(at) == "most" && self.word(at + 1) == "recent");
        let (word, end) = (self.word(at + most), at + most + 1);
        let newest = NEW.contains(&word);
        let rows = self.entities(end).into_iter().find(|&(entity, noun, _)| {
            entity == Entity::Rows && self.word(noun) == "first" && (newest || OLD.contains(&word))
        });
        rows.map(|(_, noun, _)| (newest, end, noun))
    }

    /// `first` of `newest orders first` says no more than the word before it.
    pub(super) fn ends_order(&self, at: usize) -> bool {
        self.word(at) == "first"
            && (0..at).any(|i| self.newest_first(i).is_some_and(|(.., first)| first == at))
    }

    /// `largest amount first`, `newest orders first`: what comes out begins with them.
    fn first_of_order(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let first = |at: usize| (self.word(at) == "first").then_some(at + 1);
        for (descending, end) in self.find(at, |c| match c {
            Concept::Most(descending) => Some(descending),
            _ => None,
        }) {
            for (column, end, quality) in self.number_columns(self.glue(end)) {
                if let Some(end) = first(end) {
                    ways.push((Item::InOrder(column, descending), end, quality));
                }
            }
        }
        if let Some((newest, end, _)) = self.newest_first(at) {
            ways.push((Item::ByTime(newest), end, 1.0));
        }
        ways
    }

    /// `highest first`, `по убыванию`; `a day`, `в месяц`.
    pub(super) fn orders(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = self.first_of_order(at);
        for (concept, end) in self.concepts(at) {
            match concept {
                // `from the highest`, of what comes out and not of a fall
                Concept::Sorted(_)
                    if (self.word(at), self.word(at + 1)) == ("from", "the")
                        && end < self.tokens.len() => {}
                Concept::Sorted(descending) => ways.push((Item::Sorted(descending), end, 1.0)),
                Concept::TimeOrder(last) if self.time_column().is_some() => {
                    ways.push((Item::ByTime(last), end, 1.0));
                }
                Concept::BestFirst(best) => ways.push((Item::BestFirst(best), end, 1.0)),
                Concept::Alphabet => {
                    if let Some((column, quality)) = self.named_by() {
                        ways.push((Item::InOrder(column, false), end, quality));
                    }
                }
                Concept::PerPart(part) if self.time_column().is_some() => {
                    // `a fall of 3% in a day`
                    let within = at > 0 && ["in", "within"].contains(&self.word(at - 1));
                    if within && part == Part::Day && self.schema.ohlcv.is_some() {
                        ways.push((Item::Every(part), end, 1.0));
                        continue;
                    }
                    ways.push((Item::Each(part), end, 1.0));
                }
                _ => {}
            }
        }
        ways
    }
}
