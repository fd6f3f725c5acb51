//! Properties over random results: what code writes verifies, in every language and style; another
//! number in its place never does.

use crate::corpus::{self, Section};
use pinhole::error::Locale;
use pinhole::validate::claims::{Context, check, deliver};
use pinhole::validate::{Verdict, render};
use proptest::prelude::*;
use std::fmt::Write;

const NAMES: [&str; 5] = ["Ortega", "Schmidt", "Dubois", "Tanaka", "Kowalski"];

/// A result with a mean and a count for each of five drivers.
fn result(values: &[(f64, u32)]) -> Section {
    let mut text = "\n== random\ntable trips rows 900\ncolumn driver text\ncolumn fare float\n\
        query {\"group_by\": \"driver\", \"select\": \"mean(fare), count()\"}\n\
        counts scanned 900 matched 900\n"
        .to_owned();
    for (name, (mean, count)) in NAMES.iter().zip(values) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {name} | {mean} | {count}");
    }
    corpus::read(&text).remove(0)
}

fn values() -> impl Strategy<Value = Vec<(f64, u32)>> {
    // Whole cents from tens to tens of thousands, of either sign.
    let mean = (1_000_i64..9_000_000, any::<bool>())
        .prop_map(|(cents, minus)| cents as f64 / 100.0 * if minus { -1.0 } else { 1.0 });
    prop::collection::vec((mean, 1_u32..5_000), NAMES.len())
}

/// A sentence around a reference to the mean of a row.
const SENTENCES: [(&str, Locale); 8] = [
    ("The mean fare of NAME is REF.", Locale::En),
    ("NAME: mean fare REF", Locale::En),
    ("- **NAME** – a mean fare of REF", Locale::En),
    ("On average, NAME had a fare of REF.", Locale::En),
    ("| driver | mean fare |\n|---|---|\n| NAME | REF |", Locale::En),
    ("Средний fare у NAME — REF.", Locale::Ru),
    ("NAME: средний fare REF", Locale::Ru),
    ("В среднем fare у NAME составил REF.", Locale::Ru),
];

const FORMATS: [&str; 8] = ["", ":.0f", ":.1f", ":.2f", ":,.1f", ":,.2f", ":,", ":.1"];

/// A sentence as code fills it in, with the place of the number.
fn written(
    section: &Section,
    row: usize,
    sentence: usize,
    format: usize,
) -> (String, usize, usize) {
    let (text, locale) = SENTENCES[sentence];
    let reference = format!("{{{{r1[driver={}].mean_fare{}}}}}", NAMES[row], FORMATS[format]);
    let source = text.replace("NAME", NAMES[row]).replace("REF", &reference);
    let done = render(&source, &[&section.outcome], locale);
    assert!(done.issues.is_empty(), "{source}: {:?}", done.issues);
    assert!(done.claims.iter().all(|c| c.verdict == Verdict::Verified));
    let span = done.claims[0].span;
    (done.text, span.start, span.end)
}

/// Half a unit of the last digit that a number shows.
fn half_unit(number: &str) -> f64 {
    let decimals = number.rfind(['.', ',']).map_or(0, |i| number.len() - i - 1);
    let grouped = number.contains(',') && decimals == 3 && !number.contains('.');
    0.5 * 10f64.powi(if grouped { 0 } else { -(decimals as i32) })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_code_writes_verifies(
        values in values(), row in 0..5_usize, sentence in 0..8_usize, format in 0..8_usize,
    ) {
        let section = result(&values);
        let (text, start, end) = written(&section, row, sentence, format);
        let found = check(&text, &[&section.outcome], &Context::default());
        let claim = found.claims.iter().find(|c| c.span.start < end && c.span.end > start);
        prop_assert!(
            claim.is_some_and(|c| c.verdict == Verdict::Verified),
            "{text}: {:?}", found.claims
        );
        prop_assert_eq!(&deliver(&text, &found, Locale::En).text, &text);
    }

    #[test]
    fn another_number_never_verifies(
        values in values(), row in 0..5_usize, sentence in 0..8_usize, format in 0..8_usize,
        far in 1.01_f64..9.0, exponent in 0..5_i32, up in any::<bool>(),
    ) {
        let section = result(&values);
        let (text, start, end) = written(&section, row, sentence, format);
        // More than a unit of the last digit away, in the same style.
        let step = 2.0 * half_unit(&text[start..end]) * far * 10f64.powi(exponent);
        let mut changed = values.clone();
        changed[row].0 += if up { step } else { -step };
        let other = result(&changed);
        let (wrong, start, end) = written(&other, row, sentence, format);
        // Written with fewer digits the other number may be this one, rounded.
        prop_assume!((changed[row].0 - values[row].0).abs() > 2.0 * half_unit(&wrong[start..end]));
        let found = check(&wrong, &[&section.outcome], &Context::default());
        let claim = found.claims.iter().find(|c| c.span.start < end && c.span.end > start);
        prop_assert!(
            claim.is_some_and(|c| {
                matches!(c.verdict, Verdict::Contradicted | Verdict::Unverifiable)
            }),
            "{wrong} of {:?}: {:?}", values[row], found.claims
        );
    }
}
