//! Guesses in a draft: whether it passes must not tell what the policy keeps back.

use super::*;
use crate::disclose::{Cells, Level};
use crate::error::Locale;

/// Minute bars with a hidden name on each.
fn bars(name: &str, last: Value) -> Vec<Arc<TableSchema>> {
    let mut bars = (*tables()[0]).clone();
    let mut broker = Column::new("broker", Kind::Text);
    broker.values = Some(vec![name.to_owned(), "Boris Ivanov".to_owned()]);
    let mut fee = Column::new("fee", Kind::Float);
    fee.label = Some(if name.starts_with("Anna") { "commission" } else { "reward" }.to_owned());
    bars.columns.extend([broker, fee]);
    bars.range = Some((moment(2024, 1, 2), last));
    vec![Arc::new(bars)]
}

fn guarded() -> Policy {
    let policy = Policy::default().hide("bars", "broker").hide("bars", "fee");
    policy.with_class("bars", "timestamp", crate::disclose::Class::Aggregate)
}

/// All that is sent in a question that runs `query` and is answered with `draft`.
fn sent(
    policy: &Policy,
    tables: Vec<Arc<TableSchema>>,
    query: Option<&str>,
    draft: &str,
) -> Vec<String> {
    let settings = Settings { policy: policy.clone(), ..Settings::new(Wire::OpenAiChat, "m") };
    let called = query.map(|query| calls(&[("query", query)]));
    let answers = [draft, "I see.", "I see."].map(text);
    let mut host = Host::with(settings, called.into_iter().chain(answers));
    host.tables = tables;
    host.ask("how many?");
    host.sent
}

#[test]
fn a_draft_is_checked_without_what_the_schema_keeps_back() {
    let count = r#"{"table":"bars","where":"volume > 5","select":"count()"}"#;
    let year = moment(2024, 12, 30);
    let anna = || bars("Anna Petrova", year.clone());
    let other = || bars("Clara Orlova", moment(2025, 6, 30));
    for (query, draft) in [
        (Some(count), "Anna Petrova: the count is 80."),
        (Some(count), "In 2024 the count is 80."),
        (Some(count), "The count is 80 until 2024-12-30."),
        (Some(count), "The commission count is 80."),
        (Some(count), "The count is 80."),
        (None, "Anna Petrova: the table has 525600 rows."),
        (None, "In 2024 the table has 525600 rows."),
        (None, "The commission table has 525600 rows."),
        (None, "The table has 525600 rows."),
    ] {
        for level in [Level::Schema, Level::Summary, Level::Preview] {
            let policy = guarded().with_level(level);
            let (one, two) =
                (sent(&policy, anna(), query, draft), sent(&policy, other(), query, draft));
            assert_eq!(one.len(), two.len(), "{draft} {level:?}");
        }
    }
    // The person is told all the same when the text says more than the evidence.
    let settings = Settings { policy: guarded(), ..Settings::new(Wire::OpenAiChat, "m") };
    let wrong = "Anna Petrova: the count is 80.";
    let replies = [calls(&[("query", count)]), text(wrong), text(wrong), text(wrong)];
    let mut host = Host::with(settings, replies);
    host.tables = anna();
    host.ask("how many?");
    let (_, verdict, verdicts) = host.answer();
    assert_eq!((verdict, verdicts), (Overall::Rewrite, vec![Verdict::Unverifiable]));
    // What the policy lists binds the check as ever.
    let open = Policy::default();
    assert_eq!(sent(&open, anna(), Some(count), wrong).len(), 3);
    assert_eq!(sent(&open, other(), Some(count), wrong).len(), 2);
}

#[test]
fn a_policy_tightened_while_a_question_is_open_binds_its_check() {
    let told = |year: i32, draft: &str| {
        let mut bars = (*tables()[0]).clone();
        bars.range = Some((moment(year, 1, 2), moment(year, 12, 30)));
        let settings = Settings::new(Wire::OpenAiChat, "m");
        let mut host = Host::with(settings, [draft, "I see.", "I see."].map(text));
        let tables = vec![Arc::new(bars)];
        host.conversation.step(Event::Ask { question: "since when?".into(), tables });
        host.policy = Policy::default().hide("bars", "timestamp");
        host.drive(Event::Policy(host.policy.clone()));
        assert_eq!(host.finished, 1);
        host.sent.len()
    };
    for draft in [
        "In 2023 the table has 525600 rows.",
        "The table has 525600 rows from 2023-01-02 to 2023-12-30.",
        "The data go up to 2023-12-30.",
    ] {
        assert_eq!(told(2023, draft), told(2022, draft), "{draft}");
    }
}

/// What is masked in the question is masked for the check that the model hears of.
#[test]
fn a_masked_word_of_the_question_binds_nothing() {
    let told = |question: &str| {
        let mut cells = Cells::new();
        cells.insert("Monday");
        cells.insert("Friday");
        let settings = Settings { policy: guarded(), ..Settings::new(Wire::OpenAiChat, "m") };
        let gaps = r#"{"table":"receipts","group_by":"shop","select":"mean(amount)"}"#;
        let replies =
            [calls(&[("query", gaps)]), text("It is 78."), text("I see."), text("I see.")];
        let mut host = Host::with(settings, replies);
        host.conversation.step(Event::Cells(std::rc::Rc::new(cells)));
        host.ask(question);
        host.sent
    };
    assert!(told("and on Monday?") == told("and on Friday?"));
}

/// A query that the device answered is the person's own: a protected cell in it does not leave.
#[test]
fn a_query_answered_on_the_device_tells_no_cell() {
    use crate::chat::{Local, Record};
    for (question, cell) in [
        ("how many receipts where shop is Kuper", "Kuper"),
        ("how many receipts where amount is above 1234.5", "1234.5"),
    ] {
        let mut local = Local::new(Locale::En);
        let actions = local.step(Event::Ask { question: question.into(), tables: tables() });
        let (run, checked) = actions
            .iter()
            .find_map(|action| match action {
                Action::RunQuery { run, checked } => Some((*run, Arc::clone(checked))),
                _ => None,
            })
            .expect("a query runs");
        let result = Ok(outcome("r1".into(), &checked));
        local.step(Event::ToolDone { run, id: None, result });
        let json = local.record().expect("it is idle").to_json();
        assert!(json.contains(cell), "{json}");
        let record = Record::from_json(&json).expect("a record");
        for protects in [true, false] {
            let mut cells = Cells::new();
            cells.insert(if protects { cell } else { "another" });
            let settings = Settings { memory: 2_000, ..Settings::new(Wire::OpenAiChat, "m") };
            let mut host = Host::with(settings.clone(), [text("Hello.")]);
            host.conversation = Conversation::reopen(settings, &record, "https://model.test");
            host.conversation.step(Event::Cells(std::rc::Rc::new(cells)));
            host.ask("and now?");
            let told = host.messages(0)[1..].iter().map(ToString::to_string).collect::<String>();
            assert_eq!(told.contains(cell), !protects, "{told}");
            assert_eq!(told.contains("[last query"), !protects, "{told}");
        }
    }
}

#[test]
fn a_text_that_is_checked_elsewhere_is_no_oracle_either() {
    use crate::{query::Query, validate::claims};
    let mut asked: Json = serde_json::from_str(GAPS).unwrap();
    asked.as_object_mut().unwrap().remove("title");
    let query = Query::from_json(&asked).unwrap();
    let query = Arc::new(crate::query::check(&query, &tables()).unwrap());
    let results = [outcome("r1".to_owned(), &query)];
    let said = |policy: &Policy, text: &str| {
        let evidence: Vec<&Outcome> = results.iter().map(AsRef::as_ref).collect();
        let context = claims::Context { question: None, locale: Locale::En };
        let noted = claims::check_noting(text, &evidence, &context, &claims::Later::default());
        let gate = crate::disclose::Gate::new(policy);
        crate::chat::feedback(text, "", &results, &noted, &gate).as_str().to_owned()
    };
    let (right, wrong) = ("On Friday the mean gap is 45.", "On Friday the mean gap is 46.");
    let open = Policy::default();
    assert_eq!(said(&open, right), "");
    assert!(said(&open, wrong).contains("is 45"), "{}", said(&open, wrong));
    for strict in [open.clone().with_level(Level::Schema), open.hide("bars", "timestamp")] {
        assert_eq!(said(&strict, right).replace("45", "46"), said(&strict, wrong));
        assert!(!said(&strict, wrong).contains("45"));
    }
}
