//! Conversations that call the tools: each question of the kind they are for, asked of a scripted
//! model, whose answer is checked against what the tools found.

use super::world::World;
use pinhole::chat::wire::Wire;
use pinhole::chat::{Action, ChatEvent, Conversation, Event, Settings};
use pinhole::disclose::{Cells, Class, Level, Policy};
use pinhole::engine::Execution;
use pinhole::error::Code;
use pinhole::tools::purchases::PurchaseRun;
use pinhole::validate::{Claim, Overall, Verdict};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::rc::Rc;

/// What the model does next.
enum Turn {
    Call(&'static str, Json),
    /// Says something of the whole answers of the tools so far.
    Say(fn(&[Json]) -> String),
}

/// A page with purchases and a model that follows a script.
struct Talk {
    world: World,
    conversation: Conversation,
    script: VecDeque<Turn>,
    sent: Vec<Json>,
    events: Vec<ChatEvent>,
    outputs: Vec<Json>,
    /// The policy in force.
    now: Policy,
    /// The policy from the moment when the next call has run: nobody tells the conversation.
    then: Option<Policy>,
    /// The next call is cancelled as it runs.
    cancel: bool,
}

impl Talk {
    fn new(world: World, policy: &Policy) -> Self {
        let settings = Settings {
            policy: policy.clone(),
            stream: false,
            memory: 2_000,
            purchases: Some(Rc::new(world.settings.clone())),
            ..Settings::new(Wire::OpenAiChat, "scripted")
        };
        Self {
            world,
            conversation: Conversation::new(settings),
            now: policy.clone(),
            script: VecDeque::new(),
            sent: Vec::new(),
            events: Vec::new(),
            outputs: Vec::new(),
            then: None,
            cancel: false,
        }
    }

    fn ask(&mut self, question: &str, script: impl IntoIterator<Item = Turn>) {
        self.script = script.into_iter().collect();
        self.events.clear();
        self.outputs.clear();
        let tables = self.world.engine.tables();
        let mut queue = VecDeque::from([Event::Ask { question: question.to_owned(), tables }]);
        while let Some(event) = queue.pop_front() {
            let cells = || Rc::new(Cells::new());
            for action in self.conversation.step_under(event, &self.now, cells) {
                self.act(action, &mut queue);
            }
        }
        assert!(!self.conversation.is_busy(), "{question}: {:?}", self.events);
    }

    fn act(&mut self, action: Action, queue: &mut VecDeque<Event>) {
        match action {
            Action::Emit(event) => self.events.push(event),
            Action::Finish => {}
            Action::Wait { request, .. } => queue.push_back(Event::Waited { request }),
            Action::RunQuery { run, checked } => {
                let execution = self.world.engine.start(&checked).expect("a query starts");
                let id = execution.id().map(str::to_owned);
                queue.push_back(Event::ToolDone { run, id, result: execution.finish() });
            }
            Action::RunScript { .. } => panic!("there are no scripts"),
            Action::Recompute { run, checked } => {
                let result = self.world.engine.aside(&checked).and_then(Execution::finish).ok();
                queue.push_back(Event::Recomputed { run, result });
            }
            Action::RunCall { run, call } => {
                let started = PurchaseRun::start(*call, &mut self.world.engine);
                let result = started.finish_in(&mut self.world.engine);
                self.outputs.push(result.output.as_deref().cloned().unwrap_or_default());
                if let Some(policy) = self.then.take() {
                    self.now = policy;
                }
                if std::mem::take(&mut self.cancel) {
                    queue.push_back(Event::Cancel);
                }
                queue.push_back(Event::CallDone { run, result: Box::new(result) });
            }
            Action::Send { request, body, .. } => {
                self.sent.push(serde_json::from_slice(&body).expect("a body is JSON"));
                queue.push_back(Event::Approved { request });
                queue.push_back(Event::Status { request, code: 200, retry_after: None });
                let bytes = self.reply().to_string().into_bytes();
                queue.push_back(Event::Bytes { request, bytes });
                queue.push_back(Event::End { request });
            }
        }
    }

    fn reply(&mut self) -> Json {
        let message = match self.script.pop_front().expect("a reply is scripted") {
            Turn::Call(name, arguments) => json!({"content": "", "tool_calls": [
                {"id": "c", "function": {"name": name, "arguments": arguments.to_string()}},
            ]}),
            Turn::Say(words) => json!({"content": words(&self.outputs)}),
        };
        json!({"choices": [{"message": message, "finish_reason": "stop"}]})
    }

    /// What the model was told of the last call, in the last request.
    fn told(&self) -> String {
        let messages = self.sent.last().and_then(|body| body["messages"].as_array());
        let mut tools = messages.into_iter().flatten().filter(|m| m["role"] == "tool");
        let last = tools.next_back().and_then(|m| m["content"].as_str());
        last.unwrap_or_default().to_owned()
    }

    fn blocks(&self) -> Vec<Json> {
        let all = self.events.iter().map(|e| e.to_json(pinhole::error::Locale::En));
        all.filter(|e| e["type"] == "data_block").collect()
    }
}

/// A number of an answer as it is said.
fn n(value: &Json) -> String {
    assert!(value.is_number(), "{value}");
    value.to_string()
}

fn s(value: &Json) -> &str {
    value.as_str().expect("a text")
}

type Question = (&'static str, &'static str, Json, fn(&[Json]) -> String);

/// Question, call, answer: its numbers are those of the whole answer of the tool.
fn questions() -> Vec<Question> {
    vec![
        (
            "Покажи мои чеки за последнюю неделю",
            "get_receipts",
            json!({"date_from": "2024-12-09"}),
            |out| {
                let all = &out[0]["summary"];
                format!(
                    "Чеков за неделю: {}, на сумму {}.",
                    n(&all["total_receipts"]),
                    n(&all["total_amount"])
                )
            },
        ),
        (
            "Какая дата последнего чека?",
            "get_receipts",
            json!({"limit": 1}),
            |out| {
                let last = &out[0]["receipts"][0];
                format!("Последний чек – от {}, на {}.", s(&last["date"]), n(&last["total"]))
            },
        ),
        (
            "Сколько я потратил в декабре?",
            "get_receipts",
            json!({"date_from": "2024-12-01", "date_to": "2024-12-31"}),
            |out| {
                let all = &out[0]["summary"];
                format!(
                    "Чеков: {}, на сумму {}.",
                    n(&all["total_receipts"]),
                    n(&all["total_amount"])
                )
            },
        ),
        (
            "Что я купил в последнем чеке?",
            "get_receipt_items",
            json!({"receipt_id": 636}),
            |out| {
                format!(
                    "Позиций: {}, на сумму {}.",
                    n(&out[0]["total_items"]),
                    n(&out[0]["total_amount"])
                )
            },
        ),
        (
            "How much milk did I buy last month?",
            "get_receipt_items",
            json!({"product_name": "молоко", "date_from": "2024-11-01", "date_to": "2024-11-30",
                   "group_by_item": true}),
            |out| {
                format!(
                    "Items: {}, for {} in all.",
                    n(&out[0]["total_items"]),
                    n(&out[0]["grand_total_amount"])
                )
            },
        ),
        ("Какие категории у меня есть?", "get_products", json!({}), |out| {
            let first = &out[0]["products"][0];
            format!(
                "Категорий верхнего уровня: {}. Первая – {}.",
                n(&out[0]["total_products"]),
                s(&first["name"])
            )
        }),
        (
            "Покажи подкатегории «Молочные продукты»",
            "get_products",
            json!({"parent_id": "p1"}),
            |out| {
                let of = |at: usize| {
                    let entry = &out[0]["products"][at];
                    format!("{} – {}", s(&entry["name"]), n(&entry["items_count"]))
                };
                format!("Товаров: {}, {}.", of(0), of(1))
            },
        ),
        (
            "Найди все товары со словом «сыр»",
            "get_items",
            json!({"search": "сыр"}),
            |out| format!("Таких товаров {}.", n(&out[0]["total_items"])),
        ),
        ("Какие метки у меня есть?", "get_labels", json!({}), |out| {
            format!("Меток {}.", n(&out[0]["total_labels"]))
        }),
        (
            "Что мне нужно купить на этой неделе?",
            "generate_shopping_list",
            json!({}),
            |out| {
                let all = &out[0]["summary"];
                format!(
                    "В списке {} позиций примерно на {}.",
                    n(&all["total_items"]),
                    n(&all["estimated_total"])
                )
            },
        ),
    ]
}

#[test]
fn questions_are_answered_through_the_tools_with_checked_numbers() {
    let mut talk = Talk::new(World::new(), &Policy::default());
    let mut wrong = Vec::new();
    for (question, tool, arguments, answer) in questions() {
        let call = Turn::Call(tool, arguments.clone());
        talk.ask(question, [call].into_iter().chain((0..3).map(|_| Turn::Say(answer))));
        let said = answer(&talk.outputs);
        let Some(ChatEvent::Done { answer, claims, verdict, ended, .. }) = talk.events.last()
        else {
            panic!("{question}: {:?}", talk.events)
        };
        let right = |c: &Claim| matches!(c.verdict, Verdict::Verified | Verdict::Derived);
        // Every number of the answer is a claim; dates, and what stands in names, are none.
        let words = said.split_whitespace().filter(|word| word.matches('-').count() < 2);
        let digits = words.flat_map(|word| word.split(|c: char| !c.is_ascii_digit()));
        let claimed = |digits: &str| claims.iter().any(|c| c.text.contains(digits));
        let all = digits.filter(|d| !d.is_empty()).all(claimed);
        if (answer, *verdict, *ended) != (&said, Overall::Ok, None)
            || claims.is_empty()
            || !claims.iter().all(right)
            || !all
        {
            wrong.push(format!("{question}: {answer}\n{verdict:?} {claims:?}\n{}", talk.told()));
        }
        let blocks = talk.blocks();
        let last = blocks.last().expect("a block");
        assert_eq!((&last["tool"], &last["input"]), (&json!(tool), &arguments));
        assert_eq!(last["output"], talk.outputs[0]);
        assert!(blocks.len() == 1 || blocks[0].get("output").is_none());
        for block in &blocks {
            let id = s(&block["result_id"]);
            assert!(talk.world.engine.result(id).is_some(), "{question}: {id} is kept");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_tools_are_offered_where_their_tables_are() {
    let names = |talk: &Talk| -> Vec<String> {
        let tools = talk.sent.last().expect("a request")["tools"].as_array().expect("tools");
        tools.iter().map(|t| s(&t["function"]["name"]).to_owned()).collect()
    };
    let hello = || [Turn::Say(|_| "Hello.".to_owned())];
    let mut talk = Talk::new(World::new(), &Policy::default());
    talk.ask("hello", hello());
    assert_eq!(names(&talk).len(), 9);
    let prompt = s(&talk.sent[0]["messages"][0]["content"]).to_owned();
    for name in names(&talk) {
        assert!(prompt.contains(&format!("`{name}`")), "{name}");
    }
    let tools = talk.sent[0]["tools"].as_array().expect("tools");
    let receipts = &tools[2]["function"]["parameters"]["properties"];
    assert_eq!(receipts["order_by"]["enum"].as_array().map(Vec::len), Some(4));
    // The page names no day: it is that of the latest receipt, where that may be told.
    assert!(prompt.contains("For these tools today is 2024-12-15."), "{prompt}");
    let closed = Policy::default().with_class("receipts", "receipt_date", Class::Aggregate);
    let mut talk = Talk::new(World::new(), &closed);
    talk.ask("hello", hello());
    let prompt = s(&talk.sent[0]["messages"][0]["content"]);
    assert!(!prompt.contains("For these tools today is"), "{prompt}");
    let mut world = World::new();
    world.settings.reference_date = "2024-11-30".parse().ok();
    let mut talk = Talk::new(world, &Policy::default());
    talk.ask("hello", hello());
    let prompt = s(&talk.sent[0]["messages"][0]["content"]);
    assert!(prompt.contains("For these tools today is 2024-11-30."), "{prompt}");
    let mut bare = World::new();
    bare.engine.drop_table("receipts");
    let mut talk = Talk::new(bare, &Policy::default());
    talk.ask("hello", hello());
    assert_eq!(names(&talk), ["describe_tables", "query", "get_labels"]);
}

/// What the endpoint gets to see does not depend on whether a withheld call failed.
#[test]
fn a_withheld_call_reads_the_same_in_a_conversation_whatever_came_of_it() {
    let csv = include_str!("receipts.csv");
    let mut lines: Vec<&str> = csv.lines().collect();
    let twice = lines[2].replacen("714", "707", 1);
    lines[2] = &twice;
    let broken = lines.join("\n") + "\n";
    let drafts: [fn(&[Json]) -> String; 6] = [
        |_| "You spent {{r3.total_amount}} in {{r3.total_receipts}} receipts.".to_owned(),
        |_| "You spent {{r3.nothing}}, first {{r2.first.total}}, {{r2.rows}} rows.".to_owned(),
        |_| "You spent 12345 in {{r77.total_amount}}.".to_owned(),
        |_| "The sum is {{r3.total_amount - r3.nothing}}.".to_owned(),
        |_| "There are 2 rows in other, and {{r3.total_amount + r1.n}}.".to_owned(),
        |_| "There are 3 rows in other.".to_owned(),
    ];
    let policies = [
        Policy::default().with_level(Level::Schema),
        Policy::default().with_level(Level::Aggregate),
        Policy::default().hide("receipts", "total"),
    ];
    for policy in policies {
        for draft in drafts {
            let bodies = |csv: &str| {
                let mut world = World::new();
                world.load("other", "n\n1\n2\n");
                world.load("receipts", csv);
                let mut talk = Talk::new(world, &policy);
                let count = json!({"table": "other", "select": {"n": "count()"}});
                let again = || (0..3).map(|_| Turn::Say(|_| "I see.".to_owned()));
                let call = Turn::Call("query", count);
                talk.ask("rows of other?", [call].into_iter().chain(again()));
                let script = [Turn::Call("get_receipts", json!({})), Turn::Say(draft)];
                talk.ask("spent?", script.into_iter().chain(again()));
                let failed = talk.events.iter().any(|e| matches!(e, ChatEvent::ToolError { .. }));
                talk.ask("and now?", again());
                (talk.sent, failed)
            };
            let ((full, ended), (failed, broke)) = (bodies(csv), bodies(&broken));
            assert!(!ended && broke);
            assert_eq!(full.len(), failed.len(), "{policy:?}");
            for (a, b) in full.iter().zip(&failed) {
                assert_eq!(a, b, "{policy:?}");
            }
            let last = full.last().expect("a request").to_string();
            assert!(!last.contains("21582"), "{last}");
        }
    }
}

#[test]
fn references_to_the_totals_of_a_withheld_call_are_filled_in() {
    for level in [Level::Schema, Level::Aggregate] {
        let mut talk = Talk::new(World::new(), &Policy::default().with_level(level));
        let all = |_: &[Json]| "You spent {{r2.total_amount}}.".to_owned();
        talk.ask("spent?", [Turn::Call("get_receipts", json!({})), Turn::Say(all)]);
        assert_eq!(
            talk.told(),
            "Result: shown to the user as r1; the policy withholds it from you; its totals are r2: \
             total_receipts, total_amount, average_receipt, period_from, period_to"
        );
        let Some(ChatEvent::Done { answer, .. }) = talk.events.last() else { panic!() };
        assert_eq!(answer, "You spent 21,582.7.");
        for (tool, arguments) in [
            ("get_receipts", json!({"include_summary": false})),
            ("get_receipt_items", json!({})),
            ("get_receipt_items", json!({"group_by_item": true})),
            ("get_products", json!({})),
            ("get_items", json!({})),
            ("get_labels", json!({})),
            ("get_purchase_statistics", json!({})),
            ("generate_shopping_list", json!({})),
        ] {
            let say = |_: &[Json]| "There.".to_owned();
            talk.ask("?", [Turn::Call(tool, arguments.clone()), Turn::Say(say)]);
            let told = talk.told();
            let named = told.split_once("its totals are ");
            let blocks = talk.blocks();
            assert_eq!(named.is_some(), blocks.len() == 2, "{tool}: {told}");
            let Some((_, named)) = named else { continue };
            let id = s(&blocks[0]["result_id"]);
            let found = talk.world.engine.result(id).expect("a result");
            let columns: Vec<&str> = found.columns.iter().map(|c| c.column.name.as_str()).collect();
            assert_eq!(named, format!("{id}: {}", columns.join(", ")), "{tool} {arguments}");
        }
    }
}

#[test]
fn the_policy_of_the_moment_and_a_cancel_hold_for_calls() {
    let mut talk = Talk::new(World::new(), &Policy::default());
    let say = || Turn::Say(|_| "There.".to_owned());
    talk.then = Some(Policy::default().with_level(Level::Schema));
    talk.ask("spent?", [Turn::Call("get_receipts", json!({})), say()]);
    assert!(talk.told().starts_with("Result: shown to the user as r1"), "{}", talk.told());

    let mut talk = Talk::new(World::new(), &Policy::default());
    talk.cancel = true;
    talk.ask("spent?", [Turn::Call("get_receipts", json!({}))]);
    let Some(ChatEvent::Error { code, .. }) = talk.events.last() else { panic!() };
    assert_eq!(*code, Code::Cancelled);
    assert_eq!((talk.sent.len(), talk.blocks().len()), (1, 0));
    talk.ask("again?", [Turn::Call("get_receipts", json!({})), say()]);
    assert!(talk.told().starts_with("Result: 10 of 122 rows"), "{}", talk.told());
}

#[test]
fn a_call_that_fails_openly_is_told_and_mended() {
    let mut talk = Talk::new(World::new(), &Policy::default());
    let wrong = Turn::Call("get_receipts", json!({"date_from": "2024-13-01", "limit": 0}));
    let right = Turn::Call("generate_shopping_list", json!({"include_labels": ["нет такой"]}));
    talk.ask("?", [wrong, right, Turn::Say(|_| "No such label.".to_owned())]);
    let told = talk.told();
    assert!(told.starts_with("Error:\n- /include_labels/0: there is no label"), "{told}");
    let errors = talk.events.iter().filter(|e| matches!(e, ChatEvent::ToolError { .. }));
    assert_eq!((errors.count(), talk.blocks().len()), (2, 0));
}
