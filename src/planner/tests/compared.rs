//! What a row is compared with, as the sentence says it.

use super::*;

fn shares() -> Arc<TableSchema> {
    let mut symbol = Column::new("symbol", Kind::Text);
    symbol.values = Some(["KO", "MSFT"].map(str::to_owned).to_vec());
    let mut columns = vec![Column::new("date", Kind::Date), symbol];
    columns.extend(["open", "high", "low", "close"].map(|n| Column::new(n, Kind::Float)));
    let mut schema = TableSchema::new("shares", columns);
    schema.time = Some("date".into());
    schema.series = Some("symbol".into());
    schema.interval = Some(86_400);
    schema.ohlcv = crate::schema::Ohlcv::detect(&schema.columns);
    Arc::new(schema)
}

fn sentence(table: &Arc<TableSchema>, question: &str) -> String {
    let plan = plan(question, std::slice::from_ref(table), &Context::default());
    assert_eq!(plan.status, Status::Ready, "{question}: {plan:#?}");
    plan.explanation
}

#[test]
fn the_sentence_says_which_rows_an_average_is_of() {
    for (table, question, expected) in [
        (purchases(), "purchases with an amount above average", "of all rows"),
        (purchases(), "purchases in 2023 with an amount above average", "of all rows of that time"),
        (purchases(), "покупки с суммой выше средней за 2023 год", "по всем строкам этого времени"),
        (shares(), "rows with a close above average", "of all rows with the same symbol"),
        (bars(), "days with volume above average", "of all days"),
    ] {
        let said = sentence(&table, question);
        assert!(said.contains(expected), "{question}: {said}");
        let more = said.split(expected).nth(1).unwrap_or_default();
        let longer = [" of", " with", " этого", " с"].iter().any(|word| more.starts_with(word));
        assert!(!longer, "{question}: {said}");
    }
}

#[test]
fn the_day_before_is_called_a_day_where_rows_are_days() {
    let said = sentence(&bars(), "days with close above yesterday's high");
    assert!(said.contains("high on the day before"), "{said}");
}
