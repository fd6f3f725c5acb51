//! Facts by path, and the facts that a summary tells of.

use super::*;
use crate::summary::fixture::{bars, outcome, purchases};
use serde_json::{Value as Json, json};

fn groups() -> Outcome {
    let query = json!({"group_by": ["shop", "dow"], "select": ["sum(amount)", "count()"]});
    let rows =
        json!([["Kuper", "Tue", 310.5, 3], ["Vkus no", "Sat", 9120, 88], [null, "Sat", 1, 1]]);
    outcome(&purchases(), query, rows, (92, 9000), Some(37))
}

fn table() -> Outcome {
    let query = json!({"map": {"gap": "gap()"}, "sort": "volume", "columns": ["timestamp", "close", "volume", "gap"]});
    let rows = json!([
        ["@2024-01-02", 10.5, 7, null],
        ["@2024-01-03", 20.5, 8, 2.5],
        ["@2024-01-04", 30.5, 9, 3.5]
    ]);
    outcome(&bars(), query, rows, (3, 500), None)
}

fn scalar() -> Outcome {
    outcome(&bars(), json!({"select": "mean(close)"}), json!([[67.25]]), (80, 500), None)
}

/// The entity and the value of the fact at `path`, or `none`.
fn check(outcome: &Outcome, path: &str) -> String {
    let Ok(path) = path.parse::<Path>() else { return "no path".to_owned() };
    let Some(fact) = outcome.fact(&path) else { return "none".to_owned() };
    let entity: Vec<String> = fact.entity.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let unit = fact.unit.map(|u| format!(" {u}")).unwrap_or_default();
    format!("{}|{}|{}{unit}", entity.join(","), fact.measure, fact.value)
}

#[test]
fn facts_by_path() {
    let (groups, table, scalar) = (groups(), table(), scalar());
    let cases: [(&Outcome, &str, &str); 25] = [
        (&scalar, "mean_close", "|mean_close|67.25"),
        (&scalar, "rows_matched", "|rows_matched|80"),
        (&scalar, "rows_before_limit", "none"),
        (&scalar, "mean_open", "none"),
        (&groups, "rows", "|rows|3"),
        (&groups, "rows_scanned", "|rows_scanned|9000"),
        (&groups, "rows_before_limit", "|rows_before_limit|37"),
        (&groups, "[shop=Kuper, dow=Tue].sum_amount", "shop=Kuper,dow=Tue|sum_amount|310.5 EUR"),
        (&groups, "[dow=Sat].count", "shop=Vkus no,dow=Sat|count|88"),
        (&groups, "[shop=Vkus no].count", "shop=Vkus no,dow=Sat|count|88"),
        (&groups, "[shop=`Vkus no`].count", "shop=Vkus no,dow=Sat|count|88"),
        (&groups, "[shop=null].sum_amount", "shop=null,dow=Sat|sum_amount|1 EUR"),
        (&groups, "[shop=Nowhere].count", "none"),
        (&groups, "[item=tea].count", "none"),
        (&groups, "sum_amount", "none"),
        (&groups, "stats.sum_amount.max", "|max sum_amount|9120 EUR"),
        (&table, "stats.gap.mean", "|mean gap|3"),
        (&table, "stats.gap.nulls", "|nulls gap|1"),
        (&table, "first.close", "timestamp=2024-01-02|close|10.5"),
        (&table, "last.gap", "timestamp=2024-01-04|gap|3.5"),
        (&table, "[#2].close", "timestamp=2024-01-03|close|20.5"),
        (&table, "[#4].close", "none"),
        (&table, "[timestamp=2024-01-03].gap", "timestamp=2024-01-03|gap|2.5"),
        (&table, "stats.gap.median", "no path"),
        (&table, "[#0].close", "no path"),
    ];
    for (outcome, path, fact) in cases {
        assert_eq!(check(outcome, path), fact, "{path}");
    }
}

#[test]
fn paths_are_read_as_they_are_written() {
    for path in [
        "rows",
        "`rows`",
        "mean_gap",
        "`mean gap`",
        "stats.gap.max",
        "stats.`a.b`.nulls",
        "first.x",
        "last.`x, y`",
        "[dow=Fri].mean_gap",
        "[shop=`Vkus no`, dow=`a``b`].`sum(a)`",
        "[#12].close",
    ] {
        assert_eq!(path.parse::<Path>().map(|p| p.to_string()), Ok(path.to_owned()));
    }
    for wrong in [
        "",
        ".",
        "a.b",
        "stats.gap",
        "stats.gap.max.x",
        "[dow]",
        "[dow=Fri]",
        "[dow=Fri.x",
        "`a",
        "a b",
        "[]",
    ] {
        assert!(wrong.parse::<Path>().is_err(), "{wrong}");
    }
}

#[test]
fn every_fact_is_found_again_under_its_own_path() {
    for outcome in [groups(), table(), scalar()] {
        for row in 0..outcome.rows.len() {
            for column in 0..outcome.columns.len() {
                let fact = outcome.cell(row, column).expect("a cell");
                let path: Path = fact.path.to_string().parse().expect("a path");
                assert_eq!(outcome.fact(&path), Some(fact));
            }
        }
        for fact in outcome.facts() {
            assert_eq!(outcome.fact(&fact.path), Some(fact.clone()));
            assert_eq!(fact.provenance.result, "r1");
        }
    }
}

#[test]
fn the_facts_of_a_summary_do_not_grow_with_the_rows() {
    let paths = |outcome: &Outcome| -> Vec<String> {
        outcome.facts().iter().map(|fact| fact.path.to_string()).collect()
    };
    assert_eq!(paths(&scalar()), ["rows", "rows_matched", "rows_scanned", "mean_close"]);
    assert_eq!(
        paths(&groups()),
        [
            "rows",
            "rows_matched",
            "rows_scanned",
            "rows_before_limit",
            "[shop=Kuper, dow=Tue].sum_amount",
            "[shop=`Vkus no`, dow=Sat].sum_amount",
            "[shop=Kuper, dow=Tue].count",
            "[shop=`Vkus no`, dow=Sat].count",
        ]
    );
    let few = paths(&table()).len();
    let rows: Vec<Json> = (0..500).map(|i| json!(["@2024-01-02", 1.5, i, 2.5])).collect();
    let query = json!({"map": {"gap": "gap()"}, "sort": "volume", "columns": ["timestamp", "close", "volume", "gap"]});
    assert_eq!(paths(&outcome(&bars(), query, json!(rows), (500, 500), None)).len(), few);
    assert_eq!(
        groups().cell(0, 2).and_then(|f| f.provenance.formula).as_deref(),
        Some("sum(amount)")
    );
}
