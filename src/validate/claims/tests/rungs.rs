//! Places in an order with their names and numbers, lists in an order, bounds on all groups, and what two
//! groups differ by.

use super::check_cases;
use super::fixtures::{f, outcome};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Revenue, orders and customers by region, in the order of the revenue.
fn regions() -> Outcome {
    let mut schema = TableSchema::new(
        "sales",
        vec![
            Column::new("region", Kind::Text),
            Column::new("customer", Kind::Text),
            Column::new("amount", Kind::Float).unit("EUR"),
        ],
    );
    schema.rows = 1040;
    let rows =
        [("Lazio", 2486.0, 412, 97), ("Veneto", 1873.0, 355, 120), ("Puglia", 1319.0, 273, 88)];
    let query = json!({"group_by": "region", "select": {"revenue": "sum(amount)", "orders": "count()",
        "customers": "count_distinct(customer)"}, "sort": "revenue desc"});
    let row = |(name, revenue, orders, customers): &(&str, f64, i64, i64)| {
        vec![Value::text(name), f(*revenue), Value::Int(*orders), Value::Int(*customers)]
    };
    outcome("r1", schema, &query, rows.iter().map(row).collect(), 1040, 1040)
}

#[test]
fn a_place_with_its_name_and_its_number() {
    check_cases(
        &[&regions()],
        &[
            (
                "Lazio leads with €2,486, followed by Puglia with €1,873.",
                &[
                    ("Lazio", 'v', ""),
                    ("€2,486", 'v', ""),
                    ("Puglia", 'c', "Veneto"),
                    ("€1,873", 'v', ""),
                ],
            ),
            (
                "Lazio leads with €2,486, followed by Veneto with €1,319.",
                &[("Lazio", 'v', ""), ("€2,486", 'v', ""), ("€1,319", 'c', "€1,873")],
            ),
            (
                "На первом месте Lazio с 2486 евро, затем Veneto с 1873 евро.",
                &[("2486", 'v', ""), ("1873", 'v', "")],
            ),
            ("Больше всех клиентов у Lazio — 120.", &[("Lazio", 'c', "Veneto"), ("120", 'v', "")]),
        ],
    );
}

#[test]
fn names_in_an_order() {
    check_cases(
        &[&regions()],
        &[
            (
                "From highest to lowest by revenue: Lazio, Veneto, Puglia.",
                &[("Lazio, Veneto, Puglia", 'v', "")],
            ),
            (
                "From highest to lowest by revenue: Lazio, Puglia, Veneto.",
                &[("Lazio", 'v', ""), ("Puglia, Veneto", 'c', "Veneto, Puglia")],
            ),
            ("Lazio, Puglia, Veneto were open.", &[]),
        ],
    );
}

#[test]
fn bounds_on_all_and_on_some_only() {
    check_cases(
        &[&regions()],
        &[
            ("Every region brought in over €1,300.", &[("€1,300", 'd', "")]),
            ("Every region brought in over €1,500.", &[("over €1,500", 'c', "at least €1,319")]),
            ("No region sold less than €1,500.", &[("€1,500", 'c', "€1,319")]),
            ("Only Lazio brought in more than €2,000.", &[("€2,000", 'd', "")]),
            (
                "Only Lazio brought in more than €1,500.",
                &[("Lazio", 'c', "Lazio and Veneto"), ("€1,500", 'd', "")],
            ),
        ],
    );
}

#[test]
fn what_two_groups_differ_by() {
    check_cases(
        &[&regions()],
        &[
            ("Veneto trails Lazio by €613.", &[("trails", 'v', ""), ("€613", 'd', "")]),
            ("Veneto trails Lazio by €554.", &[("trails", 'v', ""), ("€554", 'c', "€613")]),
            ("Lazio made three times as much as Puglia.", &[("three", 'c', "1.9")]),
        ],
    );
}

#[test]
fn a_number_of_another_thing() {
    check_cases(
        &[&regions()],
        &[
            ("Lazio had 97 customers.", &[("97", 'v', "")]),
            ("Lazio had 412 customers.", &[("412", 'c', "97")]),
            ("In Lazio 97 orders were shipped.", &[("97", 'c', "412")]),
        ],
    );
}
