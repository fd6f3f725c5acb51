//! What a conversation sends, in bytes. tests/e2e/cost.test.mjs counts the tokens.

use super::*;

/// Questions of a person who looks around, with the query that a model would write.
const TALK: [(&str, &str); 5] = [
    (
        "average gap by weekday when it is above 50?",
        r#"{"table":"bars","from":"daily","map":{"gap":"gap()","dow":"dayname()"},"where":"gap > 50","group_by":["dow"],"select":{"gap":"mean(gap)"},"title":"Mean gap by weekday"}"#,
    ),
    (
        "only in 2024",
        r#"{"table":"bars","period":"2024","from":"daily","map":{"gap":"gap()","dow":"dayname()"},"where":"gap > 50","group_by":["dow"],"select":{"gap":"mean(gap)"},"title":"Mean gap by weekday 2024"}"#,
    ),
    (
        "how many days close above their open?",
        r#"{"table":"bars","from":"daily","where":"close > open","select":{"days":"count()"},"title":"Days that close higher"}"#,
    ),
    (
        "the five widest days?",
        r#"{"table":"bars","from":"daily","map":{"range":"range()"},"sort":["range desc"],"limit":5,"title":"Five widest days"}"#,
    ),
    (
        "which shops are dear?",
        r#"{"table":"receipts","group_by":["shop"],"select":{"mean":"mean(amount)"},"sort":["mean desc"],"title":"Mean receipt by shop"}"#,
    ),
];

/// Twenty questions stay under 40,000 tokens. Such bodies have 3.7 bytes a token and more, counted
/// under o200k_base.
const MOST: usize = 40_000 * 37 / 10;

/// The bodies of twenty questions and their answers.
fn sent(wire: Wire, scripts: bool) -> Vec<String> {
    let settings = Settings { stream: false, scripts, ..Settings::new(wire, "scripted") };
    let mut host = Host::with(settings, []);
    for (question, query) in TALK.iter().cycle().take(20) {
        host.replies.push_back(Reply::Body(whole(wire, "", &[("query", query)])));
        let answer = "They are all in the table; look at its first and its last row.";
        host.replies.push_back(Reply::Body(whole(wire, answer, &[])));
        host.ask(question);
        assert_eq!(host.answer().1, Overall::Ok, "{question}");
    }
    assert_eq!(host.sent.len(), 40);
    host.sent
}

fn bytes(sent: &[String]) -> usize {
    sent.iter().map(String::len).sum()
}

#[test]
fn twenty_questions_are_cheap() {
    for wire in Wire::ALL {
        let sent = sent(*wire, false);
        let (all, last) = (bytes(&sent), &sent[38..]);
        assert!(all < MOST, "{} sends {all} bytes, such as {last:?}", wire.name());
    }
}

/// What a script is goes with each of them, where the page lets the model write scripts.
#[test]
fn scripts_cost_a_tenth_more() {
    for wire in Wire::ALL {
        let [without, with] = [false, true].map(|scripts| bytes(&sent(*wire, scripts)));
        let share = (with - without) as f64 / without as f64;
        assert!(share < 0.115, "{}: {without} bytes, {with} with scripts", wire.name());
    }
}
