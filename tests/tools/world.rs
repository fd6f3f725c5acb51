//! Tables in an engine, and calls of the data tools over them as a page makes them.

use pinhole::disclose::{Guard, Policy};
use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Options, without_sizes};
use pinhole::error::Locale;
use pinhole::schema::TableSchema;
use pinhole::tools::{Context, Handed, Host, Prepared, ToolResult, finish_query, prepare};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::sync::Arc;

pub const SALES: &str = "shop,weekday,amount,pieces,day
Kuper,Mon,10.5,1,2024-01-01
Kuper,Mon,4.5,9007199254740993,2024-01-08
Kuper,Tue,7,2,2024-01-02
Vkusno,Mon,25.25,3,2024-01-01
Vkusno,Tue,12,4,2024-01-09
Sever,Tue,3,5,2024-01-09
";

pub const PEOPLE: &str = "city,salary,diary
Omsk,1000,zqann
Omsk,2000,zqbob
Perm,3000,zqcid
Perm,4000,zqdan
Perm,9007199254740000,zqeve
";

const BARS: &str = "timestamp,open,high,low,close,volume
2024-01-02 09:30,100,104,99,103,10
2024-01-02 09:31,103,105,102,104,20
2024-01-02 09:32,104,104,90,95,30
2024-01-03 09:30,95,99,94,98,40
";

/// An engine, a policy, and what the calls so far have given.
pub struct World {
    pub engine: RefCell<Engine>,
    pub handed: RefCell<Handed>,
    pub policy: Policy,
    pub locale: Locale,
    guard: Guard,
}

impl World {
    pub fn new(policy: &Json) -> Self {
        let world = Self::of(policy, Options::default());
        world.load("sales", SALES, &json!({}));
        world.load("people", PEOPLE, &json!({}));
        world.load("bars", BARS, &json!({"market": "equities-us"}));
        world
    }

    /// Without tables.
    pub fn of(policy: &Json, options: Options) -> Self {
        Self {
            engine: RefCell::new(Engine::new(options).expect("an engine")),
            handed: RefCell::default(),
            policy: Policy::from_json(policy).expect("a policy"),
            locale: Locale::En,
            guard: Guard::new(),
        }
    }

    pub fn load(&self, name: &str, csv: &str, options: &Json) {
        let options = Reading::from_json(options).expect("options");
        let mut loader = Loader::new(name, options).expect("a loader");
        loader.push(csv.as_bytes()).expect("text");
        let table = loader.finish().expect("a table").table;
        self.engine.borrow_mut().insert(table).expect("a table");
    }

    pub fn with<T>(&self, run: impl FnOnce(&Context) -> T) -> T {
        let tables: Vec<Arc<TableSchema>> = self.engine.borrow().tables();
        run(&Context {
            guard: Some(&self.guard),
            host: Some(Host { engine: &self.engine, handed: &self.handed }),
            scripts: true,
            ..Context::new(&tables, &self.policy, self.locale)
        })
    }

    /// Calls a tool and sees it through.
    pub fn call(&self, tool: &str, arguments: &Json) -> ToolResult {
        self.with(|context| {
            let result = match prepare(tool, &arguments.to_string(), context) {
                Prepared::Done(result) => result,
                Prepared::Query(call) => {
                    let execution = self.engine.borrow_mut().start(&call.checked).expect("a start");
                    let id = execution.id().map(str::to_owned);
                    let found = execution.finish();
                    let gate = context.gate();
                    if let (Ok(outcome), Some(protected)) =
                        (&found, gate.asks_for_support(&call.checked))
                    {
                        let support = self.engine.borrow().support(&outcome.id, protected);
                        gate.learn(&outcome.id, support.unwrap().finish().unwrap());
                    }
                    let found = found.map_err(without_sizes);
                    finish_query(&call.checked, id, found, call.all_groups)
                }
                Prepared::Source(call) => {
                    let started = call.start(&self.engine.borrow());
                    call.finish(started.and_then(pinhole::engine::Execution::finish))
                }
                Prepared::Purchases(_) | Prepared::Script(_) => panic!("{tool} is not for this"),
            };
            self.handed.borrow_mut().note(&result, &context.gate());
            result
        })
    }

    /// What a model hears of a result, and whether it hears of a failure.
    pub fn heard(&self, result: &ToolResult) -> (String, bool) {
        self.with(|context| {
            (result.content(context).as_str().to_owned(), result.fails_openly(context))
        })
    }

    /// What a model hears of a call.
    pub fn told(&self, tool: &str, arguments: &Json) -> String {
        let result = self.call(tool, arguments);
        self.heard(&result).0
    }
}
