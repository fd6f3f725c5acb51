//! Cells that nothing else can be meant by, both ends of an order, and ratios in words.

use super::check_cases;
use super::fixtures::{f, outcome};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

#[test]
fn the_only_cell_is_given_where_nothing_else_is_meant() {
    let mut turnover = Column::new("turnover", Kind::Float);
    turnover.unit = Some("EUR".to_owned());
    turnover.synonyms = vec!["revenue".to_owned(), "выручка".to_owned()];
    let schema = TableSchema::new("invoices", vec![Column::new("client", Kind::Text), turnover]);
    let query = json!({"select": {"turnover": "sum(turnover)"}});
    let one = outcome("r1", schema, &query, vec![vec![f(184_320.5)]], 900, 900);
    check_cases(
        &[&one],
        &[
            ("Revenue reached 184,320.50 EUR.", &[("184,320.50", 'v', "")]),
            ("The firm brought in 148,230.50 EUR.", &[("148,230.50", 'c', "184,320.50")]),
            ("Выручка сложилась в 148 230,50 евро.", &[("148 230,50", 'c', "184 320,50")]),
            // A plan, a part, a bound and another thing are none of it.
            ("The firm planned for 148,230.50 EUR.", &[("148,230.50", 'u', "")]),
            ("The firm would have brought in 148,230.50 EUR.", &[("148,230.50", 'u', "")]),
            ("The firm brought in 148,230.50 EUR at Acme.", &[("148,230.50", 'u', "")]),
        ],
    );
}

#[test]
fn counts_ends_and_ratios_of_named_groups() {
    let mut tonnage = Column::new("tonnage", Kind::Float);
    tonnage.unit = Some("t".to_owned());
    tonnage.synonyms = vec!["cargo".to_owned()];
    let columns = vec![Column::new("harbour", Kind::Text), tonnage];
    let query = json!({
        "group_by": "harbour",
        "select": {"calls": "count()", "cargo": "sum(tonnage)"},
        "sort": "cargo desc"
    });
    let row = |s: &str, n, x| vec![Value::text(s), Value::Int(n), f(x)];
    let rows = vec![
        row("Rostock", 97, 412_500.0),
        row("Gdansk", 164, 318_400.0),
        row("Riga", 120, 275_000.0),
    ];
    let calls = outcome("r1", TableSchema::new("calls", columns), &query, rows, 381, 381);
    check_cases(
        &[&calls],
        &[
            ("97 vessels moored in Rostock.", &[("97", 'v', "")]),
            ("Rostock saw 164 vessels moor.", &[("164", 'c', "97")]),
            ("Riga is in the lead with 164 calls.", &[("Riga", 'c', "Gdansk"), ("164", 'v', "")]),
            ("Riga is third with 120 calls.", &[("third", 'c', "second"), ("120", 'v', "")]),
            ("Riga занимает третье место: 120 calls.", &[("120", 'v', "")]),
            ("Rostock handled three times as much cargo as Gdansk.", &[("three", 'c', "1.3")]),
            ("Rostock handled twice as much cargo as Gdansk.", &[("twice", 'c', "1.3 times")]),
            ("Rostock and Gdansk together handled 687,500 t.", &[("687,500", 'c', "730,900")]),
        ],
    );
}
