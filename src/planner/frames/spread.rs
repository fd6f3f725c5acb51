//! `distribution of distance`: how the values of a measure lie, where counting each of them says little.

use super::{Asked, Made, one_of};
use crate::query::{Query, Selected, format};
use crate::schema::{Column, Kind};

/// Words for it, before what it is of.
const SPREAD: [&str; 8] = [
    "distribution of",
    "distribution for",
    "histogram of",
    "histogram for",
    "how is",
    "how are",
    "распределение",
    "гистограмма",
];
/// The quantiles that are told.
const QUANTILES: [(&str, &str); 5] = [
    ("p10", "percentile({}, 0.1)"),
    ("p25", "percentile({}, 0.25)"),
    ("median", "median({})"),
    ("p75", "percentile({}, 0.75)"),
    ("p90", "percentile({}, 0.9)"),
];

impl Asked<'_> {
    pub(super) fn spread(&self) -> Option<Made> {
        let words = self.tokens.iter().map(|t| t.folded.as_str()).collect::<Vec<_>>();
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let from = words.iter().take_while(|w| one_of("show me the a draw plot покажи", w)).count();
        let of = SPREAD.iter().find_map(|phrase| {
            let said: Vec<&str> = phrase.split(' ').collect();
            words.get(from..)?.starts_with(&said).then_some((*phrase, from + said.len()))
        });
        let (phrase, at) = of.or_else(|| {
            // `distance distribution`
            let last = end.checked_sub(1).filter(|last| *last > from)?;
            one_of("distribution histogram", words.get(last)?).then_some(("", from))
        })?;
        let until = match phrase {
            "how is" | "how are" => {
                (words.get(end - 1) == Some(&"distributed")).then_some(end - 1)?
            }
            "" => end - 1,
            _ => end,
        };
        let said = self.said(at, until);
        let mean = if self.is_russian() { "среднее" } else { "mean" };
        let query = self.ready(&format!("{mean} {said}"))?;
        let [only] = &query.select[..] else { return None };
        let name = only.text.strip_prefix("mean(")?.strip_suffix(')')?;
        let drawn = words.iter().any(|w| w.starts_with("histogram") || w.starts_with("гистограмм"));
        let measured = |c: &&Column| {
            format::name(&c.name) == name && (c.kind == Kind::Float || c.unit.is_some() || drawn)
        };
        let column = self.table.columns.iter().find(measured)?;
        let plain = Query { select: Vec::new(), table: None, ..query.clone() }
            == Query {
                filter: query.filter.clone(),
                period: query.period.clone(),
                ..Query::default()
            };
        if !plain || self.previous.is_some() && at == 0 {
            return None;
        }
        let (en, ru) = (&column.name, column.label.as_ref().unwrap_or(&column.name));
        if drawn {
            let rows =
                Query { select: Vec::new(), columns: vec![name.to_owned()], ..query.clone() };
            let said = text!(
                "the {en} of each row, for a histogram",
                "«{ru}» каждой строки, для гистограммы"
            );
            return Some(Made::Query(rows, said));
        }
        let told = |(alias, text): (&str, &str)| Selected {
            alias: Some(alias.to_owned()),
            text: text.replace("{}", name),
        };
        let mut select = vec![told(("lowest", "min({})"))];
        select.extend(QUANTILES.map(told));
        select.push(told(("highest", "max({})")));
        let said = text!(
            "how {en} is distributed: lowest, highest, and the values that 10, 25, 50, 75 and 90% are not above",
            "как распределён «{ru}»: наименьшее, наибольшее и значения, не выше которых 10, 25, 50, 75 и 90%"
        );
        let each = Query {
            group_by: vec![name.to_owned()],
            select: vec!["count()".into()],
            ..query.clone()
        };
        let counted = text!("number of rows, by {en}", "число строк по каждому значению «{ru}»");
        let quantiles = Query { select, ..query };
        if column.kind == Kind::Float {
            return Some(Made::Query(quantiles, said));
        }
        Some(Made::Several(vec![(quantiles, said), (each, counted)]))
    }
}
