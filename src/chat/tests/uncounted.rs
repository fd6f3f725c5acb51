//! A number that the results know nothing of, beside what the schema says: how many rows there are.

use super::*;

/// 400 people, of whom nothing else is known.
fn people() -> Vec<Arc<TableSchema>> {
    let columns = vec![
        Column::new("name", Kind::Text),
        Column::new("department", Kind::Text),
        Column::new("salary_eur", Kind::Float),
        Column::new("hired", Kind::Date),
        Column::new("city", Kind::Text),
    ];
    vec![Arc::new(TableSchema { rows: 400, ..TableSchema::new("people", columns) })]
}

/// What is delivered after a call that failed, with what became of each claim.
fn delivered(question: &str, draft: &str) -> (String, Vec<(String, Verdict, Option<String>)>) {
    let failed = calls(&[("query", r#"{"table":"staff","select":"max(salary)"}"#)]);
    let mut host = Host::new([failed, text(draft), text(draft), text(draft)]);
    host.tables = people();
    host.ask(question);
    let Some(ChatEvent::Done { answer, claims, .. }) = host.events.last() else { panic!() };
    let claims = claims.iter();
    let claims = claims.map(|c| (c.text.clone(), c.verdict, c.replaced.clone())).collect();
    (answer.clone(), claims)
}

const QUESTIONS: [&str; 6] = [
    "which is the largest?",
    "what is the highest salary?",
    "how many people are there?",
    "Какое самое большое среднее?",
    "сколько строк?",
    "q",
];

#[test]
fn a_number_that_counts_nothing_is_not_replaced_by_how_many_rows_there_are() {
    for question in QUESTIONS {
        for said in [
            "I looked at the table. The largest value is 69; the others are clearly lower.",
            "The highest salary is 69.",
            "The salary is 69.",
            "The average is 69.",
            "Самое большое среднее — 69.",
            "Самая высокая зарплата — 69.",
            // Right of nothing that is known, though there are so many rows.
            "The largest value is 400.",
        ] {
            let (answer, claims) = delivered(question, said);
            assert_eq!(answer, said, "{question}");
            let verdicts: Vec<Verdict> = claims.iter().map(|(_, verdict, _)| *verdict).collect();
            assert_eq!(verdicts, [Verdict::Unverifiable], "{question} {said}");
        }
    }
}

#[test]
fn a_bare_number_is_how_many_rows_there_are_where_that_was_asked() {
    for (question, counts) in QUESTIONS.into_iter().zip([false, false, true, false, true, false]) {
        for (said, right) in [("It is 69.", "It is 400."), ("69", "400")] {
            let (answer, claims) = delivered(question, said);
            assert_eq!(answer, if counts { right } else { said }, "{question}");
            let verdict = if counts { Verdict::Contradicted } else { Verdict::Unverifiable };
            assert_eq!(claims[0].1, verdict, "{question}");
        }
    }
}

#[test]
fn a_number_of_rows_is_still_held_to_how_many_there_are() {
    for question in QUESTIONS {
        for (said, right) in [
            ("There are 69 people.", "There are 400 people."),
            ("It has 69 rows.", "It has 400 rows."),
            ("The count is 69.", "The count is 400."),
            ("Всего 69 строк.", "Всего 400 строк."),
        ] {
            let (answer, claims) = delivered(question, said);
            assert_eq!(answer, right, "{question}");
            assert_eq!(claims[0].1, Verdict::Contradicted, "{question} {said}");
            assert_eq!(claims[0].2.as_deref(), Some("69"));
        }
        let (answer, claims) = delivered(question, "There are 400 people.");
        assert_eq!((answer.as_str(), claims[0].1), ("There are 400 people.", Verdict::Verified));
    }
}

/// The same where a query counted, and nothing else was asked of the table.
#[test]
fn a_query_that_counts_says_nothing_of_the_largest() {
    let said = "The largest amount is 69.";
    let replies = [calls(&[("query", COUNT)]), text(said), text(said), text(said)];
    let mut host = Host::new(replies);
    host.ask("what is the largest amount?");
    let (answer, _, verdicts) = host.answer();
    assert_eq!((answer.as_str(), verdicts), (said, vec![Verdict::Unverifiable]));
    let said = "69 receipts are over 100.";
    let replies = [calls(&[("query", COUNT)]), text(said), text(said), text(said)];
    let mut host = Host::new(replies);
    host.ask("how many receipts are over 100?");
    assert!(host.answer().0.starts_with("80 receipts"), "{}", host.answer().0);
}
