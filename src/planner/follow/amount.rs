//! `а по количеству?`, `and by quantity?` of groups: another measure of the same groups, not groups of
//! the numbers.

use super::super::assemble::Table;
use super::super::lattice::is_id;
use super::super::sketch::{Cond, Dim, Entity, Measure, Target};
use super::super::stem::parts;
use super::super::words::Agg;
use super::join::{all, conjuncts};
use super::{Change, argument, select};
use crate::query::ast::{Compare, Expr, Node};
use crate::query::{Selected, format, parse};
use crate::schema::Kind;

/// Nouns of amounts, by how they begin.
const AMOUNTS: [&str; 22] = [
    "quantit",
    "qty",
    "amount",
    "revenue",
    "sales",
    "turnover",
    "profit",
    "total",
    "sum",
    "cost",
    "price",
    "units",
    "volume",
    "количеств",
    "сумм",
    "выручк",
    "прибыл",
    "оборот",
    "цен",
    "стоимост",
    "объем",
    "колич",
];

impl Change<'_> {
    /// `and the sum?` of what was counted: as it was grouped, added up where no aggregate is said.
    pub(super) fn measure_instead(&mut self, agg: Option<Agg>, measure: Measure) -> Option<()> {
        let adds_up = || Table::new(self.schema).adds_up(measure).then_some(Agg::Sum);
        let agg = agg.or_else(adds_up)?;
        let column = self.builder.measure(measure)?;
        // `how many riders` are no sum of their numbers
        if agg == Agg::Sum && is_id(&column) {
            return None;
        }
        select(self.query(), &format!("{}({column})", agg.function()));
        Some(())
    }

    /// `and card?` of the share of cash: that of the other value.
    pub(super) fn share_of_another(&mut self, cond: &Cond) -> bool {
        let Cond::Values { column, values, negated: false } = cond else { return false };
        let Some(name) = self.schema.columns.get(*column).map(|c| format::name(&c.name)) else {
            return false;
        };
        let ([selected], [value]) = (&self.builder.query.select[..], &values[..]) else {
            return false;
        };
        let of = selected.text.strip_prefix(&format!("pct({name} == ")).is_some();
        if of && self.goes_on {
            let alias = selected.alias.clone();
            let text = format!("pct({name} == {})", format::string(value));
            self.query().select = vec![Selected { alias, text }];
        }
        of && self.goes_on
    }

    /// `and how many orders?` of what an aggregate was of: of the same rows, by the same groups.
    pub(super) fn count_instead(&mut self, target: Target) -> Option<()> {
        let query = &self.builder.query;
        let plain = query.steps.is_empty() && query.limit.is_none() && !query.select.is_empty();
        if !(self.goes_on && plain) {
            return None;
        }
        let text = match target {
            Target::Entity(Entity::Rows) => "count()".to_owned(),
            Target::Distinct(dim @ Dim::Column(_)) => {
                format!("count_distinct({})", format::name(&self.builder.dim(dim)?))
            }
            _ => return None,
        };
        self.query().sort.clear();
        select(self.query(), &text);
        Some(())
    }

    pub(super) fn swap_agg(&mut self, agg: Agg) -> Option<()> {
        // `and on average?` of a mean of totals is of those, too
        let query = self.query();
        let query = match query.steps.iter().rposition(|step| !step.select.is_empty()) {
            Some(last) => query.steps.get_mut(last)?,
            None => query,
        };
        let [selected] = &query.select[..] else { return None };
        let argument = argument(selected)?;
        select(query, &format!("{}({argument})", agg.function()));
        Some(())
    }

    pub(super) fn swap_measure(&mut self, measure: Measure) -> Option<()> {
        let [selected] = &self.builder.query.select[..] else { return None };
        let function = match parse(&selected.text).ok()?.node {
            Node::Call { name, args, .. } if args.len() == 1 && name != "pct" => name,
            _ => return None,
        };
        let column = self.builder.measure(measure)?;
        select(self.query(), &format!("{function}({column})"));
        Some(())
    }

    /// The first rows in the order of this measure are asked for.
    pub(super) fn is_a_row_by(&mut self, measure: Measure) -> bool {
        let Some(column) = self.builder.measure(measure) else { return false };
        let query = &self.builder.query;
        let [key] = &query.sort[..] else { return false };
        let key = key.strip_suffix(" desc").or_else(|| key.strip_suffix(" asc")).unwrap_or(key);
        query.select.is_empty() && query.limit.is_some() && key == column
    }

    /// Makes groups of bars of an hour, where bars within a day are grouped already; whether it did.
    pub(super) fn by_the_hour(&mut self) -> bool {
        let grouped = !self.builder.query.group_by.is_empty();
        if !(grouped && self.goes_on && self.schema.ohlcv.is_some() && self.schema.is_intraday()) {
            return false;
        }
        self.builder.query.from = Some("1h".to_owned());
        true
    }

    /// What is put in order is below zero: the least that was spent is the nearest to it.
    pub(super) fn is_below_zero(&self) -> bool {
        let Some(filter) = self.builder.query.filter.as_deref().and_then(|f| parse(f).ok()) else {
            return false;
        };
        let read: Vec<String> = self.builder.query.select.iter().filter_map(argument).collect();
        conjuncts(&filter).into_iter().map(format::expr).any(|text| {
            let column = text.strip_suffix(" < 0");
            column.is_some_and(|column| read.iter().any(|argument| argument == column))
        })
    }

    /// `а на кафе?` after what was spent on taxis: the one thing that money went on gives way to another,
    /// whatever columns have their names. (`and on Biscoe?` is a place.)
    pub(super) fn forget_another(&mut self, new: &Cond) {
        let Cond::Values { column, negated: false, .. } = new else { return };
        let Some(new) = self.schema.columns.get(*column).filter(|_| self.on_another) else {
            return;
        };
        let Some(old) = self.builder.query.filter.as_deref().and_then(|f| parse(f).ok()) else {
            return;
        };
        let text = |expr: &Expr| {
            let left = match &expr.node {
                Node::Compare(left, rest) if matches!(&rest[..], [(Compare::Eq, _)]) => left,
                Node::In { value, negated: false, .. } => value,
                _ => return None,
            };
            let Node::Column(name) = &left.node else { return None };
            self.schema.column(name).filter(|c| c.kind == Kind::Text).map(|c| c.name.clone())
        };
        let parts = conjuncts(&old);
        let named: Vec<String> = parts.iter().filter_map(|e| text(e)).collect();
        let spent = self.is_below_zero();
        if spent && matches!(&named[..], [one] if *one != new.name) {
            let kept = parts.iter().filter(|e| text(e).is_none()).map(|e| (*e).clone()).collect();
            self.builder.query.filter = all(kept);
        }
    }

    /// Measures the groups that there are by the amount that is named, where they are measured by
    /// another one; false where that is none.
    pub(super) fn by_amount(&mut self, dims: &[Dim]) -> bool {
        let [Dim::Column(column)] = dims[..] else { return false };
        let Some(named) = self.schema.columns.get(column).filter(|c| c.kind.is_numeric()) else {
            return false;
        };
        let is_amount = parts(&named.name)
            .iter()
            .any(|part| AMOUNTS.iter().any(|begin| part.starts_with(begin)));
        let query = &self.builder.query;
        let other =
            matches!(&query.select[..], [one] if argument(one).is_some_and(|a| a != named.name));
        self.goes_on
            && is_amount
            && other
            && !query.group_by.is_empty()
            && self.swap_measure(Measure::Column(column)).is_some()
    }
}
