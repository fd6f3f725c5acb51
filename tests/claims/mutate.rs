//! Mutations of a number that need the result: the value of another row, of another column, another
//! scale, another whole.

use crate::corpus::{Part, Section, Sentence};
use crate::rates::Rng;
use pinhole::validate::{Check, Claim, Verdict};
use std::ops::Range;

/// The mutations of part `at`, which `found` judged at `place`: kind and new words.
pub fn mutations(
    section: &Section,
    sentence: &Sentence,
    at: usize,
    found: &Check,
    place: &Range<usize>,
    rng: &mut Rng,
) -> Vec<(String, String)> {
    let Part::Number(text, false) = &sentence.parts[at] else { return Vec::new() };
    let Some(style) = Style::of(text) else { return Vec::new() };
    let mut out: Vec<(&str, String)> = Vec::new();
    let claim = found
        .claims
        .iter()
        .find(|c| c.span.start < place.end && c.span.end > place.start && good(c));
    if let Some((row, column)) = claim.and_then(|c| cell(section, c)) {
        let outcome = &section.outcome;
        let value = |row: usize, column: usize| outcome.value(row, column).as_f64();
        let rows: Vec<usize> = (0..outcome.rows.len()).filter(|r| *r != row).collect();
        if !rows.is_empty() {
            let other = rows[rng.below(rows.len())];
            out.extend(value(other, column).map(|x| ("entity", style.write(x))));
        }
        let columns: Vec<usize> = (0..outcome.columns.len())
            .filter(|c| *c != column && outcome.columns[*c].column.kind.is_numeric())
            .filter(|c| outcome.columns[*c].role != pinhole::query::check::Role::Key)
            .collect();
        // Only a sentence that says which column it means is wrong with the value of another.
        let words = sentence.text(None).0.to_lowercase();
        let named =
            |column: usize| names(section, column).iter().any(|n| words.contains(n.as_str()));
        let others: Vec<usize> = columns.into_iter().filter(|c| !named(*c)).collect();
        if !others.is_empty() && named(column) {
            let other = others[rng.below(others.len())];
            out.extend(value(row, other).map(|x| ("column", style.write(x))));
        }
    }
    let after: String = sentence.parts[at + 1..].iter().map(Part::words).collect();
    let free = after.trim_start().chars().next().is_none_or(|c| ".,;:)|".contains(c));
    if free && !text.contains(|c: char| c.is_alphabetic() || c == '%') {
        let russian = sentence.text(None).0.contains(|c| ('а'..='я').contains(&c));
        out.push(("scale", format!("{text} {}", if russian { "тыс." } else { "thousand" })));
    }
    let before = at.checked_sub(2).map(|i| (&sentence.parts[i], &sentence.parts[i + 1]));
    if let Some((Part::Number(..), Part::Plain(words))) = before
        && [" of ", " of the ", " из ", " out of "].contains(&words.as_str())
    {
        let counts = [
            Some(section.outcome.rows_scanned),
            Some(section.outcome.rows_matched),
            section.outcome.rows_before_limit,
        ];
        let other = counts
            .into_iter()
            .flatten()
            .map(|n| n as f64)
            .find(|n| *n != style.value)
            .unwrap_or(style.value * 2.0 + 1.0);
        out.push(("denominator", style.write(other)));
    }
    // A value of another size, shown in the digits of this one, may be true (`0` of 0.034).
    out.retain(|(kind, words)| {
        words != text && (*kind == "scale" || Style::of(words).is_some_and(|s| s.value != 0.0))
    });
    out.into_iter().map(|(kind, words)| (kind.to_owned(), words)).collect()
}

fn good(claim: &Claim) -> bool {
    claim.verdict == Verdict::Verified && claim.formula.is_none()
}

/// The words for a column: of its name, its label and its synonyms, and of its aggregate.
fn names(section: &Section, column: usize) -> Vec<String> {
    let column = &section.outcome.columns[column].column;
    let mut out: Vec<String> = column.name.split('_').map(str::to_owned).collect();
    out.extend(column.label.iter().chain(&column.synonyms).cloned());
    let aggregates: [(&str, &[&str]); 6] = [
        ("mean", &["average", "avg", "средн"]),
        ("max", &["largest", "highest", "most", "максим"]),
        ("min", &["smallest", "lowest", "least", "миним"]),
        ("sum", &["total", "всего", "итого", "сумм"]),
        ("median", &["медиан"]),
        ("pct", &["%"]),
    ];
    for (name, words) in aggregates {
        if out.iter().any(|n| n == name) {
            out.extend(words.iter().map(|w| (*w).to_owned()));
        }
    }
    out.into_iter().map(|n| n.to_lowercase()).filter(|n| !n.is_empty()).collect()
}

/// The cell that a claim was bound to.
fn cell(section: &Section, claim: &Claim) -> Option<(usize, usize)> {
    let fact = claim.fact.as_ref()?;
    let column = section.outcome.columns.iter().position(|c| c.column.name == fact.column)?;
    Some((fact.row?, column))
}

/// How a number is written.
struct Style {
    before: String,
    after: String,
    group: Option<char>,
    point: char,
    decimals: usize,
    value: f64,
}

impl Style {
    /// `None` for what is no plain number.
    fn of(text: &str) -> Option<Self> {
        let first = text.find(|c: char| c.is_ascii_digit())?;
        let last = text.rfind(|c: char| c.is_ascii_digit())?;
        let core = text.get(first..=last)?;
        let marks: Vec<(usize, char)> =
            core.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
        if marks.iter().any(|(_, c)| !", .\u{a0}\u{202f}".contains(*c)) {
            return None;
        }
        let tail = |(at, c): (usize, char)| core.len() - at - c.len_utf8();
        // The last mark is the decimal point, unless three digits follow a comma or a space.
        let point = marks.last().copied().filter(|m| m.1 == '.' || m.1 == ',' && tail(*m) != 3);
        let decimals = point.map_or(0, tail);
        let group = marks.iter().find(|m| Some(**m) != point).map(|m| m.1);
        let whole = core.get(..point.map_or(core.len(), |p| p.0))?;
        let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
        let fraction = core.get(core.len() - decimals..)?;
        Some(Self {
            before: text.get(..first)?.to_owned(),
            after: text.get(last + 1..)?.to_owned(),
            group,
            point: point.map_or('.', |p| p.1),
            decimals,
            value: format!("{digits}.{fraction}0").parse().ok()?,
        })
    }

    /// Another value, written so.
    fn write(&self, value: f64) -> String {
        let plain = format!("{:.*}", self.decimals, value.abs());
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let mut out = self.before.clone();
        for (i, c) in whole.chars().enumerate() {
            if let Some(group) = self.group.filter(|_| i > 0 && (whole.len() - i) % 3 == 0) {
                out.push(group);
            }
            out.push(c);
        }
        if !fraction.is_empty() {
            out.push(self.point);
            out.push_str(fraction);
        }
        out + &self.after
    }
}
