//! The paths of a conversation that goes well.

use super::*;
use crate::disclose::Level;
use crate::engine::ingest::{Loader, Options as Reading};
use crate::engine::{Engine, Options};
use crate::error::{Diagnostic, Locale};

const GOOD: &str =
    "Here are the gaps. The mean gap is highest on Monday, 78, and lowest on Friday, 45.";

#[test]
fn question_tool_answer() {
    let mut host = Host::new([said_and_called("Let me look. ", &[("query", GAPS)]), text(GOOD)]);
    host.ask("average gap by weekday when it is above 50?");
    assert_eq!(
        host.kinds(),
        ["text", "title", "tool_call", "data_block", "text", "claims", "draft", "done"]
    );
    let (answer, verdict, verdicts) = host.answer();
    assert_eq!((answer.as_str(), verdict), (GOOD, Overall::Ok));
    assert!(verdicts.iter().all(|v| matches!(v, Verdict::Verified | Verdict::Derived)));
    assert!(!verdicts.is_empty());
    assert_eq!(host.shown(), GOOD);
    assert_eq!(host.ran[0]["from"], "daily");
    let Some(ChatEvent::DataBlock { tool, result_id, rows, summary, input, .. }) =
        host.events.iter().find(|e| matches!(e, ChatEvent::DataBlock { .. }))
    else {
        panic!("no data block")
    };
    assert_eq!((tool.as_str(), result_id.as_str(), *rows), ("query", "r1", 5));
    assert_eq!(summary["max"], json!({"dow": "Mon", "mean_gap": 78}));
    assert_eq!(input, &host.ran[0]);
    let Some(ChatEvent::Done { usage, ended, .. }) = host.events.last() else { panic!() };
    assert_eq!((usage.requests, usage.rounds, usage.drafts), (2, 1, 1));
    assert_eq!((usage.input_tokens, usage.output_tokens, *ended), (20, 6, None));

    // The second request holds the call verbatim and the summary, in order.
    let messages = host.messages(1);
    let roles: Vec<&str> = messages.iter().filter_map(|m| m["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"]);
    assert_eq!(messages[2]["content"], "Let me look. ");
    assert_eq!(messages[2]["tool_calls"][0]["function"]["arguments"], GAPS);
    assert_eq!(messages[3]["tool_call_id"], messages[2]["tool_calls"][0]["id"]);
    assert!(messages[3]["content"].as_str().expect("text").starts_with("Result: 5 groups by dow"));
    assert_eq!(host.ledger.entries().len(), 2);
    assert!(host.ledger.verify().is_ok());
    assert_eq!(host.ledger.entries()[1].results, ["r1"]);
}

#[test]
fn pieces_do_not_matter() {
    let replies = [said_and_called("Смотрю. ", &[("query", GAPS)]), text(GOOD)];
    let run = |piece| {
        let mut host = Host { piece, ..Host::new(replies.clone()) };
        host.ask("q");
        (host.events, host.sent)
    };
    let whole = run(usize::MAX);
    for piece in [1, 2, 3, 5, 64] {
        assert_eq!(run(piece), whole);
    }
}

#[test]
fn parallel_calls_are_answered_together() {
    let three = [("query", GAPS), ("describe_tables", "{}"), ("query", COUNT)];
    let mut host = Host::new([calls(&three), text("There were 80 such receipts.")]);
    host.ask("how many receipts over 100, and the gaps?");
    assert_eq!(host.ran.len(), 2);
    let tools = host.content(1, "tool");
    assert!(tools[0].starts_with("Result: 5 groups"), "{tools:?}");
    assert!(tools[1].contains("`receipts`") && tools[1].contains("\"Kuper\""), "{tools:?}");
    assert_eq!(tools[2], "Result: 80 (from 80 of 500 rows)");
    assert_eq!(host.answer().1, Overall::Ok);
}

#[test]
fn ids_are_made_where_they_are_missing_or_repeated() {
    let nameless = |n: u32| {
        let call = json!({"tool_calls": [{"function": {"name": "query", "arguments": {"table": "receipts", "limit": n}}}]});
        Reply::Body(stream(&[call.clone(), call], "stop"))
    };
    let mut host = Host::new([
        nameless(1),
        nameless(2),
        calls(&[("query", COUNT)]),
        calls(&[("query", COUNT)]),
        text("Done."),
    ]);
    host.ask("q");
    let ids: Vec<String> = host
        .messages(4)
        .iter()
        .filter(|m| m["role"] == "tool")
        .map(|m| m["tool_call_id"].to_string())
        .collect();
    let unique: std::collections::HashSet<&String> = ids.iter().collect();
    assert_eq!((ids.len(), unique.len()), (6, 6), "{ids:?}");
}

#[test]
fn bad_calls_go_back_with_all_that_is_wrong() {
    let bad = r#"{"table":"bars","where":"clsoe > 1","limit":0,"groups":"some","ttle":"x"}"#;
    let mut host = Host::new([
        calls(&[("query", bad), ("quer", "{}"), ("query", "{\"where\": ")]),
        calls(&[("query", GAPS)]),
        text(GOOD),
    ]);
    host.ask("q");
    let tools = host.content(1, "tool");
    for part in ["/groups", "`ttle`", "/limit"] {
        assert!(tools[0].contains(part), "{part} in {}", tools[0]);
    }
    assert!(tools[1].contains("there is no tool `quer`; valid: query"), "{}", tools[1]);
    assert!(tools[2].contains("not valid JSON"), "{}", tools[2]);
    assert_eq!(host.events.iter().filter(|e| matches!(e, ChatEvent::ToolError { .. })).count(), 3);
    assert_eq!(host.answer().1, Overall::Ok);
    // Arguments that are no JSON are wrapped, so that no later request can fail on them.
    let replayed = &host.messages(2)[2]["tool_calls"][2]["function"]["arguments"];
    assert_eq!(replayed, "{\"malformed\":\"{\\\"where\\\": \"}");
}

#[test]
fn an_unknown_column_is_mended() {
    let wrong = GAPS.replace("gap > 50", "gpa > 50");
    let mut host = Host::new([calls(&[("query", &wrong)]), calls(&[("query", GAPS)]), text(GOOD)]);
    host.ask("q");
    let told = &host.content(1, "tool")[0];
    assert!(told.contains("/where") && told.contains("`gpa`") && told.contains("gap"), "{told}");
    assert_eq!(host.answer().1, Overall::Ok);
}

#[test]
fn the_same_failure_twice_ends_honestly() {
    let wrong = r#"{"table":"bars","where":"nope > 1"}"#;
    let again = r#"{ "where": "nope > 1", "table": "bars", "title": "again" }"#;
    let mut host =
        Host::new([calls(&[("query", wrong)]), calls(&[("query", again)]), text("Hello.")]);
    host.ask("q");
    let (answer, _, claims) = host.answer();
    assert!(answer.contains("failed twice") && answer.contains("nope"), "{answer}");
    assert!(claims.is_empty());
    assert!(matches!(
        host.events.last(),
        Some(ChatEvent::Done { ended: Some(Code::RepeatedFailure), .. })
    ));
    // The next question works.
    host.ask("hello?");
    assert_eq!(host.answer().0, "Hello.");
}

#[test]
fn a_query_that_fails_in_the_engine_is_told() {
    let mut host = Host::new([calls(&[("query", COUNT)]), text("The data is too large for this.")]);
    let problem =
        Diagnostic::new(Code::MemoryLimit, text!("the memory is full", "память кончилась"));
    host.failure = Some(Error::input(problem));
    host.ask("q");
    assert!(host.content(1, "tool")[0].contains("the memory is full"));
    host.failure = Some(Error::Internal("cell Vkusno 17".into()));
    host.replies.extend([calls(&[("query", COUNT)]), text("It did not work.")]);
    host.ask("q");
    assert!(host.sent.iter().all(|body| !body.contains("17")), "errors of ours say nothing");
}

#[test]
fn rounds_are_limited() {
    let mut settings = Settings::new(Wire::OpenAiChat, "scripted");
    assert_eq!(settings.max_rounds, 8);
    settings.max_rounds = 2;
    let query = || calls(&[("query", COUNT)]);
    let mut host = Host::with(settings.clone(), [query(), query(), text("It is 80.")]);
    host.ask("how many receipts over 100?");
    assert!(host.content(2, "user").last().expect("told").contains("no more tool calls"));
    let body: Json = serde_json::from_str(&host.sent[2]).expect("JSON");
    assert_eq!(body["tool_choice"], "none");
    assert_eq!(host.answer().1, Overall::Ok);
    // A model that calls all the same is stopped.
    let mut host = Host::with(settings, [query(), query(), query()]);
    host.ask("q");
    assert!(matches!(
        host.events.last(),
        Some(ChatEvent::Done { ended: Some(Code::TooManyRounds), .. })
    ));
}

#[test]
fn long_results_are_reminders_in_later_turns() {
    let describe = || calls(&[("describe_tables", "{\"functions\":\"all\"}"), ("query", GAPS)]);
    let settings = Settings { memory: 2_000, ..Settings::new(Wire::OpenAiChat, "scripted") };
    let mut host = Host::with(settings, [describe(), text(GOOD), text("Only Fridays, then.")]);
    host.ask("q");
    assert!(host.content(1, "tool")[0].len() > 500);
    host.ask("only Fridays");
    let tools = host.content(2, "tool");
    assert_eq!(tools[0], "[describe_tables: call again]");
    assert!(tools[1].starts_with("Result: 5 groups"), "a short result stays: {tools:?}");
    let asked = host.content(2, "user");
    assert_eq!(asked[0], "q");
    assert!(asked[1].starts_with("only Fridays\n\n[last query: {"), "{}", asked[1]);
    assert!(asked[1].contains("\"where\":\"gap > 50\""), "{}", asked[1]);
    assert_eq!(host.content(2, "assistant").last().map(String::as_str), Some(GOOD));
}

#[test]
fn the_oldest_turns_leave_first_and_calls_keep_their_results() {
    let settings = Settings { memory: 400, ..Settings::new(Wire::OpenAiChat, "scripted") };
    let mut host = Host::with(settings, []);
    for n in 0..8 {
        host.replies.extend([calls(&[("query", GAPS), ("query", COUNT)]), text(GOOD)]);
        host.ask(&format!("question number {n}"));
    }
    let asked = |n: usize| host.content(n, "user");
    // The last whole, those before it without their calls, and the oldest not at all.
    assert!(!asked(14).iter().any(|q| q.contains("number 0")), "{:?}", asked(14));
    assert!(asked(14).iter().any(|q| q == "question number 5"), "{:?}", asked(14));
    assert!(
        asked(14).last().expect("a question").starts_with("question number 7\n\n[last query: ")
    );
    assert_eq!(host.content(14, "tool").len(), 2);
    // With results at hand an answer needs nothing else.
    assert_eq!(asked(15), ["question number 7"]);
    assert_eq!(host.content(15, "tool").len(), 2);
    for n in 0..host.sent.len() {
        let messages = host.messages(n);
        assert_eq!(messages[1]["role"], "user", "a turn begins with its question");
        let called: Vec<&Json> = messages
            .iter()
            .filter_map(|m| m["tool_calls"].as_array())
            .flatten()
            .map(|c| &c["id"])
            .collect();
        let answered: Vec<&Json> =
            messages.iter().filter(|m| m["role"] == "tool").map(|m| &m["tool_call_id"]).collect();
        assert_eq!(called, answered);
    }
}

/// A conversation goes on for ever; the tables of its results do not stay with it.
#[test]
fn results_of_turns_long_past_are_let_go() {
    let settings = Settings { memory: 9_000, ..Settings::new(Wire::OpenAiChat, "scripted") };
    let mut host = Host::with(settings, []);
    let mut first = None;
    for n in 0..12 {
        host.replies.extend([calls(&[("query", GAPS)]), text(GOOD)]);
        host.ask(&format!("question number {n}"));
        let made = host.made.last().cloned().expect("a result");
        first.get_or_insert(made);
    }
    let first = first.expect("a result");
    assert_eq!(Arc::strong_count(&first), 2, "the test's own");
    let tools = host.content(22, "tool");
    assert_eq!(tools[0], "[query: rows shown to the user as r1 – query again for details]");
    assert!(tools.last().expect("a result").starts_with("Result: 5 groups"));
    let record = host.conversation.record("https://model.test").expect("it is idle").to_json();
    assert_eq!(record.matches("\"group_by\":\"dow\"").count(), 12, "{record}");
}

#[test]
fn a_request_tells_what_its_answer_needs() {
    let wrong = r#"{"table":"receipts","where":"amuont > 100","select":"count()"}"#;
    let mut host = Host::new([
        calls(&[("query", wrong)]),
        calls(&[("describe_tables", "{\"functions\":\"time\"}")]),
        calls(&[("query", COUNT), ("query", wrong)]),
        calls(&[("query", COUNT)]),
        text("There were 90 such receipts."),
        text("There were 80 such receipts."),
    ]);
    host.ask("how many receipts over 100?");
    let told = |n: usize| {
        let system = host.content(n, "system").remove(0);
        assert!(system.contains("`amount`"), "{system}");
        (system.contains("# Queries"), system.contains("# Answer"))
    };
    // The language as long as a query is to be written or mended, then how to answer.
    for n in 0..4 {
        assert_eq!(told(n), (true, false), "{n}");
    }
    for n in 4..6 {
        assert_eq!(told(n), (false, true), "{n}");
    }
    assert_eq!(host.answer().1, Overall::Ok);
}

#[test]
fn what_is_held() {
    let shown_at_first = |hold| {
        let settings = Settings { hold, ..Settings::new(Wire::OpenAiChat, "scripted") };
        let mut host =
            Host::with(settings, [calls(&[("query", COUNT)]), text("Well. It is 80. Fine.")]);
        host.ask("how many receipts over 100?");
        assert_eq!(host.shown(), "Well. It is 80. Fine.");
        host.events
            .iter()
            .skip_while(|e| !matches!(e, ChatEvent::DataBlock { .. }))
            .filter(|e| matches!(e, ChatEvent::Text { .. }))
            .count()
    };
    assert_eq!(shown_at_first(Hold::None), 5, "a delta a word");
    assert_eq!(shown_at_first(Hold::Numbers), 3, "a sentence at a time");
    assert_eq!(shown_at_first(Hold::Answer), 1, "all of it, checked");
}

#[test]
fn facts_of_the_schema_can_be_stated() {
    let said = |words: &str, replies: Vec<Reply>| {
        let mut host = Host::new(replies.into_iter().chain(vec![text(words); 3]));
        host.ask("what is there?");
        host.answer().1
    };
    assert_eq!(said("The table bars has 525600 rows.", vec![]), Overall::Ok);
    assert_eq!(
        said("The table bars has 525600 rows. The table receipts has 900 rows.", vec![]),
        Overall::Ok
    );
    assert_eq!(said("The table receipts has 525600 rows.", vec![]), Overall::Rewrite);
    assert_eq!(said("bars has 900 rows and receipts 525600 rows.", vec![]), Overall::Rewrite);
    assert_eq!(said("There are 17 rows.", vec![]), Overall::Rewrite);
    let query = || vec![calls(&[("query", GAPS)])];
    assert_eq!(
        said("On Monday the mean gap is 78. The table receipts has 900 rows.", query()),
        Overall::Ok
    );
}

#[test]
fn another_policy_remakes_what_is_said() {
    let mut host = Host::new([calls(&[("query", GAPS)]), text(GOOD)]);
    host.ask("q");
    assert!(host.sent[1].contains("mean_gap=78"));
    let strict = host.policy.with_level(Level::Schema);
    host.drive(Event::Policy(strict.clone()));
    host.policy = strict;
    // While a request waits for approval, it is made anew.
    let tables = host.tables.clone();
    let first = host.conversation.step(Event::Ask { question: "and now?".into(), tables });
    let second = host.conversation.step(Event::Policy(host.policy.clone()));
    for actions in [first, second] {
        let [Action::Send { body, disclosure, .. }] = actions.as_slice() else { panic!() };
        let body = String::from_utf8_lossy(body);
        assert!(!body.contains("mean_gap=78") && !body.contains("Kuper"), "{body}");
        assert!(disclosure.disclosed_results().is_empty());
    }
}

#[test]
fn answers_made_on_the_device_are_known() {
    let mut host = Host::new([text("Which ones?")]);
    let query = crate::query::Query::from_json(&serde_json::from_str(COUNT).expect("JSON"))
        .expect("a query");
    let checked = crate::query::check(&query, &host.tables).expect("it passes");
    host.conversation.answered_on_device("how many over 100?", Some(Arc::new(checked)));
    host.ask("and over 200?");
    let said = host.content(0, "assistant");
    assert!(said[0].starts_with("[answered on the device: {") && said[0].contains("amount > 100"));
    let asked = host.content(0, "user");
    assert_eq!(asked[0], "how many over 100?");
    assert!(asked[1].starts_with("and over 200?\n\n[last query: {"), "{}", asked[1]);
}

#[test]
fn an_answer_on_the_device_without_a_result_is_known_as_well() {
    let mut host = Host::new([text("Which ones?")]);
    let query = crate::query::Query::from_json(&serde_json::from_str(COUNT).expect("JSON"));
    let checked = crate::query::check(&query.expect("a query"), &host.tables).expect("it passes");
    host.conversation.answered_on_device("how many over 100?", Some(Arc::new(checked)));
    host.conversation.answered_on_device("whose are they?", None);
    host.ask("and over 200?");
    assert_eq!(host.content(0, "assistant")[1], "[answered on the device]");
    let asked = ["how many over 100?", "whose are they?", "and over 200?"];
    assert_eq!(host.content(0, "user"), asked);
}

#[test]
fn a_statement_run_on_the_device_keeps_its_words() {
    let mut host = Host::new([text("Which ones?")]);
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let mut loader = Loader::new("people", Reading::default()).expect("a loader");
    loader.push(b"name,salary\nAnn,5\n").expect("rows");
    engine.insert(loader.finish().expect("a table").table).expect("it is placed");
    let statement = "SELECT name FROM people WHERE salary > 4";
    let checked = Arc::new(engine.check_sql(statement, &json!([])).expect("it passes"));
    for question in [
        format!(" {statement};"),
        json!({ "sql": statement }).to_string(),
        "who earns more than 4?".to_owned(),
    ] {
        host.conversation.answered_on_device(&question, Some(checked.clone()));
    }
    host.ask("and more than 5?");
    let hidden = "[a statement of SQL, run on the device]";
    let asked = [hidden, hidden, "who earns more than 4?", "and more than 5?"];
    assert_eq!(host.content(0, "user"), asked);
    assert_eq!(host.content(0, "assistant"), ["[answered on the device]"; 3]);
}

#[test]
fn every_conversation_gets_one_title() {
    let titles = |host: &Host| -> Vec<String> {
        let title = |e: &ChatEvent| match e {
            ChatEvent::Title { title } => Some(title.clone()),
            _ => None,
        };
        host.events.iter().filter_map(title).collect()
    };
    let mut host = Host::new([calls(&[("query", GAPS)]), text(GOOD), text("Hello.")]);
    host.ask("q");
    assert_eq!(titles(&host), ["Mean gap by weekday"]);
    host.ask("hello?");
    assert!(titles(&host).is_empty());
    // Without a call that names it, the question does, once it is answered.
    let mut host = Host::new([Reply::Dead, text("Hello."), text("Hello.")]);
    host.ask("one that fails");
    assert!(titles(&host).is_empty());
    host.ask("what can you tell me about\nthese tables?");
    assert_eq!(titles(&host), ["what can you tell me about…"]);
    host.ask("hello?");
    assert!(titles(&host).is_empty());
}

#[test]
fn asking_again_goes_on_with_what_was_found() {
    let mut host = Host::new([
        calls(&[("query", GAPS)]),
        Reply::Cut("data: {\"choices\":[{\"delta\":{\"content\":\"Well. \"}}]}\n\n".into()),
        text(GOOD),
    ]);
    host.ask("the gaps?");
    assert_eq!(host.error(), Code::StreamBroken);
    host.ask("go on");
    assert_eq!(host.answer().0, GOOD);
    assert_eq!(host.ran.len(), 1, "no query runs again");
    let roles: Vec<String> = host
        .messages(2)
        .iter()
        .map(|m| m["role"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    assert!(host.content(2, "tool")[0].contains("mean_gap=78"));
}

#[test]
fn thoughts_are_asked_for_until_a_model_refuses() {
    let refusal = "{\"error\":{\"message\":\"Encrypted content is not supported with this model.\",\"type\":\"invalid_request_error\",\"param\":\"include\"}}";
    let answer = json!({"object": "response", "status": "completed", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}]}).to_string();
    let settings = Settings::new(Wire::OpenAiResponses, "scripted");
    let replies =
        [Reply::Status(400, None, refusal), Reply::Body(answer.clone()), Reply::Body(answer)];
    let mut host = Host::with(settings.clone(), replies);
    host.ask("hello?");
    assert_eq!(host.answer().0, "Hello.");
    host.ask("hello?");
    let asked: Vec<bool> =
        host.sent.iter().map(|body| body.contains("encrypted_content")).collect();
    assert_eq!(asked, [true, false, false]);
    assert_eq!(host.ledger.entries().len(), 3);
    // Any other refusal is one.
    let mut host = Host::with(settings, [Reply::Status(400, None, "{\"error\":\"no\"}")]);
    host.ask("hello?");
    assert_eq!(host.error(), Code::EndpointStatus);
}

#[test]
fn clearing_forgets() {
    let mut host = Host::new([calls(&[("query", GAPS)]), text(GOOD), text("Hello.")]);
    host.ask("first words");
    assert!(host.conversation.clear().is_empty());
    host.ask("hello?");
    assert!(!host.sent[2].contains("first words"));
}

#[test]
fn errors_are_in_the_language_of_the_page() {
    let mut settings = Settings::new(Wire::OpenAiChat, "scripted");
    settings.locale = Locale::Ru;
    let wrong = r#"{"table":"bars","where":"nope > 1"}"#;
    let mut host = Host::with(settings, [calls(&[("query", wrong)]), calls(&[("query", wrong)])]);
    host.ask("q");
    assert!(host.answer().0.starts_with("Не удалось ответить"));
}

#[test]
fn whole_replies_work_as_streams_do() {
    let whole = |message: Json| {
        Reply::Body(json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string())
    };
    let call = json!({"id": "a", "function": {"name": "query", "arguments": GAPS}});
    let settings = Settings { stream: false, ..Settings::new(Wire::OpenAiChat, "scripted") };
    let replies =
        [whole(json!({"content": null, "tool_calls": [call]})), whole(json!({"content": GOOD}))];
    let mut host = Host::with(settings, replies);
    host.ask("q");
    assert_eq!((host.answer().0.as_str(), host.answer().1), (GOOD, Overall::Ok));
    assert!(host.sent.iter().all(|body| body.contains("\"stream\":false")));
}

#[test]
fn a_reply_cut_at_its_longest_says_so() {
    let cut = Reply::Body(stream(&[json!({"content": "This is long and"})], "length"));
    let mut host = Host::new([cut]);
    host.ask("q");
    assert!(matches!(host.events.last(), Some(ChatEvent::Done { ended: Some(Code::TooLong), .. })));
}
