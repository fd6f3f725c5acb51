//! Options of rows that go to a table that is there.

use super::{Options, TimeColumn};
use crate::schema::{Column, Market, TableSchema};

impl Options {
    /// The same for rows that go to a table: kinds and clock are the table's, and so is what
    /// describes it. What the options say otherwise is noted.
    #[must_use]
    pub fn like(mut self, table: &TableSchema) -> Self {
        self.unheard = self.against(table);
        self.expected = table.columns.iter().map(|c| (c.name.clone(), c.kind)).collect();
        self.market.clone_from(&table.market);
        // Its column of times is known, and a file without it is told like one without any other.
        self.time = TimeColumn::None;
        self
    }

    /// The options that describe the table in another way than it is.
    fn against(&self, table: &TableSchema) -> Vec<&'static str> {
        let other_time = match &self.time {
            TimeColumn::Named(name) => table.time.as_ref() != Some(name),
            TimeColumn::None => table.time.is_some(),
            TimeColumn::Detect => false,
        };
        let timezone = |market: &Market| market.timezone.clone();
        let days = |market: &Market| Market { timezone: None, ..market.clone() };
        let (own, given) = (&table.market, &self.market);
        let words = &self.synonyms;
        let differs =
            |name: &str, same: &dyn Fn(&Column) -> bool| !table.column(name).is_some_and(same);
        let all = [
            ("time", other_time),
            ("series", self.series.is_some() && self.series != table.series),
            ("timezone", given.timezone.is_some() && timezone(given) != timezone(own)),
            ("market", days(given) != Market::default() && days(given) != days(own)),
            (
                "units",
                self.units.iter().any(|(n, unit)| differs(n, &|c| c.unit.as_ref() == Some(unit))),
            ),
            (
                "labels",
                self.labels
                    .iter()
                    .any(|(n, label)| differs(n, &|c| c.label.as_ref() == Some(label))),
            ),
            (
                "synonyms",
                !words.table.is_empty() && words.table != table.synonyms
                    || words.columns.iter().any(|(n, words)| differs(n, &|c| c.synonyms == *words))
                    || words
                        .values
                        .iter()
                        .any(|(n, words)| differs(n, &|c| c.value_synonyms == *words)),
            ),
            ("resample", self.resample.iter().any(|rule| !table.resample.contains(rule))),
        ];
        all.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}
