//! What a draft says of everything, where the results have groups alone.

use super::*;
use crate::disclose::Level;

const OVERALL: &str = "The overall mean gap is 64.2.";

fn host(policy: &Policy, hold: Hold, drafts: &[&str]) -> Host {
    let settings =
        Settings { policy: policy.clone(), hold, ..Settings::new(Wire::OpenAiChat, "scripted") };
    let answers = drafts.iter().map(|draft| text(draft));
    Host::with(settings, std::iter::once(calls(&[("query", GAPS)])).chain(answers))
}

#[test]
fn a_true_number_of_everything_is_no_rewrite() {
    for hold in Hold::ALL {
        let mut host = host(&Policy::default(), hold, &[OVERALL]);
        host.ask("average gap by weekday?");
        assert_eq!(host.rejected(), 0, "{hold:?}");
        assert_eq!(host.answer(), (OVERALL.into(), Overall::Ok, vec![Verdict::Derived]));
        assert_eq!(host.shown(), OVERALL);
        // Computed once: for the model and for the person it is the same.
        assert_eq!((host.recomputed.len(), host.ran.len()), (1, 1));
        assert!(host.recomputed[0].get("group_by").is_none(), "{}", host.recomputed[0]);
        let Some(ChatEvent::Done { claims, usage, .. }) = host.events.last() else { panic!() };
        assert_eq!((usage.drafts, usage.requests), (1, 2));
        let fact = claims[0].fact.as_ref().expect("a fact");
        assert_eq!((fact.result.as_str(), fact.row), ("r1", None));
        assert_eq!(claims[0].formula.as_deref(), Some("mean_gap over all rows of the query"));
    }
}

#[test]
fn nothing_is_computed_for_a_draft_that_needs_nothing() {
    for draft in ["On Monday the mean gap is 78.", "That is clear.", "In 17 of 93 cases it rained."]
    {
        let mut host = host(&Policy::default(), Hold::Numbers, &[draft, draft, draft]);
        host.ask("average gap by weekday?");
        let none = host.recomputed.is_empty();
        assert!(none || draft.contains("17"), "{draft}: {:?}", host.recomputed);
        assert!(host.recomputed.len() <= 1, "what was computed is kept: {draft}");
    }
}

/// The mean of the five means is no mean of everything.
#[test]
fn a_wrong_number_of_everything_hears_the_right_one() {
    let wrong = "The overall mean gap is 61.4.";
    let mut host = host(&Policy::default(), Hold::Numbers, &[wrong, OVERALL]);
    host.ask("average gap by weekday?");
    assert_eq!((host.rejected(), host.recomputed.len()), (1, 1));
    assert_eq!(host.answer().0, OVERALL);
    let feedback = host.content(2, "user").pop().expect("feedback");
    let said = "\"61.4\": mean_gap over all rows of the query is 64.17";
    assert!(feedback.contains(said), "{feedback}");
    // What was told is on the ledger.
    let entry = host.ledger.since(0).last().expect("an entry");
    assert!(entry.results.contains(&"whole:r1".to_owned()), "{:?}", entry.results);
}

#[test]
fn the_last_draft_is_delivered_with_the_figure() {
    let wrong = "The overall mean gap is 61.4.";
    let mut host = host(&Policy::default(), Hold::Numbers, &[wrong, wrong, wrong]);
    host.ask("average gap by weekday?");
    let (answer, verdict, verdicts) = host.answer();
    assert_eq!(answer, "The overall mean gap is 64.2.");
    assert_eq!((verdict, verdicts), (Overall::Rewrite, vec![Verdict::Contradicted]));
    assert_eq!(host.recomputed.len(), 1);
}

#[test]
fn what_cannot_be_computed_stays_unverifiable() {
    let mut host = host(&Policy::default(), Hold::Numbers, &[OVERALL, OVERALL, OVERALL]);
    host.gone = true;
    host.ask("average gap by weekday?");
    assert_eq!(host.answer().2, vec![Verdict::Unverifiable]);
    assert_eq!((host.rejected(), host.recomputed.len()), (2, 1), "a failure is not tried again");
}

/// Where the policy keeps results back, the model hears the same of a right guess and of a wrong one,
/// and nothing is computed before what it hears is sent; the person sees the figure.
#[test]
fn a_guess_at_everything_is_no_oracle() {
    let hidden = Policy::default().hide("bars", "close");
    let plain = Policy::default().hide("bars", "volume");
    for (policy, told) in [
        (Policy::default().with_level(Level::Schema), false),
        (Policy::default().with_level(Level::Aggregate), false),
        (hidden, false),
        // Another column is hidden: what is computed of the others may be told.
        (plain, true),
    ] {
        let sent = |draft: &str| {
            let mut host = host(&policy, Hold::Numbers, &[draft, "I see.", "I see."]);
            host.ask("average gap by weekday?");
            host
        };
        let [right, wrong] = [OVERALL, "The overall mean gap is 61.4."].map(sent);
        assert_eq!(right.sent.len() == wrong.sent.len(), !told, "{:?}", policy.level());
        if told {
            assert_eq!((right.sent.len(), wrong.sent.len()), (2, 3));
            continue;
        }
        let said = right.sent.concat().replace("64.2", "61.4");
        assert!(said == wrong.sent.concat() && !said.contains("64.17"), "{:?}", policy.level());
        for host in [right, wrong] {
            assert!(host.recomputed.is_empty(), "{:?}", host.recomputed);
        }
        // The last draft is the person's.
        let mut host = host(&policy, Hold::Numbers, &[OVERALL; 3]);
        host.ask("average gap by weekday?");
        assert_eq!((host.recomputed.len(), host.sent.len()), (1, 4));
        assert_eq!(host.answer().2, vec![Verdict::Derived]);
        assert!(!host.sent.concat().contains("64.17"));
    }
}

/// A policy that is tightened before the feedback is sent binds it.
#[test]
fn a_figure_is_not_told_under_a_tighter_policy() {
    let wrong = "The overall mean gap is 61.4.";
    let mut host = host(&Policy::default(), Hold::Numbers, &[wrong, OVERALL, OVERALL]);
    host.tighten = Some(Policy::default().with_level(Level::Aggregate));
    host.ask("average gap by weekday?");
    let feedback = host.content(2, "user").pop().expect("feedback");
    assert!(!feedback.contains("64.17"), "{feedback}");
}

#[test]
fn a_cancel_while_it_is_computed_ends_the_question() {
    let mut host = host(&Policy::default(), Hold::Numbers, &[OVERALL]);
    host.stall = true;
    let tables = host.tables.clone();
    host.drive(Event::Ask { question: "average gap by weekday?".into(), tables });
    assert!(host.conversation.is_busy());
    let late = host.stalled.take().expect("a run");
    host.drive(Event::Cancel);
    assert_eq!((host.error(), host.finished), (Code::Cancelled, 1));
    let (run, checked) = late;
    let event = Event::Recomputed { run, result: Some(everything(&checked)) };
    assert!(host.conversation.step(event).is_empty(), "what is late changes nothing");
}

/// A threshold that the query did not have: the model hears what it had.
#[test]
fn a_stale_condition_hears_that_of_the_query() {
    let stale = "When the gap is above 70, Monday averaged 78.";
    let good = "When the gap is above 50, Monday averaged 78.";
    let mut host = host(&Policy::default(), Hold::Numbers, &[stale, good]);
    host.ask("average gap by weekday?");
    assert_eq!(host.rejected(), 1);
    let feedback = host.content(2, "user").pop().expect("feedback");
    assert!(feedback.contains("\"70\": r1 had another condition: where gap > 50"), "{feedback}");
    assert_eq!(host.answer().0, good);
}
