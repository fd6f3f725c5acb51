//! Running a call: its statements one after another, a bounded amount of work at a time.

use super::made::{self, Made};
use super::mapping::Names;
use super::{Done, Finished, Making, Next, PurchaseCall, Statement, Told};
use crate::engine::{About, Engine, Execution, Step, Unkept, View, without_sizes};
use crate::error::{Code, Diagnostic, Error};
use crate::query::check::Warning;
use crate::summary::{Options, summarise};
use crate::tools::{Call, CallTold, Told as ToldToModel, ToolResult};
use serde_json::Value as Json;
use std::any::Any;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// A call that runs. Call [`step`](PurchaseRun::step) until it is done; dropped before, nothing of
/// it is left but that its ids are taken.
pub struct PurchaseRun {
    call: PurchaseCall,
    /// The ids of the list and of the totals. They are taken when it starts, so that the ids of
    /// later results tell nothing of what came of it.
    ids: [String; 2],
    done: Done,
    queue: VecDeque<Statement>,
    /// Whether the queue's statements depend on the tables alone, as those do that a call begins with.
    first: bool,
    /// Whether a table that is made for statements had no room, so that they do without.
    in_full: bool,
    /// The changes of tables before what is made of statements.
    changes: u64,
    /// Whether it began anew because a table was loaded again as it ran.
    repeated: bool,
    running: Option<Running>,
    /// What code makes of the results so far, a part at a time.
    making: Option<Box<dyn Making>>,
}

/// A statement under way.
struct Running {
    execution: Execution<Unkept>,
    becomes: Becomes,
}

/// What becomes of a statement's result.
enum Becomes {
    /// A result of the call. Where it lasts: its text, and the changes of tables before it.
    Result(&'static str, Option<(String, u64)>),
    /// A table for the statements after it, made by this text after these changes.
    Table(Made, String, u64),
}

impl PurchaseRun {
    /// A run that has not begun.
    pub fn start(call: PurchaseCall, engine: &mut Engine) -> Self {
        let ids = [engine.take_id(), engine.take_id()];
        Self { ids, ..Self::unheard(call) }
    }

    /// A run that nobody hears of: it takes no ids and gives no result. What it leaves is what a call
    /// leaves for those after it.
    pub(super) fn unheard(call: PurchaseCall) -> Self {
        Self {
            call,
            ids: Default::default(),
            done: Done::default(),
            queue: VecDeque::new(),
            first: true,
            in_full: false,
            changes: 0,
            repeated: false,
            running: None,
            making: None,
        }
    }

    /// Whether nothing is under way, so that the next step begins something.
    pub(super) fn between(&self) -> bool {
        self.running.is_none() && self.making.is_none()
    }

    /// Whether a table that would be kept had no room.
    pub(super) fn lacks_room(&self) -> bool {
        self.in_full
    }

    /// Does some of the work. What fails is a result, too; there are no steps after one.
    pub fn step(&mut self, engine: &mut Engine) -> Step<ToolResult> {
        match self.advance(engine) {
            Ok(Step::Done(_)) | Err(_) if !self.call.names.stand(&engine.tables()) => {
                self.repeat(engine)
            }
            Ok(Step::Done(finished)) => {
                let result = self.finish(engine, finished);
                Step::Done(result.unwrap_or_else(|error| self.failed(error)))
            }
            Ok(Step::Working { rows_done, rows_total }) => Step::Working { rows_done, rows_total },
            Err(error) => Step::Done(self.failed(error)),
        }
    }

    /// Begins anew, once, over the tables as they are by now: a list and totals over two states of a
    /// table would not agree.
    fn repeat(&mut self, engine: &Engine) -> Step<ToolResult> {
        let names = match self.call.names.again(&engine.tables()) {
            Ok(names) if !self.repeated => names,
            Ok(_) => {
                let message = text!(
                    "the tables changed twice while the tool ran; call it again",
                    "таблицы дважды изменились, пока работал инструмент; вызовите его ещё раз"
                );
                let problem = Diagnostic::new(Code::TablesChanged, message);
                return Step::Done(self.failed(Error::Input(vec![problem])));
            }
            Err(problems) => return Step::Done(self.failed(Error::Input(problems))),
        };
        self.call.reads = Arc::new(names.reads());
        self.call.names = names;
        // What the policy says of another table is not known here.
        self.call.lists_labels = false;
        (self.done, self.queue) = (Done::default(), VecDeque::new());
        (self.running, self.making) = (None, None);
        (self.first, self.in_full, self.repeated) = (true, false, true);
        Step::Working { rows_done: 0, rows_total: 0 }
    }

    /// Does some of the work, up to what all of it comes to.
    pub(super) fn advance(&mut self, engine: &mut Engine) -> Result<Step<Finished>, Error> {
        if let Some(mut making) = self.making.take() {
            match making.step() {
                Some(made) => self.keep(engine, made),
                None => self.making = Some(making),
            }
            return Ok(Step::Working { rows_done: 0, rows_total: 0 });
        }
        match self.running.take() {
            Some(running) => self.go_on(engine, running),
            None => self.begin(engine),
        }
    }

    /// Keeps what code has made of the results, for this call and those after it.
    fn keep(&mut self, engine: &Engine, (what, bytes): (Rc<dyn Any>, usize)) {
        if let Some((of, made)) = &mut self.done.made {
            *made = Some(what.clone());
            engine.keep_made(self.changes, of.clone(), &self.call.reads, (what, bytes));
        }
    }

    /// Whether one of its statements was refused memory and there is no disk. Where the engine is given
    /// one ([`Engine::spill_to`]), the next step begins that statement again on it; where not, the call
    /// fails. A table that would be kept is never worth it: without room for it calls do without.
    pub fn wants_disk(&self) -> bool {
        self.running.as_ref().is_some_and(|running| {
            matches!(running.becomes, Becomes::Result(..)) && running.execution.wants_disk()
        })
    }

    /// Runs to the end without yielding: for tests and servers.
    pub fn finish_in(mut self, engine: &mut Engine) -> ToolResult {
        loop {
            if let Step::Done(result) = self.step(engine) {
                return result;
            }
        }
    }

    fn go_on(&mut self, engine: &Engine, mut running: Running) -> Result<Step<Finished>, Error> {
        let stepped = match (running.execution.step(), &running.becomes) {
            // What went wrong goes wrong again in the statement that it is for, or has room there.
            (Err(_), Becomes::Table(..)) => {
                self.in_full = true;
                return Ok(Step::Working { rows_done: 0, rows_total: 0 });
            }
            (stepped, _) => stepped?,
        };
        match stepped {
            Step::Done(result) => {
                match running.becomes {
                    Becomes::Result(name, lasts) => {
                        let result = Rc::new(result);
                        if let Some((sql, changes)) = lasts {
                            engine.keep_lasting(changes, sql, &self.call.reads, &result);
                        }
                        self.done.results.push((name, result));
                    }
                    Becomes::Table(made, sql, changes) => {
                        let kept = engine.keep_view(changes, made.name(), &sql, result);
                        self.in_full = !kept.unwrap_or(false);
                    }
                }
                Ok(Step::Working { rows_done: 0, rows_total: 0 })
            }
            Step::Working { rows_done, rows_total } => {
                self.running = Some(running);
                Ok(Step::Working { rows_done, rows_total })
            }
        }
    }

    fn begin(&mut self, engine: &mut Engine) -> Result<Step<Finished>, Error> {
        let working = Ok(Step::Working { rows_done: 0, rows_total: 0 });
        if self.queue.is_empty() {
            self.first = self.done.results.is_empty();
            match self.call.next(&self.done).map_err(Error::Input)? {
                Next::Run(statements) => self.queue.extend(statements),
                Next::Recall(of) => {
                    self.changes = engine.changes();
                    let known = engine.made(&of, &self.call.reads);
                    self.done.made = Some((of, known));
                    return working;
                }
                Next::Make(making) => {
                    self.making = Some(making);
                    return working;
                }
                Next::Done(finished) => return Ok(Step::Done(*finished)),
            }
        }
        let statement = self
            .queue
            .pop_front()
            .ok_or_else(|| Error::Internal("a call without a next step".into()))?;
        let wanted = if self.in_full { &[][..] } else { &statement.made };
        let names = made::names(&self.call.names);
        let views = match Self::views(engine, &names, wanted)? {
            Ok(views) => {
                let declared =
                    |(view, made): (View, &Made)| view.without(made.beyond(&self.call.names));
                views.into_iter().zip(wanted).map(declared).collect::<Result<Vec<_>, _>>()?
            }
            Err(running) => {
                self.queue.push_front(statement);
                self.running = Some(running);
                return working;
            }
        };
        let Statement { name, sql, in_full, params, .. } = statement;
        let sql = if self.in_full { in_full } else { sql };
        let lasts = self.first && params.is_empty();
        if lasts && let Some(result) = engine.lasting(&sql, &self.call.reads) {
            self.done.results.push((name, result));
            return working;
        }
        let query = engine.check_sql_of_tool(&sql, &params.into(), &self.call.reads, &views)?;
        let query = Arc::new(query);
        if lasts && let Some(result) = engine.lasting_elsewhere(&sql, &self.call.reads, &query) {
            self.done.results.push((name, result));
            return working;
        }
        let execution = engine.start_unkept(&query, &views)?;
        let lasts = lasts.then(|| (sql, engine.changes()));
        self.running = Some(Running { execution, becomes: Becomes::Result(name, lasts) });
        working
    }

    /// The tables that are made for statements, or what makes the first that is missing.
    fn views(
        engine: &mut Engine,
        names: &Names,
        wanted: &[Made],
    ) -> Result<Result<Vec<View>, Running>, Error> {
        let mut views = Vec::with_capacity(wanted.len());
        for made in wanted {
            let known = made.in_full(names);
            if let Some(view) = engine.view(&known) {
                views.push(view);
                continue;
            }
            let needed = match Self::views(engine, names, &made.needs(names))? {
                Ok(needed) => needed,
                running => return Ok(running),
            };
            let (sql, reads) = (made.sql(names), names.reads());
            let query = engine.check_sql_of_tool(&sql, &Json::Null, &reads, &needed)?;
            let execution = engine.start_unkept(&Arc::new(query), &needed)?;
            let becomes = Becomes::Table(*made, known, engine.changes());
            return Ok(Err(Running { execution, becomes }));
        }
        Ok(Ok(views))
    }

    fn finish(&mut self, engine: &mut Engine, finished: Finished) -> Result<ToolResult, Error> {
        let Finished { output, list, total, named, totals, matched, warnings } = finished;
        let mut done = std::mem::take(&mut self.done);
        let [first, second] = &self.ids;
        let about = |id: &String, before: Option<u64>, warnings: &[Warning]| About {
            id: id.clone(),
            rows_scanned: self.call.names.rows(),
            rows_matched: matched,
            rows_before_limit: before,
            warnings: warnings.to_vec(),
        };
        let list = done.told(engine, list, |rows| {
            about(first, total.filter(|total| *total > rows), &warnings)
        })?;
        let summary = Box::new(summarise(&list, &Options::default()));
        let rows = list.rows.len() as u64;
        let mut results = vec![(list, summary.clone())];
        if let Some(totals) = totals {
            let totals = done.told(engine, totals, |_| about(second, None, &[]))?;
            let summary = Box::new(summarise(&totals, &Options::default()));
            results.push((totals, summary));
        }
        Ok(ToolResult {
            result_id: Some(first.clone()),
            rows: Some(rows),
            summary: Some(summary),
            warnings,
            output: Some(Box::new(output)),
            ..ToolResult::empty(self.call.tool, self.told(results, named))
        })
    }

    /// The result of a call that failed. Of what it found so far nothing is kept.
    fn failed(&mut self, error: Error) -> ToolResult {
        self.done = Done::default();
        let error = without_sizes(error).diagnostics();
        let error = if error.is_empty() {
            let message = text!("the tool failed", "инструмент не сработал");
            vec![Diagnostic::new(Code::Internal, message)]
        } else {
            error
        };
        let [first, _] = &self.ids;
        ToolResult {
            ok: false,
            error,
            result_id: Some(first.clone()),
            ..ToolResult::empty(self.call.tool, self.told(Vec::new(), None))
        }
    }

    fn told(
        &self,
        results: Vec<(Arc<crate::facts::Outcome>, Box<crate::summary::Summary>)>,
        named: Option<&'static str>,
    ) -> ToldToModel {
        let (ids, reads) = (self.ids.to_vec(), self.call.reads.clone());
        let call = Call { ids, reads, totals: self.call.totals() };
        ToldToModel::Call(Box::new(CallTold { call, results, named }))
    }
}

impl Done {
    /// Keeps one of the results that the person is given; `about` is told how many rows it has.
    fn told(
        &mut self,
        engine: &mut Engine,
        told: Told,
        about: impl FnOnce(u64) -> About,
    ) -> Result<Arc<crate::facts::Outcome>, Error> {
        match told {
            Told::Made(derived) => {
                let query = self.results.last().map(|(_, result)| result.outcome().query.clone());
                let query =
                    query.ok_or_else(|| Error::Internal("a call without a statement".into()))?;
                let about = about(derived.rows.len() as u64);
                engine.derive(&query, derived, about)
            }
            Told::Ran(name) => {
                let place = self.results.iter().position(|(known, _)| *known == name);
                let place = place.ok_or_else(|| {
                    Error::Internal(format!("there is no result `{name}` in the call"))
                })?;
                let (_, result) = self.results.remove(place);
                let result = Rc::into_inner(result).ok_or_else(|| {
                    Error::Internal(format!("the result `{name}` of the call is not its own"))
                })?;
                let about = about(result.outcome().rows.len() as u64);
                Ok(engine.keep_as(result, about))
            }
        }
    }
}
