//! DataFusion's session as this crate runs it: one partition, no tasks but the inputs of a union, a
//! memory limit, and only the functions that are used (the linker drops the rest).

use super::arrange::ArrangeInstead;
use super::compare::ComparePlainly;
use super::foremost::ForemostFirst;
use super::groups::GroupDirectly;
use super::memory::{Pool, Short};
use super::relay::Planner;
use super::scan::CHUNK_ROWS;
use super::spill::{Files, SortOnDisk, Swap};
use super::udf;
use crate::engine::errors::from_datafusion;
use crate::error::Result;
use datafusion::common::tree_node::TreeNode;
use datafusion::config::ConfigOptions;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{MemoryLimit, MemoryPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::OptimizerRule;
use datafusion::optimizer::common_subexpr_eliminate::CommonSubexprEliminate;
use datafusion::optimizer::eliminate_duplicated_expr::EliminateDuplicatedExpr;
use datafusion::optimizer::eliminate_filter::EliminateFilter;
use datafusion::optimizer::eliminate_group_by_constant::EliminateGroupByConstant;
use datafusion::optimizer::eliminate_limit::EliminateLimit;
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::push_down_filter::PushDownFilter;
use datafusion::optimizer::push_down_limit::PushDownLimit;
use datafusion::optimizer::simplify_expressions::SimplifyExpressions;
use datafusion::optimizer::single_distinct_to_groupby::SingleDistinctToGroupBy;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::aggregate_statistics::AggregateStatistics;
use datafusion::physical_optimizer::combine_partial_final_agg::CombinePartialFinalAggregate;
use datafusion::physical_optimizer::ensure_coop::EnsureCooperative;
use datafusion::physical_optimizer::ensure_requirements::EnsureRequirements;
use datafusion::physical_optimizer::limit_pushdown::LimitPushdown;
use datafusion::physical_optimizer::limit_pushdown_past_window::LimitPushPastWindows;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_optimizer::output_requirements::OutputRequirements;
use datafusion::physical_optimizer::projection_pushdown::ProjectionPushdown;
use datafusion::physical_optimizer::topk_aggregation::TopKAggregation;
use datafusion::physical_optimizer::update_aggr_exprs::OptimizeAggregateOrder;
use datafusion::prelude::SessionConfig;
use std::cell::OnceCell;
use std::sync::Arc;

/// The session, twice: for any plan, and for plans of one table. Once there is a disk, a third time: for
/// plans that did not get the memory they wanted.
#[derive(Debug)]
pub(crate) struct Sessions {
    any: SessionState,
    plain: SessionState,
    on_disk: OnceCell<SessionState>,
}

impl Sessions {
    /// The one for this plan: planning is most of what a question over a small table takes, and the
    /// rules for joins and subqueries are most of the planning.
    pub(crate) fn of(&self, plan: &LogicalPlan) -> &SessionState {
        if is_plain(plan) { &self.plain } else { &self.any }
    }

    /// What a physical plan runs in.
    pub(crate) fn task_ctx(&self) -> Arc<TaskContext> {
        self.any.task_ctx()
    }

    /// The one whose sorts and groupings continue on a disk, where there is one.
    pub(crate) fn on_disk(&self) -> Option<&SessionState> {
        self.on_disk.get()
    }

    /// There is a disk from now on; one is enough.
    pub(crate) fn put_on(&self, disk: Arc<Swap>, pool: Arc<dyn MemoryPool>) -> Result<()> {
        let limit = match pool.memory_limit() {
            MemoryLimit::Finite(limit) => limit,
            _ => usize::MAX,
        };
        let files = DiskManagerBuilder::default().with_temp_file_factory(Arc::new(Files(disk)));
        let mut config = config().with_batch_size(DISK_ROWS);
        let held_back = &mut config.options_mut().execution.sort_spill_reservation_bytes;
        *held_back = (*held_back).min(limit / HELD_BACK);
        // Told that rows come in their order, `last` of truth values takes what it meets last, and the
        // parts of a group that come back from the disk are in none.
        let mut rules = PhysicalOptimizer::new().rules;
        let ordered = OptimizeAggregateOrder::new();
        rules.retain(|rule| rule.name() != ordered.name());
        let state = builder(Arc::new(Short(pool)), files)?
            .with_config(config)
            .with_physical_optimizer_rules(rules)
            .with_physical_optimizer_rule(Arc::new(ArrangeInstead))
            .with_physical_optimizer_rule(Arc::new(SortOnDisk))
            .with_physical_optimizer_rule(Arc::new(ComparePlainly))
            .build();
        let _ = self.on_disk.set(state);
        Ok(())
    }
}

/// Rows of a batch on a disk: of each file that is merged a batch is in memory, and the next.
const DISK_ROWS: usize = 1_024;

/// A sort that may go to the disk keeps this part of the memory for merging what it wrote, where that is
/// less than DataFusion's 10 MB.
const HELD_BACK: usize = 64;

/// Whether a plan has only steps that pass on the rows of one table.
fn is_plain(plan: &LogicalPlan) -> bool {
    let known = matches!(
        plan,
        LogicalPlan::TableScan(_)
            | LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Window(_)
            | LogicalPlan::Aggregate(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Extension(_)
    );
    let asks_another = |expr: &Expr| {
        matches!(
            expr,
            Expr::ScalarSubquery(_)
                | Expr::Exists(_)
                | Expr::InSubquery(_)
                | Expr::SetComparison(_)
                | Expr::GroupingSet(_)
        )
    };
    known
        && plan.expressions().iter().all(|e| !e.exists(|e| Ok(asks_another(e))).unwrap_or(true))
        && plan.inputs().into_iter().all(is_plain)
}

/// What all sessions have in common.
fn builder(pool: Arc<dyn MemoryPool>, disk: DiskManagerBuilder) -> Result<SessionStateBuilder> {
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(pool).with_disk_manager_builder(disk);
    let runtime = runtime.build_arc().map_err(from_datafusion)?;
    Ok(SessionStateBuilder::new()
        // An id of our own: a generated one would need randomness at start.
        .with_session_id("pinhole".into())
        .with_config(config())
        .with_runtime_env(runtime)
        .with_query_planner(Arc::new(Planner))
        .with_scalar_functions(udf::scalars())
        .with_aggregate_functions(udf::aggregates())
        .with_window_functions(udf::windows()))
}

/// The sessions and their memory pool of `memory_limit` bytes.
pub(crate) fn sessions(memory_limit: usize) -> Result<(Sessions, Arc<dyn MemoryPool>)> {
    let pool: Arc<dyn MemoryPool> = Arc::new(Pool::new(memory_limit));
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled);
    let any = builder(pool.clone(), disk)?
        .with_physical_optimizer_rule(Arc::new(GroupDirectly))
        .with_physical_optimizer_rule(Arc::new(ArrangeInstead))
        .with_physical_optimizer_rule(Arc::new(ForemostFirst))
        .with_physical_optimizer_rule(Arc::new(ComparePlainly))
        .build();
    let mut once = config();
    once.options_mut().optimizer.max_passes = 1;
    let plain = SessionStateBuilder::new_from_existing(any.clone())
        .with_session_id("pinhole".into())
        .with_config(once)
        .with_optimizer_rules(logical_rules())
        .with_physical_optimizer_rules(physical_rules())
        .build();
    Ok((Sessions { any, plain, on_disk: OnceCell::new() }, pool))
}

/// DataFusion's rules for plans, in its order, without those for joins, subqueries and unions.
fn logical_rules() -> Vec<Arc<dyn OptimizerRule + Send + Sync>> {
    vec![
        Arc::new(SimplifyExpressions::new()),
        Arc::new(EliminateDuplicatedExpr::new()),
        Arc::new(EliminateFilter::new()),
        Arc::new(EliminateLimit::new()),
        Arc::new(PropagateEmptyRelation::new()),
        Arc::new(PushDownLimit::new()),
        Arc::new(PushDownFilter::new()),
        Arc::new(SingleDistinctToGroupBy::new()),
        Arc::new(EliminateGroupByConstant::new()),
        Arc::new(CommonSubexprEliminate::new()),
        Arc::new(OptimizeProjections::new()),
    ]
}

/// DataFusion's rules for physical plans, in its order, without those for joins, for more partitions
/// than one and for files; then our own.
fn physical_rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    vec![
        Arc::new(OutputRequirements::new_add_mode()),
        Arc::new(AggregateStatistics::new()),
        Arc::new(EnsureRequirements::new()),
        // An aggregation is planned in two halves, and is one where there is one partition.
        Arc::new(CombinePartialFinalAggregate::new()),
        Arc::new(OptimizeAggregateOrder::new()),
        Arc::new(ProjectionPushdown::new()),
        Arc::new(OutputRequirements::new_remove_mode()),
        Arc::new(TopKAggregation::new()),
        Arc::new(LimitPushPastWindows::new()),
        Arc::new(LimitPushdown::new()),
        Arc::new(ProjectionPushdown::new()),
        Arc::new(EnsureCooperative::new()),
        Arc::new(GroupDirectly),
        Arc::new(ArrangeInstead),
        Arc::new(ForemostFirst),
        Arc::new(ComparePlainly),
    ]
}

fn config() -> SessionConfig {
    let mut options = ConfigOptions::new();
    // More than one partition means exchange operators, which spawn tasks.
    options.execution.target_partitions = 1;
    options.execution.planning_concurrency = 1;
    options.execution.collect_statistics = false;
    let optimizer = &mut options.optimizer;
    optimizer.enable_round_robin_repartition = false;
    optimizer.repartition_aggregations = false;
    optimizer.repartition_joins = false;
    optimizer.repartition_windows = false;
    optimizer.repartition_sorts = false;
    optimizer.repartition_file_scans = false;
    // Tables are in memory already: filters that are made while a query runs save nothing.
    optimizer.enable_dynamic_filter_pushdown = false;
    optimizer.enable_topk_dynamic_filter_pushdown = false;
    optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    optimizer.enable_join_dynamic_filter_pushdown = false;
    SessionConfig::from(options)
        // What a scan gives at a time, so that nothing is cut up anew.
        .with_batch_size(CHUNK_ROWS)
        .with_create_default_catalog_and_schema(false)
}
