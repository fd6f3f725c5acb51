//! Follow-ups: a question that names only a filter, a grouping, an aggregate, a measure or an order
//! changes the query before it and leaves the rest as it was.

mod alone;
mod amount;
mod ends;
mod join;

pub(super) use alone::{
    by_how_much, compares_two, counts_rows, goes_on, has_subject, in_total, is_asked, is_elliptic,
    of_all_time, of_moves, of_them, on_another,
};

pub(super) use ends::end_of_groups;

use super::build::{Builder, result_name, then_step};
use super::grammar::{Parse, of_part, year_column};
use super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Target, Then};
use super::token::Unit;
use super::words::{Agg, Derived, Part};
use crate::query::ast::{Compare, Expr, Node};
use crate::query::{Query, Selected, format, parse};
use crate::schema::{Kind, TableSchema};
pub(super) use join::{all, conditions, is_met_by_none, put_back, taken_out, with_condition};
use join::{conjuncts, joined};

/// How sure a change of the query before is, next to a question that stands by itself.
pub(super) const CHANGED: f64 = 0.9;

/// What the words of a question say of the one before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    /// It begins as one that goes on from another.
    pub goes_on: bool,
    /// It is about all of the time that the data has.
    pub of_all_time: bool,
    /// It asks for the whole.
    pub in_total: bool,
    /// It asks which of what was told.
    pub of_them: bool,
    /// It names another thing that money goes on (`а на кафе?`).
    pub on_another: bool,
}

/// The query before, changed by a parse that says nothing else; `None` where the parse is a question
/// of its own or the query before has no place for it.
pub(super) fn follow(
    parsed: &Parse,
    previous: &Query,
    schema: &TableSchema,
    said: Said,
) -> Option<Query> {
    let Said { goes_on, of_all_time, in_total, of_them, on_another } = said;
    if previous.table.as_ref().is_some_and(|t| *t != schema.name) || of_moves(&parsed.items) {
        return None;
    }
    // the columns shown of rows are not those of what comes of them
    let whole = Query { columns: Vec::new(), ..previous.clone() };
    let builder = Builder::over(schema, whole);
    // `the bottom 3`, and nothing else
    let alone = parsed.items.iter().all(|i| matches!(i, Item::Rank(_) | Item::Noise));
    let mut change = Change { builder, schema, goes_on, in_total, of_them, on_another, alone };
    let mut changed = of_all_time && change.widen();
    let mut groups = Vec::new();
    let change_of = |i: &Item| matches!(i, Item::Change { .. });
    let in_percent = parsed.items.contains(&Item::Percent) && parsed.items.iter().any(change_of);
    let items = with_values_together(&parsed.items);
    let says_more =
        |i: &Item| !matches!(i, Item::Reverse | Item::Noise | Item::Unknown(_) | Item::Entity(_));
    // `show the rows`
    let rows = |i: &Item| matches!(i, Item::Noise | Item::Entity(Entity::Rows));
    if items.contains(&Item::Entity(Entity::Rows)) && items.iter().all(rows) {
        change.list()?;
        return Some(change.builder.query);
    }
    let reversed = items.contains(&Item::Reverse) && !items.iter().any(says_more);
    for item in &items {
        match item {
            // `наоборот, по будням`: what follows says it
            Item::Reverse if !reversed => continue,
            Item::Percent if in_percent => continue,
            Item::Change { part, .. } if in_percent => {
                change.item(&Item::Change { percent: true, part: *part })?;
            }
            Item::Unknown(_) => continue,
            // `only days with a gap`, but not `days with a gap`
            Item::Entity(_) if goes_on => continue,
            Item::Group(dims) if change.by_amount(dims) => {}
            Item::Group(dims) => groups.extend(dims.iter().copied()),
            // `а по часам?` of groups of bars: by the hour, of bars of one
            Item::Each(Part::Hour) | Item::Every(Part::Hour) if change.by_the_hour() => {
                groups.push(Dim::Part(Part::Hour));
            }
            Item::Each(part) | Item::Every(part) => match of_part(*part) {
                Some(frame) if matches!(item, Item::Every(_)) && schema.ohlcv.is_some() => {
                    change.builder.query.from = Some(frame.name().to_owned());
                }
                _ => groups.push(Dim::Part(*part)),
            },
            // `monthly spending` is by months
            Item::Metrics(metrics) if schema.ohlcv.is_none() => {
                groups.extend(metrics.iter().filter_map(|m| m.every).map(Dim::Part));
                change.item(item)?;
            }
            other => change.item(other)?,
        }
        changed = true;
    }
    // `sales in Kazan by product` after the top 3 managers: of all products
    let filters = |i: &Item| matches!(i, Item::Filter(_));
    if !goes_on && !groups.is_empty() && items.iter().any(filters) {
        change.builder.query.limit = None;
        change.builder.query.sort.clear();
    }
    change.group(groups)?;
    let mut query = change.builder.query;
    drop_unused(&mut query);
    changed.then_some(query)
}

/// `only tents and kayaks`, said apart: any of them, not the last one alone.
fn with_values_together(items: &[Item]) -> Vec<Item> {
    let mut together: Vec<Item> = Vec::new();
    for item in items {
        if let Item::Filter(Cond::Values { column, values, negated }) = item
            && let Some(Item::Filter(Cond::Values { values: old, .. })) =
                together.iter_mut().find(|i| {
                    matches!(i, Item::Filter(Cond::Values { column: c, negated: n, .. })
                        if c == column && n == negated)
                })
        {
            old.extend(values.iter().filter(|v| !old.contains(v)).cloned().collect::<Vec<_>>());
        } else {
            together.push(item.clone());
        }
    }
    together
}

struct Change<'a> {
    builder: Builder<'a>,
    schema: &'a TableSchema,
    goes_on: bool,
    in_total: bool,
    of_them: bool,
    on_another: bool,
    alone: bool,
}

impl Change<'_> {
    fn query(&mut self) -> &mut Query {
        &mut self.builder.query
    }

    fn item(&mut self, item: &Item) -> Option<()> {
        // the first of each group were cut from rows in their order
        let ordered = matches!(
            item,
            Item::Sorted(_) | Item::BestFirst(_) | Item::ByTime(_) | Item::SortedBy(_)
        );
        if ordered && self.query().steps.iter().any(is_first_of_each) {
            return None;
        }
        match item {
            Item::Filter(cond) if self.share_of_another(cond) => Some(()),
            Item::Filter(cond) => self.narrow(cond),
            Item::Metrics(metrics) => match metrics[..] {
                // `and in total?` of what was counted or added up by groups
                [Metric { agg: Some(Agg::Sum), measure: None, .. }]
                    if self.in_total && self.is_added_up() =>
                {
                    self.ungroup();
                    Some(())
                }
                // `the last order of each shop` asks for rows
                [Metric { agg: Some(Agg::First | Agg::Last), measure: None, .. }]
                    if !self.goes_on =>
                {
                    None
                }
                [Metric { agg: Some(agg), measure: None, .. }] => self.swap_agg(agg),
                [Metric { agg, measure: Some(measure), .. }] if self.goes_on && self.counts() => {
                    self.measure_instead(agg, measure)
                }
                [Metric { agg: None, measure: Some(measure), .. }] => self.swap_measure(measure),
                [Metric { agg: Some(agg), measure: Some(measure), .. }] if self.goes_on => {
                    self.swap_measure(measure)?;
                    self.swap_agg(agg)
                }
                _ => None,
            },
            // `and the least?` of the first groups of an order: the other end of it
            Item::Rank(Rank {
                number: None, descending, superlative: true, best: false, ..
            }) if self.is_ranked() => self.order(*descending != self.is_below_zero()),
            // `and the worst?` of the best month
            Item::Rank(Rank {
                number: None, descending, superlative: true, best: true, ..
            }) if self.goes_on && self.is_by_change() => self.order(*descending),
            // `and the lowest paid?` of the row with the highest pay
            Item::RankBy(Rank { number: None, descending, superlative: true, .. }, measure)
                if self.goes_on && self.is_a_row_by(*measure) =>
            {
                self.order(*descending)
            }
            Item::Reverse => {
                let [key] = &self.builder.query.sort[..] else { return None };
                let descending = !key.ends_with(" desc");
                self.order(descending)
            }
            // `same for line`: by it
            Item::Dim(dim @ Dim::Column(column))
                if self.goes_on
                    && !self.builder.query.group_by.is_empty()
                    && self.has_few_values(*column) =>
            {
                self.group(vec![*dim])
            }
            // `which of them is the lowest`: a group by what was told of it
            Item::Rank(Rank {
                number: None, descending, superlative: true, best: false, ..
            }) if self.of_them
                && !self.query().group_by.is_empty()
                && self.query().select.len() == 1 =>
            {
                self.query().sort.clear();
                self.limit(1)?;
                self.order(*descending)
            }
            Item::Rank(Rank {
                number: None, descending, superlative: true, best: false, ..
            }) => self.swap_agg(if *descending { Agg::Max } else { Agg::Min }),
            // of the share of what is so, which end is the best is a question for the person
            Item::BestFirst(_)
                if self.query().select.iter().any(|s| s.text.starts_with("pct(")) =>
            {
                None
            }
            Item::Sorted(descending) | Item::BestFirst(descending) => {
                let column = result_name(self.query().select.first()?);
                let direction = if *descending { "desc" } else { "asc" };
                self.query().sort = vec![format!("{} {direction}", format::name(&column))];
                Some(())
            }
            // `how many?` of a list
            Item::Count(
                Target::Unsaid | Target::Entity(Entity::Rows | Entity::Days | Entity::Times),
            ) if self.query().select.is_empty() => {
                self.count();
                Some(())
            }
            // `and how many in May`: as before
            Item::Count(Target::Unsaid | Target::Entity(Entity::Times))
                if self.query().select.iter().all(|s| s.text == "count()") =>
            {
                Some(())
            }
            Item::Count(target) => self.count_instead(*target),
            Item::Listing => self.list(),
            Item::ByTime(last) if self.query().select.is_empty() => {
                let direction = if *last { "desc" } else { "asc" };
                let time = format::name(self.schema.time.as_ref()?);
                self.query().sort = vec![format!("{time} {direction}")];
                Some(())
            }
            // `receipts of December 2023` are not so many
            Item::Bare(1900..=2100) => None,
            Item::Bare(number) => self.limit(*number),
            Item::Ends { number: Some(number), .. }
            | Item::Rank(Rank { number: Some(number), descending: true, .. }) => {
                self.limit(*number)
            }
            // `and the bottom 3?` of the first in an order
            Item::Rank(Rank { number: Some(number), descending: false, best: false, .. })
                if (self.goes_on || self.alone) && (self.is_cut() || self.is_of_one()) =>
            {
                self.limit(*number)?;
                self.order(self.is_below_zero())
            }
            Item::Apart { column, values } => self.tell_apart(*column, values),
            Item::SortedBy(Metric { agg: None, measure: Some(measure), .. })
                if self.query().select.is_empty() =>
            {
                let column = self.builder.measure(*measure)?;
                self.query().sort = vec![column];
                Some(())
            }
            Item::Change { percent, .. } => {
                if self.query().group_by.is_empty() || !self.query().steps.is_empty() {
                    return None;
                }
                let step = then_step(Then::Change(*percent), self.query().select.last()?);
                self.query().sort.clear();
                self.query().steps.push(step);
                Some(())
            }
            Item::Session(session) => {
                self.query().session = Some(session.clone());
                Some(())
            }
            Item::Bars(frame) => {
                self.query().from = Some(frame.name().to_owned());
                Some(())
            }
            Item::Percent => self.in_percent(),
            _ => None,
        }
    }

    /// Flags, and text whose values are listed.
    fn has_few_values(&self, column: usize) -> bool {
        self.schema
            .columns
            .get(column)
            .is_some_and(|c| c.kind == Kind::Bool || c.kind == Kind::Text && c.values.is_some())
    }

    /// Groups with one count or sum.
    fn is_added_up(&self) -> bool {
        let query = &self.builder.query;
        let adds = |s: &Selected| s.text == "count()" || s.text.starts_with("sum(");
        !query.group_by.is_empty()
            && query.steps.is_empty()
            && matches!(&query.select[..], [one] if adds(one))
    }

    /// The whole that the groups make.
    fn ungroup(&mut self) {
        let query = self.query();
        query.group_by.clear();
        query.sort.clear();
        query.limit = None;
    }

    /// The rows that were counted or added up, where they are fewer than all.
    fn list(&mut self) -> Option<()> {
        let query = self.query();
        let narrowed = query.filter.is_some() || query.period.is_some();
        if query.select.is_empty() || !query.group_by.is_empty() || !query.steps.is_empty() {
            return None;
        }
        query.select.clear();
        query.sort.clear();
        narrowed.then_some(())
    }

    /// So many of them: of rows in their order, or of groups, the largest first.
    fn limit(&mut self, number: u64) -> Option<()> {
        let query = self.query();
        // `second highest` goes on from the first ones that were kept
        if !query.steps.is_empty() {
            return None;
        }
        if query.sort.is_empty() {
            if query.group_by.is_empty() || query.select.len() != 1 {
                return None;
            }
            let column = result_name(query.select.first()?);
            query.sort = vec![format!("{} desc", format::name(&column))];
        }
        query.limit = Some(number);
        Some(())
    }

    /// `compare cash and card`: as it was asked, of each of them, however many were shown before.
    fn tell_apart(&mut self, column: usize, values: &[String]) -> Option<()> {
        // a share by what it is the share of is all or nothing
        let name = format::name(&self.schema.columns.get(column)?.name);
        let share = |s: &Selected| s.text.starts_with("pct(") && s.text.contains(&name);
        if self.query().select.iter().any(share) {
            return None;
        }
        if !values.is_empty() {
            let values = values.to_vec();
            self.narrow(&Cond::Values { column, values, negated: false })?;
        }
        let query = self.query();
        if query.limit.take().is_some() {
            query.sort.clear();
        }
        self.group(vec![Dim::Column(column)])
    }

    fn count(&mut self) {
        let query = self.query();
        query.select = vec!["count()".into()];
        query.sort.clear();
        query.limit = None;
        query.columns.clear();
    }

    fn group(&mut self, dims: Vec<Dim>) -> Option<()> {
        if dims.is_empty() {
            return Some(());
        }
        // what was made of all groups is not of these, and the first of each were of those
        let made = |step: &Query| !step.select.is_empty() || is_first_of_each(step);
        if self.query().steps.iter().any(made) {
            return None;
        }
        if self.query().select.is_empty() {
            self.count();
        }
        // `by year` of one day: of all of them
        let period = self.query().period.as_deref().unwrap_or_default();
        let dates = period.starts_with(|c: char| c.is_ascii_digit()) && !period.contains(':');
        let one = dates && period.len() >= "2023-05".len();
        let single = match dims[..] {
            [Dim::Part(Part::Year)] => self.builder.one_year(),
            [Dim::Part(Part::Month | Part::Quarter)] => one && !period.contains(['Q', 'H']),
            _ => false,
        };
        if single {
            self.query().period = None;
        }
        self.widen_by(&dims)?;
        self.of_bars_by(&dims);
        let keys = dims.into_iter().map(|d| self.builder.dim(d)).collect::<Option<Vec<_>>>()?;
        self.query().group_by = keys;
        Some(())
    }

    /// Groups by a column that a condition keeps to one value would be one group: it gives way.
    fn widen_by(&mut self, dims: &[Dim]) -> Option<()> {
        let Some(filter) = self.query().filter.clone() else { return Some(()) };
        let columns = dims.iter().filter_map(|dim| match dim {
            Dim::Column(column) => self.schema.columns.get(*column).map(|c| c.name.as_str()),
            Dim::Part(_) => None,
        });
        let columns: Vec<&str> = columns.collect();
        let parsed = parse(&filter).ok()?;
        let of_one = |expr: &&Expr| match &expr.node {
            Node::Compare(left, rest) => {
                let name =
                    matches!(&left.node, Node::Column(name) if columns.contains(&name.as_str()));
                name && matches!(&rest[..], [(Compare::Eq, _)])
            }
            _ => false,
        };
        let kept: Vec<Expr> =
            conjuncts(&parsed).into_iter().filter(|e| !of_one(e)).cloned().collect();
        if kept.len() < conjuncts(&parsed).len() {
            self.query().filter = all(kept);
        }
        Some(())
    }

    /// Adds a condition; one that fixes or bounds the same thing gives way to it.
    fn narrow(&mut self, cond: &Cond) -> Option<()> {
        let compared = |c: &&Cond| match c {
            Cond::Compare(_, _, operand) => self.compares_otherwise(*operand),
            Cond::Cross(line, ..) => self.compares_otherwise(Operand::Before(*line, 1.0)),
            _ => false,
        };
        // nor has a run of rises falls in it
        let runs = self.builder.query.map.iter().any(|(_, made)| made.starts_with("streak("));
        let moved = |c: &&Cond| matches!(c, Cond::Compare(Measure::Derived(..), ..));
        if cond.leaves().iter().any(|c| compared(c) || runs && moved(c)) {
            return None;
        }
        if let Cond::Implied { number, unit, cmp } = cond {
            let old = self.query().filter.clone()?;
            self.query().filter = Some(rebound(&old, *number, cmp.symbol(), *unit)?);
            return Some(());
        }
        // `and in August` of the year that was asked for
        if let Some(period) = self.builder.of_the_year(cond) {
            self.query().period = Some(period);
            return Some(());
        }
        // a year that was a condition gives way to a period
        if matches!(cond, Cond::Period(..) | Cond::Recent(_)) {
            self.forget_dates()?;
        }
        let rest = self.builder.narrow_period(cond)?;
        for cond in rest {
            let new = self.builder.condition(&cond)?;
            self.forget_another(&cond);
            let old = self.query().filter.take();
            let made = self.query().map.clone();
            self.query().filter = Some(joined(old.as_deref(), &new, &made)?);
        }
        Some(())
    }

    /// Takes out conditions on dates; whether there were any.
    fn forget_dates(&mut self) -> Option<bool> {
        let Some(old) = &self.builder.query.filter else { return Some(false) };
        let tree = parse(old).ok()?;
        let parts = conjuncts(&tree);
        let year = year_column(self.schema).and_then(|(c, _)| self.schema.columns.get(c));
        let year = year.map(|column| column.name.as_str());
        let kept: Vec<Expr> =
            parts.iter().filter(|e| !is_about_dates(e, year)).map(|e| (*e).clone()).collect();
        let fewer = kept.len() < parts.len();
        self.query().filter = all(kept);
        Some(fewer)
    }

    /// `and of all time`: the dates that were asked for go; whether there were any.
    fn widen(&mut self) -> bool {
        let period = self.query().period.take().is_some();
        self.forget_dates() == Some(true) || period
    }

    /// The row before is the day before on daily bars alone, and groups are compared with each
    /// other, not with all rows.
    fn compares_otherwise(&self, operand: Operand) -> bool {
        let query = &self.builder.query;
        let daily = match query.from.as_deref() {
            None => !self.schema.is_intraday(),
            Some(frame) => frame == "daily",
        };
        (operand.looks_back() && !daily)
            || (matches!(operand, Operand::Whole(..)) && !query.group_by.is_empty())
    }

    /// Rows were counted, and nothing else.
    fn counts(&self) -> bool {
        matches!(&self.builder.query.select[..], [one] if one.text == "count()")
    }

    /// What is selected is made from bars, and has a form in per cent.
    fn is_of_bars(&self) -> bool {
        let made = |text: &str| ["gap", "change", "range"].iter().any(|d| text.contains(d));
        self.schema.ohlcv.is_some() && self.builder.query.select.iter().any(|s| made(&s.text))
    }

    /// The selected measure of bars in per cent, or of groups the share that each has in the whole.
    fn in_percent(&mut self) -> Option<()> {
        // `how many did not finish by year`, in percent: of the groups, or of all rows of each
        let query = &self.builder.query;
        let narrowed = query.filter.is_some() && query.select.iter().any(|s| s.text == "count()");
        if self.is_added_up() && query.limit.is_none() && !narrowed && !self.is_of_bars() {
            let step = then_step(Then::Share, self.query().select.last()?);
            self.query().sort.clear();
            self.query().steps.push(step);
            return Some(());
        }
        let [selected] = &self.builder.query.select[..] else { return None };
        let column = argument(selected)?;
        let made =
            self.builder.query.map.iter().find(|(n, _)| *n == column).map(|(_, e)| e.clone());
        let derived = match made.as_deref().unwrap_or(&column) {
            "gap()" => Derived::Gap,
            "change()" => Derived::Change,
            "range()" => Derived::Range,
            _ => return None,
        };
        self.schema.ohlcv.as_ref()?;
        self.swap_measure(Measure::Derived(derived, true))
    }
}

/// It cuts runs of rows of the same group.
fn is_first_of_each(step: &Query) -> bool {
    step.filter.as_ref().is_some_and(|filter| filter.contains("prev("))
}

/// The one comparison with a number of a condition, with another number: `and more than 3%?` after
/// a fall of more than 2%.
fn rebound(old: &str, number: f64, said: &str, unit: Option<Unit>) -> Option<String> {
    let below = said.starts_with('<');
    let tree = parse(old).ok()?;
    let parts = conjuncts(&tree);
    let bounds: Vec<usize> = parts
        .iter()
        .enumerate()
        .filter_map(|(i, e)| match &e.node {
            Node::Compare(_, rest) => match &rest[..] {
                [(Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge, right)] => {
                    constant(right).map(|_| i)
                }
                _ => None,
            },
            _ => None,
        })
        .collect();
    let [at] = bounds[..] else { return None };
    let mut texts: Vec<String> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let Node::Compare(left, rest) = &part.node else {
            texts.push(format::expr(part));
            continue;
        };
        let (Some((op, right)), true) = (rest.first(), i == at) else {
            texts.push(format::expr(part));
            continue;
        };
        let left = format::expr(left);
        let percent = left.contains("pct");
        if (unit == Some(Unit::Percent)) && !percent {
            return None;
        }
        // a fall is measured downwards: `more than 3%` is below -3
        let fell = constant(right)? < 0.0 && number > 0.0;
        let down = matches!(op, Compare::Lt | Compare::Le);
        let strict = !matches!(said, "<=" | ">=") && matches!(op, Compare::Lt | Compare::Gt);
        let (down, value) = if fell { (down != below, -number) } else { (below, number) };
        let sign = match (down, strict) {
            _ if said == "==" && !fell => "==",
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        texts.push(format!("{left} {sign} {}", super::build::number(value)));
    }
    Some(texts.join(" and "))
}

fn constant(expr: &Expr) -> Option<f64> {
    match &expr.node {
        Node::Int(n) => Some(*n as f64),
        Node::Float(x) => Some(*x),
        Node::Decimal(x) => Some(x.to_f64()),
        Node::Neg(inner) => constant(inner).map(|x| -x),
        _ => None,
    }
}

/// It is on dates, or on the column of a table without any that says the year.
fn is_about_dates(expr: &Expr, year: Option<&str>) -> bool {
    match &expr.node {
        Node::Compare(left, _) | Node::In { value: left, .. } => match &left.node {
            Node::Call { name, .. } => name == "year" || name == "date",
            Node::Column(name) => Some(name.as_str()) == year,
            _ => false,
        },
        _ => false,
    }
}

/// Puts another aggregate in the place of the only one, and in the order where it stood there.
fn select(query: &mut Query, text: &str) {
    let new = Selected::from(text);
    if let Some(old) = query.select.first() {
        let (old, new) = (result_name(old), result_name(&new));
        let reads = |text: &str| text.contains(old.as_str());
        for key in &mut query.sort {
            if reads(key) {
                *key = key.replace(&old, &new);
            }
        }
        for step in &mut query.steps {
            for (_, text) in &mut step.map {
                *text = text.replace(&old, &new);
            }
            for selected in &mut step.select {
                selected.text = selected.text.replace(&old, &new);
            }
        }
    }
    query.select = vec![new];
}

/// The only argument of a single aggregate.
fn argument(selected: &Selected) -> Option<String> {
    match parse(&selected.text).ok()?.node {
        Node::Call { name, args, .. } if name != "pct" => match &args[..] {
            [argument] => Some(format::expr(argument)),
            _ => None,
        },
        _ => None,
    }
}

/// Takes out columns of `map` that nothing reads any more.
fn drop_unused(query: &mut Query) {
    let read = |query: &Query, name: &str| {
        let plain = format::name(name);
        let texts = query
            .filter
            .iter()
            .chain(&query.group_by)
            .chain(&query.sort)
            .chain(&query.columns)
            .chain(query.select.iter().map(|s| &s.text))
            .chain(query.map.iter().filter(|(n, _)| n != name).map(|(_, e)| e));
        texts.into_iter().any(|t| t.contains(&plain))
    };
    // rows show every column they have
    if query.select.is_empty() {
        return;
    }
    let unused: Vec<String> =
        query.map.iter().map(|(name, _)| name.clone()).filter(|name| !read(query, name)).collect();
    query.map.retain(|(name, _)| !unused.contains(name));
}
