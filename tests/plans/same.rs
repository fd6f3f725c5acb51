//! The measure itself: which queries mean the same, and which only look alike.

use super::corpus::read;
use super::meaning::meaning;
use pinhole::query::Query;
use serde_json::json;

fn check(a: &str, b: &str, same: bool) {
    let sets = read(include_str!("varied.txt"));
    let bars = sets.iter().find(|s| s.schema.ohlcv.is_some()).expect("a table of bars");
    let [a, b] = [a, b].map(|filter| {
        let query = Query::from_json(&json!({ "where": filter })).expect("a query");
        meaning(&query, &bars.schema).expect("a checked query")
    });
    assert_eq!(a == b, same, "{a} and {b}");
}

#[test]
fn equal_queries_mean_the_same() {
    for (a, b) in [
        ("rsi() < 30", "rsi(14) < 30"),
        ("rsi() < 30", "rsi(close, 14) < 30"),
        ("close > sma(50)", "close > rolling_mean(close, 50)"),
        ("range() > 5", "high - low > 5"),
        ("range_pct() > 5", "(high - low) / low * 100 > 5"),
        ("change() < 0", "close < prev(close)"),
        ("change_pct() > 2", "(close - prev(close)) / prev(close) * 100 > 2"),
        ("5 <= close <= 9", "close >= 5 and close <= 9"),
        ("open < high", "high > open"),
        ("green()", "open < close"),
        ("hour() == 9", "hour() >= 9 and hour() < 10"),
        ("hour() >= 9", "time() >= '09:00'"),
    ] {
        check(a, b, true);
    }
    for (a, b) in [
        ("rsi() < 30", "rsi(7) < 30"),
        ("close > sma(50)", "close > ema(close, 50)"),
        ("range() > 5", "low - high > 5"),
        ("change() < 0", "close > prev(close)"),
        ("change() > 2", "change_pct() > 2"),
        ("close > 5", "close >= 5"),
        ("hour() == 9", "hour() >= 9 and hour() <= 10"),
        ("hour() >= 9", "time() > '09:00'"),
    ] {
        check(a, b, false);
    }
}
