//! Endpoints that fail, and people who change their minds.

use super::*;

fn next_question_works(mut host: Host) {
    host.replies.clear();
    host.refuse = false;
    host.replies.extend([calls(&[("query", GAPS)]), text("On Monday the mean gap is 78.")]);
    host.ask("the mean gap on Monday?");
    assert_eq!(host.answer().1, Overall::Ok);
    // The request is well-formed: turns alternate, and nothing of the failed reply is in it.
    let messages = host.messages(host.sent.len() - 2);
    let roles: Vec<&str> = messages.iter().filter_map(|m| m["role"].as_str()).collect();
    for pair in roles.windows(2) {
        assert!(pair != ["user", "user"] && pair != ["assistant", "assistant"], "{roles:?}");
    }
}

#[test]
fn busy_endpoints_are_asked_again() {
    let busy = |after| Reply::Status(429, after, "");
    let mut host =
        Host::new([busy(None), Reply::Status(503, Some(1500), "x"), busy(None), text("Hello.")]);
    host.ask("hello?");
    assert_eq!(host.waited, [500, 1500, 2000]);
    assert_eq!(host.answer().0, "Hello.");
    assert_eq!(host.ledger.entries().len(), 4, "every request is on the ledger");
    assert!(host.sent.iter().all(|body| *body == host.sent[0]));
}

#[test]
fn but_not_for_ever() {
    let mut host =
        Host::new(vec![Reply::Status(500, None, "{\"error\":{\"message\":\"down\"}}"); 4]);
    host.ask("hello?");
    assert_eq!((host.error(), host.waited.len()), (Code::EndpointStatus, 3));
    assert!(
        matches!(host.events.last(), Some(ChatEvent::Error { detail: Some(d), .. }) if d == "down")
    );
    next_question_works(host);
    let mut host = Host::new([Reply::Status(429, Some(3_600_000), "")]);
    host.ask("hello?");
    assert_eq!((host.error(), host.waited.len()), (Code::EndpointStatus, 0));
}

#[test]
fn what_never_gets_better_is_not_asked_again() {
    for code in [400, 401, 403, 404, 408, 413, 422, 501, 505] {
        let mut host = Host::new([Reply::Status(code, Some(0), "{\"error\":\"no\"}")]);
        host.ask("hello?");
        assert_eq!((host.error(), host.waited.len()), (Code::EndpointStatus, 0), "{code}");
        next_question_works(host);
    }
    for code in [429, 500, 502, 503, 504, 529] {
        let mut host = Host::new([Reply::Status(code, None, ""), text("Hello.")]);
        host.ask("hello?");
        assert_eq!((host.answer().0.as_str(), host.waited.len()), ("Hello.", 1), "{code}");
    }
    // The same said within a stream.
    let within =
        |code: u16| format!("data: {{\"error\":{{\"message\":\"no\",\"code\":{code}}}}}\n\n");
    let mut host = Host::new([Reply::Body(within(501))]);
    host.ask("hello?");
    assert_eq!((host.error(), host.waited.len()), (Code::EndpointStatus, 0));
}

#[test]
fn refusals_and_dead_ends_have_clear_errors() {
    for (reply, code) in [
        (Reply::Dead, Code::EndpointUnreachable),
        (Reply::Status(401, None, "{\"error\":{\"message\":\"no key\"}}"), Code::EndpointStatus),
        (Reply::Status(404, None, "<html>gone</html>"), Code::EndpointStatus),
        (Reply::Body("<!doctype html><h1>Welcome</h1>".into()), Code::EndpointNotJson),
        (Reply::Body("{\"hello\":1}".into()), Code::EndpointNotJson),
        (Reply::Body(String::new()), Code::EndpointNotJson),
        (Reply::Body("{\"error\":{\"message\":\"bad model\"}}".into()), Code::EndpointStatus),
        (text(" "), Code::NotUnderstood),
        (Reply::Cut(String::new()), Code::StreamBroken),
    ] {
        let mut host = Host::new([reply.clone()]);
        host.ask("hello?");
        assert_eq!(host.error(), code, "{reply:?}");
        next_question_works(host);
    }
}

#[test]
fn a_stream_that_breaks_is_reported_wherever_it_breaks() {
    let Reply::Body(whole) = text("Well. It is 80. Fine.") else { panic!() };
    // The decoder's own tests cut at every byte; here every fifth, lost or just ended.
    for end in (0..whole.find("[DONE]").expect("it closes")).step_by(5) {
        for cut in [true, false] {
            let part = String::from_utf8_lossy(&whole.as_bytes()[..end]).into_owned();
            let reply = if cut { Reply::Cut(part) } else { Reply::Body(part) };
            let mut host = Host::new([calls(&[("query", COUNT)]), reply]);
            host.ask("how many receipts over 100?");
            let shown = host.shown();
            assert!("Well. It is 80. Fine.".starts_with(&shown), "{shown} at {end}");
            match host.events.last() {
                Some(ChatEvent::Error { code: Code::StreamBroken, .. }) => {}
                // Nothing of a stream yet, or all but its closing words.
                Some(ChatEvent::Error { code: Code::EndpointNotJson, .. }) if end < 6 => {}
                Some(ChatEvent::Done { .. }) if !cut && shown.ends_with("Fine.") => {}
                other => panic!("at {end}: {other:?}"),
            }
        }
    }
    let mut host = Host::new([calls(&[("query", COUNT)]), Reply::Cut(whole[..200].to_owned())]);
    host.ask("how many receipts over 100?");
    next_question_works(host);
}

#[test]
fn an_overloaded_stream_is_asked_again_only_before_text() {
    let overloaded = "data: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n";
    let mut host = Host::new([Reply::Body(overloaded.into()), text("Hello.")]);
    host.ask("hello?");
    assert_eq!((host.waited.len(), host.answer().0.as_str()), (1, "Hello."));
    let begun =
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n".to_owned() + overloaded;
    let mut host = Host::new([Reply::Body(begun)]);
    host.ask("hello?");
    assert_eq!((host.waited.len(), host.error()), (0, Code::EndpointStatus));
    next_question_works(host);
}

#[test]
fn nothing_is_sent_unapproved() {
    let mut host = Host::new([]);
    host.refuse = true;
    host.ask("hello?");
    assert_eq!(host.error(), Code::SendRefused);
    assert!(host.sent.is_empty());
    next_question_works(host);
    // A ledger that cannot be written.
    let mut host = Host::new([]);
    let tables = host.tables.clone();
    let actions = host.conversation.step(Event::Ask { question: "q".into(), tables });
    let [Action::Send { request, .. }] = actions.as_slice() else { panic!() };
    host.drive(Event::Failed { request: *request, failure: Failure::Ledger });
    assert_eq!(host.error(), Code::LedgerUnavailable);
    next_question_works(host);
}

/// Cancels after every number of steps of a whole question, then asks another.
#[test]
fn cancelling_anywhere_leaves_it_usable() {
    for stop in 0..60 {
        let mut host = Host::new([]);
        let tables = host.tables.clone();
        let mut queue = VecDeque::from([Event::Ask { question: "cancelled one".into(), tables }]);
        host.replies.extend([
            Reply::Status(429, None, ""),
            calls(&[("query", GAPS), ("query", COUNT)]),
            text("On Monday the mean gap is 99."),
            text("On Monday the mean gap is 78."),
        ]);
        let mut late = Vec::new();
        for step in 0.. {
            let Some(event) = queue.pop_front() else { break };
            if step == stop {
                late.push(event);
                late.extend(queue.drain(..));
                break;
            }
            for action in host.conversation.step(event) {
                match action {
                    Action::Send { request, .. } => {
                        queue.push_back(Event::Approved { request });
                        queue.extend(host.reply(request));
                    }
                    Action::RunQuery { run, checked, .. } => {
                        let result = Ok(outcome("r1".into(), &checked));
                        queue.push_back(Event::ToolDone { run, id: None, result });
                    }
                    Action::Recompute { run, checked } => {
                        let result = Some(everything(&checked));
                        queue.push_back(Event::Recomputed { run, result });
                    }
                    Action::RunCall { .. } | Action::RunScript { .. } => {
                        panic!("there are no such tools")
                    }
                    Action::Wait { request, .. } => queue.push_back(Event::Waited { request }),
                    Action::Emit(_) | Action::Finish => {}
                }
            }
        }
        let busy = host.conversation.is_busy();
        let actions = host.conversation.step(Event::Cancel);
        assert_eq!(actions.len(), if busy { 2 } else { 0 }, "an error and the end");
        for event in late {
            let is_ask = matches!(event, Event::Ask { .. });
            if !is_ask {
                assert!(host.conversation.step(event).is_empty(), "what is late changes nothing");
            }
        }
        next_question_works(host);
    }
}

#[test]
fn a_new_question_cancels_the_open_one() {
    let mut host = Host::new([text("Hello.")]);
    let tables = host.tables.clone();
    host.conversation.step(Event::Ask { question: "first".into(), tables: tables.clone() });
    host.drive(Event::Ask { question: "second".into(), tables });
    assert!(matches!(host.events.first(), Some(ChatEvent::Error { code: Code::Cancelled, .. })));
    assert_eq!(host.answer().0, "Hello.");
    assert_eq!(host.content(0, "user"), ["first", "second"]);
}
