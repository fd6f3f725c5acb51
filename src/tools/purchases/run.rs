//! Running a call: its statements one after another, a bounded amount of work at a time.

use super::{Done, Finished, Next, PurchaseCall, Statement, Told};
use crate::engine::{Engine, Execution, Step, without_sizes};
use crate::error::{Code, Diagnostic, Error};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::summary::{Options, summarise};
use crate::tools::{Told as ToldToModel, ToolResult};
use std::collections::VecDeque;
use std::sync::Arc;

/// A call that runs. Call [`step`](PurchaseRun::step) until it is done; to cancel it,
/// [`abandon`](PurchaseRun::abandon) it.
pub struct PurchaseRun {
    call: PurchaseCall,
    done: Done,
    queue: VecDeque<Statement>,
    running: Option<Running>,
}

struct Running {
    name: &'static str,
    query: Arc<CheckedQuery>,
    execution: Execution<Arc<Outcome>>,
}

impl PurchaseRun {
    /// A run that has not begun.
    pub fn new(call: PurchaseCall) -> Self {
        Self { call, done: Done::default(), queue: VecDeque::new(), running: None }
    }

    /// Does some of the work. What fails is a result, too; there are no steps after one.
    pub fn step(&mut self, engine: &mut Engine) -> Step<ToolResult> {
        let stepped = match self.running.take() {
            Some(running) => self.go_on(running),
            None => self.begin(engine),
        };
        match stepped {
            Ok(Step::Done(finished)) => {
                let result = self.finish(engine, finished);
                Step::Done(result.unwrap_or_else(|error| self.failed(engine, &error)))
            }
            Ok(Step::Working { rows_done, rows_total }) => Step::Working { rows_done, rows_total },
            Err(error) => Step::Done(self.failed(engine, &error)),
        }
    }

    /// Runs to the end without yielding: for tests and servers.
    pub fn finish_in(mut self, engine: &mut Engine) -> ToolResult {
        loop {
            if let Step::Done(result) = self.step(engine) {
                return result;
            }
        }
    }

    /// Lets go of what it has made so far.
    pub fn abandon(self, engine: &mut Engine) {
        for (_, outcome) in &self.done.outcomes {
            engine.release(&outcome.id);
        }
    }

    fn go_on(&mut self, mut running: Running) -> Result<Step<Finished>, Error> {
        match running.execution.step() {
            Ok(Step::Done(outcome)) => {
                self.done.outcomes.push((running.name, outcome));
                Ok(Step::Working { rows_done: 0, rows_total: 0 })
            }
            Ok(Step::Working { rows_done, rows_total }) => {
                self.running = Some(running);
                Ok(Step::Working { rows_done, rows_total })
            }
            Err(error) => {
                // What it was that failed decides what is told of the failure.
                self.running = Some(running);
                Err(error)
            }
        }
    }

    fn begin(&mut self, engine: &mut Engine) -> Result<Step<Finished>, Error> {
        if self.queue.is_empty() {
            match self.call.next(&self.done).map_err(Error::Input)? {
                Next::Run(statements) => self.queue.extend(statements),
                Next::Done(finished) => return Ok(Step::Done(finished)),
            }
        }
        let Statement { name, sql, params } = self
            .queue
            .pop_front()
            .ok_or_else(|| Error::Internal("a call without a next step".into()))?;
        let made_of = self.done.all();
        let query = Arc::new(engine.check_sql_of(&sql, &params.into(), &made_of)?);
        let execution = engine.start(&query)?;
        self.running = Some(Running { name, query, execution });
        Ok(Step::Working { rows_done: 0, rows_total: 0 })
    }

    fn finish(&self, engine: &mut Engine, finished: Finished) -> Result<ToolResult, Error> {
        let made_of = self.done.all();
        let mut told = Vec::with_capacity(finished.told.len());
        for one in finished.told {
            let outcome = match one {
                Told::Made(derived) => engine.derive(&made_of, derived)?,
                Told::Ran(name) => self.done.get(name).cloned().ok_or_else(|| {
                    Error::Internal(format!("there is no result `{name}` in the call"))
                })?,
            };
            let summary = summarise(&outcome, &Options::default());
            told.push((outcome, Box::new(summary)));
        }
        for outcome in made_of.iter().filter(|o| !told.iter().any(|(kept, _)| kept.id == o.id)) {
            engine.release(&outcome.id);
        }
        let list = told.first().ok_or_else(|| Error::Internal("a call without a result".into()))?;
        Ok(ToolResult {
            result_id: Some(list.0.id.clone()),
            rows: Some(list.0.rows.len() as u64),
            summary: Some(list.1.clone()),
            warnings: finished.warnings,
            output: Some(Box::new(finished.output)),
            ..ToolResult::empty(self.call.tool, ToldToModel::Outcomes(told))
        })
    }

    /// The result of a call that failed. Of what it found so far nothing is kept.
    fn failed(&self, engine: &mut Engine, error: &Error) -> ToolResult {
        for outcome in self.done.all() {
            engine.release(&outcome.id);
        }
        let error = without_sizes(error.clone()).diagnostics();
        let error = if error.is_empty() {
            let message = text!("the tool failed", "инструмент не сработал");
            vec![Diagnostic::new(Code::Internal, message)]
        } else {
            error
        };
        // The last query knows of every column that the failure may tell of.
        let running = self.running.as_ref();
        let last = running.map(|running| (running.query.clone(), running.execution.id()));
        let done = || {
            let (_, outcome) = self.done.outcomes.last()?;
            Some((outcome.query.clone(), Some(outcome.id.as_str())))
        };
        match last.or_else(done) {
            None => ToolResult::failed(self.call.tool, error),
            Some((query, id)) => {
                let id = id.map(str::to_owned);
                ToolResult {
                    ok: false,
                    error,
                    result_id: id.clone(),
                    ..ToolResult::empty(self.call.tool, ToldToModel::Failed { query, id })
                }
            }
        }
    }
}
