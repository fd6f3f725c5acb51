//! Several rows of a result that are bars: what they say together, and where that is not clear.

use super::stats::several;
use crate::error::Text;
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Role};
use crate::schema::Column;
use crate::validate::stats::{Form, form};
use crate::value::{Rows, Value};
use std::collections::HashSet;

/// Fields that say where a range begins and ends: which row is the first is up to the time.
const ENDS: [&str; 4] = ["open_price", "close_price", "change_pct", "change_points"];

/// The rows of a result, with the column first that says their time.
pub(super) struct Bars<'a> {
    rows: &'a dyn Rows,
    columns: Vec<Column>,
    /// Where that column stands in the result, or why none says it.
    time: Result<usize, Text>,
    /// Why nothing is clear of them.
    unclear: Option<Text>,
}

impl<'a> Bars<'a> {
    pub(super) fn of(outcome: &'a Outcome) -> Self {
        let rows: &dyn Rows = &*outcome.rows;
        let priced =
            |name: &str| rows.columns().iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let bars = form(rows) == Form::Bars && ["open", "close"].iter().any(|name| priced(name));
        let unclear = if bars { mixed(outcome) } else { Some(several(rows.len())) };
        let time = time(outcome);
        let mut columns = rows.columns().to_vec();
        if let Some(before) = time.as_ref().ok().and_then(|place| columns.get_mut(..=*place)) {
            before.rotate_right(1);
        }
        Self { rows, columns, time, unclear }
    }

    /// Why it is not clear what they say of a field.
    pub(super) fn unclear(&self, field: &str) -> Option<Text> {
        if self.unclear.is_some() {
            return self.unclear.clone();
        }
        match &self.time {
            Err(why) => (ENDS.contains(&field) || field == "trading_days").then(|| why.clone()),
            Ok(place) => (field == "trading_days" && !self.has_own_days(*place)).then(|| {
                text!(
                    "it is not a row a day: count the days in the query",
                    "строка – не всегда один день: посчитайте дни в запросе"
                )
            }),
        }
    }

    /// Each row is of a day of its own.
    fn has_own_days(&self, time: usize) -> bool {
        let mut seen = HashSet::new();
        (0..self.rows.len())
            .all(|row| self.rows.value(row, time).date().is_some_and(|day| seen.insert(day)))
    }
}

impl Rows for Bars<'_> {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let place = match (&self.time, column) {
            (Ok(time), 0) => *time,
            (Ok(time), column) if column <= *time => column - 1,
            _ => column,
        };
        self.rows.value(row, place)
    }
}

/// Why rows may be of several series. Where no column of them says which, the table decides: its
/// cells may be withheld.
fn mixed(outcome: &Outcome) -> Option<Text> {
    let query = &outcome.query;
    let series = query.schema().series.as_deref().filter(|_| query.sql().is_none());
    if series.is_none() && !query.sql_series() {
        return None;
    }
    // What a column of a statement was made of is not known: none of it shows the series.
    let shown = series.and_then(|name| {
        outcome.columns.iter().position(|output| {
            matches!(output.role, Role::Series | Role::Key) && output.column.name == name
        })
    });
    let one = shown.is_some_and(|place| {
        let mut values = (0..outcome.rows.len()).map(|row| outcome.value(row, place));
        values.next().is_none_or(|first| values.all(|other| other == first))
    });
    if one {
        return None;
    }
    Some(if shown.is_some() {
        text!(
            "the rows are of several series: name one by `where`",
            "строки относятся к разным рядам: выберите один в `where`"
        )
    } else {
        text!(
            "the rows may be of several series: name one by `where` and show its column",
            "строки могут относиться к разным рядам: выберите один в `where` и покажите его столбец"
        )
    })
}

/// The column that says the time of rows.
fn time(outcome: &Outcome) -> Result<usize, Text> {
    let query = &outcome.query;
    let timed = |place: &usize| {
        outcome.columns.get(*place).is_some_and(|output| output.column.kind.is_time())
    };
    let all: Vec<usize> = (0..outcome.columns.len()).filter(timed).collect();
    // Of SQL the role says no more than the name does.
    let of_table = query.sql().is_none();
    let own = outcome.with_role(|role| *role == Role::Time);
    if let Some(own) = own.into_iter().find(timed).filter(|_| of_table) {
        return Ok(own);
    }
    // Rows of a table have its time, and no other column says it.
    let rows = of_table && query.steps().all(|step| step.kind() == ResultKind::Table);
    match all.as_slice() {
        [only] if !rows || query.schema().time.is_none() => Ok(*only),
        [] | [_] => Err(text!(
            "no time column says which row is the first and which the last",
            "нет столбца времени: не видно, какая строка первая и какая последняя"
        )),
        _ => Err(text!(
            "which of the time columns says the order of the rows is not clear",
            "не видно, какой из столбцов времени задаёт порядок строк"
        )),
    }
}
