//! What code computes beyond the results, and what of it a model may hear: groups that a limit left
//! out, and policies that close while the conversation goes on.

use super::*;
use crate::disclose::{Class, Guard, Level};
use crate::facts::{LEFT_OUT, Support};
use std::rc::Rc;

/// The two days with the largest mean gap, of five.
const TOP: &str = r#"{"table":"bars","from":"daily","map":{"gap":"gap()","dow":"dayname()"},"where":"gap > 50","group_by":"dow","select":"mean(gap)","sort":"-mean_gap","limit":2}"#;
const RIGHT: &str = "On Thursday the mean gap was 61.2.";
const WRONG: &str = "On Thursday the mean gap was 58.8.";
const OVERALL: &str = "The overall mean gap is 64.2.";
const OVERALL_WRONG: &str = "The overall mean gap is 61.4.";

fn host(policy: &Policy, query: &str, drafts: &[&str]) -> Host {
    let settings =
        Settings { policy: policy.clone(), ..Settings::new(Wire::OpenAiChat, "scripted") };
    let answers = drafts.iter().map(|draft| text(draft));
    Host::with(settings, std::iter::once(calls(&[("query", query)])).chain(answers))
}

/// What was sent, with the wrong number in place of the right one.
fn alike(sent: &[String]) -> String {
    sent.concat().replace("61.2", "58.8").replace("64.2", "61.4")
}

#[test]
fn a_group_that_a_limit_left_out_is_no_rewrite() {
    let mut host = host(&Policy::default(), TOP, &[RIGHT]);
    host.ask("which days have the largest gaps?");
    assert_eq!(host.rejected(), 0);
    assert_eq!(host.answer(), (RIGHT.into(), Overall::Ok, vec![Verdict::Derived]));
    assert_eq!(host.recomputed.last().map(|query| &query["limit"]), Some(&json!(100_000)));
}

#[test]
fn a_wrong_number_of_such_a_group_hears_the_right_one() {
    let mut host = host(&Policy::default(), TOP, &[WRONG, RIGHT]);
    host.ask("which days have the largest gaps?");
    assert_eq!(host.rejected(), 1);
    let feedback = host.content(2, "user").pop().expect("feedback");
    assert!(feedback.contains("\"58.8\": mean_gap for dow=Thu is 61.2"), "{feedback}");
    let entry = host.ledger.since(0).last().expect("an entry");
    assert!(entry.results.contains(&"all:r1".to_owned()), "{:?}", entry.results);
    assert_eq!(host.answer().0, RIGHT);
    // What was computed for the first draft serves the second.
    let computed = host.recomputed.len();
    host.recomputed.dedup();
    assert_eq!(host.recomputed.len(), computed);
}

/// Under each of these policies a model hears the same of a right guess and of a wrong one, nothing
/// is computed for it, and the person is told.
#[test]
fn what_the_policy_withholds_is_guessed_in_vain() {
    let bars = |column: &str, class: Class| Policy::default().with_class("bars", column, class);
    let by_volume = TOP.replace("gap > 50", "volume > 5");
    for (policy, query) in [
        (Policy::default().with_level(Level::Schema), TOP),
        (Policy::default().with_level(Level::Aggregate), TOP),
        (Policy::default().with_level(Level::Preview).hide("bars", "close"), TOP),
        // Told only where enough rows stand behind.
        (bars("close", Class::Aggregate), TOP),
        (bars("open", Class::Aggregate).with_level(Level::Preview), TOP),
        // The days are made of it.
        (Policy::default().hide("bars", "timestamp"), TOP),
        (bars("timestamp", Class::Aggregate), TOP),
        // Only the condition reads it.
        (Policy::default().hide("bars", "volume"), by_volume.as_str()),
        (bars("volume", Class::Aggregate), by_volume.as_str()),
    ] {
        for (right, wrong, figure) in [(RIGHT, WRONG, "61.2"), (OVERALL, OVERALL_WRONG, "64.17")] {
            let asked = |draft: &str| {
                let mut host = host(&policy, query, &[draft, "I see.", "I see."]);
                host.ask("which days have the largest gaps?");
                host
            };
            let (one, two) = (asked(right), asked(wrong));
            assert!(alike(&one.sent) == alike(&two.sent), "{policy:?} {right}");
            assert!(!two.sent.concat().contains(figure), "{policy:?} {right}");
            assert!(one.recomputed.is_empty() && two.recomputed.is_empty(), "{policy:?}");
            // The last draft is the person's, and is sent nowhere.
            let mut last = host(&policy, query, &[wrong, wrong, wrong]);
            last.ask("which days have the largest gaps?");
            assert_eq!(last.sent.len(), 4);
            assert!(!last.recomputed.is_empty(), "{policy:?}");
            let entries = last.ledger.since(0);
            let computed = |id: &String| id.contains(':') && !id.starts_with("schema:");
            assert!(entries.iter().flat_map(|entry| &entry.results).all(|id| !computed(id)));
        }
    }
}

/// While it is computed, between two drafts, between two questions: from then on the tighter policy
/// binds, and what was computed before is not told again.
#[test]
fn a_policy_that_is_tightened_binds_what_was_computed_before() {
    for tighter in [
        Policy::default().with_level(Level::Aggregate),
        Policy::default().with_level(Level::Schema),
        Policy::default().hide("bars", "close"),
        Policy::default().with_class("bars", "close", Class::Aggregate),
    ] {
        for (query, right, wrong, figure) in [
            (GAPS, OVERALL, OVERALL_WRONG, "64.17"),
            (TOP, RIGHT, WRONG, "mean_gap for dow=Thu is 61.2"),
        ] {
            // As it is computed.
            let during = |draft: &str| {
                let mut host = host(&Policy::default(), query, &[draft, "I see.", "I see."]);
                host.tighten = Some(tighter.clone());
                host.ask("gaps by weekday?");
                host.sent
            };
            let (one, two) = (during(right), during(wrong));
            assert!(alike(&one) == alike(&two), "{tighter:?} {right}");
            assert!(!two.concat().contains(figure), "{tighter:?}");

            // After the model heard of it: its next draft goes back, too.
            let mut host = host(&Policy::default(), query, &[wrong, wrong, "I see."]);
            host.tighten_after = Some((3, tighter.clone()));
            host.ask("gaps by weekday?");
            assert!(host.sent.len() == 4 && host.sent[2].contains(figure), "{}", host.sent[2]);
            assert!(!host.sent[3].contains(figure), "{tighter:?} {}", host.sent[3]);

            // In the next question, which has no result of its own.
            let later = |draft: &str| {
                let drafts = [right, draft, "I see.", "I see."];
                let mut host = super::behind::host(&Policy::default(), query, &drafts);
                host.ask("gaps by weekday?");
                assert!(!host.recomputed.is_empty());
                host.recomputed.clear();
                host.policy = tighter.clone();
                host.drive(Event::Policy(tighter.clone()));
                host.ask("and again?");
                assert!(host.recomputed.is_empty(), "{tighter:?}");
                host.sent
            };
            let (one, two) = (later(right), later(wrong));
            assert_eq!(one.len(), two.len(), "{tighter:?} {right}");
            assert!(alike(&one) == alike(&two), "{tighter:?} {right}");
            assert!(!two[2..].concat().contains(figure), "{tighter:?}");
        }
    }
}

/// Where enough rows stand behind each group, the groups are told, and nothing that code computes of
/// the same rows: nobody has counted what stands behind that, or beside what else was told.
#[test]
fn what_is_told_over_k_rows_computes_nothing_else() {
    for policy in [
        Policy::default().with_level(Level::Aggregate),
        Policy::default().with_class("bars", "close", Class::Aggregate),
        Policy::default().with_class("bars", "close", Class::Aggregate).with_level(Level::Preview),
    ] {
        let of = |expr: &str| {
            let mean = format!("mean({expr})");
            let query = json!({"table": "bars", "map": {"dow": "dayname()"}, "where": "volume > 5",
                "group_by": "dow", "select": {"mean_gap": mean}, "sort": "dow"});
            let mut top = query.clone();
            top["limit"] = json!(2);
            (query.to_string(), top.to_string())
        };
        let (query, top) = of("close");
        for (query, right, wrong, figure) in
            [(&query, OVERALL, OVERALL_WRONG, "64.17"), (&top, RIGHT, WRONG, "61.2")]
        {
            let asked = |draft: &str| {
                let groups = (0..500).map(|row| if row < 80 { row / 16 } else { LEFT_OUT });
                let support = Support {
                    groups: groups.collect(),
                    counted: vec![("mean_gap".to_owned(), vec![16; 5])],
                    missing: vec![("close".to_owned(), Vec::new())],
                    ..Support::default()
                };
                let guard = Rc::new(Guard::new());
                guard.learn("r1", support);
                let settings = Settings {
                    policy: policy.clone(),
                    guard,
                    ..Settings::new(Wire::OpenAiChat, "scripted")
                };
                let drafts = [draft, "I see.", "I see."].map(text);
                let mut host =
                    Host::with(settings, std::iter::once(calls(&[("query", query)])).chain(drafts));
                host.ask("gaps by weekday?");
                host
            };
            let (one, two) = (asked(right), asked(wrong));
            assert!(one.sent[1].contains("mean_gap=78"), "{policy:?} {}", one.sent[1]);
            assert!(alike(&one.sent) == alike(&two.sent), "{policy:?} {right}");
            assert!(!two.sent.concat().contains(figure), "{policy:?} {right}");
            assert!(one.recomputed.is_empty() && two.recomputed.is_empty(), "{policy:?} {right}");
        }
    }
}
