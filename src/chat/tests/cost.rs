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

#[test]
fn twenty_questions_are_cheap() {
    for wire in Wire::ALL {
        let settings = Settings { stream: false, ..Settings::new(*wire, "scripted") };
        let mut host = Host::with(settings, []);
        for (question, query) in TALK.iter().cycle().take(20) {
            host.replies.push_back(Reply::Body(whole(*wire, "", &[("query", query)])));
            let answer = "They are all in the table; look at its first and its last row.";
            host.replies.push_back(Reply::Body(whole(*wire, answer, &[])));
            host.ask(question);
            assert_eq!(host.answer().1, Overall::Ok, "{question}");
        }
        let (sent, last) = (host.sent.iter().map(String::len).sum::<usize>(), &host.sent[38..]);
        assert_eq!(host.sent.len(), 40);
        assert!(sent < MOST, "{} sends {sent} bytes, such as {last:?}", wire.name());
    }
}
