//! Questions for counts and aggregates: `how many days`, `average gap by weekday`.

use super::super::grammar::unit_fits;
use super::super::sketch::{
    Cond, Dim, Entity, Measure, Metric, Operand, Select, Sketch, Target, Then,
};
use super::super::token::Unit;
use super::super::words::{Agg, Cmp, Derived, Part};
use super::table::Table;
use super::{LEFT_OVER, Parts, UNSAID, leftovers};

impl Table<'_> {
    /// `how many days did the market fall`, `number of shops`
    pub(super) fn counting(&self, parts: &Parts) -> Vec<Sketch> {
        let Some(&target) = parts.counts.first() else { return Vec::new() };
        let mut sketch = parts.base();
        let implied =
            parts.filters.iter().flat_map(Cond::leaves).any(|c| matches!(c, Cond::Implied { .. }));
        let select = match target {
            Target::Entity(Entity::Days) if !self.bars() && !self.a_row_a_day() => {
                Select::CountDistinct(Dim::Part(Part::Day))
            }
            Target::Entity(Entity::Times) => {
                sketch.days = true;
                // a run is counted once, when it gets that long
                let once = |c| match c {
                    Cond::Streak(run, Cmp::Ge, n) => Cond::Streak(run, Cmp::Eq, n),
                    other => other,
                };
                sketch.filters = sketch.filters.into_iter().map(|c| c.map(&once)).collect();
                Select::Count
            }
            Target::Entity(_) => Select::Count,
            Target::Distinct(dim) => Select::CountDistinct(dim),
            Target::Unsaid => {
                // `сколько вырос индекс` asks by how much
                if parts.by_how_much(self) && parts.ranks.is_empty() {
                    sketch.quality *= 0.7;
                }
                // `сколько в среднем …` asks how much
                if parts.metrics.iter().any(|m| m.measure.is_some()) && !implied {
                    sketch.quality *= 0.7;
                }
                if sketch.filters.is_empty()
                    && sketch.groups.is_empty()
                    && !parts.entities.contains(&Entity::Rows)
                {
                    sketch.quality *= 0.6;
                }
                Select::Count
            }
        };
        // `сколько дней в среднем закрывают`: the mean of what is in days
        if target == Target::Entity(Entity::Days)
            && let [Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: Some(m), .. }] =
                parts.metrics[..]
            && self.is_span(m)
        {
            sketch.select = vec![Select::Agg(agg, m)];
            sketch.quality *= 0.9 * leftovers(&[!parts.order.is_empty(), !parts.dims.is_empty()]);
            return vec![sketch];
        }
        sketch.select = vec![select];
        // `how many purchases and total amount by shop`
        let mut bare = false;
        for metric in &parts.metrics {
            match (metric.agg, metric.measure) {
                // `how many days was the volume of KO below 30`
                (None, Some(_)) if implied && parts.metrics.len() == 1 => {}
                (Some(agg), Some(measure)) => sketch.select.push(Select::Agg(agg, measure)),
                // `how many purchases a day on average`
                (Some(agg @ (Agg::Mean | Agg::Median)), None)
                    if sketch.then.is_none() && self.per_part(&mut sketch, parts) =>
                {
                    sketch.then = Some(Then::Agg(agg));
                }
                // `average number of visits per member`, or the rows of each and their average
                (Some(agg @ (Agg::Mean | Agg::Median)), None)
                    if sketch.then.is_none()
                        && matches!(sketch.groups[..], [Dim::Column(_)])
                        && matches!(target, Target::Entity(Entity::Rows)) =>
                {
                    sketch.then = Some(Then::Agg(agg));
                    sketch.quality *= 0.74;
                }
                // `how many visits in total`
                (Some(Agg::Sum), None)
                    if matches!(
                        target,
                        Target::Entity(Entity::Rows) | Target::Distinct(Dim::Column(_))
                    ) => {}
                _ => bare = true,
            }
        }
        sketch.quality *= leftovers(&[
            bare,
            !parts.order.is_empty(),
            !parts.dims.is_empty(),
            // named twice: `how many rows days`
            parts.entities.len() > 1,
        ]);
        vec![sketch]
    }

    /// `average gap by weekday`
    pub(super) fn aggregate(&self, parts: &Parts) -> Vec<Sketch> {
        let mut base = parts.base();
        let entity = parts.entities.iter().any(|e| *e != Entity::Days);
        base.quality *= leftovers(&[!parts.order.is_empty(), parts.dims.len() > 1]);
        // `average amount shop`: a grouping without its word
        if let [_] = parts.dims[..]
            && parts.named
            && !parts.which
        {
            // `average time of runners`: rows, by a name that each has
            base.quality *= 0.88;
        } else if let [dim] = parts.dims[..] {
            base.groups.push(dim);
            base.quality *= if parts.which { LEFT_OVER } else { 0.72 };
        }
        if entity && parts.groups.is_empty() {
            base.quality *= 0.98;
        }
        if parts.entities.contains(&Entity::Days) {
            let extreme = |m: &Metric| matches!(m.agg, Some(Agg::Min | Agg::Max));
            if !self.bars() {
                // `average amount day`: of each day, or of the days
                base.quality *= 0.72;
            } else if parts.metrics.iter().any(extreme) {
                base.quality *= 0.9;
            }
        }
        if let Some(sketches) = self.per_part_of(&base, parts) {
            return sketches;
        }
        // `average daily visits`: how many of them there are in one
        if let [Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: None, .. }] =
            parts.metrics[..]
            && parts.entities == [Entity::Rows]
            && !self.bars()
        {
            let mut sketch = base.clone();
            if self.per_part(&mut sketch, parts) {
                sketch.select = vec![Select::Count];
                sketch.then = Some(Then::Agg(agg));
                sketch.quality *= 0.9;
                return vec![sketch];
            }
        }
        let said: Vec<Agg> = parts.metrics.iter().filter_map(|m| m.agg).collect();
        let measures: Vec<Measure> = parts.metrics.iter().filter_map(|m| m.measure).collect();
        let complete = |m: &Metric| Some(Select::Agg(m.agg?, m.measure?));
        let mut sketches = Vec::new();
        sketches.extend(self.return_of(parts, &base));
        if let Some(select) = parts.metrics.iter().map(complete).collect::<Option<Vec<_>>>() {
            let mut sketch = base.clone();
            sketch.select = select;
            self.per_day(&mut sketch, &mut sketches);
            sketches.push(sketch);
        } else if said.len() == parts.metrics.len() && measures.is_empty() {
            // an aggregate of nothing: every numeric column in turn
            let mut columns = self.numeric();
            let mut quality = if columns.len() == 1 { 0.93 } else { UNSAID };
            // `the last one` has no number to it; two that stand apart are not about the same
            if said.iter().any(|a| matches!(a, Agg::First | Agg::Last)) || parts.metric_items > 1 {
                quality = 0.5;
            }
            // `average gap up`: what the condition is about
            let about = base.measures();
            if let [measure @ Measure::Derived(derived, _)] = about[..] {
                // `how much did it rise`: from the first day to the last, not the rises alone
                let moved = derived == Derived::Change && said == [Agg::Sum];
                (columns, quality) = (vec![measure], if moved { 0.7 } else { 0.85 });
            }
            // `average receipt`: the money of one
            let total = said == [Agg::Sum] && !(base.groups.is_empty() && base.filters.is_empty());
            let main = self.main().filter(|_| (entity || total) && columns.len() > 1);
            for measure in columns {
                let mut sketch = base.clone();
                if main.is_some() {
                    sketch.quality *= if main == Some(measure) { 1.25 } else { 0.8 };
                }
                sketch.select = said.iter().map(|&agg| Select::Agg(agg, measure)).collect();
                sketch.quality *= quality * if self.is_main(measure) { 1.0 } else { 0.95 };
                sketches.push(sketch);
            }
        } else if let [
            Metric { agg: Some(Agg::Sum) | None, measure: Some(measure), .. },
            Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: None, .. },
        ]
        | [
            Metric { agg: Some(Agg::Sum), measure: None, .. },
            Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: Some(measure), .. },
        ] = &parts.metrics[..]
        {
            // `how many items on average`, `сколько в среднем позиций`
            let mut sketch = base.clone();
            sketch.select = vec![Select::Agg(*agg, *measure)];
            sketch.quality *= 0.88;
            // `how much do I spend per month on average` is of the months
            if matches!(base.groups[..], [Dim::Part(_)]) && !self.bars() && self.adds_up(*measure) {
                sketch.quality *= 0.85;
            }
            sketches.push(sketch);
        } else if let ([measure], true) = (&measures[..], said.is_empty()) {
            // a measure without an aggregate
            // money by shop is the money that went there
            let bare = base.groups.is_empty() && base.filters.is_empty() && parts.change.is_none();
            // `workouts that burned 1200 calories or more`: rows
            let own = |c: &Cond| matches!(c, Cond::Compare(m, ..) if m == measure);
            let bounded = base.groups.is_empty()
                && !self.bars()
                && base.filters.iter().flat_map(Cond::leaves).any(own);
            let fit = match (self.is_summed(*measure), base.groups.is_empty()) {
                _ if bounded => 0.45,
                (true, _) if !bare => 0.85,
                _ if !bare && self.is_quantity(*measure) => 0.83,
                (_, true) => 0.6,
                _ if self.is_typical(*measure) => 0.85,
                _ => UNSAID,
            };
            for (rank, agg) in self.usual(*measure).into_iter().enumerate() {
                let mut sketch = base.clone();
                sketch.select = vec![Select::Agg(agg, *measure)];
                sketch.quality *= fit * if rank == 0 { 1.0 } else { 0.8 };
                sketches.push(sketch);
            }
            if base.groups.is_empty() && !base.filters.is_empty() && base.select.is_empty() {
                // `days when the RSI of KO was below 30`
                let implied = parts
                    .filters
                    .iter()
                    .flat_map(Cond::leaves)
                    .any(|c| matches!(c, Cond::Implied { .. }));
                let listed = match (implied, parts.entities.is_empty()) {
                    _ if bounded => 0.9,
                    (true, false) => 0.95,
                    (true, true) => 0.8,
                    (false, _) => 0.5,
                };
                let rows =
                    Parts { metrics: Vec::new(), entities: vec![Entity::Rows], ..parts.clone() };
                sketches.extend(
                    rows.listing().into_iter().map(|s| Sketch { quality: s.quality * listed, ..s }),
                );
            }
        } else if let ([measure], true) =
            (&measures[..], said.len() > 1 && said.len() + 1 == parts.metrics.len())
        {
            // `price in the VIP hall: minimum and maximum`
            let mut sketch = base.clone();
            sketch.select = said.iter().map(|&agg| Select::Agg(agg, *measure)).collect();
            sketch.quality *= 0.85;
            sketches.push(sketch);
        } else if said.is_empty()
            && measures.len() > 1
            && measures.len() == parts.metrics.len()
            && !base.groups.is_empty()
            && measures.iter().all(|&m| self.adds_up(m))
        {
            // `weight and fuel by field`
            let mut sketch = base.clone();
            sketch.select = measures.iter().map(|&m| Select::Agg(Agg::Sum, m)).collect();
            sketch.quality *= if measures.iter().all(|&m| self.is_summed(m)) { 0.85 } else { 0.76 };
            sketches.push(sketch);
        } else if let [agg] = said[..] {
            // `average open, close`: one aggregate for all
            let mut sketch = base.clone();
            sketch.select = measures.iter().map(|&m| Select::Agg(agg, m)).collect();
            let apart = measures.len() + 1 == parts.metrics.len();
            sketch.quality *= match measures.len() == parts.metrics.len() {
                // `gap at the open on average`: of which of them
                true if parts.metric_items > 1 => 0.7,
                true => 0.8,
                // `average … delay`, with something between them
                false if matches!(agg, Agg::First | Agg::Last) => LEFT_OVER,
                false
                    if apart
                        && measures.len() == 1
                        && matches!(agg, Agg::Mean | Agg::Median | Agg::Std) =>
                {
                    0.85
                }
                // `how much did each hall earn`
                false
                    if apart && agg == Agg::Sum && measures.iter().all(|&m| self.is_summed(m)) =>
                {
                    0.85
                }
                false if apart => 0.7,
                false => LEFT_OVER,
            };
            sketches.push(sketch);
        }
        sketches
    }

    /// `average volume per day` of intraday bars is more likely the average of daily volumes.
    fn per_day(&self, sketch: &mut Sketch, more: &mut Vec<Sketch>) {
        if self.schema.is_intraday()
            && self.bars()
            && sketch.groups == [Dim::Part(Part::Day)]
            && sketch.select.iter().any(|s| matches!(s, Select::Agg(Agg::Mean | Agg::Median, _)))
        {
            let mut daily = sketch.clone();
            daily.groups.clear();
            daily.days = true;
            daily.quality *= 0.74;
            sketch.quality *= 0.7;
            more.push(daily);
        }
    }

    /// Finds the measures of comparisons that name none.
    pub(super) fn implied(&self, sketch: Sketch, parts: &Parts) -> Vec<Sketch> {
        let implied: Vec<Cond> = sketch
            .conditions()
            .flat_map(Cond::leaves)
            .filter(|c| matches!(c, Cond::Implied { .. }))
            .cloned()
            .collect();
        let Some(Cond::Implied { unit, .. }) = implied.first().cloned() else {
            return vec![sketch];
        };
        // two numbers of different things
        if implied.iter().any(|c| !matches!(c, Cond::Implied { unit: u, .. } if *u == unit)) {
            return Vec::new();
        }
        // two bounds on the same side are of different things
        let above = |c: &Cond| match c {
            Cond::Implied { cmp, .. } => matches!(cmp, Cmp::Gt | Cmp::Ge),
            _ => false,
        };
        if let [one, two] = &implied[..]
            && above(one) == above(two)
        {
            return Vec::new();
        }
        let mut said: Vec<Measure> =
            parts.metrics.iter().chain(&parts.order).filter_map(|m| m.measure).collect();
        said.dedup();
        let percent = unit == Some(Unit::Percent);
        let fits = |measure: &Measure| match measure {
            Measure::Derived(..) => !matches!(unit, Some(Unit::Money | Unit::Declared(_))),
            Measure::Indicator(..) => unit.is_none(),
            Measure::Streak(_) | Measure::Math(..) | Measure::Days(..) => false,
            Measure::Column(column) => unit.is_none_or(|u| unit_fits(self.schema, *column, u)),
        };
        let mut numeric: Vec<Measure> = self.numeric().into_iter().filter(fits).collect();
        // `over 500 euros`: of the columns of money
        if unit == Some(Unit::Money) && numeric.iter().any(|&m| self.is_in_money(m)) {
            numeric.retain(|&m| self.is_in_money(m));
        }
        let candidates: Vec<(Measure, f64)> = match (&said[..], &numeric[..]) {
            // `average volume between 10 and 11` may as well be hours
            ([measure], _) if fits(measure) && self.could_be_hours(&implied) => {
                vec![(*measure, 0.72)]
            }
            ([measure], _) if fits(measure) => vec![(*measure, 0.9)],
            // `average salary of people over 40 years old`
            ([_, ..], [only]) if matches!(unit, Some(Unit::Declared(_))) => vec![(*only, 0.93)],
            ([_, ..], _) => return Vec::new(),
            ([], [only]) => vec![(*only, 0.93)],
            // a number over rows that have a price tag is money
            ([], list) => {
                // `how many patients are over 80`: of the patients, not of what they pay
                let rows = parts.counts.iter().all(|c| !matches!(c, Target::Distinct(_)));
                let main = if rows && !self.could_be_hours(&implied) { 0.9 } else { 0.7 };
                list.iter().map(|&m| (m, if self.main() == Some(m) { main } else { 0.6 })).collect()
            }
        };
        candidates
            .into_iter()
            .map(|(measure, quality)| {
                let measure = match measure {
                    Measure::Derived(d, p) => Measure::Derived(d, p || percent),
                    other => other,
                };
                let fill = |cond| match cond {
                    Cond::Implied { cmp, number, .. } => {
                        Cond::Compare(measure, cmp, Operand::Number(number))
                    }
                    other => other,
                };
                let mut filled = sketch.clone();
                filled.filters = filled.filters.into_iter().map(|c| c.map(&fill)).collect();
                for select in &mut filled.select {
                    if let Select::Share(conds) = select {
                        *conds = conds.drain(..).map(|c| c.map(&fill)).collect();
                    }
                }
                filled.quality *= quality;
                filled
            })
            .collect()
    }
}
