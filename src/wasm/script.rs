//! What a script gave, as a result: rows that code knows nothing of but their names and kinds. A
//! script can carry any cell into any column, so that nothing of such a result leaves, whatever the
//! policy allows of the tables that it read.

use super::run::{self, Job};
use super::session::Session;
use crate::engine::ingest::{Loader, Options};
use crate::error::Result;
use crate::facts::Outcome;
use crate::query;
use serde_json::json;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// Takes in rows as JSON, an array of objects: the result.
    pub async fn script_result(&self, rows: Vec<u8>, job: Job) -> Result<JsValue, JsValue> {
        let outcome = self.take_rows(&rows, &job).await.map_err(|e| self.fault(&e))?;
        Ok(self.result_info(&outcome, false))
    }
}

impl Session {
    async fn take_rows(&self, rows: &[u8], job: &Job) -> Result<Arc<Outcome>> {
        let name = self.free_name("script");
        let how = Options::from_json(&json!({"format": "json", "time": false}))?;
        let mut loader = Loader::new(&name, how)?;
        loader.push(rows)?;
        let loaded = loader.finish()?;
        // There for no one else: nothing waits between these calls.
        let execution = {
            let mut engine = self.engine().borrow_mut();
            engine.insert(loaded.table.computed())?;
            let checked = query::check_json(&json!({ "table": name }), &engine.tables());
            let execution = match checked {
                Ok(checked) => engine.start(&Arc::new(checked)),
                Err(problems) => Err(problems.into()),
            };
            engine.drop_table(&name);
            execution?
        };
        run::finish(execution, job).await
    }

    /// A name that no table has.
    fn free_name(&self, wanted: &str) -> String {
        let tables = self.schemas();
        let taken = |name: &str| tables.iter().any(|t| t.name == name);
        let mut name = wanted.to_owned();
        for number in 2.. {
            if !taken(&name) {
                break;
            }
            name = format!("{wanted} {number}");
        }
        name
    }
}
