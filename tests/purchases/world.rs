//! The tables beside this file in an engine, and calls of tools over them.

use pinhole::disclose::{Guard, Policy};
use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Options, Step};
use pinhole::error::{Diagnostic, Locale};
use pinhole::schema::TableSchema;
use pinhole::tools::purchases::{PurchaseCall, PurchaseRun, Settings, fit};
use pinhole::tools::{Context, Prepared, ToolResult, definitions, prepare};
use std::sync::Arc;

const TABLES: [(&str, &str); 6] = [
    ("receipts", include_str!("receipts.csv")),
    ("receipt_items", include_str!("receipt_items.csv")),
    ("items", include_str!("items.csv")),
    ("products", include_str!("products.csv")),
    ("labels", include_str!("labels.csv")),
    ("item_labels", include_str!("item_labels.csv")),
];

/// An engine with purchases.
pub struct World {
    pub engine: Engine,
    pub settings: Settings,
    pub policy: Policy,
    tables: Vec<Arc<TableSchema>>,
}

impl World {
    /// The tables; today is the date of the latest receipt.
    pub fn new() -> Self {
        Self::within(Options::default())
    }

    /// The same in an engine that may use so much.
    pub fn within(options: Options) -> Self {
        let mut world = Self {
            engine: Engine::new(options).expect("an engine"),
            settings: Settings::default(),
            policy: Policy::default(),
            tables: Vec::new(),
        };
        for (name, csv) in TABLES {
            world.load(name, csv);
        }
        world
    }

    /// Loads a table as a page would.
    pub fn load(&mut self, name: &str, csv: &str) {
        let mut loader = Loader::new(name, Reading::default()).expect("a loader");
        loader.push(csv.as_bytes()).expect("text");
        self.engine.insert(loader.finish().expect("a table").table).expect("a table");
        self.tables = self.engine.tables();
    }

    pub fn context<'a>(&'a self, guard: Option<&'a Guard>) -> Context<'a> {
        Context {
            purchases: Some(&self.settings),
            guard,
            ..Context::new(&self.tables, &self.policy, Locale::En)
        }
    }

    /// The names of the tools that are there.
    pub fn offered(&mut self) -> Vec<&'static str> {
        self.tables = self.engine.tables();
        definitions(&self.context(None)).iter().map(|d| d.name).collect()
    }

    /// A call that is ready to run, or why there is none.
    pub fn prepared(
        &mut self,
        tool: &str,
        arguments: &str,
    ) -> Result<Box<PurchaseCall>, Box<ToolResult>> {
        self.tables = self.engine.tables();
        match prepare(tool, arguments, &self.context(None)) {
            Prepared::Purchases(call) => Ok(call),
            Prepared::Done(result) => Err(Box::new(result)),
            Prepared::Query(_) | Prepared::Source(_) | Prepared::Script(_) => {
                panic!("{tool} is for purchases")
            }
        }
    }

    /// Calls a tool and sees it through.
    pub fn call(&mut self, tool: &str, arguments: &str) -> ToolResult {
        match self.prepared(tool, arguments) {
            Ok(call) => PurchaseRun::start(*call, &mut self.engine).finish_in(&mut self.engine),
            Err(result) => *result,
        }
    }

    /// Looks at the keys of the tables, or says what is missing.
    pub fn fit(&mut self) -> Result<ToolResult, Vec<Diagnostic>> {
        self.tables = self.engine.tables();
        let call = fit(&self.context(None))?;
        Ok(PurchaseRun::start(call, &mut self.engine).finish_in(&mut self.engine))
    }

    /// Calls a tool and cancels it after some steps.
    pub fn abandon(&mut self, tool: &str, steps: usize) {
        let call = self.prepared(tool, "{}").expect("a call");
        let mut run = PurchaseRun::start(*call, &mut self.engine);
        for _ in 0..steps {
            if let Step::Done(result) = run.step(&mut self.engine) {
                assert!(result.ok);
                return;
            }
        }
        drop(run);
        assert!(self.engine.stats().results.is_empty(), "after {steps} steps");
    }
}
