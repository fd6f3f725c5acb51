//! The preview form: the first rows as text and a line per column. For general tables, on request.

use super::display::{add, english, inline, name, russian, shown};
use super::{BUDGET, TEXT_LENGTH, estimate_tokens};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::value::{Distinct, Stats, Value};

/// This many rows are shown.
const ROWS: usize = 5;

/// Columns with at most this many different values list them.
const LISTED: usize = 5;

/// Of longer lists of texts this many are named.
const NAMED: usize = 3;

/// Lengths of names and values, until the text is within its budget.
const LENGTHS: [usize; 4] = [TEXT_LENGTH, 40, 20, 12];

/// One column, read once.
struct ColumnSummary {
    name: String,
    /// Its first cells.
    cells: Vec<Value>,
    says: Says,
}

/// What the line of a column says.
enum Says {
    Nothing,
    Values(Vec<Value>),
    Range(Value, Value),
    Texts(usize, Vec<Value>),
    Lists(usize),
}

/// The preview of a result over `columns`, in `locale`, within the budget of tokens of a summary.
/// Reads each column once or twice. Lists of columns are cut with `+n more`.
pub fn preview(outcome: &Outcome, columns: &[usize], locale: Locale) -> String {
    let rows = outcome.rows.len();
    if rows == 0 {
        return match locale {
            Locale::En => "No data found for your query.".to_owned(),
            Locale::Ru => "По запросу ничего не найдено.".to_owned(),
        };
    }
    // A column takes more than a token.
    let read: Vec<ColumnSummary> =
        columns.iter().take(BUDGET).filter_map(|&c| column(outcome, c)).collect();
    let fitting = |most: usize, length: usize| {
        let text = render(&read, columns.len(), rows, most, length, locale);
        (estimate_tokens(&text) <= BUDGET).then_some(text)
    };
    // As many columns as fit; before there are fewer than four, texts are shortened.
    for length in LENGTHS {
        let mut least = if length == TEXT_LENGTH { 4.min(read.len()) } else { 1 };
        let Some(mut text) = fitting(least, length) else { continue };
        let mut beyond = read.len() + 1;
        while beyond - least > 1 {
            let most = usize::midpoint(least, beyond);
            match fitting(most, length) {
                Some(longer) => (least, text) = (most, longer),
                None => beyond = most,
            }
        }
        return text;
    }
    render(&read, columns.len(), rows, 1, 1, locale)
}

fn column(outcome: &Outcome, number: usize) -> Option<ColumnSummary> {
    let output = outcome.columns.get(number)?;
    let date_only = output.date_only;
    let cells = (0..outcome.rows.len().min(ROWS))
        .map(|row| shown(&outcome.value(row, number), date_only))
        .collect();
    if output.column.kind.is_list() {
        let nulls = usize::try_from(outcome.rows.nulls(number)).unwrap_or(usize::MAX);
        let says = Says::Lists(outcome.rows.len().saturating_sub(nulls));
        return Some(ColumnSummary { name: output.column.name.clone(), cells, says });
    }
    let Distinct { count, first } = outcome.rows.distinct(number, LISTED);
    let first: Vec<Value> = first.iter().map(|v| shown(v, date_only)).collect();
    let says = if count == 0 {
        Says::Nothing
    } else if count <= LISTED {
        Says::Values(first)
    } else if output.column.kind.is_numeric() || output.column.kind.is_time() {
        let Stats { min, max, .. } = outcome.rows.stats(number);
        Says::Range(shown(&min, date_only), shown(&max, date_only))
    } else {
        Says::Texts(count, first.into_iter().take(NAMED).collect())
    };
    Some(ColumnSummary { name: output.column.name.clone(), cells, says })
}

/// The text with the first `most` of `all` columns.
fn render(
    read: &[ColumnSummary],
    all: usize,
    rows: usize,
    most: usize,
    length: usize,
    locale: Locale,
) -> String {
    let told = read.get(..most).unwrap_or(read);
    let left = all.saturating_sub(told.len());
    let more = match locale {
        Locale::En => format!("+{left} more"),
        Locale::Ru => format!("+ещё {left}"),
    };
    let line = |mut cells: Vec<String>| {
        if left > 0 {
            cells.push(more.clone());
        }
        cells.join(" | ")
    };
    let shown = rows.min(ROWS);
    let mut text = match locale {
        Locale::En => format!(
            "Found {rows} record{}.\nPREVIEW (first {shown} row{}):\n",
            if rows == 1 { "" } else { "s" },
            if shown == 1 { "" } else { "s" }
        ),
        Locale::Ru => format!(
            "Найдено: {}.\nПЕРВЫЕ СТРОКИ ({shown}):\n",
            russian(rows as u64, ["запись", "записи", "записей"])
        ),
    };
    text.push_str(&line(told.iter().map(|c| name(&c.name, length)).collect()));
    for row in 0..shown {
        let cells =
            told.iter().map(|c| c.cells.get(row).map_or(String::new(), |v| inline(v, length)));
        let cells: Vec<String> = cells.collect();
        add(&mut text, format_args!("\n{}", cells.join(" | ")));
    }
    text.push_str(match locale {
        Locale::En => "\nCOLUMN SUMMARY:",
        Locale::Ru => "\nСТОЛБЦЫ:",
    });
    for column in told {
        let said = says(&column.says, length, locale);
        add(&mut text, format_args!("\n  {}: {said}", name(&column.name, length)));
    }
    if left > 0 {
        add(&mut text, format_args!("\n  {more}"));
    }
    text
}

fn says(says: &Says, length: usize, locale: Locale) -> String {
    let list =
        |values: &[Value]| values.iter().map(|v| inline(v, length)).collect::<Vec<_>>().join(", ");
    match (says, locale) {
        (Says::Nothing, Locale::En) => "no values".to_owned(),
        (Says::Nothing, Locale::Ru) => "нет значений".to_owned(),
        (Says::Values(values), _) => list(values),
        (Says::Range(min, max), Locale::En) => {
            format!("ranges from {} to {}", inline(min, length), inline(max, length))
        }
        (Says::Range(min, max), Locale::Ru) => {
            format!("от {} до {}", inline(min, length), inline(max, length))
        }
        (Says::Lists(count), Locale::En) => english(*count as u64, "list", "lists"),
        (Says::Lists(count), Locale::Ru) => russian(*count as u64, ["список", "списка", "списков"]),
        (Says::Texts(count, first), Locale::En) => {
            format!("{count} values: {}, …", list(first))
        }
        (Says::Texts(count, first), Locale::Ru) => {
            let count = russian(*count as u64, ["значение", "значения", "значений"]);
            format!("{count}: {}, …", list(first))
        }
    }
}
