//! References: the author of a text writes `{{r1[dow=Fri].mean_gap:.1f}}` and code fills in the
//! value. A number that code puts there cannot be wrong.
//!
//! ```text
//! reference = "{{" expression [ "|" "pct" expression ] [ ":" format ] "}}"
//! expression = term { ("+" | "-") term }
//! term       = factor { ("*" | "/") factor }
//! factor     = number | "-" factor | "(" expression ")" | fact
//! fact       = result [ "[" key "=" value { "," key "=" value } "]" ] { "." name }
//! format     = [ "+" ] [ "," ] [ "." digits [ "f" ] ] [ "%" ] [ " " unit | "unit" ]
//! ```
//!
//! `r1` and `r1.value` are a scalar, `r1.mean_gap` a column of a result of one row (or of the row
//! that the brackets choose), `r1.stats.gap.max` a statistic over the rows, `r1.first.close` and
//! `r1.last.close` an end of the table, `r1.max.dow` and `r1.min.dow` the row with the largest or
//! smallest first measure, `r1.rows`, `r1.rows_matched` and `r1.rows_scanned` counts. Names with
//! other signs than letters, digits and underscores stand in back quotes. `a | pct b` is a in per
//! cent of b. In an address that a reader may follow none is filled in: its value would leave the
//! page with a click.

mod evaluate;
mod format;
mod parse;
#[cfg(test)]
mod tests;

use super::addresses::addresses;
use super::{Claim, Verdict};
use crate::error::{Code, Diagnostic, Locale, Span};
use crate::facts::Outcome;
pub use evaluate::valid;

/// A text whose references are filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// The text. A reference that cannot be filled in stands as it was written.
    pub text: String,
    /// One claim a reference, spans into `text`: `Verified` with its fact, or `Unverifiable`.
    pub claims: Vec<Claim>,
    /// What cannot be filled in; the spans are bytes of the input.
    pub issues: Vec<Diagnostic>,
}

/// Fills in every reference of a text from results, in the numbers of the reader's language.
pub fn render(text: &str, outcomes: &[&Outcome], locale: Locale) -> Rendered {
    let mut out = Rendered { text: String::new(), claims: Vec::new(), issues: Vec::new() };
    let addresses = addresses(text);
    let mut at = 0;
    while let Some(found) = text[at..].find("{{") {
        let open = at + found;
        let Some(len) = text[open..].find("}}") else { break };
        // `{{{`: the innermost braces are the reference.
        let close = open + len;
        let open = text[open..close].rfind("{{").map_or(open, |i| open + i);
        out.text.push_str(&text[at..open]);
        at = close + 2;
        let source = &text[open + 2..close];
        let leads = addresses.iter().any(|span| span.start < close && open < span.end);
        let filled = if leads { Err(in_address(source)) } else { parse::parse(source) }
            .and_then(|r| evaluate::fill(&r, source, outcomes, locale))
            .map_err(|mut d| {
                let within = d.span.unwrap_or(Span::new(0, source.len()));
                d.span = Some(Span::new(open + 2 + within.start, open + 2 + within.end));
                // What is like none of them.
                if d.choices.is_empty() {
                    d.choices = evaluate::valid(outcomes);
                    d.choices.truncate(evaluate::CHOICES);
                }
                d
            });
        let start = out.text.len();
        let mut claim = Claim {
            span: Span::default(),
            text: String::new(),
            verdict: Verdict::Unverifiable,
            actual: None,
            fact: None,
            formula: None,
            operands: Vec::new(),
            replaced: None,
        };
        match filled {
            Ok(filled) => {
                claim.verdict = Verdict::Verified;
                claim.fact = filled.fact;
                claim.formula = filled.formula;
                claim.operands = filled.operands;
                claim.text.clone_from(&filled.text);
                out.text.push_str(&filled.text);
            }
            Err(problem) => {
                text[open..at].clone_into(&mut claim.text);
                out.text.push_str(&text[open..at]);
                out.issues.push(*problem);
            }
        }
        claim.span = Span::new(start, out.text.len());
        out.claims.push(claim);
    }
    out.text.push_str(&text[at..]);
    out
}

/// Nothing that code knows is put where a click would carry it away.
fn in_address(source: &str) -> Box<Diagnostic> {
    let message = crate::text!(
        "a reference in an address is not filled in, since a click would carry its value away: \
         state the value in the text beside the link",
        "ссылка на значение внутри адреса не заполняется, ведь по щелчку оно ушло бы со страницы: \
         приведите значение в тексте рядом с адресом"
    );
    let whole = Span::new(0, source.len());
    Box::new(Diagnostic::new(Code::Syntax, message).span(whole))
}
