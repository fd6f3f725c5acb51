//! Rehearsals: what the first calls of the tools for purchases would make, made while nobody asks.

use super::Session;
use crate::tools::Context;
use crate::tools::purchases::{Rehearsal, Rehearsed};
use crate::wasm::convert::Host;
use crate::wasm::run::Job;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A stretch of it: whoever asks meanwhile waits no longer than that and one step.
const STRETCH_MS: f64 = 10.0;

#[wasm_bindgen]
impl Session {
    /// Begins one over the tables as they are, in place of the one before.
    pub fn rehearse_begin(&self) {
        let (tables, policy) = (self.schemas(), self.protection.policy());
        let context = Context {
            purchases: Some(&self.purchases),
            ..Context::new(&tables, &policy, self.locale.get())
        };
        let begun = Rehearsal::new(&context, &self.engine.borrow());
        self.rehearsal.replace(begun);
    }

    /// Goes on with it; whether there is nothing to do any more.
    pub async fn rehearse(&self, job: Job) -> Result<bool, JsValue> {
        if let Some(rehearsal) = self.rehearsal.borrow_mut().as_mut() {
            rehearsal.go_on(&self.engine.borrow());
        }
        loop {
            let since = js_sys::Date::now();
            while js_sys::Date::now() - since < STRETCH_MS {
                let mut rehearsal = self.rehearsal.borrow_mut();
                let Some(begun) = rehearsal.as_mut() else { return Ok(true) };
                match begun.step(&mut self.engine.borrow_mut()) {
                    Rehearsed::Working => {}
                    Rehearsed::Paused => return Ok(false),
                    Rehearsed::Done => {
                        *rehearsal = None;
                        return Ok(true);
                    }
                }
            }
            JsFuture::from(job.turn()).await?;
            if job.is_cancelled() {
                return Ok(false);
            }
        }
    }

    /// Lets go of what it has under way, before something else is done.
    pub fn rehearse_pause(&self) {
        if let Some(rehearsal) = self.rehearsal.borrow_mut().as_mut() {
            rehearsal.pause();
        }
    }
}
