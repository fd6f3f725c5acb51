//! Driving long work: a few steps, then the event loop, until it is done or cancelled.

use super::convert::{Host, rejection};
use super::disk;
use crate::disclose::Gate;
use crate::engine::{self, Engine, Execution, Printing, Step};
use crate::error::{Error, Result};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::tools::ToolResult;
use crate::tools::purchases::PurchaseRun;
use gloo_timers::future::TimeoutFuture;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Work goes on this long before the event loop has its turn: short enough for a cancel within
/// 100 ms, long enough that the turns cost nothing.
pub(super) const SLICE_MS: f64 = 30.0;

/// How often a pause looks whether it was cancelled.
const NAP_MS: u32 = 50;

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
    #[wasm_bindgen(method)]
    fn script(this: &Job, number: u32, script: &str) -> js_sys::Promise;
    #[wasm_bindgen(method, js_name = disk)]
    fn open_disk(this: &Job) -> js_sys::Promise;
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
    fn sandbox(&self, number: u32, script: &str) -> js_sys::Promise {
        self.script(number, script)
    }
    fn disk(&self) -> js_sys::Promise {
        self.open_disk()
    }
}

/// Runs a query that a model asked for: the id that its result has or would have had, and the
/// result. Where the rule of k decides what leaves of it, the guard is told of the rows behind it.
pub(super) async fn for_model(
    engine: &RefCell<Engine>,
    query: &Arc<CheckedQuery>,
    gate: &Gate<'_>,
    host: &impl Host,
) -> (Option<String>, Result<Arc<Outcome>>) {
    let started = engine.borrow_mut().start(query);
    let execution = match started {
        Ok(execution) => execution,
        Err(error) => return (None, Err(error)),
    };
    let id = execution.id().map(str::to_owned);
    let outcome = finish(execution, host).await;
    if let (Ok(outcome), Some(protected)) = (&outcome, gate.asks_for_support(query)) {
        let support = engine.borrow().support(&outcome.id, protected);
        let support = match support {
            Ok(execution) => finish(execution, host).await,
            Err(error) => Err(error),
        };
        match support {
            Ok(support) => gate.learn(&outcome.id, support),
            Err(Error::Cancelled) => return (id, Err(Error::Cancelled)),
            // Without it the result is withheld from the model.
            Err(_) => {}
        }
    }
    (id, outcome.map_err(engine::without_sizes))
}

/// Runs a call of a purchase tool. A cancel drops it, and nothing of it is left.
pub(super) async fn purchases(
    engine: &RefCell<Engine>,
    mut run: PurchaseRun,
    host: &impl Host,
) -> Result<ToolResult> {
    let mut since = js_sys::Date::now();
    loop {
        let step = run.step(&mut engine.borrow_mut());
        match step {
            Step::Done(result) => return Ok(result),
            Step::Working { rows_done, rows_total } => {
                if run.wants_disk()
                    && let Some(disk) = disk::open(host).await
                {
                    engine.borrow().spill_to(disk)?;
                }
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

/// Reads the rows of every table of which that was not done yet.
pub(super) async fn read_tables(engine: &RefCell<Engine>, host: &impl Host) -> Result<()> {
    loop {
        let next = engine.borrow().printing();
        let Some(printing) = next else { return Ok(()) };
        read_rows(engine, printing, host).await?;
    }
}

/// What tells the rows of a table from any others: they are read where that was not done yet.
pub(super) async fn print(
    engine: &RefCell<Engine>,
    name: &str,
    host: &impl Host,
) -> Result<String> {
    loop {
        let known = engine.borrow().print_of(name)?;
        if let Some(known) = known {
            return Ok(known);
        }
        // The table may be another one by the time its rows were read.
        let next = engine.borrow().printing_of(name);
        if let Some(printing) = next {
            read_rows(engine, printing, host).await?;
        }
    }
}

async fn read_rows(
    engine: &RefCell<Engine>,
    mut printing: Printing,
    host: &impl Host,
) -> Result<()> {
    let mut since = js_sys::Date::now();
    while !printing.step() {
        if js_sys::Date::now() - since >= SLICE_MS {
            listen(host).await?;
            since = js_sys::Date::now();
        }
    }
    engine.borrow().printed(&printing);
    Ok(())
}

/// Gives the event loop its turn whatever the time: what the page sent while the last step ran (a
/// cancel, a tighter policy) is heard before anything is told.
pub(super) async fn listen(host: &impl Host) -> Result<()> {
    JsFuture::from(host.turn()).await.map_err(|e| rejection(&e))?;
    if host.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Sleeps, but not through a cancel.
pub(super) async fn sleep(ms: u64, host: &impl Host) {
    let mut left = u32::try_from(ms).unwrap_or(u32::MAX);
    while left > 0 && !host.is_cancelled() {
        let nap = left.min(NAP_MS);
        TimeoutFuture::new(nap).await;
        left -= nap;
    }
}

/// Runs an execution to its end. A cancel drops it, and nothing of it is left.
pub(super) async fn finish<T>(mut execution: Execution<T>, host: &impl Host) -> Result<T> {
    let mut since = js_sys::Date::now();
    loop {
        match execution.step()? {
            Step::Done(result) => return Ok(result),
            Step::Working { rows_done, rows_total } => {
                if execution.wants_disk()
                    && let Some(disk) = disk::open(host).await
                {
                    execution.spill_to(disk)?;
                }
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
