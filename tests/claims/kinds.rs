//! What is wrong in a false sentence, told by the result alone: the value of another entity or of
//! another measure, a wrong place in an order, or something else (a change, a bound, a digit).

use crate::actual::{lower, says_row, shows};
use crate::corpus::{Part, Section, Sentence};
use crate::mutate::Style;

/// The kinds that fool a look for values, and what is none of them.
pub const KINDS: [&str; 4] = ["another entity", "order", "another measure", "something else"];

/// Words for a place in an order, by their beginnings.
const PLACES: &[&str] = &[
    "most",
    "least",
    "fewest",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "first",
    "second",
    "third",
    "last",
    "лидер",
    "перв",
    "втор",
    "трет",
    "послед",
];

/// The kind of the wrong words of a false sentence.
pub fn kind(section: &Section, sentence: &Sentence, words: &str) -> &'static str {
    let plain = lower(words);
    let digits = plain.contains(|c: char| c.is_ascii_digit());
    let rows = || 0..section.outcome.rows.len();
    let place = PLACES.iter().any(|start| {
        plain.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(start))
    });
    let names = rows().any(|row| says_row(section, &plain, row));
    let value = Style::of(words).filter(|_| digits);
    if value.is_none() && (place || names) {
        return "order";
    }
    let Some(value) = value else { return "something else" };
    let right = sentence.parts.iter().filter(|p| !matches!(p, Part::Wrong(_)));
    let said = lower(&right.map(Part::words).collect::<String>());
    let named: Vec<usize> = rows().filter(|&row| says_row(section, &said, row)).collect();
    let has =
        |row: &usize| (0..section.outcome.columns.len()).any(|c| shows(section, &value, *row, c));
    // Of several rows that are named nobody knows which one the number is said of.
    let own = rows().len() == 1 || named.len() == 1 && named.iter().any(has);
    if own && rows().any(|row| has(&row)) {
        "another measure"
    } else if rows().any(|row| has(&row)) {
        "another entity"
    } else {
        "something else"
    }
}
