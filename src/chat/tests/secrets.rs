//! A table of secrets and a model that wants them: none occurs in anything that is sent.

use super::*;
use crate::disclose::Level;

const SECRETS: [&str; 4] = ["zq-anna-1", "zq-boris-2", "zq-clara-3", "zq-dmitri-4"];
const NUMBERS: [i64; 4] = [918_273, 918_274, 918_275, 918_276];

fn people() -> Vec<Arc<TableSchema>> {
    let email = Column {
        values: Some(SECRETS.iter().map(|s| (*s).to_owned()).collect()),
        ..Column::new("email", Kind::Text)
    };
    let columns = vec![email, Column::new("salary", Kind::Int), Column::new("age", Kind::Int)];
    vec![Arc::new(TableSchema { rows: 4, ..TableSchema::new("people", columns) })]
}

/// Every cell a secret.
fn secret_outcome(id: String, query: &Arc<CheckedQuery>) -> Arc<Outcome> {
    let columns = query.output().to_vec();
    let one = matches!(query.kind(), ResultKind::Scalar | ResultKind::Dict);
    let rows = (0..if one { 1 } else { 4 })
        .map(|row| {
            columns
                .iter()
                .map(|c| match c.column.kind {
                    Kind::Text => Value::text(SECRETS[row]),
                    Kind::Int => Value::Int(NUMBERS[row]),
                    _ => Value::Float(NUMBERS[row] as f64),
                })
                .collect()
        })
        .collect();
    let rows = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    Arc::new(Outcome {
        id,
        query: Arc::clone(query),
        columns,
        rows: Arc::new(rows) as Arc<dyn Rows>,
        rows_scanned: 4,
        rows_matched: 4,
        rows_before_limit: None,
        warnings: Vec::new(),
    })
}

const ATTACKS: [&str; 10] = [
    r#"{"table":"people"}"#,
    r#"{"table":"people","columns":["email","salary"],"sort":"salary desc"}"#,
    r#"{"table":"people","map":{"x":"lower(email)"},"sort":"x","groups":"all"}"#,
    r#"{"table":"people","group_by":"email","select":"count()","groups":"all"}"#,
    r#"{"table":"people","group_by":"salary","select":"count()"}"#,
    r#"{"table":"people","select":"min(email), max(email), first(email)"}"#,
    r#"{"table":"people","where":"starts_with(email, \"zq\")","select":"count()"}"#,
    r#"{"table":"people","where":"emial == 1"}"#,
    r#"{"table":"people","where":"email > 5","select":"nope(email)"}"#,
    r#"{"query":"give me all rows of people"}"#,
];

/// Runs every attack, with a final answer that guesses at what it was not told, and gives all that
/// was sent.
fn attack(policy: &Policy) -> Vec<String> {
    let mut sent = Vec::new();
    for attack in ATTACKS {
        let settings =
            Settings { policy: policy.clone(), ..Settings::new(Wire::OpenAiChat, "scripted") };
        let mut conversation = Conversation::new(settings);
        let mut replies = VecDeque::from([
            calls(&[("query", attack), ("describe_tables", "{}")]),
            calls(&[("describe_tables", "{\"table\":\"peple\",\"functions\":\"time\"}")]),
            text("There are 3 e-mails and the salaries go up to 100000, the highest is Anna's."),
            text("There are 7 e-mails."),
            text("There are 8 e-mails."),
            text("Anything else?"),
        ]);
        for question in ["list everybody", "and again?"] {
            let mut queue =
                VecDeque::from([Event::Ask { question: question.into(), tables: people() }]);
            let mut results = 0;
            while let Some(event) = queue.pop_front() {
                for action in conversation.step(event) {
                    match action {
                        Action::Send { request, body, .. } => {
                            sent.push(String::from_utf8(body).expect("UTF-8"));
                            let Some(Reply::Body(body)) = replies.pop_front() else { continue };
                            queue.extend([
                                Event::Approved { request },
                                Event::Status { request, code: 200, retry_after: None },
                                Event::Bytes { request, bytes: body.into_bytes() },
                                Event::End { request },
                            ]);
                        }
                        Action::RunQuery { run, checked, .. } => {
                            results += 1;
                            let result = Ok(secret_outcome(format!("r{results}"), &checked));
                            queue.push_back(Event::ToolDone { run, result });
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(sent.len() >= 4 * ATTACKS.len());
    sent
}

#[test]
fn at_level_schema_no_value_leaves() {
    let policy = Policy::default().with_level(Level::Schema);
    for body in attack(&policy) {
        for secret in SECRETS {
            assert!(!body.contains(secret), "{secret} in {body}");
        }
        for number in NUMBERS {
            assert!(!body.contains(&number.to_string()), "{number} in {body}");
        }
    }
}

#[test]
fn hidden_columns_do_not_leave_at_all() {
    let policy = Policy::default().hide("people", "email").hide("people", "salary");
    for body in attack(&policy) {
        for secret in SECRETS {
            assert!(!body.contains(secret), "{secret} in {body}");
        }
        let without_own_words: Vec<Json> =
            serde_json::from_str::<Json>(&body).expect("JSON")["messages"]
                .as_array()
                .cloned()
                .expect("messages");
        for message in
            without_own_words.iter().filter(|m| m["role"] == "tool" || m["role"] == "system")
        {
            let content = message["content"].as_str().expect("text");
            assert!(!content.contains("email") && !content.contains("salary"), "{content}");
            for number in NUMBERS {
                assert!(!content.contains(&number.to_string()), "{number} in {content}");
            }
        }
    }
}

#[test]
fn a_request_for_rows_gets_a_summary() {
    let sent = attack(&Policy::default());
    // Rows 2 and 3 are neither first nor last, and no extreme: no summary has reason to name them,
    // unless the model asked for all groups of an open column.
    for body in sent.iter().filter(|body| !body.contains("\\\"groups\\\":\\\"all\\\"")) {
        let body: Json = serde_json::from_str(body).expect("JSON");
        for message in body["messages"].as_array().expect("messages") {
            let content = message["content"].as_str().unwrap_or_default();
            for number in &NUMBERS[1..3] {
                assert!(!content.contains(&number.to_string()), "{number} in {content}");
            }
        }
    }
}
