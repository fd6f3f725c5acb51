//! The one of each group: `the dearest item of each shop`.

use super::super::sketch::{Dim, Entity, Measure, Metric, Rank, Select, Sketch};
use super::super::stem::{parts, stem};
use super::super::words::Part;
use super::table::Table;
use super::{Parts, UNSAID};

/// Words for what names a row.
const NAMES: [&str; 14] = [
    "name",
    "title",
    "item",
    "product",
    "label",
    "имя",
    "название",
    "наименование",
    "заголовок",
    "товар",
    "продукт",
    "позиция",
    "блюдо",
    "dish",
];

impl Table<'_> {
    /// The column is called a name, or as the table's rows are: a note names none of them.
    fn names_rows(&self, column: usize) -> bool {
        let Some(column) = self.schema.columns.get(column) else { return false };
        let of_table = || std::iter::once(&self.schema.name).chain(&self.schema.synonyms);
        let rows: Vec<String> =
            of_table().flat_map(|name| parts(name)).map(|part| stem(&part)).collect();
        std::iter::once(&column.name)
            .chain(&column.label)
            .chain(&column.synonyms)
            .flat_map(|name| parts(name))
            .any(|part| NAMES.contains(&part.as_str()) || rows.contains(&stem(&part)))
    }

    /// The first rows of each of these groups can be told: where the table has a series, rows are
    /// behind one another within it, so that only the series itself cuts them.
    pub(super) fn cuts_of_each(&self, groups: &[Dim]) -> bool {
        let series = self.schema.series.as_ref();
        let own = |dim: &Dim| match dim {
            Dim::Column(column) => self.schema.columns.get(*column).map(|c| &c.name) == series,
            Dim::Part(_) => false,
        };
        // the Januaries of all years are no month
        let recurs = |dim: &Dim| matches!(dim, Dim::Part(Part::Month | Part::Quarter | Part::Week));
        !groups.is_empty()
            && !self.bars()
            && !groups.iter().any(recurs)
            && (series.is_none() || groups.iter().all(own))
    }

    /// `top 3 films of each studio by score`: rows of each group, in an order.
    pub(super) fn first_of_each(
        &self,
        parts: &Parts,
        base: &Sketch,
        metric: Option<Metric>,
        number: u64,
    ) -> Vec<Sketch> {
        let measures = match metric {
            Some(Metric { agg: None, measure: Some(measure), .. }) => vec![measure],
            Some(_) => return Vec::new(),
            None => self.numeric(),
        };
        // which of them is meant is a question for the person
        let sure = if measures.len() == 1 { 0.95 } else { UNSAID };
        let sketch = |measure: Measure| Sketch {
            groups: Vec::new(),
            of_each: parts.groups.clone(),
            order: Some(measure),
            limit: Some(number),
            quality: base.quality * if self.is_main(measure) { sure.max(0.8) } else { sure },
            ..base.clone()
        };
        measures.into_iter().map(sketch).collect()
    }

    /// `the dearest item of each shop`, `самый дорогой фильм каждой студии`: which one it is, by the
    /// column that names it, and how much it comes to.
    pub(super) fn best_of_each(
        &self,
        parts: &Parts,
        base: &Sketch,
        metric: Option<Metric>,
        rank: Rank,
    ) -> Option<Sketch> {
        let Some(Metric { agg: None, measure: Some(measure), .. }) = metric else { return None };
        let Rank { number: None, descending, superlative: true, many: false, best: false } = rank
        else {
            return None;
        };
        if parts.groups.is_empty() || !parts.counts.is_empty() || parts.when || parts.nth.is_some()
        {
            return None;
        }
        let grouped = |column: usize| parts.groups.contains(&Dim::Column(column));
        let names = (0..self.schema.columns.len())
            .filter(|&c| self.is_free_text(c) && !grouped(c) && self.names_rows(c));
        let column = match (&parts.dims[..], &parts.entities[..]) {
            ([Dim::Column(column)], _) if self.is_free_text(*column) && !grouped(*column) => {
                *column
            }
            ([], [Entity::Rows]) => {
                let names: Vec<usize> = names.collect();
                let [column] = names[..] else { return None };
                column
            }
            _ => return None,
        };
        let extreme = super::ranking::extreme_of(descending);
        Some(Sketch {
            select: vec![Select::At { column, measure, descending }, Select::Agg(extreme, measure)],
            quality: base.quality * 0.9,
            ..base.clone()
        })
    }
}
