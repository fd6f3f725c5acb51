//! Plans: from a checked query to DataFusion's logical plan.
//!
//! scan → stages (map, windows) → where → aggregate → sort → limit → projection. The optimizer moves
//! filters down and drops what is not read; what must be counted is counted by relays.

mod behind;
mod missing;
mod wide;

pub(crate) use behind::{Evidence, evidence_plan, groups_plan, members_plan, shown_plan};
pub(crate) use missing::{LeftOut, Missing};
pub(crate) use wide::Fetch;

use super::arrange::{Key, arrange};
use super::expr::{Aggregates, Code, Lowered, Lowering, Scope, Stage, Stages, column};
use super::extent::Extent;
use super::functions::domain_rank;
use super::relay::{Counter, relay, relay_first};
use super::scan::{MemoryTable, TableData};
use super::tables::arrow_type;
use super::udf::trading::in_session;
use crate::engine::errors::from_datafusion;
use crate::error::{Error, Result};
use crate::query::check::{CheckedStep, Domain, Named, Node, SortKey, Typed};
use arrow::array::StringArray;
use arrow::datatypes::{DataType, Field};
use datafusion::catalog::default_table_source::provider_as_source;
use datafusion::common::Column;
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::functions_aggregate::min_max::min_udaf;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, SortExpr, lit};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use wide::Output;

/// What a query reads: a loaded table, or bars made from it.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The rows.
    pub(crate) data: Arc<TableData>,
    /// The column that keeps series apart.
    pub(crate) series: Option<String>,
    /// Which of the rows it is about.
    pub(crate) extent: Extent,
    /// What makes the calendar date of a timestamp its trading date, in microseconds.
    pub(crate) shift: i64,
    /// The rows are in time order, as those of a table are: no step has sorted or grouped them.
    pub(crate) in_time: bool,
}

/// How many rows left `where`.
#[derive(Debug)]
pub(crate) enum Matched {
    /// All that entered.
    All,
    /// Those that passed this place of the plan.
    Counted(Counter),
    /// The single value of this plan of its own: a limit ends the first plan early.
    Pass(LogicalPlan),
}

/// A query as DataFusion runs it.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The final rows.
    pub(crate) rows: LogicalPlan,
    /// How many rows left `where`.
    pub(crate) matched: Matched,
    /// How many groups there were before the limit.
    pub(crate) groups: Option<Counter>,
    /// What counts the missing values that the aggregates leave out.
    pub(crate) missing: Missing,
    /// Rows that enter `where`.
    pub(crate) scanned: u64,
    /// Rows that a scan reads, those outside the period that windows look back at included.
    pub(crate) reads: u64,
    /// What makes the result's rows of those of `rows`, where these are not they.
    pub(crate) fetch: Option<Fetch>,
    /// For each column of the result that holds codes, what they stand for.
    pub(crate) names: Vec<Option<Arc<StringArray>>>,
}

/// The plan of a step over `source`; its scans count the rows they read in `done`. Where the step has
/// a limit, the plan's is higher by `more`.
pub(crate) fn plan(
    step: &CheckedStep,
    source: &Source,
    done: &Arc<AtomicU64>,
    more: usize,
) -> Result<Plan> {
    let mut planner = Planner { more, ..Planner::new(source, done)? };
    let input = planner.input(step)?;
    let plan = if step.aggregates() {
        planner.groups(step, input, Wanted::Result)?
    } else {
        planner.rows(step, input, false)?
    };
    Ok(planner.counted(plan))
}

/// What is wanted of the groups.
#[derive(Clone, Copy)]
enum Wanted<'q> {
    /// What the query says.
    Result,
    /// The first row of each, and some of the measures.
    Firsts(&'q [&'q Named]),
}

/// What stands before the aggregation or the sort.
struct Input {
    /// Names in sight after `map`.
    scope: Scope,
    /// The condition of `where`.
    filter: Option<Expr>,
}

struct Planner<'a> {
    source: &'a Source,
    done: &'a Arc<AtomicU64>,
    row: Expr,
    series: Option<Expr>,
    stages: Stages,
    aggregates: Aggregates,
    more: usize,
}

impl<'a> Planner<'a> {
    fn new(source: &'a Source, done: &'a Arc<AtomicU64>) -> Result<Self> {
        let mut planner = Self {
            source,
            done,
            row: column(&internal(source.data.row_column())),
            series: None,
            stages: Stages::default(),
            aggregates: Aggregates::default(),
            more: 0,
        };
        if let Some(name) = &source.series {
            let series = planner.source_column(name);
            let series = series.ok_or_else(|| Error::Internal("no series column".into()))?;
            planner.series = Some(series.comparable().clone());
        }
        Ok(planner)
    }

    /// The table's columns by name.
    fn source_scope(&self) -> Scope {
        let own = self.source.data.row_column();
        let fields = self.source.data.schema().fields().iter().take(own).enumerate();
        fields.map(|(i, field)| (field.name().clone(), self.source_at(i, field))).collect()
    }

    /// The table's column with this name.
    fn source_column(&self, name: &str) -> Option<Lowered> {
        let own = self.source.data.row_column();
        let mut fields = self.source.data.schema().fields().iter().take(own).enumerate();
        fields.find(|(_, field)| field.name() == name).map(|(i, field)| self.source_at(i, field))
    }

    fn source_at(&self, place: usize, field: &Field) -> Lowered {
        let mut bound = Lowered::new(column(&internal(place)), field.data_type().clone(), 0);
        bound.code = self.source.data.codes(place).map(|(at, names)| Code {
            expr: column(&internal(at)),
            names,
            domain: None,
        });
        bound
    }

    fn lower(&mut self, typed: &Typed, scope: &Scope) -> Result<Lowered> {
        self.lowering(scope, scope, false).lower(typed)
    }

    /// An expression of `map` or `where`, where an aggregate has one value for the whole series.
    fn lower_row(&mut self, typed: &Typed, scope: &Scope) -> Result<Lowered> {
        self.lowering(scope, scope, true).lower(typed)
    }

    fn lower_measure(&mut self, typed: &Typed, scope: &Scope, inner: &Scope) -> Result<Lowered> {
        self.lowering(scope, inner, false).lower(typed)
    }

    fn lowering<'l>(
        &'l mut self,
        scope: &'l Scope,
        inner: &'l Scope,
        broadcast: bool,
    ) -> Lowering<'l> {
        Lowering {
            scope,
            inner,
            broadcast,
            row: self.row.clone(),
            series: self.series.clone(),
            period: self.period(),
            shift: self.source.shift,
            in_time: self.source.in_time,
            stages: &mut self.stages,
            aggregates: &mut self.aggregates,
        }
    }

    /// True on the rows of the period, where a plan may have others: what looks at the whole of the
    /// rows and not back from one of them takes these alone.
    fn period(&self) -> Option<Expr> {
        let extent = &self.source.extent;
        extent.looks_outside(&self.source.data).then(|| {
            let row = || self.row.clone();
            row().gt_eq(lit(extent.rows.start)).and(row().lt(lit(extent.rows.end)))
        })
    }

    /// The condition by which rows outside the period go once the windows have seen them.
    fn outside(&self) -> Option<Expr> {
        self.period().filter(|_| self.stages.windows() > 0)
    }

    fn counted(&self, plan: Plan) -> Plan {
        let extent = &self.source.extent;
        let reads = match self.outside() {
            Some(_) => self.source.data.rows(),
            None => extent.rows.end - extent.rows.start,
        };
        Plan { scanned: extent.scanned, reads, ..plan }
    }

    /// Lowers `map` and `where`.
    fn input(&mut self, step: &CheckedStep) -> Result<Input> {
        let mut scope = self.source_scope();
        for (i, made) in step.map().iter().enumerate() {
            let lowered = self.lower_row(&made.expr, &scope)?;
            let bound = if let Expr::Column(_) = lowered.expr {
                lowered
            } else {
                let name = format!("m{i}");
                let ready = self.stages.project(&name, lowered.expr, lowered.ready);
                let mut bound = Lowered::new(column(&name), lowered.ty, ready);
                bound.code = lowered.code;
                bound
            };
            scope.insert(made.name.clone(), bound);
        }
        let filter = match step.filter() {
            Some(filter) => Some(self.lower_row(&filter.expr, &scope)?.expr),
            None => None,
        };
        Ok(Input { scope, filter })
    }

    /// Scan, session, stages, period, of the columns that they and what comes after them (`later`)
    /// read. Everything must have been lowered before.
    fn base<'e>(&self, later: impl IntoIterator<Item = &'e Expr>) -> Result<LogicalPlanBuilder> {
        let data = &self.source.data;
        let extent = &self.source.extent;
        let outside = self.outside();
        let mut places = wide::reads(later);
        places.insert(data.row_column());
        for stage in &self.stages.list {
            let (Stage::Project(list) | Stage::Window(list)) = stage;
            places.extend(wide::reads(list.iter().map(|(_, expr)| expr)));
        }
        let session = match &extent.session {
            Some((name, session)) => {
                let time = self.source_column(name);
                let time = time.ok_or_else(|| Error::Internal("no time column".into()))?;
                Some(in_session(time.expr, session))
            }
            None => None,
        };
        places.extend(wide::reads(&session));
        let mut table = MemoryTable::new(data.clone(), self.done.clone());
        if outside.is_none() {
            table = table.only(extent.rows.clone());
        }
        let fields = data.schema().fields();
        let names = places.iter().filter_map(|&place| fields.get(place).map(|f| (place, f)));
        let names = names.map(|(place, field)| {
            Expr::Column(Column::new(Some("t"), field.name())).alias(internal(place))
        });
        let names: Vec<Expr> = names.collect();
        let table = provider_as_source(Arc::new(table));
        let scan = LogicalPlanBuilder::scan("t", table, Some(places.into_iter().collect()));
        let mut plan = scan.and_then(|scan| scan.project(names)).map_err(from_datafusion)?;
        if let Some(session) = session {
            plan = plan.filter(session).map_err(from_datafusion)?;
        }
        for stage in &self.stages.list {
            match stage {
                Stage::Project(list) => {
                    let kept = plan.schema().columns().into_iter().map(Expr::Column);
                    let added = list.iter().map(|(name, expr)| expr.clone().alias(name));
                    let all: Vec<Expr> = kept.chain(added).collect();
                    plan = plan.project(all).map_err(from_datafusion)?;
                }
                Stage::Window(list) => {
                    let added = list.iter().map(|(name, expr)| expr.clone().alias(name));
                    plan = plan.window(added.collect::<Vec<_>>()).map_err(from_datafusion)?;
                    // What a window gives comes as one batch: the relay cuts it.
                    let mut whole = plan.build().map_err(from_datafusion)?;
                    if list.iter().any(|(_, window)| super::expr::reorders(window, &self.row)) {
                        // Sorted for that: back into the order of the rows.
                        let row = internal(data.row_column());
                        whole = arrange(whole, vec![Key { column: row, descending: false }]);
                    }
                    plan = LogicalPlanBuilder::from(relay(whole, Counter::default()));
                }
            }
        }
        match outside {
            Some(period) => plan.filter(period).map_err(from_datafusion),
            None => Ok(plan),
        }
    }

    /// A plan of one number: the rows that leave `where`.
    fn count(plan: LogicalPlanBuilder) -> Result<LogicalPlan> {
        let count = count_udaf().call(vec![lit(1i64)]).alias("o0");
        let plan = plan.aggregate(Vec::<Expr>::new(), vec![count]);
        plan.and_then(LogicalPlanBuilder::build).map_err(from_datafusion)
    }

    /// The number of the row.
    fn number(&self) -> Lowered {
        Lowered::new(self.row.clone(), DataType::UInt64, 0)
    }

    fn limit(&self, query: &CheckedStep) -> Option<usize> {
        let limit = query.limit().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        limit.map(|n| n.saturating_add(self.more))
    }

    /// Cell A: rows, or their numbers alone.
    fn rows(&mut self, query: &CheckedStep, input: Input, numbers: bool) -> Result<Plan> {
        let mut order = Vec::new();
        for key in query.sort() {
            let lowered = self.lower(&key.expr, &input.scope)?;
            order.push(sort_key(key, &lowered)?);
        }
        let mut output = Vec::new();
        if numbers {
            output.push(self.number());
        } else if let Some(columns) = query.columns() {
            for Named { expr, .. } in columns {
                output.push(self.lower(expr, &input.scope)?);
            }
        } else {
            for made in query.output() {
                output.push(bound(&input.scope, &made.column.name)?.clone());
            }
        }
        let mut limit = self.limit(query);
        let sorted = !order.is_empty();
        let output = Output::of(output, self.number(), &self.source.data);
        let keys = order.iter().map(|key| &key.expr);
        let mut plan = self.base(keys.chain(&input.filter).chain(output.exprs()))?;
        let mut matched = Matched::All;
        if let Some(filter) = input.filter {
            plan = plan.filter(filter).map_err(from_datafusion)?;
            if limit.is_some() && !sorted && self.stages.windows() == 0 {
                // A limit alone ends the plan as soon as it has its rows, which is the point of it:
                // the matching rows are counted by a pass that reads the filter's columns only.
                matched = Matched::Pass(Self::count(plan.clone())?);
            } else {
                // A sort or a window reads everything anyway, and costs more than what a pass of its
                // own would save.
                let counter = Counter::default();
                let filtered = plan.build().map_err(from_datafusion)?;
                let counted = match limit.take_if(|_| !sorted) {
                    Some(n) => relay_first(filtered, counter.clone(), n),
                    None => relay(filtered, counter.clone()),
                };
                plan = LogicalPlanBuilder::from(counted);
                matched = Matched::Counted(counter);
            }
        }
        if sorted {
            plan = sort(plan, order, limit, Some(&self.row))?;
        }
        output.finish(plan, 0, limit, matched)
    }

    /// Cells B to E: aggregates, with keys or without.
    fn groups(&mut self, query: &CheckedStep, input: Input, wanted: Wanted) -> Result<Plan> {
        let nested = nested_columns(query);
        let mut keys = Vec::new();
        let mut post = Scope::new();
        for (i, key) in query.keys().iter().enumerate() {
            let lowered = self.lower(&key.expr, &input.scope)?;
            let name = format!("k{i}");
            // Codes group faster than text. They become text again at the very end, so a key that
            // an expression reads is grouped by its text.
            let code = lowered.code.clone().filter(|_| !nested.contains(key.name.as_str()));
            let (expr, made) = match code {
                Some(code) => {
                    let mut made = Lowered::new(column(&name), DataType::Int32, 0);
                    made.code = Some(Code { expr: column(&name), ..code.clone() });
                    (code.expr, made)
                }
                None => (lowered.expr, Lowered::new(column(&name), lowered.ty, 0)),
            };
            keys.push((expr.alias(&name), key.expr.domain, made.clone()));
            post.insert(key.name.clone(), made.clone());
            if let Node::Column(source) = &key.expr.node {
                post.entry(source.clone()).or_insert(made);
            }
        }
        let mut measures = Vec::new();
        for (i, measure) in query.measures().iter().enumerate() {
            let lowered = self.lower_measure(&measure.expr, &post, &input.scope)?;
            let (expr, ty) = match measure.expr.kind {
                // Small integers may stay as they are stored.
                Some(kind) if lowered.ty != DataType::Int32 => {
                    (lowered.fit(kind), arrow_type(kind))
                }
                _ => (lowered.expr, lowered.ty),
            };
            measures.push((expr, Lowered::new(column(&format!("s{i}")), ty, 0)));
        }
        for (measure, (_, made)) in query.measures().iter().zip(&measures) {
            post.insert(measure.name.clone(), made.clone());
        }
        let mut order = Vec::new();
        for key in query.sort() {
            let lowered = self.lower(&key.expr, &post)?;
            order.push(sort_key(key, &lowered)?);
        }
        for (_, domain, made) in &keys {
            order.push(ascending(made, *domain)?);
        }
        let mut output = Vec::new();
        let mut limit = self.limit(query);
        let mut first = None;
        if let Wanted::Firsts(measures) = wanted {
            limit = None;
            first = Some(min_udaf().call(vec![self.row.clone()]).alias(FIRST));
            output.push(Lowered::new(column(FIRST), DataType::UInt64, 0));
            for measure in measures {
                output.push(bound(&post, &measure.name)?.clone());
            }
        } else if let Some(columns) = query.columns() {
            for Named { expr, .. } in columns {
                output.push(self.lower(expr, &post)?);
            }
        } else {
            output.extend(keys.iter().map(|(_, _, made)| made.clone()));
            output.extend(measures.iter().map(|(_, made)| made.clone()));
        }

        let computed = keys.iter().map(|(expr, _, _)| expr).chain(&self.aggregates.list);
        let mut plan = self.base(computed.chain(&input.filter))?;
        let mut matched = Matched::All;
        let missing = self.missing(query, &input.scope);
        let counted = input.filter.is_some() || !missing.columns.is_empty();
        if let Some(filter) = input.filter {
            plan = plan.filter(filter).map_err(from_datafusion)?;
            matched = Matched::Counted(missing.counter.clone());
        }
        if counted {
            let rows = plan.build().map_err(from_datafusion)?;
            plan = LogicalPlanBuilder::from(relay(rows, missing.counter.clone()));
        }
        let aggregates = std::mem::take(&mut self.aggregates).list;
        let named = aggregates.into_iter().enumerate().map(|(i, a)| a.alias(format!("a{i}")));
        let kept_first = first.is_some().then(|| column(FIRST));
        let named = named.chain(first);
        let key_exprs: Vec<Expr> = keys.iter().map(|(expr, _, _)| expr.clone()).collect();
        plan = plan.aggregate(key_exprs, named.collect::<Vec<_>>()).map_err(from_datafusion)?;
        let mut groups = None;
        if limit.is_some() {
            // Between the groups and the limit, so that the limit ends nothing early.
            let counter = Counter::default();
            let whole = plan.build().map_err(from_datafusion)?;
            plan = LogicalPlanBuilder::from(relay(whole, counter.clone()));
            groups = Some(counter);
        }
        let kept = keys.iter().enumerate().map(|(i, _)| column(&format!("k{i}")));
        let made = measures.iter().enumerate().map(|(i, (e, _))| e.clone().alias(format!("s{i}")));
        let kept = kept.chain(made).chain(kept_first).collect::<Vec<_>>();
        plan = plan.project(kept).map_err(from_datafusion)?;
        if !order.is_empty() {
            plan = sort(plan, order, limit, None)?;
        }
        let plan = finish(plan, &output, 0, limit, matched, groups)?;
        Ok(Plan { missing, ..plan })
    }
}

/// Sorts by `order`, rows that are alike in the order they came.
fn sort(
    plan: LogicalPlanBuilder,
    mut order: Vec<SortExpr>,
    limit: Option<usize>,
    row: Option<&Expr>,
) -> Result<LogicalPlanBuilder> {
    if limit.is_some() {
        // The row number makes the top-k stable.
        order.extend(row.map(|row| row.clone().sort(true, false)));
        return plan.sort(order).map_err(from_datafusion);
    }
    let mut keys = Vec::with_capacity(order.len());
    let mut made = Vec::new();
    for (i, SortExpr { expr, asc, .. }) in order.into_iter().enumerate() {
        let name = match expr {
            Expr::Column(column) => column.name,
            expr => {
                let name = format!("b{i}");
                made.push(expr.alias(&name));
                name
            }
        };
        keys.push(Key { column: name, descending: !asc });
    }
    let kept = plan.schema().columns().into_iter().map(Expr::Column);
    let all: Vec<Expr> = kept.chain(made).collect();
    let plan = plan.project(all).and_then(LogicalPlanBuilder::build).map_err(from_datafusion)?;
    Ok(LogicalPlanBuilder::from(arrange(plan, keys)))
}

/// More rows than there can be, such that two of it still fit.
const MOST_ROWS: usize = usize::MAX >> 2;

/// Limits and projects.
fn finish(
    mut plan: LogicalPlanBuilder,
    output: &[Lowered],
    offset: usize,
    limit: Option<usize>,
    matched: Matched,
    groups: Option<Counter>,
) -> Result<Plan> {
    if offset > 0 || limit.is_some() {
        let limit = limit.map(|n| n.min(MOST_ROWS));
        plan = plan.limit(offset.min(MOST_ROWS), limit).map_err(from_datafusion)?;
    }
    let exprs =
        output.iter().enumerate().map(|(i, made)| made.comparable().clone().alias(format!("o{i}")));
    plan = plan.project(exprs.collect::<Vec<_>>()).map_err(from_datafusion)?;
    let names = wide::names(output);
    let rows = plan.build().map_err(from_datafusion)?;
    let missing = Missing::default();
    Ok(Plan { rows, matched, groups, missing, scanned: 0, reads: 0, fetch: None, names })
}

/// The engine's own name of the number of a group's first row.
const FIRST: &str = "first";

/// The engine's own name of the scan's column.
fn internal(place: usize) -> String {
    format!("c{place}")
}

fn bound<'s>(scope: &'s Scope, name: &str) -> Result<&'s Lowered> {
    scope.get(name).ok_or_else(|| Error::Internal("a column that the plan does not have".into()))
}

fn sort_key(key: &SortKey, lowered: &Lowered) -> Result<SortExpr> {
    let mut sort = ascending(lowered, key.expr.domain)?;
    sort.asc = !key.descending;
    Ok(sort)
}

/// Smallest first, in the order of the domain where there is one; nulls last.
fn ascending(lowered: &Lowered, domain: Option<Domain>) -> Result<SortExpr> {
    let by = match domain {
        // The codes of text that was read from a table have the order of the alphabet.
        Some(domain) if lowered.code.as_ref().is_none_or(|c| c.domain != Some(domain)) => {
            domain_rank(lowered.expr.clone(), domain)?
        }
        _ => lowered.comparable().clone(),
    };
    Ok(by.sort(true, false))
}

/// The columns that an expression of the grouped table reads as a part of something bigger.
fn nested_columns(query: &CheckedStep) -> HashSet<&str> {
    let measures = query.measures().iter().map(|m| &m.expr);
    let sort = query.sort().iter().map(|k| &k.expr);
    let columns = query.columns().unwrap_or_default().iter().map(|c| &c.expr);
    let bigger = measures.chain(sort).chain(columns);
    bigger.filter(|e| !matches!(e.node, Node::Column(_))).flat_map(Typed::columns).collect()
}
