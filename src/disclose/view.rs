//! A result as far as it may leave: some of its rows and columns.

use super::guard::Part;
use crate::error::Text;
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Warning};
use crate::schema::Column;
use crate::value::{Rows, Value};
use std::sync::Arc;

/// Some rows and columns of a table.
struct View {
    inner: Arc<dyn Rows>,
    rows: Vec<usize>,
    numbers: Vec<usize>,
    columns: Vec<Column>,
}

impl Rows for View {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        match (self.rows.get(row), self.numbers.get(column)) {
            (Some(&row), Some(&column)) if row != HIDDEN => self.inner.value(row, column),
            _ => Value::Null,
        }
    }
}

/// The place of a row that is not told.
const HIDDEN: usize = usize::MAX;

/// `outcome` with these columns alone, and null in place of the cells of rows that `told` refuses:
/// every other row keeps its number.
pub(super) fn masked(
    outcome: &Outcome,
    columns: &[usize],
    told: impl Fn(usize) -> bool,
) -> Outcome {
    let mut view = outcome.clone();
    view.columns = columns.iter().filter_map(|&c| outcome.columns.get(c)).cloned().collect();
    let place = |row: usize| if told(row) { row } else { HIDDEN };
    view.rows = Arc::new(View {
        inner: Arc::clone(&outcome.rows),
        rows: (0..outcome.rows.len()).map(place).collect(),
        numbers: columns.to_vec(),
        columns: view.columns.iter().map(|c| c.column.clone()).collect(),
    });
    view
}

/// `outcome` as far as `part` allows, with warnings that say what is left out. What running had to
/// say counts rows: of that only the fact is kept, and of missing values not even that.
pub(super) fn part_of(outcome: &Outcome, part: &Part, k: u64) -> Outcome {
    let mut told = outcome.clone();
    if outcome.kind() != ResultKind::Table {
        told.columns =
            part.columns.iter().filter_map(|&c| outcome.columns.get(c)).cloned().collect();
        told.rows = Arc::new(View {
            inner: Arc::clone(&outcome.rows),
            rows: part.rows.clone(),
            numbers: part.columns.clone(),
            columns: told.columns.iter().map(|c| c.column.clone()).collect(),
        });
    }
    let of_the_run = outcome
        .warnings
        .iter()
        .any(|w| w.code != Warning::NULLS_LEFT_OUT && !outcome.query.warnings().contains(w));
    told.warnings.clear();
    if of_the_run {
        let message = crate::text!(
            "the user sees a warning about the data",
            "пользователь видит предупреждение о данных"
        );
        told.warnings.push(Warning { code: "warning_withheld", message });
    }
    if part.suppressed > 0 {
        told.warnings
            .push(Warning { code: "suppressed_groups", message: suppressed(part.suppressed, k) });
    }
    for name in &part.dropped {
        let name = crate::summary::cut(&crate::summary::clean(name), 80);
        let message = crate::text!(
            "`{name}` is withheld: fewer than {k} rows stand behind it",
            "`{name}` не раскрывается: за ним меньше {k} строк"
        );
        told.warnings.push(Warning { code: "value_withheld", message });
    }
    told
}

fn suppressed(groups: u64, k: u64) -> Text {
    if groups == 1 {
        return crate::text!(
            "1 group is withheld: it has fewer than {k} rows",
            "1 группа не раскрывается: в ней меньше {k} строк"
        );
    }
    crate::text!(
        "{groups} groups are withheld: those of fewer than {k} rows, and what would give them away",
        "не раскрыто групп: {groups}; в них меньше {k} строк, или они выдали бы такие"
    )
}
