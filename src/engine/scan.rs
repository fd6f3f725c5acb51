//! A loaded table as DataFusion sees it: one partition, exact statistics, columns read on demand,
//! virtual columns, and a stream that hands the thread back every so often.
//!
//! The virtual columns are the row's number, and for each text column that is a dictionary the code
//! of its value: all batches share one sorted dictionary, so that comparing, grouping and sorting
//! codes is comparing, grouping and sorting text, at the price of integers.

use super::held::Held;
use super::sharing::Sharing;
use arrow::array::{
    Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, StringArray, UInt64Array,
};
use arrow::compute::SortOptions;
use arrow::datatypes::{DataType, Field, Int32Type, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{ColumnStatistics, Result, Statistics};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::Stream;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

/// Rows that an operator gets at a time: few enough for its intermediate arrays to stay in cache.
pub(super) const CHUNK_ROWS: usize = 16_384;

/// Rows between two hand-backs of the thread.
pub(crate) const YIELD_ROWS: usize = 65_536;

/// What a column of the scan is made from.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// This column of the batches.
    Column(usize),
    /// The number of the row.
    Row,
    /// The codes of this dictionary column.
    Codes(usize),
}

/// The rows of a table, shared by all its scans.
#[derive(Debug)]
pub(crate) struct TableData {
    /// The table's columns, then the virtual ones.
    schema: SchemaRef,
    /// What each column of `schema` is made from.
    origins: Vec<Origin>,
    /// The sorted values of each of the table's columns that is a dictionary.
    dictionaries: Vec<Option<Arc<StringArray>>>,
    /// The places in `schema` of the codes of each of the table's columns that is a dictionary.
    codes: Vec<Option<usize>>,
    /// The place in `schema` of the row number.
    row: usize,
    batches: Vec<RecordBatch>,
    /// The number of each batch's first row.
    starts: Vec<u64>,
    rows: u64,
    bytes: usize,
    /// Where the buffers of the batches are, once that was wanted.
    places: OnceLock<HashSet<usize>>,
}

impl TableData {
    /// Data of `batches`, which all have `arrow`'s columns; dictionaries become shared and sorted.
    pub(crate) fn new(arrow: &SchemaRef, mut batches: Vec<RecordBatch>) -> Result<Self> {
        let columns = 0..arrow.fields().len();
        let dictionaries = columns
            .map(|column| {
                let Some(mut sharing) = Sharing::begin(&batches, arrow, column) else {
                    return Ok(None);
                };
                while sharing.next(&mut batches)? {}
                Ok(Some(sharing.texts()))
            })
            .collect::<Result<_>>()?;
        Ok(Self::shared(arrow, batches, dictionaries))
    }

    /// Data of batches whose dictionaries are shared already: these are they.
    pub(crate) fn shared(
        arrow: &SchemaRef,
        batches: Vec<RecordBatch>,
        dictionaries: Vec<Option<Arc<StringArray>>>,
    ) -> Self {
        let mut origins: Vec<Origin> = (0..arrow.fields().len()).map(Origin::Column).collect();
        let mut fields: Vec<Arc<Field>> = arrow.fields().iter().cloned().collect();
        // The virtual names differ from each other in more than what is put before them.
        let taken: HashSet<&str> = arrow.fields().iter().map(|f| f.name().as_str()).collect();
        let mut add = |mut name: String, kind, nullable, origin| {
            while taken.contains(name.as_str()) {
                name.insert(0, '_');
            }
            fields.push(Arc::new(Field::new(name, kind, nullable)));
            origins.push(origin);
            fields.len() - 1
        };
        let row = add("__row".into(), DataType::UInt64, false, Origin::Row);
        let codes = dictionaries.iter().enumerate().map(|(column, dictionary)| {
            let name = dictionary.as_ref().map(|_| format!("__code_{column}"));
            name.map(|name| add(name, DataType::Int32, true, Origin::Codes(column)))
        });
        let codes = codes.collect();
        let mut rows = 0;
        let mut starts = Vec::with_capacity(batches.len());
        for batch in &batches {
            starts.push(rows);
            rows += batch.num_rows() as u64;
        }
        let bytes = Held::of(&batches);
        let schema = Arc::new(Schema::new(fields));
        Self {
            schema,
            origins,
            dictionaries,
            codes,
            row,
            batches,
            starts,
            rows,
            bytes,
            places: OnceLock::new(),
        }
    }

    /// The same rows with these columns of the table alone.
    pub(crate) fn of_columns(&self, columns: &[usize]) -> Result<Self> {
        let Some(first) = self.batches.first() else {
            // The virtual columns come after those of the table.
            let own: Vec<Arc<Field>> =
                columns.iter().filter_map(|&c| self.schema.fields().get(c).cloned()).collect();
            let none = vec![None; own.len()];
            return Ok(Self::shared(&Arc::new(Schema::new(own)), Vec::new(), none));
        };
        let schema = Arc::new(first.schema().project(columns)?);
        let batches = self.batches.iter().map(|batch| batch.project(columns));
        let texts = |&column: &usize| self.dictionaries.get(column).cloned().flatten();
        let dictionaries = columns.iter().map(texts).collect();
        Ok(Self::shared(&schema, batches.collect::<Result<_, _>>()?, dictionaries))
    }

    /// How many rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of Arrow memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether a buffer that begins there is the table's own.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.places.get_or_init(|| Held::places(&self.batches)).contains(&place)
    }

    /// The table's columns, then the virtual ones.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The batches, without the virtual columns.
    pub(crate) fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// The place of the row number in `schema`.
    pub(crate) fn row_column(&self) -> usize {
        self.row
    }

    /// The place in `schema` of a dictionary column's codes, and the text that each code stands for.
    pub(crate) fn codes(&self, column: usize) -> Option<(usize, Arc<StringArray>)> {
        let values = self.dictionaries.get(column)?.clone()?;
        Some((self.codes.get(column).copied()??, values))
    }

    /// The batch that has a row, and the number of its first row.
    pub(crate) fn place(&self, row: u64) -> Option<(usize, u64)> {
        let batch = self.starts.partition_point(|&start| start <= row).checked_sub(1)?;
        Some((batch, *self.starts.get(batch)?)).filter(|_| row < self.rows)
    }

    /// Some rows of one of the batches as the column of the scan.
    pub(crate) fn array(
        &self,
        column: usize,
        batch: usize,
        offset: usize,
        length: usize,
    ) -> Option<ArrayRef> {
        let source = self.batches.get(batch)?;
        Some(match *self.origins.get(column)? {
            Origin::Column(column) => source.columns().get(column)?.slice(offset, length),
            Origin::Codes(column) => {
                let dictionary = source.columns().get(column)?.as_dictionary_opt::<Int32Type>()?;
                Arc::new(dictionary.keys().slice(offset, length))
            }
            Origin::Row => {
                let first = self.starts.get(batch)? + offset as u64;
                Arc::new(UInt64Array::from_iter_values(first..first + length as u64))
            }
        })
    }
}

/// One scan's view of a table: the data, and where it counts the rows it has read.
#[derive(Debug, Clone)]
pub(crate) struct MemoryTable {
    data: Arc<TableData>,
    done: Arc<AtomicU64>,
    /// The rows that there are to read.
    rows: Range<u64>,
}

impl MemoryTable {
    /// A table whose scans add the rows they read to `done`.
    pub(crate) fn new(data: Arc<TableData>, done: Arc<AtomicU64>) -> Self {
        let rows = 0..data.rows;
        Self { data, done, rows }
    }

    /// Only these rows; what is outside is not touched.
    #[must_use]
    pub(crate) fn only(mut self, rows: Range<u64>) -> Self {
        self.rows = rows.start.min(self.data.rows)..rows.end.min(self.data.rows);
        self
    }

    fn length(&self) -> usize {
        usize::try_from(self.rows.end.saturating_sub(self.rows.start)).unwrap_or(usize::MAX)
    }
}

#[async_trait::async_trait]
impl TableProvider for MemoryTable {
    fn schema(&self) -> SchemaRef {
        self.data.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let projection = match projection {
            Some(columns) => columns.clone(),
            None => (0..self.data.schema.fields().len()).collect(),
        };
        Ok(Arc::new(ScanExec::new(self.clone(), projection)?))
    }

    fn statistics(&self) -> Option<Statistics> {
        Some(self.statistics_of(&(0..self.data.schema.fields().len()).collect::<Vec<_>>()))
    }
}

impl MemoryTable {
    fn statistics_of(&self, projection: &[usize]) -> Statistics {
        let data = &self.data;
        let mut statistics = Statistics::default()
            .with_num_rows(Precision::Exact(self.length()))
            .with_total_byte_size(Precision::Inexact(data.bytes));
        let whole = self.length() as u64 == data.rows;
        for &column in projection {
            let nulls = data.batches.iter().map(|b| match data.origins.get(column) {
                Some(Origin::Column(c) | Origin::Codes(c)) => b.column(*c).logical_null_count(),
                _ => 0,
            });
            let nulls: usize = nulls.sum();
            // Of a part of the rows only that there are none is known.
            let nulls = if whole || nulls == 0 {
                Precision::Exact(nulls)
            } else {
                Precision::Inexact(nulls.min(self.length()))
            };
            statistics = statistics
                .add_column_statistics(ColumnStatistics::new_unknown().with_null_count(nulls));
        }
        statistics
    }
}

/// The scan of some columns of a table.
#[derive(Debug)]
pub(super) struct ScanExec {
    table: MemoryTable,
    projection: Vec<usize>,
    properties: Arc<PlanProperties>,
}

impl ScanExec {
    fn new(table: MemoryTable, projection: Vec<usize>) -> Result<Self> {
        let schema = Arc::new(table.data.schema.project(&projection)?);
        let row = table.data.row_column();
        let ordering = projection.iter().position(|&c| c == row).map(|at| {
            let column = Arc::new(Column::new(schema.field(at).name(), at));
            vec![PhysicalSortExpr::new(column, SortOptions::new(false, false))]
        });
        let equivalence = EquivalenceProperties::new_with_orderings(schema, ordering);
        let properties = PlanProperties::new(
            equivalence,
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        Ok(Self { table, projection, properties: Arc::new(properties) })
    }
}

impl DisplayAs for ScanExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScanExec: columns={:?}", self.projection)
    }
}

impl ExecutionPlan for ScanExec {
    fn name(&self) -> &'static str {
        "ScanExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, _: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let first = self.table.rows.start;
        let batch = self.table.data.starts.partition_point(|&start| start <= first);
        let batch = batch.saturating_sub(1);
        let start = self.table.data.starts.get(batch).copied().unwrap_or(0);
        let offset = usize::try_from(first.saturating_sub(start)).unwrap_or(usize::MAX);
        Ok(Box::pin(ScanStream {
            table: self.table.clone(),
            projection: self.projection.clone(),
            schema: self.schema(),
            batch,
            offset,
            left: self.table.length(),
            since_yield: 0,
        }))
    }

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        Ok(Arc::new(self.table.statistics_of(&self.projection)))
    }
}

/// The rows of a scan, chunk by chunk.
struct ScanStream {
    table: MemoryTable,
    projection: Vec<usize>,
    schema: SchemaRef,
    batch: usize,
    offset: usize,
    /// Rows still to read.
    left: usize,
    since_yield: usize,
}

impl ScanStream {
    /// The next chunk without copying a column, `None` at the end.
    fn chunk(&mut self) -> Option<Result<RecordBatch>> {
        let data = &self.table.data;
        if self.left == 0 {
            return None;
        }
        let batch = data.batches.get(self.batch)?;
        let length = CHUNK_ROWS.min(batch.num_rows() - self.offset).min(self.left);
        let columns = self
            .projection
            .iter()
            .map(|&column| data.array(column, self.batch, self.offset, length))
            .collect::<Option<Vec<_>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(length));
        let chunk = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options);
        self.offset += length;
        self.left -= length;
        if self.offset >= batch.num_rows() {
            self.batch += 1;
            self.offset = 0;
        }
        self.since_yield += length;
        self.table.done.fetch_add(length as u64, Ordering::Relaxed);
        Some(chunk.map_err(Into::into))
    }
}

impl Stream for ScanStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.since_yield >= YIELD_ROWS {
            self.since_yield = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.chunk())
    }
}

impl RecordBatchStream for ScanStream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[cfg(test)]
mod tests;
