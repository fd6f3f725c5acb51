//! DataFusion's session as this crate runs it: one partition, no spawned tasks, a memory limit, and
//! only the functions that are used (the linker drops the rest).

use super::arrange::ArrangeInstead;
use super::groups::GroupDirectly;
use super::memory::Pool;
use super::relay::Planner;
use super::udf;
use crate::engine::errors::from_datafusion;
use crate::error::Result;
use datafusion::config::ConfigOptions;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use std::sync::Arc;

/// The session and its memory pool of `memory_limit` bytes.
pub(crate) fn session(memory_limit: usize) -> Result<(SessionState, Arc<dyn MemoryPool>)> {
    let pool: Arc<dyn MemoryPool> = Arc::new(Pool::new(memory_limit));
    // Nothing spills: there is no disk in a browser.
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(pool.clone())
        .with_disk_manager_builder(disk)
        .build_arc()
        .map_err(from_datafusion)?;
    let state = SessionStateBuilder::new()
        // An id of our own: a generated one would need randomness at start.
        .with_session_id("pinhole".into())
        .with_config(config())
        .with_runtime_env(runtime)
        .with_query_planner(Arc::new(Planner))
        .with_physical_optimizer_rule(Arc::new(GroupDirectly))
        .with_physical_optimizer_rule(Arc::new(ArrangeInstead))
        .with_scalar_functions(udf::scalars())
        .with_aggregate_functions(udf::aggregates())
        .with_window_functions(udf::windows())
        .build();
    Ok((state, pool))
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
    SessionConfig::from(options).with_create_default_catalog_and_schema(false)
}
