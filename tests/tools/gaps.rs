//! What `describe_tables` tells of the bars that are missing, and when it tells nothing.

use super::world::World;
use pinhole::error::Locale;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Minutes of two days without a date between, of two series; `whole` without a missing bar.
fn bars(whole: bool) -> String {
    let mut csv = "timestamp,symbol,open,high,low,close,volume\n".to_owned();
    for (day, symbol) in [(2, "zqA"), (2, "zqB"), (4, "zqA"), (4, "zqB")] {
        for minute in 30..40 {
            if whole || symbol == "zqA" || !(33..36).contains(&minute) {
                let _ = writeln!(csv, "2024-01-0{day} 09:{minute},{symbol},1,2,0.5,1.5,9");
            }
        }
    }
    if whole {
        for symbol in ["zqA", "zqB"] {
            let _ = writeln!(csv, "2024-01-03 09:30,{symbol},1,2,0.5,1.5,9");
        }
    }
    csv
}

fn told(whole: bool, policy: &Json, locale: Locale) -> String {
    let mut world = World::of(policy, pinhole::engine::Options::default());
    world.locale = locale;
    world.load("bars", &bars(whole), &json!({"market": "equities-us", "series": "symbol"}));
    let told = world.told("describe_tables", &json!({}));
    // How many rows there are is told at every level.
    let rows = if whole { "42" } else { "34" };
    told.replacen(rows, "n", 1)
}

/// The line about gaps.
fn line(told: &str, title: &str) -> String {
    let mut lines = told.lines().filter(|line| line.trim_start().starts_with(title));
    let line = lines.next().unwrap_or_default().to_owned();
    assert!(lines.next().is_none(), "{told}");
    line
}

#[test]
fn gaps_are_told_with_their_place() {
    let told_en = told(false, &json!({}), Locale::En);
    assert_eq!(
        line(&told_en, "gaps"),
        "  gaps within a series: bars missing between the first and the last of a trading day: 6, \
         at most 3 in a row, after 2024-01-02T09:32:00 of \"zqB\" (leaving out times of day at \
         which most days have none); dates without bars, of days of the week that mostly have \
         them: 2, at most 1 in a row, from 2024-01-03 of \"zqA\" (holidays count)"
    );
    assert_eq!(
        line(&told(true, &json!({}), Locale::En), "gaps"),
        "  gaps within a series: bars missing between the first and the last of a trading day: 0 \
         (leaving out times of day at which most days have none); dates without bars, of days of \
         the week that mostly have them: 0 (holidays count)"
    );
    assert_eq!(
        line(&told(false, &json!({"level": "preview"}), Locale::Ru), "пропуски"),
        "  пропуски внутри ряда: не хватает баров между первым и последним за торговый день: 6, \
         больше всего подряд – 3, после 2024-01-02T09:32:00 в \"zqB\" (кроме времени суток, в \
         которое их обычно нет); дат без баров в те дни недели, в которые они обычно есть: 2, \
         больше всего подряд – 1, с 2024-01-03 в \"zqA\" (праздники в счёт)"
    );
    // Hidden volume is no matter; the timeframe, the dates and the sessions are beside them.
    let volume = told(false, &json!({"columns": {"bars.volume": "hidden"}}), Locale::En);
    assert_eq!(line(&volume, "gaps"), line(&told_en, "gaps"));
    for part in ["timeframe 1m", "2024-01-02T09:30:00 … 2024-01-04T09:39:00", "`RTH` 09:30-16:00"]
    {
        assert!(told_en.contains(part), "{part} in {told_en}");
    }
}

#[test]
fn nothing_is_told_of_gaps_that_the_policy_keeps_back() {
    for policy in [
        json!({"level": "schema"}),
        json!({"level": "aggregate"}),
        json!({"columns": {"bars.timestamp": "hidden"}}),
        json!({"columns": {"bars.timestamp": "aggregate"}}),
        json!({"columns": {"bars.symbol": "hidden"}}),
        json!({"columns": {"bars.symbol": "aggregate"}}),
        json!({"columns": {"bars.close": "hidden"}}),
    ] {
        for locale in [Locale::En, Locale::Ru] {
            let heard = told(false, &policy, locale);
            assert!(!heard.contains("gaps") && !heard.contains("пропуски"), "{policy} {heard}");
            // Bars that are missing change nothing of what is heard.
            assert_eq!(heard, told(true, &policy, locale), "{policy}");
        }
    }
    // Conversations are told of tables with every request, and of gaps where they ask.
    let world = World::new(&json!({}));
    let schema =
        world.with(|context| context.gate().schema(context.tables, Locale::En).as_str().to_owned());
    assert!(!schema.contains("gaps") && schema.contains("timeframe 1m"), "{schema}");
}

#[test]
fn a_series_is_named_where_its_values_may_be_listed() {
    let mut csv = "timestamp,symbol,open,high,low,close\n".to_owned();
    for symbol in 0..21 {
        for minute in (0..9).filter(|minute| symbol != 20 || *minute != 5) {
            let _ = writeln!(csv, "2024-01-02 09:0{minute},zq{symbol},1,2,0.5,1.5");
        }
    }
    let world = World::of(&json!({}), pinhole::engine::Options::default());
    world.load("bars", &csv, &json!({"series": "symbol"}));
    let told = world.told("describe_tables", &json!({}));
    assert!(
        told.contains("trading day: 1, at most 1 in a row, after 2024-01-02T09:04:00 ("),
        "{told}"
    );
    assert!(!told.contains("zq"), "{told}");
}
