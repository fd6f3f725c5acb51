//! Any text at all: no panic, spans in order and on character boundaries; and what is delivered.

use super::super::{Context, check, deliver, may_claim, sentences, words};
use super::fixtures::{drops, f, orders, outcome, shops, weekdays, weekdays_full};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::validate::Verdict;
use crate::value::Value;
use proptest::prelude::*;
use serde_json::json;

/// A count of the rows that a filter of a text keeps.
fn one_shop() -> Outcome {
    let query = json!({"where": "shop == \"Kuper\"", "select": "count(), sum(amount)"});
    let row = vec![Value::Int(94), f(9610.5)];
    outcome("r9", orders(), &query, vec![row], 9000, 94)
}

/// Words of every table that the check reads by, as a text has them.
fn table_words() -> Vec<String> {
    fn of<T: Copy>(table: words::Table<T>) -> impl Iterator<Item = String> {
        table.iter().map(|(pattern, _)| pattern.replace('*', "ая"))
    }
    let mut out: Vec<String> = of(words::SPELLED).collect();
    out.extend(of(words::SUPERLATIVES));
    out.extend(of(words::COMPARATIVES));
    out.extend(of(words::COMPARED));
    out.extend(of(words::DIRECTIONS));
    out.extend(of(words::RATIOS));
    out.extend(of(words::FRACTIONS));
    out.extend(of(words::BOUNDS));
    out.extend(of(words::COUNTED));
    out.extend(of(words::GROUPS));
    out.extend(of(words::AGGS));
    out.extend(of(words::UNITS));
    out.extend(of(words::POSITIONS));
    out.extend(of(words::SHARE));
    let more = [
        "a hundred",
        "a dozen",
        "a thousand",
        "a million",
        "сотня",
        "тысяча",
        "дюжина",
        "миллион",
        "every third",
        "каждый третий",
        "one in seven",
        "second quarter",
        "третий квартал",
        "noon",
        "полдень",
        "Vkusno",
        "Kuper",
        "Лента",
        "sixth",
        "шестой",
        "последний",
        "the friendliest",
        "самый бурный",
        "top",
        "топ",
        "EUR500",
        "4.82m",
        "than",
        "чем",
        "half",
        "заказов",
        "orders",
        "январь",
        "March",
        "to",
        "по",
        "с",
        "from",
        "Monday",
        "пятницу",
        "2024",
        "14:35",
        ".",
        ",",
    ];
    out.extend(more.map(str::to_owned));
    out
}

fn check_spans(text: &str) {
    let (a, b, c, d) = (weekdays_full(), shops(), drops(), one_shop());
    let found =
        check(text, &[&a, &b, &c, &d], &Context { question: Some("гэп 5 on"), locale: Locale::Ru });
    let mut end = 0;
    for claim in &found.claims {
        assert!(claim.span.start >= end && claim.span.end > claim.span.start, "{text:?} {claim:?}");
        assert_eq!(text.get(claim.span.start..claim.span.end), Some(claim.text.as_str()));
        end = claim.span.end;
    }
    for locale in [Locale::En, Locale::Ru] {
        let marked = deliver(text, &found, locale);
        assert_eq!(marked.claims.len(), found.claims.len());
        for claim in &marked.claims {
            assert_eq!(
                marked.text.get(claim.span.start..claim.span.end),
                Some(claim.text.as_str())
            );
        }
    }
    let spans = sentences(text);
    assert_eq!(spans.iter().map(|s| &text[s.start..s.end]).collect::<String>(), text);
    // Whatever is a claim waits for the check.
    for claim in &found.claims {
        if let Some(s) =
            spans.iter().find(|s| s.start <= claim.span.start && claim.span.start < s.end)
        {
            assert!(may_claim(&text[s.start..s.end]), "{text:?} {claim:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn texts_of_words_of_the_tables(
        parts in prop::collection::vec(prop::sample::select(table_words()), 0..12)
    ) {
        check_spans(&parts.join(" "));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        check_spans(&text);
    }

    #[test]
    fn texts_of_known_parts(parts in prop::collection::vec(prop::sample::select(vec![
        "Monday", "Friday", "в пятницу", "78", "45.3", "−5,06%", "$9,120", "highest", "lowest", "самый низкий",
        "mean", "max", "gap", "гэп", "count", "days", "дней", ",", ".", " and ", "и", "(", ")", ":", "—", "–", "-",
        "of", "than", "higher", "выше", "чем", "above", "больше", "50", "where", "where gap >", "from", "to", "|",
        "\n", "2025-04-08", "April", "8", "2025", "on", "times", "in", "twice", "five", "двадцать пять", "r1",
        "Vkusno", "Ленте", "share", "difference between", "by", "not", "about", "\u{a0}", "1", "234", "*", "#", "млн",
    ]), 0..24), glue in prop::sample::select(vec![" ", ""])) {
        check_spans(&parts.join(glue));
    }
}

#[test]
fn delivered_texts() {
    let o = weekdays();
    for (text, expected) in [
        ("Monday averaged 45.", "Monday averaged 78."),
        ("Friday has the highest average gap at 78.", "Monday has the highest average gap at 78."),
        ("Monday was over 80 that year.", "Monday was 78 that year."),
        ("Больше всего в пятницу: 78.", "Больше всего в понедельник: 78."),
        ("Пятница была самой высокой.", "Пятница [верно: Понедельник] была самой высокой."),
        ("The average gap is 67.3.", "The average gap is 67.3."),
        ("Days with a gap above 60: Monday 78.", "Days with a gap above 50: Monday 78."),
    ] {
        let found = check(text, &[&o], &Context::default());
        let marked = deliver(text, &found, Locale::Ru);
        assert_eq!(marked.text, expected, "{found:?}");
        assert!(
            marked
                .claims
                .iter()
                .all(|c| c.verdict != Verdict::Contradicted || c.replaced.is_some()),
            "{marked:?}"
        );
    }
}

#[test]
fn what_waits_while_streaming() {
    for (sentence, waits) in [
        ("Friday was the quietest day.", true),
        ("It had seventeen days.", true),
        ("The mean is 5.", true),
        ("Выше, чем в среду.", true),
        ("Half of them.", true),
        ("Каждый третий заказ.", true),
        ("At noon.", true),
        ("Vkusno.", true),
        ("Here is what the table says.", true),
        ("Вот что получилось.", true),
        ("…", false),
        (" \n", false),
    ] {
        assert_eq!(may_claim(sentence), waits, "{sentence}");
    }
}
