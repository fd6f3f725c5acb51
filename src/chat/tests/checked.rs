//! `check_stats` in a conversation: what it hears of results, and that it hears nothing of others.

use super::*;
use crate::disclose::Level;

fn check(id: &str, stats: &str) -> String {
    format!("{{\"result\":\"{id}\",\"stats\":{stats},\"row\":{{\"dow\":\"Fri\"}}}}")
}

#[test]
fn numbers_are_checked_by_field_before_they_are_stated() {
    let good = "On Friday the mean gap is 45.";
    let replies = [
        calls(&[("query", GAPS)]),
        text("On Friday the mean gap is 47."),
        calls(&[("check_stats", &check("r1", r#"{"mean_gap":46}"#))]),
        calls(&[("check_stats", &check("r1", r#"{"mean_gap":45}"#))]),
        text(good),
    ];
    let mut host = Host::new(replies);
    host.ask("average gap by weekday?");
    assert_eq!((host.answer().0.as_str(), host.rejected()), (good, 1));
    let told = host.content(4, "tool");
    assert_eq!(
        told[1],
        "Checked against r1: 0 right, 1 wrong\nValidation errors:\n- mean_gap: reported 46, actual 45"
    );
    assert_eq!(told[2], "Checked against r1: 1 right, 0 wrong");
    // The tool is offered where a number was wrong, and the model is still to answer.
    let tools = |n: usize| {
        let body: Json = serde_json::from_str(&host.sent[n]).expect("a body is JSON");
        let tools = body["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|t| t["function"]["name"].to_string()).collect::<Vec<_>>().join(" ")
    };
    for n in 0..2 {
        assert!(!tools(n).contains("check_stats"), "{n}: {}", tools(n));
    }
    for n in 2..5 {
        assert!(tools(n).contains("check_stats"), "{n}: {}", tools(n));
        assert!(host.content(n, "system").concat().contains("# Answer"), "{n}");
    }
}

/// Of a result that is withheld, of one whose query failed, and of one that never was a model hears the
/// same words, and the question goes on in the same way.
#[test]
fn a_check_tells_nothing_of_what_is_withheld() {
    let sent = |policy: &Policy, failure: Option<Error>, id: &str, gap: &str| {
        let arguments = check(id, &format!("{{\"mean_gap\":{gap}}}"));
        let replies = [
            calls(&[("query", GAPS)]),
            calls(&[("check_stats", &arguments)]),
            calls(&[("check_stats", &arguments)]),
            text("See the table."),
        ];
        let settings =
            Settings { policy: policy.clone(), ..Settings::new(Wire::OpenAiChat, "scripted") };
        let mut host = Host::with(settings, replies);
        host.failure = failure;
        host.ask("average gap by weekday?");
        host.sent
    };
    let overflow = || Some(Error::Internal("overflow at 45".into()));
    for policy in [
        Policy::default().with_level(Level::Schema),
        Policy::default().hide("bars", "close"),
        Policy::default().hide("bars", "close").with_level(Level::Aggregate),
    ] {
        let right = sent(&policy, None, "r1", "45");
        assert_eq!(right.len(), 4);
        let said =
            "Not available: r1 is no result that you were told in full, or it is too long ago";
        assert!(right[3].contains(said), "{}", right[3]);
        assert!(right[3].matches(said).count() == 2);
        for (failure, id, gap) in [
            (None, "r1", "46"),
            (overflow(), "r1", "45"),
            (None, "r7", "45"),
            (overflow(), "r7", "46"),
        ] {
            let other = sent(&policy, failure.clone(), id, gap);
            let other: Vec<String> = other
                .iter()
                .map(|body| {
                    let body = body.replace("r7 is no result", "r1 is no result");
                    body.replace(r#"\"result\":\"r7\""#, r#"\"result\":\"r1\""#)
                        .replace(r#"\"mean_gap\":46"#, r#"\"mean_gap\":45"#)
                })
                .collect();
            assert!(other == right, "{id} {gap} {failure:?} {:?}", policy.level());
        }
    }
}
