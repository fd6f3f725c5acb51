//! Read-only SQL: one `SELECT` over the loaded tables, guarded on the parsed tree, planned by
//! DataFusion against nothing but those tables and a short list of functions.

mod context;
mod exact;
mod guard;
mod lists;
mod names;
mod params;
mod reads;

use super::errors::from_datafusion;
use super::plan::{Matched, Missing, Plan};
use super::relay::{Counter, relay};
use super::scan::TableData;
use super::tables::{arrow_type, kind_of};
use super::udf::decimal;
use crate::error::{Code, Diagnostic, Error, Result};
use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Role};
use crate::schema::{Column, Kind, TableSchema};
use arrow::datatypes::DataType;
use context::Context;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{
    Distinct, Expr, FetchType, Limit, LogicalPlan, LogicalPlanBuilder, SkipType, cast,
};
use datafusion::sql::planner::{ParserOptions, SqlToRel};
use exact::exact;
use guard::guard;
use params::bound;
use reads::reads_of;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Columns of tables: the table, the column.
pub type Reads = BTreeSet<(String, String)>;

/// A table that a statement may name.
pub(super) struct Visible {
    pub(super) schema: Arc<TableSchema>,
    pub(super) data: Arc<TableData>,
}

/// Checks a statement against the loaded tables, without reading a row.
pub(super) fn check(
    text: &str,
    params: &serde_json::Value,
    tables: &[Visible],
) -> Result<CheckedQuery> {
    let plan = logical(text, params, tables, &Arc::default())?;
    let schema = tables.first().map(|t| t.schema.clone()).ok_or_else(no_table)?;
    let (kind, keys) = shape(&plan);
    let output: Result<Vec<OutputColumn>> =
        plan.schema().fields().iter().map(|f| output(f, kind, &keys, &schema)).collect();
    let (reads, series) = reads_of(&plan, kind, tables)?;
    Ok(CheckedQuery::from_sql(schema, text, params, (kind, output?), reads).of_series(series))
}

/// Checks a statement of a tool that may read `reads`: it depends on all of them, whichever of them
/// it reads itself, and nothing about it depends on the order in which tables were loaded.
pub(super) fn check_of_tool(
    text: &str,
    params: &serde_json::Value,
    tables: &[Visible],
    reads: &Reads,
) -> Result<CheckedQuery> {
    let plan = logical(text, params, tables, &Arc::default())?;
    let read = |t: &&Visible| reads.iter().any(|(table, _)| *table == t.schema.name);
    let by_name = |t: &&Visible| t.schema.name.clone();
    let schema = tables.iter().filter(read).min_by_key(by_name).ok_or_else(no_table)?;
    let (kind, keys) = match shape(&plan) {
        // One value has a name, too.
        (ResultKind::Scalar, keys) => (ResultKind::Dict, keys),
        other => other,
    };
    let columns = plan.schema().fields().iter().map(|f| {
        let made = output(f, kind, &keys, &schema.schema)?;
        let role = if kind == ResultKind::Table { Role::Mapped } else { made.role };
        Ok(OutputColumn { role, ..made })
    });
    let columns: Result<Vec<OutputColumn>> = columns.collect();
    let shape = (kind, columns?);
    Ok(CheckedQuery::from_sql(schema.schema.clone(), text, params, shape, reads.clone()))
}

/// The query of a result that code has made of those of a tool's statements: it stands for one of
/// them, and depends on what all of them depend on.
pub(super) fn derived(
    query: &CheckedQuery,
    kind: ResultKind,
    columns: &[Column],
) -> Result<CheckedQuery> {
    let (text, params) = query
        .sql()
        .ok_or_else(|| Error::Internal("a result made of other than statements".into()))?;
    let reads = query.sql_reads().map(|(table, column)| (table.to_owned(), column.to_owned()));
    let role = match kind {
        ResultKind::Table => Role::Mapped,
        _ => Role::Measure { aggregate: None, column: None },
    };
    let output = columns.iter().map(|column| OutputColumn {
        column: column.clone(),
        role: role.clone(),
        domain: None,
        date_only: false,
    });
    let shape = (kind, output.collect());
    Ok(CheckedQuery::from_sql(query.schema().clone(), text, params, shape, reads.collect()))
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
    let missing = Missing::default();
    let (groups, fetch, reads) = (None, None, scanned);
    Ok((Plan { rows, matched, groups, missing, scanned, reads, fetch, names }, scanned))
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
            || kind_of(of).is_some_and(|kind| arrow_type(kind) == *of && !of.is_decimal())
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
                // DataFusion does not count the digits of what it computes
                Some(Kind::Decimal(scale)) => decimal::fit(column, scale).alias(field.name()),
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
    params: &serde_json::Value,
    tables: &[Visible],
    done: &Arc<AtomicU64>,
) -> Result<LogicalPlan> {
    let mut statement = guard(text)?;
    names::resolve(&mut statement, tables);
    let context = Context::new(tables, done);
    let options = ParserOptions::new().with_map_string_types_to_utf8view(false);
    let plan = SqlToRel::new_with_options(&context, options).sql_statement_to_plan(statement);
    let plan = bound(plan.map_err(|e| context::rejected(&e))?, params)?;
    lists::only_whole(&plan)?;
    no_first_of_each(&plan)?;
    exact(plan)
}

/// `DISTINCT ON` would need DataFusion's own `first_value`, which takes rows as they come.
fn no_first_of_each(plan: &LogicalPlan) -> Result<()> {
    let mut found = false;
    let visited = plan.apply_with_subqueries(|node| {
        found |= matches!(node, LogicalPlan::Distinct(Distinct::On(_)));
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    visited.map_err(from_datafusion)?;
    if !found {
        return Ok(());
    }
    let message = text!(
        "`DISTINCT ON` is not run; number the rows with `row_number() OVER (PARTITION BY … ORDER BY …)` in a subquery and take those with 1",
        "`DISTINCT ON` не выполняется; пронумеруйте строки через `row_number() OVER (PARTITION BY … ORDER BY …)` в подзапросе и возьмите те, у которых 1"
    );
    Err(Diagnostic::new(Code::SqlRejected, message).into())
}

fn no_table() -> Error {
    Diagnostic::new(Code::NoTable, text!("no table is loaded", "не загружено ни одной таблицы"))
        .into()
}

/// The kind of the result, and the names of its group keys: a scalar or a dict only when the top of
/// the plan is an aggregate without keys, groups when it has keys, else rows. What filters, sorts,
/// cuts or only hands on what was aggregated leaves it what it was; but one row that may have gone
/// is no scalar.
fn shape(plan: &LogicalPlan) -> (ResultKind, Vec<String>) {
    let rows = (ResultKind::Table, Vec::new());
    let fields = plan.schema().fields();
    // where each column of the result stands in the node that is looked at, unless it is computed
    let mut places: Vec<Option<usize>> = (0..fields.len()).map(Some).collect();
    let mut computed = false;
    let mut may_be_gone = false;
    let mut at = plan;
    loop {
        match at {
            LogicalPlan::Sort(sort) => at = &sort.input,
            LogicalPlan::SubqueryAlias(alias) => at = &alias.input,
            LogicalPlan::Limit(limit) => {
                may_be_gone |= !keeps_the_first(limit);
                at = &limit.input;
            }
            LogicalPlan::Filter(filter) => {
                may_be_gone = true;
                at = &filter.input;
            }
            LogicalPlan::Projection(projection) => {
                let input = projection.input.schema();
                let passed = |expr: &Expr| match expr.clone().unalias() {
                    Expr::Column(column) => input.maybe_index_of_column(&column),
                    _ => None,
                };
                let from: Vec<Option<usize>> = projection.expr.iter().map(passed).collect();
                if from.contains(&None) && std::mem::replace(&mut computed, true) {
                    return rows;
                }
                for place in &mut places {
                    *place = place.and_then(|place| from.get(place).copied().flatten());
                }
                at = &projection.input;
            }
            LogicalPlan::Aggregate(top) if top.group_expr.is_empty() => {
                return match fields.len() {
                    _ if may_be_gone => rows,
                    1 => (ResultKind::Scalar, Vec::new()),
                    _ => (ResultKind::Dict, Vec::new()),
                };
            }
            LogicalPlan::Aggregate(top) => {
                let Ok(keys) = top.group_expr_len() else { return rows };
                let of_key = |place: &Option<usize>| place.is_some_and(|place| place < keys);
                let own = fields.iter().zip(&places).filter(|(_, place)| of_key(place));
                let own = own.map(|(field, _)| field.name().clone());
                return (ResultKind::Grouped, own.collect());
            }
            _ => return rows,
        }
    }
}

/// The first row is never cut off.
fn keeps_the_first(limit: &Limit) -> bool {
    let skips = matches!(limit.get_skip_type(), Ok(SkipType::Literal(0)));
    let fetches = match limit.get_fetch_type() {
        Ok(FetchType::Literal(most)) => most.is_none_or(|most| most > 0),
        _ => false,
    };
    skips && fetches
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
    // A summary tells every value and every group: of lists it tells none.
    if kind != ResultKind::Table && of.is_list() {
        return Err(lists::not_told(name));
    }
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
            ("wide", "small,k\n2147483647,a\n2147483647,a\n-2147483648,b\n3,b\n"),
        ] {
            let mut loader = Loader::new(name, Options::default()).unwrap();
            loader.push(csv.as_bytes()).unwrap();
            engine.insert(loader.finish().unwrap().table).unwrap();
        }
        engine
    }

    /// Kind, rows scanned and matched, columns, and rows of a statement; or the codes of its problems.
    fn check(text: &str, params: &[Json], expected: Json) {
        check_with(text, &params.into(), expected);
    }

    fn check_with(text: &str, params: &Json, expected: Json) {
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
    fn parameters_are_bound_by_place_and_by_name() {
        let found = |rows: Json| json!(["table", 4, 1, ["amount"], rows]);
        let text = "SELECT amount FROM t WHERE shop = $shop AND amount > $least";
        check_with(text, &json!({"least": 5, "shop": "Kuper"}), found(json!([[10.0]])));
        check_with(
            text,
            &json!({"shop": "x' OR '1' = '1", "least": 0}),
            json!(["table", 4, 0, ["amount"], []]),
        );
        check_with(text, &json!({"shop": "Kuper"}), json!(["sql_rejected"]));
        let text = "SELECT amount FROM t WHERE shop = $1 AND amount > $2";
        check_with(text, &json!(["Kuper", 5]), found(json!([[10.0]])));
        check_with(text, &json!(["Kuper"]), json!(["sql_rejected"]));
        check_with(text, &json!(null), json!(["sql_rejected"]));
        let text = "SELECT amount FROM t WHERE shop IN ($shops) AND amount NOT IN ($not)";
        let given = |shops: Json| json!({"shops": shops, "not": [4.5]});
        check_with(text, &given(json!(["Kuper", "x"])), found(json!([[10.0]])));
        check_with(text, &given(json!([])), json!(["table", 4, 0, ["amount"], []]));
        let text = "SELECT amount FROM t WHERE amount > 5 AND shop NOT IN ($1)";
        check(text, &[json!(["Kuper"])], found(json!([[25.5]])));
        check(text, &[json!([])], json!(["table", 4, 2, ["amount"], [[10.0], [25.5]]]));
        // A list stands nowhere else, and what it stands in keeps its name.
        for text in [
            "SELECT amount FROM t WHERE shop = $1",
            "SELECT amount FROM t WHERE shop IN ($1, 'x')",
            "SELECT amount FROM t WHERE shop IN ('x', $1)",
            "SELECT $1 AS x FROM t",
        ] {
            check(text, &[json!(["Kuper"])], json!(["sql_rejected"]));
        }
        let text = "SELECT amount FROM t WHERE shop IN ($1)";
        for given in [json!([["Kuper"]]), json!([{}]), json!({}), json!(vec!["x"; 100_001])] {
            check(text, &[given], json!(["sql_rejected"]));
        }
        let text = "SELECT shop IN ($1) FROM t LIMIT 1";
        let name = "t.shop IN $1";
        check(text, &[json!(["Kuper"])], json!(["table", 4, 1, [name], [[true]]]));
        check(text, &[json!([])], json!(["table", 4, 1, [name], [[false]]]));
        let text = "SELECT k, n FROM (SELECT shop IN ($1) AS k, count(*) AS n FROM t \
                    GROUP BY shop IN ($1)) ORDER BY n, k";
        check(text, &[json!([])], json!(["grouped", 4, 4, ["k", "n"], [[false, 4]]]));
    }

    #[test]
    fn mistakes_are_told_apart() {
        check("SELEC * FROM t", &[], json!(["sql_syntax"]));
        check("SELECT * FROM tt", &[], json!(["unknown_table"]));
        check("SELECT * FROM information_schema.tables", &[], json!(["unknown_table"]));
        check("SELECT wrong FROM t", &[], json!(["unknown_column"]));
        check("SELECT version() FROM t", &[], json!(["unknown_function"]));
        check("SELECT __row FROM t", &[], json!(["unknown_column"]));
        check(&format!("SELECT {}1", "1 + ".repeat(5000)), &[], json!(["too_long"]));
    }

    /// A plan that skips rows without a limit does not travel as it was.
    #[test]
    fn one_value_that_is_skipped_is_a_table() {
        let text = "SELECT count(*) AS n FROM t OFFSET $1";
        check(text, &[json!(1)], json!(["table", 4, 0, ["n"], []]));
        check(text, &[json!(0)], json!(["scalar", 4, 4, ["n"], [[4]]]));
        let text = "SELECT count(*) AS n FROM t LIMIT $1";
        check(text, &[json!(0)], json!(["table", 4, 0, ["n"], []]));
        check(text, &[json!(7)], json!(["scalar", 4, 4, ["n"], [[4]]]));
    }

    #[test]
    fn values_may_stand_in_place_of_a_table() {
        let text = "SELECT sum(n) AS s FROM (VALUES (1), (2)) AS v (n)";
        check(text, &[], json!(["scalar", 0, 2, ["s"], [[3]]]));
    }

    /// Plans with such subqueries do not travel, so that they are no golden cases.
    #[test]
    fn subqueries_look_at_computed_columns_outside() {
        let more = "(SELECT small + 1 AS more FROM wide) m";
        let less = "(SELECT small - 1 AS less FROM wide) m";
        check(
            &format!(
                "SELECT m.more FROM {more} WHERE EXISTS (SELECT 1 FROM wide w WHERE w.small + 1 = m.more AND w.k = 'a') ORDER BY more"
            ),
            &[],
            json!(["table", 8, 2, ["more"], [[2_147_483_648_i64], [2_147_483_648_i64]]]),
        );
        check(
            &format!(
                "SELECT m.less FROM {less} WHERE EXISTS (SELECT 1 FROM wide w WHERE w.small = m.less + 1 AND w.k = 'b') ORDER BY less"
            ),
            &[],
            json!(["table", 8, 2, ["less"], [[-2_147_483_649_i64], [2]]]),
        );
        check(
            "SELECT m.x, (SELECT count(*) FROM wide w WHERE w.small = m.x) AS same FROM (SELECT small + 0 AS x FROM wide) m WHERE m.x > 0 ORDER BY m.x",
            &[],
            json!(["table", 8, 3, ["x", "same"], [[3, 1], [2_147_483_647, 2], [2_147_483_647, 2]]]),
        );
        check(
            "SELECT w.small FROM wide w WHERE w.small > (SELECT avg(v.small) FROM wide v WHERE v.k = w.k)",
            &[],
            json!(["table", 8, 1, ["small"], [[3]]]),
        );
        check(
            "SELECT (SELECT count(*) FROM wide w WHERE w.small < m.small) AS below FROM wide m",
            &[],
            json!(["sql_rejected"]),
        );
    }
}
