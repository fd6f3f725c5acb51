//! A table of secrets and a model that wants them: none occurs in anything that is sent.

use super::*;
use crate::disclose::Level;
use crate::schema::Member;

const SECRETS: [&str; 4] = ["zq-anna-1", "zq-boris-2", "zq-clara-3", "zq-dmitri-4"];
const NUMBERS: [i64; 4] = [918_273, 918_284, 918_295, 918_316];

fn people() -> Vec<Arc<TableSchema>> {
    let email = Column {
        values: Some(SECRETS.iter().map(|s| (*s).to_owned()).collect()),
        ..Column::new("email", Kind::Text)
    };
    // no member of a list is told, whether its column is open or not
    let lists = Column::new("tags", Kind::List(Member::Text));
    let columns =
        vec![email, Column::new("salary", Kind::Int), Column::new("age", Kind::Int), lists];
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
                    Kind::List(_) => Value::List(SECRETS.iter().map(Value::text).collect()),
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

const ATTACKS: [&str; 13] = [
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
    r#"{"table":"people","map":{"x":"tags"},"columns":["tags","x"]}"#,
    r#"{"table":"people","where":"contains(tags, \"zq\")","columns":["tags"],"limit":1}"#,
    r#"{"table":"people","where":"tags == 5","select":"first(tags)"}"#,
];

/// A page that approves everything: what was sent, and what it was told.
struct Page {
    conversation: Conversation,
    /// Bodies of replies; `None` where the endpoint is busy.
    replies: VecDeque<Option<String>>,
    sent: Vec<String>,
    /// Failures of tools that the person heard of.
    problems: usize,
    results: usize,
    /// Queries fail as they run.
    fails: bool,
    /// The query of this number alone fails.
    failing: usize,
}

impl Page {
    fn new(settings: &Settings, replies: impl IntoIterator<Item = Option<String>>) -> Self {
        Self {
            conversation: Conversation::new(settings.clone()),
            replies: replies.into_iter().collect(),
            sent: Vec::new(),
            problems: 0,
            results: 0,
            fails: false,
            failing: 0,
        }
    }

    fn ask(&mut self, question: &str) {
        let mut queue =
            VecDeque::from([Event::Ask { question: question.into(), tables: people() }]);
        while let Some(event) = queue.pop_front() {
            for action in self.conversation.step(event) {
                match action {
                    Action::Send { request, body, .. } => {
                        self.sent.push(String::from_utf8(body).expect("UTF-8"));
                        queue.push_back(Event::Approved { request });
                        let reply = self.replies.pop_front().expect("a reply is scripted");
                        let code = if reply.is_some() { 200 } else { 503 };
                        queue.push_back(Event::Status { request, code, retry_after: None });
                        let bytes = reply.unwrap_or_default().into_bytes();
                        queue.push_back(Event::Bytes { request, bytes });
                        queue.push_back(Event::End { request });
                    }
                    Action::RunQuery { run, checked, .. } => {
                        self.results += 1;
                        let id = format!("r{}", self.results);
                        let result = if self.fails || self.failing == self.results {
                            Err(Error::Internal("overflow at 918273".into()))
                        } else {
                            Ok(secret_outcome(id.clone(), &checked))
                        };
                        queue.push_back(Event::ToolDone { run, id: Some(id), result });
                    }
                    Action::Recompute { run, checked } => {
                        let result = (!self.fails).then(|| secret_outcome(String::new(), &checked));
                        queue.push_back(Event::Recomputed { run, result });
                    }
                    Action::RunCall { .. } | Action::RunScript { .. } => {
                        panic!("there are no such tools")
                    }
                    Action::Wait { request, .. } => queue.push_back(Event::Waited { request }),
                    Action::Emit(ChatEvent::ToolError { .. }) => self.problems += 1,
                    Action::Emit(_) | Action::Finish => {}
                }
            }
        }
    }
}

/// Runs every attack over `wire`, with a final answer that guesses at what it was not told, a request
/// that is sent again and a conversation that is kept and opened again, and gives all that was sent.
fn attack(policy: &Policy, wire: Wire) -> Vec<String> {
    let mut sent = Vec::new();
    for attack in ATTACKS {
        // Earlier turns are sent in full, so that their results are tried too.
        let settings =
            Settings { policy: policy.clone(), memory: 5_000, ..Settings::new(wire, "scripted") };
        let say = |words: &str| Some(whole(wire, words, &[]));
        let peek = "{\"table\":\"peple\",\"functions\":\"time\"}";
        let mut page = Page::new(
            &settings,
            [
                Some(whole(wire, "", &[("query", attack), ("describe_tables", "{}")])),
                // The endpoint is busy: the request is sent again.
                None,
                Some(whole(wire, "", &[("describe_tables", peek)])),
                say("There are 3 e-mails and the salaries go up to 100000, the highest is Anna's."),
                say("There are 7 e-mails."),
                say("There are 8 e-mails."),
                say("Anything else?"),
                say("Anything else?"),
            ],
        );
        page.ask("list everybody");
        page.ask("and again?");
        let record = page.conversation.record("https://model.test").expect("it is idle");
        page.conversation = Conversation::reopen(settings, &record, "https://model.test");
        sent.push(record.to_json());
        page.ask("and now?");
        sent.append(&mut page.sent);
    }
    assert!(sent.len() >= 5 * ATTACKS.len());
    sent
}

/// What a request tells of tables and results: the system prompt and what tools answered.
fn told(wire: Wire, body: &str) -> Vec<String> {
    let body: Json = serde_json::from_str(body).expect("JSON");
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let list = |field: &str| body[field].as_array().cloned().unwrap_or_default();
    match wire {
        Wire::OpenAiChat => list("messages")
            .iter()
            .filter(|m| m["role"] == "tool" || m["role"] == "system")
            .filter_map(|m| text(&m["content"]))
            .collect(),
        Wire::OpenAiResponses => {
            let outputs = list("input").into_iter().filter_map(|item| text(&item["output"]));
            outputs.chain(text(&body["instructions"])).collect()
        }
        Wire::Anthropic => {
            let blocks = list("messages")
                .into_iter()
                .flat_map(|message| message["content"].as_array().cloned().unwrap_or_default());
            let results = blocks.filter(|block| block["type"] == "tool_result");
            results.filter_map(|b| text(&b["content"])).chain(text(&body["system"])).collect()
        }
    }
}

#[test]
fn at_level_schema_no_value_leaves() {
    let policy = Policy::default().with_level(Level::Schema);
    for body in Wire::ALL.iter().flat_map(|wire| attack(&policy, *wire)) {
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
    for wire in Wire::ALL {
        let mut pieces = 0;
        for body in attack(&policy, *wire) {
            for secret in SECRETS {
                assert!(!body.contains(secret), "{secret} in {body}");
            }
            for content in told(*wire, &body) {
                pieces += 1;
                assert!(!content.contains("email") && !content.contains("salary"), "{content}");
                for number in NUMBERS {
                    assert!(!content.contains(&number.to_string()), "{number} in {content}");
                }
            }
        }
        assert!(pieces > 8 * ATTACKS.len(), "{pieces} pieces by {}", wire.name());
    }
}

#[test]
fn a_request_for_rows_gets_a_summary() {
    for wire in Wire::ALL {
        let sent = attack(&Policy::default(), *wire);
        // Rows 2 and 3 are neither first nor last, and no extreme: no summary has reason to name
        // them, unless the model asked for all groups of an open column.
        for body in sent.iter().filter(|body| {
            !body.contains("groups\\\":\\\"all\\\"") && !body.contains("\"groups\":\"all\"")
        }) {
            for content in told(*wire, body) {
                for number in &NUMBERS[1..3] {
                    assert!(!content.contains(&number.to_string()), "{number} in {content}");
                }
            }
        }
    }
}

/// Whether a query fails may depend on a hidden cell: the requests are the same either way, the
/// model is not told to repair anything, and a call that fails again ends nothing.
#[test]
fn a_failure_of_a_withheld_query_reads_as_withheld() {
    let hidden = Policy::default().hide("people", "salary");
    for policy in [
        hidden.clone(),
        hidden.with_level(Level::Aggregate),
        Policy::default().with_level(Level::Schema),
    ] {
        for wire in Wire::ALL {
            let [fails, ends] = [true, false].map(|fails| {
                let settings =
                    Settings { policy: policy.clone(), ..Settings::new(*wire, "scripted") };
                let call = [("query", r#"{"table":"people","select":{"x":"sum(salary * 2)"}}"#)];
                let mut replies = vec![Some(whole(*wire, "", &call)); 3];
                replies.extend(vec![Some(whole(*wire, "I see.", &[])); 4]);
                let mut page = Page { fails, ..Page::new(&settings, replies) };
                page.ask("what?");
                // The person hears of each failure.
                assert_eq!(page.problems, if fails { 3 } else { 0 });
                page.sent
            });
            assert_eq!(fails, ends, "{}", wire.name());
            assert_eq!(fails.len(), 4);
        }
    }
}

/// That a withheld query failed shows in no later verdict: not in that on the numbers of the question
/// before, nor in that on references to its result, nor a question later.
#[test]
fn a_failure_shows_in_no_later_verdict() {
    let hidden = Policy::default().hide("people", "salary");
    let drafts = [
        "There are 918273.",
        "There are {{r2}}.",
        "There are {{r2.rows}}.",
        "There are {{r2.nope}}.",
        "There are {{r3}}.",
        "There are {{r1}}.",
    ];
    for policy in [
        hidden.clone(),
        hidden.with_level(Level::Aggregate),
        Policy::default().with_level(Level::Schema),
    ] {
        for draft in drafts {
            let [fails, ends] = [true, false].map(|fails| {
                let wire = Wire::OpenAiChat;
                let settings = Settings { policy: policy.clone(), ..Settings::new(wire, "m") };
                let say = |words: &str| Some(whole(wire, words, &[]));
                let query = |query: &str| Some(whole(wire, "", &[("query", query)]));
                let open = r#"{"table":"people","select":"count()"}"#;
                let closed = r#"{"table":"people","select":{"x":"sum(salary * 2)"}}"#;
                let replies = [query(open), say("I see."), query(closed)];
                let rest = [say(draft), say("I see."), say(draft), say("I see."), say("I see.")];
                let mut page = Page::new(&settings, replies.into_iter().chain(rest));
                page.ask("how many?");
                page.fails = fails;
                page.ask("and the sum?");
                page.replies.truncate(2);
                page.replies.push_back(say("I see."));
                page.replies.push_back(say("I see."));
                page.ask("and now?");
                assert_eq!(page.problems, usize::from(fails));
                page.sent
            });
            assert_eq!(fails.len(), ends.len(), "{draft} {:?}", policy.level());
            assert!(fails == ends, "{draft} {:?}", policy.level());
        }
    }
}

/// A reference that names nothing is answered with some that do: in their order, whichever failed.
#[test]
fn the_references_offered_do_not_tell_which_query_failed() {
    let policy = Policy::default().hide("people", "salary");
    for draft in ["There are {{r9}}.", "There are {{r9.nope}}.", "There are {{.}}."] {
        let sent = [0, 1, 2].map(|failing| {
            let wire = Wire::OpenAiChat;
            let settings = Settings { policy: policy.clone(), ..Settings::new(wire, "m") };
            let say = |words: &str| Some(whole(wire, words, &[]));
            let closed = r#"{"table":"people","select":{"x":"sum(salary * 2)"}}"#;
            let query = || Some(whole(wire, "", &[("query", closed)]));
            let mut page = Page::new(&settings, [query(), query(), say(draft), say("I see.")]);
            page.failing = failing;
            page.ask("what?");
            assert_eq!(page.problems, usize::from(failing > 0));
            page.sent
        });
        assert_eq!(sent[0].len(), 4, "{draft}");
        assert!(sent[0] == sent[1] && sent[0] == sent[2], "{draft}");
    }
}
