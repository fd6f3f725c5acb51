//! Read-only SQL: one `SELECT` over the loaded tables, guarded on the parsed tree, planned by
//! DataFusion against nothing but those tables and a short list of functions.

use super::errors::from_datafusion;
use super::plan::{Matched, Plan};
use super::relay::{Counter, relay};
use super::scan::{MemoryTable, TableData};
use super::tables::{arrow_type, kind_of};
use crate::error::{Code, Diagnostic, Error, Result, closest};
use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Role};
use crate::schema::{Column, TableSchema};
use arrow::datatypes::DataType;
use datafusion::catalog::default_table_source::{DefaultTableSource, provider_as_source};
use datafusion::catalog::view::ViewTable;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinConstraint, ParamValues, ScalarValue, TableReference, plan_err};
use datafusion::functions::{core, string, unicode};
use datafusion::functions_aggregate as aggregate;
use datafusion::functions_window as window;
use datafusion::logical_expr::planner::{ContextProvider, ExprPlanner};
use datafusion::logical_expr::{
    AggregateUDF, Expr, HigherOrderUDF, LogicalPlan, LogicalPlanBuilder, ScalarUDF, TableSource,
    WindowUDF, cast,
};
use datafusion::sql::planner::{ParserOptions, SqlToRel};
use datafusion::sql::sqlparser::ast::{SetExpr, Statement, TableFactor, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A table that a statement may name.
pub(super) struct Visible {
    pub(super) schema: Arc<TableSchema>,
    pub(super) data: Arc<TableData>,
}

/// The longest statement, in characters.
const LONGEST: usize = 10_000;

/// The most operators and brackets of a statement, and the deepest nesting: a tree of a statement is
/// walked by calls that call themselves.
const MOST_OPERATORS: usize = 150;
const DEEPEST: usize = 30;

/// Checks a statement against the loaded tables, without reading a row.
pub(super) fn check(
    text: &str,
    params: &[serde_json::Value],
    tables: &[Visible],
) -> Result<CheckedQuery> {
    let plan = logical(text, params, tables, &Arc::default())?;
    let schema = tables.first().map(|t| t.schema.clone()).ok_or_else(no_table)?;
    let (kind, keys) = shape(&plan);
    let output: Result<Vec<OutputColumn>> =
        plan.schema().fields().iter().map(|f| output(f, kind, &keys, &schema)).collect();
    let reads = reads_of(&plan, tables)?;
    Ok(CheckedQuery::from_sql(schema, text, params, (kind, output?), reads))
}

/// The columns of tables that a statement may depend on: of the tables that it scans, every column
/// whose name occurs in an expression anywhere in the plan. Wildcards are columns by name there.
fn reads_of(plan: &LogicalPlan, tables: &[Visible]) -> Result<BTreeSet<(String, String)>> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut scanned: BTreeSet<String> = BTreeSet::new();
    let visited = plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            scanned.insert(scan.table_name.table().to_owned());
        }
        if let LogicalPlan::Join(join) = node
            && join.join_constraint == JoinConstraint::Using
        {
            names.extend(join.schema.fields().iter().map(|field| field.name().clone()));
        }
        node.apply_expressions(|expr| {
            expr.apply(|part| {
                match part {
                    Expr::Column(column) | Expr::OuterReferenceColumn(_, column) => {
                        names.insert(column.name.clone());
                    }
                    _ => {}
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    visited.map_err(from_datafusion)?;
    let columns = tables.iter().filter(|t| scanned.contains(&t.schema.name)).flat_map(|t| {
        let columns = t.schema.columns.iter().map(|c| &c.name);
        columns.map(|name| (t.schema.name.clone(), name.clone()))
    });
    Ok(columns.filter(|(_, name)| names.contains(name)).collect())
}

/// The plan of a checked statement, and how many rows the tables have that it reads.
pub(super) fn plan(
    query: &CheckedQuery,
    tables: &[Visible],
    done: &Arc<AtomicU64>,
) -> Result<(Plan, u64)> {
    let (text, params) = query.sql().ok_or_else(|| Error::Internal("not a statement".into()))?;
    let rows = logical(text, params, tables, done)?;
    let scanned = rows_read(&rows, tables)?;
    let rows = in_our_types(rows)?;
    let (rows, matched) = if query.kind() == ResultKind::Table {
        (rows, Matched::All)
    } else {
        let counter = Counter::default();
        (counted(rows, &counter)?, Matched::Counted(counter))
    };
    let names = vec![None; rows.schema().fields().len()];
    Ok((Plan { rows, matched, groups: None, scanned, reads: scanned, names }, scanned))
}

/// Rows of the tables that a plan scans, each scan counted.
fn rows_read(plan: &LogicalPlan, tables: &[Visible]) -> Result<u64> {
    let mut rows = 0;
    let visited = plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            let table = tables.iter().find(|t| t.schema.name == scan.table_name.table());
            rows += table.map_or(0, |t| t.data.rows());
        }
        Ok(TreeNodeRecursion::Continue)
    });
    visited.map_err(from_datafusion)?;
    Ok(rows)
}

/// The plan with every column in a type that results are kept in.
fn in_our_types(plan: LogicalPlan) -> Result<LogicalPlan> {
    let kept = |of: &DataType| {
        matches!(of, DataType::Int32 | DataType::Utf8 | DataType::Dictionary(_, _))
            || kind_of(of).is_some_and(|kind| arrow_type(kind) == *of)
    };
    if plan.schema().fields().iter().all(|f| kept(f.data_type())) {
        return Ok(plan);
    }
    let exprs: Vec<Expr> = plan
        .schema()
        .iter()
        .map(|(table, field)| {
            let column = Expr::Column((table, field).into());
            match kind_of(field.data_type()) {
                Some(kind) if !kept(field.data_type()) => {
                    cast(column, arrow_type(kind)).alias(field.name())
                }
                _ => column,
            }
        })
        .collect();
    let projected = LogicalPlanBuilder::from(plan).project(exprs);
    projected.and_then(LogicalPlanBuilder::build).map_err(from_datafusion)
}

fn logical(
    text: &str,
    params: &[serde_json::Value],
    tables: &[Visible],
    done: &Arc<AtomicU64>,
) -> Result<LogicalPlan> {
    let statement = guard(text)?;
    let context = Context { tables, done, options: ConfigOptions::new(), planners: planners() };
    let options = ParserOptions::new().with_map_string_types_to_utf8view(false);
    let plan = SqlToRel::new_with_options(&context, options).sql_statement_to_plan(statement);
    let plan = plan.map_err(|e| rejected(&e))?;
    if params.is_empty() {
        return Ok(plan);
    }
    let values: Vec<ScalarValue> = params.iter().map(scalar).collect();
    plan.with_param_values(ParamValues::from(values)).map_err(|e| rejected(&e))
}

/// Whether a token can make the tree of a statement one level higher: what walks trees calls itself
/// level by level, and a stack is finite.
fn builds(token: &Token) -> bool {
    match token {
        Token::Word(word) => matches!(
            word.keyword,
            Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::CASE
                | Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
                | Keyword::JOIN
                | Keyword::IS
                | Keyword::COLLATE
        ),
        Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::Whitespace(_)
        | Token::Comma
        | Token::Period
        | Token::RParen
        | Token::Placeholder(_)
        | Token::SemiColon
        | Token::EOF => false,
        _ => true,
    }
}

/// The statement, if it does nothing but read.
fn guard(text: &str) -> Result<Statement> {
    if text.chars().count() > LONGEST {
        return Err(Diagnostic::new(
            Code::TooLong,
            text!(
                "a statement may have {LONGEST} characters",
                "в запросе может быть {LONGEST} знаков"
            ),
        )
        .into());
    }
    let dialect = PostgreSqlDialect {};
    let no_sql = || {
        Error::from(Diagnostic::new(
            Code::SqlSyntax,
            text!("this is no valid SQL statement", "это не запрос SQL: ошибка в записи"),
        ))
    };
    let tokens = Tokenizer::new(&dialect, text).tokenize().map_err(|_| no_sql())?;
    if tokens.iter().filter(|token| builds(token)).count() > MOST_OPERATORS {
        return Err(Diagnostic::new(
            Code::TooDeep,
            text!(
                "a statement may have {MOST_OPERATORS} operators and brackets",
                "в запросе может быть {MOST_OPERATORS} операций и скобок"
            ),
        )
        .into());
    }
    let mut parser = Parser::new(&dialect).with_recursion_limit(DEEPEST).with_tokens(tokens);
    let statements = parser.parse_statements().map_err(|_| no_sql())?;
    let [statement] = <[Statement; 1]>::try_from(statements).map_err(|_| {
        Error::from(not_read_only(text!(
            "exactly one statement is run",
            "выполняется ровно один запрос"
        )))
    })?;
    if !matches!(statement, Statement::Query(_)) {
        return Err(not_read_only(text!(
            "only `SELECT` and `WITH … SELECT` are run",
            "выполняются только `SELECT` и `WITH … SELECT`"
        ))
        .into());
    }
    match statement.visit(&mut ReadOnly) {
        ControlFlow::Continue(()) => Ok(statement),
        ControlFlow::Break(why) => Err(not_read_only(why).into()),
    }
}

/// Looks for everything in a query that does more than read loaded tables.
struct ReadOnly;

impl Visitor for ReadOnly {
    type Break = crate::error::Text;

    fn pre_visit_query(
        &mut self,
        query: &datafusion::sql::sqlparser::ast::Query,
    ) -> ControlFlow<Self::Break> {
        let plain = query.locks.is_empty()
            && query.for_clause.is_none()
            && query.settings.is_none()
            && query.format_clause.is_none()
            && query.pipe_operators.is_empty();
        if !plain || !reads(&query.body) {
            return ControlFlow::Break(text!(
                "the statement does more than read: only `SELECT` may stand in it",
                "запрос не только читает: в нём могут стоять только `SELECT`"
            ));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Self::Break> {
        match table {
            TableFactor::Table { args: None, .. }
            | TableFactor::Derived { .. }
            | TableFactor::NestedJoin { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(text!(
                "functions in place of tables are not run; read loaded tables",
                "функции на месте таблиц не выполняются; читайте загруженные таблицы"
            )),
        }
    }
}

/// Whether a body is made of `SELECT` and `VALUES` alone, without `INTO`.
fn reads(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.into.is_none(),
        SetExpr::Query(_) | SetExpr::Values(_) => true,
        SetExpr::SetOperation { left, right, .. } => reads(left) && reads(right),
        _ => false,
    }
}

fn not_read_only(message: crate::error::Text) -> Diagnostic {
    Diagnostic::new(Code::SqlNotReadOnly, message)
}

fn no_table() -> Error {
    Diagnostic::new(Code::NoTable, text!("no table is loaded", "не загружено ни одной таблицы"))
        .into()
}

/// Planning failed: unknown names, wrong types. DataFusion's text speaks of the statement and the
/// schema at this point, not of cells; it is still kept for the page's console alone.
fn rejected(error: &datafusion::error::DataFusionError) -> Error {
    if let datafusion::error::DataFusionError::External(inner) = error.find_root()
        && let Some(known) = inner.downcast_ref::<Error>()
    {
        return known.clone();
    }
    Diagnostic::new(
        Code::SqlRejected,
        text!(
            "the statement cannot be planned: a column, function or type in it is not known here",
            "запрос нельзя выполнить: в нём неизвестный столбец, функция или тип"
        ),
    )
    .into()
}

fn scalar(json: &serde_json::Value) -> ScalarValue {
    match json {
        serde_json::Value::Null => ScalarValue::Null,
        serde_json::Value::Bool(b) => ScalarValue::Boolean(Some(*b)),
        serde_json::Value::Number(n) => match n.as_i64() {
            Some(i) => ScalarValue::Int64(Some(i)),
            None => ScalarValue::Float64(n.as_f64()),
        },
        serde_json::Value::String(s) => ScalarValue::Utf8(Some(s.clone())),
        other => ScalarValue::Utf8(Some(other.to_string())),
    }
}

/// The kind of the result, and the names of its group keys: a scalar or a dict only when the top of
/// the plan is an aggregate without keys, groups when it has keys, else rows.
fn shape(plan: &LogicalPlan) -> (ResultKind, Vec<String>) {
    let mut projected: Option<&[Expr]> = None;
    let mut at = plan;
    loop {
        match at {
            LogicalPlan::Sort(sort) => at = &sort.input,
            LogicalPlan::Limit(limit) => at = &limit.input,
            LogicalPlan::SubqueryAlias(alias) => at = &alias.input,
            LogicalPlan::Projection(projection) if projected.is_none() => {
                projected = Some(&projection.expr);
                at = &projection.input;
            }
            LogicalPlan::Aggregate(top) => {
                let columns = plan.schema().fields().len();
                if top.group_expr.is_empty() {
                    let kind = if columns == 1 { ResultKind::Scalar } else { ResultKind::Dict };
                    return (kind, Vec::new());
                }
                let groups: Vec<String> =
                    top.group_expr.iter().map(|e| e.schema_name().to_string()).collect();
                let own = projected.map_or_else(
                    || groups.clone(),
                    |list| {
                        let keys = list.iter().filter(|e| {
                            let inner = (*e).clone().unalias();
                            groups.contains(&inner.schema_name().to_string())
                        });
                        keys.map(|e| e.qualified_name().1).collect()
                    },
                );
                return (ResultKind::Grouped, own);
            }
            _ => return (ResultKind::Table, Vec::new()),
        }
    }
}

fn output(
    field: &arrow::datatypes::FieldRef,
    kind: ResultKind,
    keys: &[String],
    schema: &TableSchema,
) -> Result<OutputColumn> {
    let name = field.name();
    let of = kind_of(field.data_type()).ok_or_else(|| {
        Error::from(Diagnostic::new(
            Code::SqlRejected,
            text!(
                "column `{name}` of the result has a type that is not shown; cast it",
                "столбец `{name}` результата имеет непоказываемый тип; приведите его"
            ),
        ))
    })?;
    let role = match kind {
        ResultKind::Table if schema.time.as_deref() == Some(name) => Role::Time,
        ResultKind::Table if schema.series.as_deref() == Some(name) => Role::Series,
        ResultKind::Table if schema.column(name).is_some() => Role::Source,
        ResultKind::Table => Role::Mapped,
        ResultKind::Grouped if keys.contains(name) => Role::Key,
        _ => Role::Measure { aggregate: None, column: None },
    };
    Ok(OutputColumn { column: Column::new(name, of), role, domain: None, date_only: false })
}

/// The plan with the rows counted that enter its top aggregate.
fn counted(plan: LogicalPlan, counter: &Counter) -> Result<LogicalPlan> {
    let mut found = false;
    let counted = plan.transform_down(|node| {
        if found {
            return Ok(datafusion::common::tree_node::Transformed::no(node));
        }
        let LogicalPlan::Aggregate(mut top) = node else {
            return Ok(datafusion::common::tree_node::Transformed::no(node));
        };
        found = true;
        top.input = Arc::new(relay(Arc::unwrap_or_clone(top.input), counter.clone()));
        Ok(datafusion::common::tree_node::Transformed::new(
            LogicalPlan::Aggregate(top),
            true,
            TreeNodeRecursion::Stop,
        ))
    });
    Ok(counted.map_err(from_datafusion)?.data)
}

/// What a statement may name.
struct Context<'a> {
    tables: &'a [Visible],
    done: &'a Arc<AtomicU64>,
    options: ConfigOptions,
    planners: Vec<Arc<dyn ExprPlanner>>,
}

fn planners() -> Vec<Arc<dyn ExprPlanner>> {
    vec![
        Arc::new(core::planner::CoreFunctionPlanner::default()),
        Arc::new(aggregate::planner::AggregateFunctionPlanner),
        Arc::new(window::planner::WindowFunctionPlanner),
    ]
}

/// Scalar functions by name.
fn scalars() -> [Arc<ScalarUDF>; 8] {
    [
        core::coalesce(),
        core::nullif(),
        string::lower(),
        string::upper(),
        string::starts_with(),
        string::contains(),
        string::btrim(),
        unicode::character_length(),
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
        let exact = self.tables.iter().find(|t| t.schema.name == wanted);
        let found = exact.or_else(|| {
            let mut alike =
                self.tables.iter().filter(|t| t.schema.name.eq_ignore_ascii_case(wanted));
            alike.next().filter(|_| alike.next().is_none())
        });
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

#[cfg(test)]
mod tests {
    use super::super::ingest::{Loader, Options};
    use super::super::{Engine, Options as EngineOptions};
    use crate::error::{Code, Error};
    use crate::query::check::ResultKind;
    use serde_json::{Value as Json, json};
    use std::sync::Arc;

    fn engine() -> Engine {
        let mut engine = Engine::new(EngineOptions::default()).unwrap();
        for (name, csv) in [
            ("t", "shop,amount\nKuper,10\nVkusno,25.5\nKuper,4.5\nVkusno,\n"),
            ("Cities", "shop,city\nKuper,Omsk\nVkusno,Tomsk\n"),
        ] {
            let mut loader = Loader::new(name, Options::default()).unwrap();
            loader.push(csv.as_bytes()).unwrap();
            engine.insert(loader.finish().unwrap().table).unwrap();
        }
        engine
    }

    /// Kind, rows scanned and matched, columns, and rows of a statement; or the codes of its problems.
    fn check(text: &str, params: &[Json], expected: Json) {
        let mut engine = engine();
        let run = engine.check_sql(text, params).and_then(|checked| {
            let outcome = engine.start(&Arc::new(checked))?.finish()?;
            let rows: Vec<Json> = (0..outcome.rows.len())
                .map(|row| {
                    (0..outcome.columns.len()).map(|c| outcome.value(row, c).to_json()).collect()
                })
                .collect();
            let names: Vec<&str> = outcome.columns.iter().map(|c| c.column.name.as_str()).collect();
            Ok(json!([outcome.kind(), outcome.rows_scanned, outcome.rows_matched, names, rows]))
        });
        let found = run.unwrap_or_else(|error: Error| {
            json!(error.diagnostics().iter().map(|d| d.code).collect::<Vec<Code>>())
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn results_follow_the_top_of_the_plan() {
        assert_eq!(json!(ResultKind::Table), "table");
        let table = "SELECT shop, amount FROM t WHERE amount > 5 ORDER BY amount";
        check(
            table,
            &[],
            json!(["table", 4, 2, ["shop", "amount"], [["Kuper", 10.0], ["Vkusno", 25.5]]]),
        );
        check(
            "SELECT count(*) AS n FROM t WHERE amount > 5",
            &[],
            json!(["scalar", 4, 2, ["n"], [[2]]]),
        );
        check(
            "SELECT count(amount) AS n, max(amount) AS m FROM t",
            &[],
            json!(["dict", 4, 4, ["n", "m"], [[3, 25.5]]]),
        );
        check(
            "SELECT shop, sum(amount) AS s FROM t GROUP BY shop ORDER BY shop",
            &[],
            json!(["grouped", 4, 4, ["shop", "s"], [["Kuper", 14.5], ["Vkusno", 25.5]]]),
        );
        check(
            "SELECT c.city, sum(t.amount) AS s FROM t JOIN cities c ON t.shop = c.shop GROUP BY c.city ORDER BY 1",
            &[],
            json!(["grouped", 6, 4, ["city", "s"], [["Omsk", 14.5], ["Tomsk", 25.5]]]),
        );
        check(
            "WITH big AS (SELECT * FROM t WHERE amount > $1) SELECT shop, row_number() OVER (ORDER BY amount DESC) AS n FROM big ORDER BY n",
            &[json!(5)],
            json!(["table", 4, 2, ["shop", "n"], [["Vkusno", 1], ["Kuper", 2]]]),
        );
        check(
            "SELECT shop FROM t WHERE amount = 10 UNION ALL SELECT city FROM cities WHERE shop = 'Kuper'",
            &[],
            json!(["table", 6, 2, ["shop"], [["Kuper"], ["Omsk"]]]),
        );
    }

    #[test]
    fn everything_but_reading_is_refused() {
        for text in [
            "DROP TABLE t",
            "INSERT INTO t VALUES ('a', 1)",
            "UPDATE t SET amount = 1",
            "DELETE FROM t",
            "CREATE TABLE u AS SELECT * FROM t",
            "SELECT * INTO u FROM t",
            "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
            "COPY t TO 'out.csv'",
            "SET x = 1",
            "EXPLAIN SELECT * FROM t",
            "PREPARE p AS SELECT 1",
            "SELECT 1; SELECT 2",
            "SELECT * FROM generate_series(1, 3)",
            "SELECT * FROM read_csv('secret.csv')",
            "SELECT * FROM t FOR UPDATE",
            "",
        ] {
            check(text, &[], json!(["sql_not_read_only"]));
        }
    }

    #[test]
    fn mistakes_are_told_apart() {
        check("SELEC * FROM t", &[], json!(["sql_syntax"]));
        check("SELECT * FROM tt", &[], json!(["unknown_table"]));
        check("SELECT * FROM information_schema.tables", &[], json!(["unknown_table"]));
        check("SELECT wrong FROM t", &[], json!(["sql_rejected"]));
        check("SELECT version() FROM t", &[], json!(["sql_rejected"]));
        check("SELECT __row FROM t", &[], json!(["sql_rejected"]));
        check(&format!("SELECT {}1", "1 + ".repeat(5000)), &[], json!(["too_long"]));
    }
}
