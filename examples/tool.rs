//! The tools from the command line, for reports and jobs:
//!
//! ```sh
//! cargo run --example tool -- receipts.csv receipt_items.csv items.csv products.csv \
//!     -- get_receipts '{"date_from": "2024-12-01"}'
//! ```
//!
//! Files become tables of their names; after `--` come calls, each a tool and its arguments. Each
//! answer is a line of JSON with what the tool gave. Without calls it lists the tools. `--told`
//! shows what a model would hear in place of the answers, `--policy` under which policy, `--locale
//! ru` speaks Russian, and `--today 2024-12-31` says which day counts as today for purchases.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program that reads and prints"
)]

#[path = "tool/load.rs"]
mod load;
#[path = "tool/script.rs"]
mod script;

use load::load;
use pinhole::disclose::Policy;
use pinhole::engine::{Engine, Execution, Options, without_sizes};
use pinhole::error::{Diagnostic, Locale};
use pinhole::facts::Outcome;
use pinhole::tools::purchases::{PurchaseRun, Settings};
use pinhole::tools::{
    Context, Handed, Host, Prepared, ToolResult, definitions, finish_query, prepare,
};
use serde_json::{Map, Value as Json, json};
use std::cell::RefCell;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok((text, all_well)) => {
            println!("{text}");
            if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(wrong) => {
            println!("{wrong}");
            ExitCode::FAILURE
        }
    }
}

/// What is asked for.
struct Job<'a> {
    files: Vec<&'a str>,
    calls: &'a [String],
    told: bool,
    locale: Locale,
    policy: Policy,
    purchases: Settings,
}

fn read(arguments: &[String]) -> Result<Job<'_>, String> {
    let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let (before, calls) = arguments.split_at(end);
    let mut job = Job {
        files: Vec::new(),
        calls: calls.get(1..).unwrap_or_default(),
        told: false,
        locale: Locale::En,
        policy: Policy::default(),
        purchases: Settings::default(),
    };
    let mut words = before.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
        match word.as_str() {
            "--told" => job.told = true,
            "--locale" if value()? == "ru" => job.locale = Locale::Ru,
            "--locale" => {}
            "--today" => {
                let settings = json!({ "reference_date": value()? });
                job.purchases = serde_json::from_value(settings).map_err(|e| e.to_string())?;
            }
            "--policy" => {
                let json: Json = serde_json::from_str(value()?).map_err(|e| e.to_string())?;
                job.policy = Policy::from_json(&json).map_err(|problems| said(&problems))?;
            }
            option if option.starts_with("--") => return Err(format!("there is no `{option}`")),
            file => job.files.push(file),
        }
    }
    if job.calls.len() % 2 == 1 {
        return Err("after `--` come pairs: a tool and its arguments in JSON".to_owned());
    }
    Ok(job)
}

/// What is printed, and whether every call went well.
fn run(arguments: &[String]) -> Result<(String, bool), String> {
    let job = read(arguments)?;
    let engine = RefCell::new(Engine::new(Options::default()).map_err(|e| e.to_string())?);
    for file in &job.files {
        load(&mut engine.borrow_mut(), file).map_err(|e| format!("{file}: {e}"))?;
    }
    let handed = RefCell::<Handed>::default();
    let tables = engine.borrow().tables();
    let context = Context {
        purchases: Some(&job.purchases),
        host: Some(Host { engine: &engine, handed: &handed }),
        scripts: true,
        ..Context::new(&tables, &job.policy, job.locale)
    };
    if job.calls.is_empty() {
        let tools = definitions(&context);
        let lines = tools.iter().map(|tool| format!("{}: {}", tool.name, tool.description));
        return Ok((lines.collect::<Vec<_>>().join("\n"), true));
    }
    let mut lines = Vec::new();
    let mut all_well = true;
    for pair in job.calls.chunks_exact(2) {
        let [name, arguments] = pair else { continue };
        let result = call(&engine, &context, name, arguments);
        all_well &= result.ok;
        lines.push(if job.told {
            result.content(&context).as_str().to_owned()
        } else {
            answer(&result, &context).to_string()
        });
        handed.borrow_mut().note(&result, &context.gate());
    }
    Ok((lines.join("\n"), all_well))
}

/// Calls a tool and sees it through. A program with other work to do calls `step` instead, and stops
/// where it wants to.
fn call(engine: &RefCell<Engine>, context: &Context, name: &str, arguments: &str) -> ToolResult {
    match prepare(name, arguments, context) {
        Prepared::Done(result) => result,
        Prepared::Purchases(call) => {
            let mut engine = engine.borrow_mut();
            PurchaseRun::start(*call, &mut engine).finish_in(&mut engine)
        }
        Prepared::Query(call) => {
            let started = engine.borrow_mut().start(&call.checked);
            let id = started.as_ref().ok().and_then(|e| e.id().map(str::to_owned));
            let found = started.and_then(Execution::finish).map_err(without_sizes);
            finish_query(&call.checked, id, found, call.all_groups)
        }
        Prepared::Source(call) => {
            let started = call.start(&engine.borrow());
            call.finish(started.and_then(Execution::finish))
        }
        Prepared::Script(call) => script::run(call, engine, context),
    }
}

/// The whole answer: in the tool's own shape, as rows, or as text.
fn answer(result: &ToolResult, context: &Context) -> Json {
    if !result.ok {
        let mut out = json!({ "tool": result.tool, "error": said(&result.error) });
        if let Some(words) = &result.said {
            out["said"] = (**words).into();
        }
        return out;
    }
    let warnings = result.warnings.iter().map(|w| w.message.get(context.locale).to_owned());
    let mut out = json!({ "tool": result.tool, "warnings": warnings.collect::<Vec<_>>() });
    if let Some(output) = &result.output {
        out["output"] = (**output).clone();
    } else if let Some(outcome) = result.outcome() {
        out["rows"] = (0..outcome.rows.len()).map(|at| row(outcome, at)).collect();
    } else {
        out["text"] = result.content(context).as_str().into();
    }
    out
}

fn row(outcome: &Outcome, at: usize) -> Json {
    let columns = outcome.columns.iter().enumerate();
    let cells = columns.map(|(i, of)| (of.column.name.clone(), outcome.value(at, i).to_json()));
    Json::Object(cells.collect::<Map<_, _>>())
}

fn said(problems: &[Diagnostic]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::run;
    use serde_json::Value as Json;

    const SHARES: &str = "{\"script\": \"async function execute() { \
         const [{ n }] = await db.sql('SELECT count(*) AS n FROM receipts'); \
         const shops = await db.query({ table: 'receipts', group_by: 'shop', select: { n: 'count()' } }); \
         return shops.map((row) => ({ shop: row.shop, share: row.n / n })); }\"}";

    const CALLS: [(&str, &str); 15] = [
        ("query", r#"{"table": "receipts", "group_by": "shop", "select": {"n": "count()"}}"#),
        ("sql", r#"{"text": "SELECT count(*) AS n FROM items"}"#),
        ("source_rows", r#"{"result": "r1"}"#),
        ("check_stats", r#"{"result": "r2", "stats": {"n": 14}}"#),
        ("describe_tables", "{}"),
        ("suggest_questions", "{}"),
        ("function_reference", r#"{"family": "lag"}"#),
        ("get_receipts", r#"{"date_from": "2024-12-01", "date_to": "2024-12-31"}"#),
        ("get_receipt_items", r#"{"limit": 1}"#),
        ("get_products", "{}"),
        ("get_items", "{}"),
        ("get_labels", "{}"),
        ("get_purchase_statistics", "{}"),
        ("generate_shopping_list", "{}"),
        ("run_script", SHARES),
    ];

    fn words(options: &[&str], calls: &[(&str, &str)]) -> Vec<String> {
        let folder = "tests/purchases/";
        let names = ["receipts", "receipt_items", "items", "products", "labels", "item_labels"];
        let files = names.iter().map(|name| format!("{folder}{name}.csv"));
        let calls = calls.iter().flat_map(|(tool, arguments)| [*tool, *arguments]);
        let options = options.iter().map(|word| (*word).to_owned());
        let end = std::iter::once("--".to_owned());
        options.chain(files).chain(end).chain(calls.map(str::to_owned)).collect()
    }

    #[test]
    fn every_tool_runs() {
        let (listed, _) = run(&words(&[], &[])).unwrap();
        let (text, all_well) = run(&words(&[], &CALLS)).unwrap();
        assert!(all_well, "{text}");
        let answers: Vec<Json> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!((listed.lines().count(), answers.len()), (CALLS.len(), CALLS.len()));
        for ((tool, _), answer) in CALLS.iter().zip(&answers) {
            assert_eq!(answer["tool"], *tool);
            assert!(listed.contains(&format!("{tool}: ")), "{tool}");
        }
        assert_eq!(answers[1]["rows"][0]["n"], 14);
        assert_eq!(answers[7]["output"]["summary"]["total_amount"], 2268.8);
        let shares = answers[14]["rows"].as_array().unwrap();
        let sum: f64 = shares.iter().map(|row| row["share"].as_f64().unwrap()).sum();
        assert!(shares.len() > 1 && (sum - 1.0).abs() < 1e-9, "{shares:?}");
    }

    #[test]
    fn scripts_have_nothing_but_the_rows_that_they_ask_for() {
        let call = |body: &str, options: &[&str]| {
            let script = format!("async function execute() {{ {body} }}");
            let arguments = serde_json::json!({ "script": script }).to_string();
            run(&words(options, &[("run_script", &arguments)])).unwrap()
        };
        for (body, error) in [
            ("return 5", "what the script returned is no result"),
            ("return undefined", "the script returned nothing"),
            ("return [{ a: 1 }]", "asked nothing of the data"),
            ("await db.query({ table: 'nope' })", "unknown table"),
            ("for (;;);", "worked for too long"),
            ("for (;;) await Promise.resolve()", "worked for too long"),
            ("await new Promise(() => {})", "never comes"),
            ("for (;;) await db.sql('SELECT 1 AS a')", "too many queries"),
            ("return fetch('http://127.0.0.1/')", "threw an error"),
            ("return require('fs')", "threw an error"),
            ("return Deno.env", "threw an error"),
            ("}}", "cannot be read"),
        ] {
            let (text, all_well) = call(body, &[]);
            assert!(!all_well && text.contains(error), "{body}: {text}");
        }
        // What is refused can be caught; no row is a result, too.
        let caught = "try { await db.query({ table: 'nope' }) } catch (error) { \
             return (await db.sql('SELECT 1 AS a')).map(() => ({ said: String(error) })) }";
        let (text, all_well) = call(caught, &[]);
        assert!(all_well && text.contains("unknown table `nope`"), "{text}");
        let (text, all_well) = call("await db.sql('SELECT 1 AS a'); return []", &[]);
        assert!(all_well && text.contains("\"rows\":[]"), "{text}");
        // Where the policy protects something no script runs.
        let (text, all_well) = call("return []", &["--policy", r#"{"level": "schema"}"#]);
        assert!(!all_well && text.contains("scripts run only where"), "{text}");
    }

    #[test]
    fn options_and_mistakes() {
        let spent = [CALLS[7]];
        let (told, _) =
            run(&words(&["--told", "--policy", r#"{"level": "schema"}"#], &spent)).unwrap();
        assert!(!told.contains("2268.8"), "{told}");
        let (listed, _) = run(&words(&["--locale", "ru"], &[])).unwrap();
        assert!(listed.contains("Получить список чеков"), "{listed}");
        let list = [("get_receipts", r#"{"limit": 1}"#)];
        let (early, _) = run(&words(&["--today", "2024-09-30"], &list)).unwrap();
        assert!(early.contains("2024-09-"), "{early}");
        let (text, all_well) = run(&words(&[], &[("get_receipts", r#"{"limit": 0}"#)])).unwrap();
        assert!(!all_well && text.contains("error"), "{text}");
        for wrong in [&["--nothing"][..], &["--today"], &["nowhere.csv"], &["--", "query"]] {
            let words: Vec<String> = wrong.iter().map(|word| (*word).to_owned()).collect();
            assert!(run(&words).is_err(), "{wrong:?}");
        }
    }
}
