//! The text as it is shown after the last draft: wrong claims replaced or withheld, every claim
//! marked at its new place.

use super::names::replaceable;
use crate::error::{Locale, Span};
use crate::validate::addresses::addresses;
use crate::validate::{Check, Claim, Marked, Verdict};

/// Replaces what is contradicted by the actual value and withholds what has none; what cannot be
/// verified stays and is marked by its claim, and so does what stands in an address, where a right
/// value would leave the page with a click. Spans point into the new text.
pub fn deliver(text: &str, check: &Check, locale: Locale) -> Marked {
    let mut out = Marked::default();
    let addresses = addresses(text);
    let leads = |claim: &Claim| {
        addresses.iter().any(|a| a.start < claim.span.end && claim.span.start < a.end)
    };
    let mut at = 0;
    for claim in &check.claims {
        let (Some(before), Some(old)) =
            (text.get(at..claim.span.start), text.get(claim.span.start..claim.span.end))
        else {
            continue;
        };
        out.text.push_str(before);
        at = claim.span.end;
        let start = out.text.len();
        let mut claim = claim.clone();
        if claim.verdict == Verdict::Contradicted && !leads(&claim) {
            let new = match claim.actual.as_deref() {
                // A name that would break the grammar stands beside the old one, and so does one that
                // a number of its sentence may not be true of.
                Some(name)
                    if !replaceable(old, last_word(before)) || of_unsure(text, check, &claim) =>
                {
                    match locale {
                        Locale::En => format!("{old} [correct: {name}]"),
                        Locale::Ru => format!("{old} [верно: {name}]"),
                    }
                }
                Some(actual) => actual.to_owned(),
                None => match locale {
                    Locale::En => "[withheld]".to_owned(),
                    Locale::Ru => "[скрыто]".to_owned(),
                },
            };
            if new == old {
                // Right beside a corrected name.
                claim.verdict = Verdict::Verified;
            } else {
                claim.replaced = Some(old.to_owned());
            }
            out.text.push_str(&new);
            claim.text = new;
        } else {
            out.text.push_str(old);
        }
        claim.span = Span::new(start, out.text.len());
        out.claims.push(claim);
    }
    out.text.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The claim is a name, and a number that nobody could verify is said of it in the same sentence: of
/// the right name it would be another false statement.
fn of_unsure(text: &str, check: &Check, claim: &Claim) -> bool {
    let digits = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    if digits(&claim.text) {
        return false;
    }
    let ends =
        |between: &str| [". ", "! ", "? ", "; ", "\n"].iter().any(|end| between.contains(end));
    check.claims.iter().any(|other| {
        let (first, second) = if other.span.start < claim.span.start {
            (other.span, claim.span)
        } else {
            (claim.span, other.span)
        };
        other.verdict == Verdict::Unverifiable
            && digits(&other.text)
            && !of_same(other, claim)
            && text.get(first.end..second.start).is_some_and(|between| !ends(between))
    })
}

/// The number begins as the value of the row that the right name stands for.
fn of_same(number: &Claim, name: &Claim) -> bool {
    let (Some(fact), Some(own)) = (&number.fact, &name.fact) else { return false };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    fact.row == own.row && digits(&fact.value.to_string()).starts_with(&digits(&number.text))
}

fn last_word(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or_default()
}
