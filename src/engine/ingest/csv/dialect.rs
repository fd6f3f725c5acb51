//! How a delimited file is written, found out from its first rows: the delimiter, lines before
//! the table, and whether the first row names the columns.

use super::rows::{Found, Splitter, Start};
use crate::engine::ingest::column::{CellKind, look};
use crate::engine::ingest::options::CsvOptions;
use crate::engine::ingest::report::{Note, NoteCode};
use std::collections::HashSet;

/// Delimiters that are tried, the likelier first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at.
const ROWS: usize = 200;
/// Lines before the table that are looked at.
const PREAMBLE: usize = 20;

/// How a file is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dialect {
    /// Between fields.
    pub delimiter: u8,
    /// Whether the first row names the columns.
    pub header: bool,
    /// The columns.
    pub names: Vec<Name>,
    /// The first row of data.
    pub data: Start,
}

/// The name of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    /// Unique in its table.
    pub name: String,
    /// The file has none; this one was made up.
    pub made: bool,
}

/// A row of the sample.
#[derive(Debug)]
struct Row {
    fields: Vec<String>,
    start: Start,
    next: Start,
}

/// Finds out the dialect of `sample`, the first bytes of the text, `whole` when they are all of
/// it. `None` when there is not one complete row.
pub(super) fn detect(
    sample: &[u8],
    whole: bool,
    options: &CsvOptions,
    notes: &mut Vec<Note>,
) -> Option<Dialect> {
    let (declared, start) = declared(sample);
    let candidates = match options.delimiter.or(declared) {
        Some(delimiter) => vec![delimiter],
        None => DELIMITERS.to_vec(),
    };
    let mut best: Option<(f64, u8, Vec<Row>, usize)> = None;
    for delimiter in candidates {
        let rows = rows(sample, whole, delimiter, start);
        let (width, share) = usual_width(&rows);
        let score =
            if width < 2 { share / 100.0 } else { share + tidiness(&rows, width, delimiter) };
        if !rows.is_empty() && best.as_ref().is_none_or(|b| score > b.0) {
            best = Some((score, delimiter, rows, width));
        }
    }
    let (_, delimiter, mut rows, width) = best?;
    let skipped = preamble(&rows, width);
    if skipped > 0 {
        notes.push(Note::new(
            NoteCode::LinesSkipped,
            text!(
                "lines before the table left out: {skipped}",
                "пропущено строк перед таблицей: {skipped}"
            ),
        ));
    }
    let table = rows.split_off(skipped);
    let (first, rest) = table.split_first()?;
    let header = options.header.unwrap_or_else(|| has_header(first, rest, width));
    let names = if header {
        names(&first.fields, rest, width, notes)
    } else {
        notes.push(Note::new(
            NoteCode::NoHeader,
            text!(
                "the file has no line of names; its columns are called `column_1` and so on",
                "в файле нет строки с именами; столбцы названы `column_1` и так далее"
            ),
        ));
        (1..=width).map(|i| Name { name: format!("column_{i}"), made: true }).collect()
    };
    Some(Dialect { delimiter, header, names, data: if header { first.next } else { first.start } })
}

/// The delimiter that a first line `sep=;` declares, and where the table begins after it.
fn declared(sample: &[u8]) -> (Option<u8>, Start) {
    if let Some((b"sep=" | b"SEP=" | b"Sep=", [delimiter, rest @ ..])) =
        sample.split_first_chunk::<4>()
        && !delimiter.is_ascii_alphanumeric()
        && delimiter.is_ascii()
    {
        let at = match rest {
            [b'\r', b'\n', ..] => 7,
            [b'\r' | b'\n', ..] => 6,
            _ => return (None, Start::FIRST),
        };
        return (Some(*delimiter), Start { at, line: 2, after_return: false });
    }
    (None, Start::FIRST)
}

fn rows(sample: &[u8], whole: bool, delimiter: u8, start: Start) -> Vec<Row> {
    let mut text = sample.to_vec();
    let mut splitter = Splitter::new(delimiter, None, start);
    let mut rows = Vec::new();
    let mut seen = 0;
    while rows.len() < ROWS {
        match splitter.run(&mut text, whole) {
            Found::Row => {
                let fields = splitter.fields().get(seen..).unwrap_or_default();
                let string = |start: u32, end: u32| {
                    let bytes = text.get(start as usize..end as usize).unwrap_or_default();
                    String::from_utf8_lossy(bytes).into_owned()
                };
                let fields: Vec<String> = fields.iter().map(|f| string(f.start, f.end)).collect();
                seen += fields.len();
                rows.push(Row { fields, start: splitter.row(), next: splitter.next() });
            }
            Found::Bad(_) | Found::OpenQuote(_) => {}
            Found::End => break,
        }
    }
    rows
}

/// The most frequent number of fields, and the share of rows that have it.
fn usual_width(rows: &[Row]) -> (usize, f64) {
    let count = |width: usize| rows.iter().filter(|r| r.fields.len() == width).count();
    let widths: HashSet<usize> = rows.iter().map(|r| r.fields.len()).collect();
    widths
        .into_iter()
        .map(|width| (count(width), width))
        .max()
        .map_or((0, 0.0), |(count, width)| (width, count as f64 / rows.len() as f64))
}

/// The share of fields that are values, or text without another delimiter inside.
fn tidiness(rows: &[Row], width: usize, delimiter: u8) -> f64 {
    let mut fields = 0usize;
    let mut tidy = 0usize;
    for field in rows.iter().filter(|r| r.fields.len() == width).flat_map(|r| &r.fields) {
        let other = |b: u8| b != delimiter && DELIMITERS.contains(&b);
        fields += 1;
        tidy += usize::from(!field.bytes().any(other) || look(field) != CellKind::Text);
    }
    tidy as f64 / fields.max(1) as f64
}

/// How many rows before the table are comments or titles.
fn preamble(rows: &[Row], width: usize) -> usize {
    let comment = |row: &Row| {
        let marked = row.fields.first().is_some_and(|f| f.starts_with('#'));
        let odd = row.fields.len() != width;
        (marked && (odd || width == 1)) || (width >= 3 && row.fields.len() == 1)
    };
    let n = rows.iter().take(PREAMBLE).take_while(|row| comment(row)).count();
    if n < rows.len() { n } else { 0 }
}

/// Whether the first row has names: text above a column of numbers or dates says yes, a value of
/// the same kind says no, and a text that occurs again below says no.
fn has_header(first: &Row, rest: &[Row], width: usize) -> bool {
    let kinds: Vec<CellKind> = first.fields.iter().map(|f| look(f)).collect();
    if rest.is_empty() {
        return kinds.iter().all(|k| matches!(k, CellKind::Text | CellKind::Missing));
    }
    let mut same = 0;
    let mut again = 0;
    for (i, (field, kind)) in first.fields.iter().zip(&kinds).enumerate() {
        let below =
            || rest.iter().filter(|r| r.fields.len() == width).filter_map(|r| r.fields.get(i));
        let mut found = below().map(|f| look(f)).filter(|k| *k != CellKind::Missing);
        let column = found.next().filter(|k| found.all(|other| other == *k));
        match (column, kind) {
            (Some(CellKind::Number | CellKind::Time), CellKind::Text) => return true,
            (Some(a), b) if a == *b && a != CellKind::Text => same += 1,
            (_, CellKind::Text) => again += usize::from(below().any(|f| f == field)),
            _ => {}
        }
    }
    if same > 0 { has_years(&first.fields, &kinds) } else { again == 0 }
}

/// Wide tables have years for names.
fn has_years(fields: &[String], kinds: &[CellKind]) -> bool {
    let numbers = fields.iter().zip(kinds).filter(|(_, k)| **k == CellKind::Number);
    let years: Option<Vec<u32>> = numbers.map(|(f, _)| f.trim().parse().ok()).collect();
    let text = kinds.contains(&CellKind::Text);
    years.is_some_and(|years| {
        text && years.len() > 1
            && years.iter().all(|y| (1800..=2100).contains(y))
            && years.windows(2).all(|w| w.first().zip(w.last()).is_some_and(|(a, b)| a + 1 == *b))
    })
}

/// The name, or where it is taken the name with the first number from 2 on that is not.
fn unused(taken: &mut HashSet<String>, name: &str) -> String {
    let mut number = 2;
    let mut candidate = name.to_owned();
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

/// The names of the columns: trimmed, made unique, made up where there is none.
fn names(header: &[String], rest: &[Row], width: usize, notes: &mut Vec<Note>) -> Vec<Name> {
    let mut header: Vec<&str> = header.iter().map(|name| name.trim()).collect();
    while header.len() > width.max(1) && header.last() == Some(&"") {
        header.pop();
    }
    let longer = rest.iter().filter(|r| r.fields.len() == header.len() + 1);
    let filled = longer.clone().any(|r| r.fields.last().is_some_and(|f| !f.is_empty()));
    if filled && longer.count() == rest.len() {
        // names of rows, without a name of their own
        header.insert(0, "");
    }
    let mut taken: HashSet<String> = header.iter().map(|name| (*name).to_owned()).collect();
    let mut seen = HashSet::new();
    let mut out = Vec::with_capacity(header.len());
    for (i, name) in header.into_iter().enumerate() {
        let number = i + 1;
        let made = name.is_empty();
        if !made && seen.insert(name) {
            out.push(Name { name: name.to_owned(), made });
            continue;
        }
        let unique = if made {
            unused(&mut taken, &format!("column_{number}"))
        } else {
            unused(&mut taken, name)
        };
        notes.push(if made {
            Note::new(
                NoteCode::NameMade,
                text!(
                    "column {number} has no name; it is called `{unique}`",
                    "у столбца {number} нет имени; он назван `{unique}`"
                ),
            )
        } else {
            Note::new(
                NoteCode::NameMadeUnique,
                text!(
                    "the name `{name}` occurs more than once; column {number} is called `{unique}`",
                    "имя `{name}` встречается не раз; столбец {number} назван `{unique}`"
                ),
            )
        }
        .column(&unique));
        out.push(Name { name: unique, made });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, delimiter: u8, header: bool, names: &[&str], data: &str) {
        let mut notes = Vec::new();
        let dialect = detect(text.as_bytes(), true, &CsvOptions::default(), &mut notes);
        let Some(dialect) = dialect else { panic!("no dialect for {text:?}") };
        assert_eq!(char::from(dialect.delimiter), char::from(delimiter), "{text:?}");
        assert_eq!(dialect.header, header, "{text:?}");
        let found: Vec<&str> = dialect.names.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(found, names, "{text:?}");
        let start = text.get(dialect.data.at..).unwrap_or_default();
        let start = if dialect.data.after_return { start.trim_start_matches('\n') } else { start };
        assert_eq!(start, data, "{text:?}");
    }

    #[test]
    fn delimiters() {
        check("a,b\n1,2\n", b',', true, &["a", "b"], "1,2\n");
        check("a;b\n1,5;2,5\n", b';', true, &["a", "b"], "1,5;2,5\n");
        check("1,5;2,5\n3,5;4,5\n", b';', false, &["column_1", "column_2"], "1,5;2,5\n3,5;4,5\n");
        check("a\tb\nx, y\t2\nz\t3\n", b'\t', true, &["a", "b"], "x, y\t2\nz\t3\n");
        check("a|b\r\n1|2\r\n", b'|', true, &["a", "b"], "1|2\r\n");
        check("n\n1\n2\n", b',', true, &["n"], "1\n2\n");
        check("text\nwell, so\nwell\n", b';', true, &["text"], "well, so\nwell\n");
        check("a,b\n1;x,2\n2;y,3\n", b',', true, &["a", "b"], "1;x,2\n2;y,3\n");
        check("sep=;\r\na,1;b\r\n1;2\r\n", b';', true, &["a,1", "b"], "1;2\r\n");
        check("a,b,c\n1,2,3\n4,5\n6,7,8\n", b',', true, &["a", "b", "c"], "1,2,3\n4,5\n6,7,8\n");
    }

    #[test]
    fn headers() {
        check("1,2\n3,4\n", b',', false, &["column_1", "column_2"], "1,2\n3,4\n");
        check("x,2\ny,4\n", b',', false, &["column_1", "column_2"], "x,2\ny,4\n");
        check("id,name\nx,y\n", b',', true, &["id", "name"], "x,y\n");
        check("id,name\n", b',', true, &["id", "name"], "");
        check("id,5\n", b',', false, &["column_1", "column_2"], "id,5\n");
        check("x,y\nz,y\nx,w\n", b',', false, &["column_1", "column_2"], "x,y\nz,y\nx,w\n");
        check("land,2001,2002\nA,1,2\n", b',', true, &["land", "2001", "2002"], "A,1,2\n");
        check("day,n\n2024-01-02,x\n", b',', true, &["day", "n"], "2024-01-02,x\n");
        check("NA,1\n3,2\n", b',', false, &["column_1", "column_2"], "NA,1\n3,2\n");
    }

    #[test]
    fn lines_before_the_table() {
        check("# made by x\n#, y, z\na,b\n1,2\n3,4\n", b',', true, &["a", "b"], "1,2\n3,4\n");
        check("Report\n\na,b,c\n1,2,3\n", b',', true, &["a", "b", "c"], "1,2,3\n");
        check("#a,b\n1,2\n3,4\n", b',', true, &["#a", "b"], "1,2\n3,4\n");
    }

    #[test]
    fn names_are_made_unique() {
        check(" a ,a,,a_2\n1,2,3,4\n", b',', true, &["a", "a_3", "column_3", "a_2"], "1,2,3,4\n");
        check("a,b,,\n1,2\n3,4\n", b',', true, &["a", "b"], "1,2\n3,4\n");
        check("a,b\n1,2,\n3,4,\n", b',', true, &["a", "b"], "1,2,\n3,4,\n");
        check("a,b\nx,1,2\ny,3,4\n", b',', true, &["column_1", "a", "b"], "x,1,2\ny,3,4\n");
    }
}
