//! Scripts of models within a conversation: offered where the page lets them, and as silent about what
//! is protected.

use super::scripts::{End, SCRIPT, endings, run_call, sales};
use super::world::World;
use pinhole::chat::wire::Wire;
use pinhole::chat::{Action, ChatEvent, Conversation, Event, Settings};
use pinhole::disclose::{Cells, Policy};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::rc::Rc;

/// A conversation over a world, with a model that is scripted.
struct Talk {
    world: World,
    conversation: Conversation,
    /// What each script does.
    asks: Vec<Json>,
    end: End,
    /// The policy in force.
    now: Policy,
    /// The policy of the world comes in force only as what came of a script waits to be sent.
    late: bool,
    ran: bool,
    sent: Vec<Json>,
    events: Vec<ChatEvent>,
}

impl Talk {
    fn new(policy: &Json, scripts: bool, asks: &[Json], end: End) -> Self {
        Self::over(World::new(policy), Policy::default(), scripts, asks, end)
    }

    /// One that begins under a policy of its own; that of the world comes in force as a script runs,
    /// and as in a page nobody tells the conversation.
    fn over(world: World, policy: Policy, scripts: bool, asks: &[Json], end: End) -> Self {
        let now = policy.clone();
        let settings =
            Settings { policy, scripts, stream: false, ..Settings::new(Wire::OpenAiChat, "m") };
        let conversation = Conversation::new(settings);
        let (asks, sent, events) = (asks.to_vec(), Vec::new(), Vec::new());
        Self { world, conversation, asks, end, now, late: false, ran: false, sent, events }
    }

    fn ask(&mut self, question: &str, replies: &[Json]) {
        let mut replies: VecDeque<&Json> = replies.iter().collect();
        let tables = self.world.engine.borrow().tables();
        let mut queue = VecDeque::from([Event::Ask { question: question.to_owned(), tables }]);
        while let Some(event) = queue.pop_front() {
            let cells = || Rc::new(Cells::new());
            let mut actions = VecDeque::from(self.conversation.step_under(event, &self.now, cells));
            while let Some(action) = actions.pop_front() {
                match action {
                    Action::Emit(event) => self.events.push(event),
                    Action::RunScript { run, call } => {
                        self.ran = true;
                        if !self.late {
                            self.now = self.world.policy.clone();
                        }
                        let (result, _) = run_call(&self.world, call, &self.asks, &self.end);
                        queue.push_back(Event::CallDone { run, result: Box::new(result) });
                    }
                    Action::Send { request, body, .. } => {
                        if self.ran {
                            self.now = self.world.policy.clone();
                        }
                        if self.now.hash() != self.conversation.policy().hash() {
                            let now = Event::Policy(self.now.clone());
                            actions.extend(self.conversation.step(now));
                            continue;
                        }
                        self.sent.push(serde_json::from_slice(&body).unwrap());
                        queue.push_back(Event::Approved { request });
                        queue.push_back(Event::Status { request, code: 200, retry_after: None });
                        let bytes = replies.pop_front().unwrap().to_string().into_bytes();
                        queue.push_back(Event::Bytes { request, bytes });
                        queue.push_back(Event::End { request });
                    }
                    Action::Finish => {}
                    other => panic!("{other:?}"),
                }
            }
        }
    }

    fn answer(&self) -> (&str, bool) {
        let done = self.events.iter().rev().find_map(|event| match event {
            ChatEvent::Done { answer, verdict, .. } => Some((answer, verdict)),
            _ => None,
        });
        let (answer, verdict) = done.unwrap_or_else(|| panic!("{:?}", self.events));
        (answer, *verdict == pinhole::validate::Overall::Ok)
    }
}

fn said(text: &str) -> Json {
    json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
}

fn called() -> Json {
    let arguments = json!({"script": SCRIPT, "title": "Shares by shop"}).to_string();
    let call = json!({"id": "c1", "function": {"name": "run_script", "arguments": arguments}});
    json!({"choices": [{"message": {"content": "", "tool_calls": [call]}, "finish_reason": "tool_calls"}]})
}

#[test]
fn a_conversation_goes_on_to_a_script_where_the_page_lets_it() {
    let gave = json!([{"shop": "Kuper", "share": 0.25}, {"shop": "Sever", "share": 0.75}]);
    let mut talk = Talk::new(&json!({}), true, &[sales()], End::Gave(gave.clone()));
    talk.ask("each shop's share?", &[called(), said("The largest share is 0.75 (Sever).")]);
    assert_eq!(talk.answer(), ("The largest share is 0.75 (Sever).", true));
    let first = talk.sent[0].to_string();
    assert!(first.contains("# Scripts") && first.contains("\"run_script\""));
    let block = talk.events.iter().find_map(|event| match event {
        ChatEvent::DataBlock { tool, input, result_id, rows, .. } => {
            Some((tool.as_str(), &input["script"], result_id.as_str(), *rows))
        }
        _ => None,
    });
    assert_eq!(block, Some(("run_script", &json!(SCRIPT), "r1", 2)));
    // A wrong number is found in what a script gave as in any result.
    let mut talk = Talk::new(&json!({}), true, &[sales()], End::Gave(gave));
    let wrong = said("The largest share is 0.9.");
    talk.ask("each shop's share?", &[called(), wrong.clone(), wrong.clone(), wrong]);
    assert!(!talk.answer().1);
    // Where something is protected it is not offered, and a call of it runs nothing.
    let world = World::new(&json!({"columns": {"people.salary": "hidden"}}));
    let policy = world.policy.clone();
    let mut talk = Talk::over(world, policy, true, &[sales()], End::Refused);
    talk.ask("each shop's share?", &[called(), said("I cannot.")]);
    let first = talk.sent[0].to_string();
    assert!(!first.contains("# Scripts") && !first.contains("run_script"), "{first}");
    assert!(talk.sent[1].to_string().contains("scripts run only where the policy protects no"));
    // Where the page has not allowed it, nothing of it is sent, and a call of it is none.
    let mut talk = Talk::new(&json!({}), false, &[sales()], End::Refused);
    talk.ask("each shop's share?", &[called(), said("I cannot.")]);
    let sent = talk.sent[0].to_string();
    assert!(!sent.contains("# Scripts") && !sent.contains("run_script"), "{sent}");
    assert!(talk.sent[1].to_string().contains("there is no tool `run_script`"));
}

#[test]
fn a_conversation_tells_nothing_of_what_a_script_made_of_protected_cells() {
    let policy = json!({"columns": {"people.salary": "hidden", "people.diary": "hidden"}});
    let asks = [json!({"table": "people", "columns": ["salary"]})];
    let drafts = [
        "The value is 1.",
        "The value is {{r1.value}}.",
        "The value is {{r1[who=zqann].zqbob}} and {{r1.rows}}.",
        "It is in the table.",
    ];
    let late = drafts.map(|draft| (draft, true));
    for (draft, late) in drafts.map(|draft| (draft, false)).into_iter().chain(late) {
        let mut first: Option<Vec<Json>> = None;
        for end in endings() {
            let mut talk = Talk { late, ..Talk::new(&policy, true, &asks, end) };
            talk.ask("what is it?", &[called(), said(draft), said("I see."), said("I see.")]);
            talk.ask("and now?", &[said("I see."), said("I see."), said("I see.")]);
            // The first was sent before anything was protected.
            for body in talk.sent.iter().skip(1) {
                let own = body.to_string().replace(draft, "");
                assert!(!own.contains("zqann") && !own.contains("zqbob"), "{own}");
            }
            match &first {
                Some(first) => assert_eq!(first, &talk.sent, "{draft} {late}"),
                None => first = Some(talk.sent),
            }
        }
    }
}
