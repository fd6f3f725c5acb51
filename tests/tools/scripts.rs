//! Scripts of models: they run where the policy protects nothing. Where it is tightened as they run,
//! what is told of them depends on what they have read, and where that is protected on nothing else.

use super::world::World;
use pinhole::disclose::Policy;
use pinhole::error::{Code, Locale};
use pinhole::tools::{
    Context, Fault, Prepared, Refused, ScriptCall, ScriptRun, ToolResult, definitions, prepare,
};
use serde_json::{Value as Json, json};

/// How a script ends.
#[derive(Clone)]
pub enum End {
    /// It returned a list of objects.
    Gave(Json),
    /// It came to nothing: a code, a line of it, what it said.
    Failed(&'static str, usize, &'static str),
    /// It did not go on without what it asked last.
    Refused,
}

pub const SCRIPT: &str = "async function execute() {\n  return db.query({ table: 'sales' });\n}";

/// What a script does, in place of a sandbox: it asks queries (objects) and statements (lists). It
/// asked as nothing was protected; the policy of the world came in force then.
pub fn run(world: &World, asks: &[Json], end: &End) -> (ToolResult, Vec<Refused>) {
    let open = Policy::default();
    let prepared = world.with(|context| {
        let context = Context { policy: &open, ..*context };
        prepare("run_script", &json!({"script": SCRIPT}).to_string(), &context)
    });
    let call = match prepared {
        Prepared::Script(call) => call,
        other => panic!("{other:?}"),
    };
    let (result, refused) = run_call(world, call, asks, end);
    world.with(|context| world.handed.borrow_mut().note(&result, &context.gate()));
    (result, refused)
}

pub fn run_call(
    world: &World,
    call: ScriptCall,
    asks: &[Json],
    end: &End,
) -> (ToolResult, Vec<Refused>) {
    let open = Policy::default();
    let started = ScriptRun::start(call, &open, &mut world.engine.borrow_mut());
    let mut run = started.unwrap_or_else(|refused| panic!("{refused:?}"));
    let mut refused = Vec::new();
    for asked in asks {
        let checked = world.with(|context| {
            let context = Context { policy: &open, ..*context };
            run.ask(asked.is_array(), asked, &context)
        });
        let checked = match checked {
            Ok(checked) => checked,
            Err(why) => {
                refused.push(why);
                continue;
            }
        };
        let execution = world.engine.borrow_mut().start_for_script(&checked);
        if let Err(error) = execution.and_then(pinhole::engine::Execution::finish) {
            refused.push(world.with(|context| {
                let context = Context { policy: &open, ..*context };
                run.refuse(error, &context)
            }));
        }
    }
    if matches!(end, End::Refused) && refused.is_empty() {
        refused.extend(world.with(|context| run.goes_on(context)).err());
    }
    let ended = match end {
        End::Gave(rows) => {
            let bytes = if rows.as_array().is_some_and(Vec::is_empty) {
                Vec::new()
            } else {
                rows.to_string().into_bytes()
            };
            let execution = world.engine.borrow_mut().start_rows(&bytes);
            let rows = execution.and_then(pinhole::engine::Execution::finish);
            rows.map_err(|error| Fault::of_rows(error, world.locale))
        }
        End::Failed(code, line, said) => Err(Fault {
            line: Some(*line),
            column: Some(3),
            said: Some((*said).to_owned()),
            ..Fault::named(code)
        }),
        End::Refused => Err(Fault {
            refused: refused.last().map(|refused| refused.number),
            ..Fault::named("script_threw")
        }),
    };
    let result = run.finish(ended, &mut world.engine.borrow_mut());
    (result, refused)
}

pub fn sales() -> Json {
    json!({"table": "sales", "columns": ["shop", "amount"]})
}

pub fn endings() -> Vec<End> {
    vec![
        End::Gave(json!([{"who": "zqann", "zqbob": 1}, {"who": null, "zqbob": 2.5}])),
        End::Gave(json!([{"value": 1}])),
        End::Gave(json!([])),
        End::Failed("script_threw", 2, "zqann earns 1000"),
        End::Failed("script_time", 1, "zqann"),
        End::Failed("script_rows", 2, "zqann"),
        End::Failed("clarify", 1, "zqann or zqbob?"),
        End::Refused,
    ]
}

#[test]
fn a_script_over_open_columns_is_told_as_a_query_is() {
    let world = World::new(&json!({}));
    let gave = json!([{"shop": "Kuper", "share": 0.25}, {"shop": "Sever", "share": 0.75}]);
    // It asks as often as it likes: the next id is the next one.
    let (result, _) =
        run(&world, &[sales(), sales(), json!(["SELECT 1 AS a", []])], &End::Gave(gave));
    assert!(result.ok && result.error.is_empty());
    assert_eq!((result.result_id.as_deref(), result.rows), (Some("r1"), Some(2)));
    let (told, failed) = world.heard(&result);
    assert!(!failed);
    assert!(told.starts_with("Result: 2 rows"), "{told}");
    assert!(told.contains("share: min=0.25, max=0.75, mean=0.5"), "{told}");
    assert!(told.contains("first: shop=Kuper, share=0.25"), "{told}");
    let row = json!({"result": "r1", "row": {"shop": "Sever"}, "stats": {"share": 0.75}});
    assert_eq!(world.told("check_stats", &row), "Checked against r1: 1 right, 0 wrong");
    assert_eq!(
        world.told("source_rows", &json!({"result": "r1"})),
        "Rows behind r1: 2; the user can open them"
    );
    let next = world.call("query", &json!({"table": "sales", "select": "count()"}));
    assert_eq!(next.result_id.as_deref(), Some("r2"));
    // The names of what it read stand on the ledger, never those that it gave.
    let outcome = result.outcome().unwrap();
    assert_eq!(outcome.query.canonical(), &json!({ "script": SCRIPT }));
    world.with(|context| {
        let piece = result.content(context);
        let columns: Vec<&str> = piece.provenance().columns().iter().map(String::as_str).collect();
        assert_eq!(columns, ["sales.amount", "sales.day", "sales.shop"]);
        assert_eq!(context.gate().canonical(&outcome.query).as_str(), "");
    });
}

#[test]
fn no_row_is_a_result_too() {
    let world = World::new(&json!({}));
    let (result, _) = run(&world, &[sales()], &End::Gave(json!([])));
    assert_eq!((result.ok, result.rows), (true, Some(0)), "{:?}", result.error);
    assert!(world.heard(&result).0.starts_with("Result: 0 rows"), "{}", world.heard(&result).0);
}

#[test]
fn rows_of_a_script_that_asked_nothing_are_no_result() {
    let world = World::new(&json!({}));
    for gave in [json!([{"shop": "Kuper", "share": 0.25}]), json!([])] {
        let (result, _) = run(&world, &[], &End::Gave(gave));
        assert_eq!((result.ok, result.error[0].code), (false, Code::ScriptNoResult));
        assert!(result.outcome().is_none() && result.summary.is_none());
        let (told, failed) = world.heard(&result);
        assert!(failed && told.contains("asked nothing of the data"), "{told}");
    }
    // What it was refused is none of the data, and was heard of all the same.
    let wrong = || json!({"table": "sales", "where": "amuont > 5"});
    let (result, refused) = run(&world, &[wrong()], &End::Gave(json!([{"value": 1}])));
    assert_eq!((refused.len(), result.error[0].code), (1, Code::ScriptNoResult));
    // Later results have the ids that they would have.
    let next = world.call("query", &json!({"table": "sales", "select": "count()"}));
    assert_eq!(next.result_id.as_deref(), Some("r4"));
}

#[test]
fn scripts_run_only_where_nothing_is_protected() {
    for (policy, runs) in [
        (json!({}), true),
        (json!({"level": "preview"}), true),
        (json!({"level": "aggregate"}), false),
        (json!({"level": "schema"}), false),
        (json!({"columns": {"people.salary": "hidden"}}), false),
        (json!({"columns": {"people.salary": "aggregate"}}), false),
        // Of a table that is not there.
        (json!({"columns": {"nowhere.salary": "hidden"}}), false),
    ] {
        let world = World::new(&policy);
        let listed = world.with(|c| definitions(c).iter().any(|tool| tool.name == "run_script"));
        assert_eq!(listed, runs, "{policy}");
        let mut heard = Vec::new();
        for arguments in ["{}", "5", r#"{"script": "async function execute() {}"}"#] {
            match world.with(|context| prepare("run_script", arguments, context)) {
                Prepared::Script(call) => {
                    assert!(runs, "{policy}");
                    let mut engine = world.engine.borrow_mut();
                    assert!(ScriptRun::start(call, &world.policy, &mut engine).is_ok());
                }
                Prepared::Done(refused) => heard.push(world.heard(&refused)),
                other => panic!("{other:?}"),
            }
        }
        if runs {
            continue;
        }
        // Nothing but the policy decides what is said.
        heard.dedup();
        let [(told, true)] = heard.as_slice() else { panic!("{heard:?}") };
        assert!(told.starts_with("Error:\n- scripts run only where the policy"), "{told}");
        // It was tightened after the call was prepared: nothing runs, and no id is taken.
        let call = ScriptCall { script: SCRIPT.to_owned() };
        let started = ScriptRun::start(call, &world.policy, &mut world.engine.borrow_mut());
        let refused = started.err().unwrap_or_else(|| panic!("{policy}"));
        assert_eq!(world.heard(&refused), heard[0]);
        assert_eq!(world.engine.borrow().next_result(), 1);
    }
}

/// Everything that a model can hear of a call and after it.
fn heard_after(world: &World, result: &ToolResult) -> Vec<(String, bool)> {
    let mut heard = vec![world.heard(result)];
    for (tool, arguments) in [
        ("check_stats", json!({"result": "r1", "stats": {"value": 1}})),
        ("source_rows", json!({"result": "r1"})),
        ("source_rows", json!({"result": "r2"})),
        ("query", json!({"table": "sales", "select": "count()"})),
    ] {
        let result = world.call(tool, &arguments);
        heard.push(world.heard(&result));
        heard.push((result.result_id.unwrap_or_default(), true));
    }
    world.with(|context| {
        heard.push((
            result.later(context).as_str().to_owned(),
            result.query_told(context).is_some(),
        ));
        let gate = context.gate();
        let told = result.call().is_some_and(|call| gate.withholds_call(&call.reads, &call.ids));
        heard.push((result.result_id.clone().unwrap_or_default(), told));
    });
    heard
}

#[test]
fn what_a_script_made_of_protected_cells_is_heard_of_alike() {
    let salaries = || json!({"table": "people", "columns": ["salary"]});
    let all = || json!({"table": "people"});
    let hidden = json!({"columns": {"people.salary": "hidden", "sales.day": "hidden"}});
    let aggregate = json!({"columns": {"people.salary": "aggregate"}});
    let asks: [(&Json, Vec<Json>); 10] = [
        (&hidden, vec![salaries()]),
        (&hidden, vec![all()]),
        (&hidden, vec![sales(), salaries()]),
        (&hidden, vec![json!(["SELECT city FROM people ORDER BY salary", []])]),
        (&hidden, vec![json!({"table": "people", "select": "max(salary)"})]),
        (&hidden, vec![json!({"table": "people", "where": "salary > 1500", "select": "count()"})]),
        // Rows and groups stand in the order of a hidden clock.
        (&hidden, vec![json!({"table": "sales", "columns": "shop"})]),
        (&hidden, vec![json!({"table": "sales", "group_by": "shop"})]),
        (&aggregate, vec![json!({"table": "people", "select": "mean(salary)"})]),
        // It failed, and that it did says something of the cells.
        (&aggregate, vec![json!(["SELECT CAST(salary AS SMALLINT) AS s FROM people", []])]),
    ];
    let cases = asks.into_iter().map(|(policy, asks)| (policy.clone(), asks));
    let levels = ["schema", "aggregate"].map(|level| {
        (json!({"level": level}), vec![json!({"table": "sales", "select": "count()"})])
    });
    for (policy, asks) in cases.chain(levels) {
        let mut first: Option<Vec<(String, bool)>> = None;
        for (number, end) in endings().iter().enumerate() {
            let world = World::new(&policy);
            let (result, _) = run(&world, &asks, end);
            let heard = heard_after(&world, &result);
            let (told, failed) = &heard[0];
            assert!(!failed && told.contains("r1; the policy withholds it from you"), "{told}");
            assert!(!heard.iter().any(|(told, _)| told.contains("zq")), "{heard:?}");
            match &first {
                Some(first) => assert_eq!(first, &heard, "{policy} {asks:?}, ending {number}"),
                None => first = Some(heard),
            }
            // The person hears of everything.
            assert_eq!(result.ok, matches!(end, End::Gave(_)), "{:?}", result.error);
            if let End::Failed(_, _, said) = end {
                assert_eq!(result.said.as_deref(), Some(*said));
            }
        }
    }
}

#[test]
fn a_policy_that_is_tightened_binds_what_was_given_before() {
    let mut world = World::new(&json!({}));
    let (result, _) = run(&world, &[sales()], &End::Gave(json!([{"shop": "Kuper"}])));
    assert!(world.heard(&result).0.contains("Kuper"));
    world.policy = Policy::default().hide("sales", "shop");
    let (told, failed) = world.heard(&result);
    assert!(told.contains("withholds it from you") && !failed, "{told}");
    let told = world.told("check_stats", &json!({"result": "r1", "stats": {"shop": "Kuper"}}));
    assert!(told.starts_with("Not available"), "{told}");
    // A refusal lists names that are open as it is given.
    let mut world = World::new(&json!({}));
    let ask = json!({"table": "people", "where": "salry > 1"});
    let (result, refused) = run(&world, &[ask], &End::Gave(json!([{"names": "salary"}])));
    assert!(refused[0].told.contains("salary"), "{}", refused[0].told);
    world.policy = Policy::default().hide("people", "salary");
    assert!(!world.heard(&result).0.contains("salary"));
}

#[test]
fn a_failure_is_told_by_its_code_and_place() {
    let world = World::new(&json!({}));
    let threw = End::Failed("script_threw", 2, "zqann earns 1000");
    let (result, _) = run(&world, &[sales()], &threw);
    let (told, failed) = world.heard(&result);
    assert!(failed);
    let text = "Error:\n- /script: the script threw an error; its text is for the person (line 2, column 3)";
    assert_eq!(told, text);
    assert_eq!(result.error[0].code, Code::ScriptThrew);
    // What it has read stands on the ledger: that it failed tells of it.
    world.with(|context| {
        let piece = result.content(context);
        let columns: Vec<&str> = piece.provenance().columns().iter().map(String::as_str).collect();
        assert_eq!(columns, ["sales.amount", "sales.day", "sales.shop"]);
        assert!(piece.provenance().results().contains("r1"));
    });
    // A place that is none says nothing: a script may write what it likes there.
    let nowhere = End::Failed("script_threw", 4711, "x");
    let (told, _) = world.heard(&run(&world, &[sales()], &nowhere).0);
    assert!(!told.contains("4711"), "{told}");
    // So does a code that is none.
    let (result, _) = run(&world, &[sales()], &End::Failed("unknown_column", 1, "x"));
    assert_eq!(result.error[0].code, Code::ScriptFailed);
    // What its author wrote is mended by what is wrong with it; what it put together is not quoted.
    let wrong = || json!({"table": "sales", "where": "amuont > 5"});
    let (result, _) = run(&world, &[wrong()], &End::Refused);
    let (told, _) = world.heard(&result);
    assert!(told.contains("amuont") && told.contains("amount"), "{told}");
    let composed = json!({"table": "sales", "where": "zqann > 5"});
    let (result, _) = run(&world, &[sales(), composed], &End::Refused);
    let (told, _) = world.heard(&result);
    assert!(told.ends_with("- what it asked failed: unknown_column"), "{told}");
    assert!(!told.contains("zqann"), "{told}");
}

#[test]
fn a_script_gives_no_more_than_a_table_holds() {
    let mut world = World::new(&json!({}));
    let wide = |columns: usize| {
        let cells = (0..columns).map(|n| (format!("c{n}"), json!(n)));
        json!([Json::Object(cells.collect())])
    };
    let (result, _) = run(&world, &[sales()], &End::Gave(wide(500)));
    assert!(result.ok, "{:?}", result.error);
    // Each row has a cell, and a table of them every column of each.
    let sparse: Vec<Json> = (0..4_001).map(|n| json!({(format!("c{}", n % 500)): n})).collect();
    for gave in [wide(501), json!(sparse)] {
        let (result, _) = run(&world, &[sales()], &End::Gave(gave));
        assert_eq!(result.error[0].code, Code::ScriptTooLarge);
        let (told, failed) = world.heard(&result);
        assert!(failed && told.contains("more than 500 columns or 2,000,000 cells"), "{told}");
        assert!(result.said.is_some_and(|said| said.contains("the script returned more")));
    }
    // The person hears of it in their language.
    world.locale = Locale::Ru;
    let (result, _) = run(&world, &[sales()], &End::Gave(wide(501)));
    assert!(result.said.is_some_and(|said| said.contains("скрипт вернул больше 500 столбцов")));
}

#[test]
fn a_script_is_given_nothing_more_once_the_policy_is_tightened() {
    let mut world = World::new(&json!({}));
    let open = Policy::default();
    for tightened in [
        open.hide("people", "salary"),
        open.hide("nowhere", "x"),
        open.with_level(pinhole::disclose::Level::Aggregate),
    ] {
        for first in [sales(), json!({"table": "people"})] {
            world.policy = open.clone();
            let call = ScriptCall { script: SCRIPT.to_owned() };
            let started = ScriptRun::start(call, &open, &mut world.engine.borrow_mut());
            let mut run = started.unwrap_or_else(|refused| panic!("{refused:?}"));
            let checked = world.with(|context| run.ask(false, &first, context));
            assert!(checked.is_ok() && world.with(|context| run.goes_on(context)).is_ok());
            world.policy = tightened.clone();
            // What it has asked already is not handed out, and what it asks is not looked at.
            let mut told = vec![world.with(|context| run.goes_on(context)).err()];
            for asked in [
                sales(),
                json!({"table": "people"}),
                json!({"table": "salry"}),
                json!(["SELECT 1"]),
            ] {
                let statement = asked.is_array();
                told.push(world.with(|context| run.ask(statement, &asked, context)).err());
            }
            for (number, why) in told.iter().enumerate() {
                let why = why.as_ref().unwrap_or_else(|| panic!("{number} was asked: {first}"));
                assert_eq!(why.number, number);
                assert!(why.told.starts_with("Error:\n- scripts run only where"), "{}", why.told);
            }
            let fault = Fault { refused: Some(0), ..Fault::named("script_threw") };
            let result = run.finish(Err(fault), &mut world.engine.borrow_mut());
            let (told, failed) = world.heard(&result);
            let protected = tightened.protects("people", "salary") && first != sales();
            assert_eq!(failed, !protected && tightened.level() == open.level(), "{told}");
            assert_eq!(told.contains("what it asked failed: withheld_by_policy"), failed, "{told}");
        }
    }
}

#[test]
fn a_script_reads_no_hidden_name() {
    let mut world = World::new(&json!({"columns": {"people.salary": "hidden"}}));
    for locale in [Locale::En, Locale::Ru] {
        world.locale = locale;
        for asked in [
            json!({"table": "people", "where": "salry > 5"}),
            json!({"table": "people", "select": "sum(salry)"}),
            json!(["SELECT salry FROM people", []]),
            json!(["SELECT * FROM peeple", []]),
            json!({"table": "peeple"}),
            json!([5]),
            json!({"table": 5}),
        ] {
            let (result, refused) = run(&world, std::slice::from_ref(&asked), &End::Refused);
            assert_eq!(refused.len(), 1, "{asked}");
            let (told, failed) = world.heard(&result);
            // It has read the names that its refusal listed as they were open.
            let withheld = ["withholds it from you", "не раскрывает его вам"];
            assert!(!failed && withheld.iter().any(|words| told.contains(words)), "{told}");
            assert!(!told.contains("salary"), "{told}");
        }
    }
    world.locale = Locale::En;
    // And of a column that was there it hears what it hears of its values.
    let ask = json!({"table": "people", "columns": ["salary"]});
    let (result, refused) = run(&world, &[ask], &End::Gave(json!([{"value": 1}])));
    assert!(refused.is_empty() && world.heard(&result).0.contains("withholds"));
}

#[test]
fn what_scripts_ask_takes_nobody_s_place() {
    let options = pinhole::engine::Options { memory_limit: 8 << 20 };
    let world = World::of(&json!({}), options);
    let rows: Vec<String> = (0..20_000).map(|i| format!("{i},{}\n", i * 2)).collect();
    world.load("wide", &format!("a,b\n{}", rows.concat()), &json!({"time": false}));
    let first = world.call("query", &json!({"table": "wide", "limit": 5}));
    assert_eq!(first.result_id.as_deref(), Some("r1"));
    let asks = vec![json!({"table": "wide"}); 20];
    run(&world, &asks, &End::Gave(json!([{"value": 1}])));
    let engine = world.engine.borrow();
    assert!(engine.result("r1").is_some(), "what a script asked let a result go");
    assert_eq!(engine.stats().results.len(), 2);
    assert_eq!(engine.tables().len(), 1);
}
