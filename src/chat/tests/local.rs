//! The conversation without a model.

use super::*;
use crate::chat::Local;
use crate::error::Locale;

fn ask(local: &mut Local, question: &str) -> Vec<ChatEvent> {
    let mut events = Vec::new();
    let mut queue = VecDeque::from([Event::Ask { question: question.into(), tables: tables() }]);
    let mut finished = 0;
    while let Some(event) = queue.pop_front() {
        for action in local.step(event) {
            match action {
                Action::Emit(event) => events.push(event),
                Action::RunQuery { run, checked, .. } => {
                    let result = Ok(outcome("r1".into(), &checked));
                    queue.push_back(Event::ToolDone { run, id: None, result });
                }
                Action::RunCall { .. } | Action::RunScript { .. } => {
                    panic!("there are no such tools")
                }
                Action::Finish => finished += 1,
                Action::Send { .. } | Action::Wait { .. } => panic!("nothing is ever sent"),
                Action::Recompute { .. } => panic!("code's own answers are not checked"),
            }
        }
    }
    assert_eq!(finished, 1);
    assert!(!local.is_busy());
    events
}

fn kinds(events: &[ChatEvent]) -> Vec<String> {
    events
        .iter()
        .map(|e| e.to_json(Locale::En)["type"].as_str().unwrap_or("?").to_owned())
        .collect()
}

#[test]
fn a_clear_question_is_answered() {
    for question in [
        "average gap by weekday where gap is above 50",
        "средний гэп по дням недели, где гэп больше 50",
    ] {
        let mut local = Local::new(Locale::En);
        let events = ask(&mut local, question);
        assert_eq!(
            kinds(&events),
            ["title", "tool_call", "data_block", "text", "claims", "draft", "done"]
        );
        let Some(ChatEvent::Done { answer, claims, verdict, .. }) = events.last() else { panic!() };
        assert_eq!(*verdict, Overall::Ok);
        assert!(answer.contains("78") && answer.contains("45"), "{answer}");
        assert!(!claims.is_empty());
        for claim in claims {
            assert_eq!(answer.get(claim.span.start..claim.span.end), Some(claim.text.as_str()));
            assert_eq!(claim.verdict, Verdict::Verified);
        }
    }
}

#[test]
fn what_is_not_understood_is_said() {
    let mut local = Local::new(Locale::En);
    let events = ask(&mut local, "what is the meaning of life");
    assert_eq!(kinds(&events), ["text", "done"]);
    assert!(matches!(
        events.last(),
        Some(ChatEvent::Done { ended: Some(Code::NotUnderstood), .. })
    ));
    // The next question works.
    let events = ask(&mut local, "average gap by weekday where gap is above 50");
    assert!(matches!(events.last(), Some(ChatEvent::Done { ended: None, .. })));
}

#[test]
fn a_query_that_fails_is_said_and_cancelling_works() {
    let mut local = Local::new(Locale::En);
    let question = "average gap by weekday where gap is above 50";
    let start = |local: &mut Local| {
        let actions = local.step(Event::Ask { question: question.into(), tables: tables() });
        actions
            .into_iter()
            .find_map(|a| match a {
                Action::RunQuery { run, .. } => Some(run),
                _ => None,
            })
            .expect("a query runs")
    };
    let run = start(&mut local);
    let actions = local.step(Event::ToolDone {
        run,
        id: None,
        result: Err(Error::Internal("cell 5".into())),
    });
    let [Action::Emit(ChatEvent::Error { code: Code::Internal, message, .. }), Action::Finish] =
        actions.as_slice()
    else {
        panic!()
    };
    assert!(!message.en.contains("cell"));
    let run = start(&mut local);
    assert_eq!(local.step(Event::Cancel).len(), 2);
    assert!(
        local.step(Event::ToolDone { run, id: None, result: Err(Error::Cancelled) }).is_empty()
    );
    assert_eq!(kinds(&ask(&mut local, question)).last().map(String::as_str), Some("done"));
}
