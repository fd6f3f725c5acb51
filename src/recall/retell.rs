//! The words of an answer over a later result. Its numbers are kept as references, code fills them in
//! anew, and what it then says is checked as any draft of a model is.

use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::validate::claims::sentences;
use crate::validate::{Claim, Context, FactRef, Marked, Overall, Verdict, check, render};
use crate::value::Value;
use std::collections::{BTreeSet, HashMap};

/// The longest words that are kept, in bytes.
const MOST_BYTES: usize = 20_000;

/// The longest result that words are kept of, in rows: its names are looked for in each sentence.
const MOST_ROWS: usize = 2_000;

/// Over which rows words are told again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Later {
    /// Over any: what nobody can check of them may hold no more.
    Any,
    /// Over the very rows that they were said of, with the same results.
    Same,
}

/// The words of an answer, with references where it has numbers of its results: of that of a query, of
/// the list and the totals of a call, or of all of several calls. Nothing where it has none, where it
/// does not pass the check, or where they would not be filled in as they stand; nor, where they are for
/// any rows, where it says something that nobody could check later: a sentence without a number, a
/// name of a result beside numbers of other rows.
pub fn referring(
    answer: &str,
    question: &str,
    outcomes: &[&Outcome],
    locale: Locale,
    later: Later,
) -> Option<String> {
    let any = later == Later::Any;
    let long = any && outcomes.iter().any(|outcome| outcome.rows.len() > MOST_ROWS);
    if answer.contains("{{") || answer.len() > MOST_BYTES || long {
        return None;
    }
    let outcomes = renamed(outcomes);
    let outcomes: Vec<&Outcome> = outcomes.iter().collect();
    let context = Context { question: Some(question), locale };
    let found = check(answer, &outcomes, &context);
    if found.verdict != Overall::Ok || (any && !is_proved(answer, &found.claims)) {
        return None;
    }
    let (mut words, mut at) = (String::new(), 0);
    let mut named = Vec::new();
    for claim in &found.claims {
        let Some((from, to, reference)) = reference(claim, &outcomes, locale) else { continue };
        words.push_str(answer.get(at..from)?);
        words.push_str(&reference);
        at = to;
        named.extend(claim.fact.as_ref().map(|fact| (from, fact)));
    }
    let others = any && outcomes.iter().any(|outcome| names_others(answer, outcome, &named));
    if at == 0 || words.len() > MOST_BYTES || others {
        return None;
    }
    words.push_str(answer.get(at..)?);
    let filled = render(&words, &outcomes, locale);
    (filled.issues.is_empty() && filled.text == answer).then_some(words)
}

/// What such words say of later results. Nothing where they lack something that the words refer to, or
/// where something of it does not hold: a number that is none of theirs, another largest.
pub fn retold(
    words: &str,
    question: &str,
    outcomes: &[&Outcome],
    locale: Locale,
    later: Later,
) -> Option<Marked> {
    let named = renamed(outcomes);
    let filled = render(words, &named.iter().collect::<Vec<_>>(), locale);
    if !filled.issues.is_empty() {
        return None;
    }
    let context = Context { question: Some(question), locale };
    let found = check(&filled.text, outcomes, &context);
    let proved = later == Later::Same || is_proved(&filled.text, &found.claims);
    let holds = found.verdict == Overall::Ok && proved;
    holds.then_some(Marked { text: filled.text, claims: found.claims })
}

/// Whether every sentence has something that was checked: of another nobody knows whether it holds.
fn is_proved(text: &str, claims: &[Claim]) -> bool {
    sentences(text).into_iter().all(|sentence| {
        let said = text.get(sentence.start..sentence.end).unwrap_or_default();
        let within =
            |claim: &Claim| sentence.start <= claim.span.start && claim.span.end <= sentence.end;
        !said.contains(char::is_alphanumeric) || claims.iter().any(within)
    })
}

/// The texts of a cell: itself, or the members of a list.
fn texts(cell: &Value) -> Vec<String> {
    match cell {
        Value::Text(text) => vec![text.to_string()],
        Value::List(members) => members.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Whether a text cell of the result stands in a sentence where no reference names its row: whose
/// name that is later, nobody knows. `named` are the references, each with where it stands.
fn names_others(answer: &str, outcome: &Outcome, named: &[(usize, &FactRef)]) -> bool {
    let spans = sentences(answer);
    let said: Vec<Vec<String>> =
        spans.iter().map(|s| words_of(answer.get(s.start..s.end).unwrap_or_default())).collect();
    outcome.rows.columns().iter().enumerate().any(|(place, column)| {
        let cells: BTreeSet<String> = (0..outcome.rows.len())
            .flat_map(|row| texts(&outcome.rows.value(row, place)))
            .collect();
        let cells: Vec<(&String, BTreeSet<String>)> = cells
            .iter()
            .map(|cell| (cell, words_of(cell).iter().map(|word| stem(word)).collect()))
            .collect();
        let mut shared: HashMap<&String, usize> = HashMap::new();
        for stem in cells.iter().flat_map(|(_, stems)| stems) {
            *shared.entry(stem).or_default() += 1;
        }
        spans.iter().zip(&said).any(|(span, said)| {
            cells.iter().any(|(cell, stems)| {
                let is_said = |stem: &String| said.iter().any(|word| word.starts_with(stem));
                // One word of several does where no other cell has it.
                let alone = |stem: &&String| shared.get(stem).is_some_and(|cells| *cells == 1);
                let own = stems.iter().filter(alone).any(is_said);
                let meant = own || (!stems.is_empty() && stems.iter().all(is_said));
                let is_named = |(at, fact): &(usize, &FactRef)| {
                    let key = fact.key.iter();
                    (span.start..span.end).contains(at)
                        && fact.result == outcome.id
                        && key
                            .into_iter()
                            .any(|(name, value)| *name == column.name && value == *cell)
                };
                meant && !named.iter().any(is_named)
            })
        })
    })
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A word without what declines it.
fn stem(word: &str) -> String {
    let count = word.chars().count();
    let ending = match count {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    };
    word.chars().take(count - ending).collect()
}

/// The results under the names that references have for them: `r1`, `r2`.
fn renamed(outcomes: &[&Outcome]) -> Vec<Outcome> {
    let numbered = outcomes.iter().enumerate();
    numbered
        .map(|(n, outcome)| Outcome { id: format!("r{}", n + 1), ..(*outcome).clone() })
        .collect()
}

/// Where the number of a claim stands, and the reference that is filled in as exactly that, from the
/// same cell.
fn reference(
    claim: &Claim,
    outcomes: &[&Outcome],
    locale: Locale,
) -> Option<(usize, usize, String)> {
    if claim.verdict != Verdict::Verified {
        return None;
    }
    let fact = claim.fact.as_ref()?;
    let outcome = outcomes.iter().find(|outcome| outcome.id == fact.result)?;
    let first = claim.text.find(|c: char| c.is_ascii_digit())?;
    let last = claim.text.rfind(|c: char| c.is_ascii_digit())?;
    let sign = claim.text.get(..first)?.chars().next_back();
    let sign = sign.filter(|&c| matches!(c, '-' | '−' | '+')).map_or(0, char::len_utf8);
    let (from, to) = (first - sign, last + 1);
    let number = claim.text.get(from..to)?;
    let name = name_of(fact, outcome)?;
    let reference = formats(number).into_iter().find_map(|format| {
        let reference = format!("{{{{{name}{format}}}}}");
        let filled = render(&reference, outcomes, locale);
        let found = filled.claims.first().and_then(|claim| claim.fact.as_ref());
        let same = |found: &FactRef| {
            (found.row, &found.column, &found.result) == (fact.row, &fact.column, &fact.result)
        };
        (filled.text == number && found.is_some_and(same)).then_some(reference)
    })?;
    Some((claim.span.start + from, claim.span.start + to, reference))
}

/// What a reference calls a fact.
fn name_of(fact: &FactRef, outcome: &Outcome) -> Option<String> {
    let (column, result) = (quoted(&fact.column), &fact.result);
    if fact.row.is_none() {
        // A count, or a statistic over the rows: its name has parts.
        return Some(format!("{result}.{}", fact.column));
    }
    match outcome.kind() {
        ResultKind::Scalar => Some(result.clone()),
        ResultKind::Dict => Some(format!("{result}.{column}")),
        ResultKind::Grouped if !fact.key.is_empty() => {
            let key: Vec<String> =
                fact.key.iter().map(|(name, value)| format!("{}={value}", quoted(name))).collect();
            Some(format!("{result}[{}].{column}", key.join(",")))
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
