//! `а по количеству?`, `and by quantity?` of groups: another measure of the same groups, not groups of
//! the numbers.

use super::super::sketch::{Dim, Measure};
use super::super::stem::parts;
use super::{Change, argument};

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
