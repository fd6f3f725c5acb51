//! Models that say what is not so.

use super::*;

const GOOD: &str = "The mean gap is highest on Monday, 78, and lowest on Friday, 45.";

#[test]
fn a_wrong_number_is_rewritten() {
    let wrong = "Here it is. The mean gap is highest on Monday, 79.4, and lowest on Friday, 45.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(GOOD)]);
    host.ask("average gap by weekday?");
    assert_eq!(host.rejected(), 1);
    let (answer, verdict, _) = host.answer();
    assert_eq!((answer.as_str(), verdict), (GOOD, Overall::Ok));
    assert_eq!(host.shown(), GOOD);
    let shown_ever: String = host
        .events
        .iter()
        .filter_map(|e| match e {
            ChatEvent::Text { delta } => Some(delta.as_str()),
            _ => None,
        })
        .collect();
    assert!(!shown_ever.contains("79.4"), "a wrong number is never shown: {shown_ever}");
    let feedback = host.content(2, "user").pop().expect("feedback");
    assert!(feedback.contains("79.4") && feedback.contains("78"), "{feedback}");
    // The draft and the check are gone in the next turn: only the last draft is history.
    host.replies.push_back(text("Yes."));
    host.ask("sure?");
    assert!(!host.sent[3].contains("79.4"));
    assert!(host.sent[3].contains(GOOD));
}

#[test]
fn three_wrong_drafts_are_delivered_corrected() {
    for hold in Hold::ALL {
        let wrong = "Well. On Friday the mean gap is 46.9.";
        let settings = Settings { hold, ..Settings::new(Wire::OpenAiChat, "scripted") };
        let replies = [calls(&[("query", GAPS)]), text(wrong), text(wrong), text(wrong)];
        let mut host = Host::with(settings, replies);
        host.ask("the mean gap on Friday?");
        let (answer, verdict, verdicts) = host.answer();
        assert_eq!(verdict, Overall::Rewrite, "{hold:?}");
        assert!(!answer.contains("46.9") && answer.contains("45"), "{answer}");
        assert!(verdicts.contains(&Verdict::Contradicted));
        assert_eq!(host.shown(), answer, "{hold:?}");
        let Some(ChatEvent::Done { claims, usage, .. }) = host.events.last() else { panic!() };
        assert!(claims.iter().any(|c| c.replaced.as_deref() == Some("46.9")), "{claims:?}");
        assert_eq!((usage.drafts, usage.requests), (3, 4));
        // Later turns hold the model's own words, never the correction.
        host.replies.push_back(text("Yes."));
        host.ask("sure?");
        assert_eq!(host.content(4, "assistant").last().map(String::as_str), Some(wrong));
    }
}

#[test]
fn a_number_of_another_group_is_caught() {
    let wrong = "On Friday the mean gap is 78.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(GOOD)]);
    host.ask("the mean gap on Friday?");
    assert_eq!(host.rejected(), 1);
    assert_eq!(host.answer().0, GOOD);
}

#[test]
fn a_made_up_number_is_marked() {
    let wrong = "In 17 of 93 cases it rained.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(wrong), text(wrong)]);
    host.ask("q");
    let (_, verdict, verdicts) = host.answer();
    assert_eq!(verdict, Overall::Rewrite);
    assert!(!verdicts.is_empty());
    assert!(verdicts.iter().all(|v| matches!(v, Verdict::Unverifiable | Verdict::Contradicted)));
}

#[test]
fn claims_before_a_call_are_not_shown() {
    let mut host = Host::new([
        said_and_called("Let me see. I expect about 250 days. ", &[("query", GAPS)]),
        text(GOOD),
    ]);
    host.ask("q");
    let Some(ChatEvent::Text { delta }) = host.events.first() else { panic!() };
    assert_eq!(delta.trim(), "Let me see.");
    assert!(!format!("{:?}", host.events).contains("250"));
}

#[test]
fn the_check_is_no_oracle() {
    let strict = Policy::default().with_level(crate::disclose::Level::Schema);
    let feedback = |draft: &str| {
        let settings =
            Settings { policy: strict.clone(), ..Settings::new(Wire::OpenAiChat, "scripted") };
        let replies = [calls(&[("query", GAPS)]), text(draft), text("See the table.")];
        let mut host = Host::with(settings, replies);
        host.ask("the mean gap on Friday?");
        assert_eq!(host.rejected(), 1, "{draft}");
        assert!(!host.content(1, "tool").concat().contains("45"), "no value leaves");
        host.content(2, "user").pop().expect("feedback")
    };
    let right = feedback("On Friday the mean gap is 45.");
    let wrong = feedback("On Friday the mean gap is 46.");
    assert_eq!(right.replace("45", "46"), wrong, "right and wrong guesses hear the same");
}

#[test]
fn a_wrong_difference_hears_the_difference() {
    let wrong = "The difference between the mean gaps of Monday and Friday is 4 points.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(GOOD)]);
    host.ask("average gap by weekday?");
    assert_eq!(host.rejected(), 1);
    let feedback = host.content(2, "user").pop().expect("feedback");
    assert!(feedback.contains("mean_gap[dow=Mon] - mean_gap[dow=Fri] is "), "{feedback}");
}

#[test]
fn a_wrong_superlative_without_a_digit_is_caught() {
    let wrong = "Well. The mean gap was highest on Friday.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(GOOD)]);
    host.ask("average gap by weekday?");
    assert_eq!(host.rejected(), 1);
    assert_eq!(host.answer().0, GOOD);
    let early: Vec<&ChatEvent> =
        host.events.iter().take_while(|e| !matches!(e, ChatEvent::Draft { .. })).collect();
    assert!(!format!("{early:?}").contains("highest"), "it is held: {early:?}");
}

#[test]
fn russian_answers_are_checked_too() {
    let good = "Средний гэп выше всего в понедельник – 78, ниже всего в пятницу – 45.";
    let wrong = "В пятницу средний гэп – 46,9.";
    let mut host = Host::new([calls(&[("query", GAPS)]), text(wrong), text(good)]);
    host.ask("средний гэп по дням недели?");
    assert_eq!(host.rejected(), 1);
    let (answer, verdict, _) = host.answer();
    assert_eq!((answer.as_str(), verdict), (good, Overall::Ok));
}

/// The model writes its guesses where a tool repeats them, and claims them all: the requests that
/// follow are the same whichever of them is right.
#[test]
fn an_error_that_repeats_the_guesses_makes_no_oracle() {
    let strict = Policy::default().with_level(crate::disclose::Level::Schema);
    let told = |guesses: [&str; 2]| {
        let settings =
            Settings { policy: strict.clone(), ..Settings::new(Wire::OpenAiChat, "scripted") };
        let echo = format!("{{\"table\":\"{} {}\"}}", guesses[0], guesses[1]);
        let draft = format!(
            "On Friday the mean gap is {}. On Friday the mean gap is {}.",
            guesses[0], guesses[1]
        );
        let replies =
            [calls(&[("query", GAPS), ("query", &echo)]), text(&draft), text("See the table.")];
        let mut host = Host::with(settings, replies);
        host.ask("the mean gap on Friday?");
        assert_eq!(host.rejected(), 1, "{draft}");
        host.content(2, "user").pop().expect("feedback")
    };
    let one = told(["45", "46"]);
    let other = told(["44", "46"]);
    assert_eq!(one.replace("45", "44"), other);
}

#[test]
fn what_was_masked_stays_masked_when_the_cells_are_gone() {
    let mut cells = crate::disclose::Cells::new();
    cells.insert("Anna Petrova");
    let settings = Settings::new(Wire::OpenAiChat, "scripted");
    let mut host = Host::with(settings, [text("Yes."), text("Yes.")]);
    host.conversation.step(Event::Cells(std::rc::Rc::new(cells)));
    host.ask("is Anna Petrova in Riga?");
    host.conversation.step(Event::Cells(std::rc::Rc::default()));
    host.ask("and now?");
    let asked = host.content(1, "user");
    assert_eq!(asked.first().map(String::as_str), Some("is [hidden] in Riga?"));
}
