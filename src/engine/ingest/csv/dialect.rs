//! How a delimited file is written, found out from its first rows: the delimiter, lines before
//! the table, and whether the first row names the columns.

use super::rows::{Found, Splitter, Start, Syntax};
use crate::engine::ingest::column::{CellKind, look};
use crate::engine::ingest::names::{Name, unique};
use crate::engine::ingest::options::{CsvOptions, Quote};
use crate::engine::ingest::report::{Note, NoteCode};
use crate::error::{Code, Diagnostic, Result};
use std::collections::HashSet;

/// Delimiters that are tried, the likelier first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at.
const ROWS: usize = 200;
/// Lines before the table that are looked at.
const PREAMBLE: usize = 20;

/// A row with more fields is no row of a table.
const MOST_COLUMNS: usize = 100_000;

/// How a file is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dialect {
    /// The characters that cut it.
    pub syntax: Syntax,
    /// Whether the first row names the columns.
    pub header: bool,
    /// The columns.
    pub names: Vec<Name>,
    /// The first row of data.
    pub data: Start,
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
///
/// # Errors
/// The rows are too wide for a table.
pub(super) fn detect(
    sample: &[u8],
    whole: bool,
    options: &CsvOptions,
    notes: &mut Vec<Note>,
) -> Result<Option<Dialect>> {
    let (declared, start) = match options.skip {
        Some(lines) => match after(sample, lines) {
            Some(start) => (None, start),
            None => return Ok(None),
        },
        None => declared(sample),
    };
    let candidates = match options.delimiter.or(declared) {
        Some(delimiter) => vec![delimiter],
        None => DELIMITERS.to_vec(),
    };
    let mut best: Option<(f64, Syntax, Vec<Row>, usize)> = None;
    for delimiter in candidates {
        let (syntax, cut) = marks(sample, whole, delimiter, start, options);
        let (width, share) = usual_width(&cut.rows);
        let score =
            if width < 2 { share / 100.0 } else { share + tidiness(&cut.rows, width, delimiter) };
        if !cut.rows.is_empty() && best.as_ref().is_none_or(|b| score > b.0) {
            best = Some((score, syntax, cut.rows, width));
        }
    }
    let Some((_, syntax, mut rows, width)) = best else { return Ok(None) };
    if width > MOST_COLUMNS {
        return Err(too_wide().into());
    }
    let skipped = if options.skip.is_some() { 0 } else { preamble(&rows, width) };
    if skipped > 0 {
        notes.push(Note::new(
            NoteCode::LinesSkipped,
            text!(
                "lines before the table left out: {skipped}",
                "пропущено строк перед таблицей: {skipped}"
            ),
        ));
    }
    note_marks(syntax, options, notes);
    let table = rows.split_off(skipped);
    let Some((first, rest)) = table.split_first() else { return Ok(None) };
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
    let data = if header { first.next } else { first.start };
    Ok(Some(Dialect { syntax, header, names, data }))
}

/// The quote and the escape under which the text cuts cleanly, and the rows that it gives.
///
/// `'` is the quote where fields are cleanly between two of it and none begins with `"`; `\` is an
/// escape where quoted fields seem to go on after their end and with it they do not.
fn marks(
    sample: &[u8],
    whole: bool,
    delimiter: u8,
    start: Start,
    options: &CsvOptions,
) -> (Syntax, Cut) {
    let quote = match options.quote {
        Some(Quote::None) => None,
        Some(Quote::Mark(mark)) => Some(mark),
        None => Some(b'"'),
    };
    let named = options.quote.is_some();
    let usual = Syntax { delimiter, quote, escape: options.escape, inside: false };
    let cut = rows(sample, whole, usual, start);
    if named || delimiter == b'\'' {
        return (usual, cut);
    }
    let share = |cut: &Cut| usual_width(&cut.rows).1;
    if cut.quoted == 0 && sample.contains(&b'\'') {
        let single = Syntax { quote: Some(b'\''), ..usual };
        let other = rows(sample, whole, single, start);
        let clean = other.tails == 0 && !other.open && other.quoted > 1;
        // A few texts between `'` are texts, unless the rows cut better by it or nearly each has one.
        let (with, without) = (share(&other), share(&cut));
        let each = other.quoted + 1 >= other.rows.len();
        if clean && (with > without || each && with >= without) {
            return (single, other);
        }
    }
    if options.escape.is_none() && (cut.tails > 0 || cut.open) && delimiter != b'\\' {
        let escaped = Syntax { escape: Some(b'\\'), inside: true, ..usual };
        let other = rows(sample, whole, escaped, start);
        if other.tails == 0 && !other.open && share(&other) >= share(&cut) {
            return (escaped, other);
        }
    }
    (usual, cut)
}

/// Tells of a quote or an escape that nobody named.
fn note_marks(syntax: Syntax, options: &CsvOptions, notes: &mut Vec<Note>) {
    if options.quote.is_none() && syntax.quote == Some(b'\'') {
        notes.push(Note::new(
            NoteCode::QuoteGuessed,
            text!("fields stand between `'`", "поля стоят между `'`"),
        ));
    }
    if options.escape.is_none() && syntax.escape.is_some() {
        notes.push(Note::new(
            NoteCode::QuoteGuessed,
            text!("a quote inside a field is written `\\\"`", "кавычка внутри поля пишется `\\\"`"),
        ));
    }
}

fn too_wide() -> Diagnostic {
    let most = MOST_COLUMNS;
    Diagnostic::new(
        Code::NotATable,
        text!("the file has more than {most} columns", "в файле больше {most} столбцов"),
    )
}

/// Where the text begins after so many lines; `None` where there are not as many.
fn after(sample: &[u8], lines: usize) -> Option<Start> {
    let mut start = Start::FIRST;
    for _ in 0..lines {
        let rest = sample.get(start.at..)?;
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'))?;
        let two = rest.get(end..).is_some_and(|rest| rest.starts_with(b"\r\n"));
        start.at += end + 1 + usize::from(two);
        start.line += 1;
    }
    Some(start)
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

/// The first rows under a syntax.
struct Cut {
    rows: Vec<Row>,
    /// Fields that began with a quote, and those of them that went on after the closing one.
    quoted: usize,
    tails: usize,
    /// A quote was never closed.
    open: bool,
}

fn rows(sample: &[u8], whole: bool, syntax: Syntax, start: Start) -> Cut {
    let mut text = sample.to_vec();
    let mut splitter = Splitter::new(syntax, None, start);
    let mut rows = Vec::new();
    let mut open = false;
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
            Found::Bad(_) => {}
            Found::OpenQuote(_) => open = true,
            Found::End => break,
        }
    }
    Cut { rows, quoted: splitter.quoted(), tails: splitter.tails(), open }
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

/// How many rows before the table are comments or titles. A line with `#` that has as many fields as
/// the table may be its header, and so may one name over two columns: it is none where the line behind
/// has names over values. So may a title that has empty fields behind it up to the width of the table,
/// as spreadsheets write them.
fn preamble(rows: &[Row], width: usize) -> usize {
    let marked = |row: &Row| row.fields.first().is_some_and(|f| f.starts_with('#'));
    let odd = |row: &Row| row.fields.len() != width;
    let comment = |row: &Row| {
        (marked(row) && (odd(row) || width == 1)) || (width >= 3 && row.fields.len() == 1)
    };
    let first = rows.iter().take(PREAMBLE);
    let sure = first.clone().take_while(|row| comment(row)).count();
    let title = |row: &Row| width == 2 && row.fields.len() == 1;
    let padded = |row: &Row| {
        width >= 3 && row.fields.iter().skip(1).all(String::is_empty) && row.fields.len() == width
    };
    let likely =
        first.take_while(|row| comment(row) || marked(row) || title(row) || padded(row)).count();
    if likely > sure
        && let Some([header, rest @ ..]) = rows.get(likely..)
        && names_values(header, rest, width)
    {
        return likely;
    }
    if sure < rows.len() { sure } else { 0 }
}

/// Whether a row has text above a column of numbers or dates.
fn names_values(row: &Row, below: &[Row], width: usize) -> bool {
    let name = |f: &String| matches!(look(f), CellKind::Text | CellKind::Missing);
    if !row.fields.iter().all(name) {
        return false;
    }
    row.fields.iter().enumerate().any(|(i, field)| {
        let below = below.iter().filter(|r| r.fields.len() == width);
        let mut kinds = below.filter_map(|r| r.fields.get(i)).map(|f| look(f));
        let mut found = kinds.by_ref().filter(|k| *k != CellKind::Missing);
        let column = found.next().filter(|k| found.all(|other| other == *k));
        look(field) == CellKind::Text && matches!(column, Some(CellKind::Number | CellKind::Time))
    })
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
    unique(&header, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, delimiter: u8, header: bool, names: &[&str], data: &str) {
        let mut notes = Vec::new();
        let dialect = detect(text.as_bytes(), true, &CsvOptions::default(), &mut notes);
        let Ok(Some(dialect)) = dialect else { panic!("no dialect for {text:?}") };
        assert_eq!(char::from(dialect.syntax.delimiter), char::from(delimiter), "{text:?}");
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
    fn quotes_and_escapes() {
        let check = |text: &str, quote: char, escape: Option<char>, first: &[&str]| {
            let mut notes = Vec::new();
            let dialect = detect(text.as_bytes(), true, &CsvOptions::default(), &mut notes);
            let Ok(Some(Dialect { syntax, data, .. })) = dialect else { panic!("none: {text:?}") };
            let found = (syntax.quote.map(char::from), syntax.escape.map(char::from));
            assert_eq!(found, (Some(quote), escape), "{text:?}");
            let guessed = notes.iter().filter(|n| n.code == NoteCode::QuoteGuessed).count();
            assert_eq!(guessed, usize::from(found != (Some('"'), None)), "{text:?}");
            let cut = rows(text.as_bytes(), true, syntax, data);
            assert_eq!(cut.rows.first().map(|r| &r.fields[..]).unwrap_or_default(), first);
        };
        check("a,b\n'x, y',1\n'z, z',2\n", '\'', None, &["x, y", "1"]);
        check("a;b\n'it''s; so';1\n'z';2\n", '\'', None, &["it's; so", "1"]);
        check("a,b\n'x',1\n'z',2\nso,3\nwhat,4\n", '"', None, &["'x'", "1"]);
        check("a,b\n'90s,1\n'80s,2\n", '"', None, &["'90s", "1"]);
        check("a,b\n'x' or y,1\n'z',2\n", '"', None, &["'x' or y", "1"]);
        check("a,b\nit's,1\nthat's,2\n", '"', None, &["it's", "1"]);
        check("a,b\n\"x, 'y'\",1\n'z',2\n", '"', None, &["x, 'y'", "1"]);
        check(
            "a,b\n\"say \\\"hi\\\", you\",1\n\"z\",2\n",
            '"',
            Some('\\'),
            &["say \"hi\", you", "1"],
        );
        check("a,b\n\"say \\\"hi\\\"\",1\n", '"', Some('\\'), &["say \"hi\"", "1"]);
        check("a,b\n\"C:\\dir\\\",1\n\"z\",2\n", '"', None, &["C:\\dir\\", "1"]);
        check("a,b\n\"say \"\"hi\"\"\",1\n", '"', None, &["say \"hi\"", "1"]);
    }

    #[test]
    fn a_guessed_escape_is_one_between_quotes_alone() {
        let text = "a,b,c\n\"say \\\"hi\\\"\",C:\\dir\\,1\nx,\\N,2\n";
        let dialect = detect(text.as_bytes(), true, &CsvOptions::default(), &mut Vec::new());
        let Ok(Some(Dialect { syntax, data, .. })) = dialect else { panic!("no dialect") };
        let cut = rows(text.as_bytes(), true, syntax, data);
        let fields: Vec<&[String]> = cut.rows.iter().map(|r| &r.fields[..]).collect();
        assert_eq!(fields, [["say \"hi\"", "C:\\dir\\", "1"], ["x", "\\N", "2"]]);
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
        check(
            "#,code,n\n1,A12,5\n2,17,6\n3,18,9\n",
            b',',
            true,
            &["#", "code", "n"],
            "1,A12,5\n2,17,6\n3,18,9\n",
        );
        check("# made by x, y\na,b\n1,2\n3,4\n", b',', true, &["a", "b"], "1,2\n3,4\n");
        check("# of: x, y, z\nid,name,n\n1,q,2\n", b',', true, &["id", "name", "n"], "1,q,2\n");
        check(
            "# name,town\nAnn,Rome\nBo,Oslo\n",
            b',',
            true,
            &["# name", "town"],
            "Ann,Rome\nBo,Oslo\n",
        );
    }

    #[test]
    fn lines_that_are_skipped() {
        let check = |text: &str, skip, names: &[&str]| {
            let options = CsvOptions { skip: Some(skip), ..CsvOptions::default() };
            let mut notes = Vec::new();
            let dialect = detect(text.as_bytes(), true, &options, &mut notes);
            let found = dialect.expect("not too wide").map_or(Vec::new(), |d| d.names);
            let found: Vec<&str> = found.iter().map(|n| n.name.as_str()).collect();
            assert_eq!(found, names, "{text:?}");
            assert!(notes.iter().all(|n| n.code != NoteCode::LinesSkipped));
        };
        check("made by x, y\r\nat noon, z\ra,b\n1,2\n", 2, &["a", "b"]);
        check("# a,b,c\n1,2,3\n", 0, &["# a", "b", "c"]);
        check("a,b\n1,2\n", 3, &[]);
    }

    #[test]
    fn names_are_made_unique() {
        check(" a ,a,,a_2\n1,2,3,4\n", b',', true, &["a", "a_3", "column_3", "a_2"], "1,2,3,4\n");
        check("a,b,,\n1,2\n3,4\n", b',', true, &["a", "b"], "1,2\n3,4\n");
        check("a,b\n1,2,\n3,4,\n", b',', true, &["a", "b"], "1,2,\n3,4,\n");
        check("a,b\nx,1,2\ny,3,4\n", b',', true, &["column_1", "a", "b"], "x,1,2\ny,3,4\n");
    }
}
