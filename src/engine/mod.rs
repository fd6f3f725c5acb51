//! The engine: the only place that knows Arrow and DataFusion. It holds the loaded tables, runs
//! checked queries a step at a time, and keeps the results, whose rows stay here.

mod arrange;
mod arrays;
mod bars;
mod buckets;
mod compare;
mod derive;
mod errors;
mod expr;
mod extent;
mod foremost;
mod functions;
mod gaps;
mod groups;
mod held;
pub mod ingest;
mod interval;
mod keeping;
mod lasting;
mod lists;
mod local;
mod members;
mod memory;
mod plan;
mod prints;
#[cfg(test)]
mod proto;
mod radix;
mod relay;
mod results;
mod rows;
mod run;
mod scan;
mod scripts;
mod session;
mod sharing;
mod spill;
mod sql;
mod steps;
mod support;
mod tables;
#[cfg(test)]
mod tests;
mod ties;
mod udf;
mod views;

pub use derive::{About, Derived, Unkept};
pub use errors::without_sizes;
pub use keeping::{Keeping, Reopening};
pub use prints::Printing;
pub use run::{Execution, Step};
pub use scripts::Scripted;
pub use spill::Disk;
pub use sql::Reads;
pub use tables::LoadedTable;
pub use views::View;

use crate::error::{Code, Diagnostic, Error, Result};
use crate::facts::{Outcome, Support};
use crate::query::CheckedQuery;
use crate::query::check::{CheckedStep, OutputColumn, ResultKind, Timeframe, Warning};
use crate::schema::{Clock, Column, TableSchema};
use crate::value::{Rows, Value};
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use bars::Bars;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use errors::{from_arrow, from_datafusion, load_limit};
use plan::{LeftOut, evidence_plan};
use results::{Kept, Results};
use rows::ArrowRows;
use run::{After, Finished, Resampling};
use scan::TableData;
use session::Sessions;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use steps::Then;

/// What an engine may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Bytes of memory for tables, running queries and results. A query over it is an error.
    pub memory_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { memory_limit: 2 << 30 }
    }
}

/// Bytes that the engine holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineStats {
    /// Of each table, by name; bars made from it included.
    pub tables: Vec<(String, usize)>,
    /// Of each result, by id.
    pub results: Vec<(String, usize)>,
    /// Of everything, running queries included.
    pub reserved: usize,
}

/// Rows behind a result.
#[derive(Clone)]
pub struct SourceRows {
    /// Their columns.
    pub columns: Vec<OutputColumn>,
    /// The rows of the page that was asked for.
    pub rows: Arc<dyn Rows>,
    /// The number of the page's first row.
    pub offset: usize,
    /// How many rows there are in all.
    pub total: u64,
}

/// Tables, queries and results of one thread.
pub struct Engine {
    shared: Rc<Shared>,
}

/// A loaded table.
struct Stored {
    schema: Arc<TableSchema>,
    data: Arc<TableData>,
    /// The rows before which its clock went back.
    folds: Vec<u64>,
    /// What tells its rows from any others, once that was wanted.
    print: OnceCell<String>,
    _reservation: MemoryReservation,
}

/// Bars of a table.
struct StoredBars {
    data: Arc<TableData>,
    left_out: u64,
    reservation: MemoryReservation,
}

/// What an engine and its running executions share.
struct Shared {
    sessions: Sessions,
    pool: Arc<dyn MemoryPool>,
    runtime: tokio::runtime::Runtime,
    tables: RefCell<Vec<Stored>>,
    /// Bars by table, version and timeframe: the next question about them starts from there.
    bars: RefCell<HashMap<BarsKey, StoredBars>>,
    results: RefCell<Results>,
    /// What tools find of the tables alone.
    lasting: RefCell<lasting::Lasting>,
    /// Loads so far, by table name.
    versions: RefCell<HashMap<String, u64>>,
}

impl Shared {
    fn spill_to(&self, disk: Box<dyn Disk>) -> Result<()> {
        self.sessions.put_on(spill::Swap::new(disk), self.pool.clone())
    }

    fn keep_bars(&self, key: BarsKey, data: Arc<TableData>, left_out: u64) -> Result<()> {
        // A table that went while its bars were made takes them with it.
        let of = |t: &Stored| t.schema.name == key.table && t.schema.version == key.version;
        if !self.tables.borrow().iter().any(of) {
            return Ok(());
        }
        let reservation = MemoryConsumer::new("bars").register(&self.pool);
        reservation.try_grow(data.bytes()).map_err(from_datafusion)?;
        self.bars.borrow_mut().insert(key, StoredBars { data, left_out, reservation });
        Ok(())
    }
}

impl Engine {
    /// An engine without tables.
    pub fn new(options: Options) -> Result<Self> {
        let (sessions, pool) = session::sessions(options.memory_limit)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .map_err(|e| Error::Internal(e.to_string()))?;
        let shared = Shared {
            sessions,
            pool,
            runtime,
            tables: RefCell::default(),
            bars: RefCell::default(),
            results: RefCell::new(Results::new(options.memory_limit / 4)),
            lasting: RefCell::default(),
            versions: RefCell::default(),
        };
        Ok(Self { shared: Rc::new(shared) })
    }

    /// Gives queries a disk to continue on where their memory ends; one is enough.
    ///
    /// # Errors
    /// A mistake of ours.
    pub fn spill_to(&self, disk: Box<dyn Disk>) -> Result<()> {
        self.shared.spill_to(disk)
    }

    /// The room that a load may take beside what is held: tables, results and what queries use.
    pub fn room(&self) -> ingest::Room {
        ingest::Room::of(&self.shared.pool)
    }

    /// Takes a table in, in place of one of the same name; its schema as the engine settled it.
    pub fn insert(&mut self, table: LoadedTable) -> Result<Arc<TableSchema>> {
        let room = table.room().clone();
        let (mut schema, data, folds) = table.settle()?.into_data()?;
        let version = {
            let mut versions = self.shared.versions.borrow_mut();
            let version = versions.entry(schema.name.clone()).or_default();
            *version += 1;
            *version
        };
        schema.version = version;
        schema.gaps = gaps::of(&schema, &data);
        let reservation = MemoryConsumer::new("table").register(&self.shared.pool);
        // What the load held is the table's from now on.
        room.hold(0)?;
        // Before the old one goes: a table that does not fit takes nobody's place.
        reservation.try_grow(data.bytes()).map_err(|error| load_limit(&error))?;
        self.drop_table(&schema.name);
        let schema = Arc::new(schema);
        self.shared.tables.borrow_mut().push(Stored {
            schema: schema.clone(),
            data: Arc::new(data),
            folds,
            print: OnceCell::new(),
            _reservation: reservation,
        });
        Ok(schema)
    }

    /// Lets a table go, and the bars made from it; whether there was one. Results stay.
    pub fn drop_table(&mut self, name: &str) -> bool {
        self.shared.bars.borrow_mut().retain(|key, _| key.table != name);
        self.shared.lasting.borrow_mut().clear();
        let mut tables = self.shared.tables.borrow_mut();
        let before = tables.len();
        tables.retain(|t| t.schema.name != name);
        tables.len() < before
    }

    /// The schemas of the loaded tables, in the order of loading.
    pub fn tables(&self) -> Vec<Arc<TableSchema>> {
        self.shared.tables.borrow().iter().map(|t| t.schema.clone()).collect()
    }

    /// Starts a query. Its result is kept under an id of its own once it is done.
    ///
    /// # Errors
    /// The table is gone, or was loaded again after the check.
    pub fn start(&mut self, query: &Arc<CheckedQuery>) -> Result<Execution<Arc<Outcome>>> {
        // Taken before it runs, so that the ids of later results do not tell whether it failed.
        let id = self.take_id();
        Ok(self.run(query.clone(), id.clone(), Shared::keep)?.named(id))
    }

    /// Starts a query of the language whose result is not kept and takes no id: for code that
    /// checks what was said.
    ///
    /// # Errors
    /// The table is gone or another one by now.
    pub fn aside(&self, query: &Arc<CheckedQuery>) -> Result<Execution<Arc<Outcome>>> {
        self.run(query.clone(), String::new(), |_, kept| kept.outcome)
    }

    /// Starts a query or a statement; `then` is given what it came to.
    fn run<T: 'static>(
        &self,
        query: Arc<CheckedQuery>,
        id: String,
        then: fn(&Shared, Kept) -> T,
    ) -> Result<Execution<T>> {
        if query.sql().is_some() {
            return self.statement(query, self.visible(), id, then);
        }
        let (last, shared, kept) = (query.steps().count() - 1, self.shared.clone(), query.clone());
        let plan: Then<T> = Box::new(move |step, source, run, done| {
            let more = usize::from(ties::are_asked(step));
            let plan = plan::plan(step, source, done, more)?;
            let columns = step.output().iter().map(|o| o.column.clone()).collect();
            let finish = move |mut finished: Finished| {
                let tied = kept.steps().next_back().and_then(|step| ties::cut(step, &mut finished));
                let mut kept = result(id, kept, run, finished);
                if let (Some(tied), Some(outcome)) = (tied, Arc::get_mut(&mut kept.outcome)) {
                    outcome.warnings.push(tied);
                }
                Ok(After::Done(then(&shared, kept)))
            };
            Ok((plan, columns, Box::new(finish) as run::Finish<_>))
        });
        self.execution(&query, steps::up_to(query.clone(), last, plan))
    }

    /// Checks a read-only SQL statement; `$1` stands for a member of `params` where it
    /// is a list, `$name` where it is an object.
    ///
    /// # Errors
    /// Everything but one `SELECT` over loaded tables, and what cannot be planned.
    pub fn check_sql(&self, text: &str, params: &serde_json::Value) -> Result<CheckedQuery> {
        sql::check(text, params, &self.visible())
    }

    fn visible(&self) -> Vec<sql::Visible> {
        let tables = self.shared.tables.borrow();
        let tables = tables.iter();
        tables.map(|t| sql::Visible { schema: t.schema.clone(), data: t.data.clone() }).collect()
    }

    /// Starts a statement over these tables; `then` is given what it came to.
    fn statement<T: 'static>(
        &self,
        query: Arc<CheckedQuery>,
        tables: Vec<sql::Visible>,
        id: String,
        then: fn(&Shared, Kept) -> T,
    ) -> Result<Execution<T>> {
        let shared = self.shared.clone();
        self.execution(
            &query.clone(),
            Box::new(move |_, left_out, done| {
                let (plan, scanned) = sql::plan(&query, &tables, done)?;
                let columns = query.output().iter().map(|o| o.column.clone()).collect();
                let finish = move |mut finished: Finished| {
                    finished.scanned = scanned;
                    if query.kind() == ResultKind::Table {
                        finished.matched = finished.rows.len() as u64;
                    }
                    let run = steps::Run::over_table(left_out);
                    Ok(run::After::Done(then(&shared, result(id, query, run, finished))))
                };
                Ok((plan, columns, Box::new(finish) as run::Finish<_>))
            }),
        )
    }

    /// The result with this id, if it is still kept.
    pub fn result(&self, id: &str) -> Option<Arc<Outcome>> {
        self.shared.results.borrow_mut().get(id).map(|kept| kept.outcome.clone())
    }

    /// The number that the id of the next result will have.
    pub fn next_result(&self) -> u64 {
        self.shared.results.borrow().next_number()
    }

    /// Lets a result go; whether there was one.
    pub fn release(&mut self, id: &str) -> bool {
        self.shared.results.borrow_mut().release(id)
    }

    /// Starts reading the rows that a result was made from, in row order: those that left `where`,
    /// of one group where its keys are named (a null key included). A table of rows is its own
    /// evidence.
    ///
    /// # Errors
    /// The result or its table is gone, or a name is no group key of it.
    pub fn source_rows(
        &self,
        id: &str,
        group: Option<&[(String, Value)]>,
        offset: usize,
        limit: usize,
    ) -> Result<Execution<SourceRows>> {
        let query = self.kept(id, |kept| kept.outcome.query.clone())?;
        if query.kind() == ResultKind::Table {
            return self.page(id, offset, limit);
        }
        self.rows_behind(&query, id, group, offset, limit)
    }

    /// The same of a query that aggregates: its result, whose id messages name, may be gone.
    ///
    /// # Errors
    /// The table is gone, or a name is no group key of the query.
    pub fn rows_behind(
        &self,
        query: &Arc<CheckedQuery>,
        id: &str,
        group: Option<&[(String, Value)]>,
        offset: usize,
        limit: usize,
    ) -> Result<Execution<SourceRows>> {
        if query.sql().is_some() {
            return Err(Diagnostic::new(
                Code::UnsupportedField,
                text!(
                    "the rows behind an aggregate of SQL are not kept; select them",
                    "строки за агрегатом SQL не хранятся; выберите их запросом"
                ),
            )
            .into());
        }
        for (name, _) in group.unwrap_or_default() {
            if !query.keys().iter().any(|key| key.name == *name) {
                let known = query.keys().iter().map(|key| key.name.clone());
                return Err(Diagnostic::new(
                    Code::UnknownColumn,
                    text!("`{name}` is no group key of `{id}`", "`{name}` не ключ групп `{id}`"),
                )
                .choices(known)
                .into());
            }
        }
        let Some((place, aggregation)) = query.aggregation() else {
            return self.page(id, offset, limit);
        };
        let columns = aggregation.sight().to_vec();
        let wanted = plan::Evidence {
            group: group.unwrap_or_default().to_vec(),
            columns: columns.iter().map(|c| c.column.name.clone()).collect(),
            offset,
            limit,
        };
        let then: Then<SourceRows> = Box::new(move |step, source, run, done| {
            let plan = evidence_plan(step, source, done, &wanted)?;
            let plain = columns.iter().map(|c| c.column.clone()).collect();
            let finish = move |finished: Finished| {
                // What the rows were made from may go only now.
                drop(run);
                let (rows, total) = (finished.rows, finished.matched);
                Ok(After::Done(SourceRows { columns, rows, offset, total }))
            };
            Ok((plan, plain, Box::new(finish) as run::Finish<_>))
        });
        self.execution(query, steps::up_to(query.clone(), place, then))
    }

    /// Starts finding out which rows of the table stand behind which row of a result; `protected` are
    /// columns of which it is told which rows have no value. Of a query of several steps, and of SQL,
    /// nothing is known.
    ///
    /// # Errors
    /// The result or its table is gone.
    pub fn support(&self, id: &str, protected: BTreeSet<String>) -> Result<Execution<Support>> {
        let query = self.kept(id, |kept| kept.outcome.query.clone())?;
        if query.sql().is_some() || query.steps().count() > 1 {
            return Ok(Execution::ready(self.shared.clone(), Support::default()));
        }
        self.execution(&query.clone(), support::support(query, protected))
    }

    /// The rows of a result as an Arrow IPC stream.
    ///
    /// # Errors
    /// The result is gone.
    pub fn to_ipc(&self, id: &str) -> Result<Vec<u8>> {
        let (rows, columns) =
            self.kept(id, |kept| (kept.rows.clone(), kept.outcome.columns.clone()))?;
        ipc(&rows, &columns).map_err(from_arrow)
    }

    /// Every value of a column as text, those of a dictionary once; nothing of a column that is not
    /// there, and of truth values, which are common words.
    pub fn each_value(&self, table: &str, column: &str, see: &mut dyn FnMut(&str)) {
        let tables = self.shared.tables.borrow();
        if let Some(stored) = tables.iter().find(|t| t.schema.name == table) {
            rows::each_value(&stored.data, column, see);
        }
    }

    /// The bytes that the engine holds.
    pub fn stats(&self) -> EngineStats {
        let bars = self.shared.bars.borrow();
        let of_bars = |name: &str| -> usize {
            let own = bars.iter().filter(|(key, _)| key.table == name);
            own.map(|(_, b)| b.reservation.size()).sum()
        };
        let tables = self.shared.tables.borrow();
        let tables = tables.iter().map(|t| {
            let name = t.schema.name.clone();
            let bytes = t.data.bytes() + of_bars(&name);
            (name, bytes)
        });
        let results = self.shared.results.borrow();
        EngineStats {
            tables: tables.collect(),
            results: results.all().map(|k| (k.outcome.id.clone(), k.reservation.size())).collect(),
            reserved: self.shared.pool.reserved(),
        }
    }

    fn kept<T>(&self, id: &str, read: impl FnOnce(&Kept) -> T) -> Result<T> {
        let mut results = self.shared.results.borrow_mut();
        if let Some(kept) = results.get(id) {
            return Ok(read(kept));
        }
        let known: Vec<String> = results.all().map(|k| k.outcome.id.clone()).collect();
        Err(Diagnostic::new(
            Code::UnknownResult,
            text!("there is no result `{id}`", "нет результата `{id}`"),
        )
        .choices(known)
        .into())
    }

    /// Rows of a table of rows.
    fn page(&self, id: &str, offset: usize, limit: usize) -> Result<Execution<SourceRows>> {
        self.kept(id, |kept| {
            let rows = SourceRows {
                columns: kept.outcome.columns.clone(),
                rows: Arc::new(kept.rows.slice(offset, limit)),
                offset,
                total: kept.rows.len() as u64,
            };
            Execution::ready(self.shared.clone(), rows)
        })
    }

    /// An execution over the rows that a query reads.
    fn execution<T>(&self, query: &CheckedQuery, plan: run::MakePlan<T>) -> Result<Execution<T>> {
        let schema = query.schema();
        let tables = self.shared.tables.borrow();
        let stored = tables.iter().find(|t| t.schema.name == schema.name);
        let Some(stored) = stored.filter(|t| t.schema.version == schema.version) else {
            return Err(stale(&schema.name, stored.is_some()));
        };
        let Some(timeframe) = query.from() else {
            return Ok(Execution::over_table(self.shared.clone(), stored.data.clone(), 0, plan));
        };
        let session = query.frame().session();
        let key = BarsKey {
            table: schema.name.clone(),
            version: schema.version,
            timeframe,
            hours: session.map(|s| (s.start, s.end)),
        };
        if let Some(bars) = self.shared.bars.borrow().get(&key) {
            let (data, left_out) = (bars.data.clone(), bars.left_out);
            return Ok(Execution::over_table(self.shared.clone(), data, left_out, plan));
        }
        let bars = Bars::new(&stored.schema, stored.data.schema(), timeframe, session)?
            .folded(&stored.folds);
        let work = Resampling { bars: Box::new(bars), from: stored.data.clone(), key, next: 0 };
        Ok(Execution::over_bars(self.shared.clone(), work, plan))
    }
}

impl Shared {
    /// Keeps what a query came to.
    fn keep(&self, result: Kept) -> Arc<Outcome> {
        let outcome = result.outcome.clone();
        self.results.borrow_mut().keep(result);
        outcome
    }
}

/// What a query came to.
fn result(id: String, query: Arc<CheckedQuery>, run: steps::Run, finished: Finished) -> Kept {
    let left_out = run.left_out;
    let rows = finished.rows.len() as u64;
    let aggregates = query.steps().next_back().is_some_and(CheckedStep::aggregates);
    let before_limit =
        if aggregates { finished.groups } else { query.limit().map(|_| finished.matched) };
    let own = (finished.scanned, finished.matched);
    let (rows_scanned, rows_matched) = match run.aggregated {
        // Groups that were filtered: their rows are those that were grouped.
        Some(of_groups) if query.kind() == ResultKind::Grouped && !aggregates => of_groups,
        _ => own,
    };
    let mut warnings = query.warnings().to_vec();
    if run.entered == 0 {
        warnings.extend(query.frame().empty(query.schema()));
    }
    let left_out_values = run.missing.iter().chain(&finished.left_out);
    warnings.extend(left_out_values.map(LeftOut::warning));
    if left_out > 0 {
        warnings.push(Warning {
            code: "rows_without_time",
            message: text!(
                "{left_out} rows without a time are in no bar",
                "строк без времени, не вошедших в бары: {left_out}"
            ),
        });
    }
    let outcome = Arc::new(Outcome {
        id,
        columns: query.output().to_vec(),
        rows: finished.rows.clone(),
        rows_scanned,
        rows_matched,
        rows_before_limit: before_limit.filter(|&before| before > rows),
        warnings,
        query,
    });
    Kept { outcome, rows: finished.rows, reservation: finished.reservation }
}

/// Which bars of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct BarsKey {
    table: String,
    version: u64,
    timeframe: Timeframe,
    /// Start and end of the session that they are made of.
    hours: Option<(Clock, Clock)>,
}

/// The table is gone, or is another one by now.
fn stale(name: &str, loaded_again: bool) -> Error {
    let message = if loaded_again {
        text!(
            "table `{name}` was loaded again after the query was checked; check the query again",
            "таблица `{name}` загружена заново после проверки запроса; проверьте запрос ещё раз"
        )
    } else {
        text!("table `{name}` is no longer loaded", "таблица `{name}` больше не загружена")
    };
    Diagnostic::new(Code::UnknownTable, message).at("/table").into()
}

/// The rows of an Arrow IPC stream that [`Engine::to_ipc`] wrote, with their columns. They are no
/// table and no result: nothing can be asked of them.
///
/// # Errors
/// The bytes are no such stream.
pub fn read_block(bytes: &[u8]) -> Result<(Vec<Column>, Arc<dyn Rows>)> {
    let reader = StreamReader::try_new(std::io::Cursor::new(bytes), None).map_err(from_arrow)?;
    let schema = reader.schema();
    let batches = reader.collect::<std::result::Result<Vec<_>, _>>().map_err(from_arrow)?;
    let columns = schema.fields().iter().map(|field| {
        let kind = tables::kind_of(field.data_type())
            .ok_or_else(|| Error::Internal("a column of another kind in a block".into()))?;
        Ok(Column::new(field.name(), kind))
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok((columns.clone(), Arc::new(ArrowRows::new(columns, batches))))
}

/// An Arrow IPC stream of rows; of an empty result, its schema.
fn ipc(
    rows: &ArrowRows,
    columns: &[OutputColumn],
) -> std::result::Result<Vec<u8>, arrow::error::ArrowError> {
    use arrow::datatypes::{Field, Schema};
    let schema = if let Some(batch) = rows.batches().first() {
        batch.schema()
    } else {
        let field =
            |c: &OutputColumn| Field::new(&c.column.name, tables::arrow_type(c.column.kind), true);
        Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
    };
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &schema)?;
    for batch in rows.batches() {
        writer.write(batch)?;
    }
    writer.finish()?;
    drop(writer);
    Ok(bytes)
}
