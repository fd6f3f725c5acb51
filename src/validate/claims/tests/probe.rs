use super::fixtures::{f, outcome};
use super::{letter, run};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

#[test]
fn probe() {
    let columns = vec![Column::new("category", Kind::Text), Column::new("amount", Kind::Float)];
    let q = json!({"group_by": "category", "select": "sum(amount)"});
    let qs = json!({"group_by": "category", "select": "sum(amount)", "sort": "sum(amount)"});
    let qc = json!({"group_by": "category", "select": ["count()", "sum(amount)"]});
    let rows = [
        ("Rent", -22_800.0),
        ("Groceries", -629.48),
        ("Transport", -554.0),
        ("Аренда", -22_950.0),
        ("Кафе", -1_310.5),
    ]
    .map(|(name, sum)| vec![Value::text(name), f(sum)]);
    let rowsc = [
        ("Rent", -22_800.0, 3),
        ("Groceries", -629.48, 41),
        ("Transport", -554.0, 12),
        ("Аренда", -22_950.0, 2),
        ("Кафе", -1_310.5, 17),
    ]
    .map(|(name, sum, n)| vec![Value::text(name), Value::Int(n), f(sum)]);
    let pos = [("Kuper", 311.0), ("Vkusno", 912.0), ("Sever", 155.0), ("Zarya", 78.25)]
        .map(|(name, sum)| vec![Value::text(name), f(sum)]);
    let shop = || vec![Column::new("shop", Kind::Text), Column::new("amount", Kind::Float)];
    let sq = |s: &str| json!({"group_by": "shop", "select": s});
    let bank = || TableSchema::new("bank", columns.clone());
    let sets = [
        ("spent", outcome("r1", bank(), &q, rows.to_vec(), 80, 80)),
        ("sorted", outcome("r1", bank(), &qs, rows.to_vec(), 80, 80)),
        ("counted", outcome("r1", bank(), &qc, rowsc.to_vec(), 80, 80)),
        (
            "shop",
            outcome(
                "r1",
                TableSchema::new("orders", shop()),
                &sq("sum(amount)"),
                pos.to_vec(),
                80,
                80,
            ),
        ),
        (
            "mean",
            outcome(
                "r1",
                TableSchema::new("orders", shop()),
                &sq("mean(amount)"),
                pos.to_vec(),
                80,
                80,
            ),
        ),
        (
            "count",
            outcome(
                "r1",
                TableSchema::new("orders", shop()),
                &sq("count()"),
                [("Kuper", 31), ("Vkusno", 91), ("Sever", 155), ("Zarya", 78)]
                    .map(|(n, c)| vec![Value::text(n), Value::Int(c)])
                    .to_vec(),
                355,
                355,
            ),
        ),
    ];
    let text = std::fs::read_to_string("/tmp/probe.txt").unwrap();
    let mut set = 0;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            set = sets.iter().position(|s| s.0 == name).unwrap();
            println!("{line}");
            continue;
        }
        let found = run(line, &[&sets[set].1]);
        let got: Vec<_> = found
            .claims
            .iter()
            .map(|c| {
                format!("{} {} {}", c.text, letter(c.verdict), c.actual.clone().unwrap_or_default())
            })
            .collect();
        println!("{line}\n      {}", got.join(" | "));
    }
}
