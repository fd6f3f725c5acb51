//! What a statement may name: loaded tables, and a short list of functions.

use super::{Visible, names};
use crate::engine::scan::MemoryTable;
use crate::error::{Code, Diagnostic, Error, closest};
use arrow::datatypes::DataType;
use datafusion::catalog::default_table_source::{DefaultTableSource, provider_as_source};
use datafusion::catalog::view::ViewTable;
use datafusion::common::config::ConfigOptions;
use datafusion::common::{DFSchema, TableReference, plan_err};
use datafusion::functions::{core, datetime, string, unicode};
use datafusion::functions_aggregate as aggregate;
use datafusion::functions_window as window;
use datafusion::logical_expr::planner::{
    ContextProvider, ExprPlanner, PlannerResult, RawBinaryExpr,
};
use datafusion::logical_expr::{
    AggregateUDF, Expr, ExprSchemable, HigherOrderUDF, LogicalPlanBuilder, ScalarUDF, TableSource,
    WindowUDF, cast,
};
use datafusion::sql::sqlparser::ast::BinaryOperator;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
/// What a statement may name.
pub(super) struct Context<'a> {
    tables: &'a [Visible],
    done: &'a Arc<AtomicU64>,
    options: ConfigOptions,
    planners: Vec<Arc<dyn ExprPlanner>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(tables: &'a [Visible], done: &'a Arc<AtomicU64>) -> Self {
        Self { tables, done, options: ConfigOptions::new(), planners: planners() }
    }
}

fn planners() -> Vec<Arc<dyn ExprPlanner>> {
    vec![
        Arc::new(core::planner::CoreFunctionPlanner::default()),
        Arc::new(aggregate::planner::AggregateFunctionPlanner),
        Arc::new(window::planner::WindowFunctionPlanner),
        Arc::new(Spoken),
        Arc::new(Decimals),
    ]
}

/// Decimals beside doubles and below a fraction line are doubles, as in the language: DataFusion would
/// bring both sides to decimals whose digits have no room for the number.
#[derive(Debug)]
struct Decimals;

impl ExprPlanner for Decimals {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> datafusion::error::Result<PlannerResult<RawBinaryExpr>> {
        let is = |x: &Expr, wanted: fn(&DataType) -> bool| {
            x.get_type(schema).is_ok_and(|ty| wanted(&ty))
        };
        let divides = expr.op == BinaryOperator::Divide;
        let computes = divides
            || matches!(
                expr.op,
                BinaryOperator::Plus
                    | BinaryOperator::Minus
                    | BinaryOperator::Multiply
                    | BinaryOperator::Modulo
            );
        let RawBinaryExpr { op, left, right } = expr;
        // Places (`row_number`, `rank`) are unsigned, and computed like any whole number.
        let signed = |x: Expr| {
            let places = computes && is(&x, |ty| *ty == DataType::UInt64);
            if places { cast(x, DataType::Int64) } else { x }
        };
        let expr = RawBinaryExpr { op, left: signed(left), right: signed(right) };
        let any = |wanted| is(&expr.left, wanted) || is(&expr.right, wanted);
        if !any(DataType::is_decimal) || !(divides || any(DataType::is_floating)) {
            return Ok(PlannerResult::Original(expr));
        }
        let double = |x: Expr| {
            if is(&x, DataType::is_numeric) { cast(x, DataType::Float64) } else { x }
        };
        let RawBinaryExpr { op, left, right } = expr;
        let (left, right) = (double(left), double(right));
        Ok(PlannerResult::Original(RawBinaryExpr { op, left, right }))
    }
}

/// Functions that SQL writes with words between their arguments: `extract(year from x)`,
/// `substring(x from 1 for 2)`.
#[derive(Debug)]
struct Spoken;

type Planned = datafusion::error::Result<PlannerResult<Vec<Expr>>>;

impl ExprPlanner for Spoken {
    fn plan_extract(&self, args: Vec<Expr>) -> Planned {
        Ok(PlannerResult::Planned(datetime::date_part().call(args)))
    }

    fn plan_substring(&self, args: Vec<Expr>) -> Planned {
        Ok(PlannerResult::Planned(unicode::substr().call(args)))
    }
}

/// Planning failed: unknown names, wrong types.
pub(super) fn rejected(error: &datafusion::error::DataFusionError) -> Error {
    let (scalars, aggregates, windows) = (scalars(), aggregates(), windows());
    let known = scalars.iter().map(|f| f.name()).chain(aggregates.iter().map(|f| f.name()));
    names::rejected(error, known.chain(windows.iter().map(|f| f.name())))
}

/// Scalar functions by name.
fn scalars() -> [Arc<ScalarUDF>; 13] {
    [
        core::coalesce(),
        core::nullif(),
        datetime::date_part(),
        datetime::date_trunc(),
        string::lower(),
        string::upper(),
        string::starts_with(),
        string::contains(),
        string::btrim(),
        string::ends_with(),
        string::replace(),
        unicode::character_length(),
        unicode::substr(),
    ]
}

/// Aggregates by name.
fn aggregates() -> [Arc<AggregateUDF>; 12] {
    use aggregate::{
        average, correlation, count, covariance, first_last, median, min_max, stddev, sum, variance,
    };
    [
        count::count_udaf(),
        sum::sum_udaf(),
        average::avg_udaf(),
        min_max::min_udaf(),
        min_max::max_udaf(),
        median::median_udaf(),
        stddev::stddev_udaf(),
        variance::var_samp_udaf(),
        correlation::corr_udaf(),
        covariance::covar_samp_udaf(),
        first_last::first_value_udaf(),
        first_last::last_value_udaf(),
    ]
}

/// Window functions by name.
fn windows() -> [Arc<WindowUDF>; 5] {
    use window::{lead_lag, rank, row_number};
    [
        row_number::row_number_udwf(),
        rank::rank_udwf(),
        rank::dense_rank_udwf(),
        lead_lag::lag_udwf(),
        lead_lag::lead_udwf(),
    ]
}

/// Whether `name` is one of a function's names.
fn called(name: &str, own: &str, aliases: &[String]) -> bool {
    own.eq_ignore_ascii_case(name) || aliases.iter().any(|a| a.eq_ignore_ascii_case(name))
}

impl ContextProvider for Context<'_> {
    fn get_table_source(
        &self,
        name: TableReference,
    ) -> datafusion::error::Result<Arc<dyn TableSource>> {
        let wanted = name.table();
        let found = names::table_called(wanted, self.tables);
        let Some(table) = found.filter(|_| name.schema().is_none()) else {
            let known = self.tables.iter().map(|t| t.schema.name.as_str());
            let unknown = Diagnostic::new(
                Code::UnknownTable,
                text!("there is no table `{name}`", "нет таблицы `{name}`"),
            );
            let error = Error::from(unknown.choices(closest(wanted, known, 5)));
            return Err(datafusion::error::DataFusionError::External(Box::new(error)));
        };
        // The virtual columns of the scan stay out of sight.
        let memory = Arc::new(MemoryTable::new(table.data.clone(), self.done.clone()));
        let columns: Vec<usize> = (0..table.schema.columns.len()).collect();
        let scan = LogicalPlanBuilder::scan(
            TableReference::bare(table.schema.name.as_str()),
            provider_as_source(memory),
            Some(columns),
        )?;
        let view = ViewTable::new(scan.build()?, None);
        Ok(Arc::new(DefaultTableSource::new(Arc::new(view))))
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        &self.planners
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        scalars().into_iter().find(|f| called(name, f.name(), f.aliases()))
    }

    fn get_higher_order_meta(&self, _name: &str) -> Option<Arc<HigherOrderUDF>> {
        None
    }

    fn get_aggregate_meta(&self, name: &str) -> Option<Arc<AggregateUDF>> {
        aggregates().into_iter().find(|f| called(name, f.name(), f.aliases()))
    }

    fn get_window_meta(&self, name: &str) -> Option<Arc<WindowUDF>> {
        windows().into_iter().find(|f| called(name, f.name(), f.aliases()))
    }

    fn get_variable_type(&self, _names: &[String]) -> Option<DataType> {
        None
    }

    fn get_file_type(
        &self,
        _extension: &str,
    ) -> datafusion::error::Result<Arc<dyn datafusion::common::file_options::file_type::FileType>>
    {
        plan_err!("no files")
    }

    fn options(&self) -> &ConfigOptions {
        &self.options
    }

    fn udf_names(&self) -> Vec<String> {
        scalars().iter().map(|f| f.name().to_owned()).collect()
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn udaf_names(&self) -> Vec<String> {
        aggregates().iter().map(|f| f.name().to_owned()).collect()
    }

    fn udwf_names(&self) -> Vec<String> {
        windows().iter().map(|f| f.name().to_owned()).collect()
    }
}
