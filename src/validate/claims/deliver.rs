//! The text as it is shown after the last draft: wrong claims replaced or withheld, every claim
//! marked at its new place.

use super::names::replaceable;
use crate::error::{Locale, Span};
use crate::validate::{Check, Marked, Verdict};

/// Replaces what is contradicted by the actual value and withholds what has none; what cannot be
/// verified stays and is marked by its claim. Spans point into the new text.
pub fn deliver(text: &str, check: &Check, locale: Locale) -> Marked {
    let mut out = Marked::default();
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
        if claim.verdict == Verdict::Contradicted {
            let new = match claim.actual.as_deref() {
                // A name that would break the grammar stands beside the old one.
                Some(name) if !replaceable(old, last_word(before)) => match locale {
                    Locale::En => format!("{old} [correct: {name}]"),
                    Locale::Ru => format!("{old} [верно: {name}]"),
                },
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

fn last_word(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or_default()
}
