//! Conversations that are kept and opened again.

use super::*;
use crate::chat::Record;
use crate::disclose::Level;

const GOOD: &str = "The mean gap is highest on Monday, 78, and lowest on Friday, 45.";
const HERE: &str = "https://model.test";

/// A conversation of a good turn, a turn on the device and a turn without answer.
fn kept() -> Host {
    let wrong = r#"{"table":"bars","where":"nope > 1"}"#;
    let mut host = Host::new([
        calls(&[("query", wrong), ("describe_tables", "{}")]),
        said_and_called("Let me see. ", &[("query", GAPS)]),
        text(GOOD),
        Reply::Dead,
    ]);
    host.ask("average gap by weekday?");
    let query = crate::query::Query::from_json(&serde_json::from_str(COUNT).expect("JSON"));
    let checked = crate::query::check(&query.expect("a query"), &host.tables).expect("it passes");
    host.conversation.answered_on_device("how many over 100?", Some(Arc::new(checked)));
    host.ask("this one fails");
    host
}

fn reopen(host: &Host, settings: Settings, endpoint: &str, replies: Vec<Reply>) -> Host {
    let json = host.conversation.record(HERE).expect("it is idle").to_json();
    let record = Record::from_json(&json).expect("a record");
    let conversation = Conversation::reopen(settings.clone(), &record, endpoint);
    assert_eq!(
        conversation.record(HERE).expect("it is idle").to_json() == json,
        endpoint == HERE && settings.policy == Policy::default(),
        "nothing is lost where nothing has changed"
    );
    Host { conversation, ..Host::with(settings, replies) }
}

fn settings() -> Settings {
    Settings { memory: 2_000, ..Settings::new(Wire::OpenAiChat, "another model") }
}

#[test]
fn it_goes_on_where_it_ended() {
    let mut host = reopen(&kept(), settings(), HERE, vec![calls(&[("query", GAPS)]), text(GOOD)]);
    host.ask("only Fridays");
    assert_eq!(
        host.content(0, "user"),
        [
            "average gap by weekday?",
            "how many over 100?",
            "this one fails",
            "only Fridays\n\n[last query: {\"table\":\"receipts\",\"where\":\"amount > 100\",\"select\":\"count()\"}]",
        ]
    );
    let said = host.content(0, "assistant");
    assert_eq!((said[1].as_str(), said[2].as_str()), ("Let me see. ", GOOD));
    assert!(said[3].starts_with("[answered on the device: {"), "{said:?}");
    assert_eq!(said[4], "[no answer was given]");
    // Of results only that the person has them; every call under an id of its own.
    assert_eq!(
        host.content(0, "tool"),
        [
            "[query: call again]",
            "[describe_tables: call again]",
            "[query: rows shown to the user as r1 – query again for details]",
        ]
    );
    let ids: Vec<String> = host
        .messages(0)
        .iter()
        .filter(|m| m["role"] == "tool")
        .map(|m| m["tool_call_id"].to_string())
        .collect();
    let unique: std::collections::HashSet<&String> = ids.iter().collect();
    assert_eq!((ids.len(), unique.len()), (3, 3), "{ids:?}");
    let made = host.messages(1).pop().expect("a result");
    assert!(!ids.contains(&made["tool_call_id"].to_string()), "{made}");
    assert_eq!(host.answer().0, GOOD);
    let title = |e: &ChatEvent| matches!(e, ChatEvent::Title { .. });
    assert!(!host.events.iter().any(title), "it has its title already");
}

#[test]
fn elsewhere_or_under_another_policy_only_questions_are_told() {
    let strict = Policy::default().with_level(Level::Schema);
    let hidden = Policy::default().hide("receipts", "amount");
    for (policy, endpoint) in
        [(Policy::default(), "https://other.test"), (strict, HERE), (hidden, HERE)]
    {
        let settings = Settings { policy, ..settings() };
        let mut host = reopen(&kept(), settings, endpoint, vec![text("Hello.")]);
        host.ask("and now?");
        let told: String = host.messages(0)[1..].iter().map(ToString::to_string).collect();
        for word in ["78", "45", "Let me see", "gap()", "dayname", "r1"] {
            assert!(!told.contains(word), "{word} in {told}");
        }
        assert_eq!(host.content(0, "user")[0], "average gap by weekday?");
        assert!(host.content(0, "assistant")[0].starts_with("[answered before"), "{told}");
        let hides = host.policy.hides("receipts", "amount");
        assert_eq!(told.contains("amount > 100"), !hides, "{told}");
    }
}

#[test]
fn queries_that_fit_no_table_any_more_are_not_told() {
    let mut host = reopen(&kept(), settings(), HERE, vec![text("Hello.")]);
    host.tables.truncate(1);
    host.ask("and now?");
    assert_eq!(host.content(0, "assistant")[3], "[answered on the device]");
    let asked = host.content(0, "user").pop().expect("a question");
    assert!(asked.contains("[last query: {\"table\":\"bars\""), "the last one that fits: {asked}");
}

#[test]
fn an_open_question_is_not_kept() {
    let mut host = kept();
    let tables = host.tables.clone();
    host.conversation.step(Event::Ask { question: "q".into(), tables });
    assert!(host.conversation.record(HERE).is_none());
    host.conversation.step(Event::Cancel);
    let record = host.conversation.record(HERE).expect("it is idle");
    assert_eq!(record.last_query().expect("a query")["table"], "receipts");
    // What was rejected, what the model thought and what results hold are not in it.
    let json = record.to_json();
    assert!(!json.contains("mean_gap=78") && !json.contains("61.2"), "{json}");
}

#[test]
fn without_a_model_a_follow_up_changes_the_last_query() {
    use crate::chat::Local;
    use crate::error::Locale;
    let ran = |local: &mut Local, question: &str| {
        let actions = local.step(Event::Ask { question: question.into(), tables: tables() });
        let run = actions.iter().find_map(|action| match action {
            Action::RunQuery { run, checked } => Some((*run, Arc::clone(checked))),
            _ => None,
        });
        let (run, checked) = run.expect("a query runs");
        assert!(local.record().is_none(), "not while a query runs");
        local.step(Event::ToolDone { run, id: None, result: Ok(outcome("r1".into(), &checked)) });
        checked.canonical().clone()
    };
    let mut local = Local::new(Locale::En);
    ran(&mut local, "average gap by weekday where gap is above 50");
    let json = local.record().expect("it is idle").to_json();
    let mut again = Local::reopen(Locale::En, &Record::from_json(&json).expect("a record"));
    let question = "only Fridays";
    assert_eq!(ran(&mut again, question), ran(&mut local, question));
}
