//! The claims check: every number of a prose answer, and every claim about the order of groups,
//! against the evidence. Bound by names and words, never searched by value.
//!
//! [`lex`] and [`read`] find what the text mentions, [`world`] what the results hold; [`bind`] says
//! what each number is about, [`resolve`] which facts that is, [`verify`] whether they agree.

mod among;
mod behind;
mod beside;
mod between;
mod bind;
mod both;
mod bounds;
mod combine;
mod compare;
mod deliver;
mod derive;
mod exchanged;
mod holders;
mod judge;
mod known;
mod lex;
mod limits;
mod link;
mod lists;
mod marks;
mod meant;
mod misnamed;
mod moves;
mod names;
mod nouns;
mod number;
mod order;
mod other;
mod places;
mod rank;
mod read;
mod recompute;
mod report;
mod resolve;
mod rungs;
mod shares;
mod sides;
mod spared;
mod spelled;
mod standing;
mod stated;
mod strangers;
mod sure;
mod swapped;
mod things;
mod threshold;
mod told;
mod tops;
mod totals;
mod uncounted;
mod verify;
mod wholes;
mod words;
mod world;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use tests::fixtures;

use super::{Check, Overall, Verdict};
use crate::error::Locale;
use crate::facts::Outcome;
pub use behind::behind;
pub use deliver::deliver;
use judge::Finding;
pub use lex::sentences;
pub use recompute::{Later, Noted, Recompute, Recomputed, check_noting, check_with, whole};

/// What the check may use beside the text and the results.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The question: its words say what an answer such as `Monday: 78` is about.
    pub question: Option<&'a str>,
    /// The language of the feedback.
    pub locale: Locale,
}

/// Checks a text against results, oldest first. Every claim carries its span in `text`.
pub fn check(text: &str, outcomes: &[&Outcome], context: &Context) -> Check {
    checked(findings(text, outcomes, &[], context), context)
}

fn findings(
    text: &str,
    outcomes: &[&Outcome],
    wholes: &[&Outcome],
    context: &Context,
) -> Vec<Finding> {
    // The question stands before the text: what it names is carried into the first sentence.
    let question = context.question.unwrap_or_default().trim();
    let lead = if question.is_empty() { String::new() } else { format!("{question}\n") };
    let whole = format!("{lead}{text}");
    judge::judge(&whole, lead.len(), outcomes, wholes)
}

fn checked(findings: Vec<Finding>, context: &Context) -> Check {
    let feedback = report::feedback(&findings, context.locale);
    let claims: Vec<_> = findings.into_iter().map(|f| f.claim).collect();
    let bad = |v: Verdict| matches!(v, Verdict::Contradicted | Verdict::Unverifiable);
    let verdict =
        if claims.iter().any(|c| bad(c.verdict)) { Overall::Rewrite } else { Overall::Ok };
    Check { claims, verdict, feedback }
}

/// Whether a sentence may hold a claim and has to wait for the check while it is streamed. Only the
/// check knows what is one, so that every sentence of words or numbers waits: a list of the words
/// that make claims would fall behind the check.
pub fn may_claim(sentence: &str) -> bool {
    sentence.chars().any(char::is_alphanumeric)
}
