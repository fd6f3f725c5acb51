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
    let mut text = "\n== random\ntable trips rows 900\ncolumn driver text\ncolumn fare float unit EUR\ncolumn late float\n\
        query {\"group_by\": \"driver\", \"select\": {\"mean_fare\": \"mean(fare)\", \
        \"count\": \"count()\", \"late_pct\": \"pct(late > 5)\"}}\n\
        counts scanned 900 matched 900\n"
        .to_owned();
    for (name, (mean, count)) in NAMES.iter().zip(values) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {name} | {mean} | {count} | {}", f64::from(count % 1000) / 10.0);
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

const FORMATS: [&str; 12] = [
    "",
    ":.0f",
    ":.1f",
    ":.2f",
    ":,.1f",
    ":,.2f",
    ":,",
    ":.1",
    ":+",
    ":+,.2f",
    ":.2f unit",
    ":.1f euros",
];

/// Other facts of the same result: a sentence, the reference in it, and its formats.
const FACTS: [(&str, &str, &[&str], Locale); 9] = [
    ("NAME had REF trips.", "r1[driver=NAME].count", &["", ":,", ":.0f"], Locale::En),
    ("У NAME REF поездок.", "r1[driver=NAME].count", &["", ":,", ":.0f"], Locale::Ru),
    (
        "The late pct of NAME is REF.",
        "r1[driver=NAME].late_pct",
        &[":%", ":.1%", ":+.1%"],
        Locale::En,
    ),
    ("Показатель late у NAME — REF.", "r1[driver=NAME].late_pct", &[":%", ":.1%"], Locale::Ru),
    ("The highest mean fare is REF.", "r1.stats.mean_fare.max", &["", ":.2f", ":,.1f"], Locale::En),
    ("The lowest mean fare is REF.", "r1.stats.mean_fare.min", &["", ":.2f", ":,.1f"], Locale::En),
    ("The highest mean fare, REF, is a driver's.", "r1.max.mean_fare", &["", ":.1f"], Locale::En),
    (
        "The difference between the mean fare of NAME and that of OTHER is REF.",
        "r1[driver=NAME].mean_fare - r1[driver=OTHER].mean_fare",
        &[":.2f", ":.1f"],
        Locale::En,
    ),
    (
        "Разница между средним fare у NAME и у OTHER — REF.",
        "r1[driver=NAME].mean_fare - r1[driver=OTHER].mean_fare",
        &[":.2f", ":.1f"],
        Locale::Ru,
    ),
];

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
    // Without a unit.
    let number = number.trim_end_matches(|c: char| !c.is_ascii_digit());
    let decimals = number.rfind(['.', ',']).map_or(0, |i| number.len() - i - 1);
    let grouped = number.contains(',') && decimals == 3 && !number.contains('.');
    0.5 * 10f64.powi(if grouped { 0 } else { -(decimals as i32) })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_code_writes_verifies(
        values in values(), row in 0..5_usize, sentence in 0..8_usize, format in 0..12_usize,
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
        values in values(), row in 0..5_usize, sentence in 0..8_usize, format in 0..12_usize,
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

    #[test]
    fn other_facts_verify_and_another_number_never_does(
        values in values(), row in 0..5_usize, other in 0..5_usize, fact in 0..9_usize,
        format in 0..3_usize, up in any::<bool>(),
    ) {
        let section = result(&values);
        // Of two drivers the one with more.
        prop_assume!(values[row].0 > values[other].0 + 1.0);
        let (text, reference, formats, locale) = FACTS[fact];
        let format = formats[format % formats.len()];
        let named = |text: &str| text.replace("NAME", NAMES[row]).replace("OTHER", NAMES[other]);
        let source = named(text).replace("REF", &format!("{{{{{}{format}}}}}", named(reference)));
        let done = render(&source, &[&section.outcome], locale);
        prop_assert!(done.issues.is_empty(), "{source}: {:?}", done.issues);
        let span = done.claims[0].span;
        let verdict = |text: &str, end: usize| {
            let found = check(text, &[&section.outcome], &Context::default());
            let claim = found.claims.iter().find(|c| c.span.start < end && c.span.end > span.start);
            claim.map(|c| c.verdict)
        };
        let good = verdict(&done.text, span.end);
        prop_assert!(
            matches!(good, Some(Verdict::Verified | Verdict::Derived)),
            "{}: {good:?}", done.text
        );
        // Another first digit, which is no rounding of it.
        let at = done.text[span.start..].find(|c: char| c.is_ascii_digit()).unwrap() + span.start;
        let digit = done.text.as_bytes()[at] - b'0';
        let new = if up == (digit < 9) { digit + 1 } else { digit.max(2) - 1 };
        prop_assume!(new != digit && new < 10);
        let wrong = format!("{}{new}{}", &done.text[..at], &done.text[at + 1..]);
        let bad = verdict(&wrong, span.end);
        prop_assert!(
            matches!(bad, Some(Verdict::Contradicted | Verdict::Unverifiable)),
            "{wrong}: {bad:?}"
        );
    }
}

/// Half a unit of the last digit: a tie is right either way, and what lies beyond is not.
#[test]
fn ties_are_right_either_way() {
    for value in [67.25, -67.25] {
        let mut values = vec![(10.0, 20); NAMES.len()];
        values[0].0 = value;
        let section = result(&values);
        for (text, locale) in SENTENCES {
            for (said, right) in [("67.2", true), ("67.3", true), ("67.1", false), ("67.4", false)]
            {
                let sign = if value < 0.0 { "-" } else { "" };
                let number = match locale {
                    Locale::En => said.to_owned(),
                    Locale::Ru => said.replace('.', ","),
                };
                let number = format!("{sign}{number}");
                let text = text.replace("NAME", NAMES[0]).replace("REF", &number);
                let found = check(&text, &[&section.outcome], &Context::default());
                let claim = found.claims.iter().find(|c| c.text == number);
                let verified = claim.map(|c| c.verdict == Verdict::Verified);
                assert_eq!(verified, Some(right), "{text}: {:?}", found.claims);
            }
        }
    }
}
