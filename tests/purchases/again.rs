//! Calls that answered a question before, made again: what they give, and what is said of it.

use super::sections;
use super::world::World;
use pinhole::chat::answer_of_call;
use pinhole::engine::Step;
use pinhole::error::{Code, Locale};
use pinhole::facts::Outcome;
use pinhole::planner::bought;
use pinhole::recall::{Later, referring, retold};
use pinhole::tools::ToolResult;
use pinhole::tools::purchases::{KeptCall, PurchaseRun, today};
use pinhole::validate::{Marked, Verdict};
use serde_json::{Value as Json, json};

fn kept(tool: &str, arguments: &Json) -> KeptCall {
    let text = json!({"tool": tool, "arguments": arguments}).to_string();
    let call = KeptCall::read(&text).expect("a call");
    assert_eq!(KeptCall::read(&call.write()).as_ref(), Ok(&call));
    call
}

/// Makes a kept call over the tables as they are.
fn again(world: &mut World, call: &KeptCall) -> ToolResult {
    world.offered();
    let prepared = call.prepare(&world.context(None)).expect("it fits");
    PurchaseRun::start(*prepared, &mut world.engine).finish_in(&mut world.engine)
}

/// The list and the totals of a call.
fn found(result: &ToolResult) -> Vec<&Outcome> {
    result.found().iter().map(|(outcome, _)| outcome.as_ref()).collect()
}

/// The answer by template. Each of its claims is a cell of a result, or a count of its rows.
fn told(world: &World, call: &KeptCall, question: &str, result: &ToolResult) -> String {
    let found = found(result);
    let (list, totals) = (found[0], found.get(1).copied());
    let today = today(&world.context(None));
    let Marked { text, claims } =
        answer_of_call(call, question, today, (list, totals), None, Locale::En);
    for claim in claims {
        assert_eq!(claim.verdict, Verdict::Verified, "{text}");
        assert_eq!(&text[claim.span.start..claim.span.end], claim.text);
        let fact = claim.fact.expect("a fact");
        let of = found.iter().find(|outcome| outcome.id == fact.result).expect("a result");
        if let Some(row) = fact.row {
            let column = of.column(&fact.column).expect("a column");
            assert_eq!(of.value(row, column), fact.value, "{text}");
        }
    }
    text
}

#[test]
fn a_call_gives_again_what_it_gave_and_a_template_tells_it() {
    let mut world = World::new();
    for (number, (heading, _)) in sections(include_str!("cases.txt")).enumerate() {
        let (call, today) = match heading.rsplit_once("} on ") {
            Some((call, today)) => (format!("{call}}}"), Some(today)),
            None => (heading.to_owned(), None),
        };
        let (tool, arguments) = call.split_once(' ').unwrap();
        world.settings.reference_date = today.map(|day| day.parse().expect("a date"));
        let call = kept(tool, &serde_json::from_str(arguments).unwrap());
        let second = again(&mut world, &call);
        assert!(second.ok, "{heading}: {:?}", second.error);
        if number % 5 == 0 {
            assert_eq!(second.output, world.call(tool, arguments).output, "{heading}");
        }
        let text = told(&world, &call, "what is it?", &second);
        let (read, answer) = text.split_once("\n\n").expect("how it was read");
        assert!(read.starts_with("Understood as: ") && !answer.is_empty(), "{heading}: {text}");
        // A template speaks of no column that is not there.
        let empty = found(&second).iter().any(|outcome| {
            (0..outcome.rows.len())
                .any(|row| (0..outcome.columns.len()).any(|at| outcome.value(row, at).is_null()))
        });
        assert!(empty || !answer.contains("unknown"), "{heading}: {answer}");
        for (name, value) in call.arguments {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            assert!(read.contains(&format!("{name}: {value}")), "{heading}: {read}");
        }
    }
}

#[test]
fn what_the_planner_reads_alike_is_told_in_its_words() {
    let mut world = World::new();
    let question = "how much did I spend in November?";
    let day = today(&world.context(None)).expect("a day");
    let planned = bought::call(question, day, Some(Locale::En), &[]).expect("a call");
    let call = kept(planned.tool, &planned.arguments);
    assert!(call.counts_days());
    let result = again(&mut world, &call);
    let text = told(&world, &call, question, &result);
    assert!(
        text.starts_with("Understood as: sum of the receipts, 2024-11-01 to 2024-11-30\n\nSpent: ")
    );
    // The same call, asked for otherwise.
    let text = told(&world, &call, "the sums?", &result);
    assert!(text.starts_with(
        "Understood as: receipts (date_from: 2024-11-01, date_to: 2024-11-30)\n\nReceipts: "
    ));
}

#[test]
fn words_take_the_totals_of_now() {
    let mut world = World::new();
    let (question, locale) = ("how much did I spend?", Locale::En);
    let call = kept("get_receipts", &json!({"limit": 2}));
    let answer = "There are 122 receipts. The total is 21,582.7.";
    let before = again(&mut world, &call);
    let words = referring(answer, question, &found(&before), locale, Later::Any).expect("words");
    assert!(!words.contains("122") && !words.contains("21,582"), "{words}");
    let told = |result: &ToolResult| {
        let told = retold(&words, question, &found(result), locale, Later::Any)?;
        let facts = told.claims.iter().filter_map(|claim| claim.fact.as_ref());
        let ids: Vec<&str> = found(result).iter().map(|outcome| outcome.id.as_str()).collect();
        assert!(facts.map(|fact| fact.result.as_str()).all(|id| ids.contains(&id)), "{told:?}");
        Some(told.text)
    };
    assert_eq!(told(&before).as_deref(), Some(answer));
    let more = format!("{}9001,Kuper,2024-12-14,17.3,N-more\n", include_str!("receipts.csv"));
    world.load("receipts", &more);
    let now = told(&again(&mut world, &call));
    assert_eq!(now.as_deref(), Some("There are 123 receipts. The total is 21,600.0."));
    // A name that stands in a sentence with the totals alone: whose it is later, nobody knows.
    let named = "Kuper has 122 receipts. The total is 21,582.7.";
    assert_eq!(referring(named, question, &found(&before), locale, Later::Any), None);
    // A total that is not there any more.
    let without = again(&mut world, &kept("get_receipts", &json!({"include_summary": false})));
    assert_eq!(told(&without), None);
}

#[test]
fn a_call_that_fits_no_more_says_what_is_missing() {
    let mut world = World::new();
    let call = kept("get_receipts", &json!({}));
    world.engine.drop_table("receipt_items");
    world.offered();
    let problems = call.prepare(&world.context(None)).expect_err("a table is missing");
    assert!(problems.iter().all(|problem| problem.code == Code::UnknownTable), "{problems:?}");
    let wrong = kept("get_receipts", &json!({"date_from": "yesterday"}));
    let problems = wrong.prepare(&world.context(None)).expect_err("no date");
    assert!(problems.iter().any(|problem| problem.code == Code::BadDate), "{problems:?}");
}

/// Receipts, with so many more.
fn receipts(times: usize) -> String {
    let more = (0..times).map(|n| format!("{},Kuper,2024-12-14,17.3,N-more\n", 9001 + n));
    format!("{}{}", include_str!("receipts.csv"), more.collect::<Vec<_>>().concat())
}

#[test]
fn a_list_and_its_totals_are_of_one_state_of_the_tables() {
    let call = kept("get_receipts", &json!({"limit": 500}));
    let start = |world: &mut World| {
        world.offered();
        let prepared = call.prepare(&world.context(None)).expect("it fits");
        PurchaseRun::start(*prepared, &mut world.engine)
    };
    let mut after = World::new();
    after.load("receipts", &receipts(1));
    let expected = start(&mut after).finish_in(&mut after.engine).output.expect("an answer");
    let mut steps = 0;
    loop {
        // A receipt comes after so many steps of the call.
        let mut world = World::new();
        let mut run = start(&mut world);
        let done = (0..steps).any(|_| matches!(run.step(&mut world.engine), Step::Done(_)));
        if done {
            break;
        }
        world.load("receipts", &receipts(1));
        let result = run.finish_in(&mut world.engine);
        assert_eq!(result.output.as_deref(), Some(&*expected), "after {steps} steps");
        steps += 1;
    }
    assert!(steps > 3, "{steps}");
    // Where they change all the time, nothing is told of any state.
    let mut world = World::new();
    let mut run = start(&mut world);
    let result = (1..).find_map(|times| {
        world.load("receipts", &receipts(times % 2));
        match run.step(&mut world.engine) {
            Step::Done(result) => Some(result),
            Step::Working { .. } => None,
        }
    });
    let result = result.expect("an end");
    let codes: Vec<Code> = result.error.iter().map(|problem| problem.code).collect();
    assert_eq!((result.ok, codes.as_slice()), (false, &[Code::TablesChanged][..]));
    // Another table is none of its business.
    let mut world = World::new();
    let mut run = start(&mut world);
    let result = (0..).find_map(|_| {
        world.load("labels", "id,name\n1,more\n");
        match run.step(&mut world.engine) {
            Step::Done(result) => Some(result),
            Step::Working { .. } => None,
        }
    });
    assert!(result.expect("an end").ok);
}
