//! What to tell the author of a rejected draft: one line for each bad claim.

use super::judge::{Finding, Why, fact_key, fact_value};
use crate::error::{Locale, Text};
use crate::validate::Verdict;

/// The lines, empty when all is well.
pub(super) fn feedback(findings: &[Finding], locale: Locale) -> String {
    findings
        .iter()
        .filter(|f| matches!(f.claim.verdict, Verdict::Contradicted | Verdict::Unverifiable))
        .map(|f| format!("- \"{}\": {}", f.claim.text, line(f).get(locale)))
        .collect::<Vec<_>>()
        .join("\n")
}

fn line(f: &Finding) -> Text {
    let actual = f.claim.actual.as_deref().unwrap_or_default();
    match (&f.why, &f.claim.fact) {
        (Why::Order(measure), _) if !actual.is_empty() => {
            crate::text!("by {measure} it is {actual}", "по {measure} это {actual}")
        }
        (Why::Order(measure), _) => {
            crate::text!("{measure} says otherwise", "{measure} говорит об ином")
        }
        (Why::Stale, _) if !actual.is_empty() => {
            crate::text!("the query had {actual}", "в запросе было {actual}")
        }
        (Why::Stale, _) => {
            crate::text!("the query had another condition", "в запросе было другое условие")
        }
        (Why::Value, Some(fact)) => {
            let column = &fact.column;
            let value = fact_value(fact);
            let key = fact_key(fact);
            match (&f.claim.formula, key.is_empty()) {
                (Some(formula), _) => {
                    crate::text!("{formula} is {value}", "{formula} равно {value}")
                }
                (None, true) => crate::text!("{column} is {value}", "{column} равно {value}"),
                (None, false) => {
                    crate::text!(
                        "{column} for {key} is {value}",
                        "{column} для {key} равно {value}"
                    )
                }
            }
        }
        (Why::Doubt, Some(fact)) => {
            let name = match (&f.claim.formula, fact_key(fact)) {
                (Some(formula), _) => formula.clone(),
                (None, key) if key.is_empty() => fact.column.clone(),
                (None, key) => format!("{}[{key}]", fact.column),
            };
            let value = fact_value(fact);
            crate::text!(
                "not found in the results; the nearest is {name} = {value}: say plainly what it is",
                "этого нет в результатах; ближайшее: {name} = {value}; скажите прямо, что это"
            )
        }
        (Why::Ambiguous, _) => crate::text!(
            "say which measure and which group it is",
            "назовите показатель и группу, к которым это относится"
        ),
        _ => crate::text!(
            "the results do not say this; leave it out or query it",
            "в результатах этого нет; уберите или запросите"
        ),
    }
}
