//! The words of an answer over a later result. Its numbers are kept as references, code fills them in
//! anew, and what it then says is checked as any draft of a model is.

use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::validate::{Claim, Context, FactRef, Marked, Overall, Verdict, check, render};

/// What references call the result.
const RESULT: &str = "r1";

/// The longest words that are kept, in bytes.
const MOST_BYTES: usize = 20_000;

/// The words of an answer, with references where it has numbers of its result. Nothing where it has
/// none, where it does not pass the check, or where they would not be filled in as they stand.
pub fn referring(
    answer: &str,
    question: &str,
    outcome: &Outcome,
    locale: Locale,
) -> Option<String> {
    if answer.contains("{{") || answer.len() > MOST_BYTES {
        return None;
    }
    let outcome = renamed(outcome);
    let context = Context { question: Some(question), locale };
    let found = check(answer, &[&outcome], &context);
    if found.verdict != Overall::Ok {
        return None;
    }
    let (mut words, mut at) = (String::new(), 0);
    for claim in &found.claims {
        let Some((from, to, reference)) = reference(claim, &outcome, locale) else { continue };
        words.push_str(answer.get(at..from)?);
        words.push_str(&reference);
        at = to;
    }
    if at == 0 || words.len() > MOST_BYTES {
        return None;
    }
    words.push_str(answer.get(at..)?);
    let filled = render(&words, &[&outcome], locale);
    (filled.issues.is_empty() && filled.text == answer).then_some(words)
}

/// What such words say of a result. Nothing where it lacks something that they refer to, or where
/// something of it does not hold: a number that is none of the result's, another largest.
pub fn retold(words: &str, question: &str, outcome: &Outcome, locale: Locale) -> Option<Marked> {
    let filled = render(words, &[&renamed(outcome)], locale);
    if !filled.issues.is_empty() {
        return None;
    }
    let context = Context { question: Some(question), locale };
    let found = check(&filled.text, &[outcome], &context);
    let holds = found.verdict == Overall::Ok;
    holds.then_some(Marked { text: filled.text, claims: found.claims })
}

fn renamed(outcome: &Outcome) -> Outcome {
    Outcome { id: RESULT.to_owned(), ..outcome.clone() }
}

/// Where the number of a claim stands, and the reference that is filled in as exactly that, from the
/// same cell.
fn reference(claim: &Claim, outcome: &Outcome, locale: Locale) -> Option<(usize, usize, String)> {
    if claim.verdict != Verdict::Verified {
        return None;
    }
    let fact = claim.fact.as_ref()?;
    let first = claim.text.find(|c: char| c.is_ascii_digit())?;
    let last = claim.text.rfind(|c: char| c.is_ascii_digit())?;
    let sign = claim.text.get(..first)?.chars().next_back();
    let sign = sign.filter(|&c| matches!(c, '-' | '−' | '+')).map_or(0, char::len_utf8);
    let (from, to) = (first - sign, last + 1);
    let number = claim.text.get(from..to)?;
    let name = name_of(fact, outcome)?;
    let reference = formats(number).into_iter().find_map(|format| {
        let reference = format!("{{{{{name}{format}}}}}");
        let filled = render(&reference, &[outcome], locale);
        let found = filled.claims.first().and_then(|claim| claim.fact.as_ref());
        let same = |found: &FactRef| found.row == fact.row && found.column == fact.column;
        (filled.text == number && found.is_some_and(same)).then_some(reference)
    })?;
    Some((claim.span.start + from, claim.span.start + to, reference))
}

/// What a reference calls a fact.
fn name_of(fact: &FactRef, outcome: &Outcome) -> Option<String> {
    let column = quoted(&fact.column);
    if fact.row.is_none() {
        // A count, or a statistic over the rows: its name has parts.
        return Some(format!("{RESULT}.{}", fact.column));
    }
    match outcome.kind() {
        ResultKind::Scalar => Some(RESULT.to_owned()),
        ResultKind::Dict => Some(format!("{RESULT}.{column}")),
        ResultKind::Grouped if !fact.key.is_empty() => {
            let key: Vec<String> =
                fact.key.iter().map(|(name, value)| format!("{}={value}", quoted(name))).collect();
            Some(format!("{RESULT}[{}].{column}", key.join(",")))
        }
        // Which row of a list is meant is not known of a later one.
        ResultKind::Grouped | ResultKind::Table => None,
    }
}

fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// How a number may have been written.
fn formats(number: &str) -> Vec<String> {
    let digits = |at: usize| number.len() - at - 1;
    let decimals = number.rfind(['.', ',']).map(digits).filter(|n| *n <= 12);
    let plus = if number.starts_with('+') { "+" } else { "" };
    let mut formats = Vec::new();
    for decimals in [decimals, Some(0)].into_iter().flatten() {
        for group in ["", ","] {
            formats.push(format!(":{plus}{group}.{decimals}f"));
        }
    }
    // A whole number need not stay one, what was rounded stays as short.
    formats.insert(if decimals.is_none() { 0 } else { formats.len() }, format!(":{plus}"));
    formats
}
