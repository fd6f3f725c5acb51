//! Loads: files and rows become tables, or rows of the tables that they go to.

use super::Session;
use crate::error::Result;
use crate::wasm::convert::{json, object};
use crate::wasm::load::{Loaded, nothing_to_append_to};
use crate::wasm::run::{self, Job};
use serde_json::{Value as Json, json};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// Starts a load; its number.
    pub fn load_begin(&self, name: &str, given: &JsValue) -> Result<u32, JsValue> {
        let mut given = json(given);
        if given.is_null() {
            given = json!({});
        }
        if let Some(fields) = given.as_object_mut() {
            fields.entry("locale").or_insert_with(|| json!(self.locale.get()));
        }
        let tables = self.schemas();
        let abouts = self.abouts.borrow();
        let there = tables.iter().find(|t| t.name == name);
        let there = there.map(|t| &**t).zip(abouts.get(name));
        let room = self.engine.borrow().room();
        let begun = self.loads.borrow_mut().begin(name, given, there, room);
        begun.map_err(|e| self.fault(&e))
    }

    /// Takes the next bytes of a load.
    pub fn load_push(&self, load: u32, bytes: &[u8]) -> Result<JsValue, JsValue> {
        let (bytes, rows) =
            self.loads.borrow_mut().push(load, bytes).map_err(|e| self.fault(&e))?;
        Ok(object(&json!({"bytes": bytes, "rows": rows})))
    }

    /// Does all of a load but its end, which alone changes something: a cancel that is heard here
    /// leaves everything as it was.
    pub async fn load_settle(&self, load: u32, job: Job) -> Result<(), JsValue> {
        let settled = self.settled(load, &job).await.map_err(|e| self.fault(&e))?;
        self.loads.borrow_mut().keep(load, settled);
        Ok(())
    }

    /// Ends a settled load: the table is there from now on, or the rows are in the one they go to.
    pub fn load_finish(&self, load: u32) -> Result<JsValue, JsValue> {
        let settled = self.loads.borrow_mut().take(load);
        settled.and_then(|loaded| self.take_in(loaded)).map_err(|e| self.fault(&e))
    }

    /// Drops a load; nothing of it is left.
    pub fn load_abort(&self, load: u32) {
        self.loads.borrow_mut().abort(load);
    }
}

impl Session {
    /// What a load came to, in the engine's form; with the rows that it is to be appended to.
    async fn settled(&self, load: u32, job: &Job) -> Result<Loaded> {
        let mut ended = self.loads.borrow_mut().end(load)?;
        stepwise(job, || ended.step()).await?;
        let mut loaded = ended.loaded(self.locale.get())?;
        let table = &mut loaded.table;
        stepwise(job, || table.finite_next()).await?;
        loaded.table = if loaded.append {
            self.engine.borrow().joined(loaded.table)?
        } else {
            loaded.table.settle()?
        };
        let table = &mut loaded.table;
        stepwise(job, || table.share_next()).await?;
        Ok(loaded)
    }

    /// What holds of the table that is there holds of the rows that come to it, too.
    fn as_before(&self, loaded: &mut Loaded) -> Result<()> {
        let joined = loaded.table.schema().grown_from;
        let there =
            self.schemas().iter().any(|t| t.name == loaded.name && joined == Some(t.version));
        // The table that the rows were joined with was dropped meanwhile.
        if !there {
            return Err(nothing_to_append_to(&loaded.name));
        }
        if let Some(about) = self.abouts.borrow().get(&loaded.name) {
            loaded.about.values.clone_from(&about.values);
        }
        let classes = std::mem::take(&mut loaded.said.classes);
        loaded.said = self.protection.said(&loaded.name);
        if let (Some(own), Json::Object(more)) = (loaded.said.classes.as_object_mut(), &classes) {
            own.extend(more.clone());
        } else if !classes.is_null() {
            loaded.said.classes = classes;
        }
        Ok(())
    }

    /// Puts a table in the place of the one of its name.
    fn take_in(&self, mut loaded: Loaded) -> Result<JsValue> {
        if loaded.append {
            self.as_before(&mut loaded)?;
        }
        let looked = self.protection.look(&loaded.table, loaded.said)?;
        let grown = loaded.table.grown().cloned();
        let schema = self.engine.borrow_mut().insert(loaded.table)?;
        if let Some(grown) = grown {
            self.protection.guard().appended(&schema, &grown);
        }
        self.abouts.borrow_mut().insert(loaded.name, loaded.about);
        let next = self.engine.borrow().next_result();
        self.protection.take_in(looked, next, schema.version);
        self.policy_changed();
        Ok(self.table_info(&schema))
    }
}

/// Does the steps of the end of a load, and hears a cancel between them.
async fn stepwise(job: &Job, mut step: impl FnMut() -> Result<bool>) -> Result<()> {
    run::listen(job).await?;
    let mut since = js_sys::Date::now();
    while step()? {
        // A step may be of ten rows or of many thousands.
        if js_sys::Date::now() - since >= run::SLICE_MS {
            run::listen(job).await?;
            since = js_sys::Date::now();
        }
    }
    run::listen(job).await
}
