//! Tests of references: what they name, how they are written, what is said of wrong ones.

use super::{Rendered, render, valid};
use crate::error::{Code, Locale};
use crate::facts::Outcome;
use crate::validate::claims::{Context, check, fixtures};
use crate::validate::{Overall, Verdict};

fn run(text: &str, locale: Locale) -> Rendered {
    let (weekdays, dict, mondays) =
        (fixtures::weekdays_full(), fixtures::dict(), fixtures::mondays());
    let (shops, drops) = (fixtures::shops(), fixtures::drops());
    render(text, &[&weekdays, &shops, &dict, &mondays, &drops], locale)
}

#[test]
fn names_of_facts() {
    for (reference, english, russian) in [
        ("r4", "17", "17"),
        ("r4.value", "17", "17"),
        ("r3.mean_gap", "67.31", "67,31"),
        ("r3.MEAN_GAP", "67.31", "67,31"),
        ("R3.count", "80", "80"),
        ("r1[dow=Fri].mean_gap", "45.26", "45,26"),
        ("r1[dow=\"Fri\"].max_gap", "88.8", "88,8"),
        ("r1.max.dow", "Mon", "Mon"),
        ("r1.min.mean_gap", "45.26", "45,26"),
        ("r1.rows", "5", "5"),
        ("r1.rows_matched", "80", "80"),
        ("r1.rows_scanned", "500", "500"),
        ("r1.stats.count.sum", "80", "80"),
        ("r2[shop=Лента, `dayname()`=Tue].sum_amount", "1,890", "1890"),
        ("r2.stats.sum_amount.sum", "29,970.75", "29\u{a0}970,75"),
        ("r5.stats.change_pct.min", "-5.06", "−5,06"),
        ("r5.first.timestamp", "2025-04-08", "2025-04-08"),
        ("r5.last.close", "18,960.75", "18\u{a0}960,75"),
        ("r5[timestamp=2024-08-05].change_pct", "-3.43", "−3,43"),
        // formats
        ("r3.mean_gap:.1f", "67.3", "67,3"),
        ("r3.mean_gap:+.1", "+67.3", "+67,3"),
        ("r3.mean_gap: points", "67.31\u{a0}points", "67,31\u{a0}points"),
        ("r2[shop=Лента, `dayname()`=Tue].sum_amount:,.2f", "1,890.00", "1\u{a0}890,00"),
        ("r5.stats.change_pct.min:%", "-5.06%", "−5,06\u{a0}%"),
        ("r1.rows_matched / r1.rows_scanned:%", "16%", "16\u{a0}%"),
        ("r1.rows_matched / r1.rows_scanned:.1%", "16.0%", "16,0\u{a0}%"),
        // arithmetic
        ("r1[dow=Mon].mean_gap - r1[dow=Fri].mean_gap", "32.78", "32,78"),
        ("r3.count - r4 | pct r3.count", "78.75%", "78,75\u{a0}%"),
        ("(r3.count + 20) * 2", "200", "200"),
        ("-r4:+", "-17", "−17"),
        ("r1[dow=Mon].mean_gap / r1[dow=Fri].mean_gap:.2f", "1.72", "1,72"),
    ] {
        for (locale, expected) in [(Locale::En, english), (Locale::Ru, russian)] {
            let done = run(&format!("a {{{{{reference}}}}} b"), locale);
            assert_eq!(done.text, format!("a {expected} b"), "{reference}: {:?}", done.issues);
            let claim = &done.claims[0];
            assert_eq!((claim.verdict, claim.text.as_str()), (Verdict::Verified, expected));
            assert_eq!(&done.text[claim.span.start..claim.span.end], expected);
            assert!(claim.fact.is_some() != claim.formula.is_some(), "{reference}");
        }
    }
}

#[test]
fn wrong_references_list_the_valid_ones() {
    for (reference, code, choice) in [
        ("r9.count", Code::UnknownResult, Some("r3.count")),
        ("r3.mean_gpa", Code::UnknownColumn, Some("r3.mean_gap")),
        ("r1.mean_gap", Code::WrongArgument, Some("r1[dow=…].mean_gap")),
        ("r1[dow=Sun].mean_gap", Code::WrongArgument, None),
        ("r1[day=Fri].mean_gap", Code::UnknownColumn, Some("r1[dow=…].mean_gap")),
        ("r5.stats.change_pct.median", Code::UnknownColumn, Some("r5.stats.change_pct.mean")),
        ("r1.stats.mean_gap.mean", Code::UnknownColumn, Some("r1.max.mean_gap")),
        ("r1.stats.mean_gap.sum", Code::UnknownColumn, Some("r1.stats.count.sum")),
        ("r1.max.dow - 1", Code::TypeMismatch, None),
        ("r1.max.dow:.1f", Code::TypeMismatch, None),
        ("r4 / (r4 - r4)", Code::WrongArgument, None),
        ("r4 +", Code::Syntax, None),
        ("", Code::Syntax, None),
        ("r4 r4", Code::Syntax, None),
        ("r4:5", Code::Syntax, None),
        ("r1[dow=Fri.mean_gap", Code::Syntax, None),
    ] {
        let text = format!("a {{{{{reference}}}}} b");
        let done = run(&text, Locale::En);
        assert_eq!(done.text, text, "{reference} stands as it was written");
        assert_eq!(done.claims[0].verdict, Verdict::Unverifiable);
        let [issue] = done.issues.as_slice() else { panic!("{reference}: {:?}", done.issues) };
        assert_eq!(issue.code, code, "{reference}: {issue}");
        assert!(!issue.choices.is_empty(), "{reference}: {issue}");
        if let Some(choice) = choice {
            assert!(issue.choices.iter().any(|c| c == choice), "{reference}: {issue}");
        }
        let span = issue.span.expect("a span");
        assert!(text.get(span.start..span.end).is_some(), "{reference}: {span:?}");
        // What stands in the cells is not in the message.
        assert!(!issue.to_string().contains("Fri"), "{issue}");
    }
}

#[test]
fn every_listed_reference_is_valid() {
    let (dict, mondays, drops) = (fixtures::dict(), fixtures::mondays(), fixtures::drops());
    let weekdays = fixtures::weekdays_full();
    let all: [&Outcome; 4] = [&dict, &mondays, &drops, &weekdays];
    for reference in valid(&all) {
        let text = format!("{{{{{}}}}}", reference.replace('…', "Mon"));
        let done = render(&text, &all, Locale::En);
        assert!(done.issues.is_empty(), "{reference}: {:?}", done.issues);
    }
}

#[test]
fn text_around_references_is_kept() {
    for text in ["", "no reference", "}} {{", "{{", "{ {r4} }", "ц{{"] {
        assert_eq!(run(text, Locale::En).text, text);
    }
    assert_eq!(run("{{{r4}}}", Locale::En).text, "{17}");
    assert_eq!(run("{{r4}}{{r4}}ц", Locale::Ru).text, "1717ц");
}

#[test]
fn none_is_filled_in_in_an_address() {
    for text in [
        "[open](https://evil.example/?v={{r4}})",
        "[open](<https://evil.example/?v={{r1.max.dow}} {{r4}}>)",
        "see https://{{ r1.max.dow }}.evil.example/",
        "[open][1]\n\n[1]: //evil.example/{{r4 + 1}}",
    ] {
        let done = run(text, Locale::En);
        assert_eq!(done.text, text);
        assert!(done.claims.iter().all(|c| c.verdict == Verdict::Unverifiable), "{text}");
        assert!(done.issues.iter().all(|issue| issue.code == Code::Syntax), "{:?}", done.issues);
        let issue = &done.issues[0];
        assert!(issue.message.en.starts_with("a reference in an address is not filled in"));
        let span = issue.span.expect("its place");
        assert!(text[span.start..span.end].trim_start().starts_with('r'), "{text}");
    }
    let beside = run("{{r4}} rows, as [open](https://docs.example/) has them", Locale::En);
    assert_eq!(beside.text, "17 rows, as [open](https://docs.example/) has them");
}

/// What code fills in passes the claims check, and another value does not.
#[test]
fn what_is_filled_in_verifies() {
    let weekdays = fixtures::weekdays_full();
    for (sentence, locale) in [
        ("The mean gap on Monday was {{r1[dow=Mon].mean_gap:FORMAT}}.", Locale::En),
        ("The largest gap on Friday was {{r1[dow=Fri].max_gap:FORMAT}}.", Locale::En),
        ("Средний гэп в понедельник — {{r1[dow=Mon].mean_gap:FORMAT}}.", Locale::Ru),
        ("Максимальный гэп в пятницу — {{r1[dow=Fri].max_gap:FORMAT}}.", Locale::Ru),
    ] {
        for format in [".0f", ".1f", ".2f", ".3f", "+.1f", ",.1f"] {
            let done = render(&sentence.replace("FORMAT", format), &[&weekdays], locale);
            assert!(done.issues.is_empty(), "{:?}", done.issues);
            let found = check(&done.text, &[&weekdays], &Context::default());
            assert_eq!(found.verdict, Overall::Ok, "{}: {:?}", done.text, found.claims);
            // Beyond the shown precision.
            let claim = &done.claims[0];
            let value = claim.fact.as_ref().and_then(|f| f.value.as_f64()).expect("a number");
            let decimals: usize =
                format[format.len() - 2..format.len() - 1].parse().expect("digits");
            let other = format!("{:.decimals$}", value + 2.0 * 10f64.powi(-(decimals as i32)));
            let text = done.text.replace(claim.text.trim_start_matches('+'), &other);
            let found = check(&text, &[&weekdays], &Context::default());
            assert_eq!(found.verdict, Overall::Rewrite, "{text}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in r#"[ -~]{0,40}(\{\{[r0-9\[\]=.+*/|:()%a-z `"-]{0,30}\}\}[а-я]{0,3}){0,3}"#) {
        let done = run(&text, Locale::En);
        for claim in &done.claims {
            assert_eq!(done.text.get(claim.span.start..claim.span.end), Some(claim.text.as_str()));
        }
    }
}
