//! Driving long work: a few steps, then the event loop, until it is done or cancelled.

use super::convert::{Host, rejection};
use crate::engine::{Execution, Step};
use crate::error::{Error, Result};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Work goes on this long before the event loop has its turn: short enough for a cancel within
/// 100 ms, long enough that the turns cost nothing.
const SLICE_MS: f64 = 30.0;

#[wasm_bindgen]
extern "C" {
    /// What a long call asks of its surroundings.
    pub type Job;

    #[wasm_bindgen(method)]
    fn cancelled(this: &Job) -> bool;
    #[wasm_bindgen(method)]
    fn progress(this: &Job, done: f64, total: f64);
    #[wasm_bindgen(method)]
    fn pause(this: &Job) -> js_sys::Promise;
}

impl Host for Job {
    fn is_cancelled(&self) -> bool {
        self.cancelled()
    }
    fn report(&self, done: u64, total: u64) {
        self.progress(done as f64, total as f64);
    }
    fn turn(&self) -> js_sys::Promise {
        self.pause()
    }
}

/// Runs an execution to its end. A cancel drops it, and nothing of it is left.
pub(super) async fn finish<T>(mut execution: Execution<T>, host: &impl Host) -> Result<T> {
    let mut since = js_sys::Date::now();
    loop {
        match execution.step()? {
            Step::Done(result) => return Ok(result),
            Step::Working { rows_done, rows_total } => {
                if js_sys::Date::now() - since >= SLICE_MS {
                    host.report(rows_done, rows_total);
                    JsFuture::from(host.turn()).await.map_err(|e| rejection(&e))?;
                    if host.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    since = js_sys::Date::now();
                }
            }
        }
    }
}
