//! Answers with references: code fills in what the model may not see.

use super::*;
use crate::disclose::Level;
use crate::error::Locale;

const BEST: &str = "The mean gap is highest on {{r1.max.dow}}, {{r1.max.mean_gap:.1f}}, and on Friday it is {{r1[dow=Fri].mean_gap}}.";

fn strict() -> Settings {
    let policy = Policy::default().with_level(Level::Schema);
    Settings { policy, ..Settings::new(Wire::OpenAiChat, "scripted") }
}

/// Asks with these answers; what came of it.
fn ask(settings: Settings, answers: &[&str]) -> Host {
    let replies = answers.iter().map(|words| text(words));
    let mut host = Host::with(settings, [calls(&[("query", GAPS)])].into_iter().chain(replies));
    host.ask("average gap by weekday when it is above 50?");
    host
}

#[test]
fn code_fills_in_what_the_model_may_not_see() {
    for hold in Hold::ALL {
        let mut host = ask(Settings { hold, ..strict() }, &[BEST]);
        let filled = "The mean gap is highest on Mon, 78.0, and on Friday it is 45.";
        let (answer, verdict, verdicts) = host.answer();
        assert_eq!((answer.as_str(), verdict), (filled, Overall::Ok), "{hold:?}");
        assert_eq!(host.shown(), filled);
        assert!(verdicts.iter().all(|v| *v == Verdict::Verified), "{verdicts:?}");
        let Some(ChatEvent::Done { claims, .. }) = host.events.last() else { panic!() };
        let number = claims.iter().find(|c| c.text == "78.0").expect("a claim");
        assert_eq!(number.fact.as_ref().map(|f| f.column.as_str()), Some("mean_gap"));
        // Nothing of it was ever sent, nor is it later: the model's own words are.
        host.replies.push_back(text("You are welcome."));
        host.ask("thanks");
        assert_eq!(host.content(2, "assistant").last().map(String::as_str), Some(BEST));
        for body in &host.sent {
            for value in ["78", "45", "67.3"] {
                assert!(!body.contains(value), "{value} in {body}");
            }
        }
        assert!(host.content(1, "system")[0].contains("{{r1.rows}}"));
    }
}

#[test]
fn a_name_may_be_a_reference_too() {
    let host = ask(strict(), &["{{r1.max.dow}} has the highest mean gap, {{r1.max.mean_gap}}."]);
    assert_eq!(host.answer().0, "Mon has the highest mean gap, 78.");
    assert_eq!((host.answer().1, host.rejected()), (Overall::Ok, 0));
}

#[test]
fn they_are_written_for_the_reader() {
    let mut settings = strict();
    settings.locale = Locale::Ru;
    let host = ask(settings, &["Во вторник средний гэп — {{r1[dow=Tue].mean_gap}}."]);
    assert_eq!(host.answer().0, "Во вторник средний гэп — 67,3.");
}

#[test]
fn a_reference_that_names_nothing_is_told_with_those_that_do() {
    let wrong = "The mean gap on Monday is {{r1[dow=Mon].mean_gpa}}.";
    let right = "The mean gap on Monday is {{r1[dow=Mon].mean_gap}}.";
    for settings in [strict(), Settings::new(Wire::OpenAiChat, "scripted")] {
        let host = ask(settings, &[wrong, right]);
        assert_eq!(
            (host.answer().0.as_str(), host.rejected()),
            ("The mean gap on Monday is 78.", 1)
        );
        let told = host.content(2, "user").pop().expect("feedback");
        assert!(told.contains("mean_gpa") && told.contains("r1[dow=…].mean_gap"), "{told}");
        assert!(!told.contains("78"), "{told}");
    }
    let host = ask(strict(), &["There are {{r7.rows}} groups.", "There are {{r1.rows}} groups."]);
    assert_eq!((host.answer().0.as_str(), host.rejected()), ("There are 5 groups.", 1));
}

#[test]
fn what_stays_unfilled_is_marked() {
    let wrong = "The mean gap on Monday is {{r1[dow=Mon].mean_gpa}}.";
    let host = ask(strict(), &[wrong; 3]);
    let (answer, verdict, verdicts) = host.answer();
    assert_eq!(
        (answer.as_str(), verdict),
        ("The mean gap on Monday is [no value].", Overall::Rewrite)
    );
    assert_eq!(verdicts, [Verdict::Unverifiable]);
    assert_eq!(host.shown(), answer);
}

/// Whether a row is there is a fact of the data: a model that may see none hears of no difference.
#[test]
fn a_reference_is_no_oracle() {
    let sent = |answer: &str| {
        let host = ask(strict(), &[answer]);
        assert_eq!((host.rejected(), host.replies.len()), (0, 0), "{answer}");
        host.sent
    };
    for [there, not] in [
        ["{{r1[dow=Mon].mean_gap}}", "{{r1[dow=Sun].mean_gap}}"],
        ["{{r1[dow=Mon].mean_gap - r9.x}}", "{{r1[dow=Sun].mean_gap - r9.x}}"],
        ["{{r1[dow=Mon].mean_gap / (r1.rows - 4)}}", "{{r1[dow=Mon].mean_gap / (r1.rows - 5)}}"],
    ] {
        assert_eq!(sent(&format!("It is {there}.")), sent(&format!("It is {not}.")));
    }
    let host = ask(strict(), &["On Sunday it is {{r1[dow=Sun].mean_gap}}."]);
    assert_eq!(host.answer().0, "On Sunday it is [no value].");
}

/// A value of another group than the sentence names is not let pass.
#[test]
fn a_reference_to_something_else_is_no_excuse() {
    let swapped = "The mean gap on Monday is {{r1[dow=Fri].mean_gap}}.";
    let right = "The mean gap on Monday is {{r1[dow=Mon].mean_gap}}.";
    let host = ask(Settings::new(Wire::OpenAiChat, "scripted"), &[swapped, right]);
    assert_eq!((host.answer().0.as_str(), host.rejected()), ("The mean gap on Monday is 78.", 1));
    // Where the model may not hear of it, code says what is right.
    let host = ask(strict(), &[swapped]);
    let (answer, verdict, _) = host.answer();
    assert_eq!((answer.as_str(), verdict), ("The mean gap on Monday is 78.", Overall::Rewrite));
}

#[test]
fn numbers_beside_references_are_judged_as_ever() {
    let lie = "The mean gap on Monday is {{r1[dow=Mon].mean_gap}}. On Friday it is 99.";
    let right = "The mean gap on Monday is {{r1[dow=Mon].mean_gap}}.";
    let host = ask(strict(), &[lie, right]);
    assert_eq!((host.answer().0.as_str(), host.rejected()), ("The mean gap on Monday is 78.", 1));
    let host = ask(strict(), &["On Monday it is {{r1[dow=Mon].mean_gap}} and on Friday 99."]);
    let (answer, verdict, verdicts) = host.answer();
    assert!(!answer.contains("99") || verdicts.contains(&Verdict::Unverifiable), "{answer}");
    assert_eq!(verdict, Overall::Rewrite);
}

#[test]
fn a_sum_of_what_a_limit_left_is_not_one_of_everything() {
    let query = r#"{"table":"receipts","group_by":"shop","select":"sum(amount)","sort":"sum_amount desc","limit":3}"#;
    let say = |words: &str| {
        let replies = [calls(&[("query", query)]), text(words), text(words), text(words)];
        let mut host = Host::with(strict(), replies);
        host.ask("the three best shops?");
        host.answer()
    };
    let (_, verdict, _) = say("The three shown come to {{r1.stats.sum_amount.sum}}.");
    assert_eq!(verdict, Overall::Ok);
    let (answer, verdict, _) = say("All shops together sold {{r1.stats.sum_amount.sum}}.");
    assert_eq!(verdict, Overall::Rewrite, "{answer}");
}
